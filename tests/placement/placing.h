// Placing in tests: one call each for what must succeed, and comparisons of what was placed.

#ifndef FILO_TESTS_PLACEMENT_PLACING_H
#define FILO_TESTS_PLACEMENT_PLACING_H

#include "support/test.h"

#include "placement/forest.h"

static inline FiloPlacement *placing_create(const FiloPlacementDesc *desc) {
    FiloPlacement *placement = NULL;
    assert_ok(filo_placement_create(&placement, desc));
    assert_non_null(placement);
    return placement;
}

static inline FiloPlacementResult placing_request(const FiloPlacement *placement,
                                                  FiloPlacementRequest request) {
    FiloPlacementResult result = { 0 };
    assert_ok(filo_placement_compute(placement, &request, &result));
    return result;
}

static inline FiloPlacementResult placing_area(const FiloPlacement *placement, double x0, double y0,
                                               double x1, double y1) {
    return placing_request(placement, (FiloPlacementRequest){ .area = { x0, y0, x1, y1 } });
}

static inline void placing_assert_same(const FiloPlacementResult *a, const FiloPlacementResult *b) {
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->first, b->first, sizeof a->first);
    if (a->count > 0) assert_memory_equal(a->objects, b->objects, a->count * sizeof(FiloPlaced));
}

static inline int placing_compare(const void *a, const void *b) { return memcmp(a, b, sizeof(FiloPlaced)); }

// Whether two results have the same objects, in any order. Sorts both.
static inline void placing_assert_same_objects(FiloPlacementResult *a, FiloPlaced *objects, size_t count) {
    assert_int_equal(a->count, count);
    if (count == 0) return;
    qsort(a->objects, count, sizeof *objects, placing_compare);
    qsort(objects, count, sizeof *objects, placing_compare);
    assert_memory_equal(a->objects, objects, count * sizeof *objects);
}

// Computes a request as a grid of columns × rows areas with uneven sides, and compares the union with the whole.
static inline void placing_assert_partition(const FiloPlacement *placement, FiloPlacementRequest request,
                                            int columns, int rows) {
    FiloPlacementArea all = request.area;
    FiloPlacementResult whole = placing_request(placement, request), part = { 0 };
    FiloPlaced *objects = malloc((whole.count + 1) * sizeof *objects);
    size_t count = 0;
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++) {
            // Squares of fractions: the parts grow.
            double x0 = (double)(column * column) / (columns * columns),
                   x1 = (double)((column + 1) * (column + 1)) / (columns * columns);
            double y0 = (double)(row * row) / (rows * rows),
                   y1 = (double)((row + 1) * (row + 1)) / (rows * rows);
            double width = all.x1 - all.x0, height = all.y1 - all.y0;
            request.area = (FiloPlacementArea){ all.x0 + width * x0, all.y0 + height * y0,
                                                column + 1 == columns ? all.x1 : all.x0 + width * x1,
                                                row + 1 == rows ? all.y1 : all.y0 + height * y1 };
            assert_ok(filo_placement_compute(placement, &request, &part));
            assert_true(count + part.count <= whole.count);
            if (part.count > 0) memcpy(objects + count, part.objects, part.count * sizeof *objects);
            count += part.count;
        }
    placing_assert_same_objects(&whole, objects, count);
    free(objects);
    filo_placement_result_free(&whole);
    filo_placement_result_free(&part);
}

// A map of one value everywhere: pass the address of the byte.
static inline FiloTerrainMap placing_constant(const uint8_t *value) {
    return (FiloTerrainMap){ .data = value, .format = FILO_MAP_U8, .width = 1, .height = 1 };
}

// The density `density`, everywhere. `one` is a byte of 255.
static inline FiloDensityMap placing_density(const uint8_t *one, float density) {
    FiloDensityMap map = { .map = placing_constant(one), .scale = density, .min = -1, .max = 1 };
    if (density == 0) map.offset = -1; // scale and offset of 0 are a scale of 1
    return map;
}

#endif
