// Edits: clearing, removing, pinning, painting; as entities and as a list.

#include "placement_world/fixture.h"
#include "support/warnings.h"

static FiloEntity edit(Fixture *fixture, FiloPlacementEdit value) {
    return filo_create(fixture->world, FILO_SET_COPY(FiloPlacementEdit, &value));
}

// Trees and bushes of all tiles within a distance of a point.
static size_t objects_near(const Fixture *fixture, uint32_t footprint, double x, double y, double distance) {
    size_t count = 0;
    FiloPlacementTile tile;
    for (size_t i = 0; filo_placement_world_tile(fixture->forest, i, &tile); i++)
        for (size_t k = 0; k < tile.result->count && tile.footprint == footprint; k++) {
            double dx = tile.origin_x + (double)tile.result->objects[k].x - x;
            double dy = tile.origin_y + (double)tile.result->objects[k].y - y;
            count += dx * dx + dy * dy <= distance * distance;
        }
    return count;
}

static FiloEntity find_tree(Fixture *fixture) {
    visit(fixture, 256, 256);
    return tree_at(fixture, 256, 256);
}

FILO_TEST(a_clearing_takes_entities_away_in_the_named_tick) {
    Fixture *fixture = fixture_open(2);
    FiloEntity tree = find_tree(fixture);
    FiloVec2 at = filo_get(fixture->world, tree, FiloTransform2)->position;
    filo_add(fixture->world, tree, FiloPlacedKeep); // an edit takes away what is kept, too
    FiloEntity clearing =
        edit(fixture, (FiloPlacementEdit){
                          .kind = FILO_PLACEMENT_CLEAR, .x = (double)at.x, .y = (double)at.y, .radius = 2 });
    for (int i = 0; i < 4; i++) {
        tick(fixture);
        assert_true(filo_entity_exists(fixture->world, tree));
    }
    tick(fixture);
    assert_false(filo_entity_exists(fixture->world, tree));
    assert_int_equal(stats(fixture).edits, 1); // and nothing was felled
    filo_entity_destroy(fixture->world, clearing);
    ticks(fixture, 6);
    FiloVec2 again = filo_get(fixture->world, tree_at(fixture, at.x, at.y), FiloTransform2)->position;
    assert_true(again.x == at.x && again.y == at.y);
    fixture_close(fixture);
}

FILO_TEST(only_squares_that_an_edit_touches_are_computed_again) {
    Fixture *fixture = fixture_open(2);
    (void)find_tree(fixture);
    uint64_t promoted = stats(fixture).promoted;
    edit(fixture, (FiloPlacementEdit){ .kind = FILO_PLACEMENT_CLEAR, .x = 256, .y = 256, .radius = 1 });
    ticks(fixture, 6);
    uint64_t again = stats(fixture).promoted - promoted;
    assert_true(again >= 1 && again <= 4);
    edit(fixture, (FiloPlacementEdit){ .kind = FILO_PLACEMENT_CLEAR, .x = 400, .y = 256, .radius = 1 });
    ticks(fixture, 6);
    assert_int_equal(stats(fixture).promoted - promoted, again);
    fixture_close(fixture);
}

FILO_TEST(undergrowth_comes_up_where_a_tree_was_felled) {
    Fixture *fixture = fixture_open(2);
    FiloEntity tree = find_tree(fixture);
    FiloVec2 at = filo_get(fixture->world, tree, FiloTransform2)->position;
    filo_placement_world_wait(fixture->forest);
    assert_int_equal(objects_near(fixture, 1, (double)at.x, (double)at.y, 1.2), 0);
    filo_entity_destroy(fixture->world, tree);
    tick(fixture);
    filo_placement_world_wait(fixture->forest);
    assert_true(objects_near(fixture, 1, (double)at.x, (double)at.y, 1.5) > 0);
    fixture_close(fixture);
}

