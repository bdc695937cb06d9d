// Drawing with the GPU.
//
// The quads of the packet are in the ring already. Immediate quads, and the boxes that fill viewports, are copied there
// now. Views of the same picture share a pass.

#include "gfx2d/renderer.h"

FiloResult gfx2d_render_gpu_init(FiloGfx2d *gfx) {
    static const char *const labels[] = { "sprites", "sprites (linear)", "sprites (shapes)",
                                          "sprites (linear, shapes)", "sprites (all)" };
    FiloResult result = filo_ok();
    for (unsigned i = 0; i < FILO_COUNT_OF(gfx->pipelines) && result.code == FILO_OK; i++)
        result = gfx2d_shaders_make(&gfx->pipelines[i], gfx, labels[i], i < GFX2D_PIPELINES - 1 ? i : 7, NULL,
                                    FILO_BLEND_OVER);
    if (result.code == FILO_OK)
        result = gfx2d_shaders_make(&gfx->fill, gfx, "fill", GFX2D_FEATURE_SHAPES, NULL, FILO_BLEND_NONE);
    if (result.code != FILO_OK) return result;
    FiloRingDesc quads = { .label = "quads", .use = FILO_BUFFER_VERTICES, .size = 1024 * sizeof(FiloQuad) };
    return filo_gpu_ring_create(&gfx->ring, gfx->gpu, &quads);
}

void gfx2d_render_gpu_deinit(FiloGfx2d *gfx) {
    gfx2d_shaders_deinit(gfx);
    for (size_t i = 0; i < FILO_COUNT_OF(gfx->pipelines); i++)
        if (gfx->pipelines[i].id != 0) filo_gpu_pipeline_destroy(gfx->gpu, gfx->pipelines[i]);
    if (gfx->fill.id != 0) filo_gpu_pipeline_destroy(gfx->gpu, gfx->fill);
    if (gfx->ring != NULL) filo_gpu_ring_destroy(gfx->gpu, gfx->ring);
}

// ---- Copying to the ring --------------------------------------------------------------------------------------

// Copies the boxes that fill the viewports, then the immediate quads of the world, then those of the screen.
static bool copy_lists(FiloGfx2d *gfx, const Gfx2dRenderRange *range, FiloRingPiece *piece) {
    FiloQuadSpan world = gfx2d_draw_world_quads(gfx->draw), screen = gfx2d_draw_screen_quads(gfx->draw);
    size_t world_count = range->views ? world.count - range->first_world : 0;
    size_t screen_count = screen.count - range->first_screen;
    size_t count = (range->views ? gfx->views.count : 0) + world_count + screen_count;
    if (!filo_gpu_ring_take(gfx->gpu, gfx->ring, count * sizeof(FiloQuad), piece)) return false;
    FiloQuad *to = piece->memory;
    if (range->views)
        filo_array_each (&gfx->views, view) {
            FiloVec2 half = filo_vec2((float)view->width * 0.5f, (float)view->height * 0.5f);
            FiloVec2 centre = filo_vec2((float)view->x + half.x, (float)view->y + half.y);
            FiloColor color = gfx2d_view_blends(view, range) ? view->background
                                                             : gfx2d_view_background(view, gfx->background);
            *to++ = filo_quad_box(centre, half, color);
        }
    if (world_count > 0) memcpy(to, world.quads + range->first_world, world_count * sizeof *to);
    to += world_count;
    if (screen_count > 0) memcpy(to, screen.quads + range->first_screen, screen_count * sizeof *to);
    filo_gpu_ring_done(gfx->gpu, gfx->ring, piece);
    return true;
}

// ---- Draw calls -----------------------------------------------------------------------------------------------

typedef struct Output {
    FiloRenderTarget target;
    FiloTexture texture; // of the target; {0}: the window
    int width, height;
} Output;

static Output output_of(const FiloGfx2d *gfx, uint32_t number) {
    if (number == 0) return (Output){ .width = gfx->width, .height = gfx->height };
    const Gfx2dTarget *target = &gfx->targets.items[number - 1];
    return (Output){ target->target, target->texture, target->width, target->height };
}

