// The inspector as a module.

#include "inspector/inspector.h"

#include <filo/time.h>

#define HISTORY_SECONDS 10.0

static FiloResult load(FiloModules *modules, void *user) {
    FiloInspectorModule *module = user;
    module->inspector = NULL;
    if (FILO_OBJECT(modules, FiloUi) == NULL) return filo_ok(); // left out: there is nothing to show it with
    FiloInspectorDesc desc = { .world = FILO_OBJECT(modules, FiloWorld),
                               .modules = modules,
                               .host = FILO_INTERFACE(modules, FiloInspectorHost),
                               .allocator = &module->heap.allocator };
    filo_heap_init(&module->heap, "inspector", 0);
    FiloResult r = filo_inspector_create(&module->inspector, &desc);
    if (r.code != FILO_OK) {
        filo_heap_deinit(&module->heap);
        return r;
    }
    module->frame = filo_modules_frame(modules);
    module->shown = false;
    FILO_SET_OBJECT(modules, FiloInspector, module->inspector);
    return r;
}

static FiloResult unload(FiloModules *modules, void *user) {
    FILO_UNUSED(modules);
    FiloInspectorModule *module = user;
    if (module->inspector == NULL) return filo_ok();
    filo_inspector_destroy(module->inspector);
    module->inspector = NULL;
    filo_heap_deinit(&module->heap);
    return filo_ok();
}

// While the view is shown, the last seconds are kept. When it is closed, the game is where it was.
static void change_history(FiloInspectorModule *module) {
    const FiloInspectorHost *host = module->inspector->host;
    module->shown = module->frame->debug_view;
    if (host == NULL) return;
    module->inspector->keeps_anyway = false;
    FiloResult r = host->keep_history(host->user, module->shown ? HISTORY_SECONDS : 0);
    FILO_UNUSED(r); // a world that cannot be rewound is shown as such
}

static FiloResult before_ticks(FiloFrame *frame, void *user) {
    FiloInspectorModule *module = user;
    if (module->inspector == NULL) return filo_ok();
    if (module->shown != frame->debug_view) change_history(module);
    if (module->shown && !frame->paused) inspector_limit_history(module->inspector);
    return filo_ok();
}

static void show(FiloUi *ui, void *user) {
    FiloInspectorModule *module = user;
    if (module->inspector != NULL && module->shown) filo_inspector_show(module->inspector, ui);
}

static FiloResult end_frame(FiloFrame *frame, void *user) {
    FiloInspectorModule *module = user;
    if (module->inspector == NULL) return filo_ok();
    filo_inspector_add_frame(module->inspector, (double)(filo_time_ns() - frame->start_ns) / 1e6,
                             frame->tick_ms, frame->draw_ms);
    return filo_ok();
}

FiloModuleDesc filo_inspector_module(FiloInspectorModule *module) {
    static const FiloModuleNeed needs[] = { FILO_NEED_OBJECT(FiloWorld),
                                            FILO_OPTIONAL_OBJECT(FiloUi),
                                            { NULL, "FiloInspectorHost", FiloInspectorHost_VERSION, true } };
    static const FiloModuleProvide provides[] = { FILO_PROVIDE_OBJECT(FiloInspector) };
    if (!FILO_CHECK(module != NULL, "pass the memory of the module")) return (FiloModuleDesc){ 0 };
    module->view[0] = (FiloUiView){ .name = "inspector", .show = show, .user = module };
    module->contribution[0] = (FiloModuleContribution)FILO_CONTRIBUTE(FiloUiView, module->view);
    return (FiloModuleDesc){
        .name = "inspector",
        .version = FILO_VERSION(0, 1, 0),
        .needs = needs,
        .need_count = FILO_COUNT_OF(needs),
        .provides = provides,
        .provide_count = FILO_COUNT_OF(provides),
        .contributes = module->contribution,
        .contribute_count = FILO_COUNT_OF(module->contribution),
        .load = load,
        .unload = unload,
        .user = module,
        .backend = true,
        .frame = { .before_ticks = before_ticks, .end = end_frame },
    };
}
