// The spatial index on many threads and in the schedule.

#include "spatial/scene.h"

#include <filo/log.h>

static const int thread_counts[] = { 1, 2, 4, 8, 16 };

// ---- The same on any number of threads --------------------------------------------------------------------

FILO_TEST(an_index_is_the_same_on_any_number_of_threads) {
    for (size_t k = 0; k < FILO_COUNT_OF(spreads); k++) {
        uint64_t expected = 0;
        for (size_t i = 0; i < FILO_COUNT_OF(thread_counts); i++) {
            Scene scene = scene_begin(thread_counts[i], 0.5f, k % 2 == 0);
            scene_fill(&scene, spreads[k].spread, 16500, k);
            uint64_t first = items_hash(scene.spatial);
            assert_true(filo_spatial_rebuild(scene.spatial)); // reuses the grid
            assert_int_equal(items_hash(scene.spatial), first);
            if (i == 0) expected = first;
            if (first != expected) fail_msg("%s: different on %d threads", spreads[k].name, thread_counts[i]);
            scene_end(&scene);
        }
    }
}

// The matches have gaps between them, so the query tests each row.
FILO_TEST(an_index_of_scattered_matches_is_the_same_on_any_number_of_threads) {
    uint64_t expected = 0;
    for (size_t i = 0; i < FILO_COUNT_OF(thread_counts); i++) {
        FiloJobs *jobs;
        FiloWorld *world;
        FiloSpatial *spatial;
        assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = thread_counts[i] }));
        assert_ok(filo_world_create(&world, &(FiloWorldDesc){ .jobs = jobs }));
        filo_component(world, Position);
        filo_component(world, Size, .storage = FILO_STORAGE_SPARSE);
        FiloSpatialDesc desc = { .position = FILO_SPATIAL(Position), .cell_size = 1 };
        desc.query.terms[0] = (FiloTerm)FILO_READ(Size);
        desc.radius = (FiloSpatialField)FILO_SPATIAL_FIELD(Size, "radius");
        assert_ok(filo_spatial_create(&spatial, world, &desc));
        uint64_t seed = 4;
        for (size_t n = 0; n < 40000; n++) {
            FiloVec2 at = everywhere(&seed, n);
            FiloEntity entity = filo_create(world, FILO_SET(Position, at.x, at.y));
            if (test_random(&seed) % 3 != 0) filo_set(world, entity, Size, unit(&seed), 0);
        }
        for (int n = 0; n < 2; n++) assert_true(filo_spatial_rebuild(spatial));
        const FiloSpatialItems *items = filo_spatial_items(spatial);
        FiloQuery *query = filo_query(world, FILO_READ(Size), FILO_READ(Position));
        assert_int_equal(items->count, filo_query_count(query));
        filo_query_release(query);
        uint8_t *seen = calloc(items->count, 1);
        for (size_t n = 0; n < items->count; n++) assert_int_equal(seen[items->rows[n]]++, 0);
        free(seen);
        if (i == 0) expected = items_hash(spatial);
        assert_int_equal(items_hash(spatial), expected);
        filo_spatial_destroy(spatial);
        filo_world_destroy(world);
        filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    }
}

FILO_TEST(an_index_does_not_depend_on_its_earlier_content) {
    Scene old = scene_begin(2, 1, false), created = scene_begin(0, 1, false);
    FiloEntity entities[2][1000];
    for (size_t i = 0; i < 1000; i++) {
        entities[0][i] = scene_add(&old, 0, 0);
        entities[1][i] = scene_add(&created, 0, 0);
    }
    uint64_t seed = 8;
    for (size_t step = 0; step < 60; step++) { // smaller, larger, elsewhere, folded and not
        Spread spread = spreads[test_random(&seed) % FILO_COUNT_OF(spreads)].spread;
        float scale = unit(&seed) * 3;
        for (size_t i = 0; i < 1000; i++) {
            FiloVec2 at = filo_vec2_scale(spread(&seed, i), scale);
            filo_set(old.world, entities[0][i], Position, at.x, at.y);
            filo_set(created.world, entities[1][i], Position, at.x, at.y);
        }
        FiloSpatial *spatial;
        assert_ok(
            filo_spatial_create(&spatial, created.world,
                                &(FiloSpatialDesc){ .position = FILO_SPATIAL(Position), .cell_size = 1 }));
        assert_true(filo_spatial_rebuild(old.spatial) && filo_spatial_rebuild(spatial));
        assert_int_equal(items_hash(old.spatial), items_hash(spatial));
        assert_int_equal(filo_spatial_stats(old.spatial).folded, filo_spatial_stats(spatial).folded);
        filo_spatial_destroy(spatial);
    }
    scene_end(&old);
    scene_end(&created);
}

