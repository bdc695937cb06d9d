// One component of one entity: get, edit, set, add and remove for every storage, with all checks; and global
// components. fast_path.c handles the common cases, and passes the others on to the functions here.

#include "ecs/entity/entity.h"
#include "ecs/entity/value_list.h"
#include "ecs/observe/notify.h"
#include "ecs/storage/holder.h"

bool ecs_entity_is_valid(const EcsRecord *record, FiloEntity entity, const char *what) {
    if (entity.id == 0) // what functions return without memory for an entity
        return FILO_CHECK_MADE(record != NULL, "cannot %s: entity 0.0 does not exist (any more)", what);
    return FILO_CHECK(record != NULL, "cannot %s: entity %u.%u does not exist (any more)", what,
                      filo_entity_index(entity), filo_entity_generation(entity));
}

bool ecs_component_is_valid(const EcsComponentData *data, FiloComponent component, const char *what) {
    return FILO_CHECK_MADE(data != NULL, "cannot %s: component %u is not registered in this world", what,
                           component.id) &&
           FILO_CHECK(
               data->global == NULL,
               "cannot %s: component %s is global; use filo_set_global, filo_get_global or filo_edit_global",
               what, data->info.name) &&
           FILO_CHECK(data->settable,
                      "cannot %s: the world manages component %s; use the functions for names and families",
                      what, data->info.name);
}

// ---- Getting and editing ----------------------------------------------------------------------------------

// The value of a table component; NULL if the entity has none. Not NULL for a tag that it has.
static inline void *table_get(const FiloWorld *world, const EcsRecord *record, const EcsComponentData *data) {
    uint32_t location = ecs_record_location(record);
    const EcsChunkInfo *chunk = ecs_chunk_of(world, location);
    const EcsPartition *partition = chunk->partition;
    uint32_t column = ecs_table_column(partition->table, data->id);
    if (FILO_UNLIKELY(column == ECS_NO_COLUMN)) return NULL;
    return chunk->base + partition->offsets[column] + (size_t)ecs_row_of(location) * data->size;
}

void *ecs_component_find(const FiloWorld *world, FiloEntity entity, const EcsRecord *record,
                         const EcsComponentData *data) {
    return data->in_table ? table_get(world, record, data) : ecs_holder_get(world, data, entity);
}

void ecs_component_mark_changed(FiloWorld *world, const EcsRecord *record, EcsComponentData *data) {
    if (!data->in_table) {
        // Atomic, because systems may do this on several threads at once, always with the same version.
        __atomic_store_n(data->version, world->version, __ATOMIC_RELAXED);
        return;
    }
    const EcsChunkInfo *chunk = ecs_chunk_of(world, ecs_record_location(record));
    uint32_t column = ecs_table_column(chunk->partition->table, data->id);
    ecs_column_mark_changed(world, chunk->base, column);
}

void *ecs_entity_find(const FiloWorld *world, FiloEntity entity, const EcsComponentData *data) {
    if (FILO_UNLIKELY(data == NULL)) return NULL;
    if (!data->in_table) return ecs_holder_get(world, data, entity);
    const EcsRecord *record = ecs_record_find(world, entity);
    return FILO_LIKELY(record != NULL) ? table_get(world, record, data) : NULL;
}

static FILO_COLD void *cannot_edit(const EcsRecord *record, FiloEntity entity, const EcsComponentData *data,
                                   FiloComponent component) {
    static const char what[] = "edit a component";
    (void)(ecs_component_is_valid(data, component, what) && ecs_entity_is_valid(record, entity, what));
    return NULL;
}

