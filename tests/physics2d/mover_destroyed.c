// What a mover pushes or stands on may be destroyed by handlers and systems of the same tick.

#include "physics2d/scene.h"

#include <filo/events.h>

static void destroy_both(FiloIter *it, const FiloEvent *event) {
    const FiloContactImpulse2 *impulse = event->payload;
    FiloEntity bodies[] = { impulse->body_a, impulse->body_b };
    for (int i = 0; i < 2; i++)
        if (filo_has(it->changes, bodies[i], FiloShape2) &&
            (filo_get(it->world, bodies[i], FiloShape2)->flags & FILO_SHAPE_IMPULSES) != 0)
            filo_destroy(it->changes, bodies[i]);
}

FILO_TEST(a_crate_that_a_mover_pushes_may_be_destroyed_in_the_same_tick) {
    for (int stands = 0; stands < 2; stands++) {
        Scene scene = scene_open(1);
        filo_world_handle(scene.world, &(FiloWorldHandlerDesc){ .event = filo_name(FILO_CONTACT_IMPULSE),
                                                                .type = FILO_TYPE(FiloContactImpulse2),
                                                                .run = destroy_both,
                                                                .extra_access = { FILO_READ(FiloShape2) } });
        add_ground(&scene);
        FiloEntity crate = add_body(&scene, FILO_BODY_DYNAMIC, stands ? 0 : 1.02f, 0.5f,
                                    with(BOX(0.5f, 0.5f), FILO_SHAPE_IMPULSES));
        FiloEntity mover =
            filo_create(scene.world, FILO_SET(FiloTransform2, .position = { 0, stands ? 1.51f : 0.51f }),
                        FILO_SET(FiloShape2, .kind = FILO_SHAPE_CIRCLE, .radius = 0.5f),
                        FILO_SET(FiloMover2, .push_force = 200, .mass = 20));
        for (int i = 0; i < 60; i++) {
            filo_edit(scene.world, mover, FiloMover2)->velocity.x = stands ? 0 : 3;
            run(&scene, 1);
        }
        assert_false(filo_entity_exists(scene.world, crate));
        assert_near(at(&scene, mover).y, 0.51f, 0.01f);
        scene_close(&scene);
    }
}
