#include "embed_fixture.h"

// ---- Networks ---------------------------------------------------------------------------------------------------

typedef enum Mode { MODE_WALK = 3, MODE_RUN = 5 } Mode;
FILO_REFLECT_ENUM(Mode, FILO_VALUE(MODE_WALK, "walk"), FILO_VALUE(MODE_RUN, "run"))

typedef struct Order {
    FiloVec2 target;
    float speed;
    uint8_t level;
    int16_t offset;
    bool urgent;
    Mode mode;
    char name[16];
    float path[3];
} Order;
FILO_REFLECT(Order, FILO_FIELD(FiloVec2, target), FILO_FIELD(float, speed, .min = 1, .max = 2),
             FILO_FIELD(uint8_t, level), FILO_FIELD(int16_t, offset), FILO_FIELD(bool, urgent),
             FILO_FIELD(Mode, mode), FILO_FIELD(char, name), FILO_FIELD(float, path))

static FiloSf identity(FiloSfBuilder *b) { return filo_sf_input(b); }

// Inputs: a float, a bool, an event with an int, a struct. Leaves: 0, 1, 2 and 3, 4.
static FiloNetwork *mixed_network(void) {
    return make_network(
        &(FiloSfBuilderDesc){ .name = "mixed",
                              .inputs = { FILO_SF_INPUT("x", float), FILO_SF_INPUT("down", bool),
                                          FILO_SF_EVENT("hit", int32_t), FILO_SF_INPUT("order", Order) } },
        identity);
}

static FiloNetwork *float_network(FiloSf (*write)(FiloSfBuilder *b)) {
    FiloSfBuilderDesc desc = with_input(FILO_TYPE(float), false);
    return make_network(&desc, write);
}

static bool same_streams(const FiloStream *a, const FiloStream *b) {
    return a->count == b->count && a->memory_size == b->memory_size &&
           memcmp(a->memory, b->memory, a->memory_size) == 0;
}

// ---- Random streams ---------------------------------------------------------------------------------------------

FILO_TEST(the_same_numbers_give_the_same_stream) {
    FiloNetwork *network = mixed_network();
    FiloStream streams[3];
    for (uint64_t i = 0; i < 3; i++) {
        FiloRandom random = filo_random_keyed(i / 2, 0, 0, 0);
        assert_ok(filo_stream_random(&streams[i], network, &(FiloStreamDesc){ .min_count = 20 }, &random));
    }
    assert_true(same_streams(&streams[0], &streams[1]));
    assert_false(same_streams(&streams[0], &streams[2]));
    for (int i = 0; i < 3; i++) filo_stream_deinit(&streams[i]);
    filo_network_destroy(network);
}

FILO_TEST(counts_are_between_the_limits) {
    FiloNetwork *network = mixed_network();
    FiloRandom random = filo_random_sequence(3);
    unsigned seen[6] = { 0 };
    for (int i = 0; i < 200; i++) {
        FiloStream stream;
        FiloStreamDesc desc = { .min_count = 2, .max_count = 5 };
        assert_ok(filo_stream_random(&stream, network, &desc, &random));
        assert_in_range(stream.count, 2, 5);
        seen[stream.count]++;
        filo_stream_deinit(&stream);
        assert_ok(filo_stream_random(&stream, network, NULL, &random));
        assert_in_range(stream.count, 0, 40);
        filo_stream_deinit(&stream);
    }
    for (int i = 2; i <= 5; i++) assert_true(seen[i] > 20);
    filo_network_destroy(network);
}

FILO_TEST(deltas_have_their_distribution_and_are_above_zero) {
    FiloNetwork *network = float_network(identity);
    FiloDeltas kinds[] = { FILO_DELTAS_CONSTANT, FILO_DELTAS_NORMAL, FILO_DELTAS_UNIFORM };
    double deviations[] = { 0, 0.5, 2 / sqrt(3) }; // of a mean of 2
    for (size_t k = 0; k < 3; k++) {
        FiloRandom random = filo_random_sequence(11);
        FiloStream stream;
        FiloStreamDesc desc = { .min_count = 20000, .max_count = 20000, .deltas = kinds[k], .mean = 2 };
        assert_ok(filo_stream_random(&stream, network, &desc, &random));
        double sum = 0, squares = 0;
        for (size_t i = 0; i < stream.count; i++) {
            double delta = (double)stream.deltas[i];
            assert_true(delta > 0);
            if (kinds[k] == FILO_DELTAS_UNIFORM) assert_true(delta <= 4);
            sum += delta;
            squares += (delta - 2) * (delta - 2);
        }
        assert_true(fabs(sum / 20000 - 2) < 0.03);
        assert_true(fabs(sqrt(squares / 20000) - deviations[k]) < 0.02);
        filo_stream_deinit(&stream);
    }
    filo_network_destroy(network);
}

