// Extraction: what is seen, in which order, what is kept, and what a reader of the packet gets.

#include "support/malloc_count.h"

#include "gfx2d/stage.h"

#include <filo/log.h>
#include <filo/snapshot.h>

#include <math.h>

#include "gfx2d/renderer.h"

static FiloEntity box_at(Stage *stage, float x, float y, FiloSprite sprite) {
    FiloTransform2 transform = { .position = { x, y } };
    FiloComponentValue with[] = { { .type = filo_type_FiloTransform2, .value = &transform },
                                  { .type = filo_type_FiloSprite, .value = &sprite } };
    FiloEntity entity = filo_entity_create_with(stage->world, with, FILO_COUNT_OF(with));
    assert_true(entity.id != 0);
    return entity;
}

static void tick(Stage *stage) { assert_ok(filo_world_tick(stage->world, 1.0f / 60)); }

// The room of something that was not seen.
static bool is_empty(const FiloQuad *quad) {
    static const FiloQuad empty;
    return memcmp(quad, &empty, sizeof empty) == 0;
}

// The x of all quads of the first view, empty ones left out, as a text: "1 2 3".
static const char *order_of(const Stage *stage) {
    static char text[4096];
    const Gfx2dView *view = &stage->gfx->views.items[0];
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < view->quad_count && length + 16 < sizeof text; i++)
        if (!is_empty(&view->quads[i]))
            length += (size_t)snprintf(text + length, sizeof text - length, length > 0 ? " %g" : "%g",
                                       (double)view->quads[i].x);
    return text;
}

// ---- What is seen -----------------------------------------------------------------------------------------

FILO_TEST(what_touches_the_picture_is_drawn_and_what_does_not_is_not) {
    Stage stage = stage_begin(ON_CPU, 1);
    // The picture is 128 × 96 about the origin; boxes are 1 × 1.
    const float in = 0.49f, out = 0.5f;
    box_at(&stage, WIDTH / 2 + in, 0, (FiloSprite){ 0 });
    box_at(&stage, -WIDTH / 2 - in, 0, (FiloSprite){ 0 });
    box_at(&stage, 0, HEIGHT / 2 + in, (FiloSprite){ 0 });
    box_at(&stage, 0, -HEIGHT / 2 - in, (FiloSprite){ 0 });
    extract(&stage);
    assert_int_equal(stats(&stage).visible, 4);
    box_at(&stage, WIDTH / 2 + out, 0, (FiloSprite){ 0 });
    box_at(&stage, -WIDTH / 2 - out, 0, (FiloSprite){ 0 });
    box_at(&stage, 0, HEIGHT / 2 + out, (FiloSprite){ 0 });
    box_at(&stage, 0, -HEIGHT / 2 - out, (FiloSprite){ 0 });
    box_at(&stage, (float)NAN, 0, (FiloSprite){ 0 });
    for (int i = 0; i < 4; i++) { // in all ways in which parts can be built
        extract(&stage);
        assert_int_equal(stats(&stage).visible, 4);
        assert_int_equal(stats(&stage).sprites, 9);
    }
    stage_end(&stage);
}

FILO_TEST(of_parts_that_are_kept_only_what_is_seen_is_drawn) {
    const FiloVec2 outside[] = { { WIDTH, 0 }, { -WIDTH, 0 }, { 0, HEIGHT }, { 0, -HEIGHT } };
    for (size_t i = 0; i < FILO_COUNT_OF(outside); i++) {
        for (int layers = 1; layers <= 2; layers++) {
            Stage stage = stage_begin(ON_CPU, 1);
            box_at(&stage, 1, 0, (FiloSprite){ 0 });
            box_at(&stage, outside[i].x, outside[i].y, (FiloSprite){ .layer = (uint8_t)(layers - 1) });
            for (int n = 0; n < 4; n++) {
                extract(&stage);
                assert_int_equal(stats(&stage).visible, 1);
                assert_string_equal(order_of(&stage), "1");
            }
            assert_int_equal(stats(&stage).rebuilt, 0);
            stage_end(&stage);
        }
    }
}

FILO_TEST(a_turned_sprite_reaches_as_far_as_its_corners) {
    Stage stage = stage_begin(ON_CPU, 1);
    FiloEntity turned = box_at(&stage, WIDTH / 2 + 0.6f, 0, (FiloSprite){ 0 });
    extract(&stage);
    assert_int_equal(stats(&stage).visible, 0);
    filo_edit(stage.world, turned, FiloTransform2)->rotation = FILO_PI / 4;
    extract(&stage);
    assert_int_equal(stats(&stage).visible, 1);
    stage_end(&stage);
}