// The pipeline and texture of a state. False if it shows the target that is being drawn to, or one that does not exist.
static bool use_state(FiloGfx2d *gfx, uint16_t state, unsigned features, const Output *output,
                      FiloPipeline *pipeline, FiloTexture *texture) {
    *pipeline = gfx->pipelines[gfx2d_shaders_pipeline(features)];
    *texture = gfx->pages.texture;
    if (state >= GFX2D_STATE_TARGET) {
        size_t number = state - GFX2D_STATE_TARGET;
        if (number == 0 || number > gfx->targets.count) return false;
        *texture = gfx->targets.items[number - 1].texture;
        *pipeline = gfx->pipelines[GFX2D_FEATURE_LINEAR]; // pipeline 0 has no code for targets
        if ((features & GFX2D_FEATURE_SHAPES) != 0)
            *pipeline = gfx->pipelines[gfx2d_shaders_pipeline(features | GFX2D_FEATURE_LINEAR)];
        return texture->id != output->texture.id;
    }
    if (state > 0 && state <= gfx->shaders.count && gfx->shaders.items[state - 1].pipeline.id != 0)
        *pipeline = gfx->shaders.items[state - 1].pipeline;
    return true;
}

// Draws the quads from `first` on of a piece of the ring.
static void draw_quads(FiloGfx2d *gfx, FiloPipeline pipeline, FiloTexture texture, const Output *output,
                       const FiloAffine2 *view, const FiloRingPiece *piece, size_t first, size_t count) {
    FiloGpu *gpu = gfx->gpu;
    if (piece->buffer.id == 0 || count == 0) return;
    filo_gpu_use(gpu, pipeline);
    filo_gpu_set_vec4(gpu, "view", filo_vec4(view->x.x, view->x.y, view->y.x, view->y.y));
    filo_gpu_set_vec2(gpu, "origin", view->origin);
    filo_gpu_set_vec2(gpu, "size", filo_vec2((float)output->width, (float)output->height));
    filo_gpu_set_float(gpu, "per_texel", 1.0f / (float)gfx->pages.texture_size);
    filo_gpu_set_float(gpu, "time", gfx->time);
    filo_gpu_set_texture(gpu, "pages", texture);
    filo_gpu_set_vertices(gpu, 0, piece->buffer, piece->offset + first * sizeof(FiloQuad));
    filo_gpu_draw(gpu, 0, 4, (int)count);
    gfx->stats.draws++;
}

// Sets the scissor for the calls with a clip. False if it is empty.
static bool set_clip(FiloGfx2d *gfx, const Gfx2dView *view, uint32_t clip) {
    Gfx2dArea area = { 0 };
    if ((clip != 0 || view != NULL) && !gfx2d_batch_area(gfx, view, clip, &area)) return false;
    filo_gpu_set_scissor(gfx->gpu, area.x, area.y, area.width, area.height);
    return true;
}

// `view` NULL: immediate quads of the screen.
static void draw_calls(FiloGfx2d *gfx, const Gfx2dView *view, const Gfx2dRenderRange *range,
                       const FiloRingPiece *lists, const Output *output) {
    const FiloAffine2 pixels = filo_affine2_identity();
    size_t world = range->views ? gfx->views.count : 0;
    size_t screen = world + (range->views ? gfx2d_draw_world_quads(gfx->draw).count - range->first_world : 0);
    uint32_t clip = 0; // of the scissor
    filo_array_each (&gfx->calls, call) {
        FiloPipeline pipeline;
        FiloTexture texture;
        if (call->clip != clip && !set_clip(gfx, view, call->clip)) continue;
        clip = call->clip;
        if (!use_state(gfx, call->state, call->features, output, &pipeline, &texture)) continue;
        const FiloRingPiece *piece = view != NULL && call->source == GFX2D_FROM_PACKET ? &view->piece : lists;
        size_t first = call->first;
        if (call->source == GFX2D_FROM_WORLD_LIST) first += world - range->first_world;
        if (call->source == GFX2D_FROM_SCREEN_LIST) first += screen - range->first_screen;
        draw_quads(gfx, pipeline, texture, output, view != NULL ? &view->to_pixels : &pixels, piece, first,
                   call->count);
    }
}

// ---- Passes -----------------------------------------------------------------------------------------------------

static FiloVec4 to_floats(FiloColor color) {
    return filo_vec4((float)color.r / 255.0f, (float)color.g / 255.0f, (float)color.b / 255.0f,
                     (float)color.a / 255.0f);
}

