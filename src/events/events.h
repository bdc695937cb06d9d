// The inside of FiloEvents.
//
// Events. Each name that was ever used has an EventSlot, found by the name's id through a table of pages that
// is read without a lock; slots and pages are made under the lock and stay until the end.
//
// Records. An emission is a EventRecord with its payload behind it. Those for the next delivery point lie
// in a scratch that is flipped at each point: what was emitted before a point is delivered during it and gone
// at the next. Those with a delay, and restored ones, lie in blocks of a store (store.c) and are marked
// `stored`.
//
// Chunks. What one recorder hands in is a chunk: its records in a list, the first of which stands for the
// chunk. Chunks are pushed onto a stack without a lock. Within a chunk keys rise, and the keys of two chunks
// never interleave, so that sorting the chunks by their first keys sorts all records.
//
// Locks. `lock` guards what is written beside it below. It is never held while a handler runs.

#ifndef FILO_EVENTS_EVENTS_H
#define FILO_EVENTS_EVENTS_H

#include <filo/containers.h>
#include <filo/events.h>

#include "base/atomic.h"

typedef struct EventRecord EventRecord;
typedef struct EventsSlot EventsSlot;
typedef struct EventsHandler EventsHandler;

struct EventRecord {
    EventRecord *next;       // in its chunk, or in the list that is being delivered
    EventRecord *next_chunk; // these two only in the first record of a chunk
    EventRecord *last;
    EventsSlot *event;
    void *payload;
    FiloEventKey key;
    uint64_t due; // tick; 0: the next delivery point
    FiloEventFunction done;
    void *done_user;
    FiloJob *done_job;
    uint8_t size_class; // of its block, if it is stored
    bool stored;
};

struct EventsHandler {
    BASE_ATOMIC(uint32_t) generation; // changes when the handler is unsubscribed
    uint32_t index;
    bool subscribed;
    uint64_t number; // counts subscriptions
    FiloHandlerDesc desc;
    EventsSlot *event;
    EventsHandler *next, *previous; // of the same event, in their order; `next` also in the list of free ones
};

struct EventsSlot {
    FiloName name;
    BASE_ATOMIC(bool) declared;         // says that what follows is set
    BASE_ATOMIC(const FiloType *) type; // the latest description; NULL: carries nothing
    BASE_ATOMIC(const FiloType *) twin; // another description that was found to be the same
    size_t size, align;                 // of the payload
    uint64_t signature;                 // of the description
    EventsHandler *first, *last;        // under the lock, as all that follows
    size_t handler_count;
    bool known; // it was declared by name, or has had a handler: to have none is no mistake
    EventsSlot *next;
};

// A handler to be called for the event that is being delivered. A copy, because the handler may go meanwhile.
typedef struct EventsCall {
    EventsHandler *handler;
    uint32_t generation;
    FiloHandlerMode mode;
    FiloEventFunction function;
    void *user;
} EventsCall;

// Who wants to know that a delivery has ended.
typedef struct EventsDelivered {
    FiloDeliveredFunction function;
    void *user;
} EventsDelivered;

typedef struct EventsCallList {
    EventsCall *calls;
    size_t capacity;
} EventsCallList;

#define EVENT_PAGE  256 // slots in a page of the table
#define EVENT_PAGES (FILO_NAME_LIMIT / EVENT_PAGE)

typedef BASE_ATOMIC(EventsSlot *) EventPage[EVENT_PAGE];

#define EVENTS_STORE_CLASSES 40 // blocks of 128 bytes, and each class twice as large as the one before

struct FiloEvents {
    FiloJobs *jobs;
    const FiloAllocator *allocator;
    FiloScratch scratch;
    BASE_ATOMIC(EventRecord *) incoming;  // chunks that were handed in, newest first
    BASE_ATOMIC(uint64_t) point;          // delivery points so far
    BASE_ATOMIC(uint64_t) next_tick;      // the tick that the next filo_events_deliver delivers
    BASE_ATOMIC(uint32_t) open_recorders; // that have records in them
    BASE_ATOMIC(uint32_t) delivering;
    BASE_ATOMIC(EventPage *) pages[EVENT_PAGES];

    // Of the thread that delivers, and between delivery points of whoever asks for pending events:
    EventRecord *chunks;             // taken from `incoming`
    BASE_ATOMIC(uint32_t) delivered; // events since the last point
    EventsCallList calls;            // of the event that is being delivered

    FiloMutex lock; // and under it:
    EventsSlot *slots;
    FiloEventRecorder outside;           // emissions from outside of jobs
    FiloArray(EventsHandler *) handlers; // by index
    EventsHandler *free_handlers;
    FiloArray(EventsDelivered) delivered_functions;
    uint64_t subscriptions;           // counts them
    EventsCallList spare_calls;       // larger than `calls`, which takes its place at the next event
    FiloArray(EventRecord *) delayed; // a heap: the next one due is the first
    size_t delayed_promised;          // records with a delay that are not in the heap yet
    void *free_blocks[EVENTS_STORE_CLASSES];
};

// ---- declare.c ----

// The event with this name; NULL if nobody used the name. Any thread, no lock.
EventsSlot *events_find(const FiloEvents *events, FiloName name);
// The same, made if it is new; NULL without memory.
EventsSlot *events_find_or_add(FiloEvents *events, FiloName name);
// The event, declared to carry `type`. NULL with a fault, where `what` says who is wrong ("emit"), or without
// memory.
EventsSlot *events_expect(FiloEvents *events, FiloName name, const FiloType *type, const char *what);

// ---- handlers.c ----

// Fills events->calls with the handlers of an event, and returns how many.
size_t events_collect_calls(FiloEvents *events, EventsSlot *event);
// The first handler after (order, number), in `call`; false if there is none.
bool events_next_call(FiloEvents *events, EventsSlot *event, int *order, uint64_t *number, EventsCall *call);
void events_handlers_deinit(FiloEvents *events);

// ---- emit.c ----

// A recorder of our own, which is not counted as open.
FiloEventRecorder events_recorder_inside(FiloEvents *events, FiloEventKey key);
// Hands its records in.
void events_recorder_hand_in(FiloEventRecorder *recorder);

// ---- store.c ----

// A record with room for the payload of `event` behind it, that lives until it is freed. Under the lock. NULL
// without memory.
EventRecord *events_store_take(FiloEvents *events, const EventsSlot *event);
void events_store_give(FiloEvents *events, EventRecord *record);
void events_store_deinit(FiloEvents *events);

int events_key_compare(const FiloEventKey *a, const FiloEventKey *b);

// The heap of delayed records. Under the lock. Promising makes room for one more that will be pushed.
bool events_delayed_promise(FiloEvents *events);
void events_delayed_push(FiloEvents *events, EventRecord *record);
// The first one that is due at `tick` or before; NULL if there is none.
EventRecord *events_delayed_pop(FiloEvents *events, uint64_t tick);
// Sorts the heap, by due tick and key. It stays a heap.
void events_delayed_sort(FiloEvents *events);

// ---- deliver.c ----

// Takes what was handed in, and sorts all chunks. Under the lock.
void events_gather(FiloEvents *events);
// Delivers one record. `tick` is the one being delivered.
void events_deliver_record(FiloEvents *events, EventRecord *record, uint64_t tick);
// Marks the beginning and end of a delivery; false with a fault if there is one already.
bool events_delivery_begin(FiloEvents *events);
void events_delivery_end(FiloEvents *events);
// Tells those who want to know that a delivery has ended.
void events_tell_delivered(FiloEvents *events);

#endif
