// Iteration with FiloEach, and terms that a query does not have.

#include "ecs/schedule_access.h"
#include "ecs/storages.h"
#include "ecs/system_fixture.h"

// ---- Between ticks ------------------------------------------------------------------------------------

FILO_TEST(each_visits_every_entity_once_with_its_values_in_every_storage) {
    for (size_t s = 0; s < FILO_COUNT_OF(storages); s++) {
        FiloWorld *world = world_with_health_in(storages[s]);
        filo_edit_global(world, Score)->points = 7;
        FiloEntity entities[900];
        for (int i = 0; i < 900; i++) { // two tables; some entities do not match
            entities[i] = filo_create(world, FILO_SET(Position, (float)i, 0));
            if (i % 3 != 0) filo_set(world, entities[i], Health, i);
            if (i % 2 == 0) filo_add(world, entities[i], Velocity);
        }
        FiloQuery *query = filo_query(world, FILO_WRITE(Health), FILO_READ(Position), FILO_READ(Score),
                                      FILO_OPTIONAL_READ(Velocity));
        size_t count = 0;
        FiloEach each = filo_query_each(query);
        while (filo_each_next(&each)) {
            int number = (int)filo_each_read(&each, Position)->x;
            assert_int_equal(each.entity.id, entities[number].id);
            assert_int_equal(filo_each_write(&each, Health)->points, number);
            filo_each_write(&each, Health)->points = -1; // a second visit would fail
            assert_int_equal(filo_each_read(&each, Score)->points, 7);
            assert_int_equal(filo_each_read(&each, Velocity) != NULL, number % 2 == 0);
            assert_int_equal(filo_row_has(&each.it, each.row, Velocity), number % 2 == 0);
            count++;
        }
        assert_int_equal(count, 600);
        assert_int_equal(each.entity.id, 0);
        assert_false(filo_each_next(&each));          // stays at the end
        filo_create(world, FILO_SET(Position, 0, 0)); // the iteration has ended
        destroy_with_query(world, query);
    }
}

FILO_TEST(each_visits_rows_in_the_order_of_columns) {
    FiloWorld *world = world_with_health_in(FILO_STORAGE_SPARSE);
    for (int i = 0; i < 700; i++) {
        FiloEntity entity = filo_create(world, FILO_SET(Position, (float)i, 0));
        if (i % 5 < 2) filo_set(world, entity, Health, i);
    }
    FiloQuery *query = filo_query(world, FILO_READ(Position), FILO_READ(Health));
    FiloEach each = filo_query_each(query);
    for (FiloIter it = filo_query_iter(query); filo_iter_next(&it);)
        for (size_t i = 0; i < it.count; i++) {
            assert_true(filo_each_next(&each));
            assert_int_equal(each.entity.id, filo_iter_entity(&it, i).id);
        }
    assert_false(filo_each_next(&each));
    destroy_with_query(world, query);
}

FILO_TEST(each_can_be_ended_early) {
    for (size_t s = 0; s < FILO_COUNT_OF(storages); s++) {
        FiloWorld *world = world_with_health_in(storages[s]);
        for (int i = 0; i < 10; i++) filo_create(world, FILO_SET(Position, 0, 0), FILO_SET(Health, i));
        FiloQuery *query = filo_query(world, FILO_READ(Position), FILO_READ(Health));
        FiloEach each = filo_query_each(query);
        for (int i = 0; i < 3; i++) assert_true(filo_each_next(&each));
        expect_fault("inside an iteration", filo_entity_destroy(world, each.entity));
        FiloEntity third = each.entity;
        filo_each_end(&each);
        filo_entity_destroy(world, third);
        assert_int_equal(filo_query_count(query), 9);
        assert_false(filo_each_next(&each));
        destroy_with_query(world, query);
    }
}

FILO_TEST(each_visits_nothing_for_an_empty_query) {
    FiloWorld *world = world_with_health_in(FILO_STORAGE_MAP);
    FiloQuery *query = filo_query(world, FILO_READ(Health));
    FiloEach each = filo_query_each(query);
    assert_false(filo_each_next(&each));
    filo_query_release(query);
    expect_fault("pass the query", each = filo_query_each(NULL));
    assert_false(filo_each_next(&each));
    filo_world_destroy(world);
}

