// The renderer as a module: see filo/modules.h.

#include "gfx3d/renderer.h"

static FiloResult load(FiloModules *modules, void *user) {
    FiloGfx3dModule *module = user;
    FiloGfx3dDesc desc = module->desc;
    desc.world = FILO_OBJECT(modules, FiloWorld);
    desc.assets = FILO_OBJECT(modules, FiloAssets);
    desc.gpu = FILO_OBJECT(modules, FiloGpu);
    if (desc.gpu == NULL)
        return filo_error(
            FILO_ERROR_UNSUPPORTED,
            "3D needs OpenGL: the CPU draws only in the plane; take --backend gl, or null for no picture");
    filo_heap_init(&module->heap, "gfx3d", 0);
    desc.allocator = &module->heap.allocator;
    FiloResult r = filo_gfx3d_create(&module->gfx, &desc);
    if (r.code != FILO_OK) {
        filo_heap_deinit(&module->heap);
        return r;
    }
    FILO_SET_OBJECT(modules, FiloGfx3d, module->gfx);
    return r;
}

static FiloResult unload(FiloModules *modules, void *user) {
    FILO_UNUSED(modules);
    FiloGfx3dModule *module = user;
    filo_gfx3d_destroy(module->gfx);
    filo_heap_deinit(&module->heap);
    module->gfx = NULL;
    return filo_ok();
}

static FiloResult extract(FiloFrame *frame, void *user) {
    FiloGfx3d *gfx = ((FiloGfx3dModule *)user)->gfx;
    // A picture for a file has everything that is loaded.
    gfx->upload_limit = frame->headless || frame->shot ? SIZE_MAX : GFX3D_UPLOAD_LIMIT;
    gfx->for_file = frame->shot;
    filo_gfx3d_extract(gfx, &(FiloExtract3){ .width = frame->width,
                                             .height = frame->height,
                                             .blend = frame->blend,
                                             .time = (float)frame->time });
    return filo_ok();
}

// What does not exist is known in the frame after the one that has asked for it. A picture for a file shows it.
static FiloResult wait(FiloFrame *frame, void *user) {
    frame->waited = frame->waited || gfx3d_materials_pending(((FiloGfx3dModule *)user)->gfx);
    return filo_ok();
}

static FiloResult render(FiloFrame *frame, void *user) {
    bool drew = filo_gfx3d_render(((FiloGfx3dModule *)user)->gfx);
    frame->cleared = frame->cleared || drew;
    return filo_ok();
}

// A frame that was not drawn has forgotten its lines all the same.
static FiloResult end(FiloFrame *frame, void *user) {
    FILO_UNUSED(frame);
    gfx3d_effects_end_frame(((FiloGfx3dModule *)user)->gfx);
    return filo_ok();
}

static void report_stats(FiloStats *stats, void *user) {
    const FiloGfx3dStats now = filo_gfx3d_stats(((FiloGfx3dModule *)user)->gfx);
    filo_stats_count(stats, "draw_calls_3d", now.draws);
    filo_stats_count(stats, "triangles", now.triangles);
    filo_stats_count(stats, "meshes", now.meshes);
    filo_stats_count(stats, "visible_3d", now.visible);
    filo_stats_count(stats, "instances", now.instances);
    filo_stats_count(stats, "rebuilt_3d", now.rebuilt);
    filo_stats_count(stats, "lights", now.lights);
    filo_stats_count(stats, "figures", now.figures);
    filo_stats_count(stats, "particles", now.particles);
    filo_stats_number(stats, "extract_3d_ms", now.extract_ms);
    filo_stats_number(stats, "render_3d_ms", now.render_ms);
}

static void describe(FiloLines *lines, void *user) {
    const FiloGfx3dStats now = filo_gfx3d_stats(((FiloGfx3dModule *)user)->gfx);
    filo_lines_add(lines, "3D: %zu draw calls  %zu of %zu meshes", now.draws, now.visible, now.meshes);
    filo_lines_add(lines, "%llu triangles  %zu instances", (unsigned long long)now.triangles, now.instances);
    filo_lines_add(lines, "%zu rebuilt  %zu lights  %zu figures", now.rebuilt, now.lights, now.figures);
    filo_lines_add(lines, "%zu particles  extract %.2f ms", now.particles, now.extract_ms);
    filo_lines_add(lines, "cull %.2f  write %.2f  render %.2f ms", now.cull_ms, now.write_ms, now.render_ms);
}

static void problems(FiloLines *lines, void *user) {
    gfx3d_meshes_problems(((FiloGfx3dModule *)user)->gfx, lines);
    gfx3d_materials_problems(((FiloGfx3dModule *)user)->gfx, lines);
    gfx3d_grounds_problems(((FiloGfx3dModule *)user)->gfx, lines);
}

FiloModuleDesc filo_gfx3d_module(FiloGfx3dModule *module) {
    static const FiloModuleNeed needs[] = { FILO_NEED_OBJECT(FiloWorld), FILO_OPTIONAL_OBJECT(FiloAssets),
                                            FILO_NEED_OBJECT(FiloGpu) };
    static const FiloModuleProvide provides[] = { FILO_PROVIDE_OBJECT(FiloGfx3d) };
    static const FiloRenderHook renders[] = { { FILO_RENDER_WORLD, true, render } };
    return (FiloModuleDesc){ .name = "gfx3d",
                             .version = FILO_VERSION(0, 1, 0),
                             .needs = needs,
                             .need_count = FILO_COUNT_OF(needs),
                             .provides = provides,
                             .provide_count = FILO_COUNT_OF(provides),
                             .load = load,
                             .unload = unload,
                             .user = module,
                             .backend = true,
                             .frame = { .extract = extract, .end = end, .wait = wait },
                             .renders = renders,
                             .render_count = FILO_COUNT_OF(renders),
                             .stats = report_stats,
                             .debug = describe,
                             .problems = problems };
}
