// Extraction: culling, order, cached parts, and the quads of the packet.

#include "support/malloc_count.h"

#include "gfx2d/fixture.h"

#include <filo/log.h>
#include <filo/snapshot.h>

#include <math.h>

#include "gfx2d/renderer.h"

static FiloEntity box_at(Fixture *fixture, float x, float y, FiloSprite sprite) {
    FiloTransform2 transform = { .position = { x, y } };
    FiloComponentValue with[] = { { .component_type = filo_type_FiloTransform2, .value = &transform },
                                  { .component_type = filo_type_FiloSprite, .value = &sprite } };
    FiloEntity entity = filo_entity_create_with(fixture->world, with, FILO_COUNT_OF(with));
    assert_true(entity.id != 0);
    return entity;
}

static void tick(Fixture *fixture) { assert_ok(filo_world_tick(fixture->world, 1.0f / 60)); }

// A quad that was left empty by a sprite that is not visible.
static bool is_empty(const FiloQuad *quad) {
    static const FiloQuad empty;
    return memcmp(quad, &empty, sizeof empty) == 0;
}

// The x of all quads of the first view, without empty ones, as a text: "1 2 3".
static const char *order_of(const Fixture *fixture) {
    static char text[4096];
    const Gfx2dView *view = &fixture->gfx->views.items[0];
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < view->quad_count && length + 16 < sizeof text; i++)
        if (!is_empty(&view->quads[i]))
            length += (size_t)snprintf(text + length, sizeof text - length, length > 0 ? " %g" : "%g",
                                       (double)view->quads[i].x);
    return text;
}

// ---- Culling ----------------------------------------------------------------------------------------------

FILO_TEST(what_touches_the_picture_is_drawn_and_what_does_not_is_not) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    // The picture is 128 × 96 about the origin; boxes are 1 × 1.
    const float in = 0.49f, out = 0.5f;
    box_at(&fixture, WIDTH / 2 + in, 0, (FiloSprite){ 0 });
    box_at(&fixture, -WIDTH / 2 - in, 0, (FiloSprite){ 0 });
    box_at(&fixture, 0, HEIGHT / 2 + in, (FiloSprite){ 0 });
    box_at(&fixture, 0, -HEIGHT / 2 - in, (FiloSprite){ 0 });
    extract(&fixture);
    assert_int_equal(stats(&fixture).visible, 4);
    box_at(&fixture, WIDTH / 2 + out, 0, (FiloSprite){ 0 });
    box_at(&fixture, -WIDTH / 2 - out, 0, (FiloSprite){ 0 });
    box_at(&fixture, 0, HEIGHT / 2 + out, (FiloSprite){ 0 });
    box_at(&fixture, 0, -HEIGHT / 2 - out, (FiloSprite){ 0 });
    box_at(&fixture, (float)NAN, 0, (FiloSprite){ 0 });
    for (int i = 0; i < 4; i++) { // in all modes of parts
        extract(&fixture);
        assert_int_equal(stats(&fixture).visible, 4);
        assert_int_equal(stats(&fixture).sprites, 9);
    }
    fixture_end(&fixture);
}

FILO_TEST(only_visible_quads_of_cached_parts_are_drawn) {
    const FiloVec2 outside[] = { { WIDTH, 0 }, { -WIDTH, 0 }, { 0, HEIGHT }, { 0, -HEIGHT } };
    for (size_t i = 0; i < FILO_COUNT_OF(outside); i++) {
        for (int layers = 1; layers <= 2; layers++) {
            Fixture fixture = fixture_begin(ON_CPU, 1);
            box_at(&fixture, 1, 0, (FiloSprite){ 0 });
            box_at(&fixture, outside[i].x, outside[i].y, (FiloSprite){ .layer = (uint8_t)(layers - 1) });
            for (int n = 0; n < 4; n++) {
                extract(&fixture);
                assert_int_equal(stats(&fixture).visible, 1);
                assert_string_equal(order_of(&fixture), "1");
            }
            assert_int_equal(stats(&fixture).rebuilt, 0);
            fixture_end(&fixture);
        }
    }
}

