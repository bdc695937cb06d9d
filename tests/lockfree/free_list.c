#include "lockfree/free_list.h"

#include "support/together.h"

static FiloFreeList *made(uint32_t count, size_t block_size) {
    FiloFreeList *list;
    assert_ok(filo_free_list_create(&list, &(FiloFreeListDesc){ .count = count, .block_size = block_size }));
    return list;
}

FILO_TEST(a_new_list_counts_from_0_and_then_is_empty) {
    FiloFreeList *list = made(5, 0);
    for (uint32_t i = 0; i < 5; i++) assert_int_equal(filo_free_list_take(list), i);
    assert_int_equal(filo_free_list_take(list), FILO_FREE_LIST_EMPTY);
    assert_int_equal(filo_free_list_take(list), FILO_FREE_LIST_EMPTY);
    filo_free_list_destroy(list);
}

FILO_TEST(the_number_that_was_given_back_last_is_taken_first) {
    FiloFreeList *list = made(3, 0);
    for (int i = 0; i < 3; i++) filo_free_list_take(list);
    filo_free_list_give(list, 1);
    filo_free_list_give(list, 2);
    assert_int_equal(filo_free_list_take(list), 2);
    assert_int_equal(filo_free_list_take(list), 1);
    assert_int_equal(filo_free_list_take(list), FILO_FREE_LIST_EMPTY);
    filo_free_list_destroy(list);
}

FILO_TEST(blocks_are_disjoint_aligned_and_found_by_their_number) {
    for (size_t align = 1; align <= 4096; align *= 2) {
        FiloFreeList *list;
        FiloFreeListDesc desc = { .count = 4, .block_size = 10, .align = align };
        assert_ok(filo_free_list_create(&list, &desc));
        for (uint32_t i = 0; i < 4; i++) {
            unsigned char *block = filo_free_list_block(list, i);
            assert_int_equal((uintptr_t)block % align, 0);
            memset(block, (int)i + 1, 10);
            assert_int_equal(filo_free_list_number(list, block), i);
        }
        for (uint32_t i = 0; i < 4; i++) {
            unsigned char *block = filo_free_list_block(list, i);
            for (int k = 0; k < 10; k++) assert_int_equal(block[k], i + 1);
        }
        for (uint32_t i = 0; i < 4; i++)
            assert_int_equal(filo_free_list_take(list), i); // links are not in the blocks
        filo_free_list_destroy(list);
    }
}

FILO_TEST(the_answer_of_an_empty_list_is_no_block) {
    FiloFreeList *list = made(1, 8);
    assert_non_null(filo_free_list_block(list, filo_free_list_take(list)));
    assert_null(filo_free_list_block(list, filo_free_list_take(list)));
    filo_free_list_destroy(list);
    filo_free_list_destroy(NULL);
}

FILO_TEST(the_tag_grows_with_each_take_and_wraps) {
    FiloFreeList *list = made(2, 0);
    base_store_relaxed(&list->head, (uint64_t)UINT32_MAX << 32 | 1);
    assert_int_equal(filo_free_list_take(list), 0);
    assert_int_equal(base_load_relaxed(&list->head), 2); // the tag is 0 again, without a carry
    filo_free_list_give(list, 0);
    assert_int_equal(filo_free_list_take(list), 0);
    assert_int_equal(base_load_relaxed(&list->head), 1ull << 32 | 2);
    filo_free_list_destroy(list);
}

FILO_TEST(misuse_is_reported_and_changes_nothing) {
    FiloFreeList *list = made(2, 0), *none;
    expect_fault("it is not taken", filo_free_list_give(list, 0));
    assert_int_equal(filo_free_list_take(list), 0);
    expect_fault("below 2", filo_free_list_give(list, 2));
    expect_fault("below 2", filo_free_list_give(list, FILO_FREE_LIST_EMPTY));
    filo_free_list_give(list, 0);
    expect_fault("give number 0 back once", filo_free_list_give(list, 0));
    expect_fault("a block size", assert_null(filo_free_list_block(list, 0)));
    expect_fault("below 2", assert_null(filo_free_list_block(list, 2)));
    expect_fault("a block of this free list",
                 assert_int_equal(filo_free_list_number(list, list), FILO_FREE_LIST_EMPTY));
    assert_int_equal(filo_free_list_take(list), 0);
    assert_int_equal(filo_free_list_take(list), 1);
    assert_int_equal(filo_free_list_take(list), FILO_FREE_LIST_EMPTY);
    filo_free_list_destroy(list);
    list = made(2, 16);
    unsigned char *block = filo_free_list_block(list, 1);
    expect_fault("a block of this free list", filo_free_list_number(list, block + 1));
    expect_fault("a block of this free list", filo_free_list_number(list, block + 16));
    filo_free_list_destroy(list);
    expect_mistake("a count from 1", filo_free_list_create(&none, &(FiloFreeListDesc){ .name = "ids" }));
    expect_mistake("a power of two",
                   filo_free_list_create(&none, &(FiloFreeListDesc){ .count = 1, .align = 24 }));
    expect_mistake("up to 4096",
                   filo_free_list_create(&none, &(FiloFreeListDesc){ .count = 1, .align = 8192 }));
    assert_null(none);
}

