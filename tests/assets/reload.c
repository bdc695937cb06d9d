// Files that change while the program runs.

#include "assets/fixture.h"

#include <filo/time.h>

static void wait_a_little(Fixture *f) {
    filo_assets_update(f->assets, 0);
    filo_sleep_until_ns(filo_time_ns() + FILO_MILLISECOND);
}

static void wait_for_version(Fixture *f, FiloAsset asset, uint32_t version) {
    while (filo_asset_version(f->assets, asset) < version) wait_a_little(f);
}

static void wait_for_error(Fixture *f, FiloAsset asset) {
    while (filo_asset_error(f->assets, asset)->code == FILO_OK) wait_a_little(f);
}

// Waits until all earlier changes have been processed: changes another file, and waits for that change.
static void flush_changes(Fixture *f) {
    static int number;
    char name[32];
    snprintf(name, sizeof name, "later %d.txt", number++);
    FiloAsset later = filo_assets_load(f->assets, name);
    assert_int_not_equal(filo_assets_wait(f->assets, later).code, FILO_OK);
    write_text(name, "here");
    wait_for_version(f, later, 1);
}

// Loads a red picture from a new file, whose changes are watched.
static Fixture open_with_red(int threads, FiloAsset *red) {
    write_png("red.png", 2, 2, filo_color(255, 0, 0, 255));
    Fixture f = open_fixture(threads, true);
    *red = filo_assets_load(f.assets, "red.png");
    assert_ok(filo_assets_wait(f.assets, *red));
    return f;
}

static int logged;
static void count_log(const FiloLogMessage *message, void *user) {
    FILO_UNUSED(user);
    logged += strcmp(message->channel, "assets") == 0 && strstr(message->text, "red.png") != NULL;
}

FILO_TEST(a_file_that_changes_is_loaded_again) {
    for (int threads = 1; threads <= 2; threads++) {
        FiloAsset red;
        Fixture f = open_with_red(threads, &red);
        assert_color(first_pixel(f.assets, red), 255, 0, 0, 255);
        write_png("red.png", 4, 4, filo_color(0, 0, 255, 255));
        wait_for_version(&f, red, 2);
        assert_color(first_pixel(f.assets, red), 0, 0, 255, 255);
        assert_int_equal(filo_asset_sheet(f.assets, red)->frames[0].width, 4);
        assert_int_equal(filo_asset_reference_count(f.assets, red), 1);
        close_fixture(&f);
    }
}

FILO_TEST(after_a_failed_reload_the_previous_data_stays_and_the_error_is_reported) {
    FiloAsset red;
    Fixture f = open_with_red(2, &red);
    logged = 0;
    FiloLogSink sink = filo_log_add_sink(&(FiloLogSinkDesc){ .write = count_log });
    write_text("red.png", "no picture at all");
    wait_for_error(&f, red);
    assert_int_equal(filo_asset_state(f.assets, red), FILO_ASSET_READY);
    assert_color(first_pixel(f.assets, red), 255, 0, 0, 255);
    assert_int_equal(filo_asset_version(f.assets, red), 1);
    assert_contains(filo_asset_error(f.assets, red)->message, "red.png: not a PNG");
    assert_int_equal(filo_assets_failed_at(f.assets, 0).id, red.id);
    flush_changes(&f);
    assert_int_equal(logged, 1);
    filo_log_remove_sink(sink);
    write_png("red.png", 2, 2, filo_color(0, 255, 0, 255));
    wait_for_version(&f, red, 2);
    assert_color(first_pixel(f.assets, red), 0, 255, 0, 255);
    assert_int_equal(filo_asset_error(f.assets, red)->code, FILO_OK);
    assert_int_equal(filo_assets_failed_at(f.assets, 0).id, 0);
    close_fixture(&f);
}

FILO_TEST(an_asset_whose_file_is_removed_keeps_its_data_and_is_loaded_when_it_comes_back) {
    FiloAsset red;
    Fixture f = open_with_red(2, &red);
    assert_ok(filo_file_remove(filo_test_path("red.png")));
    flush_changes(&f);
    assert_int_equal(filo_asset_state(f.assets, red), FILO_ASSET_READY);
    assert_color(first_pixel(f.assets, red), 255, 0, 0, 255);
    assert_int_equal(filo_asset_error(f.assets, red)->code, FILO_OK);
    write_png("red.png", 2, 2, filo_color(0, 0, 255, 255));
    wait_for_version(&f, red, 2);
    assert_color(first_pixel(f.assets, red), 0, 0, 255, 255);
    close_fixture(&f);
}

