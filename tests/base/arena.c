#include "support/malloc_count.h"
#include "support/test.h"

#include <filo/memory.h>

#include <sys/mman.h>
#include <sys/resource.h>

// Writes bytes that must not be accessed, unnoticed by the address sanitizer.
__attribute__((no_sanitize("address"))) static uint8_t peek(const volatile uint8_t *byte) { return *byte; }

// ---- regions ----------------------------------------------------------------------------------------------

FILO_TEST(an_arena_of_defaults_has_64_mib) {
    FiloArena arena;
    assert_ok(filo_arena_init(&arena, NULL));
    assert_string_equal(filo_arena_stats(&arena).name, "arena");
    assert_int_equal(filo_arena_stats(&arena).budget, FILO_MIB(64));
    uint8_t *memory = filo_arena_alloc(&arena, FILO_MIB(64), 1);
    assert_non_null(memory);
    memory[0] = memory[FILO_MIB(64) - 1] = 1;
    void *more = &arena;
    expect_fault("the arena is full", more = filo_arena_alloc(&arena, 1, 1));
    assert_null(more);
    filo_arena_deinit(&arena);
}

FILO_TEST(blocks_are_aligned_and_do_not_overlap) {
    FiloArena arena;
    assert_ok(filo_arena_init(&arena, &(FiloArenaDesc){ .name = "aligned", .reserve = FILO_MIB(4) }));
    uint8_t *blocks[13 * 7];
    size_t sizes[FILO_COUNT_OF(blocks)], count = 0;
    for (size_t align = 1; align <= 4096; align *= 2) {
        for (size_t size = 1; size <= 5000; size = size * 4 + 1, count++) {
            blocks[count] = filo_arena_alloc(&arena, size, align);
            sizes[count] = size;
            assert_non_null(blocks[count]);
            assert_int_equal((uintptr_t)blocks[count] % align, 0);
            memset(blocks[count], (int)count, size);
        }
    }
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < sizes[i]; j++) assert_int_equal(blocks[i][j], (uint8_t)i);
    filo_arena_deinit(&arena);
}

FILO_TEST(the_callers_buffer_is_used_wherever_it_starts) {
    static uint8_t buffer[1024 + 64];
    for (size_t shift = 0; shift < 17; shift++) {
        memset(buffer, 0x11, sizeof buffer);
        FiloArena arena;
        assert_ok(filo_arena_init(&arena, &(FiloArenaDesc){ .memory = buffer + 16 + shift, .size = 1000 }));
        assert_int_equal(filo_arena_stats(&arena).budget, 1000);
        uint64_t *number = filo_arena_alloc(&arena, sizeof *number, 8);
        assert_int_equal((uintptr_t)number % 8, 0);
        assert_true((uint8_t *)number >= buffer + 16 + shift);
        *number = UINT64_MAX;
        size_t left = 1000 - filo_arena_stats(&arena).used;
        void *none = &arena;
        expect_fault("the arena is full", none = filo_arena_alloc(&arena, left + 1, 1));
        assert_null(none);
        uint8_t *rest = filo_arena_alloc(&arena, left, 1);
        assert_non_null(rest);
        memset(rest, 0x22, left);
        assert_int_equal(filo_arena_stats(&arena).used, 1000);
        filo_arena_trim(&arena); // does nothing: the memory is the caller's
        filo_arena_deinit(&arena);
        for (size_t i = 0; i < 16 + shift; i++) assert_int_equal(buffer[i], 0x11);
        for (size_t i = 16 + shift + 1000; i < sizeof buffer; i++) assert_int_equal(buffer[i], 0x11);
    }
}

FILO_TEST(an_empty_buffer_is_always_full) {
    uint8_t byte;
    FiloArena arena;
    assert_ok(filo_arena_init(&arena, &(FiloArenaDesc){ .memory = &byte, .size = 0, .reserve = 100 }));
    void *memory = &arena;
    expect_fault("arena: cannot allocate 1 bytes: the arena is full",
                 memory = filo_arena_alloc(&arena, 1, 1));
    assert_null(memory);
    filo_arena_deinit(&arena);
}

