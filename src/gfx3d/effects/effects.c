// Effects: a frame. See effects.h.

#include "gfx3d/effects/effects.h"

// ---- Creating -------------------------------------------------------------------------------------------------

static FiloResult make_quad_pipeline(FiloPipeline *pipeline, FiloGfx3d *gfx, const char *defines) {
    return gfx3d_program_create(
        pipeline, gfx,
        &(Gfx3dProgramDesc){
            .label = "effects.glsl",
            .defines = defines,
            .pipeline = { .topology = FILO_TRIANGLE_STRIP,
                          .blend = FILO_BLEND_OVER,
                          .depth_test = true,
                          .attributes = { { FILO_ATTRIBUTE_FLOAT3, 0, offsetof(Gfx3dQuad, centre) },
                                          { FILO_ATTRIBUTE_UINT, 0, offsetof(Gfx3dQuad, flags) },
                                          { FILO_ATTRIBUTE_FLOAT2, 0, offsetof(Gfx3dQuad, half) },
                                          { FILO_ATTRIBUTE_SHORT4_UNIT, 0, offsetof(Gfx3dQuad, axis) },
                                          { FILO_ATTRIBUTE_UBYTE4_UNIT, 0, offsetof(Gfx3dQuad, color) },
                                          { FILO_ATTRIBUTE_FLOAT, 0, offsetof(Gfx3dQuad, brightness) },
                                          { FILO_ATTRIBUTE_USHORT2_UNIT, 0, offsetof(Gfx3dQuad, uv) },
                                          { FILO_ATTRIBUTE_USHORT2_UNIT, 0, offsetof(Gfx3dQuad, uv) + 4 } },
                          .buffers = { { sizeof(Gfx3dQuad), true } } } });
}

static FiloResult make_line_pipeline(FiloPipeline *pipeline, FiloGfx3d *gfx, bool through) {
    return gfx3d_program_create(
        pipeline, gfx,
        &(Gfx3dProgramDesc){
            .label = "lines.glsl",
            .pipeline = {
                .topology = FILO_LINES,
                .blend = FILO_BLEND_OVER,
                .depth_test = !through,
                .attributes = { { FILO_ATTRIBUTE_FLOAT3, 0, offsetof(Gfx3dLineVertex, position) },
                                { FILO_ATTRIBUTE_UBYTE4_UNIT, 0, offsetof(Gfx3dLineVertex, color) } },
                .buffers = { { sizeof(Gfx3dLineVertex), false } } } });
}

static void set_allocators(Gfx3dEffects *effects, const FiloAllocator *allocator) {
    effects->images.allocator = effects->rows.allocator = effects->views.allocator = allocator;
    effects->line_lists[0].allocator = effects->line_lists[1].allocator = allocator;
    filo_map_init(&effects->slots, sizeof(uint16_t), allocator);
    for (size_t i = 0; i < GFX3D_EFFECT_BLOCKS; i++) {
        Gfx3dEffectBlock *block = &effects->blocks[i];
        block->quads.allocator = block->images.allocator = block->buckets.allocator = allocator;
        block->unknown.allocator = allocator;
    }
}

