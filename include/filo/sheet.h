// filo/sheet.h: image assets, and sprite sheets: images with frames and clips.
//
// A sheet is a JSON file beside its image. It has one of three forms:
//
//   {"image": "bat.png", "grid": {"width": 16, "height": 16, "margin": 0, "spacing": 0},
//    "clips": {"fly": {"from": 0, "to": 3, "fps": 12, "mode": "loop"}},
//    "events": [{"frame": 2, "name": "flap"}]}
//   an export of Aseprite: "frames" as a list or an object, tags are clips; slices are left out
//   an export of TexturePacker as JSON, hash or array, or a multi-pack with one image. Rotated frames are an error:
//   export without rotation
//
// "mode" is "loop", "once" or "ping-pong". With "repeat", a clip ends after so many rounds, or passes of a ping-pong. "clips" and "events" may be added to all three forms. The path of the image
// is relative to the folder of the sheet.
//
// Every image is also a sheet with one frame; a GIF has its frames and a clip "all".

#ifndef FILO_SHEET_H
#define FILO_SHEET_H

#include <filo/assets.h>
#include <filo/pixels.h>
#include <filo/vector.h>

FILO_BEGIN_DECLS

#define FILO_SHEET_MAX 65535 // frames, and clips, of a sheet

typedef struct FiloSheetFrame {
    uint16_t x, y, width, height;     // in the image
    int16_t left, top;                // position of that rectangle in the frame before trimming
    uint16_t full_width, full_height; // of the frame before trimming
    float seconds;                    // default duration
    FiloName name;                    // {0}: none
    FiloName event;                   // emitted when an animation shows the frame; {0}: none
} FiloSheetFrame;

typedef enum FiloClipMode { FILO_CLIP_LOOP, FILO_CLIP_ONCE, FILO_CLIP_PING_PONG } FiloClipMode;

typedef struct FiloSheetClip {
    FiloName name;
    uint16_t from, to; // frames, both included; backwards if `to` is lower
    FiloClipMode mode;
    float fps;       // 0: the duration of each frame
    uint16_t repeat; // it ends after so many rounds, or passes of a ping-pong; 0: as the mode says
} FiloSheetClip;

typedef struct FiloSheet {
    FiloAsset image; // that has the pixels; {0}: the same asset
    const FiloSheetFrame *frames;
    size_t frame_count;
    const FiloSheetClip *clips;
    size_t clip_count;
} FiloSheet;

// The data of an asset of type "image".
typedef struct FiloImageAsset {
    FiloPixels pixels;
    FiloSheet sheet;
    uint64_t user; // for the upload function of the type
} FiloImageAsset;

// The sheet of an asset of type "image" or "sheet"; until it is ready, that of the placeholder. Never NULL.
const FiloSheet *filo_asset_sheet(const FiloAssets *assets, FiloAsset asset);
// The sheet of a name, for systems: it does not depend on whether the asset has been loaded. If it has not, this
// function reads its files, which blocks on the disk, and caches their frames, without pixels. An empty sheet if the
// file cannot be read (logged once) or has no frames. Never NULL; valid until the next filo_assets_update. On main, and
// on workers while main neither updates nor adds assets, as in a tick.
const FiloSheet *filo_assets_sheet_now(FiloAssets *assets, FiloName name);
// The image asset that has the pixels of its frames; {0} if the asset is neither an image nor a sheet that is ready.
FiloAsset filo_asset_sheet_image(const FiloAssets *assets, FiloAsset asset);
// Index of a clip or frame by name; −1 if there is none.
int filo_sheet_clip(const FiloSheet *sheet, FiloName name);
int filo_sheet_frame(const FiloSheet *sheet, FiloName name);

// Adds an image of the program. The pixels are copied. {0} without memory.
FiloAsset filo_assets_add_pixels(FiloAssets *assets, const char *name, const FiloPixels *pixels);
// Adds an image with frames on a grid, row by row from the top left, and clips. Pixels and clips are copied.
typedef struct FiloGridDesc {
    int width, height; // of a frame
    const FiloSheetClip *clips;
    size_t clip_count;
} FiloGridDesc;
FiloAsset filo_assets_add_grid(FiloAssets *assets, const char *name, const FiloPixels *pixels,
                               const FiloGridDesc *grid);

// Decodes a sheet file, for tools and tests; the asset system does it by itself. Free the sheet by filo_sheet_free.
// `image` receives the name of the image file, as it is in the sheet file. `width` and `height` are those of that
// image: frames outside of it are an error. 0: unknown; then frames are not checked, and a grid is an error.
FiloResult filo_sheet_decode(FiloSheet *sheet, char *image, size_t image_size, int width, int height,
                             const char *text, size_t length, const char *name,
                             const FiloAllocator *allocator);
void filo_sheet_free(FiloSheet *sheet, const FiloAllocator *allocator);

FILO_END_DECLS

#endif
