// Erosion from coarse to fine.
//
// The original heights are halved until they are small. On the smallest grid rivers erode the ground for a long time.
// Then the grid is enlarged, what the original has in finer features is added, and rivers erode again, for fewer steps,
// because the large ones lie where they belong already.
//
// A step: water is routed (drainage.c). Then, from the mouths of rivers upwards, each texel gets its new height from that
// of its receiver, which is known. The ground rises by ks · T, and a river of the upstream area A wears it down by
// T · √A · slope, with the slope after the step: implicit, so that T may be large (Braun and Willett 2013). If that goes
// on, the slope becomes ks / √A, as in nature, where ks is 20 to 200 m. ks is proportional to the smoothed original
// height, so that mountains stay mountains, and is adapted so that the mean height stays what it was, within limits.
// Where little water comes together there are no rivers: `hillslope` is added to A, and soil creeps (creep.c).

#include <filo/random.h>

#include "placement/terrain/noise.h"
#include "placement/terrain/terrain.h"

#include <string.h>

#define LEVELS_MAX  12
#define SMALLEST    64 // texels of the shorter side of the smallest grid, at least
#define JITTER_SIDE 128
#define JITTER_SIZE (JITTER_SIDE * JITTER_SIDE + 8)
#define OUTSIDE     1000.0f
#define KS_MIN      5.0f
#define KS_MAX      75.0f
#define SLOPE_MIN   2e-4f // of rivers: what is filled in pits

typedef struct Erosion {
    const PlacementTerrain *terrain;
    FiloTerrainErode desc;
    int level_count;
    PlacementGrid originals[LEVELS_MAX]; // metres; the first is in the caller's memory
    float *heights, *other;              // of the present level, and as large: they change places
    float *talus, *uplift, *detailed;
    float *jitter;
    PlacementDrainage drainage;
    // Of the present level:
    int level, width, height;
    size_t count;
    float dx, dy;
    float lowest, mean; // of the original
    float ks;
    float hillslope; // m² upstream below which there is no river
    double work_done, work;
} Erosion;

static size_t texels(PlacementGrid grid) { return (size_t)grid.width * (size_t)grid.height; }

// How long rivers erode on a level. The finest comes first.
typedef struct Duration {
    int steps;
    float pace; // against the time in which hillslopes follow their rivers
} Duration;

static Duration duration_of(const Erosion *e, int level) {
    static const Duration durations[] = { { 3, 1.0f },  { 4, 0.8f },  { 6, 0.7f },
                                          { 10, 0.8f }, { 16, 1.0f }, { 24, 2.0f } };
    if (level == e->level_count - 1) return (Duration){ 40, 2.0f };
    return durations[FILO_MIN(level, (int)FILO_COUNT_OF(durations) - 1)];
}

static float distance_to(const Erosion *e, size_t i, size_t receiver) {
    size_t difference = i > receiver ? i - receiver : receiver - i;
    if (difference == 1) return e->dx;
    if (difference == (size_t)e->width) return e->dy;
    return filo_sqrt(e->dx * e->dx + e->dy * e->dy);
}

// ---- Rivers ---------------------------------------------------------------------------------------------

// Where water leaves the map, a river is about to flow OUTSIDE metres more, down to the lowest ground.
static float outlet_height(const Erosion *e, size_t i, float area, float time) {
    float wear = time * filo_sqrt(area + e->hillslope) / OUTSIDE;
    float rise = e->ks * e->uplift[i] * time;
    float height = (e->heights[i] + rise + wear * e->lowest) / (1.0f + wear);
    return filo_min(height, e->originals[e->level].data[i]);
}

static void erode_rivers(Erosion *e, float time) {
    const PlacementDrainage *d = &e->drainage;
    float texel = e->dx * e->dy, *h = e->heights;
    double sum = 0;
    for (size_t k = e->count; k-- > 0;) {
        size_t i = d->order[k], r = d->receiver[i];
        float area = (float)d->area[i] * texel;
        if (r == i) {
            h[i] = outlet_height(e, i, area, time);
            sum += (double)h[i];
            continue;
        }
        float distance = distance_to(e, i, r), wear = time * filo_sqrt(area + e->hillslope) / distance;
        float height = (h[i] + e->ks * e->uplift[i] * time + wear * h[r]) / (1.0f + wear);
        height = filo_min(height, h[r] + e->talus[i] * distance);
        h[i] = filo_max(height, h[r] + SLOPE_MIN * distance);
        sum += (double)h[i];
    }
    float mean = (float)(sum / (double)e->count) - e->lowest;
    float factor = filo_clamp(e->mean / filo_max(mean, 1e-3f), 0.8f, 1.25f);
    e->ks = filo_clamp(e->ks * factor, KS_MIN, KS_MAX);
}

