// TIFF, by libtiff, from memory. Only the first image of a file is read.
//
// Images in grey, in colour, of inks or with a palette are read sample by sample, of 1 to 16 bits: samples are written to
// the channels of the pixels, and converted at the end. What is left (YCbCr, Lab) is converted by libtiff to pixels of 8
// bits.

#include "assets/images/image.h"

#include <stdio.h>
#include <string.h>
#include <tiffio.h>

#define SAMPLES_MAX 16 // of a pixel

typedef struct Tiff {
    const AssetsImageSource *source;
    uint64_t position;
    FiloResult result; // the first error
    TIFF *file;
    FiloPixels *pixels;
    uint32_t width, height;
    uint16_t bits, samples, photometric, planes, format;
    int alpha;        // the sample that is alpha; -1: none
    bool multiplied;  // the colours are multiplied by alpha
    uint16_t *map[3]; // of a palette: red, green, blue
    int map_shift;    // to bytes
    uint8_t *buffer;  // of a row or a tile
    size_t buffer_size;
} Tiff;

// ---- The file in memory ---------------------------------------------------------------------------------

static tmsize_t on_read(thandle_t user, void *out, tmsize_t size) {
    Tiff *tiff = user;
    const AssetsImageSource *source = tiff->source;
    if (size <= 0 || tiff->position >= source->size) return 0;
    size_t count = FILO_MIN((size_t)size, (size_t)(source->size - tiff->position));
    memcpy(out, source->bytes + tiff->position, count);
    tiff->position += count;
    return (tmsize_t)count;
}

static tmsize_t on_write(thandle_t user, void *bytes, tmsize_t size) {
    FILO_UNUSED(user);
    FILO_UNUSED(bytes);
    FILO_UNUSED(size);
    return 0;
}

static toff_t on_seek(thandle_t user, toff_t offset, int whence) {
    Tiff *tiff = user;
    uint64_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? tiff->position : tiff->source->size;
    tiff->position = base + offset; // a position beyond the end is allowed: nothing is read there
    return tiff->position;
}

static int on_close(thandle_t user) {
    FILO_UNUSED(user);
    return 0;
}

static toff_t on_size(thandle_t user) { return ((const Tiff *)user)->source->size; }

// ---- Errors ---------------------------------------------------------------------------------------------

static void fail(Tiff *tiff, FiloCode code, const char *cause) {
    if (tiff->result.code == FILO_OK) tiff->result = filo_error(code, "%s: %s", tiff->source->name, cause);
}

static int on_error(TIFF *file, void *user, const char *module, const char *format, va_list arguments) {
    FILO_UNUSED(file);
    FILO_UNUSED(module);
    char text[140], cause[200];
    vsnprintf(text, sizeof text, format, arguments);
    snprintf(cause, sizeof cause, "broken TIFF, or of a kind that is not supported (%s)", text);
    if (strstr(text, "beyond the") != NULL)
        fail(user, FILO_ERROR_LIMIT, "the TIFF needs more memory than the limit");
    else if (strstr(text, "ut of memory") != NULL || strstr(text, "o space for") != NULL)
        fail(user, FILO_ERROR_MEMORY, "no memory for the picture");
    else
        fail(user, FILO_ERROR_DATA, cause);
    return 1; // handled: nothing is printed
}

// Most warnings are about tags that do not matter. Those of a JPEG inside are about pixels that are missing, and tags that
// cannot be read are those of a file that was cut off.
static int on_warning(TIFF *file, void *user, const char *module, const char *format, va_list arguments) {
    bool matters = (module != NULL && strcmp(module, "JPEGLib") == 0) || strncmp(format, "IO error", 8) == 0;
    return matters ? on_error(file, user, module, format, arguments) : 1;
}

