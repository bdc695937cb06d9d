// filo/gfx2d.h: draws the sprites of a world, by the graphics card or by the CPU.
//
//     FiloGfx2d *gfx;
//     FiloResult r = filo_gfx2d_create(&gfx, &(FiloGfx2dDesc){ .world = world, .assets = assets, .gpu = gpu });
//     … once a frame, when no tick is running:
//     filo_gfx2d_extract(gfx, &(FiloExtract){ .width = 1280, .height = 720, .blend = 0.4f });
//     … from here on the next tick may run, while main draws:
//     FiloDraw *draw = filo_gfx2d_draw(gfx);                 // what is drawn at once
//     filo_draw_text(draw, 8, 8, 1, FILO_COLOR_WHITE, "hello");
//     filo_gfx2d_render(gfx);
//
// How it works. Extraction, on all workers, looks at the chunks of the world that have sprites. It makes one
// FiloQuad (filo/raster.h) of each that a camera sees, straight into memory of the graphics card, ordered by
// layer, order and shader: no comparison sort, since the places are counted beforehand. All images lie on a few pages of one
// texture array, so that sprites of any images follow each other in one draw call. Chunks in which nothing has
// changed since the last time, and that were not moving, keep the quads they had.
//
// Nobody ever sees half a position: extraction runs only between ticks, when nobody writes, and what is drawn
// is the packet it made, which no later tick touches.
//
// There are three ways to draw, and all give the same picture: the graphics card (FiloGpu), the CPU (filo/raster.h), or not
// at all (the null device, which does all the rest). The card's differs by at most 2 in a byte; docs/sprites.md names the
// exceptions.

#ifndef FILO_GFX2D_H
#define FILO_GFX2D_H

#include <filo/assets.h>
#include <filo/draw.h>
#include <filo/gpu.h>
#include <filo/modules.h>
#include <filo/sheet.h>
#include <filo/sprite.h>
#include <filo/system.h>

FILO_BEGIN_DECLS

typedef struct FiloGfx2d FiloGfx2d;

typedef struct FiloGfx2dDesc {
    FiloWorld *world;
    FiloAssets *assets;    // may be NULL: then only images of filo_gfx2d_add_image
    FiloGpu *gpu;          // draws with it, or, NULL, on the CPU
    float pixels_per_unit; // 0: 1
    FiloColor background;  // where no camera says otherwise; laid over black, so all zero is black
    int page_size;         // of the texture pages; 0: 2048. An image may be larger, on a graphics card up to
                           // 8190 × 8190; but there every page then takes as much memory
    const FiloAllocator *allocator; // NULL: filo_heap()
} FiloGfx2dDesc;

// Does filo_transform_register, registers the components of filo/sprite.h, and adds the systems "follow teleports" (before
// everything), "animate sprites" and "follow with cameras". Between ticks; doing it again is fine. `assets` tells
// animations their sheets; NULL: they stand still.
bool filo_gfx2d_register(FiloWorld *world, FiloAssets *assets);

// Does filo_gfx2d_register too. Takes over the upload step of images.
FiloResult filo_gfx2d_create(FiloGfx2d **gfx, const FiloGfx2dDesc *desc);
void filo_gfx2d_destroy(FiloGfx2d *gfx); // before its world, assets and gpu. NULL is allowed

// ---- A frame --------------------------------------------------------------------------------------------

typedef struct FiloExtract {
    // Of the picture, in pixels. Above 16384, or what the card can draw (FiloGpuLimits.picture_size), as much as can be
    // is drawn: the size of a window is up to the player.
    int width, height;
    float blend; // 0: as at the tick before, 1: as now
    float time;  // seconds, for shaders; 0: as many as ticks of 1/60 s
} FiloExtract;
// Between ticks, on a worker of the world's scheduler; with a graphics card, main. What cannot be had for lack of
// memory is left out of the picture and reported.
void filo_gfx2d_extract(FiloGfx2d *gfx, const FiloExtract *extract);
// For drawing at once, between extract and render.
FiloDraw *filo_gfx2d_draw(FiloGfx2d *gfx);
// Draws the packet into the window's picture (GL), or into the pixels below (CPU). Main, once for each
// extraction. With a graphics card, the caller then ends the frame: filo_gpu_end_frame.
void filo_gfx2d_render(FiloGfx2d *gfx);
// The same in parts, where others draw to the same picture. Draws what has not been drawn since the extraction: the
// sprites, once, and what was drawn at once since the last call. False if there was nothing, or no memory.
typedef struct FiloRender2d {
    const FiloPixels *picture; // the CPU draws into these, of the size that was extracted for; NULL: its own
    bool over; // the picture is filled already: only cameras that ask for it (FiloCamera.clear) fill theirs
    bool
        no_sprites; // only what was drawn at once on the screen; what was drawn in the world waits for the sprites
} FiloRender2d;
bool filo_gfx2d_render_part(FiloGfx2d *gfx, const FiloRender2d *render);
// What was drawn; for the CPU without a copy. On GL it is read back. Good until the next render.
// FILO_ERROR_NOT_FOUND before the first; what the driver says if it cannot be read. `pixels` is then all zero.
FiloResult filo_gfx2d_pixels(FiloGfx2d *gfx, FiloPixels *pixels);

