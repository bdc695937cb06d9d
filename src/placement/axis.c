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

void placement_run_readers(PlacementRun *run) {
    const PlacementFootprint *f = run->footprint;
    run->reader_count = 0;
    run->baked_reader = -1;
    for (int i = 0; i <= FILO_PLACEMENT_MAPS; i++) run->reader_of[i] = -1;
    use_map(run, PLACEMENT_HEIGHT);
    if (f->baked != NULL) {
        PlacementReader reader = run->maps[f->layers[0].map].reader;
        reader.step = (size_t)f->baked_words * sizeof(uint32_t);
        reader.stride = (size_t)reader.width * reader.step;
        run->baked_reader = find_reader(run, &reader);
        return;
    }
    for (size_t i = 0; i < f->program.op_count; i++) {
        const ProgramOp *op = &f->program.ops[i];
        if (op->code == PROGRAM_SAMPLE) use_map(run, op->imm);
        if (op->code == PROGRAM_MAP_LAYER) use_map(run, f->layers[op->imm].map);
    }
}

// ---- Tables -------------------------------------------------------------------------------------------------

static void *take(char **memory, size_t size) {
    void *block = *memory;
    *memory += FILO_ALIGN_UP(size, (size_t)64);
    return block;
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
    return ints * FILO_ALIGN_UP(entries * sizeof(int32_t), (size_t)64) +
           2 * FILO_ALIGN_UP(entries, (size_t)64) + FILO_ALIGN_UP((size_t)count, (size_t)64) +
           FILO_ALIGN_UP((size_t)run->reader_count * sizeof(PlacementAxisReader), (size_t)64);
}

// The texel and weight of a coordinate, clamped to the map and to its window.
static void find_texel(int32_t coordinate, bool bilinear, int first, int count, int full, int32_t *index,
                       int32_t *weight) {
    if (!bilinear) {
        int32_t i = FILO_CLAMP(coordinate >> 8, 0, full - 1) - first;
        *index = FILO_CLAMP(i, 0, count - 1);
        *weight = 0;
        return;
    }
    coordinate -= 128;
    int32_t below = FILO_CLAMP(coordinate >> 8, 0, full - 1) - first;
    int32_t above = FILO_CLAMP((coordinate >> 8) + 1, 0, full - 1) - first;
    below = FILO_CLAMP(below, 0, count - 1);
    above = FILO_CLAMP(above, 0, count - 1);
    // The loops read the texel after `index` too, so it is never the last one, unless there is only one.
    if (below != above) {
        *index = below;
        *weight = coordinate & 255;
    } else if (below < count - 1 || count == 1) {
        *index = below;
        *weight = 0;
    } else {
        *index = below - 1;
        *weight = 256;
    }
}

static void fill_reader(const PlacementRun *run, const PlacementAxis *axis, int index, bool is_y, int cell,
                        double origin) {
    const PlacementReader *r = &run->readers[index];
    const PlacementAxisReader *to = &axis->readers[index];
    const FiloPlacement *p = run->placement;
    int points = run->footprint->points;
    int full = is_y ? r->full_height : r->full_width;
    int first = is_y ? r->y : r->x, count = is_y ? r->height : r->width;
    size_t step = is_y ? r->stride : r->step;
    int32_t base =
        placement_base(origin, is_y ? p->corner_y : p->corner_x, is_y ? p->size.y : p->size.x, full);
    float inverse = is_y ? p->inverse_y : p->inverse_x;
    bool bilinear = r->filter == FILO_MAP_BILINEAR;
    for (int i = cell * points; i < (cell + 1) * points; i++) {
        int32_t texel, weight;
        find_texel(placement_texel(axis->position[i], inverse, (float)full, base), bilinear, first, count,
                   full, &texel, &weight);
        to->offset[i] = texel * (int32_t)step;
        if (bilinear) to->weight[i] = weight;
    }
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
}

void placement_axis_build(PlacementRun *run, const PlacementAxisArea *area, void *memory) {
    PlacementAxis *axis = area->is_y ? &run->y : &run->x;
    lay_out(run, axis, area->needs_units, memory);
    for (int cell = 0; cell < axis->count; cell++) fill_cell(run, axis, area, cell);
}
