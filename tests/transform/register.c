// Registering, running out of memory, and coming to the same on any number of threads.

#include "transform/places.h"

#include <filo/hash.h>
#include <filo/random.h>

#include "support/malloc_count.h"

// ---- Registering --------------------------------------------------------------------------------------------------

FILO_TEST(registering_again_changes_nothing) {
    Places places = places_open(0);
    FiloWorldStats before = filo_world_stats(places.world);
    assert_true(filo_transform_register(places.world));
    FiloWorldStats after = filo_world_stats(places.world);
    assert_int_equal(after.components, before.components);
    assert_int_equal(after.systems, before.systems);
    assert_int_equal(after.queries, before.queries);
    tick(&places);
    places_close(&places);
}

FILO_TEST(what_is_computed_is_transient_and_the_rest_is_not) {
    Places places = places_open(0);
    static const struct {
        const char *name;
        bool transient;
    } components[] = { { "FiloTransform2", false },        { "FiloTransform3", false },
                       { "FiloPreviousTransform2", true }, { "FiloPreviousTransform3", true },
                       { "FiloWorldTransform2", true },    { "FiloWorldTransform3", true } };
    for (size_t i = 0; i < FILO_COUNT_OF(components); i++) {
        const FiloComponentInfo *info =
            filo_component_info(places.world, filo_component_named(places.world, components[i].name));
        assert_non_null(info);
        assert_int_equal(info->transient, components[i].transient);
        assert_int_equal(info->storage, FILO_STORAGE_TABLE);
    }
    places_close(&places);
}

FILO_TEST(mistakes_in_registering_are_reported) {
    only_in_debug_builds();
    expect_fault("pass the world that is to have transforms", assert_false(filo_transform_register(NULL)));
    FiloWorld *world;
    assert_ok(filo_world_create(&world, NULL));
    filo_component(world, FiloTransform2, .storage = FILO_STORAGE_SPARSE);
    expect_fault("FiloTransform2", assert_false(filo_transform_register(world)));
    filo_world_destroy(world);
}

FILO_TEST(removing_the_systems_one_by_one_leaves_nothing_behind) {
    Places places = places_open(0);
    FiloEntity hull = at(&places, 1, 0), gun = below(&places, hull, 1, 0);
    tick(&places);
    filo_system_remove(places.world, filo_system_named(places.world, "begin world transforms"));
    filo_edit(places.world, hull, FiloTransform2)->position.x = 5;
    tick(&places);
    assert_placed(&places, gun, 6, 0, 2, 0); // the other one alone does the rest
    filo_system_remove(places.world, filo_system_named(places.world, "propagate transforms"));
    tick(&places);
    assert_true(filo_transform_register(places.world));
    filo_edit(places.world, hull, FiloTransform2)->position.x = 7;
    tick(&places);
    assert_placed(&places, gun, 8, 0, 8, 0);
    places_close(&places);
}

FILO_TEST(families_that_changed_since_the_last_tick_are_told) {
    Places places = places_open(0);
    assert_false(filo_transform_settled(places.world)); // there was no tick
    FiloEntity hull = at(&places, 1, 0), gun = at(&places, 1, 0);
    tick(&places);
    assert_true(filo_transform_settled(places.world));
    assert_true(filo_entity_set_parent(places.world, gun, hull));
    assert_false(filo_transform_settled(places.world));
    tick(&places);
    assert_true(filo_transform_settled(places.world));
    filo_edit(places.world, hull, FiloTransform2)->position.x = 5; // moving does not count
    assert_true(filo_transform_settled(places.world));
    places_close(&places);
}

// ---- Memory -------------------------------------------------------------------------------------------------------

static FiloFaultAnswer go_on(const FiloFault *fault, void *user) {
    FILO_UNUSED(user);
    return fault->kind == FILO_FAULT_OUT_OF_MEMORY ? FILO_FAULT_CONTINUE : FILO_FAULT_DEFAULT;
}

static bool register_within(size_t budget, bool *created) {
    FiloWorld *world;
    *created = filo_world_create(&world, &(FiloWorldDesc){ .memory_budget = budget }).code == FILO_OK;
    if (!*created) return false;
    bool good = filo_transform_register(world);
    // A world that could not have all of it can still be used, as far as memory goes.
    FiloCode ticked = filo_world_tick(world, 0.1f).code;
    assert_true(ticked == FILO_OK || ticked == FILO_ERROR_MEMORY);
    filo_world_destroy(world);
    return good;
}

