// Creating and destroying a scheduler, and submitting jobs to its workers.

#include <filo/check.h>
#include <filo/profile.h>

#include "base/tsc.h"
#include "jobs/async.h"
#include "jobs/scheduler.h"

#include <stdio.h>
#include <string.h>

#define INITIAL_DEQUE_CAPACITY 1024
#define DEFAULT_SPIN_NS        12000
#define DEFAULT_SHED_NS        10000000000
#define DEFAULT_STACK          FILO_MIB(8)

// ---- Submitting ---------------------------------------------------------------------------------------

void jobs_scheduler_submit(FiloJobs *jobs, JobsWorker *from, FiloJob *job) {
    uint32_t control = base_load_relaxed(jobs_job_control(job));
    uint32_t pinned = (control & JOBS_CONTROL_WORKER) >> JOBS_CONTROL_WORKER_SHIFT;
    if (FILO_UNLIKELY(pinned != 0)) {
        JobsWorker *target = &jobs->workers[pinned - 1];
        while (!jobs_inbox_push(&target->pinned, job)) { // no memory: retry until the target has taken a job
            if (target == from) {                        // only this thread could take one
                jobs_worker_run(from, job);
                return;
            }
            filo_thread_yield();
        }
        jobs_scheduler_fence(jobs);
        jobs_wake_worker(jobs, target);
        return;
    }
    JobsDeque *deque = NULL;
    if (FILO_LIKELY(from != NULL)) {
        uint32_t priority = (control & JOBS_CONTROL_PRIORITY) >> JOBS_CONTROL_PRIORITY_SHIFT;
        if (priority != FILO_PRIORITY_NORMAL) from->other_priorities = true;
        deque = &from->deques[priority];
        if (FILO_UNLIKELY(!jobs_deque_push(deque, job))) {
            jobs_worker_run(from, job); // no memory to queue it
            return;
        }
    } else {
        while (!jobs_inbox_push(&jobs->inbox, job)) filo_thread_yield();
    }
    jobs_scheduler_fence(jobs);
    if (FILO_LIKELY(jobs_scheduler_available(jobs) == 0)) return;
    if (deque != NULL) jobs_deque_publish(deque);
    jobs_wake_any(jobs);
}

// ---- Starting -----------------------------------------------------------------------------------------

// The new thread waits until it is no longer STARTING, and joins the thread before it, which was shed. So a thread that
// wakes a worker never waits for another thread.
bool jobs_scheduler_start_worker(FiloJobs *jobs, JobsWorker *worker) {
    char name[32];
    snprintf(name, sizeof name, "%s %u", jobs->name, worker->index);
    FiloThreadDesc desc = {
        .name = name, .function = jobs_worker_main, .user = worker, .stack_size = jobs->stack_size
    };
    FiloThread before = worker->thread;
    worker->ended = before;
    if (filo_thread_start(&worker->thread, &desc).code == FILO_OK) {
        if (before.running) base_add_relaxed(&jobs->returned, 1);
        // Release: pairs with the acquire in jobs_worker_main.
        base_store_release(&worker->sleep, JOBS_WORKER_AWAKE);
        filo_unpark((uint32_t *)&worker->sleep, 1);
        return true;
    }
    worker->thread = before;
    worker->ended.running = false;
    base_add_relaxed(&jobs->available, 1); // it is tried again later
    // Release: pairs with the acquire in wake_from_state.
    base_store_release(&worker->sleep, JOBS_WORKER_SHED);
    return false;
}

void jobs_worker_measure_stack(JobsWorker *worker) {
    pthread_attr_t attributes;
    void *low = NULL;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        pthread_attr_getstack(&attributes, &low, &size);
        pthread_attr_destroy(&attributes);
    }
    worker->stack_low = (uintptr_t)low + size / 2;
    worker->stack_end = (uintptr_t)low + size / 8;
    // Sequentially consistent, both: pairs with cancel_jobs. One of the two threads sees what the other wrote.
    (void)base_exchange_seq_cst(&worker->slow_path_below, worker->stack_end);
    if (base_load_seq_cst(&worker->jobs->cancelling) != 0)
        base_store_relaxed(&worker->slow_path_below, UINTPTR_MAX);
}

