// Planes, boxes and heightmaps.

#include "model/mesh/mesh.h"
#include "model/primitives/grid.h"

#include <filo/check.h>

FiloResult model_primitive_create(FiloMeshData *mesh, uint64_t vertices, uint64_t indices, const char *what,
                                  const FiloAllocator *allocator) {
    *mesh = (FiloMeshData){ 0 };
    if (vertices > MODEL_PRIMITIVE_LIMIT)
        return filo_error(FILO_ERROR_LIMIT, "a %s of %llu vertices is too large: %llu are the most", what,
                          (unsigned long long)vertices, (unsigned long long)MODEL_PRIMITIVE_LIMIT);
    return filo_mesh_create(
        mesh,
        &(FiloMeshDesc){ .vertices = (uint32_t)vertices,
                         .indices = (uint32_t)indices,
                         .arrays = FILO_MESH_NORMALS | FILO_MESH_TANGENTS | FILO_MESH_UVS },
        allocator);
}

// Triangles of columns × rows quads, whose vertices are row by row.
static void add_grid(FiloMeshData *mesh, uint32_t columns, uint32_t rows) {
    uint32_t end = 0, stride = columns + 1;
    for (uint32_t y = 0; y < rows; y++)
        for (uint32_t x = 0; x < columns; x++) {
            uint32_t ul = y * stride + x;
            model_add_quad(mesh->indices, &end, ul, ul + 1, ul + stride, ul + stride + 1);
        }
}

// ---- Plane ----------------------------------------------------------------------------------------------

static bool is_plain(FiloVec2 v) { return v.x == 0.0f && v.y == 0.0f; }
static bool is_finite2(FiloVec2 v) { return model_is_finite(v.x) && model_is_finite(v.y); }

FiloResult filo_mesh_plane(FiloMeshData *mesh, const FiloPlaneDesc *desc, const FiloAllocator *allocator) {
    if (mesh == NULL) return FILO_MISTAKE("pass a mesh for the plane");
    *mesh = (FiloMeshData){ 0 };
    FiloPlaneDesc d = desc != NULL ? *desc : (FiloPlaneDesc){ 0 };
    if (is_plain(d.size)) d.size = filo_vec2(1.0f, 1.0f);
    if (is_plain(d.repeat)) d.repeat = filo_vec2(1.0f, 1.0f);
    d.columns = model_or_count(d.columns, 1);
    d.rows = model_or_count(d.rows, 1);
    if (!model_is_length(d.size.x) || !model_is_length(d.size.y) || !is_finite2(d.repeat))
        return FILO_MISTAKE("the size of a plane is above 0, and its repeat is finite");
    // Beyond the limit in any case; the product must not overflow.
    d.columns = FILO_MIN(d.columns, (uint32_t)MODEL_PRIMITIVE_LIMIT);
    d.rows = FILO_MIN(d.rows, (uint32_t)MODEL_PRIMITIVE_LIMIT);
    uint64_t vertices = ((uint64_t)d.columns + 1) * ((uint64_t)d.rows + 1);
    FiloResult r =
        model_primitive_create(mesh, vertices, (uint64_t)d.columns * d.rows * 6, "plane", allocator);
    if (r.code != FILO_OK) return r;
    uint32_t i = 0;
    for (uint32_t y = 0; y <= d.rows; y++)
        for (uint32_t x = 0; x <= d.columns; x++) {
            float u = (float)x / (float)d.columns, v = (float)y / (float)d.rows;
            model_set_vertex(mesh, i++, filo_vec3((u - 0.5f) * d.size.x, 0.0f, (v - 0.5f) * d.size.y),
                             filo_vec3(0, 1, 0), filo_vec3(1, 0, 0),
                             filo_vec2(u * d.repeat.x, v * d.repeat.y));
        }
    add_grid(mesh, d.columns, d.rows);
    filo_mesh_update_bounds(mesh);
    return r;
}

// ---- Box ------------------------------------------------------------------------------------------------

// The sides of a box: where they look, and what is right on them. Up is their product.
static const FiloVec3 sides[6][2] = {
    { { 1, 0, 0 }, { 0, 0, -1 } }, { { -1, 0, 0 }, { 0, 0, 1 } }, { { 0, 1, 0 }, { 1, 0, 0 } },
    { { 0, -1, 0 }, { 1, 0, 0 } }, { { 0, 0, 1 }, { 1, 0, 0 } },  { { 0, 0, -1 }, { -1, 0, 0 } },
};

