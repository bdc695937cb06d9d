// A leading component: iterating over its short list instead of tables finds the same entities, in any parts.

#include "ecs/world_types.h"

#include <filo/random.h>

#include "ecs/query/iter.h"

#define ENTITIES 20000

typedef struct Listed { // has another storage in each world
    int32_t number;
} Listed;
typedef struct Noted {
    int32_t number;
} Noted;
FILO_REFLECT(Listed, FILO_FIELD(int32_t, number))
FILO_REFLECT(Noted, FILO_FIELD(int32_t, number))

typedef struct Scene {
    FiloWorld *world;
    FiloComponent leading;
    bool by_tag; // the leading component is a tag in bits
    FiloEntity entities[ENTITIES];
} Scene;

// One entity in 64 has the leading component. There are several tables, inactive entities, other storages and parents.
static Scene *open_scene(const FiloComponentDesc *leading) {
    Scene *scene = calloc(1, sizeof *scene);
    FiloWorld *world = scene->world = new_world();
    scene->leading = filo_component_register(world, leading);
    scene->by_tag = leading->storage == FILO_STORAGE_TAG;
    FiloComponent noted = filo_component(world, Noted, .storage = FILO_STORAGE_ARRAY);
    FiloRandom random = filo_random_keyed(5, 6, 7, 8);
    FiloEntity parent = filo_create(world, FILO_SET(Velocity, 1, 2));
    for (int32_t i = 0; i < ENTITIES; i++) {
        FiloEntity entity = filo_create(world, FILO_SET(Position, (float)i, 0));
        scene->entities[i] = entity;
        if (filo_random_below(&random, 2) == 0) filo_set(world, entity, Health, i);
        if (filo_random_below(&random, 4) == 0) filo_set(world, entity, Velocity, (float)i, 0);
        if (filo_random_below(&random, 3) == 0) filo_entity_set(world, entity, noted, &(Noted){ i });
        if (filo_random_below(&random, 2) == 0) filo_entity_add(world, entity, ID(world, Chosen));
        if (filo_random_below(&random, 4) == 0) filo_entity_set_parent(world, entity, parent);
        if (filo_random_below(&random, 5) == 0) filo_entity_set_active(world, entity, false);
    }
    for (int32_t i = 0; i < ENTITIES; i++) { // in random order
        FiloEntity entity = scene->entities[(i * 1709) % ENTITIES];
        if (filo_random_below(&random, 64) != 0) continue;
        filo_entity_add(world, entity, scene->leading);
        if (leading->type->size > 0)
            ((Listed *)filo_entity_edit(world, entity, scene->leading))->number = (int32_t)entity.id;
    }
    for (int32_t i = 0; i < ENTITIES; i += 50) {
        filo_entity_remove(world, scene->entities[i], scene->leading);
        filo_entity_destroy(world, scene->entities[i + 7]);
    }
    return scene;
}

static void close_scene(Scene *scene) {
    filo_world_destroy(scene->world);
    free(scene);
}

static bool term_holds(const Scene *scene, FiloEntity entity, const FiloTerm *term, bool *any) {
    FiloWorld *world = scene->world;
    FiloEntity owner = term->from_parent ? filo_entity_parent(world, entity) : entity;
    FiloComponent component = term->type != NULL ? filo_component_of(world, term->type()) : term->component;
    bool has = filo_entity_has(world, owner, component);
    if (term->kind == FILO_TERM_ANY) *any = *any || has;
    return term->kind == FILO_TERM_REQUIRED ? has : term->kind != FILO_TERM_REJECTED || !has;
}