FILO_TEST(hidden_sprites_and_inactive_entities_are_not_drawn) {
    Stage stage = stage_begin(ON_CPU, 1);
    FiloEntity a = box_at(&stage, 1, 0, (FiloSprite){ 0 });
    FiloEntity b = box_at(&stage, 2, 0, (FiloSprite){ 0 });
    box_at(&stage, 3, 0, (FiloSprite){ .flags = FILO_SPRITE_HIDDEN });
    extract(&stage);
    assert_string_equal(order_of(&stage), "1 2");
    filo_entity_set_active(stage.world, a, false);
    extract(&stage);
    assert_string_equal(order_of(&stage), "2");
    filo_edit(stage.world, b, FiloSprite)->flags = FILO_SPRITE_HIDDEN;
    extract(&stage);
    assert_string_equal(order_of(&stage), "");
    assert_int_equal(stats(&stage).visible, 0);
    stage_end(&stage);
}

// ---- Order ------------------------------------------------------------------------------------------------

static void shuffled(Stage *stage) {
    box_at(stage, 1, 0, (FiloSprite){ .layer = 2 });
    box_at(stage, 2, 0, (FiloSprite){ .layer = 0, .order = 5 });
    box_at(stage, 3, 0, (FiloSprite){ .layer = 0, .order = -5 });
    box_at(stage, 4, 0, (FiloSprite){ .layer = 2 });
    box_at(stage, 5, 0, (FiloSprite){ .layer = 0 });
    box_at(stage, 6, 0, (FiloSprite){ .layer = 255, .order = -32768 });
    box_at(stage, 7, 0, (FiloSprite){ .layer = 2, .order = 32767 });
    FiloEntity other = box_at(stage, 8, 0, (FiloSprite){ .layer = 2 }); // in another table
    filo_add(stage->world, other, FiloAnimation);
}

FILO_TEST(sprites_are_drawn_by_layer_then_order_then_as_they_lie_in_the_world) {
    Stage stage = stage_begin(ON_CPU, 1);
    shuffled(&stage);
    for (int i = 0; i < 4; i++) {
        extract(&stage);
        assert_string_equal(order_of(&stage), "3 5 2 1 4 8 7 6");
    }
    stage_end(&stage);
}

FILO_TEST(a_sprite_that_changes_its_layer_is_drawn_there_at_once) {
    Stage stage = stage_begin(ON_CPU, 1);
    FiloEntity first = box_at(&stage, 1, 0, (FiloSprite){ 0 });
    box_at(&stage, 2, 0, (FiloSprite){ 0 });
    box_at(&stage, 3, 0, (FiloSprite){ .layer = 2 });
    for (int i = 0; i < 6; i++) { // kept, or built while it moves
        if (i % 2 == 0) filo_edit(stage.world, first, FiloTransform2)->position.y = (float)i;
        filo_edit(stage.world, first, FiloSprite)->layer = 0;
        extract(&stage);
        assert_string_equal(order_of(&stage), "1 2 3");
        filo_edit(stage.world, first, FiloSprite)->layer = 1; // one that was not there
        extract(&stage);
        assert_string_equal(order_of(&stage), "2 1 3");
        filo_edit(stage.world, first, FiloSprite)->layer = 2;
        extract(&stage);
        assert_string_equal(order_of(&stage), "2 1 3");
    }
    stage_end(&stage);
}

FILO_TEST(very_many_keys_are_sorted_too) {
    Stage stage = stage_begin(ON_CPU, 4);
    for (int i = 0; i < 3000; i++)
        box_at(&stage, (float)(i % 100), 0, (FiloSprite){ .order = (int16_t)(3000 - i * 7 % 3001) });
    for (int round = 0; round < 3; round++) {
        extract(&stage);
        const Gfx2dView *view = &stage.gfx->views.items[0];
        assert_int_equal(stats(&stage).visible, 65 * 30); // x below 64.5
        // Which sprite a quad is: by its x it could be thirty; its order must not go down.
        assert_int_equal(view->quad_count, 65 * 30);
        int last = -1;
        for (size_t i = 0; i < view->quad_count; i++) {
            int best = INT32_MAX;
            for (int n = (int)view->quads[i].x; n < 3000; n += 100) {
                int order = 3000 - n * 7 % 3001;
                if (order > last && order < best) best = order;
            }
            assert_true(best != INT32_MAX);
            last = best;
        }
        assert_int_equal(stage.gfx->parts.items[0]->wild, true);
    }
    stage_end(&stage);
}

