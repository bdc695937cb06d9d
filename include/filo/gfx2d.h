// filo/gfx2d.h: draws the sprites of a world, with the GPU or with the CPU.
//
//     FiloGfx2d *gfx;
//     FiloResult r = filo_gfx2d_create(&gfx, &(FiloGfx2dDesc){ .world = world, .assets = assets, .gpu = gpu });
//     … once a frame, between ticks:
//     filo_gfx2d_extract(gfx, &(FiloExtract){ .width = 1280, .height = 720, .blend = 0.4f });
//     … from here on the next tick may run, while the main thread draws:
//     FiloDraw *draw = filo_gfx2d_draw(gfx);                 // immediate drawing
//     filo_draw_text(draw, 8, 8, 1, FILO_COLOR_WHITE, "hello");
//     filo_gfx2d_render(gfx);
//
// How it works. Extraction runs on all workers, over the chunks of the world that have sprites. It makes a FiloQuad
// (filo/raster.h) of each sprite that a camera sees, ordered by layer, order and shader, and writes it directly to
// memory of the GPU. The order needs no comparison sort: quads are counted by key first. All images lie on a few atlas
// pages, the layers of one texture array, so that sprites with different images share a draw call. The quads of a chunk
// in which nothing has changed since the last extraction, and nothing moved, are cached.
//
// Extraction runs only between ticks, when nothing is written to the world. It makes a packet, and what is drawn is
// that packet, which no later tick changes.
//
// There are three backends, which give the same picture: the GPU (FiloGpu), the CPU (filo/raster.h), and the null
// device, which does everything but draw. The picture of the GPU differs by at most 2 in a byte; docs/sprites.md names
// the exceptions.

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
    FiloAssets *assets;    // NULL: only images of filo_gfx2d_add_image
    FiloGpu *gpu;          // NULL: the CPU draws
    float pixels_per_unit; // 0: 1
    FiloColor background;  // of cameras without one; blended with black, so all zero is black
    int page_size; // of the atlas pages; 0: 2048. An image may be larger, on a GPU up to 8190 × 8190;
                   // but there every page then takes as much memory
    const FiloAllocator *allocator; // NULL: filo_heap()
} FiloGfx2dDesc;

// Calls filo_transform_register, registers the components of filo/sprite.h, and adds the systems "follow teleports"
// (before all others), "animate sprites" and "follow with cameras". Between ticks; may be called again. Animations read
// their sheets from `assets`; NULL: they stand still. False without memory.
bool filo_gfx2d_register(FiloWorld *world, FiloAssets *assets);

// Calls filo_gfx2d_register too. Takes over the upload step of images.
FiloResult filo_gfx2d_create(FiloGfx2d **gfx, const FiloGfx2dDesc *desc);
// Before its world, assets and gpu; after its source of glyphs was removed (filo_gfx2d_set_glyph_source,
// filo_text_detach). NULL is allowed.
void filo_gfx2d_destroy(FiloGfx2d *gfx);

// ---- A frame --------------------------------------------------------------------------------------------

typedef struct FiloExtract {
    // Of the picture, in pixels. Clamped to 16384, or to the limit of the GPU (FiloGpuLimits.picture_size): the player
    // decides how large a window is, so this is no mistake.
    int width, height;
    float blend; // 0: as of the previous tick, 1: as of the last tick
    float time;  // seconds, for shaders; 0: computed from ticks of 1/60 s
} FiloExtract;
// Between ticks, on a worker of the world's scheduler; with a GPU, on the main thread. What there is no memory for is
// missing in the picture, and reported.
void filo_gfx2d_extract(FiloGfx2d *gfx, const FiloExtract *extract);
// For immediate drawing between extract and render. It lives as long as the renderer.
FiloDraw *filo_gfx2d_draw(FiloGfx2d *gfx);
// Draws the packet, and what was drawn immediately, to the window (GPU), or to the pixels of filo_gfx2d_pixels (CPU).
// Main thread, once for each extraction. With a GPU, the caller then ends the frame: filo_gpu_end_frame.
void filo_gfx2d_render(FiloGfx2d *gfx);
// Draws in parts, if the caller draws to the same picture by other means in between. Draws what has not been drawn
// since the extraction: the sprites, once, and what was drawn immediately since the last call. False if there is
// nothing to draw, or without memory.
typedef struct FiloRender2d {
    const FiloPixels *picture; // the CPU draws into these, of the size of the extraction; NULL: its own
    bool over;       // the picture is filled already: only cameras with FiloCamera.clear fill theirs
    bool no_sprites; // only immediate drawing on the screen; that in the world is drawn with the sprites
} FiloRender2d;
bool filo_gfx2d_render_part(FiloGfx2d *gfx, const FiloRender2d *render);
// What was drawn. The CPU makes no copy; from the GPU it is read back. Valid until the next render.
// FILO_ERROR_NOT_FOUND if nothing was drawn yet, or the error of the driver; `pixels` is then all zero.
FiloResult filo_gfx2d_pixels(FiloGfx2d *gfx, FiloPixels *pixels);

