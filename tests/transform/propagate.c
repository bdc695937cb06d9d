// World transforms: who has one, what they are, and what is written.

#include "transform/places.h"

// A system of the test's own: what has it moves by (1, 2) a tick.
FILO_TAG(Moving)

static void move(FiloIter *it) {
    FiloColumn transforms = filo_iter_column(it, 0);
    for (size_t i = 0; i < it->count; i++) {
        FiloTransform2 *transform = FILO_AT(transforms, i, FiloTransform2);
        transform->position = filo_vec2_add(transform->position, filo_vec2(1, 2));
    }
}

static void add_move(const Places *places) {
    filo_component(places->world, Moving);
    assert_int_not_equal(
        filo_system_add(places->world,
                        &(FiloSystemDesc){ .name = "move",
                                           .run = move,
                                           .parallel = true,
                                           .query.terms = { FILO_WRITE(FiloTransform2), FILO_WITH(Moving) } })
            .id,
        0);
}

typedef struct Tank {
    FiloEntity hull, turret, gun;
} Tank;

static Tank create_tank(const Places *places) {
    Tank tank = { .hull = at(places, 10, 0) };
    tank.turret = below(places, tank.hull, 0, 5);
    filo_edit(places->world, tank.turret, FiloTransform2)->rotation = FILO_HALF_PI;
    tank.gun = below(places, tank.turret, 3, 0);
    return tank;
}

static bool has_world_transform(const Places *places, FiloEntity entity) {
    return filo_has(places->world, entity, FiloWorldTransform2);
}

// ---- Who has one ----------------------------------------------------------------------------------------------

FILO_TEST(members_of_families_are_given_one_and_others_are_not) {
    Places places = places_open(0);
    Tank tank = create_tank(&places);
    FiloEntity alone = at(&places, 1, 1), idea = filo_entity_create(places.world);
    assert_true(filo_entity_set_parent(places.world, idea, tank.hull));
    tick(&places);
    assert_placed(&places, tank.hull, 10, 0, 10, 0);
    assert_placed(&places, tank.turret, 10, 5, 10, 5);
    assert_placed(&places, tank.gun, 10, 8, 10, 8);
    assert_false(has_world_transform(&places, alone));
    assert_false(has_world_transform(&places, idea));
    places_close(&places);
}

static void attach(FiloIter *it) {
    const FiloEntity *hull = it->user;
    FiloEntity child = filo_changes_create_entity(it->changes);
    filo_set(it->changes, child, FiloTransform2, .position = { 2, 0 });
    filo_changes_set_parent(it->changes, child, *hull);
}

