// Bodies fall, land, slide, bounce, roll and come to rest as they should.

#include "physics2d/scene.h"

FILO_TEST(a_body_falls_as_in_a_textbook) {
    Scene scene = scene_open(0);
    FiloEntity ball = add_body(&scene, FILO_BODY_DYNAMIC, 0, 100, BALL(0.5f));
    run(&scene, 60);
    assert_near(at(&scene, ball).y, 100 - 0.5f * 9.81f, 0.05f);
    assert_near(body_of(&scene, ball).velocity.y, -9.81f, 0.001f);
    scene_close(&scene);
}

FILO_TEST(every_shape_lands_on_the_ground_and_rests) {
    Scene scene = scene_open(0);
    add_ground(&scene);
    FiloShape2 triangle = { .kind = FILO_SHAPE_POLYGON,
                            .point_count = 3,
                            .points = { { -0.5f, -0.5f }, { 0.5f, -0.5f }, { 0, 0.5f } } };
    FiloShape2 round_box = { .kind = FILO_SHAPE_BOX, .half_size = { 0.4f, 0.4f }, .radius = 0.1f };
    FiloShape2 shapes[] = { BALL(0.5f), BOX(0.5f, 0.5f), CAPSULE(0.5f, 0.5f), triangle, round_box };
    FiloEntity bodies[FILO_COUNT_OF(shapes)];
    for (size_t i = 0; i < FILO_COUNT_OF(shapes); i++)
        bodies[i] = add_body(&scene, FILO_BODY_DYNAMIC, (float)i * 3, 3, shapes[i]);
    run(&scene, 240);
    for (size_t i = 0; i < FILO_COUNT_OF(shapes); i++) {
        assert_near(at(&scene, bodies[i]).y, 0.5f, 0.01f);
        assert_near(at(&scene, bodies[i]).x, (float)i * 3, 0.01f);
        assert_true(is_asleep(&scene, bodies[i]));
        assert_true(body_of(&scene, bodies[i]).velocity.y == 0);
    }
    scene_close(&scene);
}

FILO_TEST(a_body_lands_on_a_segment) {
    Scene scene = scene_open(0);
    FiloShape2 line = { .kind = FILO_SHAPE_SEGMENT, .points = { { -10, 0 }, { 10, 0 } } };
    add_body(&scene, FILO_BODY_STATIC, 0, 0, line);
    FiloEntity box = add_body(&scene, FILO_BODY_DYNAMIC, 0, 2, BOX(0.5f, 0.5f));
    FiloEntity ball = add_body(&scene, FILO_BODY_DYNAMIC, 3, 2, BALL(0.5f));
    FiloEntity capsule = add_body(&scene, FILO_BODY_DYNAMIC, -3, 2, CAPSULE(0.5f, 0.5f));
    run(&scene, 200);
    assert_near(at(&scene, box).y, 0.5f, 0.01f);
    assert_near(at(&scene, ball).y, 0.5f, 0.01f);
    assert_near(at(&scene, capsule).y, 0.5f, 0.01f);
    scene_close(&scene);
}

FILO_TEST(a_kinematic_body_carries_what_lies_on_it) {
    Scene scene = scene_open(0);
    FiloEntity lift = add_body(&scene, FILO_BODY_KINEMATIC, 0, 0, BOX(2, 0.5f));
    FiloEntity box = add_body(&scene, FILO_BODY_DYNAMIC, 0, 1.1f, BOX(0.5f, 0.5f));
    run(&scene, 60);
    filo_edit(scene.world, lift, FiloBody2)->velocity = filo_vec2(1, 0.5f);
    run(&scene, 120);
    assert_near(at(&scene, lift).x, 2, 0.01f);
    assert_near(at(&scene, box).x, 2, 0.1f);
    assert_near(at(&scene, box).y, 2, 0.02f);
    scene_close(&scene);
}

