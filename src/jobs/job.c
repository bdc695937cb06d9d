// Making jobs, and giving them to the workers.

#include <filo/check.h>

#include "jobs/scheduler.h"

#include <string.h>

// ---- Making -------------------------------------------------------------------------------------------

bool filo_job_check(FiloJobFunction function, const void *data, size_t size) {
    return FILO_CHECK(function != NULL, "a job needs a function") &&
           FILO_CHECK(size <= FILO_JOB_DATA, "a job holds %d bytes of data, not %zu: pass a pointer",
                      FILO_JOB_DATA, size) &&
           FILO_CHECK(size == 0 || data != NULL, "a job with %zu bytes of data needs a pointer to them",
                      size);
}

void filo_job_do_nothing(FiloJob *job, void *data) { FILO_UNUSED(job), FILO_UNUSED(data); }

static bool was_run(const FiloJob *job) {
    return (base_load_relaxed(jobs_job_control(job)) & JOB_RUN_BIT) != 0;
}

static bool not_run_yet(const FiloJob *job) {
    return FILO_CHECK(!was_run(job), "set up a job before it is run");
}

void filo_job_set_name(FiloJob *job, const char *name) {
    if (!FILO_CHECK(job != NULL, "pass a job")) return;
    if (not_run_yet(job)) job->name = name;
}

static void set_control(FiloJob *job, uint32_t mask, uint32_t bits) {
    // Not a load and a store: a prerequisite may finish in between, and count down.
    base_and_relaxed(jobs_job_control(job), ~mask);
    base_or_relaxed(jobs_job_control(job), bits);
}

void filo_job_set_priority(FiloJob *job, FiloPriority priority) {
    if (!FILO_CHECK(job != NULL, "pass a job")) return;
    if (!not_run_yet(job)) return;
    if (!FILO_CHECK((unsigned)priority < JOBS_PRIORITIES, "a priority is normal, high or low, not %d",
                    (int)priority))
        return;
    set_control(job, JOB_PRIORITY_MASK, (uint32_t)priority << JOB_PRIORITY_SHIFT);
}

void filo_job_set_worker(FiloJob *job, int worker) {
    if (!FILO_CHECK(job != NULL, "pass a job")) return;
    if (!not_run_yet(job)) return;
    if (!FILO_CHECK(worker >= 0 && worker < FILO_JOBS_MAX_THREADS,
                    "workers are counted from 0 to %d, there is no %d", FILO_JOBS_MAX_THREADS - 1, worker))
        return;
    set_control(job, JOB_WORKER_MASK, ((uint32_t)worker + 1) << JOB_WORKER_SHIFT);
}

void filo_job_set_parent(FiloJob *job, FiloJob *parent) {
    if (!FILO_CHECK(job != NULL, "pass a job")) return;
    if (!not_run_yet(job)) return;
    if (!FILO_CHECK(parent != NULL && parent != job && job->parent == NULL,
                    "give a job one parent, other than itself"))
        return;
    if (!FILO_CHECK(base_load_relaxed(jobs_job_unfinished(parent)) != 0,
                    "the parent has finished: add children before it is run, or from inside it"))
        return;
    job->parent = parent;
    base_or_relaxed(jobs_job_control(job), JOB_TIES_BIT);
    base_add_relaxed(jobs_job_unfinished(parent), 1);
}

bool filo_job_finished(const FiloJob *job) {
    if (!FILO_CHECK(job != NULL, "pass a job")) return true; // who waits for it would wait for ever
    // Acquire: pairs with the release in finish; what the job wrote is visible.
    return base_load_acquire(jobs_job_unfinished(job)) == 0;
}

// ---- Dependencies -------------------------------------------------------------------------------------

// Memory for a job: from the calling worker's ring, or, for a foreign thread, from the one that they share.
static FiloJob *take_job(FiloJobs *jobs, JobsWorker *worker) {
    if (FILO_LIKELY(worker != NULL)) return jobs_job_ring_take(&worker->ring);
    filo_mutex_lock(&jobs->foreign_lock);
    FiloJob *job = jobs_job_ring_take(&jobs->foreign_ring);
    filo_mutex_unlock(&jobs->foreign_lock);
    return job;
}

