// Benchmarks of the job system against oneTBB and OpenMP, in the same run.
//
// Empty jobs are spawned in batches, each waited for before the next, by all three libraries: a thousand at a time,
// about as many as in a frame, and as a flood, all at once, which mostly measures memory. Speed-ups are given as
// efficiency: the speed-up divided by that of two threads of pure arithmetic in the same second, because two
// processors may be two hardware threads of one core.

#include "jobs.h"

#include "bench.h"
#include "peers.h"

#include "jobs/deque.h"

#define FLOOD 1000000 // jobs at once
#define BATCH 1000    // jobs in a batch
#define SPAWNS                                                                                               \
    200000 // jobs in a sample of batches: short, so that some samples are not disturbed by other programs
#define TINY 1000000

FiloJobs *bench_scheduler;
static int threads;

void bench_jobs_use_threads(int count) {
    if (bench_scheduler != NULL) filo_jobs_destroy(bench_scheduler, FILO_JOBS_FINISH);
    bench_scheduler = NULL;
    threads = count;
    tbb_use_threads(count);
    openmp_use_threads(count);
    if (count > 0 && filo_jobs_create(&bench_scheduler, &(FiloJobsDesc){ .threads = count }).code != FILO_OK)
        filo_panic("no scheduler for the benchmark");
}

static double per(int64_t start, double items) { return (double)(filo_time_ns() - start) / items; }

// ---- Spawning -----------------------------------------------------------------------------------------

static void empty_job(FiloJob *job, void *data) { (void)job, (void)data; }

// Threads of the other libraries spin for a while after their work. Waits until they sleep.
static void let_all_sleep(void) { filo_sleep_ns(3000000); }

static double spawn_wait_in(size_t count, size_t batch_size) {
    static FiloJob batch[FLOOD];
    let_all_sleep();
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < count / batch_size; i++) {
        for (size_t k = 0; k < batch_size; k++) {
            filo_job_init(&batch[k], empty_job, NULL, 0);
            filo_jobs_run(bench_scheduler, &batch[k]);
        }
        for (size_t k = batch_size; k-- > 0;) filo_jobs_wait(bench_scheduler, &batch[k]);
    }
    return per(start, (double)count);
}

static double spawn_children_in(size_t count, size_t batch_size, size_t data_size) {
    static const char data[64];
    let_all_sleep();
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < count / batch_size; i++) {
        FiloJob parent;
        filo_job_init(&parent, empty_job, NULL, 0);
        for (size_t k = 0; k < batch_size; k++)
            filo_jobs_spawn(bench_scheduler, &parent, empty_job, data, data_size);
        filo_jobs_run(bench_scheduler, &parent);
        filo_jobs_wait(bench_scheduler, &parent);
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
static double spawn_children(void *state) { return (void)state, spawn_children_in(SPAWNS, BATCH, 0); }
static double spawn_children_44(void *state) { return (void)state, spawn_children_in(SPAWNS, BATCH, 44); }
static double flood_children(void *state) { return (void)state, spawn_children_in(FLOOD, FLOOD, 0); }
// The same with a new scheduler, which has no memory for so many jobs yet.
static double flood_new(void *state) {
    (void)state;
    bench_jobs_use_threads(threads);
    return spawn_children_in(FLOOD, FLOOD, 0);
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
    filo_jobs_run(bench_scheduler, &job);
    b = fib(n - 2);
    filo_jobs_wait(bench_scheduler, &job);
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
    bench_use(fib(FIB));
    return per(start, FIB_CALLS);
}

static double their_fib(void *state) {
    (void)state;
    int64_t start = filo_time_ns();
    bench_use(tbb_fib(FIB));
    return per(start, FIB_CALLS);
}

static double openmp_fib_sample(void *state) {
    (void)state;
    int64_t start = filo_time_ns();
    bench_use(openmp_fib(FIB));
    return per(start, FIB_CALLS);
}

// ---- Loops --------------------------------------------------------------------------------------------

void bench_jobs_no_work(size_t begin, size_t end, void *user) {
    (void)user;
    for (size_t i = begin; i < end; i++) __asm__ volatile("" : : "r"(i));
}

static double our_for_tiny(void *state) {
    (void)state;
    int64_t start = filo_time_ns();
    filo_jobs_for(bench_scheduler, TINY, bench_jobs_no_work, NULL);
    return per(start, TINY);
}

static double tbb_for_tiny(void *state) {
    (void)state;
    int64_t start = filo_time_ns();
    tbb_for(TINY, bench_jobs_no_work, NULL);
    return per(start, TINY);
}

static double our_for_64(void *state) {
    (void)state;
    int64_t start = filo_time_ns();
    for (int i = 0; i < 1000; i++) filo_jobs_for(bench_scheduler, 64, bench_jobs_no_work, NULL);
    return per(start, 1000);
}

static double tbb_for_64(void *state) {
    (void)state;
    int64_t start = filo_time_ns();
    for (int i = 0; i < 1000; i++) tbb_for(64, bench_jobs_no_work, NULL);
    return per(start, 1000);
}

static double openmp_for_64(void *state) {
    (void)state;
    int64_t start = filo_time_ns();
    for (int i = 0; i < 1000; i++) openmp_for(64, bench_jobs_no_work, NULL);
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
    filo_jobs_for(bench_scheduler, 100000, uneven_work, NULL);
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
        for (int k = 0; k < 100; k++) bench_use(jobs_deque_take(&deque));
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
        for (int k = 0; k < 1000; k++) bench_use(jobs_deque_steal(&deque, &contended));
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

// ---- Speed-up -----------------------------------------------------------------------------------------

#define FLOATS 1000000
extern float bench_angles[FLOATS], bench_sines[FLOATS];
float bench_angles[FLOATS], bench_sines[FLOATS]; // not static, or the compiler would remove the writes

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
        filo_jobs_for(bench_scheduler, FLOATS, sine_range, NULL);
        alone = FILO_MIN(alone, middle - start);
        together = FILO_MIN(together, filo_time_ns() - middle);
    }
    return (double)alone / (double)together;
}

