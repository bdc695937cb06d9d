// The modelled memory: what each thread may read, what it has seen, and whether it may touch plain memory.
// Private to the explorer; the model is told in explorer_memory.c.

#ifndef FILO_TEST_EXPLORER_MEMORY_H
#define FILO_TEST_EXPLORER_MEMORY_H

#include "support/explorer.h"

#define EXPLORER_ALL_THREADS (FILO_EXPLORER_THREADS + 1) // with 0, which sets up and finishes

// An operation that a thread is about to do.
typedef struct Request {
    FiloSite site;
    void *address;
    size_t size;
    uint64_t value;    // stored, added, …; of a compare and swap: the new value
    uint64_t expected; // of a compare and swap
} Request;

// One way to do it: a load, or a compare and swap that fails, reads message `read`; a store puts its message
// at `position` of the location's modification order; a read-modify-write does both.
typedef struct Way {
    int read;     // −1: reads nothing
    int position; // −1: writes nothing
} Way;

#define EXPLORER_WAYS 64

// What an operation did, for the trace.
typedef struct Effect {
    uint64_t value;  // that was read
    bool wrote;      // false for a compare and swap that failed
    uint64_t stored; // that was written
    int read_age;    // how many newer messages there were than the one read; 0: it was the newest
    int write_age;   // the same for the one written
} Effect;

void memory_reset(void);
void memory_fork(int thread); // it knows what thread 0 knows
void memory_join(int thread); // thread 0 knows what it knows

// Number of messages at the location, counting the first value.
int memory_message_count(const Request *request);
// All ways to do it, newest first, that read or write a message that is at least as new (in the order of
// execution) as message `from`. With `newest` only the newest. A thread that has read the same message over
// and over is not offered it again.
int memory_ways(int thread, const Request *request, int from, bool newest, Way ways[EXPLORER_WAYS]);
Effect memory_perform(int thread, const Request *request, Way way);
// True if the thread is refused the newest message because it has read it over and over.
bool memory_spins(int thread, const Request *request);

// `caller` calls jobs_barrier_everywhere; …
void memory_begin_barrier(int caller);
// … each other thread passes it at some point; …
void memory_pass_barrier(int thread, int caller);
// … and then the caller returns.
void memory_end_barrier(int caller);

void memory_plain(int thread, const void *address, size_t size, bool writes, const FiloSite *site);
void memory_region_add(int thread, const void *address, size_t size);
void memory_region_free(int thread, const void *address);

#endif
