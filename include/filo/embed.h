// filo/embed.h: testing signal functions: runs over lists of samples, traces, plots, temporal logic, random streams.
//
//     // A ball is thrown up. Does it come back, and does it never fall through the floor?
//     static bool above_floor(const FiloTrace *trace, size_t sample) {
//         return filo_trace_value(trace, 0, sample, float) >= -0.01f;
//     }
//     static bool rising(const FiloTrace *trace, size_t sample) {
//         return filo_trace_value(trace, 1, sample, float) > 0;
//     }
//
//     FiloTrace trace = { 0 };                     // outputs: height, speed
//     FiloResult r = filo_embed(ball, &(FiloStream){ .count = 300, .delta = 1.0f / 60 },
//                               &(FiloEmbed){ .trace = &trace });
//     r = filo_trace_check(&trace, FILO_ALWAYS(FILO_HOLDS(above_floor)), NULL);
//     if (r.code != FILO_OK) puts(r.message);      // "sample 87 (1.45 s): above_floor is false, in always(…)"
//     r = filo_trace_check(&trace, FILO_UNTIL(FILO_HOLDS(rising), FILO_NOT(FILO_HOLDS(rising))), NULL);
//
//     // The same for a hundred random streams of samples. A failure is reduced to a small stream.
//     FiloBuilder report = { 0 };
//     r = filo_stream_check(ball, &(FiloStreamCheck){ .seed = 1,
//                                                     .streams = { .max_count = 200, .deltas = FILO_DELTAS_NORMAL },
//                                                     .formula = FILO_ALWAYS(FILO_HOLDS(above_floor)),
//                                                     .report = &report });
//     if (r.code != FILO_OK) puts(filo_builder_text(&report));
//
//     filo_trace_plot_write(&(FiloPlot){ .panels = &(FiloPlotPanel){ .title = "ball", .trace = &trace,
//                                                                    .names = { "height", "speed" } } },
//                           "ball.svg");
//     filo_trace_deinit(&trace);
//     filo_builder_deinit(&report);
//
// A network computes the same outputs from the same samples, always and everywhere. So a test needs no clock, no window
// and no player: it runs the network over a list of samples and looks at the list of outputs.
//
// Nothing here is part of a tick, except filo_player_step and the signal functions of the past (filo_sf_so_far and so
// on), which are made of functions of filo/signal.h. All functions may be called from any thread; an object is used by
// one thread at a time.

#ifndef FILO_EMBED_H
#define FILO_EMBED_H

#include <filo/memory.h>
#include <filo/random.h>
#include <filo/reflect.h>
#include <filo/signal.h>
#include <filo/strings.h>
#include <filo/types.h>

FILO_BEGIN_DECLS

// ---- Streams ----------------------------------------------------------------------------------------------------
//
// A stream is a list of samples of an input: a first one at time 0, and `count` more, each some seconds after the one
// before. So a stream always has count + 1 samples, and a run over it gives count + 1 outputs.

typedef struct FiloStream {
    size_t count;        // samples after the first
    const float *deltas; // seconds before each of these, `count` of them; NULL: `delta` each time
    float delta;
    // By leaf (filo_network_inputs), count + 1 values each; NULL: zeroes, so no event.
    const void *inputs[FILO_SF_LEAVES];
    // `count` flags: 1 where the input repeats the one before (Yampa: Nothing), and the values of `inputs` are not read.
    // An event is repeated too. NULL: all are read.
    const uint8_t *unchanged;
    // The block with all of these arrays, if a function of this header has made the stream. NULL: they are the caller's.
    void *memory;
    size_t memory_size;
    const FiloAllocator *allocator;
} FiloStream;

// Frees `memory` and empties the stream. NULL is allowed.
void filo_stream_deinit(FiloStream *stream);

// Compares the samples of a list, each with the one before: unchanged[i] is 1 if values i and i + 1 are equal, by
// filo_reflect_equal or by a function. `values` has count + 1 values of `type`, or of `size` bytes. Fills in `deltas`
// with `delta`, unless it is NULL. Returns how many are unchanged. For inputs of several leaves, a sample is unchanged
// where all leaves are. (Yampa: deltaEncode, deltaEncodeBy.)
size_t filo_delta_encode(float delta, const FiloType *type, const void *values, size_t count, float *deltas,
                         uint8_t *unchanged);
size_t filo_delta_encode_by(float delta, size_t size, const void *values, size_t count,
                            bool (*equal)(const void *a, const void *b), float *deltas, uint8_t *unchanged);

// Adds a table of the samples, a line for each: its time, its delta and its values. False without memory.
bool filo_stream_print(const FiloStream *stream, const FiloNetwork *network, FiloBuilder *text);

