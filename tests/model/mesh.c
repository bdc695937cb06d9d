// Meshes: memory, copies, checks, bounds, transforming and merging.

#include "model/mesh_fixture.h"
#include "support/failing_allocator.h"

#include <math.h>
#include <stdlib.h>

static const FiloMeshDesc everything = {
    .vertices = 5,
    .indices = 6,
    .parts = 2,
    .levels = 3,
    .arrays = FILO_MESH_NORMALS | FILO_MESH_TANGENTS | FILO_MESH_UVS | FILO_MESH_COLORS | FILO_MESH_SKIN,
};

FILO_TEST(a_mesh_has_the_arrays_that_were_asked_for) {
    FiloMeshData mesh;
    assert_ok(filo_mesh_create(&mesh, &everything, NULL));
    assert_int_equal(mesh.vertex_count, 5);
    assert_int_equal(mesh.index_count, 6);
    assert_int_equal(mesh.level_count, 1);
    // Every array can be written to its end without changing another one.
    memset(mesh.positions, 1, 5 * sizeof *mesh.positions);
    memset(mesh.normals, 2, 5 * sizeof *mesh.normals);
    memset(mesh.tangents, 3, 5 * sizeof *mesh.tangents);
    memset(mesh.uvs, 4, 5 * sizeof *mesh.uvs);
    memset(mesh.colors, 5, 5 * sizeof *mesh.colors);
    memset(mesh.joints, 6, 5 * sizeof *mesh.joints);
    memset(mesh.weights, 7, 5 * sizeof *mesh.weights);
    memset(mesh.indices, 8, 6 * sizeof *mesh.indices);
    memset(mesh.parts, 9, 6 * sizeof *mesh.parts);
    assert_int_equal(((uint8_t *)mesh.positions)[59], 1);
    assert_int_equal(((uint8_t *)mesh.normals)[59], 2);
    assert_int_equal(((uint8_t *)mesh.tangents)[79], 3);
    assert_int_equal(((uint8_t *)mesh.uvs)[39], 4);
    assert_int_equal(((uint8_t *)mesh.colors)[19], 5);
    assert_int_equal(((uint8_t *)mesh.joints)[39], 6);
    assert_int_equal(((uint8_t *)mesh.weights)[79], 7);
    assert_int_equal(((uint8_t *)mesh.indices)[23], 8);
    filo_mesh_free(&mesh, NULL);
    assert_null(mesh.positions);
    assert_int_equal(mesh.vertex_count, 0);
    filo_mesh_free(&mesh, NULL);

    assert_ok(filo_mesh_create(&mesh, &(FiloMeshDesc){ .vertices = 3 }, NULL));
    assert_null(mesh.normals);
    assert_null(mesh.weights);
    assert_null(mesh.indices);
    assert_null(mesh.parts);
    assert_vec3(mesh.positions[2], 0, 0, 0);
    filo_mesh_free(&mesh, NULL);
    assert_ok(filo_mesh_create(&mesh, &(FiloMeshDesc){ 0 }, NULL));
    assert_null(mesh.memory);
    assert_ok(filo_mesh_check(&mesh, "empty"));
}

FILO_TEST(sizes_that_cannot_be_are_refused) {
    FiloMeshData mesh;
    assert_error(filo_mesh_create(&mesh, &(FiloMeshDesc){ .vertices = UINT32_MAX }, NULL), FILO_ERROR_LIMIT,
                 "a mesh of 4294967295 vertices, 0 indices and 0 parts is too large");
    assert_error(filo_mesh_create(&mesh, &(FiloMeshDesc){ .indices = UINT32_MAX }, NULL), FILO_ERROR_LIMIT,
                 "too large");
    expect_mistake("a mesh has three indices for each triangle, not 4",
                   filo_mesh_create(&mesh, &(FiloMeshDesc){ .indices = 4 }, NULL));
    expect_mistake("a mesh has up to 8 levels, not 9",
                   filo_mesh_create(&mesh, &(FiloMeshDesc){ .levels = 9 }, NULL));
    expect_mistake("pass a mesh to create, and its description", filo_mesh_create(&mesh, NULL, NULL));
    assert_null(mesh.memory);
}

