// Loops over ranges, and reductions.
//
// A loop begins on the calling thread, in small parts that grow until one takes about PART_NS. As soon as the cost of
// an item has been measured, and the rest takes long enough for another worker, the rest is split: half of it is
// queued where other workers can steal it, and this worker continues with the other half. It splits again only when
// its deque is empty, that is, when the queued half was taken. So a loop is hardly split where no other worker is idle
// ("lazy binary splitting": Tzannes, Caragea, Barua and Vishkin, PPoPP 2010).

#include <filo/check.h>

#include "base/tsc.h"
#include "jobs/scheduler.h"

#include <string.h>

#define PART_NS      4000.0 // length of a part: long against the cost of the tests between two parts
#define MIN_SPLIT_NS 2000   // shortest rest that is split for a worker that is awake
#define MIN_WAKE_NS  20000  // shortest rest for which a worker is woken

typedef struct Loop {
    FiloJobs *jobs;
    FiloRangeFunction function;
    void *user;
    bool each;                  // every item is a part, and the rest is always split
    BASE_ATOMIC(size_t) part;   // items in a part, as measured so far
    BASE_ATOMIC(uint64_t) cost; // ticks for 1024 items, as measured so far
    FiloJob root;               // counts the ranges that have not finished
} Loop;

typedef struct LoopRange {
    Loop *loop;
    size_t begin, end;
} LoopRange;

_Static_assert(sizeof(LoopRange) <= FILO_JOB_DATA, "a range of a loop fits into a job");

static void run_range(Loop *loop, JobsWorker *worker, size_t begin, size_t end);

static void run_range_job(FiloJob *job, void *data) {
    FILO_UNUSED(job);
    LoopRange range = *(LoopRange *)data;
    run_range(range.loop, jobs_worker_of_thread(range.loop->jobs), range.begin, range.end);
}

// Whether to queue half of the `left` items, which cost `cost` ticks for 1024.
static bool worth_splitting(const Loop *loop, JobsWorker *worker, size_t left, uint64_t cost) {
    if (left < 2 || !jobs_deque_empty(&worker->deques[FILO_PRIORITY_NORMAL])) return false;
    if (loop->each) return true;
    const FiloJobs *jobs = loop->jobs;
    double ns = (double)left * (double)cost * jobs->ns_per_tick / 1024;
    if (base_load_relaxed(&jobs->searching) != 0) return ns >= MIN_SPLIT_NS;
    return ns >= MIN_WAKE_NS && jobs_scheduler_available(jobs) != 0;
}

static void run_range(Loop *loop, JobsWorker *worker, size_t begin, size_t end) {
    double ns_per_tick = loop->jobs->ns_per_tick;
    size_t part = FILO_MAX(base_load_relaxed(&loop->part), (size_t)1);
    uint64_t cost = base_load_relaxed(&loop->cost), now = base_tsc_now();
    while (begin < end) {
        if (worth_splitting(loop, worker, end - begin, cost)) {
            size_t middle = begin + (end - begin + 1) / 2;
            LoopRange range = { loop, middle, end };
            filo_jobs_spawn(loop->jobs, &loop->root, run_range_job, &range, sizeof range);
            jobs_deque_publish(&worker->deques[FILO_PRIORITY_NORMAL]); // for the worker that it was split for
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
            if (took < PART_NS / 4 && items == part && part < SIZE_MAX / 8)
                part *= 4;
            else if (took > PART_NS * 4 && part > 1)
                part /= 2;
        }
        begin = stop;
    }
    base_store_relaxed(&loop->part, part);
    base_store_relaxed(&loop->cost, cost);
}

static void run_loop(Loop *loop, JobsWorker *worker, size_t count) {
    filo_job_init(&loop->root, run_range_job, NULL, 0); // never run by a worker: this thread does its work
    run_range(loop, worker, 0, count);
    jobs_worker_finish(worker, &loop->root);
    filo_jobs_wait(loop->jobs, &loop->root);
}

static void run_loop_job(FiloJob *job, void *data) {
    FILO_UNUSED(job);
    LoopRange whole = *(LoopRange *)data;
    run_loop(whole.loop, jobs_worker_of_thread(whole.loop->jobs), whole.end);
}

static void start_loop(FiloJobs *jobs, size_t count, FiloRangeFunction function, void *user, bool each) {
    if (!FILO_CHECK(function != NULL, "a loop needs a function")) return;
    if (count == 0) return;
    JobsWorker *worker = jobs_worker_of_thread(jobs);
    if (worker != NULL && jobs->single_worker && !each) {
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
    FiloJob job; // from a foreign thread: a worker runs the loop
    LoopRange whole = { &loop, 0, count };
    filo_job_init(&job, run_loop_job, &whole, sizeof whole);
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
// The items are divided into leaves whose size depends on their number alone. Any worker computes the result of a leaf.
// Then neighbours are combined, pair by pair, level by level. So the tree is always the same.

#define MAX_LEAVES 1024
#define MIN_LEAF   64

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

// The memory of the last reduction, if it is large enough, or new memory; NULL if there is none. So repeated reductions
// allocate nothing, unless several run at the same time.
static JobsLeaves *take_leaves(FiloJobs *jobs, size_t size) {
    // Acquire: pairs with the release in return_leaves.
    JobsLeaves *memory = base_exchange_acquire(&jobs->leaves, NULL);
    if (memory != NULL && memory->size >= size) return memory;
    jobs_leaves_free(memory);
    memory = filo_alloc(NULL, sizeof *memory + size, FILO_CACHE_LINE);
    if (memory != NULL) memory->size = size;
    return memory;
}

static void return_leaves(FiloJobs *jobs, JobsLeaves *memory) {
    // Release: pairs with the acquire in take_leaves. Acquire: pairs with the release of another return_leaves.
    jobs_leaves_free(base_exchange_acq_rel(&jobs->leaves, memory));
}

FiloResult filo_jobs_reduce(FiloJobs *jobs, const FiloReduceDesc *desc, void *result) {
    if (desc == NULL || desc->part == NULL || desc->combine == NULL || desc->result_size == 0 ||
        result == NULL)
        return FILO_MISTAKE("a reduction needs part, combine, a result and its size");
    memset(result, 0, desc->result_size);
    if (desc->count == 0) return filo_ok();
    size_t leaf_size = FILO_MAX(desc->count / MAX_LEAVES, (size_t)MIN_LEAF);
    if (desc->count <= MIN_LEAF) leaf_size = 1; // a few items may be heavy
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
    return_leaves(jobs, memory);
    return filo_ok();
}
