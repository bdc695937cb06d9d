// The phases of a computation, each divided by rows of cells among the workers. What a phase writes depends on no other
// row, so that the result does not depend on how rows were divided.

#include "placement/compute.h"

#include "placement/create.h"

#include <string.h>

// ---- Scratch memory -----------------------------------------------------------------------------------------

// Blocks that grow as needed and are used again by the next computation.
typedef enum ScratchSlot {
    SLOT_X,
    SLOT_Y,
    SLOT_WINNERS,
    SLOT_COUNTS,
    SLOT_CLAIMS,
    SLOT_BINS,
    SLOT_COUNT
} ScratchSlot;

typedef struct ScratchBlock {
    void *memory;
    size_t size;
} ScratchBlock;

typedef struct PlacementScratch {
    struct PlacementScratch *next;
    ScratchBlock blocks[FILO_PLACEMENT_FOOTPRINTS][SLOT_COUNT];
    PlacementRun runs[FILO_PLACEMENT_FOOTPRINTS];
    PlacementMap maps[FILO_PLACEMENT_MAPS + 1];
} PlacementScratch;

static PlacementScratch *take_scratch(FiloPlacement *p) {
    filo_mutex_lock(&p->lock);
    PlacementScratch *scratch = p->free_scratch;
    if (scratch != NULL) p->free_scratch = scratch->next;
    filo_mutex_unlock(&p->lock);
    return scratch != NULL ? scratch : filo_alloc_zero(p->allocator, sizeof *scratch, 64);
}

static void return_scratch(FiloPlacement *p, PlacementScratch *scratch) {
    filo_mutex_lock(&p->lock);
    scratch->next = p->free_scratch;
    p->free_scratch = scratch;
    filo_mutex_unlock(&p->lock);
}

void placement_scratch_free_all(FiloPlacement *p) {
    while (p->free_scratch != NULL) {
        PlacementScratch *scratch = p->free_scratch;
        p->free_scratch = scratch->next;
        for (int f = 0; f < FILO_PLACEMENT_FOOTPRINTS; f++)
            for (int slot = 0; slot < SLOT_COUNT; slot++)
                filo_free(p->allocator, scratch->blocks[f][slot].memory, scratch->blocks[f][slot].size, 64);
        filo_free(p->allocator, scratch, sizeof *scratch, 64);
    }
}

static void *scratch_block(const FiloPlacement *p, PlacementScratch *scratch, int f, ScratchSlot slot,
                           size_t size) {
    ScratchBlock *block = &scratch->blocks[f][slot];
    if (block->size >= size && block->memory != NULL) return block->memory;
    filo_free(p->allocator, block->memory, block->size, 64);
    *block = (ScratchBlock){ 0 };
    size_t grown = FILO_MAX(size + size / 4, (size_t)4096);
    block->memory = filo_alloc(p->allocator, grown, 64);
    if (block->memory != NULL) block->size = grown;
    return block->memory;
}

// ---- The request --------------------------------------------------------------------------------------------

#define FURTHEST 1e8 // metres from the origin

static bool inside_limits(double x) { return x >= -FURTHEST && x <= FURTHEST; } // false for NaN

static int64_t floor_to_int(double x) {
    int64_t i = (int64_t)x;
    return i - ((double)i > x);
}

PlacementCells placement_cells_between(const PlacementFootprint *f, double lower, double upper) {
    return (PlacementCells){ floor_to_int(lower / f->cell) - 1, -floor_to_int(-upper / f->cell) };
}

