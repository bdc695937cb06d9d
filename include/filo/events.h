// filo/events.h: named events, by which parts of a program communicate without depending on each other.
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
//     filo_events_deliver(events);          // once a tick: creak is called here
//
// An event is identified by its name alone. Any part of the program may declare, emit and subscribe to any event. The
// payload is a described struct (filo/reflect.h), or there is none. All uses of a name must agree on the payload type.
//
// Events are delivered one after the other, in an order that does not depend on threads or timing: all handlers of an
// event have returned before the handlers of the next are called. Every emission has a key that identifies its emitter
// (FiloEventKey). The order of events is the order of their keys:
//
//   outside of jobs   The main thread emits with filo_events_emit…. The events have the order of the calls.
//   inside a job      The job fills a FiloEventRecorder, without a lock, and hands it in. The recorder has the number
//                     of its source (a system, for example) and the start of the range that the job processes.
//   inside a handler  The handler uses event->recorder.
//
// A steady tick allocates nothing: payloads are copied into memory that is double-buffered between delivery points.

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
    const char *name; // of the payload memory, in filo_memory_list; NULL: "events"
    FiloJobs *jobs;   // runs the handlers; must outlive the events
    // For handlers, events and delayed payloads. Used from any thread. NULL: filo_heap().
    const FiloAllocator *allocator;
    // The most that can be emitted between two delivery points, in bytes of address space. 0: 64 MiB.
    size_t reserve;
} FiloEventsDesc;

// Several may exist. They are independent of each other.
FiloResult filo_events_create(FiloEvents **events, const FiloEventsDesc *desc);
// Pending events are dropped, and their `done` is not called. Outside of handlers. NULL is allowed.
void filo_events_destroy(FiloEvents *events);

// ---- Events -------------------------------------------------------------------------------------------

#define FILO_EVENT_ALIGN 64 // the largest alignment of a payload type

// Declares the payload type of an event; NULL: no payload. The first emission or subscription declares it too. This
// call is needed only to declare it earlier, to get a result instead of a fault, or for an event that may have no
// handler: a debug build logs a warning, once per name and with the most similar name, when an event is delivered
// that was not declared by this call and never had a handler.
//
// Declaring the same type again is allowed. Two descriptions with the same names and layout are the same type. Another
// type is FILO_ERROR_KIND. Any thread. The description must outlive the events, or be declared again before it becomes
// invalid (a module that is reloaded): the latest one is used.
FiloResult filo_events_declare(FiloEvents *events, FiloName event, const FiloType *type);

// The declared payload type. False if the event was not declared. Any thread.
bool filo_events_declared(const FiloEvents *events, FiloName event, const FiloType **type);

// ---- Handlers -----------------------------------------------------------------------------------------

// What emitted an event.
typedef enum FiloEventOrigin {
    FILO_EVENT_FROM_HANDLER,  // source: number of the handled event in its point; range: index of the handler
    FILO_EVENT_FROM_OUTSIDE,  // filo_events_emit…; source and range are 0
    FILO_EVENT_FROM_RECORDER, // source and range of filo_event_recorder_begin
} FiloEventOrigin;

// Events are ordered by their keys. Keys are compared field by field from the first. No two are equal.
typedef struct FiloEventKey {
    uint64_t point;         // number of delivery points before the emission
    FiloEventOrigin origin; // what emitted it
    uint32_t source;        // the emitter: the number of a system
    uint64_t range;         // first row or item of the range that the emitter processed
    uint32_t sequence;      // number of the event in its recorder
} FiloEventKey;

// What a handler gets. All of it is valid until the handler returns.
typedef struct FiloEvent {
    FiloEvents *events;
    FiloName name;
    const FiloType *type; // NULL: no payload
    const void *payload;  // of that type
    uint64_t tick;        // the tick that is being delivered, counted from 0
    FiloEventKey key;
    FiloEventRecorder *recorder; // for events that the handler emits: filo_event_record
} FiloEvent;

typedef void (*FiloEventFunction)(const FiloEvent *event, void *user);

// Which thread runs a handler. Handlers of one event run in parallel as far as their modes allow.
typedef enum FiloHandlerMode {
    FILO_HANDLER_SERIAL,   // one after the other in their order, on any thread
    FILO_HANDLER_PARALLEL, // as a separate job, in parallel with all others
    FILO_HANDLER_MAIN,     // on the main thread, one after the other in their order
} FiloHandlerMode;

