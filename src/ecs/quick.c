// Getting one component; adding and removing one between ticks, where nothing is in the way: what programs do most
// often.
//
// For sparse lists of small values, arrays and tags the plain case is written out here. It calls nothing but by its
// last step, and so need not save registers; and each store is few steps away from what is known at the beginning,
// because a processor does not let later loads overtake a store while it does not know where to. Tables have their
// own functions in move.c. Whatever is not as it should be (a mistake, no room, hooks, observers, values of other sizes,
// required components outside of tables) goes to the functions for any component in value.c, which know what to do and
// what to say.

#include "ecs/holder.h"
#include "ecs/world.h"

#define INLINE static inline __attribute__((always_inline))

// The slow ways.
static FiloComponent component_of(const FiloWorld *world, const FiloQuick *quick) {
    return (FiloComponent){ (uint32_t)(quick - world->quick) };
}

static FILO_COLD void *add_any(FiloWorld *world, FiloEntity entity, FiloQuick *quick) {
    return filo_entity_add_any(world, entity, component_of(world, quick));
}

// An entity that nothing was added to before, outside of tables, is marked; then it goes the quick way.
static FILO_COLD void *add_first(FiloWorld *world, FiloEntity entity, FiloQuick *quick) {
    if (filo_record_find(world, entity) != NULL && !filo_exists_outside(world, entity) &&
        filo_mark_outside(world, entity))
        return quick->add(world, entity, quick);
    return add_any(world, entity, quick);
}

static FILO_COLD bool remove_any(FiloWorld *world, FiloEntity entity, FiloQuick *quick) {
    return filo_entity_remove_any(world, entity, component_of(world, quick));
}

static bool set_any(FiloWorld *world, FiloEntity entity, FiloQuick *quick, const void *value) {
    return filo_entity_set_any(world, entity, component_of(world, quick), value);
}

static void *get_any(const FiloWorld *world, FiloEntity entity, const FiloQuick *quick) {
    return filo_entity_find(world, entity, quick->data);
}

// ---- Sparse lists -----------------------------------------------------------------------------------------

// For a size that the compiler knows, and a first value of zeroes.
INLINE void *add_sparse(FiloWorld *world, FiloEntity entity, FiloQuick *quick, size_t size) {
    FiloSparse *sparse = &quick->sparse;
    uint32_t index = (uint32_t)entity.id, place = sparse->count;
    if (FILO_UNLIKELY(index >= sparse->slot_count || sparse->slots[index] != 0 || place == sparse->capacity ||
                      !filo_exists_outside(world, entity)))
        return add_first(world, entity, quick);
    quick->version = world->version;
    sparse->entities[place] = entity;
    uint8_t *value = sparse->values + place * size;
    sparse->slots[index] = place + 1;
    sparse->count = place + 1;
    memset(value, 0, size);
    return value;
}

INLINE bool remove_sparse(FiloWorld *world, FiloEntity entity, FiloQuick *quick, size_t size) {
    FiloSparse *sparse = &quick->sparse;
    uint32_t index = (uint32_t)entity.id, number;
    // Who is in the list exists.
    if (FILO_UNLIKELY(index >= sparse->slot_count || (number = sparse->slots[index]) == 0 ||
                      sparse->entities[number - 1].id != entity.id))
        return remove_any(world, entity, quick);
    quick->version = world->version;
    sparse->slots[index] = 0;
    uint32_t place = number - 1, last = sparse->count - 1;
    sparse->count = last;
    if (place != last) {
        filo_sparse_move(sparse, last, place);
        memcpy(sparse->values + place * size, sparse->values + last * size, size);
    }
    ecs_sparse_leave(sparse, last);
    return true;
}

static void *get_sparse(const FiloWorld *world, FiloEntity entity, const FiloQuick *quick) {
    FILO_UNUSED(world);
    return filo_sparse_get(&quick->sparse, entity);
}

