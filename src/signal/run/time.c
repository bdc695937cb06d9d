// Kernels of time. Values in the state of a row are read and written by memcpy.

#include "signal/run/run.h"

#include <filo/random.h>

#define IN(k, Type)  ((const Type *)frame->registers[op->in[k]])
#define OUT(k, Type) ((Type *)frame->registers[op->out[k]])

SIGNAL_KERNEL(time) {
    float *out = OUT(0, float);
    for (size_t i = 0; i < frame->count; i++) {
        double seconds = 0;
        if (!frame->init) {
            memcpy(&seconds, signal_state_at(frame, op, i), sizeof seconds);
            seconds += (double)frame->delta;
        }
        memcpy(signal_state_at(frame, op, i), &seconds, sizeof seconds);
        out[i] = (float)seconds;
    }
}

SIGNAL_KERNEL(initially) {
    if (frame->init)
        signal_fill(OUT(0, void), op->data, frame->count, op->size);
    else
        memcpy(OUT(0, void), IN(0, void), frame->count * op->size);
}

SIGNAL_KERNEL(initially_by) {
    const void *arguments[4] = { IN(0, void), NULL, NULL, NULL };
    if (frame->init)
        op->rows(frame->count, arguments, OUT(0, void), NULL);
    else
        memcpy(OUT(0, void), IN(0, void), frame->count * op->size);
}

// ---- Integrals --------------------------------------------------------------------------------------------------------

// At time 0 delta and both registers are 0.
SIGNAL_KERNEL(integral) {
    const float *restrict sum = IN(0, float), *restrict before = IN(1, float);
    float *restrict out = OUT(0, float), delta = frame->delta;
    size_t count = frame->count * op->lanes;
    for (size_t i = 0; i < count; i++) out[i] = sum[i] + delta * before[i];
}

// At time 0 the others have another rule: 0 × infinity is not 0.
SIGNAL_KERNEL(trapezoid) {
    const float *restrict in = IN(0, float), *restrict sum = IN(1, float), *restrict before = IN(2, float);
    float *restrict out = OUT(0, float), half = frame->delta / 2;
    size_t count = frame->count * op->lanes;
    if (frame->init)
        memset(out, 0, count * sizeof *out);
    else
        for (size_t i = 0; i < count; i++) out[i] = sum[i] + half * (before[i] + in[i]);
}

SIGNAL_KERNEL(im_integral) {
    const float *restrict in = IN(0, float), *restrict sum = IN(1, float);
    float *restrict out = OUT(0, float), delta = frame->delta;
    size_t count = frame->count * op->lanes;
    if (frame->init)
        memcpy(out, sum, count * sizeof *out);
    else
        for (size_t i = 0; i < count; i++) out[i] = sum[i] + delta * in[i];
}

SIGNAL_KERNEL(derivative) {
    const float *restrict in = IN(0, float), *restrict before = IN(2, float);
    float *restrict out = OUT(0, float), delta = frame->delta;
    size_t count = frame->count * op->lanes;
    if (frame->init || delta == 0.0f)
        memset(out, 0, count * sizeof *out);
    else
        for (size_t i = 0; i < count; i++) out[i] = (in[i] - before[i]) / delta;
}

// ---- Delays -------------------------------------------------------------------------------------------------------------

// A ring of samples, each with the seconds until the next one is due. The value that is shown follows the header, then the
// samples: `lanes` bytes each, `number` of them.
static uint8_t *delay_item(const SignalOp *op, uint8_t *state, uint32_t n) {
    uint32_t shown = signal_align((uint32_t)sizeof(SignalDelay) + op->size, 8);
    return state + shown + (size_t)(n % op->number) * op->lanes;
}

static double item_seconds(const uint8_t *item) {
    double seconds;
    memcpy(&seconds, item, sizeof seconds);
    return seconds;
}

