// Distance fields. See field.h.
//
// The outline is divided into short straight pieces. A piece whose two sides are both inside of the letter is no edge of
// it: contours of many fonts overlap. The distance of a texel is that to the nearest piece that is an edge, and its sign
// follows from the winding number. Every piece is compared with the texels around it, as far as the field reaches, so
// the time is proportional to the length of the outline.
//
// FreeType makes such fields too, but takes several milliseconds for each, and shows edges where contours overlap.

#include "text/glyphs/field.h"

#include <filo/containers.h>
#include <filo/raster.h>

#include <string.h>

#define SPREAD       FILO_QUAD_SPREAD
#define PIECES_OF_EM 48.0f // a piece is at most this part of the em long
#define SIDE_MAX     2048

typedef struct Piece {
    float x0, y0, x1, y1; // texels, y up
    bool inner;           // not an edge of the letter
} Piece;

typedef struct Field {
    FiloArray(Piece) pieces;
    float length; // of pieces, at most; and the height of a row
    FiloVec2 pen, start;
    bool even_odd;
    bool failed; // no memory
    // Pieces by row, for winding numbers: those of row r are row_pieces[row_begin[r]] to row_pieces[row_begin[r + 1]].
    float bottom;
    int rows;
    FiloArray(uint32_t) row_begin, row_pieces;
} Field;

// ---- Pieces -------------------------------------------------------------------------------------------------

static FiloVec2 to_texels(const FT_Vector *v) { return filo_vec2((float)v->x / 64, (float)v->y / 64); }

static void add_piece(Field *field, FiloVec2 to) {
    FiloVec2 from = field->pen;
    field->pen = to;
    if (filo_vec2_equal(from, to)) return;
    if (!filo_array_push(&field->pieces, ((Piece){ from.x, from.y, to.x, to.y, false })))
        field->failed = true;
}

static int count_pieces(const Field *field, float length) {
    return FILO_CLAMP((int)filo_ceil(length / field->length), 1, 4096);
}

static void add_line(Field *field, FiloVec2 to) {
    FiloVec2 from = field->pen;
    int count = count_pieces(field, filo_vec2_distance(from, to));
    for (int i = 1; i < count; i++) add_piece(field, filo_vec2_lerp(from, to, (float)i / (float)count));
    add_piece(field, to);
}

static void close_contour(Field *field) { add_line(field, field->start); }

static int move_to(const FT_Vector *to, void *user) {
    Field *field = user;
    close_contour(field);
    field->pen = field->start = to_texels(to);
    return field->failed;
}

static int line_to(const FT_Vector *to, void *user) {
    Field *field = user;
    add_line(field, to_texels(to));
    return field->failed;
}

static FiloVec2 mix(FiloVec2 a, FiloVec2 b, float t) { return filo_vec2_lerp(a, b, t); }

static int conic_to(const FT_Vector *control, const FT_Vector *to, void *user) {
    Field *field = user;
    FiloVec2 a = field->pen, b = to_texels(control), c = to_texels(to);
    int count = 2 * count_pieces(field, filo_vec2_distance(a, b) + filo_vec2_distance(b, c));
    for (int i = 1; i <= count; i++) {
        float t = (float)i / (float)count;
        add_piece(field, i == count ? c : mix(mix(a, b, t), mix(b, c, t), t));
    }
    return field->failed;
}

static int cubic_to(const FT_Vector *first, const FT_Vector *second, const FT_Vector *to, void *user) {
    Field *field = user;
    FiloVec2 a = field->pen, b = to_texels(first), c = to_texels(second), d = to_texels(to);
    int count = 2 * count_pieces(field, filo_vec2_distance(a, b) + filo_vec2_distance(b, c) +
                                            filo_vec2_distance(c, d));
    for (int i = 1; i <= count; i++) {
        float t = (float)i / (float)count;
        FiloVec2 bc = mix(b, c, t);
        add_piece(field, i == count ? d : mix(mix(mix(a, b, t), bc, t), mix(bc, mix(c, d, t), t), t));
    }
    return field->failed;
}