typedef struct FiloHandlerDesc {
    FiloName event;
    const FiloType *type; // the expected payload type; NULL: any
    FiloEventFunction function;
    void *user;
    FiloHandlerMode mode;
    int order;         // lower ones come first; equal ones have the order of subscription
    const void *owner; // optional, for filo_events_unsubscribe_owner
} FiloHandlerDesc;

typedef struct FiloSubscription {
    uint32_t index, generation; // {0} is none
} FiloSubscription;

// Adds a handler. It is called from the next delivered event on, not for one that is being delivered. {0} without
// memory, or if the event has another payload type than the handler expects. Any thread, also inside a handler. (If
// handlers subscribe in parallel on several threads, the order of subscription depends on timing: set `order`.)
FiloSubscription filo_events_subscribe(FiloEvents *events, const FiloHandlerDesc *desc);

// Removes a handler. It is not called any more, not even for the event that is being delivered. If the handler is
// running, what `user` points to must stay valid until the delivery point has ended. Any thread, also inside any
// handler. {0} does nothing.
void filo_events_unsubscribe(FiloEvents *events, FiloSubscription subscription);
// Removes all handlers with this owner and returns how many there were.
size_t filo_events_unsubscribe_owner(FiloEvents *events, const void *owner);

// False for {0} and after unsubscribing. Any thread.
bool filo_events_subscribed(FiloEvents *events, FiloSubscription subscription);
// The number of handlers of an event. Any thread.
size_t filo_events_handlers(FiloEvents *events, FiloName event);

// ---- Emitting -----------------------------------------------------------------------------------------

// An emission with all its options.
typedef struct FiloEmission {
    FiloName event;
    const FiloType *type; // NULL: no payload
    const void *payload;  // copied: may be on the stack
    bool at_once;         // see filo_events_emit_now
    uint64_t delay;       // in ticks, see filo_events_emit_later
    // Tells what happened outside of the world, as that a file was read, at a time that depends on the machine. While it
    // waits it is not part of the state: neither hashed, nor in snapshots and saved games, and restoring one keeps it.
    // From outside of jobs and handlers, and without a delay.
    bool transient;
    // Called exactly once when all handlers have returned, also if there were none. The thread that delivers calls it
    // with the event, before the next event is delivered.
    FiloEventFunction done;
    void *done_user;
    // A job that is initialised and not yet run. It is run at the same moment, on the workers.
    FiloJob *done_job;
} FiloEmission;

// The functions filo_events_emit… are for the main thread outside of jobs and handlers. Their events have the order of
// the calls. Threads that do not belong to the scheduler may use all of them except …_now; the order of their events
// depends on timing, so a game that is to be replayed must record them as input. Jobs and handlers use a recorder.
//
// They return false without memory or after a caller's mistake. Nothing was emitted then.

// Delivered at the next delivery point.
bool filo_events_emit(FiloEvents *events, FiloName event, const FiloType *type, const void *payload);
// Delivered `delay` ticks later than that.
bool filo_events_emit_later(FiloEvents *events, FiloName event, const FiloType *type, const void *payload,
                            uint64_t delay);
// Calls the handlers before it returns. Only on the main thread, outside of jobs and handlers. Events that the handlers
// record are delivered at the next delivery point.
bool filo_events_emit_now(FiloEvents *events, FiloName event, const FiloType *type, const void *payload);
bool filo_events_emit_with(FiloEvents *events, const FiloEmission *emission);

// Calls the handlers on the calling thread before it returns, one after the other, whatever their mode. For events
// about a thread, such as its start. These handlers cannot emit, because the number of threads depends on the machine;
// and they must not wait for jobs. Any thread, also inside a job, not inside a handler. False if the event has another
// payload type.
bool filo_events_emit_here(FiloEvents *events, FiloName event, const FiloType *type, const void *payload);
// Calls the functions of filo_events_add_delivered. To be called when filo_events_emit_here has returned on all threads
// concerned. Main thread, outside of jobs and handlers.
void filo_events_end_here(FiloEvents *events);

// True while the calling thread runs a handler. Any thread.
bool filo_events_inside_handler(void);

// ---- Recorders ----------------------------------------------------------------------------------------

