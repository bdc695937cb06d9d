#include "peers.h"

#include <omp.h>

static int thread_count = 1;

void openmp_use_threads(int threads) { thread_count = threads; }

static void nothing(void) { __asm__ volatile(""); }

void openmp_spawn_and_wait(size_t batches, size_t batch) {
#pragma omp parallel num_threads(thread_count)
#pragma omp single
    for (size_t i = 0; i < batches; i++) {
        for (size_t k = 0; k < batch; k++) {
#pragma omp task
            nothing();
        }
#pragma omp taskwait
    }
}

static int fib(int n) {
    if (n < 2) return n;
    int a, b;
#pragma omp task shared(a)
    a = fib(n - 1);
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

int openmp_fib(int n) {
    int result = 0;
#pragma omp parallel num_threads(thread_count)
#pragma omp single
    result = fib(n);
    return result;
}

void openmp_for(size_t count, PeerRange function, void *user) {
#pragma omp parallel for num_threads(thread_count)
    for (size_t i = 0; i < count; i++) function(i, i + 1, user);
}
