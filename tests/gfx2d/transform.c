// Transforms, as far as they are drawn: who has them, and the first frames of something. The rest is tested in
// tests/transform.

#include <filo/snapshot.h>

#include "gfx2d/renderer.h"
#include "gfx2d/stage.h"

static FiloEntity box_at(Stage *stage, float x, float y) {
    return filo_create(stage->world, FILO_SET(FiloTransform2, .position = { x, y }), FILO_ADD(FiloSprite));
}

static void tick(Stage *stage) { assert_ok(filo_world_tick(stage->world, 0.1f)); }

// Where the n-th quad of the packet is.
static void assert_drawn(const Stage *stage, size_t number, float x, float y) {
    const Gfx2dView *view = &stage->gfx->views.items[0];
    assert_true(number < view->quad_count);
    assert_float_equal(view->quads[number].x, x, 1e-4);
    assert_float_equal(view->quads[number].y, y, 1e-4);
}

static FiloVec2 looked_at(Stage *stage, FiloEntity camera, float blend) {
    extract_blended(stage, blend);
    return filo_gfx2d_to_world(stage->gfx, camera, filo_vec2(WIDTH / 2, HEIGHT / 2));
}

static void assert_looks_at(Stage *stage, FiloEntity camera, float blend, float x, float y) {
    FiloVec2 found = looked_at(stage, camera, blend);
    assert_float_equal(found.x, x, 1e-3);
    assert_float_equal(found.y, y, 1e-3);
}

// ---- Who has them -----------------------------------------------------------------------------------------------

FILO_TEST(sprites_and_cameras_come_with_their_transforms) {
    Stage stage = stage_begin(ON_CPU, 1);
    FiloEntity sprite = filo_create(stage.world, FILO_ADD(FiloSprite));
    FiloEntity camera = filo_create(stage.world, FILO_ADD(FiloCamera));
    FiloEntity late = filo_create(stage.world, FILO_SET(FiloTransform2, .position = { 3, 4 }));
    assert_false(filo_has(stage.world, late, FiloPreviousTransform2));
    assert_true(filo_set(stage.world, late, FiloSprite, .layer = 1));
    FiloEntity all[] = { sprite, camera, late };
    for (size_t i = 0; i < FILO_COUNT_OF(all); i++) {
        assert_true(filo_has(stage.world, all[i], FiloTransform2));
        assert_false(filo_get(stage.world, all[i], FiloPreviousTransform2)->valid);
        assert_false(filo_has(stage.world, all[i], FiloWorldTransform2));
    }
    size_t tables = filo_world_stats(stage.world).tables;
    tick(&stage);
    assert_int_equal(filo_world_stats(stage.world).tables, tables); // nobody moved to another
    assert_true(filo_get(stage.world, late, FiloPreviousTransform2)->valid);
    assert_float_equal(filo_get(stage.world, late, FiloPreviousTransform2)->position.y, 4, 0);
    stage_end(&stage);
}

// ---- First frames -----------------------------------------------------------------------------------------------

FILO_TEST(children_are_drawn_where_they_belong_before_the_first_tick) {
    Stage stage = stage_begin(ON_CPU, 1);
    FiloEntity alone = box_at(&stage, -20, 0);
    FiloEntity parent = box_at(&stage, 10, 0), child = box_at(&stage, 4, 1);
    assert_true(filo_entity_set_parent(stage.world, child, parent));
    for (float blend = 0; blend <= 1; blend += 0.5f) {
        extract_blended(&stage, blend);
        assert_drawn(&stage, 0, -20, 0);
        assert_drawn(&stage, 1, 10, 0);
        assert_drawn(&stage, 2, 14, 1);
    }
    tick(&stage);
    extract_blended(&stage, 0.5f);
    assert_drawn(&stage, 2, 14, 1);
    filo_entity_destroy(stage.world, alone);
    stage_end(&stage);
}

FILO_TEST(who_gets_a_parent_between_ticks_is_drawn_there_and_others_are_blended_as_ever) {
    Stage stage = stage_begin(ON_CPU, 1);
    FiloEntity runner = box_at(&stage, 0, 0), parent = box_at(&stage, 30, 0), child = box_at(&stage, 4, 1);
    for (int i = 0; i < 3; i++) tick(&stage);
    for (int i = 0; i < 3; i++) extract_blended(&stage, 0.5f); // all rest, and are kept
    assert_true(filo_entity_set_parent(stage.world, child, parent));
    filo_edit(stage.world, runner, FiloTransform2)->position.x = 8;
    extract_blended(&stage, 0.25f);
    assert_drawn(&stage, 0, 2, 0);
    assert_drawn(&stage, 1, 30, 0);
    assert_drawn(&stage, 2, 34, 1);
    extract_blended(&stage, 0.5f);
    assert_drawn(&stage, 0, 4, 0);
    stage_end(&stage);
}

FILO_TEST(a_new_sprite_does_not_slide_in_from_the_origin) {
    Stage stage = stage_begin(ON_CPU, 1);
    box_at(&stage, 20, 5);
    extract_blended(&stage, 0.5f);
    assert_drawn(&stage, 0, 20, 5);
    tick(&stage);
    extract_blended(&stage, 0.5f);
    assert_drawn(&stage, 0, 20, 5);
    stage_end(&stage);
}

