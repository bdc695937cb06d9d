// Buffers that the world lends and keeps: for gathered rows, and to sort in. Any thread may ask, several at
// once, so each kind is a list behind a lock. Once there are as many as were ever in use at a time, and large
// enough, asking takes no memory.

#include "ecs/world.h"

// ---- Gathered rows ----------------------------------------------------------------------------------------

static FiloGather *new_gather(FiloWorld *world) {
    FiloGather *gather = filo_alloc(world->allocator, sizeof *gather, 0);
    if (gather == NULL) return NULL;
    gather->next_all = world->gather_all;
    world->gather_all = gather;
    world->gather_count++;
    return gather;
}

bool filo_gathers_reserve(FiloWorld *world, size_t count) {
    filo_mutex_lock(&world->lent_lock);
    FiloGather *gather = NULL;
    while (world->gather_count < count && (gather = new_gather(world)) != NULL) {
        gather->next_free = world->gather_free;
        world->gather_free = gather;
    }
    bool good = world->gather_count >= count;
    filo_mutex_unlock(&world->lent_lock);
    return good;
}

FiloGather *filo_gather_take(FiloWorld *world) {
    filo_mutex_lock(&world->lent_lock);
    FiloGather *gather = world->gather_free;
    if (gather != NULL)
        world->gather_free = gather->next_free;
    else
        gather = new_gather(world);
    filo_mutex_unlock(&world->lent_lock);
    return gather;
}

void filo_gather_give(FiloWorld *world, FiloGather *gather) {
    filo_mutex_lock(&world->lent_lock);
    gather->next_free = world->gather_free;
    world->gather_free = gather;
    filo_mutex_unlock(&world->lent_lock);
}

// ---- Room to sort in --------------------------------------------------------------------------------------

// The first free one that is large enough, or else the first; NULL if there is none.
static FiloSortRoom *unlink_room(FiloWorld *world, size_t size) {
    FiloSortRoom **link = &world->sort_free;
    while (*link != NULL && (*link)->size < size) link = &(*link)->next_free;
    if (*link == NULL) link = &world->sort_free;
    FiloSortRoom *room = *link;
    if (room != NULL) *link = room->next_free;
    return room;
}

void *filo_sort_room_take(FiloWorld *world, size_t size) {
    size += sizeof(FiloSortRoom);
    filo_mutex_lock(&world->lent_lock);
    FiloSortRoom *room = unlink_room(world, size);
    filo_mutex_unlock(&world->lent_lock);
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

void filo_sort_room_give(FiloWorld *world, void *room) {
    FiloSortRoom *given = (FiloSortRoom *)room - 1;
    filo_mutex_lock(&world->lent_lock);
    given->next_free = world->sort_free;
    world->sort_free = given;
    filo_mutex_unlock(&world->lent_lock);
}

// ---- With the world ---------------------------------------------------------------------------------------

void filo_lent_deinit(FiloWorld *world) {
    while (world->gather_all != NULL) {
        FiloGather *gather = world->gather_all;
        world->gather_all = gather->next_all;
        filo_free(world->allocator, gather, sizeof *gather, 0);
    }
    while (world->sort_free != NULL) {
        FiloSortRoom *room = world->sort_free;
        world->sort_free = room->next_free;
        filo_free(world->allocator, room, room->size, 0);
    }
}
