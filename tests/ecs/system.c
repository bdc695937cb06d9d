// Systems: their iterators, when they run, statistics and conditions.

#include <filo/hash.h>
#include <filo/profile.h>
#include <filo/snapshot.h>

#include "ecs/schedule_access.h"
#include "ecs/system_log.h"
#include "support/warnings.h"

#include <math.h>

// ---- Running -----------------------------------------------------------------------------------------

FILO_TEST(a_system_iterates_over_the_rows_of_its_query) {
    Fixture fixture = fixture_open(0);
    create_movers(&fixture, 100);
    FiloEntity still = filo_create(fixture.world, FILO_SET(Position, 5, 5));
    FiloSystemId id = filo_system_add(
        fixture.world, &(FiloSystemDesc){ .name = "move",
                                          .run = move_by_velocity,
                                          .query.terms = { FILO_WRITE(Position), FILO_READ(Velocity) } });
    tick(&fixture);
    tick(&fixture);
    FiloQuery *query = filo_query(fixture.world, FILO_READ(Position), FILO_WITH(Velocity));
    for (size_t i = 0; i < 100; i++) {
        const Position *position = filo_get(fixture.world, filo_query_at(query, i), Position);
        assert_float_equal(position->x, (float)i + 1, 0);
        assert_float_equal(position->y, 2, 0);
    }
    assert_float_equal(filo_get(fixture.world, still, Position)->x, 5, 0);
    filo_query_release(query);
    FiloSystemStats stats = filo_system_stats(fixture.world, id);
    assert_int_equal(stats.runs, 2);
    assert_int_equal(stats.rows, 100);
    fixture_close(&fixture);
}

typedef struct Seen {
    int calls;
    FiloIter it;
} Seen;

static void see(FiloIter *it) {
    Seen *seen = it->user;
    seen->calls++;
    seen->it = *it;
    assert_int_equal(ecs_system_number(ecs_iter(it)->system), (uint32_t)filo_hash_text("see"));
}

FILO_TEST(the_iterator_of_a_system_has_its_fields_set) {
    for (int threads = 0; threads < 2; threads++) {
        Fixture fixture = fixture_open(threads);
        Seen seen = { 0 };
        create_movers(&fixture, 3);
        filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "see",
                                                          .run = see,
                                                          .user = &seen,
                                                          .query.terms = { FILO_READ(Position) } });
        for (uint64_t i = 0; i < 3; i++) {
            assert_int_equal(filo_world_ticks(fixture.world), i);
            assert_ok(filo_world_tick(fixture.world, 0.25f * (float)i));
            assert_int_equal(seen.calls, i + 1);
            assert_int_equal(seen.it.tick, i);
            assert_float_equal(seen.it.delta, 0.25f * (float)i, 0);
            assert_int_equal(seen.it.count, 3);
            assert_ptr_equal(seen.it.world, fixture.world);
            assert_ptr_equal(seen.it.user, &seen);
            assert_non_null(seen.it.changes);
            assert_true((seen.it.events != NULL) == (threads > 0));
        }
        fixture_close(&fixture);
    }
}

FILO_TEST(a_system_without_rows_is_not_called) {
    Fixture fixture = fixture_open(0);
    Seen seen = { 0 };
    FiloSystemId id = filo_system_add(
        fixture.world,
        &(FiloSystemDesc){
            .name = "see", .run = see, .user = &seen, .query.terms = { FILO_READ(Position) } });
    tick(&fixture);
    assert_int_equal(seen.calls, 0);
    assert_int_equal(filo_system_stats(fixture.world, id).runs, 1);
    fixture_close(&fixture);
}

FILO_TEST(a_system_without_terms_is_called_once_a_tick) {
    Fixture fixture = fixture_open(0);
    Seen seen = { 0 };
    create_movers(&fixture, 10);
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "see", .run = see, .user = &seen });
    tick(&fixture);
    assert_int_equal(seen.calls, 1);
    assert_int_equal(seen.it.count, 0);
    fixture_close(&fixture);
}

static void add_score(FiloIter *it) {
    filo_write_global(it, Score)->points += 5;
    assert_int_equal(it->count, 0);
}

