// Handlers of one delivery: changes of earlier handlers are visible, and random numbers.

#include <filo/observer.h>
#include <filo/snapshot.h>

#include "ecs/schedule_access.h"
#include "ecs/system_fixture.h"

// ---- Changes ----------------------------------------------------------------------------------------------

static void eat_once(FiloIter *it, const FiloEvent *event) {
    const Hit *hit = event->payload;
    if (!filo_changes_exists(it->changes, hit->target)) return;
    filo_destroy(it->changes, hit->target);
    filo_edit_global(it->world, Score)->points++;
}

static void handle_eating(Fixture *fixture, const char *name, const char *event) {
    filo_world_handle(fixture->world, &(FiloWorldHandlerDesc){ .name = name,
                                                               .event = filo_name(event),
                                                               .type = FILO_TYPE(Hit),
                                                               .run = eat_once,
                                                               .extra_access = { FILO_WRITE(Score) } });
}

static void catch_all(FiloIter *it) {
    for (size_t i = 0; i < it->count; i++) {
        Hit hit = { filo_iter_entity(it, i), 0 };
        filo_event_record(it->events, filo_name("caught"), FILO_TYPE(Hit), &hit);
        filo_event_record(it->events, filo_name("bitten"), FILO_TYPE(Hit), &hit);
        filo_event_record(it->events, filo_name("caught"), FILO_TYPE(Hit), &hit);
    }
}

static int64_t points(const Fixture *fixture) { return filo_get_global(fixture->world, Score)->points; }

static void handle_meals(Fixture *fixture) {
    handle_eating(fixture, "wolf", "caught");
    handle_eating(fixture, "fox", "caught");
    handle_eating(fixture, "crow", "bitten");
}

FILO_TEST(handlers_see_entities_destroyed_by_earlier_handlers_of_a_delivery) {
    for (int threads = 1; threads <= 16; threads *= 2) {
        Fixture fixture = fixture_open(threads);
        divide_eagerly(fixture.world, true);
        create_movers(&fixture, 100);
        handle_meals(&fixture);
        filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "catch",
                                                          .run = catch_all,
                                                          .parallel = true,
                                                          .query.terms = { FILO_READ(Position) } });
        tick(&fixture);
        assert_int_equal(points(&fixture), 100);
        assert_int_equal(filo_world_stats(fixture.world).entities, 0);
        fixture_close(&fixture);
    }
}

FILO_TEST(outside_of_ticks_handlers_see_entities_destroyed_by_earlier_handlers) {
    Fixture fixture = fixture_open(2);
    Hit hit = { filo_create(fixture.world, FILO_SET(Position, 1, 1)), 0 };
    handle_meals(&fixture);
    filo_events_emit(fixture.events, filo_name("caught"), FILO_TYPE(Hit), &hit);
    filo_events_emit(fixture.events, filo_name("bitten"), FILO_TYPE(Hit), &hit);
    filo_events_deliver(fixture.events);
    assert_int_equal(points(&fixture), 1);
    assert_false(filo_entity_exists(fixture.world, hit.target));
    fixture_close(&fixture);
}

// The first call creates an entity. Later calls find it by a global component and add a point.
static void add_points(FiloIter *it, const FiloEvent *event) {
    (void)event;
    const Target *owner = filo_get(it->changes, FILO_ENTITY_NONE, Target);
    if (owner->entity.id == 0) {
        FiloEntity created = filo_create(it->changes, FILO_SET(Health, 1));
        filo_set_global(it->changes, Target, created);
        return;
    }
    FiloEntity entity = owner->entity;
    filo_set(it->changes, entity, Health, filo_get(it->changes, entity, Health)->points + 1);
}

