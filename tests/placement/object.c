// Positions, names and variations of objects.

#include "placement/placing.h"

#include <math.h>

static const uint8_t one = 255;

// Three footprints with patterns of 4 × 4, 8 × 8 and 16 × 16, far apart enough not to meet.
static Forest *three_patterns(uint64_t seed) {
    Forest *forest = forest_new(seed);
    assert_non_null(forest);
    static const float sizes[] = { 5, 1.75f, 0.3f };
    for (int f = 0; f < 3; f++) {
        FiloFootprint *footprint = &forest->desc.footprints[f];
        memset(footprint, 0, sizeof *footprint);
        footprint->footprint = sizes[f];
        footprint->pattern = filo_pattern(4 << f, 1);
        for (int l = 0; l < 2; l++) {
            footprint->layers[l].density.map = forest_bytes(forest, l);
            footprint->layers[l].radius = -1;
        }
    }
    return forest;
}

static const FiloPlacementArea areas[] = {
    { 0, 0, 40, 40 },
    { -40, -40, 1, 1 },
    { 99990, -100020, 100010, -99990 }, // 100 km away
    { -9999990, 9999980, -9999980, 9999990 },
    { 535, 530, 545, 540 }, // a border of blocks of the second footprint is at 537.25
};

// ---- Names --------------------------------------------------------------------------------------------------

FILO_TEST(ids_lead_to_the_positions_of_objects) {
    Forest *forest = three_patterns(1);
    FiloPlacement *placement = placing_create(&forest->desc);
    for (size_t a = 0; a < FILO_COUNT_OF(areas); a++) {
        FiloPlacementResult result = placing_request(placement, (FiloPlacementRequest){ .area = areas[a] });
        assert_true(result.count > 50);
        for (size_t i = 0; i < result.count; i++) {
            const FiloPlaced *object = &result.objects[i];
            FiloPlacementPosition at = filo_placement_position(&result, object);
            FiloPlacementId id = filo_placement_id(&result, object);
            FiloPlacementPosition named = filo_placement_id_position(placement, id);
            assert_true(at.x == named.x && at.y == named.y && named.z == 0);
            assert_true(at.z == (double)object->z);
            assert_int_equal(id.footprint, filo_placement_layer_footprint(placement, object->layer));
            assert_true(at.x >= areas[a].x0 && at.x < areas[a].x1 && at.y >= areas[a].y0 &&
                        at.y < areas[a].y1);
            // The block is where the header says that it is.
            FiloPlacementPosition origin = filo_placement_origin(
                placement, id.footprint, (int32_t)floor((double)id.cell_x / FILO_PLACEMENT_BLOCK),
                (int32_t)floor((double)id.cell_y / FILO_PLACEMENT_BLOCK));
            assert_true(origin.x + (double)object->x == at.x && origin.y + (double)object->y == at.y);
        }
        filo_placement_result_free(&result);
    }
    filo_placement_destroy(placement);
    free(forest);
}

FILO_TEST(ids_are_the_same_in_every_area_and_different_for_every_object) {
    Forest *forest = three_patterns(2);
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloPlacementResult whole = placing_area(placement, 520, -20, 550, 20);
    FiloPlacementResult part = placing_area(placement, 530, -3, 541, 9);
    size_t found = 0;
    for (size_t i = 0; i < part.count; i++) {
        FiloPlacementId id = filo_placement_id(&part, &part.objects[i]);
        for (size_t k = whole.first[part.objects[i].layer]; k < whole.first[part.objects[i].layer + 1]; k++) {
            FiloPlacementId other = filo_placement_id(&whole, &whole.objects[k]);
            bool same = memcmp(&whole.objects[k], &part.objects[i], sizeof(FiloPlaced)) == 0;
            assert_true(same == (memcmp(&id, &other, sizeof id) == 0));
            found += same;
        }
    }
    assert_true(part.count > 50);
    assert_int_equal(found, part.count);
    filo_placement_result_free(&whole);
    filo_placement_result_free(&part);
    filo_placement_destroy(placement);
    free(forest);
}