FiloResult filo_mesh_box(FiloMeshData *mesh, const FiloBoxDesc *desc, const FiloAllocator *allocator) {
    if (mesh == NULL) return FILO_MISTAKE("pass a mesh for the box");
    *mesh = (FiloMeshData){ 0 };
    FiloVec3 size = desc != NULL ? desc->size : filo_vec3(0, 0, 0);
    if (filo_vec3_equal(size, filo_vec3(0, 0, 0))) size = filo_vec3(1, 1, 1);
    if (!model_is_length(size.x) || !model_is_length(size.y) || !model_is_length(size.z))
        return FILO_MISTAKE("the size of a box is above 0 along x, y and z");
    FiloResult r = model_primitive_create(mesh, 24, 36, "box", allocator);
    if (r.code != FILO_OK) return r;
    uint32_t end = 0;
    for (uint32_t s = 0; s < 6; s++) {
        FiloVec3 normal = sides[s][0], right = sides[s][1], up = filo_vec3_cross(normal, right);
        for (uint32_t corner = 0; corner < 4; corner++) {
            float u = (float)(corner & 1), v = (float)(corner >> 1);
            FiloVec3 p = filo_vec3_scale(normal, 0.5f);
            p = filo_vec3_add_scaled(p, right, u - 0.5f);
            p = filo_vec3_add_scaled(p, up, 0.5f - v);
            model_set_vertex(mesh, 4 * s + corner, filo_vec3_mul(p, size), normal, right, filo_vec2(u, v));
        }
        model_add_quad(mesh->indices, &end, 4 * s, 4 * s + 1, 4 * s + 2, 4 * s + 3);
    }
    filo_mesh_update_bounds(mesh);
    return r;
}

// ---- Heightmap ------------------------------------------------------------------------------------------

// The slope along one axis: between the neighbours, or between the value and its only neighbour at an edge.
static float slope(const float *heights, uint32_t i, uint32_t count, size_t stride, float step) {
    size_t before = i > 0 ? 1 : 0, after = i + 1 < count ? 1 : 0;
    return (heights[after * stride] - *(heights - before * stride)) / (step * (float)(before + after));
}

static FiloResult check_heightmap(const FiloHeightmapDesc *d) {
    if (d->heights == NULL || d->columns < 2 || d->rows < 2)
        return FILO_MISTAKE("a heightmap has at least 2 × 2 heights, not %u × %u", d->columns, d->rows);
    if (!model_is_length(d->size.x) || !model_is_length(d->size.y) || !is_finite2(d->repeat))
        return FILO_MISTAKE("the size of a heightmap is above 0, and its repeat is finite");
    uint64_t count = (uint64_t)d->columns * d->rows;
    if (count > MODEL_PRIMITIVE_LIMIT) return filo_ok(); // reported with the number of vertices
    for (uint64_t i = 0; i < count; i++)
        if (!model_is_finite(d->heights[i]))
            return filo_error(FILO_ERROR_DATA, "the height at column %u, row %u is not finite",
                              (unsigned)(i % d->columns), (unsigned)(i / d->columns));
    return filo_ok();
}

static void set_height_vertex(FiloMeshData *mesh, const FiloHeightmapDesc *d, uint32_t x, uint32_t y) {
    size_t i = (size_t)y * d->columns + x;
    const float *height = d->heights + i;
    float step_x = d->size.x / (float)(d->columns - 1), step_z = d->size.y / (float)(d->rows - 1);
    float slope_x = slope(height, x, d->columns, 1, step_x);
    float slope_z = slope(height, y, d->rows, d->columns, step_z);
    float u = (float)x / (float)(d->columns - 1), v = (float)y / (float)(d->rows - 1);
    FiloVec3 normal = filo_vec3_normalise(filo_vec3(-slope_x, 1.0f, -slope_z));
    FiloVec3 tangent = filo_vec3_normalise(filo_vec3(1.0f, slope_x, 0.0f));
    // Slopes that a float cannot square.
    if (filo_vec3_dot(normal, normal) == 0.0f) normal = filo_vec3(0, 1, 0);
    if (filo_vec3_dot(tangent, tangent) == 0.0f) tangent = filo_vec3(1, 0, 0);
    model_set_vertex(mesh, (uint32_t)i, filo_vec3((u - 0.5f) * d->size.x, *height, (v - 0.5f) * d->size.y),
                     normal, tangent, filo_vec2(u * d->repeat.x, v * d->repeat.y));
}

FiloResult filo_mesh_heightmap(FiloMeshData *mesh, const FiloHeightmapDesc *desc,
                               const FiloAllocator *allocator) {
    if (mesh == NULL) return FILO_MISTAKE("pass a mesh for the heightmap, and a description with heights");
    *mesh = (FiloMeshData){ 0 };
    if (desc == NULL) return FILO_MISTAKE("pass a mesh for the heightmap, and a description with heights");
    FiloHeightmapDesc d = *desc;
    if (is_plain(d.size) && d.columns > 1 && d.rows > 1)
        d.size = filo_vec2((float)(d.columns - 1), (float)(d.rows - 1));
    if (is_plain(d.repeat)) d.repeat = filo_vec2(1.0f, 1.0f);
    FiloResult r = check_heightmap(&d);
    if (r.code != FILO_OK) return r;
    uint64_t quads = ((uint64_t)d.columns - 1) * ((uint64_t)d.rows - 1);
    r = model_primitive_create(mesh, (uint64_t)d.columns * d.rows, quads * 6, "heightmap", allocator);
    if (r.code != FILO_OK) return r;
    for (uint32_t y = 0; y < d.rows; y++)
        for (uint32_t x = 0; x < d.columns; x++) set_height_vertex(mesh, &d, x, y);
    add_grid(mesh, d.columns - 1, d.rows - 1);
    filo_mesh_update_bounds(mesh);
    return r;
}
