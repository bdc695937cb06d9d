// Computing one tile or square, as a job on a worker or on the calling thread.
//
// A work that is not needed any more is dropped: its job is told, and it is recycled when that has ended. So dropping never
// waits.

#include <filo/log.h>

#include "placement_world/placement_world.h"

#include <math.h>
#include <string.h>

// ---- In the job ---------------------------------------------------------------------------------------------------

// The index of the block of the placement that the area is in, which is that of all its cells.
static int32_t block_at(const FiloPlacementWorld *pw, uint32_t footprint, double lower) {
    double block = filo_placement_cell_size(pw->placement, footprint) * FILO_PLACEMENT_BLOCK;
    return (int32_t)floor(lower / block + 1e-6); // a bound is a multiple of the side, up to rounding
}

// Copies the objects into a block of memory, all relative to one origin.
static FiloResult make_block(PlacementWorldWork *work) {
    const FiloPlacementWorld *pw = work->owner;
    const FiloPlacementResult *from = &work->result;
    int32_t bx = block_at(pw, work->footprint, work->area.x0),
            by = block_at(pw, work->footprint, work->area.y0);
    size_t moved = 0;
    for (size_t i = 0; i < from->count; i++)
        moved += from->objects[i].block_x != (uint8_t)bx || from->objects[i].block_y != (uint8_t)by;
    size_t objects = from->count * sizeof(FiloPlaced);
    size_t size = sizeof(PlacementWorldBlock) + objects + moved * sizeof(PlacementWorldMoved);
    PlacementWorldBlock *block = filo_alloc(pw->allocator, size, _Alignof(PlacementWorldBlock));
    if (block == NULL)
        return filo_error(FILO_ERROR_MEMORY, "no memory for a tile of %zu objects", from->count);
    block->result = *from;
    block->size = size;
    FiloPlaced *to = block->result.objects = (FiloPlaced *)(block + 1);
    block->result.capacity = from->count;
    block->moved = (PlacementWorldMoved *)(void *)((uint8_t *)to + objects);
    block->moved_count = 0;
    if (objects > 0) memcpy(to, from->objects, objects);
    FiloPlacementPosition origin = filo_placement_origin(pw->placement, work->footprint, bx, by);
    for (size_t i = 0; moved > 0 && i < from->count; i++) {
        if (to[i].block_x == (uint8_t)bx && to[i].block_y == (uint8_t)by) continue;
        FiloPlacementPosition at = filo_placement_position(from, &to[i]);
        block->moved[block->moved_count++] = (PlacementWorldMoved){ i, to[i] };
        to[i].x = (float)(at.x - origin.x);
        to[i].y = (float)(at.y - origin.y);
        to[i].block_x = (uint8_t)bx;
        to[i].block_y = (uint8_t)by;
    }
    work->block = block;
    return filo_ok();
}

// Lists the objects of layers that become entities.
static FiloResult list_objects(PlacementWorldWork *work) {
    const FiloPlacementWorld *pw = work->owner;
    const FiloPlacementResult *result = &work->result;
    for (size_t i = 0; i < result->count; i++) {
        const FiloPlaced *placed = &result->objects[i];
        if (pw->maker_of[placed->layer] < 0) continue;
        FiloPlacementPosition at = filo_placement_position(result, placed);
        if (!filo_array_push(&work->objects,
                             (FiloPlacementObject){ .id = filo_placement_id(result, placed),
                                                    .layer = placed->layer,
                                                    .x = at.x,
                                                    .y = at.y,
                                                    .z = at.z,
                                                    .variant = filo_placement_variant(result, placed) }))
            return filo_error(FILO_ERROR_MEMORY, "no memory for the objects of a square");
    }
    return filo_ok();
}

static FiloResult compute(PlacementWorldWork *work) {
    const FiloPlacementWorld *pw = work->owner;
    FiloResult r = placement_world_paint(work);
    if (r.code != FILO_OK) return r;
    r = filo_placement_compute(pw->placement,
                               &(FiloPlacementRequest){ .area = work->area,
                                                        .footprints = 1u << work->footprint,
                                                        .edits = { .clearings = work->clearings.items,
                                                                   .clearing_count = work->clearings.count,
                                                                   .pins = work->pins.items,
                                                                   .pin_count = work->pins.count },
                                                        .windows = work->windows,
                                                        .window_count = work->window_count },
                               &work->result);
    if (r.code == FILO_OK) r = work->square ? list_objects(work) : make_block(work);
    return r;
}

