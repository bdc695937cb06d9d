// Small terrains, and every function of filo/terrain.h that takes one.

#ifndef FILO_TEST_PLACEMENT_TERRAIN_FIXTURE_H
#define FILO_TEST_PLACEMENT_TERRAIN_FIXTURE_H

#include <filo/hash.h>
#include <filo/terrain.h>

#include "support/test.h"

#include <stdlib.h>

#define SIDE_MAX 256

// Square texels of 2 m, heights from 0 to 100 m.
static inline FiloTerrainDesc describe(const void *data, FiloMapFormat format, int width, int height) {
    return (FiloTerrainDesc){ .heights = { .data = data, .format = format, .width = width, .height = height },
                              .size = { 2.0f * (float)width, 2.0f * (float)height },
                              .high = 100 };
}

static inline FiloTerrainDesc describe_floats(const float *heights, int width, int height) {
    return describe(heights, FILO_MAP_FLOAT, width, height);
}

// Calls every function that reads a terrain, with one thing that may go wrong. The first is 0.
#define TERRAIN_CALLS 9
static inline FiloResult call_terrain(int which, const FiloTerrainDesc *terrain) {
    static float floats[SIDE_MAX * SIDE_MAX];
    static uint16_t values[SIDE_MAX * SIDE_MAX], others[SIDE_MAX * SIDE_MAX];
    static uint8_t mask[SIDE_MAX * SIDE_MAX];
    FiloTerrainMap map = { .data = mask,
                           .width = terrain != NULL ? terrain->heights.width : 1,
                           .height = terrain != NULL ? terrain->heights.height : 1 };
    switch (which) {
    case 0: return filo_terrain_generate(floats, terrain, NULL);
    case 1: return filo_terrain_erode(floats, terrain, NULL);
    case 2: return filo_terrain_bake_slope(values, terrain);
    case 3: return filo_terrain_bake_aspect(values, terrain);
    case 4: return filo_terrain_bake_curvature(values, terrain);
    case 5: return filo_terrain_bake_flow(values, others, terrain);
    case 6: return filo_terrain_bake_water(mask, terrain, &(FiloTerrainWater){ .sea = true });
    case 7: return filo_terrain_bake_distance(values, NULL, terrain, &map, 100);
    case 8: return filo_terrain_draw_road(mask, NULL, terrain, &(FiloTerrainRoad){ .to = { 1, 1 } });
    default: return filo_terrain_to_u16(values, terrain);
    }
}

#endif