FILO_TEST(in_a_layer_sorted_by_y_what_is_lower_is_drawn_later) {
    Stage stage = stage_begin(ON_CPU, 1);
    box_at(&stage, 1, 5, (FiloSprite){ .layer = 3 });
    box_at(&stage, 2, -5, (FiloSprite){ .layer = 3, .order = -100 });
    box_at(&stage, 3, 0, (FiloSprite){ .layer = 3 });
    box_at(&stage, 4, -100, (FiloSprite){ .layer = 3 }); // not seen
    box_at(&stage, 5, 40, (FiloSprite){ .layer = 2 });
    box_at(&stage, 6, -40, (FiloSprite){ .layer = 2 });
    box_at(&stage, 7, 0, (FiloSprite){ .layer = 3, .pivot = { 0, 0.5f } }); // by its place, not its middle
    box_at(&stage, 8, 0.01f, (FiloSprite){ .layer = 3 });
    extract(&stage);
    assert_string_equal(order_of(&stage), "5 6 2 1 3 7 8");
    filo_gfx2d_sort_layer_by_y(stage.gfx, 3, true);
    for (int i = 0; i < 3; i++) {
        extract(&stage);
        assert_string_equal(order_of(&stage), "5 6 1 8 3 7 2");
    }
    filo_gfx2d_sort_layer_by_y(stage.gfx, 3, false);
    extract(&stage);
    assert_string_equal(order_of(&stage), "5 6 2 1 3 7 8");
    stage_end(&stage);
}

// Many tables, layers and orders, moving and not, must come out the same from any number of threads.
static void crowd(Stage *stage, uint64_t seed) {
    FiloRandom random = filo_random_sequence(seed);
    for (int i = 0; i < 6000; i++) {
        FiloSprite sprite = { .layer = (uint8_t)filo_random_below(&random, 5) };
        sprite.order = (int16_t)filo_random_below(&random, 3);
        float x = filo_random_float_range(&random, -80, 80), y = filo_random_float_range(&random, -60, 60);
        FiloEntity entity = box_at(stage, x, y, sprite);
        if (i % 3 == 0) filo_add(stage->world, entity, FiloAnimation);
        if (i % 5 == 0) filo_add(stage->world, entity, FiloPreviousTransform2);
    }
}

FILO_TEST(one_and_eight_threads_make_the_same_packet) {
    FiloQuad *first = NULL;
    size_t count = 0;
    for (int threads = 1; threads <= 8; threads *= 8) {
        Stage stage = stage_begin(ON_CPU, threads);
        crowd(&stage, 3);
        for (int i = 0; i < 3; i++) extract_blended(&stage, 0.5f);
        const Gfx2dView *view = &stage.gfx->views.items[0];
        if (threads == 1) {
            count = view->quad_count;
            first = malloc(count * sizeof *first);
            memcpy(first, view->quads, count * sizeof *first);
        } else {
            assert_int_equal(view->quad_count, count);
            assert_memory_equal(view->quads, first, count * sizeof *first);
        }
        stage_end(&stage);
    }
    free(first);
}

// ---- What is kept -------------------------------------------------------------------------------------------

// A fresh renderer over the same world must show the same, whatever the first one has kept.
static void assert_like_new(Stage *stage, float blend) {
    Stage fresh = *stage;
    assert_ok(filo_gfx2d_create(&fresh.gfx, &(FiloGfx2dDesc){ .world = stage->world }));
    extract_blended(stage, blend);
    extract_blended(&fresh, blend);
    const Gfx2dView *a = &stage->gfx->views.items[0], *b = &fresh.gfx->views.items[0];
    size_t k = 0;
    for (size_t i = 0; i < a->quad_count; i++) {
        if (is_empty(&a->quads[i])) continue;
        while (k < b->quad_count && is_empty(&b->quads[k])) k++;
        assert_true(k < b->quad_count);
        assert_memory_equal(&a->quads[i], &b->quads[k++], sizeof(FiloQuad));
    }
    while (k < b->quad_count) assert_true(is_empty(&b->quads[k++]));
    assert_int_equal(stats(stage).visible, stats(&fresh).visible);
    filo_gfx2d_destroy(fresh.gfx);
}