FILO_TEST(families_that_form_in_a_tick_have_theirs_when_it_ends) {
    Places places = places_open(0);
    FiloEntity hull = at(&places, 10, 0);
    FiloSystemId system =
        filo_system_add(places.world, &(FiloSystemDesc){ .name = "attach", .run = attach, .user = &hull });
    tick(&places);
    FiloEntity child = filo_entity_first_child(places.world, hull);
    assert_placed(&places, hull, 10, 0, 10, 0);
    assert_placed(&places, child, 12, 0, 12, 0);
    filo_system_remove(places.world, system);
    places_close(&places);
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

static void add_observer(const Places *places, Observed *observed) {
    FiloSystemDesc desc = { .name = "observe",
                            .run = observe,
                            .user = observed,
                            .extra_access = { FILO_READ(FiloWorldTransform2) } };
    assert_int_not_equal(filo_system_add(places->world, &desc).id, 0);
}

FILO_TEST(systems_find_what_was_true_when_their_tick_began) {
    Places places = places_open(0);
    add_move(&places);
    FiloEntity hull = at(&places, 10, 0);
    Observed observed = { .entity = below(&places, hull, 1, 0) };
    filo_add(places.world, hull, Moving);
    add_observer(&places, &observed); // after the system that moves
    tick(&places);
    assert_true(observed.valid && observed.x == 11);
    tick(&places);
    assert_true(observed.valid && observed.x == 12);
    filo_edit(places.world, hull, FiloTransform2)->position.x = 50; // between ticks
    tick(&places);
    assert_true(observed.valid && observed.x == 51);
    places_close(&places);
}

FILO_TEST(a_transform_that_is_added_late_is_noticed) {
    Places places = places_open(0);
    FiloEntity hull = at(&places, 10, 0), group = filo_entity_create(places.world);
    assert_true(filo_entity_set_parent(places.world, group, hull));
    FiloEntity gun = below(&places, group, 1, 0);
    tick(&places);
    assert_placed(&places, gun, 11, 0, 11, 0);
    assert_false(has_world_transform(&places, group));
    assert_true(filo_set(places.world, group, FiloTransform2, .position = { 100, 0 }));
    tick(&places);
    assert_placed(&places, group, 110, 0, 110, 0);
    assert_placed(&places, gun, 111, 0, 11, 0);
    // And the only one of its kind.
    Places other = places_open(0);
    FiloEntity a = filo_entity_create(other.world), b = filo_entity_create(other.world);
    assert_true(filo_entity_set_parent(other.world, b, a));
    tick(&other);
    assert_true(filo_set(other.world, b, FiloTransform2, .position = { 3, 0 }));
    tick(&other);
    assert_placed(&other, b, 3, 0, 3, 0);
    places_close(&other);
    places_close(&places);
}

FILO_TEST(a_transform_that_is_taken_away_changes_nothing_from_then_on) {
    Places places = places_open(0);
    Tank tank = create_tank(&places);
    filo_component(places.world, Moving);
    filo_add(places.world, tank.turret, Moving); // alone in its table
    tick(&places);
    assert_true(filo_remove(places.world, tank.turret, FiloTransform2));
    tick(&places);
    assert_placed(&places, tank.gun, 13, 0, 10, 8);
    assert_true(filo_set(places.world, tank.turret, FiloTransform2, .position = { 0, 1 }));
    tick(&places);
    assert_placed(&places, tank.turret, 10, 1, 10, 1);
    assert_placed(&places, tank.gun, 13, 1, 13, 0);
    places_close(&places);
}

FILO_TEST(who_leaves_its_family_keeps_it_and_is_kept_right) {
    Places places = places_open(0);
    add_move(&places);
    Tank tank = create_tank(&places);
    tick(&places);
    assert_true(filo_entity_set_parent(places.world, tank.gun, FILO_ENTITY_NONE));
    tick(&places);
    assert_placed(&places, tank.gun, 3, 0, 10, 8);
    filo_add(places.world, tank.gun, Moving);
    tick(&places);
    assert_placed(&places, tank.gun, 4, 2, 3, 0);
    // The last family of the world ends.
    assert_true(filo_entity_set_parent(places.world, tank.turret, FILO_ENTITY_NONE));
    tick(&places);
    assert_placed(&places, tank.turret, 0, 5, 10, 5);
    places_close(&places);
}

FILO_TEST(it_may_be_asked_for_without_a_family) {
    Places places = places_open(0);
    add_move(&places);
    FiloEntity alone = filo_create(places.world, FILO_SET(FiloTransform2, .position = { 1, 0 }),
                                   FILO_ADD(FiloWorldTransform2), FILO_ADD(Moving));
    tick(&places);
    assert_placed(&places, alone, 2, 2, 1, 0);
    places_close(&places);
}

FILO_TEST(one_that_is_taken_away_comes_back) {
    Places places = places_open(0);
    Tank tank = create_tank(&places);
    tick(&places);
    assert_true(filo_remove(places.world, tank.turret, FiloWorldTransform2));
    tick(&places);
    assert_placed(&places, tank.turret, 10, 5, 10, 5);
    // Away and back between ticks: the row is where it was, and means nothing.
    assert_true(filo_remove(places.world, tank.gun, FiloWorldTransform2));
    filo_add(places.world, tank.gun, FiloWorldTransform2);
    tick(&places);
    assert_placed(&places, tank.gun, 10, 8, 10, 8);
    places_close(&places);
}

FILO_TEST(children_of_inactive_parents_and_inactive_children_are_kept) {
    Places places = places_open(0);
    add_move(&places);
    Tank tank = create_tank(&places);
    filo_entity_set_active(places.world, tank.hull, false);
    filo_entity_set_active(places.world, tank.gun, false);
    filo_add(places.world, tank.turret, Moving);
    for (int i = 0; i < 2; i++) tick(&places);
    assert_placed(&places, tank.hull, 10, 0, 10, 0);
    assert_placed(&places, tank.gun, 12, 12, 11, 10);
    places_close(&places);
}

FILO_TEST(prefabs_have_it_and_instances_come_with_it) {
    Places places = places_open(0);
    Tank tank = create_tank(&places);
    assert_true(filo_prefab_make(places.world, tank.hull));
    tick(&places);
    FiloEntity hull = filo_instance(places.world, tank.hull, FILO_SET(FiloTransform2, .position = { 50, 0 }));
    FiloEntity turret = filo_entity_first_child(places.world, hull);
    assert_true(has_world_transform(&places, turret));
    size_t tables = filo_world_stats(places.world).tables;
    tick(&places);
    assert_int_equal(filo_world_stats(places.world).tables, tables);
    assert_placed(&places, turret, 50, 5, 50, 5); // it was never where the prefab is
    places_close(&places);
}

FILO_TEST(copies_do_not_come_from_where_the_original_is) {
    Places places = places_open(0);
    Tank tank = create_tank(&places);
    for (int i = 0; i < 2; i++) tick(&places);
    FiloEntity copy = filo_entity_copy(places.world, tank.hull);
    filo_edit(places.world, copy, FiloTransform2)->position = filo_vec2(-7, 0);
    tick(&places);
    assert_placed(&places, copy, -7, 0, -7, 0);
    assert_placed(&places, filo_entity_first_child(places.world, copy), -7, 5, -7, 5);
    places_close(&places);
}

// ---- What it is -------------------------------------------------------------------------------------------------

FILO_TEST(children_move_with_their_parents_and_previous_is_a_tick_behind) {
    Places places = places_open(0);
    add_move(&places);
    Tank tank = create_tank(&places);
    filo_add(places.world, tank.hull, Moving);
    for (int i = 1; i <= 4; i++) {
        tick(&places);
        float x = (float)i, y = (float)(2 * i);
        assert_placed(&places, tank.hull, 10 + x, y, 9 + x, y - 2);
        assert_placed(&places, tank.gun, 10 + x, 8 + y, 9 + x, 6 + y);
    }
    assert_true(filo_remove(places.world, tank.hull, Moving));
    tick(&places);
    assert_placed(&places, tank.gun, 14, 16, 14, 16);
    places_close(&places);
}

FILO_TEST(what_is_moved_between_ticks_was_where_the_last_tick_left_it) {
    Places places = places_open(0);
    add_move(&places);
    Tank tank = create_tank(&places);
    for (int i = 0; i < 2; i++) tick(&places);
    filo_edit(places.world, tank.hull, FiloTransform2)->position = filo_vec2(50, 0);
    tick(&places);
    assert_placed(&places, tank.gun, 50, 8, 10, 8);
    tick(&places);
    assert_placed(&places, tank.gun, 50, 8, 50, 8);
    // It goes on moving in the tick.
    filo_add(places.world, tank.turret, Moving);
    filo_edit(places.world, tank.hull, FiloTransform2)->position = filo_vec2(60, 0);
    tick(&places);
    assert_placed(&places, tank.gun, 61, 10, 50, 8);
    tick(&places);
    assert_placed(&places, tank.gun, 62, 12, 61, 10);
    places_close(&places);
}

FILO_TEST(a_change_of_parents_does_not_show_in_previous) {
    Places places = places_open(0);
    Tank tank = create_tank(&places);
    FiloEntity other = at(&places, -100, 0);
    tick(&places);
    assert_true(filo_entity_set_parent(places.world, tank.gun, other));
    tick(&places);
    assert_placed(&places, tank.gun, -97, 0, 10, 8);
    tick(&places);
    assert_placed(&places, tank.gun, -97, 0, -97, 0);
    places_close(&places);
}

FILO_TEST(a_scale_and_a_rotation_of_parents_reach_their_children) {
    Places places = places_open(0);
    FiloEntity hull = filo_create(places.world, FILO_SET(FiloTransform2, .position = { 10, 0 },
                                                         .rotation = FILO_HALF_PI, .scale = { 2, 3 }));
    FiloEntity gun = below(&places, hull, 4, 1);
    tick(&places);
    assert_placed(&places, gun, 7, 8, 7, 8);
    FiloAffine2 same = filo_transform2_in_world(places.world, gun);
    const FiloWorldTransform2 *world = filo_get(places.world, gun, FiloWorldTransform2);
    assert_memory_equal(&world->now, &same, sizeof same);
    filo_edit(places.world, hull, FiloTransform2)->scale = filo_vec2(0, 0); // counts as 1
    tick(&places);
    assert_placed(&places, gun, 9, 4, 7, 8);
    places_close(&places);
}

// ---- What is written ----------------------------------------------------------------------------------------------

FILO_TEST(families_that_do_not_move_are_not_written) {
    Places places = places_open(0);
    add_move(&places);
    create_tank(&places);
    FiloQuery *changed = filo_query(places.world, FILO_READ_CHANGED(FiloWorldTransform2));
    for (int i = 0; i < 4; i++) tick(&places);
    rows_changed(changed);
    for (int i = 0; i < 3; i++) tick(&places);
    assert_int_equal(rows_changed(changed), 0);
    // Another family moves, in a table of its own.
    Tank other = create_tank(&places);
    filo_add(places.world, other.hull, Moving);
    filo_add(places.world, other.turret, Moving);
    filo_add(places.world, other.gun, Moving);
    for (int i = 0; i < 4; i++) tick(&places);
    rows_changed(changed);
    tick(&places);
    assert_int_equal(rows_changed(changed), 3);
    // Once more after it has stopped, for the previous ones; then not any more.
    filo_system_set_enabled(places.world, filo_system_named(places.world, "move"), false);
    tick(&places);
    assert_int_equal(rows_changed(changed), 3);
    tick(&places);
    assert_int_equal(rows_changed(changed), 0);
    filo_query_release(changed);
    places_close(&places);
}

FILO_TEST(a_transform_that_is_written_and_stays_the_same_writes_nothing) {
    Places places = places_open(0);
    Tank tank = create_tank(&places);
    FiloQuery *changed = filo_query(places.world, FILO_READ_CHANGED(FiloWorldTransform2));
    for (int i = 0; i < 3; i++) tick(&places);
    rows_changed(changed);
    filo_edit(places.world, tank.hull, FiloTransform2)->position.x = 10; // as it was
    tick(&places);
    assert_int_equal(rows_changed(changed), 0);
    filo_query_release(changed);
    places_close(&places);
}

// ---- Keeping ------------------------------------------------------------------------------------------------------

FILO_TEST(world_transforms_come_back_after_a_restore) {
    Places places = places_open(0);
    add_move(&places);
    Tank tank = create_tank(&places);
    filo_add(places.world, tank.hull, Moving);
    Observed observed = { .entity = tank.gun };
    add_observer(&places, &observed);
    for (int i = 0; i < 5; i++) tick(&places);
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(snapshot, places.world));
    tick(&places);
    float next = observed.x;
    for (int i = 0; i < 3; i++) tick(&places);
    assert_ok(filo_snapshot_restore(snapshot, places.world));
    assert_false(filo_get(places.world, tank.gun, FiloWorldTransform2)->valid);
    tick(&places);
    assert_true(observed.valid && observed.x == next); // already in the first tick
    assert_placed(&places, tank.gun, 16, 20, 15, 18);
    filo_snapshot_destroy(snapshot);
    places_close(&places);
}

