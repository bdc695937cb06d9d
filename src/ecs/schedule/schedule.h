// Systems and their schedule, as the rest of the module sees them.
//
//   system.c    the registry of systems
//   access.c    what systems declare to read and write, and checks in debug builds that they declared it
//   schedule.c  the order of systems, and the stages that follow from it
//   print.c     the schedule as text and as a graph
//   run.c       a tick: phases and their stages one after the other, the systems of a stage on the workers
//   next.c      the end of a stage: next values become the present ones
//   together.c  systems that run together in one stage
//   handler.c   handlers of events that use the world
//   group.c     groups of systems that are switched together
//   state.c     game states, and state hooks: the systems that run when a state is entered or left

#ifndef FILO_ECS_SCHEDULE_SCHEDULE_H
#define FILO_ECS_SCHEDULE_SCHEDULE_H

#include <filo/profile.h>

#include "ecs/changes/changes.h"
#include "ecs/world.h"

// ---- Systems --------------------------------------------------------------------------------------------

// What a system declared, as sets of bits by component id. Components that were registered later are in none. Two
// systems conflict if one writes what the other reads or writes. For next values see ecs_access_conflict.
typedef struct EcsAccessSet {
    // [3 * word_count]: components that are read or written, those that are written, those whose next value is written
    uint64_t *words;
    uint32_t word_count;
    bool next; // there are some of the last
} EcsAccessSet;

// The states of a system: see FiloStateTerm.
typedef struct EcsStateItem {
    int64_t value;
    uint32_t states; // in EcsSchedule.states
} EcsStateItem;
typedef struct EcsStateList {
    EcsStateItem items[FILO_SYSTEM_STATES];
    uint32_t count;
} EcsStateList;

struct EcsSystem {
    // What a run needs comes first.
    FiloWorld *world;
    FiloRunFunction run;
    void *user;
    FiloQuery *query; // NULL for handlers
    const char *name;
    bool (*condition)(const FiloWorld *world, void *user);
    uint32_t every, offset;
    uint32_t source;       // its index in the order, by which its records are applied
    uint64_t since;        // version of the world at the run before the last one
    uint64_t last_version; // version of the world at the last run; 0: it never ran
    bool enabled;
    bool parallel;  // parts of its rows may run at once
    bool whole;     // called once, without rows
    bool on_change; // the same, only if one of its global components with `changed` did
    bool main_thread;
    bool tracked;       // one of its queries is
    bool skip_if_empty; // nothing to do without rows: it is not `whole`, and writes no global component
    bool writes_next;   // its query has terms with FILO_ACCESS_WRITE_NEXT
    // How long it takes, measured now and then. Decides how work is divided, which has no effect on results.
    uint64_t cost_ns;   // of the last run that was measured
    double row_cost_ns; // the same for one row, if it may be divided
    FiloSystemStats stats;

    uint32_t number; // key of its random numbers: a hash of the name, never 0
    uint64_t salt;   // of its random numbers: the number of a handler's call; 0 for all others
    uint32_t id;
    int phase;
    EcsAccessSet access;
    FiloQuery *extra_queries[FILO_SYSTEM_QUERIES];
    FiloName key; // the name
    FiloName before[FILO_SYSTEM_ORDERS], after[FILO_SYSTEM_ORDERS];
    FiloName together;    // {0}: alone. Otherwise also, of `access`:
    EcsAccessSet rows;    // what its rows have
    EcsAccessSet others;  // everything else: of other entities, and global components
    bool may_be_parallel; // as it was added
    void (*end)(FiloWorld *world, void *user);
    uint32_t groups[FILO_SYSTEM_GROUPS]; // in EcsSchedule.groups
    uint32_t group_count;
    EcsStateList in_state, on_enter, on_leave;
    // Why it is not in an earlier stage: a system that it comes after, and the component for which they conflict (0:
    // the order was declared by before or after).
    const EcsSystem *after_system;
    uint32_t after_component;
    // What it has recorded so far, for print.c.
    BASE_ATOMIC(bool) records_changes;
    BASE_ATOMIC(bool) records_events;
#ifndef NDEBUG
    uint64_t present_hash[FILO_TERMS]; // of the present values whose next ones it writes: next.c
#endif
};

