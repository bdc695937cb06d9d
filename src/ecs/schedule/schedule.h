// Systems and their schedule, as the rest of the module sees them.
//
//   system.c          who is registered, and what each declared
//   schedule.c        the order of systems, and the stages that follow from it
//   schedule_print.c  the schedule as text and as a graph
//   run.c             a tick: stages one after the other, the systems of a stage on the workers
//   handler.c         handlers of events that touch the world
//   group.c           groups of systems that are switched together
//   state.c           game states, and the systems that run when one is entered or left
//
// What a system declared is kept as two sets of components: those that it has to do with, and those of them
// that it writes. Two systems conflict if one writes what the other has to do with.

#ifndef FILO_ECS_SCHEDULE_H
#define FILO_ECS_SCHEDULE_H

#include <filo/profile.h>

#include "ecs/changes/changes.h"
#include "ecs/world.h"

// ---- Systems --------------------------------------------------------------------------------------------

// Bits by component id. What was registered later than the set was made is not in it.
typedef struct EcsAccessSet {
    uint64_t *words; // [2 * word_count]: components that are read or written, then those that are written
    uint32_t word_count;
} EcsAccessSet;

// What a system says of states: see FiloStateTerm.
typedef struct EcsStateItem {
    int64_t value;
    uint32_t states; // in EcsSchedule.states
} EcsStateItem;
typedef struct EcsStateList {
    EcsStateItem items[FILO_SYSTEM_STATES];
    uint32_t count;
} EcsStateList;

struct FiloSystem {
    // What a run needs comes first.
    FiloWorld *world;
    FiloRunFunction run;
    void *user;
    FiloQuery *query; // NULL for handlers
    const char *name;
    bool (*condition)(const FiloWorld *world, void *user);
    uint32_t every, offset;
    uint32_t source;        // its place in the order, which is the order of what it records
    uint64_t since;         // version of the world when it ran the time before this
    uint64_t last_version;  // version of the world when it ran last; 0: never
    bool enabled, parallel; // parts of its rows may run at once
    bool whole;             // called once, without rows
    bool on_change;         // and only if a global component that it asks for changed
    bool main_thread;
    bool tracked; // one of its queries is
    bool
        may_idle; // without rows there is nothing to do: it is not `whole`, and no global component counts as written
    // How long it takes, as measured now and then: decides what is worth another worker, never what comes
    // out.
    uint64_t cost_ns;   // of the last run that was measured
    double row_cost_ns; // the same for one row, if it may be divided
    FiloSystemStats stats;

    uint32_t
        number; // of its random numbers, never 0: a hash of the name, so that it stays when others come and go
    uint64_t salt; // of its random numbers: which event a handler is called for; 0 for all others
    uint32_t id;
    int phase;
    EcsAccessSet access;
    FiloQuery *extra_queries[FILO_SYSTEM_QUERIES];
    FiloName key; // the name
    FiloName before[FILO_SYSTEM_ORDERS], after[FILO_SYSTEM_ORDERS];
    void (*end)(FiloWorld *world, void *user);
    uint32_t groups[FILO_SYSTEM_GROUPS]; // in EcsSchedule.groups
    uint32_t group_count;
    EcsStateList in_state, on_enter, on_leave;
    // Why it is not in an earlier stage: one that it comes after, and the component that they have in common
    // (0: it is named by before or after).
    const FiloSystem *after_system;
    uint32_t after_component;
};

// The number that keys random numbers; 0 for none.
static inline uint32_t ecs_system_number(const FiloSystem *system) {
    return system != NULL ? system->number : 0;
}

// Whether it runs when states are entered or left, and not in stages.
static inline bool ecs_system_is_state_hook(const FiloSystem *system) {
    return system->on_enter.count > 0 || system->on_leave.count > 0;
}

// ---- Groups and states ----------------------------------------------------------------------------------

#define ECS_NO_GROUP  UINT32_MAX
#define ECS_NO_STATES UINT32_MAX

typedef struct EcsGroup {
    FiloName name;
    bool off;
    bool named; // by a system; otherwise a snapshot or a file said that it is off
} EcsGroup;

// A set of states: an enum, and the global component that holds which of them is current.
typedef struct EcsStates {
    const FiloType *type; // the enum
    EcsComponentData *component;
    FiloName name;         // of the enum
    const char *name_text; // the same
    int64_t seen;          // the state that EcsSchedule.active was worked out for
    // While states are changed at the beginning of a tick:
    bool changing; // it has yet to be changed
    bool anew;     // all that belongs to the current state is left, also what belongs to the next one
    int64_t to;
} EcsStates;

// ---- The schedule ---------------------------------------------------------------------------------------

typedef struct EcsStage {
    uint32_t first, end;               // in EcsSchedule.order
    uint32_t active_first, active_end; // in EcsSchedule.active
    int phase;
} EcsStage;

// Of events that observers record, instead of the number of a system.
#define ECS_OBSERVER_SOURCE UINT32_MAX

// A system that runs in the stage under way. Workers claim it as a whole, or rows of it.
typedef struct EcsWork {
    FiloSystem *system;
    size_t rows;          // to go over, if it is divided
    size_t least;         // rows of a part that is worth its while
    uint64_t expected_ns; // of all
    bool ticking;         // only the ticking thread does it
    bool divided;         // into parts of rows
    // Of divided work:
    BASE_ATOMIC(size_t) next;    // the first row that is not claimed
    BASE_ATOMIC(uint64_t) ns;    // it took so far
    BASE_ATOMIC(uint64_t) found; // rows so far
} EcsWork;

