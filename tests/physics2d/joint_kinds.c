// Springs, limits and motors of each kind of joint; motor joints, gears; breaking, and colliding.

#include "physics2d/scene.h"

#include <math.h>

FILO_TEST(a_distance_joint_has_a_spring_and_limits_at_once) {
    Scene scene = scene_open(0);
    FiloEntity ball = add_body(&scene, FILO_BODY_DYNAMIC, 0, -2, BALL(0.2f));
    add_joint(&scene, (FiloJoint2){ .kind = FILO_JOINT_DISTANCE,
                                    .b = ball,
                                    .flags = FILO_JOINT_SPRING | FILO_JOINT_LIMIT,
                                    .length = 2,
                                    .lower = 1.5f,
                                    .upper = 2.2f,
                                    .hertz = 0.5f,
                                    .damping = 0.5f });
    float nearest = 10, furthest = 0;
    for (int i = 0; i < 240; i++) {
        if (i == 120) filo_edit(scene.world, ball, FiloBody2)->velocity.y = 20;
        run(&scene, 1);
        float distance = filo_vec2_length(at(&scene, ball));
        nearest = filo_min(nearest, distance);
        furthest = filo_max(furthest, distance);
    }
    // The spring alone would give way by g / omega², which is 1 unit.
    assert_near(furthest, 2.2f, 0.03f);
    assert_near(nearest, 1.5f, 0.1f);
    scene_close(&scene);
}

FILO_TEST(a_revolute_spring_turns_to_its_angle) {
    Scene scene = scene_open(0);
    set_gravity(&scene, 0, 0);
    FiloEntity arm = add_body(&scene, FILO_BODY_DYNAMIC, 1, 0, BOX(1, 0.1f));
    FiloEntity joint = add_joint(&scene, (FiloJoint2){ .b = arm,
                                                       .anchor_b = { -1, 0 },
                                                       .flags = FILO_JOINT_SPRING,
                                                       .angle = 0.8f,
                                                       .hertz = 2,
                                                       .damping = 1 });
    run(&scene, 120);
    assert_near(angle_of(&scene, arm), 0.8f, 0.01f);
    filo_edit(scene.world, joint, FiloJoint2)->angle = -0.4f;
    run(&scene, 120);
    assert_near(angle_of(&scene, arm), -0.4f, 0.01f);
    assert_true(filo_vec2_length(point_of(&scene, arm, filo_vec2(-1, 0))) < 0.01f);
    scene_close(&scene);
}

FILO_TEST(a_prismatic_spring_is_at_rest_at_its_length) {
    Scene scene = scene_open(0);
    FiloEntity plunger = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0, BOX(0.2f, 0.2f));
    add_joint(&scene, (FiloJoint2){ .kind = FILO_JOINT_PRISMATIC,
                                    .b = plunger,
                                    .axis = { 0, 1 },
                                    .flags = FILO_JOINT_SPRING | FILO_JOINT_LIMIT,
                                    .length = 1,
                                    .lower = -0.5f,
                                    .upper = 1.2f,
                                    .hertz = 1,
                                    .damping = 1 });
    run(&scene, 300);
    assert_near(at(&scene, plunger).y, 1 - 9.81f / (FILO_TAU * FILO_TAU), 0.01f);
    assert_near(at(&scene, plunger).x, 0, 0.01f);
    set_gravity(&scene, 0, -100);
    run(&scene, 300);
    assert_near(at(&scene, plunger).y, -0.5f, 0.02f);
    scene_close(&scene);
}

// How far a beam of 2 units, held at its left end, has turned and sunk there.
static void bend(FiloJoint2 joint, float *turned, float *sunk) {
    Scene scene = scene_open(0);
    joint.b = add_body(&scene, FILO_BODY_DYNAMIC, 1, 0, BOX(1, 0.1f));
    joint.kind = FILO_JOINT_WELD;
    joint.anchor_b = filo_vec2(-1, 0);
    add_joint(&scene, joint);
    run(&scene, 600);
    *turned = angle_of(&scene, joint.b);
    *sunk = point_of(&scene, joint.b, filo_vec2(-1, 0)).y;
    scene_close(&scene);
}

