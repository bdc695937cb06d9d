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

static JobsWorker nobody = { .jobs = (FiloJobs *)&nobody }; // which is no scheduler's address

__attribute__((tls_model("initial-exec"))) FILO_THREAD_LOCAL JobsWorker *jobs_workers_of_thread = &nobody;

// ---- The calling thread -------------------------------------------------------------------------------

// The place in the thread's list that points to `worker`.
static JobsWorker **link_to(const JobsWorker *worker) {
    JobsWorker **link = &jobs_workers_of_thread;
    while (*link != worker && *link != &nobody) link = &(*link)->next_of_thread;
    return link;
}

void jobs_worker_enter(JobsWorker *worker) {
    JobsWorker **last = link_to(&nobody); // not the first: that may be running a job
    worker->next_of_thread = &nobody;
    *last = worker;
}

void jobs_worker_leave(JobsWorker *worker) {
    JobsWorker **link = link_to(worker);
    if (*link == worker) *link = worker->next_of_thread;
}

static void move_to_front(JobsWorker *worker) {
    JobsWorker **link = link_to(worker);
    if (*link == &nobody) return;
    *link = worker->next_of_thread;
    worker->next_of_thread = jobs_workers_of_thread;
    jobs_workers_of_thread = worker;
}

int filo_jobs_worker(const FiloJobs *jobs) {
    JobsWorker *worker = jobs_worker_of_thread(jobs);
    return worker != NULL ? (int)worker->index : -1;
}

FiloJobs *filo_jobs_current(void) {
    JobsWorker *first = jobs_workers_of_thread;
    return first->frame != NULL ? first->jobs : NULL;
}

// filo_job_finished, without a call.
static inline bool finished(const FiloJob *job) { return base_load_acquire(jobs_job_unfinished(job)) == 0; }

// ---- Finding ------------------------------------------------------------------------------------------

static const int search_order[JOBS_PRIORITIES] = { FILO_PRIORITY_HIGH, FILO_PRIORITY_NORMAL,
                                                   FILO_PRIORITY_LOW };

static FILO_COLD FiloJob *take_own_by_priority(JobsWorker *worker) {
    for (int i = 0; i < JOBS_PRIORITIES; i++) {
        FiloJob *job = jobs_deque_take(&worker->deques[search_order[i]]);
        if (job != NULL) return job;
    }
    worker->unusual = false; // only the owner pushes: they stay empty until it does
    return NULL;
}

static inline FiloJob *take_own(JobsWorker *worker) {
    if (FILO_UNLIKELY(worker->unusual)) return take_own_by_priority(worker);
    return jobs_deque_take(&worker->deques[FILO_PRIORITY_NORMAL]);
}

static void count_one(BASE_ATOMIC(uint64_t) * counter) { // only the owner writes
    base_store_relaxed(counter, base_load_relaxed(counter) + 1);
}

// Whether this worker should leave the others in peace, because what it stole last was not worth it.
static bool restrained(JobsWorker *worker) {
    if (FILO_LIKELY(worker->stolen_at == 0 && worker->restrained_until == 0)) return false;
    uint64_t now = base_tsc_now();
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
static uint32_t first_victim(JobsWorker *worker) {
    worker->random = worker->random * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)worker->random * worker->jobs->worker_count) >> 32);
}

static FiloJob *steal_public(JobsWorker *worker) {
    FiloJobs *jobs = worker->jobs;
    uint32_t start = first_victim(worker);
    for (int p = 0; p < JOBS_PRIORITIES; p++) { // somebody's high priority comes before anybody's normal
        bool contended;
        do {
            contended = false;
            for (uint32_t i = 0; i < jobs->worker_count; i++) {
                JobsWorker *victim = &jobs->workers[(start + i) % jobs->worker_count];
                if (victim == worker) continue;
                FiloJob *job = jobs_deque_steal(&victim->deques[search_order[p]], &contended);
                if (job == NULL) continue;
                count_one(&worker->stolen);
                bool more = !jobs_deque_empty(&victim->deques[search_order[p]]);
                if (more && jobs->spin_ns > RESTRAINT) worker->stolen_at = base_tsc_now();
                return job;
            }
        } while (contended); // somebody else got one: there may be more
    }
    return NULL;
}

