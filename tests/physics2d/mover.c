// Characters: walking, steps, slopes, jumps, platforms.

#include "physics2d/scene.h"
#include "support/malloc_count.h"

#include <math.h>

#define GAP  0.01f
#define FEET 0.8f // below the position of a character

static const FiloShape2 upright = { .kind = FILO_SHAPE_CAPSULE,
                                    .radius = 0.4f,
                                    .points = { { 0, -0.4f }, { 0, 0.4f } } };

static FiloEntity add_mover(const Scene *scene, float x, float y, FiloMover2 mover) {
    return filo_create(scene->world, FILO_SET(FiloTransform2, .position = { x, y }),
                       FILO_SET_COPY(FiloShape2, &upright), FILO_SET_COPY(FiloMover2, &mover));
}

static FiloMover2 *mover_of(const Scene *scene, FiloEntity entity) {
    return filo_edit(scene->world, entity, FiloMover2);
}
static bool is(const Scene *scene, FiloEntity entity, FiloMoverState state) {
    return (mover_of(scene, entity)->state & state) != 0;
}

// With this velocity along the floor, as from a player, for some ticks.
static void walk(const Scene *scene, FiloEntity entity, float speed, int ticks) {
    for (int i = 0; i < ticks; i++) {
        mover_of(scene, entity)->velocity.x = speed;
        run(scene, 1);
    }
}

static FiloEntity add_ramp(const Scene *scene, float x, float y, float angle) {
    FiloEntity ramp = add_body(scene, FILO_BODY_STATIC, x, y, BOX(10, 0.5f));
    filo_edit(scene->world, ramp, FiloTransform2)->rotation = angle;
    return ramp;
}

// Ground of segments, from point to point.
static void add_segments(const Scene *scene, const FiloVec2 *points, int count) {
    for (int i = 0; i + 1 < count; i++) {
        FiloShape2 line = { .kind = FILO_SHAPE_SEGMENT, .points = { points[i], points[i + 1] } };
        add_body(scene, FILO_BODY_STATIC, 0, 0, line);
    }
}

// ---- Falling, standing, walking ---------------------------------------------------------------------------

FILO_TEST(it_falls_lands_and_stands_still) {
    Scene scene = scene_open(0);
    FiloEntity ground = add_ground(&scene), mover = add_mover(&scene, 0, 3, (FiloMover2){ 0 });
    run(&scene, 10);
    assert_false(is(&scene, mover, FILO_MOVER_ON_FLOOR));
    assert_near(mover_of(&scene, mover)->velocity.y, -9.81f / 6, 0.01f);
    run(&scene, 80);
    assert_true(is(&scene, mover, FILO_MOVER_ON_FLOOR));
    assert_true(filo_entity_equal(mover_of(&scene, mover)->floor, ground));
    assert_near(mover_of(&scene, mover)->floor_normal.y, 1, 1e-4f);
    assert_near(at(&scene, mover).y, FEET + GAP, 0.006f);
    FiloVec2 there = at(&scene, mover);
    run(&scene, 100);
    assert_true(filo_vec2_equal(there, at(&scene, mover)));
    assert_true(filo_vec2_length(mover_of(&scene, mover)->velocity) == 0);
    scene_close(&scene);
}

FILO_TEST(it_walks_over_flat_segments_without_stutter) {
    FiloShape2 shapes[] = { upright, BOX(0.4f, 0.8f), BALL(0.8f) };
    for (size_t k = 0; k < FILO_COUNT_OF(shapes); k++) {
        Scene scene = scene_open(0);
        FiloVec2 points[60];
        for (int i = 0; i < 60; i++) points[i] = filo_vec2(-5 + 0.73f * (float)i, 0);
        add_segments(&scene, points, 60);
        FiloEntity mover = add_mover(&scene, 0, FEET + GAP, (FiloMover2){ 0 });
        *filo_edit(scene.world, mover, FiloShape2) = shapes[k];
        run(&scene, 3);
        float x = at(&scene, mover).x, y = at(&scene, mover).y;
        for (int i = 1; i <= 300; i++) {
            walk(&scene, mover, 6, 1);
            assert_true(is(&scene, mover, FILO_MOVER_ON_FLOOR));
            assert_false(is(&scene, mover, FILO_MOVER_ON_WALL));
            assert_near(at(&scene, mover).x, x + 0.1f * (float)i, 1e-3f);
            assert_near(at(&scene, mover).y, y, 1e-4f);
        }
        scene_close(&scene);
    }
}

