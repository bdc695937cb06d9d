#include "jobs/job_ring.h"

#include "jobs/job.h"

#include "support/together.h"

static JobsRing made(const FiloAllocator *allocator) {
    JobsRing ring;
    assert_true(jobs_ring_init(&ring, 1, allocator));
    return ring;
}

// Release: pairs with the acquire in jobs_ring_take, as in the scheduler.
static void finish(FiloJob *job) { base_store_release(jobs_job_unfinished(job), 0); }

static uint32_t unfinished(const FiloJob *job) { return base_load_relaxed(jobs_job_unfinished(job)); }

FILO_TEST(a_taken_job_is_alive_and_a_cache_line) {
    JobsRing ring = made(NULL);
    FiloJob *job = jobs_ring_take(&ring);
    assert_non_null(job);
    assert_int_equal(unfinished(job), 1);
    assert_int_equal((uintptr_t)job % FILO_CACHE_LINE, 0);
    jobs_ring_deinit(&ring);
}

FILO_TEST(jobs_that_finish_are_used_again_without_growing) {
    JobsRing ring = made(NULL);
    for (int i = 0; i < 20 * JOBS_RING_CHUNK; i++) {
        FiloJob *job = jobs_ring_take(&ring);
        assert_non_null(job);
        finish(job);
    }
    assert_int_equal(ring.chunk_count, 1);
    jobs_ring_deinit(&ring);
}

FILO_TEST(live_jobs_are_never_handed_out_again) {
    enum { COUNT = 3 * JOBS_RING_CHUNK + 7 };
    static FiloJob *jobs[COUNT];
    JobsRing ring = made(NULL);
    for (int i = 0; i < COUNT; i++) {
        jobs[i] = jobs_ring_take(&ring);
        assert_non_null(jobs[i]);
        for (int k = 0; k < i; k++) assert_ptr_not_equal(jobs[k], jobs[i]);
    }
    assert_int_equal(ring.chunk_count, 4);
    jobs_ring_deinit(&ring);
}

FILO_TEST(a_few_live_jobs_are_stepped_over) {
    JobsRing ring = made(NULL);
    FiloJob *alive[4];
    for (int i = 0; i < 4; i++) alive[i] = jobs_ring_take(&ring);
    for (int i = 0; i < 10 * JOBS_RING_CHUNK; i++) {
        FiloJob *job = jobs_ring_take(&ring);
        for (int k = 0; k < 4; k++) assert_ptr_not_equal(job, alive[k]);
        finish(job);
    }
    assert_int_equal(ring.chunk_count, 1);
    jobs_ring_deinit(&ring);
}

FILO_TEST(chunks_that_were_added_stay_in_the_ring) {
    static FiloJob *jobs[4 * JOBS_RING_CHUNK];
    JobsRing ring = made(NULL);
    for (size_t i = 0; i < FILO_COUNT_OF(jobs); i++) jobs[i] = jobs_ring_take(&ring);
    size_t chunks = ring.chunk_count;
    for (size_t i = 0; i < FILO_COUNT_OF(jobs); i++) finish(jobs[i]);
    for (size_t i = 0; i < FILO_COUNT_OF(jobs); i++) jobs[i] = jobs_ring_take(&ring); // all of them again
    assert_int_equal(ring.chunk_count, chunks);
    for (size_t i = 0; i < FILO_COUNT_OF(jobs); i++) assert_int_equal(unfinished(jobs[i]), 1);
    jobs_ring_deinit(&ring);
}

FILO_TEST(a_ring_with_many_chunks_takes_memory_for_as_many_again) {
    enum { COUNT = 100 * JOBS_RING_CHUNK };
    static FiloJob *jobs[COUNT];
    FiloHeap heap;
    filo_heap_init(&heap, "ring test", 0);
    JobsRing ring = made(&heap.allocator);
    for (int i = 0; i < COUNT; i++) {
        jobs[i] = jobs_ring_take(&ring);
        assert_non_null(jobs[i]);
        memset(jobs[i]->data, i, FILO_JOB_DATA);
    }
    for (int i = 0; i < COUNT; i++) // no two are the same
        assert_int_equal(jobs[i]->data[FILO_JOB_DATA - 1], (unsigned char)i);
    assert_int_equal(ring.chunk_count, 100);
    assert_true(filo_heap_stats(&heap).operations < 30);
    size_t used = filo_heap_stats(&heap).used;
    for (int round = 0; round < 3; round++) { // all are allocated again
        for (int i = 0; i < COUNT; i++) finish(jobs[i]);
        for (int i = 0; i < COUNT; i++) jobs[i] = jobs_ring_take(&ring);
    }
    assert_int_equal(filo_heap_stats(&heap).used, used);
    jobs_ring_deinit(&ring);
    assert_int_equal(filo_heap_stats(&heap).used, 0);
    filo_heap_deinit(&heap);
}

