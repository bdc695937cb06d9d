// Game states: entities that are destroyed when a state is left.

#include "ecs/states_fixture.h"

STATES_FIXTURE_TYPES

static size_t count_entities(const Fixture *fixture) { return filo_world_stats(fixture->world).entities; }

FILO_TEST(bound_entities_are_destroyed_when_their_state_is_left) {
    Fixture fixture = states_open(0);
    FiloWorld *world = fixture.world;
    tick(&fixture);
    change_screen(&fixture, SCREEN_PLAYING);
    FiloEntity stays = filo_create(world, FILO_SET(Position, 1, 2));
    FiloEntity level =
        filo_create(world, FILO_SET(Position, 1, 2), FILO_BOUND(Screen, SCREEN_PLAYING, SCREEN_PAUSED));
    FiloEntity play = filo_entity_create(world);
    assert_true(filo_bind_state(world, play, Screen, SCREEN_PLAYING));
    FiloEntity rain = filo_create(world, FILO_BOUND(Weather, WEATHER_SUN));
    FiloEntity asleep = filo_create(world, FILO_BOUND(Screen, SCREEN_PAUSED));
    FiloEntity child = filo_create(world, FILO_ADD(Velocity));
    filo_entity_set_parent(world, child, level);
    filo_entity_set_active(world, level, false);
    change_screen(&fixture, SCREEN_PAUSED);
    assert_false(filo_entity_exists(world, play));
    assert_int_equal(count_entities(&fixture), 5);
    change_screen(&fixture, SCREEN_PLAYING);
    assert_false(filo_entity_exists(world, asleep)); // although it was bound before its state was entered
    assert_true(filo_entity_exists(world, child));
    change_screen(&fixture, SCREEN_OVER);
    assert_false(filo_entity_exists(world, level)); // also if inactive
    assert_false(filo_entity_exists(world, child));
    assert_true(filo_entity_exists(world, stays) && filo_entity_exists(world, rain));
    assert_int_equal(count_entities(&fixture), 2);
    filo_set_state(world, Weather, WEATHER_RAIN);
    tick(&fixture);
    assert_false(filo_entity_exists(world, rain));
    fixture_close(&fixture);
}

FILO_TEST(a_restart_destroys_entities_bound_before_it) {
    Fixture fixture = states_open(0);
    FiloWorld *world = fixture.world;
    tick(&fixture);
    change_screen(&fixture, SCREEN_PAUSED);
    FiloEntity level = filo_create(world, FILO_BOUND(Screen, SCREEN_PLAYING, SCREEN_PAUSED));
    FiloEntity next = filo_create(world, FILO_BOUND(Screen, SCREEN_PLAYING));
    filo_restart_state(world, Screen, SCREEN_PLAYING);
    tick(&fixture);
    assert_false(filo_entity_exists(world, level));
    assert_true(filo_entity_exists(world, next));
    fixture_close(&fixture);
}

FILO_TEST(bound_prefabs_stay_and_their_instances_are_destroyed) {
    Fixture fixture = states_open(0);
    FiloWorld *world = fixture.world;
    FiloEntity prefab = filo_create(world, FILO_BOUND(Screen, SCREEN_PLAYING), FILO_SET(Position, 1, 2));
    FiloEntity part = filo_create(world, FILO_BOUND(Screen, SCREEN_PLAYING));
    filo_entity_set_parent(world, part, prefab);
    filo_prefab_make(world, prefab);
    tick(&fixture);
    change_screen(&fixture, SCREEN_PLAYING);
    FiloEntity instance = filo_instance(world, prefab);
    filo_entity_set_active(world, instance, false);
    assert_int_equal(count_entities(&fixture), 4);
    change_screen(&fixture, SCREEN_TITLE);
    assert_int_equal(count_entities(&fixture), 2);
    assert_true(filo_entity_exists(world, prefab) && filo_entity_exists(world, part));
    fixture_close(&fixture);
}

