// Recording changes. changes.h describes the form of records, refresh.c how they are applied.
//
// A set belongs to one part of a system, and to one thread, so recording takes no lock.

#include "ecs/changes/changes.h"
#include "ecs/entity/value_list.h"
#include "ecs/storage/components.h"
#include "ecs/storage/directory.h"
#include "ecs/storage/holder.h"

// ---- Records --------------------------------------------------------------------------------------------

// Adds a record to the last group; NULL if it is of another kind or component, or the set is full.
static inline uint8_t *next_record(const FiloChanges *changes, EcsChangeKind kind, uint32_t component) {
    EcsChangeSet *set = changes->set;
    if (FILO_UNLIKELY(set == NULL || set->last_group == ECS_NO_CHANGE_GROUP)) return NULL;
    EcsChangeGroup *group = ecs_change_group(set, set->last_group);
    if (group->kind != kind || group->component != component || set->capacity - set->used < group->stride)
        return NULL;
    uint8_t *record = set->bytes + set->used;
    set->used += group->stride;
    set->count++;
    group->count++;
    return record;
}

// Adds a group with one record; NULL without memory, or if the set is full and may not grow.
static inline uint8_t *first_record(FiloChanges *changes, EcsChangeKind kind, uint32_t component,
                                    size_t align, size_t size, bool may_grow) {
    if (FILO_UNLIKELY(changes->set == NULL) && !ecs_change_set_take(changes)) return NULL;
    EcsChangeSet *set = changes->set;
    // After filo_changes_apply, temporary ids are valid until the first record.
    if (FILO_UNLIKELY(set->count == 0) && kind > ECS_CHANGE_INSTANTIATE)
        ecs_change_set_clear_temporaries(set);
    size_t payload = FILO_MAX(align, sizeof(FiloEntity)), offset = set->used;
    EcsChangeGroup head = { .component = component & 0xFFFFFF,
                            .kind = (uint32_t)kind & 0xFF,
                            .count = 1,
                            .payload = (uint32_t)payload,
                            .stride = (uint32_t)FILO_ALIGN_UP(payload + size, payload) };
    size_t first = ecs_change_first(offset, &head), end = first + head.stride;
    if (FILO_UNLIKELY(end > set->capacity) && (!may_grow || !ecs_change_set_grow(changes, end))) return NULL;
    uint8_t *bytes = set->bytes;
    memcpy(bytes + offset, &head, sizeof head);
    set->last_group = offset;
    set->used = end;
    set->count++;
    return bytes + first;
}

// Adds a record. Returns where its payload is to be written; NULL as first_record.
static inline void *add_record(FiloChanges *changes, EcsChangeKind kind, FiloEntity entity,
                               uint32_t component, size_t align, size_t size, bool may_grow) {
    uint8_t *record = next_record(changes, kind, component);
    if (record == NULL) record = first_record(changes, kind, component, align, size, may_grow);
    if (FILO_UNLIKELY(record == NULL)) return NULL;
    memcpy(record, &entity, sizeof entity);
    return record + FILO_MAX(align, sizeof entity);
}

bool ecs_changes_are_valid(const FiloChanges *changes) {
    return FILO_CHECK(changes != NULL,
                      "pass a change set: it->changes of a system, or of what it goes over by "
                      "filo_iter_over(it, query); between ticks, one of filo_changes_create");
}

static bool entity_is_valid(const FiloChanges *changes, FiloEntity entity) {
    if (FILO_LIKELY(!filo_entity_temporary(entity)))
        return FILO_CHECK_MADE(entity.id != 0, "cannot change the entity that is none");
    return FILO_CHECK(changes->set != NULL && changes->set->count > 0 &&
                          ecs_temporary_set(entity) == changes->set->number &&
                          ecs_temporary_ordinal(changes->set, entity) < changes->set->temporaries.count,
                      "a temporary id is valid in the change set that returned it, until that is applied");
}

static EcsComponentData *component_of(const FiloChanges *changes, FiloComponent component) {
    EcsComponentData *data = ecs_component_data(changes->world, component);
    return FILO_CHECK_MADE(data != NULL, "cannot change component %u: it is not registered in this world",
                           component.id)
               ? data
               : NULL;
}

static bool is_settable(const EcsComponentData *data) {
    return FILO_CHECK(data->global == NULL,
                      "component %s is global: set it with FILO_ENTITY_NONE as the entity",
                      data->info.name) &&
           FILO_CHECK(data->settable,
                      "the world manages component %s: use filo_changes_set_parent or filo_changes_set_name",
                      data->info.name);
}

