// Memory that runs out while an app starts or runs, in a game that does not check results.

#include "stage.h"

#include <filo/check.h>
#include <filo/files.h>

static int ended;
static void count_end(FiloApp *app) {
    FILO_UNUSED(app);
    ended++;
}

static void run_out(void) { filo_out_of_memory("level", 4096, "the budget is used up"); }

static FiloResult create_without_memory(FiloApp *app) {
    FILO_UNUSED(app);
    run_out();
    return filo_ok();
}

FILO_TEST(a_game_does_not_begin_if_memory_ran_out_in_its_set_up) {
    hush();
    FiloApp *app;
    FiloResult r =
        filo_app_create(&app, &(FiloAppDesc){ .create = create_without_memory, .end = count_end }, &headless);
    assert_int_equal(r.code, FILO_ERROR_MEMORY);
    assert_contains(r.message, "level: cannot allocate 4096 bytes");
    assert_null(app);
    assert_int_equal(ended, 1); // `create` has succeeded, so `end` frees what it made
}

static FiloResult run_game(void (*before_the_end)(void)) {
    FiloCommonArgs args = headless;
    args.frames = 2;
    FiloApp *app = start(&(FiloAppDesc){ .name = "game" }, &args);
    while (filo_app_frame(app)) {}
    if (before_the_end != NULL) before_the_end();
    FiloResult r = filo_app_finish(app);
    filo_app_destroy(app);
    return r;
}

FILO_TEST(a_run_without_a_window_in_which_memory_ran_out_ends_with_an_error) {
    hush();
    assert_ok(run_game(NULL));
    FiloResult r = run_game(run_out);
    assert_int_equal(r.code, FILO_ERROR_MEMORY);
    assert_contains(r.message, "level: cannot allocate 4096 bytes");
}

FILO_TEST(what_an_earlier_app_lacked_does_not_count) {
    hush();
    run_out();
    assert_ok(run_game(NULL));
}

static FiloResult decode_without_memory(const FiloAssetBytes *bytes, void **data, void *user) {
    FILO_UNUSED(data), FILO_UNUSED(user);
    return filo_error(FILO_ERROR_MEMORY, "%s: no memory for the picture",
                      bytes->name); // like a library that reports its own failure
}

static void free_nothing(void *data, const FiloAllocator *allocator, void *user) {
    FILO_UNUSED(data), FILO_UNUSED(allocator), FILO_UNUSED(user);
}

FILO_TEST(an_asset_without_memory_counts_as_a_lack_of_memory) {
    hush();
    const char *path = filo_test_path("sun.thing");
    assert_ok(filo_file_write(path, "x", 1, NULL));
    FiloJobs *jobs;
    FiloAssets *assets;
    assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 1 }));
    assert_ok(filo_assets_create(&assets, &(FiloAssetsDesc){ .jobs = jobs, .folder = filo_test_folder() }));
    assert_ok(filo_assets_register(assets, &(FiloAssetType){ .name = "thing",
                                                             .extensions = { "thing" },
                                                             .decode = decode_without_memory,
                                                             .free = free_nothing }));
    uint64_t before = filo_out_of_memory_count();
    FiloAsset asset = filo_assets_load(assets, "sun.thing");
    assert_int_equal(filo_assets_wait(assets, asset).code, FILO_ERROR_MEMORY);
    filo_assets_unload(assets, asset);
    assert_int_equal(filo_out_of_memory_count(), before + 1);
    filo_assets_destroy(assets);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}
