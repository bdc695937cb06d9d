// filo/image.h: picture files.
//
//     FiloPixels ship;
//     FiloResult r = filo_image_load(&ship, "ship.png", NULL);
//     if (r.code != FILO_OK) filo_log_warn("game", "%s", r.message);   // "ship.png: not a PNG (bad signature)"
//     r = filo_image_save(&ship, "copy.png");
//     filo_pixels_free(&ship, NULL);
//
// Reads PNG, JPEG, GIF, BMP, TGA and Radiance HDR, recognised by content; the extension does not matter,
// except for TGA, which has no signature. Files may come from anywhere: whatever is wrong with one is an
// error that names the file and the cause. Any thread.

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

// By the first bytes; `name` (may be NULL) helps with TGA.
FiloImageFormat filo_image_format(const void *bytes, size_t size, const char *name);

typedef struct FiloImageOptions {
    size_t memory_limit; // bytes that the picture may take; 0: 256 MiB. Larger is FILO_ERROR_LIMIT
    bool straight;       // keep red, green and blue as they are; otherwise they are multiplied by alpha
    const FiloAllocator *allocator; // NULL: filo_heap(). Decoders also use some memory of their own
} FiloImageOptions;

// Decodes a file in memory. `name` is what messages call it. HDR is clamped to 0 to 1 and encoded as sRGB; of
// a GIF this is the first frame. A file that was cut off is an error. Colour profiles, gamma and orientation
// are not looked at. `options` may be NULL. On failure `pixels` is all zero.
FiloResult filo_image_decode(FiloPixels *pixels, const void *bytes, size_t size, const char *name,
                             const FiloImageOptions *options);
FiloResult filo_image_load(FiloPixels *pixels, const char *path, const FiloImageOptions *options);

// All frames of a GIF, composed, one below the other, as a column: frame n begins at row n × height.
typedef struct FiloImageFrames {
    FiloPixels pixels;
    int frame_count, width, height; // of a frame
    float *seconds;                 // how long each is shown
} FiloImageFrames;
// Also for the others, with one frame of 0 seconds.
FiloResult filo_image_decode_frames(FiloImageFrames *frames, const void *bytes, size_t size, const char *name,
                                    const FiloImageOptions *options);
void filo_image_frames_free(FiloImageFrames *frames, const FiloAllocator *allocator);

// HDR as floats, 4 a pixel, not clamped; free by filo_free of 16 × width × height bytes.
FiloResult filo_image_decode_float(float **values, int *width, int *height, const void *bytes, size_t size,
                                   const char *name, const FiloImageOptions *options);

// As PNG; colours are written straight, as files have them, and are the same when they are read again, unless
// one is brighter than its alpha. Replaces the file whole or not at all.
FiloResult filo_image_save(const FiloPixels *pixels, const char *path);
// The same into memory: free by filo_file_free.
FiloResult filo_image_encode(const FiloPixels *pixels, FiloFileData *data, const FiloAllocator *allocator);

FILO_END_DECLS

#endif
