// The GPU's bytes are the CPU's: random placements, edits, parts of footprints, maps of all kinds.

#include "placement_gpu/scene.h"

static void random_rounds(FiloGpu *gpu, uint64_t seed, int rounds) {
    FiloRandom random = filo_random_sequence(seed);
    size_t total = 0;
    for (int round = 0; round < rounds; round++) {
        Forest *forest = forest_new(seed + (uint64_t)round);
        assert_non_null(forest);
        forest_random_desc(forest, &random);
        FiloPlacement *placement = make_placement(&forest->desc);
        FiloPlacementGpu *pgpu = make_on_gpu(gpu, placement, round % 2 == 0);
        for (int i = 0; i < 5; i++)
            total += compare_with_cpu(pgpu, placement,
                                      &(FiloPlacementRequest){ .area = forest_random_area(&random) });
        filo_placement_gpu_destroy(pgpu);
        filo_placement_destroy(placement);
        free(forest);
    }
    assert_true(total > 300 * (size_t)rounds);
}

static void random_placements(FiloGpu *gpu) { random_rounds(gpu, 21, 6); }
FILO_TEST(random_placements_have_the_bytes_of_the_cpu) { on_45(random_placements); }

// A device that has few texels reads maps as storage.
static void without_texels(FiloGpu *gpu) {
    FiloGpuLimits *limits = (FiloGpuLimits *)(uintptr_t)filo_gpu_limits(gpu);
    limits->texels = 1000;
    random_rounds(gpu, 33, 4);
}
FILO_TEST(maps_in_storage_give_the_same_bytes) { on_45(without_texels); }

// ---- Shapes of areas and maps -------------------------------------------------------------------------------

// A placement of one footprint with everything unusual: rows with gaps, windows, 32 layers, no heightmap.
static void compare_desc(FiloGpu *gpu, const FiloPlacementDesc *desc, FiloPlacementArea area, size_t least) {
    FiloPlacement *placement = make_placement(desc);
    FiloPlacementGpu *pgpu = make_on_gpu(gpu, placement, false);
    assert_true(compare_with_cpu(pgpu, placement, &(FiloPlacementRequest){ .area = area }) >= least);
    filo_placement_gpu_destroy(pgpu);
    filo_placement_destroy(placement);
}

static void many_layers(FiloGpu *gpu) {
    Forest *forest = forest_new(4);
    FiloFootprint *footprint = &forest->desc.footprints[0];
    for (int l = 0; l < FILO_PLACEMENT_LAYERS; l++) {
        footprint->layers[l] = (FiloPlacementLayer){
            .density = { .map = forest_bytes(forest, l % 4), .filter = FILO_MAP_NEAREST, .scale = 0.1f }
        };
    }
    footprint->pattern = filo_pattern(16, 0);
    compare_desc(gpu, &forest->desc, (FiloPlacementArea){ 10, 20, 250, 200 }, 5000);
    free(forest);
}
FILO_TEST(layers_may_be_32) { on_45(many_layers); }

static void flat_ground(FiloGpu *gpu) {
    Forest *forest = forest_new(5);
    forest->desc.height = (FiloTerrainMap){ 0 };
    forest->desc.lowest = 12.34f;
    compare_desc(gpu, &forest->desc, (FiloPlacementArea){ 0, 0, 100, 100 }, 500);
    free(forest);
}
FILO_TEST(ground_without_heightmap_is_flat) { on_45(flat_ground); }

static void gaps_and_windows(FiloGpu *gpu) {
    Forest *forest = forest_new(6);
    FiloFootprint *footprint = &forest->desc.footprints[0];
    // Every other value of every other row.
    footprint->layers[0].density.map = (FiloTerrainMap){ .data = forest->bytes[0],
                                                         .format = FILO_MAP_U8,
                                                         .width = FOREST_SIDE / 2,
                                                         .height = FOREST_SIDE / 2,
                                                         .stride = 2 * FOREST_SIDE,
                                                         .step = 2 };
    // A part of a larger map: 75 to 121 and 33 to 190 metres.
    footprint->layers[1].density.map = (FiloTerrainMap){ .data = forest->words,
                                                         .format = FILO_MAP_U16,
                                                         .width = 31,
                                                         .height = 47,
                                                         .stride = 2 * FOREST_SIDE,
                                                         .x = 50,
                                                         .y = 10,
                                                         .full_width = 200,
                                                         .full_height = 90 };
    footprint->layers[1].density.filter = FILO_MAP_BILINEAR;
    footprint->layers[2].density.map = (FiloTerrainMap){ .data = forest->bytes[2], .width = 1, .height = 1 };
    footprint->layers[2].density.filter = FILO_MAP_BILINEAR;
    compare_desc(gpu, &forest->desc, (FiloPlacementArea){ 77, 37, 118, 185 }, 500);
    free(forest);
}
FILO_TEST(gaps_between_rows_and_windows_are_read_as_on_the_cpu) { on_45(gaps_and_windows); }

