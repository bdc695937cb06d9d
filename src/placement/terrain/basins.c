// Depressions: Cordonnier, Bovy and Braun, "A versatile, linear complexity algorithm for flow routing in topographies with
// depressions", 2019.
//
// All texels whose water ends in the same pit are a basin; all that reach the border are basin 0. Neighbouring basins are
// connected by passes. The minimum spanning tree of this graph, by the height of passes, has the pass over which each
// basin overflows. The path from that pass down to the pit is reversed, so the pit drains over the pass.

#include "placement/terrain/terrain.h"

#include <string.h>

typedef struct Pass {
    uint32_t height; // its bits, in an order as the floats
    uint32_t a, b;   // texels on both sides
} Pass;

typedef struct Basins {
    PlacementDrainage *drainage;
    PlacementGrid heights;
    uint32_t *labels; // basin of each texel
    uint32_t basin_count;
    size_t *row_passes; // of each row: how many passes; then where they begin
    Pass *passes, *sorted;
    size_t pass_count;
    uint32_t *parents; // union-find of basins; then first edge of each basin
    uint32_t *next;    // 2 of each tree edge: the next edge of the same basin
    uint32_t *tree;    // passes that are edges of the tree
    uint32_t *queue;
} Basins;

// ---- Basins and passes ----------------------------------------------------------------------------------

static bool is_border(const PlacementDrainage *d, size_t i) {
    size_t x = i % (size_t)d->width, y = i / (size_t)d->width;
    return x == 0 || y == 0 || x == (size_t)d->width - 1 || y == (size_t)d->height - 1;
}

// Labels every texel by walking to one that has a label, and back.
static void label_basins(Basins *b, size_t count) {
    const uint32_t *receiver = b->drainage->receiver;
    for (size_t i = 0; i < count; i++) b->labels[i] = PLACEMENT_NONE;
    b->basin_count = 1;
    for (size_t i = 0; i < count; i++) {
        size_t at = i;
        while (b->labels[at] == PLACEMENT_NONE && receiver[at] != at) at = receiver[at];
        uint32_t label = b->labels[at];
        if (label == PLACEMENT_NONE) label = is_border(b->drainage, at) ? 0 : b->basin_count++;
        b->labels[at] = label;
        for (size_t k = i; k != at; k = receiver[k]) b->labels[k] = label;
    }
}

static uint32_t sortable(float x) {
    uint32_t bits = filo_float_to_bits(x);
    return bits ^ ((bits >> 31) != 0 ? UINT32_MAX : 0x80000000u);
}

// The passes of a row to the right and to the row below. Counts them if `passes` is NULL.
static size_t row_passes(const Basins *b, size_t y, Pass *passes) {
    size_t width = (size_t)b->heights.width, found = 0;
    bool has_below = (int)y + 1 < b->heights.height;
    const float *h = b->heights.data;
    for (size_t x = 0; x < width; x++) {
        size_t i = y * width + x;
        const size_t neighbours[4] = { i + 1, i + width, i + width + 1, i + width - 1 };
        const bool exists[4] = { x + 1 < width, has_below, has_below && x + 1 < width, has_below && x > 0 };
        for (int k = 0; k < 4; k++) {
            size_t j = neighbours[k];
            if (!exists[k] || b->labels[i] == b->labels[j]) continue;
            if (passes != NULL)
                passes[found] = (Pass){ sortable(filo_max(h[i], h[j])), (uint32_t)i, (uint32_t)j };
            found++;
        }
    }
    return found;
}

static void count_rows(size_t begin, size_t end, void *user) {
    const Basins *b = user;
    for (size_t y = begin; y < end; y++) b->row_passes[y] = row_passes(b, y, NULL);
}

static void collect_rows(size_t begin, size_t end, void *user) {
    const Basins *b = user;
    for (size_t y = begin; y < end; y++) (void)row_passes(b, y, b->passes + b->row_passes[y]);
}

// A radix sort, stable.
static void sort_passes(Basins *b) {
    enum { BITS = 11, BUCKETS = 1 << BITS };
    for (int shift = 0; shift < 33; shift += BITS) {
        size_t begin[BUCKETS] = { 0 }, at = 0;
        for (size_t i = 0; i < b->pass_count; i++) begin[b->passes[i].height >> shift & (BUCKETS - 1)]++;
        for (size_t k = 0; k < BUCKETS; k++) {
            size_t count = begin[k];
            begin[k] = at;
            at += count;
        }
        for (size_t i = 0; i < b->pass_count; i++)
            b->sorted[begin[b->passes[i].height >> shift & (BUCKETS - 1)]++] = b->passes[i];
        Pass *other = b->passes;
        b->passes = b->sorted;
        b->sorted = other;
    }
}

// ---- The tree -------------------------------------------------------------------------------------------