FILO_TEST(later_handlers_can_change_entities_created_by_earlier_ones) {
    FiloJobs *jobs;
    FiloEvents *events;
    FiloWorld *world;
    assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 4 }));
    assert_ok(filo_events_create(&events, &(FiloEventsDesc){ .jobs = jobs }));
    assert_ok(filo_world_create(&world, &(FiloWorldDesc){ .jobs = jobs, .events = events }));
    filo_component(world, Health);
    filo_component(world, Target, .storage = FILO_STORAGE_GLOBAL);
    for (int i = 0; i < 2; i++)
        filo_world_handle(
            world, &(FiloWorldHandlerDesc){ .event = filo_name("add_points"),
                                            .run = add_points,
                                            .extra_access = { FILO_READ(Target), FILO_READ(Health) } });
    for (int i = 0; i < 3; i++) filo_events_emit(events, filo_name("add_points"), NULL, NULL);
    assert_ok(filo_world_tick(world, 0.5f));
    assert_int_equal(filo_world_stats(world).entities, 1);
    FiloEntity entity = filo_get_global(world, Target)->entity;
    assert_int_equal(filo_get(world, entity, Health)->points, 6);
    // The next delivery starts with the present world.
    filo_events_emit(events, filo_name("add_points"), NULL, NULL);
    assert_ok(filo_world_tick(world, 0.5f));
    assert_int_equal(filo_get(world, entity, Health)->points, 8);
    filo_world_destroy(world);
    filo_events_destroy(events);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

static void destroy_all(FiloIter *it, const FiloObserved *observed) {
    for (size_t i = 0; i < observed->count; i++) {
        if (!filo_changes_exists(it->changes, observed->entities[i])) continue;
        filo_destroy(it->changes, observed->entities[i]);
        filo_edit_global(it->world, Score)->points++;
    }
}

FILO_TEST(observers_see_entities_destroyed_by_earlier_observers_of_a_round) {
    Fixture fixture = fixture_open(2);
    for (int i = 0; i < 2; i++)
        filo_observer_add(fixture.world, &(FiloObserverDesc){ .run = destroy_all,
                                                              .kinds = FILO_OBSERVE_ADDED,
                                                              .type = FILO_TYPE(Position),
                                                              .extra_access = { FILO_WRITE(Score) } });
    create_movers(&fixture, 3);
    tick(&fixture);
    assert_int_equal(points(&fixture), 3);
    assert_int_equal(filo_world_stats(fixture.world).entities, 0);
    fixture_close(&fixture);
}

// ---- Random numbers -----------------------------------------------------------------------------------------

enum { DRAWN = 256 };
typedef struct Drawn {
    uint64_t numbers[DRAWN];
    size_t count;
    FiloQuery *query; // of draw_for_rows
} Drawn;

static void draw(FiloIter *it, const FiloEvent *event) {
    (void)event;
    Drawn *drawn = it->user;
    FiloRandom random = filo_iter_random(it, 0);
    drawn->numbers[drawn->count++ % DRAWN] = filo_random_u64(&random);
}

static void draw_for_rows(FiloIter *it, const FiloEvent *event) {
    (void)event;
    Drawn *drawn = it->user;
    FiloIter rows = filo_iter_over(it, drawn->query);
    while (filo_iter_next(&rows))
        for (size_t i = 0; i < rows.count; i++) {
            FiloRandom random = filo_iter_random(&rows, i);
            drawn->numbers[drawn->count++ % DRAWN] = filo_random_u64(&random);
        }
}

static void handle_drawing(Fixture *fixture, FiloWorldHandlerFunction run, Drawn *drawn) {
    filo_world_handle(fixture->world, &(FiloWorldHandlerDesc){ .event = filo_name("draw"),
                                                               .run = run,
                                                               .user = drawn,
                                                               .extra_access = { FILO_READ(Velocity) } });
}

static void emit_draws(Fixture *fixture, int count) {
    for (int i = 0; i < count; i++) filo_events_emit(fixture->events, filo_name("draw"), NULL, NULL);
}

static void expect_all_different(const Drawn *drawn, size_t count) {
    assert_int_equal(drawn->count, count);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            if (drawn->numbers[i] == drawn->numbers[k]) fail_msg("%zu and %zu are the same", k, i);
}

