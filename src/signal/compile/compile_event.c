// Compiling nodes of events. Most of them only rearrange registers: an event is a register of bytes that tell where it occurs,
// and the registers of its value.

#include "signal/compile/compile.h"
#include "signal/run/run.h"

#include <stdio.h>

// The n-th child, which must be an event.
static SignalBundle event_of(SignalCompiler *c, SignalEnv *env, uint32_t node, uint32_t n) {
    uint32_t child = c->builder->nodes[node].children[n];
    SignalBundle x = signal_compile(c, env, child);
    SIGNAL_REQUIRE(x);
    if (signal_type(c, x.type)->kind != SIGNAL_TYPE_EVENT)
        return signal_wrong(c, node, child, "an event", &x);
    return x;
}

// An event with this presence and value.
static SignalBundle make_event(SignalCompiler *c, uint32_t node, uint32_t presence,
                               const SignalBundle *value) {
    if (value->count + 1 > SIGNAL_LEAVES)
        return signal_fail(c, FILO_ERROR_LIMIT, "%s consists of more than %d values", signal_label(c, node),
                           SIGNAL_LEAVES);
    SignalBundle out = { .type = signal_type_event(c, value->type),
                         .count = value->count + 1,
                         .registers = { presence } };
    memcpy(out.registers + 1, value->registers, value->count * sizeof value->registers[0]);
    return out;
}

static SignalBundle nothing(SignalCompiler *c) {
    return (SignalBundle){ .type = signal_type_value(c, NULL) };
}

// The value of a node as a bundle: a constant, or nothing.
static SignalBundle value_of(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    const SignalNode *n = &c->builder->nodes[node];
    if (n->value == NULL) return nothing(c);
    return (SignalBundle){ .type = signal_type_value(c, n->type),
                           .count = 1,
                           .registers = { signal_constant(c, env->scope, (uint32_t)n->type->size, n->type,
                                                          n->value, node) } };
}

static uint32_t presence_register(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    uint32_t r = signal_register(c, env->scope, 1, FILO_TYPE(bool), node);
    if (c->problem.code == FILO_OK) env->scope->program->registers[r].presence = true;
    return r;
}

// An operation whose output is a presence.
static uint32_t presence_op(SignalCompiler *c, SignalEnv *env, uint32_t node, SignalKernel run, uint32_t a,
                            uint32_t b, const FiloType *state, const char *part) {
    const SignalNode *n = &c->builder->nodes[node];
    uint32_t r = presence_register(c, env, node);
    SignalOp op = { .run = run,
                    .kind = (uint8_t)n->kind,
                    .node = node,
                    .in = { a, b, SIGNAL_NO_REGISTER, SIGNAL_NO_REGISTER },
                    .out = { r, SIGNAL_NO_REGISTER },
                    .flag = n->flag,
                    .number = n->number,
                    .seconds = n->seconds,
                    .size = 1 };
    if (state != NULL)
        op.state =
            signal_state_add(c, env->scope, (uint32_t)state->size, (uint32_t)state->align, state, node, part);
    if (c->problem.code == FILO_OK) signal_emit(c, env->scope, &op);
    return r;
}

// ---- Sources ----------------------------------------------------------------------------------------------------

