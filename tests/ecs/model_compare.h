// Compares a world with its model: every entity, every component, families, names, and every query by each of its
// functions.

#ifndef FILO_TESTS_ECS_MODEL_COMPARE_H
#define FILO_TESTS_ECS_MODEL_COMPARE_H

#include "ecs/model.h"

static const char *const model_entity_names[MODEL_NAMES] = { "ada", "bob", "cleo", "dan", "eve", "flo" };

static void compare_value(const Model *model, int kind, const void *actual, const ModelValue *expected) {
    FILO_UNUSED(model);
    if (model_is_tag(kind)) return;
    ModelValue value = model_read(kind, actual);
    if (value.number != expected->number)
        MODEL_FAIL("a %s is %u instead of %u", model_names[kind], value.number, expected->number);
    if (value.entity.id != expected->entity.id)
        MODEL_FAIL("a %s refers to %llx instead of %llx", model_names[kind],
                   (unsigned long long)value.entity.id, (unsigned long long)expected->entity.id);
}

// ---- Entities -----------------------------------------------------------------------------------------

static void compare_components(const Model *model, const ModelEntity *entity) {
    FiloComponent list[KINDS + 8];
    size_t expected = (size_t)entity->prefab + (entity->name != NO_NAME) +
                      (entity->parent != NO_SLOT || entity->first != NO_SLOT);
    for (int kind = 0; kind < KINDS; kind++) {
        const void *value = filo_entity_get(model->world, entity->id, model->components[kind]);
        expected += entity->has[kind];
        if (filo_entity_has(model->world, entity->id, model->components[kind]) != entity->has[kind] ||
            (value != NULL) != entity->has[kind])
            MODEL_FAIL("entity %u should%s have a %s", filo_entity_index(entity->id),
                       entity->has[kind] ? "" : " not", model_names[kind]);
        if (value != NULL) compare_value(model, kind, value, &entity->values[kind]);
    }
    size_t count = filo_entity_components(model->world, entity->id, list, FILO_COUNT_OF(list));
    if (count != expected) MODEL_FAIL("an entity has %zu components instead of %zu", count, expected);
    for (size_t i = 1; i < count; i++)
        if (list[i - 1].id >= list[i].id) MODEL_FAIL("components are not listed by id");
}

static FiloEntity model_id(const Model *model, int slot) {
    return slot != NO_SLOT ? model->entities[slot].id : FILO_ENTITY_NONE;
}

static void compare_entity(const Model *model, int slot) {
    const FiloWorld *world = model->world;
    const ModelEntity *entity = &model->entities[slot];
    FiloEntity id = entity->id;
    if (!filo_entity_exists(world, id) || filo_entity_at(world, filo_entity_index(id)).id != id.id)
        MODEL_FAIL("entity %u.%u does not exist", filo_entity_index(id), filo_entity_generation(id));
    if (filo_entity_active(world, id) != entity->active)
        MODEL_FAIL("entity %u is%s active", filo_entity_index(id), entity->active ? " not" : "");
    compare_components(model, entity);
    if (filo_entity_parent(world, id).id != model_id(model, entity->parent).id)
        MODEL_FAIL("entity %u has another parent", filo_entity_index(id));
    size_t children = 0;
    FiloEntity child = filo_entity_first_child(world, id);
    for (int i = entity->first; i != NO_SLOT; i = model->entities[i].next, children++) {
        if (child.id != model->entities[i].id.id)
            MODEL_FAIL("child %zu of entity %u is another", children, filo_entity_index(id));
        child = filo_entity_next_sibling(world, child);
    }
    if (child.id != 0 || filo_entity_child_count(world, id) != children)
        MODEL_FAIL("entity %u has more children", filo_entity_index(id));
    const char *name = filo_entity_name(world, id);
    if ((name != NULL) != (entity->name != NO_NAME) ||
        (name != NULL && strcmp(name, model_entity_names[entity->name]) != 0))
        MODEL_FAIL("entity %u has another name", filo_entity_index(id));
    const FiloPrefab *prefab = filo_get(world, id, FiloPrefab);
    if ((prefab != NULL) != entity->prefab || (prefab != NULL && prefab->base.id != entity->base.id))
        MODEL_FAIL("entity %u is another prefab", filo_entity_index(id));
}

