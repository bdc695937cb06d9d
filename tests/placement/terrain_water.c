// Flow, wetness, water, distances and roads.

#include "placement/terrain_fixture.h"
#include "support/failing_allocator.h"

static float heights[SIDE_MAX * SIDE_MAX];
static uint16_t flow[SIDE_MAX * SIDE_MAX], values[SIDE_MAX * SIDE_MAX], directions[SIDE_MAX * SIDE_MAX];
static uint8_t mask[SIDE_MAX * SIDE_MAX];

// ---- Flow -----------------------------------------------------------------------------------------------

FILO_TEST(water_runs_down_a_plane) {
    for (int i = 0; i < 50 * 20; i++) heights[i] = (float)(i % 50) / 50;
    FiloTerrainDesc terrain = describe_floats(heights, 50, 20);
    assert_ok(filo_terrain_bake_flow(flow, NULL, &terrain));
    for (int i = 0; i < 50 * 20; i++)
        assert_int_equal(flow[i], filo_terrain_flow_of((float)(50 - i % 50) * 4)); // texels of 4 m²
}

FILO_TEST(flow_is_a_logarithm_of_the_area) {
    assert_int_equal(filo_terrain_flow_of(0), 0);
    assert_int_equal(filo_terrain_flow_of(-1), 0);
    assert_int_equal(filo_terrain_flow_of(__builtin_nanf("")), 0);
    assert_int_equal(filo_terrain_flow_of(1), 2048);
    assert_int_equal(filo_terrain_flow_of(1023), 20480);
    assert_int_equal(filo_terrain_flow_of(1e12f), 65535);
    for (float area = 4; area < 1e9f; area *= 1.7f)
        assert_float_equal(filo_terrain_area(filo_terrain_flow_of(area)) / area, 1, 5e-4f);
}

// A valley that falls towards x = 0, with a pit in it.
static FiloTerrainDesc make_valley(void) {
    for (int y = 0; y < 41; y++)
        for (int x = 0; x < 60; x++) {
            float from_pit = (float)((x - 30) * (x - 30) + (y - 20) * (y - 20));
            heights[y * 60 + x] =
                0.2f + (float)x * 0.004f + (float)abs(y - 20) * 0.01f - (from_pit < 40 ? 0.15f : 0);
        }
    return describe_floats(heights, 60, 41);
}

FILO_TEST(water_that_enters_a_pit_leaves_it_again) {
    FiloTerrainDesc terrain = make_valley();
    assert_ok(filo_terrain_bake_flow(flow, NULL, &terrain));
    assert_float_equal(filo_terrain_area(flow[20 * 60]) / (60 * 41 * 4), 1,
                       0.001f);  // all leaves at the lower end
    for (int x = 0; x < 23; x++) // downhill it only grows
        assert_true(flow[20 * 60 + x] >= flow[20 * 60 + x + 1]);
}

FILO_TEST(level_ground_drains_to_its_border) {
    for (int i = 0; i < 40 * 40; i++) heights[i] = 0.5f;
    FiloTerrainDesc terrain = describe_floats(heights, 40, 40);
    assert_ok(filo_terrain_bake_flow(flow, values, &terrain));
    double out = 0;
    for (int i = 0; i < 40 * 40; i++)
        if (i % 40 == 0 || i % 40 == 39 || i < 40 || i >= 39 * 40) out += (double)filo_terrain_area(flow[i]);
    assert_float_equal((float)out / (40 * 40 * 4), 1, 0.01f);
}

FILO_TEST(hollows_are_wetter_than_ridges) {
    FiloTerrainDesc terrain = make_valley();
    assert_ok(filo_terrain_bake_flow(NULL, values, &terrain));
    assert_true(values[20 * 60 + 10] > values[5 * 60 + 10] + 15000);
    assert_true(values[20 * 60 + 10] > values[20 * 60 + 55]); // lower in the valley
}

#define GOLDEN_FLOW UINT64_C(0x9f321e8e4eccf63b)

