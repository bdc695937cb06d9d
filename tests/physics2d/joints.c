// Joints hold, turn, slide, spring, drive and break.

#include "physics2d/scene.h"

FILO_TEST(a_pendulum_keeps_its_length_and_energy) {
    Scene scene = scene_open(0);
    FiloEntity ball = add_body(&scene, FILO_BODY_DYNAMIC, 3, 0, BALL(0.2f));
    add_joint(&scene, (FiloJoint2){ .b = ball, .anchor_b = { -3, 0 } });
    float lowest = 0, highest = -10;
    for (int i = 0; i < 600; i++) {
        run(&scene, 1);
        FiloVec2 p = at(&scene, ball), v = body_of(&scene, ball).velocity;
        FiloVec2 hinge = point_of(&scene, ball, filo_vec2(-3, 0));
        assert_true(filo_vec2_length(hinge) < 0.01f);
        float w = body_of(&scene, ball).angular_velocity;
        FiloMass2 mass = filo_physics2_mass(scene.world, ball);
        float energy = 9.81f * p.y + 0.5f * filo_vec2_dot(v, v) + 0.5f * w * w * mass.inertia / mass.mass;
        lowest = filo_min(lowest, energy);
        highest = filo_max(highest, energy);
    }
    // The potential energy of the swing is 29: within 1 % over ten seconds.
    assert_true(lowest > -0.3f && highest < 0.3f);
    scene_close(&scene);
}

FILO_TEST(a_revolute_joint_has_limits_and_a_motor) {
    Scene scene = scene_open(0);
    FiloEntity arm = add_body(&scene, FILO_BODY_DYNAMIC, 1, 0, BOX(1, 0.1f));
    FiloEntity wheel = add_body(&scene, FILO_BODY_DYNAMIC, 10, 0, BALL(0.5f));
    add_joint(
        &scene,
        (FiloJoint2){
            .b = arm, .anchor_b = { -1, 0 }, .flags = FILO_JOINT_LIMIT, .lower = -0.5f, .upper = 0.5f });
    FiloEntity axle = add_joint(&scene, (FiloJoint2){ .b = wheel,
                                                      .anchor_a = { 10, 0 },
                                                      .flags = FILO_JOINT_MOTOR,
                                                      .motor_speed = 4,
                                                      .motor_force = 50 });
    run(&scene, 240);
    assert_near(angle_of(&scene, arm), -0.5f, 0.01f);
    assert_near(body_of(&scene, wheel).angular_velocity, 4, 0.01f);
    assert_near(at(&scene, wheel).y, 0, 0.01f);
    // The hinge holds the weight of the wheel.
    FiloJointForce2 held = filo_physics2_joint_force(scene.world, axle);
    assert_near(held.force.y, 9.81f * filo_physics2_mass(scene.world, wheel).mass, 0.1f);
    scene_close(&scene);
}

FILO_TEST(a_distance_joint_is_a_rod_a_rope_or_a_spring) {
    Scene scene = scene_open(0);
    FiloEntity rod = add_body(&scene, FILO_BODY_DYNAMIC, 2, 0, BALL(0.2f));
    FiloEntity rope = add_body(&scene, FILO_BODY_DYNAMIC, 10, -1, BALL(0.2f));
    FiloEntity spring = add_body(&scene, FILO_BODY_DYNAMIC, 20, -1, BALL(0.2f));
    add_joint(&scene, (FiloJoint2){ .kind = FILO_JOINT_DISTANCE, .b = rod, .length = 2 });
    add_joint(&scene, (FiloJoint2){ .kind = FILO_JOINT_DISTANCE,
                                    .b = rope,
                                    .anchor_a = { 10, 0 },
                                    .flags = FILO_JOINT_LIMIT,
                                    .upper = 3 });
    add_joint(&scene, (FiloJoint2){ .kind = FILO_JOINT_DISTANCE,
                                    .b = spring,
                                    .anchor_a = { 20, 0 },
                                    .flags = FILO_JOINT_SPRING,
                                    .length = 1,
                                    .hertz = 1,
                                    .damping = 1 });
    run(&scene, 30);
    assert_true(at(&scene, rope).y < -1.9f); // falls freely at first
    for (int i = 0; i < 300; i++) {
        run(&scene, 1);
        assert_near(filo_vec2_length(at(&scene, rod)), 2, 0.02f);
    }
    assert_near(at(&scene, rope).y, -3, 0.02f);
    // A spring of 1 Hz gives way by g / omega².
    assert_near(at(&scene, spring).y, -1 - 9.81f / (FILO_TAU * FILO_TAU), 0.02f);
    scene_close(&scene);
}

