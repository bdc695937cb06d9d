// Text of immediate drawing, and what text and shapes look like.

#include "gfx2d/draw/font.h"
#include "gfx2d/draw_fixture.h"

#include <stdlib.h>

// ---- Text -----------------------------------------------------------------------------------------------

static void assert_letter(const FiloQuad *q, uint32_t character, float left, float top, float scale,
                          float up) {
    assert_quad(q, left + 4 * scale, top - 8 * scale * up, 4 * scale, 0, 0, 8 * scale * up);
    unsigned letter = character - 32;
    assert_int_equal(q->u0, font_region.u0 + letter % 16 * 8);
    assert_int_equal(q->v0, font_region.v0 + letter / 16 * 16);
    assert_int_equal(q->u1, q->u0 + 8);
    assert_int_equal(q->v1, q->v0 + 16);
    assert_int_equal(q->image, font_region.page);
    assert_int_equal(q->kind, FILO_QUAD_IMAGE);
}

FILO_TEST(text_on_the_screen_begins_at_its_upper_left_corner) {
    FiloDraw *draw = open_draw();
    filo_draw_text(draw, 10, 20, 2, FILO_COLOR_RED, "A b\n\ncd");
    const FiloQuad *q = screen(draw, 4);
    assert_letter(&q[0], 'A', 10, 20, 2, -1);
    assert_letter(&q[1], 'b', 42, 20, 2, -1);
    assert_letter(&q[2], 'c', 10, 84, 2, -1);
    assert_letter(&q[3], 'd', 26, 84, 2, -1);
    assert_int_equal(q[0].color.r, FILO_COLOR_RED.r);
    assert_int_equal(q[0].color.g, FILO_COLOR_RED.g);
    gfx2d_draw_destroy(draw);
}

FILO_TEST(text_in_the_world_begins_at_its_lower_left_corner_and_is_scaled_by_pixels_per_unit) {
    FiloDraw *draw = open_draw();
    gfx.pixels_per_unit = 4;
    filo_draw_in_world(draw, 1);
    filo_draw_text(draw, 10, 20, 2, FILO_COLOR_RED, "A\nb"); // a letter is 4 × 8 units
    const FiloQuad *q = world(draw, 2);
    assert_letter(&q[0], 'A', 10, 28, 0.5f, 1);
    assert_letter(&q[1], 'b', 10, 20, 0.5f, 1);
    gfx2d_draw_destroy(draw);
}

FILO_TEST(text_is_utf_8_and_what_the_font_does_not_have_is_a_box) {
    FiloDraw *draw = open_draw();
    filo_draw_text(draw, 0, 0, 1, FILO_COLOR_RED, "é\u20acÿ\xff\x01\u00a0z");
    const FiloQuad *q = screen(draw, 6);
    static const uint32_t characters[] = { 0xE9, 127, 0xFF, 127, 127, 'z' };
    static const float lefts[] = { 0, 8, 16, 24, 32, 48 };
    for (size_t i = 0; i < 6; i++) assert_letter(&q[i], characters[i], lefts[i], 0, 1, -1);
    gfx2d_draw_destroy(draw);
}

FILO_TEST(a_tab_advances_to_a_multiple_of_four) {
    FiloDraw *draw = open_draw();
    filo_draw_text(draw, 0, 0, 1, FILO_COLOR_RED, "a\tb\t\tc");
    const FiloQuad *q = screen(draw, 3);
    assert_letter(&q[1], 'b', 32, 0, 1, -1);
    assert_letter(&q[2], 'c', 96, 0, 1, -1);
    assert_true(filo_draw_text_size(draw, "a\tb").x == 40);
    gfx2d_draw_destroy(draw);
}

FILO_TEST(centred_text_is_centred_line_by_line) {
    FiloDraw *draw = open_draw();
    filo_draw_text_centred(draw, 100, 0, 2, FILO_COLOR_RED, "abc\nd");
    const FiloQuad *q = screen(draw, 4);
    assert_letter(&q[0], 'a', 76, 0, 2, -1);
    assert_letter(&q[3], 'd', 92, 32, 2, -1);
    gfx2d_draw_destroy(draw);
}

