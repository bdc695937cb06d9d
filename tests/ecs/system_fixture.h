// What the tests of systems share: a world with some components, and a log of what ran.

#ifndef FILO_TEST_ECS_SYSTEM_FIXTURE_H
#define FILO_TEST_ECS_SYSTEM_FIXTURE_H

#include <filo/system.h>

#include "ecs/query/iter.h"
#include "ecs/schedule/schedule.h"
#include "support/test.h"

typedef struct Position {
    float x, y;
} Position;
typedef struct Velocity {
    float x, y;
} Velocity;
typedef struct Health {
    int32_t points;
} Health;
typedef struct Score {
    int64_t points;
} Score;
typedef struct Owner {
    FiloEntity entity;
} Owner;
typedef struct Hit {
    FiloEntity target;
    int32_t damage;
} Hit;
FILO_REFLECT_DECLARE(Position);
FILO_REFLECT_DECLARE(Velocity);
FILO_REFLECT_DECLARE(Health);
FILO_REFLECT_DECLARE(Score);
FILO_REFLECT_DECLARE(Owner);
FILO_REFLECT_DECLARE(Hit);

// Once in each test's source.
#define SYSTEM_FIXTURE_TYPES                                                                                 \
    FILO_REFLECT(Position, FILO_FIELD(float, x), FILO_FIELD(float, y))                                       \
    FILO_REFLECT(Velocity, FILO_FIELD(float, x), FILO_FIELD(float, y))                                       \
    FILO_REFLECT(Health, FILO_FIELD(int32_t, points))                                                        \
    FILO_REFLECT(Score, FILO_FIELD(int64_t, points))                                                         \
    FILO_REFLECT(Owner, FILO_FIELD(FiloEntity, entity))                                                      \
    FILO_REFLECT(Hit, FILO_FIELD(FiloEntity, target), FILO_FIELD(int32_t, damage))                           \
    FILO_TAG(Frozen)

const FiloType *filo_type_Frozen(void);

typedef struct Fixture {
    FiloJobs *jobs; // NULL without threads
    FiloEvents *events;
    FiloWorld *world;
} Fixture;

// `threads` 0: without a scheduler, and so without events.
__attribute__((unused)) static Fixture fixture_open(int threads) {
    Fixture fixture = { 0 };
    if (threads > 0) {
        assert_ok(filo_jobs_create(&fixture.jobs, &(FiloJobsDesc){ .threads = threads }));
        assert_ok(filo_events_create(&fixture.events, &(FiloEventsDesc){ .jobs = fixture.jobs }));
    }
    assert_ok(filo_world_create(
        &fixture.world, &(FiloWorldDesc){ .jobs = fixture.jobs, .events = fixture.events, .seed = 7 }));
    filo_component(fixture.world, Position);
    filo_component(fixture.world, Velocity);
    filo_component(fixture.world, Health, .storage = FILO_STORAGE_SPARSE);
    filo_component(fixture.world, Score, .storage = FILO_STORAGE_GLOBAL);
    filo_component(fixture.world, Owner);
    filo_component(fixture.world, Frozen);
    return fixture;
}

__attribute__((unused)) static void fixture_close(Fixture *fixture) {
    filo_world_destroy(fixture->world);
    if (fixture->jobs == NULL) return;
    filo_events_destroy(fixture->events);
    filo_jobs_destroy(fixture->jobs, FILO_JOBS_FINISH);
}

__attribute__((unused)) static void tick(Fixture *fixture) {
    assert_ok(filo_world_tick(fixture->world, 0.5f));
}

// Words that systems leave behind, one after the other. Not for systems that run at once.
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

// A system's function: adds the system's name to the log in it->user.
__attribute__((unused)) static void log_name(FiloIter *it) {
    log_add(it->user, "%s ", ecs_iter(it)->system->name);
}

__attribute__((unused)) static void do_nothing(FiloIter *it) { (void)it; }

// Adds a system that logs its name. After the name, further fields of the description: .after = { "a" }.
#define add_logging(fixture, log, ...)                                                                       \
    filo_system_add((fixture)->world,                                                                        \
                    &(FiloSystemDesc){ .run = log_name, .user = (log), .name = __VA_ARGS__ })

// Entities with a position (their number, 0) and a velocity (1, 2).
__attribute__((unused)) static void create_movers(Fixture *fixture, size_t count) {
    for (size_t i = 0; i < count; i++)
        assert_int_not_equal(
            filo_create(fixture->world, FILO_SET(Position, (float)i, 0), FILO_SET(Velocity, 1, 2)).id, 0);
}

#endif
