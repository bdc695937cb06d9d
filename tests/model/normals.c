// Normals and tangents that are computed from triangles.

#include "model/mesh_fixture.h"

#include <math.h>

FILO_TEST(normals_are_weighted_by_angles) {
    // A corner of a cube: one side is two triangles, which together count as much as each other side.
    FiloVec3 positions[7] = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 },
                              { 0, 1, 1 }, { 0, 0, 1 }, { 1, 0, 1 } };
    uint32_t indices[15] = { 0, 2, 1, 0, 3, 2, 0, 5, 3, 0, 1, 5, 6, 6, 6 };
    FiloVec3 normals[7];
    FiloMeshData mesh = { .vertex_count = 7, .index_count = 15, .positions = positions, .normals = normals };
    mesh.indices = indices;
    filo_mesh_update_normals(&mesh);
    float s = -0.57735f;
    assert_vec3(normals[0], s, s, s);
    assert_vec3(normals[2], 0, 0, -1);
    assert_vec3(normals[4], 0, 1, 0); // of no triangle
    assert_vec3(normals[6], 0, 1, 0); // of a triangle without area
}

FILO_TEST(only_the_full_mesh_counts) {
    FiloVec3 positions[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    uint32_t indices[6] = { 0, 1, 2, 0, 3, 1 };
    FiloMeshPart parts[2] = { { 0, 3, 0 }, { 3, 3, 0 } };
    FiloVec3 normals[4];
    FiloMeshData mesh = { .vertex_count = 4, .index_count = 6, .positions = positions, .normals = normals };
    mesh.indices = indices;
    mesh.parts = parts;
    mesh.part_count = 1;
    mesh.level_count = 2;
    filo_mesh_update_normals(&mesh);
    assert_vec3(normals[0], 0, 0, 1);
}

// A quad in the plane of x and y, with any texture coordinates.
typedef struct Quad {
    FiloVec3 positions[4], normals[4];
    FiloVec4 tangents[4];
    FiloVec2 uvs[4];
    uint32_t indices[6];
    FiloMeshData mesh;
} Quad;

static void make_quad(Quad *quad, FiloVec2 u, FiloVec2 v) {
    static const FiloVec2 corners[4] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } };
    *quad = (Quad){ .indices = { 0, 1, 2, 0, 2, 3 } };
    for (int i = 0; i < 4; i++) {
        quad->positions[i] = filo_vec3_from_vec2(corners[i], 0);
        quad->uvs[i] = filo_vec2(filo_vec2_dot(corners[i], u), filo_vec2_dot(corners[i], v));
    }
    quad->mesh = (FiloMeshData){ .vertex_count = 4,
                                 .index_count = 6,
                                 .positions = quad->positions,
                                 .normals = quad->normals,
                                 .tangents = quad->tangents,
                                 .uvs = quad->uvs,
                                 .indices = quad->indices };
    filo_mesh_update_normals(&quad->mesh);
    filo_mesh_update_tangents(&quad->mesh);
}

FILO_TEST(tangents_point_along_u) {
    Quad quad;
    make_quad(&quad, filo_vec2(1, 0), filo_vec2(0, -1)); // u to the right, v down
    for (int i = 0; i < 4; i++) {
        assert_vec3(filo_vec4_xyz(quad.tangents[i]), 1, 0, 0);
        assert_float_equal(quad.tangents[i].w, 1, 0);
    }
    make_quad(&quad, filo_vec2(-1, 0), filo_vec2(0, -1)); // mirrored
    assert_vec3(filo_vec4_xyz(quad.tangents[2]), -1, 0, 0);
    assert_float_equal(quad.tangents[2].w, -1, 0);
    make_quad(&quad, filo_vec2(0, 3), filo_vec2(3, 0)); // turned by a quarter, and scaled
    assert_vec3(filo_vec4_xyz(quad.tangents[1]), 0, 1, 0);
    assert_float_equal(quad.tangents[1].w, 1, 0);
    make_quad(&quad, filo_vec2(1, 1), filo_vec2(0, -1)); // sheared: u grows along x where v is constant
    assert_vec3(filo_vec4_xyz(quad.tangents[1]), 1, 0, 0);
    make_quad(&quad, filo_vec2(0, 0), filo_vec2(0, 0)); // no texture at all
    for (int i = 0; i < 4; i++) {
        assert_float_equal(filo_vec3_length(filo_vec4_xyz(quad.tangents[i])), 1, 1e-6f);
        assert_float_equal(quad.tangents[i].z, 0, 1e-6f);
    }
}

// Two quads beside each other, the second with a mirrored texture; the vertices between them belong to both.
FILO_TEST(where_a_texture_is_mirrored_the_larger_angle_decides) {
    FiloVec3 positions[5] = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 }, { 2, 0.5f, 0 } };
    FiloVec2 uvs[5] = { { 0, 1 }, { 1, 1 }, { 1, 0 }, { 0, 0 }, { 0, 0.5f } };
    uint32_t indices[9] = { 0, 1, 2, 0, 2, 3, 1, 4, 2 };
    FiloVec3 normals[5];
    FiloVec4 tangents[5];
    FiloMeshData mesh = { .vertex_count = 5, .index_count = 9, .positions = positions, .normals = normals };
    mesh.tangents = tangents;
    mesh.uvs = uvs;
    mesh.indices = indices;
    filo_mesh_update_normals(&mesh);
    filo_mesh_update_tangents(&mesh);
    assert_vec3(filo_vec4_xyz(tangents[1]), 1, 0, 0); // 90 degrees of the quad, 63 of the triangle
    assert_float_equal(tangents[1].w, 1, 0);
    assert_vec3(filo_vec4_xyz(tangents[4]), -1, 0, 0);
    assert_float_equal(tangents[4].w, -1, 0);
}

FILO_TEST(bad_numbers_and_indices_do_no_harm) {
    FiloVec3 positions[3] = { { NAN, 0, 0 }, { 1, 3e38f, 0 }, { 0, 1, -3e38f } }, normals[3];
    FiloVec2 uvs[3] = { { 0, NAN }, { 1, 0 }, { 0, 1 } };
    FiloVec4 tangents[3];
    uint32_t indices[6] = { 0, 1, 2, 0, 1, 3 };
    FiloMeshData mesh = { .vertex_count = 3, .index_count = 6, .positions = positions, .normals = normals };
    mesh.uvs = uvs;
    mesh.tangents = tangents;
    mesh.indices = indices;
    filo_mesh_update_normals(&mesh);
    filo_mesh_update_tangents(&mesh);
    for (int i = 0; i < 3; i++) {
        assert_float_equal(filo_vec3_length(normals[i]), 1, 1e-5f);
        assert_float_equal(filo_vec3_length(filo_vec4_xyz(tangents[i])), 1, 1e-5f);
    }
}

FILO_TEST(arrays_must_exist) {
    FiloVec3 position = { 0 };
    FiloMeshData mesh = { .vertex_count = 1, .positions = &position };
    expect_fault("create the mesh with FILO_MESH_NORMALS, to compute", filo_mesh_update_normals(&mesh));
    expect_fault("FILO_MESH_UVS and FILO_MESH_TANGENTS", filo_mesh_update_tangents(&mesh));
    expect_fault("pass a mesh, and the matrix", filo_mesh_transform(&mesh, NULL));
    expect_fault("pass a mesh, to compute its bounds", filo_mesh_update_bounds(NULL));
}
