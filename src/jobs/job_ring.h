// The circular job allocator. Each worker has one, and only that worker allocates from it.
//
// The ring is a circular list of chunks of jobs. To allocate, it tests the next job in the ring: if that is free, it is
// taken. A job is free when its `unfinished` is 0; the thread that finishes the job stores that as its last access. So
// any thread returns a job to the ring without a call. If the next few jobs are all in use, a new chunk is inserted at
// this position: a live job is never overwritten, and allocating is O(1).
//
// A ring has jobs of one size, in cache lines. The first line is the FiloJob, whose data goes on in the others. A worker
// has a ring for each of a few sizes; only that of one line has memory from the beginning.
//
// Chunks are allocated in slabs. The first slabs have one chunk each. A ring with many chunks allocates slabs that are
// as large as all before them together, up to a limit. The heap puts large blocks into large pages; without that, a
// flood of jobs would spend most of its time in page faults. Chunks of a slab are not written before they are used.

#ifndef FILO_JOBS_JOB_RING_H
#define FILO_JOBS_JOB_RING_H

#include <filo/jobs.h>

#define JOBS_RING_CHUNK 256 // lines
#define JOBS_RINGS      4   // sizes of jobs: see jobs_rings_init

typedef struct JobsRingChunk {
    FiloJob lines[JOBS_RING_CHUNK];
    struct JobsRingChunk *next; // in the circular list
} JobsRingChunk;

// Chunks in one block of memory.
typedef struct JobsRingSlab {
    struct JobsRingSlab *older;
    size_t count, used; // chunks
    JobsRingChunk chunks[];
} JobsRingSlab;

typedef struct JobsRing {
    JobsRingChunk *chunk; // of the next job; NULL: none yet
    size_t index;         // of its first line
    size_t lines;         // of each job; divides JOBS_RING_CHUNK
    size_t chunk_count;
    JobsRingSlab *slab; // the newest
    bool small_slabs;   // slabs of one chunk only: for a heap with a budget
    const FiloAllocator *allocator;
} JobsRing;

bool jobs_ring_init(JobsRing *ring, size_t lines, const FiloAllocator *allocator);
void jobs_ring_deinit(JobsRing *ring);

// A job that is in use until its `unfinished` becomes 0; it is 1 on return. NULL if all are in use and there is no
// memory for more. The ring must have memory.
FiloJob *jobs_ring_take(JobsRing *ring);

// The rings of one owner, for data of up to FILO_JOB_DATA_MAX bytes.
bool jobs_rings_init(JobsRing rings[JOBS_RINGS], bool small_slabs, const FiloAllocator *allocator);
void jobs_rings_deinit(JobsRing rings[JOBS_RINGS]);
// A job for this many bytes of data, as jobs_ring_take.
FiloJob *jobs_rings_take(JobsRing rings[JOBS_RINGS], size_t size);

#endif
