// Reading back what a change set holds, before it is applied.
//
// Most sets are never read, so nothing is kept for it while they are recorded. Who reads one pays for going
// over the records since the last time: EcsChangeSet.latest then leads from an entity and what may change
// about it to the last record of that. A component that will come because another one requires it has no record of its
// own, and is noted as such.

#include "ecs/changes/changes.h"
#include "ecs/entity/entity.h"
#include "ecs/storage/component.h"
#include "ecs/storage/components.h"
#include "ecs/world.h"

#include <filo/hash.h>

// What the records of an entity may be about, besides components.
enum {
    ABOUT_CHILDREN = 0xFFFFFB, // no record: another entity was noted to have it as its parent
    ABOUT_NAME = 0xFFFFFC,
    ABOUT_PARENT = 0xFFFFFD,
    ABOUT_ACTIVITY = 0xFFFFFE,
    ABOUT_EXISTENCE = 0xFFFFFF
};

// A record: where it lies in its set, and its group. Or that a component is required, by one that is noted too.
typedef struct Noted {
    size_t group, record;
} Noted;

#define REQUIRED SIZE_MAX // Noted.record: none; the component will have its default value

static uint64_t key_of(FiloEntity entity, uint32_t about) { return filo_hash_combine(entity.id, about); }

static uint32_t about(const EcsChangeGroup *group) {
    switch ((EcsChangeKind)group->kind) {
    case ECS_CHANGE_CREATE:
    case ECS_CHANGE_INSTANTIATE:
    case ECS_CHANGE_DESTROY: return ABOUT_EXISTENCE;
    case ECS_CHANGE_ACTIVATE:
    case ECS_CHANGE_DEACTIVATE: return ABOUT_ACTIVITY;
    case ECS_CHANGE_PARENT: return ABOUT_PARENT;
    case ECS_CHANGE_NAME: return ABOUT_NAME;
    case ECS_CHANGE_ADD:
    case ECS_CHANGE_SET:
    case ECS_CHANGE_REMOVE:
    case ECS_CHANGE_GLOBAL:
    case ECS_CHANGE_WORLD: break; // of no entity
    }
    return group->component;
}

static const EcsChangeGroup *group_of(const EcsChangeSet *set, const Noted *noted) {
    return ecs_change_group(set, noted->group);
}

static EcsChangeKind kind_of(const EcsChangeSet *set, const Noted *noted) {
    return noted->record == REQUIRED ? ECS_CHANGE_ADD : (EcsChangeKind)group_of(set, noted)->kind;
}

static const void *payload_of(const EcsChangeSet *set, const Noted *noted) {
    return set->bytes + noted->record + group_of(set, noted)->payload;
}

// The last record noted about an entity; NULL if there is none.
static const Noted *noted_about(const EcsChangeSet *set, FiloEntity entity, uint32_t what) {
    return filo_map_get(&set->latest, key_of(entity, what));
}

// Who has a component as an entity without changes has it: itself, or the prefab; {0} if it has none.
static FiloEntity model_of(const FiloChanges *changes, FiloEntity entity, const EcsComponentData *component) {
    const EcsChangeSet *set = changes->set;
    if (!filo_entity_temporary(entity)) return entity;
    if (!ecs_component_is_copied(changes->world, component, true)) return FILO_ENTITY_NONE;
    const Noted *made = noted_about(set, entity, ABOUT_EXISTENCE);
    FiloEntity prefab = FILO_ENTITY_NONE;
    if (made != NULL && group_of(set, made)->kind == ECS_CHANGE_INSTANTIATE)
        memcpy(&prefab, payload_of(set, made), sizeof prefab);
    return prefab;
}

static bool is_destroyed(const EcsChangeSet *set, FiloEntity entity) {
    const Noted *noted = noted_about(set, entity, ABOUT_EXISTENCE);
    return noted != NULL && group_of(set, noted)->kind == ECS_CHANGE_DESTROY;
}

// The parent that an entity will have, as far as records were noted.
static FiloEntity noted_parent(const FiloChanges *changes, FiloEntity entity) {
    const FiloWorld *world = changes->world;
    const Noted *noted = noted_about(changes->set, entity, ABOUT_PARENT);
    if (noted != NULL) {
        FiloEntity parent;
        memcpy(&parent, payload_of(changes->set, noted), sizeof parent);
        if (parent.id == 0 || filo_entity_temporary(parent) || filo_entity_exists(world, parent))
            return parent;
    }
    return filo_entity_temporary(entity) ? FILO_ENTITY_NONE : filo_entity_parent(world, entity);
}

