// Lookups of many entities, and iterating over a query inside a system.

#include "ecs/world_types.h"

#include <filo/random.h>

#include "ecs/query/iter.h"

#define MANY 5000

// An id among other fields, as in a component.
typedef struct Aim {
    float weight;
    FiloEntity target;
    char note[24];
} Aim;

// Compares both kinds of lookups with filo_get.
static void compare_first(FiloWorld *world, FiloComponent component, const FiloEntity *entities,
                          const Aim *aims, size_t count) {
    const void **values = malloc(MANY * sizeof *values);
    size_t found = filo_entity_get_many(world, entities, count, component, values), expected = 0;
    FiloLookup in_array = filo_entity_lookup(world, entities, sizeof(FiloEntity), count, component);
    FiloLookup in_fields = filo_entity_lookup(world, &aims->target, sizeof(Aim), count, component);
    for (size_t i = 0; i < count; i++) {
        const void *value = filo_entity_get(world, entities[i], component);
        assert_ptr_equal(values[i], value);
        assert_ptr_equal(filo_lookup_next(&in_array), value);
        assert_ptr_equal(filo_lookup_next(&in_fields), value);
        expected += value != NULL;
    }
    for (int i = 0; i < 100; i++) assert_null(filo_lookup_next(&in_array)); // both have ended
    assert_int_equal(found, expected);
    if (count == MANY) assert_true(found > MANY / 3);
    free(values);
}

static void compare_lookups(const FiloComponentDesc *desc) {
    FiloWorld *world = new_world();
    FiloComponent component = filo_component_register(world, desc);
    FiloEntity *entities = malloc(MANY * sizeof *entities);
    Aim *aims = calloc(MANY, sizeof *aims);
    FiloRandom random = filo_random_keyed(1, 2, 3, 4);
    for (int i = 0; i < MANY; i++) {
        entities[i] = i % 3 == 0 ? filo_create(world, FILO_ADD(Position)) : filo_entity_create(world);
        if (i % 2 == 0) filo_entity_add(world, entities[i], component);
        if (i % 5 == 0) filo_entity_set_active(world, entities[i], false);
        if (i % 7 == 0) filo_entity_destroy(world, entities[i]);
        if (i % 14 == 0) filo_entity_create(world); // reuses an index
    }
    entities[5] = FILO_ENTITY_NONE;
    entities[6] = (FiloEntity){ UINT64_C(1) << 32 | FILO_ENTITY_INDEX_MAX };
    entities[7] = (FiloEntity){ UINT64_MAX };
    entities[8] = (FiloEntity){ entities[11].id | UINT64_C(1) << 63 }; // like a temporary id
    entities[9].id &= UINT32_MAX;                                      // no generation
    filo_random_shuffle(&random, entities, MANY, sizeof *entities);
    for (size_t i = 0; i < MANY; i++) aims[i].target = entities[i];
    static const size_t counts[] = { 0,  1,  2,  15, 16, 17, 31, 32, 33,  47,  48,
                                     49, 63, 64, 65, 79, 80, 81, 95, 127, 128, MANY };
    for (size_t n = 0; n < FILO_COUNT_OF(counts); n++)
        compare_first(world, component, entities, aims, counts[n]);
    free(entities);
    free(aims);
    filo_world_destroy(world);
}

static void compare_stored(FiloStorage storage) {
    compare_lookups(&(FiloComponentDesc){ .type = FILO_TYPE(Stranger), .storage = storage });
}

