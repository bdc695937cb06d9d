#include "support/malloc_count.h"
#include "support/test.h"

#include <filo/memory.h>
#include <filo/threads.h>

#include <signal.h>

// Writes bytes that must not be accessed, unnoticed by the address sanitizer: these tests are about the checks of the
// heap.
__attribute__((no_sanitize("address"))) static void scribble(volatile uint8_t *byte, uint8_t value) {
    *byte = value;
}
__attribute__((no_sanitize("address"))) static uint8_t peek(const volatile uint8_t *byte) { return *byte; }

// ---- every allocator --------------------------------------------------------------------------------------

FILO_TEST(blocks_are_aligned_to_every_power_of_two) {
    FiloHeap heap;
    filo_heap_init(&heap, "heap", 0);
    static const size_t sizes[] = { 1, 3, 8, 17, 64, 100, 4096, 5000, 100000 };
    for (size_t align = 1; align <= 4096; align *= 2) {
        for (size_t i = 0; i < FILO_COUNT_OF(sizes); i++) {
            uint8_t *block = filo_alloc(&heap.allocator, sizes[i], align);
            assert_non_null(block);
            assert_int_equal((uintptr_t)block % align, 0);
            memset(block, 0x5A, sizes[i]);
            block = filo_resize(&heap.allocator, block, sizes[i], sizes[i] + 777, align);
            assert_int_equal((uintptr_t)block % align, 0);
            for (size_t j = 0; j < sizes[i]; j++) assert_int_equal(block[j], 0x5A);
            filo_free(&heap.allocator, block, sizes[i] + 777, align);
        }
    }
    assert_int_equal(filo_heap_stats(&heap).used, 0);
    filo_heap_deinit(&heap);
}

FILO_TEST(an_alignment_of_0_means_16) {
    void *blocks[32];
    for (size_t i = 0; i < 32; i++) {
        blocks[i] = filo_alloc(NULL, i + 1, 0);
        assert_int_equal((uintptr_t)blocks[i] % 16, 0);
    }
    for (size_t i = 0; i < 32; i++) filo_free(NULL, blocks[i], i + 1, 0);
}

FILO_TEST(a_bad_alignment_is_reported) {
    static const size_t bad[] = { 3, 24, 8192, SIZE_MAX };
    for (size_t i = 0; i < FILO_COUNT_OF(bad); i++) {
        char sentence[128];
        snprintf(sentence, sizeof sentence, "align by a power of two up to 4096, not by %zu", bad[i]);
        void *memory = &memory;
        expect_fault(sentence, memory = filo_alloc(NULL, 10, bad[i]));
        assert_null(memory);
    }
}

FILO_TEST(no_bytes_are_no_block) {
    assert_null(filo_alloc(NULL, 0, 0));
    assert_null(filo_alloc_zero(NULL, 0, 64));
    assert_null(filo_resize(NULL, NULL, 0, 0, 0));
    filo_free(NULL, NULL, 100, 0);
}

FILO_TEST(zeroed_memory_is_zero_even_where_other_memory_was) {
    for (int round = 0; round < 20; round++) {
        uint8_t *block = filo_alloc_zero(NULL, 300, 0);
        for (int i = 0; i < 300; i++) assert_int_equal(block[i], 0);
        memset(block, 0xFF, 300);
        filo_free(NULL, block, 300, 0);
    }
}

FILO_TEST(resizing_keeps_what_fits_and_can_make_and_free_blocks) {
    FiloHeap heap;
    filo_heap_init(&heap, "heap", 0);
    uint8_t *block = filo_resize(&heap.allocator, NULL, 0, 10, 0);
    for (uint8_t i = 0; i < 10; i++) block[i] = i;
    block = filo_resize(&heap.allocator, block, 10, 5000, 0);
    for (uint8_t i = 0; i < 10; i++) assert_int_equal(block[i], i);
    assert_int_equal(filo_heap_stats(&heap).used, 5000);
    block = filo_resize(&heap.allocator, block, 5000, 5, 0);
    for (uint8_t i = 0; i < 5; i++) assert_int_equal(block[i], i);
    assert_int_equal(filo_heap_stats(&heap).used, 5);
    assert_null(filo_resize(&heap.allocator, block, 5, 0, 0));
    assert_int_equal(filo_heap_stats(&heap).used, 0);
    filo_heap_deinit(&heap);
}

