// What workers do: find a job, run it, finish it, wait, and sleep. scheduler.h says how sleeping is made
// safe.

#include <filo/check.h>
#include <filo/profile.h>
#include <filo/time.h>

#include "base/tsc.h"
#include "jobs/scheduler.h"

#include <unistd.h>

#define SPINS_PER_LOOK 16 // looks at the clock are rarer than looks for work

// A job that moves to another processor takes some cache lines along, which its owner needs back: about 100 ns on both
// sides. Who finds that one of many took no longer than this, in nanoseconds, the theft included, …
#define TINY_THEFT 200
// … steals nothing until this much later. Jobs that are worth it are not held up; those that are not are done sooner.
#define RESTRAINT 2000

// How often to look for jobs that their owner keeps to itself, and how long they must have been there to be
// claimed, in nanoseconds: their owner may come by and publish them. How many times it is looked at for an
// answer before it is forced.
#define LOOK_FOR_HIDDEN 500
#define CLAIM_AFTER     1000
#define CLAIM_PATIENCE  20

static FiloWorker nobody = { .jobs = (FiloJobs *)&nobody }; // which is no scheduler's address

__attribute__((tls_model("initial-exec"))) FILO_THREAD_LOCAL FiloWorker *filo_workers_of_thread = &nobody;

// ---- The calling thread -------------------------------------------------------------------------------

// The place in the thread's list that points to `worker`.
static FiloWorker **link_to(const FiloWorker *worker) {
    FiloWorker **link = &filo_workers_of_thread;
    while (*link != worker && *link != &nobody) link = &(*link)->next_of_thread;
    return link;
}

void filo_worker_enter(FiloWorker *worker) {
    FiloWorker **last = link_to(&nobody); // not the first: that may be running a job
    worker->next_of_thread = &nobody;
    *last = worker;
}

void filo_worker_leave(FiloWorker *worker) {
    FiloWorker **link = link_to(worker);
    if (*link == worker) *link = worker->next_of_thread;
}

static void move_to_front(FiloWorker *worker) {
    FiloWorker **link = link_to(worker);
    if (*link == &nobody) return;
    *link = worker->next_of_thread;
    worker->next_of_thread = filo_workers_of_thread;
    filo_workers_of_thread = worker;
}

int filo_jobs_worker(const FiloJobs *jobs) {
    FiloWorker *worker = filo_worker_of_thread(jobs);
    return worker != NULL ? (int)worker->index : -1;
}

FiloJobs *filo_jobs_current(void) {
    FiloWorker *first = filo_workers_of_thread;
    return first->frame != NULL ? first->jobs : NULL;
}

// filo_job_finished, without a call.
static inline bool finished(const FiloJob *job) { return filo_load_acquire(filo_job_unfinished(job)) == 0; }

// ---- Finding ------------------------------------------------------------------------------------------

static const int search_order[FILO_PRIORITIES] = { FILO_PRIORITY_HIGH, FILO_PRIORITY_NORMAL,
                                                   FILO_PRIORITY_LOW };

static FILO_COLD FiloJob *take_own_by_priority(FiloWorker *worker) {
    for (int i = 0; i < FILO_PRIORITIES; i++) {
        FiloJob *job = filo_deque_take(&worker->deques[search_order[i]]);
        if (job != NULL) return job;
    }
    worker->unusual = false; // only the owner pushes: they stay empty until it does
    return NULL;
}

static inline FiloJob *take_own(FiloWorker *worker) {
    if (FILO_UNLIKELY(worker->unusual)) return take_own_by_priority(worker);
    return filo_deque_take(&worker->deques[FILO_PRIORITY_NORMAL]);
}

static void count_one(FILO_ATOMIC(uint64_t) * counter) { // only the owner writes
    filo_store_relaxed(counter, filo_load_relaxed(counter) + 1);
}

