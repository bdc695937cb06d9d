// Networks: creating, describing and destroying them.

#include "signal/compile/compile.h"
#include "signal/run/run.h"

#include <filo/hash.h>
#include <stdio.h>

// ---- Identity ---------------------------------------------------------------------------------------------------

typedef struct Identity {
    uint64_t hash;
} Identity;

static void mix(Identity *id, const void *bytes, size_t size) {
    id->hash = filo_hash_seeded(bytes, size, id->hash);
}
static void mix_number(Identity *id, uint64_t number) { mix(id, &number, sizeof number); }
static void mix_text(Identity *id, const char *text) { mix(id, text, strlen(text) + 1); }

static void mix_machine(Identity *id, const SignalMachine *m) {
    mix_number(id, m->state_count);
    for (uint32_t i = 0; i < m->state_count; i++) {
        const SignalState *s = &m->states[i];
        mix_text(id, s->name);
        mix_number(id, (uint64_t)s->parameter << 32 | s->parameter_size);
        for (int k = 0; k == 0 || (k < FILO_SF_OLDS && s->frozen[k] != NULL); k++) mix_number(id, s->olds[k]);
        for (uint32_t t = 0; t < s->transition_count; t++) {
            mix_number(id, (uint64_t)s->transitions[t].target << 32 | s->transitions[t].presence);
            for (int k = 0; k == 0 || (k < FILO_SF_OLDS && s->transitions[t].olds[k].kind != SIGNAL_OLD_NONE);
                 k++)
                mix_number(id, (uint64_t)s->transitions[t].value << 2 | s->transitions[t].olds[k].kind << 1 |
                                   s->transitions[t].delayed);
        }
    }
    for (uint32_t i = 0; i < m->recurring_count; i++)
        mix_number(id, (uint64_t)m->recurring[i].target << 1 | m->recurring[i].delayed);
    if (m->initial != NULL && m->states[0].parameter_size > 0)
        mix(id, m->initial, m->states[0].parameter_size);
}

static void mix_program(Identity *id, const FiloSfBuilder *builder, const SignalProgram *p) {
    mix_number(id, (uint64_t)p->op_count << 32 | p->state_size);
    for (uint32_t i = 0; i < p->op_count; i++) {
        const SignalOp *op = &p->ops[i];
        mix_number(id, (uint64_t)op->kind << 32 | op->state);
        mix_number(id, (uint64_t)op->size << 32 | op->lanes);
        mix_number(id, op->machine != NULL || op->pool != NULL ? 0 : op->number);
        mix(id, &op->seconds, sizeof op->seconds);
        mix(id, &op->high, sizeof op->high);
        mix_number(id, op->flag);
        mix(id, op->in, sizeof op->in);
        mix(id, op->out, sizeof op->out);
        for (uint32_t k = 0; k < op->more_count; k++) mix_number(id, p->operands[op->more + k]);
        if (op->type != NULL) mix_text(id, op->type->name);
        const SignalNode *n = &builder->nodes[op->node];
        if (n->function != NULL) mix_text(id, n->function->name);
        if (n->value != NULL && n->type != NULL && n->kind != SIGNAL_AFTER_EACH)
            mix_number(id, filo_reflect_hash(n->type, n->value, 0));
        for (uint32_t k = 0; n->times != NULL && k < n->number; k++)
            mix(id, &n->times[k], sizeof n->times[k]);
        if (op->machine != NULL) mix_machine(id, op->machine);
        if (op->pool != NULL) {
            mix_number(id, op->pool->collection.capacity);
            for (uint32_t k = 0; k < op->pool->collection.kind_count; k++)
                mix_text(id, op->pool->kinds[k].name);
        }
    }
}

// ---- The description of the state -------------------------------------------------------------------------------

#define MAX_FIELDS 200

