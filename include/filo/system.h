// filo/system.h: systems, and the schedule that runs them.
//
//     static void move(FiloIter *it) {
//         Position *position = filo_write(it, Position);
//         const Velocity *velocity = filo_read(it, Velocity);
//         for (size_t i = 0; i < it->count; i++) position[i].x += velocity[i].x * it->delta;
//     }
//
//     filo_system_add(world, &(FiloSystemDesc){
//         .name = "move", .run = move, .parallel = true,
//         .query.terms = { FILO_WRITE(Position), FILO_READ(Velocity) } });
//
//     for (int i = 0; i < 600; i++) filo_world_tick(world, 1.0f / 60);
//
// A system says what it reads and writes, by the terms of its queries. From that alone the world works out
// which systems may run at once: those where none writes what another reads or writes. They form a stage; at
// its end the change sets and events that they recorded are applied and delivered ("refresh"). Within a
// phase, a system is in the first stage after all earlier ones that it conflicts with; earlier is who was
// registered earlier, unless `before` and `after` say otherwise. So the order is never left open: two systems
// that have to do with each other run in the order of registration.
//
// A system with `parallel` is called for parts of its rows, on several threads at once. Where the parts are
// cut is a matter of chance; nothing depends on it as long as it works on rows: what it does for a row may
// depend on that row, on what it only reads, and on the tick, seed and entity (filo_iter_random); not on
// it->count or it->first. The sum it->first + i, which is the row's number, may be used if all terms for
// entities are stored in tables: then it does not depend on the cut (but entities that come and go change it).
// Small work is done in place, because handing it to a thread would cost more.
//
// Systems can be switched off: one by one, in groups (.groups), or by the state of the game (.in_state,
// filo/state.h). One that is switched off costs nothing in a tick. Its place in the order stays as it is, so what the
// others do does not depend on it.

#ifndef FILO_SYSTEM_H
#define FILO_SYSTEM_H

#include <filo/changes.h>
#include <filo/query.h>
#include <filo/state.h>
#include <filo/world.h>

FILO_BEGIN_DECLS

// A system of a world; {0} is none.
typedef struct FiloSystemId {
    uint32_t id;
} FiloSystemId;

typedef void (*FiloRunFunction)(FiloIter *it);

// Phases run one after the other, lower ones first; any number will do, these have names. What one phase
// recorded has been applied when the next begins.
enum {
    FILO_PHASE_INPUT = -200,  // what came from outside
    FILO_PHASE_BEFORE = -100, // preparations
    FILO_PHASE_UPDATE = 0,    // the game
    FILO_PHASE_AFTER = 100,   // what follows from it
    FILO_PHASE_EXTRACT = 200, // for those who look at the result
};

#define FILO_SYSTEM_QUERIES 4 // besides the first
#define FILO_SYSTEM_ORDERS  8
#define FILO_SYSTEM_GROUPS  4
#define FILO_SYSTEM_STATES  8

typedef struct FiloSystemDesc {
    const char *name; // unique; copied. Random numbers (filo_iter_random) go by it
    FiloRunFunction run;

    // What it goes over: `run` is called for each part of the rows, not at all if there are none. Without
    // terms for entities (none at all, or global components only) it is called once a tick; if some of these ask
    // for changes, only if one of them may have changed since it was last called.
    FiloQueryDesc query;
    // Further queries, to be gone over inside `run`: filo_iter_over(it, filo_iter_extra_query(it, 0)).
    FiloQueryDesc extra_queries[FILO_SYSTEM_QUERIES];
    // Components that `run` gets or edits of entities that it finds in another way, or global ones. If it is
    // parallel, what it edits must belong to the row it works on, and what it gets must not be written for
    // other rows: this cannot be checked.
    FiloTerm extra_access[FILO_TERMS];
    void *user; // it->user

    int phase;
    // Names of systems that it runs before or after; one of another phase must be on the right side already. Unknown
    // names are for systems that may come later: a debug build logs a warning about those that are not there when a tick
    // needs the order, once for each, with the system that was probably meant.
    const char *before[FILO_SYSTEM_ORDERS];
    const char *after[FILO_SYSTEM_ORDERS];

    // NULL: always. Asked before its stage, on the thread that ticks; may look at everything.
    bool (*condition)(const FiloWorld *world, void *user);
    uint32_t every;  // runs in every n-th tick; 0 and 1: in each
    uint32_t offset; // of those, in which: ticks where tick % every == offset

    // Names of groups that it belongs to: it runs while all of them are on. See filo_world_set_group_enabled.
    const char *groups[FILO_SYSTEM_GROUPS];
    // States in which it runs; none: in all. See FILO_STATE in filo/state.h.
    FiloStateTerm in_state[FILO_SYSTEM_STATES];
    // With one of these it does not run in ordinary ticks, but when these states are entered, or left; with both, at
    // each of the two. What else it has to fulfil to run (groups, in_state, condition) it has to fulfil then.
    FiloStateTerm on_enter[FILO_SYSTEM_STATES];
    FiloStateTerm on_leave[FILO_SYSTEM_STATES];

    bool parallel;    // parts may run at once
    bool once;        // `run` is called once a tick, with no rows: it goes over filo_iter_over(it, it->query)
    bool main_thread; // only on the thread that ticks
    bool disabled;    // see filo_system_set_enabled

    // Called when the system is added and when it goes (with the world, at the latest; the last one that was
    // added goes first); between ticks. They may change the world.
    void (*start)(FiloWorld *world, void *user);
    void (*end)(FiloWorld *world, void *user);
} FiloSystemDesc;

