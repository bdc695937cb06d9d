// Fast bodies pass through nothing.

#include "physics2d/scene.h"

static void let_fly(const Scene *scene, FiloEntity body, float speed, uint32_t flags) {
    FiloPhysics2 *settings = filo_edit_global(scene->world, FiloPhysics2);
    settings->gravity = filo_vec2(0, 0);
    settings->maximum_speed = 1e6f;
    FiloBody2 *component = filo_edit(scene->world, body, FiloBody2);
    component->velocity = filo_vec2(speed, 0);
    component->flags = flags;
}

FILO_TEST(fast_bodies_do_not_pass_through_static_ones) {
    FiloShape2 line = { .kind = FILO_SHAPE_SEGMENT, .points = { { 0, -50 }, { 0, 50 } } };
    FiloShape2 shapes[] = { BALL(0.1f), BOX(0.1f, 0.1f), CAPSULE(0.2f, 0.05f) };
    float speeds[] = { 100, 1000, 60000 };
    for (size_t i = 0; i < FILO_COUNT_OF(shapes); i++)
        for (size_t k = 0; k < FILO_COUNT_OF(speeds); k++) {
            Scene scene = scene_open(0);
            add_body(&scene, FILO_BODY_STATIC, 20, 0, line);
            FiloEntity body = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0.3f, shapes[i]);
            let_fly(&scene, body, speeds[k], 0);
            filo_edit(scene.world, body, FiloBody2)->angular_velocity = 30;
            run(&scene, 60);
            if (!(at(&scene, body).x < 20))
                fail_msg("shape %zu at speed %g: %g", i, (double)speeds[k], (double)at(&scene, body).x);
            scene_close(&scene);
        }
}

FILO_TEST(bullets_do_not_pass_through_moving_bodies) {
    for (int bullet = 0; bullet < 2; bullet++) {
        Scene scene = scene_open(0);
        FiloEntity wall = add_body(&scene, FILO_BODY_DYNAMIC, 500, 0, BOX(0.1f, 5));
        FiloEntity ball = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0, BALL(0.1f));
        let_fly(&scene, ball, 60000, bullet ? FILO_BODY_BULLET : 0);
        run(&scene, 30);
        assert_int_equal(at(&scene, ball).x < at(&scene, wall).x, bullet == 1);
        assert_int_equal(body_of(&scene, wall).velocity.x > 0, bullet == 1);
        scene_close(&scene);
    }
}

// A bat on a hinge turns by half a radian in a step, past where the ball is at the end of that step.
FILO_TEST(a_bat_does_not_turn_past_a_bullet) {
    int hits = 0;
    for (int i = 0; i < 40; i++) {
        Scene scene = scene_open(0);
        float distance = 0.5f + 0.02f * (float)i;
        FiloEntity bat = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0,
                                  (FiloShape2){ .kind = FILO_SHAPE_CAPSULE,
                                                .points = { { 0, 0 }, { 2, 0 } },
                                                .radius = 0.1f,
                                                .density = 10 });
        filo_create(scene.world, FILO_SET(FiloJoint2, .b = bat, .flags = FILO_JOINT_MOTOR, .motor_speed = 30,
                                          .motor_force = 1e5f));
        FiloEntity ball = add_body(&scene, FILO_BODY_DYNAMIC, 1.5f, distance, BALL(0.1f));
        let_fly(&scene, ball, 0, FILO_BODY_BULLET);
        FiloVec2 before = filo_vec2(0, i % 2 == 0 ? -20.0f : 0.0f);
        filo_edit(scene.world, ball, FiloBody2)->velocity = before;
        run(&scene, 5);
        hits += filo_vec2_distance(body_of(&scene, ball).velocity, before) > 10;
        scene_close(&scene);
    }
    assert_int_equal(hits, 40);
}

// Two bullets whose paths cross, at the same time, at any angle and with shapes of all kinds.
FILO_TEST(fast_bullets_do_not_pass_through_each_other) {
    FiloShape2 shapes[] = { BALL(0.2f), BOX(0.3f, 0.1f), CAPSULE(0.4f, 0.1f) };
    for (uint64_t i = 0; i < 300; i++) {
        FiloRandom random = filo_random_keyed(9, i, 0, 0);
        Scene scene = scene_open(0);
        FiloEntity bullets[2];
        FiloVec2 velocities[2];
        float steps = 0.1f + 3 * filo_random_float(&random); // until they meet
        for (int k = 0; k < 2; k++) {
            float angle = FILO_PI * (float)k + filo_random_float(&random) * 2;
            float speed = (k == 0 || i % 3 != 0 ? 60000 : 100) * (0.2f + filo_random_float(&random));
            velocities[k] = filo_vec2_scale(filo_vec2_from_angle(angle), speed);
            bullets[k] = add_body(&scene, FILO_BODY_DYNAMIC, -velocities[k].x / 60 * steps,
                                  -velocities[k].y / 60 * steps,
                                  shapes[filo_random_below(&random, FILO_COUNT_OF(shapes))]);
            let_fly(&scene, bullets[k], 0, FILO_BODY_BULLET);
            filo_edit(scene.world, bullets[k], FiloBody2)->velocity = velocities[k];
        }
        run(&scene, 6);
        for (int k = 0; k < 2; k++)
            if (filo_vec2_distance(body_of(&scene, bullets[k]).velocity, velocities[k]) < 1)
                fail_msg("pair %d, bullet %d: nothing has changed its velocity", (int)i, k);
        scene_close(&scene);
    }
}

