// Slopes that slide: ground moves between two texels if the slope between them is steeper than it can be, and a little in
// any case. What one texel loses another gets.

#include "placement/terrain/terrain.h"

#define SHARE 0.09f // of what is too much, moved in one step; below 1/8, so that it does not oscillate

// What flows between two texels, by their difference and the largest that is stable.
static inline float moved(float difference, float stable, float creep) {
    float excess = filo_max(filo_abs(difference) - stable, 0.0f);
    return filo_copy_sign(excess * SHARE, difference) + difference * creep;
}

static void creep_rows(size_t begin, size_t end, void *user) {
    const PlacementCreep *c = user;
    int width = c->from.width, height = c->from.height;
    for (size_t y = begin; y < end; y++) {
        size_t row = y * (size_t)width;
        const float *from = c->from.data + row, *talus = c->talus + row;
        float *to = c->to + row;
        if (y == 0 || (int)y == height - 1) {
            for (int x = 0; x < width; x++) to[x] = from[x];
            continue;
        }
        to[0] = from[0];
        to[width - 1] = from[width - 1];
        const float *above = from - width, *below = from + width;
        const float *talus_above = talus - width, *talus_below = talus + width;
        float half = 0.5f * c->dx, diagonal = half * 1.41421356f;
        for (int x = 1; x < width - 1; x++) {
            float h = from[x], t = talus[x];
            float a = moved(from[x - 1] - h, (talus[x - 1] + t) * half, c->creep);
            float b = moved(from[x + 1] - h, (talus[x + 1] + t) * half, c->creep);
            float d = moved(above[x] - h, (talus_above[x] + t) * half, c->creep);
            float e = moved(below[x] - h, (talus_below[x] + t) * half, c->creep);
            float f = moved(above[x - 1] - h, (talus_above[x - 1] + t) * diagonal, c->creep * 0.5f);
            float g = moved(above[x + 1] - h, (talus_above[x + 1] + t) * diagonal, c->creep * 0.5f);
            float k = moved(below[x - 1] - h, (talus_below[x - 1] + t) * diagonal, c->creep * 0.5f);
            float l = moved(below[x + 1] - h, (talus_below[x + 1] + t) * diagonal, c->creep * 0.5f);
            to[x] = h + (((a + b) + (d + e)) + ((f + g) + (k + l)));
        }
    }
}

void placement_terrain_creep(const PlacementTerrain *terrain, const PlacementCreep *creep) {
    placement_terrain_for(terrain, (size_t)creep->from.height, creep_rows, (void *)(uintptr_t)creep);
}
