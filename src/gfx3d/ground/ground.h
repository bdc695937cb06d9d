// Terrain: how the parts of ground/ work together.
//
//   tree.c     squares: a quadtree over the heights, with the lowest and highest value of each square
//   select.c   which squares a view draws, and how their vertices blend into the next level
//   shape.c    normals and occlusion of all values, as a texture
//   query.c    heights and rays on the CPU
//   create.c   grounds by handle; writing rectangles
//   layers.c   images of layers in one texture array
//   programs.c pipelines, with the caller's shader
//   draw.c     extraction and drawing
//
// A square of level n has GFX3D_GROUND_QUADS × GFX3D_GROUND_QUADS quads of 2^n × 2^n cells, and covers exactly four squares of level
// n − 1. It is drawn by one instance of a small grid, or replaced by these four if it is near.

#ifndef FILO_GFX3D_GROUND_H
#define FILO_GFX3D_GROUND_H

#include "gfx3d/materials/materials.h"
#include "gfx3d/renderer.h"

#define GFX3D_GROUND_QUADS  16 // of a square, along a side; even
#define GFX3D_GROUND_LEVELS 16

// ---- Squares ----------------------------------------------------------------------------------------------------

typedef struct Gfx3dGroundBounds {
    uint16_t low, high;
} Gfx3dGroundBounds;

typedef struct Gfx3dGroundLevel {
    uint32_t columns, rows; // squares
    Gfx3dGroundBounds *bounds;
} Gfx3dGroundLevel;

// Where the values are in the world, too.
typedef struct Gfx3dGroundTree {
    const uint16_t *heights; // columns × rows, tightly packed
    uint32_t columns, rows;
    FiloVec3 position;
    float spacing, step_z; // units from value to value; step_z is negative if z falls with rows
    float unit;            // units of height of a value of 1
    uint32_t level_count;  // the last one has one square
    Gfx3dGroundLevel levels[GFX3D_GROUND_LEVELS];
    size_t bounds_count;
} Gfx3dGroundTree;

// Allocates and computes the bounds. False without memory, and if there are too many levels.
bool gfx3d_ground_tree_init(Gfx3dGroundTree *tree, FiloJobs *jobs, const FiloAllocator *allocator);
void gfx3d_ground_tree_deinit(Gfx3dGroundTree *tree, const FiloAllocator *allocator);
// Computes the bounds of all squares again that have a value of the rectangle.
void gfx3d_ground_tree_update(Gfx3dGroundTree *tree, FiloJobs *jobs, uint32_t column, uint32_t row,
                              uint32_t columns, uint32_t rows);
// The box of a square, in the world.
FiloAabb3 gfx3d_ground_box(const Gfx3dGroundTree *tree, uint32_t level, uint32_t column, uint32_t row);

// The position of a value. Past the end it is that of the last one.
static inline FiloVec3 gfx3d_ground_point(const Gfx3dGroundTree *tree, uint32_t column, uint32_t row) {
    column = FILO_MIN(column, tree->columns - 1), row = FILO_MIN(row, tree->rows - 1);
    return filo_vec3(tree->position.x + (float)column * tree->spacing,
                     tree->position.y +
                         (float)tree->heights[(size_t)row * tree->columns + column] * tree->unit,
                     tree->position.z + (float)row * tree->step_z);
}

// ---- Selection --------------------------------------------------------------------------------------------------

// How far each level is drawn. Distances are horizontal, apart from the height of the eye above everything, so that they
// do not depend on heights. A vertex of level n begins to move to its place in level n + 1 at `begin`, and is there at
// `end`.
typedef struct Gfx3dGroundRanges {
    FiloVec3 eye; // y: 0, or above the highest value
    uint32_t level_count;
    float begin[GFX3D_GROUND_LEVELS], end[GFX3D_GROUND_LEVELS];
} Gfx3dGroundRanges;

