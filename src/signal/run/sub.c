// Kernels of functions that stand still at times, and of functions that can be handed over.

#include "signal/run/run.h"

#include <float.h>

// Runs the program of an operation for some rows, those that start and those that go on. `done` gets the results.
typedef void (*Done)(SignalFrame *frame, const SignalOp *op, const SignalFrame *inner, const uint32_t *rows,
                     size_t count);

static void run_some(SignalFrame *frame, const SignalOp *op, const uint32_t *active, size_t active_count,
                     Done done) {
    uint32_t *rows = signal_scratch(frame, active_count * sizeof *rows);
    for (int init = 0; init < 2; init++) {
        size_t count = 0;
        for (size_t i = 0; i < active_count; i++) {
            SignalArea area;
            memcpy(&area, signal_state_at(frame, op, active[i]), sizeof area);
            if ((area.status == SIGNAL_AREA_NEW) == (init == 1)) rows[count++] = active[i];
        }
        if (count == 0) continue;
        uint8_t *scratch = frame->scratch;
        SignalFrame inner;
        signal_call(frame,
                    &(SignalCall){ .program = op->program,
                                   .operands = frame->program->operands + op->more,
                                   .state = op->state + (uint32_t)sizeof(SignalArea),
                                   .count = count,
                                   .init = init == 1,
                                   .rows = count == frame->count ? NULL : rows,
                                   .delta = init == 1 ? 0.0f : frame->delta },
                    &inner);
        for (size_t i = 0; i < count; i++) {
            SignalArea area = { .status = SIGNAL_AREA_RUNNING };
            memcpy(signal_state_at(frame, op, rows[i]), &area, sizeof area);
        }
        done(frame, op, &inner, rows, count);
        frame->scratch = scratch;
        if (init == 0 && count == active_count) break; // none is left to start
    }
}

// Copies results to the registers of the operation.
static void scatter(SignalFrame *frame, const SignalOp *op, const SignalFrame *inner, const uint32_t *rows,
                    size_t count) {
    for (uint32_t k = 0; k < op->result_count; k++) {
        uint32_t r = frame->program->operands[op->results + k], size = frame->program->registers[r].size;
        uint8_t *to = frame->registers[r];
        const uint8_t *from = inner->registers[inner->program->outputs[k]];
        for (size_t i = 0; i < count; i++) memcpy(to + rows[i] * size, from + i * size, size);
    }
}

// ---- Pause ------------------------------------------------------------------------------------------------------------

static void hold_results(SignalFrame *frame, const SignalOp *op, const SignalFrame *inner,
                         const uint32_t *rows, size_t count) {
    uint32_t offset = op->number;
    for (uint32_t k = 0; k < op->result_count; k++) {
        uint32_t size = inner->program->registers[inner->program->outputs[k]].size;
        const uint8_t *from = inner->registers[inner->program->outputs[k]];
        for (size_t i = 0; i < count; i++)
            memcpy(signal_state_at(frame, op, rows[i]) + offset, from + i * size, size);
        offset += signal_align(size, 8);
    }
}

SIGNAL_KERNEL(pause) {
    const uint8_t *paused = frame->registers[op->in[0]];
    uint32_t *active = signal_scratch(frame, frame->count * sizeof *active);
    size_t count = 0;
    uint32_t held = 0;
    for (uint32_t k = 0; k < op->result_count; k++)
        held += signal_align(frame->program->registers[frame->program->operands[op->results + k]].size, 8);
    for (size_t i = 0; i < frame->count; i++) {
        if (frame->init) {
            memset(signal_state_at(frame, op, i), 0, op->number);
            memcpy(signal_state_at(frame, op, i) + op->number, op->data, held);
        }
        if (!paused[i]) active[count++] = (uint32_t)i;
    }
    run_some(frame, op, active, count, hold_results);
    uint32_t offset = op->number;
    for (uint32_t k = 0; k < op->result_count; k++) {
        uint32_t r = frame->program->operands[op->results + k], size = frame->program->registers[r].size;
        uint8_t *to = frame->registers[r];
        for (size_t i = 0; i < frame->count; i++)
            memcpy(to + i * size, signal_state_at(frame, op, i) + offset, size);
        offset += signal_align(size, 8);
    }
    signal_repair_outputs(frame, op);
}

// ---- Left and right -----------------------------------------------------------------------------------------------------

