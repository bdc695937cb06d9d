// filo/observer.h: observers: being called when entities get, lose or are given components, or come into and leave a
// query.
//
//     static void follow_bodies(FiloIter *it, const FiloObserved *observed) {
//         Physics *physics = it->user;
//         const Body *gone = filo_observed_values(observed, Body); // as they were; NULL unless they were removed
//         for (size_t i = 0; i < observed->count; i++) {
//             FiloEntity entity = observed->entities[i];
//             if (observed->kind == FILO_OBSERVE_REMOVED)
//                 physics_remove(physics, gone[i].handle);
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
// index), and for rules of a game that follow from structure ("an entity with a Crown gets guards"). To skip work where
// values have not changed, use FILO_READ_CHANGED (filo/query.h); to tell what happened, use events.
//
// What is observed
//
// Of a component:
//   added    entities that have it and did not have it before;
//   removed  entities that had it and lost it, by removing it or because they were destroyed, with the values that it
//            had last. They may not exist any more;
//   set      entities that had it before, have it still, and were given a value by filo_entity_set, filo_set,
//            filo_entity_change, an override or a change set. Writing through filo_edit, filo_entity_edit or the
//            columns of a query is not "set", and neither is filo_set inside a system, which writes in place: what may
//            have been written is a matter of FILO_READ_CHANGED.
// Of a query:
//   entered  entities that match and did not match before;
//   left     entities that matched and do not match any more. They may not exist any more.
// "Before" is when the observer was last called, or was added. Inactive entities have their components like others:
// deactivating one removes nothing. A query follows activity, as its description says.
//
// An observer is told the net effect since then. A copy of the world's state that follows what it is told is therefore
// always right:
//   - an entity that got a component and lost it again is not mentioned;
//   - one that lost it and got it again is removed, with the value from before, and then added;
//   - one that was added and then set is added only; its value is read when the observer is called;
//   - each entity is in a list once.
// Of a query only membership counts: an entity that left it and came back is not mentioned. To hear of that, observe the
// components.
//
// When, and in which order
//
// Observers are called at refresh, one after the other by the thread that ticks, each with all entities concerned at
// once:
//   - at the beginning of a tick, of what was changed directly since the last one: systems never see structure that
//     observers have not heard of;
//   - at the end of each stage of a tick, when its change sets have been applied, before its events are delivered;
//   - when what handlers of events recorded has been applied, inside of ticks and between them;
//   - in filo_world_refresh.
// Changes between ticks, by direct calls and by filo_changes_apply, wait for the next of these.
//
// One round tells all that went before all that came, and that before all that was set: first "removed" and "left" of
// all observers, then "added" and "entered", then "set"; each time in the order in which observers were added. Removed
// entities come in the order in which they lost the component, all others in the order in which each was first
// concerned since the last round. Change sets that are applied together concern entities in an order that follows from
// their records alone: it is the same on any number of threads.
//
// What observers record (it->changes) is applied when all calls of the round are done, and what follows from it is told
// in a next round of the same refresh. More than FILO_OBSERVER_ROUNDS rounds are a mistake: it is reported with the names
// of the observers that keep each other busy, and the rest waits for the next refresh. Nothing is lost.
//
// Snapshots, files, clearing
//
// What waits to be told is part of a snapshot, so that a restored world goes on exactly as the other one did. Of
// restoring and loading itself observers hear nothing, neither of entities that are there then nor of those that are
// gone. State beside the world belongs into the snapshot too, by a provider (filo/snapshot.h), or is built anew. In a file
// nothing waits. filo_world_clear destroys all entities, and is told like that. Of the end of the world nothing is told.
//
// What it costs
//
// A component without observers costs nothing. Each change of an observed one costs a few nanoseconds, and 20 bytes until
// it is told; each observed component or query, 4 bytes for each entity of the world. A steady tick does not allocate.
// Without memory to note a change, that is reported (filo_out_of_memory) and observers do not hear of it; the world itself
// is right.

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

