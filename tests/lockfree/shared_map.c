#include "lockfree/key_table.h"

#include "support/together.h"

static FiloSharedMap *made(size_t capacity, size_t value_size) {
    FiloSharedMap *map;
    FiloSharedMapDesc desc = { .capacity = capacity, .value_size = value_size };
    assert_ok(filo_shared_map_create(&map, &desc));
    return map;
}

static FiloSharedWordMap *made_words(size_t capacity) {
    FiloSharedWordMap *map;
    assert_ok(filo_shared_word_map_create(&map, &(FiloSharedWordMapDesc){ .capacity = capacity }));
    return map;
}

// ---- Bytes --------------------------------------------------------------------------------------------

FILO_TEST(a_key_is_inserted_once_and_its_value_never_moves) {
    static const uint64_t keys[] = { 0, 1, 2, 1000, UINT64_MAX, 1ull << 63, 0x9E3779B97F4A7C15u };
    FiloSharedMap *map = made(FILO_COUNT_OF(keys), sizeof(int));
    int *values[FILO_COUNT_OF(keys)];
    for (size_t i = 0; i < FILO_COUNT_OF(keys); i++) {
        bool inserted = false;
        assert_null(filo_shared_map_find(map, keys[i]));
        values[i] = filo_shared_map_insert(map, keys[i], &inserted);
        assert_non_null(values[i]);
        assert_true(inserted);
        assert_int_equal(*values[i], 0);
        *values[i] = (int)i + 1;
        assert_int_equal(filo_shared_map_count(map), i + 1);
    }
    for (size_t i = 0; i < FILO_COUNT_OF(keys); i++) {
        bool inserted = true;
        assert_ptr_equal(filo_shared_map_find(map, keys[i]), values[i]);
        assert_ptr_equal(filo_shared_map_insert(map, keys[i], &inserted), values[i]);
        assert_false(inserted);
        assert_ptr_equal(filo_shared_map_insert(map, keys[i], NULL), values[i]);
        assert_int_equal(*values[i], i + 1);
    }
    assert_null(filo_shared_map_find(map, 3));
    assert_int_equal(filo_shared_map_count(map), FILO_COUNT_OF(keys));
    filo_shared_map_destroy(map);
    filo_shared_map_destroy(NULL);
}

FILO_TEST(values_are_aligned_as_their_size_allows) {
    static const size_t sizes[] = { 1, 2, 3, 4, 8, 12, 16, 24, 32, 48, 100 };
    static const size_t aligns[] = { 1, 2, 1, 4, 8, 4, 16, 8, 16, 16, 4 };
    for (size_t k = 0; k < FILO_COUNT_OF(sizes); k++) {
        FiloSharedMap *map = made(20, sizes[k]);
        for (uint64_t key = 0; key < 20; key++) {
            unsigned char *value = filo_shared_map_insert(map, key, NULL);
            assert_int_equal((uintptr_t)value % aligns[k], 0);
            for (size_t i = 0; i < sizes[k]; i++) assert_int_equal(value[i], 0);
            memset(value, 0xFF, sizes[k]); // if it overlapped another, that one would not be zero
        }
        filo_shared_map_destroy(map);
    }
}

FILO_TEST(a_full_map_refuses_new_keys_and_still_finds_the_old) {
    for (size_t capacity = 1; capacity < 40; capacity++) {
        FiloSharedMap *map = made(capacity, 8);
        for (uint64_t key = 0; key < capacity; key++)
            assert_non_null(filo_shared_map_insert(map, key * 977, NULL));
        for (uint64_t key = capacity; key < 3 * capacity; key++) {
            bool inserted = true;
            assert_null(filo_shared_map_insert(map, key * 977, &inserted));
            assert_false(inserted);
            assert_null(filo_shared_map_find(map, key * 977));
        }
        for (uint64_t key = 0; key < capacity; key++)
            assert_non_null(filo_shared_map_insert(map, key * 977, NULL));
        assert_int_equal(filo_shared_map_count(map), capacity);
        filo_shared_map_destroy(map);
    }
    FiloSharedMap *map = made(1, 8); // the key 0 counts, too
    assert_non_null(filo_shared_map_insert(map, 5, NULL));
    assert_null(filo_shared_map_insert(map, 0, NULL));
    filo_shared_map_destroy(map);
}

