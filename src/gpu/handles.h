// Objects that are known by handle: where they lie, and which handles are stale.

#ifndef FILO_GPU_HANDLES_H
#define FILO_GPU_HANDLES_H

#include <filo/memory.h>

#define GPU_POOL_MAX 65535

// The start of every object in a pool.
typedef struct GpuSlot {
    uint16_t generation;
    bool used;
    uint32_t next_free; // index + 1; 0: none
} GpuSlot;

typedef struct GpuPool {
    uint8_t *items;
    size_t item_size;
    uint32_t count, capacity, first_free;
    const FiloAllocator *allocator;
} GpuPool;

void gpu_pool_init(GpuPool *pool, size_t item_size, const FiloAllocator *allocator);
void gpu_pool_deinit(GpuPool *pool);
// A zeroed object and its handle's id; NULL without memory, or if there are GPU_POOL_MAX. Moves the
// others.
void *gpu_pool_add(GpuPool *pool, uint32_t *id);
void gpu_pool_remove(GpuPool *pool, uint32_t id);
// NULL if there is no such object (any more). Good until the next is added.
void *gpu_pool_get(const GpuPool *pool, uint32_t id);
// The object at an index below pool->count, or NULL, and its id.
void *gpu_pool_at(const GpuPool *pool, uint32_t index, uint32_t *id);

#endif