// On a slope, a box stays if the slope is less than its friction, and slides if it is more.
static float slide(float friction, float slope) {
    Scene scene = scene_open(0);
    no_sleep(&scene);
    FiloShape2 ground = BOX(50, 1), box = BOX(0.5f, 0.5f);
    ground.friction = box.friction = friction;
    float angle = filo_atan(slope);
    FiloEntity plane = add_body(&scene, FILO_BODY_STATIC, 0, 0, ground);
    filo_edit(scene.world, plane, FiloTransform2)->rotation = angle;
    FiloVec2 up = filo_vec2_rotate(filo_vec2(0, 1.5f), angle);
    FiloEntity body = add_body(&scene, FILO_BODY_DYNAMIC, up.x, up.y, box);
    filo_edit(scene.world, body, FiloTransform2)->rotation = angle;
    run(&scene, 120);
    float distance = filo_vec2_distance(at(&scene, body), up);
    scene_close(&scene);
    return distance;
}

FILO_TEST(friction_holds_up_to_its_angle) {
    assert_true(slide(0.5f, 0.48f) < 0.02f);
    float far = slide(0.5f, 0.6f), angle = filo_atan(0.6f);
    float expected = 0.5f * 4 * 9.81f * (filo_sin(angle) - 0.5f * filo_cos(angle));
    assert_near(far, expected, 0.1f);
    assert_near(slide(FILO_FRICTION_NONE, 0.6f), 0.5f * 4 * 9.81f * filo_sin(angle), 0.2f);
}

static float bounce_height(float restitution) {
    Scene scene = scene_open(0);
    add_ground(&scene);
    FiloShape2 ball = BALL(0.5f);
    ball.restitution = restitution;
    FiloEntity body = add_body(&scene, FILO_BODY_DYNAMIC, 0, 5.5f, ball);
    float highest = 0;
    bool down = false;
    for (int i = 0; i < 150; i++) {
        run(&scene, 1);
        down = down || body_of(&scene, body).velocity.y > 0;
        if (down) highest = filo_max(highest, at(&scene, body).y - 0.5f);
    }
    scene_close(&scene);
    return highest;
}

FILO_TEST(a_ball_bounces_to_the_height_of_its_restitution) {
    assert_near(bounce_height(1), 5, 0.25f);
    assert_near(bounce_height(0.5f), 1.25f, 0.1f);
    assert_near(bounce_height(0), 0, 0.01f);
}

FILO_TEST(momentum_is_preserved) {
    Scene scene = scene_open(0);
    set_gravity(&scene, 0, 0);
    FiloEntity bodies[40];
    FiloRandom random = filo_random_keyed(1, 2, 3, 4);
    FiloVec2 before = { 0, 0 }, after = { 0, 0 };
    for (int i = 0; i < 40; i++) {
        float x = filo_random_float(&random) * 8 - 4, y = filo_random_float(&random) * 8 - 4;
        bodies[i] = add_body(&scene, FILO_BODY_DYNAMIC, x, y, i % 2 == 0 ? BALL(0.4f) : BOX(0.3f, 0.5f));
        filo_edit(scene.world, bodies[i], FiloBody2)->velocity = filo_vec2(-x * 2 + 1, -y * 2);
    }
    run(&scene, 1);
    for (int i = 0; i < 40; i++)
        before = filo_vec2_add_scaled(before, body_of(&scene, bodies[i]).velocity,
                                      filo_physics2_mass(scene.world, bodies[i]).mass);
    run(&scene, 200);
    for (int i = 0; i < 40; i++)
        after = filo_vec2_add_scaled(after, body_of(&scene, bodies[i]).velocity,
                                     filo_physics2_mass(scene.world, bodies[i]).mass);
    assert_near(after.x, before.x, 0.01f);
    assert_near(after.y, before.y, 0.01f);
    scene_close(&scene);
}

