// Near objects are entities: promotion, demotion, what is kept and what is felled.

#include "placement_world/fixture.h"
#include "support/warnings.h"

FILO_TEST(objects_become_entities_exactly_in_the_named_tick) {
    Fixture *fixture = fixture_open(2);
    for (int i = 1; i <= 4; i++) {
        tick(fixture); // asked at the end of tick 1, so delivered at the end of tick 5
        assert_int_equal(stats(fixture).entities, 0);
        assert_true(stats(fixture).squares > 0);
    }
    tick(fixture);
    assert_true(stats(fixture).entities > 50);
    fixture_close(fixture);
}

FILO_TEST(without_a_delay_objects_are_entities_at_the_end_of_the_same_tick) {
    Fixture *fixture = fixture_new();
    fixture->desc.no_delay = true;
    fixture_start(fixture, 2);
    fixture->viewer = fixture_viewer(fixture, 256, 256);
    tick(fixture);
    assert_true(stats(fixture).entities > 50);
    fixture_close(fixture);
}

FILO_TEST(all_objects_within_the_distance_are_entities_once) {
    Fixture *fixture = fixture_open(2);
    visit(fixture, 256, 256);
    FiloPlacementResult result = { 0 };
    FiloPlacementRequest request = { .area = { 226, 226, 286, 286 }, .footprints = 1 };
    assert_ok(filo_placement_compute(fixture->placement, &request, &result));
    size_t near = 0;
    for (size_t i = 0; i < result.count; i++) {
        FiloPlacementPosition at = filo_placement_position(&result, &result.objects[i]);
        if ((at.x - 256) * (at.x - 256) + (at.y - 256) * (at.y - 256) > 30 * 30) continue;
        FiloEntity tree = entity_of(fixture, filo_placement_id(&result, &result.objects[i]));
        assert_int_not_equal(tree.id, 0);
        const FiloTransform2 *transform = filo_get(fixture->world, tree, FiloTransform2);
        assert_true(transform->position.x == (float)at.x && transform->position.y == (float)at.y);
        FiloVariant variant = filo_placement_variant(&result, &result.objects[i]);
        assert_true(transform->rotation == variant.angle);
        assert_int_equal(filo_get(fixture->world, tree, Health)->points, 100 + (int)variant.variant);
        near++;
    }
    assert_true(near > 30);
    filo_placement_result_free(&result);
    FiloQuery *query = filo_query(fixture->world, FILO_READ(FiloPlacedObject));
    size_t count = 0, same = 0;
    FiloEach each = filo_query_each(query);
    while (filo_each_next(&each)) {
        count++;
        same +=
            filo_entity_equal(entity_of(fixture, filo_each_read(&each, FiloPlacedObject)->id), each.entity);
        assert_int_equal(filo_each_read(&each, FiloPlacedObject)->layer, 0); // no bushes
    }
    assert_int_equal(same, count);
    filo_query_release(query);
    fixture_close(fixture);
}

FILO_TEST(untouched_entities_go_when_all_viewers_have_left) {
    Fixture *fixture = fixture_open(2);
    FiloEntity other = fixture_viewer(fixture, 256, 256);
    visit(fixture, 256, 256);
    size_t both = stats(fixture).entities;
    visit(fixture, 1000, 1000);
    FiloPlacementId id = id_of(fixture, tree_at(fixture, 256, 256));
    assert_true(stats(fixture).entities > both); // those around the other viewer are still there
    filo_entity_destroy(fixture->world, other);
    ticks(fixture, 6);
    assert_int_equal(entity_of(fixture, id).id, 0);
    assert_int_equal(stats(fixture).asleep, 0);
    assert_int_equal(stats(fixture).edits, 0); // nothing counts as felled
    filo_entity_destroy(fixture->world, fixture->viewer);
    ticks(fixture, 2);
    assert_int_equal(stats(fixture).entities, 0);
    assert_int_equal(stats(fixture).squares, 0);
    fixture->viewer = fixture_viewer(fixture, 256, 256);
    ticks(fixture, 6);
    assert_int_equal(stats(fixture).entities, both);
    fixture_close(fixture);
}

// As a hostile save may have them.
FILO_TEST(two_tiles_at_one_place_do_no_harm) {
    Fixture *fixture = fixture_open(2);
    visit(fixture, 256, 256);
    FiloPlacedTile tile = { 0 };
    FiloQuery *query = filo_query(fixture->world, FILO_READ(FiloPlacedTile));
    FiloEach each = filo_query_each(query);
    while (filo_each_next(&each)) tile = *filo_each_read(&each, FiloPlacedTile);
    filo_query_release(query);
    for (int i = 0; i < 3; i++) filo_create(fixture->world, FILO_SET_COPY(FiloPlacedTile, &tile));
    ticks(fixture, 3);
    filo_entity_destroy(fixture->world, fixture->viewer);
    ticks(fixture, 8);
    assert_int_equal(stats(fixture).entities, 0);
    assert_int_equal(stats(fixture).squares, 0);
    fixture_close(fixture);
}

