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
FiloResult assets_image_cut(const AssetsImageSource *source); // the file ends too early

// Numbers of a file, the lowest byte first.
static inline uint16_t assets_u16(const uint8_t *at) { return (uint16_t)(at[0] | at[1] << 8); }
static inline uint32_t assets_u32(const uint8_t *at) {
    return assets_u16(at) | (uint32_t)assets_u16(at + 2) << 16;
}

// Turns and mirrors the pixels of a file as its orientation says: 1 to 8, as in EXIF and TIFF; any other leaves them.
FiloResult assets_image_turn(const AssetsImageSource *source, FiloPixels *pixels, unsigned orientation);
// The orientation in EXIF data, which is a TIFF without pixels; 1 if there is none.
unsigned assets_exif_orientation(const uint8_t *bytes, size_t size);

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
FiloResult assets_bmp_decode(const AssetsImageSource *source, FiloPixels *pixels);
FiloResult assets_tga_decode(const AssetsImageSource *source, FiloPixels *pixels);
// HDR, 4 floats a pixel, 16 × width × height bytes.
FiloResult assets_hdr_decode(const AssetsImageSource *source, float **values, int *width, int *height);
// All frames, or only the first.
FiloResult assets_gif_decode(const AssetsImageSource *source, FiloImageFrames *frames, bool only_first);
FiloResult assets_webp_decode(const AssetsImageSource *source, FiloImageFrames *frames, bool only_first);

#endif
