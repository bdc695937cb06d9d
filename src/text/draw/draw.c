// Immediate drawing of text, and the source of glyphs for filo_draw_text.

#include <filo/check.h>

#include "text/draw/drawing.h"
#include "text/layout/layout.h"
#include "text/typesetter.h"

#include <stdarg.h>

#define PLAIN_SIZE 16.0f // of filo_draw_text at scale 1, in pixels
#define PLAIN_TAB  2.0f  // em: four letters of the built-in font
#define FORMAT_MAX 4096

// ---- Scale of the world -------------------------------------------------------------------------------------

// Rounded up to powers of √2, so that a camera that zooms slowly changes pictures rarely.
static float rounded_scale(float scale) {
    const float root = 1.41421356f;
    if (!(scale > 1e-4f)) return 1e-4f;
    float rounded = 1;
    while (rounded < scale && rounded < 1e4f) rounded *= root;
    while (rounded >= scale * root) rounded /= root;
    return rounded;
}

static float scale_of_view(FiloGfx2d *gfx) {
    FiloVec2 a = filo_gfx2d_to_screen(gfx, FILO_ENTITY_NONE, filo_vec2(0, 0));
    FiloVec2 b = filo_gfx2d_to_screen(gfx, FILO_ENTITY_NONE, filo_vec2(1, 0));
    return rounded_scale(filo_vec2_length(filo_vec2_sub(b, a)));
}

// ---- Drawing ------------------------------------------------------------------------------------------------

static TextPlace place_of(const TextDrawing *drawing, const FiloDraw *draw, FiloVec2 at) {
    FiloAffine2 t = filo_draw_current_transform(draw);
    float scale = filo_max(filo_vec2_length(t.x), filo_vec2_length(t.y));
    TextPlace place = { .at = at, .up = -1, .scale = rounded_scale(scale) };
    if (filo_draw_is_in_world(draw)) {
        place.up = 1;
        place.scale = rounded_scale(scale * drawing->view_scale);
    } else if (t.x.x == 1 && t.x.y == 0 && t.y.x == 0 && t.y.y == 1) {
        place.exact = true;
        place.origin = t.origin;
        place.scale = 1;
    }
    return place;
}

static void draw_layout(TextDrawing *drawing, FiloDraw *draw, FiloVec2 at, const FiloTextStyle *style,
                        const FiloTextLayout *layout) {
    TextPlace place = place_of(drawing, draw, at);
    filo_array_clear(&drawing->paint.quads);
    text_paint_layout(&drawing->paint, layout, style, &place);
    filo_draw_quads(draw, drawing->paint.quads.items, drawing->paint.quads.count);
}

static TextDrawing *drawing_of(FiloTypesetter *setter, const FiloDraw *draw) {
    if (!FILO_CHECK(setter != NULL, "pass the typesetter that filo_typesetter_create returned") ||
        !FILO_CHECK(draw != NULL, "pass the FiloDraw that filo_gfx2d_draw, or the app, gave you") ||
        !FILO_CHECK(setter->drawing != NULL,
                    "this typesetter has no renderer: call filo_text_attach before it draws"))
        return NULL;
    return setter->drawing;
}

void filo_text_draw_layout(FiloTypesetter *setter, FiloDraw *draw, FiloVec2 at, const FiloTextStyle *style,
                           const FiloTextLayout *layout) {
    static const FiloTextStyle plain = { 0 };
    TextDrawing *drawing = drawing_of(setter, draw);
    if (drawing == NULL || layout == NULL) return;
    if (!FILO_CHECK(
            layout->last_used != TEXT_EVICTED,
            "this layout was evicted: call filo_text_layout again in every frame, or every other one"))
        return;
    draw_layout(drawing, draw, at, style != NULL ? style : &plain, layout);
}

static void draw_string(TextDrawing *drawing, FiloDraw *draw, FiloVec2 at, const FiloTextStyle *style,
                        FiloString text) {
    static const FiloTextStyle plain = { 0 };
    if (style == NULL) style = &plain;
    const FiloTextLayout *layout = filo_text_layout(drawing->setter, style, text);
    if (layout != NULL) draw_layout(drawing, draw, at, style, layout);
}

void filo_text_draw(FiloTypesetter *setter, FiloDraw *draw, FiloVec2 at, const FiloTextStyle *style,
                    const char *text) {
    TextDrawing *drawing = drawing_of(setter, draw);
    if (drawing == NULL || !FILO_CHECK(text != NULL, "pass a text, \"\" for none")) return;
    draw_string(drawing, draw, at, style, filo_string(text));
}

void filo_text_draw_format(FiloTypesetter *setter, FiloDraw *draw, FiloVec2 at, const FiloTextStyle *style,
                           const char *format, ...) {
    TextDrawing *drawing = drawing_of(setter, draw);
    if (drawing == NULL || !FILO_CHECK(format != NULL, "pass a format, \"\" for nothing")) return;
    filo_builder_clear(&drawing->text);
    va_list arguments;
    va_start(arguments, format);
    filo_builder_printf_list(&drawing->text, format, arguments);
    va_end(arguments);
    draw_string(drawing, draw, at, style, filo_builder_string(&drawing->text));
}

// ---- filo_draw_text -----------------------------------------------------------------------------------------

// Whether the built-in font has all characters of a text.
static bool is_built_in(FiloString text) {
    for (uint32_t c; filo_utf8_next(&text, &c);)
        if (c > 255 || (c > 126 && c < 160)) return false;
    return true;
}

// The default font is the built-in one, and draws this text as it always has.
static bool leaves_to_built_in(const TextDrawing *drawing, FiloString text) {
    return drawing->setter->fonts.default_font.id == 0 && is_built_in(text);
}