FILO_TEST(a_rotated_sprite_reaches_as_far_as_its_corners) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    FiloEntity rotated = box_at(&fixture, WIDTH / 2 + 0.6f, 0, (FiloSprite){ 0 });
    extract(&fixture);
    assert_int_equal(stats(&fixture).visible, 0);
    filo_edit(fixture.world, rotated, FiloTransform2)->rotation = FILO_PI / 4;
    extract(&fixture);
    assert_int_equal(stats(&fixture).visible, 1);
    fixture_end(&fixture);
}

FILO_TEST(hidden_sprites_and_inactive_entities_are_not_drawn) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    FiloEntity a = box_at(&fixture, 1, 0, (FiloSprite){ 0 });
    FiloEntity b = box_at(&fixture, 2, 0, (FiloSprite){ 0 });
    box_at(&fixture, 3, 0, (FiloSprite){ .flags = FILO_SPRITE_HIDDEN });
    extract(&fixture);
    assert_string_equal(order_of(&fixture), "1 2");
    filo_entity_set_active(fixture.world, a, false);
    extract(&fixture);
    assert_string_equal(order_of(&fixture), "2");
    filo_edit(fixture.world, b, FiloSprite)->flags = FILO_SPRITE_HIDDEN;
    extract(&fixture);
    assert_string_equal(order_of(&fixture), "");
    assert_int_equal(stats(&fixture).visible, 0);
    fixture_end(&fixture);
}

// ---- Order ------------------------------------------------------------------------------------------------

static void shuffled(Fixture *fixture) {
    box_at(fixture, 1, 0, (FiloSprite){ .layer = 2 });
    box_at(fixture, 2, 0, (FiloSprite){ .layer = 0, .order = 5 });
    box_at(fixture, 3, 0, (FiloSprite){ .layer = 0, .order = -5 });
    box_at(fixture, 4, 0, (FiloSprite){ .layer = 2 });
    box_at(fixture, 5, 0, (FiloSprite){ .layer = 0 });
    box_at(fixture, 6, 0, (FiloSprite){ .layer = 255, .order = -32768 });
    box_at(fixture, 7, 0, (FiloSprite){ .layer = 2, .order = 32767 });
    FiloEntity other = box_at(fixture, 8, 0, (FiloSprite){ .layer = 2 }); // in another table
    filo_add(fixture->world, other, FiloAnimation);
}

FILO_TEST(sprites_are_drawn_by_layer_then_order_then_in_the_order_of_the_world) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    shuffled(&fixture);
    for (int i = 0; i < 4; i++) {
        extract(&fixture);
        assert_string_equal(order_of(&fixture), "3 5 2 1 4 8 7 6");
    }
    fixture_end(&fixture);
}

FILO_TEST(a_sprite_that_changes_its_layer_is_drawn_there_in_the_next_frame) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    FiloEntity first = box_at(&fixture, 1, 0, (FiloSprite){ 0 });
    box_at(&fixture, 2, 0, (FiloSprite){ 0 });
    box_at(&fixture, 3, 0, (FiloSprite){ .layer = 2 });
    for (int i = 0; i < 6; i++) { // cached, or built while it moves
        if (i % 2 == 0) filo_edit(fixture.world, first, FiloTransform2)->position.y = (float)i;
        filo_edit(fixture.world, first, FiloSprite)->layer = 0;
        extract(&fixture);
        assert_string_equal(order_of(&fixture), "1 2 3");
        filo_edit(fixture.world, first, FiloSprite)->layer = 1; // a layer that was not there
        extract(&fixture);
        assert_string_equal(order_of(&fixture), "2 1 3");
        filo_edit(fixture.world, first, FiloSprite)->layer = 2;
        extract(&fixture);
        assert_string_equal(order_of(&fixture), "2 1 3");
    }
    fixture_end(&fixture);
}

FILO_TEST(very_many_keys_are_sorted_too) {
    Fixture fixture = fixture_begin(ON_CPU, 4);
    for (int i = 0; i < 3000; i++)
        box_at(&fixture, (float)(i % 100), 0, (FiloSprite){ .order = (int16_t)(3000 - i * 7 % 3001) });
    for (int round = 0; round < 3; round++) {
        extract(&fixture);
        const Gfx2dView *view = &fixture.gfx->views.items[0];
        assert_int_equal(stats(&fixture).visible, 65 * 30); // x below 64.5
        // Thirty sprites have the same x, so a quad does not tell which it is; but orders must ascend.
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
        assert_int_equal(fixture.gfx->parts.items[0]->unsorted, true);
    }
    fixture_end(&fixture);
}

