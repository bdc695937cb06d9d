// Heightmaps that are generated and eroded; what all functions of filo/terrain.h refuse.

#include "placement/terrain_fixture.h"
#include "support/failing_allocator.h"

static float heights[SIDE_MAX * SIDE_MAX], others[SIDE_MAX * SIDE_MAX];

static uint64_t hash_of(const float *values, int width, int height) {
    return filo_hash(values, (size_t)width * (size_t)height * sizeof(float));
}

static float largest_of(const float *values, size_t count) {
    float largest = values[0];
    for (size_t i = 1; i < count; i++) largest = FILO_MAX(largest, values[i]);
    return largest;
}

// 20 m a texel: a piece of land of some kilometres.
static FiloTerrainDesc describe_land(int width, int height) {
    FiloTerrainDesc terrain = describe_floats(heights, width, height);
    terrain.size = filo_vec2(20.0f * (float)width, 20.0f * (float)height);
    terrain.high = 700;
    return terrain;
}

static void make_land(const FiloTerrainDesc *terrain, uint64_t seed) {
    assert_ok(filo_terrain_generate(heights, terrain, &(FiloTerrainGenerate){ .seed = seed }));
}

// ---- Generating -----------------------------------------------------------------------------------------

FILO_TEST(generated_heights_fill_the_range_and_depend_on_the_seed) {
    FiloTerrainDesc terrain = describe_land(200, 150);
    make_land(&terrain, 1);
    float lowest = 1, highest = 0;
    for (int i = 0; i < 200 * 150; i++) {
        lowest = FILO_MIN(lowest, heights[i]);
        highest = FILO_MAX(highest, heights[i]);
    }
    assert_float_equal(lowest, 0, 0);
    assert_float_equal(highest, 1, 1e-6f);
    uint64_t first = hash_of(heights, 200, 150);
    make_land(&terrain, 2);
    assert_true(hash_of(heights, 200, 150) != first);
    make_land(&terrain, 1);
    assert_true(hash_of(heights, 200, 150) == first);
}

FILO_TEST(neighbouring_heights_are_alike) {
    FiloTerrainDesc terrain = describe_land(200, 200);
    make_land(&terrain, 5);
    double sum = 0;
    for (int y = 0; y < 200; y++)
        for (int x = 1; x < 200; x++)
            sum += (double)filo_abs(heights[y * 200 + x] - heights[y * 200 + x - 1]);
    double mean = sum / (200 * 199); // of noise without structure it would be a third
    assert_true(mean > 0.001 && mean < 0.03);
}

// ---- The same bits --------------------------------------------------------------------------------------

#define GOLDEN_GENERATED UINT64_C(0x2ab569f010732453)
#define GOLDEN_ERODED    UINT64_C(0xf3e44448d6693880)

FILO_TEST(heights_have_the_same_bits_on_any_number_of_threads) {
    for (int threads = 0; threads <= 4; threads++) {
        FiloTerrainDesc terrain = describe_land(211, 150);
        if (threads > 0) assert_ok(filo_jobs_create(&terrain.jobs, &(FiloJobsDesc){ .threads = threads }));
        make_land(&terrain, 7);
        assert_int_equal(hash_of(heights, 211, 150), GOLDEN_GENERATED);
        assert_ok(filo_terrain_erode(heights, &terrain, &(FiloTerrainErode){ .seed = 7 }));
        assert_int_equal(hash_of(heights, 211, 150), GOLDEN_ERODED);
        if (threads > 0) filo_jobs_destroy(terrain.jobs, FILO_JOBS_FINISH);
    }
}

// ---- Erosion --------------------------------------------------------------------------------------------

// Texels that are lower than all of their neighbours.
static int count_pits(int width, int height) {
    int pits = 0;
    for (int y = 1; y < height - 1; y++)
        for (int x = 1; x < width - 1; x++) {
            bool is_pit = true;
            for (int j = -1; j <= 1; j++)
                for (int i = -1; i <= 1; i++)
                    if ((i != 0 || j != 0) && heights[(y + j) * width + x + i] <= heights[y * width + x])
                        is_pit = false;
            pits += is_pit;
        }
    return pits;
}

