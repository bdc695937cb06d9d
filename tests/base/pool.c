#include "support/malloc_count.h"
#include "support/test.h"

#include <filo/memory.h>

#include <signal.h>

// Writes bytes that must not be accessed, unnoticed by the address sanitizer.
__attribute__((no_sanitize("address"))) static void invert(volatile uint8_t *byte) {
    *byte = (uint8_t) ~*byte;
}

FILO_TEST(blocks_of_any_size_are_aligned_and_do_not_overlap) {
    static const size_t sizes[] = { 1, 3, 7, 8, 9, 16, 24, 100, 4097, 20000 };
    for (size_t s = 0; s < FILO_COUNT_OF(sizes); s++) {
        for (size_t align = 0; align <= 4096; align = align == 0 ? 1 : align * 4) {
            FiloPool pool;
            assert_ok(filo_pool_init(&pool, &(FiloPoolDesc){ .block_size = sizes[s], .align = align }));
            uint8_t *blocks[50];
            for (int i = 0; i < 50; i++) {
                blocks[i] = filo_pool_take(&pool);
                assert_non_null(blocks[i]);
                assert_int_equal((uintptr_t)blocks[i] % (align != 0 ? align : 16), 0);
                memset(blocks[i], i, sizes[s]);
            }
            for (int i = 0; i < 50; i++)
                for (size_t j = 0; j < sizes[s]; j++) assert_int_equal(blocks[i][j], i);
            assert_int_equal(filo_pool_stats(&pool).used, 50 * sizes[s]);
            for (int i = 0; i < 50; i++) filo_pool_give(&pool, blocks[(i * 7) % 50]); // in any order
            assert_int_equal(filo_pool_stats(&pool).used, 0);
            assert_int_equal(filo_pool_stats(&pool).peak, 50 * sizes[s]);
            assert_int_equal(filo_pool_stats(&pool).operations, 50);
            filo_pool_deinit(&pool);
        }
    }
}

FILO_TEST(blocks_never_move_while_the_pool_grows) {
    FiloPool pool;
    assert_ok(filo_pool_init(&pool, &(FiloPoolDesc){ .block_size = sizeof(int), .blocks_per_page = 3 }));
    int *blocks[1000];
    for (int i = 0; i < 1000; i++) *(blocks[i] = filo_pool_take(&pool)) = i;
    for (int i = 0; i < 1000; i++) assert_int_equal(*blocks[i], i);
    filo_pool_deinit(&pool); // with all of them taken
}

FILO_TEST(a_returned_block_is_the_next_one_taken) {
    FiloPool pool;
    assert_ok(filo_pool_init(&pool, &(FiloPoolDesc){ .block_size = 32 }));
    void *first = filo_pool_take(&pool), *second = filo_pool_take(&pool);
    filo_pool_give(&pool, first);
    assert_ptr_equal(filo_pool_take(&pool), first);
    filo_pool_give(&pool, second);
    filo_pool_give(&pool, NULL); // allowed
    filo_pool_deinit(&pool);
}

FILO_TEST(there_are_never_more_blocks_than_allowed) {
    for (size_t most = 1; most <= 20; most++) {
        FiloPool pool;
        assert_ok(filo_pool_init(
            &pool,
            &(FiloPoolDesc){ .name = "few", .block_size = 3, .blocks_per_page = 4, .max_blocks = most }));
        assert_int_equal(filo_pool_stats(&pool).budget, most * 3);
        void *blocks[20];
        for (int round = 0; round < 3; round++) {
            for (size_t i = 0; i < most; i++) assert_non_null(blocks[i] = filo_pool_take(&pool));
            void *none = &pool;
            expect_fault("few: cannot allocate 3 bytes: all blocks of the pool are taken",
                         none = filo_pool_take(&pool));
            assert_null(none);
            filo_pool_give(&pool, blocks[most - 1]);
            assert_non_null(blocks[most - 1] = filo_pool_take(&pool));
            for (size_t i = 0; i < most; i++) filo_pool_give(&pool, blocks[i]);
        }
        filo_pool_deinit(&pool);
    }
}

FILO_TEST(pages_come_from_the_allocator_and_are_returned_to_it) {
    FiloHeap heap;
    filo_heap_init(&heap, "pages", 0);
    FiloPool pool;
    assert_ok(filo_pool_init(
        &pool, &(FiloPoolDesc){ .block_size = 100, .blocks_per_page = 10, .allocator = &heap.allocator }));
    assert_int_equal(filo_heap_stats(&heap).used, 0); // none before the first block
    void *block = filo_pool_take(&pool);
    size_t page = filo_heap_stats(&heap).used;
    assert_true(page >= 1000);
    for (int i = 0; i < 9; i++) filo_pool_take(&pool);
    assert_int_equal(filo_heap_stats(&heap).used, page);
    filo_pool_take(&pool);
    assert_int_equal(filo_heap_stats(&heap).used, 2 * page);
    filo_pool_give(&pool, block);
    filo_pool_deinit(&pool);
    assert_int_equal(filo_heap_stats(&heap).used, 0);
    filo_heap_deinit(&heap);
}

