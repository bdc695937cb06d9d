// Where things are: alone, at the tick before, and through their parents.

#include <filo/snapshot.h>

#include "gfx2d/plane.h"

// A system of the test's own: what has it moves by (1, 2) a tick.
FILO_TAG(Moving)

static void move(FiloIter *it) {
    FiloColumn transform = filo_iter_column(it, 0);
    for (size_t i = 0; i < it->count; i++) {
        FiloTransform *t = FILO_AT(FiloTransform, transform, i);
        t->position = filo_vec2_add(t->position, filo_vec2(1, 2));
    }
}

static void add_move(Plane *plane) {
    filo_component(plane->world, Moving);
    assert_int_not_equal(
        filo_system_add(plane->world, &(FiloSystemDesc){ .name = "move",
                                                         .run = move,
                                                         .parallel = true,
                                                         .query.terms = { FILO_WRITE(FiloTransform),
                                                                          FILO_HAVING(Moving) } })
            .id,
        0);
}

static FiloVec2 position_before(const Plane *plane, FiloEntity entity) {
    return filo_get(plane->world, entity, FiloPreviousTransform)->position;
}

static const FiloPlacement *placement(const Plane *plane, FiloEntity entity) {
    return filo_get(plane->world, entity, FiloPlacement);
}

// ---- Affine ---------------------------------------------------------------------------------------------

FILO_TEST(a_transform_scales_then_turns_then_moves) {
    FiloAffine2 t = filo_transform_affine(
        &(FiloTransform){ .position = { 10, 20 }, .rotation = FILO_HALF_PI, .scale = { 2, 3 } });
    assert_place(filo_affine2_point(t, filo_vec2(1, 0)), 10, 22);
    assert_place(filo_affine2_point(t, filo_vec2(0, 1)), 7, 20);
}

FILO_TEST(a_scale_of_zero_counts_as_one_and_half_a_zero_does_not) {
    FiloAffine2 usual = filo_transform_affine(&(FiloTransform){ .position = { 1, 1 } });
    assert_place(filo_affine2_point(usual, filo_vec2(2, 3)), 3, 4);
    FiloAffine2 flat = filo_transform_affine(&(FiloTransform){ .scale = { 2, 0 } });
    assert_place(filo_affine2_point(flat, filo_vec2(2, 3)), 4, 0);
}

FILO_TEST(a_place_in_the_world_goes_through_all_parents) {
    Plane plane;
    plane_open(&plane, 0);
    FiloWorld *world = plane.world;
    FiloEntity tank =
        filo_create(world, FILO_WITH(FiloTransform, .position = { 10, 0 }, .rotation = FILO_HALF_PI));
    FiloEntity group = filo_entity_create(world); // has no transform: changes nothing
    FiloEntity gun = filo_create(world, FILO_WITH(FiloTransform, .position = { 2, 0 }, .scale = { 3, 3 }));
    assert_true(filo_entity_set_parent(world, group, tank));
    assert_true(filo_entity_set_parent(world, gun, group));
    assert_place(filo_affine2_point(filo_transform_in_world(world, gun), filo_vec2(1, 0)), 10, 5);
    assert_place(filo_affine2_point(filo_transform_in_world(world, group), filo_vec2(1, 0)), 10, 1);
    FiloEntity nowhere = filo_entity_create(world);
    assert_place(filo_affine2_point(filo_transform_in_world(world, nowhere), filo_vec2(7, 8)), 7, 8);
    filo_entity_destroy(world, nowhere);
    assert_place(filo_affine2_point(filo_transform_in_world(world, nowhere), filo_vec2(7, 8)), 7, 8);
    assert_place(filo_affine2_point(filo_transform_in_world(world, FILO_ENTITY_NONE), filo_vec2(7, 8)), 7, 8);
    plane_close(&plane);
}

FILO_TEST(asking_a_world_that_knows_no_transforms_is_a_mistake) {
    only_in_debug_builds();
    FiloWorld *world;
    assert_ok(filo_world_create(&world, NULL));
    FiloEntity entity = filo_entity_create(world);
    expect_fault("call filo_gfx2d_register", filo_transform_in_world(world, entity));
    filo_world_destroy(world);
}

// ---- The tick before ------------------------------------------------------------------------------------

