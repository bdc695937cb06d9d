// Game states in snapshots, histories, files and differences; mistakes; running out of memory; many threads.

#include <filo/snapshot.h>

#include "ecs/schedule_access.h"
#include "ecs/states_fixture.h"
#include "ecs/system_log.h"
#include "support/failing_allocator.h"

STATES_FIXTURE_TYPES

// ---- A game ---------------------------------------------------------------------------------------------

// Cycles through all states, in steps of different lengths, and binds entities to some of them.
static void play(FiloIter *it) {
    static const unsigned lengths[] = { 3, 7, 2, 4 };
    Screen now = filo_state(it->world, Screen);
    if (filo_state_ticks(it->world, Screen) + 1 >= lengths[now])
        filo_set_state(it->changes, Screen, (Screen)((now + 1) % 4));
    FiloRandom random = filo_iter_random(it, 0);
    if (filo_random_chance(&random, 0.2f))
        filo_set_state(it->changes, Weather, filo_random_chance(&random, 0.5f) ? WEATHER_SUN : WEATHER_RAIN);
    if (filo_random_chance(&random, 0.05f)) filo_restart_state(it->changes, Screen, SCREEN_PLAYING);
}

static void spawn(FiloIter *it) {
    for (int i = 0; i < 40; i++) {
        FiloEntity entity = filo_changes_create_entity(it->changes);
        filo_set(it->changes, entity, Position, (float)i, 0);
        if (i % 3 == 0) filo_bind_state(it->changes, entity, Screen, SCREEN_PLAYING, SCREEN_PAUSED);
        if (i % 3 == 1) filo_bind_state(it->changes, entity, Weather, WEATHER_RAIN);
        if (i % 4 == 0) filo_changes_set_active(it->changes, entity, false);
    }
}

static void move(FiloIter *it) {
    FiloColumn position = filo_iter_column(it, 0);
    for (size_t i = 0; i < it->count; i++) {
        FiloRandom random = filo_iter_random(it, i);
        FILO_AT(position, i, Position)->y += filo_random_float(&random);
        if (filo_random_chance(&random, 0.02f))
            filo_changes_destroy_entity(it->changes, filo_iter_entity(it, i));
        if (filo_random_chance(&random, 0.002f)) filo_set_state(it->changes, Screen, SCREEN_OVER);
    }
}

static void add_points(FiloIter *it) {
    Score *score = filo_write_global(it, Score);
    score->points = (score->points * 3 + 1) % 1000003;
}

static void add_game(Fixture *fixture) {
    const FiloSystemDesc systems[] = {
        { .name = "play", .run = play },
        { "spawn", spawn, .on_enter = { PLAYING } },
        { "move", move, .query.terms = { FILO_WRITE(Position) }, .in_state = { PLAYING, OVER },
          .parallel = true },
        { "points", add_points, .query.terms = { FILO_WRITE(Score) }, .in_state = { RAIN } },
        { "bonus", add_points, .query.terms = { FILO_WRITE(Score) }, .on_leave = { PLAYING, PAUSED } },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(systems); i++)
        assert_int_not_equal(filo_system_add(fixture->world, &systems[i]).id, 0);
}

#define TICKS 120

static void run_game(Fixture *fixture, uint64_t *hashes, int first) {
    for (int i = first; i < TICKS; i++) {
        hashes[i] = filo_world_hash(fixture->world);
        tick(fixture);
    }
}

FILO_TEST(states_are_the_same_on_any_number_of_threads) {
    static const int threads[] = { 1, 2, 4, 8, 16 };
    uint64_t alone[TICKS], many[TICKS];
    Fixture fixture = states_open(0);
    add_game(&fixture);
    run_game(&fixture, alone, 0);
    assert_true(filo_get_global(fixture.world, Score)->points != 0);
    fixture_close(&fixture);
    for (size_t t = 0; t < FILO_COUNT_OF(threads); t++) {
        fixture = states_open(threads[t]);
        divide_eagerly(fixture.world, true);
        add_game(&fixture);
        run_game(&fixture, many, 0);
        assert_memory_equal(alone, many, sizeof alone);
        fixture_close(&fixture);
    }
}

// ---- Snapshots ------------------------------------------------------------------------------------------

