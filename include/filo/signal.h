// filo/signal.h: signal functions: values that change over time, as networks that are plain data.
//
//     // A ball falls from a height and bounces: each bounce is a switch to a new flight.
//     typedef struct Bounce { float height, speed; } Bounce;
//     FILO_REFLECT(Bounce, FILO_FIELD(float, height), FILO_FIELD(float, speed))
//
//     FILO_SF_FUNCTION(start_height, float, Bounce, bounce) { return bounce.height; }
//     FILO_SF_FUNCTION(start_speed, float, Bounce, bounce) { return bounce.speed; }
//     FILO_SF_FUNCTION2(rebound, Bounce, float, height, float, speed) {
//         return (Bounce){ height, -0.8f * speed };
//     }
//
//     FiloSfBuilder *b = filo_sf_builder_create(&(FiloSfBuilderDesc){ .name = "ball" });
//     FiloSfBranch flight = filo_sf_branch(b, "flight", FILO_TYPE(Bounce));
//     FiloSf first = filo_sf_parameter(flight);
//     FiloSf gravity = filo_sf_constant(b, FILO_SF(float, -9.81f));
//     FiloSf speed = filo_sf_add(filo_sf_arr(first, &start_speed), filo_sf_integral(gravity));
//     FiloSf height = filo_sf_add(filo_sf_arr(first, &start_height), filo_sf_integral(speed));
//     FiloSf floor = filo_sf_edge(filo_sf_less(height, filo_sf_constant(b, FILO_SF(float, 0))));
//     FiloSf hit = filo_sf_tag(floor, filo_sf_arr2(height, speed, &rebound));
//     filo_sf_define(flight, filo_sf_switch(height, FILO_ON(hit, flight)));
//
//     FiloNetwork *ball;
//     FiloResult r = filo_network_create(&ball, filo_sf_start(flight, FILO_SF(Bounce, 10, 0)), NULL);
//     filo_sf_builder_destroy(b);
//
//     float heights[1000];                                     // a thousand balls
//     uint8_t *balls = calloc(1000, filo_network_state_size(ball));   // zeroes: not started yet
//     r = filo_network_step(ball, &(FiloSfRows){ .count = 1000, .states = balls, .delta = 1.0f / 60,
//                                                .outputs = { heights } });
//
// A signal is a value that changes over time: a position, a speed, whether a key is down. A signal function makes one
// signal from another: the integral of a speed is a position. A FiloSf is a signal function: it stands for "the
// signal that is computed from the input of the network in this way". Functions take FiloSfs and return a new one, so
// a network is written like a formula. Nothing is computed while it is written.
//
// An event is a signal that has a value only at some instants: a key press, a collision. The result of filo_sf_edge is
// one. It is a type of its own: a float and an event with a float do not fit each other, and neither do a float and a
// vector. What does not fit is an error of filo_network_create that names both.
//
// filo_network_create compiles a FiloSf to a network: a flat program, and a state of fixed size for each object that
// runs it. The state is plain data: it can be copied, moved, compared and saved, and all zeroes means that the object has
// not started. A step computes all rows (objects) node by node, which the compiler vectorises. It allocates nothing.
//
// Time. Each object has its own time, which starts at 0 with its first step. The first step is the instant 0, and its
// delta is ignored: integrals are 0, edges are silent. Each further step is an instant that is `delta` seconds later.
// A branch of a switch has its own time, which starts at the instant of the switch.
//
// The meaning of every function is that of Yampa, a library for Haskell (Courtney, Nilsson and Peterson, "The Yampa
// Arcade", 2003; Nilsson, Courtney and Peterson, "Functional reactive programming, continued", 2002). The comments give
// the names of Yampa where they differ. docs/signals.md explains signal functions from the beginning, and lists the
// differences from Yampa.
//
// Mistakes while a network is written (a FiloSf of another builder, a type that does not fit, a loop without a delay) are
// recorded, and filo_network_create reports the first. So the result of each call need not be checked.
//
// A builder is used by one thread at a time. A network does not change: any number of threads may step different rows
// of it at once.

#ifndef FILO_SIGNAL_H
#define FILO_SIGNAL_H

#include <filo/memory.h>
#include <filo/reflect.h>
#include <filo/signal_function.h>
#include <filo/types.h>

FILO_BEGIN_DECLS

// ---- Builders and signal functions --------------------------------------------------------------------------

typedef struct FiloSfBuilder FiloSfBuilder;
typedef struct FiloNetwork FiloNetwork;

// A signal function. {0} is none: it is what a function returns without memory, and may be passed on.
typedef struct FiloSf {
    FiloSfBuilder *builder;
    uint32_t node;
} FiloSf;

// A branch of switches. {0} is none.
typedef struct FiloSfBranch {
    FiloSfBuilder *builder;
    uint32_t branch;
} FiloSfBranch;

// A value for the description of a network: FILO_SF(float, 1.5f), FILO_SF(FiloVec2, 1, 2). It is copied. {0} is none.
typedef struct FiloSfValue {
    FiloTypeFunction type;
    const void *value;
} FiloSfValue;
#define FILO_SF(Type, ...) ((FiloSfValue){ filo_type_##Type, &(Type){ __VA_ARGS__ } })

