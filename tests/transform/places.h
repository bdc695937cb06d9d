// What the tests of transforms share: a world, and questions about it.

#ifndef FILO_TEST_TRANSFORM_PLACES_H
#define FILO_TEST_TRANSFORM_PLACES_H

#include <filo/snapshot.h>
#include <filo/system.h>
#include <filo/transform.h>

#include "support/test.h"

typedef struct Places {
    FiloJobs *jobs; // NULL without threads
    FiloWorld *world;
} Places;

// `threads` 0: without a scheduler.
__attribute__((unused)) static Places places_open(int threads) {
    Places places = { 0 };
    if (threads > 0) assert_ok(filo_jobs_create(&places.jobs, &(FiloJobsDesc){ .threads = threads }));
    assert_ok(filo_world_create(&places.world, &(FiloWorldDesc){ .jobs = places.jobs, .seed = 5 }));
    assert_true(filo_transform_register(places.world));
    return places;
}

__attribute__((unused)) static void places_close(Places *places) {
    filo_world_destroy(places->world);
    if (places->jobs != NULL) filo_jobs_destroy(places->jobs, FILO_JOBS_FINISH);
}

__attribute__((unused)) static void tick(const Places *places) {
    assert_ok(filo_world_tick(places->world, 0.1f));
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

__attribute__((unused)) static FiloEntity at(const Places *places, float x, float y) {
    return filo_create(places->world, FILO_SET(FiloTransform2, .position = { x, y }));
}

__attribute__((unused)) static FiloEntity below(const Places *places, FiloEntity parent, float x, float y) {
    FiloEntity entity = at(places, x, y);
    assert_true(filo_entity_set_parent(places->world, entity, parent));
    return entity;
}

// Where an entity is, now and a tick before, as its world transform says.
__attribute__((unused)) static void assert_placed(const Places *places, FiloEntity entity, float x, float y,
                                                  float previous_x, float previous_y) {
    const FiloWorldTransform2 *world = filo_get(places->world, entity, FiloWorldTransform2);
    assert_non_null(world);
    assert_true(world->valid);
    assert_at(world->now.origin, x, y);
    assert_at(world->previous.origin, previous_x, previous_y);
}

// Rows in which a component counts as changed since `query` was last gone over; it has one term, with `changed`.
__attribute__((unused)) static size_t rows_changed(FiloQuery *query) {
    size_t rows = 0;
    FiloIter it = filo_query_iter(query);
    while (filo_iter_next(&it)) rows += it.count;
    return rows;
}

#endif
