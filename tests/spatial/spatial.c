// The spatial index: its items, its fields and its memory.

#include "spatial/scene.h"

// Components with a position in different fields.
typedef struct Body {
    uint32_t kind;
    FiloVec2 at;
    double mass;
    float angle, left, bottom, corners[4];
} Body;
FILO_REFLECT(Body, FILO_FIELD(uint32_t, kind), FILO_FIELD(FiloVec2, at), FILO_FIELD(double, mass),
             FILO_FIELD(float, angle), FILO_FIELD(float, left), FILO_FIELD(float, bottom),
             FILO_FIELD(float, corners))

typedef struct Nested {
    Body body;
} Nested;
FILO_REFLECT(Nested, FILO_FIELD(Body, body))

typedef struct Wrapped {
    FiloVec2 at;
    float height;
} Wrapped;
FILO_REFLECT(Wrapped, FILO_FIELD(FiloVec2, at), FILO_FIELD(float, height))

FILO_TAG(Hidden)

static size_t count_all(const FiloSpatial *spatial) {
    return filo_spatial_count(filo_spatial_circle(spatial, filo_vec2(0, 0), INFINITY, FILO_ENTITY_NONE));
}

// ---- Items ------------------------------------------------------------------------------------------------

FILO_TEST(every_kind_of_search_finds_an_entity) {
    Scene scene = scene_begin(0, 2, false);
    FiloEntity only = scene_add(&scene, -7.5f, 1e5f);
    assert_true(filo_spatial_rebuild(scene.spatial));
    FiloSpatialHit hit;
    assert_int_equal(
        filo_spatial_fill(filo_spatial_circle(scene.spatial, filo_vec2(-7, 1e5f), 1, FILO_ENTITY_NONE), &hit,
                          1),
        1);
    assert_int_equal(hit.entity.id, only.id);
    assert_true(hit.distance_squared == 0.25f);
    FiloRect rect = filo_rect(filo_vec2(-8, 0), filo_vec2(-7, 2e5f));
    assert_int_equal(filo_spatial_count(filo_spatial_rect(scene.spatial, rect, FILO_ENTITY_NONE)), 1);
    assert_int_equal(
        filo_spatial_nearest(scene.spatial, filo_vec2(9e9f, 0), INFINITY, FILO_ENTITY_NONE, &hit, 1), 1);
    assert_int_equal(filo_spatial_nearest(scene.spatial, filo_vec2(0, 0), INFINITY, only, &hit, 1), 0);
    scene_end(&scene);
}

FILO_TEST(items_are_all_positions_in_cell_order_with_their_values) {
    for (size_t k = 0; k < FILO_COUNT_OF(spreads); k++) {
        Scene scene = scene_begin(0, 1, true);
        scene_fill(&scene, spreads[k].spread, 900, 4);
        Points points = scene_points(&scene);
        const FiloSpatialItems *items = filo_spatial_items(scene.spatial);
        FiloSpatialStats stats = filo_spatial_stats(scene.spatial);
        assert_int_equal(stats.items, items->count);
        assert_int_equal(stats.items + stats.nowhere, points.count);
        assert_null(items->values[0]);
        uint8_t *seen = calloc(points.count + 1, 1);
        for (size_t i = 0; i < items->count; i++) {
            const Point *point = &points.items[items->rows[i]];
            const Size *size = filo_get(scene.world, point->entity, Size);
            assert_int_equal(seen[items->rows[i]]++, 0);
            assert_int_equal(items->entities[i].id, point->entity.id);
            assert_true(items->x[i] == point->at.x && items->y[i] == point->at.y);
            assert_true(items->radii[i] == point->radius);
            assert_true(items->values[1][i] == (size != NULL ? size->weight : 0));
        }
        free(seen);
        free(points.items);
        scene_end(&scene);
    }
}

FILO_TEST(non_finite_positions_are_counted_and_never_found) {
    Scene scene = scene_begin(0, 1, false);
    scene_fill(&scene, with_nowhere, 1000, 4);
    assert_int_equal(filo_spatial_stats(scene.spatial).nowhere, 100);
    assert_int_equal(filo_spatial_stats(scene.spatial).items, 900);
    assert_int_equal(count_all(scene.spatial), 900);
    assert_false(filo_spatial_stats(scene.spatial).folded); // they do not make the grid larger
    scene_end(&scene);
}