static FiloResult check_size(const FiloPlacement *p, const FiloPlacementRequest *request) {
    const FiloPlacementArea *a = &request->area;
    double margins[FILO_PLACEMENT_FOOTPRINTS], candidates = 0;
    placement_margins(p, request->footprints != 0 ? request->footprints : UINT32_MAX, margins);
    for (int i = 0; i < p->footprint_count; i++) {
        const PlacementFootprint *f = &p->footprints[i];
        if (margins[i] < 0) continue;
        PlacementCells x = placement_cells_between(f, a->x0 - margins[i], a->x1 + margins[i]);
        PlacementCells y = placement_cells_between(f, a->y0 - margins[i], a->y1 + margins[i]);
        int64_t most = FILO_MAX(x.last - x.first, y.last - y.first);
        candidates += (double)(x.last - x.first + 1) * (double)(y.last - y.first + 1) * (double)f->points;
        if (candidates > (double)FILO_PLACEMENT_CANDIDATES)
            return filo_error(
                FILO_ERROR_LIMIT,
                "an area of %g × %g metres has more than the %llu candidates of one computation at a "
                "footprint of %g: divide it",
                a->x1 - a->x0, a->y1 - a->y0, (unsigned long long)FILO_PLACEMENT_CANDIDATES,
                (double)f->footprint);
        if (most > (int64_t)254 * FILO_PLACEMENT_BLOCK)
            return filo_error(FILO_ERROR_LIMIT,
                              "an area of %g × %g metres is wider than 254 blocks of %g metres: divide it",
                              a->x1 - a->x0, a->y1 - a->y0, f->block);
        if (x.first < INT32_MIN / 2 || x.last > INT32_MAX / 2 || y.first < INT32_MIN / 2 ||
            y.last > INT32_MAX / 2)
            return filo_error(FILO_ERROR_LIMIT,
                              "the area is too far from the origin for a footprint of %g metres",
                              (double)f->footprint);
        double width = FILO_MAX(a->x1 - a->x0, a->y1 - a->y0) + 2 * margins[i] + 4 * f->cell;
        if (p->footprint_count > 1 && width * (double)p->units > (double)(INT32_MAX / 2))
            return filo_error(FILO_ERROR_LIMIT,
                              "the area is too large to compare footprints in it: divide it");
    }
    return filo_ok();
}

static FiloResult check_edits(const FiloPlacement *p, const FiloPlacementEdits *edits) {
    if ((edits->clearings == NULL && edits->clearing_count > 0) ||
        (edits->pins == NULL && edits->pin_count > 0))
        return FILO_MISTAKE("pass the clearings and pins whose number you give");
    for (size_t i = 0; i < edits->clearing_count; i++) {
        const FiloClearing *c = &edits->clearings[i];
        if (!inside_limits(c->x) || !inside_limits(c->y) || !(c->radius >= 0 && c->radius <= 1e6f))
            return filo_error(FILO_ERROR_DATA, "clearing %zu: x %g, y %g, radius %g cannot be", i, c->x, c->y,
                              (double)c->radius);
    }
    for (size_t i = 0; i < edits->pin_count; i++) {
        const FiloPin *pin = &edits->pins[i];
        if (pin->id.footprint >= p->footprint_count ||
            pin->id.point >= (uint32_t)p->footprints[pin->id.footprint].points)
            return filo_error(FILO_ERROR_DATA, "pin %zu: there is no point %d of footprint %d", i,
                              pin->id.point, pin->id.footprint);
        const PlacementFootprint *f = &p->footprints[pin->id.footprint];
        if (pin->layer >= 0 && (pin->layer < f->first_layer || pin->layer >= f->first_layer + f->layer_count))
            return filo_error(FILO_ERROR_DATA, "pin %zu: footprint \"%s\" has no layer %d", i, f->name,
                              (int)pin->layer);
    }
    return filo_ok();
}

static FiloResult check_windows(const FiloPlacement *p, const FiloPlacementRequest *request) {
    if (request->windows == NULL && request->window_count > 0)
        return FILO_MISTAKE("pass the windows whose number you give");
    for (size_t i = 0; i < request->window_count; i++) {
        const FiloMapWindow *w = &request->windows[i];
        if (w->map < 0 || w->map >= p->map_count)
            return filo_error(FILO_ERROR_DATA, "window %zu: there is no map %d", i, w->map);
        const PlacementMap *map = &p->maps[w->map];
        FiloResult r = placement_check_map(&w->window, map->name);
        if (r.code != FILO_OK) return r;
        PlacementReader reader = placement_reader(&w->window, map->reader.filter);
        if (reader.format == FILO_MAP_FLOAT)
            return filo_error(FILO_ERROR_DATA, "%s: a window has bytes or 16 bits, no floats", map->name);
        if (map->data != NULL &&
            (reader.full_width != map->reader.full_width || reader.full_height != map->reader.full_height))
            return filo_error(
                FILO_ERROR_DATA, "%s: the window is of a map of %d × %d, and the map has %d × %d", map->name,
                reader.full_width, reader.full_height, map->reader.full_width, map->reader.full_height);
    }
    return filo_ok();
}

