// Reading back what a change set holds, before it is applied.
//
// Most sets are never read, so recording keeps no index. Reading indexes the records since the last time:
// EcsChangeSet.latest leads from an entity and a subject, a component or one of those below, to the last record about
// it. A component that another one requires has no record; its entry is REQUIRED.

#include "ecs/changes/changes.h"
#include "ecs/entity/entity.h"
#include "ecs/storage/components.h"

#include <filo/hash.h>

// Subjects of records besides components.
enum {
    SUBJECT_CHILDREN = 0xFFFFFB, // no record: an indexed record made it the parent of another entity
    SUBJECT_NAME = 0xFFFFFC,
    SUBJECT_PARENT = 0xFFFFFD,
    SUBJECT_ACTIVITY = 0xFFFFFE,
    SUBJECT_EXISTENCE = 0xFFFFFF
};

// Offsets of a record and its group in a set.
typedef struct RecordRef {
    size_t group, record;
} RecordRef;

#define REQUIRED SIZE_MAX // RecordRef.record: none; the component will have its default value

static uint64_t key_of(FiloEntity entity, uint32_t subject) { return filo_hash_combine(entity.id, subject); }

static uint32_t subject_of(const EcsChangeGroup *group) {
    switch ((EcsChangeKind)group->kind) {
    case ECS_CHANGE_CREATE:
    case ECS_CHANGE_INSTANTIATE:
    case ECS_CHANGE_DESTROY: return SUBJECT_EXISTENCE;
    case ECS_CHANGE_ACTIVATE:
    case ECS_CHANGE_DEACTIVATE: return SUBJECT_ACTIVITY;
    case ECS_CHANGE_PARENT: return SUBJECT_PARENT;
    case ECS_CHANGE_NAME: return SUBJECT_NAME;
    case ECS_CHANGE_ADD:
    case ECS_CHANGE_SET:
    case ECS_CHANGE_REMOVE:
    case ECS_CHANGE_GLOBAL:
    case ECS_CHANGE_WORLD: break; // of no entity
    }
    return group->component;
}

static const EcsChangeGroup *group_of(const EcsChangeSet *set, const RecordRef *ref) {
    return ecs_change_group(set, ref->group);
}

static EcsChangeKind kind_of(const EcsChangeSet *set, const RecordRef *ref) {
    return ref->record == REQUIRED ? ECS_CHANGE_ADD : (EcsChangeKind)group_of(set, ref)->kind;
}

static const void *payload_of(const EcsChangeSet *set, const RecordRef *ref) {
    return set->bytes + ref->record + group_of(set, ref)->payload;
}

// The last indexed record of an entity about a subject; NULL if there is none.
static const RecordRef *find_latest(const EcsChangeSet *set, FiloEntity entity, uint32_t subject) {
    return filo_map_get(&set->latest, key_of(entity, subject));
}

// The entity whose component is read if the set has no record about it: the entity itself, or the prefab of an
// instance; {0} if there is none.
static FiloEntity source_of(const FiloChanges *changes, FiloEntity entity,
                            const EcsComponentData *component) {
    const EcsChangeSet *set = changes->set;
    if (!filo_entity_temporary(entity)) return entity;
    if (!ecs_component_is_copied(changes->world, component, true)) return FILO_ENTITY_NONE;
    const RecordRef *creation = find_latest(set, entity, SUBJECT_EXISTENCE);
    FiloEntity prefab = FILO_ENTITY_NONE;
    if (creation != NULL && group_of(set, creation)->kind == ECS_CHANGE_INSTANTIATE)
        memcpy(&prefab, payload_of(set, creation), sizeof prefab);
    return prefab;
}

static bool is_destroyed(const EcsChangeSet *set, FiloEntity entity) {
    const RecordRef *ref = find_latest(set, entity, SUBJECT_EXISTENCE);
    return ref != NULL && group_of(set, ref)->kind == ECS_CHANGE_DESTROY;
}

// The parent that an entity will have, as far as records are indexed.
static FiloEntity indexed_parent(const FiloChanges *changes, FiloEntity entity) {
    const FiloWorld *world = changes->world;
    const RecordRef *ref = find_latest(changes->set, entity, SUBJECT_PARENT);
    if (ref != NULL) {
        FiloEntity parent;
        memcpy(&parent, payload_of(changes->set, ref), sizeof parent);
        if (parent.id == 0 || filo_entity_temporary(parent) || filo_entity_exists(world, parent))
            return parent;
    }
    return filo_entity_temporary(entity) ? FILO_ENTITY_NONE : filo_entity_parent(world, entity);
}

// Walks from an entity to its ancestors. If a standalone set is kept while the world changes, its records can form a
// cycle, which applying it breaks. The walk then ends by Brent's algorithm.
typedef struct Ancestors {
    FiloEntity at; // {0}: there are no more
    FiloEntity mark;
    size_t steps, next_mark;
} Ancestors;

static Ancestors ancestors_of(FiloEntity entity) { return (Ancestors){ .at = entity, .next_mark = 1 }; }

