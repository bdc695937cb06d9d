// Running out of memory: every allocation fails in turn, and nothing leaks.

#include "assets/fixture.h"
#include "assets/pictures.h"

#include "base/atomic.h"
#include "support/failing_allocator.h"

// The heap of the process, of which one allocation fails. Other threads read files, so it counts atomically.
typedef struct Scarce {
    FiloAllocator allocator;
    BASE_ATOMIC(size_t) calls;
    BASE_ATOMIC(size_t) blocks;
    size_t fail_at;
} Scarce;

static void *scarce_resize(void *user, void *memory, size_t old_size, size_t new_size, size_t align) {
    Scarce *scarce = user;
    if (new_size > 0 && base_add_relaxed(&scarce->calls, 1) == scarce->fail_at) return NULL;
    if (memory == NULL && new_size > 0) base_add_relaxed(&scarce->blocks, 1);
    if (memory != NULL && new_size == 0) base_sub_relaxed(&scarce->blocks, 1);
    return filo_resize(NULL, memory, old_size, new_size, align);
}

static void write_files(void) {
    Picture gif = make_small_gif();
    assert_ok(filo_file_write(filo_test_path("small.gif"), gif.bytes, gif.size, NULL));
    write_png("bat.png", 16, 8, filo_color(255, 0, 0, 255));
    write_text("bat.json", "{\"image\": \"bat.png\", \"grid\": {\"width\": 8, \"height\": 8}, "
                           "\"clips\": {\"a\": {\"from\": 0}}}");
    write_text("data.json", "{}");
    write_text("a.glsl", "//! vertex\nx\n//! fragment\ny\n");
    write_text("a.txt", "text");
}

// Loads assets of all types and destroys the asset system. False if a function reported a failure.
static bool use_assets(FiloJobs *jobs, const FiloAllocator *allocator) {
    static const char *const names[] = { "bat.json", "small.gif", "data.json", "a.glsl", "a.txt", "bat.png" };
    FiloAssets *assets;
    if (filo_assets_create(
            &assets, &(FiloAssetsDesc){ .jobs = jobs, .folder = filo_test_folder(), .allocator = allocator })
            .code != FILO_OK)
        return false;
    FiloAssetGroup group = filo_assets_group(assets, "all");
    bool all = group.id != 0;
    for (size_t i = 0; i < FILO_COUNT_OF(names); i++)
        all &= (group.id != 0 ? filo_assets_group_load(assets, group, names[i])
                              : filo_assets_load(assets, names[i]))
                   .id != 0;
    FiloPixels pixels;
    assert_true(filo_pixels_create(&pixels, 4, 4, NULL));
    for (int i = 0; i < 2; i++)
        all &=
            filo_assets_add_grid(assets, "made", &pixels, &(FiloGridDesc){ .width = 2, .height = 2 }).id != 0;
    filo_pixels_free(&pixels, NULL);
    filo_assets_wait_all(assets);
    all &= filo_assets_progress(assets).failed == 0;
    for (size_t i = 0; i < FILO_COUNT_OF(names); i++) {
        FiloAsset asset = filo_assets_find(assets, filo_name(names[i]));
        FiloAssetState state = filo_asset_state(assets, asset);
        assert_int_not_equal(state, FILO_ASSET_LOADING);
        if (state == FILO_ASSET_FAILED) assert_contains(filo_asset_error(assets, asset)->message, names[i]);
    }
    filo_assets_destroy(assets);
    return all;
}

FILO_TEST(every_allocation_may_fail) {
    filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    assert_ok(filo_log_set_filter(FILO_LOG_TERMINAL, "error,assets=off"));
    write_files();
    for (int threads = 1; threads <= 2; threads++) {
        FiloJobs *jobs;
        assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = threads }));
        bool failed = true;
        for (size_t fail_at = 0; failed; fail_at++) {
            Scarce scarce = { .allocator = { scarce_resize, &scarce }, .fail_at = fail_at };
            bool all = use_assets(jobs, &scarce.allocator);
            failed = base_load_relaxed(&scarce.calls) > fail_at;
            assert_int_equal(all, !failed); // every failed allocation is reported
            assert_int_equal(base_load_relaxed(&scarce.blocks), 0);
        }
        filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    }
}

FILO_TEST(an_update_with_nothing_to_do_allocates_nothing) {
    write_files();
    Fixture f = open_fixture(2, true);
    filo_assets_load(f.assets, "bat.json");
    filo_assets_wait_all(f.assets);
    for (int i = 0; i < 10; i++) filo_assets_update(f.assets, 1000);
    uint64_t before = filo_memory_system_calls_of_thread();
    for (int i = 0; i < 100; i++) {
        filo_assets_update(f.assets, 1000);
        (void)filo_assets_find(f.assets, filo_name("bat.png"));
        (void)filo_assets_progress(f.assets);
    }
    assert_int_equal(filo_memory_system_calls_of_thread(), before);
    close_fixture(&f);
}
