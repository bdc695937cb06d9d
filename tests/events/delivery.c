// Delivery: its time, the threads of handlers, and changes during it.

#include "events/fixture.h"
#include "support/warnings.h"

#include <filo/time.h>

FILO_REFLECT(Hit, FILO_FIELD(uint32_t, target), FILO_FIELD(int32_t, damage))

// ---- Ticks ----

FILO_TEST(an_event_with_a_delay_is_delivered_that_many_ticks_later) {
    Fixture f = fixture_open(1);
    Log log = { 0 };
    subscribe(&f, "hit", log_event, &log);
    for (uint32_t delay = 4; delay-- > 0;)
        assert_true(filo_events_emit_later(f.events, f.hit, FILO_TYPE(Hit), &(Hit){ delay, 1 }, delay));
    for (int tick = 0; tick < 6; tick++) {
        log_add(&log, "[%d] ", (int)filo_events_tick(f.events));
        filo_events_deliver(f.events);
    }
    expect_log(&log, "[0] hit 0\n[1] hit 1\n[2] hit 2\n[3] hit 3\n[4] [5] ");
    fixture_close(&f);
}

FILO_TEST(an_event_with_the_largest_delay_is_never_delivered) {
    Fixture f = fixture_open(1);
    Log log = { 0 };
    subscribe(&f, "hit", log_event, &log);
    filo_events_deliver(f.events);
    assert_true(filo_events_emit_later(f.events, f.hit, FILO_TYPE(Hit), &(Hit){ 1, 1 }, UINT64_MAX));
    for (int i = 0; i < 5; i++) filo_events_deliver(f.events);
    expect_log(&log, "");
    fixture_close(&f);
}

FILO_TEST(delayed_events_of_one_tick_come_in_the_order_of_emission_before_new_ones) {
    Fixture f = fixture_open(1);
    Log log = { 0 };
    subscribe(&f, "hit", log_event, &log);
    filo_events_emit_later(f.events, f.hit, FILO_TYPE(Hit), &(Hit){ 1, 1 }, 2);
    filo_events_emit_later(f.events, f.hit, FILO_TYPE(Hit), &(Hit){ 2, 1 }, 2);
    filo_events_deliver(f.events);
    filo_events_emit_later(f.events, f.hit, FILO_TYPE(Hit), &(Hit){ 3, 1 }, 1);
    filo_events_deliver(f.events);
    emit_hit(&f, 4);
    expect_log(&log, "");
    filo_events_deliver(f.events);
    expect_log(&log, "hit 1\nhit 2\nhit 3\nhit 4\n");
    fixture_close(&f);
}

FILO_TEST(a_delivery_point_inside_a_tick_leaves_delayed_events_pending) {
    Fixture f = fixture_open(1);
    Log log = { 0 };
    subscribe(&f, "hit", log_event, &log);
    emit_hit(&f, 1);
    filo_events_emit_later(f.events, f.hit, FILO_TYPE(Hit), &(Hit){ 2, 1 }, 1);
    filo_events_deliver_within_tick(f.events);
    expect_log(&log, "hit 1\n");
    filo_events_deliver_within_tick(f.events);
    assert_int_equal(filo_events_tick(f.events), 0);
    filo_events_deliver(f.events);
    expect_log(&log, "");
    filo_events_deliver(f.events);
    expect_log(&log, "hit 2\n");
    assert_int_equal(filo_events_tick(f.events), 2);
    fixture_close(&f);
}

static void record_next(const FiloEvent *event, void *user) {
    Fixture *f = user;
    const Hit *hit = event->payload;
    assert_true(filo_event_record(event->recorder, f->hit, FILO_TYPE(Hit), &(Hit){ hit->target + 1, 1 }));
}

FILO_TEST(events_that_handlers_emit_wait_for_the_next_delivery_point) {
    Fixture f = fixture_open(2);
    Log log = { 0 };
    subscribe(&f, "hit", log_event, &log);
    subscribe(&f, "hit", record_next, &f);
    emit_hit(&f, 1);
    for (int tick = 0; tick < 3; tick++) {
        filo_events_deliver(f.events);
        log_add(&log, "| ");
    }
    expect_log(&log, "hit 1\n| hit 2\n| hit 3\n| ");
    filo_events_emit_now(f.events, f.hit, FILO_TYPE(Hit), &(Hit){ 10, 1 });
    expect_log(&log, "hit 10\n"); // and not the events that it causes
    filo_events_deliver(f.events);
    expect_log(&log, "hit 4\nhit 11\n");
    fixture_close(&f);
}

