// Falling asleep in every execution: a worker announces that it sleeps, looks for work once more, and sleeps; another
// queues a job, or finishes one, and looks for sleepers. At least one of them sees the other, with and without
// membarrier. The deque and the barriers are the real ones; sleeping and waking are reduced copies of sleep.c.

#include "support/explorer_atomic.h"

#include "../../src/jobs/deque.c" // by its path: the tests have the same file names

#include "jobs/scheduler.h"
#include "support/test.h"

static struct {
    FiloJobs jobs;
    JobsDeque deque; // of the worker that queues
    BASE_ATOMIC(uint32_t) sleep;
    BASE_ATOMIC(uint32_t) unfinished; // of the job that the sleeper waits for
    int contents;
    int mask;      // of the sleeper's processors; 1: narrowed
    bool sleeping; // the sleeper is asleep, and continues only if it was woken
} s;

static void setup(void) {
    explorer_check(jobs_deque_init(&s.deque, 4, explorer_allocator()), "no deque");
    base_store_relaxed(&s.sleep, JOBS_WORKER_AWAKE);
    base_store_relaxed(&s.unfinished, 1);
}

static void setup_without(void) {
    setup();
    s.jobs.fence_needed = true;
    base_store_relaxed(&s.jobs.available, JOBS_FENCE_NEEDED);
    base_store_relaxed(&s.jobs.waiting, JOBS_FENCE_NEEDED);
    jobs_deque_make_all_public(&s.deque);
}

// ---- The sleeper --------------------------------------------------------------------------------------

static void announce(void) {
    base_add_relaxed(&s.jobs.available, 1);
    base_store_release(&s.sleep, JOBS_WORKER_PARKED); // release: pairs with the acquire in wakes
}

static void sleeper_barrier(void) {
    if (s.jobs.fence_needed)
        jobs_scheduler_sync(&s.jobs);
    else
        jobs_barrier_everywhere();
}

static void sleeps(void) {
    announce();
    sleeper_barrier();
    s.sleeping = jobs_deque_empty(&s.deque);
}

static void waits_for_a_job(void) {
    base_add_relaxed(&s.jobs.waiting, 1);
    base_store_release(&s.sleep, JOBS_WORKER_WAITING);
    sleeper_barrier();
    s.sleeping = base_load_acquire(&s.unfinished) != 0;
}

// ---- The others ---------------------------------------------------------------------------------------

static void wakes(uint32_t state) { base_cas_acq_rel(&s.sleep, &state, JOBS_WORKER_AWAKE); }

static void queues(void) {
    base_plain_store(&s.contents, 7);
    explorer_check(jobs_deque_push(&s.deque, &s.contents), "no memory");
    jobs_scheduler_fence(&s.jobs);
    if (jobs_scheduler_available(&s.jobs) == 0) return;
    jobs_deque_publish(&s.deque);
    wakes(JOBS_WORKER_PARKED);
}

static void finishes_a_job(void) {
    base_store_release(&s.unfinished, 0);
    jobs_scheduler_fence(&s.jobs);
    if ((base_load_relaxed(&s.jobs.waiting) & ~JOBS_FENCE_NEEDED) != 0) wakes(JOBS_WORKER_WAITING);
}

// ---- Afterwards ---------------------------------------------------------------------------------------

static void check_woken(void) {
    bool woken = base_load_relaxed(&s.sleep) == JOBS_WORKER_AWAKE;
    explorer_check(!s.sleeping || woken, "it sleeps, and no thread woke it");
}

// A worker that was woken finds the job; one that stayed awake may have to claim it.
static void check_job(void) {
    check_woken();
    bool contended = false;
    if (!s.sleeping) jobs_deque_claim(&s.deque, 0);
    const int *item = jobs_deque_steal(&s.deque, &contended);
    explorer_check(item != NULL && base_plain_load(item) == 7, "there is no job for the worker that woke");
}

#define CASE(setup_function, finish_function, ...)                                                           \
    (&(ExplorerCase){ .state = &s,                                                                           \
                      .state_size = sizeof s,                                                                \
                      .setup = setup_function,                                                               \
                      .finish = finish_function,                                                             \
                      .threads = { __VA_ARGS__ } })

FILO_TEST(a_worker_that_falls_asleep_sees_the_job_or_is_woken) {
    explorer_expect_pass(CASE(setup, check_job, { "sleeper", sleeps }, { "owner", queues }));
}

FILO_TEST(a_worker_that_falls_asleep_sees_the_job_or_is_woken_without_membarrier) {
    explorer_expect_pass(CASE(setup_without, check_job, { "sleeper", sleeps }, { "owner", queues }));
}

FILO_TEST(a_thread_that_waits_for_a_job_sees_its_end_or_is_woken) {
    explorer_expect_pass(
        CASE(setup, check_woken, { "sleeper", waits_for_a_job }, { "other", finishes_a_job }));
}

FILO_TEST(a_thread_that_waits_for_a_job_sees_its_end_or_is_woken_without_membarrier) {
    explorer_expect_pass(
        CASE(setup_without, check_woken, { "sleeper", waits_for_a_job }, { "other", finishes_a_job }));
}

// ---- A worker whose mask is changed before it is woken ------------------------------------------------

