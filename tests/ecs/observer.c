// Observers: the changes of components and queries that are reported to them.

#include "ecs/observer_fixture.h"
#include "ecs/storages.h"

// ---- Components in every storage --------------------------------------------------------------------------

static void refresh_and_expect(FiloWorld *world, Log *log, const char *text) {
    filo_world_refresh(world);
    expect_log(log, text);
}

static void observe_component(FiloStorage storage) {
    FiloWorld *world = world_with_health_in(storage);
    Log log = { 0 };
    FiloEntity a = filo_create(world, FILO_SET(Health, 1)), b = filo_entity_create(world),
               c = filo_create(world, FILO_SET(Position, 0, 0), FILO_SET(Health, 3));
    observe_health(world, &log);
    refresh_and_expect(world, &log, ""); // existing components are not reported

    filo_set(world, b, Health, 2);
    filo_set(world, a, Health, 10);
    filo_remove(world, c, Health);
    filo_create(world, FILO_SET(Health, 4));
    expect_log(&log, ""); // reported only at a refresh
    refresh_and_expect(world, &log, "removed 2=3; added 1=2 3=4; set 0=10; ");
    refresh_and_expect(world, &log, "");

    // Net changes are reported.
    FiloEntity d = filo_entity_at(world, 3);
    filo_add(world, c, Health); // added and removed
    filo_remove(world, c, Health);
    filo_edit(world, a, Health)->points = 11;
    filo_remove(world, a, Health); // removed, added and set
    filo_set(world, a, Health, 12);
    filo_set(world, a, Health, 13);
    filo_set(world, b, Health, 20); // set, then removed
    filo_remove(world, b, Health);
    filo_remove(world, d, Health); // removed, added and removed
    filo_add(world, d, Health);
    filo_remove(world, d, Health);
    refresh_and_expect(world, &log, "removed 0=11 1=20 3=4; added 0=13; ");

    filo_add(world, b, Health); // added, removed and added
    filo_remove(world, b, Health);
    filo_set(world, b, Health, 5);
    filo_edit(world, a, Health)->points = 14; // not reported as set
    refresh_and_expect(world, &log, "added 1=5; ");

    // Destroying an entity whose index is reused.
    filo_entity_destroy(world, a);
    FiloEntity created = filo_create(world, FILO_SET(Health, 6));
    assert_int_equal(filo_entity_index(created), 0);
    filo_entity_destroy(world, filo_create(world, FILO_SET(Health, 7)));
    refresh_and_expect(world, &log, "removed 0=14; added 0=6; ");

    // Created again with its old id.
    filo_entity_destroy(world, created);
    assert_true(filo_entity_create_as(world, created));
    filo_set(world, created, Health, 8);
    filo_entity_destroy(world, b);
    refresh_and_expect(world, &log, "removed 0=6 1=5; added 0=8; ");

    // The index is used by another entity, and then by the old id again.
    filo_entity_destroy(world, created);
    FiloEntity other = { created.id + (UINT64_C(1) << 32) };
    assert_true(filo_entity_create_as(world, other));
    filo_set(world, other, Health, 9);
    filo_entity_destroy(world, other);
    assert_true(filo_entity_create_as(world, created));
    filo_set(world, created, Health, 10);
    refresh_and_expect(world, &log, "removed 0=8; added 0=10; ");
    filo_entity_destroy(world, created);
    assert_true(filo_entity_create_as(world, other));
    filo_set(world, other, Health, 1);
    filo_entity_destroy(world, other);
    assert_true(filo_entity_create_as(world, created));
    refresh_and_expect(world, &log, "removed 0=10; ");
    filo_world_destroy(world);
}

FILO_TEST(components_in_tables_are_observed) { observe_component(FILO_STORAGE_TABLE); }
FILO_TEST(components_in_sparse_lists_are_observed) { observe_component(FILO_STORAGE_SPARSE); }
FILO_TEST(components_in_arrays_are_observed) { observe_component(FILO_STORAGE_ARRAY); }
FILO_TEST(components_in_maps_are_observed) { observe_component(FILO_STORAGE_MAP); }
FILO_TEST(components_in_user_defined_holders_are_observed) { observe_component(FILO_STORAGE_USER); }

