// What is inside a job. A job's header and its 24 bytes of data are one cache line.
//
// `unfinished` counts the job itself and its children; the thread that brings it to 0 finishes the job: it
// takes what it needs (parent, dependents) beforehand, because from that store on the memory belongs to
// somebody else.
//
// `control` holds, from the lowest bit:
//   16 bits  prerequisites that have not finished, and 1 for "not run yet" while there are any
//   10 bits  the worker it is pinned to, plus 1; 0: any
//    2 bits  priority
//    1 bit   it was given to the workers
//    1 bit   it has a parent, or others come after it: its end concerns more than those who wait for it
//    1 bit   the mark of the thread that started it (filo_jobs_set_mark); debug builds only

#ifndef FILO_JOBS_JOB_H
#define FILO_JOBS_JOB_H

#include <filo/jobs.h>

#include "base/atomic.h"

#define JOB_PENDING_MASK   0xFFFFu
#define JOB_WORKER_SHIFT   16
#define JOB_WORKER_MASK    (0x3FFu << JOB_WORKER_SHIFT)
#define JOB_PRIORITY_SHIFT 26
#define JOB_PRIORITY_MASK  (3u << JOB_PRIORITY_SHIFT)
#define JOB_RUN_BIT        (1u << 28)
#define JOB_TIES_BIT       (1u << 29)
#define JOB_MARK_BIT       (1u << 30)

// What the control of a job that the calling thread starts has of that thread's mark.
static inline uint32_t jobs_job_mark(void) {
#ifdef NDEBUG
    return 0;
#else
    return filo_jobs_marked() ? JOB_MARK_BIT : 0;
#endif
}

// Jobs are public, so their words are plain; here they are reached as the atomics that they are.
static inline BASE_ATOMIC(uint32_t) * jobs_job_unfinished(const FiloJob *job) {
    return (BASE_ATOMIC(uint32_t) *)(uintptr_t)&job->unfinished;
}
static inline BASE_ATOMIC(uint32_t) * jobs_job_control(const FiloJob *job) {
    return (BASE_ATOMIC(uint32_t) *)(uintptr_t)&job->control;
}

// The jobs that come after one, in cells from the job rings; each cell is a job's memory.
typedef struct JobsDependents {
    uint64_t header[2];  // function and parent of the job whose memory this is: not used
    uint32_t unfinished; // as in FiloJob: not 0 while the cell is taken
    uint32_t count;
    struct JobsDependents *next;
    FiloJob *jobs[4];
} JobsDependents;

_Static_assert(sizeof(FiloJob) == FILO_CACHE_LINE, "a job is one cache line");
_Static_assert(sizeof(JobsDependents) == sizeof(FiloJob), "a cell of dependents fits a job");
_Static_assert(offsetof(JobsDependents, unfinished) == offsetof(FiloJob, unfinished),
               "the ring looks at this word");

#endif
