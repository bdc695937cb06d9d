// Web fonts and variable fonts. The files are made by tests/text/fonts/make.py.

#include "text/fixture.h"

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
