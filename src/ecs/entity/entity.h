// Entities and their components, as the rest of the module sees them.

#ifndef FILO_ECS_ENTITY_ENTITY_H
#define FILO_ECS_ENTITY_ENTITY_H

#include "ecs/storage/components.h"
#include "ecs/storage/directory.h"

// ---- entity.c -------------------------------------------------------------------------------------------

// Reports what is wrong with an entity that the caller passed; true if nothing is. `what` as in "cannot …".
bool ecs_entity_is_valid(const EcsRecord *record, FiloEntity entity, const char *what);
// Takes an entity out of its family, of the names and of all holders.
void ecs_entity_forget(FiloWorld *world, FiloEntity entity);
// Destroys one entity, without its children, and leaves its family as it is.
void ecs_entity_destroy_alone(FiloWorld *world, FiloEntity entity, EcsRecord *record);
// Undoes the creation of an entity for which memory was missing, the latest first: its id is given again. `end` is
// FiloWorld.index_end from before.
void ecs_entity_undo_create(FiloWorld *world, FiloEntity entity, uint32_t end);
void ecs_row_destruct(const EcsPartition *partition, uint8_t *base, uint32_t row);

// ---- value.c --------------------------------------------------------------------------------------------

// The value of a component of an entity that exists; NULL if it has none.
void *ecs_component_find(const FiloWorld *world, FiloEntity entity, const EcsRecord *record,
                         const EcsComponentData *component);
// The same for any id; NULL also if the entity does not exist.
void *ecs_entity_find(const FiloWorld *world, FiloEntity entity, const EcsComponentData *data);
// Marks a component of an entity as changed.
void ecs_component_mark_changed(FiloWorld *world, const EcsRecord *record, EcsComponentData *component);
// In debug builds, reports an access from beside a tick, or one that the running system did not declare.
bool ecs_access_allowed(const FiloWorld *world, const EcsComponentData *component, FiloAccess access);
static inline bool ecs_may_access(const FiloWorld *world, const EcsComponentData *component,
                                   FiloAccess access) {
#ifdef NDEBUG
    FILO_UNUSED(world), FILO_UNUSED(component), FILO_UNUSED(access);
    return true;
#else
    return ecs_may_look(world) &&
           (component == NULL || !ecs_is_running(world) || ecs_access_allowed(world, component, access));
#endif
}
// filo_entity_add, filo_entity_set and filo_entity_remove for every component and entity.
void *ecs_entity_add_any(FiloWorld *world, FiloEntity entity, FiloComponent component);
bool ecs_entity_set_any(FiloWorld *world, FiloEntity entity, FiloComponent component, const void *value);
bool ecs_entity_remove_any(FiloWorld *world, FiloEntity entity, FiloComponent component);

// ---- family.c -------------------------------------------------------------------------------------------

// Destroys all descendants, and takes the entity out of its own family.
void ecs_family_destroy_children(FiloWorld *world, FiloEntity entity);
// Takes an entity out of its parent's list; its children lose their parent.
void ecs_family_remove(FiloWorld *world, FiloEntity entity);
// Whether an entity is `ancestor` or below it.
bool ecs_family_descends(const FiloWorld *world, FiloEntity entity, FiloEntity ancestor);
// Forgets which entities got other parents: filo_world_reparented says `lost` to all its callers.
void ecs_family_forget(FiloWorld *world);
void ecs_family_deinit(FiloWorld *world);

// ---- name.c ---------------------------------------------------------------------------------------------

// Releases the name that an entity loses, or all names.
void ecs_name_remove(FiloWorld *world, FiloName name);
void ecs_names_forget_all(FiloWorld *world);
// Releases the names that observers no longer need.
void ecs_names_flush(FiloWorld *world);

// ---- prefab.c -------------------------------------------------------------------------------------------

// Whether copies of an entity, or instances of a prefab, get a component of it: all but family and name, and, for
// instances, FiloPrefab.
bool ecs_component_is_copied(const FiloWorld *world, const EcsComponentData *component, bool instance);
// Instances of a prefab that exists, with the same ids and rows as if they were created one after the other. False without
// memory for some, which are {0}.
bool ecs_prefab_instantiate_each(FiloWorld *world, FiloEntity prefab, FiloEntity *entities, size_t count);
// Turns references to the prefab and its parts, in a value, into those to a new instance and its parts. From the beginning
// on, the world must not change. False without memory.
void ecs_prefab_remap_begin(FiloWorld *world);
bool ecs_prefab_remap(FiloWorld *world, FiloEntity prefab, FiloEntity instance, const FiloType *type,
                      void *value);
void ecs_original_deinit(FiloWorld *world);

// ---- accessor.c -----------------------------------------------------------------------------------------

// Gives a world a number of its own, from its creation to its end.
void ecs_world_number_acquire(FiloWorld *world);
void ecs_world_number_release(const FiloWorld *world);

#endif
