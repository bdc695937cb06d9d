// Setting up jobs, and running them on the workers.

#include <filo/check.h>
#include <filo/profile.h>

#include "base/zone.h"
#include "jobs/scheduler.h"

#include <string.h>

// ---- Setting up ---------------------------------------------------------------------------------------

// What does not depend on where the job is.
static bool check_arguments(FiloJobFunction function, const void *data, size_t size) {
    return FILO_CHECK(function != NULL, "a job needs a function") &&
           FILO_CHECK(size == 0 || data != NULL, "a job with %zu bytes of data needs a pointer to them",
                      size);
}

bool filo_job_check(FiloJobFunction function, const void *data, size_t size) {
    return FILO_CHECK(size <= FILO_JOB_DATA,
                      "a job holds %d bytes of data, not %zu: pass a pointer, or use filo_jobs_new",
                      FILO_JOB_DATA, size) &&
           check_arguments(function, data, size);
}

void filo_job_do_nothing(FiloJob *job, void *data) { FILO_UNUSED(job), FILO_UNUSED(data); }

static bool was_run(const FiloJob *job) {
    return (base_load_relaxed(jobs_job_control(job)) & JOBS_CONTROL_RUN) != 0;
}

static bool not_run_yet(const FiloJob *job) {
    return FILO_CHECK(!was_run(job), "set up a job before it is run");
}

void filo_job_set_name(FiloJob *job, const char *name) {
    if (!FILO_CHECK(job != NULL, "pass a job")) return;
    if (not_run_yet(job)) job->name = name;
}

static void set_control(FiloJob *job, uint32_t mask, uint32_t bits) {
    // Not a load and a store: a prerequisite that finishes in between counts down.
    base_and_relaxed(jobs_job_control(job), ~mask);
    base_or_relaxed(jobs_job_control(job), bits);
}

void filo_job_set_priority(FiloJob *job, FiloPriority priority) {
    if (!FILO_CHECK(job != NULL, "pass a job")) return;
    if (!not_run_yet(job)) return;
    if (!FILO_CHECK((unsigned)priority < JOBS_PRIORITIES, "a priority is normal, high or low, not %d",
                    (int)priority))
        return;
    set_control(job, JOBS_CONTROL_PRIORITY, (uint32_t)priority << JOBS_CONTROL_PRIORITY_SHIFT);
}

void filo_job_set_worker(FiloJob *job, int worker) {
    if (!FILO_CHECK(job != NULL, "pass a job")) return;
    if (!not_run_yet(job)) return;
    if (!FILO_CHECK(worker >= 0 && worker < FILO_JOBS_MAX_THREADS,
                    "workers are counted from 0 to %d, there is no %d", FILO_JOBS_MAX_THREADS - 1, worker))
        return;
    set_control(job, JOBS_CONTROL_WORKER, ((uint32_t)worker + 1) << JOBS_CONTROL_WORKER_SHIFT);
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
    base_or_relaxed(jobs_job_control(job), JOBS_CONTROL_LINKED);
    base_add_relaxed(jobs_job_unfinished(parent), 1);
}

bool filo_job_finished(const FiloJob *job) {
    if (!FILO_CHECK(job != NULL, "pass a job")) return true; // or a loop that waits for it would never end
    // Acquire: pairs with the release in jobs_worker_finish; what the job wrote is visible.
    return base_load_acquire(jobs_job_unfinished(job)) == 0;
}

// ---- Dependencies -------------------------------------------------------------------------------------

// Memory for a job: from the calling worker's rings, or from those that foreign threads share.
static FiloJob *allocate_job(FiloJobs *jobs, JobsWorker *worker, size_t data_size) {
    if (FILO_LIKELY(worker != NULL)) return jobs_rings_take(worker->rings, data_size);
    filo_mutex_lock(&jobs->foreign_lock);
    FiloJob *job = jobs_rings_take(jobs->foreign_rings, data_size);
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
    uint32_t pending = base_load_relaxed(jobs_job_control(job)) & JOBS_CONTROL_PENDING;
    if (!FILO_CHECK(pending < JOBS_CONTROL_PENDING, "a job may come after %u others",
                    JOBS_CONTROL_PENDING - 1))
        return false;
    JobsDependents *cell = prerequisite->dependents;
    if (cell == NULL || cell->count == FILO_COUNT_OF(cell->jobs)) {
        JobsDependents *next = cell;
        cell = (JobsDependents *)allocate_job(jobs, jobs_worker_of_thread(jobs), 0);
        if (cell == NULL) return false;
        cell->count = 0;
        cell->next = next;
        prerequisite->dependents = cell;
        base_or_relaxed(jobs_job_control(prerequisite), JOBS_CONTROL_LINKED);
    }
    cell->jobs[cell->count++] = job;
    // The first prerequisite counts twice, once for "not run yet": so a prerequisite that finishes early does not
    // start the job.
    base_add_relaxed(jobs_job_control(job), pending == 0 ? 2 : 1);
    return true;
}

