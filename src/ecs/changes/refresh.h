// Applying change sets: what its steps share. See refresh.c for how they work together.

#ifndef FILO_ECS_REFRESH_H
#define FILO_ECS_REFRESH_H

#include "ecs/changes/changes.h"

#define ECS_NO_LOCATION   UINT32_MAX // of who is new
#define ECS_NO_VALUE      UINT32_MAX
#define ECS_NO_TRANSITION UINT32_MAX
#define ECS_NO_MOVE       UINT32_MAX

// A value that is set. Without a payload: its first value, because the component may have been removed before.
typedef struct EcsSetValue {
    const void *payload;
    uint32_t component;
    uint32_t before; // the value that was set before on the same entity; ECS_NO_VALUE: none
} EcsSetValue;

// What becomes of an entity.
typedef struct EcsPlan {
    uint32_t index;      // of the entity
    uint32_t from;       // where it was; ECS_NO_LOCATION: it is new
    uint32_t transition; // from where to where
    uint32_t value;      // the last one that is set; ECS_NO_VALUE: none
} EcsPlan;

// From where to where entities go. There are few ways and many outcomes, so all that can be found out for a way
// is found out once.
typedef struct EcsTransition {
    EcsPartition *from; // NULL: they are new
    EcsPartition *to;   // NULL: they are destroyed
    bool removed;       // some component of a table was, on the way
    bool used;          // somebody takes it, to the end
    bool plain;         // there are no hooks on it
    EcsEdge *edge;      // NULL: they are new or stay, or there was no memory
    // The last step from here, as step_to in refresh_fold.c has it.
    uint32_t step, next;
    bool fresh;
    const EcsEdge *tracked; // of that step, if tracked queries care; else NULL
} EcsTransition;

// A half that some way leads from or to.
typedef struct EcsDirtyPartition {
    EcsPartition *partition;
    uint32_t start;                       // the way of those who stay; ECS_NO_TRANSITION: not known yet
    uint32_t arriving, leaving;           // rows
    uint32_t first_leaving, last_leaving; // moves, chained in their order
} EcsDirtyPartition;

// Outcomes that follow each other, take the same way and come from rows that follow each other. The new rows do
// too, across chunks.
typedef struct EcsMove {
    uint32_t first, count; // outcomes
    uint32_t transition;
    uint32_t to;           // the first new row: number of the chunk in its half << ECS_ROW_BITS | row in it
    uint32_t next_leaving; // the next move from the same half
} EcsMove;

// A name that is given when those who are destroyed have lost theirs.
typedef struct EcsNaming {
    FiloEntity entity;
    const char *name; // in the change set; "": none
} EcsNaming;

typedef struct EcsRefresh {
    FiloWorld *world;
    FiloArray(EcsPlan) plans;
    FiloArray(EcsSetValue) values;
    FiloArray(EcsNaming) namings;
    FiloArray(EcsDirtyPartition) dirty;
    FiloArray(EcsTransition) transitions;
    FiloMap transition_numbers; // halves and `removed` → number of the way
    FiloArray(EcsMove) moves;
    FiloArray(FiloEntity) prefabs; // of instances, by temporary index of the set that is looked at
    bool good;                     // there was memory for everything
    bool recorded;    // in change sets, where temporary ids stand for entities; elsewhere they are nobody's
    bool temporaries; // some temporary ids were given
    bool destroys;    // somebody is destroyed
    uint32_t born,
        never_born; // the ways of new entities, if there are any: to the empty table, and to nowhere
} EcsRefresh;

// The entity that a record is about, as it is known to the world.
static inline FiloEntity ecs_refresh_entity(const EcsRefresh *refresh, const uint8_t *record) {
    FiloEntity entity = ecs_change_entity(record);
    return FILO_UNLIKELY(filo_entity_temporary(entity)) && refresh->recorded
               ? ecs_temporary_resolve(refresh->world->changes, entity)
               : entity;
}
// The index of the entity that will be looked at some records later, of which there are enough.
#define ECS_REFRESH_AHEAD 12
static inline uint32_t ecs_refresh_ahead(const EcsChangeGroup *group, const uint8_t *record) {
    return (uint32_t)ecs_change_entity(record + (size_t)ECS_REFRESH_AHEAD * group->stride).id;
}
// Whether an outcome is the end of its entity; and whether an entity, by its record in the directory, comes to that.
static inline bool ecs_refresh_destroys(const EcsRefresh *refresh, const EcsPlan *plan) {
    return refresh->transitions.items[plan->transition].to == NULL;
}
static inline bool ecs_refresh_ends(const EcsRefresh *refresh, const EcsRecord *record) {
    uint32_t location = ecs_record_location(record);
    return FILO_UNLIKELY((location & ECS_LOCATION_PENDING) != 0) &&
           ecs_refresh_destroys(refresh, &refresh->plans.items[location & ECS_LOCATION_MASK]);
}

// ---- refresh_fold.c -------------------------------------------------------------------------------------

// Makes instances that a set asks for.
void ecs_refresh_instantiate(EcsRefresh *refresh, EcsChangeSet *set);
void ecs_refresh_fold(EcsRefresh *refresh, EcsChangeSet *set);
// The records of a group about a component in tables, of which this is the first.
void ecs_refresh_fold_table(EcsRefresh *refresh, const EcsChangeGroup *group, const uint8_t *record);
// Children of what is destroyed are destroyed too.
void ecs_refresh_destroy_families(EcsRefresh *refresh);

// ---- refresh_lists.c ------------------------------------------------------------------------------------

// The same for a component in a sparse list or in bits by entity. False, and nothing was done, if it is of another kind,
// or something has to be told or done besides.
bool ecs_refresh_fold_list(EcsRefresh *refresh, const EcsChangeGroup *group, const uint8_t *record);

// ---- refresh_rows.c -------------------------------------------------------------------------------------

// Brings all rows to where the outcomes say.
void ecs_refresh_rows(EcsRefresh *refresh);

#endif
