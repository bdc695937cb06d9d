// Running programs, and the kernels: the functions of operations.

#ifndef FILO_SIGNAL_RUN_H
#define FILO_SIGNAL_RUN_H

#include "signal/signal.h"

// What all frames of a step share.
typedef struct SignalRun {
    const FiloNetwork *network;
    uint64_t seed;
    FiloResult *problem; // the first
    FiloSfVisit visit;   // of filo_network_inspect; NULL: none
    void *visit_user;
    uint8_t *scratch_end; // for assertions
} SignalRun;

// What the random numbers of a row depend on, besides seed and node.
typedef struct SignalDraw {
    uint64_t id;
    uint32_t sample; // of the object, from 0
} SignalDraw;

// Some rows that run a program.
struct SignalFrame {
    const SignalProgram *program;
    SignalRun *run;
    void **registers; // by number: an array of values
    uint8_t *state;   // of row 0
    size_t stride;    // from row to row
    size_t count;
    float delta;
    bool init;               // this is time 0 of these rows
    const SignalDraw *draws; // NULL if the program uses no random numbers
    uint8_t *scratch;        // free memory
    const char *path;        // of branches, for inspection
};

// Runs all operations. The registers of inputs are set.
void signal_run_program(SignalFrame *frame);
// Prepares a frame for a program inside of another: registers in the scratch memory of `outer`.
void signal_frame_init(SignalFrame *frame, const SignalProgram *program, SignalFrame *outer);

// Rows of `outer` that run a program inside of it. Leaves the registers of the program in *frame until the scratch memory
// of `outer` is used again.
typedef struct SignalCall {
    const SignalProgram *program;
    const uint32_t *operands; // registers of `outer` that inputs are found in, by position
    uint32_t state;           // offset in the state of a row of `outer`
    const uint32_t *rows;     // NULL: the first `count`
    size_t count;
    bool init;
    float delta;
    const char *name; // for inspection
} SignalCall;
void signal_call(SignalFrame *outer, const SignalCall *call, SignalFrame *frame);

// Records the first problem of a step.
void signal_run_problem(SignalFrame *frame, FiloCode code, const char *format, ...) FILO_PRINTF(3, 4);

static inline uint8_t *signal_state_at(const SignalFrame *frame, const SignalOp *op, size_t row) {
    return frame->state + row * frame->stride + op->state;
}
// Scratch memory for a kernel. It is free again when the kernel returns, if that sets frame->scratch back.
static inline void *signal_scratch(SignalFrame *frame, size_t size) {
    uint8_t *memory = frame->scratch;
    frame->scratch += (size + 63) & ~(size_t)63;
    FILO_ASSERT(frame->scratch <= frame->run->scratch_end,
                "the scratch memory of a network was computed wrong");
    return memory;
}

// Writes one value to all rows of an array.
static inline void signal_fill(void *to, const void *value, size_t count, size_t size) {
    if (size == 4) {
        uint32_t word, *words = (uint32_t *)to;
        memcpy(&word, value, 4);
        for (size_t i = 0; i < count; i++) words[i] = word;
    } else if (size == 1) {
        memset(to, *(const uint8_t *)value, count);
    } else {
        for (size_t i = 0; i < count; i++) memcpy((uint8_t *)to + i * size, value, size);
    }
}

#define SIGNAL_KERNEL(name) void signal_run_##name(SignalFrame *frame, const SignalOp *op)