FILO_TEST(it_climbs_steps_of_the_allowed_height_only) {
    FiloShape2 shapes[] = { upright, BOX(0.4f, 0.8f) };
    float heights[] = { 0.05f, 0.1f, 0.2f, 0.29f, 0.32f, 0.5f, 0.9f };
    for (size_t k = 0; k < FILO_COUNT_OF(shapes); k++)
        for (size_t i = 0; i < FILO_COUNT_OF(heights); i++)
            for (int side = -1; side <= 1; side += 2) {
                Scene scene = scene_open(0);
                add_ground(&scene);
                FiloEntity step =
                    add_body(&scene, FILO_BODY_STATIC, 5 * (float)side, heights[i] - 1, BOX(3, 1));
                FiloEntity mover = add_mover(&scene, 0, FEET + GAP, (FiloMover2){ .step_height = 0.3f });
                *filo_edit(scene.world, mover, FiloShape2) = shapes[k];
                for (int n = 0; n < 60; n++) {
                    walk(&scene, mover, 4 * (float)side, 1);
                    assert_true(is(&scene, mover, FILO_MOVER_ON_FLOOR));
                    assert_true(mover_of(&scene, mover)->floor_normal.y > 0.7f);
                }
                bool climbed = at(&scene, mover).x * (float)side > 3;
                assert_int_equal(climbed, heights[i] < 0.3f);
                assert_near(at(&scene, mover).y, FEET + GAP + (climbed ? heights[i] : 0), 0.01f);
                assert_int_equal(is(&scene, mover, FILO_MOVER_ON_WALL), !climbed);
                if (!climbed) {
                    assert_near(at(&scene, mover).x * (float)side, 1.6f - GAP, k == 0 ? 0.2f : 0.006f);
                    assert_true(filo_entity_equal(mover_of(&scene, mover)->wall, step));
                    assert_true(mover_of(&scene, mover)->velocity.x == 0);
                }
                scene_close(&scene);
            }
}

FILO_TEST(without_a_step_height_it_climbs_no_step) {
    Scene scene = scene_open(0);
    add_ground(&scene);
    add_body(&scene, FILO_BODY_STATIC, 5, 0.1f - 1, BOX(3, 1));
    FiloEntity mover = add_mover(&scene, 0, FEET + GAP, (FiloMover2){ 0 });
    walk(&scene, mover, 4, 60);
    assert_true(at(&scene, mover).x < 2 && at(&scene, mover).y < FEET + 0.02f);
    scene_close(&scene);
}

FILO_TEST(it_walks_down_stairs_without_leaving_the_floor) {
    Scene scene = scene_open(0);
    for (int i = 0; i < 8; i++)
        add_body(&scene, FILO_BODY_STATIC, (float)i, -0.25f * (float)i - 3, BOX(0.5f, 3));
    FiloEntity mover = add_mover(&scene, 0, FEET + GAP, (FiloMover2){ .step_height = 0.3f });
    run(&scene, 2);
    int air = 0;
    for (int i = 0; i < 110; i++) {
        walk(&scene, mover, 4, 1);
        air += !is(&scene, mover, FILO_MOVER_ON_FLOOR);
    }
    assert_true(air <= 1);
    assert_near(at(&scene, mover).y, FEET + GAP - 0.25f * 7, 0.02f);
    // And up again.
    for (int i = 0; i < 120; i++) {
        walk(&scene, mover, -4, 1);
        assert_true(is(&scene, mover, FILO_MOVER_ON_FLOOR));
    }
    assert_near(at(&scene, mover).y, FEET + GAP, 0.02f);
    scene_close(&scene);
}

// ---- Slopes -----------------------------------------------------------------------------------------------

FILO_TEST(it_walks_up_slopes_up_to_the_steepest_with_the_same_speed) {
    float angles[] = { 10, 30, 44, 46, 60, 80 };
    for (size_t i = 0; i < FILO_COUNT_OF(angles); i++) {
        Scene scene = scene_open(0);
        float angle = angles[i] * FILO_PI / 180;
        add_ground(&scene);
        // The surface of the ramp begins at x = 2.
        FiloVec2 middle = filo_vec2_rotate(filo_vec2(10, -0.5f), angle);
        add_ramp(&scene, 2 + middle.x, middle.y, angle);
        FiloEntity mover = add_mover(&scene, 0, FEET + GAP, (FiloMover2){ 0 });
        run(&scene, 2);
        walk(&scene, mover, 5, 60);
        FiloVec2 before = at(&scene, mover);
        walk(&scene, mover, 5, 30);
        FiloVec2 way = filo_vec2_sub(at(&scene, mover), before);
        if (angles[i] < 45) {
            assert_near(filo_vec2_length(way), 2.5f, 0.01f);
            assert_near(filo_atan2(way.y, way.x), angle, 0.01f);
            assert_true(is(&scene, mover, FILO_MOVER_ON_FLOOR));
            FiloVec2 there = at(&scene, mover);
            walk(&scene, mover, 0, 60); // it does not slide down
            assert_near(filo_vec2_distance(there, at(&scene, mover)), 0, 1e-3f);
        } else {
            assert_near(filo_vec2_length(way), 0, 0.01f);
            assert_true(at(&scene, mover).y < FEET + 0.1f);
            assert_true(is(&scene, mover, FILO_MOVER_ON_WALL));
        }
        scene_close(&scene);
    }
}

