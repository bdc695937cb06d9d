// Observers that mirror a world: which entities have which component, and which match which query. After every refresh
// the mirrors must equal the model, and each report must be the difference to the state before.

#ifndef FILO_TESTS_ECS_MODEL_OBSERVE_H
#define FILO_TESTS_ECS_MODEL_OBSERVE_H

#include "ecs/model_compare.h"

// ---- Components ---------------------------------------------------------------------------------------

static void mirror_removed(ModelMirror *mirror, const FiloObserved *observed) {
    const Model *model = mirror->model;
    size_t size = model_types[mirror->kind]()->size;
    if ((observed->values == NULL) != (size == 0)) MODEL_FAIL("there are last values of a tag, or none");
    for (size_t i = 0; i < observed->count; i++) {
        FiloEntity id = observed->entities[i];
        uint8_t number =
            size > 0 ? model_read(mirror->kind, (const uint8_t *)observed->values + i * size).number : 0;
        if (model->failing) continue;
        uint16_t *reported = &mirror->reported[filo_entity_index(id)];
        if (*reported != filo_entity_generation(id))
            MODEL_FAIL("removed is reported for an entity that did not have it");
        *reported = 0;
        size_t n = 0;
        while (n < mirror->lost_count && mirror->lost[n].id.id != id.id) n++;
        if (n == mirror->lost_count)
            MODEL_FAIL("removed is reported for an entity that still has a %s", model_names[mirror->kind]);
        if (size > 0 && number != mirror->lost[n].number && number != mirror->lost[n].other)
            MODEL_FAIL("the last %s was %u instead of %u", model_names[mirror->kind], number,
                       mirror->lost[n].number);
    }
    if (!model->failing && observed->count != mirror->lost_count)
        MODEL_FAIL("not all removed components are reported");
    mirror->lost_count = 0;
}

static void mirror_added(ModelMirror *mirror, const FiloIter *it, const FiloObserved *observed) {
    const Model *model = mirror->model;
    for (size_t i = 0; i < observed->count && !model->failing; i++) {
        FiloEntity id = observed->entities[i];
        int slot = model_find(model, id);
        if (slot == NO_SLOT || !model->entities[slot].has[mirror->kind])
            MODEL_FAIL("added is reported for an entity without a %s", model_names[mirror->kind]);
        uint16_t *reported = &mirror->reported[filo_entity_index(id)];
        if (*reported != 0)
            MODEL_FAIL("added is reported for an entity that had a %s", model_names[mirror->kind]);
        *reported = (uint16_t)filo_entity_generation(id);
        compare_value(model, mirror->kind, filo_entity_get(it->world, id, model->components[mirror->kind]),
                      &model->entities[slot].values[mirror->kind]);
    }
}

static void mirror_set(ModelMirror *mirror, const FiloObserved *observed) {
    for (size_t i = 0; i < observed->count && !mirror->model->failing; i++) {
        FiloEntity id = observed->entities[i];
        uint16_t *set = &mirror->set[filo_entity_index(id)];
        if (*set != filo_entity_generation(id)) MODEL_FAIL("set is reported for a value that was not set");
        *set = 0;
    }
}

static void mirror_run(FiloIter *it, const FiloObserved *observed) {
    ModelMirror *mirror = it->user;
    static const FiloObserverKind order[] = { FILO_OBSERVE_REMOVED, FILO_OBSERVE_ADDED, FILO_OBSERVE_SET };
    if (observed->count == 0) MODEL_FAIL("an observer is called without entities");
    if (observed->component.id != mirror->model->components[mirror->kind].id)
        MODEL_FAIL("an observer is called for another component");
    for (int i = 2; i >= 0 && order[i] != observed->kind; i--)
        if (order[i] == mirror->last) MODEL_FAIL("observer kinds are reported in the wrong order");
    if (mirror->last == observed->kind) MODEL_FAIL("a kind is reported twice");
    mirror->last = observed->kind;
    switch (observed->kind) {
    case FILO_OBSERVE_REMOVED: mirror_removed(mirror, observed); break;
    case FILO_OBSERVE_ADDED: mirror_added(mirror, it, observed); break;
    case FILO_OBSERVE_SET: mirror_set(mirror, observed); break;
    default: MODEL_FAIL("an observer of a component is called for a query");
    }
}

// Adds an observer of the component, or removes it. False without memory.
static bool model_observe(Model *model, int kind, bool existing) {
    ModelMirror *mirror = &model->mirrors[kind];
    if (mirror->observer.id != 0) {
        filo_observer_remove(model->world, mirror->observer);
        mirror->observer.id = 0;
        return true;
    }
    memset(mirror, 0, sizeof *mirror);
    mirror->model = model;
    mirror->kind = kind;
    mirror->observer = filo_observer_add(
        model->world, &(FiloObserverDesc){ .run = mirror_run,
                                           .component = model->components[kind],
                                           .kinds = FILO_OBSERVE_ADDED | FILO_OBSERVE_REMOVED |
                                                    (model_is_tag(kind) ? 0 : (uint32_t)FILO_OBSERVE_SET),
                                           .existing = existing,
                                           .user = mirror });
    if (mirror->observer.id == 0) return false;
    for (int i = 0; i < model->slot_end && !existing; i++) {
        FiloEntity id = model->entities[i].id;
        if (model->entities[i].alive && model->entities[i].has[kind])
            mirror->reported[filo_entity_index(id)] = (uint16_t)filo_entity_generation(id);
    }
    return true;
}