FILO_TEST(a_copy_is_equal_and_apart) {
    FiloMeshData mesh, copy;
    assert_ok(filo_mesh_torus(&mesh, NULL, NULL));
    assert_ok(filo_mesh_optimise(&mesh, &(FiloMeshOptimise){ .levels = 3 }, NULL));
    assert_true(mesh.level_count > 1);
    assert_ok(filo_mesh_copy(&copy, &mesh, NULL));
    assert_true(hash_mesh(&mesh) == hash_mesh(&copy));
    assert_int_equal(copy.level_count, mesh.level_count);
    assert_memory_equal(copy.level_error, mesh.level_error, sizeof mesh.level_error);
    assert_memory_equal(&copy.bounds, &mesh.bounds, sizeof mesh.bounds);
    copy.positions[0].x = 99.0f;
    assert_true(mesh.positions[0].x != 99.0f);
    filo_mesh_free(&mesh, NULL);
    filo_mesh_free(&copy, NULL);
}

FILO_TEST(checks_say_what_is_wrong) {
    FiloVec3 positions[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 1, 1, 0 } };
    FiloVec2 uvs[4] = { 0 };
    FiloVec4 weights[4] = { 0 };
    uint32_t indices[6] = { 0, 1, 2, 1, 3, 2 };
    FiloMeshPart parts[2] = { { 0, 3, 0 }, { 3, 3, 1 } };
    FiloMeshData mesh = { .vertex_count = 4, .index_count = 6, .positions = positions, .indices = indices };
    assert_ok(filo_mesh_check(&mesh, "rock.obj"));
    indices[5] = 90;
    FiloResult r = filo_mesh_check(&mesh, "rock.obj");
    assert_int_equal(r.code, FILO_ERROR_DATA);
    assert_string_equal(r.message, "rock.obj: index 5 of triangle 1 is 90, but there are 4 vertices");
    indices[5] = 2;
    mesh.index_count = 5;
    assert_error(filo_mesh_check(&mesh, NULL), FILO_ERROR_DATA,
                 "mesh: 5 corners, which is not whole triangles");
    mesh.index_count = 6;
    mesh.parts = parts;
    mesh.part_count = 2;
    assert_ok(filo_mesh_check(&mesh, "x"));
    parts[1].count = 6;
    assert_error(filo_mesh_check(&mesh, "x"), FILO_ERROR_DATA,
                 "x: part 1 has 6 indices from 3, but there are 6");
    parts[1] = (FiloMeshPart){ UINT32_MAX, 3, 0 };
    assert_error(filo_mesh_check(&mesh, "x"), FILO_ERROR_DATA, "x: part 1 has 3 indices from 4294967295");
    parts[1] = (FiloMeshPart){ 1, 3, 0 };
    assert_error(filo_mesh_check(&mesh, "x"), FILO_ERROR_DATA, "part 1 begins at 1 with 3 indices");
    mesh.part_count = 1;
    mesh.level_count = 2;
    parts[1] = (FiloMeshPart){ 3, 3, 0 };
    assert_ok(filo_mesh_check(&mesh, "x"));
    mesh.part_count = 0;
    assert_error(filo_mesh_check(&mesh, "x"), FILO_ERROR_DATA, "levels of detail need at least one part");
    mesh.level_count = 9;
    assert_error(filo_mesh_check(&mesh, "x"), FILO_ERROR_DATA, "9 levels of detail, but 8 are the most");
    mesh.level_count = 0;
    positions[3].y = NAN;
    assert_error(filo_mesh_check(&mesh, "x"), FILO_ERROR_DATA, "x: the position of vertex 3 is not finite");
    positions[3].y = 1.0f;
    mesh.uvs = uvs;
    uvs[1].x = INFINITY;
    assert_error(filo_mesh_check(&mesh, "x"), FILO_ERROR_DATA,
                 "x: the texture coordinate of vertex 1 is not finite");
    mesh.uvs = NULL;
    mesh.weights = weights;
    assert_error(filo_mesh_check(&mesh, "x"), FILO_ERROR_DATA,
                 "joints and weights are only possible together");
    mesh.weights = NULL;
    mesh.positions = NULL;
    assert_error(filo_mesh_check(&mesh, "x"), FILO_ERROR_DATA, "x: 4 vertices, but no positions");
}

FILO_TEST(bounds_contain_all_positions) {
    FiloRandom random = filo_random_sequence(4);
    FiloVec3 positions[100];
    for (int i = 0; i < 100; i++) positions[i] = random_vec3(&random);
    positions[50].x = 7.0f;
    positions[51].y = NAN; // is left out
    FiloMeshData mesh = { .vertex_count = 100, .positions = positions };
    filo_mesh_update_bounds(&mesh);
    assert_float_equal(mesh.bounds.max.x, 7, 0);
    assert_true(mesh.bounds.min.y >= -1.0f && mesh.bounds.max.y <= 1.0f);
    for (int i = 0; i < 100; i++) {
        if (i == 51) continue;
        assert_true(filo_vec3_distance(positions[i], mesh.centre) <= mesh.radius);
        assert_true(positions[i].z >= mesh.bounds.min.z && positions[i].z <= mesh.bounds.max.z);
    }
    mesh.vertex_count = 0;
    filo_mesh_update_bounds(&mesh);
    assert_vec3(mesh.bounds.max, 0, 0, 0);
    assert_float_equal(mesh.radius, 0, 0);
}

