// Passes, first version: one HDR target, gamma, the window.

#include "gfx3d/renderer.h"

struct Gfx3dPasses {
    FiloTexture color, depth;
    FiloRenderTarget target;
    int width, height;
    FiloPipeline copy;
};

FiloIVec2 gfx3d_target_size(const FiloGfx3d *gfx, uint32_t target) {
    FILO_UNUSED(target);
    return (FiloIVec2){ gfx->width, gfx->height };
}

FiloResult gfx3d_passes_init(FiloGfx3d *gfx) {
    gfx->passes = filo_alloc_zero(gfx->allocator, sizeof *gfx->passes, 0);
    if (gfx->passes == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for passes");
    return filo_gpu_pipeline_create(
        &gfx->passes->copy, gfx->gpu,
        &(FiloPipelineDesc){
            .label = "copy",
            .vertex = "out vec2 uv; void main() { uv = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);\n"
                      "gl_Position = vec4(uv * vec2(2.0, -2.0) + vec2(-1.0, 1.0), 0.0, 1.0); }",
            .fragment = "uniform sampler2D image; in vec2 uv; out vec4 o;\n"
                        "void main() { o = vec4(pow(texture(image, uv).rgb, vec3(1.0 / 2.2)), 1.0); }",
            .blend = FILO_BLEND_NONE });
}

static void release(FiloGfx3d *gfx) {
    filo_gpu_target_destroy(gfx->gpu, gfx->passes->target);
    filo_gpu_texture_destroy(gfx->gpu, gfx->passes->color);
    filo_gpu_texture_destroy(gfx->gpu, gfx->passes->depth);
}

void gfx3d_passes_deinit(FiloGfx3d *gfx) {
    if (gfx->passes == NULL) return;
    release(gfx);
    filo_gpu_pipeline_destroy(gfx->gpu, gfx->passes->copy);
    filo_free(gfx->allocator, gfx->passes, sizeof *gfx->passes, 0);
}

static bool resize(FiloGfx3d *gfx) {
    Gfx3dPasses *p = gfx->passes;
    if (p->width == gfx->width && p->height == gfx->height) return true;
    release(gfx);
    p->width = gfx->width;
    p->height = gfx->height;
    return filo_gpu_texture_create(&p->color, gfx->gpu,
                                   &(FiloTextureDesc){ .label = "hdr",
                                                       .format = FILO_TEXTURE_RGBA16F,
                                                       .width = p->width,
                                                       .height = p->height,
                                                       .target = true })
                   .code == FILO_OK &&
           filo_gpu_texture_create(&p->depth, gfx->gpu,
                                   &(FiloTextureDesc){ .label = "depth",
                                                       .format = FILO_TEXTURE_DEPTH24,
                                                       .width = p->width,
                                                       .height = p->height,
                                                       .target = true })
                   .code == FILO_OK &&
           filo_gpu_target_create(
               &p->target, gfx->gpu,
               &(FiloRenderTargetDesc){ .label = "hdr", .color = p->color, .depth = p->depth })
                   .code == FILO_OK;
}

bool gfx3d_passes_draw(FiloGfx3d *gfx) {
    if (gfx->views.count == 0 || !resize(gfx)) return false;
    filo_gpu_begin_pass(gfx->gpu, &(FiloGpuPass){ .label = "scene",
                                                  .target = gfx->passes->target,
                                                  .clear = true,
                                                  .color = { 0.3f, 0.5f, 0.8f, 1 } });
    for (size_t i = 0; i < gfx->views.count; i++) {
        const Gfx3dView *view = gfx->views.items[i];
        if (view->shadow) continue;
        filo_gpu_set_viewport(gfx->gpu, view->x, view->y, view->width, view->height);
        gfx3d_draw_opaque(gfx, view, GFX3D_PASS_COLOR);
        gfx3d_grounds_draw(gfx, view, GFX3D_PASS_COLOR);
        gfx3d_sky_draw(gfx, view);
        gfx3d_draw_blended(gfx, view);
        gfx3d_effects_draw(gfx, view);
    }
    filo_gpu_end_pass(gfx->gpu);
    filo_gpu_begin_pass(
        gfx->gpu,
        &(FiloGpuPass){ .label = "window", .width = gfx->width, .height = gfx->height, .clear = true });
    filo_gpu_use(gfx->gpu, gfx->passes->copy);
    filo_gpu_set_texture(gfx->gpu, "image", gfx->passes->color);
    filo_gpu_draw(gfx->gpu, 0, 3, 1);
    filo_gpu_end_pass(gfx->gpu);
    return true;
}