FILO_TEST(registering_without_memory_fails_cleanly) {
    FiloFaultHandler old = filo_fault_set_handler((FiloFaultHandler){ go_on, NULL });
    size_t failures = 0;
    bool good = false, created;
    for (size_t budget = 4096; !good && budget < FILO_MIB(64); budget += budget / 16) {
        good = register_within(budget, &created);
        failures += created && !good;
    }
    filo_fault_set_handler(old);
    assert_true(good);
    assert_true(failures > 0);
}

FILO_TEST(a_world_that_runs_out_of_memory_goes_on) {
    FiloFaultHandler old = filo_fault_set_handler((FiloFaultHandler){ go_on, NULL });
    Places places = { 0 };
    assert_ok(filo_world_create(&places.world, &(FiloWorldDesc){ .memory_budget = FILO_MIB(1) }));
    assert_true(filo_transform_register(places.world));
    FiloEntity first =
        below(&places, at(&places, 7, 0), 1, 0); // so that there are tables for what comes later
    tick(&places);
    FiloEntity root = at(&places, 0, 0);
    size_t count = 0;
    for (; count < 100000; count++) { // until there is no more
        FiloEntity entity = at(&places, 1, 0);
        if (entity.id == 0 || !filo_entity_set_parent(places.world, entity, root)) break;
    }
    assert_true(count > 100 && count < 100000);
    for (int i = 0; i < 5; i++) tick(&places);
    filo_entity_destroy(places.world, root);
    for (int i = 0; i < 2; i++) tick(&places);
    // With memory again, all is as it should be.
    FiloEntity hull = at(&places, 5, 0), gun = below(&places, hull, 1, 0);
    for (int i = 0; i < 2; i++) tick(&places);
    assert_placed(&places, gun, 6, 0, 6, 0);
    assert_placed(&places, first, 8, 0, 8, 0);
    filo_world_destroy(places.world);
    filo_fault_set_handler(old);
}

// Whatever could not be had in one tick is made up for in the next.
FILO_TEST(ticks_without_memory_are_made_up_for) {
    if (!FILO_TEST_COUNTS_MALLOC) skip();
    FiloFaultHandler old = filo_fault_set_handler((FiloFaultHandler){ go_on, NULL });
    for (uint64_t spared = 0; spared < 60; spared++) {
        Places places = places_open(0);
        tick(&places);
        FiloEntity root = at(&places, 1, 0), end = root;
        for (int i = 0; i < 300; i++) end = below(&places, end, 1, 0);
        filo_test_malloc_fail_after(spared, 1000000);
        FiloCode code = filo_world_tick(places.world, 0.1f).code;
        filo_test_malloc_fail_after(0, 0);
        assert_true(code == FILO_OK || code == FILO_ERROR_MEMORY);
        for (int i = 0; i < 2; i++) tick(&places);
        assert_placed(&places, end, 301, 0, 301, 0);
        FiloEntity more = below(&places, end, 1, 0); // and the same when there is an order already
        filo_test_malloc_fail_after(spared / 4, 1000000);
        code = filo_world_tick(places.world, 0.1f).code;
        filo_test_malloc_fail_after(0, 0);
        for (int i = 0; i < 2; i++) tick(&places);
        assert_placed(&places, more, 302, 0, 302, 0);
        assert_placed(&places, end, 301, 0, 301, 0);
        places_close(&places);
    }
    filo_fault_set_handler(old);
}

// ---- The same everywhere --------------------------------------------------------------------------------------------

typedef struct Drift {
    FiloVec2 velocity;
    float spin;
} Drift;
FILO_REFLECT(Drift, FILO_FIELD(FiloVec2, velocity), FILO_FIELD(float, spin))

// What systems do with world transforms is part of the state.
typedef struct Sum {
    FiloVec2 places;
} Sum;
FILO_REFLECT(Sum, FILO_FIELD(FiloVec2, places))

static void drift(FiloIter *it) {
    FiloColumn transforms = filo_iter_column(it, 0), drifts = filo_iter_column(it, 1);
    for (size_t i = 0; i < it->count; i++) {
        FiloTransform2 *t = FILO_AT(transforms, i, FiloTransform2);
        const Drift *d = FILO_AT(drifts, i, const Drift);
        t->position = filo_vec2_add_scaled(t->position, d->velocity, it->delta);
        t->rotation += d->spin * it->delta;
    }
}

static void add_up(FiloIter *it) {
    FiloColumn worlds = filo_iter_column(it, 0), sums = filo_iter_column(it, 1);
    for (size_t i = 0; i < it->count; i++) {
        const FiloWorldTransform2 *world = FILO_AT(worlds, i, const FiloWorldTransform2);
        Sum *sum = FILO_AT(sums, i, Sum);
        if (world->valid) sum->places = filo_vec2_add(sum->places, world->now.origin);
    }
}

