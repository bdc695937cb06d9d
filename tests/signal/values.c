// Functions of values, and composition: all without a state.

#include "support/embed.h"

typedef struct Body {
    FiloVec2 position;
    float mass;
    int32_t kind;
} Body;
FILO_REFLECT(Body, FILO_FIELD(FiloVec2, position), FILO_FIELD(float, mass), FILO_FIELD(int32_t, kind))

FILO_SF_FUNCTION(squared, float, float, x) { return x * x; }
FILO_SF_FUNCTION2(body_of, Body, FiloVec2, position, float, mass) {
    return (Body){ position, mass, (int32_t)mass + 1 };
}
FILO_SF_FUNCTION2(minus, float, float, a, float, b) { return a - b; }
FILO_SF_FUNCTION3(sum_of_three, float, float, a, float, b, int32_t, c) { return a + 10 * b + 100 * (float)c; }
FILO_SF_FUNCTION4(sum_of_four, float, float, a, float, b, int32_t, c, bool, d) {
    return a + 10 * b + 100 * (float)c + (d ? 1000 : 0);
}
FILO_SF_PREDICATE(is_low, float, x) { return x < 2; }

FILO_TEST(the_input_is_the_identity) {
    FiloSfBuilder *b = embed_builder("f");
    embed(b, filo_sf_input(b),
          &(Embed){ .delta = T(0, 1, 1), .in = { V(3, -1, 5) }, .out = { V(3, -1, 5) } });
}

FILO_TEST(inputs_of_a_tuple_are_found_by_number_and_by_name) {
    FiloSfBuilder *b = embed_builder("fi2");
    FiloSf elements[] = { filo_sf_in_named(b, "in2"), filo_sf_in(b, 1), filo_sf_in_named(b, "in0") };
    embed(b, filo_sf_tuple(b, elements, 3),
          &(Embed){ .delta = T(0, 1),
                    .in = { V(3, 4), V(-7, 8), V(1, 2, 3, 4) },
                    .out = { V(1, 2, 3, 4), V(-7, 8), V(3, 4) } });
}

FILO_TEST(an_input_alone_is_found_by_name) {
    FiloSfBuilder *b = embed_builder("f");
    embed(b, filo_sf_in_named(b, "in0"), &(Embed){ .delta = T(0, 1), .in = { V(3, 4) }, .out = { V(3, 4) } });
}

FILO_TEST(a_network_may_have_no_input) {
    FiloSfBuilder *b = embed_builder("");
    embed(b, filo_sf_constant(b, FILO_SF(float, 1.5f)),
          &(Embed){ .delta = T(0, 1), .out = { V(1.5f, 1.5f) } });
}

FILO_TEST(a_tuple_as_input_is_the_output_in_the_same_order) {
    FiloSfBuilder *b = embed_builder("fFU");
    embed(b, filo_sf_input(b),
          &(Embed){ .delta = T(0, 1, 1),
                    .in = { V(3, 4, 5), E(NO, 8, 9), U(1, NO, 1) },
                    .out = { V(3, 4, 5), E(NO, 8, 9), U(1, NO, 1) } });
}

FILO_TEST(time_starts_at_zero_and_ignores_the_first_delta) {
    FiloSfBuilder *b = embed_builder("");
    embed(b, filo_sf_time(b), &(Embed){ .delta = T(5, 1, 0.5f, 0), .out = { V(0, 1, 1.5f, 1.5f) } });
}

FILO_TEST(named_returns_the_same_signal) {
    FiloSfBuilder *b = embed_builder("f");
    embed(b, filo_sf_named(filo_sf_input(b), "speed"),
          &(Embed){ .delta = T(0), .in = { V(2) }, .out = { V(2) } });
}

FILO_TEST(functions_of_one_to_four_values_are_applied_at_each_instant) {
    FiloSfBuilder *b = embed_builder("ffib");
    FiloSf x = filo_sf_in(b, 0), y = filo_sf_in(b, 1), n = filo_sf_in(b, 2), c = filo_sf_in(b, 3);
    FiloSf elements[] = { filo_sf_arr(x, &squared), filo_sf_arr2(x, y, &minus),
                          filo_sf_arr3(x, y, n, &sum_of_three), filo_sf_arr4(x, y, n, c, &sum_of_four),
                          filo_sf_arr(y, &is_low) };
    embed(b, filo_sf_tuple(b, elements, 5),
          &(Embed){ .delta = T(0, 1, 1),
                    .in = { V(1, 2, 3), V(4, 1, 0), V(2, 0, 1), V(0, 1, 1) },
                    .out = { V(1, 4, 9), V(-3, 1, 3), V(241, 12, 103), V(241, 1012, 1103), V(0, 1, 1) } });
}

