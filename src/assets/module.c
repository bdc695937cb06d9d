// The asset system as a module: see filo/modules.h.

#include "assets/assets.h"

#define BUDGET_NS   2000000 // of an update, in a frame with a window
#define MOST_FAILED 64      // that are listed

static FiloResult load(FiloModules *modules, void *user) {
    FiloAssetsModule *module = user;
    filo_heap_init(&module->heap, "assets", 0);
    FiloAssetsDesc desc = module->desc;
    desc.jobs = FILO_OBJECT(modules, FiloJobs);
    desc.events = filo_modules_events(modules);
    desc.allocator = &module->heap.allocator;
    FiloResult r = filo_assets_create(&module->assets, &desc);
    if (r.code != FILO_OK) filo_heap_deinit(&module->heap);
    FILO_SET_OBJECT(modules, FiloAssets, module->assets);
    return r;
}

static FiloResult unload(FiloModules *modules, void *user) {
    FILO_UNUSED(modules);
    FiloAssetsModule *module = user;
    filo_assets_destroy(module->assets);
    filo_heap_deinit(&module->heap);
    module->assets = NULL;
    return filo_ok();
}

// ---- In a frame -----------------------------------------------------------------------------------------

static FiloResult update(FiloFrame *frame, void *user) {
    FiloAssets *assets = ((FiloAssetsModule *)user)->assets;
    // Headless frames take no time, so loads would need very many of them.
    if (frame->headless)
        filo_assets_wait_all(assets);
    else
        filo_assets_update(assets, BUDGET_NS);
    return filo_ok();
}

static FiloResult wait(FiloFrame *frame, void *user) {
    FiloAssets *assets = ((FiloAssetsModule *)user)->assets;
    if (filo_assets_stats(assets).loading == 0) return filo_ok();
    filo_assets_wait_all(assets);
    frame->waited = true;
    return filo_ok();
}

static void list_failed(FiloLines *lines, void *user) {
    const FiloAssets *assets = ((FiloAssetsModule *)user)->assets;
    FiloAsset asset;
    // Those that do not fit are counted, but not without end: each one is searched for.
    for (size_t n = 0; n < MOST_FAILED && (asset = filo_assets_failed_at(assets, n)).id != 0; n++)
        filo_lines_add(lines, "%s", filo_asset_error(assets, asset)->message);
}

// ---- Types of other modules -----------------------------------------------------------------------------

static FiloResult add_types(FiloModules *modules, const FiloModuleContribution *contribution, void *user) {
    FILO_UNUSED(modules);
    FiloAssets *assets = ((FiloAssetsModule *)user)->assets;
    const FiloAssetType *types = contribution->items;
    for (size_t i = 0; i < contribution->count; i++) {
        FiloResult r = filo_assets_register(assets, &types[i]);
        if (r.code == FILO_OK) continue;
        while (i-- > 0) (void)filo_assets_unregister(assets, types[i].name);
        return r;
    }
    return filo_ok();
}

static void remove_types(FiloModules *modules, const FiloModuleContribution *contribution, void *user) {
    FILO_UNUSED(modules);
    const FiloAssetType *types = contribution->items;
    for (size_t i = contribution->count; i-- > 0;)
        (void)filo_assets_unregister(((FiloAssetsModule *)user)->assets, types[i].name);
}

// ---- The description ------------------------------------------------------------------------------------

FiloModuleDesc filo_assets_module(FiloAssetsModule *module) {
    static const FiloModuleNeed needs[] = { FILO_NEED_OBJECT(FiloJobs) };
    static const FiloModuleProvide provides[] = { FILO_PROVIDE_OBJECT(FiloAssets) };
    static const FiloModuleAccept accepts[] = { { "FiloAssetType", add_types, remove_types } };
    return (FiloModuleDesc){ .name = "assets",
                             .version = FILO_VERSION(0, 1, 0),
                             .needs = needs,
                             .need_count = FILO_COUNT_OF(needs),
                             .provides = provides,
                             .provide_count = FILO_COUNT_OF(provides),
                             .load = load,
                             .unload = unload,
                             .user = module,
                             .frame = { .before_ticks = update, .wait = wait },
                             .accepts = accepts,
                             .accept_count = FILO_COUNT_OF(accepts),
                             .problems = list_failed };
}
