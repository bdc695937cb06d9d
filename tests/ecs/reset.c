// filo_world_reset: a world that was used is as new. That it goes on as a new one with every feature is tested in
// determinism.c.

#include <filo/observer.h>

#include "ecs/log.h"
#include "ecs/state_scene.h"
#include "support/failing_allocator.h"

// ---- The state ------------------------------------------------------------------------------------------

FILO_TEST(a_world_with_all_kinds_of_state_is_as_new) {
    for (int threads = 0; threads <= 2; threads += 2) {
        Scene used, fresh;
        scene_open(&used, threads);
        scene_run(&used, 40);
        filo_query_release(filo_query(used.world, FILO_READ(Place), FILO_READ(Life)));
        for (uint64_t seed = 5; seed < 8; seed++) {
            if (threads > 0) scene_complete(&used); // a name, and an event that waits
            assert_ok(filo_world_reset(used.world, seed));
            assert_int_equal(filo_world_seed(used.world), seed);
            assert_int_equal(filo_world_ticks(used.world), 0);
            assert_true(filo_world_delta(used.world) == 0);
            assert_int_equal(used.dice, 0); // the provider restored its initial state
            scene_open(&fresh, threads);
            fresh.dice = 0;
            assert_ok(filo_world_reset(fresh.world, seed)); // a new one with another seed
            for (int i = 0; i < 30; i++) {
                assert_int_equal(filo_world_hash(used.world), filo_world_hash(fresh.world));
                scene_tick(&used);
                scene_tick(&fresh);
            }
            FiloSnapshot *now = take_snapshot(used.world), *then = take_snapshot(fresh.world);
            char text[256];
            assert_ok(filo_snapshot_difference(now, then, used.world, text, sizeof text));
            assert_string_equal(text, "");
            assert_int_equal(filo_snapshot_size(now), filo_snapshot_size(then));
            filo_snapshot_destroy(now);
            filo_snapshot_destroy(then);
            scene_close(&fresh);
        }
        scene_close(&used);
    }
}

FILO_TEST(a_world_that_is_reset_to_its_seed_equals_one_that_was_created_with_it) {
    FiloWorld *used, *fresh;
    assert_ok(filo_world_create(&used, &(FiloWorldDesc){ .seed = 1 }));
    assert_ok(filo_world_create(&fresh, &(FiloWorldDesc){ .seed = 2 }));
    assert_int_not_equal(filo_world_hash(used), filo_world_hash(fresh)); // empty, but they will differ
    char text[64];
    assert_true(filo_world_difference(used, fresh, text, sizeof text));
    assert_string_equal(text, "seed is 1, was 2");
    assert_ok(filo_world_reset(used, 2));
    assert_int_equal(filo_world_hash(used), filo_world_hash(fresh));
    assert_false(filo_world_difference(used, fresh, text, sizeof text));
    filo_world_destroy(used);
    filo_world_destroy(fresh);
}

FILO_TEST(a_snapshot_restores_its_seed_and_the_hash_shows_it) {
    FiloWorld *world = create_world();
    assert_ok(filo_world_reset(world, 11));
    uint64_t hash = filo_world_hash(world);
    FiloSnapshot *snapshot = take_snapshot(world);
    assert_ok(filo_world_reset(world, 12));
    assert_int_not_equal(filo_world_hash(world), hash);
    assert_ok(filo_snapshot_restore(snapshot, world));
    assert_int_equal(filo_world_seed(world), 11);
    assert_int_equal(filo_world_hash(world), hash);
    destroy_with_snapshot(world, snapshot);
}

// The state of a provider, which begins with the seed.
static size_t number_size(FiloWorld *world, void *user) {
    FILO_UNUSED(world), FILO_UNUSED(user);
    return sizeof(uint64_t);
}
static void number_save(FiloWorld *world, void *bytes, void *user) {
    FILO_UNUSED(world);
    memcpy(bytes, user, sizeof(uint64_t));
}
static FiloResult number_restore(FiloWorld *world, const void *bytes, size_t size, void *user) {
    if (*(const uint64_t *)user == 99) return filo_error(FILO_ERROR_DATA, "not now");
    *(uint64_t *)user = filo_world_seed(world);
    if (bytes != NULL) memcpy(user, bytes, size);
    return filo_ok();
}

