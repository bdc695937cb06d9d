// Observers of a world that keep a mirror of it: who has which component, and who matches which query. After every
// refresh the mirrors are what the model says, and what they were told is the difference to what they were before.

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
        uint16_t *told = &mirror->told[filo_entity_index(id)];
        if (*told != filo_entity_generation(id))
            MODEL_FAIL("one that did not have it is told to have lost it");
        *told = 0;
        size_t n = 0;
        while (n < mirror->lost_count && mirror->lost[n].id.id != id.id) n++;
        if (n == mirror->lost_count)
            MODEL_FAIL("one that still has a %s is told to have lost it", model_names[mirror->kind]);
        if (size > 0 && number != mirror->lost[n].number && number != mirror->lost[n].other)
            MODEL_FAIL("the last %s was %u instead of %u", model_names[mirror->kind], number,
                       mirror->lost[n].number);
    }
    if (!model->failing && observed->count != mirror->lost_count)
        MODEL_FAIL("not all that lost a component are told");
    mirror->lost_count = 0;
}

static void mirror_added(ModelMirror *mirror, const FiloIter *it, const FiloObserved *observed) {
    const Model *model = mirror->model;
    for (size_t i = 0; i < observed->count && !model->failing; i++) {
        FiloEntity id = observed->entities[i];
        int slot = model_find(model, id);
        if (slot == NOBODY || !model->entities[slot].has[mirror->kind])
            MODEL_FAIL("one that has no %s is told to have got it", model_names[mirror->kind]);
        uint16_t *told = &mirror->told[filo_entity_index(id)];
        if (*told != 0) MODEL_FAIL("one that has a %s is told to have got it", model_names[mirror->kind]);
        *told = (uint16_t)filo_entity_generation(id);
        compare_value(model, mirror->kind, filo_entity_get(it->world, id, model->components[mirror->kind]),
                      &model->entities[slot].values[mirror->kind]);
    }
}

static void mirror_set(ModelMirror *mirror, const FiloObserved *observed) {
    for (size_t i = 0; i < observed->count && !mirror->model->failing; i++) {
        FiloEntity id = observed->entities[i];
        uint16_t *set = &mirror->set[filo_entity_index(id)];
        if (*set != filo_entity_generation(id)) MODEL_FAIL("one that was not set is told to be");
        *set = 0;
    }
}

static void mirror_run(FiloIter *it, const FiloObserved *observed) {
    ModelMirror *mirror = it->user;
    static const FiloObserverKind order[] = { FILO_OBSERVE_REMOVED, FILO_OBSERVE_ADDED, FILO_OBSERVE_SET };
    if (observed->count == 0) MODEL_FAIL("an observer is told nothing");
    if (observed->component.id != mirror->model->components[mirror->kind].id)
        MODEL_FAIL("an observer is told of another component");
    for (int i = 2; i >= 0 && order[i] != observed->kind; i--)
        if (order[i] == mirror->last) MODEL_FAIL("an observer is told in the wrong order");
    if (mirror->last == observed->kind) MODEL_FAIL("an observer is told twice");
    mirror->last = observed->kind;
    switch (observed->kind) {
    case FILO_OBSERVE_REMOVED: mirror_removed(mirror, observed); break;
    case FILO_OBSERVE_ADDED: mirror_added(mirror, it, observed); break;
    case FILO_OBSERVE_SET: mirror_set(mirror, observed); break;
    default: MODEL_FAIL("an observer of a component is told of a query");
    }
}

// False without memory.
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
            mirror->told[filo_entity_index(id)] = (uint16_t)filo_entity_generation(id);
    }
    return true;
}

// ---- Queries ------------------------------------------------------------------------------------------