static FiloResult compute_with_windows(PlacementWorldWork *work) {
    const FiloPlacementWorld *pw = work->owner;
    work->window_count = 0;
    if (pw->desc.windows == NULL) return compute(work);
    FiloPlacementWindows windows = { 0 };
    FiloResult r = pw->desc.windows(&windows, &work->area, pw->desc.windows_user);
    if (r.code != FILO_OK) return r;
    if (windows.count > FILO_COUNT_OF(work->windows) || (windows.windows == NULL && windows.count > 0)) {
        r = filo_error(FILO_ERROR_LIMIT, "the function `windows` gave %zu windows; %zu are possible",
                       windows.count, FILO_COUNT_OF(work->windows));
    } else {
        if (windows.count > 0)
            memcpy(work->windows, windows.windows, windows.count * sizeof *windows.windows);
        work->window_count = windows.count;
        r = placement_world_check_windows(work);
        if (r.code == FILO_OK) r = compute(work);
    }
    if (pw->desc.release_windows != NULL) pw->desc.release_windows(&windows, pw->desc.windows_user);
    return r;
}

static void run(PlacementWorldWork *work) {
    work->outcome = base_load_relaxed(&work->cancelled)
                        ? filo_error(FILO_ERROR_CANCELLED, "not needed any more")
                        : compute_with_windows(work);
}

static void run_job(FiloJob *job, void *data) {
    FILO_UNUSED(job);
    run(*(PlacementWorldWork **)data);
}

// ---- Beginning ----------------------------------------------------------------------------------------------------

static void free_work(PlacementWorldWork *work) {
    const FiloPlacementWorld *pw = work->owner;
    filo_array_deinit(&work->clearings);
    filo_array_deinit(&work->pins);
    filo_array_deinit(&work->strokes);
    filo_array_deinit(&work->objects);
    for (size_t i = 0; i < pw->map_count && work->painted != NULL; i++)
        filo_array_deinit(&work->painted[i].texels);
    filo_free(pw->allocator, work->painted, pw->map_count * sizeof *work->painted, 0);
    filo_placement_result_free(&work->result);
    placement_world_block_free(pw, work->block);
    filo_free(pw->allocator, work, sizeof *work, _Alignof(PlacementWorldWork));
}

static PlacementWorldWork *make_work(FiloPlacementWorld *pw) {
    if (!filo_array_reserve(&pw->free_works, pw->works + 1) ||
        !filo_array_reserve(&pw->dropped_works, pw->works + 1))
        return NULL;
    PlacementWorldWork *work = filo_alloc_zero(pw->allocator, sizeof *work, _Alignof(PlacementWorldWork));
    if (work == NULL) return NULL;
    work->owner = pw;
    filo_array_init(&work->clearings, pw->allocator);
    filo_array_init(&work->pins, pw->allocator);
    filo_array_init(&work->strokes, pw->allocator);
    filo_array_init(&work->objects, pw->allocator);
    if (pw->map_count > 0) {
        work->painted = filo_alloc_zero(pw->allocator, pw->map_count * sizeof *work->painted, 0);
        if (work->painted == NULL) {
            free_work(work);
            return NULL;
        }
        for (size_t i = 0; i < pw->map_count; i++) filo_array_init(&work->painted[i].texels, pw->allocator);
    }
    pw->works++;
    return work;
}

static bool add_edit(PlacementWorldWork *work, const PlacementWorldEdit *e) {
    const FiloPlacementEdit *edit = &e->edit;
    switch (edit->kind) {
    case FILO_PLACEMENT_CLEAR:
        return filo_array_push(&work->clearings,
                               (FiloClearing){ edit->x, edit->y, edit->radius, edit->footprints });
    case FILO_PLACEMENT_REMOVE: return filo_array_push(&work->pins, (FiloPin){ edit->id, -1 });
    case FILO_PLACEMENT_PIN: return filo_array_push(&work->pins, (FiloPin){ edit->id, e->target });
    case FILO_PLACEMENT_ADD:
    case FILO_PLACEMENT_SUBTRACT:
    case FILO_PLACEMENT_SET: return filo_array_push(&work->strokes, *e);
    case FILO_PLACEMENT_NO_EDIT: break;
    }
    return true;
}