static TIFF *open_file(Tiff *tiff) {
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (options == NULL) {
        fail(tiff, FILO_ERROR_MEMORY, "no memory for the picture");
        return NULL;
    }
    TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, tiff);
    TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, tiff);
    // Tables of the file may be larger than small images, but never larger than the file or this.
    size_t most = FILO_MAX(tiff->source->memory_limit, FILO_MIB(1));
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)FILO_MIN(most, (size_t)PTRDIFF_MAX));
    // "m": not mapped, so all reads are through on_read.
    TIFF *file = TIFFClientOpenExt(tiff->source->name, "rm", tiff, on_read, on_write, on_seek, on_close,
                                   on_size, NULL, NULL, options);
    TIFFOpenOptionsFree(options);
    if (file == NULL) fail(tiff, FILO_ERROR_DATA, "broken TIFF");
    return file;
}

// ---- The header -----------------------------------------------------------------------------------------

static void read_alpha(Tiff *tiff) {
    uint16_t count = 0, *kinds = NULL;
    tiff->alpha = -1;
    if (tiff->photometric == PHOTOMETRIC_SEPARATED)
        return; // extra samples are spot colours more often than alpha
    int colors = tiff->photometric == PHOTOMETRIC_RGB ? 3 : 1;
    if (tiff->samples <= colors) return;
    if (TIFFGetFieldDefaulted(tiff->file, TIFFTAG_EXTRASAMPLES, &count, &kinds) != 1) count = 0;
    // Extra samples whose meaning is not given are alpha in colour images, and anything in others.
    uint16_t kind = count > 0 && kinds != NULL ? kinds[0] : EXTRASAMPLE_UNSPECIFIED;
    if (kind == EXTRASAMPLE_UNSPECIFIED && colors == 1) return;
    tiff->alpha = colors;
    tiff->multiplied = kind == EXTRASAMPLE_ASSOCALPHA;
}

// The list of tags ends with the position of the next one. libtiff accepts a file that was cut off there.
static bool has_whole_directory(const Tiff *tiff) {
    const uint8_t *b = tiff->source->bytes;
    bool big_endian = b[0] == 'M', big_file = b[big_endian ? 3 : 2] == 43;
    uint64_t start = 0, count = 0;
    size_t size = tiff->source->size, width = big_file ? 8 : 4, at = big_file ? 8 : 4,
           digits = big_file ? 8 : 2;
    if (size < at + width) return false;
    for (size_t i = 0; i < width; i++) start |= (uint64_t)b[at + (big_endian ? width - 1 - i : i)] << (8 * i);
    if (start > size || size - start < digits) return false;
    for (size_t i = 0; i < digits; i++)
        count |= (uint64_t)b[start + (big_endian ? digits - 1 - i : i)] << (8 * i);
    size_t tag = big_file ? 20 : 12;
    return count <= size / tag && size - start >= digits + count * tag + width;
}

static bool read_header(Tiff *tiff) {
    TIFF *file = tiff->file;
    if (TIFFGetField(file, TIFFTAG_IMAGEWIDTH, &tiff->width) != 1 ||
        TIFFGetField(file, TIFFTAG_IMAGELENGTH, &tiff->height) != 1 || !has_whole_directory(tiff)) {
        fail(tiff, FILO_ERROR_DATA, "the TIFF ends too early, or has no size");
        return false;
    }
    TIFFGetFieldDefaulted(file, TIFFTAG_BITSPERSAMPLE, &tiff->bits);
    TIFFGetFieldDefaulted(file, TIFFTAG_SAMPLESPERPIXEL, &tiff->samples);
    TIFFGetFieldDefaulted(file, TIFFTAG_PLANARCONFIG, &tiff->planes);
    TIFFGetFieldDefaulted(file, TIFFTAG_SAMPLEFORMAT, &tiff->format);
    if (TIFFGetField(file, TIFFTAG_PHOTOMETRIC, &tiff->photometric) != 1)
        tiff->photometric = tiff->samples >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK;
    if (tiff->format != SAMPLEFORMAT_UINT && tiff->format != SAMPLEFORMAT_VOID) {
        fail(tiff, FILO_ERROR_UNSUPPORTED,
             "a TIFF whose samples are not whole numbers from 0 on cannot be read");
        return false;
    }
    if (tiff->samples == 0 || tiff->samples > SAMPLES_MAX) {
        fail(tiff, FILO_ERROR_DATA, "the TIFF has no samples, or too many");
        return false;
    }
    read_alpha(tiff);
    return true;
}

