// Signals of the network inside of branches, damaged states, and what else a program of a stranger needs.

#include <filo/signal.h>

#include <stdlib.h>
#include <string.h>

#include "support/test.h"

#define ROWS 70

// Steps one object, which is row `row` of many, with one input leaf of bytes.
typedef struct Run {
    FiloNetwork *network;
    uint8_t *states;
} Run;

static Run run_begin(FiloSfBuilder *b, FiloSf output) {
    Run run;
    assert_ok(filo_network_create(&run.network, output, NULL));
    filo_sf_builder_destroy(b);
    run.states = calloc(ROWS, filo_network_state_size(run.network));
    return run;
}

static void run_end(Run *run) {
    free(run->states);
    filo_network_destroy(run->network);
}

static FiloSfBuilder *builder_with_door(void) {
    return filo_sf_builder_create(
        &(FiloSfBuilderDesc){ .name = "outer", .inputs = { FILO_SF_PULSE("coin"), FILO_SF_PULSE("door") } });
}

// Coins are taken at samples 1, 2 and 4; the door opens at sample 3 for even rows, and at 4 for odd ones.
static FiloResult step_door(const Run *run, int sample, void *a, void *b) {
    uint8_t coin[ROWS], door[ROWS];
    for (int i = 0; i < ROWS; i++) {
        coin[i] = sample == 1 || sample == 2 || sample == 4;
        door[i] = sample == 3 + i % 2;
    }
    return filo_network_step(run->network, &(FiloSfRows){ .count = ROWS,
                                                          .states = run->states,
                                                          .delta = 1,
                                                          .inputs = { coin, door },
                                                          .outputs = { a, b } });
}

FILO_TEST(a_signal_in_a_branch_starts_with_it_and_an_outer_one_does_not) {
    FiloSfBuilder *b = builder_with_door();
    FiloSf coins = filo_sf_hold(filo_sf_count(filo_sf_in(b, 0)), FILO_SF(int32_t, 0));
    FiloSfBranch shop = filo_sf_branch(b, "shop", NULL);
    filo_sf_define(shop, filo_sf_pair(coins, filo_sf_outer(coins)));
    FiloSf start = filo_sf_constant(b, FILO_SF(int32_t, -1));
    Run run = run_begin(b, filo_sf_switch(filo_sf_pair(start, start), FILO_ON(filo_sf_in(b, 1), shop)));
    const int32_t inside[2][6] = { { -1, -1, -1, 0, 1, 1 }, { -1, -1, -1, -1, 1, 1 } };
    const int32_t outside[2][6] = { { -1, -1, -1, 2, 3, 3 }, { -1, -1, -1, -1, 3, 3 } };
    for (int sample = 0; sample < 6; sample++) {
        int32_t a[ROWS], o[ROWS];
        assert_ok(step_door(&run, sample, a, o));
        for (int i = 0; i < ROWS; i++) {
            assert_int_equal(a[i], inside[i % 2][sample]);
            assert_int_equal(o[i], outside[i % 2][sample]);
        }
    }
    run_end(&run);
}

FILO_TEST(an_outer_signal_inside_branches_of_branches_members_and_frozen_functions_is_one) {
    FiloSfBuilder *b = builder_with_door();
    FiloSf time = filo_sf_outer(filo_sf_time(b));
    FiloSfBranch member = filo_sf_branch(b, "member", NULL), deep = filo_sf_branch(b, "deep", NULL);
    FiloSfBranch old = filo_sf_branch(b, "old", NULL);
    filo_sf_define(member, time);
    filo_sf_define(deep, filo_sf_pause(filo_sf_constant(b, FILO_SF(bool, false)), filo_sf_in(b, 0),
                                       FILO_SF(float, 0), time));
    filo_sf_define(old, filo_sf_old(old));
    FiloSf list =
        filo_sf_par(filo_sf_in(b, 0), &(FiloSfCollection){ .capacity = 2,
                                                           .kinds = { member },
                                                           .initial = &(FiloSfMember){ .branch = member },
                                                           .initial_count = 1 });
    FiloSf nested = filo_sf_switch(filo_sf_time(b), FILO_ON(filo_sf_in(b, 1), deep));
    FiloSf frozen = filo_sf_k_switch(filo_sf_add(time, filo_sf_float(b, 0)), FILO_ON(filo_sf_in(b, 1), old));
    Run run =
        run_begin(b, filo_sf_pair(filo_sf_pair(nested, frozen), filo_sf_get(filo_sf_pair(list, time), 1)));
    for (int sample = 0; sample < 8; sample++) {
        float a[ROWS], o[ROWS];
        assert_ok(step_door(&run, sample, a, o));
        for (int i = 0; i < ROWS; i++) assert_true(a[i] == (float)sample && o[i] == (float)sample);
    }
    run_end(&run);
}

