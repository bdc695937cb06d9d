// Iterations that are divided by the caller: filo_query_rows and filo_query_iter_part.

#include "ecs/world_types.h"

#include <filo/jobs.h>

#define MANY 20000 // several chunks

static FiloWorld *crowded_world(FiloStorage storage) {
    FiloWorld *world = create_world();
    filo_component(world, Position);
    filo_component(world, Velocity);
    filo_component(world, Health, .storage = storage);
    for (int i = 0; i < MANY; i++) {
        FiloEntity entity = filo_create(world, FILO_SET(Position, (float)i, 0));
        if (i % 2 == 0) filo_add(world, entity, Velocity); // a second table
        if (i % 3 == 0) filo_set(world, entity, Health, i);
    }
    return world;
}

// Lists the entities of the rows from `begin` to `end`, in order.
static size_t list_part(FiloQuery *query, size_t begin, size_t end, FiloEntity *entities) {
    size_t count = 0;
    FiloIter it = filo_query_iter_part(query, begin, end);
    while (filo_iter_next(&it)) {
        filo_iter_entities(&it, entities + count);
        count += it.count;
    }
    return count;
}

FILO_TEST(the_parts_of_an_iteration_cover_it_in_any_division) {
    static FiloEntity whole[MANY], parts[MANY];
    for (int storage = 0; storage < 2; storage++) {
        FiloWorld *world = crowded_world(storage == 0 ? FILO_STORAGE_TABLE : FILO_STORAGE_SPARSE);
        FiloQuery *query = filo_query(world, FILO_WRITE(Position), FILO_READ(Health));
        size_t count = filo_query_entities(query, whole, MANY), rows = filo_query_rows(query);
        assert_true(rows >= count);
        for (size_t step = 1; step <= rows * 2; step = step * 3 + 1) {
            size_t found = 0;
            for (size_t at = 0; at < rows; at += step)
                found += list_part(query, at, FILO_MIN(at + step, rows), parts + found);
            assert_int_equal(found, count);
            assert_memory_equal(parts, whole, count * sizeof *whole);
        }
        assert_int_equal(list_part(query, 5, 5, parts), 0);
        assert_int_equal(list_part(query, rows, rows + 100, parts), 0);
        destroy_with_query(world, query);
    }
}

static void move_part(size_t begin, size_t end, void *user) {
    FiloIter it = filo_query_iter_part(user, begin, end);
    while (filo_iter_next(&it)) {
        Position *position = filo_write(&it, Position);
        for (size_t i = 0; i < it.count; i++) position[i].y += 1;
    }
}

FILO_TEST(several_threads_iterate_over_parts_at_once) {
    for (int threads = 1; threads <= 16; threads *= 2) {
        FiloJobs *jobs;
        assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = threads }));
        FiloWorld *world = crowded_world(FILO_STORAGE_TABLE);
        FiloQuery *query = filo_query(world, FILO_WRITE(Position));
        FiloSeen seen = { 0 };
        FiloIter all = filo_query_iter_since(query, &seen);
        while (filo_iter_next(&all)) {}
        filo_jobs_for(jobs, filo_query_rows(query), move_part, query);
        size_t moved = 0;
        for (FiloIter it = filo_query_iter_since(query, &seen); filo_iter_next(&it);) {
            assert_true(filo_changed(&it, Position));
            for (size_t i = 0; i < it.count; i++) moved += filo_read(&it, Position)[i].y == 1;
        }
        assert_int_equal(moved, MANY);
        destroy_with_query(world, query);
        filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    }
}

FILO_TEST(structural_changes_while_a_part_is_iterated_over_are_refused) {
    FiloWorld *world = crowded_world(FILO_STORAGE_TABLE);
    FiloQuery *query = filo_query(world, FILO_READ(Position));
    FiloIter it = filo_query_iter_part(query, 0, 10);
    assert_true(filo_iter_next(&it));
    expect_fault("inside an iteration", filo_entity_create(world));
    filo_iter_end(&it);
    assert_true(filo_entity_exists(world, filo_entity_create(world)));
    destroy_with_query(world, query);
}

FILO_TEST(invalid_row_ranges_and_changed_terms_are_refused_for_parts) {
    FiloWorld *world = crowded_world(FILO_STORAGE_TABLE);
    FiloQuery *query = filo_query(world, FILO_READ(Position)),
              *changed = filo_query(world, FILO_READ_CHANGED(Position));
    FiloIter it;
    expect_fault("pass a range of rows", it = filo_query_iter_part(query, 3, 2));
    assert_false(filo_iter_next(&it));
    expect_fault("a query that does not ask for changes", it = filo_query_iter_part(changed, 0, 10));
    assert_false(filo_iter_next(&it));
    expect_fault("pass the query that filo_query returned", assert_int_equal(filo_query_rows(NULL), 0));
    assert_non_null(filo_world_allocator(world));
    expect_fault("pass a world", assert_null(filo_world_allocator(NULL)));
    filo_query_release(query);
    destroy_with_query(world, changed);
}