FILO_TEST(sprites_and_cameras_are_given_a_previous_transform_and_others_are_not) {
    Plane plane;
    plane_open(&plane, 0);
    FiloWorld *world = plane.world;
    FiloEntity sprite =
        filo_create(world, FILO_WITH(FiloTransform, .position = { 3, 4 }), FILO_WITH_FIRST(FiloSprite));
    FiloEntity camera = filo_create(world, FILO_WITH_FIRST(FiloTransform), FILO_WITH_FIRST(FiloCamera));
    FiloEntity bare = filo_create(world, FILO_WITH_FIRST(FiloTransform));
    tick(&plane, 0.1f);
    assert_true(filo_get(world, sprite, FiloPreviousTransform)->known);
    assert_place(position_before(&plane, sprite), 3, 4);
    assert_true(filo_has(world, camera, FiloPreviousTransform));
    assert_false(filo_has(world, bare, FiloPreviousTransform));
    assert_true(filo_set(world, bare, FiloSprite, .layer = 1)); // now it has
    tick(&plane, 0.1f);
    assert_true(filo_get(world, bare, FiloPreviousTransform)->known);
    plane_close(&plane);
}

FILO_TEST(the_previous_transform_is_one_tick_behind_and_catches_up_when_it_stops) {
    Plane plane;
    plane_open(&plane, 0);
    add_move(&plane);
    FiloEntity entity = filo_create(plane.world, FILO_WITH_FIRST(FiloTransform), FILO_WITH_FIRST(FiloSprite),
                                    FILO_WITH_FIRST(FiloPreviousTransform), FILO_WITH_FIRST(Moving));
    assert_false(filo_get(plane.world, entity, FiloPreviousTransform)->known);
    for (int i = 0; i < 5; i++) {
        tick(&plane, 0.1f);
        assert_true(filo_get(plane.world, entity, FiloPreviousTransform)->known);
        assert_place(position_before(&plane, entity), (float)i, (float)(2 * i));
        assert_place(filo_get(plane.world, entity, FiloTransform)->position, (float)(i + 1),
                     (float)(2 * i + 2));
    }
    filo_edit(plane.world, entity, FiloTransform)->rotation = 2;
    filo_edit(plane.world, entity, FiloTransform)->scale = filo_vec2(4, 5);
    assert_true(filo_remove(plane.world, entity, Moving));
    tick(&plane, 0.1f);
    assert_place(position_before(&plane, entity), 5, 10);
    assert_near(filo_get(plane.world, entity, FiloPreviousTransform)->rotation, 2);
    assert_place(filo_get(plane.world, entity, FiloPreviousTransform)->scale, 4, 5);
    plane_close(&plane);
}

FILO_TEST(what_does_not_move_is_not_written) {
    Plane plane;
    plane_open(&plane, 0);
    add_move(&plane);
    for (int i = 0; i < 10; i++)
        filo_create(plane.world, FILO_WITH_FIRST(FiloTransform), FILO_WITH_FIRST(FiloSprite));
    FiloEntity moving = filo_create(plane.world, FILO_WITH_FIRST(FiloTransform), FILO_WITH_FIRST(FiloSprite),
                                    FILO_WITH_FIRST(Moving));
    FiloQuery *changed = filo_query(plane.world, FILO_READ_CHANGED(FiloPreviousTransform));
    for (int i = 0; i < 3; i++) tick(&plane, 0.1f);
    rows_changed(changed);
    tick(&plane, 0.1f);
    assert_int_equal(rows_changed(changed), 1);
    assert_true(filo_remove(plane.world, moving, Moving)); // moves to the others' table
    for (int i = 0; i < 2; i++) tick(&plane, 0.1f);
    rows_changed(changed);
    tick(&plane, 0.1f);
    assert_int_equal(rows_changed(changed), 0);
    filo_query_release(changed);
    plane_close(&plane);
}

FILO_TEST(what_jumps_is_known_again_a_tick_later) {
    Plane plane;
    plane_open(&plane, 0);
    FiloEntity entity = filo_create(plane.world, FILO_WITH_FIRST(FiloTransform), FILO_WITH_FIRST(FiloSprite));
    tick(&plane, 0.1f);
    filo_edit(plane.world, entity, FiloTransform)->position = filo_vec2(100, 0);
    filo_edit(plane.world, entity, FiloPreviousTransform)->known = false;
    tick(&plane, 0.1f);
    assert_true(filo_get(plane.world, entity, FiloPreviousTransform)->known);
    assert_place(position_before(&plane, entity), 100, 0);
    plane_close(&plane);
}