FILO_TEST(without_an_allocator_the_process_heap_is_used) {
    const FiloHeap *process = filo_heap()->user;
    size_t before = filo_heap_stats(process).used;
    void *block = filo_alloc(NULL, 12345, 0);
    assert_int_equal(filo_heap_stats(process).used, before + 12345);
    filo_free(filo_heap(), block, 12345, 0); // they are the same
    assert_int_equal(filo_heap_stats(process).used, before);
    assert_ptr_equal(filo_heap(), filo_heap());
    assert_int_equal(filo_heap_stats(process).budget, 0);
}

static struct {
    int calls;
    void *memory;
    size_t old_size, new_size, align;
} last;
static void *watch(void *user, void *memory, size_t old_size, size_t new_size, size_t align) {
    last.calls++;
    last.memory = memory, last.old_size = old_size, last.new_size = new_size, last.align = align;
    return new_size > 0 ? user : NULL;
}

FILO_TEST(an_allocator_of_the_program_gets_exactly_the_request) {
    static uint8_t buffer[64];
    FiloAllocator own = { watch, buffer };
    assert_ptr_equal(filo_alloc(&own, 20, 0), buffer);
    assert_true(last.memory == NULL && last.old_size == 0 && last.new_size == 20 && last.align == 16);
    assert_ptr_equal(filo_resize(&own, buffer, 20, 30, 8), buffer);
    assert_true(last.memory == buffer && last.old_size == 20 && last.new_size == 30 && last.align == 8);
    filo_free(&own, buffer, 30, 8);
    assert_true(last.memory == buffer && last.old_size == 30 && last.new_size == 0 && last.align == 8);
    assert_int_equal(last.calls, 3);
    filo_free(&own, NULL, 30, 8);
    assert_null(filo_alloc(&own, 0, 0));
    assert_int_equal(last.calls, 3); // nothing to do, so the allocator is not called
    memset(buffer, 0xFF, sizeof buffer);
    filo_alloc_zero(&own, 20, 0);
    assert_int_equal(buffer[19], 0);
    assert_int_equal(buffer[20], 0xFF);
}

// ---- budgets ----------------------------------------------------------------------------------------------

FILO_TEST(a_budget_is_exact_to_the_byte) {
    FiloHeap heap;
    filo_heap_init(&heap, "exact", 1000);
    assert_string_equal(filo_heap_stats(&heap).name, "exact");
    assert_int_equal(filo_heap_stats(&heap).budget, 1000);
    void *first = filo_alloc(&heap.allocator, 600, 0);
    void *second = NULL;
    expect_fault("exact: cannot allocate 401 bytes: the budget is used up",
                 second = filo_alloc(&heap.allocator, 401, 0));
    assert_null(second);
    assert_int_equal(filo_heap_stats(&heap).used, 600);
    second = filo_alloc(&heap.allocator, 400, 4096);
    assert_non_null(second);
    assert_int_equal(filo_heap_stats(&heap).used, 1000);
    void *third = NULL;
    expect_fault("the budget is used up", third = filo_alloc(&heap.allocator, 1, 0));
    assert_null(third);
    filo_free(&heap.allocator, first, 600, 0);
    filo_free(&heap.allocator, second, 400, 4096);
    assert_int_equal(filo_heap_stats(&heap).used, 0);
    assert_int_equal(filo_heap_stats(&heap).peak, 1000);
    assert_int_equal(filo_heap_stats(&heap).operations, 2); // what was refused did not happen
    filo_heap_deinit(&heap);
}

FILO_TEST(a_block_may_shrink_and_grow_within_a_full_budget) {
    FiloHeap heap;
    filo_heap_init(&heap, "full", 100);
    uint8_t *block = filo_alloc(&heap.allocator, 60, 0);
    block[59] = 7;
    uint8_t *larger = filo_resize(&heap.allocator, block, 60, 100, 0);
    assert_non_null(larger);
    assert_int_equal(larger[59], 7);
    void *none = &heap;
    expect_fault("full: cannot allocate 101 bytes: the budget is used up",
                 none = filo_resize(&heap.allocator, larger, 100, 101, 0));
    assert_null(none);
    assert_int_equal(larger[59], 7); // as it was
    assert_int_equal(filo_heap_stats(&heap).used, 100);
    uint8_t *smaller = filo_resize(&heap.allocator, larger, 100, 99, 0);
    assert_non_null(smaller);
    assert_int_equal(filo_heap_stats(&heap).used, 99);
    assert_int_equal(filo_heap_stats(&heap).peak, 100);
    filo_free(&heap.allocator, smaller, 99, 0);
    filo_heap_deinit(&heap);
}

