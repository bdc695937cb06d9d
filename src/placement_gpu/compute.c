// Computations: starting, waiting for, and taking them.

#include "placement_gpu/placement_gpu.h"

#include <string.h>

// ---- Slots --------------------------------------------------------------------------------------------------

#define SLOT_BITS 12 // of ids
#define USES_MASK ((1u << (32 - SLOT_BITS)) - 1)

static uint32_t id_of(size_t index, const PlacementGpuSlot *slot) {
    return slot->uses << SLOT_BITS | (uint32_t)index;
}

PlacementGpuSlot *placement_gpu_slot(const FiloPlacementGpu *pgpu, uint32_t id, PlacementGpuState state) {
    size_t index = id & (PLACEMENT_GPU_SLOTS - 1);
    if (id == 0 || index >= pgpu->slot_count) return NULL;
    PlacementGpuSlot *slot = pgpu->slots[index];
    return slot->state == state && slot->uses == id >> SLOT_BITS ? slot : NULL;
}

static bool add_slot(FiloPlacementGpu *pgpu) {
    if (pgpu->slot_count == pgpu->slot_capacity) {
        size_t capacity = pgpu->slot_capacity == 0 ? 8 : 2 * pgpu->slot_capacity;
        PlacementGpuSlot **slots = filo_alloc(pgpu->allocator, capacity * sizeof *slots, 0);
        if (slots == NULL) return false;
        if (pgpu->slot_count > 0) memcpy(slots, pgpu->slots, pgpu->slot_count * sizeof *slots);
        filo_free(pgpu->allocator, pgpu->slots, pgpu->slot_capacity * sizeof *slots, 0);
        pgpu->slots = slots;
        pgpu->slot_capacity = capacity;
    }
    PlacementGpuSlot *slot = filo_alloc_zero(pgpu->allocator, sizeof *slot, 0);
    if (slot == NULL) return false;
    pgpu->slots[pgpu->slot_count++] = slot;
    return true;
}

static void drop_fence(FiloPlacementGpu *pgpu, PlacementGpuSlot *slot) {
    filo_gpu_fence_destroy(pgpu->gpu, slot->fence);
    slot->fence = (FiloGpuFence){ 0 };
}

// A free slot. One that was cancelled has a fence, and is free as soon as it is signalled.
static PlacementGpuSlot *take_slot(FiloPlacementGpu *pgpu, size_t *index) {
    PlacementGpuSlot *best = NULL;
    for (size_t i = 0; i < pgpu->slot_count; i++) {
        PlacementGpuSlot *slot = pgpu->slots[i];
        if (slot->state != PLACEMENT_GPU_FREE) continue;
        if (slot->fence.id != 0) {
            if (!filo_gpu_fence_signalled(pgpu->gpu, slot->fence)) continue;
            drop_fence(pgpu, slot);
        }
        // The largest one: buffers grow seldom then.
        if (best == NULL || slot->objects.size > best->objects.size) best = slot, *index = i;
    }
    if (best != NULL) return best;
    if (pgpu->slot_count == PLACEMENT_GPU_SLOTS || !add_slot(pgpu)) return NULL;
    *index = pgpu->slot_count - 1;
    return pgpu->slots[*index];
}

static void free_buffer(FiloPlacementGpu *pgpu, PlacementGpuBuffer *buffer) {
    filo_gpu_buffer_destroy(pgpu->gpu, buffer->buffer);
    *buffer = (PlacementGpuBuffer){ 0 };
}

void placement_gpu_free_slots(FiloPlacementGpu *pgpu) {
    for (size_t i = 0; i < pgpu->slot_count; i++) {
        PlacementGpuSlot *slot = pgpu->slots[i];
        drop_fence(pgpu, slot);
        free_buffer(pgpu, &slot->tables);
        free_buffer(pgpu, &slot->scratch);
        free_buffer(pgpu, &slot->objects);
        free_buffer(pgpu, &slot->counts);
        filo_free(pgpu->allocator, slot, sizeof *slot, 0);
    }
    filo_free(pgpu->allocator, pgpu->slots, pgpu->slot_capacity * sizeof *pgpu->slots, 0);
    pgpu->slots = NULL;
    pgpu->slot_count = pgpu->slot_capacity = 0;
}

