// The land: 30 km² of mountains around a lake, from a seed, and the maps that are computed from it.

#include "forest.h"

#include <stdio.h>
#include <string.h>

#define UNDER_WATER 0.085f // of the land

// ---- Memory -------------------------------------------------------------------------------------------------------

static size_t texels_of(const Land *land) { return (size_t)land->side * (size_t)land->side; }

static bool allocate(Land *land) {
    size_t count = texels_of(land);
    bool ok = (land->heights = filo_alloc(NULL, count * sizeof(float), 0)) != NULL;
    ok = ok && (land->height = filo_alloc(NULL, 4 * count * sizeof(uint16_t), 0)) != NULL;
    uint16_t **words[] = { &land->slope, &land->wetness, &land->flow, &land->water_distance };
    for (size_t i = 0; i < FILO_COUNT_OF(words); i++)
        ok = ok && (*words[i] = filo_alloc(NULL, count * sizeof(uint16_t), 0)) != NULL;
    ok = ok && (land->mask = filo_alloc(NULL, count, 0)) != NULL;
    for (int i = 0; i < WOODS_MAPS; i++) ok = ok && (land->woods[i] = filo_alloc(NULL, count, 0)) != NULL;
    return ok && (land->weights = filo_alloc(NULL, 4 * count, 0)) != NULL;
}

void land_free(Land *land) {
    size_t count = texels_of(land);
    filo_free(NULL, land->heights, count * sizeof(float), 0);
    filo_free(NULL, land->height, 4 * count * sizeof(uint16_t), 0);
    uint16_t *words[] = { land->slope, land->wetness, land->flow, land->water_distance };
    for (size_t i = 0; i < FILO_COUNT_OF(words); i++) filo_free(NULL, words[i], count * sizeof(uint16_t), 0);
    filo_free(NULL, land->mask, count, 0);
    for (int i = 0; i < WOODS_MAPS; i++) filo_free(NULL, land->woods[i], count, 0);
    filo_free(NULL, land->weights, 4 * count, 0);
    *land = (Land){ 0 };
}

// ---- Heights ------------------------------------------------------------------------------------------------------

// Smooth noise from 0 to 1, with one octave for each halving of `cell` down to `last`.
static float noise_at(float x, float y, float cell, float last, uint32_t seed) {
    float sum = 0, weight = 1, all = 0;
    for (uint32_t octave = 0; cell >= last; octave++, cell *= 0.5f, all += weight, weight *= 0.5f) {
        float u = x / cell, v = y / cell;
        uint32_t cx = (uint32_t)filo_floor_to_int(u), cy = (uint32_t)filo_floor_to_int(v);
        float fx = filo_smoothstep(0, 1, filo_fract(u)), fy = filo_smoothstep(0, 1, filo_fract(v));
        float corners[4];
        for (uint32_t i = 0; i < 4; i++) {
            uint64_t corner = (uint64_t)(cy + i / 2) << 32 | (cx + i % 2);
            corners[i] =
                (float)(filo_random_mix(corner * 31 + seed + 977 * octave) >> 40) * (1.0f / (1 << 24));
        }
        sum += weight *
               filo_lerp(filo_lerp(corners[0], corners[1], fx), filo_lerp(corners[2], corners[3], fx), fy);
    }
    return sum / all;
}

// Mountains all around, a basin in the middle. Heights stay between 0 and 1.
static void raise_rim(size_t first, size_t end, void *user) {
    Land *land = user;
    float side = (float)land->side;
    for (size_t y = first; y < end; y++)
        for (int x = 0; x < land->side; x++) {
            float u = 2 * (float)x / side - 1, v = 2 * (float)y / side - 1;
            float away = filo_sqrt(u * u + v * v) + 0.25f * (noise_at((float)x, (float)y, 160, 40, 5) - 0.5f);
            float rim = filo_smoothstep(0.2f, 0.95f, away);
            float *height = &land->heights[y * (size_t)land->side + (size_t)x];
            *height = *height * (0.30f + 0.40f * rim) + 0.30f * rim;
        }
}

static float coarse_at(const Land *land, int x, int y) {
    x = FILO_CLAMP(x, 0, land->side - 1), y = FILO_CLAMP(y, 0, land->side - 1);
    return land->heights[(size_t)y * (size_t)land->side + (size_t)x];
}

