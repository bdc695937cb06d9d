// Which point of a pattern gets which index: the assignment of points to positions of a grid with the least sum of squared
// distances on the torus.
//
// The Hungarian method with shortest augmenting paths: Jonker and Volgenant, "A shortest augmenting path algorithm for dense
// and sparse linear assignment problems", Computing 38, 1987. Rows are positions of the grid, columns are points. Every
// row and column has a potential; the reduced cost of a pair, cost - row potential - column potential, is never negative,
// and 0 for pairs that are assigned. Rows are added one by one; each takes the path of least reduced cost to a free column.
//
// Costs are integers, so no rounding decides between two assignments. Equal costs: the lower index wins.

#include "placement/pattern.h"

#include <string.h>

#define NONE (-1)

typedef struct Assignment {
    int n, count;
    int32_t size;
    const FiloIVec2 *points;
    int64_t row_potential[PLACEMENT_PATTERN_POINTS], column_potential[PLACEMENT_PATTERN_POINTS];
    int row_of[PLACEMENT_PATTERN_POINTS]; // of each column; NONE: free
    // Of the path that is searched for, by column:
    int64_t distance[PLACEMENT_PATTERN_POINTS]; // least reduced cost of a path that ends here
    int before[PLACEMENT_PATTERN_POINTS];       // the column before it on that path; NONE: the new row
    bool done[PLACEMENT_PATTERN_POINTS];        // the distance is final
} Assignment;

// The shortest way from `from` to `to` along one axis of the torus.
static int32_t torus_difference(int32_t to, int32_t from, int32_t size) {
    int32_t difference = to - from;
    if (difference > size / 2) return difference - size;
    if (difference < -(size / 2)) return difference + size;
    return difference;
}

static FiloIVec2 row_offset(const Assignment *a, int row, int column) {
    int32_t x = (int32_t)((2 * (row % a->n) + 1) * (int64_t)a->size / ((int64_t)a->n * 2));
    int32_t y = (int32_t)((2 * (row / a->n) + 1) * (int64_t)a->size / ((int64_t)a->n * 2));
    return (FiloIVec2){ torus_difference(a->points[column].x, x, a->size),
                        torus_difference(a->points[column].y, y, a->size) };
}

static int64_t reduced_cost(const Assignment *a, int row, int column) {
    FiloIVec2 offset = row_offset(a, row, column);
    int64_t cost = (int64_t)offset.x * offset.x + (int64_t)offset.y * offset.y;
    return cost - a->row_potential[row] - a->column_potential[column];
}

// Offers paths that go through `row`, which is reached at `distance` after the column `last`.
static void extend_paths(Assignment *a, int row, int64_t distance, int last) {
    for (int column = 0; column < a->count; column++) {
        if (a->done[column]) continue;
        int64_t length = distance + reduced_cost(a, row, column);
        if (length < a->distance[column]) {
            a->distance[column] = length;
            a->before[column] = last;
        }
    }
}

static int nearest_column(const Assignment *a) {
    int nearest = NONE;
    for (int column = 0; column < a->count; column++)
        if (!a->done[column] && (nearest == NONE || a->distance[column] < a->distance[nearest]))
            nearest = column;
    return nearest;
}

// Assigns one more row. The columns on the path change to the row of the column before them.
static void add_row(Assignment *a, int new_row) {
    for (int column = 0; column < a->count; column++) a->distance[column] = INT64_MAX;
    memset(a->done, 0, sizeof a->done);
    extend_paths(a, new_row, 0, NONE);
    int end = nearest_column(a);
    while (a->row_of[end] != NONE) {
        a->done[end] = true;
        extend_paths(a, a->row_of[end], a->distance[end], end);
        end = nearest_column(a);
    }
    int64_t length = a->distance[end];
    a->row_potential[new_row] += length;
    for (int column = 0; column < a->count; column++) {
        if (!a->done[column]) continue;
        a->row_potential[a->row_of[column]] += length - a->distance[column];
        a->column_potential[column] -= length - a->distance[column];
    }
    while (a->before[end] != NONE) {
        a->row_of[end] = a->row_of[a->before[end]];
        end = a->before[end];
    }
    a->row_of[end] = new_row;
}

void placement_pattern_assign(int n, int32_t size, const FiloIVec2 *points, uint16_t *chosen,
                              FiloIVec2 *offset) {
    Assignment assignment = { .n = n, .count = n * n, .size = size, .points = points };
    for (int i = 0; i < assignment.count; i++) assignment.row_of[i] = NONE;
    for (int row = 0; row < assignment.count; row++) add_row(&assignment, row);
    int64_t x = 0, y = 0;
    for (int column = 0; column < assignment.count; column++) {
        int row = assignment.row_of[column];
        chosen[row] = (uint16_t)column;
        FiloIVec2 single = row_offset(&assignment, row, column);
        x += single.x;
        y += single.y;
    }
    *offset = (FiloIVec2){ (int32_t)(x / assignment.count), (int32_t)(y / assignment.count) };
}
