// Private helpers for meshes: the triangles of the full mesh, with or without indices, parts and levels of detail.

#ifndef FILO_MODEL_MESH_MESH_H
#define FILO_MODEL_MESH_MESH_H

#include <filo/mesh.h>

#define MODEL_MESH_LIMIT ((uint32_t)1 << 31) // vertices and indices, at most

// Corners of all triangles, with those of other levels: indices, or vertices without indices.
static inline uint32_t model_mesh_corner_count(const FiloMeshData *mesh) {
    uint32_t count = mesh->indices != NULL ? mesh->index_count : mesh->vertex_count;
    return count - count % 3;
}

// Ranges of corners that the full mesh consists of: its parts of level 0, or one for all.
static inline uint32_t model_mesh_range_count(const FiloMeshData *mesh) {
    return mesh->parts != NULL && mesh->part_count > 0 ? mesh->part_count : 1;
}

// A range, cut to the corners that exist.
static inline FiloMeshPart model_mesh_range(const FiloMeshData *mesh, uint32_t i) {
    uint32_t corners = model_mesh_corner_count(mesh);
    if (mesh->parts == NULL || mesh->part_count == 0) return (FiloMeshPart){ .count = corners };
    FiloMeshPart part = mesh->parts[i];
    if (part.first > corners) part.first = corners;
    if (part.count > corners - part.first) part.count = corners - part.first;
    part.count -= part.count % 3;
    return part;
}

// The vertices of the triangle whose corners begin at `first`. False if one of them does not exist.
static inline bool model_mesh_triangle(const FiloMeshData *mesh, uint32_t first, uint32_t vertices[3]) {
    for (uint32_t k = 0; k < 3; k++) {
        vertices[k] = mesh->indices != NULL ? mesh->indices[first + k] : first + k;
        if (vertices[k] >= mesh->vertex_count) return false;
    }
    return true;
}

static inline bool model_is_finite(float x) { return (filo_float_to_bits(x) & 0x7F800000u) != 0x7F800000u; }
static inline bool model_vec3_is_finite(FiloVec3 v) {
    return model_is_finite(v.x) && model_is_finite(v.y) && model_is_finite(v.z);
}

#endif
