// Grey values of 16 bits: memory, limits, raw files. png.c reads and writes the PNG files.

#include <filo/check.h>

#include "assets/images/image.h"

#include <string.h>

// ---- Memory ---------------------------------------------------------------------------------------------

static size_t size_of(int width, int height) { return (size_t)width * (size_t)height * sizeof(uint16_t); }

static bool allocate(FiloGrey16 *grey, int width, int height, const FiloAllocator *allocator, bool zero) {
    *grey = (FiloGrey16){ 0 };
    if (width < 1 || height < 1) return false;
    size_t size = size_of(width, height); // below 2^63
    uint16_t *data = zero ? filo_alloc_zero(allocator, size, 0) : filo_alloc(allocator, size, 0);
    if (data == NULL) return false;
    *grey = (FiloGrey16){ data, width, height, width };
    return true;
}

bool filo_grey16_create(FiloGrey16 *grey, int width, int height, const FiloAllocator *allocator) {
    if (!FILO_CHECK(grey != NULL, "pass where the values go")) return false;
    return allocate(grey, width, height, allocator, true);
}

void filo_grey16_free(FiloGrey16 *grey, const FiloAllocator *allocator) {
    if (grey == NULL) return;
    if (grey->data != NULL) filo_free(allocator, grey->data, size_of(grey->stride, grey->height), 0);
    *grey = (FiloGrey16){ 0 };
}

FiloResult assets_grey_make(const AssetsImageSource *source, FiloGrey16 *grey, uint64_t width,
                            uint64_t height, size_t extra) {
    *grey = (FiloGrey16){ 0 };
    unsigned long long w = width, h = height;
    if (width == 0 || height == 0 || width > INT32_MAX || height > INT32_MAX)
        return filo_error(FILO_ERROR_DATA, "%s: a picture of %llu x %llu pixels", source->name, w, h);
    size_t limit = source->memory_limit / (sizeof(uint16_t) + extra);
    if (width * height > limit)
        return filo_error(FILO_ERROR_LIMIT, "%s: %llu x %llu pixels is more than the limit of %zu",
                          source->name, w, h, limit);
    if (!allocate(grey, (int)width, (int)height, source->allocator, false))
        return assets_image_no_memory(source);
    return filo_ok();
}

// ---- PNG ------------------------------------------------------------------------------------------------

FiloResult filo_grey16_decode(FiloGrey16 *grey, const void *bytes, size_t size, const char *name,
                              const FiloImageOptions *options) {
    if (grey == NULL) return FILO_MISTAKE("pass where the values go");
    *grey = (FiloGrey16){ 0 };
    AssetsImageSource source;
    FiloResult result = assets_image_open(&source, bytes, size, name, options);
    if (result.code != FILO_OK) return result;
    if (filo_image_format(bytes, size, NULL) != FILO_IMAGE_PNG)
        return filo_error(FILO_ERROR_DATA, "%s: not a PNG (bad signature)", source.name);
    return assets_png_decode_grey(&source, grey);
}

static FiloResult read_file(FiloFileData *data, const char *path, const FiloImageOptions *options) {
    if (path == NULL) return FILO_MISTAKE("pass the path of the picture");
    FiloFileReadDesc desc = { .allocator = options != NULL ? options->allocator : NULL };
    return filo_file_read(data, path, &desc);
}

FiloResult filo_grey16_load(FiloGrey16 *grey, const char *path, const FiloImageOptions *options) {
    if (grey == NULL) return FILO_MISTAKE("pass where the values go");
    *grey = (FiloGrey16){ 0 };
    FiloFileData data = { 0 };
    FiloResult result = read_file(&data, path, options);
    if (result.code != FILO_OK) return result;
    result = filo_grey16_decode(grey, data.bytes, data.size, path, options);
    filo_file_free(&data);
    return result;
}

FiloResult filo_grey16_save(const FiloGrey16 *grey, const char *path) {
    if (path == NULL) return FILO_MISTAKE("pass the path to save the values to");
    FiloFileData data;
    FiloResult encoded = filo_grey16_encode(grey, &data, NULL);
    return assets_image_write(path, &data, &encoded);
}

// ---- Raw files ------------------------------------------------------------------------------------------

// The largest number whose square is at most `n`.
static uint64_t square_root(uint64_t n) {
    uint64_t root = 0;
    for (uint64_t bit = UINT64_C(1) << 31; bit > 0; bit >>= 1)
        if ((root | bit) * (root | bit) <= n) root |= bit;
    return root;
}

static FiloResult raw_size(const AssetsImageSource *source, const FiloRawDesc *raw, uint64_t *width,
                           uint64_t *height) {
    *width = (uint64_t)raw->width;
    *height = (uint64_t)raw->height;
    if (raw->width == 0 && raw->height == 0) {
        *width = *height = square_root(source->size / 2);
        if (2 * *width * *height == source->size) return filo_ok();
        return filo_error(FILO_ERROR_DATA,
                          "%s: %zu bytes are not a square of 16-bit values; give its width and height",
                          source->name, source->size);
    }
    if (2 * *width * *height == source->size) return filo_ok();
    return filo_error(FILO_ERROR_DATA, "%s: %d x %d values of 16 bits have %llu bytes, and the file has %zu",
                      source->name, raw->width, raw->height, 2ull * *width * *height, source->size);
}

FiloResult filo_grey16_decode_raw(FiloGrey16 *grey, const void *bytes, size_t size, const char *name,
                                  const FiloRawDesc *raw, const FiloImageOptions *options) {
    static const FiloRawDesc square = { 0 };
    if (grey == NULL) return FILO_MISTAKE("pass where the values go");
    *grey = (FiloGrey16){ 0 };
    if (raw == NULL) raw = &square;
    if (raw->width < 0 || raw->height < 0 || (raw->width == 0) != (raw->height == 0))
        return FILO_MISTAKE("pass a width and a height of at least 1, or 0 for both");
    AssetsImageSource source;
    uint64_t width, height;
    FiloResult result = assets_image_open(&source, bytes, size, name, options);
    if (result.code == FILO_OK) result = raw_size(&source, raw, &width, &height);
    if (result.code == FILO_OK) result = assets_grey_make(&source, grey, width, height, 0);
    if (result.code != FILO_OK) return result;
    int high = raw->big_endian ? 0 : 1;
    for (size_t i = 0; i < size / 2; i++) {
        const uint8_t *from = source.bytes + 2 * i;
        grey->data[i] = (uint16_t)(from[high] << 8 | from[1 - high]);
    }
    return result;
}

FiloResult filo_grey16_load_raw(FiloGrey16 *grey, const char *path, const FiloRawDesc *raw,
                                const FiloImageOptions *options) {
    if (grey == NULL) return FILO_MISTAKE("pass where the values go");
    *grey = (FiloGrey16){ 0 };
    FiloFileData data = { 0 };
    FiloResult result = read_file(&data, path, options);
    if (result.code != FILO_OK) return result;
    result = filo_grey16_decode_raw(grey, data.bytes, data.size, path, raw, options);
    filo_file_free(&data);
    return result;
}
