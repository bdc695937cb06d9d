// Taking a type of assets away, with all assets of that type.
//
// Decoders look types up on any thread. So nothing is changed before every load has come as far as it gets
// without the main thread; only the main thread and decoders begin loads.

#include <filo/check.h>

#include "assets/assets.h"

// Calls off the loads of a type.
static void call_off(FiloAssets *assets, const AssetKind *kind) {
    filo_mutex_lock(&assets->lock);
    filo_array_each (&assets->loading, place) {
        AssetRecord *record = *place;
        if (record->kind != kind || record->cancelled) continue;
        record->cancelled = true;
        base_store_relaxed(&record->unwanted, true);
        filo_async_cancel(assets->jobs, record->request);
    }
    filo_mutex_unlock(&assets->lock);
}

// A load whose file is being read or decoded; NULL if there is none.
static AssetRecord *find_running(FiloAssets *assets) {
    AssetRecord *running = NULL;
    filo_mutex_lock(&assets->lock);
    for (size_t i = 0; i < assets->loading.count && running == NULL; i++)
        if (!filo_job_finished(&assets->loading.items[i]->job)) running = assets->loading.items[i];
    filo_mutex_unlock(&assets->lock);
    return running;
}

// Takes the last asset of a type out of the lists; NULL if there is none.
static AssetRecord *take_last(FiloAssets *assets, const AssetKind *kind) {
    filo_mutex_lock(&assets->lock);
    AssetRecord *record = assets->last; // what depends on others was mostly asked for after them
    while (record != NULL && record->kind != kind) record = record->previous;
    if (record != NULL) {
        for (size_t i = assets->loading.count; i-- > 0;)
            if (assets->loading.items[i] == record) filo_array_remove(&assets->loading, i);
        assets_unlink(record);
    }
    filo_mutex_unlock(&assets->lock);
    return record;
}

static void free_all(FiloAssets *assets, const AssetKind *kind) {
    AssetRecord *record;
    while ((record = take_last(assets, kind)) != NULL) {
        if (record->loading) {
            filo_async_release(assets->jobs, record->request);
            assets_free_data(assets, record->loaded_kind, record->loaded);
        }
        assets_free(record);
    }
    for (size_t i = assets->retired.count; i-- > 0;) {
        AssetsRetiredData retired = assets->retired.items[i];
        if (retired.kind != kind) continue;
        filo_array_remove(&assets->retired, i);
        assets_free_data(assets, kind, retired.data);
    }
}

FiloResult filo_assets_unregister(FiloAssets *assets, const char *type) {
    if (assets == NULL || type == NULL) return FILO_MISTAKE("pass assets, and the name of a type");
    AssetKind *kind = (AssetKind *)assets_asset_kind(assets, type);
    if (kind == NULL) return filo_error(FILO_ERROR_NOT_FOUND, "there are no assets of type \"%s\"", type);
    if (!FILO_CHECK(assets_on_main(assets) && !assets->updating,
                    "take types of assets away on the main thread, outside of updates") ||
        !FILO_CHECK((size_t)(kind - assets->kinds) >= ASSET_KINDS_OWN,
                    "assets of type \"%s\" are Filo's own, and stay", type))
        return filo_error(FILO_ERROR_ARGUMENT, "assets of type \"%s\" cannot be taken away here", type);
    call_off(assets, kind);
    AssetRecord *running;
    while ((running = find_running(assets)) != NULL) filo_jobs_wait(assets->jobs, &running->job);
    free_all(assets, kind);
    *kind = (AssetKind){ 0 };
    return filo_ok();
}
