// The spatial index in space: its items, its fields and its memory; on many threads and in the schedule.

#include "spatial/space.h"

static const int thread_counts[] = { 1, 2, 4, 8, 16 };

// Components with a position in different fields.
typedef struct Craft {
    uint32_t kind;
    FiloVec3 at;
    double mass;
    float angle, left, bottom, near, corners[4], pair[2];
    FiloVec2 flat;
    float height;
} Craft;
FILO_REFLECT(Craft, FILO_FIELD(uint32_t, kind), FILO_FIELD(FiloVec3, at), FILO_FIELD(double, mass),
             FILO_FIELD(float, angle), FILO_FIELD(float, left), FILO_FIELD(float, bottom),
             FILO_FIELD(float, near), FILO_FIELD(float, corners), FILO_FIELD(float, pair),
             FILO_FIELD(FiloVec2, flat), FILO_FIELD(float, height))

typedef struct Fleet {
    Craft craft;
} Fleet;
FILO_REFLECT(Fleet, FILO_FIELD(Craft, craft))

typedef struct Raised {
    FiloVec2 at;
    float height;
} Raised;
FILO_REFLECT(Raised, FILO_FIELD(FiloVec2, at), FILO_FIELD(float, height))

static size_t count_all(const FiloSpatial *spatial) {
    return filo_spatial_count(filo_spatial_sphere(spatial, filo_vec3(0, 0, 0), INFINITY, FILO_ENTITY_NONE));
}

// ---- Items ------------------------------------------------------------------------------------------------

FILO_TEST(items_in_space_are_all_positions_with_their_values) {
    for (size_t k = 0; k < SPACE_SPREADS; k++) {
        Scene scene = space_begin(0, 1, true);
        space_fill(&scene, k, 900, 4);
        SpacePoints points = space_points(&scene);
        const FiloSpatialItems *items = filo_spatial_items(scene.spatial);
        FiloSpatialStats stats = filo_spatial_stats(scene.spatial);
        size_t somewhere = 0;
        for (size_t i = 0; i < points.count; i++) somewhere += is_in_space(points.items[i].at);
        assert_int_equal(items->count, somewhere);
        assert_int_equal(stats.items, somewhere);
        assert_int_equal(stats.nowhere, points.count - somewhere);
        uint8_t *seen = calloc(points.count + 1, 1);
        for (size_t i = 0; i < items->count; i++) {
            const SpacePoint *point = &points.items[items->rows[i]];
            assert_int_equal(seen[items->rows[i]]++, 0);
            assert_int_equal(items->entities[i].id, point->entity.id);
            assert_true(items->x[i] == point->at.x && items->y[i] == point->at.y &&
                        items->z[i] == point->at.z);
            assert_true(items->radii[i] == point->radius && items->values[1][i] == point->weight);
        }
        free(seen);
        free(points.items);
        scene_end(&scene);
    }
}

FILO_TEST(items_of_the_plane_have_no_z_and_its_hits_have_zero) {
    Scene scene = scene_begin(0, 1, false);
    scene_fill(&scene, everywhere, 10, 4);
    assert_null(filo_spatial_items(scene.spatial)->z);
    assert_int_equal(filo_spatial_stats(scene.spatial).depth, 1);
    FiloSpatialHit hit;
    memset(&hit, 0xAB, sizeof hit);
    const FiloVec2 zero = { 0, 0 };
    assert_int_equal(filo_spatial_nearest(scene.spatial, zero, INFINITY, FILO_ENTITY_NONE, &hit, 1), 1);
    assert_true(hit.position3.z == 0);
    FiloSpatialSearch search = filo_spatial_circle(scene.spatial, zero, INFINITY, FILO_ENTITY_NONE);
    memset(&search.hit, 0xAB, sizeof search.hit);
    assert_true(filo_spatial_next(&search));
    assert_true(search.hit.position3.z == 0);
    scene_end(&scene);
}

FILO_TEST(a_place_with_any_coordinate_that_is_not_finite_is_never_found) {
    Scene scene = space_begin(0, 1, false);
    static const float bad[] = { NAN, INFINITY, -INFINITY };
    for (size_t i = 0; i < 3; i++) {
        space_add(&scene, bad[i], 0, 0);
        space_add(&scene, 0, bad[i], 0);
        space_add(&scene, 0, 0, bad[i]);
    }
    for (int i = 0; i < 2; i++) {
        assert_true(filo_spatial_rebuild(scene.spatial));
        assert_int_equal(filo_spatial_stats(scene.spatial).nowhere, 9);
        assert_int_equal(count_all(scene.spatial), 0);
    }
    space_add(&scene, 5, 5, -5);
    for (int i = 0; i < 2; i++) { // the second time in the same grid
        assert_true(filo_spatial_rebuild(scene.spatial));
        assert_int_equal(filo_spatial_stats(scene.spatial).nowhere, 9);
        assert_int_equal(count_all(scene.spatial), 1);
        assert_false(filo_spatial_stats(scene.spatial).folded);
    }
    scene_end(&scene);
}

