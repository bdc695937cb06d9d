// The private fields of a job. A job's header and 24 bytes of data are one cache line. In the scheduler's memory, larger
// data goes on behind the end of the FiloJob, in further lines of the job ring that belong to the job.
//
// `unfinished` counts the job itself and its children. The thread that brings it to 0 finishes the job. It reads
// `parent` and `dependents` before that: after the store the memory may be reused.
//
// `control` holds, from the lowest bit:
//   16 bits  prerequisites that have not finished, and 1 for "not run yet" while there are any
//   10 bits  the worker that it is pinned to, plus 1; 0: any
//    2 bits  priority
//    1 bit   filo_jobs_run was called
//    1 bit   it has a parent or dependents, so finishing it takes more than waking waiters
//    1 bit   the mark of the thread that started it (filo_jobs_set_mark); debug builds only

#ifndef FILO_JOBS_JOB_H
#define FILO_JOBS_JOB_H

#include <filo/jobs.h>

#include "base/atomic.h"

#define JOBS_CONTROL_PENDING        0xFFFFu
#define JOBS_CONTROL_WORKER_SHIFT   16
#define JOBS_CONTROL_WORKER         (0x3FFu << JOBS_CONTROL_WORKER_SHIFT)
#define JOBS_CONTROL_PRIORITY_SHIFT 26
#define JOBS_CONTROL_PRIORITY       (3u << JOBS_CONTROL_PRIORITY_SHIFT)
#define JOBS_CONTROL_RUN            (1u << 28)
#define JOBS_CONTROL_LINKED         (1u << 29)
#define JOBS_CONTROL_MARKED         (1u << 30)

// The mark of the calling thread, as a bit of `control`.
static inline uint32_t jobs_job_mark_bit(void) {
#ifdef NDEBUG
    return 0;
#else
    return filo_jobs_marked() ? JOBS_CONTROL_MARKED : 0;
#endif
}

// A public struct cannot have atomic fields, so these accessors return plain ones as atomics.
static inline BASE_ATOMIC(uint32_t) * jobs_job_unfinished(const FiloJob *job) {
    return (BASE_ATOMIC(uint32_t) *)(uintptr_t)&job->unfinished;
}
static inline BASE_ATOMIC(uint32_t) * jobs_job_control(const FiloJob *job) {
    return (BASE_ATOMIC(uint32_t) *)(uintptr_t)&job->control;
}

// Jobs that come after a job, in cells. A cell is allocated from a job ring, in the memory of a job.
typedef struct JobsDependents {
    uint64_t header[2];  // not used
    uint32_t unfinished; // as in FiloJob: not 0 while the cell is in use
    uint32_t count;
    struct JobsDependents *next;
    FiloJob *jobs[4];
} JobsDependents;

_Static_assert(sizeof(FiloJob) == FILO_CACHE_LINE, "a job is one cache line");
_Static_assert(sizeof(JobsDependents) == sizeof(FiloJob), "a cell of dependents fits a job");
_Static_assert(offsetof(JobsDependents, unfinished) == offsetof(FiloJob, unfinished),
               "the job ring reads this word");

#endif
