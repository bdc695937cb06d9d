#include "support/malloc_count.h"
#include "support/test.h"

#include <filo/memory.h>
#include <filo/threads.h>

FILO_TEST(a_scratch_of_defaults_has_64_mib_a_frame) {
    FiloScratch scratch;
    assert_ok(filo_scratch_init(&scratch, NULL, 0));
    assert_string_equal(filo_scratch_stats(&scratch).name, "scratch");
    assert_int_equal(filo_scratch_stats(&scratch).budget, 2 * FILO_MIB(64));
    assert_non_null(filo_scratch_alloc(&scratch, FILO_MIB(64), 1));
    void *none = &scratch;
    expect_fault("scratch: cannot allocate 1 bytes: the frame's scratch is full",
                 none = filo_scratch_alloc(&scratch, 1, 1));
    assert_null(none);
    filo_scratch_deinit(&scratch);
}

FILO_TEST(blocks_are_aligned_and_do_not_overlap) {
    FiloScratch scratch;
    assert_ok(filo_scratch_init(&scratch, "frame", FILO_MIB(4)));
    uint8_t *blocks[100];
    size_t sizes[100], count = 0;
    for (size_t align = 1; align <= 4096; align *= 2) {
        for (size_t size = 1; size <= 5000; size = size * 4 + 1, count++) {
            blocks[count] = filo_scratch_alloc(&scratch, size, align);
            sizes[count] = size;
            assert_int_equal((uintptr_t)blocks[count] % align, 0);
            memset(blocks[count], (int)count, size);
        }
    }
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < sizes[i]; j++) assert_int_equal(blocks[i][j], (uint8_t)i);
    assert_int_equal((uintptr_t)filo_scratch_alloc(&scratch, 1, 0) % 16, 0);
    filo_scratch_deinit(&scratch);
}

FILO_TEST(what_was_allocated_before_a_flip_lives_until_the_next_one) {
    FiloScratch scratch;
    assert_ok(filo_scratch_init(&scratch, "frame", FILO_KIB(64)));
    uint8_t *previous = NULL;
    for (int frame = 1; frame < 50; frame++) {
        uint8_t *current = filo_scratch_alloc(&scratch, 40000, 16); // two would not fit into one half
        assert_non_null(current);
        memset(current, frame, 40000);
        if (previous != NULL)
            for (int i = 0; i < 40000; i++) assert_int_equal(previous[i], frame - 1);
        assert_int_equal(filo_scratch_stats(&scratch).used, previous != NULL ? 80000 : 40000);
        previous = current;
        filo_scratch_flip(&scratch);
        for (int i = 0; i < 40000; i++) assert_int_equal(previous[i], frame);
        assert_int_equal(filo_scratch_stats(&scratch).used, 40000);
    }
    assert_int_equal(filo_scratch_stats(&scratch).peak, 80000);
    filo_scratch_flip(&scratch);
    assert_int_equal(filo_scratch_stats(&scratch).used, 0);
    filo_scratch_deinit(&scratch);
}

FILO_TEST(new_memory_is_filled_and_so_is_what_a_flip_frees) {
    only_in_debug_builds();
    FiloScratch scratch;
    assert_ok(filo_scratch_init(&scratch, "frame", 0));
    uint8_t *block = filo_scratch_alloc(&scratch, 100, 0);
    for (int i = 0; i < 100; i++) assert_int_equal(block[i], 0xCD);
    memset(block, 1, 100);
    filo_scratch_flip(&scratch);
    assert_int_equal(block[0], 1);
    filo_scratch_flip(&scratch);
    for (int i = 0; i < 100; i++) assert_int_equal(block[i], 0xDD);
    filo_scratch_deinit(&scratch);
}