FILO_TEST(water_has_the_same_bits_in_every_build) {
    uint64_t random = 4;
    for (int i = 0; i < 150 * 90; i++)
        heights[i] = 0.5f + (float)(i % 150) * 0.001f + (float)(test_random(&random) >> 7) * 0x1p-27f;
    FiloTerrainDesc terrain = describe_floats(heights, 150, 90);
    assert_ok(filo_terrain_bake_flow(flow, values, &terrain));
    uint64_t hash = filo_hash_seeded(values, 150 * 90 * 2, filo_hash(flow, 150 * 90 * 2));
    assert_int_equal(hash, GOLDEN_FLOW);
}

// ---- Water ----------------------------------------------------------------------------------------------

FILO_TEST(water_is_the_sea_and_rivers) {
    FiloTerrainDesc terrain = make_valley();
    assert_ok(filo_terrain_bake_flow(flow, NULL, &terrain));
    assert_ok(filo_terrain_bake_water(mask, &terrain, &(FiloTerrainWater){ .sea = true, .sea_level = 22 }));
    for (int i = 0; i < 60 * 41; i++) assert_int_equal(mask[i], heights[i] * 100 < 22 ? 255 : 0);
    assert_ok(filo_terrain_bake_water(mask, &terrain, &(FiloTerrainWater){ .flow = flow, .area = 2000 }));
    int wet = 0;
    for (int i = 0; i < 60 * 41; i++) {
        if (flow[i] >= filo_terrain_flow_of(2000)) assert_int_equal(mask[i], 255);
        wet += mask[i] == 255;
    }
    assert_in_range(wet, 30, 300);
    FiloTerrainWater broad = { .flow = flow, .area = 2000, .width = 400 }; // 40 m at 0.01 km²
    assert_ok(filo_terrain_bake_water(mask, &terrain, &broad));
    assert_int_equal(mask[26 * 60 + 2], 255);
    assert_int_equal(mask[40 * 60 + 58], 0);
    assert_ok(filo_terrain_bake_water(mask, &terrain, &(FiloTerrainWater){ 0 }));
    for (int i = 0; i < 60 * 41; i++) assert_int_equal(mask[i], 0);
    expect_mistake("set `sea` as well as the sea level",
                   filo_terrain_bake_water(mask, &terrain, &(FiloTerrainWater){ .sea_level = 22 }));
    expect_mistake("sea level, area and width of water are numbers",
                   filo_terrain_bake_water(mask, &terrain, &(FiloTerrainWater){ .width = -1 }));
}

// ---- Distances ------------------------------------------------------------------------------------------

static void expect_distances(int width, int height, FiloVec2 texel, float farthest) {
    FiloTerrainDesc terrain = describe_floats(heights, width, height);
    terrain.size = filo_vec2(texel.x * (float)width, texel.y * (float)height);
    FiloTerrainMap map = { .data = mask, .width = width, .height = height };
    assert_ok(filo_terrain_bake_distance(values, directions, &terrain, &map, farthest));
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            double nearest = 1e30;
            bool right_way = false;
            int found = values[y * width + x], way = directions[y * width + x];
            for (int i = 0; i < width * height; i++) {
                if (mask[i] < 128) continue;
                double dx = (double)texel.x * (i % width - x), dy = (double)texel.y * (i / width - y);
                double squared = dx * dx + dy * dy;
                if (squared > nearest * (1 + 1e-9)) continue;
                if (squared < nearest * (1 - 1e-9)) right_way = false;
                nearest = FILO_MIN(squared, nearest);
                float turn = filo_atan2((float)dy, (float)dx) / FILO_TAU;
                int expected = (int)((turn < 0 ? turn + 1 : turn) * 65535 + 0.5f) % 65535;
                if (abs(way - expected) <= 1) right_way = true;
            }
            double expected = FILO_MIN((double)filo_sqrt((float)nearest) / (double)farthest, 1.0) * 65535;
            assert_true(found >= (int)expected - 1 && found <= (int)expected + 1);
            assert_true(right_way);
        }
}

