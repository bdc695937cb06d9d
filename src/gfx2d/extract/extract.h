// Extraction: sprites of the world become the packet, which is what a frame draws: views, segments and quads.
//
//   extract.c      finds the chunks with sprites ("parts"), and decides which of them are built again
//   concealed.c    sprites below an inactive entity
//   sort_keys.c    counts the layers, orders and states that occur in a part
//   build_quads.c  makes a quad of each sprite: the hot path
//   batches.c      quads of other modules, which are ordered with the sprites
//   order.c        orders the quads that a view sees, and writes them to the packet
//   views.c        cameras
//
// Each step uses all workers. Nothing of the world is read after the extraction.

#ifndef FILO_GFX2D_EXTRACT_H
#define FILO_GFX2D_EXTRACT_H

#include <filo/containers.h>
#include <filo/gfx2d.h>
#include <filo/query.h>
#include <filo/raster.h>

#include "gfx2d/images/images.h"

// ---- The packet -------------------------------------------------------------------------------------------

// What one camera sees.
typedef struct Gfx2dView {
    FiloEntity camera;       // {0}: the world has no camera
    FiloAffine2 to_pixels;   // from the world to pixels of the output
    FiloRect visible;        // of the world
    int x, y, width, height; // the viewport
    int16_t order;
    bool snap;          // to whole pixels
    bool first;         // view of its picture
    bool clear;         // the camera says so, or it is the first of its picture
    bool camera_clears; // the camera says so
    FiloColor background;
    uint32_t target; // 0: the screen
    uint32_t hidden[8];
    size_t first_segment, segment_count;
    FiloQuad *quads; // in `piece`, or in FiloGfx2d.view_quads
    size_t quad_count;
    FiloRingPiece piece; // taken from the ring until it is drawn
} Gfx2dView;
typedef FiloArray(FiloQuad) Gfx2dQuadArray;

static inline bool gfx2d_view_hides(const Gfx2dView *view, unsigned layer) {
    return (view->hidden[layer / 32] >> layer % 32 & 1) != 0;
}

// Consecutive quads of a view that have the same layer and state.
typedef struct Gfx2dSegment {
    uint8_t layer;
    bool upper;          // orders above 0: drawn after the immediate quads of the layer
    uint8_t features;    // GFX2D_FEATURE_…: what some of its quads need
    uint16_t state;      // shader, or GFX2D_STATE_TARGET + target
    size_t first, count; // quads of the view
} Gfx2dSegment;

#define GFX2D_FEATURE_LINEAR   1
#define GFX2D_FEATURE_SHAPES   2      // quads that are no images
#define GFX2D_FEATURE_DISTANCE 4      // distance fields; such a pipeline has the other two as well
#define GFX2D_STATE_GLYPHS     0xBFFF // quads of other modules: drawn apart, so that sprites keep their pipeline
#define GFX2D_STATE_TARGET     0xC000 // states from here on show a target

#define GFX2D_PAGE_TARGET 0x8000 // frames of a target on the GPU have this + its number as their page
#define GFX2D_TARGET_MASK 0x3FFF // the bits of such a page that are the number
static inline bool gfx2d_page_is_target(uint16_t page) { return (page & GFX2D_PAGE_TARGET) != 0; }
// The state that shows such a page.
static inline uint16_t gfx2d_page_state(uint16_t page) {
    return (uint16_t)(GFX2D_STATE_TARGET + (page & GFX2D_TARGET_MASK));
}

// ---- Parts ------------------------------------------------------------------------------------------------

// Position of a sprite in the order of drawing, ascending.
//   bits 48 to 55   layer
//   bits 16 to 47   order + 32768 in the upper 16; in layers sorted by y, the height
//   bits 0 to 15    state
typedef uint64_t Gfx2dSortKey;

#define GFX2D_PART_KEYS 24 // different keys of a part that are counted; with more it is unsorted
#define GFX2D_KEY_SLOTS 64

// What an extraction does with a part.
typedef enum Gfx2dPartMode {
    GFX2D_PART_CACHED, // its quads have not changed since they were built
    GFX2D_PART_STAGED, // its quads are built in memory of its own, and copied to the packet when their order is known
    GFX2D_PART_DIRECT, // its quads are built in the packet, which has memory for all, since nearly all are visible. A quad
                       // that is not visible leaves an empty one
} Gfx2dPartMode;

// A chunk of the world with sprites. It exists as long as the chunk does and has rows.
typedef struct Gfx2dPart {
    FiloChunkId chunk;
    uint32_t extraction; // the last one that found the chunk
    const FiloTransform2 *transforms;
    const FiloSprite *sprites;
    const FiloPreviousTransform2 *previous;      // NULL: the chunk has none
    const FiloWorldTransform2 *world_transforms; // NULL: the chunk has none
    const uint32_t *entity_indices;
    uint32_t rows;
    bool changed;          // any column, since the last extraction
    bool sprites_changed;  // the sprites, since the last extraction
    bool was_built;        // it was built in an earlier extraction, which set `moving` and `visible_rows`
    bool moving;           // some row differs from its previous transform
    bool concealed;        // some row is below an inactive entity, and is left out
    uint32_t visible_rows; // when it was last built
    Gfx2dPartMode mode;

    // The keys of its rows (sort_keys.c):
    bool keys_counted;
    bool unsorted; // too many keys, or a layer sorted by y: `sort_keys` has the key of each quad
    uint8_t features;
    uint32_t key_generation; // FiloGfx2d.generation when they were counted
    uint32_t key_count;
    Gfx2dSortKey keys[GFX2D_PART_KEYS];
    uint32_t key_rows[GFX2D_PART_KEYS];  // rows with each key
    uint64_t key_words[GFX2D_PART_KEYS]; // bits of FiloSprite in GFX2D_KEY_MASK, by which rows find their key
    uint8_t key_slots[GFX2D_KEY_SLOTS];  // hash table of key_words: index + 1

    // Quads of a part that is cached or staged:
    bool full;           // of all rows, not only of those that were visible
    bool borrowed;       // a batch: the quads belong to another module, and are not snapped to pixels
    uint32_t version;    // of a batch
    uint32_t generation; // FiloGfx2d.generation when they were built
    FiloQuad *quads;
    uint8_t *key_indices; // the key of each quad, if there are several keys
    Gfx2dSortKey *sort_keys;
    uint32_t capacity;      // of quads and key_indices
    uint32_t sort_capacity; // of sort_keys
    uint32_t count;
    uint32_t key_sizes[GFX2D_PART_KEYS]; // quads with each key
    FiloRect bounds;                     // of all quads

    // For the view that is being ordered:
    bool inside; // the view sees all of its quads
    uint32_t visible_count;
    uint32_t visible_sizes[GFX2D_PART_KEYS]; // visible quads with each key
    uint32_t starts[GFX2D_PART_KEYS];        // index in the packet of the first quad with each key
    uint32_t sort_start;                     // index in FiloGfx2d.to_sort of its first entry
} Gfx2dPart;
typedef FiloArray(Gfx2dPart *) Gfx2dPartArray;

