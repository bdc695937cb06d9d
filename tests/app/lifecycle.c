// The life cycle of a game: six events in their order.

#include "app/lifecycle.h"
#include "events/fixture.h"

FILO_REFLECT(Hit, FILO_FIELD(uint32_t, target), FILO_FIELD(int32_t, damage))

typedef struct ThreadLog {
    FiloJobs *jobs;
    int times[FILO_JOBS_MAX_THREADS]; // by worker
    int on_wrong_thread;
    int running, max_running; // handlers at the same time
} ThreadLog;

static void log_thread(const FiloEvent *event, void *user) {
    ThreadLog *log = user;
    const FiloThreadEvent *payload = event->payload;
    if (++log->running > log->max_running) log->max_running = log->running;
    log->times[payload->worker]++;
    if (filo_jobs_worker(log->jobs) != payload->worker) log->on_wrong_thread++;
    log->running--;
}

static void open_lifecycle(AppLifecycle *lifecycle, Fixture *f, int threads, int64_t shed_after_ns) {
    app_lifecycle_init(lifecycle);
    *f = (Fixture){ .hit = filo_name("hit") };
    assert_ok(filo_jobs_create(&f->jobs, &(FiloJobsDesc){ .threads = threads,
                                                          .shed_after_ns = shed_after_ns,
                                                          .thread_started = app_lifecycle_thread_started,
                                                          .user = lifecycle }));
    assert_ok(filo_events_create(&f->events, &(FiloEventsDesc){ .jobs = f->jobs }));
}

static void close_lifecycle(AppLifecycle *lifecycle, Fixture *f) {
    fixture_close(f);
    app_lifecycle_deinit(lifecycle);
}

static const char *const all_stages[] = { "game init", "backend init", "game start", "frame", "game end" };

static void log_stage(const FiloEvent *event, void *log) {
    log_add(log, "%s", filo_name_text(event->name));
    if (event->payload != NULL)
        log_add(log, " %u", (unsigned)((const FiloFrameEvent *)event->payload)->number);
    log_add(log, "\n");
}

FILO_TEST(the_stages_are_emitted_in_order) {
    AppLifecycle lifecycle;
    Fixture f;
    Log log = { 0 };
    open_lifecycle(&lifecycle, &f, 2, -1);
    for (size_t i = 0; i < FILO_COUNT_OF(all_stages); i++) subscribe(&f, all_stages[i], log_stage, &log);
    assert_true(app_lifecycle_begin(&lifecycle, f.jobs, f.events));
    assert_true(app_lifecycle_enter(&lifecycle, APP_STAGE_GAME_INIT));
    expect_log(&log, "game init\n"); // immediately
    assert_true(app_lifecycle_enter(&lifecycle, APP_STAGE_BACKEND_INIT));
    assert_true(app_lifecycle_enter(&lifecycle, APP_STAGE_GAME_START));
    for (int i = 0; i < 3; i++) assert_true(app_lifecycle_enter(&lifecycle, APP_STAGE_FRAME));
    assert_true(app_lifecycle_enter(&lifecycle, APP_STAGE_GAME_END));
    expect_log(&log, "backend init\ngame start\nframe 0\nframe 1\nframe 2\ngame end\n");
    close_lifecycle(&lifecycle, &f);
}

FILO_TEST(every_worker_thread_emits_thread_init_once_on_itself) {
    static const int threads[] = { 1, 2, 8 };
    for (size_t i = 0; i < FILO_COUNT_OF(threads); i++) {
        AppLifecycle lifecycle;
        Fixture f;
        open_lifecycle(&lifecycle, &f, threads[i], -1);
        ThreadLog log = { .jobs = f.jobs };
        filo_events_subscribe(f.events, &(FiloHandlerDesc){ .event = filo_name(FILO_EVENT_THREAD_INIT),
                                                            .type = FILO_TYPE(FiloThreadEvent),
                                                            .function = log_thread,
                                                            .user = &log,
                                                            .mode = FILO_HANDLER_PARALLEL });
        assert_true(app_lifecycle_begin(&lifecycle, f.jobs, f.events));
        for (int w = 0; w < threads[i]; w++) assert_int_equal(log.times[w], 1);
        assert_int_equal(log.on_wrong_thread, 0);
        assert_int_equal(log.max_running, 1);
        close_lifecycle(&lifecycle, &f);
    }
}

static void do_nothing(FiloJob *job, void *data) { (void)job, (void)data; }

static void run_on(Fixture *f, int worker) {
    FiloJob job;
    filo_job_init(&job, do_nothing, NULL, 0);
    filo_job_set_worker(&job, worker);
    filo_jobs_run(f->jobs, &job);
    filo_jobs_wait(f->jobs, &job);
}

