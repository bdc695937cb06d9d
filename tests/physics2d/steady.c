// Steady steps do not allocate, and worlds do not disturb each other.

#include "physics2d/scene.h"
#include "support/malloc_count.h"

#include <filo/threads.h>

// Boxes and ragdolls in wind, over a wheel that stirs them.
static void fill(const Scene *scene, int count) {
    add_ground(scene);
    add_body(scene, FILO_BODY_STATIC, -9, 5, BOX(1, 10));
    add_body(scene, FILO_BODY_STATIC, 9, 5, BOX(1, 10));
    FiloEntity wheel = add_body(scene, FILO_BODY_KINEMATIC, 0, 3, BOX(4, 0.3f));
    filo_edit(scene->world, wheel, FiloBody2)->angular_velocity = 3;
    FiloEntity wind = add_body(scene, FILO_BODY_STATIC, -4, 4, with(BOX(4, 2), FILO_SHAPE_SENSOR));
    filo_set(scene->world, wind, FiloArea2, .wind = { 5, 3 }, .drag = 0.5f, .pull = 1);
    FiloEntity previous = FILO_ENTITY_NONE;
    for (int i = 0; i < count; i++) {
        FiloEntity body = add_body(scene, FILO_BODY_DYNAMIC, (float)(i % 12) - 6, 2 + (float)(i / 12),
                                   i % 2 == 0 ? BALL(0.3f) : BOX(0.3f, 0.2f));
        if (i % 4 != 0) {
            FiloJoint2 joint = { .kind = i % 4 == 3 ? FILO_JOINT_WELD : FILO_JOINT_REVOLUTE,
                                 .a = previous,
                                 .b = body };
            joint.anchor_a = filo_vec2(0.5f, 0);
            joint.anchor_b = filo_vec2(-0.5f, 0);
            if (i % 4 == 2) joint.flags = FILO_JOINT_LIMIT | FILO_JOINT_SPRING;
            add_joint(scene, joint);
        }
        previous = body;
    }
}

static void explode(const Scene *scene, int tick) {
    if (tick % 5 == 0)
        filo_physics2_explode(scene->world, &(FiloExplosion2){ .centre = { (float)(tick % 10) - 5, 1 },
                                                               .radius = 2,
                                                               .falloff = 2,
                                                               .impulse = 1 });
}

static void shoot(const Scene *scene, const FiloEntity *bullets, int count) {
    for (int i = 0; i < count; i++) {
        filo_edit(scene->world, bullets[i], FiloTransform2)->position =
            filo_vec2(i % 2 == 0 ? -30 : 30, 2 * (float)(i / 2));
        filo_edit(scene->world, bullets[i], FiloBody2)->velocity = filo_vec2(i % 2 == 0 ? 4000 : -4000, 0);
    }
}

// In the first step in which any of them is fast, all of them meet.
FILO_TEST(a_step_in_which_bullets_meet_does_not_allocate) {
    enum { COUNT = 400 };
    Scene scene = scene_open(0);
    filo_edit_global(scene.world, FiloPhysics2)->gravity = filo_vec2(0, 0);
    filo_edit_global(scene.world, FiloPhysics2)->maximum_speed = 1e6f;
    no_sleep(&scene);
    FiloEntity bullets[COUNT];
    for (int i = 0; i < COUNT; i++) {
        bullets[i] =
            add_body(&scene, FILO_BODY_DYNAMIC, i % 2 == 0 ? -30 : 30, 2 * (float)(i / 2), BALL(0.2f));
        filo_edit(scene.world, bullets[i], FiloBody2)->flags = FILO_BODY_BULLET;
    }
    run(&scene, 20);
    uint64_t calls = filo_test_malloc_calls(), system = filo_memory_system_calls();
    shoot(&scene, bullets, COUNT);
    run(&scene, 1);
    assert_int_equal(filo_test_malloc_calls(), calls);
    assert_int_equal(filo_memory_system_calls(), system);
    for (int i = 0; i < COUNT; i++) assert_near(at(&scene, bullets[i]).x, i % 2 == 0 ? -0.2f : 0.2f, 0.05f);
    scene_close(&scene);
}

FILO_TEST(steps_with_joints_areas_and_explosions_do_not_allocate) {
    for (int threads = 0; threads <= 2; threads += 2) {
        Scene scene = scene_open(threads);
        no_sleep(&scene);
        fill(&scene, 240);
        for (int i = 0; i < 300; i++) {
            explode(&scene, i);
            run(&scene, 1);
        }
        uint64_t calls = filo_test_malloc_calls(), system = filo_memory_system_calls();
        for (int i = 0; i < 100; i++) {
            explode(&scene, i);
            run(&scene, 1);
        }
        assert_int_equal(filo_test_malloc_calls(), calls);
        assert_int_equal(filo_memory_system_calls(), system);
        assert_true(filo_physics2_stats(scene.world).contacts > 100);
        assert_int_equal(filo_physics2_stats(scene.world).areas, 1);
        scene_close(&scene);
    }
}

enum { TICKS = 60 };

static uint64_t hash_alone(int count) {
    Scene scene = scene_open(0);
    fill(&scene, count);
    run(&scene, TICKS);
    uint64_t hash = filo_world_hash(scene.world);
    scene_close(&scene);
    return hash;
}

FILO_TEST(two_worlds_that_tick_in_turn_are_as_if_alone) {
    Scene a = scene_open(0), b = scene_open(2);
    fill(&a, 120);
    fill(&b, 200);
    for (int i = 0; i < TICKS; i++) {
        run(&a, 1);
        run(&b, 1);
    }
    assert_true(filo_world_hash(a.world) == hash_alone(120));
    assert_true(filo_world_hash(b.world) == hash_alone(200));
    scene_close(&a);
    scene_close(&b);
}

typedef struct Runner {
    int count;
    uint64_t hash;
} Runner;

static void run_world(void *user) {
    Runner *runner = user;
    runner->hash = hash_alone(runner->count);
}

FILO_TEST(worlds_on_different_threads_are_as_if_alone) {
    Runner runners[3] = { { .count = 120 }, { .count = 200 }, { .count = 120 } };
    FiloThread threads[3];
    for (int i = 0; i < 3; i++)
        assert_ok(
            filo_thread_start(&threads[i], &(FiloThreadDesc){ .function = run_world, .user = &runners[i] }));
    for (int i = 0; i < 3; i++) filo_thread_join(&threads[i]);
    assert_true(runners[0].hash == hash_alone(120) && runners[2].hash == runners[0].hash);
    assert_true(runners[1].hash == hash_alone(200));
}
