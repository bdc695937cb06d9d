// Events that systems record, and handlers that access the world.

#include <filo/snapshot.h>

#include "ecs/schedule_access.h"
#include "ecs/system_log.h"

static void hit_all(FiloIter *it) {
    for (size_t i = 0; i < it->count; i++)
        filo_event_record(it->events, filo_name("hit"), FILO_TYPE(Hit), &(Hit){ filo_iter_entity(it, i), 2 });
}

// A plain handler: logs the target of a hit.
static void log_hit(const FiloEvent *event, void *log) {
    const Hit *hit = event->payload;
    log_add(log, "hit%u ", filo_entity_index(hit->target));
}

static void subscribe(Fixture *fixture, const char *event, FiloEventFunction function, void *user) {
    filo_events_subscribe(
        fixture->events, &(FiloHandlerDesc){ .event = filo_name(event), .function = function, .user = user });
}

static void hurt(FiloIter *it, const FiloEvent *event) {
    const Hit *hit = event->payload;
    Health *health = filo_edit(it->world, hit->target, Health);
    health->points -= hit->damage;
    if (health->points <= 0) filo_changes_destroy_entity(it->changes, hit->target);
}

static FiloSubscription handle_hurt(Fixture *fixture) {
    return filo_world_handle(fixture->world,
                             &(FiloWorldHandlerDesc){ .name = "hurt",
                                                      .event = filo_name("hit"),
                                                      .type = FILO_TYPE(Hit),
                                                      .run = hurt,
                                                      .extra_access = { FILO_WRITE(Health) } });
}

FILO_TEST(events_are_delivered_at_the_end_of_the_phase_in_the_order_of_rows) {
    Fixture fixture = fixture_open(4);
    divide_eagerly(fixture.world, true);
    Log log = { 0 };
    create_movers(&fixture, 8);
    subscribe(&fixture, "hit", log_hit, &log);
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "hit",
                                                      .run = hit_all,
                                                      .parallel = true,
                                                      .query.terms = { FILO_READ(Position) } });
    add_logging(&fixture, &log, "stage", .after = { "hit" });
    add_logging(&fixture, &log, "phase", .phase = 1);
    tick(&fixture);
    expect_log(&log, "stage hit0 hit1 hit2 hit3 hit4 hit5 hit6 hit7 phase ");
    fixture_close(&fixture);
}

FILO_TEST(events_of_one_phase_are_delivered_in_the_order_of_systems) {
    Fixture fixture = fixture_open(4);
    divide_eagerly(fixture.world, true);
    Log log = { 0 };
    create_movers(&fixture, 3);
    filo_create(fixture.world, FILO_SET(Target, { 0 }));
    subscribe(&fixture, "hit", log_hit, &log);
    FiloSystemDesc desc = { .run = hit_all, .query.terms = { FILO_READ(Position) } };
    desc.name = "positions";
    filo_system_add(fixture.world, &desc);
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "owners",
                                                      .run = hit_all,
                                                      .before = { "late" },
                                                      .query.terms = { FILO_READ(Target) } });
    for (int i = 0; i < 20; i++) {
        tick(&fixture);
        expect_log(&log, "hit0 hit1 hit2 hit3 ");
    }
    fixture_close(&fixture);
}

FILO_TEST(a_handler_accesses_the_world_and_its_changes_are_applied) {
    Fixture fixture = fixture_open(2);
    FiloEntity strong = filo_create(fixture.world, FILO_SET(Position, 1, 1), FILO_SET(Health, 5));
    FiloEntity weak = filo_create(fixture.world, FILO_SET(Position, 1, 1), FILO_SET(Health, 1));
    handle_hurt(&fixture);
    filo_system_add(
        fixture.world,
        &(FiloSystemDesc){ .name = "hit", .run = hit_all, .query.terms = { FILO_READ(Position) } });
    tick(&fixture);
    assert_int_equal(filo_get(fixture.world, strong, Health)->points, 3);
    assert_false(filo_entity_exists(fixture.world, weak));
    fixture_close(&fixture);
}

