#include "embed_fixture.h"

// ---- Networks ---------------------------------------------------------------------------------------------------

static FiloSf integral(FiloSfBuilder *b) { return filo_sf_integral(filo_sf_input(b)); }
static FiloSf time_and_input(FiloSfBuilder *b) { return filo_sf_pair(filo_sf_time(b), filo_sf_input(b)); }
static FiloSf just_time(FiloSfBuilder *b) { return filo_sf_time(b); }
static FiloSf count_events(FiloSfBuilder *b) {
    return filo_sf_hold(filo_sf_count(filo_sf_input(b)), FILO_SF(int32_t, 0));
}
static FiloSf noise(FiloSfBuilder *b) { return filo_sf_noise(b, 0, 1); }
static FiloSf short_delay(FiloSfBuilder *b) {
    return filo_sf_delay(filo_sf_input(b), 1, FILO_SF(float, 0), 2);
}

static FiloNetwork *float_network(FiloSf (*write)(FiloSfBuilder *b)) {
    FiloSfBuilderDesc desc = with_input(FILO_TYPE(float), false);
    return make_network(&desc, write);
}

// ---- Runs -------------------------------------------------------------------------------------------------------

FILO_TEST(a_run_gives_an_output_for_the_first_input_and_each_further_sample) {
    FiloNetwork *network = float_network(integral);
    float x[] = { 1, 2, 4, 100 }, deltas[] = { 0.5f, 0.25f, 2 }, y[4];
    assert_ok(filo_embed(network, &(FiloStream){ .count = 3, .deltas = deltas, .inputs = { x } },
                         &(FiloEmbed){ .outputs = { y } }));
    // The rectangle rule, with the value at the beginning of each step.
    float expected[] = { 0, 0.5f, 0.5f + 0.5f, 1.0f + 8.0f };
    for (int i = 0; i < 4; i++) assert_float_equal(y[i], expected[i], 0);
    filo_network_destroy(network);
}

FILO_TEST(a_stream_without_further_samples_has_one_output) {
    FiloNetwork *network = float_network(integral);
    float x[] = { 7 }, y[] = { -1 };
    assert_ok(filo_embed(network, &(FiloStream){ .inputs = { x } }, &(FiloEmbed){ .outputs = { y } }));
    assert_float_equal(y[0], 0, 0);
    filo_network_destroy(network);
}

FILO_TEST(a_constant_delta_needs_no_array) {
    FiloNetwork *network = make_network(&no_input, just_time);
    float y[5];
    assert_ok(
        filo_embed(network, &(FiloStream){ .count = 4, .delta = 0.25f }, &(FiloEmbed){ .outputs = { y } }));
    for (int i = 0; i < 5; i++) assert_float_equal(y[i], 0.25f * (float)i, 0);
    filo_network_destroy(network);
}

FILO_TEST(missing_inputs_are_zeroes_and_missing_outputs_are_not_written) {
    FiloNetwork *network = float_network(time_and_input);
    float x[3] = { 5, 5, 5 };
    assert_ok(
        filo_embed(network, &(FiloStream){ .count = 2, .delta = 1 }, &(FiloEmbed){ .outputs = { NULL, x } }));
    for (int i = 0; i < 3; i++) assert_float_equal(x[i], 0, 0);
    filo_network_destroy(network);
}

FILO_TEST(an_unchanged_input_repeats_the_one_before) {
    FiloNetwork *network = float_network(time_and_input);
    float x[] = { 1, 99, 99, 4, 99 }, y[5];
    uint8_t unchanged[] = { 1, 1, 0, 1 };
    assert_ok(filo_embed(network,
                         &(FiloStream){ .count = 4, .delta = 1, .inputs = { x }, .unchanged = unchanged },
                         &(FiloEmbed){ .outputs = { NULL, y } }));
    float expected[] = { 1, 1, 1, 4, 4 };
    for (int i = 0; i < 5; i++) assert_float_equal(y[i], expected[i], 0);
    filo_network_destroy(network);
}

