// Web fonts and variable fonts. The files are made by tests/text/fonts/make.py.

#include "text/fixture.h"
#include "text/glyphs/rasterise.h"

#include "support/warnings.h"

#define VARIABLE FILO_TEST_SOURCES "/fonts/variable.ttf"

FILO_TEST(web_fonts_are_the_font_that_they_were_made_of) {
    static const char *const files[] = { FILO_TEST_SOURCES "/fonts/variable.woff",
                                         FILO_TEST_SOURCES "/fonts/variable.woff2" };
    FiloTypesetter *setter = open_setter();
    assert_ok(filo_text_load_font(setter, "ttf", VARIABLE));
    FiloTextStyle style = { .font = filo_name("ttf"), .size = 1000 };
    size_t wanted_count, count;
    const FiloTextGlyph *wanted = filo_text_glyphs(lay_out(setter, style, "AB C"), &wanted_count);
    for (size_t i = 0; i < FILO_COUNT_OF(files); i++) {
        assert_ok(filo_text_load_font(setter, files[i], files[i]));
        style.font = filo_name(files[i]);
        const FiloTextGlyph *glyphs = filo_text_glyphs(lay_out(setter, style, "AB C"), &count);
        assert_int_equal(count, wanted_count);
        for (size_t g = 0; g < count; g++) {
            assert_int_equal(glyphs[g].glyph, wanted[g].glyph);
            assert_true(glyphs[g].x == wanted[g].x && glyphs[g].y == wanted[g].y);
        }
    }
    filo_typesetter_destroy(setter);
}

static FiloTypesetter *open_variable(void) {
    FiloTypesetter *setter = open_setter();
    assert_ok(filo_text_load_font(setter, "v", VARIABLE));
    filo_text_set_default_font(setter, filo_name("v"));
    return setter;
}

// Of "A" in units of the font: 500, and 90 more at a weight of 900, 400 more at a width of 200.
static float width_of(FiloTypesetter *setter, FiloTextStyle style, const char *text) {
    style.size = 1000;
    return filo_text_size(setter, &style, text).x;
}

static const TextFont *font_of(FiloTypesetter *setter, FiloTextStyle style, const char *text) {
    size_t count;
    const FiloTextGlyph *glyphs = filo_text_glyphs(lay_out(setter, style, text), &count);
    assert_true(count > 0);
    return text_font_at(setter, glyphs[0].font);
}

FILO_TEST(bold_is_a_weight_where_the_font_has_that_axis) {
    FiloTypesetter *setter = open_variable();
    assert_true(width_of(setter, PLAIN(.bold = true), "A") == 554);
    assert_false(font_of(setter, PLAIN(.bold = true), "A")->bold);
    assert_true(width_of(setter, PLAIN(.bold = true, .axes = "wght 300"), "A") == 554);
    assert_true(width_of(setter, PLAIN(.bold = true, .axes = "wght 900"), "A") == 590);
    filo_typesetter_destroy(setter);
}

FILO_TEST(heavy_weights_are_bold_where_a_font_has_no_axis) {
    FiloTypesetter *setter = open_setter_with(DEJAVU);
    assert_true(font_of(setter, PLAIN(.axes = "wght 600"), "A")->bold);
    assert_false(font_of(setter, PLAIN(.axes = "wght 599"), "A")->bold);
    assert_int_equal(font_of(setter, PLAIN(.axes = "wght 500, GRAD 3"), "A")->index,
                     font_of(setter, PLAIN(0), "A")->index);
    filo_typesetter_destroy(setter);
}

FILO_TEST(axes_of_a_style_come_before_those_of_its_family) {
    FiloTypesetter *setter = open_variable();
    assert_ok(filo_text_add_family(
        setter, &(FiloFontFamily){ .name = "wide", .regular = "v", .axes = "wdth 200, wght 900" }));
    FiloName wide = filo_name("wide");
    assert_true(width_of(setter, PLAIN(.font = wide), "A") == 990);
    assert_true(width_of(setter, PLAIN(.font = wide, .axes = "wght 400"), "A") == 900);
    expect_mistake(
        "the axes of the family x cannot be read, \"heavy\": write \"wght 650, wdth 80\"",
        filo_text_add_family(setter, &(FiloFontFamily){ .name = "x", .regular = "v", .axes = "heavy" }));
    filo_typesetter_destroy(setter);
}

