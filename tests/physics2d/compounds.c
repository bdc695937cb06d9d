// Shapes on descendants of a body.

#include "physics2d/scene.h"

#include <filo/log.h>
#include <math.h>

static FiloEntity add_folder(const Scene *scene, FiloEntity parent, float x, float y, float angle) {
    FiloEntity folder =
        filo_create(scene->world, FILO_SET(FiloTransform2, .position = { x, y }, .rotation = angle));
    assert_true(filo_entity_set_parent(scene->world, folder, parent));
    return folder;
}

// The entity of the shape below a point high above the ground; {0}: the ground, or nothing.
static FiloHit2 look_down(const Scene *scene, float x) {
    FiloHit2 hit;
    if (!filo_physics2_ray(scene->world, filo_vec2(x, 50), filo_vec2(x, -0.5f), NULL, &hit))
        return (FiloHit2){ 0 };
    return hit;
}

FILO_TEST(shapes_on_children_form_one_body) {
    Scene scene = scene_open(0);
    add_ground(&scene);
    FiloEntity body = filo_create(scene.world, FILO_SET(FiloTransform2, .position = { 0, 5 }),
                                  FILO_SET(FiloBody2, .flags = 0));
    FiloEntity left = add_child(&scene, body, -2, 0, 0, BOX(0.5f, 0.5f));
    FiloEntity right = add_child(&scene, body, 2, 0, 0, BOX(0.5f, 0.5f));
    run(&scene, 1);
    FiloMass2 mass = filo_physics2_mass(scene.world, body);
    assert_near(mass.mass, 2, 1e-5f);
    assert_near(mass.inertia, 2 * (4 + 1.0f / 6), 1e-4f);
    assert_near(mass.centre.x, 0, 1e-5f);
    assert_true(filo_entity_equal(look_down(&scene, -2).shape, left));
    assert_true(filo_entity_equal(look_down(&scene, -2).body, body));
    assert_true(filo_entity_equal(look_down(&scene, 2).shape, right));
    run(&scene, 200);
    assert_near(at(&scene, body).y, 0.5f, 0.01f); // it lies on both
    assert_int_equal(filo_physics2_stats(scene.world).shapes, 3);
    assert_int_equal(filo_physics2_stats(scene.world).bodies, 2);
    scene_close(&scene);
}

FILO_TEST(transforms_between_place_a_shape) {
    Scene scene = scene_open(0);
    FiloEntity body =
        filo_create(scene.world, FILO_SET(FiloTransform2, .position = { 10, 0 }, .rotation = FILO_PI / 2),
                    FILO_SET(FiloBody2, .kind = FILO_BODY_STATIC));
    FiloEntity middle = add_folder(&scene, body, 3, 0, FILO_PI / 2); // at {10, 3}, pointing left
    FiloEntity plain = filo_entity_create(scene.world);
    assert_true(filo_entity_set_parent(scene.world, plain, middle)); // has no transform
    FiloShape2 box = BOX(1, 0.25f);
    box.centre = filo_vec2(1, 0);
    FiloEntity shape = add_child(&scene, plain, 2, 0, 0, box);              // at {8, 3}; its middle at {7, 3}
    filo_edit(scene.world, shape, FiloTransform2)->scale = filo_vec2(5, 5); // does not count
    run(&scene, 1);
    assert_true(filo_entity_equal(look_down(&scene, 6.1f).shape, shape));
    assert_true(filo_entity_equal(look_down(&scene, 7.9f).shape, shape));
    assert_near(look_down(&scene, 7).point.y, 3.25f, 1e-4f);
    assert_int_equal(look_down(&scene, 5.9f).shape.id, 0);
    assert_int_equal(look_down(&scene, 8.1f).shape.id, 0);
    // A transform between is edited, removed and added.
    filo_edit(scene.world, middle, FiloTransform2)->position.x = 5;
    run(&scene, 1);
    assert_near(look_down(&scene, 7).point.y, 5.25f, 1e-4f);
    filo_entity_remove(scene.world, middle, filo_component_of(scene.world, FILO_TYPE(FiloTransform2)));
    run(&scene, 1);
    assert_near(look_down(&scene, 10).point.y, 4, 1e-4f); // 3 above the body, which points up
    filo_set(scene.world, plain, FiloTransform2, .position = { 4, 0 });
    run(&scene, 1);
    assert_near(look_down(&scene, 10).point.y, 8, 1e-4f);
    scene_close(&scene);
}

