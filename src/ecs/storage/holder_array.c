// Array storage: values by entity index, in one array up to the highest index that ever had the component. Each value
// is followed by the generation of its entity, or 0. So a look-up, including the test for a stale id, is two loads and
// a comparison.
//
// The capacity is a multiple of a page of up to 4,096 values. Snapshots copy and share values page by page.

#include "ecs/storage/holder.h"

#define PAGE_BYTES     FILO_KIB(256)  // at most
#define PAGE_BITS      12             // values, at most
#define LARGE_CAPACITY (FILO_MIB(16)) // bytes: from here on it grows by a quarter, not by a half

static void *create(size_t size, size_t align, const FiloAllocator *allocator) {
    EcsArrayHolder *holder = filo_alloc_zero(allocator, sizeof *holder, 0);
    if (holder == NULL) return NULL;
    holder->align = FILO_MAX(align, (size_t)16);
    holder->generation = FILO_ALIGN_UP(size, sizeof(uint16_t));
    holder->stride = FILO_ALIGN_UP(holder->generation + sizeof(uint16_t), FILO_MAX(align, sizeof(uint16_t)));
    holder->page_bits = PAGE_BITS;
    while (holder->page_bits > 0 && holder->stride << holder->page_bits > PAGE_BYTES) holder->page_bits--;
    holder->allocator = allocator;
    return holder;
}

static void destroy(void *data) {
    EcsArrayHolder *holder = data;
    filo_free(holder->allocator, holder->values, holder->capacity * holder->stride, holder->align);
    filo_free(holder->allocator, holder, sizeof *holder, 0);
}

static void move_values(const EcsArrayHolder *holder, uint8_t *to) {
    for (size_t at = 0; at < holder->capacity * holder->stride; at += holder->stride) {
        uint16_t generation = *ecs_array_holder_generation(holder, holder->values + at);
        *ecs_array_holder_generation(holder, to + at) = generation;
        if (generation != 0) ecs_rows_move(holder->component, to + at, holder->values + at, 1);
    }
}

static uint8_t *resize(const EcsArrayHolder *holder, size_t old, size_t new) {
    if (holder->component == NULL)
        return filo_resize(holder->allocator, holder->values, old, new, holder->align);
    uint8_t *values = filo_alloc(holder->allocator, new, holder->align);
    if (values == NULL) return NULL;
    move_values(holder, values);
    filo_free(holder->allocator, holder->values, old, holder->align);
    return values;
}

static bool grow_to(EcsArrayHolder *holder, size_t capacity) {
    size_t old = holder->capacity * holder->stride, new = capacity * holder->stride;
    uint8_t *values = resize(holder, old, new);
    if (values == NULL) return false;
    memset(values + old, 0, new - old);
    holder->values = values;
    holder->capacity = capacity;
    return true;
}

bool ecs_array_holder_reserve(EcsArrayHolder *holder, size_t count) {
    if (count <= holder->capacity) return true;
    size_t page = (size_t)1 << holder->page_bits, old = holder->capacity;
    size_t more = old * holder->stride < LARGE_CAPACITY ? old / 2 : old / 4;
    size_t needed = FILO_ALIGN_UP(count, page), wanted = FILO_MAX(needed, FILO_ALIGN_UP(old + more, page));
    // Without memory for geometric growth, it grows by no more than is needed.
    return grow_to(holder, wanted) || (needed < wanted && grow_to(holder, needed));
}

static void *add(void *data, FiloEntity entity) {
    EcsArrayHolder *holder = data;
    uint32_t index = (uint32_t)entity.id;
    if (!ecs_array_holder_reserve(holder, (size_t)index + 1)) return NULL;
    uint8_t *value = holder->values + index * holder->stride;
    *ecs_array_holder_generation(holder, value) = (uint16_t)(entity.id >> 32);
    holder->count++;
    return value;
}

static void remove_entity(void *data, FiloEntity entity) {
    EcsArrayHolder *holder = data;
    ecs_array_holder_free_value(holder, holder->values + (uint32_t)entity.id * holder->stride);
    holder->count--;
}

static void *get(const void *holder, FiloEntity entity) { return ecs_array_holder_get(holder, entity); }

static size_t count(const void *holder) { return ((const EcsArrayHolder *)holder)->count; }

// By index.
static bool next(const void *data, uint64_t *cursor, FiloEntity *entity) {
    const EcsArrayHolder *holder = data;
    while (*cursor < holder->capacity) {
        uint64_t index = (*cursor)++;
        uint16_t generation = *ecs_array_holder_generation(holder, holder->values + index * holder->stride);
        if (generation == 0) continue;
        *entity = ecs_entity_make((uint32_t)index, generation);
        return true;
    }
    return false;
}

void ecs_array_holder_clear_range(const EcsArrayHolder *holder, size_t first, size_t end) {
    for (size_t i = first; i < end; i++)
        *ecs_array_holder_generation(holder, holder->values + i * holder->stride) = 0;
}

static void clear(void *data) {
    EcsArrayHolder *holder = data;
    ecs_array_holder_clear_range(holder, 0, holder->capacity);
    holder->count = 0;
}

const FiloHolderInterface ecs_holder_array = {
    .name = "array",
    .create = create,
    .destroy = destroy,
    .add = add,
    .remove = remove_entity,
    .get = get,
    .count = count,
    .next = next,
    .clear = clear,
};
