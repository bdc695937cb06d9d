// filo/jobs.h: the scheduler: one worker per hardware thread. Each worker has queues of its own, and steals jobs from
// the others when they are empty.
//
//     static void greet(FiloJob *job, void *data) { printf("hello from %s\n", *(const char **)data); }
//
//     FiloJobs *jobs;
//     FiloResult r = filo_jobs_create(&jobs, NULL);         // as many workers as the machine runs at once
//     const char *name = "a worker";
//     FiloJob job;                                          // the caller's: 64 bytes, until it has finished
//     filo_job_init(&job, greet, &name, sizeof name);
//     filo_jobs_run(jobs, &job);
//     …                                                     // both threads continue
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
//   workers  run jobs that compute. A worker takes the newest job of its own queues. If they are empty, it steals the
//            oldest job of another worker.
//   main     the thread that created the scheduler. It is worker 0, and runs jobs while it waits. Jobs for the
//            window or the graphics context are pinned to it.
//   async    threads run what blocks (files, sockets): see filo/async.h. They are started and ended as needed, and
//            never delay a worker.
//
// Idle workers sleep and use no processor time. They are woken at once when there is work. The thread of a worker that
// was idle for long ends, and is started again under load. With one thread everything works the same: nothing requires
// a second one.
//
// Which thread runs a job, and when, is different each time. What jobs compute must not depend on it: each job writes
// to memory of its own, and results are combined in a fixed order, as filo_jobs_reduce does.
//
// Unless its comment says otherwise, every function may be called from any thread, also from foreign threads, which
// Filo did not start.

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
    const char *name; // of the threads; NULL: "worker"
    int threads; // workers, including the calling thread; 0: filo_hardware_threads(); at most FILO_JOBS_MAX_THREADS
    int async_threads; // limit of threads for blocking work; 0: 16
    int64_t spin_ns; // how long a worker searches for work before it sleeps; 0: 12 µs; negative: not at all
    int64_t shed_after_ns; // how long a worker sleeps before its thread ends; 0: 10 s; negative: never
    size_t stack_size;     // of each thread; 0: 8 MiB of addresses
    size_t
        memory_budget;  // bytes for jobs and queues; 0: no limit. Beyond it, jobs are run at once instead of
                        // being queued.
    bool no_io_uring;   // read and write files on threads, even if the kernel has io_uring
    bool no_membarrier; // do not use this system call: queueing a job then costs a barrier
    // Never change a worker's CPU mask. By default, where the kernel starts woken workers on the processor of the
    // thread that wakes them, their masks are narrowed while they wake, and restored before they run a job. Masks that
    // the user, a container or a tool has set are not changed in any case.
    bool no_spreading;
    // Called on each worker's thread when it starts and before it ends, also on the thread that creates the scheduler.
    // thread_ending must not use the scheduler.
    void (*thread_started)(int worker, void *user);
    void (*thread_ending)(int worker, void *user);
    void *user;
} FiloJobsDesc;

// Starts a scheduler; the calling thread becomes its worker 0, "main". `desc` may be NULL. Several schedulers may
// exist at once.
FiloResult filo_jobs_create(FiloJobs **jobs, const FiloJobsDesc *desc);

typedef enum FiloJobsEnd {
    FILO_JOBS_FINISH, // run all queued jobs, and all that they start
    FILO_JOBS_CANCEL, // do not start queued jobs; wait only for those that are running. Cancelled jobs count as
                      // finished.
} FiloJobsEnd;

// Stops the scheduler and frees it. Call it on the thread that created the scheduler, outside of any job, when no other
// thread uses it any more.
void filo_jobs_destroy(FiloJobs *jobs, FiloJobsEnd end);

// Number of workers, whether they are awake, asleep or their threads have ended.
int filo_jobs_threads(const FiloJobs *jobs);
// The index of the calling thread as a worker: 0 is main; −1 if it is no worker of this scheduler.
int filo_jobs_worker(const FiloJobs *jobs);
// The scheduler whose job the calling thread is running; NULL outside of jobs.
FiloJobs *filo_jobs_current(void);

// A mark of the calling thread, for checks in debug builds, such as "this thread takes part in a tick of a world". A
// job has the mark of the thread that started it, and the thread that runs the job has that mark until the job
// returns. (In release builds jobs have no mark, and running a job does not change that of the thread.)
// filo_jobs_set_mark sets the mark and returns the previous one.
bool filo_jobs_set_mark(bool mark);
bool filo_jobs_marked(void);

// ---- Jobs ---------------------------------------------------------------------------------------------

#define FILO_JOB_DATA     24 // bytes of data in a FiloJob of the caller's; pass a pointer to anything larger
#define FILO_JOB_DATA_MAX 4056 // in the scheduler's memory: filo_jobs_spawn and filo_jobs_new

typedef struct FiloJob FiloJob;

// `data` points to the job's copy of its data, which the function may change; aligned to 8 bytes.
typedef void (*FiloJobFunction)(FiloJob *job, void *data);

typedef enum FiloPriority {
    FILO_PRIORITY_NORMAL,
    FILO_PRIORITY_HIGH, // before all normal jobs
    FILO_PRIORITY_LOW,  // when there are no others
} FiloPriority;

// A job: one cache line. All fields are private.
struct __attribute__((aligned(FILO_CACHE_LINE))) FiloJob {
    FiloJobFunction function;
    FiloJob *parent;
    uint32_t unfinished; // itself and its children; 0: finished
    uint32_t control;
    void *dependents;
    const char *name;
    unsigned char data[FILO_JOB_DATA];
};

