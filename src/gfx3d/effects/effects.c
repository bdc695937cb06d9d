// Effects.

#include "gfx3d/renderer.h"

FiloResult gfx3d_effects_init(FiloGfx3d *gfx) {
    FILO_UNUSED(gfx);
    return filo_ok();
}
void gfx3d_effects_deinit(FiloGfx3d *gfx) { FILO_UNUSED(gfx); }
void gfx3d_effects_extract(FiloGfx3d *gfx) { FILO_UNUSED(gfx); }
void gfx3d_effects_draw(FiloGfx3d *gfx, const Gfx3dView *view) {
    FILO_UNUSED(gfx);
    FILO_UNUSED(view);
}
void gfx3d_effects_end(FiloGfx3d *gfx) { FILO_UNUSED(gfx); }