// ---- Images, targets, shaders -----------------------------------------------------------------------------

// Images come from the assets, or from the program by this function. The pixels are copied. Replaces the image of that
// name. Main thread.
FiloResult filo_gfx2d_add_image(FiloGfx2d *gfx, FiloName name, const FiloPixels *pixels);

// Creates a picture to draw into instead of the screen, which sprites can show as an image of this name: mirrors, mini
// maps. `target` is the number for FiloCamera.target, 0 on failure. Main thread; it lives as long as the renderer.
FiloResult filo_gfx2d_target_create(uint32_t *target, FiloGfx2d *gfx, FiloName image, int width, int height);

// Lets sprites and filo_draw_image show a texture of the graphics device as an image of this name: a 3D view inside of a 2D
// game, by filo_gfx3d_target_texture. The texture is an array with one layer, of the format FILO_TEXTURE_RGBA8 with
// premultiplied colours. It must exist as long as it is shown; calling this again with the same name shows another one.
// Its content may change at any time outside of passes. The CPU has no textures: there the result is
// FILO_ERROR_UNSUPPORTED, and such sprites show the placeholder. Main thread.
FiloResult filo_gfx2d_show_texture(FiloGfx2d *gfx, FiloName image, FiloTexture texture);

// Creates a fragment shader for sprites: vec4 sprite(vec4 texel, vec2 texel_position, vec4 color), with `uniform float
// time`. `shader` is the number for FiloSprite.shader, 0 on failure. The CPU has no shaders: there the result is
// FILO_ERROR_UNSUPPORTED, and such sprites are drawn without a shader. So are sprites that show a target. Main thread;
// it lives as long as the renderer.
FiloResult filo_gfx2d_shader_create(uint16_t *shader, FiloGfx2d *gfx, const char *label, const char *source);
// Creates a shader from the fragment part of an asset of type "shader". It changes when the asset is reloaded.
FiloResult filo_gfx2d_shader_load(uint16_t *shader, FiloGfx2d *gfx, const char *asset);

// Sprites of this layer are ordered by the y of their position instead of FiloSprite.order: lower ones are drawn later.
void filo_gfx2d_sort_layer_by_y(FiloGfx2d *gfx, uint8_t layer, bool on);

float filo_gfx2d_pixels_per_unit(const FiloGfx2d *gfx);

// ---- For modules that draw ---------------------------------------------------------------------------------

// A part of an atlas page: what a FiloQuad of kind FILO_QUAD_IMAGE or FILO_QUAD_DISTANCE shows. All zero: none.
typedef struct FiloAtlasRegion {
    uint16_t u0, v0, u1, v1; // texels, as in FiloQuad
    uint16_t page;           // FiloQuad.image
} FiloAtlasRegion;

// Copies a small image to an atlas page, so that its quads share draw calls with sprites. It has no name, and takes no
// memory besides its texels. Main thread, outside of filo_gfx2d_render. FILO_ERROR_LIMIT if it is larger than a page
// can be; FILO_ERROR_MEMORY.
FiloResult filo_gfx2d_region_add(FiloAtlasRegion *region, FiloGfx2d *gfx, const FiloPixels *pixels);
// Frees a region and sets it to zero. Its texels stay as they are until the next extraction begins: quads that were
// extracted or drawn since the last one may show it, quads of the next one must not.
void filo_gfx2d_region_free(FiloGfx2d *gfx, FiloAtlasRegion *region);

// Where a frame of an image is. `part` is what is left of it after trimming, in pixels from the upper left corner of the
// frame. An image that was never requested is requested now; until it is loaded, this is the placeholder. Main thread;
// valid until filo_gfx2d_generation changes.
typedef struct FiloImageRegion {
    FiloAtlasRegion region;
    FiloVec2 size; // of the frame, in pixels
    FiloRect part;
} FiloImageRegion;
FiloImageRegion filo_gfx2d_image_region(FiloGfx2d *gfx, FiloName image, int frame);
// The letter of the built-in font for a character: 8 × 16 texels, white.
FiloAtlasRegion filo_gfx2d_letter(FiloGfx2d *gfx, uint32_t character);
// Another number after some image was loaded, changed or unloaded.
uint32_t filo_gfx2d_generation(const FiloGfx2d *gfx);

