// Systems: adding and removing them, what they are given, and when they run.

#include <filo/hash.h>
#include <filo/profile.h>

#include "ecs/system_fixture.h"

SYSTEM_FIXTURE_TYPES

static void move(FiloIter *it) {
    FiloColumn position = filo_iter_column(it, 0), velocity = filo_iter_column(it, 1);
    for (size_t i = 0; i < it->count; i++) {
        FILO_AT(Position, position, i)->x += FILO_AT(Velocity, velocity, i)->x * it->delta;
        FILO_AT(Position, position, i)->y += FILO_AT(Velocity, velocity, i)->y * it->delta;
    }
}

// ---- Running -----------------------------------------------------------------------------------------

FILO_TEST(a_system_goes_over_the_rows_of_its_query) {
    Fixture fixture = fixture_open(0);
    create_movers(&fixture, 100);
    FiloEntity still = filo_create(fixture.world, FILO_WITH(Position, 5, 5));
    FiloSystemId id = filo_system_add(
        fixture.world, &(FiloSystemDesc){ .name = "move",
                                          .run = move,
                                          .query.terms = { FILO_WRITE(Position), FILO_READ(Velocity) } });
    tick(&fixture);
    tick(&fixture);
    FiloQuery *query = filo_query(fixture.world, FILO_READ(Position), FILO_HAVING(Velocity));
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
    assert_int_equal(filo_system_number(it->system), (uint32_t)filo_hash_text("see"));
}

FILO_TEST(an_iterator_of_a_system_has_what_the_system_needs) {
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
    FILO_ONE(Score, it, 0)->points += 5;
    assert_int_equal(it->count, 0);
}

FILO_TEST(a_system_with_global_components_only_is_called_once_a_tick_and_has_them) {
    Fixture fixture = fixture_open(0);
    create_movers(&fixture, 10);
    filo_system_add(
        fixture.world,
        &(FiloSystemDesc){ .name = "score", .run = add_score, .query.terms = { FILO_WRITE(Score) } });
    tick(&fixture);
    tick(&fixture);
    assert_int_equal(filo_global(fixture.world, Score)->points, 10);
    fixture_close(&fixture);
}

static void count_rows(FiloIter *it) {
    Score *score = FILO_ONE(Score, it, 1);
    assert_int_equal(it->count, 0);
    FiloIter rows = filo_iter_over(it, it->query);
    assert_ptr_equal(rows.changes, it->changes);
    assert_true(rows.delta == it->delta && rows.tick == it->tick);
    while (filo_iter_next(&rows)) score->points += (int64_t)rows.count;
}

FILO_TEST(a_system_that_runs_once_goes_over_its_query_by_itself) {
    Fixture fixture = fixture_open(0);
    create_movers(&fixture, 10);
    filo_system_add(fixture.world,
                    &(FiloSystemDesc){ .name = "count",
                                       .run = count_rows,
                                       .once = true,
                                       .query.terms = { FILO_READ(Position), FILO_WRITE(Score) } });
    tick(&fixture);
    assert_int_equal(filo_global(fixture.world, Score)->points, 10);
    fixture_close(&fixture);
}

static void pair_up(FiloIter *it) {
    size_t others = 0;
    FiloIter also = filo_iter_over(it, filo_iter_also(it, 1));
    while (filo_iter_next(&also)) others += also.count;
    *(size_t *)it->user += it->count * others;
}

FILO_TEST(a_system_has_further_queries) {
    Fixture fixture = fixture_open(0);
    create_movers(&fixture, 3);
    for (int i = 0; i < 5; i++) filo_create(fixture.world, FILO_WITH(Owner, { 0 }));
    size_t pairs = 0;
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "pair up",
                                                      .run = pair_up,
                                                      .user = &pairs,
                                                      .query.terms = { FILO_READ(Position) },
                                                      .also[1].terms = { FILO_READ(Owner) } });
    tick(&fixture);
    assert_int_equal(pairs, 15);
    fixture_close(&fixture);
}

static void use_a_bare_iteration(FiloIter *it) {
    FiloIter rows = filo_query_iter(it->query);
    while (filo_iter_next(&rows)) filo_changes_destroy(rows.changes, filo_iter_entity(&rows, 0));
}