// ---- Runs ---------------------------------------------------------------------------------------------------------

typedef struct FiloTrace FiloTrace;

typedef struct FiloEmbed {
    void *outputs[FILO_SF_LEAVES]; // by leaf, count + 1 values each; NULL: not wanted
    FiloTrace *trace;              // gets all outputs with their times, in place of what is in it; NULL: none
    void *state;                   // memory for one state, which is the last one afterwards; NULL: allocated
    uint64_t seed, id;             // for random numbers
    const FiloAllocator *allocator; // of the state; NULL: filo_heap()
} FiloEmbed;

// Runs one object over a stream, from its start. (Yampa: embed.) Allocates one state, unless it is given, and what the
// trace needs. If a step reports an error (FILO_ERROR_LIMIT), the run goes on, and the result tells of the first with its
// sample. Without memory, and after a mistake (a delta that is negative or not finite), nothing has been changed.
//
//     float x[] = { 1, 1, 2 }, y[3];
//     FiloResult r = filo_embed(network, &(FiloStream){ .count = 2, .delta = 0.5f, .inputs = { x } },
//                               &(FiloEmbed){ .outputs = { y } });
FiloResult filo_embed(const FiloNetwork *network, const FiloStream *stream, const FiloEmbed *embed);

// ---- Traces ---------------------------------------------------------------------------------------------------------

// A recorded run: times, and all leaves of the output. To record inputs too, make them a part of the output
// (filo_sf_pair). All zeroes is empty, on the process's heap. Types of lists are those of the network, which must
// exist as long as the trace.
struct FiloTrace {
    size_t count;  // samples
    double *times; // seconds since the start
    void *values[FILO_SF_LEAVES];
    FiloSfLeaf leaves[FILO_SF_LEAVES];
    size_t leaf_count;
    size_t capacity;
    const FiloAllocator *allocator; // NULL: filo_heap(). Set it before the first use
};

// Frees all and leaves an empty trace with the same allocator. NULL is allowed.
void filo_trace_deinit(FiloTrace *trace);
// Empties it, for outputs of this network. False without memory for `reserve` samples; the trace is then unchanged.
bool filo_trace_begin(FiloTrace *trace, const FiloNetwork *network, size_t reserve);
// Adds a sample, for example of an object in a running game: `outputs` as in FiloSfRows, of one row. False without
// memory; the trace is then unchanged.
bool filo_trace_add(FiloTrace *trace, double time, const void *const *outputs);
// The value of a leaf at a sample; NULL past the ends. Valid until the trace changes.
const void *filo_trace_at(const FiloTrace *trace, size_t leaf, size_t sample);
// The same as a value of a C type. Both must exist.
#define filo_trace_value(trace, leaf, sample, Type) (*(const Type *)filo_trace_at((trace), (leaf), (sample)))
// The number of the last sample that is not later than `time`; 0 if all are later.
size_t filo_trace_find(const FiloTrace *trace, double time);

// ---- Playing a run ----------------------------------------------------------------------------------------------------

// Plays a recorded run at a variable speed: slow motion, fast forward, a ghost of the last race. (Yampa: embedSynch.)
// It is plain data and may be a component. All zeroes has not started.
typedef struct FiloPlayer {
    double time;     // in the run, seconds
    uint64_t sample; // that is shown
    bool started;
} FiloPlayer;
FILO_REFLECT_DECLARE(FiloPlayer);

// One step, in which delta × ratio seconds of the run pass. Copies the latest sample that is not later into `outputs`, one
// value for each leaf (NULL: not wanted). The first step shows sample 0 and no time passes. A ratio of 0 is a pause. The
// last sample stays. An event is shown as long as its sample is: compare `sample` to see it once. Samples between two
// steps are not shown. Does not allocate. A ratio or delta that is negative or not finite, and a trace without samples,
// are mistakes, after which nothing has changed.
FiloResult filo_player_step(FiloPlayer *player, const FiloTrace *trace, float delta, float ratio,
                            void *const *outputs);

// ---- Temporal logic ---------------------------------------------------------------------------------------------------
//
// A formula says something about the samples of a trace from a given one on. It is a tree of values, written as
//
//     FILO_ALWAYS(FILO_IMPLIES(FILO_HOLDS(is_hungry), FILO_WITHIN(5, FILO_HOLDS(is_eating))))
//
// Its parts live as long as the block that they are written in. A trace is finite: FILO_NEXT of anything is true at the
// last sample, FILO_UNTIL is true if its first part is true up to the end, but FILO_EVENTUALLY and FILO_WITHIN are false
// if their part has not been true by the end. (Yampa: TPred, without FILO_WITHIN.)

