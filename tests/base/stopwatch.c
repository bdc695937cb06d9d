#include <filo/random.h>
#include <filo/time.h>

#include "support/failing_allocator.h"

#include <math.h>
#include <stdlib.h>

static FiloStopwatch made(void) {
    FiloStopwatch stopwatch;
    assert_ok(filo_stopwatch_init(&stopwatch, "test", NULL));
    return stopwatch;
}

static int ascending(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

// From a nanosecond to an hour, each order of magnitude as likely as another.
static int64_t any_duration(FiloRandom *random) {
    uint64_t magnitude = UINT64_C(1) << filo_random_below(random, 42);
    return (int64_t)(magnitude + filo_random_below_u64(random, magnitude));
}

static void assert_near(double value, double expected, double relative) {
    if (fabs(value - expected) > fabs(expected) * relative) fail_msg("%.17g is not %.17g", value, expected);
}

// ---- Samples ------------------------------------------------------------------------------------------

FILO_TEST(an_empty_stopwatch_is_zero_everywhere) {
    FiloStopwatch stopwatch = made();
    FiloStopwatchSummary s = filo_stopwatch_summary(&stopwatch);
    assert_int_equal(s.count, 0);
    assert_int_equal(s.min_ns, 0);
    assert_int_equal(s.max_ns, 0);
    assert_true(s.mean_ns == 0 && s.deviation_ns == 0);
    assert_int_equal(s.p50_ns, 0);
    assert_int_equal(s.p999_ns, 0);
    assert_int_equal(filo_stopwatch_percentile(&stopwatch, 50), 0);
    char line[FILO_STOPWATCH_LINE_SIZE];
    filo_stopwatch_print(&stopwatch, line, sizeof line);
    assert_string_equal(line, "test: no samples");
    filo_stopwatch_deinit(&stopwatch);
}

FILO_TEST(one_sample_is_every_percentile) {
    FiloStopwatch stopwatch = made();
    filo_stopwatch_add(&stopwatch, 123456789);
    FiloStopwatchSummary s = filo_stopwatch_summary(&stopwatch);
    assert_int_equal(s.count, 1);
    assert_int_equal(s.min_ns, 123456789);
    assert_int_equal(s.p50_ns, 123456789);
    assert_int_equal(s.p999_ns, 123456789);
    assert_int_equal(s.max_ns, 123456789);
    assert_true(s.mean_ns == 123456789.0 && s.deviation_ns == 0);
    filo_stopwatch_deinit(&stopwatch);
}

FILO_TEST(seven_runs_have_the_median_in_their_middle) {
    static const int64_t runs[] = { 900, 120, 250, 101, 130, 111, 140 };
    FiloStopwatch stopwatch = made();
    for (size_t i = 0; i < FILO_COUNT_OF(runs); i++) filo_stopwatch_add(&stopwatch, runs[i]);
    FiloStopwatchSummary s = filo_stopwatch_summary(&stopwatch);
    assert_int_equal(s.p50_ns, 130); // below 256 ns exact
    assert_int_equal(s.min_ns, 101);
    assert_int_equal(s.max_ns, 900);
    assert_int_equal(s.p99_ns, 900);
    assert_near(s.mean_ns, 1752 / 7.0, 1e-15);
    filo_stopwatch_deinit(&stopwatch);
}

FILO_TEST(percentiles_are_within_one_256th_of_those_of_the_sorted_samples) {
    enum { COUNT = 10007 };
    static int64_t samples[COUNT];
    static const double percents[] = { 0, 0.01, 1, 10, 25, 50, 75, 90, 95, 99, 99.9, 99.99, 100 };
    FiloStopwatch stopwatch = made();
    FiloRandom random = filo_random_sequence(7);
    for (size_t count = 1; count <= COUNT; count += 1 + count / 3) {
        filo_stopwatch_reset(&stopwatch);
        for (size_t i = 0; i < count; i++) {
            samples[i] = any_duration(&random);
            filo_stopwatch_add(&stopwatch, samples[i]);
        }
        qsort(samples, count, sizeof samples[0], ascending);
        for (size_t i = 0; i < FILO_COUNT_OF(percents); i++) {
            size_t rank = (size_t)ceil(percents[i] * (double)count / 100 - 1e-9);
            int64_t exact = samples[rank > 0 ? rank - 1 : 0];
            int64_t percentile = filo_stopwatch_percentile(&stopwatch, percents[i]);
            if (llabs(percentile - exact) * 256 > exact)
                fail_msg("p%g of %zu: %lld, not %lld", percents[i], count, (long long)percentile,
                         (long long)exact);
        }
        assert_int_equal(filo_stopwatch_percentile(&stopwatch, 0), samples[0]);
        assert_int_equal(filo_stopwatch_percentile(&stopwatch, 100), samples[count - 1]);
    }
    filo_stopwatch_deinit(&stopwatch);
}

FILO_TEST(a_percentile_that_falls_on_a_sample_does_not_take_the_next) {
    FiloStopwatch stopwatch = made();
    for (int i = 1; i <= 999; i++) filo_stopwatch_add(&stopwatch, 10);
    filo_stopwatch_add(&stopwatch, 200);
    // 99.9 / 100 * 1000 is a trace above 999 in floating point.
    assert_int_equal(filo_stopwatch_percentile(&stopwatch, 99.9), 10);
    assert_int_equal(filo_stopwatch_percentile(&stopwatch, 99.95), 200);
    filo_stopwatch_deinit(&stopwatch);
}

FILO_TEST(every_duration_finds_a_bucket_close_to_it) {
    FiloStopwatch stopwatch = made();
    for (int bit = 0; bit < 63; bit++) {
        for (int64_t step = -1; step <= 1; step++) {
            int64_t duration = (INT64_C(1) << bit) + step;
            filo_stopwatch_reset(&stopwatch);
            filo_stopwatch_add(&stopwatch, 0); // so that the result is neither minimum nor maximum
            filo_stopwatch_add(&stopwatch, duration);
            filo_stopwatch_add(&stopwatch, INT64_MAX);
            int64_t percentile = filo_stopwatch_percentile(&stopwatch, 50);
            if (llabs(percentile - duration) > duration / 256)
                fail_msg("%lld is told as %lld", (long long)duration, (long long)percentile);
            assert_int_equal(filo_stopwatch_percentile(&stopwatch, 100), INT64_MAX);
        }
    }
    filo_stopwatch_deinit(&stopwatch);
}

FILO_TEST(mean_and_deviation_stay_exact_for_a_million_samples_far_from_zero) {
    FiloStopwatch stopwatch = made();
    // A sum of squares would lose these small differences beside 10^15.
    for (int i = 0; i < 1000000; i++)
        filo_stopwatch_add(&stopwatch, INT64_C(1000000000000000) + i % 5); // deviation √2
    FiloStopwatchSummary s = filo_stopwatch_summary(&stopwatch);
    assert_true(fabs(s.mean_ns - 1000000000000002.0) < 1);
    assert_near(s.deviation_ns, sqrt(2.0), 0.01);
    filo_stopwatch_deinit(&stopwatch);
}

// ---- Start, stop, lap ---------------------------------------------------------------------------------

FILO_TEST(start_and_stop_add_the_time_between) {
    FiloStopwatch stopwatch = made();
    filo_stopwatch_start(&stopwatch);
    filo_sleep_ns(2 * FILO_MILLISECOND);
    int64_t duration = filo_stopwatch_stop(&stopwatch);
    assert_true(duration >= 2 * FILO_MILLISECOND);
    FiloStopwatchSummary s = filo_stopwatch_summary(&stopwatch);
    assert_int_equal(s.count, 1);
    assert_int_equal(s.min_ns, duration);
    assert_int_equal(s.max_ns, duration);
    filo_stopwatch_deinit(&stopwatch);
}

FILO_TEST(laps_follow_one_another_without_a_gap) {
    FiloStopwatch stopwatch = made();
    int64_t begin = filo_time_ns(), sum = 0;
    assert_int_equal(filo_stopwatch_lap(&stopwatch), 0);
    int64_t started = filo_time_ns();
    filo_sleep_ns(FILO_MILLISECOND);
    for (int i = 0; i < 10; i++) sum += filo_stopwatch_lap(&stopwatch);
    int64_t last = filo_time_ns();
    assert_int_equal(filo_stopwatch_summary(&stopwatch).count, 10);
    assert_true(sum >= FILO_MILLISECOND && sum <= last - begin && started >= begin);
    filo_stopwatch_deinit(&stopwatch);
}

FILO_TEST(starting_twice_and_stopping_unstarted_are_mistakes) {
    FiloStopwatch stopwatch = made();
    expect_fault("start the stopwatch before stopping", assert_int_equal(filo_stopwatch_stop(&stopwatch), 0));
    filo_stopwatch_start(&stopwatch);
    expect_fault("stop the stopwatch before starting it again", filo_stopwatch_start(&stopwatch));
    filo_stopwatch_stop(&stopwatch);
    assert_int_equal(filo_stopwatch_summary(&stopwatch).count, 1);
    filo_stopwatch_deinit(&stopwatch);
}

FILO_TEST(reset_removes_samples_and_a_start) {
    FiloStopwatch stopwatch = made();
    filo_stopwatch_add(&stopwatch, 5000);
    filo_stopwatch_start(&stopwatch);
    filo_stopwatch_reset(&stopwatch);
    expect_fault("start the stopwatch", filo_stopwatch_stop(&stopwatch));
    filo_stopwatch_add(&stopwatch, 40);
    filo_stopwatch_add(&stopwatch, 60);
    filo_stopwatch_add(&stopwatch, 80);
    FiloStopwatchSummary s = filo_stopwatch_summary(&stopwatch);
    assert_int_equal(s.count, 3);
    assert_int_equal(s.p50_ns, 60);
    assert_int_equal(s.max_ns, 80);
    assert_true(s.mean_ns == 60);
    filo_stopwatch_deinit(&stopwatch);
}

// ---- Merging ------------------------------------------------------------------------------------------

FILO_TEST(a_merge_is_the_same_as_adding_all_samples_to_one) {
    FiloStopwatch all = made(), left = made(), right = made();
    FiloRandom random = filo_random_sequence(3);
    for (int i = 0; i < 5000; i++) {
        int64_t duration = any_duration(&random);
        filo_stopwatch_add(&all, duration);
        filo_stopwatch_add(i % 3 == 0 ? &left : &right, duration);
    }
    filo_stopwatch_merge(&left, &right);
    FiloStopwatchSummary a = filo_stopwatch_summary(&all), m = filo_stopwatch_summary(&left);
    assert_int_equal(m.count, a.count);
    assert_int_equal(m.min_ns, a.min_ns);
    assert_int_equal(m.max_ns, a.max_ns);
    assert_near(m.mean_ns, a.mean_ns, 1e-12);
    assert_near(m.deviation_ns, a.deviation_ns, 1e-12);
    for (int i = 0; i <= 200; i++)
        assert_int_equal(filo_stopwatch_percentile(&left, i * 0.5), filo_stopwatch_percentile(&all, i * 0.5));
    assert_int_equal(filo_stopwatch_summary(&right).count, 5000 - 1667); // stays as it was
    filo_stopwatch_deinit(&all);
    filo_stopwatch_deinit(&left);
    filo_stopwatch_deinit(&right);
}

FILO_TEST(merging_with_an_empty_one_changes_nothing_either_way) {
    FiloStopwatch full = made(), empty = made();
    filo_stopwatch_add(&full, 100);
    filo_stopwatch_add(&full, 300);
    filo_stopwatch_merge(&full, &empty);
    FiloStopwatchSummary s = filo_stopwatch_summary(&full);
    assert_int_equal(s.count, 2);
    assert_int_equal(s.min_ns, 100);
    filo_stopwatch_merge(&empty, &full);
    s = filo_stopwatch_summary(&empty);
    assert_int_equal(s.count, 2);
    assert_int_equal(s.min_ns, 100);
    assert_int_equal(s.max_ns, 300);
    assert_true(s.mean_ns == 200);
    assert_near(s.deviation_ns, sqrt(20000.0), 1e-15);
    filo_stopwatch_deinit(&full);
    filo_stopwatch_deinit(&empty);
}

// ---- Print --------------------------------------------------------------------------------------------

FILO_TEST(the_line_names_every_figure_with_a_unit) {
    FiloStopwatch stopwatch = made();
    for (int i = 0; i < 100; i++) filo_stopwatch_add(&stopwatch, 250);
    filo_stopwatch_add(&stopwatch, 1500 * FILO_MILLISECOND);
    char line[FILO_STOPWATCH_LINE_SIZE];
    size_t length = filo_stopwatch_print(&stopwatch, line, sizeof line);
    assert_int_equal(length, strlen(line));
    assert_string_equal(line, "test: 101 samples, mean 14.85 ms ± 149.3 ms, min 250.0 ns, p50 250.0 ns, "
                              "p90 250.0 ns, p99 250.0 ns, p99.9 1.500 s, max 1.500 s");
    filo_stopwatch_deinit(&stopwatch);
}

FILO_TEST(units_change_where_the_rounded_figure_does) {
    static const struct {
        int64_t ns;
        const char *text;
    } cases[] = { { 0, "min 0.000 ns" },         { 999, "min 999.0 ns" },        { 1000, "min 1.000 µs" },
                  { 999949, "min 999.9 µs" },    { 999950, "min 1.000 ms" },     { 12345678, "min 12.35 ms" },
                  { 9999500000, "min 10.00 s" }, { 1234567890123, "min 1235 s" } };
    FiloStopwatch stopwatch = made();
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        filo_stopwatch_reset(&stopwatch);
        filo_stopwatch_add(&stopwatch, cases[i].ns);
        char line[FILO_STOPWATCH_LINE_SIZE];
        filo_stopwatch_print(&stopwatch, line, sizeof line);
        assert_contains(line, cases[i].text);
        assert_contains(line, "test: 1 sample, ");
    }
    filo_stopwatch_deinit(&stopwatch);
}

