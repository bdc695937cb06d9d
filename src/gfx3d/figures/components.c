// The components of figures, and starting a clip.

#include "gfx3d/figures/figures.h"

FILO_REFLECT_MODULE(FiloFigure, GFX3D_REGISTER, FILO_FIELD(FiloName, model), FILO_FIELD(FiloName, clip),
                    FILO_FIELD(float, time, .unit = "s"), FILO_FIELD(float, speed, .help = "0 counts as 1"),
                    FILO_FIELD(FiloName, blend_clip), FILO_FIELD(float, blend_time, .unit = "s"),
                    FILO_FIELD(float, blend, .min = 0, .max = 1),
                    FILO_FIELD(float, blend_seconds, .unit = "s"), FILO_FIELD(_Bool, once),
                    FILO_FIELD(_Bool, blend_once), FILO_FIELD(_Bool, paused), FILO_FIELD(_Bool, finished),
                    FILO_FIELD(_Bool, started))
FILO_REFLECT_MODULE(FiloFigureStep, GFX3D_REGISTER, FILO_FIELD(FiloName, clip),
                    FILO_FIELD(float, time, .unit = "s"), FILO_FIELD(float, step, .unit = "s"),
                    FILO_FIELD(float, fade), FILO_FIELD(uint32_t, tick))
FILO_REFLECT(FiloFigureEvent, FILO_FIELD(FiloEntity, entity), FILO_FIELD(FiloName, clip),
             FILO_FIELD(FiloName, event), FILO_FIELD(float, time, .unit = "s"))
FILO_REFLECT_MODULE(FiloNode, GFX3D_REGISTER, FILO_FIELD(FiloName, name))
FILO_REFLECT_MODULE(FiloAttach, GFX3D_REGISTER, FILO_FIELD(FiloName, joint),
                    FILO_FIELD(FiloTransform3, offset), FILO_FIELD(_Bool, local))
FILO_REFLECT_MODULE(FiloSkinned, GFX3D_REGISTER, FILO_FIELD(uint32_t, skin))

#define IN_SPACE FILO_REQUIRED(FiloTransform3), FILO_REQUIRED(FiloPreviousTransform3)

bool gfx3d_figures_register(FiloWorld *world, FiloAssets *assets) {
    bool ok =
        filo_component(world, FiloFigureStep, .transient = true).id != 0 &&
        filo_component(world, FiloFigure, .required = { FILO_REQUIRED(FiloFigureStep), IN_SPACE }).id != 0 &&
        filo_component(world, FiloNode).id != 0 &&
        filo_component(world, FiloAttach, .required = { IN_SPACE }).id != 0 &&
        filo_component(world, FiloSkinned).id != 0 && gfx3d_rigs_register(world, assets);
    if (!ok || assets == NULL) return ok;
    Gfx3dRigs *rigs = gfx3d_rigs(world);
    return gfx3d_animate_register(world, rigs) && gfx3d_attach_register(world, rigs);
}

void filo_figure_play(FiloFigure *figure, FiloName clip, float seconds) {
    if (!FILO_CHECK(figure != NULL, "pass the figure that is to play the clip")) return;
    if (figure->clip.id == clip.id && !figure->finished) return;
    if (!(seconds > 0)) {
        figure->blend_clip = (FiloName){ 0 };
        figure->blend_time = figure->blend = 0;
        figure->blend_once = false;
    } else {
        bool fading = figure->blend > 0.5f && figure->blend_seconds > 0; // blend_clip is seen more
        if (!fading) {
            figure->blend_clip = figure->clip;
            figure->blend_time = figure->time;
            figure->blend_once = figure->once;
        }
        figure->blend = 1;
    }
    figure->blend_seconds = seconds > 0 ? seconds : 0;
    figure->clip = clip;
    figure->time = 0;
    figure->finished = figure->started = false;
}