// The expected result, from the components of the entity.
static bool should_match(const Scene *scene, FiloEntity entity, const FiloQueryDesc *desc) {
    if (!filo_entity_exists(scene->world, entity)) return false;
    if (desc->activity != FILO_ANY_ACTIVITY &&
        filo_entity_active(scene->world, entity) != (desc->activity == FILO_ACTIVE))
        return false;
    bool any = false, asks_any = false;
    for (size_t i = 0; i < FILO_TERMS; i++) {
        const FiloTerm *term = &desc->terms[i];
        if (term->type == NULL && term->component.id == 0) break;
        asks_any = asks_any || term->kind == FILO_TERM_ANY;
        if (!term_holds(scene, entity, term, &any)) return false;
    }
    return any || !asks_any;
}

// Each column of a row has the value of the entity or of its parent.
static void expect_columns(const Scene *scene, const FiloIter *it, size_t row, const FiloQueryDesc *desc) {
    FiloWorld *world = scene->world;
    FiloEntity entity = filo_iter_entity(it, row);
    for (unsigned i = 0; i < FILO_TERMS; i++) {
        const FiloTerm *term = &desc->terms[i];
        if (term->type == NULL && term->component.id == 0) break;
        if (term->access == FILO_ACCESS_NONE) continue;
        FiloComponent component =
            term->type != NULL ? filo_component_of(world, term->type()) : term->component;
        FiloEntity owner = term->from_parent ? filo_entity_parent(world, entity) : entity;
        const FiloComponentInfo *info = filo_component_info(world, component);
        assert_int_equal(filo_iter_has(it, i, row), filo_entity_has(world, owner, component));
        if (info->size > 0)
            assert_ptr_equal(filo_column_at(filo_iter_column(it, i), row, info->size),
                             filo_entity_get(world, owner, component));
    }
}

// Iterates in parts of so many rows: each matching entity is found once, and no other.
static void expect_parts(const Scene *scene, FiloQuery *query, const FiloQueryDesc *desc, size_t part_rows) {
    size_t rows = filo_query_rows(query), found = 0, expected = 0;
    uint8_t *times = calloc(filo_entity_index_end(scene->world), 1);
    for (size_t begin = 0; begin < rows; begin += part_rows) {
        FiloIter it = filo_query_iter_part(query, begin, FILO_MIN(begin + part_rows, rows));
        while (filo_iter_next(&it)) {
            // The bits of a tag do not lead if there are few rows.
            assert_true(ecs_iter(&it)->leading != NULL || (scene->by_tag && rows < ENTITIES));
            assert_true(it.first >= begin && it.first < begin + part_rows);
            found += it.count;
            for (size_t i = 0; i < it.count; i++) {
                times[filo_entity_index(filo_iter_entity(&it, i))]++;
                expect_columns(scene, &it, i, desc);
            }
        }
    }
    for (size_t i = 0; i < ENTITIES; i++) {
        bool matches = should_match(scene, scene->entities[i], desc);
        expected += matches;
        if (filo_entity_exists(scene->world, scene->entities[i]))
            assert_int_equal(times[filo_entity_index(scene->entities[i])], matches);
        assert_int_equal(filo_query_matches(query, scene->entities[i]), matches);
    }
    assert_int_equal(found, expected);
    assert_int_equal(filo_query_count(query), expected);
    free(times);
}