bool filo_job_after(FiloJob *job, FiloJob *prerequisite, FiloJobs *jobs) {
    if (!FILO_CHECK(job != NULL && prerequisite != NULL && jobs != NULL, "pass two jobs and a scheduler"))
        return false;
    if (!not_run_yet(job) ||
        !FILO_CHECK(!was_run(prerequisite),
                    "the prerequisite has been run already: call filo_job_after before either is run"))
        return false;
    if (!FILO_CHECK(job != prerequisite, "a job cannot come after itself")) return false;
    uint32_t pending = base_load_relaxed(jobs_job_control(job)) & JOB_PENDING_MASK;
    if (!FILO_CHECK(pending < JOB_PENDING_MASK, "a job may come after %u others", JOB_PENDING_MASK - 1))
        return false;
    JobsDependents *cell = prerequisite->dependents;
    if (cell == NULL || cell->count == FILO_COUNT_OF(cell->jobs)) {
        JobsDependents *fresh = (JobsDependents *)take_job(jobs, jobs_worker_of_thread(jobs));
        if (fresh == NULL) return false;
        fresh->count = 0;
        fresh->next = cell;
        prerequisite->dependents = cell = fresh;
        base_or_relaxed(jobs_job_control(prerequisite), JOB_TIES_BIT);
    }
    cell->jobs[cell->count++] = job;
    // The first one counts twice: once for "not run yet", so that a prerequisite which finishes early does
    // not start it.
    base_add_relaxed(jobs_job_control(job), pending == 0 ? 2 : 1);
    return true;
}

// One thing less that `job` has to wait for; starts it if it was the last.
static void one_less(FiloJobs *jobs, JobsWorker *worker, FiloJob *job) {
    // Acquire and release: whoever starts the job sees what all prerequisites wrote.
    uint32_t before = base_sub_acq_rel(jobs_job_control(job), 1);
    if ((before & JOB_PENDING_MASK) == 1) jobs_scheduler_submit(jobs, worker, job);
}

void jobs_job_release_dependents(FiloJobs *jobs, JobsWorker *worker, JobsDependents *cell) {
    while (cell != NULL) {
        JobsDependents *next = cell->next;
        for (uint32_t i = 0; i < cell->count; i++) one_less(jobs, worker, cell->jobs[i]);
        // Release: pairs with the acquire in jobs_job_ring_take; the cell is free from here on.
        base_store_release((BASE_ATOMIC(uint32_t) *)&cell->unfinished, 0);
        cell = next;
    }
}

// ---- Running ------------------------------------------------------------------------------------------

// Everything but the plainest case.
static FILO_COLD void run_with_care(FiloJobs *jobs, JobsWorker *from, FiloJob *job) {
    uint32_t control = base_load_relaxed(jobs_job_control(job));
    if (!FILO_CHECK((control & JOB_RUN_BIT) == 0, "run a job once")) return;
    uint32_t worker = (control & JOB_WORKER_MASK) >> JOB_WORKER_SHIFT;
    if (!FILO_CHECK(worker <= jobs->worker_count, "the job is pinned to worker %u, but there are only %u",
                    worker - 1, jobs->worker_count))
        set_control(job, JOB_WORKER_MASK, 0);
    uint32_t before = base_or_relaxed(jobs_job_control(job), JOB_RUN_BIT | jobs_job_mark());
    if ((before & JOB_PENDING_MASK) == 0)
        jobs_scheduler_submit(jobs, from, job);
    else
        one_less(jobs, from, job);
}

// What follows a push, where it is not certain that nobody sleeps.
static __attribute__((noinline)) void look_for_sleepers(FiloJobs *jobs, JobsDeque *deque) {
    jobs_scheduler_fence(jobs);
    if (jobs_scheduler_available(jobs) == 0) return;
    jobs_deque_publish(deque); // for whoever wakes
    jobs_scheduler_wake(jobs);
}