// after_each, repeatedly and sample_window: a state with the time until the next event.
static SignalBundle after_each(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalNode n = c->builder->nodes[node];
    SignalBundle value = nothing(c);
    if (n.kind == SIGNAL_AFTER_EACH && n.number == 0) {
        uint8_t no = 0;
        if (n.flag)
            value.type = signal_type_list(c, n.type, 1, false);
        else
            value.type = signal_type_value(c, n.type);
        value = signal_bundle_new(c, env->scope, value.type, node);
        SIGNAL_REQUIRE(value);
        for (uint32_t i = 0; i < value.count; i++) {
            SignalRegister r = env->scope->program->registers[value.registers[i]];
            const void *zero = signal_copy_value(c, NULL, r.size);
            if (zero == NULL) return (SignalBundle){ 0 };
            signal_emit(c, env->scope,
                        &(SignalOp){ .run = signal_run_constant,
                                     .kind = SIGNAL_CONSTANT,
                                     .node = node,
                                     .in = SIGNAL_NO_INPUTS,
                                     .out = { value.registers[i], SIGNAL_NO_REGISTER },
                                     .size = r.size,
                                     .data = zero });
        }
        return make_event(c, node, signal_constant(c, env->scope, 1, FILO_TYPE(bool), &no, node), &value);
    }
    SignalBundle x = { 0 };
    if (n.kind == SIGNAL_SAMPLE_WINDOW) { // first, because the parts of the state below are in a row
        x = signal_compile(c, env, n.children[0]);
        SIGNAL_REQUIRE(x);
    }
    SignalOp op = { .kind = (uint8_t)n.kind,
                    .node = node,
                    .in = SIGNAL_NO_INPUTS,
                    .seconds = n.seconds,
                    .number = n.number,
                    .flag = n.flag,
                    .type = n.type };
    op.out[0] = presence_register(c, env, node);
    op.out[1] = SIGNAL_NO_REGISTER;
    op.state = signal_state_add(c, env->scope, sizeof(double), 8, FILO_TYPE(double), node, "time");
    (void)signal_state_add(c, env->scope, 4, 4, FILO_TYPE(uint32_t), node, "index");
    (void)signal_state_add(c, env->scope, 4, 4, FILO_TYPE(uint32_t), node, "unused");
    if (n.kind == SIGNAL_REPEATEDLY) {
        op.run = signal_run_repeatedly;
        value = value_of(c, env, node);
    } else if (n.kind == SIGNAL_SAMPLE_WINDOW) {
        const FiloType *type = signal_value_type(c, x.type);
        if (type == NULL) return signal_wrong(c, node, n.children[0], "a value", &x);
        value = signal_bundle_new(c, env->scope, signal_type_list(c, type, n.number, false), node);
        SIGNAL_REQUIRE(value);
        op.run = signal_run_sample_window;
        op.in[0] = x.registers[0];
        op.type = type;
        op.out[1] = value.registers[0];
        op.size = env->scope->program->registers[value.registers[0]].size;
        (void)signal_state_add(c, env->scope, signal_align(op.size, 8), 8, NULL, node, "window");
    } else {
        op.run = signal_run_after_each;
        char *seconds = n.number == 1 ? signal_alloc(c, 24) : NULL;
        if (seconds != NULL) {
            (void)snprintf(seconds, 24, "%g s", (double)n.times[0]);
            env->scope->program->registers[op.out[0]].name = seconds;
        }
        uint32_t type = n.flag ? signal_type_list(c, n.type, n.number, false) : signal_type_value(c, n.type);
        value = signal_bundle_new(c, env->scope, type, node);
        SIGNAL_REQUIRE(value);
        if (value.count > 0) {
            op.out[1] = value.registers[0];
            op.size = env->scope->program->registers[value.registers[0]].size;
        }
        // Values follow the times.
        op.lanes = n.type != NULL ? (uint32_t)n.type->size : 0;
        uint8_t *both = signal_alloc(c, signal_align(n.number * 4, 16) + n.number * op.lanes);
        if (both == NULL) return (SignalBundle){ 0 };
        memcpy(both, n.times, n.number * sizeof *n.times);
        if (op.lanes > 0) memcpy(both + signal_align(n.number * 4, 16), n.value, (size_t)n.number * op.lanes);
        op.data = both;
    }
    if (c->problem.code != FILO_OK) return (SignalBundle){ 0 };
    signal_emit(c, env->scope, &op);
    return make_event(c, node, op.out[0], &value);
}