#define FILO_SF_LEAVES 16 // values that the input or the output of a network may consist of

// One input of a network.
typedef struct FiloSfInput {
    const char *name;     // for messages, pictures and filo_sf_in_named; copied
    const FiloType *type; // of the value; NULL with `event`: an event without a value
    bool event;
    uint32_t capacity; // not 0: a list of up to this many values (FiloSfList); not with `event`
} FiloSfInput;
// FILO_SF_INPUT("speed", float), an event FILO_SF_EVENT("hit", Hit), and one without a value FILO_SF_PULSE("jump").
#define FILO_SF_INPUT(name_, Type)                                                                           \
    { .name = (name_), .type = FILO_TYPE(Type) }
#define FILO_SF_EVENT(name_, Type)                                                                           \
    { .name = (name_), .type = FILO_TYPE(Type), .event = true }
#define FILO_SF_PULSE(name_)                                                                                 \
    { .name = (name_), .event = true }

typedef struct FiloSfBuilderDesc {
    const char *name; // of the network; copied; NULL: "network"
    // Ends at the first one without a type and `event`. The input of the network is the only one of these, or a tuple of
    // them all; without any, it has no input.
    FiloSfInput inputs[FILO_SF_LEAVES];
    const FiloAllocator *allocator; // NULL: filo_heap()
} FiloSfBuilderDesc;

// NULL without memory. `desc` may be NULL.
FiloSfBuilder *filo_sf_builder_create(const FiloSfBuilderDesc *desc);
// Networks that were created from it stay. NULL is allowed.
void filo_sf_builder_destroy(FiloSfBuilder *builder);

// The input of the signal function that is being written: of the network; inside a branch, of the switch; inside an
// argument `f` below, of that argument. (Yampa: identity.)
FiloSf filo_sf_input(FiloSfBuilder *builder);
// The n-th element of a tuple that is the input: filo_sf_get(filo_sf_input(builder), n).
FiloSf filo_sf_in(FiloSfBuilder *builder, unsigned n);
// The input of the network with this name, also inside branches and arguments `f`, whose own input may be another.
FiloSf filo_sf_in_named(FiloSfBuilder *builder, const char *name);
FiloSf filo_sf_constant(FiloSfBuilder *builder, FiloSfValue value);
FiloSf filo_sf_float(FiloSfBuilder *builder, float value); // filo_sf_constant of a float
// Seconds since the object, or the branch that it is in, was started. (Yampa: time, localTime.)
FiloSf filo_sf_time(FiloSfBuilder *builder);

// A signal of the network inside a branch, a member of a collection or an argument `f`. What is used there without this is a new
// signal, which starts with the branch: an integral begins at 0, a hold at its initial value. filo_sf_outer(x) is x as it is
// outside, computed once from the input of the network.
FiloSf filo_sf_outer(FiloSf x);

// Gives a signal a name for messages, pictures and inspection. Returns it. The name is copied.
FiloSf filo_sf_named(FiloSf x, const char *name);

// ---- Functions of values --------------------------------------------------------------------------------------

// Functions of values are written with FILO_SF_FUNCTION (filo/signal_function.h):
//
//     FILO_SF_FUNCTION(squared, float, float, x) { return x * x; }              // name, result, then arguments

// Applies a function to the values of signals. If x is an event, to its value at each occurrence (Yampa: fmap): the
// other arguments are then signals, whose values at that instant are taken.
FiloSf filo_sf_arr(FiloSf x, const FiloSfFunction *function);
FiloSf filo_sf_arr2(FiloSf x, FiloSf y, const FiloSfFunction *function);
FiloSf filo_sf_arr3(FiloSf x, FiloSf y, FiloSf z, const FiloSfFunction *function);
FiloSf filo_sf_arr4(FiloSf x, FiloSf y, FiloSf z, FiloSf w, const FiloSfFunction *function);

// Arithmetic. Both operands have the same type: float, FiloVec2, FiloVec3 or FiloVec4, element by element. int32_t is
// allowed too, and wraps around. For mul and div, y may be a float that scales a vector.
FiloSf filo_sf_add(FiloSf x, FiloSf y);
FiloSf filo_sf_sub(FiloSf x, FiloSf y);
FiloSf filo_sf_mul(FiloSf x, FiloSf y);
FiloSf filo_sf_div(FiloSf x, FiloSf y); // of integers: by 0 gives 0
FiloSf filo_sf_min(FiloSf x, FiloSf y);
FiloSf filo_sf_max(FiloSf x, FiloSf y);
FiloSf filo_sf_negate(FiloSf x);
FiloSf filo_sf_abs(FiloSf x);
FiloSf filo_sf_scale(FiloSf x, float factor);
// Of a float.
FiloSf filo_sf_sin(FiloSf x);
FiloSf filo_sf_cos(FiloSf x);
FiloSf filo_sf_sqrt(FiloSf x);
// Of a vector: a float.
FiloSf filo_sf_length(FiloSf x);
FiloSf filo_sf_dot(FiloSf x, FiloSf y);
// Comparisons of floats or int32_t, and logic: bool.
FiloSf filo_sf_less(FiloSf x, FiloSf y);
FiloSf filo_sf_greater(FiloSf x, FiloSf y);
FiloSf filo_sf_equal(FiloSf x, FiloSf y); // of any type without events: as filo_reflect_equal
FiloSf filo_sf_and(FiloSf x, FiloSf y);
FiloSf filo_sf_or(FiloSf x, FiloSf y);
FiloSf filo_sf_not(FiloSf x);
// x where `condition` is true, y where it is false; of one type, also events and tuples.
FiloSf filo_sf_select(FiloSf condition, FiloSf x, FiloSf y);
// A field of a described struct: filo_sf_field(body, "position"). Also of the value of an event.
FiloSf filo_sf_field(FiloSf x, const char *field);

