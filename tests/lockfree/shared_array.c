#include <filo/lockfree.h>

#include "support/together.h"

static FiloSharedArray *made(size_t count, size_t element_size, bool spread) {
    FiloSharedArray *array;
    FiloSharedArrayDesc desc = { .count = count, .element_size = element_size, .spread = spread };
    assert_ok(filo_shared_array_create(&array, &desc));
    return array;
}

static FiloSharedWords *made_words(size_t count, bool spread) {
    FiloSharedWords *words;
    assert_ok(filo_shared_words_create(&words, &(FiloSharedWordsDesc){ .count = count, .spread = spread }));
    return words;
}

// ---- Array --------------------------------------------------------------------------------------------

FILO_TEST(elements_are_zeroed_apart_and_without_gaps) {
    FiloSharedArray *array = made(10, 12, false);
    assert_int_equal(filo_shared_array_count(array), 10);
    unsigned char *first = filo_shared_array_at(array, 0);
    assert_int_equal((uintptr_t)first % FILO_CACHE_LINE, 0);
    for (size_t i = 0; i < 10; i++) {
        unsigned char *element = filo_shared_array_at(array, i);
        assert_ptr_equal(element, first + i * 12);
        for (int k = 0; k < 12; k++) assert_int_equal(element[k], 0);
        memset(element, (int)i, 12);
    }
    for (size_t i = 0; i < 10; i++) assert_int_equal(*(unsigned char *)filo_shared_array_at(array, i), i);
    filo_shared_array_destroy(array);
    filo_shared_array_destroy(NULL);
}

FILO_TEST(spread_elements_begin_cache_lines) {
    static const size_t sizes[] = { 1, 64, 65 }, distances[] = { 64, 64, 128 };
    for (size_t k = 0; k < FILO_COUNT_OF(sizes); k++) {
        FiloSharedArray *array = made(3, sizes[k], true);
        unsigned char *first = filo_shared_array_at(array, 0);
        assert_int_equal((uintptr_t)first % FILO_CACHE_LINE, 0);
        for (size_t i = 0; i < 3; i++)
            assert_ptr_equal(filo_shared_array_at(array, i), first + i * distances[k]);
        filo_shared_array_destroy(array);
    }
}

FILO_TEST(an_index_beyond_the_end_is_a_fault) {
    FiloSharedArrayDesc desc = { .name = "cells", .count = 3, .element_size = 4 };
    FiloSharedArray *array;
    assert_ok(filo_shared_array_create(&array, &desc));
    expect_fault("cells: pass an index below 3, not 3", assert_null(filo_shared_array_at(array, 3)));
    expect_fault("not 18446744073709551615", assert_null(filo_shared_array_at(array, SIZE_MAX)));
    filo_shared_array_destroy(array);
    desc.count = 0;
    expect_mistake("cells: give the count", filo_shared_array_create(&array, &desc));
    assert_null(array);
    desc = (FiloSharedArrayDesc){ .count = 1 };
    expect_mistake("the size of elements", filo_shared_array_create(&array, &desc));
}

FILO_TEST(want_of_memory_is_an_error) {
    FiloSharedArray *array;
    FiloSharedArrayDesc desc = { .name = "cells", .count = 3, .element_size = 4, .allocator = &no_memory };
    assert_error(filo_shared_array_create(&array, &desc), FILO_ERROR_MEMORY,
                 "cells: no memory for 3 elements of 4");
    assert_null(array);
    static const size_t large[][2] = {
        { SIZE_MAX / 2, 4 }, { 1, SIZE_MAX }, { SIZE_MAX, 1 }, { SIZE_MAX / 64, 64 }
    };
    for (size_t i = 0; i < FILO_COUNT_OF(large); i++)
        for (int spread = 0; spread < 2; spread++) {
            desc = (FiloSharedArrayDesc){ .count = large[i][0],
                                          .element_size = large[i][1],
                                          .spread = spread != 0 };
            assert_error(filo_shared_array_create(&array, &desc), FILO_ERROR_LIMIT,
                         "more than memory can be");
        }
    FiloSharedWords *words;
    FiloSharedWordsDesc words_desc = { .name = "votes", .count = 3, .allocator = &no_memory };
    assert_error(filo_shared_words_create(&words, &words_desc), FILO_ERROR_MEMORY, "votes: no memory");
    assert_null(words);
    words_desc = (FiloSharedWordsDesc){ .count = SIZE_MAX / 8 };
    assert_error(filo_shared_words_create(&words, &words_desc), FILO_ERROR_LIMIT, "more than memory can be");
}

