// The inside of the renderer. Who does what:
//
//   pages.c             images on pages
//   frames.c            which frame of which image lies where: a table by name
//   images.c            asks the assets for images, notices when they come, change and go
//   extract.c           chunks of the world with sprites ("parts"), and which of them are built anew
//   extract_concealed.c what is below an inactive entity
//   extract_scan.c      the layers and orders that occur in a part
//   extract_build.c     quads of a part: the hot path
//   extract_order.c     what each camera sees, ordered by layer, order and state, written to the packet
//   extract_views.c     cameras
//   batch.c             the packet and what is drawn at once, as a list of draws
//   render_cpu.c, render_gpu.c, shaders.c, target.c
//
// A frame: filo_gfx2d_extract looks at the world and makes the packet: views, segments, quads. Nothing of the
// world is touched after that. filo_gfx2d_render draws the packet.

#ifndef FILO_GFX2D_RENDERER_H
#define FILO_GFX2D_RENDERER_H

#include <filo/check.h>
#include <filo/containers.h>
#include <filo/gfx2d.h>
#include <filo/query.h>
#include <filo/raster.h>

#include "gfx2d/draw.h"
#include "gfx2d/frames.h"
#include "gfx2d/pages.h"

// ---- Frames of images (frames.c) --------------------------------------------------------------------------

// One frame as extraction needs it: one line of memory.
typedef struct FiloSpriteFrame {
    FiloFramePlace place;
    float half_width, half_height; // of the trimmed part, in units
    float centre_x, centre_y;      // of that part, from the middle of the frame, y up
    float full_width, full_height; // of the frame before trimming
    uint32_t image_and_kind;       // of its quads, as they lie there
} FiloSpriteFrame;
_Static_assert(sizeof(FiloSpriteFrame) == FILO_CACHE_LINE, "a frame is one line of memory");

// What a name stands for.
typedef struct FiloImageEntry {
    const FiloSpriteFrame *frames; // of an image that nobody has asked for yet: `unknown`
    uint16_t last;                 // the number of frames − 1
    uint16_t wanted;               // it was seen, and nobody has asked for it
    uint32_t image;                // in FiloGfx2d.images, + 1; 0: none
} FiloImageEntry;

// An image that was asked for.
typedef struct FiloImage {
    FiloName name;
    FiloAsset asset;   // {0}: added by hand
    bool counted;      // the renderer has a use of the asset
    bool present;      // it is on a page, and `frames` are its own
    uint32_t version;  // of the asset when it was last looked at
    FiloAsset picture; // the asset whose pixels they are; the same, unless it is a sheet
    FiloPageSpot spot; // of one that was added by hand
    uint16_t target;   // shows this target; 0: none
    FiloSpriteFrame *frames;
    size_t frame_count;
    uint32_t picture_version;
} FiloImage;

// ---- What is seen -----------------------------------------------------------------------------------------

typedef struct FiloView {
    FiloEntity camera;       // {0}: there is none
    FiloAffine2 to_pixels;   // from the world to pixels of the output
    FiloRect visible;        // of the world
    int x, y, width, height; // the viewport
    int16_t order;
    bool clear, snap;
    bool asks_for_clear; // the camera does; `clear` is also set for the first one of a picture
    bool first;          // of its picture
    FiloColor background;
    uint32_t target; // 0: the screen
    uint32_t hidden[8];
    // The packet:
    size_t first_segment, segment_count;
    FiloQuad *quads; // `quad_count`: in `piece`, or in FiloGfx2d.memories
    size_t quad_count;
    FiloRingPiece piece; // taken from the ring, until it is drawn
} FiloView;
typedef FiloArray(FiloQuad) FiloQuadArray;

static inline bool filo_view_hides(const FiloView *view, unsigned layer) {
    return (view->hidden[layer / 32] >> layer % 32 & 1) != 0;
}

// Quads that follow each other in the packet and are drawn alike.
typedef struct FiloSegment {
    uint8_t layer;
    bool upper;          // orders above 0; what is drawn at once in this layer comes before
    uint8_t features;    // FILO_FEATURE_…: what some of its quads need
    uint16_t state;      // shader, or FILO_STATE_TARGET + target
    size_t first, count; // quads of the view
} FiloSegment;

