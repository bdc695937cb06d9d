// Systems on many threads.

#include <filo/time.h>

#include "ecs/schedule_access.h"
#include "ecs/system_fixture.h"

static void move(FiloIter *it) {
    Position *position = filo_write(it, Position);
    const Velocity *velocity = filo_read(it, Velocity);
    for (size_t i = 0; i < it->count; i++) position[i].x += velocity[i].x;
}

static void expect_moved(Fixture *fixture, size_t count, float by) {
    FiloQuery *query = filo_query(fixture->world, FILO_READ(Position));
    assert_int_equal(filo_query_count(query), count);
    FiloIter it = filo_query_iter(query);
    size_t row = 0;
    while (filo_iter_next(&it)) {
        const Position *position = filo_read(&it, Position);
        for (size_t i = 0; i < it.count; i++, row++) assert_float_equal(position[i].x, (float)row + by, 0);
    }
    filo_query_release(query);
}

FILO_TEST(each_row_is_visited_once_on_any_number_of_threads) {
    static const int threads[] = { 1, 2, 4, 8, 16 };
    for (size_t t = 0; t < FILO_COUNT_OF(threads); t++) {
        Fixture fixture = fixture_open(threads[t]);
        divide_eagerly(fixture.world, true);
        create_movers(&fixture, 10000);
        FiloSystemId id = filo_system_add(
            fixture.world, &(FiloSystemDesc){ .name = "move",
                                              .run = move,
                                              .parallel = true,
                                              .query.terms = { FILO_WRITE(Position), FILO_READ(Velocity) } });
        for (int i = 0; i < 50; i++) tick(&fixture);
        expect_moved(&fixture, 10000, 50);
        assert_int_equal(filo_system_stats(fixture.world, id).rows, 10000);
        assert_int_equal(filo_system_stats(fixture.world, id).runs, 50);
        fixture_close(&fixture);
    }
}

FILO_TEST(large_systems_are_detected_and_divided) {
    Fixture fixture = fixture_open(4);
    create_movers(&fixture, 300000);
    filo_world_measure(fixture.world, true);
    FiloSystemId id = filo_system_add(
        fixture.world, &(FiloSystemDesc){ .name = "move",
                                          .run = move,
                                          .parallel = true,
                                          .query.terms = { FILO_WRITE(Position), FILO_READ(Velocity) } });
    for (int i = 0; i < 20; i++) tick(&fixture);
    expect_moved(&fixture, 300000, 20);
    assert_true(filo_system_stats(fixture.world, id).last_ns > 0);
    assert_int_equal(filo_system_stats(fixture.world, id).rows, 300000);
    fixture_close(&fixture);
}

// Visits each row once, and checks the number of rows before it.
static void number_rows(FiloIter *it) {
    Position *position = filo_write(it, Position);
    for (size_t i = 0; i < it->count; i++)
        if (position[i].x != (float)(it->first + i)) position[i].y = -1;
}

FILO_TEST(a_part_has_the_number_of_rows_before_it) {
    Fixture fixture = fixture_open(4);
    divide_eagerly(fixture.world, true);
    create_movers(&fixture, 5000);
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "number",
                                                      .run = number_rows,
                                                      .parallel = true,
                                                      .query.terms = { FILO_WRITE(Position) } });
    tick(&fixture);
    FiloQuery *query = filo_query(fixture.world, FILO_READ(Position));
    for (size_t i = 0; i < 5000; i++)
        assert_float_equal(filo_get(fixture.world, filo_query_at(query, i), Position)->y, 0, 0);
    filo_query_release(query);
    fixture_close(&fixture);
}

// ---- Several systems at once -------------------------------------------------------------------------

typedef struct Rendezvous {
    BASE_ATOMIC(int) here, met;
} Rendezvous;

// Waits until another system is running too.
static void wait_for_other(FiloIter *it) {
    Rendezvous *rendezvous = it->user;
    base_add_acq_rel(&rendezvous->here, 1);
    int64_t deadline = filo_time_ns() + INT64_C(20000000000);
    while (base_load_acquire(&rendezvous->here) < 2 && filo_time_ns() < deadline) filo_thread_yield();
    if (base_load_acquire(&rendezvous->here) >= 2) base_add_relaxed(&rendezvous->met, 1);
}

FILO_TEST(systems_of_one_stage_run_concurrently) {
    Fixture fixture = fixture_open(2);
    divide_eagerly(fixture.world, true);
    Rendezvous rendezvous = { 0 };
    FiloSystemDesc desc = { .name = "a", .run = wait_for_other, .user = &rendezvous };
    filo_system_add(fixture.world, &desc);
    desc.name = "b";
    filo_system_add(fixture.world, &desc);
    tick(&fixture);
    assert_int_equal(base_load_relaxed(&rendezvous.met), 2);
    fixture_close(&fixture);
}