FILO_TEST(memory_is_freed) {
    FiloHeap heap;
    filo_heap_init(&heap, "array test", 0);
    FiloSharedArray *array;
    FiloSharedWords *words;
    FiloSharedArrayDesc desc = { .count = 7, .element_size = 9, .allocator = &heap.allocator };
    assert_ok(filo_shared_array_create(&array, &desc));
    assert_ok(
        filo_shared_words_create(&words, &(FiloSharedWordsDesc){ .count = 7, .allocator = &heap.allocator }));
    assert_int_equal(filo_heap_stats(&heap).operations, 2);
    filo_shared_array_destroy(array);
    filo_shared_words_destroy(words);
    assert_int_equal(filo_heap_stats(&heap).used, 0);
    filo_heap_deinit(&heap);
}

// ---- Words --------------------------------------------------------------------------------------------

FILO_TEST(words_do_what_they_say) {
    for (int spread = 0; spread < 2; spread++) {
        FiloSharedWords *words = made_words(4, spread != 0);
        assert_int_equal(filo_shared_words_count(words), 4);
        for (size_t i = 0; i < 4; i++) assert_int_equal(filo_shared_words_load(words, i), 0);
        filo_shared_words_store(words, 1, 10);
        assert_int_equal(filo_shared_words_exchange(words, 1, 20), 10);
        assert_int_equal(filo_shared_words_add(words, 1, 5), 20);
        uint64_t expected = 3;
        assert_false(filo_shared_words_compare_swap(words, 1, &expected, 9));
        assert_int_equal(expected, 25);
        assert_true(filo_shared_words_compare_swap(words, 1, &expected, 9));
        assert_int_equal(filo_shared_words_load(words, 1), 9);
        assert_int_equal(filo_shared_words_add(words, 3, (uint64_t)-1), 0);
        assert_int_equal(filo_shared_words_add(words, 3, 2), UINT64_MAX); // wraps around
        assert_int_equal(filo_shared_words_load(words, 3), 1);
        assert_int_equal(filo_shared_words_load(words, 0), 0);
        assert_int_equal(filo_shared_words_load(words, 2), 0);
        filo_shared_words_destroy(words);
    }
    filo_shared_words_destroy(NULL);
}

FILO_TEST(a_word_beyond_the_end_is_a_fault_and_changes_nothing) {
    FiloSharedWords *words;
    assert_ok(filo_shared_words_create(&words, &(FiloSharedWordsDesc){ .name = "votes", .count = 2 }));
    uint64_t expected = 5;
    expect_fault("votes: pass an index below 2, not 2",
                 assert_int_equal(filo_shared_words_load(words, 2), 0));
    expect_fault("below 2", filo_shared_words_store(words, 2, 1));
    expect_fault("below 2", assert_int_equal(filo_shared_words_exchange(words, 2, 1), 0));
    expect_fault("below 2", assert_int_equal(filo_shared_words_add(words, SIZE_MAX, 1), 0));
    expect_fault("below 2", assert_false(filo_shared_words_compare_swap(words, 2, &expected, 1)));
    assert_int_equal(expected, 5);
    filo_shared_words_destroy(words);
    expect_mistake("give the count",
                   filo_shared_words_create(&words, &(FiloSharedWordsDesc){ .name = "votes" }));
}

// ---- Many threads -------------------------------------------------------------------------------------

#define ROUNDS 20000

typedef struct Stress {
    FiloSharedArray *array;
    FiloSharedWords *words;
} Stress;

static void count_up(int thread, void *user) {
    Stress *stress = user;
    for (int i = 0; i < ROUNDS; i++) {
        filo_shared_words_add(stress->words, (size_t)i % 2, 1);
        uint64_t value = filo_shared_words_load(stress->words, 2);
        while (!filo_shared_words_compare_swap(stress->words, 2, &value, value + 3)) continue;
        ++*(int *)filo_shared_array_at(stress->array, (size_t)thread);
    }
    // The word publishes what is in the array.
    filo_shared_words_store(stress->words, 3 + (size_t)thread, 1);
    size_t neighbour = (size_t)(thread + 1) % 4;
    while (filo_shared_words_load(stress->words, 3 + neighbour) == 0) filo_thread_yield();
    if (*(int *)filo_shared_array_at(stress->array, neighbour) == ROUNDS)
        filo_shared_words_exchange(stress->words, 7 + (size_t)thread, 1);
}

FILO_TEST(no_change_is_lost_and_a_word_brings_what_was_written_before) {
    Stress stress = { made(4, sizeof(int), true), made_words(11, false) };
    together(4, count_up, &stress);
    assert_int_equal(filo_shared_words_load(stress.words, 0), 2 * ROUNDS);
    assert_int_equal(filo_shared_words_load(stress.words, 1), 2 * ROUNDS);
    assert_int_equal(filo_shared_words_load(stress.words, 2), 3 * 4 * ROUNDS);
    for (size_t i = 7; i < 11; i++) assert_int_equal(filo_shared_words_load(stress.words, i), 1);
    filo_shared_array_destroy(stress.array);
    filo_shared_words_destroy(stress.words);
}