#define SPARSE_WAYS(size)                                                                                    \
    static void *add_sparse_##size(FiloWorld *world, FiloEntity entity, FiloQuick *quick) {                  \
        return add_sparse(world, entity, quick, size);                                                       \
    }                                                                                                        \
    static bool remove_sparse_##size(FiloWorld *world, FiloEntity entity, FiloQuick *quick) {                \
        return remove_sparse(world, entity, quick, size);                                                    \
    }

SPARSE_WAYS(4)
SPARSE_WAYS(8)
SPARSE_WAYS(16)

// ---- Tags -------------------------------------------------------------------------------------------------

static void *add_tag(FiloWorld *world, FiloEntity entity, FiloQuick *quick) {
    FiloTagHolder *tag = quick->tag;
    uint32_t index = (uint32_t)entity.id;
    uint64_t bit = UINT64_C(1) << index % 64;
    if (FILO_UNLIKELY(index >= tag->bits.count || !filo_exists_outside(world, entity) ||
                      (tag->bits.words[index / 64] & bit) != 0))
        return add_first(world, entity, quick);
    tag->bits.words[index / 64] |= bit;
    tag->count++;
    quick->version = world->version;
    return NULL;
}

static bool remove_tag(FiloWorld *world, FiloEntity entity, FiloQuick *quick) {
    FiloTagHolder *tag = quick->tag;
    uint32_t index = (uint32_t)entity.id;
    uint64_t bit = UINT64_C(1) << index % 64;
    if (FILO_UNLIKELY(index >= tag->bits.count || !filo_exists_outside(world, entity) ||
                      (tag->bits.words[index / 64] & bit) == 0))
        return remove_any(world, entity, quick);
    tag->bits.words[index / 64] ^= bit;
    tag->count--;
    quick->version = world->version;
    return true;
}

static void *get_tag(const FiloWorld *world, FiloEntity entity, const FiloQuick *quick) {
    FiloTagHolder *tag = quick->tag;
    uint32_t index = (uint32_t)entity.id;
    if (index >= tag->bits.count || (tag->bits.words[index / 64] >> index % 64 & 1) == 0 ||
        !filo_exists_outside(world, entity))
        return NULL;
    return tag; // any address
}

// ---- Arrays -----------------------------------------------------------------------------------------------

static void *add_array(FiloWorld *world, FiloEntity entity, FiloQuick *quick) {
    FiloArrayHolder *array = quick->array;
    uint32_t index = (uint32_t)entity.id;
    if (FILO_UNLIKELY(index >= array->capacity || !filo_exists_outside(world, entity)))
        return add_first(world, entity, quick);
    uint8_t *value = array->values + index * array->stride;
    if (FILO_UNLIKELY(*filo_array_generation(array, value) != 0)) return add_any(world, entity, quick);
    quick->version = world->version;
    *filo_array_generation(array, value) = (uint16_t)(entity.id >> 32);
    array->count++;
    filo_value_first(quick->data, value);
    return value;
}

static bool remove_array(FiloWorld *world, FiloEntity entity, FiloQuick *quick) {
    FiloArrayHolder *array = quick->array;
    uint8_t *value = filo_array_get(array, entity);
    if (FILO_UNLIKELY(value == NULL)) return remove_any(world, entity, quick);
    quick->version = world->version;
    ecs_array_leave(array, value);
    array->count--;
    return true;
}

static void *get_array(const FiloWorld *world, FiloEntity entity, const FiloQuick *quick) {
    FILO_UNUSED(world);
    return filo_array_get(quick->array, entity);
}

// ---- Tables -----------------------------------------------------------------------------------------------

// In another table than the last time. The table after that is most often the same again.
static __attribute__((noinline)) void *get_elsewhere(const FiloWorld *world, uint32_t where,
                                                     const FiloQuick *quick) {
    const FiloPlace *place = &world->places[where >> FILO_ROW_BITS];
    uint32_t column = filo_table_column(place->half->table, quick->data->id);
    if (column == FILO_NO_COLUMN) return NULL;
    uint64_t offset = place->half->offsets[column];
    // Not every time: threads that look into several tables would take the line of memory from each other.
    if (where % 16 == 0 && offset < FILO_ARRANGEMENT) {
        FiloQuick *ours = &((FiloWorld *)(uintptr_t)world)->quick[quick - world->quick];
        filo_store_relaxed(&ours->table.hint, place->arrangement | offset);
    }
    return place->base + offset + (size_t)(where & (FILO_CHUNK_ROWS - 1)) * quick->table.size;
}

