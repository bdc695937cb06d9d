// Operations drawn from a stream of bytes, applied to a world and to its model.
//
// Each returns whether it succeeded. It may fail only for lack of memory; then the world is unchanged, and the same
// operation can be repeated.

#ifndef FILO_TESTS_ECS_MODEL_DRIVE_H
#define FILO_TESTS_ECS_MODEL_DRIVE_H

#include "ecs/model.h"
#include "ecs/model_compare.h"
#include "ecs/model_observe.h"

// ---- Drawing ------------------------------------------------------------------------------------------

static int draw_slot(Model *model) {
    if (model->count == 0) return NO_SLOT;
    int slot = (int)model_draw(model, (uint32_t)model->slot_end);
    while (!model->entities[slot].alive) slot = (slot + 1) % model->slot_end;
    return slot;
}

// Mostly an existing entity; else a stale id, or none.
static FiloEntity draw_entity(Model *model) {
    uint32_t choice = model_draw(model, 8);
    int slot = choice >= 2 ? draw_slot(model) : NO_SLOT;
    if (slot != NO_SLOT) return model->entities[slot].id;
    if (choice == 0 || model->stale_count == 0) return FILO_ENTITY_NONE;
    return model->stale[model_draw(model, (uint32_t)FILO_MIN(model->stale_count, (size_t)MODEL_STALE))];
}

static int draw_kind(Model *model) { return (int)model_draw(model, KINDS); }

static ModelValue draw_value(Model *model, int kind) {
    ModelValue value = { .number = (uint8_t)model_draw(model, 256) };
    if (kind == LINK || kind == SHARED) value.entity = draw_entity(model);
    return value;
}

// A list of components with values, for the world and for the model.
typedef struct DrawnValues {
    FiloComponentValue given[6];
    int kinds[6];
    ModelValue values[6];
    bool valued[6];
    size_t count;
    bool outside; // some are not in tables
    ModelBytes bytes[6];
} DrawnValues;

static void draw_values(Model *model, DrawnValues *drawn) {
    drawn->count = model_draw(model, FILO_COUNT_OF(drawn->given));
    drawn->outside = false;
    for (size_t i = 0; i < drawn->count; i++) {
        int kind = drawn->kinds[i] = draw_kind(model);
        drawn->valued[i] = model_draw(model, 4) != 0 && !model_is_tag(kind);
        drawn->values[i] = drawn->valued[i] ? draw_value(model, kind) : (ModelValue){ 0 };
        model_make(kind, drawn->values[i], &drawn->bytes[i]);
        bool by_type = drawn->values[i].number % 2 == 0;
        drawn->given[i] =
            (FiloComponentValue){ .component_type = by_type ? model_types[kind] : NULL,
                                  .component = by_type ? (FiloComponent){ 0 } : model->components[kind],
                                  .value = drawn->valued[i] ? &drawn->bytes[i] : NULL };
        drawn->outside = drawn->outside || model->storage[kind] != FILO_STORAGE_TABLE;
    }
}

static void add_drawn(Model *model, int slot, const DrawnValues *drawn) {
    for (size_t i = 0; i < drawn->count; i++)
        model_add(model, slot, drawn->kinds[i], drawn->valued[i] ? &drawn->values[i] : NULL);
}

// Remaps the values as overrides of the last copy.
static void remap_drawn(const Model *model, DrawnValues *drawn) {
    for (size_t i = 0; i < drawn->count; i++)
        if (drawn->kinds[i] == LINK && drawn->valued[i]) model_remap(model, &drawn->values[i].entity);
}

// ---- Creating and destroying --------------------------------------------------------------------------

static bool do_create(Model *model) {
    DrawnValues drawn;
    draw_values(model, &drawn);
    if (model->count >= MODEL_MANY) return true;
    FiloEntity id = filo_entity_create_with(model->world, drawn.given, drawn.count);
    if (id.id == 0) return false;
    add_drawn(model, model_new_with_id(model, id), &drawn);
    return true;
}

