// The parts of a scheduler: its workers and their queues.
//
//   worker.c     what a worker does: it finds, runs and finishes jobs, and waits for them
//   sleep.c      where workers go to sleep and are woken
//   spread.c     on which processor a woken worker starts
//   scheduler.c  creating and destroying a scheduler, submitting jobs
//
// Queues. Each worker owns three deques, one per priority, and an inbox for jobs that are pinned to it. The scheduler
// has one inbox for jobs from foreign threads. An inbox is a ring under a lock: inboxes are used rarely.
//
// Part of a deque is private to its owner (deque.h). A worker that finds only private jobs gives their owner a
// microsecond to publish them, which its next push does, and then claims them. A thread that wakes a worker for a job
// publishes the job first, and so does a loop that splits itself. So a worker that is awake can reach every job.
// Private jobs count as work: no worker sleeps while there are any.
//
// Cancelling. Before each job a worker compares its stack pointer with `slow_path_below`. Below that address it takes
// the slow path, where it checks everything. When queued jobs are cancelled, it is set to the highest address of all.

#ifndef FILO_JOBS_SCHEDULER_H
#define FILO_JOBS_SCHEDULER_H

#include <filo/jobs.h>
#include <filo/threads.h>

#include "base/atomic.h"
#include "jobs/barrier.h"
#include "jobs/deque.h"
#include "jobs/job.h"
#include "jobs/job_ring.h"
#include "jobs/spread.h"

#define JOBS_PRIORITIES 3

// States of a worker (its `sleep`). sleep.c shows the transitions.
enum {
    JOBS_WORKER_AWAKE,
    JOBS_WORKER_PARKED,   // asleep, or about to be; any work wakes it
    JOBS_WORKER_WAITING,  // asleep, or about to be; only the job that it waits for, or a pinned job, wakes it
    JOBS_WORKER_SHED,     // its thread has ended, or is about to
    JOBS_WORKER_STARTING, // a new thread for it is being started
    JOBS_WORKER_MOVING,   // asleep, and about to be woken: its CPU mask is being changed (spread.h)
};

// Jobs, first in, first out, under a lock.
typedef struct JobsInbox {
    BASE_ATOMIC(uint32_t) count;
    FiloMutex lock;
    FiloJob **jobs;
    size_t first, capacity; // a ring; the capacity is a power of two
    const FiloAllocator *allocator;
} JobsInbox;

bool jobs_inbox_init(JobsInbox *inbox, const FiloAllocator *allocator);
void jobs_inbox_deinit(JobsInbox *inbox);
// False if there is no memory to grow; the inbox is unchanged then.
bool jobs_inbox_push(JobsInbox *inbox, FiloJob *job);
FiloJob *jobs_inbox_take(JobsInbox *inbox);

// A job that a thread is running; lives on that thread's stack.
typedef struct JobsFrame {
    FiloJob *job;
    struct JobsFrame *outer;
} JobsFrame;

struct JobsWorker {
    JobsDeque deques[JOBS_PRIORITIES]; // by FiloPriority
    // Used by the owner:
    _Alignas(FILO_CACHE_LINE) FiloJobs *jobs;
    struct JobsWorker *next_of_thread; // a thread may be worker 0 of several schedulers
    JobsRing rings[JOBS_RINGS];        // by the size of jobs
    bool other_priorities;             // a high or low job was pushed since those deques were last seen empty
    JobsFrame *frame;                  // innermost job
    uintptr_t stack_low; // below this address it runs only its own and pinned jobs while it waits
    uintptr_t stack_end; // below this address it runs no jobs
    BASE_ATOMIC(uintptr_t) slow_path_below; // stack_end, or UINTPTR_MAX
    uint32_t index;
    uint32_t random;           // state of the generator that chooses victims
    uint64_t stolen_at;        // ticks, of the last steal; 0: none since it last looked for work
    uint64_t no_steal_until;   // ticks; 0: it may steal
    uint64_t check_private_at; // ticks, when it next looks for private jobs of others
    uint64_t private_since;    // ticks, since when it has seen private jobs; 0: it has seen none
    BASE_ATOMIC(uint64_t) run, stolen, parked; // counters, written by the owner
    FiloThread thread;
    FiloThread ended; // the thread before, which was shed; the new one joins it
    // Used by all threads:
    _Alignas(FILO_CACHE_LINE) BASE_ATOMIC(uint32_t) sleep; // JOBS_WORKER_…; the word that it is parked on
    BASE_ATOMIC(uint32_t) drained;                         // while stopping: it has no job and found none
    BASE_ATOMIC(FiloJob *) waiting_for;                    // while it sleeps in filo_jobs_wait
    JobsInbox pinned;
    JobsSpreadWorker spread;
};

// Memory for the results of the leaves of a reduction.
typedef struct JobsLeaves {
    size_t size;
    _Alignas(FILO_CACHE_LINE) uint8_t bytes[];
} JobsLeaves;

static inline void jobs_leaves_free(JobsLeaves *leaves) {
    if (leaves != NULL) filo_free(NULL, leaves, sizeof *leaves + leaves->size, FILO_CACHE_LINE);
}

struct FiloJobs {
    JobsWorker *workers;
    uint32_t worker_count;
    bool single_worker;  // no other worker can steal
    bool oversubscribed; // more workers than processors: yield instead of spinning
    bool fence_needed;   // no membarrier: see sleep.c
    int64_t spin_ns, shed_after_ns;
    double ns_per_tick; // of the time-stamp counter
    size_t stack_size;
    char name[16];
    FiloJobsDesc desc;
    FiloHeap heap;
    pthread_t owner;
    struct JobsAsync *async;
    JobsSpread spread;

