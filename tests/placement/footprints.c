// Several footprints of one placement.

#include "placement/placing.h"

#include <math.h>

static const uint8_t one = 255;

enum { FOOTPRINTS = 3, LAYERS = 2 };

// Trees, bushes and grass: every footprint has a layer of bytes, and one that is the same everywhere. The world has texels
// of a metre.
static Forest *three_footprints(uint64_t seed) {
    static const float sizes[] = { 3.5f, 1.75f, 0.6f };
    Forest *forest = forest_new(seed);
    assert_non_null(forest);
    forest->desc.size = (FiloVec3){ FOREST_SIDE, FOREST_SIDE, 40 };
    memset(forest->desc.footprints, 0, sizeof forest->desc.footprints);
    for (int f = 0; f < FOOTPRINTS; f++) {
        FiloFootprint *footprint = &forest->desc.footprints[f];
        footprint->footprint = sizes[f];
        footprint->pattern = filo_pattern(8, (size_t)f);
        footprint->layers[0].density.map = forest_bytes(forest, f);
        footprint->layers[0].density.filter = FILO_MAP_NEAREST;
        footprint->layers[1].density = placing_density(&one, 0.3f);
        footprint->layers[1].radius = sizes[f] * 0.8f;
    }
    return forest;
}

// Metres that an object claims; negative: none.
static double radius_of(const FiloPlacementDesc *desc, int layer) {
    const FiloFootprint *footprint = &desc->footprints[layer / LAYERS];
    float radius = footprint->layers[layer % LAYERS].radius;
    return (double)(radius == 0 ? footprint->footprint / 2 : radius);
}

// Positions are rounded to units of at most 1/256 of the smallest footprint, on both axes, and radii too.
static double rounding_of(const FiloPlacementDesc *desc) {
    return 4 * (double)desc->footprints[FOOTPRINTS - 1].footprint / 256;
}

// The distance of two objects minus what they claim; large if one of them claims nothing.
static double gap_between(const FiloPlacementDesc *desc, FiloPlacementPosition a, int layer_a,
                          FiloPlacementPosition b, int layer_b) {
    double radius_a = radius_of(desc, layer_a), radius_b = radius_of(desc, layer_b);
    if (radius_a < 0 || radius_b < 0) return 1e9;
    return hypot(a.x - b.x, a.y - b.y) - radius_a - radius_b;
}

static const FiloPlacementArea areas[] = { { 20, 20, 60, 60 },
                                           { -15, -20, 12, 10 },
                                           { 100000, -100000, 100030, -99970 } };

