// One component of many entities in any order.
//
// A look-up waits twice for memory: for the entity's record, then for the value. One after the other, a
// processor has only a few of them under way at a time. Here a block of them goes through each step together,
// and the memory for the next step is asked for early.

#include "ecs/holder.h"
#include "ecs/world.h"

#define BLOCK ((size_t)16)

static void prefetch_records(const FiloWorld *world, const FiloEntity *entities, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t index = (uint32_t)entities[i].id;
        if (FILO_LIKELY(index < world->index_end)) __builtin_prefetch(filo_record(world, index));
    }
}

static size_t get_from_tables(const FiloWorld *world, const FiloComponentData *data,
                              const FiloEntity *entities, size_t count, const void **values) {
    const FiloHalf *last = NULL;
    size_t found = 0, offset = 0, size = data->size;
    for (size_t i = 0; i < count; i++) {
        values[i] = NULL;
        const FiloRecord *record = filo_record_find(world, entities[i]);
        if (FILO_UNLIKELY(record == NULL)) continue;
        uint32_t where = filo_record_where(record);
        const FiloPlace *place = &world->places[where >> FILO_ROW_BITS];
        if (FILO_UNLIKELY(place->half != last)) {
            uint32_t column = filo_table_column(place->half->table, data->id);
            if (column == FILO_NO_COLUMN) continue;
            last = place->half;
            offset = last->offsets[column];
        }
        const uint8_t *value = place->base + offset + (size_t)(where & (FILO_CHUNK_ROWS - 1)) * size;
        __builtin_prefetch(value);
        values[i] = value;
        found++;
    }
    return found;
}

// Where the values would be, and asks for them.
static inline void point_into_array(const FiloArrayHolder *holder, const FiloEntity *entities, size_t count,
                                    const void **values) {
    const uint8_t *first = holder->values;
    size_t stride = holder->stride, capacity = holder->capacity;
    for (size_t i = 0; i < count; i++) {
        uint32_t index = (uint32_t)entities[i].id;
        values[i] = FILO_LIKELY(index < capacity) ? first + index * stride : NULL;
        __builtin_prefetch(values[i]);
    }
}

static size_t get_from_array(const FiloArrayHolder *holder, const FiloEntity *entities, size_t count,
                             const void **values) {
    size_t found = 0, pointed = FILO_MIN(count, BLOCK);
    point_into_array(holder, entities, pointed, values);
    for (size_t i = 0; i < count; i++) {
        if (i % BLOCK == 0) {
            size_t more = FILO_MIN(count - pointed, BLOCK);
            point_into_array(holder, entities + pointed, more, values + pointed);
            pointed += more;
        }
        if (FILO_UNLIKELY(values[i] == NULL)) continue;
        uint64_t generation = entities[i].id >> 32;
        if (FILO_LIKELY(*filo_array_generation(holder, values[i]) == generation && generation != 0))
            found++;
        else
            values[i] = NULL;
    }
    return found;
}

// In a sparse list: first where they would be, then whether they are.
static inline void point_into_list(const FiloSparse *sparse, const FiloEntity *entities, size_t count,
                                   uint32_t *numbers) {
    for (size_t i = 0; i < count; i++) {
        const uint32_t *slot = filo_sparse_slot(sparse, (uint32_t)entities[i].id);
        numbers[i] = slot != NULL ? *slot : 0;
        if (numbers[i] == 0) continue;
        __builtin_prefetch(&sparse->entities[numbers[i] - 1]);
        __builtin_prefetch(sparse->values + (size_t)(numbers[i] - 1) * sparse->size);
    }
}

static size_t get_from_list(const FiloSparse *sparse, const FiloEntity *entities, size_t count,
                            const void **values) {
    uint32_t numbers[2][BLOCK];
    size_t found = 0;
    // Three blocks are under way: one whose slots are asked for, one that is pointed at, and one that is looked at.
    for (size_t at = 0; at < count + 2 * BLOCK; at += BLOCK) {
        for (size_t i = at; i < FILO_MIN(at + BLOCK, count); i++)
            if ((uint32_t)entities[i].id < sparse->slot_count)
                __builtin_prefetch(&sparse->slots[(uint32_t)entities[i].id]);
        if (at >= BLOCK && at - BLOCK < count) {
            size_t first = at - BLOCK;
            point_into_list(sparse, entities + first, FILO_MIN(BLOCK, count - first),
                            numbers[at / BLOCK % 2]);
        }
        if (at < 2 * BLOCK) continue;
        const uint32_t *known = numbers[(at / BLOCK + 1) % 2];
        for (size_t i = at - 2 * BLOCK; i < FILO_MIN(at - BLOCK, count); i++) {
            uint32_t number = known[i % BLOCK];
            bool there = number != 0 && sparse->entities[number - 1].id == entities[i].id;
            values[i] = there ? sparse->values + (size_t)(number - 1) * sparse->size : NULL;
            found += there;
        }
    }
    return found;
}

static size_t get_from_holder(const FiloWorld *world, const FiloComponentData *data,
                              const FiloEntity *entities, size_t count, const void **values) {
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        values[i] = filo_holder_get(world, data, entities[i]);
        found += values[i] != NULL;
    }
    return found;
}

size_t filo_entity_get_many(const FiloWorld *world, const FiloEntity *entities, size_t count,
                            FiloComponent component, const void **values) {
    const FiloComponentData *data = filo_component_data(world, component);
    if (!FILO_CHECK(data != NULL && data->global == NULL, "component %u is not one that entities have",
                    component.id) ||
        !FILO_CHECK(count == 0 || (entities != NULL && values != NULL),
                    "pass the entities, and where to put the values") ||
        !filo_access_good(world, data, FILO_ACCESS_READ))
        return 0;
    if (data->info.storage == FILO_STORAGE_ARRAY)
        return get_from_array(data->holder, entities, count, values);
    if (data->info.storage == FILO_STORAGE_SPARSE && data->size > 0)
        return get_from_list(data->holder, entities, count, values);
    size_t found = 0;
    if (data->in_table) prefetch_records(world, entities, FILO_MIN(count, BLOCK));
    for (size_t at = 0; at < count; at += BLOCK) {
        size_t here = FILO_MIN(count - at, BLOCK), after = FILO_MIN(count - at - here, BLOCK);
        if (data->in_table) {
            prefetch_records(world, entities + at + here, after);
            found += get_from_tables(world, data, entities + at, here, values + at);
        } else {
            found += get_from_holder(world, data, entities + at, here, values + at);
        }
    }
    return found;
}