// Adds a system. Between ticks. Several passes of one function are several systems. {0} without memory or
// after a mistake: a name that is taken, a component that is not registered, or a parallel system one part of
// which would read what another writes.
FiloSystemId filo_system_add(FiloWorld *world, const FiloSystemDesc *desc);
// Between ticks. {0} does nothing. A system that is added again starts anew.
void filo_system_remove(FiloWorld *world, FiloSystemId system);
// {0} if there is none.
FiloSystemId filo_system_named(const FiloWorld *world, const char *name);
// The systems in the order of registration, n from 0; {0} past the end.
FiloSystemId filo_system_at(const FiloWorld *world, size_t n);
// NULL if there is none. Good as long as the process lives.
const char *filo_system_name(const FiloWorld *world, FiloSystemId system);
// Switches a system off and on again, between ticks. What it asks for as changed is counted from when it last
// ran.
void filo_system_set_enabled(FiloWorld *world, FiloSystemId system, bool enabled);
bool filo_system_enabled(const FiloWorld *world, FiloSystemId system);

// ---- Groups -----------------------------------------------------------------------------------------------

// Systems that are switched on and off together: the enemies' minds, a cut scene, what is only for debugging.
//
//     filo_system_add(world, &(FiloSystemDesc){ .name = "think", .groups = { "minds" }, … });
//     filo_system_add(world, &(FiloSystemDesc){ .name = "hunt", .groups = { "minds", "night" }, … });
//
//     filo_world_set_group_enabled(world, "minds", false);             // between ticks
//     filo_changes_set_group_enabled(it->changes, "minds", false);     // inside a system
//
// A system runs if it is switched on itself (filo_system_set_enabled) and all its groups are. What it asks for as
// changed is counted from when it last ran. Groups are on at first, and again after filo_world_clear. Which are off
// is a part of the world: it is hashed, saved, rewound and replayed with it.
//
// A group is known once a system that names it was added. To switch one that is not known is a caller's mistake, and
// the message suggests the one that was meant.

// Between ticks; counts from the next tick on. False after a mistake.
bool filo_world_set_group_enabled(FiloWorld *world, const char *group, bool enabled);
// Recorded like any change, and of several the last one counts. filo_world_group_enabled tells when the change set was
// applied; systems run accordingly from the next tick on. False without memory or after a mistake.
bool filo_changes_set_group_enabled(FiloChanges *changes, const char *group, bool enabled);
// One of the two, by what `object` is: filo_set_group_enabled(it->changes, "minds", false). Only for C.
#define filo_set_group_enabled(object, group, enabled)                                                       \
    _Generic((object), FiloWorld *                                                                           \
             : filo_world_set_group_enabled, FiloChanges *                                                   \
             : filo_changes_set_group_enabled)((object), (group), (enabled))
// Any thread. True after a mistake.
bool filo_world_group_enabled(const FiloWorld *world, const char *group);
// The groups that are known, in the order in which they became so, n from 0; NULL past the end. Good as long as the
// process lives. Between ticks.
const char *filo_world_group_at(const FiloWorld *world, size_t n);

