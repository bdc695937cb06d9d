// The inside of a spatial index: spatial.c creates it, rebuild.c fills it, search.c and nearest.c search it.
//
// The plane is divided into square cells; a cell is a pair of integers. The grid has width × height slots. Cell (x, y) has
// the slot ((y − bottom) & row_mask) × width + ((x − left) & column_mask), where (left, bottom) is the lowest cell in use.
// If there is a slot for every cell from there to (right, top), the masks are all ones. Otherwise width and height are
// powers of two, the masks one less, and the grid is folded: cells that are a multiple of the width or height apart share
// a slot.
//
// Space is divided into cubes, and the grid has depth layers of width × height slots. Cell (x, y, z) is in the layer
// (z − front) & layer_mask. A grid of the plane has one layer.
//
// The items of slot p are those from ends[p − 1] to ends[p]; ends[−1] is 0. So the items of neighbouring cells in a row are
// contiguous, and a search is one walk (folded: at most two) for each row of cells that its area overlaps. A search visits
// no slot twice, so it finds no item twice. Items of other cells in a shared slot fail the test of distance like any item
// that is too far away.
//
// Functions for the plane and for space are one source where they differ little: SPATIAL_INLINE functions with a constant
// parameter `space`, of which the compiler makes one copy for each.

#ifndef FILO_SPATIAL_SPATIAL_H
#define FILO_SPATIAL_SPATIAL_H

#include <filo/check.h>
#include <filo/spatial.h>

#include <string.h>

#define SPATIAL_INLINE __attribute__((always_inline)) static inline

// ---- Cells ------------------------------------------------------------------------------------------------

#define SPATIAL_CELL_LIMIT                                                                                   \
    0x1p29f // cells are numbered from −2²⁹ to 2²⁹; anything beyond is in the outermost cell

// The cell of a coordinate: monotonic, so that a larger coordinate never has a lower cell. Searches rely on that, and on
// this being the only such function. NaN gives the lowest cell.
static inline int32_t spatial_cell(float coordinate, float cells_per_unit) {
    float cell = coordinate * cells_per_unit;
    cell = filo_select(cell > -SPATIAL_CELL_LIMIT, cell, -SPATIAL_CELL_LIMIT);
    cell = filo_select(cell < SPATIAL_CELL_LIMIT, cell, SPATIAL_CELL_LIMIT);
    int32_t whole = (int32_t)cell;
    return whole - (int32_t)((float)whole > cell);
}

// Whether both are finite; and the same as a mask: all ones, or 0. In this form the compiler vectorises it.
static inline bool spatial_finite(float x, float y) { return (x - x) + (y - y) == 0.0f; }
static inline uint32_t spatial_finite_mask(float x, float y) { return 0u - (uint32_t)spatial_finite(x, y); }

static inline bool spatial_finite3(float x, float y, float z) { return (x - x) + (y - y) + (z - z) == 0.0f; }
static inline uint32_t spatial_finite_mask3(float x, float y, float z) {
    return 0u - (uint32_t)spatial_finite3(x, y, z);
}

// Cells from the lowest to the highest; left > right: none. In the plane, front and back are 0.
typedef struct SpatialRange {
    int32_t left, right, bottom, top, front, back;
} SpatialRange;

typedef struct SpatialGrid {
    SpatialRange used;
    uint32_t width, height, depth; // slots
    uint32_t column_mask, row_mask, layer_mask;
    const uint32_t *ends;
} SpatialGrid;

// ---- The index --------------------------------------------------------------------------------------------

// Where a number comes from: a term of the query, and an offset in the component.
typedef struct SpatialSource {
    bool wanted;
    uint32_t term;
    size_t offset, stride;
} SpatialSource;

#define SPATIAL_PARTS 64  // at most, of the rows
#define SPATIAL_BANDS 512 // at most, of the slots

// Some of the rows, worked on by one thread at a time.
typedef struct SpatialPart {
    size_t begin, count;
    bool outside; // some rows are in no cell of the grid
    SpatialRange range;
    float largest_radius;
    // Rows in each band, then the index of the next record in each. The last band is of rows without a finite position.
    uint32_t counts[SPATIAL_BANDS + 1];
} SpatialPart;

// A row that is sorted into its slot.
typedef struct SpatialRecord {
    float x, y;
    uint32_t row, slot;
} SpatialRecord;

// Memory that is reused by the next rebuild, and only grows.
typedef enum SpatialBlock {
    SPATIAL_GATHERED, // values of all rows, in order of the query
    SPATIAL_PART_BLOCK,
    SPATIAL_RECORDS,
    SPATIAL_ITEMS, // the result
    SPATIAL_ENDS,
    SPATIAL_BLOCKS
} SpatialBlock;

typedef struct SpatialMemory {
    void *memory;
    size_t size;
} SpatialMemory;

// Columns of one value per row, in one block.
typedef struct SpatialColumns {
    FiloEntity *entities;
    float *x, *y;
    float *z;          // NULL in the plane
    uint32_t *numbers; // gathered: the slot of each row; items: the row of each
    float *radii;      // NULL: not wanted
    float *values[FILO_SPATIAL_VALUES];
} SpatialColumns;

struct FiloSpatial {
    FiloSpatialItems items;
    SpatialGrid grid;
    bool space; // three dimensions
    float cells_per_unit, cell_size;
    float largest_radius;
    size_t nowhere;
    uint64_t rebuilds;
    FiloWorld *world;
    FiloQuery *query;
    SpatialSource position, radius, values[FILO_SPATIAL_VALUES];
    FiloComponent stamp;
    bool own_stamp;      // it is a FiloSpatialStamp
    FiloQueryDesc terms; // of the query
    FiloSystemId system;
    const FiloAllocator *allocator;
    SpatialMemory blocks[SPATIAL_BLOCKS];
    char name[64];
};

// False, with a report, if the running system did not declare this access to the stamp. Only debug builds check reading.
bool spatial_allowed(const FiloSpatial *spatial, FiloAccess access);

// The checks of functions that search in the plane or in space. False, with a report, after a mistake.
static inline bool spatial_may_search(const FiloSpatial *spatial, bool space) {
    return FILO_CHECK(spatial != NULL, "pass the index that filo_spatial_create made") &&
           FILO_CHECK(spatial->space == space, "%s is an index of %s: search it by filo_spatial_%s",
                      spatial->name, space ? "the plane" : "space",
                      space ? "circle, _rect and _nearest" : "sphere, _box and _nearest3") &&
           FILO_CHECK_MADE(
               spatial->rebuilds > 0,
               "%s was never rebuilt, so nothing is found: call filo_spatial_rebuild before the search, or "
               "add filo_spatial_system_add before the systems that search",
               spatial->name) &&
           spatial_allowed(spatial, FILO_ACCESS_READ);
}

#endif
