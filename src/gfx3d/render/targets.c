// Pictures of the program that cameras draw to.

#include "gfx3d/render/render.h"

// An array with one layer: so the 2D renderer reads it as it reads its own pages. And a plain texture of which shaders read
// linear values.
static FiloResult make_texture(FiloGfx3d *gfx, const Gfx3dTarget *target, bool linear, FiloTexture *texture,
                               FiloRenderTarget *render_target) {
    const char *label = filo_name_text(target->name);
    FiloResult r = filo_gpu_texture_create(
        texture, gfx->gpu,
        &(FiloTextureDesc){ .label = label,
                            .format = linear ? FILO_TEXTURE_RGBA8_SRGB : FILO_TEXTURE_RGBA8,
                            .width = target->width,
                            .height = target->height,
                            .layers = linear ? 0 : 1,
                            .linear = true,
                            .target = true });
    if (r.code != FILO_OK) return r;
    return filo_gpu_target_create(render_target, gfx->gpu,
                                  &(FiloRenderTargetDesc){ .label = label, .color = *texture });
}

static FiloResult make(FiloGfx3d *gfx, Gfx3dTarget *target) {
    FiloResult r = make_texture(gfx, target, false, &target->texture, &target->target);
    return r.code == FILO_OK
               ? make_texture(gfx, target, true, &target->linear_texture, &target->linear_target)
               : r;
}

static void destroy(FiloGfx3d *gfx, Gfx3dTarget *target) {
    filo_gpu_target_destroy(gfx->gpu, target->target);
    filo_gpu_target_destroy(gfx->gpu, target->linear_target);
    filo_gpu_texture_destroy(gfx->gpu, target->texture);
    filo_gpu_texture_destroy(gfx->gpu, target->linear_texture);
}

void gfx3d_targets_deinit(FiloGfx3d *gfx) {
    filo_array_each (&gfx->passes->targets, target) destroy(gfx, target);
    filo_array_deinit(&gfx->passes->targets);
}

FiloResult filo_gfx3d_target_create(uint32_t *number, FiloGfx3d *gfx, FiloName name, int width, int height) {
    if (number == NULL) return FILO_MISTAKE("say where to put the new target");
    *number = 0;
    if (gfx == NULL || name.id == 0 || width < 1 || height < 1)
        return FILO_MISTAKE("a target needs a renderer, a name, and a size of at least 1 × 1");
    Gfx3dTarget target = { .name = name, .width = width, .height = height };
    int limit = filo_gpu_limits(gfx->gpu)->picture_size;
    if (width > limit || height > limit)
        return filo_error(FILO_ERROR_LIMIT, "%s: a target of %d × %d; this device draws up to %d × %d",
                          filo_name_text(name), width, height, limit, limit);
    if (!filo_array_reserve(&gfx->passes->targets, gfx->passes->targets.count + 1))
        return filo_error(FILO_ERROR_MEMORY, "%s: no memory for a target", filo_name_text(name));
    FiloResult r = make(gfx, &target);
    if (r.code != FILO_OK) {
        destroy(gfx, &target);
        return r;
    }
    (void)filo_array_push(&gfx->passes->targets, target); // it was reserved
    gfx3d_texture_give(gfx, name, target.linear_texture);
    *number = (uint32_t)gfx->passes->targets.count;
    return r;
}

FiloTexture filo_gfx3d_target_texture(const FiloGfx3d *gfx, uint32_t target) {
    if (!FILO_CHECK(gfx != NULL, "pass a renderer") ||
        !FILO_CHECK(target >= 1 && target <= gfx->passes->targets.count,
                    "there is no target %u; make it by filo_gfx3d_target_create", target))
        return (FiloTexture){ 0 };
    return gfx->passes->targets.items[target - 1].texture;
}

FiloIVec2 gfx3d_target_size(const FiloGfx3d *gfx, uint32_t target) {
    if (target == 0) return (FiloIVec2){ gfx->width, gfx->height };
    if (!FILO_CHECK(target <= gfx->passes->targets.count,
                    "a camera draws to target %u, which does not exist; make it by filo_gfx3d_target_create",
                    target))
        return (FiloIVec2){ 0, 0 };
    const Gfx3dTarget *found = &gfx->passes->targets.items[target - 1];
    return (FiloIVec2){ found->width, found->height };
}