// A lookup caches the column of the last table.
FILO_TEST(a_lookup_finds_values_after_the_table_grew_was_restored_or_changed) {
    FiloWorld *world = new_world();
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    FiloEntity entities[3000];
    for (int i = 0; i < 3000; i++) {
        entities[i] = i % 2 == 0 ? filo_create(world, FILO_SET(Velocity, (float)i, 0), FILO_SET(Health, i))
                                 : filo_create(world, FILO_SET(Health, i), FILO_ADD(Position));
        for (int k = i % 16; k <= i; k += 16)
            assert_int_equal(filo_get(world, entities[k], Health)->points, k);
        if (i == 100) assert_ok(filo_snapshot_take(snapshot, world));
        if (i % 500 == 0) assert_null(filo_get(world, entities[i], Position));
    }
    assert_ok(filo_snapshot_restore(snapshot, world));
    for (int i = 0; i <= 100; i++) assert_int_equal(filo_get(world, entities[i], Health)->points, i);
    assert_null(filo_get(world, entities[101], Health));
    destroy_with_snapshot(world, snapshot);
}

FILO_TEST(batch_lookups_equal_single_lookups_in_tables) { compare_stored(FILO_STORAGE_TABLE); }
FILO_TEST(batch_lookups_equal_single_lookups_in_arrays) { compare_stored(FILO_STORAGE_ARRAY); }
FILO_TEST(batch_lookups_equal_single_lookups_in_sparse_lists) { compare_stored(FILO_STORAGE_SPARSE); }
FILO_TEST(batch_lookups_equal_single_lookups_in_maps) { compare_stored(FILO_STORAGE_MAP); }
FILO_TEST(batch_lookups_find_tags_in_tables_and_outside) {
    compare_lookups(&(FiloComponentDesc){ .type = FILO_TYPE(Frozen), .storage = FILO_STORAGE_TABLE });
    compare_lookups(&(FiloComponentDesc){ .type = FILO_TYPE(Chosen), .storage = FILO_STORAGE_TAG });
}

FILO_TEST(misuse_of_batch_lookups_is_reported) {
    FiloWorld *world = new_world();
    FiloEntity entity = filo_entity_create(world);
    const void *value = &entity;
    expect_fault(
        "is not one that entities have",
        assert_int_equal(filo_entity_get_many(world, &entity, 1, (FiloComponent){ 999 }, &value), 0));
    assert_null(value);
    expect_fault("is not one that entities have",
                 assert_int_equal(filo_entity_get_many(world, &entity, 1, ID(world, Score), &value), 0));
    expect_fault("where to put the values",
                 assert_int_equal(filo_entity_get_many(world, &entity, 1, ID(world, Position), NULL), 0));
    expect_fault("pass the entities",
                 assert_int_equal(filo_entity_get_many(world, NULL, 1, ID(world, Position), &value), 0));
    assert_int_equal(filo_entity_get_many(world, NULL, 0, ID(world, Position), NULL), 0);
    filo_world_destroy(world);
}

// After a mistake the lookup has ended.
FILO_TEST(misuse_of_lookups_is_reported) {
    FiloWorld *world = new_world();
    FiloEntity entities[2] = { filo_create(world, FILO_SET(Health, 1)),
                               filo_create(world, FILO_SET(Health, 2)) };
    FiloLookup lookup;
    expect_fault("is not one that entities have", lookup = filo_lookup(world, entities, 8, 2, Score));
    assert_null(filo_lookup_next(&lookup));
    expect_fault("is not one that entities have",
                 lookup = filo_entity_lookup(world, entities, 8, 2, (FiloComponent){ 0 }));
    assert_null(filo_lookup_next(&lookup));
    expect_fault("as sizeof(FiloEntity), not 0", lookup = filo_lookup(world, entities, 0, 2, Health));
    assert_null(filo_lookup_next(&lookup));
    expect_fault("as sizeof(FiloEntity), not 12", lookup = filo_lookup(world, entities, 12, 2, Health));
    assert_null(filo_lookup_next(&lookup));
    expect_fault("pass the entities", lookup = filo_lookup(world, NULL, 8, 2, Health));
    assert_null(filo_lookup_next(&lookup));
    const FiloEntity *askew = (const FiloEntity *)(const void *)((const char *)entities + 4);
    expect_fault("pass the entities", lookup = filo_lookup(world, askew, 8, 1, Health));
    assert_null(filo_lookup_next(&lookup));
    expect_fault("cannot look up a component: Stranger is not registered in this world",
                 lookup = filo_lookup(world, entities, 8, 2, Stranger));
    assert_null(filo_lookup_next(&lookup));
    lookup = filo_lookup(world, NULL, 0, 0, Health);
    assert_null(filo_lookup_next(&lookup));
    lookup = filo_lookup(world, entities, 0, 1, Health); // one entity needs no stride
    assert_int_equal(((const Health *)filo_lookup_next(&lookup))->points, 1);
    filo_world_destroy(world);
}