FILO_TEST(values_of_every_kind_are_in_their_range) {
    FiloNetwork *network = mixed_network();
    FiloRandom random = filo_random_sequence(5);
    FiloStreamDesc desc = { .min_count = 999, .max_count = 999 };
    desc.inputs[0] = (FiloStreamInput){ .low = 3, .high = 4 };
    desc.inputs[1].probability = 0.9f;
    desc.inputs[2].probability = 0.3f;
    desc.inputs[3] = (FiloStreamInput){ .low = -2, .high = 2 };
    FiloStream stream;
    assert_ok(filo_stream_random(&stream, network, &desc, &random));
    const float *x = stream.inputs[0];
    const bool *down = stream.inputs[1];
    const uint8_t *hit = stream.inputs[2];
    const int32_t *hit_value = stream.inputs[3];
    const Order *order = stream.inputs[4];
    int downs = 0, hits = 0, runs = 0, urgents = 0, values[5] = { 0 }, named = 0, high = 0;
    for (size_t i = 0; i < 1000; i++) {
        assert_true(x[i] >= 3 && x[i] < 4);
        downs += down[i];
        hits += hit[i];
        if (!hit[i]) assert_int_equal(hit_value[i], 0);
        if (hit[i]) assert_in_range(hit_value[i] + 2, 0, 4);
        if (hit[i]) values[hit_value[i] + 2]++;
        assert_true(fabsf(order[i].target.x) <= 10 && fabsf(order[i].path[2]) <= 10);
        high += order[i].path[2] > 5;
        assert_true(order[i].speed >= 1 && order[i].speed <= 2);
        assert_in_range(order[i].level, 0, 10);
        assert_in_range(order[i].offset + 10, 0, 20);
        urgents += order[i].urgent;
        assert_true(order[i].mode == MODE_WALK || order[i].mode == MODE_RUN);
        runs += order[i].mode == MODE_RUN;
        assert_true(strlen(order[i].name) <= 8);
        named += order[i].name[0] != 0;
    }
    assert_in_range(downs, 850, 950);
    assert_in_range(hits, 240, 360);
    for (int i = 0; i < 5; i++) assert_true(values[i] > 20);
    assert_in_range(runs, 400, 600);
    assert_in_range(urgents, 400, 600);
    assert_in_range(high, 180, 320);
    assert_true(named > 700);
    filo_stream_deinit(&stream);
    filo_network_destroy(network);
}

FILO_TEST(a_stream_is_printed_as_a_table) {
    FiloSfBuilderDesc desc = with_input(FILO_TYPE(float), true);
    FiloNetwork *network = make_network(&desc, identity);
    uint8_t present[] = { 0, 1, 0 }, unchanged[] = { 0, 1 };
    float values[] = { 0, 2.5f, 0 }, deltas[] = { 0.5f, 1 };
    FiloStream stream = {
        .count = 2, .deltas = deltas, .inputs = { present, values }, .unchanged = unchanged
    };
    FiloBuilder text = { 0 };
    assert_true(filo_stream_print(&stream, network, &text));
    assert_string_equal(filo_builder_text(&text), "sample  time      delta     input\n"
                                                  "0       0         0         -\n"
                                                  "1       0.5       0.5       event 2.5\n"
                                                  "2       1.5       1         event 2.5\n");
    filo_builder_deinit(&text);
    filo_network_destroy(network);
}

FILO_TEST(misuse_of_a_generator_is_reported) {
    FiloNetwork *network = mixed_network();
    FiloRandom random = filo_random_sequence(1);
    FiloStream stream;
    expect_mistake("pass a stream, a network", filo_stream_random(NULL, network, NULL, &random));
    expect_mistake("pass a stream, a network", filo_stream_random(&stream, network, NULL, NULL));
    expect_mistake(
        "min_count is 7, above max_count, which is 3",
        filo_stream_random(&stream, network, &(FiloStreamDesc){ .min_count = 7, .max_count = 3 }, &random));
    FiloStreamDesc desc = { 0 };
    desc.inputs[1] = (FiloStreamInput){ .low = 2, .high = 1 };
    expect_mistake("input 1 has the range 2 to 1", filo_stream_random(&stream, network, &desc, &random));
    filo_stream_deinit(NULL);
    filo_network_destroy(network);
}