FiloResult gfx3d_effects_init(FiloGfx3d *gfx) {
    Gfx3dEffects *effects = gfx->effects = filo_alloc_zero(gfx->allocator, sizeof *effects, 0);
    if (effects == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for effects");
    set_allocators(effects, gfx->allocator);
    effects->billboards =
        filo_query(gfx->world, FILO_READ(FiloTransform3), FILO_READ(FiloBillboard),
                   FILO_OPTIONAL_READ(FiloPreviousTransform3), FILO_OPTIONAL_READ(FiloWorldTransform3));
    effects->particles =
        filo_query(gfx->world, FILO_READ(FiloTransform3), FILO_READ(FiloParticles),
                   FILO_OPTIONAL_READ(FiloPreviousTransform3), FILO_OPTIONAL_READ(FiloWorldTransform3));
    if (effects->billboards == NULL || effects->particles == NULL ||
        !filo_array_push(&effects->images, (Gfx3dEffectImage){ 0 }))
        return filo_error(FILO_ERROR_MEMORY, "no memory for effects");
    FiloResult r = make_quad_pipeline(&effects->spot, gfx, "SPOT");
    if (r.code == FILO_OK) r = make_quad_pipeline(&effects->image, gfx, NULL);
    if (r.code == FILO_OK) r = make_line_pipeline(&effects->lines, gfx, false);
    if (r.code == FILO_OK) r = make_line_pipeline(&effects->lines_through, gfx, true);
    if (r.code != FILO_OK) return r;
    FiloRingDesc ring = { .label = "effects", .use = FILO_BUFFER_VERTICES, .size = 1 << 16 };
    return filo_gpu_ring_create(&effects->ring, gfx->gpu, &ring);
}

void gfx3d_effects_deinit(FiloGfx3d *gfx) {
    Gfx3dEffects *effects = gfx->effects;
    if (effects == NULL) return;
    filo_query_release(effects->billboards);
    filo_query_release(effects->particles);
    for (size_t i = 0; i < GFX3D_EFFECT_BLOCKS; i++) {
        Gfx3dEffectBlock *block = &effects->blocks[i];
        filo_array_deinit(&block->quads);
        filo_array_deinit(&block->images);
        filo_array_deinit(&block->buckets);
        filo_array_deinit(&block->unknown);
        filo_free(gfx->allocator, block->counts, block->count_capacity * sizeof *block->counts, 0);
    }
    for (size_t i = 0; i < effects->views.count; i++) filo_array_deinit(&effects->views.items[i].runs);
    filo_array_deinit(&effects->views);
    filo_array_deinit(&effects->rows);
    filo_array_deinit(&effects->images);
    filo_map_deinit(&effects->slots);
    gfx3d_lines_deinit(gfx);
    filo_gpu_pipeline_destroy(gfx->gpu, effects->spot);
    filo_gpu_pipeline_destroy(gfx->gpu, effects->image);
    filo_gpu_pipeline_destroy(gfx->gpu, effects->lines);
    filo_gpu_pipeline_destroy(gfx->gpu, effects->lines_through);
    if (effects->ring != NULL) filo_gpu_ring_destroy(gfx->gpu, effects->ring);
    filo_free(gfx->allocator, effects, sizeof *effects, 0);
    gfx->effects = NULL;
}

// ---- A frame --------------------------------------------------------------------------------------------------

// The n-th view of a camera. NULL without memory.
static Gfx3dEffectView *effect_view(FiloGfx3d *gfx, size_t n) {
    Gfx3dEffects *effects = gfx->effects;
    if (n == effects->views.count) {
        Gfx3dEffectView view = { 0 };
        view.runs.allocator = gfx->allocator;
        if (!filo_array_push(&effects->views, view)) return NULL;
    }
    return &effects->views.items[n];
}

void gfx3d_effects_extract(FiloGfx3d *gfx) {
    Gfx3dEffects *effects = gfx->effects;
    for (size_t i = 0; i < effects->views.count; i++) effects->views.items[i].view = NULL;
    gfx3d_effect_quads_extract(gfx);
    gfx3d_effect_images_update(gfx);
    size_t n = 0;
    for (size_t i = 0; i < gfx->views.count; i++) {
        if (gfx->views.items[i]->shadow) continue;
        Gfx3dEffectView *view = effect_view(gfx, n++);
        if (view == NULL) return;
        view->view = gfx->views.items[i];
        gfx3d_effect_view_sort(gfx, view);
    }
}

static void draw_runs(FiloGfx3d *gfx, const Gfx3dEffectView *view) {
    Gfx3dEffects *effects = gfx->effects;
    if (view->piece.buffer.id == 0) return;
    filo_array_each (&view->runs, run) {
        filo_gpu_use(gfx->gpu, run->image == 0 ? effects->spot : effects->image);
        gfx3d_lights_bind(gfx, view->view, GFX3D_PASS_COLOR);
        if (run->image != 0)
            filo_gpu_set_texture(gfx->gpu, "image", effects->images.items[run->image].texture);
        filo_gpu_set_vertices(gfx->gpu, 0, view->piece.buffer,
                              view->piece.offset + run->first * sizeof(Gfx3dQuad));
        filo_gpu_draw(gfx->gpu, 0, 4, (int)run->count);
    }
}

void gfx3d_effects_draw(FiloGfx3d *gfx, const Gfx3dView *view) {
    filo_array_each (&gfx->effects->views, mine)
        if (mine->view == view) draw_runs(gfx, mine);
    gfx3d_lines_draw(gfx, view);
}

void gfx3d_effects_end(FiloGfx3d *gfx) {
    gfx3d_lines_forget(gfx);
    gfx->effects->rendered = true;
}

void gfx3d_effects_end_frame(FiloGfx3d *gfx) {
    // Lines that were added after rendering are for the next frame.
    if (!gfx->effects->rendered) gfx3d_lines_forget(gfx);
    gfx->effects->rendered = false;
}
