// What happens on the main thread: finishing what was decoded, freeing what is not used, waiting.

#include <filo/check.h>
#include <filo/log.h>
#include <filo/time.h>

#include "assets/assets.h"
#include "base/account.h"

// ---- Ready and failed -----------------------------------------------------------------------------------

static void tell(AssetRecord *record, const char *event) {
    FiloEvents *events = record->assets->events;
    if (events == NULL) return;
    FiloAssetEvent payload = { record->handle.id, record->name, record->version };
    if (!filo_events_emit(events, filo_name(event), FILO_TYPE(FiloAssetEvent), &payload))
        filo_log_warn("assets", "%s: the event \"%s\" is lost", filo_name_text(record->name), event);
}

static void set_error(AssetRecord *record, const FiloResult *result) {
    record->assets->failed -= record->error.code != FILO_OK;
    record->error = *result;
    record->assets->failed += record->error.code != FILO_OK;
}

void assets_fail(AssetRecord *record, const FiloResult *result) {
    set_error(record, result);
    if (result->code == FILO_ERROR_MEMORY)
        base_note_refusal(result->message); // a library may not have reported it
    if (record->data == NULL) assets_set_state(record, FILO_ASSET_FAILED);
    filo_log_warn("assets", record->data == NULL ? "%s" : "%s; the last good version stays", result->message);
    tell(record, FILO_EVENT_ASSET_FAILED);
}

// Whatever needs this asset is made again, from its new data.
static void reload_dependents(FiloAssets *assets, FiloAsset changed) {
    filo_mutex_lock(&assets->lock);
    AssetRecord *record = assets->first;
    while (record != NULL) {
        bool depends = false;
        filo_array_each (&record->kept, asset) depends |= asset->id == changed.id;
        filo_array_each (&record->tried, asset) depends |= asset->id == changed.id;
        filo_mutex_unlock(&assets->lock);
        if (depends) assets_reload(record);
        filo_mutex_lock(&assets->lock);
        record = record->next;
    }
    filo_mutex_unlock(&assets->lock);
}

// The data that is replaced: in an update nobody may hold it any more; outside, it is freed by the next one.
static void retire(FiloAssets *assets, const AssetKind *kind, void *data) {
    if (data == NULL) return;
    if (assets->updating || !filo_array_push(&assets->retired, (AssetsRetiredData){ kind, data }))
        assets_free_data(assets, kind, data);
}

bool assets_publish(AssetRecord *record, const AssetKind *kind, void *data) {
    FiloAssets *assets = record->assets;
    const FiloAssetType *type = &kind->type;
    void *old = record->kind == kind ? record->data : NULL;
    FiloResult result = filo_ok();
    if (type->finish != NULL) result = type->finish(assets, record->handle, data, type->user);
    if (result.code == FILO_OK && type->upload != NULL)
        result = type->upload(assets, record->handle, data, record->uploaded ? old : NULL, kind->upload_user);
    if (result.code != FILO_OK) {
        assets_free_data(assets, kind, data);
        assets_fail(record, &result);
        return false;
    }
    if (record->kind != kind && record->uploaded && record->kind->type.release != NULL)
        record->kind->type.release(assets, record->handle, record->data, record->kind->upload_user);
    retire(assets, record->kind, record->data);
    bool settled = assets_asset_record_state(record) != FILO_ASSET_LOADING;
    record->kind = kind;
    record->data = data;
    record->size = type->size != NULL ? type->size(data, type->user) : 0;
    record->uploaded = type->upload != NULL;
    record->version++;
    set_error(record, &result);
    assets_set_state(record, FILO_ASSET_READY);
    tell(record, record->version == 1 ? FILO_EVENT_ASSET_READY : FILO_EVENT_ASSET_RELOADED);
    if (settled) reload_dependents(assets, record->handle);
    return true;
}

// ---- Dependencies ---------------------------------------------------------------------------------------

// Whether `target` is reached from what `record` depends on. Every asset is visited once, by its mark. Lock.
static bool leads_to(FiloAssets *assets, AssetRecord *record, const AssetRecord *target, int depth) {
    if (record->mark == assets->walk) return false;
    record->mark = assets->walk;
    AssetList *lists[] = { &record->kept, &record->tried };
    for (size_t i = 0; i < FILO_COUNT_OF(lists); i++)
        filo_array_each (lists[i], asset) {
            AssetRecord *next = assets_asset_record(assets, *asset);
            if (next == target || depth == 0) return true;
            if (next != NULL && leads_to(assets, next, target, depth - 1)) return true;
        }
    return false;
}

typedef enum Readiness { NOT_YET, SETTLED, BROKEN } Readiness;

