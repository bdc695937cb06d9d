// Windows of terrain files: reading in the background, the cache and its budget, many threads.

#include "placement_world/file_world.h"

#include "placement_world/file_cache.h"
#include "support/failing_allocator.h"
#include "support/together.h"

#include <math.h>

static FiloTerrainFile *open_world(const World *world, const FiloTerrainFileDesc *desc) {
    FiloTerrainFile *data;
    assert_ok(filo_terrain_file_open(&data, world_write(world, "a.world"), desc));
    return data;
}

static FiloJobs *jobs_of(int threads, int async_threads) {
    FiloJobs *jobs;
    assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = threads, .async_threads = async_threads }));
    return jobs;
}

static FiloTerrainWindow *request(FiloTerrainFile *data, FiloTerrainWindowDesc desc) {
    FiloTerrainWindow *window;
    assert_ok(filo_terrain_file_request(&window, data, &desc));
    assert_non_null(window);
    return window;
}

// Keeps an async thread busy until it may go on.
typedef struct Gate {
    BASE_ATOMIC(bool) open;
    FiloRequest request;
} Gate;

static FiloResult stand_in_the_way(FiloAsyncCall *call, void *user) {
    Gate *gate = user;
    FILO_UNUSED(call);
    while (!base_load_relaxed(&gate->open)) filo_thread_yield();
    return filo_ok();
}

static void block_async_thread(Gate *gate, FiloJobs *jobs) {
    gate->request = filo_async_run(jobs, stand_in_the_way, gate, NULL);
    while (filo_async_state(jobs, gate->request) != FILO_REQUEST_RUNNING) filo_thread_yield();
}

static void unblock_async_thread(Gate *gate, FiloJobs *jobs) {
    base_store_relaxed(&gate->open, true);
    filo_async_release(jobs, gate->request);
}

// ---- Windows --------------------------------------------------------------------------------------------------

FILO_TEST(any_rectangle_of_any_level_has_the_right_values) {
    World *world = world_new();
    FiloTerrainFile *data = open_world(world, NULL);
    uint64_t random = 1;
    for (int i = 0; i < 600; i++)
        assert_true(world_window_is_right(world, data, world_random_window(&random)));
    filo_terrain_file_close(data);
    free(world);
}

FILO_TEST(a_window_is_clipped_to_its_map_and_never_empty) {
    World *world = world_new();
    FiloTerrainFile *data = open_world(world, NULL);
    static const int cases[][8] = {
        { -10, -5, 30, 20, 0, 0, 20, 15 },
        { 290, 170, 100, 100, 290, 170, 11, 5 },
        { -50, 1000, 3, 3, 0, 174, 1, 1 },
        { INT32_MAX, INT32_MIN, INT32_MAX, INT32_MAX, 300, 0, 1, 1 },
        { INT32_MIN, INT32_MIN, 1, 1, 0, 0, 1, 1 },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        const int *c = cases[i];
        FiloTerrainWindow *window = request(data, (FiloTerrainWindowDesc){ 0, 0, c[0], c[1], c[2], c[3], 0 });
        FiloTerrainMap map;
        assert_ok(filo_terrain_window_map(window, &map));
        assert_int_equal(map.x, c[4]);
        assert_int_equal(map.y, c[5]);
        assert_int_equal(map.width, c[6]);
        assert_int_equal(map.height, c[7]);
        assert_true(world_has(world, 0, 0, &map));
        filo_terrain_window_release(window);
    }
    filo_terrain_file_close(data);
    free(world);
}

FILO_TEST(a_window_lives_until_its_last_release) {
    World *world = world_new();
    FiloTerrainFile *data = open_world(world, NULL);
    FiloTerrainWindow *window = request(data, (FiloTerrainWindowDesc){ .width = 50, .height = 50 });
    filo_terrain_window_retain(window);
    filo_terrain_window_release(window);
    FiloTerrainMap map;
    assert_ok(filo_terrain_window_map(window, &map));
    assert_true(world_has(world, 0, 0, &map));
    assert_int_equal(filo_terrain_file_stats(data).window_count, 1);
    filo_terrain_window_release(window);
    assert_int_equal(filo_terrain_file_stats(data).window_count, 0);
    assert_int_equal(filo_terrain_file_stats(data).window_bytes, 0);
    filo_terrain_file_close(data);
    free(world);
}

// ---- The cache ------------------------------------------------------------------------------------------------