FILO_TEST(mass_follows_from_shapes) {
    Scene scene = scene_open(0);
    FiloShape2 box = BOX(1, 0.5f);
    box.density = 3;
    box.centre = filo_vec2(2, 0);
    FiloEntity body = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0, box);
    run(&scene, 1);
    FiloMass2 mass = filo_physics2_mass(scene.world, body);
    assert_near(mass.mass, 6, 1e-5f);
    assert_near(mass.inertia, 6.0f * (4 + 1) / 12, 1e-4f);
    assert_near(mass.centre.x, 2, 1e-5f);
    filo_edit(scene.world, body, FiloBody2)->mass = 12;
    run(&scene, 1);
    mass = filo_physics2_mass(scene.world, body);
    assert_near(mass.mass, 12, 1e-5f);
    assert_near(mass.inertia, 12.0f * (4 + 1) / 12, 1e-4f);
    scene_close(&scene);
}

FILO_TEST(impulses_and_forces_change_the_velocity) {
    Scene scene = scene_open(0);
    set_gravity(&scene, 0, 0);
    FiloEntity box = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0, BOX(0.5f, 0.5f));
    run(&scene, 1);
    assert_true(filo_physics2_impulse(scene.world, box, filo_vec2(3, 0), filo_vec2(0, 0)));
    assert_near(body_of(&scene, box).velocity.x, 3, 1e-5f);
    assert_true(filo_physics2_angular_impulse(scene.world, box, 1));
    assert_near(body_of(&scene, box).angular_velocity, 6, 1e-4f);
    for (int i = 0; i < 60; i++) {
        assert_true(filo_physics2_force(scene.world, box, filo_vec2(0, 2), at(&scene, box)));
        run(&scene, 1);
    }
    assert_near(body_of(&scene, box).velocity.y, 2, 0.01f);
    scene_close(&scene);
}

// A bent shape of three entities, one of them inactive, and a body below it that does not count.
static FiloEntity add_bent(const Scene *scene) {
    FiloShape2 box = BOX(0.5f, 0.25f), ball = BALL(0.4f);
    ball.density = 3;
    FiloEntity body = add_body(scene, FILO_BODY_DYNAMIC, 2, 1, box), parts[4];
    filo_edit(scene->world, body, FiloTransform2)->rotation = 0.7f;
    for (int i = 0; i < 4; i++) {
        FiloEntity parent = i == 1 ? parts[0] : body;
        parts[i] = add_child(scene, parent, 1, (float)i, 0.5f, i % 2 == 0 ? ball : box);
    }
    filo_entity_set_active(scene->world, parts[2], false);
    filo_add(scene->world, parts[3], FiloBody2);
    filo_edit(scene->world, parts[3], FiloBody2)->kind = FILO_BODY_STATIC;
    filo_edit(scene->world, parts[3], FiloShape2)->flags = FILO_SHAPE_SENSOR;
    return body;
}

static void push(const Scene *scene, FiloEntity body) {
    assert_true(filo_physics2_impulse(scene->world, body, filo_vec2(3, 1), filo_vec2(2.5f, 3)));
    assert_true(filo_physics2_angular_impulse(scene->world, body, -0.5f));
    assert_true(filo_physics2_force(scene->world, body, filo_vec2(0, 6), filo_vec2(0, 1)));
}

FILO_TEST(a_new_body_is_pushed_like_one_that_was_in_a_step) {
    Scene fresh = scene_open(0), known = scene_open(0);
    set_gravity(&fresh, 0, 0);
    set_gravity(&known, 0, 0);
    FiloEntity a = add_bent(&fresh), b = add_bent(&known);
    run(&known, 1);
    push(&fresh, a);
    push(&known, b);
    FiloBody2 x = body_of(&fresh, a), y = body_of(&known, b);
    assert_true(x.velocity.x > 0.1f && x.angular_velocity != 0);
    assert_near(x.velocity.x, y.velocity.x, 1e-5f);
    assert_near(x.velocity.y, y.velocity.y, 1e-5f);
    assert_near(x.angular_velocity, y.angular_velocity, 1e-5f);
    assert_near(x.torque, y.torque, 1e-4f);
    run(&fresh, 1);
    run(&known, 1);
    assert_near(body_of(&fresh, a).velocity.y, body_of(&known, b).velocity.y, 1e-5f);
    scene_close(&fresh);
    scene_close(&known);
}

