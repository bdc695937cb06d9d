// Placing by ecotopes: densities against an interpreter in doubles, maps, units, blurs, and what is near what.

#include "placement/ecotope_random.h"

#include "support/failing_allocator.h"

#include <filo/strings.h>
#include <filo/terrain.h>

#include <math.h>

#define POINTS 1500 // candidates that are compared

static Forest *new_forest(void) {
    Forest *forest = malloc(sizeof *forest);
    assert_non_null(forest);
    forest_make(forest, 7);
    return forest;
}

// ---- Operators ------------------------------------------------------------------------------------------------

typedef struct Operator {
    const char *text;
    double (*exact)(double a, double b); // of the maps a and b
} Operator;

static double op_min(double a, double b) { return fmin(a, b); }
static double op_max(double a, double b) { return fmax(a, b); }
static double op_multiply(double a, double b) { return a * b; }
static double op_add(double a, double b) { return a + b - 0.5; }
static double op_subtract(double a, double b) { return a - b - 0.125; }
static double op_invert(double a, double b) { return FILO_UNUSED(b), 1 - a; }
static double op_curve(double a, double b) {
    return FILO_UNUSED(b), a < 0.5 ? 0.25 + a : 0.75 - 1.5 * (a - 0.5);
}
static double op_threshold(double a, double b) { return FILO_UNUSED(b), a >= 0.5; }
static double op_soft(double a, double b) { return FILO_UNUSED(b), clamp((a - 0.25) * 2, 0, 1); }
static double op_clamp(double a, double b) { return FILO_UNUSED(b), clamp(a, 0.25, 0.75); }
static double op_road(double a, double b) { return FILO_UNUSED(b), clamp((a * 200 - 50) / 100, 0, 1); }
static double op_road_max(double a, double b) {
    return FILO_UNUSED(b), clamp(fmax(a * 200, 100) / 200, 0, 1);
}
static double op_half(double a, double b) { return FILO_UNUSED(b), 2 * a - 1; }

static const Operator operators[] = {
    { "{'min': ['a', 'b']}", op_min },
    { "{'max': ['a', 'b']}", op_max },
    { "{'multiply': ['a', 'b']}", op_multiply },
    { "{'add': ['a', 'b', -0.5]}", op_add },
    { "{'subtract': ['a', 'b', 0.125]}", op_subtract },
    { "{'invert': 'a'}", op_invert },
    { "{'curve': [[0, 0.25], [0.5, 0.75], [1, 0]], 'of': 'a'}", op_curve },
    { "{'threshold': 0.5, 'of': 'a'}", op_threshold },
    { "{'threshold': 0.5, 'soft': 0.5, 'of': 'a'}", op_soft },
    { "{'clamp': [0.25, 0.75], 'of': 'a'}", op_clamp },
    { "{'curve': [[50, 0], [150, 1]], 'of': 'road'}", op_road },
    { "{'curve': [[0, 0], [200, 1]], 'of': {'max': ['road', 100]}}", op_road_max },
    { "{'threshold': 100, 'soft': 100, 'of': {'clamp': [-1000, 1000], 'of': 'road'}}", op_road },
    { "'half'", op_half },
    { "{'min': ['half', 4]}", op_half },
};

FILO_TEST(operators_agree_with_doubles) {
    Forest *forest = new_forest();
    FiloPlacement *inputs = create_from(forest, ONE_LAYER("{'add': ['a', 'b']}"));
    for (size_t o = 0; o < FILO_COUNT_OF(operators); o++) {
        char text[1024];
        snprintf(text, sizeof text, ONE_LAYER("%s"), operators[o].text);
        FiloPlacement *p = create_from(forest, text);
        for (int i = 0; i < POINTS; i++) {
            double exact = operators[o].exact(input_at(inputs, "a", i), input_at(inputs, "b", i));
            double found = density_at(p, i) / 65536.0;
            if (fabs(found - clamp(exact, 0, 1)) > 2.0 / 32768)
                fail_msg("%s: %.6f instead of %.6f", operators[o].text, found, clamp(exact, 0, 1));
        }
        filo_placement_destroy(p);
    }
    filo_placement_destroy(inputs);
    free(forest);
}

