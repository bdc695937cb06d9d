// Texts of the world: where they are, what they are sorted with, and what is painted again.

#include "support/malloc_count.h"
#include "text/draw_fixture.h"

#include <filo/transform.h>

static Fixture open_world(int threads) {
    Fixture f = fixture_open((FixtureDesc){ .threads = threads, .width = 160, .height = 120 });
    add_font(&f, "DejaVuSans.ttf");
    return f;
}

static FiloEntity text_at(Fixture *f, float x, float y, const char *text, float size) {
    FiloText component = { .font = filo_name("DejaVuSans.ttf"),
                           .size = size,
                           .align = FILO_TEXT_CENTRE,
                           .vertical = FILO_TEXT_MIDDLE };
    (void)snprintf(component.text, sizeof component.text, "%s", text);
    FiloTransform2 transform = { .position = { x, y } };
    FiloComponentValue with[] = { { .component_type = filo_type_FiloTransform2, .value = &transform },
                                  { .component_type = filo_type_FiloText, .value = &component } };
    FiloEntity entity = filo_entity_create_with(f->world, with, FILO_COUNT_OF(with));
    assert_true(entity.id != 0);
    return entity;
}

static FiloRect lit_rect(FiloPixels p) {
    FiloRect r = { { 1e6f, 1e6f }, { -1, -1 } };
    for (int y = 0; y < p.height; y++)
        for (int x = 0; x < p.width; x++)
            if (filo_pixels_at(&p, x, y)->r > 60) {
                r.min = filo_vec2(filo_min(r.min.x, (float)x), filo_min(r.min.y, (float)y));
                r.max = filo_vec2(filo_max(r.max.x, (float)x + 1), filo_max(r.max.y, (float)y + 1));
            }
    return r;
}

static FiloRect lit(Fixture *f) { return lit_rect(picture_of(f, NULL)); }
static FiloVec2 centre(Fixture *f) { return filo_rect_centre(lit(f)); }
static void tick(Fixture *f) { assert_ok(filo_world_tick(f->world, 1.0f / 60)); }
static size_t rebuilt(const Fixture *f) { return filo_text_glyph_stats(f->setter).rebuilt; }

#define assert_near(a, b, tolerance) assert_true(filo_abs((a) - (b)) <= (tolerance))

FILO_TEST(a_text_is_at_its_transform) {
    Fixture f = open_world(1);
    FiloEntity e = text_at(&f, 0, 0, "HH", 20);
    FiloRect upright = lit(&f);
    assert_near(filo_rect_centre(upright).x, 80, 2);
    assert_near(filo_rect_centre(upright).y, 60, 3);
    filo_edit(f.world, e, FiloTransform2)->position = filo_vec2(30, 20);
    assert_near(centre(&f).x, 110, 2);
    assert_near(centre(&f).y, 40, 3);
    filo_edit(f.world, e, FiloTransform2)->rotation = FILO_HALF_PI;
    FiloVec2 turned = filo_rect_size(lit(&f));
    assert_near(turned.x, filo_rect_size(upright).y, 1.5f);
    assert_near(turned.y, filo_rect_size(upright).x, 1.5f);
    filo_edit(f.world, e, FiloTransform2)->rotation = 0;
    filo_edit(f.world, e, FiloTransform2)->scale = filo_vec2(2, 2);
    assert_near(filo_rect_size(lit(&f)).x, 2 * filo_rect_size(upright).x, 2);
    fixture_close(&f);
}

FILO_TEST(texts_follow_their_parents_and_hide_with_them) {
    Fixture f = open_world(1);
    FiloEntity parent = filo_create(f.world, FILO_SET(FiloTransform2, .position = { 20, 0 }));
    FiloEntity e = text_at(&f, 10, 0, "HH", 16);
    assert_true(filo_entity_set_parent(f.world, e, parent));
    assert_near(centre(&f).x, 110, 2); // before any tick
    tick(&f);
    assert_near(centre(&f).x, 110, 2);
    filo_edit(f.world, parent, FiloTransform2)->position.x = -20;
    tick(&f);
    assert_near(centre(&f).x, 70, 2);
    filo_entity_set_active(f.world, parent, false);
    assert_int_equal(lit_pixels(picture_of(&f, NULL)), 0);
    filo_entity_set_active(f.world, parent, true);
    assert_near(centre(&f).x, 70, 2);
    filo_entity_set_active(f.world, e, false);
    assert_int_equal(lit_pixels(picture_of(&f, NULL)), 0);
    fixture_close(&f);
}

static FiloVec2 blended_centre(Fixture *f, float blend) {
    filo_typesetter_update(f->setter);
    filo_gfx2d_extract(f->gfx, &(FiloExtract){ .width = f->width, .height = f->height, .blend = blend });
    filo_gfx2d_render(f->gfx);
    FiloPixels pixels;
    assert_ok(filo_gfx2d_pixels(f->gfx, &pixels));
    return filo_rect_centre(lit_rect(pixels));
}

