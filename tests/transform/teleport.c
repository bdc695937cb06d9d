// Teleporting: all functions, and the effect on previous and world transforms.

#include "transform/fixture.h"

static FiloEntity with_previous(const Fixture *fixture, float x, float y) {
    return filo_create(fixture->world,
                       FILO_SET(FiloTransform2, .position = { x, y }, .rotation = 1, .scale = { 2, 3 }),
                       FILO_ADD(FiloPreviousTransform2));
}

// ---- Between ticks ------------------------------------------------------------------------------------------------

FILO_TEST(teleporting_to_a_position_preserves_rotation_and_scale) {
    Fixture fixture = fixture_open(0);
    FiloEntity entity = with_previous(&fixture, 1, 2);
    tick(&fixture);
    assert_true(previous_of(&fixture, entity)->valid);
    assert_true(filo_teleport(fixture.world, entity, filo_vec2(100, 0)));
    const FiloTransform2 *transform = filo_get(fixture.world, entity, FiloTransform2);
    assert_at(transform->position, 100, 0);
    assert_near(transform->rotation, 1);
    assert_at(transform->scale, 2, 3);
    assert_false(previous_of(&fixture, entity)->valid);
    tick(&fixture);
    assert_true(previous_of(&fixture, entity)->valid);
    assert_at(previous_of(&fixture, entity)->position, 100, 0);
    assert_true(filo_teleport(fixture.world, entity, (FiloTransform2){ .position = { 5, 6 } }));
    assert_at(transform->position, 5, 6);
    assert_near(transform->rotation, 0);
    fixture_close(&fixture);
}

FILO_TEST(a_missing_transform_or_previous_transform_is_added) {
    Fixture fixture = fixture_open(0);
    FiloEntity nothing = filo_entity_create(fixture.world), bare = create_at(&fixture, 1, 1);
    assert_true(filo_teleport(fixture.world, nothing, filo_vec2(3, 4)));
    assert_true(filo_teleport(fixture.world, bare, filo_vec2(5, 6)));
    assert_at(filo_get(fixture.world, nothing, FiloTransform2)->position, 3, 4);
    assert_at(filo_get(fixture.world, bare, FiloTransform2)->position, 5, 6);
    assert_false(previous_of(&fixture, nothing)->valid || previous_of(&fixture, bare)->valid);
    fixture_close(&fixture);
}

FILO_TEST(filo_teleport_works_in_space) {
    Fixture fixture = fixture_open(0);
    FiloEntity entity = filo_entity_create(fixture.world);
    assert_true(filo_teleport(fixture.world, entity, (FiloTransform3){ .scale = { 2, 2, 2 } }));
    assert_true(filo_teleport(fixture.world, entity, filo_vec3(3, 4, 5)));
    assert_at3(filo_get(fixture.world, entity, FiloTransform3)->position, 3, 4, 5);
    assert_at3(filo_get(fixture.world, entity, FiloTransform3)->scale, 2, 2, 2);
    assert_false(filo_has(fixture.world, entity, FiloTransform2));
    fixture_close(&fixture);
}

FILO_TEST(children_are_teleported_with_their_parents_and_then_blended_again) {
    Fixture fixture = fixture_open(0);
    FiloEntity hull = create_at(&fixture, 10, 0), turret = create_child(&fixture, hull, 0, 5),
               gun = create_child(&fixture, turret, 3, 0);
    for (int i = 0; i < 2; i++) tick(&fixture);
    assert_true(filo_teleport(fixture.world, hull, filo_vec2(90, 0)));
    tick(&fixture);
    assert_world_transform(&fixture, hull, 90, 0, 90, 0);
    assert_world_transform(&fixture, gun, 93, 5, 93, 5);
    // In later ticks the children are blended again.
    tick(&fixture);
    filo_edit(fixture.world, hull, FiloTransform2)->position.x = 91;
    tick(&fixture);
    assert_world_transform(&fixture, gun, 94, 5, 93, 5);
    // If only a child is teleported, its parent is blended.
    filo_edit(fixture.world, hull, FiloTransform2)->position.x = 95;
    assert_true(filo_teleport(fixture.world, turret, filo_vec2(0, 50)));
    tick(&fixture);
    assert_world_transform(&fixture, hull, 95, 0, 91, 0);
    assert_world_transform(&fixture, turret, 95, 50, 95, 50);
    assert_world_transform(&fixture, gun, 98, 50, 98, 50);
    fixture_close(&fixture);
}

