// Immediate drawing of text: pictures on all backends, positions, effects, filo_draw_text, the cache of glyphs.

#include "support/malloc_count.h"
#include "text/draw_fixture.h"

#include <math.h>

static FiloTextStyle style(float size) {
    return (FiloTextStyle){ .font = filo_name("DejaVuSans.ttf"), .size = size };
}

// ---- Golden pictures ------------------------------------------------------------------------------------------

static void draw_small_page(Fixture *f) {
    FiloTextStyle s = style(15);
    filo_text_draw(f->setter, f->draw, filo_vec2(3, 1), &s, "Quarter px AV");
    s.align = FILO_TEXT_RIGHT;
    s.color = FILO_COLOR_CYAN;
    filo_text_draw(f->setter, f->draw, filo_vec2(125.3f, 16), &s, "Ταξίδι");
    s = style(26);
    s.outline = 0.08f, s.outline_color = FILO_COLOR_RED;
    s.shadow = filo_vec2(0.08f, 0.08f), s.shadow_blur = 0.05f, s.shadow_color = FILO_COLOR_BLUE;
    filo_text_draw(f->setter, f->draw, filo_vec2(6, 18), &s, "Fx");
    s = style(24);
    s.glow = 0.14f, s.glow_color = FILO_COLOR_GREEN;
    filo_text_draw(f->setter, f->draw, filo_vec2(58, 34), &s, "glow");
    filo_draw_push(f->draw);
    filo_draw_translate(f->draw, filo_vec2(10, 88));
    filo_draw_rotate(f->draw, -0.4f);
    s = style(20);
    s.underline = true;
    filo_text_draw(f->setter, f->draw, filo_vec2(0, -20), &s, "Turned");
    filo_draw_pop(f->draw);
    s = style(70);
    s.color = filo_color(60, 40, 0, 60);
    filo_text_draw(f->setter, f->draw, filo_vec2(70, 20), &s, "g");
    s = style(12);
    s.markup = true;
    filo_text_draw(f->setter, f->draw, filo_vec2(66, 62), &s,
                   "[b]b[/b] [i]i[/i] [s]s[/s] [color=gold]g[/color]");
    filo_text_draw(f->setter, f->draw, filo_vec2(64, 78), NULL, "16 px");
    filo_draw_in_world(f->draw, 1);
    s = style(14);
    s.vertical = FILO_TEXT_BASELINE;
    filo_text_draw(f->setter, f->draw, filo_vec2(-10, -12.5f), &s, "world");
}

static FiloPixels small_page(Backend backend, int threads) {
    Fixture f = fixture_open((FixtureDesc){ .backend = backend, .threads = threads });
    add_font(&f, "DejaVuSans.ttf");
    FiloPixels page = copy_picture(picture_of(&f, draw_small_page));
    fixture_close(&f);
    return page;
}

// Another version of FreeType may round coverages in another way.
FILO_TEST(a_page_of_text_looks_like_its_golden_picture) {
    FiloPixels page = small_page(ON_CPU, 1), golden;
    save_picture(page, "small_page");
    assert_ok(filo_image_load(&golden, FILO_TEST_SOURCES "/golden/small_page.png", NULL));
    FiloPixelsDifference d = filo_pixels_compare(&page, &golden, 8);
    if (d.pixels > 30 || d.mean > 0.2)
        fail_msg("%zu pixels differ by up to %d, the first at %d, %d; on average %.3f", d.pixels, d.largest,
                 d.x, d.y, d.mean);
    filo_pixels_free(&page, NULL);
    filo_pixels_free(&golden, NULL);
}

static void same_as_cpu(Backend backend, const char *name) {
    FiloPixels gl = small_page(backend, 2), cpu = small_page(ON_CPU, 1);
    save_picture(gl, name);
    FiloPixelsDifference d = filo_pixels_compare(&gl, &cpu, 2);
    // Single pixels, whose centre is on the edge of a quad.
    if (d.pixels > 4)
        fail_msg("%zu pixels differ by up to %d, the first at %d, %d", d.pixels, d.largest, d.x, d.y);
    filo_pixels_free(&gl, NULL);
    filo_pixels_free(&cpu, NULL);
}

FILO_TEST(gl_45_draws_the_same_page) { same_as_cpu(ON_GL45, "small_page_gl45"); }
FILO_TEST(gl_33_draws_the_same_page) { same_as_cpu(ON_GL33, "small_page_gl33"); }