FILO_TEST(absurd_sizes_are_refused_and_leave_no_trace) {
    FiloHeap heap;
    filo_heap_init(&heap, "absurd", 0);
    void *small = filo_alloc(&heap.allocator, 10, 0);
    static const size_t sizes[] = { SIZE_MAX, SIZE_MAX - 7, SIZE_MAX - 4096, SIZE_MAX / 2, SIZE_MAX / 4 + 1 };
    for (size_t i = 0; i < FILO_COUNT_OF(sizes); i++) {
        void *block = &heap;
        expect_fault("the size is too large", block = filo_alloc(&heap.allocator, sizes[i], 0));
        assert_null(block);
        expect_fault("the size is too large", block = filo_resize(&heap.allocator, small, 10, sizes[i], 0));
        assert_null(block);
    }
    for (size_t align = 16; align <= 4096; align *= 16) {
        void *block = &heap;
        expect_fault("the system has no memory left",
                     block = filo_alloc(&heap.allocator, SIZE_MAX / 8, align));
        assert_null(block);
    }
    FiloMemoryStats stats = filo_heap_stats(&heap);
    assert_int_equal(stats.used, 10);
    assert_int_equal(stats.peak, 10);
    assert_int_equal(stats.operations, 1);
    filo_free(&heap.allocator, small, 10, 0);
    filo_heap_deinit(&heap);
}

FILO_TEST(when_malloc_fails_the_block_and_the_budget_are_as_before) {
    if (!FILO_TEST_COUNTS_MALLOC) skip();
    FiloHeap heap;
    filo_heap_init(&heap, "poor", 1000);
    for (size_t align = 16; align <= 64; align *= 4) {
        uint8_t *block = filo_alloc(&heap.allocator, 100, align);
        memset(block, 0x33, 100);
        void *none = &heap;
        filo_test_faults_begin();
        filo_test_malloc_fail(1);
        none = filo_alloc(&heap.allocator, 50, align);
        filo_test_malloc_fail(0);
        filo_test_faults_end("poor: cannot allocate 50 bytes: the system has no memory left", __FILE__,
                             __LINE__);
        assert_null(none);
        filo_test_faults_begin();
        filo_test_malloc_fail(1);
        none = filo_resize(&heap.allocator, block, 100, 200, align);
        filo_test_malloc_fail(0);
        filo_test_faults_end("poor: cannot allocate 200 bytes: the system has no memory left", __FILE__,
                             __LINE__);
        assert_null(none);
        for (int i = 0; i < 100; i++) assert_int_equal(block[i], 0x33);
        assert_int_equal(filo_heap_stats(&heap).used, 100);
        assert_int_equal(filo_heap_stats(&heap).peak, 100);
        filo_free(&heap.allocator, block, 100, align);
    }
    filo_heap_deinit(&heap);
}

FILO_TEST(peak_and_operations_count_what_happened) {
    FiloHeap heap;
    filo_heap_init(&heap, "counted", 0);
    void *a = filo_alloc(&heap.allocator, 100, 0), *b = filo_alloc(&heap.allocator, 200, 0);
    filo_free(&heap.allocator, a, 100, 0);
    b = filo_resize(&heap.allocator, b, 200, 250, 0);
    FiloMemoryStats stats = filo_heap_stats(&heap);
    assert_int_equal(stats.used, 250);
    assert_int_equal(stats.peak, 300);
    assert_int_equal(stats.operations, 3); // two allocations, one resize
    filo_free(&heap.allocator, b, 250, 0);
    filo_heap_deinit(&heap);
}

FILO_TEST(a_heap_without_a_name_is_called_heap) {
    FiloHeap heap;
    filo_heap_init(&heap, NULL, 0);
    assert_string_equal(filo_heap_stats(&heap).name, "heap");
    filo_heap_deinit(&heap);
}

// ---- misuse -----------------------------------------------------------------------------------------------

FILO_TEST(what_was_not_freed_is_reported_at_the_end) {
    FiloHeap heap;
    filo_heap_init(&heap, "leaky", 0);
    static void *volatile block; // static, so that it is not a leak of the test
    block = filo_alloc(&heap.allocator, 77, 0);
    assert_non_null(block);
    expect_fault("leaky: 77 bytes were not freed", filo_heap_deinit(&heap));
}