FILO_TEST(systems_measured_as_long_run_concurrently) {
    Fixture fixture = fixture_open(2);
    Rendezvous rendezvous = { 0 };
    FiloSystemDesc desc = { .name = "a", .run = wait_for_other, .user = &rendezvous };
    filo_system_add(fixture.world, &desc);
    desc.name = "b";
    filo_system_add(fixture.world, &desc);
    // Sets the measured costs.
    for (size_t i = 0; i < 2; i++) fixture.world->schedule->systems.items[i]->cost_ns = 1000000;
    tick(&fixture);
    assert_int_equal(base_load_relaxed(&rendezvous.met), 2);
    fixture_close(&fixture);
}

typedef struct WorkerCheck {
    FiloJobs *jobs;
    int worker; // expected worker
    BASE_ATOMIC(int) runs, wrong;
} WorkerCheck;

static void check_worker(FiloIter *it) {
    WorkerCheck *check = it->user;
    base_add_relaxed(&check->runs, 1);
    if (filo_jobs_worker(check->jobs) != check->worker) base_add_relaxed(&check->wrong, 1);
}

// Runs in one stage with the systems that read positions.
static void push(FiloIter *it) {
    Velocity *velocity = filo_write(it, Velocity);
    const Position *position = filo_read(it, Position);
    for (size_t i = 0; i < it->count; i++) velocity[i].x += position[i].x;
}

FILO_TEST(a_system_for_the_main_thread_runs_on_the_thread_that_ticks) {
    Fixture fixture = fixture_open(4);
    divide_eagerly(fixture.world, true);
    create_movers(&fixture, 1000);
    WorkerCheck check = { .jobs = fixture.jobs };
    char names[10][16];
    for (int i = 0; i < 10; i++) {
        snprintf(names[i], sizeof names[i], "%d", i);
        filo_system_add(fixture.world, &(FiloSystemDesc){ .name = names[i],
                                                          .run = check_worker,
                                                          .user = &check,
                                                          .main_thread = true,
                                                          .query.terms = { FILO_READ(Position) } });
    }
    filo_system_add(fixture.world,
                    &(FiloSystemDesc){ .name = "push",
                                       .run = push,
                                       .parallel = true,
                                       .query.terms = { FILO_WRITE(Velocity), FILO_READ(Position) } });
    for (int i = 0; i < 20; i++) tick(&fixture);
    assert_true(base_load_relaxed(&check.runs) >= 200);
    assert_int_equal(base_load_relaxed(&check.wrong), 0);
    fixture_close(&fixture);
}

// The two large systems wait for each other, so both workers take part.
FILO_TEST(small_systems_run_on_the_ticking_thread_and_large_ones_on_workers) {
    Fixture fixture = fixture_open(2);
    Rendezvous rendezvous = { 0 };
    WorkerCheck check = { .jobs = fixture.jobs };
    for (int i = 0; i < 1000; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d", i);
        FiloSystemDesc desc = { .name = name, .run = check_worker, .user = &check };
        if (i < 2) desc.run = wait_for_other, desc.user = &rendezvous;
        filo_system_add(fixture.world, &desc);
    }
    // Sets the measured costs.
    for (size_t i = 0; i < 1000; i++)
        fixture.world->schedule->systems.items[i]->cost_ns = i < 2 ? 1000000 : 100;
    tick(&fixture);
    assert_int_equal(base_load_relaxed(&rendezvous.met), 2);
    assert_int_equal(base_load_relaxed(&check.runs), 998);
    assert_int_equal(base_load_relaxed(&check.wrong), 0);
    fixture_close(&fixture);
}

// Creates an entity with the number of runs of the system.
static void count_and_create(FiloIter *it) {
    int32_t *runs = it->user;
    ++*runs;
    filo_create(it->changes, FILO_SET(Target, { 0 }), FILO_SET(Health, *runs));
}

FILO_TEST(systems_of_all_costs_run_once_each_with_the_same_result_on_any_number_of_threads) {
    enum { SYSTEMS = 300, TICKS = 20 };
    static const uint64_t costs[] = {
        0, 399, 400, 500, 900, 1500, 2100, 3999, 4001, 30000, UINT64_C(1) << 50
    };
    static const int threads[] = { 1, 2, 4, 8, 16 };
    uint64_t expected = 0;
    for (size_t t = 0; t < FILO_COUNT_OF(threads); t++) {
        Fixture fixture = fixture_open(threads[t]);
        int32_t runs[SYSTEMS] = { 0 };
        for (int i = 0; i < SYSTEMS; i++) {
            char name[16];
            snprintf(name, sizeof name, "%d", i);
            filo_system_add(fixture.world,
                            &(FiloSystemDesc){ .name = name, .run = count_and_create, .user = &runs[i] });
        }
        for (size_t k = 0; k < TICKS; k++) {
            for (size_t i = 0; i < SYSTEMS; i++) // sets measured costs, different in each tick
                fixture.world->schedule->systems.items[i]->cost_ns =
                    costs[(i * 7 + k) % FILO_COUNT_OF(costs)];
            tick(&fixture);
        }
        for (size_t i = 0; i < SYSTEMS; i++) assert_int_equal(runs[i], TICKS);
        uint64_t hash = filo_world_hash(fixture.world);
        if (t == 0) expected = hash;
        assert_true(hash == expected);
        fixture_close(&fixture);
    }
}