// Whether this worker should leave the others in peace, because what it stole last was not worth it.
static bool restrained(FiloWorker *worker) {
    if (FILO_LIKELY(worker->stolen_at == 0 && worker->restrained_until == 0)) return false;
    uint64_t now = filo_tsc_now();
    if (worker->stolen_at != 0) { // its first look around since then
        uint64_t took = now - worker->stolen_at;
        worker->stolen_at = 0;
        if ((double)took * worker->jobs->ns_per_tick < TINY_THEFT)
            worker->restrained_until = now + (uint64_t)(RESTRAINT / worker->jobs->ns_per_tick);
    }
    if (now < worker->restrained_until) return true;
    worker->restrained_until = 0;
    return false;
}

// The worker to begin with, at random.
static uint32_t first_victim(FiloWorker *worker) {
    worker->random = worker->random * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)worker->random * worker->jobs->worker_count) >> 32);
}

static FiloJob *steal_public(FiloWorker *worker) {
    FiloJobs *jobs = worker->jobs;
    uint32_t start = first_victim(worker);
    for (int p = 0; p < FILO_PRIORITIES; p++) { // somebody's high priority comes before anybody's normal
        bool contended;
        do {
            contended = false;
            for (uint32_t i = 0; i < jobs->worker_count; i++) {
                FiloWorker *victim = &jobs->workers[(start + i) % jobs->worker_count];
                if (victim == worker) continue;
                FiloJob *job = filo_deque_steal(&victim->deques[search_order[p]], &contended);
                if (job == NULL) continue;
                count_one(&worker->stolen);
                bool more = !filo_deque_empty(&victim->deques[search_order[p]]);
                if (more && jobs->spin_ns > RESTRAINT) worker->stolen_at = filo_tsc_now();
                return job;
            }
        } while (contended); // somebody else got one: there may be more
    }
    return NULL;
}

// A deque of another worker with jobs that only a claim can get at; NULL if there is none.
static FiloDeque *find_hidden(FiloWorker *worker) {
    FiloJobs *jobs = worker->jobs;
    uint32_t start = first_victim(worker);
    for (int p = 0; p < FILO_PRIORITIES; p++)
        for (uint32_t i = 0; i < jobs->worker_count; i++) {
            FiloWorker *victim = &jobs->workers[(start + i) % jobs->worker_count];
            FiloDeque *deque = &victim->deques[search_order[p]];
            if (victim != worker && filo_deque_hides(deque)) return deque;
        }
    return NULL;
}

// Nothing was public. What has been private for a while is made public; true if there may be something now.
static bool claim_hidden(FiloWorker *worker) {
    FiloJobs *jobs = worker->jobs;
    uint64_t now = filo_tsc_now();
    if (jobs->fence_needed || now < worker->look_for_hidden_at) return false;
    worker->look_for_hidden_at = now + (uint64_t)(LOOK_FOR_HIDDEN / jobs->ns_per_tick);
    FiloDeque *deque = find_hidden(worker);
    if (deque == NULL || worker->hidden_since == 0) {
        worker->hidden_since = deque != NULL ? now : 0;
        return false;
    }
    if ((double)(now - worker->hidden_since) * jobs->ns_per_tick < CLAIM_AFTER) return false;
    worker->hidden_since = 0;
    return filo_deque_claim(deque, CLAIM_PATIENCE);
}

static FiloJob *steal(FiloWorker *worker) {
    if (worker->jobs->alone || restrained(worker)) return NULL;
    FiloJob *job = steal_public(worker);
    if (job == NULL && claim_hidden(worker)) job = steal_public(worker);
    if (job != NULL) worker->hidden_since = 0;
    return job;
}

FiloJob *filo_worker_find(FiloWorker *worker) {
    FiloJob *job = filo_inbox_take(&worker->pinned);
    if (job == NULL) job = take_own(worker);
    if (job == NULL) job = filo_inbox_take(&worker->jobs->inbox);
    if (job == NULL) job = steal(worker);
    return job;
}