// ---- Winding numbers ------------------------------------------------------------------------------------------

static int row_of(const Field *field, float y) {
    return FILO_CLAMP((int)filo_floor((y - field->bottom) / field->length), 0, field->rows - 1);
}

// Lists the pieces of every row. False without memory.
static bool sort_into_rows(Field *field, float bottom, float top) {
    field->bottom = bottom;
    field->rows = FILO_MAX((int)filo_ceil((top - bottom) / field->length), 1);
    if (!filo_array_resize(&field->row_begin, (size_t)field->rows + 1)) return false;
    uint32_t *begin = field->row_begin.items, total = 0;
    memset(begin, 0, ((size_t)field->rows + 1) * sizeof *begin);
    filo_array_each (&field->pieces, p)
        for (int r = row_of(field, filo_min(p->y0, p->y1)); r <= row_of(field, filo_max(p->y0, p->y1)); r++)
            begin[r]++, total++;
    if (!filo_array_resize(&field->row_pieces, total)) return false;
    for (int r = field->rows; r >= 0; r--) {
        // From here on, begin[r] is the end of row r, and counts down while pieces are added.
        uint32_t count = r < field->rows ? begin[r] : 0;
        begin[r] = total;
        total -= count;
    }
    for (size_t i = 0; i < field->pieces.count; i++) {
        const Piece *p = &field->pieces.items[i];
        for (int r = row_of(field, filo_min(p->y0, p->y1)); r <= row_of(field, filo_max(p->y0, p->y1)); r++)
            field->row_pieces.items[--begin[r]] = (uint32_t)i;
    }
    return true;
}

static bool is_inside(const Field *field, float x, float y) {
    int winding = 0, row = row_of(field, y);
    for (uint32_t i = field->row_begin.items[row]; i < field->row_begin.items[row + 1]; i++) {
        const Piece *p = &field->pieces.items[field->row_pieces.items[i]];
        bool up = p->y0 <= y && p->y1 > y, down = p->y1 <= y && p->y0 > y;
        if ((up || down) && p->x0 + (y - p->y0) * (p->x1 - p->x0) / (p->y1 - p->y0) > x)
            winding += up ? 1 : -1;
    }
    return field->even_odd ? (winding & 1) != 0 : winding != 0;
}

// Marks pieces with the inside of the letter on both sides, or the outside.
static void find_inner_pieces(Field *field) {
    const float aside = 1.0f / 64;
    filo_array_each (&field->pieces, p) {
        FiloVec2 along = filo_vec2_normalise(filo_vec2(p->x1 - p->x0, p->y1 - p->y0));
        float x = (p->x0 + p->x1) * 0.5f, y = (p->y0 + p->y1) * 0.5f;
        p->inner = is_inside(field, x - along.y * aside, y + along.x * aside) ==
                   is_inside(field, x + along.y * aside, y - along.x * aside);
    }
}

// ---- Distances --------------------------------------------------------------------------------------------------

// Lowers the squares of distances of the texels around a piece.
static void apply_piece(const Piece *p, float *squares, int width, int height, int left, int top) {
    float dx = p->x1 - p->x0, dy = p->y1 - p->y0, scale = 1 / (dx * dx + dy * dy);
    int x0 = FILO_MAX((int)filo_floor(filo_min(p->x0, p->x1)) - SPREAD - left - 1, 0);
    int x1 = FILO_MIN((int)filo_ceil(filo_max(p->x0, p->x1)) + SPREAD - left + 1, width);
    int y0 = FILO_MAX(top - (int)filo_ceil(filo_max(p->y0, p->y1)) - SPREAD - 1, 0);
    int y1 = FILO_MIN(top - (int)filo_floor(filo_min(p->y0, p->y1)) + SPREAD + 1, height);
    for (int row = y0; row < y1; row++) {
        float ry = (float)(top - row) - 0.5f - p->y0;
        for (int column = x0; column < x1; column++) {
            float rx = (float)(left + column) + 0.5f - p->x0;
            float t = (rx * dx + ry * dy) * scale;
            t = t < 0 ? 0 : t > 1 ? 1 : t;
            float ex = rx - t * dx, ey = ry - t * dy, square = ex * ex + ey * ey;
            float *old = &squares[(size_t)row * (size_t)width + (size_t)column];
            *old = square < *old ? square : *old;
        }
    }
}