FILO_TEST(what_has_not_changed_is_not_rebuilt) {
    Stage stage = stage_begin(ON_CPU, 1);
    FiloEntity moved = box_at(&stage, 1, 1, (FiloSprite){ 0 });
    for (int i = 0; i < 99; i++) box_at(&stage, (float)i, 0, (FiloSprite){ 0 });
    FiloEntity elsewhere = box_at(&stage, 5, 5, (FiloSprite){ 0 });
    filo_add(stage.world, elsewhere, FiloAnimation);
    extract(&stage);
    assert_int_equal(stats(&stage).rebuilt, 101);
    extract(&stage); // now all of it, to be kept
    extract(&stage);
    assert_int_equal(stats(&stage).rebuilt, 0);
    assert_int_equal(stats(&stage).visible, 66 + 1);
    filo_edit(stage.world, elsewhere, FiloSprite)->color = FILO_COLOR_RED;
    extract(&stage);
    assert_int_equal(stats(&stage).rebuilt, 1);
    filo_edit(stage.world, moved, FiloTransform2)->position.y = 2;
    extract(&stage);
    assert_int_equal(stats(&stage).rebuilt, 101); // and the other, in full
    extract(&stage);
    extract(&stage);
    assert_int_equal(stats(&stage).rebuilt, 0);
    assert_like_new(&stage, 1);
    stage_end(&stage);
}

FILO_TEST(kept_parts_come_back_right_after_all_kinds_of_changes) {
    Stage stage = stage_begin(ON_CPU, 2);
    crowd(&stage, 11);
    FiloRandom random = filo_random_sequence(5);
    FiloEntity camera = filo_create(stage.world, FILO_ADD(FiloTransform2), FILO_ADD(FiloCamera));
    for (int round = 0; round < 60; round++) {
        if (round % 4 == 0) tick(&stage);
        for (int n = 0; n < (round % 3) * 4; n++) {
            FiloEntity entity = filo_entity_at(stage.world, filo_random_below(&random, 6000));
            if (entity.id == 0 || entity.id == camera.id || !filo_has(stage.world, entity, FiloSprite))
                continue;
            switch (filo_random_below(&random, 8)) {
            case 0: filo_entity_destroy(stage.world, entity); break;
            case 1: filo_add(stage.world, entity, FiloAnimation); break;
            case 2: filo_remove(stage.world, entity, FiloAnimation); break;
            case 3: filo_edit(stage.world, entity, FiloTransform2)->position.x += 3; break;
            case 4: filo_edit(stage.world, entity, FiloSprite)->layer = 4; break;
            case 5: filo_entity_set_active(stage.world, entity, false); break;
            case 6: filo_edit(stage.world, entity, FiloTransform2)->rotation += 1; break;
            default: box_at(&stage, filo_random_float_range(&random, -70, 70), 0, (FiloSprite){ .layer = 1 });
            }
        }
        if (round % 7 == 3) filo_edit(stage.world, camera, FiloTransform2)->position.x += 5;
        extract_blended(&stage, 0.25f);
        extract_blended(&stage, 0.75f);
        assert_like_new(&stage, 0.5f);
    }
    stage_end(&stage);
}

FILO_TEST(parts_of_chunks_that_go_are_kept_for_others) {
    Stage stage = stage_begin(ON_CPU, 1);
    static FiloEntity boxes[12000];
    for (size_t round = 0; round < 3; round++) {
        for (size_t i = 10; i < FILO_COUNT_OF(boxes) && (round > 0 || i < 10000); i++)
            boxes[i] = box_at(&stage, (float)(i % 50), 0, (FiloSprite){ .layer = (uint8_t)round });
        for (size_t i = 0; i < 10 && round == 0; i++) boxes[i] = box_at(&stage, 1, 0, (FiloSprite){ 0 });
        for (int n = 0; n < 3; n++) extract(&stage);
        assert_int_equal(stats(&stage).rebuilt, 0);
        size_t parts = stage.gfx->part_count;
        assert_true(parts >= 3 && parts == stage.gfx->parts.count);
        assert_true(round < 2 || stage.gfx->spare_parts.count == 0); // they are used again
        for (size_t i = FILO_COUNT_OF(boxes); i-- > 10;)
            if (filo_entity_exists(stage.world, boxes[i])) filo_entity_destroy(stage.world, boxes[i]);
        extract(&stage);
        assert_int_equal(stats(&stage).visible, 10);
        assert_int_equal(stage.gfx->part_count, 1);
        assert_int_equal(stage.gfx->spare_parts.count, parts - 1);
        for (size_t i = 0; i < stage.gfx->part_by_chunk.count; i++)
            if (stage.gfx->part_by_chunk.items[i] != NULL)
                assert_ptr_equal(stage.gfx->part_by_chunk.items[i], stage.gfx->parts.items[0]);
    }
    stage_end(&stage);
}

