// Observers: snapshots and files, and running out of memory.

#include "ecs/observer_fixture.h"
#include "ecs/storages.h"
#include "support/failing_allocator.h"

#include "support/malloc_count.h"

#include <filo/hash.h>

// ---- Snapshots ----------------------------------------------------------------------------------------------

static FiloObserver observe_positions(FiloWorld *world, Log *log) {
    return filo_observer_add(world, &(FiloObserverDesc){ .run = log_observed,
                                                         .kinds = OF_QUERY,
                                                         .query.terms = { FILO_READ(Position) },
                                                         .user = log });
}

static void restore_pending_notifications(FiloStorage storage) {
    FiloWorld *world = world_with_health_in(storage);
    Log health = { 0 }, positions = { 0 };
    FiloEntity ids[6];
    for (int i = 0; i < 6; i++) ids[i] = filo_create(world, FILO_SET(Health, i));
    observe_health(world, &health);
    observe_positions(world, &positions);
    FiloSnapshot *snapshot = filo_snapshot_create(NULL), *quiet = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(quiet, world));
    // Reports of every kind are pending.
    filo_remove(world, ids[0], Health);
    filo_set(world, ids[1], Health, 11);
    filo_remove(world, ids[2], Health);
    filo_set(world, ids[2], Health, 12);
    FiloEntity created = filo_create(world, FILO_SET(Health, 6), FILO_SET(Position, 0, 0));
    filo_entity_destroy(world, ids[3]);
    filo_entity_destroy(world, filo_create(world, FILO_SET(Health, 99)));
    assert_ok(filo_snapshot_take(snapshot, world));
    for (int round = 0; round < 3; round++) {
        // Later changes are combined with the pending reports.
        filo_set(world, ids[4], Health, 14);
        filo_remove(world, ids[1], Health);
        filo_remove(world, created, Position);
        filo_add(world, created, Position);
        filo_world_refresh(world);
        expect_log(&health, "removed 0=0 2=2 3=3 1=11; added 2=12 6=6; set 4=14; ");
        expect_log(&positions, "entered 6; ");
        filo_entity_destroy(world, ids[5]); // pending, and dropped by the restore
        assert_ok(filo_snapshot_restore(snapshot, world));
        expect_log(&health, ""); // restoring is not reported
        expect_log(&positions, "");
    }
    filo_world_refresh(world);
    expect_log(&health, "removed 0=0 2=2 3=3; added 2=12 6=6; set 1=11; ");
    expect_log(&positions, "entered 6; ");
    filo_remove(world, ids[4], Health);
    assert_ok(filo_snapshot_restore(quiet, world)); // without pending reports
    filo_world_refresh(world);
    expect_log(&health, "");
    filo_remove(world, ids[4], Health);
    filo_world_refresh(world);
    expect_log(&health, "removed 4=4; ");

    // Another world with the same observers.
    FiloWorld *twin;
    assert_ok(filo_world_create_like(&twin, world, NULL));
    Log other = { 0 };
    observe_health(twin, &other);
    filo_create(twin, FILO_SET(Health, 1));
    assert_ok(filo_snapshot_restore(snapshot, twin));
    filo_world_refresh(twin);
    expect_log(&other, "removed 0=0 2=2 3=3; added 2=12 6=6; set 1=11; ");
    // A world without observers.
    FiloWorld *unobserved;
    assert_ok(filo_world_create_like(&unobserved, world, NULL));
    assert_ok(filo_snapshot_restore(snapshot, unobserved));
    observe_health(unobserved, &other);
    filo_world_refresh(unobserved);
    expect_log(&other, "");
    filo_world_destroy(unobserved);
    filo_world_destroy(twin);
    filo_snapshot_destroy(snapshot);
    destroy_with_snapshot(world, quiet);
}

FILO_TEST(pending_notifications_are_part_of_a_snapshot_in_tables) {
    restore_pending_notifications(FILO_STORAGE_TABLE);
}
FILO_TEST(pending_notifications_are_part_of_a_snapshot_in_sparse_lists) {
    restore_pending_notifications(FILO_STORAGE_SPARSE);
}
FILO_TEST(pending_notifications_are_part_of_a_snapshot_in_maps) {
    restore_pending_notifications(FILO_STORAGE_MAP);
}