FILO_TEST(moving_texts_are_blended_and_teleported_ones_are_not) {
    Fixture f = open_world(1);
    FiloEntity e = text_at(&f, -40, 0, "HH", 16);
    tick(&f);
    (void)picture_of(&f, NULL);
    tick(&f);
    filo_edit(f.world, e, FiloTransform2)->position.x = 40; // after FiloPreviousTransform2 was written
    assert_near(blended_centre(&f, 1).x, 120, 2);
    assert_near(blended_centre(&f, 0.5f).x, 80, 2);
    assert_near(blended_centre(&f, 0.25f).x, 60, 2);
    assert_true(filo_teleport(f.world, e, filo_vec2(0, 0)));
    assert_near(blended_centre(&f, 0.25f).x, 80, 2);
    fixture_close(&f);
}

FILO_TEST(texts_are_sorted_with_sprites) {
    Fixture f = open_world(1);
    FiloEntity e = text_at(&f, 0, 0, "HHH", 30);
    size_t alone = lit_pixels(picture_of(&f, NULL));
    FiloEntity box = filo_create(f.world, FILO_SET(FiloTransform2, .scale = { 150, 100 }),
                                 FILO_SET(FiloSprite, .color = FILO_COLOR_BLACK, .layer = 2, .order = 3));
    assert_int_equal(lit_pixels(picture_of(&f, NULL)), 0); // layer 0
    filo_edit(f.world, e, FiloText)->layer = 3;
    assert_int_equal(lit_pixels(picture_of(&f, NULL)), alone);
    filo_edit(f.world, e, FiloText)->layer = 2;
    assert_int_equal(lit_pixels(picture_of(&f, NULL)), 0);
    filo_edit(f.world, e, FiloText)->order = 4;
    assert_int_equal(lit_pixels(picture_of(&f, NULL)), alone);
    filo_gfx2d_sort_layer_by_y(f.gfx, 2, true);
    filo_edit(f.world, box, FiloTransform2)->position.y = 1;
    assert_int_equal(lit_pixels(picture_of(&f, NULL)), alone); // the text is lower: in front
    filo_edit(f.world, box, FiloTransform2)->position.y = -1;
    assert_int_equal(lit_pixels(picture_of(&f, NULL)), 0);
    fixture_close(&f);
}

FILO_TEST(texts_of_many_layers_in_one_chunk_keep_their_order) {
    Fixture f = open_world(1);
    // The first entity is in front of all others, which cover it.
    FiloEntity front = text_at(&f, 0, 0, "H", 40);
    filo_edit(f.world, front, FiloText)->layer = 9;
    filo_edit(f.world, front, FiloText)->color = FILO_COLOR_RED;
    for (int i = 0; i < 20; i++) {
        FiloEntity e = text_at(&f, 0, 0, "H", 40);
        filo_edit(f.world, e, FiloText)->layer = (uint8_t)(8 - i % 9);
        filo_edit(f.world, e, FiloText)->order = (int16_t)(i % 3);
    }
    FiloPixels p = picture_of(&f, NULL);
    size_t red = 0, white = 0;
    for (int i = 0; i < p.width * p.height; i++)
        red += p.data[i].r > 150 && p.data[i].g<110, white += p.data[i].g> 200;
    assert_true(red > 50 && white < red); // at the edges, some of what is below shines through
    fixture_close(&f);
}

FILO_TEST(only_what_has_changed_is_painted_again) {
    Fixture f = open_world(2);
    FiloEntity texts[50];
    for (int i = 0; i < 50; i++) {
        char text[32];
        (void)snprintf(text, sizeof text, "label %d", i);
        texts[i] = text_at(&f, (float)(i % 5) * 30 - 70, (float)(i / 5) * 10 - 50, text, 8);
    }
    (void)picture_of(&f, NULL);
    begin_frame(&f);
    begin_frame(&f);
    assert_int_equal(rebuilt(&f), 0);
    (void)snprintf(filo_edit(f.world, texts[7], FiloText)->text, FILO_TEXT_LENGTH, "label 17");
    begin_frame(&f);
    assert_int_equal(rebuilt(&f), 1);
    filo_edit(f.world, texts[9], FiloTransform2)->position.x += 3;
    begin_frame(&f);
    assert_int_equal(rebuilt(&f), 0);
    filo_entity_destroy(f.world, texts[20]);
    begin_frame(&f);
    assert_true(rebuilt(&f) <= 1); // another row may have taken its place
    // The picture is the same as that of a world in which everything is new.
    FiloPixels kept = copy_picture(picture_of(&f, NULL));
    filo_text_detach(f.setter);
    assert_ok(filo_text_attach(f.setter, &(FiloTextDrawDesc){ .gfx = f.gfx, .world = f.world }));
    FiloPixels fresh = picture_of(&f, NULL);
    assert_int_equal(filo_pixels_compare(&kept, &fresh, 0).pixels, 0);
    filo_pixels_free(&kept, NULL);
    fixture_close(&f);
}

