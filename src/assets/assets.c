// The asset system: creation, the table of assets, and queries. assets.h explains the structure.

#include <filo/check.h>
#include <filo/log.h>
#include <filo/sheet.h>

#include "assets/assets.h"

#include <string.h>

// ---- Creating -------------------------------------------------------------------------------------------

static bool is_folder(const char *path) {
    FiloFileInfo info;
    return filo_file_info(&info, path).code == FILO_OK && info.kind == FILO_FILE_FOLDER;
}

// The folder of the description; or "assets" beside the program; or, if that does not exist, in the current folder.
static FiloResult find_folder(FiloAssets *assets, const char *folder) {
    if (folder != NULL) {
        FiloResult r = filo_path_absolute(assets->folder, sizeof assets->folder, folder);
        if (r.code == FILO_OK && !is_folder(folder))
            filo_log_warn("assets", "there is no folder %s: set `folder` to that of the assets",
                          assets->folder);
        return r;
    }
    char beside[FILO_PATH_SIZE];
    FiloResult result = filo_path_standard(beside, sizeof beside, FILO_FOLDER_EXECUTABLE, "assets");
    if (result.code == FILO_OK && is_folder(beside))
        return filo_path_absolute(assets->folder, sizeof assets->folder, beside);
    assets->folder_is_default = true;
    return filo_path_absolute(assets->folder, sizeof assets->folder, "assets");
}

// The order is that of ASSETS_KIND_….
static FiloResult register_types(FiloAssets *assets) {
    const FiloAssetType types[] = { assets_image_type(), assets_sheet_type(),  assets_json_type(),
                                    assets_text_type(),  assets_shader_type(), assets_grey_type() };
    _Static_assert(FILO_COUNT_OF(types) == ASSETS_KINDS_BUILTIN, "see assets.h");
    FiloResult result = filo_ok();
    for (size_t i = 0; i < FILO_COUNT_OF(types) && result.code == FILO_OK; i++)
        result = filo_assets_register(assets, &types[i]);
    return result;
}

// A debug build does not warn about declared events without a handler.
static FiloResult declare_events(FiloEvents *events) {
    static const char *const names[] = { FILO_EVENT_ASSET_READY, FILO_EVENT_ASSET_FAILED,
                                         FILO_EVENT_ASSET_RELOADED };
    FiloResult result = filo_ok();
    for (size_t i = 0; events != NULL && i < FILO_COUNT_OF(names) && result.code == FILO_OK; i++)
        result = filo_events_declare(events, filo_name(names[i]), FILO_TYPE(FiloAssetEvent));
    return result;
}

FiloResult filo_assets_create(FiloAssets **assets, const FiloAssetsDesc *desc) {
    if (assets == NULL) return FILO_MISTAKE("pass where to put the assets");
    *assets = NULL;
    if (desc == NULL || desc->jobs == NULL)
        return FILO_MISTAKE("assets need a scheduler: set jobs in FiloAssetsDesc");
    FiloAssets *made = filo_alloc_zero(desc->allocator, sizeof *made, FILO_CACHE_LINE);
    if (made == NULL) return filo_error(FILO_ERROR_MEMORY, "assets: no memory");
    made->jobs = desc->jobs;
    made->events = desc->events;
    made->allocator = desc->allocator;
    filo_mutex_init(&made->lock);
    filo_mutex_init(&made->sheet_cache_lock);
    filo_map_init(&made->sheet_cache, sizeof(FiloSheet *), desc->allocator);
    filo_array_init(&made->loading, desc->allocator);
    filo_array_init(&made->retired, desc->allocator);
    filo_array_init(&made->groups, desc->allocator);
    FiloResult result = find_folder(made, desc->folder);
    if (result.code == FILO_OK) result = register_types(made);
    if (result.code == FILO_OK) result = declare_events(made->events);
    if (result.code != FILO_OK) {
        filo_assets_destroy(made);
        return result;
    }
    made->folder_length = strlen(made->folder);
    if (desc->watch) assets_watch_start(made);
    *assets = made;
    return filo_ok();
}

// ---- Destroying -----------------------------------------------------------------------------------------

