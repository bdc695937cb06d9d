// Registering, running out of memory, and determinism.

#include "transform/fixture.h"

#include <filo/hash.h>
#include <filo/random.h>

#include "support/malloc_count.h"
#include "support/registration.h"

// ---- Registering --------------------------------------------------------------------------------------------------

FILO_TEST(registering_again_changes_nothing) {
    Fixture fixture = fixture_open(0);
    expect_nothing_registered(fixture.world, filo_transform_register);
    fixture_close(&fixture);
}

FILO_TEST(computed_components_are_transient_and_transforms_are_not) {
    Fixture fixture = fixture_open(0);
    static const ExpectedComponent components[] = {
        { "FiloTransform2", false },        { "FiloTransform3", false },
        { "FiloPreviousTransform2", true }, { "FiloPreviousTransform3", true },
        { "FiloWorldTransform2", true },    { "FiloWorldTransform3", true }
    };
    expect_components(fixture.world, components, FILO_COUNT_OF(components));
    fixture_close(&fixture);
}

FILO_TEST(mistakes_in_registering_are_reported) {
    only_in_debug_builds();
    expect_fault("pass the world that is to have transforms", assert_false(filo_transform_register(NULL)));
    FiloWorld *world;
    assert_ok(filo_world_create(&world, NULL));
    filo_component(world, FiloTransform2, .storage = FILO_STORAGE_SPARSE);
    expect_fault(
        "component FiloTransform2 is registered already, with another storage, layout or hooks, or other "
        "required components; leave it to filo_transform_register(world)",
        assert_false(filo_transform_register(world)));
    filo_world_destroy(world);
}

FILO_TEST(the_systems_can_be_removed_one_by_one) {
    Fixture fixture = fixture_open(0);
    FiloEntity hull = create_at(&fixture, 1, 0), gun = create_child(&fixture, hull, 1, 0);
    tick(&fixture);
    filo_system_remove(fixture.world, filo_system_named(fixture.world, "begin world transforms"));
    filo_edit(fixture.world, hull, FiloTransform2)->position.x = 5;
    tick(&fixture);
    assert_world_transform(&fixture, gun, 6, 0, 2, 0); // computed by the other system alone
    filo_system_remove(fixture.world, filo_system_named(fixture.world, "propagate transforms"));
    tick(&fixture);
    assert_true(filo_transform_register(fixture.world));
    filo_edit(fixture.world, hull, FiloTransform2)->position.x = 7;
    tick(&fixture);
    assert_world_transform(&fixture, gun, 8, 0, 8, 0);
    fixture_close(&fixture);
}

FILO_TEST(families_that_changed_since_the_last_tick_are_reported) {
    Fixture fixture = fixture_open(0);
    assert_false(filo_transform_settled(fixture.world)); // there was no tick
    FiloEntity hull = create_at(&fixture, 1, 0), gun = create_at(&fixture, 1, 0);
    tick(&fixture);
    assert_true(filo_transform_settled(fixture.world));
    assert_true(filo_entity_set_parent(fixture.world, gun, hull));
    assert_false(filo_transform_settled(fixture.world));
    tick(&fixture);
    assert_true(filo_transform_settled(fixture.world));
    filo_edit(fixture.world, hull, FiloTransform2)->position.x = 5; // moving does not count
    assert_true(filo_transform_settled(fixture.world));
    fixture_close(&fixture);
}

// ---- Memory -------------------------------------------------------------------------------------------------------

FILO_TEST(registering_without_memory_fails_cleanly) {
    expect_registration_to_fail_cleanly(filo_transform_register);
}

FILO_TEST(a_world_that_runs_out_of_memory_goes_on) {
    FiloFaultHandler old = filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    Fixture fixture = { 0 };
    assert_ok(filo_world_create(&fixture.world, &(FiloWorldDesc){ .memory_budget = FILO_MIB(1) }));
    assert_true(filo_transform_register(fixture.world));
    // Creates the tables for later entities.
    FiloEntity first = create_child(&fixture, create_at(&fixture, 7, 0), 1, 0);
    tick(&fixture);
    FiloEntity root = create_at(&fixture, 0, 0);
    size_t count = 0;
    for (; count < 100000; count++) { // until memory runs out
        FiloEntity entity = create_at(&fixture, 1, 0);
        if (entity.id == 0 || !filo_entity_set_parent(fixture.world, entity, root)) break;
    }
    assert_true(count > 100 && count < 100000);
    for (int i = 0; i < 5; i++) tick(&fixture);
    filo_entity_destroy(fixture.world, root);
    for (int i = 0; i < 2; i++) tick(&fixture);
    // With memory again, world transforms are correct.
    FiloEntity hull = create_at(&fixture, 5, 0), gun = create_child(&fixture, hull, 1, 0);
    for (int i = 0; i < 2; i++) tick(&fixture);
    assert_world_transform(&fixture, gun, 6, 0, 6, 0);
    assert_world_transform(&fixture, first, 8, 0, 8, 0);
    filo_world_destroy(fixture.world);
    filo_fault_set_handler(old);
}

