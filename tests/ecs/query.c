// Queries: columns of each storage, changes, sorting, sharing and tracking.

#include "ecs/storages.h"

#include <math.h>

FILO_TEST(equal_queries_are_shared_and_reference_counted) {
    FiloWorld *world = new_world();
    FiloQuery *a = filo_query(world, FILO_READ(Position), FILO_WITHOUT(Frozen));
    FiloQuery *b = filo_query(world, { .component = ID(world, Position), .access = FILO_ACCESS_READ },
                              FILO_WITHOUT(Frozen));
    assert_ptr_equal(a, b);
    assert_int_equal(filo_query_reference_count(a), 2);
    assert_ptr_equal(filo_query_world(a), world);
    FiloQuery *others[] = {
        filo_query(world, FILO_WRITE(Position), FILO_WITHOUT(Frozen)),
        filo_query(world, FILO_READ(Position)),
        filo_query(world, FILO_WITHOUT(Frozen), FILO_READ(Position)), // columns have other indices
        filo_query(world, FILO_PARENT_READ(Position), FILO_WITHOUT(Frozen)),
        filo_query(world, FILO_READ_CHANGED(Position), FILO_WITHOUT(Frozen)),
        filo_query_create(world, &(FiloQueryDesc){ .terms = { FILO_READ(Position), FILO_WITHOUT(Frozen) },
                                                   .activity = FILO_INACTIVE }),
        filo_query_create(world, &(FiloQueryDesc){ .terms = { FILO_READ(Position), FILO_WITHOUT(Frozen) },
                                                   .tracked = true }),
    };
    assert_int_equal(filo_world_stats(world).queries, 1 + FILO_COUNT_OF(others));
    for (size_t i = 0; i < FILO_COUNT_OF(others); i++) {
        assert_ptr_not_equal(others[i], a);
        filo_query_release(others[i]);
    }
    filo_query_release(a);
    assert_int_equal(filo_query_reference_count(b), 1);
    filo_query_release(b);
    assert_int_equal(filo_world_stats(world).queries, 0);
    filo_world_destroy(world);
}

FILO_TEST(a_query_finds_tables_that_appear_later) {
    FiloWorld *world = new_world();
    FiloQuery *query = filo_query(world, FILO_READ(Health), FILO_WITHOUT(Frozen));
    FiloQuery *all = filo_query_create(world, &(FiloQueryDesc){ .activity = FILO_ANY_ACTIVITY });
    assert_int_equal(filo_query_count(query), 0);
    assert_int_equal(filo_query_first(query).id, 0);
    filo_create(world, FILO_SET(Health, 1));
    filo_create(world, FILO_SET(Health, 2), FILO_ADD(Frozen));
    FiloEntity last = filo_create(world, FILO_SET(Health, 3), FILO_ADD(Position));
    filo_entity_set_active(world, filo_entity_create(world), false);
    assert_int_equal(filo_query_count(query), 2);
    assert_same_entity(filo_query_at(query, 1), last);
    assert_int_equal(filo_query_count(all), 4); // a query without terms matches all entities
    filo_query_release(query);
    destroy_with_query(world, all);
}

// Whether the column of a component is contiguous, instead of a pointer per row.
static bool is_contiguous(FiloStorage storage) {
    FiloWorld *world = world_with_health_in(storage);
    for (int i = 0; i < 600; i++) filo_create(world, FILO_SET(Position, (float)i, 0), FILO_SET(Health, i));
    FiloQuery *query = filo_query(world, FILO_READ(Position), FILO_WRITE(Health));
    bool pieces = true;
    size_t rows = 0;
    for (FiloIter it = filo_query_iter(query); filo_iter_next(&it);) {
        FiloColumn position = filo_column(&it, Position), health = filo_column(&it, Health);
        assert_true((health.data != NULL) != (health.rows != NULL));
        assert_non_null(position.data); // all rows match, so the column of the table is contiguous
        pieces = pieces && health.data != NULL;
        for (size_t i = 0; i < it.count; i++) {
            assert_true(FILO_AT(position, i, const Position)->x == (float)FILO_AT(health, i, Health)->points);
            assert_int_equal(it.first, rows);
            FILO_AT(health, i, Health)->points++;
        }
        rows += it.count;
    }
    assert_int_equal(rows, 600);
    for (int i = 0; i < 600; i++)
        assert_int_equal(filo_get(world, filo_query_at(query, (size_t)i), Health)->points, i + 1);
    destroy_with_query(world, query);
    return pieces;
}

