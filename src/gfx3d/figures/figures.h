// Figures: what the systems, the prefabs and the extraction share.
//
//   rig.c         models as the simulation needs them: clips, events and joints by name, bounds
//   bounds.c      spheres around skinned meshes in all poses of a clip
//   moment.c      the pose of a figure at a moment, in memory that is reused
//   components.c  components, filo_figure_play
//   animate.c     the system "animate figures"
//   attach.c      the system "attach to figures"; nodes and joints by name
//   prefab.c      prefabs of models
//   extract.c     poses of visible figures → joint matrices in GPU memory
//
// A rig exists once for each model of a world, from when it is first needed until the world is destroyed. It refers to a
// FiloModel: that of the asset if it is ready, otherwise one that was read for it. Both are of the same file, so the
// simulation does not depend on when the asset is ready. An asset that was reloaded is noticed by its version at the
// next look-up. Assets change only between ticks, and each part of a system looks its rigs up itself, so a rig is not
// rebuilt while another thread uses it.

#ifndef FILO_GFX3D_FIGURES_H
#define FILO_GFX3D_FIGURES_H

#include <filo/model.h>
#include <filo/threads.h>

#include "gfx3d/renderer.h"

// ---- Rigs: rig.c ------------------------------------------------------------------------------------------------

typedef struct Gfx3dRigEvent {
    float time;
    FiloName name;
} Gfx3dRigEvent;

typedef struct Gfx3dSphere {
    FiloVec3 centre;
    float radius; // 0: empty
} Gfx3dSphere;

typedef struct Gfx3dRigClip {
    const FiloClip *clip;
    Gfx3dRigEvent *events; // by time; those of the file, then those of the program
    uint32_t event_count, event_capacity;
    Gfx3dSphere bounds; // of all skinned meshes in any pose of the clip, in the model
} Gfx3dRigClip;

typedef struct Gfx3dNames { // index of a name, by the hash of its text
    uint32_t *slots;        // GFX3D_NONE: free
    uint32_t capacity;      // a power of two
} Gfx3dNames;

typedef struct Gfx3dRig {
    FiloName name;
    const FiloModel *model; // NULL: it cannot be read
    FiloModel *own;         // that was read for the rig; NULL: none
    FiloResult error;       // why there is no model
    FiloAsset asset;        // that `model` belongs to; {0}: `own`
    uint32_t version;       // of the asset
    uint32_t generation;    // increased when the model changes
    Gfx3dNames nodes, clip_names;
    Gfx3dRigClip *clips;
    uint32_t clip_count;
    uint32_t *skin_offsets; // of each skin: the number of joints of those before it
    uint32_t skin_count, joint_count;
    Gfx3dSphere rest_bounds;
    float reach; // of all bounds, from the origin
} Gfx3dRig;

typedef struct Gfx3dAddedEvent {
    FiloName model, clip;
    Gfx3dRigEvent event;
} Gfx3dAddedEvent;

typedef struct Gfx3dWorkspace Gfx3dWorkspace;

// Beside a world.
typedef struct Gfx3dRigs {
    FiloWorld *world;
    FiloAssets *assets; // NULL: none
    const FiloAllocator *allocator;
    FiloMutex lock; // of everything below
    FiloMap rigs;   // id of a name → Gfx3dRig *
    FiloArray(Gfx3dAddedEvent) events;
    Gfx3dWorkspace *workspaces; // that are not in use
    FiloQuery *attached;        // entities with FiloAttach
} Gfx3dRigs;

// The rigs of a world; NULL: filo_gfx3d_register was not called.
Gfx3dRigs *gfx3d_rigs(const FiloWorld *world);
// Makes them, or sets the assets of existing ones; NULL assets change nothing. False without memory.
bool gfx3d_rigs_register(FiloWorld *world, FiloAssets *assets);

