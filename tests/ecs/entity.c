// Entities: creating, destroying, components in tables, blocks.

#include "ecs/world_types.h"

FILO_TEST(an_entity_has_the_components_it_was_created_with) {
    FiloWorld *world = new_world();
    FiloEntity entity =
        filo_create(world, FILO_SET(Velocity, 3, 4), FILO_SET(Position, 1, 2), FILO_ADD(Frozen));
    assert_true(filo_entity_exists(world, entity));
    assert_true(filo_get(world, entity, Position)->y == 2.0f);
    assert_true(filo_get(world, entity, Velocity)->x == 3.0f);
    assert_true(filo_has(world, entity, Frozen));
    assert_false(filo_has(world, entity, Health));
    filo_world_destroy(world);
}

FILO_TEST(freed_indices_are_reused_oldest_first) {
    FiloWorld *world = new_world();
    FiloEntity a = filo_entity_create(world), b = filo_entity_create(world), c = filo_entity_create(world);
    filo_entity_destroy(world, b);
    filo_entity_destroy(world, a);
    FiloEntity d = filo_entity_create(world), e = filo_entity_create(world), f = filo_entity_create(world);
    assert_int_equal(filo_entity_index(d), filo_entity_index(b));
    assert_int_equal(filo_entity_index(e), filo_entity_index(a));
    assert_int_equal(filo_entity_index(f), filo_entity_index(c) + 1);
    assert_false(filo_entity_exists(world, b));
    assert_int_equal(filo_entity_generation(d), filo_entity_generation(b) + 1);
    filo_world_destroy(world);
}

FILO_TEST(components_are_added_and_removed_without_changing_other_values) {
    FiloWorld *world = new_world();
    FiloEntity entities[100];
    for (int i = 0; i < 100; i++) entities[i] = filo_create(world, FILO_SET(Position, (float)i, 0));
    for (int i = 0; i < 100; i += 2) assert_true(filo_set(world, entities[i], Health, i));
    for (int i = 0; i < 100; i += 3) filo_remove(world, entities[i], Position);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(filo_has(world, entities[i], Health), i % 2 == 0);
        assert_int_equal(filo_has(world, entities[i], Position), i % 3 != 0);
        if (i % 2 == 0) assert_int_equal(filo_get(world, entities[i], Health)->points, i);
        if (i % 3 != 0) assert_true(filo_get(world, entities[i], Position)->x == (float)i);
    }
    filo_world_destroy(world);
}

// Adding a value may move the others, among them the source of the copy.
FILO_TEST(values_may_be_copied_from_entity_to_entity) {
    static const FiloStorage storages[] = { FILO_STORAGE_TABLE, FILO_STORAGE_SPARSE, FILO_STORAGE_ARRAY,
                                            FILO_STORAGE_MAP };
    for (size_t n = 0; n < FILO_COUNT_OF(storages); n++) {
        FiloWorld *world = create_world();
        FiloComponent position = filo_component(world, Position, .storage = storages[n]);
        FiloComponent health = filo_component(world, Health);
        FiloEntity last = filo_create(world, FILO_SET(Position, 3, 4), FILO_SET(Health, 5));
        for (int i = 0; i < 10000; i++) {
            FiloEntity next = filo_entity_create(world);
            if (i % 3 == 0) {
                assert_true(filo_entity_set(world, next, position, filo_entity_get(world, last, position)));
                assert_true(filo_entity_set(world, next, health, filo_entity_get(world, last, health)));
            } else {
                const FiloComponentValue with[] = { { NULL, position,
                                                      filo_entity_get(world, last, position) },
                                                    { NULL, health, filo_entity_get(world, last, health) } };
                if (i % 3 == 1)
                    assert_true(filo_entity_change(world, next, with, 2, NULL, 0));
                else
                    next = filo_entity_create_with(world, with, 2);
            }
            last = next;
        }
        assert_true(filo_get(world, last, Position)->x == 3 && filo_get(world, last, Position)->y == 4);
        assert_int_equal(filo_get(world, last, Health)->points, 5);
        filo_world_destroy(world);
    }
}

static void fill(FiloIter *it, void *user) {
    Position *position = filo_write(it, Position);
    for (size_t i = 0; i < it->count; i++) position[i].x = (float)(it->first + i);
    *(size_t *)user += it->count;
}