FILO_TEST(axes_in_mark_up_are_nested) {
    FiloTypesetter *setter = open_variable();
    FiloTextStyle style = { .markup = true };
    assert_true(width_of(setter, style, "[axes=wdth 200]A[axes=wght 900]A[/axes]A[/axes]A") ==
                900 + 990 + 900 + 500);
    assert_true(width_of(setter, style, "[b]A[/b][axes=wght=700]A[/axes]") == 554 + 554);
    style.axes = "wdth 200";
    assert_true(width_of(setter, style, "A[axes=wght 900]A") == 900 + 990);
    assert_int_equal(filo_text_letter_count(lay_out(setter, style, "[axes=7]A")), 9); // shown as it is
    filo_typesetter_destroy(setter);
}

FILO_TEST(layouts_differ_by_axes) {
    FiloTypesetter *setter = open_variable();
    const FiloTextLayout *plain = lay_out(setter, PLAIN(0), "A");
    const FiloTextLayout *heavy = lay_out(setter, PLAIN(.axes = "wght 800"), "A");
    assert_ptr_not_equal(plain, heavy);
    assert_ptr_equal(lay_out(setter, PLAIN(0), "A"), plain);
    assert_ptr_equal(lay_out(setter, PLAIN(.axes = "wght=800"), "A"), heavy);
    size_t fonts = filo_text_stats(setter).fonts;
    (void)lay_out(setter, PLAIN(.axes = "wght 400, wdth 100"), "A"); // the default
    (void)lay_out(setter, PLAIN(.axes = "wght 800, XXXX 1"), "A");
    assert_int_equal(filo_text_stats(setter).fonts, fonts);
    filo_typesetter_destroy(setter);
}

FILO_TEST(axes_that_cannot_be_read_are_reported_once) {
    FiloTypesetter *setter = open_variable();
    assert_ok(filo_log_set_filter(FILO_LOG_TERMINAL, "error"));
    expect_warning("the axes of a style cannot be read, \"wght\": write \"wght 650, wdth 80\"", {
        assert_true(width_of(setter, PLAIN(.axes = "wght"), "A") == 500);
        assert_true(width_of(setter, PLAIN(.axes = "wght x"), "A") == 500);
    });
    filo_typesetter_destroy(setter);
}

FILO_TEST(more_axes_than_there_is_room_for_show_the_default) {
    FiloTypesetter *setter = open_variable();
    char axes[32];
    for (int i = 0; i < 1200; i++) {
        snprintf(axes, sizeof axes, "wdth %g", 100 + i / 16.0);
        float width = width_of(setter, PLAIN(.axes = axes), "A");
        assert_true(i < 1000 ? width > 499 + (float)i / 4 : width >= 500);
    }
    assert_true(width_of(setter, PLAIN(.axes = "wdth 199"), "A") == 500);
    filo_typesetter_destroy(setter);
}

// The right side of the box of "A" is at 150, 300 further at a weight of 900, 200 at a grade of 100.
static int pixels_of(TextRasteriser *rasteriser, const TextFont *font) {
    TextGlyphRequest request = {
        .file = font->file, .glyph = 2, .mode = TEXT_GLYPH_COVERAGE, .size = 1000, .axes = font->axes
    };
    TextGlyphImage image;
    assert_true(text_rasterise(rasteriser, &request, &image));
    int width = image.pixels.width;
    filo_pixels_free(&image.pixels, filo_heap());
    return width;
}

FILO_TEST(pictures_are_at_the_axes) {
    FiloTypesetter *setter = open_variable();
    TextRasteriser *rasteriser = text_rasteriser_create(filo_heap());
    assert_non_null(rasteriser);
    for (int i = 0; i < 2; i++) { // faces that are open are used again
        assert_int_equal(pixels_of(rasteriser, font_of(setter, PLAIN(0), "A")), 100);
        assert_int_equal(pixels_of(rasteriser, font_of(setter, PLAIN(.axes = "wght 900"), "A")), 400);
        assert_int_equal(pixels_of(rasteriser, font_of(setter, PLAIN(.axes = "GRAD 50"), "A")), 200);
        assert_int_equal(pixels_of(rasteriser, font_of(setter, PLAIN(.bold = true), "A")), 280);
    }
    text_rasteriser_destroy(rasteriser);
    filo_typesetter_destroy(setter);
}