static void group_run(FiloIter *it, const FiloObserved *observed) {
    ModelGroup *group = it->user;
    bool entered = observed->kind == FILO_OBSERVE_ENTERED;
    if (observed->count == 0 || (!entered && observed->kind != FILO_OBSERVE_LEFT))
        MODEL_FAIL("an observer of a query is told nonsense");
    if (group->last == observed->kind || group->last == FILO_OBSERVE_ENTERED)
        MODEL_FAIL("an observer is told in the wrong order");
    group->last = observed->kind;
    for (size_t i = 0; i < observed->count && !group->model->failing; i++) {
        FiloEntity id = observed->entities[i];
        uint16_t *told = &group->told[filo_entity_index(id)],
                 generation = (uint16_t)filo_entity_generation(id);
        if (*told != (entered ? 0 : generation))
            MODEL_FAIL("one that was (not) there is told to have entered or left");
        *told = entered ? generation : 0;
    }
}

static bool model_observe_group(Model *model, ModelGroup *group, bool existing) {
    if (group->observer.id != 0) {
        filo_observer_remove(model->world, group->observer);
        group->observer.id = 0;
        return true;
    }
    group->model = model;
    memset(group->told, 0, sizeof group->told);
    group->observer = filo_observer_add(
        model->world, &(FiloObserverDesc){ .run = group_run,
                                           .kinds = FILO_OBSERVE_ENTERED | FILO_OBSERVE_LEFT,
                                           .query = group->query.desc,
                                           .existing = existing,
                                           .user = group });
    if (group->observer.id == 0) return false;
    for (int i = 0; i < model->slot_end && !existing; i++) {
        FiloEntity id = model->entities[i].id;
        if (model_matches(model, &group->query, i))
            group->told[filo_entity_index(id)] = (uint16_t)filo_entity_generation(id);
    }
    return true;
}

// ---- Refresh ------------------------------------------------------------------------------------------

static void begin_mirrors(Model *model) {
    for (int i = 0; i < KINDS; i++) model->mirrors[i].last = 0;
    for (int i = 0; i < MODEL_GROUPS; i++) model->groups[i].last = 0;
}

static void compare_mirror(const Model *model, const ModelMirror *mirror) {
    size_t owners = 0, told = 0;
    if (mirror->lost_count > 0)
        MODEL_FAIL("%zu that lost a %s were not told", mirror->lost_count, model_names[mirror->kind]);
    for (int i = 0; i < model->slot_end; i++) {
        const ModelEntity *entity = &model->entities[i];
        if (!entity->alive || !entity->has[mirror->kind]) continue;
        owners++;
        if (mirror->told[filo_entity_index(entity->id)] != filo_entity_generation(entity->id))
            MODEL_FAIL("one that got a %s was not told", model_names[mirror->kind]);
    }
    for (int i = 0; i < MODEL_INDICES; i++) {
        told += mirror->told[i] != 0;
        if (mirror->set[i] != 0)
            MODEL_FAIL("one that was given a %s was not told", model_names[mirror->kind]);
    }
    if (told != owners)
        MODEL_FAIL("%zu have a %s, but %zu were told", owners, model_names[mirror->kind], told);
}

static void compare_group(const Model *model, const ModelGroup *group) {
    size_t matches = 0, told = 0;
    for (int i = 0; i < model->slot_end; i++) {
        FiloEntity id = model->entities[i].id;
        if (!model_matches(model, &group->query, i)) continue;
        matches++;
        if (group->told[filo_entity_index(id)] != filo_entity_generation(id))
            MODEL_FAIL("one that entered was not told");
    }
    for (int i = 0; i < MODEL_INDICES; i++) told += group->told[i] != 0;
    if (told != matches) MODEL_FAIL("%zu match, but %zu were told", matches, told);
}

// After a refresh.
static void compare_mirrors(Model *model) {
    for (int i = 0; i < KINDS; i++) {
        if (model->mirrors[i].observer.id == 0 || model->failing) continue;
        compare_mirror(model, &model->mirrors[i]);
    }
    for (int i = 0; i < MODEL_GROUPS; i++)
        if (model->groups[i].observer.id != 0 && !model->failing) compare_group(model, &model->groups[i]);
}

#endif
