// Part of generate.h: nodes by the type of their result.

// x, with a value of its own type.
static inline Node *generate_unary(Generate *g, Scope *scope, Op op, const Type *type, const Type *of,
                                   int depth) {
    return ast_new(op, type, generate(g, scope, of, depth - 1), NULL, NULL);
}
static inline Node *generate_binary(Generate *g, Scope *scope, Op op, const Type *type, const Type *a,
                                    const Type *b, int depth) {
    Node *x = generate(g, scope, a, depth - 1);
    return ast_new(op, type, x, generate(g, scope, b, depth - 1), NULL);
}
static inline Node *generate_call(Generate *g, Scope *scope, const FiloSfFunction *function, const Type *type,
                                  const Type *a, int depth) {
    Node *node = generate_unary(g, scope, OP_CALL, type, a, depth);
    node->function = function;
    return node;
}

// A loop: its argument takes a pair (x, feedback) and gives a pair (result, feedback).
static inline Node *generate_loop(Generate *g, Scope *scope, const Type *type, int depth) {
    static const Op ops[] = { OP_LOOP, OP_LOOP_PRE, OP_LOOP_INTEGRAL };
    Op op = ops[generate_below(g, 3)];
    const Type *feedback =
        op == OP_LOOP_INTEGRAL ? (generate_chance(g, 70) ? &type_float : &type_vec2) : generate_plain_type(g);
    Scope inside = { .in = type_pair(generate_plain_type(g), feedback), .branch = scope->branch };
    Node *result = generate(g, &inside, type, depth - 1), *back = generate(g, &inside, feedback, depth - 1);
    if (op == OP_LOOP) {
        bool integral =
            (feedback->kind == TYPE_FLOAT || feedback->kind == TYPE_VEC2) && generate_chance(g, 50);
        back = ast_new(integral ? OP_INTEGRAL : OP_I_PRE, feedback, back, NULL, NULL);
        if (!integral) back->value = generate_value(g, feedback);
    }
    Node *node = ast_new(op, type, generate(g, scope, inside.in->of[0], depth - 1), NULL, NULL);
    node->f[0] = ast_new(OP_TUPLE, type_pair(type, feedback), result, back, NULL);
    if (op == OP_LOOP_PRE) node->value = generate_value(g, feedback);
    return node;
}

// A signal that is used in its own definition, and in the result. x[2] is the variable.
static inline Node *generate_rec(Generate *g, Scope *scope, const Type *type, int depth) {
    static const Op decoupled[] = { OP_I_PRE, OP_FBY, OP_DELAY };
    if (scope->rec_count == 3) return generate_leaf(g, scope, type);
    const Type *of = generate_plain_type(g);
    Node *node = ast_new(OP_REC, type, NULL, NULL, NULL),
         *variable = ast_new(OP_VARIABLE, of, NULL, NULL, NULL);
    node->level = variable->level = scope->rec_count;
    variable->rec = node;
    node->x[2] = variable;
    Scope inside = *scope;
    inside.recs[inside.rec_count++] = node;
    Node *definition = generate(g, &inside, of, depth - 1);
    Op op = (of->kind == TYPE_FLOAT || of->kind == TYPE_VEC2) && generate_chance(g, 50)
                ? OP_INTEGRAL
                : decoupled[generate_below(g, 3)];
    node->x[0] = ast_new(op, of, definition, NULL, NULL);
    if (op != OP_INTEGRAL) node->x[0]->value = generate_value(g, of);
    if (op == OP_DELAY) node->x[0]->seconds = generate_seconds(g, 1);
    if (op == OP_DELAY) node->x[0]->n = 40;
    node->x[1] = generate(g, &inside, type, depth - 1);
    node->open = scope->rec_count > 0; // may use a variable further out
    return node;
}