FiloResult placement_check_request(const FiloPlacement *p, const FiloPlacementRequest *request) {
    const FiloPlacementArea *a = &request->area;
    if (!inside_limits(a->x0) || !inside_limits(a->y0) || !inside_limits(a->x1) || !inside_limits(a->y1))
        return filo_error(FILO_ERROR_DATA, "the area %g, %g to %g, %g is not within %g metres of the origin",
                          a->x0, a->y0, a->x1, a->y1, FURTHEST);
    if (!(a->x0 < a->x1 && a->y0 < a->y1))
        return filo_error(FILO_ERROR_DATA, "the area %g, %g to %g, %g is empty: its lower corner comes first",
                          a->x0, a->y0, a->x1, a->y1);
    if (request->path > FILO_PLACEMENT_AVX2)
        return filo_error(FILO_ERROR_DATA, "the path %d is none", (int)request->path);
    if (request->footprints >> p->footprint_count != 0)
        return filo_error(FILO_ERROR_DATA,
                          "the request wants the footprints 0x%x, and there are %d: bits 0 to %d",
                          request->footprints, p->footprint_count, p->footprint_count - 1);
    FiloResult r = check_size(p, request);
    if (r.code == FILO_OK) r = check_edits(p, &request->edits);
    if (r.code == FILO_OK) r = check_windows(p, request);
    if (r.code == FILO_OK) r = placement_check_texels(p, request);
    return r;
}

// ---- Phases -------------------------------------------------------------------------------------------------

typedef struct Compute {
    const FiloPlacement *placement;
    const FiloPlacementRequest *request;
    const PlacementKernels *kernels;
    const BASE_ATOMIC(bool) * cancel;
    PlacementScratch *scratch;
    const PlacementMap *maps;
    double margins[FILO_PLACEMENT_FOOTPRINTS];
    double reference_x, reference_y; // units
    PlacementRun *run;               // of the current phase
} Compute;

static bool cancelled(const Compute *c) { return c->cancel != NULL && base_load_relaxed(c->cancel); }

static uint8_t *row_winners(const PlacementRun *run, size_t row) {
    return run->winners + row * (size_t)run->x.count * (size_t)run->footprint->points;
}

static void for_rows(Compute *c, PlacementRun *run, FiloRangeFunction function) {
    c->run = run;
    size_t rows = (size_t)run->y.count;
    if (rows == 0 || run->x.count == 0) return;
    if (c->request->jobs != NULL)
        filo_jobs_for(c->request->jobs, rows, function, c);
    else
        function(0, rows, c);
}

static void evaluate_rows(size_t begin, size_t end, void *user) {
    Compute *c = user;
    for (size_t row = begin; row < end && !cancelled(c); row++)
        c->kernels->evaluate(c->run, (int)row, row_winners(c->run, row));
}

static void claim_rows(size_t begin, size_t end, void *user) {
    const Compute *c = user;
    const PlacementRun *run = c->run;
    const PlacementFootprint *f = run->footprint;
    for (size_t row = begin; row < end && !cancelled(c); row++) {
        uint8_t *winners = row_winners(run, row);
        const int32_t *y = run->y.units + row * (size_t)f->points;
        for (size_t i = 0; i < (size_t)run->x.count * (size_t)f->points; i++)
            if (winners[i] != 0 && placement_blocked(&run->claims, run->x.units[i], y[i % (size_t)f->points],
                                                     f->layers[winners[i] - 1].radius_units))
                winners[i] = 0;
    }
}

static void count_rows(size_t begin, size_t end, void *user) {
    const Compute *c = user;
    const PlacementRun *run = c->run;
    size_t points = (size_t)run->footprint->points;
    bool restricted = c->margins[run->footprint - c->placement->footprints] > 0;
    for (size_t row = begin; row < end && !cancelled(c); row++) {
        uint8_t *winners = row_winners(run, row);
        if (restricted)
            for (size_t i = 0; i < (size_t)run->x.count * points; i++)
                winners[i] = winners[i] & run->x.wanted[i] & run->y.wanted[row * points + i % points];
        c->kernels->count(run, winners, run->counts + row * (size_t)run->footprint->layer_count);
    }
}

