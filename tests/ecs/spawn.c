// Creating an entity with its components in one call, in a world and in a change set; and editing.

#include "ecs/world_types.h"
#include "support/failing_allocator.h"

#include <filo/check.h>

// ---- In a change set ------------------------------------------------------------------------------------

FILO_TEST(one_call_records_an_entity_with_its_components) {
    FiloWorld *world = new_world();
    FiloChanges *changes = filo_changes_create(world);
    FiloEntity first = filo_create(changes, FILO_SET(Position, 1, 2), FILO_ADD(Frozen), FILO_ADD(Chosen),
                                   FILO_SET(Health, 7));
    assert_true(filo_entity_temporary(first));
    FiloEntity second = filo_create(changes, FILO_SET(Target, first));
    assert_true(filo_has(changes, first, Frozen));
    assert_false(filo_has(changes, first, Velocity));
    assert_int_equal(filo_get(changes, first, Health)->points, 7);
    assert_int_equal(filo_world_stats(world).entities, 0);
    assert_true(filo_changes_apply(changes));
    first = filo_changes_resolved(changes, first);
    second = filo_changes_resolved(changes, second);
    assert_true(filo_get(world, first, Position)->y == 2);
    assert_int_equal(filo_get(world, first, Health)->points, 7);
    assert_true(filo_has(world, first, Frozen) && filo_has(world, first, Chosen));
    assert_same_entity(filo_get(world, second, Target)->entity, first);
    destroy_with_changes(world, changes);
}

FILO_TEST(components_may_be_given_by_id) {
    FiloWorld *world = new_world();
    FiloChanges *changes = filo_changes_create(world);
    const FiloComponentValue with[] = { { .component = ID(world, Health), .value = &(Health){ 3 } },
                                        { .component = ID(world, Chosen) } };
    FiloEntity entity = filo_changes_create_entity_with(changes, with, FILO_COUNT_OF(with));
    FiloEntity bare = filo_changes_create_entity_with(changes, NULL, 0);
    FiloEntity destroyed = filo_create(changes, FILO_SET(Health, 1));
    assert_true(filo_destroy(changes, destroyed));
    assert_true(filo_changes_apply(changes));
    assert_int_equal(filo_world_stats(world).entities, 2);
    assert_int_equal(filo_get(world, filo_changes_resolved(changes, entity), Health)->points, 3);
    assert_true(filo_entity_exists(world, filo_changes_resolved(changes, bare)));
    destroy_with_changes(world, changes);
}

FILO_TEST(values_may_be_read_from_the_set_while_it_grows) {
    enum { COUNT = 2000 };
    FiloWorld *world = new_world();
    FiloChanges *changes = filo_changes_create(world);
    FiloEntity *entities = malloc(COUNT * sizeof *entities);
    entities[0] = filo_create(changes, FILO_SET(Position, 3, 4), FILO_SET(Velocity, 5, 6));
    for (int i = 1; i < COUNT; i++) {
        const FiloComponentValue with[] = {
            { .component_type = filo_type_Velocity, .value = filo_get(changes, entities[i - 1], Velocity) },
            { .component_type = filo_type_Position, .value = filo_get(changes, entities[i - 1], Position) }
        };
        entities[i] = filo_changes_create_entity_with(changes, with, FILO_COUNT_OF(with));
        assert_true(entities[i].id != 0);
    }
    assert_true(filo_changes_apply(changes));
    for (int i = 0; i < COUNT; i++) {
        FiloEntity entity = filo_changes_resolved(changes, entities[i]);
        assert_true(filo_get(world, entity, Position)->y == 4 && filo_get(world, entity, Velocity)->y == 6);
    }
    free(entities);
    destroy_with_changes(world, changes);
}

FILO_TEST(an_instance_is_recorded_with_overrides) {
    FiloWorld *world = new_world();
    FiloEntity prefab = filo_create(world, FILO_SET(Position, 1, 1), FILO_SET(Health, 10));
    FiloEntity part = filo_create(world, FILO_ADD(Frozen));
    assert_true(filo_entity_set_parent(world, part, prefab) && filo_prefab_make(world, prefab));
    FiloChanges *changes = filo_changes_create(world);
    FiloEntity plain = filo_instance(changes, prefab);
    FiloEntity other = filo_instance(changes, prefab, FILO_SET(Position, 8, 9), FILO_SET(Target, part));
    assert_true(filo_get(changes, other, Position)->x == 8);
    assert_true(filo_changes_apply(changes));
    plain = filo_changes_resolved(changes, plain);
    other = filo_changes_resolved(changes, other);
    assert_true(filo_get(world, plain, Position)->x == 1);
    assert_true(filo_get(world, other, Position)->y == 9);
    assert_int_equal(filo_get(world, other, Health)->points, 10);
    // A reference to a part of the prefab is remapped to the part of the instance.
    assert_same_entity(filo_get(world, other, Target)->entity, filo_entity_first_child(world, other));
    assert_null(filo_get(world, plain, Target));
    destroy_with_changes(world, changes);
}

