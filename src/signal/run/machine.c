// Switches. The rows are grouped by the branch that they are in, and each group runs the program of its branch. Rows whose
// branch ends start the next one at the same instant, which may end at once too: this is repeated until none is left.

#include "signal/run/run.h"

#include <stdio.h>

// Rows that start a branch at this instant.
typedef struct Start {
    uint32_t row;
    uint16_t state;
    uint16_t hidden; // the output of an earlier branch is shown
} Start;

typedef struct Run {
    SignalFrame *frame;
    const SignalOp *op;
    const SignalMachine *m;
    const uint32_t *operands;
    Start *starts; // that follow from this round
    Start *spare;  // those of the round before, while it runs
    size_t start_count;
} Run;

static uint32_t state_number(const Run *run, size_t row) {
    SignalMachineState s;
    memcpy(&s, signal_state_at(run->frame, run->op, row), sizeof s);
    return s.state;
}

static uint8_t *area_of(const Run *run, size_t row) {
    return signal_state_at(run->frame, run->op, row) + sizeof(SignalMachineState);
}

// Makes a row begin a branch: its memory is cleared, and gets the parameter and the functions that are handed over.
static void begin_state(Run *run, size_t row, uint32_t target, const void *value,
                        const uint8_t *const olds[FILO_SF_OLDS]) {
    const SignalState *s = &run->m->states[target];
    uint8_t *area = area_of(run, row), *scratch = run->frame->scratch, *copies[FILO_SF_OLDS] = { NULL };
    for (int i = 0; i < FILO_SF_OLDS && olds != NULL; i++) { // they may be in the memory that is cleared
        if (olds[i] == NULL || s->olds[i] == UINT32_MAX) continue;
        copies[i] = signal_scratch(run->frame, s->frozen[i]->size);
        memcpy(copies[i], olds[i], s->frozen[i]->size);
    }
    SignalMachineState header = { .state = target };
    memcpy(signal_state_at(run->frame, run->op, row), &header, sizeof header);
    memset(area, 0, run->m->area_size);
    if (value != NULL && s->parameter_size > 0) memcpy(area + s->parameter, value, s->parameter_size);
    for (int i = 0; i < FILO_SF_OLDS; i++)
        if (copies[i] != NULL) memcpy(area + s->olds[i], copies[i], s->frozen[i]->size);
    run->frame->scratch = scratch;
    if (s->edit != NULL)
        signal_pool_edit(s->edit_pool, area + s->edit_state, s->edit,
                         s->parameter_size > 0 ? area + s->parameter : NULL, run->frame);
}

// A function that is handed over is frozen: when it is resumed, it makes the step of this instant first.
static void freeze(SignalFrame *frame, uint8_t *saved) {
    SignalArea area;
    memcpy(&area, saved, sizeof area);
    if (area.status != SIGNAL_AREA_RUNNING) return; // it has not started, or is frozen already
    area.status = SIGNAL_AREA_FROZEN;
    area.pending = frame->delta;
    memcpy(saved, &area, sizeof area);
}

// Follows the first event of a row that occurs, if any. `i` is its number among the rows that ran.
static void follow(Run *run, const SignalState *s, const SignalFrame *inner, size_t row, size_t i,
                   bool hidden) {
    for (uint32_t t = 0; t < s->transition_count; t++) {
        const SignalTransition *way = &s->transitions[t];
        const uint32_t *outputs = s->body->outputs;
        if (!((const uint8_t *)inner->registers[outputs[way->presence]])[i]) continue;
        const void *value = NULL;
        if (way->value != SIGNAL_NO_REGISTER)
            value = (const uint8_t *)inner->registers[outputs[way->value]] +
                    i * s->body->registers[outputs[way->value]].size;
        const uint8_t *olds[FILO_SF_OLDS] = { NULL };
        for (int k = 0; k < FILO_SF_OLDS; k++) {
            uint32_t from = way->olds[k].from;
            if (way->olds[k].kind == SIGNAL_OLD_SAVED) {
                uint8_t *saved =
                    (uint8_t *)inner->registers[outputs[from]] + i * s->body->registers[outputs[from]].size;
                freeze(run->frame, saved);
                olds[k] = saved;
            } else if (way->olds[k].kind == SIGNAL_OLD_PASSED)
                olds[k] = area_of(run, row) + s->olds[from];
        }
        begin_state(run, row, way->target, value, olds);
        run->starts[run->start_count++] =
            (Start){ .row = (uint32_t)row, .state = (uint16_t)way->target, .hidden = hidden || way->delayed };
        return;
    }
}

