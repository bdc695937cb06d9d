// Changes that systems see: since they last ran, their own, and in the next stage.

#include "ecs/schedule_access.h"
#include "ecs/system_log.h"

static void touch_first(FiloIter *it) { filo_edit(it->world, *(FiloEntity *)it->user, Position)->x++; }

FILO_TEST(a_system_sees_what_changed_since_it_last_ran) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    FiloEntity entity = filo_create(fixture.world, FILO_SET(Position, 1, 2));
    FiloSystemId touch =
        filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "touch",
                                                          .run = touch_first,
                                                          .user = &entity,
                                                          .extra_access = { FILO_WRITE(Position) },
                                                          .disabled = true });
    add_logging(&fixture, &log, "slow", .query.terms = { FILO_READ_CHANGED(Position) }, .every = 2,
                .offset = 1);
    add_logging(&fixture, &log, "each", .query.terms = { FILO_READ_CHANGED(Position) });
    tick(&fixture);
    tick(&fixture);
    expect_log(&log, "each slow "); // each for the first time
    tick(&fixture);
    tick(&fixture);
    expect_log(&log, "");
    filo_system_set_enabled(fixture.world, touch, true);
    tick(&fixture);
    filo_system_set_enabled(fixture.world, touch, false);
    expect_log(&log, "each ");
    tick(&fixture);
    expect_log(&log, "slow "); // it did not run in between
    tick(&fixture);
    filo_edit(fixture.world, entity, Position)->y = 3; // between ticks
    tick(&fixture);
    expect_log(&log, "slow each ");
    fixture_close(&fixture);
}

static void write_all(FiloIter *it) {
    Position *position = filo_write(it, Position);
    for (size_t i = 0; i < it->count; i++) position[i].x++;
    log_name(it);
}

FILO_TEST(a_system_does_not_see_its_own_writes_as_changes) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    create_movers(&fixture, 1);
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "a",
                                                      .run = write_all,
                                                      .user = &log,
                                                      .query.terms = { { .type = filo_type_Position,
                                                                         .access = FILO_ACCESS_WRITE,
                                                                         .changed = true } } });
    for (int i = 0; i < 3; i++) tick(&fixture);
    expect_log(&log, "a ");
    fixture_close(&fixture);
}

static void touch_score(FiloIter *it) { filo_write_global(it, Score)->points++; }

FILO_TEST(a_system_with_a_changed_global_term_is_called_only_after_a_change) {
    for (int threads = 0; threads <= 2; threads += 2) {
        Fixture fixture = fixture_open(threads);
        divide_eagerly(fixture.world, threads > 0);
        Log log = { 0 };
        create_movers(&fixture, 3);
        FiloSystemId touch =
            filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "touch",
                                                              .run = touch_score,
                                                              .disabled = true,
                                                              .query.terms = { FILO_WRITE(Score) } });
        add_logging(&fixture, &log, "each", .query.terms = { FILO_READ_CHANGED(Score) });
        add_logging(&fixture, &log, "late", .query.terms = { FILO_READ_CHANGED(Score) }, .every = 2,
                    .offset = 1, .after = { "each" });
        tick(&fixture);
        tick(&fixture);
        expect_log(&log, "each late "); // each for the first time
        tick(&fixture);
        tick(&fixture);
        expect_log(&log, "");
        filo_edit_global(fixture.world, Score)->points++; // between ticks
        tick(&fixture);
        expect_log(&log, "each ");
        tick(&fixture);
        expect_log(&log, "late "); // it did not run in between
        filo_system_set_enabled(fixture.world, touch, true);
        tick(&fixture);
        tick(&fixture);
        expect_log(&log, "each each late ");
        fixture_close(&fixture);
    }
}

FILO_TEST(a_run_once_system_is_called_even_without_changes) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "a", .query.terms = { FILO_READ_CHANGED(Score) }, .once = true);
    tick(&fixture);
    tick(&fixture);
    expect_log(&log, "a a ");
    fixture_close(&fixture);
}

// Counts the changed rows by both kinds of iteration.
static void count_changed(FiloIter *it) {
    for (FiloIter rows = filo_iter_over(it, it->query); filo_iter_next(&rows);)
        *(size_t *)it->user += rows.count;
}
static void count_changed_barely(FiloIter *it) {
    for (FiloIter rows = filo_query_iter(it->query); filo_iter_next(&rows);) {}
}

