// Double-buffered components in snapshots, histories and saved worlds: only present values count, however often the
// columns changed places.

#include "ecs/double_buffer_fixture.h"
#include "support/failing_allocator.h"

#define TICKS 12

typedef struct Run {
    Fixture fixture;
    Watcher watcher;
} Run;

static void run_open(Run *run, int threads, int ticks) {
    run->fixture = spheres_open(threads);
    add_bounce(&run->fixture, &run->watcher);
    create_spheres(run->fixture.world);
    for (int i = 0; i < ticks; i++) tick(&run->fixture);
}

static void run_close(Run *run) {
    assert_int_equal(run->watcher.differences, 0);
    fixture_close(&run->fixture);
}

// hashes[i]: after i ticks.
static void list_hashes(uint64_t hashes[TICKS + 1]) {
    Run run;
    run_open(&run, 0, 0);
    for (int i = 0; i <= TICKS; i++) {
        hashes[i] = filo_world_hash(run.fixture.world);
        tick(&run.fixture);
    }
    run_close(&run);
}

// The world is at tick `from`; the rest of the run repeats itself.
static void expect_rest(Fixture *fixture, const uint64_t *hashes, int from) {
    assert_true(filo_world_hash(fixture->world) == hashes[from]);
    for (int i = from + 1; i <= TICKS; i++) {
        tick(fixture);
        assert_true(filo_world_hash(fixture->world) == hashes[i]);
    }
}

FILO_TEST(a_snapshot_is_restored_exactly_after_an_odd_or_even_number_of_ticks) {
    uint64_t hashes[TICKS + 1];
    list_hashes(hashes);
    for (int threads = 0; threads <= 4; threads += 4)
        for (int taken = 0; taken <= 3; taken++)
            for (int restored = taken; restored <= taken + 3; restored++) {
                Run run;
                run_open(&run, threads, taken);
                FiloSnapshot *snapshot = take_snapshot(run.fixture.world);
                for (int i = taken; i < restored; i++) tick(&run.fixture);
                assert_ok(filo_snapshot_restore(snapshot, run.fixture.world));
                expect_rest(&run.fixture, hashes, taken);
                // A second time, after another number of ticks.
                assert_ok(filo_snapshot_restore(snapshot, run.fixture.world));
                expect_rest(&run.fixture, hashes, taken);
                filo_snapshot_destroy(snapshot);
                run_close(&run);
            }
}

FILO_TEST(a_snapshot_is_restored_into_a_world_whose_columns_changed_places_another_number_of_times) {
    uint64_t hashes[TICKS + 1];
    list_hashes(hashes);
    for (int taken = 0; taken <= 3; taken++)
        for (int other_ticks = 0; other_ticks <= 3; other_ticks++) {
            Run run, other;
            run_open(&run, 0, taken);
            FiloSnapshot *snapshot = take_snapshot(run.fixture.world);
            run_open(&other, 0, other_ticks);
            assert_ok(filo_snapshot_restore(snapshot, other.fixture.world));
            expect_rest(&other.fixture, hashes, taken);
            run_close(&other);
            // A new world, with systems of its own.
            other.fixture = (Fixture){ 0 };
            assert_ok(filo_world_create_like(&other.fixture.world, run.fixture.world, NULL));
            assert_true(
                filo_component_info(other.fixture.world, filo_component_named(other.fixture.world, "Sphere"))
                    ->double_buffered);
            add_bounce(&other.fixture, &other.watcher);
            assert_ok(filo_snapshot_restore(snapshot, other.fixture.world));
            expect_rest(&other.fixture, hashes, taken);
            run_close(&other);
            filo_snapshot_destroy(snapshot);
            run_close(&run);
        }
}

// Sets each value to what it is, so that the columns change places and the state stays.
static void stay(FiloIter *it) {
    memcpy(filo_write_next(it, Sphere), filo_read(it, Sphere), it->count * sizeof(Sphere));
}

FILO_TEST(the_state_does_not_depend_on_how_often_the_columns_changed_places) {
    FiloWorld *worlds[2];
    FiloSnapshot *snapshots[2];
    FiloHistory *histories[2];
    for (int i = 0; i < 2; i++) {
        Fixture fixture = spheres_open(0);
        worlds[i] = fixture.world;
        for (int k = 0; k < 20; k++) create_spheres(worlds[i]);
        FiloSystemId id = filo_system_add(
            worlds[i], &(FiloSystemDesc){ .name = "stay",
                                          .run = stay,
                                          .query.terms = { FILO_READ(Sphere), FILO_WRITE_NEXT(Sphere) } });
        filo_system_set_enabled(worlds[i], id, i == 1);
        assert_ok(filo_history_create(&histories[i], NULL));
        for (int k = 0; k < 8; k++) {
            assert_ok(filo_history_push(histories[i], worlds[i]));
            assert_ok(filo_world_tick(worlds[i], 1));
        }
        filo_system_set_enabled(worlds[i], id, false);
        tick(&fixture);
        snapshots[i] = take_snapshot(worlds[i]);
    }
    assert_true(filo_world_hash(worlds[0]) == filo_world_hash(worlds[1]));
    char text[128];
    assert_false(filo_world_difference(worlds[0], worlds[1], text, sizeof text));
    assert_ok(filo_snapshot_difference(snapshots[0], snapshots[1], worlds[0], text, sizeof text));
    assert_string_equal(text, "");
    assert_int_equal(filo_snapshot_size(snapshots[0]), filo_snapshot_size(snapshots[1]));
    // Differences of states are as small as if the columns had stayed.
    assert_true(filo_history_memory(histories[1]) < filo_history_memory(histories[0]) * 11 / 10);
    for (int i = 0; i < 2; i++) {
        filo_history_destroy(histories[i]);
        destroy_with_snapshot(worlds[i], snapshots[i]);
    }
}