// The speed-up of two threads of arithmetic: see bench.h.
static double hardware_speed_up(void *state) {
    (void)state;
    return bench_hardware_speed_up();
}

// ---- More threads than this machine has, computed -----------------------------------------------------
//
// Work (the time of all items) and span (of the longest item, and of the splits before it) are measured here. A greedy
// scheduler needs at most work / P + span on P threads. The figures are marked as computed.

static double longest_item_ns, total_ns;
static int computed_threads;

static void measure_items(void) {
    enum { ITEMS = 100000, PIECE = 100 };
    longest_item_ns = total_ns = 0;
    for (size_t i = 0; i < ITEMS; i += PIECE) {
        int64_t start = filo_time_ns();
        uneven_work(i, i + 1, NULL); // the heavy item of each thousand is the first
        int64_t middle = filo_time_ns();
        uneven_work(i + 1, i + PIECE, NULL);
        total_ns += (double)(filo_time_ns() - start);
        longest_item_ns = FILO_MAX(longest_item_ns, (double)(middle - start));
    }
    longest_item_ns = FILO_MIN(longest_item_ns, total_ns / 100); // leaves out interruptions by other programs
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
    bench_jobs_use_threads(1);
    bench_compare(&(BenchFigure){ "jobs.spawn_wait_1", "ns", spawn_wait, tbb_spawn, TBB, NULL, 0, false });
    bench_compare(
        &(BenchFigure){ "jobs.flood_1", "ns", flood_children, tbb_spawn_flood, TBB, NULL, 0, false });
    bench_compare(
        &(BenchFigure){ "jobs.flood_1.fresh", "ns", flood_new, tbb_spawn_flood, TBB, NULL, 0, false });
    bench_compare(&(BenchFigure){ "jobs.fib_1", "ns/call", our_fib, their_fib, TBB, NULL, 0, false });
    bench_compare(&(BenchFigure){ "jobs.deque", "ns", deque_push_take, lock_unlock, "lock and unlock", NULL,
                                  0, false });
    bench_compare(
        &(BenchFigure){ "jobs.steal", "ns", deque_steal, lock_unlock, "lock and unlock", NULL, 0, false });
}

static void bench_two_threads(void) {
    bench_jobs_use_threads(2);
    const BenchFigure figures[] = {
        { "jobs.spawn_wait", "ns", spawn_wait, tbb_spawn, TBB, NULL, 0, false },
        { "jobs.spawn_wait.flood", "ns", spawn_wait_flood, tbb_spawn_flood, TBB, NULL, 0, false },
        { "jobs.spawn_wait.openmp", "ns", spawn_wait, openmp_spawn, OPENMP, NULL, 0, false },
        { "jobs.spawn_children", "ns", spawn_children, tbb_spawn, TBB, NULL, 0, false },
        { "jobs.spawn_children_44", "ns", spawn_children_44, tbb_spawn, TBB, NULL, 0,
          false }, // bytes of data
        { "jobs.fib", "ns/call", our_fib, their_fib, TBB, NULL, 0, false },
        { "jobs.fib.openmp", "ns/call", our_fib, openmp_fib_sample, OPENMP, NULL, 0, false },
        { "jobs.for_tiny", "ns/item", our_for_tiny, tbb_for_tiny, TBB, NULL, 0, false },
        { "jobs.for_64", "ns", our_for_64, tbb_for_64, TBB, NULL, 0, false },
        { "jobs.for_64.openmp", "ns", our_for_64, openmp_for_64, OPENMP, NULL, 0, false },
        { "jobs.for_uneven", "ns/item", our_for_uneven, tbb_for_uneven, TBB, NULL, 0, false },
        { "jobs.handoff", "µs", bench_jobs_handoff, bench_jobs_bare_spin, "bare spinning thread", NULL, 0,
          false },
        { "jobs.efficiency_2", "x", sine_speed_up, hardware_speed_up, "arithmetic on two threads", NULL, 0,
          true },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(figures); i++) bench_compare(&figures[i]);
}

FILO_BENCH(jobs) {
    if (!bench_wanted("jobs")) return;
    for (int i = 0; i < FLOATS; i++) bench_angles[i] = (float)i * 0.0001f;
    bench_jobs_sleep(); // before OpenMP starts its threads, which spin for long
    bench_one_thread();
    bench_two_threads();
    bench_jobs_use_threads(0);
    static const char *const names[] = { "jobs.computed.4", "jobs.computed.8", "jobs.computed.16" };
    for (int i = 0; i < 3; i++) {
        computed_threads = 4 << i;
        bench_compare(&(BenchFigure){ names[i], "x", greedy_bound, thread_number,
                                      "threads; computed, not measured", NULL, 7, true });
    }
}