void *filo_entity_try_edit(FiloWorld *world, FiloEntity entity, FiloComponent component) {
    if (!ecs_may_read(world)) return NULL;
    EcsComponentData *data = ecs_component_data(world, component);
    const EcsRecord *record = ecs_record_find(world, entity);
    if (FILO_UNLIKELY(data == NULL || !data->settable || record == NULL))
        return cannot_edit(record, entity, data, component);
    if (!ecs_may_access(world, data, FILO_ACCESS_WRITE)) return NULL;
    if (!data->in_table) {
        void *value = ecs_holder_get(world, data, entity);
        if (value != NULL) __atomic_store_n(data->version, world->version, __ATOMIC_RELAXED);
        return value;
    }
    uint32_t location = ecs_record_location(record);
    const EcsChunkInfo *chunk = ecs_chunk_of(world, location);
    const EcsPartition *partition = chunk->partition;
    uint32_t column = ecs_table_column(partition->table, data->id);
    if (FILO_UNLIKELY(column == ECS_NO_COLUMN)) return NULL;
    ecs_column_mark_changed(world, chunk->base, column);
    return chunk->base + partition->offsets[column] + (size_t)ecs_row_of(location) * data->size;
}

static FILO_COLD void report_missing(const FiloWorld *world, FiloEntity entity, FiloComponent component) {
    const EcsComponentData *data = ecs_component_data(world, component);
    if (data == NULL || !data->settable || ecs_record_find(world, entity) == NULL) return; // was reported
    (void)FILO_CHECK(
        ecs_entity_find(world, entity, data) != NULL,
        "cannot edit a component: entity %u.%u has no %s; add it first, or ask with filo_try_edit",
        filo_entity_index(entity), filo_entity_generation(entity), data->info.name);
}

void *filo_entity_edit(FiloWorld *world, FiloEntity entity, FiloComponent component) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return NULL;
    void *value = filo_entity_try_edit(world, entity, component);
    if (FILO_UNLIKELY(value == NULL) && !ecs_is_beside_tick(world)) report_missing(world, entity, component);
    return value;
}

// ---- Adding and removing ----------------------------------------------------------------------------------

// Adds a table component that the entity lacks, with those that it requires, which are all in tables. NULL without
// memory.
static inline void *add_to_table(FiloWorld *world, FiloEntity entity, EcsRecord *record, EcsPartition *from,
                                 const EcsComponentData *data) {
    EcsEdge *edge = ecs_table_edge(world, from->table, data->id, true);
    if (FILO_UNLIKELY(edge == NULL)) return NULL;
    EcsPartition *to = &edge->to->partitions[from->inactive];
    if (FILO_UNLIKELY(!ecs_partition_reserve(world, to, 1))) return NULL;
    uint32_t row;
    uint8_t *base = ecs_entity_move(world, (uint32_t)entity.id, record, edge, to, &row);
    return base + to->offsets[edge->added[0]] + (size_t)row * data->size;
}

static bool apply_list(FiloWorld *world, FiloEntity entity, EcsRecord *record, const EcsValueList *list,
                       const FiloComponent *without, size_t without_count);

// Adds a component that the entity lacks, with a value (NULL: its default value), and those that it requires, in any
// storage: all of them or, without memory, none. Returns the new value; NULL without memory.
static FILO_COLD void *add_mixed(FiloWorld *world, FiloEntity entity, EcsRecord *record,
                                 const EcsComponentData *data, const void *value) {
    EcsValueList list;
    FiloComponentValue values = { .component = { data->id }, .value = value };
    if (!ecs_value_list_resolve(world, &values, 1, entity, "add a component", &list)) return NULL;
    bool ok = apply_list(world, entity, record, &list, NULL, 0);
    ecs_value_list_free(world, &list);
    return ok ? ecs_component_find(world, entity, record, data) : NULL;
}

// The value of a component, which is added if the entity lacks it; NULL without memory.
static inline void *ensure(FiloWorld *world, FiloEntity entity, EcsRecord *record, EcsComponentData *data) {
    if (FILO_UNLIKELY(data->mixed)) {
        void *value = ecs_component_find(world, entity, record, data);
        return value != NULL ? value : add_mixed(world, entity, record, data, NULL);
    }
    if (data->in_table) {
        uint32_t location = ecs_record_location(record);
        const EcsChunkInfo *chunk = ecs_chunk_of(world, location);
        EcsPartition *partition = chunk->partition;
        uint32_t column = ecs_table_column(partition->table, data->id);
        if (column == ECS_NO_COLUMN) return add_to_table(world, entity, record, partition, data);
        return chunk->base + partition->offsets[column] + (size_t)ecs_row_of(location) * data->size;
    }
    void *value = ecs_holder_get(world, data, entity);
    return value != NULL ? value : ecs_holder_add(world, data, entity);
}