FILO_TEST(erosion_drains_the_land) {
    FiloTerrainDesc terrain = describe_land(200, 200);
    assert_ok(filo_terrain_generate(heights, &terrain, &(FiloTerrainGenerate){ .seed = 3, .roughness = 1 }));
    int pits = count_pits(200, 200);
    assert_true(pits > 50);
    assert_ok(filo_terrain_erode(heights, &terrain, NULL));
    assert_true(count_pits(200, 200) < pits / 10);
    for (int i = 0; i < 200 * 200; i++) assert_true(heights[i] >= 0 && heights[i] <= 1);
    assert_true(largest_of(heights, 200 * 200) > 0.2f);
}

FILO_TEST(mountains_stay_where_they_were) {
    FiloTerrainDesc terrain = describe_land(160, 160);
    for (int y = 0; y < 160; y++)
        for (int x = 0; x < 160; x++) {
            float dx = (float)(x - 110) / 60, dy = (float)(y - 60) / 60;
            heights[y * 160 + x] = FILO_MAX(0.05f, 0.6f - 0.6f * filo_sqrt(dx * dx + dy * dy));
        }
    assert_ok(filo_terrain_erode(heights, &terrain, NULL));
    size_t highest = 0;
    for (size_t i = 0; i < 160 * 160; i++)
        if (heights[i] > heights[highest]) highest = i;
    assert_in_range(highest % 160, 85, 135);
    assert_in_range(highest / 160, 35, 85);
}

FILO_TEST(a_cliff_slides_to_the_steepest_stable_slope) {
    FiloTerrainDesc terrain = describe_floats(heights, 60, 60);
    for (int i = 0; i < 60 * 60; i++) heights[i] = i % 60 < 30 ? 0.1f : 0.4f; // a step of 30 m, 2 m wide
    FiloTerrainErode erode = { .strength = -1, .deposit = -1, .detail = -1, .talus = 0.5f };
    assert_ok(filo_terrain_erode(heights, &terrain, &erode));
    float steepest = 0;
    for (int x = 10; x < 50; x++)
        steepest = FILO_MAX(steepest, heights[30 * 60 + x + 1] - heights[30 * 60 + x]);
    assert_true(steepest * 100 / 2 < 4); // rise by run; it was 15
    assert_float_equal(heights[30 * 60 + 2], 0.1f, 0.02f);
    assert_float_equal(heights[30 * 60 + 57], 0.4f, 0.02f);
}

FILO_TEST(maps_of_any_shape_are_eroded) {
    static const int sizes[][2] = { { 1, 1 }, { 1, 70 }, { 3, 2 }, { 255, 2 }, { 130, 129 } };
    for (size_t i = 0; i < FILO_COUNT_OF(sizes); i++) {
        FiloTerrainDesc terrain = describe_land(sizes[i][0], sizes[i][1]);
        make_land(&terrain, 3);
        assert_ok(filo_terrain_erode(heights, &terrain, NULL));
        for (int k = 0; k < sizes[i][0] * sizes[i][1]; k++) assert_true(heights[k] >= 0 && heights[k] <= 1);
    }
}

FILO_TEST(level_ground_stays_nearly_level) {
    FiloTerrainDesc terrain = describe_land(150, 150);
    for (int i = 0; i < 150 * 150; i++) heights[i] = 0.25f;
    assert_ok(filo_terrain_erode(heights, &terrain, NULL));
    for (int i = 0; i < 150 * 150; i++) assert_true(heights[i] > 0.2f && heights[i] < 0.45f);
}

// ---- Progress -------------------------------------------------------------------------------------------

typedef struct Progress {
    int calls, cancel_at;
    float last;
} Progress;

static bool note_progress(float done, void *user) {
    Progress *progress = user;
    assert_true(done >= progress->last && done <= 1);
    progress->last = done;
    return ++progress->calls != progress->cancel_at;
}