// ---- Random expressions ---------------------------------------------------------------------------------------

FILO_TEST(random_expressions_agree_with_doubles) {
    Forest *forest = new_forest();
    FiloPlacement *inputs = create_from(forest, ONE_LAYER("{'add': ['a', 'b']}"));
    int different = 0;
    for (uint64_t seed = 1; seed <= 150; seed++) {
        Maker maker;
        const char *density = random_text(&maker, seed);
        char *text = malloc(strlen(density) + 1024);
        assert_non_null(text);
        snprintf(text, strlen(density) + 1024, ONE_LAYER("%s"), density);
        FiloPlacement *p = create_from(forest, text);
        double first = -1;
        for (int i = 0; i < 300; i += 7) {
            Maker evaluates = { .random = filo_random_sequence(seed),
                                .a = input_at(inputs, "a", i),
                                .b = input_at(inputs, "b", i) };
            Exact exact = make_expression(&evaluates, 4);
            double value = clamp(exact.value, 0, 1), found = density_at(p, i) / 65536.0;
            if (fabs(found - value) > exact.error + STEP / 2)
                fail_msg("%s: %.6f instead of %.6f ± %.6f", density, found, value, exact.error);
            different += first >= 0 && found != first;
            first = found;
        }
        filo_placement_destroy(p);
        filo_builder_deinit(&maker.text);
        free(text);
    }
    assert_true(different > 500); // most of them are not constant
    filo_placement_destroy(inputs);
    free(forest);
}

// ---- All paths ------------------------------------------------------------------------------------------------

static void assert_same_on_all_paths(const FiloPlacement *p, FiloPlacementArea area, size_t *count) {
    FiloPlacementResult results[4] = { 0 };
    for (int path = 0; path < 4; path++) {
        FiloPlacementRequest request = { .area = area, .path = (FiloPlacementPath)path };
        assert_ok(filo_placement_compute(p, &request, &results[path]));
        assert_int_equal(results[path].count, results[0].count);
        assert_memory_equal(results[path].first, results[0].first, sizeof results[0].first);
        if (results[0].count > 0)
            assert_memory_equal(results[path].objects, results[0].objects,
                                results[0].count * sizeof(FiloPlaced));
    }
    *count += results[0].count;
    for (int path = 0; path < 4; path++) filo_placement_result_free(&results[path]);
}

FILO_TEST(random_ecotopes_are_the_same_on_all_paths) {
    Forest *forest = new_forest();
    size_t count = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        FiloBuilder text = { 0 };
        write_random_file(&text, seed);
        FiloPlacement *p = create_from(forest, filo_builder_text(&text));
        assert_same_on_all_paths(p, (FiloPlacementArea){ -13, 20, 90, 101 }, &count);
        assert_same_on_all_paths(p, (FiloPlacementArea){ 250, 260, 310, 301 }, &count);
        filo_placement_destroy(p);
        filo_builder_deinit(&text);
    }
    assert_true(count > 10000);
    free(forest);
}

static int compare_objects(const void *a, const void *b) { return memcmp(a, b, sizeof(FiloPlaced)); }

// Objects of a result after those in `all`, which has room for them.
static void append(const FiloPlacement *p, FiloPlacementArea area, FiloJobs *jobs, FiloPlaced *all,
                   size_t *count) {
    FiloPlacementResult result = { 0 };
    assert_ok(filo_placement_compute(p, &(FiloPlacementRequest){ .area = area, .jobs = jobs }, &result));
    assert_true(*count + result.count <= 20000);
    if (result.count > 0) memcpy(all + *count, result.objects, result.count * sizeof(FiloPlaced));
    *count += result.count;
    filo_placement_result_free(&result);
}

