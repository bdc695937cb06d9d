// What shaders read of a placement: patterns, thresholds and maps in one piece of memory.

#include "placement/shader/shader.h"

#include <string.h>

static size_t texel_size(const PlacementMap *map) { return map->reader.format == FILO_MAP_U8 ? 1 : 2; }

static size_t row_size(const PlacementMap *map) { return (size_t)map->reader.width * texel_size(map); }

void placement_shader_data_layout(const FiloPlacement *p, PlacementShaderData *data) {
    size_t at = 0; // bytes
    for (int i = 0; i < p->footprint_count; i++) {
        size_t points = (size_t)p->footprints[i].points;
        PlacementShaderFootprintData *to = &data->footprints[i];
        to->pattern = (uint32_t)(at / 16);
        to->points = to->pattern + (uint32_t)points;
        at += 2 * points * 16;
        to->threshold = (uint32_t)(at / 4);
        to->first = to->threshold + (uint32_t)points;
        at = FILO_ALIGN_UP(at + (2 * points + 1) * sizeof(uint32_t), (size_t)16);
    }
    for (int i = 0; i < p->map_count; i++) {
        data->maps[i] = (uint32_t)at;
        if (p->maps[i].data != NULL)
            at = FILO_ALIGN_UP(at + row_size(&p->maps[i]) * (size_t)p->maps[i].reader.height, (size_t)16);
    }
    data->size = at;
}

// The square of a cell, of n · n, that a point is in.
static int square_of(const PlacementFootprint *f, int point) {
    float scale = (float)f->n / f->size;
    int x = FILO_CLAMP((int)(f->px[point] * scale), 0, f->n - 1);
    int y = FILO_CLAMP((int)(f->py[point] * scale), 0, f->n - 1);
    return y * f->n + x;
}

static void write_footprint(const PlacementFootprint *f, const PlacementShaderFootprintData *data,
                            uint32_t *words) {
    uint32_t count = 0;
    for (int i = 0; i < f->points; i++) {
        uint32_t *point = words + ((size_t)data->pattern + (size_t)i) * 4;
        point[0] = filo_float_to_bits(f->px[i]);
        point[1] = filo_float_to_bits(f->py[i]);
        words[data->threshold + (uint32_t)i] = (uint32_t)f->threshold[i];
    }
    for (int square = 0; square < f->points; square++) {
        words[data->first + (uint32_t)square] = count;
        for (int i = 0; i < f->points; i++)
            if (square_of(f, i) == square) {
                uint32_t *point = words + ((size_t)data->points + count++) * 4;
                point[0] = filo_float_to_bits(f->px[i]);
                point[1] = filo_float_to_bits(f->py[i]);
                point[2] = (uint32_t)i;
            }
    }
    words[data->first + (uint32_t)f->points] = count;
}

static void write_rows(const PlacementMap *map, int first, int count, uint8_t *into) {
    const PlacementReader *r = &map->reader;
    size_t size = texel_size(map), width = (size_t)r->width;
    for (int y = first; y < first + count; y++, into += width * size) {
        const uint8_t *from = map->data + (size_t)y * r->stride;
        if (r->step == size) {
            memcpy(into, from, width * size);
            continue;
        }
        for (size_t x = 0; x < width; x++) memcpy(into + x * size, from + x * r->step, size);
    }
}

bool placement_shader_has_winners(const FiloPlacement *p, int f) {
    for (int later = f + 1; later < p->footprint_count; later++)
        if (p->footprints[later].reach[f] > 0) return true;
    return false;
}

// ---- Public -------------------------------------------------------------------------------------------------

#define NO_PLACEMENT "pass the placement that filo_placement_create made"

size_t filo_placement_shader_data_size(const FiloPlacement *placement) {
    if (!FILO_CHECK(placement != NULL, NO_PLACEMENT)) return 0;
    PlacementShaderData data;
    placement_shader_data_layout(placement, &data);
    return data.size;
}

void filo_placement_shader_data(const FiloPlacement *placement, void *into) {
    if (!FILO_CHECK(placement != NULL && into != NULL, "pass a placement, and memory for its data")) return;
    PlacementShaderData data;
    placement_shader_data_layout(placement, &data);
    memset(into, 0, data.size);
    for (int i = 0; i < placement->footprint_count; i++)
        write_footprint(&placement->footprints[i], &data.footprints[i], into);
    for (int i = 0; i < placement->map_count; i++)
        if (placement->maps[i].data != NULL)
            write_rows(&placement->maps[i], 0, placement->maps[i].reader.height,
                       (uint8_t *)into + data.maps[i]);
}

// The rows of the window in memory.
static bool clip_rows(const FiloPlacement *placement, int map, int *first, int *count) {
    if (!FILO_CHECK(placement != NULL, NO_PLACEMENT)) return false;
    if (!FILO_CHECK(map >= 0 && map < placement->map_count, "there is no map %d; ask filo_placement_map_find",
                    map))
        return false;
    const PlacementReader *r = &placement->maps[map].reader;
    int64_t begin = FILO_MAX((int64_t)*first - r->y, 0),
            end = FILO_MIN((int64_t)*first + *count - r->y, (int64_t)r->height);
    if (placement->maps[map].data == NULL || begin >= end) return false;
    *first = (int)begin;
    *count = (int)(end - begin);
    return true;
}

FiloShaderRows filo_placement_shader_rows(const FiloPlacement *placement, int map, int first, int count) {
    if (!clip_rows(placement, map, &first, &count)) return (FiloShaderRows){ 0 };
    PlacementShaderData data;
    placement_shader_data_layout(placement, &data);
    size_t row = row_size(&placement->maps[map]);
    return (FiloShaderRows){ data.maps[map] + (size_t)first * row, (size_t)count * row };
}

void filo_placement_shader_rows_write(const FiloPlacement *placement, int map, int first, int count,
                                      void *into) {
    if (!FILO_CHECK(into != NULL, "pass memory for the rows")) return;
    if (clip_rows(placement, map, &first, &count)) write_rows(&placement->maps[map], first, count, into);
}
