// The order of operations: each after those whose results it reads. Operations that nothing depends on are dropped. A cycle
// is a loop without a decoupled operation.
//
// The output of a delayed switch does not depend on its events. So a loop may lead from the output to the events, though one
// operation computes both. Such an operation is split when it is found in a cycle: SIGNAL_SHOW computes the output on copies
// of the states, by programs that have been reduced to what the output needs (signal_shown). SIGNAL_ADVANCE, which follows
// when all inputs are known, is the whole operation without its output. So rows of a split switch are computed twice; networks
// without such a loop are compiled without all this.

#include "signal/compile/compile.h"
#include "signal/run/run.h"

#include <stdio.h>
#include <stdlib.h>

// The register that another stands for.
static uint32_t resolve(const SignalProgram *p, uint32_t r) {
    while (p->registers[r].alias != 0) r = p->registers[r].alias - 1;
    return r;
}

enum { UNSEEN, ACTIVE, DONE };

typedef struct Order {
    SignalCompiler *c;
    SignalProgram *p;
    uint8_t *marks;     // of operations
    uint32_t *sequence; // operations in order
    uint32_t count;
    uint32_t *path; // operations that are being visited
    uint32_t path_count;
    uint32_t cycle; // the operation that a cycle came back to; UINT32_MAX: none
} Order;

// Where the cycle begins in the path: each operation there reads what the next one computes, and the last what the first does.
static uint32_t cycle_begin(const Order *o) {
    uint32_t begin = 0;
    while (begin < o->path_count && o->path[begin] != o->cycle) begin++;
    return begin;
}

static void report_cycle(Order *o) {
    char text[200] = "";
    size_t used = 0, begin = cycle_begin(o);
    uint32_t last = UINT32_MAX;
    for (size_t i = o->path_count; i > begin && used < sizeof text;
         i--) { // values flow from the last to the first
        uint32_t node = o->p->ops[o->path[i - 1]].node;
        if (node == last) continue;
        int length = snprintf(text + used, sizeof text - used, "%s%s", used > 0 ? " → " : "",
                              signal_label(o->c, node));
        used += length > 0 ? (size_t)length : 0;
        last = node;
    }
    (void)signal_fail(o->c, FILO_ERROR_DATA,
                      "a loop without delay: %s. Put an integral, i_pre, delay or d_hold into it", text);
    o->c->cyclic = true;
}

static bool visit(Order *o, uint32_t op);

static bool visit_register(Order *o, uint32_t r) {
    if (r == SIGNAL_NO_REGISTER) return true;
    r = resolve(o->p, r);
    return o->p->registers[r].producer == 0 || visit(o, o->p->registers[r].producer - 1);
}

static bool visit(Order *o, uint32_t op) {
    if (o->marks[op] == DONE) return true;
    if (o->marks[op] == ACTIVE || o->path_count > 20000) {
        o->cycle = op;
        return false;
    }
    o->marks[op] = ACTIVE;
    o->path[o->path_count++] = op;
    const SignalOp *p = &o->p->ops[op];
    bool good = true;
    for (int i = 0; i < 4 && good; i++) good = visit_register(o, p->in[i]);
    for (uint32_t i = 0; i < p->more_count && good; i++)
        good = visit_register(o, o->p->operands[p->more + i]);
    if (!good) return false;
    o->path_count--;
    o->marks[op] = DONE;
    o->sequence[o->count++] = op;
    return true;
}

static void resolve_all(SignalProgram *p) {
    for (uint32_t i = 0; i < p->op_count; i++)
        for (int k = 0; k < 4; k++)
            if (p->ops[i].in[k] != SIGNAL_NO_REGISTER) p->ops[i].in[k] = resolve(p, p->ops[i].in[k]);
    for (uint32_t i = 0; i < p->operand_count; i++)
        if (p->operands[i] != SIGNAL_NO_REGISTER) p->operands[i] = resolve(p, p->operands[i]);
    for (uint32_t i = 0; i < p->output_count; i++) p->outputs[i] = resolve(p, p->outputs[i]);
}