FILO_TEST(a_run_once_system_iterates_over_changes_since_it_last_ran) {
    Fixture fixture = fixture_open(0);
    size_t rows = 0;
    FiloEntity entity = filo_create(fixture.world, FILO_SET(Position, 1, 2));
    filo_create(fixture.world, FILO_SET(Position, 1, 2), FILO_SET(Velocity, 1, 2));
    FiloSystemDesc desc = { .name = "count",
                            .run = count_changed,
                            .user = &rows,
                            .once = true,
                            .query.terms = { FILO_READ_CHANGED(Position) } };
    FiloSystemId system = filo_system_add(fixture.world, &desc);
    for (int i = 0; i < 3; i++) tick(&fixture);
    assert_int_equal(rows, 2);
    filo_edit(fixture.world, entity, Position)->x++;
    tick(&fixture);
    assert_int_equal(rows, 3);
    filo_system_remove(fixture.world, system);
    desc.run = count_changed_barely;
    filo_system_add(fixture.world, &desc);
    expect_fault("inside a system, iterate over a query that asks for changes with filo_iter_over(it, query)",
                 tick(&fixture));
    fixture_close(&fixture);
}

static void spawn(FiloIter *it) {
    for (size_t i = 0; i < it->count; i++) {
        FiloEntity child = filo_changes_create_entity(it->changes);
        filo_set(it->changes, child, Target, filo_iter_entity(it, i));
    }
}

FILO_TEST(changes_recorded_in_a_phase_are_visible_in_the_next) {
    Fixture fixture = fixture_open(0);
    create_movers(&fixture, 10);
    size_t same = 0, later = 0, next = 0;
    filo_system_add(
        fixture.world,
        &(FiloSystemDesc){ .name = "spawn", .run = spawn, .query.terms = { FILO_READ(Position) } });
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "same stage",
                                                      .run = count_rows,
                                                      .user = &same,
                                                      .query.terms = { FILO_READ(Target) } });
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "later stage",
                                                      .run = count_rows,
                                                      .user = &later,
                                                      .query.terms = { FILO_READ(Target) },
                                                      .after = { "spawn" } });
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "next phase",
                                                      .run = count_rows,
                                                      .user = &next,
                                                      .query.terms = { FILO_READ(Target) },
                                                      .phase = 1 });
    tick(&fixture);
    assert_int_equal(same, 0);
    assert_int_equal(later, 0);
    assert_int_equal(next, 10);
    fixture_close(&fixture);
}

static void note_tracked(FiloIter *it) {
    size_t entered, left;
    filo_query_entered(it->query, &entered);
    filo_query_left(it->query, &left);
    log_add(it->user, "%s +%zu -%zu, ", system_name(it), entered, left);
}

static void destroy_some(FiloIter *it) {
    for (size_t i = 0; i < it->count; i++)
        if (i % 2 == it->tick % 2) filo_changes_destroy_entity(it->changes, filo_iter_entity(it, i));
}

FILO_TEST(a_system_gets_entities_that_entered_and_left_since_it_last_ran) {
    Fixture fixture = fixture_open(1);
    Log log = { 0 };
    FiloSystemDesc note = { .run = note_tracked,
                            .user = &log,
                            .once = true,
                            .query = { .terms = { FILO_READ(Position) }, .tracked = true } };
    note.name = "first";
    filo_system_add(fixture.world, &note);
    FiloSystemDesc destroy = { .name = "destroy",
                               .run = destroy_some,
                               .query.terms = { FILO_WITH(Position) } };
    filo_system_add(fixture.world, &destroy);
    add_logging(&fixture, &log, "phase between", .phase = 1, .disabled = true);
    note.name = "slow";
    note.every = 2;
    note.phase = 2;
    filo_system_add(fixture.world, &note);
    note.name = "last";
    note.every = 0;
    note.phase = FILO_PHASE_AFTER;
    filo_system_add(fixture.world, &note);
    create_movers(&fixture, 8); // directly, without a refresh
    tick(&fixture);             // entered and left again: not listed
    expect_log(&log, "first +8 -0, slow +4 -0, last +4 -0, ");
    tick(&fixture);
    expect_log(&log, "first +0 -4, last +0 -2, ");
    tick(&fixture);
    expect_log(&log, "first +0 -2, slow +0 -3, last +0 -1, ");
    fixture_close(&fixture);
}

FILO_TEST(tracked_queries_outside_of_systems_are_updated_by_ticks_and_refresh) {
    Fixture fixture = fixture_open(1);
    FiloQuery *query = filo_query_create(
        fixture.world, &(FiloQueryDesc){ .terms = { FILO_READ(Position) }, .tracked = true });
    FiloSystemDesc destroy = { .name = "destroy",
                               .run = destroy_some,
                               .query.terms = { FILO_WITH(Position) } };
    filo_system_add(fixture.world, &destroy);
    size_t count;
    create_movers(&fixture, 8);
    filo_query_entered(query, &count);
    assert_int_equal(count, 0);
    filo_world_refresh(fixture.world);
    filo_query_entered(query, &count);
    assert_int_equal(count, 8);
    tick(&fixture);
    filo_query_entered(query, &count);
    assert_int_equal(count, 0);
    filo_query_left(query, &count);
    assert_int_equal(count, 4);
    filo_query_release(query);
    fixture_close(&fixture);
}
