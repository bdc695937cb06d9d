// The list is sorted by entity index. An entity that is removed leaves a gap: its index stays, with the generation 0,
// so the list is still sorted. A later entity that belongs there fills the gap. A refresh closes the gaps if there are
// many.

#include "ordered.h"

#include <string.h>

typedef struct Ordered {
    FiloEntity *entities; // [used], by index; generation 0: a gap
    uint8_t *values;      // [used × size]
    size_t used, gaps, capacity;
    size_t size, align;
    const FiloAllocator *allocator;
} Ordered;

#define NEAR 64 // a gap within so many entries is filled by moving the entries before it

static void *create(size_t size, size_t align, const FiloAllocator *allocator) {
    Ordered *list = filo_alloc_zero(allocator, sizeof *list, 0);
    if (list == NULL) return NULL;
    list->size = size;
    list->align = align;
    list->allocator = allocator;
    return list;
}

static void destroy(void *holder) {
    Ordered *list = holder;
    filo_free(list->allocator, list->entities, list->capacity * sizeof *list->entities, 0);
    filo_free(list->allocator, list->values, list->capacity * list->size, list->align);
    filo_free(list->allocator, list, sizeof *list, 0);
}

static bool is_gap(const Ordered *list, size_t at) { return filo_entity_generation(list->entities[at]) == 0; }

// The first position whose entity index is not below `index`.
static size_t find(const Ordered *list, uint32_t index) {
    size_t low = 0, high = list->used;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (filo_entity_index(list->entities[middle]) < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// A tag has no value: the address of its entity stands for it.
static void *value_at(const Ordered *list, size_t at) {
    return list->size > 0 ? list->values + at * list->size : (uint8_t *)&list->entities[at];
}

static bool grow(Ordered *list) {
    size_t capacity = list->capacity < 4 ? 4 : list->capacity + list->capacity / 2;
    FiloEntity *entities = filo_alloc(list->allocator, capacity * sizeof *entities, 0);
    uint8_t *values = filo_alloc(list->allocator, capacity * list->size, list->align);
    if (entities == NULL || (values == NULL && list->size > 0)) {
        filo_free(list->allocator, entities, capacity * sizeof *entities, 0);
        filo_free(list->allocator, values, capacity * list->size, list->align);
        return false;
    }
    if (list->used > 0) memcpy(entities, list->entities, list->used * sizeof *entities);
    if (list->used > 0 && list->size > 0) memcpy(values, list->values, list->used * list->size);
    filo_free(list->allocator, list->entities, list->capacity * sizeof *entities, 0);
    filo_free(list->allocator, list->values, list->capacity * list->size, list->align);
    list->entities = entities;
    list->values = values;
    list->capacity = capacity;
    return true;
}

// Frees position `at` by moving the entries up to the next gap, or all that follow. False without memory.
static bool shift_up(Ordered *list, size_t at) {
    size_t end = at;
    while (end < list->used && end < at + NEAR && !is_gap(list, end)) end++;
    if (end < list->used && end < at + NEAR) {
        list->gaps--;
    } else {
        if (list->used == list->capacity && !grow(list)) return false;
        end = list->used++;
    }
    memmove(list->entities + at + 1, list->entities + at, (end - at) * sizeof *list->entities);
    if (list->size > 0)
        memmove(list->values + (at + 1) * list->size, list->values + at * list->size,
                (end - at) * list->size);
    return true;
}

static void *add(void *holder, FiloEntity entity) {
    Ordered *list = holder;
    size_t at = find(list, filo_entity_index(entity));
    if (at > 0 && is_gap(list, at - 1)) {
        at--; // the index of the gap is lower, and that of the entry before it lower still
        list->gaps--;
    } else if (!shift_up(list, at)) {
        return NULL;
    }
    list->entities[at] = entity;
    return value_at(list, at);
}

static void remove_entity(void *holder, FiloEntity entity) {
    Ordered *list = holder;
    list->entities[find(list, filo_entity_index(entity))].id = filo_entity_index(entity);
    list->gaps++;
}

static void *get(const void *holder, FiloEntity entity) {
    const Ordered *list = holder;
    size_t at = find(list, filo_entity_index(entity));
    return at < list->used && list->entities[at].id == entity.id ? value_at(list, at) : NULL;
}

static size_t count(const void *holder) {
    const Ordered *list = holder;
    return list->used - list->gaps;
}

static bool next(const void *holder, uint64_t *cursor, FiloEntity *entity) {
    const Ordered *list = holder;
    while (*cursor < list->used && is_gap(list, *cursor)) ++*cursor;
    if (*cursor >= list->used) return false;
    *entity = list->entities[(*cursor)++];
    return true;
}

static void refresh(void *holder) {
    Ordered *list = holder;
    if (list->gaps * 4 <= list->used) return;
    size_t count_left = 0;
    for (size_t i = 0; i < list->used; i++) {
        if (is_gap(list, i)) continue;
        list->entities[count_left] = list->entities[i];
        if (count_left != i && list->size > 0)
            memcpy(list->values + count_left * list->size, list->values + i * list->size, list->size);
        count_left++;
    }
    list->used = count_left;
    list->gaps = 0;
}

static void clear(void *holder) {
    Ordered *list = holder;
    list->used = list->gaps = 0;
}

const FiloHolderInterface ordered_holder = {
    .name = "ordered",
    .create = create,
    .destroy = destroy,
    .add = add,
    .remove = remove_entity,
    .get = get,
    .count = count,
    .next = next,
    .refresh = refresh,
    .clear = clear,
};