FILO_TEST(parts_of_an_area_are_the_whole_on_any_number_of_threads) {
    Forest *forest = new_forest();
    FiloJobs *jobs;
    assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 3 }));
    FiloPlaced *whole = malloc(20000 * sizeof *whole), *parts = malloc(20000 * sizeof *parts);
    assert_true(whole != NULL && parts != NULL);
    for (uint64_t seed = 31; seed <= 36; seed++) {
        FiloBuilder text = { 0 };
        write_random_file(&text, seed);
        FiloPlacement *p = create_from(forest, filo_builder_text(&text));
        size_t whole_count = 0, parts_count = 0;
        append(p, (FiloPlacementArea){ -10, 20, 80, 100 }, NULL, whole, &whole_count);
        static const double x[] = { -10, 13.5, 14, 80 }, y[] = { 20, 61, 100 };
        for (int i = 0; i < 6; i++)
            append(p, (FiloPlacementArea){ x[i % 3], y[i / 3], x[i % 3 + 1], y[i / 3 + 1] }, jobs, parts,
                   &parts_count);
        assert_int_equal(parts_count, whole_count);
        qsort(whole, whole_count, sizeof *whole, compare_objects);
        qsort(parts, parts_count, sizeof *parts, compare_objects);
        assert_memory_equal(whole, parts, whole_count * sizeof *whole);
        filo_placement_destroy(p);
        filo_builder_deinit(&text);
    }
    free(whole);
    free(parts);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    free(forest);
}

// ---- Noise ----------------------------------------------------------------------------------------------------

// Along a line: between 0 and 1 and near both, without jumps, and with another seed another noise.
FILO_TEST(noise_is_smooth_and_fills_its_range) {
    Forest *forest = new_forest();
    for (int octaves = 1; octaves <= 8; octaves++) {
        double found[2][2000], sum = 0, least = 1, most = 0;
        for (int seed = 0; seed < 2; seed++) {
            char text[1024];
            snprintf(text, sizeof text, ONE_LAYER("{'noise': 20, 'octaves': %d, 'seed': %d}"), octaves, seed);
            FiloPlacement *p = create_from(forest, text);
            PlacementCandidate candidate = candidate_of(p, 0);
            for (int i = 0; i < 2000; i++) {
                candidate.at =
                    (PlacementPoint){ .x = (float)i * 0.25f, .y = (float)i * 0.125f, .origin_x = 5000 };
                found[seed][i] = density_of(candidate) / 65536.0;
            }
            filo_placement_destroy(p);
        }
        int equal = 0;
        for (int i = 0; i < 2000; i++) {
            // The steepest slope of one octave is 1.5 in each direction; all octaves have the same.
            if (i > 0) assert_true(fabs(found[0][i] - found[0][i - 1]) < 1.5 * 0.375 / 20 * octaves * 1.1);
            sum += found[0][i];
            least = fmin(least, found[0][i]);
            most = fmax(most, found[0][i]);
            equal += found[0][i] == found[1][i];
        }
        assert_true(least >= 0 && least < 0.3 && most > 0.7 && most <= 1);
        assert_true(fabs(sum / 2000 - 0.5) < 0.06);
        assert_true(equal < 20);
    }
    free(forest);
}

// ---- Maps -----------------------------------------------------------------------------------------------------

FILO_TEST(heights_are_in_metres) {
    Forest *forest = new_forest();
    // The world is from 100 to 180 metres high.
    FiloPlacement *p = create_from(forest, ONE_LAYER("{'curve': [[110, 0], [150, 1]], 'of': 'height'}"));
    for (int i = 0; i < POINTS; i++) {
        double height = 100 + 80 * input_at(p, "height", i);
        assert_true(fabs(density_at(p, i) / 65536.0 - clamp((height - 110) / 40, 0, 1)) < 4.0 / 32768);
    }
    filo_placement_destroy(p);
    free(forest);
}