static FiloTextStyle plain_style(const FiloPlainText *plain, float size) {
    return (FiloTextStyle){ .size = size,
                            .color = plain->color,
                            .align = plain->centred ? FILO_TEXT_CENTRE : FILO_TEXT_LEFT,
                            .tab = PLAIN_TAB };
}

static bool draw_plain(FiloDraw *draw, const FiloPlainText *plain, void *user) {
    TextDrawing *drawing = user;
    if (leaves_to_built_in(drawing, plain->text)) return false;
    bool in_world = filo_draw_is_in_world(draw);
    float size = PLAIN_SIZE * plain->scale;
    if (in_world) size /= filo_gfx2d_pixels_per_unit(drawing->gfx);
    FiloTextStyle style = plain_style(plain, size);
    const FiloTextLayout *layout = filo_text_layout(drawing->setter, &style, plain->text);
    if (layout == NULL) return false;
    // In the world, the position is the lower left corner of the first line.
    FiloVec2 at = plain->at;
    size_t count;
    const FiloTextLine *lines = filo_text_lines(layout, &count);
    if (in_world && count > 0) at.y += lines[0].y + lines[0].descent;
    draw_layout(drawing, draw, at, &style, layout);
    return true;
}

static bool measure_plain(FiloString text, FiloVec2 *size, void *user) {
    TextDrawing *drawing = user;
    if (leaves_to_built_in(drawing, text)) return false;
    FiloTextStyle style = { .size = PLAIN_SIZE, .tab = PLAIN_TAB };
    const FiloTextLayout *layout = filo_text_layout(drawing->setter, &style, text);
    if (layout == NULL) return false;
    *size = filo_rect_size(filo_text_bounds(layout));
    return true;
}

// ---- Attaching a renderer -------------------------------------------------------------------------------------

static void extract(FiloGfx2d *gfx, const FiloExtract *what, void *user) {
    TextDrawing *drawing = user;
    drawing->view_scale = scale_of_view(gfx);
    text_glyphs_update(drawing->glyphs);
    if (drawing->world != NULL) text_world_extract(drawing->world, what);
}

static void free_drawing(TextDrawing *drawing) {
    text_world_destroy(drawing->world);
    text_paint_deinit(&drawing->paint);
    filo_builder_deinit(&drawing->text);
    text_glyphs_destroy(drawing->glyphs);
    filo_free(drawing->setter->allocator, drawing, sizeof *drawing, 0);
}

FiloResult filo_text_attach(FiloTypesetter *setter, const FiloTextDrawDesc *desc) {
    if (setter == NULL || desc == NULL || desc->gfx == NULL)
        return FILO_MISTAKE("pass a typesetter, and a description with a renderer");
    if (setter->drawing != NULL)
        return FILO_MISTAKE("this typesetter has a renderer: filo_text_detach first");
    if (desc->world != NULL && !filo_text_register(desc->world))
        return filo_error(FILO_ERROR_MEMORY, "cannot register the components of texts");
    const FiloResult no_memory = filo_error(FILO_ERROR_MEMORY, "no memory to draw text");
    TextDrawing *drawing = filo_alloc_zero(setter->allocator, sizeof *drawing, 0);
    if (drawing == NULL) return no_memory;
    drawing->setter = setter;
    drawing->gfx = desc->gfx;
    drawing->view_scale = 1;
    filo_builder_init(&drawing->text, setter->allocator);
    FiloJobs *jobs = desc->world != NULL ? filo_world_jobs(desc->world) : desc->jobs;
    drawing->glyphs = text_glyphs_create(setter, desc->gfx, jobs, setter->allocator,
                                         desc->glyph_memory / sizeof(FiloColor));
    text_paint_init(&drawing->paint, setter, drawing->glyphs, setter->allocator);
    if (desc->world != NULL) drawing->world = text_world_create(drawing, desc->world);
    FiloResult result = no_memory;
    if (drawing->glyphs != NULL && (desc->world == NULL || drawing->world != NULL))
        result = filo_gfx2d_add_source(desc->gfx, &(FiloQuadSource){ extract, drawing });
    if (result.code != FILO_OK) {
        free_drawing(drawing);
        return result;
    }
    filo_gfx2d_set_glyph_source(desc->gfx, &(FiloGlyphSource){ draw_plain, measure_plain, drawing });
    setter->drawing = drawing;
    return result;
}

void filo_text_detach(FiloTypesetter *setter) {
    if (!FILO_CHECK(setter != NULL, "pass the typesetter that filo_typesetter_create returned")) return;
    TextDrawing *drawing = setter->drawing;
    if (drawing == NULL) return;
    setter->drawing = NULL;
    filo_gfx2d_set_glyph_source(drawing->gfx, NULL);
    filo_gfx2d_remove_source(drawing->gfx, drawing);
    free_drawing(drawing);
}

bool filo_text_wait(FiloTypesetter *setter) {
    if (!FILO_CHECK(setter != NULL, "pass the typesetter that filo_typesetter_create returned")) return false;
    return setter->drawing != NULL && text_glyphs_finish(setter->drawing->glyphs);
}

FiloGlyphStats filo_text_glyph_stats(const FiloTypesetter *setter) {
    if (!FILO_CHECK(setter != NULL, "pass the typesetter that filo_typesetter_create returned") ||
        setter->drawing == NULL)
        return (FiloGlyphStats){ 0 };
    const TextGlyphs *glyphs = setter->drawing->glyphs;
    const TextWorld *world = setter->drawing->world;
    return (FiloGlyphStats){ .glyphs = glyphs->ready,
                             .memory = glyphs->texels * sizeof(FiloColor),
                             .made = glyphs->made,
                             .missed = glyphs->misses,
                             .evicted = glyphs->evicted,
                             .rebuilt = world != NULL ? text_world_rebuilt(world) : 0 };
}
