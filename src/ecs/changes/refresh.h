// What the steps of applying change sets share. refresh.c describes the steps.
//
// A plan is what becomes of one entity. A transition leads from one partition to another; there are few transitions and
// many plans, so everything that can be computed per transition is. A move is a run of plans. A partition is dirty
// if a transition leads from or to it.

#ifndef FILO_ECS_CHANGES_REFRESH_H
#define FILO_ECS_CHANGES_REFRESH_H

#include "ecs/changes/changes.h"

#define ECS_NO_LOCATION   UINT32_MAX // of a new entity
#define ECS_NO_VALUE      UINT32_MAX
#define ECS_NO_TRANSITION UINT32_MAX
#define ECS_NO_MOVE       UINT32_MAX

// A value that is set. Without a payload, the default value: the component may have been removed before and added
// again.
typedef struct EcsSetValue {
    const void *payload;
    uint32_t component;
    uint32_t before; // the value that was set before on the same entity; ECS_NO_VALUE: none
} EcsSetValue;

typedef struct EcsPlan {
    uint32_t index;      // of the entity
    uint32_t from;       // its old location; ECS_NO_LOCATION: it is new
    uint32_t transition; // index in EcsRefresh.transitions
    uint32_t value;      // the last one that is set; ECS_NO_VALUE: none
} EcsPlan;

typedef struct EcsTransition {
    EcsPartition *from; // NULL: the entities are new
    EcsPartition *to;   // NULL: they are destroyed
    bool removed;       // a component in tables was removed between the two
    bool used;          // some plan ends with it
    bool plain;         // neither table has hooks
    EcsEdge *edge;      // NULL: the entities are new or stay, or there was no memory
    // Cache of step_to in fold.c: the last step from this transition.
    uint32_t step, next;
    bool adds;              // the step adds a component
    const EcsEdge *tracked; // of the step, if tracked queries depend on it; else NULL
} EcsTransition;

typedef struct EcsDirtyPartition {
    EcsPartition *partition;
    uint32_t stay;                        // transition to itself; ECS_NO_TRANSITION: none yet
    uint32_t arriving, leaving;           // rows
    uint32_t first_leaving, last_leaving; // list of moves, in their order
} EcsDirtyPartition;

// Consecutive plans with the same transition whose old rows are consecutive. The new rows are consecutive too, across
// chunks.
typedef struct EcsMove {
    uint32_t first, count; // plans
    uint32_t transition;
    uint32_t to;           // the first new row: ordinal of the chunk << ECS_ROW_BITS | row in it
    uint32_t next_leaving; // the next move from the same partition
} EcsMove;

// A name that is set after the entities that are destroyed have lost theirs.
typedef struct EcsPendingName {
    FiloEntity entity;
    const char *name; // in the change set; "": none
} EcsPendingName;

typedef struct EcsRefresh {
    FiloWorld *world;
    FiloArray(EcsPlan) plans;
    FiloArray(EcsSetValue) values;
    FiloArray(EcsPendingName) pending_names;
    FiloArray(EcsDirtyPartition) dirty;
    FiloArray(EcsTransition) transitions;
    FiloMap transition_numbers; // the two partitions and `removed` → index of the transition
    FiloArray(EcsMove) moves;
    FiloArray(FiloEntity) prefabs; // of instances, by index in EcsChangeSet.temporaries: see instances.c
    bool complete;                 // there was memory for everything
    bool from_sets;                // records are of change sets, where temporary ids stand for entities
    bool temporaries;              // the sets have temporary ids
    bool destroys;                 // an entity is destroyed
    // Transitions of new entities, if there are any: to the empty table, and to no table.
    uint32_t create_transition, discard_transition;
} EcsRefresh;

// The real id of the entity of a record.
static inline FiloEntity ecs_refresh_entity(const EcsRefresh *refresh, const uint8_t *record) {
    FiloEntity entity = ecs_change_entity(record);
    return FILO_UNLIKELY(filo_entity_temporary(entity)) && refresh->from_sets
               ? ecs_temporary_resolve(refresh->world->changes, entity)
               : entity;
}
// Whether a plan destroys its entity; and whether the entity of a directory record has such a plan.
static inline bool ecs_refresh_plan_destroys(const EcsRefresh *refresh, const EcsPlan *plan) {
    return refresh->transitions.items[plan->transition].to == NULL;
}
static inline bool ecs_refresh_is_destroyed(const EcsRefresh *refresh, const EcsRecord *record) {
    uint32_t location = ecs_record_location(record);
    return FILO_UNLIKELY((location & ECS_LOCATION_PENDING) != 0) &&
           ecs_refresh_plan_destroys(refresh, &refresh->plans.items[location & ECS_LOCATION_MASK]);
}

// ---- instances.c ----------------------------------------------------------------------------------------

// Creates the instances of prefabs that a set records.
void ecs_refresh_instantiate(EcsRefresh *refresh, EcsChangeSet *set);

// ---- fold.c ---------------------------------------------------------------------------------------------

// Folds all records of a set.
void ecs_refresh_fold(EcsRefresh *refresh, EcsChangeSet *set);
// Folds the records of a group about a component in tables. `record` is the first.
void ecs_refresh_fold_table(EcsRefresh *refresh, const EcsChangeGroup *group, const uint8_t *record);
// Plans the destruction of the descendants of entities that are destroyed.
void ecs_refresh_destroy_families(EcsRefresh *refresh);

// ---- fold_lists.c ---------------------------------------------------------------------------------------

// Folds the records of a group about a component in a sparse list or a tag. False, and nothing was done, if the
// component is stored otherwise, is observed, or requires others.
bool ecs_refresh_fold_list(EcsRefresh *refresh, const EcsChangeGroup *group, const uint8_t *record);

// ---- moves.c --------------------------------------------------------------------------------------------

// Moves all rows as planned.
void ecs_refresh_move_rows(EcsRefresh *refresh);

#endif
