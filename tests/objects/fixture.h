// Shared by the tests of objects: a world, some kinds, and events to them.

#ifndef FILO_TEST_OBJECTS_FIXTURE_H
#define FILO_TEST_OBJECTS_FIXTURE_H

#include "support/test.h"

#include <filo/maths.h>
#include <filo/objects.h>
#include <filo/snapshot.h>

#include "ecs/schedule_access.h"

typedef struct Fixture {
    FiloJobs *jobs; // NULL without threads
    FiloEvents *events;
    FiloWorld *world;
} Fixture;

// `threads` 0: without a scheduler, and so without events. Otherwise rows are divided into the smallest parts.
static inline Fixture fixture_open(int threads) {
    Fixture fixture = { 0 };
    if (threads > 0) {
        assert_ok(filo_jobs_create(&fixture.jobs, &(FiloJobsDesc){ .threads = threads }));
        assert_ok(filo_events_create(&fixture.events, &(FiloEventsDesc){ .jobs = fixture.jobs }));
    }
    assert_ok(filo_world_create(
        &fixture.world, &(FiloWorldDesc){ .jobs = fixture.jobs, .events = fixture.events, .seed = 7 }));
    if (threads > 0) divide_eagerly(fixture.world, true);
    return fixture;
}

static inline void fixture_close(Fixture *fixture) {
    filo_world_destroy(fixture->world);
    if (fixture->jobs == NULL) return;
    filo_events_destroy(fixture->events);
    filo_jobs_destroy(fixture->jobs, FILO_JOBS_FINISH);
}

static inline void tick(Fixture *fixture) { assert_ok(filo_world_tick(fixture->world, 0.5f)); }

static inline FiloObjectKind add_kind(FiloWorld *world, const FiloObjectDesc *desc) {
    FiloObjectKind kind;
    assert_ok(filo_object_kind_add(&kind, world, desc));
    assert_int_not_equal(kind.id, 0);
    return kind;
}

// Expects that a kind is refused, with a message that contains a text.
static inline void refuse_kind(FiloWorld *world, const FiloObjectDesc *desc, const char *text) {
    FiloObjectKind kind = { 1 };
    FiloResult r = filo_object_kind_add(&kind, world, desc);
    assert_int_not_equal(r.code, FILO_OK);
    assert_int_equal(kind.id, 0);
    assert_contains(r.message, text);
}

// ---- Balls -----------------------------------------------------------------------------------------------

typedef struct Ball {
    float height, speed;
    int32_t kicks;
} Ball;
FILO_REFLECT(Ball, FILO_FIELD(float, height), FILO_FIELD(float, speed), FILO_FIELD(int32_t, kicks))
typedef struct Shown {
    float height;
} Shown;
FILO_REFLECT(Shown, FILO_FIELD(float, height))
typedef struct Kick {
    float speed;
} Kick;
FILO_REFLECT(Kick, FILO_FIELD(float, speed))

static inline void step_ball(FiloIter *it) {
    const Ball *past = filo_read(it, Ball);
    Ball *next = filo_write_next(it, Ball);
    Shown *shown = filo_write(it, Shown);
    for (size_t i = 0; i < it->count; i++) {
        next[i] = past[i];
        size_t kicks;
        const Kick *kick = filo_object_events(it, i, Kick, &kicks);
        for (size_t k = 0; k < kicks; k++) next[i].speed += kick[k].speed;
        next[i].kicks += (int32_t)kicks;
        next[i].height += next[i].speed * it->delta;
        shown[i].height = next[i].height;
        if (next[i].height < -100) filo_object_kill(it, i);
    }
}

static inline FiloObjectDesc ball_desc(void) {
    return (FiloObjectDesc){ .name = "ball",
                             .state = FILO_STATE_OF(Ball),
                             .step = step_ball,
                             .shows = { FILO_WRITE(Shown) },
                             .events = { FILO_TAKES(Kick, 4) } };
}

static inline void add_balls(FiloWorld *world) {
    filo_component(world, Shown);
    FiloObjectDesc desc = ball_desc();
    (void)add_kind(world, &desc);
}

#endif
