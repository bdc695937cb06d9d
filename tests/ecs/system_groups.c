// Groups of systems: switching between and inside ticks, snapshots, hashes and files; and mistakes.

#include <filo/snapshot.h>

#include "ecs/schedule_access.h"
#include "ecs/snapshot/snapshot.h"
#include "ecs/system_log.h"
#include "support/failing_allocator.h"

// ---- Switching ------------------------------------------------------------------------------------------

FILO_TEST(a_system_runs_while_it_and_all_its_groups_are_enabled) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "none");
    FiloSystemId one = add_logging(&fixture, &log, "one", .groups = { "a" });
    add_logging(&fixture, &log, "two", .groups = { "a", "b" });
    tick(&fixture);
    expect_log(&log, "none one two ");
    assert_true(filo_world_set_group_enabled(fixture.world, "b", false));
    tick(&fixture);
    expect_log(&log, "none one ");
    assert_true(filo_world_set_group_enabled(fixture.world, "a", false));
    assert_true(filo_world_set_group_enabled(fixture.world, "b", true));
    tick(&fixture);
    expect_log(&log, "none ");
    assert_true(filo_world_set_group_enabled(fixture.world, "a", true));
    filo_system_set_enabled(fixture.world, one, false);
    tick(&fixture);
    expect_log(&log, "none two ");
    assert_false(filo_system_enabled(fixture.world, one)); // only the system itself is disabled
    filo_system_set_enabled(fixture.world, one, true);
    filo_world_set_group_enabled(fixture.world, "a", false);
    assert_true(filo_system_enabled(fixture.world, one));
    tick(&fixture);
    expect_log(&log, "none ");
    fixture_close(&fixture);
}

FILO_TEST(a_system_added_to_a_disabled_group_does_not_run) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    FiloSystemId early = add_logging(&fixture, &log, "early", .groups = { "a" });
    filo_world_set_group_enabled(fixture.world, "a", false);
    filo_system_remove(fixture.world, early);
    add_logging(&fixture, &log, "late", .groups = { "a" });
    tick(&fixture);
    expect_log(&log, "");
    filo_world_set_group_enabled(fixture.world, "a", true);
    tick(&fixture);
    expect_log(&log, "late ");
    fixture_close(&fixture);
}

FILO_TEST(a_group_reports_whether_it_is_enabled) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    assert_null(filo_world_group_at(fixture.world, 0));
    add_logging(&fixture, &log, "one", .groups = { "b", "a" });
    add_logging(&fixture, &log, "two", .groups = { "a", "c" });
    assert_string_equal(filo_world_group_at(fixture.world, 0), "b");
    assert_string_equal(filo_world_group_at(fixture.world, 1), "a");
    assert_string_equal(filo_world_group_at(fixture.world, 2), "c");
    assert_null(filo_world_group_at(fixture.world, 3));
    assert_true(filo_world_group_enabled(fixture.world, "a"));
    filo_set_group_enabled(fixture.world, "a", false);
    assert_false(filo_world_group_enabled(fixture.world, "a"));
    assert_true(filo_world_group_enabled(fixture.world, "b"));
    fixture_close(&fixture);
}

// A disabled system is in no active stage; the order of the others is unchanged.
FILO_TEST(systems_of_a_disabled_group_cost_no_stage) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "write", .query.terms = { FILO_WRITE(Score) });
    add_logging(&fixture, &log, "between", .groups = { "a" }, .query.terms = { FILO_WRITE(Score) });
    add_logging(&fixture, &log, "read", .query.terms = { FILO_READ(Score) });
    tick(&fixture);
    expect_log(&log, "write between read ");
    filo_world_set_group_enabled(fixture.world, "a", false);
    uint64_t version = fixture.world->version;
    tick(&fixture);
    expect_log(&log, "write read ");
    const EcsSchedule *schedule = fixture.world->schedule;
    assert_int_equal(schedule->stages.count, 3);
    assert_int_equal(schedule->active.count, 2);
    assert_int_equal(schedule->stages.items[1].active_first, schedule->stages.items[1].active_end);
    assert_int_equal(fixture.world->version - version, 3); // two stages and a refresh, no third stage
    assert_int_equal(filo_system_stats(fixture.world, filo_system_named(fixture.world, "read")).stage, 2);
    fixture_close(&fixture);
}