FILO_TEST(keys_show_the_text_of_the_tables) {
    Fixture f = open_world(1);
    FiloEntity e = text_at(&f, 0, 0, "not shown", 14);
    filo_edit(f.world, e, FiloText)->key = filo_name("inn");
    assert_ok(filo_text_add_translations(
        f.setter, "en", FILO_STRING("{ \"language\": \"en\", \"texts\": { \"inn\": \"Inn\" } }")));
    FiloVec2 english = filo_rect_size(lit(&f));
    assert_ok(filo_text_add_translations(
        f.setter, "de", FILO_STRING("{ \"language\": \"de\", \"texts\": { \"inn\": \"Wirtshaus\" } }")));
    assert_true(filo_rect_size(lit(&f)).x > 2 * english.x);
    fixture_close(&f);
}

FILO_TEST(a_camera_that_zooms_in_gets_larger_fields_and_nothing_flickers) {
    Fixture f = open_world(2);
    text_at(&f, 0, 0, "H", 20);
    FiloEntity camera = filo_create(f.world, FILO_ADD(FiloTransform2), FILO_SET(FiloCamera, .zoom = 1));
    (void)picture_of(&f, NULL);
    uint64_t made = filo_text_glyph_stats(f.setter).made;
    for (float zoom = 1; zoom < 40; zoom *= 1.2f) {
        filo_edit(f.world, camera, FiloCamera)->zoom = zoom;
        begin_frame(&f);
        filo_gfx2d_render(f.gfx);
        FiloPixels pixels;
        assert_ok(filo_gfx2d_pixels(f.gfx, &pixels));
        assert_true(lit_pixels(pixels) > 30);
    }
    (void)picture_of(&f, NULL);
    assert_true(filo_text_glyph_stats(f.setter).made > made);
    fixture_close(&f);
}

FILO_TEST(effects_and_mark_up_are_drawn_in_the_world) {
    Fixture f = open_world(1);
    FiloEntity e = text_at(&f, 0, 0, "[color=red]HH[/color]", 24);
    filo_edit(f.world, e, FiloText)->markup = true;
    FiloPixels p = picture_of(&f, NULL);
    size_t plain = lit_pixels(p), red = 0;
    for (int i = 0; i < p.width * p.height; i++) red += p.data[i].r > 150 && p.data[i].g < 110;
    assert_true(red > 50);
    filo_add(f.world, e, FiloTextEffects);
    *filo_edit(f.world, e, FiloTextEffects) =
        (FiloTextEffects){ .outline = 0.1f, .outline_color = FILO_COLOR_WHITE };
    assert_true(lit_pixels(picture_of(&f, NULL)) > plain + 50);
    fixture_close(&f);
}

FILO_TEST(drawing_does_not_change_the_hash_of_the_world) {
    Fixture f = open_world(2);
    for (int i = 0; i < 20; i++) text_at(&f, (float)i, 0, "hash", 10);
    tick(&f);
    uint64_t hash = filo_world_hash(f.world);
    for (int i = 0; i < 3; i++) (void)picture_of(&f, NULL);
    assert_true(filo_world_hash(f.world) == hash);
    fixture_close(&f);
}

FILO_TEST(a_steady_frame_with_texts_in_the_world_does_not_allocate) {
    Fixture f = open_world(2);
    FiloEntity first = text_at(&f, 0, 0, "moves", 10), second = text_at(&f, 0, 20, "0", 10);
    for (int i = 0; i < 50; i++) text_at(&f, (float)i, (float)i, "rests", 10);
    FiloTestSteady steady = { 0 };
    while (filo_test_unsteady(&steady, 30)) {
        int i = steady.turn;
        filo_edit(f.world, first, FiloTransform2)->position.x = (float)(i % 7);
        (void)snprintf(filo_edit(f.world, second, FiloText)->text, FILO_TEXT_LENGTH, "%d", i % 10);
        tick(&f);
        begin_frame(&f);
        filo_gfx2d_render(f.gfx);
        if (i < 20) (void)filo_text_wait(f.setter);
    }
    fixture_close(&f);
}

FILO_TEST(many_texts_look_the_same_on_any_number_of_threads) {
    FiloPixels alone = { 0 };
    for (int threads = 1; threads <= 16; threads *= 2) {
        Fixture f = open_world(threads);
        FiloRandom random = filo_random_sequence(5);
        for (int i = 0; i < 3000; i++) {
            float x = filo_random_float_range(&random, -80, 80),
                  y = filo_random_float_range(&random, -60, 60);
            FiloEntity e = text_at(&f, x, y, i % 2 ? "Tavern" : "Wg&", 7);
            filo_edit(f.world, e, FiloTransform2)->rotation = filo_random_float_range(&random, -3, 3);
            filo_edit(f.world, e, FiloText)->layer = (uint8_t)(i % 4);
            filo_edit(f.world, e, FiloText)->color = filo_color_from_hsv((float)i / 3000, 1, 1, 0.5f);
        }
        FiloPixels page = picture_of(&f, NULL);
        if (threads == 1)
            alone = copy_picture(page);
        else
            assert_int_equal(filo_pixels_compare(&page, &alone, 0).pixels, 0);
        fixture_close(&f);
    }
    filo_pixels_free(&alone, NULL);
}