static void ascend(Ancestors *ancestors, const FiloChanges *changes) {
    if (++ancestors->steps == ancestors->next_mark) {
        ancestors->mark = ancestors->at;
        ancestors->next_mark *= 2;
    }
    ancestors->at = indexed_parent(changes, ancestors->at);
    if (ancestors->at.id == ancestors->mark.id) ancestors->at = FILO_ENTITY_NONE;
}

// Whether an entity may be an ancestor: it has children in the world, or by an indexed record. Without this test, a
// chain that grows at its end would be walked for each link.
static bool may_have_children(const FiloChanges *changes, FiloEntity entity) {
    return find_latest(changes->set, entity, SUBJECT_CHILDREN) != NULL ||
           (!filo_entity_temporary(entity) && filo_entity_first_child(changes->world, entity).id != 0);
}

// Indexes that the parent has children, before the record that sets the parent. False without memory: the record is not
// indexed either.
static bool index_children(const FiloChanges *changes, const RecordRef *ref) {
    EcsChangeSet *set = changes->set;
    FiloEntity parent;
    if (group_of(set, ref)->kind != ECS_CHANGE_PARENT) return true;
    memcpy(&parent, payload_of(set, ref), sizeof parent);
    return parent.id == 0 || filo_map_set(&set->latest, key_of(parent, SUBJECT_CHILDREN), ref);
}

// Whether an entity will have a component, as far as records are indexed.
static bool will_have(const FiloChanges *changes, FiloEntity entity, FiloComponent component) {
    const RecordRef *ref = find_latest(changes->set, entity, component.id);
    if (ref != NULL) return kind_of(changes->set, ref) != ECS_CHANGE_REMOVE;
    const EcsComponentData *data = ecs_component_data(changes->world, component);
    return filo_entity_has(changes->world, source_of(changes, entity, data), component);
}

// Whether a record changes anything after the records before it: the same tests as when it is applied.
static bool has_effect(const FiloChanges *changes, const RecordRef *ref, uint32_t subject) {
    const EcsChangeSet *set = changes->set;
    FiloEntity entity = ecs_change_entity(set->bytes + ref->record);
    uint32_t kind = group_of(set, ref)->kind;
    if (kind == ECS_CHANGE_ADD) // not if it is there already
        return !will_have(changes, entity, (FiloComponent){ subject });
    if (kind == ECS_CHANGE_PARENT) { // not if the parent does not exist or is a descendant
        FiloEntity parent;
        memcpy(&parent, payload_of(set, ref), sizeof parent);
        if (is_destroyed(set, entity)) return false;
        if (parent.id != 0 && !filo_entity_temporary(parent) && !filo_entity_exists(changes->world, parent))
            return false;
        if (parent.id == entity.id) return false;
        if (!may_have_children(changes, entity)) return true;
        for (Ancestors up = ancestors_of(parent); up.at.id != 0; ascend(&up, changes))
            if (up.at.id == entity.id) return false;
    }
    return true;
}

// Indexes the components that are required by the one that a record adds. Before the record itself is indexed.
static void index_required(const FiloChanges *changes, FiloEntity entity, const EcsChangeGroup *group) {
    if (group->kind != ECS_CHANGE_ADD && group->kind != ECS_CHANGE_SET) return;
    const EcsComponentData *data = changes->world->components.items[group->component - 1];
    if (FILO_LIKELY(data->required.count == 0) || will_have(changes, entity, (FiloComponent){ data->id }))
        return;
    RecordRef ref = { 0, REQUIRED };
    filo_array_each (&data->required, component)
        if (!will_have(changes, entity, *component))
            (void)filo_map_set(&changes->set->latest, key_of(entity, component->id), &ref);
}

static void index_record(FiloChanges *changes, RecordRef ref) {
    EcsChangeSet *set = changes->set;
    const EcsChangeGroup *group = group_of(set, &ref);
    uint32_t subject = subject_of(group);
    if (!has_effect(changes, &ref, subject) || !index_children(changes, &ref)) return;
    FiloEntity entity = ecs_change_entity(set->bytes + ref.record);
    set->destroys = set->destroys || group->kind == ECS_CHANGE_DESTROY;
    index_required(changes, entity, group);
    (void)filo_map_set(&set->latest, key_of(entity, subject), &ref);
}

// Indexes the records since the last time.
static void index_new_records(FiloChanges *changes) {
    EcsChangeSet *set = changes->set;
    for (;;) {
        const EcsChangeGroup *group = ecs_change_group(set, set->indexed_group);
        size_t first = ecs_change_first(set->indexed_group, group);
        for (; set->indexed < group->count; set->indexed++)
            index_record(changes, (RecordRef){ set->indexed_group, first + set->indexed * group->stride });
        if (set->indexed_group == set->last_group) return; // it may still grow
        set->indexed_group = ecs_change_next(set->indexed_group, group);
        set->indexed = 0;
    }
}

// The set, with all of its records indexed; NULL if there are none.
static const EcsChangeSet *indexed_set(FiloChanges *changes) {
    if (changes->set == NULL || changes->set->count == 0) return NULL;
    index_new_records(changes);
    return changes->set;
}

