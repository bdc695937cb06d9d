// Placing objects: against a reference that is written from the method alone, and all paths against each other.

#include "support/test.h"

#include "placement/placing.h"

#include <math.h>

static void compute(const FiloPlacement *placement, FiloPlacementRequest request,
                    FiloPlacementResult *result) {
    assert_ok(filo_placement_compute(placement, &request, result));
}

// ---- The method ---------------------------------------------------------------------------------------------

static const int bayer4[4][4] = { { 0, 8, 2, 10 }, { 12, 4, 14, 6 }, { 3, 11, 1, 9 }, { 15, 7, 13, 5 } };

static double threshold8(int x, int y) {
    static const int add[2][2] = { { 0, 2 }, { 3, 1 } };
    return (4 * bayer4[y % 4][x % 4] + add[y / 4][x / 4]) / 64.0;
}

static int modulus(int a, int n) { return (a % n + n) % n; }

// In doubles, for nearest maps of bytes: every candidate of the cells of an area.
static size_t reference(const Forest *forest, FiloPattern pattern, FiloPlacementArea area, double (*found)[3],
                        int *layers, size_t capacity) {
    double h = (double)forest->desc.footprints[0].footprint, l = (double)pattern.size,
           w = (double)forest->desc.size.x;
    size_t count = 0;
    int first_x = (int)floor(area.x0 / (l * h)) - 1, last_x = (int)ceil(area.x1 / (l * h));
    int first_y = (int)floor(area.y0 / (l * h)) - 1, last_y = (int)ceil(area.y1 / (l * h));
    for (int layer = 0; layer < 4; layer++)
        for (int gy = first_y; gy <= last_y; gy++)
            for (int gx = first_x; gx <= last_x; gx++)
                for (int i = 0; i < 64; i++) {
                    double x = (l * gx + (double)pattern.points[i].x) * h,
                           y = (l * gy + (double)pattern.points[i].y) * h;
                    if (x < area.x0 || x >= area.x1 || y < area.y0 || y >= area.y1) continue;
                    int tx = (int)floor(x / w * FOREST_SIDE), ty = (int)floor(y / w * FOREST_SIDE);
                    tx = tx < 0 ? 0 : tx >= FOREST_SIDE ? FOREST_SIDE - 1 : tx;
                    ty = ty < 0 ? 0 : ty >= FOREST_SIDE ? FOREST_SIDE - 1 : ty;
                    double sum = 0, threshold = threshold8(modulus(i % 8 + gx, 8), modulus(i / 8 + gy, 8));
                    int winner = -1;
                    for (int k = 0; k < 4 && winner < 0; k++) {
                        sum += forest->bytes[k][ty * FOREST_SIDE + tx] / 255.0;
                        if (sum > threshold) winner = k;
                    }
                    if (winner != layer) continue;
                    assert_true(count < capacity);
                    found[count][0] = x, found[count][1] = y, layers[count] = layer;
                    count++;
                }
    return count;
}

static void compare_with_reference(FiloPlacementArea area) {
    enum { CAPACITY = 40000 };
    Forest *forest = forest_new(5);
    assert_non_null(forest);
    FiloPattern pattern = filo_pattern(8, 3);
    forest->desc.footprints[0].pattern = pattern;
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloPlacementResult result = { 0 };
    compute(placement, (FiloPlacementRequest){ .area = area }, &result);
    double(*found)[3] = malloc(CAPACITY * sizeof *found);
    int *layers = malloc(CAPACITY * sizeof *layers);
    size_t count = reference(forest, pattern, area, found, layers, CAPACITY);
    assert_true(count > 1000);
    assert_int_equal(result.count, count);
    for (size_t i = 0; i < count; i++) {
        FiloPlacementPosition at = filo_placement_position(&result, &result.objects[i]);
        assert_true(fabs(at.x - found[i][0]) < 1e-4 && fabs(at.y - found[i][1]) < 1e-4);
        assert_int_equal(result.objects[i].layer, layers[i]);
    }
    free(found), free(layers);
    filo_placement_result_free(&result);
    filo_placement_destroy(placement);
    free(forest);
}

FILO_TEST(objects_are_where_the_method_says) {
    compare_with_reference((FiloPlacementArea){ 20, 30, 140, 200 });
}
FILO_TEST(negative_coordinates_are_like_others) {
    compare_with_reference((FiloPlacementArea){ -90, -70, 60, 50 });
}

// ---- Paths --------------------------------------------------------------------------------------------------

FILO_TEST(all_paths_give_the_same_bytes) {
    FiloRandom random = filo_random_sequence(11);
    size_t total = 0;
    for (int round = 0; round < 60; round++) {
        Forest *forest = forest_new((uint64_t)round);
        assert_non_null(forest);
        forest_random_desc(forest, &random);
        FiloPlacement *placement = placing_create(&forest->desc);
        FiloPlacementArea area = forest_random_area(&random);
        FiloPlacementResult results[4] = { 0 };
        for (int path = 0; path < 4; path++)
            compute(placement, (FiloPlacementRequest){ .area = area, .path = (FiloPlacementPath)path },
                    &results[path]);
        for (int path = 1; path < 4; path++) placing_assert_same(&results[0], &results[path]);
        total += results[0].count;
        for (int path = 0; path < 4; path++) filo_placement_result_free(&results[path]);
        filo_placement_destroy(placement);
        free(forest);
    }
    assert_true(total > 10000);
}

