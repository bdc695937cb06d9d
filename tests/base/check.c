#include "support/test.h"

#include <filo/log.h>
#include <filo/threads.h>

#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>

static FiloTestResult outcome;

static void run(const char *program) { filo_test_run(&outcome, &(FiloTestRun){ .program = program }); }

// Fails unless the last program was stopped by a trap.
static void assert_trapped(void) {
    if (outcome.signal == SIGABRT) return;
    fail_msg("expected SIGABRT, got signal %d, exit code %d: %s", outcome.signal, outcome.exit_code,
             outcome.errors);
}

static void assert_went_on(void) {
    if (outcome.exit_code != 0)
        fail_msg("signal %d, exit code %d: %s", outcome.signal, outcome.exit_code, outcome.errors);
    assert_string_equal(outcome.output, "went on\n");
}

static void went_on(void) { printf("went on\n"); }

// ---- checks -------------------------------------------------------------------------------------------

FILO_TEST(a_check_that_holds_is_true) { assert_true(FILO_CHECK(1 + 1 == 2, "never shown")); }

FILO_TEST(a_check_that_fails_is_false_and_reports_the_message) {
    bool held = true;
    expect_fault("use door 7, not 8", held = FILO_CHECK(false, "use door %d, not %d", 7, 8));
    assert_false(held);
}

static int evaluations;
static int evaluate(int answer) {
    evaluations++;
    return answer;
}

FILO_TEST(a_condition_is_evaluated_once_and_message_arguments_only_when_needed) {
    evaluations = 0;
    assert_true(FILO_CHECK(evaluate(1), "%d", evaluate(0)));
    assert_int_equal(evaluations, 1);
    expect_fault("value 5", (void)FILO_CHECK(evaluate(0), "value %d", evaluate(5)));
    assert_int_equal(evaluations, 3);
}

FILO_TEST(any_value_that_is_not_zero_holds) {
    assert_true(FILO_CHECK(0x100000000, "never shown"));
    const void *pointer = &evaluations;
    assert_true(FILO_CHECK(pointer, "never shown"));
}

static FiloFault seen;
static char seen_message[4096];
static int seen_count;
static FiloFaultAnswer answer_of_hook;

static FiloFaultAnswer store_fault(const FiloFault *fault, void *user) {
    if (user != NULL) *(int *)user += 1;
    seen = *fault;
    snprintf(seen_message, sizeof seen_message, "%s", fault->message);
    seen_count++;
    return answer_of_hook;
}

static FiloFaultHandler hook_answering(FiloFaultAnswer answer) {
    answer_of_hook = answer;
    return filo_fault_set_handler((FiloFaultHandler){ store_fault, NULL });
}

FILO_TEST(a_fault_has_kind_line_condition_and_message) {
    FiloFaultHandler before = hook_answering(FILO_FAULT_CONTINUE);
    int line = __LINE__ + 1;
    bool held = FILO_CHECK(2 > 3, "count %s", "again");
    filo_fault_set_handler(before);
    assert_false(held);
    assert_int_equal(seen.kind, FILO_FAULT_CHECK);
    assert_string_equal(seen.file, "tests/base/check.c"); // the same on every machine
    assert_int_equal(seen.line, line);
    assert_string_equal(seen.condition, "2 > 3");
    assert_string_equal(seen_message, "count again");
}