FILO_TEST(a_heap_is_deinitialised_once_and_not_used_afterwards) {
    FiloHeap first, heap;
    filo_heap_init(&first, "first", 0);
    filo_heap_init(&heap, "heap", 0);
    size_t accounts = filo_memory_list(NULL, 0);
    filo_heap_deinit(&heap);
    expect_fault("deinitialise a heap once, after initialising it", filo_heap_deinit(&heap));
    assert_int_equal(filo_memory_list(NULL, 0), accounts - 1); // the others are still there
    void *block = &heap;
    expect_fault("use an allocator from its initialisation to its end",
                 block = filo_alloc(&heap.allocator, 10, 0));
    assert_null(block);
    FiloHeap never = { 0 };
    expect_fault("deinitialise a heap once, after initialising it", filo_heap_deinit(&never));
    filo_heap_deinit(&first);
}

FILO_TEST(new_memory_is_filled_and_freed_memory_too) {
    only_in_debug_builds();
    uint8_t *block = filo_alloc(NULL, 100, 0);
    for (int i = 0; i < 100; i++) assert_int_equal(block[i], 0xCD);
    block = filo_resize(NULL, block, 100, 200, 0);
    for (int i = 100; i < 200; i++) assert_int_equal(block[i], 0xCD);
    filo_free(NULL, block, 200, 0);
    for (int i = 0; i < 200; i++) assert_int_equal(peek(block + i), 0xDD); // in quarantine
}

FILO_TEST(a_freed_block_is_not_reused_at_once_and_a_resize_moves) {
    only_in_debug_builds();
    void *first = filo_alloc(NULL, 64, 0);
    filo_free(NULL, first, 64, 0);
    for (int i = 0; i < 100; i++) {
        void *next = filo_alloc(NULL, 64, 0);
        assert_ptr_not_equal(next, first);
        void *moved = filo_resize(NULL, next, 64, 32, 0);
        assert_ptr_not_equal(moved, next);
        filo_free(NULL, moved, 32, 0);
    }
}

FILO_TEST(a_double_free_is_reported) {
    only_in_debug_builds();
    FiloHeap heap;
    filo_heap_init(&heap, "heap", 0);
    void *block = filo_alloc(&heap.allocator, 40, 0);
    filo_free(&heap.allocator, block, 40, 0);
    expect_fault("was freed before: free it once", filo_free(&heap.allocator, block, 40, 0));
    void *resized = &heap;
    expect_fault("was freed before: free it once", resized = filo_resize(&heap.allocator, block, 40, 50, 0));
    assert_null(resized);
    assert_int_equal(filo_heap_stats(&heap).used, 0);
    filo_heap_deinit(&heap);
}

FILO_TEST(a_block_of_another_heap_is_reported_with_its_owner) {
    only_in_debug_builds();
    FiloHeap sounds, images;
    filo_heap_init(&sounds, "sounds", 0);
    filo_heap_init(&images, "images", 0);
    void *block = filo_alloc(&sounds.allocator, 40, 0);
    expect_fault("belongs to heap sounds: free it there", filo_free(&images.allocator, block, 40, 0));
    assert_int_equal(filo_heap_stats(&sounds).used, 40);
    assert_int_equal(filo_heap_stats(&images).used, 0);
    filo_free(&sounds.allocator, block, 40, 0);
    filo_heap_deinit(&sounds);
    filo_heap_deinit(&images);
}

FILO_TEST(a_wrong_size_is_reported) {
    only_in_debug_builds();
    void *block = filo_alloc(NULL, 40, 0);
    expect_fault("has 40 bytes, not 41: give the size it was made with", filo_free(NULL, block, 41, 0));
    expect_fault("has 40 bytes, not 0: give the size", filo_resize(NULL, block, 0, 50, 0));
    filo_free(NULL, block, 40, 0);
}

FILO_TEST(a_write_past_the_end_is_reported_wherever_in_the_fence) {
    only_in_debug_builds();
    for (size_t size = 1; size < 20; size++) {
        uint8_t *block = filo_alloc(NULL, size, 0);
        for (size_t i = 0; i < 8; i++) {
            uint8_t before = peek(block + size + i);
            scribble(block + size + i, 0);
            char sentence[64];
            snprintf(sentence, sizeof sentence, "past the end of block %p (%zu bytes)", (void *)block, size);
            expect_fault(sentence, filo_free(NULL, block, size, 0));
            scribble(block + size + i, before);
        }
        filo_free(NULL, block, size, 0);
    }
}

