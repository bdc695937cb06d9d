// Icons: strokes and simple shapes on a grid of 16 × 16, rasterised by distance at any size.

#include "ui/ui.h"

typedef struct Shape {
    uint8_t icon;
    char kind; // L line, R ring, D disc, T triangle, B box, F frame, C disc that is cut out
    float a, b, c, d, e, f;
} Shape;

#define STROKE 1.6f

static const Shape shapes[] = {
    { FILO_UI_ICON_CHECK, 'L', 3.2f, 8.6f, 6.5f, 11.8f, 0, 0 },
    { FILO_UI_ICON_CHECK, 'L', 6.5f, 11.8f, 12.8f, 4.6f, 0, 0 },
    { FILO_UI_ICON_CLOSE, 'L', 4.2f, 4.2f, 11.8f, 11.8f, 0, 0 },
    { FILO_UI_ICON_CLOSE, 'L', 11.8f, 4.2f, 4.2f, 11.8f, 0, 0 },
    { FILO_UI_ICON_DOWN, 'L', 4.2f, 6.2f, 8, 10, 0, 0 },
    { FILO_UI_ICON_DOWN, 'L', 8, 10, 11.8f, 6.2f, 0, 0 },
    { FILO_UI_ICON_RIGHT, 'L', 6.2f, 4.2f, 10, 8, 0, 0 },
    { FILO_UI_ICON_RIGHT, 'L', 10, 8, 6.2f, 11.8f, 0, 0 },
    { FILO_UI_ICON_UP, 'L', 4.2f, 9.8f, 8, 6, 0, 0 },
    { FILO_UI_ICON_UP, 'L', 8, 6, 11.8f, 9.8f, 0, 0 },
    { FILO_UI_ICON_LEFT, 'L', 9.8f, 4.2f, 6, 8, 0, 0 },
    { FILO_UI_ICON_LEFT, 'L', 6, 8, 9.8f, 11.8f, 0, 0 },
    { FILO_UI_ICON_PLUS, 'L', 8, 3.5f, 8, 12.5f, 0, 0 },
    { FILO_UI_ICON_PLUS, 'L', 3.5f, 8, 12.5f, 8, 0, 0 },
    { FILO_UI_ICON_MINUS, 'L', 3.5f, 8, 12.5f, 8, 0, 0 },
    { FILO_UI_ICON_PLAY, 'T', 4.5f, 3, 4.5f, 13, 13, 8 },
    { FILO_UI_ICON_PAUSE, 'B', 4, 3, 7, 13, 0, 0 },
    { FILO_UI_ICON_PAUSE, 'B', 9, 3, 12, 13, 0, 0 },
    { FILO_UI_ICON_STEP, 'T', 3, 3, 3, 13, 10.5f, 8 },
    { FILO_UI_ICON_STEP, 'B', 11, 3, 13, 13, 0, 0 },
    { FILO_UI_ICON_BACK, 'T', 13, 3, 13, 13, 5.5f, 8 },
    { FILO_UI_ICON_BACK, 'B', 3, 3, 5, 13, 0, 0 },
    { FILO_UI_ICON_STOP, 'B', 4, 4, 12, 12, 0, 0 },
    { FILO_UI_ICON_SEARCH, 'R', 7, 7, 4, 0, 0, 0 },
    { FILO_UI_ICON_SEARCH, 'L', 10, 10, 13.2f, 13.2f, 0, 0 },
    { FILO_UI_ICON_MENU, 'L', 3, 4.5f, 13, 4.5f, 0, 0 },
    { FILO_UI_ICON_MENU, 'L', 3, 8, 13, 8, 0, 0 },
    { FILO_UI_ICON_MENU, 'L', 3, 11.5f, 13, 11.5f, 0, 0 },
    { FILO_UI_ICON_MORE, 'D', 3.5f, 8, 1.3f, 0, 0, 0 },
    { FILO_UI_ICON_MORE, 'D', 8, 8, 1.3f, 0, 0, 0 },
    { FILO_UI_ICON_MORE, 'D', 12.5f, 8, 1.3f, 0, 0, 0 },
    { FILO_UI_ICON_GEAR, 'L', 8, 2, 8, 14, 0, 0 },
    { FILO_UI_ICON_GEAR, 'L', 2, 8, 14, 8, 0, 0 },
    { FILO_UI_ICON_GEAR, 'L', 3.76f, 3.76f, 12.24f, 12.24f, 0, 0 },
    { FILO_UI_ICON_GEAR, 'L', 12.24f, 3.76f, 3.76f, 12.24f, 0, 0 },
    { FILO_UI_ICON_GEAR, 'D', 8, 8, 4.6f, 0, 0, 0 },
    { FILO_UI_ICON_GEAR, 'C', 8, 8, 2.2f, 0, 0, 0 },
    { FILO_UI_ICON_EYE, 'L', 1.8f, 8, 4.6f, 4.9f, 0, 0 },
    { FILO_UI_ICON_EYE, 'L', 4.6f, 4.9f, 8, 3.9f, 0, 0 },
    { FILO_UI_ICON_EYE, 'L', 8, 3.9f, 11.4f, 4.9f, 0, 0 },
    { FILO_UI_ICON_EYE, 'L', 11.4f, 4.9f, 14.2f, 8, 0, 0 },
    { FILO_UI_ICON_EYE, 'L', 1.8f, 8, 4.6f, 11.1f, 0, 0 },
    { FILO_UI_ICON_EYE, 'L', 4.6f, 11.1f, 8, 12.1f, 0, 0 },
    { FILO_UI_ICON_EYE, 'L', 8, 12.1f, 11.4f, 11.1f, 0, 0 },
    { FILO_UI_ICON_EYE, 'L', 11.4f, 11.1f, 14.2f, 8, 0, 0 },
    { FILO_UI_ICON_EYE, 'D', 8, 8, 2.2f, 0, 0, 0 },
    { FILO_UI_ICON_INFO, 'R', 8, 8, 5.8f, 0, 0, 0 },
    { FILO_UI_ICON_INFO, 'L', 8, 7.4f, 8, 11, 0, 0 },
    { FILO_UI_ICON_INFO, 'D', 8, 5, 1, 0, 0, 0 },
    { FILO_UI_ICON_WARNING, 'L', 8, 2.8f, 14, 13, 0, 0 },
    { FILO_UI_ICON_WARNING, 'L', 14, 13, 2, 13, 0, 0 },
    { FILO_UI_ICON_WARNING, 'L', 2, 13, 8, 2.8f, 0, 0 },
    { FILO_UI_ICON_WARNING, 'L', 8, 6.8f, 8, 9.2f, 0, 0 },
    { FILO_UI_ICON_WARNING, 'D', 8, 11.1f, 0.9f, 0, 0, 0 },
    { FILO_UI_ICON_TRASH, 'L', 2.8f, 4.4f, 13.2f, 4.4f, 0, 0 },
    { FILO_UI_ICON_TRASH, 'L', 6, 2.6f, 10, 2.6f, 0, 0 },
    { FILO_UI_ICON_TRASH, 'L', 4, 4.4f, 4.8f, 13.4f, 0, 0 },
    { FILO_UI_ICON_TRASH, 'L', 12, 4.4f, 11.2f, 13.4f, 0, 0 },
    { FILO_UI_ICON_TRASH, 'L', 4.8f, 13.4f, 11.2f, 13.4f, 0, 0 },
    { FILO_UI_ICON_COPY, 'F', 5.5f, 5.5f, 13.2f, 13.2f, 0, 0 },
    { FILO_UI_ICON_COPY, 'L', 2.8f, 10, 2.8f, 2.8f, 0, 0 },
    { FILO_UI_ICON_COPY, 'L', 2.8f, 2.8f, 10, 2.8f, 0, 0 },
    { FILO_UI_ICON_FILE, 'L', 4, 2.4f, 9, 2.4f, 0, 0 },
    { FILO_UI_ICON_FILE, 'L', 9, 2.4f, 12.4f, 5.8f, 0, 0 },
    { FILO_UI_ICON_FILE, 'L', 12.4f, 5.8f, 12.4f, 13.6f, 0, 0 },
    { FILO_UI_ICON_FILE, 'L', 12.4f, 13.6f, 4, 13.6f, 0, 0 },
    { FILO_UI_ICON_FILE, 'L', 4, 13.6f, 4, 2.4f, 0, 0 },
    { FILO_UI_ICON_FOLDER, 'L', 2.2f, 4, 6.6f, 4, 0, 0 },
    { FILO_UI_ICON_FOLDER, 'L', 6.6f, 4, 8, 5.6f, 0, 0 },
    { FILO_UI_ICON_FOLDER, 'L', 8, 5.6f, 13.8f, 5.6f, 0, 0 },
    { FILO_UI_ICON_FOLDER, 'L', 13.8f, 5.6f, 13.8f, 12.6f, 0, 0 },
    { FILO_UI_ICON_FOLDER, 'L', 13.8f, 12.6f, 2.2f, 12.6f, 0, 0 },
    { FILO_UI_ICON_FOLDER, 'L', 2.2f, 12.6f, 2.2f, 4, 0, 0 },
    { FILO_UI_ICON_HOME, 'L', 2.2f, 8.2f, 8, 2.8f, 0, 0 },
    { FILO_UI_ICON_HOME, 'L', 8, 2.8f, 13.8f, 8.2f, 0, 0 },
    { FILO_UI_ICON_HOME, 'L', 4.2f, 7.4f, 4.2f, 13.2f, 0, 0 },
    { FILO_UI_ICON_HOME, 'L', 4.2f, 13.2f, 11.8f, 13.2f, 0, 0 },
    { FILO_UI_ICON_HOME, 'L', 11.8f, 13.2f, 11.8f, 7.4f, 0, 0 },
    { FILO_UI_ICON_HEART, 'D', 5.3f, 6, 3.1f, 0, 0, 0 },
    { FILO_UI_ICON_HEART, 'D', 10.7f, 6, 3.1f, 0, 0, 0 },
    { FILO_UI_ICON_HEART, 'T', 2.6f, 7.6f, 13.4f, 7.6f, 8, 13.8f },
    { FILO_UI_ICON_HEART, 'T', 5, 6, 11, 6, 8, 10 },
    { FILO_UI_ICON_STAR, 'T', 8, 1.8f, 4.9f, 9, 11.1f, 9 },
    { FILO_UI_ICON_STAR, 'T', 1.6f, 6.4f, 14.4f, 6.4f, 8, 11 },
    { FILO_UI_ICON_STAR, 'T', 4, 13.8f, 5.6f, 7, 11, 9.4f },
    { FILO_UI_ICON_STAR, 'T', 12, 13.8f, 10.4f, 7, 5, 9.4f },
    { FILO_UI_ICON_LOCK, 'B', 3.4f, 7.2f, 12.6f, 13.6f, 0, 0 },
    { FILO_UI_ICON_LOCK, 'L', 5.4f, 7, 5.4f, 5.2f, 0, 0 },
    { FILO_UI_ICON_LOCK, 'L', 5.4f, 5.2f, 6.6f, 3.4f, 0, 0 },
    { FILO_UI_ICON_LOCK, 'L', 6.6f, 3.4f, 9.4f, 3.4f, 0, 0 },
    { FILO_UI_ICON_LOCK, 'L', 9.4f, 3.4f, 10.6f, 5.2f, 0, 0 },
    { FILO_UI_ICON_LOCK, 'L', 10.6f, 5.2f, 10.6f, 7, 0, 0 },
    { FILO_UI_ICON_PIN, 'D', 8, 5.6f, 3.4f, 0, 0, 0 },
    { FILO_UI_ICON_PIN, 'L', 8, 9, 8, 14, 0, 0 },
    { FILO_UI_ICON_UNDO, 'L', 3, 6, 10, 6, 0, 0 },
    { FILO_UI_ICON_UNDO, 'L', 10, 6, 12.2f, 7, 0, 0 },
    { FILO_UI_ICON_UNDO, 'L', 12.2f, 7, 13, 9.2f, 0, 0 },
    { FILO_UI_ICON_UNDO, 'L', 13, 9.2f, 12.2f, 11.4f, 0, 0 },
    { FILO_UI_ICON_UNDO, 'L', 12.2f, 11.4f, 10, 12.4f, 0, 0 },
    { FILO_UI_ICON_UNDO, 'L', 10, 12.4f, 6.4f, 12.4f, 0, 0 },
    { FILO_UI_ICON_UNDO, 'L', 3, 6, 6, 3, 0, 0 },
    { FILO_UI_ICON_UNDO, 'L', 3, 6, 6, 9, 0, 0 },
    { FILO_UI_ICON_REDO, 'L', 13, 6, 6, 6, 0, 0 },
    { FILO_UI_ICON_REDO, 'L', 6, 6, 3.8f, 7, 0, 0 },
    { FILO_UI_ICON_REDO, 'L', 3.8f, 7, 3, 9.2f, 0, 0 },
    { FILO_UI_ICON_REDO, 'L', 3, 9.2f, 3.8f, 11.4f, 0, 0 },
    { FILO_UI_ICON_REDO, 'L', 3.8f, 11.4f, 6, 12.4f, 0, 0 },
    { FILO_UI_ICON_REDO, 'L', 6, 12.4f, 9.6f, 12.4f, 0, 0 },
    { FILO_UI_ICON_REDO, 'L', 13, 6, 10, 3, 0, 0 },
    { FILO_UI_ICON_REDO, 'L', 13, 6, 10, 9, 0, 0 },
};

