// On which processor a woken worker starts.
//
// Some kernels start a woken thread on the processor of the thread that wakes it, although other processors are idle:
// above all those of virtual machines, which keep few processors busy rather than many, and after the waking thread
// itself has slept for some milliseconds. The two threads then share that processor for up to several milliseconds,
// which is a whole frame of a game. The woken worker cannot correct this: it runs late, and after moving it has to
// wait in the other processor's queue. So the thread that wakes it has to prevent it.
//
// Evidence. Each woken worker compares its processor with that of the thread that woke it. Where they are often the
// same, wake-ups are spread for SPREAD_FOR nanoseconds; then the kernel is tested again. Where they are not, nothing
// of what follows happens.
//
// Spreading. The waking thread removes the processors of all workers that are awake, its own first of all, from the
// sleeping worker's CPU mask, and then wakes it. The worker restores its mask before it does anything else. No job
// runs with the narrowed mask, so no thread that a job starts inherits it. Main's mask, which is the mask of the
// process, is never changed. While the mask is being changed the worker's `sleep` is JOBS_WORKER_MOVING, in which it
// stays asleep. So a worker that wakes for another reason waits until the change is complete, and undoes it.
//
// A mask that does not have all processors was set by the user, a container or a tool: it is not changed. Neither is a
// mask that another program changes in between.

#ifndef FILO_JOBS_SPREAD_H
#define FILO_JOBS_SPREAD_H

#include <filo/jobs.h>

#include "base/atomic.h"

#include <sched.h>

typedef struct JobsWorker JobsWorker;

// Of a scheduler.
typedef struct JobsSpread {
    BASE_ATOMIC(uint32_t) on;      // 0: spreading is switched off
    BASE_ATOMIC(int32_t) evidence; // that spreading is needed: see add_evidence
    BASE_ATOMIC(int64_t) until;    // end of spreading, by filo_time_ns; 0: wake-ups are not spread
    cpu_set_t processors;          // all of the machine
} JobsSpread;

// Of a worker.
typedef struct JobsSpreadWorker {
    BASE_ATOMIC(int32_t) processor; // that it was last seen on; −1: none
    BASE_ATOMIC(int32_t) waker;     // the processor of the thread that woke it last
    pid_t thread;                   // its kernel id
    // Written by the thread that has set `sleep` to MOVING, and then read by the worker:
    bool narrowed;
    cpu_set_t mask; // the narrowed mask
} JobsSpreadWorker;

void jobs_spread_init(FiloJobs *jobs);

// The calling thread is about to wake `worker`. True if it should call jobs_spread_narrow.
bool jobs_spread_before_wake(FiloJobs *jobs, JobsWorker *worker);
// Narrows the CPU mask of a worker that is MOVING.
void jobs_spread_narrow(FiloJobs *jobs, JobsWorker *worker);
// The calling worker is awake: restores its mask, and, if it `slept`, collects evidence.
void jobs_spread_after_wake(JobsWorker *worker, bool slept);

#endif
