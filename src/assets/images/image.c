// Image files: formats, limits, and the steps that all formats share.
//
// The steps are the same for every format: the size is read from the header and compared with the limits, memory is
// allocated, the pixels are read with straight colours, and finally multiplied by alpha.

#include <filo/check.h>

#include "assets/images/image.h"

#include <string.h>

#define DEFAULT_MEMORY_LIMIT FILO_MIB(256)

// ---- Formats ------------------------------------------------------------------------------------------

static bool begins_with(const uint8_t *bytes, size_t size, const char *start, size_t length) {
    return size >= length && memcmp(bytes, start, length) == 0;
}

FiloImageFormat filo_image_format(const void *bytes, size_t size, const char *name) {
    static const char tga_footer[] = "TRUEVISION-XFILE.";
    if (bytes == NULL) return FILO_IMAGE_UNKNOWN;
    const uint8_t *start = bytes;
    if (begins_with(start, size, "\x89PNG\r\n\x1a\n", 8)) return FILO_IMAGE_PNG;
    if (begins_with(start, size, "\xFF\xD8\xFF", 3)) return FILO_IMAGE_JPEG;
    if (begins_with(start, size, "GIF87a", 6) || begins_with(start, size, "GIF89a", 6)) return FILO_IMAGE_GIF;
    if (begins_with(start, size, "RIFF", 4) && size >= 12 && memcmp(start + 8, "WEBP", 4) == 0)
        return FILO_IMAGE_WEBP;
    if (begins_with(start, size, "II*\0", 4) || begins_with(start, size, "MM\0*", 4) ||
        begins_with(start, size, "II+\0", 4) || begins_with(start, size, "MM\0+", 4))
        return FILO_IMAGE_TIFF;
    if (begins_with(start, size, "#?RADIANCE\n", 11) || begins_with(start, size, "#?RGBE\n", 7))
        return FILO_IMAGE_HDR;
    if (name != NULL && filo_path_has_extension(name, "tga")) return FILO_IMAGE_TGA;
    if (size >= 44 && memcmp(start + size - 18, tga_footer, sizeof tga_footer) == 0) return FILO_IMAGE_TGA;
    // Last, because other files may begin with these two letters too.
    if (begins_with(start, size, "BM", 2)) return FILO_IMAGE_BMP;
    return FILO_IMAGE_UNKNOWN;
}

static FiloResult unknown_format(const char *name) {
    static const struct {
        const char *extension, *format;
    } formats[] = { { "png", "a PNG" },  { "jpg", "a JPEG" },  { "jpeg", "a JPEG" },
                    { "gif", "a GIF" },  { "bmp", "a BMP" },   { "hdr", "an HDR" },
                    { "tif", "a TIFF" }, { "tiff", "a TIFF" }, { "webp", "a WebP" } };
    for (size_t i = 0; i < FILO_COUNT_OF(formats); i++)
        if (filo_path_has_extension(name, formats[i].extension))
            return filo_error(FILO_ERROR_DATA, "%s: not %s (bad signature)", name, formats[i].format);
    return filo_error(FILO_ERROR_DATA,
                      "%s: not a picture of a known kind (PNG, JPEG, GIF, WebP, TIFF, BMP, TGA or HDR)",
                      name);
}

// ---- Limits -------------------------------------------------------------------------------------------

FiloResult assets_image_check_size(const AssetsImageSource *source, uint64_t width, uint64_t height,
                                   uint64_t frames) {
    if (width == 0 || height == 0)
        return filo_error(FILO_ERROR_DATA, "%s: a picture of %llu x %llu pixels", source->name,
                          (unsigned long long)width, (unsigned long long)height);
    size_t limit = source->memory_limit / sizeof(FiloColor);
    // Width and height have at most 32 bits, so their product does not overflow.
    bool fits = width * height <= limit && frames <= limit / (width * height);
    if (!fits && frames > 1)
        return filo_error(FILO_ERROR_LIMIT,
                          "%s: %llu frames of %llu x %llu pixels is more than the limit of %zu", source->name,
                          (unsigned long long)frames, (unsigned long long)width, (unsigned long long)height,
                          limit);
    if (!fits)
        return filo_error(FILO_ERROR_LIMIT, "%s: %llu x %llu pixels is more than the limit of %zu",
                          source->name, (unsigned long long)width, (unsigned long long)height, limit);
    uint64_t total_height = height * frames;
    if (width > FILO_PIXELS_MAX || total_height > FILO_PIXELS_MAX)
        return filo_error(FILO_ERROR_LIMIT, "%s: %llu x %llu pixels%s; a side may have at most %d",
                          source->name, (unsigned long long)width, (unsigned long long)total_height,
                          frames > 1 ? " with all frames one below the other" : "", FILO_PIXELS_MAX);
    return filo_ok();
}

