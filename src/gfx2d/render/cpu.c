// Drawing with the CPU, by filo/raster.h.

#include "gfx2d/renderer.h"

#include <filo/log.h>

FiloResult gfx2d_render_cpu_init(FiloGfx2d *gfx) {
    return filo_raster_create(&gfx->raster,
                              &(FiloRasterDesc){ .jobs = gfx->jobs, .allocator = gfx->allocator });
}

void gfx2d_render_cpu_deinit(FiloGfx2d *gfx) { filo_raster_destroy(gfx->raster); }

// Lists the quads of calls as spans; `packet` are the quads of the view. Without memory some are missing.
static void list_spans(FiloGfx2d *gfx, const FiloQuad *packet, size_t first, size_t end) {
    filo_array_clear(&gfx->spans);
    for (size_t i = first; i < end; i++) {
        const Gfx2dDrawCall *call = &gfx->calls.items[i];
        const FiloQuad *list = call->source == GFX2D_FROM_PACKET ? packet
                               : call->source == GFX2D_FROM_WORLD_LIST
                                   ? gfx2d_draw_world_quads(gfx->draw).quads
                                   : gfx2d_draw_screen_quads(gfx->draw).quads;
        if (!filo_array_push(&gfx->spans, ((FiloQuadSpan){ list + call->first, call->count }))) return;
    }
}

static void draw_spans(FiloGfx2d *gfx, const Gfx2dView *view, FiloRasterPass *pass, Gfx2dArea area) {
    pass->x = area.x, pass->y = area.y, pass->width = area.width, pass->height = area.height;
    if (view != NULL) pass->view = view->to_pixels;
    pass->images = gfx->pages.images.items;
    pass->image_count = gfx->pages.images.count;
    pass->spans = gfx->spans.items;
    pass->span_count = gfx->spans.count;
    filo_raster_draw(gfx->raster, pass);
    gfx->stats.draws++;
}

// Consecutive calls with the same clip are one pass. The first pass fills the whole view. `view` NULL: the screen.
static void draw_calls(FiloGfx2d *gfx, const Gfx2dView *view, FiloRasterPass pass) {
    const Gfx2dDrawCall *calls = gfx->calls.items;
    Gfx2dArea area;
    filo_array_clear(&gfx->spans);
    if (pass.clear && (gfx->calls.count == 0 || calls[0].clip != 0)) {
        (void)gfx2d_batch_area(gfx, view, 0, &area);
        draw_spans(gfx, view, &pass, area);
        pass.clear = false;
    }
    for (size_t first = 0, end; first < gfx->calls.count; first = end) {
        for (end = first + 1; end < gfx->calls.count && calls[end].clip == calls[first].clip;) end++;
        if (!gfx2d_batch_area(gfx, view, calls[first].clip, &area)) continue;
        list_spans(gfx, view != NULL ? view->quads : NULL, first, end);
        draw_spans(gfx, view, &pass, area);
        pass.clear = false;
    }
}

// Blends the background of a view with what is in its viewport.
static void blend_background(FiloGfx2d *gfx, const Gfx2dView *view) {
    FiloVec2 half = filo_vec2((float)view->width * 0.5f, (float)view->height * 0.5f);
    FiloQuad box =
        filo_quad_box(filo_vec2((float)view->x + half.x, (float)view->y + half.y), half, view->background);
    filo_raster_draw(gfx->raster, &(FiloRasterPass){ .target = gfx->output,
                                                     .view = filo_affine2_identity(),
                                                     .spans = &(FiloQuadSpan){ &box, 1 },
                                                     .span_count = 1 });
}

static void draw_view(FiloGfx2d *gfx, const Gfx2dView *view, const Gfx2dRenderRange *range) {
    Gfx2dTarget *target = view->target != 0 ? &gfx->targets.items[view->target - 1] : NULL;
    filo_array_clear(&gfx->calls);
    (void)gfx2d_batch_view(gfx, view, range, &gfx->calls);
    // A target cannot show itself: its page is empty while it is drawn to.
    FiloPixels *page = target != NULL ? &gfx->pages.images.items[target->page] : NULL;
    FiloPixels pixels = { 0 };
    if (page != NULL) pixels = *page, *page = (FiloPixels){ 0 };
    bool clears = gfx2d_view_clears(view, range), blends = clears && gfx2d_view_blends(view, range);
    if (blends) blend_background(gfx, view);
    draw_calls(gfx, view,
               (FiloRasterPass){ .target = target != NULL ? target->pixels : gfx->output,
                                 .clear = clears && !blends,
                                 .color = gfx2d_view_background(view, gfx->background) });
    if (page != NULL) *page = pixels;
}

// Whether the first view of the screen leaves some of the picture uncovered.
static bool leaves_background(const FiloGfx2d *gfx) {
    filo_array_each (&gfx->views, view)
        if (view->target == 0)
            return view->x > 0 || view->y > 0 || view->width < gfx->width || view->height < gfx->height;
    return true;
}

void gfx2d_render_cpu(FiloGfx2d *gfx, const Gfx2dRenderRange *range) {
    bool fills = !range->over && (!range->views || (range->sprites && leaves_background(gfx)));
    if (fills) filo_pixels_fill(&gfx->output, gfx->background);
    if (range->views)
        filo_array_each (&gfx->views, view) draw_view(gfx, view, range);
    filo_array_clear(&gfx->calls);
    (void)gfx2d_batch_screen(gfx, range, &gfx->calls);
    if (gfx->calls.count > 0)
        draw_calls(gfx, NULL, (FiloRasterPass){ .target = gfx->output, .view = filo_affine2_identity() });
}
