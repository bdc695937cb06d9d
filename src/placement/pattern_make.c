// Making a pattern: points on a torus that are spread evenly, are at least one footprint apart, and have no order.
//
// 1. Scattering. Points are thrown one by one, each at the first random position that is far enough from the others; or, if
//    none of 32 is, at the best of them (Mitchell, "Spectrally optimal sampling for distribution ray tracing", 1991).
//    64 points at 307/256 footprints each are about as many as dart throwing can place at all.
// 2. Relaxation. Each point in turn tries a random small step, and makes it if the energy drops. The energy of a pair is a
//    wide, smooth kernel plus a steep penalty if the pair is too near.
//    The kernel's Fourier transform is positive (Wendland, "Piecewise polynomial, positive definite and compactly
//    supported radial functions of minimal degree", 1995), so the sum over all pairs is the power spectrum with positive
//    weights, nearly all of them on low frequencies: lowering it removes what is left of clumps and gaps. The kernel is
//    two spacings wide. A narrow one, or many sweeps, would drive neighbours into a hexagonal lattice; a wide one with few
//    sweeps leaves the high frequencies as random as they were.
// 3. Rounding to grains, and the order (pattern_assign.c). The whole pattern is moved to where its points are nearest to
//    the grid.
//
// Only + - * / and sqrt on doubles, and integers: the same bits on every machine.

#include "placement/pattern.h"

#include <filo/check.h>
#include <filo/random.h>

#include <math.h>
#include <string.h>

#define SPACING     (307.0 / 256) // size / n of the built-in patterns
#define DISTANCE    1.00125       // aimed at; rounding to grains takes away up to 0.0007
#define DARTS       32
#define SWEEPS      40  // for the spectrum
#define MORE_SWEEPS 600 // until no pair is too near
#define ATTEMPTS    3
#define LARGEST     1024.0f
#define HEXAGON     0.866f     // area of a point in a hexagonal lattice, which no points can beat
#define STREAM      0x70617474 // of random numbers

typedef struct Scatter {
    int count;
    double size;
    double reach;    // of the kernel
    double distance; // that two points are to have
    double x[PLACEMENT_PATTERN_POINTS], y[PLACEMENT_PATTERN_POINTS];
    FiloRandom random;
} Scatter;

// ---- The torus ----------------------------------------------------------------------------------------

static double wrap(double x, double size) {
    if (x < 0) x += size;
    return x >= size ? x - size : x;
}

static double squared_distance(const Scatter *s, int i, double x, double y) {
    double dx = fabs(s->x[i] - x), dy = fabs(s->y[i] - y);
    dx = FILO_MIN(dx, s->size - dx);
    dy = FILO_MIN(dy, s->size - dy);
    return dx * dx + dy * dy;
}

// The least squared distance of a position from the first `count` points.
static double squared_gap(const Scatter *s, int count, double x, double y) {
    double least = 2 * s->size * s->size;
    for (int i = 0; i < count; i++) {
        double squared = squared_distance(s, i, x, y);
        least = FILO_MIN(least, squared);
    }
    return least;
}

// ---- Scattering and relaxation ------------------------------------------------------------------------

static void throw_point(Scatter *s, int i) {
    double best = -1;
    for (int dart = 0; dart < DARTS && best < s->distance * s->distance; dart++) {
        double x = filo_random_double(&s->random) * s->size;
        double y = filo_random_double(&s->random) * s->size;
        double gap = squared_gap(s, i, x, y);
        if (gap <= best) continue;
        best = gap;
        s->x[i] = x;
        s->y[i] = y;
    }
}

static double pair_energy(const Scatter *s, double squared) {
    double distance = sqrt(squared), u = distance / s->reach, v = 1 - u;
    double energy = v * v * v * v * (4 * u + 1);
    if (distance < s->distance) {
        double missing = 1 - distance / s->distance;
        energy += missing * (30 + 300 * missing);
    }
    return energy;
}

static double point_energy(const Scatter *s, int point, double x, double y) {
    double energy = 0, limit = s->reach * s->reach;
    for (int i = 0; i < s->count; i++) {
        double squared = squared_distance(s, i, x, y);
        if (squared < limit && i != point) energy += pair_energy(s, squared);
    }
    return energy;
}

static double random_step(Scatter *s, double longest) {
    return (filo_random_double(&s->random) * 2 - 1) * longest;
}

static void sweep(Scatter *s, double longest) {
    for (int i = 0; i < s->count; i++) {
        double x = wrap(s->x[i] + random_step(s, longest), s->size);
        double y = wrap(s->y[i] + random_step(s, longest), s->size);
        if (point_energy(s, i, x, y) >= point_energy(s, i, s->x[i], s->y[i])) continue;
        s->x[i] = x;
        s->y[i] = y;
    }
}

