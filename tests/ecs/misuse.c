// Every mistake that the headers of the world name is reported by its message, and changes nothing.

#include "ecs/world_types.h"

#include <filo/log.h>

typedef struct Setup {
    FiloWorld *world;
    FiloEntity valid, stale;
} Setup;

static Setup set_up(void) {
    FiloWorld *world = new_world();
    FiloEntity stale = filo_create(world, FILO_SET(Health, 1));
    filo_entity_destroy(world, stale);
    FiloEntity valid = filo_create(world, FILO_SET(Health, 5));
    return (Setup){ world, valid, stale };
}

// The entity is unchanged.
static void tear_down(Setup setup) {
    assert_int_equal(filo_world_stats(setup.world).entities, 1);
    assert_int_equal(filo_get(setup.world, setup.valid, Health)->points, 5);
    assert_true(filo_entity_active(setup.world, setup.valid));
    assert_null(filo_entity_name(setup.world, setup.valid));
    assert_int_equal(filo_entity_components(setup.world, setup.valid, NULL, 0), 1);
    filo_world_destroy(setup.world);
}

#define STALE "entity 0.1 does not exist (any more)"

FILO_TEST(a_term_without_a_component_does_not_end_the_list_in_silence) {
    FiloWorld *world = new_world();
    FiloComponent unknown = filo_component_named(world, "Postion");
    expect_fault("cannot make a query: term 0 has no component",
                 assert_null(filo_query(world, { .component = unknown, .access = FILO_ACCESS_READ })));
    expect_fault("cannot make a query: term 1 has no component",
                 assert_null(filo_query(world, FILO_READ(Position), { .component = unknown },
                                        FILO_WITHOUT(Velocity))));
    expect_fault("cannot make a query: term 1 has no component",
                 assert_null(filo_query(world, FILO_READ(Position), { .kind = FILO_TERM_REJECTED })));
    filo_world_destroy(world);
}

FILO_TEST(a_query_that_no_entity_can_match_is_refused) {
    FiloWorld *world = new_world();
    static const char message[] =
        "cannot make a query: entities with Position that are without Position do not exist";
    expect_fault(message, assert_null(filo_query(world, FILO_WITH(Position), FILO_WITHOUT(Position))));
    expect_fault(message, assert_null(filo_query(world, FILO_WITHOUT(Position), FILO_READ(Health),
                                                 FILO_WRITE(Position))));
    FiloQuery *query =
        filo_query(world, FILO_PARENT_READ(Position), FILO_OPTIONAL_READ(Health), FILO_WITHOUT(Position));
    assert_non_null(query); // the parent's
    destroy_with_query(world, query);
}

FILO_TEST(a_stale_id_is_refused_everywhere) {
    Setup s = set_up();
    FiloWorld *world = s.world;
    const FiloComponentValue with[] = { FILO_SET(Health, 2) };
    FiloComponent health = ID(world, Health);
    expect_fault("cannot destroy an entity: " STALE, filo_entity_destroy(world, s.stale));
    expect_fault("cannot activate an entity: " STALE, filo_entity_set_active(world, s.stale, false));
    expect_fault("cannot add a component: " STALE, assert_non_null(filo_add(world, s.stale, Position)));
    expect_fault("cannot set a component: " STALE, assert_false(filo_set(world, s.stale, Health, 3)));
    expect_fault("cannot edit a component: " STALE, assert_non_null(filo_edit(world, s.stale, Health)));
    expect_fault("cannot remove a component: " STALE, assert_false(filo_remove(world, s.stale, Health)));
    expect_fault("cannot change the components of an entity: " STALE,
                 assert_false(filo_entity_change(world, s.stale, with, 1, &health, 1)));
    expect_fault("cannot set a parent: " STALE,
                 assert_false(filo_entity_set_parent(world, s.stale, s.valid)));
    expect_fault("cannot set a parent: " STALE,
                 assert_false(filo_entity_set_parent(world, s.valid, s.stale)));
    expect_fault("cannot move a child: " STALE, filo_entity_move_before(world, s.stale, s.valid));
    expect_fault("cannot set a name: " STALE, assert_false(filo_entity_set_name(world, s.stale, "x")));
    expect_fault("cannot copy an entity: " STALE, assert_int_equal(filo_entity_copy(world, s.stale).id, 0));
    expect_fault("cannot make a prefab: " STALE, assert_false(filo_prefab_make(world, s.stale)));
    expect_fault("cannot make instances of a prefab: " STALE,
                 assert_false(filo_prefab_instantiate(world, s.stale, NULL)));
    expect_fault(
        "cannot make instances of a prefab: " STALE,
        assert_false(filo_prefab_instantiate(world, s.valid, &(FiloInstanceDesc){ .parent = s.stale })));
    expect_fault("cannot make instances of a prefab: " STALE,
                 assert_int_equal(filo_prefab_derive(world, s.stale, with, 1).id, 0));
    tear_down(s);
}