// state.c: state becomes a register at the beginning of a program, and a register becomes state at its end. Four words that are
// next to each other are moved together.
SIGNAL_KERNEL(load);
SIGNAL_KERNEL(store);
SIGNAL_KERNEL(load4);
SIGNAL_KERNEL(store4);
// values.c
SIGNAL_KERNEL(constant);
SIGNAL_KERNEL(parameter);
SIGNAL_KERNEL(arr);
SIGNAL_KERNEL(arr_event);
SIGNAL_KERNEL(add);
SIGNAL_KERNEL(sub);
SIGNAL_KERNEL(mul);
SIGNAL_KERNEL(div);
SIGNAL_KERNEL(min);
SIGNAL_KERNEL(max);
SIGNAL_KERNEL(add_int);
SIGNAL_KERNEL(sub_int);
SIGNAL_KERNEL(mul_int);
SIGNAL_KERNEL(div_int);
SIGNAL_KERNEL(min_int);
SIGNAL_KERNEL(max_int);
SIGNAL_KERNEL(mul_vector);
SIGNAL_KERNEL(div_vector);
SIGNAL_KERNEL(negate);
SIGNAL_KERNEL(abs);
SIGNAL_KERNEL(scale);
SIGNAL_KERNEL(negate_int);
SIGNAL_KERNEL(abs_int);
SIGNAL_KERNEL(sin);
SIGNAL_KERNEL(cos);
SIGNAL_KERNEL(sqrt);
SIGNAL_KERNEL(length);
SIGNAL_KERNEL(dot);
SIGNAL_KERNEL(less);
SIGNAL_KERNEL(greater);
SIGNAL_KERNEL(less_int);
SIGNAL_KERNEL(greater_int);
SIGNAL_KERNEL(equal);
SIGNAL_KERNEL(and);
SIGNAL_KERNEL(or);
SIGNAL_KERNEL(not );
SIGNAL_KERNEL(select);
SIGNAL_KERNEL(field);
SIGNAL_KERNEL(fold);
// time.c
SIGNAL_KERNEL(time);
SIGNAL_KERNEL(initially);
SIGNAL_KERNEL(initially_by);
SIGNAL_KERNEL(integral);
SIGNAL_KERNEL(trapezoid);
SIGNAL_KERNEL(im_integral);
SIGNAL_KERNEL(derivative);
SIGNAL_KERNEL(delay);
SIGNAL_KERNEL(delay_update);
SIGNAL_KERNEL(sscan);
SIGNAL_KERNEL(iter_from);
SIGNAL_KERNEL(noise);
// events.c
SIGNAL_KERNEL(now);
SIGNAL_KERNEL(after_each);
SIGNAL_KERNEL(repeatedly);
SIGNAL_KERNEL(occasionally);
SIGNAL_KERNEL(edge);
SIGNAL_KERNEL(edge_by);
SIGNAL_KERNEL(take_events);
SIGNAL_KERNEL(drop_events);
SIGNAL_KERNEL(accum);
SIGNAL_KERNEL(accum_hold);
SIGNAL_KERNEL(accum_filter);
SIGNAL_KERNEL(count);
SIGNAL_KERNEL(delay_event);
SIGNAL_KERNEL(delay_event_update);
SIGNAL_KERNEL(sample_window);
SIGNAL_KERNEL(merge_by);
// sub.c
SIGNAL_KERNEL(pause);
SIGNAL_KERNEL(choice);
SIGNAL_KERNEL(area);
// machine.c, pool.c
SIGNAL_KERNEL(machine);
SIGNAL_KERNEL(pool);

// repair.c
// Whether values of a type can be damaged so that reading them does harm.
bool signal_needs_repair(const FiloType *type);
void signal_repair(const FiloType *type, uint8_t *bytes);
// The fields of the program in the states of all rows.
void signal_repair_state(SignalFrame *frame);
// What an operation has copied from where fields do not describe it.
void signal_repair_register(const SignalFrame *frame, uint32_t r);
void signal_repair_outputs(const SignalFrame *frame, const SignalOp *op);
// Values of the caller, which are copied if one of them is damaged.
void signal_repair_input(SignalFrame *frame, uint32_t r, const FiloType *type);

// Applies the edit function of a branch or a recurring switch to the members of one row.
void signal_pool_edit(const SignalPool *pool, uint8_t *state, FiloSfEdit edit, const void *value,
                      SignalFrame *frame);
// Gives a pool its members of time 0.
void signal_pool_init(const SignalPool *pool, uint8_t *state);

// States of kernels that the compiler must know the size of.
typedef struct SignalDelay { // then `capacity` × (double, value)
    double since;            // seconds since the last output should have been shown
    uint32_t head, count;
} SignalDelay;
typedef struct SignalDelayEvent { // then `capacity` × (double, value)
    double next, last;            // time relative to the next and to the last pending event
    uint32_t head, count;
} SignalDelayEvent;
typedef struct SignalAfter {
    double time; // relative to the next event
    uint32_t index;
    uint32_t unused;
} SignalAfter;

#endif
