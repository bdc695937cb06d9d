// Writes src/placement/pattern_tables.c: the built-in patterns.
//
//     build/<preset>/tests/pattern_tables src/placement/pattern_tables.c             writes the file
//     build/<preset>/tests/pattern_tables --check src/placement/pattern_tables.c     1 if the file is not what it would write
//     build/<preset>/tests/pattern_tables --measure                                  prints figures of the built-in patterns
//
// The patterns come from filo_pattern_make, with the seeds 0, 1, 2, … Of several times as many as are needed, it takes those
// whose points are spread most evenly at densities of 1/4 and 1/2, among those without a spike in their spectrum.

#include "placement/pattern_measure.h"

#include <filo/files.h>
#include <filo/strings.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GRAINS 4096 // coordinates are multiples of 1 / GRAINS

typedef struct Kind {
    int n, count, candidates;
    double largest; // power of a single frequency
} Kind;

static const Kind kinds[] = { { 4, 8, 160, 6 }, { 8, 16, 160, 10 }, { 16, 4, 24, 12 } };

typedef struct Candidate {
    uint64_t seed;
    double score; // greater is better
    FiloVec2 points[FILO_PATTERN_MAX * FILO_PATTERN_MAX];
} Candidate;

static float size_of(int n) { return (float)n * (307.0f / 256); }

// ---- Choosing -----------------------------------------------------------------------------------------

static bool make_candidate(Candidate *candidate, const Kind *kind, uint64_t seed) {
    FiloPattern pattern = { kind->n, size_of(kind->n), candidate->points };
    if (filo_pattern_make(candidate->points, kind->n, pattern.size, seed).code != FILO_OK) return false;
    if (pattern_spectrum(&pattern).largest > kind->largest) return false;
    candidate->seed = seed;
    candidate->score = pattern_evenness(&pattern, 1, pattern_choose_dithered, NULL).mean +
                       pattern_evenness(&pattern, 2, pattern_choose_dithered, NULL).mean;
    return true;
}

static int compare(const void *a, const void *b) {
    const Candidate *x = a, *y = b;
    if (x->score != y->score) return x->score < y->score ? 1 : -1;
    return x->seed < y->seed ? -1 : 1;
}

// The best `kind->count`, in an array to be freed; NULL if there are too few.
static Candidate *choose(const Kind *kind) {
    Candidate *candidates = calloc((size_t)kind->candidates, sizeof *candidates);
    if (candidates == NULL) return NULL;
    int found = 0;
    for (int seed = 0; seed < kind->candidates; seed++)
        if (make_candidate(&candidates[found], kind, (uint64_t)seed)) found++;
    if (found < kind->count) {
        fprintf(stderr, "only %d patterns of %d × %d points have no spike\n", found, kind->n, kind->n);
        free(candidates);
        return NULL;
    }
    qsort(candidates, (size_t)found, sizeof *candidates, compare);
    return candidates;
}

// ---- The file -----------------------------------------------------------------------------------------

static void write_points(FiloBuilder *text, const Candidate *candidate, int n) {
    filo_builder_printf(text, "    // seed %d\n", (int)candidate->seed);
    for (int i = 0; i < n * n; i++) {
        int x = (int)(candidate->points[i].x * GRAINS), y = (int)(candidate->points[i].y * GRAINS);
        const char *before = i % 8 == 0 || i % n == 0 ? "    " : " ";
        filo_builder_printf(text, "%sP(%d, %d),%s", before, x, y, i % 8 == 7 || i % n == n - 1 ? "\n" : "");
    }
}

static bool write_kind(FiloBuilder *text, const Kind *kind) {
    Candidate *candidates = choose(kind);
    if (candidates == NULL) return false;
    filo_builder_printf(text, "static const FiloVec2 points_%d[%d * %d * %d] = {\n", kind->n, kind->count,
                        kind->n, kind->n);
    for (int i = 0; i < kind->count; i++) write_points(text, &candidates[i], kind->n);
    filo_builder_add_text(text, "};\n\n");
    free(candidates);
    return true;
}

