// The mask of water: the sea, and rivers of a width that follows from the area upstream.

#include "placement/terrain/terrain.h"

typedef struct Sea {
    const PlacementTerrain *terrain;
    uint8_t *mask;
    float level; // metres above `low`; ground is never below 0
} Sea;

static void sea_rows(size_t begin, size_t end, void *user) {
    const Sea *sea = user;
    const PlacementTerrain *t = sea->terrain;
    for (size_t y = begin; y < end; y++)
        for (int x = 0; x < t->width; x++) {
            float height = placement_terrain_value(&t->map, x, (int)y) * t->range;
            sea->mask[y * (size_t)t->width + (size_t)x] = height < sea->level ? 255 : 0;
        }
}

static void draw_rivers(uint8_t *mask, const PlacementTerrain *t, const FiloTerrainWater *water) {
    uint16_t least = filo_terrain_flow_of(water->area > 0.0f ? water->area : 250000.0f);
    float width = water->width > 0.0f ? water->width : 4.0f;
    for (int y = 0; y < t->height; y++)
        for (int x = 0; x < t->width; x++) {
            size_t i = (size_t)y * (size_t)t->width + (size_t)x;
            if (water->flow[i] < least) continue;
            FiloVec2 centre = { ((float)x + 0.5f) * t->dx, ((float)y + 0.5f) * t->dy };
            float radius = 0.5f * width * filo_sqrt(filo_terrain_area(water->flow[i]) * 1e-6f);
            placement_terrain_stamp(mask, t, centre, centre, filo_min(radius, 1000.0f));
        }
}

FiloResult filo_terrain_bake_water(uint8_t *mask, const FiloTerrainDesc *desc,
                                   const FiloTerrainWater *water) {
    PlacementTerrain terrain;
    FiloResult result = placement_terrain_open(&terrain, desc, true);
    if (result.code != FILO_OK) return result;
    if (mask == NULL || water == NULL)
        return FILO_MISTAKE("pass where the mask goes, and what counts as water");
    if (filo_is_nan(water->sea_level) || !(water->area >= 0.0f) || !(water->width >= 0.0f))
        return FILO_MISTAKE("sea level, area and width of water are numbers, the last two not negative");
    if (!water->sea && water->sea_level != 0.0f) return FILO_MISTAKE("set `sea` as well as the sea level");
    result = placement_terrain_heights(&terrain, NULL);
    if (result.code != FILO_OK) return result;
    Sea sea = { &terrain, mask, water->sea ? water->sea_level - terrain.low : 0.0f };
    placement_terrain_for(&terrain, (size_t)terrain.height, sea_rows, &sea);
    if (water->flow != NULL) draw_rivers(mask, &terrain, water);
    return placement_terrain_report(&terrain, 1.0f);
}