FILO_TEST(places_may_be_in_any_storage) {
    static const FiloStorage storages[] = { FILO_STORAGE_TABLE, FILO_STORAGE_SPARSE, FILO_STORAGE_ARRAY,
                                            FILO_STORAGE_MAP };
    uint64_t first = 0;
    for (size_t k = 0; k < FILO_COUNT_OF(storages); k++) {
        FiloWorld *world;
        assert_ok(filo_world_create(&world, NULL));
        filo_component(world, Place, .storage = storages[k]);
        filo_component(world, Size);
        FiloSpatial *spatial;
        assert_ok(filo_spatial_create(
            &spatial, world,
            &(FiloSpatialDesc){ .dimensions = 3, .position = FILO_SPATIAL(Place), .cell_size = 4 }));
        uint64_t seed = 9;
        for (size_t i = 0; i < 1000; i++) {
            FiloVec3 at = space_spread(0, &seed, i);
            filo_create(world, FILO_SET(Place, at.x, at.y, at.z), FILO_SET(Size, 1, 1));
        }
        assert_true(filo_spatial_rebuild(spatial));
        assert_int_equal(filo_spatial_items(spatial)->count, 1000);
        if (k == 0) first = space_hash(spatial);
        assert_int_equal(space_hash(spatial), first);
        filo_spatial_destroy(spatial);
        filo_world_destroy(world);
    }
}

// ---- Fields -----------------------------------------------------------------------------------------------

FILO_TEST(a_place_may_be_any_three_floats) {
    Scene scene = space_begin(0, 1, false);
    filo_component(scene.world, Craft);
    filo_component(scene.world, Fleet);
    filo_component(scene.world, Raised);
    Craft craft = { .at = { 10, 11, 12 },
                    .left = 20,
                    .bottom = 21,
                    .near = 22,
                    .corners = { 30, 31, 32, 33 },
                    .pair = { 40, 41 },
                    .flat = { 50, 51 },
                    .height = 52 };
    filo_create(scene.world, { filo_type_Craft, { 0 }, &craft }, FILO_SET(Fleet, craft),
                FILO_SET(Raised, { 60, 61 }, 62));
    const struct {
        FiloSpatialField field;
        float x, y, z;
    } cases[] = { { FILO_SPATIAL_FIELD(Craft, "at"), 10, 11, 12 },
                  { FILO_SPATIAL_FIELD(Craft, "left"), 20, 21, 22 },
                  { FILO_SPATIAL_FIELD(Craft, "bottom"), 21, 22, 30 },
                  { FILO_SPATIAL_FIELD(Craft, "corners"), 30, 31, 32 },
                  { FILO_SPATIAL_FIELD(Craft, "corners[1]"), 31, 32, 33 },
                  { FILO_SPATIAL_FIELD(Craft, "flat.x"), 50, 51, 52 },
                  { FILO_SPATIAL_FIELD(Fleet, "craft.at"), 10, 11, 12 },
                  { FILO_SPATIAL_FIELD(Fleet, "craft.left"), 20, 21, 22 },
                  { FILO_SPATIAL(Raised), 60, 61, 62 },
                  { { NULL, filo_component_of(scene.world, FILO_TYPE(Raised)), "at.x" }, 60, 61, 62 } };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        FiloSpatial *spatial;
        assert_ok(filo_spatial_create(
            &spatial, scene.world,
            &(FiloSpatialDesc){ .dimensions = 3, .position = cases[i].field, .cell_size = 1 }));
        assert_true(filo_spatial_rebuild(spatial));
        const FiloSpatialItems *items = filo_spatial_items(spatial);
        assert_int_equal(items->count, 1);
        assert_true(items->x[0] == cases[i].x && items->y[0] == cases[i].y && items->z[0] == cases[i].z);
        filo_spatial_destroy(spatial);
    }
    scene_end(&scene);
}

