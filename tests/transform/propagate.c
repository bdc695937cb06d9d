// World transforms: which entities have one, their values, and which rows are written.

#include "transform/fixture.h"

typedef struct Tank {
    FiloEntity hull, turret, gun;
} Tank;

static Tank create_tank(const Fixture *fixture) {
    Tank tank = { .hull = create_at(fixture, 10, 0) };
    tank.turret = create_child(fixture, tank.hull, 0, 5);
    filo_edit(fixture->world, tank.turret, FiloTransform2)->rotation = FILO_HALF_PI;
    tank.gun = create_child(fixture, tank.turret, 3, 0);
    return tank;
}

static bool has_world_transform(const Fixture *fixture, FiloEntity entity) {
    return filo_has(fixture->world, entity, FiloWorldTransform2);
}

// ---- Adding it ------------------------------------------------------------------------------------------------

FILO_TEST(members_of_families_get_a_world_transform_and_others_do_not) {
    Fixture fixture = fixture_open(0);
    Tank tank = create_tank(&fixture);
    FiloEntity alone = create_at(&fixture, 1, 1), idea = filo_entity_create(fixture.world);
    assert_true(filo_entity_set_parent(fixture.world, idea, tank.hull));
    tick(&fixture);
    assert_world_transform(&fixture, tank.hull, 10, 0, 10, 0);
    assert_world_transform(&fixture, tank.turret, 10, 5, 10, 5);
    assert_world_transform(&fixture, tank.gun, 10, 8, 10, 8);
    assert_false(has_world_transform(&fixture, alone));
    assert_false(has_world_transform(&fixture, idea));
    fixture_close(&fixture);
}

static void attach(FiloIter *it) {
    const FiloEntity *hull = it->user;
    FiloEntity child = filo_changes_create_entity(it->changes);
    filo_set(it->changes, child, FiloTransform2, .position = { 2, 0 });
    filo_changes_set_parent(it->changes, child, *hull);
}

FILO_TEST(members_of_a_family_of_this_tick_have_a_world_transform_when_it_ends) {
    Fixture fixture = fixture_open(0);
    FiloEntity hull = create_at(&fixture, 10, 0);
    FiloSystemId system =
        filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "attach", .run = attach, .user = &hull });
    tick(&fixture);
    FiloEntity child = filo_entity_first_child(fixture.world, hull);
    assert_world_transform(&fixture, hull, 10, 0, 10, 0);
    assert_world_transform(&fixture, child, 12, 0, 12, 0);
    filo_system_remove(fixture.world, system);
    fixture_close(&fixture);
}

typedef struct Observed {
    FiloEntity entity;
    bool valid;
    float x;
} Observed;

static void observe(FiloIter *it) {
    Observed *observed = it->user;
    const FiloWorldTransform2 *world = filo_get(it->world, observed->entity, FiloWorldTransform2);
    observed->valid = world != NULL && world->valid;
    observed->x = observed->valid ? world->now.origin.x : -1;
}

static void add_observer(const Fixture *fixture, Observed *observed) {
    FiloSystemDesc desc = { .name = "observe",
                            .run = observe,
                            .user = observed,
                            .extra_access = { FILO_READ(FiloWorldTransform2) } };
    assert_int_not_equal(filo_system_add(fixture->world, &desc).id, 0);
}

FILO_TEST(systems_read_the_world_transform_at_the_beginning_of_their_tick) {
    Fixture fixture = fixture_open(0);
    add_move(&fixture);
    FiloEntity hull = create_at(&fixture, 10, 0);
    Observed observed = { .entity = create_child(&fixture, hull, 1, 0) };
    filo_add(fixture.world, hull, Moving);
    add_observer(&fixture, &observed); // after the system that moves
    tick(&fixture);
    assert_true(observed.valid && observed.x == 11);
    tick(&fixture);
    assert_true(observed.valid && observed.x == 12);
    filo_edit(fixture.world, hull, FiloTransform2)->position.x = 50; // between ticks
    tick(&fixture);
    assert_true(observed.valid && observed.x == 51);
    fixture_close(&fixture);
}