FILO_TEST(a_write_before_the_start_is_reported_by_its_first_byte) {
    only_in_debug_builds();
    uint8_t *block = filo_alloc(NULL, 40, 0);
    for (int i = 1; i <= 8; i++) {
        uint8_t before = peek(block - i);
        scribble(block - i, (uint8_t)~before);
        expect_fault("is not from a heap, or something wrote before its start",
                     filo_free(NULL, block, 40, 0));
        scribble(block - i, before);
    }
    filo_free(NULL, block, 40, 0);
}

FILO_TEST(memory_that_is_from_no_heap_is_reported) {
    only_in_debug_builds();
    static uint8_t buffer[256];
    expect_fault("is not from a heap", filo_free(NULL, buffer + 128, 40, 0));
}

// Frees enough to push everything out of quarantine that is in it.
static void empty_quarantine(void) {
    for (int i = 0; i < 300; i++) {
        void *block = filo_alloc(NULL, 16, 0);
        filo_free(NULL, block, 16, 0);
    }
}

FILO_TEST(a_write_after_free_is_reported) {
    only_in_debug_builds();
    static const size_t offsets[] = { 0, 20, 39 };
    for (size_t i = 0; i < FILO_COUNT_OF(offsets); i++) {
        uint8_t *block = filo_alloc(NULL, 40, 0);
        filo_free(NULL, block, 40, 0);
        scribble(block + offsets[i], 1);
        char sentence[128];
        snprintf(sentence, sizeof sentence, "something wrote to block %p (40 bytes) after it was freed",
                 (void *)block);
        expect_fault(sentence, empty_quarantine());
    }
    empty_quarantine(); // and nothing more
}

FILO_TEST(a_write_before_a_freed_block_is_reported) {
    only_in_debug_builds();
    static uint8_t *volatile block; // it is abandoned, not freed
    block = filo_alloc(NULL, 40, 0);
    filo_free(NULL, block, 40, 0);
    scribble(block - 1, 1);
    expect_fault("something wrote before block", empty_quarantine());
}

FILO_TEST(large_blocks_do_not_fill_the_quarantine_for_ever) {
    for (int i = 0; i < 64; i++) {
        void *block = filo_alloc(NULL, FILO_MIB(3), 0);
        assert_non_null(block);
        filo_free(NULL, block, FILO_MIB(3), 0);
    }
}

static int hook_calls;
static FiloFaultAnswer use_heaps(const FiloFault *fault, void *user) {
    FILO_UNUSED(fault), FILO_UNUSED(user);
    hook_calls++;
    void *block = filo_alloc(NULL, 100, 0);
    filo_free(NULL, block, 100, 0);
    return FILO_FAULT_CONTINUE;
}

FILO_TEST(a_hook_may_use_the_heap_that_found_the_fault) {
    only_in_debug_builds();
    uint8_t *block = filo_alloc(NULL, 40, 0);
    filo_free(NULL, block, 40, 0);
    scribble(block, 1);
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ use_heaps, NULL });
    empty_quarantine();
    filo_fault_set_handler(before);
    assert_int_equal(hook_calls, 1);
}

static jmp_buf way_out;
static FiloFaultAnswer leap(const FiloFault *fault, void *user) {
    FILO_UNUSED(fault), FILO_UNUSED(user);
    longjmp(way_out, 1);
}

FILO_TEST(a_hook_that_leaves_by_longjmp_leaves_no_lock_behind) {
    only_in_debug_builds();
    static uint8_t *volatile block; // the leap leaves it behind
    block = filo_alloc(NULL, 40, 0);
    filo_free(NULL, block, 40, 0);
    scribble(block, 1);
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ leap, NULL });
    if (setjmp(way_out) == 0) {
        empty_quarantine();
        fail_msg("no fault");
    }
    filo_fault_set_handler(before);
    empty_quarantine();
}

FILO_TEST_PROGRAM(frees_twice) {
    void *block = filo_alloc(NULL, 40, 0);
    filo_free(NULL, block, 40, 0);
    filo_free(NULL, block, 40, 0);
}

