// Change sets, as the rest of the module sees them.
//
//   record.c      recording: the functions of filo/changes.h that change something
//   read.c        reading back what a set holds: the functions of filo/changes.h that return something
//   values.c      values with a copy hook in sets
//   pool.c        the pool of sets; submitting them, and ecs_changes_refresh, the end of a phase
//   refresh.c     applying sets: ecs_refresh_apply calls the steps, refresh.h has what they share
//   instances.c   before the first step: instances of prefabs
//   fold.c        step 1 and 2: from records to one plan per entity
//   fold_lists.c  step 1 for components in sparse lists and for tags
//   moves.c       step 3 to 5: from plans to rows

#ifndef FILO_ECS_CHANGES_CHANGES_H
#define FILO_ECS_CHANGES_CHANGES_H

#include "ecs/world.h"

// ---- Records --------------------------------------------------------------------------------------------

typedef enum EcsChangeKind {
    ECS_CHANGE_CREATE,      // the entity is a temporary id
    ECS_CHANGE_INSTANTIATE, // the same; payload: the prefab's id
    ECS_CHANGE_DESTROY,
    ECS_CHANGE_ACTIVATE,
    ECS_CHANGE_DEACTIVATE,
    ECS_CHANGE_ADD,
    ECS_CHANGE_SET, // payload: the value
    ECS_CHANGE_REMOVE,
    ECS_CHANGE_PARENT, // payload: the parent's id
    ECS_CHANGE_NAME,   // payload: the text, ending in a zero; "": none. Each is a group of its own
    ECS_CHANGE_GLOBAL, // payload: the value
    ECS_CHANGE_WORLD,  // payload: an EcsWorldChange; of no entity
} EcsChangeKind;

// A change of something that belongs to the world as a whole, such as its states: a function that is called, by one
// thread and in the order of records, when the set is applied.
typedef struct EcsWorldChange {
    void (*apply)(FiloWorld *world, uint32_t which, int64_t value);
    int64_t value;
    uint32_t which;
} EcsWorldChange;

// Consecutive records of the same kind and component form a group, because a system mostly does the same to row after
// row. A group is this header, then its records from the next address that is a multiple of `payload`.
//
// A record is `stride` bytes: the entity's id and, `payload` bytes after the start of the record, the payload.
typedef struct EcsChangeGroup {
    uint32_t component : 24;
    uint32_t kind : 8; // EcsChangeKind
    uint32_t count;    // records
    uint32_t payload;  // a power of two, at least the alignment of the component
    uint32_t stride;
} EcsChangeGroup;

#define ECS_NO_CHANGE_GROUP SIZE_MAX

// What was recorded by one part of a system. Sets are used again and again.
typedef struct EcsChangeSet {
    uint32_t source;
    uint32_t number; // in its temporary ids; no other set of the process has it
    uint64_t row;
    uint8_t *bytes;                    // groups, one after the other; aligned to 64
    size_t used, capacity;             // bytes
    size_t last_group;                 // offset of the group that grows; ECS_NO_CHANGE_GROUP: none
    size_t count;                      // records
    size_t instantiations;             // records of kind ECS_CHANGE_INSTANTIATE
    bool owns_values;                  // some values were copied by hooks, see values.c
    bool applying;                     // right now
    FiloArray(FiloEntity) temporaries; // the real id of each temporary one; {0}: not yet
    // The index of the first temporary id, and how many of them have no real id yet. Atomic, because the thread that
    // applies other sets reads them while this set may be filled.
    BASE_ATOMIC(uint64_t) first_temporary;
    BASE_ATOMIC(size_t) pending_temporaries;
    FiloMap latest;                // entity and component → its last record, see read.c
    bool destroys;                 // some of the records in `latest` destroy
    size_t indexed_group, indexed; // `latest` has all groups before this one, and this many records of it
    uint8_t *zeroes;               // the default value of components that have no other; NULL: none yet
    size_t zeroes_size;
    struct EcsChangeSet *next; // in the list of free or submitted sets, or of those that are applied
} EcsChangeSet;

// The handle through which a system records. It takes a set from the pool with the first record.
struct FiloChanges {
    FiloWorld *world;
    EcsChangeSet *set; // NULL: nothing was recorded
    uint32_t source;
    uint64_t row;
    bool standalone; // made by filo_changes_create
};

struct EcsChangesPool {
    FiloMutex lock; // of the lists: any thread takes and gives sets, also while others are applied
    FiloArray(EcsChangeSet *) all;
    FiloMap by_number; // the same
    EcsChangeSet *free;
    EcsChangeSet *submitted, **submitted_end;
    // Of the thread that applies:
    EcsChangeSet *last_found; // cache of ecs_temporary_set_of; NULL: none yet
    // The least capacity of free sets, and how many of them there are at least: see reserve_free_sets.
    size_t reserve_bytes, reserve_temporaries, reserve_sets;
    struct EcsRefresh *refresh; // memory of ecs_refresh_apply, kept from one call to the next
};

static inline EcsChangeGroup *ecs_change_group(const EcsChangeSet *set, size_t offset) {
    return (EcsChangeGroup *)(void *)(set->bytes + offset);
}
// The offset of the first record of a group, and that of the next group.
static inline size_t ecs_change_first(size_t offset, const EcsChangeGroup *group) {
    return FILO_ALIGN_UP(offset + sizeof *group, (size_t)group->payload);
}
static inline size_t ecs_change_next(size_t offset, const EcsChangeGroup *group) {
    return ecs_change_first(offset, group) + (size_t)group->count * group->stride;
}
static inline FiloEntity ecs_change_entity(const uint8_t *record) {
    FiloEntity entity;
    memcpy(&entity, record, sizeof entity);
    return entity;
}

