// The meaning of a tree (ast.h): a machine.

#ifndef FILO_TEST_SIGNAL_DENOTE_H
#define FILO_TEST_SIGNAL_DENOTE_H

#include <filo/scalar.h>

#include "ast.h"

#include <math.h>

// What nodes refer to: the values that branches were entered with, and what they have taken over.
typedef struct Env {
    const Program *program;
    const Value *parameters[AST_BRANCHES];
    const Machine *olds[AST_BRANCHES];
} Env;

static inline const Machine *denote(const Node *node, const Env *env);

// Whether a collection was full since this was reset.
static bool denote_overflow;

// ---- Scopes -----------------------------------------------------------------------------------------------------
//
// The input of a machine is a tuple: the input of the scope, then the signals that are defined with filo_sf_rec.

static inline const Value *denote_input_of(const void *data, const Value *in) {
    (void)data;
    return in->of[0];
}
static inline const Value *denote_enter_of(const void *data, const Value *in) {
    (void)data;
    return value_of1(VALUE_TUPLE, in);
}
// The input of the scope itself, in a scope without variables.
static inline const Machine *denote_input(void) { return machine_arr(denote_input_of, NULL); }
// `node` in a scope of its own.
static inline const Machine *denote_inside(const Node *node, const Env *env) {
    return machine_compose(machine_arr(denote_enter_of, NULL), denote(node, env));
}

static inline const Value *denote_variable_of(const void *data, const Value *in) {
    const Node *node = data;
    return in->of[1 + node->level];
}

// part[0]: the definition; part[1]: the result; value[0]: zero; n: the level. Variables of further levels, which the node
// does not use, are cut off.
static inline Output denote_rec_step(const Machine *self, double delta, const Value *in) {
    const Value *variable = self->value[0];
    for (int attempt = 0; attempt < MACHINE_ATTEMPTS; attempt++) {
        Value *extended = value_new(VALUE_TUPLE, self->n + 2);
        memcpy(extended->of, in->of, (size_t)(self->n + 1) * sizeof(Value *));
        extended->of[self->n + 1] = variable;
        Output out = machine_step(self->part[0], delta, extended);
        if (value_same(out.value, variable)) {
            Machine *next = machine_copy(self);
            Output result = machine_step(self->part[1], delta, extended);
            next->part[0] = out.next;
            next->part[1] = result.next;
            return (Output){ next, result.value };
        }
        variable = out.value;
    }
    fail_msg("a rec without a delay");
    return (Output){ self, self->value[0] };
}

// ---- Functions of values ----------------------------------------------------------------------------------------

static inline float denote_arithmetic_float(Op op, float a, float b) {
    switch ((int)op) {
    case OP_ADD: return a + b;
    case OP_SUB: return a - b;
    case OP_MUL: return a * b;
    case OP_DIV: return a / b;
    case OP_MIN: return a < b ? a : b;
    default: return a > b ? a : b;
    }
}

static inline int32_t denote_arithmetic_int(Op op, int32_t a, int32_t b) {
    switch ((int)op) {
    case OP_ADD: return (int32_t)((uint32_t)a + (uint32_t)b);
    case OP_SUB: return (int32_t)((uint32_t)a - (uint32_t)b);
    case OP_MUL: return (int32_t)((uint32_t)a * (uint32_t)b);
    case OP_DIV: return b == 0 ? 0 : b == -1 ? (int32_t)(0u - (uint32_t)a) : a / b;
    case OP_MIN: return a < b ? a : b;
    default: return a > b ? a : b;
    }
}

static inline const Value *denote_arithmetic(Op op, const Value *a, const Value *b) {
    if (a->plain == TYPE_FLOAT) return value_float(denote_arithmetic_float(op, a->f, b->f));
    if (a->plain == TYPE_INT) return value_int(denote_arithmetic_int(op, a->i, b->i));
    FiloVec2 y = b->plain == TYPE_FLOAT ? (FiloVec2){ b->f, b->f } : b->v;
    return value_vec2(denote_arithmetic_float(op, a->v.x, y.x), denote_arithmetic_float(op, a->v.y, y.y));
}

static inline const Value *denote_event_pair(const Value *a, const Value *b) {
    bool both = a->kind == VALUE_EVENT && b->kind == VALUE_EVENT;
    return both ? value_event(value_pair(a->of[0], b->of[0])) : &value_no_event;
}

