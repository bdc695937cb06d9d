// Chunk ids of an iteration, and changes since a FiloSeen.

#include "ecs/schedule_access.h"
#include "ecs/storage/directory.h"
#include "ecs/storages.h"
#include "ecs/system_fixture.h"

#include <filo/snapshot.h>

#define MANY 20000 // entities of a table with several chunks

static void create_movers_in(FiloWorld *world, FiloEntity *entities, size_t count) {
    for (size_t i = 0; i < count; i++)
        entities[i] = filo_create(world, FILO_SET(Position, (float)i, 0), FILO_SET(Velocity, 1, 0));
}

static FiloWorld *world_with_movers(FiloEntity *entities, size_t count) {
    FiloWorld *world = world_with_health_in(FILO_STORAGE_TABLE);
    create_movers_in(world, entities, count);
    return world;
}

// The chunk of a part is the one in the directory of entities.
static void expect_chunk_of_rows(const FiloIter *it) {
    FiloChunkId chunk = filo_iter_chunk(it);
    assert_int_not_equal(chunk.generation, 0);
    for (size_t i = 0; i<it->count; i += it->count> 1 ? it->count - 1 : 1) {
        const EcsRecord *record = ecs_record(it->world, filo_iter_indices(it)[i]);
        assert_int_equal(ecs_record_location(record) >> ECS_ROW_BITS, chunk.index);
    }
}

// One part of an iteration.
typedef struct Seen {
    FiloChunkId chunk;
    bool rows, position, velocity;
    size_t count;
} Seen;

static size_t read_parts(FiloQuery *query, FiloSeen *seen, Seen *parts, size_t capacity) {
    size_t count = 0;
    FiloIter it = filo_query_iter_since(query, seen);
    while (filo_iter_next(&it)) {
        assert_true(count < capacity);
        expect_chunk_of_rows(&it);
        parts[count++] = (Seen){ filo_iter_chunk(&it), filo_iter_rows_changed(&it),
                                 filo_changed(&it, Position), filo_changed(&it, Velocity), it.count };
    }
    return count;
}

// ---- Chunks -----------------------------------------------------------------------------------------------

FILO_TEST(each_chunk_has_a_unique_id_and_a_dense_index) {
    static FiloEntity entities[MANY];
    FiloWorld *world = world_with_movers(entities, MANY);
    for (int i = 0; i < 100; i++) filo_add(world, entities[i], Frozen); // another table
    FiloQuery *query = filo_query(world, FILO_READ(Position), FILO_READ(Velocity));
    FiloSeen seen = { 0 };
    Seen first[16], second[16];
    size_t count = read_parts(query, &seen, first, 16);
    assert_true(count >= 4);
    for (size_t i = 0; i < count; i++) {
        assert_int_not_equal(first[i].chunk.generation, 0);
        assert_true(first[i].chunk.index < filo_world_chunk_end(world));
        for (size_t k = 0; k < i; k++) {
            assert_int_not_equal(first[i].chunk.index, first[k].chunk.index);
            assert_false(filo_chunk_equal(first[i].chunk, first[k].chunk));
        }
    }
    assert_int_equal(read_parts(query, &seen, second, 16), count);
    for (size_t i = 0; i < count; i++) assert_true(filo_chunk_equal(first[i].chunk, second[i].chunk));
    destroy_with_query(world, query);
}

FILO_TEST(a_chunk_keeps_its_id_while_rows_are_added_and_removed) {
    static FiloEntity entities[MANY];
    FiloWorld *world = world_with_movers(entities, MANY);
    FiloQuery *query = filo_query(world, FILO_READ(Position), FILO_READ(Velocity));
    FiloSeen seen = { 0 };
    Seen first[16], second[16];
    size_t count = read_parts(query, &seen, first, 16);
    filo_entity_destroy(world, entities[0]); // the last row replaces it
    (void)filo_create(world, FILO_SET(Position, 0, 0), FILO_SET(Velocity, 0, 0));
    assert_int_equal(read_parts(query, &seen, second, 16), count);
    for (size_t i = 0; i < count; i++) {
        assert_true(filo_chunk_equal(first[i].chunk, second[i].chunk));
        assert_int_equal(second[i].rows, i == 0 || i == count - 1);
        assert_int_equal(second[i].position, second[i].rows); // added rows have other values
    }
    destroy_with_query(world, query);
}