FILO_TEST(a_weld_is_rigid_or_soft_in_angle_and_in_place) {
    float turned, sunk;
    bend((FiloJoint2){ 0 }, &turned, &sunk);
    assert_near(turned, 0, 0.005f);
    assert_near(sunk, 0, 0.005f);
    bend((FiloJoint2){ .flags = FILO_JOINT_SPRING, .hertz = 2 }, &turned, &sunk);
    assert_true(turned < -0.02f && turned > -0.4f);
    assert_near(sunk, 0, 0.005f);
    bend((FiloJoint2){ .flags = FILO_JOINT_SPRING, .hertz = 10, .linear_hertz = 2 }, &turned, &sunk);
    assert_true(turned < 0 && turned > -0.1f);
    assert_true(sunk < -0.02f && sunk > -0.3f);
}

FILO_TEST(a_drive_moves_a_body_to_a_position_and_an_angle) {
    Scene scene = scene_open(0);
    FiloEntity body = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0, BOX(0.5f, 0.2f));
    FiloEntity drive = add_joint(
        &scene,
        (FiloJoint2){ .kind = FILO_JOINT_DRIVE, .b = body, .anchor_a = { 2, 1 }, .angle = 1, .hertz = 3 });
    run(&scene, 300);
    assert_near(at(&scene, body).x, 2, 0.01f);
    assert_near(at(&scene, body).y, 1 - 9.81f / (9 * FILO_TAU * FILO_TAU), 0.02f);
    assert_near(angle_of(&scene, body), 1, 0.01f);
    // Less than its weight: it falls. With too little torque it does not turn back.
    FiloMass2 mass = filo_physics2_mass(scene.world, body);
    FiloJoint2 *settings = filo_edit(scene.world, drive, FiloJoint2);
    settings->motor_force = 0.5f * mass.mass * 9.81f;
    settings->motor_torque = 0.001f;
    settings->angle = -1;
    run(&scene, 30);
    assert_near(at(&scene, body).y, 1 - 0.5f * 9.81f * 0.5f * 0.25f, 0.08f);
    assert_near(angle_of(&scene, body), 1, 0.02f);
    FiloJointForce2 held = filo_physics2_joint_force(scene.world, drive);
    assert_near(filo_vec2_length(held.force), settings->motor_force, 0.01f);
    assert_near(held.torque, -0.001f, 1e-4f);
    scene_close(&scene);
}

FILO_TEST(a_drive_between_two_bodies_keeps_their_momentum) {
    Scene scene = scene_open(0);
    set_gravity(&scene, 0, 0);
    FiloEntity a = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0, BOX(0.5f, 0.5f));
    FiloEntity b = add_body(&scene, FILO_BODY_DYNAMIC, 3, 0, BOX(0.5f, 0.5f));
    add_joint(&scene, (FiloJoint2){ .kind = FILO_JOINT_DRIVE, .a = a, .b = b, .anchor_a = { 2, 0 } });
    run(&scene, 300);
    assert_near(at(&scene, b).x - at(&scene, a).x, 2, 0.01f);
    assert_near(at(&scene, b).x + at(&scene, a).x, 3, 0.01f);
    scene_close(&scene);
}

static FiloEntity add_wheel(const Scene *scene, float x, float radius) {
    FiloEntity wheel = add_body(scene, FILO_BODY_DYNAMIC, x, 0, BALL(radius));
    add_joint(scene, (FiloJoint2){ .b = wheel, .anchor_a = { x, 0 } });
    return wheel;
}

FILO_TEST(gears_turn_at_their_ratio_over_many_turns) {
    Scene scene = scene_open(0);
    no_sleep(&scene);
    FiloEntity small = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0, BALL(0.5f)), large = add_wheel(&scene, 2, 1);
    add_joint(&scene,
              (FiloJoint2){ .b = small, .flags = FILO_JOINT_MOTOR, .motor_speed = 12, .motor_force = 1000 });
    add_joint(&scene, (FiloJoint2){ .kind = FILO_JOINT_GEAR, .a = small, .b = large, .ratio = -0.4f });
    float turned_small = 0, turned_large = 0, before_small = 0, before_large = 0;
    for (int i = 0; i < 600; i++) {
        run(&scene, 1);
        float s = angle_of(&scene, small), l = angle_of(&scene, large);
        turned_small += filo_angle_difference(before_small, s);
        turned_large += filo_angle_difference(before_large, l);
        before_small = s;
        before_large = l;
    }
    assert_true(turned_small > 100);
    assert_near(turned_large, -0.4f * turned_small, 0.02f);
    scene_close(&scene);
}

