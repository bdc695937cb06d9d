#include "support/test.h"

#include <filo/log.h>
#include <filo/memory.h>

#include <signal.h>
#include <stdlib.h>

static FiloTestResult outcome;

static void run(const char *program) { filo_test_run(&outcome, &(FiloTestRun){ .program = program }); }

FILO_TEST_PROGRAM(runs_out) {
    filo_out_of_memory("textures", 4096, "the budget is used up");
    printf("went on\n");
}

FILO_TEST(running_out_is_logged_and_goes_on_in_every_build) {
    run("runs_out");
    assert_int_equal(outcome.exit_code, 0);
    assert_string_equal(outcome.output, "went on\n");
    assert_contains(outcome.errors,
                    "error memory   textures: cannot allocate 4096 bytes: the budget is used up");
}

static FiloFaultAnswer trap(const FiloFault *fault, void *user) {
    FILO_UNUSED(user);
    return fault->kind == FILO_FAULT_OUT_OF_MEMORY ? FILO_FAULT_TRAP : FILO_FAULT_DEFAULT;
}

FILO_TEST_PROGRAM(runs_out_and_traps) {
    filo_fault_set_handler((FiloFaultHandler){ trap, NULL });
    filo_out_of_memory("textures", 4096, "the budget is used up");
    printf("went on\n");
}

FILO_TEST(a_game_can_trap_when_memory_runs_out) {
    run("runs_out_and_traps");
    assert_int_equal(outcome.signal, SIGABRT);
    assert_contains(outcome.errors,
                    "out of memory: textures: cannot allocate 4096 bytes: the budget is used up\n");
}

static int times;
static FiloFaultAnswer go_on(const FiloFault *fault, void *user) {
    FILO_UNUSED(user);
    times += fault->kind == FILO_FAULT_OUT_OF_MEMORY;
    return FILO_FAULT_CONTINUE;
}

FILO_TEST_PROGRAM(runs_out_and_goes_on_silently) {
    filo_fault_set_handler((FiloFaultHandler){ go_on, NULL });
    filo_out_of_memory("textures", 4096, "the budget is used up");
    if (times == 1) printf("went on\n");
}

FILO_TEST(the_answer_continue_is_silent) {
    run("runs_out_and_goes_on_silently");
    assert_string_equal(outcome.output, "went on\n");
    assert_string_equal(outcome.errors, "");
}

static jmp_buf way_out;
static FiloFaultAnswer leap(const FiloFault *fault, void *user) {
    FILO_UNUSED(fault), FILO_UNUSED(user);
    longjmp(way_out, 1);
}

FILO_TEST(a_hook_may_leave_an_allocator_by_longjmp_and_the_budget_is_as_before) {
    FiloHeap heap;
    filo_heap_init(&heap, "small", 100);
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ leap, NULL });
    for (volatile int round = 0; round < 3; round++) {
        if (setjmp(way_out) == 0) {
            filo_alloc(&heap.allocator, 101, 0);
            fail_msg("the allocation returned");
        }
    }
    filo_fault_set_handler(before);
    assert_int_equal(filo_heap_stats(&heap).used, 0);
    void *memory = filo_alloc(&heap.allocator, 100, 0);
    assert_non_null(memory);
    filo_free(&heap.allocator, memory, 100, 0);
    filo_heap_deinit(&heap);
}

static FiloHeap sink_heap;
static int sink_calls, sink_failures;
static void write_with_memory(const FiloLogMessage *message, void *user) {
    FILO_UNUSED(message), FILO_UNUSED(user);
    sink_calls++;
    if (filo_alloc(&sink_heap.allocator, 1000, 0) == NULL) sink_failures++;
}

FILO_TEST(running_out_inside_a_log_sink_does_not_deadlock) {
    filo_heap_init(&sink_heap, "sink", 10);
    filo_log_set_filter(FILO_LOG_TERMINAL, "off");
    FiloLogSink sink = filo_log_add_sink(&(FiloLogSinkDesc){ .write = write_with_memory });
    filo_log_info("test", "a message whose sink finds no memory");
    filo_log_remove_sink(sink);
    filo_heap_deinit(&sink_heap);
    assert_int_equal(sink_calls, 1);
    assert_int_equal(sink_failures, 1);
}

