// Random work on schedulers of all sizes, compared with a model that has no threads.
//
// A key defines a piece of work: its kind, the number of its items, which item comes after which, and the keys of the
// items, which are pieces of work themselves down to some depth. Every item has a value. Items write to elements of
// their own, and the values are combined in their order. So the result does not depend on how the items were run,
// unless one ran twice, too early or never, or a write was not visible where it had to be.
//
// One test runs for FILO_STRESS_SECONDS: see docs/jobs.md. A failure names its seed, and FILO_STRESS_SEED repeats it,
// as far as the timing of threads can be repeated.

#include "support/test.h"

#include <filo/async.h>
#include <filo/files.h>
#include <filo/hash.h>
#include <filo/jobs.h>
#include <filo/random.h>
#include <filo/threads.h>
#include <filo/time.h>

#include "base/atomic.h"
#include "jobs/scheduler.h"

#include <stdlib.h>

// How much is done, so that each test takes a few seconds at most.
#if defined(__SANITIZE_THREAD__)
#    define SCALE 1
#elif FILO_TEST_SANITIZED || defined(FILO_TEST_EMULATOR)
#    define SCALE 3
#elif defined(NDEBUG)
#    define SCALE 40
#else
#    define SCALE 8
#endif

enum { MOST_ITEMS = 24, MOST_LOOP_ITEMS = 2000, MOST_FOREIGN = 4 };

static const int thread_counts[] = { 1, 2, 4, 16, 64 };

// ---- The plan -----------------------------------------------------------------------------------------

typedef enum Kind {
    KIND_FORK,     // jobs on the stack, waited for one by one
    KIND_CHILDREN, // children and grandchildren of one job
    KIND_GRAPH,    // jobs that come after others
    KIND_EACH,     // a loop over heavy items
    KIND_LOOP,     // a loop over light items
    KIND_REDUCE,   // light items, combined by the scheduler
    KIND_REQUESTS, // blocking work
    KINDS,
} Kind;

static uint64_t key_of(uint64_t key, uint64_t item) { return filo_hash_combine(key, item); }

static bool is_light(Kind kind) {
    return kind == KIND_LOOP || kind == KIND_REDUCE || kind == KIND_REQUESTS || kind == KIND_CHILDREN;
}

static Kind kind_of(uint64_t key) { return (Kind)(filo_hash_u64(key ^ 1) % KINDS); }

static size_t count_of(uint64_t key, Kind kind, int depth) {
    uint64_t random = filo_hash_u64(key ^ 2);
    if (kind == KIND_LOOP || kind == KIND_REDUCE) return (size_t)(random % (MOST_LOOP_ITEMS + 1));
    if (kind == KIND_REQUESTS) return 1 + (size_t)(random % 4);
    return 1 + (size_t)(random % (is_light(kind) || depth == 1 ? MOST_ITEMS : 6));
}

// Whether, in a graph, an item comes after an earlier one.
static bool comes_after(uint64_t key, size_t item, size_t earlier) {
    return filo_hash_u64(key ^ (item * 64 + earlier + 100)) % 4 == 0;
}

static uint64_t leaf(uint64_t key) { return filo_hash_u64(key ^ 3); }

// The values of reductions are functions x → factor · x + term; joining them is associative, and not
// commutative.
typedef struct Affine {
    uint64_t factor, term;
} Affine;

static Affine affine_of(uint64_t key) { return (Affine){ leaf(key) | 1, leaf(key ^ 4) }; }
static Affine affine_join(Affine a, Affine b) {
    return (Affine){ b.factor * a.factor, b.factor * a.term + b.term };
}

static uint64_t fold(const uint64_t *values, size_t count) {
    uint64_t sum = count;
    for (size_t i = 0; i < count; i++) sum = filo_hash_combine(sum, values[i]);
    return sum;
}

// ---- The model ----------------------------------------------------------------------------------------

