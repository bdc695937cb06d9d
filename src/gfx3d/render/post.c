// From linear colours to a screen: bloom, tone mapping, FXAA. See render.h.

#include "gfx3d/render/render.h"

#include <filo/log.h>

#include <stdio.h>

static FiloResult make(FiloGfx3d *gfx, FiloPipeline *pipeline, const char *file, const char *defines,
                       FiloBlend blend) {
    return gfx3d_program_create(
        pipeline, gfx,
        &(Gfx3dProgramDesc){ .label = file, .defines = defines, .pipeline = { .blend = blend } });
}

FiloResult gfx3d_post_init(FiloGfx3d *gfx) {
    Gfx3dPasses *p = gfx->passes;
    FiloResult r = make(gfx, &p->bright, "post_bloom.glsl", "BRIGHT", FILO_BLEND_NONE);
    if (r.code == FILO_OK) r = make(gfx, &p->smaller, "post_bloom.glsl", "SMALLER", FILO_BLEND_NONE);
    if (r.code == FILO_OK) r = make(gfx, &p->larger, "post_bloom.glsl", "LARGER", FILO_BLEND_ADD);
    for (int i = 0; i < 2 && r.code == FILO_OK; i++)
        r = make(gfx, &p->fxaa[i], "post_fxaa.glsl", i == 1 ? "OPAQUE" : NULL, FILO_BLEND_NONE);
    if (r.code == FILO_OK) r = make(gfx, &p->copy, "post_copy.glsl", NULL, FILO_BLEND_NONE);
    if (r.code == FILO_OK) r = make(gfx, &p->copy_target, "post_copy.glsl", "TARGET", FILO_BLEND_NONE);
    return r;
}

void gfx3d_post_deinit(FiloGfx3d *gfx) {
    Gfx3dPasses *p = gfx->passes;
    const FiloPipeline all[] = { p->bright,  p->smaller, p->larger,     p->fxaa[0],
                                 p->fxaa[1], p->copy,    p->copy_target };
    for (size_t i = 0; i < FILO_COUNT_OF(all); i++) filo_gpu_pipeline_destroy(gfx->gpu, all[i]);
    for (size_t i = 0; i < GFX3D_TONES; i++) filo_gpu_pipeline_destroy(gfx->gpu, p->tone[i]);
}

// ---- Bloom ----------------------------------------------------------------------------------------------------

static FiloVec2 texel_of(int width, int height) {
    return filo_vec2(1.0f / (float)width, 1.0f / (float)height);
}

static void bloom_step(FiloGfx3d *gfx, FiloRenderTarget to, FiloPipeline pipeline, FiloTexture from,
                       FiloVec2 texel, float exposure) {
    filo_gpu_begin_pass(gfx->gpu, &(FiloGpuPass){ .label = "bloom", .target = to });
    filo_gpu_use(gfx->gpu, pipeline);
    (void)filo_gpu_set_texture(gfx->gpu, "image", from);
    (void)filo_gpu_set_vec2(gfx->gpu, "texel", texel);
    (void)filo_gpu_set_float(gfx->gpu, "exposure", exposure);
    filo_gpu_draw(gfx->gpu, 0, 3, 1);
    filo_gpu_end_pass(gfx->gpu);
}

static FiloVec2 level_texel(const FiloGfx3d *gfx, FiloTexture texture) {
    FiloTextureInfo info = filo_gpu_texture_info(gfx->gpu, texture);
    return texel_of(info.width, info.height);
}

static bool draw_bloom(FiloGfx3d *gfx, Gfx3dPicture *picture, float exposure) {
    if (!gfx3d_picture_bloom(gfx, picture)) return false;
    Gfx3dPasses *p = gfx->passes;
    bloom_step(gfx, picture->bloom_targets[0], p->bright, picture->color,
               texel_of(picture->width, picture->height), exposure);
    for (int i = 1; i < GFX3D_BLOOM_LEVELS; i++)
        bloom_step(gfx, picture->bloom_targets[i], p->smaller, picture->bloom[i - 1],
                   level_texel(gfx, picture->bloom[i - 1]), 1.0f);
    for (int i = GFX3D_BLOOM_LEVELS - 1; i > 0; i--)
        bloom_step(gfx, picture->bloom_targets[i - 1], p->larger, picture->bloom[i],
                   filo_vec2_scale(level_texel(gfx, picture->bloom[i]), 0.75f), 1.0f);
    return true;
}

// ---- Tone mapping and FXAA --------------------------------------------------------------------------------------

#define FXAA_STEPS 7

typedef struct Tone {
    FiloTone curve;
    bool opaque; // for FXAA: alpha is not needed
    float exposure, bloom;
    FiloVec4 background;
} Tone;

