// The private parts of placement.
//
//   check.c      checks a description
//   create.c     prepares it: readers, patterns, programs
//   program.h    what the layers of a footprint compute, as a list of operations
//   axis.c       everything that depends on x alone or on y alone, for all columns or rows of an area
//   scalar.c     evaluates one candidate, as the method is written down
//   kernels.h    evaluates whole cells with vectors, for SSE2 or NEON and for AVX2; kernel_program.h runs programs
//   ecotope/     reads ecotopes, and compiles them to programs
//   texels.c     whether windows of maps have what an area needs
//   claims.c     lets objects of earlier footprints push later ones away
//   compute.c    the phases of a computation, and how they are divided; future.c runs one in the background
//   bake.c       combines the maps of a footprint
//   object.c     positions, names and variations of what was placed
//   shader/      writes the same as compute shaders, with their tables
//
// A computation has these phases, for each footprint: evaluate all candidates, which gives each a winner (a layer or
// none); apply edits; drop what earlier footprints push away. Then winners are counted by row and layer, which gives
// each row its place in the result, and written.
//
// All implementations compute with the same integers and the same floats:
//
//   position   (size · c + P) · footprint in floats, c being the cell in its block, 0 to 63
//   texel      floor((((position · (1 / world)) · width) · 256) + base: 1/256 of a texel. `base` belongs to the block, and
//              is computed in doubles
//   value      16 bits; bilinear by weights of 8 bits in integers
//   density    value · (scale / 65535) + offset in floats, clamped, rounded to 1/65536; sums are integers

#ifndef FILO_PLACEMENT_PLACEMENT_H
#define FILO_PLACEMENT_PLACEMENT_H

#include <filo/check.h>
#include <filo/placement.h>
#include <filo/scalar.h>
#include <filo/threads.h>

#include "placement/program.h"

#define PLACEMENT_ONE    65536 // the density 1
#define PLACEMENT_POINTS (FILO_PATTERN_MAX * FILO_PATTERN_MAX)
#define PLACEMENT_NAME   48
#define PLACEMENT_HEIGHT 0    // the heightmap among the maps
#define PLACEMENT_FAR    1e9f // coordinates in 1/256 of a texel are clamped to this, far outside of any map
enum { PLACEMENT_ALL_LAYERS = FILO_PLACEMENT_FOOTPRINTS * FILO_PLACEMENT_LAYERS };

// ---- Maps ---------------------------------------------------------------------------------------------------

// How texels of a map are found: maps that lie alike in memory share a reader, and their offsets are computed once.
typedef struct PlacementReader {
    FiloMapFormat format; // U8 or U16
    FiloMapFilter filter;
    int x, y, width, height;     // of the window in memory
    int full_width, full_height; // of the whole map
    size_t stride, step;
} PlacementReader;

typedef struct PlacementMap {
    char name[PLACEMENT_NAME];
    const uint8_t *data; // NULL: flat (only the heightmap)
    PlacementReader reader;
    uint16_t *owned; // the converted values of a map of floats; full_width · full_height of the window
    size_t owned_size;
} PlacementMap;

// ---- Footprints ---------------------------------------------------------------------------------------------

typedef struct PlacementLayer {
    char name[PLACEMENT_NAME];
    int map;                       // of its density, or −1: computed by a program
    float scale, offset, min, max; // scale is divided by 65535
    float radius;                  // metres; negative: none
    int32_t radius_units;          // 1/units metres; −1: none
    FiloVariation variation;
    int towards; // the map, or −1
} PlacementLayer;

typedef struct PlacementFootprint {
    char name[PLACEMENT_NAME];
    float footprint, size; // size of the pattern, in footprints
    double cell, block;    // metres
    int n, points;         // n · n
    float px[PLACEMENT_POINTS], py[PLACEMENT_POINTS];
    int32_t threshold[PLACEMENT_POINTS]; // dither matrix, in 1/65536, [y][x]
    int32_t *shifted; // the same for the cells (0, 0) to (n − 1, n − 1): [(gy · n + gx) · points + point]
    PlacementLayer layers[FILO_PLACEMENT_LAYERS];
    int layer_count;
    int first_layer;          // through all footprints
    PlacementProgram program; // of all its layers
    bool plain;               // all layers are density maps: the program has nothing else
    float reach
        [FILO_PLACEMENT_FOOTPRINTS]; // metres: how far objects of earlier footprints matter; 0: they do not
    // The maps of all layers combined: one byte a layer, `baked_words` words of four layers a texel. NULL: not baked.
    uint32_t *baked;
    size_t baked_size;
    int baked_words;
} PlacementFootprint;