FILO_TEST(leave_systems_still_see_bound_entities) {
    Fixture fixture = states_open(0);
    Log log = { 0 };
    const FiloSystemDesc systems[] = {
        { "bind", create_bound, .on_enter = { PLAYING } },
        { "bind more", create_bound, .on_leave = { PLAYING } }, // destroyed too
        { "leave", count_positions, .user = &log, .query.terms = { FILO_READ(Position) },
          .on_leave = { PLAYING } },
        { "enter", count_positions, .user = &log, .query.terms = { FILO_READ(Position) },
          .on_enter = { OVER } },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(systems); i++) filo_system_add(fixture.world, &systems[i]);
    filo_create(fixture.world, FILO_SET(Position, 0, 0));
    tick(&fixture);
    change_screen(&fixture, SCREEN_PLAYING);
    change_screen(&fixture, SCREEN_OVER);
    expect_log(&log, "1 4 1 "); // in two tables, then the remaining one
    fixture_close(&fixture);
}

// Several chunks of several tables.
FILO_TEST(any_number_of_bound_entities_is_destroyed) {
    Fixture fixture = states_open(4);
    FiloWorld *world = fixture.world;
    FiloStateBound playing = filo_state_bound(FILO_TYPE(Screen), (const int64_t[]){ SCREEN_PLAYING }, 1);
    FiloStateBound over = filo_state_bound(FILO_TYPE(Screen), (const int64_t[]){ SCREEN_OVER }, 1);
    const FiloComponentValue first[] = { { filo_type_FiloStateBound, { 0 }, &playing },
                                         FILO_SET(Position, 1, 2) };
    const FiloComponentValue second[] = { { filo_type_FiloStateBound, { 0 }, &over },
                                          FILO_SET(Position, 1, 2) };
    const FiloComponentValue third[] = { { filo_type_FiloStateBound, { 0 }, &playing },
                                         FILO_SET(Velocity, 1, 2) };
    filo_entity_create_block(world, &(FiloBlockDesc){ .count = 20000, .values = first, .value_count = 2 });
    filo_entity_create_block(world, &(FiloBlockDesc){ .count = 500, .values = second, .value_count = 2 });
    filo_entity_create_block(
        world, &(FiloBlockDesc){ .count = 9000, .values = first, .value_count = 2, .inactive = true });
    filo_entity_create_block(world, &(FiloBlockDesc){ .count = 300, .values = third, .value_count = 2 });
    tick(&fixture);
    change_screen(&fixture, SCREEN_PLAYING);
    assert_int_equal(count_entities(&fixture), 29800);
    change_screen(&fixture, SCREEN_OVER);
    assert_int_equal(count_entities(&fixture), 500);
    change_screen(&fixture, SCREEN_TITLE);
    assert_int_equal(count_entities(&fixture), 0);
    fixture_close(&fixture);
}

typedef enum Season { SEASON_SUMMER, SEASON_WINTER } Season; // not registered
FILO_REFLECT_ENUM(Season, FILO_VALUE(SEASON_SUMMER, "summer"), FILO_VALUE(SEASON_WINTER, "winter"))

FILO_TEST(entities_cannot_be_bound_to_states_that_are_not_registered) {
    static const char message[] =
        "cannot bind an entity to states Season, which are not registered in this world: "
        "filo_states(world, Season)";
    Fixture fixture = states_open(0);
    FiloWorld *world = fixture.world;
    FiloChanges *changes = filo_changes_create(world);
    FiloEntity entity = filo_entity_create(world);
    expect_fault(message, assert_int_equal(filo_create(world, FILO_BOUND(Season, SEASON_WINTER)).id, 0));
    expect_fault(message, assert_int_equal(filo_create(changes, FILO_BOUND(Season, SEASON_WINTER)).id, 0));
    expect_fault(message, assert_false(filo_bind_state(world, entity, Season, SEASON_WINTER)));
    expect_fault(message, assert_false(filo_bind_state(changes, entity, Season, SEASON_WINTER)));
    assert_int_equal(count_entities(&fixture), 1);
    filo_changes_destroy(changes);
    fixture_close(&fixture);
}
