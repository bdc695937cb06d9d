// Laws: two ways to write a signal function that mean the same, with random signal functions in place of the letters.

#include "support/compare.h"

#define LAW_CASES 60
#define LAW_ROWS  3

typedef struct Law {
    Generate g;
    Scope scope;
    Node *left, *right;
} Law;

// ---- Letters ----------------------------------------------------------------------------------------------------

static Node *some(Law *law, const Type *type) {
    Scope closed = generate_closed(&law->scope);
    return generate(&law->g, &closed, type, 2);
}
static Node *some_function(Law *law, const Type *in, const Type *out) {
    return generate_argument(&law->g, &law->scope, in, out, 2);
}
static const Type *some_type(Law *law) { return generate_type(&law->g); }
static const Type *some_plain(Law *law) { return generate_plain_type(&law->g); }
static const Value *some_value(Law *law, const Type *type) { return generate_value(&law->g, type); }

static Node *input(const Type *type) { return ast_new(OP_INPUT, type, NULL, NULL, NULL); }
static Node *unary(Op op, const Type *type, Node *x) { return ast_new(op, type, x, NULL, NULL); }
static Node *apply(Op op, const Type *type, Node *x, Node *f) {
    Node *node = ast_new(op, type, x, NULL, NULL);
    node->f[0] = f;
    return node;
}
static Node *compose(Node *x, Node *f) { return apply(OP_COMPOSE, f->type, x, f); }
static Node *pair(Node *a, Node *b) { return ast_new(OP_TUPLE, type_pair(a->type, b->type), a, b, NULL); }
static Node *some_pair(Law *law, const Type *a, const Type *b) {
    Node *first = some(law, a);
    return pair(first, some(law, b));
}
static Node *get(Node *x, int n) {
    Node *node = unary(OP_GET, x->type->of[n], x);
    node->n = n;
    return node;
}
static Node *first(Node *p, Node *f) { return apply(OP_FIRST, type_pair(f->type, p->type->of[1]), p, f); }
static Node *second(Node *p, Node *f) { return apply(OP_SECOND, type_pair(p->type->of[0], f->type), p, f); }
static Node *with_value(Node *node, const Value *value) {
    node->value = value;
    return node;
}
static Node *with_seconds(Node *node, float seconds) {
    node->seconds = seconds;
    return node;
}
static Node *source(Op op, const Type *type, const Value *value) {
    return with_value(ast_new(op, type, NULL, NULL, NULL), value);
}
static Node *never(const Type *type) { return ast_new(OP_NEVER, type, NULL, NULL, NULL); }
static Node *constant(const Type *type, const Value *value) { return source(OP_CONSTANT, type, value); }

// ---- Checking ---------------------------------------------------------------------------------------------------

typedef struct LawRun {
    const Value *value[COMPARE_STEPS][LAW_ROWS];
} LawRun;

static bool run_side(const Compare *c, Program *program, LawRun *run) {
    static CompareExpected expected;
    if (!compare_interpret(c, program, &expected)) return false;
    FiloSfBuilder *builder;
    FiloNetwork *network;
    FiloResult result = build_network(&network, program, &builder);
    if (result.code != FILO_OK) ast_print(program);
    assert_ok(result);
    uint8_t *states = calloc((size_t)c->rows, filo_network_state_size(network));
    static CompareOutputs out;
    for (int step = 0; step < c->steps; step++) {
        CompareInputs in;
        compare_inputs(c, step, &in);
        result = compare_step(network, states, &in, &out, program->root->type, 0, c->rows);
        assert_true(result.code == FILO_OK || result.code == FILO_ERROR_LIMIT); // a collection may be full
        for (int row = 0; row < c->rows; row++) {
            int leaf = 0;
            run->value[step][row] = compare_read(&out, program->root->type, row, &leaf);
        }
    }
    free(states);
    filo_network_destroy(network);
    filo_sf_builder_destroy(builder);
    return true;
}

