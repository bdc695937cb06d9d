// Checks of descriptions, and reading of maps.

#include "placement/terrain/terrain.h"

#include <string.h>

#define SIDE_MAX   65536
#define METRES_MAX 1e7f // of a world; heights likewise

const int8_t placement_terrain_dx[8] = { 1, 0, -1, 0, 1, -1, -1, 1 };
const int8_t placement_terrain_dy[8] = { 0, 1, 0, -1, 1, 1, -1, -1 };

// ---- Checks ---------------------------------------------------------------------------------------------

static FiloResult check_size(const FiloTerrainMap *map, const char *what) {
    if (map->width < 1 || map->height < 1)
        return FILO_MISTAKE("a map of %s needs at least one texel; this has %d x %d", what, map->width,
                            map->height);
    if (map->width > SIDE_MAX || map->height > SIDE_MAX ||
        (int64_t)map->width * map->height > FILO_TERRAIN_TEXELS_MAX)
        return FILO_MISTAKE("a map of %s has at most %d texels, %d on a side; this has %d x %d", what,
                            FILO_TERRAIN_TEXELS_MAX, SIDE_MAX, map->width, map->height);
    if (map->full_width == 0 && map->full_height == 0 && map->x == 0 && map->y == 0) return filo_ok();
    bool inside = map->x >= 0 && map->y >= 0 && map->full_width > 0 && map->full_height > 0 &&
                  map->x <= map->full_width - map->width && map->y <= map->full_height - map->height;
    if (!inside)
        return FILO_MISTAKE(
            "the window of a map of %s has to be inside of the whole: %d x %d texels at (%d, %d) of "
            "%d x %d",
            what, map->width, map->height, map->x, map->y, map->full_width, map->full_height);
    return filo_ok();
}

static size_t value_size(FiloMapFormat format) {
    return format == FILO_MAP_U8 ? 1 : format == FILO_MAP_U16 ? 2 : format == FILO_MAP_FLOAT ? 4 : 0;
}

FiloResult placement_terrain_check_map(FiloTerrainMap *map, const char *what) {
    FiloResult result = check_size(map, what);
    if (result.code != FILO_OK) return result;
    if (map->data == NULL) return FILO_MISTAKE("a map of %s needs data", what);
    size_t size = value_size(map->format);
    if (size == 0)
        return FILO_MISTAKE("the format of a map of %s is FILO_MAP_U8, FILO_MAP_U16 or FILO_MAP_FLOAT", what);
    if (map->step == 0) map->step = size;
    if (map->stride == 0) map->stride = map->step * (size_t)map->width;
    return filo_ok();
}

// Also false for NaN.
static bool is_between(float x, float low, float high) { return x >= low && x <= high; }

FiloResult placement_terrain_open(PlacementTerrain *terrain, const FiloTerrainDesc *desc, bool reads) {
    if (desc == NULL) return FILO_MISTAKE("pass the description of the terrain");
    FiloTerrainMap map = desc->heights;
    FiloResult result = reads ? placement_terrain_check_map(&map, "heights") : check_size(&map, "heights");
    if (result.code != FILO_OK) return result;
    if (!is_between(desc->size.x, 1e-3f, METRES_MAX) || !is_between(desc->size.y, 1e-3f, METRES_MAX))
        return FILO_MISTAKE("the size of a terrain is 0.001 to 10000000 metres, not %g x %g",
                            (double)desc->size.x, (double)desc->size.y);
    if (!is_between(desc->low, -METRES_MAX, METRES_MAX) || !is_between(desc->high, -METRES_MAX, METRES_MAX) ||
        !(desc->low < desc->high))
        return FILO_MISTAKE(
            "the heights of a terrain go from a lower to a higher number of metres, not from %g to %g",
            (double)desc->low, (double)desc->high);
    int full_width = map.full_width > 0 ? map.full_width : map.width;
    int full_height = map.full_height > 0 ? map.full_height : map.height;
    *terrain = (PlacementTerrain){ .map = map,
                                   .width = map.width,
                                   .height = map.height,
                                   .count = (size_t)map.width * (size_t)map.height,
                                   .dx = desc->size.x / (float)full_width,
                                   .dy = desc->size.y / (float)full_height,
                                   .low = desc->low,
                                   .range = desc->high - desc->low,
                                   .jobs = desc->jobs,
                                   .allocator = desc->allocator,
                                   .progress = desc->progress,
                                   .user = desc->user };
    return filo_ok();
}

FiloResult placement_terrain_open_whole(PlacementTerrain *terrain, const FiloTerrainDesc *desc, bool reads,
                                        const char *done) {
    FiloResult result = placement_terrain_open(terrain, desc, reads);
    if (result.code != FILO_OK) return result;
    if (terrain->map.full_width > terrain->width || terrain->map.full_height > terrain->height)
        return FILO_MISTAKE("%s whole maps, not windows of them", done);
    return filo_ok();
}

// ---- Work -----------------------------------------------------------------------------------------------

