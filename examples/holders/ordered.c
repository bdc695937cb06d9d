// The list is sorted by entity index. One that goes leaves a gap: its index stays, with the generation 0, so
// the list is still sorted. The next one that belongs there fills the gap; a refresh closes them when there
// are many.

#include "ordered.h"

#include <string.h>

typedef struct Ordered {
    FiloEntity *entities; // [used], by index; generation 0: a gap
    uint8_t *values;      // [used × size]
    size_t used, gaps, capacity;
    size_t size, align;
    const FiloAllocator *allocator;
} Ordered;

#define NEAR 64 // a gap so many places away is worth moving what lies before it

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

static bool is_gap(const Ordered *list, size_t place) {
    return filo_entity_generation(list->entities[place]) == 0;
}

// The first place whose index is not below `index`.
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

// A tag has no value: the place of its entity says that it is there.
static void *value_at(const Ordered *list, size_t place) {
    return list->size > 0 ? list->values + place * list->size : (uint8_t *)&list->entities[place];
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

// Makes room at `place` by moving everything up to the next gap, or all that follow.
static bool make_room(Ordered *list, size_t place) {
    size_t end = place;
    while (end < list->used && end < place + NEAR && !is_gap(list, end)) end++;
    if (end < list->used && end < place + NEAR) {
        list->gaps--;
    } else {
        if (list->used == list->capacity && !grow(list)) return false;
        end = list->used++;
    }
    memmove(list->entities + place + 1, list->entities + place, (end - place) * sizeof *list->entities);
    if (list->size > 0)
        memmove(list->values + (place + 1) * list->size, list->values + place * list->size,
                (end - place) * list->size);
    return true;
}

static void *add(void *holder, FiloEntity entity) {
    Ordered *list = holder;
    size_t place = find(list, filo_entity_index(entity));
    if (place > 0 && is_gap(list, place - 1)) {
        place--; // its index is lower, and that of the one before it lower still
        list->gaps--;
    } else if (!make_room(list, place)) {
        return NULL;
    }
    list->entities[place] = entity;
    return value_at(list, place);
}

static void remove_entity(void *holder, FiloEntity entity) {
    Ordered *list = holder;
    list->entities[find(list, filo_entity_index(entity))].id = filo_entity_index(entity);
    list->gaps++;
}

static void *get(const void *holder, FiloEntity entity) {
    const Ordered *list = holder;
    size_t place = find(list, filo_entity_index(entity));
    return place < list->used && list->entities[place].id == entity.id ? value_at(list, place) : NULL;
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
    size_t kept = 0;
    for (size_t i = 0; i < list->used; i++) {
        if (is_gap(list, i)) continue;
        list->entities[kept] = list->entities[i];
        if (kept != i && list->size > 0)
            memcpy(list->values + kept * list->size, list->values + i * list->size, list->size);
        kept++;
    }
    list->used = kept;
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