static FiloResult describe_state(SignalCompiler *c) {
    FiloNetwork *network = c->network;
    const SignalProgram *p = network->program;
    uint32_t count = p->field_count;
    FiloField *fields = signal_alloc_compile(c, (count + 2) * sizeof *fields);
    if (fields == NULL) return c->problem;
    bool whole = count > MAX_FIELDS;
    for (uint32_t i = 0; i < count && !whole; i++) {
        const SignalStateField *f = &p->fields[i];
        char *name = signal_alloc_compile(c, 64);
        if (name == NULL) return c->problem;
        if (i == 0)
            (void)snprintf(name, 64, "network");
        else
            (void)snprintf(name, 64, "%s_%u_%s", signal_kind_names[c->builder->nodes[f->node].kind], i,
                           f->part);
        fields[i] = (FiloField){ .name = name, .type = f->type };
        if (f->type == NULL)
            fields[i] = (FiloField){ .name = name, .type = FILO_TYPE(uint64_t), .count = f->size / 8 };
        if (f->type == NULL && f->size == 0) whole = true;
    }
    if (whole) {
        fields[0] = (FiloField){ .name = "network", .type = FILO_TYPE(uint64_t) };
        fields[1] =
            (FiloField){ .name = "words", .type = FILO_TYPE(uint64_t), .count = network->state_size / 8 - 1 };
        count = network->state_size > 8 ? 2 : 1;
    }
    char *name = signal_alloc_compile(c, strlen(network->name) + 16);
    if (name == NULL) return c->problem;
    (void)snprintf(name, strlen(network->name) + 16, "%s.state", network->name);
    FiloResult r = filo_type_create(&network->state_type, name, fields, count, &network->allocator);
    if (r.code != FILO_OK) return r;
    FILO_ASSERT(network->state_type->size == network->state_size,
                "the description of a state has another size");
    for (uint32_t i = 0; i < p->field_count && !whole; i++)
        FILO_ASSERT(network->state_type->fields[i].offset == p->fields[i].offset,
                    "a field of a state has another offset");
    return filo_ok();
}

// ---- Creating ---------------------------------------------------------------------------------------------------

// The type of the input of the network.
static uint32_t input_type(SignalCompiler *c) {
    const FiloSfBuilder *b = c->builder;
    uint32_t parts[FILO_SF_LEAVES];
    for (uint32_t i = 0; i < b->input_count; i++) {
        parts[i] = signal_type_value(c, b->inputs[i].type);
        if (b->inputs[i].event)
            parts[i] = signal_type_event(c, parts[i]);
        else if (b->inputs[i].capacity > 0)
            parts[i] = signal_type_list(c, b->inputs[i].type, b->inputs[i].capacity, false);
    }
    return b->input_count == 1 ? parts[0] : signal_type_tuple(c, parts, b->input_count);
}

// Outputs that no other output shares, that are computed at each step, and that need not be cleared.
static void find_direct_outputs(FiloNetwork *network) {
    const SignalProgram *p = network->program;
    for (uint32_t i = 0; i < network->output_count; i++) {
        bool direct = network->output_presence[i] == 0;
        for (uint32_t k = 0; k < network->output_count; k++)
            direct = direct && (k == i || p->outputs[k] != p->outputs[i]);
        for (uint32_t k = 0; k < p->input_count; k++)
            direct = direct && p->input_registers[k] != p->outputs[i];
        for (uint32_t k = 0; k < p->constant_count; k++) direct = direct && p->ops[k].out[0] != p->outputs[i];
        network->output_direct[i] = direct;
    }
}

// What run/repair.c looks at.
static void find_repairs(SignalCompiler *c, SignalProgram *p) {
    for (uint32_t i = 0; i < p->register_count; i++)
        p->registers[i].repair = signal_needs_repair(p->registers[i].type);
    const SignalProgram *whole = p;
    while (whole->whole != NULL) whole = whole->whole;
    p->repairs = signal_alloc(c, (whole->field_count + 1) * sizeof *p->repairs);
    p->repair_count = 0;
    for (uint32_t i = 0; i < whole->field_count && p->repairs != NULL; i++)
        if (signal_needs_repair(whole->fields[i].type)) p->repairs[p->repair_count++] = whole->fields[i];
}