bool filo_worker_sees_work(FiloWorker *worker) {
    FiloJobs *jobs = worker->jobs;
    if (filo_load_relaxed(&worker->pinned.count) != 0 || filo_load_relaxed(&jobs->inbox.count) != 0)
        return true;
    for (uint32_t i = 0; i < jobs->worker_count; i++)
        for (int p = 0; p < FILO_PRIORITIES; p++)
            if (!filo_deque_empty(&jobs->workers[i].deques[p])) return true;
    return false;
}

// ---- Marks ----------------------------------------------------------------------------------------------

static FILO_THREAD_LOCAL bool marked;

bool filo_jobs_marked(void) { return marked; }

bool filo_jobs_set_mark(bool mark) {
    bool before = marked;
    marked = mark;
    return before;
}

// ---- Running and finishing ----------------------------------------------------------------------------

static __attribute__((noinline)) void wake_waiters(FiloJobs *jobs, const FiloJob *job) {
    filo_scheduler_fence(jobs);
    if ((filo_load_relaxed(&jobs->waiting) & ~FILO_FENCE_NEEDED) == 0) return;
    for (uint32_t i = 0; i < jobs->worker_count; i++) {
        FiloWorker *worker = &jobs->workers[i];
        if (filo_load_relaxed(&worker->waiting_for) == job) filo_scheduler_wake_worker(jobs, worker);
    }
    if (filo_load_relaxed(&jobs->foreign_waiting) != 0) {
        filo_add_release(&jobs->finish_word, 1); // release: pairs with the acquire of who waits on it
        filo_unpark((uint32_t *)&jobs->finish_word, INT32_MAX);
    }
}

// Somebody may be asleep until `job` has finished.
static inline void tell_waiters(FiloJobs *jobs, const FiloJob *job) {
    filo_barrier_compiler(); // see filo_scheduler_fence
    if (FILO_UNLIKELY(filo_load_relaxed(&jobs->waiting) != 0)) wake_waiters(jobs, job);
}

void filo_worker_finish(FiloWorker *worker, FiloJob *job) {
    FiloJobs *jobs = worker->jobs;
    while (job != NULL) {
        FILO_ATOMIC(uint32_t) *unfinished = filo_job_unfinished(job);
        // Acquire: pairs with the release of the others that it counts, on whatever threads; release: for the last of
        // them. While others are left, nothing of the job may be read: it may not even have been run, and be in the
        // middle of being set up.
        uint32_t left = filo_load_acquire(unfinished);
        while (left != 1)
            if (filo_cas_acq_rel_acquire(unfinished, &left, left - 1)) return;
        // Nobody adds to a count of 1 that is ours, so this needs no read-modify-write. What we need is taken before the
        // job's memory becomes somebody else's.
        FiloJob *parent = job->parent;
        FiloDependents *dependents = job->dependents;
        filo_store_release(unfinished, 0); // release: pairs with the acquire of waiters, and of the job ring
        if (FILO_UNLIKELY(dependents != NULL)) filo_job_release_dependents(jobs, worker, dependents);
        tell_waiters(jobs, job);
        job = parent;
    }
}

// Everything but the plainest case.
static FILO_COLD void call_with_care(FiloWorker *worker, FiloJob *job) {
    if ((uintptr_t)__builtin_frame_address(0) < worker->stack_end)
        filo_panic(
            "jobs wait for jobs so deep that the stack is nearly used up: nest less, or raise stack_size");
    if (filo_load_relaxed(&worker->jobs->cancelling) != 0) return;
    FiloZone zone;
    filo_profile_enter(&zone, job->name != NULL ? job->name : "job");
    job->function(job, job->data);
    filo_profile_leave(&zone);
}

