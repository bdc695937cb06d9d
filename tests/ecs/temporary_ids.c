// Temporary ids: each is valid only in its own change set, and is never reused.

#include "ecs/world_types.h"
#include "support/failing_allocator.h"

static void store_created(const FiloEvent *event, void *user) {
    *(FiloEntity *)user = ((const Target *)event->payload)->entity;
}

typedef struct Scene {
    FiloJobs *jobs;
    FiloEvents *events;
    FiloWorld *world;
    FiloEntity created; // the entity in the last event "created"
} Scene;

static Scene *open_scene(const FiloAllocator *allocator) {
    Scene *scene = calloc(1, sizeof *scene);
    assert_ok(filo_jobs_create(&scene->jobs, &(FiloJobsDesc){ .threads = 1 }));
    assert_ok(filo_events_create(&scene->events, &(FiloEventsDesc){ .jobs = scene->jobs }));
    scene->world = new_world_with(
        &(FiloWorldDesc){ .jobs = scene->jobs, .events = scene->events, .allocator = allocator });
    scene->created = (FiloEntity){ 1 };
    filo_events_subscribe(scene->events, &(FiloHandlerDesc){ .event = filo_name("created"),
                                                             .type = FILO_TYPE(Target),
                                                             .function = store_created,
                                                             .user = &scene->created });
    return scene;
}

static void close_scene(Scene *scene) {
    filo_world_destroy(scene->world);
    filo_events_destroy(scene->events);
    filo_jobs_destroy(scene->jobs, FILO_JOBS_FINISH);
    free(scene);
}

static void emit_created(Scene *scene, FiloEntity entity) {
    assert_true(
        filo_events_emit(scene->events, filo_name("created"), FILO_TYPE(Target), &(Target){ entity }));
}

// ---- Sets that were dropped or applied ----------------------------------------------------------------

#define NOT_OF_THIS_SET "a temporary id is valid in the change set that returned it, until that is applied"

// `stale` is not an id of the set, although that has created as many entities as its own set.
static void expect_stale(FiloChanges *changes, FiloEntity stale) {
    FiloWorld *world = filo_changes_world(changes);
    FiloEntity real = filo_entity_create(world);
    expect_fault(NOT_OF_THIS_SET, assert_false(filo_changes_add(changes, stale, ID(world, Position))));
    expect_fault(NOT_OF_THIS_SET, assert_false(filo_set(changes, stale, Position, 1, 2)));
    expect_fault(NOT_OF_THIS_SET, assert_false(filo_changes_remove(changes, stale, ID(world, Position))));
    expect_fault(NOT_OF_THIS_SET, assert_false(filo_changes_destroy_entity(changes, stale)));
    expect_fault(NOT_OF_THIS_SET, assert_false(filo_changes_set_active(changes, stale, false)));
    expect_fault(NOT_OF_THIS_SET, assert_false(filo_changes_set_name(changes, stale, "stale")));
    expect_fault(NOT_OF_THIS_SET, assert_false(filo_changes_set_parent(changes, stale, real)));
    expect_fault(NOT_OF_THIS_SET, assert_false(filo_changes_set_parent(changes, real, stale)));
    assert_false(filo_changes_exists(changes, stale));
    assert_false(filo_changes_has(changes, stale, ID(world, Position)));
    assert_null(filo_changes_get(changes, stale, ID(world, Position)));
    assert_int_equal(filo_changes_parent(changes, stale).id, 0);
    assert_null(filo_changes_name(changes, stale));
    // In values it resolves to no entity.
    assert_true(filo_set(changes, real, Target, stale));
    assert_true(filo_set(changes, FILO_ENTITY_NONE, Score, 5, stale));
    assert_true(filo_changes_apply(changes));
    assert_int_equal(filo_get(world, real, Target)->entity.id, 0);
    assert_int_equal(filo_get_global(world, Score)->leader.id, 0);
    assert_int_equal(filo_changes_resolved(changes, stale).id, 0);
}

