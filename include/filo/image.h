// filo/image.h: reads and writes image files.
//
//     FiloPixels ship;
//     FiloResult r = filo_image_load(&ship, "ship.png", NULL);
//     if (r.code != FILO_OK) filo_log_warn("game", "%s", r.message);   // "ship.png: not a PNG (bad signature)"
//     r = filo_image_save(&ship, "copy.png");
//     filo_pixels_free(&ship, NULL);
//
// Reads PNG, JPEG, GIF, BMP, TGA and Radiance HDR. The content decides the format; the extension matters only for TGA,
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
} FiloImageFormat;

// Detects the format by the first bytes. `name` may be NULL; its extension is used for TGA.
FiloImageFormat filo_image_format(const void *bytes, size_t size, const char *name);

typedef struct FiloImageOptions {
    size_t memory_limit; // maximum bytes of the pixels; 0: 256 MiB. A larger image is FILO_ERROR_LIMIT
    bool straight;       // do not multiply red, green and blue by alpha
    const FiloAllocator *allocator; // NULL: filo_heap(). Libraries that decode also allocate by malloc
} FiloImageOptions;

// Decodes a file in memory. `name` is used in messages. HDR is clamped to 0 to 1 and converted to sRGB; of a GIF, this
// is the first frame. A truncated file is an error. Colour profiles, gamma and orientation are ignored. `options` may
// be NULL. On failure `pixels` is all zero.
FiloResult filo_image_decode(FiloPixels *pixels, const void *bytes, size_t size, const char *name,
                             const FiloImageOptions *options);
FiloResult filo_image_load(FiloPixels *pixels, const char *path, const FiloImageOptions *options);

// All frames of a GIF, composed, in a column: frame n begins at row n × height.
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

// Decodes HDR to floats, 4 per pixel, not clamped. Free them by filo_free of 16 × width × height bytes.
FiloResult filo_image_decode_float(float **values, int *width, int *height, const void *bytes, size_t size,
                                   const char *name, const FiloImageOptions *options);

// Writes a PNG with straight colours. Reading it gives the same pixels, unless a colour is brighter than its alpha.
// Replaces the file atomically.
FiloResult filo_image_save(const FiloPixels *pixels, const char *path);
// Encodes a PNG to memory. Free it by filo_file_free.
FiloResult filo_image_encode(const FiloPixels *pixels, FiloFileData *data, const FiloAllocator *allocator);

FILO_END_DECLS

#endif