FILO_TEST(an_index_without_finite_positions_is_empty) {
    Scene scene = scene_begin(0, 1, false);
    for (int i = 0; i < 10; i++) scene_add(&scene, NAN, 0);
    for (int i = 0; i < 2; i++) {
        assert_true(filo_spatial_rebuild(scene.spatial));
        assert_int_equal(filo_spatial_stats(scene.spatial).nowhere, 10);
        assert_int_equal(count_all(scene.spatial), 0);
    }
    scene_add(&scene, 5, 5);
    assert_true(filo_spatial_rebuild(scene.spatial));
    assert_int_equal(count_all(scene.spatial), 1);
    scene_end(&scene);
}

FILO_TEST(invalid_radii_count_as_zero) {
    Scene scene = scene_begin(0, 1, true);
    static const float bad[] = { NAN, -3, 0, -INFINITY };
    for (int i = 0; i < 4; i++)
        filo_create(scene.world, FILO_SET(Position, (float)i, 0), FILO_SET(Size, bad[i], 1));
    assert_true(filo_spatial_rebuild(scene.spatial));
    for (size_t i = 0; i < 4; i++) assert_true(filo_spatial_items(scene.spatial)->radii[i] == 0);
    assert_true(filo_spatial_stats(scene.spatial).largest_radius == 0);
    // Intersects everything.
    filo_create(scene.world, FILO_SET(Position, 500, 0), FILO_SET(Size, INFINITY, 1));
    assert_true(filo_spatial_rebuild(scene.spatial));
    assert_int_equal(
        filo_spatial_count(filo_spatial_circle(scene.spatial, filo_vec2(1, 0), 0, FILO_ENTITY_NONE)), 2);
    scene_end(&scene);
}

FILO_TEST(a_search_sees_the_world_as_it_was_at_the_last_rebuild) {
    Scene scene = scene_begin(0, 1, false);
    FiloEntity moved = scene_add(&scene, 1, 1), destroyed = scene_add(&scene, 2, 2);
    assert_true(filo_spatial_rebuild(scene.spatial));
    filo_set(scene.world, moved, Position, 50, 50);
    filo_entity_destroy(scene.world, destroyed);
    FiloEntity later = scene_add(&scene, 1, 2); // reuses the index of the destroyed one
    FiloSpatialHit hits[3];
    FiloSpatialSearch search = filo_spatial_circle(scene.spatial, filo_vec2(1, 1), 9, FILO_ENTITY_NONE);
    assert_int_equal(filo_spatial_fill(search, hits, 3), 2);
    assert_int_equal(hits[0].entity.id, moved.id);
    assert_int_equal(hits[1].entity.id, destroyed.id);
    assert_false(filo_entity_exists(scene.world, hits[1].entity));
    assert_true(filo_spatial_rebuild(scene.spatial));
    search = filo_spatial_circle(scene.spatial, filo_vec2(1, 1), 9, FILO_ENTITY_NONE);
    assert_int_equal(filo_spatial_fill(search, hits, 3), 1);
    assert_int_equal(hits[0].entity.id, later.id);
    scene_end(&scene);
}

FILO_TEST(the_query_selects_the_entities_of_the_index) {
    Scene scene = scene_begin(0, 1, false);
    filo_component(scene.world, Hidden, .storage = FILO_STORAGE_TAG);
    FiloSpatial *seen, *sleeping;
    assert_ok(filo_spatial_create(&seen, scene.world,
                                  &(FiloSpatialDesc){ .query.terms = { FILO_WITHOUT(Hidden) },
                                                      .position = FILO_SPATIAL(Position),
                                                      .cell_size = 1 }));
    assert_ok(filo_spatial_create(&sleeping, scene.world,
                                  &(FiloSpatialDesc){ .query.activity = FILO_INACTIVE,
                                                      .position = FILO_SPATIAL(Position),
                                                      .cell_size = 1 }));
    FiloEntity first_seen = FILO_ENTITY_NONE;
    for (int i = 0; i < 2000; i++) {
        FiloEntity entity = scene_add(&scene, (float)(i % 50), (float)(i % 41));
        if (i % 3 != 1) filo_add(scene.world, entity, Hidden);
        if (i == 1) first_seen = entity;
        if (i % 10 == 0) filo_entity_set_active(scene.world, entity, false);
    }
    assert_true(filo_spatial_rebuild(seen) && filo_spatial_rebuild(sleeping));
    assert_int_equal(count_all(sleeping), 200);
    const FiloSpatialItems *items = filo_spatial_items(seen);
    assert_int_equal(items->count, 667 - 67);
    uint32_t rows = 0;
    for (size_t i = 0; i < items->count; i++) {
        assert_false(filo_has(scene.world, items->entities[i], Hidden));
        rows = FILO_MAX(rows, items->rows[i]);
        if (items->entities[i].id == first_seen.id) assert_int_equal(items->rows[i], 0);
    }
    assert_int_equal(rows, items->count - 1); // numbered without gaps
    filo_spatial_destroy(seen);
    filo_spatial_destroy(sleeping);
    scene_end(&scene);
}

