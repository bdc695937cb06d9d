#include "jobs/job_ring.h"

#include "jobs/job.h"

#define LOOK_AHEAD 8    // live jobs to step over before growing
#define LARGE_FROM 16   // chunks in the ring, from which on slabs are large
#define MOST_SLAB  1024 // chunks in a slab: 16 MiB

static size_t slab_size(size_t chunks) { return sizeof(JobSlab) + chunks * sizeof(JobChunk); }

static bool add_slab(JobRing *ring, size_t chunks) {
    JobSlab *slab = filo_alloc(ring->allocator, slab_size(chunks), FILO_CACHE_LINE);
    if (slab == NULL) return false;
    slab->older = ring->slab;
    slab->count = chunks;
    slab->used = 0;
    ring->slab = slab;
    return true;
}

static bool make_room(JobRing *ring) {
    if (ring->slab != NULL && ring->slab->used < ring->slab->count) return true;
    bool large = ring->chunk_count >= LARGE_FROM && !ring->thrifty;
    return (large && add_slab(ring, FILO_MIN(ring->chunk_count, (size_t)MOST_SLAB))) || add_slab(ring, 1);
}

static JobChunk *new_chunk(JobRing *ring) {
    if (!make_room(ring)) return NULL;
    JobChunk *chunk = &ring->slab->chunks[ring->slab->used++];
    ring->chunk_count++;
    for (size_t i = 0; i < JOB_CHUNK; i++) // all else is written when they are taken
        base_store_relaxed(jobs_job_unfinished(&chunk->jobs[i]), 0);
    return chunk;
}

bool jobs_job_ring_init(JobRing *ring, const FiloAllocator *allocator) {
    *ring = (JobRing){ .allocator = allocator };
    ring->chunk = new_chunk(ring);
    if (ring->chunk != NULL) ring->chunk->next = ring->chunk;
    return ring->chunk != NULL;
}

void jobs_job_ring_deinit(JobRing *ring) {
    for (JobSlab *slab = ring->slab, *older; slab != NULL; slab = older) {
        older = slab->older;
        filo_free(ring->allocator, slab, slab_size(slab->count), FILO_CACHE_LINE);
    }
    *ring = (JobRing){ 0 };
}

FiloJob *jobs_job_ring_take(JobRing *ring) {
    for (int looked = 0; looked < LOOK_AHEAD; looked++) {
        FiloJob *job = &ring->chunk->jobs[ring->index];
        if (++ring->index == JOB_CHUNK) {
            ring->index = 0;
            ring->chunk = ring->chunk->next;
        }
        // Acquire: pairs with the release in finish; whoever finished the job no longer touches it.
        if (base_load_acquire(jobs_job_unfinished(job)) == 0) {
            base_store_relaxed(jobs_job_unfinished(job), 1);
            return job;
        }
    }
    JobChunk *chunk = new_chunk(ring);
    if (chunk == NULL) return NULL;
    chunk->next = ring->chunk->next;
    ring->chunk->next = chunk;
    ring->chunk = chunk; // the rest of the chunk we were in comes round again later
    ring->index = 1;
    base_store_relaxed(jobs_job_unfinished(&chunk->jobs[0]), 1);
    return &chunk->jobs[0];
}
