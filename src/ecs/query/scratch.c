// Scratch memory of a world: buffers for gathered rows and for sorting. Released buffers go to a free list for each
// kind, under a lock, because several threads may acquire them at once. When there are as many as are in use at a time,
// and they are large enough, acquiring one does not allocate.

#include "ecs/query/scratch.h"

// ---- Gathered rows ----------------------------------------------------------------------------------------

static EcsGather *new_gather(FiloWorld *world) {
    EcsGather *gather = filo_alloc(world->allocator, sizeof *gather, 0);
    if (gather == NULL) return NULL;
    gather->next_all = world->gather_all;
    world->gather_all = gather;
    world->gather_count++;
    return gather;
}

bool ecs_gathers_reserve(FiloWorld *world, size_t count) {
    filo_mutex_lock(&world->scratch_lock);
    EcsGather *gather = NULL;
    while (world->gather_count < count && (gather = new_gather(world)) != NULL) {
        gather->next_free = world->gather_free;
        world->gather_free = gather;
    }
    bool ok = world->gather_count >= count;
    filo_mutex_unlock(&world->scratch_lock);
    return ok;
}

EcsGather *ecs_gather_acquire(FiloWorld *world) {
    filo_mutex_lock(&world->scratch_lock);
    EcsGather *gather = world->gather_free;
    if (gather != NULL)
        world->gather_free = gather->next_free;
    else
        gather = new_gather(world);
    filo_mutex_unlock(&world->scratch_lock);
    return gather;
}

void ecs_gather_release(FiloWorld *world, EcsGather *gather) {
    filo_mutex_lock(&world->scratch_lock);
    gather->next_free = world->gather_free;
    world->gather_free = gather;
    filo_mutex_unlock(&world->scratch_lock);
}

// ---- Sorting ----------------------------------------------------------------------------------------------

// Removes the first free buffer that is large enough from the list, or else the first; NULL if the list is empty.
static EcsSortScratch *unlink_scratch(FiloWorld *world, size_t size) {
    EcsSortScratch **link = &world->sort_free;
    while (*link != NULL && (*link)->size < size) link = &(*link)->next_free;
    if (*link == NULL) link = &world->sort_free;
    EcsSortScratch *scratch = *link;
    if (scratch != NULL) *link = scratch->next_free;
    return scratch;
}

void *ecs_sort_scratch_acquire(FiloWorld *world, size_t size) {
    size += sizeof(EcsSortScratch);
    filo_mutex_lock(&world->scratch_lock);
    EcsSortScratch *scratch = unlink_scratch(world, size);
    filo_mutex_unlock(&world->scratch_lock);
    if (scratch != NULL && scratch->size >= size) return scratch + 1;
    if (scratch != NULL) {
        // Freed first, because its contents are not needed. At least twice as large, so that it is rarely replaced.
        size = FILO_MAX(size, 2 * scratch->size);
        filo_free(world->allocator, scratch, scratch->size, 0);
    }
    scratch = filo_alloc(world->allocator, size, 0);
    if (scratch == NULL) return NULL;
    scratch->size = size;
    return scratch + 1;
}

void ecs_sort_scratch_release(FiloWorld *world, void *memory) {
    EcsSortScratch *scratch = (EcsSortScratch *)memory - 1;
    filo_mutex_lock(&world->scratch_lock);
    scratch->next_free = world->sort_free;
    world->sort_free = scratch;
    filo_mutex_unlock(&world->scratch_lock);
}

// ---- With the world ---------------------------------------------------------------------------------------

void ecs_scratch_deinit(FiloWorld *world) {
    while (world->gather_all != NULL) {
        EcsGather *gather = world->gather_all;
        world->gather_all = gather->next_all;
        filo_free(world->allocator, gather, sizeof *gather, 0);
    }
    while (world->sort_free != NULL) {
        EcsSortScratch *scratch = world->sort_free;
        world->sort_free = scratch->next_free;
        filo_free(world->allocator, scratch, scratch->size, 0);
    }
}