// The key of random numbers; 0 for no system.
static inline uint32_t ecs_system_number(const EcsSystem *system) {
    return system != NULL ? system->number : 0;
}

// Whether it runs when states are entered or left, and not in stages.
static inline bool ecs_system_is_state_hook(const EcsSystem *system) {
    return system->on_enter.count > 0 || system->on_leave.count > 0;
}

// ---- Groups and states ----------------------------------------------------------------------------------

#define ECS_NO_GROUP  UINT32_MAX
#define ECS_NO_STATES UINT32_MAX

typedef struct EcsGroup {
    FiloName name;
    bool off;
    bool named; // by a system; otherwise by a snapshot or a file, in which it is off
} EcsGroup;

// A set of states: an enum, and the global component that holds the current state.
typedef struct EcsStates {
    const FiloType *type; // the enum
    EcsComponentData *component;
    FiloName name;         // of the enum
    const char *name_text; // the same
    int64_t scheduled;     // the state for which EcsSchedule.active was computed
    // While states change at the beginning of a tick:
    bool changing; // it is still to be changed
    bool restart;  // everything of the current state is left, even what belongs to the next one too
    int64_t next;
} EcsStates;

// ---- The schedule ---------------------------------------------------------------------------------------

typedef struct EcsStage {
    uint32_t first, end;               // in EcsSchedule.order
    uint32_t active_first, active_end; // in EcsSchedule.active
    int phase;
    bool ends_phase; // it is the last one of its phase
} EcsStage;

// Source of events that observers record, instead of the index of a system.
#define ECS_OBSERVER_SOURCE UINT32_MAX

// A system that runs in the current stage. Workers claim it as a whole, or rows of it.
typedef struct EcsWork {
    EcsSystem *system;
    size_t rows;            // if it is divided
    size_t min_rows;        // of a part
    uint64_t expected_ns;   // of all rows
    bool on_ticking_thread; // no other thread may claim it
    bool divided;           // into parts of rows
    // Of divided work:
    BASE_ATOMIC(size_t) next;         // the first row that is not claimed
    BASE_ATOMIC(uint64_t) ns;         // time so far
    BASE_ATOMIC(uint64_t) rows_found; // so far
} EcsWork;

// A slot is in use while it has a system. The generation is a part of the system's id.
typedef struct EcsSystemSlot {
    EcsSystem *system;
    uint32_t generation;
} EcsSystemSlot;

typedef struct EcsWorldHandler EcsWorldHandler; // handler.c

typedef enum EcsTickState {
    ECS_TICK_NONE,
    ECS_TICK_STAGE,    // systems run
    ECS_TICK_DELIVERY, // handlers of events run
    ECS_TICK_OBSERVE,  // observers run
    ECS_TICK_REFRESH,  // change sets are applied
} EcsTickState;

struct EcsSchedule {
    FiloArray(EcsSystemSlot) slots;
    size_t used_slots;              // all before it are in use
    FiloArray(EcsSystem *) systems; // in the order of registration
    FiloMap by_name;                // from hashes of the names of systems to their ids
    size_t next_systems;            // of these, those with writes_next
    size_t together_systems;        // of these, those that run together with others
    FiloArray(EcsWorldHandler *) handlers;
    bool has_delivered_hook; // the events call handler.c after each delivery

    // The result of ecs_schedule_resolve, valid unless stale:
    bool stale;
    FiloResult problem;           // why there is no order
    FiloArray(EcsSystem *) order; // state hooks, then systems stage by stage
    uint32_t state_hook_count;
    FiloArray(EcsStage) stages;
    FiloArray(EcsWork) work;     // of the current stage: as many as the largest stage has systems
    FiloArray(EcsWork *) claims; // the work that any worker may do, in the order in which it is claimed

