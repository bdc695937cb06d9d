// Switches: what is shown at the instant of the event, what starts, what goes on.

#include "support/embed.h"

// param + the integral of the first input.
static FiloSfBranch climbing(FiloSfBuilder *b, const char *name) {
    FiloSfBranch branch = filo_sf_branch(b, name, FILO_TYPE(float));
    filo_sf_define(branch, filo_sf_add(filo_sf_parameter(branch), filo_sf_integral(filo_sf_in(b, 0))));
    return branch;
}

FILO_TEST(switch_shows_the_branch_at_once_and_stays_in_it) {
    // The branch starts at the third sample: 10, then + 3, then + 4. The event of the last sample does not count.
    FiloSfBuilder *b = embed_builder("fF");
    FiloSf sf = filo_sf_switch(filo_sf_in(b, 0), FILO_ON(filo_sf_in(b, 1), climbing(b, "climb")));
    embed(b, sf,
          &(Embed){ .delta = T(0, 1, 1, 1, 1),
                    .in = { V(1, 2, 3, 4, 5), E(NO, NO, 10, NO, 20) },
                    .out = { V(1, 2, 10, 13, 17) } });
}

FILO_TEST(d_switch_shows_the_old_output_once_more) {
    // The branch starts at the same instant, so it is at 13 one sample later.
    FiloSfBuilder *b = embed_builder("fF");
    FiloSf sf = filo_sf_d_switch(filo_sf_in(b, 0), FILO_ON(filo_sf_in(b, 1), climbing(b, "climb")));
    embed(b, sf,
          &(Embed){ .delta = T(0, 1, 1, 1, 1),
                    .in = { V(1, 2, 3, 4, 5), E(NO, NO, 10, NO, 20) },
                    .out = { V(1, 2, 3, 13, 17) } });
}

FILO_TEST(an_event_at_time_zero_switches_at_time_zero) {
    FiloSfBuilder *b = embed_builder("fF");
    FiloSfBranch climb = climbing(b, "climb");
    FiloSf x = filo_sf_in(b, 0), e = filo_sf_in(b, 1);
    embed(b, filo_sf_pair(filo_sf_switch(x, FILO_ON(e, climb)), filo_sf_d_switch(x, FILO_ON(e, climb))),
          &(Embed){
              .delta = T(9, 1, 1), .in = { V(1, 2, 3), E(7, NO, NO) }, .out = { V(7, 8, 10), V(1, 8, 10) } });
}

FILO_TEST(the_first_of_several_events_in_the_list_counts) {
    FiloSfBuilder *b = embed_builder("fFF");
    FiloSfBranch low = climbing(b, "low"), high = filo_sf_branch(b, "high", FILO_TYPE(float));
    filo_sf_define(high, filo_sf_scale(filo_sf_parameter(high), 100));
    FiloSf sf =
        filo_sf_switch(filo_sf_in(b, 0), FILO_ON(filo_sf_in(b, 1), low), FILO_ON(filo_sf_in(b, 2), high));
    embed(b, sf,
          &(Embed){ .delta = T(0, 1, 1, 1),
                    .in = { V(1, 2, 3, 4), E(NO, 5, NO, NO), E(NO, 6, NO, NO) },
                    .out = { V(1, 5, 7, 10) } });
    b = embed_builder("fFF");
    low = climbing(b, "low");
    high = filo_sf_branch(b, "high", FILO_TYPE(float));
    filo_sf_define(high, filo_sf_scale(filo_sf_parameter(high), 100));
    sf = filo_sf_switch(filo_sf_in(b, 0), FILO_ON(filo_sf_in(b, 1), low), FILO_ON(filo_sf_in(b, 2), high));
    embed(b, sf,
          &(Embed){ .delta = T(0, 1, 1),
                    .in = { V(1, 2, 3), E(NO, NO, 5), E(NO, 6, NO) },
                    .out = { V(1, 600, 600) } });
}

