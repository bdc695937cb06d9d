// Integrals, delays and initialisation: functions with a state, without events.

#include "support/embed.h"

FILO_SF_FUNCTION(tenfold, float, float, x) { return 10 * x; }
FILO_SF_FUNCTION2(decay, float, float, result, float, x) { return 0.5f * result + x; }
FILO_SF_FUNCTION2(count_true, int32_t, int32_t, count, bool, x) { return count + (x ? 1 : 0); }
FILO_SF_FUNCTION4(advance, float, float, before, float, now, float, delta, float, result) {
    return result + delta * (before + now);
}

FILO_TEST(integral_is_the_rectangle_rule_with_the_value_at_the_beginning) {
    // 0, then + 1·1, + 0.5·2, + 0·4, + 2·8. The first delta is ignored, the last input does not count yet.
    FiloSfBuilder *b = embed_builder("f");
    embed(
        b, filo_sf_integral(filo_sf_input(b)),
        &(Embed){ .delta = T(9, 1, 0.5f, 0, 2), .in = { V(1, 2, 4, 8, 16) }, .out = { V(0, 1, 2, 2, 18) } });
}

FILO_TEST(integral_of_vectors) {
    FiloSfBuilder *b = embed_builder("23");
    embed(b, filo_sf_pair(filo_sf_integral(filo_sf_in(b, 0)), filo_sf_integral(filo_sf_in(b, 1))),
          &(Embed){ .delta = T(0, 1, 2),
                    .in = { V(1, -1, 2, 3, 0, 0), V(1, 2, 3, 4, 5, 6, 0, 0, 0) },
                    .out = { V(0, 0, 1, -1, 5, 5), V(0, 0, 0, 1, 2, 3, 9, 12, 15) } });
}

FILO_TEST(trapezoid_integral_takes_the_mean_of_both_ends) {
    // + 1·(1+2)/2, + 0.5·(2+4)/2, + 2·(4+0)/2
    FiloSfBuilder *b = embed_builder("f");
    embed(b, filo_sf_trapezoid_integral(filo_sf_input(b)),
          &(Embed){ .delta = T(9, 1, 0.5f, 2), .in = { V(1, 2, 4, 0) }, .out = { V(0, 1.5f, 3, 7) } });
}

FILO_TEST(im_integral_takes_the_value_at_the_end_and_starts_with_a_value) {
    // 100, then + 1·2, + 0.5·4, + 2·8
    FiloSfBuilder *b = embed_builder("f");
    embed(b, filo_sf_im_integral(filo_sf_input(b), FILO_SF(float, 100)),
          &(Embed){ .delta = T(9, 1, 0.5f, 2), .in = { V(1, 2, 4, 8) }, .out = { V(100, 102, 104, 120) } });
}

FILO_TEST(impulse_integral_adds_the_values_of_events_at_once) {
    // The integral is 0, 1, 3, 3; the sum of events is 10 from time 0 on, and 15 from the third sample on.
    FiloSfBuilder *b = embed_builder("fF");
    embed(b, filo_sf_impulse_integral(filo_sf_in(b, 0), filo_sf_in(b, 1)),
          &(Embed){ .delta = T(9, 1, 1, 1),
                    .in = { V(1, 2, 0, 0), E(10, NO, 5, NO) },
                    .out = { V(10, 11, 18, 18) } });
}

FILO_TEST(derivative_is_the_difference_divided_by_the_delta) {
    FiloSfBuilder *b = embed_builder("f");
    embed(b, filo_sf_derivative(filo_sf_input(b)),
          &(Embed){
              .delta = T(9, 1, 0.5f, 0, 2), .in = { V(5, 7, 6, 100, 104) }, .out = { V(0, 2, -2, 0, 2) } });
}

FILO_TEST(derivative_of_a_vector) {
    FiloSfBuilder *b = embed_builder("2");
    embed(b, filo_sf_derivative(filo_sf_input(b)),
          &(Embed){ .delta = T(9, 0.5f), .in = { V(1, 2, 3, 1) }, .out = { V(0, 0, 4, -2) } });
}

FILO_TEST(i_pre_and_fby_give_the_value_one_sample_ago) {
    FiloSfBuilder *b = embed_builder("fi");
    FiloSf x = filo_sf_in(b, 0), n = filo_sf_in(b, 1);
    FiloSf all[] = { filo_sf_i_pre(x, FILO_SF(float, -1)), filo_sf_fby(x, FILO_SF(float, -2)),
                     filo_sf_i_pre(n, FILO_SF(int32_t, 9)),
                     filo_sf_i_pre(filo_sf_i_pre(x, FILO_SF(float, 7)), FILO_SF(float, 8)) };
    embed(b, filo_sf_tuple(b, all, 4),
          &(Embed){ .delta = T(0, 1, 0, 5),
                    .in = { V(1, 2, 3, 4), V(5, 6, 7, 8) },
                    .out = { V(-1, 1, 2, 3), V(-2, 1, 2, 3), V(9, 5, 6, 7), V(8, 7, 1, 2) } });
}

