// Boxes and ellipses with smooth edges: the coverage of pixels.
//
// The coverage of a straight edge is that of an edge parallel to the pixel's sides: ½ plus the distance of the centre
// to the edge in pixels, clamped to 0 to 1. The coverage of a strip between two parallel edges is the sum of both,
// minus 1; so strips thinner than a pixel fade. A box is the intersection of two strips: their product. For an ellipse,
// the edges are tangents (see Ellipse). Only pixels that intersect the bounding rectangle of the quad are drawn.
//
// A row of coverages, as grey colours, is then blended like a row of an image, tinted in the colour of the shape.

#include "raster/raster.h"

// ---- Boxes ------------------------------------------------------------------------------------------------

#define UNIT_BITS 30
#define UNIT      (INT64_C(1) << UNIT_BITS)
#define HALF      (RASTER_SUBPIXELS / 2)

// The area between two parallel edges. Distances are in 1/256 of a pixel, times UNIT.
typedef struct Strip {
    int64_t nx, ny;    // unit vector from the first edge to the second
    int64_t thickness; // distance between the edges
    int64_t distance;  // of the centre of the pixel in column 0 of the current row to the first edge
} Strip;

static int64_t to_unit(double x) {
    double scaled = x * (double)UNIT;
    return (int64_t)(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
}

// (dx, dy) is the direction of the edges. The inside is on its right if `sign` is 1, with y going down.
static Strip make_strip(int64_t dx, int64_t dy, double area, double sign) {
    double length = __builtin_sqrt((double)dx * (double)dx + (double)dy * (double)dy);
    return (Strip){ .nx = to_unit(-sign * (double)dy / length),
                    .ny = to_unit(sign * (double)dx / length),
                    .thickness = to_unit(area / length) };
}

static inline int64_t clamp_edge(int64_t distance) {
    int64_t rounded = (distance + UNIT / 2) >> UNIT_BITS;
    return FILO_CLAMP(rounded + HALF, 0, RASTER_SUBPIXELS);
}

// 0 to 256.
static inline int64_t strip_coverage(const Strip *s, int64_t distance) {
    int64_t covered = clamp_edge(distance) + clamp_edge(s->thickness - distance) - RASTER_SUBPIXELS;
    return FILO_MAX(covered, 0);
}

// Columns [x0, x1).
typedef struct Range {
    int x0, x1;
} Range;

// The first column after x, clamped to the range of targets.
static inline int column_after(double x) {
    x = x < -1 ? -1 : x > FILO_PIXELS_MAX + 1 ? FILO_PIXELS_MAX + 1 : x;
    return (int)(x + 2) - 1;
}

// Clips columns to those from `first` to `last`. These are rounded doubles. The result may have a few columns too many;
// if `inside`, a few too few. So both are moved by more than the rounding error.
static inline void clip_range(Range *range, double first, double last, bool inside) {
    const double bit = inside ? 0x1p-10 : -0x1p-10;
    range->x0 = FILO_MAX(range->x0, column_after(first + bit));
    range->x1 = FILO_MIN(range->x1, column_after(last - bit));
}

// Clips columns to those whose distance, `start` at column 0, is from `low` to `high`.
static void clip_strip(Range *range, int64_t start, int64_t step, int64_t low, int64_t high, bool inside) {
    if (step != 0) {
        double at_low = (double)(low - start) / (double)step, at_high = (double)(high - start) / (double)step;
        clip_range(range, step > 0 ? at_low : at_high, step > 0 ? at_high : at_low, inside);
    } else if (start < low || start > high) {
        range->x1 = range->x0;
    }
}

static inline FiloColor grey(uint8_t coverage) { return filo_color(coverage, coverage, coverage, coverage); }

// Blends the coverages of the columns of `r`, which are in tile->row.
static void blend_row(RasterTile *tile, const RasterCommand *c, Range r, int y) {
    tile->kernels->blit(raster_tile_at(tile, r.x0, y), RASTER_TILE_STRIDE, tile->row, 0, r.x1 - r.x0, 1,
                        c->color, (c->flags & FILO_QUAD_ADD) != 0);
}

// Sets columns from x up to `end` to one coverage, in a row that begins at `left`. Returns the next column.
static int fill_coverage(FiloColor *row, int left, int x, int end, uint8_t coverage) {
    for (; x < end; x++) row[x - left] = grey(coverage);
    return x;
}

// The product of two coverages from 0 to 256.
static inline uint8_t to_byte(int64_t a, int64_t b) { return (uint8_t)((a * b * 255 + 32768) >> 16); }

static void cover_box(FiloColor *row, int left, int x, int end, const Strip strips[2]) {
    for (; x < end; x++) {
        int64_t s = strips[0].distance + strips[0].nx * RASTER_SUBPIXELS * x;
        int64_t t = strips[1].distance + strips[1].nx * RASTER_SUBPIXELS * x;
        row[x - left] = grey(to_byte(strip_coverage(&strips[0], s), strip_coverage(&strips[1], t)));
    }
}

static void draw_rotated_box(RasterTile *tile, const RasterCommand *c, RasterBounds b) {
    const RasterParallelogram *p = &c->parallelogram;
    double area = (double)raster_area(p), sign = area < 0 ? -1 : 1;
    area *= sign;
    Strip strips[2] = { make_strip(-(int64_t)p->fx, -(int64_t)p->fy, area, sign),
                        make_strip(p->ex, p->ey, area, sign) };
    const int64_t outer = -(HALF + 1) * UNIT, inner = HALF * UNIT; // beyond these, coverage is 0 or 1
    for (int y = b.y0; y < b.y1; y++) {
        Range all = { b.x0, b.x1 }, in = all;
        for (int i = 0; i < 2; i++) {
            Strip *s = &strips[i];
            s->distance = s->nx * (HALF - (int64_t)p->ox) +
                          s->ny * ((int64_t)y * RASTER_SUBPIXELS + HALF - (int64_t)p->oy);
            int64_t step = s->nx * RASTER_SUBPIXELS;
            clip_strip(&all, s->distance, step, outer, s->thickness - outer, false);
            clip_strip(&in, s->distance, step, inner, s->thickness - inner, true);
        }
        if (all.x0 >= all.x1) continue;
        in.x0 = FILO_CLAMP(in.x0, all.x0, all.x1), in.x1 = FILO_CLAMP(in.x1, in.x0, all.x1);
        cover_box(tile->row, all.x0, all.x0, in.x0, strips);
        fill_coverage(tile->row, all.x0, in.x0, in.x1, 255);
        cover_box(tile->row, all.x0, in.x1, all.x1, strips);
        blend_row(tile, c, all, y);
    }
}

// How much of the pixel `at`, in one dimension, lies between `low` and `high`: 0 to 256. `*next` is the next pixel
// whose coverage may differ.
static int64_t covered_between(int64_t low, int64_t high, int at, int end, int *next) {
    int64_t begin = (int64_t)at * RASTER_SUBPIXELS;
    int64_t covered = FILO_MIN(begin + RASTER_SUBPIXELS, high) - FILO_MAX(begin, low);
    *next = covered == RASTER_SUBPIXELS ? (int)FILO_MIN(high >> RASTER_SUBPIXEL_BITS, (int64_t)end) : at + 1;
    return covered;
}

// Coverage is the product of one value for each column and one for each row. There are at most three different values
// of each, so the box is at most nine rectangles of one colour.
static void draw_axis_aligned_box(RasterTile *tile, const RasterCommand *c, RasterBounds b) {
    const RasterParallelogram *p = &c->parallelogram;
    int64_t width = (int64_t)p->ex + p->fx, height = (int64_t)p->ey + p->fy; // one of the summands is 0
    int64_t left = FILO_MIN(p->ox, p->ox + width), right = FILO_MAX(p->ox, p->ox + width);
    int64_t top = FILO_MIN(p->oy, p->oy + height), bottom = FILO_MAX(p->oy, p->oy + height);
    for (int y = b.y0, next_y; y < b.y1; y = next_y) {
        int64_t covered_y = covered_between(top, bottom, y, b.y1, &next_y);
        for (int x = b.x0, next_x; x < b.x1; x = next_x) {
            int64_t covered_x = covered_between(left, right, x, b.x1, &next_x);
            FiloColor color = filo_color_mul(c->color, grey(to_byte(covered_x, covered_y)));
            tile->kernels->solid(raster_tile_at(tile, x, y), RASTER_TILE_STRIDE, next_x - x, next_y - y,
                                 color, (c->flags & FILO_QUAD_ADD) != 0);
        }
    }
}

void raster_draw_box(RasterTile *tile, const RasterCommand *c, RasterBounds b) {
    if (raster_axis_aligned(&c->parallelogram))
        draw_axis_aligned_box(tile, c, b);
    else
        draw_rotated_box(tile, c, b);
}

// ---- Ellipses ---------------------------------------------------------------------------------------------

// p and q are coordinates in which the ellipse is the unit circle: r = √(p² + q²). The change of r over a pixel is its
// gradient, the length of (p ∇p + q ∇q) / r. So the distance to the edge is (1 − r) / gradient pixels, and to the
// opposite edge (1 + r) / gradient. For circles that is exact.
//
// These are doubles. IEEE 754 defines their sums, products, quotients and roots to the last bit.
typedef struct Ellipse {
    double px, py, qx, qy; // ∇p and ∇q, in 1 / pixels
    double cx, cy;         // centre, in pixels
    double radius;         // of a circle, in pixels; otherwise 0
    double mean;           // 1 / gradient at the centre, where r has none: a mean over all directions
    double hole;           // radius of the hole
    // Limits of p² + q²: coverage is 0 above `outside` and below `in_hole`, and 1 between `ring` and `inside`.
    double outside, inside, ring, in_hole;
} Ellipse;

static double square(double x) { return x * x; }
static double square_above(double x) { return x > 0 ? x * x : 0; } // 0: never below

static bool is_circle(const RasterParallelogram *p) {
    int64_t ex = p->ex, ey = p->ey, fx = p->fx, fy = p->fy;
    return ex * fx + ey * fy == 0 && ex * ex + ey * ey == fx * fx + fy * fy;
}

static Ellipse make_ellipse(const RasterCommand *c) {
    const RasterParallelogram *p = &c->parallelogram;
    double area = (double)raster_area(p), scale = 2.0 * RASTER_SUBPIXELS / area;
    Ellipse e = { .px = p->fy * scale, .py = -p->fx * scale, .qx = -p->ey * scale, .qy = p->ex * scale };
    e.cx = ((double)p->ox + 0.5 * ((double)p->ex + p->fx)) / RASTER_SUBPIXELS;
    e.cy = ((double)p->oy + 0.5 * ((double)p->ey + p->fy)) / RASTER_SUBPIXELS;
    e.hole = c->hole / 65535.0;
    double squares = square(e.px) + square(e.py) + square(e.qx) + square(e.qy);
    e.mean = 1 / __builtin_sqrt(0.5 * squares);
    if (is_circle(p)) e.radius = e.mean;
    double steepest = e.radius > 0 ? 0.5 * squares : squares; // upper bound of the square of the gradient
    double half = 0.5001 * __builtin_sqrt(steepest);          // change of r over a bit more than half a pixel
    e.outside = square(1 + half);
    e.inside = square_above(1 - half);
    e.ring = c->hole == 0 ? 0 : square(e.hole + half);
    e.in_hole = square_above(e.hole - half);
    return e;
}

static inline double clamp_unit(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

// Coverage of a circle of this radius; `pixels` is 1 / gradient.
static inline double disc_coverage(double radius, double r, double pixels) {
    double covered = clamp_unit(0.5 + (radius - r) * pixels) + clamp_unit(0.5 + (radius + r) * pixels) - 1;
    return covered < 0 ? 0 : covered;
}

static inline uint8_t ellipse_coverage(const Ellipse *e, double dx, double dy) {
    double p = dx * e->px + dy * e->py, q = dx * e->qx + dy * e->qy;
    double r = __builtin_sqrt(p * p + q * q), pixels = e->mean;
    if (e->radius == 0 && r > 1e-9) {
        double gx = p * e->px + q * e->qx, gy = p * e->py + q * e->qy;
        pixels = r / __builtin_sqrt(gx * gx + gy * gy);
    }
    double covered = disc_coverage(1, r, pixels);
    if (e->hole > 0) covered -= disc_coverage(e->hole, r, pixels);
    return (uint8_t)(clamp_unit(covered) * 255 + 0.5);
}

static int cover_edge(FiloColor *row, int left, int x, int end, const Ellipse *e, double dy) {
    for (; x < end; x++) row[x - left] = grey(ellipse_coverage(e, x + 0.5 - e->cx, dy));
    return x;
}

// The columns of a row for which p² + q² is below a limit. In a row that sum is a parabola, a · dx² + 2 · b · dx + c.
// If there are none, the result is empty and at the end of `of`.
static Range columns_below(const Ellipse *e, double dy, double limit, bool inside, Range of) {
    double a = square(e->px) + square(e->qx), b = dy * (e->px * e->py + e->qx * e->qy);
    double root = b * b - a * (dy * dy * (square(e->py) + square(e->qy)) - limit);
    if (!(root > 0)) return (Range){ of.x1, of.x1 };
    root = __builtin_sqrt(root);
    Range r = of;
    clip_range(&r, e->cx - 0.5 + (-b - root) / a, e->cx - 0.5 + (-b + root) / a, inside);
    return r.x0 < r.x1 ? r : (Range){ of.x1, of.x1 };
}

// From left to right: edge, inside, edge of the hole, hole, edge of the hole, inside, edge. Ranges that do not exist
// are empty and at the end.
static void cover_ring(FiloColor *row, const Ellipse *e, double dy, Range all, Range in) {
    Range ring = columns_below(e, dy, e->ring, false, all),
          hole = columns_below(e, dy, e->in_hole, true, all);
    if (hole.x0 == hole.x1) hole.x0 = hole.x1 = ring.x1;
    int left = all.x0, x = left;
    x = cover_edge(row, left, x, FILO_MIN(in.x0, ring.x0), e, dy);
    x = fill_coverage(row, left, x, FILO_MIN(in.x1, ring.x0), 255);
    x = cover_edge(row, left, x, hole.x0, e, dy);
    x = fill_coverage(row, left, x, hole.x1, 0);
    x = cover_edge(row, left, x, FILO_MAX(in.x0, ring.x1), e, dy);
    x = fill_coverage(row, left, x, in.x1, 255);
    cover_edge(row, left, x, all.x1, e, dy);
}

static void cover_disc(FiloColor *row, const Ellipse *e, double dy, Range all, Range in) {
    int left = all.x0, x = left;
    x = cover_edge(row, left, x, in.x0, e, dy);
    x = fill_coverage(row, left, x, in.x1, 255);
    cover_edge(row, left, x, all.x1, e, dy);
}

void raster_draw_ellipse(RasterTile *tile, const RasterCommand *c, RasterBounds b) {
    const Ellipse e = make_ellipse(c);
    for (int y = b.y0; y < b.y1; y++) {
        double dy = y + 0.5 - e.cy;
        Range all = columns_below(&e, dy, e.outside, false, (Range){ b.x0, b.x1 });
        if (all.x0 == all.x1) continue;
        Range in = columns_below(&e, dy, e.inside, true, all);
        if (e.hole > 0)
            cover_ring(tile->row, &e, dy, all, in);
        else
            cover_disc(tile->row, &e, dy, all, in);
        blend_row(tile, c, all, y);
    }
}
