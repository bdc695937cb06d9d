// Making and freeing the asset system, its table of assets, and questions about one. The structure is explained
// in assets.h.

#include <filo/check.h>
#include <filo/log.h>
#include <filo/sheet.h>

#include "assets/assets.h"

#include <string.h>

// ---- Creating -------------------------------------------------------------------------------------------

// "assets" beside the program, unless it is only in the current folder.
static FiloResult find_folder(FiloAssets *assets, const char *folder) {
    if (folder != NULL) return filo_path_absolute(assets->folder, sizeof assets->folder, folder);
    char beside[FILO_PATH_SIZE];
    FiloResult result = filo_path_standard(beside, sizeof beside, FILO_FOLDER_EXECUTABLE, "assets");
    FiloFileInfo info;
    if (result.code == FILO_OK && filo_file_info(&info, beside).code == FILO_OK &&
        info.kind == FILO_FILE_FOLDER)
        return filo_path_absolute(assets->folder, sizeof assets->folder, beside);
    assets->folder_is_guessed = true;
    return filo_path_absolute(assets->folder, sizeof assets->folder, "assets");
}

// In the order that ASSET_KIND_… tells.
static FiloResult register_types(FiloAssets *assets) {
    const FiloAssetType types[] = { assets_image_asset_type(), assets_sheet_asset_type(),
                                    assets_json_asset_type(), assets_text_asset_type(),
                                    assets_shader_asset_type() };
    _Static_assert(FILO_COUNT_OF(types) == ASSET_KINDS_OWN, "as assets.h says");
    FiloResult result = filo_ok();
    for (size_t i = 0; i < FILO_COUNT_OF(types) && result.code == FILO_OK; i++)
        result = filo_assets_register(assets, &types[i]);
    return result;
}

// So that it is no surprise where a game does not handle them.
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
    filo_mutex_init(&made->sheets_lock);
    filo_map_init(&made->sheets, sizeof(FiloSheet *), desc->allocator);
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

// Calls off what has not been read yet, and waits for what is being decoded.
static void stop_loads(FiloAssets *assets) {
    filo_mutex_lock(&assets->lock);
    filo_array_each (&assets->loading, place) {
        base_store_relaxed(&(*place)->unwanted, true);
        filo_async_cancel(assets->jobs, (*place)->request);
    }
    // A decoder that is still running may ask for more (filo_assets_depend), which is then at the end of the
    // list; so the list is looked at anew each time.
    while (assets->loading.count > 0) {
        AssetRecord *record = assets->loading.items[--assets->loading.count];
        filo_mutex_unlock(&assets->lock);
        base_store_relaxed(&record->unwanted, true);
        filo_jobs_wait(assets->jobs, &record->job);
        filo_async_release(assets->jobs, record->request);
        assets_free_data(assets, record->loaded_kind, record->loaded);
        record->loaded = NULL;
        filo_mutex_lock(&assets->lock);
    }
    filo_mutex_unlock(&assets->lock);
}

void filo_assets_destroy(FiloAssets *assets) {
    if (assets == NULL) return;
    if (!FILO_CHECK(assets_on_main(assets), "destroy the assets on the main thread")) return;
    stop_loads(assets);
    filo_file_watch_destroy(assets->watch);
    while (assets->last != NULL) { // what depends on others was mostly asked for after them
        AssetRecord *record = assets->last;
        filo_mutex_lock(&assets->lock);
        assets_unlink(record);
        filo_mutex_unlock(&assets->lock);
        assets_free(record);
    }
    filo_array_each (&assets->retired, retired) assets_free_data(assets, retired->kind, retired->data);
    filo_array_each (&assets->groups, group) filo_array_deinit(&group->assets);
    filo_array_deinit(&assets->retired);
    filo_array_deinit(&assets->groups);
    filo_array_deinit(&assets->loading);
    for (size_t i = 0; i < ASSET_PAGES; i++) {
        AssetSlot *page = base_load_relaxed(&assets->pages[i]);
        if (page != NULL) filo_free(assets->allocator, page, ASSET_PAGE * sizeof *page, 0);
    }
    assets_free_sheets(assets);
    filo_mutex_deinit(&assets->sheets_lock);
    filo_mutex_deinit(&assets->lock);
    filo_free(assets->allocator, assets, sizeof *assets, FILO_CACHE_LINE);
}

// ---- The table ------------------------------------------------------------------------------------------

// NULL: its page is not there.
static AssetSlot *find_slot(const FiloAssets *assets, FiloName name) {
    if (name.id >= FILO_NAME_LIMIT) return NULL;
    // Acquire: pairs with the release in make_slot; whoever sees the page sees it zeroed.
    AssetSlot *page = base_load_acquire(&assets->pages[name.id / ASSET_PAGE]);
    return page != NULL ? &page[name.id % ASSET_PAGE] : NULL;
}

