// Bad input has a message or a defined result, and the rest of the world goes on.

#include "physics2d/scene.h"
#include "support/malloc_count.h"

#include <math.h>

// A ball beside the bad one, which has to land.
static void expect_others_go_on(const Scene *scene) {
    add_ground(scene);
    FiloEntity ball = add_body(scene, FILO_BODY_DYNAMIC, 50, 1, BALL(0.5f));
    run(scene, 120);
    assert_near(at(scene, ball).y, 0.5f, 0.01f);
}

FILO_TEST(degenerate_shapes_do_not_collide) {
    FiloShape2 shapes[] = {
        BALL(0),
        BALL(-1),
        BALL(NAN),
        BALL(INFINITY),
        BOX(0, 1),
        BOX(NAN, 1),
        CAPSULE(1, 0),
        { .kind = FILO_SHAPE_SEGMENT },
        { .kind = (FiloShapeKind)77, .radius = 1 },
        { .kind = FILO_SHAPE_POLYGON, .point_count = 2, .points = { { 0, 0 }, { 1, 0 } } },
        { .kind = FILO_SHAPE_POLYGON, .point_count = 900, .points = { { 0, 0 }, { 1, 0 } } },
        { .kind = FILO_SHAPE_POLYGON, .point_count = 3, .points = { { 0, 0 }, { 1, 0 }, { 2, 0 } } },
        { .kind = FILO_SHAPE_POLYGON,
          .point_count = 4,
          .points = { { 0, 0 }, { 2, 0 }, { 0.5f, 0.5f }, { 0, 2 } } },
        { .kind = FILO_SHAPE_POLYGON, .point_count = 3, .points = { { 0, 0 }, { 1, 0 }, { NAN, 1 } } },
        { .kind = FILO_SHAPE_CIRCLE, .radius = 1, .density = NAN },
    };
    Scene scene = scene_open(0);
    FiloEntity bodies[FILO_COUNT_OF(shapes)];
    for (size_t i = 0; i < FILO_COUNT_OF(shapes); i++)
        bodies[i] = add_body(&scene, FILO_BODY_DYNAMIC, (float)i * 2, 5, shapes[i]);
    expect_others_go_on(&scene);
    for (size_t i = 0; i < FILO_COUNT_OF(shapes); i++) assert_true(at(&scene, bodies[i]).y < -5);
    scene_close(&scene);
}

FILO_TEST(numbers_that_are_none_are_repaired) {
    Scene scene = scene_open(0);
    FiloEntity a = add_body(&scene, FILO_BODY_DYNAMIC, NAN, 1, BALL(0.5f));
    FiloEntity b = add_body(&scene, FILO_BODY_DYNAMIC, 20, 1, BALL(0.5f));
    FiloEntity c = add_body(&scene, FILO_BODY_DYNAMIC, 30, 1, BALL(0.5f));
    FiloEntity d = add_body(&scene, FILO_BODY_DYNAMIC, 40, 1, BALL(0.5f));
    filo_edit(scene.world, b, FiloBody2)->velocity.x = INFINITY;
    filo_edit(scene.world, c, FiloBody2)->force.y = NAN;
    filo_edit(scene.world, d, FiloBody2)->mass = NAN;
    run(&scene, 1);
    filo_edit(scene.world, d, FiloTransform2)->position.x = NAN;
    expect_others_go_on(&scene);
    FiloEntity all[] = { a, b, c, d };
    for (size_t i = 0; i < FILO_COUNT_OF(all); i++) {
        assert_true(filo_abs(at(&scene, all[i]).x) < 100 && filo_abs(at(&scene, all[i]).y) < 100);
        assert_true(filo_abs(body_of(&scene, all[i]).velocity.y) < 100);
    }
    assert_near(at(&scene, d).x, 40, 0.1f);
    scene_close(&scene);
}

FILO_TEST(bodies_of_all_kinds_at_no_position_are_at_the_origin_after_a_step) {
    Scene scene = scene_open(0);
    for (int kind = 0; kind <= FILO_BODY_STATIC; kind++) {
        FiloEntity body = add_body(&scene, (FiloBodyKind)kind, 3, INFINITY, BALL(0.5f));
        run(&scene, 1);
        assert_near(at(&scene, body).x, 0, 0.01f);
        assert_near(at(&scene, body).y, 0, 0.01f);
        filo_entity_destroy(scene.world, body);
    }
    scene_close(&scene);
}

FILO_TEST(a_thousand_bodies_at_one_point_stay_finite) {
    Scene scene = scene_open(2);
    for (int i = 0; i < 1000; i++) add_body(&scene, FILO_BODY_DYNAMIC, 0, 5, BALL(0.25f));
    expect_others_go_on(&scene);
    FiloQuery *query = filo_query(scene.world, FILO_READ(FiloTransform2), FILO_WITH(FiloBody2));
    FiloEach each = filo_query_each(query);
    while (filo_each_next(&each)) {
        FiloVec2 p = filo_each_read(&each, FiloTransform2)->position;
        assert_true(filo_abs(p.x) < 1000 && filo_abs(p.y) < 1000);
    }
    filo_query_release(query);
    scene_close(&scene);
}

FILO_TEST(registering_twice_does_nothing) {
    Scene scene = scene_open(0);
    assert_true(filo_physics2_register(scene.world));
    expect_fault("pass the world", assert_false(filo_physics2_register(NULL)));
    scene_close(&scene);
}

