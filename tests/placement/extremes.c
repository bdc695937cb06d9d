// Random descriptions of the most extreme numbers that are accepted: all paths agree, parts are the whole, objects have
// names. With the sanitizers, nothing overflows.

#include "placement/placing.h"

#include <math.h>

#define PICK(random, values) ((values)[filo_random_u32(random) % FILO_COUNT_OF(values)])

static uint8_t texels[1 << 16];
static float floats[1 << 14]; // from 0 to 1

static FiloTerrainMap random_map(FiloRandom *random) {
    FiloTerrainMap map = { .data = texels + filo_random_range(random, 0, 7) };
    map.format = (FiloMapFormat)filo_random_range(random, 0, 2);
    map.width = filo_random_range(random, 1, 30);
    map.height = filo_random_range(random, 1, 30);
    if (filo_random_chance(random, 0.3f)) map.step = (size_t)filo_random_range(random, 4, 12);
    if (filo_random_chance(random, 0.3f)) map.stride = (size_t)filo_random_range(random, 400, 600);
    if (map.format == FILO_MAP_FLOAT) {
        map.data = floats + filo_random_range(random, 0, 7);
        map.step &= ~(size_t)3, map.stride &= ~(size_t)3;
    }
    // Seldom: most areas need more than such a part.
    if (filo_random_chance(random, 0.03f)) {
        map.full_width = filo_random_range(random, 30, 1 << 20);
        map.full_height = filo_random_range(random, 30, 1 << 20);
        map.x = filo_random_range(random, 0, map.full_width - map.width);
        map.y = filo_random_range(random, 0, map.full_height - map.height);
    }
    return map;
}

static float random_number(FiloRandom *random) {
    static const float values[] = { 0, 1, -1, 0.5f, 1e-30f, 3e38f, -3e38f, 64, -64, 0.001f };
    return filo_random_chance(random, 0.5f) ? PICK(random, values) : filo_random_float_range(random, -2, 2);
}

static void random_layer(FiloRandom *random, FiloPlacementLayer *layer, float footprint) {
    FiloDensityMap *density = &layer->density;
    density->map = random_map(random);
    density->filter = (FiloMapFilter)filo_random_range(random, 0, 1);
    if (filo_random_chance(random, 0.6f)) {
        density->scale = random_number(random), density->offset = random_number(random);
        float a = random_number(random), b = random_number(random);
        density->min = FILO_CLAMP(a, -64.0f, 64.0f);
        density->max = FILO_CLAMP(b, density->min, 64.0f);
    }
    if (filo_random_chance(random, 0.5f))
        layer->radius = footprint * filo_random_float_range(random, -0.5f, 3);
    layer->variation.tilt = filo_random_float(random);
    if (filo_random_chance(random, 0.2f)) {
        layer->variation.turn = FILO_TURN_TOWARDS;
        layer->variation.towards = random_map(random);
    }
}

// Returns the smallest footprint.
static float random_desc(FiloRandom *random, FiloPlacementDesc *desc) {
    static const float sides[] = { 0.01f, 1, 300, 1e4f, 1e7f },
                       footprints[] = { 0.01f, 0.1f, 1, 3.7f, 200, 1e4f };
    static const double corners[] = { 0, 1e7, -1e7, 12345.678, -99 };
    memset(desc, 0, sizeof *desc);
    desc->size = (FiloVec3){ PICK(random, sides), PICK(random, sides), random_number(random) };
    desc->corner_x = PICK(random, corners), desc->corner_y = PICK(random, corners);
    desc->lowest = random_number(random);
    desc->seed = filo_random_u32(random);
    desc->height_filter = (FiloMapFilter)filo_random_range(random, 0, 1);
    if (filo_random_chance(random, 0.7f)) {
        desc->height = random_map(random);
        desc->size.z = fmaxf(fabsf(desc->size.z), 1e-3f); // or it would be refused
    }
    int count = filo_random_range(random, 1, 4);
    float footprint = PICK(random, footprints);
    for (int f = 0; f < count; f++) {
        FiloFootprint *to = &desc->footprints[f];
        if (f > 0) footprint = fmaxf(0.01f, footprint * filo_random_float_range(random, 0.02f, 1));
        to->footprint = footprint;
        int size = 4 << filo_random_range(random, 0, 2);
        to->pattern = filo_pattern(size, (size_t)filo_random_range(random, 0, 3));
        int layers = filo_random_range(random, 1, 8);
        for (int l = 0; l < layers; l++) random_layer(random, &to->layers[l], footprint);
    }
    return footprint;
}