static void record_later(const FiloEvent *event, void *user) {
    Fixture *f = user;
    Hit hit = { 100, 1 };
    filo_event_record_with(
        event->recorder,
        &(FiloEmission){ .event = f->hit, .type = FILO_TYPE(Hit), .payload = &hit, .delay = 1 });
}

FILO_TEST(a_delay_inside_a_handler_counts_from_the_next_point) {
    Fixture f = fixture_open(1);
    Log log = { 0 };
    subscribe(&f, "bell", record_later, &f);
    subscribe(&f, "hit", log_event, &log);
    filo_events_emit(f.events, filo_name("bell"), NULL, NULL);
    filo_events_deliver(f.events);
    filo_events_deliver(f.events);
    expect_log(&log, "");
    filo_events_deliver(f.events);
    expect_log(&log, "hit 100\n");
    fixture_close(&f);
}

static void copy_event(const FiloEvent *event, void *user) { *(FiloEvent *)user = *event; }

FILO_TEST(a_handler_gets_name_type_tick_and_key) {
    Fixture f = fixture_open(1);
    FiloEvent seen = { 0 };
    subscribe(&f, "hit", copy_event, &seen);
    filo_events_deliver(f.events);
    emit_hit(&f, 1);
    emit_hit(&f, 2);
    filo_events_deliver(f.events);
    assert_ptr_equal(seen.events, f.events);
    assert_int_equal(seen.name.id, f.hit.id);
    assert_ptr_equal(seen.type, FILO_TYPE(Hit));
    assert_int_equal(seen.tick, 1);
    assert_int_equal(seen.key.origin, FILO_EVENT_FROM_OUTSIDE);
    assert_int_equal(seen.key.point, 1);
    assert_int_equal(seen.key.sequence, 1);
    fixture_close(&f);
}

// ---- Changing handlers while they run ----

typedef struct Changing {
    Fixture *fixture;
    Log log;
    FiloSubscription added, first, second;
} Changing;

static void log_added(const FiloEvent *event, void *user) {
    (void)event;
    log_add(&((Changing *)user)->log, "added ");
}

static void add_one(const FiloEvent *event, void *user) {
    Changing *c = user;
    log_add(&c->log, "adder ");
    if (c->added.generation == 0)
        c->added = filo_events_subscribe(
            event->events, &(FiloHandlerDesc){ .event = event->name, .function = log_added, .user = c });
}

FILO_TEST(a_handler_added_during_delivery_first_gets_the_next_event) {
    Fixture f = fixture_open(1);
    Changing c = { .fixture = &f };
    subscribe(&f, "bell", add_one, &c);
    for (int i = 0; i < 3; i++) filo_events_emit(f.events, filo_name("bell"), NULL, NULL);
    filo_events_deliver(f.events);
    expect_log(&c.log, "adder adder added adder added ");
    fixture_close(&f);
}

static void add_many(const FiloEvent *event, void *user) {
    Changing *c = user;
    for (int i = 0; i < 100; i++)
        filo_events_subscribe(event->events,
                              &(FiloHandlerDesc){ .event = event->name, .function = log_added, .user = c });
    filo_events_unsubscribe(event->events, c->first);
}

FILO_TEST(many_handlers_added_during_delivery_do_not_affect_it) {
    Fixture f = fixture_open(1);
    Changing c = { .fixture = &f };
    c.first = subscribe(&f, "bell", add_many, &c);
    subscribe(&f, "bell", log_added, &c);
    for (int i = 0; i < 2; i++) filo_events_emit(f.events, filo_name("bell"), NULL, NULL);
    filo_events_deliver(f.events);
    assert_int_equal(c.log.length, (1 + 101) * strlen("added "));
    fixture_close(&f);
}