FILO_TEST(previous_transforms_come_back_after_a_restore) {
    Plane plane;
    plane_open(&plane, 0);
    FiloEntity entity =
        filo_create(plane.world, FILO_WITH(FiloTransform, .position = { 3, 4 }), FILO_WITH_FIRST(FiloSprite));
    for (int i = 0; i < 4; i++) tick(&plane, 0.1f);
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(plane.world, snapshot));
    uint64_t hash = filo_world_hash(plane.world);
    tick(&plane, 0.1f);
    assert_ok(filo_snapshot_restore(plane.world, snapshot));
    assert_int_equal(filo_world_hash(plane.world), hash);
    assert_false(filo_get(plane.world, entity, FiloPreviousTransform)->known);
    tick(&plane, 0.1f);
    assert_true(filo_get(plane.world, entity, FiloPreviousTransform)->known);
    assert_place(position_before(&plane, entity), 3, 4);
    filo_snapshot_destroy(snapshot);
    plane_close(&plane);
}

FILO_TEST(many_are_remembered_on_many_threads) {
    enum { COUNT = 50000 };
    Plane plane;
    plane_open(&plane, 4);
    add_move(&plane);
    FiloWith with[] = { FILO_WITH_FIRST(FiloTransform), FILO_WITH_FIRST(FiloSprite),
                        FILO_WITH_FIRST(FiloPreviousTransform), FILO_WITH_FIRST(Moving) };
    assert_true(filo_entity_create_block(
        plane.world, &(FiloBlockDesc){ .count = COUNT, .with = with, .with_count = FILO_COUNT_OF(with) }));
    for (int i = 0; i < 20; i++) tick(&plane, 0.1f);
    FiloQuery *query = filo_query(plane.world, FILO_READ(FiloTransform), FILO_READ(FiloPreviousTransform));
    FiloIter it = filo_query_iter(query);
    size_t good = 0;
    while (filo_iter_next(&it)) {
        FiloColumn now = filo_iter_column(&it, 0), before = filo_iter_column(&it, 1);
        for (size_t i = 0; i < it.count; i++)
            good += FILO_AT(const FiloTransform, now, i)->position.x == 20 &&
                    FILO_AT(const FiloPreviousTransform, before, i)->position.x == 19;
    }
    assert_int_equal(good, COUNT);
    filo_query_release(query);
    plane_close(&plane);
}

// ---- Families -------------------------------------------------------------------------------------------

typedef struct Tank {
    FiloEntity hull, turret, gun;
} Tank;

static Tank create_tank(Plane *plane) {
    FiloWorld *world = plane->world;
    Tank tank = {
        filo_create(world, FILO_WITH(FiloTransform, .position = { 10, 0 }), FILO_WITH_FIRST(FiloSprite)),
        filo_create(world, FILO_WITH(FiloTransform, .position = { 0, 5 }, .rotation = FILO_HALF_PI),
                    FILO_WITH_FIRST(FiloSprite)),
        filo_create(world, FILO_WITH(FiloTransform, .position = { 3, 0 }), FILO_WITH_FIRST(FiloSprite))
    };
    assert_true(filo_entity_set_parent(world, tank.turret, tank.hull));
    assert_true(filo_entity_set_parent(world, tank.gun, tank.turret));
    return tank;
}

static void assert_placed(const Plane *plane, FiloEntity entity, float now_x, float now_y, float before_x,
                          float before_y) {
    const FiloPlacement *p = placement(plane, entity);
    assert_non_null(p);
    assert_true(p->known);
    assert_place(p->now.origin, now_x, now_y);
    assert_place(p->before.origin, before_x, before_y);
}

FILO_TEST(families_are_placed_in_the_tick_in_which_they_appear) {
    Plane plane;
    plane_open(&plane, 0);
    Tank tank = create_tank(&plane);
    FiloEntity alone = filo_create(plane.world, FILO_WITH_FIRST(FiloTransform), FILO_WITH_FIRST(FiloSprite));
    tick(&plane, 0.1f);
    assert_placed(&plane, tank.hull, 10, 0, 10, 0);
    assert_placed(&plane, tank.turret, 10, 5, 10, 5);
    assert_placed(&plane, tank.gun, 10, 8, 10, 8);
    assert_null(placement(&plane, alone));
    plane_close(&plane);
}

FILO_TEST(children_move_with_their_parents_and_before_is_a_tick_behind) {
    Plane plane;
    plane_open(&plane, 0);
    add_move(&plane);
    Tank tank = create_tank(&plane);
    filo_add(plane.world, tank.hull, Moving);
    for (int i = 1; i <= 4; i++) {
        tick(&plane, 0.1f);
        float x = (float)i, y = (float)(2 * i), back = i > 1 ? 1 : 0;
        assert_placed(&plane, tank.hull, 10 + x, y, 10 + x - back, y - 2 * back);
        assert_placed(&plane, tank.gun, 10 + x, 8 + y, 10 + x - back, 8 + y - 2 * back);
    }
    assert_true(filo_remove(plane.world, tank.hull, Moving));
    tick(&plane, 0.1f);
    assert_placed(&plane, tank.gun, 14, 16, 14, 16);
    plane_close(&plane);
}