// What an asset depends on: some not yet loaded, all ready, or something that never will be. Lock.
static Readiness look_at_dependencies(FiloAssets *assets, AssetRecord *record) {
    if (record->result.code != FILO_OK || record->tried.count == 0) return SETTLED;
    if (!record->checked) {
        record->checked = true;
        assets->walk++;
        if (leads_to(assets, record, record, 1000)) {
            record->circular = true;
            record->result =
                filo_error(FILO_ERROR_DATA, "%s: depends on itself", filo_name_text(record->name));
            return BROKEN;
        }
    }
    Readiness readiness = SETTLED;
    filo_array_each (&record->tried, asset) {
        FiloAssetState state = filo_asset_state(assets, *asset);
        if (state == FILO_ASSET_LOADING) readiness = NOT_YET;
        if (state == FILO_ASSET_READY || state == FILO_ASSET_LOADING) continue;
        record->result = filo_error(FILO_ERROR_DATA, "%s: needs %s, which could not be loaded",
                                    filo_name_text(record->name), filo_asset_name(assets, *asset));
        return BROKEN;
    }
    return readiness;
}

// ---- Finishing ------------------------------------------------------------------------------------------

// Takes the next load that is over from the list, from `*at` on; NULL if there is none.
static AssetRecord *take_decoded(FiloAssets *assets, size_t *at) {
    AssetRecord *found = NULL;
    filo_mutex_lock(&assets->lock);
    while (found == NULL && *at < assets->loading.count) {
        AssetRecord *record = assets->loading.items[*at];
        bool over = filo_job_finished(&record->job);
        if (over &&
            (base_load_relaxed(&record->unwanted) || look_at_dependencies(assets, record) != NOT_YET)) {
            found =
                record; // `loading` stays set until end_load, so that no other thread starts a second load
            filo_array_remove(&assets->loading, *at);
        } else {
            (*at)++;
        }
    }
    filo_mutex_unlock(&assets->lock);
    return found;
}

static void swap_lists(AssetList *a, AssetList *b) {
    AssetList other = *a;
    *a = *b;
    *b = other;
}

// The load is over. True if it is to be loaded again.
static bool end_load(FiloAssets *assets, AssetRecord *record, bool unwanted) {
    filo_mutex_lock(&assets->lock);
    record->loading = false;
    // An asset that was asked for once more after all, while its load was being called off.
    bool revived = unwanted && !record->made && record->uses > 0;
    bool again = record->again || revived;
    filo_mutex_unlock(&assets->lock);
    return again;
}

// True if it became ready.
static bool finish(FiloAssets *assets, AssetRecord *record) {
    filo_async_release(assets->jobs, record->request);
    record->request = (FiloRequest){ 0 };
    void *loaded = record->loaded;
    record->loaded = NULL;
    bool unwanted = base_load_relaxed(&record->unwanted), ready = false;
    if (unwanted || record->result.code != FILO_OK) {
        assets_free_data(assets, record->loaded_kind, loaded);
        // What else failed keeps them, to be loaded again with them; but a circle would never be freed.
        if (unwanted || record->circular) assets_asset_list_release(assets, &record->tried);
        if (!unwanted) {
            if (record->data == NULL) record->kind = record->loaded_kind; // for its stand-in
            assets_fail(record, &record->result);
        }
    } else if (assets_publish(record, record->loaded_kind, loaded)) {
        swap_lists(&record->kept, &record->tried);
        assets_asset_list_release(assets, &record->tried);
        ready = true;
    }
    if (end_load(assets, record, unwanted)) assets_reload(record);
    return ready;
}

// ---- Freeing --------------------------------------------------------------------------------------------

// Takes an asset that nobody uses out of the lists; NULL if there is none. Those that are being loaded are
// called off, and looked at again later.
static AssetRecord *take_unused(FiloAssets *assets, bool *waiting) {
    AssetRecord *record = assets->first;
    while (record != NULL) {
        if (record->uses == 0) {
            if (!record->loading) break;
            base_store_relaxed(&record->unwanted, true);
            *waiting = true;
        }
        record = record->next;
    }
    if (record != NULL) assets_unlink(record);
    return record;
}

static void cancel_unused(FiloAssets *assets) {
    filo_array_each (&assets->loading, place) {
        AssetRecord *record = *place;
        if (record->uses > 0 || record->cancelled) continue;
        record->cancelled = true;
        FiloRequest request = record->request;
        filo_async_cancel(assets->jobs, request);
    }
}

