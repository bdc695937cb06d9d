// Entities whose parent changed: filo_world_reparented.

#include <filo/snapshot.h>

#include "ecs/world_types.h"

typedef struct Reader {
    FiloWorld *world;
    uint64_t cursor;
} Reader;

static FiloReparented read_on(Reader *reader) {
    return filo_world_reparented(reader->world, &reader->cursor);
}

static void expect_list(Reader *reader, const FiloEntity *entities, size_t count) {
    FiloReparented changed = read_on(reader);
    assert_false(changed.lost);
    assert_int_equal(changed.count, count);
    for (size_t i = 0; i < count; i++) assert_same_entity(changed.entities[i], entities[i]);
}

static void expect_lost(Reader *reader) {
    FiloReparented changed = read_on(reader);
    assert_true(changed.lost);
    assert_int_equal(changed.count, 0);
    expect_list(reader, NULL, 0);
}

FILO_TEST(each_reader_gets_each_reparented_entity_once) {
    FiloWorld *world = new_world();
    Reader a = { world, 0 }, b = { world, 0 };
    FiloEntity e[4];
    for (int i = 0; i < 4; i++) e[i] = filo_entity_create(world);
    expect_lost(&a);
    expect_lost(&b);
    filo_entity_set_parent(world, e[1], e[0]);
    filo_entity_set_parent(world, e[2], e[0]);
    expect_list(&a, (FiloEntity[]){ e[1], e[2] }, 2);
    filo_entity_set_parent(world, e[2], e[1]);
    filo_entity_set_parent(world, e[2], e[1]);              // the same parent
    filo_entity_move_before(world, e[2], FILO_ENTITY_NONE); // the same parent
    filo_entity_set_parent(world, e[3], FILO_ENTITY_NONE);  // had no parent
    expect_list(&a, &e[2], 1);
    expect_list(&b, (FiloEntity[]){ e[1], e[2], e[2] }, 3);
    filo_entity_set_parent(world, e[2], FILO_ENTITY_NONE);
    expect_list(&a, &e[2], 1);
    filo_entity_destroy(world, e[0]); // and its child
    expect_list(&a, NULL, 0);
    filo_world_destroy(world);
}

FILO_TEST(reparenting_by_change_sets_and_copies_is_listed) {
    FiloWorld *world = new_world();
    Reader reader = { world, 0 };
    FiloEntity parent = filo_entity_create(world);
    expect_lost(&reader);
    FiloChanges *changes = filo_changes_create(world);
    FiloEntity child = filo_create(changes, FILO_SET(Health, 1));
    filo_changes_set_parent(changes, child, parent);
    assert_true(filo_changes_apply(changes));
    FiloEntity applied = filo_entity_first_child(world, parent);
    expect_list(&reader, &applied, 1);
    FiloEntity copy = filo_entity_copy(world, parent);
    FiloEntity copied = filo_entity_first_child(world, copy);
    expect_list(&reader, &copied, 1);
    destroy_with_changes(world, changes);
}

FILO_TEST(a_reader_that_missed_entries_is_notified) {
    FiloWorld *world = new_world();
    Reader slow = { world, 0 }, current = { world, 0 };
    FiloEntity parents[2] = { filo_entity_create(world), filo_entity_create(world) };
    FiloEntity child = filo_entity_create(world);
    expect_lost(&slow);
    expect_lost(&current);
    for (int i = 0; i < 3 * FILO_REPARENTED_MAX; i++) {
        filo_entity_set_parent(world, child, parents[i % 2]);
        expect_list(&current, &child, 1);
        if (i == FILO_REPARENTED_MAX - 1) { // the list is full
            FiloReparented changed = read_on(&slow);
            assert_false(changed.lost);
            assert_int_equal(changed.count, FILO_REPARENTED_MAX);
        }
    }
    expect_lost(&slow);
    FiloSnapshot *snapshot = take_snapshot(world);
    expect_list(&slow, NULL, 0);
    assert_ok(filo_snapshot_restore(snapshot, world));
    expect_lost(&slow);
    destroy_with_snapshot(world, snapshot);
}

FILO_TEST(a_null_world_or_cursor_is_a_mistake) {
    FiloWorld *world = new_world();
    uint64_t cursor = 0;
    expect_fault("pass a world and a cursor", (void)filo_world_reparented(NULL, &cursor));
    expect_fault("pass a world and a cursor", (void)filo_world_reparented(world, NULL));
    filo_world_destroy(world);
}