FILO_TEST(what_is_in_the_cache_is_not_read_again) {
    World *world = world_new();
    FiloTerrainFile *data = open_world(world, NULL);
    FiloTerrainWindowDesc desc = { .x = 40, .y = 40, .width = 100, .height = 60 };
    assert_true(world_window_is_right(world, data, desc));
    FiloTerrainFileStats before = filo_terrain_file_stats(data);
    assert_int_equal(before.tiles_read, 12);
    assert_int_equal(before.hits, 0);
    assert_true(world_window_is_right(world, data, desc));
    FiloTerrainFileStats after = filo_terrain_file_stats(data);
    assert_int_equal(after.tiles_read, 12);
    assert_int_equal(after.hits, 12);
    filo_terrain_file_close(data);
    free(world);
}

FILO_TEST(the_least_recently_used_tile_leaves_the_cache_first) {
    World *world = world_new();
    // A reader of three tiles, and some five tiles in the cache.
    FiloTerrainFile *data =
        open_world(world, &(FiloTerrainFileDesc){ .budget = 8 * 2048 + 1500, .readers = 1 });
    for (int i = 0; i < 20; i++) {
        assert_true(world_window_is_right(world, data, (FiloTerrainWindowDesc){ .width = 1, .height = 1 }));
        assert_true(world_window_is_right(
            world, data, (FiloTerrainWindowDesc){ .x = 32 * (i % 9), .y = 32, .width = 1, .height = 1 }));
    }
    FiloTerrainFileStats stats = filo_terrain_file_stats(data);
    assert_int_equal(stats.tiles_read, 21); // the first tile once
    assert_true(stats.dropped > 0);
    filo_terrain_file_close(data);
    free(world);
}

FILO_TEST(the_budget_is_kept) {
    World *world = world_new();
    FiloTerrainFile *data = open_world(world, &(FiloTerrainFileDesc){ .budget = 24000 });
    uint64_t random = 5;
    for (int i = 0; i < 300; i++) {
        FiloTerrainWindowDesc desc = world_random_window(&random);
        desc.width = FILO_MIN(desc.width, 60), desc.height = FILO_MIN(desc.height, 60);
        assert_true(world_window_is_right(world, data, desc));
    }
    FiloTerrainFileStats stats = filo_terrain_file_stats(data);
    assert_true(stats.peak <= stats.budget);
    assert_true(stats.dropped > 100);
    assert_int_equal(stats.window_count, 0);
    filo_terrain_file_close(data);
    free(world);
}

FILO_TEST(a_window_is_refused_while_others_take_the_whole_budget) {
    World *world = world_new();
    FiloTerrainFile *data = open_world(world, &(FiloTerrainFileDesc){ .budget = 24000, .readers = 1 });
    FiloTerrainWindowDesc desc = { .width = 70, .height = 64 };
    FiloTerrainWindow *first = request(data, desc), *second;
    assert_error(filo_terrain_file_request(&second, data, &desc), FILO_ERROR_MEMORY,
                 "a.world: no room for a window of");
    assert_null(second);
    desc.width = desc.height = 1000;
    assert_error(filo_terrain_file_request(&second, data, &desc), FILO_ERROR_MEMORY,
                 "no room for a window of");
    filo_terrain_window_release(first);
    desc.width = desc.height = 64;
    second = request(data, desc);
    filo_terrain_window_release(second);
    filo_terrain_file_close(data);
    free(world);
}

FILO_TEST(a_budget_of_less_than_four_tiles_is_refused) {
    World *world = world_new();
    const char *path = world_write(world, "a.world");
    FiloTerrainFile *data;
    assert_error(filo_terrain_file_open(&data, path, &(FiloTerrainFileDesc){ .budget = 8191 }),
                 FILO_ERROR_LIMIT, "a.world: a budget of 8191 bytes is too small: it must be 8192");
    assert_null(data);
    assert_ok(filo_terrain_file_open(&data, path, &(FiloTerrainFileDesc){ .budget = 8192 }));
    assert_true(world_window_is_right(world, data, (FiloTerrainWindowDesc){ .width = 20, .height = 20 }));
    filo_terrain_file_close(data);
    free(world);
}

// ---- The queue ------------------------------------------------------------------------------------------------

