// Private to render/: pictures in linear colours, and what becomes of them.
//
// Each camera draws into a picture of its own size: colours in half floats, and depth. Then its bright parts are blurred
// (bloom), its colours mapped to those of a screen, its edges smoothed (FXAA), and the result is written to the viewport
// of the camera in the window or a target. Cameras of one size share a picture, because they are drawn one after the
// other.
//
// The alpha of the picture says how much of a pixel is covered, and which part of it is to be shown as it is, without
// exposure and tone mapping: 0 is nothing, 1 is lit, 2 is unlit. What is blended over it moves it to its own value. Over
// nothing, half of an unlit surface could not be told from the whole of a lit one, so without a sky blended unlit surfaces
// count as lit ones.

#ifndef FILO_GFX3D_RENDER_H
#define FILO_GFX3D_RENDER_H

#include "gfx3d/renderer.h"

#define GFX3D_BLOOM_LEVELS 4
#define GFX3D_TONES        12 // 1: with bloom; 2: opaque, for FXAA; 4 × FiloTone

typedef struct Gfx3dPicture {
    int width, height;
    uint32_t used; // frame in which it was last drawn to
    FiloTexture color, depth, mapped;
    FiloRenderTarget scene, map; // color and depth; mapped
    FiloTexture bloom[GFX3D_BLOOM_LEVELS];
    FiloRenderTarget bloom_targets[GFX3D_BLOOM_LEVELS]; // {0}: not made yet
} Gfx3dPicture;

typedef struct Gfx3dTarget { // of filo_gfx3d_target_create
    FiloName name;
    int width, height;
    FiloTexture texture; // bytes in sRGB, for sprites
    FiloRenderTarget target;
    FiloTexture linear_texture; // the same for materials, if one shows it: shaders read linear values
    FiloRenderTarget linear_target;
    bool drawn; // in this frame
} Gfx3dTarget;

struct Gfx3dPasses {
    FiloArray(Gfx3dPicture *) pictures;
    FiloArray(Gfx3dTarget) targets;
    FiloPipeline bright, smaller, larger; // bloom
    FiloPipeline tone[GFX3D_TONES];       // made when they are first used (post.c)
    FiloPipeline fxaa[2];                 // 1: opaque
    FiloPipeline copy, copy_target;
    uint32_t frame;
};

// The picture of a size; made when it is first asked for. NULL without memory, which is logged.
Gfx3dPicture *gfx3d_picture(FiloGfx3d *gfx, int width, int height);
// The textures of its bloom. False without memory.
bool gfx3d_picture_bloom(FiloGfx3d *gfx, Gfx3dPicture *picture);
// Frees pictures that were not drawn to for some frames; `all`: all of them.
void gfx3d_pictures_free(FiloGfx3d *gfx, bool all);

FiloResult gfx3d_post_init(FiloGfx3d *gfx);
void gfx3d_post_deinit(FiloGfx3d *gfx);
// From the picture of a view to its viewport in the window or a target; `first`: nothing was drawn there yet.
void gfx3d_post_draw(FiloGfx3d *gfx, const Gfx3dView *view, Gfx3dPicture *picture, bool first);

void gfx3d_targets_deinit(FiloGfx3d *gfx);

#endif
