// Quads of a layout. See paint.h.
//
// A layout is painted in passes, from back to front: shadow, glow, outline, letters. Letters on the screen that are
// upright, not scaled, small and without effects are pictures of their exact size, at quarters of a pixel. All others are
// distance fields. Letters of bitmap fonts are scaled pictures; their outline is made of copies.

#include "text/draw/paint.h"

#include <harfbuzz/hb-ot.h>

void text_paint_init(TextPaint *paint, const FiloTypesetter *setter, TextGlyphs *glyphs,
                     const FiloAllocator *allocator) {
    *paint = (TextPaint){ .setter = setter, .glyphs = glyphs };
    filo_array_init(&paint->quads, allocator);
    filo_array_init(&paint->used, allocator);
}

void text_paint_deinit(TextPaint *paint) {
    filo_array_deinit(&paint->quads);
    filo_array_deinit(&paint->used);
}

// ---- Passes -------------------------------------------------------------------------------------------------

typedef enum PassKind { PASS_SHADOW, PASS_GLOW, PASS_OUTLINE, PASS_LETTERS } PassKind;

typedef struct Pass {
    PassKind kind;
    uint8_t quad_kind; // of distance fields
    float reach;       // em
    FiloVec2 offset;   // em, y down
    FiloColor color;
} Pass;

typedef struct Painter {
    TextPaint *paint;
    const TextPlace *place;
    const FiloTextStyle *style;
    const Pass *pass;
    FiloColor color;  // of letters without one
    uint32_t shown;   // letters
    FiloVec2 snapped; // exact: how far the current line was moved to whole pixels
    bool effects;     // letters are distance fields everywhere
    // The font of the last glyph.
    const TextFont *font;
} Painter;

static bool is_zero(FiloColor c) { return (c.r | c.g | c.b | c.a) == 0; }

static FiloColor fade_by(FiloColor color, uint8_t alpha) {
    return alpha == 255 ? color : filo_color_mul(color, filo_color(alpha, alpha, alpha, alpha));
}

static size_t list_passes(const FiloTextStyle *s, FiloColor color, Pass passes[4]) {
    size_t count = 0;
    float outline = filo_clamp(s->outline, 0, TEXT_FIELD_REACH);
    bool has_offset = s->shadow.x != 0 || s->shadow.y != 0 || s->shadow_blur > 0;
    if (!is_zero(s->shadow_color) && has_offset)
        passes[count++] =
            (Pass){ PASS_SHADOW, s->shadow_blur > 0 ? FILO_QUAD_DISTANCE_SOFT : FILO_QUAD_DISTANCE,
                    filo_clamp(outline + filo_max(s->shadow_blur, 0), 0, TEXT_FIELD_REACH), s->shadow,
                    fade_by(s->shadow_color, color.a) };
    if (!is_zero(s->glow_color) && s->glow > 0)
        passes[count++] = (Pass){ .kind = PASS_GLOW,
                                  .quad_kind = FILO_QUAD_DISTANCE_SOFT,
                                  .reach = filo_clamp(outline + s->glow, 0, TEXT_FIELD_REACH),
                                  .color = fade_by(s->glow_color, color.a) };
    if (outline > 0)
        passes[count++] =
            (Pass){ .kind = PASS_OUTLINE,
                    .quad_kind = FILO_QUAD_DISTANCE,
                    .reach = outline,
                    .color =
                        fade_by(is_zero(s->outline_color) ? FILO_COLOR_BLACK : s->outline_color, color.a) };
    passes[count++] = (Pass){ .kind = PASS_LETTERS, .quad_kind = FILO_QUAD_DISTANCE, .color = color };
    return count;
}

// ---- Quads --------------------------------------------------------------------------------------------------

// A position of the layout.
static inline FiloVec2 position(const Painter *p, float x, float y) {
    return filo_vec2(p->place->at.x + x, p->place->at.y - p->place->up * y);
}

// The next quad, which is written in place; NULL without memory.
static inline FiloQuad *next_quad(Painter *p) {
    TextQuadArray *quads = &p->paint->quads;
    if (FILO_UNLIKELY(quads->count == quads->capacity) &&
        !filo_array_reserve(quads, quads->count + quads->count / 2 + 64))
        return NULL;
    return &quads->items[quads->count++];
}

typedef struct Look {
    FiloColor color;
    uint8_t kind, flags;
} Look;

