#include <filo/containers.h>
#include <filo/hash.h>

#include "support/failing_allocator.h"
#include "support/test.h"

static FiloMap int_map(void) {
    FiloMap map;
    filo_map_init(&map, sizeof(int), NULL);
    return map;
}

static void put_int(FiloMap *map, uint64_t key, int value) {
    int *stored = filo_map_put(map, key);
    assert_non_null(stored);
    *stored = value;
}

static int get_int(const FiloMap *map, uint64_t key) {
    const int *value = filo_map_get(map, key);
    return value != NULL ? *value : -1;
}

FILO_TEST(what_was_put_is_found_whatever_the_key) {
    static const uint64_t keys[] = {
        0, 1, UINT64_MAX, UINT64_MAX - 1, UINT64_C(1) << 32, 0x9E3779B97F4A7C15
    };
    FiloMap map = int_map();
    for (size_t i = 0; i < FILO_COUNT_OF(keys); i++) {
        assert_null(filo_map_get(&map, keys[i]));
        put_int(&map, keys[i], (int)i);
    }
    assert_int_equal(filo_map_count(&map), FILO_COUNT_OF(keys));
    for (size_t i = 0; i < FILO_COUNT_OF(keys); i++) {
        assert_true(filo_map_has(&map, keys[i]));
        assert_int_equal(get_int(&map, keys[i]), (int)i);
    }
    assert_false(filo_map_has(&map, 2));
    filo_map_deinit(&map);
}

FILO_TEST(a_new_value_is_zero_and_an_old_one_stays) {
    FiloMap map = int_map();
    for (uint64_t key = 0; key < 100; key++) {
        int *value = filo_map_put(&map, key);
        assert_int_equal(*value, 0);
        *value = 7;
        assert_int_equal(*(int *)filo_map_put(&map, key), 7);
    }
    assert_int_equal(filo_map_count(&map), 100);
    assert_true(filo_map_remove(&map, 3));
    assert_int_equal(*(int *)filo_map_put(&map, 3), 0);
    filo_map_deinit(&map);
}

FILO_TEST(set_copies_a_value_even_the_maps_own) {
    FiloMap map = int_map();
    assert_true(filo_map_set(&map, 0, &(int){ 42 }));
    for (uint64_t key = 1; key < 200; key++)
        assert_true(filo_map_set(&map, key, filo_map_get(&map, key - 1)));
    assert_int_equal(get_int(&map, 199), 42);
    assert_true(filo_map_set(&map, 199, &(int){ 43 }));
    assert_true(filo_map_set(&map, 199, filo_map_get(&map, 199)));
    assert_int_equal(get_int(&map, 199), 43);
    filo_map_deinit(&map);
}

FILO_TEST(iteration_is_in_the_order_of_insertion) {
    FiloMap map = int_map();
    uint64_t random = 5;
    uint64_t keys[500];
    for (int i = 0; i < 500; i++) {
        keys[i] = (uint64_t)test_random(&random) << 31;
        keys[i] ^= test_random(&random);
        put_int(&map, keys[i], i);
    }
    size_t seen = 0;
    filo_map_each (&map, i) {
        assert_int_equal(filo_map_key_at(&map, i), keys[i]);
        assert_int_equal(*(int *)filo_map_value_at(&map, i), (int)i);
        seen++;
    }
    assert_int_equal(seen, 500);
    filo_map_deinit(&map);
}

FILO_TEST(remove_puts_the_last_pair_into_the_hole) {
    FiloMap map = int_map();
    for (uint64_t key = 10; key < 15; key++) put_int(&map, key, (int)key);
    assert_true(filo_map_remove(&map, 11));
    assert_false(filo_map_remove(&map, 11));
    static const uint64_t expected[] = { 10, 14, 12, 13 };
    assert_int_equal(filo_map_count(&map), 4);
    filo_map_each (&map, i) {
        assert_int_equal(filo_map_key_at(&map, i), expected[i]);
        assert_int_equal(*(int *)filo_map_value_at(&map, i), (int)expected[i]);
        assert_int_equal(get_int(&map, expected[i]), (int)expected[i]);
    }
    filo_map_deinit(&map);
}

