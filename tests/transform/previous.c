// Previous transforms: a tick behind, and not written where nothing moves.

#include "transform/places.h"

FILO_TAG(Moving)

static void move(FiloIter *it) {
    FiloColumn transforms = filo_iter_column(it, 0);
    for (size_t i = 0; i < it->count; i++) {
        FiloTransform2 *transform = FILO_AT(transforms, i, FiloTransform2);
        transform->position = filo_vec2_add(transform->position, filo_vec2(1, 2));
    }
}

static void add_move(const Places *places) {
    filo_component(places->world, Moving);
    FiloSystemDesc desc = { .name = "move",
                            .run = move,
                            .parallel = true,
                            .query.terms = { FILO_WRITE(FiloTransform2), FILO_WITH(Moving) } };
    assert_int_not_equal(filo_system_add(places->world, &desc).id, 0);
}

static const FiloPreviousTransform2 *previous_of(const Places *places, FiloEntity entity) {
    return filo_get(places->world, entity, FiloPreviousTransform2);
}

FILO_TEST(the_previous_transform_is_one_tick_behind_and_catches_up_when_it_stops) {
    Places places = places_open(0);
    add_move(&places);
    FiloEntity entity = filo_create(places.world, FILO_ADD(FiloTransform2), FILO_ADD(FiloPreviousTransform2),
                                    FILO_ADD(Moving));
    assert_false(previous_of(&places, entity)->valid);
    for (int i = 0; i < 5; i++) {
        tick(&places);
        assert_true(previous_of(&places, entity)->valid);
        assert_at(previous_of(&places, entity)->position, (float)i, (float)(2 * i));
        assert_at(filo_get(places.world, entity, FiloTransform2)->position, (float)(i + 1),
                  (float)(2 * i + 2));
    }
    filo_edit(places.world, entity, FiloTransform2)->rotation = 2;
    filo_edit(places.world, entity, FiloTransform2)->scale = filo_vec2(4, 5);
    assert_true(filo_remove(places.world, entity, Moving));
    tick(&places);
    assert_at(previous_of(&places, entity)->position, 5, 10);
    assert_near(previous_of(&places, entity)->rotation, 2);
    assert_at(previous_of(&places, entity)->scale, 4, 5);
    places_close(&places);
}

FILO_TEST(what_does_not_move_is_not_written) {
    Places places = places_open(0);
    add_move(&places);
    for (int i = 0; i < 10; i++)
        filo_create(places.world, FILO_ADD(FiloTransform2), FILO_ADD(FiloPreviousTransform2));
    FiloEntity moving = filo_create(places.world, FILO_ADD(FiloTransform2), FILO_ADD(FiloPreviousTransform2),
                                    FILO_ADD(Moving));
    FiloQuery *changed = filo_query(places.world, FILO_READ_CHANGED(FiloPreviousTransform2));
    for (int i = 0; i < 3; i++) tick(&places);
    rows_changed(changed);
    tick(&places);
    assert_int_equal(rows_changed(changed), 1);
    assert_true(filo_remove(places.world, moving, Moving)); // moves to the others' table
    for (int i = 0; i < 2; i++) tick(&places);
    rows_changed(changed);
    tick(&places);
    assert_int_equal(rows_changed(changed), 0);
    filo_query_release(changed);
    places_close(&places);
}

FILO_TEST(previous_transforms_come_back_after_a_restore) {
    Places places = places_open(0);
    FiloEntity entity = filo_create(places.world, FILO_SET(FiloTransform2, .position = { 3, 4 }),
                                    FILO_ADD(FiloPreviousTransform2));
    FiloEntity solid = filo_create(places.world, FILO_SET(FiloTransform3, .position = { 3, 4, 5 }),
                                   FILO_ADD(FiloPreviousTransform3));
    for (int i = 0; i < 4; i++) tick(&places);
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(snapshot, places.world));
    uint64_t hash = filo_world_hash(places.world);
    tick(&places);
    assert_ok(filo_snapshot_restore(snapshot, places.world));
    assert_int_equal(filo_world_hash(places.world), hash);
    assert_false(previous_of(&places, entity)->valid);
    tick(&places);
    assert_true(previous_of(&places, entity)->valid);
    assert_at(previous_of(&places, entity)->position, 3, 4);
    assert_true(filo_get(places.world, solid, FiloPreviousTransform3)->valid);
    filo_snapshot_destroy(snapshot);
    places_close(&places);
}

FILO_TEST(inactive_entities_keep_what_they_have) {
    Places places = places_open(0);
    FiloEntity entity = filo_create(places.world, FILO_SET(FiloTransform2, .position = { 3, 4 }),
                                    FILO_ADD(FiloPreviousTransform2));
    filo_entity_set_active(places.world, entity, false);
    tick(&places);
    assert_false(previous_of(&places, entity)->valid); // so that instances of a prefab begin with nothing
    filo_entity_set_active(places.world, entity, true);
    tick(&places);
    assert_true(previous_of(&places, entity)->valid);
    places_close(&places);
}

FILO_TEST(many_are_kept_on_many_threads) {
    enum { COUNT = 50000 };
    Places places = places_open(4);
    add_move(&places);
    FiloComponentValue with[] = { FILO_ADD(FiloTransform2), FILO_ADD(FiloPreviousTransform2),
                                  FILO_ADD(Moving) };
    FiloBlockDesc block = { .count = COUNT, .values = with, .value_count = FILO_COUNT_OF(with) };
    assert_true(filo_entity_create_block(places.world, &block));
    for (int i = 0; i < 20; i++) tick(&places);
    FiloQuery *query = filo_query(places.world, FILO_READ(FiloTransform2), FILO_READ(FiloPreviousTransform2));
    FiloIter it = filo_query_iter(query);
    size_t good = 0;
    while (filo_iter_next(&it)) {
        FiloColumn now = filo_iter_column(&it, 0), previous = filo_iter_column(&it, 1);
        for (size_t i = 0; i < it.count; i++)
            good += FILO_AT(now, i, const FiloTransform2)->position.x == 20 &&
                    FILO_AT(previous, i, const FiloPreviousTransform2)->position.x == 19;
    }
    assert_int_equal(good, COUNT);
    filo_query_release(query);
    places_close(&places);
}
