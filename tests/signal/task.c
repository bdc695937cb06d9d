#include "embed_fixture.h"

#include <filo/task.h>

// ---- Running tasks ----------------------------------------------------------------------------------------------

// The networks have an event with an int as input, and show ints; 0 when no task is running.
static FiloSfBuilder *b;
static FiloTasks t;

#define SHOW(number) FILO_SF(int32_t, number)

static void begin(void) {
    FiloSfBuilderDesc desc = with_input(FILO_TYPE(int32_t), true);
    b = filo_sf_builder_create(&desc);
    assert_non_null(b);
    t = filo_tasks(filo_sf_constant(b, SHOW(0)));
}

static FiloNetwork *compile(FiloSf output) {
    FiloNetwork *network = NULL;
    assert_ok(filo_network_create(&network, output, NULL));
    filo_sf_builder_destroy(b);
    return network;
}

// Runs with a sample each half second. `events` has a letter for each: '.' for no event, or the digit of its value.
// The outputs are compared to digits, leaf by leaf: `expected` is one text for each leaf.
static void expect_run(FiloSf output, const char *events, size_t leaves, const char *const *expected) {
    FiloNetwork *network = compile(output);
    size_t count = strlen(events);
    uint8_t present[64];
    int32_t values[64];
    for (size_t i = 0; i < count; i++) {
        present[i] = events[i] != '.';
        values[i] = present[i] ? events[i] - '0' : 0;
    }
    FiloTrace trace = { 0 };
    assert_ok(filo_embed(network,
                         &(FiloStream){ .count = count - 1, .delta = 0.5f, .inputs = { present, values } },
                         &(FiloEmbed){ .trace = &trace }));
    assert_int_equal(trace.leaf_count, leaves);
    for (size_t leaf = 0; leaf < leaves; leaf++) {
        char shown[64] = { 0 };
        for (size_t i = 0; i < count; i++) {
            int value = trace.leaves[leaf].type->size == 1 ? filo_trace_value(&trace, leaf, i, uint8_t)
                                                           : filo_trace_value(&trace, leaf, i, int32_t);
            if (trace.leaves[leaf].present_by != 0 &&
                filo_trace_value(&trace, trace.leaves[leaf].present_by - 1, i, uint8_t) == 0)
                value = 0;
            shown[i] = (char)('0' + value);
        }
        assert_string_equal(shown, expected[leaf]);
    }
    filo_trace_deinit(&trace);
    filo_network_destroy(network);
}

static void expect_play(FiloTask task, const char *events, const char *expected) {
    expect_run(filo_task_play(task), events, 1, &expected);
}

// The event with its value, which is an int.
static void expect_result(FiloTask task, const char *events, const char *done, const char *value) {
    FiloSf pair = filo_task_to_sf(task);
    expect_run(filo_sf_get(pair, 1), events, 2, (const char *[]){ done, value });
}

static FiloSf knock(void) { return filo_sf_input(b); }

// ---- Simple tasks -----------------------------------------------------------------------------------------------

FILO_TEST(a_sleep_shows_its_value_for_its_time) {
    begin();
    expect_play(filo_task_sleep(t, 1, SHOW(5)), ".....", "55000");
}

FILO_TEST(a_constant_never_ends) {
    begin();
    expect_play(filo_task_constant(t, SHOW(3)), "....", "3333");
}

FILO_TEST(a_wait_ends_with_an_event_of_any_value) {
    begin();
    expect_play(filo_task_wait(t, SHOW(7), knock()), "...4..", "777000");
}

FILO_TEST(a_signal_function_runs_for_some_time) {
    begin();
    FiloSf counted = filo_sf_hold(filo_sf_count(knock()), SHOW(0));
    expect_play(filo_task_during(t, 1.5f, counted), "11.11", "12200");
}

FILO_TEST(a_task_ends_with_the_value_of_its_event) {
    begin();
    expect_result(filo_task(t, filo_sf_constant(b, SHOW(1)), knock(), FILO_TYPE(int32_t)), "..6.8", "00100",
                  "00600");
}

