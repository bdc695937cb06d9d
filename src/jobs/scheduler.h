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
// operation instead (`fence_needed`); the counts then have FILO_FENCE_NEEDED added for good, so that whoever
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

#define FILO_PRIORITIES 3

enum {
    FILO_WORKER_AWAKE,
    FILO_WORKER_PARKED,   // asleep, or about to be; any work wakes it
    FILO_WORKER_WAITING,  // the same, but only the job that it waits for wakes it
    FILO_WORKER_SHED,     // its thread has ended, or is about to
    FILO_WORKER_STARTING, // a new thread for it is being started
    FILO_WORKER_MOVING,   // asleep, and about to be woken: see spread.h
};

// Jobs in the order in which they came, under a lock.
typedef struct FiloInbox {
    FILO_ATOMIC(uint32_t) count;
    FiloMutex lock;
    FiloJob **jobs;
    size_t first, capacity; // a ring; the capacity is a power of two
    const FiloAllocator *allocator;
} FiloInbox;

bool filo_inbox_init(FiloInbox *inbox, const FiloAllocator *allocator);
void filo_inbox_deinit(FiloInbox *inbox);
// False if there is no memory to grow; nothing has happened then.
bool filo_inbox_push(FiloInbox *inbox, FiloJob *job);
FiloJob *filo_inbox_take(FiloInbox *inbox);

// A job that a thread is in the middle of, on its stack.
typedef struct FiloFrame {
    FiloJob *job;
    struct FiloFrame *outer;
} FiloFrame;

struct FiloWorker {
    FiloDeque deques[FILO_PRIORITIES]; // high, normal, low
    // The owner's:
    _Alignas(FILO_CACHE_LINE) FiloJobs *jobs;
    struct FiloWorker *next_of_thread; // a thread may be worker 0 of several schedulers
    FiloJobRing ring;
    bool unusual; // something was pushed with high or low priority since those deques were last seen empty
    FiloFrame *frame;                     // innermost job
    uintptr_t stack_low, stack_end;       // below these addresses: only own jobs; no jobs at all
    FILO_ATOMIC(uintptr_t) careful_below; // stack_end, or UINTPTR_MAX
    uint32_t index;
    uint32_t random;                      // where to look for victims
    uint64_t stolen_at, restrained_until; // ticks; 0: not since it last looked around, not at all
    uint64_t look_for_hidden_at,
        hidden_since; // ticks; when to look for what others hide, and since when it is seen
    FILO_ATOMIC(uint64_t) run, stolen, parked; // counters, written by the owner
    FiloThread thread, ended;                  // ended: was shed; the new one joins it
    // Everybody's:
    _Alignas(FILO_CACHE_LINE) FILO_ATOMIC(uint32_t) sleep; // FILO_WORKER_…; parked on
    FILO_ATOMIC(uint32_t) quiet;                           // while stopping: it has no job and found none
    FILO_ATOMIC(FiloJob *) waiting_for;
    FiloInbox pinned;
    FiloSpreadWorker spread;
};

// Memory for the results of the leaves of a reduction.
typedef struct FiloLeaves {
    size_t size;
    _Alignas(FILO_CACHE_LINE) uint8_t bytes[];
} FiloLeaves;

static inline void filo_leaves_free(FiloLeaves *leaves) {
    if (leaves != NULL) filo_free(NULL, leaves, sizeof *leaves + leaves->size, FILO_CACHE_LINE);
}

struct FiloJobs {
    FiloWorker *workers;
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
    struct FiloAsync *async;
    FiloSpread spread;

    _Alignas(FILO_CACHE_LINE) FILO_ATOMIC(uint32_t) available; // workers that are parked or shed
    FILO_ATOMIC(uint32_t) waiting;                             // threads parked in filo_jobs_wait
    FILO_ATOMIC(uint32_t) stopping;                            // workers shall end
    FILO_ATOMIC(uint32_t) meeting;                             // see filo_scheduler_meet
    FILO_ATOMIC(uint32_t) cancelling;                          // queued jobs are not run any more

