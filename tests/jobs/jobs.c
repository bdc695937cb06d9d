#include "support/malloc_count.h"
#include "support/test.h"

#include <filo/jobs.h>
#include <filo/profile.h>
#include <filo/threads.h>
#include <filo/time.h>

#include "base/atomic.h"

#include <signal.h>
#include <stdlib.h>

static const int thread_counts[] = { 1, 2, 4, 16 };

static FiloJobs *start(int threads) {
    FiloJobs *jobs;
    assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = threads }));
    return jobs;
}

#define for_thread_counts(jobs)                                                                              \
    for (size_t tc = 0; tc < FILO_COUNT_OF(thread_counts); tc++)                                             \
        for (FiloJobs *jobs = start(thread_counts[tc]); jobs != NULL;                                        \
             filo_jobs_destroy(jobs, FILO_JOBS_FINISH), jobs = NULL)

static _Atomic int counter;
static void count(FiloJob *job, void *data) {
    (void)job, (void)data;
    base_add_relaxed(&counter, 1);
}

// ---- Running and waiting ------------------------------------------------------------------------------

static void store_square(FiloJob *job, void *data) {
    (void)job;
    int **numbers = data;
    *numbers[1] = *numbers[0] * *numbers[0];
}

FILO_TEST(a_job_runs_with_its_data_and_what_it_wrote_is_seen_after_the_wait) {
    for_thread_counts(jobs) {
        int in = 12, out = 0;
        int *data[2] = { &in, &out };
        FiloJob job;
        filo_job_init(&job, store_square, data, sizeof data);
        assert_false(filo_job_finished(&job));
        filo_jobs_run(jobs, &job);
        filo_jobs_wait(jobs, &job);
        assert_true(filo_job_finished(&job));
        assert_int_equal(out, 144);
    }
}

FILO_TEST(a_job_is_one_cache_line) { assert_int_equal(sizeof(FiloJob), 64); }

typedef struct Fib {
    FiloJobs *jobs;
    int n;
    int *result;
} Fib;

static void fib(FiloJob *job, void *data) {
    (void)job;
    Fib *f = data;
    if (f->n < 2) {
        *f->result = f->n;
        return;
    }
    int a, b;
    FiloJob child;
    filo_job_init(&child, fib, &(Fib){ f->jobs, f->n - 1, &a }, sizeof(Fib));
    filo_jobs_run(f->jobs, &child);
    fib(NULL, &(Fib){ f->jobs, f->n - 2, &b });
    filo_jobs_wait(f->jobs, &child);
    *f->result = a + b;
}

FILO_TEST(fork_and_join_without_limit) {
    for_thread_counts(jobs) {
        int result = 0;
        fib(NULL, &(Fib){ jobs, 20, &result });
        assert_int_equal(result, 6765);
    }
}

FILO_TEST(a_parent_finishes_after_all_its_children) {
    for_thread_counts(jobs) {
        for (int round = 0; round < 20; round++) {
            FiloJob parent;
            counter = 0;
            filo_job_init(&parent, count, NULL, 0);
            for (int i = 0; i < 1000; i++) filo_jobs_spawn(jobs, &parent, count, NULL, 0);
            assert_false(filo_job_finished(&parent));
            filo_jobs_run(jobs, &parent);
            filo_jobs_wait(jobs, &parent);
            assert_int_equal(counter, 1001);
        }
    }
}

typedef struct Tree {
    FiloJobs *jobs;
    int depth;
} Tree;

static void grow_tree(FiloJob *job, void *data) {
    Tree tree = *(Tree *)data;
    base_add_relaxed(&counter, 1);
    for (int i = 0; i < 3 && tree.depth > 0; i++)
        filo_jobs_spawn(tree.jobs, job, grow_tree, &(Tree){ tree.jobs, tree.depth - 1 }, sizeof(Tree));
}