FILO_TEST(a_world_that_is_cleared_starts_again) {
    Places places = places_open(0);
    Tank tank = create_tank(&places);
    for (int i = 0; i < 2; i++) tick(&places);
    filo_world_clear(places.world);
    tick(&places);
    tank = create_tank(&places);
    tick(&places);
    assert_placed(&places, tank.gun, 10, 8, 10, 8);
    places_close(&places);
}

FILO_TEST(a_world_that_is_loaded_has_them_after_a_tick) {
    Places places = places_open(0);
    Tank tank = create_tank(&places);
    tick(&places);
    const char *path = filo_test_path("places.save");
    assert_ok(filo_world_save(places.world, path, NULL));
    tick(&places);
    assert_ok(filo_world_load(places.world, path, NULL));
    tick(&places);
    assert_placed(&places, tank.gun, 10, 8, 10, 8);
    places_close(&places);
}

// ---- Shapes of families -------------------------------------------------------------------------------------------

FILO_TEST(a_chain_of_a_hundred_thousand_is_propagated) {
    enum { LENGTH = 100000 };
    Places places = places_open(2);
    add_move(&places);
    FiloEntity end = at(&places, 1, 0), first = end;
    for (int i = 1; i < LENGTH; i++) { // upwards: to be below something long, all of it is looked at
        FiloEntity parent = at(&places, i < LENGTH - 1 ? 1 : 0, 0);
        assert_true(filo_entity_set_parent(places.world, first, parent));
        first = parent;
    }
    filo_add(places.world, first, Moving);
    for (int i = 0; i < 3; i++) tick(&places);
    assert_placed(&places, end, LENGTH - 1 + 3, 6, LENGTH - 1 + 2, 4);
    // One in the middle moves.
    filo_system_set_enabled(places.world, filo_system_named(places.world, "move"), false);
    tick(&places);
    FiloEntity middle = end;
    for (int i = 0; i < 1000; i++) middle = filo_entity_parent(places.world, middle);
    filo_edit(places.world, middle, FiloTransform2)->position.y = 1;
    tick(&places);
    assert_placed(&places, end, LENGTH - 1 + 3, 7, LENGTH - 1 + 3, 6);
    assert_placed(&places, filo_entity_parent(places.world, middle), LENGTH - 1001 + 2, 6, LENGTH - 1001 + 2,
                  6);
    filo_entity_destroy(places.world, first);
    tick(&places);
    places_close(&places);
}

