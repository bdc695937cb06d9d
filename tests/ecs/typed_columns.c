// Columns by type, in every storage, and messages about mistakes.

#include "ecs/schedule_access.h"
#include "ecs/storages.h"
#include "ecs/system_fixture.h"

#include <filo/hash.h>

// ---- Arrays -------------------------------------------------------------------------------------------

FILO_TEST(columns_are_found_by_type_in_any_order_of_terms) {
    FiloWorld *world = world_with_health_in(FILO_STORAGE_TABLE);
    for (int i = 0; i < 5000; i++) {
        FiloEntity entity =
            filo_create(world, FILO_SET(Position, (float)i, 0), FILO_SET(Velocity, 0, (float)i));
        if (i % 2 == 0) filo_add(world, entity, Frozen);
    }
    FiloQuery *queries[] = {
        filo_query(world, FILO_WRITE(Position), FILO_READ(Velocity)),
        filo_query(world, FILO_READ(Velocity), FILO_WRITE(Position)),
        filo_query(world, FILO_WITHOUT(Health), FILO_READ(Velocity), FILO_READ(Score), FILO_WRITE(Position)),
    };
    for (size_t q = 0; q < FILO_COUNT_OF(queries); q++) {
        size_t count = 0;
        FiloIter it = filo_query_iter(queries[q]);
        while (filo_iter_next(&it)) {
            Position *position = filo_write(&it, Position);
            const Velocity *velocity = filo_read(&it, Velocity);
            assert_ptr_equal(filo_read(&it, Position), position); // a written column can be read
            for (size_t i = 0; i < it.count; i++) {
                FiloEntity entity = filo_iter_entity(&it, i);
                assert_ptr_equal(&position[i], filo_get(world, entity, Position));
                assert_ptr_equal(&velocity[i], filo_get(world, entity, Velocity));
                assert_true(position[i].x == velocity[i].y);
            }
            count += it.count;
        }
        assert_int_equal(count, 5000);
        filo_query_release(queries[q]);
    }
    filo_world_destroy(world);
}

FILO_TEST(an_optional_column_is_null_for_rows_without_the_component) {
    FiloWorld *world = world_with_health_in(FILO_STORAGE_TABLE);
    for (int i = 0; i < 100; i++) {
        FiloEntity entity = filo_create(world, FILO_SET(Position, (float)i, 0));
        if (i % 3 == 0) filo_set(world, entity, Velocity, (float)i, 0);
        if (i % 5 == 0) filo_set(world, entity, Health, i);
    }
    FiloQuery *query =
        filo_query(world, FILO_READ(Position), FILO_OPTIONAL_WRITE(Velocity), FILO_OPTIONAL_READ(Health));
    FiloQuery *any = filo_query(world, FILO_ANY_READ(Velocity), FILO_ANY_READ(Health));
    size_t with = 0, without = 0;
    FiloIter it = filo_query_iter(query);
    while (filo_iter_next(&it)) {
        const Position *position = filo_read(&it, Position);
        Velocity *velocity = filo_write(&it, Velocity);
        const Health *health = filo_read(&it, Health);
        for (size_t i = 0; i < it.count; i++) {
            int number = (int)position[i].x;
            assert_int_equal(velocity != NULL, number % 3 == 0);
            assert_int_equal(health != NULL, number % 5 == 0);
            if (velocity != NULL) assert_true(velocity[i].x == position[i].x);
            if (health != NULL) assert_int_equal(health[i].points, number);
            *(velocity != NULL ? &with : &without) += 1;
        }
    }
    assert_int_equal(with, 34);
    assert_int_equal(without, 66);
    size_t found = 0;
    it = filo_query_iter(any);
    while (filo_iter_next(&it)) {
        assert_true(filo_read(&it, Velocity) != NULL || filo_read(&it, Health) != NULL);
        found += it.count;
    }
    assert_int_equal(found, 47);
    filo_query_release(query);
    destroy_with_query(world, any);
}