// A free id, from `index` on.
static FiloEntity free_id(const Model *model, uint32_t *index, uint32_t more) {
    while (model->slot_of[*index] != NO_SLOT) ++*index;
    uint32_t generation = model->generation[*index] + 1u + more;
    return (FiloEntity){ (uint64_t)generation << 32 | (*index)++ };
}

static bool do_create_as(Model *model) {
    uint32_t index = model_draw(model, 3000), more = model_draw(model, 3), old = model_draw(model, 8);
    if (model->count >= MODEL_MANY) return true;
    FiloEntity id = free_id(model, &index, more);
    // Or that of an entity that existed before.
    if (old == 0 && model->stale_count > 0)
        id = model->stale[more % FILO_MIN(model->stale_count, (size_t)MODEL_STALE)];
    bool taken = model->slot_of[filo_entity_index(id)] != NO_SLOT;
    bool ok = filo_entity_create_as(model->world, id);
    if (ok && taken) MODEL_FAIL("an index was given twice");
    if (!ok) return taken;
    model->generation[filo_entity_index(id)] = (uint16_t)(filo_entity_generation(id) - 1);
    (void)model_new_with_id(model, id);
    return true;
}

typedef struct BlockFill {
    int kind; // of the first component; NO_KIND: none
    uint32_t number;
    size_t rows;
} BlockFill;

static void fill_block(FiloIter *it, void *user) {
    BlockFill *fill = user;
    if (it->first != fill->rows) MODEL_FAIL("a block is not filled in order");
    fill->rows += it->count;
    if (fill->kind == NO_KIND || model_is_tag(fill->kind)) return;
    for (size_t i = 0; i < it->count; i++)
        model_write(fill->kind, (ModelValue){ .number = (uint8_t)(fill->number + it->first + i) },
                    filo_column_at(filo_iter_column(it, 0), i, model_types[fill->kind]()->size));
}

static bool do_create_block(Model *model) {
    static FiloEntity ids[512], given[512];
    DrawnValues drawn;
    draw_values(model, &drawn);
    size_t count = model_draw(model, 8) == 0 ? model_draw(model, 400) : model_draw(model, 8);
    bool inactive = model_draw(model, 4) == 0, filled = model_draw(model, 2) == 0 && !drawn.outside,
         by_id = model_draw(model, 4) == 0;
    uint32_t index = model_draw(model, 3000);
    if (model->count + count >= MODEL_MANY) return true;
    for (size_t i = 0; i < count && by_id; i++) given[i] = free_id(model, &index, 0);
    BlockFill fill = { drawn.count > 0 ? drawn.kinds[0] : NO_KIND, (uint32_t)count, 0 };
    if (!filo_entity_create_block(model->world, &(FiloBlockDesc){ .count = count,
                                                                  .values = drawn.given,
                                                                  .value_count = drawn.count,
                                                                  .ids = by_id ? given : NULL,
                                                                  .entities = ids,
                                                                  .inactive = inactive,
                                                                  .fill = filled ? fill_block : NULL,
                                                                  .user = &fill }))
        return false;
    if (filled && fill.rows != count) MODEL_FAIL("a block was not filled");
    for (size_t i = 0; i < count; i++) {
        if (by_id && ids[i].id != given[i].id) MODEL_FAIL("a block has other ids than those requested");
        int slot = model_new_with_id(model, ids[i]);
        add_drawn(model, slot, &drawn);
        model->entities[slot].active = !inactive;
        if (filled && fill.kind != NO_KIND)
            model->entities[slot].values[fill.kind] = (ModelValue){ .number = (uint8_t)(count + i) };
    }
    return true;
}

static bool do_destroy(Model *model) {
    int slot = draw_slot(model);
    if (slot == NO_SLOT) return true;
    filo_entity_destroy(model->world, model->entities[slot].id);
    model_destroy(model, slot);
    return true;
}