FILO_TEST(changes_of_a_handler_are_visible_in_the_next_phase) {
    Fixture fixture = fixture_open(2);
    filo_create(fixture.world, FILO_SET(Position, 1, 1), FILO_SET(Health, 1));
    handle_hurt(&fixture);
    filo_system_add(
        fixture.world,
        &(FiloSystemDesc){ .name = "hit", .run = hit_all, .query.terms = { FILO_READ(Position) } });
    size_t rows = 0;
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "count",
                                                      .run = count_rows,
                                                      .user = &rows,
                                                      .query.terms = { FILO_READ(Position) },
                                                      .phase = 1 });
    tick(&fixture);
    assert_int_equal(rows, 0);
    fixture_close(&fixture);
}

static void log_handler(FiloIter *it, const FiloEvent *event) {
    assert_int_equal(it->count, 0);
    assert_non_null(it->changes);
    assert_ptr_equal(it->events, event->recorder);
    log_add(it->user, "%s@%d ", system_name(it), (int)it->tick);
}

static void handle_log(Fixture *fixture, const char *name, const char *event, Log *log) {
    FiloSubscription subscription = filo_world_handle(
        fixture->world,
        &(FiloWorldHandlerDesc){ .name = name, .event = filo_name(event), .run = log_handler, .user = log });
    assert_true(filo_events_subscribed(fixture->events, subscription));
}

FILO_TEST(handlers_of_one_event_run_in_the_order_of_subscription) {
    Fixture fixture = fixture_open(4);
    Log log = { 0 };
    handle_log(&fixture, "b", "ping", &log);
    handle_log(&fixture, "a", "ping", &log);
    handle_log(&fixture, NULL, "ping", &log);
    filo_events_emit(fixture.events, filo_name("ping"), NULL, NULL);
    tick(&fixture);
    expect_log(&log, "b@0 a@0 ping@0 ");
    filo_events_emit(fixture.events, filo_name("ping"), NULL, NULL);
    filo_events_emit(fixture.events, filo_name("ping"), NULL, NULL);
    tick(&fixture);
    expect_log(&log, "b@1 a@1 ping@1 b@1 a@1 ping@1 ");
    fixture_close(&fixture);
}

static void ping_pong(FiloIter *it, const FiloEvent *event) {
    bool ping = event->name.id == filo_name("ping").id;
    log_add(it->user, ping ? "ping " : "pong ");
    filo_event_record(it->events, filo_name(ping ? "pong" : "ping"), NULL, NULL);
}

FILO_TEST(events_emitted_by_a_handler_are_delivered_at_the_end_of_the_tick) {
    Fixture fixture = fixture_open(2);
    Log log = { 0 };
    FiloWorldHandlerDesc desc = { .name = "echo", .run = ping_pong, .user = &log };
    desc.event = filo_name("ping");
    filo_world_handle(fixture.world, &desc);
    desc.event = filo_name("pong");
    filo_world_handle(fixture.world, &desc);
    add_logging(&fixture, &log, "1");
    add_logging(&fixture, &log, "2", .phase = 1);
    filo_events_emit(fixture.events, filo_name("ping"), NULL, NULL);
    tick(&fixture);
    expect_log(&log, "ping 1 2 pong ");
    tick(&fixture);
    expect_log(&log, "ping 1 2 pong ");
    add_logging(&fixture, &log, "3", .phase = 2); // a further phase changes nothing
    filo_events_emit(fixture.events, filo_name("pong"), NULL, NULL);
    tick(&fixture);
    expect_log(&log, "ping pong 1 2 3 pong ping ");
    fixture_close(&fixture);
}

FILO_TEST(a_tick_of_the_world_is_one_tick_of_the_events) {
    Fixture fixture = fixture_open(2);
    Log log = { 0 };
    handle_log(&fixture, "later", "later", &log);
    tick(&fixture); // without any system
    assert_int_equal(filo_events_tick(fixture.events), 1);
    add_logging(&fixture, &log, "1");
    add_logging(&fixture, &log, "2", .after = { "1" });
    filo_events_emit_later(fixture.events, filo_name("later"), NULL, NULL, 2);
    tick(&fixture);
    tick(&fixture);
    expect_log(&log, "1 2 1 2 ");
    tick(&fixture);
    assert_int_equal(filo_events_tick(fixture.events), 4);
    expect_log(&log, "1 2 later@3 "); // at the end of the tick
    fixture_close(&fixture);
}

