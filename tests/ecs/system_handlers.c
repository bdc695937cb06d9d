// What handlers of one delivery have in common: the changes that those before have recorded.

#include <filo/observer.h>

#include "ecs/system_fixture.h"

SYSTEM_FIXTURE_TYPES

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
                                                               .touches = { FILO_WRITE(Score) } });
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

FILO_TEST(handlers_of_one_delivery_see_what_those_before_have_destroyed) {
    for (int threads = 1; threads <= 16; threads *= 2) {
        Fixture fixture = fixture_open(threads);
        fixture.world->schedule->eager = true;
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

FILO_TEST(outside_of_ticks_handlers_see_what_those_before_have_destroyed) {
    Fixture fixture = fixture_open(2);
    Hit hit = { filo_create(fixture.world, FILO_WITH(Position, 1, 1)), 0 };
    handle_meals(&fixture);
    filo_events_emit(fixture.events, filo_name("caught"), FILO_TYPE(Hit), &hit);
    filo_events_emit(fixture.events, filo_name("bitten"), FILO_TYPE(Hit), &hit);
    filo_events_deliver(fixture.events);
    assert_int_equal(points(&fixture), 1);
    assert_false(filo_entity_exists(fixture.world, hit.target));
    fixture_close(&fixture);
}

// The first call creates an entity, the others find it by a global component and make it older.
static void grow(FiloIter *it, const FiloEvent *event) {
    (void)event;
    const Owner *owner = filo_get(it->changes, FILO_ENTITY_NONE, Owner);
    if (owner->entity.id == 0) {
        FiloEntity created = filo_create(it->changes, FILO_WITH(Health, 1));
        filo_set_global(it->changes, Owner, created);
        return;
    }
    FiloEntity entity = owner->entity;
    filo_set(it->changes, entity, Health, filo_get(it->changes, entity, Health)->points + 1);
}

FILO_TEST(what_one_handler_creates_the_next_ones_can_change) {
    FiloJobs *jobs;
    FiloEvents *events;
    FiloWorld *world;
    assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 4 }));
    assert_ok(filo_events_create(&events, &(FiloEventsDesc){ .jobs = jobs }));
    assert_ok(filo_world_create(&world, &(FiloWorldDesc){ .jobs = jobs, .events = events }));
    filo_component(world, Health);
    filo_component(world, Owner, .storage = FILO_STORAGE_GLOBAL);
    for (int i = 0; i < 2; i++)
        filo_world_handle(world,
                          &(FiloWorldHandlerDesc){ .event = filo_name("grow"),
                                                   .run = grow,
                                                   .touches = { FILO_READ(Owner), FILO_READ(Health) } });
    for (int i = 0; i < 3; i++) filo_events_emit(events, filo_name("grow"), NULL, NULL);
    assert_ok(filo_world_tick(world, 0.5f));
    assert_int_equal(filo_world_stats(world).entities, 1);
    FiloEntity entity = filo_get_global(world, Owner)->entity;
    assert_int_equal(filo_get(world, entity, Health)->points, 6);
    // The next delivery begins with the world as it is now.
    filo_events_emit(events, filo_name("grow"), NULL, NULL);
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

FILO_TEST(observers_of_one_round_see_what_those_before_have_destroyed) {
    Fixture fixture = fixture_open(2);
    for (int i = 0; i < 2; i++)
        filo_observer_add(fixture.world, &(FiloObserverDesc){ .run = destroy_all,
                                                              .kinds = FILO_OBSERVE_ADDED,
                                                              .type = FILO_TYPE(Position),
                                                              .touches = { FILO_WRITE(Score) } });
    create_movers(&fixture, 3);
    tick(&fixture);
    assert_int_equal(points(&fixture), 3);
    assert_int_equal(filo_world_stats(fixture.world).entities, 0);
    fixture_close(&fixture);
}