// ---- Positions ------------------------------------------------------------------------------------------------

static FiloVec2 drawn_at;
static FiloTextStyle drawn_style;
static const char *drawn_text;

static void draw_one(Fixture *f) { filo_text_draw(f->setter, f->draw, drawn_at, &drawn_style, drawn_text); }

static FiloPixels one(Fixture *f, float x, float y, FiloTextStyle s, const char *text) {
    drawn_at = filo_vec2(x, y), drawn_style = s, drawn_text = text;
    return picture_of(f, draw_one);
}

// The rectangle of all pixels that are not black.
static FiloRect lit_rect(FiloPixels p) {
    FiloRect r = { { 1e6f, 1e6f }, { -1, -1 } };
    for (int y = 0; y < p.height; y++)
        for (int x = 0; x < p.width; x++)
            if (filo_pixels_at(&p, x, y)->r > 24) {
                r.min = filo_vec2(filo_min(r.min.x, (float)x), filo_min(r.min.y, (float)y));
                r.max = filo_vec2(filo_max(r.max.x, (float)x + 1), filo_max(r.max.y, (float)y + 1));
            }
    return r;
}

FILO_TEST(letters_move_in_quarters_of_a_pixel) {
    Fixture f = fixture_open((FixtureDesc){ .width = 100, .height = 40 });
    add_font(&f, "DejaVuSans.ttf");
    FiloPixels at_0 = copy_picture(one(&f, 10, 5, style(20), "l")),
               at_1 = copy_picture(one(&f, 11, 5, style(20), "l"));
    FiloPixels near = copy_picture(one(&f, 10.1f, 5, style(20), "l")),
               quarter = copy_picture(one(&f, 10.25f, 5, style(20), "l"));
    assert_int_equal(filo_pixels_compare(&at_0, &near, 0).pixels, 0);
    assert_int_not_equal(filo_pixels_compare(&at_0, &quarter, 0).pixels, 0);
    for (int y = 0; y < 40; y++)
        for (int x = 0; x < 99; x++)
            assert_true(filo_color_equal(*filo_pixels_at(&at_0, x, y), *filo_pixels_at(&at_1, x + 1, y)));
    drawn_style = style(20);
    drawn_style.align = FILO_TEXT_LEFT_SNAPPED;
    FiloPixels snapped = one(&f, 10.25f, 5, drawn_style, "l");
    assert_int_equal(filo_pixels_compare(&at_0, &snapped, 0).pixels, 0);
    FiloPixels *all[] = { &at_0, &at_1, &near, &quarter };
    for (int i = 0; i < 4; i++) filo_pixels_free(all[i], NULL);
    fixture_close(&f);
}

// The same word as a field, by an effect that is invisible, is where the exact pictures are, within a pixel.
FILO_TEST(fields_are_where_exact_letters_are) {
    Fixture f = fixture_open((FixtureDesc){ .width = 200, .height = 80 });
    add_font(&f, "DejaVuSans.ttf");
    FiloTextStyle s = style(40);
    FiloRect exact = lit_rect(one(&f, 20, 10, s, "Haxg"));
    s.outline = 0.0001f;
    FiloRect field = lit_rect(one(&f, 20, 10, s, "Haxg"));
    assert_true(filo_abs(exact.min.x - field.min.x) <= 1 && filo_abs(exact.min.y - field.min.y) <= 1);
    assert_true(filo_abs(exact.max.x - field.max.x) <= 1 && filo_abs(exact.max.y - field.max.y) <= 1);
    fixture_close(&f);
}

FILO_TEST(an_outline_a_shadow_and_a_glow_make_a_text_larger) {
    Fixture f = fixture_open((FixtureDesc){ .width = 200, .height = 120 });
    add_font(&f, "DejaVuSans.ttf");
    FiloRect plain = lit_rect(one(&f, 40, 20, style(60), "o"));
    FiloTextStyle s = style(60);
    s.outline = 0.1f, s.outline_color = FILO_COLOR_RED;
    FiloRect outlined = lit_rect(one(&f, 40, 20, s, "o"));
    assert_true(filo_abs((plain.min.x - outlined.min.x) - 6) <= 1.5f);
    assert_true(filo_abs((outlined.max.y - plain.max.y) - 6) <= 1.5f);
    s = style(60);
    s.shadow = filo_vec2(0.2f, 0.1f), s.shadow_color = FILO_COLOR_RED;
    FiloRect shadowed = lit_rect(one(&f, 40, 20, s, "o"));
    assert_true(filo_abs((shadowed.max.x - plain.max.x) - 12) <= 1.5f);
    assert_true(filo_abs((shadowed.max.y - plain.max.y) - 6) <= 1.5f);
    assert_true(filo_abs(shadowed.min.x - plain.min.x) <= 1);
    s = style(60);
    s.glow = 0.14f, s.glow_color = FILO_COLOR_RED;
    FiloRect glowing = lit_rect(one(&f, 40, 20, s, "o"));
    assert_true(plain.min.x - glowing.min.x > 3 && glowing.max.x - plain.max.x > 3);
    fixture_close(&f);
}