// ---- Inside a system --------------------------------------------------------------------------------------

// The n-th of `extra_queries`, inside `run`; NULL after a mistake.
FiloQuery *filo_iter_extra_query(const FiloIter *it, unsigned n);

// ---- Numbers ----------------------------------------------------------------------------------------------

typedef struct FiloSystemStats {
    uint64_t runs;  // ticks in which it ran
    uint64_t rows;  // in the last one
    double last_ns; // time of the last one, over all threads; 0 unless measuring is on
    double total_ns;
    uint32_t stage; // where it runs, counted from 0; UINT32_MAX: when states are entered or left
} FiloSystemStats;
// All zero if there is no such system. Between ticks.
FiloSystemStats filo_system_stats(const FiloWorld *world, FiloSystemId system);
// Measure the time of each system (about 50 ns for each). Off at first. Between ticks.
void filo_world_measure(FiloWorld *world, bool on);

// ---- Ticks ----------------------------------------------------------------------------------------------

// Changes states as requested (filo/state.h), then runs all systems once. `delta` in seconds. By a worker of the
// scheduler, usually main; with no scheduler any one thread. An order of systems that has a cycle, which the message
// names, or contradicts their phases is a caller's mistake: FILO_ERROR_ARGUMENT. FILO_ERROR_MEMORY if there is none to
// work the order out. Nothing is run then.
//
// In a world with events, those that wait are delivered at the end of each stage, after its change sets were
// applied; the end of the last one is the delivery point of the tick (filo_events_deliver). Observers
// (filo/observer.h) are called before the first stage, of what was changed since the last tick, and after each time
// that change sets were applied.
FiloResult filo_world_tick(FiloWorld *world, float delta);
// Whether a system that is switched on, in whatever state, has `main_thread`: then ticks belong on the main thread.
// Between ticks.
bool filo_world_needs_main_thread(const FiloWorld *world);
// Between ticks: lets holders reorganise, calls observers (filo/observer.h) of what was changed directly, and brings
// tracked queries that do not belong to a system up to date. Delivers no events.
void filo_world_refresh(FiloWorld *world);

// ---- Handlers -------------------------------------------------------------------------------------------

// A handler of an event that touches the world: it is a system that runs at the refresh in which the event is
// delivered, once for each event, in the order of events; those of one event in the order of subscription. If
// somebody delivers outside of the world's ticks, it is called then.
typedef void (*FiloWorldHandlerFunction)(FiloIter *it, const FiloEvent *event);
typedef struct FiloWorldHandlerDesc {
    // For messages and profiles; copied; NULL: that of the event. Random numbers go by it and by the event; of handlers
    // that are alike in both, each has its own, in the order in which they came.
    const char *name;
    FiloName event;
    const FiloType *type; // what the handler expects; NULL: it does not care
    // `it` has no rows. it->changes are applied after the last handler of this refresh; outside of ticks, when
    // the delivery has ended. All handlers until then, of all events, record in the same change set: each sees in it
    // what those before have recorded, so that filo_changes_exists(it->changes, prey) is false if one of them has
    // destroyed it. The world itself stays as it was. it->events records events for the next delivery point.
    FiloWorldHandlerFunction run;
    FiloTerm extra_access[FILO_TERMS]; // components that `run` gets or edits
    void *user;                        // it->user
} FiloWorldHandlerDesc;
// Between ticks. {0} without memory or after a mistake. Ends with the world, or with filo_events_unsubscribe.
FiloSubscription filo_world_handle(FiloWorld *world, const FiloWorldHandlerDesc *desc);

// ---- Looking at the schedule ------------------------------------------------------------------------------

// One line a stage: its systems, and why each could not be earlier; or why there is no order:
//
//     states: build [enter Screen.playing]
//     stage 0 (update): move [in Screen.playing], think [group minds, off]
//     stage 1 (update): collide after move (Position), count after think (as declared)
//
// In brackets are its groups and states, and whether it is off now.
//
// Returns the length of the whole text; what does not fit is cut. Between ticks.
size_t filo_world_print_schedule(FiloWorld *world, char *text, size_t size);
// The same as a graph for Graphviz: dot -Tsvg. Double frames are parallel systems, dashed ones are off now.
size_t filo_world_draw_schedule(FiloWorld *world, char *text, size_t size);

FILO_END_DECLS

#endif