FILO_TEST(reading_by_a_stale_id_returns_nothing) {
    Setup s = set_up();
    FiloEntity ids[] = { s.stale,
                         FILO_ENTITY_NONE,
                         { UINT64_C(1) << 63 },
                         { UINT64_MAX },
                         { 77 },
                         { UINT64_C(1) << 32 | 0x3FFFFFFF },
                         { s.valid.id | UINT64_C(1) << 48 } };
    for (size_t i = 0; i < FILO_COUNT_OF(ids); i++) {
        assert_false(filo_entity_exists(s.world, ids[i]));
        assert_false(filo_entity_active(s.world, ids[i]));
        assert_false(filo_has(s.world, ids[i], Health));
        assert_false(filo_has(s.world, ids[i], Chosen));
        assert_null(filo_get(s.world, ids[i], Health));
        assert_null(filo_entity_name(s.world, ids[i]));
        assert_int_equal(filo_entity_parent(s.world, ids[i]).id, 0);
        assert_int_equal(filo_entity_first_child(s.world, ids[i]).id, 0);
        assert_int_equal(filo_entity_next_sibling(s.world, ids[i]).id, 0);
        assert_int_equal(filo_entity_child_count(s.world, ids[i]), 0);
        assert_int_equal(filo_entity_components(s.world, ids[i], NULL, 0), 0);
    }
    filo_entity_destroy(s.world, FILO_ENTITY_NONE);
    filo_entity_destroy_many(s.world, ids, FILO_COUNT_OF(ids));
    filo_entity_destroy_many(s.world, NULL, 0);
    tear_down(s);
}

