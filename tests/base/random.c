#include <filo/random.h>
#include <filo/reflect.h>

#include "support/test.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

// All seeds are fixed, so a statistic either passes always or fails always. The limits are five standard
// deviations, which chance alone would exceed once in a million such tests.

static FiloRandom keyed(void) { return filo_random_keyed(2024, 7, 3, 99); }
static FiloRandom sequence(void) { return filo_random_sequence(2024); }

// Both kinds, by number, for tests that hold for either.
static FiloRandom of_kind(int kind) { return kind == 0 ? keyed() : sequence(); }

// A generator whose next words are these, as an extreme case would have it.
static FiloRandom rigged(uint32_t first, uint32_t second) {
    FiloRandom random = keyed();
    random.words[2] = first;
    random.words[3] = second;
    random.left = 2;
    return random;
}

// Fails unless the counts fit `cells` equally likely outcomes: too uneven, or too even to be chance.
static void assert_even(const uint32_t *counts, size_t cells, const char *what) {
    double total = 0, chi_square = 0, freedom = (double)cells - 1;
    for (size_t i = 0; i < cells; i++) total += counts[i];
    double expected = total / (double)cells;
    for (size_t i = 0; i < cells; i++)
        chi_square += (counts[i] - expected) * (counts[i] - expected) / expected;
    // Wilson and Hilferty: the cube root of chi-square over freedom is nearly normal.
    double z = (cbrt(chi_square / freedom) - (1 - 2 / (9 * freedom))) / sqrt(2 / (9 * freedom));
    if (!(fabs(z) < 5))
        fail_msg("%s: chi-square %g for %zu cells is %g deviations off", what, chi_square, cells, z);
}

static size_t cell_of(double x, double low, double high, size_t cells) {
    double place = (x - low) / (high - low) * (double)cells;
    if (!(place >= 0 && place <= (double)cells)) fail_msg("%.9g is not from %g to %g", x, low, high);
    return FILO_MIN((size_t)place, cells - 1);
}

static void assert_within(double value, double expected, double limit, const char *what) {
    if (!(fabs(value - expected) <= limit)) fail_msg("%s: %.9g, not %.9g ± %g", what, value, expected, limit);
}

// ---- The generators -----------------------------------------------------------------------------------

FILO_TEST(philox_gives_the_published_answers) {
    // Random123's kat_vectors, philox4x32 with 10 rounds.
    static const struct {
        FiloRandomBlock counter;
        uint64_t key;
        FiloRandomBlock answer;
    } vectors[] = {
        { { { 0, 0, 0, 0 } }, 0, { { 0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8 } } },
        { { { 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF } },
          0xFFFFFFFFFFFFFFFF,
          { { 0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD } } },
        { { { 0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344 } },
          0x299F31D0A4093822,
          { { 0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1 } } },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(vectors); i++) {
        FiloRandomBlock block = filo_random_block(vectors[i].counter, vectors[i].key);
        assert_memory_equal(block.words, vectors[i].answer.words, sizeof block.words);
    }
}

FILO_TEST(splitmix_gives_the_published_answers) {
    static const uint64_t answers[] = { 6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                        4593380528125082431u };
    FiloRandom random = filo_random_sequence(1234567);
    for (size_t i = 0; i < FILO_COUNT_OF(answers); i++) assert_true(random.state[i] == answers[i]);
    assert_true(filo_random_mix(0) == 0);
}

FILO_TEST(xoshiro_gives_the_published_answers) {
    static const uint64_t answers[] = { 41943041u,
                                        58720359u,
                                        3588806011781223u,
                                        3591011842654386u,
                                        9228616714210784205u,
                                        9973669472204895162u,
                                        14011001112246962877u,
                                        12406186145184390807u,
                                        15849039046786891736u,
                                        10450023813501588000u };
    FiloRandom random = { .state = { 1, 2, 3, 4 }, .sequential = 1 };
    for (size_t i = 0; i < FILO_COUNT_OF(answers); i++) assert_true(filo_random_u64(&random) == answers[i]);
}

