// Tables of what depends on x alone or on y alone: positions, offsets and weights of texels, and which points are inside.

#include "placement/run.h"
#include "placement/scalar.h"

// ---- Which readers ------------------------------------------------------------------------------------------

static bool same_axis(const PlacementReader *a, const PlacementReader *b) {
    return a->filter == b->filter && a->x == b->x && a->y == b->y && a->width == b->width &&
           a->height == b->height && a->full_width == b->full_width && a->full_height == b->full_height &&
           a->stride == b->stride && a->step == b->step;
}

static int find_reader(PlacementRun *run, const PlacementReader *reader) {
    for (int i = 0; i < run->reader_count; i++)
        if (same_axis(&run->readers[i], reader)) return i;
    run->readers[run->reader_count] = *reader;
    return run->reader_count++;
}

static void use_map(PlacementRun *run, int map) {
    if (run->reader_of[map] < 0 && run->maps[map].data != NULL)
        run->reader_of[map] = find_reader(run, &run->maps[map].reader);
}

// Whether combined maps of the footprint can be used: not where a window replaces one of them.
static bool uses_baked(const PlacementRun *run) {
    const PlacementFootprint *f = run->footprint;
    if (f->baked == NULL) return false;
    for (int l = 0; l < f->layer_count; l++) {
        int map = f->layers[l].map;
        const PlacementMap *own = &run->placement->maps[map];
        if (run->maps[map].data != own->data || !same_axis(&run->maps[map].reader, &own->reader))
            return false;
    }
    return true;
}

void placement_run_readers(PlacementRun *run) {
    const PlacementFootprint *f = run->footprint;
    run->reader_count = 0;
    run->baked_reader = -1;
    for (int i = 0; i <= FILO_PLACEMENT_MAPS; i++) run->reader_of[i] = -1;
    use_map(run, PLACEMENT_HEIGHT);
    if (uses_baked(run)) {
        PlacementReader reader = run->maps[f->layers[0].map].reader;
        reader.step = (size_t)f->baked_words * sizeof(uint32_t);
        reader.stride = (size_t)reader.width * reader.step;
        run->baked_reader = find_reader(run, &reader);
        return;
    }
    for (size_t i = 0; i < f->program.op_count; i++) {
        const PlacementOp *op = &f->program.ops[i];
        if (op->code == PLACEMENT_OP_SAMPLE) use_map(run, op->imm);
        if (op->code == PLACEMENT_OP_MAP_LAYER) use_map(run, f->layers[op->imm].map);
    }
}

// ---- Tables -------------------------------------------------------------------------------------------------

static void *take(char **memory, size_t size) {
    void *block = *memory;
    *memory += FILO_ALIGN_UP(size, (size_t)64);
    return block;
}

static bool blends_height(const PlacementRun *run) {
    return run->maps[PLACEMENT_HEIGHT].data != NULL &&
           run->maps[PLACEMENT_HEIGHT].reader.filter == FILO_MAP_BILINEAR;
}

// Lays the tables out in `memory`, of placement_axis_size bytes.
static void lay_out(const PlacementRun *run, PlacementAxis *axis, bool needs_units, char *memory) {
    const PlacementFootprint *f = run->footprint;
    size_t count = (size_t)axis->count, entries = count * (size_t)f->points, size = entries * sizeof(int32_t);
    axis->position = take(&memory, size);
    axis->inside = take(&memory, entries);
    axis->wanted = take(&memory, entries);
    axis->all_inside = take(&memory, count);
    axis->units = needs_units ? take(&memory, size) : NULL;
    for (size_t i = 0; i < f->program.noise_count; i++) axis->noise[i] = take(&memory, size);
    axis->height = blends_height(run) ? take(&memory, entries * sizeof(uint64_t)) : NULL;
    axis->readers = take(&memory, (size_t)run->reader_count * sizeof(PlacementAxisReader));
    for (int i = 0; i < run->reader_count; i++) {
        PlacementAxisReader reader = { take(&memory, size), NULL };
        if (run->readers[i].filter == FILO_MAP_BILINEAR) reader.weight = take(&memory, size);
        axis->readers[i] = reader;
    }
}

size_t placement_axis_size(const PlacementRun *run, int count, bool needs_units) {
    const PlacementFootprint *f = run->footprint;
    size_t entries = (size_t)count * (size_t)f->points;
    size_t ints = 1 + (needs_units ? 1u : 0u) + f->program.noise_count;
    for (int i = 0; i < run->reader_count; i++) ints += run->readers[i].filter == FILO_MAP_BILINEAR ? 2u : 1u;
    size_t height = blends_height(run) ? FILO_ALIGN_UP(entries * sizeof(uint64_t), (size_t)64) : 0;
    return height + ints * FILO_ALIGN_UP(entries * sizeof(int32_t), (size_t)64) +
           2 * FILO_ALIGN_UP(entries, (size_t)64) + FILO_ALIGN_UP((size_t)count, (size_t)64) +
           FILO_ALIGN_UP((size_t)run->reader_count * sizeof(PlacementAxisReader), (size_t)64);
}

// One axis of a map. `first` and `count` are those of the window.
typedef struct MapAxis {
    int32_t full, first, count, step;
} MapAxis;