// ---- Buffers ------------------------------------------------------------------------------------------------

static FiloResult reserve(FiloPlacementGpu *pgpu, PlacementGpuBuffer *buffer, const char *label,
                          FiloBufferUse use, size_t size) {
    size_t most = filo_gpu_limits(pgpu->gpu)->storage_size;
    if (buffer->size >= size) return filo_ok();
    free_buffer(pgpu, buffer);
    size_t grown = FILO_MIN(FILO_MAX(FILO_ALIGN_UP(size + size / 4, (size_t)256), (size_t)4096), most);
    FiloResult r = filo_gpu_buffer_create(&buffer->buffer, pgpu->gpu,
                                          &(FiloBufferDesc){ .label = label, .use = use, .size = grown });
    if (r.code == FILO_OK) buffer->size = grown;
    return r;
}

static FiloResult check_sizes(const FiloPlacementGpu *pgpu, const FiloPlacementPlan *plan) {
    uint64_t most = filo_gpu_limits(pgpu->gpu)->storage_size,

             objects = plan->count_only ? 0 : plan->object_limit * sizeof(FiloPlaced);
    uint64_t size = FILO_MAX(FILO_MAX(plan->table_size, plan->scratch_size), (size_t)16);
    size = FILO_MAX(size, objects);
    if (size <= most) return filo_ok();
    return filo_error(
        FILO_ERROR_LIMIT,
        "an area of %g × %g metres with %llu candidates needs a buffer of %llu bytes, and the GPU has "
        "%llu: divide it",
        plan->area.x1 - plan->area.x0, plan->area.y1 - plan->area.y0, (unsigned long long)plan->candidates,
        (unsigned long long)size, (unsigned long long)most);
}

