// What shaders have to do for a request, and how large their buffers are.

#include "placement/shader/plan.h"

#include "placement/shader/shader.h"

#include <string.h>

// ---- Readers ------------------------------------------------------------------------------------------------

static bool same_coordinates(const PlacementReader *a, const PlacementReader *b) {
    return a->filter == b->filter && a->x == b->x && a->y == b->y && a->width == b->width &&
           a->height == b->height && a->full_width == b->full_width && a->full_height == b->full_height;
}

static void use_map(const FiloPlacement *p, PlacementShaderReaders *readers, int map) {
    if (readers->of[map] >= 0 || p->maps[map].data == NULL) return;
    const PlacementReader *reader = &p->maps[map].reader;
    int found = 0;
    while (found < readers->count && !same_coordinates(&readers->readers[found], reader)) found++;
    if (found == readers->count) readers->readers[readers->count++] = *reader;
    readers->of[map] = found;
}

void placement_shader_readers(const FiloPlacement *p, const PlacementFootprint *f,
                              PlacementShaderReaders *readers) {
    readers->count = 0;
    for (int i = 0; i <= FILO_PLACEMENT_MAPS; i++) readers->of[i] = -1;
    for (size_t i = 0; i < f->program.op_count; i++) {
        const PlacementOp *op = &f->program.ops[i];
        if (op->code == PLACEMENT_OP_SAMPLE) use_map(p, readers, op->imm);
        if (op->code == PLACEMENT_OP_MAP_LAYER) use_map(p, readers, f->layers[op->imm].map);
    }
    use_map(p, readers, PLACEMENT_HEIGHT);
}

// ---- Edits --------------------------------------------------------------------------------------------------

bool placement_plan_clearing(const FiloPlacementPlan *plan, int index, const FiloClearing *clearing,
                             int32_t range[4]) {
    const PlacementFootprint *f = &plan->placement->footprints[index];
    const struct FiloPlacementPlanFootprint *to = &plan->footprints[index];
    if (clearing->footprints != 0 && (clearing->footprints >> index & 1) == 0) return false;
    double radius = (double)clearing->radius;
    PlacementCells x = placement_cells_between(f, clearing->x - radius, clearing->x + radius);
    PlacementCells y = placement_cells_between(f, clearing->y - radius, clearing->y + radius);
    range[0] = (int32_t)FILO_CLAMP(x.first - to->first_x, 0, to->columns);
    range[1] = (int32_t)FILO_CLAMP(x.last - to->first_x, -1, to->columns - 1);
    range[2] = (int32_t)FILO_CLAMP(y.first - to->first_y, 0, to->rows);
    range[3] = (int32_t)FILO_CLAMP(y.last - to->first_y, -1, to->rows - 1);
    return range[0] <= range[1] && range[2] <= range[3];
}

bool placement_plan_pin(const FiloPlacementPlan *plan, int index, const FiloPin *pin, uint32_t *candidate) {
    const struct FiloPlacementPlanFootprint *to = &plan->footprints[index];
    int64_t column = (int64_t)pin->id.cell_x - to->first_x, row = (int64_t)pin->id.cell_y - to->first_y;
    if (pin->id.footprint != index || column < 0 || row < 0 || column >= to->columns || row >= to->rows)
        return false;
    *candidate =
        (uint32_t)((row * to->columns + column) * plan->placement->footprints[index].points + pin->id.point);
    return true;
}

static void count_edits(FiloPlacementPlan *plan, int index, const FiloPlacementEdits *edits) {
    struct FiloPlacementPlanFootprint *to = &plan->footprints[index];
    int32_t range[4];
    uint32_t candidate;
    for (size_t i = 0; i < edits->clearing_count; i++)
        to->clearing_count += placement_plan_clearing(plan, index, &edits->clearings[i], range);
    for (size_t i = 0; i < edits->pin_count; i++)
        to->pin_count += placement_plan_pin(plan, index, &edits->pins[i], &candidate);
}

// ---- Sizes --------------------------------------------------------------------------------------------------

int placement_plan_blocks(int32_t first, int32_t count) {
    return placement_block(first + count - 1) - placement_block(first) + 1;
}