FILO_TEST(a_branch_has_its_own_time_and_its_edges_are_silent_when_it_starts) {
    // The edge inside starts with an input that is true, so it occurs only after the input was false.
    FiloSfBuilder *b = embed_builder("bU");
    FiloSfBranch inside = filo_sf_branch(b, "inside", NULL);
    FiloSf edges = filo_sf_hold(filo_sf_count(filo_sf_edge(filo_sf_in(b, 0))), FILO_SF(int32_t, 0));
    filo_sf_define(inside, filo_sf_pair(filo_sf_time(b), edges));
    FiloSf outside = filo_sf_pair(filo_sf_time(b), filo_sf_constant(b, FILO_SF(int32_t, -1)));
    embed(b, filo_sf_switch(outside, FILO_ON(filo_sf_in(b, 1), inside)),
          &(Embed){ .delta = T(0, 1, 2, 3, 4),
                    .in = { V(0, 0, 1, 0, 1), U(NO, NO, 1, NO, NO) },
                    .out = { V(0, 1, 0, 3, 7), V(-1, -1, 0, 0, 1) } });
}

FILO_TEST(branches_in_a_circle_are_a_state_machine) {
    // up counts from its parameter; above 2 it leads to down, which leads back below 0 with 0. Both show their time.
    FiloSfBuilder *b = embed_builder("");
    FiloSfBranch up = filo_sf_branch(b, "up", FILO_TYPE(float)),
                 down = filo_sf_branch(b, "down", FILO_TYPE(float));
    FiloSf x = filo_sf_add(filo_sf_parameter(up), filo_sf_time(b));
    FiloSf y = filo_sf_sub(filo_sf_parameter(down), filo_sf_scale(filo_sf_time(b), 2));
    FiloSf high = filo_sf_edge(filo_sf_greater(x, filo_sf_constant(b, FILO_SF(float, 2))));
    FiloSf low = filo_sf_edge(filo_sf_less(y, filo_sf_constant(b, FILO_SF(float, 0))));
    filo_sf_define(up, filo_sf_switch(x, FILO_ON(filo_sf_tag(high, x), down)));
    filo_sf_define(down, filo_sf_switch(y, FILO_ON(filo_sf_tag(low, y), up)));
    embed(b, filo_sf_start(up, FILO_SF(float, 0)),
          // 0 1 2 3 (down from 3) 1 -1 (up from −1) 0 1 2 3
          &(Embed){ .delta = T(0, 1, 1, 1, 1, 1, 1, 1, 1, 1), .out = { V(0, 1, 2, 3, 1, -1, 0, 1, 2, 3) } });
}

FILO_TEST(switches_are_followed_at_one_instant) {
    // a leads to b at its time 0, b leads to c at its time 0.
    FiloSfBuilder *b = embed_builder("F");
    FiloSfBranch p = filo_sf_branch(b, "p", FILO_TYPE(float)), q = filo_sf_branch(b, "q", FILO_TYPE(float)),
                 r = filo_sf_branch(b, "r", FILO_TYPE(float));
    FiloSf one = filo_sf_constant(b, FILO_SF(float, 1)), start = filo_sf_now(b, FILO_SF_NONE);
    filo_sf_define(p, filo_sf_switch(filo_sf_constant(b, FILO_SF(float, -1)),
                                     FILO_ON(filo_sf_tag(start, filo_sf_add(filo_sf_parameter(p), one)), q)));
    filo_sf_define(q,
                   filo_sf_d_switch(filo_sf_constant(b, FILO_SF(float, -2)),
                                    FILO_ON(filo_sf_tag(start, filo_sf_add(filo_sf_parameter(q), one)), r)));
    filo_sf_define(r, filo_sf_add(filo_sf_parameter(r), filo_sf_time(b)));
    embed(b, filo_sf_switch(filo_sf_constant(b, FILO_SF(float, 0)), FILO_ON(filo_sf_input(b), p)),
          // q is delayed: it is shown once, while r starts underneath.
          &(Embed){ .delta = T(0, 1, 1, 1), .in = { E(NO, 5, NO, NO) }, .out = { V(0, -2, 8, 9) } });
}