FILO_TEST(objects_of_neighbouring_areas_have_their_positions) {
    Forest *forest = forest_new(9);
    assert_non_null(forest);
    forest->desc.footprints[0].footprint = 0.5f; // blocks of 307 m
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloPlacementResult here = placing_area(placement, 200, -20, 240, 20);
    FiloPlacementResult other = placing_area(placement, 4000, -900, 4040, -860);
    assert_true(here.count > 100);
    for (size_t i = 0; i < here.count; i++) {
        FiloPlacementPosition a = filo_placement_position(&here, &here.objects[i]);
        FiloPlacementPosition b = filo_placement_position(&other, &here.objects[i]);
        assert_true(a.x == b.x && a.y == b.y && a.z == b.z);
        assert_true(a.x >= 200 && a.x < 240 && a.y >= -20 && a.y < 20);
    }
    filo_placement_result_free(&here);
    filo_placement_result_free(&other);
    filo_placement_destroy(placement);
    free(forest);
}

FILO_TEST(objects_of_another_result_are_reported) {
    Forest *forest = three_patterns(3);
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloPlacementResult result = placing_area(placement, 0, 0, 20, 20);
    const float wrong[] = { 1.2345f, -5, 1e30f, -1e30f, filo_float_from_bits(0x7FC00000) };
    for (size_t i = 0; i < FILO_COUNT_OF(wrong); i++) {
        FiloPlaced object = result.objects[0];
        object.x = wrong[i];
        expect_fault("is not one of this result", filo_placement_id(&result, &object));
        object = result.objects[0];
        object.y = wrong[i];
        expect_fault("is not one of this result", filo_placement_id(&result, &object));
    }
    FiloPlaced object = result.objects[0];
    object.layer = 6;
    expect_fault("the object has the layer 6; there are 6", filo_placement_position(&result, &object));
    expect_fault("the object has the layer 6; there are 6", filo_placement_variant(&result, &object));
    FiloPlacementResult none = { 0 };
    expect_fault("pass a result and one of its objects", filo_placement_position(&none, &result.objects[0]));
    expect_fault("pass a result and one of its objects", filo_placement_id(&result, NULL));
    expect_fault("pass a placement and the id of one of its candidates",
                 filo_placement_id_position(placement, (FiloPlacementId){ .footprint = 3 }));
    expect_fault("pass a placement and the id of one of its candidates",
                 filo_placement_id_position(placement, (FiloPlacementId){ .footprint = 0, .point = 16 }));
    expect_fault("pass a placement, and the number of one of its footprints",
                 filo_placement_origin(placement, 3, 0, 0));
    filo_placement_result_free(&result);
    filo_placement_destroy(placement);
    free(forest);
}

// ---- The ground ---------------------------------------------------------------------------------------------

FILO_TEST(objects_stand_on_the_ground) {
    Forest *forest = forest_new(4);
    assert_non_null(forest);
    forest->desc.lowest = -12;
    // A slope: 80 metres over the 300 of the world, along x; the middle of the first texel is the lowest.
    for (int i = 0; i < FOREST_SIDE * FOREST_SIDE; i++)
        forest->words[i] = (uint16_t)(i % FOREST_SIDE * 65535 / (FOREST_SIDE - 1));
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloPlacementResult result = placing_area(placement, 10, 10, 290, 60);
    double texel = 300.0 / FOREST_SIDE, slope = 80 / (300 - texel);
    for (size_t i = 0; i < result.count; i++) {
        FiloPlacementPosition at = filo_placement_position(&result, &result.objects[i]);
        assert_true(fabs(at.z - (-12 + (at.x - texel / 2) * slope)) < 0.01);
        // Both find the texel to 1/256.
        assert_true(fabs(at.z - (double)filo_placement_height(placement, at.x, at.y)) <= slope * texel / 128);
    }
    FiloVec3 normal = filo_placement_normal(placement, 100, 100);
    assert_true(fabs((double)normal.x / (double)normal.z + slope) < 0.001 && fabsf(normal.y) < 0.001f);
    assert_true(fabsf(filo_vec3_length(normal) - 1) < 1e-6f);
    // Outside of the map its border continues.
    assert_true(fabsf(filo_placement_height(placement, -1e7, 50) + 12) < 0.01f);
    assert_true(fabsf(filo_placement_height(placement, 1e300, 50) - 68) < 0.01f);
    // Nothing can be said about such a place; it is harmless to ask.
    const double nan = (double)filo_float_from_bits(0x7FC00000);
    assert_true(isfinite(filo_placement_height(placement, nan, nan)));
    assert_true(isfinite(filo_placement_normal(placement, nan, (double)INFINITY).z));
    filo_placement_result_free(&result);
    filo_placement_destroy(placement);
    free(forest);
}