static void compile_network(SignalCompiler *c, uint32_t node) {
    FiloNetwork *network = c->network;
    SignalScope *scope = signal_scope(c, NULL, "", NULL, NULL);
    if (scope == NULL) return;
    (void)signal_state_add(c, scope, 8, 8, FILO_TYPE(uint64_t), node, "network");
    SignalBundle input = signal_bundle_new(c, scope, input_type(c), node);
    if (input.type == 0) return;
    if (input.count > FILO_SF_LEAVES) {
        (void)signal_fail(c, FILO_ERROR_LIMIT, "the input consists of more than %d values", FILO_SF_LEAVES);
        return;
    }
    scope->input = input;
    scope->program->input_count = input.count;
    for (uint32_t i = 0; i < input.count; i++) {
        scope->program->inputs[i] = i;
        scope->program->input_registers[i] = input.registers[i];
    }
    for (uint32_t i = 0; i < c->builder->input_count; i++) { // names for listings
        SignalBundle part = c->builder->input_count == 1 ? input : signal_bundle_part(c, &input, i);
        char *name = signal_alloc(c, strlen(c->builder->inputs[i].name) + 1);
        if (name == NULL) return;
        memcpy(name, c->builder->inputs[i].name, strlen(c->builder->inputs[i].name) + 1);
        for (uint32_t k = 0; k < part.count; k++) scope->program->registers[part.registers[k]].name = name;
    }
    network->input_count =
        signal_type_leaves(c, input.type, network->inputs, network->input_presence, FILO_SF_LEAVES);
    for (uint32_t i = 0; i < network->input_count; i++)
        network->inputs[i].name = scope->program->registers[input.registers[i]].name;
    SignalEnv *env = signal_env(c, scope, &input);
    if (env == NULL) return;
    SignalBundle out = signal_compile(c, env, node);
    if (out.type == 0) return;
    if (out.count > FILO_SF_LEAVES) {
        (void)signal_fail(c, FILO_ERROR_LIMIT, "the output consists of more than %d values", FILO_SF_LEAVES);
        return;
    }
    network->output_count =
        signal_type_leaves(c, out.type, network->outputs, network->output_presence, FILO_SF_LEAVES);
    memcpy(scope->program->outputs, out.registers, out.count * sizeof out.registers[0]);
    scope->program->output_count = out.count;
    if (!signal_order(c, scope)) return;
    find_direct_outputs(network);
    network->state_size = scope->program->state_size;
    Identity id = { 1 };
    for (SignalProgram *p = network->program; p != NULL; p = p->next) {
        p->offsets = signal_alloc(c, (p->register_count + 1) * sizeof *p->offsets);
        if (p->offsets == NULL) return;
        find_repairs(c, p);
        mix_program(&id, c->builder, p);
    }
    network->id = (uint32_t)(id.hash ^ id.hash >> 32);
    if (network->id == 0) network->id = 1;
    signal_layout(network);
    if (network->batch == 0) {
        (void)signal_fail(
            c, FILO_ERROR_LIMIT,
            "a step would need more than 256 KiB of stack: use smaller collections, delays or tuples");
        return;
    }
    FiloResult r = describe_state(c);
    if (r.code != FILO_OK && c->problem.code == FILO_OK) c->problem = r;
}

// Creates a network; with `split`, of switches and collections that may be split. *cyclic: it has a loop without delay.
static FiloResult create(FiloNetwork **network, FiloSf output, const FiloAllocator *allocator, bool split,
                         bool *cyclic) {
    FiloNetwork *n = filo_alloc_zero(allocator, sizeof *n, 16);
    if (n == NULL)
        return filo_error(FILO_ERROR_MEMORY, "%s: no memory for the network", output.builder->name);
    n->allocator = *allocator;
    SignalCompiler c = { .builder = output.builder, .network = n, .problem = filo_ok(), .split = split };
    char *name = signal_alloc(&c, strlen(output.builder->name) + 1);
    if (name != NULL) {
        memcpy(name, output.builder->name, strlen(output.builder->name) + 1);
        n->name = name;
        compile_network(&c, output.node);
    }
    signal_blocks_free(&c.blocks, &n->allocator);
    *cyclic = c.cyclic;
    if (c.problem.code != FILO_OK) {
        filo_network_destroy(n);
        return c.problem;
    }
    *network = n;
    return filo_ok();
}