FILO_TEST(a_component_that_is_not_registered_is_refused_everywhere) {
    Setup s = set_up();
    FiloWorld *world = s.world;
    FiloComponent unknown = { 999 }, none = { 0 };
    const FiloComponentValue by_number[] = { { .component = unknown } };
#define STRANGER                                                                                             \
    "component Stranger is not registered in this world: call filo_component(world, Stranger) first"
    expect_fault(STRANGER, assert_null(filo_get(world, s.valid, Stranger)));
    expect_fault(STRANGER, assert_false(filo_has(world, s.valid, Stranger)));
    expect_fault("cannot read a component: component 999 is not registered in this world",
                 assert_null(filo_entity_get(world, s.valid, unknown)));
    expect_fault("cannot read a component: component 0 is not registered in this world",
                 assert_false(filo_entity_has(world, s.valid, none)));
    expect_fault("cannot create an entity: component Stranger is not registered in this world",
                 assert_int_equal(filo_create(world, FILO_SET(Stranger, 1)).id, 0));
    expect_fault("cannot create an entity: component 999 is not registered in this world",
                 assert_int_equal(filo_entity_create_with(world, by_number, 1).id, 0));
    expect_fault("cannot create entities: component 999 is not registered",
                 assert_false(filo_entity_create_block(
                     world, &(FiloBlockDesc){ .count = 3, .values = by_number, .value_count = 1 })));
    expect_fault("cannot add a component: component 999 is not registered in this world",
                 assert_null(filo_entity_add(world, s.valid, unknown)));
    expect_fault("cannot set a component: component 0 is not registered in this world",
                 assert_false(filo_entity_set(world, s.valid, none, &(Health){ 1 })));
    expect_fault("cannot edit a component: component 999 is not registered in this world",
                 assert_null(filo_entity_edit(world, s.valid, unknown)));
    expect_fault("cannot remove a component: component 999 is not registered in this world",
                 assert_false(filo_entity_remove(world, s.valid, unknown)));
    expect_fault("cannot change the components of an entity: component 999 is not registered",
                 assert_false(filo_entity_change(world, s.valid, by_number, 1, NULL, 0)));
    expect_fault("cannot change the components of an entity: component 999 is not registered",
                 assert_false(filo_entity_change(world, s.valid, NULL, 0, &unknown, 1)));
    // By type there are two faults: what to do, and what was not done.
    expect_faults(2, STRANGER, assert_false(filo_set(world, s.valid, Stranger, 1)));
    expect_fault("cannot make a query: component Stranger is not registered in this world",
                 assert_null(filo_query(world, FILO_READ(Stranger))));
    expect_fault("cannot make a query: component 999 is not registered in this world",
                 assert_null(filo_query(world, { .component = unknown })));
    expect_fault("component Stranger is not registered in this world: call filo_component(world, Stranger, "
                 ".storage = FILO_STORAGE_GLOBAL) first",
                 assert_non_null(filo_get_global(world, Stranger)));
    expect_fault("this component is not registered in this world; register it as FILO_STORAGE_GLOBAL",
                 assert_null(filo_global_get(world, unknown)));
    tear_down(s);
}

FILO_TEST(global_components_cannot_be_added_to_entities) {
    Setup s = set_up();
    FiloWorld *world = s.world;
    expect_fault("cannot create an entity: component Score is global; use filo_set_global, filo_get_global "
                 "or filo_edit_global",
                 assert_int_equal(filo_create(world, FILO_ADD(Score)).id, 0));
    expect_fault("cannot set a component: component Score is global",
                 assert_false(filo_set(world, s.valid, Score, .points = 1)));
    expect_fault("cannot remove a component: component Score is global",
                 assert_false(filo_remove(world, s.valid, Score)));
    expect_fault("component Health is not global; register it as FILO_STORAGE_GLOBAL",
                 assert_non_null(filo_edit_global(world, Health)));
    expect_fault("component Score is global, and always there",
                 assert_null(filo_query(world, FILO_READ(Health), FILO_WITHOUT(Score))));
    expect_fault("component Score is global, and of no parent",
                 assert_null(filo_query(world, FILO_PARENT_READ(Score))));
    assert_null(filo_get(world, s.valid, Score));
    assert_false(filo_has(world, s.valid, Score));
    tear_down(s);
}

FILO_TEST(names_and_families_are_changed_only_by_their_functions) {
    Setup s = set_up();
    FiloWorld *world = s.world;
    FiloEntity child = filo_entity_create(world);
    assert_true(filo_entity_set_parent(world, child, s.valid));
    expect_fault("cannot set a component: the world manages component FiloFamily",
                 assert_false(filo_set(world, child, FiloFamily, .parent = s.stale)));
    expect_fault("cannot remove a component: the world manages component FiloFamily",
                 assert_false(filo_remove(world, child, FiloFamily)));
    expect_fault("cannot edit a component: the world manages component FiloFamily",
                 assert_non_null(filo_edit(world, child, FiloFamily)));
    expect_fault("cannot add a component: the world manages component FiloEntityName",
                 assert_non_null(filo_add(world, child, FiloEntityName)));
    expect_fault("cannot create an entity: the world manages component FiloEntityName",
                 assert_int_equal(filo_create(world, FILO_ADD(FiloEntityName)).id, 0));
    expect_fault("the world manages component FiloFamily, so it can only be read",
                 assert_null(filo_query(world, FILO_WRITE(FiloFamily))));
    FiloChanges *changes = filo_changes_create(world);
    expect_fault("the world manages component FiloFamily: use filo_changes_set_parent",
                 assert_false(filo_remove(changes, child, FiloFamily)));
    filo_changes_destroy(changes);
    FiloQuery *query = filo_query(world, FILO_READ(FiloFamily)); // reading is allowed
    assert_int_equal(filo_query_count(query), 2);
    filo_query_release(query);
    assert_same_entity(filo_entity_parent(world, child), s.valid);
    filo_entity_destroy(world, child);
    tear_down(s);
}