FILO_TEST(a_very_long_message_is_cut) {
    char text[3000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    FiloFaultHandler before = hook_answering(FILO_FAULT_CONTINUE);
    (void)FILO_CHECK(false, "%s", text);
    filo_fault_set_handler(before);
    assert_int_equal(strlen(seen_message), 1023);
    assert_string_equal(seen_message + 1023 - strlen("…"), "…");
}

FILO_TEST(a_mistake_is_reported_and_is_a_result_with_the_same_message) {
    FiloFaultHandler before = hook_answering(FILO_FAULT_CONTINUE);
    int line = __LINE__ + 1;
    FiloResult result = FILO_MISTAKE("use door %d, not %d", 7, 8);
    filo_fault_set_handler(before);
    assert_int_equal(result.code, FILO_ERROR_ARGUMENT);
    assert_string_equal(result.message, "use door 7, not 8");
    assert_int_equal(seen.kind, FILO_FAULT_CHECK);
    assert_string_equal(seen.file, "tests/base/check.c");
    assert_int_equal(seen.line, line);
    assert_string_equal(seen.condition, "");
    assert_string_equal(seen_message, "use door 7, not 8");
}

FILO_TEST(a_mistake_whose_message_is_long_is_reported_whole_and_cut_in_the_result) {
    char text[FILO_MESSAGE_SIZE + 100];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    FiloFaultHandler before = hook_answering(FILO_FAULT_CONTINUE);
    FiloResult result = FILO_MISTAKE("%s", text);
    filo_fault_set_handler(before);
    assert_string_equal(seen_message, text);
    assert_int_equal(strlen(result.message), FILO_MESSAGE_SIZE - 1);
    assert_string_equal(result.message + FILO_MESSAGE_SIZE - sizeof "…", "…");
}

// ---- what debug and release builds do -------------------------------------------------------------------

static void fail_three_times(void) {
    for (int i = 0; i < 3; i++)
        if (FILO_CHECK(i < 0, "pass a number below zero, not %d", i)) abort();
}

FILO_TEST_PROGRAM(fails_a_check) {
    fail_three_times();
    if (FILO_CHECK(evaluations > 0, "ask first")) abort();
    went_on();
}

FILO_TEST(a_failed_check_stops_a_debug_build_and_is_logged_once_per_line_in_release) {
    run("fails_a_check");
#ifdef NDEBUG
    assert_went_on();
    assert_int_equal(filo_test_count(outcome.errors, "pass a number below zero, not"), 1);
    assert_contains(outcome.errors, "error check    pass a number below zero, not 0 (check.c:");
    assert_int_equal(filo_test_count(outcome.errors, "ask first"), 1);
#else
    assert_trapped();
    assert_memory_equal(outcome.errors, "tests/base/check.c:", strlen("tests/base/check.c:"));
    assert_contains(outcome.errors, ": check failed: pass a number below zero, not 0 [i < 0]\n");
    assert_string_equal(outcome.output, "");
#endif
}

FILO_TEST_PROGRAM(makes_a_mistake) {
    for (int i = 0; i < 3; i++)
        if (FILO_MISTAKE("pass a number below zero, not %d", i).code != FILO_ERROR_ARGUMENT) abort();
    went_on();
}

FILO_TEST(a_mistake_stops_a_debug_build_and_is_logged_once_per_line_in_release) {
    run("makes_a_mistake");
#ifdef NDEBUG
    assert_went_on();
    assert_int_equal(filo_test_count(outcome.errors, "pass a number below zero, not"), 1);
    assert_contains(outcome.errors, "error check    pass a number below zero, not 0 (check.c:");
#else
    assert_trapped();
    assert_contains(outcome.errors, ": check failed: pass a number below zero, not 0\n");
    assert_string_equal(outcome.output, "");
#endif
}

FILO_TEST_PROGRAM(fails_a_check_with_a_hook_that_answers_default) {
    hook_answering(FILO_FAULT_DEFAULT);
    fail_three_times();
    if (seen_count != 3) abort();
    went_on();
}

FILO_TEST(the_answer_default_is_what_happens_without_a_hook) {
    run("fails_a_check_with_a_hook_that_answers_default");
#ifdef NDEBUG
    assert_went_on();
    assert_int_equal(filo_test_count(outcome.errors, "pass a number below zero"), 1);
#else
    assert_trapped();
    assert_contains(outcome.errors, "check failed: pass a number below zero, not 0 [i < 0]\n");
#endif
}

FILO_TEST_PROGRAM(fails_a_check_with_a_hook_that_goes_on) {
    hook_answering(FILO_FAULT_CONTINUE);
    fail_three_times();
    if (seen_count != 3) abort(); // every time, not once per line
    went_on();
}

FILO_TEST(the_answer_continue_goes_on_in_every_build_without_a_message) {
    run("fails_a_check_with_a_hook_that_goes_on");
    assert_went_on();
    assert_string_equal(outcome.errors, "");
}

FILO_TEST_PROGRAM(passes_null) {
    printf("tests/base/check.c:%d, ", __LINE__ + 2);
    fflush(stdout);
    filo_log_add_sink(NULL);
}

FILO_TEST(a_debug_build_names_the_line_that_called_and_the_stack) {
    only_in_debug_builds();
    if (dlopen("libdw.so.1", RTLD_LAZY) == NULL) skip_because("libdw is not installed");
    run("passes_null");
    assert_trapped();
    const char *caller = strstr(outcome.errors, "\n  called at ");
    assert_non_null(caller);
    assert_contains(caller, outcome.output);
    const char *stack = strstr(caller, "\n  by ");
    assert_non_null(stack);
    assert_true(strstr(caller, outcome.output) < stack);
    assert_contains(stack, ", main\n");
    assert_null(strstr(caller, "src/base/report/")); // of Filo
}

FILO_TEST_PROGRAM(fails_a_check_with_a_hook_that_traps) {
    hook_answering(FILO_FAULT_TRAP);
    fail_three_times();
    went_on();
}

FILO_TEST(the_answer_trap_stops_every_build) {
    run("fails_a_check_with_a_hook_that_traps");
    assert_trapped();
    assert_contains(outcome.errors, "check failed: pass a number below zero, not 0 [i < 0]\n");
}

FILO_TEST_PROGRAM(fails_an_assertion) {
    FILO_ASSERT(evaluate(1) == 2, "one is not two, %d", 3);
    if (evaluations != 0) abort();
    went_on();
}

FILO_TEST(an_assertion_stops_a_debug_build_and_is_nothing_in_release) {
    run("fails_an_assertion");
#ifdef NDEBUG
    assert_went_on();
    assert_string_equal(outcome.errors, "");
#else
    assert_trapped();
    assert_contains(outcome.errors, "assertion inside Filo failed: one is not two, 3 [evaluate(1) == 2]\n");
#endif
}

FILO_TEST(an_assertion_that_holds_does_nothing) { FILO_ASSERT(evaluations < 1000, "never shown"); }

FILO_TEST_PROGRAM(panics) {
    filo_panic("the device is gone: %s", "unplugged");
    went_on();
}
FILO_TEST_PROGRAM(panics_with_a_hook_that_goes_on) {
    hook_answering(FILO_FAULT_CONTINUE);
    filo_panic("the device is gone: %s", "unplugged");
    went_on();
}

FILO_TEST(a_panic_stops_every_build_whatever_the_hook_returns) {
    static const char *const programs[] = { "panics", "panics_with_a_hook_that_goes_on" };
    for (size_t i = 0; i < FILO_COUNT_OF(programs); i++) {
        run(programs[i]);
        assert_trapped();
        assert_contains(outcome.errors, ": panic: the device is gone: unplugged\n");
        assert_string_equal(outcome.output, "");
    }
}

// ---- hooks ----------------------------------------------------------------------------------------------

static jmp_buf way_out;
static FiloFaultAnswer leap(const FiloFault *fault, void *user) {
    store_fault(fault, user);
    longjmp(way_out, 1);
}

FILO_TEST(a_hook_may_leave_by_longjmp_from_a_check_and_from_a_panic) {
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ leap, NULL });
    for (volatile int round = 0; round < 3; round++) { // again and again: nothing stays locked
        if (setjmp(way_out) == 0) {
            (void)FILO_CHECK(false, "leap from a check");
            fail_msg("the check returned");
        }
        assert_int_equal(seen.kind, FILO_FAULT_CHECK);
        if (setjmp(way_out) == 0) filo_panic("leap from a panic");
        assert_int_equal(seen.kind, FILO_FAULT_PANIC);
        assert_string_equal(seen.condition, "");
        assert_string_equal(seen_message, "leap from a panic");
    }
    filo_fault_set_handler(before);
}

