// The private parts of the rasteriser.
//
//   raster.c   checks a pass, owns the memory, and runs the two steps: binning and drawing
//   prepare.c  turns a quad into a command: corners in 1/256 of a pixel, bounds in pixels, the operation
//   bin.c      writes the index of each command to the bin of every tile that its bounds intersect
//   tile.c     draws the commands of a tile to memory on the stack, and copies it to the target
//   image.c, polygon.c, shape.c   the commands that take more than one call of a kernel
//   kernels.c, kernels_avx2.c     the loops over pixels
//
// A tile is drawn by one thread, in the order of its bin, from commands that do not depend on the tile or on threads.
// So the picture depends on neither.

#ifndef FILO_RASTER_RASTER_H
#define FILO_RASTER_RASTER_H

#include <filo/raster.h>

// ---- Commands ---------------------------------------------------------------------------------------------

#define RASTER_SUBPIXEL_BITS 8      // corners are multiples of 1/256 of a pixel
#define RASTER_SUBPIXELS     256    // of a pixel
#define RASTER_FAR           0x1p21 // quads with a corner further away than this, in pixels, are not drawn

// Pixels from (x0, y0) to (x1, y1), exclusive.
typedef struct RasterBounds {
    int16_t x0, y0, x1, y1;
} RasterBounds;

static inline bool raster_bounds_empty(RasterBounds b) { return b.x0 >= b.x1 || b.y0 >= b.y1; }
static inline RasterBounds raster_bounds_intersect(RasterBounds a, RasterBounds b) {
    return (RasterBounds){ FILO_MAX(a.x0, b.x0), FILO_MAX(a.y0, b.y0), FILO_MIN(a.x1, b.x1),
                           FILO_MIN(a.y1, b.y1) };
}

typedef enum RasterOperation {
    RASTER_BLIT,     // an image with one texel per pixel, upright or upside down
    RASTER_MIRRORED, // a blit with left and right swapped
    RASTER_IMAGE,    // any other image
    RASTER_SOLID,    // a box whose edges lie between pixels
    RASTER_BOX,      // any other box
    RASTER_ELLIPSE,  // or a ring
    RASTER_TRIANGLE, // half of the parallelogram
    RASTER_DISTANCE, // a distance field
} RasterOperation;

// A parallelogram in 1/256 of a pixel: its upper left corner, and its upper and left edges from there. Corners
// are within ±2²⁹, so that products of two coordinates fit into 64 bits, with some to spare.
typedef struct RasterParallelogram {
    int32_t ox, oy; // origin
    int32_t ex, ey; // to the upper right corner
    int32_t fx, fy; // to the lower left corner
} RasterParallelogram;

static inline int64_t raster_area(const RasterParallelogram *p) {
    return (int64_t)p->ex * p->fy - (int64_t)p->ey * p->fx;
}
static inline bool raster_axis_aligned(const RasterParallelogram *p) {
    return (p->ey == 0 && p->fx == 0) || (p->ex == 0 && p->fy == 0);
}

// One cache line.
typedef struct __attribute__((aligned(FILO_CACHE_LINE))) RasterCommand {
    RasterBounds bounds; // pixels that it may change, inside the bounds of the pass
    FiloColor color;
    uint8_t operation; // RasterOperation
    uint8_t flags;     // of the quad
    bool soft;         // RASTER_DISTANCE: FILO_QUAD_DISTANCE_SOFT
    uint16_t hole;     // of an ellipse
    union {
        struct {
            const FiloColor *texels; // the texel of the first pixel of the bounds
            int32_t stride;          // to the texel of the pixel below; negative if upside down
        } blit;
        struct {
            const FiloPixels *pixels;
            uint16_t u0, v0, u1, v1;
        } image;
    };
    RasterParallelogram parallelogram; // not read by RASTER_BLIT, _MIRRORED and _SOLID
} RasterCommand;

_Static_assert(sizeof(RasterCommand) == FILO_CACHE_LINE, "a command is one cache line");

// The input of raster_prepare for all quads of a pass.
typedef struct RasterSource {
    FiloAffine2 view;
    RasterBounds bounds; // of the part of the target that is drawn to
    const FiloPixels *images;
    size_t image_count;
    const FiloQuadSpan *spans;
    size_t span_count;
} RasterSource;

// Fills in the command. False if there is nothing to draw.
bool raster_prepare(const RasterSource *source, const FiloQuad *quad, RasterCommand *command);

// ---- Kernels ----------------------------------------------------------------------------------------------

// Kernels write full vectors: they may write up to RASTER_PAD pixels beyond the end of a row, with the same value
// (blit, solid) or with any value (mirror, fetch). They read no texel beyond the end of a row.
#define RASTER_PAD 8

// Texel coordinates are 24.40 fixed point, modulo 2²⁴ texels, so the upper 32 bits are in 1/256 of a texel. Coordinates
// are clamped to the limits, which are inclusive.
typedef struct RasterSampler {
    const FiloColor *texels;
    int32_t stride;
    int32_t u_low, u_high, v_low, v_high;
    uint64_t u_step, v_step; // from pixel to pixel
} RasterSampler;

// Coverage as a function of the values of a distance field: `slope` times the value plus `offset`, clamped to 0 to 1. If
// `soft`, that is t, and the coverage is t² (3 − 2 t).
typedef struct RasterRamp {
    float slope, offset;
    bool soft;
} RasterRamp;

