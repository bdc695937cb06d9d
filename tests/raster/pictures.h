// Shared by the tests of the rasteriser: pictures, images, random quads, and a reference implementation.
//
// The reference draws one quad, pixel by pixel, by the rules in filo/raster.h. It uses (long) doubles where the
// rasteriser uses fixed point, so that both may differ where a rule rounds; the tolerances are below.

#ifndef FILO_TESTS_RASTER_PICTURES_H
#define FILO_TESTS_RASTER_PICTURES_H

#include <filo/hash.h>
#include <filo/random.h>
#include <filo/raster.h>

#include "support/test.h"

#include <math.h>
#include <stdlib.h>

// ---- Pictures ---------------------------------------------------------------------------------------------

static inline FiloPixels picture(int width, int height, FiloColor color) {
    FiloPixels pixels;
    assert_true(filo_pixels_create(&pixels, width, height, NULL));
    filo_pixels_fill(&pixels, color);
    return pixels;
}

static inline FiloColor random_color(FiloRandom *random) {
    uint32_t bits = filo_random_u32(random);
    FiloColor c = filo_color_from_bytes((uint8_t)bits, (uint8_t)(bits >> 8), (uint8_t)(bits >> 16),
                                        (uint8_t)(bits >> 24));
    if (bits % 5 == 0) c = filo_color((uint8_t)bits, (uint8_t)(bits >> 8), (uint8_t)(bits >> 16), 255);
    if (bits % 7 == 0) c = FILO_COLOR_WHITE;
    if (bits % 11 == 0) c.a = 0; // adds light
    return c;
}

static inline FiloPixels random_picture(FiloRandom *random, int width, int height) {
    FiloPixels pixels = picture(width, height, FILO_COLOR_TRANSPARENT);
    for (int i = 0; i < width * height; i++) pixels.data[i] = random_color(random);
    return pixels;
}

static inline FiloPixels copy_of(const FiloPixels *pixels) {
    FiloPixels copy = picture(pixels->width, pixels->height, FILO_COLOR_TRANSPARENT);
    filo_pixels_copy(&copy, 0, 0, pixels);
    return copy;
}

static inline void assert_same_picture(const FiloPixels *a, const FiloPixels *b, const char *what) {
    FiloPixelsDifference d = filo_pixels_compare(a, b, 0);
    if (d.pixels > 0)
        fail_msg("%s: %zu pixels differ, first (%d, %d), by up to %d", what, d.pixels, d.x, d.y, d.largest);
}

static inline uint64_t hash_of(const FiloPixels *pixels) {
    return filo_hash(pixels->data, (size_t)pixels->width * (size_t)pixels->height * sizeof(FiloColor));
}

// ---- Drawing ----------------------------------------------------------------------------------------------

static inline FiloRaster *make_raster(FiloJobs *jobs, bool no_simd) {
    FiloRaster *raster;
    assert_ok(filo_raster_create(&raster, &(FiloRasterDesc){ .jobs = jobs, .no_simd = no_simd }));
    return raster;
}

// Draws with the identity as the view, without clearing.
static inline void draw_quads(FiloRaster *raster, FiloPixels target, const FiloPixels *images,
                              size_t image_count, const FiloQuad *quads, size_t count) {
    filo_raster_draw(raster, &(FiloRasterPass){ .target = target,
                                                .view = filo_affine2_identity(),
                                                .images = images,
                                                .image_count = image_count,
                                                .spans = &(FiloQuadSpan){ quads, count },
                                                .span_count = 1 });
}

// An upright image whose upper left corner is (x, y); y goes down.
static inline FiloQuad image_quad(float x, float y, float width, float height, int u0, int v0, int u1,
                                  int v1) {
    FiloQuad q = { .x = x + width / 2, .y = y + height / 2, .ax = width / 2, .by = -height / 2 };
    q.u0 = (uint16_t)u0, q.v0 = (uint16_t)v0, q.u1 = (uint16_t)u1, q.v1 = (uint16_t)v1;
    q.color = FILO_COLOR_WHITE;
    q.kind = FILO_QUAD_IMAGE;
    return q;
}

static inline float between(FiloRandom *random, float low, float high) {
    return low + filo_random_float(random) * (high - low);
}
// x is drawn before y.
static inline FiloVec2 between2(FiloRandom *random, float x0, float x1, float y0, float y1) {
    float x = between(random, x0, x1);
    return filo_vec2(x, between(random, y0, y1));
}

