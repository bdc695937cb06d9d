// Figures.

#include "gfx3d/renderer.h"

FILO_REFLECT(FiloFigure, FILO_FIELD(FiloName, model), FILO_FIELD(FiloName, clip),
             FILO_FIELD(float, time, .unit = "s"), FILO_FIELD(float, speed), FILO_FIELD(FiloName, blend_clip),
             FILO_FIELD(float, blend_time, .unit = "s"), FILO_FIELD(float, blend, .min = 0, .max = 1),
             FILO_FIELD(float, blend_seconds, .unit = "s"), FILO_FIELD(_Bool, once),
             FILO_FIELD(_Bool, paused), FILO_FIELD(_Bool, finished))
FILO_REFLECT(FiloSkinned, FILO_FIELD(uint32_t, skin))
FILO_REFLECT(FiloAttach, FILO_FIELD(FiloName, joint), FILO_FIELD(FiloTransform3, offset))
FILO_REFLECT(FiloFigureEvent, FILO_FIELD(FiloEntity, entity), FILO_FIELD(FiloName, clip),
             FILO_FIELD(FiloName, event), FILO_FIELD(float, time))

void filo_figure_play(FiloFigure *figure, FiloName clip, float seconds) {
    FILO_UNUSED(figure);
    FILO_UNUSED(clip);
    FILO_UNUSED(seconds);
}
FiloResult gfx3d_figures_init(FiloGfx3d *gfx) {
    FILO_UNUSED(gfx);
    return filo_ok();
}
void gfx3d_figures_deinit(FiloGfx3d *gfx) { FILO_UNUSED(gfx); }
void gfx3d_figures_extract(FiloGfx3d *gfx) { FILO_UNUSED(gfx); }
uint32_t gfx3d_figures_joints(const FiloGfx3d *gfx, FiloEntity entity) {
    FILO_UNUSED(gfx);
    FILO_UNUSED(entity);
    return 0;
}
void gfx3d_figures_bind(FiloGfx3d *gfx) { FILO_UNUSED(gfx); }
bool gfx3d_figures_register(FiloWorld *world, FiloAssets *assets) {
    FILO_UNUSED(assets);
    return filo_component(world, FiloFigure).id != 0 && filo_component(world, FiloSkinned).id != 0 &&
           filo_component(world, FiloAttach).id != 0;
}
