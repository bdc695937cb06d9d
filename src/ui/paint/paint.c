// Painting: commands for filo_ui_draw, clipped here and not by the renderer, so that a whole UI shares draw calls.
//
// Corners and shadows are parts of a generated image (atlas.c), drawn one texel a pixel and cut to whole pixels.

#include "ui/ui.h"

#include "ui/paint/atlas.h"

FiloRect ui_push_clip(FiloUi *ui, FiloRect rect) {
    FiloRect old = ui->clip;
    ui->clip = filo_rect_intersection(old, rect);
    return old;
}

static FiloColor faded(const FiloUi *ui, FiloColor color) {
    return ui->fade < 1 ? filo_color_fade(color, ui->fade) : color;
}

static void push(FiloUi *ui, const UiCommand *command) { (void)filo_array_push(&ui->commands, *command); }

void ui_paint_quad(FiloUi *ui, const FiloQuad *quad) {
    UiCommand command = { .kind = UI_PAINT_QUAD, .quad = *quad };
    command.quad.color = faded(ui, quad->color);
    push(ui, &command);
}

void ui_paint_box(FiloUi *ui, FiloRect rect, FiloColor color) {
    rect = filo_rect_intersection(rect, ui->clip);
    if (filo_rect_is_empty(rect) || !ui_color_set(color)) return;
    FiloVec2 half = filo_vec2_scale(filo_rect_size(rect), 0.5f);
    FiloQuad quad = filo_quad_box(filo_rect_centre(rect), half, color);
    quad.by = -quad.by;
    ui_paint_quad(ui, &quad);
}

// The part of `part` that is shown if `rect` is cut to the clip. Cuts are rounded to texels, unless the image is
// smooth. False if nothing is left.
static bool cut_image(const FiloUi *ui, FiloRect *part, FiloRect *rect, bool smooth) {
    FiloRect shown = filo_rect_intersection(*rect, ui->clip);
    if (filo_rect_is_empty(shown)) return false;
    if (shown.min.x == rect->min.x && shown.min.y == rect->min.y && shown.max.x == rect->max.x &&
        shown.max.y == rect->max.y)
        return true;
    FiloVec2 size = filo_rect_size(*rect), texels = filo_rect_size(*part);
    if (!(size.x > 0 && size.y > 0)) return false;
    FiloVec2 unit = filo_vec2(texels.x / size.x, texels.y / size.y);
    FiloRect cut = filo_rect(filo_vec2(part->min.x + (shown.min.x - rect->min.x) * unit.x,
                                       part->min.y + (shown.min.y - rect->min.y) * unit.y),
                             filo_vec2(part->max.x - (rect->max.x - shown.max.x) * unit.x,
                                       part->max.y - (rect->max.y - shown.max.y) * unit.y));
    if (smooth) {
        *rect = shown;
        *part = cut;
        return true;
    }
    cut = filo_rect(filo_vec2(filo_floor(cut.min.x), filo_floor(cut.min.y)),
                    filo_vec2(filo_ceil(cut.max.x), filo_ceil(cut.max.y)));
    if (filo_rect_is_empty(cut)) return false;
    // The texels at the edge may be cut in the middle: of a magnified image the rectangle follows the texels, and the
    // rest of them is over the edge by less than a texel. One texel a pixel is exact.
    if (unit.x < 0.999f || unit.y < 0.999f) {
        FiloRect exact = filo_rect(filo_vec2(rect->min.x + (cut.min.x - part->min.x) / unit.x,
                                             rect->min.y + (cut.min.y - part->min.y) / unit.y),
                                   filo_vec2(rect->max.x - (part->max.x - cut.max.x) / unit.x,
                                             rect->max.y - (part->max.y - cut.max.y) / unit.y));
        *rect = exact;
    } else {
        *rect = shown;
    }
    *part = cut;
    return true;
}

static bool is_whole(FiloRect rect) { return filo_rect_is_empty(rect); }

void ui_paint_image(FiloUi *ui, FiloName image, int frame, FiloRect part, FiloRect rect, FiloColor color,
                    bool smooth) {
    if (filo_rect_is_empty(filo_rect_intersection(rect, ui->clip)) || !ui_color_set(color)) return;
    // Without the size of the image it cannot be cut: it is shown if its centre is visible.
    if (is_whole(part)) {
        if (!filo_rect_contains(ui->clip, filo_rect_centre(rect))) return;
    } else if (!cut_image(ui, &part, &rect, smooth)) {
        return;
    }
    push(ui, &(UiCommand){ .kind = UI_PAINT_IMAGE,
                           .image = image,
                           .frame = frame,
                           .part = part,
                           .rect = rect,
                           .color = faded(ui, color),
                           .smooth = smooth });
}

static void paint_part(FiloUi *ui, float u, float v, float width, float height, FiloRect rect,
                       FiloColor color) {
    if (filo_rect_is_empty(rect)) return;
    FiloRect part = filo_rect_from_size(filo_vec2(u, v), filo_vec2(width, height));
    ui_paint_image(ui, ui->atlas.name, 0, part, rect, color, false);
}

