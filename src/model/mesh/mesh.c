// Memory of meshes, copies, checks and bounds. All arrays of a mesh are in one block, each aligned to 16 bytes.

#include "model/mesh/mesh.h"

#include "model/model.h"

#include <filo/check.h>

#include <string.h>

// ---- Memory ---------------------------------------------------------------------------------------------

static size_t room(size_t count, size_t size) { return FILO_ALIGN_UP(count * size, (size_t)16); }

// The next array of the block, or NULL if it is empty.
static void *next_array(uint8_t **next, size_t count, size_t size) {
    if (count == 0) return NULL;
    void *array = *next;
    *next += room(count, size);
    return array;
}

size_t model_mesh_bytes(const FiloMeshDesc *desc) {
    size_t v = desc->vertices, levels = desc->levels > 1 ? desc->levels : 1;
    size_t bytes = room(v, sizeof(FiloVec3));
    if ((desc->arrays & FILO_MESH_NORMALS) != 0) bytes += room(v, sizeof(FiloVec3));
    if ((desc->arrays & FILO_MESH_TANGENTS) != 0) bytes += room(v, sizeof(FiloVec4));
    if ((desc->arrays & FILO_MESH_UVS) != 0) bytes += room(v, sizeof(FiloVec2));
    if ((desc->arrays & FILO_MESH_COLORS) != 0) bytes += room(v, sizeof(FiloColor));
    if ((desc->arrays & FILO_MESH_SKIN) != 0)
        bytes += room(v, sizeof(FiloVertexJoints)) + room(v, sizeof(FiloVec4));
    return bytes + room(desc->indices, sizeof(uint32_t)) + room(desc->parts * levels, sizeof(FiloMeshPart));
}

static void assign_arrays(FiloMeshData *mesh, const FiloMeshDesc *desc) {
    uint8_t *next = mesh->memory;
    size_t v = desc->vertices, levels = desc->levels > 1 ? desc->levels : 1;
    uint32_t arrays = desc->arrays;
    mesh->positions = next_array(&next, v, sizeof(FiloVec3));
    mesh->normals = next_array(&next, (arrays & FILO_MESH_NORMALS) != 0 ? v : 0, sizeof(FiloVec3));
    mesh->tangents = next_array(&next, (arrays & FILO_MESH_TANGENTS) != 0 ? v : 0, sizeof(FiloVec4));
    mesh->uvs = next_array(&next, (arrays & FILO_MESH_UVS) != 0 ? v : 0, sizeof(FiloVec2));
    mesh->colors = next_array(&next, (arrays & FILO_MESH_COLORS) != 0 ? v : 0, sizeof(FiloColor));
    mesh->joints = next_array(&next, (arrays & FILO_MESH_SKIN) != 0 ? v : 0, sizeof(FiloVertexJoints));
    mesh->weights = next_array(&next, (arrays & FILO_MESH_SKIN) != 0 ? v : 0, sizeof(FiloVec4));
    mesh->indices = next_array(&next, desc->indices, sizeof(uint32_t));
    mesh->parts = next_array(&next, desc->parts * levels, sizeof(FiloMeshPart));
}

FiloResult filo_mesh_create(FiloMeshData *mesh, const FiloMeshDesc *desc, const FiloAllocator *allocator) {
    FiloResult r = model_mesh_allocate(mesh, desc, allocator);
    if (r.code == FILO_OK && mesh->memory != NULL) memset(mesh->memory, 0, mesh->memory_size);
    return r;
}

FiloResult model_mesh_allocate(FiloMeshData *mesh, const FiloMeshDesc *desc, const FiloAllocator *allocator) {
    if (mesh == NULL) return FILO_MISTAKE("pass a mesh to create, and its description");
    *mesh = (FiloMeshData){ 0 };
    if (desc == NULL) return FILO_MISTAKE("pass a mesh to create, and its description");
    if (desc->indices % 3 != 0)
        return FILO_MISTAKE("a mesh has three indices for each triangle, not %u", desc->indices);
    if (desc->levels > FILO_MESH_LEVELS)
        return FILO_MISTAKE("a mesh has up to %d levels, not %u", FILO_MESH_LEVELS, desc->levels);
    if (desc->vertices > MODEL_MESH_LIMIT || desc->indices > MODEL_MESH_LIMIT ||
        desc->parts > MODEL_MESH_LIMIT)
        return filo_error(
            FILO_ERROR_LIMIT,
            "a mesh of %u vertices, %u indices and %u parts is too large: %u of each are possible",
            desc->vertices, desc->indices, desc->parts, MODEL_MESH_LIMIT);
    size_t bytes = model_mesh_bytes(desc);
    if (bytes > 0) {
        mesh->memory = filo_alloc(allocator, bytes, 0);
        if (mesh->memory == NULL)
            return filo_error(FILO_ERROR_MEMORY, "no memory for a mesh of %u vertices and %u indices",
                              desc->vertices, desc->indices);
        mesh->memory_size = bytes;
        assign_arrays(mesh, desc);
    }
    mesh->vertex_count = desc->vertices;
    mesh->index_count = desc->indices;
    mesh->part_count = desc->parts;
    mesh->level_count = 1;
    return filo_ok();
}