static void check_law(void (*state)(Law *law), const char *name) {
    int compared = 0;
    for (uint64_t seed = 1; seed <= LAW_CASES; seed++) {
        value_reset();
        Program *program = value_allocate(sizeof *program);
        program->in = &generate_input;
        Law law = { .g = { seed * 7919 + 5, program, 60 }, .scope = { .in = &generate_input, .branch = -1 } };
        for (int i = 0; i < 4; i++) test_random(&law.g.random);
        state(&law);
        assert_true(type_equal(law.left->type, law.right->type));
        // Sums of deltas are exact, so that they may be added in another order.
        Compare c = { .seed = 2 * seed, .rows = LAW_ROWS, .steps = COMPARE_STEPS };
        LawRun left, right;
        program->root = law.left;
        if (!run_side(&c, program, &left)) continue;
        program->root = law.right;
        if (!run_side(&c, program, &right)) continue;
        compared++;
        for (int step = 0; step < c.steps; step++)
            for (int row = 0; row < c.rows; row++) {
                if (value_same(left.value[step][row], right.value[step][row])) continue;
                fprintf(stderr, "%s, seed %llu, step %d, row %d: ", name, (unsigned long long)seed, step,
                        row);
                value_print(left.value[step][row]);
                fputs(" and ", stderr);
                value_print(right.value[step][row]);
                fputs("\nleft:\n", stderr);
                ast_print_node(law.left, 1);
                fputs("right:\n", stderr);
                ast_print(program);
                fail_msg("%s does not hold", name);
            }
    }
    value_free();
    assert_true(compared > LAW_CASES / 2);
}

#define LAW(name)   static void name##_law(Law *law)
#define CHECK(name) check_law(name##_law, #name)

// ---- Arrows -----------------------------------------------------------------------------------------------------

LAW(identity_before_a_function_is_the_function) {
    law->right = some(law, some_type(law));
    law->left = compose(input(law->scope.in), law->right);
}
FILO_TEST(identity_before_a_function_is_the_function) { CHECK(identity_before_a_function_is_the_function); }

LAW(identity_after_a_function_is_the_function) {
    law->right = some(law, some_type(law));
    law->left = compose(law->right, input(law->right->type));
}
FILO_TEST(identity_after_a_function_is_the_function) { CHECK(identity_after_a_function_is_the_function); }

LAW(composition_is_associative) {
    const Type *a = some_type(law), *b = some_type(law);
    Node *x = some(law, a), *f = some_function(law, a, b), *g = some_function(law, b, some_type(law));
    law->left = compose(compose(x, f), g);
    law->right = compose(x, compose(f, g));
}
FILO_TEST(composition_is_associative) { CHECK(composition_is_associative); }

LAW(composition_of_functions_of_values_is_a_function_of_values) {
    Node *x = some(law, &type_float), *inside = input(&type_float);
    Node *f = unary(OP_CALL, &type_float, inside), *g = unary(OP_CALL, &type_vec2, inside);
    f->function = &sf_shrink;
    g->function = &sf_to_vector;
    Node *both = unary(OP_CALL, &type_vec2, f);
    both->function = &sf_to_vector;
    law->left = compose(compose(x, f), g);
    law->right = compose(x, both);
}
FILO_TEST(composition_of_functions_of_values_is_a_function_of_values) {
    CHECK(composition_of_functions_of_values_is_a_function_of_values);
}

LAW(first_then_the_first_half_is_the_function_of_the_first_half) {
    const Type *a = some_type(law);
    Node *p = some_pair(law, a, some_type(law)), *f = some_function(law, a, some_type(law));
    law->left = get(first(p, f), 0);
    law->right = compose(get(p, 0), f);
}
FILO_TEST(first_then_the_first_half_is_the_function_of_the_first_half) {
    CHECK(first_then_the_first_half_is_the_function_of_the_first_half);
}

LAW(first_of_a_composition_is_the_composition_of_firsts) {
    const Type *a = some_type(law), *b = some_type(law);
    Node *p = some_pair(law, a, some_plain(law));
    Node *f = some_function(law, a, b), *g = some_function(law, b, some_plain(law));
    law->left = first(p, compose(f, g));
    law->right = first(first(p, f), g);
}
FILO_TEST(first_of_a_composition_is_the_composition_of_firsts) {
    CHECK(first_of_a_composition_is_the_composition_of_firsts);
}