FILO_TEST(slopes_are_computed_unless_they_are_passed) {
    Forest *forest = new_forest();
    FiloPlacement *p = create_from(forest, ONE_LAYER("{'curve': [[0, 0], [90, 1]], 'of': 'slope'}"));
    int map = filo_placement_map_find(p, "slope");
    assert_true(map > 0);
    static uint16_t slope[FOREST_SIDE * FOREST_SIDE];
    FiloTerrainDesc terrain = {
        .heights = forest_words(forest), .size = { 300, 300 }, .low = 100, .high = 180
    };
    assert_ok(filo_terrain_bake_slope(slope, &terrain));
    assert_memory_equal(p->maps[map].data, slope, sizeof slope);
    filo_placement_destroy(p);

    FiloEcotope *ecotope = parse(ONE_LAYER("{'curve': [[0, 0], [90, 1]], 'of': 'slope'}"));
    assert_int_equal(filo_ecotope_map_count(ecotope), 0);
    FiloNamedMap named = { "slope", forest_bytes(forest, 0) };
    FiloPlacementDesc desc = { .size = { 300, 300, 80 }, .ecotope = ecotope, .maps = &named, .map_count = 1 };
    assert_ok(filo_placement_create(&p, &desc));
    assert_ptr_equal(p->maps[filo_placement_map_find(p, "slope")].data, forest->bytes[0]);
    filo_placement_destroy(p);
    filo_ecotope_free(ecotope);
    free(forest);
}

FILO_TEST(without_a_heightmap_the_ground_is_level) {
    static const struct {
        const char *density;
        int32_t expected;
    } cases[] = {
        { "{'curve': [[0, 0], [90, 1]], 'of': 'slope'}", 0 },
        { "{'curve': [[-0.1, 0], [0.1, 1]], 'of': 'curvature'}", 32768 },
        { "{'curve': [[-90, 0], [90, 1]], 'of': 'aspect'}", 32768 },
        { "{'threshold': 50, 'of': 'height'}", 65536 },
        { "{'threshold': 51, 'of': 'height'}", 0 },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++)
        for (int z = 0; z < 100; z += 80) {
            char text[1024];
            snprintf(text, sizeof text, ONE_LAYER("%s"), cases[i].density);
            FiloEcotope *ecotope = parse(text);
            FiloPlacementDesc desc = { .size = { 300, 300, (float)z }, .lowest = 50, .ecotope = ecotope };
            FiloPlacement *p;
            assert_ok(filo_placement_create(&p, &desc));
            assert_in_range(density_at(p, 5), cases[i].expected - 4 * (cases[i].expected == 32768),
                            cases[i].expected + 4 * (cases[i].expected == 32768));
            filo_placement_destroy(p);
            filo_ecotope_free(ecotope);
        }
}

FILO_TEST(curves_over_directions_go_around) {
    Forest *forest = new_forest();
    static const char *const curves[] = { "[[-30, 0], [0, 1], [30, 0]]", "[[330, 0], [360, 1], [390, 0]]" };
    for (size_t c = 0; c < FILO_COUNT_OF(curves); c++) {
        char text[1024];
        snprintf(text, sizeof text, ONE_LAYER("{'curve': %s, 'of': 'wind'}"), curves[c]);
        FiloPlacement *p = create_from(forest, text);
        int inside = 0;
        for (int i = 0; i < POINTS; i++) {
            double degrees = 360 * input_at(p, "wind", i), away = fmin(degrees, 360 - degrees);
            assert_true(fabs(density_at(p, i) / 65536.0 - clamp(1 - away / 30, 0, 1)) < 16.0 / 32768);
            inside += away < 30;
        }
        assert_true(inside > 10);
        // A direction is never blended with another.
        assert_int_equal(p->maps[filo_placement_map_find(p, "wind")].reader.filter, FILO_MAP_NEAREST);
        filo_placement_destroy(p);
    }
    // From the last point to the first: 1 at 90°, 0 at 270°, straight lines in between.
    FiloPlacement *p = create_from(forest, ONE_LAYER("{'curve': [[90, 1], [270, 0]], 'of': 'wind'}"));
    for (int i = 0; i < POINTS; i++) {
        double degrees = 360 * input_at(p, "wind", i), away = fabs(degrees - 90);
        if (away > 180) away = 360 - away;
        assert_true(fabs(density_at(p, i) / 65536.0 - (1 - away / 180)) < 8.0 / 32768);
    }
    filo_placement_destroy(p);
    free(forest);
}

