// Convex polygons: the pixels of a row whose centres are inside.
//
// The corners are in clockwise order (y goes down). A point p is inside of an edge from v in the direction d if
// d × (p − v) is positive. A point on an edge is inside if the edge goes up (a left edge), or is horizontal and goes
// right (an upper edge). Solved for x, an edge that is not horizontal gives the first or the last pixel of a row.
// Horizontal edges limit the rows; the bounds of the command, which are those of the polygon, do that already. The
// crossing of an edge and a row takes a division for the first row; for the next ones, quotient and remainder are
// added. That is exact, as in Bresenham's line algorithm.

#include "raster/raster.h"

// Rounds down for both signs of `number`; `divisor` is positive.
static int64_t divide(int64_t number, int64_t divisor, int64_t *remainder) {
    int64_t quotient = number / divisor;
    *remainder = number % divisor;
    if (*remainder < 0) *remainder += divisor, quotient--;
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
    edge->quotient = divide(number, edge->divisor, &edge->remainder);
    edge->quotient_step = divide(step, edge->divisor, &edge->remainder_step);
}

void raster_walk_begin(RasterWalk *walk, const RasterParallelogram *p, int corners, int y) {
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
        edge->remainder += edge->remainder_step;
        if (edge->remainder >= edge->divisor) edge->remainder -= edge->divisor, edge->quotient++;
    }
}

void raster_draw_triangle(RasterTile *tile, const RasterCommand *command, RasterBounds b) {
    RasterWalk walk;
    raster_walk_begin(&walk, &command->parallelogram, 3, b.y0);
    for (int y = b.y0; y < b.y1; y++) {
        int x0 = b.x0, x1 = b.x1;
        raster_walk_row(&walk, &x0, &x1);
        if (x0 >= x1) continue;
        tile->kernels->solid(raster_tile_at(tile, x0, y), RASTER_TILE_STRIDE, x1 - x0, 1, command->color,
                             (command->flags & FILO_QUAD_ADD) != 0);
    }
}