static uint32_t find_root(uint32_t *parents, uint32_t basin) {
    while (parents[basin] != basin) basin = parents[basin] = parents[parents[basin]];
    return basin;
}

// Kruskal: the lowest passes that connect all basins. Returns how many.
static uint32_t find_tree(Basins *b) {
    uint32_t edges = 0;
    for (uint32_t i = 0; i < b->basin_count; i++) b->parents[i] = i;
    for (size_t i = 0; i < b->pass_count && edges + 1 < b->basin_count; i++) {
        uint32_t one = find_root(b->parents, b->labels[b->passes[i].a]);
        uint32_t other = find_root(b->parents, b->labels[b->passes[i].b]);
        if (one == other) continue;
        b->parents[FILO_MAX(one, other)] = FILO_MIN(one, other);
        b->tree[edges++] = (uint32_t)i;
    }
    return edges;
}

// Makes the water of `from`, and all below it, flow to `to` instead, up to the pit.
static void reverse_path(uint32_t *receiver, uint32_t from, uint32_t to) {
    for (;;) {
        uint32_t below = receiver[from];
        receiver[from] = to;
        if (below == from) return;
        to = from;
        from = below;
    }
}

// Goes through the tree from basin 0, and reverses the path of each basin to the pass by which it is reached.
static void drain_basins(Basins *b, uint32_t edges) {
    uint32_t *first = b->parents, queued = 1;
    for (uint32_t i = 0; i < b->basin_count; i++) first[i] = PLACEMENT_NONE;
    for (uint32_t e = 0; e < 2 * edges; e++) {
        const Pass *pass = &b->passes[b->tree[e / 2]];
        uint32_t basin = b->labels[e % 2 == 0 ? pass->a : pass->b];
        b->next[e] = first[basin];
        first[basin] = e;
    }
    b->queue[0] = PLACEMENT_NONE; // the edge by which a basin was reached, from the basin that is known
    for (uint32_t i = 0; i < queued; i++) {
        uint32_t came = b->queue[i], basin = 0;
        if (came != PLACEMENT_NONE) {
            const Pass *pass = &b->passes[b->tree[came / 2]];
            uint32_t from = came % 2 == 0 ? pass->b : pass->a, to = came % 2 == 0 ? pass->a : pass->b;
            basin = b->labels[from];
            reverse_path(b->drainage->receiver, from, to);
        }
        for (uint32_t e = first[basin]; e != PLACEMENT_NONE; e = b->next[e])
            if (came == PLACEMENT_NONE || e != (came ^ 1)) b->queue[queued++] = e;
    }
}

// ---- All of it ------------------------------------------------------------------------------------------

static void *allocate(const Basins *b, size_t count, size_t size) {
    return filo_alloc(b->drainage->terrain->allocator, count * size, 0);
}

static void release(const Basins *b, void *memory, size_t count, size_t size) {
    filo_free(b->drainage->terrain->allocator, memory, count * size, 0);
}

static bool find_passes(Basins *b) {
    const PlacementTerrain *terrain = b->drainage->terrain;
    size_t rows = (size_t)b->heights.height;
    b->row_passes = allocate(b, rows, sizeof(size_t));
    if (b->row_passes == NULL) return false;
    placement_terrain_for(terrain, rows, count_rows, b);
    for (size_t y = 0; y < rows; y++) {
        size_t count = b->row_passes[y];
        b->row_passes[y] = b->pass_count;
        b->pass_count += count;
    }
    b->passes = allocate(b, b->pass_count, sizeof(Pass));
    b->sorted = allocate(b, b->pass_count, sizeof(Pass));
    bool made = b->passes != NULL && b->sorted != NULL;
    if (made) placement_terrain_for(terrain, rows, collect_rows, b);
    release(b, b->row_passes, rows, sizeof(size_t));
    return made;
}

bool placement_drainage_connect(PlacementDrainage *drainage, PlacementGrid heights) {
    Basins b = { .drainage = drainage, .heights = heights, .labels = drainage->order };
    label_basins(&b, (size_t)heights.width * (size_t)heights.height);
    if (b.basin_count == 1) return true;
    size_t count = b.basin_count;
    bool made = find_passes(&b);
    uint32_t *memory = made ? allocate(&b, 5 * count, sizeof(uint32_t)) : NULL;
    if (memory != NULL) {
        b.parents = memory;
        b.next = memory + count;
        b.tree = memory + 3 * count;
        b.queue = memory + 4 * count;
        sort_passes(&b);
        drain_basins(&b, find_tree(&b));
    }
    release(&b, memory, 5 * count, sizeof(uint32_t));
    release(&b, b.passes, b.pass_count, sizeof(Pass));
    release(&b, b.sorted, b.pass_count, sizeof(Pass));
    return memory != NULL;
}