FILO_TEST(an_optional_component_outside_of_tables_keeps_other_columns_contiguous) {
    FiloWorld *world = world_with_health_in(FILO_STORAGE_SPARSE);
    for (int i = 0; i < 600; i++) {
        FiloEntity entity = filo_create(world, FILO_SET(Position, (float)i, 0));
        if (i % 3 == 0) filo_set(world, entity, Health, i);
    }
    FiloQuery *query = filo_query(world, FILO_OPTIONAL_READ(Health), FILO_READ(Position));
    size_t count = 0;
    FiloIter it = filo_query_iter(query);
    while (filo_iter_next(&it)) {
        const Position *position = filo_read(&it, Position);
        FiloColumn health = filo_column(&it, Health);
        for (size_t i = 0; i < it.count; i++) {
            int number = (int)position[i].x;
            const Health *own = FILO_TRY_AT(health, i, const Health);
            assert_int_equal(own != NULL, number % 3 == 0);
            if (own != NULL) assert_int_equal(own->points, number);
            assert_int_equal(filo_row_has(&it, i, Health), own != NULL);
        }
        count += it.count;
    }
    assert_int_equal(count, 600);
    destroy_with_query(world, query);
}

FILO_TEST(the_term_with_the_most_access_wins_among_several_of_one_type) {
    FiloWorld *world = world_with_health_in(FILO_STORAGE_TABLE);
    filo_create(world, FILO_SET(Position, 1, 2));
    FiloQuery *query = filo_query(world, FILO_WITH(Position), FILO_READ(Position), FILO_WRITE(Position));
    FiloIter it = filo_query_iter(query);
    assert_true(filo_iter_next(&it));
    assert_true(filo_read(&it, Position)->x == 1);
    filo_write(&it, Position)->y = 3;
    assert_false(filo_iter_next(&it));
    destroy_with_query(world, query);
}

// ---- Globals, parents, tags -----------------------------------------------------------------------------

FILO_TEST(a_global_is_a_single_value_with_and_without_rows) {
    FiloWorld *world = world_with_health_in(FILO_STORAGE_TABLE);
    for (int i = 0; i < 3; i++) filo_create(world, FILO_SET(Position, 0, 0));
    filo_edit_global(world, Score)->points = 7;
    FiloQuery *query = filo_query(world, FILO_READ(Position), FILO_WRITE(Score));
    FiloIter it = filo_query_iter(query);
    assert_int_equal(filo_read_global(&it, Score)->points, 7); // before there are rows
    while (filo_iter_next(&it)) {
        assert_ptr_equal(filo_read_global(&it, Score), filo_get_global(world, Score));
        filo_write_global(&it, Score)->points += (int64_t)it.count;
    }
    assert_int_equal(filo_read_global(&it, Score)->points, 10);
    destroy_with_query(world, query);
}

FILO_TEST(a_parent_column_has_one_pointer_per_row) {
    FiloWorld *world = world_with_health_in(FILO_STORAGE_TABLE);
    FiloEntity parents[2];
    for (int i = 0; i < 2; i++)
        parents[i] = filo_create(world, FILO_SET(Position, 100.0f * (float)(i + 1), 0));
    for (int i = 0; i < 600; i++) {
        FiloEntity child =
            filo_create(world, FILO_SET(Position, (float)i, 0), FILO_SET(Velocity, (float)(i % 3), 0));
        if (i % 3 < 2) filo_entity_set_parent(world, child, parents[i % 3]);
    }
    FiloTerm optional_parent = FILO_PARENT_READ(Position);
    optional_parent.kind = FILO_TERM_OPTIONAL;
    FiloQuery *query = filo_query(world, FILO_READ(Velocity), optional_parent, FILO_WRITE(Position));
    size_t count = 0;
    FiloIter it = filo_query_iter(query);
    while (filo_iter_next(&it)) {
        const Velocity *number = filo_read(&it, Velocity);
        Position *position = filo_write(&it, Position);
        const Position *const *of_parent = filo_read_parent(&it, Position);
        for (size_t i = 0; i < it.count; i++) {
            int parent = (int)number[i].x;
            assert_ptr_equal(of_parent[i], parent < 2 ? filo_get(world, parents[parent], Position) : NULL);
            assert_ptr_equal(&position[i], filo_get(world, filo_iter_entity(&it, i), Position));
        }
        count += it.count;
    }
    assert_int_equal(count, 600);
    FiloEach each = filo_query_each(query);
    while (filo_each_next(&each)) {
        int parent = (int)filo_each_read(&each, Velocity)->x;
        assert_ptr_equal(filo_each_read_parent(&each, Position),
                         parent < 2 ? filo_get(world, parents[parent], Position) : NULL);
        count--;
    }
    assert_int_equal(count, 0);
    destroy_with_query(world, query);
}