// ---- Transforming ---------------------------------------------------------------------------------------

// Tangents have length 1 and are perpendicular to the normals; computed again they are the same.
static void assert_consistent(const FiloMeshData *mesh) {
    FiloMeshData again;
    assert_ok(filo_mesh_copy(&again, mesh, NULL));
    filo_mesh_update_normals(&again);
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        FiloVec3 n = mesh->normals[i], t = filo_vec4_xyz(mesh->tangents[i]);
        assert_float_equal(filo_vec3_length(n), 1, 1e-5f);
        assert_float_equal(filo_vec3_length(t), 1, 1e-5f);
        assert_float_equal(filo_vec3_dot(n, t), 0, 1e-5f);
        assert_true(filo_vec3_dot(n, again.normals[i]) > 0.999f);
    }
    filo_mesh_update_tangents(&again);
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        assert_true(filo_vec3_dot(filo_vec4_xyz(mesh->tangents[i]), filo_vec4_xyz(again.tangents[i])) >
                    0.999f);
        assert_float_equal(mesh->tangents[i].w, again.tangents[i].w, 0);
    }
    filo_mesh_free(&again, NULL);
}

FILO_TEST(transforming_keeps_normals_and_tangents_right) {
    FiloMat4 turn = filo_mat4_from_parts(
        filo_vec3(1, 2, 3), filo_quat_from_axis_angle(filo_vec3(1, 2, 3), 0.7f), filo_vec3(1.0f, 3.0f, 0.5f));
    FiloMat4 mirror = filo_mat4_mul(turn, filo_mat4_scale(filo_vec3(-1, 1, 1)));
    for (int indexed = 0; indexed < 2; indexed++)
        for (int mirrored = 0; mirrored < 2; mirrored++) {
            FiloMeshData box;
            assert_ok(filo_mesh_box(&box, NULL, NULL));
            if (!indexed) { // every corner gets a vertex of its own
                FiloMeshData plain;
                FiloMeshDesc desc = { .vertices = 36,
                                      .arrays = FILO_MESH_NORMALS | FILO_MESH_TANGENTS | FILO_MESH_UVS };
                assert_ok(filo_mesh_create(&plain, &desc, NULL));
                for (uint32_t i = 0; i < 36; i++) {
                    plain.positions[i] = box.positions[box.indices[i]];
                    plain.normals[i] = box.normals[box.indices[i]];
                    plain.tangents[i] = box.tangents[box.indices[i]];
                    plain.uvs[i] = box.uvs[box.indices[i]];
                }
                filo_mesh_free(&box, NULL);
                box = plain;
            }
            filo_mesh_transform(&box, mirrored ? &mirror : &turn);
            assert_consistent(&box);
            assert_float_equal(volume_of(&box, all_of(&box)), 1.5, 1e-4); // outwards still
            assert_vec3(box.centre, 1, 2, 3);
            for (uint32_t i = 0; i < box.vertex_count; i++)
                assert_float_equal(box.tangents[i].w, mirrored ? -1 : 1, 0);
            filo_mesh_free(&box, NULL);
        }
}

FILO_TEST(errors_of_levels_are_scaled) {
    FiloMeshData mesh = { .level_count = 2, .level_error = { 0, 1.0f } };
    FiloMat4 scale = filo_mat4_scale(filo_vec3(0.5f, -3.0f, 1.0f));
    filo_mesh_transform(&mesh, &scale);
    assert_float_equal(mesh.level_error[1], 3.0f, 1e-6f);
}

// ---- Merging --------------------------------------------------------------------------------------------

