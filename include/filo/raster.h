// filo/raster.h: draws 2D pictures on the CPU, in tiles, on all workers.
//
//     FiloRaster *raster;
//     FiloResult r = filo_raster_create(&raster, &(FiloRasterDesc){ .jobs = jobs });
//     FiloQuad sun = filo_quad_ellipse(filo_vec2(200, 80), filo_vec2(40, 40), FILO_COLOR_YELLOW);
//     filo_raster_draw(raster, &(FiloRasterPass){
//         .target = picture, .clear = true, .color = FILO_COLOR_BLUE,
//         .view = filo_affine2_identity(), .spans = &(FiloQuadSpan){ &sun, 1 }, .span_count = 1 });
//     r = filo_pixels_save(&picture, "sun.png");
//     filo_raster_destroy(raster);
//
// Everything is a quad: a parallelogram that shows a part of an image, or a shape. Sprites, letters, lines, boxes,
// circles and triangles are all quads. A list of quads is drawn in its order, each quad blended over the pixels below.
// filo/gfx2d.h makes such lists from the world, for the rasteriser and for the GPU.
//
// Coverage of pixels:
//
//   corners    are rounded to 1/256 of a pixel.
//   images and triangles cover a pixel if its centre is inside, or on a left or upper edge. Two of them that share an
//              edge leave no gap and cover no pixel twice. A pixel shows the texel that its centre is in; on the
//              border of two texels, the one further right or down in the picture. So a sprite with one texel per
//              pixel shows every texel once at any position: it moves in whole pixels.
//   distance fields cover a pixel as images do, by its centre: ½ plus the distance to the edge of the shape, in pixels.
//              So the edge is sharp over one pixel at any scale.
//   boxes and ellipses cover a part of a pixel: ½ plus the distance of its centre to the edge, in pixels; for two
//              opposite edges the sum of both, minus 1. A box has two such pairs, whose coverages are multiplied.
//              So lines thinner than a pixel fade.
//
// The picture is the same, to the last bit, on every machine, with every compiler and on any number of threads. After
// rounding, all arithmetic is in integers, or in doubles with operations that IEEE 754 defines exactly, with and
// without vector instructions. docs/raster.md explains it.

#ifndef FILO_RASTER_H
#define FILO_RASTER_H

#include <filo/jobs.h>
#include <filo/matrix.h>
#include <filo/pixels.h>

FILO_BEGIN_DECLS

// ---- Quads ----------------------------------------------------------------------------------------------

typedef enum FiloQuadKind {
    FILO_QUAD_IMAGE,   // the part of an image from (u0, v0) to (u1, v1)
    FILO_QUAD_BOX,     // filled; edges are smooth where they do not lie between pixels
    FILO_QUAD_ELLIPSE, // filled, or a ring (see u0); smooth edge
    FILO_QUAD_TRIANGLE, // the half of the quad below the diagonal from its upper left to its lower right corner;
                        // hard edges, so that meshes have no seams
    FILO_QUAD_DISTANCE,      // the shape in a signed distance field, which is the alpha of a part of an image
    FILO_QUAD_DISTANCE_SOFT, // the same with a soft edge: a shadow, a glow
} FiloQuadKind;

// 40 bytes; also the layout of an instance on the GPU. "Up" is the direction of b and "right" that of a, before the
// view is applied.
typedef struct FiloQuad {
    float x, y;   // centre
    float ax, ay; // from the centre to the middle of the right edge
    float bx, by; // from the centre to the middle of the upper edge
    // FILO_QUAD_IMAGE, FILO_QUAD_DISTANCE and _SOFT: texels; (u0, v0) is the upper left corner, (u1, v1) the lower right one; swap them to flip.
    // Texels outside of these, or outside of the image, are never read: coordinates are clamped to the nearest one.
    // If u0 and u1 are equal, that one column is shown; if v0 and v1 are equal, that one row.
    // FILO_QUAD_ELLIPSE: u0 is the radius of the hole, from 0 to 65535, which is the radius of the ellipse.
    // Everything else is 0.
    uint16_t u0, v0, u1, v1;
    FiloColor color; // texels and shapes are multiplied by it
    uint16_t image;  // of kinds with texels: index in FiloRasterPass.images
    uint8_t kind;    // FiloQuadKind
    uint8_t flags;   // FILO_QUAD_LINEAR, FILO_QUAD_ADD; of distance fields also filo_quad_reach
} FiloQuad;

#define FILO_QUAD_LINEAR 1 // linear filter; otherwise the nearest texel. Distance fields are always linear
#define FILO_QUAD_ADD    2 // adds its colour to the pixels (its alpha counts as 0)

// Distance fields. The alpha of a texel is 128 plus 16 for each texel of distance from its centre to the edge of the
// shape, inwards, clamped to 0 to 255. So the field reaches FILO_QUAD_SPREAD texels to both sides of the edge. Where it
// is 0, nothing is drawn. Distances in pixels follow from the mean scale of the quad: one that is stretched more in one
// direction than in the other has an edge that is sharper in one of them.
//
// The flags of such a quad have a reach, from 0 to FILO_QUAD_SPREAD texels, in steps of 1/63 of that.
//   FILO_QUAD_DISTANCE       the edge is moved outwards by the reach: outlines, bold letters. A reach of nearly all of the
//                            spread would cut the edge off: leave a texel, or half a pixel if that is more.
//   FILO_QUAD_DISTANCE_SOFT  coverage is 1 inside, and falls off smoothly to 0 over the reach, at least over a pixel
#define FILO_QUAD_SPREAD 8 // texels
static inline uint8_t filo_quad_reach(float texels) {
    float part = texels * (63.0f / FILO_QUAD_SPREAD);
    return (uint8_t)((unsigned)(part > 0 ? filo_min(part, 63.0f) + 0.5f : 0.0f) << 2);
}

