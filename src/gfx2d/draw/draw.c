// Drawing at once: two lists of quads, one in pixels of the screen and one in world units, emptied at the
// beginning of each frame. Both are divided into runs: quads of one layer that are clipped alike.
//
// Quads go through the transform of the moment when they are added, which is the only place that knows of it. A clip is a
// rectangle in the coordinates of the list; runs have its number. The renderer draws runs of different clips apart.
//
// Whatever is drawn becomes quads (filo/raster.h) at once, so that the renderer has nothing to think about.
// The two kinds of coordinates differ in where "up" is: on the screen the b of a quad, its way up, points
// towards smaller y. Shapes that look the same upside down do not care; images and letters do.
//
// Lists keep their memory. When there is none to grow, the quad is dropped; the allocator reports it, and
// nothing more is tried in this frame, so that one report is enough.

#include "gfx2d/draw/draw.h"

#include <filo/check.h>
#include <filo/containers.h>

#include "gfx2d/draw/font.h"
#include "gfx2d/images/frames.h"

#include <stdarg.h>

#define TAB_LETTERS 4u

// A corner of a line is filled where it turns by more than about 2.5 degrees.
#define STRAIGHT_COSINE 0.999f

typedef FiloArray(FiloQuad) QuadArray;
typedef FiloArray(Gfx2dDrawRun) RunArray;

// What filo_draw_push keeps. Transforms and clips are there twice: on the screen, and in the world.
typedef struct State {
    FiloAffine2 transforms[2];
    bool moved[2];     // the transform is another than none
    uint32_t clips[2]; // number + 1; 0: none
    bool in_world;
    uint8_t layer;
} State;

struct FiloDraw {
    FiloGfx2d *gfx;
    const FiloAllocator *allocator;
    FiloVec2 size;
    QuadArray screen, world;
    RunArray screen_runs, runs; // runs: in the world
    FiloArray(FiloRect) clips;
    Gfx2dPolygon polygon;
    FiloBuilder text; // of filo_draw_format
    FiloName font;
    bool full; // there was no memory for more, in this frame
    State now, kept[FILO_DRAW_DEPTH];
    size_t depth;  // states that are kept,
    size_t beyond; // and that there was no room for
    size_t sealed; // runs that nothing is added to any more
};