FILO_TEST(a_prismatic_joint_slides_and_does_not_turn) {
    Scene scene = scene_open(0);
    FiloEntity lift = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0, BOX(1, 0.2f));
    add_joint(&scene, (FiloJoint2){ .kind = FILO_JOINT_PRISMATIC,
                                    .b = lift,
                                    .axis = { 0, 1 },
                                    .flags = FILO_JOINT_LIMIT | FILO_JOINT_MOTOR,
                                    .lower = -1,
                                    .upper = 2,
                                    .motor_speed = 1,
                                    .motor_force = 1000 });
    FiloEntity load = add_body(&scene, FILO_BODY_DYNAMIC, 0.8f, 0.5f, BOX(0.2f, 0.2f));
    run(&scene, 60);
    assert_near(at(&scene, lift).y, 1, 0.05f);
    run(&scene, 120);
    assert_near(at(&scene, lift).y, 2, 0.02f);
    assert_near(at(&scene, lift).x, 0, 0.01f);
    assert_near(angle_of(&scene, lift), 0, 0.01f);
    assert_near(at(&scene, load).y, 2.4f, 0.03f);
    scene_close(&scene);
}

FILO_TEST(a_weld_holds_two_bodies_as_one) {
    Scene scene = scene_open(0);
    FiloEntity first = add_body(&scene, FILO_BODY_DYNAMIC, 0, 5, BOX(0.5f, 0.2f));
    FiloEntity second = add_body(&scene, FILO_BODY_DYNAMIC, 1, 5, BOX(0.5f, 0.2f));
    add_joint(&scene, (FiloJoint2){ .kind = FILO_JOINT_WELD,
                                    .a = first,
                                    .b = second,
                                    .anchor_a = { 0.5f, 0 },
                                    .anchor_b = { -0.5f, 0 } });
    filo_edit(scene.world, first, FiloBody2)->angular_velocity = 3;
    add_ground(&scene);
    run(&scene, 300);
    assert_true(gap_of(&scene, first, filo_vec2(0.5f, 0), second, filo_vec2(-0.5f, 0)) < 0.01f);
    assert_near(filo_angle_difference(angle_of(&scene, first), angle_of(&scene, second)), 0, 0.01f);
    scene_close(&scene);
}

FILO_TEST(wheels_drive_a_car) {
    Scene scene = scene_open(0);
    add_ground(&scene);
    FiloEntity car = add_body(&scene, FILO_BODY_DYNAMIC, 0, 1, BOX(1.5f, 0.3f));
    for (int i = 0; i < 2; i++) {
        float x = i == 0 ? -1.0f : 1.0f;
        FiloShape2 tyre = BALL(0.4f);
        tyre.friction = 1.5f;
        FiloEntity wheel = add_body(&scene, FILO_BODY_DYNAMIC, x, 0.5f, tyre);
        add_joint(&scene, (FiloJoint2){ .kind = FILO_JOINT_WHEEL,
                                        .a = car,
                                        .b = wheel,
                                        .anchor_a = { x, -0.5f },
                                        .axis = { 0, 1 },
                                        .flags = FILO_JOINT_SPRING | FILO_JOINT_LIMIT | FILO_JOINT_MOTOR,
                                        .lower = -0.3f,
                                        .upper = 0.3f,
                                        .hertz = 4,
                                        .motor_speed = -10,
                                        .motor_force = 5 });
    }
    run(&scene, 300);
    assert_true(at(&scene, car).x > 5);
    assert_near(at(&scene, car).y, 0.9f, 0.2f);
    scene_close(&scene);
}

