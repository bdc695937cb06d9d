// Worlds that run out of memory, at each of their allocations.

#include "ecs/model_failing.h"
#include "ecs/worlds.h"

static void run_seeds(uint64_t first, uint64_t count, size_t size, bool stays) {
    uint8_t *bytes = malloc(size);
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    for (uint64_t seed = first; seed < first + count; seed++) {
        draw_bytes(seed, bytes, size);
        model_run_failing(bytes, size, stays);
    }
    filo_fault_set_handler(before);
    free(bytes);
}

FILO_TEST(a_single_failed_allocation_leaves_the_world_unchanged) { run_seeds(1, 60, 1000, false); }

FILO_TEST(repeated_failed_allocations_leave_the_world_unchanged) { run_seeds(501, 60, 1000, true); }

// ---- Change sets --------------------------------------------------------------------------------------

// Applies a set of many changes with `served` allocations. Returns whether one failed.
static bool apply_without_memory(const uint8_t *bytes, size_t size, size_t served, bool stays) {
    FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
    Model *model = model_begin(bytes, size, &(FiloWorldDesc){ .allocator = &failing.allocator });
    for (int i = 0; i < 8; i++) assert_true(do_query(model));
    for (int i = 0; i < 40; i++) assert_true(do_create(model) && do_parent(model));
    for (int i = 0; i < 10; i++) assert_true(do_prefab(model) && do_name(model));
    model_doing = "record";
    while (model->at < model->size) assert_true(do_record(model));
    model->failing = true;
    model_doing = "apply";
    failing_allow(&failing, served);
    failing.scarce = stays;
    for (int i = 0; i < MODEL_SETS; i++) {
        if (model->sets[i].changes != NULL) (void)filo_changes_apply(model->sets[i].changes);
        model->sets[i].count = 0; // records that could not be applied are dropped
    }
    bool failed = failing_end(&failing);
    model_adopt(model);
    model_compare(model);
    (void)do_refresh(model);
    model_compare(model);
    model_end(model);
    assert_int_equal(failing.blocks, 0);
    return failed;
}

FILO_TEST(a_change_set_without_memory_leaves_a_consistent_world) {
    uint8_t bytes[1500];
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    for (uint64_t seed = 1; seed <= 6; seed++) {
        draw_bytes(seed, bytes, sizeof bytes);
        for (size_t served = 0; apply_without_memory(bytes, sizeof bytes, served, seed % 2 == 0); served++) {}
    }
    filo_fault_set_handler(before);
}

// With one more allocation each time, until it succeeds.
FILO_TEST(a_change_set_without_memory_for_a_name_fails) {
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    bool ok = false;
    int failed = 0;
    for (size_t served = 0; !ok; served++) {
        FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
        FiloWorld *world = create_world_in(&failing.allocator);
        FiloEntity entity = filo_entity_create(world);
        FiloChanges *changes = filo_changes_create(world);
        assert_true(filo_changes_set_name(changes, entity, "bob"));
        failing_allow(&failing, served);
        ok = filo_changes_apply(changes);
        failing_end(&failing);
        assert_int_equal(filo_entity_name(world, entity) != NULL, ok);
        failed += !ok;
        // A name that another entity has is dropped, which is not a lack of memory.
        assert_true(ok || filo_entity_set_name(world, entity, "bob"));
        assert_true(filo_changes_set_name(changes, filo_entity_create(world), "bob"));
        assert_true(filo_changes_apply(changes));
        destroy_with_changes(world, changes);
        assert_int_equal(failing.blocks, 0);
    }
    assert_true(failed >= 3); // the refresh, the map of names, the component
    filo_fault_set_handler(before);
}

// ---- Ids ----------------------------------------------------------------------------------------------

#define MADE 7

// Some indices are free, unsorted and fewer than are needed below. No entity has Defaulted yet, and the prefab has so
// many children with Byte that their list must grow for a copy: so allocations can fail after ids were taken.
static FiloEntity prepare_ids(FiloWorld *world) {
    filo_component(world, Whole);
    filo_component(world, Byte, .storage = FILO_STORAGE_SPARSE);
    filo_component(world, Defaulted, .storage = FILO_STORAGE_SPARSE);
    FiloEntity some[6], prefab = filo_create(world, FILO_SET(Whole, 5), FILO_ADD(Byte));
    for (int i = 0; i < 40; i++)
        assert_true(filo_entity_set_parent(world, filo_create(world, FILO_ADD(Byte)), prefab));
    assert_true(filo_prefab_make(world, prefab));
    for (int i = 0; i < 6; i++) some[i] = filo_entity_create(world);
    filo_entity_destroy(world, some[4]);
    filo_entity_destroy(world, some[0]);
    filo_entity_destroy(world, some[3]);
    return prefab;
}

