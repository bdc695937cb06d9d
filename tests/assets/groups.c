// Groups of assets, and their loading progress.

#include "assets/fixture.h"

#include <filo/threads.h>

#define FILES 12

static void write_files(void) {
    for (int i = 0; i < FILES; i++) {
        char name[32];
        snprintf(name, sizeof name, "%d.png", i);
        write_png(name, 1 + 20 * i, 8, filo_color((uint8_t)i, 0, 0, 255));
    }
}

static void load_files(Fixture *f, FiloAssetGroup group) {
    for (int i = 0; i < FILES; i++) {
        char name[32];
        snprintf(name, sizeof name, "%d.png", i);
        assert_int_not_equal(filo_assets_group_load(f->assets, group, name).id, 0);
    }
}

FILO_TEST(progress_goes_from_zero_to_one_and_never_back) {
    write_files();
    for (int threads = 1; threads <= 4; threads += 3) {
        Fixture f = open_fixture(threads, false);
        FiloAssetGroup group = filo_assets_group(f.assets, "level 1");
        load_files(&f, group);
        FiloAssetProgress progress = filo_assets_group_progress(f.assets, group);
        assert_int_equal(progress.total, FILES);
        assert_int_equal(progress.ready, 0);
        float last = threads == 1 ? 0.0f : progress.fraction; // other threads may have begun already
        assert_float_equal(progress.fraction, last, 0);
        int steps = 0;
        while (progress.ready < FILES) {
            filo_assets_update(f.assets, 1); // one at a time, as if they were large
            filo_thread_yield();
            progress = filo_assets_group_progress(f.assets, group);
            if (progress.fraction < last)
                fail_msg("from %g back to %g", (double)last, (double)progress.fraction);
            if (progress.ready < FILES) assert_true(progress.fraction < 1.0f);
            steps += progress.fraction > last;
            last = progress.fraction;
        }
        assert_float_equal(progress.fraction, 1.0f, 0);
        assert_true(steps >= FILES);
        assert_float_equal(filo_assets_progress(f.assets).fraction, 1.0f, 0);
        close_fixture(&f);
    }
}

FILO_TEST(a_group_is_found_by_its_name) {
    Fixture f = open_fixture(1, false);
    FiloAssetGroup a = filo_assets_group(f.assets, "a"), b = filo_assets_group(f.assets, "b");
    assert_int_not_equal(a.id, b.id);
    assert_int_equal(filo_assets_group(f.assets, "a").id, a.id);
    assert_float_equal(filo_assets_group_progress(f.assets, a).fraction, 1.0f, 0); // nothing is missing
    close_fixture(&f);
}

FILO_TEST(a_group_has_one_reference_to_each_asset_and_releases_all_together) {
    write_files();
    Fixture f = open_fixture(2, false);
    FiloAssetGroup a = filo_assets_group(f.assets, "a"), b = filo_assets_group(f.assets, "b");
    load_files(&f, a);
    FiloAsset shared = filo_assets_group_load(f.assets, a, "3.png");
    assert_int_equal(filo_asset_reference_count(f.assets, shared), 1);
    assert_int_equal(filo_assets_group_load(f.assets, b, "3.png").id, shared.id);
    assert_int_equal(filo_asset_reference_count(f.assets, shared), 2);
    filo_assets_wait_all(f.assets);
    assert_int_equal(filo_assets_stats(f.assets).loaded, FILES);
    filo_assets_group_unload(f.assets, a);
    filo_assets_update(f.assets, 0);
    assert_int_equal(filo_assets_stats(f.assets).loaded, 1);
    assert_int_equal(filo_asset_state(f.assets, shared), FILO_ASSET_READY);
    filo_assets_group_unload(f.assets, b);
    filo_assets_update(f.assets, 0);
    assert_int_equal(filo_asset_state(f.assets, shared), FILO_ASSET_NONE);
    load_files(&f, a); // and again
    filo_assets_wait_all(f.assets);
    assert_int_equal(filo_assets_group_progress(f.assets, a).ready, FILES);
    close_fixture(&f);
}

