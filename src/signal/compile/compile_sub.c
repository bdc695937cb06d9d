// Compiling functions that stand still at times (pause, left, right), and collections: programs inside of programs.

#include "signal/compile/compile.h"
#include "signal/run/run.h"

// Compiles f, applied to a bundle, as a program of its own. Sets its outputs.
static SignalBundle compile_program(SignalCompiler *c, SignalScope *scope, uint32_t f) {
    SignalEnv *env = signal_env(c, scope, &scope->input);
    if (env == NULL) return (SignalBundle){ 0 };
    SignalBundle out = signal_compile(c, env, f);
    SIGNAL_REQUIRE(out);
    memcpy(scope->program->outputs, out.registers, out.count * sizeof out.registers[0]);
    scope->program->output_count = out.count;
    if (!signal_order(c, scope)) return (SignalBundle){ 0 };
    return out;
}

// An operation that runs the program of a scope for some rows.
static SignalBundle emit_sub(SignalCompiler *c, SignalEnv *env, uint32_t node, SignalOp op,
                             const SignalScope *inner, const SignalCaptures *captures, uint32_t type,
                             uint32_t held) {
    SignalBundle out = signal_bundle_new(c, env->scope, type, node);
    SIGNAL_REQUIRE(out);
    op.kind = (uint8_t)c->builder->nodes[node].kind;
    op.node = node;
    op.program = inner->program;
    op.out[0] = op.out[1] = SIGNAL_NO_REGISTER;
    op.number =
        signal_align((uint32_t)sizeof(SignalArea) + inner->program->state_size, 8); // offset of held outputs
    op.state = signal_state_add(c, env->scope, signal_align(op.number + held, 8), 8, NULL, node, "function");
    op.more = signal_operands(c, env->scope, captures->registers, captures->count);
    op.more_count = captures->count;
    op.results = signal_operands(c, env->scope, out.registers, out.count);
    op.result_count = out.count;
    op.scratch_rows = 2 * (uint32_t)sizeof(uint32_t);
    op.scratch_fixed = 256;
    if (c->problem.code != FILO_OK) return (SignalBundle){ 0 };
    if (inner->program->random) env->scope->program->random = true;
    signal_emit(c, env->scope, &op);
    return out;
}

static SignalBundle pause_node(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalNode n = c->builder->nodes[node];
    SignalBundle paused = signal_compile(c, env, n.children[0]), x = signal_compile(c, env, n.children[1]);
    SIGNAL_REQUIRE(paused);
    SIGNAL_REQUIRE(x);
    if (!signal_same_type(signal_value_type(c, paused.type), FILO_TYPE(bool)))
        return signal_fail(c, FILO_ERROR_KIND, "%s takes a bool, and %s is %s", signal_label(c, node),
                           signal_label(c, n.children[0]), signal_type_text(c, paused.type));
    SignalCaptures captures = { .count = x.count };
    memcpy(captures.registers, x.registers, sizeof captures.registers);
    SignalScope *inner = signal_scope(c, env->scope, "pause", &x, &captures);
    if (inner == NULL) return (SignalBundle){ 0 };
    SignalBundle out = compile_program(c, inner, n.children[2]);
    SIGNAL_REQUIRE(out);
    const SignalType *t = signal_type(c, out.type);
    uint32_t wanted = t->kind == SIGNAL_TYPE_EVENT ? t->parts[0] : out.type;
    if (n.value == NULL ? t->kind != SIGNAL_TYPE_EVENT : wanted != signal_type_value(c, n.type))
        return signal_fail(c, FILO_ERROR_KIND, "%s: %s is %s, and the initial value is %s",
                           signal_label(c, node), signal_label(c, n.children[2]),
                           signal_type_text(c, out.type), n.type != NULL ? n.type->name : "missing");
    // The outputs are held one after the other, each aligned to 8. Their initial values look the same.
    uint32_t held = 0;
    for (uint32_t i = 0; i < out.count; i++)
        held += signal_align(inner->program->registers[out.registers[i]].size, 8);
    uint8_t *initial = signal_alloc(c, held + 8);
    if (initial == NULL) return (SignalBundle){ 0 };
    uint32_t at = 0;
    for (uint32_t i = 0; i < out.count; i++) {
        const SignalRegister *r = &inner->program->registers[out.registers[i]];
        if (t->kind == SIGNAL_TYPE_EVENT && i == 0) // a bool may be in the register of a presence too
            initial[at] = n.value != NULL;
        else if (n.value != NULL)
            memcpy(initial + at, n.value, r->size);
        at += signal_align(r->size, 8);
    }
    SignalOp op = { .run = signal_run_pause,
                    .in = { paused.registers[0], SIGNAL_NO_REGISTER, SIGNAL_NO_REGISTER, SIGNAL_NO_REGISTER },
                    .data = initial };
    return emit_sub(c, env, node, op, inner, &captures, out.type, held);
}