LAW(first_and_second_may_change_places) {
    const Type *a = some_type(law), *b = some_type(law);
    Node *p = some_pair(law, a, b);
    Node *f = some_function(law, a, some_plain(law)), *g = some_function(law, b, some_plain(law));
    law->left = second(first(p, f), g);
    law->right = first(second(p, g), f);
}
FILO_TEST(first_and_second_may_change_places) { CHECK(first_and_second_may_change_places); }

LAW(parallel_is_first_and_second) {
    const Type *a = some_type(law), *b = some_type(law);
    Node *p = some_pair(law, a, b);
    Node *f = some_function(law, a, some_plain(law)), *g = some_function(law, b, some_plain(law));
    law->left = apply(OP_PARALLEL, type_pair(f->type, g->type), p, f);
    law->left->f[1] = g;
    law->right = second(first(p, f), g);
}
FILO_TEST(parallel_is_first_and_second) { CHECK(parallel_is_first_and_second); }

LAW(a_pair_of_functions_is_parallel_of_a_pair) {
    const Type *a = some_type(law);
    Node *x = some(law, a), *f = some_function(law, a, some_plain(law)),
         *g = some_function(law, a, some_plain(law));
    law->left = pair(compose(x, f), compose(x, g));
    law->right = apply(OP_PARALLEL, type_pair(f->type, g->type), pair(x, x), f);
    law->right->f[1] = g;
}
FILO_TEST(a_pair_of_functions_is_parallel_of_a_pair) { CHECK(a_pair_of_functions_is_parallel_of_a_pair); }

// ---- Choice -----------------------------------------------------------------------------------------------------

static Node *some_either(Law *law, const Type *a, const Type *b) {
    Node *which = some(law, &type_bool), *left = some(law, a), *right = some(law, b);
    return ast_new(OP_EITHER, type_of2(TYPE_EITHER, a, b), which, left, right);
}
static Node *left(Node *e, Node *f) {
    return apply(OP_LEFT, type_of2(TYPE_EITHER, f->type, e->type->of[1]), e, f);
}
static Node *right(Node *e, Node *f) {
    return apply(OP_RIGHT, type_of2(TYPE_EITHER, e->type->of[0], f->type), e, f);
}

LAW(left_of_the_identity_is_the_identity) {
    const Type *a = some_plain(law);
    law->right = some_either(law, a, some_plain(law));
    law->left = left(law->right, input(a));
}
FILO_TEST(left_of_the_identity_is_the_identity) { CHECK(left_of_the_identity_is_the_identity); }

LAW(left_of_a_composition_is_the_composition_of_lefts) {
    const Type *a = some_plain(law), *b = some_plain(law);
    Node *e = some_either(law, a, some_plain(law)), *f = some_function(law, a, b),
         *g = some_function(law, b, some_plain(law));
    law->left = left(e, compose(f, g));
    law->right = left(left(e, f), g);
}
FILO_TEST(left_of_a_composition_is_the_composition_of_lefts) {
    CHECK(left_of_a_composition_is_the_composition_of_lefts);
}

LAW(left_and_right_may_change_places) {
    const Type *a = some_plain(law), *b = some_plain(law);
    Node *e = some_either(law, a, b), *f = some_function(law, a, some_plain(law)),
         *g = some_function(law, b, some_plain(law));
    law->left = right(left(e, f), g);
    law->right = left(right(e, g), f);
}
FILO_TEST(left_and_right_may_change_places) { CHECK(left_and_right_may_change_places); }

LAW(left_does_not_change_right_values) {
    const Type *a = some_plain(law), *b = some_plain(law);
    Node *e = some_either(law, a, b);
    const Value *otherwise = some_value(law, b);
    law->left =
        with_value(unary(OP_RIGHT_VALUE, b, left(e, some_function(law, a, some_plain(law)))), otherwise);
    law->right = with_value(unary(OP_RIGHT_VALUE, b, e), otherwise);
}
FILO_TEST(left_does_not_change_right_values) { CHECK(left_does_not_change_right_values); }

