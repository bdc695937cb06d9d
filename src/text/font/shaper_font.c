// Fonts of HarfBuzz. For TrueType and OpenType files it reads the tables itself. The built-in font and bitmap fonts
// have no tables: they answer its questions by the functions here, and are shaped by the same rules as the others (accents are
// combined with their letters, brackets mirrored, pairs kerned).
//
// Most characters that are shown are plain. Their glyphs are in a table, which is faster than those of the file.
//
// All are scaled to the units of their file, so that results are whole numbers and independent of the size.

#include "text/font/font_file.h"

#include <filo/check.h>

#include <harfbuzz/hb-ot.h>

#define BUILT_IN_WIDTH    8
#define BUILT_IN_HEIGHT   16
#define BUILT_IN_BASELINE 12 // from the top

// ---- The built-in font ----------------------------------------------------------------------------------

static hb_bool_t built_in_glyph(hb_font_t *font, void *data, hb_codepoint_t character, hb_codepoint_t *glyph,
                                void *user) {
    FILO_UNUSED(font);
    FILO_UNUSED(data);
    FILO_UNUSED(user);
    bool exists = (character >= 32 && character < 127) || (character >= 160 && character < 256);
    *glyph = exists ? character : 0;
    return exists;
}

static hb_position_t built_in_advance(hb_font_t *font, void *data, hb_codepoint_t glyph, void *user) {
    FILO_UNUSED(font);
    FILO_UNUSED(data);
    FILO_UNUSED(glyph);
    FILO_UNUSED(user);
    return BUILT_IN_WIDTH;
}

static hb_bool_t built_in_extents(hb_font_t *font, void *data, hb_codepoint_t glyph,
                                  hb_glyph_extents_t *extents, void *user) {
    FILO_UNUSED(font);
    FILO_UNUSED(data);
    FILO_UNUSED(glyph);
    FILO_UNUSED(user);
    *extents = (hb_glyph_extents_t){ 0, BUILT_IN_BASELINE, BUILT_IN_WIDTH, -BUILT_IN_HEIGHT };
    return true;
}

// ---- Bitmap fonts ---------------------------------------------------------------------------------------

static hb_bool_t bitmap_glyph(hb_font_t *font, void *data, hb_codepoint_t character, hb_codepoint_t *glyph,
                              void *user) {
    FILO_UNUSED(font);
    FILO_UNUSED(user);
    *glyph = text_bitmap_glyph(((const TextFontFile *)data)->bitmap, character);
    return *glyph != 0;
}

static const TextBitmapGlyph *glyph_of(const TextBitmapFont *font, hb_codepoint_t glyph) {
    return &font->glyphs[glyph < font->glyph_count ? glyph : 0];
}

static hb_position_t bitmap_advance(hb_font_t *font, void *data, hb_codepoint_t glyph, void *user) {
    FILO_UNUSED(font);
    FILO_UNUSED(user);
    return glyph_of(((const TextFontFile *)data)->bitmap, glyph)->advance;
}

static hb_bool_t bitmap_extents(hb_font_t *font, void *data, hb_codepoint_t glyph,
                                hb_glyph_extents_t *extents, void *user) {
    FILO_UNUSED(font);
    FILO_UNUSED(user);
    const TextBitmapFont *bitmap = ((const TextFontFile *)data)->bitmap;
    const TextBitmapGlyph *g = glyph_of(bitmap, glyph);
    *extents = (hb_glyph_extents_t){ g->left, bitmap->base - g->top, g->width, -(int)g->height };
    return true;
}

static hb_position_t bitmap_kerning(hb_font_t *font, void *data, hb_codepoint_t first, hb_codepoint_t second,
                                    void *user) {
    FILO_UNUSED(font);
    FILO_UNUSED(user);
    const TextBitmapFont *bitmap = ((const TextFontFile *)data)->bitmap;
    uint32_t low = 0, high = bitmap->kerning_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const TextKerning *k = &bitmap->kernings[middle];
        if (k->first < first || (k->first == first && k->second < second))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == bitmap->kerning_count) return 0;
    const TextKerning *k = &bitmap->kernings[low];
    return k->first == first && k->second == second ? k->amount : 0;
}

// ---- Plain characters -----------------------------------------------------------------------------------

static hb_bool_t plain_glyph(hb_font_t *font, void *data, hb_codepoint_t character, hb_codepoint_t *glyph,
                             void *user) {
    FILO_UNUSED(user);
    if (character >= TEXT_PLAIN_END)
        return hb_font_get_nominal_glyph(hb_font_get_parent(font), character, glyph);
    *glyph = ((const uint32_t *)data)[character];
    return *glyph != 0;
}