FILO_TEST(a_thrifty_ring_takes_no_more_than_it_needs) {
    FiloHeap heap;
    size_t budget = 40 * (sizeof(JobsRingChunk) + sizeof(JobsRingSlab));
    filo_heap_init(&heap, "ring test", budget);
    JobsRing ring = made(&heap.allocator);
    ring.small_slabs = true;
    for (int i = 0; i < 40 * JOBS_RING_CHUNK; i++) assert_non_null(jobs_ring_take(&ring));
    expect_fault("ring test", assert_null(jobs_ring_take(&ring)));
    jobs_ring_deinit(&ring);
    filo_heap_deinit(&heap);
}

FILO_TEST(without_memory_there_is_no_ring_and_no_more_than_one_chunk) {
    JobsRing ring;
    assert_false(jobs_ring_init(&ring, 1, &no_memory));
    jobs_ring_deinit(&ring);
    FiloHeap heap;
    filo_heap_init(&heap, "ring test", sizeof(JobsRingChunk) + sizeof(JobsRingChunk) / 2);
    ring = made(&heap.allocator);
    FiloJob *first = jobs_ring_take(&ring);
    for (int i = 1; i < JOBS_RING_CHUNK; i++) assert_non_null(jobs_ring_take(&ring));
    expect_fault("ring test", assert_null(jobs_ring_take(&ring)));
    finish(first);
    FiloJob *again = NULL; // found after a whole round
    for (int i = 0; i < JOBS_RING_CHUNK && again == NULL; i++) {
        filo_test_faults_begin();
        again = jobs_ring_take(&ring);
        if (again == NULL)
            filo_test_faults_end("ring test", __FILE__, __LINE__);
        else
            filo_fault_set_handler((FiloFaultHandler){ NULL, NULL });
    }
    assert_ptr_equal(again, first);
    jobs_ring_deinit(&ring);
    assert_int_equal(filo_heap_stats(&heap).used, 0);
    filo_heap_deinit(&heap);
}

// ---- Several sizes ------------------------------------------------------------------------------------

FILO_TEST(jobs_of_several_lines_do_not_overlap) {
    enum { COUNT = 1000 };
    static const size_t sizes[] = { 0, 24, 25, 44, 88, 89, 472, 473, FILO_JOB_DATA_MAX };
    static FiloJob *jobs[COUNT];
    JobsRing rings[JOBS_RINGS];
    assert_true(jobs_rings_init(rings, false, NULL));
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < COUNT; i++) {
            jobs[i] = jobs_rings_take(rings, sizes[i % (int)FILO_COUNT_OF(sizes)]);
            assert_non_null(jobs[i]);
            assert_int_equal((uintptr_t)jobs[i] % FILO_CACHE_LINE, 0);
            memset((char *)jobs[i] + offsetof(FiloJob, data), i, sizes[i % (int)FILO_COUNT_OF(sizes)]);
        }
        for (int i = 0; i < COUNT; i++) {
            assert_int_equal(unfinished(jobs[i]), 1);
            const unsigned char *data = (unsigned char *)jobs[i] + offsetof(FiloJob, data);
            for (size_t k = 0; k < sizes[i % (int)FILO_COUNT_OF(sizes)]; k++)
                if (data[k] != (unsigned char)i) fail_msg("byte %zu of job %d was overwritten", k, i);
        }
        for (int i = 0; i < COUNT; i++) finish(jobs[i]);
    }
    jobs_rings_deinit(rings);
}