static uint64_t model(uint64_t key, int depth) {
    if (depth == 0) return leaf(key);
    Kind kind = kind_of(key);
    size_t count = count_of(key, kind, depth);
    if (kind == KIND_REDUCE) {
        Affine sum = { 1, 0 };
        for (size_t i = 0; i < count; i++) sum = affine_join(sum, affine_of(key_of(key, i)));
        return count > 0 ? filo_hash_combine(sum.factor, sum.term) : 0;
    }
    uint64_t *values = malloc((count + 1) * sizeof *values);
    for (size_t i = 0; i < count; i++) {
        values[i] = is_light(kind) ? leaf(key_of(key, i)) : model(key_of(key, i), depth - 1);
        for (size_t k = 0; kind == KIND_GRAPH && k < i; k++)
            if (comes_after(key, i, k)) values[i] = filo_hash_combine(values[i], values[k]);
    }
    uint64_t sum = fold(values, count);
    free(values);
    return sum;
}

// ---- The work -----------------------------------------------------------------------------------------

typedef struct Stress {
    FiloJobs *jobs;
    bool delays;
    const char *file; // something to read, whose bytes are ignored
    uint64_t salt;    // of what must not change the result: delays, priorities, pinning, order
} Stress;

// The items of one piece of work, on the stack of the thread that waits for them.
typedef struct Batch {
    Stress *stress;
    uint64_t key;
    int depth;
    Kind kind;
    size_t count;
    uint64_t *values;
} Batch;

typedef struct Item {
    Batch *batch;
    size_t index;
} Item;

static uint64_t do_work(Stress *stress, uint64_t key, int depth);

static uint64_t luck(const Batch *batch, uint64_t what) {
    return filo_hash_combine(batch->stress->salt, batch->key ^ (what << 40));
}

static void delay_at_random(const Batch *batch, size_t index) {
    if (!batch->stress->delays) return;
    uint64_t random = luck(batch, index + 1000);
    if (random % 16 == 0)
        filo_thread_yield();
    else if (random % 512 == 1)
        filo_sleep_ns((int64_t)(random >> 32) % 300000);
}

static void run_item(Batch *batch, size_t index) {
    delay_at_random(batch, index);
    uint64_t key = key_of(batch->key, index);
    uint64_t value = is_light(batch->kind) ? leaf(key) : do_work(batch->stress, key, batch->depth - 1);
    for (size_t i = 0; batch->kind == KIND_GRAPH && i < index; i++)
        if (comes_after(batch->key, index, i)) value = filo_hash_combine(value, batch->values[i]);
    batch->values[index] += value; // initially 0: running twice changes the result
}

static void item_job(FiloJob *job, void *data) {
    (void)job;
    Item *item = data;
    run_item(item->batch, item->index);
}

static void item_range(size_t begin, size_t end, void *user) {
    for (size_t i = begin; i < end; i++) run_item(user, i);
}

// Choices that must not change the result.
static void decorate(const Batch *batch, FiloJob *job, size_t index) {
    uint64_t random = luck(batch, index + 1);
    if (random % 4 == 0) filo_job_set_priority(job, (FiloPriority)((random >> 8) % 3));
    if ((random >> 16) % 8 == 0)
        filo_job_set_worker(job, (int)((random >> 24) % (uint64_t)filo_jobs_threads(batch->stress->jobs)));
    if ((random >> 32) % 2 == 0) filo_job_set_name(job, "stress");
}

static size_t shuffled(const Batch *batch, size_t i) { // a stride that is prime to all counts below it
    static const size_t strides[] = { 29, 31, 37, 41 };
    return i * strides[luck(batch, 7) % FILO_COUNT_OF(strides)] % batch->count;
}

static void do_fork(Batch *batch) {
    FiloJobs *jobs = batch->stress->jobs;
    FiloJob list[MOST_ITEMS];
    size_t here = luck(batch, 8) % batch->count; // one of them runs on this thread
    for (size_t i = 0; i < batch->count; i++) {
        if (i == here) continue;
        filo_job_init(&list[i], item_job, &(Item){ batch, i }, sizeof(Item));
        decorate(batch, &list[i], i);
        filo_jobs_run(jobs, &list[i]);
    }
    run_item(batch, here);
    for (size_t i = 0; i < batch->count; i++)
        if (shuffled(batch, i) != here) filo_jobs_wait(jobs, &list[shuffled(batch, i)]);
}

