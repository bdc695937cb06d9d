// What is made of random words: integers, floats, distributions, directions and choices.

#include "base/random_statistics.h"

#include <float.h>

// A generator whose next words are these, as an extreme case would have it.
static FiloRandom rigged(uint32_t first, uint32_t second) {
    FiloRandom random = keyed();
    random.words[2] = first;
    random.words[3] = second;
    random.left = 2;
    return random;
}

// ---- Integers -----------------------------------------------------------------------------------------

FILO_TEST(small_ranges_are_even) {
    static const uint32_t sizes[] = { 1, 2, 3, 5, 6, 7, 10, 100, 255, 257, 1000 };
    for (int kind = 0; kind < 2; kind++) {
        FiloRandom random = of_kind(kind);
        for (size_t s = 0; s < FILO_COUNT_OF(sizes); s++) {
            uint32_t counts[1000] = { 0 }, wide[1000] = { 0 };
            for (int i = 0; i < 60000; i++) {
                uint32_t a = filo_random_below(&random, sizes[s]);
                uint64_t b = filo_random_below_u64(&random, sizes[s]);
                assert_true(a < sizes[s] && b < sizes[s]);
                counts[a]++;
                wide[b]++;
            }
            if (sizes[s] == 1) continue;
            assert_even(counts, sizes[s], "below");
            assert_even(wide, sizes[s], "below, 64 bits");
        }
    }
}

FILO_TEST(ranges_that_a_modulo_would_tilt_are_even) {
    // With a modulo, the lower part of these would be twice as likely as the upper.
    static const uint32_t sizes[] = { 0x80000001, 0xC0000000, 0xFFFFFFFF, 0x55555556 };
    static const uint64_t wide_sizes[] = { 0x8000000000000001, 0xC000000000000000, 0xFFFFFFFFFFFFFFFF };
    FiloRandom random = keyed();
    for (size_t s = 0; s < FILO_COUNT_OF(sizes); s++) {
        uint32_t counts[64] = { 0 };
        for (int i = 0; i < 60000; i++) {
            uint32_t x = filo_random_below(&random, sizes[s]);
            assert_true(x < sizes[s]);
            counts[cell_of(x, 0, sizes[s], 64)]++;
        }
        assert_even(counts, 64, "below");
    }
    for (size_t s = 0; s < FILO_COUNT_OF(wide_sizes); s++) {
        uint32_t counts[64] = { 0 };
        for (int i = 0; i < 60000; i++) {
            uint64_t x = filo_random_below_u64(&random, wide_sizes[s]);
            assert_true(x < wide_sizes[s]);
            counts[cell_of((double)x, 0, (double)wide_sizes[s], 64)]++;
        }
        assert_even(counts, 64, "below, 64 bits");
    }
}

FILO_TEST(words_that_would_tilt_a_range_are_drawn_again) {
    FiloRandom random = rigged(0, 0xFFFFFFFF); // 2^32 = 3 * 1431655765 + 1: one word is too many
    assert_int_equal(filo_random_below(&random, 3), 2);
    assert_int_equal(random.left, 0);
    random = rigged(1, 0xFFFFFFFF);
    assert_int_equal(filo_random_below(&random, 3), 0);
    assert_int_equal(random.left, 1);
    random = rigged(2, 0xFFFFFFFF); // of 2^31 + 1, nearly half the words
    assert_int_equal(filo_random_below(&random, 0x80000001), 0x80000000);
    assert_int_equal(random.left, 0);
}

FILO_TEST(ranges_include_both_ends_and_nothing_else) {
    FiloRandom random = sequence();
    uint32_t counts[11] = { 0 }, wide[11] = { 0 };
    for (int i = 0; i < 50000; i++) {
        int32_t a = filo_random_range(&random, -5, 5);
        int64_t b = filo_random_range_i64(&random, -5, 5);
        assert_true(a >= -5 && a <= 5 && b >= -5 && b <= 5);
        counts[a + 5]++;
        wide[b + 5]++;
    }
    assert_even(counts, 11, "range");
    assert_even(wide, 11, "range, 64 bits");
    assert_int_equal(filo_random_range(&random, 7, 7), 7);
    assert_int_equal(filo_random_range(&random, INT32_MIN, INT32_MIN), INT32_MIN);
    assert_int_equal(filo_random_range_i64(&random, INT64_MAX, INT64_MAX), INT64_MAX);
}

