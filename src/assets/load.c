// Loading and unloading assets: names, reference counts, dependencies, and the part of a load that does not run on the
// main thread.

#include <filo/check.h>
#include <filo/log.h>

#include "assets/assets.h"
#include "base/file_system.h"
#include "base/suggest.h"

#include <string.h>

static const FiloAsset NONE = { 0 };

// ---- Reading and decoding -------------------------------------------------------------------------------

// Messages about files begin with the whole path. Replaces it by the name of the asset, and appends the folder, and the
// file that was probably meant.
static FiloResult shorten_message(const AssetsRecord *record, const FiloResult *result) {
    const FiloAssets *assets = record->assets;
    const char *message = result->message;
    size_t length = assets->folder_length;
    if (strncmp(message, assets->folder, length) == 0 && message[length] == '/') message += length + 1;
    char meant[BASE_SUGGEST_SIZE] = "";
    if (result->code == FILO_ERROR_NOT_FOUND)
        (void)base_suggest_file(assets->folder, filo_name_text(record->name), "", meant);
    return filo_error(result->code, "%s (in %s%s)%s", message, assets->folder,
                      assets->folder_is_default ? "; there is no folder \"assets\" beside the program" : "",
                      meant);
}

static void decode(AssetsRecord *record, const void *data, size_t size) {
    FiloAssets *assets = record->assets;
    const AssetsKind *kind = record->loaded_kind;
    if (record->by_content) kind = assets_find_kind(assets, assets_is_sheet(data, size) ? "sheet" : "json");
    FiloAssetBytes bytes = {
        filo_name_text(record->name), data, size, assets->allocator, assets, record->handle
    };
    record->loaded_kind = kind;
    record->result = kind->type.decode(&bytes, &record->loaded, kind->type.user);
    if (record->result.code != FILO_OK) record->loaded = NULL;
}

// Checked after reading, because finding out where links lead waits for the disk. What was read is not used then.
static FiloResult check_links(const AssetsRecord *record) {
    char path[FILO_PATH_SIZE];
    const char *folder = record->assets->folder;
    if (!filo_path_join(path, sizeof path, folder, filo_name_text(record->name)))
        return filo_error(FILO_ERROR_LIMIT, "%s: the path is too long", filo_name_text(record->name));
    return base_fs_check_inside(path, folder);
}

// Called on a worker (with one worker: on main) when the file has been read, or reading has failed.
static void on_file_read(FiloJobs *jobs, FiloRequest request, void *user) {
    AssetsRecord *record = user;
    FiloFileData file;
    record->result = filo_async_take_file(jobs, request, &file);
    if (record->result.code == FILO_OK && (record->result = check_links(record)).code != FILO_OK)
        filo_file_free(&file);
    if (record->result.code != FILO_OK) {
        record->result = shorten_message(record, &record->result);
        return;
    }
    base_store_relaxed(&record->file_size, file.size + 1);
    base_store_relaxed(&record->step, ASSETS_READ);
    if (base_load_relaxed(&record->discard))
        record->result =
            filo_error(FILO_ERROR_CANCELLED, "%s: not wanted any more", filo_name_text(record->name));
    else
        decode(record, file.bytes, file.size);
    filo_file_free(&file);
    base_store_relaxed(&record->step, ASSETS_DECODED);
}

// Begins a load of an asset that is not being loaded, whose job has this function. True if main decodes, in
// filo_assets_update or while it waits, because there is one worker. Lock.
static bool begin_load(AssetsRecord *record, FiloJobFunction function) {
    FiloAssets *assets = record->assets;
    FILO_ASSERT(!record->loading, "one load at a time");
    FILO_ASSERT(assets->loading.count < assets->loading.capacity, "assets_create_record reserves memory");
    record->loading = true;
    record->reload = record->cycle_checked = record->cyclic = record->cancelled = record->superseded = false;
    record->loaded = NULL;
    record->loaded_kind = record->kind;
    record->request = (FiloRequest){ 0 };
    base_store_relaxed(&record->discard, false);
    base_store_relaxed(&record->step, ASSETS_REQUESTED);
    (void)filo_array_push(&assets->loading, record);
    filo_job_init(&record->job, function, &record, sizeof record);
    filo_job_set_name(&record->job, filo_name_text(record->name));
    bool alone = filo_jobs_threads(assets->jobs) == 1;
    if (alone) filo_job_set_worker(&record->job, 0);
    return alone;
}