FILO_TEST(a_transform_that_is_added_later_is_found) {
    Fixture fixture = fixture_open(0);
    FiloEntity hull = create_at(&fixture, 10, 0), group = filo_entity_create(fixture.world);
    assert_true(filo_entity_set_parent(fixture.world, group, hull));
    FiloEntity gun = create_child(&fixture, group, 1, 0);
    tick(&fixture);
    assert_world_transform(&fixture, gun, 11, 0, 11, 0);
    assert_false(has_world_transform(&fixture, group));
    assert_true(filo_set(fixture.world, group, FiloTransform2, .position = { 100, 0 }));
    tick(&fixture);
    assert_world_transform(&fixture, group, 110, 0, 110, 0);
    assert_world_transform(&fixture, gun, 111, 0, 11, 0);
    // The same for the first transform of a world.
    Fixture other = fixture_open(0);
    FiloEntity a = filo_entity_create(other.world), b = filo_entity_create(other.world);
    assert_true(filo_entity_set_parent(other.world, b, a));
    tick(&other);
    assert_true(filo_set(other.world, b, FiloTransform2, .position = { 3, 0 }));
    tick(&other);
    assert_world_transform(&other, b, 3, 0, 3, 0);
    fixture_close(&other);
    fixture_close(&fixture);
}

FILO_TEST(a_transform_that_is_removed_has_no_effect_any_more) {
    Fixture fixture = fixture_open(0);
    Tank tank = create_tank(&fixture);
    filo_component(fixture.world, Moving);
    filo_add(fixture.world, tank.turret, Moving); // alone in its table
    tick(&fixture);
    assert_true(filo_remove(fixture.world, tank.turret, FiloTransform2));
    tick(&fixture);
    assert_world_transform(&fixture, tank.gun, 13, 0, 10, 8);
    assert_true(filo_set(fixture.world, tank.turret, FiloTransform2, .position = { 0, 1 }));
    tick(&fixture);
    assert_world_transform(&fixture, tank.turret, 10, 1, 10, 1);
    assert_world_transform(&fixture, tank.gun, 13, 1, 13, 0);
    fixture_close(&fixture);
}

FILO_TEST(an_entity_that_leaves_its_family_still_has_a_correct_world_transform) {
    Fixture fixture = fixture_open(0);
    add_move(&fixture);
    Tank tank = create_tank(&fixture);
    tick(&fixture);
    assert_true(filo_entity_set_parent(fixture.world, tank.gun, FILO_ENTITY_NONE));
    tick(&fixture);
    assert_world_transform(&fixture, tank.gun, 3, 0, 10, 8);
    filo_add(fixture.world, tank.gun, Moving);
    tick(&fixture);
    assert_world_transform(&fixture, tank.gun, 4, 2, 3, 0);
    // The last family of the world ends.
    assert_true(filo_entity_set_parent(fixture.world, tank.turret, FILO_ENTITY_NONE));
    tick(&fixture);
    assert_world_transform(&fixture, tank.turret, 0, 5, 10, 5);
    fixture_close(&fixture);
}

FILO_TEST(an_entity_without_a_family_can_be_created_with_a_world_transform) {
    Fixture fixture = fixture_open(0);
    add_move(&fixture);
    FiloEntity alone = filo_create(fixture.world, FILO_SET(FiloTransform2, .position = { 1, 0 }),
                                   FILO_ADD(FiloWorldTransform2), FILO_ADD(Moving));
    tick(&fixture);
    assert_world_transform(&fixture, alone, 2, 2, 1, 0);
    fixture_close(&fixture);
}

