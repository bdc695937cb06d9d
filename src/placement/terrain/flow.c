// Flow and wetness.
//
// Depressions are filled by flooding from the border (Barnes, Lehman and Mulla, "Priority-flood", 2014): texels are taken
// in the order of their water level, which is the height over which their water can leave. Levels have 16 bits, so the
// queue has a list for each level; levels that are taken never fall. The order in which texels are taken has every texel
// after the one that it drains to. Backwards, it is the order in which areas are added up.

#include "placement/terrain/terrain.h"

#include <string.h>

#define LEVELS      65536
#define NOT_TAKEN   255 // direction of a texel that the flood has not reached
#define OUT         8   // direction of a texel at the border whose water leaves the map
#define WETNESS_MIN 2.0f
#define WETNESS_MAX 18.0f

typedef struct Flood {
    const PlacementTerrain *terrain;
    uint16_t *level;    // heights; after the flood, water levels
    uint8_t *direction; // index of the neighbour that the texel drains to
    uint32_t *order;
    uint32_t *next;         // of the same list; after the flood, areas as counts or floats
    uint32_t *first, *last; // of each level
    ptrdiff_t offsets[8];
    float distances[8];
} Flood;

static void push(Flood *f, uint32_t i, uint32_t level) {
    f->next[i] = PLACEMENT_NONE;
    if (f->first[level] == PLACEMENT_NONE)
        f->first[level] = i;
    else
        f->next[f->last[level]] = i;
    f->last[level] = i;
}

static bool has_neighbour(const Flood *f, size_t i, int k) {
    int x = (int)(i % (size_t)f->terrain->width) + placement_terrain_dx[k];
    int y = (int)(i / (size_t)f->terrain->width) + placement_terrain_dy[k];
    return x >= 0 && y >= 0 && x < f->terrain->width && y < f->terrain->height;
}

static bool is_border(const Flood *f, size_t i) {
    size_t width = (size_t)f->terrain->width, x = i % width;
    return x == 0 || x == width - 1 || i < width || i >= f->terrain->count - width;
}

// Neighbours of `i` that were not reached are now; their level is at least that of `i`. Those below `i` were taken
// before: the steepest of them is where the water of `i` goes, if there is one.
static void take(Flood *f, uint32_t i) {
    bool inside = !is_border(f, i);
    float steepest = 0.0f;
    for (int k = 0; k < 8; k++) {
        if (!inside && !has_neighbour(f, i, k)) continue;
        size_t n = (size_t)((ptrdiff_t)i + f->offsets[k]);
        if (f->direction[n] == NOT_TAKEN) {
            f->direction[n] = (uint8_t)(k ^ 2); // the opposite direction
            f->level[n] = FILO_MAX(f->level[n], f->level[i]);
            push(f, (uint32_t)n, f->level[n]);
        } else if (f->level[n] < f->level[i]) {
            float slope = (float)(f->level[i] - f->level[n]) / f->distances[k];
            if (slope > steepest) {
                steepest = slope;
                f->direction[i] = (uint8_t)k;
            }
        }
    }
}

static void flood(Flood *f) {
    size_t count = f->terrain->count, taken = 0;
    memset(f->direction, NOT_TAKEN, count);
    for (int level = 0; level < LEVELS; level++) f->first[level] = PLACEMENT_NONE;
    for (size_t i = 0; i < count; i++)
        if (is_border(f, i)) {
            f->direction[i] = OUT;
            push(f, (uint32_t)i, f->level[i]);
        }
    for (int level = 0; level < LEVELS; level++)
        while (f->first[level] != PLACEMENT_NONE) {
            uint32_t i = f->first[level];
            f->first[level] = f->next[i];
            f->order[taken++] = i;
            take(f, i);
        }
    FILO_ASSERT(taken == count, "the flood has not reached all texels");
}

// ---- Flow -----------------------------------------------------------------------------------------------

uint16_t filo_terrain_flow_of(float area) {
    if (!(area > 0.0f)) return 0;
    return (uint16_t)filo_to_int(filo_min(filo_log2(1.0f + area) * 2048.0f + 0.5f, 65535.0f));
}

static void sum_flow(Flood *f, uint16_t *flow) {
    size_t count = f->terrain->count;
    uint32_t *area = f->next;
    for (size_t i = 0; i < count; i++) area[i] = 1;
    for (size_t k = count; k-- > 0;) {
        size_t i = f->order[k];
        if (f->direction[i] != OUT) area[(ptrdiff_t)i + f->offsets[f->direction[i]]] += area[i];
    }
    float texel = f->terrain->dx * f->terrain->dy;
    for (size_t i = 0; i < count; i++) flow[i] = filo_terrain_flow_of((float)area[i] * texel);
}

