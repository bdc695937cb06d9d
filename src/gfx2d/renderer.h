// The inside of the renderer. Who does what:
//
//   renderer.c            creating, destroying and drawing
//   module.c              the renderer as a module of an app
//   images/pages.c        atlas pages: the pictures that all images lie on
//   images/frames.c       a table from the name of an image to its frames on the pages
//   images/images.c       asks the assets for images, notices when they come, change and go
//   extract/extract.c     chunks of the world with sprites ("parts"), and which of them are built anew
//   extract/concealed.c   what is below an inactive entity
//   extract/sort_keys.c   the layers and orders that occur in a part
//   extract/build_quads.c sprites become quads: the hot path
//   extract/order.c       what each camera sees, ordered by layer, order and state, written to the packet
//   extract/views.c       cameras
//   draw/                 drawing at once
//   render/batch.c        the packet and what is drawn at once, as a list of draws
//   render/               drawing these with the CPU or the GPU, shaders, targets
//   systems/              components and systems of sprites, animations and cameras
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

#include "gfx2d/draw/draw.h"
#include "gfx2d/images/frames.h"
#include "gfx2d/images/pages.h"

// ---- Frames of images (frames.c) --------------------------------------------------------------------------

// One frame as extraction needs it: one line of memory.
typedef struct Gfx2dSpriteFrame {
    Gfx2dFramePlace place;
    float half_width, half_height; // of the trimmed part, in units
    float centre_x, centre_y;      // of that part, from the middle of the frame, y up
    float full_width, full_height; // of the frame before trimming
    uint32_t image_and_kind;       // of its quads, as they lie there
} Gfx2dSpriteFrame;
_Static_assert(sizeof(Gfx2dSpriteFrame) == FILO_CACHE_LINE, "a frame is one line of memory");

// What a name stands for.
typedef struct Gfx2dImageEntry {
    const Gfx2dSpriteFrame *frames; // of an image that nobody has asked for yet: `unknown`
    uint16_t last;                  // the number of frames − 1
    uint16_t wanted;                // it was seen, and nobody has asked for it
    uint32_t image;                 // in FiloGfx2d.images, + 1; 0: none
} Gfx2dImageEntry;

// An image that was asked for.
typedef struct Gfx2dImage {
    FiloName name;
    FiloAsset asset;    // {0}: added by hand
    bool counted;       // the renderer has a use of the asset
    bool present;       // it is on a page, and `frames` are its own
    uint32_t version;   // of the asset when it was last looked at
    FiloAsset picture;  // the asset whose pixels they are; the same, unless it is a sheet
    Gfx2dPageSpot spot; // of one that was added by hand
    uint16_t target;    // shows this target; 0: none
    Gfx2dSpriteFrame *frames;
    size_t frame_count;
    uint32_t picture_version;
} Gfx2dImage;

// ---- What is seen -----------------------------------------------------------------------------------------

typedef struct Gfx2dView {
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
} Gfx2dView;
typedef FiloArray(FiloQuad) Gfx2dQuadArray;

static inline bool gfx2d_view_hides(const Gfx2dView *view, unsigned layer) {
    return (view->hidden[layer / 32] >> layer % 32 & 1) != 0;
}

// Quads that follow each other in the packet and are drawn alike.
typedef struct Gfx2dSegment {
    uint8_t layer;
    bool upper;          // orders above 0; what is drawn at once in this layer comes before
    uint8_t features;    // GFX2D_FEATURE_…: what some of its quads need
    uint16_t state;      // shader, or GFX2D_STATE_TARGET + target
    size_t first, count; // quads of the view
} Gfx2dSegment;

#define GFX2D_FEATURE_LINEAR 1
#define GFX2D_FEATURE_SHAPES 2      // quads that are no images
#define GFX2D_STATE_TARGET   0xC000 // states from here on show a target

