// Creating and destroying a renderer, and drawing what was extracted. See renderer.h.

#include "gfx2d/renderer.h"

#include <filo/time.h>

// Extraction reads plain columns, so the components must be stored in tables.
static FiloResult check_storage(const FiloWorld *world) {
    const FiloType *types[] = { FILO_TYPE(FiloTransform2), FILO_TYPE(FiloSprite),
                                FILO_TYPE(FiloPreviousTransform2), FILO_TYPE(FiloWorldTransform2) };
    for (size_t i = 0; i < FILO_COUNT_OF(types); i++) {
        const FiloComponentInfo *info = filo_component_info(world, filo_component_of(world, types[i]));
        if (info == NULL || info->storage != FILO_STORAGE_TABLE)
            return FILO_MISTAKE(
                "component %s must be stored in tables to be drawn; leave it to filo_gfx2d_register",
                types[i]->name);
    }
    return filo_ok();
}

static FiloResult init(FiloGfx2d *gfx, const FiloGfx2dDesc *desc) {
    gfx2d_pages_init(&gfx->pages, desc->page_size, gfx->gpu, gfx->allocator);
    gfx->calls.allocator = gfx->spans.allocator = gfx->allocator;
    gfx->targets.allocator = gfx->shaders.allocator = gfx->allocator;
    filo_map_init(&gfx->pictures, sizeof(Gfx2dPageSlot), gfx->allocator);
    gfx->retired.allocator = gfx->allocator;
    FiloResult result = gfx2d_extract_init(gfx);
    if (result.code == FILO_OK) result = gfx2d_frames_init(gfx);
    if (result.code == FILO_OK) result = gfx2d_images_init(gfx);
    if (result.code == FILO_OK) result = gfx2d_draw_create(&gfx->draw, gfx, gfx->allocator);
    if (result.code == FILO_OK)
        result = gfx->gpu != NULL ? gfx2d_render_gpu_init(gfx) : gfx2d_render_cpu_init(gfx);
    return result;
}