FILO_TEST(a_branch_without_parameter_takes_any_event) {
    FiloSfBuilder *b = embed_builder("UV");
    FiloSfBranch one = filo_sf_branch(b, "one", NULL), two = filo_sf_branch(b, "two", NULL);
    filo_sf_define(two, filo_sf_constant(b, FILO_SF(int32_t, 2)));
    filo_sf_define(one,
                   filo_sf_switch(filo_sf_constant(b, FILO_SF(int32_t, 1)), FILO_ON(filo_sf_in(b, 1), two)));
    embed(b, filo_sf_switch(filo_sf_constant(b, FILO_SF(int32_t, 0)), FILO_ON(filo_sf_in(b, 0), one)),
          &(Embed){ .delta = T(0, 1, 1, 1),
                    .in = { U(NO, 1, NO, NO), E(NO, NO, NO, NO, NO, NO, 5, 6) },
                    .out = { V(0, 1, 1, 2) } });
}

FILO_TEST(what_is_also_used_outside_of_a_switch_goes_on_there) {
    FiloSfBuilder *b = embed_builder("fF");
    FiloSf sum = filo_sf_integral(filo_sf_in(b, 0));
    FiloSf sf = filo_sf_switch(sum, FILO_ON(filo_sf_in(b, 1), climbing(b, "climb")));
    embed(b, filo_sf_pair(sf, sum),
          &(Embed){ .delta = T(0, 1, 1, 1),
                    .in = { V(1, 2, 3, 4), E(NO, 100, NO, NO) },
                    .out = { V(0, 100, 102, 105), V(0, 1, 3, 6) } });
}

FILO_TEST(a_switch_of_events_and_of_tuples) {
    FiloSfBuilder *b = embed_builder("FU");
    FiloSfBranch late = filo_sf_branch(b, "late", NULL);
    FiloSf e = filo_sf_in(b, 0), time = filo_sf_time(b);
    filo_sf_define(late, filo_sf_pair(filo_sf_never(b, FILO_TYPE(float)), filo_sf_scale(time, -1)));
    embed(b, filo_sf_switch(filo_sf_pair(e, time), FILO_ON(filo_sf_in(b, 1), late)),
          &(Embed){ .delta = T(0, 1, 1, 1),
                    .in = { E(1, NO, 3, 4), U(NO, NO, 1, NO) },
                    .out = { E(1, NO, NO, NO), V(0, 1, -0.0f, -1) } });
}

FILO_TEST(a_switch_inside_a_branch_inside_an_argument) {
    // The argument sees x² as its input; its switch leads to a branch with that input.
    FiloSfBuilder *b = embed_builder("f");
    FiloSf x = filo_sf_input(b);
    FiloSfBranch high = filo_sf_branch(b, "high", FILO_TYPE(float));
    filo_sf_define(high, filo_sf_sub(filo_sf_input(b), filo_sf_parameter(high)));
    FiloSf above = filo_sf_edge(filo_sf_greater(x, filo_sf_constant(b, FILO_SF(float, 5))));
    FiloSf f = filo_sf_switch(x, FILO_ON(filo_sf_tag(above, x), high));
    embed(b, filo_sf_compose(filo_sf_mul(x, x), f),
          &(Embed){ .delta = T(0, 1, 1, 1), .in = { V(1, 2, 3, 4) }, .out = { V(1, 4, 0, 7) } });
}

// ---- Recurring --------------------------------------------------------------------------------------------------

