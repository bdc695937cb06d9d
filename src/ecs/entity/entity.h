// Entities and their components, as the rest of the module sees them.

#ifndef FILO_ECS_ENTITY_ENTITY_H
#define FILO_ECS_ENTITY_ENTITY_H

#include "ecs/storage/components.h"
#include "ecs/storage/directory.h"

// ---- entity.c -------------------------------------------------------------------------------------------

// Whether an entity that the caller passed exists: `record` is not NULL. Reports it if not. `what` as in "cannot …".
bool ecs_entity_is_valid(const EcsRecord *record, FiloEntity entity, const char *what);
// The same by its id.
static inline bool ecs_entity_exists(const FiloWorld *world, FiloEntity entity, const char *what) {
    return ecs_entity_is_valid(ecs_record_find(world, entity), entity, what);
}
// Removes an entity from its family, the names and all holders.
void ecs_entity_remove_outside(FiloWorld *world, FiloEntity entity);
// Destroys one entity, without its children, and leaves its family as it is.
void ecs_entity_destroy_alone(FiloWorld *world, FiloEntity entity, EcsRecord *record);
// Undoes the creation of an entity, in reverse order, after memory was missing: its id is used again. `end` is
// FiloWorld.index_end from before it was created.
void ecs_entity_undo_create(FiloWorld *world, FiloEntity entity, uint32_t end);
void ecs_row_destruct(const EcsPartition *partition, uint8_t *base, uint32_t row);

// ---- value.c --------------------------------------------------------------------------------------------

// The value of a component of an entity that exists; NULL if it has none.
void *ecs_component_find(const FiloWorld *world, FiloEntity entity, const EcsRecord *record,
                         const EcsComponentData *component);
// The same for any id and for `data` NULL; NULL also if the entity does not exist.
void *ecs_entity_find(const FiloWorld *world, FiloEntity entity, const EcsComponentData *data);
// Marks a component of an entity as changed.
void ecs_component_mark_changed(FiloWorld *world, const EcsRecord *record, EcsComponentData *component);
// Reports an access that the running system did not declare. In debug builds.
bool ecs_access_allowed(const FiloWorld *world, const EcsComponentData *component, FiloAccess access);
// Whether a component may be accessed now. Debug builds report it if not.
static inline bool ecs_may_access(const FiloWorld *world, const EcsComponentData *component,
                                  FiloAccess access) {
#ifdef NDEBUG
    FILO_UNUSED(world), FILO_UNUSED(component), FILO_UNUSED(access);
    return true;
#else
    return ecs_may_read(world) &&
           (component == NULL || !ecs_is_running(world) || ecs_access_allowed(world, component, access));
#endif
}
// filo_entity_add, filo_entity_set and filo_entity_remove for every component and entity.
void *ecs_entity_add_any(FiloWorld *world, FiloEntity entity, FiloComponent component);
bool ecs_entity_set_any(FiloWorld *world, FiloEntity entity, FiloComponent component, const void *value);
bool ecs_entity_remove_any(FiloWorld *world, FiloEntity entity, FiloComponent component);

// ---- family.c -------------------------------------------------------------------------------------------

// Destroys all descendants of an entity, and removes it from its family.
void ecs_family_destroy_children(FiloWorld *world, FiloEntity entity);
// Removes an entity from its family: from its parent, and its children from it.
void ecs_family_remove(FiloWorld *world, FiloEntity entity);
// Whether an entity is `ancestor` or below it.
bool ecs_family_descends(const FiloWorld *world, FiloEntity entity, FiloEntity ancestor);
// Clears the list of entities with new parents: filo_world_reparented then returns `lost` to all its callers.
void ecs_family_reset_reparented(FiloWorld *world);
void ecs_family_deinit(FiloWorld *world);

// ---- name.c ---------------------------------------------------------------------------------------------

// Removes the name of an entity from the map, or all names, and releases them.
void ecs_name_remove(FiloWorld *world, FiloName name);
void ecs_names_clear(FiloWorld *world);
// Releases the names that waited until observers were notified.
void ecs_names_flush(FiloWorld *world);

// ---- prefab.c -------------------------------------------------------------------------------------------

// Whether copies of an entity, or instances of a prefab, get this component: all but globals, FiloFamily and
// FiloEntityName; instances no FiloPrefab either.
bool ecs_component_is_copied(const FiloWorld *world, const EcsComponentData *component, bool instance);
// Instances of a prefab that exists, with the same ids and rows as if they were created one after the other. False
// without memory for some, which are {0}.
bool ecs_prefab_instantiate_each(FiloWorld *world, FiloEntity prefab, FiloEntity *entities, size_t count);
// Changes references in a value to the prefab and its parts into references to an instance and its parts. The structure
// of the world must not change after ecs_prefab_remap_begin. False without memory.
void ecs_prefab_remap_begin(FiloWorld *world);
bool ecs_prefab_remap(FiloWorld *world, FiloEntity prefab, FiloEntity instance, const FiloType *type,
                      void *value);
void ecs_original_deinit(FiloWorld *world);

// ---- accessor.c -----------------------------------------------------------------------------------------

// The number of a world, unique in the process, from its creation to its end.
void ecs_world_number_acquire(FiloWorld *world);
void ecs_world_number_release(const FiloWorld *world);

#endif