FILO_TEST(a_thread_that_starts_again_emits_thread_init_until_the_end) {
    AppLifecycle lifecycle;
    Fixture f;
    open_lifecycle(&lifecycle, &f, 2, 1000); // its thread ends after a microsecond without work
    ThreadLog log = { .jobs = f.jobs };
    subscribe(&f, FILO_EVENT_THREAD_INIT, log_thread, &log);
    assert_true(app_lifecycle_begin(&lifecycle, f.jobs, f.events));
    uint64_t before = filo_jobs_stats(f.jobs).returned;
    while (filo_jobs_stats(f.jobs).returned < before + 3) run_on(&f, 1);
    assert_true(log.times[1] >= 3);
    assert_int_equal(log.times[0], 1);
    assert_int_equal(log.on_wrong_thread, 0);
    app_lifecycle_enter(&lifecycle, APP_STAGE_GAME_INIT);
    app_lifecycle_end(&lifecycle);
    int times = log.times[1];
    before = filo_jobs_stats(f.jobs).returned;
    while (filo_jobs_stats(f.jobs).returned < before + 2) run_on(&f, 1);
    assert_int_equal(log.times[1], times);
    close_lifecycle(&lifecycle, &f);
}

static void emit_at_thread_init(const FiloEvent *event, void *user) {
    (void)user;
    assert_null(event->recorder);
    filo_event_record(event->recorder, filo_name("hit"), FILO_TYPE(Hit), &(Hit){ 1, 1 });
}

FILO_TEST(a_handler_of_thread_init_cannot_emit) {
    AppLifecycle lifecycle;
    Fixture f;
    open_lifecycle(&lifecycle, &f, 1, -1);
    subscribe(&f, FILO_EVENT_THREAD_INIT, emit_at_thread_init, NULL);
    expect_fault("event \"hit\": there is no recorder", app_lifecycle_begin(&lifecycle, f.jobs, f.events));
    close_lifecycle(&lifecycle, &f);
}

static void enter_inside(const FiloEvent *event, void *user) {
    (void)event;
    assert_false(app_lifecycle_enter(user, APP_STAGE_BACKEND_INIT));
}

FILO_TEST(stages_out_of_order_are_caught_by_name) {
    AppLifecycle lifecycle;
    Fixture f;
    Log log = { 0 };
    open_lifecycle(&lifecycle, &f, 1, -1);
    for (size_t i = 0; i < FILO_COUNT_OF(all_stages); i++) subscribe(&f, all_stages[i], log_stage, &log);
    expect_fault("\"game init\" comes after \"thread init\", and the last was \"nothing\"",
                 assert_false(app_lifecycle_enter(&lifecycle, APP_STAGE_GAME_INIT)));
    expect_fault("\"game end\" comes after \"game init\", and the last was \"nothing\"",
                 assert_false(app_lifecycle_enter(&lifecycle, APP_STAGE_GAME_END)));
    expect_fault("\"thread init\" comes after \"nothing\"", // only app_lifecycle_begin emits it
                 assert_false(app_lifecycle_enter(&lifecycle, APP_STAGE_THREAD_INIT)));
    app_lifecycle_begin(&lifecycle, f.jobs, f.events);
    expect_fault("\"thread init\" comes first, and once: the last was \"thread init\"",
                 assert_false(app_lifecycle_begin(&lifecycle, f.jobs, f.events)));
    expect_fault("\"frame\" comes after \"game start\", and the last was \"thread init\"",
                 assert_false(app_lifecycle_enter(&lifecycle, APP_STAGE_FRAME)));
    expect_fault("\"game end\" comes after \"game init\", and the last was \"thread init\"",
                 assert_false(app_lifecycle_enter(&lifecycle, APP_STAGE_GAME_END)));
    expect_log(&log, "");
    FiloSubscription inside = subscribe(&f, "game init", enter_inside, &lifecycle);
    expect_fault("\"backend init\": not inside of a handler of another event",
                 assert_true(app_lifecycle_enter(&lifecycle, APP_STAGE_GAME_INIT)));
    filo_events_unsubscribe(f.events, inside);
    expect_fault("\"game init\" comes after \"thread init\", and the last was \"game init\"",
                 assert_false(app_lifecycle_enter(&lifecycle, APP_STAGE_GAME_INIT)));
    expect_log(&log, "game init\n");
    // Starting has failed: modules must release what they have created.
    assert_true(app_lifecycle_enter(&lifecycle, APP_STAGE_GAME_END));
    expect_fault("\"frame\" comes after \"game start\", and the last was \"game end\"",
                 assert_false(app_lifecycle_enter(&lifecycle, APP_STAGE_FRAME)));
    expect_fault("\"game end\" comes after \"game init\", and the last was \"game end\"",
                 assert_false(app_lifecycle_enter(&lifecycle, APP_STAGE_GAME_END)));
    expect_log(&log, "game end\n");
    close_lifecycle(&lifecycle, &f);
}

FILO_TEST(stages_have_the_names_of_their_events) {
    assert_string_equal(app_lifecycle_stage_name(APP_STAGE_THREAD_INIT), "thread init");
    assert_string_equal(app_lifecycle_stage_name(APP_STAGE_GAME_END), "game end");
    assert_string_equal(app_lifecycle_stage_name((AppLifecycleStage)99), "unknown stage");
}