// Counts down what `job` has to wait for; submits it at 0.
static void finish_prerequisite(FiloJobs *jobs, JobsWorker *worker, FiloJob *job) {
    // Acquire and release: pairs with itself; the last thread to count down sees what all prerequisites wrote.
    uint32_t before = base_sub_acq_rel(jobs_job_control(job), 1);
    if ((before & JOBS_CONTROL_PENDING) == 1) jobs_scheduler_submit(jobs, worker, job);
}

void jobs_release_dependents(FiloJobs *jobs, JobsWorker *worker, JobsDependents *cell) {
    while (cell != NULL) {
        JobsDependents *next = cell->next;
        for (uint32_t i = 0; i < cell->count; i++) finish_prerequisite(jobs, worker, cell->jobs[i]);
        // Release: pairs with the acquire in jobs_ring_take; the cell is free from here on.
        base_store_release((BASE_ATOMIC(uint32_t) *)&cell->unfinished, 0);
        cell = next;
    }
}

// ---- Running ------------------------------------------------------------------------------------------

// All cases but that of run_fast.
static FILO_COLD void run_slow(FiloJobs *jobs, JobsWorker *from, FiloJob *job) {
    uint32_t control = base_load_relaxed(jobs_job_control(job));
    if (!FILO_CHECK((control & JOBS_CONTROL_RUN) == 0, "run a job once")) return;
    uint32_t worker = (control & JOBS_CONTROL_WORKER) >> JOBS_CONTROL_WORKER_SHIFT;
    if (!FILO_CHECK(worker <= jobs->worker_count, "the job is pinned to worker %u, but there are only %u",
                    worker - 1, jobs->worker_count))
        set_control(job, JOBS_CONTROL_WORKER, 0);
    uint32_t before = base_or_relaxed(jobs_job_control(job), JOBS_CONTROL_RUN | jobs_job_mark_bit());
    if ((before & JOBS_CONTROL_PENDING) == 0)
        jobs_scheduler_submit(jobs, from, job);
    else
        finish_prerequisite(jobs, from, job);
}

// After a push, where a worker may be asleep: publishes the job and wakes a worker.
static __attribute__((noinline)) void wake_sleeper(FiloJobs *jobs, JobsDeque *deque) {
    jobs_scheduler_fence(jobs);
    if (jobs_scheduler_available(jobs) == 0) return;
    jobs_deque_publish(deque);
    jobs_wake_any(jobs);
}

// A push for which the deque may have to grow.
static __attribute__((noinline)) void push_slow(FiloJobs *jobs, JobsWorker *from, FiloJob *job) {
    JobsDeque *deque = &from->deques[FILO_PRIORITY_NORMAL];
    if (jobs_deque_push(deque, job))
        wake_sleeper(jobs, deque);
    else
        jobs_worker_run(from, job); // no memory to queue it
}

// Runs a job of normal priority that is not pinned and waits for nothing, from a worker. `linked` is
// JOBS_CONTROL_LINKED or 0. Rare cases are tail calls, so that the fast path needs no stack frame.
static inline void run_fast(FiloJobs *jobs, JobsWorker *from, FiloJob *job, uint32_t linked) {
    base_store_relaxed(jobs_job_control(job), linked | JOBS_CONTROL_RUN | jobs_job_mark_bit());
    JobsDeque *deque = &from->deques[FILO_PRIORITY_NORMAL];
    if (FILO_UNLIKELY(!jobs_deque_has_capacity(deque))) {
        push_slow(jobs, from, job);
        return;
    }
    jobs_deque_push_fast(deque, job);
    jobs_barrier_compiler(); // see jobs_scheduler_fence
    if (FILO_UNLIKELY(base_load_relaxed(&jobs->available) != 0)) wake_sleeper(jobs, deque);
}

// In a profile, a job without a name has that of the zone that it is started in.
static inline void name_after_zone(FiloJob *job) {
    if (FILO_UNLIKELY(filo_profile_state_now() != 0) && job->name == NULL) job->name = base_zone_name();
}