// Whether the entries of a palette have 16 bits. Some programs write 8.
static bool has_wide_palette(const Tiff *tiff) {
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 1 << tiff->bits; k++)
            if (tiff->map[i][k] > 255) return true;
    return false;
}

static bool read_palette(Tiff *tiff) {
    if (TIFFGetField(tiff->file, TIFFTAG_COLORMAP, &tiff->map[0], &tiff->map[1], &tiff->map[2]) != 1)
        return false;
    tiff->map_shift = has_wide_palette(tiff) ? 8 : 0;
    return true;
}

// Whether the samples are read one by one.
static bool is_plain(Tiff *tiff) {
    if (tiff->bits < 1 || tiff->bits > 16) return false;
    switch (tiff->photometric) {
    case PHOTOMETRIC_MINISWHITE:
    case PHOTOMETRIC_MINISBLACK: return true;
    case PHOTOMETRIC_RGB: return tiff->samples >= 3;
    case PHOTOMETRIC_SEPARATED: return tiff->samples >= 4;
    case PHOTOMETRIC_PALETTE: return read_palette(tiff);
    default: return false;
    }
}

// ---- Samples --------------------------------------------------------------------------------------------

// A part of the image in the buffer, with one sample of each pixel or with all of them.
typedef struct Block {
    uint32_t x, y, width, height; // inside the image
    uint32_t stride;              // pixels of a row in the buffer
    int first, count;             // samples
} Block;

// The channel that a sample is written to: its place in a FiloColor; -1: none. Black ink is in the place of alpha.
static int channel_of(const Tiff *tiff, int sample) {
    if (sample == tiff->alpha) return 3;
    int colors = tiff->photometric == PHOTOMETRIC_RGB         ? 3
                 : tiff->photometric == PHOTOMETRIC_SEPARATED ? 4
                                                              : 1;
    return sample < colors ? sample : -1;
}

static size_t row_bytes(const Tiff *tiff, uint64_t samples) {
    return (size_t)((samples * tiff->bits + 7) / 8);
}

// Samples follow each other without gaps, the highest bit first; those of 16 bits are in the order of this machine.
static uint32_t sample_at(const uint8_t *row, size_t index, unsigned bits) {
    uint16_t word;
    if (bits == 8) return row[index];
    if (bits == 16) {
        memcpy(&word, row + 2 * index, sizeof word);
        return word;
    }
    uint32_t value = 0;
    for (size_t bit = index * bits, end = bit + bits; bit < end; bit++)
        value = value << 1 | ((uint32_t)row[bit / 8] >> (7 - bit % 8) & 1u);
    return value;
}

static void copy_row(const Tiff *tiff, const Block *block, int sample, const uint8_t *row, FiloColor *to) {
    const int channel = channel_of(tiff, block->first + sample);
    const uint32_t most = (1u << tiff->bits) - 1;
    if (channel < 0) return;
    for (uint32_t x = 0; x < block->width; x++) {
        uint32_t value = sample_at(row, (size_t)x * (size_t)block->count + (size_t)sample, tiff->bits);
        uint8_t *out = &to[x].r;
        if (tiff->photometric != PHOTOMETRIC_PALETTE || channel == 3)
            out[channel] = (uint8_t)((value * 255u + most / 2) / most);
        else
            for (int i = 0; i < 3; i++) out[i] = (uint8_t)(tiff->map[i][value] >> tiff->map_shift);
    }
}

static void copy_block(Tiff *tiff, const Block *block) {
    size_t stride = row_bytes(tiff, (uint64_t)block->stride * (uint64_t)block->count);
    for (int s = 0; s < block->count; s++)
        for (uint32_t y = 0; y < block->height; y++)
            copy_row(tiff, block, s, tiff->buffer + y * stride,
                     filo_pixels_at(tiff->pixels, (int)block->x, (int)(block->y + y)));
}

