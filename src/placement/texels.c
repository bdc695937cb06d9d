// Whether the maps of a computation have in memory what its area needs. A map may be a window of a larger one; a texel that is
// outside of it would be replaced by the nearest one inside.
//
// Coordinates grow with positions. So the first and the last cells of an area have the smallest and the largest ones. Two of
// each are looked at, because rounding moves some candidates into the next cell.

#include "placement/compute.h"

#include "placement/claims.h"
#include "placement/create.h"

typedef struct TexelRange {
    int first, last; // inclusive; none if last is below first
} TexelRange;

static PlacementReader reader_of(const FiloPlacement *p, const FiloPlacementRequest *request, int map) {
    for (size_t i = request->window_count; i-- > 0;) // the last one counts
        if (request->windows[i].map == map)
            return placement_reader(&request->windows[i].window, p->maps[map].reader.filter);
    return p->maps[map].reader;
}

static bool uses(const PlacementFootprint *f, int map) {
    if (map == PLACEMENT_HEIGHT) return true; // for z
    for (size_t i = 0; i < f->program.op_count; i++) {
        const PlacementOp *op = &f->program.ops[i];
        if (op->code == PLACEMENT_OP_SAMPLE && op->imm == map) return true;
        if (op->code == PLACEMENT_OP_MAP_LAYER && f->layers[op->imm].map == map) return true;
    }
    return false;
}

static void include(TexelRange *range, int texel, int full) {
    texel = FILO_CLAMP(texel, 0, full - 1);
    if (range->last < range->first) *range = (TexelRange){ texel, texel };
    range->first = FILO_MIN(range->first, texel);
    range->last = FILO_MAX(range->last, texel);
}

// One axis of a computation: the map, and the area with its margin.
typedef struct TexelAxis {
    const PlacementFootprint *f;
    const float *points;
    double lower, upper, corner;
    float size, inverse;
    int full;
    FiloMapFilter filter;
} TexelAxis;

// The same arithmetic as in axis.c.
static void include_cell(TexelRange *range, const TexelAxis *axis, int32_t cell) {
    const PlacementFootprint *f = axis->f;
    double origin = (double)placement_block(cell) * f->block;
    float lower = placement_bound(axis->lower, origin), upper = placement_bound(axis->upper, origin);
    int32_t base = placement_base(origin, axis->corner, axis->size, axis->full);
    for (int i = 0; i < f->points; i++) {
        float position = placement_local(f->size, placement_in_block(cell), axis->points[i], f->footprint);
        if (position < lower || position >= upper) continue;
        int32_t at = placement_texel(position, axis->inverse, (float)axis->full, base);
        if (axis->filter == FILO_MAP_BILINEAR) {
            at -= 128;
            if ((at & 255) != 0) include(range, (at >> 8) + 1, axis->full);
        }
        include(range, at >> 8, axis->full);
    }
}

static TexelRange needed(const TexelAxis *axis) {
    TexelRange range = { 0, -1 };
    PlacementAxis cells;
    placement_choose_cells(&cells, axis->f, axis->points, axis->lower, axis->upper);
    for (int i = 0; i < cells.count; i++)
        if (i < 2 || i >= cells.count - 2) include_cell(&range, axis, cells.first_cell + i);
    return range;
}

static FiloResult check_axis(const TexelAxis *axis, char letter, int first, int count, const char *name) {
    TexelRange range = needed(axis);
    if (range.last < range.first || (range.first >= first && range.last < first + count)) return filo_ok();
    return filo_error(FILO_ERROR_DATA,
                      "map \"%s\": the area needs texels %d to %d of %c, and %d to %d are in memory; pass a "
                      "window that has them",
                      name, range.first, range.last, letter, first, first + count - 1);
}

static FiloResult check_map(const FiloPlacement *p, const PlacementFootprint *f, double margin,
                            const FiloPlacementArea *area, const PlacementReader *r, const char *name) {
    TexelAxis x = { f,         f->px,        area->x0 - margin, area->x1 + margin, p->corner_x,
                    p->size.x, p->inverse_x, r->full_width,     r->filter };
    TexelAxis y = { f,         f->py,        area->y0 - margin, area->y1 + margin, p->corner_y,
                    p->size.y, p->inverse_y, r->full_height,    r->filter };
    FiloResult result = r->width < r->full_width ? check_axis(&x, 'x', r->x, r->width, name) : filo_ok();
    return result.code == FILO_OK && r->height < r->full_height ? check_axis(&y, 'y', r->y, r->height, name)
                                                                : result;
}

FiloResult placement_check_texels(const FiloPlacement *p, const FiloPlacementRequest *request) {
    double margins[FILO_PLACEMENT_FOOTPRINTS];
    placement_margins(p, request->footprints != 0 ? request->footprints : UINT32_MAX, margins);
    for (int map = 0; map < p->map_count; map++) {
        PlacementReader reader = reader_of(p, request, map);
        if (reader.width >= reader.full_width && reader.height >= reader.full_height) continue;
        for (int i = 0; i < p->footprint_count; i++) {
            if (margins[i] < 0 || !uses(&p->footprints[i], map)) continue;
            FiloResult r =
                check_map(p, &p->footprints[i], margins[i], &request->area, &reader, p->maps[map].name);
            if (r.code != FILO_OK) return r;
        }
    }
    return filo_ok();
}