// The rig of a model, read and built if necessary; `rig->model` may be NULL. NULL without memory. Any thread in a tick, or
// main between ticks.
const Gfx3dRig *gfx3d_rig_find(Gfx3dRigs *rigs, FiloName model);
// The same for drawing: a file that is not loaded is not read.
const Gfx3dRig *gfx3d_rig_loaded(Gfx3dRigs *rigs, FiloName model);
// Index of a node or clip; GFX3D_NONE: there is none.
uint32_t gfx3d_rig_node(const Gfx3dRig *rig, FiloName name);
uint32_t gfx3d_rig_clip(const Gfx3dRig *rig, FiloName name);
// Log, once for each name, that there is no such clip or joint.
void gfx3d_rig_report_clip(const Gfx3dRig *rig, FiloName name);
void gfx3d_rig_report_joint(const Gfx3dRig *rig, FiloName name);

// The rig that was found last: most rows of a part have the same model.
typedef struct Gfx3dRigCache {
    Gfx3dRigs *rigs;
    FiloName model;
    const Gfx3dRig *rig;
} Gfx3dRigCache;
static inline const Gfx3dRig *gfx3d_rig_cached(Gfx3dRigCache *cache, FiloName model) {
    if (model.id == 0) return NULL;
    if (cache->rig == NULL || cache->model.id != model.id) {
        cache->rig = gfx3d_rig_find(cache->rigs, model);
        cache->model = model;
    }
    return cache->rig != NULL && cache->rig->model != NULL ? cache->rig : NULL;
}

// ---- Bounds: bounds.c -------------------------------------------------------------------------------------------

// Fills the bounds of a rig whose clips are known. Without memory they are infinite.
void gfx3d_rig_measure(Gfx3dRig *rig, const FiloAllocator *allocator);
static inline bool gfx3d_sphere_infinite(Gfx3dSphere sphere) { return sphere.radius >= 1e30f; }
Gfx3dSphere gfx3d_sphere_join(Gfx3dSphere a, Gfx3dSphere b);

// ---- Moments: moment.c ------------------------------------------------------------------------------------------

// What is to be shown: two clips at their times.
typedef struct Gfx3dMoment {
    uint32_t clip, blend_clip; // of the rig; GFX3D_NONE: resting
    float time, blend_time;
    float blend; // 0 to 1: how much of blend_clip
} Gfx3dMoment;
// The moment of a figure at the end of the last tick, or (blend below 1) before it. `step` may be NULL.
Gfx3dMoment gfx3d_moment(const Gfx3dRig *rig, const FiloFigure *figure, const FiloFigureStep *step,
                         uint64_t ticks, float blend);

// Memory for a pose, which one thread uses at a time.
struct Gfx3dWorkspace {
    Gfx3dWorkspace *next;
    uint32_t capacity; // nodes
    size_t size;       // bytes of the block
    FiloPose pose, other;
    FiloMat34 *matrices;
};
// One with room for the nodes of the rig; NULL without memory. Any thread.
Gfx3dWorkspace *gfx3d_workspace_take(Gfx3dRigs *rigs, const Gfx3dRig *rig);
void gfx3d_workspace_give(Gfx3dRigs *rigs, Gfx3dWorkspace *workspace); // NULL is allowed
// One that has enough room for another rig; replaces it if necessary. NULL without memory.
Gfx3dWorkspace *gfx3d_workspace_fit(Gfx3dRigs *rigs, Gfx3dWorkspace *workspace, const Gfx3dRig *rig);
// Fills workspace->pose.
void gfx3d_moment_pose(const Gfx3dRig *rig, const Gfx3dMoment *moment, Gfx3dWorkspace *workspace);

// ---- Extraction: extract.c --------------------------------------------------------------------------------------

// For tests: the joint buffer of this frame, and how many poses were computed so far.
FiloBuffer gfx3d_figures_buffer(const FiloGfx3d *gfx);
uint64_t gfx3d_figures_computed(const FiloGfx3d *gfx);

// ---- Systems ----------------------------------------------------------------------------------------------------

bool gfx3d_animate_register(FiloWorld *world, Gfx3dRigs *rigs);
bool gfx3d_attach_register(FiloWorld *world, Gfx3dRigs *rigs);

#endif