FILO_TEST(a_snapshot_that_is_restored_is_seen) {
    Stage stage = stage_begin(ON_CPU, 1);
    FiloEntity entity = box_at(&stage, 1, 0, (FiloSprite){ 0 });
    for (int i = 0; i < 3; i++) extract(&stage);
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(snapshot, stage.world));
    filo_edit(stage.world, entity, FiloTransform2)->position.x = 9;
    for (int i = 0; i < 3; i++) extract(&stage);
    assert_string_equal(order_of(&stage), "9");
    assert_ok(filo_snapshot_restore(snapshot, stage.world));
    extract(&stage);
    assert_string_equal(order_of(&stage), "1");
    filo_snapshot_destroy(snapshot);
    stage_end(&stage);
}

// ---- Between ticks --------------------------------------------------------------------------------------------

FILO_TEST(places_are_blended_between_the_last_two_ticks) {
    Stage stage = stage_begin(ON_CPU, 1);
    FiloEntity entity = box_at(&stage, 0, 0, (FiloSprite){ 0 });
    tick(&stage);
    tick(&stage);
    filo_edit(stage.world, entity, FiloTransform2)->position.x = 8;
    const FiloQuad *quad;
    const float blends[] = { 0, 0.25f, 0.5f, 1 };
    for (size_t i = 0; i < FILO_COUNT_OF(blends); i++) {
        extract_blended(&stage, blends[i]);
        quad = &stage.gfx->views.items[0].quads[0];
        assert_float_equal(quad->x, 8 * blends[i], 1e-5);
    }
    // It rests; from then on it is kept.
    tick(&stage);
    for (int i = 0; i < 3; i++) extract_blended(&stage, 0.5f);
    assert_int_equal(stats(&stage).rebuilt, 0);
    assert_string_equal(order_of(&stage), "8");
    // What jumps is not blended.
    filo_edit(stage.world, entity, FiloTransform2)->position.x = 20;
    filo_edit(stage.world, entity, FiloPreviousTransform2)->valid = false;
    extract_blended(&stage, 0.5f);
    assert_string_equal(order_of(&stage), "20");
    stage_end(&stage);
}

FILO_TEST(angles_are_blended_the_short_way_and_scales_too) {
    Stage stage = stage_begin(ON_CPU, 1);
    FiloEntity entity = box_at(&stage, 0, 0, (FiloSprite){ 0 });
    filo_edit(stage.world, entity, FiloTransform2)->rotation = FILO_PI - 0.2f;
    tick(&stage);
    tick(&stage);
    filo_edit(stage.world, entity, FiloTransform2)->rotation = -FILO_PI + 0.2f;
    filo_edit(stage.world, entity, FiloTransform2)->scale =
        filo_vec2(3, 3); // from 0, 0, which counts as 1, 1
    extract_blended(&stage, 0.5f);
    const FiloQuad *quad = &stage.gfx->views.items[0].quads[0];
    assert_float_equal(quad->ax, -1, 1e-5); // half a turn, twice the size
    assert_float_equal(quad->ay, 0, 1e-5);
    stage_end(&stage);
}

FILO_TEST(children_are_where_their_parents_are) {
    Stage stage = stage_begin(ON_CPU, 1);
    FiloEntity parent = box_at(&stage, 10, 0, (FiloSprite){ 0 });
    FiloEntity child = box_at(&stage, 4, 0, (FiloSprite){ 0 });
    assert_true(filo_entity_set_parent(stage.world, child, parent));
    filo_edit(stage.world, parent, FiloTransform2)->rotation = FILO_HALF_PI;
    tick(&stage);
    tick(&stage);
    extract(&stage);
    assert_string_equal(order_of(&stage), "10 10");
    assert_float_equal(stage.gfx->views.items[0].quads[1].y, 4, 1e-5);
    filo_edit(stage.world, parent, FiloTransform2)->position.x = 20;
    tick(&stage);
    extract_blended(&stage, 0.5f);
    assert_string_equal(order_of(&stage), "15 15");
    stage_end(&stage);
}