FILO_TEST(hidden_letters_are_not_drawn) {
    Fixture f = fixture_open((FixtureDesc){ .width = 200, .height = 40 });
    add_font(&f, "DejaVuSans.ttf");
    FiloTextStyle s = style(20);
    s.underline = true;
    float before = 201;
    for (float hidden = 0; hidden <= 1; hidden += 0.25f) {
        s.hidden = hidden;
        FiloRect lit = lit_rect(one(&f, 5, 5, s, "eightltr"));
        assert_true(lit.max.x < before);
        before = lit.max.x;
    }
    assert_true(before == -1);
    fixture_close(&f);
}

// Bold and slanted letters of a family that has only regular ones.
FILO_TEST(missing_styles_are_synthesised) {
    Fixture f = fixture_open((FixtureDesc){ .width = 120, .height = 60 });
    add_font(&f, "DejaVuSans.ttf");
    FiloTextStyle s = style(40);
    size_t regular = lit_pixels(one(&f, 10, 5, s, "ll"));
    FiloRect upright = lit_rect(one(&f, 10, 5, s, "l"));
    s.bold = true;
    assert_true(lit_pixels(one(&f, 10, 5, s, "ll")) > regular);
    s.bold = false, s.italic = true;
    FiloRect slanted = lit_rect(one(&f, 10, 5, s, "l"));
    assert_true(filo_rect_size(slanted).x > filo_rect_size(upright).x + 3);
    fixture_close(&f);
}

// ---- filo_draw_text -------------------------------------------------------------------------------------------

static void draw_plain_texts(Fixture *f) {
    filo_draw_text(f->draw, 2.5f, 3, 1, FILO_COLOR_YELLOW, "Built-in Größe\n\ttab");
    filo_draw_text_centred(f->draw, 60, 40, 2, FILO_COLOR_WHITE, "mid");
    filo_draw_in_world(f->draw, 0);
    filo_draw_format(f->draw, -40, -40, 1, FILO_COLOR_RED, "world %d", 7);
}

FILO_TEST(the_built_in_font_of_filo_draw_text_is_unchanged) {
    Fixture f = fixture_open((FixtureDesc){ 0 });
    FiloPixels with = copy_picture(picture_of(&f, draw_plain_texts));
    filo_text_detach(f.setter);
    FiloPixels without = picture_of(&f, draw_plain_texts);
    assert_true(lit_pixels(with) > 300);
    assert_int_equal(filo_pixels_compare(&with, &without, 0).pixels, 0);
    filo_pixels_free(&with, NULL);
    fixture_close(&f);
}

FILO_TEST(filo_text_draws_the_built_in_font_pixel_for_pixel) {
    Fixture f = fixture_open((FixtureDesc){ 0 });
    begin_frame(&f);
    filo_text_draw(f.setter, f.draw, filo_vec2(5, 7), NULL, "Same pixels\ntwo lines");
    filo_gfx2d_render(f.gfx);
    FiloPixels pixels;
    assert_ok(filo_gfx2d_pixels(f.gfx, &pixels));
    FiloPixels by_setter = copy_picture(pixels);
    begin_frame(&f);
    filo_draw_text(f.draw, 5, 7, 1, FILO_COLOR_WHITE, "Same pixels\ntwo lines");
    filo_gfx2d_render(f.gfx);
    assert_ok(filo_gfx2d_pixels(f.gfx, &pixels));
    assert_true(lit_pixels(pixels) > 200);
    assert_int_equal(filo_pixels_compare(&by_setter, &pixels, 0).pixels, 0);
    filo_pixels_free(&by_setter, NULL);
    fixture_close(&f);
}