FILO_TEST(structural_changes_during_an_iteration_are_refused) {
    Setup s = set_up();
    FiloWorld *world = s.world;
    FiloQuery *query = filo_query(world, FILO_WRITE(Health));
    FiloChanges *changes = filo_changes_create(world);
    assert_true(filo_changes_destroy_entity(changes, s.valid));
    FiloIter it = filo_query_iter(query);
    assert_true(filo_iter_next(&it));
#define INSIDE " inside an iteration; finish it, leave it by filo_iter_end, or use a change set"
    expect_fault("cannot create an entity" INSIDE, assert_int_equal(filo_entity_create(world).id, 0));
    expect_fault("cannot create an entity" INSIDE,
                 assert_false(filo_entity_create_as(world, (FiloEntity){ UINT64_C(1) << 32 | 9 })));
    expect_fault("cannot create entities" INSIDE,
                 assert_false(filo_entity_create_block(world, &(FiloBlockDesc){ .count = 3 })));
    expect_fault("cannot destroy an entity" INSIDE, filo_entity_destroy(world, s.valid));
    expect_fault("cannot destroy entities" INSIDE, filo_entity_destroy_many(world, &s.valid, 1));
    expect_fault("cannot destroy entities" INSIDE, filo_query_destroy_all(query));
    expect_fault("cannot activate an entity" INSIDE, filo_entity_set_active(world, s.valid, false));
    expect_fault("cannot add a component" INSIDE, assert_non_null(filo_add(world, s.valid, Position)));
    expect_fault("cannot add a component" INSIDE,
                 assert_false(filo_query_add_all(query, ID(world, Position))));
    expect_fault("cannot remove a component" INSIDE, assert_false(filo_remove(world, s.valid, Health)));
    expect_fault("cannot set a component that the entity does not have" INSIDE,
                 assert_false(filo_set(world, s.valid, Position, 1, 1)));
    expect_fault("cannot change the components of an entity" INSIDE,
                 assert_false(filo_entity_change(world, s.valid, NULL, 0, NULL, 0)));
    expect_fault("cannot set a parent" INSIDE,
                 assert_false(filo_entity_set_parent(world, s.valid, FILO_ENTITY_NONE)));
    expect_fault("cannot set a name" INSIDE, assert_false(filo_entity_set_name(world, s.valid, "x")));
    expect_fault("cannot copy an entity" INSIDE, assert_int_equal(filo_entity_copy(world, s.valid).id, 0));
    expect_fault("cannot make a prefab" INSIDE, assert_false(filo_prefab_make(world, s.valid)));
    expect_fault("cannot make instances of a prefab" INSIDE,
                 assert_false(filo_prefab_instantiate(world, s.valid, NULL)));
    expect_fault("cannot apply a change set" INSIDE, assert_false(filo_changes_apply(changes)));
    expect_fault("cannot register a component" INSIDE,
                 assert_int_equal(filo_component(world, Stranger).id, 0));
    expect_mistake("cannot reset a world" INSIDE, filo_world_reset(world, 0));
    expect_fault("cannot refresh" INSIDE, filo_world_refresh(world));
    expect_fault("cannot destroy a world" INSIDE, filo_world_destroy(world));
    expect_fault("row 1 is not in this part of the iteration, which has 1",
                 assert_int_equal(filo_iter_entity(&it, 1).id, 0));
    // Existing values may be changed.
    assert_true(filo_set(world, s.valid, Health, 6));
    filo_edit(world, s.valid, Health)->points = 5;
    filo_iter_end(&it);
    filo_iter_end(&it); // may be ended twice
    assert_false(filo_iter_next(&it));
    filo_changes_destroy(changes);
    filo_query_release(query);
    tear_down(s);
}

