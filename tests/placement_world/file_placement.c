// Placing objects by windows of a terrain file is the same as placing them by maps in memory.

#include "support/test.h"

#include "placement/forest.h"

#include <filo/terrain_file.h>

// The layers of a forest, by their names, with maps of bytes and 16 bits, and two footprints that push each other away.
static void name_layers(FiloPlacementDesc *desc, Forest *forest) {
    static const char *const names[4] = { "pine", "oak", "birch", "fern" };
    for (int i = 0; i < 4; i++) desc->footprints[0].layers[i].name = names[i];
    desc->footprints[0].layers[1].density.filter = FILO_MAP_BILINEAR;
    desc->footprints[1].footprint = 0.8f;
    desc->footprints[1].layers[0] = (FiloPlacementLayer){
        .name = "grass", .density = { .map = forest_floats(forest), .scale = 0.4f }, .radius = 0.3f
    };
}

static FiloTerrainFileLayout layout_of(const FiloPlacementDesc *desc) {
    return (FiloTerrainFileLayout){
        .width = FOREST_SIDE,
        .height = FOREST_SIDE,
        .tile = 16,
        .size = desc->size,
        .corner_x = desc->corner_x,
        .corner_y = desc->corner_y,
        .lowest = desc->lowest,
        .channels = { { "height", FILO_MAP_U16, 0, 0 },
                      { "pine", FILO_MAP_U8, 0, 0 },
                      { "oak", FILO_MAP_U8, 0, 0 },
                      { "birch", FILO_MAP_U8, 0, 0 },
                      { "fern", FILO_MAP_U16, 0, 0 }, // the same values in 16 bits
                      { "grass", FILO_MAP_U16, 0, 0 },
                      { "roads", FILO_MAP_U8, 0, 0 } }, // which the placement does not have
        .skip_sync = true,
    };
}

typedef struct Pair {
    Forest *forest;
    FiloTerrainFile *data;
    FiloPlacement *in_memory, *streamed;
} Pair;

static Pair make_pair(uint64_t seed, FiloJobs *jobs) {
    Pair pair = { .forest = forest_new(seed) };
    assert_non_null(pair.forest);
    FiloPlacementDesc *desc = &pair.forest->desc;
    desc->corner_x = seed % 2 == 0 ? 0 : -130.7, desc->corner_y = seed % 2 == 0 ? 0 : 99000.3;
    name_layers(desc, pair.forest);
    assert_ok(filo_placement_create(&pair.in_memory, desc));
    FiloTerrainMap maps[7] = { desc->height };
    for (int i = 0; i < 4; i++) maps[1 + i] = desc->footprints[0].layers[i].density.map;
    maps[5] = desc->footprints[1].layers[0].density.map;
    FiloTerrainFileLayout layout = layout_of(desc);
    assert_ok(filo_terrain_file_write(filo_test_path("a.world"), &layout, maps, 7));
    assert_ok(filo_terrain_file_open(&pair.data, filo_test_path("a.world"),
                                     &(FiloTerrainFileDesc){ .jobs = jobs, .budget = FILO_KIB(100) }));
    // The same with maps that are not in memory.
    desc->height = filo_terrain_file_map(pair.data, 0, 0);
    for (int i = 0; i < 4; i++)
        desc->footprints[0].layers[i].density.map = filo_terrain_file_map(pair.data, 1 + i, 0);
    desc->footprints[1].layers[0].density.map = filo_terrain_file_map(pair.data, 5, 0);
    assert_ok(filo_placement_create(&pair.streamed, desc));
    return pair;
}

static void end_pair(Pair *pair) {
    filo_placement_destroy(pair->in_memory);
    filo_placement_destroy(pair->streamed);
    filo_terrain_file_close(pair->data);
    free(pair->forest);
}

