// Stepping a network: rows in batches, and programs inside of programs.

#include "signal/run/run.h"

#include <alloca.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

void signal_run_problem(SignalFrame *frame, FiloCode code, const char *format, ...) {
    if (frame->run->problem->code != FILO_OK) return;
    char text[FILO_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    *frame->run->problem = filo_error(code, "%s: %s", frame->run->network->name, text);
}

// ---- Inspection -----------------------------------------------------------------------------------------------------

static void visit_registers(const SignalFrame *frame) {
    const SignalProgram *p = frame->program;
    char path[160];
    for (uint32_t i = 0; i < p->register_count; i++) {
        const SignalRegister *r = &p->registers[i];
        if (r->type == NULL || r->alias != 0 || frame->registers[i] == NULL) continue;
        bool event = r->presence;
        const char *dot = frame->path[0] != '\0' ? "." : "";
        if (r->name != NULL)
            (void)snprintf(path, sizeof path, "%s%s%s%s", frame->path, dot, r->name, event ? "?" : "");
        else
            (void)snprintf(path, sizeof path, "%s%ssignal %u", frame->path, dot, i);
        bool written = false;
        for (uint32_t k = 0; k < p->op_count && !written; k++) {
            const SignalOp *op = &p->ops[k];
            written = op->out[0] == i || op->out[1] == i;
            for (uint32_t j = 0; j < op->result_count && !written; j++)
                written = p->operands[op->results + j] == i;
            if (written && r->name == NULL)
                (void)snprintf(path, sizeof path, "%s%s%s %u%s", frame->path, dot,
                               signal_kind_names[op->kind], op->node, event ? "?" : "");
        }
        for (uint32_t k = 0; k < p->input_count; k++) written = written || p->input_registers[k] == i;
        if (written) frame->run->visit(path, r->type, frame->registers[i], true, frame->run->visit_user);
    }
}

// ---- Programs ---------------------------------------------------------------------------------------------------------

static inline void run_ops(SignalFrame *frame, uint32_t begin, uint32_t end) {
    const SignalOp *ops = frame->program->ops;
    for (uint32_t i = begin; i < end; i++) {
        uint8_t *scratch = frame->scratch;
        ops[i].run(frame, &ops[i]);
        frame->scratch = scratch;
    }
}

void signal_run_program(SignalFrame *frame) {
    if (!frame->init && frame->program->repair_count > 0) signal_repair_state(frame);
    run_ops(frame, 0, frame->program->op_count);
    if (FILO_UNLIKELY(frame->run->visit != NULL)) visit_registers(frame);
}

void signal_frame_init(SignalFrame *frame, const SignalProgram *program, SignalFrame *outer) {
    uint8_t *memory = signal_scratch(outer, program->own_scratch);
    frame->program = program;
    frame->run = outer->run;
    frame->registers = (void **)(void *)memory;
    for (uint32_t i = 0; i < program->register_count; i++) frame->registers[i] = memory + program->offsets[i];
    frame->scratch = outer->scratch;
    frame->path = outer->path;
    frame->draws = NULL;
}

// Copies the values of some rows.
static void gather(void *to, const void *from, const uint32_t *rows, size_t count, size_t size) {
    if (size == 4) {
        uint32_t *t = to;
        const uint32_t *f = from;
        for (size_t i = 0; i < count; i++) t[i] = f[rows[i]];
    } else if (size == 1) {
        uint8_t *t = to;
        const uint8_t *f = from;
        for (size_t i = 0; i < count; i++) t[i] = f[rows[i]];
    } else {
        for (size_t i = 0; i < count; i++)
            memcpy((uint8_t *)to + i * size, (const uint8_t *)from + rows[i] * size, size);
    }
}

void signal_call(SignalFrame *outer, const SignalCall *call, SignalFrame *frame) {
    const SignalProgram *p = call->program;
    const char *path = outer->path;
    char joined[128];
    if (FILO_UNLIKELY(outer->run->visit != NULL) && call->name != NULL) {
        (void)snprintf(joined, sizeof joined, "%s%s%s", path, path[0] != '\0' ? "." : "", call->name);
        path = joined;
    }
    uint8_t *states = call->rows != NULL ? signal_scratch(outer, call->count * p->state_size) : NULL;
    SignalDraw *draws =
        call->rows != NULL && p->random ? signal_scratch(outer, call->count * sizeof *draws) : NULL;
    signal_frame_init(frame, p, outer);
    frame->path = path;
    frame->count = call->count;
    frame->delta = call->delta;
    frame->init = call->init;
    frame->draws = outer->draws;
    if (call->rows == NULL) { // all rows: in place
        frame->state = outer->state + call->state;
        frame->stride = outer->stride;
        for (uint32_t i = 0; i < p->input_count; i++)
            if (p->used[i])
                frame->registers[p->input_registers[i]] = outer->registers[call->operands[p->inputs[i]]];
        signal_run_program(frame);
        frame->path = outer->path;
        return;
    }
    frame->state = states;
    frame->stride = p->state_size;
    for (uint32_t i = 0; i < p->input_count; i++)
        if (p->used[i])
            gather(frame->registers[p->input_registers[i]], outer->registers[call->operands[p->inputs[i]]],
                   call->rows, call->count, p->registers[p->input_registers[i]].size);
    if (draws != NULL && outer->draws != NULL) {
        for (size_t i = 0; i < call->count; i++) draws[i] = outer->draws[call->rows[i]];
        frame->draws = draws;
    }
    for (size_t i = 0; i < call->count; i++)
        memcpy(states + i * p->state_size, outer->state + call->rows[i] * outer->stride + call->state,
               p->state_size);
    signal_run_program(frame);
    for (size_t i = 0; i < call->count; i++)
        memcpy(outer->state + call->rows[i] * outer->stride + call->state, states + i * p->state_size,
               p->state_size);
    frame->path = outer->path;
}

// ---- Steps ------------------------------------------------------------------------------------------------------------

// The rows from `begin` on that all have started, or all have not: at most `limit`.
static size_t equal_rows(const FiloNetwork *network, const FiloSfRows *rows, size_t begin, size_t limit,
                         bool *started) {
    size_t stride = network->state_size, count = 0;
    const uint8_t *states = rows->states;
    while (count < limit && begin + count < rows->count) {
        uint64_t id;
        memcpy(&id, states + (begin + count) * stride, sizeof id);
        bool has = (uint32_t)id == network->id;
        if (count == 0) *started = has;
        if (has != *started) break;
        count++;
    }
    return count;
}

// Fills values of events that do not occur with zeroes, so that what is written does not depend on earlier rows.
static void clear_absent(uint8_t *values, const uint8_t *presence, size_t count, size_t size) {
    for (size_t i = 0; i < count; i++)
        if (!presence[i]) memset(values + i * size, 0, size);
}

static void set_inputs(SignalFrame *frame, const FiloNetwork *network, const FiloSfRows *rows, size_t begin,
                       bool first) {
    const SignalProgram *p = frame->program;
    for (uint32_t i = 0; i < network->input_count; i++) {
        uint32_t r = p->input_registers[i], size = p->registers[r].size;
        if (!p->used[i]) continue;
        if (rows->inputs[i] != NULL && !rows->same[i]) {
            // Kernels only read registers of inputs.
            frame->registers[r] = (uint8_t *)rows->inputs[i] + begin * size; // NOLINT
            if (p->registers[r].repair) signal_repair_input(frame, r, network->inputs[i].type);
            continue;
        }
        if (!first) continue; // filled already
        uint8_t *values = frame->registers[r];
        for (size_t k = 0; k < network->batch; k++) {
            if (rows->inputs[i] == NULL)
                memset(values + k * size, 0, size);
            else
                memcpy(values + k * size, rows->inputs[i], size);
            if (p->registers[r].repair) signal_repair(network->inputs[i].type, values + k * size);
        }
    }
}

// Values that are always there are written to where they are wanted, unless an input is there too.
static void find_direct(const FiloNetwork *network, const FiloSfRows *rows, bool *direct) {
    for (uint32_t i = 0; i < network->output_count; i++) {
        direct[i] = rows->outputs[i] != NULL && network->output_direct[i];
        for (uint32_t k = 0; k < network->input_count; k++)
            direct[i] = direct[i] && rows->inputs[k] != rows->outputs[i];
    }
}

static void set_outputs(SignalFrame *frame, const FiloNetwork *network, const FiloSfRows *rows,
                        const bool *direct, size_t begin) {
    const SignalProgram *p = frame->program;
    for (uint32_t i = 0; i < network->output_count; i++) {
        uint32_t r = p->outputs[i];
        if (direct[i]) frame->registers[r] = (uint8_t *)rows->outputs[i] + begin * p->registers[r].size;
    }
}

static void copy_outputs(const SignalFrame *frame, const FiloNetwork *network, const FiloSfRows *rows,
                         const bool *direct, size_t begin) {
    const SignalProgram *p = frame->program;
    for (uint32_t i = 0; i < network->output_count; i++) {
        if (rows->outputs[i] == NULL || direct[i]) continue;
        uint32_t r = p->outputs[i], size = p->registers[r].size;
        uint8_t *to = (uint8_t *)rows->outputs[i] + begin * size;
        memcpy(to, frame->registers[r], frame->count * size);
        uint32_t presence = network->output_presence[i];
        if (presence != 0) clear_absent(to, frame->registers[p->outputs[presence - 1]], frame->count, size);
    }
}

// Rows that have not started become all zeroes, with the id of the network.
static void start_rows(SignalFrame *frame, const FiloNetwork *network) {
    for (size_t i = 0; i < frame->count; i++) {
        uint8_t *state = frame->state + i * frame->stride;
        uint64_t id;
        memcpy(&id, state, sizeof id);
        if (id != 0)
            signal_run_problem(frame, FILO_ERROR_DATA,
                               "the state of an object is that of another network, or memory that was not "
                               "zeroed: it starts again");
        memset(state, 0, network->state_size);
        id = network->id;
        memcpy(state, &id, sizeof id);
    }
}

// The number of the sample is in the upper half of the first word of a state.
static void count_samples(const SignalFrame *frame, const FiloSfRows *rows, size_t begin, SignalDraw *draws) {
    for (size_t i = 0; i < frame->count; i++) {
        uint64_t word;
        memcpy(&word, frame->state + i * frame->stride, sizeof word);
        draws[i] =
            (SignalDraw){ rows->ids != NULL ? rows->ids[begin + i] : begin + i, (uint32_t)(word >> 32) };
        word += UINT64_C(1) << 32;
        memcpy(frame->state + i * frame->stride, &word, sizeof word);
    }
}

static FiloResult step(const FiloNetwork *network, const FiloSfRows *rows, FiloSfVisit visit, void *user) {
    FiloResult problem = { .code = FILO_OK };
    problem.message[0] = '\0';
    const SignalProgram *p = network->program;
    size_t scratch_size = p->scratch + 64, draws_size = p->random ? network->batch * sizeof(SignalDraw) : 0;
    uint8_t *memory = alloca(scratch_size + 64 + draws_size);
    memory = (uint8_t *)(((uintptr_t)memory + 63) & ~(uintptr_t)63);
    SignalDraw *draws = p->random ? (SignalDraw *)(void *)(memory + scratch_size) : NULL;
    SignalRun run = { .network = network,
                      .seed = rows->seed,
                      .problem = &problem,
                      .visit = visit,
                      .visit_user = user,
                      .scratch_end = memory + scratch_size };
    SignalFrame start = { .run = &run, .scratch = memory, .path = "" }, frame;
    signal_frame_init(&frame, p, &start);
    frame.stride = network->state_size;
    bool first = true, direct[FILO_SF_LEAVES];
    find_direct(network, rows, direct);
    size_t count;
    for (size_t begin = 0; begin < rows->count; begin += count) {
        bool started = false;
        count = equal_rows(network, rows, begin, network->batch, &started);
        frame.state = (uint8_t *)rows->states + begin * network->state_size;
        frame.init = !started;
        frame.delta = started ? rows->delta : 0.0f;
        frame.count = count;
        if (!started) start_rows(&frame, network);
        if (draws != NULL) {
            count_samples(&frame, rows, begin, draws);
            frame.draws = draws;
        }
        set_inputs(&frame, network, rows, begin, first);
        if (first) { // constants are the same in all batches
            frame.count = network->batch;
            run_ops(&frame, 0, p->constant_count);
            first = false;
        }
        frame.count = count;
        set_outputs(&frame, network, rows, direct, begin);
        if (started && p->repair_count > 0) signal_repair_state(&frame);
        run_ops(&frame, p->constant_count, p->op_count);
        if (FILO_UNLIKELY(visit != NULL)) visit_registers(&frame);
        copy_outputs(&frame, network, rows, direct, begin);
    }
    return problem;
}

static FiloResult check_rows(const FiloNetwork *network, const FiloSfRows *rows) {
    if (network == NULL || rows == NULL) return FILO_MISTAKE("pass a network, and its rows");
    if (rows->count > 0 && rows->states == NULL)
        return FILO_MISTAKE("%s: pass the states of the rows", network->name);
    if (!(rows->delta >= 0.0f) || isinf(rows->delta))
        return FILO_MISTAKE("%s: the seconds since the last step are %g: pass a finite number, not negative",
                            network->name, (double)rows->delta);
    return filo_ok();
}

FiloResult filo_network_step(const FiloNetwork *network, const FiloSfRows *rows) {
    FiloResult r = check_rows(network, rows);
    return r.code == FILO_OK ? step(network, rows, NULL, NULL) : r;
}

FiloResult filo_network_inspect(const FiloNetwork *network, const FiloSfRows *row, FiloSfVisit visit,
                                void *user) {
    FiloResult r = check_rows(network, row);
    if (r.code != FILO_OK) return r;
    if (visit == NULL || row->count != 1)
        return FILO_MISTAKE("%s: pass one row, and a function to visit its signals", network->name);
    return step(network, row, visit, user);
}

// ---- Reactimate -------------------------------------------------------------------------------------------------------

FiloResult filo_network_reactimate(const FiloNetwork *network, const FiloReactimate *desc) {
    if (network == NULL || desc == NULL || desc->sense == NULL || desc->actuate == NULL)
        return FILO_MISTAKE("pass a network, a function that senses and one that actuates");
    // One value of each leaf, and the state.
    size_t sizes = 0;
    for (uint32_t i = 0; i < network->input_count; i++)
        sizes += (network->inputs[i].type->size + 15) & ~(size_t)15;
    for (uint32_t i = 0; i < network->output_count; i++)
        sizes += (network->outputs[i].type->size + 15) & ~(size_t)15;
    size_t state_size = desc->state == NULL ? network->state_size : 0;
    uint8_t *memory = filo_alloc_zero(&network->allocator, sizes + state_size + 16, 16);
    if (memory == NULL) return filo_error(FILO_ERROR_MEMORY, "%s: no memory for a state", network->name);
    uint8_t *at = memory + ((state_size + 15) & ~(size_t)15);
    FiloSfRows rows = { .count = 1,
                        .states = desc->state != NULL ? desc->state : memory,
                        .seed = desc->seed };
    void *inputs[FILO_SF_LEAVES] = { NULL };
    for (uint32_t i = 0; i < network->input_count; i++) {
        rows.inputs[i] = inputs[i] = at;
        at += (network->inputs[i].type->size + 15) & ~(size_t)15;
    }
    for (uint32_t i = 0; i < network->output_count; i++) {
        rows.outputs[i] = at;
        at += (network->outputs[i].type->size + 15) & ~(size_t)15;
    }
    FiloResult r = filo_ok();
    while (r.code == FILO_OK) {
        float delta = desc->sense(inputs, desc->user);
        if (delta < 0.0f) break;
        rows.delta = delta;
        r = filo_network_step(network, &rows);
        if (!desc->actuate((const void *const *)rows.outputs, desc->user)) break;
    }
    filo_free(&network->allocator, memory, sizes + state_size + 16, 16);
    return r;
}
