// Shared by the decoders of image files. Each library that decodes has a source file; image.c chooses the decoder.

#ifndef FILO_ASSETS_IMAGE_H
#define FILO_ASSETS_IMAGE_H

#include <filo/image.h>

// A file in memory, and options of its decoder. All decoders make straight colours; image.c multiplies by alpha.
typedef struct AssetsImageSource {
    const uint8_t *bytes;
    size_t size;
    const char *name;
    size_t memory_limit;
    const FiloAllocator *allocator;
} AssetsImageSource;

// Checks the size against the limits. Call it before memory of this size is allocated.
FiloResult assets_image_check_size(const AssetsImageSource *source, uint64_t width, uint64_t height,
                                   uint64_t frames);
// filo_pixels_create after assets_image_check_size.
FiloResult assets_image_make_pixels(const AssetsImageSource *source, FiloPixels *pixels, uint64_t width,
                                    uint64_t height, uint64_t frames);
FiloResult assets_image_no_memory(const AssetsImageSource *source);

// Fills `source`; an empty file is an error.
FiloResult assets_image_open(AssetsImageSource *source, const void *bytes, size_t size, const char *name,
                             const FiloImageOptions *options);

// Writes an encoded file and frees it; if encoding failed, returns that error with the path.
FiloResult assets_image_write(const char *path, FiloFileData *data, const FiloResult *encoded);

// Allocates grey values after a check against the limits. Each value needs 2 bytes, and `extra` while it is decoded.
FiloResult assets_grey_make(const AssetsImageSource *source, FiloGrey16 *grey, uint64_t width,
                            uint64_t height, size_t extra);

// On failure `pixels` is all zero and nothing needs to be freed.
FiloResult assets_png_decode(const AssetsImageSource *source, FiloPixels *pixels);
FiloResult assets_png_decode_grey(const AssetsImageSource *source, FiloGrey16 *grey);
FiloResult assets_jpeg_decode(const AssetsImageSource *source, FiloPixels *pixels);
// The first image of a file.
FiloResult assets_tiff_decode(const AssetsImageSource *source, FiloPixels *pixels);
// BMP and TGA.
FiloResult assets_stb_decode(const AssetsImageSource *source, FiloPixels *pixels);
// HDR, 4 floats a pixel, 16 × width × height bytes.
FiloResult assets_hdr_decode(const AssetsImageSource *source, float **values, int *width, int *height);
// All frames, or only the first.
FiloResult assets_gif_decode(const AssetsImageSource *source, FiloImageFrames *frames, bool only_first);

#endif