FILO_TEST(a_pool_without_memory_for_a_page_reports_it_and_its_blocks_stay_usable) {
    FiloHeap heap;
    filo_heap_init(&heap, "pages", 2000);
    FiloPool pool;
    assert_ok(filo_pool_init(&pool, &(FiloPoolDesc){ .name = "bullets",
                                                     .block_size = 100,
                                                     .blocks_per_page = 10,
                                                     .allocator = &heap.allocator }));
    void *blocks[10];
    for (int i = 0; i < 10; i++) assert_non_null(blocks[i] = filo_pool_take(&pool));
    void *none = &pool;
    expect_faults(2, "pages: cannot allocate", none = filo_pool_take(&pool)); // the heap, then the pool
    assert_null(none);
    assert_int_equal(filo_pool_stats(&pool).used, 1000);
    filo_pool_give(&pool, blocks[3]);
    assert_ptr_equal(filo_pool_take(&pool), blocks[3]);
    filo_pool_deinit(&pool);
    filo_heap_deinit(&heap);
}

FILO_TEST(a_pool_can_live_in_an_arena) {
    FiloArena arena;
    assert_ok(filo_arena_init(&arena, NULL));
    FiloAllocator allocator = filo_arena_allocator(&arena);
    for (int round = 0; round < 3; round++) {
        FiloPool pool;
        assert_ok(filo_pool_init(&pool, &(FiloPoolDesc){ .block_size = 40, .allocator = &allocator }));
        for (int i = 0; i < 5000; i++) memset(filo_pool_take(&pool), i, 40);
        filo_pool_deinit(&pool);
        filo_arena_clear(&arena);
    }
    filo_arena_deinit(&arena);
}

FILO_TEST(a_steady_loop_makes_no_system_calls) {
    FiloPool pool;
    assert_ok(filo_pool_init(&pool, &(FiloPoolDesc){ .block_size = 48 }));
    uint64_t calls = 0, mallocs = 0;
    for (int frame = 0; frame < 50; frame++) {
        if (frame == 2) calls = filo_memory_system_calls(), mallocs = filo_test_malloc_calls();
        void *blocks[3000];
        for (int i = 0; i < 3000; i++) blocks[i] = filo_pool_take(&pool);
        for (int i = 0; i < 3000; i++) filo_pool_give(&pool, blocks[i]);
    }
    assert_int_equal(filo_memory_system_calls(), calls);
    assert_int_equal(filo_test_malloc_calls(), mallocs);
    assert_true(calls > 0);
    filo_pool_deinit(&pool);
}

FILO_TEST(absurd_sizes_are_refused) {
    FiloPool pool;
    assert_error(filo_pool_init(&pool, &(FiloPoolDesc){ .block_size = SIZE_MAX }), FILO_ERROR_LIMIT,
                 "too large");
    static const FiloPoolDesc descs[] = {
        { .name = "vast", .block_size = SIZE_MAX / 4 },
        { .name = "vast", .block_size = 16, .blocks_per_page = SIZE_MAX },
        { .name = "vast", .block_size = 16, .blocks_per_page = SIZE_MAX / 16 },
        { .name = "vast", .block_size = 8, .align = 8, .blocks_per_page = SIZE_MAX / 8 },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(descs); i++) {
        assert_ok(filo_pool_init(&pool, &descs[i]));
        void *none = &pool;
        expect_fault("vast: cannot allocate", none = filo_pool_take(&pool));
        assert_null(none);
        filo_pool_deinit(&pool);
    }
    // A limit whose bytes cannot be counted is still a limit of blocks.
    assert_ok(filo_pool_init(&pool, &(FiloPoolDesc){ .block_size = 16, .max_blocks = SIZE_MAX }));
    assert_int_equal(filo_pool_stats(&pool).budget, 0);
    assert_non_null(filo_pool_take(&pool));
    filo_pool_deinit(&pool);
}

// ---- misuse -----------------------------------------------------------------------------------------------

FILO_TEST(a_pool_needs_a_block_size_and_a_valid_alignment) {
    FiloPool pool;
    expect_mistake("a pool needs a block size", filo_pool_init(&pool, &(FiloPoolDesc){ .name = "none" }));
    expect_mistake("a pool needs a block size", filo_pool_init(&pool, NULL));
    static const size_t bad[] = { 3, 48, 8192 };
    for (size_t i = 0; i < FILO_COUNT_OF(bad); i++) {
        expect_mistake("align by a power of two up to 4096, not by",
                       filo_pool_init(&pool, &(FiloPoolDesc){ .block_size = 8, .align = bad[i] }));
    }
    filo_pool_deinit(&pool); // does nothing
}