// ---- Wetness --------------------------------------------------------------------------------------------

// Spreads the area of `i` over all lower neighbours. Returns the mean slope towards them, in levels by metre.
static float spread(const Flood *f, float *area, size_t i) {
    float slopes[8], sum = 0.0f;
    int below = 0;
    bool inside = !is_border(f, i);
    for (int k = 0; k < 8; k++) {
        size_t n = (size_t)((ptrdiff_t)i + f->offsets[k]);
        slopes[k] = 0.0f;
        if ((!inside && !has_neighbour(f, i, k)) || f->level[n] >= f->level[i]) continue;
        slopes[k] = (float)(f->level[i] - f->level[n]) / f->distances[k];
        sum += slopes[k];
        below++;
    }
    if (below == 0) {
        if (f->direction[i] != OUT) area[(ptrdiff_t)i + f->offsets[f->direction[i]]] += area[i];
        return 0.0f;
    }
    float share = area[i] / sum;
    for (int k = 0; k < 8; k++)
        if (slopes[k] > 0.0f) area[(ptrdiff_t)i + f->offsets[k]] += slopes[k] * share;
    return sum / (float)below;
}

static void sum_wetness(Flood *f, uint16_t *wetness) {
    const PlacementTerrain *t = f->terrain;
    float *area = (float *)(void *)f->next, texel = t->dx * t->dy, contour = 0.5f * (t->dx + t->dy);
    for (size_t i = 0; i < t->count; i++) area[i] = texel;
    for (size_t k = t->count; k-- > 0;) {
        size_t i = f->order[k];
        float slope = filo_max(spread(f, area, i) * t->range * (1.0f / 65535.0f), 1e-3f);
        float index = filo_log(area[i] / (contour * slope));
        wetness[i] = placement_terrain_u16((index - WETNESS_MIN) * (1.0f / (WETNESS_MAX - WETNESS_MIN)));
    }
}

// ---- Both -----------------------------------------------------------------------------------------------

static FiloResult bake(Flood *f, const FiloTerrainDesc *desc, uint16_t *flow, uint16_t *wetness) {
    const PlacementTerrain *t = f->terrain;
    FiloResult result = filo_terrain_to_u16(f->level, desc);
    if (result.code == FILO_OK) result = placement_terrain_report(t, 0.1f);
    if (result.code != FILO_OK) return result;
    for (int k = 0; k < 8; k++) {
        float x = t->dx * (float)placement_terrain_dx[k], y = t->dy * (float)placement_terrain_dy[k];
        f->offsets[k] = (ptrdiff_t)placement_terrain_dy[k] * t->width + placement_terrain_dx[k];
        f->distances[k] = filo_sqrt(x * x + y * y);
    }
    flood(f);
    result = placement_terrain_report(t, 0.6f);
    if (result.code == FILO_OK && flow != NULL) sum_flow(f, flow);
    if (result.code == FILO_OK) result = placement_terrain_report(t, 0.8f);
    if (result.code == FILO_OK && wetness != NULL) sum_wetness(f, wetness);
    return result.code == FILO_OK ? placement_terrain_report(t, 1.0f) : result;
}

FiloResult filo_terrain_bake_flow(uint16_t *flow, uint16_t *wetness, const FiloTerrainDesc *desc) {
    PlacementTerrain terrain;
    FiloResult result = placement_terrain_open(&terrain, desc, true);
    if (result.code != FILO_OK) return result;
    if (flow == NULL && wetness == NULL) return FILO_MISTAKE("pass where the flow or the wetness goes");
    result = placement_terrain_report(&terrain, 0.0f);
    if (result.code != FILO_OK) return result;
    size_t n = terrain.count,
           size = (2 * n + 2 * (size_t)LEVELS) * sizeof(uint32_t) + n * sizeof(uint16_t) + n;
    uint32_t *memory = filo_alloc(terrain.allocator, size, 0);
    if (memory == NULL) return placement_terrain_no_memory();
    Flood f = { .terrain = &terrain, .order = memory, .next = memory + n };
    f.first = f.next + n;
    f.last = f.first + LEVELS;
    f.level = (uint16_t *)(void *)(f.last + LEVELS);
    f.direction = (uint8_t *)(f.level + n);
    result = bake(&f, desc, flow, wetness);
    filo_free(terrain.allocator, memory, size, 0);
    return result;
}