static void draw_default(Fixture *f) { filo_draw_text(f->draw, 5, 5, 2, FILO_COLOR_WHITE, "Wide iii"); }

FILO_TEST(filo_draw_text_has_the_letters_of_the_default_font) {
    Fixture f = fixture_open((FixtureDesc){ .width = 200, .height = 60 });
    FiloPixels before = copy_picture(picture_of(&f, draw_default));
    assert_true(filo_draw_text_size(f.draw, "iii").x == 24);
    filo_text_set_default_font(f.setter, add_font(&f, "DejaVuSans.ttf"));
    FiloPixels after = picture_of(&f, draw_default);
    assert_true(filo_pixels_compare(&before, &after, 0).pixels > 200);
    float width = filo_draw_text_size(f.draw, "iii").x;
    assert_true(width > 8 && width < 20);
    filo_text_set_default_font(f.setter, (FiloName){ 0 });
    after = picture_of(&f, draw_default);
    assert_int_equal(filo_pixels_compare(&before, &after, 0).pixels, 0);
    filo_pixels_free(&before, NULL);
    fixture_close(&f);
}

// ---- Glyphs ---------------------------------------------------------------------------------------------------

FILO_TEST(a_frame_does_not_wait_for_glyphs_and_they_come_later) {
    Fixture f = fixture_open((FixtureDesc){ .threads = 3, .width = 200, .height = 60 });
    add_font(&f, "DejaVuSans.ttf");
    FiloTextStyle s = style(20);
    size_t lit = 0, first = 1;
    for (int i = 0; lit == 0; i++) {
        begin_frame(&f);
        filo_text_draw(f.setter, f.draw, filo_vec2(5, 5), &s, "Later");
        filo_gfx2d_render(f.gfx);
        FiloPixels pixels;
        assert_ok(filo_gfx2d_pixels(f.gfx, &pixels));
        lit = lit_pixels(pixels);
        if (i == 0) first = lit;
    }
    assert_int_equal(first, 0);
    assert_true(filo_text_glyph_stats(f.setter).missed >= 5);
    fixture_close(&f);
}

FILO_TEST(one_thread_makes_glyphs_as_well) {
    Fixture f = fixture_open((FixtureDesc){ .threads = 1, .width = 200, .height = 60 });
    add_font(&f, "DejaVuSans.ttf");
    FiloTextStyle s = style(20);
    size_t lit = 0;
    for (int i = 0; i < 1000 && lit == 0; i++) {
        begin_frame(&f);
        filo_text_draw(f.setter, f.draw, filo_vec2(5, 5), &s, "Later");
        filo_gfx2d_render(f.gfx);
        FiloPixels pixels;
        assert_ok(filo_gfx2d_pixels(f.gfx, &pixels));
        lit = lit_pixels(pixels);
    }
    assert_true(lit > 0);
    fixture_close(&f);
}

// Thousands of different glyphs: of all kinds, and of all sizes.
static void draw_thousands(Fixture *f) {
    char text[8];
    for (int i = 0; i < 2400; i++) {
        FiloTextStyle s = { .font = filo_name(i % 3 == 0 ? "VL-Gothic-Regular.ttf" : "DejaVuSans.ttf"),
                            .size = 8 + (float)(i % 11) };
        if (i % 7 == 0) s.outline = 0.05f;
        uint32_t c = i % 3 == 0 ? 0x4E00u + (uint32_t)i : 33u + (uint32_t)i % 600;
        if (c == 127) c = 'x';
        text[c < 0x80 ? 1 : c < 0x800 ? 2 : 3] = '\0';
        if (c < 0x80) {
            text[0] = (char)c;
        } else if (c < 0x800) {
            text[0] = (char)(0xC0 | c >> 6), text[1] = (char)(0x80 | (c & 63));
        } else {
            text[0] = (char)(0xE0 | c >> 12), text[1] = (char)(0x80 | (c >> 6 & 63)),
            text[2] = (char)(0x80 | (c & 63));
        }
        filo_text_draw(f->setter, f->draw, filo_vec2((float)(i % 60) * 13, (float)(i / 60) * 14), &s, text);
    }
}