static void expect_all_queries(const FiloComponentDesc *leading) {
    Scene *scene = open_scene(leading);
    FiloTerm listed = { .component = scene->leading, .access = FILO_ACCESS_READ };
    const FiloQueryDesc descs[] = {
        { .terms = { FILO_WRITE(Position), listed } },
        { .terms = { FILO_WRITE(Position), { .component = scene->leading } } },
        { .terms = { listed } },
        { .terms = { FILO_READ(Position), listed, FILO_WITHOUT(Health), FILO_OPTIONAL_WRITE(Velocity) } },
        { .terms = { listed, FILO_ANY_READ(Health), FILO_ANY_READ(Velocity) } },
        { .terms = { listed, FILO_ANY_READ(Health), FILO_ANY_READ(Noted) } },
        { .terms = { listed, FILO_READ(Noted), FILO_WRITE(Health) } },
        { .terms = { listed, FILO_WITHOUT(Chosen), FILO_OPTIONAL_READ(Noted) } },
        { .terms = { FILO_PARENT_READ(Velocity), listed, FILO_READ(Position) } },
        { .terms = { listed, FILO_READ(Health) }, .activity = FILO_ANY_ACTIVITY },
        { .terms = { listed, FILO_READ(Health) }, .activity = FILO_INACTIVE },
    };
    static const size_t parts[] = { 1, 7, 63, 64, 65, 200, 1000, SIZE_MAX / 2 };
    for (size_t i = 0; i < FILO_COUNT_OF(descs); i++) {
        FiloQuery *query = filo_query_create(scene->world, &descs[i]);
        FiloIter it = filo_query_iter(query);
        assert_true(ecs_iter(&it)->leading != NULL || i > 2);
        filo_iter_end(&it);
        for (size_t k = 0; k < FILO_COUNT_OF(parts); k++) expect_parts(scene, query, &descs[i], parts[k]);
        filo_query_release(query);
    }
    close_scene(scene);
}

FILO_TEST(a_leading_sparse_list_finds_what_testing_every_entity_finds) {
    expect_all_queries(&(FiloComponentDesc){ .type = FILO_TYPE(Listed), .storage = FILO_STORAGE_SPARSE });
}
FILO_TEST(a_leading_map_finds_what_testing_every_entity_finds) {
    expect_all_queries(&(FiloComponentDesc){ .type = FILO_TYPE(Listed), .storage = FILO_STORAGE_MAP });
}

FILO_TAG(Rare)
FILO_TEST(a_leading_rare_tag_finds_what_testing_every_entity_finds) {
    expect_all_queries(&(FiloComponentDesc){ .type = FILO_TYPE(Rare), .storage = FILO_STORAGE_TAG });
}
FILO_TEST(a_leading_sparse_tag_finds_what_testing_every_entity_finds) {
    expect_all_queries(&(FiloComponentDesc){ .type = FILO_TYPE(Rare), .storage = FILO_STORAGE_SPARSE });
}

FILO_TEST(a_common_tag_does_not_lead) {
    Scene *scene = open_scene(&(FiloComponentDesc){ .type = FILO_TYPE(Rare), .storage = FILO_STORAGE_TAG });
    FiloQuery *query = filo_query(scene->world, FILO_WRITE(Position), FILO_READ(Chosen));
    size_t found = 0, expected = 0;
    FiloIter it = filo_query_iter(query);
    assert_null(ecs_iter(&it)->leading);
    while (filo_iter_next(&it)) {
        for (size_t i = 0; i < it.count; i++) {
            assert_true(filo_iter_has(&it, 1, i));
            FiloColumn position = filo_column(&it, Position);
            assert_ptr_equal(FILO_AT(position, i, const Position),
                             filo_get(scene->world, filo_iter_entity(&it, i), Position));
        }
        found += it.count;
    }
    for (size_t i = 0; i < ENTITIES; i++)
        expected += filo_has(scene->world, scene->entities[i], Chosen) &&
                    filo_entity_active(scene->world, scene->entities[i]);
    assert_int_equal(found, expected);
    filo_query_release(query);
    close_scene(scene);
}

// A rare tag does not lead if it has many words of bits.
FILO_TEST(a_tag_with_many_bits_does_not_lead_a_query_of_few_rows) {
    FiloWorld *world = new_world();
    FiloEntity *ids = malloc(100000 * sizeof *ids);
    assert_true(filo_entity_create_block(world, &(FiloBlockDesc){ .count = 100000, .entities = ids }));
    filo_add(world, ids[99999], Chosen);
    for (int i = 0; i < 40; i++) filo_set(world, ids[(size_t)i * 1000], Health, i);
    FiloQuery *few = filo_query(world, FILO_READ(Health), FILO_READ(Chosen));
    FiloIter it = filo_query_iter(few);
    assert_null(ecs_iter(&it)->leading);
    assert_false(filo_iter_next(&it));
    filo_query_release(few);
    free(ids);
    filo_world_destroy(world);
}

