// Immediate drawing: the lists that filo_draw_… fill, for the renderer to draw.

#ifndef FILO_GFX2D_DRAW_H
#define FILO_GFX2D_DRAW_H

#include <filo/containers.h>
#include <filo/draw.h>
#include <filo/gfx2d.h>

// Consecutive quads of one layer with one clip.
typedef struct Gfx2dDrawRun {
    uint8_t layer;       // of the world; 0 on the screen
    uint32_t clip;       // of gfx2d_draw_clip_rect; 0: none
    size_t first, count; // in the list of quads
    bool has_distance_fields;
} Gfx2dDrawRun;

FiloResult gfx2d_draw_create(FiloDraw **draw, FiloGfx2d *gfx, const FiloAllocator *allocator);
void gfx2d_draw_destroy(FiloDraw *draw);
// Empties both lists: a new frame of this size begins. Their memory is reused.
void gfx2d_draw_begin(FiloDraw *draw, int width, int height);
// The frame is over: drawing is reported until the next one begins.
void gfx2d_draw_end(FiloDraw *draw);

// The runs of the world were drawn: the next quad in the world begins another run.
void gfx2d_draw_seal(FiloDraw *draw);

// The source that draws text; without functions: the built-in font does.
void gfx2d_draw_set_glyph_source(FiloDraw *draw, FiloGlyphSource source);
bool gfx2d_draw_has_glyph_source(const FiloDraw *draw);

// In pixels of the screen, y down; over everything.
FiloQuadSpan gfx2d_draw_screen_quads(const FiloDraw *draw);
const Gfx2dDrawRun *gfx2d_draw_screen_runs(const FiloDraw *draw, size_t *count);
// In world units. Runs are in the order of the calls; several may have the same layer.
FiloQuadSpan gfx2d_draw_world_quads(const FiloDraw *draw);
const Gfx2dDrawRun *gfx2d_draw_world_runs(const FiloDraw *draw, size_t *count);
// The rectangle of a clip, in the coordinates of its list. Not for 0.
FiloRect gfx2d_draw_clip_rect(const FiloDraw *draw, uint32_t clip);

// ---- polygon.c --------------------------------------------------------------------------------------------

typedef struct Gfx2dTriangle {
    FiloVec2 a, b, c;
} Gfx2dTriangle;

// Node of a circular list of the points that are left.
typedef struct Gfx2dPolygonLink {
    uint32_t previous, next;
} Gfx2dPolygonLink;

typedef struct Gfx2dPolygonCrossing {
    double low, high; // x of an edge at the lower and at the upper end of a slab
} Gfx2dPolygonCrossing;

// The triangles of a polygon, and scratch memory to compute them.
typedef struct Gfx2dPolygon {
    FiloArray(Gfx2dTriangle) triangles; // the result
    FiloArray(FiloVec2) points;         // without repeated ones
    FiloArray(float) heights;
    FiloArray(Gfx2dPolygonLink) links;
    FiloArray(Gfx2dPolygonCrossing) crossings;
} Gfx2dPolygon;

void gfx2d_polygon_init(Gfx2dPolygon *polygon, const FiloAllocator *allocator);
void gfx2d_polygon_deinit(Gfx2dPolygon *polygon);
// Divides any polygon into triangles that do not overlap; by the even-odd rule, if edges cross. No triangles if a point
// is not finite. False without memory.
bool gfx2d_polygon_triangulate(Gfx2dPolygon *polygon, const FiloVec2 *points, size_t count);

// ---- font.c -----------------------------------------------------------------------------------------------

// The built-in font as an image: 16 letters a row, 8 × 16 pixels each, white on transparent; letters 32 to
// 255 in the order of Latin-1 (127 to 159 are boxes). False without memory. The renderer adds it under
// GFX2D_FONT_IMAGE when it is created.
#define GFX2D_FONT_IMAGE "filo font"
bool gfx2d_font_pixels(FiloPixels *pixels, const FiloAllocator *allocator);

#endif