FILO_TEST(the_widest_ranges_reach_everywhere) {
    FiloRandom random = keyed();
    uint32_t counts[64] = { 0 }, wide[64] = { 0 };
    for (int i = 0; i < 60000; i++) {
        counts[cell_of(filo_random_range(&random, INT32_MIN, INT32_MAX), INT32_MIN, INT32_MAX, 64)]++;
        int64_t x = filo_random_range_i64(&random, INT64_MIN, INT64_MAX);
        wide[cell_of((double)x, (double)INT64_MIN, (double)INT64_MAX, 64)]++;
    }
    assert_even(counts, 64, "range");
    assert_even(wide, 64, "range, 64 bits");
    random = rigged(0, 0xFFFFFFFF);
    assert_int_equal(filo_random_range(&random, INT32_MIN, INT32_MAX), INT32_MIN);
    assert_int_equal(filo_random_range(&random, INT32_MIN, INT32_MAX), INT32_MAX);
}

// ---- Floats -------------------------------------------------------------------------------------------

FILO_TEST(floats_and_doubles_reach_0_but_never_1) {
    FiloRandom random = rigged(0, 0xFFFFFFFF);
    assert_true(filo_random_float(&random) == 0);
    assert_true(filo_random_float(&random) == 1 - 0x1p-24f);
    random = rigged(0xFFFFFFFF, 0xFFFFFFFF);
    assert_true(filo_random_double(&random) == 1 - 0x1p-53);
    random = rigged(0, 0);
    assert_true(filo_random_double(&random) == 0);
}

FILO_TEST(a_float_range_holds_its_ends) {
    static const float ranges[][2] = { { 0, 1 },
                                       { -1, 1 },
                                       { 2, 5 },
                                       { 16777215, 16777216 },
                                       { 1e9f, 1e9f + 64 },
                                       { -FLT_MAX, FLT_MAX },
                                       { 1, 1 + FLT_EPSILON },
                                       { -1e-40f, 1e-40f },
                                       { -3, -2 } };
    for (size_t i = 0; i < FILO_COUNT_OF(ranges); i++) {
        float low = ranges[i][0], high = ranges[i][1];
        FiloRandom random = rigged(0, 0xFFFFFFFF);
        assert_true(filo_random_float_range(&random, low, high) == low);
        for (int draw = 0; draw < 10000; draw++) {
            float x = filo_random_float_range(&random, low, high);
            if (!(x >= low && x < high))
                fail_msg("%.9g is not in [%.9g, %.9g)", (double)x, (double)low, (double)high);
        }
        assert_true(filo_random_float_range(&random, low, low) == low);
    }
}

FILO_TEST(a_float_range_is_even_also_where_rounding_is_coarse) {
    FiloRandom random = keyed();
    uint32_t counts[64] = { 0 }, coarse[4] = { 0 };
    for (int i = 0; i < 60000; i++) {
        counts[cell_of((double)filo_random_float_range(&random, -3, 7), -3, 7, 64)]++;
        float x = filo_random_float_range(&random, 0x1p30f, 0x1p30f + 512); // floats are 128 apart there
        coarse[((int)x - 1073741824) / 128]++;
    }
    assert_even(counts, 64, "float range");
    assert_even(coarse, 4, "coarse float range");
}

FILO_TEST(chances_are_true_with_their_probability) {
    enum { COUNT = 100000 };
    static const float chances[] = { 0.001f, 0.25f, 0.5f, 0.9f };
    FiloRandom random = keyed();
    for (size_t i = 0; i < FILO_COUNT_OF(chances); i++) {
        int count = 0;
        double p = (double)chances[i];
        for (int draw = 0; draw < COUNT; draw++) count += filo_random_chance(&random, chances[i]);
        assert_within(count, COUNT * p, 5 * sqrt(COUNT * p * (1 - p)), "chance");
    }
}

