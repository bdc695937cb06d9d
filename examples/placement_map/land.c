// The land: a terrain from a seed, the maps that are computed from it, and what is placed on it.

#include "placement_map.h"

#include "shared/footprints.h"

#include <string.h>

#define TEXELS      ((size_t)LAND_SIDE * LAND_SIDE)
#define TEXEL       (LAND_METRES / LAND_SIDE)
#define HIGH        360.0f // metres from the lowest to the highest point
#define UNDER_WATER 0.13f  // of the land
#define FAR_WATER   128.0f // metres: the largest distances in the maps
#define FAR_ROAD    64.0f

// ---- Memory -------------------------------------------------------------------------------------------------

static bool allocate(Land *land) {
    if (land->heights != NULL) return true;
    bool ok = (land->heights = filo_alloc(NULL, TEXELS * sizeof *land->heights, 0)) != NULL;
    ok = ok && (land->soil = filo_alloc(NULL, TEXELS * sizeof *land->soil, 0)) != NULL;
    uint16_t **words[] = { &land->height, &land->water_distance, &land->road_distance, &land->flow,
                           &land->wetness };
    uint8_t **bytes[] = { &land->water, &land->road, &land->woods, &land->woods_before };
    for (size_t i = 0; i < FILO_COUNT_OF(words); i++)
        ok = ok && (*words[i] = filo_alloc(NULL, TEXELS * sizeof **words[i], 0)) != NULL;
    for (size_t i = 0; i < FILO_COUNT_OF(bytes); i++)
        ok = ok && (*bytes[i] = filo_alloc(NULL, TEXELS, 0)) != NULL;
    return ok;
}

void land_free(Land *land) {
    filo_placement_destroy(land->placement);
    filo_free(NULL, land->heights, TEXELS * sizeof *land->heights, 0);
    filo_free(NULL, land->soil, TEXELS * sizeof *land->soil, 0);
    uint16_t *words[] = { land->height, land->water_distance, land->road_distance, land->flow,
                          land->wetness };
    uint8_t *bytes[] = { land->water, land->road, land->woods, land->woods_before };
    for (size_t i = 0; i < FILO_COUNT_OF(words); i++) filo_free(NULL, words[i], TEXELS * sizeof *words[i], 0);
    for (size_t i = 0; i < FILO_COUNT_OF(bytes); i++) filo_free(NULL, bytes[i], TEXELS, 0);
    *land = (Land){ 0 };
}

// ---- Soil ---------------------------------------------------------------------------------------------------

static size_t texel_at(int x, int y) {
    x = FILO_MIN(FILO_MAX(x, 0), LAND_SIDE - 1), y = FILO_MIN(FILO_MAX(y, 0), LAND_SIDE - 1);
    return (size_t)y * LAND_SIDE + (size_t)x;
}

static float metres_at(const Land *land, int x, int y) { return land->heights[texel_at(x, y)] * land->high; }

// Smooth noise from 0 to 1.
static float noise_at(float x, float y, uint32_t octaves, uint32_t seed) {
    float sum = 0, weight = 0.5f, all = 0;
    for (uint32_t octave = 0; octave < octaves; octave++, x *= 2, y *= 2, all += weight, weight *= 0.5f) {
        uint32_t cx = (uint32_t)filo_floor_to_int(x), cy = (uint32_t)filo_floor_to_int(y);
        float fx = filo_smoothstep(0, 1, filo_fract(x)), fy = filo_smoothstep(0, 1, filo_fract(y));
        float corners[4];
        for (uint32_t i = 0; i < 4; i++) {
            uint64_t corner = (uint64_t)(cy + i / 2) << 32 | (cx + i % 2);
            corners[i] = (float)(filo_random_mix(corner * 31 + seed + octave) >> 40) * (1.0f / (1 << 24));
        }
        sum += weight *
               filo_lerp(filo_lerp(corners[0], corners[1], fx), filo_lerp(corners[2], corners[3], fx), fy);
    }
    return sum / all;
}

// How much of the sun is not behind a mountain. The sun is in the upper left, where y goes up.
static float light_at(const Land *land, int x, int y) {
    float height = metres_at(land, x, y), light = 1;
    for (int step = 2; step < 40; step += 2) {
        float ray = height + (float)step * TEXEL * 1.41f * 0.62f;
        float over = metres_at(land, x - step, y + step) - ray;
        light = filo_min(light, 1 - filo_smoothstep(-6, 10, over));
    }
    return light;
}

// The mean height of a square around, minus the height.
static float hollow_at(const Land *land, int x, int y) {
    float sum = 0;
    for (int v = -8; v <= 8; v += 4)
        for (int u = -8; u <= 8; u += 4) sum += metres_at(land, x + u, y + v);
    return filo_clamp((sum / 25 - metres_at(land, x, y)) / 14, -1, 1);
}

