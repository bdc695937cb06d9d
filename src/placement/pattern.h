// Patterns: what their sources share.
//
// pattern.c          finding, testing
// pattern_make.c     making: points that are spread evenly, without order
// pattern_assign.c   which point gets which index
// pattern_tables.c   the built-in patterns, written by tools/pattern_tables.c

#ifndef PLACEMENT_PATTERN_H
#define PLACEMENT_PATTERN_H

#include <filo/pattern.h>

// Coordinates of patterns that Filo makes are multiples of 1 / PLACEMENT_PATTERN_GRAINS.
#define PLACEMENT_PATTERN_GRAINS 4096

#define PLACEMENT_PATTERN_POINTS (FILO_PATTERN_MAX * FILO_PATTERN_MAX)

// The built-in patterns of one n.
typedef struct PlacementPatternSet {
    int n;
    size_t count;
    float size;
    const FiloVec2 *points; // n × n of the first, then those of the second, …
} PlacementPatternSet;

#define PLACEMENT_PATTERN_SETS 3
extern const PlacementPatternSet placement_pattern_sets[PLACEMENT_PATTERN_SETS];

static inline bool placement_pattern_valid_n(int n) { return n == 4 || n == 8 || n == 16; }

// Finds the order of n × n points on a torus of `size` in which point i lies near ((i % n + ½) · size / n,
// (i / n + ½) · size / n): chosen[i] is the index of that point. The sum of squared distances is the least
// possible. `offset` is the mean distance of the points from their positions in the grid. All in whole grains, so that
// the result is exact.
void placement_pattern_assign(int n, int32_t size, const FiloIVec2 *points, uint16_t *chosen,
                              FiloIVec2 *offset);

#endif