// ---- Loops ------------------------------------------------------------------------------------------------------

// A function from (a, feedback) to (b, feedback).
static Node *some_body(Law *law, const Type *a, const Type *b, const Type *feedback) {
    return some_function(law, type_pair(a, feedback), type_pair(b, feedback));
}
// The same, decoupled.
static Node *some_decoupled_body(Law *law, const Type *a, const Type *b, const Type *feedback) {
    Node *body = some_body(law, a, b, feedback);
    Node *back = with_value(unary(OP_I_PRE, feedback, get(body, 1)), some_value(law, feedback));
    return pair(get(body, 0), back);
}
static Node *loop(Op op, Node *x, Node *body, const Value *initial) {
    return with_value(apply(op, body->type->of[0], x, body), initial);
}

LAW(what_comes_before_a_loop_may_be_in_it) {
    const Type *a = some_plain(law), *b = some_plain(law), *s = some_plain(law);
    Node *x = some(law, a), *h = some_function(law, a, b), *body = some_body(law, b, some_plain(law), s);
    const Value *initial = some_value(law, s);
    law->left = loop(OP_LOOP_PRE, x, compose(first(input(type_pair(a, s)), h), body), initial);
    law->right = loop(OP_LOOP_PRE, compose(x, h), body, initial);
}
FILO_TEST(what_comes_before_a_loop_may_be_in_it) { CHECK(what_comes_before_a_loop_may_be_in_it); }

LAW(what_comes_after_a_loop_may_be_in_it) {
    const Type *a = some_plain(law), *b = some_plain(law), *s = some_plain(law);
    Node *x = some(law, a), *body = some_body(law, a, b, s), *h = some_function(law, b, some_plain(law));
    const Value *initial = some_value(law, s);
    law->left = loop(OP_LOOP_PRE, x, first(body, h), initial);
    law->right = compose(loop(OP_LOOP_PRE, x, body, initial), h);
}
FILO_TEST(what_comes_after_a_loop_may_be_in_it) { CHECK(what_comes_after_a_loop_may_be_in_it); }

LAW(a_function_may_slide_around_a_loop) {
    const Type *a = some_plain(law), *s = some_plain(law), *t = some_plain(law);
    Node *x = some(law, a), *k = some_function(law, s, t);
    Node *body = some_body(law, a, some_plain(law), t); // from (a, t); gives (b, t), of which an s is made
    Node *made = compose(get(body, 1), some_function(law, t, s));
    Node *back = with_value(unary(OP_I_PRE, s, made), some_value(law, s));
    Node *f = pair(get(body, 0), back); // from (a, t) to (b, s)
    law->left = loop(OP_LOOP, x, second(f, k), NULL);
    law->right = loop(OP_LOOP, x, compose(second(input(type_pair(a, s)), k), f), NULL);
}
FILO_TEST(a_function_may_slide_around_a_loop) { CHECK(a_function_may_slide_around_a_loop); }

LAW(loop_pre_is_a_loop_with_i_pre) {
    const Type *a = some_plain(law), *s = some_plain(law);
    Node *x = some(law, a), *body = some_body(law, a, some_plain(law), s);
    const Value *initial = some_value(law, s);
    law->left = loop(OP_LOOP_PRE, x, body, initial);
    Node *pre = with_value(unary(OP_I_PRE, s, input(s)), initial);
    law->right = loop(OP_LOOP, x, compose(second(input(type_pair(a, s)), pre), body), NULL);
}
FILO_TEST(loop_pre_is_a_loop_with_i_pre) { CHECK(loop_pre_is_a_loop_with_i_pre); }

LAW(loop_integral_is_a_loop_with_an_integral) {
    const Type *a = some_plain(law), *s = &type_vec2;
    Node *x = some(law, a), *body = some_body(law, a, some_plain(law), s);
    law->left = loop(OP_LOOP_INTEGRAL, x, body, NULL);
    Node *integral = unary(OP_INTEGRAL, s, input(s));
    law->right = loop(OP_LOOP, x, compose(second(input(type_pair(a, s)), integral), body), NULL);
}
FILO_TEST(loop_integral_is_a_loop_with_an_integral) { CHECK(loop_integral_is_a_loop_with_an_integral); }

