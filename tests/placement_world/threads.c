// The same world on any number of threads.

#include "placement_world/scenario.h"

#include <filo/time.h>

// After all ticks, with every compiler and on every processor.
#define GOLDEN UINT64_C(0x3E91620E94890583)

FILO_TEST(viewers_edits_and_felling_have_the_same_hash_on_any_number_of_threads) {
    enum { PARTS = 12, TICKS = 10 };
    uint64_t hashes[PARTS];
    FiloPlacementWorldStats expected = { 0 };
    const int threads[] = { 0, 1, 2, 4, 8, 16 };
    for (size_t t = 0; t < FILO_COUNT_OF(threads); t++) {
        Fixture *fixture = scenario_open(threads[t]);
        for (int part = 0; part < PARTS; part++) {
            uint64_t hash = scenario_run(fixture, TICKS);
            if (t == 0) hashes[part] = hash;
            if (hash != hashes[part])
                fail_msg("%d threads, tick %d: another world", threads[t], (part + 1) * TICKS);
        }
        if (hashes[PARTS - 1] != GOLDEN)
            fail_msg("the world has the hash 0x%016llX", (unsigned long long)hashes[PARTS - 1]);
        FiloPlacementWorldStats s = stats(fixture);
        if (t == 0) expected = s;
        assert_int_equal(s.entities, expected.entities);
        assert_int_equal(s.promoted, expected.promoted);
        assert_true(s.edits > 20 && s.asleep > 0 && s.entities > 50 && s.promoted > 100);
        fixture_close(fixture);
    }
}

// Without updates of tiles, and with waiting for all of them, nothing changes either.
FILO_TEST(what_is_drawn_has_no_influence_on_the_world) {
    Fixture *a = scenario_open(2), *b = scenario_open(2);
    for (int i = 0; i < 40; i++) {
        tick(a);
        tick(b);
        filo_placement_world_wait(b->forest);
    }
    assert_true(filo_world_hash(a->world) == filo_world_hash(b->world));
    fixture_close(a);
    fixture_close(b);
}

// ---- Works that take long -------------------------------------------------------------------------------------------

static FiloResult delay(FiloPlacementWindows *windows, const FiloPlacementArea *area, void *user) {
    FILO_UNUSED(windows), FILO_UNUSED(area);
    uint32_t *calls = user;
    uint32_t call = __atomic_fetch_add(calls, 1, __ATOMIC_RELAXED);
    filo_sleep_ns((int64_t)(call * 2654435761u >> 12)); // up to 1 ms
    return filo_ok();
}

FILO_TEST(late_squares_are_waited_for) {
    uint64_t hash = 0;
    for (int threads = 1; threads <= 8; threads *= 2) {
        uint32_t calls = 0;
        Fixture *fixture = fixture_new();
        fixture->desc.delay = 1;
        fixture->desc.windows = threads > 1 ? delay : NULL; // gives no windows: the maps are in memory
        fixture->desc.windows_user = &calls;
        scenario_start(fixture, threads);
        uint64_t here = scenario_run(fixture, 40);
        if (threads == 1) hash = here;
        assert_true(here == hash);
        if (threads > 1) assert_true(stats(fixture).late > 0);
        fixture_close(fixture);
    }
}

static void run_tick(FiloJob *job, void *data) {
    FILO_UNUSED(job);
    tick(*(Fixture **)data);
}

// As an app does it: the thread sanitizer would find what both touch.
FILO_TEST(tiles_can_be_read_while_a_tick_is_running) {
    Fixture *fixture = scenario_open(4);
    size_t objects = 0;
    for (int i = 0; i < 60; i++) {
        filo_placement_world_update(fixture->forest);
        FiloJob job;
        filo_job_init(&job, run_tick, &fixture, sizeof(void *));
        filo_jobs_run(fixture->jobs, &job);
        FiloPlacementTile tile;
        do {
            for (size_t n = 0; filo_placement_world_tile(fixture->forest, n, &tile); n++)
                for (size_t k = 0; k < tile.result->count; k++)
                    objects += tile.promoted == NULL || tile.promoted[k] == 0;
        } while (!filo_job_finished(&job));
        filo_jobs_wait(fixture->jobs, &job);
    }
    assert_true(objects > 1000);
    Fixture *other = scenario_open(1);
    for (int i = 0; i < 60; i++) tick(other);
    assert_true(filo_world_hash(fixture->world) == filo_world_hash(other->world));
    fixture_close(other);
    fixture_close(fixture);
}