FILO_TEST(a_replaced_or_recreated_chunk_has_another_id) {
    static FiloEntity entities[MANY];
    FiloWorld *world = world_with_movers(entities, 4);
    FiloQuery *query = filo_query(world, FILO_READ(Position), FILO_READ(Velocity));
    FiloSeen seen = { 0 };
    Seen small, parts[16], later[16];
    assert_int_equal(read_parts(query, &seen, &small, 1), 1);
    create_movers_in(world, entities + 4, MANY - 4); // the first chunk grows
    size_t count = read_parts(query, &seen, parts, 16);
    for (size_t i = 0; i < count; i++) assert_false(filo_chunk_equal(parts[i].chunk, small.chunk));
    assert_int_equal(parts[0].chunk.index, small.chunk.index); // reused
    for (size_t i = MANY; i-- > 10;) filo_entity_destroy(world, entities[i]);
    create_movers_in(world, entities + 10, MANY - 10);
    assert_int_equal(read_parts(query, &seen, later, 16), count);
    assert_true(filo_chunk_equal(later[0].chunk, parts[0].chunk));
    assert_false(filo_chunk_equal(later[count - 1].chunk, parts[count - 1].chunk)); // freed in between
    destroy_with_query(world, query);
}

FILO_TEST(after_a_restore_all_chunks_have_new_ids_and_count_as_changed) {
    static FiloEntity entities[MANY];
    FiloWorld *world = world_with_movers(entities, MANY);
    FiloQuery *query = filo_query(world, FILO_READ(Position), FILO_READ(Velocity));
    FiloSnapshot *snapshot = take_snapshot(world);
    FiloSeen seen = { 0 };
    Seen before[16], after[16];
    size_t count = read_parts(query, &seen, before, 16);
    assert_ok(filo_snapshot_restore(snapshot, world));
    assert_int_equal(read_parts(query, &seen, after, 16), count);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < count; k++) assert_false(filo_chunk_equal(before[i].chunk, after[k].chunk));
        assert_true(after[i].rows && after[i].position && after[i].velocity);
    }
    filo_snapshot_destroy(snapshot);
    destroy_with_query(world, query);
}

FILO_TEST(filtered_parts_of_a_chunk_share_its_id) {
    static FiloEntity entities[MANY];
    FiloWorld *world = world_with_movers(entities, MANY);
    for (int i = 0; i < MANY; i++)
        if (i % 2 == 0) filo_add(world, entities[i], Chosen);
    FiloQuery *plain = filo_query(world, FILO_READ(Position), FILO_READ(Velocity));
    FiloQuery *chosen = filo_query(world, FILO_READ(Position), FILO_READ(Velocity), FILO_WITH(Chosen));
    FiloSeen seen = { 0 };
    Seen chunks[16];
    size_t count = read_parts(plain, &seen, chunks, 16), at = 0, rows = 0;
    FiloIter it = filo_query_iter(chosen);
    while (filo_iter_next(&it)) {
        FiloChunkId chunk = filo_iter_chunk(&it);
        expect_chunk_of_rows(&it);
        if (!filo_chunk_equal(chunk, chunks[at].chunk)) at++;
        assert_true(at < count && filo_chunk_equal(chunk, chunks[at].chunk));
        rows += it.count;
    }
    assert_int_equal(at, count - 1);
    assert_int_equal(rows, MANY / 2);
    filo_query_release(plain);
    destroy_with_query(world, chosen);
}

// ---- What changed -----------------------------------------------------------------------------------------

