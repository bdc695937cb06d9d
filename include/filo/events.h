// filo/events.h: named events: how parts of a program speak with each other without knowing each other.
//
//     typedef struct DoorOpened { uint32_t door; } DoorOpened;
//     FILO_REFLECT(DoorOpened, FILO_FIELD(uint32_t, door))
//
//     static void creak(const FiloEvent *event, void *user) {
//         const DoorOpened *opened = event->payload;
//         …
//     }
//
//     FiloEvents *events;
//     FiloResult r = filo_events_create(&events, &(FiloEventsDesc){ .jobs = jobs });
//     FiloName door_opened = filo_name("door opened");
//     filo_events_subscribe(events, &(FiloHandlerDesc){
//         .event = door_opened, .type = FILO_TYPE(DoorOpened), .function = creak });
//
//     filo_events_emit(events, door_opened, FILO_TYPE(DoorOpened), &(DoorOpened){ 7 });
//     filo_events_deliver(events);          // once a tick: here creak is called
//
// An event is known by its name alone. Anybody may create, emit and subscribe to any event; what it carries
// is a described struct (filo/reflect.h), or nothing, and all who use the name must agree on it.
//
// Events are delivered one after the other, in an order that does not depend on threads or on timing: all
// handlers of one have returned before those of the next are called. Every emission has a key that says who
// made it (FiloEventKey), and keys are what the order goes by:
//
//   outside of jobs   the main thread emits with filo_events_emit…: in the order of the calls.
//   inside a job      a FiloEventRecorder is filled without a lock and handed in. It has the number of its
//                     source (a system, for example) and the start of the range that the job works on.
//   inside a handler  the same: the recorder is there, in event->recorder.
//
// A steady tick allocates nothing: payloads are copied into memory that two delivery points share in turn.

#ifndef FILO_EVENTS_H
#define FILO_EVENTS_H

#include <filo/jobs.h>
#include <filo/memory.h>
#include <filo/reflect.h>
#include <filo/strings.h>
#include <filo/threads.h>
#include <filo/types.h>

FILO_BEGIN_DECLS

typedef struct FiloEvents FiloEvents;
typedef struct FiloEventRecorder FiloEventRecorder;

typedef struct FiloEventsDesc {
    const char *name;               // of its payload memory, in filo_memory_list; NULL: "events"
    FiloJobs *jobs;                 // runs the handlers; must outlive the events
    const FiloAllocator *allocator; // of handlers, events and delayed payloads, used from any thread; NULL:
                                    // filo_heap()
    size_t reserve; // the most that is emitted between two delivery points, in bytes; 0: 64 MiB of addresses
} FiloEventsDesc;

// Several may exist, and know nothing of each other.
FiloResult filo_events_create(FiloEvents **events, const FiloEventsDesc *desc);
// What is still waiting is dropped; its `done` is not called. Outside of handlers. NULL is allowed.
void filo_events_destroy(FiloEvents *events);

// ---- Events -------------------------------------------------------------------------------------------

#define FILO_EVENT_ALIGN 64 // a payload's type may be aligned to this

// Says what the event carries: `type`, or nothing (NULL). Emitting and subscribing do the same by the way, so
// this is for those who want to be the first, or want an answer instead of a fault, or emit what may have no handler:
// a debug build logs a warning about an event that is delivered, was not declared by this call and never had a handler,
// once for each name, with the one that was probably meant. Saying the same again is fine (two descriptions with the same names and layout are the same type); something else is
// FILO_ERROR_KIND. Any thread. The description must outlive the events, or be declared again before it goes
// (a module that is reloaded): the latest holds.
FiloResult filo_events_declare(FiloEvents *events, FiloName event, const FiloType *type);

// What was declared. False if nothing was, or the event is unknown. Any thread.
bool filo_events_declared(const FiloEvents *events, FiloName event, const FiloType **type);

// ---- Handlers -----------------------------------------------------------------------------------------

// Who emitted an event, and when.
typedef enum FiloEventOrigin {
    FILO_EVENT_FROM_HANDLER,  // source: how many events the point delivered before; range: which handler
    FILO_EVENT_FROM_OUTSIDE,  // filo_events_emit…; source and range are 0
    FILO_EVENT_FROM_RECORDER, // source and range as given
} FiloEventOrigin;

// Events wait in the order of their keys, compared field by field from the first. No two are equal.
typedef struct FiloEventKey {
    uint64_t point;         // delivery points so far when it was emitted
    FiloEventOrigin origin; // what kind of place it was emitted from
    uint32_t source;        // who emitted it: the number of a system
    uint64_t range;         // first row or item of the part that it worked on
    uint32_t sequence;      // counted by the recorder
} FiloEventKey;

