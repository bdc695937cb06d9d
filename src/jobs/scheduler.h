// The inside of a scheduler: its workers, and how they sleep and wake.
//
// Queues. Each worker has three deques, one per priority, that it owns; an inbox for jobs pinned to it; and
// the scheduler has one inbox for jobs from foreign threads. Inboxes are lists under a lock: they are rare.
//
// Deques have a part that is private to their owner (deque.h). A worker that looks for jobs and finds only
// private ones gives their owner a microsecond to publish them, which its next push does, and then claims
// them. Whoever wakes somebody for a job publishes it first, and so does a loop that divides itself. So a
// worker that is awake gets at every job there is, and private ones count as work: nobody sleeps while there
// are any.
//
// Sleeping. A worker that found nothing for a while says that it is about to sleep (its `sleep` word, and the
// scheduler's count `available`), looks at every queue once more, and parks. Whoever queues a job looks at
// `available` afterwards, and if it is not 0 wakes somebody. For this to be safe, one of "sleeper announces,
// then looks" and "pusher queues, then looks" must not be reordered against the other. Pushing is frequent
// and sleeping is rare, so the sleeper pays: it calls membarrier, which makes every other thread of the
// process pass a full barrier. Where the kernel has no membarrier, pushers use a sequentially consistent
// operation instead (`fence_needed`); the counts then have JOBS_FENCE_NEEDED added for good, so that whoever
// looks at them needs only one comparison to know that there is nothing more to do.
//
// A thread that sleeps in filo_jobs_wait has `waiting_for` set to its job, and the scheduler's `waiting`
// counts such threads; whoever finishes a job looks at `waiting` in the same manner.
//
// Where a woken worker starts is the business of spread.h. A worker whose mask is being changed is MOVING: it is no
// longer available, and not yet awake.
//
// Cancelling. Before each job a worker compares its stack with `careful_below`, an address below which it has to
// look more closely. When queued jobs are no longer to be run, it is made the highest address of all.

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

enum {
    JOBS_WORKER_AWAKE,
    JOBS_WORKER_PARKED,   // asleep, or about to be; any work wakes it
    JOBS_WORKER_WAITING,  // the same, but only the job that it waits for wakes it
    JOBS_WORKER_SHED,     // its thread has ended, or is about to
    JOBS_WORKER_STARTING, // a new thread for it is being started
    JOBS_WORKER_MOVING,   // asleep, and about to be woken: see spread.h
};

// Jobs in the order in which they came, under a lock.
typedef struct JobsInbox {
    BASE_ATOMIC(uint32_t) count;
    FiloMutex lock;
    FiloJob **jobs;
    size_t first, capacity; // a ring; the capacity is a power of two
    const FiloAllocator *allocator;
} JobsInbox;

bool jobs_inbox_init(JobsInbox *inbox, const FiloAllocator *allocator);
void jobs_inbox_deinit(JobsInbox *inbox);
// False if there is no memory to grow; nothing has happened then.
bool jobs_inbox_push(JobsInbox *inbox, FiloJob *job);
FiloJob *jobs_inbox_take(JobsInbox *inbox);

// A job that a thread is in the middle of, on its stack.
typedef struct FiloFrame {
    FiloJob *job;
    struct FiloFrame *outer;
} FiloFrame;

struct JobsWorker {
    JobsDeque deques[JOBS_PRIORITIES]; // high, normal, low
    // The owner's:
    _Alignas(FILO_CACHE_LINE) FiloJobs *jobs;
    struct JobsWorker *next_of_thread; // a thread may be worker 0 of several schedulers
    JobRing ring;
    bool unusual; // something was pushed with high or low priority since those deques were last seen empty
    FiloFrame *frame;                     // innermost job
    uintptr_t stack_low, stack_end;       // below these addresses: only own jobs; no jobs at all
    BASE_ATOMIC(uintptr_t) careful_below; // stack_end, or UINTPTR_MAX
    uint32_t index;
    uint32_t random;                      // where to look for victims
    uint64_t stolen_at, restrained_until; // ticks; 0: not since it last looked around, not at all
    uint64_t look_for_hidden_at,
        hidden_since; // ticks; when to look for what others hide, and since when it is seen
    BASE_ATOMIC(uint64_t) run, stolen, parked; // counters, written by the owner
    FiloThread thread, ended;                  // ended: was shed; the new one joins it
    // Everybody's:
    _Alignas(FILO_CACHE_LINE) BASE_ATOMIC(uint32_t) sleep; // JOBS_WORKER_…; parked on
    BASE_ATOMIC(uint32_t) quiet;                           // while stopping: it has no job and found none
    BASE_ATOMIC(FiloJob *) waiting_for;
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
    bool alone;        // one worker: no thieves
    bool crowded;      // more workers than processors: do not spin long
    bool fence_needed; // no membarrier
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
    BASE_ATOMIC(uint32_t) waiting;                             // threads parked in filo_jobs_wait
    BASE_ATOMIC(uint32_t) stopping;                            // workers shall end
    BASE_ATOMIC(uint32_t) meeting;                             // see jobs_scheduler_meet
    BASE_ATOMIC(uint32_t) cancelling;                          // queued jobs are not run any more

