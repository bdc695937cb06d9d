// Writes a tree (ast.h) with the functions of filo/signal.h.

#ifndef FILO_TEST_SIGNAL_BUILD_H
#define FILO_TEST_SIGNAL_BUILD_H

#include "ast.h"

typedef struct Build {
    Program *program;
    FiloSfBuilder *b;
} Build;

static inline FiloSf build(const Build *to, Node *node);

// ---- Collections ------------------------------------------------------------------------------------------------

// The branches that the edit functions add, by slot: an edit function gets no argument of its own.
static FiloSfBranch build_first_kind[AST_SLOTS], build_last_kind[AST_SLOTS];

static inline void build_edit(FiloSfMembers *members, const void *event_value, int slot) {
    float value = *(const float *)event_value;
    size_t count = filo_sf_members_count(members);
    if (value > 0.5f) {
        filo_sf_members_add(members, build_first_kind[slot], FILO_SF(float, value));
    } else if (value < -0.5f) {
        if (count > 0) filo_sf_members_remove(members, filo_sf_members_key(members, 0));
    } else {
        if (count > 0) filo_sf_members_remove(members, filo_sf_members_key(members, count / 2));
        filo_sf_members_add(members, build_last_kind[slot], FILO_SF(float, -value));
    }
}
static inline void build_edit_0(FiloSfMembers *members, const void *value) { build_edit(members, value, 0); }
static inline void build_edit_1(FiloSfMembers *members, const void *value) { build_edit(members, value, 1); }
static inline void build_edit_2(FiloSfMembers *members, const void *value) { build_edit(members, value, 2); }
static inline void build_edit_3(FiloSfMembers *members, const void *value) { build_edit(members, value, 3); }
static const FiloSfEdit build_edits[AST_SLOTS] = { build_edit_0, build_edit_1, build_edit_2, build_edit_3 };

static inline void build_route(const void *const *input, const FiloSfMembers *members, void *inputs) {
    size_t count = filo_sf_members_count(members);
    for (size_t i = 0; i < count; i++)
        ((float *)inputs)[i] = *(const float *)input[0] + (float)filo_sf_members_key(members, i);
}

// ---- Values -----------------------------------------------------------------------------------------------------

// The value lives as long as the case.
static inline FiloSfValue build_value(const Value *value) {
    if (value == NULL || value->kind == VALUE_UNIT || value->kind == VALUE_NO_EVENT) return FILO_SF_NONE;
    if (value->kind == VALUE_EVENT) return build_value(value->of[0]);
    assert_int_equal(value->kind, VALUE_PLAIN);
    switch ((int)value->plain) {
    case TYPE_FLOAT: return (FiloSfValue){ filo_type_float, value->bytes };
    case TYPE_VEC2: return (FiloSfValue){ filo_type_FiloVec2, value->bytes };
    case TYPE_INT: return (FiloSfValue){ filo_type_int32_t, value->bytes };
    default: return (FiloSfValue){ filo_type__Bool, value->bytes };
    }
}

static inline FiloSf build_call(const Build *to, const Node *node, FiloSf x) {
    FiloSf y = node->x[1] != NULL ? build(to, node->x[1]) : x,
           z = node->x[2] != NULL ? build(to, node->x[2]) : y;
    if (node->x[1] == NULL) return filo_sf_arr(x, node->function);
    if (node->x[2] == NULL) return filo_sf_arr2(x, y, node->function);
    return filo_sf_arr3(x, y, z, node->function);
}

static inline FiloSf build_schedule(const Build *to, const Node *node) {
    float seconds[16], values[16];
    for (int i = 0; i < node->n; i++) {
        seconds[i] = ast_schedule_seconds(node, i);
        values[i] = ast_schedule_value(node, i)->f;
    }
    if (node->op == OP_AFTER_EACH)
        return filo_sf_after_each(to->b, seconds, FILO_TYPE(float), values, (size_t)node->n);
    return filo_sf_after_each_cat(to->b, seconds, FILO_TYPE(float), values, (size_t)node->n);
}

