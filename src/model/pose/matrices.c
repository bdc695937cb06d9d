// From poses to matrices: four nodes at a time to local matrices, then one after the other through their parents.
//
// Every node has the same bits as filo_mat4_mul(parent, filo_mat4_from_parts(position, rotation, scale)).

#include "model/pose/pose.h"

#include <filo/check.h>

// ---- Local matrices -------------------------------------------------------------------------------------

// Writes four local matrices. The other arguments point to four positions, rotations and scales.
static inline void local_matrices(FiloMat34 *out, const FiloVec3 *positions, const FiloQuat *rotations,
                                  const FiloVec3 *scales) {
    ModelFloat4 q[4], p[3], s[3], one = model_all4(1.0f);
    for (int i = 0; i < 4; i++) q[i] = model_load4(&rotations[i]);
    model_transpose4(q);
    model_load_vec3x4(positions, p);
    model_load_vec3x4(scales, s);
    // Doubling is exact, so it may come first: (2 y) y + (2 z) z has the bits of 2 (y y + z z).
    ModelFloat4 x2 = q[0] + q[0], y2 = q[1] + q[1], z2 = q[2] + q[2];
    ModelFloat4 xx = x2 * q[0], yy = y2 * q[1], zz = z2 * q[2];
    ModelFloat4 xy = x2 * q[1], xz = x2 * q[2], yz = y2 * q[2];
    ModelFloat4 wx = x2 * q[3], wy = y2 * q[3], wz = z2 * q[3];
    ModelFloat4 rows[3][4] = {
        { (one - (yy + zz)) * s[0], (xy - wz) * s[1], (xz + wy) * s[2], p[0] },
        { (xy + wz) * s[0], (one - (xx + zz)) * s[1], (yz - wx) * s[2], p[1] },
        { (xz - wy) * s[0], (yz + wx) * s[1], (one - (xx + yy)) * s[2], p[2] },
    };
    for (size_t row = 0; row < 3; row++) {
        model_transpose4(rows[row]);
        for (size_t i = 0; i < 4; i++) model_store4(&out[i].m[4 * row], rows[row][i]);
    }
}

// The same for fewer than four nodes.
static inline void few_local_matrices(FiloMat34 *out, const FiloPose *pose, uint32_t first, uint32_t count) {
    FiloVec3 positions[4] = { { 0 } }, scales[4] = { { 0 } };
    FiloQuat rotations[4] = { { 0 } };
    FiloMat34 four[4];
    memcpy(positions, &pose->positions[first], count * sizeof positions[0]);
    memcpy(rotations, &pose->rotations[first], count * sizeof rotations[0]);
    memcpy(scales, &pose->scales[first], count * sizeof scales[0]);
    local_matrices(four, positions, rotations, scales);
    memcpy(out, four, count * sizeof four[0]);
}

static inline void all_local_matrices(FiloMat34 *out, const FiloPose *pose, uint32_t count) {
    if (count == 0) return; // the arrays are NULL
    if (count < 4) {
        few_local_matrices(out, pose, 0, count);
        return;
    }
    for (uint32_t i = 0; i < count; i += 4) {
        uint32_t first = FILO_MIN(i, count - 4); // the last four overlap those before
        local_matrices(&out[first], &pose->positions[first], &pose->rotations[first], &pose->scales[first]);
    }
}

// ---- Through the parents --------------------------------------------------------------------------------

static uint32_t shared_count(const FiloPose *pose, const FiloSkeleton *skeleton) {
    return FILO_MIN(pose->node_count, skeleton->node_count);
}

// First all local matrices, then the products: a product waits for that of the parent, and the shorter the loop is, the
// more of them a processor has under way. A parent that does not come first is none.
static inline __attribute__((always_inline)) void matrices_of(const FiloPose *pose, const uint32_t *parents,
                                                              uint32_t count, FiloMat34 *matrices,
                                                              ModelProduct product) {
    all_local_matrices(matrices, pose, count);
    for (size_t i = 0; i < count; i++)
        if (parents[i] < i) product(&matrices[i], &matrices[parents[i]], &matrices[i]);
}