FILO_TEST(the_output_after_the_end_can_be_chosen) {
    begin();
    const char *expected = "11900";
    FiloSf after = filo_sf_select(filo_sf_less(filo_sf_time(b), filo_sf_constant(b, FILO_SF(float, 0.25f))),
                                  filo_sf_constant(b, SHOW(9)), filo_sf_constant(b, SHOW(0)));
    expect_run(filo_task_play_then(filo_task_sleep(t, 1, SHOW(1)), after), ".....", 1, &expected);
}

FILO_TEST(a_snapshot_and_a_return_take_no_time) {
    begin();
    FiloSf held = filo_sf_hold(knock(), SHOW(0));
    expect_result(filo_task_snap(t, held, FILO_TYPE(int32_t)), "8..", "100", "800");
    begin();
    expect_result(filo_task_return(t, SHOW(4)), "...", "100", "400");
    begin();
    expect_play(filo_task_list(filo_task_return(t, SHOW(4)), filo_task_return(t, FILO_SF_NONE),
                               filo_task_sleep(t, 1, SHOW(2))),
                "....", "2200");
}

// ---- One after the other ----------------------------------------------------------------------------------------

FILO_TEST(a_list_is_played_line_by_line) {
    begin();
    FiloTask scene = filo_task_list(                          //
        filo_task_sleep(t, 1, SHOW(1)),                       //
        filo_task_wait(t, SHOW(2), knock()),                  //
        filo_task_sleep(t, 0.5f, SHOW(3)),                    //
        filo_task_wait(t, SHOW(4), filo_sf_not_yet(knock())), //
        filo_task_sleep(t, 1, SHOW(5)));
    // Neither the knock during the first line is heard, nor that at the instant at which the fourth one starts.
    expect_play(scene, "1...11..1....", "1122344455000");
}

FILO_TEST(an_event_is_seen_by_the_task_that_starts_with_it) {
    begin();
    expect_play(filo_task_list(filo_task_wait(t, SHOW(1), knock()), filo_task_wait(t, SHOW(2), knock()),
                               filo_task_constant(t, SHOW(3))),
                "..5..", "11333");
}

FILO_TEST(lists_can_be_parts_of_lists_and_used_twice) {
    begin();
    FiloTask two = filo_task_list(filo_task_sleep(t, 0.5f, SHOW(1)), filo_task_sleep(t, 0.5f, SHOW(2)));
    expect_play(filo_task_list(two, filo_task_sleep(t, 0.5f, SHOW(7)), two), "........", "12712000");
}

FILO_TEST(a_list_ends_with_the_value_of_its_last_task) {
    begin();
    FiloTask answer =
        filo_task(t, filo_sf_constant(b, SHOW(2)), filo_sf_not_yet(knock()), FILO_TYPE(int32_t));
    expect_result(filo_task_then(filo_task_wait(t, SHOW(1), knock()), answer), ".3.7.9", "000100", "000700");
}

FILO_SF_FUNCTION2(sum, int32_t, int32_t, x, int32_t, y) { return x + y; }

FILO_TEST(the_next_task_gets_the_value) {
    begin();
    FiloTask ask = filo_task(t, filo_sf_constant(b, SHOW(1)), knock(), FILO_TYPE(int32_t));
    FiloSfBranch asked = filo_sf_branch(b, "asked", FILO_TYPE(int32_t));
    FiloSf first = filo_sf_parameter(asked);
    FiloTask again =
        filo_task(t, first, filo_sf_arr2(filo_sf_not_yet(knock()), first, &sum), FILO_TYPE(int32_t));
    FiloTask both = filo_task_bind(ask, asked, again);
    expect_run(filo_task_to_sf(both), ".3..5..", 3, (const char *[]){ "1333000", "0000100", "0000800" });
}

FILO_SF_FUNCTION(plus_2, int32_t, int32_t, x) { return x + 2; }

FILO_TEST(a_value_can_be_mapped) {
    begin();
    FiloTask ask = filo_task(t, filo_sf_constant(b, SHOW(1)), knock(), FILO_TYPE(int32_t));
    expect_result(filo_task_map(ask, &plus_2), "..3.", "0010", "0050");
}

// ---- Limits -----------------------------------------------------------------------------------------------------