FILO_TEST(in_a_layer_sorted_by_y_what_is_lower_is_drawn_later) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    box_at(&fixture, 1, 5, (FiloSprite){ .layer = 3 });
    box_at(&fixture, 2, -5, (FiloSprite){ .layer = 3, .order = -100 });
    box_at(&fixture, 3, 0, (FiloSprite){ .layer = 3 });
    box_at(&fixture, 4, -100, (FiloSprite){ .layer = 3 }); // not visible
    box_at(&fixture, 5, 40, (FiloSprite){ .layer = 2 });
    box_at(&fixture, 6, -40, (FiloSprite){ .layer = 2 });
    box_at(&fixture, 7, 0,
           (FiloSprite){ .layer = 3, .pivot = { 0, 0.5f } }); // by its position, not its centre
    box_at(&fixture, 8, 0.01f, (FiloSprite){ .layer = 3 });
    extract(&fixture);
    assert_string_equal(order_of(&fixture), "5 6 2 1 3 7 8");
    filo_gfx2d_sort_layer_by_y(fixture.gfx, 3, true);
    for (int i = 0; i < 3; i++) {
        extract(&fixture);
        assert_string_equal(order_of(&fixture), "5 6 1 8 3 7 2");
    }
    filo_gfx2d_sort_layer_by_y(fixture.gfx, 3, false);
    extract(&fixture);
    assert_string_equal(order_of(&fixture), "5 6 2 1 3 7 8");
    fixture_end(&fixture);
}

// Many tables, layers and orders, moving and not, must give the same packet on any number of threads.
static void crowd(Fixture *fixture, uint64_t seed) {
    FiloRandom random = filo_random_sequence(seed);
    for (int i = 0; i < 6000; i++) {
        FiloSprite sprite = { .layer = (uint8_t)filo_random_below(&random, 5) };
        sprite.order = (int16_t)filo_random_below(&random, 3);
        float x = filo_random_float_range(&random, -80, 80), y = filo_random_float_range(&random, -60, 60);
        FiloEntity entity = box_at(fixture, x, y, sprite);
        if (i % 3 == 0) filo_add(fixture->world, entity, FiloAnimation);
        if (i % 5 == 0) filo_add(fixture->world, entity, FiloPreviousTransform2);
    }
}

FILO_TEST(one_and_eight_threads_make_the_same_packet) {
    FiloQuad *first = NULL;
    size_t count = 0;
    for (int threads = 1; threads <= 8; threads *= 8) {
        Fixture fixture = fixture_begin(ON_CPU, threads);
        crowd(&fixture, 3);
        for (int i = 0; i < 3; i++) extract_blended(&fixture, 0.5f);
        const Gfx2dView *view = &fixture.gfx->views.items[0];
        if (threads == 1) {
            count = view->quad_count;
            first = malloc(count * sizeof *first);
            memcpy(first, view->quads, count * sizeof *first);
        } else {
            assert_int_equal(view->quad_count, count);
            assert_memory_equal(view->quads, first, count * sizeof *first);
        }
        fixture_end(&fixture);
    }
    free(first);
}

// ---- Cached parts -------------------------------------------------------------------------------------------

// A new renderer of the same world must show the same, whatever the first one has cached.
static void assert_like_new(Fixture *fixture, float blend) {
    Fixture other = *fixture;
    assert_ok(filo_gfx2d_create(&other.gfx, &(FiloGfx2dDesc){ .world = fixture->world }));
    extract_blended(fixture, blend);
    extract_blended(&other, blend);
    const Gfx2dView *a = &fixture->gfx->views.items[0], *b = &other.gfx->views.items[0];
    size_t k = 0;
    for (size_t i = 0; i < a->quad_count; i++) {
        if (is_empty(&a->quads[i])) continue;
        while (k < b->quad_count && is_empty(&b->quads[k])) k++;
        assert_true(k < b->quad_count);
        assert_memory_equal(&a->quads[i], &b->quads[k++], sizeof(FiloQuad));
    }
    while (k < b->quad_count) assert_true(is_empty(&b->quads[k++]));
    assert_int_equal(stats(fixture).visible, stats(&other).visible);
    filo_gfx2d_destroy(other.gfx);
}