// Item i has the children 3i + 1 to 3i + 3.
static void family_job(FiloJob *job, void *data) {
    Item item = *(Item *)data;
    Batch *batch = item.batch;
    FiloJobs *jobs = batch->stress->jobs;
    for (size_t i = item.index * 3 + 1; i <= item.index * 3 + 3 && i < batch->count; i++) {
        FiloJob *child = NULL;
        if (luck(batch, i + 500) % 2 == 0)
            child = filo_jobs_new(jobs, family_job, &(Item){ batch, i }, sizeof(Item));
        if (child == NULL) {
            filo_jobs_spawn(jobs, job, family_job, &(Item){ batch, i }, sizeof(Item));
            continue;
        }
        decorate(batch, child, i);
        filo_job_set_parent(child, job);
        filo_jobs_run(jobs, child);
    }
    run_item(batch, item.index);
}

static void do_children(Batch *batch) {
    FiloJob root;
    filo_job_init(&root, family_job, &(Item){ batch, 0 }, sizeof(Item));
    filo_jobs_run(batch->stress->jobs, &root);
    filo_jobs_wait(batch->stress->jobs, &root);
}

static void do_graph(Batch *batch) {
    FiloJobs *jobs = batch->stress->jobs;
    FiloJob own[MOST_ITEMS], *list[MOST_ITEMS], root;
    // Jobs in the scheduler's memory, below a root that is waited for.
    bool borrowed = luck(batch, 9) % 2 == 0;
    filo_job_init(&root, filo_job_do_nothing, NULL, 0);
    for (size_t i = 0; i < batch->count; i++) {
        Item item = { batch, i };
        list[i] = borrowed ? filo_jobs_new(jobs, item_job, &item, sizeof item) : &own[i];
        if (!borrowed) filo_job_init(list[i], item_job, &item, sizeof item);
        decorate(batch, list[i], i);
        if (borrowed) filo_job_set_parent(list[i], &root);
        for (size_t k = 0; k < i; k++)
            if (comes_after(batch->key, i, k)) filo_job_after(list[i], list[k], jobs);
    }
    for (size_t i = 0; i < batch->count; i++) filo_jobs_run(jobs, list[shuffled(batch, i)]);
    filo_jobs_run(jobs, &root);
    for (size_t i = 0; !borrowed && i < batch->count; i++) filo_jobs_wait(jobs, list[shuffled(batch, i)]);
    filo_jobs_wait(jobs, &root);
}

static void reduce_part(size_t begin, size_t end, void *result, void *user) {
    const Batch *batch = user;
    delay_at_random(batch, begin);
    Affine sum = { 1, 0 };
    for (size_t i = begin; i < end; i++) sum = affine_join(sum, affine_of(key_of(batch->key, i)));
    *(Affine *)result = sum;
}
static void reduce_combine(void *left, const void *right, void *user) {
    (void)user;
    *(Affine *)left = affine_join(*(Affine *)left, *(const Affine *)right);
}
static uint64_t do_reduce(Batch *batch) {
    Affine sum = { 0, 0 };
    FiloReduceDesc desc = { batch->count, sizeof sum, reduce_part, reduce_combine, batch };
    if (filo_jobs_reduce(batch->stress->jobs, &desc, &sum).code != FILO_OK || batch->count == 0) return 0;
    return filo_hash_combine(sum.factor, sum.term);
}

// ---- Blocking work ------------------------------------------------------------------------------------

static FiloResult item_request(FiloAsyncCall *call, void *user) {
    Item *item = user;
    if (filo_async_cancelled(call)) return filo_error(FILO_ERROR_CANCELLED, "item %zu", item->index);
    run_item(item->batch, item->index);
    return filo_ok();
}