// A push for which the deque may have to grow.
static __attribute__((noinline)) void push_with_care(FiloJobs *jobs, JobsWorker *from, FiloJob *job) {
    JobsDeque *deque = &from->deques[FILO_PRIORITY_NORMAL];
    if (jobs_deque_push(deque, job))
        look_for_sleepers(jobs, deque);
    else
        jobs_worker_run(from, job); // no memory to queue it: now is as good a time as any
}

// A job of normal priority, for any worker, from a worker; `ties` is what its control says of those. All that is rare is called last, so that what is frequent
// needs no stack.
static inline void run_plain(FiloJobs *jobs, JobsWorker *from, FiloJob *job, uint32_t ties) {
    base_store_relaxed(jobs_job_control(job), ties | JOB_RUN_BIT | jobs_job_mark());
    JobsDeque *deque = &from->deques[FILO_PRIORITY_NORMAL];
    if (FILO_UNLIKELY(!jobs_deque_has_room(deque))) {
        push_with_care(jobs, from, job);
        return;
    }
    jobs_deque_push_into_room(deque, job);
    jobs_barrier_compiler(); // see jobs_scheduler_fence
    if (FILO_UNLIKELY(base_load_relaxed(&jobs->available) != 0)) look_for_sleepers(jobs, deque);
}

void filo_jobs_run(FiloJobs *jobs, FiloJob *job) {
    if (!FILO_CHECK(jobs != NULL && job != NULL, "pass a scheduler and a job")) return;
    JobsWorker *from = jobs_workers_of_thread;
    uint32_t control = base_load_relaxed(jobs_job_control(job));
    if (FILO_LIKELY(from->jobs == jobs && (control & ~JOB_TIES_BIT) == 0))
        run_plain(jobs, from, job, control);
    else
        run_with_care(jobs, jobs_worker_of_thread(jobs), job);
}

FiloJob *filo_jobs_new(FiloJobs *jobs, FiloJobFunction function, const void *data, size_t size) {
    if (!FILO_CHECK(jobs != NULL, "pass a scheduler")) return NULL;
    FiloJob *job = take_job(jobs, jobs_worker_of_thread(jobs));
    if (job != NULL) filo_job_init(job, function, data, size);
    return job;
}

// Makes a fresh job a child of `parent`, if there is one, and returns the bits that its control has then.
static inline uint32_t adopt(FiloJob *job, FiloJob *parent) {
    if (parent == NULL) return 0;
    job->parent = parent;
    base_store_relaxed(jobs_job_control(job), JOB_TIES_BIT);
    base_add_relaxed(jobs_job_unfinished(parent), 1);
    return JOB_TIES_BIT;
}

// From a thread that is no worker, or is one of several schedulers, or without memory for the job.
static FILO_COLD void spawn_with_care(FiloJobs *jobs, FiloJob *parent, FiloJobFunction function,
                                      const void *data, size_t size) {
    JobsWorker *worker = jobs_worker_of_thread(jobs);
    FiloJob *job = take_job(jobs, worker), here;
    bool out_of_memory = job == NULL;
    if (out_of_memory) job = &here; // on our stack, and we see it through
    filo_job_init(job, function, data, size);
    (void)adopt(job, parent);
    run_with_care(jobs, worker, job);
    if (out_of_memory) filo_jobs_wait(jobs, job);
}

void filo_jobs_spawn(FiloJobs *jobs, FiloJob *parent, FiloJobFunction function, const void *data,
                     size_t size) {
    if (!FILO_CHECK(jobs != NULL, "pass a scheduler")) return;
    if (!FILO_CHECK(parent == NULL || base_load_relaxed(jobs_job_unfinished(parent)) != 0,
                    "the parent has finished: spawn children before it is run, or from inside it"))
        return;
    JobsWorker *worker = jobs_workers_of_thread;
    FiloJob *job = FILO_LIKELY(worker->jobs == jobs) ? jobs_job_ring_take(&worker->ring) : NULL;
    if (FILO_UNLIKELY(job == NULL)) {
        spawn_with_care(jobs, parent, function, data, size);
        return;
    }
    filo_job_init(job, function, data, size);
    run_plain(jobs, worker, job, adopt(job, parent));
}
