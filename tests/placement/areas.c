// Areas: which are refused, and what the limits are.

#include "placement/placing.h"

#include "support/failing_allocator.h"

#include <math.h>

static const uint8_t one = 255;

// One layer of everything, with this footprint.
static FiloPlacement *everywhere(float footprint, const FiloAllocator *allocator) {
    FiloPlacementDesc *desc = calloc(1, sizeof *desc);
    assert_non_null(desc);
    desc->size = (FiloVec3){ 1e7f, 1e7f, 100 };
    desc->footprints[0].footprint = footprint;
    desc->footprints[0].pattern = filo_pattern(8, 2);
    desc->footprints[0].layers[0].density = placing_density(&one, 1);
    desc->allocator = allocator;
    FiloPlacement *placement = placing_create(desc);
    free(desc);
    return placement;
}

// ---- Refused ------------------------------------------------------------------------------------------------

static void assert_refused(float footprint, FiloPlacementArea area, FiloCode code, const char *message) {
    FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
    FiloPlacement *placement = everywhere(footprint, &failing.allocator);
    size_t calls = failing.calls;
    FiloPlacementResult result = { .count = 5 };
    FiloPlacementRequest request = { .area = area };
    FiloResult r = filo_placement_compute(placement, &request, &result);
    assert_int_equal(r.code, code);
    assert_string_equal(r.message, message);
    assert_int_equal(result.count, 0);
    assert_int_equal(failing.calls, calls); // nothing was allocated
    filo_placement_destroy(placement);
}

FILO_TEST(areas_without_ground_are_refused) {
    assert_refused(1, (FiloPlacementArea){ 5, 0, 5, 10 }, FILO_ERROR_DATA,
                   "the area 5, 0 to 5, 10 is empty: its lower corner comes first");
    assert_refused(1, (FiloPlacementArea){ 0, 0, 0, 0 }, FILO_ERROR_DATA,
                   "the area 0, 0 to 0, 0 is empty: its lower corner comes first");
    assert_refused(1, (FiloPlacementArea){ 0, 10, 10, -10 }, FILO_ERROR_DATA,
                   "the area 0, 10 to 10, -10 is empty: its lower corner comes first");
    assert_refused(1, (FiloPlacementArea){ 0, 0, fabs((double)NAN), 1 }, FILO_ERROR_DATA,
                   "the area 0, 0 to nan, 1 is not within 1e+08 metres of the origin");
    assert_refused(1, (FiloPlacementArea){ -(double)INFINITY, 0, 1, 1 }, FILO_ERROR_DATA,
                   "the area -inf, 0 to 1, 1 is not within 1e+08 metres of the origin");
    assert_refused(1, (FiloPlacementArea){ 0, 0, 1, 2e8 }, FILO_ERROR_DATA,
                   "the area 0, 0 to 1, 2e+08 is not within 1e+08 metres of the origin");
}

FILO_TEST(areas_that_are_too_large_are_refused) {
    // 10¹² candidates.
    assert_refused(
        1, (FiloPlacementArea){ 0, 0, 1.2e6, 1.2e6 }, FILO_ERROR_LIMIT,
        "an area of 1.2e+06 × 1.2e+06 metres has more than the 268435456 candidates of one computation "
        "at a footprint of 1: divide it");
    assert_refused(
        0.01f, (FiloPlacementArea){ -1e8, -1e8, 1e8, 1e8 }, FILO_ERROR_LIMIT,
        "an area of 2e+08 × 2e+08 metres has more than the 268435456 candidates of one computation at a "
        "footprint of 0.01: divide it");
    assert_refused(1, (FiloPlacementArea){ 0, 0, 2e5, 5 }, FILO_ERROR_LIMIT,
                   "an area of 200000 × 5 metres is wider than 254 blocks of 614 metres: divide it");
    assert_refused(1, (FiloPlacementArea){ 0, -1e5, 5, 1e5 }, FILO_ERROR_LIMIT,
                   "an area of 5 × 200000 metres is wider than 254 blocks of 614 metres: divide it");
}

FILO_TEST(paths_that_are_none_are_refused) {
    FiloPlacement *placement = everywhere(1, NULL);
    FiloPlacementResult result = { 0 };
    FiloPlacementRequest request = { .area = { 0, 0, 5, 5 }, .path = (FiloPlacementPath)4 };
    assert_error(filo_placement_compute(placement, &request, &result), FILO_ERROR_DATA, "the path 4 is none");
    const char *missing = "pass a placement, a request, and a result that is all zero at first";
    expect_mistake(missing, filo_placement_compute(NULL, &request, &result));
    expect_mistake(missing, filo_placement_compute(placement, NULL, &result));
    expect_mistake(missing, filo_placement_compute(placement, &request, NULL));
    filo_placement_destroy(placement);
}

