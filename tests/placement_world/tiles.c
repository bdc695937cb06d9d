// Tiles for drawing: needed, computed, cached, cancelled and evicted.

#include "placement_world/fixture.h"
#include "support/warnings.h"

static FiloPlacementResult compute(const Fixture *fixture, FiloPlacementArea area, uint32_t footprint) {
    FiloPlacementResult result = { 0 };
    FiloPlacementRequest request = { .area = area, .footprints = 1u << footprint };
    assert_ok(filo_placement_compute(fixture->placement, &request, &result));
    return result;
}

FILO_TEST(tiles_around_a_viewer_have_what_placement_computes) {
    Fixture *fixture = fixture_open(2);
    assert_true(filo_placement_world_wait(fixture->forest));
    assert_false(filo_placement_world_wait(fixture->forest));
    FiloPlacementWorldStats s = stats(fixture);
    assert_true(s.tiles > 20 && s.tiles_missing == 0 && s.under_way == 0 && s.objects > 500);
    FiloPlacementTile tile;
    size_t n = 0;
    bool footprints[2] = { false, false };
    for (; filo_placement_world_tile(fixture->forest, n, &tile); n++) {
        FiloPlacementResult expected = compute(fixture, tile.area, tile.footprint);
        assert_int_equal(tile.result->count, expected.count);
        for (size_t i = 0; i < expected.count; i++) {
            FiloPlacementPosition at = filo_placement_position(&expected, &expected.objects[i]);
            assert_true(at.x == tile.origin_x + (double)tile.result->objects[i].x);
            assert_true(at.y == tile.origin_y + (double)tile.result->objects[i].y);
            assert_true(same_id(filo_placement_world_id(&tile, i),
                                filo_placement_id(&expected, &expected.objects[i])));
        }
        assert_true(tile.distance <= (tile.footprint == 0 ? 120 : 40));
        assert_null(tile.promoted);
        footprints[tile.footprint] = true;
        filo_placement_result_free(&expected);
    }
    assert_int_equal(n, s.tiles);
    assert_true(footprints[0] && footprints[1]);
    fixture_close(fixture);
}

FILO_TEST(near_tiles_are_computed_before_far_ones) {
    Fixture *fixture = fixture_open(0); // one tile in each update
    for (int i = 0; i < 6; i++) filo_placement_world_update(fixture->forest);
    FiloPlacementTile tile;
    size_t shown[2] = { 0, 0 }, nearer[2] = { 0, 0 }, n = 0;
    float farthest[2] = { 0, 0 };
    for (; filo_placement_world_tile(fixture->forest, n, &tile); n++) {
        shown[tile.footprint]++;
        farthest[tile.footprint] = filo_max(farthest[tile.footprint], tile.distance);
    }
    assert_int_equal(n, 6);
    filo_placement_world_wait(fixture->forest);
    for (n = 0; filo_placement_world_tile(fixture->forest, n, &tile); n++)
        nearer[tile.footprint] += tile.distance < farthest[tile.footprint];
    assert_true(n > 20 && nearer[0] <= shown[0] && nearer[1] <= shown[1]);
    fixture_close(fixture);
}

FILO_TEST(a_tile_is_cached_when_the_viewer_returns) {
    Fixture *fixture = fixture_open(2);
    filo_placement_world_wait(fixture->forest);
    uint64_t computed = stats(fixture).computed;
    move(fixture, 420, 256);
    filo_placement_world_wait(fixture->forest);
    assert_true(stats(fixture).computed > computed);
    assert_int_equal(stats(fixture).evicted, 0);
    computed = stats(fixture).computed;
    move(fixture, 256, 256);
    assert_false(filo_placement_world_wait(fixture->forest));
    assert_int_equal(stats(fixture).computed, computed);
    fixture_close(fixture);
}

