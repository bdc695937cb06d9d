// PNG, by libspng.

#include <filo/check.h>

#include "assets/images/image.h"

#include <spng.h>
#include <stdlib.h>
#include <string.h>

// Limits chunks such as texts and profiles, whose decompressed size may be much larger than the file.
#define CHUNK_LIMIT FILO_MIB(64)

// If memory runs out during decompression, libspng reports broken data. These functions record that an allocation
// failed.
static _Thread_local bool out_of_memory;

static void *checked_memory(void *memory) {
    if (memory == NULL) out_of_memory = true;
    return memory;
}
static void *checked_malloc(size_t size) { return checked_memory(malloc(size)); }
static void *checked_realloc(void *memory, size_t size) { return checked_memory(realloc(memory, size)); }
static void *checked_calloc(size_t count, size_t size) { return checked_memory(calloc(count, size)); }

static FiloResult png_error(const AssetsImageSource *source, int error) {
    if (out_of_memory) return assets_image_no_memory(source);
    switch (error) {
    case SPNG_ESIGNATURE: return filo_error(FILO_ERROR_DATA, "%s: not a PNG (bad signature)", source->name);
    case SPNG_IO_EOF:
    case SPNG_EIDAT_TOO_SHORT: return filo_error(FILO_ERROR_DATA, "%s: the PNG ends too early", source->name);
    case SPNG_EMEM: return assets_image_no_memory(source);
    default: return filo_error(FILO_ERROR_DATA, "%s: broken PNG (%s)", source->name, spng_strerror(error));
    }
}

// Whether the file has all chunks, up to the last byte of IEND, which libspng does not check.
static bool is_complete(const AssetsImageSource *source) {
    size_t at = 8; // after the signature
    while (source->size - at >= 12) {
        const uint8_t *chunk = source->bytes + at;
        size_t length = (size_t)chunk[0] << 24 | (size_t)chunk[1] << 16 | (size_t)chunk[2] << 8 | chunk[3];
        if (length > source->size - at - 12) return false;
        if (memcmp(chunk + 4, "IEND", 4) == 0) return true;
        at += 12 + length;
    }
    return false;
}

static FiloResult read_image(spng_ctx *png, const AssetsImageSource *source, FiloPixels *pixels) {
    int error = spng_set_png_buffer(png, source->bytes, source->size);
    if (error == 0) error = spng_set_chunk_limits(png, CHUNK_LIMIT, CHUNK_LIMIT);
    struct spng_ihdr header = { 0 };
    if (error == 0) error = spng_get_ihdr(png, &header);
    if (error != 0) return png_error(source, error);
    FiloResult result = assets_image_make_pixels(source, pixels, header.width, header.height, 1);
    if (result.code != FILO_OK) return result;
    size_t size = (size_t)header.width * header.height * sizeof(FiloColor);
    error = spng_decode_image(png, pixels->data, size, SPNG_FMT_RGBA8, SPNG_DECODE_TRNS);
    // Read the chunks after the pixels, so that errors in them are found too.
    if (error == 0) error = spng_decode_chunks(png);
    if (error == 0 && !is_complete(source)) error = SPNG_IO_EOF;
    if (error == 0) return filo_ok();
    filo_pixels_free(pixels, source->allocator);
    return png_error(source, error);
}

FiloResult assets_png_decode(const AssetsImageSource *source, FiloPixels *pixels) {
    *pixels = (FiloPixels){ 0 };
    out_of_memory = false;
    struct spng_alloc allocation = { checked_malloc, checked_realloc, checked_calloc, free };
    spng_ctx *png = spng_ctx_new2(&allocation, 0);
    if (png == NULL) return assets_image_no_memory(source);
    FiloResult result = read_image(png, source, pixels);
    spng_ctx_free(png);
    return result;
}

// ---- Writing ------------------------------------------------------------------------------------------

