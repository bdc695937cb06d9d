// Compiling nodes of time and state.

#include "signal/compile/compile.h"
#include "signal/run/run.h"

// ---- State in registers -------------------------------------------------------------------------------------------

// A piece of state that is a register while the program runs: it is loaded at the beginning, and stored at the end from another
// register, which signal_slot_close sets.
typedef struct Slot {
    uint32_t loaded; // register
    uint32_t store;  // operation
} Slot;

static Slot slot_new(SignalCompiler *c, SignalScope *scope, const FiloType *type, bool presence,
                     const void *initial, uint32_t node, const char *part) {
    Slot slot = { 0 };
    uint32_t size = (uint32_t)type->size;
    SignalOp op = { .run = signal_run_load,
                    .node = node,
                    .in = SIGNAL_NO_INPUTS,
                    .size = size,
                    .kind = (uint8_t)c->builder->nodes[node].kind,
                    .data = signal_copy_value(c, initial, size) };
    op.state = signal_state_add(c, scope, size, (uint32_t)type->align, type, node, part);
    slot.loaded = signal_register(c, scope, size, type, node);
    if (c->problem.code != FILO_OK) return slot;
    scope->program->registers[slot.loaded].presence = presence;
    op.out[0] = slot.loaded;
    op.out[1] = SIGNAL_NO_REGISTER;
    uint32_t load = signal_emit(c, scope, &op);
    op.run = signal_run_store;
    op.out[0] = SIGNAL_NO_REGISTER;
    slot.store = signal_emit(c, scope, &op);
    if (c->problem.code == FILO_OK) scope->program->ops[load].update = slot.store + 1;
    return slot;
}

static void slot_close(SignalCompiler *c, SignalScope *scope, Slot slot, uint32_t stored) {
    if (c->problem.code == FILO_OK) scope->program->ops[slot.store].in[0] = stored;
}

SignalBundle signal_pre(SignalCompiler *c, SignalScope *scope, uint32_t type, const SignalNode *value,
                        uint32_t node, uint32_t *updates) {
    FiloSfLeaf leaves[SIGNAL_LEAVES];
    SignalBundle out = { .type = type, .count = signal_type_leaves(c, type, leaves, NULL, SIGNAL_LEAVES) };
    const SignalType *t = signal_type(c, type);
    bool event = t->kind == SIGNAL_TYPE_EVENT;
    uint32_t wanted = event ? t->parts[0] : type;
    bool fits = value->value == NULL ? event : wanted == signal_type_value(c, value->type);
    if (!fits || out.count > SIGNAL_LEAVES)
        return signal_fail(c, FILO_ERROR_KIND, "%s is %s, and its initial value is %s", signal_label(c, node),
                           signal_type_text(c, type), value->type != NULL ? value->type->name : "missing");
    for (uint32_t i = 0; i < out.count; i++) {
        uint8_t present = value->value != NULL;
        Slot slot = slot_new(c, scope, leaves[i].type, leaves[i].presence,
                             leaves[i].presence ? &present : value->value, node,
                             leaves[i].presence ? "occurs" : "value");
        out.registers[i] = slot.loaded;
        updates[i] = slot.store;
    }
    return c->problem.code == FILO_OK ? out : (SignalBundle){ 0 };
}

void signal_pre_close(SignalCompiler *c, SignalScope *scope, const uint32_t *updates,
                      const SignalBundle *source) {
    if (c->problem.code != FILO_OK) return;
    for (uint32_t i = 0; i < source->count; i++) scope->program->ops[updates[i]].in[0] = source->registers[i];
}

SignalBundle signal_integral(SignalCompiler *c, SignalScope *scope, const FiloType *type, uint32_t node,
                             uint32_t *update) {
    uint32_t lanes = signal_lanes(type);
    if (lanes == 0)
        return signal_fail(c, FILO_ERROR_KIND, "%s takes a float or a vector, and gets %s",
                           signal_label(c, node), type->name);
    Slot sum = slot_new(c, scope, type, false, NULL, node, "sum");
    Slot before = slot_new(c, scope, type, false, NULL, node, "before");
    SignalBundle out = signal_bundle_new(c, scope, signal_type_value(c, type), node);
    SIGNAL_REQUIRE(out);
    signal_emit(c, scope,
                &(SignalOp){ .run = signal_run_integral,
                             .node = node,
                             .kind = (uint8_t)c->builder->nodes[node].kind,
                             .in = { sum.loaded, before.loaded, SIGNAL_NO_REGISTER, SIGNAL_NO_REGISTER },
                             .out = { out.registers[0], SIGNAL_NO_REGISTER },
                             .lanes = lanes });
    slot_close(c, scope, sum, out.registers[0]);
    *update = before.store;
    return out;
}