static bool write_file(FiloBuilder *text) {
    filo_builder_printf(text,
                        "// The built-in patterns, in 1/%d of a footprint.\n"
                        "//\n"
                        "// Written by tools/pattern_tables.c. Do not edit.\n\n"
                        "#include \"placement/pattern.h\"\n\n"
                        "// clang-format off\n\n"
                        "#define P(x, y) { (x) / %d.0f, (y) / %d.0f }\n\n",
                        GRAINS, GRAINS, GRAINS);
    for (size_t i = 0; i < FILO_COUNT_OF(kinds); i++)
        if (!write_kind(text, &kinds[i])) return false;
    filo_builder_add_text(text,
                          "const PlacementPatternSet placement_pattern_sets[PLACEMENT_PATTERN_SETS] = {\n");
    for (size_t i = 0; i < FILO_COUNT_OF(kinds); i++)
        filo_builder_printf(text, "    { %d, %d, %d / 256.0f, points_%d },\n", kinds[i].n, kinds[i].count,
                            307 * kinds[i].n, kinds[i].n);
    filo_builder_add_text(text, "};\n");
    return true;
}

static int write_or_check(const char *path, bool check) {
    FiloBuilder text;
    filo_builder_init(&text, NULL);
    bool written = write_file(&text);
    FiloString wanted = filo_builder_string(&text);
    FiloResult r = filo_ok();
    if (!written) {
        r = filo_error(FILO_ERROR_MEMORY, "%s: the patterns could not be made", path);
    } else if (!check) {
        r = filo_file_write(path, wanted.data, wanted.length, NULL);
    } else {
        FiloFileData found;
        r = filo_file_read(&found, path, NULL);
        if (r.code == FILO_OK &&
            (found.size != wanted.length || memcmp(found.bytes, wanted.data, found.size) != 0))
            r = filo_error(FILO_ERROR_DATA,
                           "%s: not what tools/pattern_tables.c writes; run it without --check", path);
        filo_file_free(&found);
    }
    filo_builder_deinit(&text);
    if (r.code != FILO_OK) fprintf(stderr, "%s\n", r.message);
    return r.code == FILO_OK ? 0 : 1;
}

// ---- Figures ------------------------------------------------------------------------------------------

static void measure_evenness(int n, int quarters) {
    double sums[4] = { 0 };
    size_t count = filo_pattern_count(n);
    for (size_t i = 0; i < count; i++) {
        FiloPattern pattern = filo_pattern(n, i);
        uint64_t seed = i;
        PatternEvenness ours = pattern_evenness(&pattern, quarters, pattern_choose_dithered, NULL);
        PatternEvenness random = pattern_evenness(&pattern, quarters, pattern_choose_random, &seed);
        sums[0] += ours.least, sums[1] += ours.mean, sums[2] += random.least, sums[3] += random.mean;
    }
    printf("  density %d/4: nearest taken point %.2f at least, %.2f on average; at random %.2f and %.2f\n",
           quarters, sums[0] / (double)count, sums[1] / (double)count, sums[2] / (double)count,
           sums[3] / (double)count);
}

static void measure(int n) {
    size_t count = filo_pattern_count(n);
    double distance = INFINITY, largest = 0, low = 0, radial[PATTERN_BINS] = { 0 };
    for (size_t i = 0; i < count; i++) {
        FiloPattern pattern = filo_pattern(n, i);
        PatternSpectrum spectrum = pattern_spectrum(&pattern);
        distance = fmin(distance, (double)filo_pattern_min_distance(&pattern));
        largest = fmax(largest, spectrum.largest);
        low = fmax(low, spectrum.largest_low);
        for (int bin = 0; bin < PATTERN_BINS; bin++) radial[bin] += spectrum.power[bin] / (double)count;
    }
    printf("%zu patterns of %d x %d: distance %.5f, largest power %.1f, below half the frequency of points "
           "%.4f\n",
           count, n, n, distance, largest, low);
    for (int quarters = 1; quarters < 4; quarters++) measure_evenness(n, quarters);
    printf("  spectrum:");
    for (int bin = 0; bin < PATTERN_BINS; bin++) printf(" %.3f", radial[bin]);
    printf("\n");
}

int main(int argument_count, char **arguments) {
    if (argument_count == 2 && strcmp(arguments[1], "--measure") == 0) {
        for (size_t i = 0; i < FILO_COUNT_OF(kinds); i++) measure(kinds[i].n);
        return 0;
    }
    bool check = argument_count == 3 && strcmp(arguments[1], "--check") == 0;
    if (argument_count == 2 || check) return write_or_check(arguments[argument_count - 1], check);
    fprintf(stderr, "usage: pattern_tables [--check] FILE | --measure\n");
    return 2;
}