FILO_TEST(it_slides_down_what_is_too_steep) {
    Scene scene = scene_open(0);
    add_ramp(&scene, 0, 0, 60 * FILO_PI / 180);
    FiloEntity mover = add_mover(&scene, 0, 3, (FiloMover2){ 0 });
    int floor = 0;
    for (int i = 0; i < 60; i++) {
        run(&scene, 1);
        floor += is(&scene, mover, FILO_MOVER_ON_FLOOR);
    }
    assert_int_equal(floor, 0);
    assert_true(at(&scene, mover).y < 0 && mover_of(&scene, mover)->velocity.x < -1);
    scene_close(&scene);
}

FILO_TEST(it_stays_on_the_floor_down_a_slope_and_over_a_ridge) {
    Scene scene = scene_open(0);
    FiloVec2 points[] = { { -20, -8 }, { 0, 0 }, { 4, 0 }, { 10, -3.4f }, { 16, 0 }, { 40, 2 } };
    add_segments(&scene, points, FILO_COUNT_OF(points));
    FiloEntity mover = add_mover(&scene, -15, -6 + FEET + 0.1f, (FiloMover2){ 0 });
    run(&scene, 20);
    for (int i = 0; i < 350; i++) {
        walk(&scene, mover, 8, 1);
        assert_true(is(&scene, mover, FILO_MOVER_ON_FLOOR));
        assert_false(is(&scene, mover, FILO_MOVER_ON_WALL));
    }
    assert_true(at(&scene, mover).x > 20);
    scene_close(&scene);
}

// ---- In the air -------------------------------------------------------------------------------------------

FILO_TEST(a_jump_ends_at_a_ceiling) {
    Scene scene = scene_open(0);
    add_ground(&scene);
    FiloEntity lid = add_body(&scene, FILO_BODY_STATIC, 0, 4, BOX(5, 1));
    FiloEntity mover = add_mover(&scene, 0, FEET + GAP, (FiloMover2){ 0 });
    run(&scene, 2);
    mover_of(&scene, mover)->velocity = filo_vec2(1, 8);
    bool bumped = false;
    for (int i = 0; i < 40; i++) {
        run(&scene, 1);
        if (is(&scene, mover, FILO_MOVER_ON_CEILING)) {
            bumped = true;
            assert_true(filo_entity_equal(mover_of(&scene, mover)->ceiling, lid));
            assert_near(mover_of(&scene, mover)->ceiling_normal.y, -1, 1e-3f);
            assert_true(mover_of(&scene, mover)->velocity.y <= 0);
            assert_near(mover_of(&scene, mover)->velocity.x, 1, 1e-4f);
        }
        assert_true(at(&scene, mover).y < 3 - FEET);
    }
    assert_true(bumped);
    run(&scene, 40);
    assert_true(is(&scene, mover, FILO_MOVER_ON_FLOOR));
    scene_close(&scene);
}

FILO_TEST(it_slides_down_a_wall_in_the_air) {
    Scene scene = scene_open(0);
    FiloEntity wall = add_body(&scene, FILO_BODY_STATIC, 3, 0, BOX(1, 50));
    FiloEntity mover = add_mover(&scene, 0, 10, (FiloMover2){ 0 });
    walk(&scene, mover, 5, 60);
    assert_true(is(&scene, mover, FILO_MOVER_ON_WALL));
    assert_true(filo_entity_equal(mover_of(&scene, mover)->wall, wall));
    assert_near(mover_of(&scene, mover)->wall_normal.x, -1, 1e-3f);
    assert_near(at(&scene, mover).x, 2 - 0.4f - GAP, 0.006f);
    assert_near(mover_of(&scene, mover)->velocity.y, -9.81f, 0.05f); // no friction
    assert_near(at(&scene, mover).y, 10 - 0.5f * 9.81f, 0.1f);
    scene_close(&scene);
}

FILO_TEST(it_stops_in_corners_and_does_not_enter_narrow_gaps) {
    Scene scene = scene_open(0);
    add_ground(&scene);
    // A wedge above the ground, a hole that is too narrow, and one that is wide enough.
    add_ramp(&scene, 14, 2, -0.3f);
    add_body(&scene, FILO_BODY_STATIC, -6, 2.5f + 1.5f, BOX(1, 2.5f));
    FiloEntity mover = add_mover(&scene, 0, FEET + GAP, (FiloMover2){ 0 });
    for (int i = 0; i < 200; i++) {
        walk(&scene, mover, 6, 1);
        assert_true(at(&scene, mover).y < FEET + 0.1f);
    }
    FiloVec2 there = at(&scene, mover);
    walk(&scene, mover, 6, 60);
    assert_near(filo_vec2_distance(there, at(&scene, mover)), 0, 1e-3f); // no trembling
    walk(&scene, mover, -6, 300);
    assert_near(at(&scene, mover).x, -5 + 0.4f + GAP, 0.25f); // the round top is below the edge
    assert_true(at(&scene, mover).x > -6);
    filo_edit(scene.world, mover, FiloShape2)->points[1] = filo_vec2(0, 0.2f);
    run(&scene, 1);
    walk(&scene, mover, -6, 120);
    assert_true(at(&scene, mover).x < -10);
    scene_close(&scene);
}

