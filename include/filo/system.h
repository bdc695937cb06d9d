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
// A system declares what it reads and writes, by the terms of its queries. From that the world computes which systems
// may run at once: those where none writes what another reads or writes. (Next values are an exception:
// FILO_WRITE_NEXT in filo/query.h.) They form a stage. Within a phase, a system is in the first stage after those of all
// earlier systems that it conflicts with. Earlier means registered earlier, unless `before` and `after` say otherwise.
// So the order is always defined: two systems that conflict run in the order of registration.
//
// What a system does to structure, and every other change that it records in a change set, and the events that it emits,
// takes effect at the end of its phase (the refresh): systems of later phases see it in this tick, all others from the
// next tick on. So all systems of a phase see the same structure, whatever other systems there are; give what must see
// a change in the same tick a later phase. `before` and `after` order values only.
//
// A system with `parallel` is called for parts of its rows, on several threads at once. How the rows are divided is
// not deterministic. The result is, as long as the system works on rows: what it does for a row may depend on that
// row, on what it only reads, and on the tick, seed and entity (filo_iter_random); not on it->count or it->first. The
// sum it->first + i, the number of the row, may be used if all terms for entities are stored in tables: then it does
// not depend on the division (but it changes when entities are created or destroyed). Small work stays on one thread,
// because handing it to another would cost more.
//
// Systems can be switched off: one by one, in groups (.groups), or by the state of the game (.in_state,
// filo/state.h). A system that is off costs nothing in a tick. The order and the stages do not depend on which
// systems are on.

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

// Phases run one after the other, lower numbers first. Any number is allowed, such as FILO_PHASE_UPDATE + 1; these have
// names. What one phase recorded has been applied, and its events have been delivered, when the next begins.
enum {
    FILO_PHASE_INPUT = -200,  // reads input
    FILO_PHASE_BEFORE = -100, // prepares
    FILO_PHASE_UPDATE = 0,    // the game
    FILO_PHASE_AFTER = 100,   // what follows from the update
    FILO_PHASE_EXTRACT = 200, // copies results for drawing and tools
};

#define FILO_SYSTEM_QUERIES 4 // besides the first
#define FILO_SYSTEM_ORDERS  8
#define FILO_SYSTEM_GROUPS  4
#define FILO_SYSTEM_STATES  8

typedef struct FiloSystemDesc {
    const char *name; // unique; copied. Random numbers (filo_iter_random) depend on it
    FiloRunFunction run;

    // The rows: `run` is called for each part of them, and not at all if there are none. Without terms for entities
    // (no terms, or global components only) `run` is called once a tick; if some of these terms have `changed`, only
    // if one of their components may have changed since the last call.
    FiloQueryDesc query;
    // Extra queries, to iterate over inside `run`: filo_iter_over(it, filo_iter_extra_query(it, 0)).
    FiloQueryDesc extra_queries[FILO_SYSTEM_QUERIES];
    // Extra access: components that `run` gets or edits of other entities than those of its queries, or global ones.
    // In a parallel system, what it edits must belong to the row it works on, and what it gets must not be written
    // for other rows. This cannot be checked.
    FiloTerm extra_access[FILO_TERMS];
    void *user; // it->user

    int phase;
    // Names of systems that it runs before or after: what it writes is seen by those that come later in the order, what
    // it records by later phases only. With `before` it counts as registered directly before the first of these that was
    // registered earlier. With a system of another phase, the order of the phases must agree. The systems may be added
    // later. If one is missing when a tick needs the order, a warning is logged, once for each name, with the system
    // that was probably meant.
    const char *before[FILO_SYSTEM_ORDERS];
    const char *after[FILO_SYSTEM_ORDERS];

    // Systems of one phase with the same text here run together: in one stage, where the first of them was registered. So
    // with FILO_WRITE_NEXT each of them sees the values from before of all the others. They may write the same components,
    // each for its own rows: no entity may be a row of two of them then, which debug builds check. Otherwise what one
    // of them writes, the others must not read or write. NULL: alone.
    const char *together;

    // Whether it runs; NULL: always. Called before its stage, on the thread that ticks. May read everything; of values
    // that systems of its phase write, those that the system declares, as in .extra_access.
    bool (*condition)(const FiloWorld *world, void *user);
    uint32_t every;  // runs in every n-th tick; 0 and 1: in each
    uint32_t offset; // runs in ticks where tick % every == offset

    // Names of groups that it belongs to: it runs while all of them are on. See filo_world_set_group_enabled.
    const char *groups[FILO_SYSTEM_GROUPS];
    // States in which it runs; none: in all. See FILO_STATE in filo/state.h.
    FiloStateTerm in_state[FILO_SYSTEM_STATES];
    // With one of these it is a state hook: it does not run in stages, but when these states are entered, or left; with
    // both, at each of the two. Groups, in_state and condition must hold then.
    FiloStateTerm on_enter[FILO_SYSTEM_STATES];
    FiloStateTerm on_leave[FILO_SYSTEM_STATES];

    bool parallel; // parts may run at once
    bool once; // `run` is called once a tick, with no rows: it iterates over filo_iter_over(it, it->query)
    bool main_thread; // only on the thread that ticks
    bool disabled;    // see filo_system_set_enabled

    // Called when the system is added, and when it is removed (with the world, at the latest; then the last one that
    // was added is removed first). Between ticks. They may change the world.
    void (*start)(FiloWorld *world, void *user);
    void (*end)(FiloWorld *world, void *user);
} FiloSystemDesc;