#define FILO_FEATURE_LINEAR 1
#define FILO_FEATURE_SHAPES 2      // quads that are no images
#define FILO_STATE_TARGET   0xC000 // states from here on show a target

#define FILO_PAGE_TARGET   0x8000 // frames of a target on the card have this + its number as their page
#define FILO_TARGET_NUMBER 0x3FFF // what of such a page is the number
static inline bool filo_page_is_target(uint16_t page) { return (page & FILO_PAGE_TARGET) != 0; }
// The state that shows such a page.
static inline uint16_t filo_page_state(uint16_t page) {
    return (uint16_t)(FILO_STATE_TARGET + (page & FILO_TARGET_NUMBER));
}

// ---- Parts (extract.c) ------------------------------------------------------------------------------------

// The place of a sprite in the order of drawing: layer, order (or place), state. Ascending.
//   bits 48 to 55   layer
//   bits 16 to 47   order + 32768 in the upper half; in layers sorted by y, the place
//   bits 0 to 15    state
typedef uint64_t FiloSortKey;

#define FILO_PART_KEYS 24 // different keys of a part that are counted; with more it is sorted
#define FILO_KEY_SLOTS 64

// What a part does in an extraction.
typedef enum FiloPartMode {
    FILO_PART_KEPT,   // its quads are as they were
    FILO_PART_STAGED, // they are built, and copied to the packet when it is known where they go
    FILO_PART_DIRECT, // they are built straight into the packet: nearly all of them are seen, so there is
                      // room for all, and what is not seen leaves an empty quad
} FiloPartMode;

// A chunk of the world with sprites. It lives as long as the chunk is there and has rows.
typedef struct FiloPart {
    FiloChunkId chunk;
    uint32_t extraction; // in which it was last found
    const FiloTransform2 *transforms;
    const FiloSprite *sprites;
    const FiloPreviousTransform2 *before; // NULL: the chunk has none
    const FiloWorldTransform2 *worlds;    // the same
    const uint32_t *indices;              // of the entities
    uint32_t rows;
    bool changed;         // since the last extraction: anything
    bool sprites_changed; // the sprites
    bool known;           // it was there before, and `moving` and `shown` say how it was
    bool moving;          // some row differs from its previous transform
    bool concealed;       // some row is below an inactive entity, and is left out
    uint32_t shown;       // rows that were seen when it was last built
    FiloPartMode mode;

    // The keys of its rows (extract_scan.c):
    bool scanned;
    bool wild; // more than FILO_PART_KEYS keys, or a layer sorted by y: `sort_keys` has one for each quad
    uint8_t features;
    uint32_t scan_generation;
    uint32_t key_count;
    FiloSortKey keys[FILO_PART_KEYS];
    uint32_t key_rows[FILO_PART_KEYS];  // rows with each
    uint64_t key_words[FILO_PART_KEYS]; // what FiloSprite says, by which rows are recognised
    uint8_t key_slots[FILO_KEY_SLOTS];  // by hash of that: number + 1

    // Quads that were built here, in the modes kept and staged:
    bool full;           // all are there, not only those that were seen
    uint32_t generation; // of the frames when they were built
    FiloQuad *quads;
    uint8_t *kinds; // the number of the key of each, if there are several
    FiloSortKey *sort_keys;
    uint32_t capacity;      // of quads and kinds; 0: none
    uint32_t sort_capacity; // of sort_keys
    uint32_t count;
    uint32_t key_sizes[FILO_PART_KEYS]; // quads with each key
    FiloRect bounds;                    // of all quads

    // For one view:
    bool inside; // all that it has is seen
    uint32_t seen_count;
    uint32_t seen_sizes[FILO_PART_KEYS]; // of each key
    uint32_t starts[FILO_PART_KEYS];     // where they go
    uint32_t sort_start;                 // its first entry to be sorted
} FiloPart;
typedef FiloArray(FiloPart *) FiloPartArray;
typedef FiloArray(FiloEntity) FiloEntityArray;

typedef struct FiloSortEntry {
    FiloSortKey key;
    uint32_t part, index;
} FiloSortEntry;