static void choose_cells(FiloPlacementPlan *plan, int index) {
    const PlacementFootprint *f = &plan->placement->footprints[index];
    struct FiloPlacementPlanFootprint *to = &plan->footprints[index];
    const FiloPlacementArea *a = &plan->area;
    PlacementAxis x = { 0 }, y = { 0 };
    placement_choose_cells(&x, f, f->px, a->x0 - to->margin, a->x1 + to->margin);
    placement_choose_cells(&y, f, f->py, a->y0 - to->margin, a->y1 + to->margin);
    if (x.count <= 0 || y.count <= 0) return;
    to->first_x = x.first_cell, to->first_y = y.first_cell;
    to->columns = x.count, to->rows = y.count;
    to->groups = (uint32_t)x.count * (uint32_t)y.count * (uint32_t)(f->points / placement_group_points(f));
    plan->candidates += (uint64_t)x.count * (uint64_t)y.count * (uint64_t)f->points;
}

// Lays out the records of a footprint after `words` words of tables, and returns where they end.
static uint64_t lay_out_tables(FiloPlacementPlan *plan, int index, uint64_t words) {
    const PlacementFootprint *f = &plan->placement->footprints[index];
    struct FiloPlacementPlanFootprint *to = &plan->footprints[index];
    PlacementShaderReaders readers;
    placement_shader_readers(plan->placement, f, &readers);
    uint64_t record = (uint64_t)placement_block_words(f, &readers);
    uint64_t x = (uint64_t)placement_plan_blocks(to->first_x, to->columns),
             y = (uint64_t)placement_plan_blocks(to->first_y, to->rows);
    to->x_table = (uint32_t)words, words += x * record;
    to->y_table = (uint32_t)words, words += y * record;
    to->clearings = (uint32_t)words, words += to->clearing_count * (CLEARING_CENTRE + x + y);
    to->pins = (uint32_t)words, words += (uint64_t)to->pin_count * 2;
    return words;
}

static void add_step(FiloPlacementPlan *plan, FiloPlacementShader shader, int footprint,
                     uint32_t invocations) {
    plan->steps[plan->step_count++] = (FiloPlacementStep){ shader, footprint, invocations };
}

static void add_steps(FiloPlacementPlan *plan) {
    if (plan->masks == 0) return;
    int count = plan->placement->footprint_count;
    for (int i = 0; i < count; i++)
        if (plan->footprints[i].groups > 0)
            add_step(plan, FILO_SHADER_EVALUATE, i, plan->footprints[i].groups);
    add_step(plan, FILO_SHADER_NUMBER, 0, (plan->masks >> plan->shift) + 1);
    for (int i = 0; i < count && !plan->count_only; i++)
        if (plan->footprints[i].groups > 0 && plan->footprints[i].wanted)
            add_step(plan, FILO_SHADER_WRITE, i, plan->footprints[i].groups);
}

static FiloResult measure(FiloPlacementPlan *plan, const FiloPlacementRequest *request) {
    const FiloPlacement *p = plan->placement;
    uint64_t masks = 0, winners = 0, tables = (uint64_t)placement_table(p->footprint_count, 0);
    for (int i = 0; i < p->footprint_count; i++) {
        struct FiloPlacementPlanFootprint *to = &plan->footprints[i];
        const PlacementFootprint *f = &p->footprints[i];
        if (to->computed) choose_cells(plan, i);
        if (to->groups == 0) continue;
        count_edits(plan, i, &request->edits);
        tables = lay_out_tables(plan, i, tables);
        uint64_t points = (uint64_t)to->groups * (uint64_t)placement_group_points(f);
        if (to->wanted) {
            to->masks = (uint32_t)masks;
            masks += (uint64_t)to->groups * (uint64_t)f->layer_count;
            plan->object_limit += points;
        }
        to->winners = (uint32_t)winners;
        if (placement_shader_has_winners(p, i)) winners += points / 4;
    }
    while ((uint64_t)1 << 2 * plan->shift < masks) plan->shift++;
    plan->shift = FILO_MAX(plan->shift, 5u);
    plan->masks = (uint32_t)masks;
    plan->prefix = (uint32_t)masks;
    plan->sums = (uint32_t)tables;
    tables += (masks >> plan->shift) + 1;
    uint64_t scratch = 2 * masks + 1 + winners;
    for (int i = 0; i < p->footprint_count; i++) plan->footprints[i].winners += (uint32_t)(2 * masks + 1);
    if (scratch > INT32_MAX || tables > INT32_MAX)
        return filo_error(
            FILO_ERROR_LIMIT,
            "an area of %g × %g metres with %llu candidates is too large for shaders: divide it",
            plan->area.x1 - plan->area.x0, plan->area.y1 - plan->area.y0,
            (unsigned long long)plan->candidates);
    plan->table_size = FILO_ALIGN_UP((size_t)tables * 4, (size_t)16);
    plan->scratch_size = FILO_ALIGN_UP((size_t)scratch * 4, (size_t)16);
    plan->count_size = FILO_ALIGN_UP((size_t)(p->layer_count + 1) * 4, (size_t)16);
    return filo_ok();
}