static bool record(FiloChanges *changes, EcsChangeKind kind, FiloEntity entity) {
    return ecs_changes_are_valid(changes) && entity_is_valid(changes, entity) &&
           add_record(changes, kind, entity, 0, 1, 0, true) != NULL;
}

static FiloEntity record_new(FiloChanges *changes, EcsChangeKind kind, FiloEntity prefab) {
    if (!ecs_changes_are_valid(changes) || (changes->set == NULL && !ecs_change_set_take(changes)))
        return FILO_ENTITY_NONE;
    EcsChangeSet *set = changes->set;
    if (set->count == 0) ecs_change_set_clear_temporaries(set);
    FiloEntity temporary = ecs_temporary_make(set);
    if (!filo_array_push(&set->temporaries, FILO_ENTITY_NONE)) return FILO_ENTITY_NONE;
    size_t size = kind == ECS_CHANGE_INSTANTIATE ? sizeof prefab : 0;
    void *payload = add_record(changes, kind, temporary, 0, 1, size, true);
    if (payload == NULL) {
        set->temporaries.count--;
        return FILO_ENTITY_NONE;
    }
    memcpy(payload, &prefab, size);
    base_store_relaxed(&set->pending_temporaries, set->temporaries.count);
    return temporary;
}

FiloEntity filo_changes_create_entity(FiloChanges *changes) {
    return record_new(changes, ECS_CHANGE_CREATE, FILO_ENTITY_NONE);
}

FiloEntity filo_changes_instantiate(FiloChanges *changes, FiloEntity prefab) {
    if (!ecs_changes_are_valid(changes) ||
        !FILO_CHECK_MADE(prefab.id != 0, "cannot make an instance of the entity that is none") ||
        !FILO_CHECK(ecs_record_find(changes->world, prefab) != NULL,
                    "cannot make an instance: the prefab %u.%u does not exist (yet, or any more)",
                    filo_entity_index(prefab), filo_entity_generation(prefab)))
        return FILO_ENTITY_NONE;
    FiloEntity entity = record_new(changes, ECS_CHANGE_INSTANTIATE, prefab);
    if (entity.id != 0) changes->set->instantiations++;
    return entity;
}

bool filo_changes_destroy_entity(FiloChanges *changes, FiloEntity entity) {
    return record(changes, ECS_CHANGE_DESTROY, entity);
}

bool filo_changes_set_active(FiloChanges *changes, FiloEntity entity, bool active) {
    return record(changes, active ? ECS_CHANGE_ACTIVATE : ECS_CHANGE_DEACTIVATE, entity);
}

// Fast path: adds a record of the same kind and component as the last one, for an entity that needs no check. NULL if
// this is not the case.
static inline uint8_t *record_like_last(const FiloChanges *changes, EcsChangeKind kind, FiloEntity entity,
                                        FiloComponent component) {
    if (FILO_UNLIKELY(changes == NULL || (int64_t)entity.id <= 0)) return NULL; // none, or temporary
    uint8_t *record = next_record(changes, kind, component.id);
    if (FILO_LIKELY(record != NULL)) memcpy(record, &entity, sizeof entity);
    return record;
}

static __attribute__((noinline)) bool record_component(FiloChanges *changes, EcsChangeKind kind,
                                                       FiloEntity entity, FiloComponent component) {
    if (!ecs_changes_are_valid(changes) || !entity_is_valid(changes, entity)) return false;
    EcsComponentData *data = component_of(changes, component);
    if (data == NULL || !is_settable(data)) return false;
    return add_record(changes, kind, entity, data->id, 1, 0, true) != NULL;
}

bool filo_changes_add(FiloChanges *changes, FiloEntity entity, FiloComponent component) {
    return record_like_last(changes, ECS_CHANGE_ADD, entity, component) != NULL ||
           record_component(changes, ECS_CHANGE_ADD, entity, component);
}

static inline void copy_value(FiloChanges *changes, const EcsComponentData *data, void *payload,
                              const void *value) {
    if (FILO_LIKELY(data->info.hooks.copy == NULL))
        ecs_bytes_copy(payload, value, data->size);
    else
        ecs_changes_copy_owned(changes, data, payload, value);
}

// An upper bound for the bytes of a record and the header of its group.
static size_t max_record_bytes(size_t align, size_t size) {
    return sizeof(EcsChangeGroup) + 3 * FILO_MAX(align, sizeof(FiloEntity)) + size;
}

static bool record_value(FiloChanges *changes, FiloEntity entity, FiloComponent component, const void *value);

