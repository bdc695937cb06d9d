// Jobs: running and waiting, order, pinning, foreign threads, mistakes, marks and depth.

#include "jobs/jobs_fixture.h"

#include <filo/threads.h>

#include <signal.h>
#include <stdlib.h>

#include "support/failing_allocator.h"

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
        for (int round = 0; round < 20; round++) count_children(jobs, 1000);
    }
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

FILO_TEST(more_jobs_than_any_initial_capacity_are_all_run) {
    for_thread_counts(jobs) count_children(jobs, 100000);
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

FILO_TEST(a_pinned_job_runs_on_its_worker) {
    for_thread_counts(jobs) {
        int threads = filo_jobs_threads(jobs);
        for (int worker = 0; worker < threads; worker++) {
            int found = -1;
            FiloJob job;
            filo_job_init(&job, note_worker, &(WorkerNote){ jobs, &found }, sizeof(WorkerNote));
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
    FiloJob *pinned = filo_jobs_new(((WorkerNote *)data)->jobs, note_worker, data, sizeof(WorkerNote));
    filo_job_set_worker(pinned, 0);
    filo_job_set_parent(pinned, job);
    filo_jobs_run(((WorkerNote *)data)->jobs, pinned);
}

FILO_TEST(a_worker_can_have_something_done_on_main) {
    for_thread_counts(jobs) {
        int found = -1;
        FiloJob job;
        filo_job_init(&job, pin_to_main, &(WorkerNote){ jobs, &found }, sizeof(WorkerNote));
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
        filo_job_init(&list[i], note_worker, &(WorkerNote){ jobs, &found[i] }, sizeof(WorkerNote));
        filo_job_set_worker(&list[i], 0);
        filo_jobs_run(jobs, &list[i]);
    }
    assert_int_equal(found[0], -1);
    assert_int_equal(filo_jobs_run_pinned(jobs), 3);
    for (int i = 0; i < 3; i++) assert_int_equal(found[i], 0);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

// ---- Foreign threads ----------------------------------------------------------------------------------

typedef struct Foreign {
    FiloJobs *jobs;
    int rounds;
} Foreign;

static void add_range(size_t begin, size_t end, void *user) {
    for (size_t i = begin; i < end; i++) base_add_relaxed((_Atomic uint64_t *)user, i);
}

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
    _Atomic uint64_t sum = 0;
    filo_jobs_for(foreign->jobs, 100, add_range, &sum);
    assert_int_equal(sum, 4950);
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

// ---- Data that is larger than a line ------------------------------------------------------------------

static const size_t data_sizes[] = { 1, 24, 25, 44, 64, 88, 89, 400, 472, 473, 2000, FILO_JOB_DATA_MAX };

typedef struct Large {
    uint16_t size, first;
    unsigned char bytes[];
} Large;

// Counts if all bytes are there, and changes them.
static void read_large(FiloJob *job, void *data) {
    assert_int_equal((uintptr_t)data % 8, 0);
    Large *large = data;
    bool right = true;
    for (size_t i = 0; i + sizeof *large < large->size; i++) {
        right &= large->bytes[i] == (unsigned char)(large->first + i);
        large->bytes[i] = 0;
    }
    if (right) count(job, NULL);
}

static const void *fill_large(uint64_t memory[FILO_JOB_DATA_MAX / 8], size_t size, int first) {
    Large *large = (Large *)memory;
    *large = (Large){ .size = (uint16_t)size, .first = (uint16_t)first };
    for (size_t i = 0; i + sizeof *large < size; i++) large->bytes[i] = (unsigned char)((size_t)first + i);
    return large;
}

static void spawn_large(FiloJobs *jobs, FiloJob *parent, int number) {
    uint64_t memory[FILO_JOB_DATA_MAX / 8];
    for (int i = 0; i < number; i++) {
        size_t size = data_sizes[1 + (size_t)i % (FILO_COUNT_OF(data_sizes) - 1)];
        const void *data = fill_large(memory, size, i);
        if (i % 3 != 0) {
            filo_jobs_spawn(jobs, parent, read_large, data, size);
            continue;
        }
        FiloJob *job = filo_jobs_new(jobs, read_large, data, size);
        assert_non_null(job);
        filo_job_set_name(job, "large");
        filo_job_set_parent(job, parent);
        filo_jobs_run(jobs, job);
    }
}

static void spawn_more_large(FiloJob *job, void *data) { spawn_large(*(FiloJobs **)data, job, 60); }

FILO_TEST(data_of_any_size_up_to_the_maximum_is_copied) {
    for_thread_counts(jobs) {
        counter = 0;
        FiloJob parent;
        filo_job_init(&parent, count, NULL, 0);
        spawn_large(jobs, &parent, 500);
        for (int i = 0; i < 20; i++) filo_jobs_spawn(jobs, &parent, spawn_more_large, &jobs, sizeof jobs);
        filo_jobs_run(jobs, &parent);
        filo_jobs_wait(jobs, &parent);
        assert_int_equal(counter, 1 + 500 + 20 * 60);
    }
}

static void spawn_large_from_outside(void *user) {
    FiloJob parent;
    filo_job_init(&parent, count, NULL, 0);
    spawn_large(user, &parent, 200);
    filo_jobs_run(user, &parent);
    filo_jobs_wait(user, &parent);
}

FILO_TEST(foreign_threads_pass_large_data_too) {
    FiloJobs *jobs = start(4);
    FiloThread threads[4];
    counter = 0;
    for (int i = 0; i < 4; i++)
        assert_ok(filo_thread_start(&threads[i],
                                    &(FiloThreadDesc){ .function = spawn_large_from_outside, .user = jobs }));
    for (int i = 0; i < 4; i++) filo_thread_join(&threads[i]);
    assert_int_equal(counter, 4 * 201);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

FILO_TEST(large_data_takes_memory_once) {
    FiloJobs *jobs = start(1);
    uint64_t calls = 0;
    for (int round = 0; round < 20; round++) {
        if (round == 2) calls = filo_memory_system_calls();
        FiloJob parent;
        filo_job_init(&parent, count, NULL, 0);
        spawn_large(jobs, &parent, 300);
        filo_jobs_run(jobs, &parent);
        filo_jobs_wait(jobs, &parent);
    }
    assert_int_equal(filo_memory_system_calls(), calls);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

FILO_TEST(large_data_without_memory_is_run_at_once) {
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    FiloJobs *jobs;
    assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 1, .memory_budget = FILO_KIB(112) }));
    uint64_t memory[FILO_JOB_DATA_MAX / 8];
    counter = 0;
    FiloJob parent;
    filo_job_init(&parent, count, NULL, 0);
    for (int i = 0; i < 100; i++)
        filo_jobs_spawn(jobs, &parent, read_large, fill_large(memory, FILO_JOB_DATA_MAX, i),
                        FILO_JOB_DATA_MAX);
    int at_once = counter;
    assert_true(at_once > 0);
    filo_jobs_run(jobs, &parent);
    filo_jobs_wait(jobs, &parent);
    assert_int_equal(counter, 101);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    filo_fault_set_handler(before);
}

FILO_TEST(data_that_is_too_large_is_a_mistake_and_the_job_does_nothing) {
    static const unsigned char data[FILO_JOB_DATA_MAX + 1];
    const char *message =
        "a job in the scheduler's memory holds 4056 bytes of data, not 4057: pass a pointer";
    FiloJobs *jobs = start(2);
    FiloJob parent, *job = NULL;
    counter = 0;
    filo_job_init(&parent, count, NULL, 0);
    expect_fault(message, filo_jobs_spawn(jobs, &parent, count, data, sizeof data));
    expect_fault(message, job = filo_jobs_new(jobs, count, data, sizeof data));
    expect_fault("needs a pointer to them", filo_jobs_spawn(jobs, &parent, count, NULL, 44));
    expect_fault("a job needs a function", filo_jobs_spawn(jobs, &parent, NULL, data, 44));
    filo_job_set_parent(job, &parent);
    filo_jobs_run(jobs, job);
    filo_jobs_run(jobs, &parent);
    filo_jobs_wait(jobs, &parent);
    assert_int_equal(counter, 1);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

// ---- Mistakes -----------------------------------------------------------------------------------------

FILO_TEST(misuse_is_named) {
    FiloJobs *jobs = start(2);
    FiloJob job, other;
    char data[FILO_JOB_DATA + 1] = { 0 };
    expect_fault("a job needs a function", filo_job_init(&job, NULL, NULL, 0));
    expect_fault("a job holds 24 bytes of data, not 25: pass a pointer, or use filo_jobs_new",
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

// ---- Marks --------------------------------------------------------------------------------------------

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
    FiloTestResult *outcome = malloc(sizeof *outcome);
    assert_non_null(outcome);
    filo_test_run(outcome, &(FiloTestRun){ .program = "nests_without_end" });
    assert_int_equal(outcome->signal, SIGABRT);
    assert_contains(outcome->errors, "so deep that the stack is nearly used up");
    free(outcome);
}