SIGNAL_KERNEL(delay) {
    uint8_t *out = OUT(0, uint8_t);
    for (size_t i = 0; i < frame->count; i++) {
        uint8_t *state = signal_state_at(frame, op, i), *shown = state + sizeof(SignalDelay);
        SignalDelay d = { 0 };
        if (frame->init)
            memcpy(shown, op->data, op->size);
        else {
            memcpy(&d, state, sizeof d);
            if (d.count > op->number || d.head >= op->number) d = (SignalDelay){ 0 }; // damaged
            d.since += (double)frame->delta;
            while (d.count > 0 && d.since >= item_seconds(delay_item(op, state, d.head))) {
                uint8_t *item = delay_item(op, state, d.head);
                d.since -= item_seconds(item);
                memcpy(shown, item + sizeof(double), op->size);
                d.head = (d.head + 1) % op->number;
                d.count--;
            }
        }
        memcpy(state, &d, sizeof d);
        memcpy(out + i * op->size, shown, op->size);
    }
    signal_repair_outputs(frame, op);
}

SIGNAL_KERNEL(delay_update) {
    const uint8_t *in = IN(0, uint8_t);
    for (size_t i = 0; i < frame->count; i++) {
        uint8_t *state = signal_state_at(frame, op, i);
        SignalDelay d;
        memcpy(&d, state, sizeof d);
        if (d.count ==
            op->number) { // the new sample takes the place of the last one, so that times stay right
            signal_run_problem(frame, FILO_ERROR_LIMIT,
                               "delay %u of %g s is full: it has a capacity of %u samples", op->node,
                               (double)op->seconds, op->number);
            if (op->number == 1) continue; // the oldest stays
            uint8_t *last = delay_item(op, state, d.head + d.count - 1);
            double both = item_seconds(last) + (double)frame->delta;
            memcpy(last, &both, sizeof both);
            memcpy(last + sizeof both, in + i * op->size, op->size);
            continue;
        }
        double seconds = frame->init ? (double)op->seconds : (double)frame->delta;
        uint8_t *item = delay_item(op, state, d.head + d.count);
        memcpy(item, &seconds, sizeof seconds);
        memcpy(item + sizeof seconds, in + i * op->size, op->size);
        d.count++;
        memcpy(state, &d, sizeof d);
    }
}

// ---- State by a function ----------------------------------------------------------------------------------------------

// Copies a value of each row between the state and an array.
static void load(const SignalFrame *frame, size_t offset, uint8_t *to, size_t size) {
    for (size_t i = 0; i < frame->count; i++)
        memcpy(to + i * size, frame->state + i * frame->stride + offset, size);
}
static void save(const SignalFrame *frame, size_t offset, const uint8_t *from, size_t size) {
    for (size_t i = 0; i < frame->count; i++)
        memcpy(frame->state + i * frame->stride + offset, from + i * size, size);
}

SIGNAL_KERNEL(sscan) {
    uint8_t *before = signal_scratch(frame, frame->count * op->size), *out = OUT(0, uint8_t);
    if (frame->init)
        signal_fill(before, op->data, frame->count, op->size);
    else
        load(frame, op->state, before, op->size);
    const void *arguments[4] = { before, IN(0, void), NULL, NULL };
    op->rows(frame->count, arguments, out, NULL);
    save(frame, op->state, out, op->size);
}

// `number` is the offset of the value before in the state, `lanes` its size.
SIGNAL_KERNEL(iter_from) {
    const uint8_t *in = IN(0, uint8_t);
    uint8_t *out = OUT(0, uint8_t);
    if (frame->init)
        signal_fill(out, op->data, frame->count, op->size);
    else {
        uint8_t *result = signal_scratch(frame, frame->count * op->size);
        uint8_t *before = signal_scratch(frame, frame->count * op->lanes);
        float *deltas = signal_scratch(frame, frame->count * sizeof *deltas);
        load(frame, op->state, result, op->size);
        load(frame, op->number, before, op->lanes);
        for (size_t i = 0; i < frame->count; i++) deltas[i] = frame->delta;
        const void *arguments[4] = { before, in, deltas, result };
        op->rows(frame->count, arguments, out, NULL);
    }
    save(frame, op->state, out, op->size);
    save(frame, op->number, in, op->lanes);
}

// ---- Random numbers -----------------------------------------------------------------------------------------------------

SIGNAL_KERNEL(noise) {
    float *out = OUT(0, float);
    for (size_t i = 0; i < frame->count; i++) {
        SignalDraw draw = frame->draws[i];
        float unit = filo_random_float_at(frame->run->seed, draw.sample, op->number, draw.id, 0);
        float value = op->seconds + (op->high - op->seconds) * unit;
        out[i] = value < op->high || op->high == op->seconds ? value : op->seconds;
    }
}
