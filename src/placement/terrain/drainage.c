// Where water flows on a grid of floats: each texel gives its water to the neighbour to which the slope is steepest.
//
// The order of texels and the areas upstream are found by walking down from every texel that gets no water from above, as
// far as all water from above has arrived. Consecutive texels of the order are mostly neighbours, which is why this is
// several times as fast as going through the texels by height.

#include "placement/terrain/terrain.h"

#include <string.h>

#define JITTER 127 // mask of a coordinate in the table of jitter

bool placement_drainage_init(PlacementDrainage *drainage, const PlacementTerrain *terrain, size_t count) {
    *drainage = (PlacementDrainage){ .terrain = terrain, .count = count };
    drainage->receiver = filo_alloc(terrain->allocator, count * sizeof(uint32_t), 0);
    drainage->order = filo_alloc(terrain->allocator, count * sizeof(uint32_t), 0);
    drainage->area = filo_alloc(terrain->allocator, count * sizeof(uint32_t), 0);
    drainage->donors = filo_alloc(terrain->allocator, count, 0);
    return drainage->receiver != NULL && drainage->order != NULL && drainage->area != NULL &&
           drainage->donors != NULL;
}

// `count` is that of the initialisation: a smaller grid uses a part of the memory.
void placement_drainage_deinit(PlacementDrainage *drainage) {
    const FiloAllocator *allocator = drainage->terrain->allocator;
    filo_free(allocator, drainage->receiver, drainage->count * sizeof(uint32_t), 0);
    filo_free(allocator, drainage->order, drainage->count * sizeof(uint32_t), 0);
    filo_free(allocator, drainage->area, drainage->count * sizeof(uint32_t), 0);
    filo_free(allocator, drainage->donors, drainage->count, 0);
}

// ---- Receivers ------------------------------------------------------------------------------------------

typedef struct Routing {
    PlacementDrainage *drainage;
    PlacementGrid heights;
    const float *jitter;
    float weights[8]; // 1 / distance to a neighbour
    ptrdiff_t offsets[8];
} Routing;

// Towards the steepest neighbour; to itself if there is none below. Bit k of `neighbours`: neighbour k is on the grid.
static inline uint32_t find_receiver(const Routing *r, size_t i, const float *jitter, unsigned neighbours) {
    const float *h = r->heights.data + i;
    float steepest = 0.0f;
    ptrdiff_t best = 0;
    for (int k = 0; k < 8; k++) {
        if ((neighbours >> k & 1) == 0) continue;
        float slope = (h[0] - h[r->offsets[k]]) * r->weights[k] * jitter[k];
        if (slope > steepest) {
            steepest = slope;
            best = r->offsets[k];
        }
    }
    return (uint32_t)((ptrdiff_t)i + best);
}

static unsigned neighbours_of(PlacementGrid grid, int x, int y) {
    unsigned bits = 0;
    for (int k = 0; k < 8; k++) {
        int nx = x + placement_terrain_dx[k], ny = y + placement_terrain_dy[k];
        if (nx >= 0 && ny >= 0 && nx < grid.width && ny < grid.height) bits |= 1u << k;
    }
    return bits;
}

static void route_rows(size_t begin, size_t end, void *user) {
    const Routing *r = user;
    int width = r->heights.width;
    for (size_t y = begin; y < end; y++) {
        size_t row = y * (size_t)width;
        const float *jitter = r->jitter + (y & JITTER) * (JITTER + 1);
        for (int x = 0; x < width; x++) {
            bool is_border = x == 0 || y == 0 || x == width - 1 || (int)y == r->heights.height - 1;
            size_t i = row + (size_t)x;
            const float *at = jitter + ((size_t)x & JITTER);
            r->drainage->receiver[i] = is_border
                                           ? find_receiver(r, i, at, neighbours_of(r->heights, x, (int)y))
                                           : find_receiver(r, i, at, 0xFF);
        }
    }
}

// ---- The order ------------------------------------------------------------------------------------------

static void find_order(PlacementDrainage *d, size_t count) {
    enum { DONE = 255 };
    memset(d->donors, 0, count);
    for (size_t i = 0; i < count; i++) {
        d->area[i] = 1;
        if (d->receiver[i] != i) d->donors[d->receiver[i]]++;
    }
    size_t done = 0;
    for (size_t start = 0; start < count; start++) {
        size_t i = start;
        while (d->donors[i] == 0) {
            d->donors[i] = DONE;
            d->order[done++] = (uint32_t)i;
            size_t next = d->receiver[i];
            if (next == i) break;
            d->area[next] += d->area[i];
            d->donors[next]--;
            i = next;
        }
    }
    FILO_ASSERT(done == count, "the receivers have a cycle");
}

bool placement_drainage_compute(PlacementDrainage *drainage, PlacementGrid heights, const float *jitter) {
    const PlacementTerrain *terrain = drainage->terrain;
    drainage->width = heights.width;
    drainage->height = heights.height;
    Routing routing = { .drainage = drainage, .heights = heights, .jitter = jitter };
    for (int k = 0; k < 8; k++) {
        int dx = (int)placement_terrain_dx[k], dy = (int)placement_terrain_dy[k];
        float x = (float)dx * terrain->dx, y = (float)dy * terrain->dy; // all levels have about this ratio
        routing.weights[k] = 1.0f / filo_sqrt(x * x + y * y);
        routing.offsets[k] = (ptrdiff_t)dy * heights.width + dx;
    }
    placement_terrain_for(terrain, (size_t)heights.height, route_rows, &routing);
    if (!placement_drainage_connect(drainage, heights)) return false;
    find_order(drainage, (size_t)heights.width * (size_t)heights.height);
    return true;
}
