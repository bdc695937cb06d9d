// Change sets: each record is made in the world and in a list beside it, which is applied to the model by the
// documented rules.

#ifndef FILO_TESTS_ECS_MODEL_CHANGES_H
#define FILO_TESTS_ECS_MODEL_CHANGES_H

#include "ecs/model_drive.h"

// ---- Reading back -------------------------------------------------------------------------------------

typedef struct Predicted {
    bool exists, active;
    bool has[KINDS];
    ModelValue values[KINDS];
    FiloEntity parent;
    int name;
} Predicted;

// The parents that entities will have, as far as a set changes them.
typedef struct PredictedParents {
    struct {
        FiloEntity child, parent;
    } items[MODEL_RECORDS];
    size_t count;
} PredictedParents;

static FiloEntity predicted_parent(const Model *model, const PredictedParents *parents, FiloEntity entity) {
    for (size_t i = 0; i < parents->count; i++)
        if (parents->items[i].child.id == entity.id) return parents->items[i].parent;
    int slot = model_find(model, entity);
    return slot != NO_SLOT ? model_id(model, model->entities[slot].parent) : FILO_ENTITY_NONE;
}

static void predict_parent(const Model *model, PredictedParents *parents, FiloEntity child,
                           FiloEntity parent) {
    if (parent.id != 0 && !filo_entity_temporary(parent) && model_find(model, parent) == NO_SLOT) return;
    for (FiloEntity at = parent; at.id != 0; at = predicted_parent(model, parents, at))
        if (at.id == child.id) return;
    size_t i = 0;
    while (i < parents->count && parents->items[i].child.id != child.id) i++;
    parents->items[i].child = child;
    parents->items[i].parent = parent;
    parents->count = FILO_MAX(parents->count, i + 1);
}

// Whether an entity is destroyed by the first `count` records.
static bool predicted_destroyed(const ModelSet *set, size_t count, FiloEntity entity) {
    for (size_t i = 0; i < count; i++)
        if (set->records[i].kind == RECORD_DESTROY && set->records[i].target.id == entity.id) return true;
    return false;
}

// Predicts the parent of an entity, and whether it or one of its ancestors is destroyed.
static void predict_family(const Model *model, const ModelSet *set, FiloEntity target, Predicted *out) {
    static PredictedParents parents;
    parents.count = 0;
    for (size_t i = 0; i < set->count; i++) {
        const ModelRecord *record = &set->records[i];
        if (record->kind == RECORD_PARENT && !predicted_destroyed(set, i, record->target))
            predict_parent(model, &parents, record->target, record->other);
    }
    out->parent = predicted_parent(model, &parents, target);
    for (FiloEntity at = target; at.id != 0; at = predicted_parent(model, &parents, at))
        if (predicted_destroyed(set, set->count, at)) out->exists = false;
}

// Predicts the state of an entity after a set is applied.
static void predict(const Model *model, const ModelSet *set, FiloEntity target, Predicted *out) {
    memset(out, 0, sizeof *out);
    out->name = NO_NAME;
    int slot = model_find(model, target);
    if (slot != NO_SLOT) {
        const ModelEntity *entity = &model->entities[slot];
        out->exists = true;
        out->active = entity->active;
        out->name = entity->name;
        memcpy(out->has, entity->has, sizeof out->has);
        memcpy(out->values, entity->values, sizeof out->values);
    }
    for (size_t i = 0; i < set->count; i++) {
        const ModelRecord *record = &set->records[i];
        if (record->target.id != target.id) continue;
        switch (record->kind) {
        case RECORD_CREATE: out->exists = out->active = true; break;
        case RECORD_INSTANTIATE: {
            const ModelEntity *prefab = &model->entities[model_find(model, record->other)];
            out->exists = out->active = true;
            memcpy(out->has, prefab->has, sizeof out->has);
            memcpy(out->values, prefab->values, sizeof out->values);
            break;
        }
        case RECORD_ACTIVE: out->active = record->active; break;
        case RECORD_ADD: model_put(model, record->component, NULL, out->has, out->values); break;
        case RECORD_SET: model_put(model, record->component, &record->value, out->has, out->values); break;
        case RECORD_REMOVE: out->has[record->component] = false; break;
        case RECORD_NAME: out->name = record->name; break;
        case RECORD_DESTROY:
        case RECORD_PARENT:
        case RECORD_GLOBAL: break;
        }
    }
    predict_family(model, set, target, out);
}