static void observe_batch_calls(FiloStorage storage) {
    FiloWorld *world = world_with_health_in(storage);
    Log log = { 0 };
    FiloComponent health = ID(world, Health);
    observe_health(world, &log);
    FiloComponentValue with[] = { FILO_SET(Health, 1) };
    FiloEntity ids[3];
    assert_true(filo_entity_create_block(
        world, &(FiloBlockDesc){ .count = 3, .values = with, .value_count = 1, .entities = ids }));
    refresh_and_expect(world, &log, "added 0=1 1=1 2=1; ");

    filo_entity_remove_many(world, ids + 1, 2, health);
    refresh_and_expect(world, &log, "removed 1=1 2=1; ");
    filo_entity_add_many(world, ids, 3, health);
    refresh_and_expect(world, &log, "added 1=0 2=0; ");

    FiloComponentValue many[] = { FILO_SET(Health, 5), FILO_SET(Position, 1, 1) };
    assert_true(filo_entity_change(world, ids[0], many, 2, NULL, 0));
    assert_true(filo_entity_change(world, ids[1], many + 1, 1, &health, 1));
    refresh_and_expect(world, &log, "removed 1=0; set 0=5; ");

    FiloEntity copy = filo_entity_copy(world, ids[0]);
    assert_true(filo_prefab_make(world, copy)); // deactivating removes nothing
    refresh_and_expect(world, &log, "added 3=5; ");
    FiloEntity instance =
        filo_instance(world, copy, FILO_SET(Health, 6)); // an override is reported as added, not as set
    refresh_and_expect(world, &log, "added 4=6; ");
    filo_entity_set_parent(world, instance, ids[0]);
    filo_entity_destroy(world, ids[0]); // destroys its child too
    refresh_and_expect(world, &log, "removed 4=6 0=5; ");

    filo_create(world, FILO_SET(Health, 7));
    assert_ok(filo_world_reset(world, 0)); // is not observed
    filo_create(world, FILO_SET(Health, 8));
    refresh_and_expect(world, &log, "added 0=8; ");
    filo_world_destroy(world);
}

FILO_TEST(batch_calls_are_observed_in_tables) { observe_batch_calls(FILO_STORAGE_TABLE); }
FILO_TEST(batch_calls_are_observed_in_sparse_lists) { observe_batch_calls(FILO_STORAGE_SPARSE); }
FILO_TEST(batch_calls_are_observed_in_arrays) { observe_batch_calls(FILO_STORAGE_ARRAY); }

static void observe_change_set(FiloStorage storage) {
    FiloWorld *world = world_with_health_in(storage);
    Log log = { 0 };
    FiloEntity ids[8];
    for (int i = 0; i < 8; i++) ids[i] = filo_create(world, FILO_SET(Position, 0, 0), FILO_SET(Health, i));
    observe_health(world, &log);
    FiloChanges *changes = filo_changes_create(world);
    filo_set(changes, ids[0], Health, 10);
    filo_set(changes, ids[0], Health, 11);
    filo_remove(changes, ids[1], Health);
    filo_remove(changes, ids[2], Health); // then set again
    filo_set(changes, ids[2], Health, 12);
    filo_set(changes, ids[3], Health, 13); // then removed: the last value is reported
    filo_remove(changes, ids[3], Health);
    filo_remove(changes, ids[4], Health);
    filo_add(changes, ids[4], Health);
    filo_remove(changes, ids[4], Health);
    filo_set(changes, ids[5], Health, 15);
    filo_add(changes, ids[6], Health); // already has it
    FiloEntity created = filo_changes_create_entity(changes);
    filo_set(changes, created, Health, 18);
    FiloEntity destroyed = filo_changes_create_entity(changes);
    filo_set(changes, destroyed, Health, 19);
    filo_changes_destroy_entity(changes, destroyed);
    filo_changes_destroy_entity(changes, ids[5]); // destroying is applied after all other records
    assert_true(filo_changes_apply(changes));
    expect_log(&log, "");
    refresh_and_expect(world, &log, "removed 1=1 2=2 3=13 4=4 5=15; added 2=12 8=18; set 0=11; ");

    // Net changes of several sets before a refresh are reported.
    filo_set(changes, ids[1], Health, 21);
    assert_true(filo_changes_apply(changes));
    filo_remove(changes, ids[1], Health);
    filo_changes_set_active(changes, ids[0], false);
    assert_true(filo_changes_apply(changes));
    refresh_and_expect(world, &log, "");
    destroy_with_changes(world, changes);
}

FILO_TEST(change_sets_are_observed_in_tables) { observe_change_set(FILO_STORAGE_TABLE); }
FILO_TEST(change_sets_are_observed_in_sparse_lists) { observe_change_set(FILO_STORAGE_SPARSE); }
FILO_TEST(change_sets_are_observed_in_maps) { observe_change_set(FILO_STORAGE_MAP); }

