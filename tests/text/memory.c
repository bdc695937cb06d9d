// Memory that runs out while fonts are read and pictures of glyphs are made: reported as such, and tried again.

#include "support/failing_allocator.h"
#include "text/fixture.h"
#include "text/font/font_file.h"
#include "text/glyphs/rasterise.h"

static FiloFileData read_font(const char *file) {
    FiloFileData data;
    assert_ok(filo_log_set_filter(FILO_LOG_TERMINAL, "off"));
    assert_ok(filo_file_read(&data, font_path(file), NULL));
    return data;
}

static TextFontFile *open_font(const FiloFileData *data, const FiloAllocator *allocator, FiloResult *r) {
    TextFontFile *file;
    *r = text_font_file_read(
        &file,
        &(FiloAssetBytes){ .name = "f", .bytes = data->bytes, .size = data->size, .allocator = allocator });
    return file;
}

// No allocation that fails makes a good font a damaged one.
static void read_without_memory(const char *name) {
    FiloFileData data = read_font(name);
    bool more = true;
    size_t failures = 0;
    for (size_t fail_at = 0; more; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, fail_at);
        FiloResult r;
        uint64_t before = filo_out_of_memory_count();
        TextFontFile *file = open_font(&data, &failing.allocator, &r);
        more = failing.calls > fail_at;
        if (more) {
            assert_error(r, FILO_ERROR_MEMORY, "f: no memory ");
            assert_true(filo_out_of_memory_count() > before);
            assert_null(file);
            failures++;
        } else {
            assert_ok(r);
        }
        text_font_file_release(file);
        assert_int_equal(failing.blocks, 0);
    }
    assert_true(failures > 20); // those of FreeType too
    filo_file_free(&data);
}

FILO_TEST(a_font_without_memory_is_not_called_damaged) {
    read_without_memory(DEJAVU);
    read_without_memory(EMOJI);
}

// Makes a glyph with all memory, and then with each of the allocations failing: it is the same picture, or it is told that
// there was no memory. It is never an empty one, which would stay. The same rasteriser makes it the next time.
static void rasterise_without_memory(const char *name, uint32_t character, TextGlyphMode mode, bool bold) {
    FiloFileData data = read_font(name);
    FiloResult r;
    TextFontFile *file = open_font(&data, filo_heap(), &r);
    assert_ok(r);
    hb_font_t *font = hb_font_create(file->face);
    TextGlyphRequest request = { .file = file, .mode = mode, .bold = bold, .slanted = bold, .size = 48 };
    assert_true(hb_font_get_nominal_glyph(font, character, &request.glyph));
    hb_font_destroy(font);
    TextRasteriser *all = text_rasteriser_create(filo_heap());
    TextGlyphImage wanted;
    assert_true(text_rasterise(all, &request, &wanted));
    assert_non_null(wanted.pixels.data);
    bool more = true;
    size_t failures = 0;
    for (size_t fail_at = 0; more; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, fail_at);
        TextRasteriser *rasteriser = text_rasteriser_create(&failing.allocator);
        TextGlyphImage image = { 0 };
        bool made = rasteriser != NULL && text_rasterise(rasteriser, &request, &image);
        more = failing.calls > fail_at;
        assert_int_equal(made, !more);
        if (more) {
            failures++;
            assert_null(image.pixels.data);
            failing_end(&failing);
            if (rasteriser != NULL) assert_true(text_rasterise(rasteriser, &request, &image));
        }
        if (image.pixels.data != NULL)
            assert_int_equal(filo_pixels_compare(&image.pixels, &wanted.pixels, 0).pixels, 0);
        filo_pixels_free(&image.pixels, &failing.allocator);
        text_rasteriser_destroy(rasteriser);
        assert_int_equal(failing.blocks, 0);
    }
    assert_true(failures > 20);
    filo_pixels_free(&wanted.pixels, filo_heap());
    text_rasteriser_destroy(all);
    text_font_file_release(file);
    filo_file_free(&data);
}

FILO_TEST(coverage_without_memory_is_made_later) {
    rasterise_without_memory(DEJAVU, 0xE9, TEXT_GLYPH_COVERAGE, false);
    rasterise_without_memory(DEJAVU, 'g', TEXT_GLYPH_COVERAGE, true);
    rasterise_without_memory(DEJAVU, 'g', TEXT_GLYPH_MONO, false);
}
FILO_TEST(a_field_without_memory_is_made_later) {
    rasterise_without_memory(DEJAVU, 'g', TEXT_GLYPH_FIELD, true);
}
FILO_TEST(an_emoji_without_memory_is_made_later) {
    rasterise_without_memory(EMOJI, 0x1F680, TEXT_GLYPH_COLOR, false);
}