FILO_TEST(areas_that_are_too_large_to_compare_footprints_are_refused) {
    Forest *forest = forest_new(1);
    assert_non_null(forest);
    memset(forest->desc.footprints, 0, sizeof forest->desc.footprints);
    for (int f = 0; f < 2; f++) {
        forest->desc.footprints[f].footprint = f == 0 ? 20 : 1;
        forest->desc.footprints[f].layers[0].density.map = forest_bytes(forest, f);
    }
    // A reference that is far away is no problem, and the widest area that is possible neither.
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloPlacementResult result = { 0 };
    FiloPlacementRequest request = { .area = { -9.9e7, 9.9e7, -9.9e7 + 150000, 9.9e7 + 2 } };
    assert_ok(filo_placement_compute(placement, &request, &result));
    assert_true(result.count > 10000);
    for (size_t i = 0; i < result.count; i++) {
        FiloPlacementPosition at = filo_placement_position(&result, &result.objects[i]);
        assert_true(at.x >= request.area.x0 && at.x < request.area.x1 && at.y >= request.area.y0);
    }
    // With the larger one alone, an area may be wider.
    request.area.x1 = request.area.x0 + 200000;
    assert_error(filo_placement_compute(placement, &request, &result), FILO_ERROR_LIMIT,
                 "is wider than 254 blocks");
    request.footprints = 1;
    assert_ok(filo_placement_compute(placement, &request, &result));
    filo_placement_destroy(placement);
    // Units of 1/32768 metre, for the third one: 2³⁰ of them are 32 kilometres.
    forest->desc.footprints[1].footprint = 20;
    forest->desc.footprints[2].footprint = 0.01f;
    for (int f = 0; f < 3; f++) {
        forest->desc.footprints[f].layers[0].density.map = forest_bytes(forest, f);
        forest->desc.footprints[f].layers[0].radius = 0.005f;
    }
    placement = placing_create(&forest->desc);
    request = (FiloPlacementRequest){ .area = { 0, 0, 40000, 1 }, .footprints = 2 };
    assert_error(filo_placement_compute(placement, &request, &result), FILO_ERROR_LIMIT,
                 "the area is too large to compare footprints in it: divide it");
    filo_placement_result_free(&result);
    filo_placement_destroy(placement);
    free(forest);
}

FILO_TEST(footprints_that_do_not_exist_cannot_be_requested) {
    Forest *forest = forest_new(1);
    assert_non_null(forest);
    forest->desc.footprints[1].footprint = 0.7f;
    forest->desc.footprints[1].layers[0].density.map = forest_words(forest);
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloPlacementResult result = { 0 };
    FiloPlacementRequest request = { .area = { 0, 0, 20, 20 }, .footprints = 3 };
    assert_ok(filo_placement_compute(placement, &request, &result));
    request.footprints = 4;
    assert_error(filo_placement_compute(placement, &request, &result), FILO_ERROR_DATA,
                 "the request wants the footprints 0x4, and there are 2: bits 0 to 1");
    assert_int_equal(result.count, 0);
    request.footprints = UINT32_MAX;
    assert_error(filo_placement_compute(placement, &request, &result), FILO_ERROR_DATA,
                 "the request wants the footprints 0xffffffff, and there are 2: bits 0 to 1");
    filo_placement_result_free(&result);
    filo_placement_destroy(placement);
    free(forest);
}

// ---- Small and exact ----------------------------------------------------------------------------------------

// The objects of [x0, x1) × [y0, y1) among those of a larger result, by their positions.
static size_t count_inside(const FiloPlacementResult *result, FiloPlacementArea area) {
    size_t count = 0;
    for (size_t i = 0; i < result->count; i++) {
        FiloPlacementPosition at = filo_placement_position(result, &result->objects[i]);
        count += at.x >= area.x0 && at.x < area.x1 && at.y >= area.y0 && at.y < area.y1;
    }
    return count;
}