static void item_ended(FiloJobs *jobs, FiloRequest request, void *user) {
    (void)jobs, (void)request;
    Item *item = user;
    run_item(item->batch, item->index);
}

static FiloRequest read_something(Batch *batch, char *byte, const FiloAsyncOptions *options) {
    return filo_async_read(batch->stress->jobs, batch->stress->file, 0, byte, 1, options);
}

// Four kinds of notification of a request's end.
static void do_request(Batch *batch, Item *item) {
    FiloJobs *jobs = batch->stress->jobs;
    FiloRequest request;
    char byte;
    FiloJob job;
    uint64_t random = luck(batch, item->index + 2000);
    switch (random % 4) {
    case 0: // waits
        request = filo_async_run(jobs, item_request, item, NULL);
        filo_async_wait(jobs, request);
        break;
    case 1: // a job that is started
        filo_job_init(&job, item_job, item, sizeof *item);
        request = read_something(batch, &byte, &(FiloAsyncOptions){ .then = &job });
        filo_jobs_wait(jobs, &job);
        break;
    case 2: // a function that is called, and a job that finishes no earlier
        filo_job_init(&job, filo_job_do_nothing, NULL, 0);
        request = read_something(
            batch, &byte,
            &(FiloAsyncOptions){
                .ended = item_ended, .ended_user = item, .parent = &job, .on_main = (random >> 8) % 2 == 0 });
        filo_jobs_run(jobs, &job);
        filo_jobs_wait(jobs, &job);
        break;
    default: // cancelled, in time or not
        request = filo_async_run(jobs, item_request, item, NULL);
        filo_async_cancel(jobs, request);
        filo_async_wait(jobs, request);
        if (filo_async_state(jobs, request) == FILO_REQUEST_CANCELLED) run_item(batch, item->index);
        break;
    }
    filo_async_release(jobs, request);
}

static void do_requests(Batch *batch) {
    for (size_t i = 0; i < batch->count; i++) do_request(batch, &(Item){ batch, i });
}

static uint64_t do_work(Stress *stress, uint64_t key, int depth) {
    if (depth == 0) return leaf(key);
    Kind kind = kind_of(key);
    size_t count = count_of(key, kind, depth);
    Batch batch = { stress, key, depth, kind, count, NULL };
    if (kind == KIND_REDUCE) return do_reduce(&batch);
    batch.values = calloc(count + 1, sizeof *batch.values);
    switch (kind) {
    case KIND_FORK: do_fork(&batch); break;
    case KIND_CHILDREN: do_children(&batch); break;
    case KIND_GRAPH: do_graph(&batch); break;
    case KIND_REQUESTS: do_requests(&batch); break;
    case KIND_EACH: filo_jobs_for_each(stress->jobs, count, item_range, &batch); break;
    default: filo_jobs_for(stress->jobs, count, item_range, &batch); break;
    }
    uint64_t sum = fold(batch.values, count);
    free(batch.values);
    return sum;
}

// ---- Foreign threads ----------------------------------------------------------------------------------

typedef struct Foreign {
    Stress *stress;
    uint64_t key, value;
    int depth;
    FiloJob end; // run at the end of the thread: main waits for it, or polls it
    FiloThread thread;
} Foreign;

static void foreign_main(void *user) {
    Foreign *foreign = user;
    foreign->value = do_work(foreign->stress, foreign->key, foreign->depth);
    filo_jobs_run(foreign->stress->jobs, &foreign->end);
}

