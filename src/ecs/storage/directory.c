// The directory: an array of records by entity index (EcsRecord in record.h), with the free indices as a linked list
// inside it. It is one array without pages, because every access to an entity begins with a load of its record.
//
// The list of free indices is a queue: a freed index is appended, and a new entity takes the first. So all indices are
// reused equally often, and generations last longest. An index whose generations are used up is retired: it is not in
// the list, and its generation is 0, which no id has.

#include "ecs/storage/directory.h"

#define FIRST_RECORDS  1024
#define LARGE_CAPACITY ((size_t)1 << 20) // from here on it grows by a quarter, not to twice as much

static bool grow_to(FiloWorld *world, size_t capacity) {
    EcsRecord *records = filo_resize(world->allocator, world->records,
                                     world->record_capacity * sizeof *records, capacity * sizeof *records, 0);
    if (records == NULL) return false;
    world->records = records;
    world->record_capacity = capacity;
    return true;
}

static bool records_up_to(FiloWorld *world, uint64_t end) {
    if (end > (uint64_t)FILO_ENTITY_INDEX_MAX) {
        filo_out_of_memory(world->name, 0, "a world has at most a billion entities");
        return false;
    }
    size_t old = world->record_capacity, more = old < LARGE_CAPACITY ? old : old / 4;
    if (end <= old) return true;
    size_t wanted = FILO_ALIGN_UP((size_t)end, (size_t)64);
    // Without memory for geometric growth, it grows by no more than is needed.
    return grow_to(world, FILO_MAX(FILO_MAX(wanted, FILO_ALIGN_UP(old + more, (size_t)64)),
                                   (size_t)FIRST_RECORDS)) ||
           grow_to(world, wanted);
}

bool ecs_directory_grow(FiloWorld *world, size_t count) {
    return records_up_to(world,
                         world->index_end + (uint64_t)(count - FILO_MIN(count, (size_t)world->free_count)));
}

bool ecs_outside_reserve(FiloWorld *world, size_t end) {
    size_t old = world->outside_end;
    if (end <= old) return true;
    size_t wanted = FILO_ALIGN_UP(FILO_MAX(end, old + old / 2), (size_t)FIRST_RECORDS);
    uint16_t *outside =
        filo_resize(world->allocator, world->outside, old * sizeof *outside, wanted * sizeof *outside, 0);
    if (outside == NULL) return false;
    memset(outside + old, 0, (wanted - old) * sizeof *outside);
    world->outside = outside;
    world->outside_end = (uint32_t)wanted;
    return true;
}

// Whether an index is free and `next` follows it in the list.
static bool precedes(const FiloWorld *world, uint32_t index, uint32_t next) {
    return ecs_record_location(ecs_record(world, index)) == (ECS_LOCATION_FREE | next);
}

// The index before a free index in the list; ECS_LOCATION_LAST if it is the first. Indices that were freed together are
// in ascending or descending order in the list. So the search tests not only the list from its beginning, but also the
// neighbours of the index in the array, at growing distance. One of the nearest is the answer most of the time.
static uint32_t find_preceding(const FiloWorld *world, uint32_t index) {
    uint32_t at = world->free_first, below = index, above = index;
    if (at == index) return ECS_LOCATION_LAST;
    while (!precedes(world, at, index)) {
        at = ecs_record_location(ecs_record(world, at)) & ECS_LOCATION_MASK;
        if (below > 0 && precedes(world, --below, index)) return below;
        if (above + 1 < world->index_end && precedes(world, ++above, index)) return above;
    }
    return at;
}

static void unlink_free(FiloWorld *world, uint32_t index) {
    uint32_t before = find_preceding(world, index);
    uint32_t next = ecs_record_location(ecs_record(world, index)) & ECS_LOCATION_MASK;
    if (before == ECS_LOCATION_LAST)
        world->free_first = next;
    else
        ecs_record_set_location(ecs_record(world, before), ECS_LOCATION_FREE | next);
    if (world->free_last == index) world->free_last = before;
    world->free_count--;
}

