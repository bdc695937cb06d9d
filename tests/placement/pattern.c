// Patterns: what is built in, what filo_pattern_check refuses, and what filo_pattern_make makes.

#include "placement/pattern_measure.h"
#include "support/test.h"

#include <filo/hash.h>

static const int sizes[] = { 4, 8, 16 };

// Calls `check` for every built-in pattern.
static void each_pattern(void (*check)(const FiloPattern *pattern)) {
    for (size_t k = 0; k < FILO_COUNT_OF(sizes); k++)
        for (size_t i = 0; i < filo_pattern_count(sizes[k]); i++) {
            FiloPattern pattern = filo_pattern(sizes[k], i);
            assert_int_equal(pattern.n, sizes[k]);
            check(&pattern);
        }
}

// ---- Built-in patterns --------------------------------------------------------------------------------

FILO_TEST(there_are_several_patterns_of_each_size) {
    assert_true(filo_pattern_count(4) >= 4);
    assert_true(filo_pattern_count(8) >= 8);
    assert_true(filo_pattern_count(16) >= 4);
    assert_int_equal(filo_pattern_count(5), 0);
    assert_int_equal(filo_pattern_count(0), 0);
    assert_int_equal(filo_pattern_count(-8), 0);
}

static void check_distance(const FiloPattern *pattern) {
    assert_ok(filo_pattern_check(pattern));
    assert_true(filo_pattern_min_distance(pattern) >= FILO_PATTERN_DISTANCE);
    // Once more, over nine cells, by a search that knows nothing of a torus.
    int count = pattern->n * pattern->n;
    for (int a = 0; a < count; a++)
        for (int b = 0; b < 9 * count; b++) {
            int cell = b / count;
            if (cell == 4 && b % count == a) continue;
            double dx = (double)pattern->points[b % count].x + (cell % 3 - 1) * (double)pattern->size;
            double dy = (double)pattern->points[b % count].y + (cell / 3 - 1) * (double)pattern->size;
            dx -= (double)pattern->points[a].x;
            dy -= (double)pattern->points[a].y;
            assert_true(dx * dx + dy * dy >= 1.0005 * 1.0005);
        }
}

FILO_TEST(no_two_points_of_a_repeated_pattern_are_nearer_than_a_footprint) { each_pattern(check_distance); }

static void check_range(const FiloPattern *pattern) {
    assert_true(pattern->size == 307.0f / 256 * (float)pattern->n);
    assert_true(pattern->size <= 1.2f * (float)pattern->n);
    for (int i = 0; i < pattern->n * pattern->n; i++) {
        FiloVec2 p = pattern->points[i];
        assert_true(p.x >= 0 && p.x < pattern->size && p.y >= 0 && p.y < pattern->size);
        assert_true(p.x * 4096 == floorf(p.x * 4096) && p.y * 4096 == floorf(p.y * 4096));
    }
}

FILO_TEST(points_are_in_the_cell_and_multiples_of_a_grain) { each_pattern(check_range); }

static double torus_squared(FiloVec2 a, FiloVec2 b, float size) {
    double dx = fabs((double)a.x - (double)b.x), dy = fabs((double)a.y - (double)b.y);
    dx = fmin(dx, (double)size - dx);
    dy = fmin(dy, (double)size - dy);
    return dx * dx + dy * dy;
}

FILO_TEST(patterns_of_one_size_differ) {
    for (size_t k = 0; k < FILO_COUNT_OF(sizes); k++)
        for (size_t i = 0; i < filo_pattern_count(sizes[k]); i++)
            for (size_t j = 0; j < i; j++) {
                FiloPattern a = filo_pattern(sizes[k], i), b = filo_pattern(sizes[k], j);
                int count = a.n * a.n, same = 0;
                for (int p = 0; p < count; p++)
                    same += torus_squared(a.points[p], b.points[p], a.size) < 0.01;
                assert_true(same < count / 4);
            }
}

static FiloVec2 grid_position(const FiloPattern *pattern, int i) {
    float spacing = pattern->size / (float)pattern->n;
    return filo_vec2(((float)(i % pattern->n) + 0.5f) * spacing, ((float)(i / pattern->n) + 0.5f) * spacing);
}