FILO_TEST(a_pending_report_of_existing_components_is_part_of_a_snapshot) {
    FiloWorld *world = new_world();
    Log log = { 0 };
    filo_create(world, FILO_SET(Health, 1));
    filo_observer_add(world, &(FiloObserverDesc){ .run = log_observed,
                                                  .type = FILO_TYPE(Health),
                                                  .kinds = OF_COMPONENT,
                                                  .existing = true,
                                                  .user = &log });
    FiloSnapshot *snapshot = filo_snapshot_create(NULL), *after = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(snapshot, world));
    for (int i = 0; i < 2; i++) {
        filo_world_refresh(world);
        expect_log(&log, "added 0=1; ");
        assert_ok(filo_snapshot_take(after, world));
        assert_ok(filo_snapshot_restore(snapshot, world));
    }
    assert_ok(filo_snapshot_restore(after, world));
    filo_world_refresh(world);
    expect_log(&log, "");
    filo_snapshot_destroy(snapshot);
    destroy_with_snapshot(world, after);
}

// Observers whose changes cause further reports. The world is run from a snapshot several times.
static void spread(FiloIter *it, const FiloObserved *observed) {
    for (size_t i = 0; i < observed->count; i++)
        if (observed->kind == FILO_OBSERVE_REMOVED && observed->entities[i].id % 3 != 0)
            filo_set(it->changes, filo_changes_create_entity(it->changes), Health,
                     filo_observed_values(observed, Health)[i].points + 1);
        else if (observed->kind == FILO_OBSERVE_ADDED)
            filo_add(it->changes, observed->entities[i], Velocity);
}

static void wither(FiloIter *it) {
    for (size_t i = 0; i < it->count; i++) {
        FiloRandom random = filo_iter_random(it, i);
        if (filo_random_below(&random, 4) == 0)
            filo_changes_destroy_entity(it->changes, filo_iter_entity(it, i));
        if (filo_random_below(&random, 4) == 0)
            filo_set(it->changes, filo_changes_create_entity(it->changes), Health, 1);
    }
}

FILO_TEST(a_restored_world_repeats_the_same_run) {
    FiloWorld *world = new_world();
    filo_observer_add(world, &(FiloObserverDesc){ .run = spread,
                                                  .type = FILO_TYPE(Health),
                                                  .kinds = FILO_OBSERVE_ADDED | FILO_OBSERVE_REMOVED });
    filo_system_add(
        world, &(FiloSystemDesc){ .name = "wither", .run = wither, .query.terms = { FILO_READ(Health) } });
    for (int i = 0; i < 50; i++) filo_create(world, FILO_SET(Health, i));
    for (int i = 0; i < 5; i++) assert_ok(filo_world_tick(world, 1));
    for (uint32_t i = 0; i < 20; i++)
        if (filo_entity_at(world, i).id != 0) filo_entity_destroy(world, filo_entity_at(world, i));
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    FiloHistory *history;
    assert_ok(filo_history_create(&history, NULL));
    assert_ok(filo_snapshot_take(snapshot, world));
    uint64_t hashes[3] = { 0 };
    for (int run = 0; run < 3; run++) {
        for (int i = 0; i < 8; i++) {
            if (run == 0) assert_ok(filo_history_push(history, world));
            assert_ok(filo_world_tick(world, 1));
            hashes[run] = filo_hash_combine(hashes[run], filo_world_hash(world));
        }
        if (run == 0)
            assert_ok(filo_snapshot_restore(snapshot, world));
        else if (run == 1)
            assert_ok(filo_history_rewind(history, world, 7));
    }
    assert_int_equal(hashes[1], hashes[0]);
    assert_int_equal(hashes[2], hashes[0]);
    filo_history_destroy(history);
    destroy_with_snapshot(world, snapshot);
}