static AssetSlot *make_slot(FiloAssets *assets, FiloName name) {
    if (name.id == 0 || name.id >= FILO_NAME_LIMIT) return NULL;
    AssetSlot *slot = find_slot(assets, name);
    if (slot != NULL) return slot;
    AssetSlot *page = filo_alloc_zero(assets->allocator, ASSET_PAGE * sizeof *page, 0);
    if (page == NULL) return NULL;
    // Release: pairs with the acquire in find_slot.
    base_store_release(&assets->pages[name.id / ASSET_PAGE], page);
    return &page[name.id % ASSET_PAGE];
}

static uint32_t generation_of(FiloAsset asset) { return asset.id >> ASSET_NAME_BITS; }
static FiloName name_of(FiloAsset asset) { return (FiloName){ asset.id & (FILO_NAME_LIMIT - 1) }; }

// The state of a handle, and its slot.
static FiloAssetState look_up(const FiloAssets *assets, FiloAsset asset, AssetSlot **slot) {
    *slot = asset.id != 0 ? find_slot(assets, name_of(asset)) : NULL;
    if (*slot == NULL) return FILO_ASSET_NONE;
    // Acquire: pairs with the release in assets_set_state, so that the record behind the word is seen.
    uint32_t word = base_load_acquire(&(*slot)->word);
    return word / 4 == generation_of(asset) ? (FiloAssetState)(word % 4) : FILO_ASSET_NONE;
}

AssetRecord *assets_asset_record(const FiloAssets *assets, FiloAsset asset) {
    AssetSlot *slot;
    return look_up(assets, asset, &slot) != FILO_ASSET_NONE ? base_load_relaxed(&slot->record) : NULL;
}

FiloAssetState assets_asset_record_state(const AssetRecord *record) {
    AssetSlot *slot;
    return look_up(record->assets, record->handle, &slot);
}

void assets_set_state(AssetRecord *record, FiloAssetState state) {
    AssetSlot *slot = find_slot(record->assets, record->name);
    // Release: pairs with the acquire in look_up.
    base_store_release(&slot->word, generation_of(record->handle) * 4 + (uint32_t)state);
}

AssetRecord *assets_make(FiloAssets *assets, FiloName name, const AssetKind *kind) {
    AssetSlot *slot = make_slot(assets, name);
    if (slot == NULL) return NULL;
    // Room in the list of loads for every asset, so that starting a load cannot fail there.
    if (assets->loading.capacity <= assets->count &&
        !filo_array_reserve(&assets->loading, 2 * assets->count + 16))
        return NULL;
    AssetRecord *record = filo_alloc_zero(assets->allocator, sizeof *record, FILO_CACHE_LINE);
    if (record == NULL) return NULL;
    uint32_t generation = base_load_relaxed(&slot->word) / 4 + 1;
    if (generation >= 1u << (32 - ASSET_NAME_BITS)) generation = 1;
    record->assets = assets;
    record->handle = (FiloAsset){ generation << ASSET_NAME_BITS | name.id };
    record->name = name;
    record->kind = kind;
    record->uses = 1;
    filo_array_init(&record->kept, assets->allocator);
    filo_array_init(&record->tried, assets->allocator);
    record->previous = assets->last;
    *(assets->last != NULL ? &assets->last->next : &assets->first) = record;
    assets->last = record;
    assets->count++;
    assets->shown = 0;
    base_store_relaxed(&slot->record, record);
    assets_set_state(record, FILO_ASSET_LOADING);
    return record;
}

void assets_unlink(AssetRecord *record) {
    FiloAssets *assets = record->assets;
    assets_set_state(record, FILO_ASSET_NONE);
    base_store_relaxed(&find_slot(assets, record->name)->record, NULL);
    *(record->previous != NULL ? &record->previous->next : &assets->first) = record->next;
    *(record->next != NULL ? &record->next->previous : &assets->last) = record->previous;
    assets->count--;
    assets->failed -= record->error.code != FILO_OK;
}

void assets_free_data(FiloAssets *assets, const AssetKind *kind, void *data) {
    if (data != NULL && kind->type.free != NULL) kind->type.free(data, assets->allocator, kind->type.user);
}

void assets_free(AssetRecord *record) {
    FiloAssets *assets = record->assets;
    const AssetKind *kind = record->kind;
    if (record->uploaded && kind->type.release != NULL)
        kind->type.release(assets, record->handle, record->data, kind->upload_user);
    assets_free_data(assets, kind, record->data);
    assets_asset_list_release(assets, &record->kept);
    assets_asset_list_release(assets, &record->tried);
    filo_array_deinit(&record->kept);
    filo_array_deinit(&record->tried);
    filo_free(assets->allocator, record, sizeof *record, FILO_CACHE_LINE);
}

