// Pictures in memory: rows of premultiplied colours, allocated in one block.

#include <filo/check.h>
#include <filo/pixels.h>

#include <stdlib.h>
#include <string.h>

static size_t byte_size(const FiloPixels *pixels) {
    return (size_t)pixels->stride * (size_t)pixels->height * sizeof(FiloColor);
}

bool filo_pixels_create(FiloPixels *pixels, int width, int height, const FiloAllocator *allocator) {
    *pixels = (FiloPixels){ 0 };
    if (width < 1 || height < 1 || width > FILO_PIXELS_MAX || height > FILO_PIXELS_MAX) return false;
    FiloPixels made = { NULL, width, height, width };
    // Aligned to a cache line, for vector code.
    made.data = filo_alloc_zero(allocator, byte_size(&made), FILO_CACHE_LINE);
    if (made.data == NULL) return false;
    *pixels = made;
    return true;
}

void filo_pixels_free(FiloPixels *pixels, const FiloAllocator *allocator) {
    if (pixels->data != NULL) filo_free(allocator, pixels->data, byte_size(pixels), FILO_CACHE_LINE);
    *pixels = (FiloPixels){ 0 };
}

void filo_pixels_fill(const FiloPixels *pixels, FiloColor color) {
    for (int y = 0; y < pixels->height; y++) {
        FiloColor *row = filo_pixels_at(pixels, 0, y);
        for (int x = 0; x < pixels->width; x++) row[x] = color;
    }
}

void filo_pixels_copy(const FiloPixels *to, int x, int y, const FiloPixels *from) {
    // In 64 bits, so that no sum overflows.
    int64_t left = FILO_MAX((int64_t)x, 0), right = FILO_MIN((int64_t)x + from->width, to->width);
    int64_t top = FILO_MAX((int64_t)y, 0), bottom = FILO_MIN((int64_t)y + from->height, to->height);
    if (left >= right) return;
    for (int64_t row = top; row < bottom; row++)
        memcpy(filo_pixels_at(to, (int)left, (int)row), filo_pixels_at(from, (int)(left - x), (int)(row - y)),
               (size_t)(right - left) * sizeof(FiloColor));
}

static int color_difference(FiloColor a, FiloColor b, int *sum) {
    int r = abs(a.r - b.r), g = abs(a.g - b.g), blue = abs(a.b - b.b), alpha = abs(a.a - b.a);
    *sum = r + g + blue + alpha;
    return FILO_MAX(FILO_MAX(r, g), FILO_MAX(blue, alpha));
}

FiloPixelsDifference filo_pixels_compare(const FiloPixels *a, const FiloPixels *b, int tolerance) {
    FiloPixelsDifference difference = { 0 };
    if (a->width != b->width || a->height != b->height) {
        difference.largest = 255;
        difference.pixels = (size_t)a->width * (size_t)a->height;
        difference.mean = 255;
        return difference;
    }
    uint64_t sum = 0;
    for (int y = 0; y < a->height; y++) {
        for (int x = 0; x < a->width; x++) {
            int bytes;
            int largest = color_difference(*filo_pixels_at(a, x, y), *filo_pixels_at(b, x, y), &bytes);
            sum += (uint64_t)bytes;
            difference.largest = FILO_MAX(difference.largest, largest);
            if (largest <= tolerance) continue;
            if (difference.pixels++ == 0) difference.x = x, difference.y = y;
        }
    }
    size_t count = (size_t)a->width * (size_t)a->height;
    if (count > 0) difference.mean = (double)sum / (4.0 * (double)count);
    return difference;
}
