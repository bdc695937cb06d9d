// The inside of a spatial index. spatial.c makes it, spatial_rebuild.c fills it, spatial_search.c looks into
// it.
//
// Space is divided into square cells; a cell is a pair of integers. The grid has width × height slots, and
// cell (x, y) is at slot ((y − bottom) & row_mask) × width + ((x − left) & column_mask), where (left,
// bottom) is the lowest cell in use. If there is a slot for every cell from there to (right, top), the masks
// are all ones. Otherwise width and height are powers of two, the masks one less, and the grid is folded:
// cells that are a multiple of the width or height apart share a slot.
//
// The items of slot p are those from ends[p − 1] to ends[p]; ends[−1] is 0. So the items of neighbouring
// cells in a row follow each other, and a search is one walk (folded: at most two) for each row of cells that
// its area touches. It never sees an item twice, because it looks at no slot twice, and whoever is at a
// slot without being in the area is passed over like others that are near but not near enough.

#ifndef FILO_ECS_SPATIAL_H
#define FILO_ECS_SPATIAL_H

#include <filo/spatial.h>

#include "ecs/world.h"

// ---- Cells ------------------------------------------------------------------------------------------------

#define ECS_CELL_LIMIT 0x1p29f // cells are numbered from −2²⁹ to 2²⁹; what lies beyond is in the last one

// The cell of a coordinate, which grows with it: never less for a larger one. That, and that all use this
// function, is what searches rely on. NaN counts as far below.
static inline int32_t ecs_spatial_cell(float coordinate, float cells_per_unit) {
    float slot = coordinate * cells_per_unit;
    slot = filo_select(slot > -ECS_CELL_LIMIT, slot, -ECS_CELL_LIMIT);
    slot = filo_select(slot < ECS_CELL_LIMIT, slot, ECS_CELL_LIMIT);
    int32_t whole = (int32_t)slot;
    return whole - (int32_t)((float)whole > slot);
}

// Whether both are finite; and the same as a mask: all ones, or 0. (The sum is exactly what the vectoriser
// understands.)
static inline bool ecs_spatial_somewhere(float x, float y) { return (x - x) + (y - y) == 0.0f; }
static inline uint32_t ecs_spatial_somewhere_mask(float x, float y) {
    return 0u - (uint32_t)ecs_spatial_somewhere(x, y);
}

typedef struct EcsSpatialGrid {
    int32_t left, right, bottom, top; // cells in use; left > right: none
    uint32_t width, height;           // slots
    uint32_t column_mask, row_mask;
    const uint32_t *ends;
} EcsSpatialGrid;

// ---- The index --------------------------------------------------------------------------------------------

// Where a number is: in which term of the query, and where in the component.
typedef struct EcsSpatialSource {
    bool wanted;
    uint32_t term;
    size_t offset, stride;
} EcsSpatialSource;

#define ECS_SPATIAL_PARTS 64  // at most, of the rows
#define ECS_SPATIAL_BANDS 512 // at most, of the slots

// Some of the rows, worked on by one thread at a time.
typedef struct EcsSpatialPart {
    size_t begin, count;
    bool failed;  // not all could be gone over
    bool outside; // some are in no cell of the grid
    int32_t left, right, bottom, top;
    float largest_radius;
    uint32_t counts[ECS_SPATIAL_BANDS +
                    1]; // of rows in each band, then where the next one goes; the last band is nowhere
} EcsSpatialPart;

// A row on its way to its slot.
typedef struct EcsSpatialRecord {
    float x, y;
    uint32_t row, slot;
} EcsSpatialRecord;

// What is kept from rebuild to rebuild, and only grows.
typedef enum EcsSpatialBlock {
    ECS_SPATIAL_GATHERED, // values of all rows, in order of the query
    ECS_SPATIAL_PART_BLOCK,
    ECS_SPATIAL_RECORDS,
    ECS_SPATIAL_ITEMS, // the result
    ECS_SPATIAL_ENDS,
    ECS_SPATIAL_BLOCKS
} EcsSpatialBlock;

typedef struct EcsSpatialMemory {
    void *memory;
    size_t size;
} EcsSpatialMemory;

// Columns of one value per row, in one block.
typedef struct EcsSpatialColumns {
    FiloEntity *entities;
    float *x, *y;
    uint32_t *numbers; // gathered: the slot of each row; items: the row of each
    float *radii;      // NULL: not wanted
    float *values[FILO_SPATIAL_VALUES];
} EcsSpatialColumns;

struct FiloSpatial {
    FiloSpatialItems items;
    EcsSpatialGrid grid;
    float cells_per_unit, cell_size;
    float largest_radius;
    size_t nowhere;
    uint64_t rebuilds;
    FiloWorld *world;
    FiloQuery *query;
    EcsSpatialSource position, radius, values[FILO_SPATIAL_VALUES];
    FiloComponent stamp;
    bool own_stamp; // it is a FiloSpatialStamp
    FiloSystemId system;
    const FiloAllocator *allocator;
    EcsSpatialMemory blocks[ECS_SPATIAL_BLOCKS];
    char name[64];
};

// False, with a report, if the running system did not say that it would. Debug builds only.
bool ecs_spatial_allowed(const FiloSpatial *spatial, FiloAccess access);

#endif