static SignalBundle source(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalNode n = c->builder->nodes[node];
    if (n.kind == SIGNAL_NEVER) {
        uint8_t no = 0;
        SignalBundle value = nothing(c);
        if (n.type != NULL) {
            const void *zero = signal_copy_value(c, NULL, n.type->size);
            if (zero == NULL) return (SignalBundle){ 0 };
            value = (SignalBundle){ .type = signal_type_value(c, n.type),
                                    .count = 1,
                                    .registers = { signal_constant(c, env->scope, (uint32_t)n.type->size,
                                                                   n.type, zero, node) } };
        }
        return make_event(c, node, signal_constant(c, env->scope, 1, FILO_TYPE(bool), &no, node), &value);
    }
    SignalBundle value =
        n.kind == SIGNAL_SNAP ? signal_compile(c, env, n.children[0]) : value_of(c, env, node);
    SIGNAL_REQUIRE(value);
    uint32_t presence;
    if (n.kind == SIGNAL_OCCASIONALLY) {
        presence = presence_op(c, env, node, signal_run_occasionally, SIGNAL_NO_REGISTER, SIGNAL_NO_REGISTER,
                               NULL, NULL);
        if (c->problem.code != FILO_OK) return (SignalBundle){ 0 };
        env->scope->program->ops[env->scope->program->op_count - 1].number = signal_random(c, env->scope);
    } else
        presence =
            presence_op(c, env, node, signal_run_now, SIGNAL_NO_REGISTER, SIGNAL_NO_REGISTER, NULL, NULL);
    return make_event(c, node, presence, &value);
}

static SignalBundle edge(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalNode n = c->builder->nodes[node];
    SignalBundle x = signal_compile(c, env, n.children[0]);
    SIGNAL_REQUIRE(x);
    if (n.kind == SIGNAL_EDGE_JUST) {
        if (signal_type(c, x.type)->kind != SIGNAL_TYPE_EVENT)
            return signal_wrong(c, node, n.children[0], "an event", &x);
    } else if (!signal_same_type(signal_value_type(c, x.type), FILO_TYPE(bool)))
        return signal_wrong(c, node, n.children[0], "a bool", &x);
    uint32_t presence = presence_op(c, env, node, signal_run_edge, x.registers[0], SIGNAL_NO_REGISTER,
                                    FILO_TYPE(bool), "before");
    if (c->problem.code != FILO_OK) return (SignalBundle){ 0 };
    SignalBundle value = nothing(c);
    if (n.kind == SIGNAL_EDGE_JUST) {
        env->scope->program->ops[env->scope->program->op_count - 1].flag = true;
        value = signal_bundle_part(c, &x, 0);
    }
    return make_event(c, node, presence, &value);
}

// Whether a function takes these two types and gives that one.
static bool fits2(const FiloSfFunction *f, bool maybe, const FiloType *result, const FiloType *a,
                  const FiloType *b) {
    return f->argument_count == 2 && f->maybe == maybe &&
           (result == NULL || signal_same_type(f->result(), result)) &&
           signal_same_type(f->arguments[0](), a) && signal_same_type(f->arguments[1](), b);
}

static SignalBundle edge_by(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalNode n = c->builder->nodes[node];
    SignalBundle x = signal_compile(c, env, n.children[0]);
    SIGNAL_REQUIRE(x);
    const FiloType *type = signal_value_type(c, x.type);
    if (type == NULL || n.value == NULL || !signal_same_type(type, n.type))
        return signal_wrong(c, node, n.children[0], "a value of the type of the initial one", &x);
    if (!fits2(n.function, true, NULL, type, type))
        return signal_fail(c, FILO_ERROR_KIND, "%s: %s must be a FILO_SF_MAYBE2 of (%s, %s), the type of %s",
                           signal_label(c, node), n.function->name, type->name, type->name,
                           signal_label(c, n.children[0]));
    const FiloType *result = n.function->result();
    SignalBundle out =
        signal_bundle_new(c, env->scope, signal_type_event(c, signal_type_value(c, result)), node);
    SIGNAL_REQUIRE(out);
    uint32_t state =
        signal_state_add(c, env->scope, (uint32_t)type->size, (uint32_t)type->align, type, node, "before");
    signal_emit(
        c, env->scope,
        &(SignalOp){ .run = signal_run_edge_by,
                     .kind = SIGNAL_EDGE_BY,
                     .node = node,
                     .in = { x.registers[0], SIGNAL_NO_REGISTER, SIGNAL_NO_REGISTER, SIGNAL_NO_REGISTER },
                     .out = { out.registers[1], out.registers[0] },
                     .rows = n.function->rows,
                     .size = (uint32_t)result->size,
                     .lanes = (uint32_t)type->size,
                     .state = state,
                     .data = signal_copy_value(c, n.value, type->size),
                     .scratch_rows = (uint32_t)type->size,
                     .scratch_fixed = 64 });
    return out;
}

