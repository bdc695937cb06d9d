// Chains: smooth at inner points, solid on one side.

#include "physics2d/scene.h"

#include <math.h>

static FiloEntity add_chain(const Scene *scene, const FiloVec2 *points, size_t count, bool loop,
                            bool one_way) {
    FiloEntity body = filo_create(scene->world, FILO_SET(FiloBody2, .kind = FILO_BODY_STATIC));
    FiloChain2 chain = { .loop = loop, .shape.flags = one_way ? FILO_SHAPE_ONE_WAY : 0 };
    assert_ok(filo_physics2_add_chain(scene->world, body, points, count, &chain));
    return body;
}

enum { SEGMENTS = 1000 };

static FiloEntity add_flat(const Scene *scene, bool one_way) {
    static FiloVec2 points[SEGMENTS + 1];
    for (int i = 0; i <= SEGMENTS; i++) points[i] = filo_vec2((float)i * 0.25f, 0);
    FiloEntity body = add_chain(scene, points, SEGMENTS + 1, false, one_way);
    assert_int_equal(filo_entity_child_count(scene->world, body), SEGMENTS);
    return body;
}

static void slide(FiloShape2 shape, float half, bool one_way, bool by_box) {
    Scene scene = scene_open(0);
    no_sleep(&scene);
    add_flat(&scene, one_way);
    shape.friction = FILO_FRICTION_NONE;
    FiloEntity body = add_body(&scene, FILO_BODY_DYNAMIC, 3, half, shape);
    if (by_box) filo_edit(scene.world, body, FiloTransform2)->position.y += 0.002f;
    run(&scene, 5);
    filo_edit(scene.world, body, FiloBody2)->velocity.x = 7.3f;
    for (int i = 0; i < 1800; i++) {
        run(&scene, 1);
        FiloVec2 p = at(&scene, body), v = body_of(&scene, body).velocity;
        if (filo_abs(v.x - 7.3f) > 0.01f || filo_abs(v.y) > 0.02f || filo_abs(p.y - half) > 0.005f ||
            filo_abs(body_of(&scene, body).angular_velocity) > 0.02f)
            fail_msg("tick %d: at %g %g with %g %g, turning %g", i, (double)p.x, (double)p.y, (double)v.x,
                     (double)v.y, (double)body_of(&scene, body).angular_velocity);
    }
    assert_true(at(&scene, body).x > 215);
    scene_close(&scene);
}

FILO_TEST(what_slides_over_a_flat_chain_does_not_catch) {
    FiloShape2 capsule = CAPSULE(0.5f, 0.2f);
    FiloShape2 triangle = { .kind = FILO_SHAPE_POLYGON,
                            .point_count = 3,
                            .points = { { -0.6f, -0.3f }, { 0.6f, -0.3f }, { 0, 0.4f } } };
    for (int one_way = 0; one_way < 2; one_way++) {
        slide(BALL(0.4f), 0.4f, one_way, false);
        slide(BOX(0.5f, 0.3f), 0.3f, one_way, true);
        slide(capsule, 0.2f, one_way, true);
        slide(triangle, 0.3f, one_way, true);
        slide(BOX(0.05f, 0.05f), 0.05f, one_way, true); // smaller than a segment
    }
}

// Without neighbours a fast box does catch, so the test above can fail.
FILO_TEST(a_ball_rolls_over_a_chain_without_losing_speed) {
    Scene scene = scene_open(0);
    no_sleep(&scene);
    add_flat(&scene, true);
    FiloEntity ball = add_body(&scene, FILO_BODY_DYNAMIC, 3, 0.4f, BALL(0.4f));
    filo_edit(scene.world, ball, FiloBody2)->velocity.x = 6;
    filo_edit(scene.world, ball, FiloBody2)->angular_velocity = -15;
    run(&scene, 1500);
    assert_near(body_of(&scene, ball).velocity.x, 6, 0.01f);
    assert_near(at(&scene, ball).y, 0.4f, 0.005f);
    assert_near(at(&scene, ball).x, 153, 0.5f);
    scene_close(&scene);
}

FILO_TEST(bodies_pass_through_a_one_way_chain_from_the_back) {
    FiloShape2 shapes[] = { BALL(0.4f), BOX(0.6f, 0.4f), CAPSULE(0.5f, 0.2f) };
    for (size_t i = 0; i < FILO_COUNT_OF(shapes); i++) {
        Scene scene = scene_open(0);
        add_flat(&scene, true);
        FiloEntity body = add_body(&scene, FILO_BODY_DYNAMIC, 20, -3, shapes[i]);
        filo_edit(scene.world, body, FiloBody2)->velocity = filo_vec2(1, 11);
        float previous = -3;
        for (int k = 0; k < 40; k++) {
            run(&scene, 1);
            assert_true(at(&scene, body).y > previous - 0.001f || body_of(&scene, body).velocity.y < 0);
            previous = at(&scene, body).y;
        }
        assert_true(at(&scene, body).y > 1);
        run(&scene, 240);
        assert_true(at(&scene, body).y > 0.1f && at(&scene, body).y < 0.7f); // it landed
        FiloEntity down = add_body(&scene, FILO_BODY_DYNAMIC, 40, -3, shapes[i]);
        run(&scene, 60);
        assert_true(at(&scene, down).y < -5);
        scene_close(&scene);
    }
}

