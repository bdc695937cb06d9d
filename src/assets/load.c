// Asking for assets and letting them go: names, uses, dependencies, and the part of a load that runs off the
// main thread.

#include <filo/check.h>
#include <filo/log.h>

#include "assets/assets.h"

#include <string.h>

static const FiloAsset NONE = { 0 };

// ---- Reading and decoding -------------------------------------------------------------------------------

// Messages about files begin with the whole path; people know an asset by its name.
static FiloResult name_file(const AssetRecord *record, const FiloResult *result) {
    const FiloAssets *assets = record->assets;
    const char *message = result->message;
    size_t length = assets->folder_length;
    if (strncmp(message, assets->folder, length) == 0 && message[length] == '/') message += length + 1;
    return filo_error(result->code, "%s (in %s%s)", message, assets->folder,
                      assets->folder_is_guessed ? "; there is no folder \"assets\" beside the program" : "");
}

static void decode(AssetRecord *record, const FiloFileData *file) {
    FiloAssets *assets = record->assets;
    const AssetKind *kind = record->loaded_kind;
    if (record->by_content)
        kind = assets_asset_kind(assets, assets_sheet_recognise(file->text, file->size) ? "sheet" : "json");
    FiloAssetBytes bytes = {
        filo_name_text(record->name), file->bytes, file->size, assets->allocator, assets, record->handle
    };
    record->loaded_kind = kind;
    record->result = kind->type.decode(&bytes, &record->loaded, kind->type.user);
    if (record->result.code != FILO_OK) record->loaded = NULL;
}

// On a worker (on main, if it is the only one), when the file has been read or cannot be.
static void file_was_read(FiloJobs *jobs, FiloRequest request, void *user) {
    AssetRecord *record = user;
    FiloFileData file;
    record->result = filo_async_take_file(jobs, request, &file);
    if (record->result.code != FILO_OK) {
        record->result = name_file(record, &record->result);
        return;
    }
    base_store_relaxed(&record->file_size, file.size + 1);
    base_store_relaxed(&record->step, ASSET_READ);
    if (base_load_relaxed(&record->unwanted))
        record->result =
            filo_error(FILO_ERROR_CANCELLED, "%s: not wanted any more", filo_name_text(record->name));
    else
        decode(record, &file);
    filo_file_free(&file);
    base_store_relaxed(&record->step, ASSET_DECODED);
}

void assets_start(AssetRecord *record) {
    FiloAssets *assets = record->assets;
    FILO_ASSERT(!record->loading, "one load at a time");
    FILO_ASSERT(assets->loading.count < assets->loading.capacity, "there is room for all");
    record->loading = true;
    record->again = record->checked = record->circular = record->cancelled = false;
    record->loaded = NULL;
    record->loaded_kind = record->kind;
    base_store_relaxed(&record->unwanted, false);
    base_store_relaxed(&record->step, ASSET_ASKED);
    (void)filo_array_push(&assets->loading, record);
    filo_job_init(&record->job, filo_job_do_nothing, NULL, 0);
    filo_job_set_name(&record->job, "asset");
    // With one worker nobody but main decodes, and it does so in filo_assets_update or while it waits.
    bool alone = filo_jobs_threads(assets->jobs) == 1;
    if (alone) filo_job_set_worker(&record->job, 0);
    FiloAsyncOptions options = { .name = "asset",
                                 .ended = file_was_read,
                                 .on_main = alone,
                                 .ended_user = record,
                                 .parent = &record->job };
    FiloFileReadDesc desc = { .allocator = assets->allocator };
    char path[FILO_PATH_SIZE];
    record->request = (FiloRequest){ 0 };
    record->result = filo_error(FILO_ERROR_LIMIT, "%s: the path is too long", filo_name_text(record->name));
    if (filo_path_join(path, sizeof path, assets->folder, filo_name_text(record->name))) {
        record->result =
            filo_error(FILO_ERROR_MEMORY, "%s: no memory for reading it", filo_name_text(record->name));
        record->request = filo_async_read_file(assets->jobs, path, &desc, &options);
    }
    filo_jobs_run(assets->jobs, &record->job);
}