// A random quad of any kind in a picture of this size: axis-aligned or rotated, scaled or not, with images 0 to 2 of at
// most 40 × 40 texels.
static inline FiloQuad random_quad(FiloRandom *random, float width, float height) {
    FiloQuad q = { 0 };
    uint32_t bits = filo_random_u32(random);
    q.kind = bits % 8 < 4 ? FILO_QUAD_IMAGE : (uint8_t)(bits % 8 - 3 > 3 ? 3 : bits % 8 - 3);
    q.flags = (bits >> 4) % 4 == 0 ? FILO_QUAD_ADD : 0;
    if ((bits >> 6) % 3 == 0) q.flags |= FILO_QUAD_LINEAR;
    q.color = random_color(random);
    q.x = between(random, -20, width + 20), q.y = between(random, -20, height + 20);
    if ((bits >> 8) % 2 == 0) q.x = filo_floor(q.x), q.y = filo_floor(q.y);
    if ((bits >> 8) % 8 == 1) q.x = filo_floor(q.x) + 0.5f, q.y = filo_floor(q.y) + 0.5f;
    float size = (bits >> 11) % 8 == 0 ? 200.0f : 24.0f;
    if ((bits >> 14) % 2 == 0) { // axis-aligned
        q.ax = between(random, -size, size), q.by = between(random, -size, size);
        if ((bits >> 15) % 8 == 0) q.ay = q.ax, q.ax = 0, q.bx = q.by, q.by = 0;
    } else {
        q.ax = between(random, -size, size), q.ay = between(random, -size, size);
        q.bx = between(random, -size, size), q.by = between(random, -size, size);
    }
    if (q.kind != FILO_QUAD_IMAGE) {
        if ((bits >> 18) % 2 == 0) q.u0 = (uint16_t)filo_random_u32(random);
        return q;
    }
    q.image = (uint16_t)((bits >> 19) % 3);
    q.u0 = (uint16_t)(filo_random_u32(random) % 34), q.u1 = (uint16_t)(filo_random_u32(random) % 34);
    q.v0 = (uint16_t)(filo_random_u32(random) % 34), q.v1 = (uint16_t)(filo_random_u32(random) % 34);
    if ((bits >> 21) % 2 == 0) { // one texel per pixel
        q.ax = (float)(q.u1 - q.u0) / 2, q.ay = 0, q.bx = 0, q.by = (float)(q.v0 - q.v1) / 2;
        if ((bits >> 22) % 4 == 0) q.ax = -q.ax;
        if ((bits >> 24) % 4 == 0) q.by = -q.by;
        if ((bits >> 26) % 2 == 0) q.x += q.ax, q.y += q.by; // (x, y) was a corner, not the centre
    }
    return q;
}

// ---- The reference ----------------------------------------------------------------------------------------

typedef struct Parallelogram {
    int64_t ox, oy, ex, ey, fx, fy; // in 1/256 of a pixel
    int64_t area;
} Parallelogram;

static inline int64_t cross(int64_t ax, int64_t ay, int64_t bx, int64_t by) { return ax * by - ay * bx; }

static inline Parallelogram parallelogram_of(const FiloQuad *q, FiloAffine2 v) {
    double xx = v.x.x, xy = v.x.y, yx = v.y.x, yy = v.y.y;
    double cx = xx * q->x + yx * q->y + v.origin.x, cy = xy * q->x + yy * q->y + v.origin.y;
    double ax = xx * q->ax + yx * q->ay, ay = xy * q->ax + yy * q->ay;
    double bx = xx * q->bx + yx * q->by, by = xy * q->bx + yy * q->by;
    Parallelogram p;
    p.ox = llrint((cx - ax + bx) * 256), p.oy = llrint((cy - ay + by) * 256);
    p.ex = llrint((cx + ax + bx) * 256) - p.ox, p.ey = llrint((cy + ay + by) * 256) - p.oy;
    p.fx = llrint((cx - ax - bx) * 256) - p.ox, p.fy = llrint((cy - ay - by) * 256) - p.oy;
    p.area = cross(p.ex, p.ey, p.fx, p.fy);
    return p;
}

