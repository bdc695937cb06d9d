// Loops over ranges, and reductions.
//
// A loop begins in place, in small parts that grow until one takes about PART. As soon as it is known what
// an item costs, and the rest is worth another worker's while, the rest is split: half of it is queued where
// others can steal it, and the worker goes on with its own half. It splits again only when its queue is
// empty, that is, when the half that it offered was taken; so a loop that nobody can help with is hardly
// split at all ("lazy binary splitting": Tzannes, Caragea, Barua and Vishkin, PPoPP 2010).

#include <filo/check.h>

#include "base/tsc.h"
#include "jobs/scheduler.h"

#include <string.h>

// In nanoseconds:
#define PART       4000.0 // how long a part should take: long against the cost of looking around between two
#define WORTH      2000   // what is worth handing to a worker that is awake
#define WORTH_WAKE 20000  // what is worth waking one for

typedef struct Loop {
    FiloJobs *jobs;
    FiloRangeFunction function;
    void *user;
    bool each;                  // every item is a part of its own, and worth a worker
    BASE_ATOMIC(size_t) part;   // items in a part, as found so far
    BASE_ATOMIC(uint64_t) cost; // ticks for 1024 items, as found so far
    FiloJob root;               // counts the halves that are under way
} Loop;

typedef struct Half {
    Loop *loop;
    size_t begin, end;
} Half;

_Static_assert(sizeof(Half) <= FILO_JOB_DATA, "half a loop fits a job");

static void run_range(Loop *loop, JobsWorker *worker, size_t begin, size_t end);

static void run_half(FiloJob *job, void *data) {
    FILO_UNUSED(job);
    Half half = *(Half *)data;
    run_range(half.loop, jobs_worker_of_thread(half.loop->jobs), half.begin, half.end);
}

// Whether others could use half of what is left, which costs `cost` ticks for 1024 items.
static bool worth_splitting(const Loop *loop, JobsWorker *worker, size_t left, uint64_t cost) {
    if (left < 2 || !jobs_deque_empty(&worker->deques[FILO_PRIORITY_NORMAL])) return false;
    if (loop->each) return true;
    const FiloJobs *jobs = loop->jobs;
    double ns = (double)left * (double)cost * jobs->ns_per_tick / 1024;
    if (base_load_relaxed(&jobs->searching) != 0) return ns >= WORTH;
    return ns >= WORTH_WAKE && jobs_scheduler_available(jobs) != 0;
}

static void run_range(Loop *loop, JobsWorker *worker, size_t begin, size_t end) {
    double ns_per_tick = loop->jobs->ns_per_tick;
    size_t part = FILO_MAX(base_load_relaxed(&loop->part), (size_t)1);
    uint64_t cost = base_load_relaxed(&loop->cost), now = base_tsc_now();
    while (begin < end) {
        if (worth_splitting(loop, worker, end - begin, cost)) {
            size_t middle = begin + (end - begin + 1) / 2;
            Half half = { loop, middle, end };
            filo_jobs_spawn(loop->jobs, &loop->root, run_half, &half, sizeof half);
            jobs_deque_publish(&worker->deques[FILO_PRIORITY_NORMAL]); // somebody is waiting for it
            end = middle;
        }
        size_t stop = end - begin > part ? begin + part : end;
        loop->function(begin, stop, loop->user);
        if (!loop->each) {
            uint64_t before = now;
            now = base_tsc_now();
            double took = (double)(now - before) * ns_per_tick;
            size_t items = FILO_MAX(stop - begin, (size_t)1);
            cost = (now - before) * 1024 / items;
            if (took < PART / 4 && items == part && part < SIZE_MAX / 8)
                part *= 4;
            else if (took > PART * 4 && part > 1)
                part /= 2;
        }
        begin = stop;
    }
    base_store_relaxed(&loop->part, part);
    base_store_relaxed(&loop->cost, cost);
}

static void run_loop(Loop *loop, JobsWorker *worker, size_t count) {
    filo_job_init(&loop->root, run_half, NULL, 0); // never run: this thread is it
    run_range(loop, worker, 0, count);
    jobs_worker_finish(worker, &loop->root);
    filo_jobs_wait(loop->jobs, &loop->root);
}

static void run_whole(FiloJob *job, void *data) {
    FILO_UNUSED(job);
    Half whole = *(Half *)data;
    run_loop(whole.loop, jobs_worker_of_thread(whole.loop->jobs), whole.end);
}