// ---- Variations ---------------------------------------------------------------------------------------------

// One layer of everything, with this variation.
static FiloPlacement *varied(FiloVariation variation, FiloTerrainMap height, uint64_t seed) {
    FiloPlacementDesc *desc = calloc(1, sizeof *desc);
    assert_non_null(desc);
    desc->size = (FiloVec3){ 300, 300, 300 };
    desc->height = height;
    desc->seed = seed;
    desc->footprints[0].footprint = 1;
    desc->footprints[0].layers[0] =
        (FiloPlacementLayer){ .density = placing_density(&one, 1), .variation = variation };
    FiloPlacement *placement = placing_create(desc);
    free(desc);
    return placement;
}

FILO_TEST(an_object_varies_in_the_same_way_in_every_area) {
    FiloVariation variation = { .scale_min = 0.5f, .scale_max = 2, .variants = 7 };
    FiloPlacement *placement = varied(variation, (FiloTerrainMap){ 0 }, 1);
    FiloPlacementResult whole = placing_area(placement, -30, -30, 30, 30);
    FiloPlacementResult part = placing_area(placement, -7, -9, 11, 3);
    size_t found = 0;
    for (size_t i = 0, k = 0; i < part.count; i++, k++) {
        while (k < whole.count && memcmp(&whole.objects[k], &part.objects[i], sizeof(FiloPlaced)) != 0) k++;
        assert_true(k < whole.count); // the order is the same
        FiloVariant a = filo_placement_variant(&part, &part.objects[i]);
        FiloVariant b = filo_placement_variant(&whole, &whole.objects[k]);
        assert_memory_equal(&a, &b, sizeof a);
        found++;
    }
    assert_true(found > 100);
    // Another seed, another forest.
    FiloPlacement *other = varied(variation, (FiloTerrainMap){ 0 }, 2);
    FiloPlacementResult again = placing_area(other, -7, -9, 11, 3);
    size_t same = 0;
    for (size_t i = 0; i < FILO_MIN(part.count, again.count); i++)
        same += filo_placement_variant(&part, &part.objects[i]).hash ==
                filo_placement_variant(&again, &again.objects[i]).hash;
    assert_int_equal(same, 0);
    filo_placement_result_free(&whole);
    filo_placement_result_free(&part);
    filo_placement_result_free(&again);
    filo_placement_destroy(placement);
    filo_placement_destroy(other);
}

// Chi-squared of `count` numbers in [0, 1] over 16 bins: 15 on average; above 44 once in 10,000.
static double chi_squared(const float *numbers, size_t count) {
    double bins[16] = { 0 }, sum = 0, each = (double)count / 16;
    for (size_t i = 0; i < count; i++) {
        assert_true(numbers[i] >= 0 && numbers[i] <= 1);
        bins[FILO_MIN((int)(numbers[i] * 16), 15)]++;
    }
    for (int b = 0; b < 16; b++) sum += (bins[b] - each) * (bins[b] - each) / each;
    return sum;
}