FILO_TEST(an_object_is_removed_and_pinned_by_its_name) {
    Fixture *fixture = fixture_open(2);
    FiloPlacementId id = id_of(fixture, find_tree(fixture));
    FiloEntity removed = edit(fixture, (FiloPlacementEdit){ .kind = FILO_PLACEMENT_REMOVE, .id = id });
    ticks(fixture, 6);
    filo_placement_world_wait(fixture->forest);
    assert_int_equal(entity_of(fixture, id).id, 0);
    assert_int_equal(count_in_tiles(fixture, id), 0);
    edit(fixture, (FiloPlacementEdit){ .kind = FILO_PLACEMENT_PIN, .id = id, .layer = filo_name("tree") });
    ticks(fixture, 6);
    filo_placement_world_wait(fixture->forest);
    assert_int_not_equal(entity_of(fixture, id).id, 0); // the later one counts
    assert_int_equal(count_in_tiles(fixture, id), 1);
    filo_set(fixture->world, removed, FiloPlacementEdit, .kind = FILO_PLACEMENT_REMOVE,
             .id = id); // is new again
    ticks(fixture, 6);
    assert_int_equal(entity_of(fixture, id).id, 0);
    fixture_close(fixture);
}

FILO_TEST(an_edit_that_is_inactive_has_no_effect) {
    Fixture *fixture = fixture_open(2);
    FiloPlacementId id = id_of(fixture, find_tree(fixture));
    FiloEntity removed = edit(fixture, (FiloPlacementEdit){ .kind = FILO_PLACEMENT_REMOVE, .id = id });
    ticks(fixture, 6);
    assert_int_equal(entity_of(fixture, id).id, 0);
    filo_entity_set_active(fixture->world, removed, false);
    ticks(fixture, 6);
    assert_int_not_equal(entity_of(fixture, id).id, 0);
    fixture_close(fixture);
}

// ---- Painting ----------------------------------------------------------------------------------------------------

FILO_TEST(a_painted_map_is_what_a_changed_map_would_be) {
    Fixture *fixture = fixture_open(2), *other = fixture_new();
    const FiloName map = filo_name("tree");
    edit(fixture,
         (FiloPlacementEdit){
             .kind = FILO_PLACEMENT_SET, .map = map, .x = 256, .y = 256, .radius = 60, .strength = 1 });
    edit(fixture, (FiloPlacementEdit){ .kind = FILO_PLACEMENT_SUBTRACT,
                                       .map = map,
                                       .x = 256,
                                       .y = 256,
                                       .radius = 30,
                                       .strength = 0.4f });
    tick(fixture); // gives both their order
    filo_placement_world_wait(fixture->forest);
    for (int y = 0; y < FIXTURE_SIDE; y++)
        for (int x = 0; x < FIXTURE_SIDE; x++) { // the same in memory
            double dx = (x + 0.5) * 8 - 256, dy = (y + 0.5) * 8 - 256, distance = dx * dx + dy * dy;
            uint8_t *texel = &other->trees[y * FIXTURE_SIDE + x];
            if (distance <= 60 * 60) *texel = 255;
            if (distance <= 30 * 30) *texel = 153; // 255 · 0.6
        }
    fixture_start(other, 2);
    other->viewer = fixture_viewer(other, 256, 256);
    filo_placement_world_wait(other->forest);
    FiloPlacementTile a, b;
    size_t objects = 0;
    for (size_t i = 0; filo_placement_world_tile(fixture->forest, i, &a); i++) {
        bool found = false;
        for (size_t k = 0; filo_placement_world_tile(other->forest, k, &b) && !found; k++)
            found = a.footprint == b.footprint && a.x == b.x && a.y == b.y;
        if (!found) fail_msg("no tile %d, %d", a.x, a.y);
        for (size_t k = 0; filo_placement_world_tile(other->forest, k, &b); k++) {
            if (a.footprint != b.footprint || a.x != b.x || a.y != b.y) continue;
            assert_int_equal(a.result->count, b.result->count);
            assert_memory_equal(a.result->objects, b.result->objects, a.result->count * sizeof(FiloPlaced));
            objects += a.result->count;
        }
    }
    assert_true(objects > 1000);
    fixture_close(fixture);
    fixture_close(other);
}

