// The app as a module. It is loaded first, so that other modules find its objects.

#include "app/app.h"

#include <filo/draw.h>

static FiloResult load(FiloModules *modules, void *user) {
    const FiloApp *app = user;
    FILO_SET_OBJECT(modules, FiloWorld, app->world);
    FILO_SET_OBJECT(modules, FiloJobs, app->jobs);
    FILO_SET_OBJECT(modules, FiloEvents, app->events);
    FILO_SET_OBJECT(modules, FiloActions, app->actions);
    return filo_ok();
}

// Calls the game's `draw`, if a module provides FiloDraw.
static FiloResult draw(FiloFrame *frame, void *user) {
    FiloApp *app = user;
    FiloDraw *immediate = FILO_OBJECT(frame->modules, FiloDraw);
    if (app->desc.draw == NULL || immediate == NULL) return filo_ok();
    filo_draw_reset(immediate);
    app->desc.draw(app, immediate);
    return filo_ok();
}

// The game's `ui`, as a view of the module "ui".
static void show_ui(FiloUi *ui, void *user) {
    FiloApp *app = user;
    if (app->desc.ui != NULL) app->desc.ui(app, ui);
}

FiloResult app_module_register(FiloApp *app) {
    const FiloModuleProvide provides[] = { { "FiloApp", FiloApp_VERSION, app, false },
                                           FILO_PROVIDE_OBJECT(FiloWorld),
                                           FILO_PROVIDE_OBJECT(FiloJobs),
                                           FILO_PROVIDE_OBJECT(FiloEvents),
                                           FILO_PROVIDE_OBJECT(FiloActions),
                                           FILO_PROVIDE(FiloInspectorHost, &app->inspector_host) };
    const FiloRenderHook renders[] = { { FILO_RENDER_DRAW, false, draw } };
    app->inspector_host = app_inspector_host(app);
    app->view = (FiloUiView){ .name = "game", .show = show_ui, .user = app };
    const FiloModuleContribution contributes[] = { { "FiloUiView", &app->view, 1 } };
    return filo_modules_register(app->modules, &(FiloModuleDesc){ .name = "app",
                                                                  .version = FiloApp_VERSION,
                                                                  .provides = provides,
                                                                  .provide_count = FILO_COUNT_OF(provides),
                                                                  .load = load,
                                                                  .user = app,
                                                                  .renders = renders,
                                                                  .render_count = FILO_COUNT_OF(renders),
                                                                  .contributes = contributes,
                                                                  .contribute_count = app->desc.ui != NULL,
                                                                  .stats = app_report_stats });
}
