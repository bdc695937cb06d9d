// Memory, types and registers of a compilation.

#include "signal/compile/compile.h"
#include "signal/run/run.h"

#include <stdarg.h>
#include <stdio.h>

SignalBundle signal_fail(SignalCompiler *c, FiloCode code, const char *format, ...) {
    if (c->problem.code == FILO_OK) {
        char text[FILO_MESSAGE_SIZE];
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(text, sizeof text, format, arguments);
        va_end(arguments);
        c->problem = filo_error(code, "%s: %s", c->builder->name, text);
    }
    return (SignalBundle){ 0 };
}

static void *take(SignalCompiler *c, SignalBlock **blocks, size_t size) {
    void *memory = signal_block_alloc(blocks, &c->network->allocator, size);
    if (memory == NULL) (void)signal_fail(c, FILO_ERROR_MEMORY, "no memory to compile the network");
    return memory;
}

void *signal_alloc(SignalCompiler *c, size_t size) { return take(c, &c->network->blocks, size); }
void *signal_alloc_compile(SignalCompiler *c, size_t size) { return take(c, &c->blocks, size); }

#define LABEL_SIZE 96

const char *signal_label(SignalCompiler *c, uint32_t node) {
    char *text = signal_alloc_compile(c, LABEL_SIZE);
    return text == NULL ? "?" : signal_node_label(c->builder, node, text, LABEL_SIZE);
}

// Makes room for one more element in an array of the network.
static bool grow(SignalCompiler *c, void **array, uint32_t count, uint32_t *capacity, size_t size) {
    if (count < *capacity) return true;
    uint32_t wanted = *capacity == 0 ? 16 : *capacity * 2;
    void *grown = filo_resize(&c->network->allocator, *array, *capacity * size, wanted * size, 16);
    if (grown == NULL) {
        (void)signal_fail(c, FILO_ERROR_MEMORY, "no memory to compile the network");
        return false;
    }
    *array = grown;
    *capacity = wanted;
    return true;
}

// ---- Types ------------------------------------------------------------------------------------------------------

bool signal_same_type(const FiloType *a, const FiloType *b) {
    if (a == b) return true;
    if (a == NULL || b == NULL) return false;
    if (a->kind != b->kind || a->size != b->size) return false;
    bool number = a->kind <= FILO_KIND_FLOAT; // int and int32_t are the same
    return number || strcmp(a->name, b->name) == 0;
}

static bool same(const SignalType *a, const SignalType *b) {
    if (a->kind != b->kind || a->part_count != b->part_count || a->capacity != b->capacity ||
        a->keyed != b->keyed || !signal_same_type(a->value, b->value))
        return false;
    return a->part_count == 0 || memcmp(a->parts, b->parts, a->part_count * sizeof a->parts[0]) == 0;
}

// The number of a type; the same for equal ones. 0 without memory, also for a part.
static uint32_t intern(SignalCompiler *c, const SignalType *type) {
    FiloNetwork *network = c->network;
    for (uint32_t i = 0; i < type->part_count; i++)
        if (type->parts[i] == 0) return 0;
    for (uint32_t i = 1; i < network->type_count; i++)
        if (same(&network->types[i], type)) return i;
    void *types = network->types;
    bool grown = grow(c, &types, network->type_count + 1, &network->type_capacity, sizeof *type);
    network->types = types;
    if (!grown) return 0;
    if (network->type_count == 0) network->type_count = 1; // 0 is not used
    network->types[network->type_count] = *type;
    return network->type_count++;
}

uint32_t signal_type_value(SignalCompiler *c, const FiloType *type) {
    if (type == NULL) return intern(c, &(SignalType){ .kind = SIGNAL_TYPE_NOTHING });
    return intern(c, &(SignalType){ .kind = SIGNAL_TYPE_VALUE, .value = type });
}

uint32_t signal_type_event(SignalCompiler *c, uint32_t value) {
    return intern(c, &(SignalType){ .kind = SIGNAL_TYPE_EVENT, .parts = { value }, .part_count = 1 });
}

uint32_t signal_type_tuple(SignalCompiler *c, const uint32_t *parts, uint32_t count) {
    SignalType type = { .kind = SIGNAL_TYPE_TUPLE, .part_count = count };
    if (count > 0) memcpy(type.parts, parts, count * sizeof *parts);
    return intern(c, &type);
}

uint32_t signal_type_either(SignalCompiler *c, uint32_t left, uint32_t right) {
    return intern(c, &(SignalType){ .kind = SIGNAL_TYPE_EITHER, .parts = { left, right }, .part_count = 2 });
}

