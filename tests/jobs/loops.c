// Loops and reductions on any number of threads.

#include "support/malloc_count.h"

#include "jobs/jobs_fixture.h"

#include <stdlib.h>

typedef struct Marks {
    _Atomic uint8_t *marks;
    _Atomic int largest;
} Marks;

static void mark(size_t begin, size_t end, void *user) {
    Marks *marks = user;
    assert_true(begin < end);
    for (size_t i = begin; i < end; i++) base_add_relaxed(&marks->marks[i], 1);
}

FILO_TEST(a_loop_visits_every_item_once) {
    static const size_t counts[] = { 0, 1, 2, 3, 10, 64, 1000, 100000, 1000003 };
    for_thread_counts(jobs) {
        for (size_t c = 0; c < FILO_COUNT_OF(counts); c++) {
            for (int each = 0; each < (counts[c] <= 1000 ? 2 : 1); each++) {
                Marks marks = { calloc(counts[c] + 1, 1), 0 };
                assert_non_null((void *)marks.marks);
                (each ? filo_jobs_for_each : filo_jobs_for)(jobs, counts[c], mark, &marks);
                for (size_t i = 0; i < counts[c]; i++) assert_int_equal(marks.marks[i], 1);
                assert_int_equal(marks.marks[counts[c]], 0);
                free((void *)marks.marks);
            }
        }
    }
}

typedef struct Nested {
    FiloJobs *jobs;
    _Atomic uint64_t sum;
} Nested;

static void inner_loop(size_t begin, size_t end, void *user) {
    for (size_t i = begin; i < end; i++) base_add_relaxed(&((Nested *)user)->sum, i);
}
static void outer_loop(size_t begin, size_t end, void *user) {
    for (size_t i = begin; i < end; i++) filo_jobs_for(((Nested *)user)->jobs, 100, inner_loop, user);
}

FILO_TEST(loops_may_be_inside_loops) {
    for_thread_counts(jobs) {
        Nested nested = { jobs, 0 };
        filo_jobs_for_each(jobs, 50, outer_loop, &nested);
        assert_int_equal(nested.sum, 50 * 4950);
    }
}

static void sum_part(size_t begin, size_t end, void *result, void *user) {
    float *sum = result, *numbers = user;
    for (size_t i = begin; i < end; i++) *sum += numbers[i];
}
static void sum_combine(void *left, const void *right, void *user) {
    (void)user;
    *(float *)left += *(const float *)right;
}

FILO_TEST(repeated_reductions_allocate_nothing) {
    enum { COUNT = 200003 };
    float *numbers = calloc(COUNT, sizeof *numbers);
    assert_non_null(numbers);
    FiloJobs *jobs;
    assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 1 }));
    FiloReduceDesc desc = { COUNT, sizeof(float), sum_part, sum_combine, numbers };
    float sum;
    assert_ok(filo_jobs_reduce(jobs, &desc, &sum));
    uint64_t before = filo_test_malloc_calls();
    for (int i = 0; i < 100; i++) assert_ok(filo_jobs_reduce(jobs, &desc, &sum));
    assert_int_equal(filo_test_malloc_calls(), before); // sanitizers count nothing
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    free(numbers);
}

FILO_TEST(a_reduction_gives_the_same_bits_on_any_number_of_threads) {
    enum { COUNT = 200003 };
    float *numbers = malloc(COUNT * sizeof *numbers);
    assert_non_null(numbers);
    uint32_t random = 7;
    for (int i = 0; i < COUNT; i++) {
        random = random * 1664525u + 1013904223u;
        numbers[i] = (float)random / 1000.0f - 2000000.0f;
    }
    static const size_t counts[] = { 1, 5, 64, 65, 1000, COUNT };
    float expected[FILO_COUNT_OF(counts)];
    for_thread_counts(jobs) {
        for (size_t c = 0; c < FILO_COUNT_OF(counts); c++) {
            float sum = -1;
            FiloReduceDesc desc = { counts[c], sizeof(float), sum_part, sum_combine, numbers };
            assert_ok(filo_jobs_reduce(jobs, &desc, &sum));
            if (tc == 0) expected[c] = sum;
            assert_memory_equal(&sum, &expected[c], sizeof sum);
        }
        float nothing = 5;
        FiloReduceDesc none = { 0, sizeof(float), sum_part, sum_combine, numbers };
        assert_ok(filo_jobs_reduce(jobs, &none, &nothing));
        assert_true(nothing == 0);
    }
    free(numbers);
}