static void remove_second(const FiloEvent *event, void *user) {
    Changing *c = user;
    log_add(&c->log, "remover ");
    filo_events_unsubscribe(event->events, c->second);
    filo_events_unsubscribe(event->events, c->first); // itself
}

FILO_TEST(a_handler_removed_during_delivery_is_not_called_any_more) {
    Fixture f = fixture_open(1);
    Changing c = { .fixture = &f };
    c.first = subscribe(&f, "bell", remove_second, &c);
    c.second = subscribe(&f, "bell", log_added, &c);
    for (int i = 0; i < 2; i++) filo_events_emit(f.events, filo_name("bell"), NULL, NULL);
    filo_events_deliver(f.events);
    expect_log(&c.log, "remover ");
    assert_int_equal(filo_events_handlers(f.events, filo_name("bell")), 0);
    fixture_close(&f);
}

static void replace_second(const FiloEvent *event, void *user) {
    Changing *c = user;
    log_add(&c->log, "replacer ");
    if (!filo_events_subscribed(event->events, c->second)) return;
    filo_events_unsubscribe(event->events, c->second);
    c->added = filo_events_subscribe(
        event->events, &(FiloHandlerDesc){ .event = event->name, .function = log_added, .user = c });
}

FILO_TEST(a_handler_that_reuses_the_index_of_another_is_not_called_for_it) {
    Fixture f = fixture_open(1);
    Changing c = { .fixture = &f };
    subscribe(&f, "bell", replace_second, &c);
    c.second = subscribe(&f, "bell", log_added, &c);
    for (int i = 0; i < 2; i++) filo_events_emit(f.events, filo_name("bell"), NULL, NULL);
    filo_events_deliver(f.events);
    assert_int_equal(c.added.index, c.second.index);
    expect_log(&c.log, "replacer replacer added ");
    fixture_close(&f);
}

static void deliver_inside(const FiloEvent *event, void *user) {
    (void)user;
    filo_events_deliver(event->events);
}

static void destroy_inside(const FiloEvent *event, void *user) {
    (void)user;
    filo_events_destroy(event->events);
}

FILO_TEST(delivering_or_destroying_inside_a_handler_is_caught) {
    Fixture f = fixture_open(1);
    FiloSubscription one = subscribe(&f, "bell", deliver_inside, NULL);
    filo_events_emit(f.events, filo_name("bell"), NULL, NULL);
    expect_fault("events are being delivered: one thread delivers at a time", filo_events_deliver(f.events));
    filo_events_unsubscribe(f.events, one);
    subscribe(&f, "bell", destroy_inside, NULL);
    filo_events_emit(f.events, filo_name("bell"), NULL, NULL);
    expect_fault("destroy the events outside of handlers", filo_events_deliver(f.events));
    fixture_close(&f);
}

static void deliver_on_foreign_thread(void *user) { filo_events_deliver(((Fixture *)user)->events); }

FILO_TEST(a_foreign_thread_may_not_deliver) {
    Fixture f = fixture_open(1);
    FiloThread thread;
    expect_fault("deliver events on a worker", {
        assert_ok(filo_thread_start(&thread,
                                    &(FiloThreadDesc){ .function = deliver_on_foreign_thread, .user = &f }));
        filo_thread_join(&thread);
    });
    fixture_close(&f);
}

// ---- Done ----

static void log_done(const FiloEvent *event, void *user) {
    log_add(user, "done %s\n", filo_name_text(event->name));
}

FILO_TEST(done_is_called_once_after_all_handlers_and_before_the_next_event) {
    Fixture f = fixture_open(4);
    Log log = { 0 };
    subscribe(&f, "hit", log_event, &log);
    Hit hit = { 1, 1 };
    FiloEmission emission = {
        .event = f.hit, .type = FILO_TYPE(Hit), .payload = &hit, .done = log_done, .done_user = &log
    };
    filo_events_emit_with(f.events, &emission);
    emit_hit(&f, 2);
    filo_events_deliver(f.events);
    filo_events_deliver(f.events);
    expect_log(&log, "hit 1\ndone hit\nhit 2\n");
    emission.at_once = true;
    filo_events_emit_with(f.events, &emission);
    expect_log(&log, "hit 1\ndone hit\n");
    emission.at_once = false, emission.delay = 1;
    filo_events_emit_with(f.events, &emission);
    filo_events_deliver(f.events);
    expect_log(&log, "");
    filo_events_deliver(f.events);
    expect_log(&log, "hit 1\ndone hit\n");
    fixture_close(&f);
}