FILO_TEST(what_has_not_changed_is_not_rebuilt) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    FiloEntity moved = box_at(&fixture, 1, 1, (FiloSprite){ 0 });
    for (int i = 0; i < 99; i++) box_at(&fixture, (float)i, 0, (FiloSprite){ 0 });
    FiloEntity elsewhere = box_at(&fixture, 5, 5, (FiloSprite){ 0 });
    filo_add(fixture.world, elsewhere, FiloAnimation);
    extract(&fixture);
    assert_int_equal(stats(&fixture).rebuilt, 101);
    extract(&fixture); // now all of it is built, to be cached
    extract(&fixture);
    assert_int_equal(stats(&fixture).rebuilt, 0);
    assert_int_equal(stats(&fixture).visible, 66 + 1);
    filo_edit(fixture.world, elsewhere, FiloSprite)->color = FILO_COLOR_RED;
    extract(&fixture);
    assert_int_equal(stats(&fixture).rebuilt, 1);
    filo_edit(fixture.world, moved, FiloTransform2)->position.y = 2;
    extract(&fixture);
    assert_int_equal(stats(&fixture).rebuilt, 101); // and the other, in full
    extract(&fixture);
    extract(&fixture);
    assert_int_equal(stats(&fixture).rebuilt, 0);
    assert_like_new(&fixture, 1);
    fixture_end(&fixture);
}

FILO_TEST(cached_parts_are_right_after_all_kinds_of_changes) {
    Fixture fixture = fixture_begin(ON_CPU, 2);
    crowd(&fixture, 11);
    FiloRandom random = filo_random_sequence(5);
    FiloEntity camera = filo_create(fixture.world, FILO_ADD(FiloTransform2), FILO_ADD(FiloCamera));
    for (int round = 0; round < 60; round++) {
        if (round % 4 == 0) tick(&fixture);
        for (int n = 0; n < (round % 3) * 4; n++) {
            FiloEntity entity = filo_entity_at(fixture.world, filo_random_below(&random, 6000));
            if (entity.id == 0 || entity.id == camera.id || !filo_has(fixture.world, entity, FiloSprite))
                continue;
            switch (filo_random_below(&random, 8)) {
            case 0: filo_entity_destroy(fixture.world, entity); break;
            case 1: filo_add(fixture.world, entity, FiloAnimation); break;
            case 2: filo_remove(fixture.world, entity, FiloAnimation); break;
            case 3: filo_edit(fixture.world, entity, FiloTransform2)->position.x += 3; break;
            case 4: filo_edit(fixture.world, entity, FiloSprite)->layer = 4; break;
            case 5: filo_entity_set_active(fixture.world, entity, false); break;
            case 6: filo_edit(fixture.world, entity, FiloTransform2)->rotation += 1; break;
            default:
                box_at(&fixture, filo_random_float_range(&random, -70, 70), 0, (FiloSprite){ .layer = 1 });
            }
        }
        if (round % 7 == 3) filo_edit(fixture.world, camera, FiloTransform2)->position.x += 5;
        extract_blended(&fixture, 0.25f);
        extract_blended(&fixture, 0.75f);
        assert_like_new(&fixture, 0.5f);
    }
    fixture_end(&fixture);
}

FILO_TEST(parts_of_chunks_that_go_are_reused) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    static FiloEntity boxes[12000];
    for (size_t round = 0; round < 3; round++) {
        for (size_t i = 10; i < FILO_COUNT_OF(boxes) && (round > 0 || i < 10000); i++)
            boxes[i] = box_at(&fixture, (float)(i % 50), 0, (FiloSprite){ .layer = (uint8_t)round });
        for (size_t i = 0; i < 10 && round == 0; i++) boxes[i] = box_at(&fixture, 1, 0, (FiloSprite){ 0 });
        for (int n = 0; n < 3; n++) extract(&fixture);
        assert_int_equal(stats(&fixture).rebuilt, 0);
        size_t parts = fixture.gfx->part_count;
        assert_true(parts >= 3 && parts == fixture.gfx->parts.count);
        assert_true(round < 2 || fixture.gfx->spare_parts.count == 0); // they were reused
        for (size_t i = FILO_COUNT_OF(boxes); i-- > 10;)
            if (filo_entity_exists(fixture.world, boxes[i])) filo_entity_destroy(fixture.world, boxes[i]);
        extract(&fixture);
        assert_int_equal(stats(&fixture).visible, 10);
        assert_int_equal(fixture.gfx->part_count, 1);
        assert_int_equal(fixture.gfx->spare_parts.count, parts - 1);
        for (size_t i = 0; i < fixture.gfx->part_by_chunk.count; i++)
            if (fixture.gfx->part_by_chunk.items[i] != NULL)
                assert_ptr_equal(fixture.gfx->part_by_chunk.items[i], fixture.gfx->parts.items[0]);
    }
    fixture_end(&fixture);
}