// A deque of another worker with jobs that only a claim can get at; NULL if there is none.
static JobsDeque *find_hidden(JobsWorker *worker) {
    FiloJobs *jobs = worker->jobs;
    uint32_t start = first_victim(worker);
    for (int p = 0; p < JOBS_PRIORITIES; p++)
        for (uint32_t i = 0; i < jobs->worker_count; i++) {
            JobsWorker *victim = &jobs->workers[(start + i) % jobs->worker_count];
            JobsDeque *deque = &victim->deques[search_order[p]];
            if (victim != worker && jobs_deque_hides(deque)) return deque;
        }
    return NULL;
}

// Nothing was public. What has been private for a while is made public; true if there may be something now.
static bool claim_hidden(JobsWorker *worker) {
    FiloJobs *jobs = worker->jobs;
    uint64_t now = base_tsc_now();
    if (jobs->fence_needed || now < worker->look_for_hidden_at) return false;
    worker->look_for_hidden_at = now + (uint64_t)(LOOK_FOR_HIDDEN / jobs->ns_per_tick);
    JobsDeque *deque = find_hidden(worker);
    if (deque == NULL || worker->hidden_since == 0) {
        worker->hidden_since = deque != NULL ? now : 0;
        return false;
    }
    if ((double)(now - worker->hidden_since) * jobs->ns_per_tick < CLAIM_AFTER) return false;
    worker->hidden_since = 0;
    return jobs_deque_claim(deque, CLAIM_PATIENCE);
}

static FiloJob *steal(JobsWorker *worker) {
    if (worker->jobs->alone || restrained(worker)) return NULL;
    FiloJob *job = steal_public(worker);
    if (job == NULL && claim_hidden(worker)) job = steal_public(worker);
    if (job != NULL) worker->hidden_since = 0;
    return job;
}

FiloJob *jobs_worker_find(JobsWorker *worker) {
    FiloJob *job = jobs_inbox_take(&worker->pinned);
    if (job == NULL) job = take_own(worker);
    if (job == NULL) job = jobs_inbox_take(&worker->jobs->inbox);
    if (job == NULL) job = steal(worker);
    return job;
}

bool jobs_worker_sees_work(JobsWorker *worker) {
    FiloJobs *jobs = worker->jobs;
    if (base_load_relaxed(&worker->pinned.count) != 0 || base_load_relaxed(&jobs->inbox.count) != 0)
        return true;
    for (uint32_t i = 0; i < jobs->worker_count; i++)
        for (int p = 0; p < JOBS_PRIORITIES; p++)
            if (!jobs_deque_empty(&jobs->workers[i].deques[p])) return true;
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
    jobs_scheduler_fence(jobs);
    if ((base_load_relaxed(&jobs->waiting) & ~JOBS_FENCE_NEEDED) == 0) return;
    for (uint32_t i = 0; i < jobs->worker_count; i++) {
        JobsWorker *worker = &jobs->workers[i];
        if (base_load_relaxed(&worker->waiting_for) == job) jobs_scheduler_wake_worker(jobs, worker);
    }
    if (base_load_relaxed(&jobs->foreign_waiting) != 0) {
        base_add_release(&jobs->finish_word, 1); // release: pairs with the acquire of who waits on it
        filo_unpark((uint32_t *)&jobs->finish_word, INT32_MAX);
    }
}

// Somebody may be asleep until `job` has finished.
static inline void tell_waiters(FiloJobs *jobs, const FiloJob *job) {
    jobs_barrier_compiler(); // see jobs_scheduler_fence
    if (FILO_UNLIKELY(base_load_relaxed(&jobs->waiting) != 0)) wake_waiters(jobs, job);
}

void jobs_worker_finish(JobsWorker *worker, FiloJob *job) {
    FiloJobs *jobs = worker->jobs;
    while (job != NULL) {
        BASE_ATOMIC(uint32_t) *unfinished = jobs_job_unfinished(job);
        // Acquire: pairs with the release of the others that it counts, on whatever threads; release: for the last of
        // them. While others are left, nothing of the job may be read: it may not even have been run, and be in the
        // middle of being set up.
        uint32_t left = base_load_acquire(unfinished);
        while (left != 1)
            if (base_cas_acq_rel_acquire(unfinished, &left, left - 1)) return;
        // Nobody adds to a count of 1 that is ours, so this needs no read-modify-write. What we need is taken before the
        // job's memory becomes somebody else's.
        FiloJob *parent = job->parent;
        JobsDependents *dependents = job->dependents;
        base_store_release(unfinished, 0); // release: pairs with the acquire of waiters, and of the job ring
        if (FILO_UNLIKELY(dependents != NULL)) jobs_job_release_dependents(jobs, worker, dependents);
        tell_waiters(jobs, job);
        job = parent;
    }
}

