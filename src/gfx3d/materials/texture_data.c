// Images for textures: decoding, half floats, and colours under what is transparent.

#include "gfx3d/lights/half.h"
#include "gfx3d/materials/materials.h"

#include <filo/image.h>

#include <string.h>

// ---- Colours under what is transparent ------------------------------------------------------------------------
//
// A filter mixes a pixel with its transparent neighbours, whose colour is often black. So transparent pixels take the mean
// colour of the visible ones nearby: of their 2 × 2 block in the picture of half the size, which has taken it in the same
// way, and so on. A pixel that has no colour at any size does not exist, unless the whole picture is transparent.

typedef struct Level {
    uint8_t *pixels; // straight; alpha 0: no colour
    int width, height;
} Level;

#define LEVELS 16

static void halve(const Level *from, const Level *to) {
    for (int y = 0; y < to->height; y++)
        for (int x = 0; x < to->width; x++) {
            uint32_t sum[3] = { 0 }, weight = 0;
            for (int i = 0; i < 4; i++) {
                int u = FILO_MIN(2 * x + (i & 1), from->width - 1),
                    v = FILO_MIN(2 * y + (i >> 1), from->height - 1);
                const uint8_t *pixel = from->pixels + 4 * ((size_t)v * (size_t)from->width + (size_t)u);
                for (int c = 0; c < 3; c++) sum[c] += (uint32_t)pixel[c] * pixel[3];
                weight += pixel[3];
            }
            uint8_t *pixel = to->pixels + 4 * ((size_t)y * (size_t)to->width + (size_t)x);
            for (int c = 0; c < 3; c++) pixel[c] = (uint8_t)(weight > 0 ? (sum[c] + weight / 2) / weight : 0);
            pixel[3] = (uint8_t)FILO_MIN((weight + 3) / 4, 255u);
        }
}

static void fill_from(const Level *to, const Level *from, bool keep_alpha) {
    for (int y = 0; y < to->height; y++)
        for (int x = 0; x < to->width; x++) {
            uint8_t *pixel = to->pixels + 4 * ((size_t)y * (size_t)to->width + (size_t)x);
            if (pixel[3] != 0) continue;
            int u = FILO_MIN(x / 2, from->width - 1), v = FILO_MIN(y / 2, from->height - 1);
            const uint8_t *source = from->pixels + 4 * ((size_t)v * (size_t)from->width + (size_t)u);
            memcpy(pixel, source, 3);
            if (!keep_alpha) pixel[3] = source[3];
        }
}

static bool has_transparent(const uint8_t *pixels, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (pixels[4 * i + 3] == 0) return true;
    return false;
}

void gfx3d_texture_bleed(uint8_t *pixels, int width, int height, const FiloAllocator *allocator) {
    if (!has_transparent(pixels, (size_t)width * (size_t)height)) return;
    Level levels[LEVELS] = { { pixels, width, height } };
    int count = 1;
    while (count < LEVELS && (levels[count - 1].width > 1 || levels[count - 1].height > 1)) {
        const Level *before = &levels[count - 1];
        Level level = { NULL, FILO_MAX(before->width / 2, 1), FILO_MAX(before->height / 2, 1) };
        level.pixels = filo_alloc(allocator, 4 * (size_t)level.width * (size_t)level.height, 0);
        if (level.pixels == NULL) break; // the picture is right, only its edges are darker
        halve(before, &level);
        levels[count++] = level;
    }
    for (int i = count - 1; i > 0; i--) {
        fill_from(&levels[i - 1], &levels[i], i == 1);
        filo_free(allocator, levels[i].pixels, 4 * (size_t)levels[i].width * (size_t)levels[i].height, 0);
    }
}

// ---- Data ---------------------------------------------------------------------------------------------------

size_t gfx3d_texture_data_size(const Gfx3dTextureData *data) {
    return (size_t)data->width * (size_t)data->height * (data->half ? 8 : 4);
}

void gfx3d_texture_data_free(Gfx3dTextureData *data, const FiloAllocator *allocator) {
    if (data == NULL) return;
    filo_free(allocator, data->pixels, gfx3d_texture_data_size(data), 0);
    filo_free(allocator, data, sizeof *data, 0);
}

// Data without contents; NULL without memory.
static Gfx3dTextureData *make_data(int width, int height, bool half, const FiloAllocator *allocator) {
    Gfx3dTextureData *data = filo_alloc_zero(allocator, sizeof *data, 0);
    if (data == NULL) return NULL;
    *data = (Gfx3dTextureData){ .width = width, .height = height, .half = half };
    data->pixels = filo_alloc(allocator, gfx3d_texture_data_size(data), 0);
    if (data->pixels != NULL) return data;
    filo_free(allocator, data, sizeof *data, 0);
    return NULL;
}

Gfx3dTextureData *gfx3d_texture_copy(const FiloPixels *pixels, bool premultiplied,
                                     const FiloAllocator *allocator) {
    Gfx3dTextureData *data = make_data(pixels->width, pixels->height, false, allocator);
    if (data == NULL) return NULL;
    uint8_t *to = data->pixels;
    for (int y = 0; y < pixels->height; y++)
        for (int x = 0; x < pixels->width; x++, to += 4) {
            FiloColor color = *filo_pixels_at(pixels, x, y);
            if (premultiplied) {
                FiloVec4 straight = filo_color_to_straight(color);
                color = filo_color(filo_byte_from_unit(straight.x), filo_byte_from_unit(straight.y),
                                   filo_byte_from_unit(straight.z), color.a);
            }
            memcpy(to, &color, 4);
        }
    gfx3d_texture_bleed(data->pixels, data->width, data->height, allocator);
    return data;
}

static FiloResult no_memory(const char *name) {
    return filo_error(FILO_ERROR_MEMORY, "%s: no memory for the texture", name);
}

static FiloResult decode_half(Gfx3dTextureData **data, const void *bytes, size_t size, const char *name,
                              const FiloAllocator *allocator) {
    float *values;
    int width, height;
    FiloResult result = filo_image_decode_float(&values, &width, &height, bytes, size, name,
                                                &(FiloImageOptions){ .allocator = allocator });
    if (result.code != FILO_OK) return result;
    size_t count = 4 * (size_t)width * (size_t)height;
    *data = make_data(width, height, true, allocator);
    if (*data != NULL) {
        uint16_t *halves = (*data)->pixels;
        for (size_t i = 0; i < count; i++) halves[i] = gfx3d_half(values[i]);
    }
    filo_free(allocator, values, count * sizeof *values, 0);
    return *data != NULL ? filo_ok() : no_memory(name);
}

FiloResult gfx3d_texture_decode(Gfx3dTextureData **data, const void *bytes, size_t size, const char *name,
                                const FiloAllocator *allocator) {
    *data = NULL;
    if (filo_image_format(bytes, size, name) == FILO_IMAGE_HDR)
        return decode_half(data, bytes, size, name, allocator);
    FiloPixels pixels;
    FiloResult result = filo_image_decode(&pixels, bytes, size, name,
                                          &(FiloImageOptions){ .straight = true, .allocator = allocator });
    if (result.code != FILO_OK) return result;
    *data = gfx3d_texture_copy(&pixels, false, allocator);
    filo_pixels_free(&pixels, allocator);
    return *data != NULL ? filo_ok() : no_memory(name);
}
