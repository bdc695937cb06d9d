// BMP: all headers of Windows and OS/2; 1 to 32 bits a pixel, with palettes, bit masks and run lengths; a PNG or JPEG
// inside.
//
// What a file leaves open is shown as other readers do: colours missing from a palette are black, and pixels that run
// lengths skip are transparent. Bits are alpha only if the header has a mask for them.

#include "assets/images/image.h"

#include <string.h>

#define FILE_HEADER 14
#define CORE_HEADER 12 // of OS/2 1: sides of 16 bits, palette entries of 3 bytes
#define INFO_HEADER 40 // the first of Windows; masks follow it
#define OS2_HEADER  64
#define PALETTE     256

typedef enum Coding {
    CODING_PLAIN,
    CODING_RUNS_8,
    CODING_RUNS_4,
    CODING_MASKS,
    CODING_JPEG,
    CODING_PNG,
    CODING_ALPHA_MASKS,
    CODING_RUNS_24, // 4 in a file of OS/2
    CODING_UNKNOWN,
} Coding;

typedef struct Bmp {
    const AssetsImageSource *source;
    size_t header; // bytes after the file header
    uint64_t width, height;
    bool top_down;
    unsigned bits; // a pixel
    Coding coding;
    size_t pixels;              // where they begin
    uint32_t masks[4];          // of red, green, blue and alpha
    FiloColor palette[PALETTE]; // black where the file has no colour
} Bmp;

// ---- Header -------------------------------------------------------------------------------------------

static FiloResult broken(const Bmp *bmp, const char *what) {
    return filo_error(FILO_ERROR_DATA, "%s: the header of this BMP has a %s that no picture has",
                      bmp->source->name, what);
}

// A number of the header; 0 if the header is too short for it. `offset` counts from the file header's start.
static uint32_t field(const Bmp *bmp, size_t offset) {
    return offset + 4 <= FILE_HEADER + bmp->header ? assets_u32(bmp->source->bytes + offset) : 0;
}

static Coding coding_of(const Bmp *bmp, uint32_t number) {
    bool os2 = bmp->header == OS2_HEADER;
    if (number > CODING_ALPHA_MASKS || (os2 && number == 3)) return CODING_UNKNOWN; // 3 there: a fax
    return os2 && number == 4 ? CODING_RUNS_24 : (Coding)number;
}

static bool bits_fit(const Bmp *bmp) {
    unsigned bits = bmp->bits;
    switch (bmp->coding) {
    case CODING_PLAIN:
        return bits == 1 || bits == 2 || bits == 4 || bits == 8 || bits == 16 || bits == 24 || bits == 32;
    case CODING_RUNS_8: return bits == 8;
    case CODING_RUNS_4: return bits == 4;
    case CODING_RUNS_24: return bits == 24;
    case CODING_MASKS:
    case CODING_ALPHA_MASKS: return bits == 16 || bits == 32;
    case CODING_JPEG:
    case CODING_PNG: return true;
    case CODING_UNKNOWN: break;
    }
    return false;
}

static FiloResult read_sizes(Bmp *bmp) {
    const uint8_t *at = bmp->source->bytes + FILE_HEADER;
    if (bmp->header == CORE_HEADER) {
        bmp->width = assets_u16(at + 4);
        bmp->height = assets_u16(at + 6);
        bmp->bits = assets_u16(at + 10);
        return filo_ok();
    }
    int32_t width = (int32_t)assets_u32(at + 4), height = (int32_t)assets_u32(at + 8);
    if (width < 0 || height == INT32_MIN) return broken(bmp, "size");
    bmp->width = (uint64_t)width;
    bmp->top_down = height < 0;
    bmp->height = (uint64_t)(bmp->top_down ? -height : height);
    bmp->bits = assets_u16(at + 14);
    bmp->coding = coding_of(bmp, field(bmp, FILE_HEADER + 16));
    return filo_ok();
}

// Sets the masks, and returns how many bytes of them lie between the header and the palette.
static size_t read_masks(Bmp *bmp) {
    static const uint32_t of_16[4] = { 0x7C00, 0x03E0, 0x001F }, of_32[4] = { 0xFF0000, 0xFF00, 0xFF };
    memcpy(bmp->masks, bmp->bits == 16 ? of_16 : of_32, sizeof bmp->masks);
    if (bmp->coding != CODING_MASKS && bmp->coding != CODING_ALPHA_MASKS) return 0;
    size_t count = bmp->coding == CODING_ALPHA_MASKS || bmp->header >= INFO_HEADER + 16 ? 4 : 3,
           size = 4 * count;
    size_t start = FILE_HEADER + INFO_HEADER;
    if (start + size > bmp->source->size) return size; // read_palette fails
    for (size_t i = 0; i < count; i++) bmp->masks[i] = assets_u32(bmp->source->bytes + start + 4 * i);
    return bmp->header == INFO_HEADER ? size : 0;
}

