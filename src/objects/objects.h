// Pure objects, inside.
//
//   world.c      the data of a world, and what happens before and after its ticks
//   kinds.c      kinds of objects: their descriptions, components and systems
//   terms.c      the terms of the system of a kind
//   network.c    kinds whose step is a network: where its inputs come from, and where its outputs go to
//   records.c    records of systems, in an order that does not depend on threads
//   messages.c   events to objects: inboxes, sending and delivering
//   identity.c   functions for all objects of a kind
//   run.c, reader.c, restore.c, results.c, window.c   functions that block, readers, and the window: requests.h
//
// A kind is a system "objects.<name>". The systems of all kinds of a phase run together (FiloSystemDesc.together): in one
// stage, in which each sees the states of all objects from before. The state is a double-buffered component.
//
// An event that objects take has an inbox: a component "<type>.inbox" with the layout of a FiloSfList, so that a network can
// have it as an input. A kind that takes the event requires it. Sending records a message. Messages are delivered to
// inboxes after the tick, in the order of their senders, and the system of a kind empties the inboxes of its rows.
// So nothing is pending between ticks, and inboxes are saved, hashed and rewound like any component.

#ifndef FILO_OBJECTS_OBJECTS_H
#define FILO_OBJECTS_OBJECTS_H

#include <filo/check.h>
#include <filo/containers.h>
#include <filo/objects.h>
#include <filo/threads.h>

#include "base/atomic.h"

#include <string.h>

typedef struct ObjectsInbox ObjectsInbox;
typedef struct ObjectsKind ObjectsKind;
typedef struct ObjectsNetwork ObjectsNetwork;   // network.c
typedef struct ObjectsRequests ObjectsRequests; // requests.h
typedef struct ObjectsWorld ObjectsWorld;

#define OBJECTS_TOGETHER "objects" // FiloSystemDesc.together of kinds

// ---- Records --------------------------------------------------------------------------------------------

// Records that one worker made for one part of a system: from `first` to that of the worker's next segment.
typedef struct ObjectsSegment {
    FiloChangesOrder order;
    size_t first, count; // records; `count` is set by objects_records_sort
    uint32_t worker, number;
} ObjectsSegment;

typedef struct ObjectsRecorder {
    uint8_t *bytes; // records, one after the other
    size_t count, capacity;
    FiloArray(ObjectsSegment) segments;
    char padding_[FILO_CACHE_LINE]; // other workers write theirs
} ObjectsRecorder;

// Records of one size that systems make on any worker, to be read after the tick in the order of systems, rows and calls.
typedef struct ObjectsRecords {
    ObjectsWorld *objects;
    size_t stride;              // bytes of a record, a multiple of 16
    ObjectsRecorder *recorders; // by worker
    FiloArray(ObjectsSegment) sorted;
} ObjectsRecords;

// False without memory. Between ticks.
bool objects_records_init(ObjectsRecords *records, ObjectsWorld *objects, size_t size);
void objects_records_deinit(ObjectsRecords *records);
// A new record, to be filled in by the system that is running; NULL without memory, or on a thread that is no worker (a
// mistake).
void *objects_records_add(ObjectsRecords *records, const FiloIter *it);
// Fills `sorted` with all segments, in their order. False without memory. Between ticks.
bool objects_records_sort(ObjectsRecords *records);
static inline uint8_t *objects_records_first(const ObjectsRecords *records, const ObjectsSegment *segment) {
    return records->recorders[segment->worker].bytes + segment->first * records->stride;
}
bool objects_records_any(const ObjectsRecords *records);
void objects_records_clear(ObjectsRecords *records);

// ---- Inboxes --------------------------------------------------------------------------------------------

struct ObjectsInbox {
    const FiloType *event;
    FiloComponent component;
    uint32_t capacity;       // events
    uint32_t size;           // bytes of the component
    uint32_t values;         // offset of the events in it
    bool has_entities;       // the event refers to entities
    ObjectsRecords messages; // ObjectsMessage, then the event
    FiloQuery *query;        // which writes all inboxes
    uint64_t dropped;        // events, because an inbox was full
};

typedef struct ObjectsMessage {
    FiloEntity to;
    uint64_t unused;
} ObjectsMessage; // 16 bytes: the event behind it is aligned

// Both have the same name and size. Types are at another address if a module was loaded again.
bool objects_same_type(const FiloType *a, const FiloType *b);
// NULL if no object of the world takes such events.
static inline ObjectsInbox *objects_inbox_find(const ObjectsWorld *objects, const FiloType *event);
// The same for a type at another address.
ObjectsInbox *objects_inbox_search(const ObjectsWorld *objects, const FiloType *event);
// The inbox of an event, which is made if there is none. Between ticks.
// Its capacity must be the same everywhere.
FiloResult objects_inbox_get(ObjectsInbox **inbox, ObjectsWorld *objects, const FiloType *event,
                             uint32_t capacity);