FILO_TEST(a_world_transform_that_is_removed_is_added_again) {
    Fixture fixture = fixture_open(0);
    Tank tank = create_tank(&fixture);
    tick(&fixture);
    assert_true(filo_remove(fixture.world, tank.turret, FiloWorldTransform2));
    tick(&fixture);
    assert_world_transform(&fixture, tank.turret, 10, 5, 10, 5);
    // Removed and added between ticks: the row is the same, but its value is not valid.
    assert_true(filo_remove(fixture.world, tank.gun, FiloWorldTransform2));
    filo_add(fixture.world, tank.gun, FiloWorldTransform2);
    tick(&fixture);
    assert_world_transform(&fixture, tank.gun, 10, 8, 10, 8);
    fixture_close(&fixture);
}

FILO_TEST(inactive_parents_and_inactive_children_are_computed) {
    Fixture fixture = fixture_open(0);
    add_move(&fixture);
    Tank tank = create_tank(&fixture);
    filo_entity_set_active(fixture.world, tank.hull, false);
    filo_entity_set_active(fixture.world, tank.gun, false);
    filo_add(fixture.world, tank.turret, Moving);
    for (int i = 0; i < 2; i++) tick(&fixture);
    assert_world_transform(&fixture, tank.hull, 10, 0, 10, 0);
    assert_world_transform(&fixture, tank.gun, 12, 12, 11, 10);
    fixture_close(&fixture);
}

FILO_TEST(prefabs_have_a_world_transform_and_instances_are_created_with_it) {
    Fixture fixture = fixture_open(0);
    Tank tank = create_tank(&fixture);
    assert_true(filo_prefab_make(fixture.world, tank.hull));
    tick(&fixture);
    FiloEntity hull =
        filo_instance(fixture.world, tank.hull, FILO_SET(FiloTransform2, .position = { 50, 0 }));
    FiloEntity turret = filo_entity_first_child(fixture.world, hull);
    assert_true(has_world_transform(&fixture, turret));
    size_t tables = filo_world_stats(fixture.world).tables;
    tick(&fixture);
    assert_int_equal(filo_world_stats(fixture.world).tables, tables);
    assert_world_transform(&fixture, turret, 50, 5, 50, 5); // not blended from the position of the prefab
    fixture_close(&fixture);
}

FILO_TEST(copies_are_not_blended_from_the_position_of_the_original) {
    Fixture fixture = fixture_open(0);
    Tank tank = create_tank(&fixture);
    for (int i = 0; i < 2; i++) tick(&fixture);
    FiloEntity copy = filo_entity_copy(fixture.world, tank.hull);
    filo_edit(fixture.world, copy, FiloTransform2)->position = filo_vec2(-7, 0);
    tick(&fixture);
    assert_world_transform(&fixture, copy, -7, 0, -7, 0);
    assert_world_transform(&fixture, filo_entity_first_child(fixture.world, copy), -7, 5, -7, 5);
    fixture_close(&fixture);
}

// ---- Its value --------------------------------------------------------------------------------------------------

FILO_TEST(children_move_with_their_parents_and_previous_is_one_tick_older) {
    Fixture fixture = fixture_open(0);
    add_move(&fixture);
    Tank tank = create_tank(&fixture);
    filo_add(fixture.world, tank.hull, Moving);
    for (int i = 1; i <= 4; i++) {
        tick(&fixture);
        float x = (float)i, y = (float)(2 * i);
        assert_world_transform(&fixture, tank.hull, 10 + x, y, 9 + x, y - 2);
        assert_world_transform(&fixture, tank.gun, 10 + x, 8 + y, 9 + x, 6 + y);
    }
    assert_true(filo_remove(fixture.world, tank.hull, Moving));
    tick(&fixture);
    assert_world_transform(&fixture, tank.gun, 14, 16, 14, 16);
    fixture_close(&fixture);
}