FILO_TEST(a_handler_draws_different_numbers_for_each_event) {
    Fixture fixture = fixture_open(2);
    Drawn drawn = { 0 };
    handle_drawing(&fixture, draw, &drawn);
    emit_draws(&fixture, 20);
    tick(&fixture); // in one delivery,
    emit_draws(&fixture, 20);
    tick(&fixture); // in the next tick,
    emit_draws(&fixture, 3);
    filo_events_deliver(fixture.events); // and before the one after that
    for (int i = 0; i < 3; i++) filo_events_emit_now(fixture.events, filo_name("draw"), NULL, NULL);
    emit_draws(&fixture, 4);
    tick(&fixture);
    expect_all_different(&drawn, 20 + 20 + 3 + 3 + 4);
    fixture_close(&fixture);
}

static void record_draw(FiloIter *it) { filo_event_record(it->events, filo_name("draw"), NULL, NULL); }

FILO_TEST(a_handler_draws_different_numbers_after_each_stage) {
    Fixture fixture = fixture_open(2);
    Drawn drawn = { 0 };
    handle_drawing(&fixture, draw, &drawn);
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "first", .run = record_draw });
    filo_system_add(fixture.world,
                    &(FiloSystemDesc){ .name = "second", .run = record_draw, .after = { "first" } });
    tick(&fixture);
    expect_all_different(&drawn, 2);
    fixture_close(&fixture);
}

FILO_TEST(a_handler_draws_different_numbers_for_the_rows_of_each_event) {
    Fixture fixture = fixture_open(1);
    Drawn drawn = { .query = filo_query(fixture.world, FILO_READ(Velocity)) };
    create_movers(&fixture, 10);
    handle_drawing(&fixture, draw_for_rows, &drawn);
    emit_draws(&fixture, 5);
    tick(&fixture);
    expect_all_different(&drawn, 50);
    filo_query_release(drawn.query);
    fixture_close(&fixture);
}

static void play(Fixture *fixture, Drawn *drawn) {
    *drawn = (Drawn){ 0 };
    for (int i = 0; i < 3; i++) {
        emit_draws(fixture, i + 1);
        filo_events_emit_now(fixture->events, filo_name("draw"), NULL, NULL);
        tick(fixture);
    }
}

FILO_TEST(random_numbers_of_events_are_the_same_after_a_rewind_and_on_any_number_of_threads) {
    Drawn first = { 0 };
    for (int threads = 1; threads <= 16; threads *= 2) {
        Fixture fixture = fixture_open(threads);
        Drawn drawn = { 0 }, again = { 0 };
        handle_drawing(&fixture, draw, &drawn);
        FiloSnapshot *snapshot = take_snapshot(fixture.world);
        play(&fixture, &drawn);
        again = drawn;
        assert_ok(filo_snapshot_restore(snapshot, fixture.world));
        play(&fixture, &drawn);
        assert_memory_equal(&drawn, &again, sizeof drawn);
        if (threads == 1) first = drawn;
        assert_memory_equal(&drawn, &first, sizeof drawn);
        expect_all_different(&drawn, 9);
        filo_snapshot_destroy(snapshot);
        fixture_close(&fixture);
    }
}

// Other events, such as those of loaded assets, are not part of the state of the world.
FILO_TEST(random_numbers_of_events_do_not_depend_on_unrelated_events) {
    Drawn drawn[2] = { 0 };
    for (int i = 0; i < 2; i++) {
        Fixture fixture = fixture_open(1);
        handle_drawing(&fixture, draw, &drawn[i]);
        for (int k = 0; k < 3 * i; k++) filo_events_emit(fixture.events, filo_name("loaded"), NULL, NULL);
        emit_draws(&fixture, 3);
        tick(&fixture);
        fixture_close(&fixture);
    }
    assert_memory_equal(&drawn[0], &drawn[1], sizeof drawn[0]);
}