static void observe_tag(FiloStorage storage) {
    FiloWorld *world;
    Log log = { 0 };
    assert_ok(filo_world_create(&world, NULL));
    filo_component(world, Frozen, .storage = storage);
    FiloEntity a = filo_create(world, FILO_ADD(Frozen)), b = filo_entity_create(world);
    assert_int_not_equal(
        filo_observer_add(world, &(FiloObserverDesc){ .run = log_observed,
                                                      .type = FILO_TYPE(Frozen),
                                                      .kinds = FILO_OBSERVE_ADDED | FILO_OBSERVE_REMOVED,
                                                      .existing = true,
                                                      .user = &log })
            .id,
        0);
    filo_add(world, b, Frozen);
    refresh_and_expect(world, &log, "added 0 1; ");
    filo_remove(world, a, Frozen);
    filo_add(world, a, Frozen);
    filo_entity_destroy(world, b);
    refresh_and_expect(world, &log, "removed 0 1; added 0; ");
    FiloChanges *changes = filo_changes_create(world);
    filo_remove(changes, a, Frozen);
    filo_add(changes, a, Frozen);
    assert_true(filo_changes_apply(changes));
    refresh_and_expect(world, &log, "removed 0; added 0; ");
    filo_entity_add_many(world, &a, 1, ID(world, Frozen));
    filo_entity_remove_many(world, &a, 1, ID(world, Frozen));
    refresh_and_expect(world, &log, "removed 0; ");
    destroy_with_changes(world, changes);
}

FILO_TEST(tags_in_tables_are_observed) { observe_tag(FILO_STORAGE_TABLE); }
FILO_TEST(tags_are_observed) { observe_tag(FILO_STORAGE_TAG); }
FILO_TEST(tags_in_sparse_lists_are_observed) { observe_tag(FILO_STORAGE_SPARSE); }

FILO_TEST(families_and_names_are_observed) {
    FiloWorld *world = new_world();
    Log families = { 0 }, names = { 0 };
    FiloObserverDesc desc = { .run = log_observed, .kinds = FILO_OBSERVE_ADDED | FILO_OBSERVE_REMOVED };
    desc.type = FILO_TYPE(FiloFamily);
    desc.user = &families;
    assert_int_not_equal(filo_observer_add(world, &desc).id, 0);
    desc.type = FILO_TYPE(FiloEntityName);
    desc.user = &names;
    assert_int_not_equal(filo_observer_add(world, &desc).id, 0);
    FiloEntity parent = filo_entity_create(world), child = filo_entity_create(world);
    filo_entity_set_parent(world, child, parent);
    filo_entity_set_name(world, child, "bob");
    filo_world_refresh(world);
    expect_log(&families, "added 1 0; ");
    expect_log(&names, "added 1; ");
    filo_entity_set_name(world, child, "rob"); // renamed, not added
    filo_entity_destroy(world, parent);
    filo_world_refresh(world);
    expect_log(&families, "removed 0 1; ");
    expect_log(&names, "removed 1; ");
    filo_world_destroy(world);
}

FILO_TEST(only_the_requested_kinds_are_reported) {
    FiloWorld *world = new_world();
    Log added = { 0 }, removed = { 0 }, set = { 0 };
    FiloObserverDesc desc = { .run = log_observed, .component = ID(world, Health) };
    desc.kinds = FILO_OBSERVE_ADDED, desc.user = &added;
    filo_observer_add(world, &desc);
    FiloEntity a = filo_create(world, FILO_SET(Health, 1)), b = filo_create(world, FILO_SET(Health, 2)),
               c = filo_create(world, FILO_SET(Health, 3));
    refresh_and_expect(world, &added, "added 0=1 1=2 2=3; ");
    filo_remove(world, a, Health); // removed and added again: reported as added
    filo_set(world, a, Health, 4);
    refresh_and_expect(world, &added, "added 0=4; ");
    desc.kinds = FILO_OBSERVE_REMOVED, desc.user = &removed;
    filo_observer_add(world, &desc);
    desc.kinds = FILO_OBSERVE_SET, desc.user = &set;
    filo_observer_add(world, &desc);
    filo_remove(world, a, Health);
    filo_set(world, a, Health, 5);
    filo_remove(world, b, Health);
    filo_set(world, c, Health, 6);
    filo_world_refresh(world);
    expect_log(&added, "added 0=5; ");
    expect_log(&removed, "removed 0=4 1=2; ");
    expect_log(&set, "set 2=6; ");
    filo_world_destroy(world);
}

