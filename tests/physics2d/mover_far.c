// Movers far from the origin, where boxes are rounded by more than the part of the gap by which they are entered before the shape
// is hit. What is hit must not depend on the order in which a tree is searched.

#include "physics2d/scene.h"

FILO_TEST(of_equal_walls_it_touches_that_of_the_lowest_slot_also_far_away) {
    FiloShape2 upright = { .kind = FILO_SHAPE_CAPSULE,
                           .radius = 0.4f,
                           .points = { { 0, -0.4f }, { 0, 0.4f } } };
    FiloRandom random = filo_random_keyed(73, 1, 2, 3);
    int touched = 0;
    for (int round = 0; round < 60; round++) {
        Scene scene = scene_open(0);
        float x = filo_random_float_range(&random, 1e3f, 1e5f);
        FiloEntity first = { 0 };
        for (int i = 0; i < 40; i++) { // in several nodes of a tree; that of the lowest slot is searched last
            FiloEntity body = add_body(&scene, FILO_BODY_STATIC, x, 0, BOX(0.37f, 8));
            if (i == 0) first = body;
        }
        run(&scene, 1);
        for (int i = 0; i < 20; i++) {
            FiloTransform2 transform = { .position = { x - filo_random_float_range(&random, 1, 2), 0 } };
            FiloMover2 mover = { .flags = FILO_MOVER_FLOATING, .velocity = { 60, 0 } };
            assert_true(
                filo_physics2_move(scene.world, FILO_ENTITY_NONE, &upright, &transform, &mover, 1.0f / 60));
            if (mover.wall.id == 0) continue;
            touched++;
            assert_true(filo_entity_equal(mover.wall, first));
        }
        scene_close(&scene);
    }
    assert_true(touched > 100);
}
