// Values in change sets that are more than their bytes: those of components with a copy hook.
//
// Such a value is copied by the hook when it is recorded, so that the caller may do with his what he likes. From
// then on the set owns its copy: it is moved when the set's bytes are (which a component may have a hook for),
// copied once more when the set is applied, and destructed when the records are forgotten. Without a copy hook a
// value is copied as bytes, here as everywhere, and a set owns nothing.

#include "ecs/changes/changes.h"
#include "ecs/storage/component.h"
#include "ecs/storage/rows.h"
#include "ecs/world.h"

void ecs_changes_own(FiloChanges *changes, const EcsComponentData *component, void *payload,
                     const void *value) {
    ecs_value_construct(component, payload);
    ecs_value_assign(component, payload, value);
    changes->set->owns = true;
}

// The component of the values in a group, if these are owned; else NULL.
static const EcsComponentData *owned_component(const FiloWorld *world, const EcsChangeGroup *group) {
    if (group->kind != ECS_CHANGE_SET && group->kind != ECS_CHANGE_GLOBAL) return NULL;
    const EcsComponentData *component = world->components.items[group->component - 1];
    return component->info.hooks.copy != NULL ? component : NULL;
}

void ecs_changes_move_owned(const FiloWorld *world, const EcsChangeSet *set, uint8_t *to) {
    memcpy(to, set->bytes, set->used);
    for (size_t offset = 0; offset < set->used;) {
        const EcsChangeGroup *group = ecs_change_group(set, offset);
        size_t at = ecs_change_first(offset, group) + group->payload;
        offset = ecs_change_next(offset, group);
        const EcsComponentData *component = owned_component(world, group);
        if (component == NULL || component->info.hooks.move == NULL) continue;
        for (uint32_t i = 0; i < group->count; i++, at += group->stride)
            ecs_rows_move(component, to + at, set->bytes + at, 1);
    }
}

void ecs_changes_destruct_owned(const FiloWorld *world, EcsChangeSet *set) {
    for (size_t offset = 0; offset < set->used;) {
        const EcsChangeGroup *group = ecs_change_group(set, offset);
        uint8_t *value = set->bytes + ecs_change_first(offset, group) + group->payload;
        offset = ecs_change_next(offset, group);
        const EcsComponentData *component = owned_component(world, group);
        if (component == NULL) continue;
        for (uint32_t i = 0; i < group->count; i++, value += group->stride)
            ecs_value_destruct(component, value);
    }
    set->owns = false;
}