#define GFX2D_PAGE_TARGET   0x8000 // frames of a target on the card have this + its number as their page
#define GFX2D_TARGET_NUMBER 0x3FFF // what of such a page is the number
static inline bool gfx2d_page_is_target(uint16_t page) { return (page & GFX2D_PAGE_TARGET) != 0; }
// The state that shows such a page.
static inline uint16_t gfx2d_page_state(uint16_t page) {
    return (uint16_t)(GFX2D_STATE_TARGET + (page & GFX2D_TARGET_NUMBER));
}

// ---- Parts (extract.c) ------------------------------------------------------------------------------------

// The place of a sprite in the order of drawing: layer, order (or place), state. Ascending.
//   bits 48 to 55   layer
//   bits 16 to 47   order + 32768 in the upper half; in layers sorted by y, the place
//   bits 0 to 15    state
typedef uint64_t Gfx2dSortKey;

#define GFX2D_PART_KEYS 24 // different keys of a part that are counted; with more it is sorted
#define GFX2D_KEY_SLOTS 64

// What a part does in an extraction.
typedef enum Gfx2dPartMode {
    GFX2D_PART_KEPT,   // its quads are as they were
    GFX2D_PART_STAGED, // they are built, and copied to the packet when it is known where they go
    GFX2D_PART_DIRECT, // they are built straight into the packet: nearly all of them are seen, so there is
                       // room for all, and what is not seen leaves an empty quad
} Gfx2dPartMode;

// A chunk of the world with sprites. It lives as long as the chunk is there and has rows.
typedef struct Gfx2dPart {
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
    Gfx2dPartMode mode;

    // The keys of its rows (extract/sort_keys.c):
    bool scanned;
    bool wild; // more than GFX2D_PART_KEYS keys, or a layer sorted by y: `sort_keys` has one for each quad
    uint8_t features;
    uint32_t scan_generation;
    uint32_t key_count;
    Gfx2dSortKey keys[GFX2D_PART_KEYS];
    uint32_t key_rows[GFX2D_PART_KEYS];  // rows with each
    uint64_t key_words[GFX2D_PART_KEYS]; // what FiloSprite says, by which rows are recognised
    uint8_t key_slots[GFX2D_KEY_SLOTS];  // by hash of that: number + 1

    // Quads that were built here, in the modes kept and staged:
    bool full;           // all are there, not only those that were seen
    uint32_t generation; // of the frames when they were built
    FiloQuad *quads;
    uint8_t *kinds; // the number of the key of each, if there are several
    Gfx2dSortKey *sort_keys;
    uint32_t capacity;      // of quads and kinds; 0: none
    uint32_t sort_capacity; // of sort_keys
    uint32_t count;
    uint32_t key_sizes[GFX2D_PART_KEYS]; // quads with each key
    FiloRect bounds;                     // of all quads

    // For one view:
    bool inside; // all that it has is seen
    uint32_t seen_count;
    uint32_t seen_sizes[GFX2D_PART_KEYS]; // of each key
    uint32_t starts[GFX2D_PART_KEYS];     // where they go
    uint32_t sort_start;                  // its first entry to be sorted
} Gfx2dPart;
typedef FiloArray(Gfx2dPart *) Gfx2dPartArray;
typedef FiloArray(FiloEntity) Gfx2dEntityArray;

typedef struct Gfx2dSortEntry {
    Gfx2dSortKey key;
    uint32_t part, index;
} Gfx2dSortEntry;

typedef struct Gfx2dBuckets Gfx2dBuckets; // extract/order.c

// ---- Draws (batch.c) --------------------------------------------------------------------------------------

// One draw call: quads that follow each other in one of three lists.
typedef enum Gfx2dDrawSource {
    GFX2D_FROM_PACKET,
    GFX2D_FROM_WORLD_LIST,
    GFX2D_FROM_SCREEN_LIST
} Gfx2dDrawSource;
typedef struct Gfx2dDrawCall {
    Gfx2dDrawSource source;
    uint8_t features;
    uint16_t state;
    size_t first, count;
    uint32_t clip; // of gfx2d_draw_clip_rect; 0: none
} Gfx2dDrawCall;
typedef FiloArray(Gfx2dDrawCall) Gfx2dDrawCalls;

