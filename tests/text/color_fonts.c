// Fonts with colours besides NotoColorEmoji: layers of outlines (COLR) and the bitmaps of Apple (sbix), in a font whose pixels
// are known. tests/text/pictures.c has emoji.

#include "support/warnings.h"
#include "text/draw_fixture.h"
#include "text/tiny_font.h"

#include <filo/files.h>

#define SMILE 0x1F600u
#define STAR  0x2B50u

// "A" has an outline, the smile two layers: a red square, and a blue one that is half transparent in its upper right
// quarter.
static TinyFont layered_font(void) {
    return (TinyFont){
        .glyph_count = 6,
        .glyphs = { { 0, 0, 400, 400, 500, 0, { { 0 } }, 0 },
                    { 0, 0, 500, 700, 600, 'A', { { 0 } }, 0 },
                    { 0, 0, 0, 0, 1000, STAR, { { 0 } }, 0 },
                    { 0, 0, 800, 800, 1000, SMILE, { { 4, 0 }, { 5, 1 } }, 2 },
                    { 0, 0, 800, 800, 1000, 0, { { 0 } }, 0 },
                    { 400, 400, 800, 800, 1000, 0, { { 0 } }, 0 } },
        .colors = { { 255, 0, 0, 255 }, { 0, 0, 255, 128 } },
        .color_count = 2,
    };
}

static void add_tiny(Fixture *f, const TinyFont *font) {
    static TinyFile file;
    tiny_write(&file, font);
    assert_ok(filo_text_add_font(f->setter, "tiny", file.bytes, file.size));
}

static FiloTextStyle drawn;
static const char *drawn_text;
static void draw_tiny(Fixture *f) {
    drawn.font = filo_name("tiny"), drawn.vertical = FILO_TEXT_BASELINE;
    filo_text_draw(f->setter, f->draw, filo_vec2(20, 90), &drawn, drawn_text);
}

#define assert_pixel(pixels, x, y, r, g, b)                                                                  \
    filo_test_assert_pixel(&(pixels), (x), (y), filo_color((r), (g), (b), 255), __LINE__)
static void filo_test_assert_pixel(const FiloPixels *pixels, int x, int y, FiloColor wanted, int line) {
    FiloColor c = *filo_pixels_at(pixels, x, y);
    if (abs(c.r - wanted.r) > 2 || abs(c.g - wanted.g) > 2 || abs(c.b - wanted.b) > 2)
        fail_msg("line %d: the pixel at %d, %d is %d %d %d", line, x, y, c.r, c.g, c.b);
}

static void check_smile(Backend backend) {
    Fixture f = fixture_open((FixtureDesc){ .backend = backend, .threads = 2, .width = 160, .height = 110 });
    TinyFont font = layered_font();
    add_tiny(&f, &font);
    drawn = (FiloTextStyle){ .size = 80, .color = FILO_COLOR_GREEN };
    drawn_text = "\xF0\x9F\x98\x80";
    FiloPixels p = picture_of(&f, draw_tiny);
    save_picture(p, backend == ON_CPU ? "layers" : "layers_gl");
    assert_pixel(p, 40, 60, 255, 0, 0); // the colour of the text does not tint it
    assert_pixel(p, 68, 40, 127, 0, 128);
    assert_pixel(p, 17, 60, 0, 0, 0);
    assert_pixel(p, 87, 60, 0, 0, 0);
    assert_pixel(p, 40, 93, 0, 0, 0);
    // It fades with the text.
    drawn.color = filo_color_fade(FILO_COLOR_WHITE, 0.5f);
    p = picture_of(&f, draw_tiny);
    assert_pixel(p, 40, 60, 128, 0, 0);
    fixture_close(&f);
}
FILO_TEST(layers_of_colour_are_drawn_on_the_cpu) { check_smile(ON_CPU); }
FILO_TEST(layers_of_colour_are_drawn_by_gl_45) { check_smile(ON_GL45); }
FILO_TEST(layers_of_colour_are_drawn_by_gl_33) { check_smile(ON_GL33); }