FILO_TEST(a_time_out_tells_whether_the_task_ended_itself) {
    begin();
    FiloTask wait = filo_task_wait(t, SHOW(1), knock());
    expect_run(filo_task_to_sf(filo_task_time_out(wait, 1)), "......", 3,
               (const char *[]){ "110000", "001000", "000000" });
    begin();
    wait = filo_task_wait(t, SHOW(1), knock());
    expect_run(filo_task_to_sf(filo_task_time_out(wait, 2)), "..5...", 3,
               (const char *[]){ "110000", "001000", "001000" });
    begin(); // both at once: it ended itself
    wait = filo_task_wait(t, SHOW(1), knock());
    expect_run(filo_task_to_sf(filo_task_time_out(wait, 1)), "..5...", 3,
               (const char *[]){ "110000", "001000", "001000" });
}

FILO_TEST(a_time_out_can_have_a_value_instead) {
    begin();
    FiloTask ask = filo_task(t, filo_sf_constant(b, SHOW(1)), knock(), FILO_TYPE(int32_t));
    expect_result(filo_task_time_out_value(ask, 1, SHOW(9)), "...4.", "00100", "00900");
    begin();
    ask = filo_task(t, filo_sf_constant(b, SHOW(1)), knock(), FILO_TYPE(int32_t));
    expect_result(filo_task_time_out_value(ask, 2, SHOW(9)), "...4.", "00010", "00040");
}

FILO_TEST(a_list_is_aborted_at_any_of_its_tasks) {
    FiloTask (*aborts[])(FiloTask, FiloSf) = { filo_task_abort_when, filo_task_abort_with };
    for (int i = 0; i < 2; i++) {
        begin();
        FiloTask walk = filo_task_list(filo_task_sleep(t, 1, SHOW(1)), filo_task_sleep(t, 1, SHOW(2)),
                                       filo_task_sleep(t, 1, SHOW(3)));
        expect_play(filo_task_list(aborts[i](walk, knock()), filo_task_sleep(t, 1, SHOW(8))), "...4......",
                    "1128800000");
    }
}

FILO_TEST(an_abort_gives_the_value_of_the_event) {
    begin();
    FiloTask task =
        filo_task(t, filo_sf_constant(b, SHOW(1)), filo_sf_after(b, 1.5f, SHOW(6)), FILO_TYPE(int32_t));
    expect_result(filo_task_abort_with(task, knock()), ".4....", "010000", "040000");
    begin();
    task = filo_task(t, filo_sf_constant(b, SHOW(1)), filo_sf_after(b, 1.5f, SHOW(6)), FILO_TYPE(int32_t));
    expect_result(filo_task_abort_with(task, knock()), ".....4", "000100", "000600");
    begin(); // the bool is false after an abort
    task = filo_task_sleep(t, 2, SHOW(1));
    expect_result(filo_task_abort_when(task, knock()), "..4....", "0010000", "0000000");
}

// ---- Loops ------------------------------------------------------------------------------------------------------

FILO_TEST(for_ever_starts_again_and_again) {
    begin();
    FiloTask blink = filo_task_list(filo_task_sleep(t, 0.5f, SHOW(1)), filo_task_sleep(t, 1, SHOW(2)));
    expect_play(filo_task_for_ever(blink), "........", "12212212");
}

FILO_TEST(a_task_is_repeated_so_many_times) {
    begin();
    FiloTask blink = filo_task_list(filo_task_sleep(t, 0.5f, SHOW(1)), filo_task_sleep(t, 0.5f, SHOW(2)));
    expect_play(filo_task_then(filo_task_repeat(blink, 3), filo_task_sleep(t, 0.5f, SHOW(5))), ".........",
                "121212500");
    begin();
    expect_play(filo_task_repeat(filo_task_sleep(t, 0.5f, SHOW(1)), 1), "...", "100");
}

FILO_SF_PREDICATE(above_4, int32_t, x) { return x > 4; }

FILO_TEST(a_task_is_repeated_until_its_value_fits) {
    begin();
    FiloTask ask = filo_task(t, filo_sf_constant(b, SHOW(1)), filo_sf_not_yet(knock()), FILO_TYPE(int32_t));
    expect_run(filo_task_to_sf(filo_task_repeat_until(ask, &above_4)), ".3.4.6.7", 3,
               (const char *[]){ "11111000", "00000100", "00000600" });
}

FILO_SF_PREDICATE(at_most_3, int32_t, i) { return i <= 3; }
FILO_SF_FUNCTION(plus_1, int32_t, int32_t, i) { return i + 1; }