FILO_TEST(world_transforms_are_correct_after_ticks_without_memory) {
    if (!FILO_TEST_COUNTS_MALLOC) skip();
    FiloFaultHandler old = filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    for (uint64_t spared = 0; spared < 60; spared++) {
        Fixture fixture = fixture_open(0);
        tick(&fixture);
        FiloEntity root = create_at(&fixture, 1, 0), end = root;
        for (int i = 0; i < 300; i++) end = create_child(&fixture, end, 1, 0);
        filo_test_malloc_fail_after(spared, 1000000);
        FiloCode code = filo_world_tick(fixture.world, 0.1f).code;
        filo_test_malloc_fail_after(0, 0);
        assert_true(code == FILO_OK || code == FILO_ERROR_MEMORY);
        for (int i = 0; i < 2; i++) tick(&fixture);
        assert_world_transform(&fixture, end, 301, 0, 301, 0);
        FiloEntity more = create_child(&fixture, end, 1, 0); // the same with an existing order
        filo_test_malloc_fail_after(spared / 4, 1000000);
        code = filo_world_tick(fixture.world, 0.1f).code;
        filo_test_malloc_fail_after(0, 0);
        for (int i = 0; i < 2; i++) tick(&fixture);
        assert_world_transform(&fixture, more, 302, 0, 302, 0);
        assert_world_transform(&fixture, end, 301, 0, 301, 0);
        fixture_close(&fixture);
    }
    filo_fault_set_handler(old);
}

// ---- Determinism ----------------------------------------------------------------------------------------------------

typedef struct Drift {
    FiloVec2 velocity;
    float spin;
} Drift;
FILO_REFLECT(Drift, FILO_FIELD(FiloVec2, velocity), FILO_FIELD(float, spin))

// Makes the world transforms that systems read part of the state.
typedef struct Sum {
    FiloVec2 positions;
} Sum;
FILO_REFLECT(Sum, FILO_FIELD(FiloVec2, positions))

static void drift(FiloIter *it) {
    FiloColumn transforms = filo_iter_column(it, 0), drifts = filo_iter_column(it, 1);
    for (size_t i = 0; i < it->count; i++) {
        FiloTransform2 *t = FILO_AT(transforms, i, FiloTransform2);
        const Drift *d = FILO_AT(drifts, i, const Drift);
        t->position = filo_vec2_add_scaled(t->position, d->velocity, it->delta);
        t->rotation += d->spin * it->delta;
    }
}

static void add_positions(FiloIter *it) {
    FiloColumn worlds = filo_iter_column(it, 0), sums = filo_iter_column(it, 1);
    for (size_t i = 0; i < it->count; i++) {
        const FiloWorldTransform2 *world = FILO_AT(worlds, i, const FiloWorldTransform2);
        Sum *sum = FILO_AT(sums, i, Sum);
        if (world->valid) sum->positions = filo_vec2_add(sum->positions, world->now.origin);
    }
}

static void change_families(FiloIter *it) {
    for (size_t i = 0; i < it->count; i++) {
        FiloRandom random = filo_iter_random(it, i);
        FiloEntity self = filo_iter_entity(it, i);
        if (filo_random_chance(&random, 0.01f)) filo_changes_set_parent(it->changes, self, FILO_ENTITY_NONE);
        if (filo_random_chance(&random, 0.01f)) filo_teleport(it->changes, self, filo_vec2(1, 2));
        if (filo_random_chance(&random, 0.01f)) {
            FiloEntity child = filo_changes_create_entity(it->changes);
            filo_set(it->changes, child, FiloTransform2, .position = { 1, 0 });
            filo_set(it->changes, child, Sum, { 0, 0 });
            filo_changes_set_parent(it->changes, child, self);
        }
        if (filo_random_chance(&random, 0.005f)) filo_changes_destroy_entity(it->changes, self);
    }
}

static void open_random_world(Fixture *fixture, int threads, int count) {
    *fixture = fixture_open(threads);
    FiloWorld *world = fixture->world;
    filo_component(world, Drift);
    filo_component(world, Sum);
    const FiloSystemDesc systems[] = {
        { .name = "drift",
          .run = drift,
          .parallel = true,
          .query.terms = { FILO_WRITE(FiloTransform2), FILO_READ(Drift) } },
        { .name = "add positions",
          .run = add_positions,
          .parallel = true,
          .query.terms = { FILO_READ(FiloWorldTransform2), FILO_WRITE(Sum) } },
        { .name = "change families",
          .run = change_families,
          .parallel = true,
          .query.terms = { FILO_READ(FiloTransform2), FILO_READ(Drift) } },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(systems); i++)
        assert_int_not_equal(filo_system_add(world, &systems[i]).id, 0);
    FiloRandom random = filo_random_sequence(3);
    FiloEntity last = FILO_ENTITY_NONE;
    for (int i = 0; i < count; i++) {
        float x = filo_random_float_range(&random, -100, 100),
              y = filo_random_float_range(&random, -100, 100);
        FiloEntity entity = create_at(fixture, x, y);
        filo_add(world, entity, Sum);
        if (i % 4 != 0) assert_true(filo_entity_set_parent(world, entity, last));
        if (i % 3 != 0) filo_set(world, entity, Drift, .velocity = { y, -x }, .spin = x * 0.01f);
        last = entity;
    }
}