FILO_TEST(between_the_two_distances_nothing_comes_or_goes) {
    Fixture *fixture = fixture_open(2);
    visit(fixture, 256, 256);
    size_t before = stats(fixture).squares;
    uint64_t promoted = stats(fixture).promoted;
    for (int i = 0; i < 20; i++) visit(fixture, i % 2 == 0 ? 256 : 258, 256);
    // A step to the right may bring squares once. After that, 7.5 m have to be crossed.
    assert_true(stats(fixture).squares >= before);
    assert_true(stats(fixture).promoted - promoted == stats(fixture).squares - before);
    fixture_close(fixture);
}

FILO_TEST(a_felled_tree_stays_felled) {
    Fixture *fixture = fixture_open(2);
    visit(fixture, 256, 256);
    filo_placement_world_wait(fixture->forest);
    FiloEntity tree = tree_at(fixture, 256, 256);
    FiloPlacementId id = id_of(fixture, tree);
    assert_int_equal(count_in_tiles(fixture, id), 1);
    filo_entity_destroy(fixture->world, tree);
    for (int i = 0; i < 10; i++) {
        tick(fixture);
        assert_int_equal(entity_of(fixture, id).id, 0);
    }
    filo_placement_world_wait(fixture->forest);
    assert_int_equal(count_in_tiles(fixture, id), 0);
    visit(fixture, 2000, 2000);
    filo_placement_world_wait(fixture->forest);
    visit(fixture, 256, 256);
    filo_placement_world_wait(fixture->forest);
    assert_int_equal(entity_of(fixture, id).id, 0);
    assert_int_equal(count_in_tiles(fixture, id), 0);
    assert_int_equal(stats(fixture).edits, 1);
    fixture_close(fixture);
}

FILO_TEST(a_tree_felled_just_before_its_square_is_computed_again_does_not_return) {
    Fixture *fixture = fixture_open(2);
    visit(fixture, 256, 256);
    FiloEntity tree = tree_at(fixture, 256, 256);
    FiloPlacementId id = id_of(fixture, tree);
    // An edit nearby, so that the square is computed again and delivered at the end of the fifth tick.
    filo_create(fixture->world,
                FILO_SET(FiloPlacementEdit, .kind = FILO_PLACEMENT_CLEAR, .x = 260, .y = 256, .radius = 1));
    ticks(fixture, 4);
    filo_entity_destroy(fixture->world, tree);
    for (int i = 0; i < 8; i++) {
        tick(fixture);
        assert_int_equal(entity_of(fixture, id).id, 0);
    }
    fixture_close(fixture);
}

FILO_TEST(an_entity_that_the_game_takes_over_is_no_longer_placed) {
    Fixture *fixture = fixture_open(2);
    visit(fixture, 256, 256);
    FiloEntity tree = tree_at(fixture, 256, 256);
    FiloPlacementId id = id_of(fixture, tree);
    filo_remove(fixture->world, tree, FiloPlacedObject); // it is a log now, say
    visit(fixture, 2000, 2000);
    assert_true(filo_entity_exists(fixture->world, tree) && filo_entity_active(fixture->world, tree));
    visit(fixture, 256, 256);
    assert_int_equal(entity_of(fixture, id).id, 0);
    fixture_close(fixture);
}

// A forest whose trees around the middle are entities, and the tree there.
static Fixture *open_at_tree(FiloEntity *tree, FiloPlacementId *id) {
    Fixture *fixture = fixture_open(2);
    visit(fixture, 256, 256);
    *tree = tree_at(fixture, 256, 256);
    *id = id_of(fixture, *tree);
    return fixture;
}

static void check_kept(Fixture *fixture, FiloEntity tree, FiloPlacementId id, int points, bool active) {
    visit(fixture, 2000, 2000);
    assert_true(filo_entity_exists(fixture->world, tree));
    assert_false(filo_entity_active(fixture->world, tree));
    assert_int_equal(stats(fixture).asleep, 1);
    visit(fixture, 256, 256);
    assert_true(filo_entity_exists(fixture->world, tree));
    assert_true(filo_entity_active(fixture->world, tree) == active);
    assert_int_equal(filo_get(fixture->world, tree, Health)->points, points);
    assert_true(same_id(id_of(fixture, tree), id));
    if (active) assert_true(filo_entity_equal(entity_of(fixture, id), tree)); // and there is no second one
}

