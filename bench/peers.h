// The same work by oneTBB and OpenMP, for comparison.

#ifndef FILO_BENCH_PEERS_H
#define FILO_BENCH_PEERS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*PeerRange)(size_t begin, size_t end, void *user);

// oneTBB with this many threads, until the next call; 0 releases the threads.
void tbb_use_threads(int threads);
void tbb_spawn_and_wait(size_t batches, size_t batch); // empty tasks
int tbb_fib(int n);
void tbb_for(size_t count, PeerRange function, void *user);
// Submits one task from a foreign thread and returns the nanoseconds until it started.
int64_t tbb_start_latency(void);
// A graph of 10 layers of 20 nodes, each of which calls frame_work and needs all of the layer before.
void tbb_frame(void);
void frame_work(void); // defined by the benchmark: the work of one job

// The same by OpenMP (gcc).
void openmp_use_threads(int threads);
void openmp_spawn_and_wait(size_t batches, size_t batch);
int openmp_fib(int n);
void openmp_for(size_t count, PeerRange function, void *user);

#ifdef __cplusplus
}
#endif

#endif
