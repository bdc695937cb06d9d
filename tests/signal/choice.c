// Values that are one of two, and functions that are applied to one of them.

#include "support/embed.h"

FILO_TEST(either_has_the_left_or_the_right_value) {
    FiloSfBuilder *b = embed_builder("bfi");
    FiloSf e = filo_sf_either(filo_sf_in(b, 0), filo_sf_in(b, 1), filo_sf_in(b, 2));
    FiloSf all[] = { filo_sf_is_left(e), filo_sf_left_value(e, FILO_SF(float, -1)),
                     filo_sf_right_value(e, FILO_SF(int32_t, -2)) };
    embed(b, filo_sf_tuple(b, all, 3),
          &(Embed){ .delta = T(0, 1, 1),
                    .in = { V(1, 0, 1), V(1, 2, 3), V(10, 20, 30) },
                    .out = { V(1, 0, 1), V(1, -1, 3), V(-2, 20, -2) } });
}

FILO_TEST(left_stands_still_while_the_value_is_right) {
    // Left at samples 0 and 3. The integral makes one step, of the delta of sample 3 alone, with the input of sample 0.
    FiloSfBuilder *b = embed_builder("bff");
    FiloSf e = filo_sf_either(filo_sf_in(b, 0), filo_sf_in(b, 1), filo_sf_in(b, 2));
    FiloSf applied = filo_sf_left(e, filo_sf_integral(filo_sf_input(b)));
    FiloSf all[] = { filo_sf_is_left(applied), filo_sf_left_value(applied, FILO_SF(float, -1)),
                     filo_sf_right_value(applied, FILO_SF(float, -2)) };
    embed(b, filo_sf_tuple(b, all, 3),
          &(Embed){ .delta = T(0, 1, 1, 2, 1),
                    .in = { V(1, 0, 0, 1, 1), V(1, 2, 3, 4, 5), V(10, 20, 30, 40, 50) },
                    .out = { V(1, 0, 0, 1, 1), V(0, -1, -1, 2, 6), V(-2, 20, 30, -2, -2) } });
}

FILO_TEST(left_starts_when_the_value_is_left_for_the_first_time) {
    FiloSfBuilder *b = embed_builder("bf");
    FiloSf x = filo_sf_in(b, 1), e = filo_sf_either(filo_sf_in(b, 0), x, x);
    FiloSf inside = filo_sf_add(filo_sf_time(b), filo_sf_initially(filo_sf_input(b), FILO_SF(float, 100)));
    embed(b, filo_sf_left_value(filo_sf_left(e, inside), FILO_SF(float, -1)),
          &(Embed){ .delta = T(0, 1, 1, 0.5f),
                    .in = { V(0, 0, 1, 1), V(1, 2, 3, 4) },
                    .out = { V(-1, -1, 100, 4.5f) } });
}

FILO_TEST(right_is_applied_to_right_values) {
    FiloSfBuilder *b = embed_builder("bff");
    FiloSf e = filo_sf_either(filo_sf_in(b, 0), filo_sf_in(b, 1), filo_sf_in(b, 2));
    FiloSf applied = filo_sf_right(e, filo_sf_integral(filo_sf_input(b)));
    FiloSf all[] = { filo_sf_left_value(applied, FILO_SF(float, -1)),
                     filo_sf_right_value(applied, FILO_SF(float, -2)) };
    embed(b, filo_sf_tuple(b, all, 2),
          &(Embed){ .delta = T(0, 1, 2, 1),
                    .in = { V(1, 0, 1, 0), V(1, 2, 3, 4), V(10, 20, 30, 40) },
                    .out = { V(1, -1, 3, -1), V(-2, 0, -2, 20) } });
}

FILO_TEST(left_and_right_one_after_the_other_have_times_of_their_own) {
    FiloSfBuilder *b = embed_builder("b");
    FiloSf c = filo_sf_input(b), e = filo_sf_either(c, c, c);
    FiloSf both = filo_sf_right(filo_sf_left(e, filo_sf_time(b)), filo_sf_time(b));
    FiloSf all[] = { filo_sf_left_value(both, FILO_SF(float, -1)),
                     filo_sf_right_value(both, FILO_SF(float, -1)) };
    embed(b, filo_sf_tuple(b, all, 2),
          &(Embed){ .delta = T(0, 1, 2, 4, 8),
                    .in = { V(0, 1, 1, 0, 1) },
                    .out = { V(-1, 0, 2, -1, 10), V(0, -1, -1, 4, -1) } });
}

FILO_TEST(an_either_as_output_has_a_byte_and_both_values) {
    FiloSfBuilder *b = embed_builder("bfi");
    FiloNetwork *network;
    assert_ok(filo_network_create(
        &network, filo_sf_either(filo_sf_in(b, 0), filo_sf_in(b, 1), filo_sf_in(b, 2)), NULL));
    filo_sf_builder_destroy(b);
    FiloSfLeaf leaves[4];
    assert_int_equal(filo_network_outputs(network, leaves, 4), 3);
    assert_true(leaves[0].presence);
    assert_ptr_equal(leaves[1].type, FILO_TYPE(float));
    assert_ptr_equal(leaves[2].type, FILO_TYPE(int32_t));
    uint8_t left = 9;
    float x = 0;
    int32_t n = 0;
    FiloSfRows rows = { .count = 1,
                        .states = calloc(1, filo_network_state_size(network)),
                        .inputs = { &(bool){ true }, &(float){ 5 }, &(int32_t){ 6 } },
                        .outputs = { &left, &x, &n } };
    assert_ok(filo_network_step(network, &rows));
    assert_int_equal(left, 1);
    assert_true(x == 5);
    rows.inputs[0] = &(bool){ false };
    assert_ok(filo_network_step(network, &rows));
    assert_int_equal(left, 0);
    assert_int_equal(n, 6);
    free(rows.states);
    filo_network_destroy(network);
}
