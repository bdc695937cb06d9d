// Immediate drawing: two lists of quads, one in pixels of the screen and one in world units, emptied at the beginning
// of each frame. Both are divided into runs: quads of one layer with one clip.
//
// Each call adds its quads (filo/raster.h) to a list; the current transform is applied there. A clip is a rectangle in
// the coordinates of the list; a run has its number. The renderer draws runs of different clips separately.
//
// The two kinds of coordinates differ in the direction of "up": on the screen the axis b of a quad, which points to its
// upper edge, points to smaller y. That matters for images and letters, not for symmetric shapes.
//
// If a list cannot grow, the quad is dropped and the allocator reports it. The rest of the frame is then not drawn, so
// that there is one report.

#include "gfx2d/draw/draw.h"

#include <filo/check.h>
#include <filo/containers.h>
#include <filo/jobs.h>
#include <filo/threads.h>

#include "gfx2d/draw/font.h"
#include "gfx2d/images/frames.h"

#include <stdarg.h>

#define TAB_LETTERS 4u

// A corner of a line is filled where it turns by more than about 2.5 degrees.
#define STRAIGHT_COSINE 0.999f

typedef FiloArray(FiloQuad) QuadArray;
typedef FiloArray(Gfx2dDrawRun) RunArray;

// What filo_draw_push saves. Transforms and clips: [0] of the screen, [1] of the world.
typedef struct State {
    FiloAffine2 transforms[2];
    bool transformed[2]; // the transform may differ from the identity
    uint32_t clips[2];   // index in FiloDraw.clips + 1; 0: none
    bool in_world;
    uint8_t layer;
} State;

struct FiloDraw {
    FiloGfx2d *gfx;
    const FiloAllocator *allocator;
    FiloVec2 size;
    bool open;       // what is drawn now will be shown
    uint32_t thread; // that began the frame: filo_thread_id
    QuadArray screen, world;
    RunArray screen_runs, world_runs;
    FiloArray(FiloRect) clips;
    Gfx2dPolygon polygon;
    FiloBuilder text; // of filo_draw_format
    FiloName font;
    FiloGlyphSource glyphs;
    bool out_of_memory; // in this frame
    State state, saved[FILO_DRAW_DEPTH];
    size_t depth;       // saved states
    size_t unsaved;     // pushes beyond FILO_DRAW_DEPTH
    size_t sealed_runs; // runs of the world that were drawn: nothing is added to them
};