FILO_TEST(urgent_tiles_come_first_and_equal_ones_in_their_order) {
    World *world = world_new();
    FiloTerrainFile *data = open_world(world, NULL);
    enum { COUNT = 60 };
    uint64_t random = 3;
    for (uint32_t i = 0; i < COUNT; i++)
        assert_non_null(placement_world_enqueue(data, i, (float)(test_random(&random) % 5)));
    for (uint32_t i = 0; i < COUNT; i += 7)
        placement_world_raise_priority(data, data->slots[i].tile, (float)(test_random(&random) % 9));
    for (uint32_t i = 3; i < COUNT; i += 11) placement_world_drop(data, data->slots[i].tile);
    float last = 100;
    uint64_t sequence = 0;
    int count = 0;
    for (PlacementWorldTile *tile; (tile = placement_world_dequeue(data)) != NULL; count++) {
        assert_true(tile->priority < last || (tile->priority == last && tile->sequence > sequence));
        last = tile->priority, sequence = tile->sequence;
        assert_int_not_equal(tile->number % 11, 3);
        placement_world_drop(data, tile);
    }
    assert_int_equal(count, COUNT - 6);
    filo_terrain_file_close(data);
    free(world);
}

FILO_TEST(a_window_that_is_released_is_not_read) {
    World *world = world_new();
    FiloJobs *jobs = jobs_of(2, 1);
    Gate gate = { 0 };
    block_async_thread(&gate, jobs);
    FiloTerrainFile *data = open_world(world, &(FiloTerrainFileDesc){ .jobs = jobs });
    FiloTerrainWindow *a = request(data, (FiloTerrainWindowDesc){ .width = 64, .height = 64 });
    FiloTerrainWindow *b = request(data, (FiloTerrainWindowDesc){ .x = 32, .width = 64, .height = 32 });
    FiloTerrainMap map;
    assert_false(filo_terrain_window_ready(a));
    assert_error(filo_terrain_window_map(a, &map), FILO_ERROR_BUSY, "a.world: the window is not ready");
    assert_int_equal(filo_terrain_file_stats(data).tiles_queued, 5);
    filo_terrain_window_release(a);
    assert_int_equal(filo_terrain_file_stats(data).tiles_queued, 2);
    unblock_async_thread(&gate, jobs);
    assert_ok(filo_terrain_window_wait(b));
    assert_ok(filo_terrain_window_map(b, &map));
    assert_true(world_has(world, 0, 0, &map));
    filo_terrain_window_release(b);
    assert_int_equal(filo_terrain_file_stats(data).tiles_read, 2);
    filo_terrain_file_close(data);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    free(world);
}

// ---- Threads --------------------------------------------------------------------------------------------------

typedef struct Crowd {
    const World *world;
    FiloTerrainFile *data;
    BASE_ATOMIC(int) wrong;
} Crowd;

// Every third window is released before it is ready.
static void use_windows(Crowd *crowd, uint64_t random, int count) {
    for (int i = 0; i < count; i++) {
        FiloTerrainWindowDesc desc = world_random_window(&random);
        desc.width = FILO_MIN(desc.width, 40), desc.height = FILO_MIN(desc.height, 40);
        FiloTerrainWindow *early = NULL;
        if (i % 3 == 0) filo_terrain_file_request(&early, crowd->data, &desc);
        desc.x += 20;
        if (!world_window_is_right(crowd->world, crowd->data, desc)) base_add_relaxed(&crowd->wrong, 1);
        filo_terrain_window_release(early);
    }
}

static void use_on_thread(int thread, void *user) { use_windows(user, (uint64_t)thread << 32, 60); }

static void use_in_job(size_t begin, size_t end, void *user) {
    for (size_t i = begin; i < end; i++) use_windows(user, (uint64_t)i << 32, 30);
}

static FiloResult use_in_request(FiloAsyncCall *call, void *user) {
    FILO_UNUSED(call);
    use_windows(user, 77, 30);
    return filo_ok();
}

FILO_TEST(any_number_of_threads_and_jobs_may_use_windows) {
    World *world = world_new();
    for (int threads = 1; threads <= 4; threads += 3) {
        FiloJobs *jobs = jobs_of(threads, 0);
        // A small budget, so that tiles come and go.
        FiloTerrainFileDesc desc = { .jobs = jobs, .budget = 200000 };
        Crowd crowd = { .world = world, .data = open_world(world, &desc) };
        together(6, use_on_thread, &crowd);
        filo_jobs_for_each(jobs, 12, use_in_job, &crowd);
        assert_int_equal(crowd.wrong, 0);
        FiloTerrainFileStats stats = filo_terrain_file_stats(crowd.data);
        assert_int_equal(stats.window_count, 0);
        assert_int_equal(stats.tiles_queued, 0);
        assert_true(stats.dropped > 0);
        filo_terrain_file_close(crowd.data);
        filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    }
    free(world);
}

FILO_TEST(threads_may_use_windows_without_jobs) {
    World *world = world_new();
    Crowd crowd = { .world = world, .data = open_world(world, &(FiloTerrainFileDesc){ .readers = 2 }) };
    together(6, use_on_thread, &crowd);
    assert_int_equal(crowd.wrong, 0);
    filo_terrain_file_close(crowd.data);
    free(world);
}

