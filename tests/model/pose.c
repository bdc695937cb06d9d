// Poses: sampling, blending, matrices of nodes and of skins. Compared with the plain functions of filo/matrix.h to the bit,
// and with a reference in double precision.

#include "support/failing_allocator.h"
#include "support/test.h"

#include <filo/hash.h>
#include <filo/pose.h>
#include <filo/random.h>

#include <math.h>
#include <stdlib.h>

#define NODES 30 // not a multiple of four
#define ROWS  7

typedef struct Rig {
    uint32_t parents[NODES], nodes[NODES];
    const char *names[NODES];
    char texts[NODES][24];
    FiloVec3 positions[NODES], scales[NODES];
    FiloQuat rotations[NODES];
    FiloVec3 row_positions[ROWS * NODES], row_scales[ROWS * NODES];
    FiloQuat row_rotations[ROWS * NODES];
    FiloMat34 inverse_bind[NODES];
    FiloSkeleton skeleton;
    FiloClip clip;
    FiloSkin skin;
    FiloPose pose;
} Rig;

static FiloVec3 random_vec3(FiloRandom *random, float low, float high) {
    float x = filo_random_float_range(random, low, high), y = filo_random_float_range(random, low, high);
    return filo_vec3(x, y, filo_random_float_range(random, low, high));
}

static FiloQuat random_quat(FiloRandom *random) {
    FiloVec3 v = random_vec3(random, -1, 1);
    return filo_quat_normalise(filo_quat(v.x, v.y, v.z, filo_random_float_range(random, 0.5f, 2)));
}

// A tree of `count` nodes with a clip of 2 seconds that moves `moved` of them.
static void init_rig(Rig *rig, uint32_t count, uint32_t moved, uint64_t seed) {
    FiloRandom random = filo_random_sequence(seed);
    for (uint32_t i = 0; i < count; i++) {
        rig->parents[i] = i % 9 == 0 ? UINT32_MAX : i - 1 - filo_random_below(&random, FILO_MIN(i, 4));
        snprintf(rig->texts[i], sizeof rig->texts[i], "joint %u", i);
        rig->names[i] = rig->texts[i];
        rig->positions[i] = random_vec3(&random, -2, 2);
        rig->rotations[i] = random_quat(&random);
        rig->scales[i] = random_vec3(&random, 0.5f, 1.5f);
        rig->nodes[i] = i < moved / 2 ? i : i + (count - moved); // a run, a gap, a run
        FiloVec3 position = random_vec3(&random, -1, 1);         // before the rotation, with every compiler
        rig->inverse_bind[i] =
            filo_mat34_from_mat4(filo_mat4_from_parts(position, random_quat(&random), filo_vec3(1, 1, 1)));
    }
    for (uint32_t i = 0; i < ROWS * moved; i++) {
        rig->row_positions[i] = random_vec3(&random, -2, 2);
        rig->row_rotations[i] = random_quat(&random);
        rig->row_scales[i] = random_vec3(&random, 0.5f, 1.5f);
        if (i >= moved && filo_quat_dot(rig->row_rotations[i], rig->row_rotations[i - moved]) < 0)
            rig->row_rotations[i] = rig->row_rotations[i - moved];
    }
    rig->skeleton =
        (FiloSkeleton){ count, rig->parents, rig->names, rig->positions, rig->rotations, rig->scales };
    rig->clip = (FiloClip){ .name = "clip",
                            .seconds = 2,
                            .rate = 3,
                            .row_count = ROWS,
                            .position_count = moved,
                            .rotation_count = moved,
                            .scale_count = moved,
                            .position_nodes = rig->nodes,
                            .rotation_nodes = rig->nodes,
                            .scale_nodes = rig->nodes,
                            .positions = rig->row_positions,
                            .rotations = rig->row_rotations,
                            .scales = rig->row_scales };
    rig->skin = (FiloSkin){ "skin", moved, rig->nodes, rig->inverse_bind, 0 };
    assert_ok(filo_pose_create(&rig->pose, &rig->skeleton, NULL));
}

static void free_rig(Rig *rig) { filo_pose_free(&rig->pose, NULL); }

static bool same_float(float a, float b) { return a == b; } // 0 and −0 are the same

static void assert_same_vec3(FiloVec3 a, FiloVec3 b) {
    assert_true(same_float(a.x, b.x) && same_float(a.y, b.y) && same_float(a.z, b.z));
}

