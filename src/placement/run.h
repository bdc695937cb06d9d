// A computation of one footprint: the cells of an area, tables for their columns and rows, and the winner of each candidate.
//
// Everything that sampling needs is the sum of a part that depends on the column of the cell and the point, and one that
// depends on the row and the point. Both are computed once for all columns and rows (axis.c), so that a candidate costs
// one addition a map.

#ifndef FILO_PLACEMENT_RUN_H
#define FILO_PLACEMENT_RUN_H

#include "placement/claims.h"
#include "placement/placement.h"

// Where a reader finds its texels along one axis: entries are [cell · points + point].
typedef struct PlacementAxisReader {
    int32_t *offset; // bytes from the start of the map, or of the row
    int32_t *weight; // bilinear: 0 to 256, of the texel after the one at `offset`; otherwise NULL
} PlacementAxisReader;

typedef struct PlacementAxis {
    int32_t first_cell;
    int count;
    float *position;                          // in the block
    uint8_t *inside;                          // 255 or 0: inside the area that is evaluated
    uint8_t *wanted;                          // the same for the area that was asked for
    uint8_t *all_inside;                      // of a cell: all its points are
    int32_t *units;                           // for distances between footprints; NULL if there are none
    int32_t *noise[PLACEMENT_PROGRAM_NOISES]; // coordinates for the noises of the program
    // Offset and weight of the heightmap in one number, so that one addition gives both of x and y: the offset in the low 32
    // bits, the weight of x in the next 16, that of y in the last 16. NULL if it is not blended.
    uint64_t *height;
    PlacementAxisReader *readers; // of the run
} PlacementAxis;

typedef struct PlacementRun {
    const FiloPlacement *placement;
    const PlacementFootprint *footprint;
    const PlacementMap *maps; // of the placement, or with windows
    PlacementAxis x, y;
    PlacementReader readers[FILO_PLACEMENT_MAPS + 1];
    int reader_count;
    int reader_of[FILO_PLACEMENT_MAPS + 1]; // by map; −1: not used here
    int baked_reader;                       // −1: not baked, or a window replaces a map
    PlacementClaims claims;
    uint8_t *winners; // [(row · columns + column) · points + point]
    uint32_t *counts; // [row · layers + layer]: first the count, then the index in the result
    FiloPlaced *objects;
} PlacementRun;

// ---- Phases, each for a range of rows -----------------------------------------------------------------------

// Loops for one kind of vectors. All give the same result.
typedef struct PlacementKernels {
    void (*evaluate)(const PlacementRun *run, int row, uint8_t *winners);
    // The winners of a row by layer.
    void (*count)(const PlacementRun *run, const uint8_t *winners, uint32_t *counts);
    // Writes the objects of a row; `next` has the index in the result for each layer, and is advanced.
    void (*write)(const PlacementRun *run, int row, const uint8_t *winners, uint32_t *next);
    // Executes an operation that neither samples nor is a layer, for all points of a cell. The register that it writes is
    // never one of its operands. NULL for the scalar path.
    void (*operate)(const PlacementRun *run, const PlacementOp *op, int column, int row,
                    int32_t (*registers)[PLACEMENT_POINTS]);
} PlacementKernels;

extern const PlacementKernels placement_kernels_scalar, placement_kernels_simd, placement_kernels_avx2;
// For `path`, on this processor.
const PlacementKernels *placement_kernels(FiloPlacementPath path);

// ---- Tables (axis.c) ----------------------------------------------------------------------------------------

typedef struct PlacementAxisArea {
    double lower, upper;               // to evaluate
    double wanted_lower, wanted_upper; // asked for
    double reference;                  // of distances, in metres; a whole number of units
    bool needs_units;
    bool is_y;
} PlacementAxisArea;

// Bytes for the tables of an axis with `count` cells.
size_t placement_axis_size(const PlacementRun *run, int count, bool needs_units);
// Fills the tables of run->x or run->y, whose first_cell and count are set, into `memory`.
void placement_axis_build(PlacementRun *run, const PlacementAxisArea *area, void *memory);
// Which readers the footprint needs.
void placement_run_readers(PlacementRun *run);

#endif
