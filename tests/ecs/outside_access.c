// Debug builds report each access to a world from outside a tick while that runs on other threads, or while the app
// refuses it, and no other access.
//
// A tick runs on a worker, and waits in the middle until the main thread has made its accesses.

#include <filo/accessor.h>
#include <filo/lookup.h>
#include <filo/observer.h>
#include <filo/snapshot.h>

#include "base/atomic.h"
#include "ecs/system_fixture.h"

#define READING                                                                                              \
    "this thread uses the world while a tick is running on others: copy what you draw in `extract`"
#define CHANGING "while a tick is running on other threads: do it in `frame`, in a system, or between ticks"

// ---- A tick that waits --------------------------------------------------------------------------------------

static BASE_ATOMIC(int) stopped, resumed;

static void stop_here(void) {
    base_store_release(&stopped, 1); // release: pairs with the acquire in begin_tick
    while (base_load_acquire(&resumed) == 0)
        filo_thread_yield(); // acquire: pairs with the release in end_tick
}

static void stop_in_system(FiloIter *it) {
    (void)it;
    stop_here();
}

static void run_tick(FiloJob *job, void *data) {
    (void)job;
    (void)filo_world_tick(*(FiloWorld **)data, 0.5f);
}

static void begin_tick(Fixture *fixture, FiloJob *job) {
    base_store_relaxed(&stopped, 0);
    base_store_relaxed(&resumed, 0);
    filo_job_init(job, run_tick, &fixture->world, sizeof fixture->world);
    filo_job_set_worker(job, 1);
    filo_jobs_run(fixture->jobs, job);
    while (base_load_acquire(&stopped) == 0)
        filo_thread_yield(); // acquire: pairs with the release in stop_here
}

static void end_tick(Fixture *fixture, FiloJob *job) {
    base_store_release(&resumed, 1); // release: pairs with the acquire in stop_here
    filo_jobs_wait(fixture->jobs, job);
}

// ---- Reported access ----------------------------------------------------------------------------------------

static void read_everything(Fixture *fixture, FiloEntity entity, FiloQuery *query,
                            const FiloAccessor *accessor) {
    FiloWorld *world = fixture->world;
    expect_fault(READING, assert_null(filo_get(world, entity, Position)));
    expect_fault(READING, assert_null(filo_get(world, entity, Health)));
    expect_fault(READING, assert_false(filo_has(world, entity, Position)));
    expect_fault(READING, assert_non_null(filo_edit(world, entity, Position)));
    expect_fault(READING, assert_null(filo_try_edit(world, entity, Health)));
    expect_fault(READING, assert_non_null(filo_get_global(world, Score)));
    expect_fault(READING, assert_non_null(filo_edit_global(world, Score)));
    expect_fault(READING, assert_false(filo_set_global(world, Score, .points = 3)));
    expect_fault(READING, assert_null(filo_access(accessor, entity, Position)));
    expect_fault(READING, assert_false(filo_entity_exists(world, entity)));
    expect_fault(READING, assert_false(filo_entity_active(world, entity)));
    expect_fault(READING, assert_null(filo_entity_name(world, entity)));
    expect_fault(READING, assert_int_equal(filo_world_find(world, "one").id, 0));
    expect_fault(READING, assert_int_equal(filo_entity_parent(world, entity).id, 0));
    expect_fault(READING, assert_int_equal(filo_world_stats(world).entities, 0));
    expect_fault(READING, assert_int_equal(filo_world_hash(world), 0));
    const void *value;
    expect_fault(READING,
                 assert_int_equal(filo_entity_get_many(world, &entity, 1,
                                                       filo_component_of(world, FILO_TYPE(Position)), &value),
                                  0));
    expect_fault(READING, assert_int_equal(filo_query_count(query), 0));
    expect_fault(READING, assert_int_equal(filo_query_first(query).id, 0));
    expect_fault(READING, assert_null(filo_query(world, FILO_READ(Velocity))));
    filo_test_faults_begin();
    FiloIter it = filo_query_iter(query);
    assert_false(filo_iter_next(&it));
    filo_test_faults_end(READING, __FILE__, __LINE__);
}

static void change_everything(Fixture *fixture, FiloEntity entity) {
    FiloWorld *world = fixture->world;
    expect_fault("cannot create an entity " CHANGING, filo_entity_create(world));
    expect_fault("cannot destroy an entity " CHANGING, filo_destroy(world, entity));
    expect_fault("cannot add a component " CHANGING, filo_add(world, entity, Frozen));
    expect_fault("cannot remove a component " CHANGING, filo_remove(world, entity, Position));
    expect_fault(READING, filo_set(world, entity, Position, 1, 2));
    expect_fault(CHANGING, filo_entity_set_active(world, entity, false));
    expect_mistake("cannot reset a world " CHANGING, filo_world_reset(world, 0));
    expect_mistake("cannot tick " CHANGING, filo_world_tick(world, 0.5f));
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    expect_mistake("take a snapshot between ticks", filo_snapshot_take(snapshot, world));
    filo_snapshot_destroy(snapshot);
}