// A footprint is less than the spacing of the grid; a random order is size · 0.41 away, 3.9 footprints for 8 × 8.
static void check_order(const FiloPattern *pattern) {
    int count = pattern->n * pattern->n;
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += torus_squared(pattern->points[i], grid_position(pattern, i), pattern->size);
    assert_true(sqrt(sum / count) < 0.6);
    // No exchange of two points brings the points nearer to the grid.
    for (int a = 0; a < count; a++)
        for (int b = 0; b < a; b++) {
            FiloVec2 at_a = grid_position(pattern, a), at_b = grid_position(pattern, b);
            double now = torus_squared(pattern->points[a], at_a, pattern->size) +
                         torus_squared(pattern->points[b], at_b, pattern->size);
            double then = torus_squared(pattern->points[a], at_b, pattern->size) +
                          torus_squared(pattern->points[b], at_a, pattern->size);
            assert_true(now <= then + 0.02);
        }
}

FILO_TEST(points_lie_near_the_position_of_their_index) { each_pattern(check_order); }

FILO_TEST(a_seed_and_a_layer_choose_a_pattern) {
    for (size_t k = 0; k < FILO_COUNT_OF(sizes); k++) {
        int n = sizes[k];
        size_t count = filo_pattern_count(n), chosen[64] = { 0 };
        assert_true(count <= FILO_COUNT_OF(chosen));
        for (uint32_t i = 0; i < 4000; i++) {
            FiloPattern pattern = filo_pattern_for(n, i / 40, i % 40);
            size_t index = 0;
            while (index < count && filo_pattern(n, index).points != pattern.points) index++;
            assert_true(index < count);
            assert_int_equal(pattern.n, n);
            chosen[index]++;
        }
        for (size_t i = 0; i < count; i++) assert_in_range(chosen[i], 2000 / count, 8000 / count);
    }
    assert_ptr_equal(filo_pattern_for(8, 7, 3).points, filo_pattern_for(8, 7, 3).points);
}

FILO_TEST(a_pattern_that_does_not_exist_is_a_mistake) {
    FiloPattern pattern = { 0 };
    expect_fault("there are patterns of 4 × 4, 8 × 8 and 16 × 16 points, not of 5 × 5",
                 pattern = filo_pattern(5, 0));
    assert_null(pattern.points);
    expect_fault("pass an index below that, not 1000", pattern = filo_pattern(8, 1000));
    assert_int_equal(pattern.n, 0);
    expect_fault("not of 0 × 0", pattern = filo_pattern_for(0, 1, 2));
    assert_null(pattern.points);
}

// ---- The test of a pattern ----------------------------------------------------------------------------

typedef struct Copy {
    FiloVec2 points[FILO_PATTERN_MAX * FILO_PATTERN_MAX];
    FiloPattern pattern;
} Copy;

static void copy_pattern(Copy *copy, int n) {
    copy->pattern = filo_pattern(n, 0);
    memcpy(copy->points, copy->pattern.points, (size_t)(n * n) * sizeof copy->points[0]);
    copy->pattern.points = copy->points;
    assert_ok(filo_pattern_check(&copy->pattern));
}

static void expect_refused(const Copy *copy, const char *text) {
    assert_error(filo_pattern_check(&copy->pattern), FILO_ERROR_DATA, text);
}

FILO_TEST(check_names_a_point_that_is_not_finite_or_not_in_the_cell) {
    Copy copy;
    copy_pattern(&copy, 8);
    copy.points[11].x = NAN;
    expect_refused(&copy, "pattern: point 11 at (nan, ");
    expect_refused(&copy, "is not finite (row 1, column 3)");
    assert_true(filo_pattern_min_distance(&copy.pattern) == 0);
    copy_pattern(&copy, 8);
    copy.points[63].y = INFINITY;
    expect_refused(&copy, ", inf) is not finite (row 7, column 7)");
    copy_pattern(&copy, 8);
    copy.points[0] = filo_vec2(-0.25f, 1);
    expect_refused(&copy, "pattern: point 0 at (-0.25, 1) is not in the cell, from 0 to below its width");
    copy_pattern(&copy, 8);
    copy.points[9] = filo_vec2(1, copy.pattern.size);
    expect_refused(&copy, "pattern: point 9 at (1, 9.59375) is not in the cell");
    assert_true(filo_pattern_min_distance(&copy.pattern) == 0);
}