FILO_TEST(a_budget_is_exact_even_inside_a_page) {
    static uint8_t buffer[1000];
    static const size_t budgets[] = { 1, 100, 4095, 4097, 65536, 70000, 200001 };
    for (size_t i = 0; i < FILO_COUNT_OF(budgets) + 1; i++) {
        FiloArenaDesc desc = { .name = "tight", .memory = buffer, .size = sizeof buffer, .budget = 300 };
        if (i < FILO_COUNT_OF(budgets))
            desc = (FiloArenaDesc){ .name = "tight", .reserve = FILO_MIB(1), .budget = budgets[i] };
        FiloArena arena;
        assert_ok(filo_arena_init(&arena, &desc));
        assert_int_equal(filo_arena_stats(&arena).budget, desc.budget);
        size_t half = desc.budget / 2;
        assert_non_null(filo_arena_alloc(&arena, half, 1));
        void *none = &arena;
        expect_fault("tight: cannot allocate", none = filo_arena_alloc(&arena, desc.budget - half + 1, 1));
        assert_null(none);
        assert_non_null(filo_arena_alloc(&arena, desc.budget - half, 1));
        assert_int_equal(filo_arena_stats(&arena).used, desc.budget);
        expect_fault("tight: cannot allocate 1 bytes", none = filo_arena_alloc(&arena, 1, 1));
        assert_null(none);
        filo_arena_clear(&arena);
        filo_arena_trim(&arena);
        uint8_t *all = filo_arena_alloc(&arena, desc.budget, 1); // again, after giving memory back
        assert_non_null(all);
        all[0] = all[desc.budget - 1] = 1;
        filo_arena_deinit(&arena);
    }
}

FILO_TEST(a_reserve_is_exact_too) {
    FiloArena arena;
    assert_ok(filo_arena_init(&arena, &(FiloArenaDesc){ .reserve = 100 }));
    assert_non_null(filo_arena_alloc(&arena, 100, 1));
    void *none = &arena;
    expect_fault("the arena is full", none = filo_arena_alloc(&arena, 1, 1));
    assert_null(none);
    filo_arena_deinit(&arena);
}

FILO_TEST(a_budget_larger_than_the_region_does_not_enlarge_it) {
    FiloArena arena;
    assert_ok(filo_arena_init(&arena, &(FiloArenaDesc){ .reserve = FILO_KIB(64), .budget = FILO_MIB(64) }));
    assert_non_null(filo_arena_alloc(&arena, FILO_KIB(64), 1));
    void *none = &arena;
    expect_fault("the arena is full", none = filo_arena_alloc(&arena, 1, 1));
    assert_null(none);
    filo_arena_deinit(&arena);
}

FILO_TEST(absurd_reserves_are_refused_and_leave_no_account) {
    size_t accounts = filo_memory_list(NULL, 0);
    FiloArena arena;
    static const size_t reserves[] = { SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 4 + 1, SIZE_MAX / 8 };
    for (size_t i = 0; i < FILO_COUNT_OF(reserves); i++) {
        FiloResult result =
            filo_arena_init(&arena, &(FiloArenaDesc){ .name = "vast", .reserve = reserves[i] });
        assert_error(result, FILO_ERROR_MEMORY, "vast: cannot reserve ");
    }
    assert_int_equal(filo_memory_list(NULL, 0), accounts);
    filo_arena_deinit(&arena); // does nothing
}

FILO_TEST(absurd_sizes_are_refused_and_change_nothing) {
    FiloArena arena;
    assert_ok(filo_arena_init(&arena, &(FiloArenaDesc){ .name = "arena", .reserve = FILO_KIB(64) }));
    filo_arena_alloc(&arena, 10, 1);
    static const size_t sizes[] = { SIZE_MAX, SIZE_MAX - 9, SIZE_MAX / 2, FILO_KIB(64) - 9 };
    for (size_t i = 0; i < FILO_COUNT_OF(sizes); i++) {
        void *none = &arena;
        expect_fault("arena: cannot allocate", none = filo_arena_alloc(&arena, sizes[i], 1));
        assert_null(none);
        expect_fault("arena: cannot allocate", none = filo_arena_alloc(&arena, sizes[i], 4096));
        assert_null(none);
    }
    void *none = &arena;
    expect_fault("the size is too large", none = filo_arena_alloc_zero(&arena, SIZE_MAX / 2, 3, 1));
    assert_null(none);
    expect_fault("arena: cannot allocate", none = filo_arena_new(&arena, uint64_t, SIZE_MAX / 16));
    assert_null(none);
    assert_int_equal(filo_arena_stats(&arena).used, 10);
    filo_arena_deinit(&arena);
}

