// The UI as a module: see filo/modules.h.
//
// Panels run in the part `panels` of a frame, between ticks, after the game's `extract`. A headless app draws no frames: there they run before the
// ticks of a frame if there was input since the last time, so that a bot or a test can use them.

#include "ui/ui.h"

#include <filo/time.h>

#define LONGEST_FRAME 0.1f // seconds; after a longer one, transitions go on from where they were

static FiloResult load(FiloModules *modules, void *user) {
    FiloUiModule *module = user;
    filo_heap_init(&module->heap, "ui", 0);
    FiloResult r =
        filo_ui_create(&module->ui, &(FiloUiDesc){ .gfx = FILO_OBJECT(modules, FiloGfx2d),
                                                   .window = FILO_OBJECT(modules, FiloWindow),
                                                   .assets = FILO_OBJECT(modules, FiloAssets),
                                                   .typesetter = FILO_OBJECT(modules, FiloTypesetter),
                                                   .allocator = &module->heap.allocator });
    if (r.code != FILO_OK) {
        filo_heap_deinit(&module->heap);
        return r;
    }
    module->last_ns = 0;
    module->ran = module->drawn = module->had_input = false;
    FILO_SET_OBJECT(modules, FiloUi, module->ui);
    return r;
}

static FiloResult unload(FiloModules *modules, void *user) {
    FILO_UNUSED(modules);
    FiloUiModule *module = user;
    filo_ui_destroy(module->ui);
    module->ui = NULL;
    filo_heap_deinit(&module->heap);
    return filo_ok();
}

// ---- Views ---------------------------------------------------------------------------------------------------------

static FiloResult add_views(FiloModules *modules, const FiloModuleContribution *contribution, void *user) {
    FILO_UNUSED(modules);
    FiloUiModule *module = user;
    const FiloUiView *views = contribution->items;
    for (size_t i = 0; i < contribution->count; i++) {
        if (module->view_count == FILO_UI_VIEWS)
            return filo_error(FILO_ERROR_LIMIT, "more than %d views of the UI: \"%s\" is one too many",
                              FILO_UI_VIEWS, views[i].name != NULL ? views[i].name : "");
        module->views[module->view_count++] = &views[i];
    }
    return filo_ok();
}

static void remove_views(FiloModules *modules, const FiloModuleContribution *contribution, void *user) {
    FILO_UNUSED(modules);
    FiloUiModule *module = user;
    const FiloUiView *views = contribution->items;
    size_t kept = 0;
    for (size_t i = 0; i < module->view_count; i++)
        if (module->views[i] < views || module->views[i] >= views + contribution->count)
            module->views[kept++] = module->views[i];
    module->view_count = kept;
}

// ---- Hooks of the frame ----------------------------------------------------------------------------------------------

static float window_scale(const FiloFrame *frame) {
    const FiloWindow *window = FILO_OBJECT(frame->modules, FiloWindow);
    if (window == NULL) return 1;
    FiloIVec2 points = filo_window_size(window), pixels = filo_window_pixels(window);
    return points.x > 0 ? (float)pixels.x / (float)points.x : 1;
}

static void run(FiloUiModule *module, const FiloFrame *frame) {
    int64_t now = frame->start_ns;
    float seconds = module->last_ns != 0 ? (float)((double)(now - module->last_ns) / 1e9) : 0;
    if (frame->headless) seconds = (float)frame->tick_seconds;
    if (frame->shot) seconds = 0; // a picture may be drawn several times
    module->last_ns = now;
    filo_ui_begin_frame(module->ui, &(FiloUiFrame){ .width = (float)frame->width,
                                                    .height = (float)frame->height,
                                                    .scale = window_scale(frame),
                                                    .seconds = filo_min(seconds, LONGEST_FRAME),
                                                    .still = frame->headless || frame->shot });
    for (size_t i = 0; i < module->view_count; i++)
        if (module->views[i]->show != NULL) module->views[i]->show(module->ui, module->views[i]->user);
    filo_ui_end_frame(module->ui);
    module->ran = true;
    module->had_input = false;
}

static bool input(FiloFrame *frame, const FiloInputChange *change, void *user) {
    FILO_UNUSED(frame);
    FiloUiModule *module = user;
    module->had_input = true;
    return filo_ui_input(module->ui, change);
}

static FiloResult before_ticks(FiloFrame *frame, void *user) {
    FiloUiModule *module = user;
    bool drawn = module->drawn;
    module->drawn = false;
    bool due = module->had_input || !module->ran;
    if (frame->headless && !drawn && due && frame->width > 0 && module->view_count > 0) run(module, frame);
    return filo_ok();
}

static FiloResult panels(FiloFrame *frame, void *user) {
    FiloUiModule *module = user;
    module->drawn = true;
    if (module->view_count > 0) run(module, frame);
    return filo_ok();
}

static FiloResult render(FiloFrame *frame, void *user) {
    const FiloUiModule *module = user;
    FiloDraw *draw = FILO_OBJECT(frame->modules, FiloDraw);
    if (draw == NULL) return filo_ok();
    filo_draw_reset(draw);
    filo_ui_draw(module->ui, draw);
    return filo_ok();
}

static void describe(FiloLines *lines, void *user) {
    const FiloUiModule *module = user;
    if (module->view_count == 0) return;
    const FiloUiStats now = filo_ui_stats(module->ui);
    filo_lines_add(lines, "UI: %zu widgets  %zu quads  %.2f ms", now.widgets, now.quads, now.layout_ms);
}

FiloModuleDesc filo_ui_module(FiloUiModule *module) {
    static const FiloModuleNeed needs[] = { FILO_OPTIONAL_OBJECT(FiloDraw), FILO_OPTIONAL_OBJECT(FiloGfx2d),
                                            FILO_OPTIONAL_OBJECT(FiloWindow),
                                            FILO_OPTIONAL_OBJECT(FiloAssets),
                                            FILO_OPTIONAL_OBJECT(FiloTypesetter) };
    static const FiloModuleProvide provides[] = { FILO_PROVIDE_OBJECT(FiloUi) };
    static const FiloRenderHook renders[] = { { FILO_RENDER_UI, false, render } };
    static const FiloModuleAccept accepts[] = { { "FiloUiView", add_views, remove_views } };
    return (FiloModuleDesc){
        .name = "ui",
        .version = FILO_VERSION(0, 1, 0),
        .needs = needs,
        .need_count = FILO_COUNT_OF(needs),
        .provides = provides,
        .provide_count = FILO_COUNT_OF(provides),
        .load = load,
        .unload = unload,
        .user = module,
        .backend = true,
        .frame = { .input = input, .before_ticks = before_ticks, .panels = panels },
        .renders = renders,
        .render_count = FILO_COUNT_OF(renders),
        .accepts = accepts,
        .accept_count = FILO_COUNT_OF(accepts),
        .debug = describe,
    };
}
