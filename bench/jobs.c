// Benchmarks of the job system against oneTBB and OpenMP, in the same run.
//
// Empty jobs are spawned in batches, each waited for before the next, by all alike: a thousand at a time,
// which is what a frame may have, and as a flood, all at once, which is mostly a measure of memory. Speed-ups
// are given as efficiency: the speed-up divided by what two threads of pure arithmetic reach in the same
// second, because two processors may be two halves of one.

#include "bench.h"
#include "peers.h"

#include <filo/jobs.h>

#include "jobs/deque.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FLOOD  1000000 // jobs at once
#define BATCH  1000    // jobs in a batch
#define SPAWNS 200000 // jobs in a sample of batches: short, so that what else runs on the machine misses some
#define TINY   1000000

static FiloJobs *jobs;
static int threads;

static void use_threads(int count) {
    if (jobs != NULL) filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    jobs = NULL;
    threads = count;
    tbb_use_threads(count);
    openmp_use_threads(count);
    if (count > 0 && filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = count }).code != FILO_OK)
        filo_panic("no scheduler for the benchmark");
}

static double per(int64_t start, double items) { return (double)(filo_time_ns() - start) / items; }

// ---- Spawning -----------------------------------------------------------------------------------------

static void empty_job(FiloJob *job, void *data) { (void)job, (void)data; }

// Threads of the others spin for a while after their work; nobody shall be measured beside them.
static void let_all_sleep(void) { filo_sleep_ns(3000000); }

static double spawn_wait_in(size_t count, size_t batch_size) {
    static FiloJob batch[FLOOD];
    let_all_sleep();
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < count / batch_size; i++) {
        for (size_t k = 0; k < batch_size; k++) {
            filo_job_init(&batch[k], empty_job, NULL, 0);
            filo_jobs_run(jobs, &batch[k]);
        }
        for (size_t k = batch_size; k-- > 0;) filo_jobs_wait(jobs, &batch[k]);
    }
    return per(start, (double)count);
}

static double spawn_children_in(size_t count, size_t batch_size) {
    let_all_sleep();
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < count / batch_size; i++) {
        FiloJob parent;
        filo_job_init(&parent, empty_job, NULL, 0);
        for (size_t k = 0; k < batch_size; k++) filo_jobs_spawn(jobs, &parent, empty_job, NULL, 0);
        filo_jobs_run(jobs, &parent);
        filo_jobs_wait(jobs, &parent);
    }
    return per(start, (double)count);
}

static double peer_spawn_in(void (*spawn_and_wait)(size_t batches, size_t batch), size_t count,
                            size_t batch_size) {
    let_all_sleep();
    int64_t start = filo_time_ns();
    spawn_and_wait(count / batch_size, batch_size);
    return per(start, (double)count);
}

static double spawn_wait(void *state) { return (void)state, spawn_wait_in(SPAWNS, BATCH); }
static double spawn_wait_flood(void *state) { return (void)state, spawn_wait_in(FLOOD, FLOOD); }
static double spawn_children(void *state) { return (void)state, spawn_children_in(SPAWNS, BATCH); }
static double flood_children(void *state) { return (void)state, spawn_children_in(FLOOD, FLOOD); }
// The same with a scheduler that has not seen as many before, and needs memory for them.
static double flood_fresh(void *state) {
    (void)state;
    use_threads(threads);
    return spawn_children_in(FLOOD, FLOOD);
}

static double tbb_spawn(void *state) { return (void)state, peer_spawn_in(tbb_spawn_and_wait, SPAWNS, BATCH); }
static double tbb_spawn_flood(void *state) {
    return (void)state, peer_spawn_in(tbb_spawn_and_wait, FLOOD, FLOOD);
}
static double openmp_spawn(void *state) {
    return (void)state, peer_spawn_in(openmp_spawn_and_wait, SPAWNS, BATCH);
}

// ---- Fork and join ------------------------------------------------------------------------------------

#define FIB       30
#define FIB_CALLS 2692537.0