FILO_TEST(a_tree_with_a_changed_component_is_as_it_was_when_a_viewer_returns) {
    FiloEntity tree;
    FiloPlacementId id;
    Fixture *fixture = open_at_tree(&tree, &id);
    size_t all = stats(fixture).entities;
    int32_t made = filo_get(fixture->world, tree, Health)->points;
    filo_edit(fixture->world, tree, Health)->points = 40;
    check_kept(fixture, tree, id, 40, true);
    check_kept(fixture, tree, id, 40, true);
    assert_int_equal(stats(fixture).entities, all);
    filo_edit(fixture->world, tree, Health)->points = made; // nothing to keep any more
    visit(fixture, 2000, 2000);
    assert_false(filo_entity_exists(fixture->world, tree));
    fixture_close(fixture);
}

FILO_TEST(a_tree_with_the_tag_is_as_it_was_when_a_viewer_returns) {
    FiloEntity tree;
    FiloPlacementId id;
    Fixture *fixture = open_at_tree(&tree, &id);
    int points = filo_get(fixture->world, tree, Health)->points;
    filo_add(fixture->world, tree, FiloPlacedKeep);
    check_kept(fixture, tree, id, points, true);
    filo_remove(fixture->world, tree, FiloPlacedKeep);
    visit(fixture, 2000, 2000);
    assert_false(filo_entity_exists(fixture->world, tree));
    fixture_close(fixture);
}

FILO_TEST(a_tree_that_the_game_deactivated_stays_inactive) {
    FiloEntity tree;
    FiloPlacementId id;
    Fixture *fixture = open_at_tree(&tree, &id);
    int points = filo_get(fixture->world, tree, Health)->points;
    filo_entity_set_active(fixture->world, tree, false);
    check_kept(fixture, tree, id, points, false);
    fixture_close(fixture);
}

FILO_TEST(children_of_a_kept_entity_sleep_with_it) {
    Fixture *fixture = fixture_open(2);
    visit(fixture, 256, 256);
    FiloEntity tree = tree_at(fixture, 256, 256);
    filo_add(fixture->world, tree, FiloPlacedKeep);
    FiloEntity nest = filo_create(fixture->world, FILO_SET(Health, 3)),
               egg = filo_create(fixture->world, FILO_SET(Health, 1));
    filo_entity_set_parent(fixture->world, nest, tree);
    filo_entity_set_parent(fixture->world, egg, nest);
    filo_entity_set_active(fixture->world, egg, false);
    visit(fixture, 2000, 2000);
    assert_false(filo_entity_active(fixture->world, nest));
    visit(fixture, 256, 256);
    assert_true(filo_entity_active(fixture->world, nest));
    assert_false(filo_entity_active(fixture->world, egg)); // as before
    fixture_close(fixture);
}

// ---- Tiles ---------------------------------------------------------------------------------------------------------

FILO_TEST(tiles_say_which_objects_are_entities) {
    Fixture *fixture = fixture_open(2);
    filo_placement_world_wait(fixture->forest);
    visit(fixture, 256, 256);
    filo_placement_world_update(fixture->forest);
    size_t marked = 0, bushes = 0;
    FiloPlacementTile tile;
    for (size_t i = 0; filo_placement_world_tile(fixture->forest, i, &tile); i++)
        for (size_t k = 0; k < tile.result->count; k++) {
            bool promoted = tile.promoted != NULL && tile.promoted[k] != 0;
            bushes += tile.footprint == 1 && promoted;
            if (tile.footprint == 0)
                assert_true((entity_of(fixture, filo_placement_world_id(&tile, k)).id != 0) == promoted);
            marked += promoted;
        }
    assert_int_equal(marked, stats(fixture).entities);
    assert_int_equal(bushes, 0);
    visit(fixture, 330, 256);
    filo_placement_world_wait(fixture->forest);
    marked = 0;
    for (size_t i = 0; filo_placement_world_tile(fixture->forest, i, &tile); i++)
        for (size_t k = 0; k < tile.result->count && tile.promoted != NULL; k++) marked += tile.promoted[k];
    assert_int_equal(marked, stats(fixture).entities);
    fixture_close(fixture);
}

// ---- Prefabs -------------------------------------------------------------------------------------------------------