uint32_t signal_type_list(SignalCompiler *c, const FiloType *element, uint32_t capacity, bool keyed) {
    SignalType type = { .kind = SIGNAL_TYPE_LIST, .value = element, .capacity = capacity, .keyed = keyed };
    FiloNetwork *network = c->network;
    for (uint32_t i = 1; i < network->type_count; i++)
        if (same(&network->types[i], &type)) return i;
    FiloField fields[5] = { { .name = "count", .type = FILO_TYPE(uint32_t) },
                            { .name = "capacity", .type = FILO_TYPE(uint16_t) },
                            { .name = "keyed", .type = FILO_TYPE(uint16_t) } };
    size_t count = 3;
    if (keyed)
        fields[count++] = (FiloField){ .name = "keys", .type = FILO_TYPE(uint32_t), .count = capacity };
    if (element != NULL)
        fields[count++] = (FiloField){ .name = "values", .type = element, .count = capacity };
    void *list_types = network->list_types;
    bool grown =
        grow(c, &list_types, network->list_type_count, &network->list_type_capacity, sizeof(FiloType *));
    network->list_types = list_types;
    if (!grown) return 0;
    FiloResult r = filo_type_create(&type.list, "FiloSfList", fields, count, &network->allocator);
    if (r.code != FILO_OK) {
        (void)signal_fail(c, r.code, "a list: %s", r.message);
        return 0;
    }
    network->list_types[network->list_type_count++] = type.list;
    return intern(c, &type);
}

const char *signal_type_text(SignalCompiler *c, uint32_t type) {
    const SignalType *t = signal_type(c, type);
    char *text = signal_alloc_compile(c, LABEL_SIZE);
    if (text == NULL) return "?";
    switch (t->kind) {
    case SIGNAL_TYPE_NOTHING: return "nothing";
    case SIGNAL_TYPE_VALUE: return t->value->name;
    case SIGNAL_TYPE_EVENT:
        if (signal_type(c, t->parts[0])->kind == SIGNAL_TYPE_NOTHING) return "an event";
        (void)snprintf(text, LABEL_SIZE, "an event of %s", signal_type_text(c, t->parts[0]));
        return text;
    case SIGNAL_TYPE_TUPLE:
        if (t->part_count == 0) return "nothing";
        (void)snprintf(
            text, LABEL_SIZE, "(%s%s%s%s)", signal_type_text(c, t->parts[0]), t->part_count > 1 ? ", " : "",
            t->part_count > 1 ? signal_type_text(c, t->parts[1]) : "", t->part_count > 2 ? ", …" : "");
        return text;
    case SIGNAL_TYPE_EITHER:
        (void)snprintf(text, LABEL_SIZE, "either %s or %s", signal_type_text(c, t->parts[0]),
                       signal_type_text(c, t->parts[1]));
        return text;
    case SIGNAL_TYPE_LIST:
        (void)snprintf(text, LABEL_SIZE, "a list of %s", t->value != NULL ? t->value->name : "nothing");
        return text;
    }
    return "?";
}

uint32_t signal_type_leaf_count(const SignalCompiler *c, uint32_t type) {
    const SignalType *t = signal_type(c, type);
    if (t->kind == SIGNAL_TYPE_VALUE || t->kind == SIGNAL_TYPE_LIST) return 1;
    uint32_t count = t->kind == SIGNAL_TYPE_EVENT || t->kind == SIGNAL_TYPE_EITHER ? 1 : 0;
    for (uint32_t i = 0; i < t->part_count; i++) count += signal_type_leaf_count(c, t->parts[i]);
    return count;
}

static uint32_t add_leaves(const SignalCompiler *c, uint32_t type, FiloSfLeaf *leaves, uint32_t *presence,
                           uint32_t capacity, uint32_t at, uint32_t inside) {
    const SignalType *t = signal_type(c, type);
    bool tagged = t->kind == SIGNAL_TYPE_EVENT || t->kind == SIGNAL_TYPE_EITHER;
    if (tagged || t->kind == SIGNAL_TYPE_VALUE || t->kind == SIGNAL_TYPE_LIST) {
        if (at < capacity) {
            leaves[at] = (FiloSfLeaf){ tagged                        ? FILO_TYPE(bool)
                                       : t->kind == SIGNAL_TYPE_LIST ? t->list
                                                                     : t->value,
                                       tagged, inside, NULL };
            if (presence != NULL) presence[at] = inside;
        }
        at++;
        if (t->kind == SIGNAL_TYPE_EVENT) inside = at;
    }
    for (uint32_t i = 0; i < t->part_count; i++)
        at = add_leaves(c, t->parts[i], leaves, presence, capacity, at, inside);
    return at;
}

