// Stacks stand.

#include "physics2d/scene.h"

static float pyramid(const Scene *scene, int rows, FiloEntity *top) {
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < rows - i; k++) {
            float x = ((float)k - (float)(rows - i - 1) * 0.5f) * 1.05f, y = 0.5f + (float)i;
            *top = add_body(scene, FILO_BODY_DYNAMIC, x, y, BOX(0.5f, 0.5f));
        }
    return (float)rows - 0.5f;
}

FILO_TEST(a_pyramid_of_twenty_rows_stands) {
    Scene scene = scene_open(2);
    no_sleep(&scene);
    add_ground(&scene);
    FiloEntity top;
    float height = pyramid(&scene, 20, &top);
    run(&scene, 1200);
    assert_near(at(&scene, top).y, height, 0.1f);
    assert_near(at(&scene, top).x, 0, 0.1f);
    scene_close(&scene);
}

FILO_TEST(a_tower_of_boxes_stands_and_falls_asleep) {
    Scene scene = scene_open(0);
    add_ground(&scene);
    FiloEntity boxes[15];
    for (int i = 0; i < 15; i++)
        boxes[i] = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0.5f + (float)i * 1.01f, BOX(0.5f, 0.5f));
    run(&scene, 600);
    for (int i = 0; i < 15; i++) {
        assert_near(at(&scene, boxes[i]).y, 0.5f + (float)i, 0.1f);
        assert_true(is_asleep(&scene, boxes[i]));
    }
    assert_int_equal(filo_physics2_stats(scene.world).awake, 0);
    assert_int_equal(filo_physics2_stats(scene.world).islands, 1);
    scene_close(&scene);
}

FILO_TEST(a_heavy_box_rests_on_a_light_one) {
    Scene scene = scene_open(0);
    no_sleep(&scene);
    add_ground(&scene);
    FiloEntity light = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0.5f, BOX(0.5f, 0.5f));
    FiloShape2 shape = BOX(0.5f, 0.5f);
    shape.density = 100;
    FiloEntity heavy = add_body(&scene, FILO_BODY_DYNAMIC, 0, 1.5f, shape);
    run(&scene, 600);
    assert_near(at(&scene, light).y, 0.5f, 0.05f);
    assert_near(at(&scene, heavy).y, 1.5f, 0.1f);
    assert_near(at(&scene, heavy).x, 0, 0.05f);
    scene_close(&scene);
}

FILO_TEST(deep_overlap_does_not_explode) {
    Scene scene = scene_open(0);
    add_ground(&scene);
    FiloEntity bodies[30];
    for (int i = 0; i < 30; i++)
        bodies[i] = add_body(&scene, FILO_BODY_DYNAMIC, 0.001f * (float)i, 1,
                             i % 2 == 0 ? BOX(0.5f, 0.5f) : BALL(0.5f));
    float fastest = 0;
    for (int i = 0; i < 300; i++) {
        run(&scene, 1);
        for (int k = 0; k < 30; k++)
            fastest = filo_max(fastest, filo_vec2_length(body_of(&scene, bodies[k]).velocity));
    }
    assert_true(fastest < 30);
    for (int k = 0; k < 30; k++) assert_true(at(&scene, bodies[k]).y > 0.3f);
    scene_close(&scene);
}

FILO_TEST(bodies_that_came_to_rest_wake_when_they_are_touched) {
    Scene scene = scene_open(0);
    FiloEntity ground = add_ground(&scene);
    FiloEntity low = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0.5f, BOX(0.5f, 0.5f));
    FiloEntity high = add_body(&scene, FILO_BODY_DYNAMIC, 0, 1.5f, BOX(0.5f, 0.5f));
    FiloEntity far = add_body(&scene, FILO_BODY_DYNAMIC, 20, 0.5f, BOX(0.5f, 0.5f));
    run(&scene, 120);
    assert_true(is_asleep(&scene, low) && is_asleep(&scene, far));
    assert_int_equal(filo_physics2_stats(scene.world).islands, 2);
    FiloEntity ball = add_body(&scene, FILO_BODY_DYNAMIC, -3, 1.5f, BALL(0.4f));
    filo_edit(scene.world, ball, FiloBody2)->velocity = filo_vec2(10, 1);
    run(&scene, 30);
    assert_false(is_asleep(&scene, low) || is_asleep(&scene, high));
    assert_true(is_asleep(&scene, far));
    run(&scene, 400);
    assert_true(is_asleep(&scene, low));
    // What a body rested on is gone.
    filo_entity_destroy(scene.world, ground);
    run(&scene, 60);
    assert_true(at(&scene, far).y < -3 && at(&scene, low).y < -3);
    scene_close(&scene);
}

FILO_TEST(bodies_that_came_to_rest_wake_when_they_are_edited) {
    Scene scene = scene_open(0);
    add_ground(&scene);
    FiloEntity boxes[4];
    for (int i = 0; i < 4; i++)
        boxes[i] = add_body(&scene, FILO_BODY_DYNAMIC, (float)i * 5, 0.5f, BOX(0.5f, 0.5f));
    run(&scene, 120);
    for (int i = 0; i < 4; i++) assert_true(is_asleep(&scene, boxes[i]));
    filo_edit(scene.world, boxes[0], FiloBody2)->velocity.y = 3;
    filo_edit(scene.world, boxes[1], FiloTransform2)->position.y = 4;
    filo_edit(scene.world, boxes[2], FiloBody2)->kind = FILO_BODY_KINEMATIC;
    filo_edit(scene.world, boxes[2], FiloBody2)->velocity.y = 1;
    FiloShape2 *shape = filo_edit(scene.world, boxes[3], FiloShape2);
    shape->half_size = filo_vec2(0.25f, 0.25f);
    run(&scene, 10);
    assert_true(at(&scene, boxes[0]).y > 0.6f);
    assert_near(at(&scene, boxes[1]).y, 4, 0.2f);
    run(&scene, 170);
    assert_near(at(&scene, boxes[0]).y, 0.5f, 0.01f);
    assert_near(at(&scene, boxes[1]).y, 0.5f, 0.01f);
    assert_near(at(&scene, boxes[2]).y, 3.5f, 0.01f);
    assert_near(at(&scene, boxes[3]).y, 0.25f, 0.01f);
    scene_close(&scene);
}