static FiloFaultAnswer leave_to_others(const FiloFault *fault, void *user) {
    FiloFaultHandler *others = user;
    return others->hook(fault, others->user);
}

FILO_TEST(the_previous_handler_is_returned_to_be_called_or_restored) {
    int first_calls = 0;
    answer_of_hook = FILO_FAULT_CONTINUE;
    FiloFaultHandler none = filo_fault_set_handler((FiloFaultHandler){ store_fault, &first_calls });
    assert_null(none.hook);
    FiloFaultHandler first = filo_fault_set_handler((FiloFaultHandler){ leave_to_others, &first });
    assert_ptr_equal(first.hook, store_fault);
    assert_ptr_equal(first.user, &first_calls);
    assert_false(FILO_CHECK(false, "through both"));
    assert_int_equal(first_calls, 1);
    filo_fault_set_handler(first);
    assert_false(FILO_CHECK(false, "through one"));
    assert_int_equal(first_calls, 2);
    filo_fault_set_handler(none);
    assert_null(filo_fault_set_handler((FiloFaultHandler){ NULL, NULL }).hook);
}

static FiloFaultAnswer change_everything(const FiloFault *fault, void *user) {
    FILO_UNUSED(fault);
    filo_fault_set_handler((FiloFaultHandler){ store_fault, NULL });
    filo_log_debug("test", "a hook may log");
    assert_false(FILO_CHECK(false, "a fault inside a hook, seen by the hook set by then"));
    *(int *)user += 1;
    return FILO_FAULT_CONTINUE;
}

