// The pose of a figure at a moment.

#include "gfx3d/figures/figures.h"

// ---- Times ------------------------------------------------------------------------------------------------------

// A time before the last tick may be before the beginning of the clip: of one that repeats, it is at its end.
static float time_within(const Gfx3dRig *rig, uint32_t clip, float time, bool once) {
    if (clip == GFX3D_NONE) return 0;
    float seconds = rig->clips[clip].clip->seconds;
    if (!(seconds > 0)) return 0;
    if (time >= 0 && time <= seconds) return time;
    if (once) return time > seconds ? seconds : 0;
    float rest = filo_mod(time, seconds); // not negative
    return rest >= 0 && rest <= seconds ? rest : 0;
}

Gfx3dMoment gfx3d_moment(const Gfx3dRig *rig, const FiloFigure *figure, const FiloFigureStep *step,
                         uint64_t ticks, float blend) {
    float back = 0, fade = 0;
    if (step != NULL && step->clip.id == figure->clip.id && step->time == figure->time &&
        step->tick + 1 == (uint32_t)ticks) {
        back = step->step * (1 - blend);
        fade = step->fade * (1 - blend);
    }
    Gfx3dMoment moment = { .clip = gfx3d_rig_clip(rig, figure->clip), .blend_clip = GFX3D_NONE };
    moment.time = time_within(rig, moment.clip, figure->time - back, figure->once);
    float amount = figure->blend + fade;
    moment.blend = amount > 0 ? filo_min(amount, 1.0f) : 0; // a NaN is 0
    if (moment.blend > 0) {
        moment.blend_clip = gfx3d_rig_clip(rig, figure->blend_clip);
        moment.blend_time =
            time_within(rig, moment.blend_clip, figure->blend_time - back, figure->blend_once);
    }
    return moment;
}

// ---- Workspaces -------------------------------------------------------------------------------------------------

static Gfx3dWorkspace *create(const FiloAllocator *allocator, uint32_t capacity) {
    // Rotations are aligned to 16 bytes.
    size_t pose = FILO_ALIGN_UP(capacity * (sizeof(FiloQuat) + 2 * sizeof(FiloVec3)), 16);
    size_t head = FILO_ALIGN_UP(sizeof(Gfx3dWorkspace), 16);
    size_t size = head + 2 * pose + capacity * sizeof(FiloMat34);
    uint8_t *memory = filo_alloc_zero(allocator, size, 16);
    if (memory == NULL) return NULL;
    Gfx3dWorkspace *workspace = (Gfx3dWorkspace *)(void *)memory;
    *workspace = (Gfx3dWorkspace){ .capacity = capacity, .size = size };
    FiloPose *poses[2] = { &workspace->pose, &workspace->other };
    for (size_t i = 0; i < 2; i++) {
        FiloPose *at = poses[i];
        at->rotations = (FiloQuat *)(void *)(memory + head + i * pose);
        at->positions = (FiloVec3 *)(void *)(at->rotations + capacity);
        at->scales = at->positions + capacity;
    }
    workspace->matrices = (FiloMat34 *)(void *)(memory + head + 2 * pose);
    return workspace;
}

Gfx3dWorkspace *gfx3d_workspace_take(Gfx3dRigs *rigs, const Gfx3dRig *rig) {
    filo_mutex_lock(&rigs->lock);
    Gfx3dWorkspace *workspace = rigs->workspaces;
    if (workspace != NULL) rigs->workspaces = workspace->next;
    filo_mutex_unlock(&rigs->lock);
    return gfx3d_workspace_fit(rigs, workspace, rig);
}

void gfx3d_workspace_give(Gfx3dRigs *rigs, Gfx3dWorkspace *workspace) {
    if (workspace == NULL) return;
    filo_mutex_lock(&rigs->lock);
    workspace->next = rigs->workspaces;
    rigs->workspaces = workspace;
    filo_mutex_unlock(&rigs->lock);
}

Gfx3dWorkspace *gfx3d_workspace_fit(Gfx3dRigs *rigs, Gfx3dWorkspace *workspace, const Gfx3dRig *rig) {
    uint32_t nodes = rig->model->skeleton.node_count;
    if (workspace == NULL || workspace->capacity < nodes) {
        uint32_t capacity = FILO_MAX(nodes + nodes / 4, 64u);
        if (workspace != NULL) filo_free(rigs->allocator, workspace, workspace->size, 16);
        workspace = create(rigs->allocator, capacity);
        if (workspace == NULL) return NULL;
    }
    workspace->pose.node_count = workspace->other.node_count = nodes;
    return workspace;
}

// ---- Poses ------------------------------------------------------------------------------------------------------

static const FiloClip *clip_of(const Gfx3dRig *rig, uint32_t clip) {
    return clip != GFX3D_NONE ? rig->clips[clip].clip : NULL;
}

void gfx3d_moment_pose(const Gfx3dRig *rig, const Gfx3dMoment *moment, Gfx3dWorkspace *workspace) {
    const FiloSkeleton *skeleton = &rig->model->skeleton;
    if (moment->blend >= 1) {
        filo_pose_sample(&workspace->pose, skeleton, clip_of(rig, moment->blend_clip), moment->blend_time);
        return;
    }
    filo_pose_sample(&workspace->pose, skeleton, clip_of(rig, moment->clip), moment->time);
    if (!(moment->blend > 0)) return;
    filo_pose_sample(&workspace->other, skeleton, clip_of(rig, moment->blend_clip), moment->blend_time);
    filo_pose_blend(&workspace->pose, &workspace->other, moment->blend);
}
