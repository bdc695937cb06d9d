// Random numbers: the generators, their keys and their words, which are the same on every machine.

#include <filo/reflect.h>

#include "base/random_statistics.h"

#include <stdlib.h>

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

FILO_TEST(a_split_part_continues_and_the_rest_skips_it) {
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
    // Small numbers, powers of two, and the same number in each part of the key: poor mixing would give equal numbers.
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

FILO_TEST(a_key_s_sequence_wraps_without_reaching_the_next_tick) {
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
                if (kind == 0) random.state[0] |= 0xFFFFFFFC; // so that the position wraps
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

FILO_TEST(each_bit_is_set_half_of_the_time_and_is_independent_of_its_neighbour) {
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

FILO_TEST(impossible_samples_and_shuffles_are_mistakes_that_change_nothing) {
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
