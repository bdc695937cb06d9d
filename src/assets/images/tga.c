// TGA: grey, true colour or a palette, plain or in runs, from any corner.

#include "assets/images/image.h"

#define HEADER 18

enum { KIND_PALETTE = 1, KIND_COLOR = 2, KIND_GREY = 3, KIND_RUNS = 8 }; // runs: added to one of the others

typedef struct Tga {
    const AssetsImageSource *source;
    const uint8_t *next, *end;
    unsigned kind, bits, entry_bits; // a pixel; an entry of the palette
    bool runs, right_to_left, top_to_bottom;
    unsigned alpha_bits; // as the header says, which some programs leave at 0 though they write alpha
    size_t width, height;
    const uint8_t *palette;
    size_t first, count; // the number of the first entry, and how many there are
} Tga;

// ---- Header -------------------------------------------------------------------------------------------

static bool is_color_size(unsigned bits) { return bits == 15 || bits == 16 || bits == 24 || bits == 32; }

static bool is_supported(const Tga *tga) {
    switch (tga->kind) {
    case KIND_PALETTE: return (tga->bits == 8 || tga->bits == 16) && is_color_size(tga->entry_bits);
    case KIND_COLOR: return is_color_size(tga->bits);
    case KIND_GREY: return tga->bits == 8 || tga->bits == 16;
    default: return false;
    }
}

static size_t bytes_of(unsigned bits) { return (bits + 7) / 8; }

static FiloResult read_header(Tga *tga) {
    const AssetsImageSource *source = tga->source;
    const uint8_t *at = source->bytes;
    if (source->size < HEADER) return assets_image_cut(source);
    unsigned flags = at[17];
    tga->runs = (at[2] & KIND_RUNS) != 0;
    tga->kind = at[2] & ~(unsigned)KIND_RUNS;
    tga->first = assets_u16(at + 3);
    tga->count = at[1] == 1 ? assets_u16(at + 5) : 0;
    tga->entry_bits = at[7];
    tga->width = assets_u16(at + 12);
    tga->height = assets_u16(at + 14);
    tga->bits = at[16];
    tga->alpha_bits = flags & 15;
    tga->right_to_left = (flags & 16) != 0;
    tga->top_to_bottom = (flags & 32) != 0;
    if (at[1] > 1 || !is_supported(tga) || flags >> 6 != 0)
        return filo_error(FILO_ERROR_DATA, "%s: broken TGA, or of a kind that is not supported",
                          source->name);
    size_t palette = HEADER + (size_t)at[0], pixels = palette + tga->count * bytes_of(tga->entry_bits);
    if (pixels > source->size) return assets_image_cut(source);
    tga->palette = at + palette;
    tga->next = at + pixels;
    tga->end = at + source->size;
    return filo_ok();
}

// ---- Pixels -------------------------------------------------------------------------------------------

static uint8_t five_bits(unsigned value) { return (uint8_t)(((value & 31) * 255 + 15) / 31); }

static FiloColor color_at(const Tga *tga, const uint8_t *at, unsigned bits) {
    if (bits >= 24) return (FiloColor){ at[2], at[1], at[0], bits == 32 ? at[3] : 255 };
    unsigned value = assets_u16(at);
    bool transparent = bits == 16 && tga->alpha_bits == 1 && value >> 15 == 0;
    return (FiloColor){ five_bits(value >> 10), five_bits(value >> 5), five_bits(value),
                        transparent ? 0 : 255 };
}

static FiloColor pixel_at(const Tga *tga, const uint8_t *at) {
    if (tga->kind == KIND_COLOR) return color_at(tga, at, tga->bits);
    if (tga->kind == KIND_GREY) return (FiloColor){ at[0], at[0], at[0], tga->bits == 16 ? at[1] : 255 };
    size_t index = (tga->bits == 8 ? at[0] : assets_u16(at)) - tga->first; // wraps around below the first
    return index < tga->count
               ? color_at(tga, tga->palette + index * bytes_of(tga->entry_bits), tga->entry_bits)
               : FILO_COLOR_BLACK;
}

// The n-th pixel of the file.
static FiloColor *place_of(const Tga *tga, const FiloPixels *pixels, size_t n) {
    size_t x = n % tga->width, y = n / tga->width;
    return filo_pixels_at(pixels, (int)(tga->right_to_left ? tga->width - 1 - x : x),
                          (int)(tga->top_to_bottom ? y : tga->height - 1 - y));
}

static FiloResult read_pixels(Tga *tga, const FiloPixels *pixels) {
    const size_t size = bytes_of(tga->bits), total = tga->width * tga->height;
    for (size_t n = 0; n < total;) {
        size_t count = total;
        bool same = false;
        if (tga->runs) {
            if (tga->next == tga->end) return assets_image_cut(tga->source);
            same = *tga->next >> 7 != 0;
            count = (size_t)(*tga->next++ & 127) + 1;
        }
        count = FILO_MIN(count, total - n);
        if ((size_t)(tga->end - tga->next) < (same ? size : count * size))
            return assets_image_cut(tga->source);
        for (size_t i = 0; i < count; i++, n++) {
            *place_of(tga, pixels, n) = pixel_at(tga, tga->next);
            if (!same) tga->next += size;
        }
        if (same) tga->next += size;
    }
    return filo_ok();
}

// A file that has no alpha, as its header says, may have zeroes in its place.
static void make_opaque(const Tga *tga, const FiloPixels *pixels) {
    size_t count = tga->width * tga->height;
    if (tga->alpha_bits != 0) return;
    for (size_t i = 0; i < count; i++)
        if (pixels->data[i].a != 0) return;
    for (size_t i = 0; i < count; i++) pixels->data[i].a = 255;
}

FiloResult assets_tga_decode(const AssetsImageSource *source, FiloPixels *pixels) {
    Tga tga = { .source = source };
    *pixels = (FiloPixels){ 0 };
    FiloResult result = read_header(&tga);
    if (result.code != FILO_OK) return result;
    result = assets_image_make_pixels(source, pixels, tga.width, tga.height, 1);
    if (result.code != FILO_OK) return result;
    result = read_pixels(&tga, pixels);
    make_opaque(&tga, pixels);
    if (result.code != FILO_OK) filo_pixels_free(pixels, source->allocator);
    return result;
}
