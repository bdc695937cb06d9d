// The images of a ground's layers, in one texture array: so a pixel reads only the two layers that weigh most, whichever
// these are. Images are copied into it by drawing, which gives all of them one size.

#include "gfx3d/ground/ground.h"

#include <filo/log.h>

#define IMAGE_SIDE 512 // pixels

static bool make_array(FiloGfx3d *gfx, Gfx3dGround *ground) {
    FiloResult r = filo_gpu_texture_create(&ground->images, gfx->gpu,
                                           &(FiloTextureDesc){ .label = "images of the ground",
                                                               .format = FILO_TEXTURE_RGBA8_SRGB,
                                                               .width = IMAGE_SIDE,
                                                               .height = IMAGE_SIDE,
                                                               .layers = (int)ground->layer_count,
                                                               .mipmaps = true,
                                                               .linear = true,
                                                               .wrap_u = FILO_WRAP_REPEAT,
                                                               .wrap_v = FILO_WRAP_REPEAT,
                                                               .target = true });
    for (uint32_t i = 0; i < ground->layer_count && r.code == FILO_OK; i++)
        r = filo_gpu_target_create(&ground->image_targets[i], gfx->gpu,
                                   &(FiloRenderTargetDesc){ .label = "image of the ground",
                                                            .color = ground->images,
                                                            .layer = (int)i });
    if (r.code == FILO_OK && gfx->grounds->copy.id == 0)
        r = gfx3d_program_create(
            &gfx->grounds->copy, gfx,
            &(Gfx3dProgramDesc){ .label = "ground_copy.glsl", .pipeline = { .blend = FILO_BLEND_NONE } });
    if (r.code != FILO_OK) filo_log_error("gfx3d", "%s", r.message);
    return r.code == FILO_OK;
}

static void copy_image(FiloGfx3d *gfx, const Gfx3dGround *ground, uint32_t layer, FiloTexture image) {
    filo_gpu_begin_pass(gfx->gpu, &(FiloGpuPass){ .label = "image of the ground",
                                                  .target = ground->image_targets[layer],
                                                  .clear = true,
                                                  .color = { 1, 1, 1, 1 } });
    if (image.id != 0) { // otherwise white
        filo_gpu_use(gfx->gpu, gfx->grounds->copy);
        filo_gpu_set_texture(gfx->gpu, "image", image);
        filo_gpu_draw(gfx->gpu, 0, 3, 1);
    }
    filo_gpu_end_pass(gfx->gpu);
}

void gfx3d_ground_update_layers(FiloGfx3d *gfx, Gfx3dGround *ground) {
    if (ground->broken) return;
    bool first = ground->images.id == 0, changed = false;
    if (first && !make_array(gfx, ground)) {
        ground->broken = true;
        return;
    }
    for (uint32_t i = 0; i < ground->layer_count; i++) {
        FiloName name = ground->desc.layers[i].image;
        FiloTexture image = { 0 };
        if (name.id != 0)
            image = gfx3d_texture_find(
                gfx,
                &(Gfx3dTextureKey){ .image = name, .wrap_u = FILO_WRAP_REPEAT, .wrap_v = FILO_WRAP_REPEAT });
        if (!first && image.id == ground->image_sources[i].id) continue;
        copy_image(gfx, ground, i, image);
        ground->image_sources[i] = image;
        changed = true;
    }
    if (changed) filo_gpu_texture_make_mipmaps(gfx->gpu, ground->images);
}