// Outside of passes. False if it cannot be made.
static bool make_tone(FiloGfx3d *gfx, FiloPipeline *pipeline, const Tone *tone) {
    static const char *const curves[] = { "FILM", "NEUTRAL", "NONE" };
    FiloPipeline *made =
        &gfx->passes->tone[(tone->bloom > 0.0f ? 1 : 0) + (tone->opaque ? 2 : 0) + 4 * (int)tone->curve];
    char defines[32];
    (void)snprintf(defines, sizeof defines, "%s%s%s", curves[tone->curve], tone->bloom > 0.0f ? " BLOOM" : "",
                   tone->opaque ? " OPAQUE" : "");
    FiloResult r = made->id == 0 ? make(gfx, made, "post_tone.glsl", defines, FILO_BLEND_NONE) : filo_ok();
    if (r.code != FILO_OK) filo_log_error("gfx3d", "%s", r.message);
    *pipeline = *made;
    return r.code == FILO_OK;
}

static void draw_tone(FiloGfx3d *gfx, const Gfx3dPicture *picture, FiloPipeline pipeline, const Tone *tone) {
    filo_gpu_use(gfx->gpu, pipeline);
    (void)filo_gpu_set_texture(gfx->gpu, "image", picture->color);
    (void)filo_gpu_set_float(gfx->gpu, "exposure", tone->exposure);
    (void)filo_gpu_set_vec4(gfx->gpu, "background", tone->background);
    if (tone->bloom > 0.0f) {
        (void)filo_gpu_set_texture(gfx->gpu, "glow", picture->bloom[0]);
        (void)filo_gpu_set_float(gfx->gpu, "bloom", tone->bloom);
    }
    filo_gpu_draw(gfx->gpu, 0, 3, 1);
}

static Tone tone_of(FiloGfx3d *gfx, const Gfx3dView *view, Gfx3dPicture *picture) {
    Gfx3dExposure exposure = gfx3d_lights_exposure(gfx, view);
    FiloVec4 behind = filo_color_to_linear(view->settings.background);
    Tone tone = { .curve =
                      view->settings.tone <= FILO_TONE_NONE ? (FiloTone)view->settings.tone : FILO_TONE_FILM,
                  .exposure = exposure.factor,
                  .background =
                      filo_vec4(behind.x * behind.w, behind.y * behind.w, behind.z * behind.w, behind.w) };
    // The window has nothing behind it.
    if (view->target == 0) tone.background.w = 1.0f;
    if (exposure.bloom > 0.0f && draw_bloom(gfx, picture, tone.exposure)) {
        tone.bloom = exposure.bloom * (1.0f / GFX3D_BLOOM_LEVELS);
    }
    return tone;
}

static void begin_output(FiloGfx3d *gfx, const Gfx3dView *view, FiloRenderTarget target, bool first) {
    FiloIVec2 size = gfx3d_target_size(gfx, view->target);
    bool whole = view->x == 0 && view->y == 0 && view->width == size.x && view->height == size.y;
    filo_gpu_begin_pass(gfx->gpu, &(FiloGpuPass){ .label = "output",
                                                  .target = target,
                                                  .width = view->target == 0 ? gfx->width : 0,
                                                  .height = view->target == 0 ? gfx->height : 0,
                                                  .clear = first && !whole,
                                                  .color = { 0, 0, 0, view->target == 0 ? 1.0f : 0.0f } });
    filo_gpu_set_viewport(gfx->gpu, view->x, view->y, view->width, view->height);
}

void gfx3d_post_draw(FiloGfx3d *gfx, const Gfx3dView *view, Gfx3dPicture *picture, bool first) {
    const Gfx3dTarget *target = view->target != 0 ? &gfx->passes->targets.items[view->target - 1] : NULL;
    Tone tone = tone_of(gfx, view, picture);
    bool same_size = picture->width == view->width && picture->height == view->height;
    FiloRenderTarget output = target != NULL ? target->target : (FiloRenderTarget){ 0 };
    bool direct = gfx->desc.no_fxaa && same_size;
    tone.opaque = !gfx->desc.no_fxaa && view->target == 0;
    FiloPipeline pipeline;
    if (!make_tone(gfx, &pipeline, &tone)) return;
    if (direct) {
        begin_output(gfx, view, output, first);
        draw_tone(gfx, picture, pipeline, &tone);
        filo_gpu_end_pass(gfx->gpu);
        return;
    }
    filo_gpu_begin_pass(gfx->gpu, &(FiloGpuPass){ .label = "tone mapping", .target = picture->map });
    draw_tone(gfx, picture, pipeline, &tone);
    filo_gpu_end_pass(gfx->gpu);
    begin_output(gfx, view, output, first);
    filo_gpu_use(gfx->gpu, gfx->desc.no_fxaa ? gfx->passes->copy : gfx->passes->fxaa[tone.opaque ? 1 : 0]);
    (void)filo_gpu_set_texture(gfx->gpu, "image", picture->mapped);
    (void)filo_gpu_set_vec2(gfx->gpu, "texel", texel_of(picture->width, picture->height));
    (void)filo_gpu_set_int(gfx->gpu, "steps", FXAA_STEPS);
    filo_gpu_draw(gfx->gpu, 0, 3, 1);
    filo_gpu_end_pass(gfx->gpu);
}