FILO_TEST(families_that_do_not_move_are_not_written) {
    Plane plane;
    plane_open(&plane, 0);
    add_move(&plane);
    create_tank(&plane);
    FiloQuery *changed = filo_query(plane.world, FILO_READ_CHANGED(FiloPlacement));
    for (int i = 0; i < 4; i++) tick(&plane, 0.1f);
    FiloSystemId place = filo_system_named(plane.world, "place children");
    uint64_t runs = filo_system_stats(plane.world, place).runs;
    rows_changed(changed);
    for (int i = 0; i < 3; i++) tick(&plane, 0.1f);
    assert_int_equal(filo_system_stats(plane.world, place).runs, runs);
    assert_int_equal(rows_changed(changed), 0);
    // Another family moves: this one is looked at, and still not written.
    Tank other = create_tank(&plane);
    filo_add(plane.world, other.hull, Moving);
    filo_add(plane.world, other.turret, Moving);
    filo_add(plane.world, other.gun, Moving);
    for (int i = 0; i < 4; i++) tick(&plane, 0.1f);
    rows_changed(changed);
    tick(&plane, 0.1f);
    assert_int_equal(rows_changed(changed), 3);
    filo_query_release(changed);
    plane_close(&plane);
}

FILO_TEST(a_parent_without_a_transform_changes_nothing) {
    Plane plane;
    plane_open(&plane, 0);
    Tank tank = create_tank(&plane);
    tick(&plane, 0.1f);
    assert_true(filo_remove(plane.world, tank.turret, FiloTransform));
    tick(&plane, 0.1f);
    assert_null(placement(&plane, tank.turret));
    assert_placed(&plane, tank.gun, 13, 0, 10, 8);
    assert_true(filo_set(plane.world, tank.turret, FiloTransform, .position = { 0, 1 })); // added late
    tick(&plane, 0.1f);
    assert_placed(&plane, tank.turret, 10, 1, 10, 1);
    assert_placed(&plane, tank.gun, 13, 1, 13, 0);
    plane_close(&plane);
}

FILO_TEST(who_leaves_its_family_loses_its_placement) {
    Plane plane;
    plane_open(&plane, 0);
    Tank tank = create_tank(&plane);
    tick(&plane, 0.1f);
    assert_true(filo_entity_set_parent(plane.world, tank.gun, FILO_ENTITY_NONE));
    tick(&plane, 0.1f);
    assert_null(placement(&plane, tank.gun));
    assert_placed(&plane, tank.turret, 10, 5, 10, 5);
    filo_entity_destroy(plane.world, tank.hull); // and the turret with it
    tick(&plane, 0.1f);
    assert_false(filo_entity_exists(plane.world, tank.turret));
    // The last family of the world ends, too.
    Tank last = create_tank(&plane);
    tick(&plane, 0.1f);
    filo_entity_destroy(plane.world, last.turret);
    tick(&plane, 0.1f);
    assert_null(placement(&plane, last.hull));
    plane_close(&plane);
}

FILO_TEST(a_change_of_parents_does_not_show_in_before) {
    Plane plane;
    plane_open(&plane, 0);
    Tank tank = create_tank(&plane);
    FiloEntity other = filo_create(plane.world, FILO_WITH(FiloTransform, .position = { -100, 0 }));
    tick(&plane, 0.1f);
    assert_true(filo_entity_set_parent(plane.world, tank.gun, other));
    tick(&plane, 0.1f);
    assert_placed(&plane, tank.gun, -97, 0, 10, 8);
    tick(&plane, 0.1f);
    assert_placed(&plane, tank.gun, -97, 0, -97, 0);
    plane_close(&plane);
}

