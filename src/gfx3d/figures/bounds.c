// Bounds of skinned meshes in all poses of a clip.
//
// A skinned vertex is a weighted mean of the positions that its joints give it. Each of them is within a fixed distance of
// its joint: the length of inverse_bind × vertex, times the scale of the joint. So a box around the joints' positions,
// each enlarged by the largest of these distances, contains the mesh in any pose. It is made for samples of each clip,
// with a margin for what lies between samples and for blends of two clips.

#include "gfx3d/figures/figures.h"

#define SAMPLES 128   // of a clip, at most
#define MARGIN  1.15f // of the radius

static const Gfx3dSphere infinite = { { 0, 0, 0 }, 1e30f };

static FiloVec3 transform(const FiloMat34 *matrix, FiloVec3 p) {
    const float *m = matrix->m;
    return filo_vec3(m[0] * p.x + m[1] * p.y + m[2] * p.z + m[3], m[4] * p.x + m[5] * p.y + m[6] * p.z + m[7],
                     m[8] * p.x + m[9] * p.y + m[10] * p.z + m[11]);
}

// Makes the distances of the skin's joints at least those that one of its meshes has.
static void measure_mesh(float *reach, const FiloSkin *skin, const FiloMeshData *mesh) {
    if (mesh->joints == NULL || mesh->weights == NULL) return;
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        const float weights[4] = { mesh->weights[i].x, mesh->weights[i].y, mesh->weights[i].z,
                                   mesh->weights[i].w };
        for (int k = 0; k < 4; k++) {
            uint32_t joint = mesh->joints[i].index[k];
            if (!(weights[k] > 0) || joint >= skin->joint_count) continue;
            FiloVec3 p = transform(&skin->inverse_bind[joint], mesh->positions[i]);
            reach[joint] = filo_max(reach[joint], filo_vec3_length(p));
        }
    }
}

static void measure_meshes(const Gfx3dRig *rig, float *reach) {
    const FiloModel *model = rig->model;
    for (uint32_t i = 0; i < model->node_count; i++) {
        const FiloModelNode *node = &model->nodes[i];
        if (node->mesh < model->mesh_count && node->skin < model->skin_count)
            measure_mesh(reach + rig->skin_offsets[node->skin], &model->skins[node->skin],
                         &model->meshes[node->mesh].data);
    }
}

// The largest factor by which a matrix lengthens an axis.
static float scale_of(const FiloMat34 *matrix) {
    const float *m = matrix->m;
    float largest = 0;
    for (int i = 0; i < 3; i++)
        largest = filo_max(largest, m[i] * m[i] + m[4 + i] * m[4 + i] + m[8 + i] * m[8 + i]);
    return filo_sqrt(largest);
}

typedef struct Box {
    FiloVec3 min, max;
    bool any;
} Box;

static void add_pose(Box *box, const Gfx3dRig *rig, const float *reach, const FiloMat34 *matrices) {
    for (uint32_t s = 0; s < rig->skin_count; s++) {
        const FiloSkin *skin = &rig->model->skins[s];
        for (uint32_t j = 0; j < skin->joint_count; j++) {
            float radius = reach[rig->skin_offsets[s] + j];
            if (radius < 0) continue; // no vertex
            const FiloMat34 *matrix = &matrices[skin->joints[j]];
            radius *= scale_of(matrix);
            FiloVec3 at = filo_vec3(matrix->m[3], matrix->m[7], matrix->m[11]);
            FiloVec3 around = filo_vec3(radius, radius, radius);
            FiloVec3 low = filo_vec3_sub(at, around), high = filo_vec3_add(at, around);
            box->min = box->any ? filo_vec3_min(box->min, low) : low;
            box->max = box->any ? filo_vec3_max(box->max, high) : high;
            box->any = true;
        }
    }
}