FILO_TEST(a_request_may_wait_for_windows_on_the_only_async_thread) {
    World *world = world_new();
    FiloJobs *jobs = jobs_of(1, 1);
    Crowd crowd = { .world = world, .data = open_world(world, &(FiloTerrainFileDesc){ .jobs = jobs }) };
    FiloRequest requests[3];
    for (int i = 0; i < 3; i++) requests[i] = filo_async_run(jobs, use_in_request, &crowd, NULL);
    for (int i = 0; i < 3; i++) {
        filo_async_wait(jobs, requests[i]);
        filo_async_release(jobs, requests[i]);
    }
    assert_int_equal(crowd.wrong, 0);
    filo_terrain_file_close(crowd.data);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    free(world);
}

FILO_TEST(closing_waits_for_what_is_being_read) {
    World *world = world_new();
    FiloJobs *jobs = jobs_of(2, 0);
    const char *path = world_write(world, "a.world");
    for (int i = 0; i < 100; i++) {
        FiloTerrainFile *data;
        assert_ok(filo_terrain_file_open(&data, path, &(FiloTerrainFileDesc){ .jobs = jobs }));
        for (int c = 0; c < WORLD_CHANNELS; c++)
            filo_terrain_window_release(
                request(data, (FiloTerrainWindowDesc){ .channel = c, .width = 80, .height = 99 }));
        filo_terrain_file_close(data);
    }
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    free(world);
}

// ---- What can go wrong ----------------------------------------------------------------------------------------

FILO_TEST(reading_without_memory_fails_and_leaks_nothing) {
    World *world = world_new();
    const char *path = world_write(world, "a.world");
    FiloFaultHandler handler = filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    bool more = true;
    size_t failures = 0;
    for (size_t fail_at = 0; more; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, fail_at);
        FiloTerrainFile *data;
        FiloResult result =
            filo_terrain_file_open(&data, path, &(FiloTerrainFileDesc){ .allocator = &failing.allocator });
        if (result.code == FILO_OK) {
            FiloTerrainWindow *window;
            result = filo_terrain_file_request(&window, data,
                                               &(FiloTerrainWindowDesc){ .width = 100, .height = 50 });
            if (result.code == FILO_OK) result = filo_terrain_window_wait(window);
            filo_terrain_window_release(window);
            // Once there is memory, the same window can be had.
            failing_end(&failing);
            assert_true(
                world_window_is_right(world, data, (FiloTerrainWindowDesc){ .width = 100, .height = 50 }));
            failing.fail_at = fail_at;
        }
        filo_terrain_file_close(data);
        assert_int_equal(failing.blocks, 0);
        if (result.code != FILO_OK) {
            assert_error(result, FILO_ERROR_MEMORY, "a.world: no memory");
            failures++;
        }
        more = result.code != FILO_OK;
    }
    assert_true(failures > 10);
    filo_fault_set_handler(handler);
    free(world);
}

FILO_TEST(mistakes_with_windows_are_named) {
    World *world = world_new();
    FiloTerrainFile *data = open_world(world, NULL);
    FiloTerrainWindow *window;
    FiloTerrainWindowDesc desc = { .channel = 3, .width = 1, .height = 1 };
    expect_mistake("there is no channel 3", filo_terrain_file_request(&window, data, &desc));
    desc.channel = 0, desc.level = 5;
    expect_mistake("there is no level 5: \"height\" of", filo_terrain_file_request(&window, data, &desc));
    desc.level = 0, desc.width = 0;
    expect_mistake("a window has at least one texel, not 0 × 1",
                   filo_terrain_file_request(&window, data, &desc));
    desc.width = 1, desc.priority = NAN;
    expect_mistake("the priority of a window is not a number",
                   filo_terrain_file_request(&window, data, &desc));
    filo_terrain_file_close(data);
    expect_mistake("up to 16 readers, not 17",
                   filo_terrain_file_open(&data, "a.world", &(FiloTerrainFileDesc){ .readers = 17 }));
    assert_null(data);
    free(world);
}

FILO_TEST(closing_with_a_window_in_use_is_a_mistake) {
    World *world = world_new();
    FiloTerrainFile *data = open_world(world, NULL);
    FiloTerrainWindow *window = request(data, (FiloTerrainWindowDesc){ .width = 9, .height = 9 });
    expect_fault("before it is closed: 1 are in use", filo_terrain_file_close(data));
    filo_terrain_window_release(window);
    filo_terrain_file_close(data);
    free(world);
}