FILO_TEST(a_restored_world_has_the_states_of_the_snapshot) {
    Fixture fixture = states_open(2);
    add_game(&fixture);
    uint64_t hashes[TICKS], again[TICKS];
    FiloSnapshot *snapshots[TICKS];
    for (int i = 0; i < TICKS; i++) {
        snapshots[i] = filo_snapshot_create(NULL);
        assert_ok(filo_snapshot_take(snapshots[i], fixture.world));
        hashes[i] = filo_world_hash(fixture.world);
        tick(&fixture);
    }
    for (int first = 0; first < TICKS; first += 7) {
        assert_ok(filo_snapshot_restore(snapshots[first], fixture.world));
        run_game(&fixture, again, first);
        assert_memory_equal(hashes + first, again + first, (size_t)(TICKS - first) * sizeof *again);
    }
    // In another world, with the same components.
    FiloWorld *like;
    assert_ok(filo_world_create_like(&like, fixture.world, NULL));
    Fixture other = { .world = like };
    add_game(&other);
    assert_ok(filo_snapshot_restore(snapshots[50], like));
    run_game(&other, again, 50);
    assert_memory_equal(hashes + 50, again + 50, (TICKS - 50) * sizeof *again);
    filo_world_destroy(like);
    for (int i = 0; i < TICKS; i++) filo_snapshot_destroy(snapshots[i]);
    fixture_close(&fixture);
}

FILO_TEST(a_pending_request_is_part_of_a_snapshot) {
    Fixture fixture = states_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "enter", .on_enter = { PLAYING });
    add_logging(&fixture, &log, "play", .in_state = { PLAYING });
    tick(&fixture);
    uint64_t quiet = filo_world_hash(fixture.world);
    filo_set_state(fixture.world, Screen, SCREEN_PLAYING);
    assert_false(filo_world_hash(fixture.world) == quiet);
    FiloSnapshot *snapshot = take_snapshot(fixture.world);
    tick(&fixture);
    expect_log(&log, "enter play ");
    change_screen(&fixture, SCREEN_TITLE);
    expect_log(&log, "");
    assert_ok(filo_snapshot_restore(snapshot, fixture.world));
    assert_int_equal(filo_next_state(fixture.world, Screen), SCREEN_PLAYING);
    tick(&fixture);
    expect_log(&log, "enter play ");
    filo_snapshot_destroy(snapshot);
    fixture_close(&fixture);
}

FILO_TEST(restoring_enters_and_leaves_nothing) {
    Fixture fixture = states_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "enter", .on_enter = { PLAYING });
    add_logging(&fixture, &log, "leave", .on_leave = { PLAYING });
    add_logging(&fixture, &log, "play", .in_state = { PLAYING });
    add_logging(&fixture, &log, "title", .in_state = { TITLE });
    tick(&fixture);
    change_screen(&fixture, SCREEN_PLAYING);
    expect_log(&log, "title enter play ");
    FiloSnapshot *snapshot = take_snapshot(fixture.world);
    change_screen(&fixture, SCREEN_TITLE);
    expect_log(&log, "leave title ");
    assert_ok(filo_snapshot_restore(snapshot, fixture.world));
    assert_int_equal(filo_state(fixture.world, Screen), SCREEN_PLAYING);
    tick(&fixture);
    expect_log(&log, "play ");
    filo_snapshot_destroy(snapshot);
    fixture_close(&fixture);
}

FILO_TEST(a_history_rewinds_states) {
    Fixture fixture = states_open(2);
    add_game(&fixture);
    FiloHistory *history;
    uint64_t hashes[TICKS], again[TICKS];
    assert_ok(filo_history_create(&history, NULL));
    for (int i = 0; i < TICKS; i++) {
        assert_ok(filo_history_push(history, fixture.world));
        hashes[i] = filo_world_hash(fixture.world);
        tick(&fixture);
    }
    assert_ok(filo_history_rewind(history, fixture.world, TICKS - 1 - 33));
    run_game(&fixture, again, 33);
    assert_memory_equal(hashes + 33, again + 33, (TICKS - 33) * sizeof *again);
    filo_history_destroy(history);
    fixture_close(&fixture);
}

FILO_TEST(a_difference_names_the_states) {
    Fixture a = states_open(0), b = states_open(0);
    char text[200];
    tick(&a);
    tick(&b);
    filo_set_state(a.world, Screen, SCREEN_PAUSED);
    assert_true(filo_world_difference(a.world, b.world, text, sizeof text));
    assert_string_equal(text, "Screen.next is paused, was title");
    tick(&a);
    tick(&b);
    assert_true(filo_world_difference(a.world, b.world, text, sizeof text));
    assert_string_equal(text, "Screen.current is paused, was title");
    fixture_close(&a);
    fixture_close(&b);
}