// In any storage. A release build may read a wrong value, but from valid memory.
static void use_after_change(FiloStorage storage) {
    FiloWorld *world = new_world();
    FiloComponent component = filo_component(world, Stranger, .storage = storage);
    FiloEntity entities[100];
    for (int i = 0; i < 100; i++) {
        entities[i] = filo_entity_create(world);
        filo_entity_set(world, entities[i], component, &(Stranger){ i });
    }
    FiloLookup lookup = filo_entity_lookup(world, entities, sizeof *entities, 100, component);
    for (int i = 0; i < 20; i++) assert_int_equal(((const Stranger *)filo_lookup_next(&lookup))->number, i);
    filo_entity_remove(world, entities[20], component);
#ifndef NDEBUG
    expect_fault("changed before the look-up had ended", assert_null(filo_lookup_next(&lookup)));
#else
    for (int i = 0; i < 100; i++) filo_lookup_next(&lookup);
#endif
    lookup = filo_entity_lookup(world, entities, sizeof *entities, 100, component);
    for (int i = 0; i < 20; i++) assert_int_equal(((const Stranger *)filo_lookup_next(&lookup))->number, i);
    assert_null(filo_lookup_next(&lookup));
    entities[21] = (FiloEntity){ UINT64_C(1) << 32 | 0x3FFFFFF0 };
    entities[22] = entities[23];
#ifndef NDEBUG
    expect_fault("changed before the look-up had ended", assert_null(filo_lookup_next(&lookup)));
#else
    for (int i = 0; i < 100; i++) filo_lookup_next(&lookup);
#endif
    filo_world_destroy(world);
}

FILO_TEST(a_lookup_used_after_a_structural_change_is_reported) {
    use_after_change(FILO_STORAGE_TABLE);
    use_after_change(FILO_STORAGE_ARRAY);
    use_after_change(FILO_STORAGE_SPARSE);
    use_after_change(FILO_STORAGE_MAP);
}

// ---- Lookups by column ------------------------------------------------------------------------------------

typedef struct Follow { // refers to another entity
    int32_t strength;
    FiloEntity target;
} Follow;
typedef struct Leader { // global
    FiloEntity target;
} Leader;
FILO_REFLECT(Follow, FILO_FIELD(int32_t, strength), FILO_FIELD(FiloEntity, target))
FILO_REFLECT(Leader, FILO_FIELD(FiloEntity, target))

typedef struct Followed {
    size_t rows, gathered, found;
} Followed;

static void follow_rows(FiloIter *it, Followed *followed) {
    FiloColumn follow = filo_column(it, Follow);
    FiloLookup health = filo_iter_lookup(it, 0, Follow, target, Health);
    FiloLookup by_type = filo_follow(it, Follow, target, Health);
    FiloLookup leaders = filo_follow(it, Leader, target, Health);
    for (size_t i = 0; i < it->count; i++) {
        const Follow *own = FILO_TRY_AT(follow, i, const Follow);
        const Health *expected = own != NULL ? filo_get(it->world, own->target, Health) : NULL;
        assert_ptr_equal(filo_lookup_next(&health), expected);
        assert_ptr_equal(filo_lookup_next(&by_type), expected);
        assert_int_equal(((const Health *)filo_lookup_next(&leaders))->points, 77);
        followed->found += expected != NULL;
    }
    assert_null(filo_lookup_next(&health));
    followed->rows += it->count;
    followed->gathered += follow.rows != NULL ? it->count : 0;
}