uint32_t signal_type_leaves(const SignalCompiler *c, uint32_t type, FiloSfLeaf *leaves, uint32_t *presence,
                            uint32_t capacity) {
    return add_leaves(c, type, leaves, presence, capacity, 0, 0);
}

uint32_t signal_lanes(const FiloType *type) {
    if (signal_same_type(type, FILO_TYPE(float))) return 1;
    if (signal_same_type(type, FILO_TYPE(FiloVec2))) return 2;
    if (signal_same_type(type, FILO_TYPE(FiloVec3))) return 3;
    if (signal_same_type(type, FILO_TYPE(FiloVec4))) return 4;
    return 0;
}

// ---- Emitting -----------------------------------------------------------------------------------------------------

uint32_t signal_register(SignalCompiler *c, SignalScope *scope, uint32_t size, const FiloType *type,
                         uint32_t node) {
    SignalProgram *p = scope->program;
    void *registers = p->registers;
    bool grown = grow(c, &registers, p->register_count, &p->register_capacity, sizeof(SignalRegister));
    p->registers = registers;
    if (!grown) return 0;
    p->registers[p->register_count] = (SignalRegister){ .size = size, .type = type, .node = node };
    return p->register_count++;
}

uint32_t signal_operands(SignalCompiler *c, SignalScope *scope, const uint32_t *registers, uint32_t count) {
    SignalProgram *p = scope->program;
    uint32_t begin = p->operand_count;
    for (uint32_t i = 0; i < count; i++) {
        void *operands = p->operands;
        bool grown = grow(c, &operands, p->operand_count, &p->operand_capacity, sizeof(uint32_t));
        p->operands = operands;
        if (!grown) return 0;
        p->operands[p->operand_count++] = registers[i];
    }
    return begin;
}

uint32_t signal_emit(SignalCompiler *c, SignalScope *scope, const SignalOp *op) {
    SignalProgram *p = scope->program;
    void *ops = p->ops;
    bool grown = grow(c, &ops, p->op_count, &p->op_capacity, sizeof *op);
    p->ops = ops;
    if (!grown) return 0;
    uint32_t number = p->op_count++;
    p->ops[number] = *op;
    for (int i = 0; i < 2; i++)
        if (op->out[i] != SIGNAL_NO_REGISTER) p->registers[op->out[i]].producer = number + 1;
    for (uint32_t i = 0; i < op->result_count; i++)
        p->registers[p->operands[op->results + i]].producer = number + 1;
    return number;
}

uint32_t signal_state_add(SignalCompiler *c, SignalScope *scope, uint32_t size, uint32_t align,
                          const FiloType *type, uint32_t node, const char *part) {
    SignalProgram *p = scope->program;
    uint32_t offset = signal_align(p->state_size, align);
    if ((uint64_t)offset + size > UINT32_C(1) << 20) {
        (void)signal_fail(c, FILO_ERROR_LIMIT, "%s makes the state larger than 1 MiB", signal_label(c, node));
        return 0;
    }
    void *fields = p->fields;
    bool grown = grow(c, &fields, p->field_count, &p->field_capacity, sizeof(SignalStateField));
    p->fields = fields;
    if (!grown) return 0;
    p->fields[p->field_count++] =
        (SignalStateField){ .type = type, .offset = offset, .size = size, .node = node, .part = part };
    p->state_size = offset + size;
    return offset;
}

SignalBundle signal_bundle_new(SignalCompiler *c, SignalScope *scope, uint32_t type, uint32_t node) {
    SignalBundle bundle = { .type = type };
    if (type == 0) return bundle; // there was no memory for it
    FiloSfLeaf leaves[SIGNAL_LEAVES];
    bundle.count = signal_type_leaves(c, type, leaves, NULL, SIGNAL_LEAVES);
    if (bundle.count > SIGNAL_LEAVES)
        return signal_fail(c, FILO_ERROR_LIMIT, "%s consists of more than %d values", signal_label(c, node),
                           SIGNAL_LEAVES);
    for (uint32_t i = 0; i < bundle.count; i++) {
        bundle.registers[i] = signal_register(
            c, scope, leaves[i].presence ? 1 : (uint32_t)leaves[i].type->size, leaves[i].type, node);
        if (c->problem.code != FILO_OK) return (SignalBundle){ 0 };
        scope->program->registers[bundle.registers[i]].presence = leaves[i].presence;
    }
    return bundle;
}

