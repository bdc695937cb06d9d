// Maps that are windows, have strides or channels, or are given for one computation.

#include "placement/placing.h"

#include <float.h>
#include <math.h>

// One layer for each filter of bytes and words, with a heightmap of words.
static Forest *filters(uint64_t seed) {
    Forest *forest = forest_new(seed);
    assert_non_null(forest);
    FiloFootprint *footprint = &forest->desc.footprints[0];
    memset(footprint->layers, 0, sizeof footprint->layers);
    for (int l = 0; l < 4; l++) {
        footprint->layers[l].name = (const char *[]){ "a", "b", "c", "d" }[l];
        footprint->layers[l].density.map = l < 2 ? forest_bytes(forest, l) : forest_words(forest);
        footprint->layers[l].density.filter = l % 2 == 0 ? FILO_MAP_BILINEAR : FILO_MAP_NEAREST;
        footprint->layers[l].density.scale = 0.5f;
    }
    return forest;
}

// The part of a map from x, y on: the same memory, or a copy with other strides.
static FiloTerrainMap window_of(FiloTerrainMap map, int x, int y, int width, int height) {
    size_t texel = map.format == FILO_MAP_U8 ? 1 : map.format == FILO_MAP_U16 ? 2 : 4;
    FiloTerrainMap window = map;
    window.stride = (size_t)map.width * texel;
    window.data = (const uint8_t *)map.data + (size_t)y * window.stride + (size_t)x * texel;
    window.x = x, window.y = y, window.width = width, window.height = height;
    window.full_width = map.width, window.full_height = map.height;
    return window;
}

static void assert_all_paths(const FiloPlacement *placement, FiloPlacementRequest request,
                             const FiloPlacementResult *wanted) {
    for (int path = FILO_PLACEMENT_BEST; path <= FILO_PLACEMENT_AVX2; path++) {
        request.path = (FiloPlacementPath)path;
        FiloPlacementResult result = placing_request(placement, request);
        placing_assert_same(wanted, &result);
        filo_placement_result_free(&result);
    }
}

// ---- Windows of one computation -----------------------------------------------------------------------------

enum { AREA_WINDOWS = 5 };

// Windows that are just large enough for the area 100, 130 to 150, 160 of a world of 300 metres and 128 texels.
static void cut_windows(const Forest *forest, const FiloPlacement *placement,
                        FiloMapWindow windows[AREA_WINDOWS]) {
    int x = (int)(100.0 * FOREST_SIDE / 300) - 1, width = (int)(150.0 * FOREST_SIDE / 300) + 2 - x;
    int y = (int)(130.0 * FOREST_SIDE / 300) - 1, height = (int)(160.0 * FOREST_SIDE / 300) + 2 - y;
    for (int i = 0; i < 4; i++) {
        const FiloPlacementLayer *layer = &forest->desc.footprints[0].layers[i];
        windows[i] = (FiloMapWindow){ filo_placement_map_find(placement, layer->name),
                                      window_of(layer->density.map, x, y, width, height) };
    }
    windows[4] = (FiloMapWindow){ filo_placement_map_find(placement, "height"),
                                  window_of(forest_words(forest), x, y, width, height) };
}

