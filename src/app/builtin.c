// The modules that every app has, with the settings of its FiloAppDesc. No other file of the app names them. To add
// one, list its description here, and add an accessor below if games use it often.

#include "app/app.h"
#include "app/overlay.h"
#include "app/physics.h"
#include "app/screen.h"

#include <string.h>

struct AppBuiltin {
    FiloAssetsModule assets;
    AppScreen screen;
    FiloGfx2dModule gfx2d;
    FiloGfx3dModule gfx3d;
    FiloTextModule text;
#ifndef FILO_WITHOUT_UI
    FiloUiModule ui;
    FiloInspectorModule inspector;
#endif
    FiloAudioModule audio;
    AppPhysics physics;
    AppOverlay overlay;
};

static void copy_settings(AppBuiltin *builtin, const FiloApp *app) {
    const FiloAppDesc *desc = &app->desc;
    builtin->assets.desc.folder = desc->asset_folder;
#ifndef NDEBUG
    builtin->assets.desc.watch = true;
#endif
    builtin->screen.desc = desc->window;
    if (desc->window.title == NULL) builtin->screen.desc.title = app->name;
    builtin->screen.needs_gl = desc->gfx3d;
    if (desc->gfx3d_options != NULL) builtin->gfx3d.desc = *desc->gfx3d_options;
    builtin->gfx2d.desc.pixels_per_unit = desc->pixels_per_unit;
    builtin->gfx2d.desc.background = desc->background;
}

// The game's module of the same name, or else the built-in one.
static const FiloModuleDesc *choose_module(const FiloAppDesc *desc, const FiloModuleDesc *builtin) {
    for (size_t i = 0; i < desc->module_count; i++)
        if (desc->modules[i].name != NULL && strcmp(desc->modules[i].name, builtin->name) == 0)
            return &desc->modules[i];
    return builtin;
}

FiloResult app_builtin_register(FiloApp *app) {
    AppBuiltin *builtin = app->builtin = filo_alloc_zero(NULL, sizeof *builtin, _Alignof(AppBuiltin));
    if (builtin == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for the app");
    copy_settings(builtin, app);
    const FiloModuleDesc modules[] = {
        filo_assets_module(&builtin->assets),  app_screen_module(&builtin->screen),
        filo_gfx2d_module(&builtin->gfx2d),    filo_gfx3d_module(&builtin->gfx3d),
#ifndef FILO_WITHOUT_TEXT
        filo_text_module(&builtin->text),
#endif
#ifndef FILO_WITHOUT_UI
        filo_ui_module(&builtin->ui),          filo_inspector_module(&builtin->inspector),
#endif
        filo_audio_module(&builtin->audio),    app_physics_module(&builtin->physics),
        app_overlay_module(&builtin->overlay),
    };
    FiloResult r = filo_ok();
    for (size_t i = 0; i < FILO_COUNT_OF(modules) && r.code == FILO_OK; i++)
        if (app->desc.gfx3d || strcmp(modules[i].name, "gfx3d") != 0)
            r = filo_modules_register(app->modules, choose_module(&app->desc, &modules[i]));
    return r;
}

void app_builtin_free(FiloApp *app) {
    filo_free(NULL, app->builtin, sizeof *app->builtin, _Alignof(AppBuiltin));
    app->builtin = NULL;
}

// ---- Accessors --------------------------------------------------------------------------------------------

FiloAssets *filo_app_assets(const FiloApp *app) {
    return FILO_CHECK(app != NULL, "pass an app") ? FILO_APP_OBJECT(app, FiloAssets) : NULL;
}
FiloGfx2d *filo_app_gfx2d(const FiloApp *app) {
    return FILO_CHECK(app != NULL, "pass an app") ? FILO_APP_OBJECT(app, FiloGfx2d) : NULL;
}
FiloGfx3d *filo_app_gfx3d(const FiloApp *app) {
    return FILO_CHECK(app != NULL, "pass an app") ? FILO_APP_OBJECT(app, FiloGfx3d) : NULL;
}
FiloAudio *filo_app_audio(const FiloApp *app) {
    return FILO_CHECK(app != NULL, "pass an app") ? FILO_APP_OBJECT(app, FiloAudio) : NULL;
}
FiloGpu *filo_app_gpu(const FiloApp *app) {
    return FILO_CHECK(app != NULL, "pass an app") ? FILO_APP_OBJECT(app, FiloGpu) : NULL;
}
FiloWindow *filo_app_window(const FiloApp *app) {
    return FILO_CHECK(app != NULL, "pass an app") ? FILO_APP_OBJECT(app, FiloWindow) : NULL;
}

FiloTypesetter *filo_app_typesetter(const FiloApp *app) {
    return FILO_CHECK(app != NULL, "pass an app") ? FILO_APP_OBJECT(app, FiloTypesetter) : NULL;
}

FiloUi *filo_app_ui(const FiloApp *app) {
    return FILO_CHECK(app != NULL, "pass an app") ? FILO_APP_OBJECT(app, FiloUi) : NULL;
}

FiloBackend filo_app_backend(const FiloApp *app) {
    if (!FILO_CHECK(app != NULL, "pass an app")) return (FiloBackend){ 0 };
    const FiloGpu *gpu = filo_app_gpu(app);
    if (filo_app_window(app) == NULL) return FILO_BACKEND_NULL;
    if (gpu == NULL) return FILO_BACKEND_CPU;
    return filo_gpu_limits(gpu)->kind == FILO_GPU_NULL ? FILO_BACKEND_NULL : FILO_BACKEND_GL;
}