// The events that one job emits, in order. In memory of the caller, used by one thread at a time.
//
//     FiloEventRecorder recorder;
//     filo_event_recorder_begin(&recorder, events, system_number, first_row);
//     …
//     filo_event_record(&recorder, hit, FILO_TYPE(Hit), &(Hit){ row });
//     …
//     filo_event_recorder_end(&recorder);
//
// Split ranges by items, never by threads. Then the order of events does not depend on which thread ran which range. A
// pair of source and range is used once between two delivery points. Using it twice is a caller's mistake, reported at
// delivery. A recorder is begun, filled and submitted between two delivery points.
struct FiloEventRecorder {
    FiloEvents *events;
    FiloEventKey key;   // of the next event
    void *first, *last; // private
    bool held;          // private: what it records waits for filo_events_deliver
};

void filo_event_recorder_begin(FiloEventRecorder *recorder, FiloEvents *events, uint32_t source,
                               uint64_t range);
// Hands the events in, in one atomic step and without a lock. The recorder can then be begun again.
void filo_event_recorder_end(FiloEventRecorder *recorder);

// Like filo_events_emit. Takes no lock, except for the first use of an event. False without memory or after a caller's
// mistake.
bool filo_event_record(FiloEventRecorder *recorder, FiloName event, const FiloType *type,
                       const void *payload);
// Like filo_events_emit_with, but `at_once` is not allowed. An event with a delay takes a lock for a short time.
bool filo_event_record_with(FiloEventRecorder *recorder, const FiloEmission *emission);

// ---- Delivery -----------------------------------------------------------------------------------------

// The delivery point of a tick. Delivers all pending events in the order of their keys; events whose delay ends with
// this tick come first. Events that handlers record meanwhile wait for the next point, so delivery always ends. Then
// the tick is over.
//
// Called by a worker of the scheduler, outside of handlers, by one thread at a time, when every recorder has been
// submitted. If the caller is not the main thread, main-thread handlers run when the main thread waits for jobs or
// calls filo_jobs_run_pinned, and this function waits for them.
void filo_events_deliver(FiloEvents *events);

// A delivery point inside a tick, as at the end of a phase. Like filo_events_deliver, but events with a delay stay
// pending, those that handlers record meanwhile wait for filo_events_deliver, and the tick continues.
void filo_events_deliver_within_tick(FiloEvents *events);

// Called when a delivery point or an immediate emission has ended, by the thread that delivered, in the order in which
// the functions were added. For code that collects requests of handlers and applies them when all handlers have
// returned. No event is being delivered then. Events that handlers recorded are pending and may be read (see below).
typedef void (*FiloDeliveredFunction)(FiloEvents *events, void *user);
// Adding the same pair of function and user again changes nothing. Outside of such functions, by one thread at a time.
// False without memory.
bool filo_events_add_delivered(FiloEvents *events, FiloDeliveredFunction function, void *user);
// Does nothing if the pair was not added.
void filo_events_remove_delivered(FiloEvents *events, FiloDeliveredFunction function, void *user);

// The number of ticks that were delivered.
uint64_t filo_events_tick(const FiloEvents *events);

// ---- Pending events -----------------------------------------------------------------------------------

// For saving, restoring and hashing. All of these are called between delivery points, when every recorder has been
// submitted, by one thread while no other thread uses the events.

// A pending event. Save `name` as text and `payload` by its description. `done` cannot be saved.
typedef struct FiloPendingEvent {
    FiloName name;
    const FiloType *type;
    void *payload; // may be changed in place (references to entities, for example)
    uint64_t due;  // the tick that delivers it; 0: the next delivery point of any kind
    FiloEventKey key;
    bool has_done; // it was emitted with `done` or `done_job`
} FiloPendingEvent;

typedef struct FiloPendingCursor {
    const void *chunk, *record;
    size_t index;
    bool started;
} FiloPendingCursor;

// Iterates over all pending events that are not transient: first those for the next point, then the others by due tick; within these in the
// order of their keys. Start with a cursor of zeroes. False at the end.
bool filo_events_next_pending(FiloEvents *events, FiloPendingCursor *cursor, FiloPendingEvent *pending);

// The counters of the keys. Restored together with the events, so that later events get the same keys.
typedef struct FiloEventsClock {
    uint64_t tick, point;
    uint32_t sequence;  // of emissions from outside, since the last point
    uint32_t delivered; // events since the last point
} FiloEventsClock;

FiloEventsClock filo_events_clock(const FiloEvents *events);

// Drops all pending events that are not transient and sets the clock, before filo_events_restore.
void filo_events_reset(FiloEvents *events, FiloEventsClock clock);
// Adds one event as filo_events_next_pending returned it. Any order is allowed. The payload is copied. False without
// memory, or if the event has another payload type.
bool filo_events_restore(FiloEvents *events, const FiloPendingEvent *pending);

FILO_END_DECLS

#endif