static int compare_objects(const void *a, const void *b) { return memcmp(a, b, sizeof(FiloPlaced)); }

FILO_TEST(the_parts_of_an_area_are_the_whole) {
    FiloRandom random = filo_random_sequence(12);
    for (int round = 0; round < 40; round++) {
        Forest *forest = forest_new((uint64_t)round);
        assert_non_null(forest);
        forest_random_desc(forest, &random);
        FiloPlacement *placement = placing_create(&forest->desc);
        FiloPlacementArea area = forest_random_area(&random);
        FiloPlacementResult whole = { 0 }, part = { 0 };
        compute(placement, (FiloPlacementRequest){ .area = area }, &whole);
        FiloPlaced *parts = malloc((whole.count + 1) * sizeof *parts);
        size_t count = 0;
        double xs[4] = { area.x0, 0, 0, area.x1 }, ys[4] = { area.y0, 0, 0, area.y1 };
        xs[1] = area.x0 + (area.x1 - area.x0) * (double)filo_random_float_range(&random, 0.1f, 0.5f);
        xs[2] = area.x0 + (area.x1 - area.x0) * (double)filo_random_float_range(&random, 0.6f, 0.9f);
        ys[1] = area.y0 + (area.y1 - area.y0) * (double)filo_random_float_range(&random, 0.1f, 0.5f);
        ys[2] = area.y0 + (area.y1 - area.y0) * (double)filo_random_float_range(&random, 0.6f, 0.9f);
        for (int i = 0; i < 9; i++) {
            FiloPlacementArea piece = { xs[i % 3], ys[i / 3], xs[i % 3 + 1], ys[i / 3 + 1] };
            compute(placement, (FiloPlacementRequest){ .area = piece }, &part);
            assert_true(count + part.count <= whole.count);
            if (part.count > 0) memcpy(parts + count, part.objects, part.count * sizeof *parts);
            count += part.count;
        }
        assert_int_equal(count, whole.count);
        if (count > 0) {
            qsort(parts, count, sizeof *parts, compare_objects);
            qsort(whole.objects, count, sizeof *parts, compare_objects);
            assert_memory_equal(parts, whole.objects, count * sizeof *parts);
        }
        free(parts);
        filo_placement_result_free(&whole);
        filo_placement_result_free(&part);
        filo_placement_destroy(placement);
        free(forest);
    }
}

FILO_TEST(any_number_of_threads_gives_the_same_bytes) {
    FiloRandom random = filo_random_sequence(13);
    for (int threads = 1; threads <= 16; threads *= 2) {
        FiloJobs *jobs = NULL;
        assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = threads }));
        for (int round = 0; round < 6; round++) {
            Forest *forest = forest_new((uint64_t)round);
            assert_non_null(forest);
            forest_random_desc(forest, &random);
            FiloPlacement *placement = placing_create(&forest->desc);
            FiloPlacementArea area = forest_random_area(&random);
            FiloPlacementResult one = { 0 }, many = { 0 };
            compute(placement, (FiloPlacementRequest){ .area = area }, &one);
            compute(placement, (FiloPlacementRequest){ .area = area, .jobs = jobs }, &many);
            placing_assert_same(&one, &many);
            filo_placement_result_free(&one);
            filo_placement_result_free(&many);
            filo_placement_destroy(placement);
            free(forest);
        }
        filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    }
}

FILO_TEST(baked_maps_give_the_same_bytes) {
    FiloRandom random = filo_random_sequence(14);
    for (int layers = 1; layers <= 9; layers++) {
        Forest *forest = forest_new((uint64_t)layers);
        assert_non_null(forest);
        FiloFootprint *footprint = &forest->desc.footprints[0];
        memset(footprint->layers, 0, sizeof footprint->layers);
        if (layers % 2 == 0) footprint->pattern = filo_pattern(4, 1);
        for (int l = 0; l < layers; l++) {
            FiloDensityMap *density = &footprint->layers[l].density;
            density->map = forest_bytes(forest, l % 4);
            density->filter = FILO_MAP_NEAREST;
            density->scale = filo_random_float_range(&random, -0.3f, 0.6f);
            density->min = -0.5f, density->max = 1;
        }
        FiloPlacement *placement = placing_create(&forest->desc);
        FiloPlacementResult plain = { 0 }, baked = { 0 };
        FiloPlacementArea area = { -20, 10, 170, 190 };
        compute(placement, (FiloPlacementRequest){ .area = area }, &plain);
        assert_ok(filo_placement_bake(placement, 0, NULL));
        for (int path = FILO_PLACEMENT_SCALAR; path <= FILO_PLACEMENT_AVX2; path++) {
            compute(placement, (FiloPlacementRequest){ .area = area, .path = (FiloPlacementPath)path },
                    &baked);
            placing_assert_same(&plain, &baked);
        }
        filo_placement_unbake(placement, 0);
        compute(placement, (FiloPlacementRequest){ .area = area }, &baked);
        placing_assert_same(&plain, &baked);
        assert_true(plain.count > 100);
        filo_placement_result_free(&plain);
        filo_placement_result_free(&baked);
        filo_placement_destroy(placement);
        free(forest);
    }
}
