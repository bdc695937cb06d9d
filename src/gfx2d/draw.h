// Drawing at once: the lists that filo_draw_… fill, for the renderer to draw.

#ifndef FILO_GFX2D_DRAW_H
#define FILO_GFX2D_DRAW_H

#include <filo/draw.h>
#include <filo/gfx2d.h>

// Quads in world units that belong to one layer, in the order of drawing.
typedef struct FiloDrawRun {
    uint8_t layer;
    size_t first, count; // in the list of quads for the world
} FiloDrawRun;

FiloResult filo_draw_create(FiloDraw **draw, FiloGfx2d *gfx, const FiloAllocator *allocator);
void filo_draw_destroy(FiloDraw *draw);
// Empties both lists: a new frame of this size begins. Memory is kept.
void filo_draw_begin(FiloDraw *draw, int width, int height);

// What is drawn in the world from now on begins a run of its own: what was there has been drawn.
void filo_draw_seal(FiloDraw *draw);

// In pixels of the screen, y down; over everything.
FiloQuadSpan filo_draw_screen_quads(const FiloDraw *draw);
// In world units; runs are in the order of the calls, and may name a layer several times.
FiloQuadSpan filo_draw_world_quads(const FiloDraw *draw);
const FiloDrawRun *filo_draw_world_runs(const FiloDraw *draw, size_t *count);

// The built-in font as an image: 16 letters a row, 8 × 16 pixels each, white on transparent; letters 32 to
// 255 in the order of Latin-1 (127 to 159 are boxes). False without memory. The renderer adds it under
// FILO_FONT_IMAGE when it is created.
#define FILO_FONT_IMAGE "filo font"
bool filo_font_pixels(FiloPixels *pixels, const FiloAllocator *allocator);

#endif
