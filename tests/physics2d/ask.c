// Rays, casts and overlaps.

#include "physics2d/scene.h"

FILO_TEST(a_ray_finds_the_first_shape) {
    Scene scene = scene_open(0);
    FiloShape2 line = { .kind = FILO_SHAPE_SEGMENT, .points = { { 0, -1 }, { 0, 1 } } };
    FiloShape2 round_box = { .kind = FILO_SHAPE_BOX, .half_size = { 0.5f, 0.5f }, .radius = 0.5f };
    FiloShape2 shapes[] = { BALL(1), BOX(1, 1), CAPSULE(0.5f, 0.5f), round_box, line };
    float surface[] = { 1, 1, 1, 1, 0 };
    for (size_t i = 0; i < FILO_COUNT_OF(shapes); i++)
        add_body(&scene, FILO_BODY_STATIC, 10, (float)i * 5, shapes[i]);
    FiloEntity behind = add_body(&scene, FILO_BODY_STATIC, 20, 0, BOX(1, 100));
    run(&scene, 1);
    for (size_t i = 0; i < FILO_COUNT_OF(shapes); i++) {
        FiloHit2 hit;
        float y = (float)i * 5;
        assert_true(filo_physics2_ray(scene.world, filo_vec2(0, y), filo_vec2(30, y), NULL, &hit));
        assert_near(hit.point.x, 10 - surface[i], 1e-4f);
        assert_near(hit.point.y, y, 1e-4f);
        assert_near(hit.normal.x, -1, 1e-4f);
        assert_near(hit.fraction, (10 - surface[i]) / 30, 1e-5f);
        FiloFilter2 filter = { .except = hit.body };
        assert_true(filo_physics2_ray(scene.world, filo_vec2(0, y), filo_vec2(30, y), &filter, &hit));
        assert_true(filo_entity_equal(hit.body, behind));
        assert_near(hit.point.x, 19, 1e-4f);
    }
    FiloHit2 hit;
    assert_false(filo_physics2_ray(scene.world, filo_vec2(0, 0), filo_vec2(8, 0), NULL, &hit));
    assert_false(filo_physics2_ray(scene.world, filo_vec2(0, 2.5f), filo_vec2(18, 2.5f), NULL, &hit));
    assert_true(filo_physics2_ray(scene.world, filo_vec2(10, 0), filo_vec2(10, 0), NULL, &hit)); // inside
    assert_true(hit.fraction == 0);
    scene_close(&scene);
}

// All rays into a heap of bodies, compared with a search through all of them.
FILO_TEST(trees_find_what_a_search_through_all_finds) {
    Scene scene = scene_open(0);
    add_ground(&scene);
    FiloEntity bodies[200];
    FiloRandom random = filo_random_keyed(1, 2, 3, 4);
    for (int i = 0; i < 200; i++) {
        float y = filo_random_float(&random) * 30 + 1, x = filo_random_float(&random) * 30 - 15;
        bodies[i] = add_body(&scene, FILO_BODY_DYNAMIC, x, y, BALL(0.3f));
    }
    run(&scene, 30);
    int hits = 0;
    for (int k = 0; k < 300; k++) {
        FiloVec2 from = { .x = filo_random_float(&random) * 40 - 20 }, to;
        from.y = filo_random_float(&random) * 20 + 12;
        to.x = filo_random_float(&random) * 40 - 20;
        to.y = filo_random_float(&random) * 20 + 1;
        FiloVec2 way = filo_vec2_sub(to, from);
        float first = 2;
        for (int i = 0; i < 200; i++) {
            FiloVec2 d = filo_vec2_sub(at(&scene, bodies[i]), from);
            float a = filo_vec2_dot(way, way), b = filo_vec2_dot(way, d), c = filo_vec2_dot(d, d) - 0.09f;
            float root = b * b - a * c, t = c <= 0 ? 0 : root < 0 || b < 0 ? 2 : (b - filo_sqrt(root)) / a;
            first = filo_min(first, t);
        }
        FiloHit2 hit;
        bool found = filo_physics2_ray(scene.world, from, to, NULL, &hit);
        if (first > 1.0001f || first < 0.9999f) assert_int_equal(found, first <= 1);
        if (found) assert_near(hit.fraction, first, 2e-4f);
        hits += found;
    }
    assert_true(hits > 50 && hits < 290);
    scene_close(&scene);
}