// What is drawn in one go: what has not been drawn since the extraction.
typedef struct Gfx2dRenderPart {
    bool views;          // what cameras see; otherwise only what was drawn at once on the screen
    bool sprites;        // and with it the sprites
    bool over;           // the screen's picture is filled already
    size_t first_run;    // of what was drawn at once in the world,
    size_t first_world;  // its quads,
    size_t first_screen; // and those on the screen
} Gfx2dRenderPart;

// Whether a view fills its viewport.
static inline bool gfx2d_view_clears(const Gfx2dView *view, const Gfx2dRenderPart *part) {
    if (!part->sprites) return false;
    return part->over && view->target == 0 ? view->asks_for_clear : view->clear;
}

// What a view fills its viewport with. The picture of the screen is opaque: there, a translucent background is laid over
// the one of the renderer by the view that comes first, and over what is there by the others (gfx2d_view_blends). In a
// target it takes the place of what is there.
static inline bool gfx2d_view_blends(const Gfx2dView *view, const Gfx2dRenderPart *part) {
    return view->target == 0 && view->background.a < 255 && (!view->first || part->over);
}
static inline FiloColor gfx2d_view_background(const Gfx2dView *view, FiloColor behind) {
    return view->target == 0 ? filo_color_over(view->background, behind) : view->background;
}

// ---- Targets and shaders ----------------------------------------------------------------------------------

typedef struct Gfx2dTarget2d {
    FiloName image;
    int width, height;
    FiloPixels pixels; // of the CPU
    uint16_t page;     // of its frames
    FiloTexture texture;
    FiloRenderTarget target;
} Gfx2dTarget2d;

typedef struct Gfx2dShader2d {
    FiloPipeline pipeline; // {0}: drawn as usual
    FiloAsset asset;       // {0}: from text
    uint32_t version;
} Gfx2dShader2d;

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
    Gfx2dPages pages;
    FiloMap pictures;                 // FiloAsset → Gfx2dPageSpot, where its pixels lie
    FiloArray(Gfx2dPageSpot) retired; // given back at the next extraction: the packet may still show them
    FiloArray(Gfx2dImage) images;
    Gfx2dImageEntry *entries; // by FiloName
    uint32_t entry_count;
    bool wants; // some entry is wanted
    Gfx2dSpriteFrame placeholder, unknown, box, white;
    Gfx2dPageSpot placeholder_spot, white_spot;
    uint32_t generation; // counts up when any frame changes

    // Extraction.
    FiloQuery *sprites, *cameras;
    FiloQuery *stray_sprites;    // with a family and no world transform
    FiloQuery *inactive_members; // of families
    FiloBits concealed;          // by entity index: below an inactive entity (extract/concealed.c)
    Gfx2dEntityArray concealed_list, concealed_before; // the same in a list; and in the last extraction
    bool conceals, concealed_changed; // some of these are active; others than in the last extraction are
    bool settled;                     // families are as they were when the last tick ended
    bool strays;                      // there are some: what the parents say is found out one by one
    FiloSeen seen;                    // of the sprites
    Gfx2dPartArray parts;             // of this extraction, in the order of the world
    Gfx2dPartArray part_by_chunk;     // by FiloChunkId.index; NULL: it had no sprites
    Gfx2dPartArray spare_parts;       // whose chunks have gone
    size_t part_count;                // in part_by_chunk
    uint32_t extraction;              // number of the latest
    float blend;
    FiloRect region; // around all views
    bool one_view;
    uint64_t sorted_layers[4];          // bit per layer: by y
    FiloArray(Gfx2dView) views;         // in the order of drawing
    FiloArray(Gfx2dQuadArray) memories; // of the CPU, for each view
    FiloArray(Gfx2dSegment) segments;
    FiloArray(Gfx2dSortEntry) to_sort; // twice as many as there are: the second half is spare
    Gfx2dBuckets *buckets;
    bool extracted; // there is a packet
    bool was_cut;   // it was logged that a picture was too large

    // Drawing.
    int width, height;
    FiloRaster *raster;
    FiloPixels picture; // of its own: drawn by the CPU, or read back
    FiloPixels output;  // what was drawn: that, or one that was passed in
    bool drawn;
    bool rendered;       // something, since the extraction
    Gfx2dRenderPart due; // what is to be drawn next
    Gfx2dDrawCalls calls;
    FiloArray(FiloQuadSpan) spans;
    FiloGpuRing *ring;
    FiloPipeline pipelines[4]; // by features
    FiloPipeline fill;         // fills viewports
    FiloArray(Gfx2dTarget2d) targets;
    FiloArray(Gfx2dShader2d) shaders;
    float time; // of the packet, for shaders

    FiloGfx2dStats stats;
};