FILO_TEST(a_parent_that_is_moved_between_ticks_moves_its_children_or_lets_them_jump) {
    Plane plane;
    plane_open(&plane, 0);
    add_move(&plane);
    Tank tank = create_tank(&plane);
    for (int i = 0; i < 2; i++) tick(&plane, 0.1f);
    filo_edit(plane.world, tank.hull, FiloTransform)->position = filo_vec2(50, 0);
    tick(&plane, 0.1f);
    assert_placed(&plane, tank.gun, 50, 8, 10, 8);
    filo_edit(plane.world, tank.hull, FiloTransform)->position = filo_vec2(90, 0);
    filo_edit(plane.world, tank.hull, FiloPreviousTransform)->known = false;
    tick(&plane, 0.1f);
    assert_placed(&plane, tank.gun, 90, 8, 90, 8);
    // Having jumped once does not hold its children back for ever.
    filo_add(plane.world, tank.turret, Moving);
    for (int i = 0; i < 2; i++) tick(&plane, 0.1f);
    assert_placed(&plane, tank.gun, 92, 12, 91, 10);
    plane_close(&plane);
}

static void jump(FiloIter *it) {
    FiloEntity hull = *(FiloEntity *)it->user;
    filo_edit(it->world, hull, FiloTransform)->position = filo_vec2(50, 0);
    filo_edit(it->world, hull, FiloPreviousTransform)->known = false;
}

FILO_TEST(when_a_parent_jumps_in_a_tick_its_children_do) {
    Plane plane;
    plane_open(&plane, 0);
    Tank tank = create_tank(&plane);
    for (int i = 0; i < 2; i++) tick(&plane, 0.1f);
    FiloSystemId system = filo_system_add(
        plane.world,
        &(FiloSystemDesc){ .name = "jump",
                           .run = jump,
                           .user = &tank.hull,
                           .touches = { FILO_WRITE(FiloTransform), FILO_WRITE(FiloPreviousTransform) } });
    tick(&plane, 0.1f);
    assert_placed(&plane, tank.hull, 50, 0, 50, 0);
    assert_placed(&plane, tank.gun, 50, 8, 50, 8);
    assert_true(placement(&plane, tank.gun)->jumped);
    filo_system_remove(plane.world, system);
    tick(&plane, 0.1f);
    assert_false(placement(&plane, tank.gun)->jumped);
    plane_close(&plane);
}

FILO_TEST(placements_come_back_after_a_restore) {
    Plane plane;
    plane_open(&plane, 0);
    Tank tank = create_tank(&plane);
    for (int i = 0; i < 5; i++) tick(&plane, 0.1f);
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(plane.world, snapshot));
    assert_ok(filo_snapshot_restore(plane.world, snapshot));
    assert_false(placement(&plane, tank.gun)->known);
    tick(&plane, 0.1f);
    assert_placed(&plane, tank.gun, 10, 8, 10, 8);
    filo_snapshot_destroy(snapshot);
    plane_close(&plane);
}

FILO_TEST(children_of_inactive_parents_are_placed) {
    Plane plane;
    plane_open(&plane, 0);
    Tank tank = create_tank(&plane);
    filo_entity_set_active(plane.world, tank.hull, false);
    tick(&plane, 0.1f);
    assert_placed(&plane, tank.gun, 10, 8, 10, 8);
    plane_close(&plane);
}

FILO_TEST(a_long_chain_and_a_broad_family_are_placed_on_many_threads) {
    enum { LENGTH = 3000, FAMILIES = 500, CHILDREN = 7 };
    Plane plane;
    plane_open(&plane, 4);
    add_move(&plane);
    FiloWorld *world = plane.world;
    FiloEntity end = FILO_ENTITY_NONE;
    for (int i = 0; i < LENGTH; i++) {
        FiloEntity link = filo_create(world, FILO_WITH(FiloTransform, .position = { 1, 0 }));
        if (end.id != 0) assert_true(filo_entity_set_parent(world, link, end));
        end = link;
    }
    static FiloEntity children[FAMILIES][CHILDREN];
    for (int f = 0; f < FAMILIES; f++) {
        FiloEntity root = filo_create(world, FILO_WITH(FiloTransform, .position = { (float)f, 0 }),
                                      FILO_WITH_FIRST(Moving));
        for (int c = 0; c < CHILDREN; c++) {
            children[f][c] = filo_create(world, FILO_WITH(FiloTransform, .position = { 0, (float)c }));
            assert_true(
                filo_entity_set_parent(world, children[f][c], c % 3 == 2 ? children[f][c - 1] : root));
        }
    }
    for (int i = 0; i < 10; i++) tick(&plane, 0.1f);
    assert_placed(&plane, end, LENGTH, 0, LENGTH, 0);
    for (int f = 0; f < FAMILIES; f++)
        for (int c = 0; c < CHILDREN; c++) {
            float y = (float)(c % 3 == 2 ? 2 * c - 1 : c);
            assert_placed(&plane, children[f][c], (float)(f + 10), y + 20, (float)(f + 9), y + 18);
        }
    plane_close(&plane);
}
