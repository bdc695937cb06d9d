// The test harness: cmocka's assertions, tests that register themselves, and expected faults.
//
//     FILO_TEST(stale_id_is_rejected_after_index_reuse) {
//         …
//         assert_false(filo_thing_valid(thing));
//     }
//
// One file is one executable; it runs all its tests, or those named on its command line. In ctest the name of a test is
// "<module>.<file>.<test>".

#ifndef FILO_TEST_H
#define FILO_TEST_H

#include <filo/check.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct FiloTestCase {
    const char *name;
    void (*run)(void **state);
    struct FiloTestCase *next;
} FiloTestCase;

void filo_test_register(FiloTestCase *test);

#define FILO_TEST(test_name)                                                                                 \
    static void test_name(void **state);                                                                     \
    __attribute__((constructor)) static void register_##test_name(void) {                                    \
        static FiloTestCase test = { #test_name, test_name, NULL };                                          \
        filo_test_register(&test);                                                                           \
    }                                                                                                        \
    static void test_name(__attribute__((unused)) void **state)

// Runs `statement`, and fails the test unless exactly one fault is reported whose message contains `text`.
// The program goes on after the fault, as in a release build, so the test also checks that this is harmless.
#define expect_fault(text, statement)                                                                        \
    do {                                                                                                     \
        filo_test_faults_begin();                                                                            \
        statement;                                                                                           \
        filo_test_faults_end(text, __FILE__, __LINE__);                                                      \
    } while (0)

// As expect_fault, with exactly `wanted` faults, the first of which contains `text`.
#define expect_faults(wanted, text, statement)                                                               \
    do {                                                                                                     \
        filo_test_faults_begin();                                                                            \
        statement;                                                                                           \
        filo_test_faults_end_count(wanted, text, __FILE__, __LINE__);                                        \
    } while (0)

// Runs `call`, which returns a FiloResult, and fails the test unless it reports one fault whose message contains `text`
// and returns FILO_ERROR_ARGUMENT with the same message, as FILO_MISTAKE does.
#define expect_mistake(text, call)                                                                           \
    do {                                                                                                     \
        filo_test_faults_begin();                                                                            \
        FiloResult expect_mistake_result = (call);                                                           \
        filo_test_mistake_end(expect_mistake_result, text, __FILE__, __LINE__);                              \
    } while (0)

void filo_test_faults_begin(void);
void filo_test_mistake_end(FiloResult result, const char *text, const char *file, int line);
void filo_test_faults_end(const char *text, const char *file, int line);
void filo_test_faults_end_count(int wanted, const char *text, const char *file, int line);

// Fails the test with the result's message unless the result is FILO_OK.
#define assert_ok(result)                                                                                    \
    do {                                                                                                     \
        FiloResult assert_ok_result = (result);                                                              \
        if (assert_ok_result.code != FILO_OK)                                                                \
            fail_msg("expected success, got %s: %s", filo_code_name(assert_ok_result.code),                  \
                     assert_ok_result.message);                                                              \
    } while (0)

// Fails unless the result has this code and its message contains `text`.
#define assert_error(result, expected_code, text)                                                            \
    filo_test_error((result), (expected_code), (text), __FILE__, __LINE__)
void filo_test_error(FiloResult result, FiloCode code, const char *text, const char *file, int line);

// Fails unless `haystack` contains `needle`.
#define assert_contains(haystack, needle) filo_test_contains((haystack), (needle), __FILE__, __LINE__)
void filo_test_contains(const char *haystack, const char *needle, const char *file, int line);

// How often `haystack` contains `needle`.
int filo_test_count(const char *haystack, const char *needle);

// Ends the test, which counts as skipped, and prints the reason: "skipped: the disk is not large enough".
#define skip_because(reason) (print_message("skipped: %s\n", (reason)), skip())

// The first statement of a test that makes sense in only one kind of build.
#ifdef NDEBUG
#    define only_in_debug_builds()   skip_because("this is a release build")
#    define only_in_release_builds() ((void)0)
#else
#    define only_in_debug_builds()   ((void)0)
#    define only_in_release_builds() skip_because("this is a debug build")
#endif

// The first statement of a test that the emulator, with which tests for another processor are run, cannot execute.
#ifdef FILO_TEST_EMULATOR
#    define only_without_emulator(what_it_lacks) skip_because("the emulator " what_it_lacks)
#else
#    define only_without_emulator(what_it_lacks) ((void)0)
#endif

// ---- Processes ----------------------------------------------------------------------------------------
//
// Code that ends the process, needs a new process, or depends on its environment, is a program: a function in the
// test's file that filo_test_run starts in a new process.
//
//     FILO_TEST_PROGRAM(opens_a_door_that_is_not_there) { filo_door_open(NULL); }
//
//     FILO_TEST(a_missing_door_stops_a_debug_build) {
//         FiloTestResult outcome;
//         filo_test_run(&outcome, &(FiloTestRun){ .program = "opens_a_door_that_is_not_there" });
//         assert_int_equal(outcome.signal, SIGABRT);
//         assert_contains(outcome.errors, "pass the door");
//     }

#define FILO_TEST_PROGRAM(program_name)                                                                      \
    static void program_name(void);                                                                          \
    __attribute__((constructor)) static void register_##program_name(void) {                                 \
        static FiloTestProgram program = { #program_name, program_name, NULL };                              \
        filo_test_register_program(&program);                                                                \
    }                                                                                                        \
    static void program_name(void)

typedef struct FiloTestProgram {
    const char *name;
    void (*run)(void);
    struct FiloTestProgram *next;
} FiloTestProgram;

void filo_test_register_program(FiloTestProgram *program);

// What standard error of a program is connected to.
typedef enum FiloTestErrors {
    FILO_TEST_ERRORS_PIPE,
    FILO_TEST_ERRORS_TERMINAL, // a pseudo terminal; its "\r\n" is converted to "\n"
    FILO_TEST_ERRORS_CLOSED,
    FILO_TEST_ERRORS_BROKEN_PIPE, // a pipe without a reader
} FiloTestErrors;

typedef struct FiloTestRun {
    const char *program;
    const char *environment[4]; // "NAME=value" sets, "NAME" removes
    FiloTestErrors errors;
} FiloTestRun;

typedef struct FiloTestResult {
    int exit_code;       // -1 if a signal ended it
    int signal;          // 0 if it ended by itself
    char output[65536];  // its standard output, cut to the size of the buffer
    char errors[262144]; // its standard error, cut to the size of the buffer
} FiloTestResult;

void filo_test_run(FiloTestResult *outcome, const FiloTestRun *run);

// Whether this build has a sanitizer that replaces malloc and needs much address space.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#    define FILO_TEST_SANITIZED 1
#elif defined(__has_feature)
#    if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#        define FILO_TEST_SANITIZED 1
#    endif
#endif
#ifndef FILO_TEST_SANITIZED
#    define FILO_TEST_SANITIZED 0
#endif

// ---- Files --------------------------------------------------------------------------------------------

// A new folder for this test's files, removed when the process ends. The string is valid until then.
const char *filo_test_folder(void);

// "<folder>/<name>" inside filo_test_folder(). The string is valid until 16 more calls.
const char *filo_test_path(const char *name);

// Sets a locale with a decimal comma for the process; skips the test if there is none.
void filo_test_use_decimal_comma(void);

#endif