// ---- Changing events ---------------------------------------------------------------------------------------------

// An event that is another one at times has its name too.
static void keep_name(const SignalCompiler *c, const SignalEnv *env, uint32_t derived, uint32_t from) {
    SignalRegister *registers = env->scope->program->registers;
    if (c->problem.code == FILO_OK && registers[derived].name == NULL)
        registers[derived].name = registers[from].name;
}

static SignalBundle suppress(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalNode n = c->builder->nodes[node];
    SignalBundle x = event_of(c, env, node, 0);
    SIGNAL_REQUIRE(x);
    if (n.kind == SIGNAL_NOT_YET) {
        uint32_t r =
            presence_op(c, env, node, signal_run_initially, x.registers[0], SIGNAL_NO_REGISTER, NULL, NULL);
        if (c->problem.code != FILO_OK) return (SignalBundle){ 0 };
        env->scope->program->ops[env->scope->program->op_count - 1].data = signal_copy_value(c, NULL, 1);
        keep_name(c, env, r, x.registers[0]);
        x.registers[0] = r;
        return x;
    }
    SignalKernel run = n.kind == SIGNAL_TAKE_EVENTS ? signal_run_take_events : signal_run_drop_events;
    uint32_t r =
        presence_op(c, env, node, run, x.registers[0], SIGNAL_NO_REGISTER, FILO_TYPE(uint32_t), "left");
    keep_name(c, env, r, x.registers[0]);
    x.registers[0] = r;
    return x;
}

static SignalBundle combine(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalNode n = c->builder->nodes[node];
    SignalBundle a = event_of(c, env, node, 0);
    SIGNAL_REQUIRE(a);
    if (n.kind == SIGNAL_SPLIT) {
        SignalBundle pair = signal_bundle_part(c, &a, 0);
        const SignalType *t = signal_type(c, pair.type);
        if (t->kind != SIGNAL_TYPE_TUPLE || t->part_count != 2)
            return signal_wrong(c, node, n.children[0], "an event of a pair", &a);
        SignalBundle left = signal_bundle_part(c, &pair, 0), right = signal_bundle_part(c, &pair, 1);
        left = make_event(c, node, a.registers[0], &left);
        right = make_event(c, node, a.registers[0], &right);
        SIGNAL_REQUIRE(left);
        SIGNAL_REQUIRE(right);
        SignalBundle out = left;
        if (left.count + right.count > SIGNAL_LEAVES)
            return signal_fail(c, FILO_ERROR_LIMIT, "%s consists of more than %d values",
                               signal_label(c, node), SIGNAL_LEAVES);
        memcpy(out.registers + left.count, right.registers, right.count * sizeof right.registers[0]);
        out.count = left.count + right.count;
        out.type = signal_type_tuple(c, (uint32_t[]){ left.type, right.type }, 2);
        return out;
    }
    SignalBundle b =
        n.kind == SIGNAL_JOIN ? event_of(c, env, node, 1) : signal_compile(c, env, n.children[1]);
    SIGNAL_REQUIRE(b);
    SignalBundle value = signal_bundle_part(c, &a, 0), other = b;
    if (n.kind == SIGNAL_TAG) {
        if (signal_type(c, b.type)->kind == SIGNAL_TYPE_EVENT)
            return signal_wrong(c, node, n.children[1], "a value that is not an event", &b);
        return make_event(c, node, a.registers[0], &b);
    }
    uint32_t presence = a.registers[0];
    if (n.kind == SIGNAL_JOIN) {
        presence = presence_op(c, env, node, signal_run_and, a.registers[0], b.registers[0], NULL, NULL);
        other = signal_bundle_part(c, &b, 0);
    }
    uint32_t types[2] = { value.type, other.type };
    SignalBundle pair = { .type = signal_type_tuple(c, types, 2), .count = value.count + other.count };
    if (pair.count >= SIGNAL_LEAVES)
        return signal_fail(c, FILO_ERROR_LIMIT, "%s consists of more than %d values", signal_label(c, node),
                           SIGNAL_LEAVES);
    memcpy(pair.registers, value.registers, value.count * sizeof value.registers[0]);
    memcpy(pair.registers + value.count, other.registers, other.count * sizeof other.registers[0]);
    return make_event(c, node, presence, &pair);
}