FILO_TEST(an_enabled_system_sees_changes_since_it_last_ran) {
    Fixture fixture = fixture_open(0);
    size_t rows = 0;
    create_movers(&fixture, 3);
    FiloQuery *query = filo_query(fixture.world, FILO_READ(Position));
    FiloEntity entity = filo_query_first(query);
    filo_query_release(query);
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "changed",
                                                      .run = count_rows,
                                                      .user = &rows,
                                                      .groups = { "a" },
                                                      .query.terms = { FILO_READ_CHANGED(Position) } });
    tick(&fixture);
    tick(&fixture);
    assert_int_equal(rows, 3); // everything was new in the first tick
    filo_world_set_group_enabled(fixture.world, "a", false);
    filo_edit(fixture.world, entity, Position)->x = 9;
    tick(&fixture);
    tick(&fixture);
    assert_int_equal(rows, 3);
    filo_world_set_group_enabled(fixture.world, "a", true);
    tick(&fixture);
    assert_int_equal(rows, 6); // the chunk that was changed while it was disabled
    tick(&fixture);
    assert_int_equal(rows, 6);
    fixture_close(&fixture);
}

FILO_TEST(a_disabled_group_does_not_require_the_main_thread) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "draw", .groups = { "a" }, .main_thread = true);
    assert_true(filo_world_needs_main_thread(fixture.world));
    filo_world_set_group_enabled(fixture.world, "a", false);
    assert_false(filo_world_needs_main_thread(fixture.world));
    fixture_close(&fixture);
}

FILO_TEST(resetting_a_world_enables_its_groups) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "a", .groups = { "a" });
    uint64_t hash = filo_world_hash(fixture.world);
    filo_world_set_group_enabled(fixture.world, "a", false);
    assert_ok(filo_world_reset(fixture.world, filo_world_seed(fixture.world)));
    assert_true(filo_world_group_enabled(fixture.world, "a"));
    assert_true(filo_world_hash(fixture.world) == hash);
    tick(&fixture);
    expect_log(&log, "a ");
    fixture_close(&fixture);
}

// ---- Inside of ticks ------------------------------------------------------------------------------------

static void switch_off(FiloIter *it) {
    log_add(it->user, "switch ");
    assert_true(filo_set_group_enabled(it->changes, "a", false));
    assert_true(filo_world_group_enabled(it->world, "a")); // not applied yet
}

static void log_group(FiloIter *it) {
    log_add(it->user, filo_world_group_enabled(it->world, "a") ? "on " : "off ");
}

FILO_TEST(a_switch_by_a_system_applies_from_the_next_tick) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    filo_system_add(fixture.world,
                    &(FiloSystemDesc){ .name = "switch", .run = switch_off, .user = &log, .every = 2 });
    filo_system_add(fixture.world,
                    &(FiloSystemDesc){ .name = "log", .run = log_group, .user = &log, .phase = 1 });
    add_logging(&fixture, &log, "member", .groups = { "a" }, .phase = 2);
    tick(&fixture);
    expect_log(&log, "switch off member "); // applied after this tick
    tick(&fixture);
    expect_log(&log, "off ");
    fixture_close(&fixture);
}

static void switch_to(FiloIter *it) { filo_changes_set_group_enabled(it->changes, "a", it->user != NULL); }