FILO_TEST(loading_notifies_no_observer) {
    FiloWorld *world = new_world();
    Log log = { 0 };
    FiloEntity a = filo_create(world, FILO_SET(Health, 1));
    filo_create(world, FILO_SET(Health, 2));
    FiloBytes bytes = { 0 };
    assert_ok(filo_world_save_bytes(world, &bytes, NULL));
    assert_ok(filo_world_reset(world, 0));
    observe_health(world, &log);
    filo_create(world, FILO_SET(Health, 3)); // pending, and dropped by loading
    assert_ok(filo_world_load_bytes(world, bytes.items, bytes.count, "test", NULL));
    filo_world_refresh(world);
    expect_log(&log, "");
    filo_entity_destroy(world, a);
    filo_world_refresh(world);
    expect_log(&log, "removed 0=1; ");
    filo_array_deinit(&bytes);
    filo_world_destroy(world);
}

// ---- Snapshots of values with hooks -----------------------------------------------------------------------------

static FiloWorld *world_with_bodies(bool copies, bool transient, int *sum, FiloEntity *ids, int count) {
    FiloWorld *world;
    bodies = *sum = 0;
    assert_ok(filo_world_create(&world, NULL));
    filo_component(world, Body, .transient = transient,
                   .hooks = { .construct = body_construct,
                              .destruct = body_destruct,
                              .copy = copies ? body_copy : NULL,
                              .move = body_move });
    filo_observer_add(
        world, &(FiloObserverDesc){
                   .run = sum_bodies, .type = FILO_TYPE(Body), .kinds = FILO_OBSERVE_REMOVED, .user = sum });
    for (int i = 0; i < count; i++) {
        ids[i] = filo_create(world, FILO_ADD(Body));
        *filo_edit(world, ids[i], Body)->number = i + 1;
    }
    filo_world_refresh(world);
    return world;
}

FILO_TEST(last_values_with_hooks_are_copied_into_a_snapshot) {
    FiloEntity ids[5];
    int sum;
    FiloWorld *world = world_with_bodies(true, false, &sum, ids, 5);
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    for (int i = 0; i < 3; i++) filo_entity_destroy(world, ids[i]);
    assert_ok(filo_snapshot_take(snapshot, world));
    assert_int_equal(bodies, 10);
    for (int i = 0; i < 2; i++) {
        sum = 0;
        filo_world_refresh(world);
        assert_int_equal(sum, 123);
        assert_int_equal(bodies, 7);
        filo_entity_destroy(world, ids[4]);
        assert_ok(filo_snapshot_restore(snapshot, world));
        assert_int_equal(bodies, 10);
    }
    filo_world_destroy(world);
    assert_int_equal(bodies, 5);
    filo_snapshot_destroy(snapshot);
    assert_int_equal(bodies, 0);
}

FILO_TEST(last_values_that_cannot_be_copied_are_refused_by_a_snapshot) {
    FiloEntity id;
    int sum;
    FiloWorld *world = world_with_bodies(false, false, &sum, &id, 1);
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    filo_entity_destroy(world, id);
    assert_error(filo_snapshot_take(snapshot, world), FILO_ERROR_UNSUPPORTED,
                 "component Body has a destruct hook and no copy hook");
    filo_world_refresh(world);
    assert_ok(filo_snapshot_take(snapshot, world)); // nothing is pending
    destroy_with_snapshot(world, snapshot);
    assert_int_equal(bodies, 0);
}

FILO_TEST(last_values_of_transient_components_are_default_values_after_restoring) {
    FiloEntity ids[2];
    int sum;
    FiloWorld *world = world_with_bodies(false, true, &sum, ids, 2);
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    filo_entity_destroy(world, ids[0]);
    assert_ok(filo_snapshot_take(snapshot, world));
    assert_ok(filo_snapshot_restore(snapshot, world));
    sum = 7;
    filo_world_refresh(world);
    assert_int_equal(sum, 70);
    destroy_with_snapshot(world, snapshot);
    assert_int_equal(bodies, 0);
}

// ---- Memory ---------------------------------------------------------------------------------------------------

static FiloWorld *failing_world(FailingAllocator *failing) {
    failing_init(failing, SIZE_MAX);
    return new_world_with(&(FiloWorldDesc){ .allocator = &failing->allocator });
}

static void count_reported(FiloIter *it, const FiloObserved *observed) {
    *(size_t *)it->user += observed->count;
}

