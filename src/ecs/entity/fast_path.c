// Fast paths to get, add, set and remove one component, which programs do most often.
//
// Each component has four functions in an EcsFastPath, chosen by its storage. For sparse lists of small values, arrays
// and tags they are here; for tables they are in edge.c. They handle the common case between ticks. Everything else
// (mistakes, no memory, hooks, observers, values of other sizes, required components outside of tables) is passed on to
// the functions for any component in value.c, which also report mistakes.
//
// A fast path has tail calls only, so it saves no registers. The addresses of its stores are computed early, because a
// store whose address is computed late delays later loads.

#include "ecs/entity/fast_path.h"
#include "ecs/entity/entity.h"
#include "ecs/storage/holder.h"

#define INLINE static inline __attribute__((always_inline))

// ---- Any component --------------------------------------------------------------------------------------

static FiloComponent component_of(const FiloWorld *world, const EcsFastPath *fast) {
    return (FiloComponent){ (uint32_t)(fast - world->fast) };
}

static FILO_COLD void *add_any(FiloWorld *world, FiloEntity entity, EcsFastPath *fast) {
    return ecs_entity_add_any(world, entity, component_of(world, fast));
}

// Marks an entity that never had a component outside of tables, and tries the fast path again.
static FILO_COLD void *add_slow(FiloWorld *world, FiloEntity entity, EcsFastPath *fast) {
    if (ecs_record_find(world, entity) != NULL && !ecs_entity_exists_outside(world, entity) &&
        ecs_entity_mark_outside(world, entity))
        return fast->add(world, entity, fast);
    return add_any(world, entity, fast);
}

static FILO_COLD bool remove_any(FiloWorld *world, FiloEntity entity, EcsFastPath *fast) {
    return ecs_entity_remove_any(world, entity, component_of(world, fast));
}

static bool set_any(FiloWorld *world, FiloEntity entity, EcsFastPath *fast, const void *value) {
    return ecs_entity_set_any(world, entity, component_of(world, fast), value);
}

static FILO_COLD void *report_unknown(FiloComponent component) {
    (void)FILO_CHECK_MADE(false, "cannot read a component: component %u is not registered in this world",
                          component.id);
    return NULL;
}

static void *get_any(const FiloWorld *world, FiloEntity entity, const EcsFastPath *fast) {
    if (FILO_UNLIKELY(fast->data == NULL)) return report_unknown(component_of(world, fast));
    return ecs_entity_find(world, entity, fast->data);
}

// ---- Sparse lists -----------------------------------------------------------------------------------------

// For a constant size, and a default value of zeroes.
INLINE void *add_sparse(FiloWorld *world, FiloEntity entity, EcsFastPath *fast, size_t size) {
    EcsSparse *sparse = &fast->sparse;
    uint32_t index = (uint32_t)entity.id, row = sparse->count;
    if (FILO_UNLIKELY(index >= sparse->slot_count || sparse->slots[index] != 0 || row == sparse->capacity ||
                      !ecs_entity_exists_outside(world, entity)))
        return add_slow(world, entity, fast);
    fast->version = world->version;
    sparse->entities[row] = entity;
    uint8_t *value = sparse->values + row * size;
    sparse->slots[index] = row + 1;
    sparse->count = row + 1;
    memset(value, 0, size);
    return value;
}

INLINE bool remove_sparse(FiloWorld *world, FiloEntity entity, EcsFastPath *fast, size_t size) {
    EcsSparse *sparse = &fast->sparse;
    uint32_t index = (uint32_t)entity.id, number;
    // An entity in the list exists.
    if (FILO_UNLIKELY(index >= sparse->slot_count || (number = sparse->slots[index]) == 0 ||
                      sparse->entities[number - 1].id != entity.id))
        return remove_any(world, entity, fast);
    fast->version = world->version;
    sparse->slots[index] = 0;
    uint32_t row = number - 1, last = sparse->count - 1;
    sparse->count = last;
    if (row != last) {
        ecs_sparse_move(sparse, last, row);
        memcpy(sparse->values + row * size, sparse->values + last * size, size);
    }
    ecs_sparse_poison(sparse, last);
    return true;
}

static void *get_sparse(const FiloWorld *world, FiloEntity entity, const EcsFastPath *fast) {
    FILO_UNUSED(world);
    return ecs_sparse_get(&fast->sparse, entity);
}