// Adds a quad that shows a region. `corner` is its upper left one.
static inline FiloQuad *add_region(Painter *p, FiloAtlasRegion region, FiloVec2 corner, FiloVec2 size,
                                   Look look) {
    float up = p->place->up;
    FiloQuad *quad = next_quad(p);
    if (quad == NULL) return NULL;
    quad->x = corner.x + size.x * 0.5f, quad->y = corner.y - size.y * 0.5f * up;
    quad->ax = size.x * 0.5f, quad->ay = 0;
    quad->bx = 0, quad->by = size.y * 0.5f * up;
    quad->u0 = region.u0, quad->v0 = region.v0, quad->u1 = region.u1, quad->v1 = region.v1;
    quad->color = look.color;
    quad->image = region.page, quad->kind = look.kind, quad->flags = look.flags;
    return quad;
}

static inline FiloVec2 region_size(FiloAtlasRegion region, float texel) {
    return filo_vec2((float)(region.u1 - region.u0) * texel, (float)(region.v1 - region.v0) * texel);
}

static FiloColor letter_color(const Painter *p, FiloColor own) {
    if (p->pass->kind != PASS_LETTERS || is_zero(own)) return p->pass->color;
    return fade_by(own, p->color.a);
}

// ---- Letters of outline fonts ---------------------------------------------------------------------------------

static bool is_colored(const TextFontFile *file, uint32_t glyph) {
    if (!file->has_color) return false;
    return !file->has_outlines || hb_ot_color_glyph_get_layers(file->face, glyph, 0, NULL, NULL) > 0;
}

// The first of some sizes that is large enough for a size in pixels; otherwise the last. Notes for which scales it is.
static float choose_size(Painter *p, float size, const float *sizes, size_t count) {
    float pixels = size * p->place->scale;
    size_t i = 0;
    while (i + 1 < count && pixels > sizes[i]) i++;
    if (i > 0) p->paint->scale_above = filo_max(p->paint->scale_above, sizes[i - 1] / size);
    if (i + 1 < count) p->paint->scale_up_to = filo_min(p->paint->scale_up_to, sizes[i] / size);
    return sizes[i];
}

// Coloured pictures are at most a quarter larger than they are drawn, up to those of the largest size: bitmaps are not
// larger, and layers of outlines take much memory.
static const float color_sizes[] = { 12, 14, 16, 20, 24,  28,  32,  40,  48,
                                     56, 64, 80, 96, 112, 136, 168, 208, 256 };
#define BITMAP_SIZES 15 // the first ones

// A field is enlarged up to FIELD_STRETCH times, the largest one any number of times. Strokes that are thinner than a
// texel would break.
#define FIELD_STRETCH 1.5f
static const float field_sizes[] = { TEXT_FIELD_EM, 2 * TEXT_FIELD_EM, 4 * TEXT_FIELD_EM };

static float color_size(Painter *p, float size) {
    bool layers = p->font->file->has_outlines;
    return choose_size(p, size, color_sizes, layers ? FILO_COUNT_OF(color_sizes) : BITMAP_SIZES);
}

static float field_size(Painter *p, float size) {
    if (p->pass->kind != PASS_LETTERS) return TEXT_FIELD_EM;
    return choose_size(p, size / FIELD_STRETCH, field_sizes, FILO_COUNT_OF(field_sizes));
}

// The same glyph at another size that is ready: shown while the right one is made, so that nothing flickers when a
// camera zooms.
static FILO_COLD uint32_t find_other_size(Painter *p, uint32_t glyph, TextGlyphLook look) {
    const float *sizes = look.mode == TEXT_GLYPH_COLOR ? color_sizes : field_sizes;
    size_t count = look.mode == TEXT_GLYPH_COLOR ? FILO_COUNT_OF(color_sizes) : FILO_COUNT_OF(field_sizes);
    if (look.mode != TEXT_GLYPH_COLOR && look.mode != TEXT_GLYPH_FIELD) return TEXT_GLYPH_NONE;
    for (size_t i = count; i-- > 0;) {
        look.size = sizes[i];
        uint32_t index = text_glyphs_find_ready(p->paint->glyphs, p->font, glyph, look);
        if (index != TEXT_GLYPH_NONE) return index;
    }
    return TEXT_GLYPH_NONE;
}

