// Convex polygons: which pixels of a row have their centres inside.
//
// An edge from v, in the direction d, with the corners in clockwise order as one sees them (y goes down), has
// the inside where d × (p − v) is positive. Centres on the edge count for those that go up (left edges) and,
// among the horizontal ones, for those that go right (upper ones). Solved for x, each edge that is not
// horizontal says from which pixel on, or up to which one; horizontal ones say which rows, and that the bounds
// of the command say already, since they are those of the polygon. Where an edge crosses the rows is a division
// for the first, and then a quotient and a rest to be added: exact, as in Bresenham's lines.

#include "raster/raster.h"

// Rounds down, whatever the signs; `divisor` is positive.
static int64_t divide(int64_t number, int64_t divisor, int64_t *rest) {
    int64_t quotient = number / divisor;
    *rest = number % divisor;
    if (*rest < 0) *rest += divisor, quotient--;
    return quotient;
}

static void begin_edge(RasterEdge *edge, int64_t vx, int64_t vy, int64_t dx, int64_t dy, int y) {
    int64_t to_row = (int64_t)y * RASTER_SUBPIXELS + RASTER_SUBPIXELS / 2 - vy;
    int64_t to_column = RASTER_SUBPIXELS / 2 - vx; // of the first pixel of the target
    int64_t outside = dy * to_column - dx * to_row;
    edge->right = dy > 0;
    edge->divisor = (edge->right ? dy : -dy) * RASTER_SUBPIXELS;
    // Left: the first x with divisor · x ≥ outside. Right: the last one with divisor · x < −outside, plus 1.
    // Both are the number below, rounded down.
    int64_t number = (edge->right ? -outside : outside) + edge->divisor - 1;
    int64_t step = (edge->right ? dx : -dx) * RASTER_SUBPIXELS;
    edge->quotient = divide(number, edge->divisor, &edge->rest);
    edge->quotient_step = divide(step, edge->divisor, &edge->rest_step);
}

void raster_walk_begin(RasterWalk *walk, const RasterPlace *p, int corners, int y) {
    int64_t x[4] = { p->ox, (int64_t)p->ox + p->ex, (int64_t)p->ox + p->ex + p->fx, (int64_t)p->ox + p->fx };
    int64_t z[4] = { p->oy, (int64_t)p->oy + p->ey, (int64_t)p->oy + p->ey + p->fy, (int64_t)p->oy + p->fy };
    if (corners == 3) // all but the upper right one
        for (int i = 1; i < 3; i++) x[i] = x[i + 1], z[i] = z[i + 1];
    bool clockwise = raster_area(p) > 0;
    walk->edge_count = 0;
    for (int i = 0; i < corners; i++) {
        int next = i + 1 < corners ? i + 1 : 0, from = clockwise ? i : next, to = clockwise ? next : i;
        if (z[from] == z[to]) continue;
        begin_edge(&walk->edges[walk->edge_count++], x[from], z[from], x[to] - x[from], z[to] - z[from], y);
    }
}

void raster_walk_row(RasterWalk *walk, int *x0, int *x1) {
    for (int i = 0; i < walk->edge_count; i++) {
        RasterEdge *edge = &walk->edges[i];
        if (edge->right)
            *x1 = (int)FILO_MIN((int64_t)*x1, edge->quotient);
        else
            *x0 = (int)FILO_MAX((int64_t)*x0, edge->quotient);
        edge->quotient += edge->quotient_step;
        edge->rest += edge->rest_step;
        if (edge->rest >= edge->divisor) edge->rest -= edge->divisor, edge->quotient++;
    }
}

void raster_draw_triangle(RasterTile *tile, const RasterCommand *command, RasterBounds b) {
    RasterWalk walk;
    raster_walk_begin(&walk, &command->place, 3, b.y0);
    for (int y = b.y0; y < b.y1; y++) {
        int x0 = b.x0, x1 = b.x1;
        raster_walk_row(&walk, &x0, &x1);
        if (x0 >= x1) continue;
        tile->kernels->solid(raster_tile_at(tile, x0, y), RASTER_TILE_STRIDE, x1 - x0, 1, command->color,
                             (command->flags & FILO_QUAD_ADD) != 0);
    }
}