FILO_TEST(a_function_is_applied_to_the_value_of_an_event_where_it_occurs) {
    FiloSfBuilder *b = embed_builder("Ff");
    FiloSf e = filo_sf_in(b, 0), x = filo_sf_in(b, 1);
    embed(b, filo_sf_pair(filo_sf_arr(e, &squared), filo_sf_arr2(e, x, &minus)),
          &(Embed){ .delta = T(0, 1, 1, 1),
                    .in = { E(2, NO, 3, NO), V(1, 2, 3, 4) },
                    .out = { E(4, NO, 9, NO), E(1, NO, 0, NO) } });
}

FILO_TEST(a_predicate_of_an_event_is_an_event_with_a_bool) {
    FiloSfBuilder *b = embed_builder("F");
    embed(b, filo_sf_arr(filo_sf_input(b), &is_low),
          &(Embed){ .delta = T(0, 1, 1), .in = { E(NO, 1, 3) }, .out = { E(NO, 1, 0) } });
}

FILO_TEST(arithmetic_of_floats) {
    FiloSfBuilder *b = embed_builder("ff");
    FiloSf x = filo_sf_in(b, 0), y = filo_sf_in(b, 1);
    FiloSf first[] = { filo_sf_add(x, y), filo_sf_sub(x, y), filo_sf_mul(x, y), filo_sf_div(x, y) };
    FiloSf second[] = { filo_sf_min(x, y), filo_sf_max(x, y), filo_sf_negate(x), filo_sf_abs(x) };
    FiloSf both[] = { filo_sf_tuple(b, first, 4), filo_sf_tuple(b, second, 4) };
    embed(b, filo_sf_tuple(b, both, 2),
          &(Embed){ .delta = T(0, 1, 1),
                    .in = { V(3, -4, 0.5f), V(2, 8, -0.25f) },
                    .out = { V(5, 4, 0.25f), V(1, -12, 0.75f), V(6, -32, -0.125f), V(1.5f, -0.5f, -2),
                             V(2, -4, -0.25f), V(3, 8, 0.5f), V(-3, 4, -0.5f), V(3, 4, 0.5f) } });
}

FILO_TEST(arithmetic_of_vectors_is_element_by_element) {
    FiloSfBuilder *b = embed_builder("22f");
    FiloSf x = filo_sf_in(b, 0), y = filo_sf_in(b, 1), s = filo_sf_in(b, 2);
    FiloSf first[] = { filo_sf_add(x, y), filo_sf_sub(x, y), filo_sf_mul(x, y), filo_sf_mul(x, s) };
    FiloSf second[] = { filo_sf_div(x, s), filo_sf_min(x, y), filo_sf_abs(x), filo_sf_scale(x, -2) };
    FiloSf both[] = { filo_sf_tuple(b, first, 4), filo_sf_tuple(b, second, 4) };
    embed(b, filo_sf_tuple(b, both, 2),
          &(Embed){ .delta = T(0, 1),
                    .in = { V(3, -4, 1, 0), V(2, 8, -1, 5), V(2, 4) },
                    .out = { V(5, 4, 0, 5), V(1, -12, 2, -5), V(6, -32, -1, 0), V(6, -8, 4, 0),
                             V(1.5f, -2, 0.25f, 0), V(2, -4, -1, 0), V(3, 4, 1, 0), V(-6, 8, -2, -0.0f) } });
}

FILO_TEST(arithmetic_of_vectors_with_three_and_four_elements) {
    FiloSfBuilder *b = embed_builder("34");
    FiloSf x = filo_sf_in(b, 0), y = filo_sf_in(b, 1);
    FiloSf all[] = { filo_sf_add(x, x), filo_sf_sub(filo_sf_negate(y), y), filo_sf_length(x),
                     filo_sf_dot(y, y) };
    embed(b, filo_sf_tuple(b, all, 4),
          &(Embed){ .delta = T(0, 1),
                    .in = { V(2, 3, 6, 0, 0, 1), V(1, 2, 3, 4, 1, 0, 0, 2) },
                    .out = { V(4, 6, 12, 0, 0, 2), V(-2, -4, -6, -8, -2, 0, 0, -4), V(7, 1), V(30, 5) } });
}