static void assert_same_quat(FiloQuat a, FiloQuat b) {
    assert_true(same_float(a.x, b.x) && same_float(a.y, b.y) && same_float(a.z, b.z) && same_float(a.w, b.w));
}

// ---- Sampling -------------------------------------------------------------------------------------------

FILO_TEST(a_sample_is_the_plain_blend_of_two_rows_to_the_bit) {
    static Rig rig;
    static const float times[] = { 0.0f, 0.1f, 0.2f, 0.33333334f, 0.5f, 0.9f, 1.2345f, 1.99f };
    static const uint32_t moved_counts[] = { NODES, 29, 10, 7, 4, 3, 1 };
    for (size_t m = 0; m < FILO_COUNT_OF(moved_counts); m++) {
        uint32_t moved = moved_counts[m];
        init_rig(&rig, NODES, moved, m + 1);
        for (size_t k = 0; k < FILO_COUNT_OF(times); k++) {
            filo_pose_sample(&rig.pose, &rig.skeleton, &rig.clip, times[k]);
            double at = (double)times[k] * 3.0;
            uint32_t row = (uint32_t)at, next = row + 1;
            float t = (float)(at - row);
            for (uint32_t i = 0; i < moved; i++) {
                uint32_t node = rig.nodes[i], a = row * moved + i, b = next * moved + i;
                assert_same_vec3(rig.pose.positions[node],
                                 filo_vec3_lerp(rig.row_positions[a], rig.row_positions[b], t));
                assert_same_vec3(rig.pose.scales[node],
                                 filo_vec3_lerp(rig.row_scales[a], rig.row_scales[b], t));
                assert_same_quat(rig.pose.rotations[node],
                                 filo_quat_nlerp(rig.row_rotations[a], rig.row_rotations[b], t));
            }
        }
        free_rig(&rig);
    }
}

FILO_TEST(nodes_that_a_clip_does_not_move_rest) {
    static Rig rig;
    init_rig(&rig, NODES, 10, 5);
    for (uint32_t i = 0; i < NODES; i++) rig.pose.positions[i] = filo_vec3(9, 9, 9);
    filo_pose_sample(&rig.pose, &rig.skeleton, &rig.clip, 1);
    for (uint32_t i = 5; i < 25; i++) {
        assert_same_vec3(rig.pose.positions[i], rig.positions[i]);
        assert_same_quat(rig.pose.rotations[i], rig.rotations[i]);
        assert_same_vec3(rig.pose.scales[i], rig.scales[i]);
    }
    filo_pose_sample(&rig.pose, &rig.skeleton, NULL, 1);
    for (uint32_t i = 0; i < NODES; i++) assert_same_vec3(rig.pose.positions[i], rig.positions[i]);
    free_rig(&rig);
}

FILO_TEST(times_outside_of_a_clip_are_clamped) {
    static Rig rig;
    init_rig(&rig, NODES, NODES, 6);
    const FiloVec3 *first = rig.row_positions, *last = rig.row_positions + (ROWS - 1) * NODES;
    const struct {
        float seconds;
        const FiloVec3 *row;
    } cases[] = { { -1, first },  { __builtin_nanf(""), first }, { -__builtin_inff(), first }, { 2, last },
                  { 2.5f, last }, { __builtin_inff(), last } };
    for (size_t k = 0; k < FILO_COUNT_OF(cases); k++) {
        filo_pose_sample(&rig.pose, &rig.skeleton, &rig.clip, cases[k].seconds);
        for (uint32_t i = 0; i < NODES; i++) assert_same_vec3(rig.pose.positions[i], cases[k].row[i]);
    }
    rig.clip.row_count = 1;
    filo_pose_sample(&rig.pose, &rig.skeleton, &rig.clip, 1);
    for (uint32_t i = 0; i < NODES; i++) assert_same_vec3(rig.pose.positions[i], first[i]);
    free_rig(&rig);
}

FILO_TEST(a_clip_of_a_larger_skeleton_does_no_harm) {
    static Rig rig, larger;
    init_rig(&rig, 6, 6, 7);
    init_rig(&larger, NODES, NODES, 8);
    filo_pose_sample(&rig.pose, &rig.skeleton, &larger.clip,
                     0); // the address sanitizer would find a write beyond the end
    for (uint32_t i = 0; i < 6; i++) assert_same_vec3(rig.pose.positions[i], larger.row_positions[i]);
    free_rig(&rig);
    free_rig(&larger);
}