FILO_TEST(want_of_memory_is_an_error) {
    FiloFreeList *list;
    FiloFreeListDesc desc = { .name = "bullets", .count = 10, .block_size = 64, .allocator = &no_memory };
    assert_error(filo_free_list_create(&list, &desc), FILO_ERROR_MEMORY,
                 "bullets: no memory for 10 blocks of 64");
    assert_null(list);
    desc = (FiloFreeListDesc){ .name = "bullets", .count = 1000, .block_size = SIZE_MAX / 100 };
    assert_error(filo_free_list_create(&list, &desc), FILO_ERROR_LIMIT, "bullets: 1000 blocks");
    desc.block_size = SIZE_MAX - 4;
    assert_error(filo_free_list_create(&list, &desc), FILO_ERROR_LIMIT, "more than memory can be");
}

FILO_TEST(memory_is_allocated_once_and_freed) {
    FiloHeap heap;
    filo_heap_init(&heap, "free list test", 0);
    FiloFreeList *list;
    FiloFreeListDesc desc = { .count = 100, .block_size = 24, .allocator = &heap.allocator };
    assert_ok(filo_free_list_create(&list, &desc));
    for (int i = 0; i < 1000; i++) filo_free_list_give(list, filo_free_list_take(list));
    assert_int_equal(filo_heap_stats(&heap).operations, 1);
    filo_free_list_destroy(list);
    assert_int_equal(filo_heap_stats(&heap).used, 0);
    filo_heap_deinit(&heap);
}

// ---- Many threads -------------------------------------------------------------------------------------

typedef struct Stress {
    FiloFreeList *list;
    int rounds;
    BASE_ATOMIC(int) wrong;
} Stress;

// Takes numbers, marks their blocks, checks the marks, and gives the numbers back in another order.
static void take_and_give(int thread, void *user) {
    Stress *stress = user;
    uint32_t numbers[3], random = (uint32_t)thread + 1;
    for (int round = 0; round < stress->rounds; round++) {
        uint32_t wanted = 1 + together_random(&random) % 3, count = 0;
        while (count < wanted && (numbers[count] = filo_free_list_take(stress->list)) != FILO_FREE_LIST_EMPTY)
            count++;
        for (uint32_t i = 0; i < count; i++) {
            int *block = filo_free_list_block(stress->list, numbers[i]);
            if (*block != 0) base_add_relaxed(&stress->wrong, 1);
            *block = thread + 1;
        }
        if (together_random(&random) % 16 == 0) filo_thread_yield();
        for (uint32_t i = 0; i < count; i++) {
            int *block = filo_free_list_block(stress->list, numbers[i]);
            if (*block != thread + 1) base_add_relaxed(&stress->wrong, 1);
            *block = 0;
            filo_free_list_give(stress->list, numbers[i]);
        }
    }
}

static void run_stress(uint32_t count, int threads, int rounds) {
    Stress stress = { .list = made(count, sizeof(int)), .rounds = rounds };
    for (uint32_t i = 0; i < count; i++) memset(filo_free_list_block(stress.list, i), 0, sizeof(int));
    together(threads, take_and_give, &stress);
    assert_int_equal(base_load_relaxed(&stress.wrong), 0);
    uint64_t seen = 0;
    for (uint32_t i = 0; i < count; i++) seen |= 1ull << filo_free_list_take(stress.list);
    assert_int_equal(seen, (1ull << count) - 1); // all are there, each once
    assert_int_equal(filo_free_list_take(stress.list), FILO_FREE_LIST_EMPTY);
    filo_free_list_destroy(stress.list);
}

FILO_TEST(a_number_has_one_owner_among_eight_threads) { run_stress(32, 8, 20000); }
FILO_TEST(a_number_has_one_owner_when_there_are_hardly_any) { run_stress(3, 4, 30000); }