// Adds a system. Between ticks. One function may be that of several systems. {0} without memory or after a mistake: a
// name that is taken, a component that is not registered, a parallel system one part of which would read what another
// writes, or one that writes next values and could leave rows out.
FiloSystemId filo_system_add(FiloWorld *world, const FiloSystemDesc *desc);
// Removes a system. Between ticks. {0} does nothing. A system that is added again is a new one.
void filo_system_remove(FiloWorld *world, FiloSystemId system);
// {0} if there is none.
FiloSystemId filo_system_named(const FiloWorld *world, const char *name);
// The systems in the order of registration, n from 0; {0} past the end.
FiloSystemId filo_system_at(const FiloWorld *world, size_t n);
// NULL if there is none. Valid until the process ends.
const char *filo_system_name(const FiloWorld *world, FiloSystemId system);
// Switches a system on or off, between ticks. For its terms with `changed`, changes count from its last run.
void filo_system_set_enabled(FiloWorld *world, FiloSystemId system, bool enabled);
bool filo_system_enabled(const FiloWorld *world, FiloSystemId system);
// Whether parts of a system that was added with .parallel may run at once; false: they run one after the other. The result is
// the same. Between ticks.
void filo_system_set_parallel(FiloWorld *world, FiloSystemId system, bool parallel);

// ---- Groups -----------------------------------------------------------------------------------------------

// Systems that are switched on and off together: the enemies' minds, a cut scene, debugging.
//
//     filo_system_add(world, &(FiloSystemDesc){ .name = "think", .groups = { "minds" }, … });
//     filo_system_add(world, &(FiloSystemDesc){ .name = "hunt", .groups = { "minds", "night" }, … });
//
//     filo_world_set_group_enabled(world, "minds", false);             // between ticks
//     filo_changes_set_group_enabled(it->changes, "minds", false);     // inside a system
//
// A system runs if it is switched on itself (filo_system_set_enabled) and all its groups are. For its terms with
// `changed`, changes count from its last run. Groups are on at first, and again after filo_world_reset. Which groups
// are off is a part of the world: it is hashed, saved, rewound and replayed with it.
//
// A group exists once a system that names it was added. Switching one that does not exist is a caller's mistake, and
// the message suggests the one that was probably meant.

// Between ticks. Takes effect with the next tick. False after a mistake.
bool filo_world_set_group_enabled(FiloWorld *world, const char *group, bool enabled);
// Recorded like any change; of several the last one counts. filo_world_group_enabled changes when the change set is
// applied. Takes effect on systems with the next tick. False without memory or after a mistake.
bool filo_changes_set_group_enabled(FiloChanges *changes, const char *group, bool enabled);
// One of the two, by the type of `object`: filo_set_group_enabled(it->changes, "minds", false). Only for C.
#define filo_set_group_enabled(object, group, enabled)                                                       \
    _Generic((object), FiloWorld *                                                                           \
             : filo_world_set_group_enabled, FiloChanges *                                                   \
             : filo_changes_set_group_enabled)((object), (group), (enabled))
