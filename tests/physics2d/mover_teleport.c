// Writing the transform of a mover moves it, whatever it stands on.

#include "physics2d/scene.h"

#define GAP 0.01f

static FiloEntity add_mover(const Scene *scene, float x, float y) {
    return filo_create(scene->world, FILO_SET(FiloTransform2, .position = { x, y }),
                       FILO_SET(FiloShape2, .kind = FILO_SHAPE_CIRCLE, .radius = 0.5f), FILO_ADD(FiloMover2));
}

static bool stands(const Scene *scene, FiloEntity mover) {
    return (filo_get(scene->world, mover, FiloMover2)->state & FILO_MOVER_ON_FLOOR) != 0;
}

FILO_TEST(a_mover_that_stands_stays_where_it_was_teleported_to) {
    const FiloVec2 targets[] = { { 0.3f, 0.5f + GAP }, { 5, 0.5f + GAP }, { 5, 3 }, { 50, 0.5f + GAP } };
    for (size_t i = 0; i < FILO_COUNT_OF(targets); i++) {
        Scene scene = scene_open(0);
        add_ground(&scene);
        FiloEntity mover = add_mover(&scene, 0, 1);
        run(&scene, 30);
        assert_true(stands(&scene, mover));
        assert_true(filo_teleport(scene.world, mover, targets[i]));
        run(&scene, 1);
        assert_near(at(&scene, mover).x, targets[i].x, 0.001f);
        assert_near(at(&scene, mover).y, targets[i].y, 0.02f);
        run(&scene, 60);
        assert_true(stands(&scene, mover));
        assert_near(at(&scene, mover).x, targets[i].x, 0.001f);
        assert_near(at(&scene, mover).y, 0.5f + GAP, 0.005f);
        scene_close(&scene);
    }
}

FILO_TEST(a_mover_on_a_platform_is_teleported_along_it_and_rides_on) {
    Scene scene = scene_open(0);
    FiloEntity platform = add_body(&scene, FILO_BODY_KINEMATIC, 0, -0.5f, BOX(10, 0.5f));
    FiloEntity mover = add_mover(&scene, 0, 1);
    run(&scene, 60);
    filo_edit(scene.world, platform, FiloBody2)->velocity.y = 2;
    run(&scene, 10);
    filo_edit(scene.world, mover, FiloTransform2)->position.x = 4;
    run(&scene, 30);
    assert_true(stands(&scene, mover));
    assert_near(at(&scene, mover).x, 4, 0.001f);
    assert_near(at(&scene, mover).y - at(&scene, platform).y, 1 + GAP, 0.01f);
    scene_close(&scene);
}