FILO_TEST(thousands_of_glyphs_look_the_same_on_any_number_of_threads) {
    FiloPixels alone = { 0 };
    for (int threads = 1; threads <= 16; threads *= 2) {
        Fixture f = fixture_open((FixtureDesc){ .threads = threads, .width = 800, .height = 600 });
        add_font(&f, "DejaVuSans.ttf");
        add_font(&f, "VL-Gothic-Regular.ttf");
        FiloPixels page = picture_of(&f, draw_thousands);
        assert_true(filo_text_glyph_stats(f.setter).glyphs > 1000);
        if (threads == 1)
            alone = copy_picture(page), save_picture(page, "thousands");
        else
            assert_int_equal(filo_pixels_compare(&page, &alone, 0).pixels, 0);
        fixture_close(&f);
    }
    filo_pixels_free(&alone, NULL);
}

static int drawn_round;
static void draw_round(Fixture *f) {
    for (int i = 0; i < 40; i++) {
        FiloTextStyle s = style(10 + (float)((drawn_round * 5 + i) % 50));
        filo_text_draw(f->setter, f->draw, filo_vec2((float)(i % 8) * 20, (float)(i / 8) * 30), &s, "Wg");
    }
}

FILO_TEST(memory_is_bounded_and_old_glyphs_make_room) {
    const size_t limit = 256 * 1024;
    Fixture f =
        fixture_open((FixtureDesc){ .threads = 2, .width = 200, .height = 200, .glyph_memory = limit });
    add_font(&f, "DejaVuSans.ttf");
    for (drawn_round = 0; drawn_round < 60; drawn_round++) {
        for (int frame = 0; frame < 4; frame++) (void)picture_of(&f, draw_round);
        assert_true(filo_text_glyph_stats(f.setter).memory <= 2 * limit);
    }
    drawn_round = 3;
    FiloPixels found = copy_picture(picture_of(&f, draw_round));
    assert_true(filo_text_glyph_stats(f.setter).evicted > 100);
    assert_true(filo_gfx2d_stats(f.gfx).pages == 1);
    fixture_close(&f);
    f = fixture_open((FixtureDesc){ .width = 200, .height = 200 });
    add_font(&f, "DejaVuSans.ttf");
    FiloPixels fresh = picture_of(&f, draw_round);
    assert_int_equal(filo_pixels_compare(&found, &fresh, 0).pixels, 0);
    filo_pixels_free(&found, NULL);
    fixture_close(&f);
}

FILO_TEST(another_file_under_the_same_name_has_its_own_glyphs) {
    Fixture f = fixture_open((FixtureDesc){ .width = 200, .height = 60 });
    add_font(&f, "DejaVuSans.ttf");
    FiloPixels sans = copy_picture(one(&f, 5, 5, style(30), "Rag"));
    char path[512];
    assert_ok(filo_font_find(path, sizeof path, "DejaVuSerif.ttf"));
    assert_ok(filo_text_load_font(f.setter, "DejaVuSans.ttf", path));
    FiloPixels serif = copy_picture(one(&f, 5, 5, style(30), "Rag"));
    assert_true(filo_pixels_compare(&sans, &serif, 8).pixels > 100);
    add_font(&f, "DejaVuSerif.ttf");
    drawn_style = style(30);
    drawn_style.font = filo_name("DejaVuSerif.ttf");
    FiloPixels wanted = one(&f, 5, 5, drawn_style, "Rag");
    assert_int_equal(filo_pixels_compare(&wanted, &serif, 0).pixels, 0);
    filo_pixels_free(&sans, NULL);
    filo_pixels_free(&serif, NULL);
    fixture_close(&f);
}

// ---- Frames -----------------------------------------------------------------------------------------------------

FILO_TEST(a_steady_frame_of_text_does_not_allocate) {
    Fixture f = fixture_open((FixtureDesc){ .threads = 2, .width = 200, .height = 100 });
    add_font(&f, "DejaVuSans.ttf");
    (void)picture_of(&f, draw_small_page);
    FiloTestSteady steady = { 0 };
    while (filo_test_unsteady(&steady, 20)) {
        begin_frame(&f);
        draw_small_page(&f);
        FiloTextStyle s = style(20);
        filo_text_draw_format(f.setter, f.draw, filo_vec2(0, 0), &s, "%04d", steady.turn % 5 * 1111);
        filo_gfx2d_render(f.gfx);
        if (steady.turn < 20) (void)filo_text_wait(f.setter);
    }
    fixture_close(&f);
}

