// Drawing at once: two lists of quads, one in pixels of the screen and one in world units, emptied at the
// beginning of each frame. The list of the world is divided into runs of one layer each.
//
// Whatever is drawn becomes quads (filo/raster.h) at once, so that the renderer has nothing to think about.
// The two kinds of coordinates differ in where "up" is: on the screen the b of a quad, its way up, points
// towards smaller y. Shapes that look the same upside down do not care; images and letters do.
//
// Lists keep their memory. When there is none to grow, the quad is dropped; the allocator reports it, and
// nothing more is tried in this frame, so that one report is enough.

#include "gfx2d/draw.h"

#include <filo/check.h>
#include <filo/containers.h>

#include "gfx2d/font.h"
#include "gfx2d/frames.h"

#include <stdarg.h>

#define TAB_LETTERS 4u

// A corner of a line is filled where it turns by more than about 2.5 degrees.
#define STRAIGHT_COSINE 0.999f

typedef FiloArray(FiloQuad) QuadArray;

struct FiloDraw {
    FiloGfx2d *gfx;
    const FiloAllocator *allocator;
    FiloVec2 size;
    QuadArray screen, world;
    FiloArray(FiloDrawRun) runs;
    FiloBuilder text; // of filo_draw_format
    FiloName font;
    bool in_world;
    bool full; // there was no memory for more, in this frame
    uint8_t layer;
    size_t sealed; // runs that nothing is added to any more
};