// Everything but the plainest case.
static FILO_COLD void call_with_care(JobsWorker *worker, FiloJob *job) {
    if ((uintptr_t)__builtin_frame_address(0) < worker->stack_end)
        filo_panic(
            "jobs wait for jobs so deep that the stack is nearly used up: nest less, or raise stack_size");
    if (base_load_relaxed(&worker->jobs->cancelling) != 0) return;
    FiloZone zone;
    filo_profile_enter(&zone, job->name != NULL ? job->name : "job");
    job->function(job, job->data);
    filo_profile_leave(&zone);
}

// Runs a job on the thread's first worker. Each instruction here is paid for by every job.
static inline __attribute__((always_inline)) void run(JobsWorker *worker, FiloJob *job) {
    FiloFrame frame = { job, worker->frame };
    worker->frame = &frame;
#ifndef NDEBUG
    bool mark = filo_jobs_set_mark((base_load_relaxed(jobs_job_control(job)) & JOB_MARK_BIT) != 0);
#endif
    bool careful = (uintptr_t)__builtin_frame_address(0) < base_load_relaxed(&worker->careful_below);
    if (FILO_UNLIKELY(careful) || FILO_UNLIKELY(filo_profile_state_now() != 0))
        call_with_care(worker, job);
    else
        job->function(job, job->data);
#ifndef NDEBUG
    (void)filo_jobs_set_mark(mark);
#endif
    worker->frame = frame.outer;
    count_one(&worker->run);
    // As jobs_worker_finish, for a job without anybody around it or after it.
    if (FILO_LIKELY((base_load_relaxed(jobs_job_control(job)) & JOB_TIES_BIT) == 0 &&
                    base_load_acquire(jobs_job_unfinished(job)) == 1)) {
        base_store_release(jobs_job_unfinished(job), 0);
        tell_waiters(worker->jobs, job);
    } else {
        jobs_worker_finish(worker, job);
    }
}

// The thread is a worker of several schedulers, and this is not its first.
static FILO_COLD void run_as_first(JobsWorker *worker, FiloJob *job) {
    JobsWorker *first = jobs_workers_of_thread;
    move_to_front(worker);
    run(worker, job);
    move_to_front(first); // unless the job has destroyed its scheduler
}

void jobs_worker_run(JobsWorker *worker, FiloJob *job) {
    if (FILO_LIKELY(jobs_workers_of_thread == worker))
        run(worker, job);
    else
        run_as_first(worker, job);
}

// ---- Sleeping -----------------------------------------------------------------------------------------

static void barrier_of_sleeper(FiloJobs *jobs) {
    if (jobs->fence_needed)
        jobs_scheduler_meet(jobs);
    else
        jobs_barrier_everywhere();
}

// Takes back the announcement of a worker that does not sleep after all, or no longer.
static void stay_awake(FiloJobs *jobs, JobsWorker *worker) {
    uint32_t parked = JOBS_WORKER_PARKED, waiting = JOBS_WORKER_WAITING;
    if (base_cas_acquire(&worker->sleep, &parked, JOBS_WORKER_AWAKE))
        base_sub_relaxed(&jobs->available, 1);
    else
        base_cas_acquire(&worker->sleep, &waiting, JOBS_WORKER_AWAKE);
    // Another thread may be changing the worker's mask. Acquire: pairs with the release in wake_from.
    while (base_load_acquire(&worker->sleep) == JOBS_WORKER_MOVING)
        filo_park((uint32_t *)&worker->sleep, JOBS_WORKER_MOVING);
}

static bool asleep(JobsWorker *worker, uint32_t *sleep) {
    *sleep = base_load_acquire(&worker->sleep); // acquire: pairs with the release in wake_from
    return *sleep == JOBS_WORKER_PARKED || *sleep == JOBS_WORKER_WAITING || *sleep == JOBS_WORKER_MOVING;
}