static void mark_used(SignalProgram *p, uint32_t r) {
    for (uint32_t i = 0; i < p->input_count; i++)
        if (p->input_registers[i] == r) p->used[i] = true;
}

// The parts of a program, in order. Constants are run once in a step. State is loaded before all others, and stored after them.
enum { CONSTANTS, LOADS, OTHERS, STORES };

static int part_of(const SignalOp *op) {
    if (op->run == signal_run_constant) return CONSTANTS;
    return op->run == signal_run_load ? LOADS : op->run == signal_run_store ? STORES : OTHERS;
}

static int by_state(const void *a, const void *b) {
    uint32_t x = ((const SignalOp *)a)->state, y = ((const SignalOp *)b)->state;
    return x < y ? -1 : x > y;
}

// Joins operations on four words that are next to each other in the state. Returns how many operations are left.
static uint32_t group_words(SignalCompiler *c, SignalScope *scope, SignalOp *ops, uint32_t count) {
    qsort(ops, count, sizeof *ops, by_state);
    uint32_t left = 0;
    for (uint32_t i = 0; i < count;) {
        bool four = i + 4 <= count;
        for (uint32_t k = 0; k < 4 && four; k++)
            four = ops[i + k].size == 4 && ops[i + k].state == ops[i].state + k * 4;
        SignalOp op = ops[i];
        if (four && op.run == signal_run_store) {
            for (uint32_t k = 0; k < 4; k++) op.in[k] = ops[i + k].in[0];
            op.run = signal_run_store4;
        } else if (four) {
            uint32_t results[4], *initial = signal_alloc(c, 16);
            if (initial == NULL) return left;
            for (uint32_t k = 0; k < 4; k++) {
                results[k] = ops[i + k].out[0];
                memcpy(&initial[k], ops[i + k].data, 4);
            }
            op.run = signal_run_load4;
            op.out[0] = SIGNAL_NO_REGISTER;
            op.results = signal_operands(c, scope, results, 4);
            op.result_count = 4;
            op.data = initial;
        }
        ops[left++] = op;
        i += four ? 4 : 1;
    }
    return left;
}

// ---- Splitting ---------------------------------------------------------------------------------------------------------

void signal_mark_inputs(const SignalProgram *program, bool used[SIGNAL_LEAVES]) {
    for (uint32_t k = 0; program != NULL && k < program->input_count; k++)
        if (program->used[k]) used[program->inputs[k]] = true;
}

void signal_set_shown(SignalCompiler *c, SignalScope *scope, SignalOp *op, const uint32_t *in,
                      const uint32_t *more) {
    if (!c->split) return;
    op->shown = signal_operands(c, scope, in, 4) + 1;
    (void)signal_operands(c, scope, more, op->more_count);
}

static void *copy_array(SignalCompiler *c, const void *from, uint32_t count, size_t size) {
    void *copy = filo_alloc(&c->network->allocator, (count + 1) * size, 16);
    if (copy != NULL && count > 0) memcpy(copy, from, count * size);
    return copy;
}

SignalProgram *signal_shown(SignalCompiler *c, const SignalProgram *program, uint32_t outputs) {
    SignalProgram *p = c->split ? signal_alloc(c, sizeof *p) : NULL;
    if (p == NULL) return NULL;
    *p = *program;
    p->next = c->network->program->next; // first, so that what was copied is freed whatever happens
    c->network->program->next = p;
    p->ops = copy_array(c, program->ops, p->op_count, sizeof *p->ops);
    p->operands = copy_array(c, program->operands, p->operand_count, sizeof *p->operands);
    p->registers = copy_array(c, program->registers, p->register_count, sizeof *p->registers);
    p->whole = program;
    p->fields = NULL;
    p->field_count = p->field_capacity = 0;
    p->op_capacity = p->op_count + 1;
    p->operand_capacity = p->operand_count + 1;
    p->register_capacity = p->register_count + 1;
    if (p->ops == NULL || p->operands == NULL || p->registers == NULL) {
        (void)signal_fail(c, FILO_ERROR_MEMORY, "no memory for a network");
        return NULL;
    }
    memset(p->used, 0, sizeof p->used);
    p->output_count = outputs;
    for (uint32_t i = 0; i < p->register_count; i++) p->registers[i].producer = 0;
    for (uint32_t i = 0; i < p->op_count; i++) {
        SignalOp *op = &p->ops[i];
        op->update = 0; // it is an operation of its own, whose results nothing reads
        for (int k = 0; k < 2; k++)
            if (op->out[k] != SIGNAL_NO_REGISTER) p->registers[op->out[k]].producer = i + 1;
        for (uint32_t k = 0; k < op->result_count; k++)
            p->registers[p->operands[op->results + k]].producer = i + 1;
    }
    return signal_order(c, &(SignalScope){ .program = p }) ? p : NULL;
}