FILO_TEST(changes_of_an_iteration_that_has_none_are_reported_with_what_to_use) {
    Fixture fixture = fixture_open(0);
    create_movers(&fixture, 1);
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "bare",
                                                      .run = use_a_bare_iteration,
                                                      .once = true,
                                                      .query.terms = { FILO_READ(Position) } });
    expect_fault("of what it goes over by filo_iter_over(it, query)", tick(&fixture));
    fixture_close(&fixture);
}

static void ask_for_no_query(FiloIter *it) { assert_null(filo_iter_also(it, *(unsigned *)it->user)); }

FILO_TEST(asking_for_a_query_that_was_not_declared_is_reported) {
    Fixture fixture = fixture_open(0);
    unsigned n = 0;
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "ask",
                                                      .run = ask_for_no_query,
                                                      .user = &n,
                                                      .also[1].terms = { FILO_READ(Owner) } });
    expect_fault("system \"ask\" has no further query 0: declare it in .also", tick(&fixture));
    n = FILO_SYSTEM_QUERIES;
    expect_fault("system \"ask\" has no further query 4", tick(&fixture));
    FiloQuery *query = filo_query(fixture.world, FILO_READ(Position));
    FiloIter it = filo_query_iter(query);
    expect_fault("further queries are those of a system", assert_null(filo_iter_also(&it, 0)));
    filo_iter_end(&it);
    filo_query_release(query);
    fixture_close(&fixture);
}

static void draw(FiloIter *it) {
    FiloColumn position = filo_iter_column(it, 0);
    for (size_t i = 0; i < it->count; i++) {
        FiloRandom random = filo_iter_random(it, i);
        FILO_AT(Position, position, i)->x = filo_random_float(&random);
    }
}

FILO_TEST(random_numbers_go_by_the_name_of_the_system) {
    float drawn[3];
    for (int i = 0; i < 3; i++) {
        Fixture fixture = fixture_open(0);
        FiloEntity entity = filo_create(fixture.world, FILO_WITH(Position, 0, 0));
        if (i == 1) filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "first", .run = do_nothing });
        filo_system_add(fixture.world, &(FiloSystemDesc){ .name = i == 2 ? "other" : "draw",
                                                          .run = draw,
                                                          .query.terms = { FILO_WRITE(Position) } });
        tick(&fixture);
        drawn[i] = filo_get(fixture.world, entity, Position)->x;
        fixture_close(&fixture);
    }
    assert_true(drawn[0] == drawn[1]); // who else is there does not matter
    assert_true(drawn[0] != drawn[2]);
}

// The number that a system without rows drew in each of two ticks.
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
        assert_int_equal(alone.numbers[i], filo_random_u32(&random)); // of seed, tick and name alone
        assert_int_not_equal(alone.numbers[i], global.numbers[i]);
        assert_int_not_equal(alone.numbers[i], once.numbers[i]);
    }
    assert_int_not_equal(alone.numbers[0], alone.numbers[1]);
    fixture_close(&fixture);
}

static void draw_too_far(FiloIter *it) { (void)filo_iter_random(it, *(size_t *)it->user); }

FILO_TEST(random_numbers_of_a_row_that_is_not_there_are_reported) {
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
    return filo_global(world, Score)->points % 2 == 0;
}

static void next_point(FiloIter *it) {
    FILO_ONE(Score, it, 0)->points++;
    log_name(it);
}

FILO_TEST(a_condition_is_asked_before_the_stage_of_its_system) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "a", .condition = score_is_even);
    add_logging(&fixture, &log, "b", .condition = score_is_even, .touches = { FILO_READ(Score) });
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "point",
                                                      .run = next_point,
                                                      .user = &log,
                                                      .query.terms = { FILO_WRITE(Score) } });
    add_logging(&fixture, &log, "c", .condition = score_is_even, .touches = { FILO_READ(Score) });
    tick(&fixture); // both are asked before either runs; `c` after the score has changed
    expect_log(&log, "? ? a b point ? ");
    tick(&fixture);
    expect_log(&log, "? ? point ? c ");
    fixture_close(&fixture);
}