// ---- Blending -------------------------------------------------------------------------------------------

FILO_TEST(blending_mixes_node_by_node) {
    static Rig a, b;
    for (uint32_t count = 1; count <= NODES; count += 3) {
        init_rig(&a, count, count, 11);
        init_rig(&b, count, count, 12);
        for (uint32_t i = 0; i < count; i += 2) // on the other side: the same rotations
            b.pose.rotations[i] =
                filo_quat(-b.rotations[i].x, -b.rotations[i].y, -b.rotations[i].z, -b.rotations[i].w);
        filo_pose_blend(&a.pose, &b.pose, 0.3f);
        for (uint32_t i = 0; i < count; i++) {
            assert_same_vec3(a.pose.positions[i], filo_vec3_lerp(a.positions[i], b.positions[i], 0.3f));
            assert_same_vec3(a.pose.scales[i], filo_vec3_lerp(a.scales[i], b.scales[i], 0.3f));
            assert_same_quat(a.pose.rotations[i], filo_quat_nlerp(a.rotations[i], b.pose.rotations[i], 0.3f));
        }
        free_rig(&a);
        free_rig(&b);
    }
}

FILO_TEST(an_amount_outside_of_0_to_1_is_clamped) {
    static Rig a, b;
    init_rig(&a, 5, 5, 13);
    init_rig(&b, 5, 5, 14);
    filo_pose_blend(&a.pose, &b.pose, -3);
    assert_same_vec3(a.pose.positions[4], a.positions[4]);
    filo_pose_blend(&a.pose, &b.pose, __builtin_nanf(""));
    assert_same_vec3(a.pose.positions[4], a.positions[4]);
    filo_pose_blend(&a.pose, &b.pose, 7);
    assert_same_vec3(a.pose.positions[4], b.positions[4]);
    free_rig(&a);
    free_rig(&b);
}

FILO_TEST(rotations_without_a_direction_become_the_identity) {
    static Rig a, b;
    init_rig(&a, 8, 8, 15);
    init_rig(&b, 8, 8, 16);
    a.pose.rotations[1] = b.pose.rotations[1] = filo_quat(0, 0, 0, 0);
    a.pose.rotations[6] = filo_quat(__builtin_nanf(""), 0, 0, 1);
    filo_pose_blend(&a.pose, &b.pose, 0.5f);
    assert_same_quat(a.pose.rotations[1], filo_quat_identity());
    assert_same_quat(a.pose.rotations[6], filo_quat_identity());
    assert_same_quat(a.pose.rotations[2], filo_quat_nlerp(a.rotations[2], b.rotations[2], 0.5f));
    free_rig(&a);
    free_rig(&b);
}

// ---- Matrices -------------------------------------------------------------------------------------------

FILO_TEST(matrices_are_the_plain_products_to_the_bit) {
    static Rig rig;
    for (uint32_t count = 1; count <= NODES; count++) {
        FiloMat34 matrices[NODES], joints[NODES];
        FiloMat4 plain[NODES];
        init_rig(&rig, count, count, 20 + count);
        filo_pose_matrices(&rig.pose, &rig.skeleton, matrices);
        filo_skin_matrices(&rig.skin, matrices, joints);
        for (uint32_t i = 0; i < count; i++) {
            plain[i] = filo_mat4_from_parts(rig.positions[i], rig.rotations[i], rig.scales[i]);
            if (rig.parents[i] < i) plain[i] = filo_mat4_mul(plain[rig.parents[i]], plain[i]);
            FiloMat34 expected = filo_mat34_from_mat4(plain[i]);
            FiloMat34 skinned =
                filo_mat34_from_mat4(filo_mat4_mul(plain[i], filo_mat34_to_mat4(&rig.inverse_bind[i])));
            FiloMat34 alone = filo_pose_node_matrix(&rig.pose, &rig.skeleton, i);
            for (int k = 0; k < 12; k++) {
                assert_true(same_float(matrices[i].m[k], expected.m[k]));
                assert_true(same_float(joints[i].m[k], skinned.m[k]));
                assert_true(same_float(alone.m[k], expected.m[k]));
            }
        }
        free_rig(&rig);
    }
}

