// Random operations on any number of threads: data is right, and nothing leaks.

#include "assets/fixture.h"

#include <filo/random.h>
#include <filo/threads.h>

#define NAMES  14
#define ROUNDS (FILO_TEST_SANITIZED ? 400 : 1500)

static const char *const names[NAMES] = {
    "0.png",  "1.png",  "2.png",     "3.png",     "missing.png", "broken.png", "a.json",
    "b.json", "c.json", "lost.json", "data.json", "a.glsl",      "a.txt",      "made",
};

static void write_files(void) {
    for (int i = 0; i < 4; i++) write_png(names[i], 16 + i, 16, filo_color((uint8_t)(10 + i), 0, 0, 255));
    write_text("broken.png", "no picture");
    for (int i = 0; i < 3; i++) {
        char text[128];
        snprintf(text, sizeof text, "{\"image\": \"%d.png\", \"grid\": {\"width\": 8, \"height\": 8}}",
                 i % 2);
        write_text(names[6 + i], text);
    }
    write_text("lost.json", "{\"image\": \"missing.png\", \"grid\": {\"width\": 8, \"height\": 8}}");
    write_text("data.json", "{}");
    write_text("a.glsl", "//! vertex\nx\n//! fragment\ny\n");
    write_text("a.txt", "text");
}

typedef struct Player {
    FiloAssets *assets;
    FiloRandom random;
    FiloAsset held[NAMES];
    int uses[NAMES];
} Player;

static void add_made(Player *player) {
    FiloPixels pixels;
    assert_true(filo_pixels_create(&pixels, 8, 8, NULL));
    FiloAsset made = filo_assets_add_pixels(player->assets, "made", &pixels);
    filo_pixels_free(&pixels, NULL);
    assert_int_equal(filo_asset_state(player->assets, made), FILO_ASSET_READY);
    player->held[NAMES - 1] = made;
    player->uses[NAMES - 1]++;
}

static void load_one(Player *player, size_t i) {
    if (i == NAMES - 1) {
        add_made(player);
        return;
    }
    FiloAsset asset = filo_assets_load(player->assets, names[i]);
    assert_int_not_equal(asset.id, 0);
    if (player->uses[i] > 0) assert_int_equal(asset.id, player->held[i].id);
    player->held[i] = asset;
    player->uses[i]++;
}

static void unload_one(Player *player, size_t i) {
    if (player->uses[i] == 0) return;
    player->uses[i]--;
    filo_assets_unload(player->assets, player->held[i]);
}

static void check_one(const Player *player, size_t i) {
    if (player->uses[i] == 0) return;
    FiloAssetState state = filo_asset_state(player->assets, player->held[i]);
    assert_int_not_equal(state, FILO_ASSET_NONE);
    assert_true(filo_asset_reference_count(player->assets, player->held[i]) >= (uint32_t)player->uses[i]);
    bool bad = i == 4 || i == 5 || i == 9;
    if (state == FILO_ASSET_READY) assert_false(bad);
    if (state == FILO_ASSET_FAILED) assert_true(bad);
    if (state == FILO_ASSET_READY && i < 4)
        assert_color(first_pixel(player->assets, player->held[i]), 10 + i, 0, 0, 255);
    if (state == FILO_ASSET_READY && i >= 6 && i < 9)
        assert_int_equal(filo_asset_sheet(player->assets, player->held[i])->frame_count, 4);
}

static void play(Player *player) {
    for (int round = 0; round < ROUNDS; round++) {
        size_t i = filo_random_below(&player->random, NAMES);
        switch (filo_random_below(&player->random, 10)) {
        case 0:
        case 1:
        case 2: load_one(player, i); break;
        case 3:
        case 4:
        case 5: unload_one(player, i); break;
        case 6: filo_assets_update(player->assets, 1); break;
        case 7: filo_assets_update(player->assets, 0); break;
        case 8:
            if (player->uses[i] > 0) (void)filo_assets_wait(player->assets, player->held[i]);
            break;
        default:
            if (filo_random_below(&player->random, 20) == 0) filo_assets_wait_all(player->assets);
            filo_thread_yield();
        }
        check_one(player, filo_random_below(&player->random, NAMES));
    }
}

FILO_TEST(loading_and_unloading_in_any_order_gives_the_right_data_and_no_leak) {
    write_files();
    assert_ok(filo_log_set_filter(FILO_LOG_TERMINAL, "error,assets=off"));
    for (int run = 0; run < 6; run++) {
        FiloHeap heap;
        filo_heap_init(&heap, "assets", 0);
        FiloJobs *jobs;
        assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 1 + run % 4 }));
        Player player = { .random = filo_random_sequence((uint64_t)run) };
        FiloAssetsDesc desc = { .jobs = jobs, .folder = filo_test_folder(), .allocator = &heap.allocator };
        assert_ok(filo_assets_create(&player.assets, &desc));
        play(&player);
        if (run >= 3) { // otherwise it is destroyed while assets are loaded
            for (size_t i = 0; i < NAMES; i++)
                while (player.uses[i] > 0) unload_one(&player, i);
            filo_assets_wait_all(player.assets);
            FiloAssetsStats stats = filo_assets_stats(player.assets);
            assert_int_equal(stats.loaded + stats.loading + stats.failed, 0);
            assert_int_equal(stats.memory, 0);
            assert_int_equal(filo_assets_failed_at(player.assets, 0).id, 0);
        }
        filo_assets_destroy(player.assets);
        filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
        filo_heap_deinit(&heap); // reports what was not freed
    }
}
