// Tiles of terrain files: conversion of maps, compression, and the next level of detail.
//
// What is compressed is the difference of each value from what its neighbours to the left and below predict,
// left + below − left below: terrain is smooth, so most differences are small. Differences of 16 bits are stored as
// 2 d or −2 d − 1, so that small negative ones are small numbers, too, and all low bytes come before all high bytes.
// All of this is arithmetic modulo 2^8 or 2^16, and loses nothing.

#include "placement_world/file_format.h"

#include <string.h>

// ---- Conversion -----------------------------------------------------------------------------------------------

static const uint8_t *texel_at(const FiloTerrainMap *map, int x, int y) {
    size_t size = map->format == FILO_MAP_U8 ? 1 : map->format == FILO_MAP_U16 ? 2 : 4;
    size_t step = map->step > 0 ? map->step : size;
    size_t stride = map->stride > 0 ? map->stride : step * (size_t)map->width;
    return (const uint8_t *)map->data + (size_t)y * stride + (size_t)x * step;
}

// A value of 16 bits; −1 if it is not a number.
static int32_t value_of(const uint8_t *texel, FiloMapFormat format) {
    if (format == FILO_MAP_U8) return *texel * 257;
    if (format == FILO_MAP_U16) {
        uint16_t value;
        memcpy(&value, texel, sizeof value);
        return value;
    }
    float value;
    memcpy(&value, texel, sizeof value);
    if (value != value) return -1;
    if (value <= 0) return 0;
    if (value >= 1) return 65535;
    const float magic = 12582912.0f; // 1.5 · 2^23: rounds to the nearest, ties to even, as placement does
    return (int32_t)((value * 65535.0f + magic) - magic);
}

bool placement_world_convert(void *values, const PlacementWorldSpot *spot, const FiloTerrainMap *map,
                             int tile) {
    int left = spot->column * tile - map->x, below = spot->row * tile - map->y;
    size_t value_size = (size_t)spot->value_size, row_size = (size_t)spot->width * value_size;
    size_t step = (size_t)(texel_at(map, 1, 0) - texel_at(map, 0, 0));
    bool same =
        (map->format == FILO_MAP_U8 && value_size == 1) || (map->format == FILO_MAP_U16 && value_size == 2);
    uint8_t *bytes = values;
    for (int y = 0; y < spot->height; y++, bytes += row_size) {
        const uint8_t *texel = texel_at(map, left, below + y);
        if (same && step == value_size) {
            memcpy(bytes, texel, row_size);
            continue;
        }
        for (int x = 0; x < spot->width; x++, texel += step) {
            int32_t value = value_of(texel, map->format);
            if (value < 0) return false;
            uint16_t wide = (uint16_t)value;
            if (value_size == 1)
                bytes[x] = (uint8_t)((value + 128) / 257);
            else
                memcpy(bytes + 2 * (size_t)x, &wide, sizeof wide);
        }
    }
    return true;
}

// ---- Differences ----------------------------------------------------------------------------------------------

// What is below the first row.
static const uint16_t nothing[PLACEMENT_WORLD_TILE_MAX];

static void filter_u8(uint8_t *out, const uint8_t *values, int width, int height) {
    const uint8_t *below = (const uint8_t *)nothing;
    for (int y = 0; y < height; y++, below = values, values += width) {
        uint8_t last = 0; // how much the value to the left is above the one below it
        for (int x = 0; x < width; x++) {
            uint8_t rise = (uint8_t)(values[x] - below[x]);
            *out++ = (uint8_t)(rise - last);
            last = rise;
        }
    }
}

static void unfilter_u8(uint8_t *values, const uint8_t *in, int width, int height) {
    const uint8_t *below = (const uint8_t *)nothing;
    for (int y = 0; y < height; y++, below = values, values += width) {
        uint8_t rise = 0;
        for (int x = 0; x < width; x++) {
            rise = (uint8_t)(rise + *in++);
            values[x] = (uint8_t)(rise + below[x]);
        }
    }
}

static void filter_u16(uint8_t *out, const uint16_t *values, int width, int height) {
    const uint16_t *below = nothing;
    uint8_t *high = out + (size_t)width * (size_t)height;
    for (int y = 0; y < height; y++, below = values, values += width) {
        uint16_t last = 0;
        for (int x = 0; x < width; x++) {
            uint16_t rise = (uint16_t)(values[x] - below[x]);
            uint16_t d = (uint16_t)(rise - last);
            d = (uint16_t)((d << 1) ^ (0 - (d >> 15)));
            *out++ = (uint8_t)d;
            *high++ = (uint8_t)(d >> 8);
            last = rise;
        }
    }
}