FILO_TEST(a_world_transform_that_is_not_valid_yet_does_not_hide_the_sprite) {
    Stage stage = stage_begin(ON_CPU, 1);
    FiloEntity entity = box_at(&stage, 3, 0, (FiloSprite){ 0 });
    filo_add(stage.world, entity, FiloWorldTransform2);
    extract_blended(&stage, 0.5f);
    assert_string_equal(order_of(&stage), "3");
    stage_end(&stage);
}

FILO_TEST(children_are_where_they_belong_right_after_a_restore) {
    Stage stage = stage_begin(ON_CPU, 1);
    FiloEntity parent = box_at(&stage, 10, 0, (FiloSprite){ 0 });
    FiloEntity child = box_at(&stage, 5, 0, (FiloSprite){ 0 });
    filo_entity_set_parent(stage.world, child, parent);
    tick(&stage);
    tick(&stage);
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(snapshot, stage.world));
    filo_edit(stage.world, parent, FiloTransform2)->position.x = 100;
    tick(&stage);
    assert_ok(filo_snapshot_restore(snapshot, stage.world)); // and no tick after it
    extract_blended(&stage, 0.5f);
    assert_string_equal(order_of(&stage), "10 15");
    filo_snapshot_destroy(snapshot);
    stage_end(&stage);
}

// ---- Frames -------------------------------------------------------------------------------------------------

FILO_TEST(pivots_flips_and_pixels_per_unit_place_the_image) {
    Stage stage = stage_begin(ON_CPU, 1);
    filo_gfx2d_destroy(stage.gfx);
    assert_ok(filo_gfx2d_create(&stage.gfx, &(FiloGfx2dDesc){ .world = stage.world, .pixels_per_unit = 4 }));
    FiloName image = add_plain(stage.gfx, "plain", 8, 16, FILO_COLOR_WHITE); // 2 × 4 units
    box_at(&stage, 1, 1, (FiloSprite){ .image = image, .pivot = { -0.5f, -0.5f } });
    extract(&stage);
    FiloQuad quad = stage.gfx->views.items[0].quads[0];
    assert_float_equal(quad.x, 2, 1e-6); // the position is its lower left corner
    assert_float_equal(quad.y, 3, 1e-6);
    assert_float_equal(quad.ax, 1, 1e-6);
    assert_float_equal(quad.by, 2, 1e-6);
    assert_int_equal(quad.u1 - quad.u0, 8);
    assert_int_equal(quad.v1 - quad.v0, 16);
    FiloRect visible = filo_gfx2d_visible(stage.gfx, FILO_ENTITY_NONE);
    assert_float_equal(visible.max.x - visible.min.x, WIDTH / 4.0, 1e-4);
    stage_end(&stage);
}

// ---- Memory -------------------------------------------------------------------------------------------------

FILO_TEST(a_steady_frame_allocates_nothing) {
    if (!FILO_TEST_COUNTS_MALLOC) skip();
    Stage stage = stage_begin(ON_CPU, 2);
    crowd(&stage, 9);
    filo_gfx2d_sort_layer_by_y(stage.gfx, 1, true);
    FiloEntity first = filo_entity_at(stage.world, 0);
    uint64_t before = 0;
    for (int i = 0; i < 30; i++) {
        if (i == 20) before = filo_test_malloc_calls();
        filo_edit(stage.world, first, FiloTransform2)->position.x = (float)(i % 5);
        tick(&stage);
        extract_blended(&stage, 0.5f);
        filo_draw_circle(filo_gfx2d_draw(stage.gfx), filo_vec2(5, 5), 4, FILO_COLOR_RED);
        render(&stage);
    }
    assert_int_equal(filo_test_malloc_calls(), before);
    stage_end(&stage);
}