static FiloTask count_from(int32_t first) {
    FiloSfBranch round = filo_sf_branch(b, "round", FILO_TYPE(int32_t));
    FiloTask body = filo_task_during(t, 1, filo_sf_parameter(round));
    return filo_task_for(t, round, FILO_SF(int32_t, first), &at_most_3, &plus_1, body);
}

FILO_TEST(a_loop_counts_as_in_c) {
    begin();
    expect_play(filo_task_then(count_from(1), filo_task_sleep(t, 0.5f, SHOW(9))), "........", "11223390");
    begin();
    expect_play(filo_task_then(count_from(3), filo_task_sleep(t, 0.5f, SHOW(9))), "....", "3390");
    begin(); // the condition is tested before the first time
    expect_play(filo_task_then(count_from(4), filo_task_sleep(t, 0.5f, SHOW(9))), "....", "9000");
}

static FiloTask show_square(size_t i, void *user) {
    FiloTasks *tasks = user;
    return filo_task_sleep(*tasks, 0.5f, SHOW((int32_t)(i * i)));
}

FILO_TEST(a_task_is_made_for_each_number) {
    begin();
    expect_play(filo_task_for_each(4, show_square, &t), "......", "014900");
}

// ---- Running ----------------------------------------------------------------------------------------------------

FILO_TEST(a_running_task_is_on_the_left_and_its_value_on_the_right) {
    begin();
    FiloTask ask = filo_task(t, filo_sf_constant(b, SHOW(2)), knock(), FILO_TYPE(int32_t));
    FiloSf run = filo_task_run(ask, SHOW(0));
    FiloSf elements[] = { filo_sf_is_left(run), filo_sf_left_value(run, SHOW(7)),
                          filo_sf_right_value(run, SHOW(8)) };
    expect_run(filo_sf_tuple(b, elements, 3), "..5.6", 3, (const char *[]){ "11000", "22777", "88555" });
    begin();
    run = filo_task_run(filo_task_sleep(t, 1, SHOW(3)), FILO_SF_NONE);
    FiloSf more[] = { filo_sf_left_value(run, SHOW(7)), filo_sf_right_value(run, FILO_SF(bool, false)) };
    expect_run(filo_sf_tuple(b, more, 2), "....", 2, (const char *[]){ "3377", "0011" });
}

FILO_TEST(the_event_of_the_end_occurs_once) {
    begin();
    FiloSf pair = filo_task_to_sf(filo_task_wait(t, SHOW(1), knock()));
    expect_run(pair, ".1.1.1", 2, (const char *[]){ "100000", "010000" });
}

FILO_TEST(outputs_may_be_tuples_with_events) {
    FiloSfBuilderDesc desc = with_input(FILO_TYPE(int32_t), true);
    b = filo_sf_builder_create(&desc);
    FiloSf silence = filo_sf_never(b, NULL);
    FiloTasks loud = filo_tasks(filo_sf_pair(filo_sf_constant(b, SHOW(0)), silence));
    FiloSf bang = filo_sf_pair(filo_sf_constant(b, SHOW(2)), filo_sf_now(b, FILO_SF_NONE));
    FiloSf quiet = filo_sf_pair(filo_sf_constant(b, SHOW(1)), silence);
    FiloTask scene = filo_task_list(filo_task_during(loud, 1, quiet), filo_task_during(loud, 1, bang));
    expect_run(filo_task_play(scene), "......", 2, (const char *[]){ "112200", "001000" });
}

FILO_TEST(the_state_does_not_grow_with_a_list) {
    size_t sizes[2];
    for (int i = 0; i < 2; i++) {
        begin();
        FiloNetwork *network = compile(filo_task_play(filo_task_for_each(i == 0 ? 3 : 30, show_square, &t)));
        sizes[i] = filo_network_state_size(network);
        filo_network_destroy(network);
    }
    assert_int_equal(sizes[0], sizes[1]);
}

FILO_TEST(named_tasks_are_branches_with_these_names) {
    begin();
    FiloTask scene = filo_task_list(filo_task_named(filo_task_sleep(t, 1, SHOW(1)), "hello"),
                                    filo_task_named(filo_task_sleep(t, 1, SHOW(2)), "bye"));
    FiloNetwork *network = compile(filo_task_play(scene));
    char text[16384];
    filo_network_print(network, text, sizeof text);
    assert_contains(text, "bye");
    assert_contains(text, "end");
    filo_network_destroy(network);
}