// The grid of many entities has too many slots for few.
FILO_TEST(an_index_folds_when_most_entities_are_destroyed) {
    Scene scene = scene_begin(0, 1, false);
    FiloEntity entities[3000];
    for (size_t i = 0; i < 3000; i++) entities[i] = scene_add(&scene, (float)(i % 100), (float)(i * 7 % 120));
    assert_true(filo_spatial_rebuild(scene.spatial));
    assert_false(filo_spatial_stats(scene.spatial).folded);
    filo_entity_destroy_many(scene.world, entities, 2900); // leaves one row
    for (size_t i = 0; i < 20; i++)
        filo_set(scene.world, entities[2900 + i], Position, (float)(i * 5), (float)(i * 6));
    FiloSpatial *created;
    assert_ok(filo_spatial_create(&created, scene.world,
                                  &(FiloSpatialDesc){ .position = FILO_SPATIAL(Position), .cell_size = 1 }));
    assert_true(filo_spatial_rebuild(scene.spatial) && filo_spatial_rebuild(created));
    assert_true(filo_spatial_stats(created).folded);
    assert_true(filo_spatial_stats(scene.spatial).folded);
    assert_int_equal(items_hash(scene.spatial), items_hash(created));
    filo_spatial_destroy(created);
    scene_end(&scene);
}

typedef struct Neighbours {
    const FiloSpatial *spatial;
    uint32_t *counts;
} Neighbours;

static void count_neighbours(size_t begin, size_t end, void *user) {
    const Neighbours *neighbours = user;
    const FiloSpatialItems *items = filo_spatial_items(neighbours->spatial);
    for (size_t i = begin; i < end; i++) {
        FiloVec2 at = filo_vec2(items->x[i], items->y[i]);
        FiloSpatialSearch search = filo_spatial_circle(neighbours->spatial, at, 1, items->entities[i]);
        FiloSpatialHit nearest;
        uint32_t count = (uint32_t)filo_spatial_count(search);
        if (filo_spatial_nearest(neighbours->spatial, at, 1, items->entities[i], &nearest, 1) != (count > 0))
            count = UINT32_MAX;
        neighbours->counts[i] = count;
    }
}

FILO_TEST(many_threads_search_concurrently) {
    Scene scene = scene_begin(8, 1, false);
    scene_fill(&scene, everywhere, 4000, 1);
    static uint32_t counts[2][4000];
    Neighbours neighbours = { scene.spatial, counts[0] };
    count_neighbours(0, 4000, &neighbours);
    neighbours.counts = counts[1];
    filo_jobs_for_each(scene.jobs, 4000, count_neighbours, &neighbours);
    assert_memory_equal(counts[0], counts[1], sizeof counts[0]);
    scene_end(&scene);
}

// ---- In the schedule --------------------------------------------------------------------------------------

typedef struct Crowd {
    uint32_t near;
    float x, y; // sum of the offsets to them
} Crowd;
FILO_REFLECT(Crowd, FILO_FIELD(uint32_t, near), FILO_FIELD(float, x), FILO_FIELD(float, y))

