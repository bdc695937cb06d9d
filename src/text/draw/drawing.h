// What a typesetter has to draw with: glyphs, quads, texts of the world.

#ifndef TEXT_DRAW_DRAWING_H
#define TEXT_DRAW_DRAWING_H

#include <filo/query.h>

#include "text/draw/paint.h"

typedef struct TextWorld TextWorld; // world.c

typedef struct TextDrawing {
    FiloTypesetter *setter;
    FiloGfx2d *gfx;
    TextGlyphs *glyphs;
    TextPaint paint;  // of immediate drawing
    FiloBuilder text; // of filo_text_draw_format
    TextWorld *world; // NULL: the renderer draws no texts of a world
    float
        view_scale; // pixels per unit of the first camera of the screen, rounded up to a power of the root of two
} TextDrawing;

// ---- world.c ------------------------------------------------------------------------------------------------

// Draws the texts of a world. NULL without memory.
TextWorld *text_world_create(TextDrawing *drawing, FiloWorld *world);
void text_world_destroy(TextWorld *world); // NULL is allowed
// Adds the batches of all texts to the extraction.
void text_world_extract(TextWorld *world, const FiloExtract *extract);
size_t text_world_rebuilt(const TextWorld *world); // texts that were painted in the last extraction

#endif