// Cancels reads, and waits for decoders.
static void stop_loads(FiloAssets *assets) {
    assets_lock(assets);
    filo_array_each (&assets->loading, item) {
        base_store_relaxed(&(*item)->discard, true);
        filo_async_cancel(assets->jobs, (*item)->request);
    }
    // A decoder that is still running may add loads (filo_assets_depend) to the end of the list.
    while (assets->loading.count > 0) {
        AssetsRecord *record = assets->loading.items[--assets->loading.count];
        assets_unlock(assets);
        base_store_relaxed(&record->discard, true);
        filo_jobs_wait(assets->jobs, &record->job);
        filo_async_release(assets->jobs, record->request);
        assets_free_data(assets, record->loaded_kind, record->loaded);
        record->loaded = NULL;
        assets_lock(assets);
    }
    assets_unlock(assets);
}

void filo_assets_destroy(FiloAssets *assets) {
    if (assets == NULL) return;
    if (!FILO_CHECK(assets_on_main(assets), "destroy the assets on the main thread")) return;
    stop_loads(assets);
    filo_file_watch_destroy(assets->watch);
    while (assets->last != NULL) { // dependents first: most were created after their dependencies
        AssetsRecord *record = assets->last;
        assets_lock(assets);
        assets_unlink_record(record);
        assets_unlock(assets);
        assets_free_record(record);
    }
    filo_array_each (&assets->retired, retired) assets_free_data(assets, retired->kind, retired->data);
    filo_array_each (&assets->groups, group) filo_array_deinit(&group->assets);
    filo_array_deinit(&assets->retired);
    filo_array_deinit(&assets->groups);
    filo_array_deinit(&assets->loading);
    for (size_t i = 0; i < ASSETS_PAGES; i++) {
        AssetsSlot *page = base_load_relaxed(&assets->pages[i]);
        if (page != NULL) filo_free(assets->allocator, page, ASSETS_PAGE * sizeof *page, 0);
    }
    assets_free_sheet_cache(assets);
    filo_mutex_deinit(&assets->sheet_cache_lock);
    filo_mutex_deinit(&assets->lock);
    filo_free(assets->allocator, assets, sizeof *assets, FILO_CACHE_LINE);
}

// ---- The table ------------------------------------------------------------------------------------------

// NULL if its page does not exist.
static AssetsSlot *find_slot(const FiloAssets *assets, FiloName name) {
    if (name.id >= FILO_NAME_LIMIT) return NULL;
    // Acquire: pairs with the release in make_slot; the page must be seen zeroed.
    AssetsSlot *page = base_load_acquire(&assets->pages[name.id / ASSETS_PAGE]);
    return page != NULL ? &page[name.id % ASSETS_PAGE] : NULL;
}

static AssetsSlot *make_slot(FiloAssets *assets, FiloName name) {
    if (name.id == 0 || name.id >= FILO_NAME_LIMIT) return NULL;
    AssetsSlot *slot = find_slot(assets, name);
    if (slot != NULL) return slot;
    AssetsSlot *page = filo_alloc_zero(assets->allocator, ASSETS_PAGE * sizeof *page, 0);
    if (page == NULL) return NULL;
    // Release: pairs with the acquire in find_slot.
    base_store_release(&assets->pages[name.id / ASSETS_PAGE], page);
    return &page[name.id % ASSETS_PAGE];
}

static uint32_t generation_of(FiloAsset asset) { return asset.id >> ASSETS_NAME_BITS; }
static FiloName name_of(FiloAsset asset) { return (FiloName){ asset.id & (FILO_NAME_LIMIT - 1) }; }

// The state of a handle. Sets its slot.
static FiloAssetState find_state(const FiloAssets *assets, FiloAsset asset, AssetsSlot **slot) {
    if (asset.id != 0 && !FILO_CHECK(assets != NULL, "pass assets")) return FILO_ASSET_NONE;
    *slot = asset.id != 0 ? find_slot(assets, name_of(asset)) : NULL;
    if (*slot == NULL) return FILO_ASSET_NONE;
    // Acquire: pairs with the release in assets_set_state, so that the record behind the word is seen.
    uint32_t word = base_load_acquire(&(*slot)->word);
    return word / 4 == generation_of(asset) ? (FiloAssetState)(word % 4) : FILO_ASSET_NONE;
}