#define SPARSE_FUNCTIONS(size)                                                                               \
    static void *add_sparse_##size(FiloWorld *world, FiloEntity entity, EcsFastPath *fast) {                 \
        return add_sparse(world, entity, fast, size);                                                        \
    }                                                                                                        \
    static bool remove_sparse_##size(FiloWorld *world, FiloEntity entity, EcsFastPath *fast) {               \
        return remove_sparse(world, entity, fast, size);                                                     \
    }

SPARSE_FUNCTIONS(4)
SPARSE_FUNCTIONS(8)
SPARSE_FUNCTIONS(16)

// ---- Tags -------------------------------------------------------------------------------------------------

static void *add_tag(FiloWorld *world, FiloEntity entity, EcsFastPath *fast) {
    EcsTagHolder *tag = fast->tag;
    uint32_t index = (uint32_t)entity.id;
    uint64_t bit = UINT64_C(1) << index % 64;
    if (FILO_UNLIKELY(index >= tag->bits.count || !ecs_entity_exists_outside(world, entity) ||
                      (tag->bits.words[index / 64] & bit) != 0))
        return add_slow(world, entity, fast);
    tag->bits.words[index / 64] |= bit;
    tag->count++;
    fast->version = world->version;
    return NULL;
}

static bool remove_tag(FiloWorld *world, FiloEntity entity, EcsFastPath *fast) {
    EcsTagHolder *tag = fast->tag;
    uint32_t index = (uint32_t)entity.id;
    uint64_t bit = UINT64_C(1) << index % 64;
    if (FILO_UNLIKELY(index >= tag->bits.count || !ecs_entity_exists_outside(world, entity) ||
                      (tag->bits.words[index / 64] & bit) == 0))
        return remove_any(world, entity, fast);
    tag->bits.words[index / 64] ^= bit;
    tag->count--;
    fast->version = world->version;
    return true;
}

static void *get_tag(const FiloWorld *world, FiloEntity entity, const EcsFastPath *fast) {
    EcsTagHolder *tag = fast->tag;
    uint32_t index = (uint32_t)entity.id;
    if (index >= tag->bits.count || (tag->bits.words[index / 64] >> index % 64 & 1) == 0 ||
        !ecs_entity_exists_outside(world, entity))
        return NULL;
    return tag; // any address but NULL
}

// ---- Arrays -----------------------------------------------------------------------------------------------

static void *add_array(FiloWorld *world, FiloEntity entity, EcsFastPath *fast) {
    EcsArrayHolder *array = fast->array;
    uint32_t index = (uint32_t)entity.id;
    if (FILO_UNLIKELY(index >= array->capacity || !ecs_entity_exists_outside(world, entity)))
        return add_slow(world, entity, fast);
    uint8_t *value = array->values + index * array->stride;
    if (FILO_UNLIKELY(*ecs_array_holder_generation(array, value) != 0)) return add_any(world, entity, fast);
    fast->version = world->version;
    *ecs_array_holder_generation(array, value) = (uint16_t)(entity.id >> 32);
    array->count++;
    ecs_value_set_default(fast->data, value);
    return value;
}

static bool remove_array(FiloWorld *world, FiloEntity entity, EcsFastPath *fast) {
    EcsArrayHolder *array = fast->array;
    uint8_t *value = ecs_array_holder_get(array, entity);
    if (FILO_UNLIKELY(value == NULL)) return remove_any(world, entity, fast);
    fast->version = world->version;
    ecs_array_holder_free_value(array, value);
    array->count--;
    return true;
}

static void *get_array(const FiloWorld *world, FiloEntity entity, const EcsFastPath *fast) {
    FILO_UNUSED(world);
    return ecs_array_holder_get(fast->array, entity);
}

// ---- Tables -----------------------------------------------------------------------------------------------

// The entity is in another table than the cached one. Caches the column of this table, sometimes.
static __attribute__((noinline)) void *get_in_other_table(const FiloWorld *world, uint32_t location,
                                                          const EcsFastPath *fast) {
    const EcsChunkInfo *chunk = ecs_chunk_of(world, location);
    uint32_t column = ecs_table_column(chunk->partition->table, fast->data->id);
    if (column == ECS_NO_COLUMN) return NULL;
    uint64_t offset = chunk->partition->offsets[column];
    // Not every time: threads that alternate between tables would contend for the cache line.
    if (location % 16 == 0 && offset < ECS_LAYOUT_ID_STEP) {
        EcsFastPath *writable = &((FiloWorld *)(uintptr_t)world)->fast[fast - world->fast];
        base_store_relaxed(&writable->table.cached_column, chunk->layout_id | offset);
    }
    return chunk->base + offset + (size_t)ecs_row_of(location) * fast->table.size;
}