void filo_mesh_free(FiloMeshData *mesh, const FiloAllocator *allocator) {
    if (mesh == NULL) return;
    filo_free(allocator, mesh->memory, mesh->memory_size, 0);
    *mesh = (FiloMeshData){ 0 };
}

uint32_t model_mesh_arrays(const FiloMeshData *mesh) {
    uint32_t arrays = 0;
    if (mesh->normals != NULL) arrays |= FILO_MESH_NORMALS;
    if (mesh->tangents != NULL) arrays |= FILO_MESH_TANGENTS;
    if (mesh->uvs != NULL) arrays |= FILO_MESH_UVS;
    if (mesh->colors != NULL) arrays |= FILO_MESH_COLORS;
    if (mesh->joints != NULL && mesh->weights != NULL) arrays |= FILO_MESH_SKIN;
    return arrays;
}

static void copy_array(void *to, const void *from, size_t count, size_t size) {
    if (to != NULL && from != NULL) memcpy(to, from, count * size);
}

void model_mesh_copy_arrays(FiloMeshData *to, const FiloMeshData *from) {
    size_t v = from->vertex_count;
    copy_array(to->positions, from->positions, v, sizeof *from->positions);
    copy_array(to->normals, from->normals, v, sizeof *from->normals);
    copy_array(to->tangents, from->tangents, v, sizeof *from->tangents);
    copy_array(to->uvs, from->uvs, v, sizeof *from->uvs);
    copy_array(to->colors, from->colors, v, sizeof *from->colors);
    copy_array(to->joints, from->joints, v, sizeof *from->joints);
    copy_array(to->weights, from->weights, v, sizeof *from->weights);
    copy_array(to->indices, from->indices, from->index_count, sizeof *from->indices);
    size_t levels = from->level_count > 1 ? from->level_count : 1;
    copy_array(to->parts, from->parts, from->part_count * levels, sizeof *from->parts);
    to->level_count = (uint32_t)levels;
    memcpy(to->level_error, from->level_error, sizeof to->level_error);
    to->bounds = from->bounds;
    to->centre = from->centre;
    to->radius = from->radius;
}

FiloResult filo_mesh_copy(FiloMeshData *mesh, const FiloMeshData *from, const FiloAllocator *allocator) {
    if (mesh == NULL || from == NULL || mesh == from)
        return FILO_MISTAKE("pass a mesh for the copy, and another one to copy");
    FiloMeshDesc desc = { .vertices = from->positions != NULL ? from->vertex_count : 0,
                          .indices = from->indices != NULL ? from->index_count : 0,
                          .parts = from->parts != NULL ? from->part_count : 0,
                          .levels = from->level_count,
                          .arrays = model_mesh_arrays(from) };
    FiloResult r = filo_mesh_create(mesh, &desc, allocator);
    if (r.code == FILO_OK) model_mesh_copy_arrays(mesh, from);
    return r;
}

// ---- Checks ---------------------------------------------------------------------------------------------

static FiloResult check_indices(const FiloMeshData *mesh, const char *name) {
    if (mesh->indices == NULL) return filo_ok();
    for (uint32_t i = 0; i < mesh->index_count; i++)
        if (mesh->indices[i] >= mesh->vertex_count)
            return filo_error(FILO_ERROR_DATA, "%s: index %u of triangle %u is %u, but there are %u vertices",
                              name, i, i / 3, mesh->indices[i], mesh->vertex_count);
    return filo_ok();
}

