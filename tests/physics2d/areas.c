// Areas with gravity, damping and wind of their own.

#include "physics2d/scene.h"
#include "support/malloc_count.h"

#include <math.h>

static FiloEntity add_area(const Scene *scene, float x, float y, FiloShape2 shape, FiloArea2 area) {
    FiloEntity entity = add_body(scene, FILO_BODY_STATIC, x, y, with(shape, FILO_SHAPE_SENSOR));
    filo_add(scene->world, entity, FiloArea2);
    *filo_edit(scene->world, entity, FiloArea2) = area;
    return entity;
}

FILO_TEST(gravity_of_an_area_is_added_or_replaces) {
    Scene scene = scene_open(0);
    add_area(&scene, 0, 0, BOX(5, 50), (FiloArea2){ .gravity = { 2, 0 } });
    add_area(&scene, 20, 0, BOX(5, 50), (FiloArea2){ .gravity = { 0, 3 }, .flags = FILO_AREA_REPLACE });
    FiloEntity added = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0, BALL(0.5f));
    FiloEntity replaced = add_body(&scene, FILO_BODY_DYNAMIC, 20, 0, BALL(0.5f));
    FiloEntity outside = add_body(&scene, FILO_BODY_DYNAMIC, 40, 0, BALL(0.5f));
    FiloEntity scaled = add_body(&scene, FILO_BODY_DYNAMIC, 22, 0, BALL(0.5f));
    filo_edit(scene.world, scaled, FiloBody2)->gravity_scale = -1;
    run(&scene, 60);
    assert_near(body_of(&scene, added).velocity.x, 2, 0.01f);
    assert_near(body_of(&scene, added).velocity.y, -9.81f, 0.01f);
    assert_near(body_of(&scene, replaced).velocity.y, 3, 0.01f);
    assert_near(body_of(&scene, outside).velocity.y, -9.81f, 0.01f);
    assert_near(body_of(&scene, scaled).velocity.y, -3, 0.01f);
    assert_int_equal(filo_physics2_stats(scene.world).areas, 2);
    scene_close(&scene);
}

FILO_TEST(the_highest_priority_counts_last) {
    Scene scene = scene_open(0);
    // By index: 1, 2, 3. By priority the replacing one is in the middle.
    add_area(&scene, 0, 0, BOX(5, 50), (FiloArea2){ .priority = 7, .gravity = { 1, 0 } });
    add_area(&scene, 0, 0, BOX(5, 50), (FiloArea2){ .priority = -1, .gravity = { 50, 50 } });
    FiloEntity middle =
        add_area(&scene, 0, 0, BOX(5, 50),
                 (FiloArea2){ .priority = 3, .gravity = { 0, 1 }, .flags = FILO_AREA_REPLACE });
    FiloEntity ball = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0, BALL(0.5f));
    run(&scene, 60);
    assert_near(body_of(&scene, ball).velocity.x, 1, 0.01f);
    assert_near(body_of(&scene, ball).velocity.y, 1, 0.01f);
    filo_edit(scene.world, middle, FiloArea2)->priority = 9;
    run(&scene, 60);
    assert_near(body_of(&scene, ball).velocity.x, 1, 0.01f);
    assert_near(body_of(&scene, ball).velocity.y, 2, 0.01f);
    scene_close(&scene);
}

FILO_TEST(bodies_fall_round_a_planet) {
    Scene scene = scene_open(0);
    set_gravity(&scene, 0, 0);
    add_body(&scene, FILO_BODY_STATIC, 0, 0, BALL(5));
    add_area(&scene, 0, 0, BALL(20), (FiloArea2){ .pull = 10 });
    FiloEntity bodies[8];
    for (int i = 0; i < 8; i++) {
        FiloSinCos turn = filo_sincos((float)i * FILO_TAU / 8);
        bodies[i] = add_body(&scene, FILO_BODY_DYNAMIC, 10 * turn.cos, 10 * turn.sin, BALL(0.5f));
    }
    run(&scene, 300);
    for (int i = 0; i < 8; i++) assert_near(filo_vec2_length(at(&scene, bodies[i])), 5.5f, 0.05f);
    scene_close(&scene);
}