static FiloEntity create_entity(Fixture *fixture) {
    FiloEntity entity = filo_create(fixture->world, FILO_SET(Position, 1, 2), FILO_SET(Health, 3));
    assert_true(filo_entity_set_name(fixture->world, entity, "one"));
    return entity;
}

FILO_TEST(every_access_from_outside_while_systems_run_is_reported) {
    only_in_debug_builds();
    Fixture fixture = fixture_open(2);
    FiloEntity entity = create_entity(&fixture);
    FiloQuery *query = filo_query(fixture.world, FILO_READ(Position));
    FiloAccessor accessor = filo_accessor(fixture.world, Position);
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "stop", .run = stop_in_system });
    FiloJob job;
    begin_tick(&fixture, &job);
    read_everything(&fixture, entity, query, &accessor);
    change_everything(&fixture, entity);
    end_tick(&fixture, &job);
    assert_int_equal(filo_get(fixture.world, entity, Position)->y, 2); // allowed after the tick
    assert_int_equal(filo_query_count(query), 1);
    filo_query_release(query);
    fixture_close(&fixture);
}

static BASE_ATOMIC(bool) stops_in_hook;

static void construct_slowly(void *value, void *user) {
    (void)user;
    *(Velocity *)value = (Velocity){ 0 };
    if (base_load_relaxed(&stops_in_hook)) stop_here();
}

static void create_another(FiloIter *it) { filo_create(it->changes, FILO_SET(Velocity, 1, 1)); }

FILO_TEST(every_access_from_outside_while_changes_are_applied_is_reported) {
    only_in_debug_builds();
    Fixture fixture = fixture_open(2);
    filo_world_destroy(fixture.world);
    assert_ok(filo_world_create(&fixture.world,
                                &(FiloWorldDesc){ .jobs = fixture.jobs, .events = fixture.events }));
    filo_component(fixture.world, Position);
    filo_component(fixture.world, Health, .storage = FILO_STORAGE_SPARSE);
    filo_component(fixture.world, Score, .storage = FILO_STORAGE_GLOBAL);
    filo_component(fixture.world, Frozen);
    filo_component(fixture.world, Velocity, .hooks = { .construct = construct_slowly });
    FiloEntity entity = create_entity(&fixture);
    FiloQuery *query = filo_query(fixture.world, FILO_READ(Position));
    FiloAccessor accessor = filo_accessor(fixture.world, Position);
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "create", .run = create_another });
    base_store_relaxed(&stops_in_hook, true);
    FiloJob job;
    begin_tick(&fixture, &job);
    base_store_relaxed(&stops_in_hook, false);
    read_everything(&fixture, entity, query, &accessor);
    change_everything(&fixture, entity);
    end_tick(&fixture, &job);
    assert_int_equal(filo_world_stats(fixture.world).entities, 2);
    filo_query_release(query);
    fixture_close(&fixture);
}

static void read_in_job(size_t begin, size_t end, void *user) {
    (void)begin, (void)end;
    (void)filo_get_global((FiloWorld *)user, Score);
}

FILO_TEST(access_in_a_job_started_outside_the_tick_is_reported) {
    only_in_debug_builds();
    Fixture fixture = fixture_open(4);
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "stop", .run = stop_in_system });
    FiloJob job;
    begin_tick(&fixture, &job);
    expect_faults(8, READING, filo_jobs_for_each(fixture.jobs, 8, read_in_job, fixture.world));
    end_tick(&fixture, &job);
    fixture_close(&fixture);
}

static void read_in_thread(void *world) { (void)filo_get_global((FiloWorld *)world, Score); }

FILO_TEST(access_from_a_thread_that_is_not_a_worker_is_reported) {
    only_in_debug_builds();
    Fixture fixture = fixture_open(2);
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "stop", .run = stop_in_system });
    FiloJob job;
    begin_tick(&fixture, &job);
    FiloThread thread;
    filo_test_faults_begin();
    assert_ok(
        filo_thread_start(&thread, &(FiloThreadDesc){ .function = read_in_thread, .user = fixture.world }));
    filo_thread_join(&thread);
    filo_test_faults_end(READING, __FILE__, __LINE__);
    end_tick(&fixture, &job);
    fixture_close(&fixture);
}

// ---- Access that is allowed ---------------------------------------------------------------------------------

typedef struct Reads {
    FiloWorld *world;
    FiloEntity entity;
    FiloQuery *query;
    BASE_ATOMIC(uint64_t) correct;
} Reads;

