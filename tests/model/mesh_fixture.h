// Helpers for tests of meshes.

#ifndef FILO_TEST_MESH_FIXTURE_H
#define FILO_TEST_MESH_FIXTURE_H

#include "support/test.h"

#include <filo/hash.h>
#include <filo/mesh.h>
#include <filo/random.h>

#define assert_vec3(v, ex, ey, ez)                                                                           \
    do {                                                                                                     \
        FiloVec3 assert_v = (v);                                                                             \
        assert_float_equal(assert_v.x, ex, 1e-5f);                                                           \
        assert_float_equal(assert_v.y, ey, 1e-5f);                                                           \
        assert_float_equal(assert_v.z, ez, 1e-5f);                                                           \
    } while (0)

// A random number from -1 to 1.
static inline float random_unit(FiloRandom *random) {
    return (float)(filo_random_u32(random) >> 8) * 0x1p-23f - 1.0f;
}
static inline FiloVec3 random_vec3(FiloRandom *random) {
    float x = random_unit(random), y = random_unit(random);
    return filo_vec3(x, y, random_unit(random));
}

// Triangle `i`, with or without indices.
static inline void corners_of(const FiloMeshData *mesh, uint32_t i, FiloVec3 corners[3]) {
    for (uint32_t k = 0; k < 3; k++)
        corners[k] = mesh->positions[mesh->indices != NULL ? mesh->indices[3 * i + k] : 3 * i + k];
}

// The signed volume that the triangles enclose: positive if they look outwards.
static inline double volume_of(const FiloMeshData *mesh, FiloMeshPart part) {
    double volume = 0.0;
    for (uint32_t i = part.first / 3; i < (part.first + part.count) / 3; i++) {
        FiloVec3 c[3];
        corners_of(mesh, i, c);
        volume += (double)filo_vec3_dot(c[0], filo_vec3_cross(c[1], c[2])) / 6.0;
    }
    return volume;
}

static inline FiloMeshPart all_of(const FiloMeshData *mesh) {
    return (FiloMeshPart){ .count = mesh->indices != NULL ? mesh->index_count : mesh->vertex_count };
}

// A hash of all arrays, to compare meshes and for golden values.
static inline uint64_t hash_mesh(const FiloMeshData *mesh) {
    FiloHasher hasher;
    filo_hasher_init(&hasher, 0);
    size_t v = mesh->vertex_count;
    filo_hasher_add(&hasher, mesh->positions, v * sizeof(FiloVec3));
    if (mesh->normals != NULL) filo_hasher_add(&hasher, mesh->normals, v * sizeof(FiloVec3));
    if (mesh->tangents != NULL) filo_hasher_add(&hasher, mesh->tangents, v * sizeof(FiloVec4));
    if (mesh->uvs != NULL) filo_hasher_add(&hasher, mesh->uvs, v * sizeof(FiloVec2));
    if (mesh->colors != NULL) filo_hasher_add(&hasher, mesh->colors, v * sizeof(FiloColor));
    if (mesh->indices != NULL) filo_hasher_add(&hasher, mesh->indices, mesh->index_count * sizeof(uint32_t));
    filo_hasher_add(&hasher, mesh->parts,
                    mesh->part_count * FILO_MAX(mesh->level_count, 1u) * sizeof(FiloMeshPart));
    return filo_hasher_finish(&hasher);
}

#endif