FILO_TEST(a_system_with_only_global_components_is_called_once_a_tick_with_them) {
    Fixture fixture = fixture_open(0);
    create_movers(&fixture, 10);
    filo_system_add(
        fixture.world,
        &(FiloSystemDesc){ .name = "score", .run = add_score, .query.terms = { FILO_WRITE(Score) } });
    tick(&fixture);
    tick(&fixture);
    assert_int_equal(filo_get_global(fixture.world, Score)->points, 10);
    fixture_close(&fixture);
}

static void count_extra_rows(FiloIter *it) {
    Score *score = filo_write_global(it, Score);
    assert_int_equal(it->count, 0);
    FiloIter rows = filo_iter_over(it, it->query);
    assert_ptr_equal(rows.changes, it->changes);
    assert_true(rows.delta == it->delta && rows.tick == it->tick);
    while (filo_iter_next(&rows)) score->points += (int64_t)rows.count;
}

FILO_TEST(a_run_once_system_iterates_over_its_query_itself) {
    Fixture fixture = fixture_open(0);
    create_movers(&fixture, 10);
    filo_system_add(fixture.world,
                    &(FiloSystemDesc){ .name = "count",
                                       .run = count_extra_rows,
                                       .once = true,
                                       .query.terms = { FILO_READ(Position), FILO_WRITE(Score) } });
    tick(&fixture);
    assert_int_equal(filo_get_global(fixture.world, Score)->points, 10);
    fixture_close(&fixture);
}

static void pair_up(FiloIter *it) {
    size_t others = 0;
    FiloIter other = filo_iter_over(it, filo_iter_extra_query(it, 1));
    while (filo_iter_next(&other)) others += other.count;
    *(size_t *)it->user += it->count * others;
}

FILO_TEST(a_system_has_extra_queries) {
    Fixture fixture = fixture_open(0);
    create_movers(&fixture, 3);
    for (int i = 0; i < 5; i++) filo_create(fixture.world, FILO_SET(Target, { 0 }));
    size_t pairs = 0;
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "pair up",
                                                      .run = pair_up,
                                                      .user = &pairs,
                                                      .query.terms = { FILO_READ(Position) },
                                                      .extra_queries[1].terms = { FILO_READ(Target) } });
    tick(&fixture);
    assert_int_equal(pairs, 15);
    fixture_close(&fixture);
}

static void use_a_bare_iteration(FiloIter *it) {
    FiloIter rows = filo_query_iter(it->query);
    while (filo_iter_next(&rows)) filo_changes_destroy_entity(rows.changes, filo_iter_entity(&rows, 0));
}

FILO_TEST(recording_in_an_iteration_without_changes_is_reported_with_the_alternative) {
    Fixture fixture = fixture_open(0);
    create_movers(&fixture, 1);
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "bare",
                                                      .run = use_a_bare_iteration,
                                                      .once = true,
                                                      .query.terms = { FILO_READ(Position) } });
    expect_fault("of what it goes over by filo_iter_over(it, query)", tick(&fixture));
    fixture_close(&fixture);
}

static void ask_for_no_query(FiloIter *it) { assert_null(filo_iter_extra_query(it, *(unsigned *)it->user)); }

FILO_TEST(asking_for_a_query_that_was_not_declared_is_reported) {
    Fixture fixture = fixture_open(0);
    unsigned n = 0;
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "ask",
                                                      .run = ask_for_no_query,
                                                      .user = &n,
                                                      .extra_queries[1].terms = { FILO_READ(Target) } });
    expect_fault("system \"ask\" has no extra query 0: declare it in .extra_queries", tick(&fixture));
    n = FILO_SYSTEM_QUERIES;
    expect_fault("system \"ask\" has no extra query 4", tick(&fixture));
    FiloQuery *query = filo_query(fixture.world, FILO_READ(Position));
    FiloIter it = filo_query_iter(query);
    expect_fault("extra queries are those of a system", assert_null(filo_iter_extra_query(&it, 0)));
    filo_iter_end(&it);
    filo_query_release(query);
    fixture_close(&fixture);
}

static void draw(FiloIter *it) {
    Position *position = filo_write(it, Position);
    for (size_t i = 0; i < it->count; i++) {
        FiloRandom random = filo_iter_random(it, i);
        position[i].x = filo_random_float(&random);
    }
}