FILO_TEST(windows_of_one_computation_give_the_bytes_of_whole_maps) {
    Forest *forest = filters(1);
    FiloPlacement *whole = placing_create(&forest->desc);
    FiloPlacementArea area = { 100, 130, 150, 160 };
    FiloPlacementResult wanted = placing_request(whole, (FiloPlacementRequest){ .area = area });
    assert_true(wanted.count > 100);
    FiloMapWindow windows[AREA_WINDOWS];
    cut_windows(forest, whole, windows);
    // In this placement every map is nothing but its first texel.
    for (int l = 0; l < 4; l++) {
        FiloDensityMap *density = &forest->desc.footprints[0].layers[l].density;
        density->map = window_of(density->map, 0, 0, 1, 1);
    }
    forest->desc.height = window_of(forest->desc.height, 0, 0, 1, 1);
    FiloPlacement *first = placing_create(&forest->desc);
    FiloPlacementRequest request = { .area = area, .windows = windows, .window_count = AREA_WINDOWS };
    for (int i = 0; i < AREA_WINDOWS; i++) assert_true(windows[i].map >= 0);
    assert_all_paths(first, request, &wanted);
    // The next computation has none.
    FiloPlacementResult without = { 0 };
    FiloPlacementRequest plain = { .area = area };
    assert_error(
        filo_placement_compute(first, &plain, &without), FILO_ERROR_DATA,
        "map \"height\": the area needs texels 42 to 64 of x, and 0 to 0 are in memory; pass a window "
        "that has them");
    filo_placement_result_free(&wanted);
    filo_placement_destroy(first);
    filo_placement_destroy(whole);
    free(forest);
}

FILO_TEST(a_window_replaces_a_map_that_was_combined_with_others) {
    Forest *forest = forest_new(2);
    assert_non_null(forest);
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloPlacementArea area = { 100, 130, 150, 160 };
    FiloMapWindow window = { filo_placement_map_find(placement, "layer 1"),
                             window_of(forest_bytes(forest, 3), 40, 50, 40, 40) };
    FiloPlacementRequest request = { .area = area, .windows = &window, .window_count = 1 };
    FiloPlacementResult wanted = placing_request(placement, request);
    FiloPlacementResult plain = placing_request(placement, (FiloPlacementRequest){ .area = area });
    assert_ok(filo_placement_bake(placement, 0, NULL));
    assert_all_paths(placement, request, &wanted);
    window.map = filo_placement_map_find(placement, "layer 0");
    FiloPlacementRequest scalar = request;
    scalar.path = FILO_PLACEMENT_SCALAR;
    filo_placement_result_free(&wanted);
    wanted = placing_request(placement, scalar);
    assert_all_paths(placement, request, &wanted);
    // A window of the heightmap does not concern what was combined.
    window = (FiloMapWindow){ 0, window_of(forest_words(forest), 40, 50, 40, 40) };
    assert_all_paths(placement, request, &plain);
    filo_placement_result_free(&plain);
    filo_placement_result_free(&wanted);
    filo_placement_destroy(placement);
    free(forest);
}

FILO_TEST(windows_of_the_heightmap_have_its_filter_even_if_it_was_left_out) {
    for (int filter = FILO_MAP_BILINEAR; filter <= FILO_MAP_NEAREST; filter++) {
        Forest *forest = forest_new(3);
        assert_non_null(forest);
        forest->desc.height_filter = (FiloMapFilter)filter;
        FiloPlacement *placement = placing_create(&forest->desc);
        FiloPlacementArea area = { 20, 20, 60, 60 };
        FiloPlacementResult wanted = placing_request(placement, (FiloPlacementRequest){ .area = area });
        FiloMapWindow window = { 0, forest->desc.height };
        forest->desc.height = (FiloTerrainMap){ 0 };
        FiloPlacement *flat = placing_create(&forest->desc);
        assert_all_paths(flat, (FiloPlacementRequest){ .area = area, .windows = &window, .window_count = 1 },
                         &wanted);
        filo_placement_result_free(&wanted);
        filo_placement_destroy(flat);
        filo_placement_destroy(placement);
        free(forest);
    }
}

static FiloResult compute_with(const FiloPlacement *placement, FiloPlacementArea area, FiloMapWindow window) {
    FiloPlacementRequest request = { .area = area, .windows = &window, .window_count = 1 };
    FiloPlacementResult result = { 0 };
    FiloResult r = filo_placement_compute(placement, &request, &result);
    assert_true(r.code == FILO_OK ? result.count > 0 : result.count == 0);
    filo_placement_result_free(&result);
    return r;
}