// A vertex of the grid, and an instance, as the vertex shader reads them.
typedef struct Gfx3dGridVertex {
    uint8_t x, z, unused[2];
} Gfx3dGridVertex;
typedef struct Gfx3dGroundSquare {
    uint16_t column, row, level, unused; // in squares of the level
    float begin, inverse;                // of the blend: 1 at begin + 1 / inverse
} Gfx3dGroundSquare;
typedef FiloArray(Gfx3dGroundSquare) GroundSquares;

// `detail`: pixels of a triangle's side, at most, where the limits of the method allow it.
Gfx3dGroundRanges gfx3d_ground_ranges(const Gfx3dGroundTree *tree, const Gfx3dView *camera, float detail);
// Adds the squares that a view sees. False without memory; some are missing then.
bool gfx3d_ground_select(const Gfx3dGroundTree *tree, const Gfx3dGroundRanges *ranges, const Gfx3dView *view,
                         GroundSquares *squares);
// What the vertex shader computes: vertex (x, z) of a square's grid, 0 to GFX3D_GROUND_QUADS.
FiloVec3 gfx3d_ground_vertex(const Gfx3dGroundTree *tree, FiloVec3 eye, const Gfx3dGroundSquare *square,
                             uint32_t x, uint32_t z);

// ---- Normals ----------------------------------------------------------------------------------------------------

#define GFX3D_GROUND_SHAPE_REACH 40 // values around one that influence its texel
#define GFX3D_GROUND_TEXEL       8  // bytes of the shape texture
// Fills `texels` with a rectangle of the shape texture, four half floats for each value: x and z of the normal, how much of the
// sky is visible, and noise.
void gfx3d_ground_shape(const Gfx3dGroundTree *tree, FiloJobs *jobs, uint32_t column, uint32_t row,
                        uint32_t columns, uint32_t rows, uint16_t *texels);

// ---- Grounds ----------------------------------------------------------------------------------------------------

typedef struct Gfx3dGroundPiece { // squares of a view
    uint32_t first, count;
} Gfx3dGroundPiece;

typedef struct Gfx3dGround {
    bool used;
    uint16_t version;    // of the handle
    FiloGroundDesc desc; // with defaults; without its data
    uint32_t layer_count;
    uint16_t *heights;
    Gfx3dGroundTree tree;
    char *shader; // a copy, or NULL
    size_t shader_size;
    FiloTexture height_texture, shape_texture, weight_texture;
    bool shape_changed; // mipmaps are made again before the next frame
    FiloPipeline pipelines[GFX3D_PASSES];
    bool values_set[GFX3D_PASSES];
    Gfx3dFileList files;    // that the caller's shader is made of
    uint64_t files_version; // when it was last tried
    FiloResult error;       // of the last text
    bool good;              // there was a text that compiles
    bool broken;            // it cannot be drawn at all: reported once
    FiloTexture images;     // an array: the images of layers
    FiloRenderTarget image_targets[FILO_GROUND_LAYERS];
    FiloTexture image_sources[FILO_GROUND_LAYERS]; // as they were copied
    FiloArray(Gfx3dGroundPiece) pieces;            // by view
    FiloGroundStats stats;
} Gfx3dGround;

struct Gfx3dGrounds {
    FiloArray(Gfx3dGround *) list; // pointers: they do not move. Slots are reused
    FiloBuffer vertices, indices;  // of the grid; the second half of the indices is for falling z
    FiloGpuRing *ring;
    FiloRingPiece piece; // squares of all grounds and views of this frame
    GroundSquares squares;
    FiloPipeline copy; // draws an image to a layer of an array
};

// NULL, and a report, for a handle that is none.
Gfx3dGround *gfx3d_ground_at(const FiloGfx3d *gfx, FiloGround ground, const char *function);
// Makes the pipelines of a ground that it does not have, and those whose shader has changed. False: it cannot be drawn.
bool gfx3d_ground_programs(FiloGfx3d *gfx, Gfx3dGround *ground);
void gfx3d_ground_free(FiloGfx3d *gfx, Gfx3dGround *ground);
// Copies images that have come or changed into the array. Outside of passes.
void gfx3d_ground_update_layers(FiloGfx3d *gfx, Gfx3dGround *ground);

#endif
