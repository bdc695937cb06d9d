// Computing in the background.

#include "placement/placing.h"

#include "base/atomic.h"
#include "support/failing_allocator.h"

#include <filo/threads.h>

static FiloJobs *jobs_of(int threads) {
    FiloJobs *jobs = NULL;
    assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = threads }));
    return jobs;
}

// Two footprints, so that all phases have work to do.
static Forest *two_footprints(uint64_t seed) {
    Forest *forest = forest_new(seed);
    assert_non_null(forest);
    FiloFootprint *bushes = &forest->desc.footprints[1];
    bushes->footprint = 1;
    for (int l = 0; l < 2; l++) bushes->layers[l].density.map = forest_bytes(forest, l);
    return forest;
}

static FiloPlacementFuture start(const FiloPlacement *placement, FiloPlacementRequest request) {
    FiloPlacementFuture future = { 0 };
    assert_ok(filo_placement_start(&future, placement, &request));
    assert_true(future.id != 0);
    return future;
}

// ---- Taking -------------------------------------------------------------------------------------------------

FILO_TEST(a_future_has_the_bytes_of_a_computation) {
    Forest *forest = two_footprints(1);
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloPlacementResult wanted = placing_area(placement, 10, 20, 90, 70);
    FiloJobs *jobs = jobs_of(3);
    FiloPlacementRequest request = { .area = { 10, 20, 90, 70 }, .jobs = jobs };
    FiloPlacementFuture future = start(placement, request);
    memset(&request, 0xEE, sizeof request); // it was copied
    filo_placement_wait(placement, future);
    filo_placement_wait(placement, future);
    assert_true(filo_placement_ready(placement, future));
    FiloPlacementResult result = { 0 };
    assert_ok(filo_placement_take(placement, future, &result));
    placing_assert_same(&wanted, &result);
    assert_ptr_equal(result.placement, placement);
    assert_true(result.area.x1 == 90 && result.candidates == wanted.candidates);
    // What the result had is freed.
    future = start(placement, (FiloPlacementRequest){ .area = { 10, 20, 90, 70 }, .jobs = jobs });
    assert_ok(filo_placement_take(placement, future, &result));
    placing_assert_same(&wanted, &result);
    filo_placement_result_free(&wanted);
    filo_placement_result_free(&result);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    filo_placement_destroy(placement);
    free(forest);
}

FILO_TEST(a_future_becomes_ready_by_itself) {
    Forest *forest = two_footprints(2);
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloJobs *jobs = jobs_of(2);
    FiloPlacementFuture future =
        start(placement, (FiloPlacementRequest){ .area = { 0, 0, 50, 50 }, .jobs = jobs });
    while (!filo_placement_ready(placement, future)) filo_thread_yield();
    FiloPlacementResult result = { 0 };
    assert_ok(filo_placement_take(placement, future, &result));
    assert_true(result.count > 100);
    filo_placement_result_free(&result);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    filo_placement_destroy(placement);
    free(forest);
}

FILO_TEST(a_loop_that_asks_for_a_future_ends_with_one_thread) {
    Forest *forest = two_footprints(2);
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloJobs *jobs = jobs_of(1);
    FiloPlacementFuture future =
        start(placement, (FiloPlacementRequest){ .area = { 0, 0, 30, 30 }, .jobs = jobs });
    int asked = 0;
    while (!filo_placement_ready(placement, future) && asked < 1000) asked++;
    assert_int_equal(asked, 0);
    FiloPlacementResult result = { 0 };
    assert_ok(filo_placement_take(placement, future, &result));
    assert_true(result.count > 0);
    filo_placement_result_free(&result);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    filo_placement_destroy(placement);
    free(forest);
}

FILO_TEST(jobs_that_were_cancelled_are_no_result) {
    Forest *forest = two_footprints(3);
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloJobs *jobs = jobs_of(1);
    FiloPlacementFuture future =
        start(placement, (FiloPlacementRequest){ .area = { 0, 0, 30, 30 }, .jobs = jobs });
    filo_jobs_destroy(jobs, FILO_JOBS_CANCEL);
    FiloPlacementResult result = { 0 };
    FiloResult r = filo_placement_take(placement, future, &result);
    assert_int_equal(r.code, FILO_ERROR_CANCELLED);
    assert_string_equal(r.message, "the jobs were destroyed before the objects were placed");
    assert_int_equal(result.count, 0);
    filo_placement_destroy(placement);
    free(forest);
}