typedef struct RasterKernels {
    // Blends texels times `tint` over the pixels, or adds them.
    void (*blit)(FiloColor *to, size_t to_stride, const FiloColor *from, ptrdiff_t from_stride, int width,
                 int height, FiloColor tint, bool add);
    // Copies rows of texels in reverse order. `from` is the rightmost texel of the first row.
    void (*mirror)(FiloColor *to, size_t to_stride, const FiloColor *from, ptrdiff_t from_stride, int width,
                   int height);
    // Blends one colour over the pixels, or adds it.
    void (*solid)(FiloColor *to, size_t to_stride, int width, int height, FiloColor color, bool add);
    // Read the texels of a row of pixels. (u, v) is the coordinate of the first.
    void (*fetch_nearest)(FiloColor *to, const RasterSampler *sampler, uint64_t u, uint64_t v, int count);
    void (*fetch_linear)(FiloColor *to, const RasterSampler *sampler, uint64_t u, uint64_t v, int count);
    // Reads a distance field, and writes coverages as grey colours. Positions are in 1/65536 of a texel: at a large
    // scale, a step of 1/256 would be visible at the edge.
    void (*fetch_distance)(FiloColor *to, const RasterSampler *sampler, uint64_t u, uint64_t v, int count,
                           const RasterRamp *ramp);
} RasterKernels;

extern const RasterKernels raster_kernels_plain;
// The fastest kernels for this processor.
const RasterKernels *raster_kernels_best(void);

// ---- Tiles ------------------------------------------------------------------------------------------------

// Tiles are wide, because a vertical cut through a sprite costs more vectors and a horizontal one does not. A tile and
// the texels drawn to it fit into the first-level cache.
#define RASTER_TILE_WIDTH  128
#define RASTER_TILE_HEIGHT 64
#define RASTER_TILE_BLOCK  16 // rows that are mirrored at a time
#define RASTER_TILE_STRIDE (RASTER_TILE_WIDTH + RASTER_PAD)

typedef struct RasterTile {
    FiloColor pixels[RASTER_TILE_HEIGHT * RASTER_TILE_STRIDE];
    union { // scratch memory for texels and coverages
        FiloColor row[RASTER_TILE_STRIDE];
        FiloColor rows[RASTER_TILE_BLOCK * RASTER_TILE_STRIDE];
    };
    RasterBounds bounds; // in the target
    const RasterKernels *kernels;
} RasterTile;

static inline FiloColor *raster_tile_at(RasterTile *tile, int x, int y) {
    return tile->pixels + (size_t)(y - tile->bounds.y0) * RASTER_TILE_STRIDE + (x - tile->bounds.x0);
}

// Draw the part of a command that lies in `bounds`, which is not empty and inside the bounds of tile and command.
void raster_draw_image(RasterTile *tile, const RasterCommand *command, RasterBounds bounds);
void raster_draw_distance(RasterTile *tile, const RasterCommand *command, RasterBounds bounds);
void raster_draw_triangle(RasterTile *tile, const RasterCommand *command, RasterBounds bounds);
void raster_draw_box(RasterTile *tile, const RasterCommand *command, RasterBounds bounds);
void raster_draw_ellipse(RasterTile *tile, const RasterCommand *command, RasterBounds bounds);

// ---- Polygons ---------------------------------------------------------------------------------------------

// An edge of a convex polygon.
typedef struct RasterEdge {
    bool right;
    int64_t quotient, remainder, divisor; // it crosses the current row at quotient + remainder / divisor
    int64_t quotient_step, remainder_step;
} RasterEdge;

// Walks down the rows of a convex polygon. A pixel is inside if its centre is. A centre on a left or upper edge is
// inside.
typedef struct RasterWalk {
    RasterEdge edges[4];
    int edge_count;
} RasterWalk;

// Begins at row `y`. `corners` is 4, or 3 for the triangle.
void raster_walk_begin(RasterWalk *walk, const RasterParallelogram *parallelogram, int corners, int y);
// Clips the columns from *x0 to *x1 (exclusive) to those inside, and advances to the next row.
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

// The bins of all tiles: indices of commands. Those of tile t are items[begin[t]] to items[begin[t + 1]], exclusive.
typedef struct RasterBins {
    const RasterCommand *commands;
    const uint32_t *items, *begin;
    const uint32_t *nonempty; // tiles whose bin is not empty
    size_t nonempty_count;
    size_t drawn; // commands
} RasterBins;

// The grid of tiles of a pass. Tiles begin at multiples of their size in the target, also if the bounds of the pass do
// not.
typedef struct RasterGrid {
    int left, top; // first tile
    int columns, rows;
} RasterGrid;

// Calls `function` for 0 to `count`, on all workers if there are any.
void raster_for_each(FiloRaster *raster, size_t count, FiloRangeFunction function, void *user);
// At least `size` bytes; earlier contents are lost. NULL without memory.
void *raster_reserve(FiloRaster *raster, RasterMemory *memory, size_t size);

// False without memory.
bool raster_bin(FiloRaster *raster, const RasterSource *source, size_t quad_count, const RasterGrid *grid,
                RasterBins *bins);

typedef struct RasterPassState {
    const FiloRasterPass *pass;
    const RasterSource *source;
    const RasterKernels *kernels;
    RasterGrid grid;
    const RasterBins *bins; // NULL: every tile processes all quads
} RasterPassState;

// Draws tiles `begin` to `end`, exclusive. They are indices of bins->nonempty; of a pass that clears, or without bins,
// of the grid.
void raster_draw_tiles(size_t begin, size_t end, void *state);

#endif