FILO_TEST(inputs_by_name_are_there_in_branches) {
    FiloSfBuilder *b = builder_with_door();
    FiloSfBranch shop = filo_sf_branch(b, "shop", NULL);
    filo_sf_define(shop, filo_sf_is_event(filo_sf_in_named(b, "coin")));
    Run run = run_begin(b, filo_sf_switch(filo_sf_constant(b, FILO_SF(bool, false)),
                                          FILO_ON(filo_sf_in_named(b, "door"), shop)));
    for (int sample = 0; sample < 6; sample++) {
        bool a[ROWS];
        assert_ok(step_door(&run, sample, a, NULL));
        for (int i = 0; i < ROWS; i++) assert_true(a[i] == (sample == 4));
    }
    run_end(&run);
}

// A heater that is a switch, and a temperature that depends on it and that it depends on.
FILO_TEST(a_loop_through_a_switch_is_closed_from_inside_its_branches) {
    FiloSfBuilder *b = filo_sf_builder_create(&(FiloSfBuilderDesc){ .name = "heater" });
    FiloSf warmth = filo_sf_rec(b, FILO_TYPE(float));
    FiloSfBranch on = filo_sf_branch(b, "on", NULL), off = filo_sf_branch(b, "off", NULL);
    FiloSf hot = filo_sf_edge(filo_sf_greater(warmth, filo_sf_float(b, 2.5f)));
    FiloSf cold = filo_sf_edge(filo_sf_less(warmth, filo_sf_float(b, 0.5f)));
    filo_sf_define(on, filo_sf_switch(filo_sf_float(b, 1), FILO_ON(hot, off)));
    filo_sf_define(off, filo_sf_switch(filo_sf_float(b, -1), FILO_ON(cold, on)));
    filo_sf_close(warmth, filo_sf_integral(filo_sf_start(on, FILO_SF_NONE)));
    Run run = run_begin(b, warmth);
    const float expected[] = {
        0, 1, 2, 3, 2, 1, 0, 1, 2, 3
    }; // it rises until it is above 2.5, and falls until it is below 0.5
    for (int sample = 0; sample < 10; sample++) {
        float a[ROWS];
        assert_ok(filo_network_step(
            run.network, &(FiloSfRows){ .count = ROWS, .states = run.states, .delta = 1, .outputs = { a } }));
        for (int i = 0; i < ROWS; i++) assert_true(a[i] == expected[sample]);
    }
    run_end(&run);
}

FILO_TEST(random_numbers_of_a_branch_are_others_when_it_is_entered_again) {
    FiloSfBuilder *b = filo_sf_builder_create(&(FiloSfBuilderDesc){ .name = "again" });
    FiloSfBranch again = filo_sf_branch(b, "again", NULL);
    filo_sf_define(again,
                   filo_sf_switch(filo_sf_noise(b, 0, 1), FILO_ON(filo_sf_after(b, 2, FILO_SF_NONE), again)));
    Run run = run_begin(b, filo_sf_start(again, FILO_SF_NONE));
    float seen[6];
    for (int sample = 0; sample < 6; sample++)
        assert_ok(filo_network_step(
            run.network,
            &(FiloSfRows){ .count = 1, .states = run.states, .delta = 1, .outputs = { &seen[sample] } }));
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < i; k++) assert_true(seen[i] != seen[k]);
    run_end(&run);
}

static bool is_old(const void *output, void *user) { return *(const float *)output >= *(const float *)user; }