FILO_TEST(both_sides_of_a_plain_chain_are_solid) {
    Scene scene = scene_open(0);
    add_flat(&scene, false);
    FiloEntity body = add_body(&scene, FILO_BODY_DYNAMIC, 20, -3, BALL(0.4f));
    filo_edit(scene.world, body, FiloBody2)->velocity.y = 11;
    float highest = -3;
    for (int i = 0; i < 60; i++) {
        run(&scene, 1);
        highest = filo_max(highest, at(&scene, body).y);
    }
    assert_near(highest, -0.4f, 0.1f);
    scene_close(&scene);
}

// Hills with inner and outer corners: nothing falls through, hops or catches.
FILO_TEST(bodies_follow_a_chain_over_hills) {
    static FiloVec2 points[401];
    for (int i = 0; i <= 400; i++) {
        float x = (float)i * 0.25f;
        points[i] = filo_vec2(x, 1.5f * filo_sincos(x * 0.4f).sin - 0.05f * x);
    }
    FiloShape2 shapes[] = { BALL(0.3f), BOX(0.3f, 0.3f), CAPSULE(0.3f, 0.2f), BOX(0.6f, 0.15f) };
    Scene scene = scene_open(2);
    add_chain(&scene, points, 401, false, true);
    FiloEntity bodies[40];
    for (int i = 0; i < 40; i++) {
        FiloShape2 shape = shapes[i % 4];
        shape.friction = 0.05f;
        bodies[i] = add_body(&scene, FILO_BODY_DYNAMIC, 5 + (float)i * 2, 4, shape);
    }
    run(&scene, 600);
    for (int i = 0; i < 40; i++) {
        FiloVec2 p = at(&scene, bodies[i]);
        if (p.x < 1 || p.x > 99) continue;
        float ground = 1.5f * filo_sincos(p.x * 0.4f).sin - 0.05f * p.x;
        if (!(p.y > ground && p.y < ground + 3))
            fail_msg("body %d at %g, ground %g", i, (double)p.y, (double)ground);
    }
    scene_close(&scene);
}

// Everything stays in a room that is a loop, and outside of an island that is one.
FILO_TEST(loops_hold_what_is_inside) {
    FiloVec2 room[40];
    for (int i = 0; i < 40; i++) {
        FiloSinCos turn = filo_sincos(FILO_TAU * (float)i / 40);
        room[i] = filo_vec2(turn.cos * 8, turn.sin * 8);
    }
    FiloVec2 island[] = { { -2, -1 }, { -2, 1 }, { 2, 1 }, { 2, -1 } }; // clockwise: solid outside
    Scene scene = scene_open(2);
    FiloEntity walls = add_chain(&scene, room, 40, true, true);
    assert_int_equal(filo_entity_child_count(scene.world, walls), 40);
    add_chain(&scene, island, 4, true, true);
    FiloEntity bodies[60];
    for (int i = 0; i < 60; i++) {
        FiloShape2 shapes[] = { BALL(0.3f), BOX(0.3f, 0.2f), CAPSULE(0.3f, 0.15f) };
        bodies[i] = add_body(&scene, FILO_BODY_DYNAMIC, (float)(i % 8) - 3.5f, 2 + (float)(i / 8) * 0.6f,
                             shapes[i % 3]);
    }
    for (int k = 0; k < 300; k++) {
        if (k % 60 == 59)
            for (int i = 0; i < 60; i++) filo_edit(scene.world, bodies[i], FiloBody2)->velocity.y = 12;
        run(&scene, 1);
    }
    for (int i = 0; i < 60; i++) {
        FiloVec2 p = at(&scene, bodies[i]);
        assert_true(filo_vec2_length(p) < 8);
        assert_true(filo_abs(p.x) > 2 || filo_abs(p.y) > 1);
    }
    scene_close(&scene);
}

FILO_TEST(a_fast_body_does_not_pass_through_a_chain) {
    Scene scene = scene_open(0);
    add_flat(&scene, true);
    FiloShape2 shapes[] = { BALL(0.1f), BOX(0.1f, 0.1f) };
    FiloEntity bodies[20];
    for (int i = 0; i < 20; i++) {
        bodies[i] = add_body(&scene, FILO_BODY_DYNAMIC, 10 + (float)i * 1.25f, 30 + (float)i, shapes[i % 2]);
        filo_edit(scene.world, bodies[i], FiloBody2)->velocity = filo_vec2((float)(i % 5) * 20, -300);
    }
    run(&scene, 60);
    for (int i = 0; i < 20; i++) assert_true(at(&scene, bodies[i]).y > 0);
    scene_close(&scene);
}

