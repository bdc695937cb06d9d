// Blocking work: requests, their threads, and running out of resources.

#include <filo/threads.h>
#include <filo/time.h>

#include "jobs/async_fixture.h"
#include "support/failing_allocator.h"

#include <stdlib.h>

// ---- Running ------------------------------------------------------------------------------------------

typedef struct ThreadNote {
    int worker;
    char name[32];
} ThreadNote;

static FiloResult note_thread(FiloAsyncCall *call, void *user) {
    ThreadNote *note = user;
    note->worker = filo_jobs_worker(call->jobs);
    snprintf(note->name, sizeof note->name, "%s", filo_thread_name());
    call->bytes = 1234;
    return filo_ok();
}

FILO_TEST(a_function_runs_on_a_named_thread_that_is_no_worker) {
    FiloJobs *jobs = create(2, 0);
    ThreadNote note = { 0 };
    FiloRequest request = filo_async_run(jobs, note_thread, &note, NULL);
    assert_int_not_equal(request.id, 0);
    filo_async_wait(jobs, request);
    assert_int_equal(filo_async_state(jobs, request), FILO_REQUEST_DONE);
    size_t bytes = 0;
    assert_ok(filo_async_result(jobs, request, &bytes));
    assert_int_equal(bytes, 1234);
    assert_int_equal(note.worker, -1);
    assert_string_equal(note.name, "async 0");
    filo_async_release(jobs, request);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

FILO_TEST(threads_carry_the_name_of_their_scheduler) {
    FiloJobs *jobs = create_with((FiloJobsDesc){ .threads = 1, .name = "ship" });
    ThreadNote note = { 0 };
    end(jobs, filo_async_run(jobs, note_thread, &note, NULL));
    assert_string_equal(note.name, "ship async 0");
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

FILO_TEST(a_failure_is_reported_with_its_message) {
    FiloJobs *jobs = create(1, 0);
    FiloRequest request = filo_async_run(jobs, fail_on_purpose, NULL, NULL);
    filo_async_wait(jobs, request);
    assert_int_equal(filo_async_state(jobs, request), FILO_REQUEST_FAILED);
    size_t bytes;
    assert_error(filo_async_result(jobs, request, &bytes), FILO_ERROR_TIMEOUT, "scores: no answer");
    assert_int_equal(bytes, 3);
    filo_async_release(jobs, request);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

typedef struct Order {
    int next;
    int seen[100];
} Order;
typedef struct OrderItem {
    Order *order;
    int number;
} OrderItem;

static FiloResult note_order(FiloAsyncCall *call, void *user) {
    OrderItem *item = user;
    (void)call;
    item->order->seen[item->order->next++] = item->number; // one thread: no lock is needed
    return filo_ok();
}

FILO_TEST(requests_start_in_the_order_in_which_they_came) {
    FiloJobs *jobs = create(2, 1);
    Hold h = { 0 };
    FiloRequest first = filo_async_run(jobs, hold, &h, NULL);
    Order order = { 0 };
    OrderItem items[100];
    FiloRequest requests[100];
    for (int i = 0; i < 100; i++) {
        items[i] = (OrderItem){ &order, i };
        requests[i] = filo_async_run(jobs, note_order, &items[i], NULL);
        assert_int_equal(filo_async_state(jobs, requests[i]), FILO_REQUEST_WAITING);
    }
    base_store_release(&h.open, 1);
    for (int i = 0; i < 100; i++) end(jobs, requests[i]);
    for (int i = 0; i < 100; i++) assert_int_equal(order.seen[i], i);
    end(jobs, first);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

// ---- Threads ------------------------------------------------------------------------------------------

static void await_threads(FiloJobs *jobs, int count) {
    while (filo_jobs_stats(jobs).async_threads != count) usleep(1000);
}

FILO_TEST(threads_come_under_blocking_load_and_go_when_idle) {
    FiloJobs *jobs = create(2, 4);
    filo_async_set_idle_time(jobs, FILO_MILLISECOND);
    assert_int_equal(filo_jobs_stats(jobs).async_threads, 0); // none before the first request
    for (int round = 0; round < 3; round++) {
        Hold h = { 0 };
        FiloRequest requests[8];
        for (int i = 0; i < 8; i++) {
            requests[i] = filo_async_run(jobs, hold, &h, NULL);
            assert_int_equal(filo_jobs_stats(jobs).async_threads, FILO_MIN(i + 1, 4));
        }
        await(&h.started, 4);
        for (int i = 0; i < 8; i++)
            assert_int_equal(filo_async_state(jobs, requests[i]),
                             i < 4 ? FILO_REQUEST_RUNNING : FILO_REQUEST_WAITING);
        base_store_release(&h.open, 1);
        for (int i = 0; i < 8; i++) end(jobs, requests[i]);
        assert_int_equal(h.finished, 8);
        await_threads(jobs, 0);
    }
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

FILO_TEST(an_idle_thread_is_used_again) {
    FiloJobs *jobs = create(1, 4);
    filo_async_set_idle_time(jobs, 1000 * FILO_SECOND);
    for (int i = 0; i < 50; i++) {
        end(jobs, filo_async_run(jobs, nothing, NULL, NULL));
        bool idle = false;
        while (!idle) { // it may become idle after the request has ended
            filo_mutex_lock(&jobs->async->lock);
            idle = jobs->async->idle != NULL;
            filo_mutex_unlock(&jobs->async->lock);
        }
    }
    assert_int_equal(filo_jobs_stats(jobs).async_threads, 1);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

FILO_TEST(a_system_without_threads_fails_the_request) {
    // One worker needs no thread; no system has a stack of this size.
    FiloJobs *jobs = create_with((FiloJobsDesc){ .threads = 1, .stack_size = (size_t)1 << 50 });
    FiloRequest request =
        filo_async_run(jobs, nothing, NULL, &(FiloAsyncOptions){ .name = "fetch the scores" });
    filo_async_wait(jobs, request);
    assert_error(filo_async_result(jobs, request, NULL), FILO_ERROR_LIMIT,
                 "fetch the scores: the system does not allow a thread");
    filo_async_release(jobs, request);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

// ---- Cancelling ---------------------------------------------------------------------------------------

FILO_TEST(a_waiting_request_that_is_cancelled_never_runs) {
    FiloJobs *jobs = create(1, 1);
    Hold h = { 0 };
    AtomicInt ran = 0;
    FiloRequest first = filo_async_run(jobs, hold, &h, NULL);
    FiloRequest second = filo_async_run(jobs, count_up, &ran, &(FiloAsyncOptions){ .name = "second" });
    FiloRequest third = filo_async_run(jobs, count_up, &ran, NULL);
    assert_error(filo_async_result(jobs, second, NULL), FILO_ERROR_BUSY, "second: has not ended");
    assert_true(filo_async_cancel(jobs, second));
    assert_int_equal(filo_async_state(jobs, second), FILO_REQUEST_CANCELLED);
    assert_error(filo_async_result(jobs, second, NULL), FILO_ERROR_CANCELLED, "second: cancelled");
    filo_async_wait(jobs, second); // returns
    assert_false(filo_async_cancel(jobs, second));
    base_store_release(&h.open, 1);
    end(jobs, third);
    assert_int_equal(ran, 1);
    filo_async_release(jobs, second);
    filo_async_release(jobs, first);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

FILO_TEST(a_running_function_is_notified_and_may_stop) {
    FiloJobs *jobs = create(1, 2);
    AtomicInt started = 0;
    FiloRequest request = filo_async_run(jobs, obey, &started, NULL);
    await(&started, 1);
    assert_false(filo_async_cancel(jobs, request));
    filo_async_wait(jobs, request);
    assert_int_equal(filo_async_state(jobs, request), FILO_REQUEST_CANCELLED);
    assert_error(filo_async_result(jobs, request, NULL), FILO_ERROR_CANCELLED, "obeyed");
    filo_async_release(jobs, request);

    Hold h = { 0 }; // a function that does not check
    request = filo_async_run(jobs, hold, &h, NULL);
    await(&h.started, 1);
    assert_false(filo_async_cancel(jobs, request));
    assert_int_equal(filo_async_state(jobs, request), FILO_REQUEST_RUNNING);
    base_store_release(&h.open, 1);
    filo_async_wait(jobs, request);
    assert_int_equal(filo_async_state(jobs, request), FILO_REQUEST_DONE);

    assert_false(filo_async_cancel(jobs, request)); // too late: no effect
    assert_int_equal(filo_async_state(jobs, request), FILO_REQUEST_DONE);
    assert_ok(filo_async_result(jobs, request, NULL));
    filo_async_release(jobs, request);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

// ---- Mistakes -----------------------------------------------------------------------------------------

FILO_TEST(stale_requests_are_recognised_also_after_reuse) {
    FiloJobs *jobs = create(1, 1);
    FiloRequest old = filo_async_run(jobs, nothing, NULL, NULL);
    end(jobs, old);
    assert_int_equal(filo_async_state(jobs, old), FILO_REQUEST_NONE);
    FiloRequest newer = { 0 };
    for (int i = 0; i < 100 && newer.id != old.id; i++) { // until its slot is reused
        if (newer.id != 0) end(jobs, newer);
        newer = filo_async_run(jobs, nothing, NULL, NULL);
    }
    assert_int_equal(newer.id, old.id);
    assert_int_not_equal(newer.generation, old.generation);
    assert_int_equal(filo_async_state(jobs, old), FILO_REQUEST_NONE);
    expect_fault("was released", filo_async_wait(jobs, old));
    expect_fault("was released", assert_false(filo_async_cancel(jobs, old)));
    expect_fault("was released", filo_async_release(jobs, old));
    expect_mistake("was released", filo_async_result(jobs, old, NULL));
    FiloFileData data;
    expect_mistake("was released", filo_async_take_file(jobs, old, &data));
    expect_fault("was released", filo_async_wait(jobs, (FiloRequest){ 4000000000u, 1 }));
    filo_async_wait(jobs, newer);
    assert_ok(filo_async_result(jobs, newer, NULL));
    filo_async_release(jobs, newer);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

FILO_TEST(no_request_is_harmless) {
    FiloJobs *jobs = create(1, 1);
    FiloRequest none = { 0 };
    filo_async_wait(jobs, none);
    filo_async_release(jobs, none);
    assert_false(filo_async_cancel(jobs, none));
    assert_int_equal(filo_async_state(jobs, none), FILO_REQUEST_NONE);
    assert_error(filo_async_result(jobs, none, NULL), FILO_ERROR_MEMORY, "no memory for the request");
    FiloFileData data;
    assert_error(filo_async_take_file(jobs, none, &data), FILO_ERROR_MEMORY, "no memory for the request");
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

static FiloResult wait_for_itself(FiloAsyncCall *call, void *user) {
    (void)user;
    filo_async_wait(call->jobs, call->request);
    return filo_ok();
}

static void release_again(FiloJobs *jobs, FiloRequest request, void *user) {
    (void)user;
    filo_async_release(jobs, request);
}

FILO_TEST(mistakes_are_named) {
    FiloJobs *jobs = create(1, 1);
    FiloRequest request;
    expect_fault("a request needs a function",
                 assert_int_equal(filo_async_run(jobs, NULL, NULL, NULL).id, 0));
    expect_fault("a request waits for itself", {
        request = filo_async_run(jobs, wait_for_itself, NULL, NULL);
        filo_async_wait(jobs, request);
    });
    filo_async_release(jobs, request);

    FiloJob job;
    filo_job_init(&job, filo_job_do_nothing, NULL, 0);
    filo_jobs_run(jobs, &job);
    filo_jobs_wait(jobs, &job);
    expect_fault(
        "do not run it yourself",
        assert_int_equal(filo_async_run(jobs, nothing, NULL, &(FiloAsyncOptions){ .then = &job }).id, 0));
    expect_fault(
        "the parent has finished",
        assert_int_equal(filo_async_run(jobs, nothing, NULL, &(FiloAsyncOptions){ .parent = &job }).id, 0));

    FiloJob group;
    filo_job_init(&group, filo_job_do_nothing, NULL, 0);
    FiloAsyncOptions options = { .ended = release_again, .parent = &group };
    expect_fault("release it once", {
        filo_async_release(jobs, filo_async_run(jobs, nothing, NULL, &options));
        filo_jobs_run(jobs, &group);
        filo_jobs_wait(jobs, &group);
    });
    expect_fault("0 ns or longer", filo_async_set_idle_time(jobs, -1));

    request = filo_async_run(jobs, nothing, NULL, NULL);
    filo_async_wait(jobs, request);
    FiloFileData data;
    expect_mistake("has no file to take", filo_async_take_file(jobs, request, &data));
    filo_async_release(jobs, request);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);

    expect_fault("1 to 256 threads, not 257", jobs = create(1, 257));
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

// ---- Running out --------------------------------------------------------------------------------------

FILO_TEST(without_memory_there_is_no_request_and_nothing_is_lost) {
    FiloJobs *jobs = create(1, 1);
    Hold h = { 0 };
    AtomicInt ran = 0;
    FiloRequest first = filo_async_run(jobs, hold, &h, NULL);
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    jobs->heap.account.budget = jobs->heap.account.used + 1;
    FiloRequest requests[1000];
    int accepted = 0;
    while (accepted < 1000 && (requests[accepted] = filo_async_run(jobs, count_up, &ran, NULL)).id != 0)
        accepted++;
    assert_true(accepted < 1000);
    assert_error(filo_async_result(jobs, requests[accepted], NULL), FILO_ERROR_MEMORY, "no memory");
    assert_int_equal(filo_async_read_file(jobs, "/proc/self/status", NULL, NULL).id, 0);

    jobs->heap.account.budget = 0;
    FiloRequest more = filo_async_run(jobs, count_up, &ran, NULL);
    assert_int_not_equal(more.id, 0);
    filo_fault_set_handler(before);
    base_store_release(&h.open, 1);
    end(jobs, first);
    end(jobs, more);
    for (int i = 0; i < accepted; i++) end(jobs, requests[i]);
    assert_int_equal(ran, accepted + 1);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH); // reports what was not freed
}

FILO_TEST(without_memory_for_the_path_the_slot_of_the_request_is_released) {
    FiloJobs *jobs = create(1, 1);
    end(jobs, filo_async_run(jobs, nothing, NULL, NULL)); // allocates the first slots
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    jobs->heap.account.budget = jobs->heap.account.used + 1;
    for (int i = 0; i < 100; i++) // more often than there are slots
        assert_int_equal(filo_async_read_file(jobs, "/proc/self/status", NULL, NULL).id, 0);
    jobs->heap.account.budget = 0;
    filo_fault_set_handler(before);
    FiloRequest request = filo_async_run(jobs, nothing, NULL, NULL);
    assert_true(request.id <= 16);
    end(jobs, request);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

FILO_TEST(a_hundred_thousand_requests_queue_up) {
    FiloJobs *jobs = create(1, 2);
    enum { COUNT = 100000 };
    AtomicInt ran = 0;
    FiloRequest *requests = calloc(COUNT, sizeof *requests);
    assert_non_null(requests);
    Hold h = { 0 };
    FiloRequest holds[2] = { filo_async_run(jobs, hold, &h, NULL), filo_async_run(jobs, hold, &h, NULL) };
    for (int i = 0; i < COUNT; i++) {
        requests[i] = filo_async_run(jobs, count_up, &ran, NULL);
        assert_int_not_equal(requests[i].id, 0);
    }
    base_store_release(&h.open, 1);
    for (int i = 0; i < COUNT; i++) end(jobs, requests[i]);
    assert_int_equal(ran, COUNT);
    end(jobs, holds[0]);
    end(jobs, holds[1]);
    free(requests);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

// ---- Many threads -------------------------------------------------------------------------------------

typedef struct Stress {
    FiloJobs *jobs;
    uint32_t random;
    AtomicInt *ran, *ended;
    int expected_runs, expected_ended;
} Stress;

static void count_ended(FiloJobs *jobs, FiloRequest request, void *user) {
    (void)jobs, (void)request;
    base_add_acq_rel((AtomicInt *)user, 1);
}

static void stress_thread(void *user) {
    Stress *s = user;
    for (int i = 0; i < 400; i++) {
        s->random = s->random * 1664525u + 1013904223u;
        uint32_t what = s->random >> 24;
        FiloAsyncOptions options = { 0 };
        if (what & 1)
            options = (FiloAsyncOptions){ .ended = count_ended,
                                          .ended_user = s->ended,
                                          .on_main = (what & 2) != 0 };
        s->expected_ended += (int)(what & 1);
        FiloRequest request = filo_async_run(s->jobs, count_up, s->ran, &options);
        s->expected_runs++;
        if ((what & 12) == 0 && filo_async_cancel(s->jobs, request)) s->expected_runs--;
        if (what & 16) {
            filo_async_wait(s->jobs, request);
            FiloRequestState state = filo_async_state(s->jobs, request);
            assert_true(state == FILO_REQUEST_DONE || state == FILO_REQUEST_CANCELLED);
        }
        filo_async_release(s->jobs, request);
    }
}

FILO_TEST(many_threads_make_cancel_wait_for_and_release_requests) {
    FiloJobs *jobs = create(2, 3);
    filo_async_set_idle_time(jobs, 20 * FILO_MICROSECOND); // so that threads start and end all the time
    AtomicInt ran = 0, ended = 0;
    Stress stress[4];
    FiloThread threads[4];
    for (uint32_t i = 0; i < 4; i++) {
        stress[i] = (Stress){ .jobs = jobs, .random = i * 77 + 1, .ran = &ran, .ended = &ended };
        assert_ok(filo_thread_start(&threads[i],
                                    &(FiloThreadDesc){ .function = stress_thread, .user = &stress[i] }));
    }
    int expected_runs = 0, expected_ended = 0;
    for (int i = 0; i < 4; i++) {
        filo_thread_join(&threads[i]);
        expected_runs += stress[i].expected_runs;
        expected_ended += stress[i].expected_ended;
    }
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    assert_int_equal(ran, expected_runs);
    assert_int_equal(ended, expected_ended);
}