FILO_TEST(many_futures_in_flight_have_the_bytes_of_computations) {
    enum { FUTURES = 48 };
    Forest *forest = two_footprints(3);
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloPlacementResult wanted[FUTURES];
    FiloPlacementArea areas[FUTURES];
    for (int i = 0; i < FUTURES; i++) {
        double x = i % 7 * 31 - 40, y = i / 7 * 23 - 20;
        areas[i] = (FiloPlacementArea){ x, y, x + 5 + i, y + 25 };
        wanted[i] = placing_request(placement, (FiloPlacementRequest){ .area = areas[i] });
    }
    for (int threads = 1; threads <= 16; threads *= 2) {
        FiloJobs *jobs = jobs_of(threads);
        FiloPlacementFuture futures[FUTURES];
        for (int i = 0; i < FUTURES; i++)
            futures[i] = start(placement, (FiloPlacementRequest){ .area = areas[i], .jobs = jobs });
        // Taken in another order than they were started.
        for (int i = 0; i < FUTURES; i++) {
            int at = (i * 11 + 5) % FUTURES;
            FiloPlacementResult result = { 0 };
            assert_ok(filo_placement_take(placement, futures[at], &result));
            placing_assert_same(&wanted[at], &result);
            filo_placement_result_free(&result);
        }
        filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    }
    for (int i = 0; i < FUTURES; i++) filo_placement_result_free(&wanted[i]);
    filo_placement_destroy(placement);
    free(forest);
}

typedef struct Caller {
    const FiloPlacement *placement;
    FiloJobs *jobs;
    const FiloPlacementResult *wanted;
    bool same;
} Caller;

// Not a worker: it sleeps while it waits.
static void call_from_thread(void *user) {
    Caller *caller = user;
    caller->same = true;
    for (int i = 0; i < 20; i++) {
        FiloPlacementRequest request = { .area = caller->wanted->area, .jobs = caller->jobs };
        FiloPlacementResult result = { 0 };
        FiloPlacementFuture future = { 0 };
        FiloResult r = i % 2 == 0 ? filo_placement_start(&future, caller->placement, &request)
                                  : filo_placement_compute(caller->placement, &request, &result);
        if (r.code == FILO_OK && future.id != 0) r = filo_placement_take(caller->placement, future, &result);
        caller->same =
            caller->same && r.code == FILO_OK && result.count == caller->wanted->count &&
            memcmp(result.objects, caller->wanted->objects, result.count * sizeof(FiloPlaced)) == 0;
        filo_placement_result_free(&result);
    }
}

FILO_TEST(threads_that_are_no_workers_may_compute_with_one_placement_at_once) {
    enum { THREADS = 6 };
    Forest *forest = two_footprints(4);
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloPlacementResult wanted = placing_area(placement, -10, -10, 40, 30);
    FiloJobs *jobs = jobs_of(4);
    Caller callers[THREADS];
    FiloThread threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        callers[i] = (Caller){ placement, jobs, &wanted, false };
        assert_ok(filo_thread_start(
            &threads[i],
            &(FiloThreadDesc){ .name = "caller", .function = call_from_thread, .user = &callers[i] }));
    }
    for (int i = 0; i < THREADS; i++) {
        filo_thread_join(&threads[i]);
        assert_true(callers[i].same);
    }
    filo_placement_result_free(&wanted);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    filo_placement_destroy(placement);
    free(forest);
}

static void place_on_little_stack(void *user) {
    Caller *caller = user;
    FiloPlacementResult result = { 0 };
    caller->same = true;
    for (int path = FILO_PLACEMENT_BEST; path <= FILO_PLACEMENT_AVX2; path++) {
        FiloPlacementRequest request = { .area = caller->wanted->area, .path = (FiloPlacementPath)path };
        caller->same = caller->same &&
                       filo_placement_compute(caller->placement, &request, &result).code == FILO_OK &&
                       result.count == caller->wanted->count;
    }
    filo_placement_result_free(&result);
}