FILO_TEST(after_a_mistake_nothing_is_recorded) {
    FiloWorld *world = new_world();
    FiloChanges *changes = filo_changes_create(world);
    FiloEntity entity = { 1 };
    expect_fault("component Stranger is not registered",
                 entity = filo_create(changes, FILO_SET(Position, 1, 1), FILO_SET(Stranger, 1)));
    assert_int_equal(entity.id, 0);
    expect_fault("component Score is global", entity = filo_create(changes, FILO_SET(Score, .points = 1)));
    assert_int_equal(entity.id, 0);
    expect_fault(
        "cannot change component 99: it is not registered in this world",
        entity = filo_changes_create_entity_with(changes, &(FiloComponentValue){ .component = { 99 } }, 1));
    assert_int_equal(entity.id, 0);
    expect_fault("pass the components of the new entity",
                 entity = filo_changes_create_entity_with(changes, NULL, 1));
    assert_int_equal(entity.id, 0);
    expect_fault("the prefab 5.0 does not exist",
                 entity = filo_instance(changes, ((FiloEntity){ 5 }), FILO_SET(Health, 1)));
    assert_int_equal(entity.id, 0);
    expect_fault("pass a change set", entity = filo_changes_create_entity_with(NULL, NULL, 0));
    assert_int_equal(entity.id, 0);
    assert_int_equal(filo_changes_count(changes), 0);
    assert_true(filo_changes_apply(changes));
    assert_int_equal(filo_world_stats(world).entities, 0);
    destroy_with_changes(world, changes);
}

typedef struct Large { // a few of them make a set grow
    uint8_t bytes[3000];
} Large;
FILO_REFLECT(Large, FILO_FIELD(uint8_t, bytes))

// One allocation fails after `served` ones. Each call is recorded completely or not at all. Returns whether it failed.
static bool record_with_one_failure(size_t served) {
    FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
    FiloWorld *world = new_world_with(&(FiloWorldDesc){ .allocator = &failing.allocator });
    filo_component(world, Large);
    FiloChanges *changes = filo_changes_create(world);
    failing.fail_at = failing.calls + served;
    size_t made = 0;
    for (int i = 0; i < 8; i++) {
        size_t before = filo_changes_count(changes);
        FiloEntity entity = filo_create(changes, FILO_SET(Large, { 1 }), FILO_SET(Health, 5));
        assert_int_equal(filo_changes_count(changes), before + (entity.id != 0 ? 3 : 0));
        made += entity.id != 0;
    }
    bool failed = failing_end(&failing);
    assert_int_equal(made, failed ? 7 : 8);
    assert_true(filo_changes_apply(changes));
    assert_int_equal(filo_world_stats(world).entities, made);
    destroy_with_changes(world, changes);
    return failed;
}

FILO_TEST(without_memory_an_entity_is_recorded_whole_or_not_at_all) {
    FiloFaultHandler old = filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    size_t served = 0;
    while (record_with_one_failure(served)) served++;
    filo_fault_set_handler(old);
    assert_true(served >= 3);
}

// ---- Inside systems ---------------------------------------------------------------------------------------

static void spawn(FiloIter *it) {
    for (size_t i = 0; i < it->count; i++) {
        FiloEntity self = filo_iter_entity(it, i);
        if (filo_entity_index(self) % 3 == 0)
            filo_create(it->changes, FILO_SET(Target, self), FILO_SET(Health, (int32_t)it->tick));
        if (filo_entity_index(self) % 5 == 0)
            filo_instance(it->changes, *(const FiloEntity *)it->user, FILO_SET(Target, self));
    }
}

static uint64_t hash_with_threads(int threads) {
    FiloJobs *jobs;
    assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = threads }));
    FiloWorld *world = new_world_with(&(FiloWorldDesc){ .jobs = jobs });
    FiloEntity prefab = filo_create(world, FILO_SET(Health, 1), FILO_ADD(Chosen));
    filo_prefab_make(world, prefab);
    for (int i = 0; i < 20000; i++) filo_create(world, FILO_SET(Position, (float)i, 0));
    filo_system_add(world, &(FiloSystemDesc){ .name = "spawn",
                                              .run = spawn,
                                              .parallel = true,
                                              .query.terms = { FILO_READ(Position) },
                                              .user = &prefab });
    for (int i = 0; i < 4; i++) assert_ok(filo_world_tick(world, 1));
    uint64_t hash = filo_world_hash(world);
    filo_world_destroy(world);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    return hash;
}

FILO_TEST(spawning_in_systems_is_the_same_on_any_number_of_threads) {
    uint64_t hash = hash_with_threads(1);
    for (int threads = 2; threads <= 16; threads *= 2) assert_int_equal(hash_with_threads(threads), hash);
}

// ---- Globals and editing ------------------------------------------------------------------------------------

FILO_TEST(a_global_component_is_set_at_once_or_by_a_change_set) {
    FiloWorld *world = new_world();
    assert_true(filo_set_global(world, Score, .points = 4));
    assert_int_equal(filo_get_global(world, Score)->points, 4);
    FiloChanges *changes = filo_changes_create(world);
    assert_true(filo_set_global(changes, Score, .points = 9));
    assert_int_equal(filo_get_global(world, Score)->points, 4);
    assert_true(filo_changes_apply(changes));
    assert_int_equal(filo_get_global(world, Score)->points, 9);
    assert_true(filo_global_set(world, ID(world, Score), filo_global_get(world, ID(world, Score))));
    expect_fault("component Health is not global", assert_false(filo_set_global(world, Health, 1)));
    expect_fault("cannot set a global component: pass a value",
                 assert_false(filo_global_set(world, ID(world, Score), NULL)));
    destroy_with_changes(world, changes);
}

FILO_TEST(editing_a_missing_component_is_a_mistake_and_try_edit_is_not) {
    FiloWorld *world = new_world();
    FiloEntity entity = filo_create(world, FILO_SET(Position, 1, 2));
    assert_true(filo_edit(world, entity, Position)->y == 2);
    assert_true(filo_try_edit(world, entity, Position)->y == 2);
    assert_null(filo_try_edit(world, entity, Health));
    expect_fault("cannot edit a component: entity 0.1 has no Health; add it first, or ask with filo_try_edit",
                 assert_non_null(filo_edit(world, entity, Health)));
    filo_destroy(world, entity);
    expect_fault("cannot edit a component", assert_null(filo_try_edit(world, entity, Position)));
    filo_world_destroy(world);
}
