// Applying change sets, step 1 for components in sparse lists and for tags that have no hooks, are not observed and
// require no others: one loop for each kind of change, as in entity/many.c. fold.c folds all others record by record.

#include "ecs/changes/refresh.h"
#include "ecs/storage/directory.h"
#include "ecs/storage/holder.h"
#include "ecs/storage/rows.h"

// Whether an entity exists, and was not destroyed by an earlier record.
static inline bool still_exists(const EcsRefresh *refresh, FiloEntity entity) {
    const EcsRecord *record = ecs_record_find(refresh->world, entity);
    return FILO_LIKELY(record != NULL) && !ecs_refresh_is_destroyed(refresh, record);
}

// ---- Sparse lists ---------------------------------------------------------------------------------------

// Adds an entity to the list, without a value; false without memory.
static inline bool add_to_list(FiloWorld *world, EcsSparse *sparse, FiloEntity entity) {
    uint32_t *slot = ecs_sparse_slot(sparse, (uint32_t)entity.id);
    if (FILO_UNLIKELY(slot == NULL || sparse->count == sparse->capacity)) {
        if (!ecs_sparse_reserve(sparse, entity)) return false;
        slot = ecs_sparse_slot(sparse, (uint32_t)entity.id);
    }
    if (FILO_UNLIKELY(!ecs_entity_mark_outside(world, entity))) return false;
    sparse->entities[sparse->count++] = entity;
    *slot = sparse->count;
    return true;
}

static void add_sparse(EcsRefresh *refresh, const EcsChangeGroup *group, const uint8_t *record,
                       const EcsComponentData *component) {
    FiloWorld *world = refresh->world;
    EcsSparse *sparse = component->sparse;
    const size_t before = sparse->count;
    for (uint32_t i = 0; i < group->count; i++, record += group->stride) {
        FiloEntity entity = ecs_refresh_entity(refresh, record);
        if (!still_exists(refresh, entity)) continue;
        const uint32_t *slot = ecs_sparse_slot(sparse, (uint32_t)entity.id);
        if (slot != NULL && *slot != 0) continue;
        if (FILO_UNLIKELY(!add_to_list(world, sparse, entity))) refresh->complete = false;
    }
    const size_t added = sparse->count - before;
    if (added == 0) return;
    *component->version = world->version;
    if (component->size == 0) return;
    uint8_t *values = sparse->values + before * sparse->size;
    if (component->default_value == NULL)
        memset(values, 0, added * sparse->size);
    else
        for (size_t i = 0; i < added; i++) ecs_value_set_default(component, values + i * sparse->size);
}

static void set_sparse(EcsRefresh *refresh, const EcsChangeGroup *group, const uint8_t *record,
                       const EcsComponentData *component) {
    FiloWorld *world = refresh->world;
    EcsSparse *sparse = component->sparse;
    const size_t size = sparse->size;
    for (uint32_t i = 0; i < group->count; i++, record += group->stride) {
        FiloEntity entity = ecs_refresh_entity(refresh, record);
        if (!still_exists(refresh, entity)) continue;
        const uint32_t *slot = ecs_sparse_slot(sparse, (uint32_t)entity.id);
        size_t number = slot != NULL ? *slot : 0;
        if (number == 0) {
            if (FILO_UNLIKELY(!add_to_list(world, sparse, entity))) {
                refresh->complete = false;
                continue;
            }
            number = sparse->count;
        }
        *component->version = world->version;
        ecs_bytes_copy(sparse->values + (number - 1) * size, record + group->payload, size);
    }
}

static void remove_sparse(EcsRefresh *refresh, const EcsChangeGroup *group, const uint8_t *record,
                          const EcsComponentData *component) {
    FiloWorld *world = refresh->world;
    EcsSparse *sparse = component->sparse;
    const size_t before = sparse->count;
    for (uint32_t i = 0; i < group->count; i++, record += group->stride) {
        FiloEntity entity = ecs_refresh_entity(refresh, record);
        if (!still_exists(refresh, entity)) continue;
        uint32_t *slot = ecs_sparse_slot(sparse, (uint32_t)entity.id);
        if (slot != NULL && *slot != 0)
            ecs_sparse_remove_slot(sparse, slot); // a slot in use is that of the entity that exists
    }
    if (sparse->count < before) *component->version = world->version;
}

// ---- Tags -----------------------------------------------------------------------------------------------

static void change_tag(EcsRefresh *refresh, const EcsChangeGroup *group, const uint8_t *record,
                       EcsComponentData *component) {
    FiloWorld *world = refresh->world;
    EcsTagHolder *tag = component->tag;
    const bool adds = group->kind != ECS_CHANGE_REMOVE;
    const size_t before = tag->count;
    for (uint32_t i = 0; i < group->count; i++, record += group->stride) {
        FiloEntity entity = ecs_refresh_entity(refresh, record);
        uint32_t index = (uint32_t)entity.id;
        if (!still_exists(refresh, entity)) continue;
        if (FILO_UNLIKELY(index >= tag->bits.count || index >= world->outside_end)) {
            if (adds && ecs_holder_add(world, component, entity) == NULL) refresh->complete = false;
            continue; // it has no bit or was never marked: nothing to remove
        }
        uint64_t *word = &tag->bits.words[index / 64], bit = UINT64_C(1) << index % 64, had = *word & bit;
        if (adds) {
            tag->count += had == 0;
            *word |= bit;
            ecs_entity_mark_outside(world, entity); // cannot fail: the index is below outside_end
        } else {
            tag->count -= had != 0;
            *word &= ~bit;
        }
    }
    if (tag->count != before) *component->version = world->version;
}

// ---- All ------------------------------------------------------------------------------------------------

bool ecs_refresh_fold_list(EcsRefresh *refresh, const EcsChangeGroup *group, const uint8_t *record) {
    EcsComponentData *component = refresh->world->components.items[group->component - 1];
    if (component->watched || component->watch != NULL || component->mixed) return false;
    if (component->tag != NULL)
        change_tag(refresh, group, record, component);
    else if (component->sparse == NULL)
        return false;
    else if (group->kind == ECS_CHANGE_REMOVE)
        remove_sparse(refresh, group, record, component);
    else if (group->kind == ECS_CHANGE_SET && component->size > 0)
        set_sparse(refresh, group, record, component);
    else
        add_sparse(refresh, group, record, component);
    return true;
}