// Goes from an entity to its ancestors. A set that is kept while the world changes can come to lead in a circle (of
// which applying it drops a part): then it ends there, after a few rounds at most.
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
    ancestors->at = noted_parent(changes, ancestors->at);
    if (ancestors->at.id == ancestors->mark.id) ancestors->at = FILO_ENTITY_NONE;
}

// Whether an entity may be an ancestor. One that has no children in the world, and got none by what was noted, is not: so a
// chain that grows at its end is not walked for each link.
static bool may_have_children(const FiloChanges *changes, FiloEntity entity) {
    return noted_about(changes->set, entity, ABOUT_CHILDREN) != NULL ||
           (!filo_entity_temporary(entity) && filo_entity_first_child(changes->world, entity).id != 0);
}

// Notes that the parent has children, before the record that gives it one. Without memory the record is not noted
// either.
static bool note_children(const FiloChanges *changes, const Noted *noted) {
    EcsChangeSet *set = changes->set;
    FiloEntity parent;
    if (group_of(set, noted)->kind != ECS_CHANGE_PARENT) return true;
    memcpy(&parent, payload_of(set, noted), sizeof parent);
    return parent.id == 0 || filo_map_set(&set->latest, key_of(parent, ABOUT_CHILDREN), noted);
}

// Whether an entity will have a component, as far as records were noted.
static bool will_have(const FiloChanges *changes, FiloEntity entity, FiloComponent component) {
    const Noted *noted = noted_about(changes->set, entity, component.id);
    if (noted != NULL) return kind_of(changes->set, noted) != ECS_CHANGE_REMOVE;
    const EcsComponentData *data = ecs_component_data(changes->world, component);
    return filo_entity_has(changes->world, model_of(changes, entity, data), component);
}