// What a handler gets. All of it is good until the handler returns.
typedef struct FiloEvent {
    FiloEvents *events;
    FiloName name;
    const FiloType *type; // NULL: it carries nothing
    const void *payload;  // of that type
    uint64_t tick;        // the tick that is being delivered, counted from 0
    FiloEventKey key;
    FiloEventRecorder *recorder; // what the handler wants to emit goes here: filo_event_record
} FiloEvent;

typedef void (*FiloEventFunction)(const FiloEvent *event, void *user);

// Where a handler runs. Those of one event run at the same time where they may.
typedef enum FiloHandlerMode {
    FILO_HANDLER_SERIAL,   // one after the other in their order, on any thread
    FILO_HANDLER_PARALLEL, // as a job of its own, beside all others
    FILO_HANDLER_MAIN,     // on the main thread, one after the other in their order
} FiloHandlerMode;

typedef struct FiloHandlerDesc {
    FiloName event;
    const FiloType *type; // what the handler expects; NULL: it does not care
    FiloEventFunction function;
    void *user;
    FiloHandlerMode mode;
    int order;         // lower ones come first; among equals the order of subscription holds
    const void *owner; // optional, for filo_events_unsubscribe_owner
} FiloHandlerDesc;

typedef struct FiloSubscription {
    uint32_t index, generation; // {0} is none
} FiloSubscription;

// From now on the handler is called: first for the next event that is delivered, not for one that is being
// delivered. {0} without memory, or if the event carries something else than the handler expects. Any thread,
// also inside a handler. (Handlers that subscribe at the same time on several threads do so in an order that
// is a matter of timing: give them an `order`.)
FiloSubscription filo_events_subscribe(FiloEvents *events, const FiloHandlerDesc *desc);

// The handler is not called any more, not even for the event that is being delivered, unless it is running
// already: what `user` points to must then stay until the delivery point has ended. Any thread, also inside a
// handler, also its own. {0} does nothing.
void filo_events_unsubscribe(FiloEvents *events, FiloSubscription subscription);
// The same for all handlers with this owner; returns how many there were.
size_t filo_events_unsubscribe_owner(FiloEvents *events, const void *owner);

// False for {0} and for what was unsubscribed. Any thread.
bool filo_events_subscribed(FiloEvents *events, FiloSubscription subscription);
// How many handlers an event has. Any thread.
size_t filo_events_handlers(FiloEvents *events, FiloName event);

// ---- Emitting -----------------------------------------------------------------------------------------

// An emission with all its choices.
typedef struct FiloEmission {
    FiloName event;
    const FiloType *type; // NULL: carries nothing
    const void *payload;  // copied: may be on the stack
    bool at_once;         // see filo_events_emit_now
    uint64_t delay;       // in ticks, see filo_events_emit_later
    // When all handlers have returned, also if there were none, exactly once: `done` is called by the thread
    // that delivers, with the event, before the next event is delivered; and `done_job`, which is prepared
    // but not yet run, is given to the workers.
    FiloEventFunction done;
    void *done_user;
    FiloJob *done_job;
} FiloEmission;

// These are for the main thread outside of jobs and handlers, where events have the order of the calls.
// Threads that are not the scheduler's may use them too (all but …_now); when their events come is a matter
// of timing, so whoever wants to replay a game records them as input. Inside jobs and handlers a recorder is
// used.
//
// They return false without memory (nothing was emitted), or after a caller's mistake.

// Delivered at the next delivery point.
bool filo_events_emit(FiloEvents *events, FiloName event, const FiloType *type, const void *payload);
// Delivered `delay` ticks later than that.
bool filo_events_emit_later(FiloEvents *events, FiloName event, const FiloType *type, const void *payload,
                            uint64_t delay);
// Calls the handlers before it returns. Only on the main thread, outside of jobs and handlers. What they
// record waits for the next delivery point.
bool filo_events_emit_now(FiloEvents *events, FiloName event, const FiloType *type, const void *payload);
bool filo_events_emit_with(FiloEvents *events, const FiloEmission *emission);

// Calls the handlers on the calling thread before it returns, whatever their mode, one after the other: for what
// concerns a thread, such as that it has begun. They cannot emit, because which threads there are depends on the
// machine; and they must not wait for jobs. Any thread, also inside of a job, not inside of a handler. False if the
// event carries something else.
bool filo_events_emit_here(FiloEvents *events, FiloName event, const FiloType *type, const void *payload);
// When that has been done on all threads that it is meant for: calls the functions of
// filo_events_add_delivered. Main thread, outside of jobs and handlers.
void filo_events_end_here(FiloEvents *events);

// True while the calling thread runs a handler. Any thread.
bool filo_events_inside_handler(void);

