// filo/jobs.h: the scheduler: one worker per hardware thread, each with queues of its own, taking work from
// each other.
//
//     static void greet(FiloJob *job, void *data) { printf("hello from %s\n", *(const char **)data); }
//
//     FiloJobs *jobs;
//     FiloResult r = filo_jobs_create(&jobs, NULL);         // as many workers as the machine runs at once
//     const char *name = "a worker";
//     FiloJob job;                                          // yours: 64 bytes, until it has finished
//     filo_job_init(&job, greet, &name, sizeof name);
//     filo_jobs_run(jobs, &job);
//     …                                                     // both threads go on
//     filo_jobs_wait(jobs, &job);                           // runs other jobs meanwhile
//     filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
//
// Most of the time a loop over many things is all that is needed:
//
//     static void move(size_t begin, size_t end, void *user) { for (size_t i = begin; i < end; i++) … }
//     filo_jobs_for(jobs, count, move, world);
//
// Three kinds of threads do the work:
//
//   workers  run jobs that compute. A worker takes its own newest job first, and others' oldest when it has
//            none.
//   main     the thread that created the scheduler. It is worker 0, and works while it waits. Jobs for the
//            window or the graphics context are pinned to it.
//   async    threads run what blocks (files, sockets): see filo/async.h. They come and go as needed, and
//            never hold up a worker.
//
// Idle workers sleep and cost nothing, are woken at once when there is work, end when they were idle for
// long, and come back under load. With one thread everything works the same: nothing ever needs a second one.
//
// Which thread runs what, and when, is different each time. What jobs compute must not depend on it: write to
// places of your own, and combine in a fixed order, as filo_jobs_reduce does.
//
// Unless it says otherwise, every function may be called from any thread, also one that Filo did not start.

#ifndef FILO_JOBS_H
#define FILO_JOBS_H

#include <filo/memory.h>
#include <filo/types.h>

#include <string.h>

FILO_BEGIN_DECLS

// ---- The scheduler ------------------------------------------------------------------------------------

typedef struct FiloJobs FiloJobs;

#define FILO_JOBS_MAX_THREADS 256

typedef struct FiloJobsDesc {
    const char *name; // of its threads; NULL: "worker"
    int threads; // workers, with the calling thread; 0: filo_hardware_threads(); up to FILO_JOBS_MAX_THREADS
    int async_threads; // at most, for blocking work; 0: 16
    int64_t spin_ns;   // how long a worker looks for work before it sleeps; 0: 12 µs; negative: not at all
    int64_t shed_after_ns; // how long a worker sleeps before its thread ends; 0: 10 s; negative: never
    size_t stack_size;     // of each thread; 0: 8 MiB of addresses
    size_t memory_budget; // bytes that jobs and queues may take; 0: no limit. Beyond it, work is done at once
                          // instead of being queued.
    bool no_io_uring;     // read and write files on threads, even if the kernel could do it by itself
    bool no_membarrier;   // as on a kernel without that call: queueing a job then costs a barrier
    // Never touch a worker's CPU mask. Without this, where the kernel starts woken workers on the processor of
    // the thread that wakes them, they are kept off it: their masks are narrowed while they wake, and whole
    // again before they run a job. Masks that were set by others are left alone in any case.
    bool no_spreading;
    // Called on each worker's thread when it starts and before it ends, the calling thread included. The
    // second must not use the scheduler.
    void (*thread_started)(int worker, void *user);
    void (*thread_ending)(int worker, void *user);
    void *user;
} FiloJobsDesc;

// Starts a scheduler; the calling thread becomes its worker 0, "main". `desc` may be NULL. Several may exist
// at once.
FiloResult filo_jobs_create(FiloJobs **jobs, const FiloJobsDesc *desc);

typedef enum FiloJobsEnd {
    FILO_JOBS_FINISH, // run what is queued, and all that it starts
    FILO_JOBS_CANCEL, // do not start what is queued; wait only for what is running. Cancelled jobs count as
                      // finished.
} FiloJobsEnd;

// Stops the scheduler and frees it. Only by the thread that created it, outside of any job, when no other thread
// uses it any more.
void filo_jobs_destroy(FiloJobs *jobs, FiloJobsEnd end);

// Number of workers, running or asleep or shed.
int filo_jobs_threads(const FiloJobs *jobs);
// Which worker the calling thread is: 0 is main; −1 if it is none of this scheduler's.
int filo_jobs_worker(const FiloJobs *jobs);
// The scheduler whose job the calling thread is running; NULL outside of jobs.
FiloJobs *filo_jobs_current(void);

// A mark of the calling thread, for checks in debug builds: that what it does is a part of something, such as a tick of
// a world. A job has the mark of the thread that started it, and the thread that runs the job has that mark until the job
// returns. (In release builds jobs have none, and threads keep theirs.) Sets it, and returns what it was.
bool filo_jobs_set_mark(bool mark);
bool filo_jobs_marked(void);

// ---- Jobs ---------------------------------------------------------------------------------------------

#define FILO_JOB_DATA 24 // bytes of a job's own data; pass a pointer to anything larger

typedef struct FiloJob FiloJob;

// `data` points to the job's own copy of its data, which it may change.
typedef void (*FiloJobFunction)(FiloJob *job, void *data);

typedef enum FiloPriority {
    FILO_PRIORITY_NORMAL,
    FILO_PRIORITY_HIGH, // before all normal ones
    FILO_PRIORITY_LOW,  // when there is nothing else
} FiloPriority;

// A job: one cache line. All of it but what the functions below say is private.
struct __attribute__((aligned(FILO_CACHE_LINE))) FiloJob {
    FiloJobFunction function;
    FiloJob *parent;
    uint32_t unfinished; // itself and its children; 0: finished
    uint32_t control;
    void *dependents;
    const char *name;
    unsigned char data[FILO_JOB_DATA];
};

