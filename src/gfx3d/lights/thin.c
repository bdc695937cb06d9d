// Lights, first version: a sun from a constant direction.

#include "gfx3d/lights/frame.h"
#include "gfx3d/renderer.h"

FiloResult gfx3d_lights_init(FiloGfx3d *gfx) {
    FILO_UNUSED(gfx);
    return filo_ok();
}
void gfx3d_lights_deinit(FiloGfx3d *gfx) { FILO_UNUSED(gfx); }
void gfx3d_lights_extract(FiloGfx3d *gfx) { FILO_UNUSED(gfx); }
void gfx3d_lights_add_shadows(FiloGfx3d *gfx, Gfx3dView *camera) {
    FILO_UNUSED(gfx);
    FILO_UNUSED(camera);
}
void gfx3d_lights_write_blocks(FiloGfx3d *gfx) {
    for (size_t i = 0; i < gfx->views.count; i++) {
        Gfx3dView *view = gfx->views.items[i];
        if (!filo_gpu_ring_take(gfx->gpu, gfx->uniform_ring, sizeof(Gfx3dFrameBlock), &view->frame_block))
            continue;
        Gfx3dFrameBlock *block = view->frame_block.memory;
        *block = (Gfx3dFrameBlock){ .view_projection = view->view_projection,
                                    .view = view->view,
                                    .eye = view->eye,
                                    .time = gfx->time,
                                    .sun_direction = filo_vec3_normalise(filo_vec3(0.4f, 0.8f, 0.4f)) };
        filo_gpu_ring_done(gfx->gpu, gfx->uniform_ring, &view->frame_block);
    }
}
void gfx3d_lights_bind(FiloGfx3d *gfx, const Gfx3dView *view, Gfx3dPass pass) {
    FILO_UNUSED(pass);
    filo_gpu_set_block(gfx->gpu, 0, view->frame_block.buffer, view->frame_block.offset,
                       view->frame_block.size);
}
void gfx3d_sky_draw(FiloGfx3d *gfx, const Gfx3dView *view) {
    FILO_UNUSED(gfx);
    FILO_UNUSED(view);
}