static void compare_predicted_global(const Model *model, const ModelSet *set) {
    if (model->failing) return;
    ModelValue value = model->shared;
    for (size_t i = 0; i < set->count; i++)
        if (set->records[i].kind == RECORD_GLOBAL) value = set->records[i].value;
    compare_value(model, SHARED, filo_changes_get(set->changes, FILO_ENTITY_NONE, model->components[SHARED]),
                  &value);
}

static void compare_predicted(const Model *model, const ModelSet *set, FiloEntity target) {
    // A set reads values as they were at the time of the record; they may have changed since.
    if (set->begun != model->changed || model->failing) return;
    Predicted predicted;
    predict(model, set, target, &predicted);
    if (filo_changes_exists(set->changes, target) != predicted.exists)
        MODEL_FAIL("predicted to exist, or not");
    if (!predicted.exists) return;
    if (filo_changes_active(set->changes, target) != predicted.active) MODEL_FAIL("predicted as (in)active");
    if (filo_changes_parent(set->changes, target).id != predicted.parent.id)
        MODEL_FAIL("predicted with another parent");
    const char *name = filo_changes_name(set->changes, target);
    if ((name != NULL) != (predicted.name != NO_NAME) ||
        (name != NULL && strcmp(name, model_entity_names[predicted.name]) != 0))
        MODEL_FAIL("predicted with another name");
    for (int kind = 0; kind < KINDS; kind++) {
        const void *value = filo_changes_get(set->changes, target, model->components[kind]);
        if ((value != NULL) != predicted.has[kind] ||
            filo_changes_has(set->changes, target, model->components[kind]) != predicted.has[kind])
            MODEL_FAIL("predicted with%s a %s", value != NULL ? "" : "out", model_names[kind]);
        // Before the set is applied, the default value of an Owned has no box.
        if (value == NULL || model_is_tag(kind) || (kind == OWNED && ((const Owned *)value)->box == NULL))
            continue;
        compare_value(model, kind, value, &predicted.values[kind]);
    }
}

// ---- Recording ----------------------------------------------------------------------------------------

// A temporary id of the set, or any entity.
static FiloEntity draw_target(Model *model, const ModelSet *set) {
    if (set->temporary_count > 0 && set->count > 0 && model_draw(model, 2) == 0)
        return set->temporaries[model_draw(model, (uint32_t)set->temporary_count)];
    return draw_entity(model);
}

static bool record_new(Model *model, ModelSet *set, ModelRecord *record) {
    if (record->kind == RECORD_INSTANTIATE) {
        int prefab = draw_slot(model);
        if (prefab == NO_SLOT || model_tree_size(model, prefab) > 20) return true;
        record->other = model->entities[prefab].id;
        record->target = filo_changes_instantiate(set->changes, record->other);
    } else {
        record->target = filo_changes_create_entity(set->changes);
    }
    if (record->target.id == 0) return false;
    if (!filo_entity_temporary(record->target)) MODEL_FAIL("a set returned an id that is not temporary");
    if (set->count == 0) set->temporary_count = 0;
    set->temporaries[set->temporary_count++] = record->target;
    set->records[set->count++] = *record;
    return true;
}

static bool record_change(Model *model, ModelSet *set, ModelRecord *record) {
    FiloChanges *changes = set->changes;
    ModelBytes bytes;
    record->target = draw_target(model, set);
    record->component = draw_kind(model);
    // Often the same target again, so that a set has several changes of one component.
    if (set->count > 0 && model_draw(model, 2) == 0) {
        const ModelRecord *other =
            &set->records[set->count - 1 - model_draw(model, (uint32_t)FILO_MIN(set->count, (size_t)3))];
        if (other->target.id != 0) record->target = other->target;
        if (other->component < KINDS) record->component = other->component;
    }
    FiloComponent component = model->components[record->component];
    if (record->target.id == 0 && record->kind != RECORD_GLOBAL) return true;
    bool ok = false;
    switch (record->kind) {
    case RECORD_DESTROY: ok = filo_changes_destroy_entity(changes, record->target); break;
    case RECORD_ACTIVE:
        record->active = model_draw(model, 2) != 0;
        ok = filo_changes_set_active(changes, record->target, record->active);
        break;
    case RECORD_ADD: ok = filo_changes_add(changes, record->target, component); break;
    case RECORD_REMOVE: ok = filo_changes_remove(changes, record->target, component); break;
    case RECORD_GLOBAL:
    case RECORD_SET:
        if (record->kind == RECORD_GLOBAL) {
            record->component = SHARED;
            record->target = FILO_ENTITY_NONE;
            component = model->components[SHARED];
        }
        record->value = draw_value(model, record->component);
        if (record->component == LINK || record->component == SHARED)
            record->value.entity = draw_target(model, set);
        model_make(record->component, record->value, &bytes);
        ok = filo_changes_set(changes, record->target, component, &bytes);
        break;
    case RECORD_PARENT:
        record->other = draw_target(model, set);
        ok = filo_changes_set_parent(changes, record->target, record->other);
        break;
    case RECORD_NAME:
        record->name = (int)model_draw(model, MODEL_NAMES + 1);
        if (record->name == MODEL_NAMES) record->name = NO_NAME;
        ok = filo_changes_set_name(changes, record->target,
                                   record->name != NO_NAME ? model_entity_names[record->name] : "");
        break;
    case RECORD_CREATE:
    case RECORD_INSTANTIATE: return true;
    }
    if (!ok) return false;
    // The first record after a set was applied clears its temporary ids.
    if (set->count == 0) set->temporary_count = 0;
    set->records[set->count++] = *record;
    return true;
}

