// Sorting commands into tiles: a counting sort, in two walks over the quads.
//
//   count    makes the commands, and counts for each tile how many touch it
//   offsets  from the counts: where the list of each tile begins, and in it the numbers of each chunk
//   spread   writes the number of each command into the lists
//
// Each walk is shared by all workers, by chunks of quads that follow each other. A chunk writes to places of
// its own, which follow from the counts of all; so lists keep the order of the quads, and neither the number
// of chunks nor the threads show.

#include "raster/raster.h"

#include <string.h>

#define CHUNK_QUADS       1024 // fewer are not worth another thread
#define CHUNKS_PER_THREAD 4
#define MOST_ITEMS        (UINT32_C(1) << 27) // half a gigabyte; beyond, lists would not be worth their memory

typedef struct Binning {
    const RasterSource *source;
    const RasterGrid *grid;
    size_t quad_count, chunk_count, tile_count;
    RasterCommand *commands;
    RasterBounds *bounds; // of each command, by themselves: all that spreading needs. Empty: none
    uint32_t *counts;     // for each chunk and tile; then where the chunk goes on to write
    uint32_t *items;
} Binning;

static size_t chunk_begin(const Binning *b, size_t chunk) { return b->quad_count * chunk / b->chunk_count; }

// The tiles of some pixels: from (x0, y0) to (x1, y1), inclusive.
typedef struct TileRange {
    int x0, y0, x1, y1;
} TileRange;
static inline TileRange tiles_of(const RasterGrid *grid, RasterBounds p) {
    TileRange r = { p.x0 / RASTER_TILE_WIDTH - grid->left, p.y0 / RASTER_TILE_HEIGHT - grid->top,
                    (p.x1 - 1) / RASTER_TILE_WIDTH - grid->left,
                    (p.y1 - 1) / RASTER_TILE_HEIGHT - grid->top };
    return r;
}

static void count_chunk(const Binning *b, size_t chunk) {
    size_t begin = chunk_begin(b, chunk), end = chunk_begin(b, chunk + 1);
    uint32_t *counts = b->counts + chunk * b->tile_count;
    memset(counts, 0, b->tile_count * sizeof *counts);
    RasterQuadCursor cursor = raster_quad_cursor(b->source->spans, begin);
    for (size_t i = begin; i < end; i++) {
        const FiloQuad *quad = raster_quad_next(&cursor);
        if (!raster_prepare(b->source, quad, &b->commands[i])) {
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

static void spread_chunk(const Binning *b, size_t chunk) {
    size_t begin = chunk_begin(b, chunk), end = chunk_begin(b, chunk + 1);
    uint32_t *at = b->counts + chunk * b->tile_count, *items = b->items;
    for (size_t i = begin; i < end; i++) {
        if (raster_bounds_empty(b->bounds[i])) continue;
        TileRange r = tiles_of(b->grid, b->bounds[i]);
        for (int y = r.y0; y <= r.y1; y++)
            for (int x = r.x0; x <= r.x1; x++) items[at[y * b->grid->columns + x]++] = (uint32_t)i;
    }
}

static void spread_chunks(size_t begin, size_t end, void *user) {
    for (size_t i = begin; i < end; i++) spread_chunk(user, i);
}

// Turns counts into places. `begin` gets one more than there are tiles. Returns how many items there are, or
// more than MOST_ITEMS if that is too many.
static uint64_t find_offsets(const Binning *b, uint32_t *begin, uint32_t *touched, size_t *touched_count) {
    uint64_t at = 0;
    for (size_t tile = 0; tile < b->tile_count; tile++) {
        begin[tile] = (uint32_t)at;
        for (size_t chunk = 0; chunk < b->chunk_count; chunk++) {
            uint32_t *count = &b->counts[chunk * b->tile_count + tile], number = *count;
            *count = (uint32_t)at;
            at += number;
        }
        if (at > MOST_ITEMS) return at;
        if (at > begin[tile]) touched[(*touched_count)++] = (uint32_t)tile;
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
    if (quad_count > MOST_ITEMS) return false;
    size_t threads = raster->jobs != NULL ? (size_t)filo_jobs_threads(raster->jobs) : 1;
    Binning b = { .source = source, .grid = grid, .quad_count = quad_count };
    b.tile_count = (size_t)grid->columns * (size_t)grid->rows;
    b.chunk_count = threads > 1 ? FILO_MIN(quad_count / CHUNK_QUADS + 1, threads * CHUNKS_PER_THREAD) : 1;
    b.commands = raster_room(raster, &raster->commands, quad_count * sizeof *b.commands);
    b.bounds = raster_room(raster, &raster->bounds, quad_count * sizeof *b.bounds);
    b.counts = raster_room(raster, &raster->counts, b.chunk_count * b.tile_count * sizeof *b.counts);
    uint32_t *tiles = raster_room(raster, &raster->tiles, (2 * b.tile_count + 1) * sizeof *tiles);
    if (b.commands == NULL || b.bounds == NULL || b.counts == NULL || tiles == NULL) return false;

    raster_for_each(raster, b.chunk_count, count_chunks, &b);
    uint32_t *begin = tiles, *touched = tiles + b.tile_count + 1;
    *bins = (RasterBins){ .commands = b.commands, .begin = begin, .touched = touched };
    uint64_t items = find_offsets(&b, begin, touched, &bins->touched_count);
    if (items > MOST_ITEMS) return false;
    if (items == 0) return true;
    b.items = raster_room(raster, &raster->items, (size_t)items * sizeof *b.items);
    if (b.items == NULL) return false;
    raster_for_each(raster, b.chunk_count, spread_chunks, &b);
    bins->items = b.items;
    bins->drawn = count_drawn(&b);
    return true;
}