static void destroy_oneself(FiloIter *it) {
    for (size_t i = 0; i < it->count; i++) {
        FiloEntity self = filo_iter_entity(it, i);
        expect_fault("cannot destroy an entity while systems run; record it in the change set: it->changes",
                     filo_entity_destroy(it->world, self));
        expect_fault("cannot create an entity while systems run", filo_entity_create(it->world));
        expect_fault(
            "cannot make a query while systems run; make it between ticks, as where the system is added, or "
            "declare it in .extra_queries and use filo_iter_extra_query(it, 0)",
            assert_null(filo_query(it->world, FILO_READ(Health))));
        expect_fault("cannot release a query while systems run", filo_query_release(it->query));
        expect_fault("this change set is the system's", assert_false(filo_changes_apply(it->changes)));
        expect_fault("this change set is the system's", filo_changes_destroy(it->changes));
        assert_true(filo_changes_destroy_entity(it->changes, self));
        assert_false(filo_changes_exists(it->changes, self));
        assert_true(filo_entity_exists(it->world, self));
    }
}

FILO_TEST(a_system_destroys_its_own_row_only_by_a_change_set) {
    FiloWorld *world = new_world();
    for (int i = 0; i < 3; i++) filo_create(world, FILO_SET(Health, i));
    filo_system_add(world, &(FiloSystemDesc){
                               .name = "end", .run = destroy_oneself, .query.terms = { FILO_READ(Health) } });
    assert_ok(filo_world_tick(world, 1));
    assert_int_equal(filo_world_stats(world).entities, 0);
    filo_world_destroy(world);
}

FILO_TEST(removing_a_missing_component_is_no_mistake) {
    Setup s = set_up();
    assert_false(filo_remove(s.world, s.valid, Position));
    assert_false(filo_remove(s.world, s.valid, Frozen));
    assert_false(filo_remove(s.world, s.valid, Chosen));
    assert_true(filo_entity_set_name(s.world, s.valid, NULL));
    assert_true(filo_entity_set_parent(s.world, s.valid, FILO_ENTITY_NONE));
    tear_down(s);
}

FILO_TEST(an_entity_cannot_be_its_own_ancestor) {
    FiloWorld *world = new_world();
    FiloEntity a = filo_entity_create(world), b = filo_entity_create(world), c = filo_entity_create(world);
    assert_true(filo_entity_set_parent(world, b, a));
    assert_true(filo_entity_set_parent(world, c, b));
    expect_fault("cannot set a parent: entity 0.1 would be its own ancestor",
                 assert_false(filo_entity_set_parent(world, a, c)));
    expect_fault("would be its own ancestor", assert_false(filo_entity_set_parent(world, a, a)));
    expect_fault("cannot move a child: the entity has no parent", filo_entity_move_before(world, a, b));
    expect_fault("both entities must have the same parent", filo_entity_move_before(world, b, c));
    assert_same_entity(filo_entity_parent(world, c), b);
    filo_world_destroy(world);
}

FILO_TEST(impossible_ids_are_refused) {
    FiloWorld *world = new_world();
    FiloEntity bad[] = { FILO_ENTITY_NONE,
                         { 5 },
                         { UINT64_C(1) << 63 | 4 },
                         { UINT64_C(1) << 48 | UINT64_C(1) << 32 },
                         { UINT64_C(1) << 32 | 0xFFFFFFFF } };
    for (size_t i = 0; i < FILO_COUNT_OF(bad); i++) {
        expect_fault("is no id of an entity; pass one that another world gave",
                     assert_false(filo_entity_create_as(world, bad[i])));
        expect_fault(
            "is no id of an entity; pass ids that another world gave",
            assert_false(filo_entity_create_block(world, &(FiloBlockDesc){ .count = 1, .ids = &bad[i] })));
    }
    assert_int_equal(filo_world_stats(world).entities, 0);
    filo_world_destroy(world);
}

