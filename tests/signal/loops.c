// Loops and recursive signals.

#include "support/embed.h"

FILO_TEST(loop_pre_feeds_back_what_was_one_sample_ago) {
    // The sum of all inputs, and 10.
    FiloSfBuilder *b = embed_builder("f");
    FiloSf sum = filo_sf_add(filo_sf_in(b, 0), filo_sf_in(b, 1));
    embed(b, filo_sf_loop_pre(filo_sf_input(b), FILO_SF(float, 10), filo_sf_pair(sum, sum)),
          &(Embed){ .delta = T(0, 1, 1, 1), .in = { V(1, 2, 3, 4) }, .out = { V(11, 13, 16, 20) } });
}

FILO_TEST(loop_integral_feeds_back_the_integral) {
    // y' = 4 − y. y = 0, then 0 + 0.5·4, then 2 + 0.5·2, then 3 + 1·1.
    FiloSfBuilder *b = embed_builder("f");
    FiloSf y = filo_sf_in(b, 1), rate = filo_sf_sub(filo_sf_in(b, 0), y);
    embed(b, filo_sf_loop_integral(filo_sf_input(b), FILO_TYPE(float), filo_sf_pair(y, rate)),
          &(Embed){ .delta = T(9, 0.5f, 0.5f, 1), .in = { V(4, 4, 4, 4) }, .out = { V(0, 2, 3, 4) } });
}

FILO_TEST(loop_integral_of_a_vector) {
    // A rotation: (x, y)' = (−y, x) + input. (0,0); + (1,0); then (1,0) + (0,1).
    FiloSfBuilder *b = embed_builder("2");
    FiloSf y = filo_sf_in(b, 1);
    embed(b, filo_sf_loop_integral(filo_sf_input(b), FILO_TYPE(FiloVec2), filo_sf_pair(y, filo_sf_in(b, 0))),
          &(Embed){ .delta = T(0, 1, 1), .in = { V(1, 0, 0, 1, 0, 0) }, .out = { V(0, 0, 1, 0, 1, 1) } });
}

FILO_TEST(loop_is_valid_with_a_function_that_is_decoupled) {
    FiloSfBuilder *b = embed_builder("f");
    FiloSf sum = filo_sf_add(filo_sf_in(b, 0), filo_sf_in(b, 1));
    embed(b,
          filo_sf_loop(filo_sf_input(b), FILO_TYPE(float),
                       filo_sf_pair(sum, filo_sf_i_pre(sum, FILO_SF(float, 0)))),
          &(Embed){ .delta = T(0, 1, 1, 1), .in = { V(1, 2, 3, 4) }, .out = { V(1, 3, 6, 10) } });
}

FILO_TEST(each_decoupled_function_closes_a_loop) {
    // Each is applied to the sum of 1 and the feedback, and gives the feedback: the sum before, or with steps of 1 s the sum
    // of all sums before.
    for (int i = 0; i < 5; i++) {
        FiloSfBuilder *b = embed_builder("f");
        FiloSf sum = filo_sf_add(filo_sf_in(b, 0), filo_sf_in(b, 1)), back = sum;
        FiloSf always = filo_sf_event_when(filo_sf_constant(b, FILO_SF(bool, true)), sum);
        if (i == 0) back = filo_sf_integral(sum);
        if (i == 1) back = filo_sf_i_pre(sum, FILO_SF(float, 0));
        if (i == 2) back = filo_sf_fby(sum, FILO_SF(float, 0));
        if (i == 3) back = filo_sf_delay(sum, 1, FILO_SF(float, 0), 4);
        if (i == 4) back = filo_sf_d_hold(always, FILO_SF(float, 0));
        Track sums = V(1, 2, 4, 8), steps = V(1, 2, 3, 4);
        embed(b, filo_sf_loop(filo_sf_input(b), FILO_TYPE(float), filo_sf_pair(sum, back)),
              &(Embed){ .delta = T(0, 1, 1, 1), .in = { V(1, 1, 1, 1) }, .out = { i == 0 ? sums : steps } });
    }
}

FILO_SF_FUNCTION2(plus, float, float, a, float, b) { return a + b; }