static inline FiloSf build_collection(const Build *to, const Node *node) {
    FiloSfCollection collection = { .capacity = (uint32_t)node->n };
    FiloSfMember members[AST_MEMBERS];
    for (int i = 0; i < node->kind_count; i++) collection.kinds[i] = to->program->branches[node->kinds[i]].sf;
    for (int i = 0; i < node->member_count; i++)
        members[i] = (FiloSfMember){ collection.kinds[node->members[i]], build_value(node->parameters[i]) };
    collection.initial = members;
    collection.initial_count = (size_t)node->member_count;
    if (node->routed) {
        collection.route = build_route;
        collection.input_type = FILO_TYPE(float);
    }
    if (node->slot >= 0) {
        build_first_kind[node->slot] = collection.kinds[0];
        build_last_kind[node->slot] = collection.kinds[node->kind_count - 1];
    }
    FiloSf x = build(to, node->x[0]);
    if (node->op == OP_PAR) return filo_sf_par(x, &collection);
    FiloSf event = build(to, node->x[1]);
    return node->delayed ? filo_sf_drp_switch(x, &collection, event, build_edits[node->slot])
                         : filo_sf_rp_switch(x, &collection, event, build_edits[node->slot]);
}

static inline FiloSf build_switch(const Build *to, const Node *node) {
    FiloSfExit exits[AST_EXITS];
    for (int i = 0; i < node->exit_count; i++) {
        exits[i] = (FiloSfExit){ .event = build(to, node->exits[i].event),
                                 .to = to->program->branches[node->exits[i].branch].sf };
        if (node->exits[i].old != NULL) exits[i].old[0] = build(to, node->exits[i].old);
    }
    FiloSf output = build(to, node->x[0]);
    size_t count = (size_t)node->exit_count;
    if (node->op == OP_SWITCH) return filo_sf_switch_exits(output, exits, count, node->delayed);
    if (node->op == OP_R_SWITCH) return filo_sf_r_switch_exits(output, exits, count, node->delayed);
    return filo_sf_k_switch_exits(output, exits, count, node->delayed);
}

// ---- Nodes ------------------------------------------------------------------------------------------------------

