// The forest: what keys choose, walking, felling, and objects around the camera.

#include "forest/forest.h"
#include "gpu/scene.h"
#include "support/test.h"

#define SIDE 160 // texels of the land

typedef struct Play {
    FiloJobs *jobs;
    FiloWorld *world;
    Land land;
    Placements *placements;
    // With begin_tiles:
    FiloGpu *gpu;
    FiloGfx3d *gfx;
    Tiles *tiles;
    Timeline timeline;
} Play;

static void begin_on(Play *play, int threads) {
    *play = (Play){ 0 };
    assert_ok(filo_jobs_create(&play->jobs, &(FiloJobsDesc){ .threads = threads }));
    assert_ok(filo_world_create(&play->world, &(FiloWorldDesc){ .jobs = play->jobs }));
    assert_ok(land_make(&play->land, play->jobs, 3, SIDE, false));
    assert_ok(placements_create(&play->placements, &play->land, play->jobs, 3));
    assert_true(filo_gfx3d_register(play->world, NULL));
    assert_true(forest_define(play->world, play->placements));
    View view = { .hour = 12, .woods = 2 }; // dense
    assert_true(forest_create(play->world, &play->land, &view, filo_vec3(40, 3, -30), 0.4f, 0));
}

static void begin(Play *play) { begin_on(play, 1); }

static void end(Play *play) {
    tiles_destroy(play->tiles);
    filo_gfx3d_destroy(play->gfx);
    filo_gpu_destroy(play->gpu);
    filo_world_destroy(play->world);
    placements_destroy(play->placements);
    land_free(&play->land);
    filo_jobs_destroy(play->jobs, FILO_JOBS_FINISH);
}

static FiloInput *input_of(const Play *play) { return filo_edit_global(play->world, FiloInput); }
static const View *view_of(const Play *play) { return filo_get_global(play->world, View); }
static FiloTransform3 *camera_of(const Play *play) {
    return filo_edit(play->world, forest_camera(play->world), FiloTransform3);
}

static void tick(Play *play) { assert_ok(filo_world_tick(play->world, 1.0f / 60)); }

static void press(Play *play, FiloKey key) {
    input_of(play)->pressed.bits[key / 64] = UINT64_C(1) << key % 64;
    tick(play);
    input_of(play)->pressed = (FiloKeySet){ 0 };
}

static size_t stumps_of(const Play *play, Stump *stumps, size_t capacity) {
    size_t count = 0;
    FiloQuery *query = filo_query(play->world, FILO_READ(Stump));
    FiloIter it = filo_query_iter(query);
    while (filo_iter_next(&it)) {
        const Stump *stump = filo_read(&it, Stump);
        for (size_t i = 0; i < it.count && count < capacity; i++) stumps[count++] = stump[i];
    }
    filo_query_release(query);
    return count;
}

// Turns until there is a tree to fell, and fells it.
static Stump fell_one(Play *play) {
    Stump stumps[64];
    size_t before = stumps_of(play, stumps, 64);
    for (int i = 0; i < 40; i++) {
        press(play, FILO_KEY_F);
        size_t count = stumps_of(play, stumps, 64);
        if (count > before) return stumps[count - 1];
        filo_edit(play->world, forest_camera(play->world), FiloFlight)->yaw += 0.3f;
        tick(play);
    }
    fail_msg("there is no tree around");
    return stumps[0];
}

// ---- Rules ----------------------------------------------------------------------------------------------------------

FILO_TEST(keys_choose_what_is_placed) {
    Play play;
    begin(&play);
    View before = *view_of(&play);
    press(&play, FILO_KEY_N);
    press(&play, FILO_KEY_O);
    press(&play, FILO_KEY_M);
    press(&play, FILO_KEY_EQUALS);
    press(&play, FILO_KEY_G);
    press(&play, FILO_KEY_T);
    const View *view = view_of(&play);
    assert_int_equal(view->seed, before.seed + 1);
    assert_int_equal(view->ecotope, 1);
    assert_int_equal(view->woods, 0);
    assert_int_equal(view->footprints, 1);
    assert_true(view->gpu);
    assert_float_equal(view->hour, 13, 1e-4f);
    press(&play, FILO_KEY_MINUS);
    assert_int_equal(view_of(&play)->footprints, 0);
    end(&play);
}

