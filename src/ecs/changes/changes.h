// Change sets, as the rest of the module sees them. See changes.c and refresh.c.

#ifndef FILO_ECS_CHANGES_H
#define FILO_ECS_CHANGES_H

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

// A system mostly does the same to row after row, so records that follow each other and are alike form a group:
// this, then the records at the next address that is a multiple of `payload`.
//
// A record is the entity's id; `payload` bytes behind its start, the payload; `stride` bytes behind it, the next
// record.
typedef struct EcsChangeGroup {
    uint32_t component : 24;
    uint32_t kind : 8; // EcsChangeKind
    uint32_t count;    // records
    uint32_t payload;  // a power of two, as large as the alignment of the component
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
    size_t open;                       // where the last group lies; ECS_NO_CHANGE_GROUP: there is none
    size_t count;                      // records
    size_t instantiations;             // of which ask for an instance
    bool owns;                         // some values were copied by hooks, see changes_values.c
    bool applying;                     // right now
    FiloArray(FiloEntity) temporaries; // the real id of each temporary one, once it is known
    // Read by the thread that applies other sets, while this one may be filled: the index of the first of these, and
    // how many of them may still come to be.
    BASE_ATOMIC(uint64_t) first_temporary;
    BASE_ATOMIC(size_t) promised;
    FiloMap latest;              // entity and component → its last record, see changes_read.c
    bool destroys;               // some of the records in `latest` destroy
    size_t looked_group, looked; // records in `latest`: all of the groups before this one, and so many of it
    uint8_t *zeroes;             // to be read as the first value of components; NULL: none yet
    size_t zeroes_size;
    struct EcsChangeSet *next; // free, handed in or to be applied
} EcsChangeSet;

// The handle through which a system records. It costs nothing until the first record, which gets it a set.
struct FiloChanges {
    FiloWorld *world;
    EcsChangeSet *set; // NULL: nothing was recorded
    uint32_t source;
    uint64_t row;
    bool by_hand; // made by filo_changes_create
};

struct EcsChangesPool {
    FiloMutex lock; // of the lists: sets are taken and given on any thread, also while others are applied
    FiloArray(EcsChangeSet *) all;
    FiloMap by_number; // the same
    EcsChangeSet *free;
    EcsChangeSet *handed_in, **handed_in_end;
    // Of the thread that applies.
    EcsChangeSet *recent; // the one that was last looked up; NULL: none yet
    size_t even_bytes, even_temporaries,
        even_sets;              // what free sets have room for, and how many there are, at least
    struct EcsRefresh *refresh; // what applying needs, kept from one time to the next
};

static inline EcsChangeGroup *ecs_change_group(const EcsChangeSet *set, size_t offset) {
    return (EcsChangeGroup *)(void *)(set->bytes + offset);
}
// Where the first record of a group lies, and where the next group does.
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

// A temporary id: 1, number of the set (28 bits), index (35 bits). When a set is used again, its indices go on from
// where they were, so that an id from before is none of the set's: it would take thousands of millions of entities
// until one came again.
#define ECS_TEMPORARY_INDEX ((UINT64_C(1) << 35) - 1)
#define ECS_TEMPORARY_SET   ((UINT32_C(1) << 28) - 1)
static inline FiloEntity ecs_temporary_make(const EcsChangeSet *set) { // the next one
    uint64_t index = base_load_relaxed(&set->first_temporary) + set->temporaries.count;
    return (FiloEntity){ UINT64_C(1) << 63 | (uint64_t)set->number << 35 | (index & ECS_TEMPORARY_INDEX) };
}
static inline uint32_t ecs_temporary_set(FiloEntity entity) {
    return (uint32_t)(entity.id >> 35) & ECS_TEMPORARY_SET;
}
// Its place among the temporary ids of its set; as many as there are, or more: it is none of them (any more).
static inline size_t ecs_temporary_ordinal(const EcsChangeSet *set, FiloEntity entity) {
    return (entity.id - base_load_relaxed(&set->first_temporary)) & ECS_TEMPORARY_INDEX;
}
// The set that gave a temporary id; NULL if it is none of this world. By one thread, when no system runs.
EcsChangeSet *ecs_temporary_set_of(EcsChangesPool *pool, FiloEntity entity);
// The real id, if it is known and of a set that is being applied; else {0}. Others are returned as they are.
FiloEntity ecs_temporary_resolve(EcsChangesPool *pool, FiloEntity entity);
// The same in place, as a function for filo_reflect_entities.
void ecs_temporary_replace(FiloEntity *entity, void *pool);

// ---- For systems ----------------------------------------------------------------------------------------

bool ecs_changes_init(FiloWorld *world);
void ecs_changes_deinit(FiloWorld *world);

// A handle for a part of a system's rows: `source` and `row` say where in the order its records belong, and
// are used once in a stage. In place and field by field: copying what was just written in pieces would cost
// more than all the rest.
static inline void ecs_changes_open(FiloChanges *changes, FiloWorld *world, uint32_t source, uint64_t row) {
    changes->world = world;
    changes->set = NULL;
    changes->source = source;
    changes->row = row;
    changes->by_hand = false;
}
// The part is done. What was recorded is applied with the rest at the end of the stage. Any thread.
void ecs_changes_hand_in_set(FiloChanges *changes);
static inline void ecs_changes_close(FiloChanges *changes) {
    if (FILO_UNLIKELY(changes->set != NULL)) ecs_changes_hand_in_set(changes);
}

// The end of a stage: applies the sets that were handed in, in the order of source, row and record; replaces
// temporary ids in what was recorded, in pending events and in globals; lets holders reorganise. By one
// thread, when no system runs; uses the workers.
void ecs_changes_refresh(FiloWorld *world);

// What was handed in and not applied yet is not going to happen. The entities that it would have created are
// none, wherever they are spoken of.
void ecs_changes_drop_waiting(FiloWorld *world);

// Whether it is a change set; if not, says so.
bool ecs_changes_are_good(const FiloChanges *changes);

// Records a change of the world as a whole. False without memory or after a mistake.
bool ecs_changes_record(FiloChanges *changes, const EcsWorldChange *change);

// ---- changes_values.c -----------------------------------------------------------------------------------

// Copies a value to its place in a set, by the hook that the component has for it.
void ecs_changes_own(FiloChanges *changes, const EcsComponentData *component, void *payload,
                     const void *value);
// The values of a set that owns some: to a copy of its bytes elsewhere, and to their end.
void ecs_changes_move_owned(const FiloWorld *world, const EcsChangeSet *set, uint8_t *to);
void ecs_changes_destruct_owned(const FiloWorld *world, EcsChangeSet *set);

// ---- refresh.c --------------------------------------------------------------------------------------------

// Applies a list of sets in its order. False without memory for some of it.
bool ecs_refresh_apply(FiloWorld *world, EcsChangeSet *sets);
// Applies one change, ECS_CHANGE_ADD or ECS_CHANGE_REMOVE of a component in tables, to entities, of which some
// may not exist; temporary ids are passed over. False without memory for some of it.
bool ecs_refresh_component(FiloWorld *world, const EcsComponentData *component, EcsChangeKind kind,
                           const FiloEntity *entities, size_t count);
void ecs_refresh_deinit(FiloWorld *world);

#endif