// NULL if there is nothing to show yet.
static const TextGlyph *find_glyph(Painter *p, uint32_t glyph, TextGlyphLook look) {
    uint32_t index = text_glyphs_find(p->paint->glyphs, p->font, glyph, look);
    if (FILO_UNLIKELY(index == TEXT_GLYPH_NONE)) return NULL;
    const TextGlyph *entry = text_glyphs_at(p->paint->glyphs, index);
    if (FILO_UNLIKELY(entry->state != TEXT_GLYPH_READY)) {
        if (entry->state == TEXT_GLYPH_EMPTY) return NULL;
        p->paint->missing = true;
        index = find_other_size(p, glyph, look);
        if (index == TEXT_GLYPH_NONE) return NULL;
        entry = text_glyphs_at(p->paint->glyphs, index);
    }
    if (p->paint->keep_used) (void)filo_array_push(&p->paint->used, index);
    return entry;
}

// A picture at its exact size: `pen` is rounded to whole pixels, or to quarters.
static void add_exact(Painter *p, const FiloTextGlyph *g, TextGlyphMode mode) {
    const TextPlace *place = p->place;
    FiloVec2 pen = position(p, g->x, g->y);
    float x = pen.x + place->origin.x + p->snapped.x, y = pen.y + place->origin.y + p->snapped.y;
    if (!(filo_abs(x) < 1e6f && filo_abs(y) < 1e6f)) return;
    int quarters = mode == TEXT_GLYPH_MONO ? (int)filo_floor(x + 0.5f) * 4 : (int)filo_floor(x * 4 + 0.5f);
    TextGlyphLook look = { mode, mode == TEXT_GLYPH_MONO ? filo_max(filo_round(g->size), 1) : g->size,
                           (unsigned)quarters & 3 };
    const TextGlyph *glyph = find_glyph(p, g->glyph, look);
    if (glyph == NULL) return;
    FiloVec2 corner = filo_vec2((float)(quarters >> 2) + glyph->left - place->origin.x,
                                filo_floor(y + 0.5f) - glyph->top - place->origin.y);
    add_region(p, glyph->region, corner, region_size(glyph->region, 1),
               (Look){ letter_color(p, g->color), FILO_QUAD_IMAGE, 0 });
}

// A picture or a field that is scaled.
static void add_scaled(Painter *p, const FiloTextGlyph *g, TextGlyphLook look, FiloColor color) {
    const TextGlyph *glyph = find_glyph(p, g->glyph, look);
    if (glyph == NULL) return;
    float texel = g->size / glyph->em;
    FiloVec2 pen = position(p, g->x + p->pass->offset.x * g->size, g->y + p->pass->offset.y * g->size);
    FiloVec2 corner = filo_vec2(pen.x + glyph->left * texel + p->snapped.x,
                                pen.y + glyph->top * texel * p->place->up + p->snapped.y);
    Look drawn = { color, FILO_QUAD_IMAGE, look.mode == TEXT_GLYPH_COLOR ? FILO_QUAD_LINEAR : 0 };
    if (look.mode == TEXT_GLYPH_FIELD)
        drawn = (Look){ color, p->pass->quad_kind, filo_quad_reach(p->pass->reach * TEXT_FIELD_EM) };
    add_region(p, glyph->region, corner, region_size(glyph->region, texel), drawn);
}

static void add_outlined(Painter *p, const FiloTextGlyph *g) {
    float pixels = g->size * p->place->scale;
    if (FILO_UNLIKELY(is_colored(p->font->file, g->glyph))) {
        if (p->pass->kind != PASS_LETTERS) return;
        uint8_t alpha = p->color.a;
        add_scaled(p, g, (TextGlyphLook){ TEXT_GLYPH_COLOR, color_size(p, g->size), 0 },
                   filo_color(alpha, alpha, alpha, alpha));
    } else if (p->style->pixelated && !p->effects && pixels <= 256) {
        // Another picture at any other scale.
        if (!p->place->exact)
            p->paint->scale_up_to = p->place->scale, p->paint->scale_above = p->place->scale * 0.99f;
        if (p->place->exact)
            add_exact(p, g, TEXT_GLYPH_MONO);
        else
            add_scaled(p, g, (TextGlyphLook){ TEXT_GLYPH_MONO, filo_max(filo_round(pixels), 1), 0 },
                       letter_color(p, g->color));
    } else if (p->place->exact && !p->effects && g->size <= TEXT_EXACT_SIZE) {
        add_exact(p, g, TEXT_GLYPH_COVERAGE);
    } else {
        add_scaled(p, g, (TextGlyphLook){ TEXT_GLYPH_FIELD, field_size(p, g->size), 0 },
                   letter_color(p, g->color));
    }
}

// ---- Letters of bitmap fonts ----------------------------------------------------------------------------------

