// Sources of events, and functions that change events.

#include "support/embed.h"

FILO_SF_FUNCTION2(minus, float, float, a, float, b) { return a - b; }
FILO_SF_FUNCTION2(times, float, float, a, float, b) { return a * b; }
FILO_SF_PREDICATE(is_high, float, x) { return x > 2; }
FILO_SF_MAYBE(high_half, float, float, x, half) {
    *half = x / 2;
    return x > 2;
}
FILO_SF_MAYBE2(rise, float, float, before, float, now, by) {
    *by = now - before;
    return now > before;
}
FILO_SF_FUNCTION2(add, float, float, a, float, b) { return a + b; }

// ---- Sources ----------------------------------------------------------------------------------------------------

FILO_TEST(never_and_now) {
    FiloSfBuilder *b = embed_builder("");
    FiloSf all[] = { filo_sf_never(b, FILO_TYPE(float)), filo_sf_never(b, NULL),
                     filo_sf_now(b, FILO_SF(float, 5)), filo_sf_now(b, FILO_SF_NONE) };
    embed(
        b, filo_sf_tuple(b, all, 4),
        &(Embed){ .delta = T(0, 1, 1), .out = { E(NO, NO, NO), U(NO, NO, NO), E(5, NO, NO), U(1, NO, NO) } });
}

FILO_TEST(after_occurs_once_at_the_first_instant_at_or_after_its_time) {
    // Instants: 0, 1, 2, 2.5, 5.
    FiloSfBuilder *b = embed_builder("");
    FiloSf all[] = { filo_sf_after(b, 2, FILO_SF(float, 5)), filo_sf_after(b, 2.25f, FILO_SF_NONE),
                     filo_sf_after(b, 0, FILO_SF(float, 6)), filo_sf_after(b, 3, FILO_SF(float, 7)) };
    embed(b, filo_sf_tuple(b, all, 4),
          &(Embed){ .delta = T(9, 1, 1, 0.5f, 2.5f),
                    .out = { E(NO, NO, 5, NO, NO), U(NO, NO, NO, 1, NO), E(6, NO, NO, NO, NO),
                             E(NO, NO, NO, NO, 7) } });
}

FILO_TEST(repeatedly_occurs_at_most_once_at_an_instant_and_keeps_its_rhythm) {
    // Instants: 0, 0.5, 1, 3.5, 4, 4.5. At 3.5 the ones of 2 and 3 are due: one event. The next one is due at 4.
    FiloSfBuilder *b = embed_builder("");
    embed(b, filo_sf_repeatedly(b, 1, FILO_SF(float, 5)),
          &(Embed){ .delta = T(9, 0.5f, 0.5f, 2.5f, 0.5f, 0.5f), .out = { E(NO, NO, 5, 5, 5, NO) } });
}

FILO_TEST(after_each_gives_the_first_of_several_that_are_due) {
    // Due at 1, 1.5 and 3.5. Instants: 0, 1, 2, 3, 4; and 0, 2, 3, 4.
    static const float seconds[] = { 1, 0.5f, 2 }, values[] = { 10, 20, 30 };
    FiloSfBuilder *b = embed_builder("");
    embed(b, filo_sf_after_each(b, seconds, FILO_TYPE(float), values, 3),
          &(Embed){ .delta = T(9, 1, 1, 1, 1), .out = { E(NO, 10, 20, NO, 30) } });
    b = embed_builder("");
    embed(b, filo_sf_after_each(b, seconds, FILO_TYPE(float), values, 3),
          &(Embed){ .delta = T(9, 2, 1, 1), .out = { E(NO, 10, NO, 30) } });
}

FILO_TEST(after_each_cat_gives_all_that_are_due) {
    static const float seconds[] = { 1, 0.5f, 2 }, values[] = { 10, 20, 30 };
    FiloSfBuilder *b = embed_builder("");
    FiloSf lists = filo_sf_after_each_cat(b, seconds, FILO_TYPE(float), values, 3);
    embed(b, filo_sf_pair(lists, filo_sf_fold(lists, FILO_SF(float, 1), &add)),
          &(Embed){ .delta = T(9, 2, 1, 1, 1),
                    .out = { M(NO, 2, 10, 20, NO, 1, 30, NO), E(NO, 31, NO, 31, NO) } });
}

