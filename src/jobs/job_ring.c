#include "jobs/job_ring.h"

#include "jobs/job.h"

#define LOOK_AHEAD 8    // live jobs to step over before growing
#define LARGE_FROM 16   // chunks in the ring, from which on slabs are large
#define MOST_SLAB  1024 // chunks in a slab: 16 MiB

static size_t slab_size(size_t chunks) { return sizeof(FiloJobSlab) + chunks * sizeof(FiloJobChunk); }

static bool add_slab(FiloJobRing *ring, size_t chunks) {
    FiloJobSlab *slab = filo_alloc(ring->allocator, slab_size(chunks), FILO_CACHE_LINE);
    if (slab == NULL) return false;
    slab->older = ring->slab;
    slab->count = chunks;
    slab->used = 0;
    ring->slab = slab;
    return true;
}

static bool make_room(FiloJobRing *ring) {
    if (ring->slab != NULL && ring->slab->used < ring->slab->count) return true;
    bool large = ring->chunk_count >= LARGE_FROM && !ring->thrifty;
    return (large && add_slab(ring, FILO_MIN(ring->chunk_count, (size_t)MOST_SLAB))) || add_slab(ring, 1);
}

static FiloJobChunk *new_chunk(FiloJobRing *ring) {
    if (!make_room(ring)) return NULL;
    FiloJobChunk *chunk = &ring->slab->chunks[ring->slab->used++];
    ring->chunk_count++;
    for (size_t i = 0; i < FILO_JOB_CHUNK; i++) // all else is written when they are taken
        filo_store_relaxed(filo_job_unfinished(&chunk->jobs[i]), 0);
    return chunk;
}

bool filo_job_ring_init(FiloJobRing *ring, const FiloAllocator *allocator) {
    *ring = (FiloJobRing){ .allocator = allocator };
    ring->chunk = new_chunk(ring);
    if (ring->chunk != NULL) ring->chunk->next = ring->chunk;
    return ring->chunk != NULL;
}

void filo_job_ring_deinit(FiloJobRing *ring) {
    for (FiloJobSlab *slab = ring->slab, *older; slab != NULL; slab = older) {
        older = slab->older;
        filo_free(ring->allocator, slab, slab_size(slab->count), FILO_CACHE_LINE);
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