static inline bool inside_polygon(const int64_t (*corners)[2], int count, bool clockwise, int64_t x,
                                  int64_t y) {
    for (int i = 0; i < count; i++) {
        const int64_t *from = corners[i], *to = corners[(i + 1) % count];
        if (!clockwise) from = corners[(i + 1) % count], to = corners[i];
        int64_t dx = to[0] - from[0], dy = to[1] - from[1];
        int64_t side = cross(dx, dy, x - from[0], y - from[1]);
        bool inclusive = dy < 0 || (dy == 0 && dx > 0); // left and upper edges
        if (side < 0 || (side == 0 && !inclusive)) return false;
    }
    return true;
}

static inline double clamp01(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }
// Coverage of a strip whose edges have these distances.
static inline double strip(double first, double second) {
    double covered = clamp01(0.5 + first) + clamp01(0.5 + second) - 1;
    return covered < 0 ? 0 : covered;
}

static inline bool intersects_bounds(const Parallelogram *p, int64_t x, int64_t y) {
    int64_t left = p->ox + FILO_MIN(p->ex, 0) + FILO_MIN(p->fx, 0),
            right = p->ox + FILO_MAX(p->ex, 0) + FILO_MAX(p->fx, 0);
    int64_t top = p->oy + FILO_MIN(p->ey, 0) + FILO_MIN(p->fy, 0),
            bottom = p->oy + FILO_MAX(p->ey, 0) + FILO_MAX(p->fy, 0);
    return x + 128 > left && x - 128 < right && y + 128 > top && y - 128 < bottom;
}

static inline double box_coverage(const Parallelogram *p, int64_t x, int64_t y) {
    double area = fabs((double)p->area), sign = p->area < 0 ? -1 : 1;
    double e = hypot((double)p->ex, (double)p->ey), f = hypot((double)p->fx, (double)p->fy);
    double s = sign * (double)cross(x - p->ox, y - p->oy, p->fx, p->fy) / f / 256, s_size = area / f / 256;
    double t = sign * (double)cross(p->ex, p->ey, x - p->ox, y - p->oy) / e / 256, t_size = area / e / 256;
    return strip(s, s_size - s) * strip(t, t_size - t);
}

static inline double ellipse_coverage(const Parallelogram *p, double hole, int64_t x, int64_t y) {
    double area = (double)p->area;
    double dx = (double)x - ((double)p->ox + (double)(p->ex + p->fx) / 2);
    double dy = (double)y - ((double)p->oy + (double)(p->ey + p->fy) / 2);
    double px = 2 * (double)p->fy / area, py = -2 * (double)p->fx / area;
    double qx = -2 * (double)p->ey / area, qy = 2 * (double)p->ex / area;
    double a = dx * px + dy * py, b = dx * qx + dy * qy, r = hypot(a, b);
    double gradient = r > 1e-9 ? hypot(a * px + b * qx, a * py + b * qy) / r
                               : sqrt((px * px + py * py + qx * qx + qy * qy) / 2);
    gradient *= 256;
    double covered = strip((1 - r) / gradient, (1 + r) / gradient);
    if (hole > 0) covered -= strip((hole - r) / gradient, (hole + r) / gradient);
    return clamp01(covered);
}

// Texels that the centre of a pixel may be in: two if it lies on their border.
typedef struct Texels {
    long double exact;
    int first, second;
} Texels;

static inline Texels texels_of(long double exact, int from, int to, int size) {
    int low = FILO_MIN(from, to), high = FILO_MAX(FILO_MAX(from, to) - 1, low);
    Texels t = { exact, (int)floorl(exact - 0x1p-17L), (int)floorl(exact + 0x1p-17L) };
    t.first = FILO_MIN(FILO_CLAMP(t.first, low, high), size - 1);
    t.second = FILO_MIN(FILO_CLAMP(t.second, low, high), size - 1);
    return t;
}

static inline FiloColor blend_reference(FiloColor light, FiloColor behind, uint8_t flags) {
    if (flags & FILO_QUAD_ADD) light.a = 0;
    return filo_color_over(light, behind);
}

static inline int byte_difference(FiloColor a, FiloColor b) {
    int r = abs(a.r - b.r), g = abs(a.g - b.g), c = abs(a.b - b.b), d = abs(a.a - b.a);
    return FILO_MAX(FILO_MAX(r, g), FILO_MAX(c, d));
}