FILO_TEST(a_system_can_be_switched_off_and_on) {
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

// ---- Coming and going --------------------------------------------------------------------------------

static void create_one(FiloWorld *world, void *user) {
    log_add(user, "start ");
    filo_create(world, FILO_WITH(Position, 1, 2));
}

static void end_all(FiloWorld *world, void *user) {
    log_add(user, "end ");
    FiloQuery *query = filo_query(world, FILO_READ(Position));
    filo_query_destroy_all(query);
    filo_query_release(query);
}

FILO_TEST(start_and_end_may_change_the_world) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    FiloSystemId id = add_logging(&fixture, &log, "a", .start = create_one, .end = end_all,
                                  .query.terms = { FILO_READ(Position) });
    expect_log(&log, "start ");
    tick(&fixture);
    expect_log(&log, "a ");
    filo_system_remove(fixture.world, id);
    expect_log(&log, "end ");
    assert_int_equal(filo_world_stats(fixture.world).entities, 0);
    tick(&fixture);
    expect_log(&log, "");
    fixture_close(&fixture);
}

static void log_end(FiloWorld *world, void *user) {
    assert_int_equal(filo_world_stats(world).entities, 1); // everything is still there
    log_add(user, "end ");
}

static void log_last(FiloWorld *world, void *user) {
    log_end(world, user);
    log_add(user, "last ");
}

FILO_TEST(systems_end_with_the_world_the_last_one_first) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    filo_create(fixture.world, FILO_WITH(Position, 1, 2));
    add_logging(&fixture, &log, "a", .end = log_last);
    add_logging(&fixture, &log, "b", .end = log_end);
    fixture_close(&fixture);
    expect_log(&log, "end end last ");
}

static void remove_itself(FiloWorld *world, void *user) {
    log_add(user, "end ");
    filo_system_remove(world, filo_system_named(world, "a"));
}

FILO_TEST(a_system_that_removes_itself_while_it_ends_ends_once) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    FiloSystemId id = add_logging(&fixture, &log, "a", .end = remove_itself);
    filo_system_remove(fixture.world, id);
    expect_log(&log, "end ");
    assert_int_equal(filo_system_named(fixture.world, "a").id, 0);
    fixture_close(&fixture);
}

static void add_another(FiloWorld *world, void *user) {
    filo_system_add(world, &(FiloSystemDesc){ .name = "another", .run = log_name, .user = user });
}

FILO_TEST(a_system_may_bring_another) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "a", .start = add_another);
    tick(&fixture);
    expect_log(&log, "a another ");
    fixture_close(&fixture);
}

FILO_TEST(a_system_is_found_by_name_until_it_is_removed) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    assert_int_equal(filo_system_named(fixture.world, "a").id, 0);
    char name[] = "a";
    FiloSystemId a = add_logging(&fixture, &log, name);
    name[0] = 'x'; // it was copied
    assert_int_equal(filo_system_named(fixture.world, "a").id, a.id);
    assert_string_equal(filo_system_name(fixture.world, a), "a");
    assert_int_equal(filo_world_stats(fixture.world).systems, 1);
    filo_system_remove(fixture.world, a);
    assert_int_equal(filo_system_named(fixture.world, "a").id, 0);
    assert_null(filo_system_name(fixture.world, a));
    assert_int_equal(filo_world_stats(fixture.world).systems, 0);
    fixture_close(&fixture);
}

FILO_TEST(a_system_that_is_added_again_starts_anew) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    FiloSystemDesc desc = {
        .name = "a", .run = log_name, .user = &log, .query.terms = { FILO_READ_CHANGED(Position) }
    };
    create_movers(&fixture, 1);
    FiloSystemId id = filo_system_add(fixture.world, &desc);
    tick(&fixture);
    tick(&fixture);
    expect_log(&log, "a "); // nothing had changed
    filo_system_remove(fixture.world, id);
    FiloSystemId again = filo_system_add(fixture.world, &desc);
    assert_int_not_equal(id.id, again.id);
    assert_int_equal(filo_system_stats(fixture.world, again).runs, 0);
    tick(&fixture);
    expect_log(&log, "a "); // to it, everything is new
    assert_int_equal(filo_system_stats(fixture.world, again).runs, 1);
    fixture_close(&fixture);
}