static SignalBundle merge(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalNode n = c->builder->nodes[node];
    SignalBundle a = event_of(c, env, node, 0), b = event_of(c, env, node, 1);
    SIGNAL_REQUIRE(a);
    SIGNAL_REQUIRE(b);
    if (a.type != b.type)
        return signal_fail(c, FILO_ERROR_KIND, "%s: %s is %s, and %s is %s", signal_label(c, node),
                           signal_label(c, n.children[0]), signal_type_text(c, a.type),
                           signal_label(c, n.children[1]), signal_type_text(c, b.type));
    SignalBundle out = signal_bundle_new(c, env->scope, a.type, node);
    SIGNAL_REQUIRE(out);
    out.registers[0] = presence_op(c, env, node, signal_run_or, a.registers[0], b.registers[0], NULL, NULL);
    const SignalBundle *first = n.kind == SIGNAL_R_MERGE ? &b : &a,
                       *second = n.kind == SIGNAL_R_MERGE ? &a : &b;
    if (n.kind == SIGNAL_MERGE_BY) {
        const FiloType *type = signal_value_type(c, signal_type(c, a.type)->parts[0]);
        if (type == NULL || !fits2(n.function, false, type, type, type))
            return signal_fail(c, FILO_ERROR_KIND,
                               "%s: %s must take two values and give one, all of the type of %s, %s",
                               signal_label(c, node), n.function->name, signal_label(c, n.children[0]),
                               signal_type_text(c, a.type));
        signal_emit(c, env->scope,
                    &(SignalOp){ .run = signal_run_merge_by,
                                 .kind = SIGNAL_MERGE_BY,
                                 .node = node,
                                 .in = { a.registers[0], b.registers[0], a.registers[1], b.registers[1] },
                                 .out = { out.registers[1], SIGNAL_NO_REGISTER },
                                 .rows = n.function->rows,
                                 .size = (uint32_t)type->size });
        return out;
    }
    for (uint32_t i = 1; i < out.count; i++) {
        uint32_t size = env->scope->program->registers[out.registers[i]].size;
        signal_emit(c, env->scope,
                    &(SignalOp){ .run = signal_run_select,
                                 .kind = (uint8_t)n.kind,
                                 .node = node,
                                 .in = { first->registers[0], first->registers[i], second->registers[i],
                                         SIGNAL_NO_REGISTER },
                                 .out = { out.registers[i], SIGNAL_NO_REGISTER },
                                 .size = size });
    }
    return out;
}

