// Kernels of events. A presence is 1 where an event occurs, and 0 elsewhere.

#include "signal/run/run.h"

#include <filo/random.h>
#include <filo/scalar.h>
#include <float.h>
#include <math.h>

#define IN(k, Type)  ((const Type *)frame->registers[op->in[k]])
#define OUT(k, Type) ((Type *)frame->registers[op->out[k]])

SIGNAL_KERNEL(now) { memset(OUT(0, void), frame->init, frame->count); }

// ---- Sources ------------------------------------------------------------------------------------------------------------

static void list_add(FiloSfList *list, const FiloType *type, const void *value) {
    if (list->count == list->capacity) return;
    list->count++;
    if (type == NULL) return;
    // The element is inside the list, which is not const.
    memcpy((void *)filo_sf_list_at(list, type, list->count - 1), value, type->size); // NOLINT
}

// Times, then values: `number` of them. The time in the state is relative to the next event.
SIGNAL_KERNEL(after_each) {
    const float *seconds = op->data;
    const uint8_t *values = (const uint8_t *)op->data + signal_align(op->number * 4, 16);
    uint8_t *present = OUT(0, uint8_t), *out = op->out[1] != SIGNAL_NO_REGISTER ? OUT(1, uint8_t) : NULL;
    if (out != NULL) memset(out, 0, frame->count * op->size);
    for (size_t i = 0; i < frame->count; i++) {
        SignalAfter a = { 0 };
        if (!frame->init) memcpy(&a, signal_state_at(frame, op, i), sizeof a);
        double time = frame->init ? -(double)seconds[0] : a.time + (double)frame->delta;
        if (frame->init && time == 0.0) time = 0.0; // not −0
        present[i] = a.index < op->number && time >= 0.0;
        FiloSfList *list = op->flag ? (FiloSfList *)(void *)(out + i * op->size) : NULL;
        if (list != NULL) list->capacity = (uint16_t)op->number;
        for (bool first = true; a.index < op->number && time >= 0.0; first = false) {
            const uint8_t *value = values + (size_t)a.index * op->lanes;
            if (list != NULL)
                list_add(list, op->type, value);
            else if (first && out != NULL)
                memcpy(out + i * op->size, value, op->size);
            if (++a.index < op->number) time -= (double)seconds[a.index];
        }
        a.time = time;
        memcpy(signal_state_at(frame, op, i), &a, sizeof a);
    }
}

// Advances a repeating time. Returns how many events are due.
static uint32_t repeat(double *time, double delta, double period) {
    if (!(*time >= -period && *time <= DBL_MAX)) *time = -period; // damaged
    *time += delta;
    if (*time < 0.0) return 0;
    uint32_t due = 1;
    double beyond = *time; // since the event that is due
    if (beyond / period > 4096.0) {
        double rest = fmod(beyond, period);
        double more = (beyond - rest) / period;
        due = more > 1e9 ? 1000000000u : due + (uint32_t)more;
        beyond = rest;
    }
    while (beyond - period >= 0.0) {
        beyond -= period;
        due++;
    }
    *time = beyond - period;
    return due;
}

SIGNAL_KERNEL(repeatedly) {
    uint8_t *present = OUT(0, uint8_t);
    for (size_t i = 0; i < frame->count; i++) {
        SignalAfter a = { .time = -(double)op->seconds };
        present[i] = 0;
        if (!frame->init) {
            memcpy(&a, signal_state_at(frame, op, i), sizeof a);
            present[i] = repeat(&a.time, (double)frame->delta, (double)op->seconds) > 0;
        }
        memcpy(signal_state_at(frame, op, i), &a, sizeof a);
    }
}

// The window is in the state, behind the time.
SIGNAL_KERNEL(sample_window) {
    const uint8_t *in = IN(0, uint8_t);
    uint8_t *present = OUT(0, uint8_t), *out = OUT(1, uint8_t);
    size_t size = op->type->size;
    memset(out, 0, frame->count * op->size);
    for (size_t i = 0; i < frame->count; i++) {
        uint8_t *state = signal_state_at(frame, op, i);
        FiloSfList *list = (FiloSfList *)(void *)(state + sizeof(SignalAfter));
        SignalAfter a = { .time = -(double)op->seconds };
        uint32_t due = 0;
        if (frame->init)
            *list = (FiloSfList){ .capacity = (uint16_t)op->number };
        else {
            memcpy(&a, state, sizeof a);
            if (list->count > op->number || list->capacity != op->number || list->keyed != 0) // damaged
                *list = (FiloSfList){ .capacity = (uint16_t)op->number };
            due = repeat(&a.time, (double)frame->delta, (double)op->seconds);
        }
        memcpy(state, &a, sizeof a);
        present[i] = due > 0;
        for (uint32_t k = due < op->number ? due : op->number; k > 0; k--) {
            if (list->count == list->capacity) {                                 // the oldest goes
                uint8_t *values = (uint8_t *)filo_sf_list_at(list, op->type, 0); // NOLINT: inside the state
                memmove(values, values + size, (list->count - 1) * size);
                list->count--;
            }
            list_add(list, op->type, in + i * size);
        }
        if (due > 0) memcpy(out + i * op->size, list, op->size);
    }
    signal_repair_outputs(frame, op);
}