FILO_TEST(a_soft_stroke_fades_out) {
    Fixture *fixture = fixture_open(2);
    const FiloName map = filo_name("tree");
    edit(fixture,
         (FiloPlacementEdit){
             .kind = FILO_PLACEMENT_SET, .map = map, .x = 256, .y = 256, .radius = 200, .strength = 0 });
    edit(fixture, (FiloPlacementEdit){ .kind = FILO_PLACEMENT_ADD,
                                       .map = map,
                                       .x = 256,
                                       .y = 256,
                                       .radius = 100,
                                       .strength = 1,
                                       .softness = 1 });
    tick(fixture);
    filo_placement_world_wait(fixture->forest);
    size_t inner = objects_near(fixture, 0, 256, 256, 30),
           middle = objects_near(fixture, 0, 256, 256, 60) - inner,
           outer = objects_near(fixture, 0, 256, 256, 90) - middle - inner;
    // Per area: 1, 3 and 5 parts.
    assert_true(inner > 0 && middle > 0 && outer > 0);
    assert_true(inner * 3 > middle && middle * 5 > outer * 3);
    fixture_close(fixture);
}

FILO_TEST(strokes_apply_in_the_order_in_which_they_were_made) {
    Fixture *fixture = fixture_open(2);
    const FiloName map = filo_name("tree");
    FiloPlacementEdit full = {
        .kind = FILO_PLACEMENT_SET, .map = map, .x = 256, .y = 256, .radius = 80, .strength = 1
    };
    FiloPlacementEdit none = full;
    none.strength = 0;
    FiloEntity first = edit(fixture, full); // has the first index
    tick(fixture);
    edit(fixture, none);
    tick(fixture);
    filo_placement_world_wait(fixture->forest);
    assert_int_equal(objects_near(fixture, 0, 256, 256, 60), 0);
    filo_entity_destroy(fixture->world, first);
    FiloEntity again = edit(fixture, full);
    tick(fixture);
    filo_placement_world_wait(fixture->forest);
    assert_true(filo_get(fixture->world, again, FiloPlacementEdit)->order == 3);
    assert_true(objects_near(fixture, 0, 256, 256, 60) > 100);
    fixture_close(fixture);
}

// ---- Many ----------------------------------------------------------------------------------------------------------

FILO_TEST(many_edits_of_all_sizes_are_found_where_they_are) {
    Fixture *fixture = fixture_open(2);
    uint64_t random = 1;
    for (int i = 0; i < 3000; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        double x = (double)(random >> 40 & 1023) - 256, y = (double)(random >> 20 & 1023) - 256;
        edit(fixture, (FiloPlacementEdit){ .kind = FILO_PLACEMENT_CLEAR,
                                           .x = x,
                                           .y = y,
                                           .radius = i % 100 == 0 ? 70.0f : 1.5f,
                                           .footprints = 1 });
    }
    tick(fixture);
    filo_placement_world_wait(fixture->forest);
    FiloQuery *query = filo_query(fixture->world, FILO_READ(FiloPlacementEdit));
    FiloEach each = filo_query_each(query);
    size_t near = 0;
    while (filo_each_next(&each)) {
        const FiloPlacementEdit *e = filo_each_read(&each, FiloPlacementEdit);
        assert_int_equal(objects_near(fixture, 0, e->x, e->y, (double)e->radius - 0.01), 0);
        near += e->x > 200 && e->x < 312 && e->y > 200 && e->y < 312;
    }
    assert_true(near > 10);
    filo_query_release(query);
    fixture_close(fixture);
}

// ---- Wrong edits -----------------------------------------------------------------------------------------------------

FILO_TEST(an_edit_that_means_nothing_is_a_warning_and_has_no_effect) {
    Fixture *fixture = fixture_open(0);
    ticks(fixture, 6);
    size_t entities = stats(fixture).entities;
    edit(fixture, (FiloPlacementEdit){ .kind = FILO_PLACEMENT_CLEAR, .x = 256, .y = 256, .radius = -1 });
    expect_warning("has no effect: the radius of an edit is -1", tick(fixture));
    expect_no_warning(ticks(fixture, 6));
    assert_int_equal(stats(fixture).entities, entities);
    fixture_close(fixture);
}

