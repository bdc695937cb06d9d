// Where viewers are, and the grids of tiles and squares around them.

#include <filo/log.h>

#include "placement_world/placement_world.h"

#include <math.h>

FiloPlacementArea placement_world_area(const PlacementWorldGrid *grid, int32_t x, int32_t y) {
    return (FiloPlacementArea){ (double)x * grid->side, (double)y * grid->side, ((double)x + 1) * grid->side,
                                ((double)y + 1) * grid->side };
}

static double outside(double at, double low, double high) {
    return at < low ? low - at : at > high ? at - high : 0;
}

double placement_world_distance(const PlacementWorldView *view, const FiloPlacementArea *area) {
    double x = outside(view->x, area->x0, area->x1), y = outside(view->y, area->y0, area->y1);
    return sqrt(x * x + y * y) / view->factor;
}

void placement_world_around(const PlacementWorldGrid *grid, const PlacementWorldView *view,
                            void (*function)(int32_t x, int32_t y, double distance, void *user), void *user) {
    double reach = grid->distance * view->factor;
    double limit = PLACEMENT_WORLD_AROUND * grid->side;
    if (!(reach > 0)) return;
    if (reach > limit) reach = limit;
    int32_t x0 = (int32_t)floor((view->x - reach) / grid->side),
            x1 = (int32_t)floor((view->x + reach) / grid->side);
    int32_t y0 = (int32_t)floor((view->y - reach) / grid->side),
            y1 = (int32_t)floor((view->y + reach) / grid->side);
    for (int32_t y = y0; y <= y1; y++)
        for (int32_t x = x0; x <= x1; x++) {
            FiloPlacementArea area = placement_world_area(grid, x, y);
            double distance = placement_world_distance(view, &area);
            if (distance <= grid->distance) function(x, y, distance, user);
        }
}

// ---- Viewers ------------------------------------------------------------------------------------------------------

// Whether all grids have indices for a position.
static bool is_reachable(const FiloPlacementWorld *pw, double x, double y) {
    for (size_t i = 0; i < pw->footprints; i++) {
        double side = fmin(pw->tile_grids[i].side, pw->square_grids[i].side);
        double limit = fmin(9e7, side * (PLACEMENT_WORLD_SIDE - 2 * PLACEMENT_WORLD_AROUND));
        if (!(fabs(x) < limit && fabs(y) < limit)) return false;
    }
    return true;
}

static bool add(FiloPlacementWorld *pw, PlacementWorldViews *views, const FiloPlacementViewer *viewer,
                double x, double y) {
    double factor = viewer->factor > 0 && viewer->factor < 1e6f ? (double)viewer->factor : 1;
    x += pw->desc.origin_x;
    y += pw->desc.origin_y;
    if (!is_reachable(pw, x, y)) return true;
    return filo_array_push(
        views,
        (PlacementWorldView){
            .x = x, .y = y, .factor = factor, .tiles = !viewer->no_tiles, .entities = !viewer->no_entities });
}

bool placement_world_find_viewers(FiloPlacementWorld *pw, PlacementWorldViews *views) {
    filo_array_clear(views);
    bool complete = true;
    FiloEach each = filo_query_each(pw->viewers2);
    while (filo_each_next(&each)) {
        FiloVec2 at = filo_transform2_position(pw->world, each.entity);
        complete &= add(pw, views, filo_each_read(&each, FiloPlacementViewer), (double)at.x, (double)at.y);
    }
    each = filo_query_each(pw->viewers3);
    while (filo_each_next(&each)) {
        FiloVec3 at = filo_transform3_position(pw->world, each.entity);
        complete &= add(pw, views, filo_each_read(&each, FiloPlacementViewer), (double)at.x, -(double)at.z);
    }
    return complete;
}

bool placement_world_same_viewers(const PlacementWorldViews *a, const PlacementWorldViews *b) {
    if (a->count != b->count) return false;
    for (size_t i = 0; i < a->count; i++) {
        const PlacementWorldView *v = &a->items[i], *w = &b->items[i];
        if (v->x != w->x || v->y != w->y || v->factor != w->factor || v->tiles != w->tiles ||
            v->entities != w->entities)
            return false;
    }
    return true;
}
