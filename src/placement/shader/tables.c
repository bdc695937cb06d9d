// The tables of a computation: everything that needs doubles or divisions, for each column and row of blocks.

#include "placement/scalar.h"
#include "placement/shader/plan.h"

#include <stdlib.h>
#include <string.h>

static uint32_t bits(float x) { return filo_float_to_bits(x); }

// ---- Blocks -------------------------------------------------------------------------------------------------

typedef struct Axis {
    double lower, upper, wanted_lower, wanted_upper, reference, corner;
    float size;
    bool is_y, units;
} Axis;

static Axis axis_of(const FiloPlacementPlan *plan, int index, bool is_y) {
    const FiloPlacement *p = plan->placement;
    const FiloPlacementArea *a = &plan->area;
    double margin = plan->footprints[index].margin, margins[FILO_PLACEMENT_FOOTPRINTS];
    for (int i = 0; i < p->footprint_count; i++) margins[i] = plan->footprints[i].margin;
    Axis axis = { .wanted_lower = is_y ? a->y0 : a->x0,
                  .wanted_upper = is_y ? a->y1 : a->x1,
                  .reference = is_y ? plan->reference_y : plan->reference_x,
                  .corner = is_y ? p->corner_y : p->corner_x,
                  .size = is_y ? p->size.y : p->size.x,
                  .is_y = is_y,
                  .units = placement_needs_units(p, margins, index) };
    axis.lower = axis.wanted_lower - margin;
    axis.upper = axis.wanted_upper + margin;
    return axis;
}

static void write_block(const FiloPlacement *p, const PlacementFootprint *f,
                        const PlacementShaderReaders *readers, const Axis *axis, double origin,
                        uint32_t *to) {
    to[BLOCK_LOWER] = bits(placement_bound(axis->lower, origin));
    to[BLOCK_UPPER] = bits(placement_bound(axis->upper, origin));
    to[BLOCK_WANTED_LOWER] = bits(placement_bound(axis->wanted_lower, origin));
    to[BLOCK_WANTED_UPPER] = bits(placement_bound(axis->wanted_upper, origin));
    // The difference is exact: both are whole numbers of units.
    to[BLOCK_UNITS] =
        axis->units ? (uint32_t)(int32_t)(placement_units(origin, p->units) - axis->reference) : 0;
    uint32_t *next = to + BLOCK_READERS;
    for (int r = 0; r < readers->count; r++) {
        const PlacementReader *reader = &readers->readers[r];
        int full = axis->is_y ? reader->full_height : reader->full_width;
        *next++ = (uint32_t)placement_base(origin, axis->corner, axis->size, full);
    }
    for (size_t n = 0; n < f->program.noise_count; n++)
        *next++ = (uint32_t)placement_noise_base(origin, f->program.noises[n].wavelength);
}

static void write_blocks(const FiloPlacementPlan *plan, int index, bool is_y, uint32_t *words) {
    const FiloPlacement *p = plan->placement;
    const PlacementFootprint *f = &p->footprints[index];
    const struct FiloPlacementPlanFootprint *from = &plan->footprints[index];
    PlacementShaderReaders readers;
    placement_shader_readers(p, f, &readers);
    Axis axis = axis_of(plan, index, is_y);
    int32_t first = is_y ? from->first_y : from->first_x;
    int count = placement_plan_blocks(first, is_y ? from->rows : from->columns);
    uint32_t *to = words + (is_y ? from->y_table : from->x_table);
    for (int i = 0; i < count; i++, to += placement_block_words(f, &readers))
        write_block(p, f, &readers, &axis, (double)(placement_block(first) + i) * f->block, to);
}

// ---- Edits --------------------------------------------------------------------------------------------------

static void write_clearings(const FiloPlacementPlan *plan, int index, const FiloPlacementEdits *edits,
                            uint32_t *words) {
    const struct FiloPlacementPlanFootprint *from = &plan->footprints[index];
    double block = plan->placement->footprints[index].block;
    int32_t block_x = placement_block(from->first_x), block_y = placement_block(from->first_y);
    int columns = placement_plan_blocks(from->first_x, from->columns),
        rows = placement_plan_blocks(from->first_y, from->rows);
    uint32_t *to = words + from->clearings;
    for (size_t i = 0; i < edits->clearing_count && from->clearing_count > 0; i++) {
        const FiloClearing *clearing = &edits->clearings[i];
        int32_t range[4];
        if (!placement_plan_clearing(plan, index, clearing, range)) continue;
        memcpy(to, range, sizeof range);
        to[CLEARING_LIMIT] = bits(clearing->radius * clearing->radius);
        to += CLEARING_CENTRE;
        for (int b = 0; b < columns; b++) *to++ = bits((float)(clearing->x - (double)(block_x + b) * block));
        for (int b = 0; b < rows; b++) *to++ = bits((float)(clearing->y - (double)(block_y + b) * block));
    }
}

typedef struct Pin {
    uint32_t candidate, value; // at first the index of the pin, then the winner
} Pin;