typedef struct FiloBuckets FiloBuckets; // extract_order.c

// ---- Draws (batch.c) --------------------------------------------------------------------------------------

// One draw call: quads that follow each other in one of three lists.
typedef enum FiloDrawSource { FILO_FROM_PACKET, FILO_FROM_WORLD_LIST, FILO_FROM_SCREEN_LIST } FiloDrawSource;
typedef struct FiloDrawCall {
    FiloDrawSource source;
    uint8_t features;
    uint16_t state;
    size_t first, count;
    uint32_t clip; // of filo_draw_clip_rect; 0: none
} FiloDrawCall;
typedef FiloArray(FiloDrawCall) FiloDrawCalls;

// What is drawn in one go: what has not been drawn since the extraction.
typedef struct FiloRenderPart {
    bool views;          // what cameras see; otherwise only what was drawn at once on the screen
    bool sprites;        // and with it the sprites
    bool over;           // the screen's picture is filled already
    size_t first_run;    // of what was drawn at once in the world,
    size_t first_world;  // its quads,
    size_t first_screen; // and those on the screen
} FiloRenderPart;

// Whether a view fills its viewport.
static inline bool filo_view_clears(const FiloView *view, const FiloRenderPart *part) {
    if (!part->sprites) return false;
    return part->over && view->target == 0 ? view->asks_for_clear : view->clear;
}

// What a view fills its viewport with. The picture of the screen is opaque: there, a translucent background is laid over
// the one of the renderer by the view that comes first, and over what is there by the others (filo_view_blends). In a
// target it takes the place of what is there.
static inline bool filo_view_blends(const FiloView *view, const FiloRenderPart *part) {
    return view->target == 0 && view->background.a < 255 && (!view->first || part->over);
}
static inline FiloColor filo_view_background(const FiloView *view, FiloColor behind) {
    return view->target == 0 ? filo_color_over(view->background, behind) : view->background;
}

// ---- Targets and shaders ----------------------------------------------------------------------------------

typedef struct FiloTarget2d {
    FiloName image;
    int width, height;
    FiloPixels pixels; // of the CPU
    uint16_t page;     // of its frames
    FiloTexture texture;
    FiloRenderTarget target;
} FiloTarget2d;

typedef struct FiloShader2d {
    FiloPipeline pipeline; // {0}: drawn as usual
    FiloAsset asset;       // {0}: from text
    uint32_t version;
} FiloShader2d;

// ---- The renderer -----------------------------------------------------------------------------------------

struct FiloGfx2d {
    FiloWorld *world;
    FiloJobs *jobs;
    FiloAssets *assets;
    FiloGpu *gpu;
    const FiloAllocator *allocator;
    float pixels_per_unit, units_per_pixel;
    FiloColor background;
    FiloDraw *draw;

    // Images.
    FiloPages pages;
    FiloMap pictures;                // FiloAsset → FiloPageSpot, where its pixels lie
    FiloArray(FiloPageSpot) retired; // given back at the next extraction: the packet may still show them
    FiloArray(FiloImage) images;
    FiloImageEntry *entries; // by FiloName
    uint32_t entry_count;
    bool wants; // some entry is wanted
    FiloSpriteFrame stand_in, unknown, box, white;
    FiloPageSpot stand_in_spot, white_spot;
    uint32_t generation; // counts up when any frame changes

    // Extraction.
    FiloQuery *sprites, *cameras;
    FiloQuery *stray_sprites;    // with a family and no world transform
    FiloQuery *inactive_members; // of families
    FiloBits concealed;          // by entity index: below an inactive entity (extract_concealed.c)
    FiloEntityArray concealed_list, concealed_before; // the same in a list; and in the last extraction
    bool conceals, concealed_changed; // some of these are active; others than in the last extraction are
    bool settled;                     // families are as they were when the last tick ended
    bool strays;                      // there are some: what the parents say is found out one by one
    FiloSeen seen;                    // of the sprites
    FiloPartArray parts;              // of this extraction, in the order of the world
    FiloPartArray part_by_chunk;      // by FiloChunkId.index; NULL: it had no sprites
    FiloPartArray spare_parts;        // whose chunks have gone
    size_t part_count;                // in part_by_chunk
    uint32_t extraction;              // number of the latest
    float blend;
    FiloRect region; // around all views
    bool one_view;
    uint64_t sorted_layers[4];         // bit per layer: by y
    FiloArray(FiloView) views;         // in the order of drawing
    FiloArray(FiloQuadArray) memories; // of the CPU, for each view
    FiloArray(FiloSegment) segments;
    FiloArray(FiloSortEntry) to_sort; // twice as many as there are: the second half is spare
    FiloBuckets *buckets;
    bool extracted; // there is a packet
    bool was_cut;   // it was logged that a picture was too large