FILO_TEST(fields_without_three_floats_are_refused_by_name) {
    Scene scene = space_begin(0, 1, false);
    filo_component(scene.world, Position);
    filo_component(scene.world, Craft);
    const struct {
        FiloSpatialField position;
        const char *message;
    } cases[] = {
        { FILO_SPATIAL(Position), "bad: the position, Position, must be three floats" },
        { FILO_SPATIAL(Craft), "the position, Craft, must be three floats" },
        { FILO_SPATIAL_FIELD(Craft, "flat"), "the position, Craft.flat, must be three floats" },
        { FILO_SPATIAL_FIELD(Craft, "pair"), "the position, Craft.pair, must be three floats" },
        { FILO_SPATIAL_FIELD(Craft, "flat.y"), "the position, Craft.flat.y, must be three floats" },
        { FILO_SPATIAL_FIELD(Craft, "mass"), "the position, Craft.mass, must be three floats" },
        { FILO_SPATIAL_FIELD(Craft, "at.z"), "the position, Craft.at.z, must be three floats" },
        { FILO_SPATIAL_FIELD(Place, "y"), "the position, Place.y, must be three floats" },
    };
    FiloSpatial *spatial = (FiloSpatial *)&scene;
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        FiloSpatialDesc desc = {
            .name = "bad", .dimensions = 3, .position = cases[i].position, .cell_size = 1
        };
        expect_mistake(cases[i].message, filo_spatial_create(&spatial, scene.world, &desc));
        assert_null(spatial);
    }
    static const int dimensions[] = { -1, 1, 4 };
    for (size_t i = 0; i < FILO_COUNT_OF(dimensions); i++) {
        FiloSpatialDesc desc = { .dimensions = dimensions[i],
                                 .position = FILO_SPATIAL(Place),
                                 .cell_size = 1 };
        expect_mistake("dimensions must be 2, for the plane, or 3, for space",
                       filo_spatial_create(&spatial, scene.world, &desc));
        assert_null(spatial);
    }
    scene_end(&scene);
}

FILO_TEST(three_floats_can_be_indexed_in_the_plane) {
    Scene scene = space_begin(0, 1, false);
    FiloSpatial *plane;
    assert_ok(filo_spatial_create(
        &plane, scene.world,
        &(FiloSpatialDesc){ .dimensions = 2, .position = FILO_SPATIAL(Place), .cell_size = 1 }));
    space_add(&scene, 1, 2, 300);
    space_add(&scene, 1, 2, NAN);
    assert_true(filo_spatial_rebuild(plane));
    FiloSpatialSearch search = filo_spatial_circle(plane, filo_vec2(1, 2), 1, FILO_ENTITY_NONE);
    assert_int_equal(filo_spatial_count(search), 2);
    filo_spatial_destroy(plane);
    scene_end(&scene);
}

// ---- Memory -----------------------------------------------------------------------------------------------

FILO_TEST(without_memory_an_index_of_space_is_not_created_or_stays_unchanged) {
    Scene scene = space_begin(0, 1, false);
    uint64_t seed = 3;
    for (size_t i = 0; i < 200; i++) {
        FiloVec3 at = space_spread(0, &seed, i);
        space_add(&scene, at.x, at.y, at.z);
    }
    bool more = true;
    for (size_t fail_at = 0; more; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, fail_at);
        FiloSpatial *spatial;
        FiloSpatialDesc desc = { .dimensions = 3,
                                 .position = FILO_SPATIAL(Place),
                                 .radius = FILO_SPATIAL_FIELD(Size, "radius"),
                                 .cell_size = 1,
                                 .allocator = &failing.allocator };
        FiloResult result = filo_spatial_create(&spatial, scene.world, &desc);
        if (result.code == FILO_OK) {
            size_t before = filo_query_count(scene.query);
            bool created = filo_spatial_rebuild(spatial);
            uint64_t hash = space_hash(spatial);
            assert_int_equal(filo_spatial_items(spatial)->count, created ? before : 0);
            FiloEntity more_of_them[2000];
            for (size_t i = 0; i < 2000; i++)
                more_of_them[i] = space_add(&scene, (float)(i % 100) * 3, (float)i, -(float)(i % 33));
            bool again = filo_spatial_rebuild(spatial);
            if (again) {
                assert_int_equal(filo_spatial_items(spatial)->count, before + 2000);
            } else {
                assert_int_equal(space_hash(spatial), hash);
                if (created) assert_int_equal(count_all(spatial), before);
            }
            assert_true((created && again) || failing.calls > fail_at);
            filo_entity_destroy_many(scene.world, more_of_them, 2000);
            filo_spatial_destroy(spatial);
        } else {
            assert_int_equal(result.code, FILO_ERROR_MEMORY);
            assert_null(spatial);
        }
        assert_int_equal(failing.blocks, 0);
        more = failing.calls > fail_at;
    }
    scene_end(&scene);
}