static void read_world(Reads *reads) {
    const Position *position = filo_get(reads->world, reads->entity, Position);
    bool correct = position != NULL && position->y == 2 && filo_entity_exists(reads->world, reads->entity) &&
                   filo_get_global(reads->world, Score) != NULL && filo_query_count(reads->query) == 1;
    base_add_relaxed(&reads->correct, correct);
}

static void read_in_range(size_t begin, size_t end, void *reads) {
    for (size_t i = begin; i < end; i++) read_world(reads);
}

static void read_as_job(FiloJob *job, void *data) {
    (void)job;
    read_world(*(Reads **)data);
}

static void read_in_jobs(FiloIter *it) {
    Reads *reads = it->user;
    FiloJobs *jobs = filo_world_jobs(it->world);
    filo_jobs_for_each(jobs, 20, read_in_range, reads);
    FiloJob first, second, parent;
    filo_job_init(&first, read_as_job, &reads, sizeof reads);
    filo_job_init(&second, read_as_job, &reads, sizeof reads);
    filo_job_init(&parent, read_as_job, &reads, sizeof reads);
    (void)filo_job_after(&second, &first, jobs);
    filo_job_set_priority(&first, FILO_PRIORITY_HIGH);
    for (int i = 0; i < 10; i++) filo_jobs_spawn(jobs, &parent, read_as_job, &reads, sizeof reads);
    filo_jobs_run(jobs, &second);
    filo_jobs_run(jobs, &first);
    filo_jobs_run(jobs, &parent);
    filo_jobs_wait(jobs, &second);
    filo_jobs_wait(jobs, &parent);
    filo_event_record(it->events, filo_name("read"), NULL, NULL);
    filo_create(it->changes, FILO_SET(Health, 1));
}

static void read_in_handler(FiloIter *it, const FiloEvent *event) {
    (void)event;
    read_world(it->user);
}
static void read_in_plain_handler(const FiloEvent *event, void *reads) {
    (void)event;
    read_world(reads);
}
static void read_in_observer(FiloIter *it, const FiloObserved *observed) {
    (void)observed;
    read_world(it->user);
}
static bool read_in_condition(const FiloWorld *world, void *user) {
    (void)world;
    read_world(user);
    return true;
}

static void add_readers(Fixture *fixture, Reads *reads) {
    const FiloTerm position = FILO_READ(Position), score = FILO_READ(Score);
    filo_system_add(fixture->world, &(FiloSystemDesc){ .name = "jobs",
                                                       .run = read_in_jobs,
                                                       .condition = read_in_condition,
                                                       .user = reads,
                                                       .extra_access = { position, score } });
    filo_world_handle(fixture->world, &(FiloWorldHandlerDesc){ .event = filo_name("read"),
                                                               .run = read_in_handler,
                                                               .user = reads,
                                                               .extra_access = { position, score } });
    for (int mode = FILO_HANDLER_SERIAL; mode <= FILO_HANDLER_MAIN; mode++)
        filo_events_subscribe(fixture->events, &(FiloHandlerDesc){ .event = filo_name("read"),
                                                                   .function = read_in_plain_handler,
                                                                   .user = reads,
                                                                   .mode = (FiloHandlerMode)mode });
    filo_observer_add(fixture->world, &(FiloObserverDesc){ .run = read_in_observer,
                                                           .kinds = FILO_OBSERVE_ADDED,
                                                           .type = FILO_TYPE(Health),
                                                           .user = reads,
                                                           .extra_access = { position, score } });
}

// Reads in each tick: the condition, 20 + 13 jobs, four handlers, the observer.
enum { READS = 1 + 20 + 13 + 4 + 1 };

static void begin_reads(Fixture *fixture, Reads *reads) {
    *reads = (Reads){ .world = fixture->world };
    reads->entity = filo_create(fixture->world, FILO_SET(Position, 1, 2));
    reads->query = filo_query(fixture->world, FILO_READ(Position));
    add_readers(fixture, reads);
}

FILO_TEST(access_in_systems_their_jobs_handlers_and_observers_is_not_reported) {
    for (int threads = 1; threads <= 8; threads *= 2) {
        for (int on_main = 0; on_main < (threads > 1 ? 2 : 1); on_main++) {
            Fixture fixture = fixture_open(threads);
            Reads reads;
            begin_reads(&fixture, &reads);
            for (int i = 0; i < 20; i++) {
                FiloJob job;
                filo_job_init(&job, run_tick, &fixture.world, sizeof fixture.world);
                if (threads > 1) filo_job_set_worker(&job, on_main == 0 ? 1 : 0);
                filo_jobs_run(fixture.jobs, &job);
                filo_jobs_wait(fixture.jobs, &job); // the main thread runs jobs of the tick
                read_world(&reads);                 // between ticks
            }
            assert_int_equal(base_load_relaxed(&reads.correct), 20 * (READS + 1));
            filo_query_release(reads.query);
            fixture_close(&fixture);
        }
    }
}