static SignalBundle filter(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalNode n = c->builder->nodes[node];
    SignalBundle x = event_of(c, env, node, 0);
    SIGNAL_REQUIRE(x);
    const FiloType *type = signal_value_type(c, signal_type(c, x.type)->parts[0]);
    const FiloSfFunction *f = n.function;
    bool maybe = n.kind == SIGNAL_MAP_FILTER;
    if (type == NULL || f->argument_count != 1 || f->maybe != maybe ||
        !signal_same_type(f->arguments[0](), type) ||
        (!maybe && !signal_same_type(f->result(), FILO_TYPE(bool))))
        return signal_fail(c, FILO_ERROR_KIND, "%s: %s must be a %s of the value of %s, which is %s",
                           signal_label(c, node), f->name, maybe ? "FILO_SF_MAYBE" : "FILO_SF_PREDICATE",
                           signal_label(c, n.children[0]), signal_type_text(c, x.type));
    const FiloType *result = f->result();
    SignalBundle out =
        signal_bundle_new(c, env->scope, signal_type_event(c, signal_type_value(c, result)), node);
    SIGNAL_REQUIRE(out);
    SignalOp op = { .run = signal_run_arr_event,
                    .kind = (uint8_t)n.kind,
                    .node = node,
                    .in = { x.registers[1], SIGNAL_NO_REGISTER, SIGNAL_NO_REGISTER, SIGNAL_NO_REGISTER },
                    .out = { out.registers[1], maybe ? out.registers[0] : SIGNAL_NO_REGISTER },
                    .rows = f->rows,
                    .size = (uint32_t)result->size,
                    .number = 1,
                    .flag = maybe };
    op.more = signal_operands(c, env->scope, x.registers, 1);
    op.more_count = 1;
    signal_emit(c, env->scope, &op);
    if (maybe) return out;
    // The predicate is 0 where the event does not occur: it is the presence.
    SignalBundle value = signal_bundle_part(c, &x, 0);
    return make_event(c, node, out.registers[1], &value);
}

static SignalBundle gate(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalNode n = c->builder->nodes[node];
    bool when = n.kind == SIGNAL_EVENT_WHEN;
    SignalBundle x = when ? signal_compile(c, env, n.children[1]) : event_of(c, env, node, 0);
    SignalBundle condition = signal_compile(c, env, n.children[when ? 0 : 1]);
    SIGNAL_REQUIRE(x);
    SIGNAL_REQUIRE(condition);
    if (!signal_same_type(signal_value_type(c, condition.type), FILO_TYPE(bool)))
        return signal_wrong(c, node, n.children[when ? 0 : 1], "a bool", &condition);
    if (when) {
        if (signal_type(c, x.type)->kind == SIGNAL_TYPE_EVENT)
            return signal_wrong(c, node, n.children[1], "a value that is not an event", &x);
        return make_event(c, node, condition.registers[0], &x);
    }
    uint32_t r =
        presence_op(c, env, node, signal_run_and, x.registers[0], condition.registers[0], NULL, NULL);
    keep_name(c, env, r, x.registers[0]);
    x.registers[0] = r;
    return x;
}

static SignalBundle delay_event(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalNode n = c->builder->nodes[node];
    SignalBundle x = event_of(c, env, node, 0);
    SIGNAL_REQUIRE(x);
    uint32_t part = signal_type(c, x.type)->parts[0];
    const FiloType *type = signal_value_type(c, part);
    if (type == NULL && signal_type(c, part)->kind != SIGNAL_TYPE_NOTHING)
        return signal_wrong(c, node, n.children[0], "an event with one value, or none", &x);
    if (n.seconds == 0.0f && !n.flag) return x;
    uint32_t size = type != NULL ? (uint32_t)type->size : 0,
             item = signal_align((uint32_t)sizeof(double) + size, 8);
    SignalBundle out = signal_bundle_new(
        c, env->scope, signal_type_event(c, n.flag ? signal_type_list(c, type, n.number, false) : part),
        node);
    SIGNAL_REQUIRE(out);
    uint32_t state = signal_state_add(c, env->scope, (uint32_t)sizeof(SignalDelayEvent) + item * n.number, 8,
                                      NULL, node, "pending");
    if (c->problem.code != FILO_OK) return (SignalBundle){ 0 };
    SignalOp op = { .run = signal_run_delay_event,
                    .kind = SIGNAL_DELAY_EVENT,
                    .node = node,
                    .in = SIGNAL_NO_INPUTS,
                    .out = { out.registers[0], out.count > 1 ? out.registers[1] : SIGNAL_NO_REGISTER },
                    .state = state,
                    .size = size,
                    .lanes = item,
                    .number = n.number,
                    .flag = n.flag,
                    .seconds = n.seconds,
                    .type = type };
    uint32_t first = signal_emit(c, env->scope, &op);
    if (n.seconds == 0.0f) { // a list of one, at once: not decoupled
        if (c->problem.code != FILO_OK) return (SignalBundle){ 0 };
        env->scope->program->ops[first].in[0] = x.registers[0];
        env->scope->program->ops[first].in[1] = x.count > 1 ? x.registers[1] : SIGNAL_NO_REGISTER;
        return out;
    }
    op.run = signal_run_delay_event_update;
    op.out[0] = op.out[1] = SIGNAL_NO_REGISTER;
    op.in[0] = x.registers[0];
    op.in[1] = x.count > 1 ? x.registers[1] : SIGNAL_NO_REGISTER;
    uint32_t update = signal_emit(c, env->scope, &op);
    if (c->problem.code == FILO_OK) env->scope->program->ops[first].update = update + 1;
    return out;
}

