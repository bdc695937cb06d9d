// Small image files of every format, made in memory.

#ifndef FILO_TEST_ASSETS_PICTURES_H
#define FILO_TEST_ASSETS_PICTURES_H

#include <filo/image.h>

#include <gif_lib.h>
#include <spng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

#include <jpeglib.h>
#include <webp/encode.h>

// A file in static memory.
typedef struct Picture {
    const char *name;
    uint8_t *bytes;
    size_t size;
} Picture;

static uint8_t picture_memory[1 << 22];
static size_t picture_memory_used;

// A file that is not the last one is moved to the end first.
static inline void add_bytes(Picture *picture, const void *bytes, size_t size) {
    uint8_t *end = picture_memory + picture_memory_used;
    if (picture_memory_used + picture->size + size > sizeof picture_memory) abort();
    if (picture->bytes == NULL || picture->bytes + picture->size != end) {
        if (picture->size > 0) memcpy(end, picture->bytes, picture->size);
        picture->bytes = end;
        picture_memory_used += picture->size;
    }
    memcpy(picture->bytes + picture->size, bytes, size);
    picture->size += size;
    picture_memory_used += size;
}

// Copies the output of a library, and frees it.
static inline Picture take_bytes(const char *name, void *bytes, size_t size) {
    Picture picture = { .name = name };
    add_bytes(&picture, bytes, size);
    free(bytes);
    return picture;
}

static inline void add_u16(Picture *picture, unsigned value) {
    uint8_t bytes[2] = { (uint8_t)value, (uint8_t)(value >> 8) };
    add_bytes(picture, bytes, sizeof bytes);
}

static inline void add_u32(Picture *picture, uint32_t value) {
    add_u16(picture, value & 0xFFFF);
    add_u16(picture, value >> 16);
}

// ---- PNG ------------------------------------------------------------------------------------------------

// 4 × 3 pixels: red, green, blue and half-transparent white in each row, as far as the format has these colours.
static inline Picture make_png(const char *name, uint8_t color_type, uint8_t bit_depth, bool interlaced) {
    static const uint8_t rgba[] = { 255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 128 };
    spng_ctx *png = spng_ctx_new(SPNG_CTX_ENCODER);
    spng_set_option(png, SPNG_ENCODE_TO_BUFFER, 1);
    struct spng_ihdr header = { 4, 3, bit_depth, color_type, 0, 0, interlaced };
    spng_set_ihdr(png, &header);
    if (color_type == SPNG_COLOR_TYPE_INDEXED) {
        struct spng_plte palette = { .n_entries = 4 };
        struct spng_trns transparency = { .n_type3_entries = 4, .type3_alpha = { 255, 255, 255, 128 } };
        for (int i = 0; i < 4; i++) {
            palette.entries[i].red = rgba[4 * i];
            palette.entries[i].green = rgba[4 * i + 1];
            palette.entries[i].blue = rgba[4 * i + 2];
        }
        spng_set_plte(png, &palette);
        spng_set_trns(png, &transparency);
    }
    uint8_t pixels[4 * 3 * 8];
    size_t size = 0;
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 4; x++) {
            int channels = color_type == SPNG_COLOR_TYPE_TRUECOLOR_ALPHA ? 4
                           : color_type == SPNG_COLOR_TYPE_TRUECOLOR     ? 3
                                                                         : 1;
            for (int c = 0; c < channels; c++)
                for (int b = 0; b < bit_depth / 8; b++)
                    pixels[size++] = color_type == SPNG_COLOR_TYPE_INDEXED ? (uint8_t)x : rgba[4 * x + c];
        }
    if (spng_encode_image(png, pixels, size, SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE) != 0) abort();
    int error;
    void *bytes = spng_get_png_buffer(png, &size, &error);
    Picture picture = take_bytes(name, bytes, size);
    spng_ctx_free(png);
    return picture;
}

static inline void set_big_endian(uint8_t *to, uint32_t value) {
    for (int i = 0; i < 4; i++) to[i] = (uint8_t)(value >> (24 - 8 * i));
}

