// Images of billboards and particles. See effects.h.

#include "gfx3d/effects/effects.h"

#include <filo/log.h>

uint16_t gfx3d_effect_image_look_up(const Gfx3dEffects *effects, FiloName image) {
    if (image.id == 0) return 0;
    const uint16_t *slot = filo_map_get(&effects->slots, image.id);
    return slot != NULL ? *slot : UINT16_MAX;
}

static void add_image(FiloGfx3d *gfx, FiloName image) {
    Gfx3dEffects *effects = gfx->effects;
    if (gfx3d_effect_image_look_up(effects, image) != UINT16_MAX) return;
    uint16_t slot = (uint16_t)effects->images.count;
    if (slot >= GFX3D_EFFECT_IMAGES) {
        if (!effects->images_full)
            filo_log_error("gfx3d", "billboards and particles have more than %d images: \"%s\" is not shown",
                           GFX3D_EFFECT_IMAGES - 1, filo_name_text(image));
        effects->images_full = true;
        return;
    }
    if (!filo_array_push(&effects->images, (Gfx3dEffectImage){ .name = image })) return;
    if (!filo_map_set(&effects->slots, image.id, &slot)) effects->images.count--;
}

bool gfx3d_effect_images_add(FiloGfx3d *gfx) {
    Gfx3dEffects *effects = gfx->effects;
    size_t before = effects->images.count;
    for (size_t i = 0; i < effects->block_count; i++)
        filo_array_each (&effects->blocks[i].unknown, name) add_image(gfx, *name);
    return effects->images.count > before;
}

void gfx3d_effect_images_update(FiloGfx3d *gfx) {
    Gfx3dEffects *effects = gfx->effects;
    for (size_t i = 1; i < effects->images.count; i++)
        effects->images.items[i].texture =
            gfx3d_texture_find(gfx, &(Gfx3dTextureKey){ .image = effects->images.items[i].name });
}