FiloResult filo_draw_create(FiloDraw **out, FiloGfx2d *gfx, const FiloAllocator *allocator) {
    *out = NULL;
    FiloDraw *draw = filo_alloc_zero(allocator, sizeof *draw, 0);
    if (draw == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for drawing at once");
    draw->gfx = gfx;
    draw->allocator = allocator;
    filo_array_init(&draw->screen, allocator);
    filo_array_init(&draw->world, allocator);
    filo_array_init(&draw->runs, allocator);
    filo_builder_init(&draw->text, allocator);
    draw->font = filo_name(FILO_FONT_IMAGE);
    *out = draw;
    return filo_ok();
}

void filo_draw_destroy(FiloDraw *draw) {
    if (draw == NULL) return;
    filo_array_deinit(&draw->screen);
    filo_array_deinit(&draw->world);
    filo_array_deinit(&draw->runs);
    filo_builder_deinit(&draw->text);
    filo_free(draw->allocator, draw, sizeof *draw, 0);
}

void filo_draw_begin(FiloDraw *draw, int width, int height) {
    filo_array_clear(&draw->screen);
    filo_array_clear(&draw->world);
    filo_array_clear(&draw->runs);
    draw->size = filo_vec2((float)width, (float)height);
    draw->in_world = draw->full = false;
    draw->layer = 0;
    draw->sealed = 0;
}

void filo_draw_seal(FiloDraw *draw) { draw->sealed = draw->runs.count; }

FiloQuadSpan filo_draw_screen_quads(const FiloDraw *draw) {
    return (FiloQuadSpan){ draw->screen.items, draw->screen.count };
}

FiloQuadSpan filo_draw_world_quads(const FiloDraw *draw) {
    return (FiloQuadSpan){ draw->world.items, draw->world.count };
}

const FiloDrawRun *filo_draw_world_runs(const FiloDraw *draw, size_t *count) {
    *count = draw->runs.count;
    return draw->runs.items;
}

// ---- Lists ----------------------------------------------------------------------------------------------

static bool is_there(const FiloDraw *draw) {
    return FILO_CHECK(draw != NULL, "pass the FiloDraw that filo_gfx2d_draw, or the app, gave you");
}

FiloVec2 filo_draw_size(const FiloDraw *draw) { return is_there(draw) ? draw->size : filo_vec2(0, 0); }

void filo_draw_in_world(FiloDraw *draw, uint8_t layer) {
    if (!is_there(draw)) return;
    draw->in_world = true;
    draw->layer = layer;
}

void filo_draw_on_screen(FiloDraw *draw) {
    if (is_there(draw)) draw->in_world = false;
}

// A quad for the world goes to the last run if that is of the same layer, and else begins one.
static bool add_to_world(FiloDraw *draw, const FiloQuad *quad) {
    size_t runs = draw->runs.count;
    bool fresh = runs == draw->sealed || draw->runs.items[runs - 1].layer != draw->layer;
    if (fresh && !filo_array_push(&draw->runs, (FiloDrawRun){ draw->layer, draw->world.count, 0 }))
        return false;
    if (!filo_array_push(&draw->world, *quad)) {
        if (fresh) draw->runs.count--;
        return false;
    }
    draw->runs.items[draw->runs.count - 1].count++;
    return true;
}

// What is not finite would be drawn nowhere.
static bool is_finite(const FiloQuad *quad) {
    float sum = 0 * quad->x + 0 * quad->y + 0 * quad->ax + 0 * quad->ay + 0 * quad->bx + 0 * quad->by;
    return sum == 0; // infinity and NaN times zero are NaN
}

static void add(FiloDraw *draw, const FiloQuad *quad) {
    if (draw->full || !is_finite(quad)) return;
    draw->full = !(draw->in_world ? add_to_world(draw, quad) : filo_array_push(&draw->screen, *quad));
}

void filo_draw_quad(FiloDraw *draw, const FiloQuad *quad) {
    if (is_there(draw) && FILO_CHECK(quad != NULL, "pass the quad to draw")) add(draw, quad);
}

// ---- Shapes ---------------------------------------------------------------------------------------------

static bool is_visible(FiloColor color) { return (color.r | color.g | color.b | color.a) != 0; }

static void add_box(FiloDraw *draw, FiloRect rect, FiloColor color) {
    if (filo_rect_is_empty(rect)) return;
    FiloQuad quad = filo_quad_box(filo_rect_centre(rect), filo_vec2_scale(filo_rect_size(rect), 0.5f), color);
    if (!draw->in_world) quad.by = -quad.by;
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

// A fan of triangles, which share their edges: each pixel belongs to one of them.
void filo_draw_polygon(FiloDraw *draw, const FiloVec2 *points, size_t count, FiloColor color) {
    if (!is_there(draw) || !FILO_CHECK(points != NULL || count == 0, "pass %zu points", count)) return;
    if (!is_visible(color)) return;
    for (size_t i = 1; i + 1 < count; i++) add_triangle(draw, points[0], points[i], points[i + 1], color);
}

// ---- Images ---------------------------------------------------------------------------------------------

// The part of a page from (u, v) on, in a rectangle from the upper left corner on, which is where y is
// largest in the world and smallest on the screen.
static void add_image(FiloDraw *draw, const FiloFramePlace *place, FiloVec2 corner, FiloVec2 size,
                      FiloColor color) {
    float up = draw->in_world ? 1.0f : -1.0f;
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
    const FiloFramePlace *place = filo_gfx2d_frame(draw->gfx, image, (unsigned)frame);
    if (!(place->width > 0) || !(place->height > 0)) return;
    // What was trimmed away belongs to the rectangle all the same.
    FiloVec2 size = filo_rect_size(rect);
    FiloVec2 pixel = filo_vec2(size.x / place->width, size.y / place->height);
    float up = draw->in_world ? 1.0f : -1.0f;
    FiloVec2 corner = filo_vec2(rect.min.x + place->left * pixel.x,
                                (draw->in_world ? rect.max.y : rect.min.y) - place->top * pixel.y * up);
    add_image(draw, place, corner, filo_vec2(place->part_width * pixel.x, place->part_height * pixel.y),
              color);
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
    FiloFramePlace letters; // all of them, on their page
    float left, top;        // upper left corner of the next letter
    float width, height;    // of a letter; height points up
    FiloColor color;
} Pen;

static void add_letter(FiloDraw *draw, const Pen *pen, unsigned column, uint32_t character) {
    unsigned letter = filo_font_letter(character);
    if (letter == ' ' - FILO_FONT_FIRST || letter == 0xA0 - FILO_FONT_FIRST) return;
    FiloFramePlace place = pen->letters;
    place.u0 = (uint16_t)(place.u0 + letter % FILO_FONT_COLUMNS * FILO_FONT_WIDTH);
    place.v0 = (uint16_t)(place.v0 + letter / FILO_FONT_COLUMNS * FILO_FONT_HEIGHT);
    place.u1 = (uint16_t)(place.u0 + FILO_FONT_WIDTH);
    place.v1 = (uint16_t)(place.v0 + FILO_FONT_HEIGHT);
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
    const FiloFramePlace *place = filo_gfx2d_frame(draw->gfx, draw->font, 0);
    const int rows = FILO_FONT_LETTERS / FILO_FONT_COLUMNS;
    // Something else than the font is there if there was no memory for it.
    if (place->part_width != (float)(FILO_FONT_COLUMNS * FILO_FONT_WIDTH) ||
        place->part_height != (float)(rows * FILO_FONT_HEIGHT))
        return;
    float pixel = draw->in_world ? scale / filo_gfx2d_pixels_per_unit(draw->gfx) : scale;
    Pen pen = { .letters = *place,
                .top = draw->in_world ? at.y + FILO_FONT_HEIGHT * pixel : at.y,
                .width = FILO_FONT_WIDTH * pixel,
                .height = FILO_FONT_HEIGHT * pixel,
                .color = color };
    float down = draw->in_world ? -pen.height : pen.height;
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
    return filo_vec2((float)(widest * FILO_FONT_WIDTH), (float)(lines * FILO_FONT_HEIGHT));
}