FILO_TEST(done_is_called_once_also_without_handlers) {
    Fixture f = fixture_open(1);
    Log log = { 0 };
    filo_events_emit_with(f.events,
                          &(FiloEmission){ .event = filo_name("bell"), .done = log_done, .done_user = &log });
    filo_events_deliver(f.events);
    filo_events_deliver(f.events);
    expect_log(&log, "done bell\n");
    fixture_close(&f);
}

static void record_from_done(const FiloEvent *event, void *user) {
    Fixture *f = user;
    filo_event_record(event->recorder, f->hit, FILO_TYPE(Hit), &(Hit){ 9, 1 });
}

FILO_TEST(done_may_emit_after_the_handlers_did) {
    Fixture f = fixture_open(1);
    Log log = { 0 };
    subscribe(&f, "hit", log_event, &log);
    FiloSubscription next = subscribe(&f, "hit", record_next, &f);
    Hit hit = { 1, 1 };
    filo_events_emit_with(f.events, &(FiloEmission){ .event = f.hit,
                                                     .type = FILO_TYPE(Hit),
                                                     .payload = &hit,
                                                     .done = record_from_done,
                                                     .done_user = &f });
    filo_events_deliver(f.events);
    filo_events_unsubscribe(f.events, next);
    filo_events_deliver(f.events);
    expect_log(&log, "hit 1\nhit 2\nhit 9\n");
    fixture_close(&f);
}

typedef struct Counts {
    int handled, done, handled_at_done; // atomic by builtins
} Counts;

static void count_handled(const FiloEvent *event, void *user) {
    (void)event;
    __atomic_fetch_add(&((Counts *)user)->handled, 1, __ATOMIC_RELAXED);
}

static void count_done_job(FiloJob *job, void *data) {
    (void)job;
    Counts *counts = *(Counts **)data;
    counts->handled_at_done = __atomic_load_n(&counts->handled, __ATOMIC_RELAXED);
    counts->done++;
}

FILO_TEST(a_job_can_follow_when_all_handlers_are_done) {
    for (int handlers = 0; handlers <= 8; handlers += 4) {
        Fixture f = fixture_open(4);
        Counts counts = { 0 };
        for (int i = 0; i < handlers; i++)
            filo_events_subscribe(f.events, &(FiloHandlerDesc){ .event = filo_name("bell"),
                                                                .function = count_handled,
                                                                .user = &counts,
                                                                .mode = FILO_HANDLER_PARALLEL });
        FiloJob job;
        filo_job_init(&job, count_done_job, &(Counts *){ &counts }, sizeof(Counts *));
        filo_events_emit_with(f.events, &(FiloEmission){ .event = filo_name("bell"), .done_job = &job });
        assert_false(filo_job_finished(&job));
        filo_events_deliver(f.events);
        filo_jobs_wait(f.jobs, &job);
        assert_int_equal(counts.done, 1);
        assert_int_equal(counts.handled_at_done, handlers);
        expect_fault(
            "done_job has run already",
            filo_events_emit_with(f.events, &(FiloEmission){ .event = filo_name("bell"), .done_job = &job }));
        fixture_close(&f);
    }
}

// ---- Threads of handlers ----

typedef struct Calls {
    FiloJobs *jobs;
    int worker[16]; // by call
    int count, running, most;
} Calls;

static void log_call(const FiloEvent *event, void *user) {
    (void)event;
    Calls *calls = user;
    int running = __atomic_add_fetch(&calls->running, 1, __ATOMIC_ACQ_REL);
    int call = __atomic_fetch_add(&calls->count, 1, __ATOMIC_RELAXED);
    if (running > calls->most)
        calls->most = running; // not atomic: only read for handlers that run one at a time
    calls->worker[call % 16] = filo_jobs_worker(calls->jobs);
    filo_sleep_ns(1000);
    __atomic_fetch_sub(&calls->running, 1, __ATOMIC_ACQ_REL);
}