static bool copy_edits(FiloPlacementWorld *pw, PlacementWorldWork *work) {
    filo_array_clear(&work->clearings);
    filo_array_clear(&work->pins);
    filo_array_clear(&work->strokes);
    if (!placement_world_edits_find(pw, &work->area)) return false;
    filo_array_each (&pw->edits.found, index)
        if (!add_edit(work, &pw->edits.list.items[*index])) return false;
    return true;
}

PlacementWorldWork *placement_world_work_begin(FiloPlacementWorld *pw, uint64_t key, uint32_t footprint,
                                               const FiloPlacementArea *area, bool square,
                                               uint64_t signature) {
    PlacementWorldWork *work = NULL;
    if (!filo_array_pop(&pw->free_works, &work)) work = make_work(pw);
    if (work == NULL) return NULL;
    work->key = key;
    work->signature = signature;
    work->footprint = footprint;
    work->area = *area;
    work->square = square;
    work->begun = work->done = false;
    base_store_relaxed(&work->cancelled, false);
    filo_array_clear(&work->objects);
    if (!copy_edits(pw, work)) {
        placement_world_work_drop(work);
        return NULL;
    }
    if (pw->jobs == NULL) return work;
    work->begun = true;
    filo_job_init(&work->job, run_job, &work, sizeof(void *));
    filo_job_set_name(&work->job, square ? "placement square" : "placement tile");
    filo_job_set_priority(&work->job, square ? FILO_PRIORITY_NORMAL : FILO_PRIORITY_LOW);
    filo_jobs_run(pw->jobs, &work->job);
    return work;
}

// ---- Ending -------------------------------------------------------------------------------------------------------

bool placement_world_work_ended(const PlacementWorldWork *work) {
    return work->begun ? filo_job_finished(&work->job) : work->done;
}

void placement_world_work_finish(PlacementWorldWork *work) {
    if (work->begun) {
        filo_jobs_wait(work->owner->jobs, &work->job);
    } else if (!work->done) {
        run(work);
        work->done = true;
    }
}

void placement_world_work_failed(const PlacementWorldWork *work) {
    if (!work->owner->failing)
        filo_log_warn("placement",
                      "objects around %g, %g could not be computed, which will be tried again: %s",
                      work->area.x0, work->area.y0, work->outcome.message);
    work->owner->failing = true;
}

static void recycle(PlacementWorldWork *work) {
    placement_world_block_free(work->owner, work->block);
    work->block = NULL;
    work->begun = work->done = false;
    (void)filo_array_push(&work->owner->free_works, work); // has room
}

void placement_world_work_drop(PlacementWorldWork *work) {
    base_store_relaxed(&work->cancelled, true);
    if (!work->begun || filo_job_finished(&work->job))
        recycle(work);
    else
        (void)filo_array_push(&work->owner->dropped_works, work); // has room
}

void placement_world_works_sweep(FiloPlacementWorld *pw) {
    size_t kept = 0;
    for (size_t i = 0; i < pw->dropped_works.count; i++) {
        PlacementWorldWork *work = pw->dropped_works.items[i];
        if (filo_job_finished(&work->job))
            recycle(work);
        else
            pw->dropped_works.items[kept++] = work;
    }
    pw->dropped_works.count = kept;
}

void placement_world_works_deinit(FiloPlacementWorld *pw) {
    filo_array_each (&pw->dropped_works, work) {
        placement_world_work_finish(*work);
        free_work(*work);
    }
    filo_array_each (&pw->free_works, work) free_work(*work);
    filo_array_deinit(&pw->dropped_works);
    filo_array_deinit(&pw->free_works);
}

void placement_world_block_free(const FiloPlacementWorld *pw, PlacementWorldBlock *block) {
    if (block != NULL) filo_free(pw->allocator, block, block->size, _Alignof(PlacementWorldBlock));
}