FILO_TEST(the_same_loop_works_on_every_storage) {
    assert_true(is_contiguous(FILO_STORAGE_TABLE));
    assert_false(is_contiguous(FILO_STORAGE_SPARSE));
    assert_false(is_contiguous(FILO_STORAGE_ARRAY));
    assert_false(is_contiguous(FILO_STORAGE_MAP));
    assert_false(is_contiguous(FILO_STORAGE_USER));
}

FILO_TEST(a_parent_term_reads_the_component_of_the_parent) {
    FiloWorld *world = new_world();
    FiloEntity parent = filo_create(world, FILO_SET(Position, 10, 20));
    FiloEntity orphan = filo_create(world, FILO_SET(Velocity, 0, 0)),
               child = filo_create(world, FILO_SET(Velocity, 1, 1));
    assert_true(filo_entity_set_parent(world, child, parent));
    FiloQuery *query = filo_query(world, FILO_READ(Velocity), FILO_PARENT_READ(Position));
    assert_int_equal(filo_query_count(query), 1);
    assert_false(filo_query_matches(query, orphan));
    FiloIter it = filo_query_iter(query);
    assert_true(filo_iter_next(&it));
    assert_same_entity(filo_iter_entity(&it, 0), child);
    assert_true(filo_read_parent(&it, Position)[0]->y == 20.0f);
    filo_iter_end(&it);
    destroy_with_query(world, query);
}

// ---- Changes ------------------------------------------------------------------------------------------

static size_t rows_of(FiloQuery *query) {
    size_t rows = 0;
    for (FiloIter it = filo_query_iter(query); filo_iter_next(&it);) rows += it.count;
    return rows;
}

static void set_health_by_changes(FiloWorld *world, FiloEntity entity) {
    FiloChanges *changes = filo_changes_create(world);
    assert_true(filo_set(changes, entity, Health, 9));
    assert_true(filo_changes_apply(changes));
    filo_changes_destroy(changes);
}

FILO_TEST(a_query_for_changes_finds_what_changed_since_it_last_ran) {
    FiloWorld *world = new_world();
    FiloEntity still = filo_create(world, FILO_SET(Health, 1), FILO_ADD(Position));
    FiloEntity moved = filo_create(world, FILO_SET(Health, 2)); // in another table
    FiloQuery *query = filo_query(world, FILO_READ_CHANGED(Health));
    FiloQuery *writer = filo_query(world, FILO_WRITE(Health), FILO_WITHOUT(Position));
    assert_int_equal(rows_of(query), 2); // everything is new
    assert_int_equal(rows_of(query), 0);
    assert_true(filo_set(world, moved, Health, 3));
    assert_int_equal(filo_query_count(query), 1); // counting does not advance the version
    assert_int_equal(rows_of(query), 1);
    assert_int_equal(rows_of(query), 0);
    filo_edit(world, still, Position)->x = 1; // another component
    assert_int_equal(rows_of(query), 0);
    filo_edit(world, still, Health)->points++;
    assert_int_equal(rows_of(query), 1);
    for (FiloIter it = filo_query_iter(writer); filo_iter_next(&it);) {} // counts as written
    assert_int_equal(rows_of(query), 1);
    FiloEntity created = filo_create(world, FILO_SET(Health, 4));
    assert_int_equal(rows_of(query), 2); // rows were added to that chunk
    filo_entity_destroy(world, created);
    assert_int_equal(rows_of(query), 1);
    set_health_by_changes(world, still);
    assert_int_equal(rows_of(query), 1);
    assert_int_equal(rows_of(query), 0);
    filo_query_release(query);
    destroy_with_query(world, writer);
}

static size_t rows_since(FiloQuery *query, FiloSeen *seen) {
    size_t rows = 0;
    for (FiloIter it = filo_query_iter_since(query, seen); filo_iter_next(&it);) rows += it.count;
    return rows;
}

FILO_TEST(changes_since_a_user_version_are_independent_of_other_readers) {
    FiloWorld *world = new_world();
    FiloEntity entity = filo_create(world, FILO_SET(Health, 1));
    FiloQuery *query = filo_query(world, FILO_READ_CHANGED(Health));
    FiloSeen mine = { 0 }, yours = { 0 };
    assert_int_equal(rows_since(query, &mine), 1);
    assert_int_equal(rows_since(query, &mine), 0);
    assert_int_equal(rows_of(query), 1);
    assert_int_equal(rows_since(query, &yours), 1);
    filo_edit(world, entity, Health)->points++;
    assert_int_equal(rows_of(query), 1);
    assert_int_equal(rows_since(query, &mine), 1);
    assert_int_equal(rows_since(query, &yours), 1);
    assert_int_equal(rows_since(query, &yours), 0);
    destroy_with_query(world, query);
}