FILO_TEST(a_thread_with_little_stack_can_place_by_maps) {
    Forest *forest = two_footprints(4);
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloPlacementResult wanted = placing_area(placement, -10, -10, 40, 30);
    Caller caller = { placement, NULL, &wanted, false };
    FiloThread thread;
    FiloThreadDesc desc = { .function = place_on_little_stack, .user = &caller, .stack_size = FILO_KIB(160) };
    assert_ok(filo_thread_start(&thread, &desc));
    filo_thread_join(&thread);
    assert_true(caller.same);
    filo_placement_result_free(&wanted);
    filo_placement_destroy(placement);
    free(forest);
}

// ---- Cancelling ---------------------------------------------------------------------------------------------

// An allocator that another thread can watch: how far a computation is, is how often it has allocated.
typedef struct Watched {
    FiloAllocator allocator;
    FailingAllocator failing;
    BASE_ATOMIC(int) calls;
} Watched;

static void *watched_resize(void *user, void *memory, size_t old_size, size_t new_size, size_t align) {
    Watched *watched = user;
    memory = failing_resize(&watched->failing, memory, old_size, new_size, align);
    base_store_relaxed(&watched->calls, (int)watched->failing.calls);
    return memory;
}

// Cancels a computation when it has allocated `calls` times since it was started, and a little later.
static void cancel_after(const Forest *forest, FiloJobs *jobs, int calls, FiloRandom *random) {
    Watched watched = { .allocator = { watched_resize, &watched } };
    failing_init(&watched.failing, SIZE_MAX);
    FiloPlacementDesc desc = forest->desc;
    desc.allocator = &watched.allocator;
    FiloPlacement *placement = placing_create(&desc);
    int before = base_load_relaxed(&watched.calls);
    FiloPlacementRequest request = { .area = { 0, 0, 100, 100 }, .jobs = jobs };
    request.path = filo_random_chance(random, 0.5f) ? FILO_PLACEMENT_SCALAR : FILO_PLACEMENT_BEST;
    FiloPlacementFuture future = start(placement, request);
    while (base_load_relaxed(&watched.calls) < before + calls && !filo_placement_ready(placement, future))
        filo_thread_yield();
    uint32_t most = 1u << filo_random_range(random, 1, 18);
    volatile uint32_t turns = filo_random_u32(random) % most;
    while (turns > 0) turns = turns - 1;
    filo_placement_cancel(placement, future);
    // Only the placement is left, and memory for its next computation.
    FiloPlacementResult result = placing_area(placement, 0, 0, 10, 10);
    filo_placement_result_free(&result);
    filo_placement_destroy(placement);
    assert_int_equal(watched.failing.blocks, 0);
}

// Memory that is read before it was written has numbers that are far too large: failing_resize fills it.
FILO_TEST(cancelling_at_any_moment_leaves_nothing_behind) {
    Forest *forest = two_footprints(5);
    FiloJobs *jobs = jobs_of(3);
    FiloRandom random = filo_random_sequence(6);
    for (int round = 0; round < 10; round++)
        for (int calls = 1; calls < 15; calls++) cancel_after(forest, jobs, calls, &random);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    free(forest);
}

// With one thread, no future can begin before the thread waits for one. The allocator shows whether one was computed.
FILO_TEST(futures_that_have_not_begun_are_cancelled_without_computing_any) {
    Forest *forest = two_footprints(4);
    FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
    forest->desc.allocator = &failing.allocator;
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloJobs *jobs = jobs_of(1);
    enum { COUNT = 5 };
    FiloPin *pins = calloc(1, sizeof *pins);
    FiloPlacementFuture futures[COUNT];
    for (int i = 0; i < COUNT; i++)
        futures[i] = start(placement, (FiloPlacementRequest){ .area = { 0, 0, 40, 40 },
                                                              .jobs = jobs,
                                                              .edits = { .pins = pins, .pin_count = 1 } });
    size_t calls = failing.calls;
    for (int i = 0; i < COUNT; i++) filo_placement_cancel(placement, futures[i]);
    free(pins); // what a request refers to may go now
    expect_fault("that has not been taken or cancelled",
                 assert_true(filo_placement_ready(placement, futures[0])));
    // The next one waits, so the abandoned jobs are run, and do nothing; their slots are used again.
    FiloPlacementResult result = { 0 };
    FiloPlacementFuture next =
        start(placement, (FiloPlacementRequest){ .area = { 0, 0, 4, 4 }, .jobs = jobs });
    assert_true(failing.calls - calls <= 2);
    assert_ok(filo_placement_take(placement, next, &result));
    filo_placement_result_free(&result);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    filo_placement_destroy(placement);
    free(forest);
}