// The output exists before the input is compiled, if its type can be told: a loop through the input then leads back to it.
static SignalBundle integral(SignalCompiler *c, SignalEnv *env, uint32_t node, uint32_t child) {
    uint32_t type = signal_peek_type(c, env, child), update;
    SignalBundle x = { 0 }, out = { 0 };
    if (type == 0) {
        x = signal_compile(c, env, child);
        SIGNAL_REQUIRE(x);
        type = x.type;
    }
    const FiloType *value =
        signal_type(c, type)->kind == SIGNAL_TYPE_VALUE ? signal_type(c, type)->value : NULL;
    if (value == NULL || signal_lanes(value) == 0)
        return signal_wrong(c, node, c->builder->nodes[node].children[0], "a float or a vector",
                            &(SignalBundle){ .type = type });
    out = signal_integral(c, env->scope, value, node, &update);
    SIGNAL_REQUIRE(out);
    if (c->builder->nodes[node].kind == SIGNAL_INTEGRAL) signal_memo(c, env, node, &out, false);
    if (x.type == 0) x = signal_compile(c, env, child);
    SIGNAL_REQUIRE(x);
    if (x.type != type)
        return signal_wrong(c, node, c->builder->nodes[node].children[0], "what it was taken for", &x);
    signal_pre_close(c, env->scope, &update, &x);
    return out;
}

static SignalBundle i_pre(SignalCompiler *c, SignalEnv *env, uint32_t node, uint32_t child,
                          const SignalNode *value) {
    uint32_t type = signal_peek_type(c, env, child), updates[SIGNAL_LEAVES];
    SignalBundle x = { 0 };
    if (type == 0) {
        x = signal_compile(c, env, child);
        SIGNAL_REQUIRE(x);
        type = x.type;
    }
    SignalBundle out = signal_pre(c, env->scope, type, value, node, updates);
    SIGNAL_REQUIRE(out);
    signal_memo(c, env, node, &out, false);
    if (x.type == 0) x = signal_compile(c, env, child);
    SIGNAL_REQUIRE(x);
    if (x.type != type)
        return signal_wrong(c, node, c->builder->nodes[node].children[0], "what it was taken for", &x);
    signal_pre_close(c, env->scope, updates, &x);
    return out;
}

// ---- Others -------------------------------------------------------------------------------------------------------

static SignalBundle initially(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalNode n = c->builder->nodes[node];
    uint32_t child = n.children[0];
    while (c->builder->nodes[child].kind == SIGNAL_NAMED) child = c->builder->nodes[child].children[0];
    if (c->builder->nodes[child].kind == SIGNAL_PRE)
        return i_pre(c, env, node, c->builder->nodes[child].children[0], &n);
    SignalBundle x = signal_compile(c, env, n.children[0]);
    SIGNAL_REQUIRE(x);
    const SignalType *t = signal_type(c, x.type);
    bool event = t->kind == SIGNAL_TYPE_EVENT;
    uint32_t wanted = event ? t->parts[0] : x.type;
    bool fits = n.value == NULL ? event : wanted == signal_type_value(c, n.type);
    if (!fits)
        return signal_fail(c, FILO_ERROR_KIND, "%s: %s is %s, and the initial value is %s",
                           signal_label(c, node), signal_label(c, n.children[0]), signal_type_text(c, x.type),
                           n.type != NULL ? n.type->name : "missing");
    SignalBundle out = signal_bundle_new(c, env->scope, x.type, node);
    SIGNAL_REQUIRE(out);
    for (uint32_t i = 0; i < out.count; i++) {
        SignalRegister r = env->scope->program->registers[out.registers[i]];
        uint8_t present = n.value != NULL;
        const void *initial = signal_copy_value(c, r.presence ? &present : n.value, r.size);
        if (initial == NULL) return (SignalBundle){ 0 };
        signal_emit(
            c, env->scope,
            &(SignalOp){ .run = signal_run_initially,
                         .kind = SIGNAL_INITIALLY,
                         .node = node,
                         .in = { x.registers[i], SIGNAL_NO_REGISTER, SIGNAL_NO_REGISTER, SIGNAL_NO_REGISTER },
                         .out = { out.registers[i], SIGNAL_NO_REGISTER },
                         .size = r.size,
                         .data = initial });
    }
    return out;
}