static inline const Value *denote_fold(const Node *node, const Value *list) {
    const Value *result = node->value;
    for (int i = 0; i < list->count; i++) result = value_call2(node->function, result, list->of[i]);
    return result;
}

// `in` is a tuple of the values of x[0], x[1], x[2].
static inline const Value *denote_pure(const void *data, const Value *in) {
    const Node *node = data;
    const Value *a = in->count > 0 ? in->of[0] : NULL, *b = in->count > 1 ? in->of[1] : NULL;
    bool occurs = a != NULL && a->kind == VALUE_EVENT;
    switch ((int)node->op) {
    case OP_CALL: {
        const Value *arguments[3];
        for (int i = 0; i < in->count; i++) arguments[i] = in->of[i];
        if (node->x[0]->type->kind != TYPE_EVENT) return value_call(node->function, in->count, arguments);
        if (!occurs) return &value_no_event;
        arguments[0] = a->of[0];
        return value_event(value_call(node->function, in->count, arguments));
    }
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_DIV:
    case OP_MIN:
    case OP_MAX: return denote_arithmetic(node->op, a, b);
    case OP_NEGATE:
        if (a->plain == TYPE_INT) return value_int((int32_t)(0u - (uint32_t)a->i));
        return a->plain == TYPE_FLOAT ? value_float(-a->f) : value_vec2(-a->v.x, -a->v.y);
    case OP_ABS:
        if (a->plain == TYPE_INT) return value_int(a->i < 0 ? (int32_t)(0u - (uint32_t)a->i) : a->i);
        return a->plain == TYPE_FLOAT ? value_float(fabsf(a->f)) : value_vec2(fabsf(a->v.x), fabsf(a->v.y));
    case OP_SCALE:
        return a->plain == TYPE_FLOAT ? value_float(a->f * node->seconds)
                                      : value_vec2(a->v.x * node->seconds, a->v.y * node->seconds);
    case OP_SQRT: return value_float(sqrtf(a->f));
    case OP_LENGTH: return value_float(sqrtf(a->v.x * a->v.x + a->v.y * a->v.y));
    case OP_DOT: return value_float(a->v.x * b->v.x + a->v.y * b->v.y);
    case OP_LESS: return value_bool(a->plain == TYPE_INT ? a->i < b->i : a->f < b->f);
    case OP_GREATER: return value_bool(a->plain == TYPE_INT ? a->i > b->i : a->f > b->f);
    case OP_EQUAL: return value_bool(filo_reflect_equal(type_filo(node->x[0]->type), a->bytes, b->bytes));
    case OP_AND: return value_bool(a->b && b->b);
    case OP_OR: return value_bool(a->b || b->b);
    case OP_NOT: return value_bool(!a->b);
    case OP_SELECT: return a->b ? b : in->of[2];
    case OP_FIELD:
        if (node->x[0]->type->kind == TYPE_VEC2) return value_float(node->n == 0 ? a->v.x : a->v.y);
        return occurs ? value_event(value_float(node->n == 0 ? a->of[0]->v.x : a->of[0]->v.y)) : a;
    case OP_TUPLE: return in;
    case OP_GET: return a->of[node->n];
    case OP_EITHER: return value_of1(a->b ? VALUE_LEFT : VALUE_RIGHT, a->b ? b : in->of[2]);
    case OP_IS_LEFT: return value_bool(a->kind == VALUE_LEFT);
    case OP_LEFT_VALUE: return a->kind == VALUE_LEFT ? a->of[0] : node->value;
    case OP_RIGHT_VALUE: return a->kind == VALUE_RIGHT ? a->of[0] : node->value;
    case OP_EVENT_WHEN: return a->b ? value_event(b) : &value_no_event;
    case OP_TAG: return occurs ? value_event(b) : a;
    case OP_ATTACH: return occurs ? value_event(value_pair(a->of[0], b)) : a;
    case OP_JOIN: return denote_event_pair(a, b);
    case OP_SPLIT:
        return occurs ? value_pair(value_event(a->of[0]->of[0]), value_event(a->of[0]->of[1]))
                      : value_pair(a, a);
    case OP_L_MERGE: return occurs ? a : b;
    case OP_R_MERGE: return b->kind == VALUE_EVENT ? b : a;
    case OP_MERGE_BY:
        if (occurs && b->kind == VALUE_EVENT)
            return value_event(value_call2(node->function, a->of[0], b->of[0]));
        return occurs ? a : b;
    case OP_FILTER: return occurs && value_call(node->function, 1, a->of)->b ? a : &value_no_event;
    case OP_MAP_FILTER: return occurs ? value_call(node->function, 1, a->of) : a;
    case OP_GATE: return b->b ? a : &value_no_event;
    case OP_IS_EVENT: return value_bool(occurs);
    case OP_FROM_EVENT: return occurs ? a->of[0] : node->value;
    case OP_FOLD:
        if (node->x[0]->type->kind == TYPE_LIST) return denote_fold(node, a);
        return occurs ? value_event(denote_fold(node, a->of[0])) : a;
    case OP_IMPULSE_INTEGRAL: return value_add_scaled(a, 1, b);
    default: fail_msg("%s is not a function of values", ast_names[node->op]);
    }
    return NULL;
}