// Prepares a job in memory of yours, which must stay until the job has finished: wait for it before you leave
// the scope. `size` bytes of `data` are copied, at most FILO_JOB_DATA.
static inline void filo_job_init(FiloJob *job, FiloJobFunction function, const void *data, size_t size);
// Before it is run: all optional.
void filo_job_set_name(FiloJob *job, const char *name); // for profiles; must outlive the job
void filo_job_set_priority(FiloJob *job, FiloPriority priority);
// Only this worker may run it: 0 is main.
void filo_job_set_worker(FiloJob *job, int worker);
// `parent` finishes only when this job, and all its children, have. The parent must not have finished: call
// this from inside the parent or one of its children, or before the parent is run.
void filo_job_set_parent(FiloJob *job, FiloJob *parent);

// Gives the job to the workers. Never blocks.
void filo_jobs_run(FiloJobs *jobs, FiloJob *job);

// Returns when the job and all its children have finished. A worker runs other jobs meanwhile, and sleeps
// when there are none; a foreign thread only sleeps. What they wrote is visible afterwards.
void filo_jobs_wait(FiloJobs *jobs, FiloJob *job);
bool filo_job_finished(const FiloJob *job);

// Runs `function` as a child of `parent` (NULL: on its own), in memory of the scheduler's, which is used
// again once it has finished. The quickest way to start many. Wait for the parent. Without memory for it, it
// is run at once.
void filo_jobs_spawn(FiloJobs *jobs, FiloJob *parent, FiloJobFunction function, const void *data,
                     size_t size);

// The same, to be set up and run by the caller; NULL if there is no memory. The job must be run, once; do not
// touch it after that.
FiloJob *filo_jobs_new(FiloJobs *jobs, FiloJobFunction function, const void *data, size_t size);

// `job` starts only after `prerequisite` has finished; nobody waits for that. Any number of each (a job may
// come after 65,534 others). Before either is run. False if there is no memory, or it was too late.
bool filo_job_after(FiloJob *job, FiloJob *prerequisite, FiloJobs *jobs);

// Runs the jobs that are pinned to the calling worker, and returns how many. A worker also runs them whenever
// it looks for work or waits; main calls this at a fixed point of its frame.
int filo_jobs_run_pinned(FiloJobs *jobs);

// ---- Loops --------------------------------------------------------------------------------------------

// Works on the items from `begin` to `end` (exclusive).
typedef void (*FiloRangeFunction)(size_t begin, size_t end, void *user);

// Calls `function` for parts that together are 0 to `count`, on all workers, and returns when all is done.
// Parts are as large as they can be without leaving a worker idle: there is nothing to tune, for ten items or
// ten million.
void filo_jobs_for(FiloJobs *jobs, size_t count, FiloRangeFunction function, void *user);
// For a few heavy items (from about 10 µs each): each is a call of its own, and they are spread at once,
// without finding out first what they cost.
void filo_jobs_for_each(FiloJobs *jobs, size_t count, FiloRangeFunction function, void *user);

typedef struct FiloReduceDesc {
    size_t count;       // items
    size_t result_size; // bytes of one result
    // Computes the result of items `begin` to `end` into `result`, which is zeroed.
    void (*part)(size_t begin, size_t end, void *result, void *user);
    // Adds the result `right` to `left`; `left` stands for earlier items.
    void (*combine)(void *left, const void *right, void *user);
    void *user;
} FiloReduceDesc;

// One result of many items. How the items are divided, and in which order results are combined, depends on
// `count` alone: the result has the same bits on any number of threads, floats too. Fails only if there is no
// memory for the parts.
FiloResult filo_jobs_reduce(FiloJobs *jobs, const FiloReduceDesc *desc, void *result);

// ---- Counters -----------------------------------------------------------------------------------------

typedef struct FiloJobsStats {
    uint64_t run;      // jobs run
    uint64_t stolen;   // of which another worker had queued
    uint64_t parked;   // times a worker fell asleep
    uint64_t woken;    // times one was woken
    uint64_t moved;    // of which it was kept off the processors of the workers that were awake
    uint64_t shed;     // threads that ended for lack of work
    uint64_t returned; // threads started again under load
    uint64_t queued;   // jobs waiting in queues now
    int awake;         // workers that are running now
    int async_threads; // threads for blocking work now
} FiloJobsStats;

FiloJobsStats filo_jobs_stats(FiloJobs *jobs);
// Records run, stolen, parked and queued as counters of the profile, if one is running. Once a frame is
// enough.
void filo_jobs_profile_counters(FiloJobs *jobs);

// ---- Behind the inline functions ----------------------------------------------------------------------

// Reports what is wrong with these; false if anything is.
bool filo_job_check(FiloJobFunction function, const void *data, size_t size);
// For a job that is there to be waited for: with children, or as a gate.
void filo_job_do_nothing(FiloJob *job, void *data);

static inline void filo_job_init(FiloJob *job, FiloJobFunction function, const void *data, size_t size) {
    if (FILO_UNLIKELY(function == NULL || size > FILO_JOB_DATA || (size > 0 && data == NULL))) {
        filo_job_check(function, data, size);
        function = filo_job_do_nothing;
        size = 0;
    }
    if (FILO_UNLIKELY(job == NULL)) return;
    job->function = function;
    job->parent = NULL;
    __atomic_store_n(&job->unfinished, 1,
                     __ATOMIC_RELAXED); // others may look at it, if it is the scheduler's
    job->control = 0;
    job->dependents = NULL;
    job->name = NULL;
    if (size > 0) memcpy(job->data, data, size);
}

FILO_END_DECLS

#endif