// Sleeps until there is something to do. `until` is the job that the thread waits for, or NULL; `helping`
// says whether other work may wake it. Returns false if the worker was shed: its thread must end.
static bool park(JobsWorker *worker, FiloJob *until, bool helping) {
    FiloJobs *jobs = worker->jobs;
    uint32_t announced = helping ? JOBS_WORKER_PARKED : JOBS_WORKER_WAITING;
    base_store_relaxed(&worker->waiting_for, until);
    if (until != NULL) base_add_relaxed(&jobs->waiting, 1);
    if (helping) base_add_relaxed(&jobs->available, 1); // before it can be taken off again
    base_store_release(&worker->sleep, announced);      // release: pairs with the acquire in wake_from
    barrier_of_sleeper(jobs);

    bool shed = false;
    bool something =
        (until != NULL && filo_job_finished(until)) ||
        (helping ? jobs_worker_sees_work(worker) : base_load_relaxed(&worker->pinned.count) != 0) ||
        base_load_relaxed(&jobs->stopping) != 0;
    if (!something) {
        count_one(&worker->parked);
        bool may_shed = until == NULL && worker->index != 0 && jobs->shed_after_ns > 0;
        uint32_t sleep;
        while (asleep(worker, &sleep)) {
            if (!may_shed) {
                filo_park((uint32_t *)&worker->sleep, sleep);
            } else if (!filo_park_for((uint32_t *)&worker->sleep, sleep, jobs->shed_after_ns)) {
                uint32_t parked = JOBS_WORKER_PARKED;
                // It stays counted as available. Release: pairs with the acquire of whoever starts it again.
                shed = base_cas_acq_rel(&worker->sleep, &parked, JOBS_WORKER_SHED);
            }
        }
    }
    if (!shed) {
        stay_awake(jobs, worker);
        jobs_spread_after_wake(worker, !something);
    }
    if (until != NULL) base_sub_relaxed(&jobs->waiting, 1);
    base_store_relaxed(&worker->waiting_for, NULL);
    if (shed) base_add_relaxed(&jobs->shed, 1);
    return !shed;
}

// Looks for work for a while. NULL if there is none, or if `until` has finished.
static FiloJob *search(JobsWorker *worker, FiloJob *until) {
    FiloJobs *jobs = worker->jobs;
    FiloJob *job = NULL;
    if (jobs->alone || jobs->spin_ns < 0) return NULL;
    base_add_relaxed(&jobs->searching, 1);
    int64_t start = filo_time_ns();
    for (int round = 1; job == NULL; round++) {
        if ((until != NULL && filo_job_finished(until)) || base_load_relaxed(&jobs->stopping) != 0) break;
        if (jobs->crowded)
            filo_thread_yield();
        else
            base_cpu_relax();
        job = jobs_worker_find(worker);
        if (round % SPINS_PER_LOOK == 0 && filo_time_ns() - start >= jobs->spin_ns) break;
    }
    base_sub_relaxed(&jobs->searching, 1);
    return job;
}

// ---- The life of a worker -----------------------------------------------------------------------------

// The scheduler is stopping: run what there is, and say truthfully whether there is any (see
// filo_jobs_destroy).
static void drain_until_exit(JobsWorker *worker) {
    FiloJobs *jobs = worker->jobs;
    while (base_load_acquire(&jobs->stopping) !=
           JOBS_STOPPING_EXIT) { // acquire: pairs with the release in destroy
        if (!jobs_worker_sees_work(worker)) {
            base_store_seq_cst(&worker->quiet, 1);
            filo_thread_yield();
            continue;
        }
        base_store_seq_cst(&worker->quiet,
                           0); // before taking: destroy must not see us quiet with a job in hand
        FiloJob *job = jobs_worker_find(worker);
        if (job != NULL) jobs_worker_run(worker, job);
    }
}

void jobs_worker_main(void *argument) {
    JobsWorker *worker = argument;
    FiloJobs *jobs = worker->jobs;
    while (base_load_acquire(&worker->sleep) ==
           JOBS_WORKER_STARTING) // acquire: pairs with the release of who started it
        filo_park((uint32_t *)&worker->sleep, JOBS_WORKER_STARTING);
    if (worker->ended.running) filo_thread_join(&worker->ended);
    jobs_worker_enter(worker);
    jobs_worker_measure_stack(worker);
    worker->spread.thread = gettid();
    if (jobs->desc.thread_started != NULL) jobs->desc.thread_started((int)worker->index, jobs->desc.user);
    bool stays = true;
    while (stays && base_load_relaxed(&jobs->stopping) == 0) {
        FiloJob *job = jobs_worker_find(worker);
        if (job == NULL) job = search(worker, NULL);
        if (job != NULL)
            jobs_worker_run(worker, job);
        else
            stays = park(worker, NULL, true);
    }
    if (stays) drain_until_exit(worker);
    if (jobs->desc.thread_ending != NULL) jobs->desc.thread_ending((int)worker->index, jobs->desc.user);
    jobs_worker_leave(worker);
}

