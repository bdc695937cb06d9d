// Transforms of sprites and cameras, and the first frames of new or teleported ones. The rest is tested in
// tests/transform.

#include <filo/snapshot.h>

#include "gfx2d/fixture.h"
#include "gfx2d/renderer.h"

static FiloEntity box_at(Fixture *fixture, float x, float y) {
    return filo_create(fixture->world, FILO_SET(FiloTransform2, .position = { x, y }), FILO_ADD(FiloSprite));
}

static void tick(Fixture *fixture) { assert_ok(filo_world_tick(fixture->world, 0.1f)); }

// Position of the n-th quad of the packet.
static void assert_drawn(const Fixture *fixture, size_t number, float x, float y) {
    const Gfx2dView *view = &fixture->gfx->views.items[0];
    assert_true(number < view->quad_count);
    assert_float_equal(view->quads[number].x, x, 1e-4);
    assert_float_equal(view->quads[number].y, y, 1e-4);
}

static FiloVec2 looked_at(Fixture *fixture, FiloEntity camera, float blend) {
    extract_blended(fixture, blend);
    return filo_gfx2d_to_world(fixture->gfx, camera, filo_vec2(WIDTH / 2, HEIGHT / 2));
}

static void assert_looks_at(Fixture *fixture, FiloEntity camera, float blend, float x, float y) {
    FiloVec2 found = looked_at(fixture, camera, blend);
    assert_float_equal(found.x, x, 1e-3);
    assert_float_equal(found.y, y, 1e-3);
}

// ---- Required components ----------------------------------------------------------------------------------------

FILO_TEST(sprites_and_cameras_come_with_their_transforms) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    FiloEntity sprite = filo_create(fixture.world, FILO_ADD(FiloSprite));
    FiloEntity camera = filo_create(fixture.world, FILO_ADD(FiloCamera));
    FiloEntity late = filo_create(fixture.world, FILO_SET(FiloTransform2, .position = { 3, 4 }));
    assert_false(filo_has(fixture.world, late, FiloPreviousTransform2));
    assert_true(filo_set(fixture.world, late, FiloSprite, .layer = 1));
    FiloEntity all[] = { sprite, camera, late };
    for (size_t i = 0; i < FILO_COUNT_OF(all); i++) {
        assert_true(filo_has(fixture.world, all[i], FiloTransform2));
        assert_false(filo_get(fixture.world, all[i], FiloPreviousTransform2)->valid);
        assert_false(filo_has(fixture.world, all[i], FiloWorldTransform2));
    }
    size_t tables = filo_world_stats(fixture.world).tables;
    tick(&fixture);
    assert_int_equal(filo_world_stats(fixture.world).tables, tables); // no entity moved to another
    assert_true(filo_get(fixture.world, late, FiloPreviousTransform2)->valid);
    assert_float_equal(filo_get(fixture.world, late, FiloPreviousTransform2)->position.y, 4, 0);
    fixture_end(&fixture);
}

// ---- First frames -----------------------------------------------------------------------------------------------

FILO_TEST(children_are_drawn_at_their_parents_before_the_first_tick) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    FiloEntity alone = box_at(&fixture, -20, 0);
    FiloEntity parent = box_at(&fixture, 10, 0), child = box_at(&fixture, 4, 1);
    assert_true(filo_entity_set_parent(fixture.world, child, parent));
    for (float blend = 0; blend <= 1; blend += 0.5f) {
        extract_blended(&fixture, blend);
        assert_drawn(&fixture, 0, -20, 0);
        assert_drawn(&fixture, 1, 10, 0);
        assert_drawn(&fixture, 2, 14, 1);
    }
    tick(&fixture);
    extract_blended(&fixture, 0.5f);
    assert_drawn(&fixture, 2, 14, 1);
    filo_entity_destroy(fixture.world, alone);
    fixture_end(&fixture);
}

FILO_TEST(a_sprite_that_gets_a_parent_between_ticks_is_drawn_there_and_others_are_blended) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    FiloEntity runner = box_at(&fixture, 0, 0), parent = box_at(&fixture, 30, 0),
               child = box_at(&fixture, 4, 1);
    for (int i = 0; i < 3; i++) tick(&fixture);
    for (int i = 0; i < 3; i++) extract_blended(&fixture, 0.5f); // all are at rest, and cached
    assert_true(filo_entity_set_parent(fixture.world, child, parent));
    filo_edit(fixture.world, runner, FiloTransform2)->position.x = 8;
    extract_blended(&fixture, 0.25f);
    assert_drawn(&fixture, 0, 2, 0);
    assert_drawn(&fixture, 1, 30, 0);
    assert_drawn(&fixture, 2, 34, 1);
    extract_blended(&fixture, 0.5f);
    assert_drawn(&fixture, 0, 4, 0);
    fixture_end(&fixture);
}