FILO_TEST(a_pool_that_was_never_initialised_is_reported) {
    FiloPool pool = { 0 };
    void *block = &pool;
    expect_fault("initialise the pool before using it", block = filo_pool_take(&pool));
    assert_null(block);
    uint64_t foreign[8] = { 1, 2, 3 };
    expect_fault("initialise the pool before using it", filo_pool_give(&pool, foreign));
    assert_int_equal(foreign[0], 1);
    assert_null(pool.free_list);
    filo_pool_deinit(&pool);
}

FILO_TEST(a_pool_may_be_deinitialised_twice) {
    size_t accounts = filo_memory_list(NULL, 0);
    FiloPool pool;
    assert_ok(filo_pool_init(&pool, &(FiloPoolDesc){ .block_size = 8 }));
    filo_pool_deinit(&pool);
    filo_pool_deinit(&pool);
    assert_int_equal(filo_memory_list(NULL, 0), accounts);
}

FILO_TEST(new_blocks_are_filled) {
    only_in_debug_builds();
    FiloPool pool;
    assert_ok(filo_pool_init(&pool, &(FiloPoolDesc){ .block_size = 40 }));
    for (int round = 0; round < 2; round++) {
        uint8_t *block = filo_pool_take(&pool);
        for (int i = 0; i < 40; i++) assert_int_equal(block[i], 0xCD);
        filo_pool_give(&pool, block);
    }
    filo_pool_deinit(&pool);
}

FILO_TEST(a_block_returned_twice_is_reported) {
    only_in_debug_builds();
    FiloPool pool;
    assert_ok(filo_pool_init(&pool, &(FiloPoolDesc){ .name = "bullets", .block_size = 40 }));
    void *block = filo_pool_take(&pool);
    filo_pool_give(&pool, block);
    expect_fault("was given back before: give it back once", filo_pool_give(&pool, block));
    assert_int_equal(filo_pool_stats(&pool).used, 0);
    void *first = filo_pool_take(&pool), *second = filo_pool_take(&pool);
    assert_ptr_not_equal(first, second); // it is not in the list twice
    filo_pool_deinit(&pool);
}

FILO_TEST(a_block_that_is_not_from_the_pool_is_reported) {
    only_in_debug_builds();
    FiloPool bullets, rockets;
    assert_ok(filo_pool_init(&bullets, &(FiloPoolDesc){ .name = "bullets", .block_size = 40 }));
    assert_ok(filo_pool_init(&rockets, &(FiloPoolDesc){ .name = "rockets", .block_size = 40 }));
    uint8_t *bullet = filo_pool_take(&bullets), own[40];
    filo_pool_take(&rockets);
    expect_fault("rockets: block", filo_pool_give(&rockets, bullet));
    expect_fault("is not from this pool", filo_pool_give(&bullets, bullet + 1)); // the inside of a block
    expect_fault("is not from this pool", filo_pool_give(&bullets, own));
    assert_int_equal(filo_pool_stats(&bullets).used, 40);
    filo_pool_give(&bullets, bullet);
    filo_pool_deinit(&bullets);
    filo_pool_deinit(&rockets);
}

FILO_TEST(a_write_to_a_returned_block_is_reported_at_every_offset) {
    only_in_debug_builds();
    for (size_t offset = 0; offset < 48; offset++) {
        FiloPool pool;
        assert_ok(filo_pool_init(
            &pool, &(FiloPoolDesc){ .name = "bullets", .block_size = 40, .blocks_per_page = 8 }));
        uint8_t *block = filo_pool_take(&pool);
        filo_pool_give(&pool, block);
        invert(block + offset); // the first eight bytes are the link to the next free block
        uint8_t *taken = NULL;
        expect_fault("after it was given back", taken = filo_pool_take(&pool));
        assert_ptr_equal(taken, block);
        memset(taken, 1, 40);
        for (int i = 0; i < 20; i++) { // the pool goes on
            uint8_t *next = filo_pool_take(&pool);
            assert_non_null(next);
            assert_ptr_not_equal(next, taken);
            memset(next, 2, 40);
        }
        assert_int_equal(taken[0], 1);
        filo_pool_deinit(&pool);
    }
}

FILO_TEST_PROGRAM(returns_a_block_twice) {
    FiloPool pool;
    (void)filo_pool_init(&pool, &(FiloPoolDesc){ .name = "bullets", .block_size = 40 });
    void *block = filo_pool_take(&pool);
    filo_pool_give(&pool, block);
    filo_pool_give(&pool, block);
}

FILO_TEST(returning_a_block_twice_stops_a_debug_build) {
    only_in_debug_builds();
    static FiloTestResult outcome;
    filo_test_run(&outcome, &(FiloTestRun){ .program = "returns_a_block_twice" });
    assert_int_equal(outcome.signal, SIGABRT);
    assert_contains(outcome.errors, "check failed: bullets: block 0x");
}