FILO_TEST(after_each_may_begin_at_time_zero) {
    static const float seconds[] = { 0, 0, 1 }, values[] = { 10, 20, 30 };
    FiloSfBuilder *b = embed_builder("");
    embed(
        b,
        filo_sf_pair(filo_sf_after_each(b, seconds, FILO_TYPE(float), values, 3),
                     filo_sf_after_each_cat(b, seconds, FILO_TYPE(float), values, 3)),
        &(Embed){ .delta = T(9, 0.5f, 0.5f, 1), .out = { E(10, NO, 30, NO), M(2, 10, 20, NO, 1, 30, NO) } });
}

FILO_TEST(edge_is_silent_at_time_zero_and_i_edge_need_not_be) {
    FiloSfBuilder *b = embed_builder("b");
    FiloSf x = filo_sf_input(b);
    FiloSf all[] = { filo_sf_edge(x), filo_sf_i_edge(x, false), filo_sf_i_edge(x, true),
                     filo_sf_edge_tag(x, FILO_SF(float, 5)) };
    embed(b, filo_sf_tuple(b, all, 4),
          &(Embed){ .delta = T(0, 1, 1, 1, 1, 1),
                    .in = { V(1, 1, 0, 1, 1, 0) },
                    .out = { U(NO, NO, NO, 1, NO, NO), U(1, NO, NO, 1, NO, NO), U(NO, NO, NO, 1, NO, NO),
                             E(NO, NO, NO, 5, NO, NO) } });
}

FILO_TEST(edge_just_occurs_where_an_event_begins) {
    FiloSfBuilder *b = embed_builder("F");
    embed(b, filo_sf_edge_just(filo_sf_input(b)),
          &(Embed){ .delta = T(0, 1, 1, 1, 1, 1),
                    .in = { E(1, 2, NO, 4, 5, NO) },
                    .out = { E(NO, NO, NO, 4, NO, NO) } });
}

FILO_TEST(edge_by_compares_each_value_with_the_one_before) {
    FiloSfBuilder *b = embed_builder("f");
    embed(b, filo_sf_edge_by(filo_sf_input(b), FILO_SF(float, 0), &rise),
          &(Embed){ .delta = T(0, 1, 1, 1, 1), .in = { V(2, 3, 3, 1, 5) }, .out = { E(2, 1, NO, NO, 4) } });
}

FILO_TEST(snap_snap_after_and_sample_take_the_value_of_a_signal) {
    // Instants: 0, 1, 2, 4, 4.5. Samples of a period of 2 are due at 2, 4.
    FiloSfBuilder *b = embed_builder("f");
    FiloSf x = filo_sf_input(b);
    FiloSf all[] = { filo_sf_snap(x), filo_sf_snap_after(x, 1.5f), filo_sf_sample(x, 2),
                     filo_sf_snap_after(x, 0) };
    embed(b, filo_sf_tuple(b, all, 4),
          &(Embed){ .delta = T(9, 1, 1, 2, 0.5f),
                    .in = { V(10, 20, 30, 40, 50) },
                    .out = { E(10, NO, NO, NO, NO), E(NO, NO, 30, NO, NO), E(NO, NO, 30, 40, NO),
                             E(10, NO, NO, NO, NO) } });
}

FILO_TEST(event_when_occurs_at_every_instant_at_which_the_condition_is_true) {
    FiloSfBuilder *b = embed_builder("bf");
    embed(b, filo_sf_event_when(filo_sf_in(b, 0), filo_sf_in(b, 1)),
          &(Embed){
              .delta = T(0, 1, 1, 1), .in = { V(1, 1, 0, 1), V(1, 2, 3, 4) }, .out = { E(1, 2, NO, 4) } });
}