// Whether a record makes a difference, after those before it. The same is looked at when it is applied.
static bool counts(const FiloChanges *changes, const Noted *noted, uint32_t what) {
    const EcsChangeSet *set = changes->set;
    FiloEntity entity = ecs_change_entity(set->bytes + noted->record);
    uint32_t kind = group_of(set, noted)->kind;
    if (kind == ECS_CHANGE_ADD) // not if it is there already
        return !will_have(changes, entity, (FiloComponent){ what });
    if (kind == ECS_CHANGE_PARENT) { // not one that is nobody, or a descendant
        FiloEntity parent;
        memcpy(&parent, payload_of(set, noted), sizeof parent);
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

// Notes what comes with a component that an entity gets by a record that was not noted yet.
static void note_required(const FiloChanges *changes, FiloEntity entity, const EcsChangeGroup *group) {
    if (group->kind != ECS_CHANGE_ADD && group->kind != ECS_CHANGE_SET) return;
    const EcsComponentData *data = changes->world->components.items[group->component - 1];
    if (FILO_LIKELY(data->required.count == 0) || will_have(changes, entity, (FiloComponent){ data->id }))
        return;
    Noted noted = { 0, REQUIRED };
    filo_array_each (&data->required, component)
        if (!will_have(changes, entity, *component))
            (void)filo_map_set(&changes->set->latest, key_of(entity, component->id), &noted);
}

static void note(FiloChanges *changes, Noted noted) {
    EcsChangeSet *set = changes->set;
    const EcsChangeGroup *group = group_of(set, &noted);
    uint32_t what = about(group);
    if (!counts(changes, &noted, what) || !note_children(changes, &noted)) return;
    FiloEntity entity = ecs_change_entity(set->bytes + noted.record);
    set->destroys = set->destroys || group->kind == ECS_CHANGE_DESTROY;
    note_required(changes, entity, group);
    (void)filo_map_set(&set->latest, key_of(entity, what), &noted);
}

// Notes the records since the last time.
static void catch_up(FiloChanges *changes) {
    EcsChangeSet *set = changes->set;
    for (;;) {
        const EcsChangeGroup *group = ecs_change_group(set, set->looked_group);
        size_t first = ecs_change_first(set->looked_group, group);
        for (; set->looked < group->count; set->looked++)
            note(changes, (Noted){ set->looked_group, first + set->looked * group->stride });
        if (set->looked_group == set->open) return; // the last one, which may still grow
        set->looked_group = ecs_change_next(set->looked_group, group);
        set->looked = 0;
    }
}

// The set, all of its records noted; NULL if there are none.
static const EcsChangeSet *noted_set(FiloChanges *changes) {
    if (changes->set == NULL || changes->set->count == 0) return NULL;
    catch_up(changes);
    return changes->set;
}

static const Noted *latest(FiloChanges *changes, FiloEntity entity, uint32_t what) {
    const EcsChangeSet *set = noted_set(changes);
    return set != NULL ? noted_about(set, entity, what) : NULL;
}

// The first value of a component; NULL without memory for it.
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
    if (!ecs_changes_are_good(changes)) return false;
    const EcsChangeSet *set = noted_set(changes);
    bool there = filo_entity_temporary(entity)
                     ? set != NULL && noted_about(set, entity, ABOUT_EXISTENCE) != NULL
                     : filo_entity_exists(changes->world, entity);
    if (!there || set == NULL || !set->destroys) return there;
    for (Ancestors up = ancestors_of(entity); up.at.id != 0; ascend(&up, changes))
        if (is_destroyed(set, up.at)) return false;
    return true;
}

bool filo_changes_active(FiloChanges *changes, FiloEntity entity) {
    if (!filo_changes_exists(changes, entity)) return false;
    const Noted *noted = latest(changes, entity, ABOUT_ACTIVITY);
    if (noted != NULL) return group_of(changes->set, noted)->kind == ECS_CHANGE_ACTIVATE;
    return filo_entity_temporary(entity) || filo_entity_active(changes->world, entity);
}

FiloEntity filo_changes_parent(FiloChanges *changes, FiloEntity entity) {
    if (!filo_changes_exists(changes, entity)) return FILO_ENTITY_NONE;
    return noted_set(changes) != NULL ? noted_parent(changes, entity)
                                      : filo_entity_parent(changes->world, entity);
}

const char *filo_changes_name(FiloChanges *changes, FiloEntity entity) {
    if (!filo_changes_exists(changes, entity)) return NULL;
    const Noted *noted = latest(changes, entity, ABOUT_NAME);
    if (noted == NULL) return filo_entity_temporary(entity) ? NULL : filo_entity_name(changes->world, entity);
    const char *name = payload_of(changes->set, noted);
    return name[0] != 0 ? name : NULL;
}

static const EcsComponentData *component_of(const FiloChanges *changes, FiloComponent component) {
    if (!ecs_changes_are_good(changes)) return NULL;
    const EcsComponentData *data = ecs_component_data(changes->world, component);
    return FILO_CHECK_MADE(data != NULL, "cannot read component %u: it is not registered in this world",
                           component.id)
               ? data
               : NULL;
}

// The last record of a component of an entity or, without one, the entity or prefab that has it as it will be.
typedef struct Found {
    const Noted *noted;
    FiloEntity model;
} Found;

static Found find(FiloChanges *changes, FiloEntity entity, const EcsComponentData *data) {
    Found found = { .noted = latest(changes, entity, data->id), .model = entity };
    if (found.noted == NULL && changes->set != NULL) found.model = model_of(changes, entity, data);
    return found;
}

const void *filo_changes_get(FiloChanges *changes, FiloEntity entity, FiloComponent component) {
    const EcsComponentData *data = component_of(changes, component);
    if (data == NULL) return NULL;
    bool global = entity.id == 0 && data->global != NULL;
    if (!global && !filo_changes_exists(changes, entity)) return NULL;
    Found found = find(changes, entity, data);
    if (found.noted == NULL) {
        if (global) return filo_global_get(changes->world, component);
        return found.model.id != 0 ? filo_entity_get(changes->world, found.model, component) : NULL;
    }
    switch (kind_of(changes->set, found.noted)) {
    case ECS_CHANGE_REMOVE: return NULL;
    case ECS_CHANGE_ADD: return default_value_of(changes, data);
    default: return payload_of(changes->set, found.noted);
    }
}

// Like filo_entity_has, this looks at no value, so a system need not have declared the component: who has one
// changes only when no system runs.
bool filo_changes_has(FiloChanges *changes, FiloEntity entity, FiloComponent component) {
    const EcsComponentData *data = component_of(changes, component);
    if (data == NULL) return false;
    if (entity.id == 0) return data->global != NULL;
    if (!filo_changes_exists(changes, entity)) return false;
    Found found = find(changes, entity, data);
    if (found.noted == NULL) return filo_entity_has(changes->world, found.model, component);
    return kind_of(changes->set, found.noted) != ECS_CHANGE_REMOVE;
}