void filo_jobs_run(FiloJobs *jobs, FiloJob *job) {
    if (!FILO_CHECK(jobs != NULL && job != NULL, "pass a scheduler and a job")) return;
    name_after_zone(job);
    JobsWorker *from = jobs_workers_of_thread;
    uint32_t control = base_load_relaxed(jobs_job_control(job));
    if (FILO_LIKELY(from->jobs == jobs && (control & ~JOBS_CONTROL_LINKED) == 0))
        run_fast(jobs, from, job, control);
    else
        run_slow(jobs, jobs_worker_of_thread(jobs), job);
}

// What a job in the scheduler's memory is made of.
typedef struct Contents {
    FiloJobFunction function;
    const void *data;
    size_t size;
} Contents;

// After a mistake, the job does nothing.
static Contents checked(FiloJobFunction function, const void *data, size_t size) {
    bool right = FILO_CHECK(size <= FILO_JOB_DATA_MAX,
                            "a job in the scheduler's memory holds %d bytes of data, not %zu: pass a pointer",
                            FILO_JOB_DATA_MAX, size) &&
                 check_arguments(function, data, size);
    return right ? (Contents){ function, data, size } : (Contents){ filo_job_do_nothing, NULL, 0 };
}

// Initialises a job that has as many lines as its data needs.
static void init_job(FiloJob *job, Contents contents) {
    filo_job_init(job, contents.function, NULL, 0);
    name_after_zone(job);
    if (contents.size > 0)
        memcpy((unsigned char *)job + offsetof(FiloJob, data), contents.data, contents.size);
}

FiloJob *filo_jobs_new(FiloJobs *jobs, FiloJobFunction function, const void *data, size_t size) {
    if (!FILO_CHECK(jobs != NULL, "pass a scheduler")) return NULL;
    Contents contents = checked(function, data, size);
    FiloJob *job = allocate_job(jobs, jobs_worker_of_thread(jobs), contents.size);
    if (job != NULL) init_job(job, contents);
    return job;
}

// Makes a new job a child of `parent`, unless that is NULL, and returns its `control`.
static inline uint32_t link_to_parent(FiloJob *job, FiloJob *parent) {
    if (parent == NULL) return 0;
    job->parent = parent;
    base_store_relaxed(jobs_job_control(job), JOBS_CONTROL_LINKED);
    base_add_relaxed(jobs_job_unfinished(parent), 1);
    return JOBS_CONTROL_LINKED;
}

// There is no memory for the job: it is on this stack, and waited for.
static FILO_COLD void spawn_here(FiloJobs *jobs, JobsWorker *worker, FiloJob *parent, Contents contents) {
    FiloJob lines[1 + (FILO_JOB_DATA_MAX - FILO_JOB_DATA) / sizeof(FiloJob)];
    init_job(lines, contents);
    (void)link_to_parent(lines, parent);
    run_slow(jobs, worker, lines);
    filo_jobs_wait(jobs, lines);
}

// All cases but that of filo_jobs_spawn: larger data, a foreign thread, a thread with several workers, a mistake.
static __attribute__((noinline)) void spawn_any(FiloJobs *jobs, FiloJob *parent, FiloJobFunction function,
                                                const void *data, size_t size) {
    Contents contents = checked(function, data, size);
    JobsWorker *worker = jobs_worker_of_thread(jobs);
    FiloJob *job = allocate_job(jobs, worker, contents.size);
    if (FILO_UNLIKELY(job == NULL)) {
        spawn_here(jobs, worker, parent, contents);
        return;
    }
    init_job(job, contents);
    uint32_t linked = link_to_parent(job, parent);
    if (FILO_LIKELY(worker == jobs_workers_of_thread))
        run_fast(jobs, worker, job, linked);
    else
        run_slow(jobs, worker, job);
}

void filo_jobs_spawn(FiloJobs *jobs, FiloJob *parent, FiloJobFunction function, const void *data,
                     size_t size) {
    if (!FILO_CHECK(jobs != NULL, "pass a scheduler")) return;
    if (!FILO_CHECK(parent == NULL || base_load_relaxed(jobs_job_unfinished(parent)) != 0,
                    "the parent has finished: spawn children before it is run, or from inside it"))
        return;
    JobsWorker *worker = jobs_workers_of_thread;
    bool fits = size <= FILO_JOB_DATA && function != NULL && (size == 0 || data != NULL);
    FiloJob *job = FILO_LIKELY(worker->jobs == jobs && fits) ? jobs_ring_take(&worker->rings[0]) : NULL;
    if (FILO_UNLIKELY(job == NULL)) {
        spawn_any(jobs, parent, function, data, size);
        return;
    }
    filo_job_init(job, function, data, size);
    name_after_zone(job);
    run_fast(jobs, worker, job, link_to_parent(job, parent));
}
