// Promotion, edits and felling in snapshots, histories and files.

#include "placement_world/scenario.h"

FILO_TEST(a_snapshot_in_the_middle_of_pending_promotions_continues_exactly) {
    for (int threads = 0; threads <= 4; threads += 2) {
        Fixture *fixture = scenario_open(threads);
        FiloSnapshot *snapshots[6];
        uint64_t hashes[6];
        for (int i = 0; i < 6; i++) {
            hashes[i] = scenario_run(fixture, 7);
            snapshots[i] = filo_snapshot_create(NULL);
            assert_ok(filo_snapshot_take(snapshots[i], fixture->world));
            assert_true(stats(fixture).under_way > 0); // squares that are asked for and not delivered
        }
        uint64_t end = scenario_run(fixture, 30);
        for (int i = 5; i >= 0; i--) {
            assert_ok(filo_snapshot_restore(snapshots[i], fixture->world));
            assert_true(filo_world_hash(fixture->world) == hashes[i]);
            assert_true(scenario_run(fixture, 30 + (5 - i) * 7) == end);
        }
        // In another world, which has another past.
        Fixture *other = scenario_open(threads);
        scenario_run(other, 13);
        assert_ok(filo_snapshot_restore(snapshots[2], other->world));
        assert_true(scenario_run(other, 51) == end);
        fixture_close(other);
        for (int i = 0; i < 6; i++) filo_snapshot_destroy(snapshots[i]);
        fixture_close(fixture);
    }
}

// Between ticks an edit was created and a tree destroyed, which no tick has seen yet.
FILO_TEST(a_snapshot_has_changes_that_were_made_between_ticks) {
    Fixture *fixture = scenario_open(2);
    scenario_run(fixture, 20);
    filo_entity_destroy(fixture->world, tree_at(fixture, 220, 250));
    filo_create(fixture->world,
                FILO_SET(FiloPlacementEdit, .kind = FILO_PLACEMENT_CLEAR, .x = 230, .y = 250, .radius = 5));
    filo_placement_world_update(fixture->forest); // the tiles see it first
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(snapshot, fixture->world));
    uint64_t end = scenario_run(fixture, 20);
    assert_ok(filo_snapshot_restore(snapshot, fixture->world));
    assert_true(scenario_run(fixture, 20) == end);
    filo_snapshot_destroy(snapshot);
    fixture_close(fixture);
}

FILO_TEST(a_history_goes_back_by_any_number_of_ticks) {
    Fixture *fixture = scenario_open(2);
    FiloHistory *history;
    assert_ok(filo_history_create(&history, NULL));
    uint64_t hashes[40];
    for (int i = 0; i < 40; i++) {
        hashes[i] = scenario_run(fixture, 1);
        assert_ok(filo_history_push(history, fixture->world));
    }
    assert_ok(filo_history_rewind(history, fixture->world, 25));
    assert_true(filo_world_hash(fixture->world) == hashes[14]);
    for (int i = 15; i < 40; i++) assert_true(scenario_run(fixture, 1) == hashes[i]);
    filo_history_destroy(history);
    fixture_close(fixture);
}

FILO_TEST(a_saved_world_continues_exactly_in_another_process) {
    const char *path = filo_test_path("forest.save");
    Fixture *fixture = scenario_open(2);
    scenario_run(fixture, 33);
    assert_true(stats(fixture).under_way > 0);
    assert_ok(filo_world_save(fixture->world, path, NULL));
    uint64_t end = scenario_run(fixture, 40);
    fixture_close(fixture);
    fixture = scenario_open(4);
    assert_ok(filo_world_load(fixture->world, path, NULL));
    assert_true(scenario_run(fixture, 40) == end);
    fixture_close(fixture);
}

FILO_TEST(tiles_follow_a_restored_world) {
    Fixture *fixture = fixture_open(2);
    visit(fixture, 256, 256);
    FiloPlacementId id = id_of(fixture, tree_at(fixture, 256, 256));
    FiloSnapshot *before = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(before, fixture->world));
    filo_entity_destroy(fixture->world, entity_of(fixture, id));
    ticks(fixture, 6);
    filo_placement_world_wait(fixture->forest);
    assert_int_equal(count_in_tiles(fixture, id), 0);
    assert_ok(filo_snapshot_restore(before, fixture->world));
    filo_placement_world_wait(fixture->forest);
    assert_int_equal(count_in_tiles(fixture, id), 1); // it stands again
    assert_int_not_equal(entity_of(fixture, id).id, 0);
    filo_snapshot_destroy(before);
    fixture_close(fixture);
}

FILO_TEST(a_felled_tree_stays_felled_in_a_saved_world) {
    const char *path = filo_test_path("felled.save");
    Fixture *fixture = fixture_open(2);
    visit(fixture, 256, 256);
    FiloEntity tree = tree_at(fixture, 256, 256);
    FiloPlacementId id = id_of(fixture, tree);
    filo_entity_destroy(fixture->world, tree);
    tick(fixture);
    visit(fixture, 2000, 0);
    assert_ok(filo_world_save(fixture->world, path, NULL));
    fixture_close(fixture);
    fixture = fixture_open(2);
    visit(fixture, 256, 256);
    assert_int_not_equal(entity_of(fixture, id).id, 0);
    assert_ok(filo_world_load(fixture->world, path, NULL));
    visit(fixture, 256, 256);
    filo_placement_world_wait(fixture->forest);
    assert_int_equal(entity_of(fixture, id).id, 0);
    assert_int_equal(count_in_tiles(fixture, id), 0);
    fixture_close(fixture);
}

FILO_TEST(a_new_object_continues_with_the_squares_of_the_one_before) {
    Fixture *fixture = scenario_open(2), *other = scenario_open(2);
    scenario_run(fixture, 25);
    scenario_run(other, 25);
    filo_placement_world_destroy(other->forest);
    FiloPlacementWorldDesc desc = fixture_desc(other);
    assert_ok(filo_placement_world_create(&other->forest, other->world, &desc));
    assert_true(scenario_run(fixture, 25) == scenario_run(other, 25));
    fixture_close(fixture);
    fixture_close(other);
}

// A new version of a game: its squares are of another size.
FILO_TEST(a_saved_world_of_a_program_with_other_squares_begins_again_with_what_was_kept) {
    const char *path = filo_test_path("older.save");
    Fixture *fixture = fixture_open(2);
    visit(fixture, 256, 256);
    size_t entities = stats(fixture).entities;
    FiloEntity felled = tree_at(fixture, 256, 256), hurt = tree_at(fixture, 250, 260);
    FiloPlacementId felled_id = id_of(fixture, felled), hurt_id = id_of(fixture, hurt);
    filo_entity_destroy(fixture->world, felled);
    filo_edit(fixture->world, hurt, Health)->points = 1;
    ticks(fixture, 6);
    assert_ok(filo_world_save(fixture->world, path, NULL));
    fixture_close(fixture);
    fixture = fixture_new();
    fixture->desc.footprints[0].square = 2;
    fixture_start(fixture, 2);
    assert_ok(filo_world_load(fixture->world, path, NULL));
    ticks(fixture, 6);
    assert_true(stats(fixture).entities >= entities - 1); // larger squares reach farther
    assert_int_equal(stats(fixture).edits, 1);            // and nothing else counts as felled
    assert_int_equal(entity_of(fixture, felled_id).id, 0);
    assert_true(filo_entity_equal(entity_of(fixture, hurt_id), hurt));
    assert_int_equal(filo_get(fixture->world, hurt, Health)->points, 1);
    assert_int_equal(stats(fixture).asleep, 0);
    fixture_close(fixture);
}