FILO_TEST(floating_it_has_walls_only) {
    Scene scene = scene_open(0);
    add_ground(&scene);
    FiloEntity mover = add_mover(&scene, 0, 2, (FiloMover2){ .flags = FILO_MOVER_FLOATING });
    mover_of(&scene, mover)->velocity = filo_vec2(2, -3);
    run(&scene, 60);
    assert_near(at(&scene, mover).x, 2, 0.01f);
    assert_near(at(&scene, mover).y, FEET + GAP, 0.006f);
    assert_int_equal(mover_of(&scene, mover)->state & FILO_MOVER_ON_FLOOR, 0);
    assert_near(mover_of(&scene, mover)->velocity.x, 2, 1e-2f);
    scene_close(&scene);
}

FILO_TEST(up_may_be_any_direction) {
    Scene scene = scene_open(0);
    set_gravity(&scene, 9.81f, 0);
    add_body(&scene, FILO_BODY_STATIC, 10, 0, BOX(1, 100));
    FiloEntity mover = add_mover(&scene, 5, 0, (FiloMover2){ 0 });
    filo_edit(scene.world, mover, FiloTransform2)->rotation = FILO_PI / 2;
    run(&scene, 90);
    assert_true(is(&scene, mover, FILO_MOVER_ON_FLOOR));
    assert_near(at(&scene, mover).x, 9 - FEET - GAP, 0.006f);
    mover_of(&scene, mover)->velocity.y = 3;
    run(&scene, 1);
    assert_near(at(&scene, mover).y, 0.05f, 1e-3f);
    scene_close(&scene);
}

// ---- One-way shapes ---------------------------------------------------------------------------------------

static FiloEntity add_one_way(const Scene *scene, float y, bool segment) {
    FiloShape2 shape = BOX(3, 0.1f);
    if (segment) shape = (FiloShape2){ .kind = FILO_SHAPE_SEGMENT, .points = { { -3, 0.1f }, { 3, 0.1f } } };
    shape.flags = FILO_SHAPE_ONE_WAY;
    return add_body(scene, FILO_BODY_KINEMATIC, 0, y, shape);
}

FILO_TEST(one_way_platforms_hold_from_above_only) {
    for (int segment = 0; segment <= 1; segment++) {
        Scene scene = scene_open(0);
        add_ground(&scene);
        FiloEntity platform = add_one_way(&scene, 2.5f, segment == 1);
        FiloEntity mover = add_mover(&scene, 0, FEET + GAP, (FiloMover2){ 0 });
        run(&scene, 2);
        mover_of(&scene, mover)->velocity.y = 9;
        float highest = 0;
        for (int i = 0; i < 120; i++) {
            run(&scene, 1);
            highest = fmaxf(highest, at(&scene, mover).y);
            assert_false(is(&scene, mover, FILO_MOVER_ON_CEILING));
        }
        assert_near(highest, FEET + 81 / (2 * 9.81f), 0.15f); // it was not in the way
        assert_true(filo_entity_equal(mover_of(&scene, mover)->floor, platform));
        assert_near(at(&scene, mover).y, 2.6f + FEET + GAP, 0.006f);
        walk(&scene, mover, 2, 30);
        assert_true(is(&scene, mover, FILO_MOVER_ON_FLOOR));
        // Down through it.
        mover_of(&scene, mover)->velocity.x = 0;
        mover_of(&scene, mover)->flags = FILO_MOVER_DROP;
        run(&scene, 10);
        mover_of(&scene, mover)->flags = 0;
        run(&scene, 60);
        assert_near(at(&scene, mover).y, FEET + GAP, 0.006f);
        scene_close(&scene);
    }
}

FILO_TEST(it_walks_through_a_one_way_platform_from_the_side) {
    Scene scene = scene_open(0);
    add_ground(&scene);
    add_one_way(&scene, 0.8f, false);
    FiloEntity mover = add_mover(&scene, -6, FEET + GAP, (FiloMover2){ .step_height = 0.3f });
    run(&scene, 2);
    walk(&scene, mover, 6, 120);
    assert_near(at(&scene, mover).x, 6, 0.01f);
    assert_near(at(&scene, mover).y, FEET + GAP, 0.006f);
    scene_close(&scene);
}

// ---- Platforms --------------------------------------------------------------------------------------------