FILO_TEST(i_pre_of_an_event_is_the_event_one_sample_later) {
    FiloSfBuilder *b = embed_builder("FU");
    FiloSf e = filo_sf_in(b, 0), u = filo_sf_in(b, 1);
    FiloSf all[] = { filo_sf_i_pre(e, FILO_SF_NONE), filo_sf_i_pre(e, FILO_SF(float, 5)),
                     filo_sf_fby(u, FILO_SF_NONE) };
    embed(b, filo_sf_tuple(b, all, 3),
          &(Embed){ .delta = T(0, 1, 1, 1),
                    .in = { E(1, NO, 3, NO), U(NO, 1, 1, NO) },
                    .out = { E(NO, 1, NO, 3), E(5, 1, NO, 3), U(NO, NO, 1, 1) } });
}

FILO_TEST(pre_inside_initially_is_i_pre) {
    FiloSfBuilder *b = embed_builder("f");
    embed(b, filo_sf_initially(filo_sf_pre(filo_sf_input(b)), FILO_SF(float, 5)),
          &(Embed){ .delta = T(0, 1, 1), .in = { V(1, 2, 3) }, .out = { V(5, 1, 2) } });
}

FILO_TEST(delay_shows_what_was_there_some_seconds_ago) {
    // Samples are at 0, 1, 1.5, 2, 4, 4.5. One second before: 0, then the samples at 0, 0 (of 0.5), 1, 2 (of 3), 2 (of 3.5).
    FiloSfBuilder *b = embed_builder("f");
    embed(b, filo_sf_delay(filo_sf_input(b), 1, FILO_SF(float, -1), 8),
          &(Embed){ .delta = T(0, 1, 0.5f, 0.5f, 2, 0.5f),
                    .in = { V(1, 2, 3, 4, 5, 6) },
                    .out = { V(-1, 1, 1, 2, 4, 4) } });
}

FILO_TEST(delay_shows_the_initial_value_until_the_time_has_passed) {
    FiloSfBuilder *b = embed_builder("i");
    embed(b, filo_sf_delay(filo_sf_input(b), 2.5f, FILO_SF(int32_t, -1), 8),
          &(Embed){ .delta = T(0, 1, 1, 1, 1), .in = { V(1, 2, 3, 4, 5) }, .out = { V(-1, -1, -1, 1, 2) } });
}

FILO_TEST(delay_of_zero_seconds_is_the_identity) {
    FiloSfBuilder *b = embed_builder("f");
    embed(b, filo_sf_delay(filo_sf_input(b), 0, FILO_SF(float, -1), 8),
          &(Embed){ .delta = T(0, 1, 1), .in = { V(1, 2, 3) }, .out = { V(1, 2, 3) } });
}

FILO_TEST(delay_reports_that_it_is_full) {
    // Four samples within ten seconds do not fit into three.
    FiloSfBuilder *b = embed_builder("f");
    embed(b, filo_sf_delay(filo_sf_input(b), 10, FILO_SF(float, -1), 3),
          &(Embed){ .delta = T(0, 1, 1, 1),
                    .in = { V(1, 2, 3, 4) },
                    .out = { V(-1, -1, -1, -1) },
                    .code = FILO_ERROR_LIMIT });
}

FILO_TEST(initially_gives_the_output_or_the_input_at_time_zero) {
    // The output at time 0 is replaced, the integral underneath is not: 9 --> integral. With the input replaced, 100 is
    // integrated in the first second: 100 >-- integral.
    FiloSfBuilder *b = embed_builder("f");
    FiloSf x = filo_sf_input(b);
    embed(b,
          filo_sf_pair(filo_sf_initially(filo_sf_integral(x), FILO_SF(float, 9)),
                       filo_sf_integral(filo_sf_initially(x, FILO_SF(float, 100)))),
          &(Embed){ .delta = T(0, 1, 1), .in = { V(1, 2, 3) }, .out = { V(9, 1, 3), V(0, 100, 102) } });
}