// Valleys are filled up to a level that is inherited from the river that a texel drains to.
static void deposit(Erosion *e, float amount) {
    const PlacementDrainage *d = &e->drainage;
    float texel = e->dx * e->dy, *h = e->heights, *fill = e->other;
    for (size_t k = e->count; k-- > 0;) {
        size_t i = d->order[k], r = d->receiver[i];
        float area = (float)d->area[i] * texel;
        float depth =
            area > 4e4f ? filo_min(amount * 0.012f * (filo_sqrt(area) - 200.0f), 30.0f * amount) : 0.0f;
        float level = h[i] + depth;
        if (r != i) level = filo_max(level, fill[r]);
        fill[i] = level;
        // A smooth maximum, which differs from the plain one within `soft` metres.
        const float soft = 3.0f;
        float above = level - h[i], overlap = filo_max(soft - filo_abs(above), 0.0f) * (1.0f / soft);
        if (depth > 0.0f || above > 0.0f) h[i] = filo_max(level, h[i]) + overlap * overlap * soft * 0.25f;
    }
}

static void swap_heights(Erosion *e) {
    float *other = e->other;
    e->other = e->heights;
    e->heights = other;
}

static void slide(Erosion *e, int steps, float creep) {
    for (int i = 0; i < steps; i++) {
        PlacementGrid from = { e->heights, e->width, e->height };
        placement_terrain_creep(e->terrain,
                                &(PlacementCreep){ from, e->other, e->talus, 0.5f * (e->dx + e->dy), creep });
        swap_heights(e);
    }
}

// ---- Levels ---------------------------------------------------------------------------------------------

static uint32_t seed_of(const Erosion *e, uint32_t purpose) {
    return (uint32_t)filo_random_mix(e->desc.seed * 64 + purpose + 1);
}

// How steep loose ground may be differs from place to place: rock is harder in layers and patches.
static void talus_rows(size_t begin, size_t end, void *user) {
    const Erosion *e = user;
    uint32_t seed = seed_of(e, 1);
    for (size_t y = begin; y < end; y++)
        for (int x = 0; x < e->width; x++) {
            float wx = (float)x * e->dx, wy = (float)y * e->dy;
            float noise = placement_noise_sum(wx * (1.0f / 900.0f), wy * (1.0f / 900.0f), seed, 5, 0.6f);
            e->talus[y * (size_t)e->width + (size_t)x] = e->desc.talus * (1.0f + 0.55f * noise);
        }
}

// Rise by run, roughly.
static float slope_at(const Erosion *e, int x, int y) {
    int right = FILO_MIN(x + 1, e->width - 1), below = FILO_MIN(y + 1, e->height - 1);
    const float *row = e->heights + (size_t)y * (size_t)e->width;
    float dx = row[right] - row[x], dy = e->heights[(size_t)below * (size_t)e->width + (size_t)x] - row[x];
    return (filo_abs(dx) + filo_abs(dy)) * 0.7f / e->dx;
}

// Adds to the enlarged heights what the original has in finer features, and noise.
static void detail_rows(size_t begin, size_t end, void *user) {
    const Erosion *e = user;
    uint32_t seed = seed_of(e, 2 + (uint32_t)e->level);
    const float *original = e->originals[e->level].data, *smooth = e->other;
    float keep = 1.0f - e->desc.strength;
    for (size_t y = begin; y < end; y++)
        for (int x = 0; x < e->width; x++) {
            size_t i = y * (size_t)e->width + (size_t)x;
            float noise = placement_noise((float)x * 0.37f, (float)y * 0.37f, seed);
            float slope = filo_abs(slope_at(e, x, (int)y));
            e->detailed[i] = e->heights[i] + (original[i] - smooth[i]) * keep +
                             noise * e->dx * e->desc.detail * (0.01f + 0.3f * slope);
        }
}

