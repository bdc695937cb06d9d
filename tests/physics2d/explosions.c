// Explosions push bodies away from a point.

#include "physics2d/scene.h"

#include <math.h>

FILO_TEST(an_explosion_pushes_bodies_away_and_less_where_it_is_far) {
    Scene scene = scene_open(0);
    set_gravity(&scene, 0, 0);
    FiloEntity near = add_body(&scene, FILO_BODY_DYNAMIC, 2, 0, BALL(0.5f));
    FiloEntity middle = add_body(&scene, FILO_BODY_DYNAMIC, 0, 4.5f, BALL(0.5f));
    FiloEntity far = add_body(&scene, FILO_BODY_DYNAMIC, -20, 0, BALL(0.5f));
    FiloEntity wall = add_body(&scene, FILO_BODY_STATIC, 0, -3, BOX(1, 1));
    run(&scene, 1);
    FiloExplosion2 explosion = { .radius = 2, .falloff = 4, .impulse = 3 };
    assert_int_equal(filo_physics2_explode(scene.world, &explosion), 2);
    float mass = filo_physics2_mass(scene.world, near).mass;
    assert_near(body_of(&scene, near).velocity.x, 3 / mass, 0.001f);
    assert_near(body_of(&scene, near).velocity.y, 0, 0.001f);
    // 4 units away: half of the way through the falloff.
    assert_near(body_of(&scene, middle).velocity.y, 1.5f / mass, 0.001f);
    assert_near(filo_vec2_length(body_of(&scene, far).velocity), 0, 1e-6f);
    run(&scene, 30);
    assert_near(at(&scene, near).x, 2 + 0.5f * 3 / mass, 0.1f);
    assert_near(at(&scene, wall).y, -3, 1e-6f);
    scene_close(&scene);
}

FILO_TEST(an_explosion_turns_bodies_that_it_pushes_off_their_centre) {
    Scene scene = scene_open(0);
    set_gravity(&scene, 0, 0);
    FiloEntity beam = add_body(&scene, FILO_BODY_DYNAMIC, 3, 2, BOX(0.2f, 3));
    run(&scene, 1);
    assert_int_equal(filo_physics2_explode(scene.world, &(FiloExplosion2){ .radius = 5, .impulse = 1 }), 1);
    FiloMass2 mass = filo_physics2_mass(scene.world, beam);
    assert_near(body_of(&scene, beam).velocity.x, 1 / mass.mass, 1e-4f);
    assert_near(body_of(&scene, beam).angular_velocity, 2 * 1 / mass.inertia, 1e-3f);
    scene_close(&scene);
}

FILO_TEST(an_explosion_wakes_bodies_and_spares_those_behind_a_wall) {
    Scene scene = scene_open(0);
    add_ground(&scene);
    add_body(&scene, FILO_BODY_STATIC, 3, 1, BOX(0.2f, 1));
    FiloEntity seen = add_body(&scene, FILO_BODY_DYNAMIC, -5, 0.5f, BOX(0.5f, 0.5f));
    FiloEntity hidden = add_body(&scene, FILO_BODY_DYNAMIC, 5, 0.5f, BOX(0.5f, 0.5f));
    run(&scene, 120);
    assert_true(is_asleep(&scene, seen));
    FiloExplosion2 explosion = { .centre = { 0, 0.5f }, .radius = 10, .impulse = 5, .line_of_sight = true };
    assert_int_equal(filo_physics2_explode(scene.world, &explosion), 1);
    run(&scene, 2);
    assert_true(body_of(&scene, seen).velocity.x < -3);
    assert_true(is_asleep(&scene, hidden));
    explosion.line_of_sight = false;
    assert_int_equal(filo_physics2_explode(scene.world, &explosion), 2);
    run(&scene, 2);
    assert_true(body_of(&scene, hidden).velocity.x > 3);
    scene_close(&scene);
}