FiloResult gfx2d_draw_create(FiloDraw **out, FiloGfx2d *gfx, const FiloAllocator *allocator) {
    *out = NULL;
    FiloDraw *draw = filo_alloc_zero(allocator, sizeof *draw, 0);
    if (draw == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for immediate drawing");
    draw->gfx = gfx;
    draw->allocator = allocator;
    filo_array_init(&draw->screen, allocator);
    filo_array_init(&draw->world, allocator);
    filo_array_init(&draw->screen_runs, allocator);
    filo_array_init(&draw->world_runs, allocator);
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
    filo_array_deinit(&draw->world_runs);
    filo_array_deinit(&draw->clips);
    gfx2d_polygon_deinit(&draw->polygon);
    filo_builder_deinit(&draw->text);
    filo_free(draw->allocator, draw, sizeof *draw, 0);
}

void gfx2d_draw_begin(FiloDraw *draw, int width, int height) {
    filo_array_clear(&draw->screen);
    filo_array_clear(&draw->world);
    filo_array_clear(&draw->screen_runs);
    filo_array_clear(&draw->world_runs);
    filo_array_clear(&draw->clips);
    draw->size = filo_vec2((float)width, (float)height);
    draw->out_of_memory = false;
    draw->sealed_runs = 0;
    draw->open = true;
    draw->thread = filo_thread_id();
    filo_draw_reset(draw);
}

void gfx2d_draw_end(FiloDraw *draw) { draw->open = false; }

void gfx2d_draw_set_glyph_source(FiloDraw *draw, FiloGlyphSource source) { draw->glyphs = source; }
bool gfx2d_draw_has_glyph_source(const FiloDraw *draw) { return draw->glyphs.draw != NULL; }

void gfx2d_draw_seal(FiloDraw *draw) { draw->sealed_runs = draw->world_runs.count; }

FiloQuadSpan gfx2d_draw_screen_quads(const FiloDraw *draw) {
    return (FiloQuadSpan){ draw->screen.items, draw->screen.count };
}

FiloQuadSpan gfx2d_draw_world_quads(const FiloDraw *draw) {
    return (FiloQuadSpan){ draw->world.items, draw->world.count };
}

const Gfx2dDrawRun *gfx2d_draw_world_runs(const FiloDraw *draw, size_t *count) {
    *count = draw->world_runs.count;
    return draw->world_runs.items;
}

const Gfx2dDrawRun *gfx2d_draw_screen_runs(const FiloDraw *draw, size_t *count) {
    *count = draw->screen_runs.count;
    return draw->screen_runs.items;
}

FiloRect gfx2d_draw_clip_rect(const FiloDraw *draw, uint32_t clip) { return draw->clips.items[clip - 1]; }

// ---- Lists ----------------------------------------------------------------------------------------------

static bool is_valid(const FiloDraw *draw) {
    return FILO_CHECK(draw != NULL, "pass the FiloDraw that filo_gfx2d_draw, or the app, gave you");
}

// Whether what is drawn now will be shown. False after a report.
static bool can_draw(const FiloDraw *draw) {
    return is_valid(draw) &&
           FILO_CHECK(!filo_jobs_marked() && (!draw->open || draw->thread == filo_thread_id()),
                      "draw on the main thread, and not in a system: copy in `extract` what `draw` shows") &&
           FILO_CHECK(draw->open, "what is drawn here is not shown: draw in `draw`, or in another function "
                                  "from the extraction of a frame to its rendering");
}

FiloVec2 filo_draw_size(const FiloDraw *draw) { return is_valid(draw) ? draw->size : filo_vec2(0, 0); }

void filo_draw_in_world(FiloDraw *draw, uint8_t layer) {
    if (!can_draw(draw)) return;
    draw->state.in_world = true;
    draw->state.layer = layer;
}

void filo_draw_on_screen(FiloDraw *draw) {
    if (can_draw(draw)) draw->state.in_world = false;
}

// Adds a quad to the last run if that has the same layer and clip, and begins a run otherwise. False without memory.
static bool add_to_list(FiloDraw *draw, QuadArray *quads, RunArray *runs, size_t sealed_runs,
                        const FiloQuad *quad) {
    uint8_t layer = draw->state.in_world ? draw->state.layer : 0;
    uint32_t clip = draw->state.clips[draw->state.in_world];
    const Gfx2dDrawRun *last = runs->count > sealed_runs ? &runs->items[runs->count - 1] : NULL;
    bool is_new = last == NULL || last->layer != layer || last->clip != clip;
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): an array with capacity has items
    if (is_new && !filo_array_push(runs, ((Gfx2dDrawRun){ layer, clip, quads->count, 0, false })))
        return false;
    if (!filo_array_push(quads, *quad)) {
        if (is_new) runs->count--;
        return false;
    }
    Gfx2dDrawRun *run = &runs->items[runs->count - 1];
    run->count++;
    run->has_distance_fields |= quad->kind >= FILO_QUAD_DISTANCE;
    return true;
}

static bool is_finite(const FiloQuad *quad) {
    float sum = 0 * quad->x + 0 * quad->y + 0 * quad->ax + 0 * quad->ay + 0 * quad->bx + 0 * quad->by;
    return sum == 0; // infinity and NaN times zero are NaN
}

static void transform_quad(FiloQuad *quad, FiloAffine2 by) {
    FiloVec2 centre = filo_affine2_point(by, filo_vec2(quad->x, quad->y));
    FiloVec2 a = filo_affine2_direction(by, filo_vec2(quad->ax, quad->ay));
    FiloVec2 b = filo_affine2_direction(by, filo_vec2(quad->bx, quad->by));
    quad->x = centre.x, quad->y = centre.y;
    quad->ax = a.x, quad->ay = a.y, quad->bx = b.x, quad->by = b.y;
}