static inline const Machine *denote_all(const Node *node, const Env *env) {
    const Machine *parts[3];
    int count = 0;
    for (; count < 3 && node->x[count] != NULL; count++) parts[count] = denote(node->x[count], env);
    return machine_fan(count, parts);
}

// ---- Collections ------------------------------------------------------------------------------------------------

#define DENOTE_MEMBERS 16

typedef struct Member {
    uint32_t key;
    int branch;
    const Machine *machine;
} Member;

typedef struct Members {
    const Env *env;
    const Node *node;
    int count;
    uint32_t last_key;
    Member member[DENOTE_MEMBERS];
} Members;

static inline const Machine *denote_branch(const Env *env, int branch, const Value *parameter,
                                           const Machine *old) {
    Env *inside = value_allocate(sizeof *inside);
    *inside = *env;
    inside->parameters[branch] = parameter;
    inside->olds[branch] = old;
    return denote(env->program->branches[branch].definition, inside);
}

static inline void denote_add(Members *members, int branch, const Value *parameter) {
    if (members->count >= members->node->n) {
        denote_overflow = true;
        return;
    }
    members->member[members->count++] =
        (Member){ ++members->last_key, branch, denote_branch(members->env, branch, parameter, NULL) };
}

static inline void denote_remove(Members *members, int n) {
    members->count--;
    for (int i = n; i < members->count; i++) members->member[i] = members->member[i + 1];
}

// What the edit functions of build.h do.
static inline void denote_edit(Members *members, float value) {
    const Node *node = members->node;
    if (value > 0.5f) {
        denote_add(members, node->kinds[0], value_float(value));
    } else if (value < -0.5f) {
        if (members->count > 0) denote_remove(members, 0);
    } else {
        if (members->count > 0) denote_remove(members, members->count / 2);
        denote_add(members, node->kinds[node->kind_count - 1], value_float(-value));
    }
}

static inline const Machine *denote_collection(const Machine *input, const Members *members);

// part[0]: the input; data: the members. `delta` is that of the input; members that are new ignore it.
static inline Output denote_collection_step(const Machine *self, double delta, const Value *in) {
    const Members *members = self->data;
    Members *next = value_allocate(sizeof *next);
    *next = *members;
    Output input = machine_step(self->part[0], delta, in);
    Value *list = value_new(VALUE_LIST, members->count);
    for (int i = 0; i < members->count; i++) {
        const Value *x = input.value;
        if (members->node->routed) x = value_float(x->f + (float)members->member[i].key);
        Output out = machine_step(members->member[i].machine, delta, value_of1(VALUE_TUPLE, x));
        next->member[i].machine = out.next;
        list->of[i] = out.value;
    }
    return (Output){ denote_collection(input.next, next), list };
}
static inline const Machine *denote_collection(const Machine *input, const Members *members) {
    Machine *machine = machine_new(denote_collection_step);
    machine->part[0] = input;
    machine->data = members;
    return machine;
}

static inline const Members *denote_members(const Node *node, const Env *env) {
    Members *members = value_allocate(sizeof *members);
    members->env = env;
    members->node = node;
    for (int i = 0; i < node->member_count; i++)
        denote_add(members, node->kinds[node->members[i]], node->parameters[i]);
    return members;
}

// The collection with each member frozen, changed by the edit function.
static inline const Machine *denote_edited(const Machine *collection, double delta, float value) {
    Members *members = value_allocate(sizeof *members);
    *members = *(const Members *)collection->data;
    for (int i = 0; i < members->count; i++)
        members->member[i].machine = machine_freeze(members->member[i].machine, delta);
    denote_edit(members, value);
    return denote_collection(machine_freeze(collection->part[0], delta), members);
}