static SignalBundle choice(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalNode n = c->builder->nodes[node];
    bool left = n.kind == SIGNAL_LEFT;
    SignalBundle x = signal_compile(c, env, n.children[0]);
    SIGNAL_REQUIRE(x);
    if (signal_type(c, x.type)->kind != SIGNAL_TYPE_EITHER)
        return signal_fail(c, FILO_ERROR_KIND, "%s takes an either, and %s is %s", signal_label(c, node),
                           signal_label(c, n.children[0]), signal_type_text(c, x.type));
    SignalBundle mine = signal_bundle_part(c, &x, left ? 0 : 1),
                 other = signal_bundle_part(c, &x, left ? 1 : 0);
    SignalCaptures captures = { .count = mine.count };
    memcpy(captures.registers, mine.registers, sizeof captures.registers);
    SignalScope *inner = signal_scope(c, env->scope, left ? "left" : "right", &mine, &captures);
    if (inner == NULL) return (SignalBundle){ 0 };
    SignalBundle inside = compile_program(c, inner, n.children[1]);
    SIGNAL_REQUIRE(inside);
    SignalOp op = { .run = signal_run_choice,
                    .in = { x.registers[0], SIGNAL_NO_REGISTER, SIGNAL_NO_REGISTER, SIGNAL_NO_REGISTER },
                    .flag = left };
    SignalBundle result = emit_sub(c, env, node, op, inner, &captures, inside.type, 0);
    SIGNAL_REQUIRE(result);
    const SignalBundle *l = left ? &result : &other, *r = left ? &other : &result;
    if (1 + l->count + r->count > SIGNAL_LEAVES)
        return signal_fail(c, FILO_ERROR_LIMIT, "%s consists of more than %d values", signal_label(c, node),
                           SIGNAL_LEAVES);
    SignalBundle out = { .type = signal_type_either(c, l->type, r->type),
                         .count = 1 + l->count + r->count,
                         .registers = { x.registers[0] } };
    memcpy(out.registers + 1, l->registers, l->count * sizeof l->registers[0]);
    memcpy(out.registers + 1 + l->count, r->registers, r->count * sizeof r->registers[0]);
    return out;
}

SignalBundle signal_compile_sub(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    return c->builder->nodes[node].kind == SIGNAL_PAUSE ? pause_node(c, env, node) : choice(c, env, node);
}

// ---- Collections --------------------------------------------------------------------------------------------------