FILO_TEST(progress_grows_to_1_and_may_cancel) {
    for (int which = 0; which < TERRAIN_CALLS; which++) {
        FiloTerrainDesc terrain = describe_floats(heights, 40, 30);
        Progress progress = { 0 };
        terrain.progress = note_progress;
        terrain.user = &progress;
        assert_ok(call_terrain(which, &terrain));
        assert_float_equal(progress.last, 1, 0);
        progress = (Progress){ .cancel_at = 1 };
        assert_error(call_terrain(which, &terrain), FILO_ERROR_CANCELLED, "terrain: cancelled");
        assert_int_equal(progress.calls, 1);
    }
}

// ---- What is refused ------------------------------------------------------------------------------------

static FiloTerrainDesc broken_terrain(int kind, const char **message) {
    static const char *const messages[] = {
        "the size of a terrain is 0.001 to 10000000 metres, not nan x 60",
        "the size of a terrain is 0.001 to 10000000 metres, not 80 x 0",
        "the heights of a terrain go from a lower to a higher number of metres, not from 100 to 100",
        "the heights of a terrain go from a lower to a higher number of metres, not from 0 to nan",
        "a map of heights needs at least one texel; this has 0 x 30",
        "a map of heights needs at least one texel; this has 40 x -1",
        "a map of heights has at most 268435456 texels, 65536 on a side; this has 100000 x 30",
        "a map of heights has at most 268435456 texels, 65536 on a side; this has 60000 x 60000",
        "the window of a map of heights has to be inside of the whole: 40 x 30 texels at (50, 0) of 80 x 80",
    };
    FiloTerrainDesc terrain = describe_floats(heights, 40, 30);
    if (kind >= (int)FILO_COUNT_OF(messages)) {
        *message = NULL;
        return terrain;
    }
    *message = messages[kind];
    switch (kind) {
    case 0: terrain.size.x = __builtin_nanf(""); break;
    case 1: terrain.size.y = 0; break;
    case 2: terrain.low = 100; break;
    case 3: terrain.high = __builtin_nanf(""); break;
    case 4: terrain.heights.width = 0; break;
    case 5: terrain.heights.height = -1; break;
    case 6: terrain.heights.width = 100000; break;
    case 7: terrain.heights.width = terrain.heights.height = 60000; break;
    default: terrain.heights.x = 50, terrain.heights.full_width = terrain.heights.full_height = 80; break;
    }
    return terrain;
}

FILO_TEST(descriptions_that_make_no_sense_are_refused_before_memory_is_allocated) {
    for (int which = 0; which <= TERRAIN_CALLS; which++) {
        const char *message;
        FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
        for (int kind = 0;; kind++) {
            FiloTerrainDesc terrain = broken_terrain(kind, &message);
            terrain.allocator = &failing.allocator;
            if (message == NULL) break;
            expect_mistake(message, call_terrain(which, &terrain));
        }
        assert_int_equal(failing.calls, 0);
        expect_mistake("pass the description of the terrain", call_terrain(which, NULL));
    }
}

FILO_TEST(what_sees_the_whole_map_refuses_windows) {
    static const char *const messages[] = { "heights are generated for whole maps, not windows of them",
                                            "rivers erode whole maps, not windows of them",
                                            "roads are found on whole maps, not windows of them" };
    FiloTerrainDesc terrain = describe_floats(heights, 40, 30);
    terrain.heights.full_width = terrain.heights.full_height = 80;
    expect_mistake(messages[0], call_terrain(0, &terrain));
    expect_mistake(messages[1], call_terrain(1, &terrain));
    expect_mistake(messages[2], call_terrain(8, &terrain));
}

// Sanitizers find what is not defined in C.
FILO_TEST(the_largest_and_smallest_sizes_do_no_harm) {
    static const FiloVec2 sizes[] = { { 1e7f, 1e7f }, { 1e-3f, 1e-3f }, { 1e7f, 1e-3f }, { 1, 1e7f } };
    for (size_t i = 0; i < FILO_COUNT_OF(sizes); i++)
        for (int which = 0; which <= TERRAIN_CALLS; which++) {
            FiloTerrainDesc terrain = describe_floats(heights, 130, 70);
            assert_ok(filo_terrain_generate(heights, &terrain, NULL));
            terrain.size = sizes[i];
            terrain.low = -1e7f;
            terrain.high = 1e7f;
            if (which != 8 || (sizes[i].x >= 1 && sizes[i].y >= 1)) assert_ok(call_terrain(which, &terrain));
        }
}