// Reads what colours there are between `start` and the pixels, and sets where these begin.
static FiloResult read_palette(Bmp *bmp, size_t start) {
    const AssetsImageSource *source = bmp->source;
    size_t entry = bmp->header == CORE_HEADER ? 3 : 4, wanted = field(bmp, FILE_HEADER + 32);
    if (bmp->bits <= 8 && wanted == 0) wanted = (size_t)1 << bmp->bits;
    bmp->pixels = assets_u32(source->bytes + 10);
    if (bmp->pixels < start) bmp->pixels = start + wanted * entry;
    if (bmp->pixels > source->size) return assets_image_cut(source);
    size_t count = FILO_MIN(wanted, (bmp->pixels - start) / entry);
    for (size_t i = 0; i < PALETTE; i++) {
        const uint8_t *at = source->bytes + start + i * entry;
        bmp->palette[i] = i < count ? (FiloColor){ at[2], at[1], at[0], 255 } : FILO_COLOR_BLACK;
    }
    return filo_ok();
}

static FiloResult read_header(Bmp *bmp) {
    const AssetsImageSource *source = bmp->source;
    if (source->size < FILE_HEADER + CORE_HEADER) return assets_image_cut(source);
    bmp->header = assets_u32(source->bytes + FILE_HEADER);
    if (bmp->header != CORE_HEADER && bmp->header < 16) return broken(bmp, "length");
    if (bmp->header > source->size - FILE_HEADER) return assets_image_cut(source);
    FiloResult result = read_sizes(bmp);
    if (result.code != FILO_OK) return result;
    if (!bits_fit(bmp))
        return filo_error(FILO_ERROR_DATA, "%s: a BMP of %u bits a pixel in coding %u is not supported",
                          source->name, bmp->bits, field(bmp, FILE_HEADER + 16));
    return read_palette(bmp, FILE_HEADER + bmp->header + read_masks(bmp));
}

// ---- Plain pixels -------------------------------------------------------------------------------------

static uint8_t masked(uint32_t pixel, uint32_t mask) {
    if (mask == 0) return 0;
    uint32_t shift = (uint32_t)__builtin_ctz(mask), most = mask >> shift, value = (pixel & mask) >> shift;
    if (most == 255) return (uint8_t)value;
    return (uint8_t)(((uint64_t)value * 255 + most / 2) / most);
}

static FiloColor masked_color(const Bmp *bmp, uint32_t pixel) {
    return (FiloColor){ masked(pixel, bmp->masks[0]), masked(pixel, bmp->masks[1]),
                        masked(pixel, bmp->masks[2]),
                        bmp->masks[3] != 0 ? masked(pixel, bmp->masks[3]) : 255 };
}

static FiloColor plain_color(const Bmp *bmp, const uint8_t *row, size_t x) {
    const uint8_t *at = row + x * bmp->bits / 8;
    switch (bmp->bits) {
    case 16: return masked_color(bmp, assets_u16(at));
    case 24: return (FiloColor){ at[2], at[1], at[0], 255 };
    case 32: return masked_color(bmp, assets_u32(at));
    default: break;
    }
    unsigned shift = 8 - bmp->bits - (unsigned)(x * bmp->bits % 8);
    return bmp->palette[*at >> shift & ((1U << bmp->bits) - 1)];
}

static FiloColor *row_of(const Bmp *bmp, const FiloPixels *pixels, uint64_t row) {
    return filo_pixels_at(pixels, 0, (int)(bmp->top_down ? row : bmp->height - 1 - row));
}

static FiloResult read_plain(const Bmp *bmp, const FiloPixels *pixels) {
    size_t stride = FILO_ALIGN_UP((size_t)bmp->width * bmp->bits, (size_t)32) / 8;
    if (stride * bmp->height > bmp->source->size - bmp->pixels) return assets_image_cut(bmp->source);
    const uint8_t *from = bmp->source->bytes + bmp->pixels;
    for (uint64_t y = 0; y < bmp->height; y++, from += stride) {
        FiloColor *row = row_of(bmp, pixels, y);
        for (size_t x = 0; x < bmp->width; x++) row[x] = plain_color(bmp, from, x);
    }
    return filo_ok();
}

