// What workers do: they find, run and finish jobs, and wait for them. A worker without work goes to sleep in sleep.c.

#include <filo/check.h>
#include <filo/profile.h>
#include <filo/time.h>

#include "base/tsc.h"
#include "jobs/scheduler.h"

#include <unistd.h>

#define SPINS_PER_CLOCK 16 // searches for work between two readings of the clock

// In nanoseconds. A stolen job takes some cache lines along, which its owner needs back: about 100 ns on both sides. A
// worker whose stolen job took no longer than TINY_STEAL, the steal included, although there were more, steals nothing
// for STEAL_PAUSE. Jobs for which stealing pays are not delayed; the others are finished sooner by their owner.
#define TINY_STEAL  200
#define STEAL_PAUSE 2000

// In nanoseconds: how often a worker looks for private jobs of others, and how long these must have been seen before it
// claims them. Their owner may publish them meanwhile.
#define CHECK_PRIVATE 500
#define CLAIM_AFTER   1000
#define CLAIM_SPINS   20 // see jobs_deque_claim

// The end of every thread's list. Its own address stands for a scheduler that no caller can pass.
static JobsWorker no_worker = { .jobs = (FiloJobs *)&no_worker };

__attribute__((tls_model("initial-exec"))) FILO_THREAD_LOCAL JobsWorker *jobs_workers_of_thread = &no_worker;

// ---- The calling thread -------------------------------------------------------------------------------

// The link in the thread's list that points to `worker`, or to the end of the list.
static JobsWorker **link_to(const JobsWorker *worker) {
    JobsWorker **link = &jobs_workers_of_thread;
    while (*link != worker && *link != &no_worker) link = &(*link)->next_of_thread;
    return link;
}

void jobs_worker_enter(JobsWorker *worker) {
    JobsWorker **last = link_to(&no_worker); // at the end: the first worker may be running a job
    worker->next_of_thread = &no_worker;
    *last = worker;
}

void jobs_worker_leave(JobsWorker *worker) {
    JobsWorker **link = link_to(worker);
    if (*link == worker) *link = worker->next_of_thread;
}

static void move_to_front(JobsWorker *worker) {
    JobsWorker **link = link_to(worker);
    if (*link == &no_worker) return;
    *link = worker->next_of_thread;
    worker->next_of_thread = jobs_workers_of_thread;
    jobs_workers_of_thread = worker;
}

int filo_jobs_worker(const FiloJobs *jobs) {
    JobsWorker *worker = jobs_worker_of_thread(jobs);
    return worker != NULL ? (int)worker->index : -1;
}

FiloJobs *filo_jobs_current(void) {
    JobsWorker *first = jobs_workers_of_thread;
    return first->frame != NULL ? first->jobs : NULL;
}

// As filo_job_finished, inlined. Acquire: pairs with the release in jobs_worker_finish and run.
static inline bool finished(const FiloJob *job) { return base_load_acquire(jobs_job_unfinished(job)) == 0; }

// ---- Finding ------------------------------------------------------------------------------------------

static const int search_order[JOBS_PRIORITIES] = { FILO_PRIORITY_HIGH, FILO_PRIORITY_NORMAL,
                                                   FILO_PRIORITY_LOW };

static FILO_COLD FiloJob *take_own_by_priority(JobsWorker *worker) {
    for (int i = 0; i < JOBS_PRIORITIES; i++) {
        FiloJob *job = jobs_deque_take(&worker->deques[search_order[i]]);
        if (job != NULL) return job;
    }
    worker->other_priorities = false; // only the owner pushes: the deques stay empty until then
    return NULL;
}

static inline FiloJob *take_own(JobsWorker *worker) {
    if (FILO_UNLIKELY(worker->other_priorities)) return take_own_by_priority(worker);
    return jobs_deque_take(&worker->deques[FILO_PRIORITY_NORMAL]);
}

static void increment(BASE_ATOMIC(uint64_t) * counter) { // only the owner writes
    base_store_relaxed(counter, base_load_relaxed(counter) + 1);
}