FILO_TEST(a_rack_moves_with_the_angle_of_its_pinion) {
    Scene scene = scene_open(0);
    FiloEntity pinion = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0, BALL(0.5f));
    FiloEntity rack = add_body(&scene, FILO_BODY_DYNAMIC, 5, 0, BOX(2, 0.2f));
    add_joint(&scene,
              (FiloJoint2){ .b = pinion, .flags = FILO_JOINT_MOTOR, .motor_speed = 3, .motor_force = 1000 });
    add_joint(&scene, (FiloJoint2){ .kind = FILO_JOINT_PRISMATIC, .b = rack, .anchor_a = { 5, 0 } });
    add_joint(&scene, (FiloJoint2){
                          .kind = FILO_JOINT_GEAR, .a = pinion, .b = rack, .axis = { 1, 0 }, .ratio = 0.5f });
    run(&scene, 180);
    assert_near(at(&scene, rack).x, 5 + 0.5f * 3 * 3, 0.1f);
    assert_near(at(&scene, rack).y, 0, 0.01f);
    assert_near(at(&scene, pinion).x, 0, 0.01f);
    scene_close(&scene);
}

// ---- Breaking ---------------------------------------------------------------------------------------------

static void take_event(FiloIter *it, const FiloEvent *event) {
    *(FiloJointEvent2 *)it->user = *(const FiloJointEvent2 *)event->payload;
}

FILO_TEST(a_joint_that_breaks_names_its_bodies_and_the_force) {
    Scene scene = scene_open(1);
    FiloJointEvent2 broken = { 0 };
    filo_world_handle(scene.world, &(FiloWorldHandlerDesc){ .event = filo_name(FILO_JOINT_BROKE),
                                                            .type = FILO_TYPE(FiloJointEvent2),
                                                            .run = take_event,
                                                            .user = &broken });
    FiloEntity a = add_body(&scene, FILO_BODY_STATIC, 0, 0, BOX(0.5f, 0.5f));
    FiloEntity b = add_body(&scene, FILO_BODY_DYNAMIC, 0, -3, BOX(1, 1));
    FiloEntity rope = add_joint(
        &scene, (FiloJoint2){ .kind = FILO_JOINT_DISTANCE, .a = a, .b = b, .length = 3, .break_force = 60 });
    run(&scene, 60);
    assert_true(filo_entity_exists(scene.world, rope)); // 4 kg: 39 N
    filo_edit(scene.world, b, FiloBody2)->force.y = -40;
    run(&scene, 2);
    assert_false(filo_entity_exists(scene.world, rope));
    assert_true(filo_entity_equal(broken.joint, rope) && filo_entity_equal(broken.a, a) &&
                filo_entity_equal(broken.b, b));
    assert_true(broken.force.y > 60 && broken.force.y < 100);
    scene_close(&scene);
}

FILO_TEST(a_joint_breaks_at_its_torque) {
    Scene scene = scene_open(0);
    FiloEntity beam = add_body(&scene, FILO_BODY_DYNAMIC, 1, 0, BOX(1, 0.1f));
    FiloJoint2 weld = { .kind = FILO_JOINT_WELD, .b = beam, .anchor_b = { -1, 0 } };
    weld.break_torque = 5; // holds 0.4 kg at 1 m: 3.9 N m
    FiloEntity joint = add_joint(&scene, weld);
    run(&scene, 60);
    assert_true(filo_entity_exists(scene.world, joint));
    assert_near(filo_physics2_joint_force(scene.world, joint).torque, 0.4f * 9.81f, 0.1f);
    filo_edit(scene.world, joint, FiloJoint2)->break_force = 1000; // not reached
    filo_edit(scene.world, joint, FiloJoint2)->break_torque = 3.5f;
    run(&scene, 2);
    assert_false(filo_entity_exists(scene.world, joint));
    scene_close(&scene);
}

