// Shared by the tests of misuse: what was reported, to the letter.

#ifndef FILO_TEST_PHYSICS2D_MISUSE_H
#define FILO_TEST_PHYSICS2D_MISUSE_H

#include "physics2d/scene.h"

#include <filo/log.h>

#include <math.h>

typedef struct Reports {
    int faults, warnings;
    char fault[512], warning[512]; // the first of each
    FiloFaultHandler handler;
    FiloLogSink sink;
} Reports;

__attribute__((unused)) static FiloFaultAnswer store_fault(const FiloFault *fault, void *user) {
    Reports *reports = user;
    if (reports->faults++ == 0) snprintf(reports->fault, sizeof reports->fault, "%s", fault->message);
    return FILO_FAULT_CONTINUE;
}

__attribute__((unused)) static void store_warning(const FiloLogMessage *message, void *user) {
    Reports *reports = user;
    if (message->level != FILO_LOG_WARN) return;
    if (reports->warnings++ == 0) snprintf(reports->warning, sizeof reports->warning, "%s", message->text);
}

__attribute__((unused)) static void reports_begin(Reports *reports) {
    *reports = (Reports){ 0 };
    reports->handler = filo_fault_set_handler((FiloFaultHandler){ store_fault, reports });
    reports->sink =
        filo_log_add_sink(&(FiloLogSinkDesc){ .write = store_warning, .user = reports, .filter = "warn" });
}

__attribute__((unused)) static void reports_end(const Reports *reports) {
    filo_fault_set_handler(reports->handler);
    filo_log_remove_sink(reports->sink);
}

// One report with exactly these words; NULL: none.
__attribute__((unused)) static void assert_reported(const char *what, const char *expected, int count,
                                                    const char *text) {
    if (count == (expected != NULL) && (expected == NULL || strcmp(text, expected) == 0)) return;
    fail_msg("expected one %s\n  %s\ngot %d\n  %s", what, expected != NULL ? expected : "(none)", count,
             text);
}

#define assert_fault(reports, expected)                                                                      \
    assert_reported("fault", expected, (reports)->faults, (reports)->fault)
#define assert_warning(reports, expected)                                                                    \
    assert_reported("warning", expected, (reports)->warnings, (reports)->warning)

#endif
