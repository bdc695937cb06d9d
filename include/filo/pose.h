// filo/pose.h: skeletons, animation clips, and the poses that they give.
//
//     FiloPose pose;
//     FiloResult r = filo_pose_create(&pose, &model->skeleton, NULL);
//     filo_pose_sample(&pose, &model->skeleton, &model->clips[walk], seconds);
//     filo_pose_blend(&pose, &other, 0.3f);                     // 30 % of another pose
//     filo_pose_matrices(&pose, &model->skeleton, matrices);    // of all nodes, in the model
//     filo_skin_matrices(&model->skins[0], matrices, joints);   // for the vertex shader
//
// Part of the module `model`. Results are the same to the bit on every machine, so a simulation may use them: where is
// the hand? Any thread.

#ifndef FILO_POSE_H
#define FILO_POSE_H

#include <filo/matrix.h>
#include <filo/memory.h>
#include <filo/types.h>

FILO_BEGIN_DECLS

// Three rows of a 4 × 4 matrix whose last row is 0 0 0 1: what a GPU needs of it.
typedef struct FiloMat34 {
    float m[12]; // row by row: m[4 × row + column]
} FiloMat34;

// A tree of nodes (joints), parents first, and the pose in which they rest.
typedef struct FiloSkeleton {
    uint32_t node_count;
    const uint32_t *parents; // UINT32_MAX: a root
    const char *const *names;
    const FiloVec3 *positions; // rest pose, relative to the parent
    const FiloQuat *rotations;
    const FiloVec3 *scales;
} FiloSkeleton;
// UINT32_MAX: there is none.
uint32_t filo_skeleton_find(const FiloSkeleton *skeleton, const char *name);

typedef struct FiloSkin {
    const char *name;
    uint32_t joint_count;
    const uint32_t *joints; // nodes of the skeleton
    const FiloMat34 *inverse_bind;
    uint32_t root; // node; UINT32_MAX: not named
} FiloSkin;

// An animation. Its keys were sampled at a constant rate when it was read, so that a pose at any time is two rows and a
// blend between them. (Step and cubic interpolation of the file are kept to within a sample.)
typedef struct FiloClip {
    const char *name;
    float seconds;
    float rate;         // samples a second
    uint32_t row_count; // samples; the last one is at `seconds`
    // Nodes that it moves, each once; others rest.
    uint32_t position_count, rotation_count, scale_count;
    const uint32_t *position_nodes, *rotation_nodes, *scale_nodes;
    // A rotation and the one of the row before have a dot product of at least 0: no sign has to be chosen.
    const FiloVec3 *positions; // [row × position_count + i]
    const FiloQuat *rotations; // [row × rotation_count + i]
    const FiloVec3 *scales;    // [row × scale_count + i]
    // Events of the file, in the order of time: "extras": { "events": [ { "time": 0.4, "name": "step" } ] }.
    uint32_t event_count;
    const float *event_times; // seconds, 0 to `seconds`
    const char *const *event_names;
} FiloClip;

// The position, rotation and scale of every node, relative to its parent.
typedef struct FiloPose {
    uint32_t node_count;
    FiloVec3 *positions;
    FiloQuat *rotations;
    FiloVec3 *scales;
    void *memory; // private
    size_t memory_size;
} FiloPose;
// Allocates a pose, at rest. Fails without memory.
FiloResult filo_pose_create(FiloPose *pose, const FiloSkeleton *skeleton, const FiloAllocator *allocator);
void filo_pose_free(FiloPose *pose, const FiloAllocator *allocator);
void filo_pose_rest(FiloPose *pose, const FiloSkeleton *skeleton);
// The pose of a clip at a time, clamped to its length (for repeating, pass the rest of a division). Nodes that the clip
// does not move rest. `clip` NULL: all rest.
void filo_pose_sample(FiloPose *pose, const FiloSkeleton *skeleton, const FiloClip *clip, float seconds);
// Mixes: `amount` of 0 leaves the pose as it is, 1 makes it `other`.
void filo_pose_blend(FiloPose *pose, const FiloPose *other, float amount);
// The matrices of all nodes in the model: node_count of them.
void filo_pose_matrices(const FiloPose *pose, const FiloSkeleton *skeleton, FiloMat34 *matrices);
// The matrix of one node, with the same bits: for something that is attached to a joint. Costs as much as the node has
// ancestors. The identity if there is no such node, which is a mistake.
FiloMat34 filo_pose_node_matrix(const FiloPose *pose, const FiloSkeleton *skeleton, uint32_t node);
// The matrices of the skin's joints, for its vertices: joint_count of them.
void filo_skin_matrices(const FiloSkin *skin, const FiloMat34 *matrices, FiloMat34 *joints);

FiloMat34 filo_mat34_from_mat4(FiloMat4 matrix);
FiloMat4 filo_mat34_to_mat4(const FiloMat34 *matrix);

FILO_END_DECLS

#endif