FILO_TEST(grandchildren_count_too) {
    for_thread_counts(jobs) {
        FiloJob root;
        counter = 0;
        filo_job_init(&root, grow_tree, &(Tree){ jobs, 8 }, sizeof(Tree));
        filo_jobs_run(jobs, &root);
        filo_jobs_wait(jobs, &root);
        assert_int_equal(counter, 9841);
    }
}

FILO_TEST(more_jobs_than_any_first_allocation_are_all_run) {
    for_thread_counts(jobs) {
        FiloJob parent;
        counter = 0;
        filo_job_init(&parent, count, NULL, 0);
        for (int i = 0; i < 100000; i++) filo_jobs_spawn(jobs, &parent, count, NULL, 0);
        filo_jobs_run(jobs, &parent);
        filo_jobs_wait(jobs, &parent);
        assert_int_equal(counter, 100001);
    }
}

// ---- Order --------------------------------------------------------------------------------------------

static _Atomic int step;
static void note_step(FiloJob *job, void *data) {
    (void)job;
    **(int **)data = base_add_relaxed(&step, 1);
}

FILO_TEST(one_worker_takes_high_before_normal_before_low_and_the_newest_first) {
    FiloJobs *jobs = start(1);
    FiloJob list[6];
    int order[6];
    static const FiloPriority priorities[6] = { FILO_PRIORITY_LOW,    FILO_PRIORITY_NORMAL,
                                                FILO_PRIORITY_NORMAL, FILO_PRIORITY_HIGH,
                                                FILO_PRIORITY_HIGH,   FILO_PRIORITY_LOW };
    step = 0;
    for (int i = 0; i < 6; i++) {
        int *slot = &order[i];
        filo_job_init(&list[i], note_step, &slot, sizeof slot);
        filo_job_set_priority(&list[i], priorities[i]);
        filo_jobs_run(jobs, &list[i]);
    }
    for (int i = 0; i < 6; i++) filo_jobs_wait(jobs, &list[i]);
    static const int expected[6] = { 5, 3, 2, 1, 0, 4 };
    for (int i = 0; i < 6; i++) assert_int_equal(order[i], expected[i]);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

FILO_TEST(a_job_starts_after_all_that_it_comes_after) {
    for_thread_counts(jobs) {
        for (int round = 0; round < 50; round++) {
            enum { COUNT = 40 };
            FiloJob list[COUNT];
            int order[COUNT];
            step = 0;
            for (int i = 0; i < COUNT; i++) {
                int *slot = &order[i];
                filo_job_init(&list[i], note_step, &slot, sizeof slot);
                for (int k = 1; k <= 12 && k <= i; k += 1 + k % 3)
                    assert_true(filo_job_after(&list[i], &list[i - k], jobs));
            }
            for (int i = COUNT - 1; i >= 0; i--) filo_jobs_run(jobs, &list[i]); // in the worst order
            for (int i = 0; i < COUNT; i++) filo_jobs_wait(jobs, &list[i]);
            for (int i = 0; i < COUNT; i++)
                for (int k = 1; k <= 12 && k <= i; k += 1 + k % 3) assert_true(order[i] > order[i - k]);
        }
    }
}

FILO_TEST(a_job_of_the_schedulers_may_come_after_another) {
    for_thread_counts(jobs) {
        FiloJob root;
        int order[2];
        int *first = &order[0], *second = &order[1];
        step = 0;
        filo_job_init(&root, count, NULL, 0);
        FiloJob *a = filo_jobs_new(jobs, note_step, &first, sizeof first);
        FiloJob *b = filo_jobs_new(jobs, note_step, &second, sizeof second);
        filo_job_set_parent(a, &root);
        filo_job_set_parent(b, &root);
        assert_true(filo_job_after(b, a, jobs));
        filo_jobs_run(jobs, b);
        filo_jobs_run(jobs, a);
        filo_jobs_run(jobs, &root);
        filo_jobs_wait(jobs, &root);
        assert_true(order[0] < order[1]);
    }
}

FILO_TEST(a_job_may_be_set_up_while_its_children_finish) {
    for_thread_counts(jobs) {
        for (int round = 0; round < 3000; round++) {
            FiloJob outer, parent;
            filo_job_init(&outer, count, NULL, 0);
            filo_job_init(&parent, count, NULL, 0);
            filo_jobs_spawn(jobs, &parent, count, NULL, 0); // may finish at any moment from here on
            filo_job_set_parent(&parent, &outer);
            filo_jobs_run(jobs, &parent);
            filo_jobs_run(jobs, &outer);
            filo_jobs_wait(jobs, &outer);
            assert_true(filo_job_finished(&parent));
        }
    }
}

FILO_TEST(a_job_may_be_set_up_while_what_it_comes_after_finishes) {
    for_thread_counts(jobs) {
        for (int round = 0; round < 3000; round++) {
            FiloJob first, second;
            filo_job_init(&first, count, NULL, 0);
            filo_job_init(&second, count, NULL, 0);
            assert_true(filo_job_after(&second, &first, jobs));
            filo_jobs_run(jobs, &first);
            filo_job_set_priority(&second, FILO_PRIORITY_HIGH);
            filo_jobs_run(jobs, &second);
            filo_jobs_wait(jobs, &second);
            assert_true(filo_job_finished(&first));
        }
    }
}

// ---- Pinned jobs --------------------------------------------------------------------------------------

typedef struct Where {
    FiloJobs *jobs;
    int *worker;
} Where;

static void note_worker(FiloJob *job, void *data) {
    (void)job;
    Where *where = data;
    *where->worker = filo_jobs_worker(where->jobs);
    assert_ptr_equal(filo_jobs_current(), where->jobs);
}

FILO_TEST(a_pinned_job_runs_on_its_worker) {
    for_thread_counts(jobs) {
        int threads = filo_jobs_threads(jobs);
        for (int worker = 0; worker < threads; worker++) {
            int found = -1;
            FiloJob job;
            filo_job_init(&job, note_worker, &(Where){ jobs, &found }, sizeof(Where));
            filo_job_set_worker(&job, worker);
            filo_jobs_run(jobs, &job);
            filo_jobs_wait(jobs, &job);
            assert_int_equal(found, worker);
        }
        assert_int_equal(filo_jobs_worker(jobs), 0);
        assert_null(filo_jobs_current());
    }
}

static void pin_to_main(FiloJob *job, void *data) {
    FiloJob *pinned = filo_jobs_new(((Where *)data)->jobs, note_worker, data, sizeof(Where));
    filo_job_set_worker(pinned, 0);
    filo_job_set_parent(pinned, job);
    filo_jobs_run(((Where *)data)->jobs, pinned);
}

FILO_TEST(a_worker_can_have_something_done_on_main) {
    for_thread_counts(jobs) {
        int found = -1;
        FiloJob job;
        filo_job_init(&job, pin_to_main, &(Where){ jobs, &found }, sizeof(Where));
        filo_job_set_worker(&job, filo_jobs_threads(jobs) - 1);
        filo_jobs_run(jobs, &job);
        filo_jobs_wait(jobs, &job);
        assert_int_equal(found, 0);
    }
}

FILO_TEST(main_runs_its_pinned_jobs_at_a_point_of_its_choice) {
    FiloJobs *jobs = start(2);
    FiloJob list[3];
    int found[3] = { -1, -1, -1 };
    for (int i = 0; i < 3; i++) {
        filo_job_init(&list[i], note_worker, &(Where){ jobs, &found[i] }, sizeof(Where));
        filo_job_set_worker(&list[i], 0);
        filo_jobs_run(jobs, &list[i]);
    }
    assert_int_equal(found[0], -1);
    assert_int_equal(filo_jobs_run_pinned(jobs), 3);
    for (int i = 0; i < 3; i++) assert_int_equal(found[i], 0);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

// ---- Loops --------------------------------------------------------------------------------------------

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

// ---- Starting, stopping, sleeping ---------------------------------------------------------------------

FILO_TEST(schedulers_start_and_stop_any_number_of_times) {
    for (int i = 0; i < 50; i++) {
        FiloJobs *jobs = start(1 + i % 5);
        counter = 0;
        for (int k = 0; k < 100; k++) filo_jobs_spawn(jobs, NULL, count, NULL, 0);
        filo_jobs_destroy(jobs, FILO_JOBS_FINISH); // runs what is queued
        assert_int_equal(counter, 100);
    }
}

static void spawn_more(FiloJob *job, void *data) {
    (void)job;
    Tree tree = *(Tree *)data;
    base_add_relaxed(&counter, 1);
    if (tree.depth > 0)
        filo_jobs_spawn(tree.jobs, NULL, spawn_more, &(Tree){ tree.jobs, tree.depth - 1 }, sizeof tree);
}

FILO_TEST(finishing_runs_what_queued_jobs_queue) {
    for_thread_counts(jobs) {
        counter = 0;
        filo_jobs_spawn(jobs, NULL, spawn_more, &(Tree){ jobs, 500 }, sizeof(Tree));
        filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
        assert_int_equal(counter, 501);
        jobs = start(1);
    }
}

FILO_TEST(cancelling_does_not_start_what_is_queued) {
    FiloJobs *jobs = start(1);
    FiloJob job;
    counter = 0;
    filo_job_init(&job, count, NULL, 0);
    filo_jobs_run(jobs, &job);
    for (int k = 0; k < 100; k++) filo_jobs_spawn(jobs, NULL, count, NULL, 0);
    filo_jobs_destroy(jobs, FILO_JOBS_CANCEL);
    assert_int_equal(counter, 0);
    assert_true(filo_job_finished(&job));
}

FILO_TEST(several_schedulers_live_side_by_side) {
    FiloJobs *a = start(3), *b = start(2);
    int found_a = -1, found_b = -1;
    FiloJob job_a, job_b;
    filo_job_init(&job_a, note_worker, &(Where){ a, &found_a }, sizeof(Where));
    filo_job_init(&job_b, note_worker, &(Where){ b, &found_b }, sizeof(Where));
    filo_jobs_run(a, &job_a);
    filo_jobs_run(b, &job_b);
    filo_jobs_wait(b, &job_b);
    filo_jobs_wait(a, &job_a);
    assert_true(found_a >= 0 && found_b >= 0);
    assert_int_equal(filo_jobs_worker(a), 0);
    assert_int_equal(filo_jobs_worker(b), 0);
    filo_jobs_destroy(a, FILO_JOBS_FINISH);
    assert_int_equal(filo_jobs_worker(b), 0);
    filo_jobs_destroy(b, FILO_JOBS_FINISH);
}

typedef struct Nest {
    FiloJobs *schedulers[3]; // main is the only worker of each
    int depth;
} Nest;

// Waits, inside a job of one scheduler, for one of another, and so on.
static void nest_elsewhere(FiloJob *job, void *data) {
    (void)job;
    Nest *nest = *(Nest **)data;
    FiloJobs *here = nest->schedulers[nest->depth % 3];
    assert_ptr_equal(filo_jobs_current(), here);
    if (nest->depth == 3) { // one that comes into being in the middle of it
        FiloJobs *fresh = start(1);
        assert_ptr_equal(filo_jobs_current(), here);
        filo_jobs_destroy(fresh, FILO_JOBS_FINISH);
        assert_ptr_equal(filo_jobs_current(), here);
    }
    if (nest->depth < 8) {
        Nest inner = *nest, *pointer = &inner;
        inner.depth++;
        FiloJob next;
        filo_job_init(&next, nest_elsewhere, &pointer, sizeof pointer);
        filo_jobs_run(inner.schedulers[inner.depth % 3], &next);
        filo_jobs_wait(inner.schedulers[inner.depth % 3], &next);
    }
    assert_ptr_equal(filo_jobs_current(), here);
    base_add_relaxed(&counter, 1);
}

FILO_TEST(a_thread_that_works_for_several_schedulers_knows_whose_job_it_is_in) {
    Nest nest = { .schedulers = { start(1), start(1), start(1) } }, *pointer = &nest;
    counter = 0;
    for (int i = 0; i < 3; i++) {
        FiloJob job;
        nest.depth = i;
        filo_job_init(&job, nest_elsewhere, &pointer, sizeof pointer);
        filo_jobs_run(nest.schedulers[i], &job);
        filo_jobs_wait(nest.schedulers[i], &job);
        assert_null(filo_jobs_current());
    }
    assert_int_equal(counter, 9 + 8 + 7);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(filo_jobs_worker(nest.schedulers[i]), 0);
        filo_jobs_destroy(nest.schedulers[i], FILO_JOBS_FINISH);
    }
    assert_int_equal(filo_jobs_worker(NULL), -1);
}

static void wait_until_asleep(FiloJobs *jobs, int awake) {
    while (filo_jobs_stats(jobs).awake > awake) filo_sleep_ns(100000);
}

FILO_TEST(idle_workers_sleep_and_wake_for_work) {
    FiloJobs *jobs = start(4);
    wait_until_asleep(jobs, 1);
    for (int round = 0; round < 100; round++) {
        FiloJob job;
        int found = -1;
        filo_job_init(&job, note_worker, &(Where){ jobs, &found }, sizeof(Where));
        filo_job_set_worker(&job, 1 + round % 3);
        filo_jobs_run(jobs, &job);
        filo_jobs_wait(jobs, &job);
        assert_int_equal(found, 1 + round % 3);
    }
    wait_until_asleep(jobs, 1);
    assert_true(filo_jobs_stats(jobs).parked > 3);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

static void wait_until_shed(FiloJobs *jobs, uint64_t threads) {
    for (FiloJobsStats stats = filo_jobs_stats(jobs); stats.shed - stats.returned < threads;
         stats = filo_jobs_stats(jobs))
        filo_sleep_ns(100000);
}

FILO_TEST(workers_are_shed_when_idle_and_return_under_load) {
    FiloJobs *jobs;
    assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 3, .shed_after_ns = 1000000 }));
    wait_until_shed(jobs, 2);
    for (int round = 0; round < 20; round++) {
        int found = -1;
        FiloJob job;
        filo_job_init(&job, note_worker, &(Where){ jobs, &found }, sizeof(Where));
        filo_job_set_worker(&job, 2);
        filo_jobs_run(jobs, &job);
        filo_jobs_wait(jobs, &job);
        assert_int_equal(found, 2);
        if (round % 5 == 0) wait_until_shed(jobs, 2);
    }
    assert_true(filo_jobs_stats(jobs).returned > 0);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

