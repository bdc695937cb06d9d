// filo/draw.h: immediate drawing: lines, shapes, images, text. For hello world, tools, scores and debugging.
//
//     static void draw(FiloApp *app, FiloDraw *draw) {
//         filo_draw_text(draw, 20, 20, 2, FILO_COLOR_WHITE, "Score: 1200");
//         filo_draw_circle(draw, filo_vec2(100, 100), 20, FILO_COLOR_RED);
//         filo_draw_sprite(draw, &(FiloDrawSprite){ .image = filo_name("ship.png"), .position = { 60, 60 },
//                                                   .rotation = 0.5f, .flags = FILO_SPRITE_FLIP_X });
//     }
//
// What is drawn is gone after the frame; draw it again in the next. A FiloDraw draws either on the screen, in pixels
// ((0, 0) is the upper left corner, y goes down), over everything; or in the world, in units (y up), in a layer among
// the sprites: filo_draw_in_world.
//
// Main thread, from the extraction of a frame to its rendering: in `draw`, and in `extract` and `ui` of a game. In a system,
// or in `frame`, nothing would be seen: that is reported. Everything becomes quads, as sprites do, and shares their draw calls.

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

// Draws in the world from now on, in this layer (order 0), seen by all cameras.
void filo_draw_in_world(FiloDraw *draw, uint8_t layer);
// Draws on the screen from now on. A frame begins with this.
void filo_draw_on_screen(FiloDraw *draw);

// ---- Shapes and images ----------------------------------------------------------------------------------

// Coordinates, widths and radii are in pixels on the screen, and in units in the world. What has a width or radius of 0
// or less, or a colour that is all zero, is not drawn. Neither is what there is no memory for, which is reported.
void filo_draw_line(FiloDraw *draw, FiloVec2 from, FiloVec2 to, float width, FiloColor color);
// From point to point, with round corners, which overlap the lines (visible if the colour is translucent). To close it,
// end at the first point.
void filo_draw_lines(FiloDraw *draw, const FiloVec2 *points, size_t count, float width, FiloColor color);
void filo_draw_box(FiloDraw *draw, FiloRect rect, FiloColor color);                // filled
void filo_draw_frame(FiloDraw *draw, FiloRect rect, float width, FiloColor color); // its edge, inside
void filo_draw_circle(FiloDraw *draw, FiloVec2 centre, float radius, FiloColor color);
void filo_draw_ring(FiloDraw *draw, FiloVec2 centre, float radius, float width, FiloColor color); // inside
void filo_draw_triangle(FiloDraw *draw, FiloVec2 a, FiloVec2 b, FiloVec2 c, FiloColor color);
// Any polygon, in either orientation; its last point is joined to the first. If edges cross, the even-odd rule decides:
// a point is inside if a line from there to the outside crosses an odd number of edges. Convex polygons take a time
// proportional to the number of points; others, to its square: for hundreds of points, not thousands.
void filo_draw_polygon(FiloDraw *draw, const FiloVec2 *points, size_t count, FiloColor color);
// An image asset, or a frame of a sheet, filling `rect`. A frame beyond the last is the last. Filters nearest: filo_draw_sprite
// can filter linearly (FILO_SPRITE_LINEAR).
void filo_draw_image(FiloDraw *draw, FiloName image, int frame, FiloRect rect, FiloColor color);
// An image that is rotated, flipped, or cut to a part.
typedef struct FiloDrawSprite {
    FiloName image; // {0}: white
    int frame;
    // Of the frame, in its pixels from the upper left corner, rounded to integers; empty: all of it.
    FiloRect part;
    FiloVec2 position; // of the pivot
    // Of what is drawn; {0, 0}: the size of the part, as pixels of the screen or of the world.
    FiloVec2 size;
    // The point that is at the position, and about which the image is rotated: {0, 0} the centre, {-0.5, -0.5} the
    // lower left corner, as in FiloSprite.
    FiloVec2 pivot;
    float rotation;  // radians, from +x towards +y: clockwise on the screen, where y goes down
    unsigned flags;  // FiloSpriteFlags
    FiloColor color; // the image is multiplied by it; all zero counts as white
} FiloDrawSprite;
void filo_draw_sprite(FiloDraw *draw, const FiloDrawSprite *sprite);
void filo_draw_quad(FiloDraw *draw, const FiloQuad *quad);
void filo_draw_quads(FiloDraw *draw, const FiloQuad *quads, size_t count);