// Both record in the same stage: the later system decides.
FILO_TEST(the_last_of_several_switches_wins) {
    for (int later_is_on = 0; later_is_on < 2; later_is_on++) {
        Fixture fixture = fixture_open(4);
        divide_eagerly(fixture.world, true);
        Log log = { 0 };
        int on;
        add_logging(&fixture, &log, "member", .groups = { "a" });
        filo_system_add(fixture.world,
                        &(FiloSystemDesc){ .name = "x", .run = switch_to, .user = later_is_on ? NULL : &on });
        filo_system_add(fixture.world,
                        &(FiloSystemDesc){ .name = "y", .run = switch_to, .user = later_is_on ? &on : NULL });
        for (int i = 0; i < 20; i++) {
            tick(&fixture);
            assert_true(filo_world_group_enabled(fixture.world, "a") == later_is_on);
        }
        fixture_close(&fixture);
    }
}

FILO_TEST(a_user_change_set_switches_when_it_is_applied) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "member", .groups = { "a", "b" });
    FiloChanges *changes = filo_changes_create(fixture.world);
    assert_true(filo_set_group_enabled(changes, "a", false));
    assert_true(filo_set_group_enabled(changes, "b", false));
    assert_true(filo_set_group_enabled(changes, "b", true));
    assert_int_equal(filo_changes_count(changes), 3);
    FiloEntity made = filo_changes_create_entity(changes);
    assert_true(filo_changes_exists(changes, made)); // reading back skips switches
    assert_true(filo_world_group_enabled(fixture.world, "a"));
    assert_true(filo_changes_apply(changes));
    assert_false(filo_world_group_enabled(fixture.world, "a"));
    assert_true(filo_world_group_enabled(fixture.world, "b"));
    filo_changes_destroy(changes);
    fixture_close(&fixture);
}

static void on_hit(FiloIter *it, const FiloEvent *event) {
    (void)event;
    filo_changes_set_group_enabled(it->changes, "a", false);
}

static void record_hit(FiloIter *it) { filo_event_record(it->events, filo_name("hit"), NULL, NULL); }

FILO_TEST(a_handler_switches_like_a_system) {
    Fixture fixture = fixture_open(1);
    Log log = { 0 };
    add_logging(&fixture, &log, "member", .groups = { "a" });
    filo_world_handle(fixture.world, &(FiloWorldHandlerDesc){ .event = filo_name("hit"), .run = on_hit });
    FiloSystemId hit = filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "hit", .run = record_hit });
    tick(&fixture);
    expect_log(&log, "member ");
    assert_false(filo_world_group_enabled(fixture.world, "a"));
    filo_system_remove(fixture.world, hit);
    tick(&fixture);
    expect_log(&log, "");
    filo_set_group_enabled(fixture.world, "a", true);
    filo_events_emit(fixture.events, filo_name("hit"), NULL, NULL); // delivered before the systems run
    tick(&fixture);
    expect_log(&log, "");
    fixture_close(&fixture);
}

// ---- Mistakes -------------------------------------------------------------------------------------------

static void switch_the_world(FiloIter *it) {
    expect_fault("group \"minds\": inside a system, use filo_changes_set_group_enabled(it->changes, …)",
                 assert_false(filo_world_set_group_enabled(it->world, "minds", false)));
    expect_fault("no system has the group \"mids\": did you mean \"minds\"?",
                 assert_false(filo_changes_set_group_enabled(it->changes, "mids", false)));
    assert_int_equal(filo_changes_count(it->changes), 0);
}