// ---- Properties -------------------------------------------------------------------------------------------------

static bool below_7(const FiloTrace *trace, size_t sample) {
    return filo_trace_value(trace, 0, sample, float) < 7;
}
static bool at_most_10(const FiloTrace *trace, size_t sample) {
    return filo_trace_value(trace, 0, sample, float) <= 10;
}

FILO_TEST(a_property_that_holds_is_run_as_often_as_wanted) {
    FiloNetwork *network = float_network(identity);
    FiloStreamCheck check = { .seed = 1, .formula = FILO_ALWAYS(FILO_HOLDS(at_most_10)) };
    assert_ok(filo_stream_check(network, &check));
    filo_network_destroy(network);
}

FILO_TEST(a_failure_is_reduced_to_one_round_number) {
    FiloNetwork *network = float_network(identity);
    FiloBuilder report = { 0 };
    FiloStream smallest;
    FiloStreamCheck check = {
        .seed = 1, .formula = FILO_ALWAYS(FILO_HOLDS(below_7)), .report = &report, .smallest = &smallest
    };
    FiloResult r = filo_stream_check(network, &check);
    assert_error(r, FILO_ERROR_DATA, "with seed 1 fails, with 1 samples: sample 0 (0 s): below_7 is false");
    assert_int_equal(smallest.count, 0);
    float value = *(const float *)smallest.inputs[0];
    assert_true(value == 7 || value == 8 || value == 9); // a whole number near to what was drawn
    assert_contains(filo_builder_text(&report),
                    "these are enough:\nsample  time      delta     input\n0       0");
    assert_contains(filo_builder_text(&report), "below_7 is false, in always(below_7)\n");
    filo_stream_deinit(&smallest);
    filo_builder_deinit(&report);
    filo_network_destroy(network);
}

static FiloSf integral(FiloSfBuilder *b) { return filo_sf_integral(filo_sf_input(b)); }
static bool integral_below_20(const FiloTrace *trace, size_t sample) {
    return filo_trace_value(trace, 0, sample, float) < 20;
}

FILO_TEST(deltas_become_one_and_needless_samples_vanish) {
    FiloNetwork *network = float_network(integral);
    FiloStream smallest;
    FiloStreamCheck check = {
        .seed = 5,
        .runs = 400,
        .streams = { .deltas = FILO_DELTAS_UNIFORM, .mean = 1, .inputs = { { 0, 9, 0 } } },
        .formula = FILO_ALWAYS(FILO_HOLDS(integral_below_20)),
        .smallest = &smallest
    };
    assert_error(filo_stream_check(network, &check), FILO_ERROR_DATA, "integral_below_20 is false");
    // At most 9 for each second: three steps of one second or some more are needed. The last input does not count.
    assert_in_range(smallest.count, 3, 5);
    const float *x = smallest.inputs[0];
    double sum = 0;
    for (size_t i = 0; i < smallest.count; i++) {
        assert_float_equal(smallest.deltas[i], 1, 0);
        assert_float_equal(x[i], roundf(x[i]), 0);
        sum += (double)x[i];
    }
    assert_true(sum == 20); // no number can be smaller
    assert_float_equal(x[smallest.count], 0, 0);
    filo_stream_deinit(&smallest);
    filo_network_destroy(network);
}

static FiloResult no_urgent_run(const FiloNetwork *network, const FiloStream *stream, void *user) {
    (void)network;
    ++*(int *)user;
    const Order *orders = stream->inputs[4];
    for (size_t i = 0; i <= stream->count; i++)
        if (orders[i].urgent && orders[i].mode == MODE_RUN && orders[i].offset > 2)
            return filo_error(FILO_ERROR_DATA, "order %zu is wrong", i);
    return filo_ok();
}

FILO_TEST(only_what_matters_in_a_struct_is_left_and_stays_in_its_range) {
    FiloNetwork *network = mixed_network();
    FiloStream smallest;
    int runs = 0;
    FiloStreamCheck check = { .seed = 2, .property = no_urgent_run, .user = &runs, .smallest = &smallest };
    assert_error(filo_stream_check(network, &check), FILO_ERROR_DATA, "with 1 samples: order 0 is wrong");
    const Order *order = smallest.inputs[4];
    assert_true(order->urgent);
    assert_int_equal(order->mode, MODE_RUN);
    assert_int_equal(order->offset, 3);
    assert_int_equal(order->level, 0);
    assert_float_equal(order->target.x, 0, 0);
    assert_float_equal(order->speed, 1, 0); // 0 is outside of its range
    assert_float_equal(*(const float *)smallest.inputs[0], 0, 0);
    assert_int_equal(*(const uint8_t *)smallest.inputs[2], 0);
    assert_true(runs < 5000);
    filo_stream_deinit(&smallest);
    filo_network_destroy(network);
}