FILO_TEST(a_provider_begins_with_the_new_seed_and_may_refuse) {
    FiloWorld *world = create_world();
    uint64_t number = 99;
    assert_true(filo_world_add_provider(world, &(FiloProvider){ .name = "number",
                                                                .size = number_size,
                                                                .save = number_save,
                                                                .restore = number_restore,
                                                                .user = &number }));
    FiloEntity entity = filo_entity_create(world);
    assert_error(filo_world_reset(world, 31), FILO_ERROR_DATA, "provider number: not now");
    assert_int_equal(filo_world_seed(world), 0);
    assert_true(filo_entity_exists(world, entity));
    number = 0;
    assert_ok(filo_world_reset(world, 31));
    assert_int_equal(number, 31);
    filo_world_destroy(world);
}

// ---- Observers and queries --------------------------------------------------------------------------------------

static void note_call(FiloIter *it, const FiloObserved *observed) {
    log_add(it->user, "%s%zu ", observed->kind == FILO_OBSERVE_ADDED ? "+" : "-", observed->count);
}

FILO_TEST(observers_are_not_called_and_begin_again) {
    FiloWorld *world = create_scene_world();
    Log log = { 0 };
    for (int existing = 0; existing < 2; existing++)
        filo_observer_add(world, &(FiloObserverDesc){ .name = existing ? "all" : "later",
                                                      .run = note_call,
                                                      .user = &log,
                                                      .type = FILO_TYPE(Life),
                                                      .existing = existing,
                                                      .kinds = FILO_OBSERVE_ADDED | FILO_OBSERVE_REMOVED });
    for (int round = 0; round < 2; round++) {
        filo_create(world, FILO_ADD(Life));
        filo_create(world, FILO_ADD(Life));
        filo_world_refresh(world);
        expect_log(&log, "+2 +2 ");
        filo_create(world, FILO_ADD(Life)); // is not reported any more
        assert_ok(filo_world_reset(world, 0));
    }
    filo_world_refresh(world);
    expect_log(&log, "");
    filo_world_destroy(world);
}

FILO_TEST(queries_have_seen_nothing_and_tracked_ones_note_nothing) {
    FiloWorld *world = create_scene_world();
    FiloQuery *changed = filo_query(world, FILO_READ_CHANGED(Place));
    FiloQuery *tracked =
        filo_query_create(world, &(FiloQueryDesc){ .terms = { FILO_WITH(Burning) }, .tracked = true });
    FiloSeen seen = { 0 };
    for (int round = 0; round < 2; round++) {
        filo_create(world, FILO_ADD(Place), FILO_ADD(Burning));
        FiloIter it = filo_query_iter_since(changed, &seen);
        assert_true(filo_iter_next(&it));
        filo_iter_end(&it);
        assert_ok(filo_world_tick(world, 1));
        size_t count;
        (void)filo_query_entered(tracked, &count);
        assert_int_equal(count, 1);
        assert_ok(filo_world_reset(world, 0));
        (void)filo_query_left(tracked, &count);
        assert_int_equal(count, 0);
        assert_int_equal(filo_query_count(changed), 0);
    }
    filo_query_release(changed);
    destroy_with_query(world, tracked);
}

// ---- Failure ------------------------------------------------------------------------------------------------

FILO_TEST(without_memory_a_world_is_not_reset_and_stays) {
    FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
    FiloWorld *world = create_world_in(&failing.allocator);
    assert_true(scene_register(world));
    FiloEntity entity = filo_create(world, FILO_SET(Place, 1, 2), FILO_SET(Pocket, { 3 }));
    assert_ok(filo_world_tick(world, 1));
    uint64_t hash = filo_world_hash(world);
    size_t allowed = 0;
    for (bool reset = false; !reset; allowed++) {
        assert_true(allowed < 20);
        failing_allow(&failing, allowed);
        FiloResult result = filo_world_reset(world, 3);
        failing_end(&failing);
        reset = result.code == FILO_OK;
        if (reset) break;
        assert_error(result, FILO_ERROR_MEMORY, "no memory to restore a snapshot; the world is as it was");
        assert_int_equal(filo_world_hash(world), hash);
        assert_true(filo_entity_exists(world, entity));
    }
    assert_true(allowed > 0); // a user's holder is made anew
    assert_int_equal(filo_world_stats(world).entities, 0);
    filo_world_destroy(world);
    assert_int_equal(failing.blocks, 0);
}

FILO_TEST(a_world_that_may_not_be_restored_may_not_be_reset) {
    FiloWorld *world = create_world();
    filo_world_refuse_restore(world, "a game is being recorded");
    assert_error(filo_world_reset(world, 1), FILO_ERROR_BUSY,
                 "cannot reset a world: a game is being recorded");
    filo_world_refuse_restore(world, NULL);
    assert_ok(filo_world_reset(world, 1));
    filo_world_destroy(world);
}

FILO_TEST(no_world_is_reset_that_does_not_exist) {
    expect_mistake("pass a world", filo_world_reset(NULL, 1));
}