FILO_TEST(positions_may_be_in_any_storage) {
    static const FiloStorage storages[] = { FILO_STORAGE_TABLE, FILO_STORAGE_SPARSE, FILO_STORAGE_ARRAY,
                                            FILO_STORAGE_MAP };
    uint64_t first = 0;
    for (size_t k = 0; k < FILO_COUNT_OF(storages); k++) {
        FiloWorld *world;
        assert_ok(filo_world_create(&world, NULL));
        filo_component(world, Position, .storage = storages[k]);
        filo_component(world, Size);
        FiloSpatial *spatial;
        assert_ok(filo_spatial_create(
            &spatial, world, &(FiloSpatialDesc){ .position = FILO_SPATIAL(Position), .cell_size = 1 }));
        uint64_t seed = 9;
        for (size_t i = 0; i < 1000; i++) {
            FiloVec2 at = everywhere(&seed, i);
            filo_create(world, FILO_SET(Position, at.x, at.y), FILO_SET(Size, 1, 1));
        }
        assert_true(filo_spatial_rebuild(spatial));
        assert_int_equal(filo_spatial_items(spatial)->count, 1000);
        if (k == 0) first = items_hash(spatial);
        assert_int_equal(items_hash(spatial), first);
        filo_spatial_destroy(spatial);
        filo_world_destroy(world);
    }
}

// ---- Fields -----------------------------------------------------------------------------------------------

FILO_TEST(a_position_may_be_any_two_floats) {
    Scene scene = scene_begin(0, 1, false);
    filo_component(scene.world, Body);
    filo_component(scene.world, Nested);
    filo_component(scene.world, Wrapped);
    Body body = { 1, { 10, 11 }, 2, 0, 20, 21, { 30, 31, 32, 33 } };
    filo_create(scene.world, { filo_type_Body, { 0 }, &body }, FILO_SET(Nested, body),
                FILO_SET(Wrapped, { 40, 41 }, 0));
    const struct {
        FiloSpatialField field;
        float x, y;
    } cases[] = { { FILO_SPATIAL_FIELD(Body, "at"), 10, 11 },
                  { FILO_SPATIAL_FIELD(Body, "left"), 20, 21 },
                  { FILO_SPATIAL_FIELD(Body, "corners"), 30, 31 },
                  { FILO_SPATIAL_FIELD(Nested, "body.at"), 10, 11 },
                  { FILO_SPATIAL_FIELD(Nested, "body.left"), 20, 21 },
                  { FILO_SPATIAL(Wrapped), 40, 41 },
                  { { NULL, filo_component_of(scene.world, FILO_TYPE(Wrapped)), "at.x" }, 40, 41 } };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        FiloSpatial *spatial;
        assert_ok(filo_spatial_create(&spatial, scene.world,
                                      &(FiloSpatialDesc){ .position = cases[i].field, .cell_size = 1 }));
        assert_true(filo_spatial_rebuild(spatial));
        assert_int_equal(filo_spatial_items(spatial)->count, 1);
        assert_true(filo_spatial_items(spatial)->x[0] == cases[i].x);
        assert_true(filo_spatial_items(spatial)->y[0] == cases[i].y);
        filo_spatial_destroy(spatial);
    }
    scene_end(&scene);
}