FiloResult gfx2d_draw_create(FiloDraw **out, FiloGfx2d *gfx, const FiloAllocator *allocator) {
    *out = NULL;
    FiloDraw *draw = filo_alloc_zero(allocator, sizeof *draw, 0);
    if (draw == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for drawing at once");
    draw->gfx = gfx;
    draw->allocator = allocator;
    filo_array_init(&draw->screen, allocator);
    filo_array_init(&draw->world, allocator);
    filo_array_init(&draw->screen_runs, allocator);
    filo_array_init(&draw->runs, allocator);
    filo_array_init(&draw->clips, allocator);
    gfx2d_polygon_init(&draw->polygon, allocator);
    filo_builder_init(&draw->text, allocator);
    draw->font = filo_name(GFX2D_FONT_IMAGE);
    filo_draw_reset(draw);
    *out = draw;
    return filo_ok();
}

void gfx2d_draw_destroy(FiloDraw *draw) {
    if (draw == NULL) return;
    filo_array_deinit(&draw->screen);
    filo_array_deinit(&draw->world);
    filo_array_deinit(&draw->screen_runs);
    filo_array_deinit(&draw->runs);
    filo_array_deinit(&draw->clips);
    gfx2d_polygon_deinit(&draw->polygon);
    filo_builder_deinit(&draw->text);
    filo_free(draw->allocator, draw, sizeof *draw, 0);
}

void gfx2d_draw_begin(FiloDraw *draw, int width, int height) {
    filo_array_clear(&draw->screen);
    filo_array_clear(&draw->world);
    filo_array_clear(&draw->screen_runs);
    filo_array_clear(&draw->runs);
    filo_array_clear(&draw->clips);
    draw->size = filo_vec2((float)width, (float)height);
    draw->full = false;
    draw->sealed = 0;
    filo_draw_reset(draw);
}

void gfx2d_draw_seal(FiloDraw *draw) { draw->sealed = draw->runs.count; }

FiloQuadSpan gfx2d_draw_screen_quads(const FiloDraw *draw) {
    return (FiloQuadSpan){ draw->screen.items, draw->screen.count };
}

FiloQuadSpan gfx2d_draw_world_quads(const FiloDraw *draw) {
    return (FiloQuadSpan){ draw->world.items, draw->world.count };
}

const Gfx2dDrawRun *gfx2d_draw_world_runs(const FiloDraw *draw, size_t *count) {
    *count = draw->runs.count;
    return draw->runs.items;
}

const Gfx2dDrawRun *gfx2d_draw_screen_runs(const FiloDraw *draw, size_t *count) {
    *count = draw->screen_runs.count;
    return draw->screen_runs.items;
}

FiloRect gfx2d_draw_clip_rect(const FiloDraw *draw, uint32_t clip) { return draw->clips.items[clip - 1]; }

// ---- Lists ----------------------------------------------------------------------------------------------

static bool is_there(const FiloDraw *draw) {
    return FILO_CHECK(draw != NULL, "pass the FiloDraw that filo_gfx2d_draw, or the app, gave you");
}

FiloVec2 filo_draw_size(const FiloDraw *draw) { return is_there(draw) ? draw->size : filo_vec2(0, 0); }

void filo_draw_in_world(FiloDraw *draw, uint8_t layer) {
    if (!is_there(draw)) return;
    draw->now.in_world = true;
    draw->now.layer = layer;
}

void filo_draw_on_screen(FiloDraw *draw) {
    if (is_there(draw)) draw->now.in_world = false;
}

// A quad goes to the last run if that is of the same layer and clip, and else begins one.
static bool add_to_list(FiloDraw *draw, QuadArray *quads, RunArray *runs, size_t sealed,
                        const FiloQuad *quad) {
    uint8_t layer = draw->now.in_world ? draw->now.layer : 0;
    uint32_t clip = draw->now.clips[draw->now.in_world];
    const Gfx2dDrawRun *last = runs->count > sealed ? &runs->items[runs->count - 1] : NULL;
    bool fresh = last == NULL || last->layer != layer || last->clip != clip;
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): where there is room, there are items
    if (fresh && !filo_array_push(runs, ((Gfx2dDrawRun){ layer, clip, quads->count, 0 }))) return false;
    if (!filo_array_push(quads, *quad)) {
        if (fresh) runs->count--;
        return false;
    }
    runs->items[runs->count - 1].count++;
    return true;
}

// What is not finite would be drawn nowhere.
static bool is_finite(const FiloQuad *quad) {
    float sum = 0 * quad->x + 0 * quad->y + 0 * quad->ax + 0 * quad->ay + 0 * quad->bx + 0 * quad->by;
    return sum == 0; // infinity and NaN times zero are NaN
}

static void move_quad(FiloQuad *quad, FiloAffine2 by) {
    FiloVec2 middle = filo_affine2_point(by, filo_vec2(quad->x, quad->y));
    FiloVec2 a = filo_affine2_direction(by, filo_vec2(quad->ax, quad->ay));
    FiloVec2 b = filo_affine2_direction(by, filo_vec2(quad->bx, quad->by));
    quad->x = middle.x, quad->y = middle.y;
    quad->ax = a.x, quad->ay = a.y, quad->bx = b.x, quad->by = b.y;
}

static void add(FiloDraw *draw, const FiloQuad *given) {
    bool world = draw->now.in_world;
    FiloQuad quad = *given;
    if (draw->now.moved[world]) move_quad(&quad, draw->now.transforms[world]);
    if (draw->full || !is_finite(&quad)) return;
    draw->full = world ? !add_to_list(draw, &draw->world, &draw->runs, draw->sealed, &quad)
                       : !add_to_list(draw, &draw->screen, &draw->screen_runs, 0, &quad);
}