FILO_TEST(a_query_for_changes_works_for_every_storage) {
    for (size_t s = 1; s < FILO_COUNT_OF(storages); s++) { // all but tables
        FiloWorld *world = world_with_health_in(storages[s]);
        FiloEntity entity = filo_create(world, FILO_SET(Health, 1));
        FiloQuery *query = filo_query(world, FILO_READ_CHANGED(Health));
        FiloQuery *writer = filo_query(world, FILO_WRITE(Health));
        assert_int_equal(rows_of(query), 1);
        assert_int_equal(rows_of(query), 0);
        assert_true(filo_set(world, entity, Health, 2));
        assert_int_equal(rows_of(query), 1);
        filo_edit(world, entity, Health)->points = 3;
        assert_int_equal(rows_of(query), 1);
        assert_int_equal(rows_of(writer), 1);
        assert_int_equal(rows_of(query), 1);
        set_health_by_changes(world, entity);
        assert_int_equal(rows_of(query), 1);
        assert_int_equal(rows_of(query), 0);
        filo_query_release(query);
        destroy_with_query(world, writer);
    }
}

FILO_TEST(destroy_all_of_a_query_for_changes_destroys_only_changed_chunks) {
    FiloWorld *world = new_world();
    // Several chunks; the first will change.
    FiloComponentValue with[] = { FILO_ADD(Health), FILO_ADD(Position) };
    assert_true(filo_entity_create_block(
        world, &(FiloBlockDesc){ .count = 20000, .values = with, .value_count = 2 }));
    FiloQuery *query = filo_query(world, FILO_READ_CHANGED(Health));
    assert_int_equal(rows_of(query), 20000);
    filo_edit(world, filo_entity_at(world, 0), Health)->points = 1;
    size_t changed = filo_query_count(query);
    assert_true(changed > 256 && changed < 10000);
    filo_query_destroy_all(query);
    assert_int_equal(filo_world_stats(world).entities, 20000 - changed);
    destroy_with_query(world, query);
}

static uint64_t by_nothing(const FiloIter *it, size_t row, void *user) {
    FILO_UNUSED(it), FILO_UNUSED(row), FILO_UNUSED(user);
    return 0;
}

// Counting and similar functions mark nothing as changed; iterating does.
static void expect_asking_marks_nothing(FiloQuery *writer, FiloQuery *changed) {
    FiloEntity entities[64];
    for (FiloIter it = filo_query_iter(writer); filo_iter_next(&it);) {}
    assert_int_not_equal(rows_of(changed), 0); // iterating does
    assert_int_equal(rows_of(changed), 0);
    size_t count = filo_query_count(writer);
    assert_int_not_equal(count, 0);
    assert_true(filo_query_matches(writer, filo_query_first(writer)));
    assert_true(filo_query_matches(writer, filo_query_at(writer, count - 1)));
    assert_int_equal(filo_query_entities(writer, entities, FILO_COUNT_OF(entities)), count);
    assert_int_equal(filo_query_sorted(writer, by_nothing, NULL, entities, FILO_COUNT_OF(entities)), count);
    assert_int_equal(rows_of(changed), 0);
}

FILO_TEST(counting_marks_nothing_as_changed) {
    for (size_t s = 0; s < FILO_COUNT_OF(storages); s++) {
        FiloWorld *world = world_with_health_in(storages[s]);
        for (int i = 0; i < 50; i++) {
            FiloEntity entity = filo_create(world, FILO_SET(Position, 0, 0));
            if (i % 10 == 0) filo_set(world, entity, Health, i); // few, so that their list leads
        }
        FiloQuery *changed[] = { filo_query(world, FILO_READ_CHANGED(Health)),
                                 filo_query(world, FILO_READ_CHANGED(Position)),
                                 filo_query(world, FILO_READ_CHANGED(Score)) };
        FiloQuery *both = filo_query(world, FILO_WRITE(Position), FILO_WRITE(Health), FILO_WRITE(Score));
        FiloQuery *optional =
            filo_query(world, FILO_WRITE(Score), FILO_WRITE(Position), FILO_OPTIONAL_WRITE(Health));
        for (size_t i = 0; i < FILO_COUNT_OF(changed); i++) {
            expect_asking_marks_nothing(both, changed[i]);
            expect_asking_marks_nothing(optional, changed[i]);
            filo_query_release(changed[i]);
        }
        filo_query_release(both);
        destroy_with_query(world, optional);
    }
}

