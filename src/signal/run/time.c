// Kernels of time. Values in the state of a row are read and written by memcpy or as floats, which are aligned to 4.

#include "signal/run/run.h"

#include <filo/random.h>

#define IN(k, Type)  ((const Type *)frame->registers[op->in[k]])
#define OUT(k, Type) ((Type *)frame->registers[op->out[k]])

static void fill(void *to, const void *value, size_t count, size_t size) {
    for (size_t i = 0; i < count; i++) memcpy((uint8_t *)to + i * size, value, size);
}

static inline float *floats_at(const SignalFrame *frame, const SignalOp *op, size_t row) {
    return (float *)(void *)signal_state_at(frame, op, row);
}

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
        fill(OUT(0, void), op->data, frame->count, op->size);
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

// sum += delta × before. `number` is the distance from the sum to the value before.
SIGNAL_KERNEL(integral) {
    float *restrict out = OUT(0, float);
    uint32_t lanes = op->lanes;
    if (frame->init) {
        for (size_t i = 0; i < frame->count; i++) memset(signal_state_at(frame, op, i), 0, op->size);
        memset(out, 0, frame->count * op->size);
        return;
    }
    float delta = frame->delta;
    size_t before = op->number / sizeof(float);
    if (lanes == 1) {
        uint8_t *state = frame->state + op->state;
        for (size_t i = 0; i < frame->count; i++, state += frame->stride) {
            float *sum = (float *)(void *)state;
            sum[0] = out[i] = sum[0] + delta * sum[before];
        }
        return;
    }
    for (size_t i = 0; i < frame->count; i++) {
        float *sum = floats_at(frame, op, i);
        for (uint32_t k = 0; k < lanes; k++) sum[k] = out[i * lanes + k] = sum[k] + delta * sum[before + k];
    }
}

SIGNAL_KERNEL(store) {
    const uint8_t *in = IN(0, uint8_t);
    uint8_t *state = frame->state + op->state;
    if (op->size == 4) {
        for (size_t i = 0; i < frame->count; i++) memcpy(state + i * frame->stride, in + i * 4, 4);
    } else {
        for (size_t i = 0; i < frame->count; i++)
            memcpy(state + i * frame->stride, in + i * op->size, op->size);
    }
}

SIGNAL_KERNEL(trapezoid) {
    const float *in = IN(0, float);
    float *out = OUT(0, float), half = frame->delta / 2;
    uint32_t lanes = op->lanes;
    size_t before = op->number / sizeof(float);
    for (size_t i = 0; i < frame->count; i++) {
        float *sum = floats_at(frame, op, i);
        for (uint32_t k = 0; k < lanes; k++) {
            float now = in[i * lanes + k];
            sum[k] = frame->init ? 0.0f : sum[k] + half * (sum[before + k] + now);
            sum[before + k] = now;
            out[i * lanes + k] = sum[k];
        }
    }
}

SIGNAL_KERNEL(im_integral) {
    const float *in = IN(0, float), *initial = op->data;
    float *out = OUT(0, float), delta = frame->delta;
    uint32_t lanes = op->lanes;
    for (size_t i = 0; i < frame->count; i++) {
        float *sum = floats_at(frame, op, i);
        for (uint32_t k = 0; k < lanes; k++) {
            sum[k] = frame->init ? initial[k] : sum[k] + delta * in[i * lanes + k];
            out[i * lanes + k] = sum[k];
        }
    }
}

SIGNAL_KERNEL(derivative) {
    const float *in = IN(0, float);
    float *out = OUT(0, float), delta = frame->delta;
    uint32_t lanes = op->lanes;
    bool none = frame->init || delta == 0.0f;
    for (size_t i = 0; i < frame->count; i++) {
        float *before = floats_at(frame, op, i);
        for (uint32_t k = 0; k < lanes; k++) {
            float now = in[i * lanes + k];
            out[i * lanes + k] = none ? 0.0f : (now - before[k]) / delta;
            before[k] = now;
        }
    }
}

// ---- Delays -------------------------------------------------------------------------------------------------------------

SIGNAL_KERNEL(pre) {
    uint8_t *out = OUT(0, uint8_t);
    if (frame->init) {
        fill(out, op->data, frame->count, op->size);
        return;
    }
    const uint8_t *state = frame->state + op->state;
    if (op->size == 4) {
        for (size_t i = 0; i < frame->count; i++) memcpy(out + i * 4, state + i * frame->stride, 4);
    } else {
        for (size_t i = 0; i < frame->count; i++)
            memcpy(out + i * op->size, state + i * frame->stride, op->size);
    }
}

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
}

SIGNAL_KERNEL(delay_update) {
    const uint8_t *in = IN(0, uint8_t);
    for (size_t i = 0; i < frame->count; i++) {
        uint8_t *state = signal_state_at(frame, op, i);
        SignalDelay d;
        memcpy(&d, state, sizeof d);
        if (d.count == op->number) { // the oldest is lost, but not its time
            double lost = item_seconds(delay_item(op, state, d.head));
            d.head = (d.head + 1) % op->number;
            d.count--;
            if (d.count > 0) {
                lost += item_seconds(delay_item(op, state, d.head));
                memcpy(delay_item(op, state, d.head), &lost, sizeof lost);
            }
            signal_run_problem(frame, FILO_ERROR_LIMIT,
                               "delay %u of %g s is full: it has a capacity of %u samples", op->node,
                               (double)op->seconds, op->number);
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
        fill(before, op->data, frame->count, op->size);
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
        fill(out, op->data, frame->count, op->size);
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
        uint32_t sample = 0;
        if (!frame->init) memcpy(&sample, signal_state_at(frame, op, i), sizeof sample);
        uint32_t next = sample + 1;
        memcpy(signal_state_at(frame, op, i), &next, sizeof next);
        float unit = filo_random_float_at(frame->run->seed, sample, op->number, frame->ids[i], 0);
        float value = op->seconds + (op->high - op->seconds) * unit;
        out[i] = value < op->high || op->high == op->seconds ? value : op->seconds;
    }
}