FILO_TEST(random_numbers_depend_on_the_name_of_the_system) {
    float drawn[3];
    for (int i = 0; i < 3; i++) {
        Fixture fixture = fixture_open(0);
        FiloEntity entity = filo_create(fixture.world, FILO_SET(Position, 0, 0));
        if (i == 1) filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "first", .run = do_nothing });
        filo_system_add(fixture.world, &(FiloSystemDesc){ .name = i == 2 ? "other" : "draw",
                                                          .run = draw,
                                                          .query.terms = { FILO_WRITE(Position) } });
        tick(&fixture);
        drawn[i] = filo_get(fixture.world, entity, Position)->x;
        fixture_close(&fixture);
    }
    assert_true(drawn[0] == drawn[1]); // other systems make no difference
    assert_true(drawn[0] != drawn[2]);
}

// The numbers that a system without rows drew in two ticks.
typedef struct Drawn {
    uint32_t numbers[2];
} Drawn;

static void draw_alone(FiloIter *it) {
    FiloRandom random = filo_iter_random(it, 0);
    ((Drawn *)it->user)->numbers[it->tick] = filo_random_u32(&random);
}

FILO_TEST(a_system_without_rows_has_random_numbers) {
    Fixture fixture = fixture_open(0);
    create_movers(&fixture, 3);
    Drawn alone = { 0 }, global = { 0 }, once = { 0 };
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "a", .run = draw_alone, .user = &alone });
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "b",
                                                      .run = draw_alone,
                                                      .user = &global,
                                                      .query.terms = { FILO_WRITE(Score) } });
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "c",
                                                      .run = draw_alone,
                                                      .user = &once,
                                                      .once = true,
                                                      .query.terms = { FILO_READ(Position) } });
    tick(&fixture);
    tick(&fixture);
    for (int i = 0; i < 2; i++) {
        FiloRandom random = filo_random_keyed(7, (uint64_t)i, (uint32_t)filo_name_hash(filo_name("a")), 0);
        assert_int_equal(alone.numbers[i], filo_random_u32(&random)); // depends only on seed, tick and name
        assert_int_not_equal(alone.numbers[i], global.numbers[i]);
        assert_int_not_equal(alone.numbers[i], once.numbers[i]);
    }
    assert_int_not_equal(alone.numbers[0], alone.numbers[1]);
    fixture_close(&fixture);
}

static void draw_too_far(FiloIter *it) { (void)filo_iter_random(it, *(size_t *)it->user); }

static void roll_twice(FiloIter *it) {
    const bool *twice = it->user;
    for (int round = 0; round < 1 + *twice; round++)
        for (size_t i = 0; i < it->count; i++) (void)filo_iter_random(it, i);
}

FILO_TEST(a_second_generator_for_one_row_is_reported) {
    only_in_debug_builds();
    Fixture fixture = fixture_open(0);
    create_movers(&fixture, 10);
    bool twice = false;
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "roll",
                                                      .run = roll_twice,
                                                      .user = &twice,
                                                      .query.terms = { FILO_READ(Position) } });
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(snapshot, fixture.world));
    expect_no_warning(tick(&fixture); tick(&fixture));
    assert_ok(filo_snapshot_restore(snapshot, fixture.world));
    expect_no_warning(tick(&fixture)); // the same tick again
    twice = true;
    expect_warning(
        "system \"roll\" makes a second generator for one row, which repeats the numbers of the first",
        tick(&fixture));
    expect_no_warning(tick(&fixture)); // once
    filo_snapshot_destroy(snapshot);
    fixture_close(&fixture);
}

FILO_TEST(a_tick_has_a_length) {
    Fixture fixture = fixture_open(0);
    static const float bad[] = { NAN, -1, -0.001f, INFINITY };
    for (size_t i = 0; i < FILO_COUNT_OF(bad); i++)
        expect_mistake("a tick lasts 0 seconds or more, not", filo_world_tick(fixture.world, bad[i]));
    assert_int_equal(filo_world_ticks(fixture.world), 0);
    assert_ok(filo_world_tick(fixture.world, 0));
    fixture_close(&fixture);
}

FILO_TEST(random_numbers_of_a_missing_row_are_reported) {
    Fixture fixture = fixture_open(0);
    size_t row = 1;
    FiloSystemId system = filo_system_add(
        fixture.world, &(FiloSystemDesc){ .name = "alone", .run = draw_too_far, .user = &row });
    expect_fault("row 1 is not in this part of the iteration, which has 0", tick(&fixture));
    filo_system_remove(fixture.world, system);
    create_movers(&fixture, 1);
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "rows",
                                                      .run = draw_too_far,
                                                      .user = &row,
                                                      .query.terms = { FILO_READ(Position) } });
    expect_fault("row 1 is not in this part of the iteration, which has 1", tick(&fixture));
    fixture_close(&fixture);
}