// Starts to read and decode the file of an asset that is not being loaded. Lock.
static void start_load(AssetsRecord *record) {
    FiloAssets *assets = record->assets;
    bool alone = begin_load(record, filo_job_do_nothing);
    FiloAsyncOptions options = { .name = filo_name_text(record->name),
                                 .ended = on_file_read,
                                 .on_main = alone,
                                 .ended_user = record,
                                 .parent = &record->job };
    FiloFileReadDesc desc = { .allocator = assets->allocator };
    char path[FILO_PATH_SIZE];
    record->result = filo_error(FILO_ERROR_LIMIT, "%s: the path is too long", filo_name_text(record->name));
    if (filo_path_join(path, sizeof path, assets->folder, filo_name_text(record->name))) {
        record->result =
            filo_error(FILO_ERROR_MEMORY, "%s: no memory for reading it", filo_name_text(record->name));
        record->request = filo_async_read_file(assets->jobs, path, &desc, &options);
    }
    filo_jobs_run(assets->jobs, &record->job);
}

void assets_reload(AssetsRecord *record) {
    if (record->added) return;
    FiloAssets *assets = record->assets;
    AssetsList previous; // dependencies of the load before
    filo_array_init(&previous, assets->allocator);
    // Under one lock, because another thread that loads the asset may start it too.
    assets_lock(assets);
    if (record->loading) {
        record->reload = true;
    } else {
        AssetsList empty = previous;
        previous = record->load_dependencies;
        record->load_dependencies = empty;
        start_load(record);
    }
    assets_unlock(assets);
    assets_release_list(assets, &previous);
    filo_array_deinit(&previous);
}

// ---- Names ----------------------------------------------------------------------------------------------

bool assets_path(const FiloAssets *assets, const char *name, char *normalised, char *path) {
    return name[0] != '\0' && filo_path_normalise(normalised, FILO_PATH_SIZE, name) &&
           filo_path_join(path, FILO_PATH_SIZE, assets->folder, normalised) &&
           filo_path_is_inside(path, assets->folder);
}

// {0}, and a message in the log, if the path is outside of the folder.
static FiloName normalised_name(const FiloAssets *assets, const char *name) {
    char normalised[FILO_PATH_SIZE], path[FILO_PATH_SIZE];
    if (assets_path(assets, name, normalised, path)) return filo_name(normalised);
    filo_log_error("assets", "\"%s\" is not the name of an asset: it must be a path inside %s", name,
                   assets->folder);
    return (FiloName){ 0 };
}

// Adds a reference to the asset of a name; NULL if there is none. Lock.
static AssetsRecord *retain_existing(FiloAssets *assets, FiloName name) {
    AssetsRecord *record = assets_record(assets, filo_assets_find(assets, name));
    if (record == NULL) return NULL;
    record->references++;
    // Its reference count was 0, so its load was cancelled; but it has not been freed yet. Bytes are decoded all the same.
    if (record->added && record->loading && !record->superseded) base_store_relaxed(&record->discard, false);
    if (!record->loading && !record->added && assets_record_state(record) == FILO_ASSET_LOADING)
        start_load(record);
    return record;
}

// Retains or creates the asset; `kind` NULL: by its extension. Any thread, without the lock.
static FiloAsset load_asset(FiloAssets *assets, const AssetsKind *kind, const char *name) {
    // The name of an asset that the program added need not be a path.
    FiloName key = filo_name_find(filo_string(name));
    assets_lock(assets);
    AssetsRecord *record = key.id != 0 ? retain_existing(assets, key) : NULL;
    assets_unlock(assets);
    if (record != NULL) return record->handle;
    key = normalised_name(assets, name);
    if (key.id == 0) return NONE;
    bool by_content = kind == NULL;
    if (kind == NULL) kind = assets_kind_of_file(assets, name);
    if (kind == NULL) {
        filo_log_error(
            "assets",
            "\"%s\": no type of assets has the extension \"%s\": filo_assets_load_as names the type", name,
            filo_path_extension(name));
        return NONE;
    }
    assets_lock(assets);
    record = retain_existing(assets, key);
    if (record == NULL && (record = assets_create_record(assets, key, kind)) != NULL) {
        record->by_content = by_content && kind == assets_find_kind(assets, "json");
        start_load(record);
    }
    FiloAsset asset = record != NULL ? record->handle : NONE;
    assets_unlock(assets);
    return asset;
}