static FiloRect whole_pixels(FiloRect r) {
    return filo_rect(filo_vec2(filo_round(r.min.x), filo_round(r.min.y)),
                     filo_vec2(filo_round(r.max.x), filo_round(r.max.y)));
}

// The four corners of a disc or ring that is in the atlas at `at`, around `rect`.
static void paint_corners(FiloUi *ui, FiloVec2 at, float r, FiloRect rect, FiloColor color) {
    FiloVec2 low = rect.min, high = rect.max;
    paint_part(ui, at.x, at.y, r, r, filo_rect(low, filo_vec2(low.x + r, low.y + r)), color);
    paint_part(ui, at.x + r, at.y, r, r,
               filo_rect(filo_vec2(high.x - r, low.y), filo_vec2(high.x, low.y + r)), color);
    paint_part(ui, at.x, at.y + r, r, r,
               filo_rect(filo_vec2(low.x, high.y - r), filo_vec2(low.x + r, high.y)), color);
    paint_part(ui, at.x + r, at.y + r, r, r, filo_rect(filo_vec2(high.x - r, high.y - r), high), color);
}

static float usable_radius(const FiloUi *ui, FiloRect rect, float radius) {
    FiloVec2 size = filo_rect_size(rect);
    radius = filo_floor(filo_min(radius, filo_min(size.x, size.y) / 2));
    if (!ui->atlas.ready) return 0;
    return filo_min(radius, UI_ATLAS_RADIUS);
}

void ui_paint_round(FiloUi *ui, FiloRect rect, float radius, FiloColor color) {
    rect = whole_pixels(rect);
    if (filo_rect_is_empty(filo_rect_intersection(rect, ui->clip)) || !ui_color_set(color)) return;
    float r = usable_radius(ui, rect, radius);
    if (r < 1) {
        ui_paint_box(ui, rect, color);
        return;
    }
    FiloVec2 low = rect.min, high = rect.max;
    paint_corners(ui, ui_atlas_disc((int)r), r, rect, color);
    ui_paint_box(ui, filo_rect(filo_vec2(low.x + r, low.y), filo_vec2(high.x - r, low.y + r)), color);
    ui_paint_box(ui, filo_rect(filo_vec2(low.x, low.y + r), filo_vec2(high.x, high.y - r)), color);
    ui_paint_box(ui, filo_rect(filo_vec2(low.x + r, high.y - r), filo_vec2(high.x - r, high.y)), color);
}

void ui_paint_outline(FiloUi *ui, FiloRect rect, float radius, float width, FiloColor color) {
    rect = whole_pixels(rect);
    if (filo_rect_is_empty(filo_rect_intersection(rect, ui->clip)) || !ui_color_set(color) || !(width >= 1))
        return;
    width = filo_min(width, UI_ATLAS_RINGS);
    float r = usable_radius(ui, rect, radius);
    FiloVec2 low = rect.min, high = rect.max;
    if (r >= 1) paint_corners(ui, ui_atlas_ring((int)r, (int)width), r, rect, color);
    ui_paint_box(ui, filo_rect(filo_vec2(low.x + r, low.y), filo_vec2(high.x - r, low.y + width)), color);
    ui_paint_box(ui, filo_rect(filo_vec2(low.x + r, high.y - width), filo_vec2(high.x - r, high.y)), color);
    float top = low.y + (r >= 1 ? r : width), bottom = high.y - (r >= 1 ? r : width);
    ui_paint_box(ui, filo_rect(filo_vec2(low.x, top), filo_vec2(low.x + width, bottom)), color);
    ui_paint_box(ui, filo_rect(filo_vec2(high.x - width, top), filo_vec2(high.x, bottom)), color);
}

// The image of the shadow is stretched to the wanted size, and cut to the clip.
static void paint_shadow_parts(FiloUi *ui, FiloRect rect, float size, FiloColor color) {
    const float half = UI_ATLAS_SHADOW / 2.0f;
    const FiloVec2 at = ui_atlas_shadow();
    FiloRect outer = filo_rect_expand(rect, size), inner = filo_rect_expand(rect, -size);
    if (inner.max.x < inner.min.x) inner.min.x = inner.max.x = filo_round((rect.min.x + rect.max.x) / 2);
    if (inner.max.y < inner.min.y) inner.min.y = inner.max.y = filo_round((rect.min.y + rect.max.y) / 2);
    const float xs[4] = { outer.min.x, inner.min.x, inner.max.x, outer.max.x };
    const float ys[4] = { outer.min.y, inner.min.y, inner.max.y, outer.max.y };
    const float us[3] = { 0, half, half }, vs[3] = { 0, half, half };
    const float spans[3] = { half, 1, half };
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 3; x++) {
            if (x == 1 && y == 1) continue; // below the rectangle itself
            FiloRect to = filo_rect(filo_vec2(xs[x], ys[y]), filo_vec2(xs[x + 1], ys[y + 1]));
            FiloRect part =
                filo_rect_from_size(filo_vec2(at.x + us[x], at.y + vs[y]), filo_vec2(spans[x], spans[y]));
            if (!filo_rect_is_empty(to)) ui_paint_image(ui, ui->atlas.name, 0, part, to, color, true);
        }
}