// The world has 300 metres and 128 texels: texel 43 ends at 103.125.
FILO_TEST(windows_without_a_texel_that_the_area_needs_are_refused) {
    Forest *forest = filters(4);
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloPlacementArea area = { 100, 130, 150, 160 };
    int blended = filo_placement_map_find(placement, "a"), nearest = filo_placement_map_find(placement, "b");
    FiloTerrainMap a = forest_bytes(forest, 0), b = forest_bytes(forest, 1);
    // 100 to 150 metres are the texels 42 to 63, and 64 for the filter; 130 to 160 are 55 to 68.
    assert_ok(compute_with(placement, area, (FiloMapWindow){ blended, window_of(a, 42, 54, 23, 15) }));
    assert_ok(compute_with(placement, area, (FiloMapWindow){ nearest, window_of(b, 42, 55, 22, 14) }));
    assert_error(
        compute_with(placement, area, (FiloMapWindow){ blended, window_of(a, 43, 54, 23, 15) }),
        FILO_ERROR_DATA,
        "map \"a\": the area needs texels 42 to 64 of x, and 43 to 65 are in memory; pass a window that "
        "has them");
    assert_error(
        compute_with(placement, area, (FiloMapWindow){ nearest, window_of(b, 42, 55, 21, 14) }),
        FILO_ERROR_DATA,
        "map \"b\": the area needs texels 42 to 63 of x, and 42 to 62 are in memory; pass a window that "
        "has them");
    assert_error(compute_with(placement, area, (FiloMapWindow){ nearest, window_of(b, 0, 56, 128, 60) }),
                 FILO_ERROR_DATA,
                 "map \"b\": the area needs texels 55 to 68 of y, and 56 to 115 are in memory; pass a window "
                 "that has them");
    // Outside of the world, the texels at the border are needed.
    FiloPlacementArea outside = { -90, 310, -50, 350 };
    assert_ok(compute_with(placement, outside, (FiloMapWindow){ blended, window_of(a, 0, 127, 1, 1) }));
    assert_error(
        compute_with(placement, outside, (FiloMapWindow){ blended, window_of(a, 1, 127, 1, 1) }),
        FILO_ERROR_DATA,
        "map \"a\": the area needs texels 0 to 0 of x, and 1 to 1 are in memory; pass a window that has "
        "them");
    filo_placement_destroy(placement);
    free(forest);
}

// A window is refused exactly where it would change the result.
FILO_TEST(windows_that_are_accepted_give_the_bytes_of_whole_maps) {
    Forest *forest = filters(5);
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloRandom random = filo_random_sequence(3);
    int accepted = 0, refused = 0;
    for (int round = 0; round < 300; round++) {
        int layer = round % 4, x = filo_random_range(&random, 0, 60), y = filo_random_range(&random, 0, 60);
        int width = filo_random_range(&random, 10, 40), height = filo_random_range(&random, 10, 40);
        double x0 = 300.0 / 128 * (x + (double)filo_random_float(&random) * 2 - 0.5),
               y0 = 300.0 / 128 * (y + (double)filo_random_float(&random) * 2 - 0.5);
        FiloPlacementArea area = { x0, y0, x0 + 300.0 / 128 * (width - 2), y0 + 300.0 / 128 * (height - 2) };
        const FiloPlacementLayer *from = &forest->desc.footprints[0].layers[layer];
        FiloMapWindow window = { filo_placement_map_find(placement, from->name),
                                 window_of(from->density.map, x, y, width, height) };
        FiloPlacementRequest request = { .area = area, .windows = &window, .window_count = 1 };
        FiloPlacementResult result = { 0 };
        if (filo_placement_compute(placement, &request, &result).code == FILO_OK) {
            FiloPlacementResult wanted = placing_request(placement, (FiloPlacementRequest){ .area = area });
            placing_assert_same(&wanted, &result);
            filo_placement_result_free(&wanted);
            accepted++;
        } else {
            refused++;
        }
        filo_placement_result_free(&result);
    }
    assert_true(accepted > 30 && refused > 30);
    filo_placement_destroy(placement);
    free(forest);
}