static void without_memory(Way way) {
    Stage stage = stage_begin(way, 2);
    crowd(&stage, 2);
    filo_gfx2d_destroy(stage.gfx);
    stage.gfx = NULL;
    int created = 0;
    for (int allowed = 0; allowed < 90; allowed++) {
        Failing failing;
        failing_init(&failing, allowed);
        FiloResult result = filo_gfx2d_create(
            &stage.gfx,
            &(FiloGfx2dDesc){ .world = stage.world, .gpu = stage.gpu, .allocator = &failing.allocator });
        if (result.code == FILO_OK) {
            created++;
            for (int i = 0; i < 3; i++) {
                extract(&stage);
                render(&stage);
                assert_true(stats(&stage).visible <= 6000);
            }
            failing.left = 10000; // and with memory again, all is there
            for (int i = 0; i < 3; i++) extract(&stage);
            if (way == ON_CPU) assert_like_new(&stage, 1);
            filo_gfx2d_destroy(stage.gfx);
            if (stage.gpu != NULL) filo_gpu_end_frame(stage.gpu);
        } else {
            assert_int_equal(result.code, FILO_ERROR_MEMORY);
            assert_null(stage.gfx);
        }
        assert_int_equal(failing.used, 0);
    }
    assert_true(created > 10);
    stage.gfx = NULL;
    stage_end(&stage);
}

FILO_TEST(without_memory_something_is_missing_and_nothing_breaks) { without_memory(ON_CPU); }
FILO_TEST(without_memory_on_the_card_nothing_breaks_either) { without_memory(ON_NULL); }

FILO_TEST(a_picture_that_is_too_large_is_cut_and_that_is_no_mistake) {
    assert_ok(filo_log_set_filter(FILO_LOG_TERMINAL, "off"));
    Stage stage = stage_begin(ON_NULL, 1);
    filo_gfx2d_extract(stage.gfx, &(FiloExtract){ .width = 32767, .height = 5 });
    FiloVec2 size = filo_draw_size(filo_gfx2d_draw(stage.gfx));
    assert_float_equal(size.x, FILO_PIXELS_MAX, 0);
    assert_float_equal(size.y, 5, 0);
    render(&stage);
    stage_end(&stage);
}

// ---- Below an inactive entity -----------------------------------------------------------------------------------

static size_t visible_after(Stage *stage) {
    extract_blended(stage, 0.5f);
    size_t visible = stats(stage).visible;
    render(stage);
    return visible;
}

static void conceal(bool sorted, bool with_ticks, int threads) {
    Stage stage = stage_begin(ON_CPU, threads);
    if (sorted) filo_gfx2d_sort_layer_by_y(stage.gfx, 0, true);
    FiloEntity group = filo_entity_create(stage.world); // without a transform
    FiloEntity ship = box_at(&stage, 0, 0, (FiloSprite){ 0 });
    FiloEntity turret = box_at(&stage, 4, 0, (FiloSprite){ 0 });
    FiloEntity gun = box_at(&stage, 4, 0, (FiloSprite){ .layer = 3 });
    for (int i = 0; i < 5; i++) box_at(&stage, (float)i, 20, (FiloSprite){ 0 }); // of no family
    assert_true(filo_entity_set_parent(stage.world, ship, group));
    assert_true(filo_entity_set_parent(stage.world, turret, ship));
    assert_true(filo_entity_set_parent(stage.world, gun, turret));
    FiloEntity parents[] = { group, ship, turret };
    size_t drawn[] = { 5, 5, 6 };
    for (int n = 0; n < 4; n++) { // kept parts, moving parts, parts that were just shown
        if (with_ticks) assert_ok(filo_world_tick(stage.world, 0.1f));
        assert_int_equal(visible_after(&stage), 8);
        for (size_t i = 0; i < 3; i++) {
            filo_entity_set_active(stage.world, parents[i], false);
            assert_int_equal(visible_after(&stage), drawn[i]);
            if (with_ticks) assert_ok(filo_world_tick(stage.world, 0.1f));
            for (int k = 0; k < 3; k++) assert_int_equal(visible_after(&stage), drawn[i]);
            filo_entity_set_active(stage.world, parents[i], true);
            assert_int_equal(visible_after(&stage), 8);
        }
        // Two of them: one is shown again, and the other still conceals.
        filo_entity_set_active(stage.world, group, false);
        filo_entity_set_active(stage.world, turret, false);
        assert_int_equal(visible_after(&stage), 5);
        filo_entity_set_active(stage.world, group, true);
        assert_int_equal(visible_after(&stage), 6);
        filo_entity_set_active(stage.world, turret, true);
    }
    // What leaves the family is seen.
    filo_entity_set_active(stage.world, ship, false);
    assert_int_equal(visible_after(&stage), 5);
    assert_true(filo_entity_set_parent(stage.world, turret, FILO_ENTITY_NONE));
    assert_int_equal(visible_after(&stage), 7);
    stage_end(&stage);
}

