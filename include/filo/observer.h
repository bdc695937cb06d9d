// filo/observer.h: observers: functions that are called when components are added to entities, removed or set, or when
// entities enter or leave a query.
//
//     static void follow_bodies(FiloIter *it, const FiloObserved *observed) {
//         Physics *physics = it->user;
//         const Body *removed = filo_observed_values(observed, Body); // last values; NULL for other kinds
//         for (size_t i = 0; i < observed->count; i++) {
//             FiloEntity entity = observed->entities[i];
//             if (observed->kind == FILO_OBSERVE_REMOVED)
//                 physics_remove(physics, removed[i].handle);
//             else
//                 physics_add(physics, entity, filo_get(it->world, entity, Body));
//         }
//     }
//
//     filo_observer_add(world, &(FiloObserverDesc){
//         .name = "follow bodies", .run = follow_bodies, .user = physics, .type = FILO_TYPE(Body),
//         .kinds = FILO_OBSERVE_ADDED | FILO_OBSERVE_REMOVED, .existing = true });
//
// Observers are for state beside the world that must agree with it (bodies of a physics engine, voices of a mixer, an
// index), and for rules of a game that depend on structure ("an entity with a Crown gets guards"). To skip work for
// values that have not changed, use FILO_READ_CHANGED (filo/query.h); to report what happened in the game, use events.
//
// What is observed
//
// Of a component:
//   added    entities that have it and did not have it before;
//   removed  entities that had it and lost it, because it was removed or they were destroyed, with the last values.
//            They may not exist any more;
//   set      entities that had it before, still have it, and for which it was set by filo_entity_set, filo_set,
//            filo_entity_change, an override or a change set. Writing through filo_edit, filo_entity_edit or the
//            columns of a query is not "set", and neither is filo_set inside a system, which writes in place: for such
//            writes, use FILO_READ_CHANGED.
// Of a query:
//   entered  entities that match and did not match before;
//   left     entities that matched and do not match any more. They may not exist any more.
// "Before" is the time when the observer was last called, or was added. Inactive entities have their components like
// others: deactivating one removes nothing. A query respects activity, as its description says.
//
// An observer gets the net effect since then. State beside the world that is updated accordingly is therefore always
// right:
//   - an entity that got a component and lost it again is not listed;
//   - an entity that lost it and got it again is removed, with the value from before, and then added;
//   - an entity for which it was added and then set is only added; its value is read when the observer is called;
//   - each entity is in a list once.
// For a query only membership counts: an entity that left it and entered it again is not listed. To be notified of
// that, observe the components.
//
// When, and in which order
//
// Observers are called at refresh, one after the other by the thread that ticks, each with all affected entities at
// once:
//   - at the beginning of a tick, for direct changes since the last one: systems never see structure that observers
//     have not been called for;
//   - at the end of each phase of a tick, after its change sets were applied, before its events are delivered;
//   - after the changes that handlers of events recorded were applied, inside of ticks and between them;
//   - in filo_world_refresh.
// Changes between ticks, by direct calls and by filo_changes_apply, wait for the next of these.
//
// A round of calls has this order: first "removed" and "left" of all observers, then "added" and "entered", then "set";
// each time in the order in which observers were added. Removed entities are listed in the order in which they lost the
// component, all others in the order in which each was first affected since the last round. Change sets that are
// applied together affect entities in an order that depends on their records only: it is the same on any number of
// threads.
//
// The changes that observers record (it->changes) are applied after all calls of the round. Observers are called for
// their effects in another round of the same refresh. More than FILO_OBSERVER_ROUNDS rounds are a mistake: it is
// reported with the names of the observers that would be called again, and the rest waits for the next refresh. Nothing
// is lost.
//
// Snapshots, files, resetting
//
// Changes for which observers have not been called yet are part of a snapshot, so that a restored world continues
// exactly as the original did. Observers are not called for restoring and loading itself, neither for entities that
// exist then nor for those that do not exist any more. State beside the world belongs into the snapshot as well,
// through a provider (filo/snapshot.h), or is built again. A file has no such changes. Observers are not called
// when the world is reset or destroyed.
//
// Costs
//
// A component without observers costs nothing. Each change of an observed component costs a few nanoseconds, and 20
// bytes until observers were called; each observed component or query, 4 bytes for each entity of the world. A steady
// tick does not allocate. If there is no memory to note a change, that is reported (filo_out_of_memory) and observers
// are not called for it; the world itself is right.