    // Drawing.
    int width, height;
    FiloRaster *raster;
    FiloPixels picture; // of its own: drawn by the CPU, or read back
    FiloPixels output;  // what was drawn: that, or one that was passed in
    bool drawn;
    bool rendered;      // something, since the extraction
    FiloRenderPart due; // what is to be drawn next
    FiloDrawCalls calls;
    FiloArray(FiloQuadSpan) spans;
    FiloGpuRing *ring;
    FiloPipeline pipelines[4]; // by features
    FiloPipeline fill;         // fills viewports
    FiloArray(FiloTarget2d) targets;
    FiloArray(FiloShader2d) shaders;
    float time; // of the packet, for shaders

    FiloGfx2dStats stats;
};

// ---- frames.c ---------------------------------------------------------------------------------------------

FiloResult filo_frames_init(FiloGfx2d *gfx);
void filo_frames_deinit(FiloGfx2d *gfx);
// Makes the table large enough for all names there are. False without memory: names beyond are unknown.
bool filo_frames_cover_names(FiloGfx2d *gfx);
// The image of a name, made if need be; NULL without memory.
FiloImage *filo_frames_image(FiloGfx2d *gfx, FiloName name);
// Makes the frames of an image from those of a sheet, at a place on a page; `sheet` NULL: one frame, all of it.
bool filo_frames_set(FiloGfx2d *gfx, FiloImage *image, const FiloSheet *sheet, const FiloPageSpot *spot);
// The same for a target.
bool filo_frames_set_target(FiloGfx2d *gfx, FiloImage *image, uint16_t page, int width, int height);
// It shows the stand-in from now on.
void filo_frames_clear(FiloGfx2d *gfx, FiloImage *image);
// A frame for extraction; the stand-in for unknown names. Any thread during extraction.
static inline const FiloSpriteFrame *filo_frames_find(const FiloGfx2d *gfx, FiloName name, unsigned frame) {
    if (FILO_UNLIKELY(name.id >= gfx->entry_count)) return &gfx->stand_in;
    const FiloImageEntry *entry = &gfx->entries[name.id];
    return entry->frames + FILO_MIN(frame, (unsigned)entry->last);
}
// Notes an image that nobody has asked for. Any thread during extraction.
void filo_frames_want(FiloGfx2d *gfx, FiloName name);

// ---- images.c ---------------------------------------------------------------------------------------------

FiloResult filo_images_init(FiloGfx2d *gfx);
void filo_images_deinit(FiloGfx2d *gfx);
// Looks what has become of the images that were asked for. Main.
void filo_images_update(FiloGfx2d *gfx);
// Asks for those that were seen for the first time. True if some were there already. Main.
bool filo_images_request(FiloGfx2d *gfx);

// ---- extract*.c -------------------------------------------------------------------------------------------

FiloResult filo_extract_init(FiloGfx2d *gfx);
void filo_extract_deinit(FiloGfx2d *gfx);
void filo_extract_views(FiloGfx2d *gfx, const FiloExtract *extract);
void filo_extract_parts(FiloGfx2d *gfx);
// Finds what is concealed; then whether a part has some of it, and has to be built anew. filo_extract_is_concealed asks
// for one entity.
void filo_extract_concealed(FiloGfx2d *gfx);
void filo_extract_conceal_part(const FiloGfx2d *gfx, FiloPart *part);
static inline bool filo_extract_is_concealed(const FiloGfx2d *gfx, uint32_t index) {
    return gfx->conceals && filo_bits_test(&gfx->concealed, index);
}
// Finds the keys of the rows, and notes images that nobody has asked for. Any thread, one for a part.
void filo_extract_scan(FiloGfx2d *gfx, FiloPart *part);
// The number of the key of a sprite; it must be one of the part's. Hidden ones have none: FILO_PART_KEYS.
#define FILO_KEY_WORD                                                                                        \
    UINT64_C(0xFFFFFFFF10FF0000) // what of a sprite's second word is its key: see extract_scan.c