static void compare_entities(const Model *model) {
    const FiloWorld *world = model->world;
    size_t inactive = 0;
    int owned = 0;
    for (int i = 0; i < model->slot_end; i++) {
        const ModelEntity *entity = &model->entities[i];
        if (!entity->alive) continue;
        compare_entity(model, i);
        inactive += !entity->active;
        owned += entity->has[OWNED];
    }
    for (size_t i = 0; i < MODEL_SETS; i++) // values in records are alive too
        for (size_t j = 0; j < model->sets[i].count; j++)
            owned +=
                model->sets[i].records[j].kind == RECORD_SET && model->sets[i].records[j].component == OWNED;
    filo_array_each (&world->watches, watch) // and so are values that are still to be reported
        if ((*watch)->component->id == model->components[OWNED].id) owned += (int)(*watch)->removed_count;
    if (owned != model->owned) MODEL_FAIL("%d values of Owned live instead of %d", model->owned, owned);
    FiloWorldStats stats = filo_world_stats(world);
    if (stats.entities != model->count || stats.inactive != inactive)
        MODEL_FAIL("there are %zu entities, %zu inactive, instead of %zu and %zu", stats.entities,
                   stats.inactive, model->count, inactive);
    size_t found = 0;
    for (uint32_t i = 0; i < filo_entity_index_end(world); i++) found += filo_entity_at(world, i).id != 0;
    if (found != model->count) MODEL_FAIL("%zu indices are in use instead of %zu", found, model->count);
    for (int i = 0; i < MODEL_NAMES; i++)
        if (filo_world_find(world, model_entity_names[i]).id != model_id(model, model_named(model, i)).id)
            MODEL_FAIL("\"%s\" is the name of another entity", model_entity_names[i]);
    for (size_t i = 0; i < FILO_MIN(model->stale_count, (size_t)MODEL_STALE); i++) {
        FiloEntity stale = model->stale[i];
        if (model_find(model, stale) != NO_SLOT) continue; // created again with its old id
        if (filo_entity_exists(world, stale)) MODEL_FAIL("a stale id exists");
        for (int kind = 0; kind < KINDS; kind++)
            if (filo_entity_has(world, stale, model->components[kind]) ||
                filo_entity_get(world, stale, model->components[kind]) != NULL)
                MODEL_FAIL("a stale id has a %s", model_names[kind]);
        if (filo_entity_parent(world, stale).id != 0 || filo_entity_name(world, stale) != NULL)
            MODEL_FAIL("a stale id has a parent or a name");
    }
    compare_value(model, SHARED, filo_global_get(world, model->components[SHARED]), &model->shared);
}

// ---- Queries ------------------------------------------------------------------------------------------

// The slot of the entity whose component a term refers to: the entity or its parent; NO_SLOT: it has none.
static int term_owner(const Model *model, const ModelQuery *query, int term, int slot) {
    if (query->desc.terms[term].from_parent) slot = model->entities[slot].parent;
    return slot != NO_SLOT && model->entities[slot].has[query->kinds[term]] ? slot : NO_SLOT;
}

static bool model_matches(const Model *model, const ModelQuery *query, int slot) {
    const ModelEntity *entity = &model->entities[slot];
    if (!entity->alive || query->desc.activity == (entity->active ? FILO_INACTIVE : FILO_ACTIVE))
        return false;
    bool any = false, wanted = false;
    for (int i = 0; i < query->terms; i++) {
        if (query->kinds[i] == SHARED) continue;
        bool has = term_owner(model, query, i, slot) != NO_SLOT;
        switch (query->desc.terms[i].kind) {
        case FILO_TERM_REQUIRED:
            if (!has) return false;
            break;
        case FILO_TERM_REJECTED:
            if (has) return false;
            break;
        case FILO_TERM_ANY:
            wanted = true;
            any = any || has;
            break;
        case FILO_TERM_OPTIONAL: break;
        }
    }
    return any || !wanted;
}

static void compare_row(const Model *model, const ModelQuery *query, const FiloIter *it, size_t row,
                        int slot) {
    for (int i = 0; i < query->terms; i++) {
        const FiloTerm *term = &query->desc.terms[i];
        int kind = query->kinds[i];
        FiloColumn column = filo_iter_column(it, (unsigned)i);
        if (kind == SHARED) {
            if (term->access != FILO_ACCESS_NONE) compare_value(model, SHARED, column.data, &model->shared);
            continue;
        }
        bool nothing = term->access == FILO_ACCESS_NONE || term->kind == FILO_TERM_REJECTED;
        if (nothing) {
            if (column.data != NULL || column.rows != NULL) MODEL_FAIL("a term without access has a column");
            continue;
        }
        if (model_is_tag(kind)) {
            bool has = term_owner(model, query, i, slot) != NO_SLOT;
            if (filo_iter_has(it, (unsigned)i, row) != has) MODEL_FAIL("a row lacks a %s", model_names[kind]);
            continue;
        }
        const void *value = filo_column_at(column, row, model_types[kind]()->size);
        int owner = term_owner(model, query, i, slot);
        if ((value != NULL) != (owner != NO_SLOT)) MODEL_FAIL("a row lacks a %s", model_names[kind]);
        if (value != NULL) compare_value(model, kind, value, &model->entities[owner].values[kind]);
    }
}