LAW(a_loop_is_a_rec) {
    const Type *a = some_plain(law), *s = some_plain(law);
    Node *x = some(law, a), *body = some_decoupled_body(law, a, some_plain(law), s);
    law->left = loop(OP_LOOP, x, body, NULL);
    Node *rec = ast_new(OP_REC, body->type->of[0], NULL, NULL, NULL),
         *variable = ast_new(OP_VARIABLE, s, NULL, NULL, NULL);
    variable->rec = rec;
    Node *both = compose(pair(x, variable), body);
    rec->x[0] = get(both, 1);
    rec->x[1] = get(both, 0);
    rec->x[2] = variable;
    law->right = rec;
}
FILO_TEST(a_loop_is_a_rec) { CHECK(a_loop_is_a_rec); }

LAW(a_loop_beside_a_signal) {
    const Type *a = some_plain(law), *s = some_plain(law);
    Node *p = some_pair(law, a, some_plain(law)), *body = some_body(law, a, some_plain(law), s);
    const Value *initial = some_value(law, s);
    law->left = first(p, loop(OP_LOOP_PRE, input(a), body, initial));
    law->right = pair(loop(OP_LOOP_PRE, get(p, 0), body, initial), get(p, 1));
}
FILO_TEST(a_loop_beside_a_signal) { CHECK(a_loop_beside_a_signal); }

LAW(a_loop_whose_feedback_is_not_used) {
    const Type *a = some_plain(law), *s = some_plain(law);
    Node *x = some(law, a), *f = some_function(law, a, some_plain(law)), *in = input(type_pair(a, s));
    law->left = loop(OP_LOOP_PRE, x, pair(compose(get(in, 0), f), get(in, 1)), some_value(law, s));
    law->right = compose(x, f);
}
FILO_TEST(a_loop_whose_feedback_is_not_used) { CHECK(a_loop_whose_feedback_is_not_used); }

// ---- Switches ---------------------------------------------------------------------------------------------------

static int some_branch(Law *law, const Type *out, const Type *parameter) {
    int branch = generate_declare(&law->g, law->scope.in, parameter, out);
    Scope inside = { .in = law->scope.in, .branch = branch };
    law->g.program->branches[branch].definition = constant(&type_float, value_float(0));
    law->g.program->branches[branch].definition = generate(&law->g, &inside, out, 2);
    return branch;
}
static Node *switch_to(Op op, Node *output, Node *event, int branch, bool delayed) {
    Node *node = unary(op, output->type, output);
    node->exits[node->exit_count++] = (Exit){ .event = event, .branch = branch };
    node->delayed = delayed;
    return node;
}
static bool coin(Law *law) { return generate_chance(&law->g, 50); }

LAW(a_switch_that_never_switches_is_its_output) {
    static const Op ops[] = { OP_SWITCH, OP_R_SWITCH, OP_K_SWITCH };
    law->right = some(law, some_type(law));
    int branch = some_branch(law, law->right->type, &type_float);
    law->left =
        switch_to(ops[generate_below(&law->g, 3)], law->right, never(&type_event_float), branch, coin(law));
}
FILO_TEST(a_switch_that_never_switches_is_its_output) { CHECK(a_switch_that_never_switches_is_its_output); }

LAW(switch_and_d_switch_differ_at_the_instant_of_the_event_alone) {
    static const Op ops[] = { OP_SWITCH, OP_K_SWITCH };
    const Type *type = some_plain(law);
    Node *output = some(law, type), *event = some(law, &type_event_float);
    int branch = some_branch(law, type, &type_float);
    Op op = ops[generate_below(&law->g, 2)];
    Node *instant = unary(OP_IS_EVENT, &type_bool, unary(OP_ONCE, &type_event_float, event));
    Node *zero = constant(type, value_zero(type));
    law->left = ast_new(OP_SELECT, type, instant, zero, switch_to(op, output, event, branch, false));
    law->right = ast_new(OP_SELECT, type, instant, zero, switch_to(op, output, event, branch, true));
}
FILO_TEST(switch_and_d_switch_differ_at_the_instant_of_the_event_alone) {
    CHECK(switch_and_d_switch_differ_at_the_instant_of_the_event_alone);
}