FILO_TEST(areas_may_end_exactly_where_cells_blocks_and_objects_are) {
    FiloPlacement *placement = everywhere(1.75f, NULL);
    double cell = filo_placement_cell_size(placement, 0), block = cell * FILO_PLACEMENT_BLOCK;
    for (int sign = -1; sign <= 1; sign += 2) {
        double x = sign * block, y = sign * 3 * block;
        FiloPlacementResult around =
            placing_area(placement, x - 2 * cell, y - 2 * cell, x + 2 * cell, y + 2 * cell);
        assert_int_equal(around.count, 4 * 4 * 64);
        // Whole cells on both sides of a border of blocks.
        for (int left = -2; left < 2; left++)
            for (int right = left + 1; right <= 2; right++) {
                FiloPlacementResult part = placing_area(placement, x + left * cell, y + left * cell,
                                                        x + right * cell, y + right * cell);
                assert_int_equal(part.count, (right - left) * (right - left) * 64);
                filo_placement_result_free(&part);
            }
        // From the position of one object to that of another: lower inclusive, upper exclusive.
        for (size_t i = 0; i + 1 < around.count; i += 7) {
            FiloPlacementPosition a = filo_placement_position(&around, &around.objects[i]);
            FiloPlacementPosition b =
                filo_placement_position(&around, &around.objects[(i * 13 + 5) % around.count]);
            FiloPlacementArea area = { fmin(a.x, b.x), fmin(a.y, b.y), fmax(a.x, b.x), fmax(a.y, b.y) };
            if (area.x0 == area.x1 || area.y0 == area.y1) continue;
            FiloPlacementResult part = placing_request(placement, (FiloPlacementRequest){ .area = area });
            assert_int_equal(part.count, count_inside(&around, area));
            filo_placement_result_free(&part);
        }
        filo_placement_result_free(&around);
    }
    filo_placement_destroy(placement);
}

FILO_TEST(the_smallest_area_around_an_object_has_it_and_nothing_else) {
    FiloPlacement *placement = everywhere(1.75f, NULL);
    static const double corners[] = { 0, -700, 100000, -9e7 };
    for (size_t c = 0; c < FILO_COUNT_OF(corners); c++) {
        double from = corners[c];
        FiloPlacementResult around = placing_area(placement, from, from, from + 40, from + 40);
        assert_true(around.count > 200);
        for (size_t i = 0; i < around.count; i += 5) {
            FiloPlacementPosition at = filo_placement_position(&around, &around.objects[i]);
            double next_x = nextafter(at.x, INFINITY), next_y = nextafter(at.y, INFINITY);
            FiloPlacementResult exact = placing_area(placement, at.x, at.y, next_x, next_y);
            assert_int_equal(exact.count, 1);
            assert_memory_equal(&exact.objects[0], &around.objects[i], sizeof(FiloPlaced));
            filo_placement_result_free(&exact);
            exact = placing_area(placement, next_x, at.y, next_x + 0.1, next_y);
            assert_int_equal(exact.count, 0);
            filo_placement_result_free(&exact);
        }
        filo_placement_result_free(&around);
    }
    filo_placement_destroy(placement);
}

// Rows of more objects than lanes of bytes can count.
FILO_TEST(wide_areas_are_counted_on_all_paths) {
    FiloPlacement *placement = everywhere(1, NULL);
    double cell = filo_placement_cell_size(placement, 0);
    for (int path = FILO_PLACEMENT_BEST; path <= FILO_PLACEMENT_AVX2; path++) {
        FiloPlacementRequest request = { .area = { 0, 0, 400 * cell, 2 * cell },
                                         .path = (FiloPlacementPath)path };
        FiloPlacementResult result = placing_request(placement, request);
        assert_int_equal(result.count, 400 * 2 * 64);
        filo_placement_result_free(&result);
    }
    filo_placement_destroy(placement);
}

FILO_TEST(areas_without_candidates_have_empty_results) {
    FiloPlacement *placement = everywhere(10, NULL);
    FiloJobs *jobs = NULL;
    assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 2 }));
    size_t empty = 0;
    for (int i = 0; i < 100; i++) {
        FiloPlacementRequest request = { .area = { i * 0.5, 3, i * 0.5 + 1e-3, 3.001 },
                                         .jobs = i % 2 == 0 ? jobs : NULL };
        request.path = (FiloPlacementPath)(i % 4);
        FiloPlacementResult result = placing_request(placement, request);
        empty += result.count == 0;
        for (size_t l = 0; l < 4; l++)
            assert_int_equal(filo_placement_result_count(&result, l), l == 0 ? result.count : 0);
        filo_placement_result_free(&result);
    }
    assert_true(empty > 95);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    filo_placement_destroy(placement);
}

// ---- Extremes -----------------------------------------------------------------------------------------------

