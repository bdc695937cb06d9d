// Shared by the tests of transforms: a world, and assertions about it.

#ifndef FILO_TEST_TRANSFORM_FIXTURE_H
#define FILO_TEST_TRANSFORM_FIXTURE_H

#include <filo/snapshot.h>
#include <filo/system.h>
#include <filo/transform.h>

#include "support/test.h"

typedef struct Fixture {
    FiloJobs *jobs; // NULL without threads
    FiloWorld *world;
} Fixture;

// `threads` 0: without a scheduler.
__attribute__((unused)) static Fixture fixture_open(int threads) {
    Fixture fixture = { 0 };
    if (threads > 0) assert_ok(filo_jobs_create(&fixture.jobs, &(FiloJobsDesc){ .threads = threads }));
    assert_ok(filo_world_create(&fixture.world, &(FiloWorldDesc){ .jobs = fixture.jobs, .seed = 5 }));
    assert_true(filo_transform_register(fixture.world));
    return fixture;
}

__attribute__((unused)) static void fixture_close(Fixture *fixture) {
    filo_world_destroy(fixture->world);
    if (fixture->jobs != NULL) filo_jobs_destroy(fixture->jobs, FILO_JOBS_FINISH);
}

__attribute__((unused)) static void tick(const Fixture *fixture) {
    assert_ok(filo_world_tick(fixture->world, 0.1f));
}

#define assert_near(a, b) assert_float_equal((double)(a), (double)(b), 1e-4)

__attribute__((unused)) static void assert_at(FiloVec2 found, float x, float y) {
    assert_near(found.x, x);
    assert_near(found.y, y);
}

__attribute__((unused)) static void assert_at3(FiloVec3 found, float x, float y, float z) {
    assert_near(found.x, x);
    assert_near(found.y, y);
    assert_near(found.z, z);
}

__attribute__((unused)) static FiloEntity create_at(const Fixture *fixture, float x, float y) {
    return filo_create(fixture->world, FILO_SET(FiloTransform2, .position = { x, y }));
}

__attribute__((unused)) static FiloEntity create_child(const Fixture *fixture, FiloEntity parent, float x,
                                                       float y) {
    FiloEntity entity = create_at(fixture, x, y);
    assert_true(filo_entity_set_parent(fixture->world, entity, parent));
    return entity;
}

// The system "move" moves entities with this tag by (1, 2) a tick.
FILO_TAG(Moving)

__attribute__((unused)) static void move(FiloIter *it) {
    FiloColumn transforms = filo_iter_column(it, 0);
    for (size_t i = 0; i < it->count; i++) {
        FiloTransform2 *transform = FILO_AT(transforms, i, FiloTransform2);
        transform->position = filo_vec2_add(transform->position, filo_vec2(1, 2));
    }
}

__attribute__((unused)) static void add_move(const Fixture *fixture) {
    filo_component(fixture->world, Moving);
    FiloSystemDesc desc = { .name = "move",
                            .run = move,
                            .parallel = true,
                            .query.terms = { FILO_WRITE(FiloTransform2), FILO_WITH(Moving) } };
    assert_int_not_equal(filo_system_add(fixture->world, &desc).id, 0);
}

__attribute__((unused)) static const FiloPreviousTransform2 *previous_of(const Fixture *fixture,
                                                                         FiloEntity entity) {
    return filo_get(fixture->world, entity, FiloPreviousTransform2);
}

// Compares the positions of a world transform, now and a tick before.
__attribute__((unused)) static void assert_world_transform(const Fixture *fixture, FiloEntity entity, float x,
                                                           float y, float previous_x, float previous_y) {
    const FiloWorldTransform2 *world = filo_get(fixture->world, entity, FiloWorldTransform2);
    assert_non_null(world);
    assert_true(world->valid);
    assert_at(world->now.origin, x, y);
    assert_at(world->previous.origin, previous_x, previous_y);
}

// The number of rows that have changed since the last iteration over `query`, which has one term, with `changed`.
__attribute__((unused)) static size_t rows_changed(FiloQuery *query) {
    size_t rows = 0;
    FiloIter it = filo_query_iter(query);
    while (filo_iter_next(&it)) rows += it.count;
    return rows;
}

#endif