void filo_draw_quad(FiloDraw *draw, const FiloQuad *quad) {
    if (is_there(draw) && FILO_CHECK(quad != NULL, "pass the quad to draw")) add(draw, quad);
}

// ---- Transforms and clips -------------------------------------------------------------------------------

void filo_draw_reset(FiloDraw *draw) {
    if (!is_there(draw)) return;
    size_t open = draw->depth + draw->beyond;
    draw->depth = draw->beyond = 0;
    draw->now = (State){ .transforms = { filo_affine2_identity(), filo_affine2_identity() } };
    (void)FILO_CHECK(open == 0, "%zu filo_draw_push had no filo_draw_pop: pop what you push", open);
}

void filo_draw_push(FiloDraw *draw) {
    if (!is_there(draw)) return;
    if (draw->depth < FILO_DRAW_DEPTH)
        draw->kept[draw->depth++] = draw->now;
    else
        draw->beyond++;
    (void)FILO_CHECK(draw->beyond == 0, "more than %d filo_draw_push inside of each other: pop what you push",
                     FILO_DRAW_DEPTH);
}

void filo_draw_pop(FiloDraw *draw) {
    if (!is_there(draw)) return;
    if (draw->beyond > 0)
        draw->beyond--;
    else if (FILO_CHECK(draw->depth > 0,
                        "filo_draw_pop without a filo_draw_push: there is nothing to go back to"))
        draw->now = draw->kept[--draw->depth];
}

void filo_draw_transform(FiloDraw *draw, FiloAffine2 by) {
    if (!is_there(draw)) return;
    bool world = draw->now.in_world;
    draw->now.transforms[world] = filo_affine2_mul(draw->now.transforms[world], by);
    draw->now.moved[world] = true;
}

void filo_draw_translate(FiloDraw *draw, FiloVec2 by) {
    filo_draw_transform(draw, filo_affine2_translate(by));
}

void filo_draw_rotate(FiloDraw *draw, float angle) { filo_draw_transform(draw, filo_affine2_rotate(angle)); }

void filo_draw_scale(FiloDraw *draw, FiloVec2 by) { filo_draw_transform(draw, filo_affine2_scale(by)); }

void filo_draw_clip(FiloDraw *draw, FiloRect rect) {
    if (!is_there(draw) || draw->full) return;
    bool world = draw->now.in_world;
    uint32_t *clip = &draw->now.clips[world];
    rect = filo_rect_is_empty(rect) ? filo_rect(filo_vec2(0, 0), filo_vec2(0, 0))
                                    : filo_affine2_rect(draw->now.transforms[world], rect);
    if (*clip != 0) rect = filo_rect_intersection(rect, gfx2d_draw_clip_rect(draw, *clip));
    draw->full = !filo_array_push(&draw->clips, rect);
    if (!draw->full) *clip = (uint32_t)draw->clips.count;
}

// ---- Shapes ---------------------------------------------------------------------------------------------

static bool is_visible(FiloColor color) { return (color.r | color.g | color.b | color.a) != 0; }

static void add_box(FiloDraw *draw, FiloRect rect, FiloColor color) {
    if (filo_rect_is_empty(rect)) return;
    FiloQuad quad = filo_quad_box(filo_rect_centre(rect), filo_vec2_scale(filo_rect_size(rect), 0.5f), color);
    if (!draw->now.in_world) quad.by = -quad.by;
    add(draw, &quad);
}

void filo_draw_box(FiloDraw *draw, FiloRect rect, FiloColor color) {
    if (is_there(draw) && is_visible(color)) add_box(draw, rect, color);
}