static inline FiloColor linear_reference(const FiloPixels *image, const FiloQuad *q, Texels u, Texels v) {
    double x = (double)u.exact - 0.5, y = (double)v.exact - 0.5, sums[4] = { 0 };
    for (int i = 0; i < 4; i++) {
        double cx = floor(x) + (i & 1), cy = floor(y) + (i >> 1);
        double weight = (1 - fabs(x - cx)) * (1 - fabs(y - cy));
        Texels column = texels_of(cx + 0.5L, q->u0, q->u1, image->width);
        Texels row = texels_of(cy + 0.5L, q->v0, q->v1, image->height);
        FiloColor c = *filo_pixels_at(image, column.first, row.first);
        sums[0] += weight * c.r, sums[1] += weight * c.g, sums[2] += weight * c.b, sums[3] += weight * c.a;
    }
    return filo_color((uint8_t)(sums[0] + 0.5), (uint8_t)(sums[1] + 0.5), (uint8_t)(sums[2] + 0.5),
                      (uint8_t)(sums[3] + 0.5));
}

// The difference between `after` and the reference, which draws the quad over `before`. 0 if it is within the
// tolerance, which for linear filtering and smooth edges covers rounding to 1/256.
static inline int image_error(const FiloQuad *q, const Parallelogram *p, const FiloPixels *image, int64_t x,
                              int64_t y, FiloColor before, FiloColor after) {
    long double s = (long double)cross(x - p->ox, y - p->oy, p->fx, p->fy) / (long double)p->area;
    long double t = (long double)cross(p->ex, p->ey, x - p->ox, y - p->oy) / (long double)p->area;
    Texels u = texels_of(q->u0 + s * (q->u1 - q->u0), q->u0, q->u1, image->width);
    Texels v = texels_of(q->v0 + t * (q->v1 - q->v0), q->v0, q->v1, image->height);
    if (q->flags & FILO_QUAD_LINEAR) {
        FiloColor mixed = linear_reference(image, q, u, v);
        FiloColor wanted = blend_reference(filo_color_mul(mixed, q->color), before, q->flags);
        int error = byte_difference(wanted, after);
        return error <= 5 ? 0 : error;
    }
    int least = 255;
    for (int i = 0; i < 4; i++) {
        FiloColor texel = *filo_pixels_at(image, i & 1 ? u.first : u.second, i & 2 ? v.first : v.second);
        FiloColor wanted = blend_reference(filo_color_mul(texel, q->color), before, q->flags);
        int error = byte_difference(wanted, after);
        least = FILO_MIN(least, error);
    }
    return least;
}

static inline int shape_error(const FiloQuad *q, double coverage, FiloColor before, FiloColor after,
                              int tolerance) {
    uint8_t c = (uint8_t)(coverage * 255 + 0.5);
    FiloColor wanted = blend_reference(filo_color_mul(filo_color(c, c, c, c), q->color), before, q->flags);
    int error = byte_difference(wanted, after);
    return error <= tolerance ? 0 : error;
}

static inline int pixel_error(const FiloQuad *q, const Parallelogram *p, const FiloPixels *images,
                              size_t image_count, int column, int row, FiloColor before, FiloColor after) {
    int64_t x = (int64_t)column * 256 + 128, y = (int64_t)row * 256 + 128; // the centre
    int64_t corners[4][2] = { { p->ox, p->oy },
                              { p->ox + p->ex, p->oy + p->ey },
                              { p->ox + p->ex + p->fx, p->oy + p->ey + p->fy },
                              { p->ox + p->fx, p->oy + p->fy } };
    int64_t triangle[3][2] = { { corners[0][0], corners[0][1] },
                               { corners[2][0], corners[2][1] },
                               { corners[3][0], corners[3][1] } };
    bool clockwise = p->area > 0, nothing = p->area == 0;
    switch (q->kind) {
    case FILO_QUAD_IMAGE:
        nothing |= q->image >= image_count || images[q->image].data == NULL;
        if (nothing || !inside_polygon((const int64_t(*)[2])corners, 4, clockwise, x, y)) break;
        return image_error(q, p, &images[q->image], x, y, before, after);
    case FILO_QUAD_TRIANGLE:
        if (nothing || !inside_polygon((const int64_t(*)[2])triangle, 3, clockwise, x, y)) break;
        return shape_error(q, 1, before, after, 0);
    case FILO_QUAD_BOX:
        if (nothing || !intersects_bounds(p, x, y)) break;
        return shape_error(q, box_coverage(p, x, y), before, after, 3);
    default:
        if (nothing || !intersects_bounds(p, x, y)) break;
        return shape_error(q, ellipse_coverage(p, q->u0 / 65535.0, x, y), before, after, 1);
    }
    return byte_difference(before, after);
}

#endif
