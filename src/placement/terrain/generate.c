// Heightmaps of noise.
//
// Coordinates are warped by noise first, which bends ridges and valleys. A mask of low frequency says where massifs are.
// In them, ridged noise (1 - |noise|, squared, each octave weighted by the one above it: Musgrave's ridged multifractal)
// rises above hills of plain noise.

#include <filo/random.h>

#include "placement/terrain/noise.h"
#include "placement/terrain/terrain.h"

#define OCTAVES_MAX 12

typedef struct Generation {
    const PlacementTerrain *terrain;
    float *heights;
    float *lowest, *highest; // of each row
    float frequency;         // massifs in a metre
    float gain, mountains;
    int octaves;
    size_t first_row; // of the band
    uint32_t seeds[5];
    float low, scale; // of the last step
} Generation;

// ---- Blocks of a row: loops over them become vector instructions ------------------------------------------

#define BLOCK 128

typedef struct Points {
    float x[BLOCK], y[BLOCK];
} Points;

static void scale_points(Points *to, const Points *from, float factor) {
    for (int i = 0; i < BLOCK; i++) {
        to->x[i] = from->x[i] * factor;
        to->y[i] = from->y[i] * factor;
    }
}

// To the points of the next octave, as placement_noise_sum does.
static void next_octave(Points *points) {
    for (int i = 0; i < BLOCK; i++) {
        float rotated = 1.6f * points->x[i] + 1.2f * points->y[i];
        points->y[i] = 1.6f * points->y[i] - 1.2f * points->x[i];
        points->x[i] = rotated;
    }
}

static void sum_octaves(float *sum, const Points *from, float scale, uint32_t seed, int octaves, float gain) {
    Points points;
    float height = 1.0f;
    scale_points(&points, from, scale);
    for (int i = 0; i < BLOCK; i++) sum[i] = 0.0f;
    for (int octave = 0; octave < octaves; octave++) {
        for (int i = 0; i < BLOCK; i++)
            sum[i] += height * placement_noise(points.x[i], points.y[i], seed + (uint32_t)octave);
        next_octave(&points);
        height *= gain;
    }
}

static void sum_ridges(float *sum, const Points *from, float scale, const Generation *g) {
    Points points;
    float height = 0.5f, weight[BLOCK];
    scale_points(&points, from, scale);
    for (int i = 0; i < BLOCK; i++) {
        sum[i] = 0.0f;
        weight[i] = 1.0f;
    }
    for (int octave = 0; octave < g->octaves; octave++) {
        uint32_t seed = g->seeds[3] + (uint32_t)octave;
        for (int i = 0; i < BLOCK; i++) {
            float ridge = 1.0f - filo_abs(placement_noise(points.x[i], points.y[i], seed)) * 1.5f;
            ridge = filo_max(ridge, 0.0f);
            ridge *= ridge * weight[i];
            weight[i] = filo_clamp01(ridge * 2.0f);
            sum[i] += ridge * height;
        }
        next_octave(&points);
        height *= g->gain;
    }
}

static void fill_block(const Generation *g, float *heights, Points *points) {
    float a[BLOCK], b[BLOCK];
    sum_octaves(a, points, 0.9f, g->seeds[0], 3, 0.5f);
    sum_octaves(b, points, 0.9f, g->seeds[1], 3, 0.5f);
    for (int i = 0; i < BLOCK; i++) {
        points->x[i] += 0.4f * a[i];
        points->y[i] += 0.4f * b[i];
    }
    sum_octaves(heights, points, 1.9f, g->seeds[4], FILO_MAX(g->octaves - 2, 1), g->gain);
    sum_octaves(a, points, 0.7f, g->seeds[2], 3, 0.45f);
    sum_ridges(b, points, 1.1f, g);
    for (int i = 0; i < BLOCK; i++) {
        float massif = filo_smoothstep(-0.5f, 0.45f, a[i] + g->mountains - 0.5f);
        heights[i] = 0.22f * (heights[i] * 0.5f + 0.5f) + massif * (0.25f + 0.75f * b[i]);
    }
}