void ecs_directory_unlink_pending(FiloWorld *world) {
    uint32_t before = ECS_LOCATION_LAST, at = world->free_first;
    world->free_first = world->free_last = ECS_LOCATION_LAST;
    world->free_count = 0;
    while (at != ECS_LOCATION_LAST) {
        uint32_t location = ecs_record_location(ecs_record(world, at)), next = location & ECS_LOCATION_MASK;
        if ((location & ECS_LOCATION_PENDING) == 0) {
            if (before == ECS_LOCATION_LAST)
                world->free_first = at;
            else
                ecs_record_set_location(ecs_record(world, before), ECS_LOCATION_FREE | at);
            ecs_record_set_location(ecs_record(world, at), ECS_LOCATION_FREE | ECS_LOCATION_LAST);
            world->free_last = before = at;
            world->free_count++;
        }
        at = next;
    }
}

bool ecs_directory_reserve_at(FiloWorld *world, uint32_t index) {
    return records_up_to(world, (uint64_t)index + 1);
}

void ecs_directory_take_at(FiloWorld *world, uint32_t index, uint32_t generation) {
    while (world->index_end <= index) {
        uint32_t end = world->index_end++;
        EcsRecord *record = ecs_record(world, end);
        ecs_record_set_generation(record, 1);
        if (end != index)
            ecs_directory_append_free(world, end, record);
        else
            ecs_record_set_location(record, 0);
    }
    EcsRecord *record = ecs_record(world, index);
    // A free index is in the list, unless it is retired.
    if ((ecs_record_location(record) & ECS_LOCATION_FREE) != 0 && ecs_record_generation(record) != 0)
        unlink_free(world, index);
    ecs_record_set_location(record, 0);
    ecs_record_set_generation(record, generation);
    world->entity_count++;
}

void ecs_directory_undo_take(FiloWorld *world, uint32_t index, uint32_t end) {
    if (index < world->outside_end) world->outside[index] = 0;
    world->entity_count--;
    if (index >= end) {
        world->index_end = index;
        return;
    }
    ecs_record_set_location(ecs_record(world, index), ECS_LOCATION_FREE | world->free_first);
    if (world->free_first == ECS_LOCATION_LAST) world->free_last = index;
    world->free_first = index;
    world->free_count++;
}

void ecs_directory_free_rows(FiloWorld *world, const uint32_t *indices, uint32_t count) {
    // The end of the list is in local variables: in the world, each store would delay the next load.
    uint32_t freed = 0, last = world->free_last;
    EcsRecord *tail = last != ECS_LOCATION_LAST ? ecs_record(world, last) : NULL;
    for (uint32_t i = 0; i < count; i++) {
        EcsRecord *record = ecs_record(world, indices[i]);
        uint32_t generation = ecs_record_generation(record);
        if (FILO_UNLIKELY(generation == ECS_GENERATION_LAST)) {
            ecs_record_set_generation(record, 0);
            ecs_record_set_location(record, ECS_LOCATION_FREE | ECS_LOCATION_LAST);
            continue;
        }
        ecs_record_set_generation(record, generation + 1);
        if (tail != NULL)
            ecs_record_set_location(tail, ECS_LOCATION_FREE | indices[i]);
        else
            world->free_first = indices[i];
        tail = record;
        last = indices[i];
        freed++;
    }
    if (tail != NULL) ecs_record_set_location(tail, ECS_LOCATION_FREE | ECS_LOCATION_LAST);
    world->free_last = last;
    world->free_count += freed;
    world->entity_count -= count;
}

void ecs_directory_deinit(FiloWorld *world) {
    filo_free(world->allocator, world->records, world->record_capacity * sizeof *world->records, 0);
    filo_free(world->allocator, world->outside, world->outside_end * sizeof *world->outside, 0);
}

// ---- Public -------------------------------------------------------------------------------------------

bool filo_entity_exists(const FiloWorld *world, FiloEntity entity) {
    if (!ecs_may_read(world)) return false;
    return ecs_record_find(world, entity) != NULL;
}

FiloEntity filo_entity_at(const FiloWorld *world, uint32_t index) {
    if (!ecs_may_read(world)) return FILO_ENTITY_NONE;
    if (index >= world->index_end) return FILO_ENTITY_NONE;
    EcsRecord *record = ecs_record(world, index);
    if ((ecs_record_location(record) & ECS_LOCATION_FREE) != 0) return FILO_ENTITY_NONE;
    return ecs_entity_of_index(world, index);
}

uint32_t filo_entity_index_end(const FiloWorld *world) {
    return FILO_CHECK(world != NULL, "pass a world") ? world->index_end : 0;
}