// ---- Composition ----------------------------------------------------------------------------------------------
//
// An argument `f` is a signal function that is applied to another signal than the input: inside it,
// filo_sf_input(builder) is that signal. Applying the same f to the same signal twice computes it once.

// f applied to x. (Yampa: x >>> f.)
FiloSf filo_sf_compose(FiloSf x, FiloSf f);
// Tuples. Elements may be of any types, events and tuples too. A tuple exists while the network is compiled only:
// it costs nothing. (Yampa: &&&, fan-out.)
FiloSf filo_sf_pair(FiloSf x, FiloSf y);
FiloSf filo_sf_tuple(FiloSfBuilder *builder, const FiloSf *elements, size_t count); // at most FILO_SF_LEAVES
FiloSf filo_sf_get(FiloSf tuple, unsigned n); // the n-th element, from 0
// Of a pair x: (f of the first, the second), (the first, f of the second), (f of the first, g of the second).
FiloSf filo_sf_first(FiloSf x, FiloSf f);
FiloSf filo_sf_second(FiloSf x, FiloSf f);
FiloSf filo_sf_parallel(FiloSf x, FiloSf f, FiloSf g); // Yampa: ***

// Loops. f takes a pair (x, feedback) and gives a pair (result, feedback). Each way around the loop must pass a function
// that is decoupled: its output does not depend on its input of the same instant. Decoupled are integral (but neither
// trapezoid_integral nor im_integral), i_pre, fby, delay, delay_event, d_hold, d_accum_hold, d_accum_hold_by and
// d_track_and_hold. The events of a switch with d_ decouple too: its output depends on them one sample later. And what the
// branches of a switch, or the members of a collection, do with their input decouples where it does so inside of each that
// may run. A loop through a switch or a collection costs a second computation of it.
// `type` is that of the feedback, a value that is not an event.
FiloSf filo_sf_loop(FiloSf x, const FiloType *type, FiloSf f);
// The same with i_pre, or integral, at the feedback: always valid.
FiloSf filo_sf_loop_pre(FiloSf x, FiloSfValue initial, FiloSf f);
FiloSf filo_sf_loop_integral(FiloSf x, const FiloType *type, FiloSf f);
// The same without pairs: a signal that is used before it is defined.
//
//     FiloSf speed = filo_sf_rec(b, FILO_TYPE(float));
//     FiloSf drag = filo_sf_scale(speed, -0.1f);
//     filo_sf_close(speed, filo_sf_integral(filo_sf_add(gravity, drag)));
//
// Branches of a switch that its definition depends on have the same signal: it is not started again there.
FiloSf filo_sf_rec(FiloSfBuilder *builder, const FiloType *type);
void filo_sf_close(FiloSf rec, FiloSf definition);

// A value that is one of two: the left one where `is_left` is true, the right one where it is false.
FiloSf filo_sf_either(FiloSf is_left, FiloSf left, FiloSf right);
FiloSf filo_sf_is_left(FiloSf either);
FiloSf filo_sf_left_value(FiloSf either, FiloSfValue otherwise);  // `otherwise` while it is right
FiloSf filo_sf_right_value(FiloSf either, FiloSfValue otherwise); // `otherwise` while it is left
// f applied to the left value, or to the right one. f stands still while the value is the other one.
FiloSf filo_sf_left(FiloSf either, FiloSf f);
FiloSf filo_sf_right(FiloSf either, FiloSf f);

// ---- Time -------------------------------------------------------------------------------------------------------

// Of float, FiloVec2, FiloVec3, FiloVec4. All are 0 at time 0, except where an initial value is given.
FiloSf filo_sf_integral(FiloSf x); // rectangle rule, with the value at the beginning of each step; decoupled
FiloSf filo_sf_trapezoid_integral(FiloSf x);               // with the mean of both ends
FiloSf filo_sf_im_integral(FiloSf x, FiloSfValue initial); // with the value at the end of each step
// The integral of x, plus the sum of the values of the event. (Yampa: impulseIntegral of (x, event).)
FiloSf filo_sf_impulse_integral(FiloSf x, FiloSf event);
FiloSf filo_sf_derivative(FiloSf x); // (now − before) / delta; 0 where delta is 0
// The value one sample ago; `initial` at time 0. (fby is the same under the name of Lucid.) x may be an event: then
// `initial` is {0}, for no event, or its value.
FiloSf filo_sf_i_pre(FiloSf x, FiloSfValue initial);
FiloSf filo_sf_fby(FiloSf x, FiloSfValue initial);
// The value one sample ago, which does not exist at time 0. Refused, except directly inside filo_sf_initially.
FiloSf filo_sf_pre(FiloSf x);
// The value `seconds` ago; `initial` until then. `capacity` samples are stored at most; with more, some in between
// are lost, and the step reports it. Not for events: see filo_sf_delay_event.
FiloSf filo_sf_delay(FiloSf x, float seconds, FiloSfValue initial, uint32_t capacity);