// Whether something holds at a sample.
typedef bool (*FiloTemporalFunction)(const FiloTrace *trace, size_t sample);

typedef enum FiloTemporalKind {
    FILO_TEMPORAL_HOLDS,
    FILO_TEMPORAL_OUTPUT,
    FILO_TEMPORAL_NOT,
    FILO_TEMPORAL_AND,
    FILO_TEMPORAL_OR,
    FILO_TEMPORAL_IMPLIES,
    FILO_TEMPORAL_NEXT,
    FILO_TEMPORAL_ALWAYS,
    FILO_TEMPORAL_EVENTUALLY,
    FILO_TEMPORAL_WITHIN,
    FILO_TEMPORAL_UNTIL,
    FILO_TEMPORAL_KIND_COUNT
} FiloTemporalKind;

typedef struct FiloTemporal {
    FiloTemporalKind kind;
    const struct FiloTemporal *a, *b;
    FiloTemporalFunction function;
    const char *name; // of the function
    uint32_t leaf;
    float seconds;
} FiloTemporal;

#define FILO_TEMPORAL_NODES 256 // parts of a formula

// A function of a sample holds; a bool of the output is true, or an event of the output occurs.
#define FILO_HOLDS(function_)                                                                                \
    (&(const FiloTemporal){ .kind = FILO_TEMPORAL_HOLDS, .function = (function_), .name = #function_ })
#define FILO_OUTPUT(leaf_) (&(const FiloTemporal){ .kind = FILO_TEMPORAL_OUTPUT, .leaf = (leaf_) })
#define FILO_NOT(p)        FILO_TEMPORAL_(FILO_TEMPORAL_NOT, p, NULL)
#define FILO_AND(p, q)     FILO_TEMPORAL_(FILO_TEMPORAL_AND, p, q)
#define FILO_OR(p, q)      FILO_TEMPORAL_(FILO_TEMPORAL_OR, p, q)
#define FILO_IMPLIES(p, q) FILO_TEMPORAL_(FILO_TEMPORAL_IMPLIES, p, q)       // q where p
#define FILO_NEXT(p)       FILO_TEMPORAL_(FILO_TEMPORAL_NEXT, p, NULL)       // at the next sample
#define FILO_ALWAYS(p)     FILO_TEMPORAL_(FILO_TEMPORAL_ALWAYS, p, NULL)     // now and at all later samples
#define FILO_EVENTUALLY(p) FILO_TEMPORAL_(FILO_TEMPORAL_EVENTUALLY, p, NULL) // now or at a later sample
// Now, or at a sample that is at most `seconds_` later. (For as long: FILO_NOT(FILO_WITHIN(seconds, FILO_NOT(p))).)
#define FILO_WITHIN(seconds_, p)                                                                             \
    (&(const FiloTemporal){ .kind = FILO_TEMPORAL_WITHIN, .a = (p), .seconds = (seconds_) })
// p at all samples before the first at which q is true.
#define FILO_UNTIL(p, q) FILO_TEMPORAL_(FILO_TEMPORAL_UNTIL, p, q)

// Whether a formula is true at the first sample. Otherwise FILO_ERROR_DATA: the message names the sample, its time and the
// part that is not true there, and *sample is its number (it may be NULL). Takes time in proportion to samples × parts. A
// trace without samples is a mistake. FILO_ERROR_KIND if FILO_OUTPUT names a leaf that is not a bool nor a presence.
FiloResult filo_trace_check(const FiloTrace *trace, const FiloTemporal *formula, size_t *sample);
// Adds the formula as text: "always(implies(is_hungry, within(5 s, is_eating)))". False without memory.
bool filo_temporal_print(const FiloTemporal *formula, FiloBuilder *text);

// The past needs no trace: these are signal functions of bools, for networks. A network can so watch itself.
FiloSf filo_sf_so_far(FiloSf x);             // true at all instants up to now (Yampa: sofarSF)
FiloSf filo_sf_ever(FiloSf x);               // true now or at an earlier instant (Yampa: everSF)
FiloSf filo_sf_last(FiloSf x, bool initial); // its value one sample ago (Yampa: lastSF, with false)
// y has been true, and x at all instants after the last time.
FiloSf filo_sf_since(FiloSf x, FiloSf y);
// x has been true until y became true, if it has, and y ever since. (Yampa: untilSF.)
FiloSf filo_sf_until(FiloSf x, FiloSf y);
FiloSf filo_sf_implies(FiloSf x, FiloSf y); // y, or not x

// ---- Random streams -----------------------------------------------------------------------------------------------------

typedef enum FiloDeltas {
    FILO_DELTAS_CONSTANT, // all are the mean
    FILO_DELTAS_NORMAL,   // normal distribution around the mean; deviation: a quarter of it
    FILO_DELTAS_UNIFORM,  // each between 0 and twice the mean equally likely
} FiloDeltas;

// What the values of one leaf of the input are drawn from. All zeroes means the defaults.
typedef struct FiloStreamInput {
    // Numbers: from `low` to `high`; both 0: −10 to 10. In structs, fields with a range of their own (FiloField.min, max)
    // have values in that. Unsigned integers are not below 0. Enums have one of their values, flags some of them, text
    // some small letters; names and entities are none.
    float low, high;
    float probability; // that a bool is true, or an event occurs; 0: 0.5 for a bool, 0.2 for an event
} FiloStreamInput;

typedef struct FiloStreamDesc {
    size_t min_count, max_count; // samples after the first; max_count 0: 0 to 40
    FiloDeltas deltas;
    float mean;                             // seconds; 0: 1/60
    FiloStreamInput inputs[FILO_SF_LEAVES]; // by leaf
    const FiloAllocator *allocator;         // NULL: filo_heap()
} FiloStreamDesc;

// Draws a stream for a network. Deltas are above 0. Where an event does not occur, its value is 0. `desc` may be NULL.
// The caller frees the stream with filo_stream_deinit. FILO_ERROR_KIND if an input is a list.
FiloResult filo_stream_random(FiloStream *stream, const FiloNetwork *network, const FiloStreamDesc *desc,
                              FiloRandom *random);

// ---- Properties -----------------------------------------------------------------------------------------------------------

typedef struct FiloStreamCheck {
    uint64_t seed;
    uint32_t runs; // 0: 100
    FiloStreamDesc streams;
    // What must hold: a formula about the outputs, or a function that returns an error with the reason, or both. The
    // function compares two networks, for example. FILO_ERROR_MEMORY ends the check and is its result.
    const FiloTemporal *formula;
    FiloResult (*property)(const FiloNetwork *network, const FiloStream *stream, void *user);
    void *user;
    uint32_t tries;      // runs that may be spent on reducing a failure; 0: 4000
    FiloBuilder *report; // gets a text with the reason and the smallest failing stream; NULL: none
    FiloStream
        *smallest; // gets that stream, which the caller frees with filo_stream_deinit; NULL: not wanted
} FiloStreamCheck;

// Tries a property with random streams, which depend on `seed` and the number of the run alone. The first stream for
// which it does not hold is made smaller as long as it does not hold: samples are removed, deltas become 1 (or the mean,
// if that is below 0.5), values become 0 or near round numbers. It stays within `streams`. Then the result is
// FILO_ERROR_DATA, and its message has the run, the seed and the reason.
FiloResult filo_stream_check(const FiloNetwork *network, const FiloStreamCheck *check);

// ---- Plots ------------------------------------------------------------------------------------------------------------------
//
// Traces as pictures: SVG, which browsers show. Time goes to the right. Each number is a curve: a float one, a vector one
// for each element, a struct one for each field. Integers are drawn as steps. An event with a number is a mark at that
// height. Bools, and events without a number, have a strip of their own below: bools are high or low, events are marks.

typedef struct FiloPlotPanel {
    const FiloTrace *trace;
    const char *title;                 // NULL: none
    const char *text;                  // a line below the title, smaller; NULL: none
    const char *names[FILO_SF_LEAVES]; // by leaf; of an event, that of its presence; NULL: "output 0"
    bool hidden[FILO_SF_LEAVES];       // leaves that are not drawn
    bool steps[FILO_SF_LEAVES];        // floats that are drawn as steps, because they jump
    bool thin[FILO_SF_LEAVES];         // leaves in the background: inputs, beside the output that matters
    double low, high;                  // of the vertical axis; both 0: as the values need
    const char *unit;                  // of the vertical axis; NULL: none
} FiloPlotPanel;

typedef struct FiloPlot {
    const char *title; // of the page; NULL: none
    const FiloPlotPanel *panels;
    size_t count;           // 0: 1
    uint32_t columns;       // 0: 1 to 4, by count
    uint32_t width, height; // of a panel, in pixels; 0: 420 × 260
} FiloPlot;

// Adds the picture to `svg`. FILO_ERROR_MEMORY without memory. An empty trace gives axes without curves.
FiloResult filo_trace_plot(const FiloPlot *plot, FiloBuilder *svg);
// Writes it to a file, as filo_file_write does.
FiloResult filo_trace_plot_write(const FiloPlot *plot, const char *path);

// ---- Behind the macros --------------------------------------------------------------------------------------------------------

#define FILO_TEMPORAL_(kind_, p, q) (&(const FiloTemporal){ .kind = (kind_), .a = (p), .b = (q) })

FILO_END_DECLS

#endif