static bool do_destroy_many(Model *model) {
    FiloEntity ids[24] = { { 0 } };
    size_t count = model_draw(model, FILO_COUNT_OF(ids));
    for (size_t i = 0; i < count; i++) ids[i] = draw_entity(model);
    filo_entity_destroy_many(model->world, ids, count);
    for (size_t i = 0; i < count; i++) {
        int slot = model_find(model, ids[i]);
        if (slot != NO_SLOT) model_destroy(model, slot);
    }
    return true;
}

static bool do_destroy_all(Model *model) {
    if (model_draw(model, 8) != 0) return true;
    for (int i = 0; i < model->slot_end; i++)
        if (model->entities[i].alive) {
            filo_entity_destroy(model->world, model->entities[i].id);
            model_destroy(model, i);
        }
    return true;
}

// ---- Components ---------------------------------------------------------------------------------------

static bool do_add(Model *model) {
    int slot = draw_slot(model), kind = draw_kind(model);
    if (slot == NO_SLOT) return true;
    FiloEntity id = model->entities[slot].id;
    const void *value = filo_entity_add(model->world, id, model->components[kind]);
    if (!filo_entity_has(model->world, id, model->components[kind])) return false;
    if ((value == NULL) != model_is_tag(kind)) MODEL_FAIL("adding returns a value of a tag, or none");
    model_add(model, slot, kind, NULL);
    return true;
}

static bool do_set(Model *model) {
    int slot = draw_slot(model), kind = draw_kind(model);
    ModelValue value = draw_value(model, kind);
    if (slot == NO_SLOT) return true;
    ModelBytes bytes = { 0 };
    model_make(kind, value, &bytes);
    if (!filo_entity_set(model->world, model->entities[slot].id, model->components[kind], &bytes))
        return false;
    model_add(model, slot, kind, &value);
    return true;
}

static bool do_edit(Model *model) {
    int slot = draw_slot(model), kind = draw_kind(model);
    ModelValue value = draw_value(model, kind);
    if (slot == NO_SLOT) return true;
    void *stored = filo_entity_try_edit(model->world, model->entities[slot].id, model->components[kind]);
    if ((stored != NULL) != model->entities[slot].has[kind]) MODEL_FAIL("editing finds a missing component");
    if (stored == NULL) return true;
    model_write(kind, value, stored);
    if (!model_is_tag(kind)) model->entities[slot].values[kind] = value; // not reported as set
    return true;
}

static bool do_remove(Model *model) {
    int slot = draw_slot(model), kind = draw_kind(model);
    if (slot == NO_SLOT) return true;
    bool had = model->entities[slot].has[kind];
    if (filo_entity_remove(model->world, model->entities[slot].id, model->components[kind]) != had) {
        if (!had) MODEL_FAIL("a missing component was removed");
        return false;
    }
    model_remove(model, slot, kind);
    return true;
}

// Any ids, also stale ones, and some more than once.
static bool do_add_many(Model *model) {
    FiloEntity ids[24] = { { 0 } };
    size_t count = model_draw(model, FILO_COUNT_OF(ids));
    int kind = draw_kind(model);
    for (size_t i = 0; i < count; i++) ids[i] = draw_entity(model);
    if (!filo_entity_add_many(model->world, ids, count, model->components[kind])) return false;
    for (size_t i = 0; i < count; i++) {
        int slot = model_find(model, ids[i]);
        if (slot != NO_SLOT) model_add(model, slot, kind, NULL);
    }
    return true;
}

static bool do_remove_many(Model *model) {
    FiloEntity ids[24] = { { 0 } };
    size_t count = model_draw(model, FILO_COUNT_OF(ids));
    int kind = draw_kind(model);
    for (size_t i = 0; i < count; i++) ids[i] = draw_entity(model);
    if (!filo_entity_remove_many(model->world, ids, count, model->components[kind])) return false;
    for (size_t i = 0; i < count; i++) {
        int slot = model_find(model, ids[i]);
        if (slot != NO_SLOT) model_remove(model, slot, kind);
    }
    return true;
}