    // The systems of `order` that are on, stage by stage; valid unless stale.
    FiloArray(EcsSystem *) active;
    bool active_stale;

    FiloArray(EcsGroup) groups;  // only grows
    bool has_group_provider;     // which saves the groups that are off
    FiloArray(EcsStates) states; // in the order of registration

    // Of the current tick:
    EcsTickState state;
    float delta;
    unsigned other_workers;      // besides the one that ticks
    FiloEventRecorder recorder;  // each part gets a copy, with its source and row
    size_t work_count;           // systems that run in this stage
    size_t claim_count;          // of these, how many any worker may do
    BASE_ATOMIC(size_t) claimed; // claims before this are taken
    BASE_ATOMIC(bool) recorded;  // events were recorded in this phase
    bool holds_events;           // what observers record waits for the end of the tick
    uint64_t handled;            // calls of handlers and observers since change sets were last applied
    FiloChanges call_changes;    // one set for these calls: each sees the changes of those before it
    uint64_t span;               // grows when a tick begins or ends: handlers number their calls in each span
    unsigned helpers;            // workers besides this one in this stage

    // For tests: divides everything into the smallest parts, whatever it costs.
    bool eager;
};

bool ecs_schedule_init(FiloWorld *world);
// Removes all handlers, and all systems, the last one first (their `end` may change the world), and frees everything.
// NULL in world->schedule is allowed.
void ecs_schedule_deinit(FiloWorld *world);

// ---- system.c -------------------------------------------------------------------------------------------

// NULL if there is none (any more).
EcsSystem *ecs_system_find(const FiloWorld *world, FiloSystemId system);
// Whether a system and its groups are switched on, and the states are such that it runs.
bool ecs_system_is_on(const FiloWorld *world, const EcsSystem *system);

// ---- access.c -------------------------------------------------------------------------------------------

// Adds the components of up to FILO_TERMS terms to a set. False after a mistake, which is reported with `subject`, or
// without memory.
bool ecs_access_declare(EcsAccessSet *set, const FiloWorld *world, const FiloTerm *terms,
                        const char *subject);
// The same for the terms of a system's rows, which may have FILO_ACCESS_WRITE_NEXT.
bool ecs_access_declare_rows(EcsAccessSet *set, const FiloWorld *world, const FiloTerm *terms,
                             const char *subject);
void ecs_access_free(EcsAccessSet *set, const FiloWorld *world);
static inline bool ecs_access_has(const EcsAccessSet *set, uint32_t component, bool written) {
    uint32_t word = component / 64;
    return word < set->word_count &&
           (set->words[word + (written ? set->word_count : 0)] >> component % 64 & 1) != 0;
}
static inline bool ecs_access_has_next(const EcsAccessSet *set, uint32_t component) {
    uint32_t word = component / 64;
    return word < set->word_count &&
           (set->words[word + (size_t)2 * set->word_count] >> component % 64 & 1) != 0;
}
// The first component for which two systems conflict; 0: none. Those that write its next value see the present one until
// the end of the stage, and so does an earlier system that reads it: these do not conflict.
uint32_t ecs_access_conflict(const EcsAccessSet *later, const EcsAccessSet *earlier);
// Whether a system that writes next values, and has declared all else, visits all rows, and writes the values in no
// other way. Reports it if not.
bool ecs_access_next_is_valid(const EcsAccessSet *set, const FiloWorld *world, const FiloTerm *terms,
                              const char *subject);
// Adds what a system declares to two sets: that of its rows, and all else.
bool ecs_access_declare_parted(EcsAccessSet *rows, EcsAccessSet *others, const FiloWorld *world,
                               const FiloSystemDesc *desc, const char *subject);
