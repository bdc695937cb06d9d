// Shared by the tests of double-buffered components: spheres whose next state depends on the present state of others.

#ifndef FILO_TEST_ECS_DOUBLE_BUFFER_FIXTURE_H
#define FILO_TEST_ECS_DOUBLE_BUFFER_FIXTURE_H

#include "ecs/schedule_access.h"
#include "ecs/system_fixture.h"

#include <filo/accessor.h>
#include <filo/lookup.h>

typedef struct Sphere {
    float x, speed;
    FiloEntity other;
} Sphere;
typedef struct Heat { // of 4 bytes
    float degrees;
} Heat;
typedef struct Mass { // in tables, for a second table
    float kilograms;
} Mass;
FILO_REFLECT(Sphere, FILO_FIELD(float, x), FILO_FIELD(float, speed), FILO_FIELD(FiloEntity, other))
FILO_REFLECT(Heat, FILO_FIELD(float, degrees))
FILO_REFLECT(Mass, FILO_FIELD(float, kilograms))

static inline void register_spheres(FiloWorld *world) {
    filo_component(world, Sphere, .double_buffered = true);
    filo_component(world, Heat, .double_buffered = true);
    filo_component(world, Mass);
}

static inline Fixture spheres_open(int threads) {
    Fixture fixture = fixture_open(threads);
    register_spheres(fixture.world);
    if (threads > 0) divide_eagerly(fixture.world, true);
    return fixture;
}

// Counts up.
static inline void step(FiloIter *it) {
    const Sphere *now = filo_read(it, Sphere);
    Sphere *next = filo_write_next(it, Sphere);
    for (size_t i = 0; i < it->count; i++) {
        next[i] = now[i];
        next[i].x = now[i].x + 1;
    }
}

static inline FiloSystemId add_step(FiloWorld *world) {
    FiloSystemId id = filo_system_add(
        world, &(FiloSystemDesc){ .name = "step",
                                  .run = step,
                                  .parallel = true,
                                  .query.terms = { FILO_READ(Sphere), FILO_WRITE_NEXT(Sphere) } });
    assert_int_not_equal(id.id, 0);
    return id;
}

static inline float x_of(const FiloWorld *world, FiloEntity entity) {
    return filo_get(world, entity, Sphere)->x;
}

// ---- Spheres that look at each other ------------------------------------------------------------------------

#define SPHERES 300

typedef struct Watcher {
    FiloAccessor accessor;
    uint32_t differences; // between ways to read the present value; atomic by builtins
} Watcher;

static inline void bounce(FiloIter *it) {
    Watcher *watcher = it->user;
    const Sphere *now = filo_read(it, Sphere);
    Sphere *next = filo_write_next(it, Sphere);
    float sum = 0;
    size_t count = 0;
    FiloIter all = filo_iter_over(it, filo_iter_extra_query(it, 0));
    while (filo_iter_next(&all)) {
        const Sphere *other = filo_read(&all, Sphere);
        for (size_t i = 0; i < all.count; i++) sum += other[i].x;
        count += all.count;
    }
    float part_sum = 0;
    FiloQuery *query = filo_iter_extra_query(it, 0);
    FiloIter part = filo_query_iter_part(query, 0, filo_query_rows(query));
    while (filo_iter_next(&part))
        for (size_t i = 0; i < part.count; i++) part_sum += filo_read(&part, Sphere)[i].x;
    bool same = part_sum == sum;
    FiloLookup others = filo_follow(it, Sphere, other, Sphere);
    for (size_t i = 0; i < it->count; i++) {
        const Sphere *other = filo_get(it->world, now[i].other, Sphere);
        same = same && other == filo_lookup_next(&others) &&
               other == filo_access(&watcher->accessor, now[i].other, Sphere);
        float pull = other != NULL ? (other->x - now[i].x) * 0.25f : 0;
        next[i].other = now[i].other;
        next[i].speed = now[i].speed * 0.99f + pull;
        next[i].x = now[i].x + next[i].speed * it->delta + sum / (float)count * 0.01f;
    }
    if (!same) __atomic_fetch_add(&watcher->differences, 1, __ATOMIC_RELAXED);
}

// Moves some to another table, destroys some, creates some.
static inline void disturb(FiloIter *it) {
    const Sphere *now = filo_read(it, Sphere);
    for (size_t i = 0; i < it->count; i++) {
        FiloEntity entity = filo_iter_entity(it, i);
        FiloRandom random = filo_iter_random(it, i);
        int roll = filo_random_range(&random, 0, 39);
        if (roll == 0) filo_set(it->changes, entity, Mass, 1);
        if (roll == 1) filo_remove(it->changes, entity, Mass);
        if (roll == 2) filo_create(it->changes, FILO_SET(Sphere, now[i].x + 1, 0, entity));
        if (roll == 3) filo_destroy(it->changes, entity);
        if (roll == 4) filo_set(it->changes, entity, Sphere, now[i].x - 1, 0, now[i].other);
    }
}

static inline void add_bounce(Fixture *fixture, Watcher *watcher) {
    *watcher = (Watcher){ .accessor = filo_accessor(fixture->world, Sphere) };
    const FiloSystemDesc systems[] = {
        { .name = "disturb", .run = disturb, .parallel = true, .query.terms = { FILO_READ(Sphere) } },
        { .name = "bounce",
          .run = bounce,
          .parallel = true,
          .user = watcher,
          .query.terms = { FILO_READ(Sphere), FILO_WRITE_NEXT(Sphere) },
          .extra_queries[0].terms = { FILO_READ(Sphere) },
          .extra_access = { FILO_READ(Sphere) } },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(systems); i++)
        assert_int_not_equal(filo_system_add(fixture->world, &systems[i]).id, 0);
}

static inline void create_spheres(FiloWorld *world) {
    FiloEntity last = FILO_ENTITY_NONE;
    for (int i = 0; i < SPHERES; i++) {
        last = filo_create(world, FILO_SET(Sphere, (float)i, (float)(i % 7), last));
        assert_int_not_equal(last.id, 0);
        if (i % 3 == 0) filo_set(world, last, Mass, 2);
        if (i % 5 == 0) filo_set(world, last, Heat, (float)i);
        if (i % 11 == 0) filo_entity_set_active(world, last, false);
    }
}

#endif
