// Shared by the tests of systems: a world with some components, and a log.

#ifndef FILO_TEST_ECS_SYSTEM_FIXTURE_H
#define FILO_TEST_ECS_SYSTEM_FIXTURE_H

#include <filo/system.h>

#include "ecs/log.h"
#include "ecs/world_types.h"

typedef struct Hit { // an event
    FiloEntity target;
    int32_t damage;
} Hit;
FILO_REFLECT(Hit, FILO_FIELD(FiloEntity, target), FILO_FIELD(int32_t, damage))

typedef struct Fixture {
    FiloJobs *jobs; // NULL without threads
    FiloEvents *events;
    FiloWorld *world;
} Fixture;

// `threads` 0: without a scheduler, and so without events.
static inline Fixture fixture_open(int threads) {
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
    filo_component(fixture.world, Target);
    filo_component(fixture.world, Frozen);
    return fixture;
}

static inline void fixture_close(Fixture *fixture) {
    filo_world_destroy(fixture->world);
    if (fixture->jobs == NULL) return;
    filo_events_destroy(fixture->events);
    filo_jobs_destroy(fixture->jobs, FILO_JOBS_FINISH);
}

static inline void tick(Fixture *fixture) { assert_ok(filo_world_tick(fixture->world, 0.5f)); }

// Functions of systems.
static inline void do_nothing(FiloIter *it) { FILO_UNUSED(it); }
static inline void count_rows(FiloIter *it) { *(size_t *)it->user += it->count; }
static inline void move_by_velocity(FiloIter *it) {
    Position *position = filo_write(it, Position);
    const Velocity *velocity = filo_read(it, Velocity);
    for (size_t i = 0; i < it->count; i++) {
        position[i].x += velocity[i].x * it->delta;
        position[i].y += velocity[i].y * it->delta;
    }
}

// Entities with a position (their number, 0) and a velocity (1, 2).
static inline void create_movers(Fixture *fixture, size_t count) {
    for (size_t i = 0; i < count; i++)
        assert_int_not_equal(
            filo_create(fixture->world, FILO_SET(Position, (float)i, 0), FILO_SET(Velocity, 1, 2)).id, 0);
}

#endif