// Runs the body of a state for some rows (NULL: all), shows its output where it is not hidden, and follows its events.
static void run_state(Run *run, uint32_t state, const uint32_t *rows, const uint8_t *hidden, size_t count,
                      bool init) {
    SignalFrame *frame = run->frame;
    const SignalState *s = &run->m->states[state];
    const SignalProgram *body = run->op->part == SIGNAL_SHOW ? s->shown : s->body;
    SignalFrame inner;
    uint8_t *scratch = frame->scratch;
    signal_call(frame,
                &(SignalCall){ .program = body,
                               .operands = run->operands,
                               .state = run->op->state + (uint32_t)sizeof(SignalMachineState),
                               .rows = rows,
                               .count = count,
                               .init = init,
                               .delta = init ? 0.0f : frame->delta,
                               .name = s->name },
                &inner);
    for (uint32_t k = 0; k < run->op->result_count; k++) {
        uint32_t r = frame->program->operands[run->op->results + k], size = frame->program->registers[r].size;
        uint8_t *to = frame->registers[r];
        const uint8_t *from = inner.registers[body->outputs[k]];
        if (rows == NULL && hidden == NULL) {
            memcpy(to, from, count * size);
            continue;
        }
        for (size_t i = 0; i < count; i++)
            if (hidden == NULL || !hidden[i])
                memcpy(to + (rows != NULL ? rows[i] : i) * size, from + i * size, size);
    }
    // signal_call has left the registers of the body in the scratch memory; what follows uses the memory behind them.
    frame->scratch = inner.scratch;
    for (uint32_t t = 0; t < s->transition_count; t++) {
        if (body->output_count <= s->transitions[t].presence)
            break; // delayed events, which are not computed yet
        const uint8_t *presence = inner.registers[s->body->outputs[s->transitions[t].presence]];
        if (memchr(presence, 1, count) == NULL) continue;
        for (size_t i = 0; i < count; i++)
            follow(run, s, &inner, rows != NULL ? rows[i] : i, i, hidden != NULL && hidden[i]);
        break;
    }
    frame->scratch = scratch;
}

#define CHASED 4 // branches that a report names at most

// Names the branches that a row has gone through last.
static void report_chase(Run *run, const uint16_t *path, int count) {
    char text[160] = "";
    size_t used = 0;
    for (int i = 0; i < count && used < sizeof text; i++) {
        int length = snprintf(text + used, sizeof text - used, "%s\"%s\"", i > 0 ? " → " : "",
                              run->m->states[path[i]].name);
        used += length > 0 ? (size_t)length : 0;
    }
    signal_run_problem(run->frame, FILO_ERROR_LIMIT,
                       "more than %d switches at one instant: %s. Use d_switch, not_yet or edge",
                       FILO_SF_SWITCHES, text);
}

// Starts branches until no row switches any more. Rows are grouped by branch, in the order of branches and rows.
static void run_starts(Run *run, uint32_t *rows, uint8_t *hidden) {
    uint16_t path[CHASED];
    uint32_t followed = 0;
    for (int round = 0; run->start_count > 0; round++) {
        Start *starts = run->starts;
        size_t count = run->start_count;
        int last = round - (FILO_SF_SWITCHES - CHASED + 1); // number of the branch in the report
        if (last >= 0) {
            size_t i = 0;
            while (i < count && (last == 0 || starts[i].row != followed)) i++;
            if (i == count) i = 0; // the first round of the report, or that row has come to rest: another one
            followed = starts[i].row;
            path[last] = starts[i].state;
        }
        run->starts = run->spare;
        run->spare = starts;
        run->start_count = 0;
        if (round == FILO_SF_SWITCHES) {
            report_chase(run, path, CHASED);
            return;
        }
        for (uint32_t state = 0; state < run->m->state_count; state++) {
            size_t some = 0;
            for (size_t i = 0; i < count; i++) {
                if (starts[i].state != state) continue;
                rows[some] = starts[i].row;
                hidden[some++] = (uint8_t)starts[i].hidden;
            }
            if (some > 0) run_state(run, state, rows, hidden, some, true);
        }
    }
}