FILO_TEST(sample_window_has_the_last_samples_and_repeats_what_was_missed) {
    // Instants: 0, 1, 3, 3.5, 4. At 3 two samples are due: the value of that instant counts twice.
    FiloSfBuilder *b = embed_builder("f");
    embed(b, filo_sf_sample_window(filo_sf_input(b), 3, 1),
          &(Embed){ .delta = T(9, 1, 2, 0.5f, 0.5f),
                    .in = { V(1, 2, 3, 4, 5) },
                    .out = { M(NO, 1, 2, 3, 2, 3, 3, NO, 3, 3, 3, 5) } });
}

// ---- Random ones ------------------------------------------------------------------------------------------------

static FiloNetwork *random_network(float seconds) {
    FiloSfBuilder *b = embed_builder("");
    FiloNetwork *network;
    assert_ok(filo_network_create(
        &network, filo_sf_pair(filo_sf_occasionally(b, seconds, FILO_SF_NONE), filo_sf_noise(b, -2, 3)),
        NULL));
    filo_sf_builder_destroy(b);
    return network;
}

enum { RANDOM_ROWS = 200, RANDOM_STEPS = 100 };

// All events and numbers of all rows, in order of time.
typedef struct RandomRun {
    uint8_t events[RANDOM_STEPS][RANDOM_ROWS];
    float numbers[RANDOM_STEPS][RANDOM_ROWS];
} RandomRun;

static void run_random(RandomRun *run, const FiloNetwork *network, uint64_t seed, const uint64_t *ids,
                       size_t part) {
    size_t size = filo_network_state_size(network);
    uint8_t *states = calloc(RANDOM_ROWS, size);
    uint64_t numbers[RANDOM_ROWS];
    for (size_t i = 0; i < RANDOM_ROWS; i++) numbers[i] = ids != NULL ? ids[i] : i;
    for (size_t step = 0; step < RANDOM_STEPS; step++)
        for (size_t from = 0; from < RANDOM_ROWS; from += part) {
            FiloSfRows rows = { .count = FILO_MIN(part, RANDOM_ROWS - from),
                                .states = states + from * size,
                                .delta = 0.25f,
                                .outputs = { run->events[step] + from, run->numbers[step] + from },
                                .ids = part == RANDOM_ROWS && ids == NULL ? NULL : numbers + from,
                                .seed = seed };
            assert_ok(filo_network_step(network, &rows));
        }
    free(states);
}

FILO_TEST(occasionally_occurs_as_often_as_it_should_and_noise_is_spread) {
    // The probability of an event in a step is 1 − exp(−0.25 / 2), which is 0.1175; there is none at time 0.
    FiloNetwork *network = random_network(2);
    static RandomRun run;
    run_random(&run, network, 1, NULL, RANDOM_ROWS);
    int events = 0, low = 0, high = 0;
    double sum = 0;
    for (int step = 0; step < RANDOM_STEPS; step++)
        for (int row = 0; row < RANDOM_ROWS; row++) {
            events += run.events[step][row];
            float x = run.numbers[step][row];
            assert_true(x >= -2 && x < 3);
            low += x < -1.5f;
            high += x > 2.5f;
            sum += (double)x;
            if (step == 0) assert_int_equal(run.events[step][row], 0);
        }
    assert_in_range(events, 2150, 2500); // 19800 × 0.1175 = 2326, standard deviation 45
    assert_in_range(low, 1800, 2200);
    assert_in_range(high, 1800, 2200);
    assert_true(fabs(sum / (RANDOM_ROWS * RANDOM_STEPS) - 0.5) < 0.05);
    filo_network_destroy(network);
}