FILO_TEST(edits_of_children_take_effect_in_the_next_step) {
    Scene scene = scene_open(0);
    FiloEntity body = filo_create(scene.world, FILO_SET(FiloTransform2, .position = { 0, 2 }),
                                  FILO_SET(FiloBody2, .kind = FILO_BODY_STATIC));
    FiloEntity other = add_body(&scene, FILO_BODY_STATIC, 20, 2, BOX(1, 1));
    FiloEntity child = add_child(&scene, body, 3, 0, 0, BOX(1, 1));
    run(&scene, 2);
    assert_true(filo_entity_equal(look_down(&scene, 3).shape, child));
    filo_edit(scene.world, child, FiloTransform2)->position.x = 6;
    run(&scene, 1);
    assert_int_equal(look_down(&scene, 3).shape.id, 0);
    assert_true(filo_entity_equal(look_down(&scene, 6).shape, child));
    filo_edit(scene.world, child, FiloShape2)->half_size.x = 4;
    run(&scene, 1);
    assert_true(filo_entity_equal(look_down(&scene, 3).shape, child));
    assert_true(filo_entity_set_parent(scene.world, child, other));
    run(&scene, 1);
    assert_int_equal(look_down(&scene, 6).shape.id, 0);
    assert_true(filo_entity_equal(look_down(&scene, 26).shape, child));
    assert_true(filo_entity_equal(look_down(&scene, 26).body, other));
    filo_entity_set_active(scene.world, child, false);
    run(&scene, 1);
    assert_int_equal(look_down(&scene, 26).shape.id, 0);
    filo_entity_set_active(scene.world, child, true);
    run(&scene, 1);
    assert_true(filo_entity_equal(look_down(&scene, 26).shape, child));
    filo_entity_set_active(scene.world, other, false);
    run(&scene, 1);
    assert_int_equal(look_down(&scene, 26).shape.id, 0);
    assert_int_equal(look_down(&scene, 20).shape.id, 0);
    filo_entity_set_active(scene.world, other, true);
    run(&scene, 1);
    assert_true(filo_entity_equal(look_down(&scene, 26).shape, child));
    filo_entity_destroy(scene.world, other);
    run(&scene, 1);
    assert_int_equal(look_down(&scene, 26).shape.id, 0);
    assert_int_equal(filo_physics2_stats(scene.world).shapes, 0);
    scene_close(&scene);
}

FILO_TEST(shapes_below_an_inactive_entity_are_not_in_the_simulation) {
    Scene scene = scene_open(0);
    FiloEntity body = add_body(&scene, FILO_BODY_STATIC, 0, 2, BOX(1, 1));
    FiloEntity middle = add_folder(&scene, body, 5, 0, 0);
    FiloEntity child = add_child(&scene, middle, 0, 0, 0, BOX(1, 1));
    FiloEntity bare = filo_entity_create(scene.world);
    assert_true(filo_entity_set_parent(scene.world, bare, body));
    FiloEntity other = add_child(&scene, bare, -5, 0, 0, BOX(1, 1));
    run(&scene, 2);
    for (int i = 0; i < 2; i++) {
        assert_true(filo_entity_equal(look_down(&scene, 5).shape, child));
        assert_true(filo_entity_equal(look_down(&scene, -5).shape, other));
        filo_entity_set_active(scene.world, middle, false);
        filo_entity_set_active(scene.world, bare, false);
        run(&scene, 2);
        assert_int_equal(look_down(&scene, 5).shape.id, 0);
        assert_int_equal(look_down(&scene, -5).shape.id, 0);
        filo_entity_set_active(scene.world, middle, true);
        filo_entity_set_active(scene.world, bare, true);
        run(&scene, 2);
    }
    scene_close(&scene);
}