FILO_TEST(a_cast_shape_stops_where_it_touches) {
    Scene scene = scene_open(0);
    FiloEntity wall = add_body(&scene, FILO_BODY_STATIC, 10, 0, BOX(1, 5));
    run(&scene, 1);
    FiloShape2 shapes[] = { BALL(0.5f), BOX(0.5f, 0.25f), CAPSULE(0.25f, 0.25f) };
    for (size_t i = 0; i < FILO_COUNT_OF(shapes); i++) {
        FiloHit2 hit;
        FiloTransform2 from = { .position = { 0, 1 } };
        assert_true(filo_physics2_cast(scene.world, &shapes[i], &from, filo_vec2(20, 0), NULL, &hit));
        assert_true(filo_entity_equal(hit.shape, wall));
        assert_near(hit.fraction, 8.5f / 20, 0.001f);
        assert_near(hit.point.x, 9, 0.01f);
        assert_near(hit.normal.x, -1, 0.001f);
        assert_false(filo_physics2_cast(scene.world, &shapes[i], &from, filo_vec2(8, 0), NULL, &hit));
        assert_false(filo_physics2_cast(scene.world, &shapes[i], &from, filo_vec2(0, 20), NULL, &hit));
    }
    FiloHit2 hit;
    FiloShape2 bad = BALL(-1);
    expect_fault("a radius is not negative",
                 assert_false(filo_physics2_cast(scene.world, &bad, &(FiloTransform2){ 0 }, filo_vec2(1, 0),
                                                 NULL, &hit)));
    scene_close(&scene);
}

FILO_TEST(overlaps_are_listed_in_order) {
    Scene scene = scene_open(0);
    FiloEntity bodies[10];
    for (int i = 0; i < 10; i++) {
        FiloShape2 shape = BOX(0.4f, 0.4f);
        shape.layers = i % 2 == 0 ? 1 : 2;
        bodies[i] = add_body(&scene, FILO_BODY_STATIC, (float)i, 0, shape);
    }
    run(&scene, 1);
    FiloEntity found[10];
    FiloShape2 box = BOX(2, 0.1f);
    FiloTransform2 where = { .position = { 5, 0 } };
    assert_int_equal(filo_physics2_overlap(scene.world, &box, &where, NULL, found, 10), 5);
    for (int i = 0; i < 5; i++) assert_true(filo_entity_equal(found[i], bodies[i + 3]));
    assert_int_equal(
        filo_physics2_overlap(scene.world, &box, &where, &(FiloFilter2){ .layers = 2 }, found, 2), 3);
    assert_true(filo_entity_equal(found[0], bodies[3]) && filo_entity_equal(found[1], bodies[5]));
    assert_int_equal(
        filo_physics2_overlap(scene.world, &box, &(FiloTransform2){ .position = { 0, 9 } }, NULL, NULL, 0),
        0);
    scene_close(&scene);
}

FILO_TEST(questions_are_answered_after_a_snapshot_was_restored) {
    Scene scene = scene_open(0);
    FiloEntity ball = add_body(&scene, FILO_BODY_DYNAMIC, 0, 10, BALL(0.5f));
    run(&scene, 1);
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(snapshot, scene.world));
    run(&scene, 60);
    assert_ok(filo_snapshot_restore(snapshot, scene.world));
    FiloHit2 hit;
    assert_true(filo_physics2_ray(scene.world, filo_vec2(0, 0), filo_vec2(0, 20), NULL, &hit));
    assert_true(filo_entity_equal(hit.body, ball));
    assert_near(hit.point.y, 9.5f, 0.01f);
    filo_snapshot_destroy(snapshot);
    scene_close(&scene);
}