// Workers that sleep at once, with and without the kernel's help: every hand-over is a wake-up that could be lost.
FILO_TEST(no_wake_up_is_lost_with_or_without_membarrier) {
    for (int without = 0; without < 2; without++) {
        for (int threads = 2; threads <= 8; threads *= 2) {
            FiloJobs *jobs;
            FiloJobsDesc desc = { .threads = threads, .spin_ns = -1, .no_membarrier = without != 0 };
            assert_ok(filo_jobs_create(&jobs, &desc));
            for (int round = 0; round < 500; round++) {
                FiloJob job, parent;
                int found = -1;
                filo_job_init(&job, note_worker, &(Where){ jobs, &found }, sizeof(Where));
                filo_job_set_worker(&job, 1 + round % (threads - 1));
                filo_jobs_run(jobs, &job);
                filo_jobs_wait(jobs, &job);
                assert_int_equal(found, 1 + round % (threads - 1));
                counter = 0;
                filo_job_init(&parent, count, NULL, 0);
                for (int k = 0; k < 3; k++) filo_jobs_spawn(jobs, &parent, count, NULL, 0);
                filo_jobs_run(jobs, &parent);
                filo_jobs_wait(jobs, &parent);
                assert_int_equal(counter, 4);
            }
            filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
        }
    }
}