FILO_TEST(a_snapshot_that_is_restored_is_seen) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    FiloEntity entity = box_at(&fixture, 1, 0, (FiloSprite){ 0 });
    for (int i = 0; i < 3; i++) extract(&fixture);
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(snapshot, fixture.world));
    filo_edit(fixture.world, entity, FiloTransform2)->position.x = 9;
    for (int i = 0; i < 3; i++) extract(&fixture);
    assert_string_equal(order_of(&fixture), "9");
    assert_ok(filo_snapshot_restore(snapshot, fixture.world));
    extract(&fixture);
    assert_string_equal(order_of(&fixture), "1");
    filo_snapshot_destroy(snapshot);
    fixture_end(&fixture);
}

// ---- Between ticks --------------------------------------------------------------------------------------------

FILO_TEST(positions_are_blended_between_the_last_two_ticks) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    FiloEntity entity = box_at(&fixture, 0, 0, (FiloSprite){ 0 });
    tick(&fixture);
    tick(&fixture);
    filo_edit(fixture.world, entity, FiloTransform2)->position.x = 8;
    const FiloQuad *quad;
    const float blends[] = { 0, 0.25f, 0.5f, 1 };
    for (size_t i = 0; i < FILO_COUNT_OF(blends); i++) {
        extract_blended(&fixture, blends[i]);
        quad = &fixture.gfx->views.items[0].quads[0];
        assert_float_equal(quad->x, 8 * blends[i], 1e-5);
    }
    // It is at rest; from now on it is cached.
    tick(&fixture);
    for (int i = 0; i < 3; i++) extract_blended(&fixture, 0.5f);
    assert_int_equal(stats(&fixture).rebuilt, 0);
    assert_string_equal(order_of(&fixture), "8");
    // A teleport is not blended.
    filo_edit(fixture.world, entity, FiloTransform2)->position.x = 20;
    filo_edit(fixture.world, entity, FiloPreviousTransform2)->valid = false;
    extract_blended(&fixture, 0.5f);
    assert_string_equal(order_of(&fixture), "20");
    fixture_end(&fixture);
}

FILO_TEST(angles_are_blended_along_the_shorter_arc_and_scales_too) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    FiloEntity entity = box_at(&fixture, 0, 0, (FiloSprite){ 0 });
    filo_edit(fixture.world, entity, FiloTransform2)->rotation = FILO_PI - 0.2f;
    tick(&fixture);
    tick(&fixture);
    filo_edit(fixture.world, entity, FiloTransform2)->rotation = -FILO_PI + 0.2f;
    filo_edit(fixture.world, entity, FiloTransform2)->scale =
        filo_vec2(3, 3); // from 0, 0, which counts as 1, 1
    extract_blended(&fixture, 0.5f);
    const FiloQuad *quad = &fixture.gfx->views.items[0].quads[0];
    assert_float_equal(quad->ax, -1, 1e-5); // half a turn, twice the size
    assert_float_equal(quad->ay, 0, 1e-5);
    fixture_end(&fixture);
}

FILO_TEST(children_are_where_their_parents_are) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    FiloEntity parent = box_at(&fixture, 10, 0, (FiloSprite){ 0 });
    FiloEntity child = box_at(&fixture, 4, 0, (FiloSprite){ 0 });
    assert_true(filo_entity_set_parent(fixture.world, child, parent));
    filo_edit(fixture.world, parent, FiloTransform2)->rotation = FILO_HALF_PI;
    tick(&fixture);
    tick(&fixture);
    extract(&fixture);
    assert_string_equal(order_of(&fixture), "10 10");
    assert_float_equal(fixture.gfx->views.items[0].quads[1].y, 4, 1e-5);
    filo_edit(fixture.world, parent, FiloTransform2)->position.x = 20;
    tick(&fixture);
    extract_blended(&fixture, 0.5f);
    assert_string_equal(order_of(&fixture), "15 15");
    fixture_end(&fixture);
}