FILO_TEST(an_area_damps_and_wind_takes_light_bodies_along) {
    Scene scene = scene_open(0);
    set_gravity(&scene, 0, 0);
    add_area(&scene, 0, 0, BOX(100, 2), (FiloArea2){ .damping = 1, .angular_damping = 2 });
    add_area(&scene, 0, 10, BOX(100, 2), (FiloArea2){ .wind = { 6, 0 }, .drag = 1 });
    FiloEntity damped = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0, BALL(0.5f));
    FiloEntity light = add_body(&scene, FILO_BODY_DYNAMIC, 0, 10, BALL(0.5f));
    FiloShape2 stone = BALL(0.5f);
    stone.density = 20;
    FiloEntity heavy = add_body(&scene, FILO_BODY_DYNAMIC, -5, 10, stone);
    filo_edit(scene.world, damped, FiloBody2)->velocity.x = 10;
    filo_edit(scene.world, damped, FiloBody2)->angular_velocity = 10;
    run(&scene, 60);
    assert_near(body_of(&scene, damped).velocity.x, 10 * 0.368f, 0.03f); // e to the power of -1
    assert_near(body_of(&scene, damped).angular_velocity, 10 * 0.135f, 0.03f);
    // The rate is drag times width by mass: 1 / 0.785 a second.
    assert_near(body_of(&scene, light).velocity.x, 6 * (1 - 0.2798f), 0.03f);
    assert_near(body_of(&scene, heavy).velocity.x, 6 * (1 - 0.938f), 0.03f);
    run(&scene, 500);
    assert_near(body_of(&scene, light).velocity.x, 6, 0.02f);
    scene_close(&scene);
}

FILO_TEST(bodies_at_rest_wake_when_their_area_changes) {
    Scene scene = scene_open(0);
    add_ground(&scene);
    FiloEntity area = add_area(&scene, 0, 0, BOX(3, 3), (FiloArea2){ 0 });
    FiloEntity in = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0.5f, BOX(0.5f, 0.5f));
    FiloEntity out = add_body(&scene, FILO_BODY_DYNAMIC, 20, 0.5f, BOX(0.5f, 0.5f));
    run(&scene, 120);
    assert_true(is_asleep(&scene, in) && is_asleep(&scene, out));
    filo_edit(scene.world, area, FiloArea2)->gravity.y = 20;
    run(&scene, 10);
    assert_false(is_asleep(&scene, in));
    assert_true(is_asleep(&scene, out));
    assert_true(at(&scene, in).y > 0.55f);
    // It moves to the other body.
    filo_edit(scene.world, area, FiloTransform2)->position.x = 20;
    run(&scene, 10);
    assert_false(is_asleep(&scene, out));
    assert_true(at(&scene, out).y > 0.55f);
    // Without the area, both come to rest; a new one wakes what it covers.
    filo_entity_destroy(scene.world, area);
    run(&scene, 240);
    assert_true(is_asleep(&scene, in) && is_asleep(&scene, out));
    add_area(&scene, 0, 0, BOX(3, 3), (FiloArea2){ .wind = { 100, 0 }, .drag = 1 });
    run(&scene, 10);
    assert_true(body_of(&scene, in).velocity.x > 1);
    assert_true(is_asleep(&scene, out));
    scene_close(&scene);
}

FILO_TEST(an_area_that_moves_wakes_what_it_comes_to) {
    Scene scene = scene_open(0);
    FiloEntity box = add_resting_box(&scene);
    FiloEntity area = add_area(&scene, -10, 0, BOX(2, 2), (FiloArea2){ .gravity = { 0, 20 } });
    filo_edit(scene.world, area, FiloBody2)->kind = FILO_BODY_KINEMATIC;
    filo_edit(scene.world, area, FiloBody2)->velocity.x = 10;
    run(&scene, 30);
    assert_true(is_asleep(&scene, box));
    run(&scene, 25);
    assert_true(at(&scene, box).y > 0.55f);
    scene_close(&scene);
}

FILO_TEST(another_gravity_of_the_world_wakes_all) {
    Scene scene = scene_open(0);
    FiloEntity box = add_resting_box(&scene);
    set_gravity(&scene, 0, 5);
    run(&scene, 30);
    assert_true(at(&scene, box).y > 0.9f);
    scene_close(&scene);
}