// The piece of work on main, and one on each of `count` foreign threads at the same time.
static uint64_t do_with_foreigners(Stress *stress, uint64_t key, int depth, size_t count) {
    Foreign foreign[MOST_FOREIGN];
    for (size_t i = 0; i < count; i++) {
        foreign[i] = (Foreign){ .stress = stress, .key = key_of(key, i + 50), .depth = depth };
        filo_job_init(&foreign[i].end, filo_job_do_nothing, NULL, 0);
        assert_ok(filo_thread_start(&foreign[i].thread,
                                    &(FiloThreadDesc){ .function = foreign_main, .user = &foreign[i] }));
    }
    uint64_t sum = do_work(stress, key, depth);
    // Main need not help if there are other workers; but it must run the jobs that are pinned to it.
    bool helps = filo_jobs_threads(stress->jobs) == 1 || filo_hash_u64(stress->salt) % 2 == 0;
    for (size_t i = 0; i < count; i++) {
        while (!helps && !filo_job_finished(&foreign[i].end)) {
            filo_jobs_run_pinned(stress->jobs);
            filo_thread_yield();
        }
        filo_jobs_wait(stress->jobs, &foreign[i].end);
        filo_thread_join(&foreign[i].thread);
        sum = filo_hash_combine(sum, foreign[i].value);
    }
    return sum;
}

static uint64_t model_with_foreigners(uint64_t key, int depth, size_t count) {
    uint64_t sum = model(key, depth);
    for (size_t i = 0; i < count; i++) sum = filo_hash_combine(sum, model(key_of(key, i + 50), depth));
    return sum;
}

// ---- Watching -----------------------------------------------------------------------------------------

// A lost wake-up shows as a standstill. The watcher reports where, and ends the process.
static struct {
    _Atomic uint32_t steps, over;
    _Atomic uint64_t seed;
    BASE_ATOMIC(FiloJobs *) jobs;
    FiloThread thread;
} watch;

static void watch_main(void *user) {
    (void)user;
    uint32_t seen = 0;
    for (int quiet = 0; base_load_relaxed(&watch.over) == 0; quiet++) {
        filo_park_for((uint32_t *)&watch.over, 0, FILO_SECOND);
        uint32_t steps = base_load_relaxed(&watch.steps);
        if (steps != seen) quiet = 0;
        seen = steps;
        if (quiet < 60) continue;
        FiloJobs *jobs = base_load_relaxed(&watch.jobs);
        FiloJobsStats stats = filo_jobs_stats(jobs);
        fprintf(stderr, "no progress for a minute: seed %llu, %d of %d workers awake, %llu jobs queued\n",
                (unsigned long long)base_load_relaxed(&watch.seed), stats.awake, filo_jobs_threads(jobs),
                (unsigned long long)stats.queued);
        abort();
    }
}

static void watch_begin(void) {
    base_store_relaxed(&watch.over, 0);
    assert_ok(filo_thread_start(&watch.thread, &(FiloThreadDesc){ .name = "watch", .function = watch_main }));
}

static void watch_step(uint64_t seed, FiloJobs *jobs) {
    base_store_relaxed(&watch.seed, seed);
    base_store_relaxed(&watch.jobs, jobs);
    base_add_relaxed(&watch.steps, 1);
}

static void watch_end(void) {
    base_store_relaxed(&watch.over, 1);
    filo_unpark((uint32_t *)&watch.over, 1);
    filo_thread_join(&watch.thread);
}

// ---- Tests --------------------------------------------------------------------------------------------

static Stress start(const FiloJobsDesc *desc, uint64_t salt) {
    Stress stress = { .salt = salt, .file = filo_test_path("something") };
    if (!filo_file_exists(stress.file)) assert_ok(filo_file_write(stress.file, "something", 9, NULL));
    assert_ok(filo_jobs_create(&stress.jobs, desc));
    return stress;
}

static void compare(uint64_t value, uint64_t expected, uint64_t seed, int threads) {
    if (value != expected)
        fail_msg("seed %llu on %d threads gives %016llx instead of %016llx", (unsigned long long)seed,
                 threads, (unsigned long long)value, (unsigned long long)expected);
}