FILO_TEST(random_numbers_depend_on_seed_and_id_and_not_on_rows_and_calls) {
    FiloNetwork *network = random_network(2);
    static RandomRun a, b;
    static uint64_t ids[RANDOM_ROWS];
    run_random(&a, network, 1, NULL, RANDOM_ROWS);
    run_random(&b, network, 1, NULL, 7);
    assert_memory_equal(&a, &b, sizeof a);
    run_random(&b, network, 2, NULL, RANDOM_ROWS);
    assert_memory_not_equal(a.events, b.events, sizeof a.events);
    for (size_t i = 0; i < RANDOM_ROWS; i++) ids[i] = RANDOM_ROWS - 1 - i; // the other way round
    run_random(&b, network, 1, ids, RANDOM_ROWS);
    for (int step = 0; step < RANDOM_STEPS; step++)
        for (int row = 0; row < RANDOM_ROWS; row++) {
            assert_int_equal(a.events[step][row], b.events[step][RANDOM_ROWS - 1 - row]);
            assert_true(a.numbers[step][row] == b.numbers[step][RANDOM_ROWS - 1 - row]);
        }
    int same = 0; // rows next to each other
    for (int step = 0; step < RANDOM_STEPS; step++) same += a.numbers[step][0] == a.numbers[step][1];
    assert_in_range(same, 0, 1);
    filo_network_destroy(network);
}

FILO_TEST(two_nodes_of_noise_with_equal_arguments_are_different) {
    FiloSfBuilder *b = embed_builder("");
    FiloSf x = filo_sf_noise(b, 0, 1), y = filo_sf_noise(b, 0, 1);
    FiloNetwork *network;
    assert_ok(filo_network_create(&network, filo_sf_equal(x, y), NULL));
    filo_sf_builder_destroy(b);
    bool equal[RANDOM_ROWS];
    uint8_t *states = calloc(RANDOM_ROWS, filo_network_state_size(network));
    assert_ok(filo_network_step(
        network, &(FiloSfRows){ .count = RANDOM_ROWS, .states = states, .outputs = { equal } }));
    int count = 0;
    for (int i = 0; i < RANDOM_ROWS; i++) count += equal[i];
    assert_in_range(count, 0, 2);
    free(states);
    filo_network_destroy(network);
}

// ---- Changing events --------------------------------------------------------------------------------------------

FILO_TEST(not_yet_once_take_and_drop) {
    FiloSfBuilder *b = embed_builder("F");
    FiloSf e = filo_sf_input(b);
    FiloSf all[] = { filo_sf_not_yet(e),        filo_sf_once(e),           filo_sf_take_events(e, 2),
                     filo_sf_drop_events(e, 2), filo_sf_take_events(e, 0), filo_sf_drop_events(e, 0) };
    embed(b, filo_sf_tuple(b, all, 6),
          &(Embed){ .delta = T(0, 1, 1, 1, 1),
                    .in = { E(1, NO, 3, 4, NO) },
                    .out = { E(NO, NO, 3, 4, NO), E(1, NO, NO, NO, NO), E(1, NO, 3, NO, NO),
                             E(NO, NO, NO, 4, NO), E(NO, NO, NO, NO, NO), E(1, NO, 3, 4, NO) } });
}

FILO_TEST(tag_attach_join_and_split) {
    FiloSfBuilder *b = embed_builder("FIf");
    FiloSf e = filo_sf_in(b, 0), n = filo_sf_in(b, 1), x = filo_sf_in(b, 2);
    FiloSf all[] = { filo_sf_tag(e, x), filo_sf_attach(e, x), filo_sf_join(e, n),
                     filo_sf_split(filo_sf_join(e, n)) };
    embed(b, filo_sf_tuple(b, all, 4),
          &(Embed){ .delta = T(0, 1, 1, 1),
                    .in = { E(1, NO, 3, NO), E(NO, 20, 30, NO), V(7, 8, 9, 10) },
                    .out = { E(7, NO, 9, NO), E(1, NO, 3, NO), W(7, NO, 9, NO), E(NO, NO, 3, NO),
                             W(NO, NO, 30, NO), E(NO, NO, 3, NO), E(NO, NO, 30, NO) } });
}

FILO_TEST(the_value_of_an_event_may_be_a_whole_tuple) {
    FiloSfBuilder *b = embed_builder("Uff");
    FiloSf e = filo_sf_tag(filo_sf_in(b, 0), filo_sf_pair(filo_sf_in(b, 1), filo_sf_in(b, 2)));
    embed(b, filo_sf_get(filo_sf_split(e), 1),
          &(Embed){ .delta = T(0, 1), .in = { U(NO, 1), V(1, 2), V(3, 4) }, .out = { E(NO, 4) } });
}