static void add(FiloDraw *draw, const FiloQuad *original) {
    bool world = draw->state.in_world;
    FiloQuad quad = *original;
    if (draw->state.transformed[world]) transform_quad(&quad, draw->state.transforms[world]);
    if (draw->out_of_memory || !is_finite(&quad)) return;
    draw->out_of_memory = world
                              ? !add_to_list(draw, &draw->world, &draw->world_runs, draw->sealed_runs, &quad)
                              : !add_to_list(draw, &draw->screen, &draw->screen_runs, 0, &quad);
}

void filo_draw_quad(FiloDraw *draw, const FiloQuad *quad) {
    if (can_draw(draw) && FILO_CHECK(quad != NULL, "pass the quad to draw")) add(draw, quad);
}

// Adds quads to a run, for which there is memory.
static void add_more(const FiloDraw *draw, QuadArray *list, Gfx2dDrawRun *run, const FiloQuad *quads,
                     size_t count) {
    bool world = draw->state.in_world, transformed = draw->state.transformed[world];
    for (size_t i = 0; i < count; i++) {
        FiloQuad quad = quads[i];
        if (transformed) transform_quad(&quad, draw->state.transforms[world]);
        if (!is_finite(&quad)) continue;
        list->items[list->count++] = quad;
        run->count++;
        run->has_distance_fields |= quad.kind >= FILO_QUAD_DISTANCE;
    }
}

void filo_draw_quads(FiloDraw *draw, const FiloQuad *quads, size_t count) {
    if (!can_draw(draw) || !FILO_CHECK(quads != NULL || count == 0, "pass %zu quads", count)) return;
    if (count == 0 || draw->out_of_memory) return;
    bool world = draw->state.in_world;
    QuadArray *list = world ? &draw->world : &draw->screen;
    RunArray *runs = world ? &draw->world_runs : &draw->screen_runs;
    size_t before = list->count, wanted = before + count;
    bool has_room = list->capacity >= wanted || filo_array_reserve(list, wanted + wanted / 2);
    // The first one begins a run, if necessary, to which the others belong.
    add(draw, &quads[0]);
    if (!has_room || list->count == before) {
        for (size_t i = 1; i < count; i++) add(draw, &quads[i]);
        return;
    }
    add_more(draw, list, &runs->items[runs->count - 1], quads + 1, count - 1);
}

bool filo_draw_is_in_world(const FiloDraw *draw) { return is_valid(draw) && draw->state.in_world; }

FiloAffine2 filo_draw_current_transform(const FiloDraw *draw) {
    return is_valid(draw) ? draw->state.transforms[draw->state.in_world] : filo_affine2_identity();
}

// ---- Transforms and clips -------------------------------------------------------------------------------

void filo_draw_reset(FiloDraw *draw) {
    if (!is_valid(draw)) return;
    size_t open = draw->depth + draw->unsaved;
    draw->depth = draw->unsaved = 0;
    draw->state = (State){ .transforms = { filo_affine2_identity(), filo_affine2_identity() } };
    (void)FILO_CHECK(open == 0, "%zu filo_draw_push had no filo_draw_pop: pop what you push", open);
}

void filo_draw_push(FiloDraw *draw) {
    if (!can_draw(draw)) return;
    if (draw->depth < FILO_DRAW_DEPTH)
        draw->saved[draw->depth++] = draw->state;
    else
        draw->unsaved++;
    (void)FILO_CHECK(draw->unsaved == 0,
                     "more than %d filo_draw_push inside of each other: pop what you push", FILO_DRAW_DEPTH);
}

void filo_draw_pop(FiloDraw *draw) {
    if (!can_draw(draw)) return;
    if (draw->unsaved > 0)
        draw->unsaved--;
    else if (FILO_CHECK(draw->depth > 0,
                        "filo_draw_pop without a filo_draw_push: there is nothing to go back to"))
        draw->state = draw->saved[--draw->depth];
}

void filo_draw_transform(FiloDraw *draw, FiloAffine2 by) {
    if (!can_draw(draw)) return;
    bool world = draw->state.in_world;
    draw->state.transforms[world] = filo_affine2_mul(draw->state.transforms[world], by);
    draw->state.transformed[world] = true;
}

