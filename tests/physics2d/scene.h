// Shared by the tests of physics: a world, bodies, and assertions about them.

#ifndef FILO_TEST_PHYSICS2D_SCENE_H
#define FILO_TEST_PHYSICS2D_SCENE_H

#include <filo/physics2d.h>
#include <filo/random.h>
#include <filo/snapshot.h>
#include <filo/system.h>

#include "support/test.h"

typedef struct Scene {
    FiloJobs *jobs; // NULL without threads
    FiloEvents *events;
    FiloWorld *world;
} Scene;

// `threads` 0: without a scheduler.
__attribute__((unused)) static Scene scene_open(int threads) {
    Scene scene = { 0 };
    if (threads > 0) {
        assert_ok(filo_jobs_create(&scene.jobs, &(FiloJobsDesc){ .threads = threads }));
        assert_ok(filo_events_create(&scene.events, &(FiloEventsDesc){ .jobs = scene.jobs }));
    }
    assert_ok(filo_world_create(&scene.world,
                                &(FiloWorldDesc){ .jobs = scene.jobs, .events = scene.events, .seed = 5 }));
    assert_true(filo_physics2_register(scene.world));
    return scene;
}

__attribute__((unused)) static void scene_close(Scene *scene) {
    filo_world_destroy(scene->world);
    filo_events_destroy(scene->events);
    if (scene->jobs != NULL) filo_jobs_destroy(scene->jobs, FILO_JOBS_FINISH);
}

__attribute__((unused)) static void run(const Scene *scene, int ticks) {
    for (int i = 0; i < ticks; i++) assert_ok(filo_world_tick(scene->world, 1.0f / 60));
}

__attribute__((unused)) static void no_sleep(const Scene *scene) {
    filo_edit_global(scene->world, FiloPhysics2)->no_sleep = true;
}

__attribute__((unused)) static FiloEntity add_body(const Scene *scene, FiloBodyKind kind, float x, float y,
                                                   FiloShape2 shape) {
    return filo_create(scene->world, FILO_SET(FiloTransform2, .position = { x, y }),
                       FILO_SET(FiloBody2, .kind = kind), FILO_SET_COPY(FiloShape2, &shape));
}

#define BOX(w, h) ((FiloShape2){ .kind = FILO_SHAPE_BOX, .half_size = { (w), (h) } })
#define BALL(r)   ((FiloShape2){ .kind = FILO_SHAPE_CIRCLE, .radius = (r) })
#define CAPSULE(l, r)                                                                                        \
    ((FiloShape2){ .kind = FILO_SHAPE_CAPSULE, .radius = (r), .points = { { -(l), 0 }, { (l), 0 } } })

__attribute__((unused)) static FiloShape2 with(FiloShape2 shape, uint32_t flags) {
    shape.flags |= flags;
    return shape;
}

// A shape on an entity of its own, below a body.
__attribute__((unused)) static FiloEntity add_child(const Scene *scene, FiloEntity parent, float x, float y,
                                                    float angle, FiloShape2 shape) {
    FiloEntity child =
        filo_create(scene->world, FILO_SET(FiloTransform2, .position = { x, y }, .rotation = angle),
                    FILO_SET_COPY(FiloShape2, &shape));
    assert_true(filo_entity_set_parent(scene->world, child, parent));
    return child;
}

// Ground whose surface is y = 0.
__attribute__((unused)) static FiloEntity add_ground(const Scene *scene) {
    return add_body(scene, FILO_BODY_STATIC, 0, -1, BOX(200, 1));
}

__attribute__((unused)) static FiloVec2 at(const Scene *scene, FiloEntity entity) {
    const FiloTransform2 *transform = filo_get(scene->world, entity, FiloTransform2);
    assert_non_null(transform);
    return transform->position;
}
__attribute__((unused)) static FiloBody2 body_of(const Scene *scene, FiloEntity entity) {
    const FiloBody2 *body = filo_get(scene->world, entity, FiloBody2);
    assert_non_null(body);
    return *body;
}

__attribute__((unused)) static bool is_asleep(const Scene *scene, FiloEntity entity) {
    return filo_has(scene->world, entity, FiloAsleep);
}

// On its own ground.
__attribute__((unused)) static FiloEntity add_resting_box(const Scene *scene) {
    add_ground(scene);
    FiloEntity box = add_body(scene, FILO_BODY_DYNAMIC, 0, 0.5f, BOX(0.5f, 0.5f));
    run(scene, 120);
    assert_true(is_asleep(scene, box));
    return box;
}

#define assert_near(a, b, tolerance) assert_float_equal((double)(a), (double)(b), (double)(tolerance))

__attribute__((unused)) static float angle_of(const Scene *scene, FiloEntity entity) {
    const FiloTransform2 *transform = filo_get(scene->world, entity, FiloTransform2);
    assert_non_null(transform);
    return transform->rotation;
}

__attribute__((unused)) static FiloEntity add_joint(const Scene *scene, FiloJoint2 joint) {
    return filo_create(scene->world, FILO_SET_COPY(FiloJoint2, &joint));
}

__attribute__((unused)) static FiloVec2 point_of(const Scene *scene, FiloEntity body, FiloVec2 local) {
    return filo_transform2_to_world(scene->world, body, local);
}

// How far apart the points of two bodies are that a joint holds together.
__attribute__((unused)) static float gap_of(const Scene *scene, FiloEntity a, FiloVec2 anchor_a, FiloEntity b,
                                            FiloVec2 anchor_b) {
    return filo_vec2_distance(point_of(scene, a, anchor_a), point_of(scene, b, anchor_b));
}

__attribute__((unused)) static void set_gravity(const Scene *scene, float x, float y) {
    filo_edit_global(scene->world, FiloPhysics2)->gravity = filo_vec2(x, y);
}

#endif