FILO_TEST(r_switch_replaces_what_runs_at_each_event) {
    FiloSfBuilder *b = embed_builder("fF");
    FiloSfBranch from = filo_sf_branch(b, "from", FILO_TYPE(float));
    filo_sf_define(from, filo_sf_add(filo_sf_parameter(from), filo_sf_time(b)));
    FiloSf x = filo_sf_in(b, 0), e = filo_sf_in(b, 1);
    embed(b, filo_sf_pair(filo_sf_r_switch(x, FILO_ON(e, from)), filo_sf_dr_switch(x, FILO_ON(e, from))),
          &(Embed){ .delta = T(0, 1, 1, 1, 1),
                    .in = { V(1, 2, 3, 4, 5), E(NO, 10, NO, 20, 30) },
                    // Delayed: the old output is shown at each event, and the new one has already started.
                    .out = { V(1, 10, 11, 20, 30), V(1, 2, 11, 12, 21) } });
}

FILO_TEST(r_switch_at_time_zero_replaces_at_once) {
    FiloSfBuilder *b = embed_builder("fF");
    FiloSfBranch climb = climbing(b, "climb");
    FiloSf x = filo_sf_in(b, 0), e = filo_sf_in(b, 1);
    embed(b, filo_sf_pair(filo_sf_r_switch(x, FILO_ON(e, climb)), filo_sf_dr_switch(x, FILO_ON(e, climb))),
          &(Embed){
              .delta = T(9, 1, 1), .in = { V(1, 2, 3), E(5, NO, 7) }, .out = { V(5, 6, 7), V(1, 6, 8) } });
}

FILO_TEST(the_events_of_r_switch_go_on_from_outside) {
    // The event is an integral of time that is never started again: each second.
    FiloSfBuilder *b = embed_builder("");
    FiloSfBranch from = filo_sf_branch(b, "from", FILO_TYPE(int32_t));
    filo_sf_define(from, filo_sf_parameter(from));
    FiloSf count = filo_sf_count(filo_sf_repeatedly(b, 2, FILO_SF_NONE));
    embed(b, filo_sf_r_switch(filo_sf_constant(b, FILO_SF(int32_t, 0)), FILO_ON(count, from)),
          &(Embed){ .delta = T(0, 1, 1, 1, 1, 1, 1), .out = { V(0, 0, 1, 1, 2, 2, 3) } });
}

FILO_TEST(r_switch_leads_out_of_branches_that_have_switched_on) {
    FiloSfBuilder *b = embed_builder("FU");
    FiloSfBranch first = filo_sf_branch(b, "first", FILO_TYPE(float)),
                 second = filo_sf_branch(b, "second", NULL);
    filo_sf_define(first, filo_sf_switch(filo_sf_parameter(first), FILO_ON(filo_sf_in(b, 1), second)));
    filo_sf_define(second, filo_sf_constant(b, FILO_SF(float, -5)));
    embed(b, filo_sf_r_switch(filo_sf_constant(b, FILO_SF(float, 0)), FILO_ON(filo_sf_in(b, 0), first)),
          &(Embed){ .delta = T(0, 1, 1, 1, 1),
                    .in = { E(NO, 1, NO, NO, 2), U(NO, NO, 1, NO, NO) },
                    .out = { V(0, 1, -5, -5, 2) } });
}

// ---- With continuation ------------------------------------------------------------------------------------------

typedef struct Pausing {
    FiloSfBranch paused, run;
} Pausing;

// paused shows −1 until the third input occurs, and then runs what it has taken over.
static Pausing pausing(FiloSfBuilder *b, bool again) {
    Pausing p = { filo_sf_branch(b, "paused", NULL), filo_sf_branch(b, "run", NULL) };
    FiloSf shown = filo_sf_constant(b, FILO_SF(float, -1));
    filo_sf_define(p.paused,
                   filo_sf_switch(shown, FILO_ON_WITH(filo_sf_in(b, 2), p.run, filo_sf_old(p.paused))));
    FiloSf old = filo_sf_old(p.run);
    filo_sf_define(p.run,
                   again ? filo_sf_k_switch(old, FILO_ON(filo_sf_not_yet(filo_sf_in(b, 1)), p.paused)) : old);
    return p;
}