static void write_rows(size_t begin, size_t end, void *user) {
    const Compute *c = user;
    for (size_t row = begin; row < end && !cancelled(c); row++)
        c->kernels->write(c->run, (int)row, row_winners(c->run, row),
                          c->run->counts + row * (size_t)c->run->footprint->layer_count);
}

// ---- Edits --------------------------------------------------------------------------------------------------

// Floats that are relative to the block, so that a shader can do the same.
static void clear_circle(const PlacementRun *run, const FiloClearing *clearing) {
    const PlacementFootprint *f = run->footprint;
    PlacementCells x = placement_cells_between(f, clearing->x - (double)clearing->radius,
                                               clearing->x + (double)clearing->radius);
    PlacementCells y = placement_cells_between(f, clearing->y - (double)clearing->radius,
                                               clearing->y + (double)clearing->radius);
    int64_t first_x = FILO_MAX(x.first - run->x.first_cell, 0),
            last_x = FILO_MIN(x.last - run->x.first_cell, run->x.count - 1);
    int64_t first_y = FILO_MAX(y.first - run->y.first_cell, 0),
            last_y = FILO_MIN(y.last - run->y.first_cell, run->y.count - 1);
    float limit = clearing->radius * clearing->radius;
    for (int64_t row = first_y; row <= last_y; row++)
        for (int64_t column = first_x; column <= last_x; column++) {
            float cx = (float)(clearing->x -
                               (double)placement_block(run->x.first_cell + (int32_t)column) * f->block);
            float cy =
                (float)(clearing->y - (double)placement_block(run->y.first_cell + (int32_t)row) * f->block);
            uint8_t *winners = row_winners(run, (size_t)row) + column * f->points;
            for (int i = 0; i < f->points; i++) {
                float dx = run->x.position[column * f->points + i] - cx,
                      dy = run->y.position[row * f->points + i] - cy;
                if (dx * dx + dy * dy <= limit) winners[i] = 0;
            }
        }
}

static void apply_clearings(const Compute *c, const PlacementRun *run, int f) {
    for (size_t i = 0; i < c->request->edits.clearing_count; i++) {
        const FiloClearing *clearing = &c->request->edits.clearings[i];
        if (clearing->footprints == 0 || clearing->footprints >> f & 1) clear_circle(run, clearing);
    }
}

static void apply_pins(const Compute *c, const PlacementRun *run, int f) {
    const PlacementFootprint *footprint = run->footprint;
    for (size_t i = 0; i < c->request->edits.pin_count; i++) {
        const FiloPin *pin = &c->request->edits.pins[i];
        int64_t column = (int64_t)pin->id.cell_x - run->x.first_cell,
                row = (int64_t)pin->id.cell_y - run->y.first_cell;
        if (pin->id.footprint != f || column < 0 || row < 0 || column >= run->x.count || row >= run->y.count)
            continue;
        size_t x = (size_t)column * (size_t)footprint->points + pin->id.point;
        size_t y = (size_t)row * (size_t)footprint->points + pin->id.point;
        if (run->x.inside[x] != 0 && run->y.inside[y] != 0)
            row_winners(run, (size_t)row)[x] =
                pin->layer < 0 ? 0 : (uint8_t)(pin->layer - footprint->first_layer + 1);
    }
}

// ---- One footprint ------------------------------------------------------------------------------------------

// Whether a cell has a point between the bounds. Cells at the border often have none.
static bool has_points(const PlacementFootprint *f, int64_t cell, const float *points, double lower,
                       double upper) {
    double origin = (double)placement_block((int32_t)cell) * f->block;
    float low = placement_bound(lower, origin), high = placement_bound(upper, origin);
    for (int i = 0; i < f->points; i++) {
        float position = placement_local(f->size, placement_in_block((int32_t)cell), points[i], f->footprint);
        if (position >= low && position < high) return true;
    }
    return false;
}