FiloResult filo_gfx2d_create(FiloGfx2d **out, const FiloGfx2dDesc *desc) {
    if (out != NULL) *out = NULL;
    if (out == NULL || desc == NULL || desc->world == NULL)
        return FILO_MISTAKE("pass where the renderer goes, and a description with a world");
    if (!filo_gfx2d_register(desc->world, desc->assets))
        return filo_error(FILO_ERROR_MEMORY, "cannot register the components of sprites");
    FiloResult result = check_storage(desc->world);
    if (result.code != FILO_OK) return result;
    FiloGfx2d *gfx = filo_alloc_zero(desc->allocator, sizeof *gfx, 0);
    if (gfx == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for the renderer");
    gfx->world = desc->world;
    gfx->jobs = filo_world_jobs(desc->world);
    gfx->assets = desc->assets;
    gfx->gpu = desc->gpu;
    gfx->allocator = desc->allocator;
    gfx->pixels_per_unit = desc->pixels_per_unit > 0.0f ? desc->pixels_per_unit : 1.0f;
    gfx->units_per_pixel = 1.0f / gfx->pixels_per_unit;
    gfx->background = filo_color_over(desc->background, FILO_COLOR_BLACK); // the screen is opaque
    result = init(gfx, desc);
    if (result.code != FILO_OK) {
        filo_gfx2d_destroy(gfx);
        return result;
    }
    *out = gfx;
    return result;
}

void filo_gfx2d_destroy(FiloGfx2d *gfx) {
    if (gfx == NULL) return;
    // The source of glyphs would go on to use the renderer: it is not destroyed.
    if (!FILO_CHECK(
            gfx->draw == NULL || !gfx2d_draw_has_glyph_source(gfx->draw),
            "a typesetter still draws with this renderer: destroy it, or call filo_text_detach, before "
            "the renderer"))
        return;
    gfx2d_extract_end_writes(gfx);
    if (gfx->gpu != NULL)
        gfx2d_render_gpu_deinit(gfx);
    else
        gfx2d_render_cpu_deinit(gfx);
    gfx2d_draw_destroy(gfx->draw);
    gfx2d_targets_deinit(gfx);
    gfx2d_images_deinit(gfx);
    gfx2d_frames_deinit(gfx);
    gfx2d_extract_deinit(gfx);
    gfx2d_pages_deinit(&gfx->pages);
    filo_pixels_free(&gfx->picture, gfx->allocator);
    filo_array_deinit(&gfx->calls);
    filo_array_deinit(&gfx->spans);
    filo_free(gfx->allocator, gfx, sizeof *gfx, 0);
}

FiloDraw *filo_gfx2d_draw(FiloGfx2d *gfx) {
    return FILO_CHECK(gfx != NULL, "pass a renderer") ? gfx->draw : NULL;
}

void filo_gfx2d_set_glyph_source(FiloGfx2d *gfx, const FiloGlyphSource *source) {
    if (!FILO_CHECK(gfx != NULL, "pass a renderer")) return;
    gfx2d_draw_set_glyph_source(gfx->draw, source != NULL ? *source : (FiloGlyphSource){ 0 });
}

// ---- Drawing ----------------------------------------------------------------------------------------------

bool gfx2d_renderer_size_picture(FiloGfx2d *gfx) {
    if (gfx->picture.width == gfx->width && gfx->picture.height == gfx->height) return true;
    filo_pixels_free(&gfx->picture, gfx->allocator);
    return filo_pixels_create(&gfx->picture, gfx->width, gfx->height, gfx->allocator);
}

// Draws into `picture`, or (NULL) into gfx->picture. False without memory.
static bool render_cpu(FiloGfx2d *gfx, const FiloPixels *picture, const Gfx2dRenderRange *range) {
    if (picture == NULL && !gfx2d_renderer_size_picture(gfx)) return false;
    gfx->output = picture != NULL ? *picture : gfx->picture;
    gfx2d_render_cpu(gfx, range);
    return true;
}

// What has not been drawn since the extraction, as far as the caller asks for it. False if there is nothing.
static bool choose_range(FiloGfx2d *gfx, const FiloRender2d *render, Gfx2dRenderRange *range) {
    size_t runs;
    (void)gfx2d_draw_world_runs(gfx->draw, &runs);
    *range = gfx->pending;
    range->sprites = range->sprites && !render->no_sprites;
    range->views = !render->no_sprites && (range->sprites || runs > range->first_run);
    range->over = render->over || gfx->rendered;
    return range->views || gfx2d_draw_screen_quads(gfx->draw).count > range->first_screen;
}

static void update_pending(FiloGfx2d *gfx, const Gfx2dRenderRange *range) {
    gfx->pending.first_screen = gfx2d_draw_screen_quads(gfx->draw).count;
    if (!range->views) return;
    gfx->pending.sprites = gfx->pending.sprites && !range->sprites;
    (void)gfx2d_draw_world_runs(gfx->draw, &gfx->pending.first_run);
    gfx->pending.first_world = gfx2d_draw_world_quads(gfx->draw).count;
    gfx2d_draw_seal(gfx->draw);
}

bool filo_gfx2d_render_part(FiloGfx2d *gfx, const FiloRender2d *render) {
    if (!FILO_CHECK(gfx != NULL && render != NULL && gfx->extracted,
                    "extract before you render: filo_gfx2d_extract") ||
        !FILO_CHECK(render->picture == NULL || gfx->gpu != NULL ||
                        (render->picture->width == gfx->width && render->picture->height == gfx->height),
                    "pass a picture of %d × %d, as was extracted for", gfx->width, gfx->height))
        return false;
    Gfx2dRenderRange range;
    if (!choose_range(gfx, render, &range)) return false;
    int64_t begin = filo_time_ns();
    if (!gfx->rendered) gfx->stats.draws = 0, gfx->stats.render_ms = 0;
    gfx->rendered = true;
    if (gfx->gpu != NULL)
        gfx->drawn = gfx2d_render_gpu(gfx, &range) || gfx->drawn;
    else
        gfx->drawn = render_cpu(gfx, render->picture, &range);
    update_pending(gfx, &range);
    gfx->stats.render_ms += (double)(filo_time_ns() - begin) * 1e-6;
    return gfx->drawn;
}

void filo_gfx2d_render(FiloGfx2d *gfx) {
    if (gfx != NULL && gfx->extracted) {
        gfx->rendered = false;
        gfx->pending = (Gfx2dRenderRange){ .sprites = true };
    }
    (void)filo_gfx2d_render_part(gfx, &(FiloRender2d){ 0 });
}

void filo_gfx2d_sort_layer_by_y(FiloGfx2d *gfx, uint8_t layer, bool on) {
    if (!FILO_CHECK(gfx != NULL, "pass a renderer")) return;
    uint64_t bit = UINT64_C(1) << layer % 64, *word = &gfx->sorted_layers[layer / 64];
    if (((*word & bit) != 0) == on) return;
    *word ^= bit;
    gfx->generation++; // cached parts have keys
}

FiloGfx2dStats filo_gfx2d_stats(const FiloGfx2d *gfx) {
    if (!FILO_CHECK(gfx != NULL, "pass a renderer")) return (FiloGfx2dStats){ 0 };
    FiloGfx2dStats stats = gfx->stats;
    stats.pages = gfx2d_pages_count(&gfx->pages);
    stats.images = 0;
    filo_array_each (&gfx->images, image) stats.images += image->present;
    return stats;
}

FiloResult filo_gfx2d_pixels(FiloGfx2d *gfx, FiloPixels *pixels) {
    if (gfx == NULL) return FILO_MISTAKE("pass a renderer");
    *pixels = (FiloPixels){ 0 };
    if (!gfx->drawn) return filo_error(FILO_ERROR_NOT_FOUND, "nothing has been drawn yet");
    FiloResult result = gfx->gpu != NULL ? gfx2d_render_gpu_read(gfx) : filo_ok();
    if (result.code == FILO_OK) *pixels = gfx->gpu != NULL ? gfx->picture : gfx->output;
    return result;
}
