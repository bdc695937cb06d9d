// The inside of the rasteriser.
//
//   raster.c   checks a pass, keeps the memory, and runs the two steps below
//   prepare.c  turns a quad into a command: places in 1/256 of a pixel, the pixels it may touch, what to do
//   bin.c      writes the number of each command into the list of every tile that it may touch
//   tile.c     draws the commands of a tile into memory of its own, and copies that into the target
//   image.c, polygon.c, shape.c   the commands that take more than one call of a kernel
//   kernels.c, kernels_avx2.c     the loops over pixels
//
// A tile is drawn by one thread, in the order of the list, from commands that do not depend on the tile or on
// threads; that is why the picture depends on neither.

#ifndef FILO_RASTER_RASTER_H
#define FILO_RASTER_RASTER_H

#include <filo/raster.h>

// ---- Commands ---------------------------------------------------------------------------------------------

#define RASTER_SUBPIXEL_BITS 8      // places are multiples of 1/256 of a pixel
#define RASTER_SUBPIXELS     256    // of a pixel
#define RASTER_FAR           0x1p21 // pixels: corners that are further away are not drawn

// Pixels from (x0, y0) to (x1, y1), exclusive.
typedef struct RasterBounds {
    int16_t x0, y0, x1, y1;
} RasterBounds;

static inline bool raster_bounds_empty(RasterBounds b) { return b.x0 >= b.x1 || b.y0 >= b.y1; }
static inline RasterBounds raster_bounds_meet(RasterBounds a, RasterBounds b) {
    RasterBounds both = { FILO_MAX(a.x0, b.x0), FILO_MAX(a.y0, b.y0), FILO_MIN(a.x1, b.x1),
                          FILO_MIN(a.y1, b.y1) };
    return both;
}

typedef enum RasterOperation {
    RASTER_BLIT,     // an image, texel by pixel, upright or upside down
    RASTER_MIRRORED, // the same, with left and right swapped
    RASTER_IMAGE,    // any other image
    RASTER_SOLID,    // a box whose edges lie between pixels
    RASTER_BOX,      // any other box
    RASTER_ELLIPSE,  // or a ring
    RASTER_TRIANGLE, // half a box
} RasterOperation;

// A parallelogram in 1/256 of a pixel: its upper left corner, and its upper and left edges from there. Corners
// are within ±2²⁹, so that products of two places fit 64 bits, with some to spare.
typedef struct RasterPlace {
    int32_t ox, oy; // origin
    int32_t ex, ey; // to the upper right corner
    int32_t fx, fy; // to the lower left corner
} RasterPlace;

static inline int64_t raster_area(const RasterPlace *p) {
    return (int64_t)p->ex * p->fy - (int64_t)p->ey * p->fx;
}

// One cache line.
typedef struct __attribute__((aligned(FILO_CACHE_LINE))) RasterCommand {
    RasterBounds bounds; // of the pixels that it may touch, inside of the pass
    FiloColor color;
    uint8_t operation; // RasterOperation
    uint8_t flags;     // of the quad
    uint16_t hole;     // of an ellipse
    union {
        struct {
            const FiloColor *texels; // what the first pixel of the bounds shows
            int32_t stride;          // to the texel below; negative if it is upside down
        } blit;
        struct {
            const FiloPixels *pixels;
            uint16_t u0, v0, u1, v1;
        } image;
    };
    RasterPlace place; // unless it is a blit or solid
} RasterCommand;

_Static_assert(sizeof(RasterCommand) == FILO_CACHE_LINE, "a command is one cache line");

// What all commands of a pass are made from.
typedef struct RasterSource {
    FiloAffine2 view;
    RasterBounds bounds; // of the part of the target that is drawn to
    const FiloPixels *images;
    size_t image_count;
    const FiloQuadSpan *spans;
    size_t span_count;
} RasterSource;

// False if there is nothing to draw.
bool raster_prepare(const RasterSource *source, const FiloQuad *quad, RasterCommand *command);

// ---- Kernels ----------------------------------------------------------------------------------------------

// Kernels write whole vectors: up to RASTER_PAD pixels right of what they were asked for, which they leave
// as they are (blit, solid) or fill with anything (mirror, fetch). They read no texel that was not asked for.
#define RASTER_PAD 8

// Texel coordinates are 24.40 fixed point, modulo 2²⁴ texels. The upper half of one is thus in 1/256 of a
// texel. What lies outside of the limits, which are inclusive, is clamped.
typedef struct RasterSampler {
    const FiloColor *texels;
    int32_t stride;
    int32_t u_low, u_high, v_low, v_high;
    uint64_t u_step, v_step; // from pixel to pixel
} RasterSampler;

typedef struct RasterKernels {
    // Blends texels times `tint` over the pixels, or adds them.
    void (*blit)(FiloColor *to, size_t to_stride, const FiloColor *from, ptrdiff_t from_stride, int width,
                 int height, FiloColor tint, bool add);
    // Copies rows of texels backwards: `from` is the rightmost texel of the first row.
    void (*mirror)(FiloColor *to, size_t to_stride, const FiloColor *from, ptrdiff_t from_stride, int width,
                   int height);
    // Blends one colour over the pixels, or adds it.
    void (*solid)(FiloColor *to, size_t to_stride, int width, int height, FiloColor color, bool add);
    // Reads texels for a row of pixels, of which the first is at (u, v).
    void (*fetch_nearest)(FiloColor *to, const RasterSampler *sampler, uint64_t u, uint64_t v, int count);
    void (*fetch_linear)(FiloColor *to, const RasterSampler *sampler, uint64_t u, uint64_t v, int count);
} RasterKernels;