static FiloEntity add_platform(const Scene *scene, FiloVec2 velocity, float spin) {
    FiloEntity platform = add_body(scene, FILO_BODY_KINEMATIC, 0, -0.5f, BOX(4, 0.5f));
    filo_edit(scene->world, platform, FiloBody2)->velocity = velocity;
    filo_edit(scene->world, platform, FiloBody2)->angular_velocity = spin;
    return platform;
}

FILO_TEST(it_rides_platforms_exactly) {
    FiloVec2 velocities[] = { { 3, 0 }, { 0, 2 }, { 0, -6 }, { -4, 3 }, { 12, -9 } };
    for (size_t i = 0; i < FILO_COUNT_OF(velocities); i++)
        for (int one_way = 0; one_way <= 1; one_way++) {
            Scene scene = scene_open(0);
            FiloEntity platform = add_platform(&scene, filo_vec2(0, 0), 0);
            if (one_way) filo_edit(scene.world, platform, FiloShape2)->flags = FILO_SHAPE_ONE_WAY;
            FiloEntity mover = add_mover(&scene, 1, FEET + GAP, (FiloMover2){ 0 });
            run(&scene, 3);
            assert_true(is(&scene, mover, FILO_MOVER_ON_FLOOR));
            filo_edit(scene.world, platform, FiloBody2)->velocity = velocities[i];
            FiloVec2 offset = filo_vec2_sub(at(&scene, mover), at(&scene, platform));
            for (int n = 0; n < 200; n++) {
                run(&scene, 1);
                FiloVec2 now = filo_vec2_sub(at(&scene, mover), at(&scene, platform));
                assert_near(filo_vec2_distance(now, offset), 0, 2e-5f);
                assert_true(is(&scene, mover, FILO_MOVER_ON_FLOOR));
                assert_near(filo_vec2_distance(mover_of(&scene, mover)->floor_velocity, velocities[i]), 0,
                            0.01f);
                assert_true(filo_vec2_length(mover_of(&scene, mover)->velocity) < 1e-4f);
            }
            scene_close(&scene);
        }
}

FILO_TEST(it_rides_platforms_that_turn) {
    Scene scene = scene_open(0);
    FiloEntity platform = add_platform(&scene, filo_vec2(1, 0), 0.3f);
    FiloEntity mover = add_mover(&scene, 3, FEET + GAP, (FiloMover2){ 0 });
    run(&scene, 1);
    // It landed at rest, so it moves relative to the platform until the player stops it.
    assert_near(mover_of(&scene, mover)->velocity.x, -1, 0.3f);
    walk(&scene, mover, 0, 90);
    assert_true(is(&scene, mover, FILO_MOVER_ON_FLOOR));
    const FiloTransform2 *turned = filo_get(scene.world, platform, FiloTransform2);
    FiloVec2 local = filo_vec2_rotate(filo_vec2_sub(at(&scene, mover), turned->position), -turned->rotation);
    assert_near(local.x, 3, 0.1f); // it stands where it stood
    assert_near(mover_of(&scene, mover)->floor_normal.x, -filo_sincos(turned->rotation).sin, 0.01f);
    scene_close(&scene);
}

FILO_TEST(it_takes_the_velocity_of_a_platform_along) {
    for (int inherit = 0; inherit <= 1; inherit++) {
        Scene scene = scene_open(0);
        FiloEntity platform = add_platform(&scene, filo_vec2(3, 1), 0);
        FiloEntity mover = add_mover(&scene, 1, FEET + GAP, (FiloMover2){ 0 });
        if (!inherit) mover_of(&scene, mover)->flags = FILO_MOVER_NO_INHERIT;
        walk(&scene, mover, 0, 10);
        FiloVec2 offset = filo_vec2_sub(at(&scene, mover), at(&scene, platform));
        mover_of(&scene, mover)->velocity.y = 5;
        run(&scene, 1);
        assert_false(is(&scene, mover, FILO_MOVER_ON_FLOOR));
        float y = 5 - 9.81f / 60;
        assert_near(mover_of(&scene, mover)->velocity.x, inherit ? 3 : 0, 0.01f);
        assert_near(mover_of(&scene, mover)->velocity.y, inherit ? y + 1 : y, 0.01f);
        run(&scene, 90);
        if (inherit) { // it lands where it jumped, and is at rest relative to the platform
            assert_true(filo_entity_equal(mover_of(&scene, mover)->floor, platform));
            FiloVec2 now = filo_vec2_sub(at(&scene, mover), at(&scene, platform));
            assert_near(now.x, offset.x, 0.02f);
            assert_near(mover_of(&scene, mover)->velocity.x, 0, 0.01f);
        }
        scene_close(&scene);
    }
}

