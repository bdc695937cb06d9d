// Histories: rewinding by any number of ticks is exact.

#include "ecs/state_scene.h"
#include "support/failing_allocator.h"

#define TICKS 60

static void push_ticks(Scene *scene, FiloHistory *history, uint64_t *hashes, int ticks) {
    for (int i = 0; i < ticks; i++) {
        scene_tick(scene);
        hashes[i] = filo_world_hash(scene->world);
        assert_ok(filo_history_push(history, scene->world));
    }
}

static void rewind_and_compare(int threads) {
    Scene scene;
    scene_open(&scene, threads);
    FiloHistory *history;
    assert_ok(filo_history_create(&history, NULL));
    uint64_t hashes[TICKS];
    push_ticks(&scene, history, hashes, TICKS);
    assert_int_equal(filo_history_count(history), TICKS);
    size_t at = TICKS - 1;
    const size_t backs[] = { 0, 1, 0, 7, 2, 20 };
    for (size_t i = 0; i < FILO_COUNT_OF(backs); i++) {
        assert_int_equal(filo_history_ticks(history, backs[i]), at - backs[i] + 1);
        assert_ok(filo_history_rewind(history, scene.world, backs[i]));
        at -= backs[i];
        assert_true(filo_world_hash(scene.world) == hashes[at]);
        assert_int_equal(filo_history_count(history), at + 1);
    }
    // The run continues as before.
    for (; at < TICKS - 1; at++) {
        scene_tick(&scene);
        assert_true(filo_world_hash(scene.world) == hashes[at + 1]);
        assert_ok(filo_history_push(history, scene.world));
    }
    assert_ok(filo_history_rewind(history, scene.world, TICKS - 1));
    assert_true(filo_world_hash(scene.world) == hashes[0]);
    filo_history_destroy(history);
    scene_close(&scene);
}

FILO_TEST(rewinding_is_exact_and_the_run_repeats_itself) { rewind_and_compare(0); }
FILO_TEST(rewinding_is_exact_with_events_on_threads) { rewind_and_compare(4); }

FILO_TEST(the_oldest_states_are_dropped) {
    Scene scene;
    scene_open(&scene, 0);
    FiloHistory *history;
    assert_ok(filo_history_create(&history, &(FiloHistoryDesc){ .length = 8 }));
    uint64_t hashes[TICKS];
    push_ticks(&scene, history, hashes, 21);
    assert_int_equal(filo_history_count(history), 8);
    assert_error(filo_history_rewind(history, scene.world, 8), FILO_ERROR_NOT_FOUND,
                 "goes back by 7 states, not by 8");
    assert_true(filo_world_hash(scene.world) == hashes[20]);
    assert_int_equal(filo_history_ticks(history, 8), 0);
    assert_ok(filo_history_rewind(history, scene.world, 7));
    assert_true(filo_world_hash(scene.world) == hashes[13]);
    push_ticks(&scene, history, hashes + 14, 7);
    assert_int_equal(filo_history_count(history), 8);
    assert_ok(filo_history_rewind(history, scene.world, 3));
    assert_true(filo_world_hash(scene.world) == hashes[17]);
    filo_history_destroy(history);
    scene_close(&scene);
}

FILO_TEST(a_history_of_capacity_one_holds_the_last_state) {
    Scene scene;
    scene_open(&scene, 0);
    FiloHistory *history;
    assert_ok(filo_history_create(&history, &(FiloHistoryDesc){ .length = 1 }));
    assert_error(filo_history_rewind(history, scene.world, 0), FILO_ERROR_NOT_FOUND, "the history is empty");
    uint64_t hashes[TICKS];
    push_ticks(&scene, history, hashes, 3);
    assert_int_equal(filo_history_count(history), 1);
    scene_run(&scene, 4);
    assert_ok(filo_history_rewind(history, scene.world, 0));
    assert_true(filo_world_hash(scene.world) == hashes[2]);
    filo_history_destroy(history);
    filo_history_destroy(NULL);
    scene_close(&scene);
}