static bool is_spread(const Scatter *s) {
    for (int i = 0; i < s->count; i++)
        if (squared_gap(s, i, s->x[i], s->y[i]) < s->distance * s->distance) return false;
    return true;
}

// Steps become shorter, from a third of the spacing.
static bool relax(Scatter *s, double spacing) {
    for (int i = 0; i < SWEEPS; i++) sweep(s, spacing * (0.35 - 0.33 * i / SWEEPS));
    for (int i = 0; i < MORE_SWEEPS; i++) {
        if (is_spread(s)) return true;
        sweep(s, spacing * (0.08 - 0.075 * i / MORE_SWEEPS));
    }
    return is_spread(s);
}

// ---- The result ---------------------------------------------------------------------------------------

static int32_t to_grains(double x) { return (int32_t)floor(x * PLACEMENT_PATTERN_GRAINS + 0.5); }

// Moves all points so that they are nearest to the grid, and finds their order. Each of the two depends on the other, so
// they take turns.
static void find_order(Scatter *s, int n, uint16_t *chosen) {
    int32_t size = to_grains(s->size);
    for (int turn = 0; turn < 8; turn++) {
        FiloIVec2 points[PLACEMENT_PATTERN_POINTS], offset;
        for (int i = 0; i < s->count; i++) points[i] = (FiloIVec2){ to_grains(s->x[i]), to_grains(s->y[i]) };
        placement_pattern_assign(n, size, points, chosen, &offset);
        if (offset.x == 0 && offset.y == 0) break;
        for (int i = 0; i < s->count; i++) {
            s->x[i] = wrap(s->x[i] - (double)offset.x / PLACEMENT_PATTERN_GRAINS, s->size);
            s->y[i] = wrap(s->y[i] - (double)offset.y / PLACEMENT_PATTERN_GRAINS, s->size);
        }
    }
}

static float rounded(double x, float size) {
    float result = (float)to_grains(x) / PLACEMENT_PATTERN_GRAINS;
    return result < size ? result : 0;
}

// Fills `s` with points that are far enough apart; false if they are not after all sweeps.
static bool scatter_points(Scatter *s, int n, float size, uint64_t seed, uint64_t attempt) {
    double spacing = (double)size / n;
    *s = (Scatter){ .count = n * n,
                    .size = (double)size,
                    .reach = 2 * spacing,
                    .distance = DISTANCE * FILO_MAX(1, spacing / SPACING),
                    .random = filo_random_keyed(seed, attempt, STREAM, (uint64_t)n) };
    for (int i = 0; i < s->count; i++) throw_point(s, i);
    return relax(s, spacing);
}

// Writes the result; false, and the points are as before, if rounding has brought two points too near.
static bool finish(Scatter *s, int n, float size, FiloVec2 *points) {
    uint16_t chosen[PLACEMENT_PATTERN_POINTS];
    find_order(s, n, chosen);
    FiloVec2 result[PLACEMENT_PATTERN_POINTS];
    for (int i = 0; i < s->count; i++)
        result[i] = filo_vec2(rounded(s->x[chosen[i]], size), rounded(s->y[chosen[i]], size));
    FiloPattern pattern = { n, size, result };
    if (filo_pattern_min_distance(&pattern) < FILO_PATTERN_DISTANCE) return false;
    memcpy(points, result, (size_t)s->count * sizeof result[0]);
    return true;
}

FiloResult filo_pattern_make(FiloVec2 *points, int n, float size, uint64_t seed) {
    if (points == NULL) return FILO_MISTAKE("pass an array for n × n points");
    if (!placement_pattern_valid_n(n))
        return FILO_MISTAKE("make a pattern of 4 × 4, 8 × 8 or 16 × 16 points, not of %d × %d", n, n);
    if (!isfinite(size) || size <= 0)
        return FILO_MISTAKE("pass the width of a cell in footprints, positive and finite, not %g",
                            (double)size);
    if (size > LARGEST)
        return filo_error(FILO_ERROR_LIMIT, "pattern: a cell %g footprints wide is wider than %g",
                          (double)size, (double)LARGEST);
    bool is_possible = size * size > HEXAGON * (float)(n * n);
    for (uint64_t attempt = 0; is_possible && attempt < ATTEMPTS; attempt++) {
        Scatter scatter;
        if (scatter_points(&scatter, n, size, seed, attempt) && finish(&scatter, n, size, points))
            return filo_ok();
    }
    return filo_error(FILO_ERROR_LIMIT,
                      "pattern: found no %d × %d points that are a footprint apart in a cell %g footprints "
                      "wide; make it %g or wider",
                      n, n, (double)size, 1.07 * n);
}