FILO_TEST(queries_of_a_system_go_with_it) {
    Fixture fixture = fixture_open(0);
    size_t before = filo_world_stats(fixture.world).queries;
    FiloSystemId id =
        filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "a",
                                                          .run = do_nothing,
                                                          .query.terms = { FILO_READ(Position) },
                                                          .also[0].terms = { FILO_READ(Velocity) } });
    assert_int_equal(filo_world_stats(fixture.world).queries, before + 2);
    filo_system_remove(fixture.world, id);
    assert_int_equal(filo_world_stats(fixture.world).queries, before);
    fixture_close(&fixture);
}

FILO_TEST(old_ids_are_recognised) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    FiloSystemId a = add_logging(&fixture, &log, "a");
    filo_system_remove(fixture.world, a);
    FiloSystemId b = add_logging(&fixture, &log, "b"); // in the same place
    assert_int_not_equal(a.id, b.id);
    assert_false(filo_system_enabled(fixture.world, a));
    assert_int_equal(filo_system_stats(fixture.world, a).runs, 0);
    expect_fault("this system was removed already", filo_system_remove(fixture.world, a));
    expect_fault("there is no such system", filo_system_set_enabled(fixture.world, a, false));
    filo_system_remove(fixture.world, (FiloSystemId){ 0 });
    assert_string_equal(filo_system_name(fixture.world, b), "b");
    fixture_close(&fixture);
}

// ---- Changes -----------------------------------------------------------------------------------------

static void touch_first(FiloIter *it) { filo_edit(it->world, *(FiloEntity *)it->user, Position)->x++; }

FILO_TEST(a_system_sees_what_changed_since_it_last_ran) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    FiloEntity entity = filo_create(fixture.world, FILO_WITH(Position, 1, 2));
    FiloSystemId touch =
        filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "touch",
                                                          .run = touch_first,
                                                          .user = &entity,
                                                          .touches = { FILO_WRITE(Position) },
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
    expect_log(&log, "slow "); // which did not run in between
    tick(&fixture);
    filo_edit(fixture.world, entity, Position)->y = 3; // between ticks
    tick(&fixture);
    expect_log(&log, "slow each ");
    fixture_close(&fixture);
}

static void write_all(FiloIter *it) {
    FiloColumn position = filo_iter_column(it, 0);
    for (size_t i = 0; i < it->count; i++) FILO_AT(Position, position, i)->x++;
    log_name(it);
}

FILO_TEST(what_a_system_writes_itself_is_no_news_to_it) {
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

static void touch_score(FiloIter *it) { FILO_ONE(Score, it, 0)->points++; }

FILO_TEST(a_system_of_a_global_component_that_changed_is_called_only_then) {
    for (int threads = 0; threads <= 2; threads += 2) {
        Fixture fixture = fixture_open(threads);
        fixture.world->schedule->eager = threads > 0;
        Log log = { 0 };
        create_movers(&fixture, 3);
        FiloSystemId touch =
            filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "touch",
                                                              .run = touch_score,
                                                              .disabled = true,
                                                              .query.terms = { FILO_WRITE(Score) } });
        add_logging(&fixture, &log, "news", .query.terms = { FILO_READ_CHANGED(Score) });
        add_logging(&fixture, &log, "late", .query.terms = { FILO_READ_CHANGED(Score) }, .every = 2,
                    .offset = 1, .after = { "news" });
        tick(&fixture);
        tick(&fixture);
        expect_log(&log, "news late "); // each for the first time
        tick(&fixture);
        tick(&fixture);
        expect_log(&log, "");
        filo_edit_global(fixture.world, Score)->points++; // between ticks
        tick(&fixture);
        expect_log(&log, "news ");
        tick(&fixture);
        expect_log(&log, "late "); // which did not run in between
        filo_system_set_enabled(fixture.world, touch, true);
        tick(&fixture);
        tick(&fixture);
        expect_log(&log, "news news late ");
        fixture_close(&fixture);
    }
}

FILO_TEST(a_system_that_runs_once_is_called_whatever_changed) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "a", .query.terms = { FILO_READ_CHANGED(Score) }, .once = true);
    tick(&fixture);
    tick(&fixture);
    expect_log(&log, "a a ");
    fixture_close(&fixture);
}

// Both ways to go over the rows that changed.
static void count_changed(FiloIter *it) {
    for (FiloIter rows = filo_iter_over(it, it->query); filo_iter_next(&rows);)
        *(size_t *)it->user += rows.count;
}
static void count_changed_barely(FiloIter *it) {
    for (FiloIter rows = filo_query_iter(it->query); filo_iter_next(&rows);) {}
}

