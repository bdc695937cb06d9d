// Reading back what a change set holds, before it is applied.
//
// Most sets are never read, so nothing is kept for it while they are recorded. Who reads one pays for going
// over the records since the last time: FiloChangeSet.latest then leads from an entity and what may change
// about it to the last record of that.

#include "ecs/changes.h"

#include <filo/hash.h>

// What the records of an entity may be about, besides components.
enum { ABOUT_ACTIVITY = 0xFFFFFE, ABOUT_EXISTENCE = 0xFFFFFF };

// A record: where it lies in its set, and its group.
typedef struct Noted {
    size_t group, record;
} Noted;

static uint64_t key_of(FiloEntity entity, uint32_t about) { return filo_hash_combine(entity.id, about); }

static uint32_t about(const FiloChangeGroup *group) {
    switch ((FiloChangeKind)group->kind) {
    case FILO_CHANGE_CREATE:
    case FILO_CHANGE_INSTANTIATE:
    case FILO_CHANGE_DESTROY: return ABOUT_EXISTENCE;
    case FILO_CHANGE_ACTIVATE:
    case FILO_CHANGE_DEACTIVATE: return ABOUT_ACTIVITY;
    case FILO_CHANGE_ADD:
    case FILO_CHANGE_SET:
    case FILO_CHANGE_REMOVE: return group->component;
    case FILO_CHANGE_PARENT:
    case FILO_CHANGE_NAME:
    case FILO_CHANGE_GLOBAL: break;
    }
    return 0;
}

static const FiloChangeGroup *group_of(const FiloChangeSet *set, const Noted *noted) {
    return filo_change_group(set, noted->group);
}

static const void *payload_of(const FiloChangeSet *set, const Noted *noted) {
    return set->bytes + noted->record + group_of(set, noted)->payload;
}

// The last record noted about an entity; NULL if there is none.
static const Noted *noted_about(const FiloChangeSet *set, FiloEntity entity, uint32_t what) {
    return filo_map_get(&set->latest, key_of(entity, what));
}

// The entity whose components are those of an entity without changes: itself, or the prefab.
static FiloEntity model_of(const FiloChangeSet *set, FiloEntity entity) {
    if (!filo_entity_temporary(entity)) return entity;
    const Noted *made = noted_about(set, entity, ABOUT_EXISTENCE);
    FiloEntity prefab = FILO_ENTITY_NONE;
    if (made != NULL && group_of(set, made)->kind == FILO_CHANGE_INSTANTIATE)
        memcpy(&prefab, payload_of(set, made), sizeof prefab);
    return prefab;
}

static void note(FiloChanges *changes, Noted noted) {
    FiloChangeSet *set = changes->set;
    const FiloChangeGroup *group = group_of(set, &noted);
    uint32_t what = about(group);
    FiloEntity entity = filo_change_entity(set->bytes + noted.record);
    if (what == 0) return;
    // Adding what is there already changes nothing.
    if (group->kind == FILO_CHANGE_ADD) {
        const Noted *before = noted_about(set, entity, what);
        bool there = before != NULL
                         ? group_of(set, before)->kind != FILO_CHANGE_REMOVE
                         : filo_entity_has(changes->world, model_of(set, entity), (FiloComponent){ what });
        if (there) return;
    }
    (void)filo_map_set(&set->latest, key_of(entity, what), &noted);
}

// Notes the records since the last time.
static void catch_up(FiloChanges *changes) {
    FiloChangeSet *set = changes->set;
    for (;;) {
        const FiloChangeGroup *group = filo_change_group(set, set->looked_group);
        size_t first = filo_change_first(set->looked_group, group);
        for (; set->looked < group->count; set->looked++)
            note(changes, (Noted){ set->looked_group, first + set->looked * group->stride });
        if (set->looked_group == set->open) return; // the last one, which may still grow
        set->looked_group = filo_change_next(set->looked_group, group);
        set->looked = 0;
    }
}

static const Noted *latest(FiloChanges *changes, FiloEntity entity, uint32_t what) {
    FiloChangeSet *set = changes->set;
    if (set == NULL || set->count == 0) return NULL;
    catch_up(changes);
    return noted_about(set, entity, what);
}

// The first value of a component; NULL without memory for it.
static const void *first_value(const FiloChanges *changes, const FiloComponentData *data) {
    FiloChangeSet *set = changes->set;
    if (data->initial != NULL) return data->initial;
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
    if (!filo_changes_are_good(changes)) return false;
    const Noted *noted = latest(changes, entity, ABOUT_EXISTENCE);
    if (noted != NULL) return group_of(changes->set, noted)->kind != FILO_CHANGE_DESTROY;
    return !filo_entity_temporary(entity) && filo_entity_exists(changes->world, entity);
}

bool filo_changes_active(FiloChanges *changes, FiloEntity entity) {
    if (!filo_changes_exists(changes, entity)) return false;
    const Noted *noted = latest(changes, entity, ABOUT_ACTIVITY);
    if (noted != NULL) return group_of(changes->set, noted)->kind == FILO_CHANGE_ACTIVATE;
    return filo_entity_temporary(entity) || filo_entity_active(changes->world, entity);
}

// Whether an entity will have the component. If `value` is not NULL, it is set to its value.
static bool find(FiloChanges *changes, FiloEntity entity, FiloComponent component, const void **value) {
    if (!filo_changes_exists(changes, entity)) return false;
    const FiloComponentData *data = filo_component_data(changes->world, component);
    if (!FILO_CHECK(data != NULL, "cannot read component %u: it is not registered in this world",
                    component.id))
        return false;
    const Noted *noted = latest(changes, entity, data->id);
    if (noted == NULL) {
        FiloEntity model = changes->set != NULL ? model_of(changes->set, entity) : entity;
        const void *there = model.id != 0 ? filo_entity_get(changes->world, model, component) : NULL;
        if (value != NULL) *value = there;
        return there != NULL;
    }
    uint32_t kind = group_of(changes->set, noted)->kind;
    if (kind == FILO_CHANGE_REMOVE) return false;
    if (value != NULL)
        *value = kind == FILO_CHANGE_ADD ? first_value(changes, data) : payload_of(changes->set, noted);
    return true;
}

const void *filo_changes_get(FiloChanges *changes, FiloEntity entity, FiloComponent component) {
    const void *value = NULL;
    return find(changes, entity, component, &value) ? value : NULL;
}

bool filo_changes_has(FiloChanges *changes, FiloEntity entity, FiloComponent component) {
    return find(changes, entity, component, NULL);
}
