// Previous transforms: one tick older, and not written for entities that do not move.

#include "transform/fixture.h"

FILO_TEST(the_previous_transform_is_one_tick_behind_and_catches_up_when_it_stops) {
    Fixture fixture = fixture_open(0);
    add_move(&fixture);
    FiloEntity entity = filo_create(fixture.world, FILO_ADD(FiloTransform2), FILO_ADD(FiloPreviousTransform2),
                                    FILO_ADD(Moving));
    assert_false(previous_of(&fixture, entity)->valid);
    for (int i = 0; i < 5; i++) {
        tick(&fixture);
        assert_true(previous_of(&fixture, entity)->valid);
        assert_at(previous_of(&fixture, entity)->position, (float)i, (float)(2 * i));
        assert_at(filo_get(fixture.world, entity, FiloTransform2)->position, (float)(i + 1),
                  (float)(2 * i + 2));
    }
    filo_edit(fixture.world, entity, FiloTransform2)->rotation = 2;
    filo_edit(fixture.world, entity, FiloTransform2)->scale = filo_vec2(4, 5);
    assert_true(filo_remove(fixture.world, entity, Moving));
    tick(&fixture);
    assert_at(previous_of(&fixture, entity)->position, 5, 10);
    assert_near(previous_of(&fixture, entity)->rotation, 2);
    assert_at(previous_of(&fixture, entity)->scale, 4, 5);
    fixture_close(&fixture);
}

FILO_TEST(previous_transforms_of_entities_that_do_not_move_are_not_written) {
    Fixture fixture = fixture_open(0);
    add_move(&fixture);
    for (int i = 0; i < 10; i++)
        filo_create(fixture.world, FILO_ADD(FiloTransform2), FILO_ADD(FiloPreviousTransform2));
    FiloEntity moving = filo_create(fixture.world, FILO_ADD(FiloTransform2), FILO_ADD(FiloPreviousTransform2),
                                    FILO_ADD(Moving));
    FiloQuery *changed = filo_query(fixture.world, FILO_READ_CHANGED(FiloPreviousTransform2));
    for (int i = 0; i < 3; i++) tick(&fixture);
    rows_changed(changed);
    tick(&fixture);
    assert_int_equal(rows_changed(changed), 1);
    assert_true(filo_remove(fixture.world, moving, Moving)); // moves it to the table of the others
    for (int i = 0; i < 2; i++) tick(&fixture);
    rows_changed(changed);
    tick(&fixture);
    assert_int_equal(rows_changed(changed), 0);
    filo_query_release(changed);
    fixture_close(&fixture);
}

FILO_TEST(previous_transforms_are_valid_a_tick_after_a_restore) {
    Fixture fixture = fixture_open(0);
    FiloEntity entity = filo_create(fixture.world, FILO_SET(FiloTransform2, .position = { 3, 4 }),
                                    FILO_ADD(FiloPreviousTransform2));
    FiloEntity solid = filo_create(fixture.world, FILO_SET(FiloTransform3, .position = { 3, 4, 5 }),
                                   FILO_ADD(FiloPreviousTransform3));
    for (int i = 0; i < 4; i++) tick(&fixture);
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(snapshot, fixture.world));
    uint64_t hash = filo_world_hash(fixture.world);
    tick(&fixture);
    assert_ok(filo_snapshot_restore(snapshot, fixture.world));
    assert_int_equal(filo_world_hash(fixture.world), hash);
    assert_false(previous_of(&fixture, entity)->valid);
    tick(&fixture);
    assert_true(previous_of(&fixture, entity)->valid);
    assert_at(previous_of(&fixture, entity)->position, 3, 4);
    assert_true(filo_get(fixture.world, solid, FiloPreviousTransform3)->valid);
    filo_snapshot_destroy(snapshot);
    fixture_close(&fixture);
}

FILO_TEST(previous_transforms_of_inactive_entities_are_not_written) {
    Fixture fixture = fixture_open(0);
    FiloEntity entity = filo_create(fixture.world, FILO_SET(FiloTransform2, .position = { 3, 4 }),
                                    FILO_ADD(FiloPreviousTransform2));
    filo_entity_set_active(fixture.world, entity, false);
    tick(&fixture);
    // So that instances of a prefab begin with an invalid one.
    assert_false(previous_of(&fixture, entity)->valid);
    filo_entity_set_active(fixture.world, entity, true);
    tick(&fixture);
    assert_true(previous_of(&fixture, entity)->valid);
    fixture_close(&fixture);
}

FILO_TEST(many_previous_transforms_are_copied_on_many_threads) {
    enum { COUNT = 50000 };
    Fixture fixture = fixture_open(4);
    add_move(&fixture);
    FiloComponentValue values[] = { FILO_ADD(FiloTransform2), FILO_ADD(FiloPreviousTransform2),
                                    FILO_ADD(Moving) };
    FiloBlockDesc block = { .count = COUNT, .values = values, .value_count = FILO_COUNT_OF(values) };
    assert_true(filo_entity_create_block(fixture.world, &block));
    for (int i = 0; i < 20; i++) tick(&fixture);
    FiloQuery *query =
        filo_query(fixture.world, FILO_READ(FiloTransform2), FILO_READ(FiloPreviousTransform2));
    FiloIter it = filo_query_iter(query);
    size_t ok = 0;
    while (filo_iter_next(&it)) {
        FiloColumn now = filo_iter_column(&it, 0), previous = filo_iter_column(&it, 1);
        for (size_t i = 0; i < it.count; i++)
            ok += FILO_AT(now, i, const FiloTransform2)->position.x == 20 &&
                  FILO_AT(previous, i, const FiloPreviousTransform2)->position.x == 19;
    }
    assert_int_equal(ok, COUNT);
    filo_query_release(query);
    fixture_close(&fixture);
}