FILO_TEST(what_is_below_an_inactive_entity_is_not_drawn) {
    for (int i = 0; i < 8; i++) conceal((i & 1) != 0, (i & 2) != 0, (i & 4) != 0 ? 4 : 1);
}

FILO_TEST(a_camera_below_an_inactive_entity_does_not_watch) {
    Stage stage = stage_begin(ON_CPU, 1);
    FiloEntity cart = box_at(&stage, 500, 0, (FiloSprite){ 0 });
    FiloEntity eye = filo_create(stage.world, FILO_ADD(FiloCamera));
    assert_true(filo_entity_set_parent(stage.world, eye, cart));
    assert_ok(filo_world_tick(stage.world, 0.1f));
    extract(&stage);
    assert_int_equal(stage.gfx->views.items[0].camera.id, eye.id);
    filo_entity_set_active(stage.world, cart, false);
    extract(&stage);
    assert_int_equal(stage.gfx->views.count, 1);
    assert_int_equal(stage.gfx->views.items[0].camera.id, 0);
    stage_end(&stage);
}

FILO_TEST(sprites_that_an_inactive_entity_does_not_concern_are_kept) {
    Stage stage = stage_begin(ON_CPU, 1);
    FiloEntity ship = box_at(&stage, 0, 0, (FiloSprite){ 0 }), gun = box_at(&stage, 4, 0, (FiloSprite){ 0 });
    assert_true(filo_entity_set_parent(stage.world, gun, ship));
    for (int i = 0; i < 50; i++) box_at(&stage, (float)i, 20, (FiloSprite){ 0 });
    for (int i = 0; i < 3; i++) assert_ok(filo_world_tick(stage.world, 0.1f));
    for (int i = 0; i < 3; i++) extract(&stage);
    assert_int_equal(stats(&stage).rebuilt, 0);
    filo_entity_set_active(stage.world, ship, false);
    extract(&stage);
    assert_int_equal(stats(&stage).visible, 50);
    assert_int_equal(stats(&stage).rebuilt, 1); // the gun
    for (int i = 0; i < 3; i++) extract(&stage);
    assert_int_equal(stats(&stage).rebuilt, 0);
    assert_int_equal(stats(&stage).visible, 50);
    stage_end(&stage);
}

FILO_TEST(concealing_in_a_steady_frame_allocates_nothing) {
    if (!FILO_TEST_COUNTS_MALLOC) skip();
    Stage stage = stage_begin(ON_CPU, 1);
    FiloEntity ship = box_at(&stage, 0, 0, (FiloSprite){ 0 }), gun = box_at(&stage, 4, 0, (FiloSprite){ 0 });
    assert_true(filo_entity_set_parent(stage.world, gun, ship));
    uint64_t before = 0;
    for (int i = 0; i < 30; i++) {
        if (i == 20) before = filo_test_malloc_calls();
        filo_entity_set_active(stage.world, ship, i % 2 == 0);
        extract(&stage);
        render(&stage);
    }
    assert_int_equal(filo_test_malloc_calls(), before);
    stage_end(&stage);
}

// ---- Misuse -------------------------------------------------------------------------------------------------

FILO_TEST(mistakes_are_reported) {
    only_in_debug_builds();
    Stage stage = stage_begin(ON_CPU, 1);
    expect_fault("extract before you render", filo_gfx2d_render(stage.gfx));
    expect_fault("a picture of 0 × 5",
                 filo_gfx2d_extract(stage.gfx, &(FiloExtract){ .width = 0, .height = 5 }));
    FiloPixels pixels;
    assert_error(filo_gfx2d_pixels(stage.gfx, &pixels), FILO_ERROR_NOT_FOUND, "nothing has been drawn yet");
    assert_null(pixels.data);
    filo_create(stage.world, FILO_ADD(FiloTransform2), FILO_SET(FiloCamera, .target = 3));
    expect_fault("target 3, which does not exist", extract(&stage));
    FiloGfx2d *gfx;
    expect_mistake("a description with a world", filo_gfx2d_create(&gfx, &(FiloGfx2dDesc){ 0 }));
    stage_end(&stage);
}