static void set_level(Erosion *e, int level) {
    e->level = level;
    e->width = e->originals[level].width;
    e->height = e->originals[level].height;
    e->count = texels(e->originals[level]);
    e->dx = e->terrain->dx * (float)e->terrain->width / (float)e->width;
    e->dy = e->terrain->dy * (float)e->terrain->height / (float)e->height;
    e->hillslope = filo_clamp(100.0f * e->dx * e->dy, 200.0f, 6000.0f);
}

// The heights of the level before, enlarged, with details.
static void refine(Erosion *e) {
    PlacementGrid coarse = e->originals[e->level + 1];
    PlacementGrid before = { e->heights, coarse.width, coarse.height };
    PlacementGrid now = { e->other, e->width, e->height };
    placement_terrain_enlarge_warped(e->terrain, now, before, 0.8f, seed_of(e, 20 + (uint32_t)e->level));
    swap_heights(e);
    now.data = e->other;
    placement_terrain_enlarge(e->terrain, now, coarse);
    e->detailed = e->uplift; // not needed yet
    placement_terrain_for(e->terrain, (size_t)e->height, detail_rows, e);
    e->uplift = e->heights;
    e->heights = e->detailed;
}

// Smoothed heights of the original, 0.15 to 1.15.
static void find_uplift(Erosion *e) {
    int level = FILO_MIN(e->level_count - 1, e->level + 3);
    PlacementGrid smooth = e->originals[level], to = { e->uplift, e->width, e->height };
    placement_terrain_enlarge(e->terrain, to, smooth);
    float scale = 1.0f / filo_max(e->terrain->range, 1e-3f);
    for (size_t i = 0; i < e->count; i++) e->uplift[i] = 0.15f + (e->uplift[i] - e->lowest) * scale;
}

static FiloResult erode_level(Erosion *e, int level) {
    set_level(e, level);
    if (level == e->level_count - 1)
        memcpy(e->heights, e->originals[level].data, e->count * sizeof(float));
    else
        refine(e);
    find_uplift(e);
    placement_terrain_for(e->terrain, (size_t)e->height, talus_rows, e);
    Duration duration = duration_of(e, level);
    float time = e->desc.strength * e->desc.strength * duration.pace * e->dx * 0.026f;
    for (int step = 0; step < duration.steps; step++) {
        FiloResult result = placement_terrain_report(e->terrain, (float)(e->work_done / e->work));
        if (result.code != FILO_OK) return result;
        PlacementGrid grid = { e->heights, e->width, e->height };
        if (!placement_drainage_compute(&e->drainage, grid, e->jitter)) return placement_terrain_no_memory();
        if (time > 0.0f) erode_rivers(e, time);
        bool is_last = level == 0 && step == duration.steps - 1;
        if (is_last && e->desc.deposit > 0.0f) deposit(e, e->desc.deposit);
        slide(e, is_last ? 2 : 1, filo_min(0.01f * e->dx, 0.1f));
        e->work_done += (double)e->count;
    }
    return filo_ok();
}

// ---- All of it ------------------------------------------------------------------------------------------

static void make_jitter(Erosion *e) {
    uint32_t seed = seed_of(e, 0);
    for (int i = 0; i < JITTER_SIZE; i++) {
        uint32_t bits = placement_noise_hash(i, 0, seed) >> 8;
        e->jitter[i] = 0.55f + 0.9f * (float)bits * 0x1p-24f;
    }
}

static void measure(Erosion *e) {
    PlacementGrid grid = e->originals[e->level_count - 1];
    double sum = 0;
    e->lowest = grid.data[0];
    for (size_t i = 0; i < texels(grid); i++) {
        e->lowest = filo_min(e->lowest, grid.data[i]);
        sum += (double)grid.data[i];
    }
    e->mean = (float)(sum / (double)texels(grid)) - e->lowest;
    e->ks = 0.5f * (KS_MIN + KS_MAX);
    for (int level = 0; level < e->level_count; level++)
        e->work += (double)texels(e->originals[level]) * duration_of(e, level).steps;
}

static FiloResult run(Erosion *e) {
    make_jitter(e);
    for (int level = 1; level < e->level_count; level++)
        placement_terrain_halve(e->terrain, e->originals[level], e->originals[level - 1]);
    measure(e);
    FiloResult result = filo_ok();
    for (int level = e->level_count; level-- > 0 && result.code == FILO_OK;) result = erode_level(e, level);
    return result;
}