FILO_TEST(an_unchanged_event_occurs_again) {
    FiloSfBuilderDesc desc = with_input(NULL, true);
    FiloNetwork *network = make_network(&desc, count_events);
    uint8_t x[] = { 1, 0, 0, 0 }, unchanged[] = { 1, 0, 1 };
    int32_t y[4];
    assert_ok(filo_embed(network,
                         &(FiloStream){ .count = 3, .delta = 1, .inputs = { x }, .unchanged = unchanged },
                         &(FiloEmbed){ .outputs = { y } }));
    int32_t expected[] = { 1, 2, 2, 2 };
    assert_memory_equal(y, expected, sizeof expected);
    filo_network_destroy(network);
}

FILO_TEST(random_numbers_depend_on_seed_and_id) {
    FiloNetwork *network = make_network(&no_input, noise);
    FiloStream stream = { .count = 9, .delta = 1 };
    float a[10], b[10], c[10], d[10];
    assert_ok(filo_embed(network, &stream, &(FiloEmbed){ .outputs = { a }, .seed = 1, .id = 7 }));
    assert_ok(filo_embed(network, &stream, &(FiloEmbed){ .outputs = { b }, .seed = 1, .id = 7 }));
    assert_ok(filo_embed(network, &stream, &(FiloEmbed){ .outputs = { c }, .seed = 2, .id = 7 }));
    assert_ok(filo_embed(network, &stream, &(FiloEmbed){ .outputs = { d }, .seed = 1, .id = 8 }));
    assert_memory_equal(a, b, sizeof a);
    assert_memory_not_equal(a, c, sizeof a);
    assert_memory_not_equal(a, d, sizeof a);
    filo_network_destroy(network);
}

FILO_TEST(the_state_of_the_caller_is_overwritten_and_can_go_on) {
    FiloNetwork *network = float_network(integral);
    _Alignas(8) uint8_t memory[256];
    assert_true(filo_network_state_size(network) <= sizeof memory);
    memset(memory, 0xAB, sizeof memory);
    float x[] = { 1, 3 }, y = 0;
    FailingAllocator failing = FAILING_AT(failing, 0);
    assert_ok(filo_embed(network, &(FiloStream){ .count = 1, .delta = 1, .inputs = { x } },
                         &(FiloEmbed){ .state = memory, .allocator = &failing.allocator }));
    assert_int_equal(failing.calls, 0);
    FiloSfRows rows = { .count = 1, .states = memory, .delta = 2, .inputs = { x }, .outputs = { &y } };
    assert_ok(filo_network_step(network, &rows));
    assert_float_equal(y, 1 + 2 * 3, 0);
    filo_network_destroy(network);
}

FILO_TEST(an_error_of_a_step_is_told_with_its_sample_and_the_run_goes_on) {
    FiloNetwork *network = float_network(short_delay);
    float x[8], y[8];
    for (int i = 0; i < 8; i++) x[i] = (float)(i + 1);
    memset(y, 0xFF, sizeof y);
    FiloResult r = filo_embed(network, &(FiloStream){ .count = 7, .delta = 0.125f, .inputs = { x } },
                              &(FiloEmbed){ .outputs = { y } });
    assert_error(r, FILO_ERROR_LIMIT, "sample ");
    assert_contains(r.message, " s): ");
    for (int i = 0; i < 8; i++) assert_true(y[i] == y[i]);
    filo_network_destroy(network);
}

FILO_TEST(a_run_with_a_wrong_delta_changes_nothing) {
    FiloNetwork *network = float_network(integral);
    float deltas[] = { 1, -1 }, y[3] = { 5, 5, 5 };
    FiloTrace trace = { 0 };
    FiloEmbed embed = { .outputs = { y }, .trace = &trace };
    expect_mistake("delta 1 of the stream is -1: give seconds that are not negative",
                   filo_embed(network, &(FiloStream){ .count = 2, .deltas = deltas }, &embed));
    deltas[1] = NAN;
    expect_mistake("delta 1 of the stream is",
                   filo_embed(network, &(FiloStream){ .count = 2, .deltas = deltas }, &embed));
    expect_mistake("delta 0 of the stream is inf",
                   filo_embed(network, &(FiloStream){ .count = 2, .delta = INFINITY }, &embed));
    assert_float_equal(y[0], 5, 0);
    assert_null(trace.times);
    filo_network_destroy(network);
}