static void sweep(FiloAssets *assets) {
    filo_mutex_lock(&assets->lock);
    while (assets->sweep) {
        bool waiting = false;
        assets->sweep = false;
        AssetRecord *record;
        while ((record = take_unused(assets, &waiting)) != NULL) {
            filo_mutex_unlock(&assets->lock);
            assets_free(record); // and lets go of what it depends on
            filo_mutex_lock(&assets->lock);
        }
        if (assets->sweep) continue;
        if (waiting) cancel_unused(assets);
        assets->sweep = waiting;
        break;
    }
    filo_mutex_unlock(&assets->lock);
}

static void free_retired(FiloAssets *assets) {
    filo_array_each (&assets->retired, retired) assets_free_data(assets, retired->kind, retired->data);
    filo_array_clear(&assets->retired);
}

// ---- Updating -------------------------------------------------------------------------------------------

static size_t finish_decoded(FiloAssets *assets, int64_t budget_ns) {
    int64_t end = budget_ns > 0 ? filo_time_ns() + budget_ns : INT64_MAX;
    size_t ready = 0, ready_before;
    do { // again, as long as something may have become ready that others were waiting for
        ready_before = ready;
        AssetRecord *record;
        for (size_t at = 0; (record = take_decoded(assets, &at)) != NULL;) {
            ready += finish(assets, record);
            if (end != INT64_MAX && filo_time_ns() >= end) return ready;
        }
    } while (ready != ready_before);
    return ready;
}

size_t filo_assets_update(FiloAssets *assets, int64_t budget_ns) {
    if (!FILO_CHECK(assets != NULL, "pass assets")) return 0;
    if (!FILO_CHECK(assets_on_main(assets), "update the assets on the main thread") ||
        !FILO_CHECK(!assets->updating, "the assets are being updated: do not update or wait in an upload"))
        return 0;
    assets->updating = true;
    free_retired(assets);
    sweep(assets);
    if (assets->watch != NULL) assets_watch_poll(assets);
    if (filo_jobs_threads(assets->jobs) == 1) filo_jobs_run_pinned(assets->jobs);
    size_t ready = finish_decoded(assets, budget_ns);
    assets->updating = false;
    return ready;
}

// ---- Waiting --------------------------------------------------------------------------------------------

// Something that must be read or decoded before `record` can be ready; NULL if main alone can go on. Lock.
static AssetRecord *find_blocker(FiloAssets *assets, AssetRecord *record, int depth) {
    if (record == NULL || !record->loading || depth == 0) return NULL;
    if (!filo_job_finished(&record->job)) return record;
    filo_array_each (&record->tried, asset) {
        AssetRecord *blocker = find_blocker(assets, assets_asset_record(assets, *asset), depth - 1);
        if (blocker != NULL) return blocker;
    }
    return NULL;
}

static void wait_once(FiloAssets *assets, AssetRecord *record) {
    filo_mutex_lock(&assets->lock);
    AssetRecord *blocker = find_blocker(assets, record, 1000);
    filo_mutex_unlock(&assets->lock);
    if (blocker != NULL) filo_jobs_wait(assets->jobs, &blocker->job);
    filo_assets_update(assets, 0);
}

static FiloResult check_may_wait(const FiloAssets *assets) {
    if (!assets_on_main(assets)) return FILO_MISTAKE("wait for assets on the main thread");
    if (assets->updating)
        return FILO_MISTAKE("the assets are being updated: do not update or wait in an upload");
    return filo_ok();
}

FiloResult filo_assets_wait(FiloAssets *assets, FiloAsset asset) {
    if (assets == NULL) return FILO_MISTAKE("pass assets");
    FiloResult mistake = check_may_wait(assets);
    if (mistake.code != FILO_OK) return mistake;
    filo_assets_update(assets, 0);
    while (filo_asset_state(assets, asset) == FILO_ASSET_LOADING)
        wait_once(assets, assets_asset_record(assets, asset));
    FiloAssetState state = filo_asset_state(assets, asset);
    if (state == FILO_ASSET_READY) return filo_ok();
    if (state == FILO_ASSET_NONE) return filo_error(FILO_ERROR_NOT_FOUND, "there is no such asset");
    return *filo_asset_error(assets, asset);
}

void filo_assets_wait_all(FiloAssets *assets) {
    if (!FILO_CHECK(assets != NULL, "pass assets")) return;
    if (check_may_wait(assets).code != FILO_OK) return;
    filo_assets_update(assets, 0);
    for (;;) {
        filo_mutex_lock(&assets->lock);
        AssetRecord *record = assets->loading.count > 0 ? assets->loading.items[0] : NULL;
        bool unused = assets->sweep;
        filo_mutex_unlock(&assets->lock);
        if (record == NULL && !unused) return;
        wait_once(assets, record); // without one, this frees what was called off
    }
}