static _Atomic int started_threads, ended_threads;
static void thread_started(int worker, void *user) {
    (void)worker, (void)user, base_add_relaxed(&started_threads, 1);
}
static void thread_ending(int worker, void *user) {
    (void)worker, (void)user, base_add_relaxed(&ended_threads, 1);
}

FILO_TEST(every_thread_announces_its_start_and_end) {
    FiloJobs *jobs;
    FiloJobsDesc desc = { .threads = 5, .thread_started = thread_started, .thread_ending = thread_ending };
    assert_ok(filo_jobs_create(&jobs, &desc));
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    assert_int_equal(started_threads, 5);
    assert_int_equal(ended_threads, 5);
}

// ---- Foreign threads ----------------------------------------------------------------------------------

typedef struct Foreign {
    FiloJobs *jobs;
    int rounds;
} Foreign;

static void submit_from_outside(void *user) {
    Foreign *foreign = user;
    assert_int_equal(filo_jobs_worker(foreign->jobs), -1);
    for (int i = 0; i < foreign->rounds; i++) {
        FiloJob parent;
        filo_job_init(&parent, count, NULL, 0);
        for (int k = 0; k < 10; k++) filo_jobs_spawn(foreign->jobs, &parent, count, NULL, 0);
        filo_jobs_run(foreign->jobs, &parent);
        filo_jobs_wait(foreign->jobs, &parent);
    }
    Nested nested = { foreign->jobs, 0 };
    filo_jobs_for(foreign->jobs, 100, inner_loop, &nested);
    assert_int_equal(nested.sum, 4950);
}