static void write_pixels(const Field *field, const float *squares, FiloPixels *pixels, int left, int top) {
    for (int y = 0; y < pixels->height; y++) {
        for (int x = 0; x < pixels->width; x++) {
            float distance = __builtin_sqrtf(squares[(size_t)y * (size_t)pixels->width + (size_t)x]);
            bool inside = is_inside(field, (float)(left + x) + 0.5f, (float)(top - y) - 0.5f);
            float value = 128.0f + (inside ? distance : -distance) * (128.0f / SPREAD);
            uint8_t byte = (uint8_t)(filo_clamp(value, 0, 255) + 0.5f);
            *filo_pixels_at(pixels, x, y) = filo_color(byte, byte, byte, byte);
        }
    }
}

static bool make_pixels(Field *field, FiloPixels *pixels, int *left, int *top,
                        const FiloAllocator *allocator) {
    FiloRect box = { { 1e9f, 1e9f }, { -1e9f, -1e9f } };
    filo_array_each (&field->pieces, p) {
        box.min = filo_vec2(filo_min(box.min.x, p->x0), filo_min(box.min.y, p->y0));
        box.max = filo_vec2(filo_max(box.max.x, p->x0), filo_max(box.max.y, p->y0));
    }
    *left = (int)filo_floor(box.min.x) - SPREAD;
    *top = (int)filo_ceil(box.max.y) + SPREAD;
    int width = (int)filo_ceil(box.max.x) + SPREAD - *left,
        height = *top - (int)filo_floor(box.min.y) + SPREAD;
    if (width > SIDE_MAX || height > SIDE_MAX) return true;
    if (!sort_into_rows(field, box.min.y, box.max.y)) return false;
    find_inner_pieces(field);
    size_t count = (size_t)width * (size_t)height;
    float *squares = filo_alloc(allocator, count * sizeof *squares, 0);
    if (squares == NULL) return false;
    for (size_t i = 0; i < count; i++) squares[i] = 4.0f * SPREAD * SPREAD;
    filo_array_each (&field->pieces, p)
        if (!p->inner) apply_piece(p, squares, width, height, *left, *top);
    bool made = filo_pixels_create(pixels, width, height, allocator);
    if (made) write_pixels(field, squares, pixels, *left, *top);
    filo_free(allocator, squares, count * sizeof *squares, 0);
    return made;
}

bool text_field_make(FiloPixels *pixels, int *left, int *top, const FT_Outline *outline, float em,
                     const FiloAllocator *allocator) {
    static const FT_Outline_Funcs functions = { move_to, line_to, conic_to, cubic_to, 0, 0 };
    Field field = { .length = em / PIECES_OF_EM,
                    .even_odd = (outline->flags & FT_OUTLINE_EVEN_ODD_FILL) != 0 };
    *pixels = (FiloPixels){ 0 };
    filo_array_init(&field.pieces, allocator);
    filo_array_init(&field.row_begin, allocator);
    filo_array_init(&field.row_pieces, allocator);
    // It returns what the functions return; broken outlines are drawn as far as they go.
    (void)FT_Outline_Decompose((FT_Outline *)outline, &functions, &field);
    close_contour(&field);
    bool made = !field.failed;
    if (made && field.pieces.count > 0) made = make_pixels(&field, pixels, left, top, allocator);
    filo_array_deinit(&field.pieces);
    filo_array_deinit(&field.row_begin);
    filo_array_deinit(&field.row_pieces);
    return made;
}
