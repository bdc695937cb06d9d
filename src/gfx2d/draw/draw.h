// Drawing at once: the lists that filo_draw_… fill, for the renderer to draw.

#ifndef FILO_GFX2D_DRAW_H
#define FILO_GFX2D_DRAW_H

#include <filo/containers.h>
#include <filo/draw.h>
#include <filo/gfx2d.h>

// Quads that belong to one layer and are clipped alike, in the order of drawing.
typedef struct Gfx2dDrawRun {
    uint8_t layer;       // in the world
    uint32_t clip;       // of gfx2d_draw_clip_rect; 0: none
    size_t first, count; // in the list of quads
} Gfx2dDrawRun;

FiloResult gfx2d_draw_create(FiloDraw **draw, FiloGfx2d *gfx, const FiloAllocator *allocator);
void gfx2d_draw_destroy(FiloDraw *draw);
// Empties both lists: a new frame of this size begins. Memory is kept.
void gfx2d_draw_begin(FiloDraw *draw, int width, int height);

// What is drawn in the world from now on begins a run of its own: what was there has been drawn.
void gfx2d_draw_seal(FiloDraw *draw);

// In pixels of the screen, y down; over everything.
FiloQuadSpan gfx2d_draw_screen_quads(const FiloDraw *draw);
const Gfx2dDrawRun *gfx2d_draw_screen_runs(const FiloDraw *draw, size_t *count);
// In world units; runs are in the order of the calls, and may name a layer several times.
FiloQuadSpan gfx2d_draw_world_quads(const FiloDraw *draw);
const Gfx2dDrawRun *gfx2d_draw_world_runs(const FiloDraw *draw, size_t *count);
// What a run is clipped to, in the coordinates of its list. Not for 0.
FiloRect gfx2d_draw_clip_rect(const FiloDraw *draw, uint32_t clip);

// ---- polygon.c --------------------------------------------------------------------------------------------

typedef struct Gfx2dTriangle2 {
    FiloVec2 a, b, c;
} Gfx2dTriangle2;

typedef struct Gfx2dPolygonPoint {
    uint32_t before, after; // of the points that are left
} Gfx2dPolygonPoint;

typedef struct Gfx2dPolygonCrossed {
    double low, high; // where an edge crosses the lower and the upper end of a slab
} Gfx2dPolygonCrossed;

// Memory to cut polygons with.
typedef struct Gfx2dPolygon {
    FiloArray(Gfx2dTriangle2) triangles; // the result
    FiloArray(FiloVec2) points;          // without those that are there twice
    FiloArray(float) heights;
    FiloArray(Gfx2dPolygonPoint) ring;
    FiloArray(Gfx2dPolygonCrossed) crossed;
} Gfx2dPolygon;

void gfx2d_polygon_init(Gfx2dPolygon *polygon, const FiloAllocator *allocator);
void gfx2d_polygon_deinit(Gfx2dPolygon *polygon);
// Cuts any polygon into triangles that do not overlap: by the even-odd rule, if edges cross. None for what is not finite.
// False without memory.
bool gfx2d_polygon_cut(Gfx2dPolygon *polygon, const FiloVec2 *points, size_t count);

// ---- font.c -----------------------------------------------------------------------------------------------

// The built-in font as an image: 16 letters a row, 8 × 16 pixels each, white on transparent; letters 32 to
// 255 in the order of Latin-1 (127 to 159 are boxes). False without memory. The renderer adds it under
// GFX2D_FONT_IMAGE when it is created.
#define GFX2D_FONT_IMAGE "filo font"
bool gfx2d_font_pixels(FiloPixels *pixels, const FiloAllocator *allocator);

#endif