FILO_TEST(merged_meshes_have_all_parts_and_arrays) {
    FiloMeshData box, ball, merged;
    FiloVec3 triangle[3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } };
    FiloVertexJoints joints[3] = { { { 3, 0, 0, 0 } }, { { 3, 0, 0, 0 } }, { { 3, 0, 0, 0 } } };
    FiloVec4 weights[3] = { { 0.5f, 0.5f, 0, 0 }, { 1, 0, 0, 0 }, { 1, 0, 0, 0 } };
    FiloColor colors[3] = { { 1, 2, 3, 255 }, { 1, 2, 3, 255 }, { 1, 2, 3, 255 } };
    FiloMeshPart part = { 0, 3, 7 };
    FiloMeshData bare = { .vertex_count = 3, .positions = triangle, .joints = joints, .weights = weights };
    bare.colors = colors;
    bare.parts = &part;
    bare.part_count = 1;
    assert_ok(filo_mesh_box(&box, NULL, NULL));
    assert_ok(filo_mesh_sphere(&ball, NULL, NULL));
    assert_ok(filo_mesh_optimise(&ball, &(FiloMeshOptimise){ .levels = 4 }, NULL));
    assert_true(ball.level_count > 1);
    FiloMat4 matrices[3] = { filo_mat4_translate(filo_vec3(10, 0, 0)), filo_mat4_scale(filo_vec3(1, 1, -1)),
                             filo_mat4_identity() };
    const FiloMeshData *list[3] = { &box, &bare, &ball };
    assert_ok(filo_mesh_merge(&merged, list, matrices, 3, NULL));
    assert_ok(filo_mesh_check(&merged, "merged"));
    assert_int_equal(merged.vertex_count, box.vertex_count + 3 + ball.vertex_count);
    assert_int_equal(merged.part_count, 3);
    assert_int_equal(merged.level_count, 1);
    assert_int_equal(merged.parts[1].material, 7);
    assert_int_equal(merged.index_count, 36 + 3 + ball.parts[0].count); // without levels
    assert_float_equal(volume_of(&merged, merged.parts[0]), 1, 1e-4);
    assert_float_equal(volume_of(&merged, merged.parts[2]), volume_of(&ball, ball.parts[0]), 1e-5);
    assert_vec3(merged.bounds.max, 10.5, 1, 0.5);
    uint32_t t = box.vertex_count;
    assert_vec3(merged.normals[t], 0, 0, -1); // computed; the mirrored triangle was reversed
    assert_int_equal(merged.indices[36 + 1], t + 2);
    assert_true(filo_color_equal(merged.colors[0], FILO_COLOR_WHITE));
    assert_true(filo_color_equal(merged.colors[t], colors[0]));
    assert_float_equal(merged.weights[0].x, 1, 0);
    assert_float_equal(merged.weights[t].y, 0.5f, 0);
    assert_int_equal(merged.joints[t].index[0], 3);
    assert_float_equal(filo_vec3_length(filo_vec4_xyz(merged.tangents[t])), 1, 1e-6f);
    filo_mesh_free(&merged, NULL);
    assert_ok(filo_mesh_merge(&merged, NULL, NULL, 0, NULL));
    assert_int_equal(merged.vertex_count, 0);
    list[1] = NULL;
    expect_mistake("mesh 1 of those to merge is NULL or has no positions",
                   filo_mesh_merge(&merged, list, NULL, 3, NULL));
    filo_mesh_free(&box, NULL);
    filo_mesh_free(&ball, NULL);
}

FILO_TEST(without_memory_nothing_leaks) {
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    bool more = true;
    for (size_t fail_at = 0; more; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, fail_at);
        const FiloAllocator *allocator = &failing.allocator;
        FiloMeshData box = { 0 }, copy = { 0 }, merged = { 0 };
        FiloBvh *bvh = NULL;
        FiloResult r = filo_mesh_sphere(&box, NULL, allocator);
        if (r.code == FILO_OK) r = filo_mesh_copy(&copy, &box, allocator);
        if (r.code == FILO_OK)
            r = filo_mesh_merge(&merged, (const FiloMeshData *[]){ &box, &copy }, NULL, 2, allocator);
        uint64_t hash = r.code == FILO_OK ? hash_mesh(&merged) : 0;
        FiloMeshOptimise options = { .weld = true, .reorder = true, .levels = 4 };
        bool merged_before = r.code == FILO_OK;
        if (r.code == FILO_OK) r = filo_mesh_optimise(&merged, &options, allocator);
        if (r.code != FILO_OK && merged_before) assert_true(hash_mesh(&merged) == hash); // unchanged
        if (r.code == FILO_OK) r = filo_bvh_create(&bvh, &merged, allocator);
        more = failing.calls > fail_at;
        // The hierarchy returns memory at its end; that this fails is no error.
        if (r.code != FILO_OK) assert_int_equal(r.code, FILO_ERROR_MEMORY);
        assert_true((r.code == FILO_OK) == (bvh != NULL));
        if (!more) assert_non_null(bvh);
        filo_bvh_destroy(bvh);
        filo_mesh_free(&merged, allocator);
        filo_mesh_free(&copy, allocator);
        filo_mesh_free(&box, allocator);
        assert_int_equal(failing.blocks, 0);
    }
    filo_fault_set_handler(before);
}