// Begins the pass of a view, unless it shares that of the view before. The first view of a picture clears it.
static void begin_pass(FiloGfx2d *gfx, size_t number, const Gfx2dRenderRange *range, const Output *output,
                       bool *cleared) {
    const Gfx2dView *view = &gfx->views.items[number];
    bool clear = view->first && range->sprites && !(range->over && view->target == 0);
    bool whole =
        view->x == 0 && view->y == 0 && view->width == output->width && view->height == output->height;
    *cleared = clear && whole;
    if (number > 0 && gfx->views.items[number - 1].target == view->target) return;
    FiloColor other = view->target == 0 ? gfx->background : filo_color(0, 0, 0, 0);
    filo_gpu_begin_pass(
        gfx->gpu, &(FiloGpuPass){ .label = view->target == 0 ? "sprites" : "sprites to target",
                                  .target = output->target,
                                  .width = output->width,
                                  .height = output->height,
                                  .clear = clear,
                                  .color = to_floats(whole ? gfx2d_view_background(view, other) : other) });
}

// Draws the immediate quads of the screen, inside of a pass.
static void draw_screen(FiloGfx2d *gfx, const Gfx2dRenderRange *range, const FiloRingPiece *lists,
                        const Output *output) {
    filo_array_clear(&gfx->calls);
    (void)gfx2d_batch_screen(gfx, range, &gfx->calls);
    draw_calls(gfx, NULL, range, lists, output);
}

static void draw_view(FiloGfx2d *gfx, size_t number, const Gfx2dRenderRange *range,
                      const FiloRingPiece *lists) {
    const Gfx2dView *view = &gfx->views.items[number];
    Output output = output_of(gfx, view->target);
    const FiloAffine2 pixels = filo_affine2_identity();
    bool cleared;
    begin_pass(gfx, number, range, &output, &cleared);
    filo_gpu_set_scissor(gfx->gpu, view->x, view->y, view->width, view->height);
    if (gfx2d_view_clears(view, range) && !cleared) {
        FiloPipeline fill = gfx2d_view_blends(view, range) ? gfx->pipelines[GFX2D_FEATURE_SHAPES] : gfx->fill;
        draw_quads(gfx, fill, gfx->pages.texture, &output, &pixels, lists, number, 1);
    }
    filo_array_clear(&gfx->calls);
    (void)gfx2d_batch_view(gfx, view, range, &gfx->calls);
    draw_calls(gfx, view, range, lists, &output);
    bool last = number + 1 == gfx->views.count;
    if (last && view->target == 0) {
        filo_gpu_set_scissor(gfx->gpu, 0, 0, 0, 0);
        draw_screen(gfx, range, lists, &output);
    }
    if (last || gfx->views.items[number + 1].target != view->target) filo_gpu_end_pass(gfx->gpu);
}

static void draw_screen_alone(FiloGfx2d *gfx, const Gfx2dRenderRange *range, const FiloRingPiece *lists) {
    Output output = output_of(gfx, 0);
    filo_gpu_begin_pass(gfx->gpu, &(FiloGpuPass){ .label = "immediate",
                                                  .width = output.width,
                                                  .height = output.height,
                                                  .clear = !range->over,
                                                  .color = to_floats(gfx->background) });
    draw_screen(gfx, range, lists, &output);
    filo_gpu_end_pass(gfx->gpu);
}

bool gfx2d_render_gpu(FiloGfx2d *gfx, const Gfx2dRenderRange *range) {
    FiloRingPiece lists;
    gfx2d_shaders_update(gfx);
    gfx2d_extract_end_writes(gfx);
    if (!copy_lists(gfx, range, &lists)) return false;
    if (!range->views)
        draw_screen_alone(gfx, range, &lists);
    else
        for (size_t i = 0; i < gfx->views.count; i++) draw_view(gfx, i, range, &lists);
    return true;
}

FiloResult gfx2d_render_gpu_read(FiloGfx2d *gfx) {
    if (!gfx2d_renderer_size_picture(gfx))
        return filo_error(FILO_ERROR_MEMORY, "no memory for the %d × %d pixels that were drawn", gfx->width,
                          gfx->height);
    return filo_gpu_read(gfx->gpu, (FiloRenderTarget){ 0 }, 0, 0, &gfx->picture);
}