// Catmull and Rom's curve through four values, a quarter or three quarters between the middle ones.
static float between(float a, float b, float c, float d, float t) {
    return b + 0.5f * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

// Bumps of a few metres that erosion does not make: they repeat every 256 heights.
#define BUMPS 256
static float bumps[BUMPS * BUMPS];

static void make_bumps(void) {
    for (int i = 0; i < BUMPS * BUMPS; i++) {
        float x = (float)(i % BUMPS), y = (float)(i / BUMPS), u = x / BUMPS, v = y / BUMPS;
        // Blended with itself from the other side, so that there is no seam.
        float near = filo_lerp(noise_at(x, y, 8, 2, 77), noise_at(x - BUMPS, y, 8, 2, 77), u);
        float far = filo_lerp(noise_at(x, y - BUMPS, 8, 2, 77), noise_at(x - BUMPS, y - BUMPS, 8, 2, 77), u);
        bumps[i] = filo_lerp(near, far, v) - 0.5f;
    }
}

// Twice as many heights a side, with bumps.
static void refine(size_t first, size_t end, void *user) {
    Land *land = user;
    int fine = 2 * land->side;
    for (size_t row = first; row < end; row++)
        for (int x = 0; x < fine; x++) {
            int y = (int)row, cx = (x - 1) >> 1, cy = (y - 1) >> 1;
            float u = x & 1 ? 0.25f : 0.75f, v = y & 1 ? 0.25f : 0.75f, rows[4];
            for (int i = 0; i < 4; i++)
                rows[i] =
                    between(coarse_at(land, cx - 1, cy - 1 + i), coarse_at(land, cx, cy - 1 + i),
                            coarse_at(land, cx + 1, cy - 1 + i), coarse_at(land, cx + 2, cy - 1 + i), u);
            float height = between(rows[0], rows[1], rows[2], rows[3], v) * land->high;
            float steep = filo_abs(coarse_at(land, cx + 1, cy) - coarse_at(land, cx, cy)) +
                          filo_abs(coarse_at(land, cx, cy + 1) - coarse_at(land, cx, cy));
            float rough = 0.35f + 2.6f * filo_min(steep * land->high / LAND_TEXEL, 1);
            height += rough * bumps[y % BUMPS * BUMPS + x % BUMPS];
            land->height[row * (size_t)fine + (size_t)x] =
                (uint16_t)filo_round_to_int(filo_clamp01(height / land->high) * 65535);
        }
}

float land_height(const Land *land, float x, float z) {
    int fine = 2 * land->side;
    float u = filo_clamp((x + land->half) / (0.5f * LAND_TEXEL) - 0.5f, 0, (float)(fine - 1) - 0.001f);
    float v = filo_clamp((land->half - z) / (0.5f * LAND_TEXEL) - 0.5f, 0, (float)(fine - 1) - 0.001f);
    int column = (int)u, row = (int)v;
    const uint16_t *at = land->height + (size_t)row * (size_t)fine + (size_t)column;
    float a = filo_lerp(at[0], at[1], u - (float)column),
          b = filo_lerp(at[fine], at[fine + 1], u - (float)column);
    return filo_lerp(a, b, v - (float)row) * (land->high / 65535) - land->water;
}

// The height below which a part of the land is.
static float level_of(const Land *land, float part) {
    size_t counts[2048] = { 0 }, below = 0;
    for (size_t i = 0; i < texels_of(land); i++)
        counts[FILO_MIN((size_t)(land->heights[i] * 2047), (size_t)2047)]++;
    for (int i = 0; i < 2048; i++) {
        below += counts[i];
        if ((float)below >= part * (float)texels_of(land)) return (float)(i + 1) / 2047;
    }
    return 1;
}

// ---- Maps ---------------------------------------------------------------------------------------------------------

static float degrees_of(uint16_t slope) { return (float)slope * (90.0f / 65535); }

// Where trees grow, in three tastes: as nature would, in groves, and nearly everywhere.
static void plant(Land *land, size_t i, float x, float y, float height) {
    float slope = degrees_of(land->slope[i]), wet = (float)land->wetness[i] / 65535;
    float patches = noise_at(x, y, 110, 6, 100), line = 380 + 150 * (noise_at(x, y, 90, 20, 200) - 0.5f);
    float fits = (1 - filo_smoothstep(40, 52, slope)) * (1 - filo_smoothstep(line - 60, line + 30, height));
    float natural = filo_smoothstep(0.36f, 0.52f, patches + 0.25f * (wet - 0.4f) + 0.003f * slope);
    float groves = filo_smoothstep(0.56f, 0.60f, noise_at(x, y, 48, 12, 300));
    const float tastes[WOODS_MAPS] = { natural, groves, 0.85f };
    for (int taste = 0; taste < WOODS_MAPS; taste++)
        land->woods[taste][i] = (uint8_t)filo_round_to_int(255 * tastes[taste] * fits);
}

static void make_maps(size_t first, size_t end, void *user) {
    Land *land = user;
    for (size_t y = first; y < end; y++)
        for (int x = 0; x < land->side; x++) {
            size_t i = y * (size_t)land->side + (size_t)x;
            float height = land->heights[i] * land->high - land->water;
            float water = (float)land->water_distance[i] * (LAND_FAR_WATER / 65535);
            plant(land, i, (float)x, (float)y, height);
            uint8_t *weights = &land->weights[4 * i];
            weights[0] = land->woods[0][i];
            float noise = noise_at((float)x, (float)y, 12, 3, 400);
            weights[1] = (uint8_t)filo_round_to_int(
                255 *
                (1 - filo_smoothstep(6, 22, water + 20 * (noise - 0.5f) + filo_max(height - 1.5f, 0) * 6)));
            weights[2] = (uint8_t)filo_round_to_int(255 * filo_smoothstep(0.55f, 0.75f, noise));
            weights[3] = 255;
        }
}

static FiloResult bake(Land *land, FiloTerrainDesc *desc) {
    desc->heights.data = land->heights;
    FiloTerrainMap mask = filo_terrain_map(land->mask, FILO_MAP_U8, land->side, land->side);
    FiloResult r = filo_terrain_bake_slope(land->slope, desc);
    if (r.code == FILO_OK) r = filo_terrain_bake_flow(land->flow, land->wetness, desc);
    if (r.code == FILO_OK)
        r = filo_terrain_bake_water(land->mask, desc,
                                    &(FiloTerrainWater){ .sea = true, .sea_level = land->water });
    if (r.code == FILO_OK)
        r = filo_terrain_bake_distance(land->water_distance, NULL, desc, &mask, LAND_FAR_WATER);
    return r;
}

// ---- Making it ----------------------------------------------------------------------------------------------------

// Eroded heights are kept in the user's cache: they take most of the time.
static FiloResult cache_path(char *path, size_t size, const Land *land, uint64_t seed) {
    char file[64];
    snprintf(file, sizeof file, "land 1 %llu %d", (unsigned long long)seed, land->side);
    return filo_path_standard_file(path, size, FILO_FOLDER_USER_CACHE, "forest", file);
}

static bool read_cache(Land *land, uint64_t seed) {
    char path[FILO_PATH_SIZE];
    FiloFileData file;
    if (cache_path(path, sizeof path, land, seed).code != FILO_OK || !filo_file_exists(path) ||
        filo_file_read(&file, path, NULL).code != FILO_OK)
        return false;
    bool fits = file.size == texels_of(land) * sizeof(float);
    if (fits) memcpy(land->heights, file.bytes, file.size);
    filo_file_free(&file);
    return fits;
}

static void write_cache(const Land *land, uint64_t seed) {
    char path[FILO_PATH_SIZE];
    FiloResult r = cache_path(path, sizeof path, land, seed);
    if (r.code == FILO_OK) r = filo_file_write(path, land->heights, texels_of(land) * sizeof(float), NULL);
    if (r.code != FILO_OK) filo_log_warn("forest", "%s", r.message);
}

static FiloResult erode(Land *land, FiloTerrainDesc *desc, uint64_t seed, bool cache) {
    if (cache && read_cache(land, seed)) return filo_ok();
    FiloResult r = filo_terrain_generate(land->heights, desc, &(FiloTerrainGenerate){ .seed = seed });
    if (r.code == FILO_OK) filo_jobs_for(desc->jobs, (size_t)land->side, raise_rim, land);
    if (r.code == FILO_OK) r = filo_terrain_erode(land->heights, desc, &(FiloTerrainErode){ .seed = seed });
    if (r.code == FILO_OK && cache) write_cache(land, seed);
    return r;
}

FiloResult land_make(Land *land, FiloJobs *jobs, uint64_t seed, int side, bool cache) {
    int64_t start = filo_time_ns();
    *land = (Land){ .side = side, .metres = (float)side * LAND_TEXEL };
    land->half = 0.5f * land->metres;
    float eroded =
        filo_min(0.2f * land->metres, 900); // metres of the mountains while they erode; then they are raised
    land->high = 1.4f * eroded;
    if (!allocate(land)) return filo_error(FILO_ERROR_MEMORY, "no memory for the land");
    FiloTerrainDesc desc = { .heights = { .format = FILO_MAP_FLOAT, .width = side, .height = side },
                             .size = { land->metres, land->metres },
                             .high = eroded,
                             .jobs = jobs };
    FiloResult r = erode(land, &desc, seed, cache);
    if (r.code != FILO_OK) return r;
    desc.high = land->high;
    land->water = level_of(land, UNDER_WATER) * land->high;
    r = bake(land, &desc);
    if (r.code != FILO_OK) return r;
    make_bumps();
    filo_jobs_for(jobs, 2 * (size_t)side, refine, land);
    filo_jobs_for(jobs, (size_t)side, make_maps, land);
    land->make_ms = (double)(filo_time_ns() - start) / 1e6;
    return r;
}