// ---- frames.c ---------------------------------------------------------------------------------------------

FiloResult gfx2d_frames_init(FiloGfx2d *gfx);
void gfx2d_frames_deinit(FiloGfx2d *gfx);
// Makes the table large enough for all names there are. False without memory: names beyond are unknown.
bool gfx2d_frames_cover_names(FiloGfx2d *gfx);
// The image of a name, made if need be; NULL without memory.
Gfx2dImage *gfx2d_frames_image(FiloGfx2d *gfx, FiloName name);
// Makes the frames of an image from those of a sheet, at a place on a page; `sheet` NULL: one frame, all of it.
bool gfx2d_frames_set(FiloGfx2d *gfx, Gfx2dImage *image, const FiloSheet *sheet, const Gfx2dPageSpot *spot);
// The same for a target.
bool gfx2d_frames_set_target(FiloGfx2d *gfx, Gfx2dImage *image, uint16_t page, int width, int height);
// It shows the stand-in from now on.
void gfx2d_frames_clear(FiloGfx2d *gfx, Gfx2dImage *image);
// A frame for extraction; the stand-in for unknown names. Any thread during extraction.
static inline const Gfx2dSpriteFrame *gfx2d_frames_find(const FiloGfx2d *gfx, FiloName name, unsigned frame) {
    if (FILO_UNLIKELY(name.id >= gfx->entry_count)) return &gfx->placeholder;
    const Gfx2dImageEntry *entry = &gfx->entries[name.id];
    return entry->frames + FILO_MIN(frame, (unsigned)entry->last);
}
// Notes an image that nobody has asked for. Any thread during extraction.
void gfx2d_frames_want(FiloGfx2d *gfx, FiloName name);

// ---- images.c ---------------------------------------------------------------------------------------------

FiloResult gfx2d_images_init(FiloGfx2d *gfx);
void gfx2d_images_deinit(FiloGfx2d *gfx);
// Looks what has become of the images that were asked for. Main.
void gfx2d_images_update(FiloGfx2d *gfx);
// Asks for those that were seen for the first time. True if some were there already. Main.
bool gfx2d_images_request(FiloGfx2d *gfx);

// ---- extract*.c -------------------------------------------------------------------------------------------

FiloResult gfx2d_extract_init(FiloGfx2d *gfx);
void gfx2d_extract_deinit(FiloGfx2d *gfx);
void gfx2d_extract_views(FiloGfx2d *gfx, const FiloExtract *extract);
void gfx2d_extract_parts(FiloGfx2d *gfx);
// Finds what is concealed; then whether a part has some of it, and has to be built anew. gfx2d_extract_is_concealed asks
// for one entity.
void gfx2d_extract_concealed(FiloGfx2d *gfx);
void gfx2d_extract_conceal_part(const FiloGfx2d *gfx, Gfx2dPart *part);
static inline bool gfx2d_extract_is_concealed(const FiloGfx2d *gfx, uint32_t index) {
    return gfx->conceals && filo_bits_test(&gfx->concealed, index);
}
// Finds the keys of the rows, and notes images that nobody has asked for. Any thread, one for a part.
void gfx2d_extract_scan(FiloGfx2d *gfx, Gfx2dPart *part);
// The number of the key of a sprite; it must be one of the part's. Hidden ones have none: GFX2D_PART_KEYS.
#define GFX2D_KEY_WORD                                                                                       \
    UINT64_C(0xFFFFFFFF10FF0000) // what of a sprite's second word is its key: see extract/sort_keys.c