static double correlation(const float *a, const float *b, size_t count) {
    double sum_a = 0, sum_b = 0, aa = 0, bb = 0, ab = 0, n = (double)count;
    for (size_t i = 0; i < count; i++) {
        double x = (double)a[i], y = (double)b[i];
        sum_a += x, sum_b += y, aa += x * x, bb += y * y, ab += x * y;
    }
    return (ab - sum_a * sum_b / n) / sqrt((aa - sum_a * sum_a / n) * (bb - sum_b * sum_b / n));
}

FILO_TEST(variations_are_uniform_and_independent) {
    enum { KINDS = 5 };
    FiloVariation variation = { .scale_min = 1,
                                .scale_max = 3,
                                .variants = 1000,
                                .color_a = filo_color(0, 10, 200, 255),
                                .color_b = filo_color(250, 10, 0, 55) };
    FiloPlacement *placement = varied(variation, (FiloTerrainMap){ 0 }, 5);
    FiloPlacementResult result = placing_area(placement, 0, 0, 200, 200);
    assert_true(result.count > 20000);
    float *numbers[KINDS];
    for (int k = 0; k < KINDS; k++) numbers[k] = malloc(result.count * sizeof(float));
    for (size_t i = 0; i < result.count; i++) {
        FiloVariant v = filo_placement_variant(&result, &result.objects[i]);
        numbers[0][i] = (v.angle + FILO_PI) / FILO_TAU;
        numbers[1][i] = (v.scale - 1) / 2;
        numbers[2][i] = (float)v.variant / 1000;
        numbers[3][i] = (float)v.color.r / 250;
        numbers[4][i] = (float)(v.hash & 0xFFFF) / 65535;
        assert_true(v.variant < 1000 && v.color.g == 10);
        // Channels are mixed alike.
        assert_true(abs(v.color.r * 200 - (200 - v.color.b) * 250) <= 250);
        assert_true(abs(v.color.r - (255 - v.color.a) * 250 / 200) <= 2);
        assert_true(v.up.x == 0 && v.up.y == 0 && v.up.z == 1);
    }
    for (int k = 0; k < KINDS; k++) {
        if (k != 3) assert_true(chi_squared(numbers[k], result.count) < 44); // 251 colours: not 16 equal bins
        for (int other = 0; other < k; other++)
            if (k != 4 || other != 2)
                assert_true(fabs(correlation(numbers[k], numbers[other], result.count)) < 0.03);
        // Neighbours in the list are neighbours on the ground.
        assert_true(fabs(correlation(numbers[k], numbers[k] + 1, result.count - 1)) < 0.03);
    }
    for (int k = 0; k < KINDS; k++) free(numbers[k]);
    filo_placement_result_free(&result);
    filo_placement_destroy(placement);
}

FILO_TEST(every_variant_occurs_equally_often) {
    FiloPlacement *placement = varied((FiloVariation){ .variants = 3 }, (FiloTerrainMap){ 0 }, 6);
    FiloPlacementResult result = placing_area(placement, 0, 0, 100, 100);
    size_t counts[3] = { 0 };
    for (size_t i = 0; i < result.count; i++) {
        FiloVariant v = filo_placement_variant(&result, &result.objects[i]);
        assert_true(v.variant < 3);
        counts[v.variant]++;
        assert_true(v.scale == 1 && v.color.r == 255 && v.color.a == 255); // the defaults
    }
    for (int v = 0; v < 3; v++) assert_true(fabs((double)counts[v] / (double)result.count - 1.0 / 3) < 0.02);
    filo_placement_result_free(&result);
    filo_placement_destroy(placement);
}

static float turn_of(FiloVariation variation, float *least, float *most) {
    FiloPlacement *placement = varied(variation, (FiloTerrainMap){ 0 }, 7);
    FiloPlacementResult result = placing_area(placement, 0, 0, 60, 60);
    double sum = 0;
    *least = FILO_TAU, *most = -FILO_TAU;
    for (size_t i = 0; i < result.count; i++) {
        FiloVariant v = filo_placement_variant(&result, &result.objects[i]);
        *least = fminf(*least, v.angle), *most = fmaxf(*most, v.angle);
        sum += (double)v.angle;
        // Upright, the rotation is the turn alone.
        FiloVec3 forward = filo_quat_rotate(v.rotation, filo_vec3(1, 0, 0));
        assert_true(fabsf(forward.x - cosf(v.angle)) < 1e-5f && fabsf(forward.y - sinf(v.angle)) < 1e-5f);
    }
    sum /= (double)result.count;
    filo_placement_result_free(&result);
    filo_placement_destroy(placement);
    return (float)sum;
}

