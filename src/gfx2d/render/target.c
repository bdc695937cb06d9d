// Targets: pictures to draw into, which sprites can show as images.
//
// On the CPU a target is an atlas page of its own. On the GPU it is a texture of its own, since the GPU cannot draw
// into a texture that it reads. Its frame has the page number GFX2D_PAGE_TARGET + target, from which extraction makes
// the state of the sprites that show it.
//
// A texture of another part of the program is shown in the same way: a target that no camera draws to.

#include "gfx2d/renderer.h"

static FiloResult make_on_cpu(FiloGfx2d *gfx, Gfx2dTarget *target) {
    if (!filo_pixels_create(&target->pixels, target->width, target->height, gfx->allocator))
        return filo_error(FILO_ERROR_MEMORY, "%s: no memory for a target of %d × %d",
                          filo_name_text(target->image), target->width, target->height);
    target->page = gfx2d_pages_add_external(&gfx->pages, target->pixels);
    if (target->page == UINT16_MAX)
        return filo_error(FILO_ERROR_MEMORY, "%s: no memory for a target", filo_name_text(target->image));
    return filo_ok();
}

static FiloResult make_on_gpu(FiloGfx2d *gfx, Gfx2dTarget *target, size_t number) {
    const char *label = filo_name_text(target->image);
    FiloTextureDesc desc = {
        .label = label, .width = target->width, .height = target->height, .layers = 1, .target = true
    };
    FiloResult result = filo_gpu_texture_create(&target->texture, gfx->gpu, &desc);
    if (result.code != FILO_OK) return result;
    target->page = (uint16_t)(GFX2D_PAGE_TARGET + number);
    return filo_gpu_target_create(&target->target, gfx->gpu,
                                  &(FiloRenderTargetDesc){ .label = label, .color = target->texture });
}

static void free_target(FiloGfx2d *gfx, Gfx2dTarget *target) {
    if (target->target.id != 0) filo_gpu_target_destroy(gfx->gpu, target->target);
    if (target->texture.id != 0 && !target->shown) filo_gpu_texture_destroy(gfx->gpu, target->texture);
    if (target->pixels.data != NULL && target->page != UINT16_MAX)
        gfx2d_pages_remove_external(&gfx->pages, target->page);
    filo_pixels_free(&target->pixels, gfx->allocator);
}

FiloResult filo_gfx2d_target_create(uint32_t *number, FiloGfx2d *gfx, FiloName image, int width, int height) {
    if (number == NULL) return FILO_MISTAKE("say where to put the new target");
    *number = 0;
    if (gfx == NULL || image.id == 0 || width < 1 || height < 1 || width > FILO_PIXELS_MAX ||
        height > FILO_PIXELS_MAX)
        return FILO_MISTAKE("a target needs a renderer, a name, and a size of 1 to %d", FILO_PIXELS_MAX);
    Gfx2dTarget target = { .image = image, .width = width, .height = height, .page = UINT16_MAX };
    Gfx2dImage *shown = gfx2d_frames_image(gfx, image);
    if (shown == NULL || !filo_array_reserve(&gfx->targets, gfx->targets.count + 1))
        return filo_error(FILO_ERROR_MEMORY, "%s: no memory for a target", filo_name_text(image));
    FiloResult result =
        gfx->gpu != NULL ? make_on_gpu(gfx, &target, gfx->targets.count + 1) : make_on_cpu(gfx, &target);
    if (result.code == FILO_OK && !gfx2d_frames_set_target(gfx, shown, target.page, width, height))
        result = filo_error(FILO_ERROR_MEMORY, "%s: no memory for a target", filo_name_text(image));
    if (result.code != FILO_OK) {
        free_target(gfx, &target);
        return result;
    }
    (void)filo_array_push(&gfx->targets, target); // it was reserved
    *number = (uint32_t)gfx->targets.count;
    return result;
}

// The texture that is shown as this image already; otherwise a new one, which is not in the list yet.
static Gfx2dTarget *shown_as(FiloGfx2d *gfx, FiloName image) {
    filo_array_each (&gfx->targets, target)
        if (target->shown && target->image.id == image.id) return target;
    if (!filo_array_reserve(&gfx->targets, gfx->targets.count + 1)) return NULL;
    Gfx2dTarget *target = &gfx->targets.items[gfx->targets.count];
    *target = (Gfx2dTarget){ .image = image, .shown = true };
    target->page = (uint16_t)(GFX2D_PAGE_TARGET + gfx->targets.count + 1);
    return target;
}

FiloResult filo_gfx2d_show_texture(FiloGfx2d *gfx, FiloName image, FiloTexture texture) {
    if (gfx == NULL || image.id == 0 || texture.id == 0)
        return FILO_MISTAKE("showing a texture needs a renderer, a name and a texture");
    if (gfx->gpu == NULL)
        return filo_error(FILO_ERROR_UNSUPPORTED,
                          "%s: the CPU draws, which cannot show a texture of a graphics device",
                          filo_name_text(image));
    FiloTextureInfo info = filo_gpu_texture_info(gfx->gpu, texture);
    if (info.format != FILO_TEXTURE_RGBA8 || info.layers != 1 || info.width > FILO_PIXELS_MAX ||
        info.height > FILO_PIXELS_MAX)
        return FILO_MISTAKE(
            "show a texture of format RGBA8 that is an array with one layer, of up to %d × %d pixels",
            FILO_PIXELS_MAX, FILO_PIXELS_MAX);
    Gfx2dImage *shown = gfx2d_frames_image(gfx, image);
    Gfx2dTarget *target = shown != NULL ? shown_as(gfx, image) : NULL;
    if (target == NULL || !gfx2d_frames_set_target(gfx, shown, target->page, info.width, info.height))
        return filo_error(FILO_ERROR_MEMORY, "%s: no memory to show a texture", filo_name_text(image));
    target->texture = texture;
    target->width = info.width;
    target->height = info.height;
    if (target == gfx->targets.items + gfx->targets.count) gfx->targets.count++;
    return filo_ok();
}

void gfx2d_targets_deinit(FiloGfx2d *gfx) {
    filo_array_each (&gfx->targets, target) free_target(gfx, target);
    filo_array_deinit(&gfx->targets);
}
