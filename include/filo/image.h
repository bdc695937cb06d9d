// filo/image.h: reads and writes image files.
//
//     FiloPixels ship;
//     FiloResult r = filo_image_load(&ship, "ship.png", NULL);
//     if (r.code != FILO_OK) filo_log_warn("game", "%s", r.message);   // "ship.png: not a PNG (bad signature)"
//     r = filo_image_save(&ship, "copy.png");
//     filo_pixels_free(&ship, NULL);
//
// Reads PNG, JPEG, GIF, WebP, TIFF, BMP, TGA and Radiance HDR. The content decides the format; the extension matters only for TGA,
// which has no signature. Files need not be trusted: an invalid file is an error that names the file and the cause. Any
// thread.

#ifndef FILO_IMAGE_H
#define FILO_IMAGE_H

#include <filo/files.h>
#include <filo/pixels.h>
#include <filo/types.h>

FILO_BEGIN_DECLS

typedef enum FiloImageFormat {
    FILO_IMAGE_UNKNOWN,
    FILO_IMAGE_PNG,
    FILO_IMAGE_JPEG,
    FILO_IMAGE_GIF,
    FILO_IMAGE_BMP,
    FILO_IMAGE_TGA,
    FILO_IMAGE_HDR,
    FILO_IMAGE_TIFF,
    FILO_IMAGE_WEBP,
} FiloImageFormat;

// Detects the format by the first bytes. `name` may be NULL; its extension is used for TGA.
FiloImageFormat filo_image_format(const void *bytes, size_t size, const char *name);

typedef struct FiloImageOptions {
    size_t memory_limit; // maximum bytes of the pixels; 0: 256 MiB. A larger image is FILO_ERROR_LIMIT
    bool straight;       // do not multiply red, green and blue by alpha
    const FiloAllocator *allocator; // NULL: filo_heap(). Libraries that decode also allocate by malloc
} FiloImageOptions;

// Decodes a file in memory. `name` is used in messages. HDR is clamped to 0 to 1 and converted to sRGB; of a GIF
// or a WebP, this is the first frame, and of a TIFF the first image. A truncated file is an error. Photographs are turned upright (EXIF,
// TIFF, WebP). Colour profiles and gamma are ignored. `options` may be NULL. On failure `pixels` is all zero.
FiloResult filo_image_decode(FiloPixels *pixels, const void *bytes, size_t size, const char *name,
                             const FiloImageOptions *options);
FiloResult filo_image_load(FiloPixels *pixels, const char *path, const FiloImageOptions *options);

// All frames of a GIF or a WebP, composed, in a column: frame n begins at row n × height.
typedef struct FiloImageFrames {
    FiloPixels pixels;
    int frame_count;
    int width, height; // of a frame
    float *seconds;    // duration of each frame
} FiloImageFrames;
// Other formats give one frame of 0 seconds.
FiloResult filo_image_decode_frames(FiloImageFrames *frames, const void *bytes, size_t size, const char *name,
                                    const FiloImageOptions *options);
void filo_image_frames_free(FiloImageFrames *frames, const FiloAllocator *allocator);

// Decodes HDR to floats, 4 per pixel, not clamped. Free them by filo_free(allocator, values, 16 × width × height, 0):
// an alignment of 0, which is the default.
FiloResult filo_image_decode_float(float **values, int *width, int *height, const void *bytes, size_t size,
                                   const char *name, const FiloImageOptions *options);

// Writes a PNG with straight colours. Reading it gives the same pixels, unless a colour is brighter than its alpha.
// Replaces the file atomically.
FiloResult filo_image_save(const FiloPixels *pixels, const char *path);
// Encodes a PNG to memory. Free it by filo_file_free.
FiloResult filo_image_encode(const FiloPixels *pixels, FiloFileData *data, const FiloAllocator *allocator);

// ---- Grey values of 16 bits -------------------------------------------------------------------------------
//
// For heightmaps, masks and other data of which 256 levels are too few:
//
//     FiloGrey16 heights;
//     FiloResult r = filo_grey16_load(&heights, "heights.png", NULL);
//     if (r.code == FILO_OK) printf("%d of 65535\n", *filo_grey16_at(&heights, 10, 20));
//     filo_grey16_free(&heights, NULL);

typedef struct FiloGrey16 {
    uint16_t *data; // row by row, the first row of the file first
    int width, height;
    int stride; // values from one row to the next
} FiloGrey16;

static inline uint16_t *filo_grey16_at(const FiloGrey16 *grey, int x, int y) {
    return grey->data + (ptrdiff_t)y * grey->stride + x;
}

// Allocates values of 0. False without memory, or if a side is below 1; `grey` is then all zero. Sides are not limited
// by FILO_PIXELS_MAX. `allocator` NULL: filo_heap().
bool filo_grey16_create(FiloGrey16 *grey, int width, int height, const FiloAllocator *allocator);
// Frees values that were allocated with the same allocator. All zero is allowed.
void filo_grey16_free(FiloGrey16 *grey, const FiloAllocator *allocator);

// Decodes a PNG file in memory. Grey values of 16 bits are taken as they are. Those of fewer bits are widened so that 0
// stays 0 and the largest becomes 65535: a byte is multiplied by 257. Colours are widened in the same way, and become
// (13933 red + 46871 green + 4732 blue) / 65536, rounded, so that a grey of three equal channels is exact. Alpha is
// ignored; profiles and gamma too. The memory limit is for the values, 2 bytes each (colours: 10, while they are
// decoded); it is checked before memory is allocated. `straight` has no effect. `name` is used in messages. On failure
// `grey` is all zero. Any thread.
FiloResult filo_grey16_decode(FiloGrey16 *grey, const void *bytes, size_t size, const char *name,
                              const FiloImageOptions *options);
FiloResult filo_grey16_load(FiloGrey16 *grey, const char *path, const FiloImageOptions *options);

// A file of values alone, without a header, such as .r16 and .raw.
typedef struct FiloRawDesc {
    int width, height; // both 0: as many rows as columns
    bool big_endian;   // of two bytes, the first is the higher one
} FiloRawDesc;

// Reads raw values. A file that is not exactly 2 × width × height bytes long is FILO_ERROR_DATA. `raw` NULL is all zero.
FiloResult filo_grey16_decode_raw(FiloGrey16 *grey, const void *bytes, size_t size, const char *name,
                                  const FiloRawDesc *raw, const FiloImageOptions *options);
FiloResult filo_grey16_load_raw(FiloGrey16 *grey, const char *path, const FiloRawDesc *raw,
                                const FiloImageOptions *options);

// Writes a PNG of 16 bits grey. Reading it gives the same values. Replaces the file atomically.
FiloResult filo_grey16_save(const FiloGrey16 *grey, const char *path);
// Encodes such a PNG to memory. Free it by filo_file_free.
FiloResult filo_grey16_encode(const FiloGrey16 *grey, FiloFileData *data, const FiloAllocator *allocator);

FILO_END_DECLS

#endif