static int compare_pins(const void *a, const void *b) {
    const Pin *x = a, *y = b;
    if (x->candidate != y->candidate) return x->candidate < y->candidate ? -1 : 1;
    return x->value < y->value ? -1 : x->value > y->value;
}

// Whether the candidate is inside the area that is evaluated.
static bool pin_inside(const FiloPlacementPlan *plan, int index, const FiloPin *pin) {
    const PlacementFootprint *f = &plan->placement->footprints[index];
    Axis x = axis_of(plan, index, false), y = axis_of(plan, index, true);
    PlacementPoint at = placement_point(f, pin->id.cell_x, pin->id.cell_y, pin->id.point);
    return at.x >= placement_bound(x.lower, at.origin_x) && at.x < placement_bound(x.upper, at.origin_x) &&
           at.y >= placement_bound(y.lower, at.origin_y) && at.y < placement_bound(y.upper, at.origin_y);
}

// Sorted by candidate, each of them once. Returns how many there are.
static uint32_t write_pins(const FiloPlacementPlan *plan, int index, const FiloPlacementEdits *edits,
                           uint32_t *words) {
    const PlacementFootprint *f = &plan->placement->footprints[index];
    Pin *pins = (Pin *)(void *)(words + plan->footprints[index].pins);
    uint32_t count = 0, kept = 0, candidate;
    if (plan->footprints[index].pin_count == 0) return 0;
    for (size_t i = 0; i < edits->pin_count; i++)
        if (placement_plan_pin(plan, index, &edits->pins[i], &candidate) &&
            pin_inside(plan, index, &edits->pins[i]))
            pins[count++] = (Pin){ candidate, (uint32_t)i };
    qsort(pins, count, sizeof *pins, compare_pins);
    for (uint32_t i = 0; i < count; i++) {
        if (i + 1 < count && pins[i + 1].candidate == pins[i].candidate) continue; // a later one counts
        int32_t layer = edits->pins[pins[i].value].layer;
        pins[kept++] = (Pin){ pins[i].candidate, layer < 0 ? 0 : (uint32_t)(layer - f->first_layer + 1) };
    }
    return kept;
}

// ---- All ----------------------------------------------------------------------------------------------------

static int32_t floor_of(double x) {
    int32_t i = (int32_t)x;
    return i - ((double)i > x);
}

static void write_footprint(const FiloPlacementPlan *plan, int index, const FiloPlacementEdits *edits,
                            uint32_t *words) {
    const FiloPlacement *p = plan->placement;
    const PlacementFootprint *f = &p->footprints[index];
    const struct FiloPlacementPlanFootprint *from = &plan->footprints[index];
    uint32_t *to = words + placement_table(index, 0);
    to[TABLE_FIRST_X] = (uint32_t)from->first_x;
    to[TABLE_FIRST_Y] = (uint32_t)from->first_y;
    to[TABLE_COLUMNS] = (uint32_t)from->columns;
    to[TABLE_ROWS] = (uint32_t)from->rows;
    to[TABLE_GROUPS] = from->groups;
    if (from->groups == 0) return;
    to[TABLE_BLOCK_X] = (uint32_t)placement_block(from->first_x);
    to[TABLE_BLOCK_Y] = (uint32_t)placement_block(from->first_y);
    to[TABLE_BLOCKS_X] = (uint32_t)placement_plan_blocks(from->first_x, from->columns);
    to[TABLE_X] = from->x_table;
    to[TABLE_Y] = from->y_table;
    to[TABLE_MASKS] = from->wanted ? from->masks : UINT32_MAX;
    to[TABLE_WINNERS] = from->winners;
    to[TABLE_CLEARINGS] = from->clearings;
    to[TABLE_CLEARING_COUNT] = from->clearing_count;
    to[TABLE_PINS] = from->pins;
    if (axis_of(plan, index, false).units) {
        double scale = f->cell * (double)p->units;
        to[TABLE_ORIGIN_X] = (uint32_t)floor_of((double)from->first_x * scale - plan->reference_x);
        to[TABLE_ORIGIN_Y] = (uint32_t)floor_of((double)from->first_y * scale - plan->reference_y);
    }
    write_blocks(plan, index, false, words);
    write_blocks(plan, index, true, words);
    write_clearings(plan, index, edits, words);
    to[TABLE_PIN_COUNT] = write_pins(plan, index, edits, words);
}

void filo_placement_plan_tables(const FiloPlacementPlan *plan, const FiloPlacementRequest *request,
                                void *into) {
    if (!FILO_CHECK(plan != NULL && plan->placement != NULL && request != NULL && into != NULL,
                    "pass a plan, its request, and memory for its tables"))
        return;
    uint32_t *words = into;
    memset(words, 0, plan->table_size);
    words[TABLE_WORDS] = plan->masks;
    words[TABLE_SHIFT] = plan->shift;
    words[TABLE_PREFIX] = plan->prefix;
    words[TABLE_SUMS] = plan->sums;
    for (int i = 0; i < plan->placement->footprint_count; i++)
        write_footprint(plan, i, &request->edits, words);
}