// What is shown of a bitmap font: the part of a page, and where it is in the em.
typedef struct BitmapLetter {
    FiloAtlasRegion region;
    float left, top; // from the origin, in texels; y up
    float em;        // texels
    bool smooth;
} BitmapLetter;

static bool find_letter(Painter *p, const FiloTextGlyph *g, BitmapLetter *letter) {
    const TextFontFile *file = p->font->file;
    FiloGfx2d *gfx = p->paint->glyphs->gfx;
    p->paint->shows_images = true;
    if (file->kind == TEXT_FONT_BUILT_IN) {
        if (g->glyph == ' ' || g->glyph == 0xA0) return false;
        *letter =
            (BitmapLetter){ filo_gfx2d_letter(gfx, g->glyph), 0, file->ascent, file->units_per_em, false };
        return true;
    }
    const TextBitmapFont *font = file->bitmap;
    if (font == NULL || g->glyph >= font->glyph_count) return false;
    const TextBitmapGlyph *b = &font->glyphs[g->glyph];
    if (b->width == 0 || b->height == 0 || b->page >= font->page_count) return false;
    FiloImageRegion page = filo_gfx2d_image_region(gfx, font->pages[b->page], 0);
    if ((float)(b->x + b->width) > page.part.max.x || (float)(b->y + b->height) > page.part.max.y)
        return false;
    uint16_t u = (uint16_t)(page.region.u0 + b->x), v = (uint16_t)(page.region.v0 + b->y);
    *letter = (BitmapLetter){ { u, v, (uint16_t)(u + b->width), (uint16_t)(v + b->height), page.region.page },
                              b->left,
                              (float)(font->base - b->top),
                              (float)font->size,
                              font->smooth && !p->style->pixelated };
    return true;
}

static void add_copy(Painter *p, const FiloTextGlyph *g, const BitmapLetter *letter, FiloVec2 offset) {
    float texel = g->size / letter->em;
    FiloVec2 pen = position(p, g->x + offset.x, g->y + offset.y);
    pen = filo_vec2_add(pen, p->snapped);
    FiloVec2 corner = filo_vec2(pen.x + letter->left * texel, pen.y + letter->top * texel * p->place->up);
    Look look = { letter_color(p, g->color), FILO_QUAD_IMAGE, letter->smooth ? FILO_QUAD_LINEAR : 0 };
    for (int i = 0; i < (p->font->bold ? 2 : 1); i++, corner.x += texel) {
        FiloQuad *quad = add_region(p, letter->region, corner, region_size(letter->region, texel), look);
        if (quad == NULL || !p->font->slanted) continue;
        quad->x += TEXT_SLANT * (quad->y - pen.y) * p->place->up;
        quad->bx = TEXT_SLANT * quad->by * p->place->up;
    }
}

// A glow is not made of copies; an outline of at least one texel is.
static void add_bitmap(Painter *p, const FiloTextGlyph *g) {
    BitmapLetter letter;
    if (p->pass->kind == PASS_GLOW || !find_letter(p, g, &letter)) return;
    FiloVec2 offset = filo_vec2_scale(p->pass->offset, g->size);
    if (p->pass->kind != PASS_OUTLINE) {
        add_copy(p, g, &letter, offset);
        return;
    }
    float texel = g->size / letter.em;
    float width = filo_max(filo_round(p->pass->reach * letter.em), 1) * texel;
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
            if (x != 0 || y != 0) add_copy(p, g, &letter, filo_vec2((float)x * width, (float)y * width));
}

// ---- Everything -----------------------------------------------------------------------------------------------

static void add_glyph(Painter *p, const FiloTextGlyph *g) {
    if (p->font == NULL || p->font->index != g->font) p->font = text_font_at(p->paint->setter, g->font);
    if (p->font == NULL || p->font->file == NULL) return;
    if (p->font->file->kind == TEXT_FONT_OUTLINE)
        add_outlined(p, g);
    else
        add_bitmap(p, g);
}

static bool is_snapped(FiloTextAlign align) {
    return align == FILO_TEXT_LEFT_SNAPPED || align == FILO_TEXT_CENTRE_SNAPPED ||
           align == FILO_TEXT_RIGHT_SNAPPED;
}

static void begin_line(Painter *p, const FiloTextLine *line) {
    p->snapped = filo_vec2(0, 0);
    if (!p->place->exact || !is_snapped(p->style->align)) return;
    FiloVec2 at = filo_vec2_add(position(p, line->x, line->y), p->place->origin);
    p->snapped = filo_vec2(filo_floor(at.x + 0.5f) - at.x, filo_floor(at.y + 0.5f) - at.y);
}