FILO_TEST(a_broad_family_and_groups_without_transforms_are_propagated_on_many_threads) {
    enum { CHILDREN = 20000 };
    Places places = places_open(4);
    add_move(&places);
    FiloWorld *world = places.world;
    FiloEntity root = at(&places, 100, 0), group = filo_entity_create(world);
    assert_true(filo_entity_set_parent(world, group, root));
    static FiloEntity children[CHILDREN], leaves[CHILDREN];
    for (int i = 0; i < CHILDREN; i++) {
        children[i] = below(&places, i % 2 == 0 ? root : group, 0, (float)i);
        leaves[i] = below(&places, children[i], 1, 0);
    }
    filo_add(world, root, Moving);
    filo_add(world, children[7], Moving);
    for (int i = 0; i < 3; i++) tick(&places);
    for (int i = 0; i < CHILDREN; i++) {
        float more = i == 7 ? 3 : 0, y = (float)i + 6 + 2 * more, step = i == 7 ? 2 : 1;
        assert_placed(&places, leaves[i], 104 + more, y, 104 + more - step, y - 2 * step);
    }
    places_close(&places);
}

// ---- Large trees ----------------------------------------------------------------------------------------------------

// So many that they are not computed in one piece.
#define MANY 3000

FILO_TEST(a_large_tree_gets_another_parent_and_goes) {
    Places places = places_open(4);
    FiloEntity ship = at(&places, 100, 0), level = at(&places, 10, 0), last = level;
    for (int i = 0; i < MANY; i++) last = below(&places, i % 2 == 0 ? level : last, 1, 0);
    tick(&places);
    assert_placed(&places, last, 12, 0, 12, 0);
    assert_true(filo_entity_set_parent(places.world, level, ship));
    tick(&places);
    assert_placed(&places, last, 112, 0, 12, 0);
    filo_entity_destroy(places.world, level);
    FiloEntity alone = below(&places, ship, 1, 0);
    tick(&places);
    assert_placed(&places, alone, 101, 0, 101, 0);
    places_close(&places);
}

FILO_TEST(children_of_a_large_tree_come_and_go_for_long) {
    Places places = places_open(2);
    FiloEntity level = at(&places, 10, 0), branch = below(&places, level, 1, 0);
    for (int i = 0; i < MANY; i++) (void)below(&places, i % 3 == 0 ? level : branch, 1, 0);
    FiloEntity twig = below(&places, below(&places, branch, 1, 0), 1, 0);
    FiloEntity child = FILO_ENTITY_NONE;
    for (int i = 0; i < 400; i++) { // more nodes than there is room for
        if (child.id != 0) filo_entity_destroy(places.world, child);
        child = below(&places, twig, (float)i, 0);
        for (int k = 0; k < 5; k++) child = below(&places, child, 0, 1);
        FiloEntity top = twig;
        if (i % 7 == 0) assert_true(filo_entity_set_parent(places.world, top, i % 2 == 0 ? level : branch));
        tick(&places);
        float x = filo_transform2_in_world(places.world, child).origin.x;
        assert_placed(&places, child, x, 5, x, 5);
        // The whole family below the twig goes, with what was created before.
        child = filo_entity_first_child(places.world, twig);
    }
    places_close(&places);
}
