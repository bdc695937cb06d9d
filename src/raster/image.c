// Images that are scaled, rotated, mirrored or not aligned to pixels, and distance fields.
//
// Texel coordinates are linear in the position of the pixel's centre. They are computed from the upper left corner of
// the quad, in 24.40 fixed point modulo 2²⁴ texels. Intermediate results may overflow; those of pixels inside the quad
// are right. The rounding error of a step is 2⁻⁴¹ of a texel, so after 16384 pixels the error of a coordinate is below
// 2⁻¹⁸ of a texel, at any scale. It does not depend on the tile.

#include "raster/raster.h"

#define TEXEL_BITS 40
#define TIE        (UINT64_C(1) << (TEXEL_BITS - 18))

// Texel coordinates, and their change over 1/256 of a pixel.
typedef struct Mapping {
    uint64_t u, v; // of the upper left corner of the quad
    uint64_t ux, uy, vx, vy;
    int64_t ox, oy; // that corner
} Mapping;

static uint64_t to_fixed(double x) {
    double scaled = x * 0x1p40;
    return (uint64_t)(int64_t)(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
}

// If the centre of a pixel lies on the border of two texels, it shows the one further right in the picture; if they lie
// one above the other, the lower one. So an image shows all its texels also if it lies halfway between pixels, and if
// it is mirrored.
static uint64_t tie_offset(uint64_t along_x, uint64_t along_y) {
    bool backwards = along_x != 0 ? (int64_t)along_x < 0 : (int64_t)along_y < 0;
    return backwards ? UINT64_C(0) - TIE : TIE;
}

static Mapping make_mapping(const RasterCommand *c, bool nearest) {
    const RasterParallelogram *p = &c->parallelogram;
    double scale = 1.0 / (double)raster_area(p);
    double width = c->image.u1 - c->image.u0, height = c->image.v1 - c->image.v0;
    Mapping m = { .ox = p->ox, .oy = p->oy };
    m.ux = to_fixed(width * p->fy * scale), m.uy = to_fixed(-width * p->fx * scale);
    m.vx = to_fixed(-height * p->ey * scale), m.vy = to_fixed(height * p->ex * scale);
    m.u = (uint64_t)c->image.u0 << TEXEL_BITS, m.v = (uint64_t)c->image.v0 << TEXEL_BITS;
    if (nearest) m.u += tie_offset(m.ux, m.uy), m.v += tie_offset(m.vx, m.vy);
    return m;
}

// The texels that may be shown: those of the quad that are inside the image; at least one.
static void limit(int32_t a, int32_t b, int32_t size, int32_t *low, int32_t *high) {
    *low = FILO_MIN(FILO_MIN(a, b), size - 1);
    *high = FILO_MIN(FILO_MAX(a, b) - 1, size - 1);
    *high = FILO_MAX(*high, *low);
}

static RasterSampler make_sampler(const RasterCommand *c, const Mapping *m) {
    const FiloPixels *pixels = c->image.pixels;
    RasterSampler s = { .texels = pixels->data, .stride = pixels->stride };
    limit(c->image.u0, c->image.u1, pixels->width, &s.u_low, &s.u_high);
    limit(c->image.v0, c->image.v1, pixels->height, &s.v_low, &s.v_high);
    s.u_step = m->ux * RASTER_SUBPIXELS;
    s.v_step = m->vx * RASTER_SUBPIXELS;
    return s;
}

// The texel coordinates of the pixel in column x of row y.
static inline void map_pixel(const Mapping *m, int x, int y, uint64_t *u, uint64_t *v) {
    uint64_t to_x = (uint64_t)((int64_t)x * RASTER_SUBPIXELS + RASTER_SUBPIXELS / 2 - m->ox);
    uint64_t to_y = (uint64_t)((int64_t)y * RASTER_SUBPIXELS + RASTER_SUBPIXELS / 2 - m->oy);
    *u = m->u + m->ux * to_x + m->uy * to_y;
    *v = m->v + m->vx * to_x + m->vy * to_y;
}

void raster_draw_image(RasterTile *tile, const RasterCommand *c, RasterBounds b) {
    const RasterKernels *kernels = tile->kernels;
    bool linear = (c->flags & FILO_QUAD_LINEAR) != 0, add = (c->flags & FILO_QUAD_ADD) != 0;
    Mapping m = make_mapping(c, !linear);
    RasterSampler sampler = make_sampler(c, &m);
    RasterWalk walk = { .edge_count = 0 }; // axis-aligned: the bounds are exact
    if (!raster_axis_aligned(&c->parallelogram)) raster_walk_begin(&walk, &c->parallelogram, 4, b.y0);
    bool same_rows =
        m.vx == 0 && m.uy == 0 && !linear; // rows of pixels that show one row of texels are equal
    uint32_t fetched = UINT32_MAX;
    for (int y = b.y0; y < b.y1; y++) {
        int x0 = b.x0, x1 = b.x1;
        raster_walk_row(&walk, &x0, &x1);
        if (x0 >= x1) continue;
        uint64_t u, v;
        map_pixel(&m, x0, y, &u, &v);
        uint32_t row = (uint32_t)(v >> TEXEL_BITS);
        if (linear)
            kernels->fetch_linear(tile->row, &sampler, u, v, x1 - x0);
        else if (!same_rows || row != fetched)
            kernels->fetch_nearest(tile->row, &sampler, u, v, x1 - x0);
        fetched = row;
        kernels->blit(raster_tile_at(tile, x0, y), RASTER_TILE_STRIDE, tile->row, 0, x1 - x0, 1, c->color,
                      add);
    }
}

// ---- Distance fields --------------------------------------------------------------------------------------

#define FIELD_EDGE  128.0 // the value at the edge of the shape
#define FIELD_SLOPE 16.0  // its change over a texel

// `reach` is in texels. The scale is the mean of both directions, by the area of a texel in the picture.
static RasterRamp make_ramp(const RasterCommand *c) {
    double area = (double)raster_area(&c->parallelogram) / (RASTER_SUBPIXELS * RASTER_SUBPIXELS);
    double width = c->image.u1 - c->image.u0, height = c->image.v1 - c->image.v0, texels = width * height;
    area = area < 0 ? -area : area, texels = texels < 0 ? -texels : texels;
    double scale = __builtin_sqrt(area / (texels < 1 ? 1 : texels)); // pixels per texel
    double reach = (c->flags >> 2) * (FILO_QUAD_SPREAD / 63.0) * scale, slope = scale / FIELD_SLOPE;
    if (!c->soft) return (RasterRamp){ (float)slope, (float)(0.5 - FIELD_EDGE * slope + reach), false };
    double width_of_edge = reach < 1 ? 1 : reach;
    slope /= width_of_edge;
    return (RasterRamp){ (float)slope, (float)(1 - FIELD_EDGE * slope), true };
}

void raster_draw_distance(RasterTile *tile, const RasterCommand *c, RasterBounds b) {
    Mapping m = make_mapping(c, false);
    RasterSampler sampler = make_sampler(c, &m);
    RasterRamp ramp = make_ramp(c);
    RasterWalk walk = { .edge_count = 0 };
    if (!raster_axis_aligned(&c->parallelogram)) raster_walk_begin(&walk, &c->parallelogram, 4, b.y0);
    for (int y = b.y0; y < b.y1; y++) {
        int x0 = b.x0, x1 = b.x1;
        raster_walk_row(&walk, &x0, &x1);
        if (x0 >= x1) continue;
        uint64_t u, v;
        map_pixel(&m, x0, y, &u, &v);
        tile->kernels->fetch_distance(tile->row, &sampler, u, v, x1 - x0, &ramp);
        tile->kernels->blit(raster_tile_at(tile, x0, y), RASTER_TILE_STRIDE, tile->row, 0, x1 - x0, 1,
                            c->color, (c->flags & FILO_QUAD_ADD) != 0);
    }
}
