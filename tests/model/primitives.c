// Primitives: closed, right-sided, with normals, tangents and texture coordinates that agree with the triangles.

#include "model/mesh_fixture.h"

#include <math.h>
#include <stdlib.h>

// A mesh, and the volume that it encloses in the limit of many triangles.
typedef struct Shape {
    const char *name;
    FiloMeshData mesh;
    double volume;
    bool closed;
} Shape;

#define SHAPES 8

static size_t make_shapes(Shape *shapes) {
    size_t n = 0;
    shapes[n] = (Shape){ .name = "box", .volume = 6, .closed = true };
    assert_ok(filo_mesh_box(&shapes[n++].mesh, &(FiloBoxDesc){ .size = { 1, 2, 3 } }, NULL));
    shapes[n] = (Shape){ .name = "sphere", .volume = 0.5236, .closed = true };
    assert_ok(filo_mesh_sphere(&shapes[n++].mesh, &(FiloSphereDesc){ .sectors = 100, .rings = 50 }, NULL));
    shapes[n] = (Shape){ .name = "capsule", .volume = 0.5236 + 0.7854, .closed = true };
    assert_ok(filo_mesh_capsule(&shapes[n++].mesh, &(FiloCapsuleDesc){ .sectors = 100, .rings = 51 }, NULL));
    shapes[n] = (Shape){ .name = "short capsule", .volume = 0.5236, .closed = true };
    assert_ok(filo_mesh_capsule(&shapes[n++].mesh,
                                &(FiloCapsuleDesc){ .height = 0.1f, .sectors = 100, .rings = 50 }, NULL));
    shapes[n] = (Shape){ .name = "cylinder", .volume = 0.7854, .closed = true };
    assert_ok(filo_mesh_cylinder(&shapes[n++].mesh, &(FiloCylinderDesc){ .sectors = 100, .rings = 3 }, NULL));
    shapes[n] = (Shape){ .name = "frustum", .volume = 2.0 * 3.14159 / 3 * (1 + 0.5 + 0.25), .closed = true };
    assert_ok(filo_mesh_cylinder(
        &shapes[n++].mesh,
        &(FiloCylinderDesc){ .radius = 1, .top_radius = 0.5f, .height = 2, .sectors = 100, .rings = 5 },
        NULL));
    shapes[n] = (Shape){ .name = "cone", .volume = 0.2618, .closed = true };
    assert_ok(filo_mesh_cone(&shapes[n++].mesh, &(FiloCylinderDesc){ .sectors = 100, .rings = 4 }, NULL));
    shapes[n] = (Shape){ .name = "torus", .volume = 2 * 3.14159 * 3.14159 * 0.5 * 0.04, .closed = true };
    assert_ok(filo_mesh_torus(&shapes[n++].mesh, &(FiloTorusDesc){ .sectors = 150, .sides = 80 }, NULL));
    return n;
}

static void free_shapes(Shape *shapes) {
    for (size_t i = 0; i < SHAPES; i++) filo_mesh_free(&shapes[i].mesh, NULL);
}

FILO_TEST(triangles_look_outwards_and_enclose_the_volume) {
    Shape shapes[SHAPES];
    assert_int_equal(make_shapes(shapes), SHAPES);
    for (size_t i = 0; i < SHAPES; i++) {
        const FiloMeshData *mesh = &shapes[i].mesh;
        assert_ok(filo_mesh_check(mesh, shapes[i].name));
        double volume = volume_of(mesh, all_of(mesh));
        if (fabs(volume / shapes[i].volume - 1) > 0.01)
            fail_msg("%s: the volume is %g instead of %g", shapes[i].name, volume, shapes[i].volume);
    }
    free_shapes(shapes);
}

typedef struct Edge {
    float v[6];
} Edge;

static int by_bytes(const void *a, const void *b) { return memcmp(a, b, sizeof(Edge)); }