FILO_TEST(an_entity_that_is_moved_between_ticks_is_blended_from_the_last_tick) {
    Fixture fixture = fixture_open(0);
    add_move(&fixture);
    Tank tank = create_tank(&fixture);
    for (int i = 0; i < 2; i++) tick(&fixture);
    filo_edit(fixture.world, tank.hull, FiloTransform2)->position = filo_vec2(50, 0);
    tick(&fixture);
    assert_world_transform(&fixture, tank.gun, 50, 8, 10, 8);
    tick(&fixture);
    assert_world_transform(&fixture, tank.gun, 50, 8, 50, 8);
    // It also moves in the tick.
    filo_add(fixture.world, tank.turret, Moving);
    filo_edit(fixture.world, tank.hull, FiloTransform2)->position = filo_vec2(60, 0);
    tick(&fixture);
    assert_world_transform(&fixture, tank.gun, 61, 10, 50, 8);
    tick(&fixture);
    assert_world_transform(&fixture, tank.gun, 62, 12, 61, 10);
    fixture_close(&fixture);
}

FILO_TEST(previous_is_the_world_transform_of_the_old_parent_after_a_change_of_parents) {
    Fixture fixture = fixture_open(0);
    Tank tank = create_tank(&fixture);
    FiloEntity other = create_at(&fixture, -100, 0);
    tick(&fixture);
    assert_true(filo_entity_set_parent(fixture.world, tank.gun, other));
    tick(&fixture);
    assert_world_transform(&fixture, tank.gun, -97, 0, 10, 8);
    tick(&fixture);
    assert_world_transform(&fixture, tank.gun, -97, 0, -97, 0);
    fixture_close(&fixture);
}

FILO_TEST(scale_and_rotation_of_parents_apply_to_their_children) {
    Fixture fixture = fixture_open(0);
    FiloEntity hull = filo_create(fixture.world, FILO_SET(FiloTransform2, .position = { 10, 0 },
                                                          .rotation = FILO_HALF_PI, .scale = { 2, 3 }));
    FiloEntity gun = create_child(&fixture, hull, 4, 1);
    tick(&fixture);
    assert_world_transform(&fixture, gun, 7, 8, 7, 8);
    FiloAffine2 same = filo_transform2_in_world(fixture.world, gun);
    const FiloWorldTransform2 *world = filo_get(fixture.world, gun, FiloWorldTransform2);
    assert_memory_equal(&world->now, &same, sizeof same);
    filo_edit(fixture.world, hull, FiloTransform2)->scale = filo_vec2(0, 0); // counts as 1
    tick(&fixture);
    assert_world_transform(&fixture, gun, 9, 4, 7, 8);
    fixture_close(&fixture);
}

// ---- Written rows -------------------------------------------------------------------------------------------------

FILO_TEST(families_that_do_not_move_are_not_written) {
    Fixture fixture = fixture_open(0);
    add_move(&fixture);
    create_tank(&fixture);
    FiloQuery *changed = filo_query(fixture.world, FILO_READ_CHANGED(FiloWorldTransform2));
    for (int i = 0; i < 4; i++) tick(&fixture);
    rows_changed(changed);
    for (int i = 0; i < 3; i++) tick(&fixture);
    assert_int_equal(rows_changed(changed), 0);
    // Another family moves, in another table.
    Tank other = create_tank(&fixture);
    filo_add(fixture.world, other.hull, Moving);
    filo_add(fixture.world, other.turret, Moving);
    filo_add(fixture.world, other.gun, Moving);
    for (int i = 0; i < 4; i++) tick(&fixture);
    rows_changed(changed);
    tick(&fixture);
    assert_int_equal(rows_changed(changed), 3);
    // They are written once more after it has stopped, because `previous` changes.
    filo_system_set_enabled(fixture.world, filo_system_named(fixture.world, "move"), false);
    tick(&fixture);
    assert_int_equal(rows_changed(changed), 3);
    tick(&fixture);
    assert_int_equal(rows_changed(changed), 0);
    filo_query_release(changed);
    fixture_close(&fixture);
}