// ---- Mistakes ---------------------------------------------------------------------------------------------------

FILO_TEST(an_output_of_another_type_is_an_error_of_the_network) {
    begin();
    FiloTask wrong = filo_task_list(filo_task_sleep(t, 1, SHOW(1)), filo_task_sleep(t, 1, FILO_SF(float, 2)));
    FiloNetwork *network = NULL;
    FiloResult r = filo_network_create(&network, filo_task_play(wrong), NULL);
    assert_int_equal(r.code, FILO_ERROR_KIND);
    assert_contains(r.message, "float");
    assert_contains(r.message, "int32_t");
    assert_null(network);
    filo_sf_builder_destroy(b);
}

FILO_TEST(a_value_of_another_type_is_an_error_of_the_network) {
    begin();
    FiloTask ask = filo_task(t, filo_sf_constant(b, SHOW(1)), knock(), FILO_TYPE(int32_t));
    FiloSfBranch asked = filo_sf_branch(b, "asked", FILO_TYPE(float));
    FiloTask both = filo_task_bind(ask, asked, filo_task_sleep(t, 1, SHOW(2)));
    FiloNetwork *network = NULL;
    FiloResult r = filo_network_create(&network, filo_task_play(both), NULL);
    assert_int_equal(r.code, FILO_ERROR_KIND);
    assert_contains(r.message, "asked");
    filo_sf_builder_destroy(b);
}

FILO_TEST(misuse_is_reported) {
    begin();
    FiloTask sleep = filo_task_sleep(t, 1, SHOW(1)), none = { 0 };
    expect_fault("task 1 of a list is {0}", filo_task_list(sleep, none));
    expect_fault("pass a list of 1 to 256 tasks, not of 0", filo_task_sequence(&sleep, 0));
    expect_fault("pass a list of 1 to 256 tasks, not of 300", filo_task_sequence(&sleep, 300));
    expect_fault("pass a task made by", filo_task_play(none));
    expect_fault("pass a task made by", filo_task_for_ever(none));
    expect_fault("pass a task made by", filo_task_time_out(none, 1));
    expect_fault("repeat a task at least once", filo_task_repeat(sleep, 0));
    expect_fault("pass a predicate", filo_task_repeat_until(sleep, NULL));
    expect_fault("pass the type of the signal", filo_task_snap(t, knock(), NULL));
    expect_fault("pass what filo_tasks returned", filo_task_sleep((FiloTasks){ 0 }, 1, SHOW(1)));
    expect_fault("pass the event at which the task is aborted", filo_task_abort_when(sleep, (FiloSf){ 0 }));
    expect_fault("pass the branch", filo_task_bind(sleep, (FiloSfBranch){ 0 }, sleep));
    expect_fault("a function that makes 1 to 256 tasks", filo_task_for_each(0, show_square, &t));
    filo_sf_builder_destroy(b);
}

FILO_TEST(without_memory_the_network_is_not_created_and_nothing_leaks) {
    filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    bool more = true;
    size_t fail_at = 0;
    for (; more; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, fail_at);
        FiloSfBuilderDesc desc = with_input(FILO_TYPE(int32_t), true);
        desc.allocator = &failing.allocator;
        b = filo_sf_builder_create(&desc);
        FiloNetwork *network = NULL;
        if (b != NULL) {
            t = filo_tasks(filo_sf_constant(b, SHOW(0)));
            FiloTask scene = filo_task_list(filo_task_repeat(filo_task_sleep(t, 1, SHOW(1)), 2),
                                            filo_task_time_out(filo_task_wait(t, SHOW(2), knock()), 3),
                                            filo_task_return(t, SHOW(1)));
            FiloResult r = filo_network_create(&network, filo_task_run(scene, SHOW(0)), &failing.allocator);
            assert_int_equal(r.code == FILO_OK, network != NULL);
        }
        more = failing.calls > fail_at;
        assert_true((network == NULL) == more);
        filo_network_destroy(network);
        filo_sf_builder_destroy(b);
        assert_int_equal(failing.blocks, 0);
    }
    assert_true(fail_at > 10);
}