FILO_TEST(a_table_without_an_empty_slot_ends_its_probes) {
    _Alignas(8) uint64_t memory[5] = { 11, 22, 33, 44, 0 };
    LockfreeKeyTable table = { .keys = (unsigned char *)memory, .stride = 8, .mask = 3, .limit = 100 };
    bool inserted;
    assert_int_equal(lockfree_key_table_find(&table, 55), LOCKFREE_KEY_NOT_FOUND);
    assert_int_equal(lockfree_key_table_insert(&table, 55, &inserted), LOCKFREE_KEY_NOT_FOUND);
    assert_int_equal(lockfree_key_table_insert(&table, 0, &inserted), 4);
    assert_true(inserted);
    assert_int_equal(lockfree_key_table_find(&table, 0), 4);
}

FILO_TEST(capacity_fills_at_most_three_quarters_of_a_power_of_two) {
    for (size_t capacity = 1; capacity < 5000; capacity++) {
        size_t slots = lockfree_key_table_slot_count(capacity);
        assert_int_equal(slots & (slots - 1), 0);
        assert_true(capacity * 4 <= slots * 3);
        assert_true(slots == 4 || capacity * 4 > slots / 2 * 3);
    }
    assert_int_equal(lockfree_key_table_slot_count(SIZE_MAX), 0);
}

FILO_TEST(the_cursor_gives_every_key_once) {
    FiloSharedMap *map = made(100, sizeof(uint64_t));
    size_t cursor = 0;
    assert_false(filo_shared_map_next(map, &cursor, NULL, NULL));
    for (uint64_t key = 0; key < 100; key++) *(uint64_t *)filo_shared_map_insert(map, key * key, NULL) = key;
    int seen[100] = { 0 }, count = 0;
    uint64_t key;
    void *value;
    for (cursor = 0; filo_shared_map_next(map, &cursor, &key, &value); count++) {
        uint64_t root = *(uint64_t *)value;
        assert_int_equal(root * root, key);
        assert_int_equal(seen[root]++, 0);
    }
    assert_int_equal(count, 100);
    assert_false(filo_shared_map_next(map, &cursor, &key, &value)); // and stays at the end
    filo_shared_map_destroy(map);
}

FILO_TEST(a_cleared_map_is_as_new) {
    FiloSharedMap *map = made(3, 16);
    for (int round = 0; round < 3; round++) {
        size_t cursor = 0;
        assert_int_equal(filo_shared_map_count(map), 0);
        assert_false(filo_shared_map_next(map, &cursor, NULL, NULL));
        for (uint64_t key = 0; key < 3; key++) {
            unsigned char *value = filo_shared_map_insert(map, key, NULL);
            for (int i = 0; i < 16; i++) assert_int_equal(value[i], 0);
            memset(value, 0xFF, 16);
        }
        assert_null(filo_shared_map_insert(map, 9, NULL));
        filo_shared_map_clear(map);
    }
    filo_shared_map_destroy(map);
}

// ---- Words --------------------------------------------------------------------------------------------

FILO_TEST(every_key_has_a_word_which_is_initially_0) {
    FiloSharedWordMap *map = made_words(3);
    uint64_t before = 99;
    bool swapped = false;
    assert_int_equal(filo_shared_word_map_load(map, 0), 0);
    assert_int_equal(filo_shared_word_map_count(map), 0); // loading does not insert
    assert_true(filo_shared_word_map_store(map, 0, 10));
    assert_true(filo_shared_word_map_exchange(map, 0, 20, &before));
    assert_int_equal(before, 10);
    assert_true(filo_shared_word_map_exchange(map, 7, 1, &before));
    assert_int_equal(before, 0);
    assert_true(filo_shared_word_map_add(map, 0, 5, &before));
    assert_int_equal(before, 20);
    assert_true(filo_shared_word_map_add(map, 0, 5, NULL));
    assert_true(filo_shared_word_map_exchange(map, 7, 2, NULL));
    uint64_t expected = 1;
    assert_true(filo_shared_word_map_compare_swap(map, 0, &expected, 40, &swapped));
    assert_false(swapped);
    assert_int_equal(expected, 30);
    assert_true(filo_shared_word_map_compare_swap(map, 0, &expected, 40, &swapped));
    assert_true(swapped);
    assert_int_equal(filo_shared_word_map_load(map, 0), 40);
    assert_int_equal(filo_shared_word_map_load(map, 7), 2);
    assert_int_equal(filo_shared_word_map_count(map), 2);
    filo_shared_word_map_destroy(map);
    filo_shared_word_map_destroy(NULL);
}