// An edge between two places, in the order of its triangle (or reversed).
static Edge edge_between(FiloVec3 a, FiloVec3 b) {
    return (Edge){ { a.x + 0, a.y + 0, a.z + 0, b.x + 0, b.y + 0, b.z + 0 } };
}

// Every edge of a closed surface is that of two triangles, in opposite directions, at exactly the same places.
FILO_TEST(surfaces_have_no_gaps) {
    Shape shapes[SHAPES];
    make_shapes(shapes);
    for (size_t s = 0; s < SHAPES; s++) {
        const FiloMeshData *mesh = &shapes[s].mesh;
        size_t count = mesh->index_count;
        Edge *there = calloc(count, sizeof *there), *back = calloc(count, sizeof *back);
        for (uint32_t i = 0; i < count; i++) {
            FiloVec3 a = mesh->positions[mesh->indices[i]];
            FiloVec3 b = mesh->positions[mesh->indices[i % 3 == 2 ? i - 2 : i + 1]];
            assert_false(filo_vec3_equal(a, b));
            there[i] = edge_between(a, b);
            back[i] = edge_between(b, a);
        }
        qsort(there, count, sizeof *there, by_bytes);
        qsort(back, count, sizeof *back, by_bytes);
        if (memcmp(there, back, count * sizeof *there) != 0) fail_msg("%s has a gap", shapes[s].name);
        free(there);
        free(back);
    }
    free_shapes(shapes);
}

FILO_TEST(normals_and_tangents_agree_with_the_triangles) {
    Shape shapes[SHAPES];
    make_shapes(shapes);
    for (size_t s = 0; s < SHAPES; s++) {
        FiloMeshData *mesh = &shapes[s].mesh, computed;
        assert_ok(filo_mesh_copy(&computed, mesh, NULL));
        filo_mesh_update_tangents(&computed);
        for (uint32_t i = 0; i < mesh->index_count; i += 3) {
            FiloVec3 c[3];
            corners_of(mesh, i / 3, c);
            FiloVec3 face =
                filo_vec3_normalise(filo_vec3_cross(filo_vec3_sub(c[1], c[0]), filo_vec3_sub(c[2], c[0])));
            for (int k = 0; k < 3; k++) {
                uint32_t v = mesh->indices[i + (uint32_t)k];
                FiloVec3 n = mesh->normals[v], t = filo_vec4_xyz(mesh->tangents[v]);
                assert_float_equal(filo_vec3_length(n), 1, 1e-6f);
                assert_float_equal(filo_vec3_length(t), 1, 1e-6f);
                assert_float_equal(filo_vec3_dot(n, t), 0, 1e-6f);
                assert_true(filo_vec3_dot(n, face) > 0.99f);
                assert_true(filo_vec3_dot(t, filo_vec4_xyz(computed.tangents[v])) > 0.99f);
                assert_float_equal(computed.tangents[v].w, 1, 0);
                assert_true(mesh->uvs[v].x >= 0 && mesh->uvs[v].x <= 1 && mesh->uvs[v].y >= 0 &&
                            mesh->uvs[v].y <= 1);
            }
        }
        filo_mesh_free(&computed, NULL);
    }
    free_shapes(shapes);
}

