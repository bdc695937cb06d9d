// Several footprints of one placement.

#include "placement/placing.h"

#include <math.h>

static const uint8_t one = 255;

// Trees, bushes and grass: every footprint has a layer of bytes and one that is the same everywhere.
static void three_footprints(Forest *forest) {
    static const float sizes[] = { 3.5f, 1.75f, 0.6f };
    memset(forest->desc.footprints, 0, sizeof forest->desc.footprints);
    for (int f = 0; f < 3; f++) {
        FiloFootprint *footprint = &forest->desc.footprints[f];
        footprint->footprint = sizes[f];
        footprint->layers[0].density.map = forest_bytes(forest, f);
        footprint->layers[1].density = placing_density(&one, 0.3f);
    }
}

FILO_TEST(one_footprint_can_be_asked_for_again_and_again) {
    Forest *forest = forest_new(1);
    assert_non_null(forest);
    three_footprints(forest);
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloPlacementResult whole = placing_area(placement, 20, 20, 60, 60), part = { 0 };
    for (int i = 0; i < 40; i++) {
        FiloPlacementRequest request = { .area = { 20, 20, 60, 60 }, .footprints = 2 };
        assert_ok(filo_placement_compute(placement, &request, &part));
        assert_int_equal(part.count, whole.first[4] - whole.first[2]);
        assert_memory_equal(part.objects, whole.objects + whole.first[2], part.count * sizeof(FiloPlaced));
    }
    filo_placement_result_free(&whole);
    filo_placement_result_free(&part);
    filo_placement_destroy(placement);
    free(forest);
}
