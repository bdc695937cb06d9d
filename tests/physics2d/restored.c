// What goes on after a restore is what would have gone on, whatever the world was in between.

#include "physics2d/scene.h"

enum { TICKS = 60 };

static void collect(const Scene *scene, uint64_t *hashes) {
    for (int i = 0; i < TICKS; i++) {
        run(scene, 1);
        hashes[i] = filo_world_hash(scene->world);
    }
}

// Contacts are purged in the first step, because a shape is gone. The pair that a joint connected in between is not purged too.
FILO_TEST(a_joint_that_came_after_a_snapshot_changes_nothing_after_the_restore) {
    Scene scene = scene_open(0);
    add_ground(&scene);
    FiloEntity a = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0.5f, BALL(0.5f)),
               b = add_body(&scene, FILO_BODY_DYNAMIC, 1, 0.5f, BALL(0.5f)),
               wall = add_body(&scene, FILO_BODY_STATIC, 20, 1, BOX(1, 1)),
               kid = add_child(&scene, wall, 0, 2, 0, BOX(0.5f, 0.5f));
    for (int i = 0; i < 4; i++) add_body(&scene, FILO_BODY_DYNAMIC, 4 + 2 * (float)i, 0.5f, BOX(0.5f, 0.5f));
    run(&scene, 5);
    filo_entity_set_active(scene.world, kid, false);
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(snapshot, scene.world));
    uint64_t first[TICKS], second[TICKS];
    collect(&scene, first);
    assert_ok(filo_snapshot_restore(snapshot, scene.world));
    filo_create(scene.world, FILO_SET(FiloJoint2, .kind = FILO_JOINT_DISTANCE, .a = a, .b = b, .length = 1,
                                      .flags = FILO_JOINT_SPRING));
    run(&scene, 7);
    assert_ok(filo_snapshot_restore(snapshot, scene.world));
    collect(&scene, second);
    for (int i = 0; i < TICKS; i++)
        if (first[i] != second[i]) fail_msg("tick %d differs", i);
    filo_snapshot_destroy(snapshot);
    scene_close(&scene);
}

FILO_TEST(the_force_of_a_joint_is_known_right_after_a_restore_into_another_world) {
    Scene scene = scene_open(0), other = scene_open(0);
    FiloEntity ball = add_body(&scene, FILO_BODY_DYNAMIC, 0, 5, BALL(0.5f));
    FiloEntity weld = filo_create(
        scene.world, FILO_SET(FiloJoint2, .kind = FILO_JOINT_WELD, .b = ball, .anchor_a = { 0, 5 }));
    run(&scene, 60);
    FiloJointForce2 held = filo_physics2_joint_force(scene.world, weld);
    assert_near(held.force.y, 9.81f * filo_physics2_mass(scene.world, ball).mass, 0.01f);
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(snapshot, scene.world));
    assert_ok(filo_snapshot_restore(snapshot, other.world));
    FiloJointForce2 restored = filo_physics2_joint_force(other.world, weld);
    assert_true(restored.force.x == held.force.x && restored.force.y == held.force.y &&
                restored.torque == held.torque);
    assert_true(filo_physics2_joint_force(other.world, ball).force.y == 0); // no joint
    filo_snapshot_destroy(snapshot);
    scene_close(&scene);
    scene_close(&other);
}