static void spawn_and_record(FiloIter *it) {
    for (size_t i = 0; i < it->count; i++) {
        FiloEntity entity = filo_changes_create_entity(it->changes);
        filo_set(it->changes, entity, Health, 10);
        filo_event_record(it->events, filo_name("hit"), FILO_TYPE(Hit), &(Hit){ entity, 3 });
    }
}

FILO_TEST(an_event_may_contain_a_temporary_id) {
    Fixture fixture = fixture_open(4);
    divide_eagerly(fixture.world, true);
    create_movers(&fixture, 20);
    handle_hurt(&fixture);
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "spawn",
                                                      .run = spawn_and_record,
                                                      .parallel = true,
                                                      .query.terms = { FILO_READ(Position) } });
    tick(&fixture);
    FiloQuery *query = filo_query(fixture.world, FILO_READ(Health));
    assert_int_equal(filo_query_count(query), 20);
    for (size_t i = 0; i < 20; i++)
        assert_int_equal(filo_get(fixture.world, filo_query_at(query, i), Health)->points, 7);
    filo_query_release(query);
    fixture_close(&fixture);
}

static void spawn_once(FiloIter *it, const FiloEvent *event) {
    (void)event;
    FiloEntity entity = filo_changes_create_entity(it->changes);
    filo_set(it->changes, entity, Position, 1, 2);
    filo_event_record(it->events, filo_name("spawned"), FILO_TYPE(Target), &(Target){ entity });
}

static void see_spawned(FiloIter *it, const FiloEvent *event) {
    const Target *owner = event->payload;
    log_add(it->user, "spawned %g ", (double)filo_get(it->world, owner->entity, Position)->y);
}

FILO_TEST(outside_of_ticks_a_handler_runs_on_delivery) {
    Fixture fixture = fixture_open(2);
    Log log = { 0 };
    filo_world_handle(fixture.world,
                      &(FiloWorldHandlerDesc){ .event = filo_name("spawn"), .run = spawn_once });
    filo_world_handle(fixture.world, &(FiloWorldHandlerDesc){ .event = filo_name("spawned"),
                                                              .run = see_spawned,
                                                              .user = &log,
                                                              .extra_access = { FILO_READ(Position) } });
    filo_events_emit_now(fixture.events, filo_name("spawn"), NULL, NULL);
    assert_int_equal(filo_world_stats(fixture.world).entities, 1);
    filo_events_emit(fixture.events, filo_name("spawn"), NULL, NULL);
    filo_events_deliver(fixture.events);
    assert_int_equal(filo_world_stats(fixture.world).entities, 2);
    filo_events_deliver_within_tick(fixture.events);
    expect_log(&log, "spawned 2 spawned 2 ");
    assert_int_equal(filo_world_ticks(fixture.world), 0);
    filo_events_emit_now(fixture.events, filo_name("spawn"), NULL, NULL);
    tick(&fixture); // or on the next tick
    assert_int_equal(filo_world_stats(fixture.world).entities, 3);
    expect_log(&log, "spawned 2 ");
    fixture_close(&fixture);
}

static void see_entities(FiloIter *it, const FiloEvent *event) {
    (void)event;
    log_add(it->user, "%zu ", filo_world_stats(it->world).entities);
}

FILO_TEST(outside_of_ticks_all_handlers_of_a_delivery_see_the_world_as_it_was_before) {
    Fixture fixture = fixture_open(2);
    Log log = { 0 };
    FiloWorldHandlerDesc spawn = { .event = filo_name("spawn"), .run = spawn_once };
    FiloWorldHandlerDesc see = { .event = filo_name("spawn"), .run = see_entities, .user = &log };
    filo_world_handle(fixture.world, &spawn);
    filo_world_handle(fixture.world, &see);
    filo_events_emit(fixture.events, filo_name("spawn"), NULL, NULL);
    filo_events_emit(fixture.events, filo_name("spawn"), NULL, NULL);
    filo_events_deliver(fixture.events);
    filo_events_emit_now(fixture.events, filo_name("spawn"), NULL, NULL);
    expect_log(&log, "0 0 2 ");
    fixture_close(&fixture);
}