struct FiloPlacement {
    const FiloAllocator *allocator;
    FiloVec3 size;
    float inverse_x, inverse_y; // 1 / size
    double corner_x, corner_y;
    float lowest, height_scale; // z = value in 1/256 · height_scale + lowest
    uint64_t seed;
    int32_t units; // a power of two: distances between footprints are measured in 1/units metres
    PlacementMap maps[FILO_PLACEMENT_MAPS + 1];
    int map_count; // at least 1: the heightmap
    PlacementFootprint footprints[FILO_PLACEMENT_FOOTPRINTS];
    int footprint_count, layer_count;
    // Memory of computations that have ended, for the next ones.
    FiloMutex lock;
    struct PlacementScratch *free_scratch;
    // Computations in the background (future.c), behind the lock too.
    struct PlacementFuture **futures;
    size_t future_count, future_capacity;
    // Objects that keep a pointer to it, and whether it is freed when the last of them releases it.
    uint32_t users;
    bool destroyed;
};

// ---- Arithmetic that all implementations share --------------------------------------------------------------

static inline int32_t placement_floor(float x) { // |x| below 2^31
    int32_t i = (int32_t)x;
    return i - ((float)i > x);
}

// To the nearest integer, ties to even; |x| up to 2^22.
static inline float placement_round(float x) {
    const float magic = 12582912.0f; // 1.5 · 2^23
    return (x + magic) - magic;
}

// A coordinate in 1/256 of a texel, of a position in a block.
static inline int32_t placement_texel(float position, float inverse, float width, int32_t base) {
    float t = ((position * inverse) * width) * 256.0f;
    t = t < -PLACEMENT_FAR ? -PLACEMENT_FAR : t > PLACEMENT_FAR ? PLACEMENT_FAR : t;
    return placement_floor(t) + base;
}

// The value of a position in a block for `c`, the cell in its block.
static inline float placement_local(float size, int c, float point, float footprint) {
    return (size * (float)c + point) * footprint;
}

// The density of a value of 16 bits, in 1/65536.
static inline int32_t placement_density(const PlacementLayer *layer, int32_t value) {
    float d = (float)value * layer->scale + layer->offset;
    d = d < layer->min ? layer->min : d;
    d = d > layer->max ? layer->max : d;
    return (int32_t)placement_round(d * 65536.0f);
}

// The block of a cell, and the cell in its block. Right shifts of negative numbers are arithmetic (gcc, clang).
static inline int32_t placement_block(int32_t cell) { return cell >> 6; }
static inline int placement_in_block(int32_t cell) { return cell & 63; }

// Where a block begins on an axis, in 1/256 of a texel of a map of `full` texels.
int32_t placement_base(double origin, double corner, float size, int full);
// The smallest float that is not below `limit − origin`: positions in the block are inside from it on.
float placement_bound(double limit, double origin);

// A position in units, rounded to a whole number. Exact within 2^52 units.
static inline double placement_units(double position, int32_t units) {
    double x = position * (double)units;
    double whole = (double)(int64_t)x;
    return whole + (double)(x - whole >= 0.5) - (double)(x - whole < -0.5);
}

// ---- Candidates one by one (scalar.c) -----------------------------------------------------------------------

// placement_base of all maps for one block: two divisions a map and candidate less.
typedef struct PlacementBases {
    const PlacementMap *maps;
    int32_t x[FILO_PLACEMENT_MAPS + 1], y[FILO_PLACEMENT_MAPS + 1];
} PlacementBases;

// A candidate with everything that sampling at it needs.
typedef struct PlacementPoint {
    float x, y;                         // in the block
    double origin_x, origin_y;          // of the block
    const struct PlacementBases *bases; // of the block; NULL: they are computed
} PlacementPoint;

PlacementPoint placement_point(const PlacementFootprint *f, int32_t cell_x, int32_t cell_y, int index);
int32_t placement_threshold(const PlacementFootprint *f, int32_t cell_x, int32_t cell_y, int index);
// The value of a map at a point: 16 bits. placement_sample_fine: with 8 more bits.
int32_t placement_sample(const FiloPlacement *p, const PlacementMap *map, PlacementPoint at);
uint32_t placement_sample_fine(const FiloPlacement *p, const PlacementMap *map, PlacementPoint at);
// The height at a point, in metres.
float placement_height_at(const FiloPlacement *p, const PlacementMap *height, PlacementPoint at);

// ---- Of other files -----------------------------------------------------------------------------------------

const PlacementLayer *placement_layer(const FiloPlacement *placement, size_t layer);
void placement_scratch_free_all(FiloPlacement *placement);
// Futures that have neither been taken nor cancelled. placement_futures_free_all waits for them.
size_t placement_futures_running(FiloPlacement *placement);
void placement_futures_free_all(FiloPlacement *placement);

#endif
