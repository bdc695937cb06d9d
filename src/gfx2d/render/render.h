// Drawing the packet and the immediate quads, with the CPU or the GPU.
//
//   batch.c          the list of draw calls of a view
//   cpu.c, gpu.c     what carries them out
//   shaders.c        the pipelines of the GPU
//   target.c         pictures to draw into instead of the screen

#ifndef FILO_GFX2D_RENDER_H
#define FILO_GFX2D_RENDER_H

#include "gfx2d/extract/extract.h"

// What one call of filo_gfx2d_render_part draws: what has not been drawn since the extraction.
typedef struct Gfx2dRenderRange {
    bool views;          // draw what cameras see; otherwise only immediate quads of the screen
    bool sprites;        // with the sprites
    bool over;           // the picture of the screen is filled already
    size_t first_run;    // immediate runs of the world
    size_t first_world;  // immediate quads of the world
    size_t first_screen; // immediate quads of the screen
} Gfx2dRenderRange;

// Whether a view fills its viewport.
static inline bool gfx2d_view_clears(const Gfx2dView *view, const Gfx2dRenderRange *range) {
    if (!range->sprites) return false;
    return range->over && view->target == 0 ? view->camera_clears : view->clear;
}

// The picture of the screen is opaque. There, the first view blends a translucent background with that of the renderer
// (gfx2d_view_background), and the others blend theirs with what is there (gfx2d_view_blends). In a target, a
// background replaces what is there.
static inline bool gfx2d_view_blends(const Gfx2dView *view, const Gfx2dRenderRange *range) {
    return view->target == 0 && view->background.a < 255 && (!view->first || range->over);
}
static inline FiloColor gfx2d_view_background(const Gfx2dView *view, FiloColor behind) {
    return view->target == 0 ? filo_color_over(view->background, behind) : view->background;
}

// ---- batch.c ----------------------------------------------------------------------------------------------

typedef enum Gfx2dDrawSource {
    GFX2D_FROM_PACKET,
    GFX2D_FROM_WORLD_LIST, // immediate quads
    GFX2D_FROM_SCREEN_LIST
} Gfx2dDrawSource;
// Consecutive quads of one list.
typedef struct Gfx2dDrawCall {
    Gfx2dDrawSource source;
    uint8_t features;
    uint16_t state;
    size_t first, count;
    uint32_t clip; // of gfx2d_draw_clip_rect; 0: none
} Gfx2dDrawCall;
typedef FiloArray(Gfx2dDrawCall) Gfx2dDrawCalls;

// Appends all draw calls of a view, in order, with the immediate quads of its layers. False without memory: some are
// missing.
bool gfx2d_batch_view(FiloGfx2d *gfx, const Gfx2dView *view, const Gfx2dRenderRange *range,
                      Gfx2dDrawCalls *calls);
// Appends those of the immediate quads of the screen. False without memory.
bool gfx2d_batch_screen(FiloGfx2d *gfx, const Gfx2dRenderRange *range, Gfx2dDrawCalls *calls);
// The pixels that calls with a clip may change, inside of a view, or (NULL) of the screen. False if there are none.
typedef struct Gfx2dArea {
    int x, y, width, height;
} Gfx2dArea;
bool gfx2d_batch_area(const FiloGfx2d *gfx, const Gfx2dView *view, uint32_t clip, Gfx2dArea *area);

// ---- cpu.c, gpu.c -----------------------------------------------------------------------------------------

FiloResult gfx2d_render_cpu_init(FiloGfx2d *gfx);
void gfx2d_render_cpu_deinit(FiloGfx2d *gfx);
// Draws into gfx->output.
void gfx2d_render_cpu(FiloGfx2d *gfx, const Gfx2dRenderRange *range);
FiloResult gfx2d_render_gpu_init(FiloGfx2d *gfx);
void gfx2d_render_gpu_deinit(FiloGfx2d *gfx);
// False without memory.
bool gfx2d_render_gpu(FiloGfx2d *gfx, const Gfx2dRenderRange *range);
// Reads what was drawn into gfx->picture.
FiloResult gfx2d_render_gpu_read(FiloGfx2d *gfx);

// ---- shaders.c, target.c ----------------------------------------------------------------------------------

typedef struct Gfx2dShader {
    FiloPipeline pipeline; // {0}: not loaded yet; sprites are drawn without it
    FiloAsset asset;       // {0}: created from text
    uint32_t version;
} Gfx2dShader;

// One for each combination of GFX2D_FEATURE_LINEAR and _SHAPES, and one with everything.
#define GFX2D_PIPELINES 5
static inline unsigned gfx2d_shaders_pipeline(unsigned features) {
    return (features & GFX2D_FEATURE_DISTANCE) != 0 ? GFX2D_PIPELINES - 1 : features;
}
// A pipeline for quads with these features. `custom`: the text of a function "sprite", or NULL.
FiloResult gfx2d_shaders_make(FiloPipeline *pipeline, FiloGfx2d *gfx, const char *label, unsigned features,
                              const char *custom, FiloBlend blend);
// Takes over shaders that were loaded or reloaded.
void gfx2d_shaders_update(FiloGfx2d *gfx);
void gfx2d_shaders_deinit(FiloGfx2d *gfx);

typedef struct Gfx2dTarget {
    FiloName image;
    int width, height;
    FiloPixels pixels; // of the CPU
    uint16_t page;     // of its frame
    FiloTexture texture;
    FiloRenderTarget target;
    bool shown; // the texture is of another part of the program, which draws to it: filo_gfx2d_show_texture
} Gfx2dTarget;

void gfx2d_targets_deinit(FiloGfx2d *gfx);

#endif
