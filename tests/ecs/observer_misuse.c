// Observers: the access that they declare, and mistakes.

#include "ecs/observer_fixture.h"

// ---- Access ---------------------------------------------------------------------------------------------------

typedef struct Reach {
    bool extra_access;
    int calls;
} Reach;

static void reach_out(FiloIter *it, const FiloObserved *observed) {
    Reach *reach = it->user;
    FiloEntity entity = observed->entities[0];
    reach->calls++;
    assert_non_null(filo_get(it->world, entity, Health)); // the observed component may be read
#ifndef NDEBUG
    expect_fault("writes Health, which it did not declare",
                 assert_non_null(filo_edit(it->world, entity, Health)));
    if (!reach->extra_access)
        expect_fault("reads Position", assert_null(filo_get(it->world, entity, Position)));
#endif
    if (reach->extra_access) filo_edit(it->world, entity, Position)->x++;
    expect_fault("cannot add a component while systems run",
                 assert_non_null(filo_add(it->world, entity, Velocity)));
    expect_fault(
        "cannot add an observer while systems run",
        filo_observer_add(it->world, &(FiloObserverDesc){ .run = reach_out, .kinds = FILO_OBSERVE_ADDED }));
    expect_fault("cannot remove an observer while systems run",
                 filo_observer_remove(it->world, (FiloObserver){ 1 }));
}

FILO_TEST(an_observer_has_the_access_it_declared) {
    FiloWorld *world = new_world();
    Reach plain = { 0 }, touching = { .extra_access = true };
    FiloObserverDesc desc = { .run = reach_out, .type = FILO_TYPE(Health), .kinds = FILO_OBSERVE_ADDED };
    desc.user = &plain;
    filo_observer_add(world, &desc);
    desc.user = &touching;
    desc.extra_access[0] = (FiloTerm)FILO_WRITE(Position);
    filo_observer_add(world, &desc);
    FiloEntity entity = filo_create(world, FILO_SET(Position, 1, 1), FILO_SET(Health, 1));
    filo_world_refresh(world);
    assert_int_equal(plain.calls, 1);
    assert_int_equal(touching.calls, 1);
    assert_true(filo_get(world, entity, Position)->x == 2);
    filo_world_destroy(world);
}

static void read_terms(FiloIter *it, const FiloObserved *observed) {
    FILO_UNUSED(observed);
    ++*(int *)it->user;
    assert_non_null(filo_get(it->world, observed->entities[0], Position));
    filo_edit(it->world, observed->entities[0], Velocity)->x = 1;
#ifndef NDEBUG
    expect_fault("reads Health", assert_null(filo_get(it->world, observed->entities[0], Health)));
#endif
}

FILO_TEST(an_observer_of_a_query_has_the_access_of_its_terms) {
    FiloWorld *world = new_world();
    int calls = 0;
    filo_observer_add(world,
                      &(FiloObserverDesc){ .run = read_terms,
                                           .kinds = FILO_OBSERVE_ENTERED,
                                           .query.terms = { FILO_READ(Position), FILO_WRITE(Velocity) },
                                           .user = &calls });
    filo_create(world, FILO_SET(Position, 1, 1), FILO_SET(Velocity, 0, 0), FILO_SET(Health, 1));
    filo_world_refresh(world);
    assert_int_equal(calls, 1);
    filo_world_destroy(world);
}

// ---- Mistakes -------------------------------------------------------------------------------------------------

static void expect_refusal(FiloWorld *world, const char *text, FiloObserverDesc desc) {
    FiloWorldStats before = filo_world_stats(world);
    expect_fault(text, assert_int_equal(filo_observer_add(world, &desc).id, 0));
    assert_int_equal(filo_world_stats(world).queries, before.queries);
    assert_int_equal(filo_world_stats(world).memory, before.memory);
}

