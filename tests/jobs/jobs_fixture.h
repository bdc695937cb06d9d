// What the tests of jobs share: schedulers of several sizes, and jobs that count or note their worker.

#ifndef FILO_TEST_JOBS_FIXTURE_H
#define FILO_TEST_JOBS_FIXTURE_H

#include <filo/jobs.h>

#include "base/atomic.h"
#include "support/test.h"

static const int thread_counts[] = { 1, 2, 4, 16 };

static inline FiloJobs *start(int threads) {
    FiloJobs *jobs;
    assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = threads }));
    return jobs;
}

#define for_thread_counts(jobs)                                                                              \
    for (size_t tc = 0; tc < FILO_COUNT_OF(thread_counts); tc++)                                             \
        for (FiloJobs *jobs = start(thread_counts[tc]); jobs != NULL;                                        \
             filo_jobs_destroy(jobs, FILO_JOBS_FINISH), jobs = NULL)

static _Atomic int counter;
static inline void count(FiloJob *job, void *data) {
    (void)job, (void)data;
    base_add_relaxed(&counter, 1);
}

// Runs a job with this number of children, and waits for all of them.
static inline void count_children(FiloJobs *jobs, int children) {
    FiloJob parent;
    counter = 0;
    filo_job_init(&parent, count, NULL, 0);
    for (int i = 0; i < children; i++) filo_jobs_spawn(jobs, &parent, count, NULL, 0);
    assert_false(filo_job_finished(&parent));
    filo_jobs_run(jobs, &parent);
    filo_jobs_wait(jobs, &parent);
    assert_int_equal(counter, children + 1);
}

typedef struct WorkerNote {
    FiloJobs *jobs;
    int *worker;
} WorkerNote;

static inline void note_worker(FiloJob *job, void *data) {
    (void)job;
    WorkerNote *note = data;
    *note->worker = filo_jobs_worker(note->jobs);
    assert_ptr_equal(filo_jobs_current(), note->jobs);
}

typedef struct Tree {
    FiloJobs *jobs;
    int depth;
} Tree;

static inline void grow_tree(FiloJob *job, void *data) {
    Tree tree = *(Tree *)data;
    base_add_relaxed(&counter, 1);
    for (int i = 0; i < 3 && tree.depth > 0; i++)
        filo_jobs_spawn(tree.jobs, job, grow_tree, &(Tree){ tree.jobs, tree.depth - 1 }, sizeof(Tree));
}

#endif
