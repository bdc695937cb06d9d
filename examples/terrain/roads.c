// Automatic roads: towns in the best places, each connected with the nearest one that has a road already.

#include "land.h"

#define TOWNS_MAX 64

// Level ground near water is best; in water and at the border of the map there are no towns.
static float site_value(const Land *land, int x, int y) {
    size_t i = (size_t)y * (size_t)land->width + (size_t)x;
    if (land->water[i] != 0) return -1;
    float slope = (float)land->maps[MAP_SLOPE][i] / 65535.0f,
          height = (float)land->maps[MAP_HEIGHT][i] / 65535.0f;
    float wetness = (float)land->maps[MAP_WETNESS][i] / 65535.0f;
    return 1.0f + 0.3f * wetness - 4.0f * slope - height;
}

static FiloVec2 place_of(const Land *land, int x, int y) {
    return filo_vec2(((float)x + 0.5f) / (float)land->width * land->desc.size.x,
                     ((float)y + 0.5f) / (float)land->height * land->desc.size.y);
}

static float nearest_town(const FiloVec2 *towns, int count, FiloVec2 place, int *nearest) {
    float least = 1e30f;
    for (int i = 0; i < count; i++) {
        float distance = filo_vec2_distance(towns[i], place);
        if (distance >= least) continue;
        least = distance;
        *nearest = i;
    }
    return least;
}

// The best site that is far enough from the towns so far; false if there is none.
static bool find_town(const Land *land, FiloVec2 *towns, int count, float spacing) {
    int step = FILO_MAX(FILO_MIN(land->width, land->height) / 200, 1),
        margin = FILO_MIN(land->width, land->height) / 20;
    float best = -1;
    for (int y = margin; y < land->height - margin; y += step)
        for (int x = margin; x < land->width - margin; x += step) {
            int nearest;
            float value = site_value(land, x, y);
            FiloVec2 place = place_of(land, x, y);
            if (value <= best || nearest_town(towns, count, place, &nearest) < spacing) continue;
            best = value;
            towns[count] = place;
        }
    return best > 0;
}

FiloResult make_roads(Land *land) {
    FiloVec2 towns[TOWNS_MAX] = { 0 };
    int count = 0, wanted = FILO_MIN(land->options.towns, TOWNS_MAX);
    float spacing = filo_sqrt(land->desc.size.x * land->desc.size.y / (float)wanted) * 0.8f;
    FiloResult r = filo_ok();
    while (r.code == FILO_OK && count < wanted && find_town(land, towns, count, spacing)) {
        int nearest = 0;
        if (count > 0) {
            nearest_town(towns, count, towns[count], &nearest);
            FiloTerrainRoad road = { .from = towns[nearest],
                                     .to = towns[count],
                                     .width = 5,
                                     .avoid = land->water,
                                     .prefer = land->roads };
            r = filo_terrain_draw_road(land->roads, NULL, &land->desc, &road);
        }
        count++;
    }
    return r;
}