FILO_TEST(a_system_that_runs_once_goes_over_what_changed_since_it_last_ran) {
    Fixture fixture = fixture_open(0);
    size_t rows = 0;
    FiloEntity entity = filo_create(fixture.world, FILO_WITH(Position, 1, 2));
    filo_create(fixture.world, FILO_WITH(Position, 1, 2), FILO_WITH(Velocity, 1, 2));
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
    expect_fault("inside a system, go over a query that asks for changes with filo_iter_over(it, query)",
                 tick(&fixture));
    fixture_close(&fixture);
}

static void spawn(FiloIter *it) {
    for (size_t i = 0; i < it->count; i++) {
        FiloEntity child = filo_changes_create(it->changes);
        filo_changes_set_value(it->changes, child, Owner, filo_iter_entity(it, i));
    }
}

static void count_owners(FiloIter *it) { *(size_t *)it->user += it->count; }

FILO_TEST(what_a_stage_recorded_is_there_in_the_next) {
    Fixture fixture = fixture_open(0);
    create_movers(&fixture, 10);
    size_t same = 0, next = 0;
    filo_system_add(
        fixture.world,
        &(FiloSystemDesc){ .name = "spawn", .run = spawn, .query.terms = { FILO_READ(Position) } });
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "same stage",
                                                      .run = count_owners,
                                                      .user = &same,
                                                      .query.terms = { FILO_READ(Owner) } });
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "next stage",
                                                      .run = count_owners,
                                                      .user = &next,
                                                      .query.terms = { FILO_READ(Owner) },
                                                      .after = { "spawn" } });
    tick(&fixture);
    assert_int_equal(same, 0);
    assert_int_equal(next, 10);
    fixture_close(&fixture);
}

static void note_tracked(FiloIter *it) {
    size_t entered, left;
    filo_query_entered(it->query, &entered);
    filo_query_left(it->query, &left);
    log_add(it->user, "%s +%zu -%zu, ", it->system->name, entered, left);
}

static void destroy_some(FiloIter *it) {
    for (size_t i = 0; i < it->count; i++)
        if (i % 2 == it->tick % 2) filo_changes_destroy(it->changes, filo_iter_entity(it, i));
}

FILO_TEST(a_system_is_told_who_came_and_went_since_it_last_ran) {
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
                               .query.terms = { FILO_HAVING(Position) } };
    filo_system_add(fixture.world, &destroy);
    add_logging(&fixture, &log, "stages between", .after = { "destroy" }, .disabled = true);
    note.name = "slow";
    note.every = 2;
    note.after[0] = "stages between";
    filo_system_add(fixture.world, &note);
    note.name = "last";
    note.every = 0;
    note.phase = FILO_PHASE_AFTER;
    filo_system_add(fixture.world, &note);
    create_movers(&fixture, 8); // directly, without a refresh
    tick(&fixture);             // those that came and went in between are not told of
    expect_log(&log, "first +8 -0, slow +4 -0, last +4 -0, ");
    tick(&fixture);
    expect_log(&log, "first +0 -4, last +0 -2, ");
    tick(&fixture);
    expect_log(&log, "first +0 -2, slow +0 -3, last +0 -1, ");
    fixture_close(&fixture);
}