// Any thread. True after a mistake.
bool filo_world_group_enabled(const FiloWorld *world, const char *group);
// The groups that systems name, in the order in which they were first named, n from 0; NULL past the end. Valid until
// the process ends. Between ticks.
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
    uint32_t stage; // from 0; UINT32_MAX: it is a state hook
} FiloSystemStats;
// All zero if there is no such system. Between ticks.
FiloSystemStats filo_system_stats(const FiloWorld *world, FiloSystemId system);
// Whether the time of each system is measured, which costs about 50 ns for each. Off at first. Between ticks.
void filo_world_measure(FiloWorld *world, bool on);

// ---- Ticks ----------------------------------------------------------------------------------------------

// Changes states as requested (filo/state.h), then runs all systems once. `delta` in seconds, 0 or more. On a worker of the
// scheduler, usually the main thread; worlds without one may tick at once, each on a thread. FILO_ERROR_ARGUMENT, a mistake,
// if the order of systems has a cycle, which the message names, or contradicts their phases. FILO_ERROR_MEMORY if
// there is no memory to compute the order. In both cases no system runs.
//
// In a world with events, those from between ticks are delivered at the beginning, before states change; those of
// systems at the end of their phase, after its change sets were applied; those that handlers record in a tick, and
// those whose delay ends, at its end (filo_events_deliver). Observers (filo/observer.h) are called at the beginning, for
// changes since the last tick, and each time after change sets were applied.
FiloResult filo_world_tick(FiloWorld *world, float delta);
// Whether a system that is switched on, in whatever state, has `main_thread`: then ticks must run on the main thread.
// Between ticks.
bool filo_world_needs_main_thread(const FiloWorld *world);
// Between ticks: lets holders reorganise, calls observers (filo/observer.h) for direct changes, and updates tracked
// queries that do not belong to a system. Delivers no events.
void filo_world_refresh(FiloWorld *world);

// ---- Handlers -------------------------------------------------------------------------------------------

// A handler of an event that uses the world. It is called like a system, at the refresh in which the event is
// delivered: once for each event, in the order of events; handlers of one event in the order of subscription. If the
// events are delivered outside of the world's ticks, it is called then.
typedef void (*FiloWorldHandlerFunction)(FiloIter *it, const FiloEvent *event);
typedef struct FiloWorldHandlerDesc {
    // For messages and profiles; copied; NULL: that of the event. Random numbers depend on it and on the event.
    // Handlers that have both in common have different random numbers, by the order in which they were added.
    const char *name;
    FiloName event;
    const FiloType *type; // the type of payload that the handler expects; NULL: any
    // `it` has no rows. it->changes are applied after the last handler of this refresh; outside of ticks, at the end
    // of the delivery. All handlers until then, of all events, record in the same change set, and each sees in it
    // what those before have recorded: filo_changes_exists(it->changes, prey) is false if one of them has destroyed
    // it. The world itself does not change meanwhile. it->events records events for the next delivery point.
    FiloWorldHandlerFunction run;
    FiloTerm extra_access[FILO_TERMS]; // components that `run` gets or edits
    void *user;                        // it->user
} FiloWorldHandlerDesc;
// Between ticks. {0} without memory or after a mistake. Ends with the world, or with filo_events_unsubscribe.
FiloSubscription filo_world_handle(FiloWorld *world, const FiloWorldHandlerDesc *desc);

// ---- Printing the schedule --------------------------------------------------------------------------------

// One line for each stage: its systems, and why each could not be earlier; or why there is no order. And what takes
// effect at the end of each phase: the systems that have recorded changes and events so far:
//
//     states: build [enter Screen.playing]
//     stage 0 (update): move [in Screen.playing], think [group minds, off]
//     stage 1 (update): collide after move (Position), count after think (as declared)
//     end of update: apply changes (of think), deliver events (of collide)
//
// In brackets: the groups and states of the system, and whether it is off now.
//
// Returns the length of the whole text; what does not fit is cut. Between ticks.
size_t filo_world_print_schedule(FiloWorld *world, char *text, size_t size);
// The same as a graph for Graphviz: dot -Tsvg. Double frames are parallel systems, dashed ones are off now.
size_t filo_world_draw_schedule(FiloWorld *world, char *text, size_t size);

FILO_END_DECLS

#endif