FILO_TEST(k_switch_freezes_the_output_before_the_instant_and_resumes_it) {
    // The integral is 1 with an input of 2 before the third sample, and still has to make its step of 1 s. It makes it when
    // it is resumed at the fifth sample: 1 + 1·2, and sees the input 5. Then 3 + 1·5.
    FiloSfBuilder *b = embed_builder("fUU");
    FiloSf sum = filo_sf_integral(filo_sf_in(b, 0));
    embed(b, filo_sf_k_switch(sum, FILO_ON(filo_sf_in(b, 1), pausing(b, false).paused)),
          &(Embed){ .delta = T(0, 1, 1, 1, 1, 1),
                    .in = { V(1, 2, 3, 4, 5, 6), U(NO, NO, 1, NO, NO, NO), U(NO, NO, NO, NO, 1, NO) },
                    .out = { V(0, 1, -1, -1, 3, 8) } });
}

FILO_TEST(dk_switch_shows_the_old_output_once_more) {
    FiloSfBuilder *b = embed_builder("fUU");
    FiloSf sum = filo_sf_integral(filo_sf_in(b, 0));
    embed(b, filo_sf_dk_switch(sum, FILO_ON(filo_sf_in(b, 1), pausing(b, false).paused)),
          &(Embed){ .delta = T(0, 1, 1, 1, 1, 1),
                    .in = { V(1, 2, 3, 4, 5, 6), U(NO, NO, 1, NO, NO, NO), U(NO, NO, NO, NO, 1, NO) },
                    .out = { V(0, 1, 3, -1, 3, 8) } });
}

FILO_TEST(the_pending_step_has_the_delta_of_the_instant_of_the_switch) {
    // The step that is pending is of 4 s, though the function is resumed with a delta of 1 s: 1 + 4·2.
    FiloSfBuilder *b = embed_builder("fUU");
    FiloSf sum = filo_sf_integral(filo_sf_in(b, 0));
    embed(b, filo_sf_k_switch(sum, FILO_ON(filo_sf_in(b, 1), pausing(b, false).paused)),
          &(Embed){ .delta = T(0, 1, 4, 1, 2),
                    .in = { V(1, 2, 3, 4, 5), U(NO, NO, 1, NO, NO), U(NO, NO, NO, 1, NO) },
                    .out = { V(0, 1, -1, 9, 17) } });
}

FILO_TEST(k_switch_at_time_zero_hands_over_a_function_that_has_not_started) {
    FiloSfBuilder *b = embed_builder("fUU");
    FiloSf sum = filo_sf_add(filo_sf_time(b), filo_sf_integral(filo_sf_in(b, 0)));
    embed(b, filo_sf_k_switch(sum, FILO_ON(filo_sf_in(b, 1), pausing(b, false).paused)),
          &(Embed){ .delta = T(9, 1, 1, 1),
                    .in = { V(1, 2, 3, 4), U(1, NO, NO, NO), U(NO, NO, 1, NO) },
                    .out = { V(-1, -1, 0, 4) } });
}

FILO_TEST(a_function_that_is_run_on_at_once_goes_on_as_if_nothing_had_happened) {
    FiloSfBuilder *b = embed_builder("fU");
    FiloSf sum =
        filo_sf_add(filo_sf_integral(filo_sf_in(b, 0)), filo_sf_i_pre(filo_sf_in(b, 0), FILO_SF(float, 100)));
    FiloSfBranch on = filo_sf_branch(b, "on", NULL), tenfold = filo_sf_branch(b, "tenfold", NULL);
    filo_sf_define(on, filo_sf_old(on));
    filo_sf_define(tenfold, filo_sf_scale(filo_sf_old(tenfold), 10));
    FiloSf e = filo_sf_in(b, 1);
    FiloSf all[] = { sum, filo_sf_k_switch(sum, FILO_ON(e, on)), filo_sf_dk_switch(sum, FILO_ON(e, on)),
                     filo_sf_k_switch(sum, FILO_ON(e, tenfold)),
                     filo_sf_dk_switch(sum, FILO_ON(e, tenfold)) };
    embed(b, filo_sf_tuple(b, all, 5),
          &(Embed){ .delta = T(0, 1, 1, 2),
                    .in = { V(1, 2, 3, 4), U(NO, NO, 1, NO) },
                    .out = { V(100, 2, 5, 12), V(100, 2, 5, 12), V(100, 2, 5, 12), V(100, 2, 50, 120),
                             V(100, 2, 5, 120) } });
}