FILO_TEST(tracked_queries_of_nobody_are_brought_up_to_date_by_ticks_and_refreshing) {
    Fixture fixture = fixture_open(1);
    FiloQuery *query = filo_query_create(
        fixture.world, &(FiloQueryDesc){ .terms = { FILO_READ(Position) }, .tracked = true });
    FiloSystemDesc destroy = { .name = "destroy",
                               .run = destroy_some,
                               .query.terms = { FILO_HAVING(Position) } };
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

// ---- Measuring ---------------------------------------------------------------------------------------

FILO_TEST(time_is_measured_only_when_asked_for) {
    Fixture fixture = fixture_open(0);
    create_movers(&fixture, 1000);
    FiloSystemId id = filo_system_add(
        fixture.world, &(FiloSystemDesc){ .name = "move",
                                          .run = move,
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
                                       .run = move,
                                       .query.terms = { FILO_WRITE(Position), FILO_READ(Velocity) } });
    filo_profile_set_hook(&(FiloProfileHook){ .zone_begin = zone_begin });
    tick(&fixture);
    tick(&fixture);
    filo_profile_set_hook(NULL);
    assert_int_equal(zones, 2);
    fixture_close(&fixture);
}

// ---- Mistakes ----------------------------------------------------------------------------------------

static void expect_refused(Fixture *fixture, const char *message, FiloSystemDesc desc) {
    size_t queries = filo_world_stats(fixture->world).queries,
           systems = filo_world_stats(fixture->world).systems;
    if (desc.name == NULL) desc.name = "bad";
    if (desc.run == NULL) desc.run = do_nothing;
    expect_fault(message, assert_int_equal(filo_system_add(fixture->world, &desc).id, 0));
    assert_int_equal(filo_world_stats(fixture->world).queries, queries);
    assert_int_equal(filo_world_stats(fixture->world).systems, systems);
}

FILO_TEST(mistakes_in_a_description_are_reported) {
    Fixture fixture = fixture_open(0);
    FiloSystemDesc nameless = { .run = do_nothing }, idle = { .name = "idle" };
    expect_fault("a system needs a name", filo_system_add(fixture.world, &nameless));
    nameless.name = "";
    expect_fault("a system needs a name", filo_system_add(fixture.world, &nameless));
    expect_fault("system \"idle\" needs a function to run", filo_system_add(fixture.world, &idle));
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "a", .run = do_nothing });
    expect_refused(&fixture, "there is a system \"a\" already", (FiloSystemDesc){ .name = "a" });
    expect_refused(&fixture, "system \"bad\": register the component Hit before",
                   (FiloSystemDesc){ .query.terms = { FILO_READ(Position), FILO_READ(Hit) } });
    expect_refused(&fixture, "system \"bad\": register the component Hit before",
                   (FiloSystemDesc){ .also[3].terms = { FILO_READ(Hit) } });
    expect_refused(&fixture, "system \"bad\": register the component Hit before",
                   (FiloSystemDesc){ .touches = { FILO_READ(Hit) } });
    expect_refused(&fixture, "system \"bad\": there is no component 999 in this world",
                   (FiloSystemDesc){ .touches = { { .component = { 999 } } } });
    expect_refused(
        &fixture, "choose .once or .parallel",
        (FiloSystemDesc){ .once = true, .parallel = true, .query.terms = { FILO_READ(Position) } });
    expect_refused(
        &fixture, "choose .main_thread or .parallel",
        (FiloSystemDesc){ .main_thread = true, .parallel = true, .query.terms = { FILO_READ(Position) } });
    expect_refused(&fixture, "without terms for entities it has no rows",
                   (FiloSystemDesc){ .parallel = true, .query.terms = { FILO_READ(Score) } });
    expect_refused(&fixture, "would never run: .offset must be less than .every",
                   (FiloSystemDesc){ .every = 3, .offset = 3 });
    expect_refused(&fixture, "would never run", (FiloSystemDesc){ .offset = 1 });
    tick(&fixture);
    fixture_close(&fixture);
}

FILO_TEST(parts_of_a_parallel_system_must_not_see_each_other) {
    Fixture fixture = fixture_open(0);
    expect_refused(
        &fixture, "so they cannot all write the one Score",
        (FiloSystemDesc){ .parallel = true, .query.terms = { FILO_READ(Position), FILO_WRITE(Score) } });
    expect_refused(&fixture, "so one would read Position of a parent while another writes it",
                   (FiloSystemDesc){ .parallel = true,
                                     .query.terms = { FILO_WRITE(Position), FILO_PARENT_READ(Position) } });
    expect_refused(&fixture, "so they cannot all write Velocity in a further query",
                   (FiloSystemDesc){ .parallel = true,
                                     .query.terms = { FILO_WRITE(Position) },
                                     .also[0].terms = { FILO_WRITE(Velocity) } });
    expect_refused(&fixture, "so one would read Position in a further query while another writes it",
                   (FiloSystemDesc){ .parallel = true,
                                     .query.terms = { FILO_WRITE(Position) },
                                     .also[1].terms = { FILO_READ(Position), FILO_READ(Velocity) } });
    // These are fine: other entities, only whether it is there, and what is vouched for.
    FiloSystemDesc good[] = {
        { .query.terms = { FILO_WRITE(Position), FILO_NOT(Velocity) },
          .also[0].terms = { FILO_READ(Position), FILO_READ(Velocity) } },
        { .query.terms = { FILO_WRITE(Position), FILO_READ(Velocity) },
          .also[0].terms = { FILO_READ(Position), FILO_NOT(Velocity) } },
        { .query.terms = { FILO_WRITE(Position) },
          .also[0] = { .terms = { FILO_READ(Position) }, .activity = FILO_INACTIVE } },
        { .query.terms = { FILO_WRITE(Position) }, .also[0].terms = { FILO_HAVING(Position) } },
        { .query.terms = { FILO_WRITE(Position) }, .touches = { FILO_WRITE(Velocity), FILO_READ(Position) } },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(good); i++) {
        char name[2] = { (char)('a' + i), 0 };
        good[i].name = name;
        good[i].run = do_nothing;
        good[i].parallel = true;
        assert_int_not_equal(filo_system_add(fixture.world, &good[i]).id, 0);
    }
    tick(&fixture);
    fixture_close(&fixture);
}