    _Alignas(FILO_CACHE_LINE) BASE_ATOMIC(uint32_t) available; // workers that are parked or shed
    BASE_ATOMIC(uint32_t) waiting;                             // threads that sleep in filo_jobs_wait
    BASE_ATOMIC(uint32_t) stopping;                            // JOBS_STOPPING_…; 0: not
    BASE_ATOMIC(uint32_t) sync_word;                           // of jobs_scheduler_sync
    BASE_ATOMIC(uint32_t) cancelling;                          // queued jobs are not run any more

    _Alignas(FILO_CACHE_LINE) JobsInbox inbox; // from foreign threads
    FiloMutex foreign_lock;
    JobsRing foreign_rings[JOBS_RINGS];    // of jobs that foreign threads create; under the lock
    BASE_ATOMIC(uint32_t) foreign_waiting; // foreign threads that sleep in filo_jobs_wait
    BASE_ATOMIC(uint32_t) finish_word;     // the word that they are parked on
    BASE_ATOMIC(uint32_t) searching;       // workers that are awake and look for work
    BASE_ATOMIC(uint64_t) woken, moved, shed, returned;
    BASE_ATOMIC(JobsLeaves *) leaves; // memory that no reduction is using; NULL: none
};

enum { JOBS_STOPPING_DRAIN = 1, JOBS_STOPPING_EXIT = 2 }; // values of `stopping`

// ---- worker.c ----

// The workers that the calling thread is, linked by next_of_thread. The list ends with a sentinel that belongs to no
// scheduler, so the first entry is never NULL. While a job runs, its worker is the first.
extern __attribute__((tls_model("initial-exec"))) FILO_THREAD_LOCAL JobsWorker *jobs_workers_of_thread;

// The calling thread's worker in this scheduler; NULL if it has none.
static inline JobsWorker *jobs_worker_of_thread(const FiloJobs *jobs) {
    JobsWorker *worker = jobs_workers_of_thread;
    while (worker != NULL && worker->jobs != jobs) worker = worker->next_of_thread;
    return worker;
}
// Makes the calling thread this worker, and undoes it.
void jobs_worker_enter(JobsWorker *worker);
void jobs_worker_leave(JobsWorker *worker);

// A job that this worker may run now, from any queue; NULL if there is none.
FiloJob *jobs_worker_find_job(JobsWorker *worker);
// True if any queue that this worker may take from is not empty.
bool jobs_worker_has_work(JobsWorker *worker);
void jobs_worker_run(JobsWorker *worker, FiloJob *job);
// Counts down `unfinished` of the job. At 0 the job has finished, and its parent is counted down in turn.
void jobs_worker_finish(JobsWorker *worker, FiloJob *job);
// The main function of a worker's thread.
void jobs_worker_main(void *worker);

// ---- sleep.c ----

// Puts the calling worker to sleep until there is something to do. `until` is the job that it waits for, or NULL. With
// `helping`, any work wakes it; without, only `until` and pinned jobs do. Returns false if the worker was shed: then
// its thread must end.
bool jobs_worker_sleep(JobsWorker *worker, FiloJob *until, bool helping);
// Puts a foreign thread to sleep until `job` has finished.
void jobs_wait_foreign(FiloJobs *jobs, FiloJob *job);

// Wakes one parked worker; if there is none, starts the thread of one that was shed.
void jobs_wake_any(FiloJobs *jobs);
// Wakes this worker, if it sleeps.
void jobs_wake_worker(FiloJobs *jobs, JobsWorker *worker);
// Wakes all parked workers but main.
void jobs_wake_all(FiloJobs *jobs);
// Wakes the threads that wait for `job`, which has finished.
void jobs_wake_waiters(FiloJobs *jobs, const FiloJob *job);

// ---- scheduler.c ----

// Queues a job. `from` is the calling thread's worker, or NULL.
void jobs_scheduler_submit(FiloJobs *jobs, JobsWorker *from, FiloJob *job);
// Starts a thread for a worker that has none. False if the system does not allow it.
bool jobs_scheduler_start_worker(FiloJobs *jobs, JobsWorker *worker);
// Sets the stack limits of a worker, on its own thread.
void jobs_worker_measure_stack(JobsWorker *worker);

// ---- job.c ----

// Submits the jobs that come after one that has finished, as far as they wait for nothing else, and frees the cells.
void jobs_release_dependents(FiloJobs *jobs, JobsWorker *worker, JobsDependents *cell);

// ---- Ordering sleepers against wakers: see sleep.c ----

#define JOBS_FENCE_NEEDED 0x80000000u // added to `available` and `waiting` where there is no membarrier

// Workers that are parked or shed.
static inline uint32_t jobs_scheduler_available(const FiloJobs *jobs) {
    return base_load_relaxed(&jobs->available) & ~JOBS_FENCE_NEEDED;
}

// A full barrier between all threads that call it: of two calls, the later one sees everything that was written before
// the earlier one. (A read-modify-write of one location is totally ordered; ThreadSanitizer understands it, unlike a
// fence.) Acquire and release: pairs with itself.
static inline void jobs_scheduler_sync(FiloJobs *jobs) { (void)base_add_acq_rel(&jobs->sync_word, 1); }

// Between the store that queues or finishes a job and the load that looks for sleepers.
static inline void jobs_scheduler_fence(FiloJobs *jobs) {
    if (FILO_UNLIKELY(jobs->fence_needed))
        jobs_scheduler_sync(jobs);
    else
        jobs_barrier_compiler(); // the sleeper calls jobs_barrier_everywhere
}

#endif