static void refuse(const Fixture *fixture, FiloPlacementEdit e, FiloCode code, const char *text) {
    assert_error(filo_placement_edit_check(fixture->forest, &e), code, text);
}

FILO_TEST(what_is_wrong_with_an_edit_has_a_name) {
    Fixture *fixture = fixture_open(0);
    const double nan = (double)filo_float_from_bits(0x7FC00000u);
    const FiloName tree = filo_name("tree");
    refuse(fixture, (FiloPlacementEdit){ 0 }, FILO_ERROR_DATA, "an edit has no kind 0");
    refuse(fixture, (FiloPlacementEdit){ .kind = (FiloPlacementEditKind)77 }, FILO_ERROR_DATA,
           "an edit has no kind 77");
    refuse(fixture, (FiloPlacementEdit){ .kind = FILO_PLACEMENT_CLEAR, .x = nan, .radius = 1 },
           FILO_ERROR_DATA, "is not a number");
    refuse(fixture, (FiloPlacementEdit){ .kind = FILO_PLACEMENT_CLEAR, .x = 1e300, .radius = 1 },
           FILO_ERROR_DATA, "too far");
    refuse(fixture, (FiloPlacementEdit){ .kind = FILO_PLACEMENT_CLEAR, .radius = 1e9f }, FILO_ERROR_DATA,
           "at most 1e+06");
    refuse(fixture,
           (FiloPlacementEdit){ .kind = FILO_PLACEMENT_ADD, .map = tree, .radius = 1, .strength = 2 },
           FILO_ERROR_DATA, "strength");
    refuse(fixture,
           (FiloPlacementEdit){ .kind = FILO_PLACEMENT_ADD, .map = tree, .radius = 1, .softness = -1 },
           FILO_ERROR_DATA, "softness");
    refuse(fixture, (FiloPlacementEdit){ .kind = FILO_PLACEMENT_ADD, .map = filo_name("snow"), .radius = 1 },
           FILO_ERROR_NOT_FOUND, "no map \"snow\"");
    refuse(fixture, (FiloPlacementEdit){ .kind = FILO_PLACEMENT_REMOVE, .id = { .footprint = 2 } },
           FILO_ERROR_DATA, "no candidate 0 of footprint 2");
    refuse(fixture, (FiloPlacementEdit){ .kind = FILO_PLACEMENT_REMOVE, .id = { .point = 64 } },
           FILO_ERROR_DATA, "no candidate 64");
    refuse(fixture, (FiloPlacementEdit){ .kind = FILO_PLACEMENT_PIN, .layer = filo_name("elm") },
           FILO_ERROR_NOT_FOUND, "no layer \"elm\"");
    refuse(fixture, (FiloPlacementEdit){ .kind = FILO_PLACEMENT_PIN, .layer = filo_name("bush") },
           FILO_ERROR_DATA, "not one of footprint 0");
    assert_ok(filo_placement_edit_check(fixture->forest,
                                        &(FiloPlacementEdit){ .kind = FILO_PLACEMENT_PIN, .layer = tree }));
    fixture_close(fixture);
}

// ---- Lists -----------------------------------------------------------------------------------------------------------