// Whether this worker may not steal now, because its last steal did not pay.
static bool must_not_steal(JobsWorker *worker) {
    if (FILO_LIKELY(worker->stolen_at == 0 && worker->no_steal_until == 0)) return false;
    uint64_t now = base_tsc_now();
    if (worker->stolen_at != 0) { // the first search since then
        uint64_t took = now - worker->stolen_at;
        worker->stolen_at = 0;
        if ((double)took * worker->jobs->ns_per_tick < TINY_STEAL)
            worker->no_steal_until = now + (uint64_t)(STEAL_PAUSE / worker->jobs->ns_per_tick);
    }
    if (now < worker->no_steal_until) return true;
    worker->no_steal_until = 0;
    return false;
}

// The worker to begin with, chosen at random.
static uint32_t first_victim(JobsWorker *worker) {
    worker->random = worker->random * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)worker->random * worker->jobs->worker_count) >> 32);
}

static FiloJob *steal_public(JobsWorker *worker) {
    FiloJobs *jobs = worker->jobs;
    uint32_t start = first_victim(worker);
    for (int p = 0; p < JOBS_PRIORITIES; p++) { // high jobs of all workers come before normal ones of any
        bool contended;
        do {
            contended = false;
            for (uint32_t i = 0; i < jobs->worker_count; i++) {
                JobsWorker *victim = &jobs->workers[(start + i) % jobs->worker_count];
                if (victim == worker) continue;
                FiloJob *job = jobs_deque_steal(&victim->deques[search_order[p]], &contended);
                if (job == NULL) continue;
                increment(&worker->stolen);
                bool more = !jobs_deque_empty(&victim->deques[search_order[p]]);
                if (more && jobs->spin_ns > STEAL_PAUSE) worker->stolen_at = base_tsc_now();
                return job;
            }
        } while (contended); // another thread took one: there may be more
    }
    return NULL;
}

// A deque of another worker with private jobs; NULL if there is none.
static JobsDeque *find_private(JobsWorker *worker) {
    FiloJobs *jobs = worker->jobs;
    uint32_t start = first_victim(worker);
    for (int p = 0; p < JOBS_PRIORITIES; p++)
        for (uint32_t i = 0; i < jobs->worker_count; i++) {
            JobsWorker *victim = &jobs->workers[(start + i) % jobs->worker_count];
            JobsDeque *deque = &victim->deques[search_order[p]];
            if (victim != worker && jobs_deque_has_private(deque)) return deque;
        }
    return NULL;
}

// Makes jobs public that have been private for a while. True if there may be public jobs now.
static bool claim_private(JobsWorker *worker) {
    FiloJobs *jobs = worker->jobs;
    uint64_t now = base_tsc_now();
    if (jobs->fence_needed || now < worker->check_private_at) return false;
    worker->check_private_at = now + (uint64_t)(CHECK_PRIVATE / jobs->ns_per_tick);
    JobsDeque *deque = find_private(worker);
    if (deque == NULL || worker->private_since == 0) {
        worker->private_since = deque != NULL ? now : 0;
        return false;
    }
    if ((double)(now - worker->private_since) * jobs->ns_per_tick < CLAIM_AFTER) return false;
    worker->private_since = 0;
    return jobs_deque_claim(deque, CLAIM_SPINS);
}

static FiloJob *steal(JobsWorker *worker) {
    if (worker->jobs->single_worker || must_not_steal(worker)) return NULL;
    FiloJob *job = steal_public(worker);
    if (job == NULL && claim_private(worker)) job = steal_public(worker);
    if (job != NULL) worker->private_since = 0;
    return job;
}

FiloJob *jobs_worker_find_job(JobsWorker *worker) {
    FiloJob *job = jobs_inbox_take(&worker->pinned);
    if (job == NULL) job = take_own(worker);
    if (job == NULL) job = jobs_inbox_take(&worker->jobs->inbox);
    if (job == NULL) job = steal(worker);
    return job;
}