// ---- Loading and unloading ------------------------------------------------------------------------------

FiloAsset filo_assets_load(FiloAssets *assets, const char *name) {
    if (!FILO_CHECK(assets != NULL && name != NULL, "pass the name of the asset")) return NONE;
    return load_asset(assets, NULL, name);
}

FiloAsset filo_assets_load_as(FiloAssets *assets, const char *type, const char *name) {
    if (!FILO_CHECK(assets != NULL && name != NULL && type != NULL,
                    "pass the type and the name of the asset"))
        return NONE;
    const AssetsKind *kind = assets_find_kind(assets, type);
    if (!FILO_CHECK(kind != NULL, "there are no assets of type \"%s\": register it first", type)) return NONE;
    FiloAsset asset = load_asset(assets, kind, name);
    const AssetsRecord *record = assets_record(assets, asset);
    if (record == NULL || record->kind == kind) return asset;
    const char *other = record->kind->type.name;
    filo_assets_unload(assets, asset);
    (void)FILO_CHECK(false, "\"%s\" is an asset of type \"%s\" already, not \"%s\"", name, other, type);
    return NONE;
}

FiloAsset filo_asset_retain(FiloAssets *assets, FiloAsset asset) {
    if (asset.id == 0 || !FILO_CHECK(assets != NULL, "pass assets")) return NONE;
    assets_lock(assets);
    AssetsRecord *record = assets_record(assets, asset);
    if (record != NULL) record->references++;
    assets_unlock(assets);
    if (!FILO_CHECK(record != NULL, "this asset has gone: retain it before its last reference is unloaded"))
        return NONE;
    return asset;
}

// Removes a reference. False if there is none.
static bool release(FiloAssets *assets, FiloAsset asset) {
    assets_lock(assets);
    AssetsRecord *record = assets_record(assets, asset);
    bool released = record != NULL && record->references > 0;
    if (released && --record->references == 0) assets->needs_sweep = true;
    assets_unlock(assets);
    return released;
}

void filo_assets_unload(FiloAssets *assets, FiloAsset asset) {
    if (asset.id == 0 || !FILO_CHECK(assets != NULL, "pass assets")) return;
    (void)FILO_CHECK(
        release(assets, asset),
        "this asset is not loaded any more: unload it as often as it was loaded, not more often");
}

void assets_release_list(FiloAssets *assets, AssetsList *list) {
    filo_array_each (list, asset) release(assets, *asset);
    filo_array_clear(list);
}

FiloAsset filo_assets_depend(FiloAssets *assets, FiloAsset asset, const char *name) {
    if (!FILO_CHECK(assets != NULL && name != NULL, "pass the name of the asset that is needed")) return NONE;
    FiloAsset needed = load_asset(assets, NULL, name);
    if (needed.id == 0) return NONE;
    assets_lock(assets);
    AssetsRecord *record = assets_record(assets, asset);
    bool loading = record != NULL && record->loading;
    bool stored = loading && filo_array_push(&record->load_dependencies, needed);
    assets_unlock(assets);
    if (!stored) release(assets, needed);
    if (!FILO_CHECK(loading, "filo_assets_depend is for decoders, with the asset that they decode"))
        return NONE;
    return stored ? needed : NONE;
}

// ---- Assets of the program ------------------------------------------------------------------------------