// ---- Colliding --------------------------------------------------------------------------------------------

// Two balls that overlap, on a rope. Without gravity.
static FiloEntity add_overlapping(const Scene *scene, FiloEntity *a, FiloEntity *b, uint32_t flags) {
    set_gravity(scene, 0, 0);
    *a = add_body(scene, FILO_BODY_DYNAMIC, 0, 0, BALL(0.5f));
    *b = add_body(scene, FILO_BODY_DYNAMIC, 0.5f, 0, BALL(0.5f));
    return add_joint(
        scene,
        (FiloJoint2){
            .kind = FILO_JOINT_DISTANCE, .a = *a, .b = *b, .flags = FILO_JOINT_LIMIT | flags, .upper = 3 });
}

FILO_TEST(connected_bodies_collide_only_if_asked) {
    for (int collide = 0; collide < 2; collide++) {
        Scene scene = scene_open(0);
        FiloEntity a, b;
        add_overlapping(&scene, &a, &b, collide ? FILO_JOINT_COLLIDE : 0);
        run(&scene, 60);
        float apart = filo_vec2_distance(at(&scene, a), at(&scene, b));
        if (collide)
            assert_near(apart, 1, 0.02f);
        else
            assert_near(apart, 0.5f, 0.001f);
        scene_close(&scene);
    }
}

FILO_TEST(connected_bodies_can_be_made_to_collide_later) {
    Scene scene = scene_open(0);
    FiloEntity a, b, rope = add_overlapping(&scene, &a, &b, 0);
    run(&scene, 120);
    assert_true(is_asleep(&scene, a));
    assert_near(filo_vec2_distance(at(&scene, a), at(&scene, b)), 0.5f, 0.001f);
    filo_edit(scene.world, rope, FiloJoint2)->flags |= FILO_JOINT_COLLIDE;
    run(&scene, 60);
    assert_near(filo_vec2_distance(at(&scene, a), at(&scene, b)), 1, 0.02f);
    // And no more: a pull together makes them overlap again.
    filo_edit(scene.world, rope, FiloJoint2)->flags &= ~(uint32_t)FILO_JOINT_COLLIDE;
    filo_edit(scene.world, b, FiloBody2)->velocity.x = -0.5f;
    run(&scene, 60);
    assert_true(filo_vec2_distance(at(&scene, a), at(&scene, b)) < 0.7f);
    filo_entity_destroy(scene.world, rope);
    filo_edit(scene.world, b, FiloBody2)->velocity.x = 0;
    filo_edit(scene.world, a, FiloBody2)->velocity.x = 0;
    run(&scene, 60);
    assert_true(filo_vec2_distance(at(&scene, a), at(&scene, b)) > 0.95f);
    scene_close(&scene);
}

// ---- Waking and bad input ---------------------------------------------------------------------------------

FILO_TEST(joints_of_bodies_that_a_contact_wakes_hold_in_the_same_step) {
    Scene scene = scene_open(0);
    add_ground(&scene);
    FiloEntity a = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0.5f, BOX(0.5f, 0.5f));
    FiloEntity b = add_body(&scene, FILO_BODY_DYNAMIC, 1.5f, 0.5f, BOX(0.5f, 0.5f));
    add_joint(&scene, (FiloJoint2){ .kind = FILO_JOINT_WELD, .a = a, .b = b, .anchor_a = { 1.5f, 0 } });
    run(&scene, 120);
    assert_true(is_asleep(&scene, b));
    FiloShape2 heavy = BALL(0.5f);
    heavy.density = 20;
    FiloEntity ball = add_body(&scene, FILO_BODY_DYNAMIC, -3, 0.5f, heavy);
    filo_edit(scene.world, ball, FiloBody2)->velocity.x = 30;
    for (int i = 0; i < 60; i++) {
        run(&scene, 1);
        float gap = gap_of(&scene, a, filo_vec2(1.5f, 0), b, filo_vec2(0, 0));
        if (gap > 0.03f) fail_msg("%g apart in tick %d", (double)gap, i);
    }
    assert_true(at(&scene, a).x > 1);
    scene_close(&scene);
}

