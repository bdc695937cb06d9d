// Map storage: a hash map by entity id, for components that very few entities have.

#include "ecs/storage/holder.h"

typedef struct MapHolder {
    FiloMap map;
    const FiloAllocator *allocator;
} MapHolder;

static void *create(size_t size, size_t align, const FiloAllocator *allocator) {
    FILO_UNUSED(align); // registration made sure that the 16 of a map are enough
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

const FiloHolderInterface ecs_holder_map = {
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