FILO_TEST(a_run_needs_a_network_a_stream_and_outputs) {
    FiloNetwork *network = float_network(integral);
    expect_mistake("pass a network, a stream", filo_embed(NULL, &(FiloStream){ 0 }, &(FiloEmbed){ 0 }));
    expect_mistake("pass a network, a stream", filo_embed(network, NULL, &(FiloEmbed){ 0 }));
    expect_mistake("pass a network, a stream", filo_embed(network, &(FiloStream){ 0 }, NULL));
    filo_network_destroy(network);
}

FILO_TEST(a_run_without_memory_leaves_the_trace_as_it_was) {
    FiloNetwork *network = float_network(time_and_input);
    filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    bool more = true;
    for (size_t fail_at = 0; more; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
        FiloTrace trace = { .allocator = &failing.allocator };
        FiloEmbed embed = { .trace = &trace, .allocator = &failing.allocator };
        assert_ok(filo_embed(network, &(FiloStream){ .count = 2, .delta = 1 }, &embed));
        failing.fail_at = failing.calls + fail_at;
        FiloResult r = filo_embed(network, &(FiloStream){ .count = 100, .delta = 1 }, &embed);
        more = failing.calls > failing.fail_at;
        assert_int_equal(r.code, more ? FILO_ERROR_MEMORY : FILO_OK);
        assert_int_equal(trace.count, more ? 3 : 101);
        assert_true(trace.times[2] == 2);
        filo_trace_deinit(&trace);
        assert_int_equal(failing.blocks, 0);
        assert_true(fail_at < 100);
    }
    filo_network_destroy(network);
}

// ---- Delta encoding ---------------------------------------------------------------------------------------------

FILO_TEST(equal_neighbours_are_unchanged) {
    float values[] = { 1, 1, 2, 0, -0.0f, 2 }, deltas[5];
    uint8_t unchanged[5];
    assert_int_equal(filo_delta_encode(0.1f, FILO_TYPE(float), values, 5, deltas, unchanged), 2);
    uint8_t expected[] = { 1, 0, 0, 1, 0 };
    assert_memory_equal(unchanged, expected, sizeof expected);
    for (int i = 0; i < 5; i++) assert_float_equal(deltas[i], 0.1f, 0);
    assert_int_equal(filo_delta_encode(0.1f, FILO_TYPE(float), values, 0, NULL, NULL), 0);
}

static bool nearly_equal(const void *a, const void *b) {
    return fabsf(*(const float *)a - *(const float *)b) < 0.25f;
}

FILO_TEST(a_function_decides_what_is_equal) {
    float values[] = { 1, 1.125f, 1.25f, 2 };
    uint8_t unchanged[3];
    // Each is compared with the one before, not with the last that was different.
    assert_int_equal(filo_delta_encode_by(1, sizeof(float), values, 3, nearly_equal, NULL, unchanged), 2);
    uint8_t expected[] = { 1, 1, 0 };
    assert_memory_equal(unchanged, expected, sizeof expected);
}

FILO_TEST(encoding_needs_values_and_flags) {
    float values[] = { 1, 2 };
    uint8_t flags[1];
    expect_fault("pass a type, values and an array for flags",
                 filo_delta_encode(1, NULL, values, 1, NULL, flags));
    expect_fault("pass a type, values and an array for flags",
                 filo_delta_encode(1, FILO_TYPE(float), values, 1, NULL, NULL));
    expect_fault("a function that compares them",
                 filo_delta_encode_by(1, sizeof(float), values, 1, NULL, NULL, flags));
}

