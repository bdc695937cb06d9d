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

#define PGPU_SLOTS 4096

typedef enum PgpuState { PGPU_FREE, PGPU_RUNNING, PGPU_TAKEN } PgpuState;

typedef struct PgpuBuffer {
    FiloBuffer buffer;
    size_t size;
} PgpuBuffer;

typedef struct PgpuSlot {
    PgpuState state;
    uint32_t uses; // 1 to 2^20 − 1
    FiloPlacementPlan plan;
    PgpuBuffer tables, scratch, objects, counts;
    FiloGpuFence fence; // {0}: nothing to wait for
} PgpuSlot;

struct FiloPlacementGpu {
    FiloGpu *gpu;
    const FiloPlacement *placement;
    const FiloAllocator *allocator;
    bool gpu_memory, texels;
    FiloBuffer data;
    size_t data_size;
    FiloPipeline evaluate[FILO_PLACEMENT_FOOTPRINTS], write[FILO_PLACEMENT_FOOTPRINTS], number;
    PgpuSlot **slots; // pointers, so that slots stay where they are
    size_t slot_count, slot_capacity;
    void *staging; // for tables
    size_t staging_size;
};

// The slot of an id in a state; NULL if there is none.
PgpuSlot *pgpu_slot(const FiloPlacementGpu *pgpu, uint32_t id, PgpuState state);
void pgpu_free_slots(FiloPlacementGpu *pgpu);
// Memory of at least `size` bytes, valid until the next call. NULL without memory.
void *pgpu_staging(FiloPlacementGpu *pgpu, size_t size);

#define PGPU_NONE "pass what filo_placement_gpu_create made"

#endif