FILO_TEST(tags_of_rows_are_read_in_every_storage) {
    FiloWorld *world = world_with_health_in(FILO_STORAGE_MAP);
    for (int i = 0; i < 400; i++) {
        FiloEntity entity = filo_create(world, FILO_SET(Position, (float)i, 0));
        if (i % 2 == 0) filo_add(world, entity, Frozen);
        if (i % 3 == 0) filo_add(world, entity, Chosen);
        if (i % 5 == 0) filo_add(world, entity, Health);
    }
    FiloQuery *query = filo_query(world, FILO_READ(Position), FILO_OPTIONAL_READ(Frozen),
                                  FILO_OPTIONAL_READ(Chosen), FILO_OPTIONAL_READ(Health));
    size_t count = 0;
    FiloIter it = filo_query_iter(query);
    while (filo_iter_next(&it)) {
        const Position *position = filo_read(&it, Position);
        for (size_t i = 0; i < it.count; i++) {
            int number = (int)position[i].x;
            assert_int_equal(filo_row_has(&it, i, Frozen), number % 2 == 0);
            assert_int_equal(filo_row_has(&it, i, Chosen), number % 3 == 0);
            assert_int_equal(filo_row_has(&it, i, Health), number % 5 == 0);
        }
        count += it.count;
    }
    assert_int_equal(count, 400);
    destroy_with_query(world, query);
}

// ---- Every storage --------------------------------------------------------------------------------------

FILO_TEST(a_column_by_type_has_the_values_of_every_storage) {
    for (size_t s = 0; s < FILO_COUNT_OF(storages); s++) {
        FiloWorld *world = world_with_health_in(storages[s]);
        FiloEntity entities[900];
        for (int i = 0; i < 900; i++) {
            entities[i] = filo_create(world, FILO_SET(Position, (float)i, 0));
            if (i % 3 != 0) filo_set(world, entities[i], Health, i);
        }
        FiloQuery *query = filo_query(world, FILO_READ(Position), FILO_WRITE(Health));
        size_t count = 0;
        FiloIter it = filo_query_iter(query);
        while (filo_iter_next(&it)) {
            FiloColumn position = filo_column(&it, Position), health = filo_column(&it, Health);
            for (size_t i = 0; i < it.count; i++) {
                int number = (int)FILO_AT(position, i, const Position)->x;
                assert_ptr_equal(FILO_AT(health, i, Health), filo_get(world, entities[number], Health));
                assert_int_equal(FILO_AT(health, i, Health)->points, number);
            }
            count += it.count;
        }
        assert_int_equal(count, 600);
        FiloEach each = filo_query_each(query);
        while (filo_each_next(&each)) {
            int number = (int)filo_each_read(&each, Position)->x;
            assert_ptr_equal(filo_each_read(&each, Health), filo_get(world, entities[number], Health));
            filo_each_write(&each, Health)->points = -number;
            count--;
        }
        assert_int_equal(count, 0);
        for (int i = 0; i < 900; i++)
            if (i % 3 != 0) assert_int_equal(filo_get(world, entities[i], Health)->points, -i);
        destroy_with_query(world, query);
    }
}

static void fill(FiloIter *it, void *user) {
    Position *position = filo_write(it, Position);
    const Velocity *velocity = filo_read(it, Velocity);
    for (size_t i = 0; i < it->count; i++) position[i].x = velocity[i].x + (float)(it->first + i);
    expect_fault("the block has no term for Health: add FILO_READ(Health). Its terms are Velocity (write), "
                 "Position (write)",
                 assert_null(filo_read(it, Health)));
    assert_int_equal(it->count, 0); // the rows are invalidated
    *(size_t *)user += 1;
}