// ---- Recorders ----------------------------------------------------------------------------------------

// What one job emits, in the order in which it does. In memory of yours, used by one thread at a time.
//
//     FiloEventRecorder recorder;
//     filo_event_recorder_begin(&recorder, events, system_number, first_row);
//     …
//     filo_event_record(&recorder, hit, FILO_TYPE(Hit), &(Hit){ row });
//     …
//     filo_event_recorder_end(&recorder);
//
// Cut ranges by items, never by threads, and the order of events does not show who ran what when. Source and
// range together are used once between two delivery points: using them twice is a caller's mistake, reported
// at delivery. A recorder is begun, filled and handed in between two delivery points.
struct FiloEventRecorder {
    FiloEvents *events;
    FiloEventKey key;   // of the next event
    void *first, *last; // private
};

void filo_event_recorder_begin(FiloEventRecorder *recorder, FiloEvents *events, uint32_t source,
                               uint64_t range);
// Hands the events in, in one step and without a lock. The recorder can then be begun again.
void filo_event_recorder_end(FiloEventRecorder *recorder);

// As filo_events_emit. Takes no lock, unless the event is new. False without memory, or after a mistake.
bool filo_event_record(FiloEventRecorder *recorder, FiloName event, const FiloType *type,
                       const void *payload);
// As filo_events_emit_with, but not at once. An event with a delay takes a lock for a moment.
bool filo_event_record_with(FiloEventRecorder *recorder, const FiloEmission *emission);

// ---- Delivery -----------------------------------------------------------------------------------------

// The delivery point of a tick: delivers all events that wait for it, those with a delay that ends now first,
// in the order of their keys. Events that handlers record meanwhile wait for the next point: there is one
// round, never an endless one. Then the tick is over.
//
// Called by a worker of the scheduler, outside of handlers, by one thread at a time, when every recorder has
// been handed in. If that is not the main thread, handlers for the main thread run there when it waits for
// jobs or calls filo_jobs_run_pinned, and this waits for them.
void filo_events_deliver(FiloEvents *events);

// A delivery point inside a tick, as at the end of a stage: the same, but events with a delay go on waiting,
// and the tick goes on.
void filo_events_deliver_within_tick(FiloEvents *events);

// For those who keep what handlers want until all of them are done: called when a delivery point, or an emission
// at once, has ended; by the thread that delivered, in the order in which they were added. Nothing is being
// delivered any more, and what handlers recorded waits: it may be looked at (below).
typedef void (*FiloDeliveredFunction)(FiloEvents *events, void *user);
// Function and user together are added once; a second time changes nothing. Outside of such functions, by one
// thread at a time. False without memory.
bool filo_events_add_delivered(FiloEvents *events, FiloDeliveredFunction function, void *user);
// Does nothing if they were not added.
void filo_events_remove_delivered(FiloEvents *events, FiloDeliveredFunction function, void *user);

// How many ticks were delivered.
uint64_t filo_events_tick(const FiloEvents *events);

// ---- What is waiting ----------------------------------------------------------------------------------

// For saving, restoring and hashing. All of these: between delivery points, when every recorder has been
// handed in, by one thread while nobody else uses the events.

// An event that waits. Save `name` as text and `payload` by its description; `done` cannot be saved.
typedef struct FiloPendingEvent {
    FiloName name;
    const FiloType *type;
    void *payload; // may be changed in place (references to entities, for example)
    uint64_t due;  // the tick that delivers it; 0: the next delivery point, whichever
    FiloEventKey key;
    bool has_done; // somebody waits for it by `done` or `done_job`
} FiloPendingEvent;

typedef struct FiloPendingCursor {
    const void *chunk, *record;
    size_t index;
    bool started;
} FiloPendingCursor;

// Goes over all events that wait, first those for the next point, then by due tick; within these in the order
// of their keys. Start with a cursor of zeroes; false at the end.
bool filo_events_next_pending(FiloEvents *events, FiloPendingCursor *cursor, FiloPendingEvent *pending);

// Where the counting stands. Restored together with the events, so that what comes next has the same keys as
// it would have had.
typedef struct FiloEventsClock {
    uint64_t tick, point;
    uint32_t sequence;  // of emissions from outside, since the last point
    uint32_t delivered; // events since the last point
} FiloEventsClock;

FiloEventsClock filo_events_clock(const FiloEvents *events);

// Drops all events that wait and sets the clock, ready for filo_events_restore.
void filo_events_reset(FiloEvents *events, FiloEventsClock clock);
// Puts one event back as filo_events_next_pending told it, in any order; the payload is copied. False without
// memory, or if the event carries something else.
bool filo_events_restore(FiloEvents *events, const FiloPendingEvent *pending);

FILO_END_DECLS

#endif
