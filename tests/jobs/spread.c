// On which processor woken workers start. This program replaces the system calls for CPU masks by functions that count.
// They call the system, or simulate a machine whose kernel starts every thread on processor 0, if its mask allows it.

#include "support/test.h"

#include <filo/threads.h>
#include <filo/time.h>

#include "jobs/scheduler.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_THREADS 64
#define MANY_WAKES   100000 // after so many a test fails

typedef struct Thread {
    pid_t id;
    cpu_set_t mask;
    int processor; // that it runs on
} Thread;

static struct {
    bool pretends;
    int processors;
    bool forbids;         // changing a mask
    bool spreads;         // it starts each thread on a processor of its own
    cpu_set_t *interrupt; // the mask that another program sets as soon as one is narrowed
    FiloMutex lock;
    Thread threads[MOST_THREADS];
    int thread_count;
    int changes, changes_of_main, reads;
} kernel = { .lock = FILO_MUTEX_INIT };

static uint64_t times_asleep[FILO_JOBS_MAX_THREADS]; // see wait_until_asleep
static int narrowed_masks;                           // that jobs have seen

// For each test: one process may run several.
static void begin(void) {
    kernel.pretends = kernel.forbids = kernel.spreads = false;
    kernel.interrupt = NULL;
    kernel.thread_count = kernel.changes = kernel.changes_of_main = kernel.reads = 0;
    memset(times_asleep, 0, sizeof times_asleep);
    narrowed_masks = 0;
}

static void set_first(cpu_set_t *set, int count) {
    CPU_ZERO(set);
    for (int i = 0; i < count; i++) CPU_SET((size_t)i, set);
}

static int lowest(const cpu_set_t *set) {
    int i = 0;
    while (!CPU_ISSET((size_t)i, set)) i++;
    return i;
}

// With the lock held.
static Thread *find_thread(pid_t id) {
    if (id == 0) id = gettid();
    for (int i = 0; i < kernel.thread_count; i++)
        if (kernel.threads[i].id == id) return &kernel.threads[i];
    if (kernel.thread_count == MOST_THREADS) abort();
    Thread *thread = &kernel.threads[kernel.thread_count++];
    *thread = (Thread){ .id = id, .processor = kernel.spreads ? kernel.thread_count - 1 : 0 };
    set_first(&thread->mask, kernel.processors);
    return thread;
}

static int processor_of(const JobsWorker *worker) {
    filo_mutex_lock(&kernel.lock);
    int processor = find_thread(worker->spread.thread)->processor;
    filo_mutex_unlock(&kernel.lock);
    return processor;
}

int sched_setaffinity(pid_t id, size_t size, const cpu_set_t *mask) {
    filo_mutex_lock(&kernel.lock);
    kernel.changes++;
    if (id == getpid() || (id == 0 && gettid() == getpid())) kernel.changes_of_main++;
    bool pretends = kernel.pretends, forbids = kernel.forbids;
    if (pretends && !forbids) {
        Thread *thread = find_thread(id);
        cpu_set_t all;
        set_first(&all, kernel.processors);
        CPU_AND(&thread->mask, mask, &all);
        if (!CPU_ISSET((size_t)thread->processor, &thread->mask)) thread->processor = lowest(&thread->mask);
        if (kernel.interrupt != NULL && !CPU_EQUAL(&thread->mask, &all)) thread->mask = *kernel.interrupt;
    }
    filo_mutex_unlock(&kernel.lock);
    if (forbids) errno = EPERM;
    if (forbids) return -1;
    return pretends ? 0 : (int)syscall(SYS_sched_setaffinity, id, size, mask);
}

int sched_getaffinity(pid_t id, size_t size, cpu_set_t *mask) {
    memset(mask, 0, size);
    filo_mutex_lock(&kernel.lock);
    kernel.reads++;
    bool pretends = kernel.pretends;
    if (pretends) *mask = find_thread(id)->mask;
    filo_mutex_unlock(&kernel.lock);
    return pretends || syscall(SYS_sched_getaffinity, id, size, mask) > 0 ? 0 : -1;
}

