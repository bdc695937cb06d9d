// What the primitives share: checks of their descriptions, and rows of quads.

#ifndef FILO_MODEL_PRIMITIVES_GRID_H
#define FILO_MODEL_PRIMITIVES_GRID_H

#include <filo/mesh.h>

#define MODEL_PRIMITIVE_LIMIT ((uint64_t)1 << 24) // vertices

// `value`, or `otherwise` if it is 0.
static inline float model_or(float value, float otherwise) { return value != 0.0f ? value : otherwise; }
static inline uint32_t model_or_count(uint32_t value, uint32_t otherwise) {
    return value != 0 ? value : otherwise;
}

// Whether a length is usable: so far above 0 that products with it are not 0, and neither infinite nor NaN.
static inline bool model_is_length(float value) { return value > 1e-18f && value <= 1e18f; }

// Creates the mesh of a primitive, with normals, tangents and texture coordinates.
FiloResult model_primitive_create(FiloMeshData *mesh, uint64_t vertices, uint64_t indices, const char *what,
                                  const FiloAllocator *allocator);

// Writes two triangles at indices + *end, whose corners are, seen from the front: upper left, upper right, lower left,
// lower right.
static inline void model_add_quad(uint32_t *indices, uint32_t *end, uint32_t ul, uint32_t ur, uint32_t ll,
                                  uint32_t lr) {
    uint32_t *out = indices + *end;
    out[0] = ul;
    out[1] = ll;
    out[2] = lr;
    out[3] = ul;
    out[4] = lr;
    out[5] = ur;
    *end += 6;
}

static inline void model_add_triangle(uint32_t *indices, uint32_t *end, uint32_t a, uint32_t b, uint32_t c) {
    indices[*end] = a;
    indices[*end + 1] = b;
    indices[*end + 2] = c;
    *end += 3;
}

static inline void model_set_vertex(FiloMeshData *mesh, uint32_t i, FiloVec3 position, FiloVec3 normal,
                                    FiloVec3 tangent, FiloVec2 uv) {
    mesh->positions[i] = position;
    mesh->normals[i] = normal;
    mesh->tangents[i] = filo_vec4_from_vec3(tangent, 1.0f);
    mesh->uvs[i] = uv;
}

#endif