// Where the column is in a chunk is known from the last time, if the chunk is of the same table.
static void *get_in_table(const FiloWorld *world, FiloEntity entity, const FiloQuick *quick) {
    const FiloRecord *record = filo_record_find(world, entity);
    if (FILO_UNLIKELY(record == NULL)) return NULL;
    uint32_t where = filo_record_where(record);
    const FiloPlace *place = &world->places[where >> FILO_ROW_BITS];
    uint64_t offset = filo_load_relaxed(&quick->table.hint) ^ place->arrangement;
    if (FILO_UNLIKELY(offset >= FILO_ARRANGEMENT)) return get_elsewhere(world, where, quick);
    return place->base + offset + (size_t)(where & (FILO_CHUNK_ROWS - 1)) * quick->table.size;
}

// ---- All --------------------------------------------------------------------------------------------------

void filo_quick_init(FiloWorld *world) {
    for (size_t i = 0; i < FILO_QUICK_COMPONENTS; i++)
        world->quick[i] = (FiloQuick){ .add = add_any, .remove = remove_any, .get = get_any, .set = set_any };
}

static void choose_sparse(FiloQuick *quick) {
    const FiloComponentData *data = quick->data;
    bool zeroes = data->initial == NULL && !data->mixed;
    if (data->size == 4) {
        quick->remove = remove_sparse_4;
        if (zeroes) quick->add = add_sparse_4;
    } else if (data->size == 8) {
        quick->remove = remove_sparse_8;
        if (zeroes) quick->add = add_sparse_8;
    } else if (data->size == 16) {
        quick->remove = remove_sparse_16;
        if (zeroes) quick->add = add_sparse_16;
    }
}

// Where the holder of a component is, if it is inside of the world.
static FiloSparse *inside(FiloWorld *world, const FiloComponentData *data) {
    return data->id < FILO_QUICK_COMPONENTS && data->holder == &world->quick[data->id].sparse ? data->holder
                                                                                              : NULL;
}

void filo_quick_destroy_holder(FiloWorld *world, FiloComponentData *data) {
    FiloSparse *sparse = inside(world, data);
    if (sparse != NULL)
        filo_sparse_deinit(sparse);
    else if (data->holder != NULL)
        data->interface->destroy(data->holder);
    data->holder = NULL;
}

void filo_quick_note(FiloWorld *world, FiloComponentData *data) {
    if (data->id >= FILO_QUICK_COMPONENTS) return;
    FiloQuick *quick = &world->quick[data->id];
    if (data->sparse != NULL && inside(world, data) == NULL) {
        quick->sparse = *data->sparse;
        filo_free(data->sparse->allocator, data->sparse, sizeof *data->sparse, 0);
        data->holder = data->sparse = &quick->sparse;
    }
    quick->data = data;
    quick->version = *data->version;
    data->version = &quick->version;
    if (data->in_table) {
        quick->table.size = data->size;
        quick->get = get_in_table;
    } else if (data->tag != NULL) {
        quick->tag = data->tag;
        quick->get = get_tag;
    } else if (data->sparse != NULL) {
        quick->get = get_sparse;
    } else if (data->info.storage == FILO_STORAGE_ARRAY) {
        quick->array = data->holder;
        quick->get = get_array;
    }
    quick->add = add_any;
    quick->remove = remove_any;
    quick->set = set_any;
    if (!data->settable) return;
    if (data->watched && !data->in_table) return; // the functions for any component tell of it
    if (data->in_table) {
        if (!data->mixed) {
            bool required = data->required.count > 0;
            quick->add = required ? filo_table_add_required : filo_table_add;
            if (data->plain) quick->set = required ? filo_table_set_required : filo_table_set;
        }
        quick->remove = filo_table_remove;
    } else if (data->tag != NULL) {
        if (!data->mixed) quick->add = add_tag;
        quick->remove = remove_tag;
    } else if (data->sparse != NULL) {
        choose_sparse(quick);
    } else if (data->info.storage == FILO_STORAGE_ARRAY && data->plain && data->size > 0) {
        if (!data->mixed) quick->add = add_array;
        quick->remove = remove_array;
    }
}

