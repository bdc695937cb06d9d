// What an app is put together from. Each part is a module in the registry, like those of the game: loaded in
// the order of need, unloaded in reverse, and nothing about them is special.

#include "app/app.h"

#include <filo/check.h>

#include <stdio.h>
#include <string.h>

// ---- Choosing what draws ----------------------------------------------------------------------------------

static FiloWindowDesc window_desc(const FiloApp *app, FiloWindowPicture picture) {
    FiloWindowDesc desc = app->desc.window;
    if (desc.title == NULL) desc.title = app->name;
    desc.picture = picture;
    desc.headless = desc.headless || app->args.headless;
    return desc;
}

static FiloResult open_gl(FiloApp *app) {
    FiloWindowDesc desc = window_desc(app, FILO_WINDOW_GL);
    FiloResult r = filo_window_open(&app->window, &desc);
    if (r.code != FILO_OK) return r;
    r = filo_gpu_create(&app->gpu,
                        &(FiloGpuDesc){ .debug = desc.debug, .allocator = &app->gpu_heap.allocator });
    if (r.code == FILO_OK) {
        app->backend = FILO_BACKEND_GL;
        return r;
    }
    filo_window_close(app->window);
    app->window = NULL;
    return r;
}

static FiloResult open_cpu(FiloApp *app) {
    FiloWindowDesc desc = window_desc(app, FILO_WINDOW_CPU);
    FiloResult r = filo_window_open(&app->window, &desc);
    if (r.code == FILO_OK) app->backend = FILO_BACKEND_CPU;
    return r;
}

static FiloResult open_null(FiloApp *app) {
    FiloWindowDesc desc = window_desc(app, FILO_WINDOW_NONE);
    desc.headless = true;
    FiloResult r = filo_window_open(&app->window, &desc);
    if (r.code != FILO_OK) return r;
    app->backend = FILO_BACKEND_NULL;
    return filo_gpu_create(&app->gpu,
                           &(FiloGpuDesc){ .kind = FILO_GPU_NULL, .allocator = &app->gpu_heap.allocator });
}

static void close_screen(FiloApp *app) {
    filo_gpu_destroy(app->gpu);
    filo_window_close(app->window);
    app->gpu = NULL;
    app->window = NULL;
}

// GL where there is a graphics card; where GL would be computed by the CPU, our own rasteriser, which does
// the same several times as fast.
static FiloResult open_best(FiloApp *app) {
    bool has_own_gl = app->desc.window.own_context;
    bool headless = app->args.headless || app->desc.window.headless;
    if (headless && !has_own_gl) return open_cpu(app);
    FiloResult r = open_gl(app);
    if (has_own_gl || (r.code == FILO_OK && !filo_gpu_limits(app->gpu)->software)) return r;
    char reason[sizeof r.message + 16];
    if (r.code == FILO_OK)
        snprintf(reason, sizeof reason, "GL here is %s", filo_gpu_limits(app->gpu)->name);
    else
        snprintf(reason, sizeof reason, "no GL (%s)", r.message);
    close_screen(app);
    r = open_cpu(app); // which needs a display too
    if (r.code == FILO_OK) filo_log_info("app", "%s: drawing on the CPU", reason);
    return r;
}

static FiloResult load_screen(FiloModules *modules, void *user) {
    FILO_UNUSED(modules);
    FiloApp *app = user;
    FiloResult r;
    switch (app->args.backend) {
    case FILO_BACKEND_GL: r = open_gl(app); break;
    case FILO_BACKEND_CPU: r = open_cpu(app); break;
    case FILO_BACKEND_NULL: r = open_null(app); break;
    case FILO_BACKEND_ANY:
    default: r = open_best(app); break;
    }
    if (r.code != FILO_OK) close_screen(app);
    return r;
}

static FiloResult unload_screen(FiloModules *modules, void *user) {
    FILO_UNUSED(modules);
    close_screen(user);
    return filo_ok();
}

// ---- Assets and drawing -------------------------------------------------------------------------------------