// ---- Waiting ------------------------------------------------------------------------------------------

static void wait_as_foreigner(FiloJobs *jobs, FiloJob *job) {
    base_add_relaxed(&jobs->waiting, 1);
    base_add_relaxed(&jobs->foreign_waiting, 1);
    barrier_of_sleeper(jobs);
    for (;;) {
        uint32_t word =
            base_load_acquire(&jobs->finish_word); // before the test: a finish in between changes it
        if (filo_job_finished(job)) break;
        filo_park((uint32_t *)&jobs->finish_word, word);
    }
    base_sub_relaxed(&jobs->foreign_waiting, 1);
    base_sub_relaxed(&jobs->waiting, 1);
}

// A thread that is inside `job` cannot see its end by waiting: the job goes on only when the wait is over.
static bool is_inside(const JobsWorker *worker, const FiloJob *job) {
    for (const FiloFrame *frame = worker->frame; frame != NULL; frame = frame->outer)
        for (const FiloJob *around = frame->job; around != NULL; around = around->parent)
            if (around == job) return true;
    return false;
}

// The slow half of waiting: everything is looked at, and then slept.
static __attribute__((noinline)) bool wait_slowly(JobsWorker *worker, FiloJob *job) {
    if (!FILO_CHECK(
            !is_inside(worker, job),
            "this thread waits, inside a job, for that job or for one around it: it can never finish"))
        return false;
    // With little stack left, only what nobody else can run is begun on top of this.
    bool deep = (uintptr_t)__builtin_frame_address(0) < worker->stack_low;
    FiloJob *other =
        deep && !worker->jobs->alone ? jobs_inbox_take(&worker->pinned) : jobs_worker_find(worker);
    if (other == NULL && !deep) other = search(worker, job);
    if (other != NULL)
        jobs_worker_run(worker, other);
    else if (!filo_job_finished(job))
        park(worker, job, !deep || worker->jobs->alone);
    return true;
}

// The rest of a wait, after the first attempt.
static __attribute__((noinline)) void wait_on(JobsWorker *worker, FiloJob *job) {
    FiloJobs *jobs = worker->jobs;
    bool slow = false;
    while (!finished(job)) {
        FiloJob *other = take_own(worker);
        if (FILO_LIKELY(other != NULL)) {
            jobs_worker_run(worker, other);
            continue;
        }
        slow = true;
        if (!wait_slowly(worker, job)) break;
    }
    // It may have been woken for work, found that its job had finished, and goes off without taking that work: somebody
    // else must.
    if (slow && jobs_scheduler_available(jobs) != 0 && jobs_worker_sees_work(worker)) {
        for (int p = 0; p < JOBS_PRIORITIES; p++) jobs_deque_publish(&worker->deques[p]);
        jobs_scheduler_wake(jobs);
    }
}

static FILO_COLD void wait_elsewhere(FiloJobs *jobs, FiloJob *job) {
    JobsWorker *worker = jobs_worker_of_thread(jobs);
    if (worker != NULL)
        wait_on(worker, job);
    else
        wait_as_foreigner(jobs, job);
}

// Most often the job has finished, or is the newest of the calling worker's own.
void filo_jobs_wait(FiloJobs *jobs, FiloJob *job) {
    if (!FILO_CHECK(jobs != NULL && job != NULL, "pass a scheduler and a job")) return;
    JobsWorker *worker = jobs_workers_of_thread;
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
    JobsWorker *worker = jobs_worker_of_thread(jobs);
    if (!FILO_CHECK(worker != NULL, "only a worker has jobs pinned to it")) return 0;
    int count = 0;
    for (FiloJob *job; (job = jobs_inbox_take(&worker->pinned)) != NULL; count++)
        jobs_worker_run(worker, job);
    return count;
}
