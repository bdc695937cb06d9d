// Change sets, as the rest of the module sees them. See changes.c and refresh.c.

#ifndef FILO_ECS_CHANGES_H
#define FILO_ECS_CHANGES_H

#include "ecs/world.h"

// ---- Records --------------------------------------------------------------------------------------------

typedef enum FiloChangeKind {
    FILO_CHANGE_CREATE,      // `entity` is a temporary id
    FILO_CHANGE_INSTANTIATE, // the same; payload: the prefab's id
    FILO_CHANGE_DESTROY,
    FILO_CHANGE_ACTIVATE,
    FILO_CHANGE_DEACTIVATE,
    FILO_CHANGE_ADD, // payload: the first value
    FILO_CHANGE_SET, // payload: the value
    FILO_CHANGE_REMOVE,
    FILO_CHANGE_PARENT, // payload: the parent's id
    FILO_CHANGE_NAME,   // payload: a FiloName
    FILO_CHANGE_GLOBAL, // payload: the value
} FiloChangeKind;

// A record: this, then `size` bytes at the next address with the component's alignment, then room up to a
// multiple of 16.
typedef struct FiloChange {
    FiloEntity entity;
    uint32_t component : 24;
    uint32_t kind : 8; // FiloChangeKind
    uint32_t size;     // bytes of the payload
} FiloChange;

#define FILO_CHANGE_ALIGN ((size_t)16)

// What was recorded by one part of a system. Sets are used again and again.
typedef struct FiloChangeSet {
    uint32_t source;
    uint64_t row;
    uint32_t number;                   // in FiloChangesPool.all, and in its temporary ids
    uint8_t *bytes;                    // records, one after the other; aligned to 64
    size_t used, capacity;             // bytes
    size_t count;                      // records
    size_t instantiations;             // of which ask for an instance
    FiloArray(FiloEntity) temporaries; // by temporary index: the real id, once it is known
    FiloMap latest; // entity and component (see changes.c) → offset of its last record + 1
    size_t looked;  // records before this offset are in `latest`
    struct FiloChangeSet *next_free;
} FiloChangeSet;

// The handle through which a system records. It costs nothing until the first record, which gets it a set.
struct FiloChanges {
    FiloWorld *world;
    FiloChangeSet *set; // NULL: nothing was recorded
    uint32_t source;
    uint64_t row;
    bool by_hand; // made by filo_changes_begin
};

struct FiloChangesPool {
    FiloMutex lock; // of all below, while systems run
    FiloArray(FiloChangeSet *) all;
    FiloChangeSet *free;
    FiloArray(FiloChangeSet *) handed_in;
    struct FiloRefresh *refresh; // what applying needs, kept from one time to the next
};

// Where the payload of a record lies, and where the next record does.
static inline size_t filo_change_payload(size_t offset, size_t align) {
    return FILO_ALIGN_UP(offset + sizeof(FiloChange), FILO_MAX(align, (size_t)1));
}
static inline size_t filo_change_next(size_t offset, size_t align, size_t size) {
    return FILO_ALIGN_UP(filo_change_payload(offset, align) + size, FILO_CHANGE_ALIGN);
}
// The alignment of a record's payload.
static inline size_t filo_change_align(const FiloWorld *world, const FiloChange *change) {
    return change->component != 0 ? world->components.items[change->component - 1]->align : sizeof(uint64_t);
}

// A temporary id: 1, number of the set (31 bits), index in it (32 bits).
static inline FiloEntity filo_temporary_make(uint32_t set, uint32_t index) {
    return (FiloEntity){ UINT64_C(1) << 63 | (uint64_t)set << 32 | index };
}
static inline uint32_t filo_temporary_set(FiloEntity entity) {
    return (uint32_t)(entity.id >> 32) & 0x7FFFFFFF;
}
// The real id, where it is known; {0} if it never will be. Others are returned as they are.
FiloEntity filo_temporary_resolve(const FiloChangesPool *pool, FiloEntity entity);

// ---- For systems ----------------------------------------------------------------------------------------

bool filo_changes_init(FiloWorld *world);
void filo_changes_deinit(FiloWorld *world);

// A handle for a part of a system's rows: `source` and `row` say where in the order its records belong, and
// are used once in a stage. In place and field by field: copying what was just written in pieces would cost
// more than all the rest.
static inline void filo_changes_open(FiloChanges *changes, FiloWorld *world, uint32_t source, uint64_t row) {
    changes->world = world;
    changes->set = NULL;
    changes->source = source;
    changes->row = row;
    changes->by_hand = false;
}
// The part is done. What was recorded is applied with the rest at the end of the stage. Any thread.
void filo_changes_hand_in_set(FiloChanges *changes);
static inline void filo_changes_close(FiloChanges *changes) {
    if (FILO_UNLIKELY(changes->set != NULL)) filo_changes_hand_in_set(changes);
}
// Whether anything was handed in since the last refresh. When no system runs.
static inline bool filo_changes_waiting(const FiloWorld *world) {
    return world->changes->handed_in.count > 0;
}

// The end of a stage: applies the sets that were handed in, in the order of source, row and record; replaces
// temporary ids in what was recorded, in pending events and in globals; lets holders reorganise. By one
// thread, when no system runs; uses the workers.
void filo_changes_refresh(FiloWorld *world);

// ---- refresh.c --------------------------------------------------------------------------------------------

// Applies sets in the order given. False without memory for some of it.
bool filo_refresh_apply(FiloWorld *world, FiloChangeSet **sets, size_t count);
void filo_refresh_deinit(FiloWorld *world);

#endif