// Of any type.
static inline Node *generate_any(Generate *g, Scope *scope, const Type *type, int depth) {
    int kind = generate_below(g, 13);
    if (kind >= 8 && !generate_has_room(g)) kind -= 8;
    switch (kind) {
    case 0: {
        Node *condition = generate(g, scope, &type_bool, depth - 1), *x = generate(g, scope, type, depth - 1);
        return ast_new(OP_SELECT, type, condition, x, generate(g, scope, type, depth - 1));
    }
    case 1: {
        const Type *between = generate_type(g);
        Node *node = generate_unary(g, scope, OP_COMPOSE, type, between, depth);
        node->f[0] = generate_argument(g, scope, between, type, depth - 1);
        return node;
    }
    case 2: {
        bool second = generate_chance(g, 50);
        const Type *other = generate_type(g);
        Node *node = generate_unary(g, scope, OP_GET, type,
                                    second ? type_pair(other, type) : type_pair(type, other), depth);
        node->n = second ? 1 : 0;
        return node;
    }
    case 3: { // (f *** g) and the like, of a pair
        static const Op ops[] = { OP_FIRST, OP_SECOND, OP_PARALLEL };
        Op op = ops[generate_below(g, 3)];
        const Type *a = generate_type(g), *b = generate_type(g);
        const Type *c = op == OP_SECOND ? a : type, *d = op == OP_SECOND  ? type
                                                         : op == OP_FIRST ? b
                                                                          : generate_type(g);
        Node *node = generate_unary(g, scope, op, type_pair(c, d), type_pair(a, b), depth);
        node->f[0] = op == OP_SECOND ? generate_argument(g, scope, b, d, depth - 1)
                                     : generate_argument(g, scope, a, c, depth - 1);
        if (op == OP_PARALLEL) node->f[1] = generate_argument(g, scope, b, d, depth - 1);
        Node *get = ast_new(OP_GET, type, node, NULL, NULL);
        get->n = op == OP_SECOND ? 1 : 0;
        return get;
    }
    case 4: return generate_loop(g, scope, type, depth);
    case 5: return generate_rec(g, scope, type, depth);
    case 6: {
        Node *node = generate_unary(g, scope, OP_INITIALLY, type, type, depth);
        if (type->kind == TYPE_TUPLE) return node->x[0];
        node->value = generate_value(g, type);
        return node;
    }
    case 7: {
        Node *node = generate_unary(g, scope, generate_chance(g, 50) ? OP_I_PRE : OP_FBY, type, type, depth);
        if (type->kind == TYPE_TUPLE) return node->x[0];
        if (generate_chance(g, 20)) node->op = OP_INITIALLY_PRE;
        node->value = generate_value(g, type);
        return node;
    }
    case 8:
    case 9: return generate_switch(g, scope, type, depth);
    case 10: return generate_start(g, scope, type, depth);
    case 11: {
        Scope closed = generate_closed(scope);
        return generate_k_switch(g, scope, generate(g, &closed, type, depth - 1), depth);
    }
    default: {
        Scope closed = generate_closed(scope);
        Node *condition = generate(g, scope, &type_bool, depth - 1),
             *yes = generate(g, &closed, type, depth - 1);
        return ast_new(OP_PROVIDED, type, condition, yes, generate(g, &closed, type, depth - 1));
    }
    }
}

// Of any type that is plain.
static inline Node *generate_plain(Generate *g, Scope *scope, const Type *type, int depth) {
    static const Op holds[] = { OP_HOLD, OP_D_HOLD, OP_TRACK_AND_HOLD, OP_D_TRACK_AND_HOLD, OP_FROM_EVENT };
    Node *node;
    switch (generate_below(g, 5)) {
    case 0:
        node = generate_unary(g, scope, holds[generate_below(g, 5)], type, type_event(type), depth);
        break;
    case 1:
        node = generate_unary(g, scope, OP_DELAY, type, type, depth);
        node->seconds = generate_seconds(g, 0);
        node->n = 40;
        break;
    case 2: {
        const Type *in = generate_plain_type(g);
        node = generate_binary(g, scope, OP_PAUSE, type, &type_bool, in, depth);
        node->f[0] = generate_argument(g, scope, in, type, depth - 1);
        break;
    }
    case 3: {
        const Type *other = generate_plain_type(g), *either = type_of2(TYPE_EITHER, type, other);
        bool left = generate_chance(g, 50);
        if (!left) either = type_of2(TYPE_EITHER, other, type);
        node = generate_unary(g, scope, left ? OP_LEFT_VALUE : OP_RIGHT_VALUE, type, either, depth);
        break;
    }
    default: {
        bool first = generate_chance(g, 50);
        const Type *in = generate_plain_type(g), *other = generate_plain_type(g);
        const Type *from = first ? type_of2(TYPE_EITHER, in, other) : type_of2(TYPE_EITHER, other, in);
        const Type *to = first ? type_of2(TYPE_EITHER, type, other) : type_of2(TYPE_EITHER, other, type);
        Node *choice = generate_unary(g, scope, first ? OP_LEFT : OP_RIGHT, to, from, depth);
        choice->f[0] = generate_argument(g, scope, in, type, depth - 1);
        node = ast_new(first ? OP_LEFT_VALUE : OP_RIGHT_VALUE, type, choice, NULL, NULL);
        break;
    }
    }
    node->value = generate_value(g, type);
    return node;
}

