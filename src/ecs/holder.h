// The built-in holders, as far as others look inside: the world for its quick paths, snapshots for their
// order.

#ifndef FILO_ECS_HOLDER_H
#define FILO_ECS_HOLDER_H

#include "ecs/rows.h"
#include "ecs/world.h"

// ---- Sparse: a dense list of entities and values, and by entity index the place in it -------------------

// What it owns, not itself.
void ecs_sparse_deinit(EcsSparse *sparse);

static inline uint32_t *ecs_sparse_slot(const EcsSparse *sparse, uint32_t index) {
    return FILO_LIKELY(index < sparse->slot_count) ? &sparse->slots[index] : NULL;
}

static inline void *ecs_sparse_get(const EcsSparse *sparse, FiloEntity entity) {
    const uint32_t *slot = ecs_sparse_slot(sparse, (uint32_t)entity.id);
    if (slot == NULL || *slot == 0 || sparse->entities[*slot - 1].id != entity.id) return NULL;
    // A tag has no values; any address says that it is there.
    return sparse->size > 0 ? sparse->values + (size_t)(*slot - 1) * sparse->size
                            : (void *)&sparse->entities[*slot - 1];
}

// Slots for indices below `count`, and a list for so many, which is more than there are. False without memory.
bool ecs_sparse_reach(EcsSparse *sparse, size_t count);
bool ecs_sparse_grow(EcsSparse *sparse, size_t capacity);
// Room for one more, where that entity has a slot. False without memory.
bool ecs_sparse_reserve(EcsSparse *sparse, FiloEntity entity);

static inline void *ecs_sparse_add(EcsSparse *sparse, FiloEntity entity) {
    uint32_t *slot = ecs_sparse_slot(sparse, (uint32_t)entity.id);
    if (FILO_UNLIKELY(slot == NULL || sparse->count == sparse->capacity)) {
        if (!ecs_sparse_reserve(sparse, entity)) return NULL;
        slot = ecs_sparse_slot(sparse, (uint32_t)entity.id);
    }
    size_t place = sparse->count++;
    sparse->entities[place] = entity;
    *slot = (uint32_t)place + 1;
    return sparse->size > 0 ? sparse->values + place * sparse->size : (void *)&sparse->entities[place];
}

// The entity at the end of the list goes to another place of it, without its value.
static inline void ecs_sparse_move(EcsSparse *sparse, size_t from, size_t to) {
    FiloEntity moved = sparse->entities[from];
    sparse->entities[to] = moved;
    sparse->slots[(uint32_t)moved.id] = (uint32_t)to + 1;
}

// Says that nothing is at a place of the list any more; see ECS_GONE.
static inline void ecs_sparse_leave(EcsSparse *sparse, size_t place) {
#ifndef NDEBUG
    if (sparse->size > 0) memset(sparse->values + place * sparse->size, ECS_GONE, sparse->size);
#else
    (void)sparse, (void)place;
#endif
}

// Takes out the entity whose slot this is, and which is there.
static inline void ecs_sparse_take_out(EcsSparse *sparse, uint32_t *slot) {
    size_t place = *slot - 1, last = --sparse->count;
    *slot = 0;
    if (place != last) {
        ecs_sparse_move(sparse, last, place);
        if (sparse->size > 0)
            ecs_bytes_copy(sparse->values + place * sparse->size, sparse->values + last * sparse->size,
                           sparse->size);
    }
    ecs_sparse_leave(sparse, last);
}

static inline void ecs_sparse_remove(EcsSparse *sparse, FiloEntity entity) {
    ecs_sparse_take_out(sparse, ecs_sparse_slot(sparse, (uint32_t)entity.id));
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
    const FiloComponentData *component; // whose hook moves values when it grows; NULL: as bytes
} EcsArrayHolder;

// The generation of the entity that has the value; 0: none has. In the same line of memory, or the next one, so
// that a look-up in any order waits once.
static inline uint16_t *ecs_array_holder_generation(const EcsArrayHolder *holder, const uint8_t *value) {
    return (uint16_t *)(void *)(value + holder->generation); // NOLINT: values are not const
}
// Says that no entity has the value any more; see ECS_GONE.
static inline void ecs_array_leave(const EcsArrayHolder *holder, uint8_t *value) {
#ifndef NDEBUG
    memset(value, ECS_GONE, holder->generation);
#endif
    *ecs_array_holder_generation(holder, value) = 0;
}

static inline void *ecs_array_holder_get(const EcsArrayHolder *holder, FiloEntity entity) {
    uint32_t index = (uint32_t)entity.id;
    if (FILO_UNLIKELY(index >= holder->capacity)) return NULL;
    uint8_t *value = holder->values + index * holder->stride;
    // An entity that is none has the generation of a place that is free.
    uint64_t generation = entity.id >> 32;
    if (FILO_UNLIKELY(*ecs_array_holder_generation(holder, value) != generation || generation == 0))
        return NULL;
    return value;
}

// Room for indices below `count`. False without memory.
bool ecs_array_holder_reach(EcsArrayHolder *holder, size_t count);
// Nobody from `first` on up to `end` has a value.
void ecs_array_holder_forget(const EcsArrayHolder *holder, size_t first, size_t end);

// ---- Tag: a bit by entity index, and how many are set -----------------------------------------------------

typedef struct EcsTagHolder {
    FiloBits bits;
    size_t count;
} EcsTagHolder;

#endif
