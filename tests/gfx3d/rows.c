// Chunks that rest: they are not computed again, and every change of the world is seen all the same.

#include "gfx3d/extract_check.h"

#include <filo/snapshot.h>

static void check(Fixture *f) {
    frame(f);
    check_extracted(f, 1);
}

static void settle(Fixture *f) {
    for (int i = 0; i < 4; i++) check(f);
    assert_int_equal(stats(f).rebuilt, 0);
}

static Fixture with_boxes(FiloEntity *boxes, int count) {
    Fixture f = fixture_begin(ON_NULL, 1);
    add_camera(&f, filo_vec3(0, 0, 30), filo_vec3(0, 0, 0));
    for (int i = 0; i < count; i++)
        boxes[i] = add_numbered(&f, i % 2 == 0 ? "box" : "sphere",
                                (FiloTransform3){ .position = { (float)(i % 10), (float)(i / 10), 0 } });
    return f;
}

FILO_TEST(chunks_in_which_nothing_changes_are_computed_once) {
    FiloEntity boxes[50];
    Fixture f = with_boxes(boxes, 50);
    extract(&f);
    assert_int_equal(stats(&f).rebuilt, 50);
    assert_int_equal(stats(&f).meshes, 50);
    render(&f);
    settle(&f);
    assert_int_equal(stats(&f).visible, 50);
    fixture_end(&f);
}

FILO_TEST(ticks_in_which_nothing_moves_leave_chunks_at_rest) {
    FiloEntity boxes[50];
    Fixture f = with_boxes(boxes, 50);
    for (int i = 0; i < 6; i++) {
        tick(&f);
        check(&f);
    }
    assert_int_equal(stats(&f).rebuilt, 0);
    fixture_end(&f);
}

FILO_TEST(every_change_of_a_resting_chunk_is_drawn_in_the_next_frame) {
    FiloEntity boxes[50];
    Fixture f = with_boxes(boxes, 50);
    settle(&f);
    filo_edit(f.world, boxes[7], FiloTransform3)->position.y += 3;
    check(&f);
    settle(&f);
    filo_edit(f.world, boxes[8], FiloMesh)->color = FILO_COLOR_RED;
    check(&f);
    settle(&f);
    filo_edit(f.world, boxes[9], FiloMesh)->mesh = filo_name("torus");
    check(&f);
    settle(&f);
    filo_edit(f.world, boxes[10], FiloMesh)->flags = FILO_MESH_HIDDEN;
    check(&f);
    assert_int_equal(stats(&f).visible, 49);
    settle(&f);
    filo_edit(f.world, boxes[11], FiloMesh)->range = 1;
    check(&f);
    assert_int_equal(stats(&f).visible, 48);
    settle(&f);
    filo_edit(f.world, boxes[12], FiloTransform3)->position.x = 1e5f; // out of sight
    check(&f);
    assert_int_equal(stats(&f).visible, 47);
    settle(&f);
    filo_edit(f.world, boxes[12], FiloTransform3)->position.x = 0;
    check(&f);
    assert_int_equal(stats(&f).visible, 48);
    fixture_end(&f);
}

FILO_TEST(entities_that_come_and_go_are_drawn_as_long_as_they_exist) {
    FiloEntity boxes[50];
    Fixture f = with_boxes(boxes, 50);
    settle(&f);
    filo_entity_destroy(f.world, boxes[3]); // the last row moves to its place
    check(&f);
    assert_int_equal(stats(&f).visible, 49);
    settle(&f);
    filo_entity_destroy(f.world, boxes[49]);
    check(&f);
    settle(&f);
    add_numbered(&f, "box", (FiloTransform3){ .position = { 2, 2, 2 } });
    check(&f);
    settle(&f);
    assert_int_equal(stats(&f).visible, 49);
    for (int i = 0; i < 50; i++)
        if (i != 3 && i != 49) filo_entity_destroy(f.world, boxes[i]);
    check(&f);
    assert_int_equal(stats(&f).visible, 1);
    fixture_end(&f);
}

FILO_TEST(inactive_entities_are_not_drawn_until_they_are_active_again) {
    FiloEntity boxes[50];
    Fixture f = with_boxes(boxes, 50);
    settle(&f);
    for (int i = 0; i < 50; i += 3) filo_entity_set_active(f.world, boxes[i], false);
    check(&f);
    assert_int_equal(stats(&f).visible, 33);
    settle(&f);
    for (int i = 0; i < 50; i += 6) filo_entity_set_active(f.world, boxes[i], true);
    check(&f);
    assert_int_equal(stats(&f).visible, 42);
    settle(&f);
    fixture_end(&f);
}

