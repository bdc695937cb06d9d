// Text that systems, handlers and observers append to, to compare what ran in which order.

#ifndef FILO_TEST_ECS_LOG_H
#define FILO_TEST_ECS_LOG_H

#include "support/test.h"

// Only for functions that run one after the other.
typedef struct Log {
    char text[4096];
    size_t length;
    const char *name; // log_observed writes it before each line; NULL: none
} Log;

__attribute__((format(printf, 2, 3))) static inline void log_add(Log *log, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(log->text + log->length, sizeof log->text - log->length, format, arguments);
    va_end(arguments);
    log->length += (size_t)length;
    assert_true(log->length < sizeof log->text);
}

static inline void log_clear(Log *log) {
    log->length = 0;
    log->text[0] = 0;
}

// The report function of a load: appends a line to the Log `user`.
static inline void log_report(const char *message, void *user) { log_add(user, "%s\n", message); }

// Compares the text, and clears it.
static inline void expect_log(Log *log, const char *text) {
    assert_string_equal(log->text, text);
    log_clear(log);
}

#endif