void filo_draw_translate(FiloDraw *draw, FiloVec2 by) {
    filo_draw_transform(draw, filo_affine2_translate(by));
}

void filo_draw_rotate(FiloDraw *draw, float angle) { filo_draw_transform(draw, filo_affine2_rotate(angle)); }

void filo_draw_scale(FiloDraw *draw, FiloVec2 by) { filo_draw_transform(draw, filo_affine2_scale(by)); }

void filo_draw_clip(FiloDraw *draw, FiloRect rect) {
    if (!can_draw(draw) || draw->out_of_memory) return;
    bool world = draw->state.in_world;
    uint32_t *clip = &draw->state.clips[world];
    rect = filo_rect_is_empty(rect) ? filo_rect(filo_vec2(0, 0), filo_vec2(0, 0))
                                    : filo_affine2_rect(draw->state.transforms[world], rect);
    if (*clip != 0) rect = filo_rect_intersection(rect, gfx2d_draw_clip_rect(draw, *clip));
    draw->out_of_memory = !filo_array_push(&draw->clips, rect);
    if (!draw->out_of_memory) *clip = (uint32_t)draw->clips.count;
}

// ---- Shapes ---------------------------------------------------------------------------------------------

static bool is_visible(FiloColor color) { return (color.r | color.g | color.b | color.a) != 0; }

static void add_box(FiloDraw *draw, FiloRect rect, FiloColor color) {
    if (filo_rect_is_empty(rect)) return;
    FiloQuad quad = filo_quad_box(filo_rect_centre(rect), filo_vec2_scale(filo_rect_size(rect), 0.5f), color);
    if (!draw->state.in_world) quad.by = -quad.by;
    add(draw, &quad);
}

void filo_draw_box(FiloDraw *draw, FiloRect rect, FiloColor color) {
    if (can_draw(draw) && is_visible(color)) add_box(draw, rect, color);
}

// Four boxes that do not overlap, so that a translucent frame has the same opacity all round.
void filo_draw_frame(FiloDraw *draw, FiloRect rect, float width, FiloColor color) {
    if (!can_draw(draw) || !is_visible(color) || filo_rect_is_empty(rect) || !(width > 0)) return;
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
    if (can_draw(draw) && is_visible(color) && width > 0) add_line(draw, from, to, width, color);
}

// A round corner at `corner`, between the lines from `before` and to `after`.
static void add_corner(FiloDraw *draw, FiloVec2 before, FiloVec2 corner, FiloVec2 after, float width,
                       FiloColor color) {
    FiloVec2 in = filo_vec2_normalise(filo_vec2_sub(corner, before));
    FiloVec2 out = filo_vec2_normalise(filo_vec2_sub(after, corner));
    if (filo_vec2_dot(in, out) >= STRAIGHT_COSINE) return;
    FiloQuad quad = filo_quad_ellipse(corner, filo_vec2(width * 0.5f, width * 0.5f), color);
    add(draw, &quad);
}

void filo_draw_lines(FiloDraw *draw, const FiloVec2 *points, size_t count, float width, FiloColor color) {
    if (!can_draw(draw) || !FILO_CHECK(points != NULL || count == 0, "pass %zu points", count)) return;
    if (!is_visible(color) || !(width > 0) || count < 2) return;
    for (size_t i = 0; i + 1 < count; i++) add_line(draw, points[i], points[i + 1], width, color);
    for (size_t i = 1; i + 1 < count; i++)
        add_corner(draw, points[i - 1], points[i], points[i + 1], width, color);
    if (count > 3 && filo_vec2_equal(points[0], points[count - 1]))
        add_corner(draw, points[count - 2], points[0], points[1], width, color);
}

void filo_draw_circle(FiloDraw *draw, FiloVec2 centre, float radius, FiloColor color) {
    if (!can_draw(draw) || !is_visible(color) || !(radius > 0)) return;
    FiloQuad quad = filo_quad_ellipse(centre, filo_vec2(radius, radius), color);
    add(draw, &quad);
}