FiloResult assets_image_no_memory(const AssetsImageSource *source) {
    return filo_error(FILO_ERROR_MEMORY, "%s: no memory for the picture", source->name);
}

FiloResult assets_image_cut(const AssetsImageSource *source) {
    return filo_error(FILO_ERROR_DATA, "%s: the file ends too early", source->name);
}

FiloResult assets_image_make_pixels(const AssetsImageSource *source, FiloPixels *pixels, uint64_t width,
                                    uint64_t height, uint64_t frames) {
    *pixels = (FiloPixels){ 0 };
    FiloResult result = assets_image_check_size(source, width, height, frames);
    if (result.code != FILO_OK) return result;
    if (!filo_pixels_create(pixels, (int)width, (int)(height * frames), source->allocator))
        return assets_image_no_memory(source);
    return filo_ok();
}

// ---- Decoding -----------------------------------------------------------------------------------------

static void premultiply(const FiloPixels *pixels) {
    size_t count = (size_t)pixels->stride * (size_t)pixels->height;
    for (size_t i = 0; i < count; i++) {
        FiloColor c = pixels->data[i];
        pixels->data[i] = filo_color_from_bytes(c.r, c.g, c.b, c.a);
    }
}

FiloResult assets_image_open(AssetsImageSource *source, const void *bytes, size_t size, const char *name,
                             const FiloImageOptions *options) {
    static const FiloImageOptions defaults = { 0 };
    if (options == NULL) options = &defaults;
    *source = (AssetsImageSource){ bytes, size, name != NULL ? name : "picture",
                                   options->memory_limit > 0 ? options->memory_limit : DEFAULT_MEMORY_LIMIT,
                                   options->allocator };
    if (bytes == NULL && size > 0) return FILO_MISTAKE("pass the bytes of the file");
    return size > 0 ? filo_ok() : filo_error(FILO_ERROR_DATA, "%s: the file is empty", source->name);
}

// Colours are linear in an HDR file, and sRGB in pixels.
static FiloResult decode_hdr_as_bytes(const AssetsImageSource *source, FiloPixels *pixels) {
    float *values;
    int width, height;
    FiloResult result = assets_hdr_decode(source, &values, &width, &height);
    if (result.code != FILO_OK) return result;
    size_t count = (size_t)width * (size_t)height;
    result = assets_image_make_pixels(source, pixels, (uint64_t)width, (uint64_t)height, 1);
    for (size_t i = 0; result.code == FILO_OK && i < count; i++) {
        const float *from = values + 4 * i;
        pixels->data[i] = filo_color(filo_byte_from_unit(filo_linear_to_srgb(from[0])),
                                     filo_byte_from_unit(filo_linear_to_srgb(from[1])),
                                     filo_byte_from_unit(filo_linear_to_srgb(from[2])), 255);
    }
    filo_free(source->allocator, values, count * 4 * sizeof(float), 0);
    return result;
}

static FiloResult decode_one(const AssetsImageSource *source, FiloImageFormat format, FiloPixels *pixels) {
    switch (format) {
    case FILO_IMAGE_PNG: return assets_png_decode(source, pixels);
    case FILO_IMAGE_JPEG: return assets_jpeg_decode(source, pixels);
    case FILO_IMAGE_TIFF: return assets_tiff_decode(source, pixels);
    case FILO_IMAGE_BMP: return assets_bmp_decode(source, pixels);
    case FILO_IMAGE_TGA: return assets_tga_decode(source, pixels);
    case FILO_IMAGE_HDR: return decode_hdr_as_bytes(source, pixels);
    case FILO_IMAGE_GIF:
    case FILO_IMAGE_WEBP:
    case FILO_IMAGE_UNKNOWN: break;
    }
    return unknown_format(source->name);
}

static bool has_frames(FiloImageFormat format) {
    return format == FILO_IMAGE_GIF || format == FILO_IMAGE_WEBP;
}

static FiloResult decode_frames(const AssetsImageSource *source, FiloImageFormat format,
                                FiloImageFrames *frames, bool only_first) {
    return format == FILO_IMAGE_GIF ? assets_gif_decode(source, frames, only_first)
                                    : assets_webp_decode(source, frames, only_first);
}