static inline uint32_t crc32_of(const uint8_t *bytes, size_t size) {
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    return ~crc;
}

// Changes the size in the header, and its checksum.
static inline void claim_png_size(Picture *png, uint32_t width, uint32_t height) {
    set_big_endian(png->bytes + 16, width);
    set_big_endian(png->bytes + 20, height);
    set_big_endian(png->bytes + 29, crc32_of(png->bytes + 12, 17));
}

// ---- JPEG -----------------------------------------------------------------------------------------------

// 8 × 8 pixels of one colour.
static inline Picture make_jpeg(const char *name, const uint8_t *color, int channels, bool progressive) {
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    unsigned char *bytes = NULL;
    unsigned long size = 0;
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, &bytes, &size);
    jpeg.image_width = jpeg.image_height = 8;
    jpeg.input_components = channels;
    jpeg.in_color_space = channels == 1 ? JCS_GRAYSCALE : channels == 3 ? JCS_RGB : JCS_CMYK;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, 100, TRUE);
    if (progressive) jpeg_simple_progression(&jpeg);
    jpeg_start_compress(&jpeg, TRUE);
    uint8_t row[8 * 4];
    for (int x = 0; x < 8; x++) memcpy(row + x * channels, color, (size_t)channels);
    JSAMPROW rows = row;
    for (int y = 0; y < 8; y++) jpeg_write_scanlines(&jpeg, &rows, 1);
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    return take_bytes(name, bytes, size);
}

// ---- GIF ------------------------------------------------------------------------------------------------

typedef struct GifFrame {
    int left, top, width, height;
    int disposal, delay, transparent; // transparent: index, or -1
    bool interlaced, local_palette;
    const char *pixels; // digits
} GifFrame;

static inline int write_gif(GifFileType *file, const GifByteType *bytes, int count) {
    add_bytes(file->UserData, bytes, (size_t)count);
    return count;
}

// The global palette is black, red, green, blue; the local one of a frame is white, cyan, magenta, yellow.
static inline Picture make_gif(const char *name, int width, int height, const GifFrame *frames, int count) {
    GifColorType colors[] = { { 0, 0, 0 }, { 255, 0, 0 }, { 0, 255, 0 }, { 0, 0, 255 } };
    GifColorType local_colors[] = { { 255, 255, 255 }, { 0, 255, 255 }, { 255, 0, 255 }, { 255, 255, 0 } };
    Picture picture = { .name = name };
    int error;
    GifFileType *file = EGifOpen(&picture, write_gif, &error);
    EGifSetGifVersion(file, true);
    ColorMapObject *palette = GifMakeMapObject(4, colors), *local_palette = GifMakeMapObject(4, local_colors);
    EGifPutScreenDesc(file, width, height, 2, 0, palette);
    for (int i = 0; i < count; i++) {
        const GifFrame *frame = &frames[i];
        GraphicsControlBlock control = { frame->disposal, false, frame->delay, frame->transparent };
        GifByteType extension[4];
        EGifPutExtension(file, GRAPHICS_EXT_FUNC_CODE, (int)EGifGCBToExtension(&control, extension),
                         extension);
        EGifPutImageDesc(file, frame->left, frame->top, frame->width, frame->height, frame->interlaced,
                         frame->local_palette ? local_palette : NULL);
        for (int y = 0; y < frame->height; y++) {
            GifPixelType line[64];
            for (int x = 0; x < frame->width; x++)
                line[x] = (GifPixelType)(frame->pixels[y * frame->width + x] - '0');
            EGifPutLine(file, line, frame->width);
        }
        GifFreeMapObject(file->Image.ColorMap); // a copy, which giflib does not free
        file->Image.ColorMap = NULL;
    }
    GifFreeMapObject(palette);
    GifFreeMapObject(local_palette);
    EGifCloseFile(file, &error);
    return picture;
}