// Every allocator names itself and what to do.

FILO_TEST(the_message_of_a_heap_names_the_budget_that_is_used_up) {
    FiloHeap heap;
    filo_heap_init(&heap, "sounds", 64);
    void *memory = &heap;
    expect_fault("sounds: cannot allocate 65 bytes: the budget is used up",
                 memory = filo_alloc(&heap.allocator, 65, 0));
    assert_null(memory);
    filo_heap_deinit(&heap);
}

FILO_TEST(the_message_of_an_arena_names_the_limit_to_raise) {
    FiloArena arena;
    assert_ok(filo_arena_init(&arena, &(FiloArenaDesc){ .name = "level", .reserve = FILO_KIB(64) }));
    void *memory = &arena;
    expect_fault("level: cannot allocate 65537 bytes: the arena is full: raise its reserve or budget",
                 memory = filo_arena_alloc(&arena, 65537, 1));
    assert_null(memory);
    filo_arena_deinit(&arena);
}

FILO_TEST(the_message_of_a_pool_reports_that_its_blocks_are_taken) {
    FiloPool pool;
    assert_ok(filo_pool_init(&pool, &(FiloPoolDesc){ .name = "bullets", .block_size = 24, .max_blocks = 1 }));
    assert_non_null(filo_pool_take(&pool));
    void *memory = &pool;
    expect_fault("bullets: cannot allocate 24 bytes: all blocks of the pool are taken",
                 memory = filo_pool_take(&pool));
    assert_null(memory);
    filo_pool_deinit(&pool);
}

FILO_TEST(the_message_of_a_scratch_names_the_limit_to_raise) {
    FiloScratch scratch;
    assert_ok(filo_scratch_init(&scratch, "frame", FILO_KIB(64)));
    void *memory = &scratch;
    expect_fault("frame: cannot allocate 65537 bytes: the frame's scratch is full: raise its reserve",
                 memory = filo_scratch_alloc(&scratch, 65537, 1));
    assert_null(memory);
    filo_scratch_deinit(&scratch);
}

// ---- Asking once ----------------------------------------------------------------------------------------

static void *refuse(void *user, void *memory, size_t old_size, size_t new_size, size_t align) {
    FILO_UNUSED(user), FILO_UNUSED(memory), FILO_UNUSED(old_size), FILO_UNUSED(new_size), FILO_UNUSED(align);
    return NULL;
}

FILO_TEST(the_first_lack_of_memory_can_be_queried_afterwards) {
    assert_ok(filo_log_set_filter(FILO_LOG_TERMINAL, "off"));
    assert_int_equal(filo_out_of_memory_count(), 0);
    assert_ok(filo_out_of_memory_result());
    filo_out_of_memory("textures", 4096, "the budget is used up");
    filo_out_of_memory("sounds", 5, "the budget is used up");
    assert_int_equal(filo_out_of_memory_count(), 2);
    FiloResult r = filo_out_of_memory_result();
    assert_int_equal(r.code, FILO_ERROR_MEMORY);
    assert_string_equal(r.message, "textures: cannot allocate 4096 bytes: the budget is used up");
}

FILO_TEST(a_failing_allocator_of_the_program_counts) {
    const FiloAllocator none = { refuse, NULL };
    assert_null(filo_alloc(&none, 77, 0));
    assert_int_equal(filo_out_of_memory_count(), 1);
    assert_contains(filo_out_of_memory_result().message, "77 bytes");
    filo_free(&none, &(int){ 0 }, 4, 0); // returns NULL too, but is not a failure
    assert_int_equal(filo_out_of_memory_count(), 1);
}

FILO_TEST(what_is_missing_for_lack_of_memory_is_no_mistake) {
    assert_ok(filo_log_set_filter(FILO_LOG_TERMINAL, "off"));
    bool made = true;
    assert_true(FILO_CHECK_MADE(made, "make it before"));
    made = false;
    expect_fault("make it before", assert_false(FILO_CHECK_MADE(made, "make it before")));
    filo_out_of_memory("textures", 4096, "the budget is used up");
    assert_false(FILO_CHECK_MADE(made, "make it before")); // a fault would fail the test
}
