// Pools of objects that are referred to by handle. They detect stale handles.

#ifndef FILO_GPU_POOL_H
#define FILO_GPU_POOL_H

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
// Adds a zeroed object and sets the id of its handle; NULL without memory, or if there are GPU_POOL_MAX. May move
// the other objects.
void *gpu_pool_add(GpuPool *pool, uint32_t *id);
void gpu_pool_remove(GpuPool *pool, uint32_t id);
// NULL if there is no such object. Valid until the next gpu_pool_add.
void *gpu_pool_get(const GpuPool *pool, uint32_t id);
// The id of the handle of an object.
uint32_t gpu_pool_id(const GpuPool *pool, const void *object);
// The object at an index below pool->count; NULL if its slot is free.
void *gpu_pool_at(const GpuPool *pool, uint32_t index);

#endif