typedef bool (*CreateMethod)(FiloWorld *world, FiloEntity prefab, FiloEntity *made);

static bool make_entity(FiloWorld *world, FiloEntity prefab, FiloEntity *made) {
    FILO_UNUSED(prefab);
    *made = filo_create(world, FILO_SET(Whole, 1), FILO_ADD(Defaulted));
    return made->id != 0;
}
static bool make_block(FiloWorld *world, FiloEntity prefab, FiloEntity *made) {
    FILO_UNUSED(prefab);
    FiloComponentValue with[] = { FILO_SET(Whole, 5), FILO_ADD(Defaulted) };
    FiloBlockDesc desc = { .count = MADE, .values = with, .value_count = 2, .entities = made };
    return filo_entity_create_block(world, &desc);
}
static bool make_copy(FiloWorld *world, FiloEntity prefab, FiloEntity *made) {
    *made = filo_entity_copy(world, prefab);
    return made->id != 0;
}
static bool make_instances(FiloWorld *world, FiloEntity prefab, FiloEntity *made) {
    FiloComponentValue with[] = { FILO_SET(Whole, 6) };
    FiloInstanceDesc desc = {
        .count = MADE, .parent = prefab, .values = with, .value_count = 1, .entities = made
    };
    return filo_prefab_instantiate(world, prefab, &desc);
}

// A world in which each allocation failed once returns the same ids as one in which none failed.
static void fail_and_compare_ids(CreateMethod method) {
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
    FiloWorld *world = create_world_in(&failing.allocator), *other;
    assert_ok(filo_world_create(&other, NULL));
    FiloEntity prefab = prepare_ids(world), made[MADE] = { { 0 } }, expected[MADE] = { { 0 } };
    assert_true(method(other, prepare_ids(other), expected));
    uint32_t end = filo_entity_index_end(world);
    for (size_t served = 0;; served++) {
        assert_true(served < 200);
        failing_allow(&failing, served);
        failing.scarce = false;
        bool ok = method(world, prefab, made);
        failing_end(&failing);
        if (ok) break;
        assert_int_equal(filo_entity_index_end(world), end);
        for (int i = 0; i < MADE; i++) assert_int_equal(made[i].id, 0);
    }
    assert_memory_equal(made, expected, sizeof made);
    for (int i = 0; i < 10; i++) assert_int_equal(filo_entity_create(world).id, filo_entity_create(other).id);
    filo_world_destroy(world);
    filo_world_destroy(other);
    assert_int_equal(failing.blocks, 0);
    filo_fault_set_handler(before);
}

FILO_TEST(an_entity_that_could_not_be_created_uses_no_id) { fail_and_compare_ids(make_entity); }
FILO_TEST(a_block_that_could_not_be_created_uses_no_ids) { fail_and_compare_ids(make_block); }
FILO_TEST(a_copy_that_could_not_be_created_uses_no_ids) { fail_and_compare_ids(make_copy); }
FILO_TEST(instances_that_could_not_be_created_use_no_ids) { fail_and_compare_ids(make_instances); }

// ---- Budgets ------------------------------------------------------------------------------------------

FILO_TEST(more_entities_than_the_budget_holds_are_refused_as_a_whole) {
    int reports = 0;
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, &reports });
    FiloWorld *world;
    assert_true(filo_world_create(&world, &(FiloWorldDesc){ .memory_budget = FILO_MIB(8) }).code == FILO_OK);
    filo_component(world, Whole);
    filo_component(world, Byte, .storage = FILO_STORAGE_SPARSE);
    FiloComponentValue with[] = { FILO_SET(Whole, 5), FILO_ADD(Byte) };
    FiloEntity first = filo_entity_create_with(world, with, 2);
    static const size_t counts[] = { 16 << 20,        17000000,     1000000, (size_t)1 << 30,
                                     (size_t)1 << 31, SIZE_MAX / 8, SIZE_MAX };
    for (size_t i = 0; i < FILO_COUNT_OF(counts); i++)
        for (size_t value_count = 0; value_count <= 2; value_count++) {
            reports = 0;
            assert_false(filo_entity_create_block(
                world, &(FiloBlockDesc){ .count = counts[i], .values = with, .value_count = value_count }));
            assert_true(reports > 0);
            assert_false(filo_prefab_instantiate(world, first, &(FiloInstanceDesc){ .count = counts[i] }));
            FiloWorldStats stats = filo_world_stats(world);
            assert_int_equal(stats.entities, 1);
            assert_true(stats.memory <= FILO_MIB(8));
        }
    assert_int_equal(filo_get(world, first, Whole)->number, 5);
    assert_false(filo_entity_create_as(world, (FiloEntity){ UINT64_C(1) << 32 | 900000000 }));
    // The world is still usable.
    FiloEntity second = filo_entity_create_with(world, with, 2);
    assert_true(filo_entity_exists(world, second));
    filo_world_destroy(world);
    filo_fault_set_handler(before);
}