FILO_TEST(a_full_frame_is_reported_and_the_next_one_is_empty) {
    FiloScratch scratch;
    assert_ok(filo_scratch_init(&scratch, "frame", FILO_KIB(64)));
    assert_non_null(filo_scratch_alloc(&scratch, FILO_KIB(64) - 10, 1));
    static const size_t sizes[] = { 11, SIZE_MAX, SIZE_MAX - FILO_KIB(64) + 10, SIZE_MAX / 2 };
    for (size_t i = 0; i < FILO_COUNT_OF(sizes); i++) {
        void *none = &scratch;
        expect_fault("frame: cannot allocate", none = filo_scratch_alloc(&scratch, sizes[i], 1));
        assert_null(none);
    }
    assert_int_equal(filo_scratch_stats(&scratch).used, FILO_KIB(64) - 10);
    assert_non_null(filo_scratch_alloc(&scratch, 10, 1));
    void *none = &scratch;
    expect_fault("frame: cannot allocate 1 bytes", none = filo_scratch_alloc(&scratch, 1, 4096));
    assert_null(none);
    filo_scratch_flip(&scratch);
    assert_non_null(filo_scratch_alloc(&scratch, FILO_KIB(64), 1));
    filo_scratch_deinit(&scratch);
}

FILO_TEST(absurd_reserves_are_refused_and_leave_nothing_behind) {
    FiloScratch scratch;
    filo_heap(); // is in the list from now on
    size_t accounts = filo_memory_list(NULL, 0);
    size_t used = filo_heap_stats(filo_heap()->user).used;
    static const size_t reserves[] = { SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 2, SIZE_MAX / 4 + 1, SIZE_MAX / 8 };
    for (size_t i = 0; i < FILO_COUNT_OF(reserves); i++) {
        assert_error(filo_scratch_init(&scratch, "vast", reserves[i]), FILO_ERROR_MEMORY,
                     "vast: cannot reserve 2 × ");
        filo_scratch_deinit(&scratch); // does nothing
    }
    assert_int_equal(filo_memory_list(NULL, 0), accounts);
    assert_int_equal(filo_heap_stats(filo_heap()->user).used, used);
}

FILO_TEST(a_scratch_without_memory_for_itself_is_an_error) {
    if (!FILO_TEST_COUNTS_MALLOC) skip();
    FiloScratch scratch;
    FiloResult result = filo_ok();
    filo_heap();
    filo_test_faults_begin();
    filo_test_malloc_fail(1);
    result = filo_scratch_init(&scratch, "frame", 0);
    filo_test_malloc_fail(0);
    filo_test_faults_end("heap: cannot allocate", __FILE__, __LINE__);
    assert_error(result, FILO_ERROR_MEMORY, "frame: no memory");
    filo_scratch_deinit(&scratch);
}

FILO_TEST(misuse_is_reported) {
    FiloScratch scratch = { 0 };
    void *none = &scratch;
    expect_fault("initialise the scratch before using it", none = filo_scratch_alloc(&scratch, 10, 0));
    assert_null(none);
    expect_fault("initialise the scratch before using it", filo_scratch_flip(&scratch));
    assert_ok(filo_scratch_init(&scratch, "frame", 0));
    expect_fault("frame: align by a power of two up to 4096, not by 12",
                 none = filo_scratch_alloc(&scratch, 10, 12));
    assert_null(none);
    expect_fault("not by 8192", none = filo_scratch_alloc(&scratch, 10, 8192));
    assert_null(none);
    assert_int_equal(filo_scratch_stats(&scratch).used, 0);
    filo_scratch_deinit(&scratch);
    filo_scratch_deinit(&scratch);
    expect_fault("initialise the scratch before using it", none = filo_scratch_alloc(&scratch, 10, 0));
    assert_null(none);
}

FILO_TEST(a_steady_loop_makes_no_system_calls) {
    FiloScratch scratch;
    assert_ok(filo_scratch_init(&scratch, "frame", 0));
    uint64_t calls = 0, mallocs = 0;
    for (int frame = 0; frame < 50; frame++) {
        if (frame == 4) calls = filo_memory_system_calls(), mallocs = filo_test_malloc_calls();
        for (int i = 0; i < 1000; i++) memset(filo_scratch_alloc(&scratch, 500, 8), frame, 500);
        filo_scratch_flip(&scratch);
    }
    assert_int_equal(filo_memory_system_calls(), calls);
    assert_int_equal(filo_test_malloc_calls(), mallocs);
    assert_true(calls > 0);
    filo_scratch_deinit(&scratch);
}