// Grows the set, and records again. A value that lies in the set moves with it.
static FILO_COLD bool record_value_growing(FiloChanges *changes, FiloEntity entity,
                                           const EcsComponentData *data, const void *value) {
    EcsChangeSet *set = changes->set;
    if (set == NULL) return false; // there was no memory for a set
    uintptr_t offset = (uintptr_t)value - (uintptr_t)set->bytes;
    if (!ecs_change_set_grow(changes, set->used + max_record_bytes(data->align, data->size))) return false;
    if (offset < set->used) value = set->bytes + offset;
    return record_value(changes, entity, (FiloComponent){ data->id }, value);
}

static __attribute__((noinline)) bool record_value(FiloChanges *changes, FiloEntity entity,
                                                   FiloComponent component, const void *value) {
    if (!ecs_changes_are_valid(changes)) return false;
    EcsComponentData *data = component_of(changes, component);
    if (data == NULL || !FILO_CHECK(value != NULL || data->size == 0, "cannot set component %s: pass a value",
                                    data->info.name))
        return false;
    bool global = entity.id == 0 && data->global != NULL;
    if (!global && (!entity_is_valid(changes, entity) || !is_settable(data))) return false;
    void *payload = add_record(changes, global ? ECS_CHANGE_GLOBAL : ECS_CHANGE_SET, entity, data->id,
                               data->align, data->size, false);
    if (FILO_UNLIKELY(payload == NULL)) return record_value_growing(changes, entity, data, value);
    copy_value(changes, data, payload, value);
    return true;
}

bool filo_changes_set(FiloChanges *changes, FiloEntity entity, FiloComponent component, const void *value) {
    uint8_t *record = value != NULL ? record_like_last(changes, ECS_CHANGE_SET, entity, component) : NULL;
    if (FILO_UNLIKELY(record == NULL)) return record_value(changes, entity, component, value);
    const EcsComponentData *data = changes->world->components.items[component.id - 1];
    copy_value(changes, data, record + FILO_MAX(data->align, sizeof entity), value);
    return true;
}

bool filo_changes_remove(FiloChanges *changes, FiloEntity entity, FiloComponent component) {
    return record_like_last(changes, ECS_CHANGE_REMOVE, entity, component) != NULL ||
           record_component(changes, ECS_CHANGE_REMOVE, entity, component);
}

// {0}, with a report, if there is no such component.
static inline FiloComponent component_of_type(const FiloChanges *changes, const FiloType *type) {
    if (FILO_UNLIKELY(changes == NULL) && !ecs_changes_are_valid(changes)) return (FiloComponent){ 0 };
    return ecs_component_checked(changes->world, type);
}

bool filo_changes_add_type(FiloChanges *changes, FiloEntity entity, const FiloType *type) {
    FiloComponent component = component_of_type(changes, type);
    return component.id != 0 && filo_changes_add(changes, entity, component);
}

bool filo_changes_set_type(FiloChanges *changes, FiloEntity entity, const FiloType *type, const void *value) {
    FiloComponent component = component_of_type(changes, type);
    return component.id != 0 && filo_changes_set(changes, entity, component, value);
}

bool filo_changes_remove_type(FiloChanges *changes, FiloEntity entity, const FiloType *type) {
    FiloComponent component = component_of_type(changes, type);
    return component.id != 0 && filo_changes_remove(changes, entity, component);
}

const void *filo_changes_get_type(FiloChanges *changes, FiloEntity entity, const FiloType *type) {
    FiloComponent component = component_of_type(changes, type);
    return component.id != 0 ? filo_changes_get(changes, entity, component) : NULL;
}

bool filo_changes_has_type(FiloChanges *changes, FiloEntity entity, const FiloType *type) {
    FiloComponent component = component_of_type(changes, type);
    return component.id != 0 && filo_changes_has(changes, entity, component);
}

bool filo_changes_set_global_type(FiloChanges *changes, const FiloType *type, const void *value) {
    if (!ecs_changes_are_valid(changes)) return false;
    FiloComponent component = ecs_global_checked(changes->world, type);
    return component.id != 0 && filo_changes_set(changes, FILO_ENTITY_NONE, component, value);
}

// ---- Recording an entity with components ------------------------------------------------------------------

static EcsComponentData *component_of_value(const FiloChanges *changes, const FiloComponentValue *value) {
    FiloComponent component = value->component;
    if (value->component_type != NULL) component = component_of_type(changes, value->component_type());
    if (value->component_type != NULL && component.id == 0) return NULL;
    EcsComponentData *data = component_of(changes, component);
    return data != NULL && is_settable(data) ? data : NULL;
}