static bool record_drawn(Model *model, ModelSet *set) {
    static const ModelRecordKind kinds[] = {
        RECORD_CREATE, RECORD_CREATE, RECORD_INSTANTIATE, RECORD_DESTROY, RECORD_ACTIVE, RECORD_ADD,
        RECORD_ADD,    RECORD_SET,    RECORD_SET,         RECORD_SET,     RECORD_SET,    RECORD_REMOVE,
        RECORD_REMOVE, RECORD_PARENT, RECORD_NAME,        RECORD_GLOBAL
    };
    if (set->count == MODEL_RECORDS || model->count + 20 * set->temporary_count > MODEL_MANY) return true;
    if (set->changes == NULL && (set->changes = filo_changes_create(model->world)) == NULL) return false;
    if (set->count == 0) set->begun = model->changed;
    ModelRecord record = { .kind = kinds[model_draw(model, FILO_COUNT_OF(kinds))] };
    bool made = record.kind == RECORD_CREATE || record.kind == RECORD_INSTANTIATE;
    if (made ? !record_new(model, set, &record) : !record_change(model, set, &record)) return false;
    if (filo_changes_count(set->changes) != set->count) MODEL_FAIL("filo_changes_count is wrong");
    if (record.target.id != 0)
        compare_predicted(model, set, record.target);
    else
        compare_predicted_global(model, set);
    int slot = record.kind == RECORD_DESTROY ? model_find(model, record.target) : NO_SLOT;
    for (; slot != NO_SLOT; slot = model->entities[slot].first)
        compare_predicted(model, set, model->entities[slot].id);
    return true;
}

// Records several changes; only one if memory may run out, so that each can be repeated.
static bool do_record(Model *model) {
    ModelSet *set = &model->sets[model_draw(model, MODEL_SETS)];
    uint32_t count = model->failing ? 1 : 1 + model_draw(model, 12);
    for (uint32_t i = 0; i < count; i++)
        if (!record_drawn(model, set)) return false;
    return true;
}

// ---- Applying -----------------------------------------------------------------------------------------

static int resolve_target(const Model *model, const ModelSet *set, FiloEntity target) {
    if (!filo_entity_temporary(target)) return model_find(model, target);
    for (size_t i = 0; i < set->temporary_count; i++)
        if (set->temporaries[i].id == target.id) return set->slots[i];
    return NO_SLOT;
}

static void apply_parent(Model *model, const ModelSet *set, int slot, FiloEntity other) {
    int parent = resolve_target(model, set, other);
    if (other.id != 0 && parent == NO_SLOT) return;
    if (model_is_ancestor(model, slot, parent)) return;
    if (parent != NO_SLOT && model->entities[parent].last == slot) return;
    model_set_parent(model, slot, parent);
}