FILO_TEST(a_function_is_paused_and_resumed_again_and_again) {
    // Time runs at samples 0 and 1, then the step of sample 2 is pending, is made at 4, and so on.
    FiloSfBuilder *b = embed_builder("fUU");
    FiloSf sf = filo_sf_k_switch(filo_sf_time(b), FILO_ON(filo_sf_in(b, 1), pausing(b, true).paused));
    embed(b, sf,
          &(Embed){ .delta = T(0, 1, 1, 1, 1, 1, 1, 1),
                    .in = { V(0, 0, 0, 0, 0, 0, 0, 0), U(NO, NO, 1, NO, NO, 1, NO, NO),
                            U(NO, NO, NO, NO, 1, NO, NO, 1) },
                    .out = { V(0, 1, -1, -1, 2, -1, -1, 3) } });
}

FILO_TEST(a_branch_may_start_with_a_function_in_place_of_the_old_one) {
    FiloSfBuilder *b = embed_builder("fUU");
    Pausing p = pausing(b, false);
    embed(b, filo_sf_start_with(p.paused, FILO_SF_NONE, filo_sf_integral(filo_sf_in(b, 0))),
          &(Embed){ .delta = T(0, 1, 1, 1),
                    .in = { V(1, 2, 3, 4), U(NO, NO, NO, NO), U(NO, 1, NO, NO) },
                    .out = { V(-1, 0, 2, 5) } });
}

FILO_TEST(the_events_of_k_switch_may_depend_on_the_output) {
    FiloSfBuilder *b = embed_builder("f");
    FiloSf sum = filo_sf_integral(filo_sf_in(b, 0));
    FiloSf above = filo_sf_edge(filo_sf_greater(sum, filo_sf_constant(b, FILO_SF(float, 2))));
    FiloSfBranch back = filo_sf_branch(b, "back", FILO_TYPE(float));
    filo_sf_define(back, filo_sf_sub(filo_sf_old(back), filo_sf_parameter(back)));
    embed(b, filo_sf_k_switch(sum, FILO_ON(filo_sf_tag(above, sum), back)),
          &(Embed){ .delta = T(0, 1, 1, 1), .in = { V(1, 2, 3, 4) }, .out = { V(0, 1, 0, 3) } });
}

FILO_TEST(a_frozen_switch_resumes_in_the_branch_that_it_was_in) {
    FiloSfBuilder *b = embed_builder("fUU");
    FiloSfBranch second = filo_sf_branch(b, "second", NULL);
    filo_sf_define(second, filo_sf_add(filo_sf_constant(b, FILO_SF(float, 100)), filo_sf_time(b)));
    FiloSf inner = filo_sf_switch(filo_sf_time(b), FILO_ON(filo_sf_after(b, 1, FILO_SF_NONE), second));
    embed(b, filo_sf_k_switch(inner, FILO_ON(filo_sf_in(b, 1), pausing(b, false).paused)),
          &(Embed){ .delta = T(0, 1, 1, 1, 1, 1),
                    .in = { V(0, 0, 0, 0, 0, 0), U(NO, NO, NO, 1, NO, NO), U(NO, NO, NO, NO, 1, NO) },
                    .out = { V(0, 100, 101, -1, 102, 103) } });
}