FILO_TEST(unsuitable_fields_are_refused_by_name) {
    Scene scene = scene_begin(0, 1, false);
    filo_component(scene.world, Body);
    filo_component(scene.world, Wrapped, .storage = FILO_STORAGE_GLOBAL);
    const struct {
        FiloSpatialField position, radius;
        const char *message;
    } cases[] = {
        { FILO_SPATIAL(Nested), { 0 }, "bad: register the component of the position, Nested" },
        { { NULL, { 999 }, NULL }, { 0 }, "register the component of the position" },
        { FILO_SPATIAL_FIELD(Body, "height"), { 0 }, "the position in Body: " },
        { FILO_SPATIAL(Body), { 0 }, "the position, Body, must be two floats" },
        { FILO_SPATIAL_FIELD(Body, "angle.x"), { 0 }, "the position in Body: " },
        { FILO_SPATIAL_FIELD(Body, "mass"), { 0 }, "the position, Body.mass, must be two floats" },
        { FILO_SPATIAL_FIELD(Position, "y"), { 0 }, "the position, Position.y, must be two floats" },
        { FILO_SPATIAL(Wrapped), { 0 }, "Wrapped is global" },
        { FILO_SPATIAL(Position), FILO_SPATIAL_FIELD(Body, "kind"),
          "the radius, Body.kind, must be a float" },
        { FILO_SPATIAL(Position), FILO_SPATIAL_FIELD(Body, "corners"),
          "the radius, Body.corners, must be a float" },
        { FILO_SPATIAL(Position), FILO_SPATIAL(Body), "the radius, Body, must be a float" },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        FiloSpatial *spatial = (FiloSpatial *)&scene;
        FiloSpatialDesc desc = {
            .name = "bad", .position = cases[i].position, .radius = cases[i].radius, .cell_size = 1
        };
        expect_mistake(cases[i].message, filo_spatial_create(&spatial, scene.world, &desc));
        assert_null(spatial);
    }
    scene_end(&scene);
}

FILO_TEST(a_search_before_the_first_rebuild_is_reported) {
    Scene scene = scene_begin(0, 1, false);
    scene_add(&scene, 5, 5);
    FiloSpatialHit hit;
    FiloVec2 here = filo_vec2(5, 5);
    expect_fault("was never rebuilt, so nothing is found: call filo_spatial_rebuild",
                 assert_int_equal(count_all(scene.spatial), 0));
    expect_fault(
        "was never rebuilt",
        assert_int_equal(filo_spatial_nearest(scene.spatial, here, 1, FILO_ENTITY_NONE, &hit, 1), 0));
    assert_true(filo_spatial_rebuild(scene.spatial));
    assert_int_equal(count_all(scene.spatial), 1);
    scene_end(&scene);
}

FILO_TEST(misuse_of_an_index_is_reported) {
    only_in_debug_builds();
    Scene scene = scene_begin(0, 1, false);
    FiloSpatial *spatial;
    FiloSpatialDesc desc = { .position = FILO_SPATIAL(Position), .cell_size = 1 }, bad = desc;
    static const float sizes[] = { 0, -1, NAN, INFINITY };
    for (size_t i = 0; i < FILO_COUNT_OF(sizes); i++) {
        bad.cell_size = sizes[i];
        expect_mistake("cell_size must be a size", filo_spatial_create(&spatial, scene.world, &bad));
    }
    bad = desc;
    bad.position = (FiloSpatialField){ 0 };
    expect_mistake("which component is the position", filo_spatial_create(&spatial, scene.world, &bad));
    bad = desc;
    bad.query.terms[0] = (FiloTerm)FILO_READ_CHANGED(Position);
    expect_mistake("leave `changed` out", filo_spatial_create(&spatial, scene.world, &bad));
    expect_mistake("needs a world", filo_spatial_create(&spatial, NULL, &desc));
    expect_mistake("where to put", filo_spatial_create(NULL, scene.world, &desc));
    expect_fault("pass the index", assert_false(filo_spatial_rebuild(NULL)));
    expect_fault("pass the index", assert_int_equal(filo_spatial_items(NULL)->count, 0));
    expect_fault("pass the index", assert_int_equal(filo_spatial_stats(NULL).items, 0));
    expect_fault("pass the index", assert_int_equal(filo_spatial_stamp(NULL).id, 0));
    expect_fault("pass the index", assert_int_equal(filo_spatial_system_add(NULL, NULL).id, 0));
    filo_spatial_destroy(NULL);
    scene_end(&scene);
}

FILO_TEST(a_query_with_all_its_terms_in_use_takes_no_more) {
    Scene scene = scene_begin(0, 1, false);
    FiloSpatialDesc desc = { .position = FILO_SPATIAL(Position),
                             .radius = FILO_SPATIAL_FIELD(Size, "radius"),
                             .cell_size = 1 };
    for (size_t i = 0; i < FILO_TERMS; i++) desc.query.terms[i] = (FiloTerm)FILO_READ(Position);
    FiloSpatial *spatial;
    expect_mistake("too many terms", filo_spatial_create(&spatial, scene.world, &desc));
    scene_end(&scene);
}

