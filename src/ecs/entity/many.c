// Adding a component to many entities, and removing it from them.
//
// In tables they move as a change set would move them: rows that lie together in blocks. Small sparse
// components and tags have loops of their own, in which nothing is asked twice, unless they require others; the rest
// goes one by one.

#include "ecs/changes/changes.h"
#include "ecs/entity/entity.h"
#include "ecs/storage/holder.h"

#define AT_ONCE ((size_t)1 << 30) // entities that a refresh can number

static bool is_good(const FiloWorld *world, const FiloEntity *entities, size_t count, FiloComponent component,
                    const char *what) {
    return FILO_CHECK(world != NULL && (entities != NULL || count == 0), "pass a world and the entities") &&
           ecs_may_change(world, what) &&
           ecs_component_is_valid(ecs_component_data(world, component), component, what);
}

static bool change_tables(FiloWorld *world, const FiloEntity *entities, size_t count,
                          const EcsComponentData *data, EcsChangeKind kind) {
    bool good = true;
    for (size_t at = 0; at < count; at += AT_ONCE)
        good = ecs_refresh_component(world, data, kind, entities + at, FILO_MIN(count - at, AT_ONCE)) && good;
    return good;
}

// ---- Sparse -------------------------------------------------------------------------------------------

static bool add_sparse(FiloWorld *world, const FiloEntity *entities, size_t count, EcsComponentData *data) {
    EcsSparse *sparse = data->sparse;
    size_t before = sparse->count, end = before;
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        FiloEntity entity = entities[i];
        if (FILO_UNLIKELY(ecs_record_find(world, entity) == NULL)) continue;
        uint32_t *slot = ecs_sparse_slot(sparse, (uint32_t)entity.id);
        if (FILO_UNLIKELY(slot == NULL || end == sparse->capacity)) {
            sparse->count = (uint32_t)end;
            good = ecs_sparse_reserve(sparse, entity);
            if (!good) break;
            slot = ecs_sparse_slot(sparse, (uint32_t)entity.id);
        }
        if (*slot != 0) continue;
        good = ecs_entity_mark_outside(world, entity);
        if (FILO_UNLIKELY(!good)) break;
        sparse->entities[end++] = entity;
        *slot = (uint32_t)end;
    }
    sparse->count = (uint32_t)end;
    if (end == before) return good;
    uint8_t *fresh = sparse->values + before * sparse->size;
    if (data->default_value == NULL)
        memset(fresh, 0, (end - before) * sparse->size);
    else
        for (size_t i = 0; i < end - before; i++) ecs_value_set_default(data, fresh + i * sparse->size);
    *data->version = world->version;
    return good;
}

static void remove_sparse(FiloWorld *world, const FiloEntity *entities, size_t count,
                          EcsComponentData *data) {
    EcsSparse *sparse = data->sparse;
    size_t before = sparse->count;
    for (size_t i = 0; i < count; i++) {
        uint32_t *slot = ecs_sparse_slot(sparse, (uint32_t)entities[i].id);
        // Who is in the list exists.
        if (slot == NULL || *slot == 0 || sparse->entities[*slot - 1].id != entities[i].id) continue;
        ecs_sparse_take_out(sparse, slot);
    }
    if (sparse->count < before) *data->version = world->version;
}

// ---- Tags -----------------------------------------------------------------------------------------------

static bool add_tag(FiloWorld *world, const FiloEntity *entities, size_t count, EcsComponentData *data) {
    EcsTagHolder *tag = data->tag;
    size_t before = tag->count;
    for (size_t i = 0; i < count; i++) {
        uint32_t index = (uint32_t)entities[i].id;
        if (FILO_UNLIKELY(ecs_record_find(world, entities[i]) == NULL)) continue;
        if (FILO_UNLIKELY(index >= tag->bits.count || index >= world->outside_end)) {
            if (ecs_holder_add(world, data, entities[i]) == NULL) return false;
            continue;
        }
        uint64_t *word = &tag->bits.words[index / 64], bit = UINT64_C(1) << index % 64;
        tag->count += (*word & bit) == 0;
        *word |= bit;
        ecs_entity_mark_outside(world, entities[i]); // there is room
    }
    if (tag->count > before) *data->version = world->version;
    return true;
}

static void remove_tag(FiloWorld *world, const FiloEntity *entities, size_t count, EcsComponentData *data) {
    EcsTagHolder *tag = data->tag;
    size_t before = tag->count;
    for (size_t i = 0; i < count; i++) {
        uint32_t index = (uint32_t)entities[i].id;
        if (index >= tag->bits.count || ecs_record_find(world, entities[i]) == NULL) continue;
        uint64_t *word = &tag->bits.words[index / 64], bit = UINT64_C(1) << index % 64;
        tag->count -= (*word & bit) != 0;
        *word &= ~bit;
    }
    if (tag->count < before) *data->version = world->version;
}

// ---- All ----------------------------------------------------------------------------------------------

// A component outside of tables that requires others.
static bool add_mixed(FiloWorld *world, const FiloEntity *entities, size_t count,
                      const EcsComponentData *data) {
    for (size_t i = 0; i < count; i++) {
        if (ecs_record_find(world, entities[i]) == NULL || ecs_holder_get(world, data, entities[i]) != NULL)
            continue;
        ecs_entity_add_any(world, entities[i], (FiloComponent){ data->id });
        if (ecs_holder_get(world, data, entities[i]) == NULL) return false;
    }
    return true;
}

bool filo_entity_add_many(FiloWorld *world, const FiloEntity *entities, size_t count,
                          FiloComponent component) {
    if (!is_good(world, entities, count, component, "add a component to entities")) return false;
    EcsComponentData *data = ecs_component_data(world, component);
    if (data->in_table) return change_tables(world, entities, count, data, ECS_CHANGE_ADD);
    if (data->mixed) return add_mixed(world, entities, count, data);
    if (!data->watched && data->sparse != NULL && data->size > 0)
        return add_sparse(world, entities, count, data);
    if (!data->watched && data->tag != NULL) return add_tag(world, entities, count, data);
    for (size_t i = 0; i < count; i++)
        if (ecs_record_find(world, entities[i]) != NULL && ecs_holder_get(world, data, entities[i]) == NULL &&
            ecs_holder_add(world, data, entities[i]) == NULL)
            return false;
    return true;
}

bool filo_entity_remove_many(FiloWorld *world, const FiloEntity *entities, size_t count,
                             FiloComponent component) {
    if (!is_good(world, entities, count, component, "remove a component from entities")) return false;
    EcsComponentData *data = ecs_component_data(world, component);
    if (data->in_table) return change_tables(world, entities, count, data, ECS_CHANGE_REMOVE);
    if (!data->watched && data->sparse != NULL)
        remove_sparse(world, entities, count, data);
    else if (!data->watched && data->tag != NULL)
        remove_tag(world, entities, count, data);
    else
        for (size_t i = 0; i < count; i++) ecs_holder_remove(world, data, entities[i]);
    return true;
}