FILO_TEST(only_the_written_chunk_and_component_have_changed) {
    static FiloEntity entities[MANY];
    FiloWorld *world = world_with_movers(entities, MANY);
    FiloQuery *query = filo_query(world, FILO_READ(Position), FILO_READ(Velocity));
    FiloSeen seen = { 0 };
    Seen parts[16];
    size_t count = read_parts(query, &seen, parts, 16);
    for (size_t i = 0; i < count; i++) assert_true(parts[i].rows && parts[i].position && parts[i].velocity);
    assert_int_equal(read_parts(query, &seen, parts, 16), count);
    for (size_t i = 0; i < count; i++) assert_false(parts[i].rows || parts[i].position || parts[i].velocity);
    filo_edit(world, entities[MANY - 1], Velocity)->x = 3;
    (void)filo_get(world, entities[0], Velocity); // reading is no change
    assert_int_equal(read_parts(query, &seen, parts, 16), count);
    for (size_t i = 0; i < count; i++) {
        assert_false(parts[i].rows || parts[i].position);
        assert_int_equal(parts[i].velocity, i == count - 1);
    }
    FiloQuery *writes = filo_query(world, FILO_WRITE(Position));
    FiloIter it = filo_query_iter(writes);
    assert_true(filo_iter_next(&it)); // the first chunk
    filo_iter_end(&it);
    assert_int_equal(read_parts(query, &seen, parts, 16), count);
    for (size_t i = 0; i < count; i++) assert_true(parts[i].position == (i == 0) && !parts[i].velocity);
    filo_query_release(writes);
    destroy_with_query(world, query);
}

FILO_TEST(two_readers_see_changes_independently) {
    FiloEntity entity;
    FiloWorld *world = world_with_movers(&entity, 1);
    FiloQuery *query = filo_query(world, FILO_READ(Position), FILO_READ(Velocity));
    FiloSeen one = { 0 }, two = { 0 };
    Seen part;
    read_parts(query, &one, &part, 1);
    filo_edit(world, entity, Position)->x = 1;
    read_parts(query, &one, &part, 1);
    assert_true(part.position && !part.velocity);
    read_parts(query, &one, &part, 1);
    assert_false(part.position);
    read_parts(query, &two, &part, 1);
    assert_true(part.position && part.velocity && part.rows);
    destroy_with_query(world, query);
}

FILO_TEST(an_optional_component_that_a_chunk_lacks_has_not_changed) {
    FiloEntity entities[2];
    FiloWorld *world = world_with_movers(entities, 2);
    filo_remove(world, entities[1], Velocity);
    FiloQuery *query = filo_query(world, FILO_READ(Position), FILO_OPTIONAL_READ(Velocity));
    FiloSeen seen = { 0 };
    Seen parts[2];
    assert_int_equal(read_parts(query, &seen, parts, 2), 2);
    filo_edit(world, entities[0], Velocity)->x = 1;
    filo_edit(world, entities[1], Position)->x = 1;
    assert_int_equal(read_parts(query, &seen, parts, 2), 2);
    assert_true(parts[0].velocity && !parts[0].position && !parts[1].velocity && parts[1].position);
    destroy_with_query(world, query);
}

FILO_TEST(components_outside_of_tables_and_globals_change_as_a_whole) {
    for (size_t s = 1; s < FILO_COUNT_OF(storages); s++) { // all but tables
        FiloWorld *world = world_with_health_in(storages[s]);
        FiloEntity entities[10];
        create_movers_in(world, entities, 10);
        for (int i = 0; i < 10; i++) filo_set(world, entities[i], Health, i);
        FiloQuery *query =
            filo_query(world, FILO_READ(Position), FILO_OPTIONAL_READ(Health), FILO_READ(Score));
        FiloSeen seen = { 0 };
        for (int step = 0; step < 4; step++) {
            if (step == 2) filo_edit(world, entities[7], Health)->points = 100;
            if (step == 3) filo_edit_global(world, Score)->points = 1;
            FiloIter it = filo_query_iter_since(query, &seen);
            assert_int_equal(filo_changed(&it, Score), step == 0 || step == 3); // also without rows
            assert_true(filo_iter_next(&it));
            assert_int_equal(filo_changed(&it, Health), step == 0 || step == 2);
            assert_int_equal(filo_changed(&it, Score), step == 0 || step == 3);
            assert_int_equal(filo_changed(&it, Position), step == 0);
            assert_int_equal(filo_iter_changed(&it, 1), step == 0 || step == 2);
            filo_iter_end(&it);
        }
        destroy_with_query(world, query);
    }
}