FILO_TEST(the_ends_of_an_open_chain_are_corners) {
    Scene scene = scene_open(0);
    FiloVec2 points[] = { { 0, 0 }, { 2, 0 }, { 4, 0 } };
    add_chain(&scene, points, 3, false, false);
    FiloEntity ball = add_body(&scene, FILO_BODY_DYNAMIC, -2, 0, BALL(0.3f)); // hits the end from the side
    set_gravity(&scene, 0, 0);
    filo_edit(scene.world, ball, FiloBody2)->velocity.x = 3;
    run(&scene, 60);
    assert_near(at(&scene, ball).x, -0.3f, 0.05f);
    scene_close(&scene);
}

FILO_TEST(bad_chains_are_refused) {
    Scene scene = scene_open(0);
    FiloEntity body = filo_create(scene.world, FILO_SET(FiloBody2, .kind = FILO_BODY_STATIC));
    FiloVec2 points[] = { { 0, 0 }, { 0, 0 }, { 1, 0 }, { 1, 0 }, { 1, 1 }, { 0, 0 } };
    FiloChain2 loop = { .loop = true };
    FiloResult result = filo_physics2_add_chain(scene.world, body, points, 2, NULL);
    assert_string_equal(result.message, "chain: it has 1 different points, and needs 2");
    result = filo_physics2_add_chain(scene.world, body, points, 4, &loop);
    assert_string_equal(result.message, "chain: it has 2 different points, and needs 3");
    result = filo_physics2_add_chain(scene.world, body, points, 0, NULL);
    assert_int_equal(result.code, FILO_ERROR_DATA);
    FiloVec2 bad[] = { { 0, 0 }, { 1, NAN }, { 2, 0 } };
    result = filo_physics2_add_chain(scene.world, body, bad, 3, NULL);
    assert_string_equal(result.message, "chain: point 1 is no number below 1e7");
    assert_int_equal(filo_entity_child_count(scene.world, body), 0);
    assert_ok(filo_physics2_add_chain(scene.world, body, points, 6, &loop));
    assert_int_equal(filo_entity_child_count(scene.world, body), 3);
    expect_fault(
        "pass an array of points",
        assert_int_not_equal(filo_physics2_add_chain(scene.world, body, NULL, 3, NULL).code, FILO_OK));
    run(&scene, 2);
    scene_close(&scene);
}

// Steps with right angles: bodies that fall over the edges, along walls and into corners gain no energy.
FILO_TEST(corners_of_a_chain_throw_nothing) {
    static FiloVec2 points[82];
    size_t count = 0;
    FiloRandom random = filo_random_keyed(3, 4, 5, 6);
    for (int i = 0; i < 40; i++) {
        float y = filo_random_float(&random) * 3;
        points[count++] = filo_vec2((float)i * 1.3f, y);
        points[count++] = filo_vec2((float)(i + 1) * 1.3f, y);
    }
    for (int one_way = 0; one_way < 2; one_way++) {
        Scene scene = scene_open(2);
        add_chain(&scene, points, count, false, one_way);
        FiloShape2 shapes[] = { BALL(0.3f), BOX(0.3f, 0.3f), CAPSULE(0.3f, 0.2f), BOX(0.7f, 0.15f),
                                BOX(0.1f, 0.6f) };
        FiloEntity bodies[100];
        for (int i = 0; i < 100; i++) {
            bodies[i] =
                add_body(&scene, FILO_BODY_DYNAMIC, 1 + (float)(i % 50), i < 50 ? 5 : 7, shapes[i % 5]);
            filo_edit(scene.world, bodies[i], FiloTransform2)->rotation = (float)i;
            filo_edit(scene.world, bodies[i], FiloBody2)->velocity.x = (float)(i % 7) - 3;
        }
        for (int k = 0; k < 400; k++) {
            run(&scene, 1);
            for (int i = 0; i < 100; i++) {
                FiloVec2 v = body_of(&scene, bodies[i]).velocity, p = at(&scene, bodies[i]);
                float energy = 0.5f * filo_vec2_dot(v, v) + 9.81f * p.y;
                if (!(energy < 9.81f * 7 + 4.5f + 8))
                    fail_msg("tick %d, body %d: %g at %g %g", k, i, (double)energy, (double)p.x, (double)p.y);
            }
        }
        for (int i = 0; i < 100; i++) {
            FiloVec2 p = at(&scene, bodies[i]);
            if (p.x > 0 && p.x < 52 && p.y < -0.1f) fail_msg("body %d fell through at %g", i, (double)p.x);
        }
        scene_close(&scene);
    }
}