static void add_spark(FiloSfMembers *members, const void *value) {
    (void)value;
    FiloSfBranch branch = filo_sf_members_branch(members, 0);
    assert_true(*(const float *)filo_sf_members_user(members) == 2.0f);
    assert_true(filo_sf_members_add(members, branch, FILO_SF_NONE) != 0);
}

FILO_TEST(members_that_have_ended_leave_after_they_were_shown) {
    float limit = 2;
    FiloSfBuilder *b = builder_with_door();
    FiloSfBranch spark = filo_sf_branch(b, "spark", NULL);
    filo_sf_define(spark, filo_sf_time(b));
    FiloSf sparks = filo_sf_rp_switch(filo_sf_in(b, 0),
                                      &(FiloSfCollection){ .capacity = 4,
                                                           .kinds = { spark },
                                                           .ended = is_old,
                                                           .user = &limit,
                                                           .initial = &(FiloSfMember){ .branch = spark },
                                                           .initial_count = 1 },
                                      filo_sf_in(b, 0), add_spark);
    Run run = run_begin(b, sparks);
    // One at the beginning, and new ones with the coins at samples 1 and 2. Each leaves after it was shown at an age of 2 s.
    const uint32_t counts[] = { 1, 2, 3, 2 };
    for (int sample = 0; sample < 4; sample++) {
        uint8_t lists[ROWS][64];
        assert_ok(step_door(&run, sample, lists, NULL));
        FiloSfLeaf leaf;
        assert_int_equal(filo_network_outputs(run.network, &leaf, 1), 1);
        for (size_t i = 0; i < ROWS; i++) {
            const FiloSfList *list = (const void *)((const uint8_t *)lists + i * leaf.type->size);
            assert_int_equal(list->count, counts[sample]);
        }
    }
    run_end(&run);
}

FILO_TEST(bytes_other_than_0_and_1_count_as_1) {
    FiloSfBuilder *b = filo_sf_builder_create(
        &(FiloSfBuilderDesc){ .name = "bytes", .inputs = { FILO_SF_PULSE("e"), FILO_SF_INPUT("x", bool) } });
    FiloSf e = filo_sf_is_event(filo_sf_in(b, 0));
    Run run = run_begin(b, filo_sf_pair(filo_sf_and(e, filo_sf_constant(b, FILO_SF(bool, true))),
                                        filo_sf_not(filo_sf_in(b, 1))));
    uint8_t in[ROWS], is[ROWS], not [ROWS];
    for (int i = 0; i < ROWS; i++) in[i] = (uint8_t)(i % 3 * 100);
    assert_ok(filo_network_step(
        run.network,
        &(FiloSfRows){ .count = ROWS, .states = run.states, .inputs = { in, in }, .outputs = { is, not } }));
    for (int i = 0; i < ROWS; i++) {
        assert_int_equal(is[i], i % 3 != 0);
        assert_int_equal(not [i], i % 3 == 0);
    }
    run_end(&run);
}