// Four boxes that do not overlap, so that a transparent frame is the same all round.
void filo_draw_frame(FiloDraw *draw, FiloRect rect, float width, FiloColor color) {
    if (!is_there(draw) || !is_visible(color) || filo_rect_is_empty(rect) || !(width > 0)) return;
    FiloVec2 low = rect.min, high = rect.max;
    if (2 * width >= filo_min(high.x - low.x, high.y - low.y)) {
        add_box(draw, rect, color);
        return;
    }
    add_box(draw, filo_rect(low, filo_vec2(high.x, low.y + width)), color);
    add_box(draw, filo_rect(filo_vec2(low.x, high.y - width), high), color);
    add_box(draw, filo_rect(filo_vec2(low.x, low.y + width), filo_vec2(low.x + width, high.y - width)),
            color);
    add_box(draw, filo_rect(filo_vec2(high.x - width, low.y + width), filo_vec2(high.x, high.y - width)),
            color);
}

static void add_line(FiloDraw *draw, FiloVec2 from, FiloVec2 to, float width, FiloColor color) {
    if (filo_vec2_equal(from, to)) return;
    FiloQuad quad = filo_quad_line(from, to, width, color);
    add(draw, &quad);
}

void filo_draw_line(FiloDraw *draw, FiloVec2 from, FiloVec2 to, float width, FiloColor color) {
    if (is_there(draw) && is_visible(color) && width > 0) add_line(draw, from, to, width, color);
}

// A round corner at `corner`, where a line comes from `before` and goes on to `after`.
static void add_corner(FiloDraw *draw, FiloVec2 before, FiloVec2 corner, FiloVec2 after, float width,
                       FiloColor color) {
    FiloVec2 in = filo_vec2_normalise(filo_vec2_sub(corner, before));
    FiloVec2 out = filo_vec2_normalise(filo_vec2_sub(after, corner));
    if (filo_vec2_dot(in, out) >= STRAIGHT_COSINE) return;
    FiloQuad quad = filo_quad_ellipse(corner, filo_vec2(width * 0.5f, width * 0.5f), color);
    add(draw, &quad);
}

void filo_draw_lines(FiloDraw *draw, const FiloVec2 *points, size_t count, float width, FiloColor color) {
    if (!is_there(draw) || !FILO_CHECK(points != NULL || count == 0, "pass %zu points", count)) return;
    if (!is_visible(color) || !(width > 0) || count < 2) return;
    for (size_t i = 0; i + 1 < count; i++) add_line(draw, points[i], points[i + 1], width, color);
    for (size_t i = 1; i + 1 < count; i++)
        add_corner(draw, points[i - 1], points[i], points[i + 1], width, color);
    if (count > 3 && filo_vec2_equal(points[0], points[count - 1]))
        add_corner(draw, points[count - 2], points[0], points[1], width, color);
}

void filo_draw_circle(FiloDraw *draw, FiloVec2 centre, float radius, FiloColor color) {
    if (!is_there(draw) || !is_visible(color) || !(radius > 0)) return;
    FiloQuad quad = filo_quad_ellipse(centre, filo_vec2(radius, radius), color);
    add(draw, &quad);
}

void filo_draw_ring(FiloDraw *draw, FiloVec2 centre, float radius, float width, FiloColor color) {
    if (!is_there(draw) || !is_visible(color) || !(radius > 0) || !(width > 0)) return;
    FiloQuad quad = filo_quad_ring(centre, radius, filo_max(radius - width, 0), color);
    add(draw, &quad);
}

static void add_triangle(FiloDraw *draw, FiloVec2 a, FiloVec2 b, FiloVec2 c, FiloColor color) {
    FiloQuad quad = filo_quad_triangle(a, b, c, color);
    add(draw, &quad);
}

void filo_draw_triangle(FiloDraw *draw, FiloVec2 a, FiloVec2 b, FiloVec2 c, FiloColor color) {
    if (is_there(draw) && is_visible(color)) add_triangle(draw, a, b, c, color);
}

void filo_draw_polygon(FiloDraw *draw, const FiloVec2 *points, size_t count, FiloColor color) {
    if (!is_there(draw) || !FILO_CHECK(points != NULL || count == 0, "pass %zu points", count)) return;
    if (!is_visible(color) || draw->full) return;
    draw->full = !gfx2d_polygon_cut(&draw->polygon, points, count);
    filo_array_each (&draw->polygon.triangles, t) add_triangle(draw, t->a, t->b, t->c, color);
}

