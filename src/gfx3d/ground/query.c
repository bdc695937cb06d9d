// Heights and rays, on the CPU, of the finest triangles.
//
// A cell has the corners 00, 10, 01 and 11 (column, row), and the triangles 00 01 11 (even numbers) and 00 11 10 (odd). With
// falling z they are seen from below in this order; so 1 and 2 are exchanged, as in the grid that is drawn.

#include "gfx3d/ground/ground.h"

#include <float.h>

// ---- Heights ----------------------------------------------------------------------------------------------------

static bool height_of(const Gfx3dGroundTree *tree, float x, float z, float *height, FiloVec3 *normal) {
    float across = (x - tree->position.x) / tree->spacing, along = (z - tree->position.z) / tree->step_z;
    float columns = (float)(tree->columns - 1), rows = (float)(tree->rows - 1);
    if (!(across >= 0 && along >= 0 && across <= columns && along <= rows)) return false;
    uint32_t column = FILO_MIN((uint32_t)across, tree->columns - 2);
    uint32_t row = FILO_MIN((uint32_t)along, tree->rows - 2);
    float u = across - (float)column, v = along - (float)row;
    const uint16_t *values = tree->heights + (size_t)row * tree->columns + column;
    float h00 = values[0], h10 = values[1], h01 = values[tree->columns], h11 = values[tree->columns + 1];
    float rise_u = u >= v ? h10 - h00 : h11 - h01, rise_v = u >= v ? h11 - h10 : h01 - h00;
    if (height != NULL) *height = tree->position.y + (h00 + rise_u * u + rise_v * v) * tree->unit;
    if (normal != NULL)
        *normal = filo_vec3_normalise(
            filo_vec3(-rise_u * tree->unit / tree->spacing, 1, -rise_v * tree->unit / tree->step_z));
    return true;
}

bool filo_gfx3d_ground_height(const FiloGfx3d *gfx, FiloGround handle, float x, float z, float *height,
                              FiloVec3 *normal) {
    if (height != NULL) *height = 0;
    if (normal != NULL) *normal = filo_vec3(0, 1, 0);
    const Gfx3dGround *ground = gfx3d_ground_at(gfx, handle, __func__);
    return ground != NULL && height_of(&ground->tree, x, z, height, normal);
}

// ---- Rays -------------------------------------------------------------------------------------------------------

typedef struct Cast {
    const Gfx3dGroundTree *tree;
    FiloRay3 ray;
    float limit; // the nearest hit so far
    bool found;
    FiloRayHit hit;
} Cast;

static void cast_at_cell(Cast *cast, uint32_t column, uint32_t row) {
    const Gfx3dGroundTree *tree = cast->tree;
    FiloVec3 p00 = gfx3d_ground_point(tree, column, row), p10 = gfx3d_ground_point(tree, column + 1, row);
    FiloVec3 p01 = gfx3d_ground_point(tree, column, row + 1),
             p11 = gfx3d_ground_point(tree, column + 1, row + 1);
    bool falls = tree->step_z < 0;
    const FiloVec3 triangles[2][3] = { { p00, falls ? p11 : p01, falls ? p01 : p11 },
                                       { p00, falls ? p10 : p11, falls ? p11 : p10 } };
    for (uint32_t i = 0; i < 2; i++) {
        FiloRayHit hit;
        if (!filo_ray_triangle(cast->ray, triangles[i], cast->limit, &hit)) continue;
        hit.triangle = 2 * (row * (tree->columns - 1) + column) + i;
        cast->hit = hit;
        cast->limit = hit.distance;
        cast->found = true;
    }
}

// The cells of a square through whose columns and rows the ray goes, in no particular order: there are few.
static void cast_at_square(Cast *cast, uint32_t column, uint32_t row) {
    const Gfx3dGroundTree *tree = cast->tree;
    uint32_t x0 = column * GFX3D_GROUND_QUADS, x1 = FILO_MIN(x0 + GFX3D_GROUND_QUADS, tree->columns - 1);
    uint32_t y0 = row * GFX3D_GROUND_QUADS, y1 = FILO_MIN(y0 + GFX3D_GROUND_QUADS, tree->rows - 1);
    FiloAabb3 box = gfx3d_ground_box(tree, 0, column, row);
    for (uint32_t y = y0; y < y1; y++) {
        // The part of the ray above this row, and the columns that it covers.
        float z0 = tree->position.z + (float)y * tree->step_z,
              z1 = tree->position.z + (float)(y + 1) * tree->step_z;
        float near = 0, far = cast->limit;
        if (cast->ray.direction.z != 0) {
            float a = (z0 - cast->ray.origin.z) / cast->ray.direction.z,
                  b = (z1 - cast->ray.origin.z) / cast->ray.direction.z;
            near = filo_max(near, filo_min(a, b)), far = filo_min(far, filo_max(a, b));
        } else if (cast->ray.origin.z < filo_min(z0, z1) || cast->ray.origin.z > filo_max(z0, z1))
            continue;
        if (near > far) continue;
        float from = cast->ray.origin.x + cast->ray.direction.x * near;
        float to = cast->ray.direction.x != 0 ? cast->ray.origin.x + cast->ray.direction.x * far : from;
        float low = filo_max(filo_min(from, to), box.min.x), high = filo_min(filo_max(from, to), box.max.x);
        if (low > high + tree->spacing) continue;
        // One more cell on each side, for what rounding leaves out.
        float first = (low - tree->position.x) / tree->spacing - 1,
              last = (high - tree->position.x) / tree->spacing + 1;
        uint32_t begin = FILO_MAX(first > 0 ? (uint32_t)first : 0, x0);
        for (uint32_t x = begin; x < x1 && (float)x <= last; x++) cast_at_cell(cast, x, y);
    }
}

static void cast_at(Cast *cast, uint32_t level, uint32_t column, uint32_t row) {
    const Gfx3dGroundLevel *squares = &cast->tree->levels[level];
    if (column >= squares->columns || row >= squares->rows) return;
    FiloAabb3 box = gfx3d_ground_box(cast->tree, level, column, row);
    float margin = 1e-4f * (1 + cast->tree->spacing); // a flat box would be missed by a ray inside it
    box.min.y -= margin, box.max.y += margin;
    float distance;
    if (!filo_ray_aabb3(cast->ray, box, cast->limit, &distance)) return;
    if (level == 0) {
        cast_at_square(cast, column, row);
        return;
    }
    // The nearest first, so that the others are behind what was hit.
    uint32_t right = cast->ray.direction.x < 0;
    uint32_t low = (cast->ray.direction.z < 0) != (cast->tree->step_z < 0);
    for (uint32_t i = 0; i < 4; i++)
        cast_at(cast, level - 1, 2 * column + ((i & 1) ^ right), 2 * row + ((i >> 1) ^ low));
}

bool filo_gfx3d_ground_ray(const FiloGfx3d *gfx, FiloGround handle, FiloRay3 ray, float limit,
                           FiloRayHit *hit) {
    if (hit != NULL) *hit = (FiloRayHit){ 0 };
    const Gfx3dGround *ground = gfx3d_ground_at(gfx, handle, __func__);
    if (ground == NULL || !FILO_CHECK(hit != NULL, "say where to put what the ray hits")) return false;
    Cast cast = { .tree = &ground->tree, .ray = ray, .limit = filo_min(limit, FLT_MAX) };
    cast_at(&cast, ground->tree.level_count - 1, 0, 0);
    if (cast.found) *hit = cast.hit;
    return cast.found;
}