// At time 0 `value`, then x. The operators of Yampa are:
//   value --> f   filo_sf_initially(f(x), value)     the output at time 0
//   value >-- f   f(filo_sf_initially(x, value))     the input at time 0
//   g -=> f       filo_sf_initially_by(f(x), &g)     the output at time 0, by a function
//   g >=- f       f(filo_sf_initially_by(x, &g))     the input at time 0, by a function
// x may be an event: {0} is then no event.
FiloSf filo_sf_initially(FiloSf x, FiloSfValue value);
FiloSf filo_sf_initially_by(FiloSf x, const FiloSfFunction *function);

// State that a function of two values updates: result = function(result before, x), beginning with `initial`.
FiloSf filo_sf_sscan(FiloSf x, FiloSfValue initial, const FiloSfFunction *function);
// The same with time: result = function(x before, x now, delta, result before); `initial` at time 0. Arguments: the type
// of x, the type of x, float, the type of the result.
FiloSf filo_sf_iter_from(FiloSf x, FiloSfValue initial, const FiloSfFunction *function);

// While `paused` is true, f stands still and its last output is shown; `initial` if there was none.
FiloSf filo_sf_pause(FiloSf paused, FiloSf x, FiloSfValue initial, FiloSf f);

// ---- Events: sources ----------------------------------------------------------------------------------------------
//
// `value` {0} means an event without a value.

FiloSf filo_sf_never(FiloSfBuilder *builder, const FiloType *type);
FiloSf filo_sf_now(FiloSfBuilder *builder, FiloSfValue value); // at time 0, once
// Once, at the first instant at or after `seconds`.
FiloSf filo_sf_after(FiloSfBuilder *builder, float seconds, FiloSfValue value);
// Every `seconds` (above 0), but not more than once at an instant.
FiloSf filo_sf_repeatedly(FiloSfBuilder *builder, float seconds, FiloSfValue value);
// One after the other: seconds[i] after the one before, with the i-th of `values`, an array of `count`. If several
// are due at an instant, only the first occurs.
FiloSf filo_sf_after_each(FiloSfBuilder *builder, const float *seconds, const FiloType *type,
                          const void *values, size_t count);
// The same, but an event has the list of all values that are due: FiloSfList.
FiloSf filo_sf_after_each_cat(FiloSfBuilder *builder, const float *seconds, const FiloType *type,
                              const void *values, size_t count);
// At random, on average once in `seconds`, but not more than once at an instant. The numbers depend on the seed and the
// ids in FiloSfRows, on the node, and on the number of the sample of the object: a branch that is entered again has others.
FiloSf filo_sf_occasionally(FiloSfBuilder *builder, float seconds, FiloSfValue value);
// At each instant a random float in [low, high), by the same rules.
FiloSf filo_sf_noise(FiloSfBuilder *builder, float low, float high);

// When a bool becomes true. Not at time 0. (i_edge: `initial` is the value before time 0, so false allows an event at
// time 0.)
FiloSf filo_sf_edge(FiloSf x);
FiloSf filo_sf_i_edge(FiloSf x, bool initial);
FiloSf filo_sf_edge_tag(FiloSf x, FiloSfValue value);
// When an event (Yampa: Maybe) occurs and did not occur at the instant before. Not at time 0.
FiloSf filo_sf_edge_just(FiloSf x);
// When function(x before, x now) has a result: FILO_SF_MAYBE2. `initial` is x before time 0.
FiloSf filo_sf_edge_by(FiloSf x, FiloSfValue initial, const FiloSfFunction *function);

// x as an event: at time 0; once at or after `seconds`; every `seconds`; at every instant at which the condition is true.
FiloSf filo_sf_snap(FiloSf x);
FiloSf filo_sf_snap_after(FiloSf x, float seconds);
FiloSf filo_sf_sample(FiloSf x, float seconds);
FiloSf filo_sf_event_when(FiloSf condition, FiloSf x);
// Every `seconds`, with the last `capacity` samples, oldest first: FiloSfList.
FiloSf filo_sf_sample_window(FiloSf x, uint32_t capacity, float seconds);

// ---- Events: changing them ------------------------------------------------------------------------------------------

FiloSf filo_sf_not_yet(FiloSf event); // suppresses an event at time 0
FiloSf filo_sf_once(FiloSf event);
FiloSf filo_sf_take_events(FiloSf event, uint32_t n);
FiloSf filo_sf_drop_events(FiloSf event, uint32_t n);
FiloSf filo_sf_tag(FiloSf event, FiloSf x);    // the value of x instead of its own
FiloSf filo_sf_attach(FiloSf event, FiloSf x); // a pair of its own value and that of x
FiloSf filo_sf_join(FiloSf a, FiloSf b);       // when both occur: a pair. (Yampa: joinE)
FiloSf filo_sf_split(FiloSf event);            // of an event with a pair: a pair of events
FiloSf filo_sf_l_merge(FiloSf a, FiloSf b);    // both; a if they occur together
FiloSf filo_sf_r_merge(FiloSf a, FiloSf b);    // both; b if they occur together
FiloSf filo_sf_merge_by(FiloSf a, FiloSf b,
                        const FiloSfFunction *function);              // function(a, b) if they occur together