static bool do_change(Model *model) {
    DrawnValues drawn;
    draw_values(model, &drawn);
    int slot = draw_slot(model), without[4];
    FiloComponent components[4];
    size_t count = model_draw(model, 4);
    for (size_t i = 0; i < count; i++) components[i] = model->components[without[i] = draw_kind(model)];
    if (slot == NO_SLOT) return true;
    if (!filo_entity_change(model->world, model->entities[slot].id, drawn.given, drawn.count, components,
                            count))
        return false;
    ModelEntity before = model->entities[slot];
    add_drawn(model, slot, &drawn);
    for (size_t i = 0; i < count; i++) {
        ModelMirror *mirror = &model->mirrors[without[i]];
        size_t lost = mirror->lost_count;
        model_remove(model, slot, without[i]);
        // The last value of a component that is set and removed at once may be either one.
        if (mirror->lost_count > lost) mirror->lost[lost].other = before.values[without[i]].number;
    }
    return true;
}

static bool do_activate(Model *model) {
    int slot = draw_slot(model);
    bool active = model_draw(model, 2) != 0;
    if (slot == NO_SLOT) return true;
    filo_entity_set_active(model->world, model->entities[slot].id, active);
    if (filo_entity_active(model->world, model->entities[slot].id) != active) return false;
    model->entities[slot].active = active;
    return true;
}

static bool do_global(Model *model) {
    ModelValue value = draw_value(model, SHARED);
    model_write(SHARED, value, filo_global_edit(model->world, model->components[SHARED]));
    model->shared = value;
    return true;
}

// ---- Families, names and copies -----------------------------------------------------------------------

static bool do_parent(Model *model) {
    int child = draw_slot(model), parent = model_draw(model, 5) != 0 ? draw_slot(model) : NO_SLOT;
    if (child == NO_SLOT || model_is_ancestor(model, child, parent)) return true;
    if (!filo_entity_set_parent(model->world, model->entities[child].id, model_id(model, parent)))
        return false;
    model_set_parent(model, child, parent);
    return true;
}

static bool do_move_before(Model *model) {
    int child = draw_slot(model);
    uint32_t step = model_draw(model, 6);
    if (child == NO_SLOT || model->entities[child].parent == NO_SLOT) return true;
    int parent = model->entities[child].parent, sibling = model->entities[parent].first;
    for (uint32_t i = 0; i < step && sibling != NO_SLOT; i++) sibling = model->entities[sibling].next;
    filo_entity_move_before(model->world, model->entities[child].id, model_id(model, sibling));
    if (sibling == child) return true;
    model_unlink(model, child);
    model_link(model, child, parent, sibling);
    return true;
}

static bool do_name(Model *model) {
    int slot = draw_slot(model), name = (int)model_draw(model, MODEL_NAMES + 2);
    if (slot == NO_SLOT) return true;
    if (name >= MODEL_NAMES) name = NO_NAME;
    int holder = name != NO_NAME ? model_named(model, name) : NO_SLOT;
    bool expected = holder == NO_SLOT || holder == slot;
    if (filo_entity_set_name(model->world, model->entities[slot].id,
                             name != NO_NAME ? model_entity_names[name] : NULL) != expected) {
        if (!expected) MODEL_FAIL("a name was given twice");
        return false;
    }
    if (expected) model->entities[slot].name = name;
    return true;
}

static size_t model_tree_size(const Model *model, int slot) {
    size_t size = 1;
    for (int i = model->entities[slot].first; i != NO_SLOT; i = model->entities[i].next)
        size += model_tree_size(model, i);
    return size;
}