FILO_TEST(steady_rebuilds_and_searches_of_space_do_not_allocate) {
    static const int threads[] = { 0, 4 };
    static const size_t tried[] = { 0, 4 }; // in one grid, and folded
    for (size_t k = 0; k < 4; k++) {
        Scene scene = space_begin(threads[k % 2], 2, true);
        space_fill(&scene, tried[k / 2], 20000, 3);
        assert_int_equal(filo_spatial_stats(scene.spatial).folded, k / 2 == 1);
        for (int i = 0; i < 3; i++)
            assert_true(filo_spatial_rebuild(scene.spatial)); // jobs allocate their memory
        uint64_t calls = filo_memory_system_calls();
        FiloSpatialHit hits[8];
        const FiloVec3 zero = { 0, 0, 0 };
        for (int i = 0; i < 20; i++) {
            assert_true(filo_spatial_rebuild(scene.spatial));
            assert_true(filo_spatial_count(filo_spatial_sphere(scene.spatial, zero, 5, FILO_ENTITY_NONE)) >
                        0);
            assert_int_equal(filo_spatial_nearest3(scene.spatial, zero, 9, FILO_ENTITY_NONE, hits, 8), 8);
        }
        assert_int_equal(filo_memory_system_calls(), calls);
        scene_end(&scene);
    }
}

// ---- Threads ----------------------------------------------------------------------------------------------

FILO_TEST(an_index_of_space_is_the_same_on_any_number_of_threads) {
    for (size_t k = 0; k < SPACE_SPREADS; k++) {
        uint64_t expected = 0;
        for (size_t i = 0; i < FILO_COUNT_OF(thread_counts); i++) {
            Scene scene = space_begin(thread_counts[i], 1.5f, k % 2 == 0);
            space_fill(&scene, k, 16500, k);
            uint64_t first = space_hash(scene.spatial);
            assert_true(filo_spatial_rebuild(scene.spatial)); // reuses the grid
            assert_int_equal(space_hash(scene.spatial), first);
            if (i == 0) expected = first;
            if (first != expected)
                fail_msg("%s: different on %d threads", space_spread_name(k), thread_counts[i]);
            scene_end(&scene);
        }
    }
}

// The matches have gaps between them, so the query tests each row.
FILO_TEST(an_index_of_scattered_matches_in_space_is_the_same_on_any_number_of_threads) {
    uint64_t expected = 0;
    for (size_t i = 0; i < FILO_COUNT_OF(thread_counts); i++) {
        FiloJobs *jobs;
        FiloWorld *world;
        FiloSpatial *spatial;
        assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = thread_counts[i] }));
        assert_ok(filo_world_create(&world, &(FiloWorldDesc){ .jobs = jobs }));
        filo_component(world, Place);
        filo_component(world, Size, .storage = FILO_STORAGE_SPARSE);
        FiloSpatialDesc desc = { .dimensions = 3, .position = FILO_SPATIAL(Place), .cell_size = 2 };
        desc.query.terms[0] = (FiloTerm)FILO_READ(Size);
        desc.radius = (FiloSpatialField)FILO_SPATIAL_FIELD(Size, "radius");
        assert_ok(filo_spatial_create(&spatial, world, &desc));
        uint64_t seed = 4;
        for (size_t n = 0; n < 40000; n++) {
            FiloVec3 at = space_spread(0, &seed, n);
            FiloEntity entity = filo_create(world, FILO_SET(Place, at.x, at.y, at.z));
            if (test_random(&seed) % 3 != 0) filo_set(world, entity, Size, unit(&seed), 0);
        }
        for (int n = 0; n < 2; n++) assert_true(filo_spatial_rebuild(spatial));
        const FiloSpatialItems *items = filo_spatial_items(spatial);
        for (size_t n = 0; n < items->count; n++) {
            const Place *place = filo_get(world, items->entities[n], Place);
            assert_true(place->x == items->x[n] && place->y == items->y[n] && place->z == items->z[n]);
        }
        assert_in_range(items->count, 20000, 30000);
        if (i == 0) expected = space_hash(spatial);
        assert_int_equal(space_hash(spatial), expected);
        filo_spatial_destroy(spatial);
        filo_world_destroy(world);
        filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    }
}