// Points of a grid, 1.25 apart.
static void make_grid(Copy *copy) {
    copy->pattern = (FiloPattern){ 4, 5, copy->points };
    for (int i = 0; i < 16; i++)
        copy->points[i] = filo_vec2((float)(i % 4) * 1.25f + 0.5f, (float)(i / 4) * 1.25f + 0.5f);
    assert_ok(filo_pattern_check(&copy->pattern));
    assert_true(filo_pattern_min_distance(&copy->pattern) == 1.25f);
}

FILO_TEST(check_names_two_points_that_are_too_near) {
    Copy copy;
    make_grid(&copy);
    copy.points[6].x = copy.points[5].x + 0.75f;
    expect_refused(
        &copy, "pattern: point 5 at (1.75, 1.75) and point 6 at (2.5, 1.75) are 0.75 footprints apart, less "
               "than 1 (cells repeat every 5)");
    assert_true(filo_pattern_min_distance(&copy.pattern) == 0.75f);
}

FILO_TEST(check_measures_across_the_border) {
    Copy copy;
    make_grid(&copy);
    copy.points[0] = filo_vec2(0, 0);
    copy.points[15] = filo_vec2(4.75f, 4.75f);
    copy.points[3] = filo_vec2(4.25f, 1);
    copy.points[12] = filo_vec2(1, 4.25f);
    expect_refused(&copy, "point 0 at (0, 0) and point 15 at (4.75, 4.75) are 0.3535");
}

FILO_TEST(a_distance_of_exactly_one_is_allowed_and_the_next_float_below_is_not) {
    Copy copy;
    copy.pattern = (FiloPattern){ 4, 4, copy.points };
    for (int i = 0; i < 16; i++) copy.points[i] = filo_vec2((float)(i % 4), (float)(i / 4));
    assert_ok(filo_pattern_check(&copy.pattern));
    copy.points[1].x = nextafterf(1, 0);
    expect_refused(&copy, "are 0.99999994 footprints apart");
}

FILO_TEST(check_refuses_a_number_of_points_or_a_size_that_is_not_valid) {
    Copy copy;
    copy_pattern(&copy, 8);
    copy.pattern.n = 5;
    expect_refused(&copy, "pattern: it must have 4 × 4, 8 × 8 or 16 × 16 points, not 5 × 5");
    assert_true(filo_pattern_min_distance(&copy.pattern) == 0);
    static const float wrong[] = { 0, -9, NAN, INFINITY };
    for (size_t i = 0; i < FILO_COUNT_OF(wrong); i++) {
        copy_pattern(&copy, 8);
        copy.pattern.size = wrong[i];
        expect_refused(&copy, "it must be positive and finite");
        assert_true(filo_pattern_min_distance(&copy.pattern) == 0);
    }
    Copy small = { .pattern = { 4, 0x1p-140f, small.points } }; // all points at 0
    expect_refused(&small, "are 0 footprints apart");
}

FILO_TEST(a_pattern_without_points_is_a_mistake) {
    FiloPattern empty = { 8, 10, NULL };
    expect_mistake("pass a pattern with its points", filo_pattern_check(NULL));
    expect_mistake("pass a pattern with its points", filo_pattern_check(&empty));
    expect_fault("pass a pattern with its points", assert_true(filo_pattern_min_distance(NULL) == 0));
    expect_fault("pass a pattern with its points", assert_true(filo_pattern_min_distance(&empty) == 0));
}

// ---- Making -------------------------------------------------------------------------------------------