// Quads in the world that are ordered with the sprites by layer and order, after sprites of the same layer and order, and
// seen by all cameras whose view they overlap. `quads` and `heights` are not copied: they must stay as they are until the
// next extraction begins. A batch costs little if it is the same as before: its quads are copied to the packet. Make few
// large batches of quads that are near each other, not many small ones.
typedef struct FiloQuadBatch {
    const FiloQuad *quads;
    size_t count;
    FiloRect bounds; // around all of them
    uint8_t layer;
    int16_t order;
    // In layers that are sorted by y, the height of each quad: those of a word have the same, so that they stay together.
    // NULL: that of its centre.
    const float *heights;
    uint32_t version; // another one if quads or heights have changed
} FiloQuadBatch;
// A source adds its batches in each extraction, by filo_gfx2d_add_batch.
typedef struct FiloQuadSource {
    void (*extract)(FiloGfx2d *gfx, const FiloExtract *extract, void *user);
    void *user;
} FiloQuadSource;
FiloResult filo_gfx2d_add_source(FiloGfx2d *gfx, const FiloQuadSource *source);
void filo_gfx2d_remove_source(FiloGfx2d *gfx, void *user); // all sources with this pointer
// Only inside of FiloQuadSource.extract. Without memory the batch is missing in the picture.
void filo_gfx2d_add_batch(FiloGfx2d *gfx, const FiloQuadBatch *batch);

// What draws and measures the texts of filo_draw_text, filo_draw_format and filo_draw_text_centred.
typedef struct FiloPlainText {
    FiloVec2 at; // as in filo_draw_text
    float scale;
    FiloColor color;
    bool centred;
    FiloString text;
} FiloPlainText;
typedef struct FiloGlyphSource {
    // False: the built-in font draws this text.
    bool (*draw)(FiloDraw *draw, const FiloPlainText *text, void *user);
    // The size at scale 1. False: that of the built-in font.
    bool (*size)(FiloString text, FiloVec2 *size, void *user);
    void *user;
} FiloGlyphSource;
// NULL: the built-in font draws everything again.
void filo_gfx2d_set_glyph_source(FiloGfx2d *gfx, const FiloGlyphSource *source);

// ---- From screen to world -------------------------------------------------------------------------------

// Converts between pixels of the screen and positions in the world, as of the last extraction. `camera` {0}: the first
// camera of the screen.
FiloVec2 filo_gfx2d_to_world(const FiloGfx2d *gfx, FiloEntity camera, FiloVec2 pixel);
FiloVec2 filo_gfx2d_to_screen(const FiloGfx2d *gfx, FiloEntity camera, FiloVec2 position);
// The rectangle of the world that a camera sees.
FiloRect filo_gfx2d_visible(const FiloGfx2d *gfx, FiloEntity camera);

typedef struct FiloGfx2dStats {
    size_t sprites; // in the world, with FiloSprite and FiloTransform2
    size_t visible; // drawn, summed over all cameras; with the quads of batches
    size_t rebuilt; // built in this extraction; the others were cached
    size_t draws;   // draw calls; the CPU counts passes
    size_t pages;   // of the atlas
    size_t images;
    double extract_ms, render_ms;
} FiloGfx2dStats;
FiloGfx2dStats filo_gfx2d_stats(const FiloGfx2d *gfx);

// ---- As a module ------------------------------------------------------------------------------------------

// The module "gfx2d" (filo/modules.h), which every app has. It provides the objects FiloGfx2d and FiloDraw, needs
// FiloWorld, and uses FiloAssets and FiloGpu if they are there. It draws sprites at FILO_RENDER_SPRITES. What hooks
// draw immediately (FILO_OBJECT(frame->modules, FiloDraw)) is drawn in the order of the hooks.
typedef struct FiloGfx2dModule {
    FiloGfx2dDesc desc; // `world`, `assets`, `gpu` and `allocator` are set by the module
    FiloHeap heap;      // private, like the rest
    FiloGfx2d *gfx;
    bool sprites_due;
} FiloGfx2dModule;
// For filo_modules_register. `module` must not move as long as it is registered.
FiloModuleDesc filo_gfx2d_module(FiloGfx2dModule *module);

FILO_END_DECLS

#endif
