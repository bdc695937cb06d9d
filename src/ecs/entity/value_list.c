// Resolved lists of components with values: see value_list.h.

#include "ecs/entity/value_list.h"
#include "ecs/entity/entity.h"
#include "ecs/observe/notify.h"
#include "ecs/storage/holder.h"

void ecs_value_list_free(FiloWorld *world, EcsValueList *list) {
    for (size_t i = 0; i < list->count && list->values != NULL; i++) {
        void *value = (void *)(uintptr_t)list->items[i].value; // the copy, which belongs to the list
        if (value != NULL) ecs_value_end_temporary(list->items[i].data, value);
    }
    if (list->values != list->few_values)
        filo_free(world->allocator, list->values, list->values_size, FILO_CACHE_LINE);
    if (list->items != list->few)
        filo_free(world->allocator, list->items, list->capacity * sizeof *list->items, 0);
}

// Inserts a component into the list, in the order of ids. A later value replaces an earlier one.
static void insert(EcsValueList *list, EcsListedValue item) {
    size_t at = list->count;
    while (at > 0 && list->items[at - 1].data->id > item.data->id) at--;
    if (at > 0 && list->items[at - 1].data == item.data) {
        if (item.value != NULL) list->items[at - 1].value = item.value;
        return;
    }
    for (size_t i = list->count; i > at; i--) list->items[i] = list->items[i - 1];
    list->items[at] = item;
    list->count++;
}

// Replaces the values by temporary copies. False without memory.
static bool copy_values(FiloWorld *world, EcsValueList *list) {
    size_t size = 0;
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].value != NULL)
            size = FILO_ALIGN_UP(size, list->items[i].data->align) + list->items[i].data->size;
    list->values_size = size;
    bool few = size <= sizeof list->few_values;
    uint8_t *values = few ? list->few_values : filo_alloc(world->allocator, size, FILO_CACHE_LINE);
    if (values == NULL) return false;
    list->values = values;
    size = 0;
    for (size_t i = 0; i < list->count; i++) {
        EcsListedValue *item = &list->items[i];
        if (item->value == NULL) continue;
        size = FILO_ALIGN_UP(size, item->data->align);
        ecs_value_begin_temporary(item->data, values + size, item->value);
        item->value = values + size;
        size += item->data->size;
    }
    return true;
}

// Reserves memory for this many items. False without memory.
static bool reserve(FiloWorld *world, EcsValueList *list, size_t count) {
    if (FILO_LIKELY(count <= list->capacity)) return true;
    size_t capacity = FILO_MAX(count, list->capacity * 2);
    EcsListedValue *items = filo_alloc(world->allocator, capacity * sizeof *items, 0);
    if (items == NULL) return false;
    memcpy(items, list->items, list->count * sizeof *items);
    if (list->items != list->few)
        filo_free(world->allocator, list->items, list->capacity * sizeof *list->items, 0);
    list->items = items;
    list->capacity = capacity;
    return true;
}

// Adds a component that the caller listed, and those that it requires. False after a mistake or without memory.
static bool add_listed(FiloWorld *world, const FiloComponentValue *listed, FiloEntity entity,
                       const char *what, EcsValueList *list) {
    FiloComponent component = listed->component_type != NULL
                                  ? ecs_component_by_type(world, listed->component_type())
                                  : listed->component;
    EcsComponentData *data = ecs_component_data(world, component);
    if (data == NULL && listed->component_type != NULL) // the message names the type
        return FILO_CHECK_MADE(
            false, "cannot %s: component %s is not registered in this world: call %s first", what,
            listed->component_type()->name, ecs_registering_call(listed->component_type()).text);
    if (!ecs_component_is_valid(data, component, what) || data == NULL ||
        !ecs_bound_is_valid(world, listed) || !reserve(world, list, list->count + 1 + data->required.count))
        return false;
    list->outside = list->outside || !data->in_table;
    list->listed_outside = list->listed_outside || !data->in_table;
    insert(list, (EcsListedValue){ data, listed->value });
    if (FILO_LIKELY(data->required.count == 0)) return true;
    list->required = true;
    if (entity.id != 0 && ecs_entity_find(world, entity, data) != NULL) return true;
    filo_array_each (&data->required, item) {
        EcsComponentData *required = ecs_component_data(world, *item);
        list->outside = list->outside || !required->in_table;
        insert(list, (EcsListedValue){ required, NULL });
    }
    return true;
}

bool ecs_value_list_resolve(FiloWorld *world, const FiloComponentValue *values, size_t count,
                            FiloEntity entity, const char *what, EcsValueList *list) {
    list->count = 0;
    list->capacity = FILO_COUNT_OF(list->few);
    list->items = list->few;
    list->outside = list->listed_outside = list->required = false;
    list->values = NULL;
    list->values_size = 0;
    bool ok = reserve(world, list, count);
    for (size_t i = 0; i < count && ok; i++) ok = add_listed(world, &values[i], entity, what, list);
    if (ok && copy_values(world, list)) return true;
    ecs_value_list_free(world, list);
    return false;
}

EcsTable *ecs_value_list_table(FiloWorld *world, const EcsValueList *list) {
    uint32_t few[FILO_COUNT_OF(list->few)] = { 0 }, *ids = few, n = 0;
    if (list->count > FILO_COUNT_OF(few)) ids = filo_alloc(world->allocator, list->count * sizeof *ids, 0);
    if (ids == NULL) return NULL;
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].data->in_table) ids[n++] = list->items[i].data->id;
    EcsTable *table = ecs_table_of(world, ids, n);
    if (ids != few) filo_free(world->allocator, ids, list->count * sizeof *ids, 0);
    return table;
}

bool ecs_value_list_add_outside(FiloWorld *world, FiloEntity entity, const EcsValueList *list) {
    EcsComponentData *few[FILO_COUNT_OF(list->few)], **added = few;
    size_t added_count = 0;
    if (list->count > FILO_COUNT_OF(few))
        added = filo_alloc(world->allocator, list->count * sizeof *added, 0);
    if (added == NULL) return false;
    bool ok = true;
    for (size_t i = 0; i < list->count && ok; i++) {
        const EcsListedValue *item = &list->items[i];
        if (item->data->in_table || ecs_holder_get(world, item->data, entity) != NULL) continue;
        ok = ecs_holder_add(world, item->data, entity) != NULL;
        if (ok) added[added_count++] = item->data;
    }
    for (size_t i = 0; i < list->count && ok; i++) {
        const EcsListedValue *item = &list->items[i];
        if (item->data->in_table || item->value == NULL || item->data->size == 0) continue;
        ecs_value_assign(item->data, ecs_holder_get(world, item->data, entity), item->value);
        *item->data->version = world->version;
        if (item->data->watches_set) ecs_watch_set(world, item->data->watch, entity);
    }
    for (size_t i = 0; i < added_count && !ok; i++) ecs_holder_remove(world, added[i], entity);
    if (added != few) filo_free(world->allocator, added, list->count * sizeof *added, 0);
    return ok;
}