FiloSf filo_sf_filter(FiloSf event, const FiloSfFunction *predicate); // Yampa: filterE
FiloSf filo_sf_map_filter(FiloSf event, const FiloSfFunction *maybe); // Yampa: mapFilterE
FiloSf filo_sf_gate(FiloSf event, FiloSf condition);                  // only while the bool is true
FiloSf filo_sf_is_event(FiloSf event);                                // bool
FiloSf filo_sf_from_event(FiloSf event, FiloSfValue otherwise); // its value; `otherwise` while there is none
// `seconds` later. At most `capacity` are on their way; more are dropped, and the step reports it. If several are due at
// an instant, the first occurs; with _cat, the event has the list of all.
FiloSf filo_sf_delay_event(FiloSf event, float seconds, uint32_t capacity);
FiloSf filo_sf_delay_event_cat(FiloSf event, float seconds, uint32_t capacity);
// The event, with everything that it depends on, starts again whenever it has occurred.
FiloSf filo_sf_recur(FiloSf event);
// `a`, and after its first occurrence `b`, which starts then.
FiloSf filo_sf_and_then(FiloSf a, FiloSf b);

// ---- From events to values -------------------------------------------------------------------------------------------

// The value of the last event; `initial` until there is one. With d_: changes one sample after the event; decoupled.
FiloSf filo_sf_hold(FiloSf event, FiloSfValue initial);
FiloSf filo_sf_d_hold(FiloSf event, FiloSfValue initial);
FiloSf filo_sf_track_and_hold(FiloSf event,
                              FiloSfValue initial); // the same: a Maybe of Yampa is an event here
FiloSf filo_sf_d_track_and_hold(FiloSf event, FiloSfValue initial);
// Accumulators. Yampa's accum takes events with functions; here one function takes the accumulator and the value of the
// event: accumulator = function(accumulator, value). The event of accum has the new accumulator; accum_hold is the
// accumulator at every instant. (accum and accum_by, accum_hold and accum_hold_by are the same here.)
FiloSf filo_sf_accum(FiloSf event, FiloSfValue initial, const FiloSfFunction *function);
FiloSf filo_sf_accum_by(FiloSf event, FiloSfValue initial, const FiloSfFunction *function);
FiloSf filo_sf_accum_hold(FiloSf event, FiloSfValue initial, const FiloSfFunction *function);
FiloSf filo_sf_accum_hold_by(FiloSf event, FiloSfValue initial, const FiloSfFunction *function);
FiloSf filo_sf_d_accum_hold(FiloSf event, FiloSfValue initial, const FiloSfFunction *function);
FiloSf filo_sf_d_accum_hold_by(FiloSf event, FiloSfValue initial, const FiloSfFunction *function);
// The accumulator is updated at each event; an event occurs only if `filter`, a FILO_SF_MAYBE2 of (new accumulator,
// value), has a result. (Yampa: accumFilter, with its function in two parts.)
FiloSf filo_sf_accum_filter(FiloSf event, FiloSfValue initial, const FiloSfFunction *function,
                            const FiloSfFunction *filter);
FiloSf filo_sf_count(FiloSf event); // an event with how many there were, int32_t

// ---- Switches ---------------------------------------------------------------------------------------------------------
//
// A switch is its output until an event occurs, and then another signal function for good: a branch. The branch starts
// at the instant of the event, with its own time 0 and its own state. Branches are declared first, so that they may name
// each other, also in circles: that is a state machine.
//
//     FiloSfBranch patrol = filo_sf_branch(b, "patrol", NULL);
//     FiloSfBranch chase = filo_sf_branch(b, "chase", FILO_TYPE(FiloVec2));      // parameter: where it was seen
//     filo_sf_define(patrol, filo_sf_switch(walking, FILO_ON(seen, chase)));
//     filo_sf_define(chase, filo_sf_switch(running, FILO_ON(caught, patrol), FILO_ON(lost, patrol)));
//     FiloSf guard = filo_sf_start(patrol, FILO_SF_NONE);
//
// The input of a branch is that of the switch. All branches of a switch share the memory of its state.

// Declares a branch. `parameter` is the type of the value that an event hands over; NULL: none, and any event may lead
// to it. The name is copied.
FiloSfBranch filo_sf_branch(FiloSfBuilder *builder, const char *name, const FiloType *parameter);
// Its parameter, inside the branch: the value of the event that led to it.
FiloSf filo_sf_parameter(FiloSfBranch branch);
// What it is. Usually a switch that leads on; otherwise it never ends.
void filo_sf_define(FiloSfBranch branch, FiloSf definition);
// A branch from time 0 on.
FiloSf filo_sf_start(FiloSfBranch branch, FiloSfValue parameter);
#define FILO_SF_NONE ((FiloSfValue){ NULL, NULL })

#define FILO_SF_OLDS 4 // frozen signal functions that a branch gets at most