static void misbehave(FiloIter *it) {
    FiloWorld *world = it->world;
    FiloSystemId id = filo_system_named(world, "bad");
    expect_fault("add a system",
                 filo_system_add(world, &(FiloSystemDesc){ .name = "new", .run = do_nothing }));
    expect_fault("remove a system", filo_system_remove(world, id));
    expect_fault("switch it on and off between ticks", filo_system_set_enabled(world, id, false));
    expect_fault("tick", assert_int_equal(filo_world_tick(world, 1).code, FILO_ERROR_ARGUMENT));
    expect_fault("refresh", filo_world_refresh(world));
    expect_fault("create an entity", filo_entity_create(world));
}

FILO_TEST(what_is_for_between_ticks_is_refused_inside_one) {
    Fixture fixture = fixture_open(0);
    FiloSystemId id = filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "bad", .run = misbehave });
    tick(&fixture);
    assert_int_equal(filo_world_ticks(fixture.world), 1);
    assert_true(filo_system_enabled(fixture.world, id));
    assert_int_equal(filo_world_stats(fixture.world).entities, 0);
    filo_system_remove(fixture.world, id);
    fixture_close(&fixture);
}

FILO_TEST(a_world_does_not_tick_inside_an_iteration) {
    Fixture fixture = fixture_open(0);
    FiloQuery *query = filo_query(fixture.world, FILO_READ(Position));
    create_movers(&fixture, 1);
    FiloIter it = filo_query_iter(query);
    assert_true(filo_iter_next(&it));
    expect_fault("tick", assert_error(filo_world_tick(fixture.world, 1), FILO_ERROR_ARGUMENT, "iteration"));
    filo_iter_end(&it);
    tick(&fixture);
    filo_query_release(query);
    fixture_close(&fixture);
}

FILO_TEST(systems_are_listed_in_the_order_of_registration) {
    Fixture fixture = fixture_open(0);
    FiloSystemId late = filo_system_add(
        fixture.world, &(FiloSystemDesc){ .name = "late", .run = count_rows, .once = true, .phase = 50 });
    FiloSystemId early =
        filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "early", .run = count_rows, .once = true });
    assert_int_equal(filo_system_at(fixture.world, 0).id, late.id);
    assert_int_equal(filo_system_at(fixture.world, 1).id, early.id);
    assert_int_equal(filo_system_at(fixture.world, 2).id, 0);
    filo_system_remove(fixture.world, late);
    assert_int_equal(filo_system_at(fixture.world, 0).id, early.id);
    fixture_close(&fixture);
}

FILO_TEST(a_world_tells_whether_it_must_tick_on_the_main_thread) {
    Fixture fixture = fixture_open(0);
    assert_false(filo_world_needs_main_thread(fixture.world));
    FiloSystemId system = filo_system_add(
        fixture.world,
        &(FiloSystemDesc){ .name = "window", .run = count_rows, .once = true, .main_thread = true });
    assert_true(filo_world_needs_main_thread(fixture.world));
    filo_system_set_enabled(fixture.world, system, false);
    assert_false(filo_world_needs_main_thread(fixture.world));
    fixture_close(&fixture);
}