FILO_TEST(new_objects_are_zero_even_in_used_memory) {
    FiloArena arena;
    assert_ok(filo_arena_init(&arena, NULL));
    for (int round = 0; round < 3; round++) {
        typedef struct Enemy {
            double health;
            char name[20];
        } Enemy;
        Enemy *enemies = filo_arena_new(&arena, Enemy, 1000);
        assert_int_equal((uintptr_t)enemies % FILO_ALIGN_OF(Enemy), 0);
        for (int i = 0; i < 1000; i++) assert_true(enemies[i].health == 0 && enemies[i].name[19] == 0);
        memset(enemies, 0xFF, 1000 * sizeof(Enemy));
        filo_arena_clear(&arena);
    }
    filo_arena_deinit(&arena);
}

FILO_TEST(new_and_freed_memory_are_filled) {
    only_in_debug_builds();
    FiloArena arena;
    assert_ok(filo_arena_init(&arena, NULL));
    uint8_t *block = filo_arena_alloc(&arena, 100, 16);
    for (int i = 0; i < 100; i++) assert_int_equal(block[i], 0xCD);
    filo_arena_clear(&arena);
    for (int i = 0; i < 100; i++) assert_int_equal(peek(block + i), 0xDD);
    block = filo_arena_alloc(&arena, 100, 16);
    for (int i = 0; i < 100; i++) assert_int_equal(block[i], 0xCD);
    filo_arena_deinit(&arena);
}

// ---- marks ------------------------------------------------------------------------------------------------

FILO_TEST(marks_nest) {
    FiloArena arena;
    assert_ok(filo_arena_init(&arena, NULL));
    uint8_t *oldest = filo_arena_alloc(&arena, 100, 1);
    memset(oldest, 1, 100);
    FiloArenaMark outer = filo_arena_mark(&arena);
    uint8_t *first = filo_arena_alloc(&arena, 100, 1);
    memset(first, 2, 100);
    FiloArenaMark inner = filo_arena_mark(&arena);
    uint8_t *second = filo_arena_alloc(&arena, 100000, 1);
    memset(second, 3, 100000);
    assert_int_equal(filo_arena_stats(&arena).used, 100200);
    filo_arena_rewind(&arena, inner);
    assert_int_equal(filo_arena_stats(&arena).used, 200);
    assert_int_equal(first[99], 2);
    assert_ptr_equal(filo_arena_alloc(&arena, 10, 1), second); // the same address again
    filo_arena_rewind(&arena, outer);
    assert_int_equal(filo_arena_stats(&arena).used, 100);
    filo_arena_rewind(&arena, outer); // once more does no harm
    for (int i = 0; i < 100; i++) assert_int_equal(oldest[i], 1);
    assert_int_equal(filo_arena_stats(&arena).peak, 100200);
    filo_arena_deinit(&arena);
}

FILO_TEST(an_inner_mark_after_its_outer_one_is_reported) {
    FiloArena arena;
    assert_ok(filo_arena_init(&arena, &(FiloArenaDesc){ .name = "level" }));
    FiloArenaMark outer = filo_arena_mark(&arena);
    filo_arena_alloc(&arena, 100, 1);
    FiloArenaMark inner = filo_arena_mark(&arena);
    filo_arena_rewind(&arena, outer);
    expect_fault("level: rewind to the newest mark first: this one was rewound before",
                 filo_arena_rewind(&arena, inner));
    assert_int_equal(filo_arena_stats(&arena).used, 0);
    filo_arena_deinit(&arena);
}

FILO_TEST(peaks_are_seen_before_and_after_rewinding) {
    FiloArena arena;
    assert_ok(filo_arena_init(&arena, NULL));
    filo_arena_alloc(&arena, 500, 1);
    assert_int_equal(filo_arena_stats(&arena).peak, 500);
    filo_arena_clear(&arena);
    filo_arena_alloc(&arena, 200, 1);
    assert_int_equal(filo_arena_stats(&arena).used, 200);
    assert_int_equal(filo_arena_stats(&arena).peak, 500);
    filo_arena_deinit(&arena);
}

