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

// Reads the header. On success, free the context by spng_ctx_free.
static FiloResult open_png(const AssetsImageSource *source, spng_ctx **png, struct spng_ihdr *header) {
    out_of_memory = false;
    struct spng_alloc allocation = { checked_malloc, checked_realloc, checked_calloc, free };
    *png = spng_ctx_new2(&allocation, 0);
    if (*png == NULL) return assets_image_no_memory(source);
    int error = spng_set_png_buffer(*png, source->bytes, source->size);
    if (error == 0) error = spng_set_chunk_limits(*png, CHUNK_LIMIT, CHUNK_LIMIT);
    if (error == 0) error = spng_get_ihdr(*png, header);
    if (error == 0) return filo_ok();
    spng_ctx_free(*png);
    return png_error(source, error);
}

static int read_pixels(spng_ctx *png, const AssetsImageSource *source, void *pixels, size_t size, int format,
                       int flags) {
    int error = spng_decode_image(png, pixels, size, format, flags);
    // Read the chunks after the pixels, so that errors in them are found too.
    if (error == 0) error = spng_decode_chunks(png);
    return error == 0 && !is_complete(source) ? SPNG_IO_EOF : error;
}

FiloResult assets_png_decode(const AssetsImageSource *source, FiloPixels *pixels) {
    *pixels = (FiloPixels){ 0 };
    spng_ctx *png;
    struct spng_ihdr header;
    FiloResult result = open_png(source, &png, &header);
    if (result.code != FILO_OK) return result;
    result = assets_image_make_pixels(source, pixels, header.width, header.height, 1);
    if (result.code == FILO_OK) {
        size_t size = (size_t)header.width * header.height * sizeof(FiloColor);
        int error = read_pixels(png, source, pixels->data, size, SPNG_FMT_RGBA8, SPNG_DECODE_TRNS);
        if (error != 0) {
            filo_pixels_free(pixels, source->allocator);
            result = png_error(source, error);
        }
    }
    spng_ctx_free(png);
    return result;
}

// ---- Grey values ----------------------------------------------------------------------------------------

// The bytes are read into the second half of the memory, and widened from the front: a value never overwrites a byte
// that has not been read.
static int read_grey_bytes(spng_ctx *png, const AssetsImageSource *source, uint16_t *values, size_t count) {
    uint8_t *bytes = (uint8_t *)values + count;
    int error = read_pixels(png, source, bytes, count, SPNG_FMT_G8, 0);
    for (size_t i = 0; error == 0 && i < count; i++) values[i] = (uint16_t)(bytes[i] * 257u);
    return error;
}

#define COLOR_SIZE 8 // bytes of a colour of four 16-bit channels

static int read_colors(spng_ctx *png, const AssetsImageSource *source, uint16_t *values, size_t count) {
    uint16_t *colors = filo_alloc(source->allocator, count * COLOR_SIZE, 0);
    if (colors == NULL) return SPNG_EMEM;
    int error = read_pixels(png, source, colors, count * COLOR_SIZE, SPNG_FMT_RGBA16, 0);
    for (size_t i = 0; error == 0 && i < count; i++) {
        const uint16_t *c = colors + 4 * i;
        values[i] = (uint16_t)((13933u * c[0] + 46871u * c[1] + 4732u * c[2] + 32768u) >> 16);
    }
    filo_free(source->allocator, colors, count * COLOR_SIZE, 0);
    return error;
}