// Multiplying the result by alpha again gives exactly `value`.
static uint8_t unpremultiply(uint8_t value, uint8_t alpha) {
    unsigned straight = (value * 255u + alpha / 2u) / alpha;
    return (uint8_t)FILO_MIN(straight, 255u);
}

static void unpremultiply_row(FiloColor *to, const FiloColor *from, int width) {
    for (int x = 0; x < width; x++) {
        FiloColor c = from[x];
        to[x] = c.a == 0 ? (FiloColor){ 0, 0, 0, 0 }
                         : (FiloColor){ unpremultiply(c.r, c.a), unpremultiply(c.g, c.a),
                                        unpremultiply(c.b, c.a), c.a };
    }
}

static int write_rows(spng_ctx *png, const FiloPixels *pixels, FiloColor *row) {
    struct spng_ihdr header = { .width = (uint32_t)pixels->width,
                                .height = (uint32_t)pixels->height,
                                .bit_depth = 8,
                                .color_type = SPNG_COLOR_TYPE_TRUECOLOR_ALPHA };
    int error = spng_set_option(png, SPNG_ENCODE_TO_BUFFER, 1);
    if (error == 0) error = spng_set_ihdr(png, &header);
    if (error == 0)
        error = spng_encode_image(png, NULL, 0, SPNG_FMT_PNG, SPNG_ENCODE_PROGRESSIVE | SPNG_ENCODE_FINALIZE);
    for (int y = 0; error == 0 && y < pixels->height; y++) {
        unpremultiply_row(row, filo_pixels_at(pixels, 0, y), pixels->width);
        error = spng_encode_row(png, row, (size_t)pixels->width * sizeof(FiloColor));
        if (error == SPNG_EOI) return y + 1 == pixels->height ? 0 : SPNG_EINTERNAL;
    }
    return error;
}

// Copies the PNG to memory of the caller's allocator, with a terminating zero, as every FiloFileData has.
static FiloResult take_bytes(spng_ctx *png, FiloFileData *data, const FiloAllocator *allocator) {
    size_t size = 0;
    int error = 0;
    void *bytes = spng_get_png_buffer(png, &size, &error);
    if (bytes == NULL) return filo_error(FILO_ERROR_MEMORY, "the PNG: %s", spng_strerror(error));
    uint8_t *copy = filo_alloc(allocator, size + 1, 0);
    if (copy != NULL) {
        memcpy(copy, bytes, size);
        copy[size] = 0;
        *data = (FiloFileData){ .bytes = copy, .size = size, .capacity = size + 1, .allocator = allocator };
    }
    free(bytes);
    return copy != NULL ? filo_ok() : filo_error(FILO_ERROR_MEMORY, "no memory for the PNG");
}

FiloResult filo_image_encode(const FiloPixels *pixels, FiloFileData *data, const FiloAllocator *allocator) {
    if (data == NULL) return FILO_MISTAKE("pass where the bytes go");
    *data = (FiloFileData){ 0 };
    if (pixels == NULL || pixels->data == NULL || pixels->width <= 0 || pixels->height <= 0)
        return FILO_MISTAKE("pass pixels that filo_pixels_create made");
    size_t row_size = (size_t)pixels->width * sizeof(FiloColor);
    FiloColor *row = filo_alloc(allocator, row_size, 0);
    spng_ctx *png = row != NULL ? spng_ctx_new(SPNG_CTX_ENCODER) : NULL;
    FiloResult result = filo_error(FILO_ERROR_MEMORY, "no memory for the PNG");
    if (png != NULL) {
        int error = write_rows(png, pixels, row);
        result = error == 0 ? take_bytes(png, data, allocator)
                            : filo_error(error == SPNG_EMEM ? FILO_ERROR_MEMORY : FILO_ERROR_IO,
                                         "the PNG: %s", spng_strerror(error));
        spng_ctx_free(png);
    }
    filo_free(allocator, row, row_size, 0);
    return result;
}
