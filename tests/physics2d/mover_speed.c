// How fast movers are at most.

#include "physics2d/scene.h"

static FiloEntity add_flier(const Scene *scene, float x, FiloMover2 mover) {
    return filo_create(scene->world, FILO_SET(FiloTransform2, .position = { x, 0 }),
                       FILO_SET(FiloShape2, .kind = FILO_SHAPE_CIRCLE, .radius = 0.4f),
                       FILO_SET_COPY(FiloMover2, &mover));
}

FILO_TEST(a_mover_is_never_faster_than_the_maximum_speed) {
    Scene scene = scene_open(0);
    filo_edit_global(scene.world, FiloPhysics2)->maximum_speed = 20;
    FiloEntity falls = add_flier(&scene, 0, (FiloMover2){ .velocity = { 3, 0 } });
    FiloEntity flies = add_flier(&scene, 50, (FiloMover2){ .flags = FILO_MOVER_FLOATING });
    for (int i = 0; i < 600; i++) {
        filo_edit(scene.world, flies, FiloMover2)->velocity = filo_vec2(300, 400);
        run(&scene, 1);
        assert_true(filo_vec2_length(filo_edit(scene.world, falls, FiloMover2)->velocity) < 20.001f);
        assert_near(filo_edit(scene.world, flies, FiloMover2)->velocity.x, 12, 0.001f);
        assert_near(filo_edit(scene.world, flies, FiloMover2)->velocity.y, 16, 0.001f);
    }
    assert_true(filo_edit(scene.world, falls, FiloMover2)->velocity.y < -19.9f);
    assert_near(at(&scene, flies).x, 50 + 120, 0.1f);
    scene_close(&scene);
}