static inline unsigned filo_extract_kind(const FiloPart *part, uint64_t word) {
    word &= FILO_KEY_WORD;
    size_t slot = (size_t)(word * UINT64_C(0x9E3779B97F4A7C15) >> 58);
    unsigned kind;
    while ((kind = part->key_slots[slot] - 1u) < FILO_PART_KEYS && part->key_words[kind] != word)
        slot = (slot + 1) % FILO_KEY_SLOTS;
    return FILO_MIN(kind, (unsigned)FILO_PART_KEYS);
}
// The key of one sprite that shows `frame` at a height.
FiloSortKey filo_extract_key(const FiloGfx2d *gfx, const FiloSprite *sprite, const FiloSpriteFrame *frame,
                             float y);
// Builds the quads of a part here: all of them (part->full), or those in gfx->region. Any thread.
void filo_extract_build(FiloGfx2d *gfx, FiloPart *part);
// The same straight into the quads of a view, from part->starts on.
void filo_extract_build_direct(FiloGfx2d *gfx, FiloPart *part, FiloQuad *quads);
// Makes the segments and quads of a view.
void filo_extract_order(FiloGfx2d *gfx, FiloView *view);
void filo_extract_order_deinit(FiloGfx2d *gfx);
// All has been written into what the packet holds of the ring.
void filo_extract_done(FiloGfx2d *gfx);
// Memory for the quads of a view, in the ring or not. False without.
bool filo_extract_take(FiloGfx2d *gfx, FiloView *view, size_t count);
// Calls `function` for ranges of 0 to `count`, on the workers if there are any.
void filo_extract_for(FiloGfx2d *gfx, size_t count, FiloRangeFunction function, void *user);

// ---- batch.c ----------------------------------------------------------------------------------------------

// All draws of a view, in order, with what was drawn at once in its layers. False without memory: some are
// left out.
bool filo_batch_view(FiloGfx2d *gfx, const FiloView *view, const FiloRenderPart *part, FiloDrawCalls *calls);
// What was drawn at once on the screen.
bool filo_batch_screen(FiloGfx2d *gfx, const FiloRenderPart *part, FiloDrawCalls *calls);
// The pixels that calls with a clip may touch, inside of a view, or (NULL) of the screen. False if there are none.
typedef struct FiloArea {
    int x, y, width, height;
} FiloArea;
bool filo_batch_area(const FiloGfx2d *gfx, const FiloView *view, uint32_t clip, FiloArea *area);

// ---- render_cpu.c, render_gpu.c, target.c, shaders.c ------------------------------------------------------

FiloResult filo_render_cpu_init(FiloGfx2d *gfx);
void filo_render_cpu_deinit(FiloGfx2d *gfx);
// Into gfx->output. False without memory.
bool filo_render_cpu(FiloGfx2d *gfx, const FiloRenderPart *part);
FiloResult filo_render_gpu_init(FiloGfx2d *gfx);
void filo_render_gpu_deinit(FiloGfx2d *gfx);
bool filo_render_gpu(FiloGfx2d *gfx, const FiloRenderPart *part);
// Reads what was drawn into gfx->picture.
FiloResult filo_render_gpu_read(FiloGfx2d *gfx);
void filo_targets_deinit(FiloGfx2d *gfx);
// A pipeline for quads with these features; `custom`: with a function "sprite" of the game's own.
FiloResult filo_shaders_make(FiloPipeline *pipeline, FiloGfx2d *gfx, const char *label, unsigned features,
                             const char *custom, FiloBlend blend);
// Takes over shaders that were loaded, or loaded again.
void filo_shaders_update(FiloGfx2d *gfx);
void filo_shaders_deinit(FiloGfx2d *gfx);

#endif