static void add_bar(Painter *p, const FiloTextBar *bar) {
    float em = p->style->size > 0 ? p->style->size : 16, grow = p->pass->reach * em;
    FiloRect rect = bar->rect;
    if (p->shown < bar->end_order && bar->end_order > bar->order) {
        // Letters from its beginning are shown.
        float part = (float)(p->shown - bar->order) / (float)(bar->end_order - bar->order);
        float width = (rect.max.x - rect.min.x) * part;
        if (bar->rtl)
            rect.min.x = rect.max.x - width;
        else
            rect.max.x = rect.min.x + width;
    }
    if (p->place->exact && !p->effects) {
        float thickness = filo_max(filo_round(rect.max.y - rect.min.y), 1);
        float off = p->place->at.y + p->place->origin.y;
        rect.min.y = filo_floor(rect.min.y + off + 0.5f) - off;
        rect.max.y = rect.min.y + thickness;
    }
    FiloVec2 centre = filo_rect_centre(rect), half = filo_vec2_scale(filo_rect_size(rect), 0.5f);
    centre = position(p, centre.x + p->pass->offset.x * em, centre.y + p->pass->offset.y * em);
    FiloQuad quad = filo_quad_box(centre, filo_vec2(half.x + grow, (half.y + grow) * p->place->up),
                                  letter_color(p, bar->color));
    if (p->pass->kind != PASS_GLOW) (void)filo_array_push(&p->paint->quads, quad);
}

static void add_icon(Painter *p, const FiloTextIcon *icon) {
    p->paint->shows_images = true;
    FiloImageRegion image = filo_gfx2d_image_region(p->paint->glyphs->gfx, icon->image, 0);
    if (!(image.size.x > 0 && image.size.y > 0)) return;
    // As large as fits, in the middle.
    FiloVec2 room = filo_rect_size(icon->rect), centre = filo_rect_centre(icon->rect);
    float scale = filo_min(room.x / image.size.x, room.y / image.size.y);
    FiloVec2 corner = filo_vec2(centre.x + (image.part.min.x - image.size.x * 0.5f) * scale,
                                centre.y + (image.part.min.y - image.size.y * 0.5f) * scale);
    FiloVec2 size = filo_vec2_scale(filo_rect_size(image.part), scale);
    uint8_t alpha = p->color.a;
    add_region(p, image.region, position(p, corner.x, corner.y), size,
               (Look){ filo_color(alpha, alpha, alpha, alpha), FILO_QUAD_IMAGE,
                       p->style->pixelated ? 0 : FILO_QUAD_LINEAR });
}

static void paint_pass(Painter *p, const FiloTextLayout *layout) {
    size_t line_count, glyph_count, bar_count, icon_count;
    const FiloTextLine *lines = filo_text_lines(layout, &line_count);
    const FiloTextGlyph *glyphs = filo_text_glyphs(layout, &glyph_count);
    const FiloTextBar *bars = filo_text_bars(layout, &bar_count);
    const FiloTextIcon *icons = filo_text_icons(layout, &icon_count);
    for (size_t i = 0; i < line_count; i++) {
        begin_line(p, &lines[i]);
        const FiloTextGlyph *first = glyphs + lines[i].first_glyph;
        for (uint32_t k = 0; k < lines[i].glyph_count; k++)
            if (first[k].order < p->shown) add_glyph(p, &first[k]);
    }
    p->snapped = filo_vec2(0, 0);
    for (size_t i = 0; i < bar_count; i++)
        if (bars[i].order < p->shown) add_bar(p, &bars[i]);
    for (size_t i = 0; i < icon_count && p->pass->kind == PASS_LETTERS; i++)
        if (icons[i].order < p->shown) add_icon(p, &icons[i]);
}

void text_paint_layout(TextPaint *paint, const FiloTextLayout *layout, const FiloTextStyle *style,
                       const TextPlace *place) {
    Pass passes[4];
    FiloColor color = is_zero(style->color) ? FILO_COLOR_WHITE : style->color;
    size_t count = list_passes(style, color, passes);
    Painter painter = { .paint = paint,
                        .place = place,
                        .style = style,
                        .color = color,
                        .shown = filo_text_letters_shown(layout, style->hidden),
                        .effects = count > 1 };
    if (painter.shown == 0) return;
    for (size_t i = 0; i < count; i++) {
        painter.pass = &passes[i];
        paint_pass(&painter, layout);
    }
}