FILO_TEST(objects_turn_as_they_are_told) {
    float least, most, mean = turn_of((FiloVariation){ .turn = FILO_TURN_NONE }, &least, &most);
    assert_true(mean == 0 && least == 0 && most == 0);
    mean = turn_of((FiloVariation){ .turn = FILO_TURN_NONE, .turn_range = 0.5f }, &least, &most);
    assert_true(fabsf(mean) < 0.03f && least >= -0.5f && least < -0.48f && most <= 0.5f && most > 0.48f);
    uint16_t quarter = 65536 / 4; // 90°
    FiloTerrainMap towards = { .data = &quarter, .format = FILO_MAP_U16, .width = 1, .height = 1 };
    mean = turn_of((FiloVariation){ .turn = FILO_TURN_TOWARDS, .towards = towards }, &least, &most);
    assert_true(fabsf(least - FILO_TAU / 4) < 1e-3f && most == least);
    mean = turn_of((FiloVariation){ .turn = FILO_TURN_TOWARDS, .towards = towards, .turn_range = 0.1f },
                   &least, &most);
    assert_true(fabsf(mean - FILO_TAU / 4) < 0.01f && most - least > 0.19f && most - least <= 0.201f);
}

FILO_TEST(objects_tilt_with_the_ground) {
    // As high as wide: 45° along x.
    uint16_t slope[2 * 64];
    for (int i = 0; i < 2 * 64; i++) slope[i] = (uint16_t)((i % 64 * 2 + 1) * 65535 / 128);
    FiloTerrainMap height = { .data = slope, .format = FILO_MAP_U16, .width = 64, .height = 2 };
    for (int tilt = 0; tilt <= 2; tilt++) {
        FiloPlacement *placement = varied((FiloVariation){ .tilt = (float)tilt / 2 }, height, 8);
        FiloPlacementResult result = placing_area(placement, 100, 100, 130, 130);
        // The direction between upright and perpendicular, blended and of length 1.
        double x = -sqrt(0.5) * tilt / 2, z = 1 + (sqrt(0.5) - 1) * tilt / 2, length = sqrt(x * x + z * z);
        for (size_t i = 0; i < result.count; i++) {
            FiloVariant v = filo_placement_variant(&result, &result.objects[i]);
            assert_true(fabs((double)v.up.x - x / length) < 0.002 && fabsf(v.up.y) < 0.002f);
            assert_true(fabs((double)v.up.z - z / length) < 0.002);
            FiloVec3 up = filo_quat_rotate(v.rotation, filo_vec3(0, 0, 1));
            assert_true(filo_vec3_distance(up, v.up) < 1e-5f);
        }
        assert_true(result.count > 100);
        filo_placement_result_free(&result);
        filo_placement_destroy(placement);
    }
}

// ---- Results ------------------------------------------------------------------------------------------------