static bool make_buffer(Tiff *tiff, uint64_t size) {
    if (size == 0 || size > FILO_MAX(tiff->source->memory_limit, FILO_MIB(1))) {
        fail(tiff, FILO_ERROR_LIMIT, "the TIFF needs more memory than the limit");
        return false;
    }
    tiff->buffer_size = (size_t)size;
    tiff->buffer = filo_alloc(tiff->source->allocator, tiff->buffer_size, 0);
    if (tiff->buffer == NULL) tiff->result = assets_image_no_memory(tiff->source);
    return tiff->buffer != NULL;
}

static void read_rows(Tiff *tiff) {
    bool apart = tiff->planes == PLANARCONFIG_SEPARATE;
    uint64_t row = row_bytes(tiff, (uint64_t)tiff->width * (apart ? 1 : tiff->samples));
    if (!make_buffer(tiff, FILO_MAX(TIFFScanlineSize64(tiff->file), row))) return;
    for (int s = 0; s < (apart ? tiff->samples : 1); s++)
        for (uint32_t y = 0; y < tiff->height; y++) {
            if (TIFFReadScanline(tiff->file, tiff->buffer, y, (uint16_t)s) != 1) {
                fail(tiff, FILO_ERROR_DATA, "broken TIFF");
                return;
            }
            copy_block(tiff, &(Block){ .y = y,
                                       .width = tiff->width,
                                       .height = 1,
                                       .stride = tiff->width,
                                       .first = s,
                                       .count = apart ? 1 : tiff->samples });
        }
}

static void read_tiles(Tiff *tiff) {
    bool apart = tiff->planes == PLANARCONFIG_SEPARATE;
    uint32_t tile_width = 0, tile_height = 0;
    TIFFGetField(tiff->file, TIFFTAG_TILEWIDTH, &tile_width);
    TIFFGetField(tiff->file, TIFFTAG_TILELENGTH, &tile_height);
    uint64_t row = row_bytes(tiff, (uint64_t)tile_width * (apart ? 1 : tiff->samples));
    uint64_t size = row > UINT32_MAX ? UINT64_MAX : row * tile_height;
    if (!make_buffer(tiff, FILO_MAX(TIFFTileSize64(tiff->file), size))) return;
    for (int s = 0; s < (apart ? tiff->samples : 1); s++)
        for (uint32_t y = 0; y < tiff->height; y += FILO_MIN(tile_height, tiff->height - y))
            for (uint32_t x = 0; x < tiff->width; x += FILO_MIN(tile_width, tiff->width - x)) {
                if (TIFFReadTile(tiff->file, tiff->buffer, x, y, 0, (uint16_t)s) < 0) {
                    fail(tiff, FILO_ERROR_DATA, "broken TIFF");
                    return;
                }
                copy_block(tiff, &(Block){ .x = x,
                                           .y = y,
                                           .width = FILO_MIN(tile_width, tiff->width - x),
                                           .height = FILO_MIN(tile_height, tiff->height - y),
                                           .stride = tile_width,
                                           .first = s,
                                           .count = apart ? 1 : tiff->samples });
            }
}

// ---- Conversion -----------------------------------------------------------------------------------------

static FiloColor straight(FiloColor c) {
    if (c.a == 0) return filo_color(0, 0, 0, 0);
    unsigned half = c.a / 2u, r = (c.r * 255u + half) / c.a, g = (c.g * 255u + half) / c.a;
    unsigned b = (c.b * 255u + half) / c.a;
    return filo_color((uint8_t)FILO_MIN(r, 255u), (uint8_t)FILO_MIN(g, 255u), (uint8_t)FILO_MIN(b, 255u),
                      c.a);
}

static FiloColor without_inks(FiloColor inks) {
    unsigned light = 255u - inks.a; // what black ink leaves
    return filo_color((uint8_t)(light * (255u - inks.r) / 255), (uint8_t)(light * (255u - inks.g) / 255),
                      (uint8_t)(light * (255u - inks.b) / 255), 255);
}