SIGNAL_KERNEL(occasionally) {
    uint8_t *present = OUT(0, uint8_t);
    float probability = frame->init ? 0.0f : 1.0f - filo_exp(-(frame->delta / op->seconds));
    for (size_t i = 0; i < frame->count; i++) {
        SignalDraw draw = frame->draws[i];
        present[i] =
            filo_random_float_at(frame->run->seed, draw.sample, op->number, draw.id, 0) < probability;
    }
}

SIGNAL_KERNEL(edge) {
    const uint8_t *in = IN(0, uint8_t);
    uint8_t *present = OUT(0, uint8_t), *state = frame->state + op->state;
    for (size_t i = 0; i < frame->count; i++, state += frame->stride) {
        uint8_t before = frame->init ? op->flag : *state;
        present[i] = in[i] & (before ^ 1);
        *state = in[i];
    }
}

SIGNAL_KERNEL(edge_by) {
    const uint8_t *in = IN(0, uint8_t);
    uint8_t *before = signal_scratch(frame, frame->count * op->lanes);
    for (size_t i = 0; i < frame->count; i++)
        memcpy(before + i * op->lanes, frame->init ? op->data : signal_state_at(frame, op, i), op->lanes);
    const void *arguments[4] = { before, in, NULL, NULL };
    memset(OUT(0, void), 0, frame->count * op->size);
    op->rows(frame->count, arguments, OUT(0, void), OUT(1, uint8_t));
    for (size_t i = 0; i < frame->count; i++)
        memcpy(signal_state_at(frame, op, i), in + i * op->lanes, op->lanes);
}

// ---- Counting -----------------------------------------------------------------------------------------------------------

// How many events of each row are left, in the state.
static void count_down(SignalFrame *frame, const SignalOp *op, bool take) {
    const uint8_t *in = IN(0, uint8_t);
    uint8_t *present = OUT(0, uint8_t);
    for (size_t i = 0; i < frame->count; i++) {
        uint32_t left = op->number;
        if (!frame->init) memcpy(&left, signal_state_at(frame, op, i), sizeof left);
        present[i] = in[i] && (left > 0) == take;
        if (in[i] && left > 0) left--;
        memcpy(signal_state_at(frame, op, i), &left, sizeof left);
    }
}
SIGNAL_KERNEL(take_events) { count_down(frame, op, true); }
SIGNAL_KERNEL(drop_events) { count_down(frame, op, false); }

SIGNAL_KERNEL(count) {
    const uint8_t *in = IN(0, uint8_t);
    int32_t *out = OUT(0, int32_t);
    for (size_t i = 0; i < frame->count; i++) {
        uint32_t n = 0;
        if (!frame->init) memcpy(&n, signal_state_at(frame, op, i), sizeof n);
        n += in[i];
        memcpy(signal_state_at(frame, op, i), &n, sizeof n);
        out[i] = in[i] ? (int32_t)n : 0;
    }
}

// ---- Accumulating ------------------------------------------------------------------------------------------

// Updates the accumulator of a row, in its state. Without a function it is a sum of floats.
static void accumulate(const SignalOp *op, uint8_t *accumulator, const void *value, void *result) {
    if (op->rows == NULL) {
        float *sum = (float *)(void *)accumulator;
        const float *add = value;
        for (uint32_t k = 0; k < op->lanes; k++) sum[k] += add[k];
        return;
    }
    memcpy(result, accumulator, op->size); // aligned for every type
    uint8_t *next = (uint8_t *)result + ((op->size + 63u) & ~63u);
    const void *arguments[4] = { result, value, NULL, NULL };
    op->rows(1, arguments, next, NULL);
    memcpy(accumulator, next, op->size);
}

static inline size_t value_size(const SignalOp *op) { return op->rows == NULL ? op->size : op->lanes; }

SIGNAL_KERNEL(accum_hold) {
    const uint8_t *in = IN(0, uint8_t), *values = IN(1, uint8_t);
    uint8_t *out = OUT(0, uint8_t);
    void *result = signal_scratch(frame, 2 * ((op->size + 63u) & ~63u));
    for (size_t i = 0; i < frame->count; i++) {
        uint8_t *state = signal_state_at(frame, op, i);
        if (frame->init) memcpy(state, op->data, op->size);
        if (in[i]) accumulate(op, state, values + i * value_size(op), result);
        memcpy(out + i * op->size, state, op->size);
    }
}

SIGNAL_KERNEL(accum) {
    const uint8_t *in = IN(0, uint8_t), *values = IN(1, uint8_t);
    uint8_t *out = OUT(0, uint8_t);
    void *result = signal_scratch(frame, 2 * ((op->size + 63u) & ~63u));
    memset(out, 0, frame->count * op->size);
    for (size_t i = 0; i < frame->count; i++) {
        uint8_t *state = signal_state_at(frame, op, i);
        if (frame->init) memcpy(state, op->data, op->size);
        if (!in[i]) continue;
        accumulate(op, state, values + i * value_size(op), result);
        memcpy(out + i * op->size, state, op->size);
    }
}