FiloResult filo_network_create(FiloNetwork **network, FiloSf output, const FiloAllocator *allocator) {
    if (network == NULL) return FILO_MISTAKE("pass a pointer for the network");
    *network = NULL;
    if (output.builder == NULL || output.node == 0) {
        FiloResult memory = filo_out_of_memory_result();
        if (output.builder != NULL && output.builder->problem.code != FILO_OK) return output.builder->problem;
        if (memory.code != FILO_OK) return memory;
        return FILO_MISTAKE("pass the output of the network: a signal of a builder");
    }
    if (output.builder->problem.code != FILO_OK) return output.builder->problem;
    if (allocator == NULL) allocator = filo_heap();
    bool cyclic = false;
    FiloResult r = create(network, output, allocator, false, &cyclic);
    return cyclic ? create(network, output, allocator, true, &cyclic) : r;
}

void filo_network_destroy(FiloNetwork *network) {
    if (network == NULL) return;
    FiloAllocator allocator = network->allocator;
    for (SignalProgram *p = network->program; p != NULL; p = p->next) {
        filo_free(&allocator, p->ops, p->op_capacity * sizeof(SignalOp), 16);
        filo_free(&allocator, p->operands, p->operand_capacity * sizeof(uint32_t), 16);
        filo_free(&allocator, p->registers, p->register_capacity * sizeof(SignalRegister), 16);
        filo_free(&allocator, p->fields, p->field_capacity * sizeof(SignalStateField), 16);
    }
    for (uint32_t i = 0; i < network->list_type_count; i++)
        filo_type_destroy(network->list_types[i], &allocator);
    if (network->state_type != NULL) filo_type_destroy(network->state_type, &allocator);
    filo_free(&allocator, network->list_types, network->list_type_capacity * sizeof(FiloType *), 16);
    filo_free(&allocator, network->types, network->type_capacity * sizeof(SignalType), 16);
    signal_blocks_free(&network->blocks, &allocator);
    filo_free(&allocator, network, sizeof *network, 16);
}

// ---- Questions --------------------------------------------------------------------------------------------------

const char *filo_network_name(const FiloNetwork *network) {
    return FILO_CHECK_MADE(network != NULL, "pass a network") ? network->name : "";
}
size_t filo_network_state_size(const FiloNetwork *network) {
    return FILO_CHECK_MADE(network != NULL, "pass a network") ? network->state_size : 0;
}
const FiloType *filo_network_state_type(const FiloNetwork *network) {
    return FILO_CHECK_MADE(network != NULL, "pass a network") ? network->state_type : NULL;
}
uint32_t filo_network_id(const FiloNetwork *network) {
    return FILO_CHECK_MADE(network != NULL, "pass a network") ? network->id : 0;
}

static size_t copy_leaves(const FiloSfLeaf *from, size_t count, FiloSfLeaf *to, size_t capacity) {
    for (size_t i = 0; i < count && i < capacity && to != NULL; i++) to[i] = from[i];
    return count;
}

size_t filo_network_inputs(const FiloNetwork *network, FiloSfLeaf *leaves, size_t capacity) {
    if (!FILO_CHECK_MADE(network != NULL, "pass a network")) return 0;
    return copy_leaves(network->inputs, network->input_count, leaves, capacity);
}
bool filo_network_is_random(const FiloNetwork *network) {
    return FILO_CHECK_MADE(network != NULL, "pass a network") && network->program->random;
}
size_t filo_network_outputs(const FiloNetwork *network, FiloSfLeaf *leaves, size_t capacity) {
    if (!FILO_CHECK_MADE(network != NULL, "pass a network")) return 0;
    return copy_leaves(network->outputs, network->output_count, leaves, capacity);
}

const char *filo_network_branch(const FiloNetwork *network, const void *state) {
    if (!FILO_CHECK_MADE(network != NULL && state != NULL, "pass a network, and the state of an object"))
        return "";
    uint64_t id;
    memcpy(&id, state, sizeof id);
    if ((uint32_t)id != network->id) return "";
    for (uint32_t i = 0; i < network->program->op_count; i++) {
        const SignalOp *op = &network->program->ops[i];
        if (op->machine == NULL) continue;
        SignalMachineState machine;
        memcpy(&machine, (const uint8_t *)state + op->state, sizeof machine);
        return machine.state < op->machine->state_count ? op->machine->states[machine.state].name : "";
    }
    return "";
}