FILO_TEST(a_change_set_may_be_filled_from_outside_during_a_tick) {
    Fixture fixture = fixture_open(2);
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "stop", .run = stop_in_system });
    FiloJob job;
    begin_tick(&fixture, &job);
    FiloChanges *changes = filo_changes_create(fixture.world);
    filo_create(changes, FILO_SET(Position, 1, 2));
    end_tick(&fixture, &job);
    assert_true(filo_changes_apply(changes));
    filo_changes_destroy(changes);
    assert_int_equal(filo_world_stats(fixture.world).entities, 1);
    fixture_close(&fixture);
}

// ---- Access that is refused -----------------------------------------------------------------------------------

#define REFUSED "while the frame is drawn, when a tick may be running: "

static void use_everything_else(Fixture *fixture, FiloQuery *tracked, FiloSystemId system) {
    FiloWorld *world = fixture->world;
    size_t count;
    uint64_t cursor = 0;
    char text[64];
    expect_fault(REFUSED, assert_int_equal(filo_world_ticks(world), 0));
    expect_fault(REFUSED, assert_true(filo_world_delta(world) == 0));
    expect_fault(REFUSED, filo_world_reparented(world, &cursor));
    expect_fault(REFUSED, filo_world_measure(world, true));
    expect_fault(REFUSED, filo_world_print_schedule(world, text, sizeof text));
    expect_fault(REFUSED, filo_world_draw_schedule(world, text, sizeof text));
    expect_fault(REFUSED, assert_true(filo_world_group_enabled(world, "none")));
    expect_fault(REFUSED, assert_false(filo_world_set_group_enabled(world, "none", true)));
    expect_fault(REFUSED, filo_system_stats(world, system));
    expect_fault(REFUSED, assert_false(filo_system_enabled(world, system)));
    expect_fault(REFUSED, filo_system_set_enabled(world, system, false));
    expect_fault(REFUSED, filo_system_set_parallel(world, system, false));
    expect_fault(REFUSED, assert_null(filo_query_entered(tracked, &count)));
    expect_fault(REFUSED, assert_null(filo_query_left(tracked, &count)));
    expect_fault(REFUSED, assert_false(filo_query_matches(tracked, (FiloEntity){ 1 })));
    expect_fault("cannot create an entity " REFUSED "do it in `frame`", filo_entity_create(world));
    expect_mistake("cannot tick " REFUSED, filo_world_tick(world, 0.5f));
}

FILO_TEST(every_access_is_reported_while_it_is_refused_though_no_tick_runs) {
    only_in_debug_builds();
    for (int threads = 1; threads <= 2; threads++) {
        Fixture fixture = fixture_open(threads);
        FiloEntity entity = create_entity(&fixture);
        FiloQuery *tracked = filo_query_create(
            fixture.world, &(FiloQueryDesc){ .terms = { FILO_READ(Position) }, .tracked = true });
        FiloAccessor accessor = filo_accessor(fixture.world, Position);
        FiloSystemId system =
            filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "create", .run = create_another });
        filo_world_refuse_access(fixture.world, true);
        expect_fault(REFUSED, assert_null(filo_get(fixture.world, entity, Position)));
        expect_fault(REFUSED, assert_null(filo_access(&accessor, entity, Position)));
        use_everything_else(&fixture, tracked, system);
        filo_world_refuse_access(fixture.world, false);
        assert_int_equal(filo_get(fixture.world, entity, Position)->y, 2);
        assert_ok(filo_world_tick(fixture.world, 0.5f));
        filo_query_release(tracked);
        fixture_close(&fixture);
    }
}

static void run_marked_tick(FiloJob *job, void *data) {
    bool before = filo_jobs_set_mark(true);
    run_tick(job, data);
    (void)filo_jobs_set_mark(before);
}

FILO_TEST(a_marked_tick_runs_while_access_is_refused) {
    for (int threads = 2; threads <= 8; threads *= 2) {
        Fixture fixture = fixture_open(threads);
        Reads reads;
        begin_reads(&fixture, &reads);
        for (int i = 0; i < 20; i++) {
            FiloJob job;
            filo_job_init(&job, run_marked_tick, &fixture.world, sizeof fixture.world);
            filo_world_refuse_access(fixture.world, true);
            filo_jobs_run(fixture.jobs, &job);
            filo_jobs_wait(fixture.jobs, &job); // the main thread runs jobs of the tick
            filo_world_refuse_access(fixture.world, false);
        }
        assert_int_equal(base_load_relaxed(&reads.correct), 20 * READS);
        filo_query_release(reads.query);
        fixture_close(&fixture);
    }
}
