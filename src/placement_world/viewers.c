// Where viewers are, and the grids of tiles and squares around them.

#include <filo/log.h>

#include "placement_world/placement_world.h"

#include <math.h>
#include <stdio.h>

#define BAD_VIEWERS 256 // that are warned of, at most

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

// Whether all distances times the factor are within what a grid may have around a viewer.
static bool is_factor(const FiloPlacementWorld *pw, double factor) {
    if (!(factor > 0)) return false;
    for (size_t i = 0; i < pw->footprints; i++) {
        const PlacementWorldGrid *tiles = &pw->tile_grids[i], *squares = &pw->square_grids[i];
        if (!(tiles->away * factor <= PLACEMENT_WORLD_AROUND * tiles->side &&
              squares->away * factor <= PLACEMENT_WORLD_AROUND * squares->side))
            return false;
    }
    return true;
}

// Warns of a viewer once, until it is right again. For lack of memory it warns again.
static void warn_of(FiloPlacementWorld *pw, FiloEntity viewer, const char *reason) {
    if (filo_map_has(&pw->bad_viewers, viewer.id) || pw->bad_viewers.count >= BAD_VIEWERS) return;
    (void)filo_map_put(&pw->bad_viewers, viewer.id);
    filo_log_warn("placement", "the viewer of entity %u has no effect: %s", filo_entity_index(viewer),
                  reason);
}

static bool add(FiloPlacementWorld *pw, PlacementWorldViews *views, FiloEntity entity,
                const FiloPlacementViewer *viewer, double x, double y) {
    double factor = viewer->factor != 0 ? (double)viewer->factor : 1;
    char reason[128] = "";
    x += pw->desc.origin_x;
    y += pw->desc.origin_y;
    if (!is_reachable(pw, x, y))
        snprintf(reason, sizeof reason, "it is at %g, %g, which is no number or too far from the origin", x,
                 y);
    else if (viewer->factor != 0 && !is_factor(pw, factor))
        snprintf(reason, sizeof reason,
                 "its factor is %g; it must be more than 0, and distances fit into %d tiles", factor,
                 PLACEMENT_WORLD_AROUND);
    if (reason[0] != '\0') {
        warn_of(pw, entity, reason);
        return true;
    }
    if (pw->bad_viewers.count > 0) (void)filo_map_remove(&pw->bad_viewers, entity.id);
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
        complete &= add(pw, views, each.entity, filo_each_read(&each, FiloPlacementViewer), (double)at.x,
                        (double)at.y);
    }
    each = filo_query_each(pw->viewers3);
    while (filo_each_next(&each)) {
        FiloVec3 at = filo_transform3_position(pw->world, each.entity);
        complete &= add(pw, views, each.entity, filo_each_read(&each, FiloPlacementViewer), (double)at.x,
                        -(double)at.z);
    }
    each = filo_query_each(pw->lost_viewers);
    while (filo_each_next(&each)) warn_of(pw, each.entity, "it has no FiloTransform2 or FiloTransform3");
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