// A cancelled request is not part of the state.
FILO_TEST(cancelled_requests_do_not_change_the_hash) {
    Fixture a = states_open(0), b = states_open(0);
    tick(&a);
    tick(&b);
    filo_set_state(a.world, Screen, SCREEN_PAUSED);
    filo_set_state(a.world, Screen, SCREEN_TITLE);
    tick(&a);
    tick(&b);
    assert_true(filo_world_hash(a.world) == filo_world_hash(b.world));
    fixture_close(&a);
    fixture_close(&b);
}

// ---- Files ----------------------------------------------------------------------------------------------

FILO_TEST(states_are_saved_and_loaded) {
    Fixture fixture = states_open(2);
    add_game(&fixture);
    uint64_t hashes[TICKS], again[TICKS];
    FiloBytes bytes[TICKS];
    for (int i = 0; i < TICKS; i++) {
        filo_array_init(&bytes[i], NULL);
        if (i % 20 == 7) assert_ok(filo_world_save_bytes(fixture.world, &bytes[i], NULL));
        hashes[i] = filo_world_hash(fixture.world);
        tick(&fixture);
    }
    for (int first = 7; first < TICKS; first += 20) {
        assert_ok(
            filo_world_load_bytes(fixture.world, bytes[first].items, bytes[first].count, "bytes", NULL));
        run_game(&fixture, again, first);
        assert_memory_equal(hashes + first, again + first, (size_t)(TICKS - first) * sizeof *again);
    }
    for (int i = 0; i < TICKS; i++) filo_array_deinit(&bytes[i]);
    fixture_close(&fixture);
}

// The same enum in a later program: other numbers, another size, and one state less.
static const FiloEnumValue later_values[] = { { "over", 1 }, { "playing", 2 }, { "title", 3 } };
static const FiloType later = {
    .name = "Screen", .kind = FILO_KIND_ENUM, .size = 1, .align = 1, .values = later_values, .value_count = 3
};

FILO_TEST(a_file_is_converted_when_the_states_have_changed) {
    Fixture old = states_open(0);
    tick(&old);
    change_screen(&old, SCREEN_PLAYING);
    FiloEntity bound = filo_create(old.world, FILO_BOUND(Screen, SCREEN_PLAYING));
    filo_set_state(old.world, Screen, SCREEN_OVER);
    FiloBytes bytes, paused;
    filo_array_init(&bytes, NULL);
    filo_array_init(&paused, NULL);
    assert_ok(filo_world_save_bytes(old.world, &bytes, NULL));
    change_screen(&old, SCREEN_PAUSED);
    assert_ok(filo_world_save_bytes(old.world, &paused, NULL));

    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    FiloLoadDesc desc = { .report = log_report, .user = &log };
    assert_true(filo_states_register(fixture.world, &(FiloStatesDesc){ .type = &later, .initial = 3 }));
    assert_true(filo_states(fixture.world, Weather));
    assert_ok(filo_world_load_bytes(fixture.world, bytes.items, bytes.count, "bytes", &desc));
    expect_log(&log, "");
    assert_int_equal(filo_world_state_type(fixture.world, &later), 2);
    assert_int_equal(filo_world_next_state_type(fixture.world, &later), 1);
    assert_int_equal(filo_world_previous_state_type(fixture.world, &later), 3);
    assert_true(filo_entity_exists(fixture.world, bound));
    tick(&fixture);
    assert_int_equal(filo_world_state_type(fixture.world, &later), 1);
    assert_false(filo_entity_exists(fixture.world, bound));
    assert_ok(filo_world_load_bytes(fixture.world, paused.items, paused.count, "bytes", &desc));
    assert_contains(log.text, "Screen: field current: some values do not exist any more"); // "paused"
    assert_int_equal(filo_world_state_type(fixture.world, &later), 3);
    tick(&fixture);
    filo_array_deinit(&bytes);
    filo_array_deinit(&paused);
    fixture_close(&fixture);
    fixture_close(&old);
}

FILO_TEST(loading_a_file_without_states_sets_the_initial_ones) {
    Fixture old = fixture_open(0), fixture = states_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "enter", .on_enter = { TITLE });
    tick(&fixture);
    change_screen(&fixture, SCREEN_OVER);
    expect_log(&log, "enter ");
    FiloBytes bytes;
    filo_array_init(&bytes, NULL);
    tick(&old);
    assert_ok(filo_world_save_bytes(old.world, &bytes, NULL));
    assert_ok(filo_world_load_bytes(fixture.world, bytes.items, bytes.count, "bytes", NULL));
    assert_int_equal(filo_state(fixture.world, Screen), SCREEN_TITLE);
    tick(&fixture);
    expect_log(&log, "enter ");
    filo_array_deinit(&bytes);
    fixture_close(&old);
    fixture_close(&fixture);
}