FILO_TEST(gathered_rows_of_several_chunks_have_no_id_but_report_changes) {
    FiloWorld *world = world_with_health_in(FILO_STORAGE_SPARSE);
    static FiloEntity entities[MANY];
    create_movers_in(world, entities, MANY);
    filo_set(world, entities[5], Health, 1);
    filo_set(world, entities[MANY - 5], Health, 2);
    FiloQuery *query = filo_query(world, FILO_READ(Position), FILO_READ(Velocity), FILO_READ(Health));
    FiloSeen seen = { 0 };
    for (int step = 0; step < 5; step++) {
        if (step == 2) filo_edit(world, entities[MANY - 5], Position)->x = 1;
        if (step == 3) filo_edit(world, entities[5], Health)->points = 1;
        if (step == 4) filo_entity_destroy(world, entities[MANY - 1]); // in the last chunk
        FiloIter it = filo_query_iter_since(query, &seen);
        assert_true(filo_iter_next(&it));
        assert_non_null(ecs_iter(&it)->leading);
        assert_int_equal(it.count, 2);
        assert_int_equal(filo_iter_chunk(&it).generation, 0);
        bool rows = step == 0 || step == 4;
        assert_int_equal(filo_iter_rows_changed(&it), rows);
        assert_int_equal(filo_changed(&it, Position), rows || step == 2);
        assert_int_equal(filo_changed(&it, Velocity), rows);
        assert_int_equal(filo_changed(&it, Health), rows || step == 3);
        filo_iter_end(&it);
    }
    destroy_with_query(world, query);
}

FILO_TEST(a_query_for_changes_reports_which_component_changed) {
    static FiloEntity entities[MANY];
    FiloWorld *world = world_with_movers(entities, MANY);
    FiloTerm velocity = FILO_READ_CHANGED(Velocity);
    FiloQuery *query = filo_query(world, FILO_READ_CHANGED(Position), velocity);
    FiloSeen seen = { 0 };
    Seen parts[16];
    assert_true(read_parts(query, &seen, parts, 16) >= 3);
    assert_int_equal(read_parts(query, &seen, parts, 16), 0);
    filo_edit(world, entities[0], Velocity)->x = 1;
    assert_int_equal(read_parts(query, &seen, parts, 16), 1);
    assert_true(parts[0].velocity && !parts[0].position);
    destroy_with_query(world, query);
}

// ---- In systems -----------------------------------------------------------------------------------------

typedef struct Report {
    size_t parts, rows, changed;
} Report;

static void report(FiloIter *it) {
    Report *own = it->user;
    expect_chunk_of_rows(it);
    own->parts++;
    own->rows += filo_iter_rows_changed(it);
    own->changed += filo_changed(it, Position);
}

FILO_TEST(filo_changed_in_a_system_covers_changes_since_it_last_ran) {
    Fixture fixture = fixture_open(0);
    Report own = { 0 };
    create_movers(&fixture, 3);
    FiloEntity entity = filo_create(fixture.world, FILO_SET(Position, 0, 0), FILO_ADD(Frozen));
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "report",
                                                      .run = report,
                                                      .user = &own,
                                                      .query.terms = { FILO_READ(Position) } });
    tick(&fixture);
    assert_int_equal(own.parts, 2);
    assert_int_equal(own.changed, 2);
    tick(&fixture);
    assert_int_equal(own.parts, 4);
    assert_int_equal(own.changed, 2);
    filo_edit(fixture.world, entity, Position)->x = 1;
    tick(&fixture);
    assert_int_equal(own.changed, 3);
    assert_int_equal(own.rows, 2);
    fixture_close(&fixture);
}

