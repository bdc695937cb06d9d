// Looking up many entities at once, and going over a query inside a system.

#include "ecs/world_types.h"

#include <filo/random.h>

#define MANY 5000

// Wound is registered with another storage in each world.
typedef struct Wound {
    int32_t depth;
} Wound;
FILO_REFLECT(Wound, FILO_FIELD(int32_t, depth))

static void compare_lookups(FiloStorage storage) {
    FiloWorld *world = new_world();
    FiloComponent wound = filo_component(world, Wound, .storage = storage);
    FiloEntity *entities = malloc(MANY * sizeof *entities);
    const void **values = malloc(MANY * sizeof *values);
    FiloRandom random = filo_random_keyed(1, 2, 3, 4);
    for (int i = 0; i < MANY; i++) {
        entities[i] = i % 3 == 0 ? filo_create(world, FILO_WITH_FIRST(Position)) : filo_entity_create(world);
        if (i % 2 == 0) assert_true(filo_entity_set(world, entities[i], wound, &(Wound){ i }));
        if (i % 7 == 0) filo_entity_destroy(world, entities[i]);
    }
    entities[5] = FILO_ENTITY_NONE;
    entities[6] = (FiloEntity){ UINT64_C(1) << 32 | FILO_ENTITY_INDEX_MAX };
    filo_random_shuffle(&random, entities, MANY, sizeof *entities);
    static const size_t counts[] = { 1, 15, 16, 17, 31, 32, 33, 63, 64, 65, MANY };
    for (size_t n = 0; n < FILO_COUNT_OF(counts); n++) {
        size_t found = filo_entity_get_many(world, entities, counts[n], wound, values), expected = 0;
        for (size_t i = 0; i < counts[n]; i++) {
            assert_ptr_equal(values[i], filo_entity_get(world, entities[i], wound));
            expected += values[i] != NULL;
        }
        assert_int_equal(found, expected);
        if (counts[n] == MANY) assert_true(found > MANY / 3);
    }
    free(entities);
    free(values);
    filo_world_destroy(world);
}

// Where a column was found the last time is remembered.
FILO_TEST(a_value_is_found_though_its_table_grew_or_was_restored_or_is_another) {
    FiloWorld *world = new_world();
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    FiloEntity entities[3000];
    for (int i = 0; i < 3000; i++) {
        entities[i] = i % 2 == 0 ? filo_create(world, FILO_WITH(Velocity, (float)i, 0), FILO_WITH(Health, i))
                                 : filo_create(world, FILO_WITH(Health, i), FILO_WITH_FIRST(Position));
        for (int k = i % 16; k <= i; k += 16)
            assert_int_equal(filo_get(world, entities[k], Health)->points, k);
        if (i == 100) assert_ok(filo_snapshot_take(world, snapshot));
        if (i % 500 == 0) assert_null(filo_get(world, entities[i], Position));
    }
    assert_ok(filo_snapshot_restore(world, snapshot));
    for (int i = 0; i <= 100; i++) assert_int_equal(filo_get(world, entities[i], Health)->points, i);
    assert_null(filo_get(world, entities[101], Health));
    filo_snapshot_destroy(snapshot);
    filo_world_destroy(world);
}

FILO_TEST(many_look_ups_at_once_find_what_single_ones_find_in_tables) { compare_lookups(FILO_STORAGE_TABLE); }
FILO_TEST(many_look_ups_at_once_find_what_single_ones_find_in_arrays) { compare_lookups(FILO_STORAGE_ARRAY); }
FILO_TEST(many_look_ups_at_once_find_what_single_ones_find_in_sparse_lists) {
    compare_lookups(FILO_STORAGE_SPARSE);
}
FILO_TEST(many_look_ups_at_once_find_what_single_ones_find_in_maps) { compare_lookups(FILO_STORAGE_MAP); }

FILO_TEST(misuse_of_many_look_ups_is_reported) {
    FiloWorld *world = new_world();
    FiloEntity entity = filo_entity_create(world);
    const void *value;
    expect_fault(
        "is not one that entities have",
        assert_int_equal(filo_entity_get_many(world, &entity, 1, (FiloComponent){ 999 }, &value), 0));
    expect_fault("is not one that entities have",
                 assert_int_equal(filo_entity_get_many(world, &entity, 1, ID(world, Score), &value), 0));
    expect_fault("where to put the values",
                 assert_int_equal(filo_entity_get_many(world, &entity, 1, ID(world, Position), NULL), 0));
    assert_int_equal(filo_entity_get_many(world, NULL, 0, ID(world, Position), NULL), 0);
    filo_world_destroy(world);
}

typedef struct Seen {
    size_t rows, runs;
    bool same;
} Seen;

// Goes over its own query by itself: only what changed since it last ran.
static void look(FiloIter *it) {
    Seen *seen = it->user;
    FiloIter inner = filo_iter_over(it, it->query);
    seen->same = inner.user == it->user && inner.changes == it->changes && inner.system == it->system;
    while (filo_iter_next(&inner)) seen->rows += inner.count;
    seen->runs++;
}

FILO_TEST(an_iteration_inside_a_system_has_what_the_system_has) {
    FiloWorld *world = new_world();
    Seen seen = { 0 };
    FiloEntity entity = filo_create(world, FILO_WITH(Position, 1, 2));
    filo_system_add(world, &(FiloSystemDesc){ .name = "look",
                                              .run = look,
                                              .user = &seen,
                                              .once = true,
                                              .query.terms = { FILO_READ_CHANGED(Position) } });
    assert_ok(filo_world_tick(world, 1));
    assert_true(seen.same);
    assert_int_equal(seen.rows, 1);
    assert_ok(filo_world_tick(world, 1));
    assert_int_equal(seen.rows, 1); // nothing changed
    filo_edit(world, entity, Position)->x = 5;
    assert_ok(filo_world_tick(world, 1));
    assert_int_equal(seen.rows, 2);
    assert_int_equal(seen.runs, 3);
    filo_world_destroy(world);
}

FILO_TEST(an_iteration_outside_of_systems_is_an_ordinary_one) {
    FiloWorld *world = new_world();
    filo_create(world, FILO_WITH_FIRST(Position));
    FiloQuery *query = filo_query(world, FILO_READ(Position));
    FiloIter outer = filo_query_iter(query);
    assert_true(filo_iter_next(&outer));
    FiloIter inner = filo_iter_over(&outer, query);
    assert_true(filo_iter_next(&inner));
    assert_int_equal(inner.count, 1);
    filo_iter_end(&inner);
    filo_iter_end(&outer);
    assert_true(filo_entity_create(world).id != 0); // both have ended
    filo_query_release(query);
    filo_world_destroy(world);
}