static inline unsigned gfx2d_extract_kind(const Gfx2dPart *part, uint64_t word) {
    word &= GFX2D_KEY_WORD;
    size_t slot = (size_t)(word * UINT64_C(0x9E3779B97F4A7C15) >> 58);
    unsigned kind;
    while ((kind = part->key_slots[slot] - 1u) < GFX2D_PART_KEYS && part->key_words[kind] != word)
        slot = (slot + 1) % GFX2D_KEY_SLOTS;
    return FILO_MIN(kind, (unsigned)GFX2D_PART_KEYS);
}
// The key of one sprite that shows `frame` at a height.
Gfx2dSortKey gfx2d_extract_key(const FiloGfx2d *gfx, const FiloSprite *sprite, const Gfx2dSpriteFrame *frame,
                               float y);
// Builds the quads of a part here: all of them (part->full), or those in gfx->region. Any thread.
void gfx2d_extract_build(FiloGfx2d *gfx, Gfx2dPart *part);
// The same straight into the quads of a view, from part->starts on.
void gfx2d_extract_build_direct(FiloGfx2d *gfx, Gfx2dPart *part, FiloQuad *quads);
// Makes the segments and quads of a view.
void gfx2d_extract_order(FiloGfx2d *gfx, Gfx2dView *view);
void gfx2d_extract_order_deinit(FiloGfx2d *gfx);
// All has been written into what the packet holds of the ring.
void gfx2d_extract_done(FiloGfx2d *gfx);
// Memory for the quads of a view, in the ring or not. False without.
bool gfx2d_extract_take(FiloGfx2d *gfx, Gfx2dView *view, size_t count);
// Calls `function` for ranges of 0 to `count`, on the workers if there are any.
void gfx2d_extract_for(FiloGfx2d *gfx, size_t count, FiloRangeFunction function, void *user);

// ---- batch.c ----------------------------------------------------------------------------------------------

// All draws of a view, in order, with what was drawn at once in its layers. False without memory: some are
// left out.
bool gfx2d_batch_view(FiloGfx2d *gfx, const Gfx2dView *view, const Gfx2dRenderPart *part,
                      Gfx2dDrawCalls *calls);
// What was drawn at once on the screen.
bool gfx2d_batch_screen(FiloGfx2d *gfx, const Gfx2dRenderPart *part, Gfx2dDrawCalls *calls);
// The pixels that calls with a clip may touch, inside of a view, or (NULL) of the screen. False if there are none.
typedef struct Gfx2dArea {
    int x, y, width, height;
} Gfx2dArea;
bool gfx2d_batch_area(const FiloGfx2d *gfx, const Gfx2dView *view, uint32_t clip, Gfx2dArea *area);

// ---- render/ ----------------------------------------------------------------------------------------------

FiloResult gfx2d_render_cpu_init(FiloGfx2d *gfx);
void gfx2d_render_cpu_deinit(FiloGfx2d *gfx);
// Into gfx->output. False without memory.
bool gfx2d_render_cpu(FiloGfx2d *gfx, const Gfx2dRenderPart *part);
FiloResult gfx2d_render_gpu_init(FiloGfx2d *gfx);
void gfx2d_render_gpu_deinit(FiloGfx2d *gfx);
bool gfx2d_render_gpu(FiloGfx2d *gfx, const Gfx2dRenderPart *part);
// Reads what was drawn into gfx->picture.
FiloResult gfx2d_render_gpu_read(FiloGfx2d *gfx);
void gfx2d_targets_deinit(FiloGfx2d *gfx);
// A pipeline for quads with these features; `custom`: with a function "sprite" of the game's own.
FiloResult gfx2d_shaders_make(FiloPipeline *pipeline, FiloGfx2d *gfx, const char *label, unsigned features,
                              const char *custom, FiloBlend blend);
// Takes over shaders that were loaded, or loaded again.
void gfx2d_shaders_update(FiloGfx2d *gfx);
void gfx2d_shaders_deinit(FiloGfx2d *gfx);

#endif