FILO_TEST(the_longest_line_fits_and_a_shorter_buffer_is_not_overrun) {
    FiloStopwatch stopwatch;
    assert_ok(filo_stopwatch_init(&stopwatch, NULL, NULL));
    filo_stopwatch_add(&stopwatch, 0);
    filo_stopwatch_add(&stopwatch, INT64_MAX);
    char line[FILO_STOPWATCH_LINE_SIZE], shorter[40];
    assert_true(filo_stopwatch_print(&stopwatch, line, sizeof line) < sizeof line - 4);
    assert_contains(line, "2 samples, mean");
    for (size_t size = 0; size <= sizeof shorter; size++) {
        memset(shorter, 'x', sizeof shorter);
        size_t length = filo_stopwatch_print(&stopwatch, shorter, size);
        assert_true(size == 0 ? length == 0 : length < size && shorter[length] == '\0');
        for (size_t i = size; i < sizeof shorter; i++) assert_int_equal(shorter[i], 'x');
    }
    filo_stopwatch_deinit(&stopwatch);
}

// ---- Misuse and memory --------------------------------------------------------------------------------

FILO_TEST(misuse_is_reported_and_changes_nothing) {
    FiloStopwatch stopwatch = made(), unmade = { 0 };
    filo_stopwatch_add(&stopwatch, 10);
    expect_fault("a duration is not negative", filo_stopwatch_add(&stopwatch, -1));
    expect_fault("from 0 to 100", assert_int_equal(filo_stopwatch_percentile(&stopwatch, -0.1), 0));
    expect_fault("from 0 to 100", assert_int_equal(filo_stopwatch_percentile(&stopwatch, 100.1), 0));
    expect_fault("from 0 to 100", assert_int_equal(filo_stopwatch_percentile(&stopwatch, (double)NAN), 0));
    expect_fault("two different stopwatches", filo_stopwatch_merge(&stopwatch, &stopwatch));
    expect_fault("initialise the stopwatch", filo_stopwatch_merge(&stopwatch, &unmade));
    expect_fault("initialise the stopwatch", filo_stopwatch_merge(&unmade, &stopwatch));
    expect_fault("initialise the stopwatch", filo_stopwatch_add(&unmade, 1));
    expect_fault("initialise the stopwatch", filo_stopwatch_start(&unmade));
    expect_fault("initialise the stopwatch", filo_stopwatch_stop(NULL));
    expect_fault("initialise the stopwatch", filo_stopwatch_lap(&unmade));
    expect_fault("initialise the stopwatch", filo_stopwatch_reset(&unmade));
    expect_fault("initialise the stopwatch", assert_int_equal(filo_stopwatch_summary(&unmade).count, 0));
    expect_fault("initialise the stopwatch", assert_int_equal(filo_stopwatch_percentile(NULL, 50), 0));
    expect_fault("pass the memory", assert_int_equal(filo_stopwatch_print(&stopwatch, NULL, 10), 0));
    char text[8] = "before";
    expect_fault("initialise the stopwatch", filo_stopwatch_print(&unmade, text, sizeof text));
    assert_string_equal(text, "");
    expect_mistake("pass the stopwatch", filo_stopwatch_init(NULL, "none", NULL));
    assert_int_equal(filo_stopwatch_summary(&stopwatch).count, 1);
    filo_stopwatch_deinit(&stopwatch);
    filo_stopwatch_deinit(&stopwatch); // and once more: nothing
    filo_stopwatch_deinit(NULL);
}