// ---- Images ---------------------------------------------------------------------------------------------

// The part of a page from (u, v) on, in a rectangle from the upper left corner on, which is where y is
// largest in the world and smallest on the screen.
static void add_image(FiloDraw *draw, const Gfx2dFramePlace *place, FiloVec2 corner, FiloVec2 size,
                      FiloColor color) {
    float up = draw->now.in_world ? 1.0f : -1.0f;
    FiloQuad quad = { .x = corner.x + size.x * 0.5f,
                      .y = corner.y - size.y * 0.5f * up,
                      .ax = size.x * 0.5f,
                      .by = size.y * 0.5f * up,
                      .u0 = place->u0,
                      .v0 = place->v0,
                      .u1 = place->u1,
                      .v1 = place->v1,
                      .color = color,
                      .image = place->page,
                      .kind = FILO_QUAD_IMAGE };
    add(draw, &quad);
}

void filo_draw_image(FiloDraw *draw, FiloName image, int frame, FiloRect rect, FiloColor color) {
    if (!is_there(draw) || !FILO_CHECK(frame >= 0, "frames count from 0; this one is %d", frame)) return;
    if (!is_visible(color) || filo_rect_is_empty(rect)) return;
    const Gfx2dFramePlace *place = gfx2d_frame(draw->gfx, image, (unsigned)frame);
    if (!(place->width > 0) || !(place->height > 0)) return;
    // What was trimmed away belongs to the rectangle all the same.
    FiloVec2 size = filo_rect_size(rect);
    FiloVec2 pixel = filo_vec2(size.x / place->width, size.y / place->height);
    float up = draw->now.in_world ? 1.0f : -1.0f;
    FiloVec2 corner = filo_vec2(rect.min.x + place->left * pixel.x,
                                (draw->now.in_world ? rect.max.y : rect.min.y) - place->top * pixel.y * up);
    add_image(draw, place, corner, filo_vec2(place->part_width * pixel.x, place->part_height * pixel.y),
              color);
}

// The part of a frame that is shown: what the caller wants, in whole pixels, as far as it was not trimmed away. False if
// that is nothing.
static bool choose_part(const Gfx2dFramePlace *place, FiloRect *wanted, FiloRect *shown) {
    FiloRect frame = filo_rect(filo_vec2(0, 0), filo_vec2(place->width, place->height));
    *wanted = filo_rect_is_empty(*wanted)
                  ? frame
                  : filo_rect(filo_vec2(filo_round(wanted->min.x), filo_round(wanted->min.y)),
                              filo_vec2(filo_round(wanted->max.x), filo_round(wanted->max.y)));
    FiloRect rest = filo_rect_from_size(filo_vec2(place->left, place->top),
                                        filo_vec2(place->part_width, place->part_height));
    *shown = filo_rect_intersection(*wanted, rest);
    return !filo_rect_is_empty(*shown);
}