LAW(at_the_instant_of_the_event_d_switch_is_the_output) {
    const Type *type = some_plain(law);
    Node *output = some(law, type), *event = some(law, &type_event_float);
    int branch = some_branch(law, type, &type_float);
    Node *instant = unary(OP_IS_EVENT, &type_bool, unary(OP_ONCE, &type_event_float, event));
    Node *zero = constant(type, value_zero(type));
    law->left = ast_new(OP_SELECT, type, instant, switch_to(OP_SWITCH, output, event, branch, true), zero);
    law->right = ast_new(OP_SELECT, type, instant, output, zero);
}
FILO_TEST(at_the_instant_of_the_event_d_switch_is_the_output) {
    CHECK(at_the_instant_of_the_event_d_switch_is_the_output);
}

LAW(a_switch_at_time_zero_is_its_branch) {
    const Type *type = some_type(law);
    int branch = some_branch(law, type, &type_float);
    const Value *value = some_value(law, &type_float);
    law->left =
        switch_to(OP_SWITCH, some(law, type), source(OP_NOW, &type_event_float, value), branch, false);
    law->right = with_value(ast_new(OP_START, type, NULL, NULL, NULL), value);
    law->right->branch = branch;
}
FILO_TEST(a_switch_at_time_zero_is_its_branch) { CHECK(a_switch_at_time_zero_is_its_branch); }

LAW(r_switch_with_one_event_is_switch) {
    const Type *type = some_type(law);
    Node *output = some(law, type), *event = some(law, &type_event_float);
    int branch = some_branch(law, type, &type_float);
    bool delayed = coin(law);
    law->left = switch_to(OP_R_SWITCH, output, unary(OP_ONCE, &type_event_float, event), branch, delayed);
    law->right = switch_to(OP_SWITCH, output, event, branch, delayed);
}
FILO_TEST(r_switch_with_one_event_is_switch) { CHECK(r_switch_with_one_event_is_switch); }

LAW(k_switch_that_drops_the_old_function_is_switch) {
    const Type *type = some_type(law);
    Node *output = some(law, type), *event = some(law, &type_event_float);
    int branch = some_branch(law, type, &type_float);
    bool delayed = coin(law);
    law->left = switch_to(OP_K_SWITCH, output, event, branch, delayed);
    law->right = switch_to(OP_SWITCH, output, event, branch, delayed);
}
FILO_TEST(k_switch_that_drops_the_old_function_is_switch) {
    CHECK(k_switch_that_drops_the_old_function_is_switch);
}

LAW(k_switch_that_runs_the_old_function_on_is_the_function) {
    law->right = some(law, some_type(law));
    int branch = generate_declare(&law->g, law->scope.in, NULL, law->right->type);
    law->g.program->branches[branch].old = true;
    law->g.program->branches[branch].definition = generate_old(OP_OLD, law->right->type, branch);
    Node *event = some(law, &type_event_unit);
    law->left = switch_to(OP_K_SWITCH, law->right, event, branch, coin(law));
}
FILO_TEST(k_switch_that_runs_the_old_function_on_is_the_function) {
    CHECK(k_switch_that_runs_the_old_function_on_is_the_function);
}

LAW(provided_always_is_its_first_side) {
    law->right = some(law, some_type(law));
    law->left = ast_new(OP_PROVIDED, law->right->type, constant(&type_bool, value_bool(true)), law->right,
                        some(law, law->right->type));
}
FILO_TEST(provided_always_is_its_first_side) { CHECK(provided_always_is_its_first_side); }

