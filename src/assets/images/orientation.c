// How a camera was held: pictures are turned so that they are upright, as all viewers show them.

#include "assets/images/image.h"

#define TAG_ORIENTATION 0x0112
#define ENTRY           12 // bytes of a tag

static uint32_t number(const uint8_t *at, size_t size, bool big_endian) {
    uint32_t value = 0;
    for (size_t i = 0; i < size; i++) value = value << 8 | at[big_endian ? i : size - 1 - i];
    return value;
}

unsigned assets_exif_orientation(const uint8_t *bytes, size_t size) {
    if (size < 8 || (bytes[0] != 'M' && bytes[0] != 'I')) return 1;
    bool big_endian = bytes[0] == 'M';
    size_t at = number(bytes + 4, 4, big_endian);
    if (at > size || size - at < 2) return 1;
    size_t count = number(bytes + at, 2, big_endian);
    at += 2;
    for (count = FILO_MIN(count, (size - at) / ENTRY); count > 0; count--, at += ENTRY)
        if (number(bytes + at, 2, big_endian) == TAG_ORIENTATION)
            return number(bytes + at + 8, 2, big_endian);
    return 1;
}

FiloResult assets_image_turn(const AssetsImageSource *source, FiloPixels *pixels, unsigned orientation) {
    if (orientation < 2 || orientation > 8) return filo_ok();
    const bool swapped = orientation >= 5; // rows become columns
    // Where the first row and the first column of the file are seen.
    const bool from_right = orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7;
    const bool from_below = orientation == 3 || orientation == 4 || orientation == 7 || orientation == 8;
    FiloPixels turned;
    int width = swapped ? pixels->height : pixels->width, height = swapped ? pixels->width : pixels->height;
    if (!filo_pixels_create(&turned, width, height, source->allocator)) return assets_image_no_memory(source);
    for (int y = 0; y < height; y++) {
        FiloColor *row = filo_pixels_at(&turned, 0, y);
        for (int x = 0; x < width; x++) {
            int right = from_right ? width - 1 - x : x, down = from_below ? height - 1 - y : y;
            row[x] = *filo_pixels_at(pixels, swapped ? down : right, swapped ? right : down);
        }
    }
    filo_pixels_free(pixels, source->allocator);
    *pixels = turned;
    return filo_ok();
}