FILO_TEST(a_full_world_holds_as_many_entities_after_all_were_destroyed) {
    int reports = 0;
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, &reports });
    FiloWorld *world;
    assert_true(filo_world_create(&world, &(FiloWorldDesc){ .memory_budget = FILO_MIB(4) }).code == FILO_OK);
    filo_component(world, Whole);
    filo_component(world, Defaulted);
    FiloQuery *query = filo_query(world, FILO_READ(Whole));
    size_t counts[3] = { 0 };
    for (int round = 0; round < 3; round++) {
        reports = 0;
        while (filo_create(world, FILO_SET(Whole, 1), FILO_ADD(Defaulted)).id != 0) counts[round]++;
        assert_true(reports > 0);
        assert_int_equal(filo_query_count(query), counts[round]);
        assert_true(filo_world_stats(world).memory <= FILO_MIB(4));
        if (round == 1)
            assert_ok(filo_world_reset(world, 0));
        else
            filo_query_destroy_all(query);
        assert_int_equal(filo_world_stats(world).entities, 0);
    }
    assert_true(counts[0] > 50000);
    assert_int_equal(counts[1], counts[0]);
    assert_int_equal(counts[2], counts[0]);
    destroy_with_query(world, query);
    filo_fault_set_handler(before);
}

// A query with gathered rows, over a hundred entities, in a world without further memory.
typedef struct Starved {
    FailingAllocator failing;
    FiloWorld *world;
    FiloQuery *query;
    FiloEntity last;
} Starved;

static void starve(Starved *starved) {
    failing_init(&starved->failing, SIZE_MAX);
    assert_ok(
        filo_world_create(&starved->world, &(FiloWorldDesc){ .allocator = &starved->failing.allocator }));
    filo_component(starved->world, Whole);
    filo_component(starved->world, Defaulted, .storage = FILO_STORAGE_SPARSE);
    for (int i = 0; i < 100; i++)
        starved->last = filo_create(starved->world, FILO_SET(Whole, 1), FILO_ADD(Defaulted));
    starved->query = filo_query(starved->world, FILO_READ(Whole), FILO_OPTIONAL_READ(Defaulted));
    failing_allow(&starved->failing, 0);
}

static void end_starving(Starved *starved) {
    failing_end(&starved->failing);
    filo_query_release(starved->query);
    filo_world_destroy(starved->world);
}

FILO_TEST(iteration_needs_no_memory) {
    Starved starved;
    starve(&starved);
    size_t count = 0;
    FiloIter it = filo_query_iter(starved.query);
    while (filo_iter_next(&it)) count += it.count;
    assert_int_equal(count, 100);
    end_starving(&starved);
}

FILO_TEST(batch_changes_of_a_query_without_memory_succeed_or_are_refused) {
    Starved starved;
    starve(&starved);
    FiloComponent defaulted = filo_component_of(starved.world, FILO_TYPE(Defaulted));
    assert_false(filo_query_remove_all(starved.query, defaulted));
    assert_true(filo_has(starved.world, starved.last, Defaulted));
    // Without memory, destroying works on a few entities at a time.
    assert_true(filo_query_destroy_all(starved.query));
    assert_int_equal(filo_world_stats(starved.world).entities, 0);
    end_starving(&starved);
}

FILO_TEST(creating_a_world_without_memory_returns_an_error) {
    int reports = 0;
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, &reports });
    FiloWorld *world = (FiloWorld *)&reports;
    assert_error(filo_world_create(&world, &(FiloWorldDesc){ .name = "tiny", .memory_budget = 100 }),
                 FILO_ERROR_MEMORY, "no memory for a world");
    assert_null(world);
    filo_fault_set_handler(before);
}