// Whether a function takes these types and gives that one.
static bool function_fits(const FiloSfFunction *f, const FiloType *result, const FiloType *const *arguments,
                          uint32_t count) {
    if (f->argument_count != count || f->maybe || !signal_same_type(f->result(), result)) return false;
    for (uint32_t i = 0; i < count; i++)
        if (!signal_same_type(f->arguments[i](), arguments[i])) return false;
    return true;
}

static SignalBundle with_function(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalNode n = c->builder->nodes[node];
    SignalBundle x = signal_compile(c, env, n.children[0]);
    SIGNAL_REQUIRE(x);
    const FiloType *type = signal_value_type(c, x.type),
                   *result = n.kind == SIGNAL_INITIALLY_BY ? type : n.type;
    if (type == NULL) return signal_wrong(c, node, c->builder->nodes[node].children[0], "a value", &x);
    if (result == NULL)
        return signal_fail(c, FILO_ERROR_ARGUMENT, "%s: the initial value is missing", signal_label(c, node));
    const FiloType *arguments[4] = { type, type, FILO_TYPE(float), result };
    uint32_t count = n.kind == SIGNAL_ITER_FROM ? 4 : n.kind == SIGNAL_SSCAN ? 2 : 1;
    if (n.kind == SIGNAL_SSCAN) arguments[0] = result;
    if (!function_fits(n.function, result, arguments, count))
        return signal_fail(c, FILO_ERROR_KIND, "%s: the function %s must take %s%s%s%s and give %s; %s is %s",
                           signal_label(c, node), n.function->name, arguments[0]->name, count > 1 ? ", " : "",
                           count > 1 ? arguments[1]->name : "",
                           count > 2 ? ", float and the result before" : "", result->name,
                           signal_label(c, n.children[0]), type->name);
    SignalBundle out = signal_bundle_new(c, env->scope, signal_type_value(c, result), node);
    SIGNAL_REQUIRE(out);
    SignalOp op = { .kind = (uint8_t)n.kind,
                    .node = node,
                    .rows = n.function->rows,
                    .size = (uint32_t)result->size,
                    .lanes = (uint32_t)type->size,
                    .in = { x.registers[0], SIGNAL_NO_REGISTER, SIGNAL_NO_REGISTER, SIGNAL_NO_REGISTER },
                    .out = { out.registers[0], SIGNAL_NO_REGISTER } };
    op.run = n.kind == SIGNAL_INITIALLY_BY ? signal_run_initially_by
             : n.kind == SIGNAL_SSCAN      ? signal_run_sscan
                                           : signal_run_iter_from;
    if (n.kind != SIGNAL_INITIALLY_BY) {
        op.data = signal_copy_value(c, n.value, result->size);
        op.state = signal_state_add(c, env->scope, op.size, (uint32_t)result->align, result, node, "value");
        op.scratch_rows = op.size;
    }
    if (n.kind == SIGNAL_ITER_FROM) {
        op.number = signal_state_add(c, env->scope, op.lanes, (uint32_t)type->align, type, node, "before");
        op.scratch_rows = op.size + op.lanes + (uint32_t)sizeof(float);
        op.scratch_fixed = 256;
    }
    if (c->problem.code != FILO_OK) return (SignalBundle){ 0 };
    signal_emit(c, env->scope, &op);
    return out;
}

static SignalBundle delay(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalNode n = c->builder->nodes[node];
    SignalBundle x = signal_compile(c, env, n.children[0]);
    SIGNAL_REQUIRE(x);
    const FiloType *type = signal_value_type(c, x.type);
    if (type == NULL)
        return signal_wrong(c, node, c->builder->nodes[node].children[0],
                            "a value (for events there is delay_event)", &x);
    if (n.value == NULL || !signal_same_type(n.type, type))
        return signal_fail(c, FILO_ERROR_KIND, "%s: %s is %s, and the initial value is %s",
                           signal_label(c, node), signal_label(c, n.children[0]), type->name,
                           n.type != NULL ? n.type->name : "missing");
    if (n.seconds == 0.0f) return x;
    SignalBundle out = signal_bundle_new(c, env->scope, x.type, node);
    SIGNAL_REQUIRE(out);
    uint32_t size = (uint32_t)type->size, item = signal_align((uint32_t)sizeof(double) + size, 8);
    uint32_t shown = signal_align((uint32_t)sizeof(SignalDelay) + size, 8); // the value that is shown
    uint32_t state = signal_state_add(c, env->scope, shown + item * n.number, 8, NULL, node, "samples");
    const void *initial = signal_copy_value(c, n.value, size);
    if (c->problem.code != FILO_OK) return (SignalBundle){ 0 };
    SignalOp op = { .run = signal_run_delay,
                    .kind = SIGNAL_DELAY,
                    .node = node,
                    .in = SIGNAL_NO_INPUTS,
                    .out = { out.registers[0], SIGNAL_NO_REGISTER },
                    .state = state,
                    .size = size,
                    .lanes = item,
                    .number = n.number,
                    .seconds = n.seconds,
                    .data = initial };
    uint32_t first = signal_emit(c, env->scope, &op);
    op.run = signal_run_delay_update;
    op.out[0] = SIGNAL_NO_REGISTER;
    op.in[0] = x.registers[0];
    uint32_t update = signal_emit(c, env->scope, &op);
    if (c->problem.code == FILO_OK) env->scope->program->ops[first].update = update + 1;
    return out;
}