FILO_TEST(random_work_gives_what_the_model_gives_on_any_number_of_threads) {
    enum { SEEDS = 60 * SCALE, DEPTH = 4 };
    uint64_t *expected = malloc(SEEDS * sizeof *expected);
    assert_non_null(expected);
    for (uint64_t seed = 0; seed < SEEDS; seed++) expected[seed] = model(filo_hash_u64(seed), DEPTH);
    watch_begin();
    for (size_t c = 0; c < FILO_COUNT_OF(thread_counts); c++) {
        Stress stress = start(&(FiloJobsDesc){ .threads = thread_counts[c] }, c);
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            watch_step(seed, stress.jobs);
            compare(do_work(&stress, filo_hash_u64(seed), DEPTH), expected[seed], seed, thread_counts[c]);
        }
        filo_jobs_destroy(stress.jobs, FILO_JOBS_FINISH);
    }
    watch_end();
    free(expected);
}

FILO_TEST(random_work_from_foreign_threads_gives_what_the_model_gives) {
    enum { SEEDS = 6 * SCALE, DEPTH = 4 };
    watch_begin();
    for (size_t c = 0; c < FILO_COUNT_OF(thread_counts); c++) {
        Stress stress = start(&(FiloJobsDesc){ .threads = thread_counts[c] }, c);
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            uint64_t key = filo_hash_u64(seed + 1000000);
            watch_step(seed, stress.jobs);
            compare(do_with_foreigners(&stress, key, DEPTH, MOST_FOREIGN),
                    model_with_foreigners(key, DEPTH, MOST_FOREIGN), seed, thread_counts[c]);
        }
        filo_jobs_destroy(stress.jobs, FILO_JOBS_FINISH);
    }
    watch_end();
}

FILO_TEST(hundreds_of_thousands_of_children_run_once_each) {
    enum { ITEMS = 20000 * SCALE };
    for (size_t c = 0; c < FILO_COUNT_OF(thread_counts); c++) {
        Stress stress = start(&(FiloJobsDesc){ .threads = thread_counts[c] }, c);
        Batch batch = { &stress, 77, 1, KIND_CHILDREN, ITEMS, calloc(ITEMS, sizeof(uint64_t)) };
        assert_non_null(batch.values);
        do_children(&batch);
        for (size_t i = 0; i < ITEMS; i++) assert_true(batch.values[i] == leaf(key_of(77, i)));
        assert_true(filo_jobs_stats(stress.jobs).run == ITEMS);
        filo_jobs_destroy(stress.jobs, FILO_JOBS_FINISH);
        free(batch.values);
    }
}

// ---- Falling asleep, and waking -----------------------------------------------------------------------

static _Atomic uint64_t loose_run;

static void loose_job(FiloJob *job, void *data) {
    (void)job, (void)data;
    base_add_relaxed(&loose_run, 1);
}

// Destroys a scheduler while there is work that no thread waits for.
static void end_in_disorder(Stress *stress, FiloRandom *random) {
    bool cancels = filo_random_below(random, 3) == 0;
    uint32_t count = filo_random_below(random, 200);
    FiloJob held;
    filo_job_init(&held, loose_job, NULL, 0);
    base_store_relaxed(&loose_run, 0);
    filo_jobs_run(stress->jobs, &held);
    for (uint32_t i = 0; i < count; i++) filo_jobs_spawn(stress->jobs, NULL, loose_job, NULL, 0);
    filo_jobs_destroy(stress->jobs, cancels ? FILO_JOBS_CANCEL : FILO_JOBS_FINISH);
    assert_true(filo_job_finished(&held));
    if (cancels)
        assert_true(loose_run <= count + 1);
    else
        assert_true(loose_run == count + 1);
}

// Pauses in which workers spin, fall asleep, or end.
static void idle(FiloRandom *random) {
    static const int64_t gaps_ns[] = { 0, 1000, 30000, 100000, 1100000, 1500000 };
    filo_sleep_ns(gaps_ns[filo_random_below(random, FILO_COUNT_OF(gaps_ns))]);
}