// ---- Public -------------------------------------------------------------------------------------------------

FiloResult filo_placement_plan(FiloPlacementPlan *plan, const FiloPlacement *placement,
                               const FiloPlacementRequest *request) {
    if (plan == NULL) return FILO_MISTAKE("pass a plan to fill");
    *plan = (FiloPlacementPlan){ 0 };
    if (placement == NULL || request == NULL) return FILO_MISTAKE("pass a placement and a request");
    FiloResult r = placement_check_request(placement, request);
    if (r.code != FILO_OK) return r;
    if (request->window_count > 0)
        return filo_error(
            FILO_ERROR_UNSUPPORTED,
            "shaders read the maps that the placement was created with, and no windows: create a "
            "placement for each part of the world, or use filo_placement_compute");
    plan->placement = placement;
    plan->area = request->area;
    plan->count_only = request->count_only;
    plan->reference_x = placement_units(request->area.x0, placement->units);
    plan->reference_y = placement_units(request->area.y0, placement->units);
    double margins[FILO_PLACEMENT_FOOTPRINTS];
    placement_margins(placement, request->footprints != 0 ? request->footprints : UINT32_MAX, margins);
    for (int i = 0; i < placement->footprint_count; i++) {
        plan->footprints[i].computed = margins[i] >= 0;
        plan->footprints[i].wanted = request->footprints == 0 || request->footprints >> i & 1;
        plan->footprints[i].margin = margins[i];
    }
    r = measure(plan, request);
    if (r.code != FILO_OK)
        *plan = (FiloPlacementPlan){ 0 };
    else
        add_steps(plan);
    return r;
}

void filo_placement_plan_first(const FiloPlacementPlan *plan, const uint32_t *counts,
                               size_t first[FILO_PLACEMENT_FOOTPRINTS * FILO_PLACEMENT_LAYERS + 1]) {
    if (!FILO_CHECK(plan != NULL && first != NULL,
                    "pass a plan, and memory for the first object of each layer"))
        return;
    size_t next = plan->step_count > 0 && counts != NULL ? counts[0] : 0;
    for (int l = PLACEMENT_ALL_LAYERS; plan->placement != NULL && l >= plan->placement->layer_count; l--)
        first[l] = next;
    if (plan->placement == NULL) {
        memset(first, 0, (PLACEMENT_ALL_LAYERS + 1) * sizeof first[0]);
        return;
    }
    for (int i = plan->placement->footprint_count - 1; i >= 0; i--) {
        const PlacementFootprint *f = &plan->placement->footprints[i];
        bool written = plan->footprints[i].groups > 0 && plan->footprints[i].wanted && next > 0;
        for (int l = f->first_layer + f->layer_count - 1; l >= f->first_layer; l--) {
            if (written) next = counts[1 + l];
            first[l] = next;
        }
    }
}

FiloResult filo_placement_plan_result(const FiloPlacementPlan *plan, const uint32_t *counts,
                                      const FiloPlaced *objects, FiloPlacementResult *result) {
    if (result == NULL) return FILO_MISTAKE("pass a result that is all zero at first");
    placement_clear_result(result);
    if (plan == NULL || plan->placement == NULL) return FILO_MISTAKE("pass a plan of filo_placement_plan");
    result->placement = plan->placement;
    result->area = plan->area;
    size_t count = plan->step_count > 0 && counts != NULL ? counts[0] : 0;
    size_t copied = plan->count_only ? 0 : count;
    if (objects == NULL && copied > 0) return FILO_MISTAKE("pass the objects that the shaders wrote");
    if (!placement_reserve(plan->placement, result, count, plan->count_only))
        return filo_error(FILO_ERROR_MEMORY, "no memory to place objects");
    if (copied > 0) memcpy(result->objects, objects, copied * sizeof *objects);
    filo_placement_plan_first(plan, counts, result->first);
    result->count = count;
    result->candidates = plan->candidates;
    return filo_ok();
}