// A slot is in use while it has a system; the generation tells its ids apart.
typedef struct EcsSystemSlot {
    FiloSystem *system;
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
    FiloArray(FiloSystem *) systems; // in the order of registration
    FiloArray(EcsWorldHandler *) handlers;
    bool hears; // of deliveries outside of ticks

    // What was worked out, good unless stale:
    bool stale;
    FiloResult problem;            // why there is no order
    FiloArray(FiloSystem *) order; // those that run when states change, then stage by stage
    uint32_t state_hook_count;     // how many of the former there are
    FiloArray(EcsStage) stages;
    FiloArray(EcsWork) work; // of the stage under way: as many as the largest stage has systems
    FiloArray(
        EcsWork *) claims; // those of them that any worker may do, in the order in which they are claimed

    // Of these, the systems that are on, stage by stage: good unless stale, or another state is current.
    FiloArray(FiloSystem *) active;
    bool active_stale;

    FiloArray(EcsGroup) groups;  // only grows
    bool groups_kept;            // there is a provider that keeps which are off
    FiloArray(EcsStates) states; // in the order of registration

    // Of the tick under way:
    EcsTickState state;
    float delta;
    unsigned others;             // workers besides the one that ticks
    FiloEventRecorder recorder;  // each part gets a copy, with its source and row
    size_t work_count;           // systems that run in this stage
    size_t claim_count;          // of these, what may be claimed
    BASE_ATOMIC(size_t) claimed; // claims before this have been made
    BASE_ATOMIC(bool) recorded;  // somebody recorded events in this stage
    bool waiting;                // events may wait that nobody in this stage recorded
    uint64_t handled;            // calls of handlers and observers since change sets were last applied
    FiloChanges
        call_changes; // what these calls recorded: one set, so that each sees what those before it did
    uint64_t span;    // grows when a tick begins or ends: handlers number their calls in each
    unsigned helpers; // workers besides this one that were asked to this stage

    // For tests: divides everything into the smallest parts, whatever it costs.
    bool eager;
};

bool ecs_schedule_init(FiloWorld *world);
// Removes all handlers, and all systems, the last one first; their `end` may change the world.
void ecs_schedule_end(FiloWorld *world);
// Frees everything. NULL in world->schedule is allowed.
void ecs_schedule_deinit(FiloWorld *world);
// Applies change sets, with everything that goes with it; then observers are told, if there are any.
void ecs_world_apply(FiloWorld *world);
// The same, and nobody is told.
void ecs_apply(FiloWorld *world);

// ---- system.c -------------------------------------------------------------------------------------------

// The system with this id; NULL if there is none (any more).
FiloSystem *ecs_system_find(const FiloWorld *world, FiloSystemId system);
// Declares the components of up to FILO_TERMS terms. False after a mistake, which is reported, or without
// memory.
bool ecs_access_declare(EcsAccessSet *set, const FiloWorld *world, const FiloTerm *terms, const char *who);
void ecs_access_free(EcsAccessSet *set, const FiloWorld *world);
static inline bool ecs_access_has(const EcsAccessSet *set, uint32_t component, bool written) {
    uint32_t word = component / 64;
    return word < set->word_count &&
           (set->words[word + (written ? set->word_count : 0)] >> component % 64 & 1) != 0;
}
// The first component for which the two must not run at once; 0: none.
uint32_t ecs_access_conflict(const EcsAccessSet *a, const EcsAccessSet *b);

// ---- schedule.c -----------------------------------------------------------------------------------------

// Works out order and stages if they are stale. The result says why there is none.
FiloResult ecs_schedule_resolve(FiloWorld *world);

// Whether a system is switched on, with its groups; and whether the state is one that it runs in.
bool ecs_system_is_enabled(const FiloWorld *world, const FiloSystem *system);
bool ecs_system_is_on(const FiloWorld *world, const FiloSystem *system);
// Brings EcsSchedule.active up to date. Cannot fail.
void ecs_schedule_activate(FiloWorld *world);

// ---- group.c --------------------------------------------------------------------------------------------

// The number of a group that a system names; ECS_NO_GROUP without memory.
uint32_t ecs_group_number(FiloWorld *world, const char *group);
// Switches all groups on.
void ecs_groups_reset(FiloWorld *world);
uint64_t ecs_groups_hash(const FiloWorld *world);

// ---- state.c --------------------------------------------------------------------------------------------

// The beginning of a tick: changes states as requested.
void ecs_states_change(FiloWorld *world);
// A world with the components of another gets its sets of states. False without memory.
bool ecs_states_copy(FiloWorld *world, const FiloWorld *like);
int64_t ecs_states_current(const EcsStates *states);
const char *ecs_states_value_name(const EcsStates *states, int64_t value);
// False after a mistake, which is reported; `who` makes it.
bool ecs_state_list_make(EcsStateList *list, const FiloWorld *world, const FiloStateTerm *terms,
                         const char *who);
bool ecs_state_list_holds(const FiloWorld *world, const EcsStateList *list);

// ---- handler.c ------------------------------------------------------------------------------------------

void ecs_world_handlers_deinit(FiloWorld *world);

// A call of a function that is no system but looks like one without rows. Such calls come one after the other, and
// record in one change set until that is applied.
typedef struct EcsCall {
    FiloIter it;
    FiloZone zone;
    const FiloSystem *outer;
} EcsCall;
void ecs_call_begin(EcsCall *call, FiloSystem *system, FiloEventRecorder *events);
void ecs_call_end(EcsCall *call);

// ---- run.c ----------------------------------------------------------------------------------------------

// In debug builds, the calling thread now runs this system, or none (NULL): ecs_access_allowed goes by it.
// Returns the one before.
const FiloSystem *ecs_system_enter(const FiloSystem *system);
// Runs one system as a stage of its own, if it is on and its condition holds.
void ecs_run_alone(FiloWorld *world, FiloSystem *system);

#endif