// part[0]: the collection; part[1]: the event.
static inline Output denote_rp_switch_step(const Machine *self, double delta, const Value *in) {
    Machine *next = machine_copy(self);
    Output event = machine_step(self->part[1], delta, in);
    next->part[1] = event.next;
    Output out = machine_step(self->part[0], delta, in);
    next->part[0] = out.next;
    if (event.value->kind == VALUE_EVENT) {
        Output edited = machine_step(denote_edited(self->part[0], delta, event.value->of[0]->f), 0, in);
        next->part[0] = edited.next;
        if (!self->flag) out.value = edited.value;
    }
    return (Output){ next, out.value };
}

static inline const Machine *denote_old_edited(const Node *node, const Env *env) {
    const Machine *old = env->olds[node->branch];
    double delta = 0;
    while (old->step == machine_frozen_step) {
        delta = old->time[0];
        old = old->part[0];
    }
    assert_true(old->step == denote_collection_step);
    return denote_edited(old, delta, env->parameters[node->branch]->f);
}

// ---- Switches ---------------------------------------------------------------------------------------------------

typedef struct DenoteSwitch {
    const Node *node;
    const Env *env;
} DenoteSwitch;

// Of a tuple of events: an event with the number of the first that occurs, and its value.
static inline const Value *denote_first_event(const void *data, const Value *in) {
    (void)data;
    for (int i = 0; i < in->count; i++)
        if (in->of[i]->kind == VALUE_EVENT) return value_event(value_pair(value_int(i), in->of[i]->of[0]));
    return &value_no_event;
}
static inline const Machine *denote_exits(const Node *node, const Env *env) {
    const Machine *events[AST_EXITS];
    for (int i = 0; i < node->exit_count; i++) events[i] = denote(node->exits[i].event, env);
    return machine_compose(machine_fan(node->exit_count, events), machine_arr(denote_first_event, NULL));
}

// The branch gets the input of the scope, without variables.
static inline const Machine *denote_continue(const void *data, const Value *event, const Machine *old) {
    const DenoteSwitch *from = data;
    const Exit *exit = &from->node->exits[event->of[0]->i];
    if (exit->old != NULL) old = denote(exit->old, from->env);
    const Machine *branch = denote_branch(from->env, exit->branch, event->of[1], old);
    return machine_compose(denote_input(), machine_compose(machine_arr(denote_enter_of, NULL), branch));
}

static inline const Machine *denote_switch(const Node *node, const Env *env) {
    DenoteSwitch *data = value_allocate(sizeof *data);
    *data = (DenoteSwitch){ node, env };
    const Machine *output = denote(node->x[0], env), *exits = denote_exits(node, env);
    if (node->op == OP_SWITCH)
        return machine_switch(machine_fan2(output, exits), node->delayed, denote_continue, data);
    if (node->op == OP_R_SWITCH)
        return machine_compose(machine_fan2(machine_identity(), exits),
                               machine_r_switch(output, node->delayed, denote_continue, data));
    const Machine *events = machine_compose(machine_arr(denote_input_of, NULL), exits); // of (input, output)
    return machine_k_switch(output, events, node->delayed, denote_continue, data);
}

// ---- All --------------------------------------------------------------------------------------------------------

static inline const Value *denote_call_1(const void *data, const Value *in) {
    return value_call(data, 1, &in);
}

static inline const Value *denote_with_value(const void *data, const Value *in) {
    return in->of[1]->kind == VALUE_EVENT ? value_event(in->of[0]) : ((void)data, &value_no_event);
}
// x whenever the source occurs.
static inline const Machine *denote_sampled(const Machine *x, const Machine *source) {
    return machine_compose(machine_fan2(x, source), machine_arr(denote_with_value, NULL));
}

static inline Output denote_sum_step(const Machine *self, double delta, const Value *in) {
    (void)delta;
    Machine *next = machine_copy(self);
    if (in->kind == VALUE_EVENT) next->value[0] = value_add_scaled(self->value[0], 1, in->of[0]);
    return (Output){ next, next->value[0] };
}
static inline const Machine *denote_sum_of_events(const Node *node, const Env *env) {
    Machine *machine = machine_new(denote_sum_step);
    machine->value[0] = value_zero(node->type->of[0]);
    return machine_compose(denote(node, env), machine);
}