// Runs a job on the thread's first worker. Each instruction here is paid for by every job.
static inline __attribute__((always_inline)) void run(FiloWorker *worker, FiloJob *job) {
    FiloFrame frame = { job, worker->frame };
    worker->frame = &frame;
#ifndef NDEBUG
    bool mark = filo_jobs_set_mark((filo_load_relaxed(filo_job_control(job)) & FILO_JOB_MARK_BIT) != 0);
#endif
    bool careful = (uintptr_t)__builtin_frame_address(0) < filo_load_relaxed(&worker->careful_below);
    if (FILO_UNLIKELY(careful) || FILO_UNLIKELY(filo_profile_state_now() != 0))
        call_with_care(worker, job);
    else
        job->function(job, job->data);
#ifndef NDEBUG
    (void)filo_jobs_set_mark(mark);
#endif
    worker->frame = frame.outer;
    count_one(&worker->run);
    // As filo_worker_finish, for a job without anybody around it or after it.
    if (FILO_LIKELY((filo_load_relaxed(filo_job_control(job)) & FILO_JOB_TIES_BIT) == 0 &&
                    filo_load_acquire(filo_job_unfinished(job)) == 1)) {
        filo_store_release(filo_job_unfinished(job), 0);
        tell_waiters(worker->jobs, job);
    } else {
        filo_worker_finish(worker, job);
    }
}

// The thread is a worker of several schedulers, and this is not its first.
static FILO_COLD void run_as_first(FiloWorker *worker, FiloJob *job) {
    FiloWorker *first = filo_workers_of_thread;
    move_to_front(worker);
    run(worker, job);
    move_to_front(first); // unless the job has destroyed its scheduler
}

void filo_worker_run(FiloWorker *worker, FiloJob *job) {
    if (FILO_LIKELY(filo_workers_of_thread == worker))
        run(worker, job);
    else
        run_as_first(worker, job);
}

// ---- Sleeping -----------------------------------------------------------------------------------------

static void barrier_of_sleeper(FiloJobs *jobs) {
    if (jobs->fence_needed)
        filo_scheduler_meet(jobs);
    else
        filo_barrier_everywhere();
}

// Takes back the announcement of a worker that does not sleep after all, or no longer.
static void stay_awake(FiloJobs *jobs, FiloWorker *worker) {
    uint32_t parked = FILO_WORKER_PARKED, waiting = FILO_WORKER_WAITING;
    if (filo_cas_acquire(&worker->sleep, &parked, FILO_WORKER_AWAKE))
        filo_sub_relaxed(&jobs->available, 1);
    else
        filo_cas_acquire(&worker->sleep, &waiting, FILO_WORKER_AWAKE);
    // Another thread may be changing the worker's mask. Acquire: pairs with the release in wake_from.
    while (filo_load_acquire(&worker->sleep) == FILO_WORKER_MOVING)
        filo_park((uint32_t *)&worker->sleep, FILO_WORKER_MOVING);
}

static bool asleep(FiloWorker *worker, uint32_t *sleep) {
    *sleep = filo_load_acquire(&worker->sleep); // acquire: pairs with the release in wake_from
    return *sleep == FILO_WORKER_PARKED || *sleep == FILO_WORKER_WAITING || *sleep == FILO_WORKER_MOVING;
}

// Sleeps until there is something to do. `until` is the job that the thread waits for, or NULL; `helping`
// says whether other work may wake it. Returns false if the worker was shed: its thread must end.
static bool park(FiloWorker *worker, FiloJob *until, bool helping) {
    FiloJobs *jobs = worker->jobs;
    uint32_t announced = helping ? FILO_WORKER_PARKED : FILO_WORKER_WAITING;
    filo_store_relaxed(&worker->waiting_for, until);
    if (until != NULL) filo_add_relaxed(&jobs->waiting, 1);
    if (helping) filo_add_relaxed(&jobs->available, 1); // before it can be taken off again
    filo_store_release(&worker->sleep, announced);      // release: pairs with the acquire in wake_from
    barrier_of_sleeper(jobs);

    bool shed = false;
    bool something =
        (until != NULL && filo_job_finished(until)) ||
        (helping ? filo_worker_sees_work(worker) : filo_load_relaxed(&worker->pinned.count) != 0) ||
        filo_load_relaxed(&jobs->stopping) != 0;
    if (!something) {
        count_one(&worker->parked);
        bool may_shed = until == NULL && worker->index != 0 && jobs->shed_after_ns > 0;
        uint32_t sleep;
        while (asleep(worker, &sleep)) {
            if (!may_shed) {
                filo_park((uint32_t *)&worker->sleep, sleep);
            } else if (!filo_park_for((uint32_t *)&worker->sleep, sleep, jobs->shed_after_ns)) {
                uint32_t parked = FILO_WORKER_PARKED;
                // It stays counted as available. Release: pairs with the acquire of whoever starts it again.
                shed = filo_cas_acq_rel(&worker->sleep, &parked, FILO_WORKER_SHED);
            }
        }
    }
    if (!shed) {
        stay_awake(jobs, worker);
        jobs_spread_after_wake(worker, !something);
    }
    if (until != NULL) filo_sub_relaxed(&jobs->waiting, 1);
    filo_store_relaxed(&worker->waiting_for, NULL);
    if (shed) filo_add_relaxed(&jobs->shed, 1);
    return !shed;
}