FILO_TEST(a_hook_may_log_set_hooks_and_fail_checks_itself) {
    int calls = 0;
    answer_of_hook = FILO_FAULT_CONTINUE;
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ change_everything, &calls });
    assert_false(FILO_CHECK(false, "outer"));
    filo_fault_set_handler(before);
    assert_int_equal(calls, 1);
    assert_contains(seen_message, "a fault inside a hook");
}

enum { FAULT_THREADS = 8, FAULTS_EACH = 2000 };
static struct Tally { uint32_t faults, wrong; } tallies[2];

// Each hook must always be called with its own tally.
static FiloFaultAnswer tally(const FiloFault *fault, struct Tally *expected, struct Tally *user) {
    __atomic_fetch_add(&expected->faults, 1, __ATOMIC_RELAXED);
    if (expected != user || fault->kind != FILO_FAULT_CHECK || strcmp(fault->message, "from a thread") != 0)
        __atomic_fetch_add(&expected->wrong, 1, __ATOMIC_RELAXED);
    return FILO_FAULT_CONTINUE;
}
static FiloFaultAnswer first_tally(const FiloFault *fault, void *user) {
    return tally(fault, &tallies[0], user);
}
static FiloFaultAnswer second_tally(const FiloFault *fault, void *user) {
    return tally(fault, &tallies[1], user);
}

static void fail_often(void *user) {
    FILO_UNUSED(user);
    for (int i = 0; i < FAULTS_EACH; i++) (void)FILO_CHECK(i < 0, "from a thread");
}

FILO_TEST(hooks_are_called_from_many_threads_always_with_their_own_pointer) {
    memset(tallies, 0, sizeof tallies);
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ first_tally, &tallies[0] });
    FiloThread threads[FAULT_THREADS];
    for (int i = 0; i < FAULT_THREADS; i++)
        assert_ok(filo_thread_start(&threads[i], &(FiloThreadDesc){ .function = fail_often }));
    for (int i = 0; i < 2000; i++) {
        filo_fault_set_handler((FiloFaultHandler){ second_tally, &tallies[1] });
        filo_fault_set_handler((FiloFaultHandler){ first_tally, &tallies[0] });
    }
    for (int i = 0; i < FAULT_THREADS; i++) filo_thread_join(&threads[i]);
    filo_fault_set_handler(before);
    assert_int_equal(tallies[0].faults + tallies[1].faults, FAULT_THREADS * FAULTS_EACH);
    assert_int_equal(tallies[0].wrong + tallies[1].wrong, 0);
}

// ---- once per line ----------------------------------------------------------------------------------------

FILO_TEST_PROGRAM(fails_a_check_on_many_threads) {
    FiloThread threads[FAULT_THREADS];
    for (int i = 0; i < FAULT_THREADS; i++)
        (void)filo_thread_start(&threads[i], &(FiloThreadDesc){ .function = fail_often });
    for (int i = 0; i < FAULT_THREADS; i++) filo_thread_join(&threads[i]);
    went_on();
}

FILO_TEST(a_line_is_logged_once_for_any_number_of_threads) {
    only_in_release_builds();
    run("fails_a_check_on_many_threads");
    assert_went_on();
    assert_int_equal(filo_test_count(outcome.errors, "from a thread"), 1);
}

FILO_TEST_PROGRAM(fails_checks_in_many_lines) {
    for (int round = 0; round < 2; round++)
        for (int line = 1; line <= 600; line++)
            (void)filo_check_failed(FILO_FAULT_CHECK, "many.c", line, "", "[%d]", line);
    went_on();
}

FILO_TEST(lines_beyond_the_capacity_of_the_table_are_logged_every_time) {
    only_in_release_builds();
    run("fails_checks_in_many_lines");
    assert_went_on();
    for (int line = 1; line <= 600; line++) {
        char text[16];
        snprintf(text, sizeof text, "[%d]", line);
        int times = filo_test_count(outcome.errors, text);
        assert_int_equal(times, line <= 512 ? 1 : 2);
    }
}