FILO_TEST(a_frozen_function_keeps_the_parameters_of_all_branches_around_it) {
    // outer gets 2 and inner gets 3: the integral of 32, which goes on when it is handed over.
    FiloSfBuilder *b = embed_builder("FFU");
    FiloSfBranch outer = filo_sf_branch(b, "outer", FILO_TYPE(float)),
                 inner = filo_sf_branch(b, "inner", FILO_TYPE(float)), kept = filo_sf_branch(b, "kept", NULL);
    FiloSf rate = filo_sf_add(filo_sf_parameter(outer), filo_sf_scale(filo_sf_parameter(inner), 10));
    filo_sf_define(kept, filo_sf_old(kept));
    filo_sf_define(inner, filo_sf_k_switch(filo_sf_integral(rate), FILO_ON(filo_sf_in(b, 2), kept)));
    FiloSf waiting =
        filo_sf_switch(filo_sf_constant(b, FILO_SF(float, -2)), FILO_ON(filo_sf_in(b, 1), inner));
    filo_sf_define(outer, filo_sf_scale(waiting, 1));
    embed(b, filo_sf_switch(filo_sf_constant(b, FILO_SF(float, -1)), FILO_ON(filo_sf_in(b, 0), outer)),
          &(Embed){ .delta = T(0, 1, 1, 1, 1, 1),
                    .in = { E(NO, 2, NO, NO, NO, NO), E(NO, NO, 3, NO, NO, NO), U(NO, NO, NO, NO, 1, NO) },
                    .out = { V(-1, -2, 0, 32, 64, 96) } });
}

// ---- Conditions -------------------------------------------------------------------------------------------------

FILO_TEST(provided_starts_each_side_anew_when_its_turn_comes) {
    FiloSfBuilder *b = embed_builder("b");
    FiloSf time = filo_sf_time(b);
    embed(
        b,
        filo_sf_provided(filo_sf_input(b), time, filo_sf_add(time, filo_sf_constant(b, FILO_SF(float, 100)))),
        &(Embed){ .delta = T(0, 1, 1, 1, 1, 1),
                  .in = { V(1, 1, 0, 0, 1, 0) },
                  .out = { V(0, 1, 100, 101, 0, 100) } });
}

FILO_TEST(provided_may_begin_with_either_side) {
    FiloSfBuilder *b = embed_builder("bf");
    FiloSf x = filo_sf_in(b, 1);
    embed(b, filo_sf_provided(filo_sf_in(b, 0), filo_sf_integral(x), filo_sf_negate(filo_sf_integral(x))),
          &(Embed){ .delta = T(0, 1, 1, 1),
                    .in = { V(0, 0, 1, 1), V(1, 2, 3, 4) },
                    .out = { V(-0.0f, -1, 0, 3) } });
}

FILO_TEST(the_name_of_the_branch_that_an_object_is_in) {
    FiloSfBuilder *b = embed_builder("fF");
    FiloSfBranch climb = climbing(b, "climb"), rest = filo_sf_branch(b, "rest", NULL);
    filo_sf_define(rest, filo_sf_switch(filo_sf_in(b, 0), FILO_ON(filo_sf_in(b, 1), climb)));
    FiloNetwork *network;
    assert_ok(filo_network_create(&network, filo_sf_start(rest, FILO_SF_NONE), NULL));
    filo_sf_builder_destroy(b);
    void *object = calloc(1, filo_network_state_size(network));
    assert_string_equal(filo_network_branch(network, object), "");
    FiloSfRows rows = { .count = 1, .states = object, .delta = 1 };
    assert_ok(filo_network_step(network, &rows));
    assert_string_equal(filo_network_branch(network, object), "rest");
    rows.inputs[1] = &(uint8_t){ 1 };
    assert_ok(filo_network_step(network, &rows));
    assert_string_equal(filo_network_branch(network, object), "climb");
    free(object);
    filo_network_destroy(network);
}