static float woods_at(const Soil *soil, int x, int y) {
    float patches = noise_at((float)x / 34, (float)y / 34, 4, 100) +
                    0.10f * (noise_at((float)x / 7, (float)y / 7, 2, 200) - 0.5f);
    float steep = filo_sqrt(soil->slope_x * soil->slope_x + soil->slope_y * soil->slope_y);
    float good = patches + 0.10f * (soil->wet - 0.4f) + 0.10f * filo_min(steep, 0.6f);
    return filo_smoothstep(0.47f, 0.56f, good) * (1 - filo_smoothstep(0.75f, 1.0f, steep));
}

static void make_soil(size_t first, size_t end, void *user) {
    Land *land = user;
    for (size_t row = first; row < end; row++)
        for (int x = 0; x < LAND_SIDE; x++) {
            int y = (int)row;
            size_t i = texel_at(x, y);
            Soil *soil = &land->soil[i];
            soil->height = metres_at(land, x, y) - land->water_level;
            soil->slope_x = (metres_at(land, x + 1, y) - metres_at(land, x - 1, y)) / (2 * TEXEL);
            soil->slope_y = (metres_at(land, x, y + 1) - metres_at(land, x, y - 1)) / (2 * TEXEL);
            soil->light = light_at(land, x, y);
            soil->hollow = hollow_at(land, x, y);
            soil->wet = (float)land->wetness[i] / 65535;
            soil->road = (float)land->road_distance[i] * (FAR_ROAD / 65535);
            soil->water = (float)land->water_distance[i] * (FAR_WATER / 65535);
            soil->woods = woods_at(soil, x, y);
            land->woods[i] = land->woods_before[i] = (uint8_t)filo_round_to_int(soil->woods * 255);
        }
}

Soil land_soil_at(const Land *land, FiloVec2 metres) {
    float x = metres.x / TEXEL - 0.5f, y = metres.y / TEXEL - 0.5f;
    int left = filo_floor_to_int(x), low = filo_floor_to_int(y);
    float across = x - (float)left, along = y - (float)low;
    const float *a = (const float *)&land->soil[texel_at(left, low)],
                *b = (const float *)&land->soil[texel_at(left + 1, low)],
                *c = (const float *)&land->soil[texel_at(left, low + 1)],
                *d = (const float *)&land->soil[texel_at(left + 1, low + 1)];
    float blended[sizeof(Soil) / sizeof(float)];
    for (size_t i = 0; i < FILO_COUNT_OF(blended); i++) {
        float lower = a[i] + (b[i] - a[i]) * across, upper = c[i] + (d[i] - c[i]) * across;
        blended[i] = lower + (upper - lower) * along;
    }
    Soil soil;
    memcpy(&soil, blended, sizeof soil);
    return soil;
}

float land_sun(const Soil *soil) {
    FiloVec3 normal = filo_vec3_normalise(filo_vec3(-soil->slope_x, -soil->slope_y, 1));
    float sun = filo_max(filo_vec3_dot(normal, filo_vec3(-0.54f, 0.58f, 0.61f)), 0) / 0.61f;
    return filo_min(sun, 1.35f) * (0.52f + 0.48f * soil->light);
}

// ---- Terrain ------------------------------------------------------------------------------------------------

// The height below which a part of the land is.
static float level_of(const float *heights, float part) {
    size_t counts[1024] = { 0 }, below = 0;
    for (size_t i = 0; i < TEXELS; i++) counts[FILO_MIN((size_t)(heights[i] * 1023), (size_t)1023)]++;
    for (int i = 0; i < 1024; i++) {
        below += counts[i];
        if ((float)below >= part * (float)TEXELS) return (float)(i + 1) / 1023;
    }
    return 1;
}

static FiloTerrainMap map_of(const void *data, FiloMapFormat format) {
    return (FiloTerrainMap){ .data = data, .format = format, .width = LAND_SIDE, .height = LAND_SIDE };
}

static FiloResult draw_roads(Land *land, const FiloTerrainDesc *desc) {
    memset(land->road, 0, TEXELS);
    const float m = LAND_METRES;
    const FiloVec2 ends[][2] = { { { 10, 0.36f * m }, { m - 10, 0.60f * m } },
                                 { { 0.42f * m, 10 }, { 0.55f * m, m - 10 } } };
    FiloResult r = filo_ok();
    for (size_t i = 0; i < FILO_COUNT_OF(ends) && r.code == FILO_OK; i++)
        r = filo_terrain_draw_road(land->road, NULL, desc,
                                   &(FiloTerrainRoad){ .from = ends[i][0],
                                                       .to = ends[i][1],
                                                       .width = 5,
                                                       .avoid = land->water,
                                                       .prefer = land->road });
    return r;
}

