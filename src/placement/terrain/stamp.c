// Drawing lines with round ends into masks.

#include "placement/terrain/terrain.h"

static int first_texel(float metres, float texel, int count) {
    return FILO_CLAMP(filo_floor_to_int(metres / texel), 0, count - 1);
}

// The squared distance of p to the line from a to b.
static float squared_distance(FiloVec2 p, FiloVec2 a, FiloVec2 b) {
    FiloVec2 along = filo_vec2_sub(b, a), to_p = filo_vec2_sub(p, a);
    float length2 = along.x * along.x + along.y * along.y;
    float t = length2 > 0.0f ? filo_clamp01((to_p.x * along.x + to_p.y * along.y) / length2) : 0.0f;
    float x = to_p.x - t * along.x, y = to_p.y - t * along.y;
    return x * x + y * y;
}

void placement_terrain_stamp(uint8_t *mask, const PlacementTerrain *terrain, FiloVec2 a, FiloVec2 b,
                             float radius) {
    radius = filo_max(radius, 0.71f * filo_max(terrain->dx, terrain->dy)); // one texel at least
    int x0 = first_texel(filo_min(a.x, b.x) - radius, terrain->dx, terrain->width);
    int x1 = first_texel(filo_max(a.x, b.x) + radius, terrain->dx, terrain->width);
    int y0 = first_texel(filo_min(a.y, b.y) - radius, terrain->dy, terrain->height);
    int y1 = first_texel(filo_max(a.y, b.y) + radius, terrain->dy, terrain->height);
    for (int y = y0; y <= y1; y++)
        for (int x = x0; x <= x1; x++) {
            FiloVec2 centre = { ((float)x + 0.5f) * terrain->dx, ((float)y + 0.5f) * terrain->dy };
            if (squared_distance(centre, a, b) <= radius * radius)
                mask[(size_t)y * (size_t)terrain->width + (size_t)x] = 255;
        }
}
