// The pose of a clip at a time: two rows of samples and a blend between them.
//
// Positions and scales are blended as filo_lerp does, rotations as filo_quat_nlerp, four nodes at a time.

#include "model/pose/pose.h"

#include <filo/check.h>

// Between which rows a time lies. `t` is the part of the second one.
typedef struct Moment {
    uint32_t row, next;
    float t;
} Moment;

static Moment moment_at(const FiloClip *clip, float seconds) {
    uint32_t last = clip->row_count - 1;
    if (!(seconds > 0.0f) || last == 0) return (Moment){ 0, 0, 0.0f };
    if (seconds >= clip->seconds) return (Moment){ last, last, 0.0f };
    double rows = (double)seconds * (double)clip->rate;
    if (!(rows < (double)last)) return (Moment){ last, last, 0.0f };
    uint32_t row = (uint32_t)rows;
    return (Moment){ row, row + 1, (float)(rows - (double)row) };
}

// Whether four nodes follow each other.
static inline bool in_a_row(const uint32_t *nodes) {
    return nodes[1] == nodes[0] + 1 && nodes[2] == nodes[0] + 2 && nodes[3] == nodes[0] + 3;
}

// Where a node of the clip is written to; nodes that the pose does not have are skipped.
typedef struct Target {
    const uint32_t *nodes;
    uint32_t count, node_count;
} Target;

// What the clip moves at all nodes is not copied first.
static void rest_others(FiloPose *pose, const FiloSkeleton *skeleton, const FiloClip *clip) {
    size_t count = FILO_MIN(pose->node_count, skeleton->node_count);
    if (clip->position_count < count)
        memcpy(pose->positions, skeleton->positions, count * sizeof *pose->positions);
    if (clip->rotation_count < count)
        memcpy(pose->rotations, skeleton->rotations, count * sizeof *pose->rotations);
    if (clip->scale_count < count) memcpy(pose->scales, skeleton->scales, count * sizeof *pose->scales);
}

// base + (b − a) × s gives the bits of filo_lerp: from `a` with t in the first half, from `b` with t − 1 in the second.
static inline void sample_vec3(FiloVec3 *out, Target target, const FiloVec3 *a, const FiloVec3 *b, float t) {
    const FiloVec3 *base = t < 0.5f ? a : b;
    float s = t < 0.5f ? t : t - 1.0f;
    ModelFloat4 s4 = model_all4(s);
    uint32_t i = 0;
    while (i < target.count) {
        uint32_t node = target.nodes[i];
        if (target.count - i >= 4 && in_a_row(&target.nodes[i]) && node + 3 < target.node_count) {
            const float *from = &a[i].x, *to = &b[i].x, *start = &base[i].x;
            float *result = &out[node].x;
            for (int k = 0; k < 12; k += 4)
                model_store4(result + k,
                             model_load4(start + k) + (model_load4(to + k) - model_load4(from + k)) * s4);
            i += 4;
            continue;
        }
        if (node < target.node_count)
            out[node] = filo_vec3(base[i].x + (b[i].x - a[i].x) * s, base[i].y + (b[i].y - a[i].y) * s,
                                  base[i].z + (b[i].z - a[i].z) * s);
        i++;
    }
}

// As filo_quat_nlerp of quaternions on the same side.
static inline void sample_rotations4(FiloQuat *out, Target target, const FiloQuat *a, const FiloQuat *b,
                                     float t, uint32_t i) {
    ModelFloat4 q[4], s4 = model_all4(1.0f - t), t4 = model_all4(t);
    for (uint32_t k = 0; k < 4; k++) q[k] = model_load4(&a[i + k]) * s4 + model_load4(&b[i + k]) * t4;
    model_normalise4(q);
    const uint32_t *nodes = &target.nodes[i];
    if (in_a_row(nodes) && nodes[0] + 3 < target.node_count) {
        for (uint32_t k = 0; k < 4; k++) model_store4(&out[nodes[0] + k], q[k]);
        return;
    }
    for (uint32_t k = 0; k < 4; k++)
        if (nodes[k] < target.node_count) model_store4(&out[nodes[k]], q[k]);
}

static inline void sample_rotations(FiloQuat *out, Target target, const FiloQuat *a, const FiloQuat *b,
                                    float t) {
    uint32_t i = 0;
    for (; i + 4 <= target.count; i += 4) sample_rotations4(out, target, a, b, t, i);
    if (i == target.count) return;
    if (target.count >= 4) { // the last four, of which some are done
        sample_rotations4(out, target, a, b, t, target.count - 4);
        return;
    }
    for (; i < target.count; i++)
        if (target.nodes[i] < target.node_count) out[target.nodes[i]] = filo_quat_nlerp(a[i], b[i], t);
}

static inline __attribute__((always_inline)) void sample_of(FiloPose *pose, const FiloClip *clip, Moment m) {
    Target positions = { clip->position_nodes, clip->position_count, pose->node_count };
    Target rotations = { clip->rotation_nodes, clip->rotation_count, pose->node_count };
    Target scales = { clip->scale_nodes, clip->scale_count, pose->node_count };
    if (positions.count > 0)
        sample_vec3(pose->positions, positions, clip->positions + (size_t)m.row * positions.count,
                    clip->positions + (size_t)m.next * positions.count, m.t);
    if (rotations.count > 0)
        sample_rotations(pose->rotations, rotations, clip->rotations + (size_t)m.row * rotations.count,
                         clip->rotations + (size_t)m.next * rotations.count, m.t);
    if (scales.count > 0)
        sample_vec3(pose->scales, scales, clip->scales + (size_t)m.row * scales.count,
                    clip->scales + (size_t)m.next * scales.count, m.t);
}

static void sample_plain(FiloPose *pose, const FiloClip *clip, Moment m) { sample_of(pose, clip, m); }
#ifdef MODEL_WIDE
MODEL_WIDE static void sample_wide(FiloPose *pose, const FiloClip *clip, Moment m) {
    sample_of(pose, clip, m);
}
#endif

void filo_pose_sample(FiloPose *pose, const FiloSkeleton *skeleton, const FiloClip *clip, float seconds) {
    if (!FILO_CHECK_MADE(pose != NULL && skeleton != NULL, "pass a pose and its skeleton")) return;
    if (clip == NULL || clip->row_count == 0) {
        filo_pose_rest(pose, skeleton);
        return;
    }
    rest_others(pose, skeleton, clip);
    MODEL_CHOOSE(sample)(pose, clip, moment_at(clip, seconds));
}