FILO_TEST(a_full_word_map_refuses_new_keys_and_changes_nothing) {
    FiloSharedWordMap *map = made_words(2);
    uint64_t before = 99, expected = 0;
    bool swapped = true;
    assert_true(filo_shared_word_map_store(map, 1, 10));
    assert_true(filo_shared_word_map_store(map, 2, 20));
    assert_false(filo_shared_word_map_store(map, 3, 30));
    assert_false(filo_shared_word_map_add(map, 3, 30, &before));
    assert_false(filo_shared_word_map_exchange(map, 3, 30, &before));
    assert_int_equal(before, 99);
    assert_false(filo_shared_word_map_compare_swap(map, 3, &expected, 30, &swapped));
    assert_false(swapped);
    assert_int_equal(filo_shared_word_map_load(map, 3), 0);
    assert_int_equal(filo_shared_word_map_count(map), 2);
    assert_true(filo_shared_word_map_add(map, 1, 1, &before)); // keys that are in the map still work
    assert_int_equal(before, 10);
    filo_shared_word_map_destroy(map);
}

FILO_TEST(the_cursor_gives_every_word_and_clearing_removes_them) {
    FiloSharedWordMap *map = made_words(50);
    for (uint64_t key = 0; key < 50; key++) assert_true(filo_shared_word_map_store(map, key, key + 1000));
    uint64_t key, value, sum = 0;
    size_t cursor = 0, count = 0;
    for (; filo_shared_word_map_next(map, &cursor, &key, &value); count++) {
        assert_int_equal(value, key + 1000);
        sum += key;
    }
    assert_int_equal(count, 50);
    assert_int_equal(sum, 49 * 50 / 2);
    filo_shared_word_map_clear(map);
    cursor = 0;
    assert_false(filo_shared_word_map_next(map, &cursor, NULL, NULL));
    assert_int_equal(filo_shared_word_map_load(map, 7), 0);
    assert_true(filo_shared_word_map_add(map, 7, 1, &value));
    assert_int_equal(value, 0);
    filo_shared_word_map_destroy(map);
}

// ---- Misuse and memory --------------------------------------------------------------------------------

FILO_TEST(misuse_is_reported) {
    FiloSharedMap *map;
    FiloSharedWordMap *words;
    expect_mistake("doors: give the capacity",
                   filo_shared_map_create(&map, &(FiloSharedMapDesc){ .name = "doors", .value_size = 4 }));
    expect_mistake("the size of values", filo_shared_map_create(&map, &(FiloSharedMapDesc){ .capacity = 4 }));
    assert_null(map);
    expect_mistake("give the capacity", filo_shared_word_map_create(&words, &(FiloSharedWordMapDesc){ 0 }));
    assert_null(words);
}

FILO_TEST(want_of_memory_is_an_error) {
    FiloSharedMap *map;
    FiloSharedMapDesc desc = { .name = "doors", .capacity = 10, .value_size = 4, .allocator = &no_memory };
    assert_error(filo_shared_map_create(&map, &desc), FILO_ERROR_MEMORY, "doors: no memory for 10 keys");
    assert_null(map);
    static const size_t large[][2] = {
        { SIZE_MAX, 1 }, { SIZE_MAX / 16, 64 }, { 4, SIZE_MAX }, { 16, SIZE_MAX / 4 }
    };
    for (size_t i = 0; i < FILO_COUNT_OF(large); i++) {
        desc = (FiloSharedMapDesc){ .capacity = large[i][0], .value_size = large[i][1] };
        assert_error(filo_shared_map_create(&map, &desc), FILO_ERROR_LIMIT, "more than memory can be");
    }
    FiloSharedWordMap *words;
    FiloSharedWordMapDesc word_desc = { .name = "hits", .capacity = 10, .allocator = &no_memory };
    assert_error(filo_shared_word_map_create(&words, &word_desc), FILO_ERROR_MEMORY, "hits: no memory");
    assert_null(words);
    word_desc = (FiloSharedWordMapDesc){ .capacity = SIZE_MAX / 9 };
    assert_error(filo_shared_word_map_create(&words, &word_desc), FILO_ERROR_LIMIT,
                 "more than memory can be");
}