// Retains or creates the asset of the name, and discards a load that is under way. NULL without memory, or if it has
// another type.
static AssetsRecord *retain_or_create(FiloAssets *assets, const AssetsKind *kind, const char *name) {
    FiloName key = filo_name(name);
    if (key.id == 0) return NULL;
    assets_lock(assets);
    AssetsRecord *record = retain_existing(assets, key);
    if (record == NULL) record = assets_create_record(assets, key, kind);
    bool same_kind = record != NULL && record->kind == kind;
    if (same_kind) record->added = record->superseded = true;
    assets_unlock(assets);
    if (record == NULL) return NULL;
    if (!FILO_CHECK(same_kind, "\"%s\" is an asset of type \"%s\" already, not \"%s\"", name,
                    record->kind->type.name, kind->type.name)) {
        release(assets, record->handle);
        return NULL;
    }
    base_store_relaxed(&record->discard, true);
    return record;
}

// ---- Bytes of the program -------------------------------------------------------------------------------

static void free_bytes(AssetsRecord *record) {
    filo_free(record->assets->allocator, record->bytes, record->bytes_size + 1, 0);
    record->bytes = NULL;
}

static void decode_bytes(FiloJob *job, void *data) {
    FILO_UNUSED(job);
    AssetsRecord *record = *(AssetsRecord **)data;
    base_store_relaxed(&record->file_size, record->bytes_size + 1);
    decode(record, record->bytes, record->bytes_size);
    free_bytes(record);
    base_store_relaxed(&record->step, ASSETS_DECODED);
}

// Decodes on this thread, because a load of the asset is under way, whose result is discarded.
static void decode_now(AssetsRecord *record, const AssetsKind *kind, const void *bytes, size_t size) {
    FiloAssets *assets = record->assets;
    void *data = NULL;
    FiloResult result = kind->type.decode(&(FiloAssetBytes){ filo_name_text(record->name), bytes, size,
                                                             assets->allocator, assets, record->handle },
                                          &data, kind->type.user);
    if (result.code == FILO_OK)
        (void)assets_publish(record, kind, data);
    else
        assets_fail(record, &result);
}

FiloAsset filo_assets_add_bytes(FiloAssets *assets, const char *type, const char *name, const void *bytes,
                                size_t size) {
    if (!FILO_CHECK(assets != NULL && type != NULL && name != NULL && name[0] != '\0' &&
                        (bytes != NULL || size == 0),
                    "pass assets, a type, a name and the bytes"))
        return NONE;
    const AssetsKind *kind = assets_find_kind(assets, type);
    if (!FILO_CHECK(kind != NULL, "there are no assets of type \"%s\": register it first", type)) return NONE;
    void *copy = filo_alloc(assets->allocator, size + 1, 0);
    AssetsRecord *record = copy != NULL ? retain_or_create(assets, kind, name) : NULL;
    if (copy != NULL && size > 0) memcpy(copy, bytes, size);
    assets_lock(assets);
    bool start = record != NULL && !record->loading;
    if (start) {
        record->bytes = copy;
        record->bytes_size = size;
        (void)begin_load(record, decode_bytes);
        filo_jobs_run(assets->jobs, &record->job);
    }
    assets_unlock(assets);
    if (!start) filo_free(assets->allocator, copy, size + 1, 0);
    if (record != NULL && !start) decode_now(record, kind, bytes, size);
    return record != NULL ? record->handle : NONE;
}

// ---- Data of the program --------------------------------------------------------------------------------

FiloAsset filo_assets_add(FiloAssets *assets, const char *type, const char *name, void *data) {
    if (!FILO_CHECK(type != NULL && name != NULL && name[0] != '\0' && data != NULL,
                    "pass a type, a name and the data"))
        return NONE;
    const AssetsKind *kind = assets_find_kind(assets, type);
    if (!FILO_CHECK(kind != NULL, "there are no assets of type \"%s\": register it first", type)) return NONE;
    // Reserve memory for the data that is replaced, which stays valid until the next update.
    AssetsRecord *record = filo_array_reserve(&assets->retired, assets->retired.count + 1)
                               ? retain_or_create(assets, kind, name)
                               : NULL;
    if (record == NULL) {
        assets_free_data(assets, kind, data);
        return NONE;
    }
    (void)assets_publish(record, kind, data);
    return record->handle;
}