FILO_TEST(futures_that_are_cancelled_do_not_disturb_others) {
    enum { FUTURES = 40 };
    Forest *forest = two_footprints(7);
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloPlacementResult wanted = placing_area(placement, 5, 5, 65, 65);
    FiloJobs *jobs = jobs_of(4);
    for (int round = 0; round < 5; round++) {
        FiloPlacementFuture futures[FUTURES];
        for (int i = 0; i < FUTURES; i++)
            futures[i] = start(placement, (FiloPlacementRequest){ .area = wanted.area, .jobs = jobs });
        for (int i = 0; i < FUTURES; i++) {
            if (i % 3 != 0) {
                filo_placement_cancel(placement, futures[i]);
                continue;
            }
            FiloPlacementResult result = { 0 };
            assert_ok(filo_placement_take(placement, futures[i], &result));
            placing_assert_same(&wanted, &result);
            filo_placement_result_free(&result);
        }
    }
    filo_placement_result_free(&wanted);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    filo_placement_destroy(placement);
    free(forest);
}

// ---- Misuse and lack of memory ------------------------------------------------------------------------------

FILO_TEST(mistakes_with_futures_are_reported) {
    Forest *forest = two_footprints(8);
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloJobs *jobs = jobs_of(2);
    FiloPlacementRequest request = { .area = { 0, 0, 20, 20 } };
    FiloPlacementFuture future = { 7 };
    expect_mistake("pass a pointer for the future", filo_placement_start(NULL, placement, &request));
    expect_mistake("pass a placement, and a request with jobs to run it on",
                   filo_placement_start(&future, placement, &request));
    assert_true(future.id == 0);
    request.jobs = jobs;
    expect_mistake("pass a placement, and a request with jobs to run it on",
                   filo_placement_start(&future, NULL, &request));
    expect_mistake("pass a placement, and a request with jobs to run it on",
                   filo_placement_start(&future, placement, NULL));
    request.area.x1 = -1;
    assert_error(filo_placement_start(&future, placement, &request), FILO_ERROR_DATA,
                 "the area 0, 0 to -1, 20 is empty: its lower corner comes first");
    assert_true(future.id == 0);
    FiloPlacementResult result = { 0 };
    const char *none = "pass a future of filo_placement_start that has not been taken or cancelled";
    expect_fault(none, assert_true(filo_placement_ready(placement, future)));
    expect_fault(none, filo_placement_wait(placement, future));
    expect_mistake(none, filo_placement_take(placement, future, &result));
    filo_placement_cancel(placement, future);
    const char *nothing = "pass the placement that filo_placement_create made";
    expect_fault(nothing, assert_true(filo_placement_ready(NULL, future)));
    expect_fault(nothing, filo_placement_wait(NULL, future));
    expect_mistake(nothing, filo_placement_take(NULL, future, &result));
    expect_fault(nothing, filo_placement_cancel(NULL, (FiloPlacementFuture){ 1 }));
    request.area.x1 = 20;
    future = start(placement, request);
    expect_mistake("pass a result that is all zero at first", filo_placement_take(placement, future, NULL));
    assert_ok(filo_placement_take(placement, future, &result)); // it is still there
    assert_true(result.count > 10);
    filo_placement_result_free(&result);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    filo_placement_destroy(placement);
    free(forest);
}

FILO_TEST(a_future_that_has_ended_is_detected) {
    Forest *forest = two_footprints(8);
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloJobs *jobs = jobs_of(2);
    FiloPlacementRequest request = { .area = { 0, 0, 20, 20 }, .jobs = jobs };
    FiloPlacementResult result = { 0 };
    const char *none = "pass a future of filo_placement_start that has not been taken or cancelled";
    FiloPlacementFuture taken = start(placement, request);
    assert_ok(filo_placement_take(placement, taken, &result));
    size_t count = result.count;
    expect_mistake(none, filo_placement_take(placement, taken, &result));
    assert_int_equal(result.count, count); // what it had is still there
    expect_fault(none, filo_placement_cancel(placement, taken));
    // The next one has its memory, and another name.
    FiloPlacementFuture next = start(placement, request);
    assert_true(next.id != taken.id);
    expect_mistake(none, filo_placement_take(placement, taken, &result));
    filo_placement_cancel(placement, next);
    expect_fault(none, filo_placement_cancel(placement, next));
    expect_mistake(none, filo_placement_take(placement, next, &result));
    filo_placement_result_free(&result);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    filo_placement_destroy(placement);
    free(forest);
}