// The offset of the column is cached with the layout id that it is valid for. Layout ids are multiples of
// ECS_LAYOUT_ID_STEP, so one exclusive or compares the ids and yields the offset.
static void *get_in_table(const FiloWorld *world, FiloEntity entity, const EcsFastPath *fast) {
    const EcsRecord *record = ecs_record_find(world, entity);
    if (FILO_UNLIKELY(record == NULL)) return NULL;
    uint32_t location = ecs_record_location(record);
    const EcsChunkInfo *chunk = ecs_chunk_of(world, location);
    uint64_t offset = base_load_relaxed(&fast->table.cached_column) ^ chunk->layout_id;
    if (FILO_UNLIKELY(offset >= ECS_LAYOUT_ID_STEP)) return get_in_other_table(world, location, fast);
    return chunk->base + offset + (size_t)ecs_row_of(location) * fast->table.size;
}

// ---- Choosing the functions -----------------------------------------------------------------------------

void ecs_fast_paths_init(FiloWorld *world) {
    for (size_t i = 0; i < ECS_FAST_COMPONENTS; i++)
        world->fast[i] =
            (EcsFastPath){ .add = add_any, .remove = remove_any, .get = get_any, .set = set_any };
}

static void choose_sparse(EcsFastPath *fast) {
    const EcsComponentData *data = fast->data;
    bool zeroes = data->default_value == NULL && !data->mixed;
    if (data->size == 4) {
        fast->remove = remove_sparse_4;
        if (zeroes) fast->add = add_sparse_4;
    } else if (data->size == 8) {
        fast->remove = remove_sparse_8;
        if (zeroes) fast->add = add_sparse_8;
    } else if (data->size == 16) {
        fast->remove = remove_sparse_16;
        if (zeroes) fast->add = add_sparse_16;
    }
}

// The sparse list of a component, if it is in FiloWorld.fast; else NULL.
static EcsSparse *embedded_sparse(FiloWorld *world, const EcsComponentData *data) {
    return data->id < ECS_FAST_COMPONENTS && data->holder == &world->fast[data->id].sparse ? data->holder
                                                                                           : NULL;
}

void ecs_holder_destroy(FiloWorld *world, EcsComponentData *data) {
    EcsSparse *sparse = embedded_sparse(world, data);
    if (sparse != NULL)
        ecs_sparse_deinit(sparse);
    else if (data->holder != NULL)
        data->interface->destroy(data->holder);
    data->holder = NULL;
}

void ecs_fast_path_update(FiloWorld *world, EcsComponentData *data) {
    if (data->id >= ECS_FAST_COMPONENTS) return;
    EcsFastPath *fast = &world->fast[data->id];
    if (data->sparse != NULL && embedded_sparse(world, data) == NULL) {
        fast->sparse = *data->sparse;
        filo_free(data->sparse->allocator, data->sparse, sizeof *data->sparse, 0);
        data->holder = data->sparse = &fast->sparse;
    }
    fast->data = data;
    fast->version = *data->version;
    data->version = &fast->version;
    if (data->in_table) {
        fast->table.size = data->size;
        fast->get = get_in_table;
    } else if (data->tag != NULL) {
        fast->tag = data->tag;
        fast->get = get_tag;
    } else if (data->sparse != NULL) {
        fast->get = get_sparse;
    } else if (data->info.storage == FILO_STORAGE_ARRAY) {
        fast->array = data->holder;
        fast->get = get_array;
    }
    fast->add = add_any;
    fast->remove = remove_any;
    fast->set = set_any;
    if (!data->settable) return;
    if (data->watched && !data->in_table) return; // the functions for any component notify observers
    if (data->in_table) {
        if (!data->mixed) {
            bool required = data->required.count > 0;
            fast->add = required ? ecs_table_add_required : ecs_table_add;
            if (data->plain) fast->set = required ? ecs_table_set_required : ecs_table_set;
        }
        fast->remove = ecs_table_remove;
    } else if (data->tag != NULL) {
        if (!data->mixed) fast->add = add_tag;
        fast->remove = remove_tag;
    } else if (data->sparse != NULL) {
        choose_sparse(fast);
    } else if (data->info.storage == FILO_STORAGE_ARRAY && data->plain && data->size > 0) {
        if (!data->mixed) fast->add = add_array;
        fast->remove = remove_array;
    }
}