// A transform in double precision: a point by scale, rotation and position of each node up to the root.
static void transform_double(const Rig *rig, uint32_t node, double p[3]) {
    for (;;) {
        FiloVec3 s = rig->pose.scales[node], t = rig->pose.positions[node];
        FiloQuat q = rig->pose.rotations[node];
        double x = q.x, y = q.y, z = q.z, w = q.w, v[3] = { p[0] * s.x, p[1] * s.y, p[2] * s.z };
        double n = x * x + y * y + z * z + w * w;
        double c[3] = { 2 * (y * v[2] - z * v[1]) / n, 2 * (z * v[0] - x * v[2]) / n,
                        2 * (x * v[1] - y * v[0]) / n };
        p[0] = v[0] + w * c[0] + (y * c[2] - z * c[1]) + t.x;
        p[1] = v[1] + w * c[1] + (z * c[0] - x * c[2]) + t.y;
        p[2] = v[2] + w * c[2] + (x * c[1] - y * c[0]) + t.z;
        if (rig->parents[node] >= node) return;
        node = rig->parents[node];
    }
}

FILO_TEST(matrices_are_near_to_a_reference_in_double_precision) {
    static Rig rig;
    FiloMat34 matrices[NODES];
    init_rig(&rig, NODES, NODES, 60);
    for (float seconds = 0; seconds < 2; seconds += 0.17f) {
        filo_pose_sample(&rig.pose, &rig.skeleton, &rig.clip, seconds);
        filo_pose_matrices(&rig.pose, &rig.skeleton, matrices);
        for (uint32_t i = 0; i < NODES; i++) {
            const float *m = matrices[i].m;
            double p[3] = { 0.3, -0.7, 1.1 };
            double size = 1;
            for (int row = 0; row < 3; row++) size += fabs((double)m[4 * row + 3]);
            transform_double(&rig, i, p);
            for (int row = 0; row < 3; row++) {
                double value = (double)m[4 * row] * 0.3 + (double)m[4 * row + 1] * -0.7 +
                               (double)m[4 * row + 2] * 1.1 + (double)m[4 * row + 3];
                assert_true(fabs(value - p[row]) < 2e-6 * size * 4);
            }
        }
    }
    free_rig(&rig);
}

FILO_TEST(a_node_deeper_than_the_chain_buffer_has_the_same_matrix) {
    enum { DEEP = 300 };
    static uint32_t parents[DEEP];
    static FiloVec3 positions[DEEP], scales[DEEP];
    static FiloQuat rotations[DEEP];
    static FiloMat34 matrices[DEEP];
    FiloRandom random = filo_random_sequence(3);
    for (uint32_t i = 0; i < DEEP; i++) {
        parents[i] = i == 0 ? UINT32_MAX : i - 1;
        positions[i] = random_vec3(&random, -1, 1);
        rotations[i] = random_quat(&random);
        scales[i] = filo_vec3(1, 1, 1);
    }
    FiloSkeleton skeleton = { DEEP, parents, NULL, positions, rotations, scales };
    FiloPose pose;
    assert_ok(filo_pose_create(&pose, &skeleton, NULL));
    filo_pose_matrices(&pose, &skeleton, matrices);
    for (uint32_t i = 0; i < DEEP; i += 13) {
        FiloMat34 alone = filo_pose_node_matrix(&pose, &skeleton, i);
        for (int k = 0; k < 12; k++) assert_true(same_float(alone.m[k], matrices[i].m[k]));
    }
    filo_pose_free(&pose, NULL);
}

FILO_TEST(the_bits_are_the_same_on_every_machine) {
    static Rig rig;
    FiloMat34 matrices[NODES], joints[NODES];
    FiloHasher hasher;
    filo_hasher_init(&hasher, 0);
    init_rig(&rig, NODES, NODES, 99);
    FiloPose other;
    assert_ok(filo_pose_create(&other, &rig.skeleton, NULL));
    for (float seconds = 0; seconds <= 2; seconds += 0.125f) {
        filo_pose_sample(&rig.pose, &rig.skeleton, &rig.clip, seconds);
        filo_pose_blend(&rig.pose, &other, seconds * 0.4f);
        filo_pose_matrices(&rig.pose, &rig.skeleton, matrices);
        filo_skin_matrices(&rig.skin, matrices, joints);
        filo_hasher_add(&hasher, joints, sizeof joints);
    }
    assert_int_equal(filo_hasher_finish(&hasher), UINT64_C(0xeb5982e6d315df93));
    filo_pose_free(&other, NULL);
    free_rig(&rig);
}