static inline FiloQuad filo_quad_box(FiloVec2 centre, FiloVec2 half_size, FiloColor color) {
    FiloQuad q = {
        centre.x, centre.y, half_size.x, 0, 0, half_size.y, 0, 0, 0, 0, color, 0, FILO_QUAD_BOX, 0
    };
    return q;
}
static inline FiloQuad filo_quad_ellipse(FiloVec2 centre, FiloVec2 radii, FiloColor color) {
    FiloQuad q = filo_quad_box(centre, radii, color);
    q.kind = FILO_QUAD_ELLIPSE;
    return q;
}
// A ring; `inner` is the radius of the hole.
static inline FiloQuad filo_quad_ring(FiloVec2 centre, float radius, float inner, FiloColor color) {
    FiloQuad q = filo_quad_ellipse(centre, filo_vec2(radius, radius), color);
    float part = inner / radius; // not a number, if both are 0
    q.u0 = (uint16_t)(part > 0 ? filo_min(part, 1) * 65535.0f : 0.0f);
    return q;
}
// A straight line with square ends.
static inline FiloQuad filo_quad_line(FiloVec2 from, FiloVec2 to, float width, FiloColor color) {
    FiloVec2 middle = filo_vec2_lerp(from, to, 0.5f), half = filo_vec2_scale(filo_vec2_sub(to, from), 0.5f);
    FiloVec2 side = filo_vec2_scale(filo_vec2_perpendicular(filo_vec2_normalise(half)), width * 0.5f);
    FiloQuad q = {
        middle.x, middle.y, half.x, half.y, side.x, side.y, 0, 0, 0, 0, color, 0, FILO_QUAD_BOX, 0
    };
    return q;
}
// Any triangle. Its corners are those of the quad except the upper right one.
static inline FiloQuad filo_quad_triangle(FiloVec2 lower_left, FiloVec2 lower_right, FiloVec2 upper_left,
                                          FiloColor color) {
    FiloVec2 centre = filo_vec2_lerp(lower_right, upper_left, 0.5f);
    FiloVec2 a = filo_vec2_scale(filo_vec2_sub(lower_right, lower_left), 0.5f);
    FiloVec2 b = filo_vec2_scale(filo_vec2_sub(upper_left, lower_left), 0.5f);
    FiloQuad q = { centre.x, centre.y, a.x, a.y, b.x, b.y, 0, 0, 0, 0, color, 0, FILO_QUAD_TRIANGLE, 0 };
    return q;
}

// An array of quads.
typedef struct FiloQuadSpan {
    const FiloQuad *quads;
    size_t count;
} FiloQuadSpan;

// ---- Drawing --------------------------------------------------------------------------------------------

typedef struct FiloRaster FiloRaster;

typedef struct FiloRasterDesc {
    FiloJobs *jobs;                 // NULL: the calling thread alone
    const FiloAllocator *allocator; // NULL: filo_heap()
    bool no_simd;                   // plain C only, for comparison; the picture is the same
} FiloRasterDesc;

FiloResult filo_raster_create(FiloRaster **raster, const FiloRasterDesc *desc);
void filo_raster_destroy(FiloRaster *raster); // NULL is allowed

typedef struct FiloRasterPass {
    FiloPixels target;
    // The part of the target that is drawn to, clipped to the target; all 0: the whole target.
    int x, y, width, height;
    bool clear; // fills that part with `color` first
    FiloColor color;
    FiloAffine2 view; // from the coordinates of the quads to pixels of the target: (0, 0) is the upper left
                      // corner of the upper left pixel, y goes down
    // Quads refer to images by index. An index beyond the end, or an image without data, draws nothing. No image may
    // share memory with the target.
    const FiloPixels *images;
    size_t image_count;
    const FiloQuadSpan *spans;
    size_t span_count;
} FiloRasterPass;

// Draws a pass; returns when it is done. On any worker of the scheduler, one call at a time. Allocates only if it needs
// more memory than in any pass before (64 bytes per quad, and a few for every tile of 128 × 64 pixels that a quad
// intersects). Without memory it draws the same picture, more slowly. Quads that are not finite, or thinner than 1/4096
// of a pixel, draw nothing; nor do those that reach further than two million pixels from the target's upper left
// corner, except for axis-aligned boxes.
void filo_raster_draw(FiloRaster *raster, const FiloRasterPass *pass);

typedef struct FiloRasterStats {
    size_t quads;     // of the last pass
    size_t drawn;     // of these, inside the target
    size_t tiles;     // that were drawn: all of them if the pass clears
    double bin_ns;    // time to sort quads into bins
    double raster_ns; // time to draw the tiles
} FiloRasterStats;
FiloRasterStats filo_raster_stats(const FiloRaster *raster);

FILO_END_DECLS

#endif