// Makes colours of the samples.
static void convert(Tiff *tiff) {
    bool inverted = tiff->photometric == PHOTOMETRIC_MINISWHITE,
         inks = tiff->photometric == PHOTOMETRIC_SEPARATED;
    bool grey = inverted || tiff->photometric == PHOTOMETRIC_MINISBLACK;
    size_t count = (size_t)tiff->pixels->stride * (size_t)tiff->pixels->height;
    for (size_t i = 0; i < count; i++) {
        FiloColor c = inks ? without_inks(tiff->pixels->data[i]) : tiff->pixels->data[i];
        if (tiff->alpha < 0) c.a = 255;
        if (inverted) c.r = (uint8_t)(255 - c.r);
        if (grey) c.g = c.b = c.r;
        tiff->pixels->data[i] = tiff->multiplied ? straight(c) : c;
    }
}

// By libtiff, which multiplies by alpha.
static void read_by_library(Tiff *tiff) {
    TIFF *file = tiff->file;
    uint64_t part = TIFFIsTiled(file) ? TIFFTileSize64(file) : TIFFStripSize64(file);
    uint16_t orientation = ORIENTATION_TOPLEFT;
    char reason[1024];
    if (part == 0 || part > FILO_MAX(tiff->source->memory_limit, FILO_MIB(1))) {
        fail(tiff, FILO_ERROR_LIMIT, "the TIFF needs more memory than the limit");
    } else if (!TIFFRGBAImageOK(file, reason)) {
        char cause[200];
        snprintf(cause, sizeof cause, "a TIFF of this kind is not supported (%.150s)", reason);
        fail(tiff, FILO_ERROR_UNSUPPORTED, cause);
    } else {
        // In the orientation of the file; the picture is turned at the end.
        TIFFGetFieldDefaulted(file, TIFFTAG_ORIENTATION, &orientation);
        uint32_t *out = (uint32_t *)(void *)tiff->pixels->data;
        if (!TIFFReadRGBAImageOriented(file, tiff->width, tiff->height, out, orientation, 1))
            fail(tiff, FILO_ERROR_DATA, "broken TIFF");
        size_t count = (size_t)tiff->width * tiff->height;
        for (size_t i = 0; i < count; i++) {
            uint32_t c = out[i];
            tiff->pixels->data[i] = straight(filo_color((uint8_t)TIFFGetR(c), (uint8_t)TIFFGetG(c),
                                                        (uint8_t)TIFFGetB(c), (uint8_t)TIFFGetA(c)));
        }
    }
}

// ---- Decoding -------------------------------------------------------------------------------------------

static void read_image(Tiff *tiff) {
    if (tiff->result.code != FILO_OK || !read_header(tiff)) return;
    FiloResult made = assets_image_make_pixels(tiff->source, tiff->pixels, tiff->width, tiff->height, 1);
    if (made.code != FILO_OK) {
        tiff->result = made;
        return;
    }
    if (!is_plain(tiff)) {
        read_by_library(tiff);
    } else {
        if (TIFFIsTiled(tiff->file))
            read_tiles(tiff);
        else
            read_rows(tiff);
        filo_free(tiff->source->allocator, tiff->buffer, tiff->buffer_size, 0);
        if (tiff->result.code == FILO_OK) convert(tiff);
    }
    uint16_t orientation = ORIENTATION_TOPLEFT;
    TIFFGetFieldDefaulted(tiff->file, TIFFTAG_ORIENTATION, &orientation);
    if (tiff->result.code == FILO_OK)
        tiff->result = assets_image_turn(tiff->source, tiff->pixels, orientation);
}

FiloResult assets_tiff_decode(const AssetsImageSource *source, FiloPixels *pixels) {
    *pixels = (FiloPixels){ 0 };
    Tiff tiff = { .source = source, .pixels = pixels, .result = filo_ok() };
    tiff.file = open_file(&tiff);
    if (tiff.file != NULL) {
        read_image(&tiff);
        TIFFClose(tiff.file);
    }
    if (tiff.result.code != FILO_OK) filo_pixels_free(pixels, source->allocator);
    return tiff.result;
}