FILO_TEST(a_group_that_no_system_names_is_a_mistake) {
    Fixture fixture = fixture_open(0);
    FiloWorld *world = fixture.world;
    expect_fault("no system has the group \"minds\": add one with .groups = { \"minds\" } before",
                 assert_false(filo_world_set_group_enabled(world, "minds", false)));
    filo_system_add(
        world, &(FiloSystemDesc){ .name = "a", .run = switch_the_world, .groups = { "minds", "bodies" } });
    expect_fault("no system has the group \"mnids\": did you mean \"minds\"?",
                 assert_false(filo_world_set_group_enabled(world, "mnids", false)));
    expect_fault("no system has the group \"boodies\": did you mean \"bodies\"?",
                 assert_true(filo_world_group_enabled(world, "boodies")));
    expect_fault("no system has the group \"physics\": add one with .groups = { \"physics\" } before",
                 assert_false(filo_world_set_group_enabled(world, "physics", false)));
    expect_fault("pass the name of a group", assert_false(filo_world_set_group_enabled(world, NULL, false)));
    expect_fault("pass the name of a group", assert_false(filo_world_set_group_enabled(world, "", false)));
    expect_fault("pass a change set", assert_false(filo_changes_set_group_enabled(NULL, "minds", false)));
    assert_true(filo_world_group_enabled(world, "minds"));
    tick(&fixture);
    fixture_close(&fixture);
}

FILO_TEST(a_group_without_a_name_is_a_mistake) {
    Fixture fixture = fixture_open(0);
    expect_fault("system \"a\": a group needs a name",
                 assert_int_equal(filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "a",
                                                                                    .run = do_nothing,
                                                                                    .groups = { "x", "" } })
                                      .id,
                                  0));
    tick(&fixture);
    fixture_close(&fixture);
}

// ---- Snapshots and files --------------------------------------------------------------------------------

FILO_TEST(disabled_groups_are_part_of_the_hash) {
    Fixture a = fixture_open(0), b = fixture_open(0);
    Log log = { 0 };
    char text[200];
    assert_true(filo_world_hash(a.world) == filo_world_hash(b.world));
    add_logging(&a, &log, "a", .groups = { "minds", "bodies" });
    assert_true(filo_world_hash(a.world) == filo_world_hash(b.world)); // enabled groups are not hashed
    add_logging(&b, &log, "a", .groups = { "bodies", "minds" });
    filo_world_set_group_enabled(a.world, "minds", false);
    assert_false(filo_world_hash(a.world) == filo_world_hash(b.world));
    assert_true(filo_world_difference(a.world, b.world, text, sizeof text));
    assert_string_equal(text, "the group \"minds\" is off, was on");
    assert_true(filo_world_difference(b.world, a.world, text, sizeof text));
    assert_string_equal(text, "the group \"minds\" is on, was off");
    filo_world_set_group_enabled(b.world, "bodies", false);
    assert_false(filo_world_hash(a.world) == filo_world_hash(b.world));
    filo_world_set_group_enabled(a.world, "bodies", false);
    filo_world_set_group_enabled(b.world, "minds", false);
    assert_true(filo_world_hash(a.world) == filo_world_hash(b.world)); // the order is not hashed
    assert_false(filo_world_difference(a.world, b.world, text, sizeof text));
    fixture_close(&a);
    fixture_close(&b);
}

static void toggle(FiloIter *it) {
    filo_set_group_enabled(it->changes, "a", !filo_world_group_enabled(it->world, "a"));
}

static void add_toggling(Fixture *fixture, Log *log) {
    filo_system_add(fixture->world, &(FiloSystemDesc){ .name = "toggle", .run = toggle, .every = 3 });
    add_logging(fixture, log, "m", .groups = { "a" });
    add_logging(fixture, log, ".");
}

FILO_TEST(a_snapshot_restores_groups) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    add_toggling(&fixture, &log);
    for (int i = 0; i < 5; i++) tick(&fixture);
    expect_log(&log, "m . . . . m . "); // disabled in tick 0 and enabled in tick 3
    FiloSnapshot *on = filo_snapshot_create(NULL), *off = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(on, fixture.world));
    uint64_t hash = filo_world_hash(fixture.world);
    for (int i = 0; i < 4; i++) tick(&fixture);
    Log first = log;
    assert_ok(filo_snapshot_take(off, fixture.world));
    assert_ok(filo_snapshot_restore(on, fixture.world));
    assert_true(filo_world_hash(fixture.world) == hash);
    log = (Log){ 0 };
    for (int i = 0; i < 4; i++) tick(&fixture);
    expect_log(&log, first.text);
    char text[200];
    assert_ok(filo_snapshot_difference(on, off, fixture.world, text, sizeof text));
    assert_contains(text, "tick is 5, was 9");
    filo_snapshot_destroy(on);
    filo_snapshot_destroy(off);
    fixture_close(&fixture);
}

