// filo/objects.h: pure objects: game objects whose next state is a function of the past.
//
//     typedef struct Ball { FiloVec2 position, velocity; } Ball;
//     FILO_REFLECT(Ball, FILO_FIELD(FiloVec2, position), FILO_FIELD(FiloVec2, velocity))
//     typedef struct Kick { FiloVec2 push; } Kick;
//     FILO_REFLECT(Kick, FILO_FIELD(FiloVec2, push))
//
//     static void step_ball(FiloIter *it) {               // for some balls at a time, on any worker
//         const Ball *past = filo_read(it, Ball);         // the state at the end of the last tick
//         Ball *next = filo_write_next(it, Ball);         // every row must be written
//         FiloTransform2 *shown = filo_write(it, FiloTransform2);
//         for (size_t i = 0; i < it->count; i++) {
//             next[i] = past[i];
//             size_t kicks;
//             const Kick *kick = filo_object_events(it, i, Kick, &kicks);      // that were sent to it
//             while (kicks-- > 0) next[i].velocity = filo_vec2_add(next[i].velocity, kick[kicks].push);
//             next[i].position = filo_vec2_add(past[i].position, filo_vec2_scale(next[i].velocity, it->delta));
//             shown[i].position = next[i].position;
//             if (next[i].position.y < -100) filo_object_kill(it, i);
//         }
//     }
//
//     filo_object_kind(world, &(FiloObjectDesc){
//         .name = "ball", .state = FILO_STATE_OF(Ball), .step = step_ball,
//         .shows = { FILO_WRITE(FiloTransform2) }, .events = { FILO_TAKES(Kick, 4) } });
//     FiloEntity ball = filo_create(world, FILO_SET(Ball, .position = { 0, 10 }), FILO_ADD(FiloTransform2));
//     filo_object_send(world, ball, Kick, { 5, 0 });      // it sees it in the next tick
//
// An object is an entity with a state: a component of a kind of objects. In each tick, the next state of every object is
// computed from the past: its own state and that of all others, as they were at the end of the last tick; the events that
// were sent to it; global components such as FiloInput; and the length of the tick. No object sees the next state of
// another, so all of them are updated at once, on all workers, and the result does not depend on their order, nor on that
// in which kinds were added.
//
// What an object does besides: it writes components that show it (a transform, a sprite); it ends (filo_object_kill);
// it creates others (filo_create(it->changes, …)); it sends events to others (filo_object_send), which they see in the
// next tick; it runs functions that block and gets their result as an event (filo_object_run); it acts on the window
// (filo_object_window).
//
// The state is a double-buffered component (filo/query.h): the past and the next states are two columns that change places
// at the end of the stage, without copying. Debug builds stop at an object that writes the past, or that does not write its
// next state.
//
// The step is a function of rows like that of a system, and as fast: an object from an initial state and a step function.
// Or it is a network of signal functions (filo/signal.h): FiloObjectDesc.network.

#ifndef FILO_OBJECTS_H
#define FILO_OBJECTS_H

#include <filo/async.h>
#include <filo/ecs.h>
#include <filo/signal.h>

FILO_BEGIN_DECLS

// ---- Kinds ------------------------------------------------------------------------------------------------------

#define FILO_OBJECT_TERMS   12 // of each list in FiloObjectDesc
#define FILO_OBJECT_EVENTS  8
#define FILO_OBJECT_OUTPUTS FILO_SF_LEAVES

