// The quality of the built-in patterns: their spectrum is that of blue noise, and what dithering takes of them is even.

#include "placement/pattern_measure.h"
#include "support/test.h"

static const int sizes[] = { 4, 8, 16 };

// The mean of the spectra of all built-in patterns of one size.
static PatternSpectrum mean_spectrum(int n) {
    PatternSpectrum mean = { .largest = 0 };
    size_t count = filo_pattern_count(n);
    for (size_t i = 0; i < count; i++) {
        FiloPattern pattern = filo_pattern(n, i);
        PatternSpectrum spectrum = pattern_spectrum(&pattern);
        mean.largest = fmax(mean.largest, spectrum.largest);
        mean.largest_low = fmax(mean.largest_low, spectrum.largest_low);
        for (int bin = 0; bin < PATTERN_BINS; bin++) {
            mean.power[bin] += spectrum.power[bin] / (double)count;
            mean.waves[bin] = spectrum.waves[bin];
        }
    }
    return mean;
}

static FiloPattern white_noise(FiloVec2 *points, int n, uint64_t seed) {
    FiloPattern pattern = { n, (float)n * 1.2f, points };
    FiloRandom random = filo_random_sequence(seed);
    for (int i = 0; i < n * n; i++) {
        points[i].x = filo_random_float_range(&random, 0, pattern.size);
        points[i].y = filo_random_float_range(&random, 0, pattern.size);
    }
    return pattern;
}

FILO_TEST(white_noise_has_a_power_of_one) { // a test of the measure itself
    FiloVec2 points[FILO_PATTERN_MAX * FILO_PATTERN_MAX];
    double low = 0, all = 0;
    for (uint64_t seed = 0; seed < 16; seed++) {
        FiloPattern pattern = white_noise(points, 8, seed);
        PatternSpectrum spectrum = pattern_spectrum(&pattern);
        for (int bin = 1; bin < 5; bin++) low += spectrum.power[bin] / (4 * 16);
        for (int bin = 1; bin < PATTERN_BINS; bin++) all += spectrum.power[bin] / ((PATTERN_BINS - 1) * 16);
    }
    assert_true(low > 0.8 && low < 1.2);
    assert_true(all > 0.9 && all < 1.1);
}

FILO_TEST(a_lattice_has_a_spike) { // a test of the measure itself
    FiloVec2 points[64];
    FiloPattern lattice = { 8, 9.6f, points };
    for (int i = 0; i < 64; i++) points[i] = filo_vec2((float)(i % 8) * 1.2f, (float)(i / 8) * 1.2f);
    assert_true(pattern_spectrum(&lattice).largest > 63.9);
}

// 1 would be white noise. So 5 % of it at any single frequency, and less than 1 % on average.
FILO_TEST(low_frequencies_have_hardly_any_power) {
    for (size_t k = 0; k < FILO_COUNT_OF(sizes); k++) {
        PatternSpectrum mean = mean_spectrum(sizes[k]);
        assert_true(mean.largest_low < 0.05);
        double sum = 0;
        int waves = 0;
        for (int bin = 0; bin < 5; bin++) {
            sum += mean.power[bin] * mean.waves[bin];
            waves += mean.waves[bin];
        }
        assert_true(sum / waves < 0.01);
    }
}

// A hexagonal lattice would have n² at six frequencies; random phases have up to about ln(number of frequencies) + 2.
FILO_TEST(no_single_frequency_stands_out) {
    static const double most[] = { 6, 10, 12 };
    for (size_t k = 0; k < FILO_COUNT_OF(sizes); k++) assert_true(mean_spectrum(sizes[k]).largest <= most[k]);
}

FILO_TEST(the_spectrum_has_one_peak_and_is_flat_beyond_it) {
    for (size_t k = 1; k < FILO_COUNT_OF(sizes); k++) { // 4 × 4 has too few frequencies in each bin
        PatternSpectrum mean = mean_spectrum(sizes[k]);
        for (int bin = 0; bin < PATTERN_BINS; bin++) {
            if (bin < 7) assert_true(mean.power[bin] < 0.06);
            if (bin >= 9 && bin < 12) assert_true(mean.power[bin] > 1.4 && mean.power[bin] < 2.6);
            if (bin >= 12) assert_true(mean.power[bin] > 0.5 && mean.power[bin] < 1.5);
        }
    }
}

FILO_TEST(levels_are_those_of_ordered_dithering) { // a test of the measure itself
    static const int wanted[4][4] = { { 0, 8, 2, 10 }, { 12, 4, 14, 6 }, { 3, 11, 1, 9 }, { 15, 7, 13, 5 } };
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++) assert_int_equal(pattern_dither_level(4, x, y), wanted[y][x]);
    assert_int_equal(pattern_dither_level(8, 7, 7), 21);
    assert_int_equal(pattern_dither_level(16, 8, 0), 2);
}

// The points that are taken at densities of 1/4 and 1/2 are further from each other than as many random ones.
FILO_TEST(what_dithering_takes_is_more_even_than_a_random_choice) {
    static const double quarter[] = { 1.1, 1.25, 1.25 }, half[] = { 1.03, 1.05, 1.05 };
    for (size_t k = 0; k < FILO_COUNT_OF(sizes); k++) {
        double mean[2] = { 0 }, random[2] = { 0 };
        for (size_t i = 0; i < filo_pattern_count(sizes[k]); i++) {
            FiloPattern pattern = filo_pattern(sizes[k], i);
            for (int q = 0; q < 2; q++) {
                uint64_t seed = i;
                mean[q] += pattern_evenness(&pattern, q + 1, pattern_choose_dithered, NULL).mean;
                random[q] += pattern_evenness(&pattern, q + 1, pattern_choose_random, &seed).mean;
            }
        }
        assert_true(mean[0] > random[0] * quarter[k]);
        assert_true(mean[1] > random[1] * half[k]);
    }
}