static void several_blocks(FiloGpu *gpu) {
    Forest *forest = forest_new(7);
    forest->desc.footprints[0].footprint = 0.25f; // a block is some 150 metres wide
    FiloPlacement *placement = make_placement(&forest->desc);
    FiloPlacementGpu *pgpu = make_on_gpu(gpu, placement, false);
    static const FiloPlacementArea areas[] = {
        { -200, -5, 190, 5 },               // along x, across the origin
        { -5, -200, 5, 190 },               // along y
        { 99990, -100010, 100010, -99990 }, // 100 km away
        { 1.5, 1.5, 1.5000001, 1.5000001 }, // no candidate
        { -0.0, 0, 2.4, 2.4 },              // about one cell
    };
    size_t total = 0;
    for (size_t i = 0; i < FILO_COUNT_OF(areas); i++)
        total += compare_with_cpu(pgpu, placement, &(FiloPlacementRequest){ .area = areas[i] });
    assert_true(total > 20000);
    filo_placement_gpu_destroy(pgpu);
    filo_placement_destroy(placement);
    free(forest);
}
FILO_TEST(areas_across_blocks_and_far_away_have_the_same_bytes) { on_45(several_blocks); }

// ---- Footprints and edits -----------------------------------------------------------------------------------

// Three footprints that push each other away, of all sizes of patterns.
static void three_footprints(Forest *forest) {
    for (int f = 0; f < 3; f++) {
        FiloFootprint *to = &forest->desc.footprints[f];
        static const int sizes[] = { 8, 4, 16 };
        to->pattern = filo_pattern_for(sizes[f], 5, (uint32_t)f);
        to->footprint = 6.0f / (float)(1 << f);
        memset(to->layers, 0, sizeof to->layers);
        for (int l = 0; l < 3; l++) {
            to->layers[l].density.map = forest_bytes(forest, (f + l) % 4);
            to->layers[l].radius = l == 1 ? -1 : l == 2 ? to->footprint : 0;
        }
    }
}

static void parts(FiloGpu *gpu) {
    Forest *forest = forest_new(8);
    three_footprints(forest);
    FiloPlacement *placement = make_placement(&forest->desc);
    FiloPlacementGpu *pgpu = make_on_gpu(gpu, placement, false);
    for (uint32_t mask = 0; mask < 8; mask++)
        compare_with_cpu(pgpu, placement,
                         &(FiloPlacementRequest){ .area = { -20, 3, 130, 95 }, .footprints = mask });
    filo_placement_gpu_destroy(pgpu);
    filo_placement_destroy(placement);
    free(forest);
}
FILO_TEST(any_footprints_may_be_asked_for) { on_45(parts); }

static void random_edits(FiloRandom *random, const FiloPlacement *placement, FiloClearing *clearings,
                         size_t clearing_count, FiloPin *pins, size_t pin_count) {
    static const int points[] = { 64, 16, 256 };
    for (size_t i = 0; i < clearing_count; i++) {
        clearings[i].x = (double)filo_random_float_range(random, -60, 160);
        clearings[i].y = (double)filo_random_float_range(random, -60, 160);
        clearings[i].radius = filo_random_float_range(random, 0, 15);
        clearings[i].footprints = filo_random_u32(random) % 8;
    }
    for (size_t i = 0; i < pin_count; i++) {
        uint32_t f = filo_random_u32(random) % 3;
        double cell = filo_placement_cell_size(placement, f);
        // Many of them near one point, so that some candidates have several.
        int32_t column = (int32_t)(20 / cell) + filo_random_range(random, -2, 2),
                row = (int32_t)(30 / cell) + filo_random_range(random, -2, 2);
        uint16_t point = (uint16_t)(filo_random_u32(random) % (uint32_t)points[f]);
        pins[i] = (FiloPin){ { column, row, (uint16_t)f, point }, filo_random_range(random, -1, 2) };
        if (pins[i].layer >= 0) pins[i].layer += 3 * (int32_t)f;
    }
}

static void edits(FiloGpu *gpu) {
    enum { CLEARINGS = 40, PINS = 600 };
    static FiloClearing clearings[CLEARINGS];
    static FiloPin pins[PINS];
    Forest *forest = forest_new(9);
    three_footprints(forest);
    FiloPlacement *placement = make_placement(&forest->desc);
    FiloPlacementGpu *pgpu = make_on_gpu(gpu, placement, false);
    FiloRandom random = filo_random_sequence(3);
    size_t plain = 0, edited = 0;
    for (int round = 0; round < 8; round++) {
        random_edits(&random, placement, clearings, CLEARINGS, pins, PINS);
        FiloPlacementRequest request = { .area = { -25, -25 + round, 60 + 10 * round, 75 } };
        plain += compare_with_cpu(pgpu, placement, &request);
        request.edits = (FiloPlacementEdits){ clearings, round % 4 == 1 ? 0 : CLEARINGS, pins,
                                              round % 4 == 2 ? 0 : PINS };
        edited += compare_with_cpu(pgpu, placement, &request);
    }
    assert_true(plain > 1000 && edited != plain);
    filo_placement_gpu_destroy(pgpu);
    filo_placement_destroy(placement);
    free(forest);
}
FILO_TEST(clearings_and_pins_have_the_same_effect) { on_45(edits); }