FILO_TEST(handlers_are_removed_with_the_world_or_by_unsubscribe) {
    Fixture fixture = fixture_open(2);
    Log log = { 0 };
    FiloSubscription subscription = filo_world_handle(
        fixture.world,
        &(FiloWorldHandlerDesc){ .event = filo_name("ping"), .run = log_handler, .user = &log });
    handle_log(&fixture, "b", "ping", &log);
    filo_events_unsubscribe(fixture.events, subscription);
    handle_log(&fixture, "c", "ping", &log);
    assert_int_equal(fixture.world->schedule->handlers.count, 2);
    filo_events_emit_now(fixture.events, filo_name("ping"), NULL, NULL);
    expect_log(&log, "b@0 c@0 ");
    filo_world_destroy(fixture.world);
    assert_int_equal(filo_events_handlers(fixture.events, filo_name("ping")), 0);
    filo_events_emit_now(fixture.events, filo_name("ping"), NULL, NULL);
    expect_log(&log, "");
    fixture.world = NULL;
    fixture_close(&fixture);
}

// ---- Random numbers -----------------------------------------------------------------------------------

static void draw_in_handler(FiloIter *it, const FiloEvent *event) {
    (void)event;
    FiloRandom random = filo_iter_random(it, 0);
    *(uint64_t *)it->user = filo_random_u64(&random);
}
static void draw_in_system(FiloIter *it) {
    FiloRandom random = filo_iter_random(it, 0);
    *(uint64_t *)it->user = filo_random_u64(&random);
}

static void expect_all_different(const uint64_t *drawn, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            if (drawn[i] == drawn[k]) fail_msg("%zu and %zu drew the same", k, i);
}

FILO_TEST(a_handler_draws_different_numbers_than_a_system_of_its_name) {
    enum { NAMES = 12 };
    Fixture fixture = fixture_open(1);
    uint64_t drawn[2 * NAMES];
    for (int i = 0; i < NAMES; i++) {
        char name[32];
        snprintf(name, sizeof name, "draw %d", i);
        filo_world_handle(fixture.world, &(FiloWorldHandlerDesc){ .event = filo_name(name),
                                                                  .run = draw_in_handler,
                                                                  .user = &drawn[2 * i] });
        filo_system_add(fixture.world,
                        &(FiloSystemDesc){ .name = name, .run = draw_in_system, .user = &drawn[2 * i + 1] });
        filo_events_emit(fixture.events, filo_name(name), NULL, NULL);
    }
    tick(&fixture);
    expect_all_different(drawn, 2 * NAMES);
    fixture_close(&fixture);
}

FILO_TEST(handlers_of_one_event_and_name_draw_different_numbers) {
    Fixture fixture = fixture_open(1);
    uint64_t drawn[3], before[3];
    FiloSubscription subscriptions[3];
    FiloWorldHandlerDesc desc = { .event = filo_name("draw"), .run = draw_in_handler };
    for (int i = 0; i < 3; i++) {
        desc.user = &drawn[i];
        subscriptions[i] = filo_world_handle(fixture.world, &desc);
    }
    FiloSnapshot *snapshot = take_snapshot(fixture.world);
    filo_events_emit_now(fixture.events, filo_name("draw"), NULL, NULL);
    expect_all_different(drawn, 3);
    memcpy(before, drawn, sizeof drawn);
    // Remaining handlers keep their numbers; a new one has different numbers.
    filo_events_unsubscribe(fixture.events, subscriptions[1]);
    desc.user = &drawn[1];
    (void)filo_world_handle(fixture.world, &desc);
    assert_ok(filo_snapshot_restore(snapshot, fixture.world)); // the next event is the first one again
    filo_events_emit_now(fixture.events, filo_name("draw"), NULL, NULL);
    assert_memory_equal(drawn, before, sizeof drawn);
    filo_snapshot_destroy(snapshot);
    fixture_close(&fixture);
}

