// The directory of a world: records by entity index, and the list of free indices.

#ifndef FILO_ECS_STORAGE_DIRECTORY_H
#define FILO_ECS_STORAGE_DIRECTORY_H

#include "ecs/world.h"

static inline EcsRecord *ecs_record(const FiloWorld *world, uint32_t index) { return &world->records[index]; }
static inline EcsChunkInfo *ecs_chunk_of(const FiloWorld *world, uint32_t location) {
    return &world->chunks[location >> ECS_ROW_BITS];
}
// The record of an entity that exists; NULL if it does not.
static inline EcsRecord *ecs_record_find(const FiloWorld *world, FiloEntity entity) {
    uint32_t index = (uint32_t)entity.id;
    if (FILO_UNLIKELY(index >= world->index_end)) return NULL;
    EcsRecord *record = ecs_record(world, index);
    return FILO_LIKELY(ecs_record_is_of(record, entity)) ? record : NULL;
}
static inline FiloEntity ecs_entity_of_index(const FiloWorld *world, uint32_t index) {
    return ecs_entity_make(index, ecs_record_generation(ecs_record(world, index)));
}
static inline bool ecs_entity_is_outside(const FiloWorld *world, uint32_t index) {
    return index < world->outside_end && world->outside[index] != 0;
}
// Whether an entity exists, and has or had a component outside of tables. One comparison tests both.
static inline bool ecs_entity_exists_outside(const FiloWorld *world, FiloEntity entity) {
    uint32_t index = (uint32_t)entity.id;
    uint64_t generation = entity.id >> 32;
    return FILO_LIKELY(index < world->outside_end && generation != 0) && world->outside[index] == generation;
}
// Reserves memory to mark indices below `end`. False without memory.
bool ecs_outside_reserve(FiloWorld *world, size_t end);
// Marks an entity that exists. False without memory.
static inline bool ecs_entity_mark_outside(FiloWorld *world, FiloEntity entity) {
    uint32_t index = (uint32_t)entity.id;
    if (FILO_UNLIKELY(index >= world->outside_end) && !ecs_outside_reserve(world, (size_t)index + 1))
        return false;
    world->outside[index] = (uint16_t)(entity.id >> 32);
    return true;
}
// Reserves memory for `count` more indices, so that taking them cannot fail. False without memory.
bool ecs_directory_grow(FiloWorld *world, size_t count);
static inline bool ecs_directory_reserve(FiloWorld *world, size_t count) {
    if (FILO_LIKELY(count <= world->free_count)) return true;
    uint64_t end = world->index_end + (uint64_t)(count - world->free_count);
    return FILO_LIKELY(end <= world->record_capacity) || ecs_directory_grow(world, count);
}
// Takes an index for a new entity; there must be memory. Its record is in use, but has no valid location yet.
static inline uint32_t ecs_directory_take(FiloWorld *world) {
    world->entity_count++;
    uint32_t index = world->free_first;
    if (index != ECS_LOCATION_LAST) {
        EcsRecord *record = ecs_record(world, index);
        world->free_first = ecs_record_location(record) & ECS_LOCATION_MASK;
        if (world->free_first == ECS_LOCATION_LAST) world->free_last = ECS_LOCATION_LAST;
        world->free_count--;
        ecs_record_set_location(record, 0);
        return index;
    }
    index = world->index_end++;
    EcsRecord *record = ecs_record(world, index);
    ecs_record_set_location(record, 0);
    ecs_record_set_generation(record, 1);
    return index;
}
// Reserves memory for this index. False without memory.
bool ecs_directory_reserve_at(FiloWorld *world, uint32_t index);
// Takes this index, which is free or beyond the end. Indices between the end and it become free. There must be memory.
// Slow if many indices were freed in no order.
void ecs_directory_take_at(FiloWorld *world, uint32_t index, uint32_t generation);
// Appends an index to the list of free ones.
static inline void ecs_directory_append_free(FiloWorld *world, uint32_t index, EcsRecord *record) {
    ecs_record_set_location(record, ECS_LOCATION_FREE | ECS_LOCATION_LAST);
    if (world->free_last != ECS_LOCATION_LAST)
        ecs_record_set_location(ecs_record(world, world->free_last), ECS_LOCATION_FREE | index);
    else
        world->free_first = index;
    world->free_last = index;
    world->free_count++;
}
// Frees the index of an entity without components outside of tables. Its id is stale from then on.
static inline void ecs_directory_free_in_tables(FiloWorld *world, uint32_t index, EcsRecord *record) {
    uint32_t generation = ecs_record_generation(record);
    world->entity_count--;
    if (FILO_UNLIKELY(generation == ECS_GENERATION_LAST)) {
        ecs_record_set_generation(record, 0);
        ecs_record_set_location(record, ECS_LOCATION_FREE | ECS_LOCATION_LAST);
        return;
    }
    ecs_record_set_generation(record, generation + 1);
    ecs_directory_append_free(world, index, record);
}
// The same for many such entities.
void ecs_directory_free_rows(FiloWorld *world, const uint32_t *indices, uint32_t count);
// The same for any entity.
static inline void ecs_directory_free(FiloWorld *world, uint32_t index) {
    if (index < world->outside_end) world->outside[index] = 0;
    ecs_directory_free_in_tables(world, index, ecs_record(world, index));
}
// Undoes ecs_directory_take, in reverse order: the index is taken next again, with the same generation. `end` is
// FiloWorld.index_end from before it was taken.
void ecs_directory_undo_take(FiloWorld *world, uint32_t index, uint32_t end);
// Removes all indices with ECS_LOCATION_PENDING from the list of free ones.
void ecs_directory_unlink_pending(FiloWorld *world);
void ecs_directory_deinit(FiloWorld *world);

#endif