static float line_distance(FiloVec2 p, FiloVec2 a, FiloVec2 b) {
    FiloVec2 ab = filo_vec2_sub(b, a), ap = filo_vec2_sub(p, a);
    float t = filo_clamp01(filo_vec2_dot(ap, ab) / filo_max(filo_vec2_dot(ab, ab), 1e-6f));
    return filo_vec2_distance(p, filo_vec2_add_scaled(a, ab, t));
}

static float side(FiloVec2 p, FiloVec2 a, FiloVec2 b) {
    FiloVec2 ab = filo_vec2_sub(b, a);
    return filo_vec2_cross(ab, filo_vec2_sub(p, a)) / filo_max(filo_vec2_length(ab), 1e-6f);
}

static float triangle_distance(FiloVec2 p, FiloVec2 a, FiloVec2 b, FiloVec2 c) {
    float sign = side(c, a, b) > 0 ? 1.0f : -1.0f;
    return -filo_min(filo_min(side(p, a, b) * sign, side(p, b, c) * sign), side(p, c, a) * sign);
}

static float box_distance(FiloVec2 p, FiloVec2 low, FiloVec2 high) {
    return filo_max(filo_max(low.x - p.x, p.x - high.x), filo_max(low.y - p.y, p.y - high.y));
}

// How far a point is outside of a shape, in units of the grid.
static float shape_distance(const Shape *s, FiloVec2 p) {
    FiloVec2 a = filo_vec2(s->a, s->b), b = filo_vec2(s->c, s->d);
    switch (s->kind) {
    case 'L': return line_distance(p, a, b) - STROKE / 2;
    case 'R': return filo_abs(filo_vec2_distance(p, a) - s->c) - STROKE / 2;
    case 'D':
    case 'C': return filo_vec2_distance(p, a) - s->c;
    case 'T': return triangle_distance(p, a, b, filo_vec2(s->e, s->f));
    case 'F': return filo_abs(box_distance(p, a, b)) - STROKE / 2;
    default: return box_distance(p, a, b);
    }
}

void ui_icons_paint(FiloPixels *pixels, FiloUiIcon icon, int size) {
    const float unit = 16.0f / (float)size;
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++) {
            FiloVec2 p = filo_vec2(((float)x + 0.5f) * unit, ((float)y + 0.5f) * unit);
            float coverage = 0;
            for (size_t i = 0; i < FILO_COUNT_OF(shapes); i++) {
                if (shapes[i].icon != icon) continue;
                float inside = filo_clamp01(0.5f - shape_distance(&shapes[i], p) / unit);
                coverage =
                    shapes[i].kind == 'C' ? filo_min(coverage, 1 - inside) : filo_max(coverage, inside);
            }
            uint8_t a = filo_byte_from_unit(coverage);
            *filo_pixels_at(pixels, x, y) = filo_color(a, a, a, a);
        }
}