void filo_draw_ring(FiloDraw *draw, FiloVec2 centre, float radius, float width, FiloColor color) {
    if (!can_draw(draw) || !is_visible(color) || !(radius > 0) || !(width > 0)) return;
    FiloQuad quad = filo_quad_ring(centre, radius, filo_max(radius - width, 0), color);
    add(draw, &quad);
}

static void add_triangle(FiloDraw *draw, FiloVec2 a, FiloVec2 b, FiloVec2 c, FiloColor color) {
    FiloQuad quad = filo_quad_triangle(a, b, c, color);
    add(draw, &quad);
}

void filo_draw_triangle(FiloDraw *draw, FiloVec2 a, FiloVec2 b, FiloVec2 c, FiloColor color) {
    if (can_draw(draw) && is_visible(color)) add_triangle(draw, a, b, c, color);
}

void filo_draw_polygon(FiloDraw *draw, const FiloVec2 *points, size_t count, FiloColor color) {
    if (!can_draw(draw) || !FILO_CHECK(points != NULL || count == 0, "pass %zu points", count)) return;
    if (!is_visible(color) || draw->out_of_memory) return;
    draw->out_of_memory = !gfx2d_polygon_triangulate(&draw->polygon, points, count);
    filo_array_each (&draw->polygon.triangles, t) add_triangle(draw, t->a, t->b, t->c, color);
}

// ---- Images ---------------------------------------------------------------------------------------------

// Adds the region of a page. `corner` is the upper left one: y is largest there in the world, and smallest on the
// screen.
static void add_image(FiloDraw *draw, const Gfx2dFrameRegion *region, FiloVec2 corner, FiloVec2 size,
                      FiloColor color) {
    float up = draw->state.in_world ? 1.0f : -1.0f;
    FiloQuad quad = { .x = corner.x + size.x * 0.5f,
                      .y = corner.y - size.y * 0.5f * up,
                      .ax = size.x * 0.5f,
                      .by = size.y * 0.5f * up,
                      .u0 = region->u0,
                      .v0 = region->v0,
                      .u1 = region->u1,
                      .v1 = region->v1,
                      .color = color,
                      .image = region->page,
                      .kind = FILO_QUAD_IMAGE };
    add(draw, &quad);
}

void filo_draw_image(FiloDraw *draw, FiloName image, int frame, FiloRect rect, FiloColor color) {
    if (!can_draw(draw) || !FILO_CHECK(frame >= 0, "frames count from 0; this one is %d", frame)) return;
    if (!is_visible(color) || filo_rect_is_empty(rect)) return;
    const Gfx2dFrameRegion *region = gfx2d_frame(draw->gfx, image, (unsigned)frame);
    if (!(region->width > 0) || !(region->height > 0)) return;
    // The rectangle is that of the whole frame, before trimming.
    FiloVec2 size = filo_rect_size(rect);
    FiloVec2 pixel = filo_vec2(size.x / region->width, size.y / region->height);
    float up = draw->state.in_world ? 1.0f : -1.0f;
    FiloVec2 corner =
        filo_vec2(rect.min.x + region->left * pixel.x,
                  (draw->state.in_world ? rect.max.y : rect.min.y) - region->top * pixel.y * up);
    add_image(draw, region, corner,
              filo_vec2(region->trimmed_width * pixel.x, region->trimmed_height * pixel.y), color);
}

// The part of a frame that is shown: what the caller wants, in whole pixels, without what was trimmed away. False if it
// is empty.
static bool choose_part(const Gfx2dFrameRegion *region, FiloRect *wanted, FiloRect *shown) {
    FiloRect frame = filo_rect(filo_vec2(0, 0), filo_vec2(region->width, region->height));
    *wanted = filo_rect_is_empty(*wanted)
                  ? frame
                  : filo_rect(filo_vec2(filo_round(wanted->min.x), filo_round(wanted->min.y)),
                              filo_vec2(filo_round(wanted->max.x), filo_round(wanted->max.y)));
    FiloRect rest = filo_rect_from_size(filo_vec2(region->left, region->top),
                                        filo_vec2(region->trimmed_width, region->trimmed_height));
    *shown = filo_rect_intersection(*wanted, rest);
    return !filo_rect_is_empty(*shown);
}