// ---- Run lengths --------------------------------------------------------------------------------------

typedef struct Runs {
    const Bmp *bmp;
    const FiloPixels *pixels;
    const uint8_t *next, *end;
    uint64_t x, y;
} Runs;

static void put(Runs *runs, FiloColor color) {
    if (runs->x < runs->bmp->width && runs->y < runs->bmp->height)
        row_of(runs->bmp, runs->pixels, runs->y)[runs->x] = color;
    runs->x++;
}

// The n-th pixel of those that begin at `from`.
static FiloColor color_at(const Bmp *bmp, const uint8_t *from, unsigned n) {
    if (bmp->coding == CODING_RUNS_24)
        return (FiloColor){ from[3 * n + 2], from[3 * n + 1], from[3 * n], 255 };
    if (bmp->coding == CODING_RUNS_8) return bmp->palette[from[n]];
    return bmp->palette[n % 2 == 0 ? from[n / 2] >> 4 : from[n / 2] & 15];
}

static size_t bytes_of(const Bmp *bmp, unsigned pixels) { return (pixels * bmp->bits + 7) / 8; }

// One run: `count` times one colour, or the two of a byte in turn. False at the end of the file.
static bool put_run(Runs *runs, unsigned count) {
    const Bmp *bmp = runs->bmp;
    size_t size = bytes_of(bmp, 1);
    if ((size_t)(runs->end - runs->next) < size) return false;
    for (unsigned i = 0; i < count; i++)
        put(runs, color_at(bmp, runs->next, bmp->coding == CODING_RUNS_4 ? i % 2 : 0));
    runs->next += size;
    return true;
}

// `count` pixels as they are, in an even number of bytes. False at the end of the file.
static bool put_pixels(Runs *runs, unsigned count) {
    size_t size = FILO_ALIGN_UP(bytes_of(runs->bmp, count), (size_t)2);
    if ((size_t)(runs->end - runs->next) < size) return false;
    for (unsigned i = 0; i < count; i++) put(runs, color_at(runs->bmp, runs->next, i));
    runs->next += size;
    return true;
}

static FiloResult read_runs(const Bmp *bmp, const FiloPixels *pixels) {
    enum { END_OF_ROW, END_OF_PICTURE, MOVE };
    Runs runs = { .bmp = bmp,
                  .pixels = pixels,
                  .next = bmp->source->bytes + bmp->pixels,
                  .end = bmp->source->bytes + bmp->source->size };
    memset(pixels->data, 0, (size_t)pixels->stride * (size_t)pixels->height * sizeof(FiloColor));
    while (runs.end - runs.next >= 2) {
        unsigned count = *runs.next++;
        if (count > 0) {
            if (!put_run(&runs, count)) break;
            continue;
        }
        unsigned code = *runs.next++;
        if (code == END_OF_PICTURE) return filo_ok();
        if (code == END_OF_ROW) {
            runs.x = 0;
            runs.y++;
        } else if (code == MOVE) {
            if (runs.end - runs.next < 2) break;
            runs.x += *runs.next++;
            runs.y += *runs.next++;
        } else if (!put_pixels(&runs, code)) {
            break;
        }
    }
    return assets_image_cut(bmp->source);
}

// ---- Whole files --------------------------------------------------------------------------------------

// A file of another kind behind the headers.
static FiloResult decode_inner(const Bmp *bmp, FiloPixels *pixels) {
    AssetsImageSource inner = *bmp->source;
    inner.bytes += bmp->pixels;
    inner.size -= bmp->pixels;
    return bmp->coding == CODING_PNG ? assets_png_decode(&inner, pixels) : assets_jpeg_decode(&inner, pixels);
}

FiloResult assets_bmp_decode(const AssetsImageSource *source, FiloPixels *pixels) {
    Bmp bmp = { .source = source };
    *pixels = (FiloPixels){ 0 };
    FiloResult result = read_header(&bmp);
    if (result.code != FILO_OK) return result;
    if (bmp.coding == CODING_PNG || bmp.coding == CODING_JPEG) return decode_inner(&bmp, pixels);
    result = assets_image_make_pixels(source, pixels, bmp.width, bmp.height, 1);
    if (result.code != FILO_OK) return result;
    bool plain = bmp.coding == CODING_PLAIN || bmp.coding == CODING_MASKS || bmp.coding == CODING_ALPHA_MASKS;
    result = plain ? read_plain(&bmp, pixels) : read_runs(&bmp, pixels);
    if (result.code != FILO_OK) filo_pixels_free(pixels, source->allocator);
    return result;
}