FILO_TEST(feet_are_on_the_ground) {
    Play play;
    begin(&play);
    press(&play, FILO_KEY_V);
    for (int i = 0; i < 200; i++) {
        camera_of(&play)->position.x += 0.1f;
        tick(&play);
        FiloVec3 at = camera_of(&play)->position;
        float ground = filo_max(land_height(&play.land, at.x, at.z), -0.5f);
        if (i > 60) assert_true(at.y > ground + 1.2f && at.y < ground + 2.3f);
    }
    press(&play, FILO_KEY_V); // flying again, never below the ground
    camera_of(&play)->position.y = -500;
    tick(&play);
    FiloVec3 at = camera_of(&play)->position;
    assert_true(at.y > land_height(&play.land, at.x, at.z));
    end(&play);
}

FILO_TEST(a_felled_tree_stays_felled) {
    Play play;
    begin(&play);
    FiloTransform3 here = *camera_of(&play);
    Stump first = fell_one(&play);
    // Away, and back after a while.
    camera_of(&play)->position = filo_vec3(-150, 50, 200);
    for (int i = 0; i < 30; i++) tick(&play);
    *camera_of(&play) = here;
    tick(&play);
    for (int i = 0; i < 5; i++) {
        Stump next = fell_one(&play);
        double away = (next.x - first.x) * (next.x - first.x) + (next.y - first.y) * (next.y - first.y);
        assert_true(away > (double)(STUMP_CLEARING * STUMP_CLEARING));
    }
    end(&play);
}

FILO_TEST(felled_trees_are_saved) {
    Play play, other;
    begin(&play);
    Stump felled = fell_one(&play);
    char path[FILO_PATH_SIZE];
    assert_true(filo_path_join(path, sizeof path, filo_test_folder(), "forest.save"));
    assert_ok(filo_world_save(play.world, path, NULL));
    begin(&other);
    assert_ok(filo_world_load(other.world, path, NULL));
    Stump stumps[4];
    assert_int_equal(stumps_of(&other, stumps, 4), 1);
    assert_true(stumps[0].x == felled.x && stumps[0].y == felled.y);
    assert_true(filo_world_hash(play.world) == filo_world_hash(other.world));
    end(&play);
    end(&other);
}

FILO_TEST(the_world_is_the_same_on_any_number_of_threads) {
    uint64_t hash = 0;
    for (int threads = 1; threads <= 16; threads *= 4) {
        Play play;
        begin_on(&play, threads);
        press(&play, FILO_KEY_O);
        for (int i = 0; i < 4; i++) {
            (void)fell_one(&play);
            camera_of(&play)->position.z += 9;
            press(&play, FILO_KEY_N);
        }
        if (threads == 1) hash = filo_world_hash(play.world);
        assert_true(filo_world_hash(play.world) == hash);
        end(&play);
    }
}

// ---- Tiles ----------------------------------------------------------------------------------------------------------

static void begin_tiles_on(Play *play, int threads, FiloGpuKind kind) {
    static FiloName names[64];
    for (size_t i = 0; i < 64; i++) names[i] = filo_name("box");
    begin_on(play, threads);
    assert_ok(filo_gpu_create(&play->gpu, &(FiloGpuDesc){ .kind = kind }));
    assert_ok(filo_gfx3d_create(&play->gfx, &(FiloGfx3dDesc){ .world = play->world, .gpu = play->gpu }));
    assert_ok(tiles_create(&play->tiles, &(TilesDesc){ .placements = play->placements,
                                                       .gfx = play->gfx,
                                                       .gpu = play->gpu,
                                                       .meshes = { names, names, names },
                                                       .mesh_counts = { 64, 64, 64 },
                                                       .timeline = &play->timeline }));
}