extern const RasterKernels raster_kernels_plain;
// The quickest for this processor.
const RasterKernels *raster_kernels_best(void);

// ---- Tiles ------------------------------------------------------------------------------------------------

// Wide, because a sprite that is cut from top to bottom needs more vectors, while one that is cut from left to
// right does not; and so large that one fits the first cache, with what is drawn on it.
#define RASTER_TILE_WIDTH  128
#define RASTER_TILE_HEIGHT 64
#define RASTER_TILE_BLOCK  16 // rows that are mirrored at a time
#define RASTER_TILE_STRIDE (RASTER_TILE_WIDTH + RASTER_PAD)

typedef struct RasterTile {
    FiloColor pixels[RASTER_TILE_HEIGHT * RASTER_TILE_STRIDE];
    union { // texels or coverages, on their way
        FiloColor row[RASTER_TILE_STRIDE];
        FiloColor rows[RASTER_TILE_BLOCK * RASTER_TILE_STRIDE];
    };
    RasterBounds bounds; // the part of the target that it shows
    const RasterKernels *kernels;
} RasterTile;

static inline FiloColor *raster_tile_at(RasterTile *tile, int x, int y) {
    return tile->pixels + (size_t)(y - tile->bounds.y0) * RASTER_TILE_STRIDE + (x - tile->bounds.x0);
}

// Each draws the part of a command that lies in `bounds`, which is not empty and inside of both.
void raster_draw_image(RasterTile *tile, const RasterCommand *command, RasterBounds bounds);
void raster_draw_triangle(RasterTile *tile, const RasterCommand *command, RasterBounds bounds);
void raster_draw_box(RasterTile *tile, const RasterCommand *command, RasterBounds bounds);
void raster_draw_ellipse(RasterTile *tile, const RasterCommand *command, RasterBounds bounds);

// ---- Polygons ---------------------------------------------------------------------------------------------

// Walks down the rows of a convex polygon. A pixel is inside if its centre is; centres on an edge count if that
// is a left or upper one.
typedef struct RasterEdge {
    bool right;
    int64_t quotient, rest, divisor; // the edge crosses this row at quotient + rest / divisor
    int64_t quotient_step, rest_step;
} RasterEdge;

typedef struct RasterWalk {
    RasterEdge edges[4];
    int edge_count;
} RasterWalk;

// Begins at the centres of row `y`. `corners` is 4, or 3 for the triangle.
void raster_walk_begin(RasterWalk *walk, const RasterPlace *place, int corners, int y);
// Cuts the pixels from *x0 to *x1 (exclusive) to those inside, and goes on to the next row.
void raster_walk_row(RasterWalk *walk, int *x0, int *x1);

// ---- Passes -----------------------------------------------------------------------------------------------

typedef struct RasterMemory {
    void *data;
    size_t size;
} RasterMemory;

struct FiloRaster {
    FiloJobs *jobs;
    FiloAllocator allocator;
    const RasterKernels *kernels;
    RasterMemory commands, bounds, counts, items, tiles;
    FiloRasterStats stats;
};

// The numbers of the commands of all tiles. Those of tile t are items[begin[t]] to items[begin[t + 1]].
typedef struct RasterBins {
    const RasterCommand *commands;
    const uint32_t *items, *begin;
    const uint32_t *touched; // tiles that have any
    size_t touched_count;
    size_t drawn; // commands
} RasterBins;

// The grid of tiles that a pass touches. Tiles begin at multiples of their size in the target, wherever the
// part begins.
typedef struct RasterGrid {
    int left, top; // first tile
    int columns, rows;
} RasterGrid;

// Calls `function` for 0 to `count`, on all workers if there are any.
void raster_for_each(FiloRaster *raster, size_t count, FiloRangeFunction function, void *user);
// Room for so many bytes; what was there is lost. NULL without memory.
void *raster_room(FiloRaster *raster, RasterMemory *memory, size_t size);

// False without memory.
bool raster_bin(FiloRaster *raster, const RasterSource *source, size_t quad_count, const RasterGrid *grid,
                RasterBins *bins);

typedef struct RasterFrame {
    const FiloRasterPass *pass;
    const RasterSource *source;
    const RasterKernels *kernels;
    RasterGrid grid;
    const RasterBins *bins; // NULL: every tile looks at all quads
} RasterFrame;

// Draw tiles `begin` to `end`: numbers in `touched`, or, without bins, of the grid.
void raster_draw_tiles(size_t begin, size_t end, void *frame);

// Quads `begin` to `end` of all spans, one after the other.
typedef struct RasterQuadCursor {
    const FiloQuadSpan *span;
    size_t at;
} RasterQuadCursor;
static inline RasterQuadCursor raster_quad_cursor(const FiloQuadSpan *spans, size_t skip) {
    RasterQuadCursor cursor = { spans, skip };
    return cursor;
}
static inline const FiloQuad *raster_quad_next(RasterQuadCursor *cursor) {
    while (cursor->at >= cursor->span->count) cursor->at -= cursor->span++->count;
    return &cursor->span->quads[cursor->at++];
}

#endif