// ---- From events to values --------------------------------------------------------------------------------------------

static SignalBundle hold(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalNode n = c->builder->nodes[node];
    SignalBundle x = event_of(c, env, node, 0);
    SIGNAL_REQUIRE(x);
    SignalBundle value = signal_bundle_part(c, &x, 0);
    const FiloType *type = signal_value_type(c, value.type);
    if (type == NULL || n.value == NULL || !signal_same_type(type, n.type))
        return signal_fail(c, FILO_ERROR_KIND, "%s: %s is %s, and the value of %s is %s",
                           signal_label(c, node), signal_label(c, n.children[0]), signal_type_text(c, x.type),
                           n.kind == SIGNAL_HOLD ? "the beginning" : "otherwise",
                           n.type != NULL ? n.type->name : "missing");
    if (n.kind == SIGNAL_HOLD)
        return signal_held(c, env->scope, type, n.value, x.registers[0], x.registers[1], node);
    SignalBundle out = signal_bundle_new(c, env->scope, value.type, node);
    SIGNAL_REQUIRE(out);
    SignalOp op = { .run = signal_run_select,
                    .kind = (uint8_t)n.kind,
                    .node = node,
                    .in = { x.registers[0], x.registers[1], SIGNAL_NO_REGISTER, SIGNAL_NO_REGISTER },
                    .out = { out.registers[0], SIGNAL_NO_REGISTER },
                    .size = (uint32_t)type->size };
    op.in[2] = signal_constant(c, env->scope, op.size, type, n.value, node);
    if (c->problem.code != FILO_OK) return (SignalBundle){ 0 };
    signal_emit(c, env->scope, &op);
    return out;
}

static SignalBundle accum(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalNode n = c->builder->nodes[node];
    SignalBundle x = event_of(c, env, node, 0);
    SIGNAL_REQUIRE(x);
    const FiloType *type = signal_value_type(c, signal_type(c, x.type)->parts[0]);
    if (type == NULL || n.type == NULL)
        return signal_wrong(c, node, n.children[0], "an event with a value", &x);
    if (!fits2(n.function, false, n.type, n.type, type) ||
        (n.filter != NULL && !fits2(n.filter, true, NULL, n.type, type)))
        return signal_fail(c, FILO_ERROR_KIND,
                           "%s: its functions must take (%s, %s): the accumulator, and the value of %s",
                           signal_label(c, node), n.type->name, type->name, signal_label(c, n.children[0]));
    const FiloType *result = n.filter != NULL ? n.filter->result() : n.type;
    uint32_t value = signal_type_value(c, result);
    SignalBundle out = signal_bundle_new(
        c, env->scope, n.kind == SIGNAL_ACCUM_HOLD ? value : signal_type_event(c, value), node);
    SIGNAL_REQUIRE(out);
    SignalOp op = { .kind = (uint8_t)n.kind,
                    .node = node,
                    .in = { x.registers[0], x.registers[1], SIGNAL_NO_REGISTER, SIGNAL_NO_REGISTER },
                    .out = { out.registers[out.count - 1], SIGNAL_NO_REGISTER },
                    .size = (uint32_t)n.type->size,
                    .lanes = (uint32_t)type->size,
                    .number = (uint32_t)result->size,
                    .rows = n.function->rows,
                    .data = signal_copy_value(c, n.value, n.type->size) };
    op.run = n.kind == SIGNAL_ACCUM_HOLD ? signal_run_accum_hold
             : n.kind == SIGNAL_ACCUM    ? signal_run_accum
                                         : signal_run_accum_filter;
    if (n.kind == SIGNAL_ACCUM) out.registers[0] = x.registers[0]; // it occurs with the event
    if (n.kind == SIGNAL_ACCUM_FILTER) {
        op.out[1] = out.registers[0];
        op.rows2 = n.filter->rows;
    }
    op.state = signal_state_add(c, env->scope, op.size, (uint32_t)n.type->align, n.type, node, "accumulator");
    op.scratch_fixed = op.size + 128;
    if (c->problem.code != FILO_OK) return (SignalBundle){ 0 };
    signal_emit(c, env->scope, &op);
    return out;
}

