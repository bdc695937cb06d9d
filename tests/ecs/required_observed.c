// Required components are reported to observers and tracked queries.

#include "ecs/world_types.h"

typedef struct Reported {
    FiloEntity entities[64];
    size_t count;
} Reported;

static void report(FiloIter *it, const FiloObserved *observed) {
    Reported *reported = it->user;
    for (size_t i = 0; i < observed->count; i++)
        reported->entities[reported->count++] = observed->entities[i];
}

static void refresh_and_expect(FiloWorld *world, FiloQuery *tracked, Reported *reported, FiloEntity entity) {
    reported->count = 0;
    filo_world_refresh(world);
    assert_int_equal(reported->count, 1);
    assert_same_entity(reported->entities[0], entity);
    size_t entered;
    const FiloEntity *first = filo_query_entered(tracked, &entered);
    assert_int_equal(entered, 1);
    assert_same_entity(first[0], entity);
}

// By each method of adding a component, both the first time and along a cached edge.
FILO_TEST(required_components_are_reported_to_observers_and_tracked_queries) {
    FiloWorld *world = create_world();
    filo_component(world, Velocity);
    filo_component(world, Chosen, .storage = FILO_STORAGE_TAG);
    filo_component(world, Health, .required = { FILO_REQUIRED(Velocity) });
    filo_component(world, Target, .required = { FILO_REQUIRED(Velocity), FILO_REQUIRED(Chosen) });
    Reported reported = { .count = 0 };
    filo_observer_add(world, &(FiloObserverDesc){ .run = report,
                                                  .kinds = FILO_OBSERVE_ADDED,
                                                  .type = FILO_TYPE(Velocity),
                                                  .user = &reported });
    FiloQuery *tracked =
        filo_query_create(world, &(FiloQueryDesc){ .terms = { FILO_READ(Velocity) }, .tracked = true });
    FiloChanges *changes = filo_changes_create(world);
    for (int round = 0; round < 3; round++) {
        FiloEntity entity = filo_entity_create(world);
        filo_add(world, entity, Health);
        refresh_and_expect(world, tracked, &reported, entity);
        entity = filo_entity_create(world);
        filo_set(world, entity, Health, 3);
        refresh_and_expect(world, tracked, &reported, entity);
        entity = filo_entity_create(world);
        filo_set(world, entity, Target, entity); // some required components are outside of tables
        refresh_and_expect(world, tracked, &reported, entity);
        entity = filo_create(world, FILO_SET(Health, 4));
        refresh_and_expect(world, tracked, &reported, entity);
        entity = filo_entity_create(world);
        filo_entity_add_many(world, &entity, 1, ID(world, Health));
        refresh_and_expect(world, tracked, &reported, entity);
        entity = filo_create(changes, FILO_SET(Health, 5));
        assert_true(filo_changes_apply(changes));
        refresh_and_expect(world, tracked, &reported, filo_changes_resolved(changes, entity));
        entity = filo_entity_create(world);
        filo_set(changes, entity, Target, entity);
        assert_true(filo_changes_apply(changes));
        refresh_and_expect(world, tracked, &reported, entity);
    }
    filo_changes_destroy(changes);
    destroy_with_query(world, tracked);
}