// Where an event leads.
typedef struct FiloSfExit {
    FiloSf event;
    FiloSfBranch to;
    FiloSf old[FILO_SF_OLDS]; // frozen signal functions that the branch gets: see filo_sf_old
} FiloSfExit;
#define FILO_ON(event_, branch_)                                                                             \
    { .event = (event_), .to = (branch_) }
#define FILO_ON_WITH(event_, branch_, ...)                                                                   \
    {                                                                                                        \
        .event = (event_), .to = (branch_), .old = { __VA_ARGS__ }                                           \
    }
#define FILO_SF_EXITS 16 // of one switch

// `output` until one of the events occurs; if several occur at once, the first in the list counts. The arguments after
// the first are FILO_ON(event, branch). The result of the branch is shown already at the instant of the event; with d_, the
// old output is shown once more. In both cases the branch starts at that instant, with the input of that instant.
#define filo_sf_switch(output, ...)                                                                          \
    filo_sf_switch_exits((output), FILO_SF_EXITS_(__VA_ARGS__), FILO_SF_EXIT_COUNT_(__VA_ARGS__), false)
#define filo_sf_d_switch(output, ...)                                                                        \
    filo_sf_switch_exits((output), FILO_SF_EXITS_(__VA_ARGS__), FILO_SF_EXIT_COUNT_(__VA_ARGS__), true)
FiloSf filo_sf_switch_exits(FiloSf output, const FiloSfExit *exits, size_t count, bool delayed);

// Recurring: the events come from outside and stay in force: each of them replaces whatever runs.
#define filo_sf_r_switch(output, ...)                                                                        \
    filo_sf_r_switch_exits((output), FILO_SF_EXITS_(__VA_ARGS__), FILO_SF_EXIT_COUNT_(__VA_ARGS__), false)
#define filo_sf_dr_switch(output, ...)                                                                       \
    filo_sf_r_switch_exits((output), FILO_SF_EXITS_(__VA_ARGS__), FILO_SF_EXIT_COUNT_(__VA_ARGS__), true)
FiloSf filo_sf_r_switch_exits(FiloSf output, const FiloSfExit *exits, size_t count, bool delayed);

// With continuation: the branch gets the old output as a signal function, frozen with its state as it was before this
// instant: filo_sf_old. It may run it on, at once or later, wrap it, or drop it. The events may depend on `output`.
#define filo_sf_k_switch(output, ...)                                                                        \
    filo_sf_k_switch_exits((output), FILO_SF_EXITS_(__VA_ARGS__), FILO_SF_EXIT_COUNT_(__VA_ARGS__), false)
#define filo_sf_dk_switch(output, ...)                                                                       \
    filo_sf_k_switch_exits((output), FILO_SF_EXITS_(__VA_ARGS__), FILO_SF_EXIT_COUNT_(__VA_ARGS__), true)
FiloSf filo_sf_k_switch_exits(FiloSf output, const FiloSfExit *exits, size_t count, bool delayed);

// Inside a branch that filo_sf_k_switch leads to: the signal function that ran before. It is used at one place in the
// branch. The time in which it is frozen does not pass for it. To hand it over to a further branch, an ordinary switch
// names it: FILO_ON_WITH(resumed, run, filo_sf_old(paused)).
FiloSf filo_sf_old(FiloSfBranch branch);
// The n-th of several, from 0, up to FILO_SF_OLDS: first the one that filo_sf_k_switch hands over, then those that
// FILO_ON_WITH names, in their order. So a branch may run one function and store others:
//
//     filo_sf_define(shop, filo_sf_k_switch(browse, FILO_ON_WITH(closed, street, filo_sf_old(shop))));
//     filo_sf_old_nth(street, 0);          // `browse`
//     filo_sf_old_nth(street, 1);          // what the branch `shop` had got
FiloSf filo_sf_old_nth(FiloSfBranch branch, unsigned n);
// A branch from time 0 on, with a signal function in place of the old one.
FiloSf filo_sf_start_with(FiloSfBranch branch, FiloSfValue parameter, FiloSf old);

// `yes` while the condition is true, `no` while it is false. Each starts anew when its turn comes.
FiloSf filo_sf_provided(FiloSf condition, FiloSf yes, FiloSf no);

// A step follows at most this many switches of one row at one instant. If there are more, the row stays in the branch
// that it has reached, and the step reports the branches. filo_sf_switch in a circle at one instant is the usual cause.
#define FILO_SF_SWITCHES 32

// ---- Collections ------------------------------------------------------------------------------------------------------
//
// A collection is a number of signal functions that run side by side: its members. They are instances of branches, with
// parameters. Members come and go, up to a capacity. Each has a key, counted from 1 in its collection and never reused.
// The output is a list of the outputs of all members, in their order: a new one is the last, until it is moved.

// The beginning of a list in a signal; its elements follow: use filo_sf_list_at.
typedef struct FiloSfList {
    uint32_t count;
    uint16_t capacity;
    uint16_t keyed; // 1: it is the output of a collection, and has keys
} FiloSfList;
// The n-th value of a list whose elements have the size of `type`; NULL past the end.
const void *filo_sf_list_at(const FiloSfList *list, const FiloType *type, size_t n);
// The key of the n-th member, for lists that are the output of a collection; 0 past the end and for other lists.
uint32_t filo_sf_list_key(const FiloSfList *list, size_t n);