SignalBundle signal_bundle_part(const SignalCompiler *c, const SignalBundle *bundle, uint32_t n) {
    const SignalType *t = signal_type(c, bundle->type);
    uint32_t at = t->kind == SIGNAL_TYPE_EVENT || t->kind == SIGNAL_TYPE_EITHER ? 1 : 0;
    for (uint32_t i = 0; i < n; i++) at += signal_type_leaf_count(c, t->parts[i]);
    SignalBundle part = { .type = t->parts[n], .count = signal_type_leaf_count(c, t->parts[n]) };
    memcpy(part.registers, bundle->registers + at, part.count * sizeof part.registers[0]);
    return part;
}

const void *signal_copy_value(SignalCompiler *c, const void *value, size_t size) {
    void *copy = signal_alloc(c, size > 0 ? size : 1);
    if (copy != NULL && value != NULL) memcpy(copy, value, size);
    return copy;
}

SignalBundle signal_wrong(SignalCompiler *c, uint32_t node, uint32_t child, const char *wanted,
                          const SignalBundle *got) {
    return signal_fail(c, FILO_ERROR_KIND, "%s takes %s, and %s is %s", signal_label(c, node), wanted,
                       signal_label(c, child), signal_type_text(c, got->type));
}

// ---- Applying nodes --------------------------------------------------------------------------------------------------

SignalEnv *signal_env(SignalCompiler *c, SignalScope *scope, const SignalBundle *bundle) {
    for (SignalEnv *e = c->envs; e != NULL; e = e->next)
        if (e->scope == scope && e->bundle.type == bundle->type &&
            memcmp(e->bundle.registers, bundle->registers, bundle->count * sizeof bundle->registers[0]) == 0)
            return e;
    SignalEnv *env = signal_alloc_compile(c, sizeof *env);
    if (env == NULL) return NULL;
    *env = (SignalEnv){ .scope = scope, .bundle = *bundle, .number = ++c->env_count, .next = c->envs };
    c->envs = env;
    return env;
}

SignalScope *signal_scope(SignalCompiler *c, SignalScope *parent, const char *name, const SignalBundle *input,
                          SignalCaptures *captures) {
    SignalScope *scope = signal_alloc_compile(c, sizeof *scope);
    SignalProgram *program = signal_alloc(c, sizeof *program);
    if (scope == NULL || program == NULL) return NULL;
    program->name = name;
    SignalProgram **last = &c->network->program;
    while (*last != NULL) last = &(*last)->next;
    *last = program;
    scope->parent = parent;
    scope->program = program;
    scope->captures = captures;
    for (int i = 0; i < FILO_SF_OLDS; i++) scope->olds[i].saved = SIGNAL_NO_REGISTER;
    if (input == NULL) return scope;
    scope->input.type = input->type;
    scope->input.count = input->count;
    for (uint32_t i = 0; i < input->count; i++) {
        SignalRegister from = parent->program->registers[input->registers[i]];
        scope->input.registers[i] = signal_register(c, scope, from.size, from.type, from.node);
        if (c->problem.code != FILO_OK) return NULL;
        scope->program->registers[scope->input.registers[i]].presence = from.presence;
        scope->program->registers[scope->input.registers[i]].name = from.name;
        program->inputs[i] = i;
        program->input_registers[i] = scope->input.registers[i];
    }
    program->input_count = input->count;
    return scope;
}

// A register of an outer program inside of another: it becomes one more input.
static uint32_t capture_register(SignalCompiler *c, SignalScope *scope, uint32_t outer, uint32_t branch,
                                 uint32_t root) {
    SignalCaptures *captures = scope->captures;
    uint32_t position = 0;
    while (position < captures->count && captures->registers[position] != outer) position++;
    if (position == SIGNAL_LEAVES || scope->program->input_count == SIGNAL_LEAVES) {
        (void)signal_fail(c, FILO_ERROR_LIMIT, "a branch uses more than %d values from outside",
                          SIGNAL_LEAVES);
        return 0;
    }
    if (position == captures->count) {
        captures->branches[position] = branch;
        captures->roots[position] = root;
        captures->registers[captures->count++] = outer;
    }
    if (scope->captured[position] != 0) return scope->captured[position] - 1;
    SignalRegister from = scope->parent->program->registers[outer];
    uint32_t inner = signal_register(c, scope, from.size, from.type, from.node);
    scope->program->registers[inner].presence = from.presence;
    scope->program->registers[inner].name = from.name;
    scope->program->inputs[scope->program->input_count] = position;
    scope->program->input_registers[scope->program->input_count++] = inner;
    scope->captured[position] = inner + 1;
    return inner;
}

