// Extraction: from entities and instance sets to lists of instances.
//
//   extract.c     a frame: views, rows, culling, writing
//   rows.c        Gfx3dRows: the chunks of the world that have meshes, and which of them rest
//   batches.c     which mesh and material a row is drawn with: its batch
//   cull.c        which rows a view sees, and at which level of detail
//   write.c       instances to GPU memory
//   kernels.h     the loops of both over rows without parents, for two sizes of vectors
//   instances.c   sets of instances that are not entities
//   draw.c        lists → draw commands
//   views.c       cameras
//   check.c       what is probably a mistake in the world
//
// Rows are divided into blocks of a few thousand. One job culls a block: for each view it lists the visible rows and
// counts them per list (a batch at a level of detail). From these counts follows where each block writes the instances of
// each list, so the second job of a block writes them to their final location. The order of instances is the
// same on any number of threads: in a list block after block; in a block first the rows that are written without culling,
// then the others, each in the order of the world.

#ifndef FILO_GFX3D_EXTRACT_H
#define FILO_GFX3D_EXTRACT_H

#include "gfx3d/renderer.h"

#define GFX3D_NO_BATCH   UINT16_MAX
#define GFX3D_BLOCKS     64
#define GFX3D_BLOCK_ROWS 2048

// The rows of a chunk, or of a cell of an instance set.
typedef struct Gfx3dRows {
    uint32_t count;
    // Of a chunk:
    FiloChunkId chunk;
    const FiloTransform3 *transforms;
    const FiloPreviousTransform3 *previous; // NULL: there are none
    const FiloWorldTransform3 *worlds;      // NULL: no parents and children
    const FiloMesh *meshes;
    bool skinned;
    const uint32_t *entity_indices;
    // Of a cell:
    const FiloInstance *instances; // NULL: a chunk
    const struct Gfx3dInstanceSet *set;

    uint32_t extraction; // in which it was found last
    bool changed;        // a column was written since the last extraction
    bool meshes_changed;
    bool moving;   // some row moves between the previous tick and this one
    bool cached;   // `spheres` and `cache` are valid
    bool unknown;  // a row has a batch that does not exist yet
    bool blended;  // some row may have to be sorted
    bool simple;   // no row has levels of detail or a range
    bool mirrored; // some row has a scale that turns triangles over
    bool turned;   // some row without a parent had such a scale when its transform was read last, by a kernel
    bool white;    // no row has a colour or values of its own
    bool direct; // in this extraction: all rows are written without culling, because nearly all were visible
    bool filled; // `cache` is valid in this extraction, though the rows move: several views need it
    bool unresolved;                   // some row has a parent, but no world transform yet
    uint32_t drawn_rows, visible_rows; // that have a batch; of these, visible in the last extraction
    uint32_t generation;               // of the batches

    uint32_t capacity;
    uint16_t *batches;         // of each row; GFX3D_NO_BATCH: not drawn
    float *x, *y, *z, *radius; // spheres in the world
    Gfx3dInstance *cache;      // of resting chunks; NULL: none
    uint32_t cache_capacity;
    FiloVec3 centre; // of a sphere around all rows, if they are cached
    float reach;
} Gfx3dRows;

// Whether the transforms of rows are those of the world: no row has a parent.
static inline bool gfx3d_rows_are_plain(const Gfx3dRows *rows) {
    return rows->worlds == NULL && !rows->unresolved;
}

// The last 16 bytes of an instance.
typedef union Gfx3dTail {
    struct {
        FiloColor color;
        uint32_t joints;
        FiloVec2 values;
    } fields;
    float floats[4];
} Gfx3dTail;
extern const Gfx3dTail gfx3d_white_tail;

typedef struct Gfx3dVisible {
    uint32_t row;
    uint16_t rows; // index in the block
    uint16_t list;
} Gfx3dVisible;

typedef struct Gfx3dSortItem {
    uint32_t key; // depth, farthest first
    Gfx3dBlended blended;
} Gfx3dSortItem;

// What one block found for one view.
typedef struct Gfx3dBlockView {
    FiloArray(Gfx3dVisible) visible;
    FiloArray(Gfx3dSortItem) blended;
    uint32_t *counts; // per list, then the location of the next instance
    uint32_t capacity;
} Gfx3dBlockView;

typedef struct Gfx3dBlock {
    size_t first, count; // of extraction->rows
    Gfx3dBlockView *views;
    size_t view_count;
    FiloArray(float) distances; // memory for culling
    size_t rebuilt;
    bool failed; // without memory: it is not drawn
} Gfx3dBlock;

typedef struct Gfx3dDrawItem { // a part of a mesh at a level, as it is drawn
    uint32_t material, list;
    uint32_t first, count; // indices
    int32_t base_vertex;
    uint32_t variant;
    bool blended, casts_shadow;
} Gfx3dDrawItem;
typedef FiloArray(Gfx3dDrawItem) Gfx3dDrawItems;

// A cell-divided set (instances.c).
typedef struct Gfx3dInstanceSet {
    char label[64];
    uint32_t generation; // of the handle
    bool used, hidden;
    float range, fade, cell;
    FiloArray(FiloName) meshes, materials;
    FiloArray(FiloInstance) list; // sorted by cell
    FiloArray(Gfx3dRows) cells;
} Gfx3dInstanceSet;

typedef struct Gfx3dKernels Gfx3dKernels;