static uint64_t model_key(const FiloIter *it, size_t row, void *user) {
    FILO_UNUSED(user);
    return filo_entity_index(filo_iter_entity(it, row)) * 7u % 5u;
}

static void compare_sorted(FiloQuery *query, const FiloEntity *in_order, size_t count) {
    static FiloEntity sorted[MODEL_SLOTS];
    if (filo_query_sorted(query, model_key, NULL, sorted, MODEL_SLOTS) != count)
        MODEL_FAIL("sorting finds another number");
    size_t at = 0;
    for (uint32_t key = 0; key < 5; key++)
        for (size_t i = 0; i < count; i++)
            if (filo_entity_index(in_order[i]) * 7u % 5u == key && sorted[at++].id != in_order[i].id)
                MODEL_FAIL("sorting gives another order");
}

static void compare_query(const Model *model, const ModelQuery *query) {
    static FiloEntity found[MODEL_SLOTS], listed[MODEL_SLOTS];
    static bool seen[MODEL_SLOTS];
    memset(seen, 0, sizeof seen);
    size_t count = 0, expected = 0, first = 0;
    FiloIter it = filo_query_iter(query->query);
    while (filo_iter_next(&it)) {
        if (it.count == 0) MODEL_FAIL("a part has no rows");
        if (it.first < first) MODEL_FAIL("a part begins at %zu, inside the one before it", it.first);
        first = it.first + it.count;
        for (size_t row = 0; row < it.count; row++) {
            FiloEntity id = filo_iter_entity(&it, row);
            int slot = model_find(model, id);
            if (slot == NO_SLOT || seen[slot] || !model_matches(model, query, slot))
                MODEL_FAIL("a query finds entity %u.%u, which does not match, or twice",
                           filo_entity_index(id), filo_entity_generation(id));
            seen[slot] = true;
            compare_row(model, query, &it, row, slot);
            found[count++] = id;
        }
    }
    for (int i = 0; i < model->slot_end; i++) {
        bool matches = model_matches(model, query, i);
        expected += matches;
        if (model->entities[i].alive && filo_query_matches(query->query, model->entities[i].id) != matches)
            MODEL_FAIL("filo_query_matches is wrong");
    }
    if (count != expected) MODEL_FAIL("a query finds %zu entities instead of %zu", count, expected);
    if (filo_query_count(query->query) != count) MODEL_FAIL("filo_query_count is wrong");
    if (filo_query_entities(query->query, listed, MODEL_SLOTS) != count ||
        memcmp(listed, found, count * sizeof *listed) != 0)
        MODEL_FAIL("filo_query_entities is wrong");
    if (filo_query_first(query->query).id != (count > 0 ? found[0].id : 0)) MODEL_FAIL("the first is wrong");
    for (size_t n = 0; n <= count; n += 1 + count / 3)
        if (filo_query_at(query->query, n).id != (n < count ? found[n].id : 0))
            MODEL_FAIL("the n-th is wrong");
    compare_sorted(query->query, found, count);
}

static void model_compare(const Model *model) {
    compare_entities(model);
    for (int i = 0; i < MODEL_QUERIES; i++)
        if (model->queries[i].query != NULL) compare_query(model, &model->queries[i]);
}

// ---- Tracked queries ----------------------------------------------------------------------------------

static bool model_listed(const FiloEntity *list, size_t count, FiloEntity id) {
    for (size_t i = 0; i < count; i++)
        if (list[i].id == id.id) return true;
    return false;
}

// Called after a refresh.
static void compare_tracked(Model *model, ModelQuery *query) {
    static FiloEntity now[MODEL_SLOTS];
    size_t now_count = 0, entered_count, left_count, expected_entered = 0, expected_left = 0;
    for (int i = 0; i < model->slot_end; i++)
        if (model_matches(model, query, i)) now[now_count++] = model->entities[i].id;
    const FiloEntity *entered = filo_query_entered(query->query, &entered_count);
    const FiloEntity *left = filo_query_left(query->query, &left_count);
    for (size_t i = 0; i < now_count && !model->failing; i++) {
        if (model_listed(query->before, query->before_count, now[i])) continue;
        expected_entered++;
        if (!model_listed(entered, entered_count, now[i])) MODEL_FAIL("an entity that entered is not listed");
    }
    for (size_t i = 0; i < query->before_count && !model->failing; i++) {
        if (model_listed(now, now_count, query->before[i])) continue;
        expected_left++;
        if (!model_listed(left, left_count, query->before[i]))
            MODEL_FAIL("an entity that left is not listed");
    }
    if (!model->failing && (entered_count != expected_entered || left_count != expected_left))
        MODEL_FAIL("%zu entered and %zu left instead of %zu and %zu", entered_count, left_count,
                   expected_entered, expected_left);
    memcpy(query->before, now, now_count * sizeof *now);
    query->before_count = now_count;
}

#endif