FILO_TEST(accumulators_and_delayed_events_close_loops_too) {
    // d_accum_hold of the events (x + feedback): 0; 1; 1 + 2; 3 + 4. The event of a delay of 1 s: 1, 1 + 1, …
    for (int i = 0; i < 3; i++) {
        FiloSfBuilder *b = embed_builder("f");
        FiloSf x = filo_sf_input(b), back = filo_sf_rec(b, FILO_TYPE(float)), sum = filo_sf_add(x, back);
        FiloSf always = filo_sf_event_when(filo_sf_constant(b, FILO_SF(bool, true)), sum), closed;
        if (i == 0)
            closed = filo_sf_d_accum_hold(always, FILO_SF(float, 0), &plus);
        else if (i == 1)
            closed = filo_sf_d_accum_hold_by(always, FILO_SF(float, 0), &plus);
        else
            closed = filo_sf_from_event(filo_sf_delay_event(always, 1, 4), FILO_SF(float, 0));
        filo_sf_close(back, closed);
        Track sums = V(1, 2, 4, 8), steps = V(1, 2, 3, 4);
        embed(b, sum,
              &(Embed){ .delta = T(0, 1, 1, 1), .in = { V(1, 1, 1, 1) }, .out = { i < 2 ? sums : steps } });
    }
}

FILO_TEST(rec_is_used_before_it_is_defined) {
    // speed' = 8 − speed / 2: 0; 8; 8 + 8 − 4; 12 + (8 − 6)/2.
    FiloSfBuilder *b = embed_builder("");
    FiloSf speed = filo_sf_rec(b, FILO_TYPE(float)), drag = filo_sf_scale(speed, -0.5f);
    filo_sf_close(speed, filo_sf_integral(filo_sf_add(filo_sf_constant(b, FILO_SF(float, 8)), drag)));
    embed(b, filo_sf_pair(speed, drag),
          &(Embed){ .delta = T(0, 1, 1, 0.5f), .out = { V(0, 8, 12, 13), V(0, -4, -6, -6.5f) } });
}

FILO_TEST(two_signals_may_be_defined_by_each_other) {
    // a is b one sample ago plus 1, b is a plus x: a = 1, b = 1 + x.
    FiloSfBuilder *b = embed_builder("f");
    FiloSf p = filo_sf_rec(b, FILO_TYPE(float)), q = filo_sf_rec(b, FILO_TYPE(float));
    filo_sf_close(p,
                  filo_sf_add(filo_sf_i_pre(q, FILO_SF(float, 0)), filo_sf_constant(b, FILO_SF(float, 1))));
    filo_sf_close(q, filo_sf_add(p, filo_sf_input(b)));
    embed(b, filo_sf_pair(p, q),
          &(Embed){ .delta = T(0, 1, 1), .in = { V(10, 20, 30) }, .out = { V(1, 12, 33), V(11, 32, 63) } });
}

FILO_TEST(a_loop_inside_a_loop) {
    // Inner: running sum of its input. Outer: x plus the output one sample ago.
    FiloSfBuilder *b = embed_builder("f");
    FiloSf sum = filo_sf_add(filo_sf_in(b, 0), filo_sf_in(b, 1));
    FiloSf running = filo_sf_loop_pre(filo_sf_input(b), FILO_SF(float, 0), filo_sf_pair(sum, sum));
    FiloSf body = filo_sf_compose(sum, running);
    embed(b, filo_sf_loop_pre(filo_sf_input(b), FILO_SF(float, 0), filo_sf_pair(body, body)),
          // 1; 1 + (1 + 1) = 3; 3 + (1 + 3) = 7
          &(Embed){ .delta = T(0, 1, 1), .in = { V(1, 1, 1) }, .out = { V(1, 3, 7) } });
}

FILO_TEST(a_rec_inside_an_argument_belongs_to_the_argument) {
    FiloSfBuilder *b = embed_builder("ff");
    FiloSf total = filo_sf_rec(b, FILO_TYPE(float)), next = filo_sf_add(total, filo_sf_input(b));
    filo_sf_close(total, filo_sf_i_pre(next, FILO_SF(float, 0)));
    embed(b, filo_sf_pair(filo_sf_compose(filo_sf_in(b, 0), next), filo_sf_compose(filo_sf_in(b, 1), next)),
          &(Embed){ .delta = T(0, 1, 1),
                    .in = { V(1, 2, 3), V(10, 20, 30) },
                    .out = { V(1, 3, 6), V(10, 30, 60) } });
}

// ---- Loops through delayed switches -----------------------------------------------------------------------------