// Reserves memory for all records, so that recording cannot fail half-way. False after a mistake or without memory.
static bool reserve_values(FiloChanges *changes, const FiloComponentValue *values, size_t count) {
    if (!ecs_changes_are_valid(changes) ||
        !FILO_CHECK(values != NULL || count == 0, "pass the components of the new entity"))
        return false;
    size_t bytes = max_record_bytes(1, sizeof(FiloEntity));
    for (size_t i = 0; i < count; i++) {
        const EcsComponentData *data = component_of_value(changes, &values[i]);
        if (data == NULL || !ecs_bound_is_valid(changes->world, &values[i])) return false;
        bytes += max_record_bytes(data->align, data->size);
    }
    if (changes->set == NULL && !ecs_change_set_take(changes)) return false;
    const EcsChangeSet *set = changes->set;
    return set->capacity - set->used >= bytes || ecs_change_set_grow(changes, set->used + bytes);
}

// Records the components of an entity, for which memory is reserved. `before` is the address of the set's bytes before
// reserve_values, and `used` their number: values that lie in the set have moved with it.
static FiloEntity record_values(FiloChanges *changes, FiloEntity entity, const FiloComponentValue *values,
                                size_t count, uintptr_t before, size_t used) {
    for (size_t i = 0; i < count && entity.id != 0; i++) {
        const EcsComponentData *data = component_of_value(changes, &values[i]);
        const void *value = values[i].value;
        size_t offset = (uintptr_t)value - before;
        if (value != NULL && offset < used) value = changes->set->bytes + offset;
        if (value != NULL && data->size > 0)
            filo_changes_set(changes, entity, (FiloComponent){ data->id }, value);
        else
            filo_changes_add(changes, entity, (FiloComponent){ data->id });
    }
    return entity;
}

FiloEntity filo_changes_create_entity_with(FiloChanges *changes, const FiloComponentValue *values,
                                           size_t count) {
    const EcsChangeSet *set = changes != NULL ? changes->set : NULL;
    uintptr_t before = set != NULL ? (uintptr_t)set->bytes : 0;
    size_t used = set != NULL ? set->used : 0;
    if (!reserve_values(changes, values, count)) return FILO_ENTITY_NONE;
    return record_values(changes, filo_changes_create_entity(changes), values, count, before, used);
}

FiloEntity filo_changes_instance_with(FiloChanges *changes, FiloEntity prefab,
                                      const FiloComponentValue *values, size_t count) {
    const EcsChangeSet *set = changes != NULL ? changes->set : NULL;
    uintptr_t before = set != NULL ? (uintptr_t)set->bytes : 0;
    size_t used = set != NULL ? set->used : 0;
    if (!reserve_values(changes, values, count)) return FILO_ENTITY_NONE;
    return record_values(changes, filo_changes_instantiate(changes, prefab), values, count, before, used);
}

// ---- Recording families and names -----------------------------------------------------------------------------

bool filo_changes_set_parent(FiloChanges *changes, FiloEntity child, FiloEntity parent) {
    if (!ecs_changes_are_valid(changes) || !entity_is_valid(changes, child) ||
        (parent.id != 0 && !entity_is_valid(changes, parent)))
        return false;
    void *payload = add_record(changes, ECS_CHANGE_PARENT, child, 0, 1, sizeof parent, true);
    if (payload != NULL) memcpy(payload, &parent, sizeof parent);
    return payload != NULL;
}

bool filo_changes_set_name(FiloChanges *changes, FiloEntity entity, const char *text) {
    if (!ecs_changes_are_valid(changes) || !entity_is_valid(changes, entity)) return false;
    size_t size = text != NULL ? strlen(text) + 1 : 1;
    if (size > FILO_NAME_TEXT_LIMIT) return false;
    const EcsChangeSet *set = changes->set; // the text may lie in it
    size_t offset = set != NULL ? (uintptr_t)text - (uintptr_t)set->bytes : 0;
    bool inside = text != NULL && set != NULL && offset < set->used;
    uint8_t *record = first_record(changes, ECS_CHANGE_NAME, 0, 1, size, true);
    if (record == NULL) return false;
    if (inside) text = (const char *)changes->set->bytes + offset;
    memcpy(record, &entity, sizeof entity);
    memcpy(record + sizeof entity, text != NULL ? text : "", size);
    return true;
}

bool ecs_changes_record(FiloChanges *changes, const EcsWorldChange *change) {
    if (!ecs_changes_are_valid(changes)) return false;
    void *payload = add_record(changes, ECS_CHANGE_WORLD, FILO_ENTITY_NONE, 0, _Alignof(EcsWorldChange),
                               sizeof *change, true);
    if (payload != NULL) memcpy(payload, change, sizeof *change);
    return payload != NULL;
}