static void start_loop(FiloJobs *jobs, size_t count, FiloRangeFunction function, void *user, bool each) {
    if (!FILO_CHECK(function != NULL, "a loop needs a function")) return;
    if (count == 0) return;
    JobsWorker *worker = jobs_worker_of_thread(jobs);
    if (jobs->alone && worker != NULL && !each) {
        function(0, count, user);
        return;
    }
    Loop loop = { .jobs = jobs, .function = function, .user = user, .each = each };
    base_store_relaxed(&loop.part, 1);
    base_store_relaxed(&loop.cost, 0);
    if (worker != NULL) {
        run_loop(&loop, worker, count);
        return;
    }
    FiloJob job; // from a foreign thread: as a job, which a worker runs
    Half whole = { &loop, 0, count };
    filo_job_init(&job, run_whole, &whole, sizeof whole);
    filo_jobs_run(jobs, &job);
    filo_jobs_wait(jobs, &job);
}

void filo_jobs_for(FiloJobs *jobs, size_t count, FiloRangeFunction function, void *user) {
    start_loop(jobs, count, function, user, false);
}

void filo_jobs_for_each(FiloJobs *jobs, size_t count, FiloRangeFunction function, void *user) {
    start_loop(jobs, count, function, user, true);
}

// ---- Reductions ---------------------------------------------------------------------------------------
//
// The items are cut into leaves whose size depends on their number alone; each leaf's result is computed by
// whichever worker comes by; then neighbours are combined, pair by pair, level by level. So the tree is
// always the same.

#define MOST_LEAVES   1024
#define SMALLEST_LEAF 64

typedef struct Reduction {
    const FiloReduceDesc *desc;
    size_t leaf_size, stride;
    uint8_t *results;
} Reduction;

static void reduce_leaves(size_t begin, size_t end, void *user) {
    Reduction *reduction = user;
    const FiloReduceDesc *desc = reduction->desc;
    for (size_t i = begin; i < end; i++) {
        size_t first = i * reduction->leaf_size;
        size_t last = FILO_MIN(first + reduction->leaf_size, desc->count);
        desc->part(first, last, reduction->results + i * reduction->stride, desc->user);
    }
}

// The memory of the last reduction, if it is large enough, or new one; NULL without memory. So reductions that
// are repeated allocate nothing, unless several run at the same time.
static JobsLeaves *take_leaves(FiloJobs *jobs, size_t size) {
    JobsLeaves *memory = base_exchange_acquire(&jobs->leaves, NULL); // acquire: after its last use
    if (memory != NULL && memory->size >= size) return memory;
    jobs_leaves_free(memory);
    memory = filo_alloc(NULL, sizeof *memory + size, FILO_CACHE_LINE);
    if (memory != NULL) memory->size = size;
    return memory;
}

static void give_leaves(FiloJobs *jobs, JobsLeaves *memory) {
    jobs_leaves_free(base_exchange_acq_rel(&jobs->leaves, memory));
}

FiloResult filo_jobs_reduce(FiloJobs *jobs, const FiloReduceDesc *desc, void *result) {
    if (desc == NULL || desc->part == NULL || desc->combine == NULL || desc->result_size == 0 ||
        result == NULL)
        return FILO_MISTAKE("a reduction needs part, combine, a result and its size");
    memset(result, 0, desc->result_size);
    if (desc->count == 0) return filo_ok();
    size_t leaf_size = FILO_MAX(desc->count / MOST_LEAVES, (size_t)SMALLEST_LEAF);
    if (desc->count <= SMALLEST_LEAF) leaf_size = 1; // few items may be heavy ones
    size_t leaves = (desc->count + leaf_size - 1) / leaf_size;
    size_t stride = FILO_ALIGN_UP(desc->result_size, (size_t)16);
    JobsLeaves *memory = take_leaves(jobs, leaves * stride);
    if (memory == NULL)
        return filo_error(FILO_ERROR_MEMORY, "no memory for a reduction of %zu parts", leaves);

    uint8_t *results = memset(memory->bytes, 0, leaves * stride);
    Reduction reduction = { desc, leaf_size, stride, results };
    filo_jobs_for(jobs, leaves, reduce_leaves, &reduction);
    for (size_t step = 1; step < leaves; step *= 2)
        for (size_t i = 0; i + step < leaves; i += 2 * step)
            desc->combine(results + i * stride, results + (i + step) * stride, desc->user);
    memcpy(result, results, desc->result_size);
    give_leaves(jobs, memory);
    return filo_ok();
}