FILO_TEST(a_block_returns_columns_to_fill) {
    FiloWorld *world = new_world();
    size_t filled = 0;
    FiloEntity *entities = malloc(10000 * sizeof *entities);
    FiloComponentValue with[] = { FILO_ADD(Position), FILO_SET(Health, 7) };
    assert_true(filo_entity_create_block(world, &(FiloBlockDesc){ .count = 10000,
                                                                  .values = with,
                                                                  .value_count = 2,
                                                                  .entities = entities,
                                                                  .fill = fill,
                                                                  .user = &filled }));
    assert_int_equal(filled, 10000);
    for (int i = 0; i < 10000; i++) {
        assert_true(filo_get(world, entities[i], Position)->x == (float)i);
        assert_int_equal(filo_get(world, entities[i], Health)->points, 7);
    }
    FiloQuery *query = filo_query(world, FILO_READ(Position));
    assert_int_equal(filo_query_count(query), 10000);
    filo_query_destroy_all(query);
    assert_int_equal(filo_world_stats(world).entities, 0);
    filo_query_release(query);
    free(entities);
    filo_world_destroy(world);
}

FILO_TEST(changes_are_applied_only_by_apply) {
    FiloWorld *world = new_world();
    FiloEntity old = filo_create(world, FILO_SET(Position, 1, 1));
    FiloEntity destroyed = filo_create(world, FILO_SET(Position, 2, 2));
    FiloChanges *changes = filo_changes_create(world);
    FiloEntity created = filo_changes_create_entity(changes);
    assert_true(filo_set(changes, created, Position, 5, 6));
    assert_true(filo_set(changes, created, Target, created));
    assert_true(filo_set(changes, old, Health, 9));
    assert_true(filo_remove(changes, old, Position));
    assert_true(filo_changes_destroy_entity(changes, destroyed));
    assert_null(filo_changes_get(changes, old, filo_component_of(world, FILO_TYPE(Position))));
    assert_true(filo_changes_apply(changes));
    FiloEntity real = filo_changes_resolved(changes, created);
    assert_true(filo_entity_exists(world, real));
    assert_true(filo_get(world, real, Position)->y == 6.0f);
    assert_true(filo_get(world, real, Target)->entity.id == real.id);
    assert_false(filo_has(world, old, Position));
    assert_int_equal(filo_get(world, old, Health)->points, 9);
    assert_false(filo_entity_exists(world, destroyed));
    destroy_with_changes(world, changes);
}

FILO_TEST(a_stale_id_is_rejected_until_the_index_is_retired) {
    FiloWorld *world = new_world();
    FiloEntity first = filo_entity_create(world), entity = first;
    for (uint32_t generation = 1; generation < 0xFFFF; generation++) {
        assert_int_equal(filo_entity_generation(entity), generation);
        filo_entity_destroy(world, entity);
        assert_false(filo_entity_exists(world, entity));
        entity = filo_entity_create(world);
        assert_int_equal(filo_entity_index(entity), filo_entity_index(first));
        assert_false(filo_entity_exists(world, first));
    }
    // The last generation is used up: the index is retired.
    filo_entity_destroy(world, entity);
    FiloEntity other = filo_entity_create(world);
    assert_int_not_equal(filo_entity_index(other), filo_entity_index(first));
    assert_false(filo_entity_exists(world, (FiloEntity){ filo_entity_index(first) }));
    assert_int_equal(filo_entity_at(world, filo_entity_index(first)).id, 0);
    // It can still be created with its id.
    assert_true(filo_entity_create_as(world, first));
    assert_true(filo_entity_exists(world, first));
    filo_entity_destroy(world, first);
    filo_world_destroy(world);
}

FILO_TEST(after_create_as_generations_continue_from_the_given_id) {
    FiloWorld *world = new_world();
    FiloEntity ids = { UINT64_C(7) << 32 | 20000 };
    assert_true(filo_entity_create_as(world, ids));
    assert_false(filo_entity_create_as(world, ids));
    assert_false(filo_entity_create_as(world, (FiloEntity){ UINT64_C(9) << 32 | 20000 }));
    assert_int_equal(filo_entity_index_end(world), 20001);
    assert_int_equal(filo_world_stats(world).entities, 1);
    filo_entity_destroy(world, ids);
    for (int i = 0; i < 20001; i++) {
        FiloEntity entity = filo_entity_create(world);
        assert_int_equal(filo_entity_index(entity), i);
        assert_int_equal(filo_entity_generation(entity), i == 20000 ? 8 : 1);
    }
    filo_world_destroy(world);
}