FILO_TEST(length_and_dot_of_vectors) {
    FiloSfBuilder *b = embed_builder("22");
    FiloSf x = filo_sf_in(b, 0), y = filo_sf_in(b, 1);
    embed(b, filo_sf_pair(filo_sf_length(x), filo_sf_dot(x, y)),
          &(Embed){
              .delta = T(0, 1), .in = { V(3, 4, 0, -2), V(1, 2, 5, 0.5f) }, .out = { V(5, 2), V(11, -1) } });
}

FILO_TEST(arithmetic_of_integers_wraps_around_and_divides_by_zero_to_zero) {
    FiloSfBuilder *b = embed_builder("ii");
    FiloSf x = filo_sf_in(b, 0), y = filo_sf_in(b, 1);
    FiloSf largest = filo_sf_constant(b, FILO_SF(int32_t, INT32_MAX)),
           least = filo_sf_constant(b, FILO_SF(int32_t, INT32_MIN));
    FiloSf one = filo_sf_constant(b, FILO_SF(int32_t, 1)),
           minus_one = filo_sf_constant(b, FILO_SF(int32_t, -1));
    FiloSf first[] = { filo_sf_add(x, y), filo_sf_sub(x, y), filo_sf_mul(x, y), filo_sf_div(x, y),
                       filo_sf_min(x, y) };
    FiloSf second[] = { filo_sf_equal(filo_sf_add(largest, one), least),
                        filo_sf_equal(filo_sf_div(least, minus_one), least),
                        filo_sf_equal(filo_sf_abs(least), least) };
    embed(b, filo_sf_pair(filo_sf_tuple(b, first, 5), filo_sf_tuple(b, second, 3)),
          &(Embed){ .delta = T(0, 1, 1),
                    .in = { V(7, -7, 5), V(2, 2, 0) },
                    .out = { V(9, -5, 5), V(5, -9, 5), V(14, -14, 0), V(3, -3, 0), V(2, -7, 0), V(1, 1, 1),
                             V(1, 1, 1), V(1, 1, 1) } });
}

FILO_TEST(roots_sines_and_cosines) {
    FiloSfBuilder *b = embed_builder("f");
    FiloSf x = filo_sf_input(b);
    FiloSf all[] = { filo_sf_sqrt(x), filo_sf_sin(filo_sf_sub(x, x)), filo_sf_cos(filo_sf_sub(x, x)) };
    embed(b, filo_sf_tuple(b, all, 3),
          &(Embed){ .delta = T(0, 1), .in = { V(9, 0.25f) }, .out = { V(3, 0.5f), V(0, 0), V(1, 1) } });
}

FILO_TEST(comparisons_and_logic) {
    FiloSfBuilder *b = embed_builder("fibb");
    FiloSf x = filo_sf_in(b, 0), n = filo_sf_in(b, 1), p = filo_sf_in(b, 2), q = filo_sf_in(b, 3);
    FiloSf two = filo_sf_constant(b, FILO_SF(float, 2)), zero = filo_sf_constant(b, FILO_SF(int32_t, 0));
    FiloSf first[] = { filo_sf_less(x, two), filo_sf_greater(x, two), filo_sf_equal(x, two),
                       filo_sf_less(n, zero) };
    FiloSf second[] = { filo_sf_greater(n, zero), filo_sf_and(p, q), filo_sf_or(p, q), filo_sf_not(p) };
    embed(b, filo_sf_pair(filo_sf_tuple(b, first, 4), filo_sf_tuple(b, second, 4)),
          &(Embed){ .delta = T(0, 1, 1, 1),
                    .in = { V(1, 2, 3, NO), V(-1, 0, 1, 2), V(0, 0, 1, 1), V(0, 1, 0, 1) },
                    .out = { V(1, 0, 0, 0), V(0, 0, 1, 0), V(0, 1, 0, 0), V(1, 0, 0, 0), V(0, 0, 1, 1),
                             V(0, 0, 0, 1), V(0, 1, 1, 1), V(1, 1, 0, 0) } });
}