FILO_TEST(a_list_of_edits_does_the_same_in_another_world) {
    Fixture *fixture = fixture_open(2), *other = fixture_open(2);
    filo_entity_destroy(fixture->world, find_tree(fixture));
    edit(fixture, (FiloPlacementEdit){
                      .kind = FILO_PLACEMENT_CLEAR, .x = 240.25, .y = 250, .radius = 4, .footprints = 2 });
    edit(fixture, (FiloPlacementEdit){ .kind = FILO_PLACEMENT_ADD,
                                       .map = filo_name("tree"),
                                       .x = 260,
                                       .y = 260,
                                       .radius = 20,
                                       .strength = 0.5f,
                                       .softness = 0.5f });
    edit(fixture,
         (FiloPlacementEdit){ .kind = FILO_PLACEMENT_PIN, .id = { 9, 9, 0, 5 }, .layer = filo_name("tree") });
    ticks(fixture, 6);
    FiloJsonWriter writer;
    filo_json_writer_init(&writer, &(FiloJsonWriterDesc){ .indent = 2 });
    filo_placement_edits_write(fixture->forest, &writer);
    assert_true(filo_json_writer_ok(&writer));
    const char *text = filo_json_writer_text(&writer);
    assert_contains(text,
                    "{\"kind\": \"clear\", \"x\": 240.25, \"y\": 250, \"radius\": 4, \"footprints\": 2}");
    assert_contains(text, "\"layer\": \"tree\"}");
    assert_ok(filo_placement_edits_read(other->forest, text, strlen(text), "list.json"));
    ticks(other, 12);
    ticks(fixture, 6);
    assert_int_equal(stats(other).edits, 4);
    assert_int_equal(stats(other).entities, stats(fixture).entities);
    FiloJsonWriter again; // and the same list again
    filo_json_writer_init(&again, &(FiloJsonWriterDesc){ .indent = 2 });
    filo_placement_edits_write(other->forest, &again);
    assert_string_equal(filo_json_writer_text(&again), text);
    filo_json_writer_deinit(&again);
    filo_json_writer_deinit(&writer);
    fixture_close(fixture);
    fixture_close(other);
}

#define AN_ID "\"id\": { \"cell_x\": 1, \"cell_y\": 2, \"footprint\": 0, \"point\": 3 }"

static void refuse_list(Fixture *fixture, const char *text, FiloCode code, const char *message) {
    assert_error(filo_placement_edits_read(fixture->forest, text, strlen(text), "bad.json"), code, message);
}

FILO_TEST(a_bad_list_is_refused_with_its_line_and_adds_nothing) {
    Fixture *fixture = fixture_open(0);
    refuse_list(fixture, "", FILO_ERROR_DATA, "bad.json:1:1");
    refuse_list(fixture, "[]", FILO_ERROR_DATA, "bad.json:1:1: expected an object with \"edits\"");
    refuse_list(fixture, "{}", FILO_ERROR_DATA, "there is no \"edits\"");
    refuse_list(fixture, "{ \"edits\": 3 }", FILO_ERROR_DATA, "expected a list of edits, and not a number");
    refuse_list(fixture, "{ \"edits\": [], \"more\": 1 }", FILO_ERROR_DATA,
                "expected nothing but one \"edits\"");
    refuse_list(fixture, "{ \"edits\": [ 3 ] }", FILO_ERROR_DATA, "bad.json:1:14: expected an edit");
    refuse_list(fixture,
                "{ \"edits\": [ { \"kind\": \"clear\", \"x\": 0, \"y\": 0, \"radius\": 5 },\n  { \"kind\": "
                "\"clear\", \"x\": 0, \"y\": 0, \"radius\": 0 } ] }",
                FILO_ERROR_DATA, "bad.json:2:3: the radius of an edit is 0");
    refuse_list(fixture, "{ \"edits\": [ { \"kind\": \"explode\" } ] }", FILO_ERROR_DATA, "explode");
    refuse_list(
        fixture,
        "{ \"edits\": [ { \"kind\": \"clear\", \"x\": 0, \"y\": 0, \"radius\": 5, \"colour\": 1 } ] }",
        FILO_ERROR_DATA, "colour");
    refuse_list(fixture, "{ \"edits\": [ { \"kind\": \"pin\", \"layer\": \"elm\", " AN_ID " } ] }",
                FILO_ERROR_NOT_FOUND, "bad.json:1:14: the placement has no layer \"elm\"");
    refuse_list(fixture, "{ \"edits\": [ { \"kind\": \"clear\", \"x\": 0, \"y\": 0, \"radius\": 5 } ] } x",
                FILO_ERROR_DATA, "bad.json:1:");
    refuse_list(fixture, "{ \"edits\": [ { \"kind\": \"clear\", \"x\": 0, \"y\": 0, \"radius\": 5 }",
                FILO_ERROR_DATA, "bad.json:1:");
    tick(fixture);
    assert_int_equal(stats(fixture).edits, 0);
    fixture_close(fixture);
}

