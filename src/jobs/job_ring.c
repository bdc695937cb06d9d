#include "jobs/job_ring.h"

#include "jobs/job.h"

#define LOOK_AHEAD 8 // live jobs to step over before growing

static FiloJobChunk *new_chunk(FiloJobRing *ring) {
    FiloJobChunk *chunk = filo_alloc_zero(ring->allocator, sizeof *chunk, FILO_CACHE_LINE);
    if (chunk != NULL) ring->chunk_count++;
    return chunk;
}

bool filo_job_ring_init(FiloJobRing *ring, const FiloAllocator *allocator) {
    *ring = (FiloJobRing){ .allocator = allocator };
    ring->chunk = new_chunk(ring);
    if (ring->chunk != NULL) ring->chunk->next = ring->chunk;
    return ring->chunk != NULL;
}

void filo_job_ring_deinit(FiloJobRing *ring) {
    FiloJobChunk *chunk = ring->chunk;
    for (size_t i = 0; i < ring->chunk_count; i++) {
        FiloJobChunk *next = chunk->next;
        filo_free(ring->allocator, chunk, sizeof *chunk, FILO_CACHE_LINE);
        chunk = next;
    }
    *ring = (FiloJobRing){ 0 };
}

FiloJob *filo_job_ring_take(FiloJobRing *ring) {
    for (int looked = 0; looked < LOOK_AHEAD; looked++) {
        FiloJob *job = &ring->chunk->jobs[ring->index];
        if (++ring->index == FILO_JOB_CHUNK) {
            ring->index = 0;
            ring->chunk = ring->chunk->next;
        }
        // Acquire: pairs with the release in finish; whoever finished the job no longer touches it.
        if (filo_load_acquire(filo_job_unfinished(job)) == 0) {
            filo_store_relaxed(filo_job_unfinished(job), 1);
            return job;
        }
    }
    FiloJobChunk *chunk = new_chunk(ring);
    if (chunk == NULL) return NULL;
    chunk->next = ring->chunk->next;
    ring->chunk->next = chunk;
    ring->chunk = chunk; // the rest of the chunk we were in comes round again later
    ring->index = 1;
    filo_store_relaxed(filo_job_unfinished(&chunk->jobs[0]), 1);
    return &chunk->jobs[0];
}