// Only the chunks of the entities in the list count as changed.
FILO_TEST(writing_through_a_leading_list_marks_only_the_chunks_of_its_entities) {
    FiloWorld *world = new_world();
    FiloEntity *ids = malloc(40000 * sizeof *ids);
    FiloComponentValue with[] = { FILO_ADD(Health) };
    assert_true(filo_entity_create_block(
        world, &(FiloBlockDesc){ .count = 40000, .values = with, .value_count = 1, .entities = ids }));
    FiloComponent listed = filo_component(world, Listed, .storage = FILO_STORAGE_SPARSE);
    for (int i = 0; i < 100; i++) filo_entity_add(world, ids[i], listed);
    filo_entity_add(world, ids[39999], listed);
    FiloQuery *changed = filo_query(world, FILO_READ_CHANGED(Health));
    FiloQuery *writing = filo_query(world, FILO_WRITE(Health), FILO_READ(Listed));
    FiloQuery *choosing = filo_query(world, FILO_WRITE(Health), FILO_READ(Listed), FILO_READ(Chosen));
    FiloSeen seen = { 0 };
    FiloIter it = filo_query_iter_since(changed, &seen);
    while (filo_iter_next(&it)) continue;
    assert_int_equal(filo_query_count(writing), 101); // counting marks nothing
    it = filo_query_iter(choosing);                   // matches no entity
    assert_false(filo_iter_next(&it));
    it = filo_query_iter_since(changed, &seen);
    assert_false(filo_iter_next(&it));
    it = filo_query_iter(writing);
    while (filo_iter_next(&it)) continue;
    size_t rows = 0;
    it = filo_query_iter_since(changed, &seen);
    while (filo_iter_next(&it)) rows += it.count;
    assert_true(rows > 101 && rows < 40000);
    filo_query_release(changed);
    filo_query_release(writing);
    filo_query_release(choosing);
    free(ids);
    filo_world_destroy(world);
}

// The result depends on the order of entities, which must not depend on the history of the world.
static void breed(FiloIter *it) {
    FiloColumn health = filo_column(it, Health);
    for (size_t i = 0; i < it->count; i++) {
        FiloEntity child = filo_changes_create_entity(it->changes);
        filo_set(it->changes, child, Listed, FILO_AT(health, i, const Health)->points);
    }
}

FILO_TEST(the_order_depends_on_the_state_and_not_on_its_history) {
    // Somewhere in this range the leading component changes.
    for (int rows = 200; rows <= 102400; rows *= 2) {
        FiloWorld *world = new_world();
        filo_component(world, Listed);
        FiloSnapshot *snapshot = filo_snapshot_create(NULL);
        FiloEntity *ids = malloc(102400 * sizeof *ids);
        assert_true(filo_entity_create_block(world, &(FiloBlockDesc){ .count = 102400, .entities = ids }));
        for (int i = rows - 1; i >= 0; i--) filo_set(world, ids[i], Health, i);
        for (int i = 0; i < 10; i++) filo_add(world, ids[i * 7], Chosen);
        filo_add(world, ids[102399], Chosen);
        filo_remove(world, ids[102399], Chosen);
        filo_system_add(world, &(FiloSystemDesc){ .name = "breed",
                                                  .run = breed,
                                                  .query.terms = { FILO_READ(Health), FILO_READ(Chosen) } });
        assert_ok(filo_snapshot_take(snapshot, world));
        assert_ok(filo_world_tick(world, 1));
        uint64_t hash = filo_world_hash(world);
        assert_ok(filo_snapshot_restore(snapshot, world));
        assert_ok(filo_world_tick(world, 1));
        assert_int_equal(filo_world_hash(world), hash);
        filo_snapshot_destroy(snapshot);
        free(ids);
        filo_world_destroy(world);
    }
}