static void add_sprite(FiloDraw *draw, const FiloDrawSprite *sprite, const Gfx2dFramePlace *place) {
    FiloRect wanted = sprite->part, shown;
    if (!choose_part(place, &wanted, &shown)) return;
    FiloVec2 texels = filo_rect_size(wanted), size = sprite->size;
    float unit = draw->now.in_world ? 1.0f / gfx2d_pixels_per_unit(draw->gfx) : 1.0f;
    if (size.x == 0 && size.y == 0) size = filo_vec2_scale(texels, unit);
    FiloVec2 scale = filo_vec2(size.x / texels.x, size.y / texels.y);
    // From the middle of what is wanted to that of what is shown, then to the pivot; y up, as the image has it.
    FiloVec2 off = filo_vec2_sub(filo_rect_centre(shown), filo_rect_centre(wanted));
    bool flip_x = (sprite->flags & FILO_SPRITE_FLIP_X) != 0,
         flip_y = (sprite->flags & FILO_SPRITE_FLIP_Y) != 0;
    float right = (flip_x ? -off.x : off.x) * scale.x - sprite->pivot.x * size.x;
    float up = (flip_y ? off.y : -off.y) * scale.y - sprite->pivot.y * size.y;
    // Where these point. Angles go from +x towards +y, and on the screen y goes down.
    FiloVec2 to_right = filo_vec2(filo_cos(sprite->rotation), filo_sin(sprite->rotation));
    FiloVec2 to_top = filo_vec2_perpendicular(to_right);
    if (!draw->now.in_world) to_top = filo_vec2_scale(to_top, -1);
    FiloVec2 middle =
        filo_vec2_add_scaled(filo_vec2_add_scaled(sprite->position, to_right, right), to_top, up);
    FiloVec2 half = filo_vec2_scale(filo_rect_size(shown), 0.5f);
    FiloVec2 a = filo_vec2_scale(to_right, half.x * scale.x), b = filo_vec2_scale(to_top, half.y * scale.y);
    uint16_t u[2] = { (uint16_t)(place->u0 + (int)(shown.min.x - place->left)),
                      (uint16_t)(place->u0 + (int)(shown.max.x - place->left)) };
    uint16_t v[2] = { (uint16_t)(place->v0 + (int)(shown.min.y - place->top)),
                      (uint16_t)(place->v0 + (int)(shown.max.y - place->top)) };
    FiloQuad quad = { .x = middle.x,
                      .y = middle.y,
                      .ax = a.x,
                      .ay = a.y,
                      .bx = b.x,
                      .by = b.y,
                      .u0 = u[flip_x],
                      .v0 = v[flip_y],
                      .u1 = u[!flip_x],
                      .v1 = v[!flip_y],
                      .color = is_visible(sprite->color) ? sprite->color : FILO_COLOR_WHITE,
                      .image = place->page,
                      .kind = FILO_QUAD_IMAGE,
                      .flags = (uint8_t)((sprite->flags & FILO_SPRITE_LINEAR ? FILO_QUAD_LINEAR : 0) |
                                         (sprite->flags & FILO_SPRITE_ADD ? FILO_QUAD_ADD : 0)) };
    add(draw, &quad);
}

void filo_draw_sprite(FiloDraw *draw, const FiloDrawSprite *sprite) {
    if (!is_there(draw) || !FILO_CHECK(sprite != NULL, "pass the sprite to draw") ||
        !FILO_CHECK(sprite->frame >= 0, "frames count from 0; this one is %d", sprite->frame))
        return;
    if ((sprite->flags & FILO_SPRITE_HIDDEN) != 0) return;
    const Gfx2dFramePlace *place = gfx2d_frame(draw->gfx, sprite->image, (unsigned)sprite->frame);
    if (place->width > 0 && place->height > 0) add_sprite(draw, sprite, place);
}

// ---- Text -----------------------------------------------------------------------------------------------

// Takes a line off the text, and counts how many letters wide it is. False if it was the last.
static bool next_line(FiloString *rest, FiloString *line, unsigned *letters) {
    bool more = filo_string_cut(*rest, FILO_STRING("\n"), line, rest);
    *letters = 0;
    FiloString left = *line;
    for (uint32_t character; filo_utf8_next(&left, &character);)
        *letters = character == '\t' ? (*letters / TAB_LETTERS + 1) * TAB_LETTERS : *letters + 1;
    return more;
}

typedef struct Pen {
    Gfx2dFramePlace letters; // all of them, on their page
    float left, top;         // upper left corner of the next letter
    float width, height;     // of a letter; height points up
    FiloColor color;
} Pen;

static void add_letter(FiloDraw *draw, const Pen *pen, unsigned column, uint32_t character) {
    unsigned letter = gfx2d_font_letter(character);
    if (letter == ' ' - GFX2D_FONT_FIRST || letter == 0xA0 - GFX2D_FONT_FIRST) return;
    Gfx2dFramePlace place = pen->letters;
    place.u0 = (uint16_t)(place.u0 + letter % GFX2D_FONT_COLUMNS * GFX2D_FONT_WIDTH);
    place.v0 = (uint16_t)(place.v0 + letter / GFX2D_FONT_COLUMNS * GFX2D_FONT_HEIGHT);
    place.u1 = (uint16_t)(place.u0 + GFX2D_FONT_WIDTH);
    place.v1 = (uint16_t)(place.v0 + GFX2D_FONT_HEIGHT);
    add_image(draw, &place, filo_vec2(pen->left + (float)column * pen->width, pen->top),
              filo_vec2(pen->width, pen->height), pen->color);
}

