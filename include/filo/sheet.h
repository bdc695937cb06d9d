// filo/sheet.h: images as assets, and sheets: images with many frames, and clips of them.
//
// A sheet is a JSON file beside its image. Three forms are understood:
//
//   {"image": "bat.png", "grid": {"width": 16, "height": 16, "margin": 0, "spacing": 0},
//    "clips": {"fly": {"from": 0, "to": 3, "fps": 12, "mode": "loop"}},
//    "events": [{"frame": 2, "name": "flap"}]}
//   what Aseprite exports: "frames" as a list or an object, tags as clips (layers and slices are not read)
//   what TexturePacker exports as JSON, hash or array (rotated frames are refused: export without rotation)
//
// "mode" is "loop", "once" or "ping-pong". "clips" and "events" may be written into all three forms. The path of
// the image starts at the folder of the sheet.
//
// Every image is also a sheet with one frame; of a GIF, with its frames and a clip "all".

#ifndef FILO_SHEET_H
#define FILO_SHEET_H

#include <filo/assets.h>
#include <filo/pixels.h>
#include <filo/vector.h>

FILO_BEGIN_DECLS

#define FILO_SHEET_MAX 65535 // frames, and clips, of a sheet

typedef struct FiloSheetFrame {
    uint16_t x, y, width, height; // in the image
    int16_t left, top;            // where that lies in the frame before trimming
    uint16_t full_width, full_height;
    float seconds;  // how long it is shown by default
    FiloName name;  // {0}: none
    FiloName event; // happens when an animation shows it; {0}: none
} FiloSheetFrame;

typedef enum FiloClipMode { FILO_CLIP_LOOP, FILO_CLIP_ONCE, FILO_CLIP_PING_PONG } FiloClipMode;

typedef struct FiloSheetClip {
    FiloName name;
    uint16_t from, to; // frames, both included; backwards if `to` is lower
    FiloClipMode mode;
    float fps; // 0: as long as each frame says
} FiloSheetClip;

typedef struct FiloSheet {
    FiloAsset image; // {0}: the pixels are in the same asset
    const FiloSheetFrame *frames;
    size_t frame_count;
    const FiloSheetClip *clips;
    size_t clip_count;
} FiloSheet;

// The data of an asset of type "image".
typedef struct FiloImageAsset {
    FiloPixels pixels;
    FiloSheet sheet;
    uint64_t user; // of who uploads it
} FiloImageAsset;

// The sheet of an asset of type "image" or "sheet", the stand-in's until it is ready. Never NULL.
const FiloSheet *filo_asset_sheet(const FiloAssets *assets, FiloAsset asset);
// The same by name, for systems: whether the asset has been loaded makes no difference. If it has not, its files
// are read now, which takes as long as the disk does, and their frames kept; without pixels. Empty for what cannot
// be read (logged once) or has no frames. Never NULL; good until the next filo_assets_update. Workers as long as
// main neither updates nor adds, as in a tick.
const FiloSheet *filo_assets_sheet_now(FiloAssets *assets, FiloName name);
// The image that its frames lie in; {0} if it is neither, or a sheet that is not ready.
FiloAsset filo_asset_sheet_image(const FiloAssets *assets, FiloAsset asset);
// Index of a clip or frame by name; −1 if there is none.
int filo_sheet_clip(const FiloSheet *sheet, FiloName name);
int filo_sheet_frame(const FiloSheet *sheet, FiloName name);

// An image that the program drew, as an asset. The pixels are copied: they stay yours. {0} without memory.
FiloAsset filo_assets_add_pixels(FiloAssets *assets, const char *name, const FiloPixels *pixels);
// The same with frames on a grid, row by row from the top left, and clips. The clips are copied.
typedef struct FiloGridDesc {
    int width, height; // of a frame
    const FiloSheetClip *clips;
    size_t clip_count;
} FiloGridDesc;
FiloAsset filo_assets_add_grid(FiloAssets *assets, const char *name, const FiloPixels *pixels,
                               const FiloGridDesc *grid);

// Reads a sheet file. For tools and tests; the asset system does it by itself. Free by filo_sheet_free.
// `image` receives the name of the image file, as the file has it. `width` and `height` are those of that image:
// frames outside are an error. 0: not known, and nothing is compared; a grid cannot be read so.
FiloResult filo_sheet_decode(FiloSheet *sheet, char *image, size_t image_size, int width, int height,
                             const char *text, size_t length, const char *name,
                             const FiloAllocator *allocator);
void filo_sheet_free(FiloSheet *sheet, const FiloAllocator *allocator);

FILO_END_DECLS

#endif