FILO_TEST(merges_differ_where_both_events_occur) {
    FiloSfBuilder *b = embed_builder("FF");
    FiloSf x = filo_sf_in(b, 0), y = filo_sf_in(b, 1);
    FiloSf all[] = { filo_sf_l_merge(x, y), filo_sf_r_merge(x, y), filo_sf_merge_by(x, y, &minus) };
    embed(b, filo_sf_tuple(b, all, 3),
          &(Embed){ .delta = T(0, 1, 1, 1),
                    .in = { E(1, 2, NO, NO), E(10, NO, 30, NO) },
                    .out = { E(1, 2, 30, NO), E(10, 2, 30, NO), E(-9, 2, 30, NO) } });
}

FILO_TEST(filter_map_filter_and_gate) {
    FiloSfBuilder *b = embed_builder("Fb");
    FiloSf e = filo_sf_in(b, 0);
    FiloSf all[] = { filo_sf_filter(e, &is_high), filo_sf_map_filter(e, &high_half),
                     filo_sf_gate(e, filo_sf_in(b, 1)) };
    embed(b, filo_sf_tuple(b, all, 3),
          &(Embed){ .delta = T(0, 1, 1, 1),
                    .in = { E(1, 4, NO, 8), V(1, 1, 1, 0) },
                    .out = { E(NO, 4, NO, 8), E(NO, 2, NO, 4), E(1, 4, NO, NO) } });
}

FILO_TEST(is_event_and_from_event_make_values_of_events) {
    FiloSfBuilder *b = embed_builder("FU");
    FiloSf e = filo_sf_in(b, 0);
    FiloSf all[] = { filo_sf_is_event(e), filo_sf_from_event(e, FILO_SF(float, -1)),
                     filo_sf_is_event(filo_sf_in(b, 1)) };
    embed(b, filo_sf_tuple(b, all, 3),
          &(Embed){ .delta = T(0, 1, 1),
                    .in = { E(5, NO, 6), U(NO, 1, NO) },
                    .out = { V(1, 0, 1), V(5, -1, 6), V(0, 1, 0) } });
}

FILO_TEST(delay_event_lets_each_event_occur_once_some_seconds_later) {
    // Instants 0, 0.5, 1, 2.5, 3. Due: the first at 1, the second at 1.5, the third at 3.5.
    FiloSfBuilder *b = embed_builder("F");
    embed(b, filo_sf_delay_event(filo_sf_input(b), 1, 4),
          &(Embed){ .delta = T(9, 0.5f, 0.5f, 1.5f, 0.5f),
                    .in = { E(1, 2, NO, 3, NO) },
                    .out = { E(NO, NO, 1, 2, NO) } });
}

FILO_TEST(delayed_events_that_are_due_together_are_one_or_a_list) {
    // Instants 0, 0.5, 2, 2.5, 3. The first two are due at 1 and 1.5, so both at 2. The third, at 2, is due at 3.
    FiloSfBuilder *b = embed_builder("F");
    FiloSf e = filo_sf_input(b);
    embed(b, filo_sf_pair(filo_sf_delay_event(e, 1, 4), filo_sf_delay_event_cat(e, 1, 4)),
          &(Embed){ .delta = T(9, 0.5f, 1.5f, 0.5f, 0.5f),
                    .in = { E(1, 2, 3, NO, NO) },
                    .out = { E(NO, NO, 1, NO, 3), M(NO, NO, 2, 1, 2, NO, 1, 3) } });
}

FILO_TEST(an_event_that_is_delayed_by_zero_seconds_is_the_same) {
    FiloSfBuilder *b = embed_builder("F");
    FiloSf e = filo_sf_input(b);
    embed(b, filo_sf_pair(filo_sf_delay_event(e, 0, 4), filo_sf_delay_event_cat(e, 0, 4)),
          &(Embed){ .delta = T(0, 1, 1), .in = { E(1, NO, 3) }, .out = { E(1, NO, 3), M(1, 1, NO, 1, 3) } });
}