// Sources, scopes, and what takes arguments in scopes of their own; false for others.
static inline bool build_structure(const Build *to, Node *node, FiloSf *sf) {
    FiloSfBuilder *b = to->b;
    FiloSfValue value = build_value(node->value);
    const Branch *branch = node->branch >= 0 ? &to->program->branches[node->branch] : NULL;
    const Type *of = node->type->kind == TYPE_EVENT ? node->type->of[0] : NULL;
    FiloSf f = node->f[0] != NULL ? build(to, node->f[0]) : (FiloSf){ 0 };
    FiloSf g = node->f[1] != NULL ? build(to, node->f[1]) : (FiloSf){ 0 };
    const FiloType *feedback =
        node->op == OP_LOOP || node->op == OP_LOOP_INTEGRAL ? type_filo(node->f[0]->type->of[1]) : NULL;
    switch ((int)node->op) {
    case OP_INPUT: *sf = filo_sf_input(b); return true;
    case OP_CONSTANT: *sf = filo_sf_constant(b, value); return true;
    case OP_TIME: *sf = filo_sf_time(b); return true;
    case OP_PARAMETER: *sf = filo_sf_parameter(branch->sf); return true;
    case OP_OLD: *sf = filo_sf_old(branch->sf); return true;
    case OP_OLD_EDITED: *sf = filo_sf_old_edited(branch->sf, build_edits[node->slot]); return true;
    case OP_VARIABLE: *sf = node->rec->sf; return true; // the rec is being built
    case OP_REC: {
        FiloSf rec = filo_sf_rec(b, type_filo(node->x[0]->type));
        node->sf = rec;
        filo_sf_close(rec, build(to, node->x[0]));
        *sf = build(to, node->x[1]);
        return true;
    }
    case OP_COMPOSE: *sf = filo_sf_compose(build(to, node->x[0]), f); return true;
    case OP_FIRST: *sf = filo_sf_first(build(to, node->x[0]), f); return true;
    case OP_SECOND: *sf = filo_sf_second(build(to, node->x[0]), f); return true;
    case OP_PARALLEL: *sf = filo_sf_parallel(build(to, node->x[0]), f, g); return true;
    case OP_LOOP: *sf = filo_sf_loop(build(to, node->x[0]), feedback, f); return true;
    case OP_LOOP_PRE: *sf = filo_sf_loop_pre(build(to, node->x[0]), value, f); return true;
    case OP_LOOP_INTEGRAL: *sf = filo_sf_loop_integral(build(to, node->x[0]), feedback, f); return true;
    case OP_LEFT: *sf = filo_sf_left(build(to, node->x[0]), f); return true;
    case OP_RIGHT: *sf = filo_sf_right(build(to, node->x[0]), f); return true;
    case OP_PAUSE: *sf = filo_sf_pause(build(to, node->x[0]), build(to, node->x[1]), value, f); return true;
    case OP_NEVER: *sf = filo_sf_never(b, type_filo(of)); return true;
    case OP_NOW: *sf = filo_sf_now(b, value); return true;
    case OP_AFTER: *sf = filo_sf_after(b, node->seconds, value); return true;
    case OP_REPEATEDLY: *sf = filo_sf_repeatedly(b, node->seconds, value); return true;
    case OP_AFTER_EACH:
    case OP_AFTER_EACH_CAT: *sf = build_schedule(to, node); return true;
    case OP_PAR:
    case OP_RP_SWITCH: *sf = build_collection(to, node); return true;
    case OP_SWITCH:
    case OP_R_SWITCH:
    case OP_K_SWITCH: *sf = build_switch(to, node); return true;
    case OP_START:
        *sf = node->x[0] != NULL ? filo_sf_start_with(branch->sf, value, build(to, node->x[0]))
                                 : filo_sf_start(branch->sf, value);
        return true;
    case OP_TUPLE: {
        FiloSf elements[3];
        size_t count = 0;
        for (; count < 3 && node->x[count] != NULL; count++) elements[count] = build(to, node->x[count]);
        *sf = count == 2 ? filo_sf_pair(elements[0], elements[1]) : filo_sf_tuple(b, elements, count);
        return true;
    }
    default: return false;
    }
}

// Of three signals at most; false for others.
static inline bool build_values(const Node *node, FiloSf x, FiloSf y, FiloSf z, FiloSf *sf) {
    FiloSfValue value = build_value(node->value);
    switch ((int)node->op) {
    case OP_ADD: *sf = filo_sf_add(x, y); return true;
    case OP_SUB: *sf = filo_sf_sub(x, y); return true;
    case OP_MUL: *sf = filo_sf_mul(x, y); return true;
    case OP_DIV: *sf = filo_sf_div(x, y); return true;
    case OP_MIN: *sf = filo_sf_min(x, y); return true;
    case OP_MAX: *sf = filo_sf_max(x, y); return true;
    case OP_NEGATE: *sf = filo_sf_negate(x); return true;
    case OP_ABS: *sf = filo_sf_abs(x); return true;
    case OP_SCALE: *sf = filo_sf_scale(x, node->seconds); return true;
    case OP_SQRT: *sf = filo_sf_sqrt(x); return true;
    case OP_LENGTH: *sf = filo_sf_length(x); return true;
    case OP_DOT: *sf = filo_sf_dot(x, y); return true;
    case OP_LESS: *sf = filo_sf_less(x, y); return true;
    case OP_GREATER: *sf = filo_sf_greater(x, y); return true;
    case OP_EQUAL: *sf = filo_sf_equal(x, y); return true;
    case OP_AND: *sf = filo_sf_and(x, y); return true;
    case OP_OR: *sf = filo_sf_or(x, y); return true;
    case OP_NOT: *sf = filo_sf_not(x); return true;
    case OP_SELECT: *sf = filo_sf_select(x, y, z); return true;
    case OP_FIELD: *sf = filo_sf_field(x, node->n == 0 ? "x" : "y"); return true;
    case OP_GET: *sf = filo_sf_get(x, (unsigned)node->n); return true;
    case OP_EITHER: *sf = filo_sf_either(x, y, z); return true;
    case OP_IS_LEFT: *sf = filo_sf_is_left(x); return true;
    case OP_LEFT_VALUE: *sf = filo_sf_left_value(x, value); return true;
    case OP_RIGHT_VALUE: *sf = filo_sf_right_value(x, value); return true;
    case OP_INTEGRAL: *sf = filo_sf_integral(x); return true;
    case OP_TRAPEZOID: *sf = filo_sf_trapezoid_integral(x); return true;
    case OP_IM_INTEGRAL: *sf = filo_sf_im_integral(x, value); return true;
    case OP_IMPULSE_INTEGRAL: *sf = filo_sf_impulse_integral(x, y); return true;
    case OP_DERIVATIVE: *sf = filo_sf_derivative(x); return true;
    case OP_I_PRE: *sf = filo_sf_i_pre(x, value); return true;
    case OP_FBY: *sf = filo_sf_fby(x, value); return true;
    case OP_DELAY: *sf = filo_sf_delay(x, node->seconds, value, (uint32_t)node->n); return true;
    case OP_INITIALLY: *sf = filo_sf_initially(x, value); return true;
    case OP_INITIALLY_BY: *sf = filo_sf_initially_by(x, node->function); return true;
    case OP_INITIALLY_PRE: *sf = filo_sf_initially(filo_sf_pre(x), value); return true;
    case OP_SSCAN: *sf = filo_sf_sscan(x, value, node->function); return true;
    case OP_ITER_FROM: *sf = filo_sf_iter_from(x, value, node->function); return true;
    case OP_PROVIDED: *sf = filo_sf_provided(x, y, z); return true;
    case OP_FOLD: *sf = filo_sf_fold(x, value, node->function); return true;
    default: return false;
    }
}