static void apply_record(Model *model, const ModelSet *set, const ModelRecord *record) {
    if (record->kind == RECORD_GLOBAL) {
        model->shared = record->value;
        return;
    }
    int slot = resolve_target(model, set, record->target);
    if (slot == NO_SLOT || model->entities[slot].doomed) return;
    ModelEntity *entity = &model->entities[slot];
    switch (record->kind) {
    case RECORD_DESTROY: entity->doomed = true; break;
    case RECORD_ACTIVE: entity->active = record->active; break;
    case RECORD_ADD: model_add(model, slot, record->component, NULL); break;
    case RECORD_SET: model_add(model, slot, record->component, &record->value); break;
    case RECORD_REMOVE: model_remove(model, slot, record->component); break;
    case RECORD_PARENT: apply_parent(model, set, slot, record->other); break;
    case RECORD_NAME: // applied later, after entities were destroyed
    case RECORD_CREATE:
    case RECORD_INSTANTIATE:
    case RECORD_GLOBAL: break;
    }
}

static void apply_name(Model *model, const ModelSet *set, const ModelRecord *record) {
    int slot = record->kind == RECORD_NAME ? resolve_target(model, set, record->target) : NO_SLOT;
    if (slot == NO_SLOT || !model->entities[slot].alive) return;
    if (record->name == NO_NAME || model_named(model, record->name) == NO_SLOT)
        model->entities[slot].name = record->name;
}

static void remap_overrides(const Model *model, ModelSet *set, FiloEntity instance) {
    for (size_t i = 0; i < set->count; i++) {
        ModelRecord *record = &set->records[i];
        if (record->kind == RECORD_SET && record->component == LINK && record->target.id == instance.id)
            model_remap(model, &record->value.entity);
    }
}

static void apply_set(Model *model, ModelSet *set) {
    for (size_t i = 0; i < set->temporary_count; i++) set->slots[i] = NO_SLOT;
    size_t temporary = 0;
    for (size_t i = 0; i < set->count; i++) {
        const ModelRecord *record = &set->records[i];
        int prefab = record->kind == RECORD_INSTANTIATE ? model_find(model, record->other) : NO_SLOT;
        if (prefab != NO_SLOT) {
            set->slots[temporary] = model_copy(model, prefab, true);
            remap_overrides(model, set, record->target);
        }
        temporary += record->kind == RECORD_INSTANTIATE || record->kind == RECORD_CREATE;
    }
    temporary = 0;
    for (size_t i = 0; i < set->count; i++) {
        const ModelRecord *record = &set->records[i];
        if (record->kind == RECORD_CREATE) set->slots[temporary] = model_new(model);
        temporary += record->kind == RECORD_INSTANTIATE || record->kind == RECORD_CREATE;
        apply_record(model, set, record);
    }
    for (int i = 0; i < model->slot_end; i++)
        if (model->entities[i].alive && model->entities[i].doomed) model_destroy(model, i);
    for (size_t i = 0; i < set->count; i++) apply_name(model, set, &set->records[i]);
}

// Sets the ids of the entities that the set has created.
static void identify_set(Model *model, ModelSet *set) {
    for (size_t i = 0; i < set->temporary_count; i++) {
        FiloEntity id = filo_changes_resolved(set->changes, set->temporaries[i]);
        int slot = set->slots[i];
        bool alive = slot != NO_SLOT && model->entities[slot].alive;
        if (alive != (id.id != 0))
            MODEL_FAIL("a temporary id resolves to %s", alive ? "no entity" : "an entity");
        if (alive && model->entities[slot].id.id == 0) model_identify(model, slot, id);
        if (!alive) set->slots[i] = NO_SLOT; // the slot may be used again
    }
    for (size_t i = 0; i < set->temporary_count; i++)
        if (set->slots[i] != NO_SLOT)
            model_identify_all(model, set->slots[i], model->entities[set->slots[i]].id);
    model_resolve_all(model);
}

static bool do_apply(Model *model) {
    ModelSet *set = &model->sets[model_draw(model, MODEL_SETS)];
    bool end = model_draw(model, 4) == 0;
    if (set->changes == NULL) return true;
    if (!filo_changes_apply(set->changes)) return false;
    if (filo_changes_count(set->changes) != 0) MODEL_FAIL("a set that was applied has records");
    if (set->count > 0) {
        apply_set(model, set);
        identify_set(model, set);
    }
    set->count = 0;
    if (end) {
        filo_changes_destroy(set->changes);
        set->changes = NULL;
        set->temporary_count = 0;
    }
    return true;
}

static void forget_set(ModelSet *set) {
    filo_changes_destroy(set->changes);
    set->changes = NULL;
    set->count = set->temporary_count = 0;
}

static bool do_forget(Model *model) {
    forget_set(&model->sets[model_draw(model, MODEL_SETS)]);
    return true;
}

#endif