FILO_TEST(events_without_a_value_are_delayed_too) {
    FiloSfBuilder *b = embed_builder("U");
    embed(b, filo_sf_delay_event(filo_sf_input(b), 1, 4),
          &(Embed){ .delta = T(0, 1, 1, 1), .in = { U(1, NO, 1, NO) }, .out = { U(NO, 1, NO, 1) } });
}

FILO_TEST(delay_event_reports_that_it_is_full) {
    FiloSfBuilder *b = embed_builder("F");
    embed(
        b, filo_sf_delay_event(filo_sf_input(b), 10, 2),
        &(Embed){
            .delta = T(0, 1, 1), .in = { E(1, 2, 3) }, .out = { E(NO, NO, NO) }, .code = FILO_ERROR_LIMIT });
}

FILO_TEST(recur_starts_a_source_again_at_each_event) {
    // Instants 0, 1, 1.5, 2, 4, 5. The source is due 1 s after it has started: at 1; at 2; at 3, seen at 4; at 5.
    FiloSfBuilder *b = embed_builder("");
    embed(b, filo_sf_recur(filo_sf_after(b, 1, FILO_SF(float, 5))),
          &(Embed){ .delta = T(9, 1, 0.5f, 0.5f, 2, 1), .out = { E(NO, 5, NO, 5, 5, 5) } });
}

FILO_TEST(recur_suppresses_the_event_of_a_source_that_starts_with_one) {
    // recur (now) occurs at time 0 alone: the source that is started again is silent at its time 0.
    FiloSfBuilder *b = embed_builder("F");
    FiloSf all[] = { filo_sf_recur(filo_sf_now(b, FILO_SF(float, 5))), filo_sf_recur(filo_sf_input(b)),
                     filo_sf_recur(filo_sf_once(filo_sf_input(b))) };
    embed(b, filo_sf_tuple(b, all, 3),
          &(Embed){
              .delta = T(0, 1, 1, 1, 1),
              .in = { E(1, 2, NO, 4, 5) },
              // The restarted once sees the event that restarted it, and is then used up: so does Yampa's.
              .out = { E(5, NO, NO, NO, NO), E(1, 2, NO, 4, 5), E(1, NO, NO, NO, NO) } });
}

FILO_TEST(and_then_starts_the_second_source_at_the_first_event) {
    // The second source starts at 1 s. Its event at its own time 0 is lost.
    FiloSfBuilder *b = embed_builder("");
    FiloSf first = filo_sf_repeatedly(b, 1, FILO_SF(float, 10));
    embed(b,
          filo_sf_pair(filo_sf_and_then(first, filo_sf_repeatedly(b, 2, FILO_SF(float, 20))),
                       filo_sf_and_then(first, filo_sf_now(b, FILO_SF(float, 30)))),
          &(Embed){ .delta = T(9, 1, 1, 1, 1, 1),
                    .out = { E(NO, 10, NO, 20, NO, 20), E(NO, 10, NO, NO, NO, NO) } });
}

FILO_TEST(and_then_of_an_event_at_time_zero) {
    FiloSfBuilder *b = embed_builder("");
    embed(b, filo_sf_and_then(filo_sf_now(b, FILO_SF(float, 1)), filo_sf_after(b, 1, FILO_SF(float, 2))),
          &(Embed){ .delta = T(0, 1, 1), .out = { E(1, 2, NO) } });
}

FILO_TEST(fold_goes_through_a_list_in_order) {
    static const float seconds[] = { 1, 0, 0 }, values[] = { 2, 3, 4 };
    FiloSfBuilder *b = embed_builder("");
    FiloSf lists = filo_sf_after_each_cat(b, seconds, FILO_TYPE(float), values, 3);
    embed(b,
          filo_sf_pair(filo_sf_fold(lists, FILO_SF(float, 1), &times),
                       filo_sf_fold(lists, FILO_SF(float, 20), &minus)),
          &(Embed){ .delta = T(0, 1, 1), .out = { E(NO, 24, NO), E(NO, 11, NO) } });
}