FILO_TEST(layers_and_an_exception_limit_an_explosion) {
    Scene scene = scene_open(0);
    set_gravity(&scene, 0, 0);
    FiloShape2 other = BALL(0.5f);
    other.layers = 4;
    FiloEntity a = add_body(&scene, FILO_BODY_DYNAMIC, 2, 0, BALL(0.5f));
    FiloEntity b = add_body(&scene, FILO_BODY_DYNAMIC, -2, 0, other);
    FiloEntity inside = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0.2f, BALL(0.5f));
    run(&scene, 1);
    FiloExplosion2 explosion = { .radius = 5, .impulse = 1, .layers = 4 };
    assert_int_equal(filo_physics2_explode(scene.world, &explosion), 1);
    assert_true(body_of(&scene, b).velocity.x < 0 && body_of(&scene, a).velocity.x == 0);
    explosion = (FiloExplosion2){ .radius = 5, .impulse = 1, .except = a };
    assert_int_equal(filo_physics2_explode(scene.world, &explosion), 2);
    assert_true(body_of(&scene, a).velocity.x == 0);
    assert_true(body_of(&scene, inside).velocity.y > 0); // away from the centre, though that is inside
    scene_close(&scene);
}

FILO_TEST(a_bad_explosion_does_nothing) {
    Scene scene = scene_open(0);
    FiloEntity ball = add_body(&scene, FILO_BODY_DYNAMIC, 2, 0, BALL(0.5f));
    run(&scene, 1);
    FiloBody2 before = body_of(&scene, ball);
    FiloExplosion2 bad[] = { { .centre = { NAN, 0 }, .radius = 5, .impulse = 1 },
                             { .radius = INFINITY, .impulse = 1 },
                             { .radius = 5, .impulse = NAN },
                             { .radius = -5, .falloff = 20, .impulse = 1 } };
    for (size_t i = 0; i < FILO_COUNT_OF(bad); i++)
        assert_int_equal(filo_physics2_explode(scene.world, &bad[i]), 0);
    expect_fault("pass a FiloExplosion2 that says what explodes",
                 assert_int_equal(filo_physics2_explode(scene.world, NULL), 0));
    assert_true(body_of(&scene, ball).velocity.y == before.velocity.y);
    scene_close(&scene);
}

FILO_TEST(what_was_destroyed_since_the_last_step_is_not_pushed) {
    Scene scene = scene_open(0);
    FiloEntity ball = add_body(&scene, FILO_BODY_DYNAMIC, 2, 0, BALL(0.5f));
    add_body(&scene, FILO_BODY_DYNAMIC, -2, 0, BALL(0.5f));
    run(&scene, 1);
    filo_entity_destroy(scene.world, ball);
    FiloExplosion2 bomb = { .radius = 5, .impulse = 1 };
    assert_int_equal(filo_physics2_explode(scene.world, &bomb), 1);
    scene_close(&scene);
}

static void explode_once(FiloIter *it) {
    if (*(int *)it->user == 0) return;
    *(int *)it->user = 0;
    filo_physics2_explode(it->world, &(FiloExplosion2){ .radius = 5, .impulse = 1 });
}

FILO_TEST(a_system_can_let_something_explode) {
    Scene scene = scene_open(2);
    set_gravity(&scene, 0, 0);
    int armed = 0;
    filo_system_add(scene.world, &(FiloSystemDesc){
                                     .name = "bomb",
                                     .run = explode_once,
                                     .user = &armed,
                                     .once = true,
                                     .extra_access = { FILO_WRITE(FiloBody2), FILO_READ(FiloTransform2) } });
    FiloEntity ball = add_body(&scene, FILO_BODY_DYNAMIC, 2, 0, BALL(0.5f));
    run(&scene, 100); // asleep
    armed = 1;
    run(&scene, 1);
    assert_true(at(&scene, ball).x > 2.01f);
    scene_close(&scene);
}