FILO_TEST(a_push_on_a_new_body_is_in_a_snapshot_and_the_same_on_all_threads) {
    uint64_t hash = 0;
    for (int threads = 0; threads <= 16; threads = threads == 0 ? 1 : 4 * threads) {
        Scene scene = scene_open(threads);
        push(&scene, add_bent(&scene));
        FiloSnapshot *snapshot = filo_snapshot_create(NULL);
        assert_ok(filo_snapshot_take(snapshot, scene.world));
        run(&scene, 20);
        if (threads == 0) hash = filo_world_hash(scene.world);
        assert_true(filo_world_hash(scene.world) == hash);
        assert_ok(filo_snapshot_restore(snapshot, scene.world));
        run(&scene, 20);
        assert_true(filo_world_hash(scene.world) == hash);
        filo_snapshot_destroy(snapshot);
        scene_close(&scene);
    }
}

FILO_TEST(a_body_that_becomes_dynamic_is_pushed_before_the_next_step) {
    Scene scene = scene_open(0);
    FiloEntity box = add_body(&scene, FILO_BODY_STATIC, 0, 0, BOX(0.5f, 0.5f));
    run(&scene, 1);
    assert_false(filo_physics2_impulse(scene.world, box, filo_vec2(2, 0), filo_vec2(0, 0)));
    filo_edit(scene.world, box, FiloBody2)->kind = FILO_BODY_DYNAMIC;
    assert_true(filo_physics2_impulse(scene.world, box, filo_vec2(2, 0), filo_vec2(0, 0)));
    assert_near(body_of(&scene, box).velocity.x, 2, 1e-5f);
    scene_close(&scene);
}

FILO_TEST(locked_axes_do_not_move) {
    Scene scene = scene_open(0);
    add_ground(&scene);
    FiloEntity lift = add_body(&scene, FILO_BODY_DYNAMIC, 0, 3, BOX(0.5f, 0.5f));
    filo_edit(scene.world, lift, FiloBody2)->flags = FILO_BODY_LOCK_X | FILO_BODY_FIXED_ROTATION;
    FiloEntity ball = add_body(&scene, FILO_BODY_DYNAMIC, -5, 0.5f, BALL(0.5f));
    filo_edit(scene.world, ball, FiloBody2)->velocity = filo_vec2(8, 0);
    run(&scene, 120);
    assert_near(at(&scene, lift).x, 0, 1e-4f);
    assert_true(angle_of(&scene, lift) == 0);
    assert_near(at(&scene, lift).y, 0.5f, 0.02f);
    scene_close(&scene);
}

FILO_TEST(what_changes_while_physics_is_paused_counts_afterwards) {
    Scene scene = scene_open(0);
    FiloEntity ground = add_ground(&scene);
    FiloEntity first = add_body(&scene, FILO_BODY_DYNAMIC, 0, 1, BALL(0.5f));
    run(&scene, 90);
    filo_edit_global(scene.world, FiloPhysics2)->paused = true;
    FiloEntity second = add_body(&scene, FILO_BODY_DYNAMIC, 5, 1, BALL(0.5f));
    filo_edit(scene.world, ground, FiloTransform2)->position.y = -4;
    run(&scene, 5);
    assert_near(at(&scene, second).y, 1, 1e-6f);
    filo_edit_global(scene.world, FiloPhysics2)->paused = false;
    run(&scene, 120);
    assert_near(at(&scene, first).y, -2.5f, 0.01f);
    assert_near(at(&scene, second).y, -2.5f, 0.01f);
    scene_close(&scene);
}

