// Teleporting: sets the transform, and makes the previous one invalid until the next tick begins.

#include <filo/check.h>
#include <filo/transform.h>

#include "transform/systems.h"

// The components of one dimension, and the values to set.
typedef struct Teleport {
    FiloComponent transform, previous;
    const void *to, *not_valid;
    size_t size, previous_size;
} Teleport;

static bool find_components(Teleport *teleport, const FiloWorld *world, const FiloType *transform,
                            const FiloType *previous) {
    teleport->transform = transform_component(world, transform);
    if (teleport->transform.id == 0) return false;
    teleport->previous = filo_component_of(world, previous);
    return true;
}

static bool set_in_world(FiloWorld *world, FiloEntity entity, Teleport *teleport) {
    if (filo_entity_get(world, entity, teleport->transform) != NULL &&
        filo_entity_get(world, entity, teleport->previous) != NULL) {
        memcpy(filo_entity_edit(world, entity, teleport->transform), teleport->to, teleport->size);
        memcpy(filo_entity_edit(world, entity, teleport->previous), teleport->not_valid,
               teleport->previous_size);
        return true;
    }
    FiloComponentValue values[] = { { NULL, teleport->transform, teleport->to },
                                    { NULL, teleport->previous, teleport->not_valid } };
    return filo_entity_change(world, entity, values, FILO_COUNT_OF(values), NULL, 0);
}

static bool set_in_changes(FiloChanges *changes, FiloEntity entity, const Teleport *teleport) {
    return filo_changes_set(changes, entity, teleport->transform, teleport->to) &&
           filo_changes_set(changes, entity, teleport->previous, teleport->not_valid);
}

#define DEFINE_TELEPORT(number, Position)                                                                    \
    static bool prepare##number(Teleport *teleport, const FiloWorld *world) {                                \
        static const FiloPreviousTransform##number not_valid;                                                \
        teleport->not_valid = &not_valid;                                                                    \
        teleport->size = sizeof(FiloTransform##number);                                                      \
        teleport->previous_size = sizeof not_valid;                                                          \
        return find_components(teleport, world, FILO_TYPE(FiloTransform##number),                            \
                               FILO_TYPE(FiloPreviousTransform##number));                                    \
    }                                                                                                        \
    bool filo_entity_teleport##number(FiloWorld *world, FiloEntity entity, FiloTransform##number to) {       \
        Teleport teleport = { .to = &to };                                                                   \
        return prepare##number(&teleport, world) && set_in_world(world, entity, &teleport);                  \
    }                                                                                                        \
    bool filo_entity_teleport##number##_position(FiloWorld *world, FiloEntity entity, Position to) {         \
        Teleport teleport;                                                                                   \
        if (!prepare##number(&teleport, world)) return false;                                                \
        const FiloTransform##number *now = filo_entity_get(world, entity, teleport.transform);               \
        FiloTransform##number moved = now != NULL ? *now : (FiloTransform##number){ 0 };                     \
        moved.position = to;                                                                                 \
        teleport.to = &moved;                                                                                \
        return set_in_world(world, entity, &teleport);                                                       \
    }                                                                                                        \
    bool filo_changes_teleport##number(FiloChanges *changes, FiloEntity entity, FiloTransform##number to) {  \
        Teleport teleport = { .to = &to };                                                                   \
        return FILO_CHECK(changes != NULL, "pass a change set") &&                                           \
               prepare##number(&teleport, filo_changes_world(changes)) &&                                    \
               set_in_changes(changes, entity, &teleport);                                                   \
    }                                                                                                        \
    bool filo_changes_teleport##number##_position(FiloChanges *changes, FiloEntity entity, Position to) {    \
        Teleport teleport;                                                                                   \
        if (!FILO_CHECK(changes != NULL, "pass a change set") ||                                             \
            !prepare##number(&teleport, filo_changes_world(changes)))                                        \
            return false;                                                                                    \
        const FiloTransform##number *now = filo_changes_get(changes, entity, teleport.transform);            \
        FiloTransform##number moved = now != NULL ? *now : (FiloTransform##number){ 0 };                     \
        moved.position = to;                                                                                 \
        teleport.to = &moved;                                                                                \
        return set_in_changes(changes, entity, &teleport);                                                   \
    }                                                                                                        \
    bool filo_transform##number##_teleported(const FiloWorld *world, FiloEntity entity) {                    \
        FiloComponent component = transform_component(world, FILO_TYPE(FiloPreviousTransform##number));      \
        for (; component.id != 0 && entity.id != 0; entity = filo_entity_parent(world, entity)) {            \
            const FiloPreviousTransform##number *previous = filo_entity_get(world, entity, component);       \
            if (previous != NULL && !previous->valid && filo_entity_active(world, entity)) return true;      \
        }                                                                                                    \
        return false;                                                                                        \
    }

DEFINE_TELEPORT(2, FiloVec2)
DEFINE_TELEPORT(3, FiloVec3)
