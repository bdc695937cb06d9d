// Slope, aspect, curvature; formats and windows of maps.

#include "placement/terrain_fixture.h"
#include "support/failing_allocator.h"

static float heights[SIDE_MAX * SIDE_MAX];
static uint16_t values[SIDE_MAX * SIDE_MAX], others[SIDE_MAX * SIDE_MAX];

// A plane that rises by these many metres in a metre.
static FiloTerrainDesc make_plane(float rise_x, float rise_y) {
    for (int y = 0; y < 20; y++)
        for (int x = 0; x < 30; x++)
            heights[y * 30 + x] = 0.5f + (rise_x * (float)(x - 15) + rise_y * (float)(y - 10)) * 2 / 100;
    return describe_floats(heights, 30, 20);
}

static void expect_everywhere(const uint16_t *found, int count, int expected) {
    for (int i = 0; i < count; i++)
        if (found[i] < expected - 2 || found[i] > expected + 2)
            fail_msg("%d instead of %d at %d", found[i], expected, i);
}

FILO_TEST(slope_is_the_angle_of_the_ground) {
    static const struct {
        float x, y;
        int slope;
    } planes[] = {
        { 0, 0, 0 }, { 1, 0, 32768 }, { 0, -1, 32768 }, { 0.5f, 0, 19344 }, { 0.6f, 0.8f, 32768 }
    };
    for (size_t i = 0; i < FILO_COUNT_OF(planes); i++) {
        FiloTerrainDesc terrain = make_plane(planes[i].x, planes[i].y);
        assert_ok(filo_terrain_bake_slope(values, &terrain));
        expect_everywhere(values, 30 * 20, planes[i].slope); // at the border too
    }
}

FILO_TEST(aspect_is_the_direction_downhill) {
    static const struct {
        float x, y;
        int aspect;
    } planes[] = { { 0, 0, 0 },     { -1, 0, 0 },     { 0, -1, 16384 }, { 1, 0, 32768 },
                   { 0, 1, 49151 }, { -1, -1, 8192 }, { -1, 1, 57343 } };
    for (size_t i = 0; i < FILO_COUNT_OF(planes); i++) {
        FiloTerrainDesc terrain = make_plane(planes[i].x * 0.5f, planes[i].y * 0.5f);
        assert_ok(filo_terrain_bake_aspect(values, &terrain));
        for (int k = 0; k < 30 * 20; k++) {
            int difference = abs((int)values[k] - planes[i].aspect);
            assert_true(FILO_MIN(difference, 65535 - difference) <= 2); // 65535 and 0 are one direction
            assert_true(values[k] < 65535);
        }
    }
}

FILO_TEST(curvature_is_flat_on_planes_and_tells_hollows_from_ridges) {
    FiloTerrainDesc terrain = make_plane(0.3f, -0.2f);
    assert_ok(filo_terrain_bake_curvature(values, &terrain));
    expect_everywhere(values, 30 * 20, 32768);
    for (int sign = -1; sign <= 1; sign += 2) {
        // The second derivative along x is 1/20 m, along y 0.
        for (int i = 0; i < 30 * 20; i++) {
            float x = (float)(i % 30 - 15) * 2;
            heights[i] = 0.5f + (float)sign * x * x / 40 / 100;
        }
        assert_ok(filo_terrain_bake_curvature(values, &terrain));
        for (int i = 0; i < 30 * 20; i++)
            assert_in_range(values[i], 32768 + sign * 6554 - 20, 32768 + sign * 6554 + 20);
    }
    for (int i = 0; i < 30 * 20; i++) heights[i] = i == 10 * 30 + 15 ? 1 : 0;
    assert_ok(filo_terrain_bake_curvature(values, &terrain));
    assert_int_equal(values[10 * 30 + 15], 1); // beyond the scale
}

#define GOLDEN_SLOPES UINT64_C(0x9221ae952df7a3ce)