static inline const Machine *denote_schedule(const Node *node) {
    Schedule *schedule = value_allocate(sizeof *schedule);
    schedule->count = node->n;
    schedule->seconds = value_allocate((size_t)node->n * sizeof(double));
    schedule->values = value_allocate((size_t)node->n * sizeof(Value *));
    for (int i = 0; i < node->n; i++) {
        schedule->seconds[i] = (double)ast_schedule_seconds(node, i);
        schedule->values[i] = ast_schedule_value(node, i);
    }
    return machine_after_each_cat(schedule);
}

// Functions of one signal with a state; NULL for others.
static inline const Machine *denote_unary(const Node *node) {
    const Value *value = node->value != NULL ? node->value : &value_unit;
    const Type *in = node->x[0] != NULL ? node->x[0]->type : NULL;
    switch ((int)node->op) {
    case OP_INTEGRAL: return machine_integral(in);
    case OP_TRAPEZOID: return machine_trapezoid(in);
    case OP_IM_INTEGRAL: return machine_im_integral(node->value);
    case OP_DERIVATIVE: return machine_derivative();
    case OP_I_PRE:
    case OP_FBY:
    case OP_INITIALLY_PRE: return machine_pre(node->value);
    case OP_DELAY: return machine_delay((double)node->seconds, node->value);
    case OP_SSCAN: return machine_scan(node->value, node->function);
    case OP_ITER_FROM: return machine_iter(node->value, node->function);
    case OP_EDGE: return machine_edge(true, &value_unit);
    case OP_I_EDGE: return machine_edge(node->n != 0, &value_unit);
    case OP_EDGE_TAG: return machine_edge(true, value);
    case OP_EDGE_JUST: return machine_edge_just();
    case OP_EDGE_BY: return machine_edge_by(node->value, node->function);
    case OP_NOT_YET: return machine_initially(&value_no_event, machine_identity());
    case OP_ONCE: return machine_take(1, false);
    case OP_TAKE: return machine_take(node->n, false);
    case OP_DROP: return machine_take(node->n, true);
    case OP_DELAY_EVENT: return machine_head(machine_delay_event_cat((double)node->seconds));
    case OP_DELAY_EVENT_CAT: return machine_delay_event_cat((double)node->seconds);
    case OP_HOLD:
    case OP_TRACK_AND_HOLD: return machine_hold(node->value);
    case OP_D_HOLD:
    case OP_D_TRACK_AND_HOLD: return machine_compose(machine_hold(node->value), machine_pre(node->value));
    case OP_ACCUM:
    case OP_ACCUM_BY: return machine_accum(node->value, node->function);
    case OP_ACCUM_HOLD:
    case OP_ACCUM_HOLD_BY:
        return machine_compose(machine_accum(node->value, node->function), machine_hold(node->value));
    case OP_D_ACCUM_HOLD:
    case OP_D_ACCUM_HOLD_BY:
        return machine_compose(
            machine_compose(machine_accum(node->value, node->function), machine_hold(node->value)),
            machine_pre(node->value));
    case OP_ACCUM_FILTER: return machine_accum_filter(node->value, node->function, node->filter);
    case OP_COUNT: return machine_accum(value_int(0), NULL);
    default: return NULL;
    }
}