bool jobs_worker_has_work(JobsWorker *worker) {
    FiloJobs *jobs = worker->jobs;
    if (base_load_relaxed(&worker->pinned.count) != 0 || base_load_relaxed(&jobs->inbox.count) != 0)
        return true;
    for (uint32_t i = 0; i < jobs->worker_count; i++)
        for (int p = 0; p < JOBS_PRIORITIES; p++)
            if (!jobs_deque_empty(&jobs->workers[i].deques[p])) return true;
    return false;
}

// ---- Marks --------------------------------------------------------------------------------------------

static FILO_THREAD_LOCAL bool marked;

bool filo_jobs_marked(void) { return marked; }

bool filo_jobs_set_mark(bool mark) {
    bool before = marked;
    marked = mark;
    return before;
}

// ---- Running and finishing ----------------------------------------------------------------------------

// Wakes the threads that sleep until `job` has finished, if there may be any.
static inline void notify_waiters(FiloJobs *jobs, const FiloJob *job) {
    jobs_barrier_compiler(); // see jobs_scheduler_fence
    if (FILO_UNLIKELY(base_load_relaxed(&jobs->waiting) != 0)) jobs_wake_waiters(jobs, job);
}

void jobs_worker_finish(JobsWorker *worker, FiloJob *job) {
    FiloJobs *jobs = worker->jobs;
    while (job != NULL) {
        BASE_ATOMIC(uint32_t) *unfinished = jobs_job_unfinished(job);
        // Acquire: pairs with the release below of the children that have finished. Release: pairs with the acquire of
        // the last one to finish. While others are left, nothing else of the job may be read: another thread may still
        // be setting it up.
        uint32_t left = base_load_acquire(unfinished);
        while (left != 1)
            if (base_cas_acq_rel_acquire(unfinished, &left, left - 1)) return;
        // No other thread changes a count of 1 that this thread holds, so no read-modify-write is needed. `parent` and
        // `dependents` are read first: after the store the job's memory may be reused.
        FiloJob *parent = job->parent;
        JobsDependents *dependents = job->dependents;
        // Release: pairs with the acquires of waiters and of jobs_ring_take.
        base_store_release(unfinished, 0);
        if (FILO_UNLIKELY(dependents != NULL)) jobs_release_dependents(jobs, worker, dependents);
        notify_waiters(jobs, job);
        job = parent;
    }
}

// Calls the job's function where the stack may be used up, jobs may be cancelled, or a profile is recorded.
static FILO_COLD void call_slow(JobsWorker *worker, FiloJob *job) {
    if ((uintptr_t)__builtin_frame_address(0) < worker->stack_end)
        filo_panic(
            "jobs wait for jobs so deep that the stack is nearly used up: nest less, or raise stack_size");
    if (base_load_relaxed(&worker->jobs->cancelling) != 0) return;
    FiloZone zone;
    filo_profile_enter(&zone, job->name != NULL ? job->name : "job");
    job->function(job, job->data);
    filo_profile_leave(&zone);
}

// Runs a job on the thread's first worker. The fast path of every job.
static inline __attribute__((always_inline)) void run(JobsWorker *worker, FiloJob *job) {
    JobsFrame frame = { job, worker->frame };
    worker->frame = &frame;
#ifndef NDEBUG
    bool mark = filo_jobs_set_mark((base_load_relaxed(jobs_job_control(job)) & JOBS_CONTROL_MARKED) != 0);
#endif
    bool slow = (uintptr_t)__builtin_frame_address(0) < base_load_relaxed(&worker->slow_path_below);
    if (FILO_UNLIKELY(slow) || FILO_UNLIKELY(filo_profile_state_now() != 0))
        call_slow(worker, job);
    else
        job->function(job, job->data);
#ifndef NDEBUG
    (void)filo_jobs_set_mark(mark);
#endif
    worker->frame = frame.outer;
    increment(&worker->run);
    // As jobs_worker_finish, with the same pairs, for a job without parent, dependents or unfinished children.
    if (FILO_LIKELY((base_load_relaxed(jobs_job_control(job)) & JOBS_CONTROL_LINKED) == 0 &&
                    base_load_acquire(jobs_job_unfinished(job)) == 1)) {
        base_store_release(jobs_job_unfinished(job), 0);
        notify_waiters(worker->jobs, job);
    } else {
        jobs_worker_finish(worker, job);
    }
}

