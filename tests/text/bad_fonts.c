// Fonts that are cut off or damaged: refused, or used for what is left of them. Neither reads outside of its bytes, which
// the sanitizers watch: the bytes are in a block of exactly their size.

#include "text/fixture.h"
#include "text/glyphs/rasterise.h"

#include <math.h>
#include <stdlib.h>

static const char text[] = "Office AVA é الكتاب यात्रा การ 旅 😀";

// Pictures of the glyphs of a layout, in all ways in which they are drawn. Broken ones are empty.
static void make_pictures(const FiloTypesetter *setter, const FiloTextLayout *layout) {
    size_t count;
    const FiloTextGlyph *glyphs = filo_text_glyphs(layout, &count);
    TextRasteriser *rasteriser = text_rasteriser_create(filo_heap());
    assert_non_null(rasteriser);
    for (size_t i = 0; i < count; i++) {
        const TextFont *font = text_font_at(setter, glyphs[i].font);
        TextGlyphRequest request = { .file = font->file,
                                     .glyph = glyphs[i].glyph,
                                     .mode = (TextGlyphMode)(i % 4),
                                     .size = 40,
                                     .axes = font->axes };
        TextGlyphImage image;
        assert_true(text_rasterise(rasteriser, &request, &image));
        filo_pixels_free(&image.pixels, filo_heap());
    }
    text_rasteriser_destroy(rasteriser);
}

// Adds bytes as a font, and lays out a text if that succeeds.
static bool try_font(const uint8_t *bytes, size_t size) {
    FiloTypesetter *setter = open_setter();
    uint8_t *copy = malloc(size > 0 ? size : 1);
    assert_non_null(copy);
    if (size > 0) memcpy(copy, bytes, size);
    FiloResult r = filo_text_add_font(setter, "f", copy, size);
    free(copy);
    if (r.code == FILO_OK) {
        FiloTextStyle style = {
            .font = filo_name("f"), .width = 100, .underline = true, .axes = "wght 700, wdth 75"
        };
        const FiloTextLayout *layout = lay_out(setter, style, text);
        FiloRect bounds = filo_text_bounds(layout);
        assert_true(isfinite(bounds.max.x) && isfinite(bounds.max.y));
        assert_true(bounds.max.y > bounds.min.y);
        make_pictures(setter, layout);
    } else {
        assert_int_equal(r.code, FILO_ERROR_DATA);
        assert_contains(r.message, "f: not a font that can be used (");
    }
    filo_typesetter_destroy(setter);
    return r.code == FILO_OK;
}

static void cut(const char *file) {
    FiloFileData data;
    assert_ok(filo_file_read(&data, font_path(file), NULL));
    assert_true(try_font(data.bytes, data.size));
    for (size_t size = 0; size < 64; size++) assert_false(try_font(data.bytes, size));
    for (size_t size = 64; size < data.size; size += data.size / 61) try_font(data.bytes, size);
    filo_file_free(&data);
}

static void damage(const char *file, int times) {
    FiloFileData data;
    assert_ok(filo_file_read(&data, font_path(file), NULL));
    uint64_t random = 7;
    for (int i = 0; i < times; i++) {
        uint8_t *copy = malloc(data.size);
        assert_non_null(copy);
        memcpy(copy, data.bytes, data.size);
        for (int k = 0; k < 40; k++) {
            random = filo_hash_u64(random);
            // Half of them in the tables at the beginning.
            size_t at = (size_t)(random >> 16) % (k % 2 == 0 ? FILO_MIN(data.size, (size_t)4096) : data.size);
            copy[at] = (uint8_t)random;
        }
        try_font(copy, data.size);
        free(copy);
    }
    filo_file_free(&data);
}

FILO_TEST(truetype_that_is_cut_off) { cut(DEJAVU); }
FILO_TEST(arabic_that_is_cut_off) { cut(ARABIC); }
FILO_TEST(devanagari_that_is_cut_off) { cut(DEVANAGARI); }
FILO_TEST(truetype_that_is_damaged) { damage(DEJAVU, 60); }
FILO_TEST(arabic_that_is_damaged) { damage(ARABIC, 60); }
FILO_TEST(devanagari_that_is_damaged) { damage(DEVANAGARI, 60); }

static void break_web_font(const char *path) {
    FiloFileData data;
    assert_ok(filo_file_read(&data, path, NULL));
    assert_true(try_font(data.bytes, data.size));
    for (size_t size = 4; size < data.size; size++) assert_false(try_font(data.bytes, size));
    for (size_t i = 0; i < data.size; i++) {
        data.bytes[i] ^= (uint8_t)(1u << i % 8);
        (void)try_font(data.bytes, data.size);
        data.bytes[i] ^= (uint8_t)(1u << i % 8);
    }
    filo_file_free(&data);
}

FILO_TEST(variable_font_that_is_damaged) {
    FiloFileData data;
    assert_ok(filo_file_read(&data, FILO_TEST_SOURCES "/fonts/variable.ttf", NULL));
    for (size_t i = 0; i < data.size * 8; i++) {
        data.bytes[i / 8] ^= (uint8_t)(1u << i % 8);
        (void)try_font(data.bytes, data.size);
        data.bytes[i / 8] ^= (uint8_t)(1u << i % 8);
    }
    filo_file_free(&data);
}

FILO_TEST(web_fonts_that_are_cut_off_or_damaged) {
    break_web_font(FILO_TEST_SOURCES "/fonts/variable.woff");
    break_web_font(FILO_TEST_SOURCES "/fonts/variable.woff2");
}

FILO_TEST(web_font_that_says_it_is_huge_is_refused) {
    static const char bytes[48] = "wOFF\0\1\0\0\0\0\0\x30\0\1\0\0\x7F";
    FiloTypesetter *setter = open_setter();
    assert_error(filo_text_add_font(setter, "f", bytes, sizeof bytes), FILO_ERROR_LIMIT,
                 "f: a font of more than 256 MiB");
    filo_typesetter_destroy(setter);
}

FILO_TEST(what_is_no_font_is_refused) {
    FiloTypesetter *setter = open_setter();
    const struct {
        const char *bytes;
        size_t size;
        const char *message;
    } cases[] = {
        { "", 0, "f: not a font that can be used (it is empty)" },
        { "Hello, this is a text and not a font", 36,
          "f: not a font that can be used (neither TrueType nor OpenType)" },
        { "wOFF\0\1\0\0", 8, "f: not a font that can be used (a web font that is damaged)" },
        { "wOF2\0\1\0\0", 8, "f: not a font that can be used (a web font that is damaged)" },
        { "<?xml version=\"1.0\"?>\n<font>", 28,
          "f: not a font that can be used (a bitmap font in XML: export it in the text format of BMFont)" },
        { "BMF\3\1\0\0", 7,
          "f: not a font that can be used (a binary bitmap font: export it in the text format of BMFont)" },
        { "\0\1\0\0\0\0\0\0\0\0\0\0", 12, "f: not a font that can be used (it has no glyphs)" },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++)
        assert_error(filo_text_add_font(setter, "f", cases[i].bytes, cases[i].size), FILO_ERROR_DATA,
                     cases[i].message);
    assert_int_equal(filo_font_state(setter, filo_name("f")), FILO_FONT_UNKNOWN);
    assert_error(filo_text_load_font(setter, "f", "/no/such/font.ttf"), FILO_ERROR_NOT_FOUND,
                 "/no/such/font.ttf");
    filo_typesetter_destroy(setter);
}