// Looks for work for a while. NULL if there is none, or if `until` has finished.
static FiloJob *search(FiloWorker *worker, FiloJob *until) {
    FiloJobs *jobs = worker->jobs;
    FiloJob *job = NULL;
    if (jobs->alone || jobs->spin_ns < 0) return NULL;
    filo_add_relaxed(&jobs->searching, 1);
    int64_t start = filo_time_ns();
    for (int round = 1; job == NULL; round++) {
        if ((until != NULL && filo_job_finished(until)) || filo_load_relaxed(&jobs->stopping) != 0) break;
        if (jobs->crowded)
            filo_thread_yield();
        else
            filo_cpu_relax();
        job = filo_worker_find(worker);
        if (round % SPINS_PER_LOOK == 0 && filo_time_ns() - start >= jobs->spin_ns) break;
    }
    filo_sub_relaxed(&jobs->searching, 1);
    return job;
}

// ---- The life of a worker -----------------------------------------------------------------------------

// The scheduler is stopping: run what there is, and say truthfully whether there is any (see
// filo_jobs_destroy).
static void drain_until_exit(FiloWorker *worker) {
    FiloJobs *jobs = worker->jobs;
    while (filo_load_acquire(&jobs->stopping) !=
           FILO_STOPPING_EXIT) { // acquire: pairs with the release in destroy
        if (!filo_worker_sees_work(worker)) {
            filo_store_seq_cst(&worker->quiet, 1);
            filo_thread_yield();
            continue;
        }
        filo_store_seq_cst(&worker->quiet,
                           0); // before taking: destroy must not see us quiet with a job in hand
        FiloJob *job = filo_worker_find(worker);
        if (job != NULL) filo_worker_run(worker, job);
    }
}

void filo_worker_main(void *argument) {
    FiloWorker *worker = argument;
    FiloJobs *jobs = worker->jobs;
    while (filo_load_acquire(&worker->sleep) ==
           FILO_WORKER_STARTING) // acquire: pairs with the release of who started it
        filo_park((uint32_t *)&worker->sleep, FILO_WORKER_STARTING);
    if (worker->ended.running) filo_thread_join(&worker->ended);
    filo_worker_enter(worker);
    filo_worker_measure_stack(worker);
    worker->spread.thread = gettid();
    if (jobs->desc.thread_started != NULL) jobs->desc.thread_started((int)worker->index, jobs->desc.user);
    bool stays = true;
    while (stays && filo_load_relaxed(&jobs->stopping) == 0) {
        FiloJob *job = filo_worker_find(worker);
        if (job == NULL) job = search(worker, NULL);
        if (job != NULL)
            filo_worker_run(worker, job);
        else
            stays = park(worker, NULL, true);
    }
    if (stays) drain_until_exit(worker);
    if (jobs->desc.thread_ending != NULL) jobs->desc.thread_ending((int)worker->index, jobs->desc.user);
    filo_worker_leave(worker);
}

// ---- Waiting ------------------------------------------------------------------------------------------