// As wake_from_state with spreading.
static void moves_and_wakes(void) {
    uint32_t parked = JOBS_WORKER_PARKED;
    // Acquire: pairs with the release in announce. Release: not needed here; it is for the work.
    if (!base_cas_acq_rel(&s.sleep, &parked, JOBS_WORKER_MOVING)) return;
    base_plain_store(&s.mask, 1);
    base_store_release(&s.sleep, JOBS_WORKER_AWAKE); // release: pairs with the acquire in stays_awake
}

static void queues_and_moves(void) {
    base_plain_store(&s.contents, 7);
    explorer_check(jobs_deque_push(&s.deque, &s.contents), "no memory");
    jobs_scheduler_fence(&s.jobs);
    if (jobs_scheduler_available(&s.jobs) == 0) return;
    jobs_deque_publish(&s.deque);
    moves_and_wakes();
}

// As become_awake, and jobs_spread_after_wake behind it.
static void stays_awake(void) {
    uint32_t parked = JOBS_WORKER_PARKED;
    if (!base_cas_relaxed(&s.sleep, &parked, JOBS_WORKER_AWAKE))
        while (base_load_acquire(&s.sleep) == JOBS_WORKER_MOVING) {}
    (void)base_plain_load(&s.mask);
    base_plain_store(&s.mask, 0);
}

static void sleeps_or_restores(void) {
    sleeps();
    if (!s.sleeping) stays_awake();
}

static void stays_awake_and_sleeps(void) {
    announce();
    stays_awake();
    announce();
}

static void check_restored(void) {
    check_job();
    explorer_check(s.sleeping || base_plain_load(&s.mask) == 0, "it is awake with a narrowed mask");
}

// A mask that is narrowed after the last announcement belongs to the next wake-up.
static void check_asleep_or_narrowed(void) {
    bool awake = base_load_relaxed(&s.sleep) == JOBS_WORKER_AWAKE;
    explorer_check(awake == (base_plain_load(&s.mask) == 1),
                   "narrowed without being woken, or woken without");
}

FILO_TEST(a_worker_that_is_moved_and_woken_sees_the_job_and_restores_its_mask) {
    explorer_expect_pass(
        CASE(setup, check_restored, { "sleeper", sleeps_or_restores }, { "owner", queues_and_moves }));
    explorer_expect_pass(CASE(setup_without, check_restored, { "sleeper", sleeps_or_restores },
                              { "owner", queues_and_moves }));
}

FILO_TEST(a_worker_that_sleeps_again_has_restored_its_mask_before_it_is_moved_again) {
    explorer_expect_pass(CASE(setup, check_asleep_or_narrowed, { "sleeper", stays_awake_and_sleeps },
                              { "first", moves_and_wakes }, { "second", moves_and_wakes }));
}

FILO_TEST(moving_needs_its_orders) {
    static const struct {
        const char *function;
        ExplorerOperation operation;
        ExplorerOrder order, less;
    } weakenings[] = {
        { "moves_and_wakes", EXPLORER_CAS, EXPLORER_ACQ_REL, EXPLORER_RELEASE },
        { "moves_and_wakes", EXPLORER_STORE, EXPLORER_RELEASE, EXPLORER_RELAXED },
        { "stays_awake", EXPLORER_LOAD, EXPLORER_ACQUIRE, EXPLORER_RELAXED },
        { "announce", EXPLORER_STORE, EXPLORER_RELEASE, EXPLORER_RELAXED },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(weakenings); i++) {
        ExplorerCase *c = CASE(setup, check_asleep_or_narrowed, { "sleeper", stays_awake_and_sleeps },
                               { "first", moves_and_wakes }, { "second", moves_and_wakes });
        c->weaken = (ExplorerWeakening){ weakenings[i].function, weakenings[i].operation, NULL,
                                         weakenings[i].order, weakenings[i].less };
        explorer_expect_failure(c, "race");
    }
}

// ---- Deliberate mistakes ------------------------------------------------------------------------------

FILO_TEST(without_the_barrier_a_wake_up_is_lost) {
    ExplorerCase *c = CASE(setup, check_job, { "sleeper", sleeps }, { "owner", queues });
    c->weaken =
        (ExplorerWeakening){ "sleeper_barrier", EXPLORER_BARRIER, NULL, EXPLORER_SEQ_CST, EXPLORER_RELAXED };
    explorer_expect_failure(c, "it sleeps, and no thread woke it");
    c = CASE(setup, check_woken, { "sleeper", waits_for_a_job }, { "other", finishes_a_job });
    c->weaken =
        (ExplorerWeakening){ "sleeper_barrier", EXPLORER_BARRIER, NULL, EXPLORER_SEQ_CST, EXPLORER_RELAXED };
    explorer_expect_failure(c, "it sleeps, and no thread woke it");
}

FILO_TEST(without_membarrier_the_sync_must_acquire_and_release) {
    static const ExplorerOrder less[] = { EXPLORER_ACQUIRE, EXPLORER_RELEASE, EXPLORER_RELAXED };
    for (size_t i = 0; i < FILO_COUNT_OF(less); i++) {
        ExplorerCase *c = CASE(setup_without, check_job, { "sleeper", sleeps }, { "owner", queues });
        c->weaken =
            (ExplorerWeakening){ "jobs_scheduler_sync", EXPLORER_ADD, NULL, EXPLORER_ACQ_REL, less[i] };
        explorer_expect_failure(c, "it sleeps, and no thread woke it");
    }
}