FILO_TEST(maps_with_floats_that_mean_nothing_are_refused_before_anything_is_allocated) {
    Forest *forest = new_forest();
    FiloEcotope *ecotope = parse(ONE_LAYER("'a'"));
    NamedMaps maps = name_maps(forest);
    maps.maps[0].map = forest_floats(forest);
    forest->floats[3 * FOREST_SIDE + 2] = NAN;
    FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
    FiloPlacementDesc desc = { .size = forest->desc.size,
                               .height = forest->desc.height,
                               .ecotope = ecotope,
                               .maps = maps.maps,
                               .map_count = FILO_COUNT_OF(maps.maps),
                               .allocator = &failing.allocator };
    FiloPlacement *p = NULL;
    assert_error(filo_placement_create(&p, &desc), FILO_ERROR_DATA,
                 "the map \"a\": texel 2, 3 is nan; values are from 0 to 1");
    assert_int_equal(failing.calls, 0);
    forest->floats[3 * FOREST_SIDE + 2] = 1;
    assert_ok(filo_placement_create(&p, &desc));
    filo_placement_destroy(p);
    filo_ecotope_free(ecotope);
    free(forest);
}

FILO_TEST(missing_maps_are_named) {
    Forest *forest = new_forest();
    FiloPlacement *p = NULL;
    const char *file =
        "{'maps': {'woods': {}, 'road_distance': {'range': [0, 9]}}, 'footprints': {'f': {'metres': 1}},\n"
        "'ecotopes': [{'name': 'e', 'layers': [{'name': 'x', 'density': ";
    static const char *const cases[][2] = {
        { "'woods'",
          "a.json:2:64: the map \"woods\" was not passed to the placement: did you mean \"wods\"?" },
        { "{'threshold': 1, 'of': 'road_distance'}", "a.json:2:87: the map \"road_distance\" was not passed "
                                                     "to the placement: examples/terrain makes such maps" },
        { "{'threshold': 1, 'of': 'wetness'}", "a.json:2:87: the map \"wetness\" was not passed to the "
                                               "placement: examples/terrain makes such maps" },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        char text[1024];
        snprintf(text, sizeof text, "%s%s}]}]}", file, cases[i][0]);
        FiloEcotope *ecotope = parse(text);
        FiloNamedMap maps[] = { { "wods", forest_bytes(forest, 0) } };
        FiloPlacementDesc desc = { .size = { 9, 9, 9 }, .ecotope = ecotope, .maps = maps, .map_count = 1 };
        FiloResult result = filo_placement_create(&p, &desc);
        assert_string_equal(result.message, cases[i][1]);
        assert_int_equal(result.code, FILO_ERROR_NOT_FOUND);
        assert_null(p);
        maps[0].name = NULL;
        expect_mistake("give every map of an ecotope its name", filo_placement_create(&p, &desc));
        desc.footprints[0].footprint = 1;
        expect_mistake("give a placement an ecotope or footprints, not both",
                       filo_placement_create(&p, &desc));
        desc.footprints[0].footprint = 0;
        desc.maps = NULL;
        expect_mistake("pass the maps whose number you give", filo_placement_create(&p, &desc));
        maps[0] = (FiloNamedMap){ "woods", { .format = FILO_MAP_U8, .width = 1, .height = 1 } };
        desc.maps = maps;
        if (i == 0)
            assert_error(filo_placement_create(&p, &desc), FILO_ERROR_DATA,
                         "the map \"woods\": the map has no data");
        filo_ecotope_free(ecotope);
    }
    free(forest);
}

