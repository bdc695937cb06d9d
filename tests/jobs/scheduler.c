// Schedulers: starting, stopping, sleeping, profiles, and running out of memory or threads.

#include "jobs/jobs_fixture.h"

#include <filo/profile.h>
#include <filo/threads.h>
#include <filo/time.h>

#include "support/failing_allocator.h"

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
    filo_job_init(&job_a, note_worker, &(WorkerNote){ a, &found_a }, sizeof(WorkerNote));
    filo_job_init(&job_b, note_worker, &(WorkerNote){ b, &found_b }, sizeof(WorkerNote));
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
        FiloJobs *created = start(1);
        assert_ptr_equal(filo_jobs_current(), here);
        filo_jobs_destroy(created, FILO_JOBS_FINISH);
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

FILO_TEST(a_thread_of_several_schedulers_knows_the_scheduler_of_its_job) {
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
        filo_job_init(&job, note_worker, &(WorkerNote){ jobs, &found }, sizeof(WorkerNote));
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
        filo_job_init(&job, note_worker, &(WorkerNote){ jobs, &found }, sizeof(WorkerNote));
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
                filo_job_init(&job, note_worker, &(WorkerNote){ jobs, &found }, sizeof(WorkerNote));
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

FILO_TEST(the_maximum_number_of_threads_works) {
    FiloJobs *jobs = start(FILO_JOBS_MAX_THREADS);
    FiloJob root;
    counter = 0;
    filo_job_init(&root, grow_tree, &(Tree){ jobs, 7 }, sizeof(Tree));
    filo_jobs_run(jobs, &root);
    filo_jobs_wait(jobs, &root);
    assert_int_equal(counter, 3280);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

// ---- Profiles -----------------------------------------------------------------------------------------

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

static void wait_a_little(size_t begin, size_t end, void *user) {
    (void)user;
    for (size_t i = begin; i < end; i++) filo_sleep_ns(20000);
}

FILO_TEST(jobs_without_a_name_have_that_of_their_zone) {
    FiloJobs *jobs = start(2);
    filo_profile_clear();
    filo_profile_start(NULL);
    {
        FILO_ZONE("herding");
        FiloJob job;
        filo_job_init(&job, count, NULL, 0);
        filo_jobs_run(jobs, &job);
        filo_jobs_wait(jobs, &job);
        filo_job_init(&job, count, NULL, 0);
        filo_jobs_spawn(jobs, &job, count, NULL, 0);
        filo_jobs_run(jobs, &job);
        filo_jobs_wait(jobs, &job);
        filo_jobs_for_each(jobs, 50, wait_a_little, NULL);
    }
    filo_profile_stop();
    FiloProfileReport report;
    assert_ok(filo_profile_report_init(&report, NULL));
    assert_int_equal(report.zone_count, 1);
    assert_string_equal(report.zones[0].name, "herding");
    assert_true(report.zones[0].calls > 4);
    filo_profile_report_deinit(&report);
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

FILO_TEST(a_scheduler_that_gets_no_memory_is_an_error_whichever_allocation_fails) {
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
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
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    for (int threads = 1; threads <= 2; threads++) {
        FiloJobs *jobs;
        size_t budget = FILO_KIB(400); // enough to start, not for a hundred thousand jobs
        assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = threads, .memory_budget = budget }));
        count_children(jobs, 100000);
        filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    }
    filo_fault_set_handler(before);
}
