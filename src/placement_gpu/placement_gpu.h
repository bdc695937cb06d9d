// The private parts of placement_gpu.
//
//   create.c   uploads a placement, and compiles its shaders
//   compute.c  slots: starting, waiting for and taking computations
//   result.c   copies of results
//
// A slot has the buffers of one computation. It is free, running (a future refers to it) or taken (a result refers to it).
// Ids are the index of the slot and how often it was used, so that one that is no longer valid is found. Buffers grow, and
// stay with the slot.

#ifndef FILO_PLACEMENT_GPU_PRIVATE_H
#define FILO_PLACEMENT_GPU_PRIVATE_H

#include <filo/check.h>
#include <filo/placement_gpu.h>
#include <filo/placement_shader.h>

#define PLACEMENT_GPU_SLOTS 4096

typedef enum PlacementGpuState {
    PLACEMENT_GPU_FREE,
    PLACEMENT_GPU_RUNNING,
    PLACEMENT_GPU_TAKEN
} PlacementGpuState;

typedef struct PlacementGpuBuffer {
    FiloBuffer buffer;
    size_t size;
} PlacementGpuBuffer;

typedef struct PlacementGpuSlot {
    PlacementGpuState state;
    uint32_t uses; // 1 to 2^20 − 1
    FiloPlacementPlan plan;
    PlacementGpuBuffer tables, scratch, objects, counts;
    FiloGpuFence fence; // {0}: nothing to wait for
} PlacementGpuSlot;

struct FiloPlacementGpu {
    FiloGpu *gpu;
    const FiloPlacement *placement;
    const FiloAllocator *allocator;
    bool gpu_memory, texels;
    FiloBuffer data;
    size_t data_size;
    FiloPipeline evaluate[FILO_PLACEMENT_FOOTPRINTS], write[FILO_PLACEMENT_FOOTPRINTS], number;
    PlacementGpuSlot **slots; // pointers, so that slots stay where they are
    size_t slot_count, slot_capacity;
    void *staging; // for tables
    size_t staging_size;
};

// The slot of an id in a state; NULL if there is none.
PlacementGpuSlot *placement_gpu_slot(const FiloPlacementGpu *pgpu, uint32_t id, PlacementGpuState state);
void placement_gpu_free_slots(FiloPlacementGpu *pgpu);
// Memory of at least `size` bytes, valid until the next call. NULL without memory.
void *placement_gpu_staging(FiloPlacementGpu *pgpu, size_t size);

// What is wrong with a call: there is no such object, or it belongs to another thread. NULL if nothing is.
const char *placement_gpu_mistake(const FiloPlacementGpu *pgpu);
#define PLACEMENT_GPU_CHECK(pgpu)                                                                            \
    FILO_CHECK(placement_gpu_mistake(pgpu) == NULL, "%s", placement_gpu_mistake(pgpu))
#define PLACEMENT_GPU_THREAD                                                                                 \
    "placement on the GPU belongs to the thread of its device: call its functions there"

#endif
