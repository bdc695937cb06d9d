// The private structure of FiloEvents.
//
// Slots. Each name that was ever used has an EventsSlot. It is found by the name's id through a table of pages that is
// read without a lock. Slots and pages are created under the lock and freed by filo_events_destroy.
//
// Records. An emission is an EventsRecord, followed by its payload. Records for the next delivery point are in a
// scratch allocator that is flipped at each point: its memory is valid until the point after the next has begun.
// Delayed and restored records are in blocks of a store (store.c) and are marked `stored`.
//
// Chunks. The records of one recorder are a chunk: a linked list that is identified by its first record. Chunks are
// pushed onto a lock-free stack. Keys ascend within a chunk, and the keys of two chunks never interleave, so sorting
// the chunks by their first keys sorts all records.
//
// Lock. `lock` protects the fields that say so. It is never held while a handler runs.

#ifndef FILO_EVENTS_EVENTS_H
#define FILO_EVENTS_EVENTS_H

#include <filo/containers.h>
#include <filo/events.h>

#include "base/atomic.h"

typedef struct EventsRecord EventsRecord;
typedef struct EventsSlot EventsSlot;
typedef struct EventsHandler EventsHandler;

struct EventsRecord {
    EventsRecord *next;       // in its chunk, or in the list that is being delivered
    EventsRecord *next_chunk; // this and `last` are set only in the first record of a chunk
    EventsRecord *last;
    EventsSlot *event;
    void *payload;
    FiloEventKey key;
    uint64_t due; // tick; 0: the next delivery point
    FiloEventFunction done;
    void *done_user;
    FiloJob *done_job;
    uint8_t size_class; // of its block, if `stored`
    bool stored;
    bool delayed; // it waits for the tick `due`, in the heap
    bool transient;
};

struct EventsHandler {
    BASE_ATOMIC(uint32_t) generation; // changes when the handler is unsubscribed
    uint32_t index;
    bool subscribed;
    uint64_t number; // of the subscription, ascending
    FiloHandlerDesc desc;
    EventsSlot *event;
    EventsHandler *next, *previous; // in the list of the event; `next` also in the list of free handlers
};

struct EventsSlot {
    FiloName name;
    BASE_ATOMIC(bool) declared;               // the fields up to `signature` are set
    BASE_ATOMIC(const FiloType *) type;       // the latest description; NULL: no payload
    BASE_ATOMIC(const FiloType *) equal_type; // the description before that
    size_t size, align;                       // of the payload
    uint64_t signature;                       // of the description
    // Under the lock:
    EventsHandler *first, *last;
    size_t handler_count;
    bool may_be_unhandled; // it was declared explicitly, or has had a handler: no warning if it has none
    EventsSlot *next;
};

// A handler to call for the event that is being delivered. A copy, because the handler may be reused meanwhile.
typedef struct EventsCall {
    EventsHandler *handler;
    uint32_t generation;
    FiloHandlerMode mode;
    FiloEventFunction function;
    void *user;
} EventsCall;

// A function to call when a delivery has ended.
typedef struct EventsDelivered {
    FiloDeliveredFunction function;
    void *user;
} EventsDelivered;

typedef struct EventsCallList {
    EventsCall *calls;
    size_t capacity;
} EventsCallList;

#define EVENTS_PAGE_SIZE  256 // slots in a page of the table
#define EVENTS_PAGE_COUNT (FILO_NAME_LIMIT / EVENTS_PAGE_SIZE)

typedef BASE_ATOMIC(EventsSlot *) EventsPage[EVENTS_PAGE_SIZE];

#define EVENTS_STORE_CLASSES 40 // class i has blocks of 128 << i bytes

struct FiloEvents {
    FiloJobs *jobs;
    const FiloAllocator *allocator;
    FiloScratch scratch;
    BASE_ATOMIC(EventsRecord *) incoming; // a stack of chunks that were submitted
    BASE_ATOMIC(uint64_t) point;          // number of delivery points so far
    BASE_ATOMIC(uint64_t) next_tick;      // the tick that the next filo_events_deliver delivers
    BASE_ATOMIC(uint32_t) open_recorders; // number of recorders with records
    BASE_ATOMIC(uint32_t) delivering;
    BASE_ATOMIC(EventsPage *) pages[EVENTS_PAGE_COUNT];