// ---- In systems -------------------------------------------------------------------------------------------

typedef struct Asker {
    FiloEntity ball, ground;
    int found[2]; // by phase: before and after the step
} Asker;

// All questions, by a system that declares what the header says.
static void ask_all(FiloIter *it, int *found) {
    const Asker *asker = it->user;
    const FiloShape2 probe = BALL(0.5f);
    const FiloTransform2 from = { .position = { 0, 5 } };
    FiloVec2 high = { 0, 5 }, down = { 0, -10 };
    FiloHit2 hits[4];
    FiloEntity shapes[4];
    FiloNear2 near;
    FiloDistance2 distance;
    FiloContact2 contacts[4];
    *found = (int)filo_physics2_ray(it->world, high, down, NULL, hits) +
             (int)(filo_physics2_ray_all(it->world, high, down, NULL, hits, 4) > 0) +
             (int)filo_physics2_cast(it->world, &probe, &from, down, NULL, hits) +
             (int)(filo_physics2_cast_all(it->world, &probe, &from, down, NULL, hits, 4) > 0) +
             (int)(filo_physics2_overlap(it->world, &probe, &(FiloTransform2){ 0 }, NULL, shapes, 4) > 0) +
             (int)(filo_physics2_overlap_point(it->world, filo_vec2(0, -1), NULL, shapes, 4) > 0) +
             (int)(filo_physics2_overlap_circle(it->world, filo_vec2(0, 0), 1, NULL, shapes, 4) > 0) +
             (int)(filo_physics2_overlap_box(it->world, down, high, NULL, shapes, 4) > 0) +
             (int)filo_physics2_nearest(it->world, high, 10, NULL, &near) +
             (int)filo_physics2_closest(it->world, asker->ball, high, &near) +
             (int)filo_physics2_distance(it->world, asker->ball, asker->ground, &distance) +
             (int)(filo_physics2_contacts(it->world, asker->ball, contacts, 4) > 0);
}

static void ask_before(FiloIter *it) { ask_all(it, &((Asker *)it->user)->found[0]); }
static void ask_after(FiloIter *it) { ask_all(it, &((Asker *)it->user)->found[1]); }

FILO_TEST(systems_before_and_after_the_step_may_ask_everything) {
    Scene scene = scene_open(2);
    Asker asker = { add_body(&scene, FILO_BODY_DYNAMIC, 0, 0.5f, BALL(0.5f)), add_ground(&scene), { 0 } };
    FiloSystemDesc desc = { .name = "ask before",
                            .run = ask_before,
                            .user = &asker,
                            .extra_access = { FILO_READ(FiloTransform2), FILO_READ(FiloBody2),
                                              FILO_READ(FiloPhysics2) } };
    assert_int_not_equal(filo_system_add(scene.world, &desc).id, 0);
    desc.name = "ask after";
    desc.run = ask_after;
    desc.phase = FILO_PHASE_AFTER;
    assert_int_not_equal(filo_system_add(scene.world, &desc).id, 0);
    run(&scene, 1);
    assert_int_equal(asker.found[0], 0); // there was no step yet
    assert_int_equal(asker.found[1], 12);
    run(&scene, 1);
    assert_int_equal(asker.found[0], 12);
    scene_close(&scene);
}

FILO_TEST(what_was_destroyed_since_the_last_step_is_still_found) {
    Scene scene = scene_open(0);
    FiloEntity ground = add_ground(&scene);
    run(&scene, 1);
    filo_entity_destroy(scene.world, ground);
    FiloHit2 hit;
    assert_true(filo_physics2_ray(scene.world, filo_vec2(0, 5), filo_vec2(0, -5), NULL, &hit));
    assert_true(filo_entity_equal(hit.body, ground));
    run(&scene, 1);
    assert_false(filo_physics2_ray(scene.world, filo_vec2(0, 5), filo_vec2(0, -5), NULL, &hit));
    scene_close(&scene);
}