// A kind of events that objects take.
typedef struct FiloObjectEvent {
    FiloTypeFunction type;
    uint32_t capacity; // events that one object may get in a tick; further ones are dropped, and reported
} FiloObjectEvent;
#define FILO_TAKES(Type, capacity_)                                                                          \
    { filo_type_##Type, (capacity_) }

// What an output of a network is for.
typedef enum FiloObjectOutputKind {
    FILO_OUTPUT_NONE,  // the end of the list
    FILO_OUTPUT_STATE, // the next state: of the type of the state
    FILO_OUTPUT_SHOW,  // a component that shows the object: of the type `component`
    FILO_OUTPUT_KILL,  // an event, with any value: the object ends
    // An event: `call` is called with its value where it occurs, to create, send or run something. It does not wait for jobs.
    FILO_OUTPUT_CALL,
} FiloObjectOutputKind;

typedef struct FiloObjectOutput {
    FiloObjectOutputKind kind;
    FiloTypeFunction component;
    void (*call)(FiloIter *it, size_t row, const void *value); // value NULL: the event has none
} FiloObjectOutput;
#define FILO_OUT_STATE                                                                                       \
    { .kind = FILO_OUTPUT_STATE }
#define FILO_OUT_SHOW(Type)                                                                                  \
    { .kind = FILO_OUTPUT_SHOW, .component = filo_type_##Type }
#define FILO_OUT_KILL                                                                                        \
    { .kind = FILO_OUTPUT_KILL }
#define FILO_OUT_CALL(function)                                                                              \
    { .kind = FILO_OUTPUT_CALL, .call = (function) }

// What a network sees of others: an input that a function computes in each tick, before the network runs.
#define FILO_OBJECT_SENSES 4
typedef struct FiloObjectSense {
    const char *name; // of the input of the network; must outlive the world
    FiloTypeFunction type;
    // Fills `values`, an array of `count` values that are zero, for the rows from `first` on: values[0] is for row `first`. It reads the
    // rows (filo_read), and others through .views and .extra_access, like a step; it writes nothing else, and must not wait for
    // jobs.
    void (*look)(FiloIter *it, size_t first, size_t count, void *values);
} FiloObjectSense;
#define FILO_SENSE(name_, Type, look_)                                                                       \
    { (name_), filo_type_##Type, (look_) }

typedef struct FiloObjectDesc {
    const char *name; // unique in the world; copied. That of its system is "objects.<name>"
    // The component that is the state. It is registered by this call, as a double-buffered component, unless it is
    // registered as one already. All its fields must be described: a state has no pointers.
    FiloTypeFunction state;
    const void
        *initial; // the state of an object that is created without one (FILO_ADD); copied; NULL: zeroes
    // How the next state follows from the past: exactly one of these two.
    void (*step)(FiloIter *it);
    const FiloNetwork *network; // must outlive the world

    // Components of the object, and global ones, that it reads: FILO_READ(FiloInput), FILO_OPTIONAL_READ(Shield). Terms
    // without access select objects: FILO_WITHOUT(Frozen). In tables, or global.
    FiloTerm reads[FILO_OBJECT_TERMS];
    // Components of the object that it writes, to be shown or for other systems: FILO_WRITE(FiloTransform2). Several kinds may
    // show the same component, of different objects. Objects cannot look at what others show: they look at states.
    FiloTerm shows[FILO_OBJECT_TERMS];
    // Queries over other objects, which read their past states: filo_iter_over(it, filo_iter_extra_query(it, 0)). The states
    // must be registered: see filo_object_kinds_add.
    FiloQueryDesc views[FILO_SYSTEM_QUERIES];
    // More that it reads of other entities or globally, for filo_get and spatial indices: FILO_SPATIAL_READ(index).
    FiloTerm extra_access[FILO_OBJECT_TERMS];
    FiloObjectEvent events[FILO_OBJECT_EVENTS];
    // With a network: what it sees of others, as inputs.
    FiloObjectSense senses[FILO_OBJECT_SENSES];
    // With a network, what its outputs are, element by element of the tuple that is its output (or the only one).
    //
    // Inputs of the network are found by their names: "state" is the past state; the name of a type in `events` is the list
    // of these events (an input with a capacity); the name of one of `senses` is what it sees; any other is a component
    // among `reads`. Each must have that type. An
    // input that is an event (.event) of a type in `events` is the first of these events. An optional component that an
    // object lacks is all zeroes. Without FILO_OUT_STATE the state stays as it is.
    FiloObjectOutput outputs[FILO_OBJECT_OUTPUTS];

    // Kinds of one phase are updated at once. In a later phase, objects see the new states of earlier ones.
    int phase;       // 0: FILO_PHASE_UPDATE
    bool sequential; // row by row, on one thread. The result is the same
    void *user;      // it->user
} FiloObjectDesc;
#define FILO_STATE_OF(Type) filo_type_##Type

// A kind of objects of a world; {0} is none.
typedef struct FiloObjectKind {
    uint32_t id;
} FiloObjectKind;

// Adds a kind of objects. Between ticks. Every entity that has its state is an object of the kind; it gets the inboxes of
// the events together with the state. The error says what does not
// fit: a state with fields that are not described, an output of another type, a capacity that differs from that of the
// same event elsewhere.
//
// With a network, an entity also gets a component "<name>.signals", the state of the network, together with the state. It is
// a part of snapshots and saved files. If a file has another network (filo_network_id), these objects start again
// from the instant 0 of the network, with the state that was saved, and this is logged.
FiloResult filo_object_kind_add(FiloObjectKind *kind, FiloWorld *world, const FiloObjectDesc *desc);
// Registers the state of a kind, with what objects of it need, before the kind is added: so that a spatial index over the state can be
// created, which the kind then names in .extra_access. Pass the same description later to filo_object_kind_add. Between ticks.
FiloResult filo_object_prepare(FiloWorld *world, const FiloObjectDesc *desc);
// The same for several kinds at once, which may name the states of each other in `views` and `extra_access`. All or none.
// `kinds` may be NULL.
FiloResult filo_object_kinds_add(FiloObjectKind *kinds, FiloWorld *world, const FiloObjectDesc *descs,
                                 size_t count);
// As filo_object_kind_add, reporting an error as a mistake. {0} then.
FiloObjectKind filo_object_kind(FiloWorld *world, const FiloObjectDesc *desc);
// Whether the rows of each kind of the world run one after the other, on one thread. The result is the same. Between ticks.
void filo_objects_set_sequential(FiloWorld *world, bool sequential);

// ---- In a step --------------------------------------------------------------------------------------------------------

// The events of a type that were sent to the object of a row since the last tick, in a defined order: by system, row and order of
// sending. (Those of handlers and observers come last, and those that were sent between ticks come after those of the tick
// before.) An inactive object has them when it is active again. const Kick *kick = filo_object_events(it, i, Kick, &count). NULL if there are none. The kind must take them.
#define filo_object_events(it, row, Type, count_)                                                            \
    ((const Type *)filo_object_events_of((it), (row), FILO_TYPE(Type), (count_)))
const void *filo_object_events_of(const FiloIter *it, size_t row, const FiloType *type, size_t *count);

// Sends an event to an object: filo_object_send(it, target, Kick, .push = { 1, 0 }). It sees it in the next tick. In a step or any
// other system, and in handlers and observers; or with a world instead of `it`, between ticks. An object that has ended gets
// nothing. Sending to an entity that does not take such events is a mistake, which a release build reports at the end
// of the tick. An entity that is created in the same phase has no id yet: it cannot be sent to, and events cannot name
// it. False without memory or after a mistake.
#define filo_object_send(object, to, Type, ...)                                                              \
    _Generic((object), FiloWorld *                                                                           \
             : filo_object_send_between, FiloIter *                                                          \
             : filo_object_send_in)(object, (to), FILO_TYPE(Type), &(Type){ __VA_ARGS__ })
bool filo_object_send_in(FiloIter *it, FiloEntity to, const FiloType *type, const void *value);
bool filo_object_send_between(FiloWorld *world, FiloEntity to, const FiloType *type, const void *value);

// Ends the object of a row: it is destroyed at the end of the phase.
void filo_object_kill(FiloIter *it, size_t row);

// ---- Work that blocks ---------------------------------------------------------------------------------------------------

#define FILO_OBJECT_DATA 64 // bytes that a function gets

// A function that runs on an async thread (filo/async.h), so it may block. `data` is a copy, aligned to 16 bytes. It writes
// the result, whose memory is zeroed; NULL if none is wanted. A function that takes long checks filo_async_cancelled. In a
// world without a scheduler (FiloWorldDesc.jobs) it runs at the end of the tick, on the thread that ticks.
typedef FiloResult (*FiloObjectFunction)(FiloAsyncCall *call, const void *data, void *result);

typedef struct FiloObjectRun {
    const char *name; // for messages and profiles; must outlive the world; NULL: "run"
    FiloObjectFunction function;
    const void *data; // copied; at most FILO_OBJECT_DATA bytes
    size_t data_size;
    FiloTypeFunction result; // NULL: it is run and forgotten. Otherwise an event that the object takes
    // The step of the object sees the result in the tick that is this many after the current one. If the function has not
    // ended, that tick waits for it before it begins: so the result does not depend on how long the function takes. 0: in the
    // tick after it has ended, whenever that is; --record writes it, so that a replay agrees.
    uint32_t ticks;
    // Seconds that a tick waits at most; 0: 10. Then the function is cancelled, nothing is sent, and it is logged.
    double timeout;
} FiloObjectRun;

// Runs a function for the object of a row. It begins at the end of the tick; functions begin in the order of system, row and
// call. If it fails, its error is logged, and nothing is sent. A result for an object that has ended is dropped. In a
// replay functions with a result and without `ticks` do not run: the recording has their results. False without memory or
// after a mistake.
//
//     static FiloResult load_scores(FiloAsyncCall *call, const void *data, void *result) {
//         const Level *level = data;
//         Scores *scores = result;
//         …                                                                  // reads a file, asks a server
//         return filo_ok();
//     }
//
//     filo_object_run(it, i, &(FiloObjectRun){                               // in a step
//         .name = "load scores", .function = load_scores, .data = &level, .data_size = sizeof level,
//         .result = FILO_RESULT_OF(Scores), .ticks = 30 });
//
// Snapshots and histories have the functions that are on their way and have a result: restoring one starts these again, and
// cancels all others that have a result. Saved files do not have them. Functions without a result are not affected.
//
// When the world is destroyed, functions with a result are cancelled, and all are waited for.
#define FILO_RESULT_OF(Type) filo_type_##Type
bool filo_object_run(FiloIter *it, size_t row, const FiloObjectRun *run);

// ---- The window ------------------------------------------------------------------------------------------------------------

typedef enum FiloWindowActionKind {
    FILO_WINDOW_TITLE,       // sets it to `text`
    FILO_WINDOW_FULL_SCREEN, // by `on`
    FILO_WINDOW_CAPTURE,     // captures the mouse, by `on`
    FILO_WINDOW_QUIT,        // ends the game
} FiloWindowActionKind;

// The payload of FILO_EVENT_WINDOW, which an app handles on the main thread.
typedef struct FiloWindowAction {
    FiloWindowActionKind kind;
    bool on;
    char text[64];
} FiloWindowAction;
FILO_REFLECT_DECLARE(FiloWindowActionKind);
FILO_REFLECT_DECLARE(FiloWindowAction);
#define FILO_EVENT_WINDOW "window action"

// Acts on the window after this tick. Without a window only FILO_WINDOW_QUIT does something. In a system of a world with events.
void filo_object_window(FiloIter *it, const FiloWindowAction *action);

// ---- Identity -----------------------------------------------------------------------------------------------------------------
//
// The key of an object is its entity, which is never reused. Objects are inserted by filo_create, deleted by filo_destroy, looked up by
// filo_get, and iterated over by queries. These functions are for a whole kind, by the type of its state. Between ticks. The order
// is that of a query.

size_t filo_objects_count_of(FiloWorld *world, const FiloType *state);
#define filo_objects_count(world, Type) filo_objects_count_of((world), FILO_TYPE(Type))
// Calls `each` for all objects; it may change the state.
typedef void (*FiloObjectEach)(FiloEntity object, void *state, void *user);
void filo_objects_map_of(FiloWorld *world, const FiloType *state, FiloObjectEach each, void *user);
#define filo_objects_map(world, Type, each, user)                                                            \
    filo_objects_map_of((world), FILO_TYPE(Type), (each), (user))
// Combines all objects into *result: fold(result, object, state, user) for each.
typedef void (*FiloObjectFold)(void *result, FiloEntity object, const void *state, void *user);
void filo_objects_fold_of(FiloWorld *world, const FiloType *state, void *result, FiloObjectFold fold,
                          void *user);
#define filo_objects_fold(world, Type, result, fold, user)                                                   \
    filo_objects_fold_of((world), FILO_TYPE(Type), (result), (fold), (user))
// Fills `objects` with up to `capacity` of those for which `accept` is true, and returns how many there are.
typedef bool (*FiloObjectAccept)(FiloEntity object, const void *state, void *user);
size_t filo_objects_filter_of(FiloWorld *world, const FiloType *state, FiloObjectAccept accept, void *user,
                              FiloEntity *objects, size_t capacity);
#define filo_objects_filter(world, Type, accept, user, objects, capacity)                                    \
    filo_objects_filter_of((world), FILO_TYPE(Type), (accept), (user), (objects), (capacity))

// ---- Looking at one object ---------------------------------------------------------------------------------------------------------

// Calls `visit` with the current value of each signal of the network of an object: filo_network_inspect, on a copy of its state, with
// its present inputs, and without time passing. For debugging. Between ticks. FILO_ERROR_NOT_FOUND if it has no network.
FiloResult filo_object_inspect(FiloWorld *world, FiloEntity object, FiloSfVisit visit, void *user);
// The branches that it is in, "hunting.leap": filo_network_branch_path. Between ticks.
size_t filo_object_branch(const FiloWorld *world, FiloEntity object, char *text, size_t size);

// ---- Further readers -------------------------------------------------------------------------------------------------------------
//
// A reader gets the states of all objects of a kind as they were at the end of a tick, on another thread, while the game goes on: a
// planner that thinks for several ticks, statistics, a network sender. It works on a copy, so no later tick disturbs
// it. Its answers are events to objects, which arrive at a fixed later tick: so a replay agrees.

typedef struct FiloReading {
    uint64_t tick;             // at whose end they were so, counted from 0 (FiloIter.tick)
    size_t count;              // objects
    const void *states;        // an array of their states, in the order of a query
    const FiloEntity *objects; // and which they are
    FiloAsyncCall *call;       // for filo_async_cancelled
    void *user;
    void *private_;
} FiloReading;

typedef struct FiloReaderDesc {
    const char *name;                         // unique in the world; copied
    FiloTypeFunction state;                   // of the kind whose objects are read
    void (*read)(const FiloReading *reading); // on an async thread; one at a time
    uint32_t every; // begins after every n-th tick, unless the last one has not been answered; 0: 1
    // Steps see the answers in the tick that is this many after the one that was read. That tick waits for the reader. At
    // least 1.
    uint32_t ticks;
    // Seconds that a tick waits at most; 0: 10. Then the reading is cancelled, its answers are dropped, and it is logged.
    double timeout;
    uint32_t answers; // that a reading may give at most; 0: 256
    void *user;
} FiloReaderDesc;
// Adds a reader. Between ticks, after the kind. It is removed with the world. After a snapshot was restored, readings that
// were on their way begin anew, from the states that they had read.
FiloResult filo_objects_reader_add(FiloWorld *world, const FiloReaderDesc *desc);
// Answers, inside `read`: sends an event to an object. Answers arrive in their order; those of several readers in the order
// in which the readers were added. Objects that have ended get none. False if there are too many answers, or no memory.
bool filo_reading_answer(const FiloReading *reading, FiloEntity to, const FiloType *type, const void *value);

// ---- Results from outside -----------------------------------------------------------------------------------------------------------
//
// For programs that run the ticks themselves, as filo/app.h does. Results of functions without `ticks` come at any time, so
// they must be recorded. `result` is called between ticks, in filo_objects_poll, for each of them, and passes it on; when
// it is time, filo_objects_result brings it into the world, so that the next tick sees it. Without such a function,
// results enter the world at the next tick, or in filo_objects_poll.

typedef void (*FiloObjectResultFunction)(FiloEntity object, const FiloType *type, const void *value,
                                         void *user);
// NULL: they enter the world. `replaying`: functions without `ticks` are not run.
void filo_objects_set_results(FiloWorld *world, FiloObjectResultFunction result, void *user, bool replaying);
void filo_objects_poll(FiloWorld *world);
// Between ticks. An object that has ended, or that does not take such events, gets nothing.
void filo_objects_result(FiloWorld *world, FiloEntity object, const FiloType *type, const void *value);
// The type of events with this name that a kind of objects takes; NULL if there is none. For the results of a recording.
const FiloType *filo_objects_event_named(const FiloWorld *world, const char *name);

FILO_END_DECLS

#endif