static FiloPlacementArea random_area(FiloRandom *random, const FiloPlacementDesc *desc, double footprint) {
    const double places[] = { 0, 1e5, -9.9e7, 9.9e7, desc->corner_x, desc->corner_x + (double)desc->size.x };
    double x = PICK(random, places) + (double)filo_random_float_range(random, -100, 100),
           y = PICK(random, places);
    double width = footprint * (double)filo_random_float_range(random, 1, 60),
           height = footprint * (double)filo_random_float_range(random, 1, 60);
    if (filo_random_chance(random, 0.2f))
        width = (double)desc->footprints[0].footprint * 30, height = footprint;
    return (FiloPlacementArea){ x, y, x + width, y + height };
}

// Whether it was placed: some areas are refused, and some are too large for a test.
static bool check_request(const FiloPlacement *placement, FiloPlacementRequest request) {
    FiloPlacementResult result = { 0 };
    FiloResult r = filo_placement_compute(placement, &request, &result);
    bool ok = r.code == FILO_OK && result.candidates < 100000;
    assert_true(r.code == FILO_OK || r.code == FILO_ERROR_LIMIT || r.code == FILO_ERROR_DATA);
    for (int path = FILO_PLACEMENT_SCALAR; ok && path <= FILO_PLACEMENT_AVX2; path++) {
        request.path = (FiloPlacementPath)path;
        FiloPlacementResult other = placing_request(placement, request);
        placing_assert_same(&result, &other);
        filo_placement_result_free(&other);
    }
    if (ok) placing_assert_partition(placement, request, 2, 3);
    for (size_t i = 0; ok && i < result.count; i += 1 + result.count / 20) {
        const FiloPlaced *object = &result.objects[i];
        FiloPlacementPosition at = filo_placement_position(&result, object);
        FiloPlacementPosition named =
            filo_placement_id_position(placement, filo_placement_id(&result, object));
        assert_true(at.x == named.x && at.y == named.y);
        assert_true(filo_placement_variant(&result, object).scale == 1);
    }
    filo_placement_result_free(&result);
    return ok;
}

FILO_TEST(random_descriptions_are_refused_or_place_the_same_on_all_paths) {
    FiloRandom random = filo_random_sequence(1);
    for (size_t i = 0; i < sizeof texels; i++) texels[i] = (uint8_t)filo_random_u32(&random);
    for (size_t i = 0; i < FILO_COUNT_OF(floats); i++) floats[i] = filo_random_float(&random);
    FiloPlacementDesc *desc = malloc(sizeof *desc);
    size_t created = 0, placed = 0;
    for (int round = 0; round < 200; round++) {
        double footprint = (double)random_desc(&random, desc);
        FiloPlacement *placement = NULL;
        FiloResult r = filo_placement_create(&placement, desc);
        if (r.code != FILO_OK && r.code != FILO_ERROR_LIMIT) fail_msg("%s", r.message);
        uint32_t footprints = placement != NULL ? 1u << filo_placement_footprint_count(placement) : 1;
        for (int k = 0; k < 3 && placement != NULL; k++) {
            FiloPlacementArea area = random_area(&random, desc, footprint);
            FiloClearing clearing = { area.x0, area.y1, (float)(area.x1 - area.x0),
                                      filo_random_u32(&random) % 5 };
            FiloPlacementRequest request = { .area = area,
                                             .footprints = filo_random_u32(&random) % footprints };
            request.edits = (FiloPlacementEdits){ &clearing, filo_random_u32(&random) % 2, NULL, 0 };
            placed += check_request(placement, request);
        }
        created += placement != NULL;
        filo_placement_destroy(placement);
    }
    assert_true(created > 50 && placed > 100);
    free(desc);
}