// A fold over a list: function(accumulator, element), in order, beginning with `initial`. Also of events with lists.
FiloSf filo_sf_fold(FiloSf list, FiloSfValue initial, const FiloSfFunction *function);

// The members of one row, inside `edit` and `route`.
typedef struct FiloSfMembers FiloSfMembers;
size_t filo_sf_members_count(const FiloSfMembers *members);
uint32_t filo_sf_members_key(const FiloSfMembers *members, size_t n);
FiloSfBranch filo_sf_members_branch(const FiloSfMembers *members, size_t n); // compare .branch
const void *filo_sf_members_parameter(const FiloSfMembers *members, size_t n);
// The output of a member at the last instant; NULL if it has just been added.
const void *filo_sf_members_output(const FiloSfMembers *members, size_t n);
void *filo_sf_members_user(const FiloSfMembers *members); // FiloSfCollection.user
// Only inside `edit`. A new member is the last one, and starts at this instant. Its key; 0 if the collection is full: the
// step reports it, and the member is dropped.
uint32_t filo_sf_members_add(FiloSfMembers *members, FiloSfBranch branch, FiloSfValue parameter);
bool filo_sf_members_remove(FiloSfMembers *members, uint32_t key); // false if there is none
// A copy of a member as it was at the last instant, with its state: it goes on in the same way, and has its own random
// numbers. It is the last one. Its key; 0 if there is no such member, or as for filo_sf_members_add.
uint32_t filo_sf_members_copy(FiloSfMembers *members, uint32_t key);
// Makes a member the n-th, from 0; the others keep their order. False if there is no such member, or no n-th one.
bool filo_sf_members_move(FiloSfMembers *members, uint32_t key, size_t n);

typedef struct FiloSfMember {
    FiloSfBranch branch;
    FiloSfValue parameter;
} FiloSfMember;
#define FILO_SF_KINDS 16 // branches of a collection

typedef struct FiloSfCollection {
    const char *name;                  // for messages; copied
    uint32_t capacity;                 // 1 to 65535
    FiloSfBranch kinds[FILO_SF_KINDS]; // the branches that may be members; all have one output, a value
    const FiloSfMember *initial;       // members at time 0
    size_t initial_count;
    // The input of each member: NULL: the input of the collection, for all (broadcasting: parB and so on). Otherwise it
    // fills in `inputs`, an array of values of input_type, one for each member; `input` is that of the collection, one
    // pointer for each of its values.
    void (*route)(const void *const *input, const FiloSfMembers *members, void *inputs);
    const FiloType *input_type;
    // Optional: whether a member leaves, by its output. It is shown once more. (Yampa has no such thing.)
    bool (*ended)(const void *output, void *user);
    void *user; // filo_sf_members_user, in `route` and `edit`
} FiloSfCollection;

// The members run side by side, for good. x is the input.
FiloSf filo_sf_par(FiloSf x, const FiloSfCollection *collection);
// When the event occurs, `edit` changes the members of its row. New members start at that instant, others go on. The
// output shows the change at once; with d_, one sample later. (Yampa: the event has a function of collections.) `edit`
// depends on its arguments only: any thread may call it, and for one event it may be called twice, on copies.
typedef void (*FiloSfEdit)(FiloSfMembers *members, const void *event_value);
FiloSf filo_sf_rp_switch(FiloSf x, const FiloSfCollection *collection, FiloSf event, FiloSfEdit edit);
FiloSf filo_sf_drp_switch(FiloSf x, const FiloSfCollection *collection, FiloSf event, FiloSfEdit edit);
// The collection until an event occurs, which may depend on its output; then a branch that gets the frozen collection as
// filo_sf_old. These are filo_sf_k_switch and filo_sf_dk_switch of filo_sf_par. To change the frozen members first,
// the branch uses filo_sf_old_edited: `edit` is called once, with the parameter of the branch, when the branch starts.
#define filo_sf_p_switch(par, ...)  filo_sf_k_switch(par, __VA_ARGS__)
#define filo_sf_dp_switch(par, ...) filo_sf_dk_switch(par, __VA_ARGS__)
FiloSf filo_sf_old_edited(FiloSfBranch branch, FiloSfEdit edit);

// ---- Networks -----------------------------------------------------------------------------------------------------------

// Compiles `output` and everything that it depends on. `allocator` NULL: filo_heap(). Errors name the nodes:
// FILO_ERROR_KIND for types that do not fit, FILO_ERROR_DATA for a loop without delay, a branch without definition, and
// nesting without end, FILO_ERROR_LIMIT for what is too large.
FiloResult filo_network_create(FiloNetwork **network, FiloSf output, const FiloAllocator *allocator);
// NULL is allowed. Any thread, when no thread uses it.
void filo_network_destroy(FiloNetwork *network);

