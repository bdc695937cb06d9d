// Lists of components with values, resolved. See pick.h.

#include "ecs/pick.h"
#include "ecs/observe.h"
#include "ecs/rows.h"

void filo_pick_free(FiloWorld *world, FiloPick *pick) {
    for (size_t i = 0; i < pick->count && pick->values != NULL; i++) {
        void *value = (void *)(uintptr_t)pick->items[i].value; // ours
        if (value != NULL) filo_value_end_aside(pick->items[i].data, value);
    }
    if (pick->values != pick->few_values)
        filo_free(world->allocator, pick->values, pick->values_size, FILO_CACHE_LINE);
    if (pick->items != pick->few)
        filo_free(world->allocator, pick->items, pick->capacity * sizeof *pick->items, 0);
}

// Puts a component into the list, which is kept in the order of ids; a later value replaces an earlier one.
static void insert(FiloPick *pick, FiloPicked item) {
    size_t at = pick->count;
    while (at > 0 && pick->items[at - 1].data->id > item.data->id) at--;
    if (at > 0 && pick->items[at - 1].data == item.data) {
        if (item.value != NULL) pick->items[at - 1].value = item.value;
        return;
    }
    for (size_t i = pick->count; i > at; i--) pick->items[i] = pick->items[i - 1];
    pick->items[at] = item;
    pick->count++;
}

static bool put_values_aside(FiloWorld *world, FiloPick *pick) {
    size_t size = 0;
    for (size_t i = 0; i < pick->count; i++)
        if (pick->items[i].value != NULL)
            size = FILO_ALIGN_UP(size, pick->items[i].data->align) + pick->items[i].data->size;
    pick->values_size = size;
    bool few = size <= sizeof pick->few_values;
    uint8_t *values = few ? pick->few_values : filo_alloc(world->allocator, size, FILO_CACHE_LINE);
    if (values == NULL) return false;
    pick->values = values;
    size = 0;
    for (size_t i = 0; i < pick->count; i++) {
        FiloPicked *item = &pick->items[i];
        if (item->value == NULL) continue;
        size = FILO_ALIGN_UP(size, item->data->align);
        filo_value_put_aside(item->data, values + size, item->value);
        item->value = values + size;
        size += item->data->size;
    }
    return true;
}

// Room for so many items. False without memory.
static bool reserve(FiloWorld *world, FiloPick *pick, size_t count) {
    if (FILO_LIKELY(count <= pick->capacity)) return true;
    size_t capacity = FILO_MAX(count, pick->capacity * 2);
    FiloPicked *items = filo_alloc(world->allocator, capacity * sizeof *items, 0);
    if (items == NULL) return false;
    memcpy(items, pick->items, pick->count * sizeof *items);
    if (pick->items != pick->few)
        filo_free(world->allocator, pick->items, pick->capacity * sizeof *pick->items, 0);
    pick->items = items;
    pick->capacity = capacity;
    return true;
}

// Puts a component into the list that was asked for, and those that it requires. False after a mistake or without memory.
static bool pick_one(FiloWorld *world, const FiloWith *with, FiloEntity entity, const char *what,
                     FiloPick *pick) {
    FiloComponent component =
        with->type != NULL ? filo_component_by_type(world, with->type()) : with->component;
    FiloComponentData *data = filo_component_data(world, component);
    if (data == NULL && with->type != NULL) // by its type: then the message says which
        return FILO_CHECK_MADE(
            false, "cannot %s: component %s is not registered in this world: filo_component(world, %s)", what,
            with->type()->name, with->type()->name);
    if (!filo_component_is_good(data, component, what) || data == NULL ||
        !reserve(world, pick, pick->count + 1 + data->required.count))
        return false;
    pick->outside = pick->outside || !data->in_table;
    pick->listed_outside = pick->listed_outside || !data->in_table;
    insert(pick, (FiloPicked){ data, with->value });
    if (FILO_LIKELY(data->required.count == 0)) return true;
    pick->required = true;
    if (entity.id != 0 && filo_entity_find(world, entity, data) != NULL) return true;
    filo_array_each (&data->required, item) {
        FiloComponentData *required = filo_component_data(world, *item);
        pick->outside = pick->outside || !required->in_table;
        insert(pick, (FiloPicked){ required, NULL });
    }
    return true;
}

bool filo_pick(FiloWorld *world, const FiloWith *with, size_t count, FiloEntity entity, const char *what,
               FiloPick *pick) {
    pick->count = 0;
    pick->capacity = FILO_COUNT_OF(pick->few);
    pick->items = pick->few;
    pick->outside = pick->listed_outside = pick->required = false;
    pick->values = NULL;
    pick->values_size = 0;
    bool good = reserve(world, pick, count);
    for (size_t i = 0; i < count && good; i++) good = pick_one(world, &with[i], entity, what, pick);
    if (good && put_values_aside(world, pick)) return true;
    filo_pick_free(world, pick);
    return false;
}

FiloTable *filo_pick_table(FiloWorld *world, const FiloPick *pick) {
    // Most of the time entities are created like the one before.
    FiloTable *last = world->last_created;
    uint32_t n = 0;
    for (size_t i = 0; i < pick->count; i++) {
        if (!pick->items[i].data->in_table) continue;
        if (n >= last->column_count || last->components[n] != pick->items[i].data->id) goto look_up;
        n++;
    }
    if (n == last->column_count) return last;
look_up:;
    uint32_t few[FILO_COUNT_OF(pick->few)] = { 0 }, *ids = few;
    if (pick->count > FILO_COUNT_OF(few)) ids = filo_alloc(world->allocator, pick->count * sizeof *ids, 0);
    if (ids == NULL) return NULL;
    n = 0;
    for (size_t i = 0; i < pick->count; i++)
        if (pick->items[i].data->in_table) ids[n++] = pick->items[i].data->id;
    FiloTable *table = filo_table_of(world, ids, n);
    if (ids != few) filo_free(world->allocator, ids, pick->count * sizeof *ids, 0);
    if (table != NULL) world->last_created = table;
    return table;
}

bool filo_pick_add_outside(FiloWorld *world, FiloEntity entity, const FiloPick *pick) {
    FiloComponentData *few[FILO_COUNT_OF(pick->few)], **added = few;
    size_t added_count = 0;
    if (pick->count > FILO_COUNT_OF(few))
        added = filo_alloc(world->allocator, pick->count * sizeof *added, 0);
    if (added == NULL) return false;
    bool good = true;
    for (size_t i = 0; i < pick->count && good; i++) {
        const FiloPicked *item = &pick->items[i];
        if (item->data->in_table || filo_holder_get(world, item->data, entity) != NULL) continue;
        good = filo_holder_add(world, item->data, entity) != NULL;
        if (good) added[added_count++] = item->data;
    }
    for (size_t i = 0; i < pick->count && good; i++) {
        const FiloPicked *item = &pick->items[i];
        if (item->data->in_table || item->value == NULL || item->data->size == 0) continue;
        filo_value_assign(item->data, filo_holder_get(world, item->data, entity), item->value);
        *item->data->version = world->version;
        if (item->data->watches_set) ecs_watch_set(world, item->data->watch, entity);
    }
    for (size_t i = 0; i < added_count && !good; i++) filo_holder_remove(world, added[i], entity);
    if (added != few) filo_free(world->allocator, added, pick->count * sizeof *added, 0);
    return good;
}