FILO_TEST(a_chance_of_0_never_comes_and_one_of_1_always) {
    static const uint32_t words[] = { 0, 1, 0x80000000, 0xFFFFFFFF };
    for (size_t i = 0; i < FILO_COUNT_OF(words); i++) {
        FiloRandom random = rigged(words[i], words[i]);
        assert_false(filo_random_chance(&random, 0));
        assert_int_equal(random.left, 1); // also then, one word
        assert_true(filo_random_chance(&random, 1));
        random = rigged(words[i], words[i]);
        assert_false(filo_random_chance(&random, -1));
        assert_true(filo_random_chance(&random, INFINITY));
        random = rigged(words[i], words[i]);
        assert_false(filo_random_chance(&random, NAN));
    }
}

FILO_TEST(signs_are_even) {
    enum { COUNT = 100000 };
    FiloRandom random = sequence();
    int sum = 0;
    for (int i = 0; i < COUNT; i++) {
        int sign = filo_random_sign(&random);
        assert_true(sign == 1 || sign == -1);
        sum += sign;
    }
    assert_within(sum, 0, 5 * sqrt(COUNT), "sum of signs");
}

// ---- Distributions ------------------------------------------------------------------------------------

FILO_TEST(normal_is_the_inverse_of_the_distribution_function) {
    for (uint64_t word = 0; word <= UINT32_MAX; word += 65521) {
        FiloRandom random = rigged((uint32_t)word, ~(uint32_t)word);
        double p = ((double)word + 0.5) * 0x1p-32, x = (double)filo_random_normal(&random);
        double back = 0.5 * erfc(-x / sqrt(2.0)), tail = FILO_MIN(p, 1 - p);
        assert_within(back, p, 4e-6 * tail + 1e-9 * p, "distribution function");
        assert_true((double)filo_random_normal(&random) == -x); // symmetric
    }
    FiloRandom random = rigged(0, 0xFFFFFFFF);
    assert_within((double)filo_random_normal(&random), -6.337957, 1e-5, "lowest");
    assert_within((double)filo_random_normal(&random), 6.337957, 1e-5, "highest");
}

FILO_TEST(normal_has_the_moments_and_tails_it_should) {
    enum { COUNT = 200000 };
    for (int kind = 0; kind < 2; kind++) {
        FiloRandom random = of_kind(kind);
        double sum = 0, squares = 0, cubes = 0, fourths = 0;
        int beyond_two = 0;
        for (int i = 0; i < COUNT; i++) {
            double x = (double)filo_random_normal(&random);
            sum += x;
            squares += x * x;
            cubes += x * x * x;
            fourths += x * x * x * x;
            beyond_two += fabs(x) > 1.959964;
        }
        assert_within(sum / COUNT, 0, 5 / sqrt(COUNT), "mean");
        assert_within(squares / COUNT, 1, 5 * sqrt(2.0 / COUNT), "variance");
        assert_within(cubes / COUNT, 0, 5 * sqrt(15.0 / COUNT), "skewness");
        assert_within(fourths / COUNT, 3, 5 * sqrt(96.0 / COUNT), "kurtosis");
        assert_within(beyond_two, COUNT * 0.05, 5 * sqrt(COUNT * 0.0475), "tails");
    }
}

FILO_TEST(exponential_is_the_inverse_of_the_distribution_function) {
    for (uint64_t word = 0; word <= UINT32_MAX; word += 65521) {
        FiloRandom random = rigged((uint32_t)word, 0);
        double exact = -log(((double)word + 0.5) * 0x1p-32), x = (double)filo_random_exponential(&random);
        assert_within(x, exact, 1e-7 * exact, "exponential"); // half a unit in a float's last place
    }
    FiloRandom random = rigged(0, 0xFFFFFFFF);
    assert_within((double)filo_random_exponential(&random), 33 * log(2.0), 1e-5, "highest");
    assert_true(filo_random_exponential(&random) > 0);
}

FILO_TEST(exponential_has_the_mean_and_variance_it_should) {
    enum { COUNT = 200000 };
    FiloRandom random = keyed();
    double sum = 0, squares = 0;
    for (int i = 0; i < COUNT; i++) {
        double x = (double)filo_random_exponential(&random);
        sum += x;
        squares += (x - 1) * (x - 1);
    }
    assert_within(sum / COUNT, 1, 5 / sqrt(COUNT), "mean");
    assert_within(squares / COUNT, 1, 5 * sqrt(8.0 / COUNT), "variance");
}

// ---- Directions and points ----------------------------------------------------------------------------