FILO_TEST(foreign_threads_may_submit_wait_and_loop) {
    static const int counts[] = { 2, 5 };
    for (size_t c = 0; c < FILO_COUNT_OF(counts); c++) {
        FiloJobs *jobs = start(counts[c]);
        counter = 0;
        FiloThread threads[4];
        Foreign foreign = { jobs, 200 };
        for (int i = 0; i < 4; i++)
            assert_ok(filo_thread_start(
                &threads[i], &(FiloThreadDesc){ .function = submit_from_outside, .user = &foreign }));
        for (int i = 0; i < 4; i++) filo_thread_join(&threads[i]);
        assert_int_equal(counter, 4 * 200 * 11);
        filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    }
}

// ---- Mistakes -----------------------------------------------------------------------------------------

FILO_TEST(misuse_is_named) {
    FiloJobs *jobs = start(2);
    FiloJob job, other;
    char data[FILO_JOB_DATA + 1] = { 0 };
    expect_fault("a job needs a function", filo_job_init(&job, NULL, NULL, 0));
    expect_fault("a job holds 24 bytes of data, not 25: pass a pointer",
                 filo_job_init(&job, count, data, sizeof data));
    expect_fault("needs a pointer to them", filo_job_init(&job, count, NULL, 8));
    filo_job_init(&job, count, NULL, 0);
    filo_job_init(&other, count, NULL, 0);
    expect_fault("a priority is normal, high or low", filo_job_set_priority(&job, (FiloPriority)7));
    expect_fault("workers are counted from 0 to 255, there is no -1", filo_job_set_worker(&job, -1));
    expect_fault("give a job one parent, other than itself", filo_job_set_parent(&job, &job));
    expect_fault("a job cannot come after itself", (void)filo_job_after(&job, &job, jobs));
    filo_jobs_run(jobs, &job);
    filo_jobs_wait(jobs, &job);
    expect_fault("run a job once", filo_jobs_run(jobs, &job));
    expect_fault("set up a job before it is run", filo_job_set_name(&job, "late"));
    expect_fault("set up a job before it is run", (void)filo_job_after(&job, &other, jobs));
    expect_fault("the prerequisite has been run already", (void)filo_job_after(&other, &job, jobs));
    expect_fault("the parent has finished", filo_job_set_parent(&other, &job));
    expect_fault("the parent has finished", filo_jobs_spawn(jobs, &job, count, NULL, 0));
    filo_job_set_worker(&other, 9);
    expect_fault("the job is pinned to worker 9, but there are only 2", filo_jobs_run(jobs, &other));
    filo_jobs_wait(jobs, &other);
    expect_fault("a loop needs a function", filo_jobs_for(jobs, 5, NULL, NULL));
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    expect_mistake("a scheduler has 1 to 256 threads, not 257",
                   filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 257 }));
    assert_null(jobs);
}