static inline Picture make_small_gif(void) {
    static const GifFrame frames[] = {
        { 0, 0, 2, 2, DISPOSE_DO_NOT, 20, -1, false, false, "1231" },
        { 1, 0, 1, 2, DISPOSE_BACKGROUND, 5, 0, true, true, "03" },
        { 0, 1, 2, 1, DISPOSE_PREVIOUS, 0, 1, false, false, "21" },
        { 0, 0, 1, 1, DISPOSAL_UNSPECIFIED, 100, -1, false, false, "0" },
    };
    return make_gif("small.gif", 2, 2, frames, 4);
}

// ---- BMP, TGA, HDR --------------------------------------------------------------------------------------

// 3 × 2 pixels, bottom row first: blue, white, black; then red, green, grey.
static inline Picture make_bmp(void) {
    static const uint8_t rows[] = { 255, 0, 0,   255, 255, 255, 0,   0,   0,   0, 0, 0,
                                    0,   0, 255, 0,   255, 0,   128, 128, 128, 0, 0, 0 };
    Picture picture = { .name = "small.bmp" };
    add_bytes(&picture, "BM", 2);
    add_u32(&picture, 54 + sizeof rows);
    add_u32(&picture, 0);
    add_u32(&picture, 54);
    add_u32(&picture, 40);
    add_u32(&picture, 3);
    add_u32(&picture, 2);
    add_u16(&picture, 1);
    add_u16(&picture, 24);
    for (int i = 0; i < 6; i++) add_u32(&picture, 0);
    add_bytes(&picture, rows, sizeof rows);
    return picture;
}

// 2 × 2 pixels from the top: red, half-transparent green; blue, blue.
static inline Picture make_tga(bool packed) {
    static const uint8_t plain[] = { 0, 0, 255, 255, 0, 255, 0, 128, 255, 0, 0, 255, 255, 0, 0, 255 };
    static const uint8_t runs[] = { 1, 0, 0, 255, 255, 0, 255, 0, 128, 0x81, 255, 0, 0, 255 };
    Picture picture = { .name = packed ? "packed.tga" : "plain.tga" };
    uint8_t header[18] = { 0, 0, packed ? 10 : 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2, 0, 32, 0x28 };
    add_bytes(&picture, header, sizeof header);
    add_bytes(&picture, packed ? runs : plain, packed ? sizeof runs : sizeof plain);
    return picture;
}

// 8 × 1 pixels of (1, 0.5, 4), run-length encoded, or 2 × 1 such pixels, not encoded.
static inline Picture make_hdr(bool packed) {
    static const uint8_t color[] = { 32, 16, 128, 131 }; // mantissas × 2^(131 − 136)
    Picture picture = { .name = packed ? "packed.hdr" : "plain.hdr" };
    const char *header = packed ? "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 8\n"
                                : "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n";
    add_bytes(&picture, header, strlen(header));
    if (packed) {
        add_bytes(&picture, "\x02\x02\x00\x08", 4);
        for (int c = 0; c < 4; c++) {
            uint8_t run[] = { 128 + 8, color[c] };
            add_bytes(&picture, run, sizeof run);
        }
    } else {
        add_bytes(&picture, color, 4);
        add_bytes(&picture, color, 4);
    }
    return picture;
}

// ---- TIFF -----------------------------------------------------------------------------------------------

typedef struct TiffKind {
    uint16_t photometric, samples, bits;
    uint16_t extra;       // kind of the last sample: EXTRASAMPLE_…; used if there is one more than colours
    uint16_t compression; // 0: none
    uint16_t orientation; // 0: not written
    bool tiled, planes, big_endian;
} TiffKind;

// A file that libtiff writes.
typedef struct TiffMemory {
    uint8_t bytes[1 << 19]; // the palette of an image of 16 bits has 384 KiB
    size_t size, position;
} TiffMemory;