FILO_TEST(names_of_a_list_do_not_stay_if_no_edit_needs_them) {
    Fixture *fixture = fixture_open(0);
    uint32_t before = filo_name_in_use();
    refuse_list(fixture,
                "{ \"edits\": [ { \"kind\": \"pin\", \"layer\": \"a name of a bad list\", " AN_ID " } ] }",
                FILO_ERROR_NOT_FOUND, "a name of a bad list");
    assert_int_equal(filo_name_in_use(), before);
    const char *text = "{ \"edits\": [ { \"kind\": \"pin\", \"layer\": \"tree\", " AN_ID " } ] }";
    assert_ok(filo_placement_edits_read(fixture->forest, text, strlen(text), NULL));
    tick(fixture);
    assert_int_equal(stats(fixture).edits, 1);
    fixture_close(fixture);
}

static void refuse_edit(Fixture *fixture, const char *members, const char *message) {
    char text[512];
    snprintf(text, sizeof text, "{ \"edits\": [ { %s } ] }", members);
    refuse_list(fixture, text, FILO_ERROR_DATA, message);
}

FILO_TEST(members_of_an_edit_are_those_of_its_kind) {
    Fixture *fixture = fixture_open(0);
    refuse_edit(fixture, "", "bad.json:1:14: an edit needs kind");
    refuse_edit(fixture, "\"kind\": \"clear\"", "an edit of kind \"clear\" needs x, y, radius");
    refuse_edit(fixture, "\"kind\": \"remove\"", "an edit of kind \"remove\" needs id");
    refuse_edit(fixture, "\"kind\": \"pin\", " AN_ID, "an edit of kind \"pin\" needs layer");
    refuse_edit(fixture, "\"kind\": \"add\", \"x\": 1, \"y\": 1, \"radius\": 5",
                "an edit of kind \"add\" needs strength, map");
    refuse_edit(fixture, "\"kind\": \"remove\", \"id\": { \"cell_x\": 1, \"point\": 3 }",
                "an id needs cell_y, footprint");
    refuse_edit(fixture, "\"kind\": \"remove\", \"id\": { \"cel_x\": 1 }",
                "there is no \"cel_x\" here: did you mean \"cell_x\"?");
    refuse_edit(fixture, "\"kind\": \"remove\", \"id\": 3", "id");
    refuse_edit(fixture, "\"kind\": \"clear\", \"x\": 1, \"y\": 1, \"radius\": 5, \"strength\": 1",
                "bad.json:1:62: an edit of kind \"clear\" has no \"strength\"");
    refuse_edit(fixture, "\"kind\": \"remove\", \"order\": 7", "there is no \"order\" here");
    refuse_edit(fixture, "\"kind\": \"clear\", \"raduis\": 7",
                "there is no \"raduis\" here: did you mean \"radius\"?");
    refuse_edit(fixture, "\"kind\": \"clear\", \"x\": 1, \"x\": 2", "\"x\" is given twice");
    refuse_edit(fixture, "\"kind\": \"none\"",
                "kind: \"none\" is none of clear, remove, pin, add, subtract, set");
    refuse_edit(fixture, "\"kind\": \"claer\"", "set: did you mean \"clear\"?");
    refuse_edit(fixture, "\"kind\": 3",
                "kind: expected one of clear, remove, pin, add, subtract, set, and not");
    refuse_edit(fixture, "\"kind\": \"clear\", \"x\": 1, \"y\": 1, \"radius\": 5, \"footprints\": 5",
                "the footprints of a clearing are the bits 0x5, and the placement has 2 footprints");
    tick(fixture);
    assert_int_equal(stats(fixture).edits, 0);
    fixture_close(fixture);
}