static void wait_for_oneself(FiloJob *job, void *data) { filo_jobs_wait(*(FiloJobs **)data, job); }

FILO_TEST(waiting_for_oneself_is_caught) {
    for_thread_counts(jobs) {
        FiloJob job;
        filo_job_init(&job, wait_for_oneself, &jobs, sizeof jobs);
        filo_job_set_worker(&job, 0);
        filo_jobs_run(jobs, &job);
        expect_fault("inside a job, for that job", filo_jobs_run_pinned(jobs));
        assert_true(filo_job_finished(&job));
    }
}

FILO_TEST(the_most_threads_there_may_be_work) {
    FiloJobs *jobs = start(FILO_JOBS_MAX_THREADS);
    FiloJob root;
    counter = 0;
    filo_job_init(&root, grow_tree, &(Tree){ jobs, 7 }, sizeof(Tree));
    filo_jobs_run(jobs, &root);
    filo_jobs_wait(jobs, &root);
    assert_int_equal(counter, 3280);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

FILO_TEST(jobs_show_in_a_profile_by_name) {
    FiloJobs *jobs = start(2);
    filo_profile_start(NULL);
    FiloJob job;
    filo_job_init(&job, count, NULL, 0);
    filo_job_set_name(&job, "counting sheep");
    filo_jobs_run(jobs, &job);
    filo_jobs_wait(jobs, &job);
    filo_profile_stop();
    char text[4096];
    filo_profile_summary(text, sizeof text);
    assert_contains(text, "counting sheep");
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

FILO_TEST(counters_show_in_a_profile) {
    FiloJobs *jobs = start(2);
    filo_profile_start(NULL);
    filo_jobs_profile_counters(jobs);
    filo_profile_stop();
    char text[4096];
    filo_profile_summary(text, sizeof text);
    assert_contains(text, "jobs run");
    assert_contains(text, "jobs queued");
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

// ---- Memory -------------------------------------------------------------------------------------------

static FiloFaultAnswer ignore_out_of_memory(const FiloFault *fault, void *user) {
    (void)user;
    return fault->kind == FILO_FAULT_OUT_OF_MEMORY ? FILO_FAULT_CONTINUE : FILO_FAULT_DEFAULT;
}

FILO_TEST(a_scheduler_that_gets_no_memory_is_an_error_whichever_allocation_fails) {
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ ignore_out_of_memory, NULL });
    FiloResult result = filo_error(FILO_ERROR_MEMORY, "not yet");
    int failures = 0;
    for (size_t budget = 64; result.code != FILO_OK; budget += 3000, failures++) {
        FiloJobs *jobs;
        result = filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 3, .memory_budget = budget });
        if (result.code == FILO_OK)
            filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
        else
            assert_error(result, FILO_ERROR_MEMORY, "no memory for a scheduler");
    }
    assert_true(failures > 10);
    filo_fault_set_handler(before);
}