// The first component for which two systems cannot run together; 0: none.
uint32_t ecs_access_conflict_together(const EcsSystem *a, const EcsSystem *b);
// Whether two systems that run together write a component of their rows, so that these must differ. Which one; 0: none.
uint32_t ecs_access_shared_rows(const EcsSystem *a, const EcsSystem *b);
// Whether a query has terms for entities, and not global components only.
bool ecs_access_has_rows(const FiloWorld *world, const FiloQueryDesc *query);
// Whether no part of a parallel system writes what another part reads. Reports it if one does.
bool ecs_access_parts_are_independent(const FiloWorld *world, const FiloSystemDesc *desc,
                                      const char *subject);
// In debug builds, sets the system that the calling thread runs, for ecs_access_allowed; NULL: none. Returns the one
// before.
#ifndef NDEBUG
const EcsSystem *ecs_system_enter(const EcsSystem *system);
#else
static inline const EcsSystem *ecs_system_enter(const EcsSystem *system) {
    FILO_UNUSED(system);
    return NULL;
}
#endif

// ---- schedule.c -----------------------------------------------------------------------------------------

// Computes order and stages if they are stale. The result says why there is no order.
FiloResult ecs_schedule_resolve(FiloWorld *world);
// Updates EcsSchedule.active. Cannot fail.
void ecs_schedule_activate(FiloWorld *world);

// ---- group.c --------------------------------------------------------------------------------------------

// The index of a group that a system names; ECS_NO_GROUP without memory.
uint32_t ecs_group_number(FiloWorld *world, const char *group);
uint64_t ecs_groups_hash(const FiloWorld *world);

// ---- state.c --------------------------------------------------------------------------------------------

// The beginning of a tick: changes states as requested.
void ecs_states_change(FiloWorld *world);
// Registers the sets of states of another world, whose components the world has. False without memory.
bool ecs_states_copy(FiloWorld *world, const FiloWorld *like);
const char *ecs_states_value_name(const EcsStates *states, int64_t value);
// False after a mistake, which is reported with `subject`.
bool ecs_state_list_make(EcsStateList *list, const FiloWorld *world, const FiloStateTerm *terms,
                         const char *subject);
bool ecs_state_list_holds(const FiloWorld *world, const EcsStateList *list);

// ---- handler.c ------------------------------------------------------------------------------------------

void ecs_world_handlers_deinit(FiloWorld *world);

// A call of a handler or observer: to the function it looks like a system without rows. Calls come one after the other,
// and record in one change set until that is applied.
typedef struct EcsCall {
    FiloIter it;
    FiloZone zone;
    const EcsSystem *outer;
} EcsCall;
void ecs_call_begin(EcsCall *call, EcsSystem *system, FiloEventRecorder *events);
void ecs_call_end(EcsCall *call);

// ---- next.c ---------------------------------------------------------------------------------------------

// For the systems in EcsSchedule.work that write next values, on the ticking thread. Before they run: prepares the checks
// of debug builds.
#ifndef NDEBUG
void ecs_next_begin(FiloWorld *world);
#else
static inline void ecs_next_begin(FiloWorld *world) { FILO_UNUSED(world); }
#endif
// After all systems of the stage ran: exchanges the columns.
void ecs_next_end(FiloWorld *world);

// ---- together.c -----------------------------------------------------------------------------------------

// Whether the system can run together with those of its phase that have the same name for it. Reports it if not.
bool ecs_together_is_valid(const FiloWorld *world, const EcsSystem *system);
// In debug builds, before a stage: reports entities that are rows of two systems which run together and write the same
// component of their rows.
#ifndef NDEBUG
void ecs_together_check(const FiloWorld *world);
#else
static inline void ecs_together_check(const FiloWorld *world) { FILO_UNUSED(world); }
#endif

// ---- run.c ----------------------------------------------------------------------------------------------

// Applies the submitted change sets (ecs_changes_refresh).
void ecs_apply_changes(FiloWorld *world);
// The same, then calls observers.
void ecs_apply_and_observe(FiloWorld *world);
// Runs one system as a phase of its own, if it is on and due.
void ecs_run_alone(FiloWorld *world, EcsSystem *system);

#endif
