// Until programs and textures of materials/ exist: nothing is drawn.

#include "gfx3d/ground/ground.h"

__attribute__((weak)) FiloResult gfx3d_program_create(FiloPipeline *pipeline, FiloGfx3d *gfx,
                                                      const Gfx3dProgramDesc *desc) {
    FILO_UNUSED(gfx);
    *pipeline = (FiloPipeline){ 0 };
    return filo_error(FILO_ERROR_UNSUPPORTED, "%s: there are no programs yet", desc->label);
}

__attribute__((weak)) FiloTexture gfx3d_texture_find(FiloGfx3d *gfx, const Gfx3dTextureKey *key) {
    FILO_UNUSED(gfx);
    FILO_UNUSED(key);
    return (FiloTexture){ 0 };
}