static void add_sprite(FiloDraw *draw, const FiloDrawSprite *sprite, const Gfx2dFrameRegion *region) {
    FiloRect wanted = sprite->part, shown;
    if (!choose_part(region, &wanted, &shown)) return;
    FiloVec2 texels = filo_rect_size(wanted), size = sprite->size;
    float unit = draw->state.in_world ? 1.0f / gfx2d_pixels_per_unit(draw->gfx) : 1.0f;
    if (size.x == 0 && size.y == 0) size = filo_vec2_scale(texels, unit);
    FiloVec2 scale = filo_vec2(size.x / texels.x, size.y / texels.y);
    // From the pivot to the centre of what is shown, along the axes of the image: right and up.
    FiloVec2 off = filo_vec2_sub(filo_rect_centre(shown), filo_rect_centre(wanted));
    bool flip_x = (sprite->flags & FILO_SPRITE_FLIP_X) != 0,
         flip_y = (sprite->flags & FILO_SPRITE_FLIP_Y) != 0;
    float right = (flip_x ? -off.x : off.x) * scale.x - sprite->pivot.x * size.x;
    float up = (flip_y ? off.y : -off.y) * scale.y - sprite->pivot.y * size.y;
    // The directions of these axes. Angles go from +x towards +y, and on the screen y goes down.
    FiloVec2 to_right = filo_vec2(filo_cos(sprite->rotation), filo_sin(sprite->rotation));
    FiloVec2 to_top = filo_vec2_perpendicular(to_right);
    if (!draw->state.in_world) to_top = filo_vec2_scale(to_top, -1);
    FiloVec2 centre =
        filo_vec2_add_scaled(filo_vec2_add_scaled(sprite->position, to_right, right), to_top, up);
    FiloVec2 half = filo_vec2_scale(filo_rect_size(shown), 0.5f);
    FiloVec2 a = filo_vec2_scale(to_right, half.x * scale.x), b = filo_vec2_scale(to_top, half.y * scale.y);
    uint16_t u[2] = { (uint16_t)(region->u0 + (int)(shown.min.x - region->left)),
                      (uint16_t)(region->u0 + (int)(shown.max.x - region->left)) };
    uint16_t v[2] = { (uint16_t)(region->v0 + (int)(shown.min.y - region->top)),
                      (uint16_t)(region->v0 + (int)(shown.max.y - region->top)) };
    FiloQuad quad = { .x = centre.x,
                      .y = centre.y,
                      .ax = a.x,
                      .ay = a.y,
                      .bx = b.x,
                      .by = b.y,
                      .u0 = u[flip_x],
                      .v0 = v[flip_y],
                      .u1 = u[!flip_x],
                      .v1 = v[!flip_y],
                      .color = is_visible(sprite->color) ? sprite->color : FILO_COLOR_WHITE,
                      .image = region->page,
                      .kind = FILO_QUAD_IMAGE,
                      .flags = (uint8_t)((sprite->flags & FILO_SPRITE_LINEAR ? FILO_QUAD_LINEAR : 0) |
                                         (sprite->flags & FILO_SPRITE_ADD ? FILO_QUAD_ADD : 0)) };
    add(draw, &quad);
}

void filo_draw_sprite(FiloDraw *draw, const FiloDrawSprite *sprite) {
    if (!can_draw(draw) || !FILO_CHECK(sprite != NULL, "pass the sprite to draw") ||
        !FILO_CHECK(sprite->frame >= 0, "frames count from 0; this one is %d", sprite->frame))
        return;
    if ((sprite->flags & FILO_SPRITE_HIDDEN) != 0) return;
    const Gfx2dFrameRegion *region = gfx2d_frame(draw->gfx, sprite->image, (unsigned)sprite->frame);
    if (region->width > 0 && region->height > 0) add_sprite(draw, sprite, region);
}

// ---- Text -----------------------------------------------------------------------------------------------

