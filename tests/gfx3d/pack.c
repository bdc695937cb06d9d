// From the arrays of a mesh to the vertices of the GPU.

#include "gfx3d/core_fixture.h"

FILO_TEST(an_instance_is_a_cache_line_and_a_vertex_has_no_gaps) {
    assert_int_equal(sizeof(Gfx3dInstance), 64);
    assert_int_equal(sizeof(Gfx3dVertex), 40);
    assert_int_equal(sizeof(Gfx3dVertexSkin), 12);
}

FILO_TEST(normals_and_tangents_are_rounded_to_the_nearest_of_16_bits) {
    uint64_t random = 5;
    for (int n = 0; n < 10000; n++) {
        FiloVec3 position = { 1, 2, 3 };
        FiloVec3 normal = random_vec3(&random, -1, 1);
        FiloVec4 tangent = { normal.y, normal.z, normal.x, n % 2 == 0 ? 1.0f : -1.0f };
        FiloMeshData data = {
            .vertex_count = 1, .positions = &position, .normals = &normal, .tangents = &tangent
        };
        Gfx3dVertex out;
        gfx3d_pack_vertices(&out, &data, 0, 1);
        const float *values = &normal.x;
        for (int i = 0; i < 3; i++)
            assert_true(fabsf((float)out.normal[i] / 32767.0f - values[i]) <= 0.5001f / 32767.0f);
        assert_int_equal(out.tangent[0], out.normal[1]);
        assert_int_equal(out.tangent[3], n % 2 == 0 ? 32767 : -32767);
        assert_memory_equal(&out.position, &position, sizeof position);
    }
}

FILO_TEST(what_is_out_of_range_or_missing_is_packed_as_the_nearest_or_as_the_default) {
    FiloVec3 position = { 0 }, normal = { 5, -5, 1 };
    FiloMeshData data = { .vertex_count = 1, .positions = &position, .normals = &normal };
    Gfx3dVertex out;
    gfx3d_pack_vertices(&out, &data, 0, 1);
    assert_int_equal(out.normal[0], 32767);
    assert_int_equal(out.normal[1], -32767);
    assert_int_equal(out.normal[2], 32767);
    assert_int_equal(out.tangent[0], 32767);
    assert_true(filo_color_equal(out.color, FILO_COLOR_WHITE));
    assert_true(out.uv.x == 0 && out.uv.y == 0);
    data.normals = NULL;
    gfx3d_pack_vertices(&out, &data, 0, 1);
    assert_int_equal(out.normal[0], 0);
    assert_int_equal(out.normal[1], 32767);
}

FILO_TEST(weights_are_bytes_whose_sum_is_255) {
    uint64_t random = 9;
    for (int n = 0; n < 20000; n++) {
        FiloVertexJoints joints = { { 1, 2, 3, 65535 } };
        FiloVec4 weights;
        weights.x = random_float(&random, 0, 1);
        weights.y = random_float(&random, 0, 1);
        weights.z = random_float(&random, 0, 1);
        weights.w = random_float(&random, 0, 1);
        if (n % 3 == 0) weights.x = weights.y = 0;
        float sum = weights.x + weights.y + weights.z + weights.w;
        FiloMeshData data = { .vertex_count = 1, .joints = &joints, .weights = &weights };
        Gfx3dVertexSkin out;
        gfx3d_pack_skins(&out, &data, 0, 1);
        int total = 0;
        const float *values = &weights.x;
        for (int i = 0; i < 4; i++) {
            total += out.weights[i];
            if (sum > 0.01f)
                assert_true(fabsf((float)out.weights[i] / 255.0f - values[i] / sum) <= 2.51f / 255.0f);
        }
        assert_int_equal(total, 255);
        assert_int_equal(out.joints[3], 65535);
    }
}

FILO_TEST(weights_without_a_sum_belong_to_the_first_joint) {
    const FiloVec4 cases[] = { { 0, 0, 0, 0 }, { -1, -2, 0, -3 } };
    for (size_t n = 0; n < FILO_COUNT_OF(cases); n++) {
        FiloVertexJoints joints = { { 4, 5, 6, 7 } };
        FiloVec4 weights = cases[n];
        FiloMeshData data = { .vertex_count = 1, .joints = &joints, .weights = &weights };
        Gfx3dVertexSkin out;
        gfx3d_pack_skins(&out, &data, 0, 1);
        assert_int_equal(out.weights[0], 255);
        assert_int_equal(out.weights[1] + out.weights[2] + out.weights[3], 0);
    }
    FiloMeshData none = { .vertex_count = 1 };
    Gfx3dVertexSkin out;
    gfx3d_pack_skins(&out, &none, 0, 1);
    assert_int_equal(out.weights[0], 255);
    assert_int_equal(out.joints[0], 0);
}