FILO_TEST(a_double_free_stops_a_debug_build) {
    only_in_debug_builds();
    static FiloTestResult outcome;
    filo_test_run(&outcome, &(FiloTestRun){ .program = "frees_twice" });
    assert_int_equal(outcome.signal, SIGABRT);
    assert_contains(outcome.errors, "check failed: heap: block 0x");
    assert_contains(outcome.errors, "was freed before: free it once");
}

// ---- threads ----------------------------------------------------------------------------------------------

enum { THREADS = 8, STEPS = 3000, SLOTS = 16 };
static FiloHeap shared;
static uint64_t operations_of_all, wrong_bytes;

static uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void use_shared_heap(void *user) {
    uint32_t state = (uint32_t)(uintptr_t)user * 7919u + 1;
    struct {
        uint8_t *block;
        size_t size;
        uint8_t mark;
    } slots[SLOTS] = { { 0 } };
    uint64_t operations = 0, wrong = 0;
    for (int step = 0; step < STEPS + SLOTS; step++) {
        unsigned slot = step < STEPS ? next_random(&state) % SLOTS : (unsigned)(step - STEPS);
        size_t size = step < STEPS ? next_random(&state) % 400 : 0;
        for (size_t i = 0; i < slots[slot].size; i++) wrong += slots[slot].block[i] != slots[slot].mark;
        uint8_t *block = filo_resize(&shared.allocator, slots[slot].block, slots[slot].size, size, 16);
        operations += size > 0;
        slots[slot].block = block;
        slots[slot].size = size;
        slots[slot].mark = (uint8_t)next_random(&state);
        if (block != NULL) memset(block, slots[slot].mark, size);
    }
    __atomic_fetch_add(&operations_of_all, operations, __ATOMIC_RELAXED);
    __atomic_fetch_add(&wrong_bytes, wrong, __ATOMIC_RELAXED);
}

FILO_TEST(counts_are_exact_after_many_threads_used_a_heap) {
    filo_heap_init(&shared, "shared", 0);
    FiloThread threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_ok(filo_thread_start(
            &threads[i], &(FiloThreadDesc){ .function = use_shared_heap, .user = (void *)(intptr_t)i }));
    for (int i = 0; i < THREADS; i++) filo_thread_join(&threads[i]);
    assert_int_equal(filo_heap_stats(&shared).used, 0);
    assert_int_equal(filo_heap_stats(&shared).operations, operations_of_all);
    assert_int_equal(wrong_bytes, 0);
    assert_true(filo_heap_stats(&shared).peak > 0);
    filo_heap_deinit(&shared);
}

static uint32_t refused;
static void take_small(void *user) {
    FILO_UNUSED(user);
    for (int i = 0; i < STEPS; i++) {
        void *block = filo_alloc(&shared.allocator, 100, 0);
        if (block == NULL) __atomic_fetch_add(&refused, 1, __ATOMIC_RELAXED);
        filo_free(&shared.allocator, block, 100, 0);
    }
}
static void ask_too_much(void *user) {
    FILO_UNUSED(user);
    for (int i = 0; i < STEPS; i++)
        if (filo_alloc(&shared.allocator, 500, 0) != NULL) __atomic_fetch_add(&refused, 1, __ATOMIC_RELAXED);
}

static uint32_t faults;
static FiloFaultAnswer count_faults(const FiloFault *fault, void *user) {
    FILO_UNUSED(fault), FILO_UNUSED(user);
    __atomic_fetch_add(&faults, 1, __ATOMIC_RELAXED);
    return FILO_FAULT_CONTINUE;
}

FILO_TEST(a_request_that_is_refused_does_not_make_others_fail) {
    filo_heap_init(&shared, "tight", 400); // exactly what the four small ones need
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ count_faults, NULL });
    FiloThread threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_ok(filo_thread_start(&threads[i],
                                    &(FiloThreadDesc){ .function = i % 2 == 0 ? take_small : ask_too_much }));
    for (int i = 0; i < 1000; i++) {
        FiloMemoryStats stats = filo_heap_stats(&shared);
        assert_true(stats.used <= stats.budget && stats.peak <= stats.budget);
    }
    for (int i = 0; i < THREADS; i++) filo_thread_join(&threads[i]);
    filo_fault_set_handler(before);
    assert_int_equal(refused, 0);
    assert_int_equal(faults, THREADS / 2 * STEPS);
    assert_int_equal(filo_heap_stats(&shared).used, 0);
    filo_heap_deinit(&shared);
}
