// What the tests of blocking work share: schedulers, and functions for their requests.

#ifndef FILO_TEST_JOBS_ASYNC_FIXTURE_H
#define FILO_TEST_JOBS_ASYNC_FIXTURE_H

#include <filo/async.h>

#include "jobs/async.h"
#include "support/test.h"

#include <unistd.h>

typedef BASE_ATOMIC(int) AtomicInt;

static inline FiloJobs *create_with(FiloJobsDesc desc) {
    FiloJobs *jobs;
    assert_ok(filo_jobs_create(&jobs, &desc));
    return jobs;
}
static inline FiloJobs *create(int threads, int async_threads) {
    return create_with((FiloJobsDesc){ .threads = threads, .async_threads = async_threads });
}

static inline void await(AtomicInt *value, int least) {
    while (base_load_acquire(value) < least) usleep(100);
}

// A function that blocks until it is released.
typedef struct Hold {
    AtomicInt started, open, finished;
} Hold;

static inline FiloResult hold(FiloAsyncCall *call, void *user) {
    Hold *h = user;
    (void)call;
    base_add_acq_rel(&h->started, 1);
    await(&h->open, 1);
    base_add_acq_rel(&h->finished, 1);
    return filo_ok();
}

static inline FiloResult count_up(FiloAsyncCall *call, void *user) {
    call->bytes = 1;
    base_add_acq_rel((AtomicInt *)user, 1);
    return filo_ok();
}

static inline FiloResult nothing(FiloAsyncCall *call, void *user) {
    (void)call, (void)user;
    return filo_ok();
}

static inline FiloResult fail_on_purpose(FiloAsyncCall *call, void *user) {
    (void)user;
    call->bytes = 3;
    return filo_error(FILO_ERROR_TIMEOUT, "scores: no answer");
}

static inline FiloResult obey(FiloAsyncCall *call, void *user) {
    base_add_acq_rel((AtomicInt *)user, 1);
    while (!filo_async_cancelled(call)) usleep(100);
    return filo_error(FILO_ERROR_CANCELLED, "obeyed");
}

static inline void end(FiloJobs *jobs, FiloRequest request) {
    filo_async_wait(jobs, request);
    filo_async_release(jobs, request);
}

#endif