FILO_TEST(the_list_shows_what_a_scratch_uses_now) {
    FiloScratch scratch;
    assert_ok(filo_scratch_init(&scratch, "frame", 0));
    filo_scratch_alloc(&scratch, 1000, 1);
    FiloMemoryStats stats[16];
    size_t count = filo_memory_list(stats, 16), found = SIZE_MAX;
    for (size_t i = 0; i < count; i++)
        if (strcmp(stats[i].name, "frame") == 0) found = stats[i].used;
    assert_int_equal(found, 1000);
    filo_scratch_deinit(&scratch);
}

// ---- threads ----------------------------------------------------------------------------------------------

enum { THREADS = 8, BLOCKS = 2000 };
static FiloScratch shared;
static uint32_t overlaps, failures;

// Fills blocks with a pattern and checks all of them at the end.
static void fill_and_verify(void *user) {
    uint8_t number = (uint8_t)(uintptr_t)user;
    static FILO_THREAD_LOCAL uint8_t *blocks[BLOCKS];
    for (size_t i = 0; i < BLOCKS; i++) {
        size_t size = 1 + i * 37 % 900;
        blocks[i] = filo_scratch_alloc(&shared, size, (size_t)1 << i % 8);
        if (blocks[i] == NULL || (uintptr_t)blocks[i] % ((size_t)1 << i % 8) != 0) {
            __atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED);
            return;
        }
        memset(blocks[i], (int)(number * 16 + i % 16), size);
    }
    for (size_t i = 0; i < BLOCKS; i++)
        for (size_t j = 0; j < 1 + i * 37 % 900; j++)
            if (blocks[i][j] != (uint8_t)(number * 16 + i % 16))
                __atomic_fetch_add(&overlaps, 1, __ATOMIC_RELAXED);
}

FILO_TEST(blocks_of_many_threads_do_not_overlap) {
    assert_ok(filo_scratch_init(&shared, "shared", FILO_MIB(32)));
    for (int frame = 0; frame < 4; frame++) { // the first two commit memory meanwhile
        FiloThread threads[THREADS];
        for (int i = 0; i < THREADS; i++)
            assert_ok(filo_thread_start(
                &threads[i], &(FiloThreadDesc){ .function = fill_and_verify, .user = (void *)(intptr_t)i }));
        for (int i = 0; i < THREADS; i++) filo_thread_join(&threads[i]);
        filo_scratch_flip(&shared);
    }
    filo_scratch_deinit(&shared);
    assert_int_equal(failures, 0);
    assert_int_equal(overlaps, 0);
}

static uint32_t gotten, faults;
static void take_until_full(void *user) {
    FILO_UNUSED(user);
    while (filo_scratch_alloc(&shared, 64, 64) != NULL) __atomic_fetch_add(&gotten, 1, __ATOMIC_RELAXED);
}
static FiloFaultAnswer count_faults(const FiloFault *fault, void *user) {
    FILO_UNUSED(fault), FILO_UNUSED(user);
    __atomic_fetch_add(&faults, 1, __ATOMIC_RELAXED);
    return FILO_FAULT_CONTINUE;
}

FILO_TEST(threads_that_use_up_a_frame_get_every_byte_of_it_once) {
    assert_ok(filo_scratch_init(&shared, "shared", FILO_MIB(1)));
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ count_faults, NULL });
    FiloThread threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_ok(filo_thread_start(&threads[i], &(FiloThreadDesc){ .function = take_until_full }));
    for (int i = 0; i < THREADS; i++) filo_thread_join(&threads[i]);
    filo_fault_set_handler(before);
    assert_int_equal(gotten, FILO_MIB(1) / 64);
    assert_int_equal(faults, THREADS);
    filo_scratch_deinit(&shared);
}