// Free indices, in the order in which they are to be reused.
#define INDICES 600
typedef struct FreeIndices {
    uint32_t items[INDICES];
    size_t count;
} FreeIndices;

static void take_index(FreeIndices *list, uint32_t index) {
    size_t at = 0;
    while (list->items[at] != index) at++;
    memmove(list->items + at, list->items + at + 1, (--list->count - at) * sizeof *list->items);
}

// Frees some indices in ascending, descending or random order.
static void free_some(FiloWorld *world, FreeIndices *list, int order, uint64_t *random) {
    for (uint32_t i = 0; i < INDICES; i++) {
        *random = *random * UINT64_C(6364136223846793005) + 1442695040888963407;
        uint32_t draw = (uint32_t)(*random >> 40);
        uint32_t index = order == 0 ? i : order == 1 ? INDICES - 1 - i : draw % INDICES;
        FiloEntity entity = filo_entity_at(world, index);
        if (entity.id == 0 || draw % 3 == 0) continue;
        filo_entity_destroy(world, entity);
        list->items[list->count++] = index;
    }
}

FILO_TEST(create_as_keeps_the_order_of_the_other_free_indices) {
    uint64_t random = 1;
    for (int order = 0; order < 9; order++) {
        FiloWorld *world = new_world();
        FreeIndices list = { .count = 0 };
        int refills = 5;
        for (int i = 0; i < INDICES; i++) filo_entity_create(world);
        free_some(world, &list, order / 3, &random);
        while (list.count > 0) {
            uint32_t at = order % 3 == 0   ? 0
                          : order % 3 == 1 ? (uint32_t)list.count - 1
                                           : (uint32_t)(random >> 33) % (uint32_t)list.count;
            uint32_t index = list.items[at];
            assert_true(filo_entity_create_as(world, (FiloEntity){ UINT64_C(9) << 32 | index }));
            take_index(&list, index);
            if (list.count == 0) break;
            assert_int_equal(filo_entity_index(filo_entity_create(world)), list.items[0]);
            take_index(&list, list.items[0]);
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
            if (random >> 60 == 0 && refills-- > 0) free_some(world, &list, (order + 1) % 3, &random);
        }
        assert_int_equal(filo_entity_index(filo_entity_create(world)), INDICES);
        filo_world_destroy(world);
    }
}

FILO_TEST(create_as_accepts_ids_in_any_order) {
    enum { COUNT = 200000 };
    for (int order = 0; order < 2; order++) {
        FiloWorld *world = new_world();
        for (uint32_t i = 0; i < COUNT; i++) { // descending; or the last one first, then scattered
            uint32_t index =
                order == 0 || i == 0 ? COUNT - 1 - i : (uint32_t)((uint64_t)i * 104729 % COUNT) - 1;
            assert_true(filo_entity_create_as(world, (FiloEntity){ UINT64_C(1) << 32 | index }));
        }
        assert_int_equal(filo_entity_index(filo_entity_create(world)), COUNT);
        filo_world_destroy(world);
    }
}

FILO_TEST(a_block_with_given_ids_is_created_whole_or_not_at_all) {
    FiloWorld *world = new_world();
    FiloEntity taken = filo_entity_create(world);
    FiloEntity ids[3] = { { UINT64_C(2) << 32 | 5 }, { UINT64_C(3) << 32 | 9 }, { UINT64_C(1) << 32 | 7 } };
    FiloEntity twice[2] = { { UINT64_C(1) << 32 | 3 }, { UINT64_C(2) << 32 | 3 } };
    FiloEntity used[2] = { { UINT64_C(1) << 32 | 4 }, taken };
    assert_false(filo_entity_create_block(world, &(FiloBlockDesc){ .count = 2, .ids = twice }));
    assert_false(filo_entity_create_block(world, &(FiloBlockDesc){ .count = 2, .ids = used }));
    assert_int_equal(filo_world_stats(world).entities, 1);
    FiloEntity made[3];
    assert_true(
        filo_entity_create_block(world, &(FiloBlockDesc){ .count = 3, .ids = ids, .entities = made }));
    for (int i = 0; i < 3; i++) {
        assert_same_entity(made[i], ids[i]);
        assert_true(filo_entity_exists(world, ids[i]));
    }
    // The other free indices keep their order.
    for (uint32_t i = 1; i < 9; i++) {
        if (i == 5 || i == 7) continue;
        assert_int_equal(filo_entity_index(filo_entity_create(world)), i);
    }
    assert_int_equal(filo_entity_index(filo_entity_create(world)), 10);
    filo_world_destroy(world);
}