    _Alignas(FILO_CACHE_LINE) JobsInbox inbox; // from foreign threads
    FiloMutex foreign_lock;
    JobRing foreign_ring;                  // of jobs that foreign threads made
    BASE_ATOMIC(uint32_t) foreign_waiting; // foreign threads parked in filo_jobs_wait
    BASE_ATOMIC(uint32_t) finish_word;     // which they are parked on
    BASE_ATOMIC(uint32_t) searching;       // workers that are awake and look for work
    BASE_ATOMIC(uint64_t) woken, moved, shed, returned;
    BASE_ATOMIC(JobsLeaves *) leaves; // of reductions, while none has it; NULL: none
};

// The workers that the calling thread is, linked by next_of_thread. The last is nobody: it has no scheduler, so the
// first can be asked for its scheduler without knowing whether there is one. While a job runs, its worker is the first.
extern __attribute__((tls_model("initial-exec"))) FILO_THREAD_LOCAL JobsWorker *jobs_workers_of_thread;

// The calling thread's worker in this scheduler; NULL if it has none.
static inline JobsWorker *jobs_worker_of_thread(const FiloJobs *jobs) {
    JobsWorker *worker = jobs_workers_of_thread;
    while (worker != NULL && worker->jobs != jobs) worker = worker->next_of_thread;
    return worker;
}
// Makes `worker` the calling thread's in its scheduler, and undoes it.
void jobs_worker_enter(JobsWorker *worker);
void jobs_worker_leave(JobsWorker *worker);

// A job that this worker may run now, from wherever; NULL if there is none.
FiloJob *jobs_worker_find(JobsWorker *worker);
void jobs_worker_run(JobsWorker *worker, FiloJob *job);
// One of those that `job` counts has finished. If it was the last, so has the job, and so on upwards.
void jobs_worker_finish(JobsWorker *worker, FiloJob *job);
// True if any queue that this worker may take from has something in it.
bool jobs_worker_sees_work(JobsWorker *worker);
// The life of a worker's thread.
void jobs_worker_main(void *worker);
// Finds out how much stack the calling thread, which is this worker, has.
void jobs_worker_measure_stack(JobsWorker *worker);

// A job for any thread that can run it. `from` is the calling thread's worker or NULL.
void jobs_scheduler_submit(FiloJobs *jobs, JobsWorker *from, FiloJob *job);
// One more worker shall look for work.
void jobs_scheduler_wake(FiloJobs *jobs);
// Wakes this one, if it sleeps.
void jobs_scheduler_wake_worker(FiloJobs *jobs, JobsWorker *worker);
// Starts the thread of a worker that has none.
bool jobs_scheduler_start_worker(FiloJobs *jobs, JobsWorker *worker);

// Starts what came after a job that has finished, and frees the cells.
void jobs_job_release_dependents(FiloJobs *jobs, JobsWorker *worker, JobsDependents *cell);

enum { JOBS_STOPPING_DRAIN = 1, JOBS_STOPPING_EXIT = 2 }; // values of `stopping`

// A barrier for all threads that use the same word: of two that pass here, the later one sees what the
// earlier one wrote before. (A read-modify-write of one location is ordered in all of them; ThreadSanitizer
// understands it, unlike a fence.)
static inline void jobs_scheduler_meet(FiloJobs *jobs) { (void)base_add_acq_rel(&jobs->meeting, 1); }

#define JOBS_FENCE_NEEDED 0x80000000u // part of `available` and `waiting` where there is no membarrier

// Workers that are parked or shed.
static inline uint32_t jobs_scheduler_available(const FiloJobs *jobs) {
    return base_load_relaxed(&jobs->available) & ~JOBS_FENCE_NEEDED;
}

// After a store that others must see before our next load: see "Sleeping" above.
static inline void jobs_scheduler_fence(FiloJobs *jobs) {
    if (FILO_UNLIKELY(jobs->fence_needed))
        jobs_scheduler_meet(jobs);
    else
        jobs_barrier_compiler(); // the sleeper takes care of the rest
}

#endif