FILO_TEST(directions_in_the_plane_have_length_1_and_every_angle) {
    FiloRandom random = keyed();
    uint32_t counts[72] = { 0 };
    for (int i = 0; i < 100000; i++) {
        float d[2];
        filo_random_unit_2d(&random, d);
        double x = (double)d[0], y = (double)d[1], pi = acos(-1.0);
        assert_within(x * x + y * y, 1, 2e-7, "length");
        counts[cell_of(atan2(y, x), -pi, pi, 72)]++;
    }
    assert_even(counts, 72, "angles");
}

FILO_TEST(directions_in_space_have_length_1_and_cover_the_sphere) {
    FiloRandom random = sequence();
    uint32_t counts[3][10][10] = { 0 };
    for (int i = 0; i < 100000; i++) {
        float d[3];
        filo_random_unit_3d(&random, d);
        double v[3] = { (double)d[0], (double)d[1], (double)d[2] }, pi = acos(-1.0);
        assert_within(v[0] * v[0] + v[1] * v[1] + v[2] * v[2], 1, 3e-7, "length");
        // Slices of a sphere of equal height have equal area (Archimedes), along each of the axes.
        for (int axis = 0; axis < 3; axis++)
            counts[axis][cell_of(v[axis], -1, 1, 10)]
                  [cell_of(atan2(v[(axis + 1) % 3], v[(axis + 2) % 3]), -pi, pi, 10)]++;
    }
    for (int axis = 0; axis < 3; axis++) assert_even(counts[axis][0], 100, "directions");
}

FILO_TEST(points_fill_the_disc_and_the_ball_evenly) {
    FiloRandom random = keyed();
    uint32_t rings[16] = { 0 }, shells[16] = { 0 }, octants[8] = { 0 };
    for (int i = 0; i < 100000; i++) {
        float p[2], q[3];
        filo_random_in_disc(&random, p);
        filo_random_in_sphere(&random, q);
        double disc = (double)p[0] * (double)p[0] + (double)p[1] * (double)p[1];
        double ball = (double)q[0] * (double)q[0] + (double)q[1] * (double)q[1] + (double)q[2] * (double)q[2];
        assert_true(disc <= 1 && ball <= 1);
        rings[cell_of(disc, 0, 1, 16)]++;
        shells[cell_of(ball * sqrt(ball), 0, 1, 16)]++;
        octants[(q[0] > 0) + 2 * (q[1] > 0) + 4 * (q[2] > 0)]++;
    }
    assert_even(rings, 16, "rings of equal area");
    assert_even(shells, 16, "shells of equal volume");
    assert_even(octants, 8, "octants");
}

// ---- Choosing -----------------------------------------------------------------------------------------

FILO_TEST(every_order_of_a_shuffle_is_equally_likely) {
    FiloRandom random = keyed();
    uint32_t counts[256] = { 0 }, orders[24];
    for (int i = 0; i < 48000; i++) {
        uint8_t cards[4] = { 0, 1, 2, 3 };
        filo_random_shuffle(&random, cards, 4, 1);
        counts[cards[0] | cards[1] << 2 | cards[2] << 4 | cards[3] << 6]++;
    }
    size_t found = 0;
    for (size_t i = 0; i < 256; i++) {
        if (counts[i] == 0) continue;
        assert_true(found < 24);
        orders[found++] = counts[i];
    }
    assert_int_equal(found, 24);
    assert_even(orders, 24, "orders");
}

FILO_TEST(a_shuffle_keeps_every_element_whole_whatever_its_size) {
    static const size_t sizes[] = { 1, 3, 4, 16, 63, 64, 65, 200 };
    FiloRandom random = sequence();
    for (size_t s = 0; s < FILO_COUNT_OF(sizes); s++) {
        enum { COUNT = 50 };
        static uint8_t elements[COUNT * 200 + 1];
        size_t size = sizes[s], moved = 0;
        for (size_t i = 0; i < COUNT; i++) memset(elements + i * size, (int)i, size);
        elements[COUNT * size] = 0xEE;
        filo_random_shuffle(&random, elements, COUNT, size);
        bool seen[COUNT] = { false };
        for (size_t i = 0; i < COUNT; i++) {
            uint8_t value = elements[i * size];
            assert_true(value < COUNT && !seen[value]);
            seen[value] = true;
            moved += value != i;
            for (size_t byte = 0; byte < size; byte++) assert_int_equal(elements[i * size + byte], value);
        }
        assert_int_equal(elements[COUNT * size], 0xEE);
        assert_true(moved > COUNT / 2);
    }
}