// ---- Memory -----------------------------------------------------------------------------------------------

FILO_TEST(without_memory_an_index_is_not_created_or_stays_unchanged) {
    Scene scene = scene_begin(0, 1, false);
    uint64_t seed = 3;
    for (size_t i = 0; i < 200; i++) {
        FiloVec2 at = everywhere(&seed, i);
        scene_add(&scene, at.x, at.y);
    }
    bool more = true;
    for (size_t fail_at = 0; more; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, fail_at);
        FiloSpatial *spatial;
        FiloSpatialDesc desc = { .position = FILO_SPATIAL(Position),
                                 .radius = FILO_SPATIAL_FIELD(Size, "radius"),
                                 .cell_size = 1,
                                 .allocator = &failing.allocator };
        FiloResult result = filo_spatial_create(&spatial, scene.world, &desc);
        if (result.code == FILO_OK) {
            size_t before = filo_query_count(scene.query);
            bool created = filo_spatial_rebuild(spatial);
            uint64_t hash = items_hash(spatial);
            assert_int_equal(filo_spatial_items(spatial)->count, created ? before : 0);
            FiloEntity more_of_them[2000];
            for (size_t i = 0; i < 2000; i++)
                more_of_them[i] = scene_add(&scene, (float)(i % 100) * 3, (float)i);
            bool again = filo_spatial_rebuild(spatial);
            if (again) {
                assert_int_equal(filo_spatial_items(spatial)->count, before + 2000);
            } else {
                assert_int_equal(items_hash(spatial), hash);
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

FILO_TEST(a_rebuild_takes_no_memory_from_the_world) {
    FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
    FiloWorld *world;
    FiloSpatial *spatial;
    assert_ok(filo_world_create(&world, &(FiloWorldDesc){ .allocator = &failing.allocator }));
    filo_component(world, Position, .storage = FILO_STORAGE_ARRAY);
    assert_ok(filo_spatial_create(
        &spatial, world,
        &(FiloSpatialDesc){ .position = FILO_SPATIAL(Position), .cell_size = 1, .allocator = filo_heap() }));
    for (int i = 0; i < 100; i++) filo_create(world, FILO_SET(Position, (float)i, 0));
    failing_allow(&failing, 0);
    assert_true(filo_spatial_rebuild(spatial));
    assert_int_equal(count_all(spatial), 100);
    filo_spatial_destroy(spatial);
    filo_world_destroy(world);
}

FILO_TEST(a_steady_rebuild_and_searches_do_not_allocate) {
    static const int threads[] = { 0, 4 };
    for (size_t k = 0; k < FILO_COUNT_OF(threads); k++) {
        Scene scene = scene_begin(threads[k], 1, true);
        scene_fill(&scene, everywhere, 20000, 3);
        for (int i = 0; i < 3; i++)
            assert_true(filo_spatial_rebuild(scene.spatial)); // jobs allocate their memory
        uint64_t calls = filo_memory_system_calls();
        FiloSpatialHit hits[8];
        for (int i = 0; i < 20; i++) {
            assert_true(filo_spatial_rebuild(scene.spatial));
            assert_true(filo_spatial_count(
                            filo_spatial_circle(scene.spatial, filo_vec2(0, 0), 5, FILO_ENTITY_NONE)) > 0);
            assert_int_equal(
                filo_spatial_nearest(scene.spatial, filo_vec2(0, 0), 9, FILO_ENTITY_NONE, hits, 8), 8);
        }
        assert_int_equal(filo_memory_system_calls(), calls);
        scene_end(&scene);
    }
}

FILO_TEST(an_index_uses_the_allocator_of_the_world_by_default) {
    Scene scene = scene_begin(0, 1, false);
    size_t before = filo_world_stats(scene.world).memory;
    for (int i = 0; i < 5000; i++) scene_add(&scene, (float)i, 0);
    assert_true(filo_spatial_rebuild(scene.spatial));
    FiloSpatialStats stats = filo_spatial_stats(scene.spatial);
    assert_true(stats.memory > (size_t)5000 * 40);
    assert_true(filo_world_stats(scene.world).memory >= before + stats.memory / 2);
    assert_int_equal(stats.rebuilds, 1);
    scene_end(&scene);
}