static bool init_worker(FiloJobs *jobs, uint32_t index) {
    JobsWorker *worker = &jobs->workers[index];
    const FiloAllocator *allocator = &jobs->heap.allocator;
    worker->jobs = jobs;
    worker->index = index;
    worker->random = index * 2654435761u + 1;
    base_store_relaxed(&worker->sleep, index == 0 ? JOBS_WORKER_AWAKE : JOBS_WORKER_STARTING);
    bool ok = jobs_rings_init(worker->rings, jobs->desc.memory_budget != 0, allocator) &&
              jobs_inbox_init(&worker->pinned, allocator);
    for (int p = 0; ok && p < JOBS_PRIORITIES; p++) {
        ok = jobs_deque_init(&worker->deques[p], INITIAL_DEQUE_CAPACITY, allocator);
        if (ok && jobs->fence_needed && !jobs->single_worker) jobs_deque_make_all_public(&worker->deques[p]);
    }
    return ok;
}

static void free_everything(FiloJobs *jobs) {
    jobs_async_destroy(jobs);
    for (uint32_t i = 0; jobs->workers != NULL && i < jobs->worker_count; i++) {
        JobsWorker *worker = &jobs->workers[i];
        jobs_rings_deinit(worker->rings);
        if (worker->pinned.jobs != NULL) jobs_inbox_deinit(&worker->pinned);
        for (int p = 0; p < JOBS_PRIORITIES; p++) jobs_deque_deinit(&worker->deques[p]);
    }
    if (jobs->inbox.jobs != NULL) jobs_inbox_deinit(&jobs->inbox);
    jobs_rings_deinit(jobs->foreign_rings);
    filo_mutex_deinit(&jobs->foreign_lock);
    jobs_leaves_free(base_load_relaxed(&jobs->leaves));
    filo_free(&jobs->heap.allocator, jobs->workers, jobs->worker_count * sizeof(JobsWorker), FILO_CACHE_LINE);
    filo_heap_deinit(&jobs->heap);
    filo_free(NULL, jobs, sizeof *jobs, FILO_CACHE_LINE);
}

static void resolve_options(FiloJobs *jobs, const FiloJobsDesc *desc) {
    static const FiloJobsDesc defaults = { 0 };
    jobs->desc = desc != NULL ? *desc : defaults;
    int hardware = filo_hardware_threads();
    int threads = jobs->desc.threads != 0 ? jobs->desc.threads : FILO_MIN(hardware, FILO_JOBS_MAX_THREADS);
    jobs->worker_count = (uint32_t)threads;
    jobs->single_worker = threads == 1;
    jobs->oversubscribed = threads > hardware;
    jobs->spin_ns = jobs->desc.spin_ns != 0 ? jobs->desc.spin_ns : DEFAULT_SPIN_NS;
    jobs->shed_after_ns = jobs->desc.shed_after_ns != 0 ? jobs->desc.shed_after_ns : DEFAULT_SHED_NS;
    jobs->stack_size = jobs->desc.stack_size != 0 ? jobs->desc.stack_size : DEFAULT_STACK;
    snprintf(jobs->name, sizeof jobs->name, "%s", jobs->desc.name != NULL ? jobs->desc.name : "worker");
    jobs->fence_needed = jobs->desc.no_membarrier || !jobs_barrier_prepare();
    base_store_relaxed(&jobs->available, jobs->fence_needed ? JOBS_FENCE_NEEDED : 0);
    base_store_relaxed(&jobs->waiting, jobs->fence_needed ? JOBS_FENCE_NEEDED : 0);
}

