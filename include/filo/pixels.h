// filo/pixels.h: a picture in memory.
//
//     FiloPixels picture;
//     if (!filo_pixels_create(&picture, 64, 32, NULL)) return;         // transparent
//     *filo_pixels_at(&picture, 3, 5) = FILO_COLOR_RED;
//     filo_pixels_free(&picture, NULL);
//
// Colours are premultiplied bytes (filo/color.h), row by row from the top. filo/image.h reads files and writes
// compressed ones; filo/raster.h and filo/gfx2d.h draw.

#ifndef FILO_PIXELS_H
#define FILO_PIXELS_H

#include <filo/color.h>
#include <filo/memory.h>
#include <filo/types.h>

FILO_BEGIN_DECLS

#define FILO_PIXELS_MAX 16384 // width and height are at most this

typedef struct FiloPixels {
    FiloColor *data;
    int width, height;
    int stride; // pixels from one row to the next
} FiloPixels;

static inline FiloColor *filo_pixels_at(const FiloPixels *pixels, int x, int y) {
    return pixels->data + (ptrdiff_t)y * pixels->stride + x;
}
static inline FiloPixels filo_pixels_part(const FiloPixels *pixels, int x, int y, int width, int height) {
    FiloPixels part = { filo_pixels_at(pixels, x, y), width, height, pixels->stride };
    return part;
}

// Allocates a transparent picture. False without memory, or if a side is below 1 or above FILO_PIXELS_MAX; `pixels` is
// then all zero. `allocator` NULL: filo_heap().
bool filo_pixels_create(FiloPixels *pixels, int width, int height, const FiloAllocator *allocator);
// Frees a picture that filo_pixels_create allocated with the same allocator. All zero is allowed.
void filo_pixels_free(FiloPixels *pixels, const FiloAllocator *allocator);

void filo_pixels_fill(const FiloPixels *pixels, FiloColor color);
// Copies `from` to (x, y) in `to` without blending, clipped to `to`. They must not overlap.
void filo_pixels_copy(const FiloPixels *to, int x, int y, const FiloPixels *from);

// Writes a PNG file that is not compressed: a little more than four bytes a pixel. It is for programs that use no
// module above filo/raster.h; filo_image_save (filo/image.h) writes smaller files with the same contents. Colours are
// written straight, as PNG requires, and are the same when they are read again, unless one is brighter than its alpha.
// Replaces the file atomically. Any thread.
FiloResult filo_pixels_save(const FiloPixels *pixels, const char *path);

typedef struct FiloPixelsDifference {
    int largest;   // difference of a byte; 255 if the sizes differ
    size_t pixels; // how many differ by more than the tolerance
    int x, y;      // the first pixel that does
    double mean;   // difference of a byte, over all bytes
} FiloPixelsDifference;
// Compares two pictures of one size, for tests.
FiloPixelsDifference filo_pixels_compare(const FiloPixels *a, const FiloPixels *b, int tolerance);

FILO_END_DECLS

#endif
