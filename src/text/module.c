// Text as a module: see filo/modules.h.

#include <filo/modules.h>

#include "text/typesetter.h"

static FiloResult load(FiloModules *modules, void *user) {
    FiloTextModule *module = user;
    filo_heap_init(&module->heap, "text", 0);
    FiloTypesetterDesc desc = module->desc;
    desc.assets = FILO_OBJECT(modules, FiloAssets);
    desc.allocator = &module->heap.allocator;
    FiloResult r = filo_typesetter_create(&module->setter, &desc);
    FiloWorld *world = FILO_OBJECT(modules, FiloWorld);
    FiloGfx2d *gfx = FILO_OBJECT(modules, FiloGfx2d);
    FiloTextDrawDesc drawing = { .gfx = gfx, .world = world, .glyph_memory = module->glyph_memory };
    if (r.code == FILO_OK && gfx != NULL) r = filo_text_attach(module->setter, &drawing);
    if (r.code == FILO_OK && gfx == NULL && world != NULL && !filo_text_register(world))
        r = filo_error(FILO_ERROR_MEMORY, "cannot register the components of texts");
    if (r.code != FILO_OK) {
        filo_typesetter_destroy(module->setter);
        module->setter = NULL;
        filo_heap_deinit(&module->heap);
        return r;
    }
    FILO_SET_OBJECT(modules, FiloTypesetter, module->setter);
    return r;
}

static FiloResult unload(FiloModules *modules, void *user) {
    FILO_UNUSED(modules);
    FiloTextModule *module = user;
    filo_text_detach(module->setter);
    filo_typesetter_destroy(module->setter);
    module->setter = NULL;
    filo_heap_deinit(&module->heap);
    return filo_ok();
}

static FiloResult update(FiloFrame *frame, void *user) {
    FILO_UNUSED(frame);
    filo_typesetter_update(((FiloTextModule *)user)->setter);
    return filo_ok();
}

// Fonts that the assets have finished loading give other glyphs, which are made then.
static FiloResult wait(FiloFrame *frame, void *user) {
    FiloTypesetter *setter = ((FiloTextModule *)user)->setter;
    uint32_t generation = setter->fonts.generation;
    filo_typesetter_update(setter);
    bool made = filo_text_wait(setter);
    if (made || setter->fonts.generation != generation) frame->waited = true;
    return filo_ok();
}

static void report_stats(FiloStats *stats, void *user) {
    const FiloTypesetter *setter = ((FiloTextModule *)user)->setter;
    FiloGlyphStats glyphs = filo_text_glyph_stats(setter);
    FiloTextStats text = filo_text_stats(setter);
    filo_stats_count(stats, "layouts", text.layouts);
    filo_stats_count(stats, "laid_out", text.laid_out);
    filo_stats_count(stats, "glyphs", glyphs.glyphs);
    filo_stats_count(stats, "glyphs_missed", glyphs.missed);
}

static void describe(FiloLines *lines, void *user) {
    const FiloTypesetter *setter = ((FiloTextModule *)user)->setter;
    FiloGlyphStats glyphs = filo_text_glyph_stats(setter);
    FiloTextStats text = filo_text_stats(setter);
    filo_lines_add(lines, "%zu fonts  %zu layouts, %llu made", text.fonts, text.layouts,
                   (unsigned long long)text.laid_out);
    filo_lines_add(lines, "%zu glyphs in %zu KiB, %llu made, %llu evicted", glyphs.glyphs,
                   glyphs.memory / 1024, (unsigned long long)glyphs.made, (unsigned long long)glyphs.evicted);
}

FiloModuleDesc filo_text_module(FiloTextModule *module) {
    static const FiloModuleNeed needs[] = { FILO_OPTIONAL_OBJECT(FiloWorld), FILO_OPTIONAL_OBJECT(FiloAssets),
                                            FILO_OPTIONAL_OBJECT(FiloGfx2d) };
    static const FiloModuleProvide provides[] = { FILO_PROVIDE_OBJECT(FiloTypesetter) };
    return (FiloModuleDesc){ .name = "text",
                             .version = FILO_VERSION(0, 1, 0),
                             .needs = needs,
                             .need_count = FILO_COUNT_OF(needs),
                             .provides = provides,
                             .provide_count = FILO_COUNT_OF(provides),
                             .load = load,
                             .unload = unload,
                             .user = module,
                             .backend = true,
                             .frame = { .before_ticks = update, .wait = wait },
                             .stats = report_stats,
                             .debug = describe };
}