FILO_TEST(objects_are_instances_of_a_prefab_with_their_transform) {
    Fixture *fixture = fixture_new();
    fixture->entities[0] = (FiloPlacementEntities){ .prefab = "oak" }; // of all layers
    fixture->desc.footprints[1].promote = 10;
    fixture_start(fixture, 2);
    FiloEntity oak =
        filo_create(fixture->world, FILO_SET(FiloTransform2, .scale = { 2, 3 }), FILO_SET(Health, 55));
    filo_entity_set_name(fixture->world, oak, "oak");
    FiloEntity leaf = filo_create(fixture->world, FILO_SET(Health, 1));
    filo_entity_set_parent(fixture->world, leaf, oak);
    assert_true(filo_prefab_make(fixture->world, oak));
    fixture->viewer = fixture_viewer(fixture, 256, 256);
    ticks(fixture, 6);
    FiloQuery *query =
        filo_query(fixture->world, FILO_READ(FiloPlacedObject), FILO_READ(FiloTransform2), FILO_READ(Health));
    size_t layers[2] = { 0, 0 };
    FiloEach each = filo_query_each(query);
    while (filo_each_next(&each)) {
        const FiloPlacedObject *object = filo_each_read(&each, FiloPlacedObject);
        const FiloTransform2 *transform = filo_each_read(&each, FiloTransform2);
        FiloPlacementPosition at = filo_placement_id_position(fixture->placement, object->id);
        assert_true(transform->position.x == (float)at.x && transform->position.y == (float)at.y);
        assert_true(transform->scale.x == 2 && transform->scale.y == 3);
        assert_int_equal(filo_each_read(&each, Health)->points, 55);
        assert_int_equal(filo_entity_child_count(fixture->world, each.entity), 1);
        layers[object->layer]++;
    }
    assert_true(layers[0] > 50 && layers[1] > 50);
    filo_query_release(query);
    fixture_close(fixture);
}

FILO_TEST(objects_of_a_prefab_in_space_stand_on_the_ground) {
    Fixture *fixture = fixture_new();
    fixture->entities[0] = (FiloPlacementEntities){ .layer = "tree", .prefab = "oak" };
    fixture_start(fixture, 2);
    FiloEntity oak = filo_create(fixture->world, FILO_ADD(FiloTransform3));
    filo_entity_set_name(fixture->world, oak, "oak");
    assert_true(filo_prefab_make(fixture->world, oak));
    filo_create(fixture->world, FILO_SET(FiloTransform3, .position = { 256, 5, -256 }),
                FILO_ADD(FiloPlacementViewer));
    ticks(fixture, 6);
    FiloQuery *query = filo_query(fixture->world, FILO_READ(FiloPlacedObject), FILO_READ(FiloTransform3));
    size_t count = 0;
    FiloEach each = filo_query_each(query);
    while (filo_each_next(&each)) {
        FiloPlacementPosition at =
            filo_placement_id_position(fixture->placement, filo_each_read(&each, FiloPlacedObject)->id);
        const FiloTransform3 *transform = filo_each_read(&each, FiloTransform3);
        assert_true(transform->position.x == (float)at.x && transform->position.z == (float)-at.y);
        assert_true(transform->position.y == 0);
        FiloVec3 up = filo_quat_rotate(transform->rotation, filo_vec3(0, 1, 0));
        assert_true(up.y > 0.999f);
        count++;
    }
    assert_true(count > 50);
    filo_query_release(query);
    fixture_close(fixture);
}

FILO_TEST(a_missing_prefab_is_a_warning) {
    Fixture *fixture = fixture_new();
    fixture->entities[0] = (FiloPlacementEntities){ .layer = "tree", .prefab = "elm" };
    fixture_start(fixture, 0);
    fixture->viewer = fixture_viewer(fixture, 256, 256);
    ticks(fixture, 4);
    expect_warning("there is no entity \"elm\" to make objects from", tick(fixture));
    assert_true(stats(fixture).entities > 50);
    fixture_close(fixture);
}

FILO_TEST(a_world_that_was_reset_begins_again) {
    Fixture *fixture = fixture_open(2);
    visit(fixture, 256, 256);
    size_t entities = stats(fixture).entities;
    filo_entity_destroy(fixture->world, tree_at(fixture, 256, 256));
    tick(fixture);
    assert_ok(filo_world_reset(fixture->world, filo_world_seed(fixture->world)));
    fixture->viewer = fixture_viewer(fixture, 256, 256);
    ticks(fixture, 6);
    assert_int_equal(stats(fixture).entities,
                     entities); // the felled tree stands, and none was felled by resetting
    assert_int_equal(stats(fixture).edits, 0);
    fixture_close(fixture);
}