FILO_TEST(the_budget_is_kept_and_what_was_needed_longest_ago_goes_first) {
    Fixture *fixture = fixture_new();
    fixture->desc.budget = FILO_KIB(600);
    fixture_start(fixture, 2);
    fixture->viewer = fixture_viewer(fixture, 100, 256);
    filo_placement_world_wait(fixture->forest);
    assert_int_equal(stats(fixture).tiles_missing, 0);
    size_t most = 0;
    for (int i = 0; i < 60; i++) {
        move(fixture, 100 + (float)i * 5, 256);
        filo_placement_world_update(fixture->forest);
        if (i % 10 == 9) filo_placement_world_wait(fixture->forest);
        most = FILO_MAX(most, stats(fixture).bytes);
        assert_true(stats(fixture).bytes <= stats(fixture).budget);
    }
    assert_true(most > FILO_KIB(300));
    assert_true(stats(fixture).evicted > 0);
    // What was needed last is still there, and what was needed at the beginning is not.
    move(fixture, 390, 256);
    filo_placement_world_wait(fixture->forest);
    move(fixture, 420, 256);
    filo_placement_world_wait(fixture->forest);
    assert_int_equal(stats(fixture).tiles_missing, 0);
    uint64_t computed = stats(fixture).computed;
    move(fixture, 390, 256);
    assert_false(filo_placement_world_wait(fixture->forest));
    move(fixture, 100, 256);
    assert_true(filo_placement_world_wait(fixture->forest));
    assert_true(stats(fixture).computed > computed);
    fixture_close(fixture);
}

FILO_TEST(a_budget_for_some_tiles_holds_the_nearest) {
    Fixture *fixture = fixture_new();
    fixture->desc.budget = FILO_KIB(150);
    fixture_start(fixture, 2);
    fixture->viewer = fixture_viewer(fixture, 256, 256);
    filo_placement_world_wait(fixture->forest); // ends, although some are missing
    FiloPlacementWorldStats s = stats(fixture);
    assert_true(s.tiles > 0 && s.tiles_missing > 0 && s.bytes <= s.budget);
    for (int i = 0; i < 20; i++) filo_placement_world_update(fixture->forest);
    filo_placement_world_wait(fixture->forest);
    assert_int_equal(stats(fixture).computed, s.computed); // nothing is computed in vain
    fixture_close(fixture);
}

FILO_TEST(work_that_is_not_needed_is_cancelled_and_leaves_nothing) {
    Fixture *fixture = fixture_open(4);
    for (int i = 0; i < 40; i++) {
        move(fixture, (float)(i * 1000), 0); // everything that is under way is far away now
        filo_placement_world_update(fixture->forest);
    }
    assert_true(stats(fixture).cancelled > 0);
    filo_entity_destroy(fixture->world, fixture->viewer);
    filo_placement_world_update(fixture->forest);
    assert_int_equal(stats(fixture).under_way, 0);
    FiloPlacementTile tile;
    assert_false(filo_placement_world_tile(fixture->forest, 0, &tile));
    assert_int_equal(stats(fixture).tiles_needed, 0);
    fixture_close(fixture); // the sanitizers find what is left
}

FILO_TEST(an_update_takes_over_a_limited_number_of_tiles) {
    Fixture *fixture = fixture_new();
    fixture->desc.per_update = 1;
    fixture->desc.under_way = 8;
    fixture_start(fixture, 4);
    fixture->viewer = fixture_viewer(fixture, 256, 256);
    for (uint64_t i = 0, before = 0; i < 20; i++, before = stats(fixture).computed) {
        filo_placement_world_update(fixture->forest);
        assert_true(stats(fixture).computed <= before + 1);
        assert_true(stats(fixture).under_way <= 8);
    }
    fixture_close(fixture);
}

FILO_TEST(an_edit_computes_only_the_tiles_that_it_touches) {
    Fixture *fixture = fixture_open(2);
    filo_placement_world_wait(fixture->forest);
    uint64_t computed = stats(fixture).computed;
    FiloEntity clearing =
        filo_create(fixture->world, FILO_SET(FiloPlacementEdit, .kind = FILO_PLACEMENT_CLEAR, .x = 250,
                                             .y = 250, .radius = 3));
    double reach = filo_placement_reach(fixture->placement) + 3.5;
    size_t touched = 0, all = 0, objects = 0;
    FiloPlacementTile tile;
    uint64_t versions[1024];
    for (; filo_placement_world_tile(fixture->forest, all, &tile); all++) {
        touched += tile.area.x0 - reach <= 250 && tile.area.x1 + reach >= 250 &&
                   tile.area.y0 - reach <= 250 && tile.area.y1 + reach >= 250;
        versions[all] = tile.version;
        objects += tile.result->count;
    }
    assert_true(filo_placement_world_wait(fixture->forest));
    assert_int_equal(stats(fixture).computed - computed, touched);
    assert_true(touched >= 2 && touched < all / 4); // of each footprint
    size_t changed = 0, left = 0;
    for (size_t i = 0; filo_placement_world_tile(fixture->forest, i, &tile); i++) {
        changed += tile.version != versions[i];
        left += tile.result->count;
        for (size_t k = 0; k < tile.result->count; k++) {
            double x = tile.origin_x + (double)tile.result->objects[k].x - 250;
            double y = tile.origin_y + (double)tile.result->objects[k].y - 250;
            assert_true(x * x + y * y > 8.99);
        }
    }
    assert_int_equal(changed, touched);
    assert_true(left < objects);
    filo_entity_destroy(fixture->world, clearing); // undone
    filo_placement_world_wait(fixture->forest);
    left = 0;
    for (size_t i = 0; filo_placement_world_tile(fixture->forest, i, &tile); i++) left += tile.result->count;
    assert_int_equal(left, objects);
    fixture_close(fixture);
}