void placement_choose_cells(PlacementAxis *axis, const PlacementFootprint *f, const float *points,
                            double lower, double upper) {
    PlacementCells cells = placement_cells_between(f, lower, upper);
    while (cells.first <= cells.last && !has_points(f, cells.first, points, lower, upper)) cells.first++;
    while (cells.first <= cells.last && !has_points(f, cells.last, points, lower, upper)) cells.last--;
    axis->first_cell = (int32_t)cells.first;
    axis->count = (int)(cells.last - cells.first + 1);
}

bool placement_needs_units(const FiloPlacement *p, const double *margins, int f) {
    for (int e = 0; e < f; e++)
        if (p->footprints[f].reach[e] > 0) return true;
    for (int later = f + 1; later < p->footprint_count; later++)
        if (margins[later] >= 0 && p->footprints[later].reach[f] > 0) return true;
    return false;
}

static bool prepare_run(Compute *c, int index) {
    const FiloPlacement *p = c->placement;
    const PlacementFootprint *f = &p->footprints[index];
    const FiloPlacementArea *a = &c->request->area;
    PlacementRun *run = &c->scratch->runs[index];
    *run = (PlacementRun){ .placement = p, .footprint = f, .maps = c->maps };
    placement_run_readers(run);
    double margin = c->margins[index];
    PlacementAxisArea x = { a->x0 - margin, a->x1 + margin, a->x0,
                            a->x1,          c->reference_x, placement_needs_units(p, c->margins, index),
                            false };
    PlacementAxisArea y = {
        a->y0 - margin, a->y1 + margin, a->y0, a->y1, c->reference_y, x.needs_units, true
    };
    placement_choose_cells(&run->x, f, f->px, x.lower, x.upper);
    placement_choose_cells(&run->y, f, f->py, y.lower, y.upper);
    size_t rows = (size_t)run->y.count;
    void *memory_x =
        scratch_block(p, c->scratch, index, SLOT_X, placement_axis_size(run, run->x.count, x.needs_units));
    void *memory_y =
        scratch_block(p, c->scratch, index, SLOT_Y, placement_axis_size(run, run->y.count, x.needs_units));
    run->winners = scratch_block(p, c->scratch, index, SLOT_WINNERS,
                                 rows * (size_t)run->x.count * (size_t)f->points + 64);
    run->counts =
        scratch_block(p, c->scratch, index, SLOT_COUNTS, rows * (size_t)f->layer_count * sizeof(uint32_t));
    if (memory_x == NULL || memory_y == NULL || run->winners == NULL || run->counts == NULL) return false;
    placement_axis_build(run, &x, memory_x);
    placement_axis_build(run, &y, memory_y);
    return true;
}

static size_t collect_claims(const PlacementRun *run, PlacementClaim *items) {
    const PlacementFootprint *f = run->footprint;
    size_t count = 0, points = (size_t)f->points;
    for (size_t row = 0; row < (size_t)run->y.count; row++) {
        const uint8_t *winners = row_winners(run, row);
        for (size_t i = 0; i < (size_t)run->x.count * points; i++) {
            if (winners[i] == 0) continue;
            if (items != NULL)
                items[count] = (PlacementClaim){ run->x.units[i], run->y.units[row * points + i % points],
                                                 f->layers[winners[i] - 1].radius_units,
                                                 f->first_layer + winners[i] - 1 };
            count++;
        }
    }
    return count;
}

// Puts the objects of this footprint where later ones find them.
static bool build_bins(Compute *c, int index, float reach) {
    const FiloPlacement *p = c->placement;
    PlacementRun *run = &c->scratch->runs[index];
    size_t count = collect_claims(run, NULL);
    PlacementClaimBins bins = { 0 };
    if (count > 0) {
        PlacementClaim *items = scratch_block(p, c->scratch, index, SLOT_CLAIMS, count * sizeof *items);
        if (items == NULL) return false;
        collect_claims(run, items);
        int32_t x0 = items[0].x, y0 = items[0].y, x1 = x0, y1 = y0;
        for (size_t i = 0; i < count; i++) {
            x0 = FILO_MIN(x0, items[i].x), x1 = FILO_MAX(x1, items[i].x);
            y0 = FILO_MIN(y0, items[i].y), y1 = FILO_MAX(y1, items[i].y);
        }
        int32_t units = (int32_t)(reach * (float)p->units) + 1;
        void *memory = scratch_block(p, c->scratch, index, SLOT_BINS,
                                     placement_bins_size(count, x1 - x0, y1 - y0, units));
        if (memory == NULL) return false;
        placement_bins_build(&bins, items, count, x0, y0, x1 - x0, y1 - y0, units, memory);
    }
    // Those that are not needed have not been prepared: their list would grow from computation to computation.
    for (int later = index + 1; later < p->footprint_count; later++)
        if (c->margins[later] >= 0 && p->footprints[later].reach[index] > 0) {
            PlacementClaims *claims = &c->scratch->runs[later].claims;
            claims->bins[claims->count++] = bins;
        }
    return true;
}