// ---- When --------------------------------------------------------------------------------------------

FILO_TEST(a_system_runs_at_its_rate) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "1", .every = 1);
    add_logging(&fixture, &log, "2", .every = 2);
    add_logging(&fixture, &log, "3+1", .every = 3, .offset = 1);
    for (int i = 0; i < 6; i++) {
        tick(&fixture);
        log_add(&log, "| ");
    }
    expect_log(&log, "1 2 | 1 3+1 | 1 2 | 1 | 1 2 3+1 | 1 | ");
    fixture_close(&fixture);
}

static bool score_is_even(const FiloWorld *world, void *user) {
    log_add(user, "? ");
    return filo_get_global(world, Score)->points % 2 == 0;
}

static void next_point(FiloIter *it) {
    filo_write_global(it, Score)->points++;
    log_name(it);
}

FILO_TEST(a_condition_is_evaluated_before_the_stage_of_its_system) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "a", .condition = score_is_even);
    add_logging(&fixture, &log, "b", .condition = score_is_even, .extra_access = { FILO_READ(Score) });
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "point",
                                                      .run = next_point,
                                                      .user = &log,
                                                      .query.terms = { FILO_WRITE(Score) } });
    add_logging(&fixture, &log, "c", .condition = score_is_even, .extra_access = { FILO_READ(Score) });
    // The first two conditions are evaluated before either system runs; that of `c` after the score has changed.
    tick(&fixture);
    expect_log(&log, "? ? a b point ? ");
    tick(&fixture);
    expect_log(&log, "? ? point ? c ");
    fixture_close(&fixture);
}

FILO_TEST(a_system_can_be_disabled_and_enabled) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    FiloSystemId a = add_logging(&fixture, &log, "a");
    FiloSystemId b = add_logging(&fixture, &log, "b", .disabled = true);
    assert_true(filo_system_enabled(fixture.world, a));
    assert_false(filo_system_enabled(fixture.world, b));
    tick(&fixture);
    expect_log(&log, "a ");
    filo_system_set_enabled(fixture.world, a, false);
    filo_system_set_enabled(fixture.world, b, true);
    tick(&fixture);
    expect_log(&log, "b ");
    fixture_close(&fixture);
}

// ---- Measuring ---------------------------------------------------------------------------------------

FILO_TEST(time_is_measured_only_on_request) {
    Fixture fixture = fixture_open(0);
    create_movers(&fixture, 1000);
    FiloSystemId id = filo_system_add(
        fixture.world, &(FiloSystemDesc){ .name = "move",
                                          .run = move_by_velocity,
                                          .query.terms = { FILO_WRITE(Position), FILO_READ(Velocity) } });
    tick(&fixture);
    assert_true(filo_system_stats(fixture.world, id).last_ns == 0);
    filo_world_measure(fixture.world, true);
    tick(&fixture);
    tick(&fixture);
    FiloSystemStats stats = filo_system_stats(fixture.world, id);
    assert_true(stats.last_ns > 0);
    assert_true(stats.total_ns > stats.last_ns);
    filo_world_measure(fixture.world, false);
    tick(&fixture);
    assert_true(filo_system_stats(fixture.world, id).total_ns == stats.total_ns);
    fixture_close(&fixture);
}

static int zones;

static uint64_t zone_begin(const char *name, const char *file, int line, void *user) {
    (void)file, (void)line, (void)user;
    if (strcmp(name, "move things") == 0) zones++;
    return 0;
}

FILO_TEST(each_run_of_a_system_is_a_zone_of_the_profile) {
    Fixture fixture = fixture_open(0);
    create_movers(&fixture, 10);
    filo_system_add(fixture.world,
                    &(FiloSystemDesc){ .name = "move things",
                                       .run = move_by_velocity,
                                       .query.terms = { FILO_WRITE(Position), FILO_READ(Velocity) } });
    filo_profile_set_hook(&(FiloProfileHook){ .zone_begin = zone_begin });
    tick(&fixture);
    tick(&fixture);
    filo_profile_set_hook(NULL);
    assert_int_equal(zones, 2);
    fixture_close(&fixture);
}

// ---- Lists and properties ----------------------------------------------------------------------------