static void search_near(FiloIter *it) {
    const Position *position = filo_read(it, Position);
    Crowd *crowd = filo_write(it, Crowd);
    for (size_t i = 0; i < it->count; i++) {
        const Position *p = &position[i];
        Crowd *c = &crowd[i];
        FiloSpatialSearch search =
            filo_spatial_circle(it->user, filo_vec2(p->x, p->y), 1.5f, filo_iter_entity(it, i));
        *c = (Crowd){ 0 };
        while (filo_spatial_next(&search)) {
            c->near++;
            c->x += search.hit.position.x - p->x; // a float sum: depends on the order
            c->y += search.hit.position.y - p->y;
        }
    }
}

static void count_all(FiloIter *it) {
    filo_spatial_count(filo_spatial_circle(it->user, filo_vec2(0, 0), INFINITY, FILO_ENTITY_NONE));
}

static void flee(FiloIter *it) {
    Position *position = filo_write(it, Position);
    const Crowd *crowd = filo_read(it, Crowd);
    for (size_t i = 0; i < it->count; i++) {
        Position *p = &position[i];
        const Crowd *c = &crowd[i];
        p->x -= c->x * it->delta;
        p->y -= c->y * it->delta;
    }
}

static void add_systems(Scene *scene) {
    filo_component(scene->world, Crowd);
    assert_true(filo_spatial_system_add(scene->spatial, NULL).id != 0);
    assert_true(filo_system_add(scene->world,
                                &(FiloSystemDesc){ .name = "search",
                                                   .run = search_near,
                                                   .parallel = true,
                                                   .user = scene->spatial,
                                                   .query.terms = { FILO_READ(Position), FILO_WRITE(Crowd) },
                                                   .extra_access = { FILO_SPATIAL_READ(scene->spatial) } })
                    .id != 0);
    assert_true(filo_system_add(scene->world,
                                &(FiloSystemDesc){ .name = "count",
                                                   .run = count_all,
                                                   .once = true,
                                                   .user = scene->spatial,
                                                   .extra_access = { FILO_SPATIAL_READ(scene->spatial) } })
                    .id != 0);
    assert_true(filo_system_add(scene->world, &(FiloSystemDesc){ .name = "flee",
                                                                 .run = flee,
                                                                 .parallel = true,
                                                                 .query.terms = { FILO_WRITE(Position),
                                                                                  FILO_READ(Crowd) } })
                    .id != 0);
}

FILO_TEST(searching_systems_run_concurrently_after_the_rebuild) {
    Scene scene = scene_begin(2, 1, false);
    add_systems(&scene);
    assert_ok(filo_world_tick(scene.world, 0.1f));
    FiloSystemId rebuild = filo_system_named(scene.world, "spatial.scene");
    uint32_t stage = filo_system_stats(scene.world, rebuild).stage;
    uint32_t search_stage = filo_system_stats(scene.world, filo_system_named(scene.world, "search")).stage;
    uint32_t count_stage = filo_system_stats(scene.world, filo_system_named(scene.world, "count")).stage;
    uint32_t flee_stage = filo_system_stats(scene.world, filo_system_named(scene.world, "flee")).stage;
    assert_true(stage < search_stage);
    assert_int_equal(search_stage, count_stage);
    assert_true(search_stage < flee_stage);
    scene_end(&scene);
}

FILO_TEST(a_world_that_searches_is_the_same_on_any_number_of_threads) {
    uint64_t expected = 0;
    for (size_t k = 0; k < FILO_COUNT_OF(thread_counts); k++) {
        Scene scene = scene_begin(thread_counts[k], 1.5f, false);
        add_systems(&scene);
        uint64_t seed = 6;
        for (size_t i = 0; i < 3000; i++) {
            FiloVec2 at = everywhere(&seed, i);
            filo_create(scene.world, FILO_SET(Position, at.x, at.y), FILO_SET(Crowd, 0));
        }
        for (int i = 0; i < 20; i++) assert_ok(filo_world_tick(scene.world, 0.05f));
        assert_int_equal(filo_get_global(scene.world, FiloSpatialStamp)->rebuilds, 20);
        Points points = scene_points(&scene);
        uint64_t hash = filo_hash(&points.items[0], 0);
        for (size_t i = 0; i < points.count; i++)
            hash = filo_hash_combine(hash, filo_hash(&points.items[i].at, sizeof points.items[i].at));
        free(points.items);
        if (k == 0) expected = hash;
        assert_int_equal(hash, expected);
        scene_end(&scene);
    }
}