FILO_TEST(without_memory_an_observer_is_not_added_and_nothing_is_lost) {
    for (int query = 0; query < 2; query++) {
        bool more = true;
        for (size_t served = 0; more; served++) {
            FailingAllocator failing;
            FiloWorld *world = failing_world(&failing);
            FiloEntity entity = filo_create(world, FILO_SET(Health, 1));
            size_t reported = 0;
            size_t blocks = failing.blocks;
            FiloObserverDesc desc = { .name = "x", .run = count_reported, .user = &reported };
            if (query != 0)
                desc.kinds = FILO_OBSERVE_LEFT, desc.query.terms[0] = (FiloTerm)FILO_READ(Health);
            else
                desc.kinds = FILO_OBSERVE_REMOVED, desc.type = FILO_TYPE(Health);
            failing_allow(&failing, served);
            FiloObserver observer = filo_observer_add(world, &desc);
            more = failing_end(&failing);
            assert_int_equal(observer.id == 0, more);
            // Lists of the world may have grown.
            if (more) assert_true(failing.blocks <= blocks + 3);
            filo_remove(world, entity, Health);
            filo_world_refresh(world);
            assert_int_equal(reported, !more);
            filo_world_destroy(world);
            assert_int_equal(failing.blocks, 0);
            assert_true(served < 50);
            assert_true(more || served >= 3);
        }
    }
}

// A change succeeds without memory for its notification; later changes are reported.
FILO_TEST(without_memory_notifications_are_lost_and_the_world_is_correct) {
    // Fails for the list, the index by entity and the removed values.
    for (size_t served = 0; served < 3; served++) {
        FailingAllocator failing;
        FiloWorld *world = failing_world(&failing);
        Log log = { 0 };
        FiloEntity ids[4];
        for (int i = 0; i < 4; i++) {
            ids[i] = filo_create(world, FILO_SET(Health, i));
            filo_remove(world, filo_create(world, FILO_SET(Health, i)), Health); // grows the tables
        }
        observe_health(world, &log);
        failing_allow(&failing, served);
        assert_true(filo_remove(world, ids[0], Health));
        assert_true(filo_set(world, ids[1], Health, 10));
        assert_true(failing_end(&failing));
        assert_false(filo_has(world, ids[0], Health));
        assert_int_equal(filo_get(world, ids[1], Health)->points, 10);
        assert_true(filo_remove(world, ids[2], Health));
        filo_world_refresh(world);
        expect_log(&log, served < 2 ? "removed 4=2; " : "removed 4=2; set 2=10; ");
        filo_world_destroy(world);
        assert_int_equal(failing.blocks, 0);
    }
}

FILO_TEST(lost_notifications_are_reported_as_out_of_memory) {
    enum { COUNT = 20000 };
    static FiloEntity ids[COUNT];
    int shortages = 0;
    FiloWorld *world = new_world();
    FiloComponentValue with[] = { FILO_SET(Health, 1) };
    FiloBlockDesc block = { .count = COUNT, .values = with, .value_count = 1, .entities = ids };
    assert_true(filo_entity_create_block(world, &block));
    Log log = { 0 };
    observe_health(world, &log);
    size_t used = filo_world_stats(world).memory;
    filo_world_destroy(world);
    world = new_world_with(&(FiloWorldDesc){ .memory_budget = used + 1000 });
    assert_true(filo_entity_create_block(world, &block));
    observe_health(world, &log);
    FiloFaultHandler before =
        filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, &shortages });
    filo_entity_destroy(world, ids[COUNT - 1]);
    filo_world_refresh(world);
    filo_fault_set_handler(before);
    assert_true(shortages > 0);
    expect_log(&log, "");
    assert_int_equal(filo_world_stats(world).entities, COUNT - 1);
    filo_world_destroy(world);
}

FILO_TEST(without_memory_existing_components_are_not_reported) {
    FailingAllocator failing;
    FiloWorld *world = failing_world(&failing);
    size_t reported = 0;
    filo_create(world, FILO_SET(Health, 1));
    filo_observer_add(world, &(FiloObserverDesc){ .run = count_reported,
                                                  .type = FILO_TYPE(Health),
                                                  .kinds = FILO_OBSERVE_ADDED,
                                                  .existing = true,
                                                  .user = &reported });
    failing_allow(&failing, 0);
    filo_world_refresh(world);
    assert_int_equal(reported, 0);
    assert_true(failing_end(&failing));
    filo_create(world, FILO_SET(Health, 1));
    filo_world_refresh(world);
    assert_int_equal(reported, 1);
    filo_world_destroy(world);
}