static Followed follow_all(FiloStorage storage, FiloQueryDesc desc) {
    FiloWorld *world = new_world();
    filo_component(world, Follow, .storage = storage);
    filo_component(world, Leader, .storage = FILO_STORAGE_GLOBAL);
    filo_edit_global(world, Leader)->target = filo_create(world, FILO_SET(Health, 77));
    FiloEntity entities[500];
    for (int i = 0; i < 500; i++) {
        entities[i] = filo_create(world, FILO_ADD(Position));
        if (i % 3 == 0) filo_set(world, entities[i], Health, i);
        if (i % 5 == 0) filo_add(world, entities[i], Chosen);
    }
    for (int i = 0; i < 500; i++)
        if (i % 4 != 0) filo_set(world, entities[i], Follow, i, entities[(i * 77) % 500]);
    filo_set(world, entities[1], Follow, .strength = 5); // refers to no entity
    filo_entity_destroy(world, entities[3]);
    Followed followed = { 0 };
    FiloQuery *query = filo_query_create(world, &desc);
    FiloIter it = filo_query_iter(query);
    while (filo_iter_next(&it)) follow_rows(&it, &followed);
    destroy_with_query(world, query);
    return followed;
}

FILO_TEST(a_lookup_by_column_follows_references_in_every_storage) {
    FiloQueryDesc all = { .terms = { FILO_READ(Follow), FILO_READ(Leader) } };
    Followed followed = follow_all(FILO_STORAGE_TABLE, all);
    assert_int_equal(followed.rows, 374);
    assert_int_equal(followed.gathered, 0);
    assert_true(followed.found > 100 && followed.found < followed.rows);
    Followed others = follow_all(FILO_STORAGE_SPARSE, all);
    assert_int_equal(others.gathered, others.rows);
    assert_int_equal(others.found, followed.found);
    // With a tag outside of tables, columns are gathered.
    FiloQueryDesc some = { .terms = { FILO_READ(Follow), FILO_READ(Leader), FILO_WITHOUT(Chosen) } };
    others = follow_all(FILO_STORAGE_TABLE, some);
    assert_true(others.gathered > 0 && others.found > 50);
    FiloQueryDesc optional = { .terms = { FILO_OPTIONAL_READ(Follow), FILO_READ(Leader),
                                          FILO_READ(Position) } };
    others = follow_all(FILO_STORAGE_SPARSE, optional);
    assert_int_equal(others.rows, 499);
    assert_int_equal(others.found, followed.found);
    others = follow_all(FILO_STORAGE_TABLE, optional);
    assert_int_equal(others.found, followed.found);
}

FILO_TEST(a_lookup_by_a_term_of_another_type_is_reported) {
    FiloWorld *world = new_world();
    filo_component(world, Follow);
    FiloEntity entity = filo_create(world, FILO_ADD(Follow), FILO_SET(Health, 3));
    filo_edit(world, entity, Follow)->target = entity;
    FiloQuery *query = filo_query(world, FILO_READ(Follow), FILO_READ(Health));
    FiloIter it = filo_query_iter(query);
    assert_true(filo_iter_next(&it));
    FiloLookup lookup;
    expect_fault("term 1 is not of the component", lookup = filo_iter_lookup(&it, 1, Follow, target, Health));
    assert_null(filo_lookup_next(&lookup));
    expect_fault("there is no term 2", lookup = filo_iter_lookup(&it, 2, Follow, target, Health));
    assert_null(filo_lookup_next(&lookup));
    expect_fault("Stranger is not registered", lookup = filo_iter_lookup(&it, 0, Follow, target, Stranger));
    assert_null(filo_lookup_next(&lookup));
    expect_fault(
        "the query has no term for Target: add FILO_READ(Target). Its terms are Follow (read), Health (read)",
        lookup = filo_follow(&it, Target, entity, Health));
    assert_null(filo_lookup_next(&lookup));
    assert_int_equal(it.count, 1); // the rows are still valid
    lookup = filo_iter_lookup(&it, 0, Follow, target, Health);
    assert_int_equal(((const Health *)filo_lookup_next(&lookup))->points, 3);
    filo_iter_end(&it);
    destroy_with_query(world, query);
}

