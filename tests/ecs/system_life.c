// Adding and removing systems, and mistakes in descriptions and ticks.

#include "ecs/system_log.h"

// ---- Adding and removing -----------------------------------------------------------------------------

static void create_one(FiloWorld *world, void *user) {
    log_add(user, "start ");
    filo_create(world, FILO_SET(Position, 1, 2));
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
    assert_int_equal(filo_world_stats(world).entities, 1); // all entities still exist
    log_add(user, "end ");
}

static void log_last(FiloWorld *world, void *user) {
    log_end(world, user);
    log_add(user, "last ");
}

FILO_TEST(systems_end_with_the_world_in_reverse_order) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    filo_create(fixture.world, FILO_SET(Position, 1, 2));
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

FILO_TEST(a_system_may_add_another_when_it_starts) {
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
    name[0] = 'x'; // the name was copied
    assert_int_equal(filo_system_named(fixture.world, "a").id, a.id);
    assert_string_equal(filo_system_name(fixture.world, a), "a");
    assert_int_equal(filo_world_stats(fixture.world).systems, 1);
    filo_system_remove(fixture.world, a);
    assert_int_equal(filo_system_named(fixture.world, "a").id, 0);
    assert_null(filo_system_name(fixture.world, a));
    assert_int_equal(filo_world_stats(fixture.world).systems, 0);
    fixture_close(&fixture);
}

FILO_TEST(a_system_that_is_added_again_starts_with_no_history) {
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
    expect_log(&log, "a "); // everything is new to the added system
    assert_int_equal(filo_system_stats(fixture.world, again).runs, 1);
    fixture_close(&fixture);
}

FILO_TEST(queries_of_a_system_are_released_with_it) {
    Fixture fixture = fixture_open(0);
    size_t before = filo_world_stats(fixture.world).queries;
    FiloSystemId id = filo_system_add(fixture.world,
                                      &(FiloSystemDesc){ .name = "a",
                                                         .run = do_nothing,
                                                         .query.terms = { FILO_READ(Position) },
                                                         .extra_queries[0].terms = { FILO_READ(Velocity) } });
    assert_int_equal(filo_world_stats(fixture.world).queries, before + 2);
    filo_system_remove(fixture.world, id);
    assert_int_equal(filo_world_stats(fixture.world).queries, before);
    fixture_close(&fixture);
}

FILO_TEST(stale_system_ids_are_rejected) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    FiloSystemId a = add_logging(&fixture, &log, "a");
    filo_system_remove(fixture.world, a);
    FiloSystemId b = add_logging(&fixture, &log, "b"); // in the same slot
    assert_int_not_equal(a.id, b.id);
    assert_false(filo_system_enabled(fixture.world, a));
    assert_int_equal(filo_system_stats(fixture.world, a).runs, 0);
    expect_fault("this system was removed already", filo_system_remove(fixture.world, a));
    expect_fault("there is no such system", filo_system_set_enabled(fixture.world, a, false));
    filo_system_remove(fixture.world, (FiloSystemId){ 0 });
    assert_string_equal(filo_system_name(fixture.world, b), "b");
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
                   (FiloSystemDesc){ .extra_queries[3].terms = { FILO_READ(Hit) } });
    expect_refused(&fixture, "system \"bad\": register the component Hit before",
                   (FiloSystemDesc){ .extra_access = { FILO_READ(Hit) } });
    expect_refused(&fixture, "system \"bad\": there is no component 999 in this world",
                   (FiloSystemDesc){ .extra_access = { { .component = { 999 } } } });
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

FILO_TEST(parallel_systems_whose_parts_would_conflict_are_refused) {
    Fixture fixture = fixture_open(0);
    expect_refused(
        &fixture, "so they cannot all write the one Score",
        (FiloSystemDesc){ .parallel = true, .query.terms = { FILO_READ(Position), FILO_WRITE(Score) } });
    expect_refused(&fixture, "so one would read Position of a parent while another writes it",
                   (FiloSystemDesc){ .parallel = true,
                                     .query.terms = { FILO_WRITE(Position), FILO_PARENT_READ(Position) } });
    expect_refused(&fixture, "so they cannot all write Velocity in an extra query",
                   (FiloSystemDesc){ .parallel = true,
                                     .query.terms = { FILO_WRITE(Position) },
                                     .extra_queries[0].terms = { FILO_WRITE(Velocity) } });
    expect_refused(
        &fixture, "so one would read Position in an extra query while another writes it",
        (FiloSystemDesc){ .parallel = true,
                          .query.terms = { FILO_WRITE(Position) },
                          .extra_queries[1].terms = { FILO_READ(Position), FILO_READ(Velocity) } });
    // Allowed: other entities, terms without access, and .extra_access.
    FiloSystemDesc valid[] = {
        { .query.terms = { FILO_WRITE(Position), FILO_WITHOUT(Velocity) },
          .extra_queries[0].terms = { FILO_READ(Position), FILO_READ(Velocity) } },
        { .query.terms = { FILO_WRITE(Position), FILO_READ(Velocity) },
          .extra_queries[0].terms = { FILO_READ(Position), FILO_WITHOUT(Velocity) } },
        { .query.terms = { FILO_WRITE(Position) },
          .extra_queries[0] = { .terms = { FILO_READ(Position) }, .activity = FILO_INACTIVE } },
        { .query.terms = { FILO_WRITE(Position) }, .extra_queries[0].terms = { FILO_WITH(Position) } },
        { .query.terms = { FILO_WRITE(Position) },
          .extra_access = { FILO_WRITE(Velocity), FILO_READ(Position) } },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(valid); i++) {
        char name[2] = { (char)('a' + i), 0 };
        valid[i].name = name;
        valid[i].run = do_nothing;
        valid[i].parallel = true;
        assert_int_not_equal(filo_system_add(fixture.world, &valid[i]).id, 0);
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
    expect_mistake("tick", filo_world_tick(world, 1));
    expect_fault("refresh", filo_world_refresh(world));
    expect_fault("create an entity", filo_entity_create(world));
}

FILO_TEST(functions_for_between_ticks_are_refused_inside_a_tick) {
    Fixture fixture = fixture_open(0);
    FiloSystemId id = filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "bad", .run = misbehave });
    tick(&fixture);
    assert_int_equal(filo_world_ticks(fixture.world), 1);
    assert_true(filo_system_enabled(fixture.world, id));
    assert_int_equal(filo_world_stats(fixture.world).entities, 0);
    filo_system_remove(fixture.world, id);
    fixture_close(&fixture);
}

FILO_TEST(a_tick_inside_an_iteration_is_refused) {
    Fixture fixture = fixture_open(0);
    FiloQuery *query = filo_query(fixture.world, FILO_READ(Position));
    create_movers(&fixture, 1);
    FiloIter it = filo_query_iter(query);
    assert_true(filo_iter_next(&it));
    expect_mistake("tick", filo_world_tick(fixture.world, 1));
    filo_iter_end(&it);
    tick(&fixture);
    filo_query_release(query);
    fixture_close(&fixture);
}