FILO_TEST(blocks_are_filled_by_type) {
    FiloWorld *world = world_with_health_in(FILO_STORAGE_TABLE);
    FiloEntity entities[10];
    size_t parts = 0;
    assert_true(filo_entity_create_block(
        world,
        &(FiloBlockDesc){ .count = 10,
                          .values = (FiloComponentValue[]){ FILO_SET(Velocity, 100, 0), FILO_ADD(Position) },
                          .value_count = 2,
                          .entities = entities,
                          .fill = fill,
                          .user = &parts }));
    assert_int_equal(parts, 1);
    for (int i = 0; i < 10; i++) assert_true(filo_get(world, entities[i], Position)->x == 100.0f + (float)i);
    filo_world_destroy(world);
}

// ---- In systems, on threads -----------------------------------------------------------------------------

static void steer(FiloIter *it) {
    Velocity *velocity = filo_write(it, Velocity);
    const Position *position = filo_read(it, Position);
    const Score *score = filo_read_global(it, Score);
    const Target *owner = filo_read(it, Target);
    for (size_t i = 0; i < it->count; i++) {
        velocity[i].x += position[i].y * 0.5f + (float)score->points;
        if (owner != NULL) velocity[i].y += (float)filo_entity_index(owner[i].entity);
    }
}

static void count_up(FiloIter *it) { filo_write_global(it, Score)->points++; }

static uint64_t hash_after_ticks(int threads) {
    Fixture fixture = fixture_open(threads);
    divide_eagerly(fixture.world, threads > 0);
    FiloEntity last = FILO_ENTITY_NONE;
    for (int i = 0; i < 3000; i++) {
        FiloEntity entity = filo_create(fixture.world, FILO_SET(Position, (float)i, (float)(i % 7)),
                                        FILO_SET(Velocity, 1, 2));
        if (i % 3 == 0) filo_set(fixture.world, entity, Target, last);
        last = entity;
    }
    filo_system_add(
        fixture.world,
        &(FiloSystemDesc){ .name = "count up", .run = count_up, .query.terms = { FILO_WRITE(Score) } });
    filo_system_add(fixture.world,
                    &(FiloSystemDesc){ .name = "steer",
                                       .run = steer,
                                       .parallel = true,
                                       .query.terms = { FILO_OPTIONAL_READ(Target), FILO_READ(Score),
                                                        FILO_READ(Position), FILO_WRITE(Velocity) } });
    filo_system_add(fixture.world,
                    &(FiloSystemDesc){ .name = "move",
                                       .run = move_by_velocity,
                                       .parallel = true,
                                       .query.terms = { FILO_WRITE(Position), FILO_READ(Velocity) } });
    for (int i = 0; i < 5; i++) tick(&fixture);
    uint64_t hash = filo_world_hash(fixture.world);
    fixture_close(&fixture);
    return hash;
}

FILO_TEST(systems_by_type_leave_the_same_state_on_any_number_of_threads) {
    uint64_t alone = hash_after_ticks(0);
    for (int threads = 1; threads <= 16; threads *= 2) assert_int_equal(hash_after_ticks(threads), alone);
}

// ---- Types at several addresses ---------------------------------------------------------------------------

// As from a module that was loaded again.
static FiloType another(const FiloType *type) { return *type; }

FILO_TEST(a_type_at_another_address_finds_the_same_component) {
    FiloWorld *world = world_with_health_in(FILO_STORAGE_TABLE);
    filo_create(world, FILO_SET(Position, 1, 0), FILO_SET(Velocity, 2, 0));
    FiloQuery *before = filo_query(world, FILO_WRITE(Position), FILO_READ(Velocity));
    FiloType copy = another(FILO_TYPE(Velocity));
    FiloComponent velocity = filo_component_of(world, FILO_TYPE(Velocity));
    assert_int_equal(filo_component_register(world, &(FiloComponentDesc){ .type = &copy }).id, velocity.id);
    FiloQuery *after = filo_query(world, FILO_WRITE(Velocity));
    FiloQuery *queries[] = { before, after };
    for (int q = 0; q < 2; q++) {
        FiloIter it = filo_query_iter(queries[q]);
        assert_ptr_equal(it.types_[q == 0 ? 1 : 0], &copy); // the query finds the new address directly
        assert_true(filo_iter_next(&it));
        const Velocity *found = filo_read(&it, Velocity); // by the older address
        assert_non_null(found);
        assert_true(found->x == 2);
        assert_ptr_equal(filo_iter_read_type(&it, &copy, sizeof(Velocity)), found);
        assert_false(filo_iter_next(&it));
        filo_query_release(queries[q]);
    }
    filo_world_destroy(world);
}

