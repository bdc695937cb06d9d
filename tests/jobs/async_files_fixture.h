// What the tests of files in the background share. Every test runs twice, by io_uring and on threads, with the same
// results.

#ifndef FILO_TEST_JOBS_ASYNC_FILES_FIXTURE_H
#define FILO_TEST_JOBS_ASYNC_FILES_FIXTURE_H

#include "jobs/async_fixture.h"

#include <stdio.h>
#include <stdlib.h>

static inline FiloJobs *create_by(bool ring, int threads, int async_threads) {
    return create_with(
        (FiloJobsDesc){ .threads = threads, .async_threads = async_threads, .no_io_uring = !ring });
}

static inline JobsUringState ring_state(FiloJobs *jobs) {
    filo_mutex_lock(&jobs->async->lock);
    JobsUringState state = jobs->async->ring_state;
    filo_mutex_unlock(&jobs->async->lock);
    return state;
}

static inline bool kernel_has_ring(void) {
    FiloJobs *jobs = create_by(true, 1, 1);
    end(jobs, filo_async_read_file(jobs, "/proc/self/status", NULL, NULL));
    bool ready = ring_state(jobs) == JOBS_URING_READY;
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    if (!ready) print_message("skipped: this kernel or build has no io_uring for us\n");
    return ready;
}

#define SKIP_WITHOUT_RING()                                                                                  \
    if (!kernel_has_ring()) skip()

static inline FiloResult result_of(FiloJobs *jobs, FiloRequest request, size_t *bytes) {
    assert_int_not_equal(request.id, 0);
    filo_async_wait(jobs, request);
    FiloResult result = filo_async_result(jobs, request, bytes);
    filo_async_release(jobs, request);
    return result;
}

static inline uint8_t byte_at(size_t i, unsigned seed) {
    return (uint8_t)((i * 2654435761u + seed * 40503u) >> 13);
}

static inline uint8_t *make_bytes(size_t size, unsigned seed) {
    uint8_t *bytes = malloc(size + 1);
    assert_non_null(bytes);
    for (size_t i = 0; i < size; i++) bytes[i] = byte_at(i, seed);
    return bytes;
}

static inline void write_now(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static inline void expect_file(const char *path, const void *bytes, size_t size) {
    FiloFileData data;
    assert_ok(filo_file_read(&data, path, NULL));
    assert_int_equal(data.size, size);
    assert_memory_equal(data.bytes, bytes, size);
    filo_file_free(&data);
}

#endif
