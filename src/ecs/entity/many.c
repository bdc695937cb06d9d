// Adding one component to many entities, and removing it from many.
//
// A component in tables takes the same path as a change set (ecs_refresh_component), which moves adjacent rows
// together. Sparse lists and tags without required components have their own loops, which test everything but the
// entity once. All other components are added and removed one by one.

#include "ecs/changes/changes.h"
#include "ecs/entity/entity.h"
#include "ecs/storage/holder.h"

#define MAX_BATCH ((size_t)1 << 30) // entities of one refresh

static bool may_change_many(const FiloWorld *world, const FiloEntity *entities, size_t count,
                            FiloComponent component, const char *what) {
    return FILO_CHECK(world != NULL && (entities != NULL || count == 0), "pass a world and the entities") &&
           ecs_may_change(world, what) &&
           ecs_component_is_valid(ecs_component_data(world, component), component, what);
}

static bool change_tables(FiloWorld *world, const FiloEntity *entities, size_t count,
                          const EcsComponentData *data, EcsChangeKind kind) {
    bool ok = true;
    for (size_t at = 0; at < count; at += MAX_BATCH)
        ok = ecs_refresh_component(world, data, kind, entities + at, FILO_MIN(count - at, MAX_BATCH)) && ok;
    return ok;
}

// ---- Sparse -------------------------------------------------------------------------------------------

static bool add_sparse(FiloWorld *world, const FiloEntity *entities, size_t count, EcsComponentData *data) {
    EcsSparse *sparse = data->sparse;
    size_t before = sparse->count, end = before;
    bool ok = true;
    for (size_t i = 0; i < count; i++) {
        FiloEntity entity = entities[i];
        if (FILO_UNLIKELY(ecs_record_find(world, entity) == NULL)) continue;
        uint32_t *slot = ecs_sparse_slot(sparse, (uint32_t)entity.id);
        if (FILO_UNLIKELY(slot == NULL || end == sparse->capacity)) {
            sparse->count = (uint32_t)end;
            ok = ecs_sparse_reserve(sparse, entity);
            if (!ok) break;
            slot = ecs_sparse_slot(sparse, (uint32_t)entity.id);
        }
        if (*slot != 0) continue;
        ok = ecs_entity_mark_outside(world, entity);
        if (FILO_UNLIKELY(!ok)) break;
        sparse->entities[end++] = entity;
        *slot = (uint32_t)end;
    }
    sparse->count = (uint32_t)end;
    if (end == before) return ok;
    uint8_t *added = sparse->values + before * sparse->size;
    if (data->default_value == NULL)
        memset(added, 0, (end - before) * sparse->size);
    else
        for (size_t i = 0; i < end - before; i++) ecs_value_set_default(data, added + i * sparse->size);
    *data->version = world->version;
    return ok;
}

static void remove_sparse(FiloWorld *world, const FiloEntity *entities, size_t count,
                          EcsComponentData *data) {
    EcsSparse *sparse = data->sparse;
    size_t before = sparse->count;
    for (size_t i = 0; i < count; i++) {
        uint32_t *slot = ecs_sparse_slot(sparse, (uint32_t)entities[i].id);
        // An entity in the list exists.
        if (slot == NULL || *slot == 0 || sparse->entities[*slot - 1].id != entities[i].id) continue;
        ecs_sparse_remove_slot(sparse, slot);
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
        ecs_entity_mark_outside(world, entities[i]); // cannot fail: index < outside_end
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

// Adds a component outside of tables that requires others.
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
    if (!may_change_many(world, entities, count, component, "add a component to entities")) return false;
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
    if (!may_change_many(world, entities, count, component, "remove a component from entities")) return false;
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
