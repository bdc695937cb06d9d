// Tag storage: a bit set by entity index. It stores no generations: the world tests whether the entity exists.

#include "ecs/storage/holder.h"

static void *create(size_t size, size_t align, const FiloAllocator *allocator) {
    FILO_UNUSED(size), FILO_UNUSED(align);
    EcsTagHolder *holder = filo_alloc_zero(allocator, sizeof *holder, 0);
    if (holder != NULL) filo_bits_init(&holder->bits, allocator);
    return holder;
}

static void destroy(void *data) {
    EcsTagHolder *holder = data;
    const FiloAllocator *allocator = holder->bits.allocator;
    filo_bits_deinit(&holder->bits);
    filo_free(allocator, holder, sizeof *holder, 0);
}

static void *add(void *data, FiloEntity entity) {
    EcsTagHolder *holder = data;
    uint32_t index = (uint32_t)entity.id;
    if (FILO_UNLIKELY(index >= holder->bits.count) &&
        !filo_bits_resize(&holder->bits, FILO_MAX((size_t)index + 1, holder->bits.count * 2)))
        return NULL;
    filo_bits_set(&holder->bits, index);
    holder->count++;
    return holder;
}

static void remove_entity(void *data, FiloEntity entity) {
    EcsTagHolder *holder = data;
    filo_bits_clear(&holder->bits, (uint32_t)entity.id);
    holder->count--;
}

static void *get(const void *data, FiloEntity entity) {
    const EcsTagHolder *holder = data;
    return filo_bits_test(&holder->bits, (uint32_t)entity.id) ? (void *)(uintptr_t)holder : NULL;
}

static size_t count(const void *holder) { return ((const EcsTagHolder *)holder)->count; }

// In the order of indices. The generation is left 0; the caller reads it from the directory.
static bool next(const void *data, uint64_t *cursor, FiloEntity *entity) {
    const EcsTagHolder *holder = data;
    size_t index = filo_bits_next(&holder->bits, *cursor);
    if (index == FILO_BITS_NONE) return false;
    entity->id = index;
    *cursor = index + 1;
    return true;
}

static void clear(void *data) {
    EcsTagHolder *holder = data;
    filo_bits_clear_all(&holder->bits);
    holder->count = 0;
}

const FiloHolderInterface ecs_holder_tag = {
    .name = "tag",
    .create = create,
    .destroy = destroy,
    .add = add,
    .remove = remove_entity,
    .get = get,
    .count = count,
    .next = next,
    .clear = clear,
};
