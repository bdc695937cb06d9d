// Effects: quads that face the camera (billboards and particles), and lines.
//
//   effects.c      the pipelines; a frame: extract, draw, forget
//   images.c       the images of quads: slots by name
//   quads.c        rows → quads in memory, in blocks, on workers
//   billboards.c   FiloBillboard → quad
//   particles.c    FiloParticles → quads, as a function of time (particles.h)
//   sort.c         quads → GPU memory, in the order of their distance to a camera
//   lines.c        filo_lines3_…
//
// A quad does not depend on a view: the vertex shader turns it to the camera. So quads are computed once, and each view
// sorts them: blocks count how many of their quads are in each bucket (a step of distance and an image), from which
// follows where each block writes each of its quads. There is no comparison, and the result is the same on any number of
// threads.

#ifndef FILO_GFX3D_EFFECTS_H
#define FILO_GFX3D_EFFECTS_H

#include "gfx3d/renderer.h"

#include <filo/jobs.h>

#define GFX3D_EFFECT_BLOCKS 64
#define GFX3D_EFFECT_IMAGES 1024 // with the round spot

enum { GFX3D_QUAD_UPRIGHT = 1, GFX3D_QUAD_LIT = 2, GFX3D_QUAD_ADD = 4, GFX3D_QUAD_STRETCHED = 8 };

// An instance of the shader effects.glsl.
typedef struct Gfx3dQuad {
    FiloVec3 centre;
    uint32_t flags;  // GFX3D_QUAD_…
    FiloVec2 half;   // half of width and height, units
    int16_t axis[4]; // cosine and sine of its angle on the screen; stretched: its direction in the world
    FiloColor color; // premultiplied
    float brightness;
    uint16_t uv[4]; // left, top, right, bottom; 65535 is 1
} Gfx3dQuad;
_Static_assert(sizeof(Gfx3dQuad) == 48, "a quad is small");

typedef FiloArray(Gfx3dQuad) Gfx3dQuads;

// Some rows of a chunk.
typedef struct Gfx3dEffectRows {
    const FiloTransform3 *transforms;
    const FiloPreviousTransform3 *previous; // NULL: there are none
    const FiloWorldTransform3 *worlds;      // NULL: no parents and children
    const FiloBillboard *billboards;        // NULL: emitters
    const FiloParticles *particles;
    const uint32_t *entity_indices;
    uint32_t count;
} Gfx3dEffectRows;

// Where a row is drawn.
typedef struct Gfx3dEffectPose {
    FiloVec3 position, scale;
    FiloQuat rotation;
} Gfx3dEffectPose;

// Work of one job.
typedef struct Gfx3dEffectBlock {
    size_t first, count; // of effects->rows
    Gfx3dQuads quads;
    FiloArray(uint16_t) images;  // slot of each quad
    FiloArray(uint32_t) buckets; // of each quad, for the view that is sorted; UINT32_MAX: it is not visible
    uint32_t *counts;            // by bucket; then the location of its next quad
    size_t count_capacity;
    FiloArray(FiloName) unknown; // images without a slot
    size_t particles;
    bool failed; // without memory: the rest of it is not drawn
} Gfx3dEffectBlock;

typedef struct Gfx3dEffectRun { // one draw call
    uint32_t image, first, count;
} Gfx3dEffectRun;

typedef struct Gfx3dEffectView {
    const Gfx3dView *view;
    FiloRingPiece piece;
    FiloArray(Gfx3dEffectRun) runs;
} Gfx3dEffectView;

typedef struct Gfx3dEffectImage {
    FiloName name;
    FiloTexture texture;
} Gfx3dEffectImage;

typedef struct Gfx3dLineVertex {
    FiloVec3 position;
    FiloColor color;
} Gfx3dLineVertex;
typedef FiloArray(Gfx3dLineVertex) Gfx3dLines;

struct Gfx3dEffects {
    FiloQuery *billboards, *particles;
    FiloPipeline spot, image, lines, lines_through;
    FiloGpuRing *ring;
    FiloArray(Gfx3dEffectImage) images; // [0]: the round spot
    FiloMap slots;                      // FiloName.id → uint16_t
    bool images_full;                   // reported
    FiloArray(Gfx3dEffectRows) rows;
    Gfx3dEffectBlock blocks[GFX3D_EFFECT_BLOCKS];
    size_t block_count;
    FiloArray(Gfx3dEffectView) views;

    Gfx3dLines line_lists[2]; // depth-tested, through
    bool through;             // the next lines are
    FiloRingPiece line_pieces[2];
    bool lines_written, lines_full;
    bool rendered; // in this frame of an app
};

// ---- images.c ----
// The slot of an image; UINT16_MAX: it has none yet. Any thread.
uint16_t gfx3d_effect_image_look_up(const Gfx3dEffects *effects, FiloName image);
// Adds the images that blocks did not find. True if there are any. Main.
bool gfx3d_effect_images_add(FiloGfx3d *gfx);
// Finds the textures of all images. Main.
void gfx3d_effect_images_update(FiloGfx3d *gfx);

// ---- quads.c ----
void gfx3d_effect_quads_extract(FiloGfx3d *gfx);
// Adds a quad to a block. NULL without memory.
Gfx3dQuad *gfx3d_effect_quad_add(Gfx3dEffectBlock *block, uint16_t image);
// Reserves room for that many more. False without memory.
bool gfx3d_effect_quads_reserve(Gfx3dEffectBlock *block, size_t more);
Gfx3dEffectPose gfx3d_effect_pose(const FiloGfx3d *gfx, const Gfx3dEffectRows *rows, uint32_t row);
// The slot of an image for a quad of a block. UINT16_MAX: it is not drawn now.
uint16_t gfx3d_effect_block_image(const FiloGfx3d *gfx, Gfx3dEffectBlock *block, FiloName image);
void gfx3d_effect_frame_uv(FiloRect frame, uint16_t uv[4]);
// Whether no camera sees a sphere, or all are farther away than `range` (0: no limit).
bool gfx3d_effect_unseen(const FiloGfx3d *gfx, FiloVec3 centre, float radius, float range);

// ---- billboards.c, particles.c ----
void gfx3d_billboards_build(const FiloGfx3d *gfx, const Gfx3dEffectRows *rows, Gfx3dEffectBlock *block);
void gfx3d_particles_build(const FiloGfx3d *gfx, const Gfx3dEffectRows *rows, Gfx3dEffectBlock *block);

// ---- sort.c ----
// Writes the quads that a view sees to GPU memory.
void gfx3d_effect_view_sort(FiloGfx3d *gfx, Gfx3dEffectView *view);

// ---- lines.c ----
void gfx3d_lines_deinit(FiloGfx3d *gfx);
void gfx3d_lines_draw(FiloGfx3d *gfx, const Gfx3dView *view);
void gfx3d_lines_forget(FiloGfx3d *gfx);

#endif