static void tick_in_job(FiloJob *job, void *data) {
    (void)job;
    Fixture *fixture = *(Fixture **)data;
    WorkerCheck *check = fixture->world->schedule->systems.items[0]->user;
    check->worker = filo_jobs_worker(fixture->jobs);
    if (filo_world_tick(fixture->world, 1).code != FILO_OK) base_add_relaxed(&check->wrong, 1);
}

FILO_TEST(any_worker_may_tick) {
    Fixture fixture = fixture_open(3);
    divide_eagerly(fixture.world, true);
    create_movers(&fixture, 1000);
    WorkerCheck check = { .jobs = fixture.jobs };
    filo_system_add(
        fixture.world,
        &(FiloSystemDesc){ .name = "check", .run = check_worker, .user = &check, .main_thread = true });
    filo_system_add(fixture.world,
                    &(FiloSystemDesc){ .name = "move",
                                       .run = move,
                                       .parallel = true,
                                       .query.terms = { FILO_WRITE(Position), FILO_READ(Velocity) } });
    for (int worker = 0; worker < 3; worker++) {
        FiloJob job;
        filo_job_init(&job, tick_in_job, &(Fixture *){ &fixture }, sizeof(Fixture *));
        filo_job_set_worker(&job, worker);
        filo_jobs_run(fixture.jobs, &job);
        filo_jobs_wait(fixture.jobs, &job);
    }
    assert_int_equal(base_load_relaxed(&check.runs), 3);
    assert_int_equal(base_load_relaxed(&check.wrong), 0);
    expect_moved(&fixture, 1000, 3);
    fixture_close(&fixture);
}

typedef struct Foreign {
    FiloWorld *world;
    FiloResult result;
} Foreign;

static void tick_elsewhere(void *user) {
    Foreign *foreign = user;
    foreign->result = filo_world_tick(foreign->world, 1);
}

FILO_TEST(a_thread_that_is_not_a_worker_cannot_tick) {
    Fixture fixture = fixture_open(1);
    Foreign foreign = { .world = fixture.world };
    FiloThread thread;
    filo_test_faults_begin();
    assert_ok(filo_thread_start(&thread, &(FiloThreadDesc){ .function = tick_elsewhere, .user = &foreign }));
    filo_thread_join(&thread);
    filo_test_faults_end("tick a world on a worker of its scheduler", __FILE__, __LINE__);
    assert_error(foreign.result, FILO_ERROR_ARGUMENT, "tick a world on a worker of its scheduler");
    assert_int_equal(filo_world_ticks(fixture.world), 0);
    fixture_close(&fixture);
}

// ---- Inside of systems -------------------------------------------------------------------------------

static void add_up(size_t begin, size_t end, void *user) {
    base_add_relaxed((BASE_ATOMIC(uint64_t) *)user, (uint64_t)(end - begin));
}

typedef struct Sum {
    FiloJobs *jobs;
    BASE_ATOMIC(uint64_t) items;
} Sum;

static void loop_inside(FiloIter *it) {
    Sum *sum = it->user;
    filo_jobs_for(sum->jobs, 10000, add_up, (void *)&sum->items);
}

FILO_TEST(a_system_may_use_the_scheduler_itself) {
    Fixture fixture = fixture_open(4);
    divide_eagerly(fixture.world, true);
    Sum sum = { .jobs = fixture.jobs };
    char names[6][16];
    for (int i = 0; i < 6; i++) {
        snprintf(names[i], sizeof names[i], "%d", i);
        filo_system_add(fixture.world,
                        &(FiloSystemDesc){ .name = names[i], .run = loop_inside, .user = &sum });
    }
    for (int i = 0; i < 20; i++) tick(&fixture);
    assert_int_equal(base_load_relaxed(&sum.items), 6 * 20 * 10000);
    fixture_close(&fixture);
}

static void spawn_numbered(FiloIter *it) {
    const Position *position = filo_read(it, Position);
    for (size_t i = 0; i < it->count; i++) {
        FiloEntity child = filo_changes_create_entity(it->changes);
        filo_set(it->changes, child, Velocity, position[i].x, 0);
    }
}

FILO_TEST(records_of_parts_are_applied_in_the_order_of_rows) {
    Fixture fixture = fixture_open(8);
    divide_eagerly(fixture.world, true);
    for (size_t i = 0; i < 3000; i++) filo_create(fixture.world, FILO_SET(Position, (float)i, 0));
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "spawn",
                                                      .run = spawn_numbered,
                                                      .parallel = true,
                                                      .query.terms = { FILO_READ(Position) } });
    tick(&fixture);
    FiloQuery *query = filo_query(fixture.world, FILO_READ(Velocity));
    assert_int_equal(filo_query_count(query), 3000);
    for (size_t i = 0; i < 3000; i++) {
        FiloEntity entity = filo_query_at(query, i);
        assert_int_equal(filo_entity_index(entity), 3000 + i);
        assert_float_equal(filo_get(fixture.world, entity, Velocity)->x, (float)i, 0);
    }
    filo_query_release(query);
    fixture_close(&fixture);
}