FiloResult filo_jobs_create(FiloJobs **jobs, const FiloJobsDesc *desc) {
    if (jobs == NULL) return FILO_MISTAKE("pass where to put the scheduler");
    *jobs = NULL;
    int threads = desc != NULL ? desc->threads : 0;
    if (threads < 0 || threads > FILO_JOBS_MAX_THREADS)
        return FILO_MISTAKE("a scheduler has 1 to %d threads, not %d", FILO_JOBS_MAX_THREADS, threads);
    FiloJobs *made = filo_alloc_zero(NULL, sizeof *made, FILO_CACHE_LINE);
    if (made == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for a scheduler");
    filo_heap_init(&made->heap, "jobs", desc != NULL ? desc->memory_budget : 0);
    resolve_options(made, desc);
    BaseTscPair begun = base_tsc_pair();
    made->owner = pthread_self();
    filo_mutex_init(&made->foreign_lock);
    made->workers =
        filo_alloc_zero(&made->heap.allocator, made->worker_count * sizeof(JobsWorker), FILO_CACHE_LINE);
    bool ok = made->workers != NULL && jobs_inbox_init(&made->inbox, &made->heap.allocator) &&
              jobs_rings_init(made->foreign_rings, made->desc.memory_budget != 0, &made->heap.allocator) &&
              jobs_async_create(made);
    for (uint32_t i = 0; ok && i < made->worker_count; i++) ok = init_worker(made, i);
    if (ok) jobs_spread_init(made);
    if (!ok) {
        free_everything(made);
        return filo_error(FILO_ERROR_MEMORY, "no memory for a scheduler with %d threads", threads);
    }
    while (filo_time_ns() - begun.ns < 20000) {} // long enough to measure the counter's rate to a per mille
    made->ns_per_tick = base_tsc_rate(begun, base_tsc_pair());
    jobs_worker_enter(&made->workers[0]);
    jobs_worker_measure_stack(&made->workers[0]);
    filo_thread_set_float_mode();
    if (made->desc.thread_started != NULL) made->desc.thread_started(0, made->desc.user);
    for (uint32_t i = 1; i < made->worker_count; i++) {
        if (jobs_scheduler_start_worker(made, &made->workers[i])) continue;
        for (uint32_t k = i + 1; k < made->worker_count; k++) // so that destroying does not wait for them
            base_store_relaxed(&made->workers[k].sleep, JOBS_WORKER_SHED);
        filo_jobs_destroy(made, FILO_JOBS_CANCEL);
        return filo_error(FILO_ERROR_LIMIT, "the system does not allow %d threads", threads);
    }
    *jobs = made;
    return filo_ok();
}

// ---- Stopping -----------------------------------------------------------------------------------------

// Sum of the jobs run, or UINT64_MAX if any worker may have a job. Sequentially consistent: pairs with the stores in
// drain_until_exit.
static uint64_t run_if_all_drained(FiloJobs *jobs) {
    uint64_t run = 0;
    for (uint32_t i = 1; i < jobs->worker_count; i++) {
        JobsWorker *worker = &jobs->workers[i];
        uint32_t sleep = base_load_seq_cst(&worker->sleep);
        if (sleep != JOBS_WORKER_SHED && base_load_seq_cst(&worker->drained) == 0) return UINT64_MAX;
        run += base_load_seq_cst(&worker->run);
    }
    return run;
}

static bool nothing_is_queued(FiloJobs *jobs) {
    for (uint32_t i = 0; i < jobs->worker_count; i++)
        if (base_load_relaxed(&jobs->workers[i].pinned.count) != 0) return false;
    return !jobs_worker_has_work(&jobs->workers[0]);
}

// Only jobs create jobs. So if no worker had a job before and after the queues were seen empty, and none ran one in
// between, there will be no more.
static void drain(FiloJobs *jobs) {
    JobsWorker *main_worker = &jobs->workers[0];
    for (;;) {
        FiloJob *job = jobs_worker_find_job(main_worker);
        if (job != NULL) {
            jobs_worker_run(main_worker, job);
            continue;
        }
        uint64_t before = run_if_all_drained(jobs);
        bool empty = before != UINT64_MAX && nothing_is_queued(jobs);
        jobs_scheduler_sync(jobs); // the queues are read before the workers are checked again
        if (empty && run_if_all_drained(jobs) == before) return;
        filo_thread_yield();
    }
}

// From here on, queued jobs are not run. Sequentially consistent: pairs with jobs_worker_measure_stack.
static void cancel_jobs(FiloJobs *jobs) {
    base_store_seq_cst(&jobs->cancelling, 1);
    for (uint32_t i = 0; i < jobs->worker_count; i++)
        (void)base_exchange_seq_cst(&jobs->workers[i].slow_path_below, UINTPTR_MAX);
}

void filo_jobs_destroy(FiloJobs *jobs, FiloJobsEnd end) {
    if (jobs == NULL) return;
    if (!FILO_CHECK(pthread_equal(pthread_self(), jobs->owner),
                    "destroy a scheduler on the thread that created it") ||
        !FILO_CHECK(jobs->workers[0].frame == NULL, "do not destroy a scheduler from inside one of its jobs"))
        return;
    if (end == FILO_JOBS_CANCEL) {
        cancel_jobs(jobs);
        jobs_async_cancel_all(jobs);
    }
    uint64_t requests = jobs_async_wait_all(jobs); // before the workers begin to poll
    // A worker that is about to sleep sees `stopping`, or is seen asleep below.
    base_store_seq_cst(&jobs->stopping, JOBS_STOPPING_DRAIN); // pairs with the barrier in jobs_worker_sleep
    jobs_scheduler_sync(jobs);
    jobs_wake_all(jobs);
    // Jobs create requests, and requests create jobs: repeat until there are neither.
    uint64_t before;
    do {
        before = requests;
        drain(jobs);
        requests = jobs_async_wait_all(jobs);
    } while (requests != before);
    // Release: pairs with the acquire in drain_until_exit.
    base_store_release(&jobs->stopping, JOBS_STOPPING_EXIT);
    for (uint32_t i = 1; i < jobs->worker_count; i++)
        if (jobs->workers[i].thread.running) filo_thread_join(&jobs->workers[i].thread);
    if (jobs->desc.thread_ending != NULL) jobs->desc.thread_ending(0, jobs->desc.user);
    jobs_worker_leave(&jobs->workers[0]);
    free_everything(jobs);
}

// ---- Queries ------------------------------------------------------------------------------------------

int filo_jobs_threads(const FiloJobs *jobs) {
    return FILO_CHECK(jobs != NULL, "pass a scheduler") ? (int)jobs->worker_count : 0;
}

FiloJobsStats filo_jobs_stats(FiloJobs *jobs) {
    if (!FILO_CHECK(jobs != NULL, "pass a scheduler")) return (FiloJobsStats){ 0 };
    FiloJobsStats stats = {
        .woken = base_load_relaxed(&jobs->woken),
        .moved = base_load_relaxed(&jobs->moved),
        .shed = base_load_relaxed(&jobs->shed),
        .returned = base_load_relaxed(&jobs->returned),
        .queued = base_load_relaxed(&jobs->inbox.count),
        .awake = (int)jobs->worker_count - (int)jobs_scheduler_available(jobs),
        .async_threads = jobs_async_thread_count(jobs),
    };
    for (uint32_t i = 0; i < jobs->worker_count; i++) {
        JobsWorker *worker = &jobs->workers[i];
        stats.run += base_load_relaxed(&worker->run);
        stats.stolen += base_load_relaxed(&worker->stolen);
        stats.parked += base_load_relaxed(&worker->parked);
        stats.queued += base_load_relaxed(&worker->pinned.count);
        for (int p = 0; p < JOBS_PRIORITIES; p++) {
            int64_t length =
                base_load_relaxed(&worker->deques[p].bottom) - base_load_relaxed(&worker->deques[p].top);
            if (length > 0) stats.queued += (uint64_t)length;
        }
    }
    return stats;
}

void filo_jobs_profile_counters(FiloJobs *jobs) {
    if (!filo_profile_running()) return;
    FiloJobsStats stats = filo_jobs_stats(jobs);
    FILO_COUNTER("jobs run", stats.run);
    FILO_COUNTER("jobs stolen", stats.stolen);
    FILO_COUNTER("jobs parked", stats.parked);
    FILO_COUNTER("jobs queued", stats.queued);
}