void placement_terrain_for(const PlacementTerrain *terrain, size_t count, FiloRangeFunction function,
                           void *user) {
    if (terrain->jobs != NULL)
        filo_jobs_for(terrain->jobs, count, function, user);
    else if (count > 0)
        function(0, count, user);
}

FiloResult placement_terrain_report(const PlacementTerrain *terrain, float done) {
    if (terrain->progress == NULL || terrain->progress(filo_clamp01(done), terrain->user)) return filo_ok();
    return filo_error(FILO_ERROR_CANCELLED, "terrain: cancelled");
}

FiloResult placement_terrain_no_memory(void) {
    return filo_error(FILO_ERROR_MEMORY, "terrain: no memory for temporary maps");
}

// ---- Values ---------------------------------------------------------------------------------------------

// 16-bit values and floats may lie at any address.
static inline float read_value(const uint8_t *at, FiloMapFormat format) {
    uint16_t bits;
    float value;
    switch (format) {
    case FILO_MAP_U8: return (float)*at * (1.0f / 255.0f);
    case FILO_MAP_U16: memcpy(&bits, at, sizeof bits); return (float)bits * (1.0f / 65535.0f);
    case FILO_MAP_FLOAT: break;
    }
    memcpy(&value, at, sizeof value);
    return value > 0.0f ? filo_min(value, 1.0f) : 0.0f; // a NaN counts as 0
}

void placement_terrain_row(const FiloTerrainMap *map, int y, float *row) {
    y = FILO_CLAMP(y, 0, map->height - 1);
    const uint8_t *at = (const uint8_t *)map->data + (size_t)y * map->stride;
    for (int x = 0; x < map->width; x++) row[x] = read_value(at + (size_t)x * map->step, map->format);
}

float placement_terrain_value(const FiloTerrainMap *map, int x, int y) {
    x = FILO_CLAMP(x, 0, map->width - 1);
    y = FILO_CLAMP(y, 0, map->height - 1);
    return read_value((const uint8_t *)map->data + (size_t)y * map->stride + (size_t)x * map->step,
                      map->format);
}

// ---- All heights ----------------------------------------------------------------------------------------

typedef struct Reading {
    const PlacementTerrain *terrain;
    float *heights;
    bool broken; // a value is not finite
} Reading;

static bool is_finite_row(const FiloTerrainMap *map, size_t y) {
    const uint8_t *at = (const uint8_t *)map->data + y * map->stride;
    uint32_t bits, largest = 0;
    for (int x = 0; x < map->width; x++) {
        memcpy(&bits, at + (size_t)x * map->step, sizeof bits);
        largest = FILO_MAX(largest, bits & 0x7FFFFFFFu);
    }
    return largest < 0x7F800000u;
}

static void read_rows(size_t begin, size_t end, void *user) {
    Reading *reading = user;
    const PlacementTerrain *terrain = reading->terrain;
    for (size_t y = begin; y < end; y++) {
        if (terrain->map.format == FILO_MAP_FLOAT && !is_finite_row(&terrain->map, y))
            __atomic_store_n(&reading->broken, true, __ATOMIC_RELAXED);
        if (reading->heights == NULL) continue;
        float *row = reading->heights + y * (size_t)terrain->width;
        placement_terrain_row(&terrain->map, (int)y, row);
        for (int x = 0; x < terrain->width; x++) row[x] *= terrain->range;
    }
}

FiloResult placement_terrain_heights(const PlacementTerrain *terrain, float *heights) {
    Reading reading = { terrain, heights, false };
    if (heights != NULL || terrain->map.format == FILO_MAP_FLOAT)
        placement_terrain_for(terrain, (size_t)terrain->height, read_rows, &reading);
    if (reading.broken) return filo_error(FILO_ERROR_DATA, "terrain: a height is not a finite number");
    return filo_ok();
}

// ---- Rounding -------------------------------------------------------------------------------------------

typedef struct Rounding {
    const PlacementTerrain *terrain;
    uint16_t *values;
} Rounding;

static void round_rows(size_t begin, size_t end, void *user) {
    const Rounding *rounding = user;
    int width = rounding->terrain->width;
    for (size_t y = begin; y < end; y++)
        for (int x = 0; x < width; x++)
            rounding->values[y * (size_t)width + (size_t)x] =
                placement_terrain_u16(placement_terrain_value(&rounding->terrain->map, x, (int)y));
}

FiloResult filo_terrain_to_u16(uint16_t *values, const FiloTerrainDesc *desc) {
    PlacementTerrain terrain = { 0 };
    FiloResult result = placement_terrain_open(&terrain, desc, true);
    if (result.code != FILO_OK) return result;
    if (values == NULL) return FILO_MISTAKE("pass where the values go");
    result = placement_terrain_heights(&terrain, NULL);
    if (result.code != FILO_OK) return result;
    placement_terrain_for(&terrain, (size_t)terrain.height, round_rows, &(Rounding){ &terrain, values });
    return filo_ok();
}