FILO_TEST(writing_the_same_transform_does_not_write_world_transforms) {
    Fixture fixture = fixture_open(0);
    Tank tank = create_tank(&fixture);
    FiloQuery *changed = filo_query(fixture.world, FILO_READ_CHANGED(FiloWorldTransform2));
    for (int i = 0; i < 3; i++) tick(&fixture);
    rows_changed(changed);
    filo_edit(fixture.world, tank.hull, FiloTransform2)->position.x = 10; // the same value
    tick(&fixture);
    assert_int_equal(rows_changed(changed), 0);
    filo_query_release(changed);
    fixture_close(&fixture);
}

// ---- Restoring and loading ----------------------------------------------------------------------------------------

FILO_TEST(world_transforms_are_valid_in_the_first_tick_after_a_restore) {
    Fixture fixture = fixture_open(0);
    add_move(&fixture);
    Tank tank = create_tank(&fixture);
    filo_add(fixture.world, tank.hull, Moving);
    Observed observed = { .entity = tank.gun };
    add_observer(&fixture, &observed);
    for (int i = 0; i < 5; i++) tick(&fixture);
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(snapshot, fixture.world));
    tick(&fixture);
    float next = observed.x;
    for (int i = 0; i < 3; i++) tick(&fixture);
    assert_ok(filo_snapshot_restore(snapshot, fixture.world));
    assert_false(filo_get(fixture.world, tank.gun, FiloWorldTransform2)->valid);
    tick(&fixture);
    assert_true(observed.valid && observed.x == next); // already in the first tick
    assert_world_transform(&fixture, tank.gun, 16, 20, 15, 18);
    filo_snapshot_destroy(snapshot);
    fixture_close(&fixture);
}

FILO_TEST(a_world_that_is_reset_starts_again) {
    Fixture fixture = fixture_open(0);
    Tank tank = create_tank(&fixture);
    for (int i = 0; i < 2; i++) tick(&fixture);
    assert_ok(filo_world_reset(fixture.world, filo_world_seed(fixture.world)));
    tick(&fixture);
    tank = create_tank(&fixture);
    tick(&fixture);
    assert_world_transform(&fixture, tank.gun, 10, 8, 10, 8);
    fixture_close(&fixture);
}

FILO_TEST(a_world_that_is_loaded_has_them_after_a_tick) {
    Fixture fixture = fixture_open(0);
    Tank tank = create_tank(&fixture);
    tick(&fixture);
    const char *path = filo_test_path("transform.save");
    assert_ok(filo_world_save(fixture.world, path, NULL));
    tick(&fixture);
    assert_ok(filo_world_load(fixture.world, path, NULL));
    tick(&fixture);
    assert_world_transform(&fixture, tank.gun, 10, 8, 10, 8);
    fixture_close(&fixture);
}

// ---- Shapes of families -------------------------------------------------------------------------------------------

FILO_TEST(a_chain_of_a_hundred_thousand_is_propagated) {
    enum { LENGTH = 100000 };
    Fixture fixture = fixture_open(2);
    add_move(&fixture);
    FiloEntity end = create_at(&fixture, 1, 0), first = end;
    for (int i = 1; i < LENGTH; i++) { // from the end, because setting a parent visits all of its ancestors
        FiloEntity parent = create_at(&fixture, i < LENGTH - 1 ? 1 : 0, 0);
        assert_true(filo_entity_set_parent(fixture.world, first, parent));
        first = parent;
    }
    filo_add(fixture.world, first, Moving);
    for (int i = 0; i < 3; i++) tick(&fixture);
    assert_world_transform(&fixture, end, LENGTH - 1 + 3, 6, LENGTH - 1 + 2, 4);
    // An entity in the middle moves.
    filo_system_set_enabled(fixture.world, filo_system_named(fixture.world, "move"), false);
    tick(&fixture);
    FiloEntity middle = end;
    for (int i = 0; i < 1000; i++) middle = filo_entity_parent(fixture.world, middle);
    filo_edit(fixture.world, middle, FiloTransform2)->position.y = 1;
    tick(&fixture);
    assert_world_transform(&fixture, end, LENGTH - 1 + 3, 7, LENGTH - 1 + 3, 6);
    assert_world_transform(&fixture, filo_entity_parent(fixture.world, middle), LENGTH - 1001 + 2, 6,
                           LENGTH - 1001 + 2, 6);
    filo_entity_destroy(fixture.world, first);
    tick(&fixture);
    fixture_close(&fixture);
}