// Whether the output of an operation depends directly on what another one computes.
static bool output_reads(const SignalProgram *p, const SignalOp *op, uint32_t other) {
    for (uint32_t i = 0; i < 4 + op->more_count; i++) {
        uint32_t r = p->operands[op->shown - 1 + i];
        if (r != SIGNAL_NO_REGISTER && p->registers[resolve(p, r)].producer == other + 1) return true;
    }
    return false;
}

// Splits an operation of the cycle, so that it is none any more. False if there is no such operation.
static bool split(Order *o) {
    for (uint32_t i = cycle_begin(o); i < o->path_count; i++) {
        SignalOp op = o->p->ops[o->path[i]];
        uint32_t next = i + 1 < o->path_count ? o->path[i + 1] : o->cycle;
        if (op.shown == 0 || op.part != SIGNAL_WHOLE || output_reads(o->p, &op, next)) continue;
        SignalOp advance = op;
        advance.part = SIGNAL_ADVANCE;
        advance.out[0] = SIGNAL_NO_REGISTER;
        advance.result_count = 0;
        uint32_t number = signal_emit(o->c, &(SignalScope){ .program = o->p }, &advance);
        SignalOp *show = &o->p->ops[o->path[i]];
        show->part = SIGNAL_SHOW;
        show->update = number + 1;
        memcpy(show->in, o->p->operands + op.shown - 1, sizeof show->in);
        show->more = op.shown - 1 + 4;
        if (op.machine != NULL) // the states of a batch are copied; a collection copies one row at a time
            show->scratch_rows +=
                (uint32_t)sizeof(SignalMachineState) + signal_align(op.machine->area_size, 8);
        return o->c->problem.code == FILO_OK;
    }
    return false;
}

// Finds the order. False if there is a cycle, or no memory.
static bool find_order(Order *o) {
    SignalProgram *p = o->p;
    size_t n = p->op_count + 1;
    o->count = o->path_count = 0;
    o->cycle = UINT32_MAX;
    o->marks = signal_alloc_compile(o->c, n);
    o->sequence = signal_alloc_compile(o->c, n * sizeof(uint32_t));
    o->path = signal_alloc_compile(o->c, n * sizeof(uint32_t));
    if (o->marks == NULL || o->sequence == NULL || o->path == NULL) return false;
    resolve_all(p);
    for (uint32_t i = 0; i < p->output_count; i++)
        if (!visit_register(o, p->outputs[i])) return false;
    // What updates the state of an operation that is needed is needed. This may add operations, which are looked at too.
    for (uint32_t i = 0; i < o->count; i++) {
        uint32_t update = p->ops[o->sequence[i]].update;
        if (update != 0 && !visit(o, update - 1)) return false;
    }
    return true;
}