FILO_TEST(bodies_that_come_and_go_take_and_give_the_shapes_below_them) {
    Scene scene = scene_open(0);
    FiloEntity root = add_body(&scene, FILO_BODY_STATIC, 0, 2, BOX(1, 1));
    FiloEntity middle = add_folder(&scene, root, 5, 0, 0);
    FiloEntity child = add_child(&scene, middle, 0, 0, 0, BOX(1, 1));
    run(&scene, 1);
    assert_true(filo_entity_equal(look_down(&scene, 5).body, root));
    filo_set(scene.world, middle, FiloBody2, .kind = FILO_BODY_STATIC);
    run(&scene, 1); // its transform is one of the world now
    assert_near(look_down(&scene, 5).point.y, 1, 1e-4f);
    assert_true(filo_entity_equal(look_down(&scene, 5).body, middle));
    filo_entity_remove(scene.world, middle, filo_component_of(scene.world, FILO_TYPE(FiloBody2)));
    run(&scene, 1);
    assert_near(look_down(&scene, 5).point.y, 3, 1e-4f);
    assert_true(filo_entity_equal(look_down(&scene, 5).body, root));
    // The child itself becomes a body, and is none again.
    filo_set(scene.world, child, FiloBody2, .kind = FILO_BODY_STATIC);
    run(&scene, 1);
    assert_true(filo_entity_equal(look_down(&scene, 0).body, root));
    assert_int_equal(look_down(&scene, 5).shape.id, 0);
    filo_entity_remove(scene.world, child, filo_component_of(scene.world, FILO_TYPE(FiloBody2)));
    run(&scene, 1);
    assert_true(filo_entity_equal(look_down(&scene, 5).body, root));
    // A body of another kind keeps them.
    filo_edit(scene.world, root, FiloBody2)->kind = FILO_BODY_KINEMATIC;
    run(&scene, 2);
    assert_true(filo_entity_equal(look_down(&scene, 5).body, root));
    filo_edit(scene.world, root, FiloBody2)->kind = FILO_BODY_DYNAMIC;
    run(&scene, 1);
    assert_near(filo_physics2_mass(scene.world, root).mass, 8, 1e-4f);
    // Without a body above it, it is in no simulation; with one again, it is.
    filo_entity_remove(scene.world, root, filo_component_of(scene.world, FILO_TYPE(FiloBody2)));
    run(&scene, 1);
    assert_int_equal(filo_physics2_stats(scene.world).shapes, 0);
    filo_set(scene.world, root, FiloBody2, .kind = FILO_BODY_STATIC);
    run(&scene, 1);
    assert_int_equal(filo_physics2_stats(scene.world).shapes, 2);
    scene_close(&scene);
}

FILO_TEST(a_child_without_a_body_does_nothing) {
    Scene scene = scene_open(0);
    FiloEntity folder = filo_create(scene.world, FILO_SET(FiloTransform2, .position = { 1, 1 }));
    FiloEntity child = add_child(&scene, folder, 0, 0, 0, BOX(1, 1));
    run(&scene, 3);
    assert_int_equal(filo_physics2_stats(scene.world).shapes, 0);
    assert_true(filo_entity_set_parent(scene.world, child, (FiloEntity){ 0 }));
    run(&scene, 3);
    assert_int_equal(filo_physics2_stats(scene.world).shapes, 0);
    scene_close(&scene);
}