FILO_TEST(an_encoded_stream_gives_the_same_outputs) {
    FiloNetwork *network = float_network(integral);
    float x[] = { 1, 1, 1, 3, 3, 2, 2, 2 }, deltas[7], all[8], encoded[8];
    uint8_t unchanged[7];
    filo_delta_encode(0.5f, FILO_TYPE(float), x, 7, deltas, unchanged);
    FiloStream stream = { .count = 7, .deltas = deltas, .inputs = { x } };
    assert_ok(filo_embed(network, &stream, &(FiloEmbed){ .outputs = { all } }));
    stream.unchanged = unchanged;
    assert_ok(filo_embed(network, &stream, &(FiloEmbed){ .outputs = { encoded } }));
    assert_memory_equal(all, encoded, sizeof all);
    filo_network_destroy(network);
}

// ---- Traces -----------------------------------------------------------------------------------------------------

FILO_TEST(a_trace_has_the_times_and_all_leaves) {
    FiloNetwork *network = float_network(time_and_input);
    float x[] = { 5, 6, 7 }, deltas[] = { 0.5f, 0.25f }, kept[3];
    FiloTrace trace = { 0 };
    assert_ok(filo_embed(network, &(FiloStream){ .count = 2, .deltas = deltas, .inputs = { x } },
                         &(FiloEmbed){ .trace = &trace, .outputs = { NULL, kept } }));
    assert_int_equal(trace.count, 3);
    assert_int_equal(trace.leaf_count, 2);
    double times[] = { 0, 0.5, 0.75 };
    for (size_t i = 0; i < 3; i++) {
        assert_true(trace.times[i] == times[i]);
        assert_float_equal(filo_trace_value(&trace, 0, i, float), (float)times[i], 0);
        assert_float_equal(filo_trace_value(&trace, 1, i, float), x[i], 0);
        assert_float_equal(kept[i], x[i], 0);
    }
    assert_null(filo_trace_at(&trace, 0, 3));
    assert_null(filo_trace_at(&trace, 2, 0));
    filo_trace_deinit(&trace);
    filo_network_destroy(network);
}

FILO_TEST(a_second_run_replaces_the_first_in_the_same_memory) {
    FiloNetwork *network = float_network(time_and_input);
    FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
    FiloTrace trace = { .allocator = &failing.allocator };
    assert_ok(filo_embed(network, &(FiloStream){ .count = 50, .delta = 1 }, &(FiloEmbed){ .trace = &trace }));
    size_t calls = failing.calls;
    assert_ok(filo_embed(network, &(FiloStream){ .count = 20, .delta = 2 }, &(FiloEmbed){ .trace = &trace }));
    assert_int_equal(trace.count, 21);
    assert_true(trace.times[20] == 40);
    assert_int_equal(failing.calls, calls);
    filo_trace_deinit(&trace);
    assert_int_equal(failing.blocks, 0);
    filo_network_destroy(network);
}

FILO_TEST(a_trace_grows_sample_by_sample_and_survives_a_lack_of_memory) {
    FiloNetwork *network = float_network(time_and_input);
    filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
    FiloTrace trace = { .allocator = &failing.allocator };
    assert_true(filo_trace_begin(&trace, network, 0));
    for (int i = 0; i < 1000; i++) {
        float a = (float)i, b = (float)-i;
        size_t allowed = 0;
        for (;; allowed++) { // fails at each of the calls that a growth needs
            failing_allow(&failing, allowed);
            bool added = filo_trace_add(&trace, i, (const void *[]){ &a, &b });
            failing_end(&failing);
            assert_int_equal(trace.count, added ? i + 1 : i);
            if (added) break;
        }
        assert_true(allowed == 0 || allowed == 3);
    }
    for (size_t i = 0; i < 1000; i++) {
        assert_true(trace.times[i] == (double)i);
        assert_float_equal(filo_trace_value(&trace, 1, i, float), -(float)i, 0);
    }
    filo_trace_deinit(&trace);
    assert_int_equal(failing.blocks, 0);
    filo_network_destroy(network);
}

FILO_TEST(the_last_sample_before_a_time_is_found) {
    FiloNetwork *network = float_network(integral);
    FiloTrace trace = { 0 };
    assert_int_equal(filo_trace_find(&trace, 1), 0);
    assert_ok(filo_embed(network, &(FiloStream){ .count = 4, .delta = 1 }, &(FiloEmbed){ .trace = &trace }));
    assert_int_equal(filo_trace_find(&trace, -1), 0);
    assert_int_equal(filo_trace_find(&trace, 0.5), 0);
    assert_int_equal(filo_trace_find(&trace, 1), 1);
    assert_int_equal(filo_trace_find(&trace, 3.9), 3);
    assert_int_equal(filo_trace_find(&trace, 100), 4);
    filo_trace_deinit(&trace);
    filo_network_destroy(network);
}

