// Combining maps beforehand.

#include "placement/placing.h"

#include "support/failing_allocator.h"

static const FiloPlacementArea area = { -20, 10, 120, 140 };

static FiloPlacementResult place(const FiloPlacement *placement) {
    return placing_request(placement, (FiloPlacementRequest){ .area = area });
}

static void assert_baked_like(const FiloPlacement *placement, const FiloPlacementResult *plain) {
    FiloPlacementResult baked = place(placement);
    placing_assert_same(plain, &baked);
    filo_placement_result_free(&baked);
}

FILO_TEST(combined_maps_are_as_they_were_until_they_are_combined_again) {
    Forest *forest = forest_new(1);
    assert_non_null(forest);
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloJobs *jobs = NULL;
    assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 4 }));
    FiloPlacementResult before = place(placement);
    assert_ok(filo_placement_bake(placement, 0, jobs));
    for (int i = 0; i < FOREST_SIDE * FOREST_SIDE; i++)
        forest->bytes[1][i] = (uint8_t)(forest->bytes[1][i] / 2);
    FiloPlacementResult still = place(placement);
    placing_assert_same(&before, &still);
    assert_ok(filo_placement_bake(placement, 0, jobs));
    FiloPlacementResult after = place(placement);
    assert_true(after.count != before.count);
    filo_placement_unbake(placement, 0);
    filo_placement_unbake(placement, 0); // there is nothing left to undo
    filo_placement_result_free(&still);
    still = place(placement);
    placing_assert_same(&after, &still);
    filo_placement_result_free(&before);
    filo_placement_result_free(&still);
    filo_placement_result_free(&after);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    filo_placement_destroy(placement);
    free(forest);
}

// Every number of layers, with densities that are negative, that add up to more than 1, and that are exactly a level.
FILO_TEST(any_number_of_layers_can_be_combined) {
    FiloRandom random = filo_random_sequence(2);
    for (int layers = 1; layers <= FILO_PLACEMENT_LAYERS; layers += 3) {
        Forest *forest = forest_new((uint64_t)layers);
        assert_non_null(forest);
        FiloFootprint *footprint = &forest->desc.footprints[0];
        memset(footprint->layers, 0, sizeof footprint->layers);
        for (int l = 0; l < layers; l++) {
            FiloDensityMap *density = &footprint->layers[l].density;
            density->map = l % 3 == 2 ? forest_words(forest) : forest_bytes(forest, l % 4);
            density->filter = FILO_MAP_NEAREST;
            density->scale = (float)filo_random_range(&random, -20, 30) / 64;
            density->offset = (float)filo_random_range(&random, -8, 16) / 64;
            density->min = -64, density->max = 64;
        }
        FiloPlacement *placement = placing_create(&forest->desc);
        FiloPlacementResult plain = place(placement);
        assert_ok(filo_placement_bake(placement, 0, NULL));
        assert_baked_like(placement, &plain);
        filo_placement_result_free(&plain);
        filo_placement_destroy(placement);
        free(forest);
    }
}

// A footprint that is combined pushes others as before.
FILO_TEST(one_of_several_footprints_can_be_combined) {
    Forest *forest = forest_new(3);
    assert_non_null(forest);
    forest->desc.footprints[1].footprint = 0.8f;
    forest->desc.footprints[1].layers[0].density.map = forest_words(forest);
    forest->desc.footprints[1].layers[0].density.filter = FILO_MAP_NEAREST;
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloPlacementResult plain = place(placement);
    for (size_t f = 0; f < 2; f++) {
        assert_ok(filo_placement_bake(placement, f, NULL));
        assert_baked_like(placement, &plain);
    }
    filo_placement_result_free(&plain);
    filo_placement_destroy(placement);
    free(forest);
}

// ---- Refused ------------------------------------------------------------------------------------------------

static void assert_refused(const FiloPlacementDesc *desc, const char *message) {
    FiloPlacement *placement = placing_create(desc);
    FiloResult r = filo_placement_bake(placement, 0, NULL);
    assert_int_equal(r.code, FILO_ERROR_UNSUPPORTED);
    assert_string_equal(r.message, message);
    FiloPlacementResult result = place(placement); // as if nothing had been asked for
    assert_true(result.count > 100);
    filo_placement_result_free(&result);
    filo_placement_destroy(placement);
}

FILO_TEST(maps_that_cannot_be_combined_are_refused) {
    Forest *forest = forest_new(4);
    assert_non_null(forest);
    FiloFootprint *footprint = &forest->desc.footprints[0];
    footprint->name = "trees";
    footprint->layers[0].name = "oak", footprint->layers[1].name = "elm";
    footprint->layers[1].density.filter = FILO_MAP_BILINEAR;
    assert_refused(&forest->desc, "layer \"elm\": its map is blended; set FILO_MAP_NEAREST");
    footprint->layers[1].density.filter = FILO_MAP_NEAREST;
    footprint->layers[1].density.map.width = 64;
    assert_refused(&forest->desc, "layer \"elm\": its map is 64 × 128, and that of layer \"oak\" 128 × 128");
    footprint->layers[1].density.map.full_width = 128;
    assert_refused(&forest->desc, "layer \"elm\": its map is a window");
    footprint->layers[1].density.map = forest_bytes(forest, 1);
    footprint->pattern = filo_pattern(16, 0);
    assert_refused(&forest->desc, "footprint \"trees\": a pattern of 16 × 16 has more levels than a byte");
    free(forest);
}

FILO_TEST(mistakes_with_combining_are_reported) {
    Forest *forest = forest_new(5);
    assert_non_null(forest);
    FiloPlacement *placement = placing_create(&forest->desc);
    const char *none = "pass a placement, and the number of one of its footprints";
    expect_mistake(none, filo_placement_bake(NULL, 0, NULL));
    expect_mistake(none, filo_placement_bake(placement, 1, NULL));
    expect_fault(none, filo_placement_unbake(NULL, 0));
    expect_fault(none, filo_placement_unbake(placement, SIZE_MAX));
    filo_placement_destroy(placement);
    // Without memory, maps stay as they are.
    FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
    forest->desc.allocator = &failing.allocator;
    placement = placing_create(&forest->desc);
    failing_allow(&failing, 0);
    assert_error(filo_placement_bake(placement, 0, NULL), FILO_ERROR_MEMORY, "no memory to combine maps");
    assert_true(failing_end(&failing));
    FiloPlacementResult plain = place(placement);
    assert_ok(filo_placement_bake(placement, 0, NULL));
    assert_baked_like(placement, &plain);
    filo_placement_result_free(&plain);
    filo_placement_destroy(placement);
    assert_int_equal(failing.blocks, 0);
    free(forest);
}
