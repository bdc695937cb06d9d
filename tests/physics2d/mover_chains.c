// Movers on chains: hills, valleys and caves, solid on both sides and on one; and through sensors.

#include "physics2d/scene.h"

#include <math.h>

static FiloEntity add_mover(const Scene *scene, float x, float y) {
    return filo_create(scene->world, FILO_SET(FiloTransform2, .position = { x, y }),
                       FILO_SET(FiloShape2, .kind = FILO_SHAPE_CAPSULE, .radius = 0.4f,
                                .points = { { 0, -0.4f }, { 0, 0.4f } }),
                       FILO_SET(FiloMover2, .step_height = 0.2f));
}

static void add_chain(const Scene *scene, const FiloVec2 *points, size_t count, bool one_way) {
    FiloEntity ground =
        filo_create(scene->world, FILO_ADD(FiloTransform2), FILO_SET(FiloBody2, .kind = FILO_BODY_STATIC));
    FiloChain2 chain = { .shape.flags = one_way ? FILO_SHAPE_ONE_WAY : 0 };
    assert_ok(filo_physics2_add_chain(scene->world, ground, points, count, &chain));
}

// The height of the ground below.
static float height_at(const FiloVec2 *points, size_t count, float x) {
    for (size_t i = 0; i + 1 < count; i++)
        if (x >= points[i].x && x <= points[i + 1].x)
            return filo_lerp(points[i].y, points[i + 1].y,
                             (x - points[i].x) / (points[i + 1].x - points[i].x));
    return 0;
}

FILO_TEST(it_walks_over_hills_of_chains_in_both_directions) {
    FiloVec2 hills[41];
    for (int i = 0; i <= 40; i++) {
        float x = (float)i * 0.8f - 16;
        hills[i] = filo_vec2(x, 0.8f * filo_sincos(x * 0.9f).sin);
    }
    for (int one_way = 0; one_way <= 1; one_way++) {
        Scene scene = scene_open(0);
        add_chain(&scene, hills, FILO_COUNT_OF(hills), one_way == 1);
        FiloEntity mover = add_mover(&scene, -14, 2);
        run(&scene, 60);
        for (int direction = 1; direction >= -1; direction -= 2)
            for (int i = 0; i < 260; i++) {
                FiloMover2 *walker = filo_edit(scene.world, mover, FiloMover2);
                walker->velocity.x = 6.0f * (float)direction;
                run(&scene, 1);
                walker = filo_edit(scene.world, mover, FiloMover2);
                assert_true((walker->state & FILO_MOVER_ON_FLOOR) != 0);
                assert_int_equal(walker->state & (FILO_MOVER_ON_WALL | FILO_MOVER_CRUSHED), 0);
                FiloVec2 p = at(&scene, mover);
                float above = p.y - 0.8f - height_at(hills, FILO_COUNT_OF(hills), p.x);
                assert_true(above > 0 && above < 0.25f);
                if (p.x * (float)direction > 13) break;
            }
        assert_true(at(&scene, mover).x < -12);
        scene_close(&scene);
    }
}

FILO_TEST(it_jumps_through_a_hill_of_one_side_and_lands_on_it) {
    Scene scene = scene_open(0);
    add_ground(&scene);
    const FiloVec2 arch[] = { { -4, 2 }, { -2, 2.6f }, { 0, 3 }, { 2, 2.6f }, { 4, 2 } };
    add_chain(&scene, arch, FILO_COUNT_OF(arch), true);
    for (int i = 0; i <= 6; i++) { // also at the ridges
        float x = (float)i - 3;
        FiloEntity mover = add_mover(&scene, x, 0.81f);
        run(&scene, 2);
        filo_edit(scene.world, mover, FiloMover2)->velocity.y = 10.5f;
        float highest = 0;
        for (int n = 0; n < 150; n++) {
            run(&scene, 1);
            highest = fmaxf(highest, at(&scene, mover).y);
        }
        assert_true(highest > 5);
        assert_true((filo_get(scene.world, mover, FiloMover2)->state & FILO_MOVER_ON_FLOOR) != 0);
        float above = at(&scene, mover).y - 0.8f - height_at(arch, FILO_COUNT_OF(arch), x);
        assert_true(above > 0 && above < 0.1f);
        filo_entity_destroy(scene.world, mover);
    }
    scene_close(&scene);
}

FILO_TEST(it_stands_on_a_shape_of_a_child_and_rides_the_body) {
    Scene scene = scene_open(0);
    FiloEntity ship =
        filo_create(scene.world, FILO_ADD(FiloTransform2), FILO_SET(FiloBody2, .kind = FILO_BODY_KINEMATIC));
    FiloEntity deck = filo_create(scene.world, FILO_SET(FiloTransform2, .position = { 0, 2 }),
                                  FILO_SET(FiloShape2, .kind = FILO_SHAPE_BOX, .half_size = { 3, 0.2f }));
    assert_true(filo_entity_set_parent(scene.world, deck, ship));
    FiloEntity mover = add_mover(&scene, 1, 3.02f);
    run(&scene, 20);
    assert_true(filo_entity_equal(filo_get(scene.world, mover, FiloMover2)->floor, ship));
    FiloVec2 before = at(&scene, mover);
    filo_edit(scene.world, ship, FiloBody2)->velocity = filo_vec2(2, 1);
    run(&scene, 60);
    FiloVec2 way = filo_vec2_sub(at(&scene, mover), before);
    assert_near(way.x, 2, 1e-3f);
    assert_near(way.y, 1, 1e-3f);
    scene_close(&scene);
}

FILO_TEST(a_mover_passes_through_sensors) {
    Scene scene = scene_open(0);
    add_ground(&scene);
    add_body(&scene, FILO_BODY_STATIC, 2, 1, with(BOX(0.5f, 1), FILO_SHAPE_SENSOR));
    FiloEntity mover = add_mover(&scene, 0, 0.81f);
    for (int i = 0; i < 60; i++) {
        filo_edit(scene.world, mover, FiloMover2)->velocity.x = 5;
        run(&scene, 1);
        uint32_t touched = filo_get(scene.world, mover, FiloMover2)->state;
        assert_true((touched & FILO_MOVER_ON_FLOOR) != 0 && (touched & FILO_MOVER_ON_WALL) == 0);
    }
    assert_near(at(&scene, mover).x, 5, 0.1f);
    scene_close(&scene);
}