FILO_TEST(a_type_at_an_address_that_is_not_registered_is_reported) {
    FiloWorld *world = world_with_health_in(FILO_STORAGE_TABLE);
    filo_create(world, FILO_SET(Velocity, 2, 0));
    FiloType copy = another(FILO_TYPE(Velocity));
    FiloQuery *query = filo_query(world, FILO_READ(Velocity));
    FiloIter it = filo_query_iter(query);
    assert_true(filo_iter_next(&it));
    expect_fault(
        "the query: this description of Velocity is not the one that is registered: register it too, with "
        "filo_component(world, Velocity)",
        assert_null(filo_iter_read_type(&it, &copy, sizeof(Velocity))));
    filo_iter_end(&it);
    destroy_with_query(world, query);
}

// ---- Mistakes -------------------------------------------------------------------------------------------

// Returns the first part of a query. A mistake in it invalidates the rows.
static FiloIter first_part(FiloQuery *query) {
    FiloIter it = filo_query_iter(query);
    assert_true(filo_iter_next(&it));
    return it;
}

FILO_TEST(a_type_without_a_term_is_reported_in_every_build) {
    FiloWorld *world = world_with_health_in(FILO_STORAGE_TABLE);
    filo_create(world, FILO_SET(Position, 1, 0), FILO_SET(Velocity, 2, 0));
    FiloQuery *query = filo_query(world, FILO_WRITE(Position), FILO_READ(Velocity), FILO_WITHOUT(Frozen));
    FiloIter it = first_part(query);
    expect_fault("the query has no term for Health: add FILO_READ(Health). Its terms are Position (write), "
                 "Velocity (read), Frozen (without)",
                 assert_null(filo_read(&it, Health)));
    assert_int_equal(it.count, 0);
    assert_false(filo_iter_next(&it));
    it = first_part(query);
    expect_fault("the query has no term for Health: add FILO_WRITE(Health)",
                 assert_null(filo_write(&it, Health)));
    filo_iter_end(&it);
    it = first_part(query);
    expect_fault("the query has no term for Stranger: add FILO_READ(Stranger)",
                 assert_null(filo_read(&it, Stranger)));
    filo_iter_end(&it);
    it = first_part(query);
    expect_fault("the query has no term for Health", assert_null(filo_column(&it, Health).data));
    filo_iter_end(&it);
    it = first_part(query);
    expect_fault("the query has no term for Score", assert_non_null(filo_read_global(&it, Score)));
    expect_fault("the query has no term for Score: add FILO_WRITE(Score)",
                 assert_non_null(filo_write_global(&it, Score)));
    expect_fault("the query has no term for Health", assert_false(filo_row_has(&it, 0, Health)));
    assert_int_equal(it.count, 1); // the rows are still valid
    expect_fault("the query has no term for Health: add FILO_PARENT_READ(Health)",
                 assert_null(filo_read_parent(&it, Health)));
    filo_iter_end(&it);
    FiloEach each = filo_query_each(query);
    assert_true(filo_each_next(&each));
    expect_fault("the query has no term for Health", assert_non_null(filo_each_read(&each, Health)));
    filo_each_end(&each);
    destroy_with_query(world, query);
}

static void use_health(FiloIter *it) { assert_null(filo_write(it, Health)); }