// ---- Events of the input --------------------------------------------------------------------------------------

static FiloSf count_hits(FiloSfBuilder *b) {
    return filo_sf_hold(filo_sf_count(filo_sf_input(b)), FILO_SF(int32_t, 0));
}
static bool under_three(const FiloTrace *trace, size_t sample) {
    return filo_trace_value(trace, 0, sample, int32_t) < 3;
}

FILO_TEST(events_that_do_not_matter_are_removed) {
    FiloSfBuilderDesc desc = with_input(FILO_TYPE(float), true);
    FiloNetwork *network = make_network(&desc, count_hits);
    FiloStream smallest;
    FiloStreamCheck check = { .seed = 9,
                              .formula = FILO_ALWAYS(FILO_HOLDS(under_three)),
                              .smallest = &smallest };
    assert_error(filo_stream_check(network, &check), FILO_ERROR_DATA, "sample 2 (0.0333333 s)");
    assert_int_equal(smallest.count, 2); // three samples, each with an event whose value does not matter
    for (int i = 0; i < 3; i++) {
        assert_int_equal(((const uint8_t *)smallest.inputs[0])[i], 1);
        assert_float_equal(((const float *)smallest.inputs[1])[i], 0, 0);
    }
    filo_stream_deinit(&smallest);
    filo_network_destroy(network);
}

FILO_TEST(the_smallest_stream_is_the_same_every_time) {
    FiloNetwork *network = float_network(integral);
    char first[1024] = "";
    for (int i = 0; i < 2; i++) {
        FiloBuilder report = { 0 };
        FiloStreamCheck check = { .seed = 5,
                                  .streams = { .deltas = FILO_DELTAS_NORMAL, .mean = 1 },
                                  .formula = FILO_ALWAYS(FILO_HOLDS(integral_below_20)),
                                  .report = &report };
        assert_int_equal(filo_stream_check(network, &check).code, FILO_ERROR_DATA);
        if (i == 0)
            snprintf(first, sizeof first, "%s", filo_builder_text(&report));
        else
            assert_string_equal(first, filo_builder_text(&report));
        filo_builder_deinit(&report);
    }
    filo_network_destroy(network);
}

FILO_TEST(reducing_stops_when_the_tries_are_used_up) {
    FiloNetwork *network = mixed_network();
    int runs = 0;
    FiloStreamCheck check = { .seed = 2, .property = no_urgent_run, .user = &runs, .tries = 10 };
    assert_error(filo_stream_check(network, &check), FILO_ERROR_DATA, "is wrong");
    assert_true(runs <= 10 + 100);
    filo_network_destroy(network);
}

FILO_TEST(a_check_without_memory_ends_with_that) {
    FiloNetwork *network = float_network(identity);
    filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    bool more = true;
    int out_of_memory = 0;
    for (size_t fail_at = 0; more; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, fail_at);
        FiloStream smallest = { 0 };
        FiloStreamCheck check = {
            .seed = 1,
            .streams = { .min_count = 3, .max_count = 3, .allocator = &failing.allocator },
            .formula = FILO_ALWAYS(FILO_HOLDS(below_7)),
            .tries = 5,
            .smallest = &smallest
        };
        FiloResult r = filo_stream_check(network, &check);
        more = failing.calls > fail_at;
        out_of_memory += r.code == FILO_ERROR_MEMORY;
        assert_true(r.code == FILO_ERROR_MEMORY || r.code == FILO_ERROR_DATA);
        filo_stream_deinit(&smallest);
        assert_int_equal(failing.blocks, 0);
    }
    assert_true(out_of_memory > 3);
    filo_network_destroy(network);
}

FILO_TEST(misuse_of_a_check_is_reported) {
    FiloNetwork *network = float_network(identity);
    expect_mistake("pass a network and what to check", filo_stream_check(NULL, &(FiloStreamCheck){ 0 }));
    expect_mistake("pass a network and what to check", filo_stream_check(network, NULL));
    expect_mistake("set `formula` or `property`", filo_stream_check(network, &(FiloStreamCheck){ 0 }));
    filo_network_destroy(network);
}