FiloResult assets_png_decode_grey(const AssetsImageSource *source, FiloGrey16 *grey) {
    *grey = (FiloGrey16){ 0 };
    spng_ctx *png;
    struct spng_ihdr header;
    FiloResult result = open_png(source, &png, &header);
    if (result.code != FILO_OK) return result;
    bool is_grey = header.color_type == SPNG_COLOR_TYPE_GRAYSCALE;
    result = assets_grey_make(source, grey, header.width, header.height, is_grey ? 0 : COLOR_SIZE);
    if (result.code == FILO_OK) {
        size_t count = (size_t)header.width * header.height;
        int error = !is_grey                 ? read_colors(png, source, grey->data, count)
                    : header.bit_depth == 16 ? read_pixels(png, source, grey->data, 2 * count, SPNG_FMT_PNG,
                                                           0) // in the host's order
                                             : read_grey_bytes(png, source, grey->data, count);
        if (error != 0) {
            filo_grey16_free(grey, source->allocator);
            result = png_error(source, error);
        }
    }
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

// Rows of a picture that is written. `prepare` writes row y as PNG needs it to `row`, of `row_size` bytes, and returns
// it, or a pointer to memory that has it already.
typedef struct Rows {
    struct spng_ihdr header;
    const void *image;
    const void *(*prepare)(const void *image, int y, void *row);
    void *row;
    size_t row_size;
    int level; // of compression; 0: that of the library
} Rows;

static const void *prepare_pixels(const void *image, int y, void *row) {
    const FiloPixels *pixels = image;
    unpremultiply_row(row, filo_pixels_at(pixels, 0, y), pixels->width);
    return row;
}

static const void *prepare_grey(const void *image, int y, void *row) {
    FILO_UNUSED(row);
    return filo_grey16_at(image, 0, y); // libspng changes the order of bytes
}

static int write_rows(spng_ctx *png, const Rows *rows) {
    struct spng_ihdr header = rows->header;
    int height = (int)header.height, error = spng_set_option(png, SPNG_ENCODE_TO_BUFFER, 1);
    if (error == 0 && rows->level > 0) error = spng_set_option(png, SPNG_IMG_COMPRESSION_LEVEL, rows->level);
    if (error == 0) error = spng_set_ihdr(png, &header);
    if (error == 0)
        error = spng_encode_image(png, NULL, 0, SPNG_FMT_PNG, SPNG_ENCODE_PROGRESSIVE | SPNG_ENCODE_FINALIZE);
    for (int y = 0; error == 0 && y < height; y++) {
        error = spng_encode_row(png, rows->prepare(rows->image, y, rows->row), rows->row_size);
        if (error == SPNG_EOI) return y + 1 == height ? 0 : SPNG_EINTERNAL;
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

static FiloResult encode(const Rows *rows, FiloFileData *data, const FiloAllocator *allocator) {
    spng_ctx *png = spng_ctx_new(SPNG_CTX_ENCODER);
    if (png == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for the PNG");
    int error = write_rows(png, rows);
    FiloResult result = error == 0 ? take_bytes(png, data, allocator)
                                   : filo_error(error == SPNG_EMEM ? FILO_ERROR_MEMORY : FILO_ERROR_IO,
                                                "the PNG: %s", spng_strerror(error));
    spng_ctx_free(png);
    return result;
}

static struct spng_ihdr header_of(int width, int height, uint8_t bit_depth, uint8_t color_type) {
    return (struct spng_ihdr){
        .width = (uint32_t)width, .height = (uint32_t)height, .bit_depth = bit_depth, .color_type = color_type
    };
}

FiloResult filo_image_encode(const FiloPixels *pixels, FiloFileData *data, const FiloAllocator *allocator) {
    if (data == NULL) return FILO_MISTAKE("pass where the bytes go");
    *data = (FiloFileData){ 0 };
    if (pixels == NULL || pixels->data == NULL || pixels->width <= 0 || pixels->height <= 0)
        return FILO_MISTAKE("pass pixels that filo_pixels_create made");
    Rows rows = { .header = header_of(pixels->width, pixels->height, 8, SPNG_COLOR_TYPE_TRUECOLOR_ALPHA),
                  .image = pixels,
                  .prepare = prepare_pixels,
                  .row_size = (size_t)pixels->width * sizeof(FiloColor) };
    rows.row = filo_alloc(allocator, rows.row_size, 0);
    if (rows.row == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for the PNG");
    FiloResult result = encode(&rows, data, allocator);
    filo_free(allocator, rows.row, rows.row_size, 0);
    return result;
}

FiloResult filo_grey16_encode(const FiloGrey16 *grey, FiloFileData *data, const FiloAllocator *allocator) {
    if (data == NULL) return FILO_MISTAKE("pass where the bytes go");
    *data = (FiloFileData){ 0 };
    if (grey == NULL || grey->data == NULL || grey->width <= 0 || grey->height <= 0)
        return FILO_MISTAKE("pass values that filo_grey16_create made");
    Rows rows = { .header = header_of(grey->width, grey->height, 16, SPNG_COLOR_TYPE_GRAYSCALE),
                  .image = grey,
                  .prepare = prepare_grey,
                  .row_size = (size_t)grey->width * sizeof(uint16_t),
                  // Heightmaps become no smaller at higher levels, which take up to four times as long.
                  .level = 3 };
    return encode(&rows, data, allocator);
}
