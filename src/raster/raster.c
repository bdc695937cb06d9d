// The rasteriser: creation, memory, and passes.

#include <filo/check.h>
#include <filo/time.h>

#include "raster/raster.h"

#include <string.h>

// ---- Lifetime ---------------------------------------------------------------------------------------------

FiloResult filo_raster_create(FiloRaster **raster, const FiloRasterDesc *desc) {
    if (raster == NULL) return FILO_MISTAKE("pass where to store the rasteriser");
    FiloRasterDesc d = desc != NULL ? *desc : (FiloRasterDesc){ 0 };
    const FiloAllocator *allocator = d.allocator != NULL ? d.allocator : filo_heap();
    *raster = filo_alloc_zero(allocator, sizeof **raster, 0);
    if (*raster == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for a rasteriser");
    (*raster)->allocator = *allocator;
    (*raster)->jobs = d.jobs;
    (*raster)->kernels = d.no_simd ? &raster_kernels_plain : raster_kernels_best();
    return filo_ok();
}

void filo_raster_destroy(FiloRaster *raster) {
    if (raster == NULL) return;
    FiloAllocator allocator = raster->allocator;
    RasterMemory *all[] = { &raster->commands, &raster->bounds, &raster->counts, &raster->items,
                            &raster->tiles };
    for (size_t i = 0; i < FILO_COUNT_OF(all); i++)
        filo_free(&allocator, all[i]->data, all[i]->size, FILO_CACHE_LINE);
    filo_free(&allocator, raster, sizeof *raster, 0);
}

FiloRasterStats filo_raster_stats(const FiloRaster *raster) {
    if (!FILO_CHECK(raster != NULL, "pass the rasteriser that filo_raster_create made"))
        return (FiloRasterStats){ 0 };
    return raster->stats;
}

void *raster_reserve(FiloRaster *raster, RasterMemory *memory, size_t size) {
    if (memory->size >= size && memory->data != NULL) return memory->data;
    // Half as much again, so that a game that draws a little more every frame does not allocate in every frame.
    size_t capacity = size + size / 2;
    void *data = filo_alloc(&raster->allocator, capacity, FILO_CACHE_LINE);
    if (data == NULL) return NULL;
    filo_free(&raster->allocator, memory->data, memory->size, FILO_CACHE_LINE);
    *memory = (RasterMemory){ data, capacity };
    return data;
}

void raster_for_each(FiloRaster *raster, size_t count, FiloRangeFunction function, void *user) {
    if (raster->jobs != NULL && count > 1)
        filo_jobs_for_each(raster->jobs, count, function, user);
    else if (count > 0)
        function(0, count, user);
}

// ---- A pass -----------------------------------------------------------------------------------------------

static bool check_pass(const FiloRaster *raster, const FiloRasterPass *pass) {
    if (!FILO_CHECK(raster != NULL, "pass the rasteriser that filo_raster_create made")) return false;
    if (!FILO_CHECK(pass != NULL, "pass what to draw")) return false;
    const FiloPixels *target = &pass->target;
    if (!FILO_CHECK(target->data != NULL, "the pass has no target: set its pixels")) return false;
    if (!FILO_CHECK(target->width > 0 && target->height > 0 && target->width <= FILO_PIXELS_MAX &&
                        target->height <= FILO_PIXELS_MAX && target->stride >= target->width,
                    "the target is %d × %d with a stride of %d: sides go from 1 to %d, and the stride is at "
                    "least the width",
                    target->width, target->height, target->stride, FILO_PIXELS_MAX))
        return false;
    if (!FILO_CHECK(pass->images != NULL || pass->image_count == 0, "pass the images, or a count of 0"))
        return false;
    if (!FILO_CHECK(pass->spans != NULL || pass->span_count == 0, "pass the spans, or a count of 0"))
        return false;
    for (size_t i = 0; i < pass->span_count; i++)
        if (!FILO_CHECK(pass->spans[i].quads != NULL || pass->spans[i].count == 0,
                        "span %zu has a count but no quads: pass an array, or a count of 0", i))
            return false;
    return true;
}

static RasterBounds pass_bounds(const FiloRasterPass *pass) {
    const FiloPixels *target = &pass->target;
    RasterBounds all = { 0, 0, (int16_t)target->width, (int16_t)target->height };
    if ((pass->x | pass->y | pass->width | pass->height) == 0) return all;
    int64_t right = (int64_t)pass->x + pass->width, bottom = (int64_t)pass->y + pass->height;
    return (RasterBounds){ (int16_t)FILO_CLAMP(pass->x, 0, target->width),
                           (int16_t)FILO_CLAMP(pass->y, 0, target->height),
                           (int16_t)FILO_CLAMP(right, 0, target->width),
                           (int16_t)FILO_CLAMP(bottom, 0, target->height) };
}

static RasterGrid pass_grid(RasterBounds b) {
    RasterGrid grid = { b.x0 / RASTER_TILE_WIDTH, b.y0 / RASTER_TILE_HEIGHT, 0, 0 };
    grid.columns = (b.x1 - 1) / RASTER_TILE_WIDTH - grid.left + 1;
    grid.rows = (b.y1 - 1) / RASTER_TILE_HEIGHT - grid.top + 1;
    return grid;
}

static size_t count_drawn(const RasterSource *source) {
    size_t drawn = 0;
    RasterCommand command;
    for (size_t s = 0; s < source->span_count; s++)
        for (size_t i = 0; i < source->spans[s].count; i++)
            drawn += raster_prepare(source, &source->spans[s].quads[i], &command);
    return drawn;
}

void filo_raster_draw(FiloRaster *raster, const FiloRasterPass *pass) {
    if (!check_pass(raster, pass)) return;
    FiloRasterStats *stats = &raster->stats;
    *stats = (FiloRasterStats){ 0 };
    for (size_t i = 0; i < pass->span_count; i++) stats->quads += pass->spans[i].count;
    RasterSource source = { pass->view,        pass_bounds(pass), pass->images,
                            pass->image_count, pass->spans,       pass->span_count };
    if (raster_bounds_empty(source.bounds) || (stats->quads == 0 && !pass->clear)) return;

    int64_t start = filo_time_ns();
    RasterPassState state = { pass, &source, raster->kernels, pass_grid(source.bounds), NULL };
    RasterBins bins;
    size_t tiles = (size_t)state.grid.columns * (size_t)state.grid.rows;
    bool binned = raster_bin(raster, &source, stats->quads, &state.grid, &bins);
    if (binned) state.bins = &bins;
    stats->drawn = binned ? bins.drawn : count_drawn(&source);
    stats->tiles = binned && !pass->clear ? bins.nonempty_count : tiles;
    int64_t middle = filo_time_ns();
    raster_for_each(raster, stats->tiles, raster_draw_tiles, &state);
    stats->bin_ns = (double)(middle - start);
    stats->raster_ns = (double)(filo_time_ns() - middle);
}