FILO_TEST(weights_decide_how_often_each_is_chosen) {
    enum { COUNT = 100000 };
    static const float weights[] = { 1, 0, 3, 0.5f, 0, 5.5f, 0 };
    FiloRandom random = keyed();
    int counts[FILO_COUNT_OF(weights)] = { 0 };
    for (int i = 0; i < COUNT; i++) counts[filo_random_weighted(&random, weights, FILO_COUNT_OF(weights))]++;
    for (size_t i = 0; i < FILO_COUNT_OF(weights); i++) {
        double p = (double)weights[i] / 10;
        assert_within(counts[i], COUNT * p, 5 * sqrt(COUNT * p * (1 - p)), "times chosen");
    }
}

FILO_TEST(a_weight_of_0_is_not_chosen_even_at_the_very_ends) {
    static const float first[] = { 0, 0, 2 }, last[] = { 2, 0, 0 }, tiny[] = { 1e-45f, 0 },
                       huge[] = { FLT_MAX, FLT_MAX, 0 }, rounded[] = { 1e9f, 1e-3f, 0.3f, 0.1f, 0 };
    FiloRandom lowest = rigged(0, 0), highest = rigged(0xFFFFFFFF, 0xFFFFFFFF);
    assert_int_equal(filo_random_weighted(&lowest, first, 3), 2);
    assert_int_equal(filo_random_weighted(&highest, last, 3), 0);
    highest = rigged(0xFFFFFFFF, 0xFFFFFFFF);
    assert_int_equal(filo_random_weighted(&highest, tiny, 2), 0);
    highest = rigged(0xFFFFFFFF, 0xFFFFFFFF);
    assert_int_equal(filo_random_weighted(&highest, huge, 3), 1);
    highest = rigged(0xFFFFFFFF, 0xFFFFFFFF);
    // Subtracting one by one leaves a rounding error of the sum.
    assert_int_equal(filo_random_weighted(&highest, rounded, 5), 3);
}

// All sets of `wanted` of `n`, counted by their bits.
static void assert_samples_even(size_t n, size_t wanted, size_t sets) {
    FiloRandom random = keyed();
    static uint32_t counts[1 << 12];
    memset(counts, 0, sizeof counts);
    for (size_t i = 0; i < sets * 1000; i++) {
        size_t chosen[12], bits = 0;
        assert_int_equal(filo_random_sample(&random, n, chosen, wanted), wanted);
        for (size_t j = 0; j < wanted; j++) {
            assert_true(chosen[j] < n && (j == 0 || chosen[j] > chosen[j - 1]));
            bits |= (size_t)1 << chosen[j];
        }
        counts[bits]++;
    }
    size_t found = 0;
    for (size_t i = 0; i < FILO_COUNT_OF(counts); i++)
        if (counts[i] > 0) counts[found++] = counts[i];
    assert_int_equal(found, sets);
    assert_even(counts, sets, "sets");
}

FILO_TEST(every_sample_is_equally_likely) {
    assert_samples_even(12, 1, 12); // few of many
    assert_samples_even(12, 2, 66);
    assert_samples_even(12, 3, 220);
    assert_samples_even(6, 3, 20); // many of few
    assert_samples_even(7, 6, 7);
    assert_samples_even(5, 1, 5);
}

FILO_TEST(samples_of_all_none_and_an_immense_number) {
    FiloRandom random = sequence();
    size_t chosen[100];
    assert_int_equal(filo_random_sample(&random, 100, chosen, 100), 100);
    for (size_t i = 0; i < 100; i++) assert_int_equal(chosen[i], i);
    assert_int_equal(filo_random_sample(&random, 100, NULL, 0), 0);
    assert_int_equal(filo_random_sample(&random, 0, chosen, 0), 0);
    assert_int_equal(filo_random_sample(&random, SIZE_MAX, chosen, 100), 100);
    for (size_t i = 1; i < 100; i++) assert_true(chosen[i] > chosen[i - 1]);
    assert_true(chosen[0] < SIZE_MAX / 4 && chosen[99] > SIZE_MAX / 4 * 3);
}