// ---- Queries ------------------------------------------------------------------------------------------

static void query_mirror_run(FiloIter *it, const FiloObserved *observed) {
    ModelQueryMirror *mirror = it->user;
    bool entered = observed->kind == FILO_OBSERVE_ENTERED;
    if (observed->count == 0 || (!entered && observed->kind != FILO_OBSERVE_LEFT))
        MODEL_FAIL("an observer of a query is called with no entities or another kind");
    if (mirror->last == observed->kind || mirror->last == FILO_OBSERVE_ENTERED)
        MODEL_FAIL("observer kinds are reported in the wrong order");
    mirror->last = observed->kind;
    for (size_t i = 0; i < observed->count && !mirror->model->failing; i++) {
        FiloEntity id = observed->entities[i];
        uint16_t *reported = &mirror->reported[filo_entity_index(id)],
                 generation = (uint16_t)filo_entity_generation(id);
        if (*reported != (entered ? 0 : generation))
            MODEL_FAIL("entered or left is reported for an entity that had (not) matched");
        *reported = entered ? generation : 0;
    }
}

static bool model_observe_query(Model *model, ModelQueryMirror *mirror, bool existing) {
    if (mirror->observer.id != 0) {
        filo_observer_remove(model->world, mirror->observer);
        mirror->observer.id = 0;
        return true;
    }
    mirror->model = model;
    memset(mirror->reported, 0, sizeof mirror->reported);
    mirror->observer = filo_observer_add(
        model->world, &(FiloObserverDesc){ .run = query_mirror_run,
                                           .kinds = FILO_OBSERVE_ENTERED | FILO_OBSERVE_LEFT,
                                           .query = mirror->query.desc,
                                           .existing = existing,
                                           .user = mirror });
    if (mirror->observer.id == 0) return false;
    for (int i = 0; i < model->slot_end && !existing; i++) {
        FiloEntity id = model->entities[i].id;
        if (model_matches(model, &mirror->query, i))
            mirror->reported[filo_entity_index(id)] = (uint16_t)filo_entity_generation(id);
    }
    return true;
}

// ---- Refresh ------------------------------------------------------------------------------------------

static void begin_mirrors(Model *model) {
    for (int i = 0; i < KINDS; i++) model->mirrors[i].last = 0;
    for (int i = 0; i < MODEL_QUERY_MIRRORS; i++) model->query_mirrors[i].last = 0;
}

static void compare_mirror(const Model *model, const ModelMirror *mirror) {
    size_t owners = 0, reported = 0;
    if (mirror->lost_count > 0)
        MODEL_FAIL("removed is not reported for %zu entities with a %s", mirror->lost_count,
                   model_names[mirror->kind]);
    for (int i = 0; i < model->slot_end; i++) {
        const ModelEntity *entity = &model->entities[i];
        if (!entity->alive || !entity->has[mirror->kind]) continue;
        owners++;
        if (mirror->reported[filo_entity_index(entity->id)] != filo_entity_generation(entity->id))
            MODEL_FAIL("added is not reported for an entity with a %s", model_names[mirror->kind]);
    }
    for (int i = 0; i < MODEL_INDICES; i++) {
        reported += mirror->reported[i] != 0;
        if (mirror->set[i] != 0)
            MODEL_FAIL("set is not reported for an entity with a %s", model_names[mirror->kind]);
    }
    if (reported != owners)
        MODEL_FAIL("%zu have a %s, but %zu were reported", owners, model_names[mirror->kind], reported);
}

static void compare_query_mirror(const Model *model, const ModelQueryMirror *mirror) {
    size_t matches = 0, reported = 0;
    for (int i = 0; i < model->slot_end; i++) {
        FiloEntity id = model->entities[i].id;
        if (!model_matches(model, &mirror->query, i)) continue;
        matches++;
        if (mirror->reported[filo_entity_index(id)] != filo_entity_generation(id))
            MODEL_FAIL("entered is not reported for an entity");
    }
    for (int i = 0; i < MODEL_INDICES; i++) reported += mirror->reported[i] != 0;
    if (reported != matches) MODEL_FAIL("%zu match, but %zu were reported", matches, reported);
}

// Called after a refresh.
static void compare_mirrors(Model *model) {
    for (int i = 0; i < KINDS; i++) {
        if (model->mirrors[i].observer.id == 0 || model->failing) continue;
        compare_mirror(model, &model->mirrors[i]);
    }
    for (int i = 0; i < MODEL_QUERY_MIRRORS; i++)
        if (model->query_mirrors[i].observer.id != 0 && !model->failing)
            compare_query_mirror(model, &model->query_mirrors[i]);
}

#endif