FILO_TEST(an_entity_that_was_teleported_some_ticks_ago_is_blended) {
    Fixture fixture = fixture_open(0);
    FiloEntity hull = with_previous(&fixture, 10, 0), gun = create_child(&fixture, hull, 3, 0);
    filo_edit(fixture.world, hull, FiloTransform2)->rotation = 0;
    filo_edit(fixture.world, hull, FiloTransform2)->scale = filo_vec2(1, 1);
    tick(&fixture);
    assert_true(filo_teleport(fixture.world, hull, filo_vec2(50, 0)));
    for (int i = 0; i < 5; i++) tick(&fixture);
    filo_edit(fixture.world, hull, FiloTransform2)->position.x = 54;
    tick(&fixture);
    assert_world_transform(&fixture, gun, 57, 0, 53, 0);
    fixture_close(&fixture);
}

// ---- In systems -----------------------------------------------------------------------------------------------------

typedef enum Method { BY_CHANGES, BY_CHANGES_POSITION, BY_WORLD, BY_ROW } Method;

typedef struct TeleportTest {
    Method method;
    FiloEntity entity;
} TeleportTest;

static void teleport_hull(FiloIter *it) {
    const TeleportTest *test = it->user;
    switch (test->method) {
    case BY_CHANGES:
        assert_true(filo_teleport(it->changes, test->entity, (FiloTransform2){ .position = { 50, 0 } }));
        break;
    case BY_CHANGES_POSITION: assert_true(filo_teleport(it->changes, test->entity, filo_vec2(50, 0))); break;
    case BY_WORLD: assert_true(filo_teleport(it->world, test->entity, filo_vec2(50, 0))); break;
    case BY_ROW:
        filo_transform2_teleport(filo_edit(it->world, test->entity, FiloTransform2),
                                 filo_edit(it->world, test->entity, FiloPreviousTransform2),
                                 filo_vec2(50, 0));
        break;
    }
}

FILO_TEST(all_functions_have_the_same_result_in_a_system) {
    for (Method method = BY_CHANGES; method <= BY_ROW; method++) {
        Fixture fixture = fixture_open(0);
        FiloEntity hull = filo_create(fixture.world, FILO_SET(FiloTransform2, .position = { 10, 0 }),
                                      FILO_ADD(FiloPreviousTransform2));
        FiloEntity gun = create_child(&fixture, hull, 3, 0);
        for (int i = 0; i < 2; i++) tick(&fixture);
        TeleportTest test = { method, hull };
        FiloSystemDesc desc = { .name = "teleport", .run = teleport_hull, .user = &test };
        if (method == BY_CHANGES_POSITION) desc.extra_access[0] = (FiloTerm)FILO_READ(FiloTransform2);
        if (method == BY_WORLD || method == BY_ROW) {
            desc.extra_access[0] = (FiloTerm)FILO_WRITE(FiloTransform2);
            desc.extra_access[1] = (FiloTerm)FILO_WRITE(FiloPreviousTransform2);
        }
        FiloSystemId system = filo_system_add(fixture.world, &desc);
        tick(&fixture);
        assert_false(previous_of(&fixture, hull)->valid); // until the next tick begins
        assert_true(filo_transform2_teleported(fixture.world, gun));
        assert_world_transform(&fixture, hull, 50, 0, 50, 0);
        assert_world_transform(&fixture, gun, 53, 0, 53, 0);
        filo_system_remove(fixture.world, system);
        tick(&fixture);
        assert_true(previous_of(&fixture, hull)->valid);
        assert_false(filo_transform2_teleported(fixture.world, gun));
        assert_world_transform(&fixture, gun, 53, 0, 53, 0);
        fixture_close(&fixture);
    }
}