FILO_TEST(a_history_rewinds_exactly) {
    uint64_t hashes[TICKS + 1];
    list_hashes(hashes);
    Run run;
    run_open(&run, 2, 0);
    FiloHistory *history;
    assert_ok(filo_history_create(&history, NULL));
    for (int i = 0; i < TICKS; i++) {
        assert_ok(filo_history_push(history, run.fixture.world));
        tick(&run.fixture);
    }
    int at = TICKS - 1; // of the last push
    const int backs[] = { 0, 1, 2, 1, 3, 0 };
    for (size_t i = 0; i < FILO_COUNT_OF(backs); i++) {
        assert_ok(filo_history_rewind(history, run.fixture.world, (size_t)backs[i]));
        at -= backs[i];
        expect_rest(&run.fixture, hashes, at);
    }
    filo_history_destroy(history);
    run_close(&run);
}

FILO_TEST(a_saved_world_is_loaded_exactly) {
    uint64_t hashes[TICKS + 1];
    list_hashes(hashes);
    for (int saved = 0; saved <= 3; saved++)
        for (int loaded = 0; loaded <= 3; loaded++) {
            Run run, other;
            run_open(&run, 0, saved);
            FiloBytes bytes;
            filo_array_init(&bytes, NULL);
            assert_ok(filo_world_save_bytes(run.fixture.world, &bytes, NULL));
            run_close(&run);
            run_open(&other, 0, loaded);
            assert_ok(filo_world_load_bytes(other.fixture.world, bytes.items, bytes.count, "saved", NULL));
            expect_rest(&other.fixture, hashes, saved);
            run_close(&other);
            filo_array_deinit(&bytes);
        }
}

FILO_TEST(a_saved_world_is_loaded_whether_a_component_is_double_buffered_or_not) {
    for (int doubled = 0; doubled < 2; doubled++) {
        FiloWorld *from = create_world(), *to = create_world();
        filo_component(from, Sphere, .double_buffered = doubled == 1);
        filo_component(to, Sphere, .double_buffered = doubled == 0);
        FiloEntity entity = filo_create(from, FILO_SET(Sphere, 1, 2, FILO_ENTITY_NONE));
        if (doubled == 1) add_step(from);
        assert_ok(filo_world_tick(from, 1));
        FiloBytes bytes;
        filo_array_init(&bytes, NULL);
        assert_ok(filo_world_save_bytes(from, &bytes, NULL));
        assert_ok(filo_world_load_bytes(to, bytes.items, bytes.count, "saved", NULL));
        assert_true(x_of(to, entity) == (float)(1 + doubled));
        FiloSnapshot *snapshot = take_snapshot(from);
        FiloResult r = filo_snapshot_restore(snapshot, to);
        assert_error(r, FILO_ERROR_KIND,
                     doubled == 1 ? "component Sphere is double-buffered in the snapshot only"
                                  : "component Sphere is double-buffered in the world only");
        filo_array_deinit(&bytes);
        filo_snapshot_destroy(snapshot);
        filo_world_destroy(from);
        filo_world_destroy(to);
    }
}

FILO_TEST(a_transient_component_has_its_default_value_after_a_restore) {
    FiloWorld *world = create_world();
    filo_component(world, Sphere, .double_buffered = true, .transient = true,
                   .default_value = &(Sphere){ .x = 7 });
    FiloEntity entity = filo_create(world, FILO_SET(Sphere, .x = 1));
    add_step(world);
    assert_ok(filo_world_tick(world, 1));
    FiloSnapshot *snapshot = take_snapshot(world);
    assert_ok(filo_world_tick(world, 1));
    assert_ok(filo_snapshot_restore(snapshot, world));
    assert_true(x_of(world, entity) == 7);
    assert_ok(filo_world_tick(world, 1));
    assert_true(x_of(world, entity) == 8);
    destroy_with_snapshot(world, snapshot);
}

FILO_TEST(without_memory_a_snapshot_is_not_restored_and_the_world_stays) {
    FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
    FiloWorld *world = create_world_in(&failing.allocator);
    register_spheres(world);
    add_step(world);
    create_spheres(world);
    assert_ok(filo_world_tick(world, 1));
    FiloSnapshot *snapshot = take_snapshot(world);
    uint64_t before = filo_world_hash(world);
    assert_ok(filo_world_tick(world, 1));
    assert_ok(filo_world_reset(world, 0));
    FiloEntity entity = filo_create(world, FILO_SET(Sphere, .x = 1), FILO_SET(Heat, 3));
    assert_ok(filo_world_tick(world, 1));
    uint64_t after = filo_world_hash(world);
    bool restored = false;
    for (size_t allowed = 0; !restored; allowed++) {
        assert_true(allowed < 200);
        failing_allow(&failing, allowed);
        restored = filo_snapshot_restore(snapshot, world).code == FILO_OK;
        failing_end(&failing);
        if (restored) break;
        assert_true(filo_world_hash(world) == after && x_of(world, entity) == 2);
    }
    assert_true(filo_world_hash(world) == before);
    assert_ok(filo_world_tick(world, 1));
    destroy_with_snapshot(world, snapshot);
    assert_int_equal(failing.blocks, 0);
}
