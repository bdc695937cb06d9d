// What the two files of job benchmarks share: jobs.c has throughput, jobs_sleep.c latency and idling.

#ifndef FILO_BENCH_JOBS_H
#define FILO_BENCH_JOBS_H

#include <filo/jobs.h>

extern FiloJobs *bench_scheduler;

// Replaces the scheduler, and the threads of oneTBB and OpenMP. 0: none.
void bench_jobs_use_threads(int count);
// Iterates over a range without doing anything.
void bench_jobs_no_work(size_t begin, size_t end, void *user);

// Samples: a worker that is searching for work starts a job, and a bare thread that spins sees a change, in µs.
double bench_jobs_handoff(void *state);
double bench_jobs_bare_spin(void *state);

// All figures about sleeping and waking.
void bench_jobs_sleep(void);

#endif
