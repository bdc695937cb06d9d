// The images of a renderer: a table from the name of an image to its frames on the atlas pages.
//
// A sprite finds its frame in two steps: FiloGfx2d.entries[name].frames[frame]. The entry of a name that was never
// requested points to FiloGfx2d.unrequested, which looks like the placeholder and is recognised by its address.
// Extraction marks such names, and requests their assets once all chunks are scanned.

#ifndef FILO_GFX2D_IMAGES_H
#define FILO_GFX2D_IMAGES_H

#include <filo/gfx2d.h>

#include "gfx2d/images/frames.h"
#include "gfx2d/images/pages.h"

// One frame as extraction needs it, in one cache line.
typedef struct Gfx2dSpriteFrame {
    Gfx2dFrameRegion region;
    float half_width, half_height; // of the trimmed frame, in units
    float centre_x, centre_y;      // of the trimmed frame, from the centre of the whole frame, y up
    float full_width, full_height; // of the frame before trimming
    uint32_t image_and_kind;       // FiloQuad.image and .kind, as they lie in memory
} Gfx2dSpriteFrame;
_Static_assert(sizeof(Gfx2dSpriteFrame) == FILO_CACHE_LINE, "a frame is one line of memory");

// Entry of the table, by FiloName.
typedef struct Gfx2dImageEntry {
    const Gfx2dSpriteFrame *frames;
    uint16_t last;      // number of frames − 1
    uint16_t requested; // a sprite shows it, and its asset has not been requested yet
    uint32_t image;     // index in FiloGfx2d.images + 1; 0: none
} Gfx2dImageEntry;

// An image that was requested.
typedef struct Gfx2dImage {
    FiloName name;
    FiloAsset asset;    // {0}: added by filo_gfx2d_add_image
    bool retained;      // the renderer loaded the asset, and unloads it
    bool present;       // it is on a page, and `frames` are its own
    uint32_t version;   // of the asset when it was last read
    FiloAsset picture;  // the asset that has the pixels: the image of a sheet, or the same asset
    Gfx2dPageSlot slot; // of an image that was added by filo_gfx2d_add_image
    Gfx2dSpriteFrame *frames;
    size_t frame_count;
    uint32_t picture_version;
} Gfx2dImage;

// ---- frames.c ---------------------------------------------------------------------------------------------

FiloResult gfx2d_frames_init(FiloGfx2d *gfx);
void gfx2d_frames_deinit(FiloGfx2d *gfx);
// Grows the table to all names that exist. False without memory: names beyond it show the placeholder.
bool gfx2d_frames_cover_names(FiloGfx2d *gfx);
// The image of a name, added if there is none; NULL without memory.
Gfx2dImage *gfx2d_frames_image(FiloGfx2d *gfx, FiloName name);
// Sets the frames of an image from those of a sheet whose pixels are in `slot`. `sheet` NULL: one frame, the whole
// slot. False without memory.
bool gfx2d_frames_set(FiloGfx2d *gfx, Gfx2dImage *image, const FiloSheet *sheet, const Gfx2dPageSlot *slot);
// Sets the one frame of an image that shows a target. False without memory.
bool gfx2d_frames_set_target(FiloGfx2d *gfx, Gfx2dImage *image, uint16_t page, int width, int height);
// The image shows the placeholder from now on.
void gfx2d_frames_clear(FiloGfx2d *gfx, Gfx2dImage *image);
// Marks an image whose entry is FiloGfx2d.unrequested. Any thread during extraction.
void gfx2d_frames_mark_requested(FiloGfx2d *gfx, FiloName name);

// ---- images.c ---------------------------------------------------------------------------------------------

FiloResult gfx2d_images_init(FiloGfx2d *gfx);
void gfx2d_images_deinit(FiloGfx2d *gfx);
// Takes over assets that were loaded, reloaded or unloaded. Main thread.
void gfx2d_images_update(FiloGfx2d *gfx);
// Requests the assets of all marked names. True if some of them were ready already. Main thread.
bool gfx2d_images_load_requested(FiloGfx2d *gfx);

#endif