static bool evaluate_footprint(Compute *c, int index) {
    const FiloPlacement *p = c->placement;
    PlacementRun *run = &c->scratch->runs[index];
    for_rows(c, run, evaluate_rows);
    apply_clearings(c, run, index);
    apply_pins(c, run, index);
    if (run->claims.count > 0) {
        for_rows(c, run, claim_rows);
        apply_pins(c, run, index); // what is pinned is not pushed away
    }
    if (cancelled(c)) return true; // rows that were left out have no winners
    float reach = 0;
    for (int later = index + 1; later < p->footprint_count; later++)
        if (c->margins[later] >= 0) reach = filo_max(reach, p->footprints[later].reach[index]);
    return reach == 0 || build_bins(c, index, reach);
}

// ---- The result ---------------------------------------------------------------------------------------------

static bool wanted(const Compute *c, int f) {
    return c->request->footprints == 0 || c->request->footprints >> f & 1;
}

// Turns the counts of rows into the index of each row's first object, layer by layer.
static size_t number_objects(Compute *c, FiloPlacementResult *result) {
    const FiloPlacement *p = c->placement;
    size_t total = 0;
    for (int index = 0; index < p->footprint_count; index++) {
        PlacementRun *run = &c->scratch->runs[index];
        size_t layers = (size_t)p->footprints[index].layer_count;
        bool counts = wanted(c, index);
        if (counts) for_rows(c, run, count_rows);
        for (size_t l = 0; l < layers; l++) {
            result->first[(size_t)p->footprints[index].first_layer + l] = total;
            for (size_t row = 0; counts && row < (size_t)run->y.count && run->x.count > 0; row++) {
                size_t count = run->counts[row * layers + l];
                run->counts[row * layers + l] = (uint32_t)total;
                total += count;
            }
        }
    }
    for (size_t l = (size_t)p->layer_count; l <= PLACEMENT_ALL_LAYERS; l++) result->first[l] = total;
    return total;
}

bool placement_reserve(const FiloPlacement *p, FiloPlacementResult *result, size_t count, bool count_only) {
    if (count <= result->capacity && !count_only) return true;
    filo_free(result->allocator, result->objects, result->capacity * sizeof(FiloPlaced), 64);
    result->objects = NULL;
    result->capacity = 0;
    if (count_only) return true;
    size_t capacity = count + count / 8 + 16;
    result->objects = filo_alloc(p->allocator, capacity * sizeof(FiloPlaced), 64);
    if (result->objects == NULL) return false;
    result->capacity = capacity;
    result->allocator = p->allocator;
    return true;
}

static FiloResult run_phases(Compute *c, FiloPlacementResult *result) {
    const FiloPlacement *p = c->placement;
    for (int f = 0; f < p->footprint_count; f++)
        if (c->margins[f] >= 0 && !prepare_run(c, f)) goto memory;
    for (int f = 0; f < p->footprint_count && !cancelled(c); f++) {
        if (c->margins[f] < 0) continue;
        const PlacementRun *run = &c->scratch->runs[f];
        result->candidates +=
            (uint64_t)run->x.count * (uint64_t)run->y.count * (uint64_t)run->footprint->points;
        if (!evaluate_footprint(c, f)) goto memory;
    }
    if (cancelled(c)) goto cancelled;
    size_t count = number_objects(c, result);
    if (cancelled(c)) goto cancelled; // rows that were left out have not been counted
    if (!placement_reserve(p, result, count, c->request->count_only)) goto memory;
    for (int f = 0; f < p->footprint_count && !c->request->count_only; f++)
        if (wanted(c, f)) {
            c->scratch->runs[f].objects = result->objects;
            for_rows(c, &c->scratch->runs[f], write_rows);
        }
    if (cancelled(c)) goto cancelled;
    result->count = count;
    return filo_ok();
cancelled:
    return filo_error(FILO_ERROR_CANCELLED, "the placement was cancelled");
memory:
    return filo_error(FILO_ERROR_MEMORY, "no memory to place objects");
}