FILO_TEST(conveyor_belts_carry_it) {
    Scene scene = scene_open(0);
    FiloShape2 belt = BOX(50, 1);
    belt.surface_speed = -2; // things on it move to the right
    belt.friction = 1;
    add_body(&scene, FILO_BODY_STATIC, 0, -1, belt);
    FiloEntity ball = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0.5f, BOX(0.5f, 0.5f));
    FiloEntity mover = add_mover(&scene, 5, FEET + GAP, (FiloMover2){ 0 });
    run(&scene, 121);
    assert_true(at(&scene, ball).x > 2);
    assert_near(at(&scene, mover).x, 5 + 4, 0.1f);
    scene_close(&scene);
}

FILO_TEST(platforms_push_it_and_crush_it) {
    Scene scene = scene_open(0);
    add_ground(&scene);
    FiloEntity pusher = add_body(&scene, FILO_BODY_KINEMATIC, -4, 2, BOX(1, 1.9f));
    filo_edit(scene.world, pusher, FiloBody2)->velocity.x = 3;
    FiloEntity mover = add_mover(&scene, 0, FEET + GAP, (FiloMover2){ 0 });
    run(&scene, 120);
    assert_near(at(&scene, mover).x, at(&scene, pusher).x + 1 + 0.4f + GAP, 0.02f);
    assert_false(is(&scene, mover, FILO_MOVER_CRUSHED));
    // Against a wall.
    add_body(&scene, FILO_BODY_STATIC, at(&scene, mover).x + 2, 2, BOX(1, 2));
    bool crushed = false;
    FiloVec2 last = at(&scene, mover);
    for (int i = 0; i < 60; i++) {
        run(&scene, 1);
        crushed = crushed || is(&scene, mover, FILO_MOVER_CRUSHED);
        if (crushed) assert_near(filo_vec2_distance(last, at(&scene, mover)), 0, 0.06f);
        last = at(&scene, mover);
    }
    assert_true(crushed);
    scene_close(&scene);
}

FILO_TEST(a_lift_crushes_it_under_a_ceiling) {
    Scene scene = scene_open(0);
    add_platform(&scene, filo_vec2(0, 1), 0);
    add_body(&scene, FILO_BODY_STATIC, 0, 4, BOX(4, 1));
    FiloEntity mover = add_mover(&scene, 0, FEET + GAP, (FiloMover2){ 0 });
    run(&scene, 75);
    assert_false(is(&scene, mover, FILO_MOVER_CRUSHED));
    run(&scene, 30);
    assert_true(is(&scene, mover, FILO_MOVER_CRUSHED));
    assert_true(at(&scene, mover).y < 3 - FEET + 0.01f);
    scene_close(&scene);
}

// ---- Dynamic bodies ---------------------------------------------------------------------------------------

FILO_TEST(it_pushes_what_its_force_can_move) {
    float forces[] = { 0, 20, 400 };
    float ways[3];
    for (int i = 0; i < 3; i++) {
        Scene scene = scene_open(0);
        add_ground(&scene);
        FiloEntity crate = add_body(&scene, FILO_BODY_DYNAMIC, 2, 0.5f, BOX(0.5f, 0.5f));
        filo_edit(scene.world, crate, FiloBody2)->mass = 10; // friction holds 59 N
        FiloEntity mover = add_mover(&scene, 0, FEET + GAP, (FiloMover2){ .push_force = forces[i] });
        run(&scene, 60);
        walk(&scene, mover, 3, 120);
        ways[i] = at(&scene, crate).x - 2;
        assert_true(at(&scene, mover).x < at(&scene, crate).x - 0.8f); // never inside
        assert_true(is(&scene, mover, FILO_MOVER_ON_WALL));
        scene_close(&scene);
    }
    assert_near(ways[0], 0, 0.01f);
    assert_near(ways[1], 0, 0.05f);
    assert_true(ways[2] > 2);
}

FILO_TEST(its_weight_tips_a_plank) {
    float angles[2];
    for (int i = 0; i < 2; i++) {
        Scene scene = scene_open(0);
        FiloEntity pivot = add_body(&scene, FILO_BODY_STATIC, 0, -2, BOX(0.1f, 0.1f));
        FiloEntity plank = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0, BOX(3, 0.1f));
        FiloJoint2 hinge = { .kind = FILO_JOINT_REVOLUTE, .a = pivot, .b = plank, .anchor_a = { 0, 2 } };
        filo_create(scene.world, FILO_SET_COPY(FiloJoint2, &hinge));
        FiloEntity mover =
            add_mover(&scene, 1.5f, 0.1f + FEET + GAP, (FiloMover2){ .mass = i == 0 ? 0 : 0.5f });
        run(&scene, 20);
        angles[i] = angle_of(&scene, plank);
        assert_true(is(&scene, mover, FILO_MOVER_ON_FLOOR));
        scene_close(&scene);
    }
    assert_near(angles[0], 0, 0.01f);
    assert_true(angles[1] < -0.05f);
}

