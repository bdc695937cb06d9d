// Pictures that cameras draw into. See render.h.

#include <filo/log.h>

#include "gfx3d/render/render.h"

// Frames after which a picture that is not used is freed: a window that is resized needs many sizes once.
#define KEPT_FRAMES 30

static void destroy(FiloGfx3d *gfx, Gfx3dPicture *picture) {
    filo_gpu_target_destroy(gfx->gpu, picture->scene);
    filo_gpu_target_destroy(gfx->gpu, picture->map);
    filo_gpu_texture_destroy(gfx->gpu, picture->color);
    filo_gpu_texture_destroy(gfx->gpu, picture->depth);
    filo_gpu_texture_destroy(gfx->gpu, picture->mapped);
    for (int i = 0; i < GFX3D_BLOOM_LEVELS; i++) {
        filo_gpu_target_destroy(gfx->gpu, picture->bloom_targets[i]);
        filo_gpu_texture_destroy(gfx->gpu, picture->bloom[i]);
    }
    filo_free(gfx->allocator, picture, sizeof *picture, 0);
}

static FiloResult make_texture(FiloGfx3d *gfx, FiloTexture *texture, const char *label,
                               FiloTextureFormat format, int width, int height) {
    bool depth = format == FILO_TEXTURE_DEPTH24;
    return filo_gpu_texture_create(texture, gfx->gpu,
                                   &(FiloTextureDesc){ .label = label,
                                                       .format = format,
                                                       .width = width,
                                                       .height = height,
                                                       .linear = !depth,
                                                       .target = true });
}

static FiloResult make(FiloGfx3d *gfx, Gfx3dPicture *p) {
    FiloResult r = make_texture(gfx, &p->color, "scene", FILO_TEXTURE_RGBA16F, p->width, p->height);
    if (r.code == FILO_OK)
        r = make_texture(gfx, &p->depth, "scene depth", FILO_TEXTURE_DEPTH24, p->width, p->height);
    if (r.code == FILO_OK)
        r = make_texture(gfx, &p->mapped, "mapped", FILO_TEXTURE_RGBA8, p->width, p->height);
    if (r.code == FILO_OK)
        r = filo_gpu_target_create(
            &p->scene, gfx->gpu,
            &(FiloRenderTargetDesc){ .label = "scene", .color = p->color, .depth = p->depth });
    if (r.code == FILO_OK)
        r = filo_gpu_target_create(&p->map, gfx->gpu,
                                   &(FiloRenderTargetDesc){ .label = "mapped", .color = p->mapped });
    return r;
}

Gfx3dPicture *gfx3d_picture(FiloGfx3d *gfx, int width, int height) {
    Gfx3dPasses *passes = gfx->passes;
    filo_array_each (&passes->pictures, slot)
        if ((*slot)->width == width && (*slot)->height == height) {
            (*slot)->used = passes->frame;
            return *slot;
        }
    Gfx3dPicture *picture = filo_alloc_zero(gfx->allocator, sizeof *picture, 0);
    if (picture == NULL) return NULL;
    picture->width = width;
    picture->height = height;
    picture->used = passes->frame;
    FiloResult r = make(gfx, picture);
    if (r.code != FILO_OK || !filo_array_push(&passes->pictures, picture)) {
        filo_log_warn("gfx3d", "no memory for a picture of %d × %d: %s", width, height, r.message);
        destroy(gfx, picture);
        return NULL;
    }
    return picture;
}

bool gfx3d_picture_bloom(FiloGfx3d *gfx, Gfx3dPicture *picture) {
    int width = picture->width, height = picture->height;
    for (int i = 0; i < GFX3D_BLOOM_LEVELS; i++) {
        width = FILO_MAX(width / 2, 1);
        height = FILO_MAX(height / 2, 1);
        if (picture->bloom_targets[i].id != 0) continue;
        FiloResult r = make_texture(gfx, &picture->bloom[i], "bloom", FILO_TEXTURE_RGBA16F, width, height);
        if (r.code == FILO_OK)
            r = filo_gpu_target_create(
                &picture->bloom_targets[i], gfx->gpu,
                &(FiloRenderTargetDesc){ .label = "bloom", .color = picture->bloom[i] });
        if (r.code == FILO_OK) continue;
        filo_gpu_texture_destroy(gfx->gpu, picture->bloom[i]);
        picture->bloom[i] = (FiloTexture){ 0 };
        return false;
    }
    return true;
}

void gfx3d_pictures_free(FiloGfx3d *gfx, bool all) {
    Gfx3dPasses *passes = gfx->passes;
    for (size_t i = passes->pictures.count; i-- > 0;) {
        Gfx3dPicture *picture = passes->pictures.items[i];
        if (!all && passes->frame - picture->used < KEPT_FRAMES) continue;
        destroy(gfx, picture);
        filo_array_remove(&passes->pictures, i);
    }
}