// The same for a text, up to the first character that has no glyph. The distance between characters, and between glyphs,
// is in bytes.
static unsigned plain_glyphs(hb_font_t *font, void *data, unsigned count, const hb_codepoint_t *characters,
                             unsigned character_step, hb_codepoint_t *glyphs, unsigned glyph_step,
                             void *user) {
    const char *from = (const char *)characters;
    char *to = (char *)glyphs;
    for (unsigned i = 0; i < count; i++, from += character_step, to += glyph_step) {
        hb_codepoint_t character, glyph;
        memcpy(&character, from, sizeof character);
        if (!plain_glyph(font, data, character, &glyph, user)) return i;
        memcpy(to, &glyph, sizeof glyph);
    }
    return count;
}

// ---- Creating -------------------------------------------------------------------------------------------

static hb_font_funcs_t *create_functions(TextFontKind kind) {
    hb_font_funcs_t *functions = hb_font_funcs_create();
    bool bitmap = kind == TEXT_FONT_BITMAP;
    hb_font_funcs_set_nominal_glyph_func(functions, bitmap ? bitmap_glyph : built_in_glyph, NULL, NULL);
    hb_font_funcs_set_glyph_h_advance_func(functions, bitmap ? bitmap_advance : built_in_advance, NULL, NULL);
    hb_font_funcs_set_glyph_extents_func(functions, bitmap ? bitmap_extents : built_in_extents, NULL, NULL);
    if (bitmap) hb_font_funcs_set_glyph_h_kerning_func(functions, bitmap_kerning, NULL, NULL);
    hb_font_funcs_make_immutable(functions);
    return functions;
}

static hb_font_t *create_font(const TextFontFile *file, const TextFont *style) {
    hb_font_t *font = hb_font_create(file->face);
    if (font == hb_font_get_empty()) return NULL;
    if (file->kind != TEXT_FONT_OUTLINE) {
        int units = (int)file->units_per_em;
        hb_font_funcs_t *functions = create_functions(file->kind);
        hb_font_set_scale(font, units, units);
        hb_font_set_funcs(font, functions, (void *)file, NULL);
        hb_font_funcs_destroy(functions);
    }
    if (style->axes.count > 0) hb_font_set_variations(font, style->axes.items, style->axes.count);
    if (style->slanted) hb_font_set_synthetic_slant(font, TEXT_SLANT);
    hb_font_make_immutable(font);
    return font;
}

// A font that finds plain characters in the table, and is `parent` otherwise. NULL without memory.
static hb_font_t *create_plain_font(hb_font_t *parent, uint32_t *plain) {
    hb_font_t *font = hb_font_create_sub_font(parent);
    if (font == hb_font_get_empty()) return NULL;
    hb_font_funcs_t *functions = hb_font_funcs_create();
    hb_font_funcs_set_nominal_glyph_func(functions, plain_glyph, NULL, NULL);
    hb_font_funcs_set_nominal_glyphs_func(functions, plain_glyphs, NULL, NULL);
    hb_font_funcs_make_immutable(functions);
    hb_font_set_funcs(font, functions, plain, NULL);
    hb_font_funcs_destroy(functions);
    hb_font_make_immutable(font);
    return font;
}

hb_font_t *text_shaper_font_create(const TextFontFile *file, const TextFont *style, uint32_t *plain) {
    hb_font_t *parent = create_font(file, style), *font = parent;
    if (parent != NULL && file->kind == TEXT_FONT_OUTLINE && !style->slanted) {
        font = create_plain_font(parent, plain);
        hb_font_destroy(parent); // the other one retains it
    }
    if (font == NULL) {
        filo_out_of_memory("text", 0, "HarfBuzz has no memory for a font");
        return NULL;
    }
    for (uint32_t c = 0; c < TEXT_PLAIN_END; c++) {
        hb_codepoint_t glyph;
        plain[c] = hb_font_get_nominal_glyph(parent, c, &glyph) ? glyph : 0;
    }
    if (plain[0xA0] == 0) plain[0xA0] = plain[' ']; // many fonts lack the no-break space
    return font;
}

TextFontFile *text_built_in_create(const FiloAllocator *allocator) {
    TextFontFile *file = text_font_file_create(TEXT_FONT_BUILT_IN, allocator);
    if (file == NULL) return NULL;
    file->units_per_em = BUILT_IN_HEIGHT;
    file->ascent = BUILT_IN_BASELINE;
    file->descent = BUILT_IN_HEIGHT - BUILT_IN_BASELINE;
    file->underline_y = -1.0f;
    file->strike_y = 5.0f;
    file->underline_width = file->strike_width = 1.0f;
    return file;
}