FILO_TEST(jumps_give_the_published_answers) {
    static const uint64_t after_jump[] = { 0x88F9A31AFDB439F5, 0x38134A20DFA1A232, 0x21D6A25A297797C7 };
    static const uint64_t after_long_jump[] = { 0x846AF7DBE1FA32BE, 0x1033C1FBB3AEC9B2, 0xD7A4D3AEFA68B7BF };
    const FiloRandom start = { .state = { 0, 0, 0, 1 }, .sequential = 1 };
    FiloRandom random = start;
    filo_random_jump(&random);
    for (size_t i = 0; i < FILO_COUNT_OF(after_jump); i++)
        assert_true(filo_random_u64(&random) == after_jump[i]);
    random = start;
    filo_random_long_jump(&random);
    for (size_t i = 0; i < FILO_COUNT_OF(after_long_jump); i++)
        assert_true(filo_random_u64(&random) == after_long_jump[i]);
}

FILO_TEST(a_split_part_goes_on_and_the_rest_jumps_over_it) {
    FiloRandom random = sequence(), original = sequence();
    filo_random_u32(&random); // in the middle of a block
    filo_random_u32(&original);
    FiloRandom part = filo_random_split(&random), jumped = original;
    filo_random_jump(&jumped);
    for (int i = 0; i < 100; i++) {
        uint32_t of_part = filo_random_u32(&part), of_rest = filo_random_u32(&random);
        assert_int_equal(of_part, filo_random_u32(&original));
        assert_int_equal(of_rest, filo_random_u32(&jumped));
        assert_int_not_equal(of_part, of_rest);
    }
}

FILO_TEST(system_seeds_differ) {
    uint64_t a = filo_random_system_seed(), b = filo_random_system_seed(), c = filo_random_system_seed();
    assert_true(a != b && b != c && a != c);
}

// ---- Keys ---------------------------------------------------------------------------------------------

FILO_TEST(zeroes_are_the_generator_of_zero_keys) {
    FiloRandom zeroed = { 0 }, made = filo_random_keyed(0, 0, 0, 0);
    for (int i = 0; i < 10; i++) assert_int_equal(filo_random_u32(&zeroed), filo_random_u32(&made));
}

FILO_TEST(numbers_do_not_depend_on_the_order_of_draws) {
    enum { ENTITIES = 50, DRAWS = 11 };
    uint32_t forward[ENTITIES][DRAWS];
    FiloRandom all[ENTITIES];
    for (uint64_t e = 0; e < ENTITIES; e++) {
        FiloRandom random = filo_random_keyed(1, 2, 3, e);
        for (int d = 0; d < DRAWS; d++) forward[e][d] = filo_random_u32(&random);
        all[e] = filo_random_keyed(1, 2, 3, e);
    }
    for (int d = 0; d < DRAWS; d++) // backwards and interleaved
        for (size_t e = ENTITIES; e-- > 0;) assert_int_equal(filo_random_u32(&all[e]), forward[e][d]);
    for (uint32_t d = DRAWS; d-- > 0;) // and each alone
        for (uint64_t e = 0; e < ENTITIES; e++) {
            assert_int_equal(filo_random_at(1, 2, 3, e, d), forward[e][d]);
            assert_true(filo_random_float_at(1, 2, 3, e, d) == (float)(forward[e][d] >> 8) / 16777216.0f);
        }
}

FILO_TEST(a_copy_gives_the_same_numbers) {
    for (int kind = 0; kind < 2; kind++) {
        FiloRandom random = of_kind(kind);
        filo_random_u32(&random);
        FiloRandom copy = random;
        for (int i = 0; i < 10; i++) assert_int_equal(filo_random_u32(&random), filo_random_u32(&copy));
    }
}