FILO_TEST(a_message_names_the_system) {
    Fixture fixture = fixture_open(0);
    create_movers(&fixture, 1);
    filo_system_add(fixture.world,
                    &(FiloSystemDesc){ .name = "heal",
                                       .run = use_health,
                                       .query.terms = { FILO_READ(Position), FILO_WITH(Velocity) } });
    expect_fault(
        "system \"heal\" has no term for Health: add FILO_WRITE(Health). Its terms are Position (read), "
        "Velocity (with)",
        tick(&fixture));
    fixture_close(&fixture);
}

FILO_TEST(a_column_that_is_not_contiguous_is_reported_in_every_build) {
    for (size_t s = 1; s < FILO_COUNT_OF(storages); s++) {
        FiloWorld *world = world_with_health_in(storages[s]);
        for (int i = 0; i < 2; i++) filo_create(world, FILO_SET(Position, 1, 0));
        filo_set(world, filo_create(world, FILO_SET(Position, 1, 0)), Health, 3);
        FiloQuery *query = filo_query(world, FILO_READ(Position), FILO_WRITE(Health));
        FiloIter it = first_part(query);
        expect_fault("the query: Health is not stored in tables, so each row has a pointer of its own: use "
                     "filo_column(it, Health) and FILO_AT",
                     assert_null(filo_write(&it, Health)));
        assert_int_equal(it.count, 0);
        filo_iter_end(&it);
        // One of three columns is contiguous: the others are not, or might not be.
        it = first_part(query);
        expect_fault(
            "the query: rows do not lie together, because Health, which is not stored in tables, leaves some "
            "out: use filo_column(it, Position) and FILO_AT",
            assert_null(filo_read(&it, Position)));
        filo_iter_end(&it);
        destroy_with_query(world, query);
    }
}

FILO_TEST(columns_that_might_not_be_contiguous_are_reported_even_if_they_are) {
    only_in_debug_builds();
    FiloWorld *world = world_with_health_in(FILO_STORAGE_ARRAY);
    FiloEntity parent = filo_create(world, FILO_SET(Position, 1, 0));
    FiloEntity child = filo_create(world, FILO_SET(Position, 1, 0), FILO_SET(Health, 3));
    filo_entity_set_parent(world, child, parent);
    FiloQuery *array = filo_query(world, FILO_READ(Position), FILO_WITH(Health));
    FiloQuery *of_parent = filo_query(world, FILO_WRITE(Health), FILO_PARENT_READ(Position));
    FiloQuery *no_tag = filo_query(world, FILO_READ(Position), FILO_WITHOUT(Chosen));
    FiloIter it = first_part(array);
    expect_fault("because Health, which is not stored in tables, leaves some out",
                 assert_null(filo_read(&it, Position)));
    filo_iter_end(&it);
    it = first_part(of_parent);
    expect_fault("Health is not stored in tables", assert_null(filo_write(&it, Health)));
    filo_iter_end(&it);
    it = first_part(no_tag);
    expect_fault("because Chosen, which", assert_null(filo_read(&it, Position)));
    filo_iter_end(&it);
    filo_query_release(array);
    filo_query_release(of_parent);
    destroy_with_query(world, no_tag);
}

FILO_TEST(access_beyond_the_term_is_reported) {
    only_in_debug_builds();
    FiloWorld *world = world_with_health_in(FILO_STORAGE_TABLE);
    filo_create(world, FILO_SET(Position, 1, 0), FILO_SET(Velocity, 2, 0));
    FiloQuery *query =
        filo_query(world, FILO_READ(Position), FILO_WITH(Velocity), FILO_WITHOUT(Health), FILO_READ(Score));
    FiloIter it = first_part(query);
    expect_fault("the query only reads Position: declare FILO_WRITE(Position), or use the form that reads",
                 assert_null(filo_write(&it, Position)));
    filo_iter_end(&it);
    it = first_part(query);
    expect_fault(
        "the query only asks whether there is Velocity: declare FILO_READ(Velocity) to use its values",
        assert_null(filo_read(&it, Velocity)));
    filo_iter_end(&it);
    it = first_part(query);
    expect_fault("the query is about entities without Health: there is no value to use",
                 assert_null(filo_read(&it, Health)));
    filo_iter_end(&it);
    it = first_part(query);
    expect_fault("the query only reads Score", assert_non_null(filo_write_global(&it, Score)));
    filo_iter_end(&it);
    FiloEach each = filo_query_each(query);
    assert_true(filo_each_next(&each));
    expect_fault("the query only reads Position", assert_non_null(filo_each_write(&each, Position)));
    expect_fault("the query only reads Score", assert_non_null(filo_each_write(&each, Score)));
    assert_non_null(filo_each_read(&each, Score));
    filo_each_end(&each);
    destroy_with_query(world, query);
}