FILO_TEST(lack_of_memory_is_an_error_and_leaves_a_zeroed_stopwatch) {
    FailingAllocator failing = FAILING_AT(failing, 0);
    FiloStopwatch stopwatch;
    memset(&stopwatch, 0xAB, sizeof stopwatch);
    assert_error(filo_stopwatch_init(&stopwatch, "frame", &failing.allocator), FILO_ERROR_MEMORY,
                 "frame: no memory");
    assert_null(stopwatch.buckets);
    filo_stopwatch_deinit(&stopwatch);
}

FILO_TEST(memory_comes_from_the_allocator_once_and_goes_back) {
    FiloHeap heap;
    filo_heap_init(&heap, "stopwatch test", 0);
    FiloStopwatch stopwatch;
    assert_ok(filo_stopwatch_init(&stopwatch, "frame", &heap.allocator));
    size_t used = filo_heap_stats(&heap).used;
    assert_true(used >= FILO_KIB(57) && used <= FILO_KIB(58));
    for (int64_t i = 0; i < 100000; i++) filo_stopwatch_add(&stopwatch, i * i);
    assert_int_equal(filo_heap_stats(&heap).operations, 1);
    filo_stopwatch_deinit(&stopwatch);
    assert_int_equal(filo_heap_stats(&heap).used, 0);
    filo_heap_deinit(&heap);
}