FILO_TEST(a_budget_drops_the_oldest_and_keeps_the_newest) {
    Scene scene;
    scene_open(&scene, 0);
    FiloComponentValue with[] = { FILO_SET(Place, 1, 2), FILO_SET(Speed, 1, 2),
                                  FILO_SET(Life, 1, 1000000, 3) };
    assert_true(filo_entity_create_block(
        scene.world, &(FiloBlockDesc){ .count = 3000, .values = with, .value_count = 3 }));
    FiloHistory *history;
    assert_ok(
        filo_history_create(&history, &(FiloHistoryDesc){ .length = 100, .memory_budget = FILO_MIB(2) }));
    uint64_t hashes[TICKS];
    push_ticks(&scene, history, hashes, TICKS);
    size_t count = filo_history_count(history);
    assert_in_range(count, 2, TICKS - 1);
    assert_in_range(filo_history_memory(history), 1, FILO_MIB(2));
    assert_ok(filo_history_rewind(history, scene.world, count - 1));
    assert_true(filo_world_hash(scene.world) == hashes[TICKS - count]);
    filo_history_destroy(history);
    // Also if a single state is larger than the budget.
    assert_ok(filo_history_create(&history, &(FiloHistoryDesc){ .memory_budget = 1 }));
    push_ticks(&scene, history, hashes, 3);
    assert_int_equal(filo_history_count(history), 1);
    assert_ok(filo_history_rewind(history, scene.world, 0));
    assert_true(filo_world_hash(scene.world) == hashes[2]);
    filo_history_destroy(history);
    scene_close(&scene);
}

FILO_TEST(states_of_an_unchanged_world_take_almost_no_memory) {
    FiloWorld *world = create_scene_world();
    FiloComponentValue with[] = { FILO_SET(Place, 1, 2), FILO_SET(Life, 1, 2, 3) };
    assert_true(filo_entity_create_block(
        world, &(FiloBlockDesc){ .count = 30000, .values = with, .value_count = 2 }));
    FiloHistory *history;
    assert_ok(filo_history_create(&history, NULL));
    for (int i = 0; i < 3; i++) assert_ok(filo_history_push(history, world));
    size_t before = filo_history_memory(history);
    for (int i = 0; i < 50; i++) {
        filo_edit(world, filo_entity_at(world, (uint32_t)i * 7), Place)->x += 1;
        assert_ok(filo_history_push(history, world));
    }
    assert_in_range(filo_history_memory(history) - before, 1, 50 * 4096);
    filo_history_destroy(history);
    filo_world_destroy(world);
}

FILO_TEST(an_older_state_can_be_read_without_rewinding) {
    Scene scene;
    scene_open(&scene, 0);
    FiloHistory *history;
    assert_ok(filo_history_create(&history, NULL));
    uint64_t hashes[TICKS];
    push_ticks(&scene, history, hashes, 20);
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    FiloWorld *branch;
    assert_ok(filo_world_create_like(&branch, scene.world, NULL));
    Scene other = { .world = branch };
    FiloProvider dice = scene_dice(&other);
    assert_true(filo_world_add_provider(branch, &dice));
    for (size_t back = 0; back < 20; back += 3) {
        assert_ok(filo_history_get(history, back, snapshot));
        assert_int_equal(filo_snapshot_ticks(snapshot), 20 - back);
        assert_ok(filo_snapshot_restore(snapshot, branch));
        assert_true(filo_world_hash(branch) == hashes[19 - back]);
    }
    assert_int_equal(filo_history_count(history), 20);
    assert_true(filo_world_hash(scene.world) == hashes[19]);
    assert_error(filo_history_get(history, 20, snapshot), FILO_ERROR_NOT_FOUND, "goes back by 19");
    filo_history_clear(history);
    assert_int_equal(filo_history_count(history), 0);
    push_ticks(&scene, history, hashes, 2);
    assert_ok(filo_history_rewind(history, scene.world, 1));
    assert_true(filo_world_hash(scene.world) == hashes[0]);
    destroy_with_snapshot(branch, snapshot);
    filo_history_destroy(history);
    scene_close(&scene);
}

static void nothing(void *value, void *user) { FILO_UNUSED(value), FILO_UNUSED(user); }