// Initialises a job in the caller's memory, which must stay valid until the job has finished: wait for the job before
// its scope ends. `size` bytes of `data` are copied, at most FILO_JOB_DATA.
static inline void filo_job_init(FiloJob *job, FiloJobFunction function, const void *data, size_t size);
// The following are optional, and must be called before the job is run.
// In profiles; must outlive the job. Without one, it has the name of the zone (filo/profile.h) in which it is started.
void filo_job_set_name(FiloJob *job, const char *name);
void filo_job_set_priority(FiloJob *job, FiloPriority priority);
// Pins the job: only this worker may run it. 0 is main.
void filo_job_set_worker(FiloJob *job, int worker);
// `parent` finishes only when this job and all its children have finished. The parent must not have finished yet: call
// this inside the parent or one of its children, or before the parent is run.
void filo_job_set_parent(FiloJob *job, FiloJob *parent);

// Queues the job for the workers. Never blocks.
void filo_jobs_run(FiloJobs *jobs, FiloJob *job);

// Returns when the job and all its children have finished. Meanwhile a worker runs other jobs, and sleeps when there
// are none; a foreign thread only sleeps. What the job and its children wrote is visible afterwards.
void filo_jobs_wait(FiloJobs *jobs, FiloJob *job);
bool filo_job_finished(const FiloJob *job);

// Runs `function` as a child of `parent` (NULL: without one). The job is in the scheduler's memory, which is reused
// once it has finished. The fastest way to start many jobs. Wait for the parent. `size` bytes of `data` are copied, at
// most FILO_JOB_DATA_MAX: up to FILO_JOB_DATA are in the job's own cache line, larger data in the lines behind it. If
// there is no memory, the job is run at once.
void filo_jobs_spawn(FiloJobs *jobs, FiloJob *parent, FiloJobFunction function, const void *data,
                     size_t size);

// Creates a job in the scheduler's memory, with data as for filo_jobs_spawn, which the caller sets up and runs; NULL if
// there is no memory. The job must be run, once. Do not use it after that.
FiloJob *filo_jobs_new(FiloJobs *jobs, FiloJobFunction function, const void *data, size_t size);

// Starts `job` only after `prerequisite` has finished, without a thread that waits. A job may have 65,534
// prerequisites, and any number of jobs may come after it. Call this before either job is run. False if there is no
// memory, or one of them was run already.
bool filo_job_after(FiloJob *job, FiloJob *prerequisite, FiloJobs *jobs);

// Runs the jobs that are pinned to the calling worker, and returns their number. A worker also runs them whenever it
// searches for work or waits. Main calls this at a fixed point of its frame.
int filo_jobs_run_pinned(FiloJobs *jobs);

// ---- Loops --------------------------------------------------------------------------------------------

// Processes the items from `begin` to `end` (exclusive).
typedef void (*FiloRangeFunction)(size_t begin, size_t end, void *user);

// Calls `function` for ranges that together are 0 to `count`, on all workers, and returns when all have been processed.
// Ranges are as large as they can be without leaving a worker idle: there is nothing to tune, for ten items or ten
// million.
void filo_jobs_for(FiloJobs *jobs, size_t count, FiloRangeFunction function, void *user);
// For a few heavy items (from about 10 µs each): calls `function` once for each item, and distributes them at once,
// without measuring first what they cost.
void filo_jobs_for_each(FiloJobs *jobs, size_t count, FiloRangeFunction function, void *user);

typedef struct FiloReduceDesc {
    size_t count;       // items
    size_t result_size; // bytes of one result
    // Computes the result of items `begin` to `end` into `result`, which is all zeroes.
    void (*part)(size_t begin, size_t end, void *result, void *user);
    // Combines the result `right` into `left`, which is that of earlier items.
    void (*combine)(void *left, const void *right, void *user);
    void *user;
} FiloReduceDesc;

// Computes one result of many items. How the items are divided, and in which order results are combined, depends on
// `count` alone: the result has the same bits on any number of threads, floats too. Fails only if there is no memory
// for the parts.
FiloResult filo_jobs_reduce(FiloJobs *jobs, const FiloReduceDesc *desc, void *result);

// ---- Counters -----------------------------------------------------------------------------------------

typedef struct FiloJobsStats {
    uint64_t run;      // jobs run
    uint64_t stolen;   // jobs that were stolen from another worker
    uint64_t parked;   // times that a worker fell asleep
    uint64_t woken;    // times that a worker was woken
    uint64_t moved;    // times that its CPU mask was narrowed for that
    uint64_t shed;     // threads of workers that ended for lack of work
    uint64_t returned; // threads of workers that were started again
    uint64_t queued;   // jobs that are in queues now
    int awake;         // workers that are awake now
    int async_threads; // threads for blocking work now
} FiloJobsStats;

FiloJobsStats filo_jobs_stats(FiloJobs *jobs);
// Records run, stolen, parked and queued as counters of the profile, if one is being recorded. Call it once a frame.
void filo_jobs_profile_counters(FiloJobs *jobs);

// ---- Behind the inline functions ----------------------------------------------------------------------

// Reports a mistake in these arguments; false if there is one.
bool filo_job_check(FiloJobFunction function, const void *data, size_t size);
// The function of a job that only serves to be waited for.
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
    // Atomic: another thread may read it, if the job is in the scheduler's memory.
    __atomic_store_n(&job->unfinished, 1, __ATOMIC_RELAXED);
    job->control = 0;
    job->dependents = NULL;
    job->name = NULL;
    if (size > 0) memcpy(job->data, data, size);
}

FILO_END_DECLS

#endif