static inline tmsize_t tiff_read(thandle_t user, void *out, tmsize_t size) {
    TiffMemory *memory = user;
    size_t count =
        memory->position < memory->size ? FILO_MIN((size_t)size, memory->size - memory->position) : 0;
    memcpy(out, memory->bytes + memory->position, count);
    memory->position += count;
    return (tmsize_t)count;
}
static inline tmsize_t tiff_write(thandle_t user, void *bytes, tmsize_t size) {
    TiffMemory *memory = user;
    if (memory->position + (size_t)size > sizeof memory->bytes) abort();
    memcpy(memory->bytes + memory->position, bytes, (size_t)size);
    memory->position += (size_t)size;
    memory->size = FILO_MAX(memory->size, memory->position);
    return size;
}
static inline toff_t tiff_seek(thandle_t user, toff_t offset, int whence) {
    TiffMemory *memory = user;
    size_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? memory->position : memory->size;
    return memory->position = base + (size_t)offset;
}
static inline int tiff_close(thandle_t user) { return user == NULL; }
static inline toff_t tiff_size(thandle_t user) { return ((TiffMemory *)user)->size; }

// The value of a sample, of 8 bits: as the colours of make_png where the kind has four, otherwise a pattern.
static inline uint8_t tiff_sample(int x, int y, int sample) {
    static const uint8_t rgba[4][4] = {
        { 255, 0, 0, 255 }, { 0, 255, 0, 255 }, { 0, 0, 255, 255 }, { 255, 255, 255, 128 }
    };
    return rgba[(x + y) % 4][sample % 4];
}

// One row, or one tile, with the samples from `first` on.
static inline void tiff_fill(uint8_t *out, const TiffKind *kind, int x0, int y0, int width, int height,
                             int first, int count) {
    const unsigned bits = kind->bits;
    const size_t stride = ((size_t)width * (size_t)count * bits + 7) / 8;
    memset(out, 0, stride * (size_t)height);
    for (int y = 0; y < height; y++, out += stride) {
        size_t bit = 0;
        for (int x = 0; x < width; x++)
            for (int s = first; s < first + count; s++) {
                unsigned value = (tiff_sample(x0 + x, y0 + y, s) * ((1u << bits) - 1) + 127) / 255;
                if (kind->photometric == PHOTOMETRIC_PALETTE) value = (unsigned)(x0 + x + y0 + y) % 4;
                uint16_t word = (uint16_t)value;
                if (bits == 16) memcpy(out + bit / 8, &word, sizeof word); // in the order of this machine
                for (unsigned b = 0; b < bits; b++, bit++)
                    if (bits != 16 && (value >> (bits - 1 - b) & 1) != 0)
                        out[bit / 8] |= (uint8_t)(128 >> bit % 8);
            }
    }
}