static bool do_copy(Model *model) {
    int slot = draw_slot(model);
    if (slot == NO_SLOT || model->count + model_tree_size(model, slot) > MODEL_MANY) return true;
    FiloEntity id = filo_entity_copy(model->world, model->entities[slot].id);
    if (id.id == 0) return false;
    model_identify_all(model, model_copy(model, slot, false), id);
    model_resolve_all(model);
    return true;
}

static void model_deactivate_all(Model *model, int slot) {
    model->entities[slot].active = false;
    for (int i = model->entities[slot].first; i != NO_SLOT; i = model->entities[i].next)
        model_deactivate_all(model, i);
}

static void model_make_prefab(Model *model, int slot, FiloEntity base) {
    if (!model->entities[slot].prefab || base.id != 0) model->entities[slot].base = base;
    model->entities[slot].prefab = true;
    model_deactivate_all(model, slot);
}

static bool do_prefab(Model *model) {
    int slot = draw_slot(model);
    if (slot == NO_SLOT) return true;
    if (!filo_prefab_make(model->world, model->entities[slot].id)) return false;
    model_make_prefab(model, slot, FILO_ENTITY_NONE);
    return true;
}

static bool do_instantiate(Model *model) {
    FiloEntity ids[4];
    DrawnValues drawn;
    draw_values(model, &drawn);
    int slot = draw_slot(model), parent = model_draw(model, 3) == 0 ? draw_slot(model) : NO_SLOT;
    size_t count = model_draw(model, FILO_COUNT_OF(ids) + 1), made = FILO_MAX(count, (size_t)1);
    if (slot == NO_SLOT || model->count + model_tree_size(model, slot) * made > MODEL_MANY) return true;
    FiloInstanceDesc desc = { .count = count,
                              .parent = model_id(model, parent),
                              .values = drawn.given,
                              .value_count = drawn.count,
                              .entities = ids };
    if (!filo_prefab_instantiate(model->world, model->entities[slot].id, &desc)) return false;
    int copies[FILO_COUNT_OF(ids)];
    DrawnValues overrides[FILO_COUNT_OF(ids)];
    // All copies are made before any gets a parent, because that may be part of the original.
    for (size_t i = 0; i < made; i++) {
        copies[i] = model_copy(model, slot, true);
        overrides[i] = drawn;
        remap_drawn(model, &overrides[i]);
    }
    for (size_t i = 0; i < made; i++) {
        model_identify_all(model, copies[i], ids[i]);
        model_set_parent(model, copies[i], parent);
    }
    for (size_t i = 0; i < made; i++) add_drawn(model, copies[i], &overrides[i]);
    model_resolve_all(model);
    return true;
}

static bool do_derive(Model *model) {
    DrawnValues drawn;
    draw_values(model, &drawn);
    int slot = draw_slot(model);
    if (slot == NO_SLOT || model->count + model_tree_size(model, slot) > MODEL_MANY) return true;
    FiloEntity base = model->entities[slot].id;
    FiloEntity id = filo_prefab_derive(model->world, base, drawn.given, drawn.count);
    if (id.id == 0) return false;
    int copy = model_copy(model, slot, true);
    remap_drawn(model, &drawn);
    model_identify_all(model, copy, id);
    add_drawn(model, copy, &drawn);
    model_resolve_all(model);
    model_make_prefab(model, copy, base);
    return true;
}

// ---- Queries ------------------------------------------------------------------------------------------

// Makes a term optional if an earlier one contradicts it.
static void make_possible(FiloQueryDesc *desc) {
    for (int i = 0; i < FILO_TERMS; i++) {
        FiloTerm *term = &desc->terms[i];
        for (int k = 0; k < i && term->component.id != 0; k++) {
            const FiloTerm *other = &desc->terms[k];
            bool same = other->component.id == term->component.id && other->from_parent == term->from_parent;
            int kinds = 1 << other->kind | 1 << term->kind;
            if (same && kinds == (1 << FILO_TERM_REQUIRED | 1 << FILO_TERM_REJECTED))
                term->kind = FILO_TERM_OPTIONAL;
        }
    }
}