static inline Node *generate_accumulator(Generate *g, Scope *scope, const Type *type, int depth) {
    static const Op ops[] = { OP_ACCUM_HOLD, OP_ACCUM_HOLD_BY, OP_D_ACCUM_HOLD, OP_D_ACCUM_HOLD_BY,
                              OP_SSCAN };
    Op op = ops[generate_below(g, 5)];
    const Type *in =
        type->kind == TYPE_BOOL || (type->kind == TYPE_INT && generate_chance(g, 50)) ? &type_float : type;
    Node *node = generate_unary(g, scope, op, type, op == OP_SSCAN ? in : type_event(in), depth);
    node->value = generate_value(g, type);
    node->function = type->kind == TYPE_FLOAT  ? &sf_mix
                     : type->kind == TYPE_VEC2 ? &sf_mix_vector
                     : type->kind == TYPE_BOOL ? &sf_toggle
                     : in == type              ? &sf_mix_int
                                               : &sf_count_high;
    return node;
}

static inline Node *generate_arithmetic(Generate *g, Scope *scope, const Type *type, int depth) {
    static const Op ops[] = { OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_MIN, OP_MAX, OP_ADD, OP_SUB };
    static const Op unary[] = { OP_NEGATE, OP_ABS, OP_SCALE };
    if (generate_chance(g, 30)) {
        Node *node = generate_unary(g, scope, unary[generate_below(g, type->kind == TYPE_INT ? 2 : 3)], type,
                                    type, depth);
        if (node->op == OP_SCALE) node->seconds = 0.5f * (float)(generate_below(g, 7) - 3);
        return node;
    }
    Op op = ops[generate_below(g, 8)];
    bool scales = type->kind == TYPE_VEC2 && (op == OP_MUL || op == OP_DIV) && generate_chance(g, 50);
    return generate_binary(g, scope, op, type, type, scales ? &type_float : type, depth);
}

static inline Node *generate_calculus(Generate *g, Scope *scope, const Type *type, int depth) {
    static const Op ops[] = { OP_INTEGRAL, OP_INTEGRAL, OP_TRAPEZOID, OP_DERIVATIVE, OP_IM_INTEGRAL };
    if (generate_chance(g, 15))
        return generate_binary(g, scope, OP_IMPULSE_INTEGRAL, type, type, type_event(type), depth);
    Node *node = generate_unary(g, scope, ops[generate_below(g, 5)], type, type, depth);
    if (node->op == OP_IM_INTEGRAL) node->value = generate_value(g, type);
    return node;
}