static FiloResult check_parts(const FiloMeshData *mesh, const char *name) {
    if (mesh->level_count > FILO_MESH_LEVELS)
        return filo_error(FILO_ERROR_DATA, "%s: %u levels of detail, but %d are the most", name,
                          mesh->level_count, FILO_MESH_LEVELS);
    if (mesh->part_count == 0)
        return mesh->level_count <= 1
                   ? filo_ok()
                   : filo_error(FILO_ERROR_DATA, "%s: levels of detail need at least one part", name);
    if (mesh->parts == NULL)
        return filo_error(FILO_ERROR_DATA, "%s: %u parts, but no array of them", name, mesh->part_count);
    uint32_t corners = mesh->indices != NULL ? mesh->index_count : mesh->vertex_count;
    size_t count = (size_t)mesh->part_count * (mesh->level_count > 1 ? mesh->level_count : 1);
    for (size_t i = 0; i < count; i++) {
        const FiloMeshPart *part = &mesh->parts[i];
        if (part->first % 3 != 0 || part->count % 3 != 0)
            return filo_error(FILO_ERROR_DATA,
                              "%s: part %zu begins at %u with %u indices, which is not whole triangles", name,
                              i, part->first, part->count);
        if (part->first > corners || part->count > corners - part->first)
            return filo_error(FILO_ERROR_DATA, "%s: part %zu has %u indices from %u, but there are %u", name,
                              i, part->count, part->first, corners);
    }
    return filo_ok();
}

// An array of floats, all of which must be finite.
static FiloResult check_floats(const void *array, uint32_t count, size_t width, const char *name,
                               const char *what) {
    const float *values = array;
    if (values == NULL) return filo_ok();
    for (size_t i = 0; i < count * width; i++)
        if (!model_is_finite(values[i]))
            return filo_error(FILO_ERROR_DATA, "%s: the %s of vertex %zu is not finite", name, what,
                              i / width);
    return filo_ok();
}

FiloResult filo_mesh_check(const FiloMeshData *mesh, const char *name) {
    if (mesh == NULL) return FILO_MISTAKE("pass a mesh to check");
    if (name == NULL) name = "mesh";
    if (mesh->vertex_count > 0 && mesh->positions == NULL)
        return filo_error(FILO_ERROR_DATA, "%s: %u vertices, but no positions", name, mesh->vertex_count);
    if ((mesh->joints == NULL) != (mesh->weights == NULL))
        return filo_error(FILO_ERROR_DATA, "%s: joints and weights are only possible together", name);
    uint32_t corners = mesh->indices != NULL ? mesh->index_count : mesh->vertex_count;
    if (corners % 3 != 0)
        return filo_error(FILO_ERROR_DATA, "%s: %u corners, which is not whole triangles", name, corners);
    if (mesh->indices == NULL && mesh->index_count > 0)
        return filo_error(FILO_ERROR_DATA, "%s: %u indices, but no array of them", name, mesh->index_count);
    FiloResult r = check_indices(mesh, name);
    if (r.code == FILO_OK) r = check_parts(mesh, name);
    uint32_t v = mesh->vertex_count;
    if (r.code == FILO_OK) r = check_floats(mesh->positions, v, 3, name, "position");
    if (r.code == FILO_OK) r = check_floats(mesh->normals, v, 3, name, "normal");
    if (r.code == FILO_OK) r = check_floats(mesh->tangents, v, 4, name, "tangent");
    if (r.code == FILO_OK) r = check_floats(mesh->uvs, v, 2, name, "texture coordinate");
    if (r.code == FILO_OK) r = check_floats(mesh->weights, v, 4, name, "weight");
    return r;
}

// ---- Bounds ---------------------------------------------------------------------------------------------

void filo_mesh_update_bounds(FiloMeshData *mesh) {
    if (!FILO_CHECK(mesh != NULL, "pass a mesh, to compute its bounds")) return;
    uint32_t count = mesh->positions != NULL ? mesh->vertex_count : 0;
    FiloVec3 low = { FLT_MAX, FLT_MAX, FLT_MAX }, high = { -FLT_MAX, -FLT_MAX, -FLT_MAX };
    // In this order a NaN changes nothing.
    for (uint32_t i = 0; i < count; i++) {
        low = filo_vec3_min(mesh->positions[i], low);
        high = filo_vec3_max(mesh->positions[i], high);
    }
    if (!(low.x <= high.x && low.y <= high.y && low.z <= high.z)) low = high = filo_vec3(0, 0, 0);
    mesh->bounds = filo_aabb3(low, high);
    mesh->centre = filo_aabb3_centre(mesh->bounds);
    float squared = 0.0f;
    for (uint32_t i = 0; i < count; i++)
        squared = filo_max(filo_vec3_distance_squared(mesh->positions[i], mesh->centre), squared);
    mesh->radius = filo_sqrt(squared);
}