static SignalBundle count(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    SignalBundle x = event_of(c, env, node, 0);
    SIGNAL_REQUIRE(x);
    SignalBundle value = signal_bundle_new(c, env->scope, signal_type_value(c, FILO_TYPE(int32_t)), node);
    SIGNAL_REQUIRE(value);
    uint32_t state = signal_state_add(c, env->scope, 4, 4, FILO_TYPE(int32_t), node, "count");
    signal_emit(
        c, env->scope,
        &(SignalOp){ .run = signal_run_count,
                     .kind = SIGNAL_COUNT,
                     .node = node,
                     .in = { x.registers[0], SIGNAL_NO_REGISTER, SIGNAL_NO_REGISTER, SIGNAL_NO_REGISTER },
                     .out = { value.registers[0], SIGNAL_NO_REGISTER },
                     .state = state,
                     .size = 4 });
    return make_event(c, node, x.registers[0], &value);
}

SignalBundle signal_compile_event(SignalCompiler *c, SignalEnv *env, uint32_t node) {
    switch (c->builder->nodes[node].kind) {
    case SIGNAL_NEVER:
    case SIGNAL_NOW:
    case SIGNAL_SNAP:
    case SIGNAL_OCCASIONALLY: return source(c, env, node);
    case SIGNAL_AFTER_EACH:
    case SIGNAL_REPEATEDLY:
    case SIGNAL_SAMPLE_WINDOW: return after_each(c, env, node);
    case SIGNAL_EDGE:
    case SIGNAL_EDGE_JUST: return edge(c, env, node);
    case SIGNAL_EDGE_BY: return edge_by(c, env, node);
    case SIGNAL_TAKE_EVENTS:
    case SIGNAL_DROP_EVENTS:
    case SIGNAL_NOT_YET: return suppress(c, env, node);
    case SIGNAL_TAG:
    case SIGNAL_ATTACH:
    case SIGNAL_JOIN:
    case SIGNAL_SPLIT: return combine(c, env, node);
    case SIGNAL_L_MERGE:
    case SIGNAL_R_MERGE:
    case SIGNAL_MERGE_BY: return merge(c, env, node);
    case SIGNAL_FILTER:
    case SIGNAL_MAP_FILTER: return filter(c, env, node);
    case SIGNAL_GATE:
    case SIGNAL_EVENT_WHEN: return gate(c, env, node);
    case SIGNAL_IS_EVENT: {
        SignalBundle x = event_of(c, env, node, 0);
        SIGNAL_REQUIRE(x);
        return (SignalBundle){ .type = signal_type_value(c, FILO_TYPE(bool)),
                               .count = 1,
                               .registers = { x.registers[0] } };
    }
    case SIGNAL_DELAY_EVENT: return delay_event(c, env, node);
    case SIGNAL_HOLD:
    case SIGNAL_FROM_EVENT: return hold(c, env, node);
    case SIGNAL_ACCUM:
    case SIGNAL_ACCUM_HOLD:
    case SIGNAL_ACCUM_FILTER: return accum(c, env, node);
    case SIGNAL_COUNT: return count(c, env, node);
    default: return signal_fail(c, FILO_ERROR_ARGUMENT, "%s cannot be compiled", signal_label(c, node));
    }
}
