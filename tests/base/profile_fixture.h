// What the tests of the profile share. Rings, budgets and the numbers of threads belong to the process: these
// tests need one each, as under ctest.

#ifndef FILO_TEST_BASE_PROFILE_FIXTURE_H
#define FILO_TEST_BASE_PROFILE_FIXTURE_H

#include "support/test.h"

#include <filo/profile.h>
#include <filo/threads.h>

#include "base/profile/profile_report.h"

static inline FiloProfileReport report(void) {
    FiloProfileReport made;
    assert_ok(filo_profile_report_init(&made, NULL));
    return made;
}

static inline void zone(const char *name) {
    FiloZone measured;
    filo_profile_enter(&measured, name);
    filo_profile_leave(&measured);
}

// Takes longer than the clock's smallest step.
static inline void work(void) {
    for (volatile int i = 0; i < 500; i++) {}
}

static inline void zone_and_counter(void *user) {
    FILO_UNUSED(user);
    zone("on a thread");
    FILO_COUNTER("threads", 1);
}

static inline void run_thread(const char *name, FiloThreadFunction function, void *user) {
    FiloThread thread;
    assert_ok(
        filo_thread_start(&thread, &(FiloThreadDesc){ .name = name, .function = function, .user = user }));
    filo_thread_join(&thread);
}

#endif
