// Applying change sets: instances of prefabs. They are created before anything is folded, of prefabs as they were
// before the phase, so that all records find them.

#include "ecs/changes/refresh.h"
#include "ecs/entity/entity.h"
#include "ecs/storage/directory.h"

static FiloEntity prefab_of(const EcsChangeGroup *group, const uint8_t *record) {
    FiloEntity prefab;
    memcpy(&prefab, record + group->payload, sizeof prefab);
    return prefab;
}

// Creates the instances of a group. Consecutive records with the same prefab and consecutive temporary ids are one
// call.
static void instantiate(EcsRefresh *refresh, EcsChangeSet *set, const EcsChangeGroup *group,
                        const uint8_t *record) {
    for (uint32_t i = 0, count; i < group->count; i += count, record += (size_t)count * group->stride) {
        FiloEntity prefab = prefab_of(group, record), first = ecs_change_entity(record);
        const uint8_t *next = record + group->stride;
        for (count = 1; i + count < group->count && prefab_of(group, next).id == prefab.id &&
                        ecs_change_entity(next).id == first.id + count;
             count++)
            next += group->stride;
        // A standalone set may be applied after the prefab was destroyed: then the record is dropped.
        if (ecs_record_find(refresh->world, prefab) != NULL &&
            !ecs_prefab_instantiate_each(refresh->world, prefab,
                                         &set->temporaries.items[ecs_temporary_ordinal(set, first)], count))
            refresh->complete = false;
    }
}

// Values that are set on instances are overrides. References to the prefab and its descendants in them become
// references to the instance and its descendants.
static void remap_overrides(EcsRefresh *refresh, const EcsChangeSet *set, const EcsChangeGroup *group,
                            uint8_t *record) {
    FiloWorld *world = refresh->world;
    const FiloType *type = world->components.items[group->component - 1]->info.type;
    for (uint32_t i = 0; i < group->count; i++, record += group->stride) {
        FiloEntity entity = ecs_change_entity(record);
        if (!filo_entity_temporary(entity)) continue;
        size_t ordinal = ecs_temporary_ordinal(set, entity);
        FiloEntity instance = set->temporaries.items[ordinal]; // {0}: it is no instance
        if (instance.id != 0 && !ecs_prefab_remap(world, refresh->prefabs.items[ordinal], instance, type,
                                                  record + group->payload))
            refresh->complete = false;
    }
}

static bool is_override(const FiloWorld *world, const EcsChangeGroup *group) {
    return group->kind == ECS_CHANGE_SET && world->components.items[group->component - 1]->info.has_entities;
}

// Fills EcsRefresh.prefabs. False without memory.
static bool list_prefabs(EcsRefresh *refresh, const EcsChangeSet *set) {
    filo_array_clear(&refresh->prefabs);
    if (!filo_array_resize(&refresh->prefabs, set->temporaries.count)) return refresh->complete = false;
    for (size_t offset = 0; offset < set->used;) {
        const EcsChangeGroup *group = ecs_change_group(set, offset);
        const uint8_t *record = set->bytes + ecs_change_first(offset, group);
        offset = ecs_change_next(offset, group);
        if (group->kind != ECS_CHANGE_INSTANTIATE) continue;
        for (uint32_t i = 0; i < group->count; i++, record += group->stride)
            refresh->prefabs.items[ecs_temporary_ordinal(set, ecs_change_entity(record))] =
                prefab_of(group, record);
    }
    return true;
}

void ecs_refresh_instantiate(EcsRefresh *refresh, EcsChangeSet *set) {
    FiloWorld *world = refresh->world;
    bool overrides = false;
    for (size_t offset = 0; offset < set->used;) {
        const EcsChangeGroup *group = ecs_change_group(set, offset);
        const uint8_t *record = set->bytes + ecs_change_first(offset, group);
        offset = ecs_change_next(offset, group);
        if (group->kind == ECS_CHANGE_INSTANTIATE) instantiate(refresh, set, group, record);
        overrides = overrides || is_override(world, group);
    }
    if (!overrides || !list_prefabs(refresh, set)) return;
    ecs_prefab_remap_begin(world);
    for (size_t offset = 0; offset < set->used;) {
        const EcsChangeGroup *group = ecs_change_group(set, offset);
        uint8_t *record = set->bytes + ecs_change_first(offset, group);
        offset = ecs_change_next(offset, group);
        if (is_override(world, group)) remap_overrides(refresh, set, group, record);
    }
}
