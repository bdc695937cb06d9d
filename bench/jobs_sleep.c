// Benchmarks of sleeping and waking: latency, a frame after a sleep, and the cost of idle workers.

#include "jobs.h"

#include "bench.h"
#include "peers.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- Latency ------------------------------------------------------------------------------------------
//
// One thread records the time and submits a job; another records when it starts. The median of TRIALS, in microseconds.

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

// How a latency is measured.
typedef struct Wake {
    int64_t sleep_ns; // of the thread that wakes, before each trial
    int trials;       // up to TRIALS
    bool worst;       // the worst instead of the median: of so few trials, the 99th percentile
    bool apart;       // the bare thread is pinned to another processor than the thread that wakes it
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
    filo_job_set_worker(&job, 1); // so that main does not run it
    int64_t before = filo_time_ns();
    filo_jobs_run(bench_scheduler, &job);
    int64_t latency = wait_for_start(before);
    filo_jobs_wait(bench_scheduler, &job);
    return latency;
}

static double wake(void *state) {
    const Wake *how = state;
    int64_t samples[TRIALS];
    for (int i = 0; i < how->trials; i++) {
        while (filo_jobs_stats(bench_scheduler).awake > 1) {}
        filo_sleep_ns(how->sleep_ns); // it announces that it sleeps shortly before it does
        samples[i] = hand_over_job();
    }
    return latency_us(samples, how);
}

// The worker is searching for work: it has just finished a job.
double bench_jobs_handoff(void *state) {
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

// Pins the calling thread to its current processor, and the other thread to all others.
static void pin_apart(const FiloThread *thread, cpu_set_t *before) {
    cpu_set_t here, elsewhere;
    CPU_ZERO(&here);
    CPU_SET((size_t)sched_getcpu(), &here);
    CPU_XOR(&elsewhere, before, &here);
    pthread_setaffinity_np(pthread_self(), sizeof here, &here);
    // Fails on a machine with one processor.
    pthread_setaffinity_np(thread->handle, sizeof elsewhere, &elsewhere);
}

static double bare_latency(bool spins, const Wake *how) {
    int64_t samples[TRIALS];
    FiloThread thread;
    cpu_set_t processors;
    sched_getaffinity(0, sizeof processors, &processors);
    futex_word = 0, futex_ends = false, futex_spins = spins;
    if (filo_thread_start(&thread, &(FiloThreadDesc){ .function = bare_thread }).code != FILO_OK)
        filo_panic("no thread");
    if (how->apart) pin_apart(&thread, &processors);
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
double bench_jobs_bare_spin(void *state) {
    (void)state;
    return bare_latency(true, &(Wake){ .sleep_ns = 1000, .trials = TRIALS });
}

// ---- A frame after a sleep ----------------------------------------------------------------------------
//
// A game that waits for the screen sleeps for most of a frame, and then has much work at once: jobs in layers, each of
// which needs all of the layer before it.

#define FRAMES    21 // the median of these is a sample
#define FRAME_NS  14000000
#define LAYERS    10
#define LAYER     20
#define FRAME_JOB 5000 // nanoseconds of a job

static int work_steps; // of chain_work that take FRAME_JOB

// A chain in which each step needs the one before it: two hardware threads of a core do not slow each other down.
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
        filo_job_init(&gate[i], filo_job_do_nothing, NULL, 0);
        for (int k = 0; k < LAYER; k++) {
            filo_job_init(&layer[i][k], frame_job, NULL, 0);
            bench_expect((i == 0 || filo_job_after(&layer[i][k], &gate[i - 1], bench_scheduler)) &&
                             filo_job_after(&gate[i], &layer[i][k], bench_scheduler),
                         "a graph of jobs");
        }
    }
    for (int i = LAYERS; i-- > 0;) {
        filo_jobs_run(bench_scheduler, &gate[i]);
        for (int k = 0; k < LAYER; k++) filo_jobs_run(bench_scheduler, &layer[i][k]);
    }
    filo_jobs_wait(bench_scheduler, &gate[LAYERS - 1]);
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

// CPU seconds that the other threads use in an idle second.
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
    tbb_for(1000, bench_jobs_no_work, NULL);
    return idle(state);
}

// How long the other threads of this process run after the last work: until the kernel reports that all of them sleep.
// The files of /proc are opened beforehand, so that reading them takes only a few microseconds.
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

// `work` returns the time at which it was done, measured on the thread that did it: where both threads share a
// processor, the other one may be asleep before this one continues.
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

// Without threads of oneTBB and OpenMP, which may be spinning.
void bench_jobs_sleep(void) {
    bench_jobs_use_threads(2);
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
    bench_compare(&(BenchFigure){ "jobs.frame_after_sleep.tbb", "µs", our_frames, tbb_frames, "oneTBB", NULL,
                                  7, false });
    bench_compare(&(BenchFigure){ "jobs.park", "µs", our_park, tbb_park, "oneTBB", NULL, 7, false });
    bench_compare(&(BenchFigure){ "jobs.idle", "s/s", our_idle, tbb_idle, "oneTBB", NULL, 7, false });
}