// As after a damaged file.
FILO_TEST(a_value_that_is_no_state_of_the_set_is_harmless) {
    Fixture fixture = states_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "in", .in_state = { TITLE, PLAYING, PAUSED, OVER });
    add_logging(&fixture, &log, "leave", .on_leave = { TITLE, PLAYING, PAUSED, OVER });
    add_logging(&fixture, &log, "enter", .on_enter = { OVER });
    tick(&fixture);
    expect_log(&log, "in ");
    FiloComponent component = filo_component_named(fixture.world, "Screen");
    const FiloType *type = filo_component_info(fixture.world, component)->type;
    void *value = filo_global_edit(fixture.world, component);
    FiloValue since;
    assert_ok(filo_reflect_find(&since, type, value, "since"));
    assert_ok(filo_reflect_parse(since, "1000"));
    assert_int_equal(filo_state_ticks(fixture.world, Screen), 0);
    *(Screen *)value = (Screen)77; // the current state is the first field
    tick(&fixture);
    expect_log(&log, "");
    char text[500];
    assert_true(filo_world_print_schedule(fixture.world, text, sizeof text) > 0);
    change_screen(&fixture, SCREEN_OVER);
    expect_log(&log, "enter in ");
    fixture_close(&fixture);
}

// ---- Enums of all sizes -----------------------------------------------------------------------------------

FILO_TEST(an_enum_may_have_any_size_and_be_built_at_run_time) {
    static const FiloEnumValue values[] = { { "low", -2 }, { "high", 100 } };
    static const size_t sizes[] = { 1, 2, 4, 8 };
    for (size_t i = 0; i < FILO_COUNT_OF(sizes); i++) {
        Fixture fixture = fixture_open(0);
        Log log = { 0 };
        FiloType type = { .name = "Level",
                          .kind = FILO_KIND_ENUM,
                          .size = sizes[i],
                          .align = sizes[i],
                          .values = values,
                          .value_count = 2,
                          .is_signed = true };
        assert_true(filo_states_register(fixture.world, &(FiloStatesDesc){ .type = &type }));
        filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "up",
                                                          .run = log_name,
                                                          .user = &log,
                                                          .on_enter = { { .type = &type, .value = 100 } } });
        assert_int_equal(filo_world_state_type(fixture.world, &type), -2);
        assert_true(filo_world_set_state_type(fixture.world, &type, 100));
        tick(&fixture);
        tick(&fixture);
        expect_log(&log, "up ");
        assert_int_equal(filo_world_state_type(fixture.world, &type), 100);
        assert_int_equal(filo_world_previous_state_type(fixture.world, &type), -2);
        assert_int_equal(filo_world_state_ticks_type(fixture.world, &type), 2);
        fixture_close(&fixture);
    }
}

// ---- Mistakes -------------------------------------------------------------------------------------------

typedef enum Mood { MOOD_CALM } Mood;
FILO_REFLECT_ENUM(Mood, FILO_VALUE(MOOD_CALM, "calm"))

static const FiloEnumValue other_values[] = { { "title", 0 }, { "play", 1 } };
static const FiloType other_screen = {
    .name = "Screen", .kind = FILO_KIND_ENUM, .size = 4, .align = 4, .values = other_values, .value_count = 2
};

FILO_TEST(only_described_enums_are_states) {
    Fixture fixture = fixture_open(0);
    FiloWorld *world = fixture.world;
    static const char message[] =
        "states are a described enum: FILO_REFLECT_ENUM(Screen, …), then filo_states(world, Screen)";
    expect_fault(message, assert_false(filo_states_register(world, &(FiloStatesDesc){ 0 })));
    expect_fault(message, assert_false(filo_states(world, Position)));
    static const FiloType empty = { .name = "Empty", .kind = FILO_KIND_ENUM, .size = 4, .align = 4 };
    expect_fault(message, assert_false(filo_states_register(world, &(FiloStatesDesc){ .type = &empty })));
    expect_fault("states Screen cannot begin with 17, which is none of them",
                 assert_false(filo_states(world, Screen, .initial = 17)));
    expect_fault("pass a world and a description of the states",
                 assert_false(filo_states_register(world, NULL)));
    assert_true(filo_states(world, Screen));
    assert_true(filo_states(world, Screen)); // the same again
    expect_fault("component Screen is registered already, with another storage, layout or hooks",
                 assert_false(filo_states_register(world, &(FiloStatesDesc){ .type = &other_screen })));
    assert_int_equal(world->schedule->states.count, 1);
    fixture_close(&fixture);
}