static inline Node *generate_float(Generate *g, Scope *scope, int depth) {
    const Type *type = &type_float;
    Node *node;
    switch (generate_below(g, 18)) {
    case 0: return generate_call(g, scope, &sf_shrink, type, type, depth);
    case 1: return generate_call(g, scope, &sf_from_int, type, &type_int, depth);
    case 2: return generate_call(g, scope, &sf_from_bool, type, &type_bool, depth);
    case 3:
        node = generate_call(g, scope, &sf_mix, type, type, depth);
        node->x[1] = generate(g, scope, type, depth - 1);
        node->open = node->open || node->x[1]->open;
        return node;
    case 4:
        node = generate_binary(g, scope, OP_CALL, type, type, type, depth);
        node->function = &sf_blend;
        node->x[2] = generate(g, scope, &type_bool, depth - 1);
        node->open = node->open || node->x[2]->open;
        return node;
    case 5: return generate_unary(g, scope, OP_LENGTH, type, &type_vec2, depth);
    case 6: return generate_binary(g, scope, OP_DOT, type, &type_vec2, &type_vec2, depth);
    case 7:
        node = generate_unary(g, scope, OP_FIELD, type, &type_vec2, depth);
        node->n = generate_below(g, 2);
        return node;
    case 8:
        node = generate_unary(g, scope, OP_INITIALLY_BY, type, type, depth);
        node->function = &sf_mirror;
        return node;
    case 9:
        node = generate_unary(g, scope, OP_ITER_FROM, type, type, depth);
        node->value = generate_value(g, type);
        node->function = &sf_advance;
        return node;
    case 10:
        if (!generate_has_room(g)) break;
        return generate_fold(g, generate_collection(g, scope, depth), type);
    case 11: return generate_unary(g, scope, OP_SQRT, type, type, depth);
    case 12:
    case 13: return generate_arithmetic(g, scope, type, depth);
    case 14: return generate_accumulator(g, scope, type, depth);
    default: break;
    }
    return generate_calculus(g, scope, type, depth);
}

static inline Node *generate_bool(Generate *g, Scope *scope, int depth) {
    static const Op comparisons[] = { OP_LESS, OP_GREATER, OP_EQUAL };
    const Type *type = &type_bool;
    switch (generate_below(g, 8)) {
    case 0: return generate_binary(g, scope, OP_AND, type, type, type, depth);
    case 1: return generate_binary(g, scope, OP_OR, type, type, type, depth);
    case 2: return generate_unary(g, scope, OP_NOT, type, type, depth);
    case 3: return generate_unary(g, scope, OP_IS_EVENT, type, generate_event_type(g), depth);
    case 4:
        return generate_unary(g, scope, OP_IS_LEFT, type,
                              type_of2(TYPE_EITHER, generate_plain_type(g), &type_float), depth);
    case 5: return generate_call(g, scope, &sf_is_positive, type, &type_float, depth);
    case 6: return generate_accumulator(g, scope, type, depth);
    default: break;
    }
    const Type *of = generate_chance(g, 60) ? &type_float : &type_int;
    return generate_binary(g, scope, comparisons[generate_below(g, 3)], type, of, of, depth);
}

static inline Node *generate_int(Generate *g, Scope *scope, int depth) {
    switch (generate_below(g, 4)) {
    case 0: return generate_call(g, scope, &sf_floor_of, &type_int, &type_float, depth);
    case 1: return generate_call(g, scope, &sf_next_int, &type_int, &type_int, depth);
    case 2: return generate_accumulator(g, scope, &type_int, depth);
    default: return generate_arithmetic(g, scope, &type_int, depth);
    }
}

static inline Node *generate_vec2(Generate *g, Scope *scope, int depth) {
    switch (generate_below(g, 5)) {
    case 0: return generate_call(g, scope, &sf_to_vector, &type_vec2, &type_float, depth);
    case 1: return generate_call(g, scope, &sf_turn, &type_vec2, &type_vec2, depth);
    case 2: return generate_accumulator(g, scope, &type_vec2, depth);
    case 3: return generate_calculus(g, scope, &type_vec2, depth);
    default: return generate_arithmetic(g, scope, &type_vec2, depth);
    }
}