static void add_line_of_text(FiloDraw *draw, const Pen *pen, FiloString line) {
    unsigned column = 0;
    for (uint32_t character; filo_utf8_next(&line, &character);) {
        if (character == '\t') {
            column = (column / TAB_LETTERS + 1) * TAB_LETTERS;
            continue;
        }
        add_letter(draw, pen, column++, character);
    }
}

static void add_text(FiloDraw *draw, FiloVec2 at, float scale, FiloColor color, FiloString text,
                     bool centred) {
    const Gfx2dFramePlace *place = gfx2d_frame(draw->gfx, draw->font, 0);
    const int rows = GFX2D_FONT_LETTERS / GFX2D_FONT_COLUMNS;
    // Something else than the font is there if there was no memory for it.
    if (place->part_width != (float)(GFX2D_FONT_COLUMNS * GFX2D_FONT_WIDTH) ||
        place->part_height != (float)(rows * GFX2D_FONT_HEIGHT))
        return;
    float pixel = draw->now.in_world ? scale / gfx2d_pixels_per_unit(draw->gfx) : scale;
    Pen pen = { .letters = *place,
                .top = draw->now.in_world ? at.y + GFX2D_FONT_HEIGHT * pixel : at.y,
                .width = GFX2D_FONT_WIDTH * pixel,
                .height = GFX2D_FONT_HEIGHT * pixel,
                .color = color };
    float down = draw->now.in_world ? -pen.height : pen.height;
    for (bool more = true; more; pen.top += down) {
        FiloString line;
        unsigned letters;
        more = next_line(&text, &line, &letters);
        pen.left = centred ? at.x - (float)letters * pen.width * 0.5f : at.x;
        add_line_of_text(draw, &pen, line);
    }
}

static bool can_write(const FiloDraw *draw, const char *text, float scale, FiloColor color) {
    return is_there(draw) && FILO_CHECK(text != NULL, "pass a text, \"\" for none") && scale > 0 &&
           is_visible(color);
}

void filo_draw_text(FiloDraw *draw, float x, float y, float scale, FiloColor color, const char *text) {
    if (can_write(draw, text, scale, color))
        add_text(draw, filo_vec2(x, y), scale, color, filo_string(text), false);
}

void filo_draw_text_centred(FiloDraw *draw, float x, float y, float scale, FiloColor color,
                            const char *text) {
    if (can_write(draw, text, scale, color))
        add_text(draw, filo_vec2(x, y), scale, color, filo_string(text), true);
}

void filo_draw_format(FiloDraw *draw, float x, float y, float scale, FiloColor color, const char *format,
                      ...) {
    if (!can_write(draw, format, scale, color)) return;
    filo_builder_clear(&draw->text);
    va_list arguments;
    va_start(arguments, format);
    filo_builder_printf_list(&draw->text, format, arguments);
    va_end(arguments);
    add_text(draw, filo_vec2(x, y), scale, color, filo_builder_string(&draw->text), false);
}

FiloVec2 filo_draw_text_size(const char *text) {
    if (!FILO_CHECK(text != NULL, "pass a text, \"\" for none")) return filo_vec2(0, 0);
    FiloString rest = filo_string(text);
    unsigned widest = 0, lines = 0;
    for (bool more = true; more; lines++) {
        FiloString line;
        unsigned letters;
        more = next_line(&rest, &line, &letters);
        widest = FILO_MAX(widest, letters);
    }
    return filo_vec2((float)(widest * GFX2D_FONT_WIDTH), (float)(lines * GFX2D_FONT_HEIGHT));
}