// Whether a component of an entity may be changed. Reports what is wrong.
static FILO_COLD bool change_is_valid(const FiloWorld *world, FiloEntity entity, FiloComponent component,
                                      const char *what) {
    return ecs_may_change(world, what) &&
           ecs_component_is_valid(ecs_component_data(world, component), component, what) &&
           ecs_entity_exists(world, entity, what);
}

// The same without a report, and without a call.
static inline bool may_change_component(const FiloWorld *world, const EcsRecord *record,
                                        const EcsComponentData *data) {
    return FILO_LIKELY(data != NULL && record != NULL && data->settable) && ecs_is_idle(world);
}

void *ecs_entity_add_any(FiloWorld *world, FiloEntity entity, FiloComponent component) {
    EcsComponentData *data = ecs_component_data(world, component);
    EcsRecord *record = ecs_record_find(world, entity);
    if (!may_change_component(world, record, data) &&
        !change_is_valid(world, entity, component, "add a component"))
        // Without memory for the entity there was no mistake.
        return data != NULL && filo_out_of_memory_count() == 0 ? ecs_dummy_value(data, data->size) : NULL;
    void *value = ensure(world, entity, record, data);
    return data->size > 0 ? value : NULL;
}

// Sets a component that the entity has. Also while systems run, if the system declared it.
static FILO_COLD bool set_existing(FiloWorld *world, FiloEntity entity, FiloComponent component,
                                   const void *value) {
    EcsComponentData *data = ecs_component_data(world, component);
    const EcsRecord *record = ecs_record_find(world, entity);
    if (!ecs_may_read(world) || !ecs_component_is_valid(data, component, "set a component") ||
        !ecs_entity_is_valid(record, entity, "set a component"))
        return false;
    void *stored = ecs_component_find(world, entity, record, data);
    if (stored == NULL) return ecs_may_change(world, "set a component that the entity does not have");
    if (!ecs_may_access(world, data, FILO_ACCESS_WRITE)) return false;
    if (data->size > 0) ecs_value_assign(data, stored, value);
    ecs_component_mark_changed(world, record, data);
    if (data->watches_set && !ecs_is_running(world)) ecs_watch_set(world, data->watch, entity);
    return true;
}

// Adds a component that the entity lacks, with this value. The value may be in the world, in memory that moves when the
// component is added, so a temporary copy is made first. False without memory.
static bool set_new(FiloWorld *world, FiloEntity entity, EcsRecord *record, EcsComponentData *data,
                    const void *value) {
    if (FILO_UNLIKELY(data->mixed)) return add_mixed(world, entity, record, data, value) != NULL;
    _Alignas(FILO_CACHE_LINE) uint8_t few[256];
    bool large = data->size > sizeof few;
    void *temporary = large ? filo_alloc(world->allocator, data->size, data->align) : few;
    if (temporary == NULL) return false;
    ecs_value_begin_temporary(data, temporary, value);
    void *stored = ensure(world, entity, record, data);
    if (stored != NULL) ecs_value_assign(data, stored, temporary);
    ecs_value_end_temporary(data, temporary);
    if (large) filo_free(world->allocator, temporary, data->size, data->align);
    return stored != NULL;
}

bool ecs_entity_set_any(FiloWorld *world, FiloEntity entity, FiloComponent component, const void *value) {
    EcsComponentData *data = ecs_component_data(world, component);
    EcsRecord *record = ecs_record_find(world, entity);
    if (FILO_UNLIKELY(value == NULL) && !FILO_CHECK(data == NULL || data->size == 0,
                                                    "cannot set component %s: pass a value", data->info.name))
        return false;
    if (!may_change_component(world, record, data)) return set_existing(world, entity, component, value);
    if (data->size == 0) return ensure(world, entity, record, data) != NULL;
    void *stored = ecs_component_find(world, entity, record, data);
    if (stored == NULL) return set_new(world, entity, record, data, value);
    if (stored != value) ecs_value_assign(data, stored, value);
    ecs_component_mark_changed(world, record, data);
    if (FILO_UNLIKELY(data->watches_set)) ecs_watch_set(world, data->watch, entity);
    return true;
}