// ---- Teleporting --------------------------------------------------------------------------------------------------

FILO_TEST(what_is_teleported_is_not_drawn_on_the_way_nor_are_its_children) {
    Stage stage = stage_begin(ON_CPU, 1);
    FiloEntity alone = box_at(&stage, 0, 0), parent = box_at(&stage, 10, 0), child = box_at(&stage, 4, 0);
    assert_true(filo_entity_set_parent(stage.world, child, parent));
    for (int i = 0; i < 2; i++) tick(&stage);
    assert_true(filo_teleport(stage.world, alone, filo_vec2(20, 1)));
    assert_true(filo_teleport(stage.world, parent, filo_vec2(30, 2)));
    extract_blended(&stage, 0.5f);
    assert_drawn(&stage, 0, 20, 1);
    tick(&stage);
    extract_blended(&stage, 0.5f);
    assert_drawn(&stage, 0, 20, 1);
    assert_drawn(&stage, 1, 30, 2);
    assert_drawn(&stage, 2, 34, 2);
    stage_end(&stage);
}

// ---- Cameras that follow ----------------------------------------------------------------------------------------

static void step(FiloIter *it) {
    FiloTransform2 *hero = filo_edit(it->world, *(FiloEntity *)it->user, FiloTransform2);
    hero->position.x += 2;
}

static void add_step(Stage *stage, FiloEntity *hero) {
    FiloSystemDesc desc = {
        .name = "step", .run = step, .user = hero, .extra_access = { FILO_WRITE(FiloTransform2) }
    };
    assert_int_not_equal(filo_system_add(stage->world, &desc).id, 0);
}

FILO_TEST(the_first_frame_of_a_camera_that_follows_at_once_does_not_slide_in) {
    Stage stage = stage_begin(ON_CPU, 1);
    FiloEntity hero = box_at(&stage, 100, 50);
    FiloEntity bare = filo_create(stage.world, FILO_SET(FiloTransform2, .position = { -30, 7 }));
    FiloEntity camera = filo_create(stage.world, FILO_SET(FiloCamera, .follow = hero));
    FiloEntity other = filo_create(stage.world, FILO_SET(FiloCamera, .follow = bare));
    tick(&stage);
    for (float blend = 0; blend <= 1; blend += 0.5f) {
        assert_looks_at(&stage, camera, blend, 100, 50);
        assert_looks_at(&stage, other, blend, -30, 7);
    }
    stage_end(&stage);
}

FILO_TEST(a_camera_that_follows_at_once_is_teleported_with_its_hero) {
    Stage stage = stage_begin(ON_CPU, 1);
    FiloEntity hero = box_at(&stage, 0, 0);
    FiloEntity camera = filo_create(stage.world, FILO_SET(FiloCamera, .follow = hero));
    add_step(&stage, &hero);
    for (int i = 0; i < 3; i++) tick(&stage);
    assert_looks_at(&stage, camera, 0.5f, 5, 0);                       // it is blended like its hero
    assert_true(filo_teleport(stage.world, hero, filo_vec2(500, 40))); // between ticks
    tick(&stage);
    assert_looks_at(&stage, camera, 0, 500, 40);
    assert_looks_at(&stage, camera, 0.5f, 501, 40); // what it moves in the tick is blended for both
    assert_drawn(&stage, 0, 501, 40);
    tick(&stage);
    assert_looks_at(&stage, camera, 0.5f, 503, 40);
    stage_end(&stage);
}

FILO_TEST(before_the_first_tick_a_camera_that_follows_at_once_looks_at_its_hero) {
    Stage stage = stage_begin(ON_CPU, 1);
    FiloEntity hero = box_at(&stage, 100, 50), cart = box_at(&stage, 10, 0), child = box_at(&stage, 4, 0);
    assert_true(filo_entity_set_parent(stage.world, child, cart));
    FiloEntity camera = filo_create(stage.world, FILO_SET(FiloCamera, .follow = hero));
    FiloEntity other = filo_create(stage.world, FILO_SET(FiloCamera, .follow = child));
    FiloRect bounds = { { -10, -10 }, { 10, 10 } };
    FiloEntity kept = filo_create(stage.world, FILO_SET(FiloCamera, .follow = hero, .bounds = bounds));
    FiloEntity slow = filo_create(stage.world, FILO_SET(FiloCamera, .follow = hero, .follow_speed = 5));
    for (float blend = 0; blend <= 1; blend += 0.5f) {
        assert_looks_at(&stage, camera, blend, 100, 50);
        assert_looks_at(&stage, other, blend, 14, 0);
        assert_looks_at(&stage, kept, blend, 10, 10);
        assert_looks_at(&stage, slow, blend, 0, 0); // it has a way of its own
    }
    stage_end(&stage);
}

