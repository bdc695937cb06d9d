// Drawing a tile.
//
// A tile is drawn to memory on the stack of its thread, and copied to the target at the end. That memory stays in the
// first-level cache whatever the width of the target, and kernels may write past the end of a row without changing the
// pixels of other tiles.

#include "raster/raster.h"

#include <string.h>

#define PREFETCH_DISTANCE 6 // commands; those of a tile lie far apart in memory

static void fill(FiloColor *to, size_t stride, int width, int height, FiloColor color) {
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) to[(size_t)y * stride + (size_t)x] = color;
}

static void copy_rows(FiloColor *to, size_t to_stride, const FiloColor *from, size_t from_stride, int width,
                      int height) {
    for (int y = 0; y < height; y++)
        memcpy(to + (size_t)y * to_stride, from + (size_t)y * from_stride, (size_t)width * sizeof *to);
}

static RasterBounds tile_bounds(const RasterPassState *state, size_t number) {
    int columns = state->grid.columns;
    int x = (state->grid.left + (int)number % columns) * RASTER_TILE_WIDTH;
    int y = (state->grid.top + (int)number / columns) * RASTER_TILE_HEIGHT;
    RasterBounds bounds = { (int16_t)x, (int16_t)y, (int16_t)(x + RASTER_TILE_WIDTH),
                            (int16_t)(y + RASTER_TILE_HEIGHT) };
    return raster_bounds_intersect(bounds, state->source->bounds);
}

static void begin_tile(RasterTile *tile, const RasterPassState *state, RasterBounds bounds) {
    const FiloPixels *target = &state->pass->target;
    int width = bounds.x1 - bounds.x0, height = bounds.y1 - bounds.y0;
    tile->bounds = bounds;
    tile->kernels = state->kernels;
    if (state->pass->clear)
        fill(tile->pixels, RASTER_TILE_STRIDE, width, height, state->pass->color);
    else
        copy_rows(tile->pixels, RASTER_TILE_STRIDE, filo_pixels_at(target, bounds.x0, bounds.y0),
                  (size_t)target->stride, width, height);
    // Kernels read and write beyond the end of rows: initialise that memory.
    for (int y = 0; y < height; y++)
        memset(tile->pixels + (size_t)y * RASTER_TILE_STRIDE + width, 0, RASTER_PAD * sizeof(FiloColor));
}

static void end_tile(const RasterTile *tile, const RasterPassState *state) {
    RasterBounds b = tile->bounds;
    const FiloPixels *target = &state->pass->target;
    copy_rows(filo_pixels_at(target, b.x0, b.y0), (size_t)target->stride, tile->pixels, RASTER_TILE_STRIDE,
              b.x1 - b.x0, b.y1 - b.y0);
}

static void draw_blit(RasterTile *tile, const RasterCommand *command, RasterBounds b) {
    const FiloColor *from = command->blit.texels +
                            (ptrdiff_t)(b.y0 - command->bounds.y0) * command->blit.stride +
                            (b.x0 - command->bounds.x0);
    tile->kernels->blit(raster_tile_at(tile, b.x0, b.y0), RASTER_TILE_STRIDE, from, command->blit.stride,
                        b.x1 - b.x0, b.y1 - b.y0, command->color, (command->flags & FILO_QUAD_ADD) != 0);
}

static void draw_mirrored(RasterTile *tile, const RasterCommand *command, RasterBounds b) {
    int width = b.x1 - b.x0;
    for (int y = b.y0, rows; y < b.y1; y += rows) {
        rows = FILO_MIN(b.y1 - y, RASTER_TILE_BLOCK);
        const FiloColor *from = command->blit.texels +
                                (ptrdiff_t)(y - command->bounds.y0) * command->blit.stride -
                                (b.x0 - command->bounds.x0);
        tile->kernels->mirror(tile->rows, RASTER_TILE_STRIDE, from, command->blit.stride, width, rows);
        tile->kernels->blit(raster_tile_at(tile, b.x0, y), RASTER_TILE_STRIDE, tile->rows, RASTER_TILE_STRIDE,
                            width, rows, command->color, (command->flags & FILO_QUAD_ADD) != 0);
    }
}

static void draw_command(RasterTile *tile, const RasterCommand *command) {
    RasterBounds b = raster_bounds_intersect(command->bounds, tile->bounds);
    switch ((RasterOperation)command->operation) {
    case RASTER_BLIT: draw_blit(tile, command, b); break;
    case RASTER_MIRRORED: draw_mirrored(tile, command, b); break;
    case RASTER_IMAGE: raster_draw_image(tile, command, b); break;
    case RASTER_SOLID:
        tile->kernels->solid(raster_tile_at(tile, b.x0, b.y0), RASTER_TILE_STRIDE, b.x1 - b.x0, b.y1 - b.y0,
                             command->color, (command->flags & FILO_QUAD_ADD) != 0);
        break;
    case RASTER_BOX: raster_draw_box(tile, command, b); break;
    case RASTER_ELLIPSE: raster_draw_ellipse(tile, command, b); break;
    case RASTER_TRIANGLE: raster_draw_triangle(tile, command, b); break;
    case RASTER_DISTANCE: raster_draw_distance(tile, command, b); break;
    }
}

static void draw_binned(RasterTile *tile, const RasterPassState *state, size_t number) {
    const RasterBins *bins = state->bins;
    const uint32_t *items = bins->items + bins->begin[number], *end = bins->items + bins->begin[number + 1];
    begin_tile(tile, state, tile_bounds(state, number));
    for (; items < end; items++) {
        __builtin_prefetch(&bins->commands[items[FILO_MIN(PREFETCH_DISTANCE, end - items - 1)]]);
        draw_command(tile, &bins->commands[*items]);
    }
    end_tile(tile, state);
}

static void clear_target(const RasterPassState *state, RasterBounds b) {
    const FiloPixels *target = &state->pass->target;
    fill(filo_pixels_at(target, b.x0, b.y0), (size_t)target->stride, b.x1 - b.x0, b.y1 - b.y0,
         state->pass->color);
}

// Prepares all quads of the pass again for this tile: used without memory for bins.
static void draw_unbinned(RasterTile *tile, const RasterPassState *state, size_t number) {
    const RasterSource *source = state->source;
    RasterBounds bounds = tile_bounds(state, number);
    bool begun = false;
    for (size_t s = 0; s < source->span_count; s++) {
        for (size_t i = 0; i < source->spans[s].count; i++) {
            RasterCommand command;
            if (!raster_prepare(source, &source->spans[s].quads[i], &command)) continue;
            if (raster_bounds_empty(raster_bounds_intersect(command.bounds, bounds))) continue;
            if (!begun) begin_tile(tile, state, bounds);
            begun = true;
            draw_command(tile, &command);
        }
    }
    if (begun)
        end_tile(tile, state);
    else if (state->pass->clear)
        clear_target(state, bounds);
}

void raster_draw_tiles(size_t begin, size_t end, void *user) {
    const RasterPassState *state = user;
    RasterTile tile;
    memset(tile.rows, 0, sizeof tile.rows);
    for (size_t i = begin; i < end; i++) {
        if (state->bins == NULL)
            draw_unbinned(&tile, state, i);
        else if (!state->pass->clear)
            draw_binned(&tile, state, state->bins->nonempty[i]);
        else if (state->bins->begin[i] < state->bins->begin[i + 1])
            draw_binned(&tile, state, i);
        else
            clear_target(state, tile_bounds(state, i));
    }
}