FILO_TEST(entities_in_other_tables_are_drawn_too) {
    FiloEntity boxes[50];
    Fixture f = with_boxes(boxes, 50);
    settle(&f);
    for (int i = 0; i < 25; i++) filo_add(f.world, boxes[i], FiloLight);
    check(&f);
    settle(&f);
    for (int i = 0; i < 25; i++) filo_remove(f.world, boxes[i], FiloLight);
    check(&f);
    settle(&f);
    filo_remove(f.world, boxes[5], FiloMesh);
    check(&f);
    assert_int_equal(stats(&f).visible, 49);
    settle(&f);
    fixture_end(&f);
}

FILO_TEST(what_stops_to_move_is_drawn_where_it_stopped) {
    FiloEntity boxes[50];
    Fixture f = with_boxes(boxes, 50);
    settle(&f);
    tick(&f);
    filo_edit(f.world, boxes[4], FiloTransform3)->position.x = 9;
    for (int i = 0; i < 3; i++) { // several frames of a tick
        extract_blended(&f, 0.25f * (float)i);
        check_extracted(&f, 0.25f * (float)i);
        render(&f);
    }
    tick(&f);
    for (int i = 0; i < 3; i++) {
        extract_blended(&f, 0.25f * (float)i);
        check_extracted(&f, 0.25f * (float)i);
        render(&f);
    }
    settle(&f);
    filo_teleport(f.world, boxes[4], filo_vec3(1, 1, 1));
    extract_blended(&f, 0.5f);
    check_extracted(&f, 0.5f);
    render(&f);
    fixture_end(&f);
}

FILO_TEST(a_restored_snapshot_is_drawn) {
    FiloEntity boxes[50];
    Fixture f = with_boxes(boxes, 50);
    settle(&f);
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(snapshot, f.world));
    for (int i = 0; i < 50; i += 2) filo_entity_destroy(f.world, boxes[i]);
    for (int i = 1; i < 50; i += 2) filo_edit(f.world, boxes[i], FiloTransform3)->position.x += 4;
    for (int i = 0; i < 300; i++) add_numbered(&f, "cone", (FiloTransform3){ .position = { 0, 1, 2 } });
    check(&f);
    settle(&f);
    assert_ok(filo_snapshot_restore(snapshot, f.world));
    check(&f);
    assert_int_equal(stats(&f).visible, 50);
    settle(&f);
    filo_snapshot_destroy(snapshot);
    fixture_end(&f);
}

FILO_TEST(an_entity_that_gets_a_parent_between_ticks_is_drawn_there_at_once) {
    FiloEntity boxes[2];
    Fixture f = with_boxes(boxes, 2);
    settle(&f);
    filo_edit(f.world, boxes[0], FiloTransform3)->position = filo_vec3(3, 4, 5);
    filo_edit(f.world, boxes[1], FiloTransform3)->position = filo_vec3(1, 0, 0);
    filo_entity_set_parent(f.world, boxes[1], boxes[0]);
    frame(&f);
    assert_string_equal(xs_of(&f, 0), "3 | 4");
    tick(&f);
    frame(&f);
    assert_string_equal(xs_of(&f, 0), "3 | 4");
    fixture_end(&f);
}

FILO_TEST(many_chunks_that_change_at_random_are_drawn_as_the_world_says) {
    Fixture f = fixture_begin(ON_NULL, 2);
    uint64_t random = 31;
    enum { COUNT = 5000 };
    static FiloEntity entities[COUNT];
    FiloEntity camera = add_camera(&f, filo_vec3(0, 0, 30), filo_vec3(0, 0, 0));
    for (int i = 0; i < COUNT; i++) entities[i] = add_numbered(&f, "box", random_transform(&random, 25));
    for (int round = 0; round < 25; round++) {
        if (round % 4 == 0) tick(&f);
        for (int i = 0; i < 40; i++) {
            uint32_t n = test_random(&random) % COUNT, what = test_random(&random) % 8;
            FiloEntity entity = entities[n];
            if (what == 0) {
                filo_entity_destroy(f.world, entity);
                entities[n] = add_numbered(&f, "sphere", random_transform(&random, 25));
            } else if (what == 1) {
                filo_entity_set_active(f.world, entity, !filo_entity_active(f.world, entity));
            } else if (what == 2) {
                filo_edit(f.world, entity, FiloMesh)->flags ^= FILO_MESH_HIDDEN;
            } else if (what == 3) {
                if (filo_has(f.world, entity, FiloLight))
                    filo_remove(f.world, entity, FiloLight);
                else
                    filo_add(f.world, entity, FiloLight);
            } else {
                *filo_edit(f.world, entity, FiloTransform3) = random_transform(&random, 25);
            }
        }
        FiloTransform3 *eye = filo_edit(f.world, camera, FiloTransform3);
        eye->position.x = random_float(&random, -20, 20);
        float blend = round % 2 == 0 ? 1 : 0.5f;
        extract_blended(&f, blend);
        if (blend == 1) check_extracted(&f, blend); // random rotations are blended differently
        render(&f);
    }
    fixture_end(&f);
}