FILO_TEST(a_window_has_the_values_of_the_whole_except_at_its_border) {
    static uint16_t whole[64 * 48];
    uint64_t random = 1;
    for (int i = 0; i < 64 * 48; i++) whole[i] = (uint16_t)test_random(&random);
    FiloTerrainDesc terrain = describe(whole, FILO_MAP_U16, 64, 48), window = terrain;
    window.heights = (FiloTerrainMap){ .data = whole + 7 * 64 + 10,
                                       .format = FILO_MAP_U16,
                                       .width = 20,
                                       .height = 16,
                                       .stride = 128,
                                       .x = 10,
                                       .y = 7,
                                       .full_width = 64,
                                       .full_height = 48 };
    FiloResult (*const bakes[])(uint16_t *, const FiloTerrainDesc *) = { filo_terrain_bake_slope,
                                                                         filo_terrain_bake_aspect,
                                                                         filo_terrain_bake_curvature };
    for (size_t i = 0; i < FILO_COUNT_OF(bakes); i++) {
        assert_ok(bakes[i](values, &terrain));
        assert_ok(bakes[i](others, &window));
        for (int y = 1; y < 15; y++)
            for (int x = 1; x < 19; x++) assert_int_equal(others[y * 20 + x], values[(y + 7) * 64 + x + 10]);
    }
}

FILO_TEST(formats_and_strides_make_no_difference) {
    static uint8_t bytes[30 * 20 * 3];
    static uint16_t words[31 * 20];
    uint64_t random = 9;
    for (int y = 0; y < 20; y++)
        for (int x = 0; x < 30; x++) {
            uint8_t value = (uint8_t)(test_random(&random) >> 8);
            bytes[(y * 30 + x) * 3] = value;
            bytes[(y * 30 + x) * 3 + 1] = 77; // another channel
            words[y * 31 + x] = (uint16_t)(value * 257);
            heights[y * 30 + x] = (float)(value * 257) / 65535;
        }
    FiloTerrainDesc a = describe(bytes, FILO_MAP_U8, 30, 20), b = describe(words, FILO_MAP_U16, 30, 20);
    FiloTerrainDesc c = describe_floats(heights, 30, 20);
    a.heights.step = 3;
    b.heights.stride = 62;
    uint16_t found[3][30 * 20];
    assert_ok(filo_terrain_to_u16(found[0], &a));
    assert_ok(filo_terrain_to_u16(found[1], &b));
    assert_ok(filo_terrain_to_u16(found[2], &c));
    assert_memory_equal(found[0], found[1], sizeof found[0]);
    assert_memory_equal(found[0], found[2], sizeof found[0]);
    for (int i = 0; i < 600; i++) assert_int_equal(found[0][i], words[i / 30 * 31 + i % 30]);
    assert_ok(filo_terrain_bake_slope(found[0], &a));
    assert_ok(filo_terrain_bake_slope(found[1], &b));
    for (int i = 0; i < 600; i++) assert_in_range(found[0][i], found[1][i] - 1, found[1][i] + 1);
}

FILO_TEST(a_map_of_one_texel_is_level) {
    float one = 0.7f;
    FiloTerrainDesc terrain = describe_floats(&one, 1, 1);
    assert_ok(filo_terrain_bake_slope(values, &terrain));
    assert_int_equal(values[0], 0);
    assert_ok(filo_terrain_bake_aspect(values, &terrain));
    assert_int_equal(values[0], 0);
    assert_ok(filo_terrain_bake_curvature(values, &terrain));
    assert_int_equal(values[0], 32768);
}

FILO_TEST(slopes_have_the_same_bits_on_any_number_of_threads) {
    uint64_t random = 4;
    for (int i = 0; i < 200 * 90; i++) heights[i] = (float)(test_random(&random) >> 7) * 0x1p-24f;
    FiloTerrainDesc terrain = describe_floats(heights, 200, 90);
    for (int threads = 0; threads <= 4; threads++) {
        if (threads > 0) assert_ok(filo_jobs_create(&terrain.jobs, &(FiloJobsDesc){ .threads = threads }));
        uint64_t hash = 0;
        assert_ok(filo_terrain_bake_slope(values, &terrain));
        hash = filo_hash_seeded(values, 200 * 90 * 2, hash);
        assert_ok(filo_terrain_bake_aspect(values, &terrain));
        hash = filo_hash_seeded(values, 200 * 90 * 2, hash);
        assert_ok(filo_terrain_bake_curvature(values, &terrain));
        hash = filo_hash_seeded(values, 200 * 90 * 2, hash);
        assert_int_equal(hash, GOLDEN_SLOPES);
        if (threads > 0) filo_jobs_destroy(terrain.jobs, FILO_JOBS_FINISH);
    }
}
