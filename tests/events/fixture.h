// Shared by the tests of events: a scheduler with events, a payload, and a log of delivered events.

#ifndef FILO_TEST_EVENTS_FIXTURE_H
#define FILO_TEST_EVENTS_FIXTURE_H

#include <filo/events.h>
#include <filo/hash.h>

#include "support/test.h"

typedef struct Hit {
    uint32_t target;
    int32_t damage;
} Hit;

FILO_REFLECT_DECLARE(Hit);

typedef struct Fixture {
    FiloJobs *jobs;
    FiloEvents *events;
    FiloName hit;
} Fixture;

// Text that handlers append. Not for parallel handlers.
typedef struct Log {
    char text[4096];
    size_t length;
} Log;

__attribute__((format(printf, 2, 3), unused)) static void log_add(Log *log, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(log->text + log->length, sizeof log->text - log->length, format, arguments);
    va_end(arguments);
    log->length += (size_t)length;
    assert_true(log->length < sizeof log->text);
}

__attribute__((unused)) static void expect_log(Log *log, const char *text) {
    assert_string_equal(log->text, text);
    *log = (Log){ 0 };
}

__attribute__((unused)) static Fixture fixture_open(int threads) {
    Fixture fixture = { .hit = filo_name("hit") };
    assert_ok(filo_jobs_create(&fixture.jobs, &(FiloJobsDesc){ .threads = threads }));
    assert_ok(filo_events_create(&fixture.events, &(FiloEventsDesc){ .jobs = fixture.jobs }));
    return fixture;
}

__attribute__((unused)) static void fixture_close(Fixture *fixture) {
    filo_events_destroy(fixture->events);
    filo_jobs_destroy(fixture->jobs, FILO_JOBS_FINISH);
}

__attribute__((unused)) static bool emit_hit(Fixture *fixture, uint32_t target) {
    return filo_events_emit(fixture->events, fixture->hit, FILO_TYPE(Hit), &(Hit){ target, 1 });
}

__attribute__((unused)) static FiloSubscription subscribe(Fixture *fixture, const char *event,
                                                          FiloEventFunction function, void *user) {
    return filo_events_subscribe(
        fixture->events, &(FiloHandlerDesc){ .event = filo_name(event), .function = function, .user = user });
}

// A handler: logs the name, and the target of a hit.
__attribute__((unused)) static void log_event(const FiloEvent *event, void *log) {
    const Hit *hit = event->payload;
    if (hit != NULL)
        log_add(log, "%s %u\n", filo_name_text(event->name), hit->target);
    else
        log_add(log, "%s\n", filo_name_text(event->name));
}

#endif