// 20 × 18 pixels, of which the colours repeat along both diagonals: red, green, blue, half-transparent white.
static inline Picture make_tiff(const char *name, TiffKind kind) {
    static TiffMemory memory;
    static uint8_t buffer[32 * 32 * 8];
    memory.size = memory.position = 0;
    TIFF *file = TIFFClientOpen(name, kind.big_endian ? "wb" : "wl", &memory, tiff_read, tiff_write,
                                tiff_seek, tiff_close, tiff_size, NULL, NULL);
    int colors = kind.photometric == PHOTOMETRIC_RGB || kind.photometric == PHOTOMETRIC_YCBCR ? 3
                 : kind.photometric == PHOTOMETRIC_SEPARATED                                  ? 4
                                                                                              : 1;
    TIFFSetField(file, TIFFTAG_IMAGEWIDTH, 20);
    TIFFSetField(file, TIFFTAG_IMAGELENGTH, 18);
    TIFFSetField(file, TIFFTAG_BITSPERSAMPLE, kind.bits);
    TIFFSetField(file, TIFFTAG_SAMPLESPERPIXEL, kind.samples);
    TIFFSetField(file, TIFFTAG_PHOTOMETRIC, kind.photometric);
    TIFFSetField(file, TIFFTAG_PLANARCONFIG, kind.planes ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG);
    TIFFSetField(file, TIFFTAG_COMPRESSION, kind.compression != 0 ? kind.compression : COMPRESSION_NONE);
    if (kind.compression == COMPRESSION_JPEG) TIFFSetField(file, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    if (kind.orientation > 0) TIFFSetField(file, TIFFTAG_ORIENTATION, kind.orientation);
    if (kind.samples > colors) TIFFSetField(file, TIFFTAG_EXTRASAMPLES, 1, &kind.extra);
    static uint16_t map[3][1 << 16] = { { 65535, 0, 0, 65535 },
                                        { 0, 65535, 0, 65535 },
                                        { 0, 0, 65535, 65535 } };
    if (kind.photometric == PHOTOMETRIC_PALETTE) TIFFSetField(file, TIFFTAG_COLORMAP, map[0], map[1], map[2]);
    int parts = kind.planes ? kind.samples : 1, count = kind.planes ? 1 : kind.samples;
    if (kind.tiled) {
        TIFFSetField(file, TIFFTAG_TILEWIDTH, 16);
        TIFFSetField(file, TIFFTAG_TILELENGTH, 16);
    } else {
        TIFFSetField(file, TIFFTAG_ROWSPERSTRIP, kind.compression == COMPRESSION_JPEG ? 16 : 5);
    }
    for (int s = 0; s < parts; s++)
        for (int y = 0; y < 18; y += kind.tiled ? 16 : 1)
            for (int x = 0; x < (kind.tiled ? 20 : 1); x += 16) {
                tiff_fill(buffer, &kind, x, y, kind.tiled ? 16 : 20, kind.tiled ? 16 : 1, s, count);
                if (kind.tiled)
                    TIFFWriteTile(file, buffer, (uint32_t)x, (uint32_t)y, 0, (uint16_t)s);
                else
                    TIFFWriteScanline(file, buffer, (uint32_t)y, (uint16_t)s);
            }
    TIFFClose(file);
    Picture picture = { .name = name };
    add_bytes(&picture, memory.bytes, memory.size);
    return picture;
}

// ---- WebP -----------------------------------------------------------------------------------------------

// Two by two pixels: red, half transparent green, blue, transparent.
static inline Picture make_webp(const char *name, bool lossless) {
    static const uint8_t pixels[] = { 255, 0, 0, 255, 0, 255, 0, 128, 0, 0, 255, 255, 0, 0, 0, 0 };
    uint8_t *bytes = NULL;
    size_t size = lossless ? WebPEncodeLosslessRGBA(pixels, 2, 2, 8, &bytes)
                           : WebPEncodeRGBA(pixels, 2, 2, 8, 90, &bytes);
    return take_bytes(name, bytes, size);
}

static inline void add_u24(Picture *picture, unsigned value) {
    add_u16(picture, value & 0xFFFF);
    add_bytes(picture, &(uint8_t){ (uint8_t)(value >> 16) }, 1);
}

// A frame of one plain pixel at (x, y), and for how many milliseconds. `over`: blended with what is below.
static inline void add_webp_frame(Picture *picture, unsigned x, unsigned y, unsigned milliseconds,
                                  FiloColor color, bool over) {
    uint8_t *bytes = NULL;
    const uint8_t pixels[] = { color.r, color.g, color.b, color.a };
    size_t size = WebPEncodeLosslessRGBA(pixels, 1, 1, 4, &bytes) - 12; // without the header of the file
    add_bytes(picture, "ANMF", 4);
    add_u32(picture, (uint32_t)(16 + size));
    add_u24(picture, x / 2);
    add_u24(picture, y / 2);
    add_u24(picture, 0); // width and height, minus 1
    add_u24(picture, 0);
    add_u24(picture, milliseconds);
    add_bytes(picture, over ? "\0" : "\2", 1);
    add_bytes(picture, bytes + 12, size);
    WebPFree(bytes);
}

// Three frames of 3 x 1 pixels. `orientation`: EXIF data of a still picture, instead of an animation; 0: none.
static inline Picture make_webp_chunks(const char *name, unsigned orientation) {
    Picture picture = { .name = name };
    add_bytes(&picture, "RIFF\0\0\0\0WEBPVP8X\12\0\0\0", 20);
    add_u32(&picture, orientation != 0 ? 0x08 | 0x10 : 0x02 | 0x10); // EXIF or animation, alpha
    add_u24(&picture, orientation != 0 ? 1 : 2);
    add_u24(&picture, orientation != 0 ? 1 : 0);
    if (orientation != 0) {
        Picture plain = make_webp("", true);
        add_bytes(&picture, plain.bytes + 12, plain.size - 12);
        const uint8_t exif[] = {
            'I', 'I', 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, (uint8_t)orientation,
            0,   0,   0,  0, 0, 0, 0
        };
        add_bytes(&picture, "EXIF", 4);
        add_u32(&picture, sizeof exif);
        add_bytes(&picture, exif, sizeof exif);
    } else {
        add_bytes(&picture, "ANIM\6\0\0\0\0\0\0\0\0\0", 14);
        add_webp_frame(&picture, 0, 0, 200, filo_color(255, 0, 0, 255), false);
        add_webp_frame(&picture, 2, 0, 0, filo_color(0, 255, 0, 255), true);
        add_webp_frame(&picture, 0, 0, 1000, FILO_COLOR_TRANSPARENT, false);
    }
    uint32_t size = (uint32_t)picture.size - 8;
    memcpy(picture.bytes + 4, &size, sizeof size);
    return picture;
}

#define PICTURES 24
// One of each kind.
static inline void make_pictures(Picture pictures[PICTURES]) {
    static const uint8_t orange[] = { 250, 130, 20 }, grey[] = { 77 }, inks[] = { 255, 128, 0, 200 };
    Picture made[PICTURES] = {
        make_png("rgba.png", SPNG_COLOR_TYPE_TRUECOLOR_ALPHA, 8, false),
        make_png("rgb.png", SPNG_COLOR_TYPE_TRUECOLOR, 8, false),
        make_png("grey.png", SPNG_COLOR_TYPE_GRAYSCALE, 8, false),
        make_png("palette.png", SPNG_COLOR_TYPE_INDEXED, 8, false),
        make_png("deep.png", SPNG_COLOR_TYPE_TRUECOLOR_ALPHA, 16, true),
        make_jpeg("orange.jpg", orange, 3, false),
        make_jpeg("progressive.jpg", orange, 3, true),
        make_jpeg("grey.jpg", grey, 1, false),
        make_jpeg("inks.jpg", inks, 4, false),
        make_small_gif(),
        make_bmp(),
        make_tga(false),
        make_tga(true),
        make_hdr(false),
        make_hdr(true),
        make_tiff("rgb.tif", (TiffKind){ .photometric = PHOTOMETRIC_RGB, .samples = 3, .bits = 8 }),
        make_tiff("deep.tif", (TiffKind){ .photometric = PHOTOMETRIC_RGB,
                                          .samples = 4,
                                          .bits = 16,
                                          .extra = EXTRASAMPLE_UNASSALPHA,
                                          .compression = COMPRESSION_ADOBE_DEFLATE,
                                          .planes = true,
                                          .big_endian = true }),
        make_tiff("palette.tif", (TiffKind){ .photometric = PHOTOMETRIC_PALETTE,
                                             .samples = 1,
                                             .bits = 8,
                                             .compression = COMPRESSION_LZW,
                                             .tiled = true }),
        make_tiff("bits.tiff", (TiffKind){ .photometric = PHOTOMETRIC_MINISBLACK,
                                           .samples = 1,
                                           .bits = 1,
                                           .compression = COMPRESSION_CCITTFAX4 }),
        make_tiff("inks.tif", (TiffKind){ .photometric = PHOTOMETRIC_SEPARATED, .samples = 4, .bits = 8 }),
        make_tiff("jpeg.tif", (TiffKind){ .photometric = PHOTOMETRIC_YCBCR,
                                          .samples = 3,
                                          .bits = 8,
                                          .compression = COMPRESSION_JPEG }),
        make_webp("plain.webp", true),
        make_webp("lossy.webp", false),
        make_webp_chunks("frames.webp", 0),
    };
    memcpy(pictures, made, sizeof made);
}

#endif
