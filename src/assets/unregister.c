// Removing a type of assets, with all assets of that type.
//
// Decoders read the types on any thread. So nothing is changed before the jobs of all loads have finished; only the
// main thread and decoders start loads.

#include <filo/check.h>

#include "assets/assets.h"

static void cancel_loads(FiloAssets *assets, const AssetsKind *kind) {
    assets_lock(assets);
    filo_array_each (&assets->loading, item) {
        AssetsRecord *record = *item;
        if (record->kind != kind || record->cancelled) continue;
        record->cancelled = true;
        base_store_relaxed(&record->discard, true);
        filo_async_cancel(assets->jobs, record->request);
    }
    assets_unlock(assets);
}

// A load whose file is being read or decoded; NULL if there is none.
static AssetsRecord *find_running(FiloAssets *assets) {
    AssetsRecord *running = NULL;
    assets_lock(assets);
    for (size_t i = 0; i < assets->loading.count && running == NULL; i++)
        if (!filo_job_finished(&assets->loading.items[i]->job)) running = assets->loading.items[i];
    assets_unlock(assets);
    return running;
}

// Unlinks the last asset of a type; NULL if there is none.
static AssetsRecord *unlink_last(FiloAssets *assets, const AssetsKind *kind) {
    assets_lock(assets);
    AssetsRecord *record = assets->last; // dependents first: most were created after their dependencies
    while (record != NULL && record->kind != kind) record = record->previous;
    if (record != NULL) {
        for (size_t i = assets->loading.count; i-- > 0;)
            if (assets->loading.items[i] == record) filo_array_remove(&assets->loading, i);
        assets_unlink_record(record);
    }
    assets_unlock(assets);
    return record;
}

static void free_all(FiloAssets *assets, const AssetsKind *kind) {
    AssetsRecord *record;
    while ((record = unlink_last(assets, kind)) != NULL) {
        if (record->loading) {
            filo_async_release(assets->jobs, record->request);
            assets_free_data(assets, record->loaded_kind, record->loaded);
        }
        assets_free_record(record);
    }
    for (size_t i = assets->retired.count; i-- > 0;) {
        AssetsRetired retired = assets->retired.items[i];
        if (retired.kind != kind) continue;
        filo_array_remove(&assets->retired, i);
        assets_free_data(assets, kind, retired.data);
    }
}

FiloResult filo_assets_unregister(FiloAssets *assets, const char *type) {
    if (assets == NULL || type == NULL) return FILO_MISTAKE("pass assets, and the name of a type");
    AssetsKind *kind = (AssetsKind *)assets_find_kind(assets, type);
    if (kind == NULL) return filo_error(FILO_ERROR_NOT_FOUND, "there are no assets of type \"%s\"", type);
    if (!FILO_CHECK(assets_on_main(assets) && !assets->updating,
                    "unregister types of assets on the main thread, outside of updates") ||
        !FILO_CHECK((size_t)(kind - assets->kinds) >= ASSETS_KINDS_BUILTIN,
                    "assets of type \"%s\" are Filo's own, and stay", type))
        return filo_error(FILO_ERROR_ARGUMENT, "assets of type \"%s\" cannot be unregistered here", type);
    cancel_loads(assets, kind);
    AssetsRecord *running;
    while ((running = find_running(assets)) != NULL) filo_jobs_wait(assets->jobs, &running->job);
    free_all(assets, kind);
    *kind = (AssetsKind){ 0 };
    return filo_ok();
}