FILO_TEST(distances_and_directions_are_those_of_a_search_of_all_texels) {
    uint64_t random = 3;
    static const int sizes[][2] = { { 40, 30 }, { 1, 25 }, { 33, 1 }, { 17, 40 } };
    for (size_t i = 0; i < FILO_COUNT_OF(sizes); i++)
        for (unsigned density = 1; density <= 4; density++) {
            for (int k = 0; k < 40 * 40; k++)
                mask[k] = test_random(&random) >> 23 < density * density * 5 ? 255 : 0;
            mask[sizes[i][0] * sizes[i][1] / 2] = 200;
            expect_distances(sizes[i][0], sizes[i][1], filo_vec2(2, 2), 30);
            expect_distances(sizes[i][0], sizes[i][1], filo_vec2(3, 0.7f), 200);
        }
}

FILO_TEST(without_a_mask_everything_is_far) {
    memset(mask, 100, sizeof mask); // less than a half
    FiloTerrainDesc terrain = describe_floats(NULL, 20, 10);
    FiloTerrainMap map = { .data = mask, .width = 20, .height = 10 };
    assert_ok(filo_terrain_bake_distance(values, directions, &terrain, &map, 10));
    for (int i = 0; i < 200; i++) {
        assert_int_equal(values[i], 65535);
        assert_int_equal(directions[i], 0);
    }
}

FILO_TEST(misused_distances_are_reported) {
    FiloTerrainDesc terrain = describe_floats(NULL, 20, 10);
    FiloTerrainMap map = { .data = mask, .width = 20, .height = 11 };
    expect_mistake("the mask has 20 x 11 texels, and the heights have 20 x 10",
                   filo_terrain_bake_distance(values, NULL, &terrain, &map, 10));
    expect_mistake("the farthest distance is more than 0 metres, not 0",
                   filo_terrain_bake_distance(values, NULL, &terrain, &map, 0));
    expect_mistake("pass the mask whose distance is wanted",
                   filo_terrain_bake_distance(values, NULL, &terrain, NULL, 10));
    expect_mistake("pass where the distance or the direction goes",
                   filo_terrain_bake_distance(NULL, NULL, &terrain, &map, 10));
}

// ---- Roads ----------------------------------------------------------------------------------------------

// A wall of 40 m across the map at x = 40, with a gap at y = 70.
static FiloTerrainDesc make_wall(void) {
    for (int i = 0; i < 80 * 80; i++) {
        int x = i % 80, y = i / 80;
        heights[i] = x >= 36 && x <= 44 && (y < 66 || y > 74) ? 0.5f : 0.1f;
    }
    return describe_floats(heights, 80, 80);
}

FILO_TEST(a_road_is_nearly_straight_on_level_ground) {
    for (int i = 0; i < 80 * 80; i++) heights[i] = 0.3f;
    FiloTerrainDesc terrain = describe_floats(heights, 80, 80);
    memset(mask, 0, sizeof mask);
    float length;
    FiloTerrainRoad road = { .from = { 10, 20 }, .to = { 150, 110 }, .width = 5 };
    assert_ok(filo_terrain_draw_road(mask, &length, &terrain, &road));
    assert_float_equal(length, 166.4f, 8);
    assert_int_equal(mask[10 * 80 + 5], 255);
    assert_int_equal(mask[55 * 80 + 75], 255);
    int drawn = 0;
    for (int i = 0; i < 80 * 80; i++) drawn += mask[i] == 255;
    assert_in_range(drawn, 150, 320); // 166 m × 5 m are 208 texels
    assert_int_equal(mask[80 * 80], 0);
}