// The smallest footprint in the largest world, at its corners; the largest footprint in the smallest world.
FILO_TEST(extremes_that_are_accepted_work) {
    enum { MOST = 1 << 20 };
    static uint8_t wide[MOST];
    for (int i = 0; i < MOST; i++) wide[i] = i % 2 == 0 ? 255 : 0;
    static const struct {
        float footprint, world;
        double corner, size;
    } cases[] = {
        { 0.01f, 1e7f, -1e7, 0.5 }, { 0.01f, 1e7f, 1e7, 0.5 },  { 0.01f, 0.01f, 0, 0.5 },
        { 10000, 0.01f, 1e7, 5e5 }, { 10000, 1e7f, -1e7, 5e5 }, { 1, 1e7f, 0, 50 },
        { 10000, 1e7f, 0, 5e5 },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        FiloPlacementDesc *desc = calloc(1, sizeof *desc);
        desc->size = (FiloVec3){ cases[i].world, cases[i].world, 1e4f };
        desc->corner_x = cases[i].corner, desc->corner_y = -cases[i].corner;
        // The widest and the highest map.
        FiloTerrainMap row = { .data = wide, .width = MOST, .height = 1 };
        FiloTerrainMap column = { .data = wide, .width = 1, .height = MOST };
        desc->height = row;
        for (int l = 0; l < 4; l++) {
            desc->footprints[0].layers[l].density.map = l < 2    ? row
                                                        : l == 2 ? column
                                                                 : placing_constant(wide);
            desc->footprints[0].layers[l].density.filter = l % 2 == 0 ? FILO_MAP_BILINEAR : FILO_MAP_NEAREST;
            desc->footprints[0].layers[l].density.scale = 0.25f;
        }
        desc->footprints[0].footprint = cases[i].footprint;
        FiloPlacement *placement = placing_create(desc);
        const double places[] = { cases[i].corner, cases[i].corner + (double)cases[i].world, -9.9e7, 9.9e7,
                                  0 };
        for (size_t k = 0; k < FILO_COUNT_OF(places); k++) {
            FiloPlacementRequest request = { .area = { places[k], -places[k], places[k] + cases[i].size,
                                                       -places[k] + cases[i].size } };
            FiloPlacementResult result = placing_request(placement, request);
            assert_true(result.count > 100);
            request.path = FILO_PLACEMENT_SCALAR;
            FiloPlacementResult scalar = placing_request(placement, request);
            placing_assert_same(&result, &scalar);
            filo_placement_result_free(&scalar);
            for (size_t o = 0; o < result.count; o += 17) {
                FiloPlacementPosition at = filo_placement_position(&result, &result.objects[o]);
                FiloPlacementPosition named =
                    filo_placement_id_position(placement, filo_placement_id(&result, &result.objects[o]));
                assert_true(at.x == named.x && at.y == named.y);
                assert_true(at.x >= request.area.x0 && at.x < request.area.x1);
                (void)filo_placement_variant(&result, &result.objects[o]);
                (void)filo_placement_normal(placement, at.x, at.y);
            }
            filo_placement_result_free(&result);
        }
        filo_placement_destroy(placement);
        free(desc);
    }
}

// Footprints that differ as much as is accepted, on both sides of a border of the larger blocks.
FILO_TEST(footprints_that_differ_most_keep_apart) {
    FiloPlacementDesc *desc = calloc(1, sizeof *desc);
    desc->size = (FiloVec3){ 1e6f, 1e6f, 100 };
    desc->footprints[0].footprint = 425;
    desc->footprints[0].layers[0].density = placing_density(&one, 1);
    desc->footprints[0].layers[0].radius = 4;
    desc->footprints[1].footprint = 0.1f;
    desc->footprints[1].layers[0].density = placing_density(&one, 1);
    FiloPlacement *placement = placing_create(desc);
    double block = filo_placement_cell_size(placement, 0) * FILO_PLACEMENT_BLOCK;
    assert_true(block < 262144 && block > 260000);
    FiloPlacementRequest request = { .area = { block - 600, -block - 600, block + 600, -block + 600 },
                                     .footprints = 1 };
    FiloPlacementResult large = placing_request(placement, request);
    assert_true(large.count > 2);
    for (size_t i = 0; i < large.count; i++) {
        FiloPlacementPosition at = filo_placement_position(&large, &large.objects[i]);
        FiloPlacementResult small = placing_area(placement, at.x - 5, at.y - 5, at.x + 5, at.y + 5);
        double nearest = 1e9;
        for (size_t k = small.first[1]; k < small.count; k++) {
            FiloPlacementPosition other = filo_placement_position(&small, &small.objects[k]);
            nearest = fmin(nearest, hypot(other.x - at.x, other.y - at.y));
        }
        assert_int_equal(small.first[1], 1);
        // Positions in so wide a block are multiples of 1/64 metre.
        assert_true(nearest > 4.05 - 0.01 && nearest < 4.05 + 0.2);
        filo_placement_result_free(&small);
    }
    filo_placement_result_free(&large);
    filo_placement_destroy(placement);
    free(desc);
}