FILO_TEST(a_query_with_several_changed_terms_matches_if_any_of_them_changed) {
    FiloWorld *world = new_world();
    FiloEntity entity = filo_create(world, FILO_SET(Health, 1), FILO_SET(Position, 1, 1));
    FiloQuery *query = filo_query(world, FILO_READ_CHANGED(Health), FILO_READ_CHANGED(Position));
    assert_int_equal(rows_of(query), 1);
    filo_edit(world, entity, Health)->points = 2;
    assert_int_equal(rows_of(query), 1);
    filo_edit(world, entity, Position)->x = 2;
    assert_int_equal(rows_of(query), 1);
    assert_int_equal(rows_of(query), 0);
    destroy_with_query(world, query);
}

// ---- Order --------------------------------------------------------------------------------------------

static uint64_t by_height(const FiloIter *it, size_t row, void *user) {
    FILO_UNUSED(user);
    return filo_sort_key_float(filo_read(it, Position)[row].y);
}

FILO_TEST(entities_are_sorted_stably_by_a_key) {
    static const float heights[] = { 3, -1, 0, -0.0f, 1e30f, -1e30f, 3, 0.5f, NAN, -INFINITY, INFINITY };
    static const int order[] = { 9, 5, 1, 2, 3, 7, 0, 6, 4, 10, 8 };
    FiloWorld *world = new_world();
    FiloEntity entities[FILO_COUNT_OF(heights)], sorted[FILO_COUNT_OF(heights)];
    for (size_t i = 0; i < FILO_COUNT_OF(heights); i++)
        entities[i] = filo_create(world, FILO_SET(Position, 0, heights[i]));
    FiloQuery *query = filo_query(world, FILO_READ(Position));
    assert_int_equal(filo_query_sorted(query, by_height, NULL, sorted, FILO_COUNT_OF(sorted)),
                     FILO_COUNT_OF(heights));
    for (size_t i = 0; i < FILO_COUNT_OF(heights); i++) assert_same_entity(sorted[i], entities[order[i]]);
    FiloEntity lowest[2];
    assert_int_equal(filo_query_sorted(query, by_height, NULL, lowest, 2), FILO_COUNT_OF(heights));
    assert_same_entity(lowest[1], entities[5]);
    assert_true(filo_sort_key_int(-5) < filo_sort_key_int(3));
    assert_true(filo_sort_key_int(INT64_MIN) < filo_sort_key_int(-5));
    destroy_with_query(world, query);
}

FILO_TEST(a_list_is_filled_up_to_its_capacity) {
    FiloWorld *world = new_world();
    for (int i = 0; i < 10; i++) filo_create(world, FILO_SET(Health, i));
    FiloQuery *query = filo_query(world, FILO_READ(Health));
    FiloEntity some[5] = { { 0 } };
    assert_int_equal(filo_query_entities(query, some, 4), 10);
    assert_int_equal(some[4].id, 0);
    assert_same_entity(some[3], filo_query_at(query, 3));
    assert_int_equal(filo_query_entities(query, NULL, 0), 10);
    assert_int_equal(filo_query_at(query, 10).id, 0);
    assert_false(filo_query_matches(query, FILO_ENTITY_NONE));
    destroy_with_query(world, query);
}

FILO_TEST(random_numbers_depend_on_the_entity) {
    FiloWorld *a = new_world_with(&(FiloWorldDesc){ .seed = 5 }),
              *b = new_world_with(&(FiloWorldDesc){ .seed = 5 }),
              *c = new_world_with(&(FiloWorldDesc){ .seed = 6 });
    FiloWorld *worlds[] = { a, b, c };
    uint32_t numbers[3][2];
    for (int w = 0; w < 3; w++) {
        filo_create(worlds[w], FILO_ADD(Health));
        filo_create(worlds[w], FILO_ADD(Health));
        FiloQuery *query = filo_query(worlds[w], FILO_READ(Health));
        FiloIter it = filo_query_iter(query);
        assert_true(filo_iter_next(&it));
        for (size_t i = 0; i < 2; i++) {
            FiloRandom random = filo_iter_random(&it, i);
            numbers[w][i] = filo_random_u32(&random);
        }
        filo_iter_end(&it);
        filo_query_release(query);
    }
    assert_int_equal(numbers[0][0], numbers[1][0]);
    assert_int_equal(numbers[0][1], numbers[1][1]);
    assert_int_not_equal(numbers[0][0], numbers[0][1]);
    assert_int_not_equal(numbers[0][0], numbers[2][0]);
    for (int w = 0; w < 3; w++) filo_world_destroy(worlds[w]);
}

