// Map storage: a hash map by entity id, for components that very few entities have. And tags: a set of bits
// by entity index.

#include "ecs/holder.h"

// ---- Map ------------------------------------------------------------------------------------------------

typedef struct MapHolder {
    FiloMap map;
    const FiloAllocator *allocator;
} MapHolder;

static void *create(size_t size, size_t align, const FiloAllocator *allocator) {
    FILO_UNUSED(align); // registration made sure that the map's 16 are enough
    MapHolder *holder = filo_alloc_zero(allocator, sizeof *holder, 0);
    if (holder == NULL) return NULL;
    filo_map_init(&holder->map, FILO_MAX(size, (size_t)1), allocator);
    holder->allocator = allocator;
    return holder;
}

static void destroy(void *data) {
    MapHolder *holder = data;
    filo_map_deinit(&holder->map);
    filo_free(holder->allocator, holder, sizeof *holder, 0);
}

static void *add(void *holder, FiloEntity entity) {
    return filo_map_put(&((MapHolder *)holder)->map, entity.id);
}

static void remove_entity(void *holder, FiloEntity entity) {
    filo_map_remove(&((MapHolder *)holder)->map, entity.id);
}

static void *get(const void *holder, FiloEntity entity) {
    return filo_map_get(&((const MapHolder *)holder)->map, entity.id);
}

static size_t count(const void *holder) { return filo_map_count(&((const MapHolder *)holder)->map); }

static bool next(const void *data, uint64_t *cursor, FiloEntity *entity) {
    const MapHolder *holder = data;
    if (*cursor >= filo_map_count(&holder->map)) return false;
    entity->id = filo_map_key_at(&holder->map, (*cursor)++);
    return true;
}

static void clear(void *holder) { filo_map_clear(&((MapHolder *)holder)->map); }

const FiloHolderInterface filo_holder_map = {
    .name = "map",
    .create = create,
    .destroy = destroy,
    .add = add,
    .remove = remove_entity,
    .get = get,
    .count = count,
    .next = next,
    .clear = clear,
};

// ---- Tags -----------------------------------------------------------------------------------------------

static void *tag_create(size_t size, size_t align, const FiloAllocator *allocator) {
    FILO_UNUSED(size), FILO_UNUSED(align);
    FiloTagHolder *holder = filo_alloc_zero(allocator, sizeof *holder, 0);
    if (holder != NULL) filo_bits_init(&holder->bits, allocator);
    return holder;
}

static void tag_destroy(void *data) {
    FiloTagHolder *holder = data;
    const FiloAllocator *allocator = holder->bits.allocator;
    filo_bits_deinit(&holder->bits);
    filo_free(allocator, holder, sizeof *holder, 0);
}

static void *tag_add(void *data, FiloEntity entity) {
    FiloTagHolder *holder = data;
    uint32_t index = (uint32_t)entity.id;
    if (FILO_UNLIKELY(index >= holder->bits.count) &&
        !filo_bits_resize(&holder->bits, FILO_MAX((size_t)index + 1, holder->bits.count * 2)))
        return NULL;
    filo_bits_set(&holder->bits, index);
    holder->count++;
    return holder;
}

static void tag_remove(void *data, FiloEntity entity) {
    FiloTagHolder *holder = data;
    filo_bits_clear(&holder->bits, (uint32_t)entity.id);
    holder->count--;
}

static void *tag_get(const void *data, FiloEntity entity) {
    const FiloTagHolder *holder = data;
    return filo_bits_test(&holder->bits, (uint32_t)entity.id) ? (void *)(uintptr_t)holder : NULL;
}

static size_t tag_count(const void *holder) { return ((const FiloTagHolder *)holder)->count; }

// By index; the generation is not known here: the world fills it in.
static bool tag_next(const void *data, uint64_t *cursor, FiloEntity *entity) {
    const FiloTagHolder *holder = data;
    size_t index = filo_bits_next(&holder->bits, *cursor);
    if (index == FILO_BITS_NONE) return false;
    entity->id = index;
    *cursor = index + 1;
    return true;
}

static void tag_clear(void *data) {
    FiloTagHolder *holder = data;
    filo_bits_clear_all(&holder->bits);
    holder->count = 0;
}

const FiloHolderInterface filo_holder_tag = {
    .name = "tag",
    .create = tag_create,
    .destroy = tag_destroy,
    .add = tag_add,
    .remove = tag_remove,
    .get = tag_get,
    .count = tag_count,
    .next = tag_next,
    .clear = tag_clear,
};