// ---- In systems ---------------------------------------------------------------------------------------

static void advance(FiloIter *it) {
    FiloEach each = filo_iter_each(it);
    while (filo_each_next(&each)) {
        filo_each_write(&each, Position)->x += 1;
        filo_each_write(&each, Health)->points += 1;
        assert_int_equal(each.entity.id, filo_iter_entity(it, each.row).id);
    }
}

FILO_TEST(each_in_a_system_visits_the_rows_it_was_called_with) {
    for (int threads = 0; threads <= 4; threads += 4) {
        Fixture fixture = fixture_open(threads);
        divide_eagerly(fixture.world, threads > 0);
        FiloEntity entities[2000];
        for (int i = 0; i < 2000; i++)
            entities[i] = filo_create(fixture.world, FILO_SET(Position, 0, 0), FILO_SET(Health, i));
        filo_system_add(fixture.world,
                        &(FiloSystemDesc){ .name = "advance",
                                           .run = advance,
                                           .parallel = true,
                                           .query.terms = { FILO_WRITE(Position), FILO_WRITE(Health) } });
        tick(&fixture);
        tick(&fixture);
        for (int i = 0; i < 2000; i++) {
            assert_true(filo_get(fixture.world, entities[i], Position)->x == 2);
            assert_int_equal(filo_get(fixture.world, entities[i], Health)->points, i + 2);
        }
        fixture_close(&fixture);
    }
}

static void bury(FiloIter *it) {
    FiloEach each = filo_iter_each_over(it, it->query);
    while (filo_each_next(&each))
        if (filo_each_read(&each, Health)->points == 0)
            filo_changes_destroy_entity(each.it.changes, each.entity);
    assert_false(filo_each_next(&each));
}

FILO_TEST(each_in_a_run_once_system_records_changes) {
    Fixture fixture = fixture_open(0);
    for (int i = 0; i < 10; i++) filo_create(fixture.world, FILO_SET(Health, i % 2));
    filo_system_add(
        fixture.world,
        &(FiloSystemDesc){ .name = "bury", .run = bury, .once = true, .query.terms = { FILO_READ(Health) } });
    tick(&fixture);
    assert_int_equal(filo_world_stats(fixture.world).entities, 5);
    fixture_close(&fixture);
}

// ---- Missing terms -----------------------------------------------------------------------------------

static void ask_for_term(FiloIter *it) {
    unsigned term = *(unsigned *)it->user;
    FiloColumn column = filo_iter_column(it, term);
    assert_null(column.data);
    assert_null(column.rows);
}

FILO_TEST(a_missing_term_is_reported_and_its_column_is_empty) {
    only_in_debug_builds();
    Fixture fixture = fixture_open(0);
    filo_create(fixture.world, FILO_SET(Position, 0, 0));
    unsigned term = 2;
    filo_system_add(fixture.world,
                    &(FiloSystemDesc){ .name = "ask",
                                       .run = ask_for_term,
                                       .user = &term,
                                       .query.terms = { FILO_READ(Position), FILO_WRITE(Score) } });
    expect_fault("there is no term 2: the query of system \"ask\" has 2, counted from 0", tick(&fixture));
    term = UINT32_MAX;
    expect_fault("there is no term 4294967295", tick(&fixture));
    FiloQuery *query = filo_query(fixture.world, FILO_READ(Position));
    FiloIter it = filo_query_iter(query);
    assert_true(filo_iter_next(&it));
    expect_fault("there is no term 1: the query has 1, counted from 0",
                 assert_false(filo_iter_has(&it, 1, 0)));
    expect_fault("there is no term 1", assert_null(filo_iter_column(&it, 1).data));
    for (unsigned i = 1; i < FILO_TERMS; i++) assert_null(it.columns_[i].data); // cleared
    filo_iter_end(&it);
    filo_query_release(query);
    fixture_close(&fixture);
}