FILO_TEST(an_index_of_space_does_not_depend_on_its_earlier_content) {
    Scene old = space_begin(2, 1, false), created = space_begin(0, 1, false);
    FiloEntity entities[2][1000];
    for (size_t i = 0; i < 1000; i++) {
        entities[0][i] = space_add(&old, 0, 0, 0);
        entities[1][i] = space_add(&created, 0, 0, 0);
    }
    uint64_t seed = 8;
    for (size_t step = 0; step < 60; step++) { // smaller, larger, elsewhere, folded and not
        size_t spread = test_random(&seed) % SPACE_SPREADS;
        float scale = unit(&seed) * 2;
        for (size_t i = 0; i < 1000; i++) {
            FiloVec3 at = filo_vec3_scale(space_spread(spread, &seed, i), scale);
            filo_set(old.world, entities[0][i], Place, at.x, at.y, at.z);
            filo_set(created.world, entities[1][i], Place, at.x, at.y, at.z);
        }
        FiloSpatial *spatial;
        assert_ok(filo_spatial_create(
            &spatial, created.world,
            &(FiloSpatialDesc){ .dimensions = 3, .position = FILO_SPATIAL(Place), .cell_size = 1 }));
        assert_true(filo_spatial_rebuild(old.spatial) && filo_spatial_rebuild(spatial));
        assert_int_equal(space_hash(old.spatial), space_hash(spatial));
        assert_int_equal(filo_spatial_stats(old.spatial).folded, filo_spatial_stats(spatial).folded);
        filo_spatial_destroy(spatial);
    }
    scene_end(&old);
    scene_end(&created);
}

// ---- In the schedule --------------------------------------------------------------------------------------

// Moves away from neighbours.
typedef struct Push {
    float x, y, z;
} Push;
FILO_REFLECT(Push, FILO_FIELD(float, x), FILO_FIELD(float, y), FILO_FIELD(float, z))

static void search_near(FiloIter *it) {
    const Place *place = filo_read(it, Place);
    Push *push = filo_write(it, Push);
    for (size_t i = 0; i < it->count; i++) {
        FiloVec3 here = filo_vec3(place[i].x, place[i].y, place[i].z), sum = filo_vec3(0, 0, 0);
        FiloSpatialSearch search = filo_spatial_sphere(it->user, here, 3, filo_iter_entity(it, i));
        while (filo_spatial_next(&search)) // a float sum: depends on the order
            sum = filo_vec3_add(sum, filo_vec3_sub(here, search.hit.position3));
        push[i] = (Push){ sum.x, sum.y, sum.z };
    }
}

static void flee(FiloIter *it) {
    Place *place = filo_write(it, Place);
    const Push *push = filo_read(it, Push);
    for (size_t i = 0; i < it->count; i++) {
        place[i].x += push[i].x * it->delta;
        place[i].y += push[i].y * it->delta;
        place[i].z += push[i].z * it->delta;
    }
}

FILO_TEST(a_world_that_searches_space_is_the_same_on_any_number_of_threads) {
    uint64_t expected = 0, begin = 0;
    for (size_t k = 0; k < FILO_COUNT_OF(thread_counts); k++) {
        Scene scene = space_begin(thread_counts[k], 3, false);
        filo_component(scene.world, Push);
        assert_true(filo_spatial_system_add(scene.spatial, NULL).id != 0);
        filo_system_add(scene.world,
                        &(FiloSystemDesc){ .name = "search",
                                           .run = search_near,
                                           .parallel = true,
                                           .user = scene.spatial,
                                           .query.terms = { FILO_READ(Place), FILO_WRITE(Push) },
                                           .extra_access = { FILO_SPATIAL_READ(scene.spatial) } });
        filo_system_add(scene.world,
                        &(FiloSystemDesc){ .name = "flee",
                                           .run = flee,
                                           .parallel = true,
                                           .query.terms = { FILO_WRITE(Place), FILO_READ(Push) } });
        uint64_t seed = 6;
        for (size_t i = 0; i < 5000; i++) {
            FiloVec3 at = space_spread(0, &seed, i);
            filo_create(scene.world, FILO_SET(Place, at.x, at.y, at.z), FILO_SET(Push, 0));
        }
        begin = filo_world_hash(scene.world);
        for (int i = 0; i < 10; i++) assert_ok(filo_world_tick(scene.world, 0.02f));
        assert_int_equal(filo_spatial_stats(scene.spatial).rebuilds, 10);
        uint64_t hash = filo_world_hash(scene.world);
        if (k == 0) expected = hash;
        assert_int_not_equal(hash, begin);
        assert_int_equal(hash, expected);
        scene_end(&scene);
    }
}