FILO_TEST(with_a_kinematic_body_others_notice_it) {
    Scene scene = scene_open(0);
    add_ground(&scene);
    FiloEntity mover = add_mover(&scene, 0, FEET + GAP, (FiloMover2){ 0 });
    filo_add(scene.world, mover, FiloBody2);
    filo_edit(scene.world, mover, FiloBody2)->kind = FILO_BODY_KINEMATIC;
    run(&scene, 2);
    FiloEntity found;
    assert_int_equal(filo_physics2_overlap_point(scene.world, at(&scene, mover), NULL, &found, 1), 1);
    assert_true(filo_entity_equal(found, mover));
    walk(&scene, mover, 3, 60);
    assert_near(at(&scene, mover).x, 3, 0.01f);
    FiloEntity ball = add_body(&scene, FILO_BODY_DYNAMIC, 3.05f, 5, BALL(0.3f));
    walk(&scene, mover, 0, 30);
    float lowest = 5;
    for (int i = 0; i < 30; i++) {
        run(&scene, 1);
        if (filo_abs(at(&scene, ball).x - 3) < 0.2f) lowest = fminf(lowest, at(&scene, ball).y);
    }
    assert_true(lowest > 2 * FEET + 0.2f); // it did not fall through the head
    scene_close(&scene);
}

// ---- Bad input --------------------------------------------------------------------------------------------

FILO_TEST(it_gets_out_of_what_it_begins_in) {
    Scene scene = scene_open(0);
    add_ground(&scene);
    FiloEntity mover = add_mover(&scene, 0, 0.2f, (FiloMover2){ 0 });
    FiloEntity beside = add_mover(&scene, 10, 2, (FiloMover2){ 0 });
    add_body(&scene, FILO_BODY_STATIC, 11, 2, BOX(1, 2));
    run(&scene, 60);
    assert_near(at(&scene, mover).y, FEET + GAP, 0.006f);
    assert_true(is(&scene, mover, FILO_MOVER_ON_FLOOR));
    assert_near(at(&scene, beside).x, 10 - 0.4f - GAP, 0.006f);
    assert_near(at(&scene, beside).y, FEET + GAP, 0.006f);
    scene_close(&scene);
}

FILO_TEST(steady_movers_do_not_allocate) {
    Scene scene = scene_open(2);
    add_ground(&scene);
    FiloEntity movers[100];
    for (int i = 0; i < 100; i++)
        movers[i] = add_mover(&scene, (float)i, 2, (FiloMover2){ .push_force = 10 });
    add_body(&scene, FILO_BODY_DYNAMIC, 0.9f, 0.5f, BALL(0.2f));
    no_sleep(&scene);
    walk(&scene, movers[0], 3, 60);
    uint64_t calls = filo_test_malloc_calls(), system = filo_memory_system_calls();
    for (int i = 0; i < 30; i++) walk(&scene, movers[i], 3, 1);
    assert_int_equal(filo_test_malloc_calls(), calls);
    assert_int_equal(filo_memory_system_calls(), system);
    scene_close(&scene);
}

FILO_TEST(bad_numbers_are_repaired_and_bad_shapes_do_not_move) {
    Scene scene = scene_open(0);
    add_ground(&scene);
    FiloEntity mover = add_mover(&scene, 0, 2, (FiloMover2){ .velocity = { NAN, INFINITY } });
    FiloEntity lost = add_mover(&scene, NAN, 2, (FiloMover2){ 0 });
    FiloEntity flat = add_mover(&scene, 5, 2, (FiloMover2){ 0 });
    filo_edit(scene.world, flat, FiloShape2)->radius = -1;
    FiloEntity odd = add_mover(&scene, 9, 2,
                               (FiloMover2){ .step_height = NAN,
                                             .maximum_slope = -INFINITY,
                                             .snap_distance = NAN,
                                             .gravity_scale = NAN,
                                             .push_force = NAN,
                                             .mass = INFINITY,
                                             .up = { NAN, NAN },
                                             .floor = { 12345 } });
    run(&scene, 120);
    FiloEntity good[] = { mover, lost, odd };
    for (size_t i = 0; i < FILO_COUNT_OF(good); i++) {
        assert_near(at(&scene, good[i]).y, FEET + GAP, 0.006f);
        assert_true(is(&scene, good[i], FILO_MOVER_ON_FLOOR));
    }
    assert_near(at(&scene, flat).y, 2, 0);
    assert_int_equal(mover_of(&scene, flat)->state, FILO_MOVER_INVALID);
    filo_edit(scene.world, flat, FiloShape2)->radius = 0.4f;
    run(&scene, 60);
    assert_true(is(&scene, flat, FILO_MOVER_ON_FLOOR));
    expect_fault("pass a shape, a transform and a mover",
                 assert_false(filo_physics2_move(scene.world, FILO_ENTITY_NONE, NULL, NULL, NULL, 1)));
    scene_close(&scene);
}

