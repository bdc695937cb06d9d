// Where woken workers start.
//
// Some kernels start a thread on the processor of the thread that wakes it, although others are idle: above all those
// of virtual machines, which keep few processors busy rather than many, and after the waking thread itself has slept
// for some milliseconds. The two then share that processor for up to several milliseconds, which is a whole frame of a
// game. A worker that finds itself there cannot help it any more: it gets to run only when it is late, and a thread that
// has moved queues up again. So it has to be prevented, by the thread that wakes it.
//
// Evidence. Each woken worker compares its processor with that of the thread that woke it. Where that is often the same,
// workers are kept off for SPREAD_FOR, and then it is tried again. Where it is not, nothing of what follows happens.
//
// Keeping off. The waking thread takes the processors of all workers that are awake, its own above all, out of the
// sleeping worker's CPU mask, and then wakes it. The worker's first act is to restore its mask. No job ever sees the
// narrowed mask, so nothing that a job starts inherits it; and main's, which stands for the process, is never changed.
// While the mask is being changed the worker's `sleep` is JOBS_WORKER_MOVING, in which it goes on sleeping: so a worker
// that comes awake for another reason waits until the change is complete, and undoes it.
//
// A mask that is not that of all processors was set by the user, by a container or by a tool: it is left alone, and so is
// one that another program changes in between.

#ifndef FILO_JOBS_SPREAD_H
#define FILO_JOBS_SPREAD_H

#include <filo/jobs.h>

#include "base/atomic.h"

#include <sched.h>

typedef struct JobsWorker JobsWorker;

// Of a scheduler.
typedef struct JobsSpread {
    BASE_ATOMIC(uint32_t) on;      // woken workers are watched, and may be kept off; 0: nothing is done
    BASE_ATOMIC(int32_t) evidence; // that the kernel needs it
    BASE_ATOMIC(int64_t) until;    // when it is tried without again, by filo_time_ns
    cpu_set_t processors;          // all that the machine has
} JobsSpread;

// Of a worker.
typedef struct JobsSpreadWorker {
    BASE_ATOMIC(int32_t) processor; // it was last seen on; −1: none
    BASE_ATOMIC(int32_t) waker;     // the processor of the thread that woke it last
    pid_t thread;                   // as the kernel calls it
    // Written by the thread that has made `sleep` MOVING, read by the worker after that:
    bool narrowed;
    cpu_set_t mask; // that it was narrowed to
} JobsSpreadWorker;

void jobs_spread_init(FiloJobs *jobs);

// The calling thread is about to wake `worker`. True if it should be kept off: see jobs_spread_narrow.
bool jobs_spread_before_wake(FiloJobs *jobs, JobsWorker *worker);
// Narrows the mask of a worker that is MOVING.
void jobs_spread_narrow(FiloJobs *jobs, JobsWorker *worker);
// The calling worker is awake, after it `slept` or was about to: restores its mask.
void jobs_spread_after_wake(JobsWorker *worker, bool slept);

#endif
