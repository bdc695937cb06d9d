// Making the picture of a glyph with FreeType. It needs nothing but the bytes of the font, so it runs on any thread.
//
// A TextRasteriser is a library of FreeType with some open faces, whose files it retains. One thread at a time uses it:
// FreeType is not safe with several.

#ifndef TEXT_GLYPHS_RASTERISE_H
#define TEXT_GLYPHS_RASTERISE_H

#include <filo/pixels.h>

#include "text/font/font.h"

typedef enum TextGlyphMode {
    TEXT_GLYPH_COVERAGE, // letters on the screen: how much of each pixel is covered, at the exact size
    TEXT_GLYPH_FIELD,    // a distance field, for any size (FILO_QUAD_DISTANCE)
    TEXT_GLYPH_COLOR,    // a coloured picture, scaled to a size
    TEXT_GLYPH_MONO,     // pixels that are covered or not, for pixel fonts
} TextGlyphMode;

// The em of distance fields, in texels. Very large letters have fields of several times that, so that their corners are
// sharp. Effects reach FILO_QUAD_SPREAD texels, of which one is left for the edge; they are made of the small fields.
#define TEXT_FIELD_EM    48.0f
#define TEXT_FIELD_REACH (7.0f / TEXT_FIELD_EM) // em

typedef struct TextGlyphRequest {
    TextFontFile *file;
    uint32_t glyph;
    TextGlyphMode mode;
    bool bold, slanted; // synthesised
    TextAxes axes;
    float size;   // of the em in pixels
    float offset; // of the origin to the right, in pixels, from 0 to 1: TEXT_GLYPH_COVERAGE
} TextGlyphRequest;

typedef struct TextGlyphImage {
    FiloPixels pixels; // white (coverage, fields) or coloured; no data: nothing is visible
    float left, top;   // from the origin to the upper left corner of the pixels, in pixels; y up
    float em;          // pixels of the em that they were made for
} TextGlyphImage;

typedef struct TextRasteriser TextRasteriser;

TextRasteriser *text_rasteriser_create(const FiloAllocator *allocator); // NULL without memory
void text_rasteriser_destroy(TextRasteriser *rasteriser);               // NULL is allowed

// The pixels are allocated by the allocator of the rasteriser. Glyphs that the font lacks, or that are broken, give an
// image without pixels. False without memory.
bool text_rasterise(TextRasteriser *rasteriser, const TextGlyphRequest *request, TextGlyphImage *image);

#endif