FILO_TEST(what_changes_in_ticks_without_time_counts_afterwards) {
    const float deltas[] = { 0, 20 }; // neither is a step
    for (size_t i = 0; i < FILO_COUNT_OF(deltas); i++) {
        Scene scene = scene_open(0);
        FiloEntity ground = add_ground(&scene);
        FiloEntity first = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0.5f, BALL(0.5f)),
                   gone = add_body(&scene, FILO_BODY_DYNAMIC, -5, 0.5f, BALL(0.5f));
        run(&scene, 90);
        assert_true(is_asleep(&scene, first));
        filo_edit(scene.world, ground, FiloTransform2)->position.y = -4;
        filo_edit(scene.world, first, FiloBody2)->velocity.x = 1;
        filo_edit(scene.world, first, FiloShape2)->radius = 1;
        filo_entity_destroy(scene.world, gone);
        FiloEntity second = add_body(&scene, FILO_BODY_DYNAMIC, 15, 1, BALL(0.5f));
        for (int k = 0; k < 3; k++) assert_ok(filo_world_tick(scene.world, deltas[i]));
        assert_near(at(&scene, first).y, 0.5f, 0.01f);
        run(&scene, 120);
        assert_near(at(&scene, first).y, -2, 0.01f);
        assert_true(at(&scene, first).x > 0.5f);
        assert_near(at(&scene, second).y, -2.5f, 0.01f);
        assert_int_equal(filo_physics2_stats(scene.world).bodies, 3);
        scene_close(&scene);
    }
}

FILO_TEST(a_static_body_does_not_inherit_the_velocity_of_a_body_before) {
    Scene scene = scene_open(0);
    FiloEntity fast = add_body(&scene, FILO_BODY_DYNAMIC, 0, 50, BOX(5, 0.5f));
    filo_edit(scene.world, fast, FiloBody2)->velocity = filo_vec2(30, 10);
    run(&scene, 10);
    filo_entity_destroy(scene.world, fast); // its slot is used again
    run(&scene, 1);
    add_ground(&scene);
    FiloEntity box = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0.5f, BOX(0.5f, 0.5f));
    run(&scene, 30);
    assert_near(at(&scene, box).x, 0, 1e-3f);
    assert_near(at(&scene, box).y, 0.5f, 0.01f);
    scene_close(&scene);
}

FILO_TEST(a_static_body_that_is_edited_and_moved_at_once_moves) {
    Scene scene = scene_open(0);
    FiloEntity wall = add_body(&scene, FILO_BODY_STATIC, 0, 0, BOX(1, 1)), found;
    run(&scene, 2);
    filo_edit(scene.world, wall, FiloBody2)->mass = 5;
    filo_edit(scene.world, wall, FiloTransform2)->position.x = 10;
    run(&scene, 1);
    assert_int_equal(filo_physics2_overlap_point(scene.world, filo_vec2(10, 0), NULL, &found, 1), 1);
    assert_int_equal(filo_physics2_overlap_point(scene.world, filo_vec2(0, 0), NULL, &found, 1), 0);
    scene_close(&scene);
}

FILO_TEST(a_body_of_fixed_rotation_does_not_turn_whatever_its_velocity_is) {
    Scene scene = scene_open(0);
    FiloEntity body = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0, BOX(1, 0.5f));
    filo_edit(scene.world, body, FiloBody2)->flags = FILO_BODY_FIXED_ROTATION;
    filo_edit(scene.world, body, FiloBody2)->angular_velocity = 2;
    run(&scene, 30);
    assert_true(filo_get(scene.world, body, FiloTransform2)->rotation == 0);
    assert_true(body_of(&scene, body).angular_velocity == 0);
    scene_close(&scene);
}

FILO_TEST(a_mass_whose_inverse_is_no_number_does_not_count) {
    static const float densities[] = { 1e-44f, 1e-40f, 1e-38f, 1e-33f, 3e38f };
    Scene scene = scene_open(0);
    FiloEntity bodies[FILO_COUNT_OF(densities)];
    for (size_t i = 0; i < FILO_COUNT_OF(densities); i++) {
        FiloShape2 shape = BOX(0.5f, 0.5f);
        shape.density = densities[i];
        bodies[i] = add_body(&scene, FILO_BODY_DYNAMIC, 3 * (float)i, 5, shape);
    }
    run(&scene, 5);
    for (size_t i = 0; i < FILO_COUNT_OF(densities); i++) {
        assert_true(filo_physics2_mass(scene.world, bodies[i]).mass == 1);
        assert_true(at(&scene, bodies[i]).y < 5);
    }
    scene_close(&scene);
}