static void add_handlers(Fixture *f, int count, FiloHandlerMode mode, FiloEventFunction function,
                         void *user) {
    for (int i = 0; i < count; i++)
        filo_events_subscribe(
            f->events, &(FiloHandlerDesc){
                           .event = filo_name("bell"), .function = function, .user = user, .mode = mode });
}

FILO_TEST(main_handlers_run_on_main_and_serial_ones_never_at_the_same_time) {
    Fixture f = fixture_open(4);
    Calls main_calls = { .jobs = f.jobs }, serial_calls = { .jobs = f.jobs };
    Counts counts = { 0 };
    add_handlers(&f, 4, FILO_HANDLER_MAIN, log_call, &main_calls);
    add_handlers(&f, 4, FILO_HANDLER_SERIAL, log_call, &serial_calls);
    add_handlers(&f, 4, FILO_HANDLER_PARALLEL, count_handled, &counts);
    for (int i = 0; i < 50; i++) filo_events_emit(f.events, filo_name("bell"), NULL, NULL);
    filo_events_deliver(f.events);
    assert_int_equal(main_calls.count, 200);
    assert_int_equal(serial_calls.count, 200);
    assert_int_equal(counts.handled, 200);
    assert_int_equal(main_calls.most, 1);
    assert_int_equal(serial_calls.most, 1);
    for (int i = 0; i < 16; i++) assert_int_equal(main_calls.worker[i], 0);
    fixture_close(&f);
}

typedef struct Barrier {
    int arrived; // atomic by builtins
    int wanted;
    bool passed[4];
} Barrier;

static void wait_for_all(const FiloEvent *event, void *user) {
    (void)event;
    Barrier *barrier = user;
    int index = __atomic_fetch_add(&barrier->arrived, 1, __ATOMIC_ACQ_REL);
    while (__atomic_load_n(&barrier->arrived, __ATOMIC_ACQUIRE) < barrier->wanted) filo_thread_yield();
    barrier->passed[index] = true;
}

FILO_TEST(handlers_of_one_event_run_at_the_same_time) {
    Fixture f = fixture_open(4);
    Barrier barrier = { .wanted = 4 }; // no handler returns before all four are running
    add_handlers(&f, 1, FILO_HANDLER_MAIN, wait_for_all, &barrier);
    add_handlers(&f, 1, FILO_HANDLER_SERIAL, wait_for_all, &barrier);
    add_handlers(&f, 2, FILO_HANDLER_PARALLEL, wait_for_all, &barrier);
    filo_events_emit(f.events, filo_name("bell"), NULL, NULL);
    filo_events_deliver(f.events);
    for (int i = 0; i < 4; i++) assert_true(barrier.passed[i]);
    fixture_close(&f);
}

static void deliver_in_job(FiloJob *job, void *data) {
    (void)job;
    filo_events_deliver((*(Fixture **)data)->events);
}

FILO_TEST(main_handlers_run_on_main_also_when_another_worker_delivers) {
    Fixture f = fixture_open(3);
    Calls calls = { .jobs = f.jobs };
    Counts counts = { 0 };
    add_handlers(&f, 2, FILO_HANDLER_MAIN, log_call, &calls);
    for (int round = 0; round < 3; round++) {
        filo_events_emit(f.events, filo_name("bell"), NULL, NULL);
        FiloJob job;
        filo_job_init(&job, deliver_in_job, &(Fixture *){ &f }, sizeof(Fixture *));
        filo_job_set_worker(&job, 1 + round % 2);
        filo_jobs_run(f.jobs, &job);
        filo_jobs_wait(f.jobs, &job);
        assert_int_equal(calls.count, 2 * (round + 1));
        if (round == 1) add_handlers(&f, 3, FILO_HANDLER_PARALLEL, count_handled, &counts);
    }
    for (int i = 0; i < calls.count; i++) assert_int_equal(calls.worker[i], 0);
    assert_int_equal(counts.handled, 3);
    fixture_close(&f);
}

// ---- The end of a delivery -------------------------------------------------------------------------------

static void log_end(FiloEvents *events, void *user) {
    FiloPendingCursor cursor = { 0 };
    FiloPendingEvent pending;
    int waiting = 0;
    while (filo_events_next_pending(events, &cursor, &pending)) waiting++;
    log_add(user, "end, %d wait. ", waiting);
}