FILO_TEST(a_road_avoids_slopes_and_water) {
    FiloTerrainDesc terrain = make_wall();
    memset(mask, 0, sizeof mask);
    FiloTerrainRoad road = { .from = { 20, 40 }, .to = { 140, 40 } };
    assert_ok(filo_terrain_draw_road(mask, NULL, &terrain, &road));
    int in_wall = 0, in_gap = 0;
    for (int y = 0; y < 80; y++) *(y >= 64 && y <= 76 ? &in_gap : &in_wall) += mask[y * 80 + 40] == 255;
    assert_int_equal(in_wall, 0);
    assert_true(in_gap > 0);
    // Water in the gap: now it goes over the wall, where that is cheaper.
    static uint8_t water[80 * 80];
    for (int i = 0; i < 80 * 80; i++) heights[i] = 0.1f;
    for (int i = 0; i < 80 * 80; i++) water[i] = i % 80 == 40 && i / 80 > 5 ? 255 : 0;
    memset(mask, 0, sizeof mask);
    road.avoid = water;
    assert_ok(filo_terrain_draw_road(mask, NULL, &terrain, &road));
    assert_int_equal(mask[20 * 80 + 40], 255); // one texel of water costs less than the way around
    for (int i = 0; i < 80 * 80; i++) water[i] = i % 80 >= 36 && i % 80 <= 44 && i / 80 > 5 ? 255 : 0;
    memset(mask, 0, sizeof mask);
    assert_ok(filo_terrain_draw_road(mask, NULL, &terrain, &road));
    for (int y = 9; y < 80; y++) assert_int_equal(mask[y * 80 + 40], 0);
}

FILO_TEST(a_road_follows_one_that_exists) {
    for (int i = 0; i < 80 * 80; i++) heights[i] = 0.3f;
    FiloTerrainDesc terrain = describe_floats(heights, 80, 80);
    memset(mask, 0, sizeof mask);
    FiloTerrainRoad first = { .from = { 10, 40 }, .to = { 150, 40 } };
    assert_ok(filo_terrain_draw_road(mask, NULL, &terrain, &first));
    static uint8_t existing[80 * 80];
    memcpy(existing, mask, sizeof existing);
    FiloTerrainRoad second = { .from = { 10, 60 }, .to = { 150, 60 }, .prefer = existing };
    memset(mask, 0, sizeof mask);
    assert_ok(filo_terrain_draw_road(mask, NULL, &terrain, &second));
    assert_int_equal(mask[20 * 80 + 40], 255);
    assert_int_equal(mask[30 * 80 + 40], 0);
}

FILO_TEST(roads_from_a_point_to_itself_and_outside) {
    FiloTerrainDesc terrain = make_wall();
    memset(mask, 0, sizeof mask);
    float length = 7;
    assert_ok(filo_terrain_draw_road(mask, &length, &terrain,
                                     &(FiloTerrainRoad){ .from = { 9, 9 }, .to = { 9, 9 } }));
    assert_float_equal(length, 0, 0.001f);
    assert_int_equal(mask[4 * 80 + 4], 255);
    expect_mistake("a road goes from one point of the map to another: (0, 0) to (200, 0) metres",
                   filo_terrain_draw_road(mask, &length, &terrain, &(FiloTerrainRoad){ .to = { 200, 0 } }));
    expect_mistake("the width of a road is 0 to 1000 metres, and its grade 0 to 100",
                   filo_terrain_draw_road(mask, NULL, &terrain, &(FiloTerrainRoad){ .width = -1 }));
    expect_mistake("pass where the road is drawn", filo_terrain_draw_road(mask, NULL, &terrain, NULL));
}

#define GOLDEN_ROAD UINT64_C(0x4f60b7c4661d014f)

FILO_TEST(masks_have_the_same_bits_on_any_number_of_threads) {
    for (int threads = 0; threads <= 4; threads++) {
        FiloTerrainDesc terrain = make_valley();
        if (threads > 0) assert_ok(filo_jobs_create(&terrain.jobs, &(FiloJobsDesc){ .threads = threads }));
        FiloTerrainMap map = { .data = mask, .width = 60, .height = 41 };
        assert_ok(
            filo_terrain_bake_water(mask, &terrain, &(FiloTerrainWater){ .sea = true, .sea_level = 22 }));
        assert_ok(filo_terrain_draw_road(mask, NULL, &terrain, &(FiloTerrainRoad){ .to = { 119, 80 } }));
        assert_ok(filo_terrain_bake_distance(values, directions, &terrain, &map, 60));
        uint64_t hash = filo_hash_seeded(values, 60 * 41 * 2, filo_hash(mask, 60 * 41));
        assert_int_equal(filo_hash_seeded(directions, 60 * 41 * 2, hash), GOLDEN_ROAD);
        if (threads > 0) filo_jobs_destroy(terrain.jobs, FILO_JOBS_FINISH);
    }
}
