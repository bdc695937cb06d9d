// Copies of results.

#include "placement_gpu/placement_gpu.h"

#include <string.h>

#define NO_RESULT "pass a result of filo_placement_gpu_take that has not been released"

size_t filo_placement_gpu_count(const FiloPlacementGpuResult *result, size_t layer) {
    if (!FILO_CHECK(result != NULL, NO_RESULT)) return 0;
    return layer < (size_t)FILO_PLACEMENT_FOOTPRINTS * FILO_PLACEMENT_LAYERS
               ? result->first[layer + 1] - result->first[layer]
               : 0;
}

// The objects of a layer: how many there are, and the first of them.
static size_t range_of(const FiloPlacementGpuResult *result, int layer, size_t *first) {
    *first =
        layer > 0 && layer < FILO_PLACEMENT_FOOTPRINTS * FILO_PLACEMENT_LAYERS ? result->first[layer] : 0;
    return layer < 0 ? result->count : filo_placement_gpu_count(result, (size_t)layer);
}

static const PlacementGpuSlot *slot_of(const FiloPlacementGpu *pgpu, const FiloPlacementGpuResult *result) {
    if (!PLACEMENT_GPU_CHECK(pgpu)) return NULL;
    const PlacementGpuSlot *slot =
        result != NULL ? placement_gpu_slot(pgpu, result->id, PLACEMENT_GPU_TAKEN) : NULL;
    (void)FILO_CHECK(slot != NULL, NO_RESULT);
    return slot;
}

size_t filo_placement_gpu_copy(FiloPlacementGpu *pgpu, const FiloPlacementGpuResult *result, int layer,
                               FiloPlaced *into, size_t capacity) {
    if (slot_of(pgpu, result) == NULL) return 0;
    if (!FILO_CHECK(into != NULL || capacity == 0, "pass memory for the objects")) return 0;
    size_t first, count = range_of(result, layer, &first), copied = FILO_MIN(count, capacity);
    if (copied == 0) return count;
    if (result->objects != NULL)
        memcpy(into, result->objects + first, copied * sizeof *into);
    else
        filo_gpu_buffer_read(pgpu->gpu, result->buffer, first * sizeof *into, into, copied * sizeof *into);
    return count;
}

size_t filo_placement_gpu_copy_to_buffer(FiloPlacementGpu *pgpu, const FiloPlacementGpuResult *result,
                                         int layer, FiloBuffer to, size_t offset, size_t capacity) {
    if (slot_of(pgpu, result) == NULL) return 0;
    size_t first, count = range_of(result, layer, &first), copied = FILO_MIN(count, capacity);
    if (copied > 0)
        filo_gpu_buffer_copy(pgpu->gpu, to, offset, result->buffer, first * sizeof(FiloPlaced),
                             copied * sizeof(FiloPlaced));
    return count;
}

FiloResult filo_placement_gpu_convert(FiloPlacementGpu *pgpu, const FiloPlacementGpuResult *result,
                                      FiloPlacementResult *into) {
    if (into == NULL) return FILO_MISTAKE("pass a result that is all zero at first");
    if (placement_gpu_mistake(pgpu) != NULL) return FILO_MISTAKE("%s", placement_gpu_mistake(pgpu));
    const PlacementGpuSlot *slot =
        result != NULL ? placement_gpu_slot(pgpu, result->id, PLACEMENT_GPU_TAKEN) : NULL;
    if (slot == NULL) return FILO_MISTAKE(NO_RESULT);
    const FiloPlaced *objects = result->objects;
    if (objects == NULL && result->count > 0) {
        size_t size = result->count * sizeof *objects;
        void *memory = placement_gpu_staging(pgpu, size);
        if (memory == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory to read objects from the GPU");
        filo_gpu_buffer_read(pgpu->gpu, result->buffer, 0, memory, size);
        objects = memory;
    }
    const uint32_t *counts = filo_gpu_buffer_memory(pgpu->gpu, slot->counts.buffer);
    return filo_placement_plan_result(&slot->plan, counts, objects, into);
}
