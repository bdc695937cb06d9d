// Private jobs of an owner that runs a long job: other workers must get them nevertheless.

#include "support/test.h"

#include <filo/time.h>

#include "jobs/scheduler.h"

#define HIDDEN 10

typedef struct Scene {
    FiloJobs *jobs;
    BASE_ATOMIC(int) busy, resume, run, on_owner;
} Scene;

static void stay_busy(FiloJob *job, void *data) {
    (void)job;
    Scene *scene = *(Scene **)data;
    base_add_relaxed(&scene->busy, 1);
    while (base_load_acquire(&scene->resume) == 0) filo_thread_yield();
}

static void note_run(FiloJob *job, void *data) {
    (void)job;
    Scene *scene = *(Scene **)data;
    if (filo_jobs_worker(scene->jobs) == 0) base_add_relaxed(&scene->on_owner, 1);
    base_add_relaxed(&scene->run, 1);
}

// Keeps all workers but main busy, so that they neither set `wanted` nor sleep.
static void make_all_busy(Scene *scene, FiloJob *jobs, int count) {
    for (int i = 0; i < count; i++) {
        filo_job_init(&jobs[i], stay_busy, &scene, sizeof scene);
        filo_job_set_worker(&jobs[i], i + 1);
        filo_jobs_run(scene->jobs, &jobs[i]);
    }
    while (base_load_relaxed(&scene->busy) < count) filo_thread_yield();
}

// Main queues private jobs, releases the other workers, and does not help. The jobs must be run.
static void queue_privately_and_leave(FiloJobs *scheduler, int threads, FiloPriority priority,
                                      bool wait_in_kernel) {
    Scene scene = { .jobs = scheduler }, *data = &scene;
    FiloJob busy[16], hidden[HIDDEN];
    make_all_busy(&scene, busy, threads - 1);
    JobsDeque *deque = &scheduler->workers[0].deques[priority];
    if (!scheduler->fence_needed)
        base_store_relaxed(&deque->wanted, 0); // as if no thief had come for a long time
    for (int i = 0; i < HIDDEN; i++) {
        filo_job_init(&hidden[i], note_run, &data, sizeof data);
        filo_job_set_priority(&hidden[i], priority);
        filo_jobs_run(scheduler, &hidden[i]);
    }
    assert_int_equal(jobs_deque_has_private(deque), !scheduler->fence_needed);
    base_store_release(&scene.resume, 1);
    while (base_load_relaxed(&scene.run) < HIDDEN)
        if (wait_in_kernel) filo_sleep_ns(10000);
    assert_int_equal(base_load_relaxed(&scene.on_owner), 0);
    for (int i = 0; i < threads - 1; i++) filo_jobs_wait(scheduler, &busy[i]);
    for (int i = 0; i < HIDDEN; i++) filo_jobs_wait(scheduler, &hidden[i]);
}