FILO_TEST(data_takes_the_smallest_job_that_holds_it) {
    static const struct {
        size_t size, lines;
    } cases[] = { { 0, 1 },   { 24, 1 },   { 25, 2 },
                  { 44, 2 },  { 88, 2 },   { 89, 8 },
                  { 472, 8 }, { 473, 64 }, { FILO_JOB_DATA_MAX, 64 } };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        JobsRing rings[JOBS_RINGS];
        assert_true(jobs_rings_init(rings, false, NULL));
        FiloJob *first = jobs_rings_take(rings, cases[i].size),
                *second = jobs_rings_take(rings, cases[i].size);
        assert_int_equal(second - first, cases[i].lines);
        jobs_rings_deinit(rings);
    }
}

FILO_TEST(without_memory_there_are_only_small_jobs) {
    FiloHeap heap;
    filo_heap_init(&heap, "ring test", sizeof(JobsRingChunk) + sizeof(JobsRingChunk) / 2);
    JobsRing rings[JOBS_RINGS];
    assert_true(jobs_rings_init(rings, true, &heap.allocator));
    expect_fault("ring test", assert_null(jobs_rings_take(rings, 44)));
    assert_non_null(jobs_rings_take(rings, 24));
    jobs_rings_deinit(rings);
    assert_int_equal(filo_heap_stats(&heap).used, 0);
    filo_heap_deinit(&heap);
}

// ---- Many threads -------------------------------------------------------------------------------------

#define SLOTS 1024

// One worker allocates jobs, fills them in and puts them into slots; other threads finish the jobs that they find
// there, in any order. What they read must be what was written since the job was allocated.
typedef struct Stress {
    JobsRing ring;
    int count;
    BASE_ATOMIC(int) finished, wrong;
    BASE_ATOMIC(uintptr_t) slots[SLOTS]; // 0: empty
} Stress;

static void put(Stress *stress, int slot, FiloJob *job) {
    // Acquire: pairs with the exchange in find; the job that was there belongs to another thread now.
    while (base_load_acquire(&stress->slots[slot]) != 0) filo_thread_yield();
    // Release: pairs with the exchange in find; what was written into the job is visible with it.
    base_store_release(&stress->slots[slot], (uintptr_t)job);
}

static FiloJob *find(Stress *stress, int first) {
    for (int i = 0; i < SLOTS; i++) {
        BASE_ATOMIC(uintptr_t) *slot = &stress->slots[(first + i) % SLOTS];
        if (base_load_relaxed(slot) == 0) continue;
        // Acquire and release: pairs with the store and the load in put.
        uintptr_t job = base_exchange_acq_rel(slot, 0);
        if (job != 0) return (FiloJob *)job;
    }
    return NULL;
}

static void take_jobs(Stress *stress) {
    for (int i = 0; i < stress->count; i++) {
        FiloJob *job = jobs_ring_take(&stress->ring);
        if (job == NULL) {
            base_add_relaxed(&stress->wrong, 1);
            return;
        }
        job->parent = job;
        memcpy(job->data, &i, sizeof i);
        memcpy(job->data + FILO_JOB_DATA - sizeof i, &i, sizeof i);
        put(stress, i % SLOTS, job);
    }
}

static void finish_jobs(Stress *stress, int thread) {
    while (base_load_relaxed(&stress->finished) < stress->count) {
        FiloJob *job = find(stress, thread * SLOTS / 4);
        if (job == NULL) {
            filo_thread_yield();
            continue;
        }
        bool right = job->parent == job && unfinished(job) == 1 &&
                     memcmp(job->data, job->data + FILO_JOB_DATA - sizeof(int), sizeof(int)) == 0;
        if (!right) base_add_relaxed(&stress->wrong, 1);
        job->parent = NULL;
        finish(job);
        base_add_relaxed(&stress->finished, 1);
    }
}

static void take_part(int thread, void *user) {
    if (thread == 0)
        take_jobs(user);
    else
        finish_jobs(user, thread);
}

FILO_TEST(jobs_come_back_from_any_thread) {
    Stress stress = { .ring = made(NULL), .count = 50000 };
    together(4, take_part, &stress);
    assert_int_equal(base_load_relaxed(&stress.wrong), 0);
    assert_int_equal(base_load_relaxed(&stress.finished), stress.count);
    assert_true(stress.ring.chunk_count < 64); // a few more than are in use at once
    jobs_ring_deinit(&stress.ring);
}
