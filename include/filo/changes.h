// filo/changes.h: change sets: what a running system wants to change about the structure of the world.
//
//     static void shoot(FiloIter *it) {
//         const Gun *gun = filo_read(it, Gun);
//         for (size_t i = 0; i < it->count; i++) {
//             if (gun[i].trigger == 0) continue;
//             FiloEntity bullet = filo_create(it->changes, FILO_SET(Position, .x = 1),   // a temporary id,
//                                             FILO_SET(Owner, filo_iter_entity(it, i)));
//             filo_add(it->changes, bullet, Glowing);                                     // can be used at once
//         }
//     }
//
// While systems run, many at once, nobody may add, remove, create or destroy. Each records what it wants
// instead, and at the end of the stage the world applies it all ("refresh"), in an order that does not depend
// on threads: by system, then by row, then by the order of recording.
//
// When several changes concern one entity:
//
//   destroy beats everything, whenever it was recorded;
//   otherwise the later one wins: set after remove leaves it there, remove after set takes it away, and of
//   two sets the last one holds;
//   changes to an entity that does not exist (any more) are dropped without a word: two systems may well
//   destroy the same one.
//
// A temporary id stands for an entity that will be created. It may be used in the same change set, as a
// parent, and in values and events: wherever it was recorded it is replaced by the real id when that is
// given, which is when this set is applied. It means nothing to other change sets, nor to the same one when that is
// filled again: each is given once. Where it is recorded all the same it is refused, or, inside a value, nobody; and
// so is one whose set was dropped.
//
// Only what was recorded is looked through for temporary ids, besides events and global components. One that
// a system writes straight into a component of a row stays a temporary id, and means nothing from then on:
// record it with filo_changes_set.
//
// A change set is used by one thread at a time. Recording takes no lock. Without memory for a record it is dropped,
// reported (filo_out_of_memory), and the function returns false or {0}.

#ifndef FILO_CHANGES_H
#define FILO_CHANGES_H

#include <filo/world.h>

FILO_BEGIN_DECLS

// By type: filo_create, filo_destroy, filo_instance, filo_add, filo_set, filo_set_global, filo_remove, filo_get and filo_has
// (filo/world.h) take a change set where they take a world.

// NOLINTBEGIN(readability-redundant-declaration): filo/world.h has some of them too, for its macros

// A new entity. Later in the set, or by the applied world, it is an entity like others.
FiloEntity filo_changes_create_entity(FiloChanges *changes);
// The same with components; their values are copied as by filo_changes_set. {0}, and nothing is recorded, without
// memory or after a mistake (a component that is not registered). filo_create(it->changes, FILO_SET(…), …).
FiloEntity filo_changes_create_entity_with(FiloChanges *changes, const FiloComponentValue *values,
                                           size_t value_count);
// An instance of a prefab as it was before the stage, with its children. Overrides and a parent are set like
// those of any entity; references to the prefab and its children in values that this set gives to the instance
// become references to the instance and its own, as in filo_prefab_instantiate.
FiloEntity filo_changes_instantiate(FiloChanges *changes, FiloEntity prefab);
// The same with overrides: components that the instance (not its children) has besides, or with other values. Fails
// as filo_changes_create_entity_with does. filo_instance(it->changes, prefab, FILO_SET(…), …).
FiloEntity filo_changes_instance_with(FiloChanges *changes, FiloEntity prefab,
                                      const FiloComponentValue *values, size_t value_count);
bool filo_changes_destroy_entity(FiloChanges *changes, FiloEntity entity);
// NOLINTEND(readability-redundant-declaration)
bool filo_changes_set_active(FiloChanges *changes, FiloEntity entity, bool active);
// Adds a component with its default value, if the entity has none. What it requires (filo/world.h) comes with it, here
// and below.
bool filo_changes_add(FiloChanges *changes, FiloEntity entity, FiloComponent component);
// Sets a component, adding it if need be. With FILO_ENTITY_NONE, sets a global component.
//
// The value is copied at once, and may lie in the world or in this set. A component with a copy hook is copied by
// it, on the thread that records, perhaps while other threads copy others (see FiloComponentHooks); the copy is
// destructed when it was applied or dropped. Without that hook its bytes are copied.
bool filo_changes_set(FiloChanges *changes, FiloEntity entity, FiloComponent component, const void *value);
bool filo_changes_remove(FiloChanges *changes, FiloEntity entity, FiloComponent component);
bool filo_changes_set_parent(FiloChanges *changes, FiloEntity child, FiloEntity parent);
bool filo_changes_set_name(FiloChanges *changes, FiloEntity entity, const char *name);

// What the entity will look like, as far as this set and the world know: sees the set's own changes. Those of
// others in the same stage are not seen. (Handlers of one delivery have one set together, and so have observers of one
// round: each sees what those before have recorded.)
//
// A value, NULL if it has none; good until the next record. With FILO_ENTITY_NONE, that of a global component. What
// was not recorded is read from the world, so a system must have declared it.
// An instance that is still to be made has what the prefab has now, but is no prefab. Families and names that the set
// changes are not seen as components: ask filo_changes_parent and filo_changes_name.
const void *filo_changes_get(FiloChanges *changes, FiloEntity entity, FiloComponent component);
// Whether it has the component: anybody may ask, also who did not declare it.
bool filo_changes_has(FiloChanges *changes, FiloEntity entity, FiloComponent component);
// False for what is destroyed, by itself or with one of its ancestors.
bool filo_changes_exists(FiloChanges *changes, FiloEntity entity);
bool filo_changes_active(FiloChanges *changes, FiloEntity entity);
// {0} if it has none; may be a temporary id.
FiloEntity filo_changes_parent(FiloChanges *changes, FiloEntity entity);
// NULL if it has none; good until the next record. A name that was recorded may turn out to be somebody's when
// the set is applied.
const char *filo_changes_name(FiloChanges *changes, FiloEntity entity);

FiloWorld *filo_changes_world(const FiloChanges *changes);
// Records in it.
size_t filo_changes_count(const FiloChanges *changes);

// ---- By hand ------------------------------------------------------------------------------------------

// Systems are given theirs (it->changes). A program may also keep one of its own, fill it whenever it likes,
// and apply it between ticks. Another thread may make, fill and free it while the world ticks or changes, as when a
// level is loaded, after all components were registered; but what looks at the world (reading back, and
// filo_changes_instantiate) must wait until nobody changes that.
FiloChanges *filo_changes_create(FiloWorld *world); // NULL without memory
// Applies and empties it. False without memory: what could not be applied is dropped and reported.
bool filo_changes_apply(FiloChanges *changes);
// The real entity of a temporary one, after filo_changes_apply and until the next record; {0} if it was
// destroyed in the same set.
FiloEntity filo_changes_resolved(const FiloChanges *changes, FiloEntity temporary);
// Frees it, before the world goes; what was not applied is forgotten. NULL is allowed.
void filo_changes_destroy(FiloChanges *changes);

FILO_END_DECLS

#endif
