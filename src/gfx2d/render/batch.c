// The draw calls of a view: segments of the packet, and between them the immediate quads of the world.
//
// Consecutive segments with the same state become one draw call, across layers too. The immediate quads of a layer come
// after the sprites of that layer whose order is 0 or lower.

#include "gfx2d/renderer.h"

static bool add_call(Gfx2dDrawCalls *calls, Gfx2dDrawCall call) {
    if (calls->count > 0) {
        Gfx2dDrawCall *last = &calls->items[calls->count - 1];
        if (last->source == call.source && last->state == call.state && last->clip == call.clip &&
            last->first + last->count == call.first) {
            last->count += call.count;
            last->features |= call.features;
            return true;
        }
    }
    return filo_array_push(calls, call);
}

// Adds immediate quads. On the GPU, a quad that shows a target needs the state of that target.
static bool add_list(const FiloGfx2d *gfx, Gfx2dDrawCalls *calls, Gfx2dDrawSource source, FiloQuadSpan quads,
                     size_t first, size_t count, const Gfx2dDrawRun *run) {
    const uint8_t all = (uint8_t)(GFX2D_FEATURE_LINEAR | GFX2D_FEATURE_SHAPES |
                                  (run->has_distance_fields ? GFX2D_FEATURE_DISTANCE : 0));
    const uint32_t clip = run->clip;
    if (gfx->gpu == NULL || gfx->targets.count == 0)
        return count == 0 || add_call(calls, (Gfx2dDrawCall){ source, all, 0, first, count, clip });
    for (size_t i = first; i < first + count; i++) {
        const FiloQuad *quad = &quads.quads[i];
        bool shows_target = quad->kind == FILO_QUAD_IMAGE && gfx2d_page_is_target(quad->image);
        uint16_t state = shows_target ? gfx2d_page_state(quad->image) : 0;
        if (!add_call(calls, (Gfx2dDrawCall){ source, all, state, i, 1, clip })) return false;
    }
    return true;
}

// Adds the immediate runs from `first_run` on of the layers from `from` to `to` (exclusive), layer by layer.
static bool add_runs(const FiloGfx2d *gfx, const Gfx2dView *view, Gfx2dDrawCalls *calls, size_t first_run,
                     unsigned from, unsigned to) {
    size_t run_count;
    const Gfx2dDrawRun *runs = gfx2d_draw_world_runs(gfx->draw, &run_count) + first_run;
    run_count -= first_run;
    FiloQuadSpan quads = gfx2d_draw_world_quads(gfx->draw);
    while (from < to) {
        unsigned next = to;
        for (size_t i = 0; i < run_count; i++)
            if (runs[i].layer >= from && runs[i].layer < next) next = runs[i].layer;
        if (next == to) return true;
        if (!gfx2d_view_hides(view, next))
            for (size_t i = 0; i < run_count; i++)
                if (runs[i].layer == next && !add_list(gfx, calls, GFX2D_FROM_WORLD_LIST, quads,
                                                       runs[i].first, runs[i].count, &runs[i]))
                    return false;
        from = next + 1;
    }
    return true;
}

bool gfx2d_batch_view(FiloGfx2d *gfx, const Gfx2dView *view, const Gfx2dRenderRange *range,
                      Gfx2dDrawCalls *calls) {
    unsigned done = 0; // the runs of layers below were added
    for (size_t i = 0; range->sprites && i < view->segment_count; i++) {
        const Gfx2dSegment *segment = &gfx->segments.items[view->first_segment + i];
        unsigned until = segment->layer + (segment->upper ? 1u : 0u);
        if (until > done && !add_runs(gfx, view, calls, range->first_run, done, until)) return false;
        done = FILO_MAX(done, until);
        Gfx2dDrawCall call = { GFX2D_FROM_PACKET, segment->features, segment->state,
                               segment->first,    segment->count,    0 };
        if (!add_call(calls, call)) return false;
    }
    return add_runs(gfx, view, calls, range->first_run, done, 256);
}

bool gfx2d_batch_screen(FiloGfx2d *gfx, const Gfx2dRenderRange *range, Gfx2dDrawCalls *calls) {
    FiloQuadSpan quads = gfx2d_draw_screen_quads(gfx->draw);
    size_t run_count;
    const Gfx2dDrawRun *runs = gfx2d_draw_screen_runs(gfx->draw, &run_count);
    for (size_t i = 0; i < run_count; i++) {
        size_t first = FILO_MAX(runs[i].first, range->first_screen), end = runs[i].first + runs[i].count;
        if (first < end && !add_list(gfx, calls, GFX2D_FROM_SCREEN_LIST, quads, first, end - first, &runs[i]))
            return false;
    }
    return true;
}

// The first pixel whose centre is not left of (or above) a coordinate.
static int first_pixel(float coordinate, int low, int high) {
    return filo_to_int(filo_clamp(filo_ceil(coordinate - 0.5f), (float)low, (float)high));
}

bool gfx2d_batch_area(const FiloGfx2d *gfx, const Gfx2dView *view, uint32_t clip, Gfx2dArea *area) {
    *area = view != NULL ? (Gfx2dArea){ view->x, view->y, view->width, view->height }
                         : (Gfx2dArea){ 0, 0, gfx->width, gfx->height };
    if (clip == 0) return true;
    FiloRect rect = gfx2d_draw_clip_rect(gfx->draw, clip);
    if (filo_rect_is_empty(rect)) return false;
    if (view != NULL) rect = filo_affine2_rect(view->to_pixels, rect);
    int right = area->x + area->width, bottom = area->y + area->height;
    int x0 = first_pixel(rect.min.x, area->x, right), x1 = first_pixel(rect.max.x, area->x, right);
    int y0 = first_pixel(rect.min.y, area->y, bottom), y1 = first_pixel(rect.max.y, area->y, bottom);
    *area = (Gfx2dArea){ x0, y0, x1 - x0, y1 - y0 };
    return x0 < x1 && y0 < y1;
}
