// A sum has the same bits on every machine, not only on any number of threads.

#include "support/test.h"

#include <filo/jobs.h>

enum { COUNT = 50021 };
static float numbers[COUNT];

static void sum_part(size_t begin, size_t end, void *result, void *user) {
    FILO_UNUSED(user);
    float *sum = result;
    for (size_t i = begin; i < end; i++) *sum += numbers[i] * numbers[i] - 1.0f / numbers[i];
}
static void sum_combine(void *left, const void *right, void *user) {
    FILO_UNUSED(user);
    *(float *)left += *(const float *)right;
}

FILO_TEST(sums_equal_the_golden_values) {
    static const size_t counts[] = { 1, 5, 64, 65, 1000, COUNT };
    static const uint32_t golden[FILO_COUNT_OF(counts)] = { 0x4b73663e, 0x4d2ec8ea, 0x4eb36ec5,
                                                            0x4eb5ca3d, 0x50b46e4c, 0x53895520 };
    uint32_t random = 7, bits;
    for (int i = 0; i < COUNT; i++) {
        random = random * 1664525u + 1013904223u;
        numbers[i] = (float)(random >> 8) / 1000.0f - 8000.0f;
    }
    bool same = true;
    FiloJobs *jobs;
    assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 3 }));
    for (size_t i = 0; i < FILO_COUNT_OF(counts); i++) {
        float sum = -1;
        assert_ok(filo_jobs_reduce(
            jobs, &(FiloReduceDesc){ counts[i], sizeof sum, sum_part, sum_combine, NULL }, &sum));
        memcpy(&bits, &sum, sizeof bits);
        if (bits != golden[i]) print_error("%zu numbers: 0x%08x\n", counts[i], bits);
        same = same && bits == golden[i];
    }
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    assert_true(same);
}
