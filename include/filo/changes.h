// filo/changes.h: change sets: how a running system changes the structure of the world.
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
// While systems run, many at once, none of them may add, remove, create or destroy. They record changes instead. At
// the end of the phase the world applies all of them ("refresh"), in an order that does not depend on threads: by
// system, then by row, then by the order of recording.
//
// Several changes of one entity:
//
//   destroy wins over everything, whenever it was recorded;
//   otherwise the later change wins: after remove and set the entity has the component, after set and remove it does
//   not, and of two values the last one is set;
//   changes of an entity that does not exist (any more) are dropped without a report: two systems may well destroy the
//   same one.
//
// A temporary id stands for an entity that will be created. It may be used in the same change set, as a parent, in
// values, and in events. When the set is applied, the entity gets its real id, which replaces the temporary one
// wherever that was recorded. A temporary id is valid in its set only, and only until that is applied: each is given
// once. Recording another one is refused, or, inside a value, it becomes {0}; so does one whose set was dropped.
//
// Temporary ids are replaced in what was recorded, in events and in global components. One that a system writes
// directly into a component of a row is not replaced and becomes invalid: record it with filo_changes_set.
//
// A change set is used by one thread at a time. Recording takes no lock. A record for which there is no memory is
// dropped and reported (filo_out_of_memory), and the function returns false or {0}.

#ifndef FILO_CHANGES_H
#define FILO_CHANGES_H

#include <filo/world.h>

FILO_BEGIN_DECLS

// The macros filo_create, filo_destroy, filo_instance, filo_add, filo_set, filo_set_global, filo_remove, filo_get and
// filo_has (filo/world.h) take a change set in place of a world.

// The order in which change sets are applied: by system, then by row. No two sets of a phase have the same, so a module that
// records data of its own beside a set, and sorts it by this, has it in an order that does not depend on threads.
typedef struct FiloChangesOrder {
    uint64_t row;    // the first one of the part for which the system is called
    uint32_t system; // UINT32_MAX in handlers of events and observers, which are called one after the other
} FiloChangesOrder;
FiloChangesOrder filo_changes_order(const FiloChanges *changes);

// NOLINTBEGIN(readability-redundant-declaration): filo/world.h has some of them too, for its macros

// Creates an entity. Returns its temporary id.
FiloEntity filo_changes_create_entity(FiloChanges *changes);
// The same with components. Their values are copied as by filo_changes_set. {0}, and nothing is recorded, without
// memory or after a mistake (a component that is not registered). filo_create(it->changes, FILO_SET(…), …).
FiloEntity filo_changes_create_entity_with(FiloChanges *changes, const FiloComponentValue *values,
                                           size_t value_count);
// Creates an instance of a prefab as it is before the changes of the phase are applied, with its children. Returns its temporary id. Overrides
// and a parent are set as for any entity. References to the prefab and its children in values that this set sets on
// the instance become references to the instance and its children, as in filo_prefab_instantiate.
FiloEntity filo_changes_instantiate(FiloChanges *changes, FiloEntity prefab);
// The same with overrides: components that only the instance (not its children) has, or with other values. Fails as
// filo_changes_create_entity_with does. filo_instance(it->changes, prefab, FILO_SET(…), …).
FiloEntity filo_changes_instance_with(FiloChanges *changes, FiloEntity prefab,
                                      const FiloComponentValue *values, size_t value_count);
bool filo_changes_destroy_entity(FiloChanges *changes, FiloEntity entity);
// NOLINTEND(readability-redundant-declaration)
bool filo_changes_set_active(FiloChanges *changes, FiloEntity entity, bool active);
// Adds a component with its default value, if the entity does not have it. Components that it requires (filo/world.h)
// are added too, here and in filo_changes_set.
bool filo_changes_add(FiloChanges *changes, FiloEntity entity, FiloComponent component);
// Sets a component, and adds it if the entity does not have it. With FILO_ENTITY_NONE, sets a global component.
//
// The value is copied at once, and may be in the world or in this set. If the component has a copy hook, the hook
// copies it on the thread that records, perhaps while other threads copy other values (see FiloComponentHooks). The
// copy is destructed after it was applied or dropped. Without a copy hook the bytes are copied.
bool filo_changes_set(FiloChanges *changes, FiloEntity entity, FiloComponent component, const void *value);
bool filo_changes_remove(FiloChanges *changes, FiloEntity entity, FiloComponent component);
bool filo_changes_set_parent(FiloChanges *changes, FiloEntity child, FiloEntity parent);
bool filo_changes_set_name(FiloChanges *changes, FiloEntity entity, const char *name);

// The functions below return what an entity will be after the changes of this set. Changes of other sets in the same
// phase have no effect on them. (Handlers of one delivery share one set, and so do observers of one round: each sees
// what those before it have recorded.)

// A value; NULL if the entity will not have the component. Valid until the next record. With FILO_ENTITY_NONE, the
// value of a global component. What was not recorded is read from the world, so a system must have declared it. An
// instance that is not created yet has what the prefab has now, but is no prefab. Families and names that the set
// changes are not visible as components: use filo_changes_parent and filo_changes_name.
const void *filo_changes_get(FiloChanges *changes, FiloEntity entity, FiloComponent component);
// Whether the entity will have the component. A system need not have declared it.
bool filo_changes_has(FiloChanges *changes, FiloEntity entity, FiloComponent component);
// False for an entity that is destroyed, itself or with one of its ancestors.
bool filo_changes_exists(FiloChanges *changes, FiloEntity entity);
bool filo_changes_active(FiloChanges *changes, FiloEntity entity);
// {0} if it has none. May be a temporary id.
FiloEntity filo_changes_parent(FiloChanges *changes, FiloEntity entity);
// NULL if it has none. Valid until the next record. A name that was recorded is dropped when the set is applied if
// another entity has it then.
const char *filo_changes_name(FiloChanges *changes, FiloEntity entity);

FiloWorld *filo_changes_world(const FiloChanges *changes);
// The number of records.
size_t filo_changes_count(const FiloChanges *changes);

// ---- Change sets of a program ---------------------------------------------------------------------------

// Systems get their change sets from the world (it->changes). A program may also create one, fill it at any time, and
// apply it between ticks. After all components were registered, another thread may create, fill and destroy it while
// the world ticks or changes, for example to load a level. Functions that read the world (those that return what an
// entity will be, and filo_changes_instantiate) must wait until no other thread changes the world.
FiloChanges *filo_changes_create(FiloWorld *world); // NULL without memory
// Applies and clears it. False without memory: what could not be applied is dropped and reported.
bool filo_changes_apply(FiloChanges *changes);
// The real id of a temporary one, after filo_changes_apply and until the next record; {0} if the entity does not
// exist, for example because the same set destroyed it.
FiloEntity filo_changes_resolved(const FiloChanges *changes, FiloEntity temporary);
// Destroys it, before the world is destroyed. What was not applied is dropped. NULL is allowed.
void filo_changes_destroy(FiloChanges *changes);

FILO_END_DECLS

#endif