// Rises by 1 a second, and starts again one sample after it has reached 5, which is seen by way of the loop.
static FiloSf saw_tooth(FiloSfBuilder *b) {
    FiloSf fb = filo_sf_rec(b, FILO_TYPE(float)), ramp = filo_sf_integral(filo_sf_float(b, 1));
    FiloSfBranch again = filo_sf_branch(b, "again", NULL);
    filo_sf_define(again, ramp);
    FiloSf full = filo_sf_edge(filo_sf_not(filo_sf_less(fb, filo_sf_float(b, 5))));
    FiloSf saw = filo_sf_dr_switch(ramp, FILO_ON(full, again));
    filo_sf_close(fb, saw);
    return saw;
}

FILO_TEST(a_loop_leads_through_the_event_of_dr_switch) {
    FiloSfBuilder *b = embed_builder("");
    embed(b, saw_tooth(b),
          &(Embed){ .delta = T(0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0.5f, 0.5f),
                    .out = { V(0, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 1.5f, 2) } });
}

FILO_TEST(a_loop_leads_through_the_events_of_d_switch) {
    // Three ramps of 1 a second, then one of 0.1.
    FiloSfBuilder *b = embed_builder("");
    FiloSf fb = filo_sf_rec(b, FILO_TYPE(float)), one = filo_sf_integral(filo_sf_float(b, 1));
    FiloSf full = filo_sf_edge(filo_sf_not(filo_sf_less(fb, filo_sf_float(b, 5))));
    FiloSfBranch second = filo_sf_branch(b, "second", NULL), third = filo_sf_branch(b, "third", NULL),
                 last = filo_sf_branch(b, "last", NULL);
    filo_sf_define(second, filo_sf_d_switch(one, FILO_ON(full, third)));
    filo_sf_define(third, filo_sf_d_switch(one, FILO_ON(full, last)));
    filo_sf_define(last, filo_sf_integral(filo_sf_float(b, 0.25f)));
    FiloSf saw = filo_sf_d_switch(one, FILO_ON(full, second));
    filo_sf_close(fb, saw);
    embed(b, saw,
          &(Embed){ .delta = T(0, 1, 2, 2, 1, 2, 2, 1, 2, 2, 1, 1),
                    .out = { V(0, 1, 3, 5, 1, 3, 5, 1, 3, 5, 0.25f, 0.5f) } });
}

FILO_TEST(a_loop_through_switches_is_the_same_for_all_kinds_of_delay) {
    // The state of the branch depends on the loop too: it adds what is fed back, one sample later.
    for (int i = 0; i < 2; i++) {
        FiloSfBuilder *b = embed_builder("U");
        FiloSf fb = filo_sf_rec(b, FILO_TYPE(float));
        FiloSf grows = filo_sf_i_pre(filo_sf_add(fb, filo_sf_float(b, 1)), FILO_SF(float, 0));
        FiloSfBranch again = filo_sf_branch(b, "again", NULL);
        filo_sf_define(again, grows);
        FiloSf sf = i == 0 ? filo_sf_dr_switch(grows, FILO_ON(filo_sf_input(b), again))
                           : filo_sf_r_switch(grows, FILO_ON(filo_sf_input(b), again));
        filo_sf_close(fb, sf);
        embed(b, sf,
              &(Embed){ .delta = T(0, 1, 1, 1, 1, 1),
                        .in = { U(NO, NO, NO, 1, NO, NO) },
                        .out = { i == 0 ? (Track)V(0, 1, 2, 3, 4, 5) : (Track)V(0, 1, 2, 0, 1, 2) } });
    }
}

FILO_TEST(a_loop_through_a_switch_that_is_not_delayed_has_no_first_value) {
    FiloSfBuilder *b = embed_builder("");
    FiloSf fb = filo_sf_rec(b, FILO_TYPE(float)), ramp = filo_sf_integral(filo_sf_float(b, 1));
    FiloSfBranch again = filo_sf_branch(b, "again", NULL);
    filo_sf_define(again, ramp);
    FiloSf saw =
        filo_sf_r_switch(ramp, FILO_ON(filo_sf_edge(filo_sf_greater(fb, filo_sf_float(b, 5))), again));
    filo_sf_close(fb, saw);
    FiloNetwork *network;
    FiloResult r = filo_network_create(&network, saw, NULL);
    assert_int_equal(r.code, FILO_ERROR_DATA);
    assert_non_null(strstr(r.message, "a loop without delay: "));
    assert_null(network);
    filo_sf_builder_destroy(b);
}
