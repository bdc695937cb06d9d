// The same bits: on any number of threads, with every kernel, after a snapshot and after a file.

#include "physics2d/physics2d.h"
#include "physics2d/scene.h"

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

static void fill(const Scene *scene, int count) {
    add_ground(scene);
    add_body(scene, FILO_BODY_STATIC, -15, 5, BOX(1, 6));
    add_body(scene, FILO_BODY_STATIC, 15, 5, BOX(1, 6));
    FiloEntity spinner = add_body(scene, FILO_BODY_KINEMATIC, 0, 3, BOX(4, 0.2f));
    filo_edit(scene->world, spinner, FiloBody2)->angular_velocity = 2;
    FiloEntity last = spinner;
    for (int i = 0; i < count; i++) {
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

enum { BODIES = 300, TICKS = 300 };

static void collect(int threads, uint64_t *hashes) {
    Scene scene = scene_open(threads);
    physics2d_world(scene.world)->processors = threads; // a team of as many, whatever the machine has
    fill(&scene, BODIES);
    for (int i = 0; i < TICKS; i++) {
        disturb(&scene, i);
        run(&scene, 1);
        hashes[i] = filo_world_hash(scene.world);
    }
    scene_close(&scene);
}

FILO_TEST(all_numbers_of_threads_give_the_same_bits) {
    static uint64_t one[TICKS], many[TICKS];
    collect(0, one);
    int threads[] = { 1, 2, 4, 8, 16 };
    for (size_t i = 0; i < FILO_COUNT_OF(threads); i++) {
        collect(threads[i], many);
        for (int k = 0; k < TICKS; k++)
            if (one[k] != many[k]) fail_msg("%d threads differ in tick %d", threads[i], k);
    }
}

FILO_TEST(the_result_matches_its_golden_hash) {
    static uint64_t hashes[TICKS];
    collect(2, hashes);
    const uint64_t golden = 0x23d7c3fc96cb7a33;
    if (hashes[TICKS - 1] != golden) fail_msg("0x%016llx", (unsigned long long)hashes[TICKS - 1]);
}

FILO_TEST(all_kernels_give_the_same_bits) {
#ifdef __x86_64__
    if (!__builtin_cpu_supports("avx2")) skip_because("this processor has no AVX2");
    Scene a = scene_open(0), b = scene_open(0);
    physics2d_world(a.world)->kernels = &physics2d_kernels_plain;
    physics2d_world(b.world)->kernels = &physics2d_kernels_avx2;
    fill(&a, BODIES);
    fill(&b, BODIES);
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

static void continue_from(int at_tick, bool by_file, bool other_world) {
    static uint64_t hashes[TICKS];
    Scene scene = scene_open(2), second = scene_open(0), *target = other_world ? &second : &scene;
    fill(&scene, BODIES);
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    FiloBytes bytes = { 0 };
    for (int i = 0; i < TICKS; i++) {
        if (i == at_tick) {
            if (by_file)
                assert_ok(filo_world_save_bytes(scene.world, &bytes, NULL));
            else
                assert_ok(filo_snapshot_take(snapshot, scene.world));
        }
        disturb(&scene, i);
        run(&scene, 1);
        hashes[i] = filo_world_hash(scene.world);
    }
    if (by_file)
        assert_ok(filo_world_load_bytes(target->world, bytes.items, bytes.count, "save", NULL));
    else
        assert_ok(filo_snapshot_restore(snapshot, target->world));
    for (int i = at_tick; i < TICKS; i++) {
        disturb(target, i);
        run(target, 1);
        if (filo_world_hash(target->world) != hashes[i])
            fail_msg("from tick %d: differs in tick %d", at_tick, i);
    }
    filo_array_deinit(&bytes);
    filo_snapshot_destroy(snapshot);
    scene_close(&scene);
    scene_close(&second);
}

FILO_TEST(a_restored_snapshot_continues_to_the_bit) {
    continue_from(0, false, false);
    continue_from(40, false, false);
    continue_from(151, false, true);
}

FILO_TEST(a_loaded_file_continues_to_the_bit) {
    continue_from(1, true, true);
    continue_from(77, true, false);
    continue_from(200, true, true);
}