AssetsRecord *assets_record(const FiloAssets *assets, FiloAsset asset) {
    AssetsSlot *slot;
    return find_state(assets, asset, &slot) != FILO_ASSET_NONE ? base_load_relaxed(&slot->record) : NULL;
}

FiloAssetState assets_record_state(const AssetsRecord *record) {
    AssetsSlot *slot;
    return find_state(record->assets, record->handle, &slot);
}

void assets_set_state(AssetsRecord *record, FiloAssetState state) {
    AssetsSlot *slot = find_slot(record->assets, record->name);
    // Release: pairs with the acquire in find_state.
    base_store_release(&slot->word, generation_of(record->handle) * 4 + (uint32_t)state);
}

AssetsRecord *assets_create_record(FiloAssets *assets, FiloName name, const AssetsKind *kind) {
    AssetsSlot *slot = make_slot(assets, name);
    if (slot == NULL) return NULL;
    // The list of loads has capacity for every asset, so that starting a load cannot fail there.
    if (assets->loading.capacity <= assets->count &&
        !filo_array_reserve(&assets->loading, 2 * assets->count + 16))
        return NULL;
    AssetsRecord *record = filo_alloc_zero(assets->allocator, sizeof *record, FILO_CACHE_LINE);
    if (record == NULL) return NULL;
    uint32_t generation = base_load_relaxed(&slot->word) / 4 + 1;
    if (generation >= 1u << (32 - ASSETS_NAME_BITS)) generation = 1;
    record->assets = assets;
    record->handle = (FiloAsset){ generation << ASSETS_NAME_BITS | name.id };
    record->name = name;
    record->kind = kind;
    record->references = 1;
    filo_array_init(&record->dependencies, assets->allocator);
    filo_array_init(&record->load_dependencies, assets->allocator);
    record->previous = assets->last;
    *(assets->last != NULL ? &assets->last->next : &assets->first) = record;
    assets->last = record;
    assets->count++;
    assets->last_fraction = 0;
    base_store_relaxed(&slot->record, record);
    assets_set_state(record, FILO_ASSET_LOADING);
    return record;
}

void assets_unlink_record(AssetsRecord *record) {
    FiloAssets *assets = record->assets;
    assets_set_state(record, FILO_ASSET_NONE);
    base_store_relaxed(&find_slot(assets, record->name)->record, NULL);
    *(record->previous != NULL ? &record->previous->next : &assets->first) = record->next;
    *(record->next != NULL ? &record->next->previous : &assets->last) = record->previous;
    assets->count--;
    assets->failed -= record->error.code != FILO_OK;
}

void assets_free_data(FiloAssets *assets, const AssetsKind *kind, void *data) {
    if (data != NULL && kind->type.free != NULL) kind->type.free(data, assets->allocator, kind->type.user);
}

void assets_free_record(AssetsRecord *record) {
    FiloAssets *assets = record->assets;
    const AssetsKind *kind = record->kind;
    if (record->uploaded && kind->type.release != NULL)
        kind->type.release(assets, record->handle, record->data, kind->upload_user);
    assets_free_data(assets, kind, record->data);
    assets_release_list(assets, &record->dependencies);
    assets_release_list(assets, &record->load_dependencies);
    filo_array_deinit(&record->dependencies);
    filo_array_deinit(&record->load_dependencies);
    filo_free(assets->allocator, record, sizeof *record, FILO_CACHE_LINE);
}

// ---- Queries --------------------------------------------------------------------------------------------

FiloAssetState filo_asset_state(const FiloAssets *assets, FiloAsset asset) {
    AssetsSlot *slot;
    return find_state(assets, asset, &slot);
}

static FiloAsset find_exact(const FiloAssets *assets, FiloName name) {
    const AssetsSlot *slot = name.id != 0 ? find_slot(assets, name) : NULL;
    if (slot == NULL) return (FiloAsset){ 0 };
    // Acquire: pairs with the release in assets_set_state, as in find_state.
    uint32_t word = base_load_acquire(&slot->word);
    if (word % 4 == FILO_ASSET_NONE) return (FiloAsset){ 0 };
    return (FiloAsset){ (word / 4) << ASSETS_NAME_BITS | name.id };
}