FILO_TEST(without_memory_restoring_pending_notifications_fails_and_the_world_is_unchanged) {
    FiloWorld *source = new_world();
    Log log = { 0 }, there = { 0 };
    observe_health(source, &there);
    FiloEntity ids[60];
    for (int i = 0; i < 60; i++) ids[i] = filo_create(source, FILO_SET(Health, i));
    filo_world_refresh(source);
    for (int i = 0; i < 60; i++) filo_entity_destroy(source, ids[i]);
    FiloSnapshot *snapshot = take_snapshot(source);
    bool done = false;
    for (size_t allowed = 0; !done; allowed++) {
        FailingAllocator failing;
        FiloWorld *world = failing_world(&failing);
        observe_health(world, &log);
        filo_create(world, FILO_SET(Health, 1));
        failing_allow(&failing, allowed);
        FiloResult result = filo_snapshot_restore(snapshot, world);
        done = result.code == FILO_OK;
        failing_end(&failing);
        log_clear(&log);
        filo_world_refresh(world);
        if (!done) {
            assert_error(result, FILO_ERROR_MEMORY,
                         "no memory to restore a snapshot; the world is as it was");
            expect_log(&log, "added 0=1; ");
        }
        filo_world_destroy(world);
        assert_int_equal(failing.blocks, 0);
        assert_true(allowed < 200);
    }
    assert_contains(log.text, "removed 0=0 1=1 2=2");
    destroy_with_snapshot(source, snapshot);
}

static void churn(FiloIter *it) {
    for (size_t i = 0; i < it->count; i++) {
        FiloEntity entity = filo_iter_entity(it, i);
        if ((entity.id + it->tick) % 2 == 0)
            filo_remove(it->changes, entity, Health);
        else
            filo_set(it->changes, entity, Health, (int32_t)it->tick);
        if (entity.id % 7 == 0) {
            filo_changes_destroy_entity(it->changes, entity);
            filo_set(it->changes, filo_changes_create_entity(it->changes), Position, 1, 1);
        }
    }
}

static void mark(FiloIter *it, const FiloObserved *observed) {
    *(size_t *)it->user += observed->count;
    for (size_t i = 0; i < observed->count && observed->kind == FILO_OBSERVE_ADDED; i++)
        filo_add(it->changes, observed->entities[i], Frozen);
    for (size_t i = 0; i < observed->count && observed->kind == FILO_OBSERVE_REMOVED; i++)
        filo_remove(it->changes, observed->entities[i], Frozen);
}

FILO_TEST(a_steady_tick_with_observers_allocates_nothing) {
    if (!FILO_TEST_COUNTS_MALLOC) skip();
    FiloWorld *world = new_world();
    size_t reported = 0;
    filo_observer_add(world, &(FiloObserverDesc){ .run = mark,
                                                  .type = FILO_TYPE(Health),
                                                  .kinds = OF_COMPONENT,
                                                  .existing = true,
                                                  .user = &reported });
    filo_observer_add(world, &(FiloObserverDesc){ .run = count_reported,
                                                  .kinds = OF_QUERY,
                                                  .query.terms = { FILO_WITH(Frozen), FILO_WITHOUT(Chosen) },
                                                  .user = &reported });
    filo_system_add(
        world, &(FiloSystemDesc){ .name = "churn", .run = churn, .query.terms = { FILO_READ(Position) } });
    FiloComponentValue with[] = { FILO_SET(Position, 0, 0) };
    assert_true(
        filo_entity_create_block(world, &(FiloBlockDesc){ .count = 2000, .values = with, .value_count = 1 }));
    int steady = 0;
    for (int i = 0; i < 600 && steady < 100; i++) {
        uint64_t before = filo_test_malloc_calls();
        size_t before_reported = reported;
        assert_ok(filo_world_tick(world, 1));
        assert_true(reported > before_reported);
        steady = filo_test_malloc_calls() == before ? steady + 1 : 0;
    }
    assert_int_equal(steady, 100);
    filo_world_destroy(world);
}