bool ecs_entity_remove_any(FiloWorld *world, FiloEntity entity, FiloComponent component) {
    EcsComponentData *data = ecs_component_data(world, component);
    EcsRecord *record = ecs_record_find(world, entity);
    if (!may_change_component(world, record, data) &&
        !change_is_valid(world, entity, component, "remove a component"))
        return false;
    if (!data->in_table) return ecs_holder_remove(world, data, entity);
    EcsPartition *from = ecs_chunk_of(world, ecs_record_location(record))->partition;
    if (ecs_table_column(from->table, data->id) == ECS_NO_COLUMN) return false;
    EcsEdge *edge = ecs_table_edge(world, from->table, data->id, false);
    if (FILO_UNLIKELY(edge == NULL)) return false;
    EcsPartition *to = &edge->to->partitions[from->inactive];
    if (FILO_UNLIKELY(!ecs_partition_reserve(world, to, 1))) return false;
    uint32_t row;
    ecs_entity_move(world, (uint32_t)entity.id, record, edge, to, &row);
    return true;
}

// The table of an entity of `table` after a change. NULL without memory.
static EcsTable *changed_table(FiloWorld *world, EcsTable *table, const EcsValueList *list,
                               const FiloComponent *without, size_t without_count) {
    for (size_t i = 0; i < list->count && table != NULL; i++) {
        // With required components from the last one on: their edges add what they require, which saves tables in
        // between.
        EcsComponentData *data = list->items[list->required ? list->count - 1 - i : i].data;
        if (!data->in_table || ecs_table_column(table, data->id) != ECS_NO_COLUMN) continue;
        EcsEdge *edge = ecs_table_edge(world, table, data->id, true);
        table = edge != NULL ? edge->to : NULL;
    }
    for (size_t i = 0; i < without_count && table != NULL; i++) {
        if (ecs_table_column(table, without[i].id) == ECS_NO_COLUMN) continue;
        EcsEdge *edge = ecs_table_edge(world, table, without[i].id, false);
        table = edge != NULL ? edge->to : NULL;
    }
    return table;
}

static bool apply_list(FiloWorld *world, FiloEntity entity, EcsRecord *record, const EcsValueList *list,
                       const FiloComponent *without, size_t without_count) {
    uint32_t location = ecs_record_location(record), row;
    EcsPartition *from = ecs_chunk_of(world, location)->partition;
    EcsTable *table = changed_table(world, from->table, list, without, without_count);
    if (table == NULL) return false;
    EcsEdge *edge = table != from->table ? ecs_table_edge_to(world, from->table, table) : NULL;
    EcsPartition *to = &table->partitions[from->inactive];
    if (table != from->table && (edge == NULL || !ecs_partition_reserve(world, to, 1))) return false;
    if (list->outside && !ecs_value_list_add_outside(world, entity, list)) return false;
    if (edge != NULL) ecs_entity_move(world, (uint32_t)entity.id, record, edge, to, &row);
    for (size_t i = 0; i < list->count; i++) {
        const EcsListedValue *item = &list->items[i];
        if (!item->data->in_table || item->value == NULL || item->data->size == 0) continue;
        void *value = table_get(world, record, item->data);
        if (value == NULL) continue; // it is in `without` as well
        ecs_value_assign(item->data, value, item->value);
        ecs_component_mark_changed(world, record, item->data);
        if (item->data->watches_set) ecs_watch_set(world, item->data->watch, entity);
    }
    for (size_t i = 0; i < without_count; i++) {
        EcsComponentData *data = ecs_component_data(world, without[i]);
        if (!data->in_table) ecs_holder_remove(world, data, entity);
    }
    return true;
}

bool filo_entity_change(FiloWorld *world, FiloEntity entity, const FiloComponentValue *values,
                        size_t value_count, const FiloComponent *without, size_t without_count) {
    static const char what[] = "change the components of an entity";
    if (!FILO_CHECK(world != NULL, "pass a world") || !ecs_may_change(world, what)) return false;
    EcsRecord *record = ecs_record_find(world, entity);
    if (!ecs_entity_is_valid(record, entity, what)) return false;
    for (size_t i = 0; i < without_count; i++)
        if (!ecs_component_is_valid(ecs_component_data(world, without[i]), without[i], what)) return false;
    EcsValueList list;
    if (!ecs_value_list_resolve(world, values, value_count, entity, what, &list)) return false;
    bool ok = apply_list(world, entity, record, &list, without, without_count);
    ecs_value_list_free(world, &list);
    return ok;
}

