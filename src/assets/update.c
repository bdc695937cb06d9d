// The work of the main thread: finishing loads, freeing unused assets, waiting.

#include <filo/check.h>
#include <filo/log.h>
#include <filo/profile.h>
#include <filo/time.h>

#include "assets/assets.h"
#include "base/account.h"

// ---- Ready and failed -----------------------------------------------------------------------------------

static void emit_event(AssetsRecord *record, const char *event) {
    FiloEvents *events = record->assets->events;
    if (events == NULL) return;
    FiloAssetEvent payload = { record->handle.id, record->name, record->version };
    const FiloEmission emission = {
        .event = filo_name(event), .type = FILO_TYPE(FiloAssetEvent), .payload = &payload, .transient = true
    }; // when it comes depends on the disk
    if (!filo_events_emit_with(events, &emission))
        filo_log_warn("assets", "%s: the event \"%s\" is lost", filo_name_text(record->name), event);
}

static void set_error(AssetsRecord *record, const FiloResult *result) {
    record->assets->failed -= record->error.code != FILO_OK;
    record->error = *result;
    record->assets->failed += record->error.code != FILO_OK;
}

void assets_fail(AssetsRecord *record, const FiloResult *result) {
    set_error(record, result);
    if (result->code == FILO_ERROR_MEMORY)
        base_count_out_of_memory(result->message); // a library may not have reported it
    if (record->data == NULL) assets_set_state(record, FILO_ASSET_FAILED);
    filo_log_warn("assets", record->data == NULL ? "%s" : "%s; the last good version stays", result->message);
    emit_event(record, FILO_EVENT_ASSET_FAILED);
}

// Reloads all assets that depend on this one.
static void reload_dependents(FiloAssets *assets, FiloAsset changed) {
    assets_lock(assets);
    AssetsRecord *record = assets->first;
    while (record != NULL) {
        bool depends = false;
        filo_array_each (&record->dependencies, asset) depends |= asset->id == changed.id;
        filo_array_each (&record->load_dependencies, asset) depends |= asset->id == changed.id;
        assets_unlock(assets);
        if (depends) assets_reload(record);
        assets_lock(assets);
        record = record->next;
    }
    assets_unlock(assets);
}

// Frees data that was replaced. Outside of an update it may still be in use, so the next update frees it.
static void retire(FiloAssets *assets, const AssetsKind *kind, void *data) {
    if (data == NULL) return;
    if (assets->updating || !filo_array_push(&assets->retired, (AssetsRetired){ kind, data }))
        assets_free_data(assets, kind, data);
}

bool assets_publish(AssetsRecord *record, const AssetsKind *kind, void *data) {
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
    bool reloaded = assets_record_state(record) != FILO_ASSET_LOADING;
    record->kind = kind;
    record->data = data;
    record->size = type->size != NULL ? type->size(data, type->user) : 0;
    record->uploaded = type->upload != NULL;
    record->version++;
    set_error(record, &result);
    assets_set_state(record, FILO_ASSET_READY);
    emit_event(record, record->version == 1 ? FILO_EVENT_ASSET_READY : FILO_EVENT_ASSET_RELOADED);
    if (reloaded) reload_dependents(assets, record->handle);
    return true;
}

// ---- Dependencies ---------------------------------------------------------------------------------------

// Whether `record` depends on `target`, directly or indirectly. Visits every asset once. Lock.
static bool depends_on(FiloAssets *assets, AssetsRecord *record, const AssetsRecord *target, int depth) {
    if (record->visit == assets->visit) return false;
    record->visit = assets->visit;
    AssetsList *lists[] = { &record->dependencies, &record->load_dependencies };
    for (size_t i = 0; i < FILO_COUNT_OF(lists); i++)
        filo_array_each (lists[i], asset) {
            AssetsRecord *next = assets_record(assets, *asset);
            if (next == target || depth == 0) return true;
            if (next != NULL && depends_on(assets, next, target, depth - 1)) return true;
        }
    return false;
}

// Whether the load must wait for a dependency. If one has failed, or there is a cycle, sets the result of the load.
// Lock.
static bool is_waiting(FiloAssets *assets, AssetsRecord *record) {
    if (record->result.code != FILO_OK || record->load_dependencies.count == 0) return false;
    if (!record->cycle_checked) {
        record->cycle_checked = true;
        assets->visit++;
        if (depends_on(assets, record, record, 1000)) {
            record->cyclic = true;
            record->result =
                filo_error(FILO_ERROR_DATA, "%s: depends on itself", filo_name_text(record->name));
            return false;
        }
    }
    bool waiting = false;
    filo_array_each (&record->load_dependencies, asset) {
        FiloAssetState state = filo_asset_state(assets, *asset);
        waiting |= state == FILO_ASSET_LOADING;
        if (state == FILO_ASSET_READY || state == FILO_ASSET_LOADING) continue;
        record->result = filo_error(FILO_ERROR_DATA, "%s: needs %s, which could not be loaded",
                                    filo_name_text(record->name), filo_asset_name(assets, *asset));
        return false;
    }
    return waiting;
}

// ---- Finishing ------------------------------------------------------------------------------------------

// Removes the next load that main can finish from the list, from `*index` on; NULL if there is none. record->loading
// stays set until end_load, so that no other thread starts a second load.
static AssetsRecord *pop_load(FiloAssets *assets, size_t *index) {
    AssetsRecord *found = NULL;
    assets_lock(assets);
    while (found == NULL && *index < assets->loading.count) {
        AssetsRecord *record = assets->loading.items[*index];
        if (filo_job_finished(&record->job) &&
            (base_load_relaxed(&record->discard) || !is_waiting(assets, record))) {
            found = record;
            filo_array_remove(&assets->loading, *index);
        } else {
            (*index)++;
        }
    }
    assets_unlock(assets);
    return found;
}