// Balls in a narrow tube stay in order, whatever their speeds are.
FILO_TEST(fast_bullets_in_a_tube_stay_in_order) {
    enum { COUNT = 12 };
    Scene scene = scene_open(0);
    FiloEntity balls[COUNT];
    for (int i = 0; i < 2; i++) {
        add_body(&scene, FILO_BODY_STATIC, i == 0 ? -301.0f : 301.0f, 0, BOX(1, 5));
        add_body(&scene, FILO_BODY_STATIC, 0, i == 0 ? -1.21f : 1.21f, BOX(310, 1));
    }
    for (int i = 0; i < COUNT; i++) {
        FiloShape2 shape = BALL(0.2f);
        shape.restitution = 1;
        shape.friction = FILO_FRICTION_NONE;
        balls[i] = add_body(&scene, FILO_BODY_DYNAMIC, -220 + 40 * (float)i, 0, shape);
        let_fly(&scene, balls[i], (i % 3 == 0 ? 40000.0f : -31000.0f) + 700 * (float)i, FILO_BODY_BULLET);
    }
    for (int step = 0; step < 300; step++) {
        run(&scene, 1);
        for (int i = 1; i < COUNT; i++)
            if (!(at(&scene, balls[i - 1]).x < at(&scene, balls[i]).x))
                fail_msg("step %d: ball %d is past the next one", step, i - 1);
        assert_true(at(&scene, balls[0]).x > -301 && at(&scene, balls[COUNT - 1]).x < 301);
    }
    scene_close(&scene);
}

// Bullets from all sides, in steps in which many of them meet, beside slow ones and a wall.
FILO_TEST(meetings_are_the_same_on_any_number_of_threads) {
    uint64_t first = 0;
    for (int threads = 0; threads <= 16; threads = threads == 0 ? 1 : 2 * threads) {
        Scene scene = scene_open(threads);
        add_body(&scene, FILO_BODY_STATIC, 150, 0, BOX(0.1f, 100));
        for (uint64_t i = 0; i < 400; i++) {
            FiloRandom random = filo_random_keyed(3, i, 0, 0);
            FiloVec2 out = filo_vec2_from_angle(FILO_TAU * filo_random_float(&random));
            float distance = 100 + 200 * filo_random_float(&random);
            FiloEntity bullet = add_body(&scene, FILO_BODY_DYNAMIC, distance * out.x, distance * out.y,
                                         i % 2 == 0 ? BALL(0.5f) : BOX(0.8f, 0.3f));
            let_fly(&scene, bullet, 0, FILO_BODY_BULLET);
            FiloBody2 *body = filo_edit(scene.world, bullet, FiloBody2);
            body->velocity = filo_vec2_scale(out, i % 8 == 0 ? -10 : -20000 * filo_random_float(&random));
            body->angular_velocity = 20;
        }
        run(&scene, 12);
        uint64_t hash = filo_world_hash(scene.world);
        if (threads == 0) first = hash;
        assert_int_equal(hash, first);
        scene_close(&scene);
    }
}

FILO_TEST(bullets_of_a_layer_that_their_mask_leaves_out_pass_each_other) {
    Scene scene = scene_open(0);
    FiloShape2 shape = BALL(0.2f);
    shape.layers = 2;
    shape.mask = ~2u;
    FiloEntity bullets[2];
    for (int k = 0; k < 2; k++) {
        bullets[k] = add_body(&scene, FILO_BODY_DYNAMIC, k == 0 ? -10 : 10, 0, shape);
        let_fly(&scene, bullets[k], k == 0 ? 6000 : -6000, FILO_BODY_BULLET);
    }
    run(&scene, 1);
    assert_true(at(&scene, bullets[0]).x > 80 && at(&scene, bullets[1]).x < -80);
    scene_close(&scene);
}

FILO_TEST(a_setting_switches_it_off) {
    Scene scene = scene_open(0);
    add_body(&scene, FILO_BODY_STATIC, 20.3f, 0, BOX(0.05f, 50));
    FiloEntity body = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0, BALL(0.1f));
    let_fly(&scene, body, 6000, 0);
    filo_edit_global(scene.world, FiloPhysics2)->no_continuous = true;
    run(&scene, 10);
    assert_true(at(&scene, body).x > 100);
    scene_close(&scene);
}

FILO_TEST(fast_bodies_bounce_off_and_stay_in_a_box) {
    Scene scene = scene_open(2);
    add_body(&scene, FILO_BODY_STATIC, 0, -10.1f, BOX(11, 0.1f));
    add_body(&scene, FILO_BODY_STATIC, 0, 10.1f, BOX(11, 0.1f));
    add_body(&scene, FILO_BODY_STATIC, -10.1f, 0, BOX(0.1f, 11));
    add_body(&scene, FILO_BODY_STATIC, 10.1f, 0, BOX(0.1f, 11));
    FiloEntity bodies[60];
    for (int i = 0; i < 60; i++) {
        FiloShape2 shape = i % 2 == 0 ? BALL(0.2f) : BOX(0.2f, 0.1f);
        shape.restitution = 1;
        bodies[i] =
            add_body(&scene, FILO_BODY_DYNAMIC, (float)(i % 8) * 2 - 7, (float)(i / 8) * 2 - 7, shape);
        let_fly(&scene, bodies[i], 300, 0);
        filo_edit(scene.world, bodies[i], FiloBody2)->velocity.y = (float)(i * 7 % 60) * 10;
    }
    for (int tick = 0; tick < 200; tick++) {
        run(&scene, 1);
        for (int i = 0; i < 60; i++) {
            FiloVec2 p = at(&scene, bodies[i]);
            if (!(filo_abs(p.x) < 10.2f && filo_abs(p.y) < 10.2f))
                fail_msg("body %d left in tick %d: %g, %g", i, tick, (double)p.x, (double)p.y);
        }
    }
    scene_close(&scene);
}