    _Alignas(FILO_CACHE_LINE) FiloInbox inbox; // from foreign threads
    FiloMutex foreign_lock;
    FiloJobRing foreign_ring;              // of jobs that foreign threads made
    FILO_ATOMIC(uint32_t) foreign_waiting; // foreign threads parked in filo_jobs_wait
    FILO_ATOMIC(uint32_t) finish_word;     // which they are parked on
    FILO_ATOMIC(uint32_t) searching;       // workers that are awake and look for work
    FILO_ATOMIC(uint64_t) woken, moved, shed, returned;
    FILO_ATOMIC(FiloLeaves *) leaves; // of reductions, while none has it; NULL: none
};

// The workers that the calling thread is, linked by next_of_thread. The last is nobody: it has no scheduler, so the
// first can be asked for its scheduler without knowing whether there is one. While a job runs, its worker is the first.
extern __attribute__((tls_model("initial-exec"))) FILO_THREAD_LOCAL FiloWorker *filo_workers_of_thread;

// The calling thread's worker in this scheduler; NULL if it has none.
static inline FiloWorker *filo_worker_of_thread(const FiloJobs *jobs) {
    FiloWorker *worker = filo_workers_of_thread;
    while (worker != NULL && worker->jobs != jobs) worker = worker->next_of_thread;
    return worker;
}
// Makes `worker` the calling thread's in its scheduler, and undoes it.
void filo_worker_enter(FiloWorker *worker);
void filo_worker_leave(FiloWorker *worker);

// A job that this worker may run now, from wherever; NULL if there is none.
FiloJob *filo_worker_find(FiloWorker *worker);
void filo_worker_run(FiloWorker *worker, FiloJob *job);
// One of those that `job` counts has finished. If it was the last, so has the job, and so on upwards.
void filo_worker_finish(FiloWorker *worker, FiloJob *job);
// True if any queue that this worker may take from has something in it.
bool filo_worker_sees_work(FiloWorker *worker);
// The life of a worker's thread.
void filo_worker_main(void *worker);
// Finds out how much stack the calling thread, which is this worker, has.
void filo_worker_measure_stack(FiloWorker *worker);

// A job for any thread that can run it. `from` is the calling thread's worker or NULL.
void filo_scheduler_submit(FiloJobs *jobs, FiloWorker *from, FiloJob *job);
// One more worker shall look for work.
void filo_scheduler_wake(FiloJobs *jobs);
// Wakes this one, if it sleeps.
void filo_scheduler_wake_worker(FiloJobs *jobs, FiloWorker *worker);
// Starts the thread of a worker that has none.
bool filo_scheduler_start_worker(FiloJobs *jobs, FiloWorker *worker);

// Starts what came after a job that has finished, and frees the cells.
void filo_job_release_dependents(FiloJobs *jobs, FiloWorker *worker, FiloDependents *cell);

enum { FILO_STOPPING_DRAIN = 1, FILO_STOPPING_EXIT = 2 }; // values of `stopping`

// A barrier for all threads that use the same word: of two that pass here, the later one sees what the
// earlier one wrote before. (A read-modify-write of one location is ordered in all of them; ThreadSanitizer
// understands it, unlike a fence.)
static inline void filo_scheduler_meet(FiloJobs *jobs) { (void)filo_add_acq_rel(&jobs->meeting, 1); }

#define FILO_FENCE_NEEDED 0x80000000u // part of `available` and `waiting` where there is no membarrier

// Workers that are parked or shed.
static inline uint32_t filo_scheduler_available(const FiloJobs *jobs) {
    return filo_load_relaxed(&jobs->available) & ~FILO_FENCE_NEEDED;
}

// After a store that others must see before our next load: see "Sleeping" above.
static inline void filo_scheduler_fence(FiloJobs *jobs) {
    if (FILO_UNLIKELY(jobs->fence_needed))
        filo_scheduler_meet(jobs);
    else
        filo_barrier_compiler(); // the sleeper takes care of the rest
}

#endif