static inline Node *generate_event_of_float(Generate *g, Scope *scope, int depth) {
    const Type *type = &type_event_float;
    Node *node;
    switch (generate_below(g, 11)) {
    case 0: node = generate_call(g, scope, &sf_shrink, type, type, depth); break;
    case 1:
        node = generate_binary(g, scope, OP_CALL, type, type, &type_float, depth);
        node->function = &sf_mix;
        break;
    case 2:
        node = generate_unary(g, scope, OP_EDGE_BY, type, &type_float, depth);
        node->function = &sf_rise;
        node->value = generate_value(g, &type_float);
        break;
    case 3:
        node = generate_binary(g, scope, OP_MERGE_BY, type, type, type, depth);
        node->function = &sf_mix;
        break;
    case 4:
        node = generate_unary(g, scope, OP_FILTER, type, type, depth);
        node->function = &sf_is_positive;
        break;
    case 5:
        node = generate_unary(g, scope, OP_MAP_FILTER, type, type, depth);
        node->function = &sf_high_half;
        break;
    case 6:
        node = generate_unary(g, scope, generate_chance(g, 50) ? OP_ACCUM : OP_ACCUM_BY, type, type, depth);
        node->function = &sf_mix;
        node->value = generate_value(g, &type_float);
        break;
    case 7:
        node = generate_unary(g, scope, OP_ACCUM_FILTER, type, type, depth);
        node->function = &sf_mix;
        node->filter = &sf_rise;
        node->value = generate_value(g, &type_float);
        break;
    case 8: // lists
        node = generate_unary(g, scope, OP_DELAY_EVENT_CAT, type_event(ast_list(&type_float)), type, depth);
        node->n = 40;
        node->seconds = generate_seconds(g, 0);
        node = generate_fold(g, node, type);
        break;
    case 9:
        node =
            generate_unary(g, scope, OP_SAMPLE_WINDOW, type_event(ast_list(&type_float)), &type_float, depth);
        node->n = 1 + generate_below(g, 4);
        node->seconds = generate_seconds(g, 1);
        node = generate_fold(g, node, type);
        break;
    default:
        node = ast_new(OP_AFTER_EACH_CAT, type_event(ast_list(&type_float)), NULL, NULL, NULL);
        node->value = generate_value(g, &type_float);
        node->n = 1 + generate_below(g, 5);
        node->seconds = generate_seconds(g, 1);
        node->level = generate_below(g, 4);
        node = generate_fold(g, node, type);
        break;
    }
    return node;
}

static inline Node *generate_event(Generate *g, Scope *scope, const Type *type, int depth) {
    const Type *of = type->of[0];
    if (of->kind == TYPE_FLOAT && generate_chance(g, 45)) return generate_event_of_float(g, scope, depth);
    if (of->kind == TYPE_INT && generate_chance(g, 20))
        return generate_unary(g, scope, OP_COUNT, type, generate_event_type(g), depth);
    Node *node;
    if (of->kind == TYPE_UNIT && generate_chance(g, 40)) {
        node =
            generate_unary(g, scope, generate_chance(g, 50) ? OP_EDGE : OP_I_EDGE, type, &type_bool, depth);
        node->n = node->op == OP_I_EDGE ? generate_below(g, 2) : 0;
        return node;
    }
    bool valued = of->kind != TYPE_UNIT;
    static const Op unary[] = { OP_NOT_YET, OP_ONCE, OP_TAKE, OP_DROP, OP_EDGE_JUST, OP_DELAY_EVENT };
    static const Op merges[] = { OP_L_MERGE, OP_R_MERGE };
    if (generate_chance(g, 6)) {
        const Type *in = generate_type(g);
        node = generate_binary(g, scope, OP_PAUSE, type, &type_bool, in, depth);
        node->f[0] = generate_argument(g, scope, in, type, depth - 1);
        node->value = generate_value(g, type);
        return node;
    }
    switch (generate_below(g, valued ? 14 : 8)) {
    case 0:
    case 1:
    case 2:
        node = generate_unary(g, scope, unary[generate_below(g, 6)], type, type, depth);
        if (node->op == OP_TAKE || node->op == OP_DROP) node->n = generate_below(g, 4);
        if (node->op == OP_DELAY_EVENT) node->n = 40;
        if (node->op == OP_DELAY_EVENT) node->seconds = generate_seconds(g, 0);
        return node;
    case 3: return generate_binary(g, scope, merges[generate_below(g, 2)], type, type, type, depth);
    case 4: return generate_binary(g, scope, OP_GATE, type, type, &type_bool, depth);
    case 5: {
        Scope closed = generate_closed(scope);
        return generate_unary(g, &closed, OP_RECUR, type, type, depth);
    }
    case 6: {
        Scope closed = generate_closed(scope);
        return generate_binary(g, &closed, OP_AND_THEN, type, type, type, depth);
    }
    case 7:
        if (!valued) return generate_leaf(g, scope, type);
        return generate_binary(g, scope, OP_TAG, type, generate_event_type(g), of, depth);
    case 8: return generate_binary(g, scope, OP_EVENT_WHEN, type, &type_bool, of, depth);
    case 9: return generate_unary(g, scope, OP_SNAP, type, of, depth);
    case 10:
        node = generate_unary(g, scope, OP_SNAP_AFTER, type, of, depth);
        node->seconds = generate_seconds(g, 0);
        return node;
    case 11:
        node = generate_unary(g, scope, OP_SAMPLE, type, of, depth);
        node->seconds = generate_seconds(g, 1);
        return node;
    case 12:
        node = generate_unary(g, scope, OP_EDGE_TAG, type, &type_bool, depth);
        node->value = generate_value(g, of);
        return node;
    default: { // one half of an event with a pair
        bool join = generate_chance(g, 50);
        const Type *other = generate_plain_type(g), *pair = type_pair(of, other);
        Node *both = generate_binary(g, scope, join ? OP_JOIN : OP_ATTACH, type_event(pair), type,
                                     join ? type_event(other) : other, depth);
        Node *split = ast_new(OP_SPLIT, type_pair(type, type_event(other)), both, NULL, NULL);
        return ast_new(OP_GET, type, split, NULL, NULL);
    }
    }
}