static void hide_with(FiloJobsDesc desc, int rounds) {
    FiloJobs *jobs;
    assert_ok(filo_jobs_create(&jobs, &desc));
    for (int i = 0; i < rounds; i++) {
        static const FiloPriority priorities[] = { FILO_PRIORITY_NORMAL, FILO_PRIORITY_NORMAL,
                                                   FILO_PRIORITY_HIGH, FILO_PRIORITY_LOW };
        queue_privately_and_leave(jobs, desc.threads, priorities[i % 4], i % 2 == 0);
    }
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

FILO_TEST(private_jobs_of_a_busy_owner_are_run_by_others) {
    hide_with((FiloJobsDesc){ .threads = 2 }, 100);
    hide_with((FiloJobsDesc){ .threads = 4 }, 50);
    hide_with((FiloJobsDesc){ .threads = 16 }, 10);
}

FILO_TEST(the_same_by_workers_that_sleep_at_once) {
    hide_with((FiloJobsDesc){ .threads = 2, .spin_ns = -1 }, 100);
    hide_with((FiloJobsDesc){ .threads = 4, .spin_ns = -1 }, 50);
}

FILO_TEST(the_same_without_membarrier) {
    hide_with((FiloJobsDesc){ .threads = 2, .no_membarrier = true }, 100);
    hide_with((FiloJobsDesc){ .threads = 4, .no_membarrier = true, .spin_ns = -1 }, 50);
}

// ---- An owner that blocks until another has run what it started
// ---------------------------------------

static void spawn_and_block(FiloJob *job, void *data) {
    (void)job;
    Scene *scene = *(Scene **)data;
    FiloJob child;
    int before = base_load_relaxed(&scene->run);
    filo_job_init(&child, note_run, &scene, sizeof scene);
    filo_jobs_run(scene->jobs, &child);
    while (base_load_acquire(&scene->run) == before) filo_thread_yield(); // main never takes it
    filo_jobs_wait(scene->jobs, &child);
}

static void block_with(FiloJobsDesc desc, int rounds) {
    FiloJobs *jobs;
    assert_ok(filo_jobs_create(&jobs, &desc));
    Scene scene = { .jobs = jobs }, *data = &scene;
    for (int i = 0; i < rounds; i++) {
        FiloJob job;
        filo_job_init(&job, spawn_and_block, &data, sizeof data);
        filo_jobs_run(jobs, &job);
        if (i % 4 == 3) // long enough for the others to be asleep, or nearly
            for (int64_t until = filo_time_ns() + 1000 * (i % 32); filo_time_ns() < until;) {}
        filo_jobs_wait(jobs, &job);
    }
    assert_int_equal(base_load_relaxed(&scene.run), rounds);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

FILO_TEST(an_owner_may_block_until_another_has_run_its_job) {
    block_with((FiloJobsDesc){ .threads = 2 }, 1000);
    block_with((FiloJobsDesc){ .threads = 4 }, 500);
    block_with((FiloJobsDesc){ .threads = 2, .spin_ns = -1 }, 500);
    block_with((FiloJobsDesc){ .threads = 2, .no_membarrier = true }, 500);
    block_with((FiloJobsDesc){ .threads = 4, .no_membarrier = true, .spin_ns = -1 }, 500);
}

// ---- Stopping
// -----------------------------------------------------------------------------------------

static void stop_with_hidden_jobs(int threads, FiloJobsEnd end) {
    FiloJobs *jobs;
    assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = threads }));
    Scene scene = { .jobs = jobs }, *data = &scene;
    base_store_relaxed(&jobs->workers[0].deques[FILO_PRIORITY_NORMAL].wanted, 0);
    for (int i = 0; i < 100; i++) filo_jobs_spawn(jobs, NULL, note_run, &data, sizeof data);
    filo_jobs_destroy(jobs, end);
    if (end == FILO_JOBS_FINISH) assert_int_equal(base_load_relaxed(&scene.run), 100);
    assert_true(base_load_relaxed(&scene.run) <= 100);
}

FILO_TEST(stopping_finishes_or_cancels_private_jobs) {
    for (int threads = 1; threads <= 4; threads++) {
        stop_with_hidden_jobs(threads, FILO_JOBS_FINISH);
        stop_with_hidden_jobs(threads, FILO_JOBS_CANCEL);
    }
}

FILO_TEST(a_single_worker_never_publishes) {
    FiloJobs *jobs;
    assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 1, .no_membarrier = true }));
    Scene scene = { .jobs = jobs }, *data = &scene;
    FiloJob parent;
    filo_job_init(&parent, note_run, &data, sizeof data);
    for (int i = 0; i < 100; i++) filo_jobs_spawn(jobs, &parent, note_run, &data, sizeof data);
    JobsDeque *deque = &jobs->workers[0].deques[FILO_PRIORITY_NORMAL];
    assert_int_equal(base_load_relaxed(&deque->split), 0);
    filo_jobs_run(jobs, &parent);
    filo_jobs_wait(jobs, &parent);
    assert_int_equal(base_load_relaxed(&scene.run), 101);
    assert_int_equal(base_load_relaxed(&deque->split), 0);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}