    // Used by the thread that delivers, and between delivery points by the thread that reads pending events:
    EventsRecord *chunks;            // taken from `incoming`
    BASE_ATOMIC(uint32_t) delivered; // events since the last point
    EventsCallList calls;            // of the event that is being delivered
    bool within_tick;                // what its handlers record waits for the end of the tick

    FiloMutex lock; // protects the fields below
    EventsSlot *slots;
    FiloEventRecorder outside;           // emissions from outside of jobs
    FiloArray(EventsHandler *) handlers; // by index
    EventsHandler *free_handlers;
    FiloArray(EventsDelivered) delivered_functions;
    uint64_t subscriptions;            // number of subscriptions so far
    EventsCallList spare_calls;        // replaces `calls` at the next event, if it is not empty
    FiloArray(EventsRecord *) delayed; // a binary heap: the next one due is the first
    size_t delayed_reserved;           // capacity for records with a delay that are not in the heap yet
    void *free_blocks[EVENTS_STORE_CLASSES];
};

// ---- declare.c ----

// The event with this name; NULL if the name was never used. Any thread, no lock.
EventsSlot *events_find(const FiloEvents *events, FiloName name);
// The event with this name, created if needed; NULL without memory.
EventsSlot *events_find_or_add(FiloEvents *events, FiloName name);
// The event with this name, declared with the payload type `type`. NULL without memory, or with a fault if it has
// another type; `what` names the caller in the message ("emit").
EventsSlot *events_find_typed(FiloEvents *events, FiloName name, const FiloType *type, const char *what);

// ---- handlers.c ----

// Fills events->calls with the handlers of an event. Returns how many there are.
size_t events_collect_calls(FiloEvents *events, EventsSlot *event);
// Writes the first handler after (order, number) to `call`, and updates both. False if there is none.
bool events_next_call(FiloEvents *events, EventsSlot *event, int *order, uint64_t *number, EventsCall *call);
void events_handlers_deinit(FiloEvents *events);

// ---- emit.c ----

// A recorder for the current point. `key.point` is ignored.
FiloEventRecorder events_recorder_make(FiloEvents *events, FiloEventKey key);
// Pushes the records onto `incoming`.
void events_recorder_submit(FiloEventRecorder *recorder);

// ---- store.c ----

// A record, followed by memory for the payload of `event`. Valid until it is freed. Under the lock. NULL without
// memory.
EventsRecord *events_store_alloc(FiloEvents *events, const EventsSlot *event);
void events_store_free(FiloEvents *events, EventsRecord *record);
void events_store_deinit(FiloEvents *events);

int events_key_compare(const FiloEventKey *a, const FiloEventKey *b);

// The heap of delayed records. Under the lock. Each push needs a reservation, so that it cannot fail.
bool events_delayed_reserve(FiloEvents *events);
void events_delayed_push(FiloEvents *events, EventsRecord *record);
// The first record that is due at `tick` or before; NULL if there is none.
EventsRecord *events_delayed_pop(FiloEvents *events, uint64_t tick);
// Sorts the heap by due tick and key. A sorted array is also a heap.
void events_delayed_sort(FiloEvents *events);

// ---- deliver.c ----

// Moves the chunks of `incoming` to `chunks`, and sorts these. Under the lock.
void events_gather(FiloEvents *events);
// Delivers one record. `tick` is the tick that is being delivered.
void events_deliver_record(FiloEvents *events, EventsRecord *record, uint64_t tick);
// Mark the beginning and end of a delivery. False with a fault if one is running already.
bool events_delivery_begin(FiloEvents *events);
void events_delivery_end(FiloEvents *events);
// Calls the functions of filo_events_add_delivered.
void events_call_delivered(FiloEvents *events);

#endif