size_t filo_entity_components(const FiloWorld *world, FiloEntity entity, FiloComponent *components,
                              size_t capacity) {
    if (!ecs_may_read(world)) return 0;
    size_t count = 0;
    const EcsRecord *record = ecs_record_find(world, entity);
    if (record == NULL) return 0;
    for (size_t i = 0; i < world->components.count; i++) {
        const EcsComponentData *data = world->components.items[i];
        if (data->global != NULL || ecs_component_find(world, entity, record, data) == NULL) continue;
        if (count < capacity) components[count] = (FiloComponent){ data->id };
        count++;
    }
    return count;
}

// ---- By type (more in fast_path.c) ------------------------------------------------------------------------

void *filo_entity_edit_type(FiloWorld *world, FiloEntity entity, const FiloType *type) {
    void *value = FILO_CHECK(world != NULL, "pass a world")
                      ? filo_entity_edit(world, entity, ecs_component_checked(world, type))
                      : NULL;
    return FILO_LIKELY(value != NULL) ? value : ecs_dummy_of_type(world, type);
}
void *filo_entity_try_edit_type(FiloWorld *world, FiloEntity entity, const FiloType *type) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return NULL;
    return filo_entity_try_edit(world, entity, ecs_component_checked(world, type));
}

// ---- Global components ------------------------------------------------------------------------------------

static EcsComponentData *global_data(const FiloWorld *world, FiloComponent component) {
    EcsComponentData *data = ecs_component_data(world, component);
    if (!FILO_CHECK_MADE(
            data != NULL,
            "this component is not registered in this world; register it as FILO_STORAGE_GLOBAL") ||
        !FILO_CHECK(data->global != NULL, "component %s is not global; register it as FILO_STORAGE_GLOBAL",
                    data->info.name))
        return NULL;
    return data;
}

const void *filo_global_get(const FiloWorld *world, FiloComponent component) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return NULL;
    const EcsComponentData *data = global_data(world, component);
    return data != NULL && ecs_may_access(world, data, FILO_ACCESS_READ) ? data->global : NULL;
}

void *filo_global_edit(FiloWorld *world, FiloComponent component) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return NULL;
    EcsComponentData *data = global_data(world, component);
    if (data == NULL || !ecs_may_access(world, data, FILO_ACCESS_WRITE)) return NULL;
    __atomic_store_n(data->version, world->version, __ATOMIC_RELAXED);
    return data->global;
}

bool filo_global_set(FiloWorld *world, FiloComponent component, const void *value) {
    if (!FILO_CHECK(value != NULL, "cannot set a global component: pass a value")) return false;
    void *global = filo_global_edit(world, component);
    if (global == NULL) return false;
    if (global != value) ecs_value_assign(ecs_component_data(world, component), global, value);
    return true;
}

const void *filo_global_get_type(const FiloWorld *world, const FiloType *type) {
    FiloComponent component = { 0 };
    if (FILO_CHECK(world != NULL, "pass a world")) component = ecs_global_checked(world, type);
    const void *value = component.id != 0 ? filo_global_get(world, component) : NULL;
    return FILO_LIKELY(value != NULL) ? value : ecs_dummy_of_type(world, type);
}

void *filo_global_edit_type(FiloWorld *world, const FiloType *type) {
    FiloComponent component = { 0 };
    if (FILO_CHECK(world != NULL, "pass a world")) component = ecs_global_checked(world, type);
    void *value = component.id != 0 ? filo_global_edit(world, component) : NULL;
    return FILO_LIKELY(value != NULL) ? value : ecs_dummy_of_type(world, type);
}

bool filo_global_set_type(FiloWorld *world, const FiloType *type, const void *value) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return false;
    FiloComponent component = ecs_global_checked(world, type);
    return component.id != 0 && filo_global_set(world, component, value);
}