FILO_TEST(windows_that_do_not_fit_are_refused) {
    Forest *forest = filters(4);
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloPlacementResult result = { 0 };
    FiloMapWindow window = { 1, forest_bytes(forest, 0) };
    FiloPlacementRequest request = { .area = { 0, 0, 20, 20 }, .windows = &window, .window_count = 1 };
    assert_ok(filo_placement_compute(placement, &request, &result));
    assert_true(result.count > 0);
    window.map = 99;
    assert_error(filo_placement_compute(placement, &request, &result), FILO_ERROR_DATA,
                 "window 0: there is no map 99");
    assert_int_equal(result.count, 0);
    window.map = -1;
    assert_error(filo_placement_compute(placement, &request, &result), FILO_ERROR_DATA,
                 "window 0: there is no map -1");
    window = (FiloMapWindow){ 1, forest_floats(forest) };
    assert_error(filo_placement_compute(placement, &request, &result), FILO_ERROR_DATA,
                 "a: a window has bytes or 16 bits, no floats");
    window = (FiloMapWindow){ 0, forest_words(forest) };
    window.window.width = 64;
    assert_error(filo_placement_compute(placement, &request, &result), FILO_ERROR_DATA,
                 "height: the window is of a map of 64 × 128, and the map has 128 × 128");
    window.window.data = NULL;
    assert_error(filo_placement_compute(placement, &request, &result), FILO_ERROR_DATA,
                 "height: the map has no data");
    request.windows = NULL;
    expect_mistake("pass the windows whose number you give",
                   filo_placement_compute(placement, &request, &result));
    filo_placement_result_free(&result);
    filo_placement_destroy(placement);
    free(forest);
}

// ---- How maps lie in memory ---------------------------------------------------------------------------------

// Places with the maps of `forest`, and with what `change` makes of them.
static void assert_same_placement(Forest *forest, const FiloPlacementDesc *changed) {
    FiloPlacement *packed = placing_create(&forest->desc), *other = placing_create(changed);
    FiloPlacementArea area = { -20, 10, 90, 100 };
    FiloPlacementResult wanted = placing_request(packed, (FiloPlacementRequest){ .area = area });
    assert_true(wanted.count > 200);
    assert_all_paths(other, (FiloPlacementRequest){ .area = area }, &wanted);
    filo_placement_result_free(&wanted);
    filo_placement_destroy(other);
    filo_placement_destroy(packed);
}

FILO_TEST(channels_of_an_image_are_like_packed_maps) {
    enum { TEXELS = FOREST_SIDE * FOREST_SIDE, GAP = 3 };
    Forest *forest = filters(5);
    // RGBA, with a gap after each row, at an odd address; words with two channels.
    size_t stride = FOREST_SIDE * 4 + GAP;
    uint8_t *pixels = malloc(1 + stride * FOREST_SIDE), *words = malloc(1 + (size_t)TEXELS * 4);
    for (int i = 0; i < TEXELS; i++)
        for (int map = 0; map < 4; map++)
            pixels[1 + (size_t)(i / FOREST_SIDE) * stride + (size_t)(i % FOREST_SIDE) * 4 + (size_t)map] =
                forest->bytes[map][i];
    for (int i = 0; i < TEXELS; i++) memcpy(words + 1 + i * 4, &forest->words[i], 2);
    FiloPlacementDesc changed = forest->desc;
    for (int l = 0; l < 4; l++) {
        FiloTerrainMap *map = &changed.footprints[0].layers[l].density.map;
        map->data = l < 2 ? pixels + 1 + l : words + 1;
        map->step = 4;
        map->stride = l < 2 ? stride : FOREST_SIDE * 4;
    }
    changed.height.data = words + 1;
    changed.height.step = 4;
    assert_same_placement(forest, &changed);
    free(pixels), free(words), free(forest);
}