FILO_TEST(a_scheduler_that_gets_no_threads_is_an_error) {
    FiloJobs *jobs;
    FiloJobsDesc desc = { .threads = 4, .stack_size = FILO_GIB(1) << 20 }; // more addresses than there are
    assert_error(filo_jobs_create(&jobs, &desc), FILO_ERROR_LIMIT, "the system does not allow 4 threads");
    assert_null(jobs);
}

FILO_TEST(work_that_cannot_be_queued_for_lack_of_memory_is_done_at_once) {
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ ignore_out_of_memory, NULL });
    for (int threads = 1; threads <= 2; threads++) {
        FiloJobs *jobs;
        size_t budget = FILO_KIB(400); // enough to start, not for a hundred thousand jobs
        assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = threads, .memory_budget = budget }));
        FiloJob parent;
        counter = 0;
        filo_job_init(&parent, count, NULL, 0);
        for (int i = 0; i < 100000; i++) filo_jobs_spawn(jobs, &parent, count, NULL, 0);
        filo_jobs_run(jobs, &parent);
        filo_jobs_wait(jobs, &parent);
        assert_int_equal(counter, 100001);
        filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    }
    filo_fault_set_handler(before);
}

// ---- Marks ----------------------------------------------------------------------------------------------

static void count_marked(FiloJob *job, void *data) {
    (void)job, (void)data;
    if (filo_jobs_marked()) base_add_relaxed(&counter, 1);
}