// As from a module that was loaded again.
FILO_TEST(the_same_enum_at_another_address_is_the_same_set) {
    Fixture fixture = states_open(0);
    tick(&fixture);
    change_screen(&fixture, SCREEN_PLAYING);
    FiloType moved = *FILO_TYPE(Screen);
    assert_int_equal(filo_world_state_type(fixture.world, &moved), SCREEN_PLAYING); // found by name
    for (int i = 0; i < 3; i++) {
        assert_true(filo_states_register(fixture.world, &(FiloStatesDesc){ .type = &moved }));
        assert_int_equal(fixture.world->schedule->states.count, 2);
        assert_int_equal(filo_state(fixture.world, Screen), SCREEN_PLAYING);
    }
    change_screen(&fixture, SCREEN_OVER);
    assert_true(filo_states(fixture.world, Screen)); // `moved` is freed before the world
    fixture_close(&fixture);
}

static void request_wrongly(FiloIter *it) {
    expect_fault("inside a system, request a state of Screen by its change set: it->changes",
                 assert_false(filo_set_state(it->world, Screen, SCREEN_PLAYING)));
    expect_fault("states Screen have no value 9", assert_false(filo_set_state(it->changes, Screen, 9)));
    expect_fault("states Mood are not registered in this world: filo_states(world, Mood)",
                 assert_false(filo_restart_state(it->changes, Mood, MOOD_CALM)));
    expect_fault("cannot register states while systems run", assert_false(filo_states(it->world, Mood)));
    assert_int_equal(filo_changes_count(it->changes), 0);
}

FILO_TEST(invalid_requests_are_mistakes) {
    Fixture fixture = states_open(0);
    FiloWorld *world = fixture.world;
    static const char unknown[] = "states Mood are not registered in this world: filo_states(world, Mood)";
    expect_fault(unknown, assert_int_equal(filo_state(world, Mood), 0));
    expect_fault(unknown, assert_int_equal(filo_previous_state(world, Mood), 0));
    expect_fault(unknown, assert_int_equal(filo_next_state(world, Mood), 0));
    expect_fault(unknown, assert_int_equal(filo_state_ticks(world, Mood), 0));
    expect_fault(unknown, assert_false(filo_set_state(world, Mood, MOOD_CALM)));
    expect_fault("states Screen have no value -1", assert_false(filo_set_state(world, Screen, -1)));
    expect_fault("states Screen have no value 4", assert_false(filo_restart_state(world, Screen, 4)));
    expect_fault("pass a world and the type of its states", filo_world_state_type(world, NULL));
    expect_fault("pass a change set", assert_false(filo_set_state((FiloChanges *)NULL, Screen, SCREEN_OVER)));
    filo_system_add(world, &(FiloSystemDesc){ .name = "wrong", .run = request_wrongly });
    tick(&fixture);
    assert_int_equal(filo_next_state(world, Screen), SCREEN_TITLE);
    fixture_close(&fixture);
}

FILO_TEST(systems_that_name_unregistered_states_are_refused) {
    Fixture fixture = states_open(0);
    FiloWorld *world = fixture.world;
    FiloSystemDesc desc = { .name = "a", .run = do_nothing, .in_state = { FILO_STATE(Mood, MOOD_CALM) } };
    expect_fault("system \"a\": register the states Mood before, with filo_states",
                 assert_int_equal(filo_system_add(world, &desc).id, 0));
    desc.in_state[0] = (FiloStateTerm)FILO_STATE(Screen, 12);
    expect_fault("system \"a\": states Screen have no value 12",
                 assert_int_equal(filo_system_add(world, &desc).id, 0));
    desc = (FiloSystemDesc){ .name = "a", .run = do_nothing, .on_leave = { FILO_STATE(Screen, 12) } };
    expect_fault("system \"a\": states Screen have no value 12",
                 assert_int_equal(filo_system_add(world, &desc).id, 0));
    desc = (FiloSystemDesc){ .name = "a", .run = do_nothing, .on_enter = { PLAYING }, .every = 2 };
    expect_fault(
        "system \"a\": it runs when a state is entered or left, not in every n-th tick; choose .every or "
        ".on_enter and .on_leave",
        assert_int_equal(filo_system_add(world, &desc).id, 0));
    assert_int_equal(filo_world_stats(world).systems, 0);
    fixture_close(&fixture);
}