int sched_getcpu(void) {
    unsigned processor = 0;
    filo_mutex_lock(&kernel.lock);
    bool pretends = kernel.pretends;
    if (pretends) processor = (unsigned)find_thread(0)->processor;
    filo_mutex_unlock(&kernel.lock);
    if (!pretends) syscall(SYS_getcpu, &processor, NULL, NULL);
    return (int)processor;
}

// ---- Waking workers -----------------------------------------------------------------------------------

// A scheduler on a simulated machine with this many processors.
static FiloJobs *pretend(int processors, FiloJobsDesc desc) {
    kernel.pretends = true;
    kernel.processors = processors;
    desc.spin_ns = -1; // workers sleep at once
    FiloJobs *jobs;
    assert_ok(filo_jobs_create(&jobs, &desc));
    set_first(&jobs->spread.processors, processors);
    return jobs;
}

// A worker announces that it sleeps, reads for work, counts that it sleeps, and sleeps, in this order.
static void wait_until_asleep(FiloJobs *jobs, int index) {
    JobsWorker *worker = &jobs->workers[index];
    while (base_load_relaxed(&worker->parked) <= times_asleep[index] ||
           base_load_relaxed(&worker->sleep) != JOBS_WORKER_PARKED)
        filo_thread_yield();
    times_asleep[index] = base_load_relaxed(&worker->parked);
}

static void compare_mask_job(FiloJob *job, void *data) {
    (void)job;
    cpu_set_t mask;
    sched_getaffinity(0, sizeof mask, &mask);
    if (!CPU_EQUAL(&mask, *(cpu_set_t **)data)) __atomic_fetch_add(&narrowed_masks, 1, __ATOMIC_RELAXED);
}

// Lets a worker fall asleep, and wakes it for a job that compares its mask with `expected`.
static void wake_one(FiloJobs *jobs, int worker, const cpu_set_t *expected) {
    FiloJob job;
    wait_until_asleep(jobs, worker);
    filo_job_init(&job, compare_mask_job, &expected, sizeof expected);
    filo_job_set_worker(&job, worker);
    filo_jobs_run(jobs, &job);
    filo_jobs_wait(jobs, &job);
}

// Repeats until a worker was moved; false if that never happens.
static bool wake_until_moved(FiloJobs *jobs) {
    for (int i = 0; i < MANY_WAKES && filo_jobs_stats(jobs).moved == 0; i++)
        wake_one(jobs, 1, &jobs->spread.processors);
    return filo_jobs_stats(jobs).moved > 0;
}

// ---- On a simulated machine ---------------------------------------------------------------------------