const char *filo_network_name(const FiloNetwork *network);
// Bytes of the state of one object, a multiple of 8; its alignment is 8.
size_t filo_network_state_size(const FiloNetwork *network);
// The state as a described struct, with a field for each piece of state, for components, saved games and hashes. The
// first field, `network`, is 0 before the start; then its lower half is filo_network_id, and its upper half counts the samples
// of a network with random numbers. States of switches and collections are
// described as words: branches share them. Valid as long as the network.
const FiloType *filo_network_state_type(const FiloNetwork *network);
// A number that depends on everything that decides on the meaning of a state: nodes, types, values, branches. Not on
// names of signals, nor on what functions of values compute. Never 0.
uint32_t filo_network_id(const FiloNetwork *network);
bool filo_network_is_random(const FiloNetwork *network); // some node uses the seed and ids of FiloSfRows

// The values that input and output consist of, in order: for a tuple those of its elements; for an event one of a byte
// that is 1 where it occurs (`presence`), then those of its value; for an either one of a byte that is 1 where it is
// left, then both.
typedef struct FiloSfLeaf {
    const FiloType *type; // of the value; for a list, a struct with FiloSfList at its beginning
    bool presence;
    uint32_t present_by; // of the value of an event: 1 + the leaf with its presence; 0: it is always there
    const char *name;    // of the input that it belongs to; NULL for outputs. Valid as long as the network
} FiloSfLeaf;
size_t filo_network_inputs(const FiloNetwork *network, FiloSfLeaf *leaves,
                           size_t capacity); // returns how many
size_t filo_network_outputs(const FiloNetwork *network, FiloSfLeaf *leaves, size_t capacity);

// Objects that run a network, and what they get and give: arrays with an element for each row.
typedef struct FiloSfRows {
    size_t count;
    void *states;                       // count × filo_network_state_size bytes
    float delta;                        // seconds since the last step; not negative
    const void *inputs[FILO_SF_LEAVES]; // by leaf; NULL: zeroes, so no event
    bool same[FILO_SF_LEAVES];          // that input is one value for all rows
    void *outputs[FILO_SF_LEAVES];      // by leaf; NULL: not wanted
    const uint64_t *ids;                // for random numbers, one for each row; NULL: the number of the row
    uint64_t seed;                      // for random numbers
} FiloSfRows;

// One instant of all rows. Rows that have not started (their state is zero) start; so do rows whose state is that of
// another network, which is reported. Different threads may step different rows at once: split the rows as you like,
// the result is the same (random numbers need `ids` for this). Does not allocate; uses up to 256 KiB of stack.
//
// FILO_ERROR_ARGUMENT, a caller's mistake, if delta is negative, NaN or infinite, and nothing is done. FILO_ERROR_LIMIT
// if a collection or a delay was full or switches chased each other, and FILO_ERROR_DATA after a state of another
// network, or one whose switches or members are damaged: all rows have been stepped, and the message tells of the first.
// States may come from a file, behind the id of their network: whatever their bytes are, a step reads nothing outside of
// them, and functions get bools and lists that are valid.
FiloResult filo_network_step(const FiloNetwork *network, const FiloSfRows *rows);

// The same for one row, driven by functions: a whole program. (Yampa: reactimate.) `sense` fills in the input, leaf by
// leaf, and returns the seconds since the last call; negative: the end. `actuate` gets the output; false: the end.
// `state` is the state of one object, or NULL for a new one.
typedef struct FiloReactimate {
    float (*sense)(void *const *inputs, void *user);
    bool (*actuate)(const void *const *outputs, void *user);
    void *user;
    void *state;
    uint64_t seed;
} FiloReactimate;
FiloResult filo_network_reactimate(const FiloNetwork *network, const FiloReactimate *desc);

// ---- Looking at networks ------------------------------------------------------------------------------------------------

// A listing: each node with its name, inputs and type, branches with their parts. Returns the length of the whole text;
// what does not fit is cut.
size_t filo_network_print(const FiloNetwork *network, char *text, size_t size);
// The same as a graph for Graphviz: dot -Tsvg.
size_t filo_network_draw(const FiloNetwork *network, char *text, size_t size);
// Only switches: their branches, and the events that lead from one to another.
size_t filo_network_draw_states(const FiloNetwork *network, char *text, size_t size);

// Steps one row, as filo_network_step does with count 1, and calls `visit` for each signal of the network and of the
// branches that are active, with its value. `path` is its name, "chase.speed"; signals without a name have their kind and
// number, "integral 7". To look at an object without changing it, pass a copy of its state.
typedef void (*FiloSfVisit)(const char *path, const FiloType *type, const void *value, bool present,
                            void *user);
FiloResult filo_network_inspect(const FiloNetwork *network, const FiloSfRows *row, FiloSfVisit visit,
                                void *user);
// The name of the branch that an object is in, of the first switch of the network; "" if it has none or has not started.
const char *filo_network_branch(const FiloNetwork *network, const void *state);
// The same with the branches of the first switch inside of that branch, and so on: "running.air". Returns the length of the whole
// text; what does not fit is cut.
size_t filo_network_branch_path(const FiloNetwork *network, const void *state, char *text, size_t size);

// ---- Behind the macros ----------------------------------------------------------------------------------------------------

#define FILO_SF_EXITS_(...)      ((const FiloSfExit[]){ __VA_ARGS__ })
#define FILO_SF_EXIT_COUNT_(...) (sizeof(FILO_SF_EXITS_(__VA_ARGS__)) / sizeof(FiloSfExit))

FILO_END_DECLS

#endif