FILO_TEST(an_undeclared_search_is_reported) {
    only_in_debug_builds();
    Scene scene = scene_begin(0, 1, false);
    scene_fill(&scene, everywhere, 10, 1);
    filo_system_add(
        scene.world,
        &(FiloSystemDesc){ .name = "sneaky", .run = count_all, .once = true, .user = scene.spatial });
    expect_fault("system \"sneaky\" reads FiloSpatialStamp", assert_ok(filo_world_tick(scene.world, 0.1f)));
    scene_end(&scene);
}

static void rebuild_it(FiloIter *it) { filo_spatial_rebuild(it->user); }

FILO_TEST(an_undeclared_rebuild_is_reported) {
    only_in_debug_builds();
    Scene scene = scene_begin(0, 1, false);
    filo_system_add(scene.world, &(FiloSystemDesc){ .name = "sneaky",
                                                    .run = rebuild_it,
                                                    .once = true,
                                                    .user = scene.spatial,
                                                    .extra_access = { FILO_SPATIAL_READ(scene.spatial) } });
    expect_fault("system \"sneaky\" writes FiloSpatialStamp", assert_ok(filo_world_tick(scene.world, 0.1f)));
    assert_int_equal(filo_spatial_stats(scene.spatial).rebuilds, 0);
    scene_end(&scene);
}

FILO_TEST(a_user_system_may_rebuild) {
    Scene scene = scene_begin(2, 1, false);
    filo_system_add(scene.world, &(FiloSystemDesc){ .name = "mine",
                                                    .run = rebuild_it,
                                                    .once = true,
                                                    .user = scene.spatial,
                                                    .query.terms = { FILO_READ(Position) },
                                                    .extra_access = { FILO_SPATIAL_WRITE(scene.spatial) } });
    scene_add(&scene, 1, 1);
    assert_ok(filo_world_tick(scene.world, 0.1f));
    assert_int_equal(filo_spatial_stats(scene.spatial).items, 1);
    scene_end(&scene);
}

typedef struct OtherStamp {
    uint32_t unused;
} OtherStamp;
FILO_REFLECT(OtherStamp, FILO_FIELD(uint32_t, unused))

FILO_TEST(an_index_with_its_own_stamp_does_not_conflict_with_others) {
    Scene scene = scene_begin(2, 1, false);
    FiloSpatial *other;
    FiloSpatialDesc desc = {
        .name = "other", .position = FILO_SPATIAL(Position), .cell_size = 3, .stamp = filo_type_OtherStamp
    };
    assert_ok(filo_spatial_create(&other, scene.world, &desc));
    assert_int_not_equal(filo_spatial_stamp(other).id, filo_spatial_stamp(scene.spatial).id);
    FiloSystemId first = filo_spatial_system_add(scene.spatial, NULL);
    FiloSystemId second = filo_spatial_system_add(other, &(FiloSystemDesc){ .name = "second" });
    scene_add(&scene, 1, 1);
    assert_ok(filo_world_tick(scene.world, 0.1f));
    assert_string_equal(filo_system_name(scene.world, second), "second");
    assert_int_equal(filo_system_stats(scene.world, first).stage,
                     filo_system_stats(scene.world, second).stage);
    assert_int_equal(filo_spatial_stats(other).items, 1);
    filo_spatial_destroy(other); // removes its system too
    assert_int_equal(filo_system_named(scene.world, "second").id, 0);
    assert_ok(filo_world_tick(scene.world, 0.1f));
    scene_end(&scene);
}

FILO_TEST(an_index_has_at_most_one_system) {
    only_in_debug_builds();
    Scene scene = scene_begin(0, 1, false);
    assert_true(filo_spatial_system_add(scene.spatial, NULL).id != 0);
    expect_fault("scene has its system already",
                 assert_int_equal(filo_spatial_system_add(scene.spatial, NULL).id, 0));
    scene_end(&scene);
}