static void look_up_undeclared(FiloIter *it) {
    FiloEntity *entity = it->user;
    FiloLookup lookup = filo_lookup(it->world, entity, sizeof *entity, 1, Health);
    assert_null(filo_lookup_next(&lookup));
}

FILO_TEST(a_lookup_of_an_undeclared_component_in_a_system_is_reported) {
    only_in_debug_builds();
    FiloWorld *world = new_world();
    FiloEntity entity = filo_create(world, FILO_ADD(Position), FILO_SET(Health, 1));
    filo_system_add(world, &(FiloSystemDesc){ .name = "iterate",
                                              .run = look_up_undeclared,
                                              .user = &entity,
                                              .query.terms = { FILO_READ(Position) } });
    expect_fault("system \"iterate\" reads Health, which it did not declare",
                 assert_ok(filo_world_tick(world, 1)));
    filo_world_destroy(world);
}

typedef struct Seen {
    size_t rows, runs;
    bool same;
} Seen;

// Iterates over its own query again: only over changes since it last ran.
static void iterate_again(FiloIter *it) {
    Seen *seen = it->user;
    FiloIter inner = filo_iter_over(it, it->query);
    seen->same = inner.user == it->user && inner.changes == it->changes &&
                 ecs_iter(&inner)->system == ecs_iter(it)->system;
    while (filo_iter_next(&inner)) seen->rows += inner.count;
    seen->runs++;
}

FILO_TEST(an_iteration_inside_a_system_has_the_context_of_the_system) {
    FiloWorld *world = new_world();
    Seen seen = { 0 };
    FiloEntity entity = filo_create(world, FILO_SET(Position, 1, 2));
    filo_system_add(world, &(FiloSystemDesc){ .name = "iterate",
                                              .run = iterate_again,
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

FILO_TEST(filo_iter_query_outside_of_systems_is_an_ordinary_iteration) {
    FiloWorld *world = new_world();
    filo_create(world, FILO_ADD(Position));
    FiloQuery *query = filo_query(world, FILO_READ(Position));
    FiloIter outer = filo_query_iter(query);
    assert_true(filo_iter_next(&outer));
    FiloIter inner = filo_iter_over(&outer, query);
    assert_true(filo_iter_next(&inner));
    assert_int_equal(inner.count, 1);
    filo_iter_end(&inner);
    filo_iter_end(&outer);
    assert_true(filo_entity_create(world).id != 0); // both have ended
    destroy_with_query(world, query);
}

// ---- Changes --------------------------------------------------------------------------------------------

static size_t count_changed(FiloQuery *query) {
    size_t count = 0;
    FiloIter it = filo_query_iter(query);
    while (filo_iter_next(&it)) count += it.count;
    return count;
}

// On a server that runs for months, versions exceed 32 bits.
FILO_TEST(changes_are_found_after_more_than_32_bits_of_versions) {
    FiloWorld *world = new_world();
    FiloEntity old = filo_create(world, FILO_SET(Health, 1));
    static const uint64_t versions[] = { (UINT64_C(1) << 31) - 2, (UINT64_C(1) << 32) - 2,
                                         UINT64_C(1) << 40 };
    FiloQuery *watching = filo_query(world, FILO_READ_CHANGED(Health));
    assert_int_equal(count_changed(watching), 1);
    for (size_t i = 0; i < FILO_COUNT_OF(versions); i++) {
        world->version = versions[i];
        for (int k = 0; k < 5; k++) {
            assert_int_equal(count_changed(watching), 0);
            filo_edit(world, old, Health)->points++;
            assert_int_equal(count_changed(watching), 1);
            FiloSeen seen = { 0 };
            FiloIter it = filo_query_iter_since(watching, &seen);
            assert_true(filo_iter_next(&it)); // a new FiloSeen sees everything
            filo_iter_end(&it);
        }
    }
    destroy_with_query(world, watching);
}
