// The circular job allocator: each worker has one, and only that worker takes from it.
//
// The ring is a circle of chunks of jobs. Taking looks at the next job in the circle: if it is free, it is
// taken. A job is free when its `unfinished` is 0, which the thread that finishes it stores as its very last
// touch; so jobs come back by themselves, from any thread, and nobody frees them. If the next few are all
// still alive, a new chunk is put into the circle at this place: a live job is never overwritten, and taking
// stays O(1).
//
// Chunks lie in slabs. The first slabs have one chunk each; a ring with many takes slabs that are as large as all before
// them, up to a limit. The heap has large blocks in large pages, and a flood of jobs would otherwise wait for page faults
// more than for anything else. Only what is used of a slab is touched.

#ifndef FILO_JOBS_JOB_RING_H
#define FILO_JOBS_JOB_RING_H

#include <filo/jobs.h>

#define JOB_CHUNK 256

typedef struct JobChunk {
    FiloJob jobs[JOB_CHUNK];
    struct JobChunk *next; // in the circle
} JobChunk;

// Chunks in one block of memory.
typedef struct JobSlab {
    struct JobSlab *older;
    size_t count, used; // chunks
    JobChunk chunks[];
} JobSlab;

typedef struct JobRing {
    JobChunk *chunk; // where we are
    size_t index;
    size_t chunk_count;
    JobSlab *slab; // the newest
    bool thrifty;  // slabs of one chunk only: for a heap with a budget
    const FiloAllocator *allocator;
} JobRing;

bool jobs_job_ring_init(JobRing *ring, const FiloAllocator *allocator);
void jobs_job_ring_deinit(JobRing *ring);

// A job that is taken until its `unfinished` becomes 0; it is 1 on return. NULL if all are alive and there is
// no memory for more.
FiloJob *jobs_job_ring_take(JobRing *ring);

#endif