// "./x", "a//x", "a/./x", "a/../x": another spelling of a path.
static bool may_be_respelt(const char *path) {
    return strncmp(path, "./", 2) == 0 || strstr(path, "//") != NULL || strstr(path, "/.") != NULL;
}

FiloAsset filo_assets_find(const FiloAssets *assets, FiloName name) {
    if (!FILO_CHECK(assets != NULL, "pass assets")) return (FiloAsset){ 0 };
    FiloAsset found = find_exact(assets, name);
    if (found.id != 0 || name.id == 0 || name.id >= FILO_NAME_LIMIT) return found;
    if (!may_be_respelt(filo_name_text(name))) return found;
    char path[FILO_PATH_SIZE];
    if (!filo_path_normalise(path, sizeof path, filo_name_text(name))) return found;
    return find_exact(assets, filo_name_find(filo_string(path)));
}

const void *filo_asset_data(const FiloAssets *assets, FiloAsset asset) {
    const AssetsRecord *record = assets_record(assets, asset);
    if (record == NULL) return NULL;
    return record->data != NULL ? record->data : record->kind->type.placeholder;
}

const char *filo_asset_name(const FiloAssets *assets, FiloAsset asset) {
    const AssetsRecord *record = assets_record(assets, asset);
    return record != NULL ? filo_name_text(record->name) : "";
}

const char *filo_asset_type(const FiloAssets *assets, FiloAsset asset) {
    const AssetsRecord *record = assets_record(assets, asset);
    return record != NULL ? record->kind->type.name : "";
}

uint32_t filo_asset_version(const FiloAssets *assets, FiloAsset asset) {
    const AssetsRecord *record = assets_record(assets, asset);
    return record != NULL ? record->version : 0;
}

const FiloResult *filo_asset_error(const FiloAssets *assets, FiloAsset asset) {
    static const FiloResult none = { FILO_OK, "" };
    const AssetsRecord *record = assets_record(assets, asset);
    return record != NULL ? &record->error : &none;
}

uint32_t filo_asset_reference_count(const FiloAssets *assets, FiloAsset asset) {
    if (!FILO_CHECK(assets != NULL, "pass assets")) return 0;
    assets_lock(assets);
    const AssetsRecord *record = assets_record(assets, asset);
    uint32_t references = record != NULL ? record->references : 0;
    assets_unlock(assets);
    return references;
}

FiloAssetsStats filo_assets_stats(const FiloAssets *assets) {
    if (!FILO_CHECK(assets != NULL, "pass assets")) return (FiloAssetsStats){ 0 };
    FiloAssetsStats stats = { 0 };
    assets_lock(assets);
    for (const AssetsRecord *record = assets->first; record != NULL; record = record->next) {
        FiloAssetState state = assets_record_state(record);
        stats.loaded += state == FILO_ASSET_READY;
        stats.loading += state == FILO_ASSET_LOADING;
        stats.failed += state == FILO_ASSET_FAILED;
        stats.memory += record->size;
    }
    assets_unlock(assets);
    return stats;
}

FiloAsset filo_assets_failed_at(const FiloAssets *assets, size_t n) {
    if (!FILO_CHECK(assets != NULL, "pass assets")) return (FiloAsset){ 0 };
    if (n >= assets->failed) return (FiloAsset){ 0 };
    assets_lock(assets);
    const AssetsRecord *record = assets->first;
    while (record != NULL && (record->error.code == FILO_OK || n-- > 0)) record = record->next;
    FiloAsset found = record != NULL ? record->handle : (FiloAsset){ 0 };
    assets_unlock(assets);
    return found;
}

const char *filo_assets_folder(const FiloAssets *assets) {
    return FILO_CHECK(assets != NULL, "pass assets") ? assets->folder : "";
}
FiloJobs *filo_assets_jobs(const FiloAssets *assets) {
    return FILO_CHECK(assets != NULL, "pass assets") ? assets->jobs : NULL;
}
const FiloAllocator *filo_assets_allocator(const FiloAssets *assets) {
    return FILO_CHECK(assets != NULL, "pass assets") ? assets->allocator : NULL;
}

bool assets_on_main(const FiloAssets *assets) { return filo_jobs_worker(assets->jobs) == 0; }