FILO_TEST(initially_by_applies_a_function_at_time_zero) {
    FiloSfBuilder *b = embed_builder("f");
    FiloSf x = filo_sf_input(b);
    embed(
        b,
        filo_sf_pair(filo_sf_initially_by(x, &tenfold), filo_sf_integral(filo_sf_initially_by(x, &tenfold))),
        &(Embed){ .delta = T(0, 1, 1), .in = { V(1, 2, 3) }, .out = { V(10, 2, 3), V(0, 10, 12) } });
}

FILO_TEST(initially_of_an_event_suppresses_it_or_makes_one) {
    FiloSfBuilder *b = embed_builder("F");
    FiloSf e = filo_sf_input(b);
    embed(b, filo_sf_pair(filo_sf_initially(e, FILO_SF_NONE), filo_sf_initially(e, FILO_SF(float, 7))),
          &(Embed){ .delta = T(0, 1, 1), .in = { E(1, 2, NO) }, .out = { E(NO, 2, NO), E(7, 2, NO) } });
}

FILO_TEST(sscan_takes_the_input_at_time_zero_already) {
    // 0.5·8 + 1, 0.5·5 + 2, 0.5·4.5 + 4
    FiloSfBuilder *b = embed_builder("fb");
    embed(b,
          filo_sf_pair(filo_sf_sscan(filo_sf_in(b, 0), FILO_SF(float, 8), &decay),
                       filo_sf_sscan(filo_sf_in(b, 1), FILO_SF(int32_t, 10), &count_true)),
          &(Embed){ .delta = T(0, 1, 1),
                    .in = { V(1, 2, 4), V(1, 0, 1) },
                    .out = { V(5, 4.5f, 6.25f), V(11, 11, 12) } });
}

FILO_TEST(iter_from_gets_both_inputs_the_delta_and_the_result) {
    // 100; then 100 + 1·(1+2); then 103 + 0.5·(2+4); then 106 + 2·(4+0)
    FiloSfBuilder *b = embed_builder("f");
    embed(b, filo_sf_iter_from(filo_sf_input(b), FILO_SF(float, 100), &advance),
          &(Embed){ .delta = T(7, 1, 0.5f, 2), .in = { V(1, 2, 4, 0) }, .out = { V(100, 103, 106, 114) } });
}

// ---- Pause ------------------------------------------------------------------------------------------------------

FILO_TEST(a_paused_function_stands_still_and_its_last_output_is_shown) {
    // Samples at 0, 1, 2, 3, 4 seconds; paused at 2 and 3. The integral starts with 1, makes a step of 1 s with it, and then
    // at 4 s a step of the delta of that sample alone, with the input that it saw last, which is 2.
    FiloSfBuilder *b = embed_builder("bf");
    FiloSf sum = filo_sf_integral(filo_sf_input(b));
    embed(b, filo_sf_pause(filo_sf_in(b, 0), filo_sf_in(b, 1), FILO_SF(float, -1), sum),
          &(Embed){ .delta = T(0, 1, 1, 1, 1),
                    .in = { V(0, 0, 1, 1, 0), V(1, 2, 50, 60, 70) },
                    .out = { V(0, 1, 1, 1, 3) } });
}

FILO_TEST(a_function_that_is_paused_from_the_beginning_starts_later) {
    FiloSfBuilder *b = embed_builder("bf");
    FiloSf inside = filo_sf_add(filo_sf_time(b), filo_sf_i_pre(filo_sf_input(b), FILO_SF(float, 100)));
    embed(b, filo_sf_pause(filo_sf_in(b, 0), filo_sf_in(b, 1), FILO_SF(float, -1), inside),
          &(Embed){ .delta = T(0, 1, 2, 1, 1, 1),
                    .in = { V(1, 1, 0, 1, 1, 0), V(1, 2, 3, 4, 5, 6) },
                    .out = { V(-1, -1, 100, 100, 100, 4) } }); // time 0, then 1, and the input before is 3
}

FILO_TEST(a_pause_inside_a_pause_counts_its_own_time) {
    FiloSfBuilder *b = embed_builder("bb");
    FiloSf inner = filo_sf_pause(filo_sf_input(b), filo_sf_input(b), FILO_SF(float, -2), filo_sf_time(b));
    embed(b,
          filo_sf_pair(filo_sf_pause(filo_sf_in(b, 0), filo_sf_in(b, 1), FILO_SF(float, -1), inner),
                       filo_sf_time(b)),
          &(Embed){ .delta = T(0, 1, 1, 1, 1, 1),
                    .in = { V(1, 0, 0, 1, 0, 0), V(0, 1, 0, 0, 0, 0) },
                    .out = { V(-1, -2, 0, 0, 1, 2), V(0, 1, 2, 3, 4, 5) } });
}
