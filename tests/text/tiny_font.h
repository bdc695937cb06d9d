// Writes the file of a small TrueType font whose glyphs are rectangles, also with colours: layers (COLR and CPAL) and
// bitmaps (sbix). So every pixel of a picture of it is known.

#ifndef FILO_TEST_TEXT_TINY_FONT_H
#define FILO_TEST_TEXT_TINY_FONT_H

#include "support/test.h"

#include <filo/color.h>

#define TINY_EM       1000
#define TINY_GLYPHS   16
#define TINY_BYTES    65536
#define TINY_NO_GLYPH 0xFFFF

typedef struct TinyGlyph {
    int16_t x0, y0, x1, y1; // of the rectangle, y up; all zero: empty
    uint16_t advance;
    uint32_t character;    // 0: none
    uint16_t layers[2][2]; // glyph and colour, from back to front
    int layer_count;
} TinyGlyph;

typedef struct TinyFont {
    TinyGlyph glyphs[TINY_GLYPHS]; // [0]: the sign for missing characters; ordered by character
    int glyph_count;
    FiloColor colors[4]; // straight alpha
    int color_count;
    int color_version;  // of COLR; 1: without anything in it
    const uint8_t *png; // of `png_glyph`, for an em of `png_size` pixels
    size_t png_bytes;
    int png_glyph, png_size;
} TinyFont;

typedef struct TinyFile {
    uint8_t bytes[TINY_BYTES];
    size_t size;
} TinyFile;

static inline void tiny_put(TinyFile *f, uint32_t value, int bytes) {
    assert_true(f->size + 4 <= sizeof f->bytes);
    for (int i = bytes - 1; i >= 0; i--) f->bytes[f->size++] = (uint8_t)(value >> 8 * i);
}
static inline void tiny_set(TinyFile *f, size_t at, uint32_t value, int bytes) {
    size_t end = f->size;
    f->size = at;
    tiny_put(f, value, bytes);
    f->size = end;
}
#define tiny_shorts(file, ...)                                                                               \
    tiny_put_shorts((file), (const int[]){ __VA_ARGS__ }, FILO_COUNT_OF(((const int[]){ __VA_ARGS__ })))
static inline void tiny_put_shorts(TinyFile *f, const int *values, size_t count) {
    for (size_t i = 0; i < count; i++) tiny_put(f, (uint32_t)values[i], 2);
}

static inline void tiny_glyf(TinyFile *f, const TinyFont *font, size_t *offsets) {
    size_t start = f->size;
    for (int i = 0; i < font->glyph_count; i++) {
        const TinyGlyph *g = &font->glyphs[i];
        offsets[i] = f->size - start;
        if (g->x1 == g->x0) continue;
        tiny_shorts(f, 1, g->x0, g->y0, g->x1, g->y1, 3,
                    0);                                // one contour, whose last point is 3; no instructions
        for (int k = 0; k < 4; k++) tiny_put(f, 1, 1); // on the curve, distances of two bytes
        tiny_shorts(f, g->x0, 0, g->x1 - g->x0, 0, g->y0, g->y1 - g->y0, 0, g->y0 - g->y1);
    }
    offsets[font->glyph_count] = f->size - start;
}

static inline void tiny_cmap(TinyFile *f, const TinyFont *font) {
    size_t start = f->size;
    int count = 0;
    tiny_shorts(f, 0, 1, 3, 10, 0, 12, 12, 0); // one table, of all of Unicode, in format 12
    tiny_put(f, 0, 4);
    tiny_put(f, 0, 4);
    tiny_put(f, 0, 4);
    for (int i = 1; i < font->glyph_count; i++) {
        if (font->glyphs[i].character == 0) continue;
        tiny_put(f, font->glyphs[i].character, 4);
        tiny_put(f, font->glyphs[i].character, 4);
        tiny_put(f, (uint32_t)i, 4);
        count++;
    }
    tiny_set(f, start + 16, (uint32_t)(f->size - start - 12), 4);
    tiny_set(f, start + 24, (uint32_t)count, 4);
}

