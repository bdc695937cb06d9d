// Any bytes as a font: refused with a message, or usable for a text. A first byte of 1 means that the rest changes bytes
// of an installed font: three for the place, one for the value. So there is something to break without a font among
// the seeds.

#include "text/glyphs/rasterise.h"
#include "text/typesetter.h"

#include <filo/files.h>
#include <filo/log.h>

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const fonts[] = { "NotoSansDevanagari-Regular.ttf", "NotoSansArabic-Regular.ttf",
                                     "DejaVuSansMono.ttf" };
static FiloFileData files[FILO_COUNT_OF(fonts)];

static void read_fonts(void) {
    static bool done;
    if (done) return;
    done = true;
    filo_log_set_filter(FILO_LOG_TERMINAL, "off");
    for (size_t i = 0; i < FILO_COUNT_OF(fonts); i++) {
        char path[FILO_PATH_SIZE];
        if (filo_font_find(path, sizeof path, fonts[i]).code == FILO_OK)
            (void)filo_file_read(&files[i], path, NULL);
    }
}

// Pictures of the glyphs of a layout, in all ways in which they are drawn.
static void make_pictures(const FiloTypesetter *setter, const FiloTextLayout *layout) {
    size_t count;
    const FiloTextGlyph *glyphs = filo_text_glyphs(layout, &count);
    TextRasteriser *rasteriser = text_rasteriser_create(filo_heap());
    if (rasteriser == NULL) abort();
    for (size_t i = 0; i < count; i += 3) {
        const TextFont *font = text_font_at(setter, glyphs[i].font);
        TextGlyphRequest request = { .file = font->file,
                                     .glyph = glyphs[i].glyph,
                                     .mode = (TextGlyphMode)(i / 3 % 4),
                                     .bold = font->bold,
                                     .slanted = i % 2 == 0,
                                     .axes = font->axes,
                                     .size = i % 5 == 0 ? 192 : 48 };
        TextGlyphImage image;
        if (text_rasterise(rasteriser, &request, &image)) filo_pixels_free(&image.pixels, filo_heap());
    }
    text_rasteriser_destroy(rasteriser);
}

static void try_font(const uint8_t *bytes, size_t size) {
    FiloTypesetter *setter;
    if (filo_typesetter_create(&setter, &(FiloTypesetterDesc){ 0 }).code != FILO_OK) abort();
    FiloResult r = filo_text_add_font(setter, "fuzz", bytes, size);
    if (r.code == FILO_OK) {
        FiloTextStyle style = {
            .font = filo_name("fuzz"), .width = 120, .bold = size % 2 == 1, .axes = "wdth 75, GRAD 9"
        };
        const FiloTextLayout *layout =
            filo_text_layout(setter, &style, FILO_STRING("Office ABC AVA ffi é الكِتاب لا यात्रा क्षि र्क 12"));
        if (layout == NULL) abort();
        FiloRect bounds = filo_text_bounds(layout);
        if (!isfinite(bounds.min.x) || !isfinite(bounds.max.x) || !isfinite(bounds.max.y)) abort();
        for (size_t byte = 0; byte < 80; byte++) (void)filo_text_caret(layout, byte);
        make_pictures(setter, layout);
    } else if (r.message[0] == '\0') {
        abort();
    }
    filo_typesetter_destroy(setter);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    read_fonts();
    if (size < 2 || data[0] != 1) {
        try_font(data, size);
        return 0;
    }
    const FiloFileData *file = &files[data[1] % FILO_COUNT_OF(fonts)];
    if (file->size == 0) return 0;
    uint8_t *copy = malloc(file->size);
    if (copy == NULL) return 0;
    memcpy(copy, file->bytes, file->size);
    for (size_t i = 2; i + 4 <= size; i += 4) {
        size_t at = (size_t)data[i] << 16 | (size_t)data[i + 1] << 8 | data[i + 2];
        copy[at % file->size] = data[i + 3];
    }
    try_font(copy, file->size);
    free(copy);
    return 0;
}
