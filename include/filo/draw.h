// filo/draw.h: drawing at once: lines, shapes, images, text. For hello world, tools, scores and debugging.
//
//     static void draw(FiloApp *app, FiloDraw *draw) {
//         filo_draw_text(draw, 20, 20, 2, FILO_COLOR_WHITE, "Score: 1200");
//         filo_draw_circle(draw, filo_vec2(100, 100), 20, FILO_COLOR_RED);
//     }
//
// What is drawn is gone after the frame; draw it again in the next. A FiloDraw is either in pixels of the
// screen ((0, 0) is the upper left corner, y goes down), over everything, or in world units (y up), in a
// layer among the sprites: filo_draw_in_world.
//
// Main thread, inside the frame. Everything goes into the same lists as sprites, so that it costs no draw
// calls of its own.

#ifndef FILO_DRAW_H
#define FILO_DRAW_H

#include <filo/color.h>
#include <filo/raster.h>
#include <filo/strings.h>
#include <filo/vector.h>

FILO_BEGIN_DECLS

typedef struct FiloDraw FiloDraw;

FiloVec2 filo_draw_size(const FiloDraw *draw); // of the screen, in pixels

// From now on, in world units, in this layer (order 0), seen by all cameras; or on the screen again.
void filo_draw_in_world(FiloDraw *draw, uint8_t layer);
void filo_draw_on_screen(FiloDraw *draw);

// Widths and radii are in the units of now; what is not larger than 0, or has no colour, is not drawn.
// Neither is what there is no memory for, which is reported.
void filo_draw_line(FiloDraw *draw, FiloVec2 from, FiloVec2 to, float width, FiloColor color);
// From point to point, with round corners, which show where the colour is transparent. To close it, end at
// the first point.
void filo_draw_lines(FiloDraw *draw, const FiloVec2 *points, size_t count, float width, FiloColor color);
void filo_draw_box(FiloDraw *draw, FiloRect rect, FiloColor color);                // filled
void filo_draw_frame(FiloDraw *draw, FiloRect rect, float width, FiloColor color); // its edge, inside
void filo_draw_circle(FiloDraw *draw, FiloVec2 centre, float radius, FiloColor color);
void filo_draw_ring(FiloDraw *draw, FiloVec2 centre, float radius, float width, FiloColor color); // inside
void filo_draw_triangle(FiloDraw *draw, FiloVec2 a, FiloVec2 b, FiloVec2 c, FiloColor color);
void filo_draw_polygon(FiloDraw *draw, const FiloVec2 *points, size_t count, FiloColor color); // convex
// An image asset, or a frame of a sheet, filling `rect`. A frame beyond the last is the last.
void filo_draw_image(FiloDraw *draw, FiloName image, int frame, FiloRect rect, FiloColor color);
void filo_draw_quad(FiloDraw *draw, const FiloQuad *quad); // in the coordinates of now

// ---- Text -----------------------------------------------------------------------------------------------

// A built-in font of 8 × 16 pixels a letter: ASCII and Latin-1; others show as a box. `scale` multiplies
// it; whole numbers look best. Lines are divided by '\n'; '\t' goes on at the next multiple of four
// letters. (x, y) is the upper left corner on the screen; in the world the lower left one of the first
// line, and a letter is 16 pixels of the world high.
void filo_draw_text(FiloDraw *draw, float x, float y, float scale, FiloColor color, const char *text);
void filo_draw_format(FiloDraw *draw, float x, float y, float scale, FiloColor color, const char *format, ...)
    FILO_PRINTF(6, 7);
// Around x instead, line by line.
void filo_draw_text_centred(FiloDraw *draw, float x, float y, float scale, FiloColor color, const char *text);
// Width and height of a text in pixels, for scale 1: 8 for each letter of the longest line, 16 for each
// line. An empty text is one line high. Any thread.
FiloVec2 filo_draw_text_size(const char *text);

FILO_END_DECLS

#endif
