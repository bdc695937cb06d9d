#include "jobs/job_ring.h"

#include "jobs/job.h"

#define LOOK_AHEAD 8    // jobs in use to skip before growing
#define LARGE_FROM 16   // chunks in the ring from which on slabs are large
#define MAX_SLAB   1024 // chunks in a slab: 16 MiB

static size_t slab_size(size_t chunks) { return sizeof(JobsRingSlab) + chunks * sizeof(JobsRingChunk); }

static bool add_slab(JobsRing *ring, size_t chunks) {
    JobsRingSlab *slab = filo_alloc(ring->allocator, slab_size(chunks), FILO_CACHE_LINE);
    if (slab == NULL) return false;
    slab->older = ring->slab;
    slab->count = chunks;
    slab->used = 0;
    ring->slab = slab;
    return true;
}

static bool reserve_chunk(JobsRing *ring) {
    if (ring->slab != NULL && ring->slab->used < ring->slab->count) return true;
    bool large = ring->chunk_count >= LARGE_FROM && !ring->small_slabs;
    return (large && add_slab(ring, FILO_MIN(ring->chunk_count, (size_t)MAX_SLAB))) || add_slab(ring, 1);
}

static JobsRingChunk *new_chunk(JobsRing *ring) {
    if (!reserve_chunk(ring)) return NULL;
    JobsRingChunk *chunk = &ring->slab->chunks[ring->slab->used++];
    ring->chunk_count++;
    for (size_t i = 0; i < JOBS_RING_CHUNK;
         i += ring->lines) // the other fields are written when a job is allocated
        base_store_relaxed(jobs_job_unfinished(&chunk->lines[i]), 0);
    return chunk;
}

static bool add_first_chunk(JobsRing *ring) {
    ring->chunk = new_chunk(ring);
    if (ring->chunk != NULL) ring->chunk->next = ring->chunk;
    return ring->chunk != NULL;
}

bool jobs_ring_init(JobsRing *ring, size_t lines, const FiloAllocator *allocator) {
    *ring = (JobsRing){ .lines = lines, .allocator = allocator };
    return add_first_chunk(ring);
}

void jobs_ring_deinit(JobsRing *ring) {
    for (JobsRingSlab *slab = ring->slab, *older; slab != NULL; slab = older) {
        older = slab->older;
        filo_free(ring->allocator, slab, slab_size(slab->count), FILO_CACHE_LINE);
    }
    *ring = (JobsRing){ 0 };
}

FiloJob *jobs_ring_take(JobsRing *ring) {
    for (int skipped = 0; skipped < LOOK_AHEAD; skipped++) {
        FiloJob *job = &ring->chunk->lines[ring->index];
        ring->index += ring->lines;
        if (ring->index == JOBS_RING_CHUNK) {
            ring->index = 0;
            ring->chunk = ring->chunk->next;
        }
        // Acquire: pairs with the release in jobs_worker_finish; the thread that finished the job no longer uses it.
        if (base_load_acquire(jobs_job_unfinished(job)) == 0) {
            base_store_relaxed(jobs_job_unfinished(job), 1);
            return job;
        }
    }
    JobsRingChunk *chunk = new_chunk(ring);
    if (chunk == NULL) return NULL;
    chunk->next = ring->chunk->next;
    ring->chunk->next = chunk;
    ring->chunk = chunk; // the rest of the previous chunk is reached again after a round
    ring->index = ring->lines;
    base_store_relaxed(jobs_job_unfinished(&chunk->lines[0]), 1);
    return &chunk->lines[0];
}

// ---- The rings of one owner -----------------------------------------------------------------------------

static const uint16_t lines_of[JOBS_RINGS] = { 1, 2, 8, 64 };

static size_t capacity(size_t lines) { return lines * FILO_CACHE_LINE - offsetof(FiloJob, data); }

_Static_assert(64 * FILO_CACHE_LINE - offsetof(FiloJob, data) == FILO_JOB_DATA_MAX,
               "the largest job holds the largest data");

bool jobs_rings_init(JobsRing rings[JOBS_RINGS], bool small_slabs, const FiloAllocator *allocator) {
    for (int i = 0; i < JOBS_RINGS; i++)
        rings[i] = (JobsRing){ .lines = lines_of[i], .small_slabs = small_slabs, .allocator = allocator };
    return add_first_chunk(&rings[0]);
}

void jobs_rings_deinit(JobsRing rings[JOBS_RINGS]) {
    for (int i = 0; i < JOBS_RINGS; i++) jobs_ring_deinit(&rings[i]);
}

FiloJob *jobs_rings_take(JobsRing rings[JOBS_RINGS], size_t size) {
    JobsRing *ring = &rings[0];
    while (size > capacity(ring->lines)) ring++;
    if (FILO_UNLIKELY(ring->chunk == NULL) && !add_first_chunk(ring)) return NULL;
    return jobs_ring_take(ring);
}