// ---- Several frozen functions -----------------------------------------------------------------------------------

FILO_TEST(a_branch_stores_a_function_while_it_runs_another_and_hands_both_over) {
    // first runs until 0.5; second runs 10 + another clock, and has the first one; third runs the first one on, and has the
    // second; fourth runs the second one on. The events depend on what is shown, by a loop, so they count one sample later.
    FiloSfBuilder *b = embed_builder("");
    FiloSf fb = filo_sf_rec(b, FILO_TYPE(float)), clock = filo_sf_integral(filo_sf_float(b, 1));
    FiloSfBranch second = filo_sf_branch(b, "second", FILO_TYPE(float)),
                 third = filo_sf_branch(b, "third", FILO_TYPE(float)),
                 fourth = filo_sf_branch(b, "fourth", FILO_TYPE(float));
    FiloSf until2 = filo_sf_edge(filo_sf_greater(fb, filo_sf_float(b, 1.5f)));
    FiloSf until12 = filo_sf_edge(filo_sf_greater(fb, filo_sf_float(b, 11.5f)));
    FiloSf until4 = filo_sf_edge(filo_sf_greater(fb, filo_sf_float(b, 3.5f)));
    FiloSf shifted = filo_sf_add(clock, filo_sf_parameter(second));
    filo_sf_define(second,
                   filo_sf_dk_switch(shifted, FILO_ON_WITH(filo_sf_tag(until12, filo_sf_float(b, 100)), third,
                                                           filo_sf_old(second))));
    FiloSf sum = filo_sf_tag(until4, filo_sf_add(filo_sf_parameter(third), filo_sf_float(b, 1000)));
    filo_sf_define(
        third, filo_sf_dk_switch(filo_sf_old_nth(third, 1), FILO_ON_WITH(sum, fourth, filo_sf_old(third))));
    filo_sf_define(fourth, filo_sf_add(filo_sf_old_nth(fourth, 1), filo_sf_parameter(fourth)));
    FiloSf sf = filo_sf_dk_switch(clock, FILO_ON(filo_sf_tag(until2, filo_sf_float(b, 10)), second));
    filo_sf_close(fb, sf);
    embed(b, sf,
          &(Embed){ .delta = T(0, 1, 1, 1, 1, 1, 1, 1, 1), .out = { V(0, 1, 2, 11, 12, 3, 4, 1113, 1114) } });
}

FILO_TEST(a_function_that_is_handed_over_twice_goes_on_twice) {
    // Both copies are at 1 when the branch starts; one of them runs at once, the other one later.
    FiloSfBuilder *b = embed_builder("UU");
    FiloSf clock = filo_sf_integral(filo_sf_float(b, 1));
    FiloSfBranch kept = filo_sf_branch(b, "kept", NULL), runs = filo_sf_branch(b, "runs", NULL),
                 other = filo_sf_branch(b, "other", NULL);
    filo_sf_define(
        kept, filo_sf_switch(filo_sf_float(b, -1),
                             FILO_ON_WITH(filo_sf_in(b, 1), runs, filo_sf_old(kept), filo_sf_old(kept))));
    filo_sf_define(runs, filo_sf_switch(filo_sf_old(runs), FILO_ON_WITH(filo_sf_not_yet(filo_sf_in(b, 1)),
                                                                        other, filo_sf_old_nth(runs, 1))));
    filo_sf_define(other, filo_sf_old(other));
    embed(b, filo_sf_k_switch(clock, FILO_ON(filo_sf_in(b, 0), kept)),
          &(Embed){ .delta = T(0, 1, 1, 1, 1, 1, 1),
                    .in = { U(NO, NO, 1, NO, NO, NO, NO), U(NO, NO, NO, 1, NO, 1, NO) },
                    .out = { V(0, 1, -1, 2, 3, 2, 3) } });
}