void placement_clear_result(FiloPlacementResult *result) {
    memset(result->first, 0, sizeof result->first);
    result->count = 0;
    result->candidates = 0;
}

FiloResult placement_compute(const FiloPlacement *p, const FiloPlacementRequest *request,
                             FiloPlacementResult *result, const BASE_ATOMIC(bool) * cancel) {
    placement_clear_result(result);
    result->placement = p;
    result->area = request->area;
    FiloPlacement *owner = (FiloPlacement *)(uintptr_t)p; // its free scratch memory, behind a lock
    Compute c = { .placement = p,
                  .request = request,
                  .kernels = placement_kernels(request->path),
                  .cancel = cancel,
                  .scratch = take_scratch(owner),
                  .maps = p->maps };
    if (c.scratch == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory to place objects");
    if (request->window_count > 0) {
        memcpy(c.scratch->maps, p->maps, sizeof p->maps);
        for (size_t i = 0; i < request->window_count; i++) {
            PlacementMap *map = &c.scratch->maps[request->windows[i].map];
            map->data = request->windows[i].window.data;
            map->reader = placement_reader(&request->windows[i].window, map->reader.filter);
        }
        c.maps = c.scratch->maps;
    }
    placement_margins(p, request->footprints != 0 ? request->footprints : UINT32_MAX, c.margins);
    c.reference_x = placement_units(request->area.x0, p->units);
    c.reference_y = placement_units(request->area.y0, p->units);
    FiloResult r = run_phases(&c, result);
    if (r.code != FILO_OK) placement_clear_result(result);
    return_scratch(owner, c.scratch);
    return r;
}

// ---- Public -------------------------------------------------------------------------------------------------

FiloResult filo_placement_compute(const FiloPlacement *placement, const FiloPlacementRequest *request,
                                  FiloPlacementResult *result) {
    if (placement == NULL || request == NULL || result == NULL)
        return FILO_MISTAKE("pass a placement, a request, and a result that is all zero at first");
    placement_clear_result(result);
    FiloResult r = placement_check_request(placement, request);
    return r.code == FILO_OK ? placement_compute(placement, request, result, NULL) : r;
}

void filo_placement_result_free(FiloPlacementResult *result) {
    if (result == NULL) return;
    filo_free(result->allocator, result->objects, result->capacity * sizeof(FiloPlaced), 64);
    *result = (FiloPlacementResult){ 0 };
}

size_t filo_placement_result_count(const FiloPlacementResult *result, size_t layer) {
    if (!FILO_CHECK(result != NULL, "pass a result")) return 0;
    return layer < PLACEMENT_ALL_LAYERS ? result->first[layer + 1] - result->first[layer] : 0;
}

bool filo_placement_result_copy(const FiloPlacementResult *result, int layer, size_t from, size_t count,
                                FiloPlaced *into) {
    if (!FILO_CHECK(result != NULL && (into != NULL || count == 0),
                    "pass a result, and memory for its objects"))
        return false;
    size_t there = layer < 0 ? result->count : filo_placement_result_count(result, (size_t)layer);
    if (!FILO_CHECK(from <= there && count <= there - from,
                    "%zu objects from %zu on: there are %zu of layer %d (-1: of all)", count, from, there,
                    layer))
        return false;
    if (count == 0) return true;
    if (!FILO_CHECK(result->objects != NULL, "the objects were only counted: leave out .count_only"))
        return false;
    memcpy(into, result->objects + (layer < 0 ? 0 : result->first[layer]) + from, count * sizeof *into);
    return true;
}
