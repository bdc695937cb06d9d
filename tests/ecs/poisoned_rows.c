// Debug builds poison values that were moved or removed, so that the use of dangling pointers is found.

#include "ecs/worlds.h"

#include "base/asan.h"

#include <filo/ecs.h>

typedef struct Position {
    float x, y;
} Position;
typedef struct Mass {
    float kilograms;
} Mass;
FILO_REFLECT(Position, FILO_FIELD(float, x), FILO_FIELD(float, y))
FILO_REFLECT(Mass, FILO_FIELD(float, kilograms))

static FiloWorld *open_world(FiloStorage storage) {
    FiloWorld *world = create_world();
    filo_component(world, Position, .storage = storage);
    filo_component(world, Mass);
    return world;
}

// Under the address sanitizer, poisoned rows of tables cannot be read.
static void assert_poisoned(const void *value, size_t size, bool in_table) {
#ifdef BASE_ASAN
    if (in_table) {
        assert_true(__asan_address_is_poisoned(value) &&
                    __asan_address_is_poisoned((const char *)value + size - 1));
        return;
    }
#else
    FILO_UNUSED(in_table);
#endif
    for (size_t i = 0; i < size; i++) assert_int_equal(((const uint8_t *)value)[i], 0xDD);
}

FILO_TEST(the_row_an_entity_moved_out_of_is_poisoned) {
    only_in_debug_builds();
    FiloWorld *world = open_world(FILO_STORAGE_TABLE);
    FiloEntity ship = filo_create(world, FILO_SET(Position, 1, 2));
    const Position *old = filo_get(world, ship, Position);
    filo_add(world, ship, Mass); // moves the row to another table
    assert_poisoned(old, sizeof *old, true);
    old = filo_get(world, ship, Position);
    assert_true(old->x == 1 && old->y == 2);
    filo_destroy(world, ship);
    assert_poisoned(old, sizeof *old, true);
    filo_world_destroy(world);
}

FILO_TEST(the_last_row_is_poisoned_when_it_replaces_a_removed_one) {
    only_in_debug_builds();
    FiloWorld *world = open_world(FILO_STORAGE_TABLE);
    FiloEntity first = filo_create(world, FILO_SET(Position, 1, 2));
    FiloEntity last = filo_create(world, FILO_SET(Position, 3, 4));
    const Position *first_row = filo_get(world, first, Position), *old = filo_get(world, last, Position);
    filo_destroy(world, first);
    assert_poisoned(old, sizeof *old, true);
    assert_true(first_row == filo_get(world, last, Position) && first_row->x == 3);
    filo_world_destroy(world);
}

FILO_TEST(poisoned_rows_are_reused) {
    FiloWorld *world = open_world(FILO_STORAGE_TABLE);
    for (int round = 0; round < 3; round++) {
        FiloEntity ships[100], copies[50];
        for (size_t i = 0; i < FILO_COUNT_OF(ships); i++) {
            ships[i] = filo_create(world, FILO_SET(Position, (float)i, 2));
            if (i % 2 == 0) filo_set(world, ships[i], Mass, 5);
        }
        FiloBlockDesc block = { .count = 50,
                                .values = (const FiloComponentValue[]){ FILO_SET(Mass, 7) },
                                .value_count = 1 };
        assert_true(filo_entity_create_block(world, &block));
        assert_true(
            filo_prefab_instantiate(world, ships[1], &(FiloInstanceDesc){ .count = 50, .entities = copies }));
        for (size_t i = 0; i < FILO_COUNT_OF(ships); i++)
            assert_true(filo_get(world, ships[i], Position)->x == (float)i);
        for (size_t i = 0; i < FILO_COUNT_OF(copies); i++)
            assert_true(filo_get(world, copies[i], Position)->x == 1);
        filo_entity_destroy_many(world, ships, FILO_COUNT_OF(ships));
        if (round == 1) assert_ok(filo_world_reset(world, 0));
    }
    filo_world_destroy(world);
}

FILO_TEST(values_outside_of_tables_are_poisoned) {
    only_in_debug_builds();
    const FiloStorage storages[] = { FILO_STORAGE_SPARSE, FILO_STORAGE_ARRAY };
    for (size_t i = 0; i < FILO_COUNT_OF(storages); i++) {
        FiloWorld *world = open_world(storages[i]);
        FiloEntity ship = filo_create(world, FILO_SET(Position, 1, 2));
        const Position *old = filo_get(world, ship, Position);
        filo_remove(world, ship, Position);
        assert_poisoned(old, sizeof *old, false);
        filo_add(world, ship, Position);
        assert_true(filo_get(world, ship, Position)->x == 0);
        filo_world_destroy(world);
    }
}

static void scatter(FiloIter *it) {
    for (size_t i = 0; i < it->count; i++)
        if (it->tick % 2 == 0)
            filo_set(it->changes, filo_iter_entity(it, i), Mass, 3);
        else
            filo_remove(it->changes, filo_iter_entity(it, i), Mass);
}

FILO_TEST(rows_moved_by_change_sets_are_poisoned_and_reused) {
    only_in_debug_builds();
    FiloWorld *world = open_world(FILO_STORAGE_TABLE);
    filo_system_add(world, &(FiloSystemDesc){
                               .name = "scatter", .run = scatter, .query.terms = { FILO_READ(Position) } });
    FiloEntity ships[200];
    for (size_t i = 0; i < FILO_COUNT_OF(ships); i++)
        ships[i] = filo_create(world, FILO_SET(Position, (float)i, 2));
    const Position *old = filo_get(world, ships[50], Position);
    assert_ok(filo_world_tick(world, 1));
    assert_poisoned(old, sizeof *old, true);
    for (int tick = 0; tick < 4; tick++) assert_ok(filo_world_tick(world, 1));
    for (size_t i = 0; i < FILO_COUNT_OF(ships); i++)
        assert_true(filo_get(world, ships[i], Position)->x == (float)i && filo_has(world, ships[i], Mass));
    filo_world_destroy(world);
}