FILO_TEST(shapes_have_their_sizes) {
    FiloMeshData mesh;
    assert_ok(filo_mesh_sphere(&mesh, &(FiloSphereDesc){ .radius = 3 }, NULL));
    assert_vec3(mesh.bounds.max, 3, 3, 3);
    assert_vec3(mesh.bounds.min, -3, -3, -3);
    filo_mesh_free(&mesh, NULL);
    assert_ok(filo_mesh_capsule(&mesh, &(FiloCapsuleDesc){ .radius = 0.5f, .height = 3 }, NULL));
    assert_vec3(mesh.bounds.max, 0.5, 1.5, 0.5);
    filo_mesh_free(&mesh, NULL);
    assert_ok(filo_mesh_torus(&mesh, NULL, NULL));
    assert_vec3(mesh.bounds.max, 0.7, 0.2, 0.7);
    filo_mesh_free(&mesh, NULL);
    assert_ok(filo_mesh_cone(&mesh, &(FiloCylinderDesc){ .open = true }, NULL));
    assert_vec3(mesh.positions[0], 0, 0.5, 0);
    assert_int_equal(mesh.index_count, 32 * 3);
    filo_mesh_free(&mesh, NULL);
    assert_ok(filo_mesh_plane(
        &mesh, &(FiloPlaneDesc){ .size = { 4, 6 }, .columns = 2, .rows = 3, .repeat = { 8, 2 } }, NULL));
    assert_int_equal(mesh.vertex_count, 12);
    assert_int_equal(mesh.index_count, 36);
    assert_vec3(mesh.positions[0], -2, 0, -3);
    assert_vec3(mesh.normals[5], 0, 1, 0);
    assert_float_equal(mesh.uvs[11].x, 8, 0);
    assert_float_equal(mesh.uvs[11].y, 2, 0);
    filo_mesh_update_normals(&mesh);
    assert_vec3(mesh.normals[5], 0, 1, 0); // looks up
    filo_mesh_free(&mesh, NULL);
}

FILO_TEST(u_is_to_the_right_and_v_down) {
    FiloMeshData mesh;
    assert_ok(filo_mesh_box(&mesh, NULL, NULL));
    for (uint32_t i = 0; i < mesh.vertex_count; i++) {
        if (mesh.normals[i].z != 1.0f) continue; // the side that looks to the viewer
        assert_float_equal(mesh.positions[i].x, mesh.uvs[i].x - 0.5f, 0);
        assert_float_equal(mesh.positions[i].y, 0.5f - mesh.uvs[i].y, 0);
    }
    filo_mesh_free(&mesh, NULL);
}

// ---- Heightmap ------------------------------------------------------------------------------------------

FILO_TEST(a_heightmap_has_the_heights_and_slopes) {
    float heights[3 * 4];
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 3; x++) heights[3 * y + x] = (float)(2 * x - y);
    FiloMeshData mesh;
    assert_ok(filo_mesh_heightmap(&mesh, &(FiloHeightmapDesc){ .heights = heights, .columns = 3, .rows = 4 },
                                  NULL));
    assert_int_equal(mesh.vertex_count, 12);
    assert_int_equal(mesh.index_count, 36);
    assert_vec3(mesh.positions[0], -1, 0, -1.5);
    assert_vec3(mesh.positions[5], 1, 3, -0.5);
    FiloVec3 normal = filo_vec3_normalise(filo_vec3(-2, 1, 1));
    FiloMeshData again;
    assert_ok(filo_mesh_copy(&again, &mesh, NULL));
    filo_mesh_update_normals(&again);
    filo_mesh_update_tangents(&again);
    for (int i = 0; i < 12; i++) {
        assert_vec3(mesh.normals[i], normal.x, normal.y, normal.z);
        assert_vec3(again.normals[i], normal.x, normal.y, normal.z);
        assert_vec3(filo_vec4_xyz(again.tangents[i]), mesh.tangents[i].x, mesh.tangents[i].y,
                    mesh.tangents[i].z);
        assert_float_equal(again.tangents[i].w, 1, 0);
    }
    filo_mesh_free(&again, NULL);
    filo_mesh_free(&mesh, NULL);
    heights[7] = NAN;
    FiloHeightmapDesc desc = {
        .heights = heights, .columns = 3, .rows = 4, .size = { 10, 20 }, .repeat = { 2, 3 }
    };
    assert_error(filo_mesh_heightmap(&mesh, &desc, NULL), FILO_ERROR_DATA,
                 "the height at column 1, row 2 is not finite");
    heights[7] = 3e38f;
    assert_ok(filo_mesh_heightmap(&mesh, &desc, NULL));
    assert_ok(filo_mesh_check(&mesh, "steep"));
    filo_mesh_free(&mesh, NULL);
}

