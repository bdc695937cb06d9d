// The end of blocking work: notifications, waiting, and stopping the scheduler.

#include <filo/threads.h>

#include <filo/time.h>

#include "jobs/async_fixture.h"

// ---- Notifications ------------------------------------------------------------------------------------

typedef struct Ended {
    AtomicInt count;
    int worker;
    FiloRequestState state;
    FiloCode code;
} Ended;

static void note_end(FiloJobs *jobs, FiloRequest request, void *user) {
    Ended *ended = user;
    ended->worker = filo_jobs_worker(jobs);
    ended->state = filo_async_state(jobs, request);
    ended->code = filo_async_result(jobs, request, NULL).code;
    assert_ptr_equal(filo_jobs_current(), jobs);
    filo_async_wait(jobs, request); // it has ended
    base_add_acq_rel(&ended->count, 1);
}

static void note_end_and_release(FiloJobs *jobs, FiloRequest request, void *user) {
    note_end(jobs, request, user);
    filo_async_release(jobs, request);
}

FILO_TEST(a_parent_finishes_after_its_requests_and_what_they_call) {
    FiloJobs *jobs = create(2, 0);
    for (int round = 0; round < 50; round++) {
        Ended ended[4] = { 0 };
        FiloJob group;
        filo_job_init(&group, filo_job_do_nothing, NULL, 0);
        FiloRequest requests[4];
        for (int i = 0; i < 4; i++) {
            FiloAsyncOptions options = {
                .ended = i < 3 ? note_end : NULL, .ended_user = &ended[i], .parent = &group, .on_main = i == 1
            };
            requests[i] = filo_async_run(jobs, i == 2 ? fail_on_purpose : nothing, NULL, &options);
        }
        filo_jobs_run(jobs, &group);
        filo_jobs_wait(jobs, &group);
        for (int i = 0; i < 3; i++) {
            assert_int_equal(ended[i].count, 1);
            assert_true(ended[i].worker >= 0);
            assert_int_equal(ended[i].state, i == 2 ? FILO_REQUEST_FAILED : FILO_REQUEST_DONE);
            assert_int_equal(ended[i].code, i == 2 ? FILO_ERROR_TIMEOUT : FILO_OK);
        }
        assert_int_equal(ended[1].worker, 0);
        assert_int_equal(filo_async_state(jobs, requests[3]), FILO_REQUEST_DONE);
        for (int i = 0; i < 4; i++) filo_async_release(jobs, requests[i]);
    }
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

FILO_TEST(ended_on_main_is_called_only_there) {
    FiloJobs *jobs = create(2, 0);
    Ended ended = { 0 };
    FiloAsyncOptions options = { .ended = note_end_and_release, .ended_user = &ended, .on_main = true };
    (void)filo_async_run(jobs, nothing, NULL, &options);
    int run = 0;
    while (run == 0) { // no other worker may take it
        usleep(1000);
        assert_int_equal(base_load_acquire(&ended.count), 0);
        run = filo_jobs_run_pinned(jobs);
    }
    assert_int_equal(run, 1);
    assert_int_equal(ended.count, 1);
    assert_int_equal(ended.worker, 0);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

FILO_TEST(a_cancelled_request_notifies_of_its_end_too) {
    FiloJobs *jobs = create(1, 1);
    Hold h = { 0 };
    Ended ended = { 0 };
    FiloRequest first = filo_async_run(jobs, hold, &h, NULL);
    FiloAsyncOptions options = { .ended = note_end_and_release, .ended_user = &ended };
    FiloRequest second = filo_async_run(jobs, nothing, NULL, &options);
    assert_true(filo_async_cancel(jobs, second));
    base_store_release(&h.open, 1);
    end(jobs, first);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    assert_int_equal(ended.count, 1);
    assert_int_equal(ended.state, FILO_REQUEST_CANCELLED);
    assert_int_equal(ended.code, FILO_ERROR_CANCELLED);
}

FILO_TEST(a_released_request_continues_and_notifies_of_its_end) {
    FiloJobs *jobs = create(2, 0);
    Hold h = { 0 };
    Ended ended = { 0 };
    FiloJob group;
    filo_job_init(&group, filo_job_do_nothing, NULL, 0);
    FiloAsyncOptions options = { .ended = note_end, .ended_user = &ended, .parent = &group };
    FiloRequest request = filo_async_run(jobs, hold, &h, &options);
    filo_async_release(jobs, request);
    assert_int_equal(filo_async_state(jobs, request), FILO_REQUEST_NONE);
    base_store_release(&h.open, 1);
    filo_jobs_run(jobs, &group);
    filo_jobs_wait(jobs, &group);
    assert_int_equal(ended.state, FILO_REQUEST_DONE); // valid inside
    assert_int_equal(h.finished, 1);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

static void note_job(FiloJob *job, void *data) {
    AtomicInt *counter;
    (void)job;
    memcpy(&counter, data, sizeof counter);
    base_add_acq_rel(counter, 1);
}

FILO_TEST(a_job_is_started_by_the_end_and_others_come_after_it) {
    FiloJobs *jobs = create(2, 0);
    AtomicInt ran = 0, *counter = &ran;
    FiloJob then[3], last;
    filo_job_init(&last, note_job, &counter, sizeof counter);
    FiloRequest requests[3];
    Hold h = { 0 };
    for (int i = 0; i < 3; i++) {
        filo_job_init(&then[i], note_job, &counter, sizeof counter);
        assert_true(filo_job_after(&last, &then[i], jobs));
    }
    filo_jobs_run(jobs, &last);
    for (int i = 0; i < 3; i++)
        requests[i] = filo_async_run(jobs, hold, &h, &(FiloAsyncOptions){ .then = &then[i] });
    await(&h.started, 3);
    assert_int_equal(base_load_acquire(&ran), 0);
    base_store_release(&h.open, 1);
    filo_jobs_wait(jobs, &last);
    assert_int_equal(ran, 4);
    for (int i = 0; i < 3; i++) end(jobs, requests[i]);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

// ---- Waiting ------------------------------------------------------------------------------------------

static void open_hold(FiloJob *job, void *data) {
    Hold *h;
    (void)job;
    memcpy(&h, data, sizeof h);
    base_store_release(&h->open, 1);
}

FILO_TEST(a_worker_that_waits_runs_jobs_meanwhile) {
    FiloJobs *jobs = create(1, 1); // so main must run the job, or the test hangs
    Hold h = { 0 }, *pointer = &h;
    FiloRequest request = filo_async_run(jobs, hold, &h, NULL);
    filo_jobs_spawn(jobs, NULL, open_hold, &pointer, sizeof pointer);
    end(jobs, request);
    assert_int_equal(h.finished, 1);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

static FiloResult use_main(FiloAsyncCall *call, void *user) {
    FiloJob job;
    filo_job_init(&job, note_job, &user, sizeof user);
    filo_job_set_worker(&job, 0);
    filo_jobs_run(call->jobs, &job);
    filo_jobs_wait(call->jobs, &job);
    return filo_ok();
}

FILO_TEST(a_function_may_wait_for_a_job_on_main) {
    FiloJobs *jobs = create(1, 1);
    AtomicInt ran = 0;
    end(jobs, filo_async_run(jobs, use_main, &ran, NULL));
    assert_int_equal(ran, 1);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

typedef struct Nest {
    int depth;
    AtomicInt *ran;
} Nest;

static FiloResult nest(FiloAsyncCall *call, void *user) {
    Nest *n = user;
    base_add_acq_rel(n->ran, 1);
    if (n->depth == 0) return filo_ok();
    Nest inner = { n->depth - 1, n->ran };
    FiloRequest requests[2];
    for (int i = 0; i < 2; i++) requests[i] = filo_async_run(call->jobs, nest, &inner, NULL);
    for (int i = 0; i < 2; i++) end(call->jobs, requests[i]);
    return filo_ok();
}

FILO_TEST(requests_wait_for_requests_on_a_single_thread) {
    for (int threads = 1; threads <= 3; threads++) {
        FiloJobs *jobs = create(1, threads);
        AtomicInt ran = 0;
        Nest n = { 6, &ran };
        end(jobs, filo_async_run(jobs, nest, &n, NULL));
        assert_int_equal(ran, 127);
        filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    }
}

typedef struct Foreign {
    FiloJobs *jobs;
    FiloRequest request;
    AtomicInt waiting, returned;
} Foreign;

static void wait_on_foreign_thread(void *user) {
    Foreign *f = user;
    base_store_release(&f->waiting, 1);
    filo_async_wait(f->jobs, f->request);
    base_store_release(&f->returned, 1);
}

FILO_TEST(a_foreign_thread_waits_though_main_does_nothing) {
    FiloJobs *jobs = create(1, 1);
    Hold h = { 0 };
    Foreign f = { .jobs = jobs, .request = filo_async_run(jobs, hold, &h, NULL) };
    FiloThread thread;
    assert_ok(
        filo_thread_start(&thread, &(FiloThreadDesc){ .function = wait_on_foreign_thread, .user = &f }));
    await(&f.waiting, 1);
    assert_int_equal(base_load_acquire(&f.returned), 0);
    base_store_release(&h.open, 1);
    filo_thread_join(&thread);
    assert_int_equal(filo_async_state(jobs, f.request), FILO_REQUEST_DONE);
    filo_async_release(jobs, f.request);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

static void await_references(FiloJobs *jobs, FiloRequest request, uint32_t count) {
    JobsAsyncSlot *slot = &jobs->async->chunks[0][request.id - 1];
    bool reached = false;
    while (!reached) {
        filo_mutex_lock(&jobs->async->lock);
        reached = slot->references >= count;
        filo_mutex_unlock(&jobs->async->lock);
        usleep(100);
    }
}

FILO_TEST(a_release_does_not_disturb_a_thread_that_waits) {
    FiloJobs *jobs = create(1, 2);
    for (int i = 0; i < 20; i++) {
        Hold h = { 0 };
        Foreign f = { .jobs = jobs, .request = filo_async_run(jobs, hold, &h, NULL) };
        FiloThread thread;
        assert_ok(
            filo_thread_start(&thread, &(FiloThreadDesc){ .function = wait_on_foreign_thread, .user = &f }));
        await_references(jobs, f.request, 3); // of this test, of the pool, and of the thread that waits
        filo_async_release(jobs, f.request);
        base_store_release(&h.open, 1);
        filo_thread_join(&thread);
        assert_int_equal(h.finished, 1);
    }
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

// ---- Stopping -----------------------------------------------------------------------------------------

FILO_TEST(finishing_runs_all_requests_and_what_they_call) {
    for (int threads = 1; threads <= 3; threads++) {
        FiloJobs *jobs = create(threads, 2);
        AtomicInt ran = 0, then_ran = 0, *counter = &then_ran;
        Ended ended[100] = { 0 };
        FiloJob then[100];
        for (int i = 0; i < 100; i++) {
            filo_job_init(&then[i], note_job, &counter, sizeof counter);
            FiloAsyncOptions options = {
                .ended = note_end, .ended_user = &ended[i], .on_main = i % 2 == 0, .then = &then[i]
            };
            (void)filo_async_run(jobs, count_up, &ran, &options); // not released
        }
        filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
        assert_int_equal(ran, 100);
        assert_int_equal(then_ran, 100);
        for (int i = 0; i < 100; i++) assert_int_equal(ended[i].count, 1);
    }
}

typedef struct Chain {
    FiloJobs *jobs;
    AtomicInt left;
} Chain;

static void go_on_chain(FiloJobs *jobs, FiloRequest request, void *user);

static void chain_job(FiloJob *job, void *data) {
    Chain *chain;
    (void)job;
    memcpy(&chain, data, sizeof chain);
    FiloAsyncOptions options = { .ended = go_on_chain, .ended_user = chain };
    (void)filo_async_run(chain->jobs, nothing, NULL, &options);
}

static void go_on_chain(FiloJobs *jobs, FiloRequest request, void *user) {
    Chain *chain = user;
    filo_async_release(jobs, request);
    if (base_sub_acq_rel(&chain->left, 1) > 1) filo_jobs_spawn(jobs, NULL, chain_job, &chain, sizeof chain);
}

FILO_TEST(finishing_follows_jobs_that_make_requests_that_make_jobs) {
    for (int threads = 1; threads <= 2; threads++) {
        FiloJobs *jobs = create(threads, 1);
        Chain chain = { .jobs = jobs, .left = 50 }, *pointer = &chain;
        filo_jobs_spawn(jobs, NULL, chain_job, &pointer, sizeof pointer);
        filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
        assert_int_equal(chain.left, 0);
    }
}

static FiloResult obey_and_try_more(FiloAsyncCall *call, void *user) {
    FiloResult result = obey(call, user);
    // Whether this request is accepted depends on timing; it must not hang or leak in either case.
    (void)filo_async_run(call->jobs, nothing, NULL, NULL);
    return result;
}

FILO_TEST(cancelling_at_the_end_drops_what_waits_and_waits_for_what_runs) {
    for (int threads = 1; threads <= 3; threads++) {
        FiloJobs *jobs = create(threads, 2);
        AtomicInt started = 0, ran = 0;
        Ended ended = { 0 };
        (void)filo_async_run(jobs, obey_and_try_more, &started, NULL);
        (void)filo_async_run(jobs, obey, &started, NULL);
        await(&started, 2);
        for (int i = 0; i < 50; i++) {
            FiloAsyncOptions options = { .ended = note_end, .ended_user = &ended, .on_main = i % 2 == 0 };
            (void)filo_async_run(jobs, count_up, &ran, &options);
        }
        filo_jobs_destroy(jobs, FILO_JOBS_CANCEL);
        assert_int_equal(ran, 0);
        assert_int_equal(ended.count, 0);
    }
}

FILO_TEST(schedulers_come_and_go_with_their_threads) {
    for (int i = 0; i < 200; i++) {
        FiloJobs *jobs = create(1 + i % 2, 1 + i % 3);
        AtomicInt ran = 0;
        for (int k = 0; k < i % 7; k++) (void)filo_async_run(jobs, count_up, &ran, NULL);
        filo_jobs_destroy(jobs, i % 3 == 0 ? FILO_JOBS_CANCEL : FILO_JOBS_FINISH);
        if (i % 3 != 0) assert_int_equal(ran, i % 7);
    }
}

// ---- Waiting for a limited time -------------------------------------------------------------------------

FILO_TEST(a_wait_with_a_time_limit_ends_with_the_request_or_the_time) {
    for (int threads = 1; threads <= 2; threads++) {
        FiloJobs *jobs = create(threads, 0);
        Hold held = { 0 };
        FiloRequest request = filo_async_run(jobs, hold, &held, NULL);
        await(&held.started, 1);
        assert_false(filo_async_wait_for(jobs, request, 0));
        int64_t start = filo_time_ns();
        assert_false(filo_async_wait_for(jobs, request, 5000000));
        assert_true(filo_time_ns() - start >= 5000000);
        base_store_release(&held.open, 1);
        assert_true(filo_async_wait_for(jobs, request, INT64_MAX));
        assert_int_equal(filo_async_state(jobs, request), FILO_REQUEST_DONE);
        assert_true(filo_async_wait_for(jobs, request, 0));
        filo_async_release(jobs, request);
        assert_true(filo_async_wait_for(jobs, (FiloRequest){ 0 }, 0));
        filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    }
}

static void count_job(FiloJob *job, void *data) {
    (void)job;
    base_add_acq_rel(*(AtomicInt **)data, 1);
}

// Only the worker that waits can run the job.
static FiloResult wait_for_a_job(FiloAsyncCall *call, void *user) {
    FiloJob job;
    AtomicInt *ran = user;
    filo_job_init(&job, count_job, &ran, sizeof ran);
    filo_jobs_run(call->jobs, &job);
    filo_jobs_wait(call->jobs, &job);
    return filo_ok();
}

FILO_TEST(a_worker_runs_jobs_while_it_waits_for_a_limited_time) {
    FiloJobs *jobs = create(1, 0);
    AtomicInt ran = 0;
    FiloRequest request = filo_async_run(jobs, wait_for_a_job, &ran, NULL);
    assert_true(filo_async_wait_for(jobs, request, INT64_C(20000000000)));
    assert_int_equal(base_load_acquire(&ran), 1);
    filo_async_release(jobs, request);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

FILO_TEST(a_call_without_a_request_is_not_cancelled) {
    assert_false(filo_async_cancelled(&(FiloAsyncCall){ 0 }));
}