// The thread is a worker of several schedulers, and this worker is not the first in its list.
static FILO_COLD void run_as_first(JobsWorker *worker, FiloJob *job) {
    JobsWorker *first = jobs_workers_of_thread;
    move_to_front(worker);
    run(worker, job);
    move_to_front(first); // does nothing if the job has destroyed its scheduler
}

void jobs_worker_run(JobsWorker *worker, FiloJob *job) {
    if (FILO_LIKELY(jobs_workers_of_thread == worker))
        run(worker, job);
    else
        run_as_first(worker, job);
}

// ---- Searching ----------------------------------------------------------------------------------------

// Looks for a job for `spin_ns`. NULL if there is none, or if `until` has finished.
static FiloJob *search(JobsWorker *worker, FiloJob *until) {
    FiloJobs *jobs = worker->jobs;
    FiloJob *job = NULL;
    if (jobs->single_worker || jobs->spin_ns < 0) return NULL;
    base_add_relaxed(&jobs->searching, 1);
    int64_t start = filo_time_ns();
    for (int round = 1; job == NULL; round++) {
        if ((until != NULL && filo_job_finished(until)) || base_load_relaxed(&jobs->stopping) != 0) break;
        if (jobs->oversubscribed)
            filo_thread_yield();
        else
            base_cpu_relax();
        job = jobs_worker_find_job(worker);
        if (round % SPINS_PER_CLOCK == 0 && filo_time_ns() - start >= jobs->spin_ns) break;
    }
    base_sub_relaxed(&jobs->searching, 1);
    return job;
}

// ---- The thread of a worker ---------------------------------------------------------------------------

// The scheduler is stopping: runs what is queued, and says in `drained` whether there is any (see drain in
// scheduler.c).
static void drain_until_exit(JobsWorker *worker) {
    FiloJobs *jobs = worker->jobs;
    // Acquire: pairs with the release in filo_jobs_destroy.
    while (base_load_acquire(&jobs->stopping) != JOBS_STOPPING_EXIT) {
        if (!jobs_worker_has_work(worker)) {
            base_store_seq_cst(&worker->drained, 1); // pairs with the loads in run_if_all_drained
            filo_thread_yield();
            continue;
        }
        // Before a job is taken: drain must not see a worker with a job as drained. Pairs with the loads in
        // run_if_all_drained.
        base_store_seq_cst(&worker->drained, 0);
        FiloJob *job = jobs_worker_find_job(worker);
        if (job != NULL) jobs_worker_run(worker, job);
    }
}

void jobs_worker_main(void *argument) {
    JobsWorker *worker = argument;
    FiloJobs *jobs = worker->jobs;
    // Acquire: pairs with the release in jobs_scheduler_start_worker.
    while (base_load_acquire(&worker->sleep) == JOBS_WORKER_STARTING)
        filo_park((uint32_t *)&worker->sleep, JOBS_WORKER_STARTING);
    if (worker->ended.running) filo_thread_join(&worker->ended);
    jobs_worker_enter(worker);
    jobs_worker_measure_stack(worker);
    worker->spread.thread = gettid();
    if (jobs->desc.thread_started != NULL) jobs->desc.thread_started((int)worker->index, jobs->desc.user);
    bool stays = true;
    while (stays && base_load_relaxed(&jobs->stopping) == 0) {
        FiloJob *job = jobs_worker_find_job(worker);
        if (job == NULL) job = search(worker, NULL);
        if (job != NULL)
            jobs_worker_run(worker, job);
        else
            stays = jobs_worker_sleep(worker, NULL, true);
    }
    if (stays) drain_until_exit(worker);
    if (jobs->desc.thread_ending != NULL) jobs->desc.thread_ending((int)worker->index, jobs->desc.user);
    jobs_worker_leave(worker);
}