// The parameter of a branch in the scope of that branch.
static SignalBundle parameter_of(SignalCompiler *c, SignalScope *scope, uint32_t node);

SignalBundle signal_parameter_in(SignalCompiler *c, SignalScope *scope, uint32_t branch, uint32_t node) {
    if (scope == NULL)
        return signal_fail(c, FILO_ERROR_DATA, "%s is used outside of its branch", signal_label(c, node));
    if (scope->branch == branch) return parameter_of(c, scope, node);
    SignalBundle outer = signal_parameter_in(c, scope->parent, branch, node);
    SIGNAL_REQUIRE(outer);
    for (uint32_t i = 0; i < outer.count; i++) {
        outer.registers[i] = capture_register(c, scope, outer.registers[i], branch, 0);
        if (c->problem.code != FILO_OK) return (SignalBundle){ 0 };
    }
    return outer;
}

static SignalBundle parameter_of(SignalCompiler *c, SignalScope *scope, uint32_t node) {
    if (scope->parameter_bundle.type != 0) return scope->parameter_bundle;
    if (scope->parameter_type == NULL && scope->any_parameter)
        return (SignalBundle){ .type = signal_type_value(c, NULL) };
    if (scope->parameter_type == NULL)
        return signal_fail(c, FILO_ERROR_KIND, "%s: the branch takes no parameter", signal_label(c, node));
    SignalBundle bundle = signal_bundle_new(c, scope, signal_type_value(c, scope->parameter_type), node);
    SIGNAL_REQUIRE(bundle);
    signal_emit(c, scope,
                &(SignalOp){ .run = signal_run_parameter,
                             .kind = SIGNAL_PARAMETER,
                             .node = node,
                             .in = SIGNAL_NO_INPUTS,
                             .out = { bundle.registers[0], SIGNAL_NO_REGISTER },
                             .state = scope->parameter,
                             .size = (uint32_t)scope->parameter_type->size });
    scope->parameter_bundle = bundle;
    return bundle;
}

SignalBundle signal_compile_parameter(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    return signal_parameter_in(c, env->scope, c->builder->nodes[node].branch, node);
}

// ---- Signals of the network inside of programs ------------------------------------------------------------------------

SignalBundle signal_capture(SignalCompiler *c, SignalScope *scope, const SignalScope *from,
                            const SignalBundle *bundle) {
    if (scope == from) return *bundle;
    SignalBundle outer = signal_capture(c, scope->parent, from, bundle);
    SIGNAL_REQUIRE(outer);
    for (uint32_t i = 0; i < outer.count; i++) {
        uint32_t root = from->parent == NULL ? bundle->registers[i] + 1 : 0;
        outer.registers[i] = capture_register(c, scope, outer.registers[i], 0, root);
        if (c->problem.code != FILO_OK) return (SignalBundle){ 0 };
    }
    return outer;
}

static SignalScope *root_of(SignalScope *scope) {
    while (scope->parent != NULL) scope = scope->parent;
    return scope;
}

uint32_t signal_capture_root(SignalCompiler *c, SignalScope *scope, uint32_t root) {
    SignalBundle bundle = { .type = 1, .count = 1, .registers = { root } }; // its type does not matter
    return signal_capture(c, scope, root_of(scope), &bundle).registers[0];
}

SignalBundle signal_compile_outer(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    const SignalNode *n = &c->builder->nodes[node];
    SignalScope *root = root_of(env->scope);
    SignalEnv *input = signal_env(c, root, &root->input);
    if (input == NULL) return (SignalBundle){ 0 };
    SignalBundle bundle = root->input;
    if (n->kind == SIGNAL_OUTER)
        bundle = signal_compile(c, input, n->children[0]);
    else if (c->builder->input_count > 1)
        bundle = signal_bundle_part(c, &root->input, n->number); // filo_sf_in_named
    SIGNAL_REQUIRE(bundle);
    return signal_capture(c, env->scope, root, &bundle);
}

SignalBundle signal_open_rec(SignalCompiler *c, SignalScope *scope, uint32_t node) {
    SignalBundle bundle;
    for (SignalScope *outer = scope->parent; outer != NULL; outer = outer->parent)
        if (signal_memo_open(c, outer, node, &bundle)) return signal_capture(c, scope, outer, &bundle);
    return (SignalBundle){ 0 };
}