FILO_TEST(global_row_and_parent_accessors_reject_each_others_terms) {
    only_in_debug_builds();
    FiloWorld *world = world_with_health_in(FILO_STORAGE_TABLE);
    FiloEntity parent = filo_create(world, FILO_SET(Velocity, 1, 0), FILO_SET(Position, 1, 0));
    FiloEntity child = filo_create(world, FILO_SET(Position, 1, 0));
    filo_entity_set_parent(world, child, parent);
    FiloQuery *query = filo_query(world, FILO_WRITE(Score), FILO_READ(Position), FILO_PARENT_READ(Velocity));
    FiloIter it = first_part(query);
    expect_fault("the query: Score is global, one value for all rows: use filo_read_global(it, Score)",
                 assert_non_null(filo_read(&it, Score)));
    filo_iter_end(&it);
    it = first_part(query);
    expect_fault("use filo_write_global(it, Score)", assert_non_null(filo_write(&it, Score)));
    filo_iter_end(&it);
    it = first_part(query);
    expect_fault("Score is global", assert_null(filo_column(&it, Score).data));
    filo_iter_end(&it);
    it = first_part(query);
    expect_fault("the query: Position is a component of entities, not global: use filo_read(it, Position)",
                 assert_non_null(filo_read_global(&it, Position)));
    expect_fault(
        "the query has Velocity of the parent, a pointer for each row: use filo_read_parent(it, Velocity)",
        assert_null(filo_read(&it, Velocity)));
    filo_iter_end(&it);
    it = first_part(query);
    expect_fault(
        "the query has Position of the entity itself, not of its parent: use filo_read(it, Position), or "
        "declare FILO_PARENT_READ(Position)",
        assert_null(filo_read_parent(&it, Position)));
    filo_iter_end(&it);
    destroy_with_query(world, query);
}

FILO_TEST(values_of_another_size_are_reported) {
    only_in_debug_builds();
    FiloWorld *world = world_with_health_in(FILO_STORAGE_TABLE);
    filo_create(world, FILO_SET(Position, 1, 0));
    FiloQuery *query = filo_query(world, FILO_READ(Position));
    FiloIter it = first_part(query);
    expect_fault(
        "the query: Position has 12 bytes here and 8 in the world: build this part of the program again",
        assert_null(filo_iter_read_type(&it, FILO_TYPE(Position), 12)));
    filo_iter_end(&it);
    destroy_with_query(world, query);
}

FILO_TEST(values_of_columns_are_checked_row_by_row) {
    only_in_debug_builds();
    FiloWorld *world = world_with_health_in(FILO_STORAGE_SPARSE);
    filo_create(world, FILO_SET(Position, 1, 0));
    filo_create(world, FILO_SET(Position, 2, 0), FILO_SET(Health, 2));
    FiloQuery *query = filo_query(world, FILO_READ(Position), FILO_OPTIONAL_WRITE(Health), FILO_READ(Score),
                                  FILO_WITH(Position));
    FiloIter it = first_part(query);
    FiloColumn position = filo_column(&it, Position), health = filo_column(&it, Health);
    assert_true(FILO_AT(position, 0, const Position)->x == 1);
    assert_null(FILO_TRY_AT(health, 0, const Health));
    assert_int_equal(FILO_AT(health, 1, Health)->points, 2);
    expect_fault("the query only reads Position: declare FILO_WRITE(Position), or use FILO_AT(column, row, "
                 "const Position)",
                 assert_null(FILO_AT(position, 0, Position)));
    expect_fault("the query: this column is of Position, with 8 bytes and not 4",
                 assert_null(FILO_AT(position, 0, const Health)));
    expect_fault("the query: row 2 of Position is not in this part, which has 2",
                 assert_null(FILO_AT(position, 2, const Position)));
    expect_fault("the query: row 0 has no Health: use FILO_TRY_AT, which gives NULL",
                 assert_null(FILO_AT(health, 0, const Health)));
    FiloColumn score = filo_iter_column(&it, 2), without = filo_iter_column(&it, 3);
    expect_fault("the query: Score is global, one value for all rows: use filo_read_global(it, Score)",
                 assert_null(FILO_AT(score, 1, const Score)));
    expect_fault("the query: row 0 has no Position", assert_null(FILO_AT(without, 0, const Position)));
    FiloColumn none;
    expect_fault("there is no term 4", none = filo_iter_column(&it, 4));
    expect_fault("there is nothing in this column", assert_null(FILO_AT(none, 0, const Position)));
    assert_null(FILO_TRY_AT(none, 0, const Position));
    filo_iter_end(&it);
    destroy_with_query(world, query);
}