FILO_TEST(pairs_can_be_removed_while_iterating_from_the_end_to_the_start) {
    FiloMap map = int_map();
    for (uint64_t key = 0; key < 1000; key++) put_int(&map, key, (int)key);
    size_t seen = 0;
    for (size_t i = filo_map_count(&map); i-- > 0; seen++) {
        uint64_t key = filo_map_key_at(&map, i);
        if (key % 3 != 0) assert_true(filo_map_remove(&map, key));
    }
    assert_int_equal(seen, 1000);
    assert_int_equal(filo_map_count(&map), 334);
    for (uint64_t key = 0; key < 1000; key++) assert_int_equal(filo_map_has(&map, key), key % 3 == 0);
    filo_map_deinit(&map);
}

static int by_hash(const void *a, const void *b) {
    uint32_t x = (uint32_t)filo_hash_u64(*(const uint64_t *)a),
             y = (uint32_t)filo_hash_u64(*(const uint64_t *)b);
    return (x > y) - (x < y);
}

FILO_TEST(keys_with_the_same_half_of_the_hash_are_distinguished) {
    enum { COUNT = 300000 };
    uint64_t *keys = malloc(COUNT * sizeof *keys);
    for (uint64_t i = 0; i < COUNT; i++) keys[i] = i;
    qsort(keys, COUNT, sizeof *keys, by_hash);
    FiloMap map = int_map();
    int pairs = 0;
    for (size_t i = 1; i < COUNT; i++) {
        if (by_hash(&keys[i - 1], &keys[i]) != 0) continue;
        put_int(&map, keys[i - 1], 1);
        put_int(&map, keys[i], 2);
        assert_int_equal(get_int(&map, keys[i - 1]), 1);
        assert_int_equal(get_int(&map, keys[i]), 2);
        assert_true(filo_map_remove(&map, keys[i - 1]));
        assert_int_equal(get_int(&map, keys[i - 1]), -1);
        assert_int_equal(get_int(&map, keys[i]), 2);
        pairs++;
    }
    assert_true(pairs > 0);
    filo_map_deinit(&map);
    free(keys);
}

FILO_TEST(a_map_without_values_is_a_set) {
    FiloMap set;
    filo_map_init(&set, 0, NULL);
    assert_non_null(filo_map_put(&set, 5));
    assert_true(filo_map_set(&set, 6, NULL));
    assert_true(filo_map_has(&set, 5));
    assert_false(filo_map_has(&set, 7));
    assert_true(filo_map_remove(&set, 5));
    assert_false(filo_map_has(&set, 5));
    assert_true(filo_map_has(&set, 6));
    filo_map_deinit(&set);
}

FILO_TEST(values_are_aligned) {
    typedef struct Wide {
        long double number;
    } Wide;
    FiloMap map;
    filo_map_init(&map, sizeof(Wide), NULL);
    for (uint64_t key = 0; key < 100; key++) {
        Wide *wide = filo_map_put(&map, key);
        assert_int_equal((uintptr_t)wide % _Alignof(Wide), 0);
        wide->number = (long double)key;
    }
    filo_map_deinit(&map);
}

FILO_TEST(clear_keeps_the_memory_and_reserve_prevents_allocation) {
    FailingAllocator failing = FAILING_AT(failing, 1);
    FiloMap map;
    filo_map_init(&map, 24, &failing.allocator);
    assert_true(filo_map_reserve(&map, 1000));
    for (int round = 0; round < 3; round++) {
        for (uint64_t key = 0; key < 1000; key++) assert_non_null(filo_map_put(&map, key * 977));
        filo_map_clear(&map);
        assert_int_equal(filo_map_count(&map), 0);
        assert_false(filo_map_has(&map, 977));
    }
    assert_int_equal(failing.calls, 1);
    filo_map_deinit(&map);
    assert_int_equal(failing.blocks, 0);
}