FILO_TEST(memory_is_allocated_once_and_freed) {
    FiloHeap heap;
    filo_heap_init(&heap, "map test", 0);
    FiloSharedMap *map;
    FiloSharedWordMap *words;
    FiloSharedMapDesc desc = { .capacity = 100, .value_size = 24, .allocator = &heap.allocator };
    assert_ok(filo_shared_map_create(&map, &desc));
    assert_ok(filo_shared_word_map_create(
        &words, &(FiloSharedWordMapDesc){ .capacity = 100, .allocator = &heap.allocator }));
    for (uint64_t key = 0; key < 100; key++) {
        assert_non_null(filo_shared_map_insert(map, key, NULL));
        assert_true(filo_shared_word_map_store(words, key, key));
    }
    assert_int_equal(filo_heap_stats(&heap).operations, 2);
    filo_shared_map_destroy(map);
    filo_shared_word_map_destroy(words);
    assert_int_equal(filo_heap_stats(&heap).used, 0);
    filo_heap_deinit(&heap);
}

// ---- Many threads -------------------------------------------------------------------------------------

#define THREADS 6
#define KEYS    2000

typedef struct Stress {
    FiloSharedMap *map;
    FiloSharedWordMap *words;
    void *values[THREADS][KEYS];
    BASE_ATOMIC(int) inserted, refused;
} Stress;

static void insert_all(int thread, void *user) {
    Stress *stress = user;
    for (int i = 0; i < KEYS; i++) {
        uint64_t key = (uint64_t)((i + thread * 331) % KEYS); // the same keys, each thread in another order
        bool inserted;
        stress->values[thread][key] = filo_shared_map_insert(stress->map, key, &inserted);
        if (inserted) base_add_relaxed(&stress->inserted, 1);
        if (!filo_shared_word_map_add(stress->words, key, key + 1, NULL))
            base_add_relaxed(&stress->refused, 1);
    }
}

FILO_TEST(all_threads_get_the_same_value_and_no_addition_is_lost) {
    static Stress stress;
    memset(&stress, 0, sizeof stress);
    stress.map = made(KEYS, 4);
    stress.words = made_words(KEYS);
    together(THREADS, insert_all, &stress);
    assert_int_equal(base_load_relaxed(&stress.inserted), KEYS);
    assert_int_equal(base_load_relaxed(&stress.refused), 0);
    assert_int_equal(filo_shared_map_count(stress.map), KEYS);
    for (uint64_t key = 0; key < KEYS; key++) {
        assert_non_null(stress.values[0][key]);
        for (int t = 1; t < THREADS; t++) assert_ptr_equal(stress.values[t][key], stress.values[0][key]);
        assert_int_equal(filo_shared_word_map_load(stress.words, key), THREADS * (key + 1));
    }
    filo_shared_map_destroy(stress.map);
    filo_shared_word_map_destroy(stress.words);
}

static void insert_own(int thread, void *user) {
    Stress *stress = user;
    for (int i = 0; i < KEYS; i++)
        if (filo_shared_map_insert(stress->map, (uint64_t)(i * THREADS + thread), NULL) != NULL)
            base_add_relaxed(&stress->inserted, 1);
}

FILO_TEST(a_map_that_fills_up_takes_its_capacity_and_a_few_more_at_most) {
    static Stress stress;
    memset(&stress, 0, sizeof stress);
    stress.map = made(KEYS, 4);
    together(THREADS, insert_own, &stress);
    int inserted = base_load_relaxed(&stress.inserted);
    assert_true(inserted >= KEYS && inserted < KEYS + THREADS);
    assert_int_equal(filo_shared_map_count(stress.map), inserted);
    size_t cursor = 0;
    int found = 0;
    while (filo_shared_map_next(stress.map, &cursor, NULL, NULL)) found++;
    assert_int_equal(found, inserted);
    filo_shared_map_destroy(stress.map);
}
