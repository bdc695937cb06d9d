#include "jobs/spread.h"

#include <filo/time.h>

#include "jobs/scheduler.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A wake-up on the waker's processor weighs as much as this many wake-ups on others. So wake-ups are spread where that
// happens to more than one in seventeen. The first few may be chance.
#define WEIGHT 16
#define ENOUGH (3 * WEIGHT)
// Evidence that is left after spreading: one more such wake-up is enough then, unless they have become rare.
#define REMAINDER (2 * WEIGHT + WEIGHT / 2)

#define SPREAD_FOR 10000000000 // nanoseconds

// ---- All processors -----------------------------------------------------------------------------------

// Parses a list such as "0-3,8". False if it is not one, or has a processor beyond CPU_SETSIZE.
static bool parse_processors(const char *text, cpu_set_t *set) {
    CPU_ZERO(set);
    while (*text >= '0' && *text <= '9') {
        char *end;
        unsigned long first = strtoul(text, &end, 10), last = first;
        if (*end == '-') last = strtoul(end + 1, &end, 10);
        if (last >= CPU_SETSIZE || first > last) return false;
        for (unsigned long i = first; i <= last; i++) CPU_SET(i, set);
        text = *end == ',' ? end + 1 : end;
    }
    return *text == '\n' && CPU_COUNT(set) > 0;
}

// Not by sysconf, which in some C libraries counts only the processors that the calling thread may use.
static bool read_processors(cpu_set_t *set) {
    char text[1024];
    int file = open("/sys/devices/system/cpu/online", O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    text[FILO_MAX(length, 0)] = '\0';
    return parse_processors(text, set);
}

void jobs_spread_init(FiloJobs *jobs) {
    // With more workers than processors, some have to share one.
    bool on = !jobs->single_worker && read_processors(&jobs->spread.processors) && !jobs->desc.no_spreading &&
              !jobs->oversubscribed;
    base_store_relaxed(&jobs->spread.on, on);
    for (uint32_t i = 0; i < jobs->worker_count; i++) {
        base_store_relaxed(&jobs->workers[i].spread.processor, -1);
        base_store_relaxed(&jobs->workers[i].spread.waker, -1);
    }
}

// ---- On the waking thread -----------------------------------------------------------------------------

bool jobs_spread_before_wake(FiloJobs *jobs, JobsWorker *worker) {
    if (base_load_relaxed(&jobs->spread.on) == 0) return false;
    int here = sched_getcpu();
    base_store_relaxed(&worker->spread.waker, here);
    JobsWorker *from = jobs_worker_of_thread(jobs);
    if (from != NULL) base_store_relaxed(&from->spread.processor, here);
    if (worker->index == 0) return false; // main's mask is that of the process
    int64_t until = base_load_relaxed(&jobs->spread.until);
    return until != 0 && filo_time_ns() < until;
}

// Processors that `worker` should not start on: those of the workers that are awake.
static void find_busy(FiloJobs *jobs, const JobsWorker *worker, cpu_set_t *busy) {
    CPU_ZERO(busy);
    for (uint32_t i = 0; i < jobs->worker_count; i++) {
        JobsWorker *other = &jobs->workers[i];
        int processor = base_load_relaxed(&other->spread.processor);
        if (other != worker && processor >= 0 && base_load_relaxed(&other->sleep) == JOBS_WORKER_AWAKE)
            CPU_SET((size_t)processor, busy);
    }
}

void jobs_spread_narrow(FiloJobs *jobs, JobsWorker *worker) {
    JobsSpreadWorker *spread = &worker->spread;
    cpu_set_t mask, busy, *narrowed = &spread->mask;
    int waker = sched_getcpu();
    if (waker < 0 || sched_getaffinity(spread->thread, sizeof mask, &mask) != 0 ||
        !CPU_EQUAL(&mask, &jobs->spread.processors))
        return;
    find_busy(jobs, worker, &busy);
    CPU_SET((size_t)waker, &busy);
    CPU_AND(&busy, &busy, &mask);
    CPU_XOR(narrowed, &mask, &busy);
    if (CPU_COUNT(narrowed) == 0) { // all are busy: leave out only the waker's
        *narrowed = mask;
        CPU_CLR((size_t)waker, narrowed);
    }
    if (CPU_COUNT(narrowed) == 0) return;
    if (sched_setaffinity(spread->thread, sizeof *narrowed, narrowed) == 0)
        spread->narrowed = true;
    else if (errno != EINVAL) // EINVAL: these processors are offline now; anything else: it is forbidden
        base_store_relaxed(&jobs->spread.on, 0);
}

// ---- On the woken worker ------------------------------------------------------------------------------

// Requests all processors, not only those of the old mask: the process may use others by now. The kernel removes those
// that it may not use.
static void restore(JobsSpreadWorker *spread) {
    spread->narrowed = false;
    cpu_set_t mask;
    if (sched_getaffinity(0, sizeof mask, &mask) != 0 || !CPU_EQUAL(&mask, &spread->mask)) return;
    memset(&mask, 0xFF, sizeof mask);
    (void)sched_setaffinity(0, sizeof mask, &mask); // succeeds where narrowing did
}

// Not exact: several workers may overwrite each other's updates, which does no harm.
static void add_evidence(JobsSpread *spread, bool same_processor) {
    int32_t evidence = base_load_relaxed(&spread->evidence);
    evidence = same_processor ? evidence + WEIGHT : FILO_MAX(evidence - 1, 0);
    if (evidence >= ENOUGH) {
        base_store_relaxed(&spread->until, filo_time_ns() + SPREAD_FOR);
        evidence = REMAINDER;
    }
    base_store_relaxed(&spread->evidence, evidence);
}

void jobs_spread_after_wake(JobsWorker *worker, bool slept) {
    FiloJobs *jobs = worker->jobs;
    JobsSpreadWorker *spread = &worker->spread;
    bool narrowed = spread->narrowed;
    if (narrowed) {
        restore(spread);
        base_add_relaxed(&jobs->moved, 1);
    }
    if (base_load_relaxed(&jobs->spread.on) == 0) return;
    int here = sched_getcpu();
    base_store_relaxed(&spread->processor, here);
    if (slept && !narrowed && worker->index != 0)
        add_evidence(&jobs->spread, here == base_load_relaxed(&spread->waker));
}
