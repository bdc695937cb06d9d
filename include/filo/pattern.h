// filo/pattern.h: patterns of points that are repeated without end, and in which no two points are near each other.
//
//     FiloPattern pattern = filo_pattern_for(8, world_seed, LAYER_TREES);
//     float cell = pattern.size * footprint;                      // metres
//     for (int i = 0; i < pattern.n * pattern.n; i++) {
//         float x = (float)cell_x * cell + pattern.points[i].x * footprint;
//         float y = (float)cell_y * cell + pattern.points[i].y * footprint;
//         …
//     }
//
// Placement covers the plane with square cells. Each cell has the same points: those of one pattern. A pattern is made
// for a footprint of 1, and its points are at least 1 apart, also from the points of the neighbouring cells. So any set
// of cells can be computed alone, and objects with that footprint never overlap.
//
// The built-in patterns are blue noise: irregular, but with the same number of points in every region. Their size is
// 307/256 · n (4.796875, 9.59375 and 19.1875 footprints), and the least distance between two points is more than
// FILO_PATTERN_DISTANCE. This is more than 1, so that the distance is still a whole footprint after positions were scaled
// and rounded. Coordinates are multiples of 1/4096, and the size is one of 1/64: so cell * size + point is exact as a float
// within 4096 footprints of the origin.
//
// The index of a point decides its threshold in the dither matrix, so that a density of one half takes every second
// point. Points of neighbouring indices are neighbours: point [y][x] is the one that belongs at (x + ½, y + ½) · size / n,
// by an assignment of all points with the least sum of squared distances, measured across the borders of the cell.
//
// A pattern of one's own is a FiloPattern, too: tested by filo_pattern_check, or made by filo_pattern_make.
//
// Everything here may be called from any thread, allocates nothing, and has the same result on every machine.

#ifndef FILO_PATTERN_H
#define FILO_PATTERN_H

#include <filo/types.h>
#include <filo/vector.h>

FILO_BEGIN_DECLS

#define FILO_PATTERN_MAX 16 // the largest n

// The least distance in patterns that are built in or come from filo_pattern_make.
#define FILO_PATTERN_DISTANCE 1.0005f

// n × n points in [0, size)². No two points of the pattern, repeated without end, are nearer to each other than 1.
// Zeroes are no pattern.
typedef struct FiloPattern {
    int n;                  // 4, 8 or 16
    float size;             // width of a cell, in footprints
    const FiloVec2 *points; // points[y * n + x], in footprints
} FiloPattern;

// ---- Built-in patterns --------------------------------------------------------------------------------

// How many built-in patterns of n × n points there are: at least 4 for an n of 4, 8 and 16, otherwise 0.
size_t filo_pattern_count(int n);

// One of them; `index` is below filo_pattern_count(n). The points are valid for ever. {0} after a mistake.
FiloPattern filo_pattern(int n, size_t index);

// The one that a hash of `seed` and `layer` chooses, so that layers of one world have different patterns. Two layers may
// have the same one. {0} after a mistake.
FiloPattern filo_pattern_for(int n, uint64_t seed, uint32_t layer);

// ---- Patterns of one's own ----------------------------------------------------------------------------

// FILO_OK if placement can use the pattern. Otherwise FILO_ERROR_DATA: n is not 4, 8 or 16, the size or a point is not
// finite, a point is not in [0, size)², or two points are nearer than 1. The message names the points and their distance.
FiloResult filo_pattern_check(const FiloPattern *pattern);

// The least distance between two points of the pattern, repeated without end. 0 if n, the size or a point is not valid.
float filo_pattern_min_distance(const FiloPattern *pattern);

// Makes n × n points for a cell of `size` footprints, as the built-in patterns were made: with coordinates that are
// multiples of 1/4096, in the order that dithering needs, at least FILO_PATTERN_DISTANCE apart. A size above 307/256 · n
// gives points that are further apart in proportion. Another seed gives another pattern.
//
// A size of 1.07 · n is enough; the smaller, the more points lie at the least distance from each other, as in a packing.
// FILO_ERROR_LIMIT if the size is above 1024, or so small that the distance was not reached; the points are then as before.
// Not for a frame: it takes about 2 ms for 64 points and 25 ms for 256, and for small sizes up to a second.
FiloResult filo_pattern_make(FiloVec2 *points, int n, float size, uint64_t seed);

FILO_END_DECLS

#endif