static void draw_query_desc(Model *model, ModelQuery *query) {
    query->desc = (FiloQueryDesc){ .activity = (FiloActivity)model_draw(model, 3),
                                   .tracked = model_draw(model, 3) == 0 };
    query->terms = (int)model_draw(model, 5);
    for (int i = 0; i < query->terms; i++) {
        FiloTerm *term = &query->desc.terms[i];
        int kind = query->kinds[i] = (int)model_draw(model, KINDS + 1);
        term->component = model->components[kind];
        term->access = (FiloAccess)model_draw(model, 3);
        if (kind == SHARED) continue;
        term->kind = (FiloTermKind)model_draw(model, 4);
        term->from_parent = !query->desc.tracked && model_draw(model, 5) == 0;
        if (term->from_parent && term->access == FILO_ACCESS_WRITE) term->access = FILO_ACCESS_READ;
    }
    make_possible(&query->desc);
}

// Adds or removes an observer.
static bool do_observe(Model *model) {
    int which = (int)model_draw(model, KINDS + MODEL_QUERY_MIRRORS);
    bool existing = model_draw(model, 2) == 0;
    if (which < KINDS) return model_observe(model, which, existing);
    ModelQueryMirror *mirror = &model->query_mirrors[which - KINDS];
    if (mirror->observer.id == 0) {
        draw_query_desc(model, &mirror->query);
        mirror->query.desc.tracked = false; // the query of an observer is always tracked
        for (int i = 0; i < FILO_TERMS; i++) mirror->query.desc.terms[i].from_parent = false;
        make_possible(&mirror->query.desc);
    }
    return model_observe_query(model, mirror, existing);
}

static bool do_query(Model *model) {
    static ModelQuery created;
    ModelQuery *old = &model->queries[model_draw(model, MODEL_QUERIES)];
    draw_query_desc(model, &created);
    created.query = filo_query_create(model->world, &created.desc);
    if (created.query == NULL) return false;
    created.before_count = 0;
    for (int i = 0; i < model->slot_end && created.desc.tracked; i++)
        if (model_matches(model, &created, i)) created.before[created.before_count++] = model->entities[i].id;
    // The query is shared with an equal one, which has been tracked for longer.
    for (int i = 0; i < MODEL_QUERIES; i++)
        if (model->queries[i].query == created.query && created.desc.tracked) {
            memcpy(created.before, model->queries[i].before, sizeof created.before);
            created.before_count = model->queries[i].before_count;
        }
    filo_query_release(old->query);
    *old = created;
    return true;
}

// Adds to, removes from or destroys all entities that match.
static bool do_all(Model *model) {
    static bool matched[MODEL_SLOTS];
    ModelQuery *query = &model->queries[model_draw(model, MODEL_QUERIES)];
    uint32_t what = model_draw(model, 5);
    int kind = draw_kind(model);
    if (query->query == NULL || model->failing) return true;
    for (int i = 0; i < model->slot_end; i++) matched[i] = model_matches(model, query, i);
    if (what == 0)
        filo_query_destroy_all(query->query);
    else if (what < 3 ? !filo_query_add_all(query->query, model->components[kind])
                      : !filo_query_remove_all(query->query, model->components[kind]))
        return false;
    for (int i = 0; i < model->slot_end; i++) {
        if (!matched[i] || !model->entities[i].alive) continue;
        if (what == 0)
            model_destroy(model, i);
        else if (what < 3)
            model_add(model, i, kind, NULL);
        else
            model_remove(model, i, kind);
    }
    return true;
}

static bool do_refresh(Model *model) {
    begin_mirrors(model);
    filo_world_refresh(model->world);
    compare_mirrors(model);
    for (int i = 0; i < MODEL_QUERIES; i++)
        if (model->queries[i].query != NULL && model->queries[i].desc.tracked)
            compare_tracked(model, &model->queries[i]);
    return true;
}

#endif