static void unfilter_u16(uint16_t *values, const uint8_t *in, int width, int height) {
    const uint16_t *below = nothing;
    const uint8_t *high = in + (size_t)width * (size_t)height;
    for (int y = 0; y < height; y++, below = values, values += width, in += width, high += width) {
        for (int x = 0; x < width; x++) { // by vectors
            uint16_t d = (uint16_t)(in[x] | high[x] << 8);
            values[x] = (uint16_t)((d >> 1) ^ (0 - (d & 1)));
        }
        uint16_t rise = 0;
        for (int x = 0; x < width; x++) {
            rise = (uint16_t)(rise + values[x]);
            values[x] = (uint16_t)(rise + below[x]);
        }
    }
}

// ---- Encoding -------------------------------------------------------------------------------------------------

static void plain_write(uint8_t *stored, const void *values, const PlacementWorldSpot *spot) {
    if (spot->value_size == 1) {
        memcpy(stored, values, spot->bytes);
        return;
    }
    const uint16_t *wide = values;
    for (size_t i = 0; i < spot->bytes / 2; i++) {
        stored[2 * i] = (uint8_t)wide[i];
        stored[2 * i + 1] = (uint8_t)(wide[i] >> 8);
    }
}

static void plain_read(void *values, const uint8_t *stored, const PlacementWorldSpot *spot) {
    if (spot->value_size == 1) {
        memcpy(values, stored, spot->bytes);
        return;
    }
    uint16_t *wide = values;
    for (size_t i = 0; i < spot->bytes / 2; i++)
        wide[i] = (uint16_t)(stored[2 * i] | (unsigned)stored[2 * i + 1] << 8);
}

static bool all_zero(const uint8_t *bytes, size_t size) {
    return bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0;
}

size_t placement_world_stored_bound(size_t bytes) { return ZSTD_compressBound(bytes); }

bool placement_world_encode(PlacementWorldEntry *entry, uint8_t *stored, const void *values,
                            const PlacementWorldSpot *spot, uint8_t *filtered, ZSTD_CCtx *compress) {
    *entry = (PlacementWorldEntry){ 0 };
    if (all_zero(values, spot->bytes)) return true;
    size_t size = spot->bytes;
    if (compress != NULL) {
        if (spot->value_size == 1)
            filter_u8(filtered, values, spot->width, spot->height);
        else
            filter_u16(filtered, values, spot->width, spot->height);
        size = ZSTD_compressCCtx(compress, stored, placement_world_stored_bound(spot->bytes), filtered,
                                 spot->bytes, ZSTD_CLEVEL_DEFAULT);
        if (ZSTD_isError(size)) return false; // no memory is the only possible error
    }
    entry->encoding = size < spot->bytes ? PLACEMENT_WORLD_FILTERED : PLACEMENT_WORLD_PLAIN;
    if (entry->encoding == PLACEMENT_WORLD_PLAIN) {
        size = spot->bytes;
        plain_write(stored, values, spot);
    }
    entry->size = (uint32_t)size;
    entry->checksum = filo_hash(stored, size);
    return true;
}

const char *placement_world_decode(void *values, const PlacementWorldEntry *entry, const uint8_t *stored,
                                   const PlacementWorldSpot *spot, uint8_t *filtered, ZSTD_DCtx *decompress) {
    if (entry->size == 0) {
        memset(values, 0, spot->bytes);
        return NULL;
    }
    if (filo_hash(stored, entry->size) != entry->checksum) return "damaged (the checksum is wrong)";
    if (entry->encoding == PLACEMENT_WORLD_PLAIN) {
        plain_read(values, stored, spot);
        return NULL;
    }
    size_t size = ZSTD_decompressDCtx(decompress, filtered, spot->bytes, stored, entry->size);
    if (ZSTD_isError(size) || size != spot->bytes) return "damaged (it cannot be decompressed)";
    if (spot->value_size == 1)
        unfilter_u8(values, filtered, spot->width, spot->height);
    else
        unfilter_u16(values, filtered, spot->width, spot->height);
    return NULL;
}

// ---- Levels of detail -----------------------------------------------------------------------------------------

static uint32_t value_at(const void *values, size_t i, int value_size) {
    return value_size == 1 ? ((const uint8_t *)values)[i] : ((const uint16_t *)values)[i];
}

// Where the number of values is odd, the last one counts twice.
void placement_world_halve(void *half, int half_width, int x, int y, const void *values, int width,
                           int height, int value_size) {
    for (int j = 0; 2 * j < height; j++) {
        size_t low = (size_t)j * 2 * (size_t)width;
        size_t high = 2 * j + 1 < height ? low + (size_t)width : low;
        size_t out = (size_t)(y + j) * (size_t)half_width + (size_t)x;
        for (int i = 0; 2 * i < width; i++) {
            size_t left = (size_t)i * 2, right = 2 * i + 1 < width ? left + 1 : left;
            uint32_t sum =
                value_at(values, low + left, value_size) + value_at(values, low + right, value_size) +
                value_at(values, high + left, value_size) + value_at(values, high + right, value_size);
            sum = (sum + 2) / 4;
            if (value_size == 1)
                ((uint8_t *)half)[out + (size_t)i] = (uint8_t)sum;
            else
                ((uint16_t *)half)[out + (size_t)i] = (uint16_t)sum;
        }
    }
}
