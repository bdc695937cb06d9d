// Files that the program has in memory: filo_assets_add_bytes.

#include "assets/fixture.h"

#include "support/failing_allocator.h"

static FiloAsset add_text(Fixture *f, const char *name, const char *text) {
    return filo_assets_add_bytes(f->assets, "text", name, text, strlen(text));
}

static const char *text_of(const Fixture *f, FiloAsset asset) {
    return ((const FiloJsonAsset *)filo_asset_data(f->assets, asset))->text;
}

FILO_TEST(bytes_are_decoded_as_a_file_is) {
    for (int threads = 1; threads <= 2; threads++) {
        Fixture f = open_fixture(threads, false);
        FiloAsset asset = add_text(&f, "model.glb#note", "hello");
        assert_int_equal(filo_asset_state(f.assets, asset), FILO_ASSET_LOADING);
        assert_ok(filo_assets_wait(f.assets, asset));
        assert_string_equal(text_of(&f, asset), "hello");
        assert_int_equal(filo_asset_version(f.assets, asset), 1);
        // It has the name, and may be loaded by it.
        assert_int_equal(filo_assets_load(f.assets, "model.glb#note").id, asset.id);
        assert_int_equal(filo_asset_reference_count(f.assets, asset), 2);
        FiloAsset empty = filo_assets_add_bytes(f.assets, "text", "empty", NULL, 0);
        assert_ok(filo_assets_wait(f.assets, empty));
        assert_string_equal(text_of(&f, empty), "");
        close_fixture(&f);
    }
}

FILO_TEST(bytes_of_a_name_that_exists_replace_its_data) {
    Fixture f = open_fixture(2, false);
    FiloAsset asset = add_text(&f, "a", "first");
    filo_assets_wait_all(f.assets);
    assert_int_equal(add_text(&f, "a", "second").id, asset.id);
    assert_string_equal(text_of(&f, asset), "first"); // until it is decoded
    filo_assets_wait_all(f.assets);
    assert_string_equal(text_of(&f, asset), "second");
    assert_int_equal(filo_asset_version(f.assets, asset), 2);
    close_fixture(&f);
}

FILO_TEST(bytes_that_are_replaced_while_they_are_decoded_are_discarded) {
    Fixture f = open_fixture(1, false); // main decodes, so nothing is decoded before the update
    FiloAsset asset = add_text(&f, "a", "first");
    (void)add_text(&f, "a", "second");
    assert_string_equal(text_of(&f, asset), "second");
    filo_assets_wait_all(f.assets);
    assert_string_equal(text_of(&f, asset), "second");
    close_fixture(&f);
}

FILO_TEST(an_asset_that_is_loaded_again_before_it_is_decoded_becomes_ready) {
    Fixture f = open_fixture(1, false);
    FiloAsset asset = add_text(&f, "a", "first");
    filo_assets_unload(f.assets, asset);
    asset = filo_assets_load(f.assets, "a");
    filo_assets_wait_all(f.assets);
    assert_int_equal(filo_asset_state(f.assets, asset), FILO_ASSET_READY);
    assert_string_equal(text_of(&f, asset), "first");
    close_fixture(&f);
}

FILO_TEST(invalid_bytes_fail_and_leave_what_was_there) {
    Fixture f = open_fixture(2, false);
    FiloAsset asset = filo_assets_add_bytes(f.assets, "json", "a", "[1", 2);
    filo_assets_wait_all(f.assets);
    assert_int_equal(filo_asset_state(f.assets, asset), FILO_ASSET_FAILED);
    (void)filo_assets_add_bytes(f.assets, "json", "a", "[1]", 3);
    filo_assets_wait_all(f.assets);
    assert_int_equal(filo_asset_state(f.assets, asset), FILO_ASSET_READY);
    (void)filo_assets_add_bytes(f.assets, "json", "a", "[", 1);
    filo_assets_wait_all(f.assets);
    assert_string_equal(text_of(&f, asset), "[1]");
    assert_int_not_equal(filo_asset_error(f.assets, asset)->code, FILO_OK);
    close_fixture(&f);
}

FILO_TEST(bytes_are_freed_when_the_assets_are_destroyed_at_once) {
    Fixture f = open_fixture(2, false);
    for (int i = 0; i < 20; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "text %d", i);
        (void)add_text(&f, name, "hello");
    }
    close_fixture(&f);
}

FILO_TEST(mistakes_with_bytes_are_reported) {
    Fixture f = open_fixture(1, false);
    expect_fault("pass assets, a type, a name and the bytes",
                 filo_assets_add_bytes(f.assets, "text", "", "x", 1));
    expect_fault("pass assets, a type, a name and the bytes",
                 filo_assets_add_bytes(f.assets, "text", "a", NULL, 1));
    expect_fault("there are no assets of type \"note\"",
                 filo_assets_add_bytes(f.assets, "note", "a", "x", 1));
    (void)add_text(&f, "a", "x");
    expect_fault("\"a\" is an asset of type \"text\" already, not \"json\"",
                 filo_assets_add_bytes(f.assets, "json", "a", "1", 1));
    close_fixture(&f);
}

FILO_TEST(without_memory_bytes_are_not_added) {
    FiloJobs *jobs;
    assert_ok(filo_log_set_filter(FILO_LOG_TERMINAL, "off"));
    assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 1 }));
    bool more = true;
    for (size_t fail_at = 0; more; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
        FiloAssets *assets;
        assert_ok(filo_assets_create(&assets, &(FiloAssetsDesc){ .jobs = jobs,
                                                                 .folder = filo_test_folder(),
                                                                 .allocator = &failing.allocator }));
        failing.fail_at = failing.calls + fail_at;
        FiloAsset asset = filo_assets_add_bytes(assets, "text", "a", "hello", 5);
        filo_assets_wait_all(assets);
        more = failing.calls > failing.fail_at;
        if (!more) assert_int_equal(filo_asset_state(assets, asset), FILO_ASSET_READY);
        filo_assets_destroy(assets);
        assert_int_equal(failing.blocks, 0);
    }
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}
