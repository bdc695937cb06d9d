// The passes of a frame: shadows and scene of each camera, then its picture to the window or a target.

#include "gfx3d/render/render.h"

FiloResult gfx3d_passes_init(FiloGfx3d *gfx) {
    Gfx3dPasses *passes = gfx->passes = filo_alloc_zero(gfx->allocator, sizeof *passes, 0);
    if (passes == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for passes");
    passes->pictures.allocator = passes->targets.allocator = gfx->allocator;
    return gfx3d_post_init(gfx);
}

void gfx3d_passes_deinit(FiloGfx3d *gfx) {
    if (gfx->passes == NULL) return;
    gfx3d_pictures_free(gfx, true);
    filo_array_deinit(&gfx->passes->pictures);
    gfx3d_targets_deinit(gfx);
    gfx3d_post_deinit(gfx);
    filo_free(gfx->allocator, gfx->passes, sizeof *gfx->passes, 0);
    gfx->passes = NULL;
}

FiloIVec2 gfx3d_picture_size(const FiloGfx3d *gfx, const Gfx3dView *view) {
    float scale = gfx->desc.render_scale;
    int limit = filo_gpu_limits(gfx->gpu)->picture_size;
    int width = filo_round_to_int((float)view->width * scale),
        height = filo_round_to_int((float)view->height * scale);
    return (FiloIVec2){ FILO_CLAMP(width, 1, limit), FILO_CLAMP(height, 1, limit) };
}

static void draw_shadows(FiloGfx3d *gfx, const Gfx3dView *camera) {
    for (size_t i = 0; i < FILO_COUNT_OF(camera->shadows); i++) {
        const Gfx3dView *view = camera->shadows[i];
        if (view == NULL) continue;
        filo_gpu_begin_pass(
            gfx->gpu,
            &(FiloGpuPass){ .label = "shadows", .target = gfx3d_shadow_target(gfx, view), .clear = true });
        gfx3d_draw_opaque(gfx, view, GFX3D_PASS_SHADOW);
        gfx3d_grounds_draw(gfx, view, GFX3D_PASS_SHADOW);
        filo_gpu_end_pass(gfx->gpu);
    }
}

static void draw_scene(FiloGfx3d *gfx, const Gfx3dView *view, const Gfx3dPicture *picture) {
    filo_gpu_begin_pass(gfx->gpu,
                        &(FiloGpuPass){ .label = "scene", .target = picture->scene, .clear = true });
    if (gfx->desc.depth_prepass && !view->settings.wireframe) {
        gfx3d_draw_opaque(gfx, view, GFX3D_PASS_DEPTH);
        gfx3d_grounds_draw(gfx, view, GFX3D_PASS_DEPTH);
    }
    gfx3d_draw_opaque(gfx, view, GFX3D_PASS_COLOR);
    gfx3d_grounds_draw(gfx, view, GFX3D_PASS_COLOR);
    gfx3d_sky_draw(gfx, view);
    gfx3d_draw_blended(gfx, view);
    gfx3d_effects_draw(gfx, view);
    filo_gpu_end_pass(gfx->gpu);
}

// Targets that materials show are read as linear values, so they are copied to a texture that has them.
static void copy_target(FiloGfx3d *gfx, const Gfx3dTarget *target) {
    if (!target->drawn || !gfx3d_texture_used(gfx, target->name)) return;
    filo_gpu_begin_pass(gfx->gpu, &(FiloGpuPass){ .label = "copy target", .target = target->linear_target });
    filo_gpu_use(gfx->gpu, gfx->passes->copy_target);
    (void)filo_gpu_set_texture(gfx->gpu, "image", target->texture);
    filo_gpu_draw(gfx->gpu, 0, 3, 1);
    filo_gpu_end_pass(gfx->gpu);
}

bool gfx3d_passes_draw(FiloGfx3d *gfx) {
    Gfx3dPasses *passes = gfx->passes;
    bool window = false;
    passes->frame++;
    filo_array_each (&passes->targets, target) target->drawn = false;
    filo_array_each (&gfx->views, slot) {
        const Gfx3dView *view = *slot;
        if (view->shadow || view->frame_block.buffer.id == 0) continue;
        FiloIVec2 size = gfx3d_picture_size(gfx, view);
        Gfx3dPicture *picture = gfx3d_picture(gfx, size.x, size.y);
        if (picture == NULL) continue;
        bool *drawn = view->target == 0 ? &window : &passes->targets.items[view->target - 1].drawn;
        draw_shadows(gfx, view);
        draw_scene(gfx, view, picture);
        gfx3d_post_draw(gfx, view, picture, !*drawn);
        *drawn = true;
        if (view->target != 0) copy_target(gfx, &passes->targets.items[view->target - 1]);
    }
    gfx3d_pictures_free(gfx, false);
    return window;
}