// A game that is paused, or a frame that comes before the next tick.
FILO_TEST(a_hero_that_was_teleported_is_in_the_middle_of_the_picture_before_the_next_tick) {
    Stage stage = stage_begin(ON_CPU, 1);
    FiloEntity hero = box_at(&stage, 0, 0);
    FiloEntity camera = filo_create(stage.world, FILO_SET(FiloCamera, .follow = hero));
    add_step(&stage, &hero);
    for (int i = 0; i < 3; i++) tick(&stage);
    assert_true(filo_teleport(stage.world, hero, filo_vec2(500, 40)));
    for (float blend = 0; blend <= 1; blend += 0.5f) {
        assert_looks_at(&stage, camera, blend, 500, 40);
        assert_drawn(&stage, 0, 500, 40);
    }
    // A child is drawn where its parents were in the last tick, and so it is looked at there.
    FiloEntity cart = box_at(&stage, 10, 0), child = box_at(&stage, 4, 0);
    assert_true(filo_entity_set_parent(stage.world, child, cart));
    filo_edit(stage.world, camera, FiloCamera)->follow = child;
    tick(&stage);
    assert_true(filo_teleport(stage.world, cart, filo_vec2(200, 0)));
    assert_looks_at(&stage, camera, 0.5f, 14, 0);
    tick(&stage);
    assert_looks_at(&stage, camera, 0.5f, 204, 0);
    stage_end(&stage);
}

static void leave(FiloIter *it) {
    FiloEntity hero = *(FiloEntity *)it->user;
    if (it->tick == 3) filo_teleport(it->changes, hero, (FiloTransform2){ .position = { 500, 40 } });
}

FILO_TEST(a_teleport_inside_a_tick_takes_the_camera_along) {
    Stage stage = stage_begin(ON_CPU, 1);
    FiloEntity hero = box_at(&stage, 0, 0);
    FiloEntity camera = filo_create(stage.world, FILO_SET(FiloCamera, .follow = hero));
    FiloSystemDesc desc = { .name = "leave", .run = leave, .user = &hero };
    assert_int_not_equal(filo_system_add(stage.world, &desc).id, 0);
    for (int i = 0; i < 4; i++) tick(&stage);
    for (float blend = 0; blend <= 1; blend += 0.5f) {
        assert_looks_at(&stage, camera, blend, 500, 40);
        assert_drawn(&stage, 0, 500, 40);
    }
    tick(&stage);
    assert_looks_at(&stage, camera, 0.5f, 500, 40);
    stage_end(&stage);
}

FILO_TEST(a_teleport_of_the_parent_of_its_hero_takes_the_camera_along) {
    Stage stage = stage_begin(ON_CPU, 1);
    FiloEntity cart = filo_create(stage.world, FILO_ADD(FiloTransform2)), hero = box_at(&stage, 1, 0);
    assert_true(filo_entity_set_parent(stage.world, hero, cart));
    FiloEntity rail = filo_create(stage.world, FILO_SET(FiloTransform2, .position = { 5, 5 }));
    FiloEntity camera = filo_create(stage.world, FILO_SET(FiloCamera, .follow = hero));
    assert_true(filo_entity_set_parent(stage.world, camera, rail)); // the camera has a parent of its own, too
    for (int i = 0; i < 3; i++) tick(&stage);
    assert_true(filo_teleport(stage.world, cart, filo_vec2(200, 0)));
    tick(&stage);
    for (float blend = 0; blend <= 1; blend += 0.5f) assert_looks_at(&stage, camera, blend, 201, 0);
    stage_end(&stage);
}

FILO_TEST(a_camera_with_a_speed_has_a_way_of_its_own) {
    Stage stage = stage_begin(ON_CPU, 1);
    FiloEntity hero = box_at(&stage, 0, 0);
    FiloEntity camera = filo_create(stage.world, FILO_SET(FiloCamera, .follow = hero, .follow_speed = 5));
    for (int i = 0; i < 3; i++) tick(&stage);
    assert_true(filo_teleport(stage.world, hero, filo_vec2(100, 0)));
    tick(&stage);
    float x = filo_get(stage.world, camera, FiloTransform2)->position.x;
    assert_true(x > 0 && x < 100);
    assert_looks_at(&stage, camera, 0.5f, x / 2, 0);
    stage_end(&stage);
}

FILO_TEST(a_camera_with_a_parent_looks_there_before_the_first_tick_and_after_a_restore) {
    Stage stage = stage_begin(ON_CPU, 1);
    FiloEntity cart = filo_create(stage.world, FILO_SET(FiloTransform2, .position = { 40, 0 }));
    FiloEntity camera =
        filo_create(stage.world, FILO_SET(FiloTransform2, .position = { 2, 0 }), FILO_ADD(FiloCamera));
    assert_true(filo_entity_set_parent(stage.world, camera, cart));
    assert_looks_at(&stage, camera, 0.5f, 42, 0);
    tick(&stage);
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(snapshot, stage.world));
    assert_ok(filo_snapshot_restore(snapshot, stage.world));
    assert_looks_at(&stage, camera, 0.5f, 42, 0);
    filo_snapshot_destroy(snapshot);
    stage_end(&stage);
}