// Rounds of one refresh, at most.
#define FILO_OBSERVER_ROUNDS 16

// Bits: an observer may ask for several, of a component or of a query.
typedef enum FiloObserverKind {
    FILO_OBSERVE_ADDED = 1,
    FILO_OBSERVE_REMOVED = 2,
    FILO_OBSERVE_SET = 4,
    FILO_OBSERVE_ENTERED = 8,
    FILO_OBSERVE_LEFT = 16,
} FiloObserverKind;

// What a call is about. Good until `run` returns.
typedef struct FiloObserved {
    FiloObserverKind kind;   // one of them
    FiloComponent component; // that was added, removed or set; {0}: a query is observed
    const FiloType *type;    // of that component; NULL: a query is observed
    const FiloEntity *entities;
    size_t count; // entities; never 0
    // Of entities that lost a component: its last values, one after the other in the order of `entities`. If a value was
    // set and removed in the same stage, that one. NULL for tags, and for all other kinds. With hooks: these values are
    // destructed after the round, not before.
    const void *values;
} FiloObserved;

// By type: const Body *gone = filo_observed_values(observed, Body). NULL where there are none. Another type than that of
// the observed component is a caller's mistake, and gives NULL.
#define filo_observed_values(observed, Type)                                                                 \
    ((const Type *)filo_observed_values_type((observed), FILO_TYPE(Type)))
const void *filo_observed_values_type(const FiloObserved *observed, const FiloType *type);

// Called once for each kind of which there is something to tell. `it` has no rows, but what else a system has: world,
// user, tick, delta (0 between ticks), `changes` and `events` to record in, and random numbers (filo_iter_random(it, 0):
// the same for each call in a tick; for others in each round, or for each entity, use filo_random_keyed). The structure of
// the world does not change meanwhile. `changes` is one change set for all observers of a round: what those before have
// recorded is seen in it (filo_changes_exists). Besides the component it observes, or what the terms of its query say, an
// observer may read and write what it declared in `touches`.
typedef void (*FiloObserverFunction)(FiloIter *it, const FiloObserved *observed);

typedef struct FiloObserverDesc {
    // For messages and profiles; copied; NULL: that of the component, or "query". Random numbers go by it and by what is
    // observed; of observers that are alike in both each has its own, in the order in which they were added.
    const char *name;
    FiloObserverFunction run;
    uint32_t kinds; // FILO_OBSERVE_…, of a component or of a query
    // For added, removed and set: the component, by its type or by itself. Not a global one. Components without data are
    // never set, nor are names and families, which the world keeps; these are added and removed.
    const FiloType *type;
    FiloComponent component;
    // For entered and left. Without terms: all entities, as they are created and destroyed. No term may ask for a
    // parent's component or for changes.
    FiloQueryDesc query;
    // In its first call, all entities that have the component, or match, are added or entered, also if they were there
    // before the observer. Otherwise it hears of what happens from now on.
    bool existing;
    FiloTerm extra_access[FILO_TERMS]; // components that `run` gets or edits besides
    void *user;                        // it->user
} FiloObserverDesc;

// Adds an observer. Between ticks. If others still wait to hear of the same component, and this one does not ask for
// `existing`, they are called first, as by filo_world_refresh. {0} without memory or after a mistake: a component that
// is not registered, or a description that contradicts itself.
//
// Worlds that share their events: if observers of several worlds record events between ticks, events are delivered in
// between (filo_events_deliver). Otherwise events of both worlds would have the same position in the order.
FiloObserver filo_observer_add(FiloWorld *world, const FiloObserverDesc *desc);
// Between ticks. What waited for it is dropped. {0} does nothing; one that was removed already is a caller's mistake.
// Observers that are left go with the world.
void filo_observer_remove(FiloWorld *world, FiloObserver observer);
// Its name; NULL if there is none (any more). Good as long as the process lives.
const char *filo_observer_name(const FiloWorld *world, FiloObserver observer);

FILO_END_DECLS

#endif