// ---- Set and edit -------------------------------------------------------------------------------------------

static void set_in_a_system(FiloIter *it) {
    for (size_t i = 0; i < it->count; i++) filo_set(it->world, filo_iter_entity(it, i), Health, 5);
}

FILO_TEST(edit_is_not_reported_as_set) {
    FiloWorld *world = new_world();
    Log log = { 0 };
    FiloEntity a = filo_create(world, FILO_SET(Health, 1));
    observe_health(world, &log);
    FiloQuery *query = filo_query(world, FILO_WRITE(Health));
    for (FiloIter it = filo_query_iter(query); filo_iter_next(&it);) filo_write(&it, Health)->points = 2;
    FiloSystemId system = filo_system_add(
        world,
        &(FiloSystemDesc){ .name = "set", .run = set_in_a_system, .query.terms = { FILO_WRITE(Health) } });
    assert_ok(filo_world_tick(world, 1));
    assert_int_equal(filo_get(world, a, Health)->points, 5);
    refresh_and_expect(world, &log, "");
    filo_system_remove(world, system);
    // filo_set is reported between ticks, also inside an iteration.
    for (FiloIter it = filo_query_iter(query); filo_iter_next(&it);) filo_set(world, a, Health, 6);
    refresh_and_expect(world, &log, "set 0=6; ");
    destroy_with_query(world, query);
}

// ---- Queries ------------------------------------------------------------------------------------------------

static FiloObserver observe_query(FiloWorld *world, Log *log, FiloQueryDesc query, bool existing) {
    FiloObserver observer = filo_observer_add(
        world,
        &(FiloObserverDesc){
            .run = log_observed, .kinds = OF_QUERY, .query = query, .existing = existing, .user = log });
    assert_int_not_equal(observer.id, 0);
    return observer;
}

FILO_TEST(entering_and_leaving_a_query_is_reported) {
    FiloWorld *world = new_world();
    Log log = { 0 };
    FiloEntity a = filo_create(world, FILO_SET(Position, 0, 0)),
               b = filo_create(world, FILO_SET(Position, 0, 0), FILO_SET(Health, 1)),
               c = filo_create(world, FILO_SET(Health, 1));
    observe_query(
        world, &log,
        (FiloQueryDesc){ .terms = { FILO_READ(Position), FILO_READ(Health), FILO_WITHOUT(Chosen) } }, false);
    refresh_and_expect(world, &log, "");
    filo_add(world, a, Health);
    filo_remove(world, b, Position);
    filo_add(world, c, Velocity); // not a term of the query
    refresh_and_expect(world, &log, "left 1; entered 0; ");
    filo_add(world, c, Position);
    filo_add(world, a, Chosen);
    refresh_and_expect(world, &log, "left 0; entered 2; ");
    filo_remove(world, c, Health); // left and entered again: no net change
    filo_add(world, c, Health);
    refresh_and_expect(world, &log, "");
    filo_entity_set_active(world, c, false);
    filo_remove(world, a, Chosen);
    refresh_and_expect(world, &log, "left 2; entered 0; ");
    filo_entity_destroy(world, a);
    filo_entity_set_active(world, c, true);
    filo_create(world, FILO_SET(Position, 0, 0), FILO_SET(Health, 1));
    refresh_and_expect(world, &log, "left 0; entered 2 0; ");
    FiloChanges *changes = filo_changes_create(world);
    filo_add(changes, b, Position);
    filo_changes_destroy_entity(changes, c);
    FiloEntity created = filo_changes_create_entity(changes);
    filo_add(changes, created, Position);
    filo_add(changes, created, Health);
    assert_true(filo_changes_apply(changes));
    refresh_and_expect(world, &log, "left 2; entered 1 3; ");
    assert_ok(filo_world_reset(world, 0));
    refresh_and_expect(world, &log, "");
    destroy_with_changes(world, changes);
}

FILO_TEST(recreating_an_entity_with_its_old_id_is_not_reported) {
    FiloWorld *world = new_world();
    Log log = { 0 };
    FiloEntity first = filo_create(world, FILO_SET(Health, 1)), second = { first.id + (UINT64_C(1) << 32) };
    observe_query(world, &log, (FiloQueryDesc){ .terms = { FILO_READ(Health) } }, false);
    // In between, other entities with its index match too.
    for (int i = 0; i < 3; i++) {
        filo_entity_destroy(world, filo_entity_at(world, 0));
        assert_true(filo_entity_create_as(world, second));
        filo_add(world, second, Health);
        filo_entity_destroy(world, second);
        assert_true(filo_entity_create_as(world, first));
        filo_add(world, first, Health);
    }
    refresh_and_expect(world, &log, "");
    filo_entity_destroy(world, first);
    assert_true(filo_entity_create_as(world, second));
    filo_add(world, second, Health);
    refresh_and_expect(world, &log, "left 0; entered 0; ");
    filo_world_destroy(world);
}