FILO_TEST(a_history_rewinds_groups) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    add_toggling(&fixture, &log);
    FiloHistory *history;
    assert_ok(filo_history_create(&history, NULL));
    uint64_t hashes[12];
    for (int i = 0; i < 12; i++) {
        assert_ok(filo_history_push(history, fixture.world));
        hashes[i] = filo_world_hash(fixture.world);
        tick(&fixture);
    }
    assert_ok(filo_history_rewind(history, fixture.world, 10));
    for (int i = 1; i < 12; i++) {
        assert_true(filo_world_hash(fixture.world) == hashes[i]);
        tick(&fixture);
    }
    filo_history_destroy(history);
    fixture_close(&fixture);
}

FILO_TEST(groups_are_saved_and_loaded_before_their_systems_are_added) {
    Fixture a = fixture_open(0), b = fixture_open(0);
    Log log = { 0 };
    FiloBytes bytes;
    filo_array_init(&bytes, NULL);
    add_logging(&a, &log, "one", .groups = { "x" });
    add_logging(&a, &log, "two", .groups = { "y" });
    add_logging(&a, &log, "three", .groups = { "z" });
    filo_world_set_group_enabled(a.world, "x", false);
    filo_world_set_group_enabled(a.world, "z", false);
    assert_ok(filo_world_save_bytes(a.world, &bytes, NULL));
    add_logging(&b, &log, "two", .groups = { "y" });
    filo_world_set_group_enabled(b.world, "y", false);
    assert_ok(filo_world_load_bytes(b.world, bytes.items, bytes.count, "bytes", NULL));
    assert_true(filo_world_hash(a.world) == filo_world_hash(b.world));
    assert_true(filo_world_group_enabled(b.world, "y"));
    expect_fault("no system has the group \"z\"", filo_world_set_group_enabled(b.world, "z", true));
    assert_null(filo_world_group_at(b.world, 1));
    add_logging(&b, &log, "one", .groups = { "x" });
    add_logging(&b, &log, "three", .groups = { "z" });
    assert_string_equal(filo_world_group_at(b.world, 1), "x");
    tick(&b);
    expect_log(&log, "two ");
    bytes.count = 0; // a file of a world without groups enables all
    Fixture c = fixture_open(0);
    assert_ok(filo_world_save_bytes(c.world, &bytes, NULL));
    assert_ok(filo_world_load_bytes(b.world, bytes.items, bytes.count, "bytes", NULL));
    tick(&b);
    expect_log(&log, "two one three ");
    filo_array_deinit(&bytes);
    fixture_close(&a);
    fixture_close(&b);
    fixture_close(&c);
}

FILO_TEST(hostile_group_data_is_refused) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "one", .groups = { "x" });
    filo_world_set_group_enabled(fixture.world, "x", false);
    const FiloProvider *provider = &fixture.world->providers->items.items[0].provider;
    assert_error(provider->restore(fixture.world, "y", 1, provider->user), FILO_ERROR_DATA,
                 "the name of a group has no end");
    assert_false(filo_world_group_enabled(fixture.world, "x"));
    assert_ok(
        provider->restore(fixture.world, "\0\0\0y\0\0y", 8, provider->user)); // empty names, and one twice
    assert_true(filo_world_group_enabled(fixture.world, "x"));
    assert_int_equal(fixture.world->schedule->groups.count, 2);
    fixture_close(&fixture);
}

// ---- Without memory -------------------------------------------------------------------------------------