static void fill_rows(size_t begin, size_t end, void *user) {
    const Generation *g = user;
    const PlacementTerrain *t = g->terrain;
    for (size_t y = g->first_row + begin; y < g->first_row + end; y++) {
        float *row = g->heights + y * (size_t)t->width, heights[BLOCK];
        for (int x = 0; x < t->width; x += BLOCK) {
            Points points;
            for (int i = 0; i < BLOCK; i++) { // also beyond the end of the row
                points.x[i] = ((float)(x + i) + 0.5f) * t->dx * g->frequency;
                points.y[i] = ((float)y + 0.5f) * t->dy * g->frequency;
            }
            fill_block(g, heights, &points);
            for (int i = 0; i < BLOCK && x + i < t->width; i++) row[x + i] = heights[i];
        }
        float lowest = row[0], highest = row[0];
        for (int x = 1; x < t->width; x++) {
            lowest = filo_min(lowest, row[x]);
            highest = filo_max(highest, row[x]);
        }
        g->lowest[y] = lowest;
        g->highest[y] = highest;
    }
}

// ---- All rows -------------------------------------------------------------------------------------------

static void scale_rows(size_t begin, size_t end, void *user) {
    const Generation *g = user;
    size_t width = (size_t)g->terrain->width;
    for (size_t i = begin * width; i < end * width; i++)
        g->heights[i] = filo_clamp01((g->heights[i] - g->low) * g->scale);
}

static void choose_numbers(Generation *g, const FiloTerrainGenerate *generate) {
    const PlacementTerrain *t = g->terrain;
    float longer = filo_max(t->dx * (float)t->width, t->dy * (float)t->height);
    float feature = generate->feature > 0.0f ? generate->feature : filo_min(longer * 0.5f, 6000.0f);
    // Noise is defined up to 2^20 lattice points.
    feature = filo_clamp(feature, longer / 1024.0f, 64.0f * longer);
    g->frequency = 1.0f / feature;
    g->gain = 0.3f + 0.4f * (generate->roughness > 0.0f ? filo_min(generate->roughness, 1.0f) : 0.5f);
    g->mountains = generate->mountains > 0.0f ? filo_min(generate->mountains, 1.0f) : 0.5f;
    // The last octave has waves of about four texels.
    float texel = filo_max(t->dx, t->dy);
    for (float wave = feature; wave > 4.0f * texel && g->octaves < OCTAVES_MAX; wave *= 0.5f) g->octaves++;
    for (size_t i = 0; i < FILO_COUNT_OF(g->seeds); i++)
        g->seeds[i] = (uint32_t)filo_random_mix(generate->seed * 8 + i + 1);
}

// Fills in bands of rows, so that the progress is reported on the calling thread.
static FiloResult fill(Generation *g) {
    enum { BANDS = 16 };
    size_t rows = (size_t)g->terrain->height;
    for (size_t band = 0; band < BANDS; band++) {
        FiloResult result = placement_terrain_report(g->terrain, (float)band / BANDS);
        if (result.code != FILO_OK) return result;
        g->first_row = rows * band / BANDS;
        placement_terrain_for(g->terrain, rows * (band + 1) / BANDS - g->first_row, fill_rows, g);
    }
    float low = g->lowest[0], high = g->highest[0];
    for (size_t y = 1; y < rows; y++) {
        low = filo_min(low, g->lowest[y]);
        high = filo_max(high, g->highest[y]);
    }
    g->low = low;
    g->scale = high > low ? 1.0f / (high - low) : 0.0f;
    placement_terrain_for(g->terrain, rows, scale_rows, g);
    return placement_terrain_report(g->terrain, 1.0f);
}

static bool is_unit(float x) { return x >= 0.0f && x <= 1.0f; }

FiloResult filo_terrain_generate(float *heights, const FiloTerrainDesc *desc,
                                 const FiloTerrainGenerate *generate) {
    static const FiloTerrainGenerate defaults = { 0 };
    if (generate == NULL) generate = &defaults;
    PlacementTerrain terrain;
    FiloResult result = placement_terrain_open_whole(&terrain, desc, false, "heights are generated for");
    if (result.code != FILO_OK) return result;
    if (heights == NULL) return FILO_MISTAKE("pass where the heights go");
    if (!(generate->feature >= 0.0f) || !is_unit(generate->roughness) || !is_unit(generate->mountains))
        return FILO_MISTAKE("the size of features is not negative, roughness and mountains are 0 to 1");
    Generation g = { .terrain = &terrain, .heights = heights };
    choose_numbers(&g, generate);
    size_t size = 2 * (size_t)terrain.height * sizeof(float);
    g.lowest = filo_alloc(terrain.allocator, size, 0);
    if (g.lowest == NULL) return placement_terrain_no_memory();
    g.highest = g.lowest + terrain.height;
    result = fill(&g);
    filo_free(terrain.allocator, g.lowest, size, 0);
    return result;
}