// ---- Misuse and limits ----------------------------------------------------------------------------------

FILO_TEST(impossible_shapes_are_refused) {
    FiloMeshData mesh;
    expect_mistake("a sphere has a radius above 0",
                   filo_mesh_sphere(&mesh, &(FiloSphereDesc){ .radius = -1 }, NULL));
    expect_mistake("a sphere has", filo_mesh_sphere(&mesh, &(FiloSphereDesc){ .sectors = 2 }, NULL));
    expect_mistake("the size of a plane",
                   filo_mesh_plane(&mesh, &(FiloPlaneDesc){ .size = { 1, NAN } }, NULL));
    expect_mistake("the size of a box", filo_mesh_box(&mesh, &(FiloBoxDesc){ .size = { 1, 0, 1 } }, NULL));
    expect_mistake("a capsule has", filo_mesh_capsule(&mesh, &(FiloCapsuleDesc){ .rings = 1 }, NULL));
    expect_mistake("a cylinder has",
                   filo_mesh_cylinder(&mesh, &(FiloCylinderDesc){ .height = INFINITY }, NULL));
    expect_mistake("a torus has a radius above that of its tube",
                   filo_mesh_torus(&mesh, &(FiloTorusDesc){ .tube = 1 }, NULL));
    expect_mistake(
        "at least 2 × 2 heights, not 1 × 5",
        filo_mesh_heightmap(&mesh, &(FiloHeightmapDesc){ .heights = &(float){ 0 }, .columns = 1, .rows = 5 },
                            NULL));
    expect_mistake("pass a mesh for the box", filo_mesh_box(NULL, NULL, NULL));
}

FILO_TEST(shapes_with_too_many_vertices_are_refused) {
    FiloMeshData mesh;
    const uint32_t many = UINT32_MAX;
    assert_error(filo_mesh_sphere(&mesh, &(FiloSphereDesc){ .sectors = many, .rings = many }, NULL),
                 FILO_ERROR_LIMIT, "a sphere of");
    assert_error(filo_mesh_capsule(&mesh, &(FiloCapsuleDesc){ .rings = many }, NULL), FILO_ERROR_LIMIT,
                 "a capsule of");
    assert_error(filo_mesh_cylinder(&mesh, &(FiloCylinderDesc){ .rings = many }, NULL), FILO_ERROR_LIMIT,
                 "a cylinder of");
    assert_error(filo_mesh_cone(&mesh, &(FiloCylinderDesc){ .sectors = many }, NULL), FILO_ERROR_LIMIT,
                 "a cone of");
    assert_error(filo_mesh_torus(&mesh, &(FiloTorusDesc){ .sides = many }, NULL), FILO_ERROR_LIMIT,
                 "a torus of");
    assert_error(filo_mesh_plane(&mesh, &(FiloPlaneDesc){ .columns = many, .rows = many }, NULL),
                 FILO_ERROR_LIMIT, "a plane of");
    assert_error(
        filo_mesh_heightmap(
            &mesh, &(FiloHeightmapDesc){ .heights = &(float){ 0 }, .columns = many, .rows = many }, NULL),
        FILO_ERROR_LIMIT, "a heightmap of");
    assert_null(mesh.memory);
}

// The same bytes on every machine.
FILO_TEST(shapes_are_the_same_everywhere) {
    Shape shapes[SHAPES];
    make_shapes(shapes);
    uint64_t hash = 0;
    for (size_t i = 0; i < SHAPES; i++) {
        hash = filo_hash_combine(hash, hash_mesh(&shapes[i].mesh));
        filo_mesh_update_normals(&shapes[i].mesh);
        filo_mesh_update_tangents(&shapes[i].mesh);
        hash = filo_hash_combine(hash, hash_mesh(&shapes[i].mesh));
    }
    if (hash != UINT64_C(0x7962407D9C88C1E8)) fail_msg("the hash is 0x%llX", (unsigned long long)hash);
    free_shapes(shapes);
}