static const RecordRef *latest(FiloChanges *changes, FiloEntity entity, uint32_t subject) {
    const EcsChangeSet *set = indexed_set(changes);
    return set != NULL ? find_latest(set, entity, subject) : NULL;
}

// The default value of a component; NULL without memory.
static const void *default_value_of(const FiloChanges *changes, const EcsComponentData *data) {
    EcsChangeSet *set = changes->set;
    if (data->default_value != NULL) return data->default_value;
    if (set->zeroes == NULL || set->zeroes_size < data->size) {
        size_t size = FILO_ALIGN_UP(FILO_MAX(data->size, (size_t)1), (size_t)FILO_CACHE_LINE);
        uint8_t *zeroes = filo_alloc_zero(changes->world->allocator, size, FILO_CACHE_LINE);
        if (zeroes == NULL) return NULL;
        filo_free(changes->world->allocator, set->zeroes, set->zeroes_size, FILO_CACHE_LINE);
        set->zeroes = zeroes;
        set->zeroes_size = size;
    }
    return set->zeroes;
}

bool filo_changes_exists(FiloChanges *changes, FiloEntity entity) {
    if (!ecs_changes_are_valid(changes)) return false;
    const EcsChangeSet *set = indexed_set(changes);
    bool there = filo_entity_temporary(entity)
                     ? set != NULL && find_latest(set, entity, SUBJECT_EXISTENCE) != NULL
                     : filo_entity_exists(changes->world, entity);
    if (!there || set == NULL || !set->destroys) return there;
    for (Ancestors up = ancestors_of(entity); up.at.id != 0; ascend(&up, changes))
        if (is_destroyed(set, up.at)) return false;
    return true;
}

bool filo_changes_active(FiloChanges *changes, FiloEntity entity) {
    if (!filo_changes_exists(changes, entity)) return false;
    const RecordRef *ref = latest(changes, entity, SUBJECT_ACTIVITY);
    if (ref != NULL) return group_of(changes->set, ref)->kind == ECS_CHANGE_ACTIVATE;
    return filo_entity_temporary(entity) || filo_entity_active(changes->world, entity);
}

FiloEntity filo_changes_parent(FiloChanges *changes, FiloEntity entity) {
    if (!filo_changes_exists(changes, entity)) return FILO_ENTITY_NONE;
    return indexed_set(changes) != NULL ? indexed_parent(changes, entity)
                                        : filo_entity_parent(changes->world, entity);
}

const char *filo_changes_name(FiloChanges *changes, FiloEntity entity) {
    if (!filo_changes_exists(changes, entity)) return NULL;
    const RecordRef *ref = latest(changes, entity, SUBJECT_NAME);
    if (ref == NULL) return filo_entity_temporary(entity) ? NULL : filo_entity_name(changes->world, entity);
    const char *name = payload_of(changes->set, ref);
    return name[0] != 0 ? name : NULL;
}

static const EcsComponentData *component_of(const FiloChanges *changes, FiloComponent component) {
    if (!ecs_changes_are_valid(changes)) return NULL;
    const EcsComponentData *data = ecs_component_data(changes->world, component);
    return FILO_CHECK_MADE(data != NULL, "cannot read component %u: it is not registered in this world",
                           component.id)
               ? data
               : NULL;
}

// The last record about a component of an entity or, without one, the entity to read it from (source_of).
typedef struct Found {
    const RecordRef *ref;
    FiloEntity source;
} Found;

static Found find(FiloChanges *changes, FiloEntity entity, const EcsComponentData *data) {
    Found found = { .ref = latest(changes, entity, data->id), .source = entity };
    if (found.ref == NULL && changes->set != NULL) found.source = source_of(changes, entity, data);
    return found;
}

const void *filo_changes_get(FiloChanges *changes, FiloEntity entity, FiloComponent component) {
    const EcsComponentData *data = component_of(changes, component);
    if (data == NULL) return NULL;
    bool global = entity.id == 0 && data->global != NULL;
    if (!global && !filo_changes_exists(changes, entity)) return NULL;
    Found found = find(changes, entity, data);
    if (found.ref == NULL) {
        if (global) return filo_global_get(changes->world, component);
        return found.source.id != 0 ? filo_entity_get(changes->world, found.source, component) : NULL;
    }
    switch (kind_of(changes->set, found.ref)) {
    case ECS_CHANGE_REMOVE: return NULL;
    case ECS_CHANGE_ADD: return default_value_of(changes, data);
    default: return payload_of(changes->set, found.ref);
    }
}

// As filo_entity_has, this reads no value, and which entities have a component does not change while systems run: a
// system need not have declared the component.
bool filo_changes_has(FiloChanges *changes, FiloEntity entity, FiloComponent component) {
    const EcsComponentData *data = component_of(changes, component);
    if (data == NULL) return false;
    if (entity.id == 0) return data->global != NULL;
    if (!filo_changes_exists(changes, entity)) return false;
    Found found = find(changes, entity, data);
    if (found.ref == NULL) return filo_entity_has(changes->world, found.source, component);
    return kind_of(changes->set, found.ref) != ECS_CHANGE_REMOVE;
}