// ---- Blur -----------------------------------------------------------------------------------------------------

// Three times the average over a box, in each direction, in doubles.
static void blur_exactly(double *values, int side, int radius) {
    double *other = malloc((size_t)side * (size_t)side * sizeof *other);
    assert_non_null(other);
    for (int pass = 0; pass < 6; pass++) {
        for (int y = 0; y < side; y++)
            for (int x = 0; x < side; x++) {
                double sum = 0;
                for (int k = -radius; k <= radius; k++) {
                    int at = (int)clamp((pass < 3 ? x : y) + k, 0, side - 1);
                    sum += pass < 3 ? values[y * side + at] : values[at * side + x];
                }
                other[y * side + x] = sum / (2 * radius + 1);
            }
        memcpy(values, other, (size_t)side * (size_t)side * sizeof *other);
    }
    free(other);
}

FILO_TEST(a_blur_is_three_boxes) {
    Forest *forest = new_forest();
    FiloPlacement *p =
        create_from(forest, ONE_LAYER("{'blur': {'multiply': ['b', {'noise': 30}]}, 'metres': 21.09375}"));
    assert_int_equal(p->map_count, 3); // height, b and the blur
    const PlacementMap *map = &p->maps[2];
    assert_int_equal(map->reader.full_width, FOREST_SIDE); // as the map in it
    FiloPlacement *sharp = create_from(forest, ONE_LAYER("{'multiply': ['b', {'noise': 30}]}"));
    double *values = malloc(FOREST_SIDE * FOREST_SIDE * sizeof *values);
    assert_non_null(values);
    PlacementCandidate candidate = candidate_of(sharp, 0);
    for (int i = 0; i < FOREST_SIDE * FOREST_SIDE; i++) {
        // The centre of a texel, as the origin of a block.
        candidate.at = (PlacementPoint){ .origin_x = (i % FOREST_SIDE + 0.5) / FOREST_SIDE * 300,
                                         .origin_y = (i / FOREST_SIDE + 0.5) / FOREST_SIDE * 300 };
        values[i] = density_of(candidate) / 65536.0;
    }
    blur_exactly(values, FOREST_SIDE, 3); // a third of 21.09375 metres is 3 texels of 300 / 128
    for (int i = 0; i < FOREST_SIDE * FOREST_SIDE; i++)
        assert_true(fabs(((const uint16_t *)(const void *)map->data)[i] / 65535.0 - values[i]) < 4.0 / 65535);
    free(values);
    filo_placement_destroy(sharp);
    filo_placement_destroy(p);
    free(forest);
}

FILO_TEST(equal_blurs_are_one_map_and_windows_are_refused) {
    Forest *forest = new_forest();
    FiloPlacement *p = create_from(
        forest,
        ONE_LAYER("{'add': [{'blur': 'a', 'metres': 9}, {'blur': 'a', 'metres': 9}, {'blur': {'blur': 'a', "
                  "'metres': 9}, 'metres': 30}]}"));
    assert_int_equal(p->map_count, 4);
    filo_placement_destroy(p);
    assert_error(
        create_text(&p, forest, ONE_LAYER("{'blur': {'noise': 9}, 'metres': 1, 'resolution': 0.05}"), NULL),
        FILO_ERROR_LIMIT, "blur: 6000 × 6000 values, there may be 16777216: state a coarser \"resolution\"");
    FiloEcotope *ecotope = parse(ONE_LAYER("{'blur': 'a', 'metres': 9}"));
    FiloNamedMap named = { "a", forest_words(forest) };
    named.map.full_width = named.map.full_height = 2 * FOREST_SIDE;
    FiloPlacementDesc desc = { .size = { 300, 300, 80 }, .ecotope = ecotope, .maps = &named, .map_count = 1 };
    assert_error(filo_placement_create(&p, &desc), FILO_ERROR_UNSUPPORTED,
                 "blur: the map \"a\" is a window of a larger one; only whole maps can be blurred");
    filo_ecotope_free(ecotope);
    free(forest);
}