static void matrices_plain(const FiloPose *pose, const uint32_t *parents, uint32_t count,
                           FiloMat34 *matrices) {
    matrices_of(pose, parents, count, matrices, model_product_plain);
}
#ifdef MODEL_WIDE
MODEL_WIDE static void matrices_wide(const FiloPose *pose, const uint32_t *parents, uint32_t count,
                                     FiloMat34 *matrices) {
    matrices_of(pose, parents, count, matrices, model_product_wide);
}
#endif

void filo_pose_matrices(const FiloPose *pose, const FiloSkeleton *skeleton, FiloMat34 *matrices) {
    if (!FILO_CHECK_MADE(pose != NULL && skeleton != NULL && matrices != NULL,
                         "pass a pose, its skeleton, and room for the matrices"))
        return;
    MODEL_CHOOSE(matrices)(pose, skeleton->parents, shared_count(pose, skeleton), matrices);
}

#define CHAIN 64 // ancestors that are collected at a time

FiloMat34 filo_pose_node_matrix(const FiloPose *pose, const FiloSkeleton *skeleton, uint32_t node) {
    FiloMat34 out = { { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 } };
    if (!FILO_CHECK_MADE(pose != NULL && skeleton != NULL, "pass a pose and its skeleton")) return out;
    if (!FILO_CHECK(node < shared_count(pose, skeleton), "there is no node %u: the skeleton has %u",
                    (unsigned)node, (unsigned)skeleton->node_count))
        return out;
    const uint32_t *parents = skeleton->parents;
    uint32_t depth = 1, chain[CHAIN];
    for (uint32_t n = node; parents[n] < n; n = parents[n]) depth++;
    // From the root down, so that the bits are those of filo_pose_matrices.
    for (uint32_t done = 0; done < depth;) {
        uint32_t n = node, batch = FILO_MIN(depth - done, (uint32_t)CHAIN);
        for (uint32_t skip = depth - done - batch; skip > 0; skip--) n = parents[n];
        for (uint32_t i = batch; i > 0; i--, n = parents[n]) chain[i - 1] = n;
        for (uint32_t i = 0; i < batch; i++, done++) {
            FiloMat34 local;
            few_local_matrices(&local, pose, chain[i], 1);
            if (done > 0) model_product_plain(&local, &out, &local);
            out = local;
        }
    }
    return out;
}

// ---- Skins ----------------------------------------------------------------------------------------------

static inline __attribute__((always_inline)) void skin_of(const FiloSkin *skin, const FiloMat34 *matrices,
                                                          FiloMat34 *joints, ModelProduct product) {
    const uint32_t *nodes = skin->joints;
    const FiloMat34 *bind = skin->inverse_bind;
    for (size_t i = 0, count = skin->joint_count; i < count; i++)
        product(&joints[i], &matrices[nodes[i]], &bind[i]);
}

static void skin_plain(const FiloSkin *skin, const FiloMat34 *matrices, FiloMat34 *joints) {
    skin_of(skin, matrices, joints, model_product_plain);
}
#ifdef MODEL_WIDE
MODEL_WIDE static void skin_wide(const FiloSkin *skin, const FiloMat34 *matrices, FiloMat34 *joints) {
    skin_of(skin, matrices, joints, model_product_wide);
}
#endif

void filo_skin_matrices(const FiloSkin *skin, const FiloMat34 *matrices, FiloMat34 *joints) {
    if (!FILO_CHECK_MADE(skin != NULL && matrices != NULL && joints != NULL,
                         "pass a skin, the matrices of filo_pose_matrices, and room for the joints"))
        return;
    MODEL_CHOOSE(skin)(skin, matrices, joints);
}