LAW(provided_not_is_provided_with_sides_changed) {
    Node *c = some(law, &type_bool), *x = some(law, some_type(law)), *y = some(law, x->type);
    law->left = ast_new(OP_PROVIDED, x->type, unary(OP_NOT, &type_bool, c), x, y);
    law->right = ast_new(OP_PROVIDED, x->type, c, y, x);
}
FILO_TEST(provided_not_is_provided_with_sides_changed) { CHECK(provided_not_is_provided_with_sides_changed); }

LAW(a_function_that_is_never_paused_is_the_function) {
    const Type *a = some_plain(law), *b = some_plain(law);
    Node *x = some(law, a), *f = some_function(law, a, b);
    law->left = ast_new(OP_PAUSE, b, constant(&type_bool, value_bool(false)), x, NULL);
    law->left->f[0] = f;
    law->left->value = some_value(law, b);
    law->right = compose(x, f);
}
FILO_TEST(a_function_that_is_never_paused_is_the_function) {
    CHECK(a_function_that_is_never_paused_is_the_function);
}

// ---- Events -----------------------------------------------------------------------------------------------------

static Node *some_event(Law *law) { return some(law, generate_event_type(&law->g)); }

LAW(once_is_take_one) {
    Node *e = some_event(law);
    law->left = unary(OP_ONCE, e->type, e);
    law->right = unary(OP_TAKE, e->type, e);
    law->right->n = 1;
}
FILO_TEST(once_is_take_one) { CHECK(once_is_take_one); }

LAW(taken_and_dropped_events_are_all) {
    Node *e = some_event(law), *take = unary(OP_TAKE, e->type, e), *drop = unary(OP_DROP, e->type, e);
    take->n = drop->n = generate_below(&law->g, 5);
    law->left = ast_new(OP_L_MERGE, e->type, take, drop, NULL);
    law->right = e;
}
FILO_TEST(taken_and_dropped_events_are_all) { CHECK(taken_and_dropped_events_are_all); }

LAW(merging_is_associative_and_mirrored) {
    Node *a = some_event(law), *b = some(law, a->type), *c = some(law, a->type);
    law->left = ast_new(OP_L_MERGE, a->type, ast_new(OP_L_MERGE, a->type, a, b, NULL), c, NULL);
    law->right = ast_new(OP_R_MERGE, a->type, ast_new(OP_L_MERGE, a->type, b, c, NULL), a, NULL);
}
FILO_TEST(merging_is_associative_and_mirrored) { CHECK(merging_is_associative_and_mirrored); }

LAW(merging_with_never_is_the_event) {
    law->right = some_event(law);
    law->left =
        ast_new(OP_R_MERGE, law->right->type, never(law->right->type),
                ast_new(OP_L_MERGE, law->right->type, law->right, never(law->right->type), NULL), NULL);
}
FILO_TEST(merging_with_never_is_the_event) { CHECK(merging_with_never_is_the_event); }

LAW(d_hold_is_hold_and_i_pre) {
    const Type *a = some_plain(law);
    Node *e = some(law, type_event(a));
    const Value *initial = some_value(law, a);
    law->left = with_value(unary(OP_D_HOLD, a, e), initial);
    law->right = with_value(unary(OP_I_PRE, a, with_value(unary(OP_HOLD, a, e), initial)), initial);
}
FILO_TEST(d_hold_is_hold_and_i_pre) { CHECK(d_hold_is_hold_and_i_pre); }

LAW(accum_hold_is_accum_and_hold) {
    Node *e = some(law, &type_event_float);
    const Value *initial = some_value(law, &type_float);
    Node *accum = with_value(unary(OP_ACCUM, &type_event_float, e), initial);
    law->left = with_value(unary(OP_ACCUM_HOLD, &type_float, e), initial);
    accum->function = law->left->function = &sf_mix;
    law->right = with_value(unary(OP_HOLD, &type_float, accum), initial);
}
FILO_TEST(accum_hold_is_accum_and_hold) { CHECK(accum_hold_is_accum_and_hold); }

LAW(recur_of_never_is_never) {
    const Type *type = generate_event_type(&law->g);
    law->left = unary(OP_RECUR, type, never(type));
    law->right = never(type);
}
FILO_TEST(recur_of_never_is_never) { CHECK(recur_of_never_is_never); }