// Ends the load. True if the asset must be loaded again.
static bool end_load(FiloAssets *assets, AssetsRecord *record, bool discard) {
    assets_lock(assets);
    record->loading = false;
    // The asset may have been retained again after its load was cancelled.
    bool revived = discard && !record->added && record->references > 0;
    bool reload = record->reload || revived;
    assets_unlock(assets);
    return reload;
}

// True if the asset became ready.
static bool finish_load(FiloAssets *assets, AssetsRecord *record) {
    FiloZone zone;
    filo_profile_enter(&zone, filo_name_text(record->name));
    filo_async_release(assets->jobs, record->request);
    record->request = (FiloRequest){ 0 };
    void *loaded = record->loaded;
    record->loaded = NULL;
    bool discard = base_load_relaxed(&record->discard), ready = false;
    if (discard || record->result.code != FILO_OK) {
        assets_free_data(assets, record->loaded_kind, loaded);
        // A failed asset retains its dependencies, and is reloaded when they are. A cycle would never be freed.
        if (discard || record->cyclic) assets_release_list(assets, &record->load_dependencies);
        if (!discard) {
            if (record->data == NULL) record->kind = record->loaded_kind; // has the placeholder
            assets_fail(record, &record->result);
        }
    } else if (assets_publish(record, record->loaded_kind, loaded)) {
        AssetsList before = record->dependencies;
        record->dependencies = record->load_dependencies;
        record->load_dependencies = before;
        assets_release_list(assets, &record->load_dependencies);
        ready = true;
    }
    if (end_load(assets, record, discard)) assets_reload(record);
    filo_profile_leave(&zone);
    return ready;
}

// ---- Freeing --------------------------------------------------------------------------------------------

// Unlinks an asset without references; NULL if there is none. An asset that is being loaded cannot be freed yet: its
// result will be discarded, and `*loading` is set.
static AssetsRecord *unlink_unused(FiloAssets *assets, bool *loading) {
    AssetsRecord *record = assets->first;
    while (record != NULL) {
        if (record->references == 0) {
            if (!record->loading) break;
            base_store_relaxed(&record->discard, true);
            *loading = true;
        }
        record = record->next;
    }
    if (record != NULL) assets_unlink_record(record);
    return record;
}

static void cancel_unused(FiloAssets *assets) {
    filo_array_each (&assets->loading, item) {
        AssetsRecord *record = *item;
        if (record->references > 0 || record->cancelled) continue;
        record->cancelled = true;
        filo_async_cancel(assets->jobs, record->request);
    }
}

static void sweep(FiloAssets *assets) {
    assets_lock(assets);
    while (assets->needs_sweep) {
        bool loading = false;
        assets->needs_sweep = false;
        AssetsRecord *record;
        while ((record = unlink_unused(assets, &loading)) != NULL) {
            assets_unlock(assets);
            assets_free_record(record); // releases its dependencies, which may then be unused
            assets_lock(assets);
        }
        if (assets->needs_sweep) continue;
        if (loading) cancel_unused(assets);
        assets->needs_sweep = loading;
        break;
    }
    assets_unlock(assets);
}

// ---- Updating -------------------------------------------------------------------------------------------

static size_t finish_decoded(FiloAssets *assets, int64_t budget_ns) {
    int64_t end = budget_ns > 0 ? filo_time_ns() + budget_ns : INT64_MAX;
    size_t ready = 0, ready_before;
    do { // repeat while assets become ready, because others may depend on them
        ready_before = ready;
        AssetsRecord *record;
        for (size_t index = 0; (record = pop_load(assets, &index)) != NULL;) {
            ready += finish_load(assets, record);
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
    filo_array_each (&assets->retired, retired) assets_free_data(assets, retired->kind, retired->data);
    filo_array_clear(&assets->retired);
    sweep(assets);
    if (assets->watch != NULL) assets_watch_poll(assets);
    if (filo_jobs_threads(assets->jobs) == 1) filo_jobs_run_pinned(assets->jobs);
    size_t ready = finish_decoded(assets, budget_ns);
    assets->updating = false;
    return ready;
}

// ---- Waiting --------------------------------------------------------------------------------------------

// A load whose job must finish before `record` can be ready; NULL if there is none. Lock.
static AssetsRecord *find_blocker(FiloAssets *assets, AssetsRecord *record, int depth) {
    if (record == NULL || !record->loading || depth == 0) return NULL;
    if (!filo_job_finished(&record->job)) return record;
    filo_array_each (&record->load_dependencies, asset) {
        AssetsRecord *blocker = find_blocker(assets, assets_record(assets, *asset), depth - 1);
        if (blocker != NULL) return blocker;
    }
    return NULL;
}

static void wait_once(FiloAssets *assets, AssetsRecord *record) {
    assets_lock(assets);
    AssetsRecord *blocker = find_blocker(assets, record, 1000);
    assets_unlock(assets);
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
        wait_once(assets, assets_record(assets, asset));
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
        assets_lock(assets);
        AssetsRecord *record = assets->loading.count > 0 ? assets->loading.items[0] : NULL;
        bool unused = assets->needs_sweep;
        assets_unlock(assets);
        if (record == NULL && !unused) return;
        wait_once(assets, record); // without a record, this frees assets whose loads were cancelled
    }
}