FILO_TEST(drawing_text_without_a_renderer_is_reported) {
    Fixture f = fixture_open((FixtureDesc){ 0 });
    FiloTextDrawDesc desc = { .gfx = f.gfx };
    expect_mistake("filo_text_detach first", filo_text_attach(f.setter, &desc));
    expect_mistake("a description with a renderer", filo_text_attach(f.setter, &(FiloTextDrawDesc){ 0 }));
    expect_fault("pass a text", filo_text_draw(f.setter, f.draw, filo_vec2(0, 0), NULL, NULL));
    filo_text_detach(f.setter);
    filo_text_detach(f.setter);
    expect_fault("call filo_text_attach", filo_text_draw(f.setter, f.draw, filo_vec2(0, 0), NULL, "x"));
    assert_false(filo_text_wait(f.setter));
    assert_ok(filo_text_attach(f.setter, &desc)); // again, without a world
    begin_frame(&f);
    filo_text_draw(f.setter, f.draw, filo_vec2(NAN, INFINITY), &(FiloTextStyle){ .size = NAN }, "x");
    filo_text_draw_layout(f.setter, f.draw, filo_vec2(0, 0), NULL, NULL);
    filo_gfx2d_render(f.gfx);
    fixture_close(&f);
}

FILO_TEST(an_evicted_layout_is_not_drawn) {
    Fixture f = fixture_open((FixtureDesc){ .cache_size = 4096 });
    begin_frame(&f);
    const FiloTextLayout *layout = filo_text_layout(f.setter, NULL, FILO_STRING("old"));
    filo_text_draw_layout(f.setter, f.draw, filo_vec2(0, 0), NULL, layout);
    for (int i = 0; i < 4; i++) {
        char text[200];
        memset(text, 'a' + i, sizeof text);
        (void)filo_text_layout(f.setter, NULL, filo_string_from(text, sizeof text));
        filo_typesetter_update(f.setter);
    }
    expect_fault("this layout was evicted: call filo_text_layout again in every frame, or every other one",
                 filo_text_draw_layout(f.setter, f.draw, filo_vec2(0, 0), NULL, layout));
    fixture_close(&f);
}

FILO_TEST(a_renderer_is_not_destroyed_before_its_typesetter) {
    Fixture f = fixture_open((FixtureDesc){ 0 });
    expect_fault("a typesetter still draws with this renderer: destroy it, or call filo_text_detach, before "
                 "the renderer",
                 filo_gfx2d_destroy(f.gfx));
    fixture_close(&f);
}

// An allocator that fails after some allocations. Any thread.
typedef struct Limited {
    FiloAllocator allocator;
    int left;
    size_t used;
} Limited;

static void *limited_resize(void *user, void *memory, size_t old_size, size_t new_size, size_t align) {
    Limited *limited = user;
    if (new_size > old_size && __atomic_fetch_sub(&limited->left, 1, __ATOMIC_RELAXED) <= 0) return NULL;
    void *result = filo_heap()->resize(filo_heap()->user, memory, old_size, new_size, align);
    if (result != NULL || new_size == 0)
        __atomic_fetch_add(&limited->used, new_size - old_size, __ATOMIC_RELAXED);
    return result;
}

FILO_TEST(without_memory_letters_are_missing_and_nothing_breaks) {
    Fixture f = fixture_open((FixtureDesc){ .threads = 2, .width = 128, .height = 96 });
    filo_typesetter_destroy(f.setter);
    filo_create(f.world, FILO_SET(FiloText, .text = "In the world", .size = 12));
    for (int allowed = 0; allowed < 700; allowed += allowed < 60 ? 1 : 13) {
        Limited limited = { .allocator = { limited_resize, &limited }, .left = allowed };
        FiloTypesetterDesc desc = { .allocator = &limited.allocator };
        f.setter = NULL;
        if (filo_typesetter_create(&f.setter, &desc).code == FILO_OK &&
            filo_text_attach(f.setter, &(FiloTextDrawDesc){ .gfx = f.gfx, .world = f.world }).code ==
                FILO_OK) {
            char path[512];
            assert_ok(filo_font_find(path, sizeof path, "DejaVuSans.ttf"));
            (void)filo_text_load_font(f.setter, "DejaVuSans.ttf", path);
            for (int i = 0; i < 3; i++) {
                begin_frame(&f);
                draw_small_page(&f);
                filo_gfx2d_render(f.gfx);
                (void)filo_text_wait(f.setter);
            }
        }
        filo_typesetter_destroy(f.setter);
        assert_int_equal(limited.used, 0);
    }
    f.setter = NULL;
    fixture_close(&f);
}