FILO_TEST(binding_to_unregistered_states_is_refused) {
    Fixture fixture = states_open(0);
    FiloEntity entity = filo_entity_create(fixture.world);
    static const int64_t none[] = { 9 }, many[FILO_BOUND_STATES + 1] = { 0 };
    expect_fault("states Screen have no value 9",
                 assert_int_equal(filo_state_bound(FILO_TYPE(Screen), none, 1).states.id, 0));
    expect_fault("an entity is bound to 16 states at most, not to 17",
                 assert_int_equal(filo_state_bound(FILO_TYPE(Screen), many, 17).states.id, 0));
    expect_fault("bind an entity to the states of a described enum",
                 assert_int_equal(filo_state_bound(FILO_TYPE(Position), many, 1).states.id, 0));
    expect_fault("bind an entity to the states of a described enum",
                 assert_int_equal(filo_state_bound(FILO_TYPE(Screen), many, 0).states.id, 0));
    assert_true(filo_entity_bind_state(fixture.world, entity, (FiloStateBound){ 0 }));
    tick(&fixture);
    change_screen(&fixture, SCREEN_PLAYING);
    change_screen(&fixture, SCREEN_TITLE);
    assert_true(filo_entity_exists(fixture.world, entity)); // not bound
    Fixture without = fixture_open(0);
    entity = filo_entity_create(without.world);
    expect_fault("register states before an entity is bound to one: filo_states(world, Screen)",
                 assert_false(filo_bind_state(without.world, entity, Screen, SCREEN_TITLE)));
    FiloChanges *changes = filo_changes_create(without.world);
    expect_fault("register states before an entity is bound to one: filo_states(world, Screen)",
                 assert_false(filo_bind_state(changes, entity, Screen, SCREEN_TITLE)));
    filo_changes_destroy(changes);
    fixture_close(&without);
    fixture_close(&fixture);
}

// ---- Without memory -------------------------------------------------------------------------------------

FILO_TEST(without_memory_states_are_not_registered) {
    int refused = 0;
    for (size_t allowed = 0;; allowed++) {
        assert_true(allowed < 100);
        FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
        FiloWorld *world = create_world_in(&failing.allocator), *like;
        failing_allow(&failing, allowed);
        bool ok = filo_states(world, Screen) && filo_states(world, Weather);
        failing_end(&failing);
        assert_true(filo_states(world, Screen) && filo_states(world, Weather));
        assert_int_equal(world->schedule->states.count, 2);
        assert_true(filo_set_state(world, Screen, SCREEN_OVER));
        assert_ok(filo_world_tick(world, 1));
        assert_int_equal(filo_state(world, Screen), SCREEN_OVER);
        failing_allow(&failing, allowed);
        FiloResult r =
            filo_world_create_like(&like, world, &(FiloWorldDesc){ .allocator = &failing.allocator });
        if (r.code != FILO_OK) assert_int_equal(r.code, FILO_ERROR_MEMORY);
        failing_end(&failing);
        filo_world_destroy(like);
        filo_world_destroy(world);
        assert_int_equal(failing.blocks, 0);
        if (ok && r.code == FILO_OK) break;
        refused++;
    }
    assert_true(refused > 5);
}

FILO_TEST(without_memory_bound_entities_stay_and_the_state_changes) {
    FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
    FiloWorld *world = create_world_in(&failing.allocator);
    assert_true(filo_states(world, Screen));
    FiloChanges *changes = filo_changes_create(world);
    assert_ok(filo_world_tick(world, 1));
    FiloEntity entity = filo_create(world, FILO_BOUND(Screen, SCREEN_TITLE));
    filo_set_state(world, Screen, SCREEN_OVER);
    failing_allow(&failing, 0);
    assert_false(filo_set_state(changes, Screen, SCREEN_PAUSED));
    assert_ok(filo_world_tick(world, 1));
    failing_end(&failing);
    assert_int_equal(filo_state(world, Screen), SCREEN_OVER);
    assert_true(filo_entity_exists(world, entity));
    assert_true(filo_changes_apply(changes));
    assert_int_equal(filo_next_state(world, Screen), SCREEN_OVER);
    destroy_with_changes(world, changes);
    assert_int_equal(failing.blocks, 0);
}