// Every word of a state is overwritten. No step may read or write elsewhere: the address sanitizer sees it.
FILO_TEST(a_damaged_state_is_reported_or_harmless) {
    FiloSfBuilder *b = builder_with_door();
    FiloSfBranch spark = filo_sf_branch(b, "spark", NULL),
                 other = filo_sf_branch(b, "other", FILO_TYPE(float));
    filo_sf_define(spark, filo_sf_time(b));
    FiloSf delayed = filo_sf_delay(filo_sf_time(b), 2, FILO_SF(float, 0), 4);
    FiloSf late = filo_sf_delay_event(filo_sf_tag(filo_sf_in(b, 0), delayed), 2, 3);
    filo_sf_define(other, filo_sf_switch(filo_sf_parameter(other), FILO_ON(late, other)));
    FiloSf sparks =
        filo_sf_par(filo_sf_in(b, 0), &(FiloSfCollection){ .capacity = 3,
                                                           .kinds = { spark },
                                                           .initial = &(FiloSfMember){ .branch = spark },
                                                           .initial_count = 1 });
    FiloSf window_event = filo_sf_sample_window(filo_sf_time(b), 3, 1);
    FiloSf out[] = { filo_sf_k_switch(filo_sf_switch(delayed, FILO_ON(late, other)),
                                      FILO_ON(filo_sf_tag(filo_sf_in(b, 1), delayed), other)),
                     late, sparks, window_event };
    Run run = run_begin(b, filo_sf_tuple(b, out, 4));
    size_t words = filo_network_state_size(run.network) / 4;
    for (int sample = 0; sample < 4; sample++) (void)step_door(&run, sample, NULL, NULL);
    uint8_t *good = malloc(words * 4 * ROWS);
    memcpy(good, run.states, words * 4 * ROWS);
    const uint32_t bad[] = { 0xFFFFFFFF, 0x7FFFFFFF, 1000, 5 };
    for (size_t word = 2; word < words; word++) {
        for (size_t k = 0; k < FILO_COUNT_OF(bad); k++) {
            memcpy(run.states, good, words * 4 * ROWS);
            for (size_t i = 0; i < ROWS; i += 2) memcpy(run.states + (i * words + word) * 4, &bad[k], 4);
            for (int sample = 4; sample < 8; sample++) {
                FiloResult r = step_door(&run, sample, NULL, NULL);
                assert_true(r.code == FILO_OK || r.code == FILO_ERROR_DATA || r.code == FILO_ERROR_LIMIT);
            }
        }
    }
    free(good);
    run_end(&run);
}

FILO_TEST(the_path_of_branches_has_those_inside) {
    FiloSfBuilder *b = builder_with_door();
    FiloSfBranch outside = filo_sf_branch(b, "outside", NULL), ground = filo_sf_branch(b, "ground", NULL),
                 air = filo_sf_branch(b, "air", NULL);
    filo_sf_define(ground, filo_sf_switch(filo_sf_float(b, 0), FILO_ON(filo_sf_in(b, 0), air)));
    filo_sf_define(air, filo_sf_float(b, 1));
    filo_sf_define(outside, filo_sf_initially(filo_sf_start(ground, FILO_SF_NONE), FILO_SF(float, 5)));
    Run run = run_begin(b, filo_sf_start(outside, FILO_SF_NONE));
    char text[32];
    assert_int_equal(filo_network_branch_path(run.network, run.states, text, sizeof text), 0);
    float a[ROWS];
    assert_ok(step_door(&run, 0, a, NULL));
    assert_int_equal(filo_network_branch_path(run.network, run.states, text, sizeof text),
                     strlen("outside.ground"));
    assert_string_equal(text, "outside.ground");
    assert_ok(step_door(&run, 1, a, NULL));
    (void)filo_network_branch_path(run.network, run.states, text, sizeof text);
    assert_string_equal(text, "outside.air");
    run_end(&run);
}

FILO_TEST(a_mistake_in_the_last_call_is_reported_too) {
    FiloSfBuilder *b = builder_with_door();
    FiloNetwork *network;
    FiloResult r = filo_network_create(&network, filo_sf_constant(b, FILO_SF_NONE), NULL);
    assert_int_equal(r.code, FILO_ERROR_ARGUMENT);
    assert_non_null(strstr(r.message, "a constant without a value"));
    filo_sf_builder_destroy(b);
    b = builder_with_door();
    r = filo_network_create(&network, filo_sf_arr(filo_sf_in(b, 0), NULL), NULL);
    assert_non_null(strstr(r.message, "arr without a function"));
    filo_sf_builder_destroy(b);
}

FILO_TEST(a_list_input_that_cannot_be_is_reported) {
    FiloSfBuilder *b = filo_sf_builder_create(&(FiloSfBuilderDesc){
        .name = "lists", .inputs = { { .name = "hits", .type = FILO_TYPE(float), .capacity = 70000 } } });
    FiloNetwork *network;
    FiloResult r = filo_network_create(&network, filo_sf_input(b), NULL);
    assert_int_equal(r.code, FILO_ERROR_ARGUMENT);
    assert_non_null(strstr(r.message, "input \"hits\": a list has a type, a capacity up to 65535"));
    filo_sf_builder_destroy(b);
}