FILO_TEST(an_observer_of_all_entities_is_notified_of_creation_and_destruction) {
    FiloWorld *world = new_world();
    Log log = { 0 };
    FiloEntity a = filo_entity_create(world);
    observe_query(world, &log, (FiloQueryDesc){ .activity = FILO_ANY_ACTIVITY }, true);
    filo_entity_create(world);
    refresh_and_expect(world, &log, "entered 0 1; ");
    filo_entity_set_active(world, a, false);
    filo_add(world, a, Health);
    refresh_and_expect(world, &log, "");
    filo_entity_destroy(world, a);
    refresh_and_expect(world, &log, "left 0; ");
    filo_world_destroy(world);
}

// ---- Existing components --------------------------------------------------------------------------------------

static FiloObserver observe_existing(FiloWorld *world, Log *log) {
    return filo_observer_add(world, &(FiloObserverDesc){ .run = log_observed,
                                                         .type = FILO_TYPE(Health),
                                                         .kinds = OF_COMPONENT,
                                                         .existing = true,
                                                         .user = log });
}

static void observe_existing_in(FiloStorage storage) {
    FiloWorld *world = world_with_health_in(storage);
    Log first = { 0 }, second = { 0 };
    FiloEntity ids[5];
    for (int i = 0; i < 5; i++) ids[i] = filo_create(world, FILO_SET(Health, i));
    filo_entity_set_active(world, ids[4], false);
    observe_health(world, &first);
    filo_remove(world, ids[1], Health);
    filo_remove(world, ids[2], Health);
    filo_set(world, ids[2], Health, 12);
    observe_existing(world, &second); // while reports to the first one are pending
    expect_log(&first, "");
    filo_remove(world, ids[0], Health);
    filo_set(world, ids[3], Health, 13);
    filo_set(world, ids[1], Health, 11);
    filo_world_refresh(world);
    expect_log(&first, "removed 1=1 2=2 0=0; added 1=11 2=12; set 3=13; ");
    // The second gets all existing components, in the order of storage, and no earlier changes.
    assert_contains(second.text, "added");
    for (int i = 0; i < 5; i++) {
        char word[16];
        snprintf(word, sizeof word, " %d=", i);
        assert_int_equal(strstr(second.text, word) != NULL, i != 0);
    }
    assert_null(strstr(second.text, "set"));
    assert_null(strstr(second.text, "removed"));
    expect_log(&second, second.text);
    filo_remove(world, ids[1], Health);
    filo_world_refresh(world);
    expect_log(&first, "removed 1=11; ");
    expect_log(&second, "removed 1=11; ");
    filo_world_destroy(world);
}

FILO_TEST(existing_components_are_reported_on_request_in_tables) { observe_existing_in(FILO_STORAGE_TABLE); }
FILO_TEST(existing_components_are_reported_on_request_in_sparse_lists) {
    observe_existing_in(FILO_STORAGE_SPARSE);
}
FILO_TEST(existing_components_are_reported_on_request_in_maps) { observe_existing_in(FILO_STORAGE_MAP); }

FILO_TEST(an_observer_of_existing_components_is_not_called_if_there_are_none) {
    FiloWorld *world = new_world();
    Log log = { 0 };
    observe_existing(world, &log);
    refresh_and_expect(world, &log, "");
    filo_create(world, FILO_SET(Health, 1));
    refresh_and_expect(world, &log, "added 0=1; ");
    filo_world_destroy(world);
}

FILO_TEST(a_late_observer_is_notified_only_of_later_changes) {
    FiloWorld *world = new_world();
    Log first = { .name = "first" }, late = { .name = "late" };
    FiloEntity a = filo_create(world, FILO_SET(Health, 1));
    observe_health(world, &first);
    filo_remove(world, a, Health);
    FiloEntity b = filo_create(world, FILO_SET(Health, 2));
    observe_health(world, &late);
    expect_log(&first, "first removed 0=1; first added 1=2; "); // reported when the second was added
    filo_set(world, b, Health, 3);
    filo_world_refresh(world);
    expect_log(&first, "first set 1=3; ");
    expect_log(&late, "late set 1=3; ");
    filo_world_destroy(world);
}