// Whether one draws in the world, and what the current transform is (see below): for code that chooses by the scale.
bool filo_draw_is_in_world(const FiloDraw *draw);
FiloAffine2 filo_draw_current_transform(const FiloDraw *draw);

// ---- Transforms and clips -------------------------------------------------------------------------------
//
//     filo_draw_push(draw);
//     filo_draw_translate(draw, filo_vec2(200, 100));
//     filo_draw_rotate(draw, angle);
//     filo_draw_box(draw, filo_rect_from_centre(filo_vec2(0, 0), filo_vec2(80, 20)), FILO_COLOR_ORANGE);
//     filo_draw_pop(draw);
//
// Everything that is drawn is transformed by the current transform, including widths of lines and letters. The screen
// and the world have a transform and a clip each. A frame begins without transforms and clips.

#define FILO_DRAW_DEPTH 64 // nested pushes

// Push saves the transforms, the clips, and whether one draws on the screen or in a layer of the world; pop restores
// what was saved last. More nested pushes than FILO_DRAW_DEPTH, a pop without a push, and a push without a pop at the
// end of the frame are mistakes.
void filo_draw_push(FiloDraw *draw);
void filo_draw_pop(FiloDraw *draw);
// Each multiplies the current transform from the right: what is drawn from now on is first moved, rotated or scaled by
// this, and then by the transform before. Angles are radians, from +x towards +y. A negative scale mirrors.
void filo_draw_translate(FiloDraw *draw, FiloVec2 by);
void filo_draw_rotate(FiloDraw *draw, float angle);
void filo_draw_scale(FiloDraw *draw, FiloVec2 by);
void filo_draw_transform(FiloDraw *draw, FiloAffine2 by);
// From now on, until filo_draw_pop, only pixels whose centre is inside of `rect`, and of all clips before, are drawn.
// `rect` is transformed too; if the transform or a camera rotates it, the clip is the upright rectangle around it.
// Every change of the clip costs a draw call.
void filo_draw_clip(FiloDraw *draw, FiloRect rect);
// Resets to the state at the beginning of a frame: on the screen, without transforms and clips, nothing saved. An app
// does it before each `draw`.
void filo_draw_reset(FiloDraw *draw);

// ---- Text -----------------------------------------------------------------------------------------------

// Text in a built-in font of 8 × 16 pixels per letter: ASCII and Latin-1; other characters are shown as a box. `scale`
// multiplies the size; integers look best. '\n' begins a line; '\t' advances to the next multiple of four letters. (x,
// y) is the upper left corner on the screen; in the world it is the lower left corner of the first line, and a letter
// is 16 pixels of the world high.
//
// A game with the module "text" (filo/text.h) can have other letters here: those of its default font, 16 pixels large at
// a scale of 1. Without a default font, characters that the built-in font lacks come from the fallback fonts.
void filo_draw_text(FiloDraw *draw, float x, float y, float scale, FiloColor color, const char *text);
void filo_draw_format(FiloDraw *draw, float x, float y, float scale, FiloColor color, const char *format, ...)
    FILO_PRINTF(6, 7);
// Each line is centred at x.
void filo_draw_text_centred(FiloDraw *draw, float x, float y, float scale, FiloColor color, const char *text);
// Width and height of a text in pixels, at scale 1. In the built-in font: 8 for each letter of the longest line, 16 for
// each line. An empty text is one line high.
FiloVec2 filo_draw_text_size(const FiloDraw *draw, const char *text);

FILO_END_DECLS

#endif