static FiloResult load_assets(FiloModules *modules, void *user) {
    FILO_UNUSED(modules);
    FiloApp *app = user;
    FiloAssetsDesc desc = { .jobs = app->jobs,
                            .events = app->events,
                            .folder = app->desc.asset_folder,
                            .allocator = &app->assets_heap.allocator };
#ifndef NDEBUG
    desc.watch = true; // while developing
#endif
    return filo_assets_create(&app->assets, &desc);
}

static FiloResult unload_assets(FiloModules *modules, void *user) {
    FILO_UNUSED(modules);
    FiloApp *app = user;
    filo_assets_destroy(app->assets);
    app->assets = NULL;
    return filo_ok();
}

static FiloResult load_gfx2d(FiloModules *modules, void *user) {
    FILO_UNUSED(modules);
    FiloApp *app = user;
    return filo_gfx2d_create(&app->gfx, &(FiloGfx2dDesc){ .world = app->world,
                                                          .allocator = &app->gfx_heap.allocator,
                                                          .assets = app->assets,
                                                          .gpu = app->gpu,
                                                          .pixels_per_unit = app->desc.pixels_per_unit,
                                                          .background = app->desc.background });
}

static FiloResult unload_gfx2d(FiloModules *modules, void *user) {
    FILO_UNUSED(modules);
    FiloApp *app = user;
    filo_gfx2d_destroy(app->gfx);
    app->gfx = NULL;
    return filo_ok();
}

// ---- The registry -------------------------------------------------------------------------------------------

#define VERSION FILO_VERSION(0, 1, 0)

static FiloResult register_parts(FiloApp *app) {
    const FiloModuleProvide app_provides[] = { { "FiloApp", FiloApp_VERSION, app } };
    const FiloModuleNeed gfx2d_needs[] = { FILO_NEED_MODULE("screen", VERSION),
                                           FILO_NEED_MODULE("assets", VERSION) };
    const FiloModuleDesc parts[] = {
        { .name = "app", .version = VERSION, .provides = app_provides, .provide_count = 1 },
        { .name = "assets", .version = VERSION, .load = load_assets, .unload = unload_assets, .user = app },
        { .name = "screen", .version = VERSION, .load = load_screen, .unload = unload_screen, .user = app },
        { .name = "gfx2d",
          .version = VERSION,
          .needs = gfx2d_needs,
          .need_count = FILO_COUNT_OF(gfx2d_needs),
          .load = load_gfx2d,
          .unload = unload_gfx2d,
          .user = app },
    };
    FiloResult r = filo_ok();
    for (size_t i = 0; i < FILO_COUNT_OF(parts) && r.code == FILO_OK; i++)
        r = filo_modules_register(app->modules, &parts[i]);
    for (size_t i = 0; i < app->desc.module_count && r.code == FILO_OK; i++)
        r = filo_modules_register(app->modules, &app->desc.modules[i]);
    return r;
}

FiloResult filo_app_parts_load(FiloApp *app) {
    FiloResult r = register_parts(app);
    if (r.code == FILO_OK && !filo_life_begin(&app->life, app->events))
        r = filo_error(FILO_ERROR_MEMORY, "the threads could not be told that the game begins");
    // The game's modules first, so that they hear of "game init"; then what needs a screen.
    if (r.code == FILO_OK) r = filo_modules_load(app->modules, "app");
    if (r.code == FILO_OK) r = filo_modules_load(app->modules, "assets");
    for (size_t i = 0; i < app->desc.module_count && r.code == FILO_OK; i++)
        r = filo_modules_load(app->modules, app->desc.modules[i].name);
    if (r.code != FILO_OK) return r;
    filo_life_enter(&app->life, FILO_LIFE_GAME_INIT);
    r = filo_modules_load_all(app->modules);
    if (r.code == FILO_OK) filo_life_enter(&app->life, FILO_LIFE_BACKEND_INIT);
    return r;
}

void filo_app_parts_unload(FiloApp *app) {
    if (app->modules == NULL) return;
    FiloResult r = filo_modules_unload_all(app->modules);
    if (r.code != FILO_OK) filo_log_warn("app", "%s", r.message);
}