// A soft edge around a rectangle, a little lower than it. It reaches below the rectangle, and would be seen through one that
// is translucent: then it is painted on the four sides alone.
void ui_paint_shadow(FiloUi *ui, FiloRect rect, FiloColor fill, float size, FiloColor color) {
    if (!(size >= 1) || !ui_color_set(color) || !ui->atlas.ready) return;
    FiloRect old = ui->clip, all = filo_rect(filo_vec2(0, 0), filo_vec2(ui->width, ui->height));
    rect = whole_pixels(rect);
    FiloRect shadow = filo_rect_move(rect, filo_vec2(0, filo_round(size * 0.25f)));
    const FiloRect sides[4] = {
        filo_rect(all.min, filo_vec2(all.max.x, rect.min.y)),
        filo_rect(filo_vec2(all.min.x, rect.max.y), all.max),
        filo_rect(filo_vec2(all.min.x, rect.min.y), filo_vec2(rect.min.x, rect.max.y)),
        filo_rect(filo_vec2(rect.max.x, rect.min.y), filo_vec2(all.max.x, rect.max.y)),
    };
    for (int i = 0; i < (fill.a == 255 ? 1 : 4); i++) {
        ui->clip = fill.a == 255 ? all : filo_rect_intersection(sides[i], all);
        if (!filo_rect_is_empty(ui->clip)) paint_shadow_parts(ui, shadow, size, color);
    }
    ui->clip = old;
}

void ui_paint_focus(FiloUi *ui, FiloRect rect, float radius) {
    float width = ui_px(ui, 2);
    ui_paint_outline(ui, filo_rect_expand(rect, width), radius + width, width, ui->theme.focus);
}

// Cuts a line to the clip, by Liang and Barsky. False if nothing is left.
static bool cut_line(FiloRect clip, FiloVec2 *from, FiloVec2 *to) {
    FiloVec2 d = filo_vec2_sub(*to, *from);
    float low = 0, high = 1;
    const float p[4] = { -d.x, d.x, -d.y, d.y };
    const float q[4] = { from->x - clip.min.x, clip.max.x - from->x, from->y - clip.min.y,
                         clip.max.y - from->y };
    for (int i = 0; i < 4; i++) {
        if (p[i] == 0) {
            if (q[i] < 0) return false;
            continue;
        }
        float t = q[i] / p[i];
        if (p[i] < 0)
            low = filo_max(low, t);
        else
            high = filo_min(high, t);
    }
    if (!(low < high)) return false;
    FiloVec2 start = *from;
    *from = filo_vec2_add_scaled(start, d, low);
    *to = filo_vec2_add_scaled(start, d, high);
    return true;
}

void ui_paint_line(FiloUi *ui, FiloVec2 from, FiloVec2 to, float width, FiloColor color) {
    if (filo_is_nan(from.x + from.y + to.x + to.y) || !cut_line(ui->clip, &from, &to)) return;
    FiloQuad quad = filo_quad_line(from, to, width, color);
    ui_paint_quad(ui, &quad);
}

void ui_paint_circle(FiloUi *ui, FiloVec2 centre, float radius, FiloColor color) {
    FiloRect rect = filo_rect_from_centre(centre, filo_vec2(radius * 2, radius * 2));
    FiloRect shown = filo_rect_intersection(rect, ui->clip);
    if (filo_rect_is_empty(shown)) return;
    bool whole = shown.min.x == rect.min.x && shown.max.x == rect.max.x && shown.min.y == rect.min.y &&
                 shown.max.y == rect.max.y;
    if (whole) {
        FiloQuad quad = filo_quad_ellipse(centre, filo_vec2(radius, radius), color);
        ui_paint_quad(ui, &quad);
    } else {
        ui_paint_round(ui, rect, radius, color);
    }
}

void ui_paint_icon(FiloUi *ui, FiloUiIcon icon, FiloRect rect, FiloColor color) {
    if (icon <= FILO_UI_ICON_NONE || icon >= FILO_UI_ICON_COUNT || !ui->atlas.ready) return;
    FiloRect part = ui->atlas.icons[icon];
    FiloVec2 size = filo_rect_size(part), room = filo_rect_size(rect);
    FiloVec2 at = filo_vec2(filo_round(rect.min.x + (room.x - size.x) / 2),
                            filo_round(rect.min.y + (room.y - size.y) / 2));
    ui_paint_image(ui, ui->atlas.name, 0, part, filo_rect_from_size(at, size), color, false);
}

// A colour is laid over another with the opacity of a ramp of the atlas.
void ui_paint_gradient(FiloUi *ui, FiloRect rect, FiloColor left, FiloColor right, FiloColor bottom) {
    if (!ui->atlas.ready) return;
    ui_paint_box(ui, rect, left);
    ui_paint_image(ui, ui->atlas.name, 0, ui_atlas_ramp(false), rect, right, true);
    if (ui_color_set(bottom)) ui_paint_image(ui, ui->atlas.name, 0, ui_atlas_ramp(true), rect, bottom, true);
}