static void fill_nothing(FiloIter *it, void *user) {
    FILO_UNUSED(user);
    expect_fault("cannot create an entity inside an iteration", filo_entity_create(it->world));
}

FILO_TEST(a_block_accepts_only_table_components) {
    FiloWorld *world = new_world();
    const FiloComponentValue outside[] = { FILO_ADD(Chosen) }, inside[] = { FILO_ADD(Health) };
    expect_fault("cannot fill a block: all its components must lie in tables",
                 assert_false(filo_entity_create_block(
                     world, &(FiloBlockDesc){
                                .count = 2, .values = outside, .value_count = 1, .fill = fill_nothing })));
    assert_int_equal(filo_world_stats(world).entities, 0);
    assert_true(filo_entity_create_block(
        world, &(FiloBlockDesc){ .count = 2, .values = inside, .value_count = 1, .fill = fill_nothing }));
    assert_int_equal(filo_world_stats(world).entities, 2);
    filo_world_destroy(world);
}

FILO_TEST(impossible_queries_are_reported) {
    FiloWorld *world = new_world();
    expect_fault("component Health of a parent can only be read, because several children share it",
                 assert_null(filo_query(
                     world, { .type = filo_type_Health, .access = FILO_ACCESS_WRITE, .from_parent = true })));
    expect_fault(
        "changes of a parent's Health cannot be asked for",
        assert_null(filo_query(
            world,
            { .type = filo_type_Health, .access = FILO_ACCESS_READ, .from_parent = true, .changed = true })));
    expect_fault("a tracked one cannot ask for the parent's Health",
                 assert_null(filo_query_create(
                     world, &(FiloQueryDesc){ .terms = { FILO_PARENT_READ(Health) }, .tracked = true })));
    FiloQuery *query = filo_query(world, FILO_READ(Health));
    size_t count = 7;
    expect_fault("make it with .tracked = true", assert_null(filo_query_entered(query, &count)));
    assert_int_equal(count, 0);
    expect_fault("make it with .tracked = true", assert_null(filo_query_left(query, &count)));
    expect_fault("pass a query and a function that makes keys",
                 assert_int_equal(filo_query_sorted(query, NULL, NULL, NULL, 0), 0));
    filo_query_release(query);
    filo_query_release(NULL);
    filo_world_destroy(world);
}

FILO_TEST(impossible_records_are_reported) {
    Setup s = set_up();
    FiloChanges *a = filo_changes_create(s.world), *b = filo_changes_create(s.world);
    FiloEntity in_a = filo_changes_create_entity(a), in_b = filo_changes_create_entity(b);
    FiloComponent unknown = { 999 };
    expect_fault("cannot change the entity that is none",
                 assert_false(filo_changes_destroy_entity(a, FILO_ENTITY_NONE)));
    expect_fault("a temporary id is valid in the change set that returned it",
                 assert_false(filo_set(b, in_a, Health, 1)));
    expect_fault("a temporary id is valid in the change set that returned it",
                 assert_false(filo_changes_set_parent(b, in_b, in_a)));
    expect_fault("cannot change component 999: it is not registered in this world",
                 assert_false(filo_changes_add(a, s.valid, unknown)));
    expect_fault("component Score is global: set it with FILO_ENTITY_NONE as the entity",
                 assert_false(filo_set(a, s.valid, Score, .points = 1)));
    expect_fault("component Score is global", assert_false(filo_remove(a, s.valid, Score)));
    expect_fault("cannot set component Health: pass a value",
                 assert_false(filo_changes_set(a, s.valid, ID(s.world, Health), NULL)));
    expect_fault("cannot set component Health: pass a value",
                 assert_false(filo_entity_set(s.world, s.valid, ID(s.world, Health), NULL)));
    expect_fault("the prefab 0.1 does not exist (yet, or any more)",
                 assert_int_equal(filo_changes_instantiate(a, s.stale).id, 0));
    expect_fault("pass a change set", assert_int_equal(filo_changes_create_entity(NULL).id, 0));
    // Changes of a stale id are no mistake.
    assert_true(filo_changes_destroy_entity(a, s.stale));
    assert_true(filo_set(a, s.stale, Health, 1));
    assert_true(filo_changes_apply(a));
    FiloEntity real = filo_changes_resolved(a, in_a);
    assert_true(filo_entity_exists(s.world, real));
    expect_fault("until that is applied", assert_false(filo_set(a, in_a, Health, 1)));
    filo_entity_destroy(s.world, real);
    filo_changes_destroy(a);
    filo_changes_destroy(b); // its records are dropped
    filo_changes_destroy(NULL);
    tear_down(s);
}