FILO_TEST(a_broad_family_and_groups_without_transforms_are_propagated_on_many_threads) {
    enum { CHILDREN = 20000 };
    Fixture fixture = fixture_open(4);
    add_move(&fixture);
    FiloWorld *world = fixture.world;
    FiloEntity root = create_at(&fixture, 100, 0), group = filo_entity_create(world);
    assert_true(filo_entity_set_parent(world, group, root));
    static FiloEntity children[CHILDREN], leaves[CHILDREN];
    for (int i = 0; i < CHILDREN; i++) {
        children[i] = create_child(&fixture, i % 2 == 0 ? root : group, 0, (float)i);
        leaves[i] = create_child(&fixture, children[i], 1, 0);
    }
    filo_add(world, root, Moving);
    filo_add(world, children[7], Moving);
    for (int i = 0; i < 3; i++) tick(&fixture);
    for (int i = 0; i < CHILDREN; i++) {
        float more = i == 7 ? 3 : 0, y = (float)i + 6 + 2 * more, step = i == 7 ? 2 : 1;
        assert_world_transform(&fixture, leaves[i], 104 + more, y, 104 + more - step, y - 2 * step);
    }
    fixture_close(&fixture);
}

// ---- Large trees ----------------------------------------------------------------------------------------------------

// More nodes than a piece has.
#define MANY 3000

FILO_TEST(a_large_tree_is_reparented_and_destroyed) {
    Fixture fixture = fixture_open(4);
    FiloEntity ship = create_at(&fixture, 100, 0), level = create_at(&fixture, 10, 0), last = level;
    for (int i = 0; i < MANY; i++) last = create_child(&fixture, i % 2 == 0 ? level : last, 1, 0);
    tick(&fixture);
    assert_world_transform(&fixture, last, 12, 0, 12, 0);
    assert_true(filo_entity_set_parent(fixture.world, level, ship));
    tick(&fixture);
    assert_world_transform(&fixture, last, 112, 0, 12, 0);
    filo_entity_destroy(fixture.world, level);
    FiloEntity alone = create_child(&fixture, ship, 1, 0);
    tick(&fixture);
    assert_world_transform(&fixture, alone, 101, 0, 101, 0);
    fixture_close(&fixture);
}

FILO_TEST(children_of_a_large_tree_are_created_and_destroyed_for_long) {
    Fixture fixture = fixture_open(2);
    FiloEntity level = create_at(&fixture, 10, 0), branch = create_child(&fixture, level, 1, 0);
    for (int i = 0; i < MANY; i++) (void)create_child(&fixture, i % 3 == 0 ? level : branch, 1, 0);
    FiloEntity twig = create_child(&fixture, create_child(&fixture, branch, 1, 0), 1, 0);
    FiloEntity child = FILO_ENTITY_NONE;
    for (int i = 0; i < 400; i++) { // until no node numbers are left
        if (child.id != 0) filo_entity_destroy(fixture.world, child);
        child = create_child(&fixture, twig, (float)i, 0);
        for (int k = 0; k < 5; k++) child = create_child(&fixture, child, 0, 1);
        FiloEntity top = twig;
        if (i % 7 == 0) assert_true(filo_entity_set_parent(fixture.world, top, i % 2 == 0 ? level : branch));
        tick(&fixture);
        float x = filo_transform2_in_world(fixture.world, child).origin.x;
        assert_world_transform(&fixture, child, x, 5, x, 5);
        // The next iteration destroys all descendants of the twig.
        child = filo_entity_first_child(fixture.world, twig);
    }
    fixture_close(&fixture);
}