FILO_TEST(a_world_transform_that_is_not_valid_yet_does_not_hide_the_sprite) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    FiloEntity entity = box_at(&fixture, 3, 0, (FiloSprite){ 0 });
    filo_add(fixture.world, entity, FiloWorldTransform2);
    extract_blended(&fixture, 0.5f);
    assert_string_equal(order_of(&fixture), "3");
    fixture_end(&fixture);
}

FILO_TEST(children_are_at_their_parents_right_after_a_restore) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    FiloEntity parent = box_at(&fixture, 10, 0, (FiloSprite){ 0 });
    FiloEntity child = box_at(&fixture, 5, 0, (FiloSprite){ 0 });
    filo_entity_set_parent(fixture.world, child, parent);
    tick(&fixture);
    tick(&fixture);
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(snapshot, fixture.world));
    filo_edit(fixture.world, parent, FiloTransform2)->position.x = 100;
    tick(&fixture);
    assert_ok(filo_snapshot_restore(snapshot, fixture.world)); // and no tick after it
    extract_blended(&fixture, 0.5f);
    assert_string_equal(order_of(&fixture), "10 15");
    filo_snapshot_destroy(snapshot);
    fixture_end(&fixture);
}

// ---- Frames -------------------------------------------------------------------------------------------------

FILO_TEST(pivots_flips_and_pixels_per_unit_position_the_image) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    filo_gfx2d_destroy(fixture.gfx);
    assert_ok(
        filo_gfx2d_create(&fixture.gfx, &(FiloGfx2dDesc){ .world = fixture.world, .pixels_per_unit = 4 }));
    FiloName image = add_plain(fixture.gfx, "plain", 8, 16, FILO_COLOR_WHITE); // 2 × 4 units
    box_at(&fixture, 1, 1, (FiloSprite){ .image = image, .pivot = { -0.5f, -0.5f } });
    extract(&fixture);
    FiloQuad quad = fixture.gfx->views.items[0].quads[0];
    assert_float_equal(quad.x, 2, 1e-6); // the position is its lower left corner
    assert_float_equal(quad.y, 3, 1e-6);
    assert_float_equal(quad.ax, 1, 1e-6);
    assert_float_equal(quad.by, 2, 1e-6);
    assert_int_equal(quad.u1 - quad.u0, 8);
    assert_int_equal(quad.v1 - quad.v0, 16);
    FiloRect visible = filo_gfx2d_visible(fixture.gfx, FILO_ENTITY_NONE);
    assert_float_equal(visible.max.x - visible.min.x, WIDTH / 4.0, 1e-4);
    fixture_end(&fixture);
}

// ---- Memory -------------------------------------------------------------------------------------------------

FILO_TEST(a_steady_frame_allocates_nothing) {
    if (!FILO_TEST_COUNTS_MALLOC) skip();
    Fixture fixture = fixture_begin(ON_CPU, 2);
    crowd(&fixture, 9);
    filo_gfx2d_sort_layer_by_y(fixture.gfx, 1, true);
    FiloEntity first = filo_entity_at(fixture.world, 0);
    FiloTestSteady steady = { 0 };
    while (filo_test_unsteady(&steady, 20)) {
        filo_edit(fixture.world, first, FiloTransform2)->position.x = (float)(steady.turn % 5);
        tick(&fixture);
        extract_blended(&fixture, 0.5f);
        filo_draw_circle(filo_gfx2d_draw(fixture.gfx), filo_vec2(5, 5), 4, FILO_COLOR_RED);
        render(&fixture);
    }
    fixture_end(&fixture);
}

