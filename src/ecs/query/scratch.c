// Buffers that the world lends and keeps: for gathered rows, and to sort in. Any thread may ask, several at
// once, so each kind is a list behind a lock. Once there are as many as were ever in use at a time, and large
// enough, asking takes no memory.

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
    bool good = world->gather_count >= count;
    filo_mutex_unlock(&world->scratch_lock);
    return good;
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

// ---- Room to sort in --------------------------------------------------------------------------------------

// The first free one that is large enough, or else the first; NULL if there is none.
static EcsSortScratch *unlink_room(FiloWorld *world, size_t size) {
    EcsSortScratch **link = &world->sort_free;
    while (*link != NULL && (*link)->size < size) link = &(*link)->next_free;
    if (*link == NULL) link = &world->sort_free;
    EcsSortScratch *room = *link;
    if (room != NULL) *link = room->next_free;
    return room;
}

void *ecs_sort_scratch_acquire(FiloWorld *world, size_t size) {
    size += sizeof(EcsSortScratch);
    filo_mutex_lock(&world->scratch_lock);
    EcsSortScratch *room = unlink_room(world, size);
    filo_mutex_unlock(&world->scratch_lock);
    if (room != NULL && room->size >= size) return room + 1;
    if (room != NULL) {
        // What is in it is of no use: no copy. Twice as large, for a crowd that grows slowly.
        size = FILO_MAX(size, 2 * room->size);
        filo_free(world->allocator, room, room->size, 0);
    }
    room = filo_alloc(world->allocator, size, 0);
    if (room == NULL) return NULL;
    room->size = size;
    return room + 1;
}

void ecs_sort_scratch_release(FiloWorld *world, void *room) {
    EcsSortScratch *given = (EcsSortScratch *)room - 1;
    filo_mutex_lock(&world->scratch_lock);
    given->next_free = world->sort_free;
    world->sort_free = given;
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
        EcsSortScratch *room = world->sort_free;
        world->sort_free = room->next_free;
        filo_free(world->allocator, room, room->size, 0);
    }
}
