// filo/draw.h: drawing at once: lines, shapes, images, text. For hello world, tools, scores and debugging.
//
//     static void draw(FiloApp *app, FiloDraw *draw) {
//         filo_draw_text(draw, 20, 20, 2, FILO_COLOR_WHITE, "Score: 1200");
//         filo_draw_circle(draw, filo_vec2(100, 100), 20, FILO_COLOR_RED);
//         filo_draw_sprite(draw, &(FiloDrawSprite){ .image = filo_name("ship.png"), .position = { 60, 60 },
//                                                   .rotation = 0.5f, .flags = FILO_SPRITE_FLIP_X });
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
#include <filo/sprite.h>
#include <filo/strings.h>
#include <filo/vector.h>

FILO_BEGIN_DECLS

typedef struct FiloDraw FiloDraw;

FiloVec2 filo_draw_size(const FiloDraw *draw); // of the screen, in pixels

// From now on, in world units, in this layer (order 0), seen by all cameras; or on the screen again.
void filo_draw_in_world(FiloDraw *draw, uint8_t layer);
void filo_draw_on_screen(FiloDraw *draw);

// ---- Shapes and images ----------------------------------------------------------------------------------

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
// Any polygon, either way round; its last point is joined to the first. Where edges cross each other, what is inside
// follows from the even-odd rule: a point is, if a line from there to the outside crosses an odd number of edges. Convex
// ones take a time that grows with the number of points; others, with its square: for hundreds of points, not thousands.
void filo_draw_polygon(FiloDraw *draw, const FiloVec2 *points, size_t count, FiloColor color);
// An image asset, or a frame of a sheet, filling `rect`. A frame beyond the last is the last.
void filo_draw_image(FiloDraw *draw, FiloName image, int frame, FiloRect rect, FiloColor color);
// The same turned, flipped, or a part of it.
typedef struct FiloDrawSprite {
    FiloName image; // {0}: white
    int frame;
    FiloRect
        part; // of the frame, in its pixels from the upper left corner on, rounded to whole ones; empty: all
    FiloVec2 position; // where the pivot is
    FiloVec2
        size; // of what is drawn, in the units of now; {0, 0}: that of the part: a pixel of it is a pixel of
              // the screen, or of the world
    FiloVec2
        pivot; // which point of it is at the position, and does not move when it is turned: {0, 0} the middle,
               // {-0.5, -0.5} the lower left corner, as FiloSprite has it
    float rotation;  // radians, from +x towards +y: clockwise on the screen, where y goes down
    unsigned flags;  // FiloSpriteFlags
    FiloColor color; // the image is multiplied by it; all zero counts as white
} FiloDrawSprite;
void filo_draw_sprite(FiloDraw *draw, const FiloDrawSprite *sprite);
void filo_draw_quad(FiloDraw *draw, const FiloQuad *quad); // in the coordinates of now

// ---- Transforms and clips -------------------------------------------------------------------------------
//
//     filo_draw_push(draw);
//     filo_draw_translate(draw, filo_vec2(200, 100));
//     filo_draw_rotate(draw, angle);
//     filo_draw_box(draw, filo_rect_from_centre(filo_vec2(0, 0), filo_vec2(80, 20)), FILO_COLOR_ORANGE);
//     filo_draw_pop(draw);
//
// Everything that is drawn goes through the transform of the moment, widths of lines and letters included. The screen and
// the world have a transform and a clip each. At the beginning of a frame there are none.

#define FILO_DRAW_DEPTH 64 // pushes inside of each other

// Keeps the transforms, the clips, and whether one draws on the screen or in a layer of the world; and goes back to what
// was kept last. More pushes than FILO_DRAW_DEPTH, a pop of nothing, and a push that is still open when the frame ends
// are mistakes.
void filo_draw_push(FiloDraw *draw);
void filo_draw_pop(FiloDraw *draw);
// Before what the transform does already: what is drawn from now on is first scaled, turned or moved by this. Angles are
// radians, from +x towards +y. A negative scale mirrors.
void filo_draw_translate(FiloDraw *draw, FiloVec2 by);
void filo_draw_rotate(FiloDraw *draw, float angle);
void filo_draw_scale(FiloDraw *draw, FiloVec2 by);
void filo_draw_transform(FiloDraw *draw, FiloAffine2 by);
// From now on only what is inside of `rect`, and of all clips before, is seen, until filo_draw_pop. `rect` goes through
// the transform; where that, or a camera, turns it, the clip is the upright rectangle around it. Pixels whose middle is
// inside are drawn. Every change of the clip is a draw call more.
void filo_draw_clip(FiloDraw *draw, FiloRect rect);
// As a frame begins: on the screen, no transforms, no clips, nothing kept. An app does it before each `draw`.
void filo_draw_reset(FiloDraw *draw);

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