// ---- Waiting ------------------------------------------------------------------------------------------

// True if the thread is running `job` or a job below it. Waiting for `job` would never end then.
static bool is_inside(const JobsWorker *worker, const FiloJob *job) {
    for (const JobsFrame *frame = worker->frame; frame != NULL; frame = frame->outer)
        for (const FiloJob *ancestor = frame->job; ancestor != NULL; ancestor = ancestor->parent)
            if (ancestor == job) return true;
    return false;
}

// Runs one job of any queue, or sleeps. False if waiting would never end.
static __attribute__((noinline)) bool run_one_or_sleep(JobsWorker *worker, FiloJob *job) {
    if (!FILO_CHECK(
            !is_inside(worker, job),
            "this thread waits, inside a job, for that job or for one around it: it can never finish"))
        return false;
    // With little stack left, only jobs that no other worker can run are begun on top of it.
    bool deep = (uintptr_t)__builtin_frame_address(0) < worker->stack_low;
    FiloJob *other = deep && !worker->jobs->single_worker ? jobs_inbox_take(&worker->pinned)
                                                          : jobs_worker_find_job(worker);
    if (other == NULL && !deep) other = search(worker, job);
    if (other != NULL)
        jobs_worker_run(worker, other);
    else if (!filo_job_finished(job))
        jobs_worker_sleep(worker, job, !deep || worker->jobs->single_worker);
    return true;
}

// The slow path of a wait.
static __attribute__((noinline)) void wait_slow(JobsWorker *worker, FiloJob *job) {
    FiloJobs *jobs = worker->jobs;
    bool may_have_slept = false;
    while (!finished(job)) {
        FiloJob *other = take_own(worker);
        if (FILO_LIKELY(other != NULL)) {
            jobs_worker_run(worker, other);
            continue;
        }
        may_have_slept = true;
        if (!run_one_or_sleep(worker, job)) break;
    }
    // This worker may have been woken for other work and returns without taking it. Then another worker must be woken.
    if (may_have_slept && jobs_scheduler_available(jobs) != 0 && jobs_worker_has_work(worker)) {
        for (int p = 0; p < JOBS_PRIORITIES; p++) jobs_deque_publish(&worker->deques[p]);
        jobs_wake_any(jobs);
    }
}

// The thread is no worker of this scheduler, or not its first.
static FILO_COLD void wait_not_first(FiloJobs *jobs, FiloJob *job) {
    JobsWorker *worker = jobs_worker_of_thread(jobs);
    if (worker != NULL)
        wait_slow(worker, job);
    else
        jobs_wait_foreign(jobs, job);
}

// The fast path: the job has finished, or is the newest in the calling worker's own deque.
void filo_jobs_wait(FiloJobs *jobs, FiloJob *job) {
    if (!FILO_CHECK(jobs != NULL && job != NULL, "pass a scheduler and a job")) return;
    JobsWorker *worker = jobs_workers_of_thread;
    if (FILO_UNLIKELY(worker->jobs != jobs)) {
        wait_not_first(jobs, job);
        return;
    }
    if (finished(job)) return;
    FiloJob *newest = take_own(worker);
    if (FILO_LIKELY(newest != NULL)) {
        run(worker, newest);
        if (FILO_LIKELY(finished(job))) return;
    }
    wait_slow(worker, job);
}

int filo_jobs_run_pinned(FiloJobs *jobs) {
    JobsWorker *worker = jobs_worker_of_thread(jobs);
    if (!FILO_CHECK(worker != NULL, "only a worker has jobs pinned to it")) return 0;
    int count = 0;
    for (FiloJob *job; (job = jobs_inbox_take(&worker->pinned)) != NULL; count++)
        jobs_worker_run(worker, job);
    return count;
}
