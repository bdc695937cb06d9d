// Radiance HDR: a mantissa for each of red, green and blue, and one exponent; plain, or in runs of either kind.
//
// The newer runs hold each of the four bytes apart, and mark the row by a first pixel of 2, 2 and its width. In the
// older ones a pixel of 1, 1, 1 repeats the last one; several of these in turn are the digits of one count.

#include "assets/images/image.h"

#include <filo/strings.h>

#include <math.h>

#define RUNS_LEAST_WIDTH 8
#define RUNS_MOST_WIDTH  32767
#define EXPONENT_BIAS    136 // 128, and 8 bits of the mantissa

typedef struct Hdr {
    const AssetsImageSource *source;
    const uint8_t *next, *end;
    size_t width, height;
    bool bottom_up;
} Hdr;

// ---- Header -------------------------------------------------------------------------------------------

// The line that begins at `next`, without its end. False at the end of the file.
static bool next_line(Hdr *hdr, FiloString *line) {
    const uint8_t *end = memchr(hdr->next, '\n', (size_t)(hdr->end - hdr->next));
    if (end == NULL) return false;
    *line = filo_string_from((const char *)hdr->next, (size_t)(end - hdr->next));
    hdr->next = end + 1;
    return true;
}

// "-Y 480 +X 640": rows from the top or, with +Y, from the bottom.
static bool read_size(Hdr *hdr, FiloString line) {
    FiloString y_axis, height, x_axis, width;
    FiloString space = FILO_STRING(" ");
    uint32_t w, h;
    if (!filo_string_cut(line, space, &y_axis, &line) || !filo_string_cut(line, space, &height, &line) ||
        !filo_string_cut(line, space, &x_axis, &width))
        return false;
    hdr->bottom_up = filo_string_equal(y_axis, FILO_STRING("+Y"));
    if ((!hdr->bottom_up && !filo_string_equal(y_axis, FILO_STRING("-Y"))) ||
        !filo_string_equal(x_axis, FILO_STRING("+X")) || filo_parse_uint32(height, &h).code != FILO_OK ||
        filo_parse_uint32(width, &w).code != FILO_OK)
        return false;
    hdr->width = w;
    hdr->height = h;
    return true;
}

static FiloResult read_header(Hdr *hdr) {
    FiloString line;
    do {
        if (!next_line(hdr, &line)) return assets_image_cut(hdr->source);
        if (filo_string_starts_with(line, FILO_STRING("FORMAT=")) &&
            !filo_string_equal(filo_string_trim(line), FILO_STRING("FORMAT=32-bit_rle_rgbe")))
            return filo_error(FILO_ERROR_DATA,
                              "%s: an HDR with " FILO_STRING_FORMAT "; only 32-bit_rle_rgbe is supported",
                              hdr->source->name, FILO_STRING_PRINT(filo_utf8_cut(line, 40)));
    } while (filo_string_trim(line).length > 0);
    if (!next_line(hdr, &line)) return assets_image_cut(hdr->source);
    if (read_size(hdr, filo_string_trim(line))) return filo_ok();
    return filo_error(FILO_ERROR_DATA, "%s: an HDR without a size like \"-Y 480 +X 640\" after its header",
                      hdr->source->name);
}

// ---- Rows ---------------------------------------------------------------------------------------------

// One byte of each pixel of a row, in runs. False at the end of the file, or if a run does not fit into the row.
static bool read_bytes(Hdr *hdr, uint8_t *to) {
    for (size_t x = 0; x < hdr->width;) {
        if (hdr->end - hdr->next < 2) return false;
        size_t count = *hdr->next++;
        bool same = count > 128;
        if (same) count -= 128;
        if (count == 0 || count > hdr->width - x || (size_t)(hdr->end - hdr->next) < (same ? 1 : count))
            return false;
        for (size_t i = 0; i < count; i++, x++) to[4 * x] = hdr->next[same ? 0 : i];
        hdr->next += same ? 1 : count;
    }
    return true;
}

// A row of pixels, some of which may repeat the last one.
static bool read_pixels(Hdr *hdr, uint8_t *row) {
    unsigned shift = 0;
    for (size_t x = 0; x < hdr->width;) {
        if (hdr->end - hdr->next < 4) return false;
        const uint8_t *at = hdr->next;
        hdr->next += 4;
        if (at[0] != 1 || at[1] != 1 || at[2] != 1) {
            memcpy(row + 4 * x++, at, 4);
            shift = 0;
            continue;
        }
        size_t count = shift < 24 ? (size_t)at[3] << shift : SIZE_MAX;
        if (x == 0 || count > hdr->width - x) return false;
        for (; count > 0; count--, x++) memcpy(row + 4 * x, row + 4 * (x - 1), 4);
        shift += 8;
    }
    return true;
}

static bool read_row(Hdr *hdr, uint8_t *row) {
    const uint8_t *at = hdr->next;
    bool in_runs = hdr->width >= RUNS_LEAST_WIDTH && hdr->width <= RUNS_MOST_WIDTH && hdr->end - at >= 4 &&
                   at[0] == 2 && at[1] == 2 && ((size_t)at[2] << 8 | at[3]) == hdr->width;
    if (!in_runs) return read_pixels(hdr, row);
    hdr->next += 4;
    for (size_t i = 0; i < 4; i++)
        if (!read_bytes(hdr, row + i)) return false;
    return true;
}

static void convert_row(const uint8_t *row, size_t width, float *to) {
    for (size_t x = 0; x < width; x++, row += 4, to += 4) {
        float unit = row[3] == 0 ? 0 : ldexpf(1, row[3] - EXPONENT_BIAS);
        for (size_t i = 0; i < 3; i++) to[i] = (float)row[i] * unit;
        to[3] = 1;
    }
}

static FiloResult read_rows(Hdr *hdr, float *values, uint8_t *row) {
    for (size_t y = 0; y < hdr->height; y++) {
        if (!read_row(hdr, row))
            return hdr->end - hdr->next < 4
                       ? assets_image_cut(hdr->source)
                       : filo_error(FILO_ERROR_DATA,
                                    "%s: broken HDR: a run in row %zu is longer than the row",
                                    hdr->source->name, y);
        convert_row(row, hdr->width, values + (hdr->bottom_up ? hdr->height - 1 - y : y) * hdr->width * 4);
    }
    return filo_ok();
}

FiloResult assets_hdr_decode(const AssetsImageSource *source, float **values, int *width, int *height) {
    Hdr hdr = { .source = source, .next = source->bytes, .end = source->bytes + source->size };
    *values = NULL;
    *width = *height = 0;
    FiloResult result = read_header(&hdr);
    if (result.code == FILO_OK) result = assets_image_check_size(source, hdr.width, hdr.height, 1);
    if (result.code != FILO_OK) return result;
    size_t size = hdr.width * hdr.height * 4 * sizeof(float);
    float *made = filo_alloc(source->allocator, size, 0);
    uint8_t *row = filo_alloc(source->allocator, hdr.width * 4, 0);
    result = made != NULL && row != NULL ? read_rows(&hdr, made, row) : assets_image_no_memory(source);
    if (row != NULL) filo_free(source->allocator, row, hdr.width * 4, 0);
    if (result.code != FILO_OK) {
        if (made != NULL) filo_free(source->allocator, made, size, 0);
        return result;
    }
    *values = made;
    *width = (int)hdr.width;
    *height = (int)hdr.height;
    return filo_ok();
}