FILO_TEST(failed_assets_are_counted_and_do_not_block_the_others) {
    write_files();
    Fixture f = open_fixture(2, false);
    FiloAssetGroup group = filo_assets_group(f.assets, "a");
    filo_assets_group_load(f.assets, group, "none.png");
    filo_assets_group_load(f.assets, group, "1.png");
    assert_int_equal(filo_assets_group_load(f.assets, group, "../none.png").id, 0);
    filo_assets_wait_all(f.assets);
    FiloAssetProgress progress = filo_assets_group_progress(f.assets, group);
    assert_int_equal(progress.total, 2);
    assert_int_equal(progress.ready, 1);
    assert_int_equal(progress.failed, 1);
    assert_float_equal(progress.fraction, 1.0f, 0);
    close_fixture(&f);
}

FILO_TEST(a_group_that_is_unloaded_and_loaded_again_in_one_frame_stays_loaded) {
    write_files();
    Fixture f = open_fixture(2, false);
    FiloAssetGroup group = filo_assets_group(f.assets, "level");
    load_files(&f, group);
    FiloAsset asset = filo_assets_group_load(f.assets, group, "1.png");
    FiloAsset failed = filo_assets_group_load(f.assets, group, "late.png");
    filo_assets_wait_all(f.assets);
    const void *data = filo_asset_data(f.assets, asset);
    write_png("1.png", 3, 3, filo_color(99, 0, 0, 255));
    write_png("late.png", 3, 3, filo_color(7, 0, 0, 255));
    filo_assets_group_unload(f.assets, group);
    assert_int_equal(filo_assets_group_progress(f.assets, group).total, 0);
    load_files(&f, group);
    assert_int_equal(filo_assets_group_load(f.assets, group, "1.png").id, asset.id);
    assert_int_equal(filo_assets_group_load(f.assets, group, "late.png").id, failed.id);
    FiloAssetProgress progress = filo_assets_group_progress(f.assets, group);
    assert_int_equal(progress.ready, FILES); // at once
    assert_int_equal(progress.failed, 1);
    assert_int_equal(filo_assets_update(f.assets, 0), 0);
    assert_ptr_equal(filo_asset_data(f.assets, asset), data);
    assert_color(first_pixel(f.assets, asset), 1, 0, 0, 255);
    assert_int_equal(filo_asset_version(f.assets, asset), 1);
    assert_int_equal(filo_asset_reference_count(f.assets, asset), 1);
    // With an update in between they are read again.
    filo_assets_group_unload(f.assets, group);
    filo_assets_update(f.assets, 0);
    assert_int_equal(filo_asset_state(f.assets, asset), FILO_ASSET_NONE);
    load_files(&f, group);
    failed = filo_assets_group_load(f.assets, group, "late.png");
    filo_assets_wait_all(f.assets);
    assert_color(first_pixel(f.assets, filo_assets_find(f.assets, filo_name("1.png"))), 99, 0, 0, 255);
    assert_color(first_pixel(f.assets, failed), 7, 0, 0, 255);
    close_fixture(&f);
}

FILO_TEST(a_group_that_is_loading_may_be_unloaded_and_loaded_again_in_one_frame) {
    write_files();
    for (int threads = 1; threads <= 4; threads += 3) {
        Fixture f = open_fixture(threads, false);
        FiloAssetGroup group = filo_assets_group(f.assets, "level");
        for (int i = 0; i < 5; i++) {
            load_files(&f, group);
            filo_assets_group_unload(f.assets, group);
        }
        load_files(&f, group);
        filo_assets_wait_all(f.assets);
        assert_int_equal(filo_assets_group_progress(f.assets, group).ready, FILES);
        assert_int_equal(filo_assets_stats(f.assets).loaded, FILES);
        close_fixture(&f);
    }
}