void objects_inbox_destroy(ObjectsInbox *inbox);
// Delivers all messages. Between ticks.
void objects_deliver(ObjectsWorld *objects);
// Delivers one event at once. Between ticks. False if the object has no such inbox, which is a mistake if it exists.
bool objects_deliver_one(ObjectsWorld *objects, FiloEntity to, const FiloType *event, const void *value);

// ---- Kinds ----------------------------------------------------------------------------------------------

// An event that a kind takes.
typedef struct ObjectsTaken {
    ObjectsInbox *inbox;
    uint32_t term;
} ObjectsTaken;

struct ObjectsKind {
    ObjectsWorld *objects;
    void (*step)(FiloIter *it);
    void *user;
    ObjectsNetwork *network; // NULL: it has a step function
    ObjectsTaken events[FILO_OBJECT_EVENTS];
    uint32_t event_count;
    bool sequential; // as it was added
    int phase;
    FiloSystemId system;
    FiloComponent state;
    const FiloType *state_type;
    FiloQuery *all, *all_written; // objects, active or not; reading and writing the state
    const char *name;             // valid until the process ends
};

// Terms of the query of a kind.
enum { OBJECTS_TERM_STATE, OBJECTS_TERM_NEXT, OBJECTS_TERM_FIRST };

// Not its system. The kind may be incomplete.
void objects_kind_destroy(ObjectsKind *kind);
// NULL if there is none. By the type of its state.
ObjectsKind *objects_kind_find(const ObjectsWorld *objects, const FiloType *state);
// The step that the calling thread runs.
typedef struct ObjectsRunning {
    const ObjectsKind *kind; // NULL: none
    const FiloQuery *query;  // of its rows
} ObjectsRunning;
const ObjectsRunning *objects_running(void);

// ---- terms.c --------------------------------------------------------------------------------------------

// Fills in the queries of the system of a kind, and the terms of its inboxes. `signals` {0}: it has no network.
FiloResult objects_terms_make(FiloSystemDesc *system, ObjectsKind *kind, const FiloObjectDesc *desc,
                              FiloComponent signals);
// Whether the terms of a description are such that it can be added. Makes nothing.
// `descs`: the kinds that are added at once, whose states
// need not be registered yet.
FiloResult objects_terms_check(const FiloWorld *world, const FiloObjectDesc *desc,
                               const FiloObjectDesc *descs, size_t count);
// The number of the term with a component in the query of a kind; FILO_TERMS if there is none.
uint32_t objects_term_of(const FiloWorld *world, const FiloQueryDesc *query, const FiloType *type);

// ---- network.c ------------------------------------------------------------------------------------------

// Whether inputs and outputs of the network fit the description. Makes nothing.
FiloResult objects_network_check(const FiloWorld *world, const FiloObjectDesc *desc);
// The component of its state. {0} without memory or after a mistake.
FiloComponent objects_network_component(FiloWorld *world, const FiloObjectDesc *desc,
                                        const FiloRequired *required);
FiloResult objects_network_create(ObjectsNetwork **network, ObjectsKind *kind, const FiloObjectDesc *desc,
                                  const FiloQueryDesc *query);
void objects_network_destroy(ObjectsNetwork *network, const ObjectsWorld *objects);
void objects_network_run(const ObjectsKind *kind, FiloIter *it);
FiloResult objects_network_inspect(const ObjectsKind *kind, FiloEntity object, FiloSfVisit visit, void *user);
// The name of the branch that the network of an object is in; "": none.
size_t objects_network_branch(const ObjectsKind *kind, FiloEntity object, char *text, size_t size);

// ---- Worlds ---------------------------------------------------------------------------------------------

struct ObjectsWorld {
    FiloWorld *world;
    const FiloJobs *jobs; // NULL: everything runs on the thread that ticks
    const FiloAllocator *allocator;
    uint32_t workers; // that may record
    bool sequential;
    BASE_ATOMIC(bool) ticking;
    ObjectsRequests *requests; // functions and readers
    FiloArray(ObjectsKind *) kinds;
    FiloArray(ObjectsInbox *) inboxes;
};

// NULL if the world has no objects yet.
ObjectsWorld *objects_world(const FiloWorld *world);
// The same; it is made if there is none. NULL without memory or after a mistake. Between ticks.
ObjectsWorld *objects_world_get(FiloWorld *world);
// The number of the calling thread among the workers; UINT32_MAX if it is none.
static inline uint32_t objects_worker(const ObjectsWorld *objects) {
    return objects->jobs != NULL ? (uint32_t)filo_jobs_worker(objects->jobs) : 0;
}

static inline ObjectsInbox *objects_inbox_find(const ObjectsWorld *objects, const FiloType *event) {
    for (size_t i = 0; i < objects->inboxes.count; i++)
        if (objects->inboxes.items[i]->event == event) return objects->inboxes.items[i];
    return objects_inbox_search(objects, event);
}

#endif