// Scopes, composition, loops and sources; NULL for others.
static inline const Machine *denote_structure(const Node *node, const Env *env) {
    const Value *value = node->value != NULL ? node->value : &value_unit;
    double seconds = (double)node->seconds;
    switch ((int)node->op) {
    case OP_INPUT: return denote_input();
    case OP_CONSTANT: return machine_constant(node->value);
    case OP_TIME: return machine_time();
    case OP_PARAMETER: return machine_constant(env->parameters[node->branch]);
    case OP_OLD: return env->olds[node->branch];
    case OP_OLD_EDITED: return denote_old_edited(node, env);
    case OP_VARIABLE: return machine_arr(denote_variable_of, node);
    case OP_COMPOSE: return machine_compose(denote(node->x[0], env), denote_inside(node->f[0], env));
    case OP_FIRST:
        return machine_compose(denote(node->x[0], env),
                               machine_parallel(denote_inside(node->f[0], env), machine_identity()));
    case OP_SECOND:
        return machine_compose(denote(node->x[0], env),
                               machine_parallel(machine_identity(), denote_inside(node->f[0], env)));
    case OP_PARALLEL:
        return machine_compose(denote(node->x[0], env), machine_parallel(denote_inside(node->f[0], env),
                                                                         denote_inside(node->f[1], env)));
    case OP_LOOP:
        return machine_compose(denote(node->x[0], env), machine_loop(value_zero(node->f[0]->type->of[1]),
                                                                     denote_inside(node->f[0], env)));
    case OP_LOOP_PRE:
        return machine_compose(denote(node->x[0], env),
                               machine_loop_pre(node->value, denote_inside(node->f[0], env)));
    case OP_LOOP_INTEGRAL: {
        const Type *type = node->f[0]->type->of[1];
        const Machine *body = machine_compose(machine_parallel(machine_identity(), machine_integral(type)),
                                              denote_inside(node->f[0], env));
        return machine_compose(denote(node->x[0], env), machine_loop(value_zero(type), body));
    }
    case OP_REC: {
        Machine *machine = machine_new(denote_rec_step);
        machine->part[0] = denote(node->x[0], env);
        machine->part[1] = denote(node->x[1], env);
        machine->value[0] = value_zero(node->x[0]->type);
        machine->n = node->level;
        return machine;
    }
    case OP_LEFT:
    case OP_RIGHT:
        return machine_compose(
            denote(node->x[0], env),
            machine_choice(node->op == OP_LEFT ? VALUE_LEFT : VALUE_RIGHT, denote_inside(node->f[0], env)));
    case OP_PAUSE:
        return machine_compose(denote_all(node, env),
                               machine_pause(node->value, denote_inside(node->f[0], env)));
    case OP_INITIALLY: return machine_initially(node->value, denote(node->x[0], env));
    case OP_INITIALLY_BY: return machine_initially_by(denote_call_1, node->function, denote(node->x[0], env));
    case OP_NEVER: return machine_never();
    case OP_NOW: return machine_initially(value_event(value), machine_never());
    case OP_AFTER: return machine_after(seconds, value);
    case OP_REPEATEDLY: return machine_head(machine_repeatedly_cat(seconds, value));
    case OP_AFTER_EACH: return machine_head(denote_schedule(node));
    case OP_AFTER_EACH_CAT: return denote_schedule(node);
    case OP_SNAP: return denote_sampled(denote(node->x[0], env), machine_after(0, &value_unit));
    case OP_SNAP_AFTER: return denote_sampled(denote(node->x[0], env), machine_after(seconds, &value_unit));
    case OP_SAMPLE:
        return denote_sampled(denote(node->x[0], env), machine_repeatedly_cat(seconds, &value_unit));
    case OP_SAMPLE_WINDOW:
        return machine_compose(
            machine_fan2(denote(node->x[0], env), machine_repeatedly_cat(seconds, &value_unit)),
            machine_window(node->n));
    case OP_RECUR: return machine_recur(denote(node->x[0], env));
    case OP_AND_THEN: return machine_and_then(denote(node->x[0], env), denote(node->x[1], env));
    default: return NULL;
    }
}

static inline const Machine *denote(const Node *node, const Env *env) {
    const Machine *machine = denote_structure(node, env);
    if (machine != NULL) return machine;
    machine = denote_unary(node);
    if (machine != NULL) return machine_compose(denote(node->x[0], env), machine);
    switch ((int)node->op) {
    case OP_START:
        return denote_branch(env, node->branch, node->value, node->x[0] ? denote(node->x[0], env) : NULL);
    case OP_SWITCH:
    case OP_R_SWITCH:
    case OP_K_SWITCH: return denote_switch(node, env);
    case OP_PROVIDED:
        return machine_compose(machine_fan2(denote(node->x[0], env), machine_identity()),
                               machine_provided(denote(node->x[1], env), denote(node->x[2], env)));
    case OP_IMPULSE_INTEGRAL: {
        const Machine *sum = machine_compose(denote(node->x[0], env), machine_integral(node->type));
        const Machine *impulses = denote_sum_of_events(node->x[1], env);
        return machine_compose(machine_fan2(sum, impulses), machine_arr(denote_pure, node));
    }
    case OP_PAR: return denote_collection(denote(node->x[0], env), denote_members(node, env));
    case OP_RP_SWITCH: {
        Machine *switching = machine_new(denote_rp_switch_step);
        switching->part[0] = denote_collection(denote(node->x[0], env), denote_members(node, env));
        switching->part[1] = denote(node->x[1], env);
        switching->flag = node->delayed;
        return switching;
    }
    default: return machine_compose(denote_all(node, env), machine_arr(denote_pure, node));
    }
}

#endif
