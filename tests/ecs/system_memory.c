// Systems and memory: a steady tick allocates nothing; running out of memory.

#include "ecs/schedule_access.h"
#include "ecs/system_log.h"
#include "support/failing_allocator.h"
#include "support/malloc_count.h"

// Freezes and thaws every other entity, and records an event for each frozen one.
static void freeze(FiloIter *it) {
    for (size_t i = 0; i < it->count; i++) {
        FiloEntity entity = filo_iter_entity(it, i);
        if ((entity.id + it->tick) % 2 == 0) {
            filo_add(it->changes, entity, Frozen);
            filo_event_record(it->events, filo_name("hit"), FILO_TYPE(Hit), &(Hit){ entity, 1 });
        } else {
            filo_remove(it->changes, entity, Frozen);
        }
    }
}

static void respawn(FiloIter *it) {
    for (size_t i = 0; i < it->count; i++) {
        FiloEntity entity = filo_changes_create_entity(it->changes);
        filo_set(it->changes, entity, Target, filo_iter_entity(it, i));
        filo_changes_destroy_entity(it->changes, filo_iter_entity(it, i));
    }
}

static void on_hit(FiloIter *it, const FiloEvent *event) {
    const Hit *hit = event->payload;
    filo_set(it->changes, hit->target, Health, hit->damage);
}

static uint64_t by_position(const FiloIter *it, size_t row, void *user) {
    (void)user;
    return filo_sort_key_float(filo_read(it, Position)[row].x);
}

// Sorts its query, whose number of rows varies.
static void sort_some(FiloIter *it) {
    FiloEntity lowest[4];
    assert_int_not_equal(filo_query_sorted(it->query, by_position, NULL, lowest, FILO_COUNT_OF(lowest)), 0);
}

static void add_busy_systems(Fixture *fixture) {
    const FiloSystemDesc systems[] = {
        { .name = "move",
          .run = move_by_velocity,
          .parallel = true,
          .query.terms = { FILO_WRITE(Position), FILO_READ(Velocity) } },
        { .name = "freeze", .run = freeze, .parallel = true, .query.terms = { FILO_READ(Position) } },
        { .name = "respawn", .run = respawn, .query.terms = { FILO_READ(Target) } },
        { .name = "heal", .run = do_nothing, .query.terms = { FILO_WRITE(Health), FILO_READ(Position) } },
        { .name = "sort frozen",
          .run = sort_some,
          .once = true,
          .query.terms = { FILO_READ(Position), FILO_WITHOUT(Frozen) } },
        { .name = "sort all", .run = sort_some, .once = true, .query.terms = { FILO_READ(Position) } },
        { .name = "idle", .run = do_nothing },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(systems); i++)
        assert_int_not_equal(filo_system_add(fixture->world, &systems[i]).id, 0);
    filo_world_handle(fixture->world, &(FiloWorldHandlerDesc){ .event = filo_name("hit"), .run = on_hit });
}

static void expect_steady(int threads, bool eager) {
    Fixture fixture = fixture_open(threads);
    divide_eagerly(fixture.world, eager);
    add_busy_systems(&fixture);
    create_movers(&fixture, 2000);
    for (int i = 0; i < 50; i++) filo_create(fixture.world, FILO_SET(Target, { 0 }));
    // Change sets are assigned to systems at random, so it takes a while until all of them are large enough.
    int steady = 0;
    for (int i = 0; i < 20000 && steady < 200; i++) {
        uint64_t before = filo_test_malloc_calls();
        tick(&fixture);
        steady = filo_test_malloc_calls() == before ? steady + 1 : 0;
    }
    assert_int_equal(steady, 200);
    fixture_close(&fixture);
}

FILO_TEST(a_steady_tick_allocates_nothing) {
    if (!FILO_TEST_COUNTS_MALLOC) skip();
    expect_steady(1, false);
}

FILO_TEST(a_steady_tick_on_several_threads_allocates_nothing) {
    if (!FILO_TEST_COUNTS_MALLOC) skip();
    expect_steady(2, true);
}

// ---- Without memory ----------------------------------------------------------------------------------

FILO_TEST(without_memory_a_system_is_not_added_and_nothing_is_lost) {
    FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
    FiloWorld *world = create_world_in(&failing.allocator);
    filo_component(world, Position);
    filo_component(world, Velocity);
    filo_component(world, Target);
    FiloSystemDesc desc = { .name = "new",
                            .run = move_by_velocity,
                            .parallel = true,
                            .query.terms = { FILO_WRITE(Position), FILO_READ(Velocity) },
                            .extra_queries[0].terms = { FILO_READ(Target) } };
    size_t queries = filo_world_stats(world).queries;
    bool added = false;
    for (size_t allowed = 0; !added; allowed++) {
        assert_true(allowed < 100);
        failing_allow(&failing, allowed);
        FiloSystemId id = filo_system_add(world, &desc);
        added = id.id != 0;
        if (!added) assert_int_equal(filo_world_stats(world).queries, queries);
    }
    failing_end(&failing);
    assert_ok(filo_world_tick(world, 1));
    filo_world_destroy(world);
}

FILO_TEST(without_memory_for_the_schedule_nothing_runs_until_there_is_some) {
    FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
    FiloWorld *world = create_world_in(&failing.allocator);
    Log log = { 0 };
    for (int i = 0; i < 20; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d", i);
        filo_system_add(world,
                        &(FiloSystemDesc){ .name = name, .run = log_name, .user = &log, .after = { "3" } });
        if (i == 3) filo_system_remove(world, filo_system_named(world, "3"));
    }
    filo_system_add(world, &(FiloSystemDesc){ .name = "3", .run = log_name, .user = &log });
    size_t refused = 0;
    for (size_t allowed = 0;; allowed++) {
        assert_true(allowed < 100);
        failing_allow(&failing, allowed);
        FiloResult r = filo_world_tick(world, 1);
        if (r.code == FILO_OK) break;
        assert_error(r, FILO_ERROR_MEMORY, "no memory for the schedule");
        assert_string_equal(log.text, "");
        refused++;
    }
    assert_true(refused > 3);
    assert_contains(log.text, "3 0 1 2 4 ");
    failing_end(&failing);
    filo_world_destroy(world);
}

FILO_TEST(without_memory_a_handler_is_not_added) {
    FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
    Fixture fixture = fixture_open(1);
    FiloWorld *world;
    assert_ok(filo_world_create(
        &world,
        &(FiloWorldDesc){ .allocator = &failing.allocator, .jobs = fixture.jobs, .events = fixture.events }));
    filo_component(world, Health);
    FiloName event = filo_name("hit");
    for (size_t allowed = 0;; allowed++) {
        assert_true(allowed < 20);
        failing_allow(&failing, allowed);
        FiloSubscription subscription = filo_world_handle(
            world,
            &(FiloWorldHandlerDesc){ .event = event, .run = on_hit, .extra_access = { FILO_WRITE(Health) } });
        if (filo_events_subscribed(fixture.events, subscription)) break;
        assert_int_equal(filo_events_handlers(fixture.events, event), 0);
    }
    failing_end(&failing);
    filo_world_destroy(world);
    fixture_close(&fixture);
}