static void log_other_end(FiloEvents *events, void *user) {
    (void)events;
    log_add(user, "other end. ");
}

static void answer_bell(const FiloEvent *event, void *user) {
    filo_event_record(event->recorder, filo_name("answer"), NULL, NULL);
    log_add(user, "bell. ");
}

FILO_TEST(delivered_functions_are_called_when_a_delivery_has_ended) {
    Fixture f = fixture_open(2);
    Log log = { 0 };
    FiloName bell = filo_name("bell");
    filo_events_subscribe(f.events,
                          &(FiloHandlerDesc){ .event = bell, .function = answer_bell, .user = &log });
    assert_true(filo_events_add_delivered(f.events, log_end, &log));
    assert_true(filo_events_add_delivered(f.events, log_other_end, &log));
    assert_true(filo_events_add_delivered(f.events, log_end, &log)); // already added
    filo_events_emit(f.events, bell, NULL, NULL);
    filo_events_emit(f.events, bell, NULL, NULL);
    expect_log(&log, "");
    filo_events_deliver(f.events);
    expect_log(&log, "bell. bell. end, 2 wait. other end. ");
    filo_events_deliver_within_tick(f.events);
    expect_log(&log, "end, 0 wait. other end. ");
    filo_events_emit_now(f.events, bell, NULL, NULL);
    expect_log(&log, "bell. end, 1 wait. other end. ");
    filo_events_remove_delivered(f.events, log_end, &log);
    filo_events_remove_delivered(f.events, log_end, &f); // was not added
    filo_events_deliver(f.events);
    expect_log(&log, "other end. ");
    fixture_close(&f);
}

FILO_TEST(adding_no_delivered_function_is_a_mistake) {
    only_in_debug_builds();
    Fixture f = fixture_open(1);
    expect_fault("pass events, and a function", assert_false(filo_events_add_delivered(f.events, NULL, &f)));
    expect_fault("pass events, and a function", assert_false(filo_events_add_delivered(NULL, log_end, &f)));
    expect_fault("pass events", filo_events_remove_delivered(NULL, log_end, &f));
    fixture_close(&f);
}

// ---- Events without handlers --------------------------------------------------------------------------------

// Emits an event without a payload, and delivers it.
static void send(Fixture *f, const char *name) {
    assert_true(filo_events_emit(f->events, filo_name(name), NULL, NULL));
    filo_events_deliver(f->events);
}

FILO_TEST(an_event_without_a_handler_is_reported_once_with_a_similar_name) {
    only_in_debug_builds();
    Fixture f = fixture_open(1);
    Log log = { 0 };
    subscribe(&f, "door opened", log_event, &log);
    expect_warning("event \"door openend\" was emitted, and has no handler: did you mean \"door opened\"?",
                   send(&f, "door openend"));
    expect_no_warning(send(&f, "door openend"));
    expect_warning("declare it with filo_events_declare", send(&f, "avalanche"));
    expect_no_warning(send(&f, "door opened"));
    fixture_close(&f);
}

FILO_TEST(an_event_that_was_declared_or_had_a_handler_is_not_reported) {
    Fixture f = fixture_open(1);
    Log log = { 0 };
    assert_ok(filo_events_declare(f.events, filo_name("snowfall"), NULL));
    expect_no_warning(send(&f, "snowfall"));
    FiloSubscription subscription = subscribe(&f, "rainfall", log_event, &log);
    filo_events_unsubscribe(f.events, subscription);
    expect_no_warning(send(&f, "rainfall"));
    fixture_close(&f);
}

static void count_done(const FiloEvent *event, void *user) {
    FILO_UNUSED(event);
    ++*(int *)user;
}

FILO_TEST(an_event_with_a_done_function_is_not_reported) {
    Fixture f = fixture_open(1);
    int done = 0;
    FiloEmission emission = { .event = filo_name("hailstorm"), .done = count_done, .done_user = &done };
    expect_no_warning(assert_true(filo_events_emit_with(f.events, &emission)); filo_events_deliver(f.events));
    assert_int_equal(done, 1);
    fixture_close(&f);
}