LAW(and_then_never_is_once) {
    Node *e = some_event(law);
    law->left = ast_new(OP_AND_THEN, e->type, e, never(e->type), NULL);
    law->right = unary(OP_ONCE, e->type, e);
}
FILO_TEST(and_then_never_is_once) { CHECK(and_then_never_is_once); }

LAW(never_and_then_is_never) {
    Node *e = some_event(law);
    law->left = ast_new(OP_AND_THEN, e->type, never(e->type), e, NULL);
    law->right = never(e->type);
}
FILO_TEST(never_and_then_is_never) { CHECK(never_and_then_is_never); }

LAW(after_zero_seconds_is_now) {
    const Value *value = some_value(law, &type_float);
    law->left = source(OP_AFTER, &type_event_float, value);
    law->right = source(OP_NOW, &type_event_float, value);
}
FILO_TEST(after_zero_seconds_is_now) { CHECK(after_zero_seconds_is_now); }

LAW(snap_and_sample_are_tagged_sources) {
    Node *x = some(law, some_plain(law));
    const Type *type = type_event(x->type);
    float seconds = generate_seconds(&law->g, 1);
    Node *snap = unary(OP_SNAP, type, x), *after = with_seconds(unary(OP_SNAP_AFTER, type, x), seconds),
         *sample = with_seconds(unary(OP_SAMPLE, type, x), seconds);
    law->left =
        ast_new(OP_TUPLE, type_pair(snap->type, type_pair(type, type)), snap, pair(after, sample), NULL);
    Node *sources[] = { source(OP_NOW, &type_event_unit, NULL),
                        with_seconds(source(OP_AFTER, &type_event_unit, NULL), seconds),
                        with_seconds(source(OP_REPEATEDLY, &type_event_unit, NULL), seconds) };
    for (int i = 0; i < 3; i++) sources[i] = ast_new(OP_TAG, type, sources[i], x, NULL);
    law->right = ast_new(OP_TUPLE, law->left->type, sources[0], pair(sources[1], sources[2]), NULL);
}
FILO_TEST(snap_and_sample_are_tagged_sources) { CHECK(snap_and_sample_are_tagged_sources); }

LAW(delays_by_zero_seconds_are_the_identity) {
    Node *x = some(law, some_plain(law)), *e = some_event(law);
    Node *delay = with_value(unary(OP_DELAY, x->type, x), some_value(law, x->type)),
         *late = unary(OP_DELAY_EVENT, e->type, e);
    delay->n = late->n = 8;
    law->left = pair(delay, late);
    law->right = pair(x, e);
}
FILO_TEST(delays_by_zero_seconds_are_the_identity) { CHECK(delays_by_zero_seconds_are_the_identity); }

LAW(not_yet_of_now_is_never) {
    law->left =
        unary(OP_NOT_YET, &type_event_float, source(OP_NOW, &type_event_float, some_value(law, &type_float)));
    law->right = never(&type_event_float);
}
FILO_TEST(not_yet_of_now_is_never) { CHECK(not_yet_of_now_is_never); }

LAW(time_is_the_integral_of_one) {
    law->left = ast_new(OP_TIME, &type_float, NULL, NULL, NULL);
    law->right = unary(OP_INTEGRAL, &type_float, constant(&type_float, value_float(1)));
}
FILO_TEST(time_is_the_integral_of_one) { CHECK(time_is_the_integral_of_one); }

LAW(impulse_integral_is_the_integral_and_a_sum) {
    Node *x = some(law, &type_float), *e = some(law, &type_event_float);
    law->left = ast_new(OP_IMPULSE_INTEGRAL, &type_float, x, e, NULL);
    Node *none = ast_new(OP_IMPULSE_INTEGRAL, &type_float, constant(&type_float, value_float(0)), e, NULL);
    law->right = ast_new(OP_ADD, &type_float, unary(OP_INTEGRAL, &type_float, x), none, NULL);
}
FILO_TEST(impulse_integral_is_the_integral_and_a_sum) { CHECK(impulse_integral_is_the_integral_and_a_sum); }