// One kind of members: the body of its branch. Sets the type of its output.
static bool compile_kind(SignalCompiler *c, SignalEnv *env, uint32_t node, SignalPool *pool, uint32_t k,
                         const SignalBundle *input, SignalCaptures *captures, uint32_t *type) {
    SignalPoolKind *kind = &pool->kinds[k];
    const SignalBranch *branch = &c->builder->branches[pool->collection.kinds[k]];
    char *name = signal_alloc(c, strlen(branch->name) + 1);
    if (name == NULL) return false;
    memcpy(name, branch->name, strlen(branch->name) + 1);
    kind->name = name;
    kind->branch = pool->collection.kinds[k];
    if (branch->definition == 0) {
        (void)signal_fail(c, FILO_ERROR_DATA, "branch \"%s\" is not defined: call filo_sf_define", name);
        return false;
    }
    SignalScope *scope = signal_scope(c, env->scope, name, input, captures);
    if (scope == NULL) return false;
    scope->branch = kind->branch;
    scope->parameter_type = branch->parameter;
    if (branch->parameter != NULL) {
        kind->parameter_type = branch->parameter;
        kind->parameter_size = (uint32_t)branch->parameter->size;
        kind->parameter = scope->parameter =
            signal_state_add(c, scope, kind->parameter_size, (uint32_t)branch->parameter->align,
                             branch->parameter, branch->definition, "parameter");
    }
    SignalBundle out = compile_program(c, scope, branch->definition);
    if (out.type == 0) return false;
    if (*type == 0) *type = out.type;
    if (signal_value_type(c, out.type) == NULL || *type != out.type) {
        (void)signal_fail(c, FILO_ERROR_KIND,
                          "%s: members \"%s\" give %s; all members must give one value of the same type, as "
                          "\"%s\" gives %s",
                          signal_label(c, node), name, signal_type_text(c, out.type), pool->kinds[0].name,
                          signal_type_text(c, *type));
        return false;
    }
    kind->body = scope->program;
    kind->shown = signal_shown(c, kind->body, 1);
    if (scope->program->random) env->scope->program->random = true;
    if (kind->body->state_size > pool->area_size) pool->area_size = kind->body->state_size;
    return true;
}

// Whether the members of time 0 are of kinds of the collection; copies their values.
static bool copy_members(SignalCompiler *c, SignalPool *pool) {
    const SignalCollection *from = &pool->collection;
    SignalMember *members = signal_alloc(c, (from->initial_count + 1) * sizeof *members);
    if (members == NULL) return false;
    for (size_t i = 0; i < from->initial_count; i++) {
        members[i] = from->initial[i];
        bool known = false;
        for (uint32_t k = 0; k < from->kind_count; k++) known = known || from->kinds[k] == members[i].branch;
        const SignalBranch *branch = &c->builder->branches[members[i].branch];
        if (!known) {
            (void)signal_fail(c, FILO_ERROR_DATA,
                              "collection \"%s\": member %zu is of branch \"%s\", which is none of its kinds",
                              from->name, i + 1, branch->name);
            return false;
        }
        if (members[i].value == NULL) continue;
        void *value = signal_alloc(c, branch->parameter->size);
        if (value == NULL) return false;
        memcpy(value, members[i].value, branch->parameter->size);
        members[i].value = value;
    }
    pool->collection.initial = members;
    return true;
}

// What the list of outputs depends on: what members need for theirs, and the event if members come and go at once. A `route`
// is called with the whole input if they need what it makes.
static void set_shown(SignalCompiler *c, SignalScope *scope, SignalOp *op, uint32_t *operands,
                      uint32_t captures) {
    const SignalPool *pool = op->pool;
    bool used[SIGNAL_LEAVES] = { false };
    for (uint32_t k = 0; k < pool->collection.kind_count; k++) signal_mark_inputs(pool->kinds[k].shown, used);
    bool routed = pool->collection.route != NULL && used[0];
    for (uint32_t i = 0; i < op->more_count; i++)
        if (i < captures ? !used[i] : !routed) operands[i] = SIGNAL_NO_REGISTER;
    uint32_t in[4] = SIGNAL_NO_INPUTS;
    if (!pool->delayed) memcpy(in, op->in, sizeof in);
    signal_set_shown(c, scope, op, in, operands);
}