FILO_TEST(letters_of_a_coloured_font_without_layers_have_the_colour_of_the_text) {
    Fixture f = fixture_open((FixtureDesc){ .width = 160, .height = 110 });
    TinyFont font = layered_font();
    add_tiny(&f, &font);
    drawn = (FiloTextStyle){ .size = 80, .color = FILO_COLOR_GREEN };
    drawn_text = "A";
    FiloPixels p = picture_of(&f, draw_tiny);
    assert_pixel(p, 40, 60, FILO_COLOR_GREEN.r, FILO_COLOR_GREEN.g, FILO_COLOR_GREEN.b);
    drawn.outline = 0.05f, drawn.outline_color = FILO_COLOR_BLUE;
    p = picture_of(&f, draw_tiny);
    assert_pixel(p, 18, 60, FILO_COLOR_BLUE.r, FILO_COLOR_BLUE.g, FILO_COLOR_BLUE.b);
    fixture_close(&f);
}

// Large emoji of layers are as sharp as their picture: the edge is at most two pixels wide.
FILO_TEST(layers_are_sharp_at_a_large_size) {
    Fixture f = fixture_open((FixtureDesc){ .width = 400, .height = 300 });
    TinyFont font = layered_font();
    add_tiny(&f, &font);
    drawn = (FiloTextStyle){ .size = 256 };
    drawn_text = "\xF0\x9F\x98\x80";
    FiloPixels p = picture_of(&f, draw_tiny);
    int edge = 0;
    for (int x = 180; x < 260; x++) {
        uint8_t red = filo_pixels_at(&p, x, 80)->r;
        edge += red > 4 && red < 250;
    }
    assert_in_range(edge, 0, 2);
    fixture_close(&f);
}

FILO_TEST(bitmaps_of_apple_are_drawn) {
    FiloPixels star;
    assert_true(filo_pixels_create(&star, 40, 40, NULL));
    filo_pixels_fill(&star, FILO_COLOR_YELLOW);
    assert_ok(filo_image_save(&star, filo_test_path("star.png")));
    filo_pixels_free(&star, NULL);
    FiloFileData png;
    assert_ok(filo_file_read(&png, filo_test_path("star.png"), NULL));
    TinyFont font = layered_font();
    font.color_count = 0;
    font.png = png.bytes, font.png_bytes = png.size, font.png_glyph = 2, font.png_size = 40;
    Fixture f = fixture_open((FixtureDesc){ .width = 240, .height = 110 });
    add_tiny(&f, &font);
    drawn = (FiloTextStyle){ .size = 40, .color = FILO_COLOR_GREEN };
    drawn_text = "\xE2\xAD\x90";
    FiloPixels p = picture_of(&f, draw_tiny);
    save_picture(p, "sbix");
    assert_pixel(p, 40, 70, FILO_COLOR_YELLOW.r, FILO_COLOR_YELLOW.g, FILO_COLOR_YELLOW.b);
    filo_file_free(&png);
    fixture_close(&f);
}

// Gradients are not drawn: the font is not taken for emoji, and says why.
FILO_TEST(colours_of_another_format_are_reported) {
    Fixture f = fixture_open((FixtureDesc){ .width = 160, .height = 110 });
    TinyFont font = layered_font();
    font.color_version = 1, font.glyphs[3].layer_count = 0;
    expect_warning(
        "tiny: its colours are in a format that is not shown (COLR version 1 or SVG): use a version of "
        "the font with bitmaps (CBDT, sbix) or COLR version 0",
        add_tiny(&f, &font));
    drawn = (FiloTextStyle){ .size = 80, .color = FILO_COLOR_GREEN };
    drawn_text = "\xF0\x9F\x98\x80";
    FiloPixels p = picture_of(&f, draw_tiny);
    assert_pixel(p, 40, 60, FILO_COLOR_GREEN.r, FILO_COLOR_GREEN.g, FILO_COLOR_GREEN.b); // its outline
    fixture_close(&f);
}