FILO_TEST(the_function_does_what_the_system_does) {
    Scene scene = scene_open(0);
    add_ground(&scene);
    FiloEntity mover = add_mover(&scene, 0, 2, (FiloMover2){ .velocity = { 1, 0 } });
    FiloTransform2 transform = { .position = { 0, 2 } };
    FiloMover2 own = { .velocity = { 1, 0 } };
    for (int i = 0; i < 60; i++) {
        run(&scene, 1);
        assert_true(filo_physics2_move(scene.world, FILO_ENTITY_NONE, &upright, &transform, &own, 1.0f / 60));
        assert_true(filo_vec2_equal(transform.position, at(&scene, mover)));
        assert_int_equal(own.state, mover_of(&scene, mover)->state);
    }
    FiloVec2 there = transform.position;
    assert_true(filo_physics2_move(scene.world, FILO_ENTITY_NONE, &upright, &transform, &own, 0));
    assert_true(filo_physics2_move(scene.world, FILO_ENTITY_NONE, &upright, &transform, &own, NAN));
    assert_true(filo_vec2_equal(there, transform.position));
    filo_edit_global(scene.world, FiloPhysics2)->paused = true;
    there = at(&scene, mover);
    run(&scene, 10);
    assert_true(filo_vec2_equal(there, at(&scene, mover)));
    scene_close(&scene);
}

// ---- The same bits ----------------------------------------------------------------------------------------

enum { TICKS = 240, MOVERS = 60 };

static void fill(const Scene *scene, FiloEntity *movers) {
    add_ground(scene);
    for (int i = 0; i < 6; i++) {
        add_ramp(scene, (float)(i * 25 - 60), 1, 0.2f * (float)(i + 1));
        FiloEntity platform = add_body(scene, FILO_BODY_KINEMATIC, (float)(i * 20 - 50), 4, BOX(3, 0.2f));
        filo_edit(scene->world, platform, FiloBody2)->angular_velocity = 0.2f * (float)(i - 3);
        filo_edit(scene->world, platform, FiloShape2)->flags = i % 2 == 0 ? FILO_SHAPE_ONE_WAY : 0;
    }
    for (int i = 0; i < 80; i++)
        add_body(scene, FILO_BODY_DYNAMIC, (float)(i * 2 - 80), 1 + (float)(i % 3), BOX(0.4f, 0.4f));
    for (int i = 0; i < MOVERS; i++) {
        FiloMover2 mover = { .step_height = 0.3f, .push_force = 300, .mass = 2 };
        movers[i] = add_mover(scene, (float)(i * 3 - 90) * 0.9f, 5, mover);
        if (i % 4 == 0) {
            filo_add(scene->world, movers[i], FiloBody2);
            filo_edit(scene->world, movers[i], FiloBody2)->kind = FILO_BODY_KINEMATIC;
        }
    }
}

static void play(const Scene *scene, const FiloEntity *movers, int tick) {
    for (int i = 0; i < MOVERS; i++) {
        FiloRandom random = filo_random_keyed(9, (uint64_t)tick / 20, 0, (uint64_t)i);
        FiloMover2 *mover = mover_of(scene, movers[i]);
        mover->velocity.x = filo_random_float_range(&random, -6, 6);
        mover->flags = filo_random_chance(&random, 0.1f) ? FILO_MOVER_DROP : 0;
        if ((mover->state & FILO_MOVER_ON_FLOOR) != 0 && (tick + i) % 50 == 0) mover->velocity.y = 8;
    }
    run(scene, 1);
}

FILO_TEST(all_numbers_of_threads_and_a_restore_in_a_jump_give_the_same_bits) {
    static uint64_t hashes[TICKS];
    int threads[] = { 0, 1, 2, 4, 8, 16 };
    for (size_t k = 0; k < FILO_COUNT_OF(threads); k++) {
        Scene scene = scene_open(threads[k]);
        FiloEntity movers[MOVERS];
        fill(&scene, movers);
        FiloSnapshot *snapshot = filo_snapshot_create(NULL);
        for (int i = 0; i < TICKS; i++) {
            if (i == 120) assert_ok(filo_snapshot_take(snapshot, scene.world));
            play(&scene, movers, i);
            uint64_t hash = filo_world_hash(scene.world);
            if (k == 0) hashes[i] = hash;
            if (hashes[i] != hash) fail_msg("%d threads differ in tick %d", threads[k], i);
        }
        int air = 0;
        assert_ok(filo_snapshot_restore(snapshot, scene.world));
        for (int i = 0; i < MOVERS; i++) air += !is(&scene, movers[i], FILO_MOVER_ON_FLOOR);
        assert_true(air > 2 && air < MOVERS - 2);
        for (int i = 120; i < TICKS; i++) {
            play(&scene, movers, i);
            if (filo_world_hash(scene.world) != hashes[i]) fail_msg("differs in tick %d", i);
        }
        filo_snapshot_destroy(snapshot);
        scene_close(&scene);
    }
}
