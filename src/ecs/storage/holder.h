// Holders: storage of components outside of tables. Fast paths and snapshots use the structs of the built-in ones.

#ifndef FILO_ECS_STORAGE_HOLDER_H
#define FILO_ECS_STORAGE_HOLDER_H

#include "ecs/storage/rows.h"
#include "ecs/storage/tables.h"
#include "ecs/world.h"

// ---- Any holder: holder.c -------------------------------------------------------------------------------

extern const FiloHolderInterface ecs_holder_sparse, ecs_holder_array, ecs_holder_map, ecs_holder_tag;
// For a component whose description is complete. NULL without memory.
void *ecs_holder_create(FiloWorld *world, const EcsComponentData *component);
// The value; NULL if the entity has none; for tags anything but NULL. Stale ids are recognised.
void *ecs_holder_get(const FiloWorld *world, const EcsComponentData *component, FiloEntity entity);
// Adds the component to an existing entity that lacks it, with its default value. NULL without memory.
void *ecs_holder_add(FiloWorld *world, EcsComponentData *component, FiloEntity entity);
bool ecs_holder_remove(FiloWorld *world, EcsComponentData *component, FiloEntity entity);
// Removes an entity from all holders.
void ecs_holders_remove_entity(FiloWorld *world, FiloEntity entity);

// ---- Sparse: sparse.h -----------------------------------------------------------------------------------

// Frees its arrays, not the struct.
void ecs_sparse_deinit(EcsSparse *sparse);

static inline uint32_t *ecs_sparse_slot(const EcsSparse *sparse, uint32_t index) {
    return FILO_LIKELY(index < sparse->slot_count) ? &sparse->slots[index] : NULL;
}

static inline void *ecs_sparse_get(const EcsSparse *sparse, FiloEntity entity) {
    const uint32_t *slot = ecs_sparse_slot(sparse, (uint32_t)entity.id);
    if (slot == NULL || *slot == 0 || sparse->entities[*slot - 1].id != entity.id) return NULL;
    // A tag has no values; any address but NULL means that the entity has it.
    return sparse->size > 0 ? sparse->values + (size_t)(*slot - 1) * sparse->size
                            : (void *)&sparse->entities[*slot - 1];
}

// Reserves slots for indices below `count`. False without memory.
bool ecs_sparse_reserve_slots(EcsSparse *sparse, size_t count);
// Grows to `capacity` rows, which is more than now. False without memory.
bool ecs_sparse_grow(EcsSparse *sparse, size_t capacity);
// Reserves one more row, and the slot of that entity. False without memory.
bool ecs_sparse_reserve(EcsSparse *sparse, FiloEntity entity);

static inline void *ecs_sparse_add(EcsSparse *sparse, FiloEntity entity) {
    uint32_t *slot = ecs_sparse_slot(sparse, (uint32_t)entity.id);
    if (FILO_UNLIKELY(slot == NULL || sparse->count == sparse->capacity)) {
        if (!ecs_sparse_reserve(sparse, entity)) return NULL;
        slot = ecs_sparse_slot(sparse, (uint32_t)entity.id);
    }
    size_t row = sparse->count++;
    sparse->entities[row] = entity;
    *slot = (uint32_t)row + 1;
    return sparse->size > 0 ? sparse->values + row * sparse->size : (void *)&sparse->entities[row];
}

// Moves the last entity to another row, without its value.
static inline void ecs_sparse_move(EcsSparse *sparse, size_t from, size_t to) {
    FiloEntity moved = sparse->entities[from];
    sparse->entities[to] = moved;
    sparse->slots[(uint32_t)moved.id] = (uint32_t)to + 1;
}

// Fills a row that is no longer in use: see ECS_POISON.
static inline void ecs_sparse_poison(EcsSparse *sparse, size_t row) {
#ifndef NDEBUG
    if (sparse->size > 0) memset(sparse->values + row * sparse->size, ECS_POISON, sparse->size);
#else
    (void)sparse, (void)row;
#endif
}

// Removes the entity with this slot, which is in the list.
static inline void ecs_sparse_remove_slot(EcsSparse *sparse, uint32_t *slot) {
    size_t row = *slot - 1, last = --sparse->count;
    *slot = 0;
    if (row != last) {
        ecs_sparse_move(sparse, last, row);
        if (sparse->size > 0)
            ecs_bytes_copy(sparse->values + row * sparse->size, sparse->values + last * sparse->size,
                           sparse->size);
    }
    ecs_sparse_poison(sparse, last);
}

static inline void ecs_sparse_remove(EcsSparse *sparse, FiloEntity entity) {
    ecs_sparse_remove_slot(sparse, ecs_sparse_slot(sparse, (uint32_t)entity.id));
}

// ---- Array: by entity index -----------------------------------------------------------------------------

typedef struct EcsArrayHolder {
    uint8_t *values;   // each with a generation behind it
    size_t capacity;   // values; a multiple of a page
    size_t stride;     // bytes from value to value
    size_t generation; // bytes from a value to its generation
    size_t count;
    size_t align;
    unsigned page_bits; // values in a page
    const FiloAllocator *allocator;
    const EcsComponentData *component; // whose hook moves values when it grows; NULL: as bytes
} EcsArrayHolder;

// The generation of the entity that has the value; 0: none. It is in the cache line of the value or the next one, so
// that a look-up in random order waits for memory once.
static inline uint16_t *ecs_array_holder_generation(const EcsArrayHolder *holder, const uint8_t *value) {
    return (uint16_t *)(void *)(value + holder->generation); // NOLINT: values are not const
}
// Marks a value as free: see ECS_POISON.
static inline void ecs_array_holder_free_value(const EcsArrayHolder *holder, uint8_t *value) {
#ifndef NDEBUG
    memset(value, ECS_POISON, holder->generation);
#endif
    *ecs_array_holder_generation(holder, value) = 0;
}

static inline void *ecs_array_holder_get(const EcsArrayHolder *holder, FiloEntity entity) {
    uint32_t index = (uint32_t)entity.id;
    if (FILO_UNLIKELY(index >= holder->capacity)) return NULL;
    uint8_t *value = holder->values + index * holder->stride;
    // FILO_ENTITY_NONE has the generation of a free value.
    uint64_t generation = entity.id >> 32;
    if (FILO_UNLIKELY(*ecs_array_holder_generation(holder, value) != generation || generation == 0))
        return NULL;
    return value;
}

// Reserves values for indices below `count`. False without memory.
bool ecs_array_holder_reserve(EcsArrayHolder *holder, size_t count);
// Marks the values of indices from `first` to `end` as free.
void ecs_array_holder_clear_range(const EcsArrayHolder *holder, size_t first, size_t end);

// ---- Tag: a bit by entity index -------------------------------------------------------------------------

typedef struct EcsTagHolder {
    FiloBits bits;
    size_t count;
} EcsTagHolder;

#endif