static inline FiloSf build_events(const Node *node, FiloSf x, FiloSf y) {
    FiloSfValue value = build_value(node->value);
    uint32_t n = (uint32_t)node->n;
    switch ((int)node->op) {
    case OP_EDGE: return filo_sf_edge(x);
    case OP_I_EDGE: return filo_sf_i_edge(x, node->n != 0);
    case OP_EDGE_TAG: return filo_sf_edge_tag(x, value);
    case OP_EDGE_JUST: return filo_sf_edge_just(x);
    case OP_EDGE_BY: return filo_sf_edge_by(x, value, node->function);
    case OP_SNAP: return filo_sf_snap(x);
    case OP_SNAP_AFTER: return filo_sf_snap_after(x, node->seconds);
    case OP_SAMPLE: return filo_sf_sample(x, node->seconds);
    case OP_EVENT_WHEN: return filo_sf_event_when(x, y);
    case OP_SAMPLE_WINDOW: return filo_sf_sample_window(x, n, node->seconds);
    case OP_NOT_YET: return filo_sf_not_yet(x);
    case OP_ONCE: return filo_sf_once(x);
    case OP_TAKE: return filo_sf_take_events(x, n);
    case OP_DROP: return filo_sf_drop_events(x, n);
    case OP_TAG: return filo_sf_tag(x, y);
    case OP_ATTACH: return filo_sf_attach(x, y);
    case OP_JOIN: return filo_sf_join(x, y);
    case OP_SPLIT: return filo_sf_split(x);
    case OP_L_MERGE: return filo_sf_l_merge(x, y);
    case OP_R_MERGE: return filo_sf_r_merge(x, y);
    case OP_MERGE_BY: return filo_sf_merge_by(x, y, node->function);
    case OP_FILTER: return filo_sf_filter(x, node->function);
    case OP_MAP_FILTER: return filo_sf_map_filter(x, node->function);
    case OP_GATE: return filo_sf_gate(x, y);
    case OP_IS_EVENT: return filo_sf_is_event(x);
    case OP_FROM_EVENT: return filo_sf_from_event(x, value);
    case OP_DELAY_EVENT: return filo_sf_delay_event(x, node->seconds, n);
    case OP_DELAY_EVENT_CAT: return filo_sf_delay_event_cat(x, node->seconds, n);
    case OP_RECUR: return filo_sf_recur(x);
    case OP_AND_THEN: return filo_sf_and_then(x, y);
    case OP_HOLD: return filo_sf_hold(x, value);
    case OP_D_HOLD: return filo_sf_d_hold(x, value);
    case OP_TRACK_AND_HOLD: return filo_sf_track_and_hold(x, value);
    case OP_D_TRACK_AND_HOLD: return filo_sf_d_track_and_hold(x, value);
    case OP_ACCUM: return filo_sf_accum(x, value, node->function);
    case OP_ACCUM_BY: return filo_sf_accum_by(x, value, node->function);
    case OP_ACCUM_HOLD: return filo_sf_accum_hold(x, value, node->function);
    case OP_ACCUM_HOLD_BY: return filo_sf_accum_hold_by(x, value, node->function);
    case OP_D_ACCUM_HOLD: return filo_sf_d_accum_hold(x, value, node->function);
    case OP_D_ACCUM_HOLD_BY: return filo_sf_d_accum_hold_by(x, value, node->function);
    case OP_ACCUM_FILTER: return filo_sf_accum_filter(x, value, node->function, node->filter);
    case OP_COUNT: return filo_sf_count(x);
    default: fail_msg("%s is not written", ast_names[node->op]);
    }
    return (FiloSf){ 0 };
}

