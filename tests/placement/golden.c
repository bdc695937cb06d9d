// Hashes of everything that some placements place: the same with every compiler, at every level of optimisation, and on
// every processor. A change of one of them is a change of every world that was made before.

#include "placement/placing.h"

#include <filo/hash.h>

// They have no padding, and can be hashed as bytes.
_Static_assert(sizeof(FiloPlaced) == 16 && sizeof(FiloPlacementId) == 12 && sizeof(FiloVariant) == 48,
               "sizes");

static uint64_t add(uint64_t hash, const void *data, size_t size) {
    return filo_hash_u64(hash ^ filo_hash(data, size));
}

// Objects, counts, names and variations.
static uint64_t hash_of(const FiloPlacement *placement, FiloPlacementRequest request) {
    FiloPlacementResult result = placing_request(placement, request);
    assert_true(result.count > 100);
    uint64_t hash = add(result.count, result.objects, result.count * sizeof(FiloPlaced));
    for (size_t l = 0; l <= filo_placement_layer_count(placement); l++)
        hash = filo_hash_u64(hash ^ (uint64_t)result.first[l]);
    for (size_t i = 0; i < result.count; i += 7) {
        FiloPlacementPosition at = filo_placement_position(&result, &result.objects[i]);
        FiloPlacementId id = filo_placement_id(&result, &result.objects[i]);
        FiloVariant v = filo_placement_variant(&result, &result.objects[i]);
        hash = add(hash, &at, sizeof at);
        hash = add(hash, &id, sizeof id);
        hash = add(hash, &v, sizeof v);
    }
    filo_placement_result_free(&result);
    return hash;
}

static void assert_golden(const FiloPlacementDesc *desc, FiloPlacementRequest request, uint64_t wanted) {
    FiloPlacement *placement = placing_create(desc);
    for (int path = FILO_PLACEMENT_BEST; path <= FILO_PLACEMENT_AVX2; path++) {
        request.path = (FiloPlacementPath)path;
        uint64_t hash = hash_of(placement, request);
        if (hash != wanted) fail_msg("the hash is 0x%016llX", (unsigned long long)hash);
    }
    filo_placement_destroy(placement);
}

static Forest *varied(uint64_t seed) {
    Forest *forest = forest_new(seed);
    assert_non_null(forest);
    for (int l = 0; l < 4; l++) {
        FiloVariation *v = &forest->desc.footprints[0].layers[l].variation;
        v->tilt = (float)l / 3;
        v->scale_min = 0.7f, v->scale_max = 1.4f;
        v->turn = l == 1 ? FILO_TURN_TOWARDS : FILO_TURN_ANY;
        v->towards = forest_words(forest);
        v->color_a = filo_color(10, 20, 30, 255), v->color_b = filo_color(200, 100, 50, 255);
        v->variants = (uint32_t)l * 3;
    }
    return forest;
}

FILO_TEST(one_footprint_is_as_it_always_was) {
    Forest *forest = varied(1);
    assert_golden(&forest->desc, (FiloPlacementRequest){ .area = { 10, 10, 100, 100 } }, 0xB4FE2164700FBA9Eu);
    free(forest);
}

FILO_TEST(the_other_side_of_the_world_is_as_it_always_was) {
    Forest *forest = varied(2);
    forest->desc.corner_x = 99900, forest->desc.corner_y = -100100;
    assert_golden(&forest->desc, (FiloPlacementRequest){ .area = { 99950, -100050, 100050, -99970 } },
                  0x3CA537A425657876u);
    free(forest);
}

FILO_TEST(blended_maps_are_as_they_always_were) {
    Forest *forest = varied(3);
    for (int l = 0; l < 4; l++) {
        FiloDensityMap *density = &forest->desc.footprints[0].layers[l].density;
        density->filter = FILO_MAP_BILINEAR;
        density->scale = 0.7f, density->offset = -0.05f, density->min = 0.02f, density->max = 0.6f;
    }
    forest->desc.footprints[0].layers[2].density.map = forest_floats(forest);
    forest->desc.footprints[0].layers[3].density.map = forest_words(forest);
    forest->desc.footprints[0].pattern = filo_pattern(16, 2);
    assert_golden(&forest->desc, (FiloPlacementRequest){ .area = { -30, -20, 70, 60 } }, 0x4658FF6A534D7E02u);
    free(forest);
}

FILO_TEST(footprints_and_edits_are_as_they_always_were) {
    Forest *forest = varied(4);
    static const float sizes[] = { 1.1f, 0.45f };
    for (int f = 0; f < 2; f++) {
        FiloFootprint *footprint = &forest->desc.footprints[f + 1];
        footprint->footprint = sizes[f];
        footprint->pattern = filo_pattern(f == 0 ? 4 : 8, 1);
        footprint->layers[0].density.map = forest_bytes(forest, f);
        footprint->layers[1].density.map = forest_words(forest);
        footprint->layers[1].radius = 0.3f;
    }
    const FiloClearing clearings[] = { { 40, 40, 7.5f, 0 }, { 52.5, 33.25, 4.125f, 2 } };
    const FiloPin pins[] = { { { 2, 2, 0, 9 }, 3 }, { { 3, 2, 0, 5 }, -1 }, { { 7, 7, 1, 11 }, 5 } };
    FiloPlacementRequest request = { .area = { 20, 20, 70, 60 }, .edits = { clearings, 2, pins, 3 } };
    assert_golden(&forest->desc, request, 0x456599296790D39Bu);
    free(forest);
}