FILO_TEST(null_arguments_are_reported) {
    FiloWorld *world = new_world();
    expect_fault("pass a world", assert_int_equal(filo_entity_create(NULL).id, 0));
    expect_fault("pass a world", filo_entity_destroy(NULL, FILO_ENTITY_NONE));
    expect_fault("pass a world and the entities", filo_entity_destroy_many(world, NULL, 2));
    expect_fault("pass a world and a description of the block",
                 assert_false(filo_entity_create_block(world, NULL)));
    expect_fault("pass a world and a description of the query", assert_null(filo_query_create(world, NULL)));
    expect_fault("pass a world and a description of the component",
                 assert_int_equal(filo_component_register(NULL, NULL).id, 0));
    expect_fault("say which type the component has",
                 assert_int_equal(filo_component_register(world, &(FiloComponentDesc){ 0 }).id, 0));
    expect_fault("pass the name of a component", assert_int_equal(filo_component_named(world, NULL).id, 0));
    expect_mistake("pass where to put the world", filo_world_create(NULL, NULL));
    filo_world_destroy(world);
}

// ---- After a lack of memory -----------------------------------------------------------------------------

typedef struct NeverRegistered {
    int number;
} NeverRegistered;
FILO_REFLECT(NeverRegistered, FILO_FIELD(int, number))

static void never_run(FiloIter *it) {
    FILO_UNUSED(it);
    fail_msg("a system was run that could not be added");
}

// The lack of memory was reported; passing the null result on is not a second fault.
FILO_TEST(null_results_of_failed_calls_can_be_passed_on) {
    FiloWorld *world = create_world();
    assert_ok(filo_log_set_filter(FILO_LOG_TERMINAL, "off"));
    filo_out_of_memory("world", 480, "the system has no memory left");
    // A fault would fail the test.
    FiloEntity none = filo_create(world, FILO_SET(NeverRegistered, 1));
    assert_int_equal(none.id, 0);
    assert_false(filo_entity_set_name(world, none, "nobody"));
    assert_false(filo_entity_set_parent(world, none, none));
    assert_null(filo_set(world, none, NeverRegistered, 2));
    assert_null(filo_query(world, FILO_READ(NeverRegistered)));
    FiloIter it = filo_query_iter(NULL);
    assert_false(filo_iter_next(&it));
    assert_int_equal(
        filo_system_add(world, &(FiloSystemDesc){ .name = "none",
                                                  .run = never_run,
                                                  .query.terms = { FILO_READ(NeverRegistered) } })
            .id,
        0);
    FiloChanges *changes = filo_changes_create(world);
    assert_false(filo_changes_destroy_entity(changes, none));
    assert_int_equal(filo_changes_instantiate(changes, none).id, 0);
    filo_changes_destroy(changes);
    assert_int_equal(filo_world_stats(world).entities, 0);
    filo_world_destroy(world);
}