static void write_what_is_read(FiloIter *it) {
    FiloColumn position = filo_column(it, Position);
    assert_null(FILO_AT(position, 0, Position));
}

FILO_TEST(a_mistake_with_a_row_names_the_system) {
    only_in_debug_builds();
    Fixture fixture = fixture_open(0);
    create_movers(&fixture, 1);
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "push",
                                                      .run = write_what_is_read,
                                                      .query.terms = { FILO_READ(Position) } });
    expect_fault("system \"push\" only reads Position: declare FILO_WRITE(Position)", tick(&fixture));
    fixture_close(&fixture);
}

static void read_without_rows(FiloIter *it) { assert_null(filo_read(it, Position)); }

FILO_TEST(columns_are_refused_before_the_first_part_and_after_the_last) {
    only_in_debug_builds();
    Fixture fixture = fixture_open(0);
    create_movers(&fixture, 3);
    FiloQuery *query = filo_query(fixture.world, FILO_READ(Position));
    FiloIter it = filo_query_iter(query);
    static const char none[] = "the query: there are no rows; they are there while filo_iter_next is true";
    expect_fault(none, assert_null(filo_read(&it, Position)));
    while (filo_iter_next(&it)) assert_non_null(filo_read(&it, Position));
    expect_fault(none, assert_null(filo_read(&it, Position)));
    FiloEach each = filo_query_each(query);
    static const char no_entity[] =
        "the query: there is no entity here; there is one while filo_each_next is true";
    expect_fault(no_entity, assert_null(filo_each_read(&each, Position)));
    while (filo_each_next(&each)) assert_non_null(filo_each_read(&each, Position));
    expect_fault(no_entity, assert_null(filo_each_read(&each, Position)));
    filo_query_release(query);
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "once",
                                                      .run = read_without_rows,
                                                      .once = true,
                                                      .query.terms = { FILO_READ(Position) } });
    expect_fault("system \"once\" is called once, without rows: iterate over filo_iter_over(it, it->query)",
                 tick(&fixture));
    fixture_close(&fixture);
}

static void handle(FiloIter *it, const FiloEvent *event) {
    FILO_UNUSED(event);
    expect_fault("handler \"ask\" has no terms: use filo_get, filo_edit and the like with it->world",
                 assert_non_null(filo_read_global(it, Score)));
    *(bool *)it->user = true;
}

FILO_TEST(a_handler_has_no_terms) {
    Fixture fixture = fixture_open(1);
    bool called = false;
    filo_world_handle(fixture.world, &(FiloWorldHandlerDesc){ .name = "ask",
                                                              .event = filo_name("asked"),
                                                              .run = handle,
                                                              .extra_access = { FILO_READ(Score) },
                                                              .user = &called });
    filo_events_emit(fixture.events, filo_name("asked"), NULL, NULL);
    tick(&fixture);
    assert_true(called);
    fixture_close(&fixture);
}

FILO_TEST(an_empty_iterator_has_no_terms) {
    FiloIter it;
    expect_fault("pass the query", it = filo_query_iter(NULL));
    expect_fault("there is no query to iterate over: it was NULL", assert_null(filo_read(&it, Position)));
}