SignalBundle signal_compile_collection(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalNode n = c->builder->nodes[node];
    SignalBundle x = signal_compile(c, env, n.children[0]), event = { 0 };
    SIGNAL_REQUIRE(x);
    if (n.child_count > 1) {
        event = signal_compile(c, env, n.children[1]);
        SIGNAL_REQUIRE(event);
        if (signal_type(c, event.type)->kind != SIGNAL_TYPE_EVENT || event.count > 2)
            return signal_fail(c, FILO_ERROR_KIND, "%s takes an event with one value, or none, and %s is %s",
                               signal_label(c, node), signal_label(c, n.children[1]),
                               signal_type_text(c, event.type));
    }
    SignalPool *pool = signal_alloc(c, sizeof *pool);
    if (pool == NULL) return (SignalBundle){ 0 };
    pool->collection = *n.collection;
    pool->builder = c->builder;
    pool->node = node;
    pool->edit = n.edit;
    pool->delayed = n.flag;
    pool->kinds = signal_alloc(c, pool->collection.kind_count * sizeof *pool->kinds);
    char *name = signal_alloc(c, strlen(n.collection->name) + 1);
    if (pool->kinds == NULL || name == NULL || !copy_members(c, pool)) return (SignalBundle){ 0 };
    memcpy(name, n.collection->name, strlen(n.collection->name) + 1);
    pool->collection.name = name;
    SignalBundle input = x;
    if (n.collection->route != NULL)
        input = signal_bundle_new(c, env->scope, signal_type_value(c, n.collection->input_type), node);
    SIGNAL_REQUIRE(input);
    SignalCaptures captures = { .count = input.count };
    memcpy(captures.registers, input.registers, sizeof captures.registers);
    uint32_t type = 0;
    for (uint32_t k = 0; k < pool->collection.kind_count; k++)
        if (!compile_kind(c, env, node, pool, k, &input, &captures, &type)) return (SignalBundle){ 0 };
    const FiloType *value = signal_value_type(c, type);
    uint32_t list = signal_type_list(c, value, pool->collection.capacity, true);
    SignalBundle out = signal_bundle_new(c, env->scope, list, node);
    SIGNAL_REQUIRE(out);
    const FiloType *list_type = signal_type(c, list)->list;
    pool->values = (uint32_t)filo_type_field(list_type, "values")->offset;
    pool->list_size = (uint32_t)list_type->size;
    pool->output_size = (uint32_t)value->size;
    pool->output_type = value;
    pool->repair = signal_needs_repair(value);
    for (uint32_t k = 0; k < pool->collection.kind_count; k++)
        pool->repair = pool->repair || signal_needs_repair(pool->kinds[k].parameter_type);
    pool->output = (uint32_t)sizeof(SignalSlot) + pool->area_size;
    pool->slot_size = signal_align(pool->output + pool->output_size, 8);
    pool->state_size = (uint32_t)sizeof(SignalPoolState) + pool->slot_size * pool->collection.capacity;
    pool->env_count = x.count;
    SignalOp op = { .run = signal_run_pool,
                    .kind = SIGNAL_COLLECTION,
                    .node = node,
                    .in = SIGNAL_NO_INPUTS,
                    .out = { out.registers[0], SIGNAL_NO_REGISTER },
                    .pool = pool,
                    .number = captures.count };
    if (event.type != 0) {
        op.in[0] = event.registers[0];
        op.in[1] = event.count > 1 ? event.registers[1] : SIGNAL_NO_REGISTER;
        if (event.count > 1) op.lanes = env->scope->program->registers[event.registers[1]].size;
    }
    uint32_t operands[SIGNAL_LEAVES * 2];
    memcpy(operands, captures.registers, captures.count * sizeof operands[0]);
    memcpy(operands + captures.count, x.registers, x.count * sizeof operands[0]);
    if (n.collection->route != NULL) operands[0] = SIGNAL_NO_REGISTER; // made by `route`
    op.more = signal_operands(c, env->scope, operands, captures.count + x.count);
    op.more_count = captures.count + x.count;
    op.state = signal_state_add(c, env->scope, pool->state_size, 8, NULL, node, "members");
    // One row at a time: a copy of the members, what `route` writes, the list of those that run, and gathered inputs.
    uint32_t routed = n.collection->route != NULL
                          ? (uint32_t)n.collection->input_type->size * pool->collection.capacity
                          : 0;
    op.scratch_fixed = pool->state_size + pool->list_size + routed + 8192;
    for (uint32_t i = 0; i < captures.count; i++)
        op.scratch_rows += env->scope->program->registers[captures.registers[i]].size;
    op.scratch_rows += 16;
    set_shown(c, env->scope, &op, operands, captures.count);
    if (c->problem.code != FILO_OK) return (SignalBundle){ 0 };
    signal_emit(c, env->scope, &op);
    pool->next = c->network->pools;
    c->network->pools = pool;
    return out;
}