// An operation with one input whose state is its output before, its input before, or both.
static SignalBundle stateful(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalNode n = c->builder->nodes[node];
    SignalBundle x = signal_compile(c, env, n.children[0]);
    SIGNAL_REQUIRE(x);
    const FiloType *type = signal_value_type(c, x.type);
    uint32_t lanes = type != NULL ? signal_lanes(type) : 0;
    if (lanes == 0)
        return signal_wrong(c, node, c->builder->nodes[node].children[0], "a float or a vector", &x);
    if (n.kind == SIGNAL_IM_INTEGRAL && (n.value == NULL || !signal_same_type(n.type, type)))
        return signal_fail(c, FILO_ERROR_KIND, "%s: %s is %s, and the initial value is %s",
                           signal_label(c, node), signal_label(c, n.children[0]), type->name,
                           n.type != NULL ? n.type->name : "missing");
    SignalBundle out = signal_bundle_new(c, env->scope, x.type, node);
    SIGNAL_REQUIRE(out);
    SignalOp op = { .kind = (uint8_t)n.kind,
                    .node = node,
                    .lanes = lanes,
                    .in = { x.registers[0], SIGNAL_NO_REGISTER, SIGNAL_NO_REGISTER, SIGNAL_NO_REGISTER },
                    .out = { out.registers[0], SIGNAL_NO_REGISTER } };
    op.run = n.kind == SIGNAL_TRAPEZOID    ? signal_run_trapezoid
             : n.kind == SIGNAL_DERIVATIVE ? signal_run_derivative
                                           : signal_run_im_integral;
    if (n.kind != SIGNAL_DERIVATIVE) {
        Slot sum = slot_new(c, env->scope, type, false, n.value, node, "sum");
        op.in[1] = sum.loaded;
        slot_close(c, env->scope, sum, out.registers[0]);
    }
    if (n.kind != SIGNAL_IM_INTEGRAL) {
        Slot before = slot_new(c, env->scope, type, false, NULL, node, "before");
        op.in[2] = before.loaded;
        slot_close(c, env->scope, before, x.registers[0]);
    }
    if (c->problem.code != FILO_OK) return (SignalBundle){ 0 };
    signal_emit(c, env->scope, &op);
    return out;
}

SignalBundle signal_held(SignalCompiler *c, SignalScope *scope, const FiloType *type, const void *initial,
                         uint32_t presence, uint32_t value, uint32_t node) {
    Slot held = slot_new(c, scope, type, false, initial, node, "value");
    SignalBundle out = signal_bundle_new(c, scope, signal_type_value(c, type), node);
    SIGNAL_REQUIRE(out);
    signal_emit(c, scope,
                &(SignalOp){ .run = signal_run_select,
                             .kind = (uint8_t)c->builder->nodes[node].kind,
                             .node = node,
                             .in = { presence, value, held.loaded, SIGNAL_NO_REGISTER },
                             .out = { out.registers[0], SIGNAL_NO_REGISTER },
                             .size = (uint32_t)type->size });
    slot_close(c, scope, held, out.registers[0]);
    return out;
}