FILO_TEST(inactive_bodies_are_not_in_the_simulation) {
    Scene scene = scene_open(0);
    add_ground(&scene);
    FiloEntity low = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0.5f, BOX(0.5f, 0.5f));
    FiloEntity high = add_body(&scene, FILO_BODY_DYNAMIC, 0, 1.5f, BOX(0.5f, 0.5f));
    run(&scene, 90);
    filo_entity_set_active(scene.world, low, false);
    run(&scene, 90);
    assert_near(at(&scene, high).y, 0.5f, 0.01f);
    assert_near(at(&scene, low).y, 0.5f, 0.01f);
    assert_int_equal(filo_physics2_stats(scene.world).bodies, 2);
    scene_close(&scene);
}

FILO_TEST(a_damaged_file_is_refused) {
    Scene scene = scene_open(0);
    add_ground(&scene);
    for (int i = 0; i < 20; i++) add_body(&scene, FILO_BODY_DYNAMIC, 0, (float)i + 0.5f, BOX(0.5f, 0.5f));
    run(&scene, 30);
    // The provider is called as by a file: with bytes that may be anything.
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(snapshot, scene.world));
    uint64_t hash = filo_world_hash(scene.world);
    FiloBytes bytes = { 0 };
    assert_ok(filo_world_save_bytes(scene.world, &bytes, NULL));
    bytes.items[bytes.count / 2] ^= 0x55;
    assert_int_not_equal(filo_world_load_bytes(scene.world, bytes.items, bytes.count, "save", NULL).code,
                         FILO_OK);
    assert_true(filo_world_hash(scene.world) == hash);
    filo_array_deinit(&bytes);
    filo_snapshot_destroy(snapshot);
    scene_close(&scene);
}

FILO_TEST(a_steady_step_does_not_allocate) {
    for (int threads = 0; threads <= 2; threads += 2) {
        Scene scene = scene_open(threads);
        no_sleep(&scene);
        add_ground(&scene);
        for (int i = 0; i < 400; i++)
            add_body(&scene, FILO_BODY_DYNAMIC, (float)(i % 20), (float)(i / 20) + 1,
                     i % 2 == 0 ? BALL(0.4f) : BOX(0.4f, 0.4f));
        run(&scene, 300);
        uint64_t calls = filo_test_malloc_calls(), system = filo_memory_system_calls();
        run(&scene, 30);
        assert_int_equal(filo_test_malloc_calls(), calls);
        assert_int_equal(filo_memory_system_calls(), system);
        scene_close(&scene);
    }
}

FILO_TEST(a_body_of_an_infinite_mass_is_found_where_it_is) {
    Scene scene = scene_open(0);
    set_gravity(&scene, 0, 0);
    FiloShape2 shape = BALL(0.5f);
    shape.centre = filo_vec2(0.2f, -0.1f);
    shape.density = 3e38f; // times an area, it is more than a float can hold
    FiloEntity ball = add_body(&scene, FILO_BODY_DYNAMIC, 3, 4, shape), found;
    filo_edit(scene.world, ball, FiloBody2)->angular_velocity = 1;
    run(&scene, 2);
    FiloMass2 mass = filo_physics2_mass(scene.world, ball);
    assert_true(mass.mass == 1 && mass.centre.x == 0 && mass.centre.y == 0);
    assert_int_equal(filo_physics2_overlap_point(scene.world, filo_vec2(3, 4), NULL, &found, 1), 1);
    scene_close(&scene);
}

// In a long step a body gets deep into the ground, and it must not come to rest there.
FILO_TEST(a_body_comes_out_of_the_ground_after_long_steps) {
    const float deltas[] = { 0.5f, 1, 5 };
    for (size_t i = 0; i < FILO_COUNT_OF(deltas); i++) {
        Scene scene = scene_open(0);
        add_ground(&scene);
        FiloEntity ball = add_body(&scene, FILO_BODY_DYNAMIC, 0, 5, BALL(0.5f)),
                   box = add_body(&scene, FILO_BODY_DYNAMIC, 5, 5, BOX(0.5f, 0.5f));
        for (int k = 0; k < 3; k++) assert_ok(filo_world_tick(scene.world, deltas[i]));
        run(&scene, 600);
        assert_near(at(&scene, ball).y, 0.5f, 0.02f);
        assert_near(at(&scene, box).y, 0.5f, 0.02f);
        scene_close(&scene);
    }
}

// Contacts that find no colour are solved one after the other: as many as there may be.
FILO_TEST(crowds_of_any_size_at_a_point_come_apart) {
    for (int count = 20; count <= 300; count += 35) {
        Scene scene = scene_open(count % 2 == 0 ? 2 : 0);
        add_ground(&scene);
        FiloEntity last = FILO_ENTITY_NONE;
        for (int i = 0; i < count; i++)
            last = add_body(&scene, FILO_BODY_DYNAMIC, 0, 5, i % 2 == 0 ? BALL(0.3f) : BOX(0.3f, 0.3f));
        run(&scene, 60);
        FiloVec2 place = at(&scene, last);
        assert_true(filo_abs(place.x) < 200 && filo_abs(place.y) < 200);
        assert_true(filo_physics2_stats(scene.world).deepest < 0.6f);
        scene_close(&scene);
    }
}