static void wait_as_foreigner(FiloJobs *jobs, FiloJob *job) {
    filo_add_relaxed(&jobs->waiting, 1);
    filo_add_relaxed(&jobs->foreign_waiting, 1);
    barrier_of_sleeper(jobs);
    for (;;) {
        uint32_t word =
            filo_load_acquire(&jobs->finish_word); // before the test: a finish in between changes it
        if (filo_job_finished(job)) break;
        filo_park((uint32_t *)&jobs->finish_word, word);
    }
    filo_sub_relaxed(&jobs->foreign_waiting, 1);
    filo_sub_relaxed(&jobs->waiting, 1);
}

// A thread that is inside `job` cannot see its end by waiting: the job goes on only when the wait is over.
static bool is_inside(const FiloWorker *worker, const FiloJob *job) {
    for (const FiloFrame *frame = worker->frame; frame != NULL; frame = frame->outer)
        for (const FiloJob *around = frame->job; around != NULL; around = around->parent)
            if (around == job) return true;
    return false;
}

// The slow half of waiting: everything is looked at, and then slept.
static __attribute__((noinline)) bool wait_slowly(FiloWorker *worker, FiloJob *job) {
    if (!FILO_CHECK(
            !is_inside(worker, job),
            "this thread waits, inside a job, for that job or for one around it: it can never finish"))
        return false;
    // With little stack left, only what nobody else can run is begun on top of this.
    bool deep = (uintptr_t)__builtin_frame_address(0) < worker->stack_low;
    FiloJob *other =
        deep && !worker->jobs->alone ? filo_inbox_take(&worker->pinned) : filo_worker_find(worker);
    if (other == NULL && !deep) other = search(worker, job);
    if (other != NULL)
        filo_worker_run(worker, other);
    else if (!filo_job_finished(job))
        park(worker, job, !deep || worker->jobs->alone);
    return true;
}

// The rest of a wait, after the first attempt.
static __attribute__((noinline)) void wait_on(FiloWorker *worker, FiloJob *job) {
    FiloJobs *jobs = worker->jobs;
    bool slow = false;
    while (!finished(job)) {
        FiloJob *other = take_own(worker);
        if (FILO_LIKELY(other != NULL)) {
            filo_worker_run(worker, other);
            continue;
        }
        slow = true;
        if (!wait_slowly(worker, job)) break;
    }
    // It may have been woken for work, found that its job had finished, and goes off without taking that work: somebody
    // else must.
    if (slow && filo_scheduler_available(jobs) != 0 && filo_worker_sees_work(worker)) {
        for (int p = 0; p < FILO_PRIORITIES; p++) filo_deque_publish(&worker->deques[p]);
        filo_scheduler_wake(jobs);
    }
}

static FILO_COLD void wait_elsewhere(FiloJobs *jobs, FiloJob *job) {
    FiloWorker *worker = filo_worker_of_thread(jobs);
    if (worker != NULL)
        wait_on(worker, job);
    else
        wait_as_foreigner(jobs, job);
}

// Most often the job has finished, or is the newest of the calling worker's own.
void filo_jobs_wait(FiloJobs *jobs, FiloJob *job) {
    if (!FILO_CHECK(jobs != NULL && job != NULL, "pass a scheduler and a job")) return;
    FiloWorker *worker = filo_workers_of_thread;
    if (FILO_UNLIKELY(worker->jobs != jobs)) {
        wait_elsewhere(jobs, job);
        return;
    }
    if (finished(job)) return;
    FiloJob *newest = take_own(worker);
    if (FILO_LIKELY(newest != NULL)) {
        run(worker, newest);
        if (FILO_LIKELY(finished(job))) return;
    }
    wait_on(worker, job);
}

int filo_jobs_run_pinned(FiloJobs *jobs) {
    FiloWorker *worker = filo_worker_of_thread(jobs);
    if (!FILO_CHECK(worker != NULL, "only a worker has jobs pinned to it")) return 0;
    int count = 0;
    for (FiloJob *job; (job = filo_inbox_take(&worker->pinned)) != NULL; count++)
        filo_worker_run(worker, job);
    return count;
}