// The sum of the values of an event, as of hold. Compiled as integral + accumulated sum.
static SignalBundle impulse_integral(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalNode n = c->builder->nodes[node];
    SignalBundle sum = integral(c, env, node, n.children[0]);
    SIGNAL_REQUIRE(sum);
    SignalBundle event = signal_compile(c, env, n.children[1]);
    SIGNAL_REQUIRE(event);
    const SignalType *t = signal_type(c, event.type);
    if (t->kind != SIGNAL_TYPE_EVENT || t->parts[0] != sum.type)
        return signal_fail(c, FILO_ERROR_KIND, "%s: %s is %s, and %s is %s; it must be an event of the same",
                           signal_label(c, node), signal_label(c, n.children[0]),
                           signal_type_text(c, sum.type), signal_label(c, n.children[1]),
                           signal_type_text(c, event.type));
    const FiloType *type = signal_value_type(c, sum.type);
    SignalBundle impulses = signal_bundle_new(c, env->scope, sum.type, node);
    SIGNAL_REQUIRE(impulses);
    SignalBundle out = signal_bundle_new(c, env->scope, sum.type, node);
    SIGNAL_REQUIRE(out);
    uint32_t size = (uint32_t)type->size, lanes = signal_lanes(type);
    uint32_t state = signal_state_add(c, env->scope, size, 4, type, node, "impulses");
    const void *zero = signal_copy_value(c, NULL, size);
    if (c->problem.code != FILO_OK) return (SignalBundle){ 0 };
    // accum_hold without a function of the user: it adds.
    signal_emit(
        c, env->scope,
        &(SignalOp){ .run = signal_run_accum_hold,
                     .kind = (uint8_t)n.kind,
                     .node = node,
                     .in = { event.registers[0], event.registers[1], SIGNAL_NO_REGISTER, SIGNAL_NO_REGISTER },
                     .out = { impulses.registers[0], SIGNAL_NO_REGISTER },
                     .state = state,
                     .size = size,
                     .lanes = lanes,
                     .data = zero });
    signal_emit(c, env->scope,
                &(SignalOp){
                    .run = signal_run_add,
                    .kind = (uint8_t)n.kind,
                    .node = node,
                    .in = { sum.registers[0], impulses.registers[0], SIGNAL_NO_REGISTER, SIGNAL_NO_REGISTER },
                    .out = { out.registers[0], SIGNAL_NO_REGISTER },
                    .size = size,
                    .lanes = lanes });
    return out;
}

static SignalBundle time_node(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalBundle out = signal_bundle_new(c, env->scope, signal_type_value(c, FILO_TYPE(float)), node);
    SIGNAL_REQUIRE(out);
    uint32_t state = signal_state_add(c, env->scope, sizeof(double), 8, FILO_TYPE(double), node, "seconds");
    signal_emit(c, env->scope,
                &(SignalOp){ .run = signal_run_time,
                             .kind = SIGNAL_TIME,
                             .node = node,
                             .in = SIGNAL_NO_INPUTS,
                             .out = { out.registers[0], SIGNAL_NO_REGISTER },
                             .state = state });
    return out;
}

uint32_t signal_random(SignalCompiler *c, SignalScope *scope) {
    for (SignalScope *s = scope; s != NULL; s = s->parent) s->program->random = true;
    return ++c->network->random_count;
}

static SignalBundle noise(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalNode n = c->builder->nodes[node];
    SignalBundle out = signal_bundle_new(c, env->scope, signal_type_value(c, FILO_TYPE(float)), node);
    SIGNAL_REQUIRE(out);
    signal_emit(c, env->scope,
                &(SignalOp){ .run = signal_run_noise,
                             .kind = SIGNAL_NOISE,
                             .node = node,
                             .in = SIGNAL_NO_INPUTS,
                             .out = { out.registers[0], SIGNAL_NO_REGISTER },
                             .seconds = n.seconds,
                             .high = n.high,
                             .number = signal_random(c, env->scope) });
    return out;
}

SignalBundle signal_compile_time(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalNode n = c->builder->nodes[node];
    switch (n.kind) {
    case SIGNAL_TIME: return time_node(c, env, node);
    case SIGNAL_NOISE: return noise(c, env, node);
    case SIGNAL_INTEGRAL: return integral(c, env, node, n.children[0]);
    case SIGNAL_TRAPEZOID:
    case SIGNAL_IM_INTEGRAL:
    case SIGNAL_DERIVATIVE: return stateful(c, env, node);
    case SIGNAL_IMPULSE_INTEGRAL: return impulse_integral(c, env, node);
    case SIGNAL_I_PRE: return i_pre(c, env, node, n.children[0], &n);
    case SIGNAL_PRE:
        return signal_fail(c, FILO_ERROR_DATA, "%s has no value at time 0: use i_pre, or initially around it",
                           signal_label(c, node));
    case SIGNAL_DELAY: return delay(c, env, node);
    case SIGNAL_INITIALLY: return initially(c, env, node);
    default: return with_function(c, env, node);
    }
}