struct Gfx3dExtraction {
    const Gfx3dKernels *kernels;
    FiloQuery *meshes, *cameras;
    FiloQuery *unresolved; // meshes of a family without a world transform
    FiloQuery *flat;       // meshes with a FiloTransform2
    FiloSeen seen;
    uint32_t number;
    FiloArray(Gfx3dRows *) rows;          // of this extraction
    FiloArray(Gfx3dRows *) rows_by_chunk; // by FiloChunkId.index
    size_t row_sets;                      // in rows_by_chunk

    FiloArray(Gfx3dBatch) batches;
    FiloArray(uint32_t) first_lists; // of each batch
    FiloMap batch_by_key;
    uint32_t list_count;
    uint32_t generation, seen_meshes, seen_materials;
    Gfx3dDrawItems items[GFX3D_PASSES]; // sorted by key of the pass
    Gfx3dDrawItems blended_items;       // sorted by list
    FiloArray(uint32_t) first_blended;  // by list: first of blended_items
    bool items_valid;
    bool too_many; // batches, which was logged
    // What was logged about cameras.
    bool warned_camera, warned_viewport, warned_angle, warned_distances, warned_transform;
    uint32_t frames_without_camera;

    Gfx3dBlock blocks[GFX3D_BLOCKS];
    size_t block_count;
    FiloGpuRing *ring;
    FiloRingPiece piece;
    FiloArray(Gfx3dView *) spare_views;
    FiloArray(Gfx3dList) lists; // of all views
    FiloArray(Gfx3dSortItem) sorting, sorted;
    FiloArray(FiloDrawCommand) commands;
    FiloArray(Gfx3dInstanceSet) sets;
};

// ---- rows.c ----
void gfx3d_rows_find(FiloGfx3d *gfx);
void gfx3d_rows_free(FiloGfx3d *gfx, Gfx3dRows *rows);
// Memory for all rows. False without.
bool gfx3d_rows_reserve(FiloGfx3d *gfx, Gfx3dRows *rows);

// ---- batches.c ----
// The batch of a mesh, a material and flags; GFX3D_NO_BATCH if there is none yet. Any thread.
uint16_t gfx3d_batch_look_up(const Gfx3dExtraction *e, FiloName mesh, FiloName material, uint32_t flags);
// Adds it. Main. GFX3D_NO_BATCH without memory, or if there are too many.
uint16_t gfx3d_batch_add(FiloGfx3d *gfx, FiloName mesh, FiloName material, uint32_t flags);
// Finds the batches of all rows, on workers; adds new ones on main.
void gfx3d_batches_resolve(FiloGfx3d *gfx);
// Starts anew if a mesh or a material has changed.
void gfx3d_batches_update(FiloGfx3d *gfx);
// Sorts what is drawn by material, if batches were added.
void gfx3d_batches_sort_items(FiloGfx3d *gfx);

// ---- kernels.h ----

// For rows without parents.
struct Gfx3dKernels {
    // Sets x, y, z, and multiplies `radius` by the largest scale. Arrays are a multiple of 8 long.
    void (*spheres)(Gfx3dRows *rows, float blend);
    // Writes `count` visible rows, of the same chunk, to the next location of their list.
    void (*write_seen)(const FiloGfx3d *gfx, const Gfx3dRows *rows, const Gfx3dVisible *seen, size_t count,
                       uint32_t *next, Gfx3dInstance *instances);
    // Writes all rows to the next location of their list; `next` NULL: one after the other.
    void (*write_all)(const FiloGfx3d *gfx, Gfx3dRows *rows, const uint32_t *first_lists, uint32_t *next,
                      Gfx3dInstance *instances);
};
extern const Gfx3dKernels gfx3d_kernels_plain, gfx3d_kernels_avx2;
const Gfx3dKernels *gfx3d_kernels_choose(void);

// ---- cull.c, write.c ----
// Sets `centre` and `reach` from the spheres of all rows.
void gfx3d_rows_bound(Gfx3dRows *rows);
void gfx3d_cull_block(FiloGfx3d *gfx, Gfx3dBlock *block);
void gfx3d_write_block(FiloGfx3d *gfx, Gfx3dBlock *block, Gfx3dInstance *out);
// Computes the instances of all rows into their cache, which has room for them.
void gfx3d_fill_cache(const FiloGfx3d *gfx, Gfx3dRows *rows);
Gfx3dTail gfx3d_row_tail(const FiloGfx3d *gfx, const Gfx3dRows *rows, uint32_t row);
// The matrix of a row, as it is drawn.
FiloMat34 gfx3d_row_matrix(const FiloGfx3d *gfx, const Gfx3dRows *rows, uint32_t row);

// ---- instances.c ----
void gfx3d_instance_sets_deinit(FiloGfx3d *gfx);
// Adds the cells of all sets to the rows of this extraction.
void gfx3d_instance_sets_find(FiloGfx3d *gfx);
// The inverse of filo_instance_rotation.
FiloQuat gfx3d_unpack_rotation(uint32_t packed);
FiloMat34 gfx3d_instance_matrix(const FiloInstance *instance, float scale);

// ---- check.c ----
// Of debug builds: rows that were written; all meshes.
void gfx3d_check_transforms(const FiloGfx3d *gfx, const Gfx3dRows *rows);
void gfx3d_check_flat(const FiloGfx3d *gfx);

// ---- views.c ----
void gfx3d_views_find(FiloGfx3d *gfx);

#endif
