// The renderer as a module: see filo/modules.h.
//
// Sprites and immediate quads share draw calls where possible. So the render hook draws nothing; `flush` does, before a
// hook that is `direct`, and at the end of the frame.

#include "gfx2d/renderer.h"

static FiloResult load(FiloModules *modules, void *user) {
    FiloGfx2dModule *module = user;
    filo_heap_init(&module->heap, "gfx2d", 0);
    FiloGfx2dDesc desc = module->desc;
    desc.world = FILO_OBJECT(modules, FiloWorld);
    desc.assets = FILO_OBJECT(modules, FiloAssets);
    desc.gpu = FILO_OBJECT(modules, FiloGpu);
    desc.allocator = &module->heap.allocator;
    FiloResult r = filo_gfx2d_create(&module->gfx, &desc);
    if (r.code != FILO_OK) {
        filo_heap_deinit(&module->heap);
        return r;
    }
    module->sprites_due = false;
    FILO_SET_OBJECT(modules, FiloGfx2d, module->gfx);
    FILO_SET_OBJECT(modules, FiloDraw, filo_gfx2d_draw(module->gfx));
    return r;
}

static FiloResult unload(FiloModules *modules, void *user) {
    FILO_UNUSED(modules);
    FiloGfx2dModule *module = user;
    filo_gfx2d_destroy(module->gfx);
    filo_heap_deinit(&module->heap);
    module->gfx = NULL;
    return filo_ok();
}

// ---- Hooks of the frame ---------------------------------------------------------------------------------

// Before `frame` and the ticks, which cannot draw.
static FiloResult end_drawing(FiloFrame *frame, void *user) {
    FILO_UNUSED(frame);
    gfx2d_draw_end(((FiloGfx2dModule *)user)->gfx->draw);
    return filo_ok();
}

static FiloResult extract(FiloFrame *frame, void *user) {
    FiloGfx2dModule *module = user;
    filo_gfx2d_extract(module->gfx, &(FiloExtract){ .width = frame->width,
                                                    .height = frame->height,
                                                    .blend = frame->blend,
                                                    .time = (float)frame->time });
    module->sprites_due = false;
    return filo_ok();
}

static FiloResult render(FiloFrame *frame, void *user) {
    FILO_UNUSED(frame);
    ((FiloGfx2dModule *)user)->sprites_due = true;
    return filo_ok();
}

static FiloResult flush(FiloFrame *frame, void *user) {
    FiloGfx2dModule *module = user;
    FiloGfx2d *gfx = module->gfx;
    if (gfx->gpu == NULL && frame->picture.data == NULL) return filo_ok(); // there is nothing to draw to
    bool drew =
        filo_gfx2d_render_part(gfx, &(FiloRender2d){ .picture = gfx->gpu == NULL ? &frame->picture : NULL,
                                                     .over = frame->cleared,
                                                     .no_sprites = !module->sprites_due });
    frame->cleared = frame->cleared || drew;
    return filo_ok();
}

// ---- Stats and debug view -------------------------------------------------------------------------------

static void report_stats(FiloStats *stats, void *user) {
    const FiloGfx2d *gfx = ((FiloGfx2dModule *)user)->gfx;
    const FiloGfx2dStats now = filo_gfx2d_stats(gfx);
    // With a device: those of all modules that drew.
    size_t draws = gfx->gpu != NULL ? FILO_MAX(now.draws, (size_t)filo_gpu_stats(gfx->gpu).draws) : now.draws;
    filo_stats_number(stats, "extract_ms", now.extract_ms);
    filo_stats_count(stats, "draw_calls", draws);
    filo_stats_count(stats, "sprites", now.sprites);
    filo_stats_count(stats, "visible", now.visible);
    filo_stats_count(stats, "rebuilt", now.rebuilt);
}

static const char *device_name(const FiloGpu *gpu) {
    if (gpu == NULL) return "CPU";
    return filo_gpu_limits(gpu)->kind == FILO_GPU_NULL ? "null" : "GL";
}

static void describe(FiloLines *lines, void *user) {
    const FiloGfx2d *gfx = ((FiloGfx2dModule *)user)->gfx;
    const FiloGfx2dStats now = filo_gfx2d_stats(gfx);
    filo_lines_add(lines, "%s: %zu draw calls  %zu of %zu sprites", device_name(gfx->gpu), now.draws,
                   now.visible, now.sprites);
    filo_lines_add(lines, "%zu rebuilt  %zu images on %zu pages", now.rebuilt, now.images, now.pages);
}

// ---- The description ------------------------------------------------------------------------------------

FiloModuleDesc filo_gfx2d_module(FiloGfx2dModule *module) {
    static const FiloModuleNeed needs[] = { FILO_NEED_OBJECT(FiloWorld), FILO_OPTIONAL_OBJECT(FiloAssets),
                                            FILO_OPTIONAL_OBJECT(FiloGpu) };
    static const FiloModuleProvide provides[] = { FILO_PROVIDE_OBJECT(FiloGfx2d),
                                                  FILO_PROVIDE_OBJECT(FiloDraw) };
    static const FiloRenderHook renders[] = { { FILO_RENDER_SPRITES, false, render } };
    return (FiloModuleDesc){ .name = "gfx2d",
                             .version = FILO_VERSION(0, 1, 0),
                             .needs = needs,
                             .need_count = FILO_COUNT_OF(needs),
                             .provides = provides,
                             .provide_count = FILO_COUNT_OF(provides),
                             .load = load,
                             .unload = unload,
                             .user = module,
                             .backend = true,
                             .frame = { .before_ticks = end_drawing, .extract = extract, .flush = flush },
                             .renders = renders,
                             .render_count = FILO_COUNT_OF(renders),
                             .stats = report_stats,
                             .debug = describe };
}