// World transforms are not in the hash of the world.
static uint64_t hash_of_world_transforms(const Fixture *fixture) {
    uint64_t hash = 0;
    for (uint32_t i = 0; i < filo_entity_index_end(fixture->world); i++) {
        FiloEntity entity = filo_entity_at(fixture->world, i);
        const FiloWorldTransform2 *world = filo_get(fixture->world, entity, FiloWorldTransform2);
        if (world != NULL) hash = filo_reflect_hash(FILO_TYPE(FiloWorldTransform2), world, hash);
    }
    return hash;
}

FILO_TEST(a_hundred_ticks_have_the_same_result_on_any_number_of_threads) {
    enum { TICKS = 100 };
    static const int threads[] = { 1, 2, 4, 8, 16 };
    static uint64_t hashes[TICKS], drawn[TICKS];
    for (size_t t = 0; t < FILO_COUNT_OF(threads); t++) {
        Fixture fixture;
        open_random_world(&fixture, threads[t], 6000);
        for (int i = 0; i < TICKS; i++) {
            tick(&fixture);
            uint64_t hash = filo_world_hash(fixture.world), world = hash_of_world_transforms(&fixture);
            if (t == 0) hashes[i] = hash, drawn[i] = world;
            if (hashes[i] != hash || drawn[i] != world)
                fail_msg("tick %d on %d threads has another result", i, threads[t]);
        }
        fixture_close(&fixture);
    }
}

FILO_TEST(a_restored_world_continues_with_the_same_results) {
    Fixture fixture;
    open_random_world(&fixture, 2, 500);
    for (int i = 0; i < 20; i++) tick(&fixture);
    filo_edit(fixture.world, filo_entity_at(fixture.world, 3), FiloTransform2)->position.x = 77;
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(snapshot, fixture.world));
    for (int i = 0; i < 20; i++) tick(&fixture);
    uint64_t hash = filo_world_hash(fixture.world), drawn = hash_of_world_transforms(&fixture);
    assert_ok(filo_snapshot_restore(snapshot, fixture.world));
    for (int i = 0; i < 20; i++) tick(&fixture);
    assert_int_equal(filo_world_hash(fixture.world), hash);
    assert_int_equal(hash_of_world_transforms(&fixture), drawn);
    // The same in another world.
    Fixture other;
    open_random_world(&other, 1, 0);
    assert_ok(filo_snapshot_restore(snapshot, other.world));
    for (int i = 0; i < 20; i++) tick(&other);
    assert_int_equal(filo_world_hash(other.world), hash);
    fixture_close(&other);
    filo_snapshot_destroy(snapshot);
    fixture_close(&fixture);
}

FILO_TEST(a_steady_tick_allocates_nothing) {
    if (!FILO_TEST_COUNTS_MALLOC) skip();
    Fixture fixture;
    open_random_world(&fixture, 2, 3000);
    filo_system_set_enabled(fixture.world, filo_system_named(fixture.world, "change families"), false);
    // The number of ranges that run in parallel depends on timing, and each allocates when it is first reached.
    bool steady = false;
    for (int round = 0; round < 20 && !steady; round++) {
        uint64_t calls = filo_test_malloc_calls(), system_calls = filo_memory_system_calls();
        for (int i = 0; i < 60; i++) tick(&fixture);
        steady = filo_test_malloc_calls() == calls && filo_memory_system_calls() == system_calls;
    }
    assert_true(steady);
    fixture_close(&fixture);
}

// ---- Files ------------------------------------------------------------------------------------------------

FILO_TEST(transforms_are_loaded_from_files_with_their_old_name) {
    FiloWorld *past, *world;
    FiloType old = *FILO_TYPE(FiloTransform2);
    old.name = "FiloTransform";
    assert_ok(filo_world_create(&past, NULL));
    FiloComponent transform = filo_component_register(past, &(FiloComponentDesc){ .type = &old });
    FiloEntity ship = filo_entity_create(past);
    assert_true(filo_entity_set(past, ship, transform, &(FiloTransform2){ .position = { 3, 4 } }));
    FiloBytes bytes = { 0 };
    assert_ok(filo_world_save_bytes(past, &bytes, NULL));
    filo_world_destroy(past);
    assert_ok(filo_world_create(&world, NULL));
    assert_true(filo_transform_register(world));
    assert_ok(filo_world_load_bytes(world, bytes.items, bytes.count, "old.save", NULL));
    filo_array_deinit(&bytes);
    assert_true(filo_get(world, ship, FiloTransform2)->position.x == 3);
    filo_world_destroy(world);
}