FILO_TEST(one_footprint_can_be_asked_for_again_and_again) {
    Forest *forest = three_footprints(1);
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

// ---- Distances ----------------------------------------------------------------------------------------------

// An allocator that remembers the largest block.
typedef struct Measured {
    FiloAllocator allocator;
    size_t largest;
} Measured;

static void *measured_resize(void *user, void *memory, size_t old_size, size_t new_size, size_t align) {
    Measured *measured = user;
    measured->largest = FILO_MAX(measured->largest, new_size);
    return filo_resize(filo_heap(), memory, old_size, new_size, align);
}

FILO_TEST(small_radii_in_a_large_area_need_memory_by_the_number_of_objects) {
    Forest *forest = forest_new(2);
    assert_non_null(forest);
    Measured measured = { .allocator = { measured_resize, &measured } };
    forest->desc.allocator = &measured.allocator;
    for (int f = 0; f < 2; f++) {
        FiloFootprint *footprint = &forest->desc.footprints[f];
        memset(footprint, 0, sizeof *footprint);
        footprint->footprint = 1;
        footprint->layers[0].density = placing_density(&one, 1);
        footprint->layers[0].radius = 0.002f;
    }
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloPlacementResult result = placing_area(placement, 0, 0, 300, 300);
    assert_true(result.count > 100000);
    assert_true(measured.largest < 40 * result.count);
    filo_placement_result_free(&result);
    filo_placement_destroy(placement);
    free(forest);
}

FILO_TEST(objects_of_different_footprints_keep_their_distance) {
    Forest *forest = three_footprints(3);
    FiloPlacement *placement = placing_create(&forest->desc);
    for (size_t a = 0; a < FILO_COUNT_OF(areas); a++) {
        FiloPlacementResult result = placing_request(placement, (FiloPlacementRequest){ .area = areas[a] });
        double nearest = 1e9;
        for (size_t l = 0; l < FOOTPRINTS * LAYERS; l++)
            assert_true(result.first[l + 1] - result.first[l] > 4);
        for (size_t i = 0; i < result.count; i++) {
            FiloPlacementPosition at = filo_placement_position(&result, &result.objects[i]);
            size_t own = result.objects[i].layer / LAYERS * LAYERS; // the first layer of its footprint
            for (size_t k = 0; k < result.first[own]; k++)
                nearest = fmin(nearest, gap_between(&forest->desc, at, result.objects[i].layer,
                                                    filo_placement_position(&result, &result.objects[k]),
                                                    result.objects[k].layer));
        }
        assert_true(nearest >= -rounding_of(&forest->desc));
        assert_true(nearest < 0.1); // some are as near as they may be
        filo_placement_result_free(&result);
    }
    filo_placement_destroy(placement);
    free(forest);
}

// The placement of one footprint of a description, which nothing pushes away.
static FiloPlacement *alone(const FiloPlacementDesc *desc, int f) {
    FiloPlacementDesc *single = malloc(sizeof *single);
    *single = *desc;
    memset(single->footprints, 0, sizeof single->footprints);
    single->footprints[0] = desc->footprints[f];
    FiloPlacement *placement = placing_create(single);
    free(single);
    return placement;
}

// Whether an object of an earlier footprint is so near that one may not be there.
static bool is_pushed(const FiloPlacementDesc *desc, const FiloPlacementResult *around,
                      FiloPlacementPosition at, int layer) {
    for (size_t k = 0; k < around->first[layer / LAYERS * LAYERS]; k++)
        if (gap_between(desc, at, layer, filo_placement_position(around, &around->objects[k]),
                        around->objects[k].layer) < rounding_of(desc))
            return true;
    return false;
}

// Goes through the objects of a footprint alone, in their order, and through what is left of them.
static void compare_with_alone(const FiloPlacementDesc *desc, const FiloPlacementResult *result,
                               const FiloPlacementResult *around, int f, bool pushes) {
    FiloPlacement *placement = alone(desc, f);
    FiloPlacementResult all = placing_request(placement, (FiloPlacementRequest){ .area = result->area });
    size_t dropped = 0;
    for (int l = 0; l < LAYERS; l++) {
        size_t next = result->first[f * LAYERS + l], end = result->first[f * LAYERS + l + 1];
        for (size_t i = all.first[l]; i < all.first[l + 1]; i++) {
            FiloPlaced wanted = all.objects[i];
            wanted.layer = (uint16_t)(f * LAYERS + l);
            if (next < end && memcmp(&wanted, &result->objects[next], sizeof wanted) == 0) {
                next++;
                continue;
            }
            dropped++;
            assert_true(
                is_pushed(desc, around, filo_placement_position(&all, &all.objects[i]), wanted.layer));
        }
        assert_int_equal(next, end); // nothing was added
    }
    assert_true(pushes == (dropped > 10));
    filo_placement_result_free(&all);
    filo_placement_destroy(placement);
}

FILO_TEST(objects_are_left_out_only_for_others_that_are_there) {
    Forest *forest = three_footprints(4);
    FiloPlacement *placement = placing_create(&forest->desc);
    double reach = filo_placement_reach(placement);
    for (size_t a = 0; a < FILO_COUNT_OF(areas); a++) {
        FiloPlacementArea area = areas[a];
        FiloPlacementResult result = placing_request(placement, (FiloPlacementRequest){ .area = area });
        FiloPlacementResult around =
            placing_area(placement, area.x0 - reach, area.y0 - reach, area.x1 + reach, area.y1 + reach);
        for (int f = 0; f < FOOTPRINTS; f++) compare_with_alone(&forest->desc, &result, &around, f, f > 0);
        filo_placement_result_free(&result);
        filo_placement_result_free(&around);
    }
    filo_placement_destroy(placement);
    free(forest);
}

FILO_TEST(layers_with_a_negative_radius_neither_push_nor_are_pushed) {
    Forest *forest = three_footprints(5);
    for (int f = 0; f < FOOTPRINTS; f++)
        for (int l = 0; l < LAYERS; l++) forest->desc.footprints[f].layers[l].radius = -1;
    FiloPlacement *placement = placing_create(&forest->desc);
    assert_true(filo_placement_reach(placement) == 0);
    FiloPlacementResult result = placing_request(placement, (FiloPlacementRequest){ .area = areas[0] });
    for (int f = 0; f < FOOTPRINTS; f++) compare_with_alone(&forest->desc, &result, &result, f, false);
    filo_placement_result_free(&result);
    filo_placement_destroy(placement);
    // Of one layer alone: the other one is pushed as before.
    forest->desc.footprints[1].layers[0].radius = 0;
    forest->desc.footprints[0].layers[1].radius = 2;
    placement = placing_create(&forest->desc);
    result = placing_request(placement, (FiloPlacementRequest){ .area = areas[0] });
    FiloPlacementResult around = placing_area(placement, 10, 10, 70, 70);
    compare_with_alone(&forest->desc, &result, &around, 0, false);
    compare_with_alone(&forest->desc, &result, &around, 1, true);
    compare_with_alone(&forest->desc, &result, &around, 2, false);
    filo_placement_result_free(&result);
    filo_placement_result_free(&around);
    filo_placement_destroy(placement);
    free(forest);
}

// ---- Independence -------------------------------------------------------------------------------------------

FILO_TEST(parts_of_an_area_with_several_footprints_are_the_whole) {
    Forest *forest = three_footprints(6);
    FiloPlacement *placement = placing_create(&forest->desc);
    for (size_t a = 0; a < FILO_COUNT_OF(areas); a++)
        for (int columns = 1; columns <= 7; columns += 3)
            placing_assert_partition(placement, (FiloPlacementRequest){ .area = areas[a] }, columns,
                                     8 - columns);
    // Blocks of the smallest one have a border at 368.4.
    FiloPlacementArea area = { 350, -380, 380, -350 };
    placing_assert_partition(placement, (FiloPlacementRequest){ .area = area }, 3, 3);
    placing_assert_partition(placement, (FiloPlacementRequest){ .area = area, .footprints = 4 }, 3, 3);
    filo_placement_destroy(placement);
    free(forest);
}

FILO_TEST(some_footprints_are_the_same_as_in_the_whole) {
    Forest *forest = three_footprints(7);
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloPlacementResult whole = placing_request(placement, (FiloPlacementRequest){ .area = areas[0] });
    for (uint32_t mask = 1; mask < 8; mask++)
        for (int path = FILO_PLACEMENT_SCALAR; path <= FILO_PLACEMENT_AVX2; path++) {
            FiloPlacementResult some = placing_request(
                placement, (FiloPlacementRequest){
                               .area = areas[0], .footprints = mask, .path = (FiloPlacementPath)path });
            for (size_t l = 0; l < FOOTPRINTS * LAYERS; l++) {
                size_t count = mask >> l / LAYERS & 1 ? whole.first[l + 1] - whole.first[l] : 0;
                assert_int_equal(filo_placement_result_count(&some, l), count);
                if (count > 0)
                    assert_memory_equal(some.objects + some.first[l], whole.objects + whole.first[l],
                                        count * sizeof(FiloPlaced));
            }
            filo_placement_result_free(&some);
        }
    filo_placement_result_free(&whole);
    filo_placement_destroy(placement);
    free(forest);
}

// Changes all texels that are further than `margin` metres from the area.
static void change_outside(Forest *forest, FiloPlacementArea area, double margin) {
    for (int i = 0; i < FOREST_SIDE * FOREST_SIDE; i++) {
        double x = i % FOREST_SIDE, y = i / FOREST_SIDE; // to x + 1, y + 1
        if (x >= area.x1 + margin || x + 1 <= area.x0 - margin || y >= area.y1 + margin ||
            y + 1 <= area.y0 - margin)
            for (int f = 0; f < FOOTPRINTS; f++) forest->bytes[f][i] = (uint8_t)(255 - forest->bytes[f][i]);
    }
}

FILO_TEST(changes_further_away_than_the_reach_have_no_effect) {
    FiloPlacementArea area = { 40, 45, 65, 70 };
    Forest *forest = three_footprints(8);
    FiloPlacement *placement = placing_create(&forest->desc);
    double reach = filo_placement_reach(placement);
    // The largest radii: trees push bushes, which push grass.
    assert_true(reach > 0.8 * (3.5 + 2 * 1.75 + 0.6) && reach < 0.8 * (3.5 + 2 * 1.75 + 0.6) + 0.1);
    FiloPlacementResult before = placing_request(placement, (FiloPlacementRequest){ .area = area });
    change_outside(forest, area, reach);
    FiloPlacementResult after = placing_request(placement, (FiloPlacementRequest){ .area = area });
    placing_assert_same(&before, &after);
    filo_placement_result_free(&after);
    change_outside(forest, area, 0); // at its border they have
    after = placing_request(placement, (FiloPlacementRequest){ .area = area });
    assert_true(before.count != after.count);
    filo_placement_result_free(&before);
    filo_placement_result_free(&after);
    filo_placement_destroy(placement);
    free(forest);
}

// Earlier footprints are computed in more than the area, and cut to it afterwards.
FILO_TEST(areas_of_several_footprints_begin_and_end_exactly_at_objects) {
    Forest *forest = three_footprints(9);
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloPlacementResult whole = placing_request(placement, (FiloPlacementRequest){ .area = areas[0] });
    for (size_t i = 0; i < whole.count; i += 11) {
        FiloPlacementPosition at = filo_placement_position(&whole, &whole.objects[i]);
        FiloPlacementResult from = placing_area(placement, at.x, at.y, at.x + 1e-6, at.y + 1e-6);
        assert_int_equal(from.count, 1);
        assert_memory_equal(from.objects, &whole.objects[i], sizeof(FiloPlaced));
        filo_placement_result_free(&from);
        FiloPlacementResult to = placing_area(placement, at.x - 1e-6, at.y - 1e-6, at.x, at.y);
        assert_int_equal(to.count, 0);
        filo_placement_result_free(&to);
    }
    filo_placement_result_free(&whole);
    filo_placement_destroy(placement);
    free(forest);
}