FILO_TEST(formatted_text_may_be_long) {
    FiloDraw *draw = open_draw();
    filo_draw_format(draw, 0, 0, 1, FILO_COLOR_RED, "%d%s", 42, "!");
    const FiloQuad *q = screen(draw, 3);
    assert_letter(&q[0], '4', 0, 0, 1, -1);
    assert_letter(&q[2], '!', 16, 0, 1, -1);
    static char text[5001];
    memset(text, 'x', 5000);
    filo_draw_format(draw, 0, 0, 1, FILO_COLOR_RED, "%s", text);
    screen(draw, 5003);
    gfx2d_draw_destroy(draw);
}

FILO_TEST(a_text_has_the_size_of_its_longest_line_and_all_its_lines) {
    static const struct {
        const char *text;
        float width, height;
    } cases[] = {
        { "", 0, 16 }, { "a", 8, 16 }, { "größe", 40, 16 }, { "ab\ncde\n", 24, 48 }, { "\n", 0, 32 }
    };
    FiloDraw *draw = open_draw();
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        FiloVec2 size = filo_draw_text_size(draw, cases[i].text);
        assert_true(size.x == cases[i].width && size.y == cases[i].height);
    }
    gfx2d_draw_destroy(draw);
}

// ---- Glyph sources --------------------------------------------------------------------------------------

static FiloPlainText drawn_by_source;
static bool draw_unless_latin(FiloDraw *draw, const FiloPlainText *text, void *user) {
    FILO_UNUSED(draw);
    assert_ptr_equal(user, &gfx);
    drawn_by_source = *text;
    return text->text.data[0] == 'g';
}
static bool measure_unless_latin(FiloString text, FiloVec2 *size, void *user) {
    FILO_UNUSED(user);
    *size = filo_vec2(77, 33);
    return text.data[0] == 'g';
}

FILO_TEST(a_glyph_source_draws_and_measures_the_texts_that_it_wants) {
    FiloDraw *draw = open_draw();
    gfx2d_draw_set_glyph_source(draw, (FiloGlyphSource){ draw_unless_latin, measure_unless_latin, &gfx });
    filo_draw_text_centred(draw, 3, 4, 2, FILO_COLOR_RED, "greek");
    screen(draw, 0);
    assert_true(drawn_by_source.at.x == 3 && drawn_by_source.at.y == 4 && drawn_by_source.scale == 2);
    assert_true(drawn_by_source.centred && filo_color_equal(drawn_by_source.color, FILO_COLOR_RED));
    assert_true(filo_draw_text_size(draw, "greek").x == 77 && filo_draw_text_size(draw, "latin").x == 40);
    filo_draw_format(draw, 3, 4, 2, FILO_COLOR_RED, "l%d", 7);
    assert_false(drawn_by_source.centred);
    screen(draw, 2);
    gfx2d_draw_set_glyph_source(draw, (FiloGlyphSource){ 0 });
    filo_draw_text(draw, 3, 4, 2, FILO_COLOR_RED, "gr");
    screen(draw, 4);
    gfx2d_draw_destroy(draw);
}

FILO_TEST(without_the_font_no_text_is_drawn) {
    FiloDraw *draw = open_draw();
    gfx.without_font = true;
    filo_draw_text(draw, 0, 0, 1, FILO_COLOR_RED, "text");
    screen(draw, 0);
    gfx2d_draw_destroy(draw);
}

// ---- The picture ----------------------------------------------------------------------------------------

// Draws what is on the screen on black.
static void render(const FiloDraw *draw, const FiloPixels *target) {
    FiloPixels font, page;
    assert_true(gfx2d_font_pixels(&font, NULL));
    assert_true(filo_pixels_create(&page, 512, 768, NULL));
    filo_pixels_copy(&page, font_region.u0, font_region.v0, &font);
    FiloPixels pages[4] = { [3] = page };
    FiloQuadSpan span = gfx2d_draw_screen_quads(draw);
    FiloRaster *raster;
    assert_ok(filo_raster_create(&raster, NULL));
    filo_raster_draw(raster, &(FiloRasterPass){ .target = *target,
                                                .clear = true,
                                                .color = FILO_COLOR_BLACK,
                                                .view = filo_affine2_identity(),
                                                .images = pages,
                                                .image_count = 4,
                                                .spans = &span,
                                                .span_count = 1 });
    filo_raster_destroy(raster);
    filo_pixels_free(&page, NULL);
    filo_pixels_free(&font, NULL);
}