FILO_TEST(a_joint_with_a_bad_number_does_nothing) {
    Scene scene = scene_open(0);
    add_ground(&scene);
    FiloEntity ball = add_body(&scene, FILO_BODY_DYNAMIC, 0, 3, BALL(0.5f));
    FiloEntity joint = add_joint(&scene, (FiloJoint2){ .b = ball, .anchor_a = { NAN, 3 } });
    add_joint(&scene, (FiloJoint2){ .kind = FILO_JOINT_DISTANCE, .b = ball, .length = INFINITY });
    add_joint(&scene, (FiloJoint2){ .b = ball, .flags = FILO_JOINT_LIMIT, .lower = NAN });
    add_joint(&scene, (FiloJoint2){ .kind = (FiloJointKind)99, .b = ball });
    run(&scene, 120);
    assert_near(at(&scene, ball).y, 0.5f, 0.01f);
    filo_edit(scene.world, joint, FiloJoint2)->anchor_a = filo_vec2(0, 2); // repaired
    run(&scene, 120);
    assert_near(at(&scene, ball).y, 2, 0.05f);
    scene_close(&scene);
}

FILO_TEST(a_thousand_joints_on_one_body_hold) {
    Scene scene = scene_open(2);
    no_sleep(&scene);
    FiloEntity hub = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0, BALL(2));
    FiloEntity ends[1000];
    for (int i = 0; i < 1000; i++) {
        FiloSinCos turn = filo_sincos((float)i * FILO_TAU / 1000);
        FiloShape2 shape = BALL(0.05f);
        shape.group = -1;
        ends[i] = add_body(&scene, FILO_BODY_DYNAMIC, 3 * turn.cos, 3 * turn.sin, shape);
        FiloJoint2 joint = { .a = hub, .b = ends[i], .anchor_a = { 2 * turn.cos, 2 * turn.sin } };
        joint.anchor_b = filo_vec2(-turn.cos, -turn.sin);
        if (i % 3 == 1) joint.flags = FILO_JOINT_LIMIT;
        if (i % 3 == 2) joint.kind = FILO_JOINT_WELD;
        add_joint(&scene, joint);
    }
    add_joint(&scene, (FiloJoint2){ .b = hub });
    run(&scene, 120);
    assert_near(filo_vec2_length(at(&scene, hub)), 0, 0.05f);
    for (int i = 0; i < 1000; i++) {
        FiloSinCos turn = filo_sincos((float)i * FILO_TAU / 1000);
        float gap = gap_of(&scene, hub, filo_vec2(2 * turn.cos, 2 * turn.sin), ends[i],
                           filo_vec2(-turn.cos, -turn.sin));
        if (!(gap < 0.05f)) fail_msg("joint %d: %g", i, (double)gap);
    }
    scene_close(&scene);
}

// Also one that has no limit of its own, at any speed and in both directions.
FILO_TEST(a_motor_does_not_drive_past_a_limit) {
    const float speeds[] = { 0.1f, 1, 5, 20, 50 };
    const FiloJointKind kinds[] = { FILO_JOINT_REVOLUTE, FILO_JOINT_PRISMATIC };
    for (size_t i = 0; i < FILO_COUNT_OF(speeds); i++)
        for (size_t k = 0; k < FILO_COUNT_OF(kinds); k++)
            for (float sign = -1; sign <= 1; sign += 2) {
                Scene scene = scene_open(0);
                FiloEntity body = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0, BOX(1, 0.2f));
                filo_create(scene.world, FILO_SET(FiloJoint2, .kind = kinds[k], .b = body, .lower = -1,
                                                  .upper = 1, .flags = FILO_JOINT_MOTOR | FILO_JOINT_LIMIT,
                                                  .motor_speed = sign * speeds[i]));
                float farthest = 0;
                for (int tick = 0; tick < 900; tick++) {
                    run(&scene, 1);
                    const FiloTransform2 *transform = filo_get(scene.world, body, FiloTransform2);
                    float reached = k == 0 ? transform->rotation : transform->position.x;
                    farthest = filo_max(farthest, filo_abs(reached));
                }
                if (!(filo_abs(farthest - 1) < 0.02f))
                    fail_msg("kind %zu, speed %g: reached %g", k, (double)(sign * speeds[i]),
                             (double)farthest);
                scene_close(&scene);
            }
}
