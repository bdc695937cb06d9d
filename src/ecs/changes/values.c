// Values with a copy hook in change sets.
//
// Such a value is copied by the hook when it is recorded. The set owns the copy: it is moved when the set grows (by
// the move hook, if there is one), copied once more when the set is applied, and destructed when the records are
// cleared. A value without a copy hook is copied as bytes.

#include "ecs/changes/changes.h"
#include "ecs/storage/rows.h"

void ecs_changes_copy_owned(FiloChanges *changes, const EcsComponentData *component, void *payload,
                            const void *value) {
    ecs_value_construct(component, payload);
    ecs_value_assign(component, payload, value);
    changes->set->owns_values = true;
}

// The component of a group whose values are owned; else NULL.
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
    set->owns_values = false;
}