FILO_TEST(without_memory_a_system_with_groups_is_not_added) {
    size_t refused = 0;
    for (size_t allowed = 0;; allowed++) {
        assert_true(allowed < 100);
        FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
        FiloWorld *world = create_world_in(&failing.allocator);
        failing_allow(&failing, allowed);
        FiloSystemDesc desc = { .name = "a", .run = do_nothing, .groups = { "x", "y", "z" } };
        bool added = filo_system_add(world, &desc).id != 0;
        failing_end(&failing);
        if (!added) assert_int_not_equal(filo_system_add(world, &desc).id, 0);
        assert_true(filo_world_set_group_enabled(world, "z", false));
        assert_ok(filo_world_tick(world, 1));
        assert_int_equal(filo_system_stats(world, filo_system_named(world, "a")).runs, 0);
        filo_world_destroy(world);
        assert_int_equal(failing.blocks, 0);
        if (added) break;
        refused++;
    }
    assert_true(refused > 3);
}

FILO_TEST(without_memory_a_switch_is_not_recorded) {
    FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
    FiloWorld *world = create_world_in(&failing.allocator);
    filo_system_add(world, &(FiloSystemDesc){ .name = "a", .run = do_nothing, .groups = { "x" } });
    FiloChanges *changes = filo_changes_create(world);
    failing_allow(&failing, 0);
    assert_false(filo_changes_set_group_enabled(changes, "x", false));
    failing_end(&failing);
    assert_true(filo_changes_apply(changes));
    assert_true(filo_world_group_enabled(world, "x"));
    destroy_with_changes(world, changes);
    assert_int_equal(failing.blocks, 0);
}

// ---- On many threads ------------------------------------------------------------------------------------

// Each row switches one of the groups, at random.
static void shuffle_groups(FiloIter *it) {
    static const char *const names[] = { "a", "b", "c", "d" };
    for (size_t i = 0; i < it->count; i++) {
        FiloRandom random = filo_iter_random(it, i);
        if (!filo_random_chance(&random, 0.05f)) continue;
        const char *name = names[filo_random_below(&random, 4)];
        filo_changes_set_group_enabled(it->changes, name, filo_random_chance(&random, 0.5f));
    }
}

static void push(FiloIter *it) {
    FiloColumn position = filo_iter_column(it, 0);
    for (size_t i = 0; i < it->count; i++) {
        Position *p = FILO_AT(position, i, Position);
        p->x = p->x * 0.5f + *(const float *)it->user;
    }
}

static uint64_t run_shuffled(int threads) {
    static float pushes[] = { 1, 2, 3, 4 };
    Fixture fixture = fixture_open(threads);
    if (fixture.jobs != NULL) divide_eagerly(fixture.world, true);
    create_movers(&fixture, 500);
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "shuffle",
                                                      .run = shuffle_groups,
                                                      .parallel = true,
                                                      .query.terms = { FILO_READ(Velocity) } });
    const FiloSystemDesc systems[] = {
        { "a", push, .user = &pushes[0], .groups = { "a" }, .query.terms = { FILO_WRITE(Position) },
          .parallel = true },
        { "b", push, .user = &pushes[1], .groups = { "b" }, .query.terms = { FILO_WRITE(Position) },
          .parallel = true },
        { "c", push, .user = &pushes[2], .groups = { "c", "a" }, .query.terms = { FILO_WRITE(Position) } },
        { "d", push, .user = &pushes[3], .groups = { "d" }, .query.terms = { FILO_WRITE(Position) },
          .parallel = true },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(systems); i++) filo_system_add(fixture.world, &systems[i]);
    uint64_t hash = 0;
    for (int i = 0; i < 60; i++) {
        tick(&fixture);
        hash = hash * 31 + filo_world_hash(fixture.world);
    }
    fixture_close(&fixture);
    return hash;
}

FILO_TEST(switching_is_the_same_on_any_number_of_threads) {
    static const int threads[] = { 1, 2, 4, 8, 16 };
    uint64_t alone = run_shuffled(0);
    for (size_t t = 0; t < FILO_COUNT_OF(threads); t++) assert_true(run_shuffled(threads[t]) == alone);
}