// `number` is the size of the result.
SIGNAL_KERNEL(accum_filter) {
    const uint8_t *in = IN(0, uint8_t), *values = IN(1, uint8_t);
    uint8_t *out = OUT(0, uint8_t), *present = OUT(1, uint8_t);
    void *result = signal_scratch(frame, 2 * ((op->size + 63u) & ~63u));
    memset(out, 0, frame->count * op->number);
    memset(present, 0, frame->count);
    for (size_t i = 0; i < frame->count; i++) {
        uint8_t *state = signal_state_at(frame, op, i);
        if (frame->init) memcpy(state, op->data, op->size);
        if (!in[i]) continue;
        const uint8_t *value = values + i * op->lanes;
        accumulate(op, state, value, result);
        memcpy(result, state, op->size);
        const void *arguments[4] = { result, value, NULL, NULL };
        op->rows2(1, arguments, out + i * op->number, present + i);
    }
}

SIGNAL_KERNEL(merge_by) {
    const uint8_t *a = IN(0, uint8_t), *b = IN(1, uint8_t), *x = IN(2, uint8_t), *y = IN(3, uint8_t);
    uint8_t *out = OUT(0, uint8_t);
    for (size_t i = 0; i < frame->count; i++) {
        const void *arguments[4] = { x + i * op->size, y + i * op->size, NULL, NULL };
        if (a[i] && b[i])
            op->rows(1, arguments, out + i * op->size, NULL);
        else if (a[i] || b[i])
            memcpy(out + i * op->size, arguments[a[i] ? 0 : 1], op->size);
        else
            memset(out + i * op->size, 0, op->size);
    }
}

// ---- Delay of events ------------------------------------------------------------------------------------------------------

// A ring of pending events, each with the seconds between it and the one before. `lanes` bytes each, `number` of them.
static uint8_t *pending(const SignalOp *op, uint8_t *state, uint32_t n) {
    return state + sizeof(SignalDelayEvent) + (size_t)(n % op->number) * op->lanes;
}

SIGNAL_KERNEL(delay_event) {
    uint8_t *present = OUT(0, uint8_t), *out = op->out[1] != SIGNAL_NO_REGISTER ? OUT(1, uint8_t) : NULL;
    size_t out_size = out != NULL ? frame->program->registers[op->out[1]].size : 0;
    if (out != NULL) memset(out, 0, frame->count * out_size);
    for (size_t i = 0; i < frame->count; i++) {
        uint8_t *state = signal_state_at(frame, op, i);
        FiloSfList *list = op->flag ? (FiloSfList *)(void *)(out + i * out_size) : NULL;
        if (list != NULL) list->capacity = (uint16_t)op->number;
        if (op->in[0] != SIGNAL_NO_REGISTER) { // a delay of 0: a list of one
            present[i] = IN(0, uint8_t)[i];
            if (present[i]) list_add(list, op->type, op->size > 0 ? IN(1, uint8_t) + i * op->size : NULL);
            continue;
        }
        SignalDelayEvent d = { 0 };
        if (!frame->init) {
            memcpy(&d, state, sizeof d);
            if (d.count > op->number || d.head >= op->number) d = (SignalDelayEvent){ 0 }; // damaged
            d.next += (double)frame->delta;
            d.last += (double)frame->delta;
        }
        present[i] = d.count > 0 && d.next >= 0.0;
        for (bool first = true; d.count > 0 && d.next >= 0.0; first = false) {
            const uint8_t *value = pending(op, state, d.head) + sizeof(double);
            if (list != NULL)
                list_add(list, op->type, value);
            else if (first && out != NULL)
                memcpy(out + i * out_size, value, op->size);
            d.head = (d.head + 1) % op->number;
            if (--d.count == 0) break;
            double between;
            memcpy(&between, pending(op, state, d.head), sizeof between);
            d.next -= between;
        }
        memcpy(state, &d, sizeof d);
    }
    signal_repair_outputs(frame, op);
}

SIGNAL_KERNEL(delay_event_update) {
    const uint8_t *in = IN(0, uint8_t);
    for (size_t i = 0; i < frame->count; i++) {
        if (!in[i]) continue;
        uint8_t *state = signal_state_at(frame, op, i);
        SignalDelayEvent d;
        memcpy(&d, state, sizeof d);
        if (d.count == op->number) {
            signal_run_problem(frame, FILO_ERROR_LIMIT,
                               "delay_event %u of %g s is full: it has a capacity of %u events", op->node,
                               (double)op->seconds, op->number);
            continue;
        }
        double between = d.last + (double)op->seconds;
        if (d.count == 0) d.next = -(double)op->seconds;
        d.last = -(double)op->seconds;
        uint8_t *item = pending(op, state, d.head + d.count);
        memcpy(item, &between, sizeof between);
        if (op->size > 0) memcpy(item + sizeof between, IN(1, uint8_t) + i * op->size, op->size);
        d.count++;
        memcpy(state, &d, sizeof d);
    }
}
