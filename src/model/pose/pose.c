// Poses: memory, rest, blending; and finding a node by its name.

#include "model/pose/pose.h"

#include <filo/check.h>

uint32_t filo_skeleton_find(const FiloSkeleton *skeleton, const char *name) {
    if (!FILO_CHECK_MADE(skeleton != NULL, "pass a skeleton") || !FILO_CHECK(name != NULL, "pass a name"))
        return UINT32_MAX;
    if (skeleton->names == NULL) return UINT32_MAX;
    for (uint32_t i = 0; i < skeleton->node_count; i++)
        if (skeleton->names[i] != NULL && strcmp(skeleton->names[i], name) == 0) return i;
    return UINT32_MAX;
}

// ---- Memory ---------------------------------------------------------------------------------------------

FiloResult filo_pose_create(FiloPose *pose, const FiloSkeleton *skeleton, const FiloAllocator *allocator) {
    if (pose == NULL) return FILO_MISTAKE("pass room for a pose");
    *pose = (FiloPose){ 0 };
    if (skeleton == NULL) return FILO_MISTAKE("pass the skeleton of the pose");
    if (skeleton->node_count == 0) return filo_ok();
    size_t count = skeleton->node_count;
    size_t size = count * (2 * sizeof(FiloVec3) + sizeof(FiloQuat));
    void *memory = filo_alloc(allocator, size, 16);
    if (memory == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for a pose of %zu nodes", count);
    *pose = (FiloPose){ .node_count = skeleton->node_count, .memory = memory, .memory_size = size };
    pose->rotations = memory; // first, because they are aligned
    pose->positions = (FiloVec3 *)(void *)(pose->rotations + count);
    pose->scales = pose->positions + count;
    filo_pose_rest(pose, skeleton);
    return filo_ok();
}

void filo_pose_free(FiloPose *pose, const FiloAllocator *allocator) {
    if (!FILO_CHECK(pose != NULL, "pass a pose")) return;
    filo_free(allocator, pose->memory, pose->memory_size, 16);
    *pose = (FiloPose){ 0 };
}

void filo_pose_rest(FiloPose *pose, const FiloSkeleton *skeleton) {
    if (!FILO_CHECK_MADE(pose != NULL && skeleton != NULL, "pass a pose and its skeleton")) return;
    size_t count = FILO_MIN(pose->node_count, skeleton->node_count);
    if (count == 0) return;
    memcpy(pose->positions, skeleton->positions, count * sizeof *pose->positions);
    memcpy(pose->rotations, skeleton->rotations, count * sizeof *pose->rotations);
    memcpy(pose->scales, skeleton->scales, count * sizeof *pose->scales);
}

// ---- Blending -------------------------------------------------------------------------------------------

// The bits of filo_lerp.
static void blend_floats(float *a, const float *b, size_t count, float t) {
    for (size_t i = 0; i < count; i++) a[i] = filo_lerp(a[i], b[i], t);
}

void filo_pose_blend(FiloPose *pose, const FiloPose *other, float amount) {
    if (!FILO_CHECK_MADE(pose != NULL && other != NULL, "pass two poses of one skeleton")) return;
    if (!FILO_CHECK(pose->node_count == other->node_count,
                    "blend poses of the same skeleton: one has %u nodes, the other %u",
                    (unsigned)pose->node_count, (unsigned)other->node_count))
        return;
    size_t count = pose->node_count, i = 0;
    if (count == 0) return;
    float t = amount > 0.0f ? filo_min(amount, 1.0f) : 0.0f;
    blend_floats(&pose->positions[0].x, &other->positions[0].x, 3 * count, t);
    blend_floats(&pose->scales[0].x, &other->scales[0].x, 3 * count, t);
    for (; i + 4 <= count; i += 4) {
        ModelFloat4 a[4], b[4];
        for (size_t k = 0; k < 4; k++)
            a[k] = model_load4(&pose->rotations[i + k]), b[k] = model_load4(&other->rotations[i + k]);
        model_nlerp4(a, b, t);
        for (size_t k = 0; k < 4; k++) model_store4(&pose->rotations[i + k], a[k]);
    }
    for (; i < count; i++) pose->rotations[i] = filo_quat_nlerp(pose->rotations[i], other->rotations[i], t);
}