FILO_TEST(wake_ups_on_the_wakers_processor_are_spread) {
    begin();
    FiloJobs *jobs = pretend(2, (FiloJobsDesc){ .threads = 2 });
    assert_true(wake_until_moved(jobs));
    uint64_t moved = filo_jobs_stats(jobs).moved;
    for (int i = 0; i < 100; i++) wake_one(jobs, 1, &jobs->spread.processors);
    assert_int_equal(filo_jobs_stats(jobs).moved, moved + 100); // each time, from then on
    assert_int_equal(processor_of(&jobs->workers[1]), 1);
    assert_int_equal(narrowed_masks, 0);
    assert_int_equal(kernel.changes_of_main, 0);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

typedef struct Together {
    BASE_ATOMIC(int) started, submit_next;
} Together;

static void stay(FiloJob *job, void *data) {
    (void)job;
    Together *together = *(Together **)data;
    base_add_relaxed(&together->started, 1);
    while (base_load_relaxed(&together->submit_next) == 0) filo_thread_yield();
}

FILO_TEST(workers_that_are_woken_one_by_one_start_on_processors_of_their_own) {
    begin();
    FiloJobs *jobs = pretend(4, (FiloJobsDesc){ .threads = 4 });
    assert_true(wake_until_moved(jobs));
    Together together = { 0 }, *data = &together;
    FiloJob job[4];
    unsigned used = 1; // by main
    for (int i = 1; i < 4; i++) wait_until_asleep(jobs, i);
    for (int i = 1; i < 4; i++) {
        filo_job_init(&job[i], stay, &data, sizeof data);
        filo_job_set_worker(&job[i], i);
        filo_jobs_run(jobs, &job[i]);
        while (base_load_relaxed(&together.started) < i) filo_thread_yield();
        used |= 1u << processor_of(&jobs->workers[i]);
    }
    base_store_relaxed(&together.submit_next, 1);
    for (int i = 1; i < 4; i++) filo_jobs_wait(jobs, &job[i]);
    assert_int_equal(used, 15);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

FILO_TEST(a_kernel_that_spreads_by_itself_is_left_to_it) {
    begin();
    kernel.spreads = true;
    FiloJobs *jobs = pretend(2, (FiloJobsDesc){ .threads = 2 });
    for (int i = 0; i < 500; i++) wake_one(jobs, 1, &jobs->spread.processors);
    assert_int_equal(kernel.changes, 0);
    assert_int_equal(filo_jobs_stats(jobs).moved, 0);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

FILO_TEST(it_is_tried_again_whether_the_kernel_needs_it) {
    begin();
    FiloJobs *jobs = pretend(2, (FiloJobsDesc){ .threads = 2 });
    assert_true(wake_until_moved(jobs));
    // Spreading is over, and the worker is on another processor.
    base_store_relaxed(&jobs->spread.until, 1);
    for (int i = 0; i < 500; i++) wake_one(jobs, 1, &jobs->spread.processors);
    int changes = kernel.changes;
    for (int i = 0; i < 500; i++) wake_one(jobs, 1, &jobs->spread.processors);
    assert_int_equal(kernel.changes, changes);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

static cpu_set_t of_the_user;

static void set_mask(int worker, void *user) {
    (void)user;
    if (worker > 0) sched_setaffinity(0, sizeof of_the_user, &of_the_user);
}

FILO_TEST(a_mask_that_the_user_has_set_is_not_changed) {
    begin();
    CPU_SET(0, &of_the_user);
    CPU_SET(2, &of_the_user);
    FiloJobs *jobs = pretend(4, (FiloJobsDesc){ .threads = 2, .thread_started = set_mask });
    for (int i = 0; i < 500; i++) wake_one(jobs, 1, &of_the_user);
    assert_int_equal(kernel.changes, 1); // the user's
    assert_int_equal(narrowed_masks, 0);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

FILO_TEST(a_mask_that_another_program_changes_meanwhile_stays) {
    begin();
    cpu_set_t other;
    CPU_ZERO(&other);
    CPU_SET(3, &other);
    kernel.interrupt = &other;
    FiloJobs *jobs = pretend(4, (FiloJobsDesc){ .threads = 2 });
    for (int i = 0; i < 500; i++) wake_one(jobs, 1, &other);
    assert_int_equal(kernel.changes, 1); // neither widened nor narrowed
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

FILO_TEST(where_changing_masks_is_forbidden_it_is_tried_once) {
    begin();
    kernel.forbids = true;
    FiloJobs *jobs = pretend(2, (FiloJobsDesc){ .threads = 2 });
    for (int i = 0; i < 500; i++) wake_one(jobs, 1, &jobs->spread.processors);
    assert_int_equal(kernel.changes, 1);
    assert_int_equal(filo_jobs_stats(jobs).moved, 0);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

FILO_TEST(without_spreading_no_mask_is_changed) {
    begin();
    FiloJobs *jobs = pretend(2, (FiloJobsDesc){ .threads = 2, .no_spreading = true });
    int reads = kernel.reads;
    for (int i = 0; i < 500; i++) wake_one(jobs, 1, &jobs->spread.processors);
    assert_int_equal(kernel.changes, 0);
    assert_int_equal(kernel.reads, reads + 500); // those of the jobs
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

FILO_TEST(more_workers_than_processors_are_not_kept_off_each_other) {
    begin();
    FiloJobs *jobs = pretend(2, (FiloJobsDesc){ .threads = 3 });
    for (int i = 0; i < 500; i++) wake_one(jobs, 1 + i % 2, &jobs->spread.processors);
    assert_int_equal(kernel.changes, 0);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

FILO_TEST(a_mask_of_one_processor_is_not_changed) {
    begin();
    FiloJobs *jobs = pretend(1, (FiloJobsDesc){ .threads = 2 });
    base_store_relaxed(&jobs->spread.on, 1);
    base_store_relaxed(&jobs->spread.until, INT64_MAX);
    for (int i = 0; i < 500; i++) wake_one(jobs, 1, &jobs->spread.processors);
    assert_int_equal(kernel.changes, 0);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

// ---- On this machine ----------------------------------------------------------------------------------

static cpu_set_t real_mask(void) {
    cpu_set_t mask;
    sched_getaffinity(0, sizeof mask, &mask);
    return mask;
}

// Whether the system allows to move threads.
static bool can_move(FiloJobs *jobs) {
    cpu_set_t mask = real_mask();
    return base_load_relaxed(&jobs->spread.on) != 0 && CPU_COUNT(&mask) > 1 &&
           CPU_EQUAL(&mask, &jobs->spread.processors);
}

static void compare_mask(void *user) {
    cpu_set_t mask = real_mask();
    if (!CPU_EQUAL(&mask, (cpu_set_t *)user)) __atomic_fetch_add(&narrowed_masks, 1, __ATOMIC_RELAXED);
}

static void start_others(FiloJob *job, void *data) {
    (void)job;
    cpu_set_t *expected = *(cpu_set_t **)data;
    compare_mask(expected);
    FiloThread thread;
    if (filo_thread_start(&thread, &(FiloThreadDesc){ .function = compare_mask, .user = expected }).code ==
        FILO_OK)
        filo_thread_join(&thread);
    int end = 1;
    pid_t child = fork();
    if (child == 0) {
        cpu_set_t mask;
        CPU_ZERO(&mask);
        syscall(SYS_sched_getaffinity, 0, sizeof mask, &mask);
        _exit(!CPU_EQUAL(&mask, expected));
    }
    waitpid(child, &end, 0);
    if (end != 0) __atomic_fetch_add(&narrowed_masks, 1, __ATOMIC_RELAXED);
}

FILO_TEST(what_a_job_starts_inherits_the_whole_mask) {
    begin();
    FiloJobs *jobs;
    cpu_set_t before = real_mask(), *expected = &before;
    assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 2, .spin_ns = -1 }));
    base_store_relaxed(&jobs->spread.until, INT64_MAX); // as if there were evidence
    for (int i = 0; i < 100; i++) {
        FiloJob job;
        wait_until_asleep(jobs, 1);
        filo_job_init(&job, start_others, &expected, sizeof expected);
        filo_job_set_worker(&job, 1);
        filo_jobs_run(jobs, &job);
        filo_jobs_wait(jobs, &job);
    }
    assert_int_equal(narrowed_masks, 0);
    if (can_move(jobs)) assert_true(filo_jobs_stats(jobs).moved > 0);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

static void spawn_some(FiloJob *job, void *data) {
    for (int i = 0; i < 20; i++)
        filo_jobs_spawn(filo_jobs_current(), job, compare_mask_job, data, sizeof(void *));
}

// Workers that sleep at once and end after a millisecond, woken by main and by each other.
FILO_TEST(masks_are_whole_in_every_job_while_workers_come_and_go) {
    begin();
    FiloJobs *jobs;
    cpu_set_t before = real_mask(), *expected = &before;
    assert_ok(
        filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 4, .spin_ns = -1, .shed_after_ns = 1000000 }));
    bool can = CPU_COUNT(&before) > 1 && CPU_EQUAL(&before, &jobs->spread.processors);
    base_store_relaxed(&jobs->spread.on, can); // although there may be more workers than processors
    base_store_relaxed(&jobs->spread.until, INT64_MAX);
    // On a busy machine it takes longer until a worker is woken.
    for (int i = 0; i < 1000 || (can && filo_jobs_stats(jobs).moved == 0 && i < MANY_WAKES); i++) {
        FiloJob job;
        filo_job_init(&job, spawn_some, &expected, sizeof expected);
        filo_jobs_run(jobs, &job);
        filo_jobs_wait(jobs, &job);
        if (i % 50 == 0) filo_sleep_ns(2000000);
    }
    assert_int_equal(narrowed_masks, 0);
    if (can) assert_true(filo_jobs_stats(jobs).moved > 0);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    cpu_set_t after = real_mask();
    assert_true(CPU_EQUAL(&before, &after));
    assert_int_equal(kernel.changes_of_main, 0);
}