// ---- Names, mistakes, memory ----------------------------------------------------------------------------

FILO_TEST(nodes_are_found_by_name) {
    static Rig rig;
    init_rig(&rig, NODES, NODES, 1);
    assert_int_equal(filo_skeleton_find(&rig.skeleton, "joint 17"), 17);
    assert_true(filo_skeleton_find(&rig.skeleton, "joint") == UINT32_MAX);
    rig.skeleton.names = NULL;
    assert_true(filo_skeleton_find(&rig.skeleton, "joint 17") == UINT32_MAX);
    free_rig(&rig);
}

FILO_TEST(conversions_of_matrices_keep_all_numbers) {
    FiloMat4 m = { { 1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0, 10, 11, 12, 1 } };
    FiloMat34 rows = filo_mat34_from_mat4(m);
    const FiloMat34 expected = { { 1, 4, 7, 10, 2, 5, 8, 11, 3, 6, 9, 12 } };
    assert_memory_equal(&rows, &expected, sizeof rows);
    FiloMat4 back = filo_mat34_to_mat4(&rows);
    assert_memory_equal(&back, &m, sizeof m);
}

FILO_TEST(an_empty_skeleton_has_an_empty_pose) {
    FiloPose pose;
    FiloSkeleton skeleton = { 0 };
    FiloMat34 matrix = { { 7 } };
    assert_ok(filo_pose_create(&pose, &skeleton, NULL));
    filo_pose_sample(&pose, &skeleton, NULL, 0);
    filo_pose_blend(&pose, &pose, 0.5f);
    filo_pose_matrices(&pose, &skeleton, &matrix);
    assert_float_equal(matrix.m[0], 7, 0);
    filo_pose_free(&pose, NULL);
}

FILO_TEST(mistakes_are_reported_and_harmless) {
    static Rig rig, other;
    FiloPose pose;
    FiloMat34 matrices[NODES];
    init_rig(&rig, NODES, NODES, 1);
    init_rig(&other, 5, 5, 1);
    expect_mistake("pass room for a pose", filo_pose_create(NULL, &rig.skeleton, NULL));
    expect_mistake("pass the skeleton of the pose", filo_pose_create(&pose, NULL, NULL));
    assert_null(pose.memory);
    expect_fault("pass a pose and its skeleton", filo_pose_sample(NULL, &rig.skeleton, &rig.clip, 0));
    expect_fault("pass a pose and its skeleton", filo_pose_rest(&rig.pose, NULL));
    expect_fault("blend poses of the same skeleton: one has 30 nodes, the other 5",
                 filo_pose_blend(&rig.pose, &other.pose, 1));
    expect_fault("pass two poses of one skeleton", filo_pose_blend(&rig.pose, NULL, 1));
    expect_fault("pass a pose, its skeleton, and room for the matrices",
                 filo_pose_matrices(&rig.pose, &rig.skeleton, NULL));
    expect_fault("there is no node 30: the skeleton has 30",
                 filo_pose_node_matrix(&rig.pose, &rig.skeleton, 30));
    expect_fault("pass a skin, the matrices", filo_skin_matrices(NULL, matrices, matrices));
    expect_fault("pass a name", filo_skeleton_find(&rig.skeleton, NULL));
    free_rig(&rig);
    free_rig(&other);
    filo_pose_free(&rig.pose, NULL); // a second time
}

FILO_TEST(without_memory_there_is_no_pose) {
    static Rig rig;
    init_rig(&rig, NODES, NODES, 1);
    FailingAllocator failing = FAILING_AT(failing, 0);
    FiloPose pose;
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    assert_error(filo_pose_create(&pose, &rig.skeleton, &failing.allocator), FILO_ERROR_MEMORY,
                 "no memory for a pose of 30 nodes");
    filo_fault_set_handler(before);
    assert_null(pose.positions);
    assert_int_equal(pose.node_count, 0);
    assert_int_equal(failing.blocks, 0);
    free_rig(&rig);
}