typedef struct Fib {
    int n;
    int *result;
} Fib;

static void fib_job(FiloJob *job, void *data);

static int fib(int n) {
    if (n < 2) return n;
    int a, b;
    FiloJob job;
    Fib child = { n - 1, &a };
    filo_job_init(&job, fib_job, &child, sizeof child);
    filo_jobs_run(jobs, &job);
    b = fib(n - 2);
    filo_jobs_wait(jobs, &job);
    return a + b;
}

static void fib_job(FiloJob *job, void *data) {
    (void)job;
    Fib *f = data;
    *f->result = fib(f->n);
}

static double our_fib(void *state) {
    (void)state;
    int64_t start = filo_time_ns();
    bench_keep(fib(FIB));
    return per(start, FIB_CALLS);
}

static double their_fib(void *state) {
    (void)state;
    int64_t start = filo_time_ns();
    bench_keep(tbb_fib(FIB));
    return per(start, FIB_CALLS);
}

static double openmp_fib_sample(void *state) {
    (void)state;
    int64_t start = filo_time_ns();
    bench_keep(openmp_fib(FIB));
    return per(start, FIB_CALLS);
}

// ---- Loops --------------------------------------------------------------------------------------------

static void no_work(size_t begin, size_t end, void *user) {
    (void)user;
    for (size_t i = begin; i < end; i++) __asm__ volatile("" : : "r"(i));
}

static double our_for_tiny(void *state) {
    (void)state;
    int64_t start = filo_time_ns();
    filo_jobs_for(jobs, TINY, no_work, NULL);
    return per(start, TINY);
}

static double tbb_for_tiny(void *state) {
    (void)state;
    int64_t start = filo_time_ns();
    tbb_for(TINY, no_work, NULL);
    return per(start, TINY);
}

static double our_for_64(void *state) {
    (void)state;
    int64_t start = filo_time_ns();
    for (int i = 0; i < 1000; i++) filo_jobs_for(jobs, 64, no_work, NULL);
    return per(start, 1000);
}

static double tbb_for_64(void *state) {
    (void)state;
    int64_t start = filo_time_ns();
    for (int i = 0; i < 1000; i++) tbb_for(64, no_work, NULL);
    return per(start, 1000);
}

static double openmp_for_64(void *state) {
    (void)state;
    int64_t start = filo_time_ns();
    for (int i = 0; i < 1000; i++) openmp_for(64, no_work, NULL);
    return per(start, 1000);
}

// Items of which one in a thousand is a thousand times as heavy.
static void uneven_work(size_t begin, size_t end, void *user) {
    (void)user;
    for (size_t i = begin; i < end; i++)
        for (int k = 0; k < (i % 1000 == 0 ? 20000 : 20); k++) __asm__ volatile("" : : "r"(k));
}

static double our_for_uneven(void *state) {
    (void)state;
    int64_t start = filo_time_ns();
    filo_jobs_for(jobs, 100000, uneven_work, NULL);
    return per(start, 100000);
}

static double tbb_for_uneven(void *state) {
    (void)state;
    int64_t start = filo_time_ns();
    tbb_for(100000, uneven_work, NULL);
    return per(start, 100000);
}

// ---- The deque ----------------------------------------------------------------------------------------

static double deque_push_take(void *state) {
    (void)state;
    static JobsDeque deque;
    if (base_load_relaxed(&deque.buffer) == NULL && !jobs_deque_init(&deque, 1024, NULL))
        filo_panic("no memory");
    int64_t start = filo_time_ns();
    for (int i = 0; i < 1000; i++) {
        for (int k = 0; k < 100; k++) jobs_deque_push(&deque, &deque);
        for (int k = 0; k < 100; k++) bench_keep(jobs_deque_take(&deque));
    }
    return per(start, 100000);
}

