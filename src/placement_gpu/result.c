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

static const PlacementGpuSlot *slot_of(const FiloPlacementGpu *pgpu, const FiloPlacementGpuResult *result) {
    if (!PLACEMENT_GPU_CHECK(pgpu)) return NULL;
    const PlacementGpuSlot *slot =
        result != NULL ? placement_gpu_slot(pgpu, result->id, PLACEMENT_GPU_TAKEN) : NULL;
    (void)FILO_CHECK(slot != NULL, NO_RESULT);
    return slot;
}

// Whether a layer has a range, and the index of its first object in the buffer.
static bool find_range(const FiloPlacementGpu *pgpu, const FiloPlacementGpuResult *result, int layer,
                       size_t from, size_t count, size_t *first) {
    const PlacementGpuSlot *slot = slot_of(pgpu, result);
    if (slot == NULL) return false;
    size_t there = layer < 0 ? result->count : filo_placement_gpu_count(result, (size_t)layer);
    if (!FILO_CHECK(from <= there && count <= there - from,
                    "%zu objects from %zu on: there are %zu of layer %d (-1: of all)", count, from, there,
                    layer))
        return false;
    *first = from + (layer < 0 || there == 0 ? 0 : result->first[layer]);
    return FILO_CHECK(count == 0 || !slot->plan.count_only,
                      "the objects were only counted: leave out .count_only");
}

bool filo_placement_gpu_copy(FiloPlacementGpu *pgpu, const FiloPlacementGpuResult *result, int layer,
                             size_t from, size_t count, FiloPlaced *into) {
    size_t first, size = count * sizeof *into;
    if (!find_range(pgpu, result, layer, from, count, &first)) return false;
    if (!FILO_CHECK(into != NULL || count == 0, "pass memory for the objects")) return false;
    if (count == 0) return true;
    if (result->objects != NULL)
        memcpy(into, result->objects + first, size);
    else
        filo_gpu_buffer_read(pgpu->gpu, result->buffer, first * sizeof *into, into, size);
    return true;
}

bool filo_placement_gpu_copy_to_buffer(FiloPlacementGpu *pgpu, const FiloPlacementGpuResult *result,
                                       int layer, size_t from, size_t count, FiloBuffer to, size_t offset) {
    size_t first, size = sizeof(FiloPlaced);
    if (!find_range(pgpu, result, layer, from, count, &first)) return false;
    if (count > 0) filo_gpu_buffer_copy(pgpu->gpu, to, offset, result->buffer, first * size, count * size);
    return true;
}

FiloResult filo_placement_gpu_convert(FiloPlacementGpu *pgpu, const FiloPlacementGpuResult *result,
                                      FiloPlacementResult *into) {
    if (into == NULL) return FILO_MISTAKE("pass a result that is all zero at first");
    if (placement_gpu_mistake(pgpu) != NULL) return FILO_MISTAKE("%s", placement_gpu_mistake(pgpu));
    const PlacementGpuSlot *slot =
        result != NULL ? placement_gpu_slot(pgpu, result->id, PLACEMENT_GPU_TAKEN) : NULL;
    if (slot == NULL) return FILO_MISTAKE(NO_RESULT);
    const FiloPlaced *objects = result->objects;
    if (objects == NULL && result->count > 0 && !slot->plan.count_only) {
        size_t size = result->count * sizeof *objects;
        void *memory = placement_gpu_staging(pgpu, size);
        if (memory == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory to read objects from the GPU");
        filo_gpu_buffer_read(pgpu->gpu, result->buffer, 0, memory, size);
        objects = memory;
    }
    const uint32_t *counts = filo_gpu_buffer_memory(pgpu->gpu, slot->counts.buffer);
    return filo_placement_plan_result(&slot->plan, counts, objects, into);
}