FiloResult filo_image_decode(FiloPixels *pixels, const void *bytes, size_t size, const char *name,
                             const FiloImageOptions *options) {
    *pixels = (FiloPixels){ 0 };
    AssetsImageSource source;
    FiloResult result = assets_image_open(&source, bytes, size, name, options);
    if (result.code != FILO_OK) return result;
    FiloImageFormat format = filo_image_format(bytes, size, name);
    if (has_frames(format)) {
        FiloImageFrames frames;
        result = decode_frames(&source, format, &frames, true);
        *pixels = frames.pixels;
        frames.pixels = (FiloPixels){ 0 };
        filo_image_frames_free(&frames, source.allocator);
    } else {
        result = decode_one(&source, format, pixels);
    }
    bool opaque = format == FILO_IMAGE_JPEG;
    if (result.code == FILO_OK && !opaque && (options == NULL || !options->straight)) premultiply(pixels);
    return result;
}

FiloResult filo_image_decode_frames(FiloImageFrames *frames, const void *bytes, size_t size, const char *name,
                                    const FiloImageOptions *options) {
    *frames = (FiloImageFrames){ 0 };
    AssetsImageSource source;
    FiloResult result = assets_image_open(&source, bytes, size, name, options);
    if (result.code != FILO_OK) return result;
    FiloImageFormat format = filo_image_format(bytes, size, name);
    if (has_frames(format)) {
        result = decode_frames(&source, format, frames, false);
        if (result.code == FILO_OK && (options == NULL || !options->straight)) premultiply(&frames->pixels);
        return result;
    }
    FiloImageFrames made = { .frame_count = 1 };
    result = filo_image_decode(&made.pixels, bytes, size, name, options);
    if (result.code != FILO_OK) return result;
    made.width = made.pixels.width;
    made.height = made.pixels.height;
    made.seconds = filo_alloc_zero(source.allocator, sizeof(float), 0);
    if (made.seconds == NULL) {
        filo_image_frames_free(&made, source.allocator);
        return assets_image_no_memory(&source);
    }
    *frames = made;
    return filo_ok();
}

void filo_image_frames_free(FiloImageFrames *frames, const FiloAllocator *allocator) {
    filo_pixels_free(&frames->pixels, allocator);
    if (frames->seconds != NULL)
        filo_free(allocator, frames->seconds, (size_t)frames->frame_count * sizeof(float), 0);
    *frames = (FiloImageFrames){ 0 };
}

FiloResult filo_image_decode_float(float **values, int *width, int *height, const void *bytes, size_t size,
                                   const char *name, const FiloImageOptions *options) {
    if (values == NULL || width == NULL || height == NULL)
        return FILO_MISTAKE("pass where the values and their size go");
    *values = NULL;
    *width = *height = 0;
    AssetsImageSource source;
    FiloResult result = assets_image_open(&source, bytes, size, name, options);
    if (result.code != FILO_OK) return result;
    if (filo_image_format(bytes, size, name) != FILO_IMAGE_HDR)
        return filo_error(FILO_ERROR_DATA, "%s: not an HDR (bad signature)", source.name);
    source.memory_limit /= sizeof(float); // the limit is for channels of one byte
    return assets_hdr_decode(&source, values, width, height);
}

// ---- Files --------------------------------------------------------------------------------------------

FiloResult filo_image_load(FiloPixels *pixels, const char *path, const FiloImageOptions *options) {
    *pixels = (FiloPixels){ 0 };
    if (path == NULL) return FILO_MISTAKE("pass the path of the picture");
    FiloFileData data;
    FiloFileReadDesc desc = { .allocator = options != NULL ? options->allocator : NULL };
    FiloResult result = filo_file_read(&data, path, &desc);
    if (result.code != FILO_OK) return result;
    result = filo_image_decode(pixels, data.bytes, data.size, path, options);
    filo_file_free(&data);
    return result;
}

FiloResult assets_image_write(const char *path, FiloFileData *data, const FiloResult *encoded) {
    if (encoded->code != FILO_OK) return filo_error(encoded->code, "%s: %s", path, encoded->message);
    FiloResult result = filo_file_write(path, data->bytes, data->size, NULL);
    filo_file_free(data);
    return result;
}

FiloResult filo_image_save(const FiloPixels *pixels, const char *path) {
    if (path == NULL) return FILO_MISTAKE("pass the path to save the picture to");
    FiloFileData data;
    FiloResult encoded = filo_image_encode(pixels, &data, NULL);
    return assets_image_write(path, &data, &encoded);
}