FILO_TEST(equality_is_that_of_descriptions) {
    FiloSfBuilder *b = embed_builder("22");
    embed(b, filo_sf_equal(filo_sf_in(b, 0), filo_sf_in(b, 1)),
          &(Embed){ .delta = T(0, 1, 1),
                    .in = { V(1, 2, 0, NO, 1, 3), V(1, 2, -0.0f, NO, 1, 4) }, // −0 equals 0, NaN equals NaN
                    .out = { V(1, 1, 0) } });
}

FILO_TEST(select_takes_one_of_two_values_tuples_or_events) {
    FiloSfBuilder *b = embed_builder("bfF");
    FiloSf c = filo_sf_in(b, 0), x = filo_sf_in(b, 1), e = filo_sf_in(b, 2);
    FiloSf yes = filo_sf_pair(x, e), no = filo_sf_pair(filo_sf_negate(x), filo_sf_never(b, FILO_TYPE(float)));
    embed(b, filo_sf_select(c, yes, no),
          &(Embed){ .delta = T(0, 1, 1, 1),
                    .in = { V(1, 0, 1, 0), V(1, 2, 3, 4), E(7, 8, NO, 9) },
                    .out = { V(1, -2, 3, -4), E(7, NO, NO, NO) } });
}

FILO_TEST(fields_of_structs_and_of_the_values_of_events) {
    FiloSfBuilder *b = embed_builder("2fU");
    FiloSf body = filo_sf_arr2(filo_sf_in(b, 0), filo_sf_in(b, 1), &body_of);
    FiloSf made = filo_sf_tag(filo_sf_in(b, 2), body);
    FiloSf all[] = { filo_sf_field(body, "position"), filo_sf_field(filo_sf_field(body, "position"), "y"),
                     filo_sf_field(body, "kind"), filo_sf_field(made, "mass") };
    embed(b, filo_sf_tuple(b, all, 4),
          &(Embed){ .delta = T(0, 1),
                    .in = { V(1, 2, 3, 4), V(5, 6), U(NO, 1) },
                    .out = { V(1, 2, 3, 4), V(2, 4), V(6, 7), E(NO, 6) } });
}

// ---- Composition ------------------------------------------------------------------------------------------------

FILO_TEST(compose_applies_a_function_to_another_signal_than_the_input) {
    FiloSfBuilder *b = embed_builder("f");
    FiloSf x = filo_sf_input(b), square = filo_sf_mul(x, x),
           next = filo_sf_add(x, filo_sf_constant(b, FILO_SF(float, 1)));
    embed(b, filo_sf_pair(filo_sf_compose(next, square), filo_sf_compose(square, next)),
          &(Embed){ .delta = T(0, 1), .in = { V(2, 3) }, .out = { V(9, 16), V(5, 10) } });
}

FILO_TEST(inside_an_argument_the_input_may_have_another_type) {
    FiloSfBuilder *b = embed_builder("f2");
    FiloSf dot = filo_sf_dot(filo_sf_in(b, 0), filo_sf_in(b, 1)); // of a pair of vectors
    FiloSf v = filo_sf_in(b, 1), scaled = filo_sf_mul(v, filo_sf_in(b, 0));
    embed(b, filo_sf_compose(filo_sf_pair(v, scaled), dot),
          &(Embed){ .delta = T(0, 1), .in = { V(2, 3), V(1, 2, 0, 4) }, .out = { V(10, 48) } });
}

FILO_TEST(a_function_that_is_applied_to_two_signals_has_a_state_for_each) {
    FiloSfBuilder *b = embed_builder("ff");
    FiloSf sum = filo_sf_integral(filo_sf_input(b)); // of one float
    FiloSf x = filo_sf_in(b, 0), y = filo_sf_in(b, 1);
    FiloSf all[] = { filo_sf_compose(x, sum), filo_sf_compose(y, sum), filo_sf_compose(x, sum) };
    embed(b, filo_sf_tuple(b, all, 3),
          &(Embed){ .delta = T(0, 1, 2),
                    .in = { V(1, 2, 3), V(10, 20, 30) },
                    .out = { V(0, 1, 5), V(0, 10, 50), V(0, 1, 5) } });
}