static void begin_tiles(Play *play, int threads) { begin_tiles_on(play, threads, FILO_GPU_NULL); }

static TilesStats update(Play *play, bool wait) {
    Stump stumps[64];
    size_t count = stumps_of(play, stumps, 64);
    tiles_update(play->tiles, camera_of(play)->position, view_of(play), stumps, count, wait);
    return tiles_stats(play->tiles);
}

FILO_TEST(tiles_have_what_the_placement_has) {
    Play play;
    begin_tiles(&play, 2);
    TilesStats stats = update(&play, true);
    assert_int_equal(stats.under_way, 0);
    // The 3 × 3 squares of 336 m around the camera, as far as they are on the land.
    FiloPlacementResult all = { 0 };
    double x = (double)(camera_of(&play)->position.x + play.land.half),
           y = (double)(play.land.half - camera_of(&play)->position.z);
    double column = (double)filo_floor((float)x / 336) - 1, row = (double)filo_floor((float)y / 336) - 1,
           tile = 84;
    size_t trees = 0, rocks = 0;
    for (int j = 0; j < 12; j++)
        for (int i = 0; i < 12; i++) {
            FiloPlacementArea area = { column * 336 + i * tile, row * 336 + j * tile, 0, 0 };
            area.x1 = area.x0 + tile, area.y1 = area.y0 + tile;
            double last = (double)play.land.metres;
            if (area.x1 <= 0 || area.y1 <= 0 || area.x0 >= last || area.y0 >= last) continue;
            const FiloPlacement *placement = placements_get(play.placements, view_of(&play));
            assert_ok(filo_placement_compute(placement,
                                             &(FiloPlacementRequest){ .area = area, .footprints = 3 }, &all));
            for (size_t layer = 0; layer < filo_placement_layer_count(placement); layer++)
                *(filo_placement_layer_footprint(placement, layer) == FOOTPRINT_TREES ? &trees : &rocks) +=
                    filo_placement_result_count(&all, layer);
        }
    filo_placement_result_free(&all);
    assert_int_equal(stats.trees, trees);
    assert_int_equal(stats.rocks, rocks);
    assert_true(stats.trees > 1000 && stats.grass > 500);
    end(&play);
}

FILO_TEST(tiles_lose_a_felled_tree_and_do_not_get_it_back) {
    Play play;
    begin_tiles(&play, 2);
    TilesStats before = update(&play, true);
    (void)fell_one(&play);
    TilesStats felled = update(&play, true);
    assert_int_equal(felled.trees, before.trees - 1);
    FiloTransform3 here = *camera_of(&play);
    camera_of(&play)->position = filo_vec3(-300, 50, 290);
    tick(&play);
    TilesStats elsewhere = update(&play, true);
    assert_true(elsewhere.squares > felled.squares);
    *camera_of(&play) = here;
    tick(&play);
    assert_int_equal(update(&play, true).trees, felled.trees);
    end(&play);
}

FILO_TEST(tiles_come_in_the_background_and_are_the_same) {
    Play play;
    begin_tiles(&play, 2);
    TilesStats stats = update(&play, false);
    assert_true(stats.under_way > 0); // it does not wait
    for (int i = 0; i < 100000 && stats.under_way > 0; i++) stats = update(&play, false);
    assert_int_equal(stats.under_way, 0);
    TilesStats waited = update(&play, true);
    assert_int_equal(stats.trees, waited.trees);
    press(&play, FILO_KEY_N); // all of them again
    assert_true(update(&play, false).under_way > 20);
    press(&play, FILO_KEY_O); // and again, before they are done
    stats = update(&play, true);
    assert_int_equal(stats.under_way, 0);
    assert_true(stats.trees > 500 && stats.trees != waited.trees);
    end(&play);
}

