// filo/pixels.h: a picture in memory.
//
//     FiloPixels picture;
//     if (!filo_pixels_create(&picture, 64, 32, NULL)) return;         // transparent
//     *filo_pixels_at(&picture, 3, 5) = FILO_COLOR_RED;
//     filo_pixels_free(&picture, NULL);
//
// Colours are premultiplied bytes (filo/color.h), row by row from the top. Reading files, and writing them
// compressed, is the business of filo/image.h; drawing, of filo/raster.h and filo/gfx2d.h.

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

// Memory for a picture, all transparent. False without memory, or if a side is below 1 or above
// FILO_PIXELS_MAX; `pixels` is then all zero. `allocator` NULL: filo_heap().
bool filo_pixels_create(FiloPixels *pixels, int width, int height, const FiloAllocator *allocator);
// Of one that filo_pixels_create made, with the same allocator. All zero is allowed.
void filo_pixels_free(FiloPixels *pixels, const FiloAllocator *allocator);

void filo_pixels_fill(const FiloPixels *pixels, FiloColor color);
// Copies without blending; what lies outside of `to` is left out. They must not overlap.
void filo_pixels_copy(const FiloPixels *to, int x, int y, const FiloPixels *from);

// Writes a PNG file that is not compressed: a little more than four bytes a pixel. For programs that use no module above
// filo/raster.h; others have filo_image_save (filo/image.h), whose files are smaller. Both say the same: colours are
// written straight, as files have them, and are the same when they are read again, unless one is brighter than its alpha.
// Replaces the file whole or not at all. Any thread.
FiloResult filo_pixels_save(const FiloPixels *pixels, const char *path);

typedef struct FiloPixelsDifference {
    int largest;   // of all bytes; 255 if the sizes differ
    size_t pixels; // that differ by more than the tolerance
    int x, y;      // the first of these
    double mean;   // difference of a byte, over all
} FiloPixelsDifference;
// Compares two pictures of one size, for tests.
FiloPixelsDifference filo_pixels_compare(const FiloPixels *a, const FiloPixels *b, int tolerance);

FILO_END_DECLS

#endif