// ---- misuse -----------------------------------------------------------------------------------------------

FILO_TEST(an_arena_that_was_never_initialised_is_reported) {
    FiloArena arena = { 0 };
    void *memory = &arena;
    expect_fault("initialise the arena before using it", memory = filo_arena_alloc(&arena, 10, 1));
    assert_null(memory);
    filo_arena_clear(&arena); // nothing to do
    filo_arena_trim(&arena);
    filo_arena_deinit(&arena);
}

FILO_TEST(an_arena_may_be_deinitialised_twice_but_not_used_afterwards) {
    size_t accounts = filo_memory_list(NULL, 0);
    FiloArena arena;
    assert_ok(filo_arena_init(&arena, NULL));
    filo_arena_deinit(&arena);
    filo_arena_deinit(&arena);
    assert_int_equal(filo_memory_list(NULL, 0), accounts);
    void *memory = &arena;
    expect_fault("initialise the arena before using it", memory = filo_arena_alloc(&arena, 10, 1));
    assert_null(memory);
}

FILO_TEST(a_bad_alignment_is_reported_at_the_first_and_at_later_allocations) {
    only_in_debug_builds(); // the fast path of a release build does not check
    FiloArena arena;
    assert_ok(filo_arena_init(&arena, &(FiloArenaDesc){ .name = "level" }));
    for (int round = 0; round < 2; round++) {
        void *memory = &arena;
        expect_fault("level: align by a power of two up to 4096, not by 0",
                     memory = filo_arena_alloc(&arena, 10, 0));
        assert_null(memory);
        expect_fault("level: align by a power of two up to 4096, not by 3",
                     memory = filo_arena_alloc(&arena, 10, 3));
        assert_null(memory);
        expect_fault("not by 8192", memory = filo_arena_alloc(&arena, 10, 8192));
        assert_null(memory);
        filo_arena_alloc(&arena, 10, 1);
    }
    filo_arena_deinit(&arena);
}

FILO_TEST(an_alignment_of_0_is_reported_in_every_build) {
    FiloArena arena;
    assert_ok(filo_arena_init(&arena, &(FiloArenaDesc){ .name = "level" }));
    filo_arena_alloc(&arena, 10, 1);
    void *memory = &arena;
    expect_fault("not by 0", memory = filo_arena_alloc(&arena, 10, 0));
    assert_null(memory);
    filo_arena_deinit(&arena);
}

// ---- the system -------------------------------------------------------------------------------------------

// How many of the pages of `memory` are there.
static size_t resident_pages(void *memory, size_t size) {
    static unsigned char pages[65536];
    size_t count = 0;
    void *start = (void *)((uintptr_t)memory & ~(uintptr_t)4095);
    if (mincore(start, size, pages) != 0) return SIZE_MAX;
    for (size_t i = 0; i < size / 4096; i++) count += pages[i] & 1;
    return count;
}

FILO_TEST(trimming_returns_unused_memory_and_it_can_be_used_again) {
    only_without_emulator("does not say which pages are there if they may not be touched");
    FiloArena arena;
    assert_ok(filo_arena_init(&arena, &(FiloArenaDesc){ .reserve = FILO_MIB(64) }));
    uint8_t *oldest = filo_arena_alloc(&arena, 1000, 1);
    memset(oldest, 1, 1000);
    FiloArenaMark mark = filo_arena_mark(&arena);
    for (int round = 0; round < 3; round++) {
        uint8_t *large = filo_arena_alloc(&arena, FILO_MIB(8), 4096);
        memset(large, 2, FILO_MIB(8));
        filo_arena_rewind(&arena, mark);
        assert_true(resident_pages(large, FILO_MIB(8)) > 2000);
        filo_arena_trim(&arena);
        assert_true(resident_pages(large, FILO_MIB(8)) < 32);
        for (int i = 0; i < 1000; i++) assert_int_equal(oldest[i], 1);
        filo_arena_trim(&arena); // does nothing more
    }
    filo_arena_deinit(&arena);
}