// Cuts the first line off `rest`, and counts its letters, with tabs. False if it was the last.
static bool next_line(FiloString *rest, FiloString *line, unsigned *letters) {
    bool more = filo_string_cut(*rest, FILO_STRING("\n"), line, rest);
    *letters = 0;
    FiloString left = *line;
    for (uint32_t character; filo_utf8_next(&left, &character);)
        *letters = character == '\t' ? (*letters / TAB_LETTERS + 1) * TAB_LETTERS : *letters + 1;
    return more;
}

typedef struct Pen {
    Gfx2dFrameRegion letters; // the image of the font
    float left, top;          // upper left corner of the next letter
    float width, height;      // of a letter; height points up
    FiloColor color;
} Pen;

static void add_letter(FiloDraw *draw, const Pen *pen, unsigned column, uint32_t character) {
    unsigned letter = gfx2d_font_letter(character);
    if (letter == ' ' - GFX2D_FONT_FIRST || letter == 0xA0 - GFX2D_FONT_FIRST) return;
    Gfx2dFrameRegion region = pen->letters;
    region.u0 = (uint16_t)(region.u0 + letter % GFX2D_FONT_COLUMNS * GFX2D_FONT_WIDTH);
    region.v0 = (uint16_t)(region.v0 + letter / GFX2D_FONT_COLUMNS * GFX2D_FONT_HEIGHT);
    region.u1 = (uint16_t)(region.u0 + GFX2D_FONT_WIDTH);
    region.v1 = (uint16_t)(region.v0 + GFX2D_FONT_HEIGHT);
    add_image(draw, &region, filo_vec2(pen->left + (float)column * pen->width, pen->top),
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
    if (draw->glyphs.draw != NULL) {
        FiloPlainText plain = { at, scale, color, centred, text };
        if (draw->glyphs.draw(draw, &plain, draw->glyphs.user)) return;
    }
    const Gfx2dFrameRegion *region = gfx2d_frame(draw->gfx, draw->font, 0);
    const int rows = GFX2D_FONT_LETTERS / GFX2D_FONT_COLUMNS;
    // The region is that of the placeholder if there was no memory for the font.
    if (region->trimmed_width != (float)(GFX2D_FONT_COLUMNS * GFX2D_FONT_WIDTH) ||
        region->trimmed_height != (float)(rows * GFX2D_FONT_HEIGHT))
        return;
    float pixel = draw->state.in_world ? scale / gfx2d_pixels_per_unit(draw->gfx) : scale;
    Pen pen = { .letters = *region,
                .top = draw->state.in_world ? at.y + GFX2D_FONT_HEIGHT * pixel : at.y,
                .width = GFX2D_FONT_WIDTH * pixel,
                .height = GFX2D_FONT_HEIGHT * pixel,
                .color = color };
    float down = draw->state.in_world ? -pen.height : pen.height;
    for (bool more = true; more; pen.top += down) {
        FiloString line;
        unsigned letters;
        more = next_line(&text, &line, &letters);
        pen.left = centred ? at.x - (float)letters * pen.width * 0.5f : at.x;
        add_line_of_text(draw, &pen, line);
    }
}

static bool can_write(const FiloDraw *draw, const char *text, float scale, FiloColor color) {
    return can_draw(draw) && FILO_CHECK(text != NULL, "pass a text, \"\" for none") && scale > 0 &&
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

FiloVec2 filo_draw_text_size(const FiloDraw *draw, const char *text) {
    if (!is_valid(draw) || !FILO_CHECK(text != NULL, "pass a text, \"\" for none")) return filo_vec2(0, 0);
    FiloString rest = filo_string(text);
    FiloVec2 size;
    if (draw->glyphs.size != NULL && draw->glyphs.size(rest, &size, draw->glyphs.user)) return size;
    unsigned widest = 0, lines = 0;
    for (bool more = true; more; lines++) {
        FiloString line;
        unsigned letters;
        more = next_line(&rest, &line, &letters);
        widest = FILO_MAX(widest, letters);
    }
    return filo_vec2((float)(widest * GFX2D_FONT_WIDTH), (float)(lines * GFX2D_FONT_HEIGHT));
}
