// Sparse storage: a sparse set (Briggs and Torczon, "An efficient representation for sparse sets", 1993). Entities and
// values are dense arrays. `slots` leads from an entity index to the row + 1, or is 0.
//
// `slots` is one array without pages, four bytes for each index up to the highest that ever had the component, because
// every access begins with a load from it.

#include "ecs/storage/holder.h"

#define FIRST_SLOTS ((size_t)1024)

static void *create(size_t size, size_t align, const FiloAllocator *allocator) {
    EcsSparse *sparse = filo_alloc_zero(allocator, sizeof *sparse, 0);
    if (sparse == NULL) return NULL;
    sparse->size = size;
    sparse->align = (uint32_t)FILO_MAX(align, (size_t)16);
    sparse->allocator = allocator;
    return sparse;
}

void ecs_sparse_deinit(EcsSparse *sparse) {
    filo_free(sparse->allocator, sparse->slots, sparse->slot_count * sizeof *sparse->slots, 0);
    filo_free(sparse->allocator, sparse->entities, sparse->capacity * sizeof *sparse->entities, 0);
    filo_free(sparse->allocator, sparse->values, sparse->capacity * sparse->size, sparse->align);
}

static void destroy(void *holder) {
    EcsSparse *sparse = holder;
    ecs_sparse_deinit(sparse);
    filo_free(sparse->allocator, sparse, sizeof *sparse, 0);
}

bool ecs_sparse_reserve_slots(EcsSparse *sparse, size_t count) {
    if (count <= sparse->slot_count) return true;
    size_t slot_count =
        FILO_ALIGN_UP(FILO_MAX(count, (size_t)sparse->slot_count + sparse->slot_count / 2), FIRST_SLOTS);
    uint32_t *slots = filo_alloc_zero(sparse->allocator, slot_count * sizeof *slots, 0);
    if (slots == NULL) return false;
    for (size_t i = 0; i < sparse->count; i++) {
        uint32_t index = (uint32_t)sparse->entities[i].id;
        slots[index] = sparse->slots[index];
    }
    filo_free(sparse->allocator, sparse->slots, sparse->slot_count * sizeof *slots, 0);
    sparse->slots = slots;
    sparse->slot_count = (uint32_t)slot_count;
    return true;
}

bool ecs_sparse_grow(EcsSparse *sparse, size_t capacity) {
    FiloEntity *entities = filo_alloc(sparse->allocator, capacity * sizeof *entities, 0);
    uint8_t *values = filo_alloc(sparse->allocator, capacity * sparse->size, sparse->align);
    if (entities == NULL || (values == NULL && sparse->size > 0)) {
        filo_free(sparse->allocator, entities, capacity * sizeof *entities, 0);
        filo_free(sparse->allocator, values, capacity * sparse->size, sparse->align);
        return false;
    }
    if (sparse->count > 0) memcpy(entities, sparse->entities, sparse->count * sizeof *entities);
    if (sparse->count > 0 && sparse->size > 0) memcpy(values, sparse->values, sparse->count * sparse->size);
    filo_free(sparse->allocator, sparse->entities, sparse->capacity * sizeof *entities, 0);
    filo_free(sparse->allocator, sparse->values, sparse->capacity * sparse->size, sparse->align);
    sparse->entities = entities;
    sparse->values = values;
    sparse->capacity = (uint32_t)capacity;
    return true;
}

bool ecs_sparse_reserve(EcsSparse *sparse, FiloEntity entity) {
    return (ecs_sparse_slot(sparse, (uint32_t)entity.id) != NULL ||
            ecs_sparse_reserve_slots(sparse, (size_t)(uint32_t)entity.id + 1)) &&
           (sparse->count < sparse->capacity ||
            ecs_sparse_grow(sparse, FILO_MAX((size_t)sparse->capacity * 2, (size_t)16)));
}

static void *add(void *holder, FiloEntity entity) { return ecs_sparse_add(holder, entity); }

static void remove_entity(void *holder, FiloEntity entity) { ecs_sparse_remove(holder, entity); }

static void *get(const void *holder, FiloEntity entity) { return ecs_sparse_get(holder, entity); }

static size_t count(const void *holder) { return ((const EcsSparse *)holder)->count; }

static bool next(const void *holder, uint64_t *cursor, FiloEntity *entity) {
    const EcsSparse *sparse = holder;
    if (*cursor >= sparse->count) return false;
    *entity = sparse->entities[(*cursor)++];
    return true;
}

static void clear(void *holder) {
    EcsSparse *sparse = holder;
    for (size_t i = 0; i < sparse->count; i++) *ecs_sparse_slot(sparse, (uint32_t)sparse->entities[i].id) = 0;
    sparse->count = 0;
}

const FiloHolderInterface ecs_holder_sparse = {
    .name = "sparse",
    .create = create,
    .destroy = destroy,
    .add = add,
    .remove = remove_entity,
    .get = get,
    .count = count,
    .next = next,
    .clear = clear,
};