void assets_reload(AssetRecord *record) {
    if (record->made) return;
    FiloAssets *assets = record->assets;
    AssetList tried; // of the load before
    filo_array_init(&tried, assets->allocator);
    // In one go: who asks for the asset meanwhile, on another thread, may start it too.
    filo_mutex_lock(&assets->lock);
    if (record->loading) {
        record->again = true;
    } else {
        AssetList none = tried;
        tried = record->tried;
        record->tried = none;
        assets_start(record);
    }
    filo_mutex_unlock(&assets->lock);
    assets_asset_list_release(assets, &tried);
    filo_array_deinit(&tried);
}

// ---- Names ----------------------------------------------------------------------------------------------

bool assets_path(const FiloAssets *assets, const char *name, char *clean, char *path) {
    return name[0] != '\0' && filo_path_normalise(clean, FILO_PATH_SIZE, name) &&
           filo_path_join(path, FILO_PATH_SIZE, assets->folder, clean) &&
           filo_path_is_inside(path, assets->folder);
}

// The name in its one form; {0}, and a line in the log, if it leads out.
static FiloName clean_name(const FiloAssets *assets, const char *name) {
    char clean[FILO_PATH_SIZE], path[FILO_PATH_SIZE];
    if (assets_path(assets, name, clean, path)) return filo_name(clean);
    filo_log_error("assets", "\"%s\" is not the name of an asset: it must be a path inside %s", name,
                   assets->folder);
    return (FiloName){ 0 };
}

// The living asset of a name, one use more. Lock.
static AssetRecord *use_existing(FiloAssets *assets, FiloName name) {
    AssetRecord *record = assets_asset_record(assets, filo_assets_find(assets, name));
    if (record == NULL) return NULL;
    record->uses++;
    // Nobody wanted it any more, so its load was called off; but it has not been freed yet.
    if (!record->loading && !record->made && assets_asset_record_state(record) == FILO_ASSET_LOADING)
        assets_start(record);
    return record;
}

// Finds or makes the asset; `kind` NULL: by its extension. Any thread; the lock is taken here.
static FiloAsset ask_for(FiloAssets *assets, const AssetKind *kind, const char *name) {
    // What the program made may have a name that is no path.
    FiloName known = filo_name_find(filo_string(name));
    filo_mutex_lock(&assets->lock);
    AssetRecord *record = known.id != 0 ? use_existing(assets, known) : NULL;
    filo_mutex_unlock(&assets->lock);
    if (record != NULL) return record->handle;
    known = clean_name(assets, name);
    if (known.id == 0) return NONE;
    bool by_content = kind == NULL;
    if (kind == NULL) kind = assets_asset_kind_of_file(assets, name);
    if (kind == NULL) {
        filo_log_error("assets", "\"%s\": no type of assets has the extension \"%s\"", name,
                       filo_path_extension(name));
        return NONE;
    }
    filo_mutex_lock(&assets->lock);
    record = use_existing(assets, known);
    if (record == NULL && (record = assets_make(assets, known, kind)) != NULL) {
        record->by_content = by_content && kind == assets_asset_kind(assets, "json");
        assets_start(record);
    }
    FiloAsset asset = record != NULL ? record->handle : NONE;
    filo_mutex_unlock(&assets->lock);
    return asset;
}

// ---- Asking ---------------------------------------------------------------------------------------------

FiloAsset filo_assets_load(FiloAssets *assets, const char *name) {
    if (!FILO_CHECK(assets != NULL && name != NULL, "pass the name of the asset")) return NONE;
    return ask_for(assets, NULL, name);
}

FiloAsset filo_assets_load_as(FiloAssets *assets, const char *type, const char *name) {
    if (!FILO_CHECK(assets != NULL && name != NULL && type != NULL,
                    "pass the type and the name of the asset"))
        return NONE;
    const AssetKind *kind = assets_asset_kind(assets, type);
    if (!FILO_CHECK(kind != NULL, "there are no assets of type \"%s\": register it first", type)) return NONE;
    FiloAsset asset = ask_for(assets, kind, name);
    const AssetRecord *record = assets_asset_record(assets, asset);
    if (record == NULL || record->kind == kind) return asset;
    const char *other = record->kind->type.name;
    filo_assets_unload(assets, asset);
    if (!FILO_CHECK(false, "\"%s\" is an asset of type \"%s\" already, not \"%s\"", name, other, type))
        return NONE;
    return NONE;
}