FILO_TEST(an_id_of_a_destroyed_set_is_stale_in_the_next_set) {
    Scene *scene = open_scene(NULL);
    FiloChanges *changes = filo_changes_create(scene->world);
    FiloEntity stale = filo_changes_create_entity(changes);
    emit_created(scene, stale);
    filo_changes_destroy(changes);
    changes = filo_changes_create(scene->world);
    FiloEntity next = filo_changes_create_entity(changes);
    assert_int_not_equal(next.id, stale.id);
    assert_true(filo_set(changes, next, Position, 1, 2));
    expect_stale(changes, stale);
    assert_true(filo_entity_exists(scene->world, filo_changes_resolved(changes, next)));
    filo_events_deliver(scene->events);
    assert_int_equal(scene->created.id, 0);
    filo_changes_destroy(changes);
    close_scene(scene);
}

FILO_TEST(an_id_of_an_applied_set_is_stale_when_the_set_is_filled_again) {
    FiloWorld *world = new_world();
    FiloChanges *changes = filo_changes_create(world);
    FiloEntity stale = filo_changes_create_entity(changes);
    assert_true(filo_changes_apply(changes));
    for (int i = 0; i < 3; i++) {
        FiloEntity next = filo_changes_create_entity(changes);
        assert_int_not_equal(next.id, stale.id);
        expect_stale(changes, stale);
        assert_int_not_equal(filo_changes_resolved(changes, next).id, 0);
    }
    destroy_with_changes(world, changes);
}

FILO_TEST(temporary_ids_of_instances_are_never_reused) {
    FiloWorld *world = new_world();
    FiloEntity prefab = filo_create(world, FILO_SET(Position, 1, 2));
    assert_true(filo_prefab_make(world, prefab));
    FiloChanges *changes = filo_changes_create(world);
    FiloEntity stale = filo_changes_instantiate(changes, prefab);
    assert_true(filo_changes_apply(changes));
    FiloEntity next[3];
    for (int i = 0; i < 3; i++) next[i] = filo_changes_instantiate(changes, prefab);
    for (int i = 0; i < 3; i++) assert_true(filo_set(changes, next[i], Target, prefab));
    assert_true(filo_get(changes, next[2], Position)->y == 2);
    expect_stale(changes, stale);
    for (int i = 0; i < 3; i++) {
        FiloEntity instance = filo_changes_resolved(changes, next[i]);
        assert_int_not_equal(instance.id, 0);
        assert_same_entity(filo_get(world, instance, Target)->entity, instance);
    }
    destroy_with_changes(world, changes);
}

typedef struct Keeper {
    FiloEntity self, stored;
} Keeper;

// Creates one entity per tick, and uses the temporary id of the previous tick.
static void store_temporary(FiloIter *it) {
    Keeper *keeper = it->user;
    FiloEntity next = filo_changes_create_entity(it->changes);
    if (keeper->stored.id != 0) {
        assert_int_not_equal(next.id, keeper->stored.id);
        assert_false(filo_changes_exists(it->changes, keeper->stored));
        filo_set(it->changes, keeper->self, Target, keeper->stored);
    }
    keeper->stored = next;
}

FILO_TEST(a_temporary_id_stored_by_a_system_is_stale_in_the_next_tick) {
    FiloWorld *world = new_world();
    Keeper keeper = { .self = filo_create(world, FILO_SET(Target, { 1 })) };
    filo_system_add(world, &(FiloSystemDesc){ .name = "keep", .run = store_temporary, .user = &keeper });
    for (int i = 0; i < 3; i++) assert_ok(filo_world_tick(world, 1));
    assert_int_equal(filo_get(world, keeper.self, Target)->entity.id, 0);
    filo_world_destroy(world);
}

// ---- Without memory -----------------------------------------------------------------------------------