// Sizes of levels; returns the texels of all but the first.
static size_t plan_levels(Erosion *e, float *heights) {
    PlacementGrid grid = { heights, e->terrain->width, e->terrain->height };
    size_t sum = 0;
    e->originals[e->level_count++] = grid;
    while (e->level_count < LEVELS_MAX && FILO_MIN(grid.width, grid.height) >= 2 * SMALLEST) {
        grid = (PlacementGrid){ NULL, (grid.width + 1) / 2, (grid.height + 1) / 2 };
        e->originals[e->level_count++] = grid;
        sum += texels(grid);
    }
    return sum;
}

// ---- The interface --------------------------------------------------------------------------------------

static bool choose_numbers(FiloTerrainErode *to, const FiloTerrainErode *from) {
    if (from != NULL) *to = *from;
    bool valid = to->strength <= 1.0f && to->deposit <= 1.0f && to->detail <= 1.0f && to->talus >= 0.0f &&
                 to->talus <= 100.0f; // false for NaN
    to->strength = to->strength == 0.0f ? 0.7f : filo_max(to->strength, 0.0f);
    to->deposit = to->deposit == 0.0f ? 0.5f : filo_max(to->deposit, 0.0f);
    to->detail = to->detail == 0.0f ? 0.5f : filo_max(to->detail, 0.0f);
    if (to->talus == 0.0f) to->talus = 0.9f;
    return valid;
}

typedef struct Scaling {
    float *to;
    const float *from;
    float factor;
    size_t width;
} Scaling;

static void scale_rows(size_t begin, size_t end, void *user) {
    const Scaling *s = user;
    for (size_t i = begin * s->width; i < end * s->width; i++) s->to[i] = s->from[i] * s->factor;
}

static void clamp_rows(size_t begin, size_t end, void *user) {
    const Scaling *s = user;
    for (size_t i = begin * s->width; i < end * s->width; i++)
        s->to[i] = filo_clamp01(s->from[i] * s->factor);
}

static FiloResult erode_in(Erosion *e, float *heights, float *memory, size_t smaller) {
    const PlacementTerrain *terrain = e->terrain;
    size_t rows = (size_t)terrain->height, width = (size_t)terrain->width;
    float *at = memory;
    for (int level = 1; level < e->level_count; level++) {
        e->originals[level].data = at;
        at += texels(e->originals[level]);
    }
    FILO_ASSERT(at == memory + smaller, "the levels do not fit");
    e->heights = at;
    e->other = e->heights + terrain->count;
    e->talus = e->other + terrain->count;
    e->uplift = e->talus + terrain->count;
    e->jitter = e->uplift + terrain->count;
    placement_terrain_for(terrain, rows, scale_rows, &(Scaling){ heights, heights, terrain->range, width });
    FiloResult result = run(e);
    Scaling back = { heights, e->heights, 1.0f / terrain->range, width };
    if (result.code == FILO_OK) placement_terrain_for(terrain, rows, clamp_rows, &back);
    return result;
}

FiloResult filo_terrain_erode(float *heights, const FiloTerrainDesc *desc, const FiloTerrainErode *erode) {
    PlacementTerrain terrain;
    FiloResult result = placement_terrain_open_whole(&terrain, desc, false, "rivers erode");
    if (result.code != FILO_OK) return result;
    if (heights == NULL) return FILO_MISTAKE("pass the heights to erode");
    Erosion e = { .terrain = &terrain };
    if (!choose_numbers(&e.desc, erode))
        return FILO_MISTAKE("strength, deposit and detail of erosion are at most 1, and talus is 0 to 100");
    terrain.map = (FiloTerrainMap){ .data = heights,
                                    .format = FILO_MAP_FLOAT,
                                    .width = terrain.width,
                                    .height = terrain.height,
                                    .step = sizeof(float),
                                    .stride = (size_t)terrain.width * sizeof(float) };
    result = placement_terrain_heights(&terrain, NULL);
    if (result.code != FILO_OK) return result;
    size_t smaller = plan_levels(&e, heights);
    size_t size = (smaller + 4 * terrain.count + JITTER_SIZE) * sizeof(float);
    float *memory = filo_alloc(terrain.allocator, size, 0);
    bool made = placement_drainage_init(&e.drainage, &terrain, terrain.count) && memory != NULL;
    result = made ? erode_in(&e, heights, memory, smaller) : placement_terrain_no_memory();
    placement_drainage_deinit(&e.drainage);
    filo_free(terrain.allocator, memory, size, 0);
    if (result.code == FILO_OK) result = placement_terrain_report(&terrain, 1.0f);
    return result;
}