static double deque_steal(void *state) {
    (void)state;
    static JobsDeque deque;
    if (base_load_relaxed(&deque.buffer) == NULL && !jobs_deque_init(&deque, 1024, NULL))
        filo_panic("no memory");
    int64_t spent = 0;
    bool contended;
    for (int i = 0; i < 100; i++) {
        for (int k = 0; k < 1000; k++) jobs_deque_push(&deque, &deque);
        jobs_deque_publish(&deque);
        int64_t start = filo_time_ns();
        for (int k = 0; k < 1000; k++) bench_keep(jobs_deque_steal(&deque, &contended));
        spent += filo_time_ns() - start;
    }
    return (double)spent / 100000;
}

static FiloMutex a_lock = FILO_MUTEX_INIT;

static double lock_unlock(void *state) {
    (void)state;
    double ns;
    bench_time(ns, 100000, filo_mutex_lock(&a_lock); filo_mutex_unlock(&a_lock));
    return ns;
}

// ---- Latency ------------------------------------------------------------------------------------------
//
// One thread notes the time and hands over; the other notes when it begins. The median of TRIALS, in
// microseconds.

#define TRIALS 51

static uint64_t started_at; // atomic by builtins

static int by_value(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static double median_of(int64_t *samples, int count) {
    qsort(samples, (size_t)count, sizeof *samples, by_value);
    return (double)samples[count / 2] / 1000;
}

static double median_us(int64_t *samples) { return median_of(samples, TRIALS); }

// What is measured of a latency.
typedef struct Wake {
    int64_t sleep_ns; // of the thread that wakes, before each trial
    int trials;       // up to TRIALS
    bool worst;       // instead of the median: of so few, the 99th percentile
    bool apart;       // the bare thread is kept on another processor than the one that wakes it
} Wake;

static double latency_us(int64_t *samples, const Wake *wake) {
    double median = median_of(samples, wake->trials);
    return wake->worst ? (double)samples[wake->trials - 1] / 1000 : median;
}

static void note_start(FiloJob *job, void *data) {
    (void)job, (void)data;
    __atomic_store_n(&started_at, (uint64_t)filo_time_ns(), __ATOMIC_RELEASE);
}

static int64_t wait_for_start(int64_t before) {
    uint64_t at;
    while ((at = __atomic_load_n(&started_at, __ATOMIC_ACQUIRE)) == 0) {}
    return (int64_t)at - before;
}

static int64_t hand_over_job(void) {
    FiloJob job;
    started_at = 0;
    filo_job_init(&job, note_start, NULL, 0);
    filo_job_set_worker(&job, 1); // or main would have to promise not to run it
    int64_t before = filo_time_ns();
    filo_jobs_run(jobs, &job);
    int64_t latency = wait_for_start(before);
    filo_jobs_wait(jobs, &job);
    return latency;
}

static double wake(void *state) {
    const Wake *how = state;
    int64_t samples[TRIALS];
    for (int i = 0; i < how->trials; i++) {
        while (filo_jobs_stats(jobs).awake > 1) {}
        filo_sleep_ns(how->sleep_ns); // it says that it sleeps a moment before it does
        samples[i] = hand_over_job();
    }
    return latency_us(samples, how);
}

// The worker is looking for work: it has just finished some.
static double handoff(void *state) {
    (void)state;
    int64_t samples[TRIALS];
    hand_over_job();
    for (int i = 0; i < TRIALS; i++) samples[i] = hand_over_job();
    return median_us(samples);
}

static uint32_t futex_word;
static bool futex_spins, futex_ends;

static void bare_thread(void *user) {
    (void)user;
    for (uint32_t seen = 0;;) {
        while (__atomic_load_n(&futex_word, __ATOMIC_ACQUIRE) == seen)
            if (!__atomic_load_n(&futex_spins, __ATOMIC_RELAXED)) filo_park(&futex_word, seen);
        seen = __atomic_load_n(&futex_word, __ATOMIC_ACQUIRE);
        if (__atomic_load_n(&futex_ends, __ATOMIC_ACQUIRE)) return;
        __atomic_store_n(&started_at, (uint64_t)filo_time_ns(), __ATOMIC_RELEASE);
    }
}

// Keeps the thread away from the processor that the calling one is on, and the calling one on it.
static void keep_apart(const FiloThread *thread, cpu_set_t *before) {
    cpu_set_t here, elsewhere;
    CPU_ZERO(&here);
    CPU_SET((size_t)sched_getcpu(), &here);
    CPU_XOR(&elsewhere, before, &here);
    pthread_setaffinity_np(pthread_self(), sizeof here, &here);
    pthread_setaffinity_np(thread->handle, sizeof elsewhere, &elsewhere); // fails where there is only one
}

static double bare_latency(bool spins, const Wake *how) {
    int64_t samples[TRIALS];
    FiloThread thread;
    cpu_set_t processors;
    sched_getaffinity(0, sizeof processors, &processors);
    futex_word = 0, futex_ends = false, futex_spins = spins;
    if (filo_thread_start(&thread, &(FiloThreadDesc){ .function = bare_thread }).code != FILO_OK)
        filo_panic("no thread");
    if (how->apart) keep_apart(&thread, &processors);
    filo_sleep_ns(100000);
    for (int i = 0; i < how->trials; i++) {
        filo_sleep_ns(how->sleep_ns);
        started_at = 0;
        int64_t before = filo_time_ns();
        __atomic_fetch_add(&futex_word, 1, __ATOMIC_RELEASE);
        if (!spins) filo_unpark(&futex_word, 1);
        samples[i] = wait_for_start(before);
    }
    __atomic_store_n(&futex_ends, true, __ATOMIC_RELEASE);
    __atomic_fetch_add(&futex_word, 1, __ATOMIC_RELEASE);
    filo_unpark(&futex_word, 1);
    filo_thread_join(&thread);
    if (how->apart) sched_setaffinity(0, sizeof processors, &processors);
    return latency_us(samples, how);
}

static double bare_futex(void *state) { return bare_latency(false, state); }
static double bare_spin(void *state) {
    (void)state;
    return bare_latency(true, &(Wake){ .sleep_ns = 1000, .trials = TRIALS });
}

// ---- A frame after a sleep ----------------------------------------------------------------------------
//
// A game that waits for the screen sleeps for most of a frame, and then has much to do at once: jobs in layers, each of
// which needs all of the layer before it.

#define FRAMES    21 // the median of these is a sample
#define FRAME_NS  14000000
#define LAYERS    10
#define LAYER     20
#define FRAME_JOB 5000 // nanoseconds of a job

static int work_steps; // that take FRAME_JOB

// A chain of which each step needs the one before it: two halves of a core do not slow each other down.
static __attribute__((noinline)) void chain_work(int steps) {
    double x = 1;
    for (int i = 0; i < steps; i++) {
        x = x * 1.0000001;
        __asm__ volatile("" : "+x"(x));
    }
}

static void calibrate_work(void) {
    int64_t best = INT64_MAX;
    for (int i = 0; i < 200; i++) {
        int64_t start = filo_time_ns();
        chain_work(10000);
        best = FILO_MIN(best, filo_time_ns() - start);
    }
    work_steps = (int)(10000.0 * FRAME_JOB / (double)best);
}

void frame_work(void) { chain_work(work_steps); }

static void frame_job(FiloJob *job, void *data) {
    (void)job, (void)data;
    frame_work();
}

static void our_frame(void) {
    FiloJob layer[LAYERS][LAYER], gate[LAYERS];
    for (int i = 0; i < LAYERS; i++) {
        filo_job_init(&gate[i], empty_job, NULL, 0);
        for (int k = 0; k < LAYER; k++) {
            filo_job_init(&layer[i][k], frame_job, NULL, 0);
            bench_expect((i == 0 || filo_job_after(&layer[i][k], &gate[i - 1], jobs)) &&
                             filo_job_after(&gate[i], &layer[i][k], jobs),
                         "a graph of jobs");
        }
    }
    for (int i = LAYERS; i-- > 0;) {
        filo_jobs_run(jobs, &gate[i]);
        for (int k = 0; k < LAYER; k++) filo_jobs_run(jobs, &layer[i][k]);
    }
    filo_jobs_wait(jobs, &gate[LAYERS - 1]);
}

static void plain_frame(void) {
    for (int i = 0; i < LAYERS * LAYER; i++) frame_work();
}

static double frames_after_sleep(void (*frame)(void)) {
    int64_t samples[FRAMES];
    for (int i = 0; i < FRAMES; i++) {
        filo_sleep_ns(FRAME_NS);
        int64_t start = filo_time_ns();
        frame();
        samples[i] = filo_time_ns() - start;
    }
    return median_of(samples, FRAMES);
}

static double our_frames(void *state) { return (void)state, frames_after_sleep(our_frame); }
static double tbb_frames(void *state) { return (void)state, frames_after_sleep(tbb_frame); }
static double ideal_frames(void *state) { return (void)state, frames_after_sleep(plain_frame) / 2; }

// ---- Idling -------------------------------------------------------------------------------------------

// Nanoseconds that all threads but the calling one have spent on a processor.
static double others_cpu_ns(void) {
    double sum = 0;
    DIR *tasks = opendir("/proc/self/task");
    if (tasks == NULL) return 0;
    for (struct dirent *task; (task = readdir(tasks)) != NULL;) {
        if (task->d_name[0] == '.' || atoi(task->d_name) == (int)getpid()) continue;
        char path[300];
        double ns = 0;
        snprintf(path, sizeof path, "/proc/self/task/%s/schedstat", task->d_name);
        FILE *file = fopen(path, "re");
        if (file == NULL) continue;
        if (fscanf(file, "%lf", &ns) == 1) sum += ns;
        fclose(file);
    }
    closedir(tasks);
    return sum;
}

// CPU seconds that the other threads use in a second of nothing.
static double idle(void *state) {
    (void)state;
    filo_sleep_ns(50000000);
    double before = others_cpu_ns();
    filo_sleep_ns(200000000);
    return FILO_MAX((others_cpu_ns() - before) / 2e8, 1e-9);
}

static double our_idle(void *state) {
    hand_over_job();
    return idle(state);
}

static double tbb_idle(void *state) {
    tbb_for(1000, no_work, NULL);
    return idle(state);
}

// How long the other threads of this process go on after the last work: until the kernel says that all of
// them sleep. The files that tell are opened beforehand, so that asking takes a few microseconds, not what is
// to be measured.
#define MOST_OTHERS 64

static int open_others(int *files) {
    int count = 0;
    DIR *tasks = opendir("/proc/self/task");
    if (tasks == NULL) return 0;
    for (struct dirent *task; (task = readdir(tasks)) != NULL && count < MOST_OTHERS;) {
        if (task->d_name[0] == '.' || atoi(task->d_name) == (int)getpid()) continue;
        char path[300];
        snprintf(path, sizeof path, "/proc/self/task/%s/stat", task->d_name);
        int file = open(path, O_RDONLY | O_CLOEXEC);
        if (file >= 0) files[count++] = file;
    }
    closedir(tasks);
    return count;
}

static bool all_sleep(const int *files, int count) {
    for (int i = 0; i < count; i++) {
        char text[256];
        ssize_t length = pread(files[i], text, sizeof text - 1, 0);
        if (length <= 0) continue; // it has ended
        text[length] = '\0';
        const char *end = strrchr(text, ')'); // the state follows the name
        if (end == NULL || end[2] != 'S') return false;
    }
    return true;
}

// `work` returns when it was done, by the clock of whoever did it: where both threads share a processor, the
// other one may be asleep before this one goes on.
static double until_asleep(int64_t (*work)(void)) {
    int64_t samples[TRIALS];
    int files[MOST_OTHERS], count = open_others(files);
    for (int i = 0; i < TRIALS; i++) {
        int64_t done = work();
        while (!all_sleep(files, count)) {}
        samples[i] = filo_time_ns() - done;
    }
    for (int i = 0; i < count; i++) close(files[i]);
    return median_us(samples);
}

static int64_t our_work(void) {
    hand_over_job();
    return (int64_t)started_at;
}

static int64_t their_work(void) {
    int64_t before = filo_time_ns();
    return before + tbb_start_latency();
}

static double our_park(void *state) { return (void)state, until_asleep(our_work); }
static double tbb_park(void *state) { return (void)state, until_asleep(their_work); }

// ---- Speed-up -----------------------------------------------------------------------------------------

#define FLOATS 1000000
extern float bench_angles[FLOATS], bench_sines[FLOATS];
float bench_angles[FLOATS], bench_sines[FLOATS]; // not static, or what is never read would not be written

static void sine_range(size_t begin, size_t end, void *user) {
    (void)user;
    for (size_t i = begin; i < end; i++) bench_sines[i] = filo_sin(bench_angles[i]);
}

#define TURNS 15 // of one and of two threads; the best of each makes one sample

static double sine_speed_up(void *state) {
    (void)state;
    int64_t alone = INT64_MAX, together = INT64_MAX;
    for (int i = 0; i < TURNS; i++) {
        int64_t start = filo_time_ns();
        sine_range(0, FLOATS, NULL);
        int64_t middle = filo_time_ns();
        filo_jobs_for(jobs, FLOATS, sine_range, NULL);
        alone = FILO_MIN(alone, middle - start);
        together = FILO_MIN(together, filo_time_ns() - middle);
    }
    return (double)alone / (double)together;
}

// What the two processors give: see bench.h.
static double hardware_speed_up(void *state) {
    (void)state;
    return bench_hardware_speed_up();
}

// ---- More threads than this machine has, computed -----------------------------------------------------
//
// Work (the time of all items) and span (of the longest one, and of the splits before it) are measured here;
// a greedy scheduler then needs at most work / P + span on P threads. Marked as computed, because it is.

static double longest_item_ns, total_ns;
static int computed_threads;

static void measure_items(void) {
    enum { ITEMS = 100000, PIECE = 100 };
    longest_item_ns = total_ns = 0;
    for (size_t i = 0; i < ITEMS; i += PIECE) {
        int64_t start = filo_time_ns();
        uneven_work(i, i + 1, NULL); // the heavy one of each thousand comes first
        int64_t middle = filo_time_ns();
        uneven_work(i + 1, i + PIECE, NULL);
        total_ns += (double)(filo_time_ns() - start);
        longest_item_ns = FILO_MAX(longest_item_ns, (double)(middle - start));
    }
    longest_item_ns = FILO_MIN(longest_item_ns, total_ns / 100); // not an interruption by somebody else
}

static double greedy_bound(void *state) {
    (void)state;
    measure_items();
    double span = longest_item_ns + 17 * 200.0; // log2 of the items, a split each
    return total_ns / (total_ns / computed_threads + span);
}

static double thread_number(void *state) { return (void)state, (double)computed_threads; }

// ---- All ----------------------------------------------------------------------------------------------

#define TBB    "oneTBB"
#define OPENMP "OpenMP"

static void bench_one_thread(void) {
    use_threads(1);
    bench_compare(&(BenchFigure){ "jobs.spawn_wait_1", "ns", spawn_wait, tbb_spawn, TBB, NULL, 0, false });
    bench_compare(
        &(BenchFigure){ "jobs.flood_1", "ns", flood_children, tbb_spawn_flood, TBB, NULL, 0, false });
    bench_compare(
        &(BenchFigure){ "jobs.flood_1.fresh", "ns", flood_fresh, tbb_spawn_flood, TBB, NULL, 0, false });
    bench_compare(&(BenchFigure){ "jobs.fib_1", "ns/call", our_fib, their_fib, TBB, NULL, 0, false });
    bench_compare(&(BenchFigure){ "jobs.deque", "ns", deque_push_take, lock_unlock, "lock and unlock", NULL,
                                  0, false });
    bench_compare(
        &(BenchFigure){ "jobs.steal", "ns", deque_steal, lock_unlock, "lock and unlock", NULL, 0, false });
}

static void bench_two_threads(void) {
    use_threads(2);
    const BenchFigure figures[] = {
        { "jobs.spawn_wait", "ns", spawn_wait, tbb_spawn, TBB, NULL, 0, false },
        { "jobs.spawn_wait.flood", "ns", spawn_wait_flood, tbb_spawn_flood, TBB, NULL, 0, false },
        { "jobs.spawn_wait.openmp", "ns", spawn_wait, openmp_spawn, OPENMP, NULL, 0, false },
        { "jobs.spawn_children", "ns", spawn_children, tbb_spawn, TBB, NULL, 0, false },
        { "jobs.fib", "ns/call", our_fib, their_fib, TBB, NULL, 0, false },
        { "jobs.fib.openmp", "ns/call", our_fib, openmp_fib_sample, OPENMP, NULL, 0, false },
        { "jobs.for_tiny", "ns/item", our_for_tiny, tbb_for_tiny, TBB, NULL, 0, false },
        { "jobs.for_64", "ns", our_for_64, tbb_for_64, TBB, NULL, 0, false },
        { "jobs.for_64.openmp", "ns", our_for_64, openmp_for_64, OPENMP, NULL, 0, false },
        { "jobs.for_uneven", "ns/item", our_for_uneven, tbb_for_uneven, TBB, NULL, 0, false },
        { "jobs.handoff", "µs", handoff, bare_spin, "bare spinning thread", NULL, 0, false },
        { "jobs.efficiency_2", "x", sine_speed_up, hardware_speed_up, "arithmetic on two threads", NULL, 0,
          true },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(figures); i++) bench_compare(&figures[i]);
}

// Without others' threads about, which may be spinning.
static void bench_sleep(void) {
    use_threads(2);
    tbb_use_threads(0);
    static const struct {
        const char *name, *reference;
        Wake how;
    } wakes[] = {
        { "jobs.wake", "bare futex", { 100000, TRIALS, false, false } },
        { "jobs.wake_p99", "bare futex", { 100000, TRIALS, true, false } },
        { "jobs.wake.2ms", "bare futex", { 2000000, TRIALS, false, false } },
        { "jobs.wake.14ms", "bare futex", { 14000000, FRAMES, false, false } },
        { "jobs.wake.14ms.apart", "bare futex to another CPU", { 14000000, FRAMES, false, true } },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(wakes); i++)
        bench_compare(&(BenchFigure){ wakes[i].name, "µs", wake, bare_futex, wakes[i].reference,
                                      (void *)(uintptr_t)&wakes[i].how, 7, false });
    calibrate_work();
    bench_compare(&(BenchFigure){ "jobs.frame_after_sleep", "µs", our_frames, ideal_frames,
                                  "half of the work", NULL, 7, false });
    tbb_use_threads(2);
    bench_compare(
        &(BenchFigure){ "jobs.frame_after_sleep.tbb", "µs", our_frames, tbb_frames, TBB, NULL, 7, false });
    bench_compare(&(BenchFigure){ "jobs.park", "µs", our_park, tbb_park, TBB, NULL, 7, false });
    bench_compare(&(BenchFigure){ "jobs.idle", "s/s", our_idle, tbb_idle, TBB, NULL, 7, false });
}

FILO_BENCH(jobs) {
    if (!bench_wanted("jobs")) return;
    for (int i = 0; i < FLOATS; i++) bench_angles[i] = (float)i * 0.0001f;
    bench_sleep(); // before OpenMP's threads, which spin for long
    bench_one_thread();
    bench_two_threads();
    use_threads(0);
    static const char *const names[] = { "jobs.computed.4", "jobs.computed.8", "jobs.computed.16" };
    for (int i = 0; i < 3; i++) {
        computed_threads = 4 << i;
        bench_compare(&(BenchFigure){ names[i], "x", greedy_bound, thread_number,
                                      "threads; computed, not measured", NULL, 7, true });
    }
}