FILO_TEST(first_second_and_parallel_apply_functions_to_the_halves_of_a_pair) {
    FiloSfBuilder *b = embed_builder("ff");
    FiloSf x = filo_sf_input(b), one = filo_sf_constant(b, FILO_SF(float, 1));
    FiloSf next = filo_sf_add(x, one), twice = filo_sf_scale(x, 2);
    FiloSf all[] = { filo_sf_first(x, next), filo_sf_second(x, twice), filo_sf_parallel(x, next, twice) };
    embed(b, filo_sf_tuple(b, all, 3),
          &(Embed){ .delta = T(0, 1),
                    .in = { V(1, 2), V(10, 20) },
                    .out = { V(2, 3), V(10, 20), V(1, 2), V(20, 40), V(2, 3), V(20, 40) } });
}

FILO_TEST(tuples_nest_and_their_leaves_are_in_order) {
    FiloSfBuilder *b = embed_builder("fb");
    FiloSf x = filo_sf_in(b, 0), c = filo_sf_in(b, 1);
    FiloSf inner = filo_sf_pair(c, filo_sf_event_when(c, x)), outer = filo_sf_pair(filo_sf_pair(x, inner), c);
    FiloSf again = filo_sf_get(filo_sf_get(filo_sf_get(outer, 0), 1), 1);
    embed(b, filo_sf_pair(outer, again),
          &(Embed){ .delta = T(0, 1),
                    .in = { V(5, 6), V(0, 1) },
                    .out = { V(5, 6), V(0, 1), E(NO, 6), V(0, 1), E(NO, 6) } });
}

FILO_TEST(a_whole_tuple_of_sixteen_leaves_is_allowed) {
    FiloSfBuilder *b = embed_builder("f");
    FiloSf x = filo_sf_input(b), all[16];
    for (int i = 0; i < 16; i++) all[i] = filo_sf_add(x, filo_sf_constant(b, FILO_SF(float, (float)i)));
    FiloNetwork *network;
    assert_ok(filo_network_create(&network, filo_sf_tuple(b, all, 16), NULL));
    filo_sf_builder_destroy(b);
    FiloSfLeaf leaves[16];
    assert_int_equal(filo_network_outputs(network, leaves, 16), 16);
    assert_int_equal(filo_network_outputs(network, NULL, 0), 16);
    float in = 2, out[16];
    FiloSfRows rows = { .count = 1,
                        .states = calloc(1, filo_network_state_size(network)),
                        .inputs = { &in } };
    for (int i = 0; i < 16; i++) rows.outputs[i] = &out[i];
    assert_ok(filo_network_step(network, &rows));
    for (int i = 0; i < 16; i++) assert_true(out[i] == 2 + (float)i);
    free(rows.states);
    filo_network_destroy(network);
}

FILO_TEST(a_pair_whose_half_is_not_used_costs_no_output) {
    FiloSfBuilder *b = embed_builder("f");
    FiloSf x = filo_sf_input(b);
    embed(b, filo_sf_get(filo_sf_pair(x, filo_sf_constant(b, FILO_SF(FiloVec4, 1, 2, 3, 4))), 0),
          &(Embed){ .delta = T(0), .in = { V(2) }, .out = { V(2) } });
}

FILO_TEST(inputs_may_be_missing_or_the_same_for_all_rows_and_outputs_not_wanted) {
    FiloSfBuilder *b = embed_builder("fFf");
    FiloSf all[] = { filo_sf_add(filo_sf_in(b, 0), filo_sf_in(b, 2)), filo_sf_in(b, 1), filo_sf_in(b, 2) };
    FiloNetwork *network;
    assert_ok(filo_network_create(&network, filo_sf_tuple(b, all, 3), NULL));
    filo_sf_builder_destroy(b);
    enum { ROWS = 100 };
    uint8_t *states = calloc(ROWS, filo_network_state_size(network)), present[ROWS];
    float same = 7, each[ROWS], out[ROWS];
    for (int i = 0; i < ROWS; i++) each[i] = (float)i;
    memset(present, 9, sizeof present);
    FiloSfRows rows = { .count = ROWS,
                        .states = states,
                        .inputs = { each, NULL, NULL, &same },
                        .same = { false, false, false, true },
                        .outputs = { out, present } };
    for (int step = 0; step < 3; step++) {
        assert_ok(filo_network_step(network, &rows));
        for (int i = 0; i < ROWS; i++) {
            assert_true(out[i] == (float)i + 7);
            assert_int_equal(present[i], 0); // no input: no event
        }
    }
    free(states);
    filo_network_destroy(network);
}