// For inspection: FILO_TEST_PICTURE=file.ppm.
static void save_as_ppm(const FiloPixels *pixels) {
    const char *path = getenv("FILO_TEST_PICTURE");
    FILE *file = path != NULL ? fopen(path, "wb") : NULL;
    if (file == NULL) return;
    fprintf(file, "P6 %d %d 255\n", pixels->width, pixels->height);
    for (int y = 0; y < pixels->height; y++)
        for (int x = 0; x < pixels->width; x++) fwrite(filo_pixels_at(pixels, x, y), 1, 3, file);
    fclose(file);
}

static int light(const FiloPixels *pixels, int x, int y) { return filo_pixels_at(pixels, x, y)->g; }

FILO_TEST(letters_and_shapes_are_the_right_way_up_and_have_no_holes) {
    FiloDraw *draw = open_draw();
    FiloPixels pixels;
    assert_true(filo_pixels_create(&pixels, 320, 200, NULL));
    filo_draw_text(draw, 8, 8, 1, FILO_COLOR_WHITE, "Large Ä ÿ: \u20ac");
    filo_draw_text(draw, 8, 32, 2, FILO_COLOR_WHITE, "PLAY again");
    FiloVec2 polygon[] = { { 30, 90 }, { 70, 80 }, { 90, 110 }, { 75, 150 }, { 40, 155 }, { 20, 120 } };
    filo_draw_polygon(draw, polygon, 6, filo_color_from_bytes(255, 255, 255, 100));
    FiloVec2 lines[] = { { 110, 90 }, { 150, 150 }, { 170, 90 }, { 190, 150 }, { 110, 90 } };
    filo_draw_lines(draw, lines, 5, 7, FILO_COLOR_WHITE);
    filo_draw_ring(draw, filo_vec2(250, 120), 35, 6, FILO_COLOR_WHITE);
    filo_draw_triangle(draw, filo_vec2(235, 130), filo_vec2(265, 130), filo_vec2(250, 100), FILO_COLOR_WHITE);
    filo_draw_frame(draw, filo_rect(filo_vec2(200, 10), filo_vec2(300, 60)), 3, FILO_COLOR_WHITE);
    render(draw, &pixels);
    save_as_ppm(&pixels);
    // The letters, pixel for pixel.
    for (int y = 0; y < 16; y++)
        for (int x = 0; x < 8; x++) {
            int expected = (gfx2d_font_rows['L' - 32][y] & 0x80 >> x) != 0 ? 255 : 0;
            assert_int_equal(light(&pixels, 8 + x, 8 + y), expected);
            expected = (gfx2d_font_rows['P' - 32][y] & 0x80 >> x) != 0 ? 255 : 0;
            assert_int_equal(light(&pixels, 8 + 2 * x, 32 + 2 * y), expected);
        }
    // Each pixel of the transparent polygon was drawn once; inside the triangle it is white, above it black.
    for (int y = 100; y < 140; y++)
        for (int x = 45; x < 75; x++) assert_int_equal(light(&pixels, x, y), 100);
    assert_int_equal(light(&pixels, 250, 125), 255);
    assert_int_equal(light(&pixels, 240, 105), 0);
    // The frame is inside.
    assert_true(light(&pixels, 199, 30) == 0 && light(&pixels, 200, 30) == 255 &&
                light(&pixels, 202, 30) == 255);
    assert_true(light(&pixels, 203, 30) == 0 && light(&pixels, 250, 59) == 255 &&
                light(&pixels, 250, 60) == 0);
    filo_pixels_free(&pixels, NULL);
    gfx2d_draw_destroy(draw);
}