FILO_TEST(addresses_that_an_arena_had_can_be_used_by_others) { // under the address sanitizer, too
    for (int round = 0; round < 2; round++) {
        FiloArena arena;
        assert_ok(filo_arena_init(&arena, &(FiloArenaDesc){ .reserve = FILO_MIB(1), .budget = 100000 }));
        uint8_t *block = filo_arena_alloc(&arena, 90000, 1);
        filo_arena_clear(&arena);
        if (round == 1) filo_arena_trim(&arena);
        filo_arena_deinit(&arena);
        uint8_t *mapped = mmap(block, FILO_MIB(1), PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
        if (mapped == MAP_FAILED) skip(); // another thread has mapped it
        for (size_t i = 0; i < FILO_MIB(1); i += 512) mapped[i] = 1;
        munmap(mapped, FILO_MIB(1));
    }
}

FILO_TEST(a_steady_loop_makes_no_system_calls) {
    FiloArena arena;
    assert_ok(filo_arena_init(&arena, NULL));
    uint64_t calls = 0, of_thread = 0, mallocs = 0;
    for (int frame = 0; frame < 100; frame++) {
        if (frame == 2) { // after warming up
            calls = filo_memory_system_calls();
            of_thread = filo_memory_system_calls_of_thread();
            mallocs = filo_test_malloc_calls();
        }
        FiloArenaMark mark = filo_arena_mark(&arena);
        for (int i = 0; i < 100; i++) memset(filo_arena_alloc(&arena, 5000, 16), frame, 5000);
        filo_arena_rewind(&arena, mark);
    }
    assert_int_equal(filo_memory_system_calls(), calls);
    assert_int_equal(filo_memory_system_calls_of_thread(), of_thread);
    assert_int_equal(filo_test_malloc_calls(), mallocs);
    assert_true(calls > 0);
    filo_arena_deinit(&arena);
}

static FiloTestResult outcome;

FILO_TEST_PROGRAM(has_little_address_space) {
    struct rlimit limit = { FILO_MIB(64), FILO_MIB(64) };
    if (setrlimit(RLIMIT_AS, &limit) != 0) return;
    FiloArena arena;
    FiloResult result = filo_arena_init(&arena, &(FiloArenaDesc){ .name = "big", .reserve = FILO_MIB(512) });
    printf("%s: %s\n", filo_code_name(result.code), result.message);
    result = filo_arena_init(&arena, &(FiloArenaDesc){ .name = "small", .reserve = FILO_MIB(1) });
    printf("%s\n", filo_code_name(result.code));
    filo_arena_deinit(&arena);
    FiloScratch scratch;
    result = filo_scratch_init(&scratch, "frame", FILO_MIB(40)); // fits once, but not twice
    printf("%s: %s\n", filo_code_name(result.code), result.message);
    printf("%zu accounts\n", filo_memory_list(NULL, 0));
}

FILO_TEST(too_little_address_space_is_an_error_and_not_a_crash) {
    if (FILO_TEST_SANITIZED) skip_because("sanitizers need all of it themselves");
    only_without_emulator("keeps no limit on memory");
    filo_test_run(&outcome, &(FiloTestRun){ .program = "has_little_address_space" });
    assert_string_equal(outcome.output, "no memory: big: cannot reserve 536870912 bytes\n"
                                        "ok\n"
                                        "no memory: frame: cannot reserve 2 × 41943040 bytes\n"
                                        "1 accounts\n"); // the process's heap
    assert_int_equal(outcome.exit_code, 0);
}

FILO_TEST_PROGRAM(has_little_memory) {
    FiloArena arena;
    FiloScratch scratch;
    (void)filo_arena_init(&arena, &(FiloArenaDesc){ .name = "level", .reserve = FILO_MIB(512) });
    (void)filo_scratch_init(&scratch, "frame", FILO_MIB(512));
    filo_arena_alloc(&arena, 100, 1);
    filo_scratch_alloc(&scratch, 100, 1);
    struct rlimit limit = { FILO_MIB(16), FILO_MIB(16) };
    if (setrlimit(RLIMIT_DATA, &limit) != 0) return;
    void *block = filo_arena_alloc(&arena, FILO_MIB(256), 1);
    printf("%s, %zu used\n", block == NULL ? "none" : "some", filo_arena_stats(&arena).used);
    block = filo_scratch_alloc(&scratch, FILO_MIB(256), 1);
    printf("%s, %zu used\n", block == NULL ? "none" : "some", filo_scratch_stats(&scratch).used);
    printf("%d\n", filo_arena_alloc(&arena, 100, 1) != NULL && filo_scratch_alloc(&scratch, 100, 1) != NULL);
}

FILO_TEST(memory_that_cannot_be_committed_is_reported_and_what_is_there_stays_usable) {
    if (FILO_TEST_SANITIZED) skip_because("sanitizers need all of it themselves");
    only_without_emulator("keeps no limit on memory");
    filo_test_run(&outcome, &(FiloTestRun){ .program = "has_little_memory" });
    assert_string_equal(outcome.output, "none, 100 used\nnone, 100 used\n1\n");
    assert_contains(outcome.errors, "level: cannot allocate 268435456 bytes: the system has no memory left");
    assert_contains(outcome.errors, "frame: cannot allocate 268435456 bytes: the system has no memory left");
    assert_int_equal(outcome.exit_code, 0);
}

// ---- as an allocator --------------------------------------------------------------------------------------

FILO_TEST(the_last_block_grows_and_shrinks_in_place) {
    FiloArena arena;
    assert_ok(filo_arena_init(&arena, NULL));
    FiloAllocator allocator = filo_arena_allocator(&arena);
    uint8_t *first = filo_alloc(&allocator, 100, 0);
    memset(first, 1, 100);
    assert_ptr_equal(filo_resize(&allocator, first, 100, 1000, 0), first);
    assert_int_equal(filo_arena_stats(&arena).used, 1000);
    assert_ptr_equal(filo_resize(&allocator, first, 1000, 100000, 0), first); // beyond what is committed
    for (int i = 0; i < 100; i++) assert_int_equal(first[i], 1);
    memset(first, 1, 100000);
    assert_ptr_equal(filo_resize(&allocator, first, 100000, 50, 0), first);
    assert_int_equal(filo_arena_stats(&arena).used, 50);
    filo_free(&allocator, first, 50, 0);
    assert_int_equal(filo_arena_stats(&arena).used, 0); // the last one is freed
    filo_arena_deinit(&arena);
}

FILO_TEST(a_block_that_is_not_the_last_moves_to_grow_and_stays_to_shrink) {
    FiloArena arena;
    assert_ok(filo_arena_init(&arena, NULL));
    FiloAllocator allocator = filo_arena_allocator(&arena);
    uint8_t *first = filo_alloc(&allocator, 100, 64), *second = filo_alloc(&allocator, 100, 64);
    memset(first, 1, 100);
    memset(second, 2, 100);
    assert_ptr_equal(filo_resize(&allocator, first, 100, 90, 64), first);
    uint8_t *moved = filo_resize(&allocator, first, 90, 200, 64);
    assert_ptr_not_equal(moved, first);
    assert_int_equal((uintptr_t)moved % 64, 0);
    for (int i = 0; i < 90; i++) assert_int_equal(moved[i], 1);
    for (int i = 0; i < 100; i++) assert_int_equal(second[i], 2);
    size_t used = filo_arena_stats(&arena).used;
    filo_free(&allocator, second, 100, 64);
    assert_int_equal(filo_arena_stats(&arena).used, used); // freeing does nothing
    filo_arena_deinit(&arena);
}

FILO_TEST(growing_beyond_the_arena_fails_and_leaves_the_block) {
    uint8_t buffer[256];
    FiloArena arena;
    assert_ok(filo_arena_init(&arena,
                              &(FiloArenaDesc){ .name = "small", .memory = buffer, .size = sizeof buffer }));
    FiloAllocator allocator = filo_arena_allocator(&arena);
    uint8_t *first = filo_alloc(&allocator, 100, 1), *second = filo_alloc(&allocator, 50, 1);
    memset(first, 1, 100);
    memset(second, 2, 50);
    void *none = &arena;
    expect_fault("small: cannot allocate", none = filo_resize(&allocator, second, 50, 200, 1)); // in place
    assert_null(none);
    expect_fault("small: cannot allocate", none = filo_resize(&allocator, first, 100, 200, 1)); // by moving
    assert_null(none);
    assert_int_equal(first[99], 1);
    assert_int_equal(second[49], 2);
    assert_int_equal(filo_arena_stats(&arena).used, 150);
    filo_arena_deinit(&arena);
}