static void meddle(FiloIter *it) {
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

static void open_everything(Places *places, int threads, int count) {
    *places = places_open(threads);
    FiloWorld *world = places->world;
    filo_component(world, Drift);
    filo_component(world, Sum);
    const FiloSystemDesc systems[] = {
        { .name = "drift",
          .run = drift,
          .parallel = true,
          .query.terms = { FILO_WRITE(FiloTransform2), FILO_READ(Drift) } },
        { .name = "add up",
          .run = add_up,
          .parallel = true,
          .query.terms = { FILO_READ(FiloWorldTransform2), FILO_WRITE(Sum) } },
        { .name = "meddle",
          .run = meddle,
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
        FiloEntity entity = at(places, x, y);
        filo_add(world, entity, Sum);
        if (i % 4 != 0) assert_true(filo_entity_set_parent(world, entity, last));
        if (i % 3 != 0) filo_set(world, entity, Drift, .velocity = { y, -x }, .spin = x * 0.01f);
        last = entity;
    }
}

// Of what is drawn, which is not in the hash of the world.
static uint64_t hash_of_world_transforms(const Places *places) {
    uint64_t hash = 0;
    for (uint32_t i = 0; i < filo_entity_index_end(places->world); i++) {
        FiloEntity entity = filo_entity_at(places->world, i);
        const FiloWorldTransform2 *world = filo_get(places->world, entity, FiloWorldTransform2);
        if (world != NULL) hash = filo_reflect_hash(FILO_TYPE(FiloWorldTransform2), world, hash);
    }
    return hash;
}

FILO_TEST(a_hundred_ticks_come_to_the_same_on_any_number_of_threads) {
    enum { TICKS = 100 };
    static const int threads[] = { 1, 2, 4, 8, 16 };
    static uint64_t hashes[TICKS], drawn[TICKS];
    for (size_t t = 0; t < FILO_COUNT_OF(threads); t++) {
        Places places;
        open_everything(&places, threads[t], 6000);
        for (int i = 0; i < TICKS; i++) {
            tick(&places);
            uint64_t hash = filo_world_hash(places.world), world = hash_of_world_transforms(&places);
            if (t == 0) hashes[i] = hash, drawn[i] = world;
            if (hashes[i] != hash || drawn[i] != world)
                fail_msg("tick %d on %d threads comes to something else", i, threads[t]);
        }
        places_close(&places);
    }
}

FILO_TEST(a_world_that_is_restored_goes_on_as_before) {
    Places places;
    open_everything(&places, 2, 500);
    for (int i = 0; i < 20; i++) tick(&places);
    filo_edit(places.world, filo_entity_at(places.world, 3), FiloTransform2)->position.x =
        77; // between ticks
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(snapshot, places.world));
    for (int i = 0; i < 20; i++) tick(&places);
    uint64_t hash = filo_world_hash(places.world), drawn = hash_of_world_transforms(&places);
    assert_ok(filo_snapshot_restore(snapshot, places.world));
    for (int i = 0; i < 20; i++) tick(&places);
    assert_int_equal(filo_world_hash(places.world), hash);
    assert_int_equal(hash_of_world_transforms(&places), drawn);
    // And in another world, which was never there.
    Places other;
    open_everything(&other, 1, 0);
    assert_ok(filo_snapshot_restore(snapshot, other.world));
    for (int i = 0; i < 20; i++) tick(&other);
    assert_int_equal(filo_world_hash(other.world), hash);
    places_close(&other);
    filo_snapshot_destroy(snapshot);
    places_close(&places);
}

FILO_TEST(a_steady_tick_allocates_nothing) {
    if (!FILO_TEST_COUNTS_MALLOC) skip();
    Places places;
    open_everything(&places, 2, 3000);
    filo_system_set_enabled(places.world, filo_system_named(places.world, "meddle"), false);
    // How many parts have run at once is a matter of chance, and each needs some memory of its own the first time.
    bool steady = false;
    for (int round = 0; round < 20 && !steady; round++) {
        uint64_t calls = filo_test_malloc_calls(), asked = filo_memory_system_calls();
        for (int i = 0; i < 60; i++) tick(&places);
        steady = filo_test_malloc_calls() == calls && filo_memory_system_calls() == asked;
    }
    assert_true(steady);
    places_close(&places);
}

// ---- Files ------------------------------------------------------------------------------------------------

FILO_TEST(transforms_of_files_from_before_their_names_had_a_2_are_found) {
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