// Counts blocks of several threads.
typedef struct Counted {
    FiloMutex lock;
    FailingAllocator failing;
} Counted;

static void *counted_resize(void *user, void *memory, size_t old_size, size_t new_size, size_t align) {
    Counted *counted = user;
    filo_mutex_lock(&counted->lock);
    memory = failing_resize(&counted->failing, memory, old_size, new_size, align);
    filo_mutex_unlock(&counted->lock);
    return memory;
}

FILO_TEST(a_placement_that_is_destroyed_with_futures_waits_for_them_and_frees_all) {
    Forest *forest = two_footprints(8);
    Counted counted;
    filo_mutex_init(&counted.lock);
    failing_init(&counted.failing, SIZE_MAX);
    FiloAllocator allocator = { counted_resize, &counted };
    forest->desc.allocator = &allocator;
    FiloJobs *jobs = jobs_of(2);
    for (int finish = 0; finish < 2; finish++) {
        FiloPlacement *placement = placing_create(&forest->desc);
        FiloPlacementRequest request = { .area = { 0, 0, 60, 60 }, .jobs = jobs };
        for (int i = 0; i < 3; i++) {
            FiloPlacementFuture future = start(placement, request);
            if (finish) filo_placement_wait(placement, future);
            if (i == 1) filo_placement_cancel(placement, future);
        }
        // Those that have finished do not need their workers.
        if (finish) filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
        expect_fault("filo_placement_destroy: 2 futures of it have not been taken or cancelled",
                     filo_placement_destroy(placement));
        assert_int_equal(counted.failing.blocks, 0);
    }
    filo_mutex_deinit(&counted.lock);
    free(forest);
}

FILO_TEST(a_placement_lives_as_long_as_its_users) {
    Forest *forest = two_footprints(8);
    FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
    forest->desc.allocator = &failing.allocator;
    FiloPlacement *placement = placing_create(&forest->desc);
    filo_placement_retain(placement);
    filo_placement_retain(placement);
    filo_placement_release(placement);
    expect_fault("filo_placement_destroy: 1 objects use it; destroy them first",
                 filo_placement_destroy(placement));
    assert_int_equal(filo_placement_footprint_count(placement), 2);
    expect_fault("filo_placement_destroy: it has been destroyed already", filo_placement_destroy(placement));
    filo_placement_release(placement);
    assert_int_equal(failing.blocks, 0);
    placement = placing_create(&forest->desc);
    expect_fault("filo_placement_release: it is not retained", filo_placement_release(placement));
    filo_placement_destroy(placement);
    assert_int_equal(failing.blocks, 0);
    free(forest);
}

FILO_TEST(a_future_without_memory_says_so_and_leaves_no_objects) {
    Forest *forest = two_footprints(9);
    FiloJobs *jobs = jobs_of(2);
    FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
    forest->desc.allocator = &failing.allocator;
    bool more = true;
    for (size_t calls = 0; more; calls++) {
        FiloPlacement *placement = placing_create(&forest->desc);
        failing_allow(&failing, calls);
        FiloPlacementFuture future = { 0 };
        FiloPlacementResult result = { 0 };
        FiloPlacementRequest request = { .area = { 0, 0, 20, 20 }, .jobs = jobs };
        FiloResult r = filo_placement_start(&future, placement, &request);
        if (r.code == FILO_OK) r = filo_placement_take(placement, future, &result);
        more = failing_end(&failing);
        if (more) {
            assert_error(r, FILO_ERROR_MEMORY, "no memory to place objects");
            assert_int_equal(result.count, 0);
        } else {
            assert_ok(r);
            assert_true(result.count > 10 && calls > 8);
        }
        filo_placement_result_free(&result);
        filo_placement_destroy(placement);
        assert_int_equal(failing.blocks, 0);
    }
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    free(forest);
}
