// Sorting commands into the bins of tiles: a counting sort in two loops over the quads.
//
//   count    makes the commands, and counts for each tile how many intersect it
//   offsets  computes from the counts where the bin of each tile begins, and where in it each chunk writes
//   scatter  writes the index of each command to the bins
//
// All workers share each loop, by chunks of consecutive quads. A chunk writes to a range of its own in each bin, which
// follows from all counts. So bins have the order of the quads, and the result does not depend on the number of chunks
// or threads.

#include "raster/raster.h"

#include <string.h>

#define CHUNK_QUADS       1024 // fewer are not worth another thread
#define CHUNKS_PER_THREAD 4
#define MAX_ITEMS         (UINT32_C(1) << 27) // half a gigabyte; with more, the pass is drawn without bins

typedef struct Binning {
    const RasterSource *source;
    const RasterGrid *grid;
    size_t quad_count, chunk_count, tile_count;
    RasterCommand *commands;
    RasterBounds *bounds; // of each command, as scatter needs nothing else of it; empty if there is none
    uint32_t *counts;     // for each chunk and tile; then the index in `items` where the chunk writes next
    uint32_t *items;
} Binning;

static size_t chunk_begin(const Binning *b, size_t chunk) { return b->quad_count * chunk / b->chunk_count; }

// Tiles from (x0, y0) to (x1, y1), inclusive.
typedef struct TileRange {
    int x0, y0, x1, y1;
} TileRange;
static inline TileRange tiles_of(const RasterGrid *grid, RasterBounds p) {
    TileRange r = { p.x0 / RASTER_TILE_WIDTH - grid->left, p.y0 / RASTER_TILE_HEIGHT - grid->top,
                    (p.x1 - 1) / RASTER_TILE_WIDTH - grid->left,
                    (p.y1 - 1) / RASTER_TILE_HEIGHT - grid->top };
    return r;
}

// Iterates over the quads of all spans.
typedef struct QuadCursor {
    const FiloQuadSpan *span;
    size_t index; // of the next quad, from the beginning of `span`
} QuadCursor;
static inline const FiloQuad *next_quad(QuadCursor *cursor) {
    while (cursor->index >= cursor->span->count) cursor->index -= cursor->span++->count;
    return &cursor->span->quads[cursor->index++];
}

static void count_chunk(const Binning *b, size_t chunk) {
    size_t begin = chunk_begin(b, chunk), end = chunk_begin(b, chunk + 1);
    uint32_t *counts = b->counts + chunk * b->tile_count;
    memset(counts, 0, b->tile_count * sizeof *counts);
    QuadCursor cursor = { b->source->spans, begin };
    for (size_t i = begin; i < end; i++) {
        if (!raster_prepare(b->source, next_quad(&cursor), &b->commands[i])) {
            b->bounds[i] = (RasterBounds){ 0 };
            continue;
        }
        b->bounds[i] = b->commands[i].bounds;
        TileRange r = tiles_of(b->grid, b->bounds[i]);
        for (int y = r.y0; y <= r.y1; y++)
            for (int x = r.x0; x <= r.x1; x++) counts[y * b->grid->columns + x]++;
    }
}

static void count_chunks(size_t begin, size_t end, void *user) {
    for (size_t i = begin; i < end; i++) count_chunk(user, i);
}

static void scatter_chunk(const Binning *b, size_t chunk) {
    size_t begin = chunk_begin(b, chunk), end = chunk_begin(b, chunk + 1);
    uint32_t *at = b->counts + chunk * b->tile_count, *items = b->items;
    for (size_t i = begin; i < end; i++) {
        if (raster_bounds_empty(b->bounds[i])) continue;
        TileRange r = tiles_of(b->grid, b->bounds[i]);
        for (int y = r.y0; y <= r.y1; y++)
            for (int x = r.x0; x <= r.x1; x++) items[at[y * b->grid->columns + x]++] = (uint32_t)i;
    }
}

static void scatter_chunks(size_t begin, size_t end, void *user) {
    for (size_t i = begin; i < end; i++) scatter_chunk(user, i);
}

// Replaces counts by indices in `items`. `begin` has an element for each tile and one more. Returns the number of
// items; above MAX_ITEMS it is not exact.
static uint64_t find_offsets(const Binning *b, uint32_t *begin, uint32_t *nonempty, size_t *nonempty_count) {
    uint64_t at = 0;
    for (size_t tile = 0; tile < b->tile_count; tile++) {
        begin[tile] = (uint32_t)at;
        for (size_t chunk = 0; chunk < b->chunk_count; chunk++) {
            uint32_t *count = &b->counts[chunk * b->tile_count + tile], number = *count;
            *count = (uint32_t)at;
            at += number;
        }
        if (at > MAX_ITEMS) return at;
        if (at > begin[tile]) nonempty[(*nonempty_count)++] = (uint32_t)tile;
    }
    begin[b->tile_count] = (uint32_t)at;
    return at;
}

static size_t count_drawn(const Binning *b) {
    size_t drawn = 0;
    for (size_t i = 0; i < b->quad_count; i++) drawn += !raster_bounds_empty(b->bounds[i]);
    return drawn;
}

bool raster_bin(FiloRaster *raster, const RasterSource *source, size_t quad_count, const RasterGrid *grid,
                RasterBins *bins) {
    if (quad_count > MAX_ITEMS) return false;
    size_t threads = raster->jobs != NULL ? (size_t)filo_jobs_threads(raster->jobs) : 1;
    Binning b = { .source = source, .grid = grid, .quad_count = quad_count };
    b.tile_count = (size_t)grid->columns * (size_t)grid->rows;
    b.chunk_count = threads > 1 ? FILO_MIN(quad_count / CHUNK_QUADS + 1, threads * CHUNKS_PER_THREAD) : 1;
    b.commands = raster_reserve(raster, &raster->commands, quad_count * sizeof *b.commands);
    b.bounds = raster_reserve(raster, &raster->bounds, quad_count * sizeof *b.bounds);
    b.counts = raster_reserve(raster, &raster->counts, b.chunk_count * b.tile_count * sizeof *b.counts);
    uint32_t *tiles = raster_reserve(raster, &raster->tiles, (2 * b.tile_count + 1) * sizeof *tiles);
    if (b.commands == NULL || b.bounds == NULL || b.counts == NULL || tiles == NULL) return false;

    raster_for_each(raster, b.chunk_count, count_chunks, &b);
    uint32_t *begin = tiles, *nonempty = tiles + b.tile_count + 1;
    *bins = (RasterBins){ .commands = b.commands, .begin = begin, .nonempty = nonempty };
    uint64_t items = find_offsets(&b, begin, nonempty, &bins->nonempty_count);
    if (items > MAX_ITEMS) return false;
    if (items == 0) return true;
    b.items = raster_reserve(raster, &raster->items, (size_t)items * sizeof *b.items);
    if (b.items == NULL) return false;
    raster_for_each(raster, b.chunk_count, scatter_chunks, &b);
    bins->items = b.items;
    bins->drawn = count_drawn(&b);
    return true;
}
