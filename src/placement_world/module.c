// Streamed placement as a module: see filo/modules.h.

#include "placement_world/placement_world.h"

static FiloResult load(FiloModules *modules, void *user) {
    FiloPlacementWorldModule *module = user;
    FiloWorld *world = FILO_OBJECT(modules, FiloWorld);
    FiloPlacementWorldDesc desc = module->desc;
    if (module->prepare != NULL) {
        FiloResult r = module->prepare(&desc, modules, module->user);
        if (r.code != FILO_OK) return r;
    }
    FiloResult r = filo_placement_world_create(&module->placement_world, world, &desc);
    if (r.code != FILO_OK && module->finish != NULL) module->finish(modules, module->user);
    FILO_SET_OBJECT(modules, FiloPlacementWorld, module->placement_world);
    return r;
}

static FiloResult unload(FiloModules *modules, void *user) {
    FiloPlacementWorldModule *module = user;
    filo_placement_world_destroy(module->placement_world);
    module->placement_world = NULL;
    if (module->finish != NULL) module->finish(modules, module->user);
    return filo_ok();
}

static FiloResult update(FiloFrame *frame, void *user) {
    FILO_UNUSED(frame);
    filo_placement_world_update(((FiloPlacementWorldModule *)user)->placement_world);
    return filo_ok();
}

static FiloResult wait(FiloFrame *frame, void *user) {
    FiloPlacementWorldModule *module = user;
    if (filo_placement_world_wait(module->placement_world)) frame->waited = true;
    return filo_ok();
}

static void count(FiloStats *stats, void *user) {
    const FiloPlacementWorldModule *module = user;
    FiloPlacementWorldStats s = filo_placement_world_stats(module->placement_world);
    filo_stats_count(stats, "placement_tiles", s.tiles);
    filo_stats_count(stats, "placement_missing", s.tiles_missing);
    filo_stats_count(stats, "placement_bytes", s.bytes);
    filo_stats_count(stats, "placement_objects", s.objects);
    filo_stats_count(stats, "placement_entities", s.entities);
    filo_stats_count(stats, "placement_edits", s.edits);
    filo_stats_count(stats, "placement_late", s.late);
}

static void describe(FiloLines *lines, void *user) {
    const FiloPlacementWorldModule *module = user;
    FiloPlacementWorldStats s = filo_placement_world_stats(module->placement_world);
    filo_lines_title(lines, "placement");
    filo_lines_add(lines, "%zu tiles, %zu of %zu needed are missing, %zu under way", s.tiles, s.tiles_missing,
                   s.tiles_needed, s.under_way);
    filo_lines_add(lines, "%zu objects in %.1f of %.1f MB", s.objects, (double)s.bytes / 1e6,
                   (double)s.budget / 1e6);
    filo_lines_add(lines, "%zu entities in %zu squares, %zu asleep, %zu edits", s.entities, s.squares,
                   s.asleep, s.edits);
}

FiloModuleDesc filo_placement_world_module(FiloPlacementWorldModule *module) {
    static const FiloModuleNeed needs[] = { FILO_NEED_OBJECT(FiloWorld) };
    static const FiloModuleProvide provides[] = { FILO_PROVIDE_OBJECT(FiloPlacementWorld) };
    return (FiloModuleDesc){ .name = "placement",
                             .version = FILO_VERSION(0, 1, 0),
                             .needs = needs,
                             .need_count = FILO_COUNT_OF(needs),
                             .provides = provides,
                             .provide_count = FILO_COUNT_OF(provides),
                             .load = load,
                             .unload = unload,
                             .user = module,
                             .frame = { .before_ticks = update, .wait = wait },
                             .stats = count,
                             .debug = describe };
}
