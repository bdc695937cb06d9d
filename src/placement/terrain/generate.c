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

static float ridged(const Generation *g, float x, float y) {
    float sum = 0.0f, height = 0.5f, weight = 1.0f;
    for (int i = 0; i < g->octaves; i++) {
        float ridge = 1.0f - filo_abs(placement_noise(x, y, g->seeds[3] + (uint32_t)i)) * 1.5f;
        ridge = filo_max(ridge, 0.0f);
        ridge *= ridge * weight;
        weight = filo_clamp01(ridge * 2.0f);
        sum += ridge * height;
        float rotated = 1.6f * x + 1.2f * y;
        y = 1.6f * y - 1.2f * x;
        x = rotated;
        height *= g->gain;
    }
    return sum;
}

static float height_at(const Generation *g, float x, float y) {
    float warp_x = placement_noise_sum(x * 0.9f, y * 0.9f, g->seeds[0], 4, 0.5f);
    float warp_y = placement_noise_sum(x * 0.9f, y * 0.9f, g->seeds[1], 4, 0.5f);
    float wx = x + 0.4f * warp_x, wy = y + 0.4f * warp_y;
    float massif = placement_noise_sum(wx * 0.7f, wy * 0.7f, g->seeds[2], 3, 0.45f);
    massif = filo_smoothstep(-0.5f, 0.45f, massif + g->mountains - 0.5f);
    float hills = placement_noise_sum(wx * 1.9f, wy * 1.9f, g->seeds[4], g->octaves, g->gain) * 0.5f + 0.5f;
    return 0.22f * hills + massif * (0.25f + 0.75f * ridged(g, wx * 1.1f, wy * 1.1f));
}

static void fill_rows(size_t begin, size_t end, void *user) {
    const Generation *g = user;
    const PlacementTerrain *t = g->terrain;
    for (size_t y = g->first_row + begin; y < g->first_row + end; y++) {
        float *row = g->heights + y * (size_t)t->width, lowest = 0.0f, highest = 0.0f;
        float wy = ((float)y + 0.5f) * t->dy * g->frequency;
        for (int x = 0; x < t->width; x++) {
            row[x] = height_at(g, ((float)x + 0.5f) * t->dx * g->frequency, wy);
            lowest = x == 0 ? row[x] : filo_min(lowest, row[x]);
            highest = x == 0 ? row[x] : filo_max(highest, row[x]);
        }
        g->lowest[y] = lowest;
        g->highest[y] = highest;
    }
}

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
    FiloResult result = placement_terrain_open(&terrain, desc, false);
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