// One scheduler, with little work and short pauses in turn, so that workers fall asleep, wake and end all the time. A
// lost wake-up is a standstill.
static void live_and_die(uint64_t seed, bool delays) {
    FiloRandom random = filo_random_keyed(seed, 0, 0, 0);
    int threads = thread_counts[filo_random_below(&random, FILO_COUNT_OF(thread_counts))];
    FiloJobsDesc desc = { .threads = threads, .shed_after_ns = FILO_MILLISECOND };
    desc.async_threads = filo_random_range(&random, 1, 4);
    desc.spin_ns = filo_random_below(&random, 4) == 0 ? 0 : -1;
    desc.no_io_uring = filo_random_below(&random, 2) == 0;
    Stress stress = start(&desc, seed);
    stress.delays = delays;
    if (filo_random_below(&random, 2) == 0) { // workers are moved before they are woken: see spread.h
        base_store_relaxed(&stress.jobs->spread.until, INT64_MAX);
        base_store_relaxed(&stress.jobs->spread.on, 1);
    }
    filo_async_set_idle_time(stress.jobs, FILO_MILLISECOND);
    uint32_t rounds = filo_random_below(&random, 20);
    for (uint32_t round = 0; round < rounds; round++) {
        watch_step(seed, stress.jobs);
        uint64_t key = filo_random_u64(&random);
        int depth = filo_random_range(&random, 1, 3);
        size_t foreign =
            filo_random_below(&random, 4) == 0 ? filo_random_below(&random, MOST_FOREIGN + 1) : 0;
        stress.salt = filo_random_u64(&random);
        compare(do_with_foreigners(&stress, key, depth, foreign), model_with_foreigners(key, depth, foreign),
                seed, threads);
        idle(&random);
    }
    end_in_disorder(&stress, &random);
}

static FiloResult spawn_when_all_sleep(FiloAsyncCall *call, void *user) {
    (void)user;
    while (filo_jobs_stats(call->jobs).awake > 0) filo_sleep_ns(200000);
    filo_jobs_spawn(call->jobs, NULL, loose_job, NULL, 0);
    return filo_ok();
}

// The job wakes main, but what main waits for has finished by then: main returns without running the job.
FILO_TEST(a_job_is_run_although_the_worker_that_was_woken_for_it_returns_from_its_wait) {
    Stress stress = start(&(FiloJobsDesc){ .threads = 2, .spin_ns = -1 }, 0);
    watch_begin();
    base_store_relaxed(&loose_run, 0);
    for (uint64_t round = 0; round < 20 * SCALE; round++) {
        watch_step(round, stress.jobs);
        FiloRequest request = filo_async_run(stress.jobs, spawn_when_all_sleep, NULL, NULL);
        filo_async_wait(stress.jobs, request);
        while (base_load_relaxed(&loose_run) == round) filo_thread_yield(); // without helping
        filo_async_release(stress.jobs, request);
    }
    watch_end();
    filo_jobs_destroy(stress.jobs, FILO_JOBS_FINISH);
}

FILO_TEST(schedulers_come_and_go_and_no_wake_up_is_lost) {
    watch_begin();
    for (uint64_t seed = 0; seed < 10 * SCALE; seed++) live_and_die(seed, false);
    watch_end();
}

static uint64_t number_from_environment(const char *name, uint64_t otherwise) {
    const char *text = getenv(name);
    return text != NULL ? strtoull(text, NULL, 10) : otherwise;
}

FILO_TEST(random_work_with_random_delays_goes_on_for_as_long_as_it_is_told) {
    uint64_t seconds = number_from_environment("FILO_STRESS_SECONDS", 0);
    uint64_t seed =
        number_from_environment("FILO_STRESS_SEED", seconds > 0 ? filo_random_system_seed() >> 16 : 1);
    uint64_t lives = 0;
    int64_t end = filo_time_ns() + (int64_t)seconds * FILO_SECOND;
    watch_begin();
    while (seconds > 0 ? filo_time_ns() < end : lives < 2 * SCALE) {
        live_and_die(seed++, true);
        lives++;
    }
    watch_end();
    if (seconds > 0) print_message("%llu schedulers lived\n", (unsigned long long)lives);
}