FILO_TEST(two_worlds_can_share_their_events) {
    Fixture fixture = fixture_open(2);
    FiloWorld *second;
    assert_ok(filo_world_create(&second, &(FiloWorldDesc){ .jobs = fixture.jobs, .events = fixture.events }));
    Log log = { 0 };
    filo_component(second, Position);
    filo_world_handle(second, &(FiloWorldHandlerDesc){ .event = filo_name("spawn"), .run = spawn_once });
    handle_log(&fixture, "first", "spawn", &log);
    filo_events_emit(fixture.events, filo_name("spawn"), NULL, NULL);
    tick(&fixture); // of the first world; for the handler of the second this is between ticks
    expect_log(&log, "first@0 ");
    assert_int_equal(filo_world_stats(second).entities, 1);
    filo_world_destroy(second);
    fixture_close(&fixture);
}

// ---- Mistakes ----------------------------------------------------------------------------------------

static void read_position(FiloIter *it, const FiloEvent *event) {
    (void)event;
    (void)filo_get(it->world, *(FiloEntity *)it->user, Position);
}

FILO_TEST(undeclared_access_of_a_handler_is_reported) {
    only_in_debug_builds();
    Fixture fixture = fixture_open(1);
    FiloEntity entity = filo_create(fixture.world, FILO_SET(Position, 1, 1));
    filo_world_handle(fixture.world, &(FiloWorldHandlerDesc){ .name = "curious",
                                                              .event = filo_name("ping"),
                                                              .run = read_position,
                                                              .user = &entity });
    filo_events_emit(fixture.events, filo_name("ping"), NULL, NULL);
    expect_fault("\"curious\" reads Position, which it did not declare", tick(&fixture));
    fixture_close(&fixture);
}

FILO_TEST(misuse_of_handlers_is_reported) {
    Fixture fixture = fixture_open(1), silent = fixture_open(0);
    FiloWorldHandlerDesc desc = { .name = "bad", .event = filo_name("hit"), .run = hurt };
    expect_fault("a world without events has no handlers", filo_world_handle(silent.world, &desc));
    desc.run = NULL;
    expect_fault("a handler needs an event and a function", filo_world_handle(fixture.world, &desc));
    desc.run = hurt;
    desc.event = (FiloName){ 0 };
    expect_fault("a handler needs an event and a function", filo_world_handle(fixture.world, &desc));
    desc.event = filo_name("hit");
    desc.extra_access[0] = (FiloTerm)FILO_READ(Hit);
    expect_fault("handler \"bad\": register the component Hit before",
                 filo_world_handle(fixture.world, &desc));
    desc.extra_access[0] = (FiloTerm){ 0 };
    desc.type = FILO_TYPE(Hit);
    assert_ok(filo_events_declare(fixture.events, desc.event, FILO_TYPE(Target)));
    filo_test_faults_begin();
    assert_false(filo_events_subscribed(fixture.events, filo_world_handle(fixture.world, &desc)));
    filo_test_faults_end("hit", __FILE__, __LINE__);
    assert_int_equal(fixture.world->schedule->handlers.count, 0);
    fixture_close(&silent);
    fixture_close(&fixture);
}

static void add_handler(FiloIter *it) {
    FiloWorldHandlerDesc desc = { .event = filo_name("hit"), .run = hurt };
    expect_fault("add a handler", filo_world_handle(it->world, &desc));
}

static void emit_now(FiloIter *it) {
    expect_fault("inside a system, record events in it->events",
                 filo_events_emit_now(filo_world_events(it->world), filo_name("ping"), NULL, NULL));
}

FILO_TEST(systems_cannot_add_handlers_or_deliver_events) {
    Fixture fixture = fixture_open(1);
    Log log = { 0 };
    handle_log(&fixture, "a", "ping", &log);
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "add", .run = add_handler });
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "emit", .run = emit_now, .main_thread = true });
    tick(&fixture);
    expect_log(&log, "");
    fixture_close(&fixture);
}

static void create_directly(const FiloEvent *event, void *world) {
    (void)event;
    expect_fault("create an entity", filo_entity_create(world));
}

FILO_TEST(plain_handlers_cannot_change_the_world_in_a_tick) {
    Fixture fixture = fixture_open(1);
    subscribe(&fixture, "ping", create_directly, fixture.world);
    filo_events_emit(fixture.events, filo_name("ping"), NULL, NULL);
    tick(&fixture);
    assert_int_equal(filo_world_stats(fixture.world).entities, 0);
    fixture_close(&fixture);
}