FILO_TEST(windows_of_a_placement_are_like_the_whole_where_they_reach) {
    Forest *forest = filters(6);
    FiloPlacementDesc changed = forest->desc;
    // The area ends at 90 and 100 metres: texels 38 and 42.
    for (int l = 0; l < 4; l++) {
        FiloTerrainMap *map = &changed.footprints[0].layers[l].density.map;
        *map = window_of(*map, 0, 3, 41, 41);
    }
    changed.height = window_of(changed.height, 0, 3, 41, 41);
    assert_same_placement(forest, &changed);
    free(forest);
}

FILO_TEST(floats_are_like_the_16_bits_that_they_become) {
    Forest *forest = filters(7);
    forest->floats[0] = 0, forest->floats[1] = 1, forest->floats[2] = -0.0f;
    forest->floats[3] = FLT_MIN, forest->floats[4] = 1 - FLT_EPSILON / 2, forest->floats[5] = 0.5f / 65535;
    for (int i = 0; i < FOREST_SIDE * FOREST_SIDE; i++) {
        forest->words[i] = (uint16_t)lrintf(forest->floats[i] * 65535.0f);
    }
    FiloPlacementDesc changed = forest->desc;
    for (int l = 2; l < 4; l++) changed.footprints[0].layers[l].density.map = forest_floats(forest);
    changed.height = forest_floats(forest);
    assert_same_placement(forest, &changed);
    // They were converted: a change has no effect.
    FiloPlacement *placement = placing_create(&changed);
    FiloPlacementResult before = placing_area(placement, 0, 0, 50, 50);
    memset(forest->floats, 0, sizeof forest->floats);
    FiloPlacementResult after = placing_area(placement, 0, 0, 50, 50);
    placing_assert_same(&before, &after);
    filo_placement_result_free(&before);
    filo_placement_result_free(&after);
    filo_placement_destroy(placement);
    free(forest);
}

// Maps of one texel, row or column have no neighbours to blend with.
FILO_TEST(maps_of_one_texel_are_the_same_everywhere) {
    static const int sizes[][2] = { { 1, 1 }, { 1, 5 }, { 5, 1 }, { 2, 2 } };
    static const float floats[10] = { 0.5f, 0.5f, 0.5f, 0.5f, 0.5f };
    uint8_t bytes[5];
    uint16_t words[5];
    for (int i = 0; i < 5; i++) bytes[i] = 128, words[i] = 128 * 257;
    for (size_t size = 0; size < FILO_COUNT_OF(sizes); size++) {
        FiloPlacementDesc *desc = calloc(1, sizeof *desc);
        desc->size = (FiloVec3){ 100, 100, 10 };
        desc->height =
            (FiloTerrainMap){ words, FILO_MAP_U16, sizes[size][0], sizes[size][1], 0, 0, 0, 0, 0, 0 };
        desc->footprints[0].footprint = 2;
        for (int l = 0; l < 6; l++) {
            FiloDensityMap *density = &desc->footprints[0].layers[l].density;
            const void *data = l / 2 == 0 ? (const void *)bytes : l / 2 == 1 ? (const void *)words : floats;
            density->map =
                (FiloTerrainMap){ data, (FiloMapFormat)(l / 2), sizes[size][0], sizes[size][1], 0, 0, 0, 0, 0,
                                  0 };
            density->filter = l % 2 == 0 ? FILO_MAP_BILINEAR : FILO_MAP_NEAREST;
            density->scale = 0.25f;
        }
        FiloPlacement *placement = placing_create(desc);
        FiloPlacementResult result = placing_area(placement, -200, -200, 200, 200);
        for (size_t i = 0; i < result.count; i++)
            assert_true(result.objects[i].z == 10.0f / (65535.0f * 256.0f) * (128 * 257 * 256));
        // Six layers of an eighth each.
        double share =
            (double)result.count / (400.0 * 400.0) * pow(filo_placement_cell_size(placement, 0), 2) / 64;
        assert_true(fabs(share - 0.75) < 0.03);
        assert_all_paths(placement, (FiloPlacementRequest){ .area = result.area }, &result);
        filo_placement_result_free(&result);
        filo_placement_destroy(placement);
        free(desc);
    }
}
