// Warnings of the log that a test expects. Filo warns about what may be a mistake, but may also be intended.
//
//     expect_warning("did you mean \"jump\"?", filo_action(&input, filo_name("jmup")));
//     expect_no_warning(filo_action(&input, filo_name("jump")));

#ifndef FILO_TEST_WARNINGS_H
#define FILO_TEST_WARNINGS_H

#include "support/test.h"

#include <filo/log.h>

typedef struct FiloTestWarnings {
    int count;
    char text[FILO_LOG_SIZE]; // of the last
} FiloTestWarnings;

static inline void filo_test_store_warning(const FiloLogMessage *message, void *user) {
    FiloTestWarnings *warnings = user;
    if (message->level != FILO_LOG_WARN) return;
    warnings->count++;
    snprintf(warnings->text, sizeof warnings->text, "%s", message->text);
}

// Runs `statement`, and fails the test unless it logs exactly `wanted` warnings, the last of which contains `part`.
#define expect_warnings(wanted, part, statement)                                                             \
    do {                                                                                                     \
        FiloTestWarnings expected_warnings = { 0 };                                                          \
        FiloLogSink expected_sink = filo_log_add_sink(&(FiloLogSinkDesc){                                    \
            .write = filo_test_store_warning, .user = &expected_warnings, .filter = "warn" });               \
        statement;                                                                                           \
        filo_log_remove_sink(expected_sink);                                                                 \
        if (expected_warnings.count != (wanted))                                                             \
            print_message("%d warnings, the last: %s\n", expected_warnings.count, expected_warnings.text);   \
        assert_int_equal(expected_warnings.count, (wanted));                                                 \
        assert_contains(expected_warnings.text, part);                                                       \
    } while (0)
#define expect_warning(part, statement) expect_warnings(1, part, statement)
#define expect_no_warning(statement)    expect_warnings(0, "", statement)

#endif