bool signal_order(SignalCompiler *c, SignalScope *scope) {
    SignalProgram *p = scope->program;
    if (c->problem.code != FILO_OK) return false;
    Order o = { .c = c, .p = p };
    while (!find_order(&o)) {
        if (o.cycle != UINT32_MAX && split(&o)) continue;
        if (o.cycle != UINT32_MAX && c->problem.code == FILO_OK) report_cycle(&o);
        return false;
    }
    SignalOp *ordered = signal_alloc_compile(c, (p->op_count + 1) * sizeof(SignalOp));
    if (ordered == NULL) return false;
    uint32_t count = 0;
    for (int part = CONSTANTS; part <= STORES; part++) {
        uint32_t first = count;
        for (uint32_t i = 0; i < o.count; i++)
            if (part_of(&p->ops[o.sequence[i]]) == part) ordered[count++] = p->ops[o.sequence[i]];
        if (part == CONSTANTS) p->constant_count = count;
        if (part == LOADS || part == STORES)
            count = first + group_words(c, scope, ordered + first, count - first);
    }
    if (c->problem.code != FILO_OK) return false;
    if (count > 0) memcpy(p->ops, ordered, count * sizeof *ordered);
    p->op_count = count;
    for (uint32_t i = 0; i < count; i++) {
        for (int k = 0; k < 4; k++) mark_used(p, p->ops[i].in[k]);
        for (uint32_t k = 0; k < p->ops[i].more_count; k++) mark_used(p, p->operands[p->ops[i].more + k]);
    }
    for (uint32_t i = 0; i < p->output_count; i++) mark_used(p, p->outputs[i]);
    p->state_size = signal_align(p->state_size, 8);
    return true;
}

// ---- Memory ------------------------------------------------------------------------------------------------------------

static size_t round_up(size_t size) { return (size + 63) & ~(size_t)63; }

static size_t program_scratch(SignalProgram *p, uint32_t batch, bool assign);

// Scratch memory of a program that an operation runs, with what signal_call needs.
static size_t call_scratch(SignalProgram *p, uint32_t batch, bool assign) {
    return round_up((size_t)batch * p->state_size) + round_up((size_t)batch * 16) +
           program_scratch(p, batch, assign);
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

static size_t op_scratch(const SignalOp *op, uint32_t batch, bool assign) {
    size_t inside = 0;
    if (op->program != NULL) inside = larger(inside, call_scratch(op->program, batch, assign));
    for (uint32_t i = 0; op->machine != NULL && i < op->machine->state_count; i++) {
        const SignalState *s = &op->machine->states[i];
        inside = larger(inside, call_scratch(s->body, batch, assign));
        if (s->shown != NULL) inside = larger(inside, call_scratch(s->shown, batch, assign));
    }
    for (uint32_t i = 0; op->pool != NULL && i < op->pool->collection.kind_count; i++) {
        const SignalPoolKind *k = &op->pool->kinds[i];
        inside = larger(inside, call_scratch(k->body, batch, assign));
        if (k->shown != NULL) inside = larger(inside, call_scratch(k->shown, batch, assign));
    }
    return inside + (size_t)op->scratch_rows * batch + op->scratch_fixed + 1024;
}

static size_t program_scratch(SignalProgram *p, uint32_t batch, bool assign) {
    size_t offset = round_up(p->register_count * sizeof(void *));
    for (uint32_t i = 0; i < p->register_count; i++) {
        if (assign) p->offsets[i] = offset;
        offset += round_up((size_t)p->registers[i].size * batch);
    }
    size_t inside = 0;
    for (uint32_t i = 0; i < p->op_count; i++) inside = larger(inside, op_scratch(&p->ops[i], batch, assign));
    if (assign) {
        p->own_scratch = offset;
        p->scratch = offset + inside;
    }
    return offset + inside;
}

#define STACK_LIMIT ((size_t)240 << 10) // see filo_network_step
#define STACK_GOOD  ((size_t)40 << 10)  // as much as fits the first caches

void signal_layout(FiloNetwork *network) {
    uint32_t batch = 256;
    while (batch > 16 && program_scratch(network->program, batch, false) > STACK_GOOD) batch /= 2;
    while (batch > 1 && program_scratch(network->program, batch, false) > STACK_LIMIT) batch /= 2;
    network->batch = batch;
    (void)program_scratch(network->program, batch, true);
    if (network->program->scratch > STACK_LIMIT) network->batch = 0; // too large
}