FILO_TEST(results_are_counted_and_copied_by_layer) {
    Forest *forest = forest_new(9);
    assert_non_null(forest);
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloPlacementResult result = placing_area(placement, 0, 0, 80, 80);
    FiloPlaced *copy = malloc((result.count + 1) * sizeof *copy);
    size_t sum = 0;
    for (int l = 0; l < 4; l++) {
        size_t count = filo_placement_result_count(&result, (size_t)l);
        assert_true(count > 20);
        assert_true(filo_placement_result_copy(&result, l, 0, count, copy));
        assert_memory_equal(copy, result.objects + sum, count * sizeof *copy);
        for (size_t i = 0; i < count; i++) assert_int_equal(copy[i].layer, l);
        sum += count;
    }
    assert_int_equal(sum, result.count);
    assert_true(filo_placement_result_copy(&result, -1, 0, result.count, copy));
    assert_memory_equal(copy, result.objects, result.count * sizeof *copy);
    // Ranges: of all, and of a layer.
    memset(copy, 0xEE, (result.count + 1) * sizeof *copy);
    assert_true(filo_placement_result_copy(&result, -1, result.first[1] - 2, 5, copy));
    assert_memory_equal(copy, result.objects + result.first[1] - 2, 5 * sizeof *copy);
    assert_int_equal(((uint8_t *)(copy + 5))[0], 0xEE);
    size_t last = filo_placement_result_count(&result, 2) - 1;
    assert_true(filo_placement_result_copy(&result, 2, last, 1, copy));
    assert_memory_equal(copy, result.objects + result.first[3] - 1, sizeof *copy);
    assert_true(filo_placement_result_copy(&result, 2, last + 1, 0, NULL));
    assert_true(filo_placement_result_copy(&result, 4, 0, 0, NULL)); // there is no such layer
    // Those that are not there.
    char sentence[96];
    snprintf(sentence, sizeof sentence, "2 objects from %zu on: there are %zu of layer 2", last, last + 1);
    expect_fault(sentence, filo_placement_result_copy(&result, 2, last, 2, copy));
    expect_fault("objects from 1 on", filo_placement_result_copy(&result, -1, 1, SIZE_MAX, copy));
    expect_fault("0 objects from 5000000 on", filo_placement_result_copy(&result, 0, 5000000, 0, copy));
    expect_fault("10 objects from 0 on: there are 0 of layer 4",
                 filo_placement_result_copy(&result, 4, 0, 10, copy));
    assert_int_equal(filo_placement_result_count(&result, 4), 0);
    assert_int_equal(filo_placement_result_count(&result, SIZE_MAX), 0);
    expect_fault("pass a result, and memory for its objects",
                 filo_placement_result_copy(&result, 0, 0, 1, NULL));
    expect_fault("pass a result", filo_placement_result_count(NULL, 0));
    free(copy);
    filo_placement_result_free(&result);
    assert_int_equal(result.count, 0);
    filo_placement_result_free(&result);
    filo_placement_result_free(NULL);
    filo_placement_destroy(placement);
    free(forest);
}

FILO_TEST(counting_alone_writes_no_objects) {
    Forest *forest = forest_new(9);
    assert_non_null(forest);
    FiloHeap heap;
    filo_heap_init(&heap, "placement", 0);
    forest->desc.allocator = &heap.allocator;
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloPlacementRequest request = { .area = { 0, 0, 80, 80 }, .count_only = true };
    FiloPlacementResult counted = { 0 }, placed = placing_area(placement, 0, 0, 80, 80);
    size_t before = filo_heap_stats(&heap).used;
    assert_ok(filo_placement_compute(placement, &request, &counted));
    assert_int_equal(filo_heap_stats(&heap).used, before);
    assert_int_equal(counted.count, placed.count);
    assert_int_equal(counted.candidates, placed.candidates);
    assert_memory_equal(counted.first, placed.first, sizeof placed.first);
    assert_null(counted.objects);
    FiloPlaced first;
    expect_fault("the objects were only counted: leave out .count_only",
                 filo_placement_result_copy(&counted, -1, 0, 1, &first));
    // A result that had objects has none, and gets them again.
    assert_ok(filo_placement_compute(placement, &request, &placed));
    assert_true(placed.objects == NULL && placed.count == counted.count);
    request.count_only = false;
    assert_ok(filo_placement_compute(placement, &request, &counted));
    assert_true(filo_placement_result_copy(&counted, -1, 0, 1, &first));
    filo_placement_result_free(&counted);
    filo_placement_result_free(&placed);
    filo_placement_destroy(placement);
    filo_heap_deinit(&heap);
    free(forest);
}