static void without_memory(Backend backend) {
    Fixture fixture = fixture_begin(backend, 2);
    crowd(&fixture, 2);
    filo_gfx2d_destroy(fixture.gfx);
    fixture.gfx = NULL;
    int created = 0;
    for (int allowed = 0; allowed < 90; allowed++) {
        LimitedAllocator limited;
        limited_init(&limited, allowed);
        FiloResult result = filo_gfx2d_create(
            &fixture.gfx,
            &(FiloGfx2dDesc){ .world = fixture.world, .gpu = fixture.gpu, .allocator = &limited.allocator });
        if (result.code == FILO_OK) {
            created++;
            for (int i = 0; i < 3; i++) {
                extract(&fixture);
                render(&fixture);
                assert_true(stats(&fixture).visible <= 6000);
            }
            limited.left = 10000; // with memory again, everything is drawn
            for (int i = 0; i < 3; i++) extract(&fixture);
            if (backend == ON_CPU) assert_like_new(&fixture, 1);
            filo_gfx2d_destroy(fixture.gfx);
            if (fixture.gpu != NULL) filo_gpu_end_frame(fixture.gpu);
        } else {
            assert_int_equal(result.code, FILO_ERROR_MEMORY);
            assert_null(fixture.gfx);
        }
        assert_int_equal(limited.used, 0);
    }
    assert_true(created > 10);
    fixture.gfx = NULL;
    fixture_end(&fixture);
}

FILO_TEST(without_memory_something_is_missing_and_nothing_breaks) { without_memory(ON_CPU); }
FILO_TEST(without_memory_on_the_gpu_nothing_breaks_either) { without_memory(ON_NULL); }

FILO_TEST(a_picture_that_is_too_large_is_clamped_and_that_is_no_mistake) {
    assert_ok(filo_log_set_filter(FILO_LOG_TERMINAL, "off"));
    Fixture fixture = fixture_begin(ON_NULL, 1);
    filo_gfx2d_extract(fixture.gfx, &(FiloExtract){ .width = 32767, .height = 5 });
    FiloVec2 size = filo_draw_size(filo_gfx2d_draw(fixture.gfx));
    assert_float_equal(size.x, FILO_PIXELS_MAX, 0);
    assert_float_equal(size.y, 5, 0);
    render(&fixture);
    fixture_end(&fixture);
}

// ---- Below an inactive entity -----------------------------------------------------------------------------------

static size_t visible_after(Fixture *fixture) {
    extract_blended(fixture, 0.5f);
    size_t visible = stats(fixture).visible;
    render(fixture);
    return visible;
}

static void conceal(bool sorted, bool with_ticks, int threads) {
    Fixture fixture = fixture_begin(ON_CPU, threads);
    if (sorted) filo_gfx2d_sort_layer_by_y(fixture.gfx, 0, true);
    FiloEntity group = filo_entity_create(fixture.world); // without a transform
    FiloEntity ship = box_at(&fixture, 0, 0, (FiloSprite){ 0 });
    FiloEntity turret = box_at(&fixture, 4, 0, (FiloSprite){ 0 });
    FiloEntity gun = box_at(&fixture, 4, 0, (FiloSprite){ .layer = 3 });
    for (int i = 0; i < 5; i++) box_at(&fixture, (float)i, 20, (FiloSprite){ 0 }); // of no family
    assert_true(filo_entity_set_parent(fixture.world, ship, group));
    assert_true(filo_entity_set_parent(fixture.world, turret, ship));
    assert_true(filo_entity_set_parent(fixture.world, gun, turret));
    FiloEntity parents[] = { group, ship, turret };
    size_t drawn[] = { 5, 5, 6 };
    for (int n = 0; n < 4; n++) { // cached parts, moving parts, parts that just became visible
        if (with_ticks) assert_ok(filo_world_tick(fixture.world, 0.1f));
        assert_int_equal(visible_after(&fixture), 8);
        for (size_t i = 0; i < 3; i++) {
            filo_entity_set_active(fixture.world, parents[i], false);
            assert_int_equal(visible_after(&fixture), drawn[i]);
            if (with_ticks) assert_ok(filo_world_tick(fixture.world, 0.1f));
            for (int k = 0; k < 3; k++) assert_int_equal(visible_after(&fixture), drawn[i]);
            filo_entity_set_active(fixture.world, parents[i], true);
            assert_int_equal(visible_after(&fixture), 8);
        }
        // Two inactive entities: one becomes active again, and the other still conceals.
        filo_entity_set_active(fixture.world, group, false);
        filo_entity_set_active(fixture.world, turret, false);
        assert_int_equal(visible_after(&fixture), 5);
        filo_entity_set_active(fixture.world, group, true);
        assert_int_equal(visible_after(&fixture), 6);
        filo_entity_set_active(fixture.world, turret, true);
    }
    // An entity that leaves the family is drawn.
    filo_entity_set_active(fixture.world, ship, false);
    assert_int_equal(visible_after(&fixture), 5);
    assert_true(filo_entity_set_parent(fixture.world, turret, FILO_ENTITY_NONE));
    assert_int_equal(visible_after(&fixture), 7);
    fixture_end(&fixture);
}