// ---- Removing observers ---------------------------------------------------------------------------------------

FILO_TEST(a_removed_observer_is_not_called) {
    FiloWorld *world = new_world();
    Log first = { 0 }, second = { 0 };
    FiloObserver one = observe_health(world, &first), two = observe_health(world, &second);
    FiloObserver query =
        observe_query(world, &first, (FiloQueryDesc){ .terms = { FILO_READ(Health) } }, false);
    assert_string_equal(filo_observer_name(world, one), "Health");
    assert_string_equal(filo_observer_name(world, query), "query");
    filo_create(world, FILO_SET(Health, 1));
    filo_observer_remove(world, one);
    filo_observer_remove(world, query);
    assert_null(filo_observer_name(world, one));
    filo_world_refresh(world);
    expect_log(&first, "");
    expect_log(&second, "added 0=1; ");
    filo_observer_remove(world, two);
    filo_remove(world, filo_entity_at(world, 0), Health);
    filo_add(world, filo_entity_at(world, 0), Health);
    FiloObserver three = observe_health(world, &first); // a new observer starts with the present state
    assert_int_not_equal(three.id, one.id);
    refresh_and_expect(world, &first, "");
    expect_log(&second, "");
    filo_observer_remove(world, (FiloObserver){ 0 });
    filo_world_destroy(world);
}

// ---- Values with hooks --------------------------------------------------------------------------------------

static void remove_bodies(FiloStorage storage, bool copies) {
    FiloWorld *world;
    int sums[2] = { 0 };
    bodies = 0;
    assert_ok(filo_world_create(&world, NULL));
    filo_component(world, Frozen);
    bool moves = storage == FILO_STORAGE_TABLE || storage == FILO_STORAGE_ARRAY;
    filo_component(world, Body, .storage = storage,
                   .hooks = { .construct = body_construct,
                              .destruct = body_destruct,
                              .copy = copies ? body_copy : NULL,
                              .move = moves ? body_move : NULL });
    FiloObserverDesc desc = { .run = sum_bodies, .type = FILO_TYPE(Body), .kinds = FILO_OBSERVE_REMOVED };
    for (int i = 0; i < 2; i++) { // both get the same last values, also without a copy hook
        desc.user = &sums[i];
        assert_int_not_equal(filo_observer_add(world, &desc).id, 0);
    }
    FiloEntity ids[40];
    for (int i = 0; i < 40; i++) {
        ids[i] = filo_entity_create(world);
        Body *body = filo_add(world, ids[i], Body);
        *body->number = i < 4 ? i + 1 : 0;
        if (!moves) body->self = NULL; // moved as bytes
    }
    filo_world_refresh(world);
    assert_int_equal(bodies, 40);
    filo_remove(world, ids[0], Body);
    filo_entity_destroy(world, ids[1]);
    FiloChanges *changes = filo_changes_create(world);
    filo_remove(changes, ids[2], Body);
    filo_add(changes, ids[2], Frozen);
    filo_changes_destroy_entity(changes, ids[3]);
    assert_true(filo_changes_apply(changes));
    assert_int_equal(bodies, 40); // removed values live until they are reported
    filo_world_refresh(world);
    assert_int_equal(sums[0], 1234);
    assert_int_equal(sums[1], 1234);
    assert_int_equal(bodies, 36);
    for (int i = 4; i < 40; i++) filo_entity_destroy(world, ids[i]); // the list grows
    assert_int_equal(bodies, 36);
    filo_changes_destroy(changes);
    filo_world_destroy(world); // not reported
    assert_int_equal(bodies, 0);
    assert_int_equal(sums[0], 1234);
}

FILO_TEST(last_values_live_until_they_are_reported_in_tables) { remove_bodies(FILO_STORAGE_TABLE, true); }
FILO_TEST(last_values_live_until_they_are_reported_without_a_copy_hook) {
    remove_bodies(FILO_STORAGE_TABLE, false);
}
FILO_TEST(last_values_live_until_they_are_reported_in_arrays) { remove_bodies(FILO_STORAGE_ARRAY, true); }
FILO_TEST(last_values_live_until_they_are_reported_in_sparse_lists) {
    remove_bodies(FILO_STORAGE_SPARSE, false);
}
FILO_TEST(last_values_live_until_they_are_reported_in_maps) { remove_bodies(FILO_STORAGE_MAP, true); }
