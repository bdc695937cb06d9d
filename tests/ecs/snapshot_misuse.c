// Snapshots: misuse, and running out of memory.

#include "ecs/state_scene.h"
#include "support/failing_allocator.h"

// ---- Misuse --------------------------------------------------------------------------------------------

FILO_TEST(an_empty_snapshot_is_refused) {
    FiloWorld *world = create_world();
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    assert_true(filo_snapshot_is_empty(snapshot));
    assert_int_equal(filo_snapshot_ticks(snapshot), 0);
    assert_error(filo_snapshot_restore(snapshot, world), FILO_ERROR_DATA, "the snapshot is empty");
    filo_snapshot_destroy(snapshot);
    filo_snapshot_destroy(NULL);
    filo_world_destroy(world);
}

FILO_TEST(restoring_during_an_iteration_is_a_mistake) {
    only_in_debug_builds();
    FiloWorld *world = create_scene_world();
    filo_create(world, FILO_ADD(Place));
    FiloSnapshot *snapshot = take_snapshot(world);
    FiloQuery *query = filo_query(world, FILO_WITH(Place));
    FiloIter it = filo_query_iter(query);
    assert_true(filo_iter_next(&it));
    expect_mistake("restore a snapshot", filo_snapshot_restore(snapshot, world));
    assert_ok(filo_snapshot_take(snapshot, world)); // taking is allowed
    filo_iter_end(&it);
    assert_ok(filo_snapshot_restore(snapshot, world));
    expect_mistake("pass a snapshot and a world", filo_snapshot_take(NULL, world));
    expect_mistake("pass a snapshot and a world", filo_snapshot_restore(snapshot, NULL));
    filo_query_release(query);
    destroy_with_snapshot(world, snapshot);
}

static void take_inside(FiloIter *it) {
    FiloSnapshot *snapshot = it->user;
    expect_mistake("between ticks", filo_snapshot_take(snapshot, it->world));
}

FILO_TEST(taking_a_snapshot_inside_a_system_is_a_mistake) {
    only_in_debug_builds();
    FiloWorld *world = create_world();
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    filo_system_add(world,
                    &(FiloSystemDesc){ .name = "take", .run = take_inside, .once = true, .user = snapshot });
    assert_ok(filo_world_tick(world, 1));
    destroy_with_snapshot(world, snapshot);
}

// ---- Memory --------------------------------------------------------------------------------------------

FILO_TEST(taking_a_snapshot_again_allocates_nothing) {
    Scene scene;
    scene_open(&scene, 0);
    scene_run(&scene, 20);
    FiloHeap heap;
    filo_heap_init(&heap, "snapshot", 0);
    FiloSnapshot *snapshot = filo_snapshot_create(&heap.allocator);
    assert_ok(filo_snapshot_take(snapshot, scene.world));
    uint64_t before = filo_memory_system_calls(), operations = filo_heap_stats(&heap).operations;
    for (int i = 0; i < 5; i++) assert_ok(filo_snapshot_take(snapshot, scene.world));
    assert_int_equal(filo_memory_system_calls(), before);
    assert_int_equal(filo_heap_stats(&heap).operations, operations);
    filo_snapshot_destroy(snapshot);
    filo_heap_deinit(&heap);
    scene_close(&scene);
}

FILO_TEST(without_memory_taking_a_snapshot_fails_and_leaves_it_empty) {
    Scene scene;
    scene_open(&scene, 0);
    scene_run(&scene, 20);
    uint64_t hash = filo_world_hash(scene.world);
    bool done = false;
    for (size_t allowed = 0; !done; allowed++) {
        FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
        failing_allow(&failing, allowed);
        FiloSnapshot *snapshot = filo_snapshot_create(&failing.allocator);
        if (snapshot != NULL) {
            FiloResult result = filo_snapshot_take(snapshot, scene.world);
            done = result.code == FILO_OK;
            if (!done) assert_error(result, FILO_ERROR_MEMORY, "no memory for a snapshot");
            assert_true(filo_snapshot_is_empty(snapshot) != done);
        }
        filo_snapshot_destroy(snapshot);
        assert_int_equal(failing.blocks, 0);
        assert_true(filo_world_hash(scene.world) == hash);
    }
    scene_close(&scene);
}

// Each allocation of a restore fails in turn, and each time the world is unchanged.
FILO_TEST(without_memory_restoring_fails_and_the_world_is_unchanged) {
    Scene scene;
    scene_open(&scene, 0);
    scene_run(&scene, 30);
    FiloSnapshot *snapshot = filo_snapshot_create(NULL), *now = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(snapshot, scene.world));
    FiloResult result = filo_error(FILO_ERROR_MEMORY, "none yet");
    int failures = 0;
    for (size_t allowed = 0; result.code != FILO_OK; allowed++) {
        FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
        FiloWorld *world;
        assert_ok(
            filo_world_create_like(&world, scene.world, &(FiloWorldDesc){ .allocator = &failing.allocator }));
        FiloQuery *query =
            filo_query_create(world, &(FiloQueryDesc){ .terms = { FILO_WITH(Burning) }, .tracked = true });
        for (int i = 0; i < 10; i++)
            filo_create(world, FILO_SET(Place, (float)i, 0), FILO_ADD(Frozen), FILO_ADD(Pocket),
                        FILO_ADD(Burning));
        uint64_t hash = filo_world_hash(world);
        size_t tables = filo_world_stats(world).tables;
        failing_allow(&failing, allowed);
        result = filo_snapshot_restore(snapshot, world);
        if (result.code != FILO_OK) {
            failures++;
            assert_error(result, FILO_ERROR_MEMORY, "the world is as it was");
            assert_true(filo_world_hash(world) == hash);
            assert_int_equal(filo_world_stats(world).tables, tables);
            failing_end(&failing);
            for (int i = 0; i < 5; i++)
                assert_true(filo_create(world, FILO_ADD(Life), FILO_ADD(Weight)).id != 0);
            assert_ok(filo_snapshot_restore(snapshot, world));
        }
        failing_end(&failing);
        char text[200];
        assert_false(filo_world_difference(world, scene.world, text, sizeof text) &&
                     strstr(text, "provider") == NULL);
        assert_ok(filo_snapshot_take(now, world));
        destroy_with_query(world, query);
        assert_int_equal(failing.blocks, 0);
    }
    assert_in_range(failures, 20, 100000);
    filo_snapshot_destroy(now);
    filo_snapshot_destroy(snapshot);
    scene_close(&scene);
}