FILO_TEST(without_memory_the_map_stays_as_it_was) {
    bool failed = true;
    for (size_t fail_at = 0; failed; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, fail_at);
        FiloMap map;
        filo_map_init(&map, sizeof(uint64_t), &failing.allocator);
        uint64_t model[300];
        size_t count = 0;
        for (uint64_t key = 0; key < 300; key++) {
            uint64_t value = key * key;
            if (key % 2 == 0 ? filo_map_set(&map, key, &value) : filo_map_put(&map, key) != NULL) {
                *(uint64_t *)filo_map_get(&map, key) = value;
                model[count++] = key;
            }
            assert_int_equal(filo_map_count(&map), count);
            // A key that is there needs no memory, even in a full map.
            if (count > 0) assert_non_null(filo_map_put(&map, model[0]));
        }
        if (!filo_map_reserve(&map, 5000)) assert_true(failing.calls > fail_at);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(filo_map_key_at(&map, i), model[i]);
            assert_int_equal(*(uint64_t *)filo_map_get(&map, model[i]), model[i] * model[i]);
        }
        failed = failing.calls > fail_at;
        assert_in_range(count, failed ? 299 : 300, 300); // one call failed, and the next did not
        filo_map_deinit(&map);
        assert_int_equal(failing.blocks, 0);
    }
}

FILO_TEST(a_count_that_no_map_can_have_is_refused) {
    FiloMap map = int_map();
    put_int(&map, 1, 1);
    expect_fault("cannot have that many pairs", assert_false(filo_map_reserve(&map, SIZE_MAX)));
    assert_int_equal(get_int(&map, 1), 1);
    filo_map_deinit(&map);
}

FILO_TEST(misuse_is_reported_and_harmless) {
    FiloMap map = { 0 };
    expect_fault("initialise the map", assert_null(filo_map_put(&map, 1)));
    expect_fault("initialise the map", assert_false(filo_map_set(&map, 1, &(int){ 1 })));
    expect_fault("initialise the map", assert_false(filo_map_reserve(&map, 1)));
    assert_null(filo_map_get(&map, 1));
    assert_false(filo_map_remove(&map, 1));
    filo_map_clear(&map);
    filo_map_deinit(&map);
    map = int_map();
    put_int(&map, 1, 1);
    expect_fault("index 1 is outside the map: use one below 1", filo_map_key_at(&map, 1));
    expect_fault("index 7 is outside the map", assert_null(filo_map_value_at(&map, 7)));
    filo_map_deinit(&map);
}

// ---- Against a model ----------------------------------------------------------------------------------

typedef struct Pair {
    uint64_t key;
    uint32_t value;
} Pair;

// The index of a key in the model; `count` if it is not there.
static size_t find_pair(const Pair *pairs, size_t count, uint64_t key) {
    size_t i = 0;
    while (i < count && pairs[i].key != key) i++;
    return i;
}

FILO_TEST(thousands_of_random_operations_agree_with_a_model) {
    FiloMap map;
    filo_map_init(&map, sizeof(uint32_t), NULL);
    Pair pairs[400];
    size_t count = 0;
    uint64_t random = 3;
    for (uint32_t step = 0; step < 60000; step++) {
        // Phases of growing and of shrinking, so that every filling of the table is met.
        bool growing = step / 3000 % 2 == 0;
        uint64_t key = test_random(&random) % 400 * UINT64_C(0x100000001);
        size_t at = find_pair(pairs, count, key);
        assert_int_equal(filo_map_has(&map, key), at < count);
        if (test_random(&random) % 4 == 0 ? !growing : growing) {
            assert_true(filo_map_set(&map, key, &step));
            pairs[at] = (Pair){ key, step };
            count = FILO_MAX(count, at + 1);
        } else {
            assert_int_equal(filo_map_remove(&map, key), at < count);
            if (at < count) pairs[at] = pairs[--count];
        }
        assert_int_equal(filo_map_count(&map), count);
        if (step % 64 != 0) continue;
        filo_map_each (&map, i) {
            assert_int_equal(filo_map_key_at(&map, i), pairs[i].key);
            assert_int_equal(*(uint32_t *)filo_map_value_at(&map, i), pairs[i].value);
            assert_ptr_equal(filo_map_get(&map, pairs[i].key), filo_map_value_at(&map, i));
        }
    }
    filo_map_deinit(&map);
}