// Events of a recurring switch. Rows that leave at once do not run their old branch: `skip` is set.
static void recurring(Run *run, uint8_t *skip, bool before) {
    SignalFrame *frame = run->frame;
    for (size_t i = 0; i < frame->count; i++) {
        if (before && skip[i]) continue; // it starts already
        for (uint32_t t = 0; t < run->m->recurring_count; t++) {
            const SignalTransition *way = &run->m->recurring[t];
            if (!((const uint8_t *)frame->registers[run->operands[way->presence]])[i]) continue;
            if (way->delayed == before) break;
            const void *value = NULL;
            if (way->value != SIGNAL_NO_REGISTER) {
                uint32_t r = run->operands[way->value];
                value = (const uint8_t *)frame->registers[r] + i * frame->program->registers[r].size;
            }
            begin_state(run, i, way->target, value, NULL);
            run->starts[run->start_count++] =
                (Start){ .row = (uint32_t)i, .state = (uint16_t)way->target, .hidden = way->delayed };
            skip[i] = before;
            break;
        }
    }
}

// A number that no state has is not ours: the row starts again.
static void repair(Run *run, uint8_t *skip) {
    for (size_t i = 0; i < run->frame->count; i++) {
        if (state_number(run, i) < run->m->state_count) continue;
        signal_run_problem(run->frame, FILO_ERROR_DATA, "the state of a switch is damaged: it starts again");
        begin_state(run, i, 0, run->m->initial, NULL);
        run->starts[run->start_count++] = (Start){ .row = (uint32_t)i };
        skip[i] = 1;
    }
}

static void run_machine(SignalFrame *frame, const SignalOp *op) {
    const SignalMachine *m = op->machine;
    bool delayed = m->recurring_count > 0 && m->recurring[0].delayed;
    Run run = { .frame = frame, .op = op, .m = m, .operands = frame->program->operands + op->more };
    size_t count = frame->count;
    run.starts = signal_scratch(frame, count * sizeof(Start));
    run.spare = signal_scratch(frame, count * sizeof(Start));
    uint32_t *rows = signal_scratch(frame, count * sizeof *rows);
    uint8_t *hidden = signal_scratch(frame, count), *skip = signal_scratch(frame, count);
    memset(skip, 0, count);
    if (frame->init)
        for (size_t i = 0; i < count; i++) begin_state(&run, i, 0, m->initial, NULL);
    else
        repair(&run, skip);
    if (m->recurring_count > 0 && !delayed) recurring(&run, skip, true);
    bool whole = run.start_count == 0;
    uint32_t first = state_number(&run, 0);
    for (size_t i = 1; i < count && whole; i++) whole = state_number(&run, i) == first;
    if (whole)
        run_state(&run, first, NULL, NULL, count, frame->init);
    else {
        // The branches are found before any row leaves its branch.
        uint16_t *numbers = signal_scratch(frame, count * sizeof *numbers);
        for (size_t i = 0; i < count; i++)
            numbers[i] = skip[i] ? UINT16_MAX : (uint16_t)state_number(&run, i);
        for (uint32_t state = 0; state < m->state_count; state++) {
            size_t some = 0;
            for (size_t i = 0; i < count; i++)
                if (numbers[i] == state) rows[some++] = (uint32_t)i;
            if (some > 0) run_state(&run, state, rows, NULL, some, frame->init);
        }
    }
    run_starts(&run, rows, hidden);
    if (delayed && op->part != SIGNAL_SHOW) { // the old branch has been followed to its end, and is shown
        recurring(&run, skip, false);
        run_starts(&run, rows, hidden);
    }
}

// The output of a switch that is split: on copies of the states.
static void show(SignalFrame *frame, const SignalOp *op) {
    size_t size = sizeof(SignalMachineState) + signal_align(op->machine->area_size, 8);
    SignalRun quiet = *frame->run; // branches are inspected when they advance
    quiet.visit = NULL;
    SignalFrame copies = *frame;
    copies.run = &quiet;
    copies.state = signal_scratch(&copies, frame->count * size);
    copies.stride = size;
    for (size_t i = 0; i < frame->count; i++)
        memcpy(copies.state + i * size, signal_state_at(frame, op, i),
               sizeof(SignalMachineState) + op->machine->area_size);
    SignalOp on_copies = *op;
    on_copies.state = 0;
    run_machine(&copies, &on_copies);
}

SIGNAL_KERNEL(machine) {
    if (op->part == SIGNAL_SHOW)
        show(frame, op);
    else
        run_machine(frame, op);
}