// ---- Layers ---------------------------------------------------------------------------------------------------

FILO_TEST(ferns_are_near_pines) {
    Forest *forest = new_forest();
    FiloPlacement *p = create_from(forest, "{'footprints': {'trees': {'metres': 8}, 'ground': {'metres': "
                                           "1}}, 'ecotopes': [{'name': 'wood', 'layers': "
                                           "[{'name': 'fern', 'footprint': 'ground', 'density': {'near': "
                                           "'pine', 'within': 6}}, {'name': 'pine', "
                                           "'footprint': 'trees', 'density': 0.2, 'radius': 0}, {'name': "
                                           "'oak', 'footprint': 'trees', 'density': "
                                           "0.3}]}]}");
    FiloPlacementResult result = { 0 };
    assert_ok(filo_placement_compute(p, &(FiloPlacementRequest){ .area = { 50, 50, 200, 200 } }, &result));
    size_t pine = (size_t)filo_placement_layer_find(p, "pine"),
           fern = (size_t)filo_placement_layer_find(p, "fern");
    FiloPlacementResult around = { 0 }; // pines beyond the border count as well
    assert_ok(filo_placement_compute(p, &(FiloPlacementRequest){ .area = { 40, 40, 210, 210 } }, &around));
    assert_true(filo_placement_result_count(&result, fern) > 500);
    for (size_t i = result.first[fern]; i < result.first[fern + 1]; i++) {
        double nearest = 1e9;
        for (size_t k = around.first[pine]; k < around.first[pine + 1]; k++)
            nearest = fmin(nearest, hypot((double)result.objects[i].x - (double)around.objects[k].x,
                                          (double)result.objects[i].y - (double)around.objects[k].y));
        assert_true(nearest < 6.02);
    }
    filo_placement_result_free(&result);
    filo_placement_result_free(&around);
    filo_placement_destroy(p);
    free(forest);
}

FILO_TEST(a_layer_has_all_properties_of_its_file) {
    Forest *forest = new_forest();
    FiloPlacement *p = create_from(
        forest,
        "{'maps': {'wind': {'wraps': true}}, 'footprints': {'f': "
        "{'metres': 3, 'pattern': 16}, 'g': {'metres': 2}}, "
        "'ecotopes': [{'name': 'e', 'layers': [{'name': 'x', 'footprint': "
        "'f', 'radius': 1.25, 'scale': [0.5, 2], "
        "'tilt': 0.75, 'towards': 'wind', 'turn': 90, 'color': "
        "['#ff0000', '#0000ff'], 'variants': 3}, {'name': "
        "'y', 'footprint': 'g', 'scale': 3, 'turn': 0, 'radius': 0}, {'name': 'z', 'footprint': 'g'}]}]}");
    const PlacementLayer *x = &p->footprints[0].layers[0], *y = &p->footprints[1].layers[0];
    assert_int_equal(p->footprints[0].n, 16);
    assert_true(x->radius == 1.25f && x->variation.scale_min == 0.5f && x->variation.scale_max == 2);
    assert_true(x->variation.tilt == 0.75f && fabsf(x->variation.turn_range - FILO_PI / 2) < 1e-6f);
    assert_int_equal(x->variation.turn, FILO_TURN_TOWARDS);
    assert_int_equal(x->towards, filo_placement_map_find(p, "wind"));
    assert_int_equal(x->variation.color_a.r, 255);
    assert_int_equal(x->variation.color_b.b, 255);
    assert_int_equal(x->variation.variants, 3);
    assert_true(y->radius == -1 && y->variation.scale_min == 3 && y->variation.turn_range == 0);
    assert_true(p->footprints[1].layers[1].radius == 1); // left out: half the footprint
    assert_int_equal(y->variation.turn, FILO_TURN_NONE);
    assert_int_equal(y->towards, -1);
    assert_int_equal(y->variation.variants, 1);
    filo_placement_destroy(p);
    free(forest);
}
