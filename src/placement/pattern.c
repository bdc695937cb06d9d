// Patterns: the built-in ones, and the test of others.

#include "placement/pattern.h"

#include <filo/check.h>
#include <filo/hash.h>

#include <math.h>

// ---- Built-in patterns --------------------------------------------------------------------------------

static const PlacementPatternSet *find_set(int n) {
    for (size_t i = 0; i < PLACEMENT_PATTERN_SETS; i++)
        if (placement_pattern_sets[i].n == n) return &placement_pattern_sets[i];
    return NULL;
}

static FiloPattern pattern_of(const PlacementPatternSet *set, size_t index) {
    return (FiloPattern){ set->n, set->size, set->points + index * (size_t)(set->n * set->n) };
}

static bool check_set(const PlacementPatternSet *set, int n) {
    return FILO_CHECK(set != NULL, "there are patterns of 4 × 4, 8 × 8 and 16 × 16 points, not of %d × %d", n,
                      n);
}

size_t filo_pattern_count(int n) {
    const PlacementPatternSet *set = find_set(n);
    return set != NULL ? set->count : 0;
}

FiloPattern filo_pattern(int n, size_t index) {
    const PlacementPatternSet *set = find_set(n);
    if (!check_set(set, n) ||
        !FILO_CHECK(index < set->count,
                    "there are %zu patterns of %d × %d points: pass an index below that, not %zu", set->count,
                    n, n, index))
        return (FiloPattern){ 0 };
    return pattern_of(set, index);
}

FiloPattern filo_pattern_for(int n, uint64_t seed, uint32_t layer) {
    const PlacementPatternSet *set = find_set(n);
    if (!check_set(set, n)) return (FiloPattern){ 0 };
    return pattern_of(set, filo_hash_combine(seed, layer) % set->count);
}

// ---- Distances ----------------------------------------------------------------------------------------

typedef struct Nearest {
    int a, b; // indices; equal: the nearest is the same point in the next cell
    double squared;
} Nearest;

static double torus_difference(float a, float b, double size) {
    double difference = fabs((double)a - (double)b);
    return FILO_MIN(difference, size - difference);
}

// The two nearest points of a pattern that is in range.
static Nearest find_nearest(const FiloPattern *pattern) {
    double size = (double)pattern->size;
    Nearest nearest = { 0, 0, size * size };
    int count = pattern->n * pattern->n;
    for (int a = 0; a < count; a++)
        for (int b = a + 1; b < count; b++) {
            double dx = torus_difference(pattern->points[a].x, pattern->points[b].x, size);
            double dy = torus_difference(pattern->points[a].y, pattern->points[b].y, size);
            double squared = dx * dx + dy * dy;
            if (squared < nearest.squared) nearest = (Nearest){ a, b, squared };
        }
    return nearest;
}

static bool is_inside(float coordinate, float size) {
    return coordinate >= 0 && coordinate < size; // false for NaN
}

// The first point that is not in [0, size)²; n × n if all are.
static int first_outside(const FiloPattern *pattern) {
    int count = pattern->n * pattern->n, i = 0;
    while (i < count && is_inside(pattern->points[i].x, pattern->size) &&
           is_inside(pattern->points[i].y, pattern->size))
        i++;
    return i;
}

static bool is_valid_size(float size) { return isfinite(size) && size > 0; }

float filo_pattern_min_distance(const FiloPattern *pattern) {
    if (!FILO_CHECK(pattern != NULL && pattern->points != NULL, "pass a pattern with its points")) return 0;
    if (!placement_pattern_valid_n(pattern->n) || !is_valid_size(pattern->size)) return 0;
    if (first_outside(pattern) < pattern->n * pattern->n) return 0;
    return (float)sqrt(find_nearest(pattern).squared);
}

// ---- The test -----------------------------------------------------------------------------------------

static FiloResult error_near(const FiloPattern *pattern, Nearest nearest) {
    if (nearest.a == nearest.b)
        return filo_error(
            FILO_ERROR_DATA,
            "pattern: a cell is %.9g footprints wide, so every point is nearer than 1 to itself in the "
            "next cell",
            (double)pattern->size);
    FiloVec2 a = pattern->points[nearest.a], b = pattern->points[nearest.b];
    return filo_error(FILO_ERROR_DATA,
                      "pattern: point %d at (%g, %g) and point %d at (%g, %g) are %.9g footprints apart, "
                      "less than 1 (cells "
                      "repeat every %g)",
                      nearest.a, (double)a.x, (double)a.y, nearest.b, (double)b.x, (double)b.y,
                      sqrt(nearest.squared), (double)pattern->size);
}

FiloResult filo_pattern_check(const FiloPattern *pattern) {
    if (pattern == NULL || pattern->points == NULL) return FILO_MISTAKE("pass a pattern with its points");
    int n = pattern->n;
    if (!placement_pattern_valid_n(n))
        return filo_error(FILO_ERROR_DATA,
                          "pattern: it must have 4 × 4, 8 × 8 or 16 × 16 points, not %d × %d", n, n);
    if (!is_valid_size(pattern->size))
        return filo_error(FILO_ERROR_DATA,
                          "pattern: the width of a cell is %g; it must be positive and finite",
                          (double)pattern->size);
    int outside = first_outside(pattern);
    if (outside < n * n) {
        FiloVec2 point = pattern->points[outside];
        bool is_finite = isfinite(point.x) && isfinite(point.y);
        return filo_error(FILO_ERROR_DATA, "pattern: point %d at (%g, %g) is not %s (row %d, column %d)",
                          outside, (double)point.x, (double)point.y,
                          is_finite ? "in the cell, from 0 to below its width" : "finite", outside / n,
                          outside % n);
    }
    Nearest nearest = find_nearest(pattern);
    return nearest.squared >= 1 ? filo_ok() : error_near(pattern, nearest);
}