static void count_marked_range(size_t begin, size_t end, void *user) {
    (void)user;
    for (size_t i = begin; i < end; i++) count_marked(NULL, NULL);
}

static void start_marked(FiloJobs *jobs, bool mark) {
    FiloJob first, second, parent;
    filo_job_init(&first, count_marked, NULL, 0);
    filo_job_init(&second, count_marked, NULL, 0);
    filo_job_init(&parent, count_marked, NULL, 0);
    assert_true(filo_job_after(&second, &first, jobs));
    bool before = filo_jobs_set_mark(mark);
    filo_job_set_worker(&first, 0);
    filo_jobs_run(jobs, &second);
    filo_jobs_run(jobs, &first);
    for (int i = 0; i < 100; i++) filo_jobs_spawn(jobs, &parent, count_marked, NULL, 0);
    filo_jobs_run(jobs, &parent);
    filo_jobs_for_each(jobs, 100, count_marked_range, NULL);
    (void)filo_jobs_set_mark(before);
    filo_jobs_wait(jobs, &second); // by a thread with the other mark
    filo_jobs_wait(jobs, &parent);
    assert_int_equal(filo_jobs_marked(), before);
}

FILO_TEST(a_job_has_the_mark_of_the_thread_that_started_it) {
    only_in_debug_builds();
    for_thread_counts(jobs) {
        counter = 0;
        start_marked(jobs, true);
        assert_int_equal(counter, 203);
        (void)filo_jobs_set_mark(true);
        counter = 0;
        start_marked(jobs, false);
        assert_int_equal(counter, 0);
        (void)filo_jobs_set_mark(false);
    }
}

// ---- Depth --------------------------------------------------------------------------------------------

typedef struct Chain {
    FiloJobs *jobs;
    int depth;
} Chain;

static void nest(FiloJob *job, void *data) {
    (void)job;
    Chain *chain = data;
    if (chain->depth == 0) return;
    FiloJob inner;
    filo_job_init(&inner, nest, &(Chain){ chain->jobs, chain->depth - 1 }, sizeof(Chain));
    filo_jobs_run(chain->jobs, &inner);
    filo_jobs_wait(chain->jobs, &inner);
}

FILO_TEST(jobs_may_wait_for_jobs_a_thousand_deep) {
    for_thread_counts(jobs) nest(NULL, &(Chain){ jobs, 1000 });
}

FILO_TEST_PROGRAM(nests_without_end) {
    FiloJobs *jobs = start(1);
    nest(NULL, &(Chain){ jobs, 100000000 });
}

FILO_TEST(nesting_without_end_stops_with_a_sentence_before_the_stack_does) {
    FiloTestOutcome *outcome = malloc(sizeof *outcome);
    assert_non_null(outcome);
    filo_test_run(outcome, &(FiloTestRun){ .program = "nests_without_end" });
    assert_int_equal(outcome->signal, SIGABRT);
    assert_contains(outcome->errors, "so deep that the stack is nearly used up");
    free(outcome);
}