// ---- Public -----------------------------------------------------------------------------------------------

INLINE void *get(const FiloWorld *world, FiloEntity entity, FiloComponent component) {
    if (FILO_UNLIKELY(component.id >= ECS_FAST_COMPONENTS)) {
        const EcsComponentData *data = ecs_component_data(world, component);
        return data != NULL ? ecs_entity_find(world, entity, data) : report_unknown(component);
    }
    const EcsFastPath *fast = &world->fast[component.id];
    return fast->get(world, entity, fast);
}

INLINE void *get_checked(const FiloWorld *world, FiloEntity entity, FiloComponent component) {
#ifndef NDEBUG // release builds do not even find the EcsComponentData
    if (!ecs_may_access(world, ecs_component_data(world, component), FILO_ACCESS_READ)) return NULL;
#endif
    return get(world, entity, component);
}

INLINE void *add(FiloWorld *world, FiloEntity entity, FiloComponent component) {
    if (FILO_LIKELY(component.id < ECS_FAST_COMPONENTS) && ecs_is_idle(world)) {
        EcsFastPath *fast = &world->fast[component.id];
        return fast->add(world, entity, fast);
    }
    return ecs_entity_add_any(world, entity, component);
}

INLINE bool set(FiloWorld *world, FiloEntity entity, FiloComponent component, const void *value) {
    if (FILO_LIKELY(component.id < ECS_FAST_COMPONENTS && value != NULL) && ecs_is_idle(world)) {
        EcsFastPath *fast = &world->fast[component.id];
        return fast->set(world, entity, fast, value);
    }
    return ecs_entity_set_any(world, entity, component, value);
}

INLINE bool remove_component(FiloWorld *world, FiloEntity entity, FiloComponent component) {
    if (FILO_LIKELY(component.id < ECS_FAST_COMPONENTS) && ecs_is_idle(world)) {
        EcsFastPath *fast = &world->fast[component.id];
        return fast->remove(world, entity, fast);
    }
    return ecs_entity_remove_any(world, entity, component);
}

const void *filo_entity_get(const FiloWorld *world, FiloEntity entity, FiloComponent component) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return NULL;
    return get_checked(world, entity, component);
}

const void *filo_entity_get_type(const FiloWorld *world, FiloEntity entity, const FiloType *type) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return NULL;
    FiloComponent component = ecs_component_checked(world, type);
    return FILO_LIKELY(component.id != 0) ? get_checked(world, entity, component) : NULL;
}

bool filo_entity_has(const FiloWorld *world, FiloEntity entity, FiloComponent component) {
    return ecs_may_read(world) && get(world, entity, component) != NULL;
}

bool filo_entity_has_type(const FiloWorld *world, FiloEntity entity, const FiloType *type) {
    if (!ecs_may_read(world)) return false;
    FiloComponent component = ecs_component_checked(world, type);
    return FILO_LIKELY(component.id != 0) && get(world, entity, component) != NULL;
}

void *filo_entity_add(FiloWorld *world, FiloEntity entity, FiloComponent component) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return NULL;
    return add(world, entity, component);
}

void *filo_entity_add_type(FiloWorld *world, FiloEntity entity, const FiloType *type) {
    FiloComponent component = { 0 };
    if (FILO_CHECK(world != NULL, "pass a world")) component = ecs_component_checked(world, type);
    return FILO_LIKELY(component.id != 0) ? add(world, entity, component) : ecs_dummy_of_type(world, type);
}

bool filo_entity_set(FiloWorld *world, FiloEntity entity, FiloComponent component, const void *value) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return false;
    return set(world, entity, component, value);
}

bool filo_entity_set_type(FiloWorld *world, FiloEntity entity, const FiloType *type, const void *value) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return false;
    return set(world, entity, ecs_component_checked(world, type), value);
}

bool filo_entity_remove(FiloWorld *world, FiloEntity entity, FiloComponent component) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return false;
    return remove_component(world, entity, component);
}

bool filo_entity_remove_type(FiloWorld *world, FiloEntity entity, const FiloType *type) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return false;
    return remove_component(world, entity, ecs_component_checked(world, type));
}
