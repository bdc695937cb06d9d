// Drawing a tile.
//
// A tile is drawn in memory of its own, on the stack of whoever draws it: it stays in the first cache whatever
// the width of the target, and kernels may write past the end of a row without touching what others draw.

#include "raster/raster.h"

#include <string.h>

#define AHEAD 6 // commands lie far apart: those to come are fetched while this one is drawn

static void fill(FiloColor *to, size_t stride, int width, int height, FiloColor color) {
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) to[(size_t)y * stride + (size_t)x] = color;
}

static void copy_rows(FiloColor *to, size_t to_stride, const FiloColor *from, size_t from_stride, int width,
                      int height) {
    for (int y = 0; y < height; y++)
        memcpy(to + (size_t)y * to_stride, from + (size_t)y * from_stride, (size_t)width * sizeof *to);
}

static RasterBounds tile_bounds(const RasterFrame *frame, size_t number) {
    int columns = frame->grid.columns;
    int x = (frame->grid.left + (int)number % columns) * RASTER_TILE_WIDTH;
    int y = (frame->grid.top + (int)number / columns) * RASTER_TILE_HEIGHT;
    RasterBounds whole = { (int16_t)x, (int16_t)y, (int16_t)(x + RASTER_TILE_WIDTH),
                           (int16_t)(y + RASTER_TILE_HEIGHT) };
    return raster_bounds_meet(whole, frame->source->bounds);
}

static void begin_tile(RasterTile *tile, const RasterFrame *frame, RasterBounds bounds) {
    const FiloPixels *target = &frame->pass->target;
    int width = bounds.x1 - bounds.x0, height = bounds.y1 - bounds.y0;
    tile->bounds = bounds;
    tile->kernels = frame->kernels;
    if (frame->pass->clear)
        fill(tile->pixels, RASTER_TILE_STRIDE, width, height, frame->pass->color);
    else
        copy_rows(tile->pixels, RASTER_TILE_STRIDE, filo_pixels_at(target, bounds.x0, bounds.y0),
                  (size_t)target->stride, width, height);
    // What kernels may touch beyond the rows, so that nothing ever reads memory that nobody wrote.
    for (int y = 0; y < height; y++)
        memset(tile->pixels + (size_t)y * RASTER_TILE_STRIDE + width, 0, RASTER_PAD * sizeof(FiloColor));
}

static void end_tile(const RasterTile *tile, const RasterFrame *frame) {
    RasterBounds b = tile->bounds;
    const FiloPixels *target = &frame->pass->target;
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
    RasterBounds b = raster_bounds_meet(command->bounds, tile->bounds);
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
    }
}

static void draw_binned(RasterTile *tile, const RasterFrame *frame, size_t number) {
    const RasterBins *bins = frame->bins;
    const uint32_t *items = bins->items + bins->begin[number], *end = bins->items + bins->begin[number + 1];
    begin_tile(tile, frame, tile_bounds(frame, number));
    for (; items < end; items++) {
        __builtin_prefetch(&bins->commands[items[FILO_MIN(AHEAD, end - items - 1)]]);
        draw_command(tile, &bins->commands[*items]);
    }
    end_tile(tile, frame);
}

static void clear_target(const RasterFrame *frame, RasterBounds b) {
    const FiloPixels *target = &frame->pass->target;
    fill(filo_pixels_at(target, b.x0, b.y0), (size_t)target->stride, b.x1 - b.x0, b.y1 - b.y0,
         frame->pass->color);
}

// Looks at all quads of the pass.
static void draw_searched(RasterTile *tile, const RasterFrame *frame, size_t number) {
    const RasterSource *source = frame->source;
    RasterBounds bounds = tile_bounds(frame, number);
    bool begun = false;
    for (size_t s = 0; s < source->span_count; s++) {
        for (size_t i = 0; i < source->spans[s].count; i++) {
            RasterCommand command;
            if (!raster_prepare(source, &source->spans[s].quads[i], &command)) continue;
            if (raster_bounds_empty(raster_bounds_meet(command.bounds, bounds))) continue;
            if (!begun) begin_tile(tile, frame, bounds);
            begun = true;
            draw_command(tile, &command);
        }
    }
    if (begun)
        end_tile(tile, frame);
    else if (frame->pass->clear)
        clear_target(frame, bounds);
}

void raster_draw_tiles(size_t begin, size_t end, void *user) {
    const RasterFrame *frame = user;
    RasterTile tile;
    memset(tile.rows, 0, sizeof tile.rows);
    for (size_t i = begin; i < end; i++) {
        if (frame->bins == NULL)
            draw_searched(&tile, frame, i);
        else if (!frame->pass->clear)
            draw_binned(&tile, frame, frame->bins->touched[i]);
        else if (frame->bins->begin[i] < frame->bins->begin[i + 1])
            draw_binned(&tile, frame, i);
        else
            clear_target(frame, tile_bounds(frame, i));
    }
}