static int compare_u64(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

FILO_TEST(no_two_keys_share_their_numbers) {
    // Small numbers, powers of two, and the same number in each place: where careless mixing would meet
    // itself.
    static const uint64_t values[] = { 0,           1,           2,           3,
                                       7,           255,         256,         0xFFFF,
                                       0x10000,     0x7FFFFFFF,  0x80000000,  0xFFFFFFFF,
                                       0x100000000, 0x100000001, 0x200000000, 0xFFFFFFFF00000000 };
    enum { N = FILO_COUNT_OF(values), STREAMS = 12 };
    static uint64_t firsts[4 * N * STREAMS * N];
    size_t count = 0;
    for (size_t seed = 0; seed < 4; seed++)
        for (size_t tick = 0; tick < N; tick++)
            for (size_t stream = 0; stream < STREAMS; stream++)
                for (size_t entity = 0; entity < N; entity++) {
                    FiloRandom random = filo_random_keyed(values[seed], values[tick],
                                                          (uint32_t)values[stream], values[entity]);
                    firsts[count++] = filo_random_u64(&random);
                }
    qsort(firsts, count, sizeof firsts[0], compare_u64);
    for (size_t i = 1; i < count; i++) assert_true(firsts[i] != firsts[i - 1]);
}

FILO_TEST(each_bit_of_a_key_changes_half_of_the_output) {
    enum { BASES = 256 };
    for (int bit = 0; bit < 64 + 64 + 32 + 64; bit++) {
        int changed = 0;
        for (uint64_t base = 0; base < BASES; base++) {
            uint64_t seed = base, tick = base * 3, entity = base * 7;
            uint32_t stream = (uint32_t)base * 5, words[2][4];
            FiloRandom random = filo_random_keyed(seed, tick, stream, entity);
            filo_random_fill(&random, words[0], 4);
            if (bit < 64)
                seed ^= UINT64_C(1) << bit;
            else if (bit < 128)
                tick ^= UINT64_C(1) << (bit - 64);
            else if (bit < 160)
                stream ^= 1u << (bit - 128);
            else
                entity ^= UINT64_C(1) << (bit - 160);
            random = filo_random_keyed(seed, tick, stream, entity);
            filo_random_fill(&random, words[1], 4);
            for (int i = 0; i < 4; i++) changed += __builtin_popcount(words[0][i] ^ words[1][i]);
        }
        assert_within(changed, BASES * 64, 5 * sqrt(BASES * 32), "bits changed");
    }
}

// The first number of 65,536 neighbouring keys, as the key's part `which` counts up.
static float first_of(int which, uint64_t i) {
    return filo_random_float_at(which == 0 ? i : 5, which == 1 ? i : 6, which == 2 ? (uint32_t)i : 7,
                                which == 3 ? i : 8, 0);
}

FILO_TEST(neighbouring_keys_are_independent) {
    enum { COUNT = 65536, CELLS = 256 };
    for (int which = 0; which < 4; which++) {
        uint32_t cells[CELLS] = { 0 }, pairs[CELLS] = { 0 };
        double sum = 0;
        for (uint64_t i = 0; i < COUNT; i++) {
            double x = (double)first_of(which, i), y = (double)first_of(which, i + 1);
            cells[cell_of(x, 0, 1, CELLS)]++;
            pairs[cell_of(x, 0, 1, 16) * 16 + cell_of(y, 0, 1, 16)]++;
            sum += (x - 0.5) * (y - 0.5);
        }
        assert_even(cells, CELLS, "first numbers");
        assert_even(pairs, CELLS, "pairs of first numbers");
        assert_within(sum / COUNT * 12, 0, 5 / sqrt(COUNT), "correlation");
    }
}

FILO_TEST(a_key_s_sequence_wraps_without_touching_the_next_tick) {
    FiloRandom random = filo_random_keyed(1, 10, 3, 4), first = filo_random_keyed(1, 10, 3, 4);
    random.state[0] |= UINT32_MAX; // the last block
    uint32_t words[6];
    for (int i = 0; i < 4; i++) filo_random_u32(&random);
    for (int i = 0; i < 6; i++) words[i] = filo_random_u32(&random);
    for (int i = 0; i < 6; i++) assert_int_equal(words[i], filo_random_u32(&first));
}

FILO_TEST(fill_gives_the_same_words_as_single_draws) {
    for (int kind = 0; kind < 2; kind++) {
        for (int before = 0; before < 5; before++) {
            for (size_t count = 0; count < 45; count++) {
                FiloRandom random = of_kind(kind);
                if (kind == 0) random.state[0] |= 0xFFFFFFFC; // so that the position wraps on the way
                for (int i = 0; i < before; i++) filo_random_u32(&random);
                FiloRandom single = random;
                uint32_t words[46];
                words[count] = 0xABCDEF01;
                filo_random_fill(&random, words, count);
                for (size_t i = 0; i < count; i++) assert_int_equal(words[i], filo_random_u32(&single));
                assert_int_equal(words[count], 0xABCDEF01);
                assert_int_equal(filo_random_u32(&random), filo_random_u32(&single));
            }
        }
    }
}

// ---- Statistics of the words --------------------------------------------------------------------------

FILO_TEST(all_bytes_are_equally_likely) {
    for (int kind = 0; kind < 2; kind++) {
        FiloRandom random = of_kind(kind);
        for (int shift = 0; shift < 32; shift += 8) {
            uint32_t counts[256] = { 0 };
            for (int i = 0; i < 100000; i++) counts[filo_random_u32(&random) >> shift & 255]++;
            assert_even(counts, 256, "bytes");
        }
    }
}

FILO_TEST(each_bit_is_set_half_of_the_time_and_knows_nothing_of_its_neighbour) {
    enum { COUNT = 100000 };
    for (int kind = 0; kind < 2; kind++) {
        FiloRandom random = of_kind(kind);
        int set[64] = { 0 }, equal[64] = { 0 }, repeated[64] = { 0 };
        uint64_t last = filo_random_u64(&random);
        for (int i = 0; i < COUNT; i++) {
            uint64_t word = filo_random_u64(&random);
            for (int bit = 0; bit < 64; bit++) {
                set[bit] += (int)(word >> bit & 1);
                equal[bit] += (int)((word >> bit ^ word >> (bit + 1) % 64) & 1);
                repeated[bit] += (int)((word >> bit ^ last >> bit) & 1);
            }
            last = word;
        }
        for (int bit = 0; bit < 64; bit++) {
            assert_within(set[bit], COUNT / 2.0, 5 * sqrt(COUNT / 4.0), "bits set");
            assert_within(equal[bit], COUNT / 2.0, 5 * sqrt(COUNT / 4.0), "bits unlike the next");
            assert_within(repeated[bit], COUNT / 2.0, 5 * sqrt(COUNT / 4.0), "bits unlike the last");
        }
    }
}

FILO_TEST(floats_have_the_moments_of_the_uniform_distribution_and_no_memory) {
    enum { COUNT = 400000, LAGS = 5 };
    for (int kind = 0; kind < 2; kind++) {
        FiloRandom random = of_kind(kind);
        double recent[LAGS] = { 0 }, sum = 0, squares = 0, products[LAGS] = { 0 };
        for (int i = 0; i < COUNT; i++) {
            double x = (double)filo_random_float(&random) - 0.5;
            sum += x;
            squares += x * x;
            for (int lag = 0; lag < LAGS; lag++) products[lag] += x * recent[lag];
            memmove(recent + 1, recent, sizeof recent - sizeof recent[0]);
            recent[0] = x;
        }
        assert_within(sum / COUNT, 0, 5 * sqrt(1.0 / 12 / COUNT), "mean");
        assert_within(squares / COUNT, 1.0 / 12, 5 * sqrt(1.0 / 180 / COUNT), "variance");
        for (int lag = 0; lag < LAGS; lag++)
            assert_within(products[lag] / COUNT * 12, 0, 5 / sqrt(COUNT), "serial correlation");
    }
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

FILO_TEST(chances_come_true_as_often_as_they_say) {
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

// ---- Directions and places ----------------------------------------------------------------------------

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

FILO_TEST(places_fill_the_disc_and_the_ball_evenly) {
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
    // Taking away one by one leaves a trace of what adding up one by one has given.
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

// ---- Determinism --------------------------------------------------------------------------------------

// FNV-1a.
static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        uint8_t byte;
        memcpy(&byte, (const char *)bytes + i, 1);
        hash = (hash ^ byte) * UINT64_C(0x100000001B3);
    }
    return hash;
}

static uint64_t golden_numbers(FiloRandom *random) {
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (uint32_t i = 0; i < 1000; i++) {
        uint64_t integers[8]; // one by one: the order within an initialiser is the compiler's choice
        integers[0] = filo_random_u32(random);
        integers[1] = filo_random_u64(random);
        integers[2] = filo_random_below(random, 3 + i * 1000003);
        integers[3] = filo_random_below_u64(random, 0x8000000000000001 - i);
        integers[4] = (uint64_t)filo_random_range(random, -7, (int32_t)i);
        integers[5] = (uint64_t)filo_random_range_i64(random, INT64_MIN / 2, INT64_MAX / 2);
        integers[6] = filo_random_chance(random, 0.3f);
        integers[7] = (uint64_t)filo_random_sign(random);
        float floats[4];
        floats[0] = filo_random_float(random);
        floats[1] = filo_random_float_range(random, -1, 17);
        floats[2] = filo_random_normal(random);
        floats[3] = filo_random_exponential(random);
        double fraction = filo_random_double(random);
        hash = hash_bytes(hash, integers, sizeof integers);
        hash = hash_bytes(hash, floats, sizeof floats);
        hash = hash_bytes(hash, &fraction, sizeof fraction);
    }
    return hash;
}

static uint64_t golden_places(FiloRandom *random) {
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (int i = 0; i < 1000; i++) {
        float floats[10];
        filo_random_unit_2d(random, floats);
        filo_random_unit_3d(random, floats + 2);
        filo_random_in_disc(random, floats + 5);
        filo_random_in_sphere(random, floats + 7);
        hash = hash_bytes(hash, floats, sizeof floats);
    }
    return hash;
}

static uint64_t golden_choices(FiloRandom *random) {
    static const float weights[] = { 0.1f, 0, 2.5f, 1e-3f, 7 };
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < 1000; i++) {
        uint8_t cards[32];
        for (size_t j = 0; j < sizeof cards; j++) cards[j] = (uint8_t)j;
        filo_random_shuffle(random, cards, 16, 2);
        size_t chosen[20];
        filo_random_sample(random, 1000, chosen, 20);
        filo_random_sample(random, 20, chosen + 10, 10);
        size_t index = filo_random_weighted(random, weights, FILO_COUNT_OF(weights));
        hash = hash_bytes(hash, cards, sizeof cards);
        hash = hash_bytes(hash, chosen, sizeof chosen);
        hash = hash_bytes(hash, &index, sizeof index);
    }
    return hash;
}

static void assert_golden(uint64_t hash, uint64_t expected) {
    if (hash != expected) fail_msg("hash 0x%016llX", (unsigned long long)hash);
}

FILO_TEST(keyed_numbers_are_the_same_on_every_machine) {
    FiloRandom random = keyed();
    assert_golden(golden_numbers(&random), 0x44F99B16A40497CD);
    assert_golden(golden_places(&random), 0x035613DA869A9B82);
    assert_golden(golden_choices(&random), 0xC823677D607A08C1);
}

FILO_TEST(sequences_are_the_same_on_every_machine) {
    FiloRandom random = sequence();
    assert_golden(golden_numbers(&random), 0x4559148371471BD9);
    assert_golden(golden_places(&random), 0x90AF9BCB7607A2E4);
    assert_golden(golden_choices(&random), 0x98E57960E76CCD9E);
}

// ---- Misuse -------------------------------------------------------------------------------------------

FILO_TEST(impossible_ranges_are_mistakes_that_draw_nothing) {
    FiloRandom random = keyed(), untouched = keyed();
    expect_fault("no number below 0", assert_int_equal(filo_random_below(&random, 0), 0));
    expect_fault("no number below 0", assert_int_equal(filo_random_below_u64(&random, 0), 0));
    expect_fault("not from 3 to 2", assert_int_equal(filo_random_range(&random, 3, 2), 3));
    expect_fault("not from 3 to 2", assert_int_equal(filo_random_range_i64(&random, 3, 2), 3));
    expect_fault("not from 3 to 2", assert_true(filo_random_float_range(&random, 3, 2) == 3));
    expect_fault("both finite", filo_random_float_range(&random, NAN, 2));
    expect_fault("both finite", filo_random_float_range(&random, 0, NAN));
    expect_fault("both finite", filo_random_float_range(&random, 0, INFINITY));
    expect_fault("both finite", filo_random_float_range(&random, -INFINITY, 0));
    assert_int_equal(filo_random_u32(&random), filo_random_u32(&untouched));
}

FILO_TEST(keyed_generators_neither_jump_nor_split) {
    FiloRandom random = keyed(), untouched = keyed();
    expect_fault("another key", filo_random_jump(&random));
    expect_fault("another key", filo_random_long_jump(&random));
    FiloRandom part;
    expect_fault("another key", part = filo_random_split(&random));
    assert_int_equal(filo_random_u32(&part), filo_random_u32(&untouched));
    untouched = keyed();
    assert_int_equal(filo_random_u32(&random), filo_random_u32(&untouched));
}

FILO_TEST(bad_weights_are_mistakes_that_choose_nothing) {
    static const float negative[] = { 1, -0.5f, 2 }, zeroes[] = { 0, 0 }, infinite[] = { 1, INFINITY },
                       nan_weight[] = { NAN, 1 };
    FiloRandom random = keyed();
    expect_fault("weight 1 is -0.5", assert_int_equal(filo_random_weighted(&random, negative, 3), 3));
    expect_fault("one of the 2 weights", assert_int_equal(filo_random_weighted(&random, zeroes, 2), 2));
    expect_fault("weight 1 is inf", assert_int_equal(filo_random_weighted(&random, infinite, 2), 2));
    expect_fault("weight 0 is nan", assert_int_equal(filo_random_weighted(&random, nan_weight, 2), 2));
    expect_fault("one of the 0 weights", assert_int_equal(filo_random_weighted(&random, NULL, 0), 0));
    expect_fault("pass the weights", assert_int_equal(filo_random_weighted(&random, NULL, 4), 4));
}

FILO_TEST(impossible_samples_and_shuffles_are_mistakes_that_touch_nothing) {
    FiloRandom random = keyed();
    size_t chosen[3] = { 7, 8, 9 };
    expect_fault("3 different numbers of 2", assert_int_equal(filo_random_sample(&random, 2, chosen, 3), 0));
    expect_fault("room for the numbers", assert_int_equal(filo_random_sample(&random, 5, NULL, 3), 0));
    assert_true(chosen[0] == 7 && chosen[2] == 9);
    expect_fault("the size of an element", filo_random_shuffle(&random, chosen, 3, 0));
    expect_fault("pass the elements", filo_random_shuffle(&random, NULL, 3, 4));
    filo_random_shuffle(&random, NULL, 0, 4); // nothing to do is no mistake
    filo_random_shuffle(&random, chosen, 1, sizeof chosen[0]);
    assert_true(chosen[0] == 7);
}

FILO_TEST(null_is_a_mistake_that_harms_nothing) {
    FiloRandom random = keyed();
    float v[3] = { 7, 7, 7 };
    uint32_t words[2] = { 1, 2 };
    size_t chosen[2];
    expect_fault("pass the generator", assert_int_equal(filo_random_below_u64(NULL, 5), 0));
    expect_fault("pass the generator", assert_int_equal(filo_random_range_i64(NULL, 5, 6), 5));
    expect_fault("pass the generator", assert_true(filo_random_normal(NULL) == 0));
    expect_fault("pass the generator", assert_true(filo_random_exponential(NULL) == 0));
    expect_fault("pass the generator", filo_random_unit_2d(NULL, v));
    expect_fault("pass the generator", filo_random_unit_3d(NULL, v));
    expect_fault("pass the generator", filo_random_in_disc(NULL, v));
    expect_fault("pass the generator", filo_random_in_sphere(NULL, v));
    expect_fault("pass the generator", filo_random_fill(NULL, words, 2));
    expect_fault("pass the generator", filo_random_shuffle(NULL, words, 2, 4));
    expect_fault("pass the generator", assert_int_equal(filo_random_weighted(NULL, v, 3), 3));
    expect_fault("pass the generator", assert_int_equal(filo_random_sample(NULL, 4, chosen, 2), 0));
    expect_fault("pass the generator", filo_random_jump(NULL));
    expect_fault("pass the generator", filo_random_split(NULL));
    expect_fault("pass the array", filo_random_unit_2d(&random, NULL));
    expect_fault("pass the array", filo_random_unit_3d(&random, NULL));
    expect_fault("pass the array", filo_random_in_disc(&random, NULL));
    expect_fault("pass the array", filo_random_in_sphere(&random, NULL));
    expect_fault("pass the memory", filo_random_fill(&random, NULL, 2));
    assert_true(v[0] == 7 && v[2] == 7 && words[0] == 1 && words[1] == 2);
}

FILO_TEST(a_generator_is_described_whole) {
    const FiloType *type = filo_type_FiloRandom();
    size_t bytes = 0;
    for (size_t i = 0; i < type->field_count; i++)
        bytes += filo_field_type(&type->fields[i])->size * FILO_MAX(type->fields[i].count, 1u);
    assert_int_equal(bytes, sizeof(FiloRandom));
    FiloRandom a = filo_random_sequence(5), b = a;
    (void)filo_random_u32(&b);
    assert_true(filo_reflect_equal(type, &a, &a));
    assert_false(filo_reflect_equal(type, &a, &b));
}