// Applies a set with so many allocations, whose temporary id is in a component and an event. False if it succeeds.
static bool apply_without_memory(size_t served) {
    FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
    Scene *scene = open_scene(&failing.allocator);
    FiloChanges *changes = filo_changes_create(scene->world);
    FiloEntity stale = filo_changes_create_entity(changes);
    assert_true(filo_set(changes, stale, Position, 1, 2));
    filo_edit_global(scene->world, Score)->leader = stale;
    emit_created(scene, stale);
    failing_allow(&failing, served);
    bool ok = filo_changes_apply(changes);
    failing_end(&failing);
    FiloEntity real = filo_changes_resolved(changes, stale);
    assert_true(!ok || real.id != 0);
    // The id is resolved, whether the entity was created or not.
    FiloEntity leader = filo_get_global(scene->world, Score)->leader;
    assert_false(filo_entity_temporary(leader));
    if (real.id != 0)
        assert_same_entity(leader, real);
    else
        assert_false(filo_entity_exists(scene->world, leader));
    FiloEntity self = filo_entity_create(scene->world);
    assert_int_not_equal(filo_changes_create_entity(changes).id, stale.id);
    assert_true(filo_set(changes, self, Target, stale));
    assert_true(filo_changes_apply(changes));
    assert_int_equal(filo_get(scene->world, self, Target)->entity.id, 0);
    filo_events_deliver(scene->events);
    assert_same_entity(scene->created, leader);
    filo_changes_destroy(changes);
    close_scene(scene);
    return !ok;
}

FILO_TEST(a_temporary_id_of_a_failed_apply_resolves_to_no_entity) {
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    size_t served = 0;
    while (apply_without_memory(served)) served++;
    assert_int_not_equal(served, 0);
    filo_fault_set_handler(before);
}

// ---- Worlds that share their events -------------------------------------------------------------------

// Creates an entity and records an event with its id. it->user is the name of the event.
static void create_and_record(FiloIter *it, const FiloEvent *event) {
    FiloEntity next = filo_changes_create_entity(it->changes);
    FILO_UNUSED(event);
    filo_set(it->changes, next, Health, 7);
    filo_event_record(it->events, filo_name(it->user), FILO_TYPE(Target), &(Target){ next });
}

typedef struct Two {
    FiloJobs *jobs;
    FiloEvents *events;
    FiloWorld *worlds[2];
    FiloEntity created[2]; // the entities in the last events "created 0" and "created 1"
} Two;

// The second world has other entity ids than the first.
static Two *open_two(void) {
    Two *two = calloc(1, sizeof *two);
    assert_ok(filo_jobs_create(&two->jobs, &(FiloJobsDesc){ .threads = 1 }));
    assert_ok(filo_events_create(&two->events, &(FiloEventsDesc){ .jobs = two->jobs }));
    for (int i = 0; i < 2; i++) {
        static char names[2][16] = { "created 0", "created 1" };
        two->worlds[i] = new_world_with(&(FiloWorldDesc){ .jobs = two->jobs, .events = two->events });
        filo_world_handle(two->worlds[i], &(FiloWorldHandlerDesc){ .event = filo_name("birth"),
                                                                   .run = create_and_record,
                                                                   .user = names[i] });
        filo_events_subscribe(two->events, &(FiloHandlerDesc){ .event = filo_name(names[i]),
                                                               .type = FILO_TYPE(Target),
                                                               .function = store_created,
                                                               .user = &two->created[i] });
    }
    for (int i = 0; i < 10; i++) filo_entity_create(two->worlds[1]);
    return two;
}

static void close_two(Two *two) {
    for (int i = 0; i < 2; i++) filo_world_destroy(two->worlds[i]);
    filo_events_destroy(two->events);
    filo_jobs_destroy(two->jobs, FILO_JOBS_FINISH);
    free(two);
}

static void expect_each_in_its_world(Two *two) {
    for (int i = 0; i < 2; i++) {
        const Health *health = filo_get(two->worlds[i], two->created[i], Health);
        assert_non_null(health);
        assert_int_equal(health->points, 7);
        assert_false(filo_entity_exists(two->worlds[!i], two->created[i]) &&
                     filo_has(two->worlds[!i], two->created[i], Health));
    }
}