FILO_TEST(made_patterns_keep_the_distance) {
    for (size_t k = 0; k < FILO_COUNT_OF(sizes); k++)
        for (uint64_t seed = 0; seed < (sizes[k] == 16 ? 2 : 20); seed++) {
            static const float spacings[] = { 1.07f, 1.2f, 2.5f, 63.9f };
            int n = sizes[k];
            float spacing = spacings[seed % FILO_COUNT_OF(spacings)];
            FiloVec2 points[FILO_PATTERN_MAX * FILO_PATTERN_MAX];
            FiloPattern pattern = { n, (float)n * spacing, points };
            assert_ok(filo_pattern_make(points, n, pattern.size, seed * 1000003));
            assert_ok(filo_pattern_check(&pattern));
            assert_true(filo_pattern_min_distance(&pattern) >=
                        FILO_PATTERN_DISTANCE * fmaxf(1, spacing / 1.2f));
        }
}

FILO_TEST(an_attempt_that_jams_is_followed_by_another) {
    FiloVec2 points[16];
    FiloPattern pattern = { 4, 4.28f, points };
    assert_ok(
        filo_pattern_make(points, 4, pattern.size, 736)); // its first attempt does not reach the distance
    assert_ok(filo_pattern_check(&pattern));
}

FILO_TEST(a_cell_that_is_too_small_or_too_large_is_refused_and_the_points_are_left_alone) {
    FiloVec2 points[FILO_PATTERN_MAX * FILO_PATTERN_MAX] = { { 3, 4 } };
    assert_error(filo_pattern_make(points, 8, 7.9f, 1), FILO_ERROR_LIMIT,
                 "pattern: found no 8 × 8 points that are a footprint apart in a cell 7.9 footprints wide; "
                 "make it 8.56 or "
                 "wider");
    assert_error(filo_pattern_make(points, 8, 1e-30f, 1), FILO_ERROR_LIMIT, "pattern: found no 8 × 8 points");
    assert_error(filo_pattern_make(points, 8, 1025, 1), FILO_ERROR_LIMIT,
                 "pattern: a cell 1025 footprints wide is wider than 1024");
    assert_true(points[0].x == 3 && points[0].y == 4 && points[63].x == 0);
}

FILO_TEST(mistakes_of_making_are_reported) {
    FiloVec2 points[FILO_PATTERN_MAX * FILO_PATTERN_MAX];
    expect_mistake("pass an array for n × n points", filo_pattern_make(NULL, 8, 10, 1));
    expect_mistake("make a pattern of 4 × 4, 8 × 8 or 16 × 16 points, not of 5 × 5",
                   filo_pattern_make(points, 5, 10, 1));
    expect_mistake("positive and finite, not nan", filo_pattern_make(points, 8, NAN, 1));
    expect_mistake("positive and finite, not 0", filo_pattern_make(points, 8, 0, 1));
    expect_mistake("positive and finite, not inf", filo_pattern_make(points, 8, INFINITY, 1));
}

static uint64_t hash_made(int n, float size, uint64_t seed) {
    FiloVec2 points[FILO_PATTERN_MAX * FILO_PATTERN_MAX];
    assert_ok(filo_pattern_make(points, n, size, seed));
    FiloHasher hasher;
    filo_hasher_init(&hasher, 0);
    for (int i = 0; i < n * n; i++) {
        filo_hasher_add_u32(&hasher, filo_float_to_bits(points[i].x));
        filo_hasher_add_u32(&hasher, filo_float_to_bits(points[i].y));
    }
    return filo_hasher_finish(&hasher);
}

FILO_TEST(made_patterns_match_their_golden_hashes) {
    static const struct {
        int n;
        float size;
        uint64_t seed, hash;
    } golden[] = { { 4, 4.796875f, 0, 0x8c6548aeb6943491 },
                   { 8, 9.59375f, 0, 0xe48303444205c6bf },
                   { 8, 9.6f, UINT64_MAX, 0x77286c4c2c4d3fbd },
                   { 8, 33.3f, 1, 0x6c62654de5da4f58 },
                   { 16, 17.2f, 1, 0x502cb06611510d53 } };
    bool same = true;
    for (size_t i = 0; i < FILO_COUNT_OF(golden); i++) {
        uint64_t hash = hash_made(golden[i].n, golden[i].size, golden[i].seed);
        if (hash != golden[i].hash) print_error("%zu: 0x%016llx\n", i, (unsigned long long)hash);
        same = same && hash == golden[i].hash;
    }
    assert_true(same);
}