// ---- Images, targets, shaders -----------------------------------------------------------------------------

// From the assets' upload step; or by hand: an image of the program's, copied. Replaces one of that name.
FiloResult filo_gfx2d_add_image(FiloGfx2d *gfx, FiloName name, const FiloPixels *pixels);

// A picture to draw into instead of the screen, which can be shown as an image of this name: mirrors, mini
// maps. `target` is the number for FiloCamera.target, 0 on failure. Main; it lives as long as the renderer.
FiloResult filo_gfx2d_target_create(uint32_t *target, FiloGfx2d *gfx, FiloName image, int width, int height);

// A fragment shader of yours for sprites: vec4 sprite(vec4 texel, vec2 texel_position, vec4 color), with
// `uniform float time`. `shader` is the number for FiloSprite.shader, 0 on failure. The CPU cannot do it: there,
// FILO_ERROR_UNSUPPORTED, and such sprites are drawn as usual. So are those that show a target. Main; it lives as
// long as the renderer.
FiloResult filo_gfx2d_shader_create(uint16_t *shader, FiloGfx2d *gfx, const char *label, const char *source);
// The same from an asset of type "shader", reloaded with it: its fragment part.
FiloResult filo_gfx2d_shader_load(uint16_t *shader, FiloGfx2d *gfx, const char *asset);

// Layers whose sprites are ordered by their place: what is lower on the screen is nearer, and drawn later.
void filo_gfx2d_sort_layer_by_y(FiloGfx2d *gfx, uint8_t layer, bool on);

// ---- Looking --------------------------------------------------------------------------------------------

// From a place on the screen to one in the world as the camera (of the last extraction; {0}: the first) sees
// it, and back.
FiloVec2 filo_gfx2d_to_world(const FiloGfx2d *gfx, FiloEntity camera, FiloVec2 pixel);
FiloVec2 filo_gfx2d_to_screen(const FiloGfx2d *gfx, FiloEntity camera, FiloVec2 place);
// What a camera sees of the world.
FiloRect filo_gfx2d_visible(const FiloGfx2d *gfx, FiloEntity camera);

typedef struct FiloGfx2dStats {
    size_t sprites; // in the world, with FiloSprite and FiloTransform2
    size_t visible; // drawn, over all cameras
    size_t rebuilt; // made anew in this extraction; the others were kept
    size_t draws;   // draw calls; the CPU counts passes
    size_t pages;   // of the texture array
    size_t images;
    double extract_ms, render_ms;
} FiloGfx2dStats;
FiloGfx2dStats filo_gfx2d_stats(const FiloGfx2d *gfx);

// ---- As a module ------------------------------------------------------------------------------------------

// The module "gfx2d" (filo/modules.h), which every app has. It provides the objects FiloGfx2d and FiloDraw,
// needs FiloWorld, and takes FiloAssets and FiloGpu if they are there. It draws sprites at FILO_RENDER_SPRITES.
// What hooks draw at once (FILO_OBJECT(frame->modules, FiloDraw)) comes where their order says.
typedef struct FiloGfx2dModule {
    FiloGfx2dDesc desc; // `world`, `assets`, `gpu` and `allocator` are set by the module
    FiloHeap heap;      // private, as what follows
    FiloGfx2d *gfx;
    bool sprites_due;
} FiloGfx2dModule;
// For filo_modules_register. `module` must stay where it is as long as it is registered.
FiloModuleDesc filo_gfx2d_module(FiloGfx2dModule *module);

FILO_END_DECLS

#endif
