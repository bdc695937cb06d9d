// What is measured about patterns: their spectrum, and how even their points are at densities below 1. The tests and
// tools/pattern_tables.c, which chooses the built-in patterns by these figures, share it.

#ifndef PATTERN_MEASURE_H
#define PATTERN_MEASURE_H

#include <filo/pattern.h>
#include <filo/random.h>

#include <math.h>

// The power of the points at the frequency of `across` and `down` waves a cell. 1 is what white noise has on average, and
// n × n the most, which a lattice has.
static inline double pattern_power(const FiloPattern *pattern, int across, int down) {
    double real = 0, imaginary = 0;
    int count = pattern->n * pattern->n;
    for (int i = 0; i < count; i++) {
        double waves = ((double)pattern->points[i].x * across + (double)pattern->points[i].y * down) /
                       (double)pattern->size;
        FiloSinCos wave = filo_sincos((float)(waves - floor(waves)) * FILO_TAU);
        real += (double)wave.cos;
        imaginary += (double)wave.sin;
    }
    return (real * real + imaginary * imaginary) / count;
}

// Frequencies are measured in waves per mean spacing of points, size / n. The peak of blue noise is near 1.
#define PATTERN_BINS 25 // each 0.1 wide

typedef struct PatternSpectrum {
    double power[PATTERN_BINS]; // mean of the frequencies from bin / 10 to (bin + 1) / 10
    int waves[PATTERN_BINS];    // how many there are; 0: none
    double largest;             // of all single frequencies below 2.5
    double largest_low;         // of those below 0.5
} PatternSpectrum;

static inline PatternSpectrum pattern_spectrum(const FiloPattern *pattern) {
    PatternSpectrum spectrum = { .largest = 0 };
    int most = pattern->n * PATTERN_BINS / 10;
    for (int down = 0; down <= most; down++) // the other half is the same
        for (int across = -most; across <= most; across++) {
            double frequency = sqrt((double)(across * across + down * down)) / pattern->n;
            int bin = (int)(frequency * 10);
            if (bin >= PATTERN_BINS || (down == 0 && across <= 0)) continue;
            double power = pattern_power(pattern, across, down);
            spectrum.power[bin] += power;
            spectrum.waves[bin]++;
            if (power > spectrum.largest) spectrum.largest = power;
            if (frequency < 0.5 && power > spectrum.largest_low) spectrum.largest_low = power;
        }
    for (int bin = 0; bin < PATTERN_BINS; bin++)
        if (spectrum.waves[bin] > 0) spectrum.power[bin] /= spectrum.waves[bin];
    return spectrum;
}

// ---- Densities below 1 --------------------------------------------------------------------------------

// The place of (x, y) in the order of ordered dithering, from 0 to n² - 1.
static inline int pattern_dither_level(int n, int x, int y) {
    static const int quarter[2][2] = { { 0, 2 }, { 3, 1 } };
    int level = 0;
    for (int half = n / 2, weight = 1; half >= 1; half /= 2, weight *= 4)
        level += weight * quarter[(y / half) % 2][(x / half) % 2];
    return level;
}

// The nearest other point that was chosen, of all chosen points of some cells.
typedef struct PatternEvenness {
    double least, mean; // in footprints
} PatternEvenness;

// Whether point (x, y) of the cell (cell_x, cell_y) is chosen.
typedef bool (*PatternChoice)(const FiloPattern *pattern, int cell_x, int cell_y, int x, int y, int levels,
                              const void *user);

static inline bool pattern_choose_dithered(const FiloPattern *pattern, int cell_x, int cell_y, int x, int y,
                                           int levels, const void *user) {
    FILO_UNUSED(user);
    int n = pattern->n;
    return pattern_dither_level(n, (x + cell_x + n) % n, (y + cell_y + n) % n) < levels;
}

// The same share of points at random; `user` is a seed.
static inline bool pattern_choose_random(const FiloPattern *pattern, int cell_x, int cell_y, int x, int y,
                                         int levels, const void *user) {
    int n = pattern->n;
    uint64_t point = (uint64_t)(((cell_y + n) * 4096 + cell_x + n) * 256 + y * n + x);
    return filo_random_float_at(*(const uint64_t *)user, 0, 0, point, 0) < (float)levels / (float)(n * n);
}

static inline double pattern_gap(const FiloPattern *pattern, int cell_x, int cell_y, int point, int levels,
                                 PatternChoice choose, const void *user) {
    int n = pattern->n;
    double least = INFINITY;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            for (int i = 0; i < n * n; i++) {
                double x = (double)pattern->points[i].x - (double)pattern->points[point].x;
                double y = (double)pattern->points[i].y - (double)pattern->points[point].y;
                x += dx * (double)pattern->size;
                y += dy * (double)pattern->size;
                double squared = x * x + y * y;
                if (squared < least && !(dx == 0 && dy == 0 && i == point) &&
                    choose(pattern, cell_x + dx, cell_y + dy, i % n, i / n, levels, user))
                    least = squared;
            }
    return sqrt(least);
}

// At a density of `quarters` / 4, over n cells with different shifts of the dither matrix.
static inline PatternEvenness pattern_evenness(const FiloPattern *pattern, int quarters, PatternChoice choose,
                                               const void *user) {
    PatternEvenness evenness = { INFINITY, 0 };
    int n = pattern->n, levels = n * n * quarters / 4, points = 0;
    for (int cell = 0; cell < n; cell++)
        for (int i = 0; i < n * n; i++) {
            int cell_y = cell * cell % n;
            if (!choose(pattern, cell, cell_y, i % n, i / n, levels, user)) continue;
            double gap = pattern_gap(pattern, cell, cell_y, i, levels, choose, user);
            evenness.least = fmin(evenness.least, gap);
            evenness.mean += gap;
            points++;
        }
    evenness.mean /= points > 0 ? points : 1;
    return evenness;
}

#endif