static FiloResult bake(Land *land, FiloTerrainDesc *desc) {
    desc->heights.data = land->heights;
    FiloTerrainMap water = map_of(land->water, FILO_MAP_U8), road = map_of(land->road, FILO_MAP_U8);
    FiloResult r = filo_terrain_to_u16(land->height, desc);
    if (r.code == FILO_OK) r = filo_terrain_bake_flow(land->flow, land->wetness, desc);
    if (r.code == FILO_OK)
        r = filo_terrain_bake_water(
            land->water, desc,
            &(FiloTerrainWater){
                .sea = true, .sea_level = land->water_level, .flow = land->flow, .area = 150000 });
    if (r.code == FILO_OK)
        r = filo_terrain_bake_distance(land->water_distance, NULL, desc, &water, FAR_WATER);
    if (r.code == FILO_OK) r = draw_roads(land, desc);
    if (r.code == FILO_OK) r = filo_terrain_bake_distance(land->road_distance, NULL, desc, &road, FAR_ROAD);
    return r;
}

FiloResult land_make(Land *land, FiloJobs *jobs, uint64_t seed) {
    land->jobs = jobs;
    land->high = HIGH;
    filo_placement_destroy(land->placement);
    land->placement = NULL;
    if (!allocate(land)) return filo_error(FILO_ERROR_MEMORY, "no memory for the land");
    FiloTerrainDesc desc = { .heights = { .format = FILO_MAP_FLOAT, .width = LAND_SIDE, .height = LAND_SIDE },
                             .size = { LAND_METRES, LAND_METRES },
                             .high = HIGH,
                             .jobs = jobs };
    int64_t start = filo_time_ns();
    FiloResult r = filo_terrain_generate(land->heights, &desc, &(FiloTerrainGenerate){ .seed = seed });
    if (r.code == FILO_OK) r = filo_terrain_erode(land->heights, &desc, &(FiloTerrainErode){ .seed = seed });
    if (r.code != FILO_OK) return r;
    land->water_level = level_of(land->heights, UNDER_WATER) * HIGH;
    r = bake(land, &desc);
    if (r.code == FILO_OK) filo_jobs_for(jobs, LAND_SIDE, make_soil, land);
    land->make_ms = (double)(filo_time_ns() - start) / 1e6;
    return r;
}

void land_paint(Land *land, const Paint *paint, FiloRect metres) {
    int x0 = FILO_MAX(filo_floor_to_int(metres.min.x / TEXEL), 0),
        x1 = FILO_MIN(filo_floor_to_int(metres.max.x / TEXEL), LAND_SIDE - 1);
    int y0 = FILO_MAX(filo_floor_to_int(metres.min.y / TEXEL), 0),
        y1 = FILO_MIN(filo_floor_to_int(metres.max.y / TEXEL), LAND_SIDE - 1);
    for (int y = y0; y <= y1; y++)
        for (int x = x0; x <= x1; x++) {
            size_t i = texel_at(x, y);
            FiloVec2 centre = filo_vec2(((float)x + 0.5f) * TEXEL, ((float)y + 0.5f) * TEXEL);
            float woods = filo_clamp01((float)land->woods_before[i] / 255 + map_paint_at(paint, centre));
            land->woods[i] = (uint8_t)filo_round_to_int(woods * 255);
            land->soil[i].woods = woods;
        }
}

// ---- Placement ----------------------------------------------------------------------------------------------

FiloResult land_place(Land *land, const char *path, uint64_t seed, float footprints) {
    filo_placement_destroy(land->placement);
    land->placement = NULL;
    FiloFileData file;
    FiloResult r = filo_file_read(&file, path, NULL);
    if (r.code != FILO_OK) return r;
    FiloEcotope *ecotope;
    r = footprints_parse(&ecotope, filo_string_from(file.text, file.size), footprints, path);
    FiloNamedMap maps[] = { { "woods", map_of(land->woods, FILO_MAP_U8) },
                            { "wetness", map_of(land->wetness, FILO_MAP_U16) },
                            { "water_distance", map_of(land->water_distance, FILO_MAP_U16) },
                            { "road_distance", map_of(land->road_distance, FILO_MAP_U16) } };
    FiloPlacementDesc desc = { .size = { LAND_METRES, LAND_METRES, land->high },
                               .lowest = -land->water_level,
                               .height = map_of(land->height, FILO_MAP_U16),
                               .seed = seed,
                               .ecotope = ecotope,
                               .maps = maps,
                               .map_count = FILO_COUNT_OF(maps) };
    if (r.code == FILO_OK) r = filo_placement_create(&land->placement, &desc);
    filo_ecotope_free(ecotope);
    filo_file_free(&file);
    return r;
}