static void compute_both(const Pair *pair, FiloPlacementArea area, FiloJobs *jobs) {
    FiloPlacementResult whole = { 0 }, streamed = { 0 };
    assert_ok(filo_placement_compute(pair->in_memory, &(FiloPlacementRequest){ .area = area }, &whole));
    FiloTerrainWindows windows;
    assert_ok(filo_terrain_windows_request(&windows, pair->data, pair->streamed,
                                           &(FiloTerrainWindowsDesc){ .area = area }));
    assert_int_equal(windows.count, 6);
    assert_ok(filo_terrain_windows_wait(&windows));
    assert_true(filo_terrain_windows_ready(&windows));
    FiloPlacementRequest request = {
        .area = area, .jobs = jobs, .windows = windows.windows, .window_count = windows.count
    };
    assert_ok(filo_placement_compute(pair->streamed, &request, &streamed));
    filo_terrain_windows_release(&windows);
    assert_int_equal(windows.count, 0);
    assert_int_equal(whole.count, streamed.count);
    assert_memory_equal(whole.first, streamed.first, sizeof whole.first);
    if (whole.count > 0)
        assert_memory_equal(whole.objects, streamed.objects, whole.count * sizeof(FiloPlaced));
    filo_placement_result_free(&whole);
    filo_placement_result_free(&streamed);
}

static void compare(uint64_t seed, FiloJobs *jobs) {
    Pair pair = make_pair(seed, jobs);
    FiloRandom random = filo_random_sequence(seed);
    const FiloPlacementDesc *desc = &pair.forest->desc;
    for (int i = 0; i < 40; i++) {
        // Also over the border of the world, and outside of it.
        double x = desc->corner_x - 40 + 380 * (double)filo_random_float(&random);
        double y = desc->corner_y - 40 + 380 * (double)filo_random_float(&random);
        double w = 0.5 + 70 * (double)filo_random_float(&random),
               h = 0.5 + 70 * (double)filo_random_float(&random);
        compute_both(&pair, (FiloPlacementArea){ x, y, x + w, y + h }, jobs);
    }
    assert_true(filo_terrain_file_stats(pair.data).tiles_read > 64);
    end_pair(&pair);
}

FILO_TEST(windows_of_a_file_give_the_same_bytes_as_maps_in_memory) {
    compare(2, NULL);
    compare(3, NULL);
}

FILO_TEST(and_so_they_do_with_jobs) {
    FiloJobs *jobs;
    assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 3 }));
    compare(4, jobs);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

FILO_TEST(windows_are_smaller_than_the_world) {
    Pair pair = make_pair(2, NULL);
    FiloTerrainWindows windows;
    FiloTerrainWindowsDesc desc = { .area = { 100, 100, 120, 110 } };
    assert_ok(filo_terrain_windows_request(&windows, pair.data, pair.streamed, &desc));
    assert_ok(filo_terrain_windows_wait(&windows));
    for (size_t i = 0; i < windows.count; i++) {
        const FiloTerrainMap *window = &windows.windows[i].window;
        assert_true(window->width < 24 && window->height < 20); // 20 m and 10 m are 8.5 and 4.3 texels
        assert_int_equal(window->full_width, FOREST_SIDE);
    }
    filo_terrain_windows_release(&windows);
    end_pair(&pair);
}