// ---- Tracked queries ----------------------------------------------------------------------------------

FILO_TEST(a_tracked_query_lists_entities_that_entered_and_left) {
    FiloWorld *world = new_world();
    FiloEntity old = filo_create(world, FILO_SET(Health, 1));
    FiloQuery *query = filo_query_create(
        world, &(FiloQueryDesc){ .terms = { FILO_READ(Health), FILO_WITHOUT(Chosen) }, .tracked = true });
    size_t count;
    (void)filo_query_entered(query, &count);
    assert_int_equal(count, 0); // it matched before
    FiloEntity a = filo_create(world, FILO_SET(Health, 2)), b = filo_create(world, FILO_SET(Health, 3));
    filo_add(world, old, Chosen);
    filo_add(world, a, Position); // moves the row, but still matches
    FiloEntity brief = filo_create(world, FILO_SET(Health, 4));
    filo_entity_destroy(world, brief);
    (void)filo_query_entered(query, &count);
    assert_int_equal(count, 0); // updated at the next refresh
    filo_world_refresh(world);
    const FiloEntity *entered = filo_query_entered(query, &count);
    assert_int_equal(count, 2);
    assert_same_entity(entered[0], a);
    assert_same_entity(entered[1], b);
    const FiloEntity *left = filo_query_left(query, &count);
    assert_int_equal(count, 1);
    assert_same_entity(left[0], old);
    filo_entity_set_active(world, a, false);
    filo_entity_destroy(world, b);
    filo_remove(world, old, Chosen);
    filo_add(world, old, Chosen); // left again before the refresh
    filo_world_refresh(world);
    (void)filo_query_entered(query, &count);
    assert_int_equal(count, 0);
    left = filo_query_left(query, &count);
    assert_int_equal(count, 2);
    assert_same_entity(left[0], a);
    assert_same_entity(left[1], b);
    filo_world_refresh(world);
    (void)filo_query_left(query, &count);
    assert_int_equal(count, 0);
    destroy_with_query(world, query);
}

FILO_TEST(entered_entities_are_listed_in_the_order_of_their_first_change) {
    FiloWorld *world = new_world();
    FiloQuery *query = filo_query_create(
        world, &(FiloQueryDesc){ .terms = { FILO_WITH(Position), FILO_WITH(Velocity) }, .tracked = true });
    FiloEntity a = filo_entity_create(world), b = filo_entity_create(world);
    filo_world_refresh(world);
    filo_add(world, b, Health); // not a term of the query
    filo_add(world, a, Position);
    filo_add(world, b, Position);
    filo_add(world, b, Velocity);
    filo_add(world, a, Velocity);
    filo_world_refresh(world);
    size_t count;
    const FiloEntity *entered = filo_query_entered(query, &count);
    assert_int_equal(count, 2);
    assert_same_entity(entered[0], a);
    assert_same_entity(entered[1], b);
    destroy_with_query(world, query);
}

FILO_TEST(a_tracked_query_lists_changes_of_sets_in_the_order_of_records) {
    FiloWorld *world = new_world();
    FiloEntity one = filo_entity_create(world), two = filo_entity_create(world),
               three = filo_entity_create(world);
    FiloQuery *query = filo_query_create(
        world, &(FiloQueryDesc){ .terms = { FILO_READ(Health), FILO_WITHOUT(Chosen) }, .tracked = true });
    FiloChanges *changes = filo_changes_create(world);
    filo_add(changes, one, Velocity); // not a term of the query
    filo_add(changes, two, Health);
    filo_add(changes, three, Chosen); // outside of tables
    filo_add(changes, one, Health);
    filo_add(changes, three, Health);
    filo_remove(changes, three, Chosen);
    FiloEntity temporary = filo_changes_create_entity(changes);
    filo_add(changes, temporary, Health);
    assert_true(filo_changes_apply(changes));
    filo_world_refresh(world);
    size_t count;
    const FiloEntity *entered = filo_query_entered(query, &count);
    assert_int_equal(count, 4);
    assert_same_entity(entered[0], two);
    assert_same_entity(entered[1], three);
    assert_same_entity(entered[2], one);
    assert_same_entity(entered[3], filo_changes_resolved(changes, temporary));
    filo_changes_destroy(changes);
    destroy_with_query(world, query);
}