FILO_TEST(a_new_sprite_does_not_slide_in_from_the_origin) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    box_at(&fixture, 20, 5);
    extract_blended(&fixture, 0.5f);
    assert_drawn(&fixture, 0, 20, 5);
    tick(&fixture);
    extract_blended(&fixture, 0.5f);
    assert_drawn(&fixture, 0, 20, 5);
    fixture_end(&fixture);
}

// ---- Teleporting --------------------------------------------------------------------------------------------------

FILO_TEST(a_teleported_sprite_is_not_blended_nor_are_its_children) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    FiloEntity alone = box_at(&fixture, 0, 0), parent = box_at(&fixture, 10, 0),
               child = box_at(&fixture, 4, 0);
    assert_true(filo_entity_set_parent(fixture.world, child, parent));
    for (int i = 0; i < 2; i++) tick(&fixture);
    assert_true(filo_teleport(fixture.world, alone, filo_vec2(20, 1)));
    assert_true(filo_teleport(fixture.world, parent, filo_vec2(30, 2)));
    extract_blended(&fixture, 0.5f);
    assert_drawn(&fixture, 0, 20, 1);
    tick(&fixture);
    extract_blended(&fixture, 0.5f);
    assert_drawn(&fixture, 0, 20, 1);
    assert_drawn(&fixture, 1, 30, 2);
    assert_drawn(&fixture, 2, 34, 2);
    fixture_end(&fixture);
}

// ---- Cameras that follow ----------------------------------------------------------------------------------------

static void step(FiloIter *it) {
    FiloTransform2 *hero = filo_edit(it->world, *(FiloEntity *)it->user, FiloTransform2);
    hero->position.x += 2;
}

static void add_step(Fixture *fixture, FiloEntity *hero) {
    FiloSystemDesc desc = {
        .name = "step", .run = step, .user = hero, .extra_access = { FILO_WRITE(FiloTransform2) }
    };
    assert_int_not_equal(filo_system_add(fixture->world, &desc).id, 0);
}

FILO_TEST(the_first_frame_of_a_camera_without_a_follow_speed_does_not_slide_in) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    FiloEntity hero = box_at(&fixture, 100, 50);
    FiloEntity bare = filo_create(fixture.world, FILO_SET(FiloTransform2, .position = { -30, 7 }));
    FiloEntity camera = filo_create(fixture.world, FILO_SET(FiloCamera, .follow = hero));
    FiloEntity other = filo_create(fixture.world, FILO_SET(FiloCamera, .follow = bare));
    tick(&fixture);
    for (float blend = 0; blend <= 1; blend += 0.5f) {
        assert_looks_at(&fixture, camera, blend, 100, 50);
        assert_looks_at(&fixture, other, blend, -30, 7);
    }
    fixture_end(&fixture);
}

FILO_TEST(a_camera_without_a_follow_speed_is_teleported_with_its_target) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    FiloEntity hero = box_at(&fixture, 0, 0);
    FiloEntity camera = filo_create(fixture.world, FILO_SET(FiloCamera, .follow = hero));
    add_step(&fixture, &hero);
    for (int i = 0; i < 3; i++) tick(&fixture);
    assert_looks_at(&fixture, camera, 0.5f, 5, 0);                       // it is blended like its hero
    assert_true(filo_teleport(fixture.world, hero, filo_vec2(500, 40))); // between ticks
    tick(&fixture);
    assert_looks_at(&fixture, camera, 0, 500, 40);
    assert_looks_at(&fixture, camera, 0.5f, 501, 40); // what it moves in the tick is blended for both
    assert_drawn(&fixture, 0, 501, 40);
    tick(&fixture);
    assert_looks_at(&fixture, camera, 0.5f, 503, 40);
    fixture_end(&fixture);
}

FILO_TEST(before_the_first_tick_a_camera_without_a_follow_speed_looks_at_its_target) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    FiloEntity hero = box_at(&fixture, 100, 50), cart = box_at(&fixture, 10, 0),
               child = box_at(&fixture, 4, 0);
    assert_true(filo_entity_set_parent(fixture.world, child, cart));
    FiloEntity camera = filo_create(fixture.world, FILO_SET(FiloCamera, .follow = hero));
    FiloEntity other = filo_create(fixture.world, FILO_SET(FiloCamera, .follow = child));
    FiloRect bounds = { { -10, -10 }, { 10, 10 } };
    FiloEntity bounded = filo_create(fixture.world, FILO_SET(FiloCamera, .follow = hero, .bounds = bounds));
    FiloEntity slow = filo_create(fixture.world, FILO_SET(FiloCamera, .follow = hero, .follow_speed = 5));
    for (float blend = 0; blend <= 1; blend += 0.5f) {
        assert_looks_at(&fixture, camera, blend, 100, 50);
        assert_looks_at(&fixture, other, blend, 14, 0);
        assert_looks_at(&fixture, bounded, blend, 0, 0); // the picture is larger than the bounds
        assert_looks_at(&fixture, slow, blend, 0, 0);    // it moves towards its target over time
    }
    fixture_end(&fixture);
}