// ---- Questions ------------------------------------------------------------------------------------------

FiloAssetState filo_asset_state(const FiloAssets *assets, FiloAsset asset) {
    AssetSlot *slot;
    return look_up(assets, asset, &slot);
}

FiloAsset filo_assets_find(const FiloAssets *assets, FiloName name) {
    const AssetSlot *slot = name.id != 0 ? find_slot(assets, name) : NULL;
    if (slot == NULL) return (FiloAsset){ 0 };
    // Acquire: pairs with the release in assets_set_state, as in look_up.
    uint32_t word = base_load_acquire(&slot->word);
    if (word % 4 == FILO_ASSET_NONE) return (FiloAsset){ 0 };
    return (FiloAsset){ (word / 4) << ASSET_NAME_BITS | name.id };
}

const void *filo_asset_data(const FiloAssets *assets, FiloAsset asset) {
    const AssetRecord *record = assets_asset_record(assets, asset);
    if (record == NULL) return NULL;
    return record->data != NULL ? record->data : record->kind->type.placeholder;
}

const char *filo_asset_name(const FiloAssets *assets, FiloAsset asset) {
    const AssetRecord *record = assets_asset_record(assets, asset);
    return record != NULL ? filo_name_text(record->name) : "";
}

const char *filo_asset_type(const FiloAssets *assets, FiloAsset asset) {
    const AssetRecord *record = assets_asset_record(assets, asset);
    return record != NULL ? record->kind->type.name : "";
}

uint32_t filo_asset_version(const FiloAssets *assets, FiloAsset asset) {
    const AssetRecord *record = assets_asset_record(assets, asset);
    return record != NULL ? record->version : 0;
}

const FiloResult *filo_asset_error(const FiloAssets *assets, FiloAsset asset) {
    static const FiloResult none = { FILO_OK, "" };
    const AssetRecord *record = assets_asset_record(assets, asset);
    return record != NULL ? &record->error : &none;
}

uint32_t filo_asset_reference_count(const FiloAssets *assets, FiloAsset asset) {
    if (!FILO_CHECK(assets != NULL, "pass assets")) return 0;
    FiloAssets *changed = (FiloAssets *)assets; // only its lock
    filo_mutex_lock(&changed->lock);
    const AssetRecord *record = assets_asset_record(assets, asset);
    uint32_t uses = record != NULL ? record->uses : 0;
    filo_mutex_unlock(&changed->lock);
    return uses;
}

FiloAssetsStats filo_assets_stats(const FiloAssets *assets) {
    if (!FILO_CHECK(assets != NULL, "pass assets")) return (FiloAssetsStats){ 0 };
    FiloAssets *changed = (FiloAssets *)assets; // only its lock
    FiloAssetsStats stats = { 0 };
    filo_mutex_lock(&changed->lock);
    for (const AssetRecord *record = assets->first; record != NULL; record = record->next) {
        FiloAssetState state = assets_asset_record_state(record);
        stats.loaded += state == FILO_ASSET_READY;
        stats.loading += state == FILO_ASSET_LOADING;
        stats.failed += state == FILO_ASSET_FAILED;
        stats.memory += record->size;
    }
    filo_mutex_unlock(&changed->lock);
    return stats;
}

FiloAsset filo_assets_failed_at(const FiloAssets *assets, size_t n) {
    if (!FILO_CHECK(assets != NULL, "pass assets")) return (FiloAsset){ 0 };
    if (n >= assets->failed) return (FiloAsset){ 0 };
    FiloAssets *changed = (FiloAssets *)assets; // only its lock
    filo_mutex_lock(&changed->lock);
    const AssetRecord *record = assets->first;
    while (record != NULL && (record->error.code == FILO_OK || n-- > 0)) record = record->next;
    FiloAsset found = record != NULL ? record->handle : (FiloAsset){ 0 };
    filo_mutex_unlock(&changed->lock);
    return found;
}

const char *filo_assets_folder(const FiloAssets *assets) {
    if (!FILO_CHECK(assets != NULL, "pass assets")) return "";
    return assets->folder;
}
FiloJobs *filo_assets_jobs(const FiloAssets *assets) {
    if (!FILO_CHECK(assets != NULL, "pass assets")) return NULL;
    return assets->jobs;
}
const FiloAllocator *filo_assets_allocator(const FiloAssets *assets) {
    if (!FILO_CHECK(assets != NULL, "pass assets")) return NULL;
    return assets->allocator;
}

bool assets_on_main(const FiloAssets *assets) { return filo_jobs_worker(assets->jobs) == 0; }