FILO_TEST(mistakes_in_descriptions_are_reported) {
    FiloWorld *world = new_world();
    FiloObserverDesc valid = {
        .name = "x", .run = log_observed, .type = FILO_TYPE(Health), .kinds = FILO_OBSERVE_ADDED
    };
    FiloObserverDesc bad = valid;
    (void)filo_observer_add(world, &valid); // allocates names, once
    expect_fault("pass a world and a description of the observer", filo_observer_add(NULL, &valid));
    expect_fault("pass a world and a description of the observer", filo_observer_add(world, NULL));
    bad.run = NULL;
    expect_refusal(world, "observer \"x\" needs a function to run", bad);
    bad = valid, bad.kinds = 0;
    expect_refusal(world, "observer \"x\": say what it observes: .kinds = FILO_OBSERVE_ADDED", bad);
    bad.kinds = 64;
    expect_refusal(world, "observer \"x\": say what it observes: .kinds = FILO_OBSERVE_ADDED", bad);
    bad.kinds = FILO_OBSERVE_ADDED | FILO_OBSERVE_LEFT;
    expect_refusal(
        world, "observer \"x\": components are added, removed and set, queries are entered and left", bad);
    bad.kinds = FILO_OBSERVE_LEFT;
    expect_refusal(world, "observer \"x\": entities enter and leave a query; leave .type and .component out",
                   bad);
    bad.type = NULL, bad.existing = true;
    expect_refusal(
        world,
        "observer \"x\": what exists is told as added or entered; ask for that too, or leave .existing out",
        bad);
    bad.existing = false;
    bad.query.terms[0] = (FiloTerm)FILO_READ_CHANGED(Health);
    expect_refusal(
        world, "observer \"x\": changed values do not make entities enter or leave; leave .changed out", bad);
    bad.query.terms[0] = (FiloTerm)FILO_PARENT_READ(Health);
    expect_refusal(world, "a tracked one cannot ask for the parent's Health", bad);
    bad.query.terms[0] = (FiloTerm)FILO_READ(Stranger);
    expect_refusal(world, "observer \"x\": register the component Stranger before, with filo_component", bad);
    bad = valid, bad.query.terms[0] = (FiloTerm)FILO_READ(Health);
    expect_refusal(world, "observer \"x\": components are added, removed and set; leave .query out", bad);
    bad = valid, bad.type = NULL;
    expect_refusal(world, "observer \"x\": say of which component: .type = FILO_TYPE(Position)", bad);
    bad.component.id = 999;
    expect_refusal(world, "observer \"x\": component 999 is not registered in this world", bad);
    bad = valid, bad.type = FILO_TYPE(Stranger);
    expect_refusal(world, "observer \"x\": component Stranger is not registered in this world", bad);
    bad.type = FILO_TYPE(Score);
    expect_refusal(world, "observer \"x\": component Score is global: no entity gets or loses it", bad);
    bad.type = FILO_TYPE(Frozen), bad.kinds |= FILO_OBSERVE_SET;
    expect_refusal(
        world, "observer \"x\": component Frozen has no data, so nothing is set; ask for added and removed",
        bad);
    bad.type = FILO_TYPE(FiloFamily);
    expect_refusal(world,
                   "observer \"x\": the world manages component FiloFamily, so it is never set; ask for "
                   "added and removed",
                   bad);
    bad = valid, bad.extra_access[0] = (FiloTerm)FILO_READ(Stranger);
    expect_refusal(world, "observer \"x\": register the component Stranger before, with filo_component", bad);
    filo_world_destroy(world);
}

FILO_TEST(an_observer_is_removed_once) {
    FiloWorld *world = new_world();
    Log log = { 0 };
    FiloObserver observer = observe_health(world, &log);
    filo_observer_remove(world, observer);
    expect_fault("this observer was removed already", filo_observer_remove(world, observer));
    expect_fault("pass a world", filo_observer_remove(NULL, observer));
    FiloQuery *query = filo_query(world, FILO_READ(Health));
    filo_create(world, FILO_SET(Health, 1));
    FiloIter it = filo_query_iter(query);
    assert_true(filo_iter_next(&it));
    expect_fault("cannot add an observer inside an iteration",
                 filo_observer_add(world, &(FiloObserverDesc){ .run = log_observed }));
    filo_iter_end(&it);
    destroy_with_query(world, query);
}

static void ask_for_others(FiloIter *it, const FiloObserved *observed) {
    ++*(int *)it->user;
    expect_fault("these are values of Health, not of Position",
                 assert_null(filo_observed_values(observed, Position)));
    assert_ptr_equal(filo_observed_values(observed, Health), observed->values);
}

FILO_TEST(values_of_another_type_are_refused) {
    FiloWorld *world = new_world();
    int calls = 0;
    filo_observer_add(world, &(FiloObserverDesc){ .run = ask_for_others,
                                                  .type = FILO_TYPE(Health),
                                                  .kinds = FILO_OBSERVE_REMOVED,
                                                  .user = &calls });
    FiloEntity entity = filo_create(world, FILO_SET(Health, 1));
    filo_world_refresh(world);
    filo_entity_destroy(world, entity);
    filo_world_refresh(world);
    assert_int_equal(calls, 1);
    filo_world_destroy(world);
}