FILO_TEST(a_mouse_joint_drags_a_body) {
    Scene scene = scene_open(0);
    add_ground(&scene);
    FiloEntity box = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0.5f, BOX(0.5f, 0.5f));
    run(&scene, 100);
    FiloEntity mouse = add_joint(
        &scene,
        (FiloJoint2){ .kind = FILO_JOINT_MOUSE, .b = box, .anchor_a = { 4, 5 }, .motor_force = 1000 });
    run(&scene, 200);
    assert_near(at(&scene, box).x, 4, 0.1f);
    assert_near(at(&scene, box).y, 5, 0.2f);
    filo_edit(scene.world, mouse, FiloJoint2)->anchor_a.x = -4;
    run(&scene, 200);
    assert_near(at(&scene, box).x, -4, 0.1f);
    filo_entity_destroy(scene.world, mouse);
    run(&scene, 200);
    assert_near(at(&scene, box).y, 0.5f, 0.02f);
    scene_close(&scene);
}

FILO_TEST(a_joint_breaks_at_its_force) {
    Scene scene = scene_open(0);
    FiloEntity light = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0, BOX(0.5f, 0.5f));
    FiloEntity heavy = add_body(&scene, FILO_BODY_DYNAMIC, 5, 0, BOX(1, 1));
    FiloEntity holds = add_joint(&scene, (FiloJoint2){ .b = light, .break_force = 20 });
    FiloEntity breaks =
        add_joint(&scene, (FiloJoint2){ .b = heavy, .anchor_a = { 5, 0 }, .break_force = 20 });
    run(&scene, 60);
    assert_true(filo_entity_exists(scene.world, holds));
    assert_false(filo_entity_exists(scene.world, breaks));
    assert_near(at(&scene, light).y, 0, 0.01f);
    assert_true(at(&scene, heavy).y < -3);
    scene_close(&scene);
}

FILO_TEST(a_chain_of_two_hundred_links_with_a_heavy_end_does_not_stretch_much) {
    Scene scene = scene_open(0);
    no_sleep(&scene);
    FiloEntity previous = FILO_ENTITY_NONE;
    for (int i = 0; i < 200; i++) {
        FiloShape2 shape = i == 199 ? BOX(1, 1) : BOX(0.125f, 0.05f);
        shape.group = -1;
        FiloEntity link = add_body(&scene, FILO_BODY_DYNAMIC, 0.25f * (float)i + 0.125f, 0, shape);
        add_joint(&scene, (FiloJoint2){ .a = previous,
                                        .b = link,
                                        .anchor_a = { i > 0 ? 0.125f : 0, 0 },
                                        .anchor_b = { -0.125f, 0 } });
        previous = link;
    }
    run(&scene, 900);
    // 50 units long, with an end that is 160 times as heavy as a link: stretched by less than 5 %.
    float length = filo_vec2_length(at(&scene, previous));
    assert_true(length < 52.5f);
    scene_close(&scene);
}

FILO_TEST(joints_of_what_is_gone_do_nothing) {
    Scene scene = scene_open(0);
    add_ground(&scene);
    FiloEntity a = add_body(&scene, FILO_BODY_DYNAMIC, 0, 3, BALL(0.5f));
    FiloEntity b = add_body(&scene, FILO_BODY_DYNAMIC, 2, 3, BALL(0.5f));
    add_joint(&scene, (FiloJoint2){ .kind = FILO_JOINT_DISTANCE, .a = a, .b = b, .length = 2 });
    add_joint(&scene, (FiloJoint2){ .a = b, .b = b });
    add_joint(&scene, (FiloJoint2){ 0 });
    run(&scene, 20);
    filo_entity_destroy(scene.world, a);
    run(&scene, 100);
    assert_near(at(&scene, b).y, 0.5f, 0.02f);
    scene_close(&scene);
}

FILO_TEST(jointed_bodies_come_to_rest_and_wake_together) {
    Scene scene = scene_open(0);
    add_ground(&scene);
    FiloEntity a = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0.5f, BOX(0.5f, 0.5f));
    FiloEntity b = add_body(&scene, FILO_BODY_DYNAMIC, 3, 0.5f, BOX(0.5f, 0.5f));
    add_joint(&scene, (FiloJoint2){ .kind = FILO_JOINT_DISTANCE, .a = a, .b = b, .length = 3 });
    run(&scene, 120);
    assert_true(is_asleep(&scene, a) && is_asleep(&scene, b));
    filo_edit(scene.world, a, FiloBody2)->velocity.x = -3;
    run(&scene, 10);
    assert_false(is_asleep(&scene, b));
    assert_true(at(&scene, b).x < 2.95f);
    scene_close(&scene);
}
