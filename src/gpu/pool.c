// Pools of objects with handles.
//
// A handle has the index of a slot + 1 in its lower 16 bits and the generation of the slot in the upper ones. The
// generation is incremented when an object is removed. A slot whose generations are used up is never reused, so a
// stale handle never becomes valid again.

#include "gpu/pool.h"

#include <string.h>

static GpuSlot *slot_at(const GpuPool *pool, uint32_t index) {
    return (GpuSlot *)(void *)(pool->items + (size_t)index * pool->item_size);
}

void gpu_pool_init(GpuPool *pool, size_t item_size, const FiloAllocator *allocator) {
    *pool = (GpuPool){ .item_size = FILO_ALIGN_UP(item_size, 16), .allocator = allocator };
}

void gpu_pool_deinit(GpuPool *pool) {
    filo_free(pool->allocator, pool->items, pool->capacity * pool->item_size, 16);
    *pool = (GpuPool){ 0 };
}

static bool grow(GpuPool *pool) {
    uint32_t capacity = FILO_MIN(FILO_MAX(pool->capacity * 2, 8u), (uint32_t)GPU_POOL_MAX);
    if (capacity == pool->capacity) return false;
    uint8_t *items = filo_resize(pool->allocator, pool->items, pool->capacity * pool->item_size,
                                 capacity * pool->item_size, 16);
    if (items == NULL) return false;
    pool->items = items;
    pool->capacity = capacity;
    return true;
}

void *gpu_pool_add(GpuPool *pool, uint32_t *id) {
    uint32_t index;
    uint16_t generation = 0;
    if (pool->first_free != 0) {
        index = pool->first_free - 1;
        pool->first_free = slot_at(pool, index)->next_free;
        generation = slot_at(pool, index)->generation;
    } else {
        if (pool->count == pool->capacity && !grow(pool)) return NULL;
        index = pool->count++;
    }
    GpuSlot *slot = slot_at(pool, index);
    memset(slot, 0, pool->item_size);
    slot->generation = generation;
    slot->used = true;
    *id = (uint32_t)generation << 16 | (index + 1);
    return slot;
}

void gpu_pool_remove(GpuPool *pool, uint32_t id) {
    GpuSlot *slot = gpu_pool_get(pool, id);
    if (slot == NULL) return;
    slot->used = false;
    if (slot->generation == UINT16_MAX) return;
    slot->generation++;
    slot->next_free = pool->first_free;
    pool->first_free = id & 0xFFFF;
}

void *gpu_pool_get(const GpuPool *pool, uint32_t id) {
    uint32_t index = (id & 0xFFFF) - 1; // of {0}: UINT32_MAX
    if (index >= pool->count) return NULL;
    GpuSlot *slot = slot_at(pool, index);
    return slot->used && slot->generation == id >> 16 ? slot : NULL;
}

uint32_t gpu_pool_id(const GpuPool *pool, const void *object) {
    size_t index = (size_t)((const uint8_t *)object - pool->items) / pool->item_size;
    return (uint32_t)((const GpuSlot *)object)->generation << 16 | (uint32_t)(index + 1);
}

void *gpu_pool_at(const GpuPool *pool, uint32_t index) {
    GpuSlot *slot = slot_at(pool, index);
    return slot->used ? slot : NULL;
}
