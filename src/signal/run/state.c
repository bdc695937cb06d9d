// State becomes registers, and registers become state. The states of rows are structs, one after the other; a register is an
// array. Four words that are next to each other in the state are transposed four rows at a time.

#include "signal/run/run.h"

SIGNAL_KERNEL(load) {
    uint8_t *out = frame->registers[op->out[0]];
    size_t size = op->size;
    if (frame->init) {
        signal_fill(out, op->data, frame->count, size);
        return;
    }
    const uint8_t *state = frame->state + op->state;
    if (size == 4) {
        for (size_t i = 0; i < frame->count; i++) memcpy(out + i * 4, state + i * frame->stride, 4);
    } else if (size == 8) {
        for (size_t i = 0; i < frame->count; i++) memcpy(out + i * 8, state + i * frame->stride, 8);
    } else {
        for (size_t i = 0; i < frame->count; i++) memcpy(out + i * size, state + i * frame->stride, size);
    }
}

SIGNAL_KERNEL(store) {
    const uint8_t *in = frame->registers[op->in[0]];
    uint8_t *state = frame->state + op->state;
    size_t size = op->size;
    if (size == 4) {
        for (size_t i = 0; i < frame->count; i++) memcpy(state + i * frame->stride, in + i * 4, 4);
    } else if (size == 8) {
        for (size_t i = 0; i < frame->count; i++) memcpy(state + i * frame->stride, in + i * 8, 8);
    } else {
        for (size_t i = 0; i < frame->count; i++) memcpy(state + i * frame->stride, in + i * size, size);
    }
}

typedef int32_t Words __attribute__((vector_size(16)));

// Four rows of four words become four columns, or the other way round.
static inline void transpose(Words rows[4]) {
    Words a = __builtin_shufflevector(rows[0], rows[1], 0, 4, 1, 5),
          b = __builtin_shufflevector(rows[0], rows[1], 2, 6, 3, 7);
    Words c = __builtin_shufflevector(rows[2], rows[3], 0, 4, 1, 5),
          d = __builtin_shufflevector(rows[2], rows[3], 2, 6, 3, 7);
    rows[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    rows[1] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    rows[2] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    rows[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

SIGNAL_KERNEL(load4) {
    const uint32_t *results = frame->program->operands + op->results;
    uint32_t *out[4];
    for (int k = 0; k < 4; k++) out[k] = frame->registers[results[k]];
    if (frame->init) {
        const uint32_t *initial = op->data;
        for (size_t i = 0; i < frame->count; i++)
            for (int k = 0; k < 4; k++) out[k][i] = initial[k];
        return;
    }
    const uint8_t *state = frame->state + op->state;
    size_t stride = frame->stride, i = 0;
    for (; i + 4 <= frame->count; i += 4, state += 4 * stride) {
        Words rows[4];
        for (size_t k = 0; k < 4; k++) memcpy(&rows[k], state + k * stride, 16);
        transpose(rows);
        for (int k = 0; k < 4; k++) memcpy(out[k] + i, &rows[k], 16);
    }
    for (; i < frame->count; i++, state += stride)
        for (size_t k = 0; k < 4; k++) memcpy(out[k] + i, state + k * 4, 4);
}

SIGNAL_KERNEL(store4) {
    const uint32_t *in[4];
    for (int k = 0; k < 4; k++) in[k] = frame->registers[op->in[k]];
    uint8_t *state = frame->state + op->state;
    size_t stride = frame->stride, i = 0;
    for (; i + 4 <= frame->count; i += 4, state += 4 * stride) {
        Words rows[4];
        for (int k = 0; k < 4; k++) memcpy(&rows[k], in[k] + i, 16);
        transpose(rows);
        for (size_t k = 0; k < 4; k++) memcpy(state + k * stride, &rows[k], 16);
    }
    for (; i < frame->count; i++, state += stride)
        for (size_t k = 0; k < 4; k++) memcpy(state + k * 4, in[k] + i, 4);
}