FILO_TEST(what_prevents_the_windows_of_a_placement_is_named) {
    Pair pair = make_pair(2, NULL);
    FiloTerrainWindows windows;
    FiloTerrainWindowsDesc desc = { .area = { 10, 10, 5, 20 } };
    assert_error(filo_terrain_windows_request(&windows, pair.data, pair.streamed, &desc), FILO_ERROR_DATA,
                 "the area 10, 10 to 5, 20 is empty: its lower corner comes first");
    desc.area.x1 = (double)filo_float_from_bits(0x7FC00000u);
    assert_error(filo_terrain_windows_request(&windows, pair.data, pair.streamed, &desc), FILO_ERROR_DATA,
                 "is not finite");
    desc.area.x1 = 20, desc.level = 9;
    expect_mistake("there is no level 9",
                   filo_terrain_windows_request(&windows, pair.data, pair.streamed, &desc));
    desc.level = 0, desc.area = (FiloPlacementArea){ 0, 0, 300, 300 };
    assert_error(filo_terrain_windows_request(&windows, pair.data, pair.streamed, &desc), FILO_ERROR_MEMORY,
                 "a.world: no room for a window");
    assert_int_equal(windows.count, 0);
    assert_int_equal(filo_terrain_file_stats(pair.data).window_count, 0);
    FiloTerrainFileLayout layout = { .width = 9, .height = 9, .channels = { { "moss", FILO_MAP_U8, 0, 0 } } };
    FiloTerrainFile *other;
    assert_ok(filo_terrain_file_write(filo_test_path("b.world"), &layout, &(FiloTerrainMap){ 0 }, 1));
    assert_ok(filo_terrain_file_open(&other, filo_test_path("b.world"), NULL));
    assert_error(filo_terrain_windows_request(&windows, other, pair.streamed, &desc), FILO_ERROR_DATA,
                 "b.world: the file does not say how large the world is");
    filo_terrain_file_close(other);
    layout.size = pair.forest->desc.size;
    layout.corner_x = pair.forest->desc.corner_x;
    layout.corner_y = pair.forest->desc.corner_y;
    assert_ok(filo_terrain_file_write(filo_test_path("b.world"), &layout, &(FiloTerrainMap){ 0 }, 1));
    assert_ok(filo_terrain_file_open(&other, filo_test_path("b.world"), NULL));
    assert_error(filo_terrain_windows_request(&windows, other, pair.streamed, &desc), FILO_ERROR_NOT_FOUND,
                 "b.world: no channel has the name of a map of the placement");
    filo_terrain_file_close(other);
    end_pair(&pair);
}

// Requests windows of a file with this layout. All its maps are 0.
static void refuse_layout(const Pair *pair, FiloTerrainFileLayout layout, int level, FiloCode code,
                          const char *text) {
    FiloTerrainFile *other;
    FiloTerrainWindows windows;
    const FiloTerrainMap maps[FILO_TERRAIN_FILE_CHANNELS] = { 0 };
    size_t channels = 0;
    while (layout.channels[channels].name != NULL) channels++;
    assert_ok(filo_terrain_file_write(filo_test_path("c.world"), &layout, maps, channels));
    assert_ok(filo_terrain_file_open(&other, filo_test_path("c.world"), NULL));
    const FiloTerrainWindowsDesc desc = { .area = { 100, 100, 120, 110 }, .level = level };
    assert_error(filo_terrain_windows_request(&windows, other, pair->streamed, &desc), code, text);
    assert_int_equal(windows.count, 0);
    filo_terrain_file_close(other);
}

FILO_TEST(a_file_of_another_world_than_that_of_the_placement_is_refused) {
    Pair pair = make_pair(2, NULL);
    const FiloTerrainFileLayout good = layout_of(&pair.forest->desc);
    FiloTerrainFileLayout other = good;
    other.size.x *= 2;
    refuse_layout(&pair, other, 0, FILO_ERROR_DATA,
                  "c.world: the world of the file has 600 × 300 metres, and");
    other = good, other.corner_y += 1;
    refuse_layout(&pair, other, 0, FILO_ERROR_DATA, "c.world: the world of the file begins at");
    other = good, other.size.z += 1;
    refuse_layout(&pair, other, 0, FILO_ERROR_DATA, "c.world: heights of the file are from");
    other = good, other.lowest += 1;
    refuse_layout(&pair, other, 0, FILO_ERROR_DATA, "c.world: heights of the file are from");
    other = good, other.width *= 2, other.height *= 2;
    refuse_layout(
        &pair, other, 0, FILO_ERROR_DATA,
        "c.world: level 0 of \"height\" has 256 × 256 texels, and this map of the placement 128 × 128");
    refuse_layout(&pair, good, 1, FILO_ERROR_DATA, "c.world: level 1 of \"height\" has 64 × 64 texels, and");
    other = good, other.channels[5].name = "herbs";
    refuse_layout(&pair, other, 0, FILO_ERROR_NOT_FOUND,
                  "c.world: the placement needs windows of its map \"grass\", and no channel has this name");
    end_pair(&pair);
}