// ---- Temporary ids --------------------------------------------------------------------------------------

// A temporary id: 1, number of the set (28 bits), index (35 bits). When a set is used again, its indices continue, so
// an id from before is not valid in it. An index comes again only after thousands of millions of entities.
#define ECS_TEMPORARY_INDEX ((UINT64_C(1) << 35) - 1)
#define ECS_TEMPORARY_SET   ((UINT32_C(1) << 28) - 1)
static inline FiloEntity ecs_temporary_make(const EcsChangeSet *set) { // the next one
    uint64_t index = base_load_relaxed(&set->first_temporary) + set->temporaries.count;
    return (FiloEntity){ UINT64_C(1) << 63 | (uint64_t)set->number << 35 | (index & ECS_TEMPORARY_INDEX) };
}
static inline uint32_t ecs_temporary_set(FiloEntity entity) {
    return (uint32_t)(entity.id >> 35) & ECS_TEMPORARY_SET;
}
// Index in `temporaries` of its set. Past the end: the id is not valid, or not any more.
static inline size_t ecs_temporary_ordinal(const EcsChangeSet *set, FiloEntity entity) {
    return (entity.id - base_load_relaxed(&set->first_temporary)) & ECS_TEMPORARY_INDEX;
}
// The set of a temporary id; NULL if it is not of this world. One thread, while no system runs.
EcsChangeSet *ecs_temporary_set_of(EcsChangesPool *pool, FiloEntity entity);
// The real id of a temporary one, if its set is being applied and the entity was created; else {0}. Real ids are
// returned as they are.
FiloEntity ecs_temporary_resolve(EcsChangesPool *pool, FiloEntity entity);
// The same in place, as a function for filo_reflect_entities.
void ecs_temporary_replace(FiloEntity *entity, void *pool);

// ---- pool.c ---------------------------------------------------------------------------------------------

bool ecs_changes_init(FiloWorld *world);
void ecs_changes_deinit(FiloWorld *world);

// Initialises a handle for a part of a system's rows. `source` and `row` give the order in which its records are
// applied; no other handle has both in the same phase. In place and field by field, because copying a struct that was
// just written in pieces would cost more than all the rest.
static inline void ecs_changes_open(FiloChanges *changes, FiloWorld *world, uint32_t source, uint64_t row) {
    changes->world = world;
    changes->set = NULL;
    changes->source = source;
    changes->row = row;
    changes->standalone = false;
}
// Ends the part. What was recorded is applied at the end of the phase. Any thread.
void ecs_changes_submit(FiloChanges *changes);
static inline void ecs_changes_close(FiloChanges *changes) {
    if (FILO_UNLIKELY(changes->set != NULL)) ecs_changes_submit(changes);
}

// The end of a phase: applies the submitted sets, in the order of source, row and record; replaces temporary ids in
// what was recorded, in pending events and in globals; lets holders reorganise. One thread, while no system runs;
// uses the workers.
void ecs_changes_refresh(FiloWorld *world);
// Reserves memory for the changes of usual ticks. Between ticks.
void ecs_changes_reserve(FiloWorld *world);

// Drops the records of submitted sets. Entities that they would have created do not come to exist; references to them
// become {0} in the next refresh.
void ecs_changes_drop_submitted(FiloWorld *world);

// Takes a set for a handle that has none. False without memory.
bool ecs_change_set_take(FiloChanges *changes);
// Makes the set of a handle at least this large. False without memory.
bool ecs_change_set_grow(const FiloChanges *changes, size_t needed) FILO_COLD;
// Invalidates the temporary ids of a set: the next ones have other indices.
static inline void ecs_change_set_clear_temporaries(EcsChangeSet *set) {
    uint64_t first = base_load_relaxed(&set->first_temporary);
    base_store_relaxed(&set->first_temporary, first + set->temporaries.count);
    filo_array_clear(&set->temporaries);
}

// ---- record.c -------------------------------------------------------------------------------------------

// Reports if it is not a change set.
bool ecs_changes_are_valid(const FiloChanges *changes);
// Records a change of the world as a whole. False without memory or after a mistake.
bool ecs_changes_record(FiloChanges *changes, const EcsWorldChange *change);

// ---- values.c -------------------------------------------------------------------------------------------

// Copies a value into a set, by the copy hook of its component.
void ecs_changes_copy_owned(FiloChanges *changes, const EcsComponentData *component, void *payload,
                            const void *value);
// Copies the bytes of a set to `to`, and moves the values that it owns there by their hooks.
void ecs_changes_move_owned(const FiloWorld *world, const EcsChangeSet *set, uint8_t *to);
void ecs_changes_destruct_owned(const FiloWorld *world, EcsChangeSet *set);

// ---- refresh.c ------------------------------------------------------------------------------------------

// Applies a list of sets in its order. False without memory for some of it.
bool ecs_refresh_apply(FiloWorld *world, EcsChangeSet *sets);
// Applies one change, ECS_CHANGE_ADD or ECS_CHANGE_REMOVE of a component in tables, to entities. Those that do not
// exist and temporary ids are skipped. False without memory for some of it.
bool ecs_refresh_component(FiloWorld *world, const EcsComponentData *component, EcsChangeKind kind,
                           const FiloEntity *entities, size_t count);
void ecs_refresh_deinit(FiloWorld *world);
void ecs_refresh_reserve(FiloWorld *world);

#endif