FILO_TEST(temporary_ids_in_events_of_two_worlds_resolve_to_their_own_entities) {
    Two *two = open_two();
    filo_events_emit(two->events, filo_name("birth"), NULL, NULL);
    filo_events_deliver(two->events); // between ticks of both
    filo_events_deliver(two->events);
    expect_each_in_its_world(two);
    for (int i = 0; i < 4; i++) { // in ticks of either world
        filo_events_emit(two->events, filo_name("birth"), NULL, NULL);
        assert_ok(filo_world_tick(two->worlds[i / 2], 1));
        assert_ok(filo_world_tick(two->worlds[i % 2], 1));
        expect_each_in_its_world(two);
    }
    close_two(two);
}

FILO_TEST(an_event_with_ids_of_one_world_is_not_resolved_by_the_other) {
    for (int first = 0; first < 2; first++) {
        Two *two = open_two();
        FiloChanges *changes[2];
        FiloEntity temporary[2];
        for (int i = 0; i < 2; i++) {
            changes[i] = filo_changes_create(two->worlds[i]);
            temporary[i] = filo_changes_create_entity(changes[i]);
            assert_true(filo_set(changes[i], temporary[i], Health, 7));
            assert_true(filo_events_emit(two->events, filo_name(i == 0 ? "created 0" : "created 1"),
                                         FILO_TYPE(Target), &(Target){ temporary[i] }));
        }
        assert_int_not_equal(temporary[0].id, temporary[1].id);
        assert_true(filo_changes_apply(changes[first]));
        assert_true(filo_changes_apply(changes[!first]));
        filo_events_deliver(two->events);
        expect_each_in_its_world(two);
        for (int i = 0; i < 2; i++) {
            assert_same_entity(two->created[i], filo_changes_resolved(changes[i], temporary[i]));
            filo_changes_destroy(changes[i]);
        }
        close_two(two);
    }
}

FILO_TEST(an_id_of_another_world_is_stale) {
    Two *two = open_two();
    FiloChanges *here = filo_changes_create(two->worlds[0]), *there = filo_changes_create(two->worlds[1]);
    FiloEntity foreign = filo_changes_create_entity(there);
    assert_int_not_equal(filo_changes_create_entity(here).id, 0);
    expect_stale(here, foreign);
    filo_changes_destroy(here);
    filo_changes_destroy(there);
    close_two(two);
}

FILO_TEST(temporary_ids_of_a_destroyed_world_in_events_resolve_to_no_entity) {
    Two *two = open_two();
    FiloChanges *changes = filo_changes_create(two->worlds[0]);
    FiloEntity stale = filo_changes_create_entity(changes);
    filo_events_emit(two->events, filo_name("created 1"), FILO_TYPE(Target), &(Target){ stale });
    filo_changes_destroy(changes);
    filo_world_destroy(two->worlds[0]);
    two->worlds[0] = new_world_with(&(FiloWorldDesc){ .jobs = two->jobs, .events = two->events });
    for (int i = 0; i < 2; i++) {
        changes = filo_changes_create(two->worlds[i]);
        assert_int_not_equal(filo_changes_create_entity(changes).id, stale.id);
        assert_true(filo_changes_apply(changes));
        filo_changes_destroy(changes);
    }
    filo_events_deliver(two->events);
    for (int i = 0; i < 2; i++) assert_false(filo_entity_exists(two->worlds[i], two->created[1]));
    close_two(two);
}

// Temporary ids are unique, so they differ between equal worlds.
FILO_TEST(an_unresolved_temporary_id_does_not_change_the_hash) {
    uint64_t hashes[2];
    for (int i = 0; i < 2; i++) {
        Scene *scene = open_scene(NULL);
        FiloChanges *changes = filo_changes_create(scene->world);
        emit_created(scene, filo_changes_create_entity(changes)); // in an event
        filo_edit_global(scene->world, Score)->leader = filo_changes_create_entity(changes);
        filo_edit_global(scene->world, Score)->points = 5;
        hashes[i] = filo_world_hash(scene->world);
        filo_edit_global(scene->world, Score)->points = 6;
        assert_int_not_equal(filo_world_hash(scene->world), hashes[i]);
        filo_changes_destroy(changes);
        close_scene(scene);
    }
    assert_int_equal(hashes[0], hashes[1]);
}