FILO_TEST(several_viewers_share_tiles_and_have_distances_of_their_own) {
    Fixture *fixture = fixture_open(2);
    filo_placement_world_wait(fixture->forest);
    size_t one = stats(fixture).tiles_needed;
    FiloEntity other = fixture_viewer(fixture, 256, 256);
    assert_false(filo_placement_world_wait(fixture->forest));
    assert_int_equal(stats(fixture).tiles_needed, one);
    filo_edit(fixture->world, other, FiloPlacementViewer)->factor = 2;
    filo_placement_world_wait(fixture->forest);
    assert_true(stats(fixture).tiles_needed > 2 * one);
    filo_edit(fixture->world, other, FiloPlacementViewer)->no_tiles = true;
    filo_placement_world_wait(fixture->forest);
    assert_int_equal(stats(fixture).tiles_needed, one);
    filo_entity_set_active(fixture->world, fixture->viewer, false);
    filo_placement_world_wait(fixture->forest);
    assert_int_equal(stats(fixture).tiles_needed, 0);
    fixture_close(fixture);
}

FILO_TEST(a_viewer_in_space_sees_the_ground_below_it) {
    Fixture *fixture = fixture_open(2);
    filo_placement_world_wait(fixture->forest);
    size_t needed = stats(fixture).tiles_needed;
    filo_entity_destroy(fixture->world, fixture->viewer);
    filo_create(fixture->world, FILO_SET(FiloTransform3, .position = { 256, 90, -256 }),
                FILO_ADD(FiloPlacementViewer));
    assert_false(filo_placement_world_wait(fixture->forest)); // the same tiles
    assert_int_equal(stats(fixture).tiles_needed, needed);
    fixture_close(fixture);
}

FILO_TEST(far_from_the_origin_positions_are_exact) {
    Fixture *fixture = fixture_new();
    fixture->desc.origin_x = 100000;
    fixture->desc.origin_y = -100000;
    fixture_start(fixture, 2);
    fixture->viewer = fixture_viewer(fixture, 3, 4);
    filo_placement_world_wait(fixture->forest);
    size_t objects = 0;
    FiloPlacementTile tile;
    for (size_t i = 0; filo_placement_world_tile(fixture->forest, i, &tile); i++) {
        double side = filo_placement_cell_size(fixture->placement, tile.footprint) * FILO_PLACEMENT_BLOCK;
        for (size_t k = 0; k < tile.result->count; k++) {
            FiloPlaced object = tile.result->objects[k];
            assert_true(object.x >= -1 && (double)object.x <= side + 1 && object.y >= -1 &&
                        (double)object.y <= side + 1);
            FiloPlacementPosition at =
                filo_placement_id_position(fixture->placement, filo_placement_world_id(&tile, k));
            assert_true(at.x == tile.origin_x + (double)object.x && at.y == tile.origin_y + (double)object.y);
            assert_true(at.x >= tile.area.x0 && at.x < tile.area.x1 && at.y >= tile.area.y0 &&
                        at.y < tile.area.y1);
        }
        objects += tile.result->count;
    }
    assert_true(objects > 500);
    ticks(fixture, 6);
    FiloEntity tree = tree_at(fixture, 3, 4);
    FiloPlacementPosition at = filo_placement_id_position(fixture->placement, id_of(fixture, tree));
    FiloVec2 here = filo_get(fixture->world, tree, FiloTransform2)->position;
    assert_true(filo_abs(here.x) < 50 && filo_abs(here.y) < 50);
    assert_true(here.x == (float)(at.x - 100000) && here.y == (float)(at.y + 100000));
    fixture_close(fixture);
}