SIGNAL_KERNEL(choice) {
    const uint8_t *left = frame->registers[op->in[0]];
    uint32_t *active = signal_scratch(frame, frame->count * sizeof *active);
    size_t count = 0;
    for (size_t i = 0; i < frame->count; i++) {
        if (frame->init) memset(signal_state_at(frame, op, i), 0, op->number);
        if (left[i] == op->flag) active[count++] = (uint32_t)i;
    }
    for (uint32_t k = 0; k < op->result_count; k++) {
        uint32_t r = frame->program->operands[op->results + k];
        memset(frame->registers[r], 0, frame->count * frame->program->registers[r].size);
    }
    run_some(frame, op, active, count, scatter);
}

// ---- Functions that can be handed over ------------------------------------------------------------------------------------

// Copies what the function uses of outer branches into its area, where it is constant.
static void store_captures(SignalFrame *frame, const SignalOp *op) {
    const SignalFrozen *f = op->frozen;
    for (uint32_t k = 0; k < f->capture_count; k++) {
        uint32_t r = frame->program->operands[op->more + f->env_count + k];
        if (f->capture_branches[k] == 0 || r == SIGNAL_NO_REGISTER) continue;
        const uint8_t *from = frame->registers[r];
        for (size_t i = 0; i < frame->count; i++)
            memcpy(signal_state_at(frame, op, i) + f->capture_offsets[k], from + i * f->capture_sizes[k],
                   f->capture_sizes[k]);
    }
}

// The rows of a run have the same status, and the same seconds to pass.
static size_t equal_areas(const SignalFrame *frame, const SignalOp *op, size_t begin, SignalArea *area) {
    size_t end = begin + 1;
    memcpy(area, signal_state_at(frame, op, begin), sizeof *area);
    while (end < frame->count && memcmp(signal_state_at(frame, op, end), area, sizeof *area) == 0) end++;
    return end;
}

SIGNAL_KERNEL(area) {
    const SignalFrozen *f = op->frozen;
    const SignalProgram *p = f->program;
    if (op->flag) store_captures(frame, op);
    if (op->out[0] != SIGNAL_NO_REGISTER) {
        uint8_t *saved = frame->registers[op->out[0]];
        for (size_t i = 0; i < frame->count; i++)
            memcpy(saved + i * op->size, signal_state_at(frame, op, i), op->size);
    }
    size_t end;
    for (size_t begin = 0; begin < frame->count; begin = end) {
        SignalArea area;
        end = equal_areas(frame, op, begin, &area);
        uint8_t *scratch = frame->scratch;
        SignalFrame inner;
        signal_frame_init(&inner, p, frame);
        inner.state = frame->state + begin * frame->stride + op->state + f->offset;
        inner.stride = frame->stride;
        inner.count = end - begin;
        inner.init = area.status == SIGNAL_AREA_NEW;
        bool damaged = !(area.pending >= 0.0f && area.pending <= FLT_MAX);
        float pending = damaged ? 0.0f : area.pending;
        inner.delta = inner.init ? 0.0f : area.status == SIGNAL_AREA_FROZEN ? pending : frame->delta;
        inner.draws = frame->draws != NULL ? frame->draws + begin : NULL;
        for (uint32_t k = 0; k < p->input_count; k++) {
            if (!p->used[k]) continue;
            uint32_t r = p->input_registers[k], size = p->registers[r].size;
            if (p->inputs[k] < f->env_count || f->capture_roots[p->inputs[k] - f->env_count] != 0) {
                uint8_t *from = frame->registers[frame->program->operands[op->more + p->inputs[k]]];
                inner.registers[r] = from + begin * size;
                continue;
            }
            uint8_t *to = inner.registers[r];
            uint32_t offset = f->capture_offsets[p->inputs[k] - f->env_count];
            for (size_t i = begin; i < end; i++)
                memcpy(to + (i - begin) * size, signal_state_at(frame, op, i) + offset, size);
            signal_repair_register(&inner, r);
        }
        signal_run_program(&inner);
        for (uint32_t k = 0; k < op->result_count; k++) {
            uint32_t r = frame->program->operands[op->results + k], size = frame->program->registers[r].size;
            memcpy((uint8_t *)frame->registers[r] + begin * size, inner.registers[p->outputs[k]],
                   (end - begin) * size);
        }
        for (size_t i = begin; i < end; i++) {
            SignalArea running = { .status = SIGNAL_AREA_RUNNING };
            memcpy(signal_state_at(frame, op, i), &running, sizeof running);
        }
        frame->scratch = scratch;
    }
}