static inline void tiny_colr(TinyFile *f, const TinyFont *font) {
    int bases = 0, layers = 0;
    for (int i = 0; i < font->glyph_count; i++)
        bases += font->glyphs[i].layer_count > 0, layers += font->glyphs[i].layer_count;
    tiny_shorts(f, font->color_version, bases, 0, 14, 0, 14 + bases * 6, layers);
    for (int i = 0, first = 0; i < font->glyph_count; first += font->glyphs[i++].layer_count)
        if (font->glyphs[i].layer_count > 0) tiny_shorts(f, i, first, font->glyphs[i].layer_count);
    for (int i = 0; i < font->glyph_count; i++)
        for (int k = 0; k < font->glyphs[i].layer_count; k++)
            tiny_shorts(f, font->glyphs[i].layers[k][0], font->glyphs[i].layers[k][1]);
    if (font->color_version == 1) // no lists of gradients
        for (int i = 0; i < 5; i++) tiny_put(f, 0, 4);
}

static inline void tiny_cpal(TinyFile *f, const TinyFont *font) {
    tiny_shorts(f, 0, font->color_count, 1, font->color_count, 0, 14, 0);
    for (int i = 0; i < font->color_count; i++) {
        FiloColor c = font->colors[i];
        const uint8_t bytes[] = { c.b, c.g, c.r, c.a };
        for (int k = 0; k < 4; k++) tiny_put(f, bytes[k], 1);
    }
}

static inline void tiny_sbix(TinyFile *f, const TinyFont *font) {
    tiny_shorts(f, 1, 1, 0, 1, 0, 12); // one size, at byte 12
    tiny_shorts(f, font->png_size, 72);
    size_t at = 4 + 4 * ((size_t)font->glyph_count + 1);
    for (int i = 0; i <= font->glyph_count; i++)
        tiny_put(f, (uint32_t)(i > font->png_glyph ? at + 8 + font->png_bytes : at), 4);
    tiny_shorts(f, 0, 0);
    tiny_put(f, 0x706E6720, 4); // "png "
    for (size_t i = 0; i < font->png_bytes; i++) tiny_put(f, font->png[i], 1);
}

static inline void tiny_metrics(TinyFile *f, const TinyFont *font, const char *table) {
    if (strcmp(table, "head") == 0) {
        tiny_shorts(f, 1, 0, 1, 0, 0, 0, 0x5F0F, 0x3CF5, 0, TINY_EM);
        for (int i = 0; i < 4; i++) tiny_put(f, 0, 4);        // created, modified
        tiny_shorts(f, 0, -200, TINY_EM, 800, 0, 8, 2, 1, 0); // long offsets
    } else if (strcmp(table, "hhea") == 0) {
        tiny_shorts(f, 1, 0, 800, -200, 0, TINY_EM, 0, 0, TINY_EM, 1, 0, 0, 0, 0, 0, 0, 0, font->glyph_count);
    } else if (strcmp(table, "hmtx") == 0) {
        for (int i = 0; i < font->glyph_count; i++)
            tiny_shorts(f, font->glyphs[i].advance, font->glyphs[i].x0);
    } else {
        tiny_shorts(f, 1, 0, font->glyph_count, 4, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0); // maxp
    }
}

// Writes all tables, in the order of their names.
static inline void tiny_write(TinyFile *f, const TinyFont *font) {
    const char *names[10];
    int count = 0;
    if (font->color_count > 0) names[count++] = "COLR", names[count++] = "CPAL";
    const char *const always[] = { "cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp" };
    for (size_t i = 0; i < FILO_COUNT_OF(always); i++) names[count++] = always[i];
    if (font->png != NULL) names[count++] = "sbix";
    size_t offsets[TINY_GLYPHS + 1] = { 0 };
    f->size = 0;
    tiny_shorts(f, 1, 0, count, 128, 3, count * 16 - 128);
    f->size += (size_t)count * 16;
    for (int i = 0; i < count; i++) {
        size_t start = f->size, row = 12 + (size_t)i * 16;
        const char *name = names[i];
        if (strcmp(name, "COLR") == 0)
            tiny_colr(f, font);
        else if (strcmp(name, "CPAL") == 0)
            tiny_cpal(f, font);
        else if (strcmp(name, "cmap") == 0)
            tiny_cmap(f, font);
        else if (strcmp(name, "glyf") == 0)
            tiny_glyf(f, font, offsets);
        else if (strcmp(name, "sbix") == 0)
            tiny_sbix(f, font);
        else if (strcmp(name, "loca") == 0)
            for (int k = 0; k <= font->glyph_count; k++) tiny_put(f, (uint32_t)offsets[k], 4);
        else
            tiny_metrics(f, font, name);
        memcpy(f->bytes + row, name, 4);
        tiny_set(f, row + 8, (uint32_t)start, 4);
        tiny_set(f, row + 12, (uint32_t)(f->size - start), 4);
        while (f->size % 4 != 0) tiny_put(f, 0, 1);
    }
}

#endif