FILO_TEST(a_file_that_was_missing_is_loaded_when_it_appears) {
    Fixture f = open_fixture(2, true);
    FiloAsset red = filo_assets_load(f.assets, "new/red.png");
    assert_error(filo_assets_wait(f.assets, red), FILO_ERROR_NOT_FOUND, "new/red.png");
    assert_ok(filo_folder_make(filo_test_path("new")));
    write_png("new/red.png", 2, 2, filo_color(255, 0, 0, 255));
    wait_for_version(&f, red, 1);
    assert_int_equal(filo_asset_state(f.assets, red), FILO_ASSET_READY);
    close_fixture(&f);
}

FILO_TEST(a_file_that_is_moved_into_place_is_loaded) {
    write_png("other.png", 2, 2, filo_color(0, 0, 255, 255));
    FiloAsset red;
    Fixture f = open_with_red(2, &red);
    assert_ok(filo_file_move(filo_test_path("other.png"), filo_test_path("red.png"), NULL));
    wait_for_version(&f, red, 2);
    assert_color(first_pixel(f.assets, red), 0, 0, 255, 255);
    close_fixture(&f);
}

FILO_TEST(a_sheet_is_reloaded_with_its_image) {
    write_png("bat.png", 16, 8, filo_color(255, 0, 0, 255));
    write_text("bat.json", "{\"image\": \"bat.png\", \"grid\": {\"width\": 8, \"height\": 8}}");
    Fixture f = open_fixture(2, true);
    FiloAsset bat = filo_assets_load(f.assets, "bat.json");
    assert_ok(filo_assets_wait(f.assets, bat));
    assert_int_equal(filo_asset_sheet(f.assets, bat)->frame_count, 2);
    write_png("bat.png", 32, 8, filo_color(255, 0, 0, 255));
    wait_for_version(&f, bat, 2);
    assert_int_equal(filo_asset_sheet(f.assets, bat)->frame_count, 4);
    FiloAsset image = filo_asset_sheet_image(f.assets, bat);
    assert_int_equal(filo_asset_reference_count(f.assets, image), 1);
    close_fixture(&f);
}

FILO_TEST(a_sheet_whose_image_was_missing_is_loaded_when_it_appears) {
    write_text("owl.json", "{\"image\": \"owl.png\", \"grid\": {\"width\": 8, \"height\": 8}}");
    Fixture f = open_fixture(2, true);
    FiloAsset bat = filo_assets_load(f.assets, "owl.json");
    assert_int_not_equal(filo_assets_wait(f.assets, bat).code, FILO_OK);
    write_png("owl.png", 16, 8, filo_color(255, 0, 0, 255));
    wait_for_version(&f, bat, 1);
    assert_int_equal(filo_asset_state(f.assets, bat), FILO_ASSET_READY);
    assert_int_equal(filo_asset_sheet(f.assets, bat)->frame_count, 2);
    close_fixture(&f);
}

FILO_TEST(a_json_file_may_become_a_sheet) {
    write_png("bat.png", 16, 8, filo_color(255, 0, 0, 255));
    write_text("bat.json", "{\"hp\": 3}");
    Fixture f = open_fixture(2, true);
    FiloAsset bat = filo_assets_load(f.assets, "bat.json");
    assert_ok(filo_assets_wait(f.assets, bat));
    assert_string_equal(filo_asset_type(f.assets, bat), "json");
    write_text("bat.json", "{\"image\": \"bat.png\", \"grid\": {\"width\": 8, \"height\": 8}}");
    wait_for_version(&f, bat, 2);
    assert_string_equal(filo_asset_type(f.assets, bat), "sheet");
    assert_int_equal(filo_asset_sheet(f.assets, bat)->frame_count, 2);
    close_fixture(&f);
}

FILO_TEST(data_that_the_program_added_is_not_replaced_by_a_file) {
    Fixture f = open_fixture(2, true);
    FiloPixels pixels;
    assert_true(filo_pixels_create(&pixels, 2, 2, NULL));
    FiloAsset made = filo_assets_add_pixels(f.assets, "red.png", &pixels);
    write_png("red.png", 2, 2, filo_color(255, 0, 0, 255));
    flush_changes(&f);
    assert_color(first_pixel(f.assets, made), 0, 0, 0, 0);
    assert_int_equal(filo_asset_version(f.assets, made), 1);
    filo_pixels_free(&pixels, NULL);
    close_fixture(&f);
}

FILO_TEST(without_watching_nothing_is_reloaded) {
    write_png("red.png", 2, 2, filo_color(255, 0, 0, 255));
    Fixture f = open_fixture(2, false);
    FiloAsset red = filo_assets_load(f.assets, "red.png");
    assert_ok(filo_assets_wait(f.assets, red));
    write_png("red.png", 2, 2, filo_color(0, 0, 255, 255));
    filo_assets_update(f.assets, 0);
    filo_assets_wait_all(f.assets);
    assert_color(first_pixel(f.assets, red), 255, 0, 0, 255);
    close_fixture(&f);
}
