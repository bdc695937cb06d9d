// Ground.

#include "gfx3d/renderer.h"

FiloResult gfx3d_grounds_init(FiloGfx3d *gfx) {
    FILO_UNUSED(gfx);
    return filo_ok();
}
void gfx3d_grounds_deinit(FiloGfx3d *gfx) { FILO_UNUSED(gfx); }
void gfx3d_grounds_extract(FiloGfx3d *gfx) { FILO_UNUSED(gfx); }
void gfx3d_grounds_draw(FiloGfx3d *gfx, const Gfx3dView *view, Gfx3dPass pass) {
    FILO_UNUSED(gfx);
    FILO_UNUSED(view);
    FILO_UNUSED(pass);
}
