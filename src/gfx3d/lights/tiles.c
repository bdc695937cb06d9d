// See tiles.h.

#include "gfx3d/lights/tiles.h"

#include <filo/scalar.h>

typedef struct Range { // in clip space, −1 to 1
    float low, high;
} Range;

// What a box from `low` to `high` covers between two depths, one axis at a time: x or y by depth, times the factor of the
// projection.
static Range projected(float low, float high, float nearest, float farthest, float factor) {
    return (Range){ filo_min(low / nearest, low / farthest) * factor,
                    filo_max(high / nearest, high / farthest) * factor };
}

// The tiles of a range; none if it is outside.
static bool tiles_of(Range range, int count, int *first, int *last) {
    if (!(range.high >= -1.0f && range.low <= 1.0f)) return false;
    float low = (filo_max(range.low, -1.0f) * 0.5f + 0.5f) * (float)count;
    float high = (filo_min(range.high, 1.0f) * 0.5f + 0.5f) * (float)count;
    *first = FILO_MIN((int)low, count - 1);
    *last = FILO_MIN((int)high, count - 1);
    return true;
}

static void add_to(Gfx3dLightTile *tile, int light) {
    if (tile->count >= GFX3D_TILE_LIGHTS) return;
    tile->lights[tile->count++] = (uint8_t)light;
}

void gfx3d_tiles_add(Gfx3dLightTile tiles[GFX3D_TILES_Y][GFX3D_TILES_X], const Gfx3dTilesDesc *desc,
                     int light, FiloVec3 centre, float radius) {
    FiloVec3 c = filo_mat4_point(desc->view, centre);
    float depth = -c.z, scale_x = desc->projection.m[0], scale_y = desc->projection.m[5];
    Range x = { -1, 1 }, y = { -1, 1 };
    if (desc->orthographic) {
        x = (Range){ (c.x - radius) * scale_x, (c.x + radius) * scale_x };
        y = (Range){ (c.y - radius) * scale_y, (c.y + radius) * scale_y };
    } else if (depth - radius > desc->near) { // otherwise it is around the eye, and may be seen anywhere
        x = projected(c.x - radius, c.x + radius, depth - radius, depth + radius, scale_x);
        y = projected(c.y - radius, c.y + radius, depth - radius, depth + radius, scale_y);
    }
    // Rows are counted from above.
    Range down = { -y.high, -y.low };
    int left, right, top, bottom;
    if (!tiles_of(x, GFX3D_TILES_X, &left, &right) || !tiles_of(down, GFX3D_TILES_Y, &top, &bottom)) return;
    for (int row = top; row <= bottom; row++)
        for (int column = left; column <= right; column++) add_to(&tiles[row][column], light);
}