FiloAsset filo_asset_retain(FiloAssets *assets, FiloAsset asset) {
    if (asset.id == 0) return NONE;
    filo_mutex_lock(&assets->lock);
    AssetRecord *record = assets_asset_record(assets, asset);
    if (record != NULL) record->uses++;
    filo_mutex_unlock(&assets->lock);
    if (!FILO_CHECK(record != NULL, "this asset has gone: keep it before its last use is unloaded"))
        return NONE;
    return asset;
}

// False if there was none.
static bool let_go(FiloAssets *assets, FiloAsset asset) {
    filo_mutex_lock(&assets->lock);
    AssetRecord *record = assets_asset_record(assets, asset);
    bool used = record != NULL && record->uses > 0;
    if (used && --record->uses == 0) assets->sweep = true;
    filo_mutex_unlock(&assets->lock);
    return used;
}

void filo_assets_unload(FiloAssets *assets, FiloAsset asset) {
    if (asset.id == 0) return;
    if (!FILO_CHECK(let_go(assets, asset), "this asset is not loaded any more: unload it as often as it was "
                                           "loaded, not more often"))
        return;
}

void assets_asset_list_release(FiloAssets *assets, AssetList *list) {
    filo_array_each (list, asset) let_go(assets, *asset);
    filo_array_clear(list);
}

FiloAsset filo_assets_depend(FiloAssets *assets, FiloAsset asset, const char *name) {
    if (!FILO_CHECK(assets != NULL && name != NULL, "pass the name of the asset that is needed")) return NONE;
    FiloAsset needed = ask_for(assets, NULL, name);
    if (needed.id == 0) return NONE;
    filo_mutex_lock(&assets->lock);
    AssetRecord *record = assets_asset_record(assets, asset);
    bool inside = record != NULL && record->loading;
    bool noted = inside && filo_array_push(&record->tried, needed);
    filo_mutex_unlock(&assets->lock);
    if (!noted) let_go(assets, needed);
    if (!FILO_CHECK(inside, "filo_assets_depend is for decoders, with the asset that they decode"))
        return NONE;
    return noted ? needed : NONE;
}

// ---- What the program made ------------------------------------------------------------------------------

// The asset of the name, one use more, with no load under way; NULL without memory or as another kind.
static AssetRecord *take_name(FiloAssets *assets, const AssetKind *kind, const char *name) {
    FiloName known = filo_name(name);
    if (known.id == 0) return NULL;
    filo_mutex_lock(&assets->lock);
    AssetRecord *record = use_existing(assets, known);
    if (record == NULL) record = assets_make(assets, known, kind);
    bool fits = record != NULL && record->kind == kind;
    if (fits) record->made = true;
    filo_mutex_unlock(&assets->lock);
    if (record == NULL) return NULL;
    if (!FILO_CHECK(fits, "\"%s\" is an asset of type \"%s\" already, not \"%s\"", name,
                    record->kind->type.name, kind->type.name)) {
        let_go(assets, record->handle);
        return NULL;
    }
    base_store_relaxed(&record->unwanted, true); // a load that is under way comes to nothing
    return record;
}

FiloAsset filo_assets_add(FiloAssets *assets, const char *type, const char *name, void *data) {
    if (!FILO_CHECK(type != NULL && name != NULL && name[0] != '\0' && data != NULL,
                    "pass a type, a name and the data"))
        return NONE;
    const AssetKind *kind = assets_asset_kind(assets, type);
    if (!FILO_CHECK(kind != NULL, "there are no assets of type \"%s\": register it first", type)) return NONE;
    // Room for the data that is replaced, which stays good until the next update.
    AssetRecord *record = filo_array_reserve(&assets->retired, assets->retired.count + 1)
                              ? take_name(assets, kind, name)
                              : NULL;
    if (record == NULL) {
        assets_free_data(assets, kind, data);
        return NONE;
    }
    (void)assets_publish(record, kind, data);
    return record->handle;
}