static Gfx3dSphere sphere_of(const Box *box) {
    if (!box->any) return (Gfx3dSphere){ 0 };
    FiloVec3 centre = filo_vec3_scale(filo_vec3_add(box->min, box->max), 0.5f);
    float radius = filo_vec3_length(filo_vec3_sub(box->max, centre)) * MARGIN;
    return radius < 1e30f ? (Gfx3dSphere){ centre, radius } : infinite; // a NaN too
}

static void measure_clip(Gfx3dRig *rig, Gfx3dRigClip *clip, const float *reach, FiloPose *pose,
                         FiloMat34 *matrices) {
    const FiloSkeleton *skeleton = &rig->model->skeleton;
    uint32_t samples = FILO_MIN(FILO_MAX(clip->clip->row_count, 1u), (uint32_t)SAMPLES);
    Box box = { 0 };
    for (uint32_t i = 0; i < samples; i++) {
        float part = samples > 1 ? (float)i / (float)(samples - 1) : 0;
        filo_pose_sample(pose, skeleton, clip->clip, clip->clip->seconds * part);
        filo_pose_matrices(pose, skeleton, matrices);
        add_pose(&box, rig, reach, matrices);
    }
    clip->bounds = sphere_of(&box);
}

static float reach_of(Gfx3dSphere sphere) {
    return sphere.radius > 0 ? filo_vec3_length(sphere.centre) + sphere.radius : 0;
}

static void measure(Gfx3dRig *rig, float *reach, FiloPose *pose, FiloMat34 *matrices) {
    for (uint32_t i = 0; i < rig->joint_count; i++) reach[i] = -1;
    measure_meshes(rig, reach);
    Box box = { 0 };
    filo_pose_rest(pose, &rig->model->skeleton);
    filo_pose_matrices(pose, &rig->model->skeleton, matrices);
    add_pose(&box, rig, reach, matrices);
    rig->rest_bounds = sphere_of(&box);
    rig->reach = reach_of(rig->rest_bounds);
    for (uint32_t i = 0; i < rig->clip_count; i++) {
        measure_clip(rig, &rig->clips[i], reach, pose, matrices);
        rig->reach = filo_max(rig->reach, reach_of(rig->clips[i].bounds));
    }
}

void gfx3d_rig_measure(Gfx3dRig *rig, const FiloAllocator *allocator) {
    rig->rest_bounds = infinite;
    rig->reach = infinite.radius;
    for (uint32_t i = 0; i < rig->clip_count; i++) rig->clips[i].bounds = infinite;
    if (rig->joint_count == 0) return;
    size_t nodes = rig->model->skeleton.node_count;
    FiloPose pose;
    bool posed = filo_pose_create(&pose, &rig->model->skeleton, allocator).code == FILO_OK;
    float *reach = filo_alloc(allocator, rig->joint_count * sizeof *reach, 0);
    FiloMat34 *matrices = filo_alloc(allocator, nodes * sizeof *matrices, 16);
    if (posed && reach != NULL && matrices != NULL) measure(rig, reach, &pose, matrices);
    filo_free(allocator, matrices, nodes * sizeof *matrices, 16);
    filo_free(allocator, reach, rig->joint_count * sizeof *reach, 0);
    filo_pose_free(&pose, allocator);
}

Gfx3dSphere gfx3d_sphere_join(Gfx3dSphere a, Gfx3dSphere b) {
    if (!(a.radius > 0)) return b;
    if (!(b.radius > 0)) return a;
    if (gfx3d_sphere_infinite(a) || gfx3d_sphere_infinite(b)) return infinite;
    FiloVec3 way = filo_vec3_sub(b.centre, a.centre);
    float distance = filo_vec3_length(way);
    if (distance + b.radius <= a.radius) return a;
    if (distance + a.radius <= b.radius) return b;
    float radius = (a.radius + b.radius + distance) * 0.5f;
    return (Gfx3dSphere){ filo_vec3_add(a.centre, filo_vec3_scale(way, (radius - a.radius) / distance)),
                          radius };
}