#ifndef FILO_OBSERVER_H
#define FILO_OBSERVER_H

#include <filo/changes.h>
#include <filo/query.h>
#include <filo/world.h>

FILO_BEGIN_DECLS

// An observer of a world; {0} is none.
typedef struct FiloObserver {
    uint32_t id;
} FiloObserver;

// Maximum of rounds in one refresh.
#define FILO_OBSERVER_ROUNDS 16

// Bits: an observer may have several, those of a component or those of a query.
typedef enum FiloObserverKind {
    FILO_OBSERVE_ADDED = 1,
    FILO_OBSERVE_REMOVED = 2,
    FILO_OBSERVE_SET = 4,
    FILO_OBSERVE_ENTERED = 8,
    FILO_OBSERVE_LEFT = 16,
} FiloObserverKind;

// The entities of one call. Valid until `run` returns.
typedef struct FiloObserved {
    FiloObserverKind kind;   // one bit
    FiloComponent component; // the component that was added, removed or set; {0}: a query is observed
    const FiloType *type;    // of that component; NULL: a query is observed
    const FiloEntity *entities;
    size_t count; // entities; never 0
    // For FILO_OBSERVE_REMOVED: the last values, an array in the order of `entities`. If a value was set and removed in
    // the same phase, it is that value. NULL for tags, and for all other kinds. Values with hooks are destructed after
    // the round.
    const void *values;
} FiloObserved;

// `values` by type: const Body *removed = filo_observed_values(observed, Body). NULL if there are none. Another type
// than that of the observed component is a caller's mistake, and returns NULL.
#define filo_observed_values(observed, Type)                                                                 \
    ((const Type *)filo_observed_values_type((observed), FILO_TYPE(Type)))
const void *filo_observed_values_type(const FiloObserved *observed, const FiloType *type);

// Called once for each kind for which there are entities. `it` has no rows, but everything else that a system has:
// world, user, tick, delta (0 between ticks), `changes` and `events` to record in, and random numbers.
// (filo_iter_random(it, 0) is the same for each call in a tick; for different numbers in each round, or for each
// entity, use filo_random_keyed.) The structure of the world does not change during the call. `changes` is one change
// set for all observers of a round: it has what earlier observers recorded (filo_changes_exists). An observer may read
// the component that it observes, access the components of its query as the terms say, and access what it declared in
// `extra_access`.
typedef void (*FiloObserverFunction)(FiloIter *it, const FiloObserved *observed);

typedef struct FiloObserverDesc {
    // For messages and profiles; copied; NULL: the name of the component, or "query". Random numbers depend on it and
    // on the observed component or query. Observers that are equal in both have different numbers, by the order in
    // which they were added.
    const char *name;
    FiloObserverFunction run;
    uint32_t kinds; // FILO_OBSERVE_…, of a component or of a query
    // For added, removed and set: the component, by its type or by itself. Not a global one. Tags, FiloEntityName and
    // FiloFamily are never set, only added and removed.
    const FiloType *type;
    FiloComponent component;
    // For entered and left. Without terms: all entities, when they are created and destroyed. No term may have
    // `from_parent` or `changed`.
    FiloQueryDesc query;
    // The first call is with all entities that have the component, or match, as added or entered, also those from
    // before the observer was added. Otherwise it is called for changes from now on only.
    bool existing;
    FiloTerm extra_access[FILO_TERMS]; // other components that `run` gets or edits
    void *user;                        // it->user
} FiloObserverDesc;

// Adds an observer. Between ticks. If other observers of the same component have not been called yet for earlier
// changes, and this one has no `existing`, they are called first, as by filo_world_refresh. {0} without memory or after
// a mistake: a component that is not registered, or a description that contradicts itself.
//
// Worlds that share their events: if observers of several worlds record events between ticks, deliver the events in
// between (filo_events_deliver). Otherwise events of both worlds would have the same position in the order.
FiloObserver filo_observer_add(FiloWorld *world, const FiloObserverDesc *desc);
// Removes an observer, between ticks; it is not called again. {0} does nothing; an observer that was removed already is
// a caller's mistake. Destroying the world removes its observers.
void filo_observer_remove(FiloWorld *world, FiloObserver observer);
// The name of an observer; NULL if it does not exist. Valid until the end of the process.
const char *filo_observer_name(const FiloWorld *world, FiloObserver observer);

FILO_END_DECLS

#endif