FILO_TEST(misuse_of_a_trace_is_reported) {
    FiloTrace trace = { 0 };
    float a = 0;
    expect_fault("call filo_trace_begin first", filo_trace_add(&trace, 0, (const void *[]){ &a }));
    expect_fault("pass a trace and a network", filo_trace_begin(&trace, NULL, 0));
    FiloNetwork *network = float_network(integral);
    assert_true(filo_trace_begin(&trace, network, 0));
    expect_fault("pass a value for leaf 0", filo_trace_add(&trace, 0, (const void *[]){ NULL }));
    assert_int_equal(trace.count, 0);
    filo_trace_deinit(&trace);
    filo_trace_deinit(NULL);
    filo_network_destroy(network);
}

// ---- Playing ----------------------------------------------------------------------------------------------------

// A run with samples at 0, 1, 2, 3 and 4 s, whose output is the time.
static FiloTrace seconds(FiloNetwork *network) {
    FiloTrace trace = { 0 };
    assert_ok(filo_embed(network, &(FiloStream){ .count = 4, .delta = 1 }, &(FiloEmbed){ .trace = &trace }));
    return trace;
}

FILO_TEST(a_run_is_played_at_a_ratio_of_the_time_outside) {
    FiloNetwork *network = make_network(&no_input, just_time);
    FiloTrace trace = seconds(network);
    FiloPlayer player = { 0 };
    struct {
        float delta, ratio, shown;
        double time;
    } steps[] = {
        { 9, 9, 0, 0 },            // the first step: no time passes
        { 0.5f, 1, 0, 0.5 },       //
        { 0.5f, 1, 1, 1 },         // a sample counts from its time on
        { 1, 0, 1, 1 },            // pause
        { 1, 0.5f, 1, 1.5 },       // slow
        { 0.25f, 4, 2, 2.5 },      // fast
        { 1, 1.25f, 3, 3.75 },     //
        { 100, 100, 4, 10003.75 }, // the last sample stays
        { 1, 1, 4, 10004.75 },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(steps); i++) {
        FiloPlayer moved = player; // nothing in it depends on its address
        float shown = -1;
        assert_ok(filo_player_step(&moved, &trace, steps[i].delta, steps[i].ratio, (void *[]){ &shown }));
        assert_float_equal(shown, steps[i].shown, 0);
        assert_true(moved.time == steps[i].time);
        player = moved;
    }
    filo_trace_deinit(&trace);
    filo_network_destroy(network);
}

FILO_TEST(a_player_refuses_to_go_back_and_stays_as_it_is) {
    FiloNetwork *network = make_network(&no_input, just_time);
    FiloTrace trace = seconds(network), empty = { 0 };
    FiloPlayer player = { 0 };
    float shown = -1;
    void *outputs[] = { &shown };
    assert_ok(filo_player_step(&player, &trace, 0, 1, outputs));
    assert_ok(filo_player_step(&player, &trace, 2, 1, outputs));
    FiloPlayer before = player;
    expect_mistake("a run is not played backwards", filo_player_step(&player, &trace, 1, -0.5f, outputs));
    expect_mistake("a run is not played backwards", filo_player_step(&player, &trace, -1, 1, outputs));
    expect_mistake("a run is not played backwards", filo_player_step(&player, &trace, 1, NAN, outputs));
    expect_mistake("the trace has no samples", filo_player_step(&player, &empty, 1, 1, outputs));
    expect_mistake("pass a player", filo_player_step(NULL, &trace, 1, 1, outputs));
    assert_true(filo_reflect_equal(FILO_TYPE(FiloPlayer), &before, &player));
    assert_float_equal(shown, 2, 0);
    filo_trace_deinit(&trace);
    filo_network_destroy(network);
}
