// Drawing at once: the lists that filo_draw_… fill, for the renderer to draw.

#ifndef FILO_GFX2D_DRAW_H
#define FILO_GFX2D_DRAW_H

#include <filo/containers.h>
#include <filo/draw.h>
#include <filo/gfx2d.h>

// Quads that belong to one layer and are clipped alike, in the order of drawing.
typedef struct FiloDrawRun {
    uint8_t layer;       // in the world
    uint32_t clip;       // of filo_draw_clip_rect; 0: none
    size_t first, count; // in the list of quads
} FiloDrawRun;

FiloResult filo_draw_create(FiloDraw **draw, FiloGfx2d *gfx, const FiloAllocator *allocator);
void filo_draw_destroy(FiloDraw *draw);
// Empties both lists: a new frame of this size begins. Memory is kept.
void filo_draw_begin(FiloDraw *draw, int width, int height);

// What is drawn in the world from now on begins a run of its own: what was there has been drawn.
void filo_draw_seal(FiloDraw *draw);

// In pixels of the screen, y down; over everything.
FiloQuadSpan filo_draw_screen_quads(const FiloDraw *draw);
const FiloDrawRun *filo_draw_screen_runs(const FiloDraw *draw, size_t *count);
// In world units; runs are in the order of the calls, and may name a layer several times.
FiloQuadSpan filo_draw_world_quads(const FiloDraw *draw);
const FiloDrawRun *filo_draw_world_runs(const FiloDraw *draw, size_t *count);
// What a run is clipped to, in the coordinates of its list. Not for 0.
FiloRect filo_draw_clip_rect(const FiloDraw *draw, uint32_t clip);

// ---- draw_polygon.c ---------------------------------------------------------------------------------------

typedef struct FiloTriangle2 {
    FiloVec2 a, b, c;
} FiloTriangle2;

typedef struct FiloPolygonPoint {
    uint32_t before, after; // of the points that are left
} FiloPolygonPoint;

typedef struct FiloPolygonCrossed {
    double low, high; // where an edge crosses the lower and the upper end of a slab
} FiloPolygonCrossed;

// Memory to cut polygons with.
typedef struct FiloPolygon {
    FiloArray(FiloTriangle2) triangles; // the result
    FiloArray(FiloVec2) points;         // without those that are there twice
    FiloArray(float) heights;
    FiloArray(FiloPolygonPoint) ring;
    FiloArray(FiloPolygonCrossed) crossed;
} FiloPolygon;

void filo_polygon_init(FiloPolygon *polygon, const FiloAllocator *allocator);
void filo_polygon_deinit(FiloPolygon *polygon);
// Cuts any polygon into triangles that do not overlap: by the even-odd rule, if edges cross. None for what is not finite.
// False without memory.
bool filo_polygon_cut(FiloPolygon *polygon, const FiloVec2 *points, size_t count);

// ---- font.c -----------------------------------------------------------------------------------------------

// The built-in font as an image: 16 letters a row, 8 × 16 pixels each, white on transparent; letters 32 to
// 255 in the order of Latin-1 (127 to 159 are boxes). False without memory. The renderer adds it under
// FILO_FONT_IMAGE when it is created.
#define FILO_FONT_IMAGE "filo font"
bool filo_font_pixels(FiloPixels *pixels, const FiloAllocator *allocator);

#endif
