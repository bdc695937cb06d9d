// Events that are delivered on the emitting thread: filo_events_emit_here.

#include "events/fixture.h"

FILO_REFLECT(Hit, FILO_FIELD(uint32_t, target), FILO_FIELD(int32_t, damage))

typedef struct Seen {
    FiloJobs *jobs;
    int worker, calls;
    bool inside;
} Seen;

static void log_thread(const FiloEvent *event, void *user) {
    Seen *seen = user;
    seen->worker = filo_jobs_worker(seen->jobs);
    seen->calls++;
    seen->inside = filo_events_inside_handler();
    assert_null(event->recorder);
    assert_int_equal(((const Hit *)event->payload)->target, 7);
}

static void emit_in_job(FiloJob *job, void *data) {
    FILO_UNUSED(job);
    Fixture *f = *(Fixture **)data;
    assert_true(filo_events_emit_here(f->events, f->hit, FILO_TYPE(Hit), &(Hit){ 7, 1 }));
}

static void count(FiloEvents *events, void *user) {
    FILO_UNUSED(events);
    ++*(int *)user;
}

FILO_TEST(handlers_run_on_the_thread_that_emits_whatever_their_mode) {
    Fixture f = fixture_open(3), *pointer = &f;
    const FiloHandlerMode modes[] = { FILO_HANDLER_SERIAL, FILO_HANDLER_PARALLEL, FILO_HANDLER_MAIN };
    Seen seen[3];
    for (int i = 0; i < 3; i++) {
        seen[i] = (Seen){ .jobs = f.jobs };
        filo_events_subscribe(f.events, &(FiloHandlerDesc){ .event = f.hit,
                                                            .type = FILO_TYPE(Hit),
                                                            .function = log_thread,
                                                            .user = &seen[i],
                                                            .mode = modes[i] });
    }
    int ended = 0;
    assert_true(filo_events_add_delivered(f.events, count, &ended));
    for (int worker = 0; worker < 3; worker++) {
        FiloJob job;
        filo_job_init(&job, emit_in_job, &pointer, sizeof pointer);
        filo_job_set_worker(&job, worker);
        filo_jobs_run(f.jobs, &job);
        filo_jobs_wait(f.jobs, &job);
        for (int i = 0; i < 3; i++) {
            assert_int_equal(seen[i].worker, worker);
            assert_int_equal(seen[i].calls, worker + 1);
            assert_true(seen[i].inside);
        }
    }
    assert_false(filo_events_inside_handler());
    assert_int_equal(ended, 0);
    filo_events_end_here(f.events);
    assert_int_equal(ended, 1);
    fixture_close(&f);
}

static void emit_again(const FiloEvent *event, void *user) {
    FILO_UNUSED(user);
    filo_events_emit_here(event->events, event->name, event->type, event->payload);
}

static void end_inside(const FiloEvent *event, void *user) {
    FILO_UNUSED(user);
    filo_events_end_here(event->events);
}

static void record(const FiloEvent *event, void *user) {
    FILO_UNUSED(user);
    assert_false(filo_event_record(event->recorder, event->name, event->type, event->payload));
}

FILO_TEST(misuse_inside_a_handler_of_emit_here_is_caught) {
    const struct {
        FiloEventFunction function;
        const char *fault;
    } cases[] = { { emit_again, "event \"hit\": inside a handler, emit with filo_event_record" },
                  { end_inside, "the main thread ends what threads emitted, outside of jobs and handlers" },
                  { record, "event \"hit\": there is no recorder" } };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        Fixture f = fixture_open(1);
        subscribe(&f, "hit", cases[i].function, NULL);
        expect_fault(cases[i].fault, filo_events_emit_here(f.events, f.hit, FILO_TYPE(Hit), &(Hit){ 7, 1 }));
        fixture_close(&f);
    }
}

FILO_TEST(an_event_with_another_payload_type_is_not_emitted_here) {
    Fixture f = fixture_open(1);
    assert_ok(filo_events_declare(f.events, f.hit, NULL));
    expect_fault("hit", assert_false(filo_events_emit_here(f.events, f.hit, FILO_TYPE(Hit), &(Hit){ 7, 1 })));
    fixture_close(&f);
}