static void check_chunk(FiloIter *it) { expect_chunk_of_rows(it); }

FILO_TEST(parts_of_a_divided_system_have_the_ids_of_their_chunks) {
    for (int threads = 1; threads <= 16; threads *= 2) {
        Fixture fixture = fixture_open(threads);
        divide_eagerly(fixture.world, true);
        create_movers(&fixture, MANY);
        for (int i = 0; i < 10; i++) filo_create(fixture.world, FILO_SET(Position, 0, 0));
        filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "check",
                                                          .run = check_chunk,
                                                          .parallel = true,
                                                          .query.terms = { FILO_READ(Position) } });
        for (int i = 0; i < 3; i++) tick(&fixture);
        fixture_close(&fixture);
    }
}

// ---- Entities of a part -------------------------------------------------------------------------------

FILO_TEST(the_entities_of_a_part_are_listed) {
    FiloWorld *world = world_with_health_in(FILO_STORAGE_SPARSE);
    FiloEntity entities[700], listed[700];
    create_movers_in(world, entities, 700);
    for (int i = 0; i < 700; i++)
        if (i % 2 == 0) filo_set(world, entities[i], Health, i);
    FiloQuery *queries[] = { filo_query(world, FILO_READ(Position)), filo_query(world, FILO_READ(Health)) };
    for (int q = 0; q < 2; q++) {
        size_t count = 0;
        FiloIter it = filo_query_iter(queries[q]);
        assert_null(filo_iter_indices(&it));
        while (filo_iter_next(&it)) {
            filo_iter_entities(&it, listed);
            for (size_t i = 0; i < it.count; i++) {
                assert_int_equal(listed[i].id, filo_iter_entity(&it, i).id);
                assert_int_equal(filo_iter_indices(&it)[i], filo_entity_index(listed[i]));
            }
            count += it.count;
        }
        assert_null(filo_iter_indices(&it));
        assert_int_equal(count, q == 0 ? 700 : 350);
        filo_query_release(queries[q]);
    }
    filo_world_destroy(world);
}

// ---- Mistakes -------------------------------------------------------------------------------------------

FILO_TEST(asking_for_changes_of_an_invalid_iteration_is_reported) {
    FiloEntity entities[2];
    FiloWorld *world = world_with_movers(entities, 2);
    filo_entity_set_parent(world, entities[1], entities[0]);
    FiloQuery *query =
        filo_query(world, FILO_WITH(Velocity), FILO_READ(Position), FILO_PARENT_READ(Position));
    FiloSeen seen = { 0 };
    FiloIter it = filo_query_iter_since(query, &seen);
    static const char none[] = "there are no rows that could have changed; ask while filo_iter_next is true";
    expect_fault(none, assert_false(filo_iter_rows_changed(&it)));
    expect_fault(none, assert_false(filo_changed(&it, Position)));
    assert_int_equal(filo_iter_chunk(&it).generation, 0);
    assert_true(filo_iter_next(&it));
    expect_fault("whether a parent's Position has changed is not known; look at the parents by a query",
                 assert_true(filo_iter_changed(&it, 2)));
    expect_fault("term 0 does not read Velocity, so it cannot tell whether that has changed",
                 assert_true(filo_iter_changed(&it, 0)));
    expect_fault("there is no term 3: the query has 3", assert_false(filo_iter_changed(&it, 3)));
    expect_fault("the query has no term for Health", assert_false(filo_changed(&it, Health)));
    assert_int_equal(it.count, 1);
    assert_false(filo_iter_next(&it));
    expect_fault(none, assert_false(filo_iter_rows_changed(&it)));
    destroy_with_query(world, query);
}
