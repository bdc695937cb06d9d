// Where workers go to sleep, and where they are woken.
//
//   going to sleep   jobs_worker_sleep   called by jobs_worker_main, when there is no work, and by filo_jobs_wait
//   waking           wake_from_state     called when a job is queued (jobs_wake_any), pinned (jobs_wake_worker) or
//                                        finished (jobs_wake_waiters), and when the scheduler stops (jobs_wake_all)
//
// The state of a worker is its word `sleep`. A thread sleeps in filo_park on that word, for as long as it says so.
//
//                 jobs_worker_sleep            filo_park_for times out
//        AWAKE ──────────────────────► PARKED ────────────────────────► SHED
//        ▲ ▲ ▲                          │  │                              │ wake_from_state
//        │ │ └──── wake_from_state ─────┘  │ wake_from_state              ▼
//        │ └─────────── MOVING ◄───────────┘ (spread.h)               STARTING
//        └───────────────── jobs_scheduler_start_worker ──────────────────┘
//
// A worker that may only be woken by the job that it waits for is WAITING instead of PARKED.
//
// No wake-up is lost. The sleeper writes that it sleeps (its `sleep`, and the scheduler's count `available`), and then
// reads every queue once more. A thread that queues a job writes the job, and then reads `available`; if that is not
// 0, it wakes a worker. At least one of the two must see what the other wrote, so neither may have its write and its
// read reordered. Jobs are queued often and workers fall asleep rarely, so the sleeper pays for both: it calls
// membarrier, which makes every other thread of the process pass a full barrier. Where the kernel has no membarrier
// (`fence_needed`), both sides call jobs_scheduler_sync instead. JOBS_FENCE_NEEDED is then always part of `available`
// and `waiting`, so that the fast paths compare with 0 only once.
//
// Waiting for a job works in the same way: the sleeper sets `waiting_for` and counts itself in `waiting`, and then
// checks whether the job has finished. A thread that finishes a job stores that, and then reads `waiting`.

#include <filo/threads.h>

#include "jobs/scheduler.h"

// ---- Going to sleep -----------------------------------------------------------------------------------

// Between the announcement of a sleeper and its last search for work; pairs with jobs_scheduler_fence.
static void sleeper_barrier(FiloJobs *jobs) {
    if (jobs->fence_needed)
        jobs_scheduler_sync(jobs);
    else
        jobs_barrier_everywhere();
}

static bool is_asleep(JobsWorker *worker, uint32_t *sleep) {
    *sleep = base_load_acquire(&worker->sleep); // acquire: pairs with the release in wake_from_state
    return *sleep == JOBS_WORKER_PARKED || *sleep == JOBS_WORKER_WAITING || *sleep == JOBS_WORKER_MOVING;
}

// Makes the calling worker AWAKE, if it has not been woken already.
static void become_awake(FiloJobs *jobs, JobsWorker *worker) {
    uint32_t parked = JOBS_WORKER_PARKED, waiting = JOBS_WORKER_WAITING;
    if (base_cas_relaxed(&worker->sleep, &parked, JOBS_WORKER_AWAKE)) // relaxed: reads the worker's own store
        base_sub_relaxed(&jobs->available, 1);
    else
        base_cas_relaxed(&worker->sleep, &waiting, JOBS_WORKER_AWAKE);
    // Another thread may be changing the worker's mask. Acquire: pairs with the release in wake_from_state.
    while (base_load_acquire(&worker->sleep) == JOBS_WORKER_MOVING)
        filo_park((uint32_t *)&worker->sleep, JOBS_WORKER_MOVING);
}

// Sleeps in the kernel while `sleep` says so. True if the worker was shed.
static bool park(JobsWorker *worker, bool may_shed) {
    bool shed = false;
    uint32_t sleep;
    while (is_asleep(worker, &sleep)) {
        if (!may_shed) {
            filo_park((uint32_t *)&worker->sleep, sleep);
        } else if (!filo_park_for((uint32_t *)&worker->sleep, sleep, worker->jobs->shed_after_ns)) {
            uint32_t parked = JOBS_WORKER_PARKED;
            // It remains counted in `available`. Release: pairs with the acquire in wake_from_state, before the worker
            // is started again.
            shed = base_cas_acq_rel(&worker->sleep, &parked, JOBS_WORKER_SHED);
        }
    }
    return shed;
}