FILO_TEST(systems_are_listed_in_the_order_of_registration) {
    Fixture fixture = fixture_open(0);
    FiloSystemId late = filo_system_add(
        fixture.world,
        &(FiloSystemDesc){ .name = "late", .run = count_extra_rows, .once = true, .phase = 50 });
    FiloSystemId early = filo_system_add(
        fixture.world, &(FiloSystemDesc){ .name = "early", .run = count_extra_rows, .once = true });
    assert_int_equal(filo_system_at(fixture.world, 0).id, late.id);
    assert_int_equal(filo_system_at(fixture.world, 1).id, early.id);
    assert_int_equal(filo_system_at(fixture.world, 2).id, 0);
    filo_system_remove(fixture.world, late);
    assert_int_equal(filo_system_at(fixture.world, 0).id, early.id);
    fixture_close(&fixture);
}

FILO_TEST(a_world_reports_whether_it_must_tick_on_the_main_thread) {
    Fixture fixture = fixture_open(0);
    assert_false(filo_world_needs_main_thread(fixture.world));
    FiloSystemId system = filo_system_add(
        fixture.world,
        &(FiloSystemDesc){ .name = "window", .run = count_extra_rows, .once = true, .main_thread = true });
    assert_true(filo_world_needs_main_thread(fixture.world));
    filo_system_set_enabled(fixture.world, system, false);
    assert_false(filo_world_needs_main_thread(fixture.world));
    fixture_close(&fixture);
}

// ---- Without rows -------------------------------------------------------------------------------------

static void count_calls(FiloIter *it) { *(size_t *)it->user += it->count; }

// A system without rows is checked again each tick: for rows in a table, or in a list.
FILO_TEST(a_system_without_rows_is_called_once_a_row_appears) {
    static const int threads[] = { 0, 1, 4 };
    for (size_t t = 0; t < FILO_COUNT_OF(threads); t++) {
        Fixture fixture = fixture_open(threads[t]);
        FiloWorld *world = fixture.world;
        if (fixture.jobs != NULL) divide_eagerly(world, true);
        size_t tables = 0, lists = 0, both = 0;
        const FiloSystemDesc systems[] = {
            { "tables", count_calls, .query.terms = { FILO_READ(Velocity) }, .user = &tables },
            { "lists", count_calls, .query.terms = { FILO_READ(Health) }, .user = &lists },
            { "both", count_calls, .query.terms = { FILO_READ(Position), FILO_READ(Health) }, .user = &both },
        };
        FiloSystemId ids[3];
        for (size_t i = 0; i < 3; i++) ids[i] = filo_system_add(world, &systems[i]);
        filo_world_measure(world, true);
        FiloEntity entity = filo_create(world, FILO_SET(Position, 1, 2));
        for (size_t round = 1; round <= 3; round++) {
            for (int i = 0; i < 3; i++) tick(&fixture);
            assert_true(tables == round - 1 && lists == round - 1 && both == round - 1);
            for (size_t i = 0; i < 3; i++) {
                FiloSystemStats stats = filo_system_stats(world, ids[i]);
                assert_int_equal(stats.rows, 0);
                assert_true(stats.last_ns == 0 && stats.runs == 4 * round - 1);
            }
            filo_set(world, entity, Velocity, 1, 2);
            filo_set(world, entity, Health, 3);
            tick(&fixture);
            assert_true(tables == round && lists == round && both == round);
            assert_int_equal(filo_system_stats(world, ids[2]).rows, 1);
            filo_remove(world, entity, Velocity);
            filo_remove(world, entity, Health);
        }
        fixture_close(&fixture);
    }
}

// Versions must not depend on whether there were rows before, so that a restored world repeats the same run.
FILO_TEST(a_system_without_rows_marks_its_written_global_as_changed) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "changed", .query.terms = { FILO_READ_CHANGED(Score) });
    filo_system_add(fixture.world,
                    &(FiloSystemDesc){ .name = "write",
                                       .run = do_nothing,
                                       .query.terms = { FILO_WRITE(Score), FILO_READ(Position) } });
    for (int i = 0; i < 3; i++) tick(&fixture);
    expect_log(&log, "changed changed changed ");
    FiloEntity entity = filo_create(fixture.world, FILO_SET(Position, 1, 2));
    tick(&fixture);
    filo_entity_destroy(fixture.world, entity);
    for (int i = 0; i < 3; i++) tick(&fixture);
    expect_log(&log, "changed changed changed changed ");
    fixture_close(&fixture);
}
