// The modelled memory: which values each thread may read, and whether its accesses to plain memory are ordered.
// Private to the explorer. The model is described in explorer_memory.c.

#ifndef FILO_TEST_EXPLORER_MEMORY_H
#define FILO_TEST_EXPLORER_MEMORY_H

#include "support/explorer.h"

#define EXPLORER_ALL_THREADS (EXPLORER_THREADS + 1) // with 0, which sets up and finishes

// An operation that a thread is about to execute.
typedef struct ExplorerRequest {
    ExplorerSite site;
    void *address;
    size_t size;
    uint64_t value;    // stored, added, …; of a compare and swap: the new value
    uint64_t expected; // of a compare and swap
} ExplorerRequest;

// One possible execution of it: a load, or a compare and swap that fails, reads message `read`; a store inserts
// its message at `position` of the location's modification order; a read-modify-write does both.
typedef struct ExplorerOption {
    int read;     // −1: reads nothing
    int position; // −1: writes nothing
} ExplorerOption;

#define EXPLORER_MAX_OPTIONS 64

// What an operation did, for the trace.
typedef struct ExplorerEffect {
    uint64_t value;  // that was read
    bool wrote;      // false for a compare and swap that failed
    uint64_t stored; // that was written
    int read_age;    // how many newer messages there were than the one read; 0: it was the newest
    int write_age;   // the same for the one written
} ExplorerEffect;

void explorer_memory_reset(void);
void explorer_memory_fork(int thread); // its view begins as that of thread 0
void explorer_memory_join(int thread); // its view is joined to that of thread 0

// Number of messages at the location, with the initial value.
int explorer_memory_message_count(const ExplorerRequest *request);
// All options for it, newest first, that read or write a message which is at least as new (in the order of
// execution) as message `from`. With `newest` only the newest. A message that the thread has read over and over
// is left out. Returns how many.
int explorer_memory_options(int thread, const ExplorerRequest *request, int from, bool newest,
                            ExplorerOption options[EXPLORER_MAX_OPTIONS]);
ExplorerEffect explorer_memory_perform(int thread, const ExplorerRequest *request, ExplorerOption option);
// True if the newest message is left out because the thread has read it over and over.
bool explorer_memory_spins(int thread, const ExplorerRequest *request);

// A call of jobs_barrier_everywhere by `caller`: it begins, each other thread passes it once, it ends.
void explorer_memory_begin_barrier(int caller);
void explorer_memory_pass_barrier(int thread, int caller);
void explorer_memory_end_barrier(int caller);

void explorer_memory_plain(int thread, const void *address, size_t size, bool writes,
                           const ExplorerSite *site);
void explorer_memory_region_add(int thread, const void *address, size_t size);
void explorer_memory_region_free(int thread, const void *address);

#endif