FILO_TEST(transforms_of_children_that_are_no_numbers_are_refused) {
    Scene scene = scene_open(0);
    add_ground(&scene);
    float bad[] = { NAN, INFINITY, 1e30f };
    for (size_t i = 0; i < FILO_COUNT_OF(bad); i++) {
        FiloEntity body = add_body(&scene, FILO_BODY_DYNAMIC, 0, 3, BOX(0.5f, 0.5f));
        FiloEntity child = add_child(&scene, body, bad[i], 0, 0, BOX(5, 5));
        FiloEntity turned = add_child(&scene, body, 0, 0, bad[i], BOX(5, 5));
        run(&scene, 120);
        assert_near(at(&scene, body).y, 0.5f, 0.01f);
        filo_edit(scene.world, child, FiloTransform2)->position.x = 0;
        run(&scene, 1); // now it counts
        assert_near(filo_physics2_mass(scene.world, body).mass, 101, 0.01f);
        filo_entity_destroy(scene.world, turned);
        run(&scene, 1);
        filo_entity_destroy(scene.world, body);
    }
    scene_close(&scene);
}

typedef struct Warnings {
    int count;
    char last[256];
} Warnings;

static void keep_warning(const FiloLogMessage *message, void *user) {
    Warnings *warnings = user;
    if (message->level != FILO_LOG_WARN) return;
    warnings->count++;
    (void)snprintf(warnings->last, sizeof warnings->last, "%s", message->text);
}

FILO_TEST(a_body_below_a_transform_is_reported_once) {
    Scene scene = scene_open(0);
    Warnings warnings = { 0 };
    FiloLogSink sink = filo_log_add_sink(&(FiloLogSinkDesc){ .write = keep_warning, .user = &warnings });
    FiloEntity folder = filo_create(scene.world, FILO_SET(FiloTransform2, .position = { 10, 0 }));
    FiloEntity body = add_body(&scene, FILO_BODY_STATIC, 1, 0, BOX(1, 1));
    assert_true(filo_entity_set_parent(scene.world, body, folder));
    run(&scene, 2);
    assert_true(filo_entity_equal(look_down(&scene, 1).body, body)); // as if it had none
    assert_int_equal(warnings.count, 1);
    assert_string_equal(warnings.last,
                        "body 1 has a parent with a transform, which does not count: bodies are in the "
                        "coordinates of the world. Give it no parent, or connect it by a joint");
    FiloEntity second = add_body(&scene, FILO_BODY_STATIC, 5, 0, BOX(1, 1));
    run(&scene, 1);
    assert_true(filo_entity_set_parent(scene.world, second, folder));
    run(&scene, 1);
    assert_int_equal(warnings.count, 1); // once is enough
    filo_log_remove_sink(sink);
    scene_close(&scene);
}

FILO_TEST(a_change_below_bodies_at_rest_wakes_them) {
    Scene scene = scene_open(0);
    FiloEntity ground = filo_create(scene.world, FILO_SET(FiloBody2, .kind = FILO_BODY_STATIC));
    FiloEntity floor = add_child(&scene, ground, 0, -1, 0, BOX(20, 1));
    FiloEntity low = add_body(&scene, FILO_BODY_DYNAMIC, 0, 0.5f, BOX(0.5f, 0.5f));
    FiloEntity arm = add_child(&scene, low, 3, 0, 0, BOX(0.5f, 0.5f));
    FiloEntity high = add_body(&scene, FILO_BODY_DYNAMIC, 3, 1.5f, BOX(0.5f, 0.5f));
    run(&scene, 120);
    assert_true(is_asleep(&scene, low) && is_asleep(&scene, high));
    filo_entity_destroy(scene.world, arm);
    run(&scene, 60);
    assert_near(at(&scene, high).y, 0.5f, 0.01f);
    run(&scene, 60);
    assert_true(is_asleep(&scene, high));
    filo_edit(scene.world, floor, FiloTransform2)->position.y = -3;
    run(&scene, 90);
    assert_near(at(&scene, high).y, -1.5f, 0.01f);
    assert_near(at(&scene, low).y, -1.5f, 0.01f);
    scene_close(&scene);
}