FILO_TEST(what_is_below_an_inactive_entity_is_not_drawn) {
    for (int i = 0; i < 8; i++) conceal((i & 1) != 0, (i & 2) != 0, (i & 4) != 0 ? 4 : 1);
}

FILO_TEST(a_camera_below_an_inactive_entity_is_not_used) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    FiloEntity cart = box_at(&fixture, 500, 0, (FiloSprite){ 0 });
    FiloEntity eye = filo_create(fixture.world, FILO_ADD(FiloCamera));
    assert_true(filo_entity_set_parent(fixture.world, eye, cart));
    assert_ok(filo_world_tick(fixture.world, 0.1f));
    extract(&fixture);
    assert_int_equal(fixture.gfx->views.items[0].camera.id, eye.id);
    filo_entity_set_active(fixture.world, cart, false);
    extract(&fixture);
    assert_int_equal(fixture.gfx->views.count, 1);
    assert_int_equal(fixture.gfx->views.items[0].camera.id, 0);
    fixture_end(&fixture);
}

FILO_TEST(sprites_that_are_not_below_an_inactive_entity_stay_cached) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    FiloEntity ship = box_at(&fixture, 0, 0, (FiloSprite){ 0 }),
               gun = box_at(&fixture, 4, 0, (FiloSprite){ 0 });
    assert_true(filo_entity_set_parent(fixture.world, gun, ship));
    for (int i = 0; i < 50; i++) box_at(&fixture, (float)i, 20, (FiloSprite){ 0 });
    for (int i = 0; i < 3; i++) assert_ok(filo_world_tick(fixture.world, 0.1f));
    for (int i = 0; i < 3; i++) extract(&fixture);
    assert_int_equal(stats(&fixture).rebuilt, 0);
    filo_entity_set_active(fixture.world, ship, false);
    extract(&fixture);
    assert_int_equal(stats(&fixture).visible, 50);
    assert_int_equal(stats(&fixture).rebuilt, 1); // the gun
    for (int i = 0; i < 3; i++) extract(&fixture);
    assert_int_equal(stats(&fixture).rebuilt, 0);
    assert_int_equal(stats(&fixture).visible, 50);
    fixture_end(&fixture);
}

FILO_TEST(concealing_in_a_steady_frame_allocates_nothing) {
    if (!FILO_TEST_COUNTS_MALLOC) skip();
    Fixture fixture = fixture_begin(ON_CPU, 1);
    FiloEntity ship = box_at(&fixture, 0, 0, (FiloSprite){ 0 }),
               gun = box_at(&fixture, 4, 0, (FiloSprite){ 0 });
    assert_true(filo_entity_set_parent(fixture.world, gun, ship));
    uint64_t before = 0;
    for (int i = 0; i < 30; i++) {
        if (i == 20) before = filo_test_malloc_calls();
        filo_entity_set_active(fixture.world, ship, i % 2 == 0);
        extract(&fixture);
        render(&fixture);
    }
    assert_int_equal(filo_test_malloc_calls(), before);
    fixture_end(&fixture);
}

// ---- Misuse -------------------------------------------------------------------------------------------------

FILO_TEST(mistakes_are_reported) {
    only_in_debug_builds();
    Fixture fixture = fixture_begin(ON_CPU, 1);
    expect_fault("extract before you render", filo_gfx2d_render(fixture.gfx));
    expect_fault("a picture of 0 × 5",
                 filo_gfx2d_extract(fixture.gfx, &(FiloExtract){ .width = 0, .height = 5 }));
    FiloPixels pixels;
    assert_error(filo_gfx2d_pixels(fixture.gfx, &pixels), FILO_ERROR_NOT_FOUND, "nothing has been drawn yet");
    assert_null(pixels.data);
    filo_create(fixture.world, FILO_ADD(FiloTransform2), FILO_SET(FiloCamera, .target = 3));
    expect_fault("target 3, which does not exist", extract(&fixture));
    FiloGfx2d *gfx;
    expect_mistake("a description with a world", filo_gfx2d_create(&gfx, &(FiloGfx2dDesc){ 0 }));
    fixture_end(&fixture);
}