static void teleport_created(FiloIter *it) {
    FiloEntity child = filo_changes_create_entity(it->changes);
    assert_true(filo_teleport(it->changes, child, filo_vec3(1, 2, 3)));
    assert_true(filo_teleport(it->changes, child, (FiloTransform3){ .position = { 4, 5, 6 } }));
    *(size_t *)it->user = filo_changes_count(it->changes);
}

FILO_TEST(a_change_set_teleports_entities_that_it_creates) {
    Fixture fixture = fixture_open(0);
    size_t count = 0;
    filo_system_add(fixture.world,
                    &(FiloSystemDesc){ .name = "teleport", .run = teleport_created, .user = &count });
    tick(&fixture);
    assert_true(count >= 3);
    FiloQuery *query =
        filo_query(fixture.world, FILO_READ(FiloTransform3), FILO_READ(FiloPreviousTransform3));
    FiloEntity entity = filo_query_first(query);
    assert_at3(filo_get(fixture.world, entity, FiloTransform3)->position, 4, 5, 6);
    filo_query_release(query);
    fixture_close(&fixture);
}

// ---- Queries and mistakes -------------------------------------------------------------------------------------------

FILO_TEST(an_entity_counts_as_teleported_until_the_next_tick_begins) {
    Fixture fixture = fixture_open(0);
    FiloEntity hull = with_previous(&fixture, 0, 0), gun = create_child(&fixture, hull, 1, 0),
               bare = create_at(&fixture, 1, 1);
    assert_true(filo_transform2_teleported(fixture.world, gun)); // its parent is new
    assert_false(filo_transform2_teleported(fixture.world, bare));
    assert_false(filo_transform2_teleported(fixture.world, FILO_ENTITY_NONE));
    tick(&fixture);
    assert_false(filo_transform2_teleported(fixture.world, gun));
    filo_teleport(fixture.world, hull, filo_vec2(1, 1));
    assert_true(filo_transform2_teleported(fixture.world, gun));
    assert_true(filo_transform2_teleported(fixture.world, hull));
    filo_entity_set_active(fixture.world, hull,
                           false); // only active entities count
    assert_false(filo_transform2_teleported(fixture.world, gun));
    FiloEntity solid = filo_create(fixture.world, FILO_ADD(FiloPreviousTransform3), FILO_ADD(FiloTransform3));
    assert_true(filo_transform3_teleported(fixture.world, solid));
    tick(&fixture);
    assert_false(filo_transform3_teleported(fixture.world, solid));
    fixture_close(&fixture);
}

static void teleport_undeclared(FiloIter *it) {
    expect_faults(3, "which it did not declare",
                  (void)filo_teleport(it->world, *(FiloEntity *)it->user, filo_vec2(1, 1)));
}

FILO_TEST(mistakes_are_reported_and_change_nothing) {
    only_in_debug_builds();
    Fixture fixture = fixture_open(0);
    FiloEntity entity = with_previous(&fixture, 1, 2), gone = filo_entity_create(fixture.world);
    filo_entity_destroy(fixture.world, gone);
    expect_fault("does not exist", assert_false(filo_teleport(fixture.world, gone, filo_vec2(1, 1))));
    expect_fault("pass a world", assert_false(filo_entity_teleport2_position(NULL, entity, filo_vec2(1, 1))));
    expect_fault("pass a change set",
                 assert_false(filo_changes_teleport2_position(NULL, entity, filo_vec2(1, 1))));
    expect_fault("pass a change set", assert_false(filo_changes_teleport3(
                                          NULL, entity, (FiloTransform3){ .scale = { 1, 1, 1 } })));
    filo_system_add(fixture.world,
                    &(FiloSystemDesc){ .name = "silent", .run = teleport_undeclared, .user = &entity });
    tick(&fixture);
    assert_at(filo_get(fixture.world, entity, FiloTransform2)->position, 1, 2);
    fixture_close(&fixture);
}