typedef struct Gfx2dSortEntry {
    Gfx2dSortKey key;
    uint32_t part, index;
} Gfx2dSortEntry;

typedef struct Gfx2dBuckets Gfx2dBuckets; // order.c

// ---- extract.c --------------------------------------------------------------------------------------------

FiloResult gfx2d_extract_init(FiloGfx2d *gfx);
void gfx2d_extract_deinit(FiloGfx2d *gfx);
// Finds the parts, and builds those that are staged.
void gfx2d_extract_parts(FiloGfx2d *gfx);
// Memory for the quads of a view, in the ring if there is a GPU. False without.
bool gfx2d_extract_alloc_quads(FiloGfx2d *gfx, Gfx2dView *view, size_t count);
// Hands the quads of the packet to the GPU. Nothing is written to them any more.
void gfx2d_extract_end_writes(FiloGfx2d *gfx);
// Calls `function` for ranges of 0 to `count`, on the workers if there are any.
void gfx2d_extract_for(FiloGfx2d *gfx, size_t count, FiloRangeFunction function, void *user);

// ---- views.c, concealed.c ---------------------------------------------------------------------------------

void gfx2d_extract_views(FiloGfx2d *gfx, const FiloExtract *extract);
// Finds all entities below inactive ones.
void gfx2d_extract_concealed(FiloGfx2d *gfx);
// Sets part->concealed; and part->changed, if other rows are concealed than in the last extraction.
void gfx2d_extract_conceal_part(const FiloGfx2d *gfx, Gfx2dPart *part);

// ---- sort_keys.c ------------------------------------------------------------------------------------------

// Counts the keys of a part, and marks images that were never requested. Any thread, one for each part.
void gfx2d_extract_count_keys(FiloGfx2d *gfx, Gfx2dPart *part);
// The bits of a sprite's second 8 bytes that make its key: hidden, layer, order, shader.
#define GFX2D_KEY_MASK UINT64_C(0xFFFFFFFF10FF0000)
static inline size_t gfx2d_extract_key_slot(uint64_t word) {
    return (size_t)(word * UINT64_C(0x9E3779B97F4A7C15) >> 58);
}
// Index of the key of a sprite, from its second 8 bytes; GFX2D_PART_KEYS if it is hidden.
static inline unsigned gfx2d_extract_key_index(const Gfx2dPart *part, uint64_t word) {
    word &= GFX2D_KEY_MASK;
    size_t slot = gfx2d_extract_key_slot(word);
    unsigned index;
    while ((index = part->key_slots[slot] - 1u) < GFX2D_PART_KEYS && part->key_words[index] != word)
        slot = (slot + 1) % GFX2D_KEY_SLOTS;
    return FILO_MIN(index, (unsigned)GFX2D_PART_KEYS);
}
// The key of quads that are not sorted by y, and whether a layer is; the key of one at height `y` there.
Gfx2dSortKey gfx2d_extract_plain_key(uint8_t layer, int16_t order, uint16_t state);
bool gfx2d_extract_sorted_by_y(const FiloGfx2d *gfx, uint8_t layer);
Gfx2dSortKey gfx2d_extract_key_at(Gfx2dSortKey key, float y);
// The key of a sprite at height `y`.
Gfx2dSortKey gfx2d_extract_sort_key(const FiloGfx2d *gfx, const FiloSprite *sprite,
                                    const Gfx2dSpriteFrame *frame, float y);

// ---- build_quads.c ----------------------------------------------------------------------------------------

// Builds the quads of a staged part: all of them (part->full), or those in gfx->region. Any thread.
void gfx2d_extract_build(FiloGfx2d *gfx, Gfx2dPart *part);
// Builds those of a direct part: into the quads of a view, from part->starts on. Any thread.
void gfx2d_extract_build_direct(FiloGfx2d *gfx, Gfx2dPart *part, FiloQuad *quads);

// ---- batches.c --------------------------------------------------------------------------------------------

// Calls the sources, and adds their batches to the parts.
void gfx2d_extract_batches(FiloGfx2d *gfx, const FiloExtract *extract);
void gfx2d_extract_batches_deinit(FiloGfx2d *gfx);

// ---- order.c ----------------------------------------------------------------------------------------------

// Makes the segments and quads of a view.
void gfx2d_extract_order(FiloGfx2d *gfx, Gfx2dView *view);
void gfx2d_extract_order_deinit(FiloGfx2d *gfx);

#endif