FILO_TEST(an_area_without_a_sensor_or_with_bad_numbers_does_nothing) {
    Scene scene = scene_open(0);
    FiloEntity solid = add_body(&scene, FILO_BODY_STATIC, 0, -3, BOX(2, 1));
    filo_add(scene.world, solid, FiloArea2);
    filo_edit(scene.world, solid, FiloArea2)->gravity.y = 50;
    FiloEntity alone = filo_create(scene.world, FILO_SET(FiloArea2, .gravity = { 0, 50 }));
    add_area(&scene, 20, 0, BOX(5, 50), (FiloArea2){ .gravity = { NAN, 0 } });
    add_area(&scene, 30, 0, BOX(5, 50), (FiloArea2){ .drag = -1, .wind = { 5, 5 } });
    FiloEntity a = add_body(&scene, FILO_BODY_DYNAMIC, 0, -1.5f, BALL(0.5f));
    FiloEntity b = add_body(&scene, FILO_BODY_DYNAMIC, 20, 0, BALL(0.5f));
    FiloEntity c = add_body(&scene, FILO_BODY_DYNAMIC, 30, 0, BALL(0.5f));
    run(&scene, 60);
    assert_near(at(&scene, a).y, -1.5f, 0.01f);
    assert_near(body_of(&scene, b).velocity.y, -9.81f, 0.01f);
    assert_near(body_of(&scene, c).velocity.y, -9.81f, 0.01f);
    assert_near(body_of(&scene, c).velocity.x, 0, 0.01f);
    assert_true(filo_entity_exists(scene.world, alone));
    scene_close(&scene);
}

static uint64_t hash_with_areas(int threads) {
    Scene scene = scene_open(threads);
    add_ground(&scene);
    for (int i = 0; i < 20; i++)
        add_area(&scene, (float)i * 3 - 30, 5, i % 2 == 0 ? BOX(4, 3) : BALL(3),
                 (FiloArea2){ .priority = i * 7 % 5,
                              .gravity = { (float)(i % 3), (float)(i % 4) },
                              .flags = i % 5 == 0 ? FILO_AREA_REPLACE : 0,
                              .wind = { (float)(i % 4), 1 },
                              .drag = (float)(i % 3) });
    for (int i = 0; i < 600; i++)
        add_body(&scene, FILO_BODY_DYNAMIC, (float)(i % 60) - 30, 1 + (float)(i / 60),
                 i % 2 == 0 ? BALL(0.4f) : BOX(0.4f, 0.4f));
    for (int i = 0; i < 100; i++) {
        if (i % 20 == 10)
            filo_physics2_explode(scene.world, &(FiloExplosion2){ .centre = { (float)i - 50, 1 },
                                                                  .radius = 3,
                                                                  .falloff = 5,
                                                                  .impulse = 5,
                                                                  .line_of_sight = i == 30 });
        run(&scene, 1);
    }
    uint64_t hash = filo_world_hash(scene.world);
    scene_close(&scene);
    return hash;
}

FILO_TEST(areas_and_explosions_give_the_same_bits_on_any_number_of_threads) {
    uint64_t one = hash_with_areas(0);
    int threads[] = { 1, 2, 8 };
    for (size_t i = 0; i < FILO_COUNT_OF(threads); i++) assert_true(hash_with_areas(threads[i]) == one);
}

FILO_TEST(a_restored_world_does_not_wake_its_areas) {
    Scene scene = scene_open(0);
    add_ground(&scene);
    add_area(&scene, 0, 0, BOX(3, 3), (FiloArea2){ .damping = 1 });
    FiloEntity box = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0.5f, BOX(0.5f, 0.5f));
    run(&scene, 120);
    FiloBytes bytes = { 0 };
    assert_ok(filo_world_save_bytes(scene.world, &bytes, NULL));
    Scene second = scene_open(0);
    assert_ok(filo_world_load_bytes(second.world, bytes.items, bytes.count, "areas", NULL));
    run(&scene, 5);
    run(&second, 5);
    assert_true(is_asleep(&second, box));
    assert_true(filo_world_hash(scene.world) == filo_world_hash(second.world));
    filo_array_deinit(&bytes);
    scene_close(&second);
    scene_close(&scene);
}