FILO_TEST(maps_without_data_or_format_are_refused) {
    for (int which = 2; which <= TERRAIN_CALLS; which++) {
        if (which == 7) continue; // needs only the size of the heights
        FiloTerrainDesc terrain = describe_floats(NULL, 40, 30);
        expect_mistake("a map of heights needs data", call_terrain(which, &terrain));
        terrain = describe(heights, (FiloMapFormat)7, 40, 30);
        expect_mistake("the format of a map of heights is FILO_MAP_U8, FILO_MAP_U16 or FILO_MAP_FLOAT",
                       call_terrain(which, &terrain));
    }
}

FILO_TEST(options_that_make_no_sense_are_refused) {
    FiloTerrainDesc terrain = describe_floats(heights, 40, 30);
    uint16_t *none = NULL;
    float nan = __builtin_nanf("");
    expect_mistake("pass where the heights go", filo_terrain_generate(NULL, &terrain, NULL));
    expect_mistake("roughness and mountains are 0 to 1",
                   filo_terrain_generate(heights, &terrain, &(FiloTerrainGenerate){ .roughness = nan }));
    expect_mistake("pass the heights to erode", filo_terrain_erode(NULL, &terrain, NULL));
    expect_mistake("strength, deposit and detail of erosion are at most 1, and talus is 0 to 100",
                   filo_terrain_erode(heights, &terrain, &(FiloTerrainErode){ .strength = nan }));
    expect_mistake("strength, deposit and detail of erosion are at most 1, and talus is 0 to 100",
                   filo_terrain_erode(heights, &terrain, &(FiloTerrainErode){ .talus = -1 }));
    expect_mistake("pass where the values go", filo_terrain_bake_slope(none, &terrain));
    expect_mistake("pass where the values go", filo_terrain_to_u16(none, &terrain));
    expect_mistake("pass where the flow or the wetness goes", filo_terrain_bake_flow(none, none, &terrain));
    expect_mistake("pass where the mask goes, and what counts as water",
                   filo_terrain_bake_water(NULL, &terrain, NULL));
}

FILO_TEST(heights_that_are_not_finite_are_an_error) {
    for (int kind = 0; kind < 2; kind++) {
        for (int i = 0; i < 40 * 30; i++) heights[i] = others[i] = 0.5f;
        others[15 * 40 + 7] = heights[15 * 40 + 7] = kind == 0 ? __builtin_nanf("") : __builtin_inff();
        FiloTerrainDesc terrain = describe_floats(heights, 40, 30);
        assert_error(filo_terrain_erode(others, &terrain, NULL), FILO_ERROR_DATA,
                     "terrain: a height is not a finite number");
        for (int which = 2; which <= TERRAIN_CALLS; which++)
            if (which != 7)
                assert_error(call_terrain(which, &terrain), FILO_ERROR_DATA,
                             "terrain: a height is not a finite number");
    }
}

FILO_TEST(every_allocation_may_fail) {
    filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    FiloTerrainDesc terrain = describe_land(140, 130);
    make_land(&terrain, 1); // with pits
    for (int which = 0; which < TERRAIN_CALLS; which++) {
        bool more = true;
        for (size_t fail_at = 0; more; fail_at += which == 1 && fail_at > 12 ? 97 : 1) {
            FailingAllocator failing = FAILING_AT(failing, fail_at);
            terrain.allocator = &failing.allocator;
            FiloResult result = call_terrain(which, &terrain);
            more = failing.calls > fail_at;
            if (more)
                assert_error(result, FILO_ERROR_MEMORY, "terrain: no memory for temporary maps");
            else
                assert_ok(result);
            assert_int_equal(failing.blocks, 0);
        }
    }
}