FILO_TEST(worlds_are_independent) {
    FiloWorld *a = new_world(), *b = new_world();
    FiloEntity in_a = filo_create(a, FILO_SET(Health, 1));
    assert_false(filo_entity_exists(b, in_a));
    assert_null(filo_get(b, in_a, Health));
    assert_int_equal(filo_world_stats(b).entities, 0);
    filo_world_destroy(a);
    filo_entity_create(b);
    filo_world_destroy(b);
    filo_world_destroy(NULL);
}

FILO_TEST(a_world_that_is_reset_has_no_entities_and_default_globals) {
    FiloWorld *world = new_world();
    FiloEntity entity = filo_create(world, FILO_SET(Health, 1), FILO_ADD(Chosen));
    filo_edit_global(world, Score)->points = 9;
    assert_true(filo_entity_set_name(world, entity, "hero"));
    FiloQuery *query = filo_query(world, FILO_READ(Health));
    assert_ok(filo_world_reset(world, 0));
    assert_int_equal(filo_world_stats(world).entities, 0);
    assert_int_equal(filo_query_count(query), 0);
    assert_int_equal(filo_get_global(world, Score)->points, 0);
    assert_int_equal(filo_world_find(world, "hero").id, 0);
    FiloEntity again = filo_create(world, FILO_ADD(Health));
    assert_same_entity(again, entity); // ids begin again
    assert_false(filo_has(world, again, Chosen));
    assert_int_equal(filo_query_count(query), 1);
    destroy_with_query(world, query);
}

FILO_TEST(several_changes_at_once_move_an_entity_once) {
    FiloWorld *world = new_world();
    FiloEntity entity = filo_create(world, FILO_SET(Position, 1, 2));
    size_t tables = filo_world_stats(world).tables;
    const FiloComponentValue with[] = { FILO_SET(Velocity, 3, 4), FILO_SET(Health, 5), FILO_ADD(Frozen),
                                        FILO_ADD(Chosen) };
    FiloComponent without[] = { ID(world, Position), ID(world, Frozen) };
    assert_true(filo_entity_change(world, entity, with, 4, without, 2));
    assert_false(filo_has(world, entity, Position));
    assert_false(filo_has(world, entity, Frozen)); // in both lists: removed
    assert_true(filo_has(world, entity, Chosen));
    assert_true(filo_get(world, entity, Velocity)->y == 4.0f);
    assert_int_equal(filo_get(world, entity, Health)->points, 5);
    assert_true(filo_world_stats(world).tables > tables);
    filo_world_destroy(world);
}

FILO_TEST(inactive_entities_match_no_query_and_keep_their_components) {
    FiloWorld *world = new_world();
    FiloEntity parent = filo_create(world, FILO_SET(Health, 1)),
               child = filo_create(world, FILO_SET(Health, 2));
    assert_true(filo_entity_set_parent(world, child, parent));
    FiloQuery *active = filo_query(world, FILO_READ(Health));
    FiloQuery *inactive = filo_query_create(
        world, &(FiloQueryDesc){ .terms = { FILO_READ(Health) }, .activity = FILO_INACTIVE });
    filo_entity_set_active(world, parent, false);
    assert_false(filo_entity_active(world, parent));
    assert_true(filo_entity_active(world, child)); // children are unchanged
    assert_same_entity(filo_query_first(active), child);
    assert_same_entity(filo_query_first(inactive), parent);
    assert_int_equal(filo_get(world, parent, Health)->points, 1);
    assert_int_equal(filo_world_stats(world).inactive, 1);
    filo_entity_set_active(world, parent, true);
    assert_int_equal(filo_query_count(active), 2);
    assert_int_equal(filo_query_count(inactive), 0);
    assert_false(filo_entity_active(world, FILO_ENTITY_NONE));
    filo_query_release(active);
    destroy_with_query(world, inactive);
}