static inline int32_t clamp(int32_t x, int32_t low, int32_t high) {
    x = x < low ? low : x;
    return x > high ? high : x;
}

// The index of a texel of the whole map in the window.
static inline int32_t in_window(MapAxis axis, int32_t texel) {
    return clamp(clamp(texel, 0, axis.full - 1) - axis.first, 0, axis.count - 1);
}

// The loops below have no branches, so that they become vector code: `coordinates` are in 1/256 of a texel.
static void find_nearest(MapAxis axis, const int32_t *coordinates, int points, int32_t *offsets) {
    for (int i = 0; i < points; i++) offsets[i] = in_window(axis, coordinates[i] >> 8) * axis.step;
}

// The kernels read the texel after the one at the offset too. So it is never the last one, unless there is only one.
static void find_blended(MapAxis axis, const int32_t *coordinates, int points, int32_t *offsets,
                         int32_t *weights) {
    int32_t last = axis.count - 1, several = axis.count > 1;
    for (int i = 0; i < points; i++) {
        int32_t c = coordinates[i] - 128;
        int32_t below = in_window(axis, c >> 8), above = in_window(axis, (c >> 8) + 1);
        int32_t is_last = (below == last) & several;
        weights[i] = below != above ? c & 255 : is_last ? 256 : 0;
        offsets[i] = (below - is_last) * axis.step;
    }
}

static void fill_reader(const PlacementRun *run, const PlacementAxis *axis, int index, bool is_y, int cell,
                        double origin) {
    const PlacementReader *r = &run->readers[index];
    const PlacementAxisReader *to = &axis->readers[index];
    const FiloPlacement *p = run->placement;
    int points = run->footprint->points, at = cell * points;
    MapAxis map = { r->full_width, r->x, r->width, (int32_t)r->step };
    if (is_y) map = (MapAxis){ r->full_height, r->y, r->height, (int32_t)r->stride };
    int32_t base =
        placement_base(origin, is_y ? p->corner_y : p->corner_x, is_y ? p->size.y : p->size.x, map.full);
    float inverse = is_y ? p->inverse_y : p->inverse_x;
    int32_t coordinates[PLACEMENT_POINTS];
    for (int i = 0; i < points; i++)
        coordinates[i] = placement_texel(axis->position[at + i], inverse, (float)map.full, base);
    if (r->filter == FILO_MAP_BILINEAR)
        find_blended(map, coordinates, points, to->offset + at, to->weight + at);
    else
        find_nearest(map, coordinates, points, to->offset + at);
}

static void fill_cell(const PlacementRun *run, PlacementAxis *axis, const PlacementAxisArea *area, int cell) {
    const PlacementFootprint *f = run->footprint;
    int32_t g = axis->first_cell + cell;
    int c = placement_in_block(g), points = f->points;
    double origin = (double)placement_block(g) * f->block;
    const float *pattern = area->is_y ? f->py : f->px;
    float lower = placement_bound(area->lower, origin), upper = placement_bound(area->upper, origin);
    float wanted_lower = placement_bound(area->wanted_lower, origin);
    float wanted_upper = placement_bound(area->wanted_upper, origin);
    bool all = true;
    for (int i = 0; i < points; i++) {
        int at = cell * points + i;
        float position = placement_local(f->size, c, pattern[i], f->footprint);
        axis->position[at] = position;
        axis->inside[at] = position >= lower && position < upper ? 255 : 0;
        axis->wanted[at] = position >= wanted_lower && position < wanted_upper ? 255 : 0;
        all = all && axis->inside[at] != 0;
    }
    axis->all_inside[cell] = all;
    if (axis->units != NULL) {
        // The difference is exact: both are whole numbers of units.
        double base = placement_units(origin, run->placement->units) - area->reference;
        for (int i = 0; i < points; i++) {
            int at = cell * points + i;
            axis->units[at] =
                (int32_t)base + placement_floor(axis->position[at] * (float)run->placement->units);
        }
    }
    for (size_t n = 0; n < f->program.noise_count; n++) {
        float wavelength = f->program.noises[n].wavelength, frequency = 1.0f / wavelength;
        int32_t base = placement_noise_base(origin, wavelength);
        for (int i = 0; i < points; i++) {
            int at = cell * points + i;
            axis->noise[n][at] = placement_noise_coordinate(axis->position[at], frequency, base);
        }
    }
    for (int r = 0; r < run->reader_count; r++) fill_reader(run, axis, r, area->is_y, cell, origin);
    if (axis->height == NULL) return;
    const PlacementAxisReader *height = &axis->readers[run->reader_of[PLACEMENT_HEIGHT]];
    int shift = area->is_y ? 48 : 32;
    for (int i = cell * points; i < (cell + 1) * points; i++)
        axis->height[i] = (uint64_t)(uint32_t)height->offset[i] | (uint64_t)(uint32_t)height->weight[i]
                                                                      << shift;
}

void placement_axis_build(PlacementRun *run, const PlacementAxisArea *area, void *memory) {
    PlacementAxis *axis = area->is_y ? &run->y : &run->x;
    lay_out(run, axis, area->needs_units, memory);
    for (int cell = 0; cell < axis->count; cell++) fill_cell(run, axis, area, cell);
}
