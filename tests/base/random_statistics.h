// Shared by the tests of random numbers: generators of both kinds, and statistics of their numbers.
//
// All seeds are fixed, so a statistic either passes always or fails always. The limits are five standard
// deviations, which chance alone would exceed once in a million such tests.

#ifndef FILO_TEST_BASE_RANDOM_STATISTICS_H
#define FILO_TEST_BASE_RANDOM_STATISTICS_H

#include <filo/random.h>

#include "support/test.h"

#include <math.h>

static inline FiloRandom keyed(void) { return filo_random_keyed(2024, 7, 3, 99); }
static inline FiloRandom sequence(void) { return filo_random_sequence(2024); }

// Both kinds, by number, for tests that hold for either.
static inline FiloRandom of_kind(int kind) { return kind == 0 ? keyed() : sequence(); }

// Fails unless the counts fit `cells` equally likely outcomes: too uneven, or too even to be chance.
static inline void assert_even(const uint32_t *counts, size_t cells, const char *what) {
    double total = 0, chi_square = 0, freedom = (double)cells - 1;
    for (size_t i = 0; i < cells; i++) total += counts[i];
    double expected = total / (double)cells;
    for (size_t i = 0; i < cells; i++)
        chi_square += (counts[i] - expected) * (counts[i] - expected) / expected;
    // Wilson and Hilferty: the cube root of chi-square over freedom is nearly normal.
    double z = (cbrt(chi_square / freedom) - (1 - 2 / (9 * freedom))) / sqrt(2 / (9 * freedom));
    if (!(fabs(z) < 5))
        fail_msg("%s: chi-square %g for %zu cells is %g deviations off", what, chi_square, cells, z);
}

static inline size_t cell_of(double x, double low, double high, size_t cells) {
    double cell = (x - low) / (high - low) * (double)cells;
    if (!(cell >= 0 && cell <= (double)cells)) fail_msg("%.9g is not from %g to %g", x, low, high);
    return FILO_MIN((size_t)cell, cells - 1);
}

static inline void assert_within(double value, double expected, double limit, const char *what) {
    if (!(fabs(value - expected) <= limit)) fail_msg("%s: %.9g, not %.9g ± %g", what, value, expected, limit);
}

#endif