FILO_TEST(components_with_hooks_are_refused_unless_transient) {
    FiloWorld *world = create_world();
    filo_component(world, Picture, .transient = true, .hooks.destruct = nothing);
    filo_component(world, Crown, .hooks.construct = nothing);
    filo_create(world, FILO_ADD(Picture));
    FiloHistory *history;
    assert_ok(filo_history_create(&history, NULL));
    assert_ok(filo_history_push(history, world));
    filo_create(world, FILO_ADD(Crown));
    assert_error(filo_history_push(history, world), FILO_ERROR_UNSUPPORTED,
                 "cannot keep components with hooks");
    assert_int_equal(filo_history_count(history), 1);
    filo_history_destroy(history);
    filo_world_destroy(world);
}

FILO_TEST(a_steady_history_allocates_nothing) {
    Scene scene;
    scene_open(&scene, 0);
    FiloComponentValue with[] = { FILO_SET(Place, 1, 2), FILO_SET(Speed, 1, 2) };
    assert_true(filo_entity_create_block(
        scene.world, &(FiloBlockDesc){ .count = 2000, .values = with, .value_count = 2 }));
    FiloHeap heap;
    filo_heap_init(&heap, "history", 0);
    FiloHistory *history;
    assert_ok(
        filo_history_create(&history, &(FiloHistoryDesc){ .length = 10, .allocator = &heap.allocator }));
    FiloQuery *query = filo_query(scene.world, FILO_WRITE(Place));
    uint64_t operations = 0;
    for (int i = 0; i < 60; i++) {
        FiloIter it = filo_query_iter(query);
        while (filo_iter_next(&it)) {
            Place *place = filo_write(&it, Place);
            for (size_t row = 0; row < it.count; row++) place[row].x += 1;
        }
        if (i == 40) operations = filo_heap_stats(&heap).operations;
        assert_ok(filo_history_push(history, scene.world));
    }
    assert_int_equal(filo_heap_stats(&heap).operations, operations);
    filo_query_release(query);
    filo_history_destroy(history);
    filo_heap_deinit(&heap);
    scene_close(&scene);
}

// Each allocation fails in turn. A state is pushed completely or not at all.
FILO_TEST(without_memory_a_history_is_unchanged) {
    Scene scene;
    scene_open(&scene, 0);
    scene_run(&scene, 10);
    FiloSnapshot *start = take_snapshot(scene.world);
    int failures = 0;
    bool failed = true;
    for (size_t allowed = 0; failed; allowed++) {
        FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
        failing_allow(&failing, allowed);
        FiloHistory *history;
        failed =
            filo_history_create(&history, &(FiloHistoryDesc){ .length = 4, .allocator = &failing.allocator })
                .code != FILO_OK;
        assert_true(failed == (history == NULL));
        failures += failed;
        if (failed) continue;
        assert_ok(filo_snapshot_restore(start, scene.world));
        uint64_t hashes[6];
        size_t pushed = 0;
        for (int i = 0; i < 6; i++) {
            scene_tick(&scene);
            size_t before = filo_history_count(history);
            if (filo_history_push(history, scene.world).code == FILO_OK) {
                hashes[pushed++] = filo_world_hash(scene.world);
                continue;
            }
            failed = true;
            assert_int_equal(filo_history_count(history), before);
            failing_end(&failing);
        }
        uint64_t hash = filo_world_hash(scene.world);
        size_t back = filo_history_count(history) - 1;
        failing_allow(&failing, 1);
        if (filo_history_rewind(history, scene.world, back).code != FILO_OK)
            assert_true(filo_world_hash(scene.world) == hash);
        failing_end(&failing);
        back = filo_history_count(history) - 1;
        assert_ok(filo_history_rewind(history, scene.world, back));
        if (back > 0) assert_true(filo_world_hash(scene.world) == hashes[pushed - 1 - back]);
        failures += failed;
        filo_history_destroy(history);
    }
    assert_in_range(failures, 8, 1000);
    filo_snapshot_destroy(start);
    scene_close(&scene);
}

FILO_TEST(misuse_is_reported) {
    only_in_debug_builds();
    FiloHistory *history;
    assert_ok(filo_history_create(&history, NULL));
    expect_mistake("pass a history and a world", filo_history_push(history, NULL));
    expect_mistake("pass a history and a world", filo_history_rewind(history, NULL, 0));
    expect_mistake("pass a history and a snapshot", filo_history_get(history, 0, NULL));
    filo_history_destroy(history);
}