FILO_TEST(maps_that_changed_in_memory_are_read_again_after_invalidate) {
    Fixture *fixture = fixture_open(2);
    filo_placement_world_wait(fixture->forest);
    ticks(fixture, 6);
    assert_true(stats(fixture).objects > 0 && stats(fixture).entities > 0);
    memset(fixture->trees, 0, sizeof fixture->trees);
    memset(fixture->bushes, 0, sizeof fixture->bushes);
    filo_placement_world_invalidate(fixture->forest);
    filo_placement_world_wait(fixture->forest);
    assert_int_equal(stats(fixture).objects, 0);
    ticks(fixture, 6);
    assert_int_equal(stats(fixture).entities, 0);
    fixture_close(fixture);
}

// ---- Viewers without effect -----------------------------------------------------------------------------------------

// A viewer that becomes bad is warned of once, needs no tiles, and needs them again when it is good.
static void expect_no_effect(Fixture *fixture, const char *text) {
    expect_warnings(1, text, {
        filo_placement_world_wait(fixture->forest);
        tick(fixture);
        filo_placement_world_wait(fixture->forest);
    });
    assert_int_equal(stats(fixture).tiles_needed, 0);
}

static void set_factor(Fixture *fixture, float factor) {
    filo_edit(fixture->world, fixture->viewer, FiloPlacementViewer)->factor = factor;
}

FILO_TEST(a_viewer_without_a_meaning_has_no_effect_and_is_warned_of_once) {
    Fixture *fixture = fixture_open(0);
    const float nan = filo_float_from_bits(0x7FC00000u);
    const float factors[] = { -1, nan, 1e5f, 1e30f };
    for (size_t i = 0; i < FILO_COUNT_OF(factors); i++) {
        expect_no_warning(filo_placement_world_wait(fixture->forest));
        assert_true(stats(fixture).tiles_needed > 10);
        set_factor(fixture, factors[i]);
        expect_no_effect(fixture, "has no effect: its factor is");
        set_factor(fixture, 1);
    }
    const float places[] = { nan, 1e30f };
    for (size_t i = 0; i < FILO_COUNT_OF(places); i++) {
        expect_no_warning(filo_placement_world_wait(fixture->forest));
        move(fixture, places[i], 256);
        expect_no_effect(fixture, "256, which is no number or too far from the origin");
        move(fixture, 256, 256);
    }
    filo_placement_world_wait(fixture->forest);
    filo_remove(fixture->world, fixture->viewer, FiloTransform2);
    expect_no_effect(fixture, "has no effect: it has no FiloTransform2 or FiloTransform3");
    filo_set(fixture->world, fixture->viewer, FiloTransform2, .position = { 256, 256 });
    expect_no_warning(filo_placement_world_wait(fixture->forest));
    assert_true(stats(fixture).tiles_needed > 10);
    fixture_close(fixture);
}

// ---- Positions ------------------------------------------------------------------------------------------------------

FILO_TEST(positions_of_transforms_are_converted_to_those_of_the_placement_and_back) {
    Fixture *fixture = fixture_new();
    fixture->desc.origin_x = 100000;
    fixture->desc.origin_y = -5000;
    fixture_start(fixture, 0);
    FiloPlacementPosition flat = filo_placement_world_position2(fixture->forest, filo_vec2(3, 4));
    assert_true(flat.x == 100003 && flat.y == -4996 && flat.z == 0);
    FiloPlacementPosition deep = filo_placement_world_position3(fixture->forest, filo_vec3(3, 7, -4));
    assert_true(deep.x == 100003 && deep.y == -4996 && deep.z == 7);
    const FiloPlacementObject object = { .x = deep.x, .y = deep.y, .z = deep.z };
    FiloVec3 back = filo_placement_transform3(fixture->forest, &object).position;
    assert_true(back.x == 3 && back.y == 7 && back.z == -4);
    expect_fault("pass a FiloPlacementWorld",
                 assert_true(filo_placement_world_position2(NULL, filo_vec2(1, 1)).x == 0));
    expect_fault("pass a FiloPlacementWorld",
                 assert_true(filo_placement_world_position3(NULL, filo_vec3(1, 1, 1)).x == 0));
    fixture_close(fixture);
}
