// The same bits: on any number of threads, with every kernel, after a snapshot and after a file.

#include "physics2d/history.h"

enum { BODIES = 300, TICKS = 300 };

static FiloShape2 some_shape(int i) {
    FiloShape2 triangle = { .kind = FILO_SHAPE_POLYGON,
                            .point_count = 3,
                            .points = { { -0.4f, -0.3f }, { 0.4f, -0.3f }, { 0, 0.5f } } };
    FiloShape2 shapes[] = { BALL(0.4f), BOX(0.4f, 0.3f), CAPSULE(0.3f, 0.2f), triangle, BOX(0.3f, 0.3f) };
    FiloShape2 shape = shapes[i % 5];
    shape.restitution = i % 7 == 0 ? 0.5f : 0;
    shape.rolling_resistance = i % 3 == 0 ? 0.1f : 0;
    if (i % 10 == 4) shape.radius = 0.1f;
    return shape;
}

static void fill(const Scene *scene) {
    add_ground(scene);
    add_body(scene, FILO_BODY_STATIC, -15, 5, BOX(1, 6));
    add_body(scene, FILO_BODY_STATIC, 15, 5, BOX(1, 6));
    FiloEntity spinner = add_body(scene, FILO_BODY_KINEMATIC, 0, 3, BOX(4, 0.2f));
    filo_edit(scene->world, spinner, FiloBody2)->angular_velocity = 2;
    FiloEntity last = spinner;
    for (int i = 0; i < BODIES; i++) {
        float x = (float)(i % 24) - 11.5f + 0.01f * (float)(i % 7), y = 6 + (float)(i / 24);
        FiloEntity body = add_body(scene, FILO_BODY_DYNAMIC, x, y, some_shape(i));
        filo_edit(scene->world, body, FiloTransform2)->rotation = (float)i;
        if (i % 10 == 1) {
            FiloJoint2 joint = { .kind = (FiloJointKind)(i / 10 % 8), .a = last, .b = body, .length = 1 };
            joint.anchor_a = joint.anchor_b = filo_vec2(0, 0.5f);
            joint.flags = i % 20 == 1 ? FILO_JOINT_SPRING | FILO_JOINT_COLLIDE : FILO_JOINT_MOTOR;
            joint.motor_speed = 1;
            joint.motor_force = 10;
            joint.break_force = i % 30 == 1 ? 200 : 0;
            filo_create(scene->world, FILO_SET_COPY(FiloJoint2, &joint));
        }
        last = body;
    }
}

// What a game does: creates, destroys and edits bodies.
static void disturb(const Scene *scene, int tick) {
    FiloRandom random = filo_random_keyed(7, (uint64_t)tick, 0, 0);
    if (tick % 10 == 0)
        add_body(scene, FILO_BODY_DYNAMIC, filo_random_float(&random) * 20 - 10, 14, some_shape(tick / 10));
    if (tick % 10 == 5) {
        uint32_t index = (uint32_t)(filo_random_float(&random) * (float)filo_entity_index_end(scene->world));
        FiloEntity entity = filo_entity_at(scene->world, index);
        const FiloBody2 *body = entity.id != 0 ? filo_get(scene->world, entity, FiloBody2) : NULL;
        if (body != NULL && body->kind == FILO_BODY_DYNAMIC) {
            if (tick % 20 == 5)
                filo_entity_destroy(scene->world, entity);
            else
                filo_edit(scene->world, entity, FiloBody2)->velocity.y = 5;
        }
    }
}

static const History history = { .ticks = TICKS, .fill = fill, .disturb = disturb };

FILO_TEST(all_numbers_of_threads_give_the_same_bits) { assert_same_on_threads(&history); }

FILO_TEST(the_result_matches_its_golden_hash) {
    static uint64_t hashes[TICKS];
    history_collect(&history, 2, hashes);
    const uint64_t golden = 0x9c27b4841ab19fea;
    if (hashes[TICKS - 1] != golden) fail_msg("0x%016llx", (unsigned long long)hashes[TICKS - 1]);
}

FILO_TEST(all_kernels_give_the_same_bits) {
#ifdef __x86_64__
    if (!__builtin_cpu_supports("avx2")) skip_because("this processor has no AVX2");
    Scene a = scene_open(0), b = scene_open(0);
    physics2d_world(a.world)->kernels = &physics2d_kernels_plain;
    physics2d_world(b.world)->kernels = &physics2d_kernels_avx2;
    fill(&a);
    fill(&b);
    for (int i = 0; i < 200; i++) {
        run(&a, 1);
        run(&b, 1);
        if (filo_world_hash(a.world) != filo_world_hash(b.world)) fail_msg("they differ in tick %d", i);
    }
    scene_close(&a);
    scene_close(&b);
#else
    skip_because("there is one kernel");
#endif
}

FILO_TEST(a_restored_snapshot_continues_to_the_bit) {
    assert_continues(&history, 0, BY_SNAPSHOT, SAME_WORLD);
    assert_continues(&history, 40, BY_SNAPSHOT, SAME_WORLD);
    assert_continues(&history, 151, BY_SNAPSHOT, OTHER_WORLD);
}

FILO_TEST(a_loaded_file_continues_to_the_bit) {
    assert_continues(&history, 1, BY_FILE, OTHER_WORLD);
    assert_continues(&history, 77, BY_FILE, SAME_WORLD);
    assert_continues(&history, 200, BY_FILE, OTHER_WORLD);
}
