// Values in change sets that are more than their bytes: those of components with a copy hook.
//
// Such a value is copied by the hook when it is recorded, so that the caller may do with his what he likes. From
// then on the set owns its copy: it is moved when the set's bytes are (which a component may have a hook for),
// copied once more when the set is applied, and destructed when the records are forgotten. Without a copy hook a
// value is copied as bytes, here as everywhere, and a set owns nothing.

#include "ecs/changes.h"
#include "ecs/rows.h"

void filo_changes_own(FiloChanges *changes, const FiloComponentData *component, void *payload,
                      const void *value) {
    filo_value_construct(component, payload);
    filo_value_assign(component, payload, value);
    changes->set->owns = true;
}

// The component of the values in a group, if these are owned; else NULL.
static const FiloComponentData *owned_component(const FiloWorld *world, const FiloChangeGroup *group) {
    if (group->kind != FILO_CHANGE_SET && group->kind != FILO_CHANGE_GLOBAL) return NULL;
    const FiloComponentData *component = world->components.items[group->component - 1];
    return component->info.hooks.copy != NULL ? component : NULL;
}

void filo_changes_move_owned(const FiloWorld *world, const FiloChangeSet *set, uint8_t *to) {
    memcpy(to, set->bytes, set->used);
    for (size_t offset = 0; offset < set->used;) {
        const FiloChangeGroup *group = filo_change_group(set, offset);
        size_t place = filo_change_first(offset, group) + group->payload;
        offset = filo_change_next(offset, group);
        const FiloComponentData *component = owned_component(world, group);
        if (component == NULL || component->info.hooks.move == NULL) continue;
        for (uint32_t i = 0; i < group->count; i++, place += group->stride)
            filo_rows_move(component, to + place, set->bytes + place, 1);
    }
}

void filo_changes_destruct_owned(const FiloWorld *world, FiloChangeSet *set) {
    for (size_t offset = 0; offset < set->used;) {
        const FiloChangeGroup *group = filo_change_group(set, offset);
        uint8_t *value = set->bytes + filo_change_first(offset, group) + group->payload;
        offset = filo_change_next(offset, group);
        const FiloComponentData *component = owned_component(world, group);
        if (component == NULL) continue;
        for (uint32_t i = 0; i < group->count; i++, value += group->stride)
            filo_value_destruct(component, value);
    }
    set->owns = false;
}