static FiloResult prepare(FiloPlacementGpu *pgpu, PlacementGpuSlot *slot,
                          const FiloPlacementRequest *request) {
    const FiloPlacementPlan *plan = &slot->plan;
    FiloBufferUse objects = pgpu->gpu_memory ? FILO_BUFFER_STORAGE : FILO_BUFFER_READBACK;
    FiloResult r = reserve(pgpu, &slot->tables, "placement tables", FILO_BUFFER_STORAGE, plan->table_size);
    if (r.code == FILO_OK)
        r = reserve(pgpu, &slot->scratch, "placement scratch", FILO_BUFFER_STORAGE, plan->scratch_size);
    if (r.code == FILO_OK && !plan->count_only)
        r = reserve(pgpu, &slot->objects, "placed objects", objects,
                    FILO_MAX((size_t)plan->object_limit, (size_t)1) * sizeof(FiloPlaced));
    if (r.code == FILO_OK)
        r = reserve(pgpu, &slot->counts, "placement counts", FILO_BUFFER_READBACK, plan->count_size);
    if (r.code != FILO_OK || plan->step_count == 0) return r;
    void *tables = placement_gpu_staging(pgpu, plan->table_size);
    if (tables == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory to place objects on the GPU");
    filo_placement_plan_tables(plan, request, tables);
    filo_gpu_buffer_write(pgpu->gpu, slot->tables.buffer, 0, tables, plan->table_size);
    return r;
}

// ---- Running ------------------------------------------------------------------------------------------------

static void bind_data(FiloPlacementGpu *pgpu) {
    if (!pgpu->texels) {
        filo_gpu_set_storage(pgpu->gpu, 0, pgpu->data, 0, pgpu->data_size);
        return;
    }
    static const struct {
        const char *name;
        FiloTexelFormat format;
    } views[] = { { "data8", FILO_TEXELS_R8UI },
                  { "data16", FILO_TEXELS_R16UI },
                  { "data32", FILO_TEXELS_R32UI },
                  { "data128", FILO_TEXELS_RGBA32UI } };
    for (size_t i = 0; i < FILO_COUNT_OF(views); i++)
        (void)filo_gpu_set_texels(pgpu->gpu, views[i].name, pgpu->data, views[i].format); // false: not used
}

static FiloPipeline pipeline_of(const FiloPlacementGpu *pgpu, const FiloPlacementStep *step) {
    switch (step->shader) {
    case FILO_SHADER_EVALUATE: return pgpu->evaluate[step->footprint];
    case FILO_SHADER_WRITE: return pgpu->write[step->footprint];
    case FILO_SHADER_NUMBER: break;
    }
    return pgpu->number;
}

static void run(FiloPlacementGpu *pgpu, const PlacementGpuSlot *slot) {
    FiloGpu *gpu = pgpu->gpu;
    filo_gpu_begin_pass(gpu, &(FiloGpuPass){ .label = "placement", .compute = true });
    filo_gpu_set_storage(gpu, 1, slot->tables.buffer, 0, slot->tables.size);
    filo_gpu_set_storage(gpu, 2, slot->scratch.buffer, 0, slot->scratch.size);
    if (!slot->plan.count_only) filo_gpu_set_storage(gpu, 3, slot->objects.buffer, 0, slot->objects.size);
    filo_gpu_set_storage(gpu, 4, slot->counts.buffer, 0, slot->counts.size);
    for (int i = 0; i < slot->plan.step_count; i++) {
        const FiloPlacementStep *step = &slot->plan.steps[i];
        if (i > 0) filo_gpu_barrier(gpu, FILO_BARRIER_STORAGE);
        filo_gpu_use(gpu, pipeline_of(pgpu, step));
        bind_data(pgpu);
        int groups = (int)((step->invocations + FILO_SHADER_LOCAL - 1) / FILO_SHADER_LOCAL);
        int rows = (groups + 32767) / 32768;
        filo_gpu_dispatch(gpu, (groups + rows - 1) / rows, rows, 1);
    }
    filo_gpu_barrier(gpu, FILO_BARRIER_READBACK | FILO_BARRIER_COPY | FILO_BARRIER_VERTICES |
                              FILO_BARRIER_STORAGE | FILO_BARRIER_TEXELS);
    filo_gpu_end_pass(gpu);
}

FiloResult filo_placement_gpu_start(FiloPlacementGpuFuture *future, FiloPlacementGpu *pgpu,
                                    const FiloPlacementRequest *request) {
    if (future == NULL) return FILO_MISTAKE("pass a pointer for the future");
    *future = (FiloPlacementGpuFuture){ 0 };
    if (placement_gpu_mistake(pgpu) != NULL) return FILO_MISTAKE("%s", placement_gpu_mistake(pgpu));
    if (filo_gpu_in_pass(pgpu->gpu)) return FILO_MISTAKE("filo_placement_gpu_start: end the pass first");
    FiloPlacementPlan plan;
    FiloResult r = filo_placement_plan(&plan, pgpu->placement, request);
    if (r.code == FILO_OK) r = check_sizes(pgpu, &plan);
    if (r.code != FILO_OK) return r;
    size_t index = 0;
    PlacementGpuSlot *slot = take_slot(pgpu, &index);
    if (slot == NULL)
        return pgpu->slot_count == PLACEMENT_GPU_SLOTS
                   ? filo_error(FILO_ERROR_LIMIT, "there are %d computations and results: release some",
                                PLACEMENT_GPU_SLOTS)
                   : filo_error(FILO_ERROR_MEMORY, "no memory to place objects on the GPU");
    slot->plan = plan;
    r = prepare(pgpu, slot, request);
    if (r.code != FILO_OK) return r;
    if (plan.step_count > 0) {
        run(pgpu, slot);
        // Without memory for a fence, waiting for everything does as well.
        if (filo_gpu_fence_create(&slot->fence, pgpu->gpu, "placement").code != FILO_OK)
            filo_gpu_finish(pgpu->gpu);
    }
    slot->state = PLACEMENT_GPU_RUNNING;
    slot->uses = slot->uses == USES_MASK ? 1 : slot->uses + 1;
    future->id = id_of(index, slot);
    return r;
}

// ---- Futures ------------------------------------------------------------------------------------------------

#define NO_FUTURE "pass a future of filo_placement_gpu_start that has not been taken or cancelled"

static PlacementGpuSlot *running(FiloPlacementGpu *pgpu, FiloPlacementGpuFuture future) {
    if (!PLACEMENT_GPU_CHECK(pgpu)) return NULL;
    PlacementGpuSlot *slot = placement_gpu_slot(pgpu, future.id, PLACEMENT_GPU_RUNNING);
    (void)FILO_CHECK(slot != NULL, NO_FUTURE);
    return slot;
}

bool filo_placement_gpu_ready(FiloPlacementGpu *pgpu, FiloPlacementGpuFuture future) {
    PlacementGpuSlot *slot = running(pgpu, future);
    return slot == NULL || slot->fence.id == 0 || filo_gpu_fence_signalled(pgpu->gpu, slot->fence);
}

void filo_placement_gpu_wait(FiloPlacementGpu *pgpu, FiloPlacementGpuFuture future) {
    PlacementGpuSlot *slot = running(pgpu, future);
    if (slot != NULL && slot->fence.id != 0) (void)filo_gpu_fence_wait(pgpu->gpu, slot->fence, -1);
}

void filo_placement_gpu_cancel(FiloPlacementGpu *pgpu, FiloPlacementGpuFuture future) {
    PlacementGpuSlot *slot = running(pgpu, future);
    if (slot != NULL) slot->state = PLACEMENT_GPU_FREE;
}

FiloResult filo_placement_gpu_take(FiloPlacementGpu *pgpu, FiloPlacementGpuFuture future,
                                   FiloPlacementGpuResult *result) {
    if (result == NULL) return FILO_MISTAKE("pass a result to fill");
    *result = (FiloPlacementGpuResult){ 0 };
    if (placement_gpu_mistake(pgpu) != NULL) return FILO_MISTAKE("%s", placement_gpu_mistake(pgpu));
    PlacementGpuSlot *slot = placement_gpu_slot(pgpu, future.id, PLACEMENT_GPU_RUNNING);
    if (slot == NULL) return FILO_MISTAKE(NO_FUTURE);
    filo_placement_gpu_wait(pgpu, future);
    drop_fence(pgpu, slot);
    const uint32_t *counts = filo_gpu_buffer_memory(pgpu->gpu, slot->counts.buffer);
    if (slot->plan.step_count > 0 && counts[0] > slot->plan.object_limit) {
        slot->state = PLACEMENT_GPU_FREE;
        return filo_error(
            FILO_ERROR_IO,
            "the GPU has placed %u objects of at most %llu: the context was lost, or its driver "
            "failed",
            counts[0], (unsigned long long)slot->plan.object_limit);
    }
    slot->state = PLACEMENT_GPU_TAKEN;
    result->id = future.id;
    if (!slot->plan.count_only) {
        result->buffer = slot->objects.buffer;
        if (!pgpu->gpu_memory) result->objects = filo_gpu_buffer_memory(pgpu->gpu, result->buffer);
    }
    filo_placement_plan_first(&slot->plan, counts, result->first);
    result->count = result->first[(size_t)FILO_PLACEMENT_FOOTPRINTS * FILO_PLACEMENT_LAYERS];
    result->area = slot->plan.area;
    result->candidates = slot->plan.candidates;
    return filo_ok();
}

void filo_placement_gpu_release(FiloPlacementGpu *pgpu, FiloPlacementGpuResult *result) {
    if (result == NULL || result->id == 0) return;
    if (!PLACEMENT_GPU_CHECK(pgpu)) return;
    PlacementGpuSlot *slot = placement_gpu_slot(pgpu, result->id, PLACEMENT_GPU_TAKEN);
    if (FILO_CHECK(slot != NULL, "this result has been released already")) slot->state = PLACEMENT_GPU_FREE;
    *result = (FiloPlacementGpuResult){ 0 };
}