static inline Node *generate_new(Generate *g, Scope *scope, const Type *type, int depth) {
    switch ((int)type->kind) {
    case TYPE_TUPLE: {
        Node *a = generate(g, scope, type->of[0], depth), *b = generate(g, scope, type->of[1], depth);
        return ast_new(OP_TUPLE, type, a, b, NULL);
    }
    case TYPE_EITHER: {
        Node *side = generate(g, scope, &type_bool, depth), *left = generate(g, scope, type->of[0], depth);
        return ast_new(OP_EITHER, type, side, left, generate(g, scope, type->of[1], depth));
    }
    default: break;
    }
    if (generate_chance(g, 35)) return generate_any(g, scope, type, depth);
    if (type->kind == TYPE_EVENT) return generate_event(g, scope, type, depth);
    if (generate_chance(g, 30)) return generate_plain(g, scope, type, depth);
    switch ((int)type->kind) {
    case TYPE_FLOAT: return generate_float(g, scope, depth);
    case TYPE_BOOL: return generate_bool(g, scope, depth);
    case TYPE_INT: return generate_int(g, scope, depth);
    default: return generate_vec2(g, scope, depth);
    }
}

static inline Node *generate(Generate *g, Scope *scope, const Type *type, int depth) {
    if (scope->pool_count > 0 && generate_chance(g, 12)) {
        Node *node = scope->pool[generate_below(g, scope->pool_count)];
        if (type_equal(node->type, type)) return node;
    }
    g->budget--;
    if (depth <= 0 || g->budget <= 0) return generate_leaf(g, scope, type);
    Node *node = generate_new(g, scope, type, depth);
    if (scope->pool_count < GENERATE_POOL) scope->pool[scope->pool_count++] = node;
    return node;
}

// Inputs of a random network: two floats, a bool, an int32_t, an event with a float, an event without a value.
static const Type generate_input = {
    TYPE_TUPLE, 6, { &type_float, &type_float, &type_bool, &type_int, &type_event_float, &type_event_unit }
};

static inline Program *generate_program(uint64_t seed, int depth) {
    Program *program = value_allocate(sizeof *program);
    Generate g = { seed * 2654435761u + 12345, program, 70 };
    for (int i = 0; i < 4; i++) test_random(&g.random);
    Scope scope = { .in = &generate_input, .branch = -1 };
    program->in = &generate_input;
    program->root = generate(&g, &scope, generate_type(&g), depth);
    return program;
}