// A game that is paused, or a frame that comes before the next tick.
FILO_TEST(a_target_that_was_teleported_is_in_the_middle_of_the_picture_before_the_next_tick) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    FiloEntity hero = box_at(&fixture, 0, 0);
    FiloEntity camera = filo_create(fixture.world, FILO_SET(FiloCamera, .follow = hero));
    add_step(&fixture, &hero);
    for (int i = 0; i < 3; i++) tick(&fixture);
    assert_true(filo_teleport(fixture.world, hero, filo_vec2(500, 40)));
    for (float blend = 0; blend <= 1; blend += 0.5f) {
        assert_looks_at(&fixture, camera, blend, 500, 40);
        assert_drawn(&fixture, 0, 500, 40);
    }
    // A child is drawn where its parents were in the last tick, and the camera looks there too.
    FiloEntity cart = box_at(&fixture, 10, 0), child = box_at(&fixture, 4, 0);
    assert_true(filo_entity_set_parent(fixture.world, child, cart));
    filo_edit(fixture.world, camera, FiloCamera)->follow = child;
    tick(&fixture);
    assert_true(filo_teleport(fixture.world, cart, filo_vec2(200, 0)));
    assert_looks_at(&fixture, camera, 0.5f, 14, 0);
    tick(&fixture);
    assert_looks_at(&fixture, camera, 0.5f, 204, 0);
    fixture_end(&fixture);
}

static void leave(FiloIter *it) {
    FiloEntity hero = *(FiloEntity *)it->user;
    if (it->tick == 3) filo_teleport(it->changes, hero, (FiloTransform2){ .position = { 500, 40 } });
}

FILO_TEST(a_teleport_inside_a_tick_moves_the_camera_too) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    FiloEntity hero = box_at(&fixture, 0, 0);
    FiloEntity camera = filo_create(fixture.world, FILO_SET(FiloCamera, .follow = hero));
    FiloSystemDesc desc = { .name = "leave", .run = leave, .user = &hero };
    assert_int_not_equal(filo_system_add(fixture.world, &desc).id, 0);
    for (int i = 0; i < 4; i++) tick(&fixture);
    for (float blend = 0; blend <= 1; blend += 0.5f) {
        assert_looks_at(&fixture, camera, blend, 500, 40);
        assert_drawn(&fixture, 0, 500, 40);
    }
    tick(&fixture);
    assert_looks_at(&fixture, camera, 0.5f, 500, 40);
    fixture_end(&fixture);
}

FILO_TEST(a_teleport_of_the_parent_of_its_target_moves_the_camera_too) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    FiloEntity cart = filo_create(fixture.world, FILO_ADD(FiloTransform2)), hero = box_at(&fixture, 1, 0);
    assert_true(filo_entity_set_parent(fixture.world, hero, cart));
    FiloEntity rail = filo_create(fixture.world, FILO_SET(FiloTransform2, .position = { 5, 5 }));
    FiloEntity camera = filo_create(fixture.world, FILO_SET(FiloCamera, .follow = hero));
    assert_true(
        filo_entity_set_parent(fixture.world, camera, rail)); // the camera has a parent of its own, too
    for (int i = 0; i < 3; i++) tick(&fixture);
    assert_true(filo_teleport(fixture.world, cart, filo_vec2(200, 0)));
    tick(&fixture);
    for (float blend = 0; blend <= 1; blend += 0.5f) assert_looks_at(&fixture, camera, blend, 201, 0);
    fixture_end(&fixture);
}

FILO_TEST(a_camera_with_a_follow_speed_is_not_teleported) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    FiloEntity hero = box_at(&fixture, 0, 0);
    FiloEntity camera = filo_create(fixture.world, FILO_SET(FiloCamera, .follow = hero, .follow_speed = 5));
    for (int i = 0; i < 3; i++) tick(&fixture);
    assert_true(filo_teleport(fixture.world, hero, filo_vec2(100, 0)));
    tick(&fixture);
    float x = filo_get(fixture.world, camera, FiloTransform2)->position.x;
    assert_true(x > 0 && x < 100);
    assert_looks_at(&fixture, camera, 0.5f, x / 2, 0);
    fixture_end(&fixture);
}

FILO_TEST(a_camera_with_a_parent_looks_there_before_the_first_tick_and_after_a_restore) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    FiloEntity cart = filo_create(fixture.world, FILO_SET(FiloTransform2, .position = { 40, 0 }));
    FiloEntity camera =
        filo_create(fixture.world, FILO_SET(FiloTransform2, .position = { 2, 0 }), FILO_ADD(FiloCamera));
    assert_true(filo_entity_set_parent(fixture.world, camera, cart));
    assert_looks_at(&fixture, camera, 0.5f, 42, 0);
    tick(&fixture);
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(snapshot, fixture.world));
    assert_ok(filo_snapshot_restore(snapshot, fixture.world));
    assert_looks_at(&fixture, camera, 0.5f, 42, 0);
    filo_snapshot_destroy(snapshot);
    fixture_end(&fixture);
}