static void assert_same_objects(TilesStats a, TilesStats b) {
    assert_int_equal(a.trees, b.trees);
    assert_int_equal(a.rocks, b.rocks);
    assert_int_equal(a.grass, b.grass);
}

FILO_TEST(a_key_has_all_tiles_placed_by_the_gpu_and_they_are_the_same) {
    filo_test_gl_context(4, 5);
    Play play;
    begin_tiles_on(&play, 2, FILO_GPU_GL45);
    TilesStats before = update(&play, true);
    assert_false(before.on_gpu);
    press(&play, FILO_KEY_G);
    TilesStats on_gpu = update(&play, true);
    assert_true(on_gpu.on_gpu && on_gpu.made > before.made + 50); // tiles that were there are placed again
    assert_same_objects(on_gpu, before);
    (void)fell_one(&play);
    TilesStats felled = update(&play, true);
    assert_int_equal(felled.trees, before.trees - 1);
    // While the GPU places: another seed, then the processor again.
    press(&play, FILO_KEY_N);
    assert_true(update(&play, false).under_way > 20);
    press(&play, FILO_KEY_G);
    TilesStats other = update(&play, true);
    assert_true(!other.on_gpu && other.trees != felled.trees);
    press(&play, FILO_KEY_G);
    assert_same_objects(update(&play, true), other);
    end(&play);
    filo_test_gl_context_end();
}

FILO_TEST(without_a_gpu_that_computes_the_processor_places) {
    Play play;
    begin_tiles(&play, 2);
    TilesStats before = update(&play, true);
    press(&play, FILO_KEY_G);
    LogCount log;
    log_count_begin(&log);
    TilesStats after = update(&play, true);
    (void)update(&play, true);
    log_count_end(&log);
    assert_int_equal(log.count, 1); // said once
    assert_false(after.on_gpu);
    assert_same_objects(after, before);
    end(&play);
}

// Bytes that all accounts of the process have in use.
static size_t bytes_in_use(void) {
    FiloMemoryStats accounts[256];
    size_t count = FILO_MIN(filo_memory_list(accounts, 256), 256u), sum = 0;
    for (size_t i = 0; i < count; i++) sum += accounts[i].used;
    return sum;
}

// From square to square, through both ecotopes and new seeds, and back to where it began.
static void fly_a_lap(Play *play) {
    static const FiloVec3 stops[] = {
        { 200, 40, 200 }, { -200, 40, 200 }, { -200, 40, -200 }, { 40, 3, -30 }
    };
    static const FiloKey keys[] = { FILO_KEY_O, FILO_KEY_N, FILO_KEY_O, FILO_KEY_N };
    for (size_t i = 0; i < FILO_COUNT_OF(stops); i++) {
        camera_of(play)->position = stops[i];
        press(play, keys[i]);
        (void)update(play, i % 2 == 0);
        (void)update(play, true);
        filo_gfx3d_extract(play->gfx, &(FiloExtract3){ .width = 64, .height = 36, .blend = 1 });
        (void)filo_gfx3d_render(play->gfx);
        filo_gpu_end_frame(play->gpu);
        filo_gpu_null_forget(play->gpu);
    }
}

FILO_TEST(a_long_flight_does_not_take_more_and_more_memory) {
    Play play;
    begin_tiles(&play, 2);
    for (int i = 0; i < 4; i++) fly_a_lap(&play);
    size_t before = bytes_in_use();
    uint64_t squares = tiles_stats(play.tiles).squares;
    for (int i = 0; i < 8; i++) fly_a_lap(&play);
    assert_true(tiles_stats(play.tiles).squares >= squares + 24);
    // Seeds differ, so a list may still grow by a doubling.
    assert_true(before > 100000 && bytes_in_use() <= before + before / 4);
    end(&play);
}