INLINE void *get(const FiloWorld *world, FiloEntity entity, FiloComponent component) {
    if (FILO_UNLIKELY(component.id >= FILO_QUICK_COMPONENTS))
        return filo_entity_find(world, entity, filo_component_data(world, component));
    const FiloQuick *quick = &world->quick[component.id];
    return quick->get(world, entity, quick);
}

INLINE void *get_to_read(const FiloWorld *world, FiloEntity entity, FiloComponent component) {
#ifndef NDEBUG // and so there is nothing to find out for the question
    if (!filo_access_good(world, filo_component_data(world, component), FILO_ACCESS_READ)) return NULL;
#endif
    return get(world, entity, component);
}

INLINE void *add(FiloWorld *world, FiloEntity entity, FiloComponent component) {
    if (FILO_LIKELY(component.id < FILO_QUICK_COMPONENTS) && filo_world_is_quiet(world)) {
        FiloQuick *quick = &world->quick[component.id];
        return quick->add(world, entity, quick);
    }
    return filo_entity_add_any(world, entity, component);
}

INLINE bool set(FiloWorld *world, FiloEntity entity, FiloComponent component, const void *value) {
    if (FILO_LIKELY(component.id < FILO_QUICK_COMPONENTS && value != NULL) && filo_world_is_quiet(world)) {
        FiloQuick *quick = &world->quick[component.id];
        return quick->set(world, entity, quick, value);
    }
    return filo_entity_set_any(world, entity, component, value);
}

INLINE bool take_away(FiloWorld *world, FiloEntity entity, FiloComponent component) {
    if (FILO_LIKELY(component.id < FILO_QUICK_COMPONENTS) && filo_world_is_quiet(world)) {
        FiloQuick *quick = &world->quick[component.id];
        return quick->remove(world, entity, quick);
    }
    return filo_entity_remove_any(world, entity, component);
}

const void *filo_entity_get(const FiloWorld *world, FiloEntity entity, FiloComponent component) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return NULL;
    return get_to_read(world, entity, component);
}

const void *filo_entity_get_type(const FiloWorld *world, FiloEntity entity, const FiloType *type) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return NULL;
    return get_to_read(world, entity, filo_component_by_type(world, type));
}

bool filo_entity_has(const FiloWorld *world, FiloEntity entity, FiloComponent component) {
    return ecs_may_look(world) && get(world, entity, component) != NULL;
}

bool filo_entity_has_type(const FiloWorld *world, FiloEntity entity, const FiloType *type) {
    return ecs_may_look(world) && get(world, entity, filo_component_by_type(world, type)) != NULL;
}

void *filo_entity_add(FiloWorld *world, FiloEntity entity, FiloComponent component) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return NULL;
    return add(world, entity, component);
}

void *filo_entity_add_type(FiloWorld *world, FiloEntity entity, const FiloType *type) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return NULL;
    return add(world, entity, filo_component_checked(world, type));
}

bool filo_entity_set(FiloWorld *world, FiloEntity entity, FiloComponent component, const void *value) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return false;
    return set(world, entity, component, value);
}

bool filo_entity_set_type(FiloWorld *world, FiloEntity entity, const FiloType *type, const void *value) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return false;
    return set(world, entity, filo_component_checked(world, type), value);
}

bool filo_entity_remove(FiloWorld *world, FiloEntity entity, FiloComponent component) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return false;
    return take_away(world, entity, component);
}

bool filo_entity_remove_type(FiloWorld *world, FiloEntity entity, const FiloType *type) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return false;
    return take_away(world, entity, filo_component_checked(world, type));
}