bool jobs_worker_sleep(JobsWorker *worker, FiloJob *until, bool helping) {
    FiloJobs *jobs = worker->jobs;
    base_store_relaxed(&worker->waiting_for, until);
    if (until != NULL) base_add_relaxed(&jobs->waiting, 1);
    if (helping) base_add_relaxed(&jobs->available, 1); // before a waker can subtract it
    // Release: pairs with the acquire in wake_from_state.
    base_store_release(&worker->sleep, helping ? JOBS_WORKER_PARKED : JOBS_WORKER_WAITING);
    sleeper_barrier(jobs);

    bool shed = false;
    bool has_work =
        (until != NULL && filo_job_finished(until)) ||
        (helping ? jobs_worker_has_work(worker) : base_load_relaxed(&worker->pinned.count) != 0) ||
        base_load_relaxed(&jobs->stopping) != 0;
    if (!has_work) {
        // Only the owner writes it.
        base_store_relaxed(&worker->parked, base_load_relaxed(&worker->parked) + 1);
        shed = park(worker, until == NULL && worker->index != 0 && jobs->shed_after_ns > 0);
    }
    if (!shed) {
        become_awake(jobs, worker);
        jobs_spread_after_wake(worker, !has_work);
    }
    if (until != NULL) base_sub_relaxed(&jobs->waiting, 1);
    base_store_relaxed(&worker->waiting_for, NULL);
    if (shed) base_add_relaxed(&jobs->shed, 1);
    return !shed;
}

void jobs_wait_foreign(FiloJobs *jobs, FiloJob *job) {
    base_add_relaxed(&jobs->waiting, 1);
    base_add_relaxed(&jobs->foreign_waiting, 1);
    sleeper_barrier(jobs);
    for (;;) {
        // Before the test: a finish in between changes it. Acquire: pairs with the release in jobs_wake_waiters.
        uint32_t word = base_load_acquire(&jobs->finish_word);
        if (filo_job_finished(job)) break;
        filo_park((uint32_t *)&jobs->finish_word, word);
    }
    base_sub_relaxed(&jobs->foreign_waiting, 1);
    base_sub_relaxed(&jobs->waiting, 1);
}

// ---- Waking -------------------------------------------------------------------------------------------

// Wakes the worker if it is in this state. The thread that changes the state also updates `available`.
static bool wake_from_state(FiloJobs *jobs, JobsWorker *worker, uint32_t state) {
    uint32_t expected = state;
    if (base_load_relaxed(&worker->sleep) != state) return false;
    if (state == JOBS_WORKER_SHED) {
        // Acquire: pairs with the release in park; the thread before is at its end.
        if (!base_cas_acquire(&worker->sleep, &expected, JOBS_WORKER_STARTING)) return false;
        base_sub_relaxed(&jobs->available, 1);
        return jobs_scheduler_start_worker(jobs, worker);
    }
    bool moving = jobs_spread_before_wake(jobs, worker);
    // Acquire: pairs with the release in jobs_worker_sleep; the worker has restored its mask. Release: pairs with the
    // acquire in is_asleep; the worker sees the work.
    if (!base_cas_acq_rel(&worker->sleep, &expected, moving ? JOBS_WORKER_MOVING : JOBS_WORKER_AWAKE))
        return false;
    if (state == JOBS_WORKER_PARKED) base_sub_relaxed(&jobs->available, 1);
    base_add_relaxed(&jobs->woken, 1);
    if (moving) {
        jobs_spread_narrow(jobs, worker);
        // Release: pairs with the acquires in is_asleep and become_awake; the worker sees the narrowed mask.
        base_store_release(&worker->sleep, JOBS_WORKER_AWAKE);
    }
    filo_unpark((uint32_t *)&worker->sleep, 1);
    return true;
}

void jobs_wake_any(FiloJobs *jobs) {
    for (uint32_t i = jobs->worker_count; i-- > 0;) // main last: it may be about to stop waiting
        if (wake_from_state(jobs, &jobs->workers[i], JOBS_WORKER_PARKED)) return;
    for (uint32_t i = jobs->worker_count; i-- > 0;)
        if (wake_from_state(jobs, &jobs->workers[i], JOBS_WORKER_SHED)) return;
}

void jobs_wake_worker(FiloJobs *jobs, JobsWorker *worker) {
    if (wake_from_state(jobs, worker, JOBS_WORKER_PARKED) ||
        wake_from_state(jobs, worker, JOBS_WORKER_WAITING))
        return;
    wake_from_state(jobs, worker, JOBS_WORKER_SHED);
}

void jobs_wake_all(FiloJobs *jobs) {
    for (uint32_t i = 1; i < jobs->worker_count; i++)
        wake_from_state(jobs, &jobs->workers[i], JOBS_WORKER_PARKED);
}

void jobs_wake_waiters(FiloJobs *jobs, const FiloJob *job) {
    jobs_scheduler_fence(jobs);
    if ((base_load_relaxed(&jobs->waiting) & ~JOBS_FENCE_NEEDED) == 0) return;
    for (uint32_t i = 0; i < jobs->worker_count; i++) {
        JobsWorker *worker = &jobs->workers[i];
        if (base_load_relaxed(&worker->waiting_for) == job) jobs_wake_worker(jobs, worker);
    }
    if (base_load_relaxed(&jobs->foreign_waiting) != 0) {
        base_add_release(&jobs->finish_word, 1); // release: pairs with the acquire in jobs_wait_foreign
        filo_unpark((uint32_t *)&jobs->finish_word, INT32_MAX);
    }
}