static inline FiloSf build(const Build *to, Node *node) {
    if (node->built) return node->sf;
    FiloSf sf = { 0 };
    if (!build_structure(to, node, &sf)) {
        FiloSf x = build(to, node->x[0]), none = { 0 };
        FiloSf y = node->x[1] != NULL ? build(to, node->x[1]) : none;
        FiloSf z = node->x[2] != NULL ? build(to, node->x[2]) : none;
        if (node->op == OP_CALL)
            sf = build_call(to, node, x);
        else if (!build_values(node, x, y, z, &sf))
            sf = build_events(node, x, y);
    }
    node->sf = sf;
    node->built = true;
    return sf;
}

// ---- Programs ---------------------------------------------------------------------------------------------------

static inline void build_forget(Node *node) {
    if (node == NULL) return;
    node->built = false;
    for (int i = 0; i < 3; i++) build_forget(node->x[i]);
    for (int i = 0; i < 2; i++) build_forget(node->f[i]);
    for (int i = 0; i < node->exit_count; i++) {
        build_forget(node->exits[i].event);
        build_forget(node->exits[i].old);
    }
}

static inline void build_describe_inputs(FiloSfBuilderDesc *desc, const Type *type) {
    static const char *const names[] = { "a", "b", "c", "d", "e", "f", "g", "h" };
    for (int i = 0; i < type->count; i++) {
        const Type *of = type->of[i];
        bool event = of->kind == TYPE_EVENT;
        desc->inputs[i] =
            (FiloSfInput){ .name = names[i], .type = type_filo(event ? of->of[0] : of), .event = event };
    }
}

// The network of a program, whose input is a tuple.
static inline FiloResult build_network(FiloNetwork **network, Program *program, FiloSfBuilder **builder) {
    FiloSfBuilderDesc desc = { .name = "random" };
    build_describe_inputs(&desc, program->in);
    *builder = filo_sf_builder_create(&desc);
    Build to = { program, *builder };
    bool used[AST_BRANCHES] = { false };
    ast_mark_branches(program, program->root, used);
    build_forget(program->root);
    char name[24];
    for (int i = 0; i < program->branch_count; i++) {
        Branch *branch = &program->branches[i];
        build_forget(branch->definition);
        if (!used[i]) continue;
        snprintf(name, sizeof name, "branch%d", i);
        branch->sf = filo_sf_branch(to.b, name, branch->parameter ? type_filo(branch->parameter) : NULL);
    }
    for (int i = 0; i < program->branch_count; i++)
        if (used[i]) filo_sf_define(program->branches[i].sf, build(&to, program->branches[i].definition));
    FiloResult result = filo_network_create(network, build(&to, program->root), NULL);
    return result;
}

#endif
