// Loading assets in the background, handles and reference counts.

#include "assets/fixture.h"
#include "support/warnings.h"

#include <filo/profile.h>
#include <filo/threads.h>

#include <unistd.h>

FILO_TEST(links_that_lead_out_of_the_folder_are_refused) {
    assert_ok(filo_folder_make(filo_test_path("assets/sub")));
    write_text("secret.txt", "secret");
    write_text("assets/own.txt", "own");
    write_png("secret.png", 2, 2, FILO_COLOR_RED);
    assert_int_equal(symlink("../own.txt", filo_test_path("assets/sub/own.txt")), 0);
    assert_int_equal(symlink("../secret.txt", filo_test_path("assets/secret.txt")), 0);
    assert_int_equal(symlink("../secret.png", filo_test_path("assets/secret.png")), 0);
    assert_int_equal(symlink("..", filo_test_path("assets/up")), 0);
    assert_int_equal(symlink("assets", filo_test_path("link")), 0);
    for (int threads = 1; threads <= 2; threads++) {
        Fixture f = { 0 };
        assert_ok(filo_log_set_filter(FILO_LOG_TERMINAL, "error,assets=off"));
        assert_ok(filo_jobs_create(&f.jobs, &(FiloJobsDesc){ .threads = threads }));
        assert_ok(filo_assets_create( // the folder itself may be a link
            &f.assets, &(FiloAssetsDesc){ .jobs = f.jobs, .folder = filo_test_path("link") }));
        assert_ok(filo_assets_wait(f.assets, filo_assets_load(f.assets, "sub/own.txt")));
        FiloResult r = filo_assets_wait(f.assets, filo_assets_load(f.assets, "secret.txt"));
        assert_error(r, FILO_ERROR_DENIED, "secret.txt: a symbolic link leads out of the folder (in ");
        r = filo_assets_wait(f.assets, filo_assets_load(f.assets, "up/secret.txt"));
        assert_error(r, FILO_ERROR_DENIED, "up/secret.txt: a symbolic link leads out of the folder (in ");
        assert_int_equal(filo_assets_sheet_now(f.assets, filo_name("secret.png"))->frame_count, 0);
        filo_assets_destroy(f.assets);
        filo_jobs_destroy(f.jobs, FILO_JOBS_FINISH);
    }
}

FILO_TEST(an_asset_is_found_by_every_spelling_of_its_path) {
    write_png("red.png", 2, 2, FILO_COLOR_RED);
    Fixture f = open_fixture(1, false);
    FiloAsset red = filo_assets_load(f.assets, "x/.././/red.png");
    static const char *const names[] = { "red.png", "./red.png", ".//red.png", "x/../red.png",
                                         "x/.././red.png" };
    for (size_t i = 0; i < FILO_COUNT_OF(names); i++) {
        assert_int_equal(filo_assets_find(f.assets, filo_name(names[i])).id, red.id);
        assert_int_equal(filo_assets_load(f.assets, names[i]).id, red.id);
    }
    assert_int_equal(filo_assets_find(f.assets, filo_name("../red.png")).id, 0);
    assert_int_equal(filo_assets_find(f.assets, filo_name("x/red.png")).id, 0);
    assert_int_equal(filo_assets_find(f.assets, filo_name("./blue.png")).id, 0);
    close_fixture(&f);
}

FILO_TEST(an_image_is_loaded_in_the_background) {
    for (int threads = 1; threads <= 4; threads++) {
        write_png("red.png", 3, 2, filo_color(255, 0, 0, 255));
        Fixture f = open_fixture(threads, false);
        FiloAsset red = filo_assets_load(f.assets, "red.png");
        assert_int_not_equal(red.id, 0);
        assert_int_equal(filo_asset_state(f.assets, red), FILO_ASSET_LOADING);
        assert_int_equal(filo_asset_version(f.assets, red), 0);
        assert_ok(filo_assets_wait(f.assets, red));
        assert_int_equal(filo_asset_state(f.assets, red), FILO_ASSET_READY);
        const FiloImageAsset *image = filo_asset_data(f.assets, red);
        assert_int_equal(image->pixels.width, 3);
        assert_int_equal(image->pixels.height, 2);
        assert_color(*filo_pixels_at(&image->pixels, 2, 1), 255, 0, 0, 255);
        assert_int_equal(image->sheet.frame_count, 1);
        assert_int_equal(image->sheet.frames[0].width, 3);
        assert_int_equal(filo_asset_version(f.assets, red), 1);
        assert_string_equal(filo_asset_name(f.assets, red), "red.png");
        assert_string_equal(filo_asset_type(f.assets, red), "image");
        close_fixture(&f);
    }
}

FILO_TEST(updating_alone_makes_an_asset_ready_even_with_one_thread) {
    write_png("red.png", 1, 1, filo_color(255, 0, 0, 255));
    for (int threads = 1; threads <= 2; threads++) {
        Fixture f = open_fixture(threads, false);
        FiloAsset red = filo_assets_load(f.assets, "red.png");
        size_t ready = 0;
        while (filo_asset_state(f.assets, red) == FILO_ASSET_LOADING) {
            ready += filo_assets_update(f.assets, 1000);
            filo_thread_yield();
        }
        assert_int_equal(ready, 1);
        assert_int_equal(filo_asset_state(f.assets, red), FILO_ASSET_READY);
        close_fixture(&f);
    }
}

FILO_TEST(an_image_has_the_placeholder_until_it_is_ready) {
    write_png("red.png", 3, 2, filo_color(255, 0, 0, 255));
    Fixture f = open_fixture(2, false);
    FiloAsset red = filo_assets_load(f.assets, "red.png");
    FiloAsset none = filo_assets_load(f.assets, "none.png");
    for (int i = 0; i < 2; i++) {
        const FiloImageAsset *image = filo_asset_data(f.assets, i == 0 ? red : none);
        assert_int_equal(image->pixels.width, 16);
        assert_int_equal(image->pixels.height, 16);
        assert_color(*filo_pixels_at(&image->pixels, 0, 0), 255, 0, 255, 255);
        assert_color(*filo_pixels_at(&image->pixels, 4, 0), 0, 0, 0, 255);
        assert_color(*filo_pixels_at(&image->pixels, 4, 4), 255, 0, 255, 255);
        assert_int_equal(filo_asset_sheet(f.assets, i == 0 ? red : none)->frame_count, 1);
        if (i == 0) filo_assets_wait_all(f.assets);
    }
    assert_int_equal(filo_asset_state(f.assets, none), FILO_ASSET_FAILED);
    close_fixture(&f);
}

FILO_TEST(a_missing_file_is_a_failure_that_names_it) {
    Fixture f = open_fixture(2, false);
    FiloAsset none = filo_assets_load(f.assets, "deep/none.png");
    assert_error(filo_assets_wait(f.assets, none), FILO_ERROR_NOT_FOUND, "deep/none.png: No such file");
    assert_error(*filo_asset_error(f.assets, none), FILO_ERROR_NOT_FOUND, filo_assets_folder(f.assets));
    assert_int_equal(filo_assets_failed_at(f.assets, 0).id, none.id);
    assert_int_equal(filo_assets_failed_at(f.assets, 1).id, 0);
    assert_int_equal(filo_assets_stats(f.assets).failed, 1);
    filo_assets_unload(f.assets, none);
    filo_assets_update(f.assets, 0);
    assert_int_equal(filo_assets_failed_at(f.assets, 0).id, 0);
    close_fixture(&f);
}

FILO_TEST(a_missing_file_is_reported_with_the_one_that_was_meant) {
    write_png("nine.png", 4, 4, FILO_COLOR_RED);
    Fixture f = open_fixture(2, false);
    FiloAsset near = filo_assets_load(f.assets, "nnine.png");
    assert_error(filo_assets_wait(f.assets, near), FILO_ERROR_NOT_FOUND, ": did you mean \"nine.png\"?");
    close_fixture(&f);
}

FILO_TEST(loading_a_name_twice_is_one_asset_with_two_references) {
    write_png("red.png", 1, 1, filo_color(255, 0, 0, 255));
    Fixture f = open_fixture(2, false);
    FiloAsset a = filo_assets_load(f.assets, "red.png"), b = filo_assets_load(f.assets, "./x/..//red.png");
    assert_int_equal(a.id, b.id);
    assert_int_equal(filo_asset_reference_count(f.assets, a), 2);
    filo_assets_unload(f.assets, a);
    filo_assets_wait_all(f.assets);
    assert_int_equal(filo_asset_state(f.assets, a), FILO_ASSET_READY);
    assert_int_equal(filo_asset_retain(f.assets, a).id, a.id);
    assert_int_equal(filo_asset_reference_count(f.assets, a), 2);
    filo_assets_unload(f.assets, a);
    filo_assets_unload(f.assets, a);
    assert_int_equal(filo_asset_state(f.assets, a), FILO_ASSET_READY); // until the next update
    assert_non_null(filo_asset_data(f.assets, a));
    filo_assets_update(f.assets, 0);
    assert_int_equal(filo_asset_state(f.assets, a), FILO_ASSET_NONE);
    assert_null(filo_asset_data(f.assets, a));
    assert_string_equal(filo_asset_name(f.assets, a), "");
    assert_int_equal(filo_assets_stats(f.assets).loaded, 0);
    close_fixture(&f);
}

FILO_TEST(a_stale_handle_is_detected) {
    write_png("red.png", 1, 1, filo_color(255, 0, 0, 255));
    Fixture f = open_fixture(2, false);
    FiloAsset old = filo_assets_load(f.assets, "red.png");
    assert_ok(filo_assets_wait(f.assets, old));
    filo_assets_unload(f.assets, old);
    filo_assets_update(f.assets, 0);
    FiloAsset again = filo_assets_load(f.assets, "red.png");
    assert_int_not_equal(old.id, again.id);
    assert_ok(filo_assets_wait(f.assets, again));
    assert_int_equal(filo_asset_state(f.assets, old), FILO_ASSET_NONE);
    assert_int_equal(filo_asset_state(f.assets, again), FILO_ASSET_READY);
    assert_error(filo_assets_wait(f.assets, old), FILO_ERROR_NOT_FOUND, "no such asset");
    assert_error(filo_assets_wait(f.assets, (FiloAsset){ 0 }), FILO_ERROR_NOT_FOUND, "no such asset");
    assert_int_equal(filo_asset_error(f.assets, old)->code, FILO_OK);
    close_fixture(&f);
}

FILO_TEST(an_asset_is_found_by_its_name) {
    write_png("red.png", 1, 1, filo_color(255, 0, 0, 255));
    Fixture f = open_fixture(2, false);
    FiloName name = filo_name("red.png");
    assert_int_equal(filo_assets_find(f.assets, name).id, 0);
    FiloAsset red = filo_assets_load(f.assets, "red.png");
    assert_int_equal(filo_assets_find(f.assets, name).id, red.id);
    assert_int_equal(filo_asset_reference_count(f.assets, red), 1);
    assert_int_equal(filo_assets_find(f.assets, (FiloName){ 0 }).id, 0);
    assert_int_equal(filo_assets_find(f.assets, (FiloName){ FILO_NAME_LIMIT + 5 }).id, 0);
    filo_assets_unload(f.assets, red);
    filo_assets_wait_all(f.assets);
    filo_assets_update(f.assets, 0);
    assert_int_equal(filo_assets_find(f.assets, name).id, 0);
    close_fixture(&f);
}

FILO_TEST(a_folder_that_does_not_exist_is_mentioned_at_the_start) {
    FiloJobs *jobs;
    FiloAssets *assets;
    assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 1 }));
    const char *missing = filo_test_path("asets");
    char warning[FILO_PATH_SIZE + 64];
    snprintf(warning, sizeof warning, "there is no folder %s: set `folder` to that of the assets", missing);
    expect_warning(warning, assert_ok(filo_assets_create(
                                &assets, &(FiloAssetsDesc){ .jobs = jobs, .folder = missing })));
    filo_assets_destroy(assets);
    expect_no_warning(assert_ok(
        filo_assets_create(&assets, &(FiloAssetsDesc){ .jobs = jobs, .folder = filo_test_folder() })));
    filo_assets_destroy(assets);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

static void store_error(const FiloLogMessage *message, void *user) {
    filo_string_copy(filo_string(message->text), user, FILO_LOG_SIZE);
}

FILO_TEST(an_asset_shows_in_a_profile_by_its_name) {
    write_png("red.png", 2, 2, FILO_COLOR_RED);
    Fixture f = open_fixture(2, false);
    filo_profile_start(NULL);
    assert_ok(filo_assets_wait(f.assets, filo_assets_load(f.assets, "red.png")));
    filo_profile_stop();
    char text[4096];
    filo_profile_summary(text, sizeof text);
    assert_contains(text, "red.png");
    assert_null(strstr(text, "job"));
    close_fixture(&f);
}

FILO_TEST(an_unknown_extension_needs_a_type) {
    Fixture f = open_fixture(1, false);
    write_text("words.dialogue", "Hello");
    char error[FILO_LOG_SIZE] = "";
    FiloLogSink sink =
        filo_log_add_sink(&(FiloLogSinkDesc){ .write = store_error, .user = error, .filter = "error" });
    assert_int_equal(filo_assets_load(f.assets, "words.dialogue").id, 0);
    filo_log_remove_sink(sink);
    assert_contains(error, "\"words.dialogue\": no type of assets has the extension \"dialogue\": "
                           "filo_assets_load_as names the type");
    assert_int_not_equal(filo_assets_load_as(f.assets, "text", "words.dialogue").id, 0);
    close_fixture(&f);
}

FILO_TEST(names_that_lead_out_of_the_folder_are_refused) {
    static const char *const names[] = { "../x.png", "/etc/passwd.png", "a/../../x.png", "", ".", "x.unknown",
                                         "x" };
    Fixture f = open_fixture(2, false);
    for (size_t i = 0; i < FILO_COUNT_OF(names); i++)
        assert_int_equal(filo_assets_load(f.assets, names[i]).id, 0);
    assert_int_equal(filo_assets_progress(f.assets).total, 0);
    close_fixture(&f);
}

FILO_TEST(pixels_of_the_program_are_an_asset_at_once) {
    Fixture f = open_fixture(2, false);
    FiloPixels pixels;
    assert_true(filo_pixels_create(&pixels, 4, 4, NULL));
    filo_pixels_fill(&pixels, filo_color(1, 2, 3, 4));
    FiloAsset made = filo_assets_add_pixels(f.assets, "made by us", &pixels);
    filo_pixels_fill(&pixels, filo_color(9, 9, 9, 9)); // it was copied
    assert_int_equal(filo_asset_state(f.assets, made), FILO_ASSET_READY);
    assert_color(first_pixel(f.assets, made), 1, 2, 3, 4);
    assert_int_equal(filo_assets_find(f.assets, filo_name("made by us")).id, made.id);
    assert_int_equal(filo_assets_load(f.assets, "made by us").id, made.id);
    assert_int_equal(filo_asset_reference_count(f.assets, made), 2);
    const FiloImageAsset *before = filo_asset_data(f.assets, made);
    FiloAsset again = filo_assets_add_pixels(f.assets, "made by us", &pixels);
    assert_int_equal(again.id, made.id);
    assert_int_equal(filo_asset_version(f.assets, made), 2);
    assert_color(*before->pixels.data, 1, 2, 3, 4); // valid until the next update
    assert_color(first_pixel(f.assets, made), 9, 9, 9, 9);
    filo_assets_update(f.assets, 0);
    assert_color(first_pixel(f.assets, made), 9, 9, 9, 9);
    filo_pixels_free(&pixels, NULL);
    close_fixture(&f);
}

FILO_TEST(the_assets_can_be_destroyed_in_the_middle_of_loading) {
    for (int i = 0; i < 40; i++) {
        char name[32];
        snprintf(name, sizeof name, "%d.png", i);
        write_png(name, 64, 64, filo_color(255, 0, 0, 255));
    }
    for (int threads = 1; threads <= 4; threads++) {
        for (int updates = 0; updates < 4; updates++) {
            Fixture f = open_fixture(threads, false);
            for (int i = 0; i < 40; i++) {
                char name[32];
                snprintf(name, sizeof name, "%d.png", i);
                assert_int_not_equal(filo_assets_load(f.assets, name).id, 0);
            }
            for (int u = 0; u < updates; u++) filo_assets_update(f.assets, 1);
            close_fixture(&f);
        }
    }
}

// ---- Finishing ------------------------------------------------------------------------------------------

// Waits until all files have been decoded, without finishing any.
static void decode_all(Fixture *f) {
    while ((double)filo_assets_progress(f->assets).fraction < 0.799) filo_thread_yield();
}

FILO_TEST(an_update_finishes_at_least_one_and_stops_when_its_time_is_over) {
    for (int i = 0; i < 8; i++) {
        char name[32];
        snprintf(name, sizeof name, "%d.png", i);
        write_png(name, 2, 2, filo_color(255, 0, 0, 255));
    }
    Fixture f = open_fixture(4, false);
    for (int i = 0; i < 8; i++) {
        char name[32];
        snprintf(name, sizeof name, "%d.png", i);
        filo_assets_load(f.assets, name);
    }
    decode_all(&f);
    size_t updates = 0, ready = 0;
    while (ready < 8) {
        size_t more = filo_assets_update(f.assets, 1); // a nanosecond
        assert_in_range(more, 0, 1);
        ready += more;
        updates++;
    }
    assert_true(updates >= 8);
    assert_int_equal(filo_assets_update(f.assets, 0), 0);
    close_fixture(&f);
}

FILO_TEST(an_asset_that_is_unloaded_while_it_is_loading_is_freed_and_can_be_loaded_again) {
    write_png("red.png", 64, 64, filo_color(255, 0, 0, 255));
    for (int round = 0; round < 50; round++) {
        Fixture f = open_fixture(1 + round % 3, false);
        FiloAsset red = filo_assets_load(f.assets, "red.png");
        if (round % 2) filo_assets_update(f.assets, 0);
        filo_assets_unload(f.assets, red);
        filo_assets_update(f.assets, 0); // cancels the load, if it is not done
        FiloAsset again = filo_assets_load(f.assets, "red.png");
        assert_ok(filo_assets_wait(f.assets, again));
        assert_color(first_pixel(f.assets, again), 255, 0, 0, 255);
        filo_assets_unload(f.assets, again);
        filo_assets_update(f.assets, 0);
        assert_int_equal(filo_asset_state(f.assets, again), FILO_ASSET_NONE);
        close_fixture(&f);
    }
}

FILO_TEST(data_that_the_program_adds_replaces_a_file_that_is_loading) {
    write_png("red.png", 64, 64, filo_color(255, 0, 0, 255));
    FiloPixels blue;
    assert_true(filo_pixels_create(&blue, 2, 2, NULL));
    filo_pixels_fill(&blue, filo_color(0, 0, 255, 255));
    for (int round = 0; round < 20; round++) {
        Fixture f = open_fixture(1 + round % 3, false);
        FiloAsset red = filo_assets_load(f.assets, "red.png");
        FiloAsset made = filo_assets_add_pixels(f.assets, "red.png", &blue);
        assert_int_equal(made.id, red.id);
        filo_assets_wait_all(f.assets);
        assert_color(first_pixel(f.assets, red), 0, 0, 255, 255);
        assert_int_equal(filo_asset_version(f.assets, red), 1);
        close_fixture(&f);
    }
    filo_pixels_free(&blue, NULL);
}

// ---- Events ---------------------------------------------------------------------------------------------

typedef struct Heard {
    int ready, failed, reloaded;
    FiloAssetEvent last;
} Heard;

static void hear(const FiloEvent *event, void *user) {
    Heard *heard = user;
    heard->ready += strcmp(filo_name_text(event->name), FILO_EVENT_ASSET_READY) == 0;
    heard->failed += strcmp(filo_name_text(event->name), FILO_EVENT_ASSET_FAILED) == 0;
    heard->reloaded += strcmp(filo_name_text(event->name), FILO_EVENT_ASSET_RELOADED) == 0;
    heard->last = *(const FiloAssetEvent *)event->payload;
}

FILO_TEST(events_report_ready_failed_and_reloaded) {
    write_png("red.png", 2, 2, filo_color(255, 0, 0, 255));
    Fixture f = open_fixture(2, false);
    Heard heard = { 0 };
    static const char *const names[] = { FILO_EVENT_ASSET_READY, FILO_EVENT_ASSET_FAILED,
                                         FILO_EVENT_ASSET_RELOADED };
    for (int i = 0; i < 3; i++)
        assert_int_not_equal(
            filo_events_subscribe(f.events, &(FiloHandlerDesc){ .event = filo_name(names[i]),
                                                                .type = FILO_TYPE(FiloAssetEvent),
                                                                .function = hear,
                                                                .user = &heard })
                .generation,
            0);
    FiloAsset red = filo_assets_load(f.assets, "red.png");
    filo_assets_wait_all(f.assets);
    filo_events_deliver(f.events);
    assert_int_equal(heard.ready, 1);
    assert_int_equal(heard.last.asset, red.id);
    assert_string_equal(filo_name_text(heard.last.name), "red.png");
    assert_int_equal(heard.last.version, 1);
    FiloAsset none = filo_assets_load(f.assets, "none.png");
    filo_assets_wait_all(f.assets);
    filo_events_deliver(f.events);
    assert_int_equal(heard.failed, 1);
    assert_int_equal(heard.last.asset, none.id);
    FiloPixels pixels = ((const FiloImageAsset *)filo_asset_data(f.assets, red))->pixels;
    filo_assets_add_pixels(f.assets, "red.png", &pixels);
    filo_events_deliver(f.events);
    assert_int_equal(heard.reloaded, 1);
    assert_int_equal(heard.last.version, 2);
    assert_int_equal(heard.ready, 1);
    close_fixture(&f);
}

// ---- Threads --------------------------------------------------------------------------------------------

typedef struct StateCounts {
    FiloAssets *assets;
    FiloAsset asset;
    size_t seen[4];
} StateCounts;

static void count_states(size_t begin, size_t end, void *user) {
    StateCounts *counts = user;
    for (size_t i = begin; i < end; i++) {
        FiloAssetState state = filo_asset_state(counts->assets, counts->asset);
        __atomic_add_fetch(&counts->seen[state], 1, __ATOMIC_RELAXED);
    }
}

FILO_TEST(any_thread_may_read_the_state_while_it_changes) {
    write_png("red.png", 32, 32, filo_color(255, 0, 0, 255));
    Fixture f = open_fixture(4, false);
    for (int round = 0; round < 20; round++) {
        StateCounts counts = { .assets = f.assets, .asset = filo_assets_load(f.assets, "red.png") };
        filo_jobs_for(f.jobs, 2000, count_states, &counts);
        assert_ok(filo_assets_wait(f.assets, counts.asset));
        filo_jobs_for(f.jobs, 100, count_states, &counts);
        assert_true(counts.seen[FILO_ASSET_READY] >= 100);
        assert_int_equal(counts.seen[FILO_ASSET_NONE] + counts.seen[FILO_ASSET_FAILED], 0);
        filo_assets_unload(f.assets, counts.asset);
        filo_assets_update(f.assets, 0);
        filo_jobs_for(f.jobs, 100, count_states, &counts);
        assert_int_equal(counts.seen[FILO_ASSET_NONE], 100);
    }
    close_fixture(&f);
}

// ---- Misuse ---------------------------------------------------------------------------------------------

static void update_elsewhere(FiloJob *job, void *data) {
    FILO_UNUSED(job);
    filo_assets_update(*(FiloAssets **)data, 0);
}

FILO_TEST(misuse_is_reported) {
    only_in_debug_builds();
    write_png("red.png", 2, 2, filo_color(255, 0, 0, 255));
    Fixture f = open_fixture(2, false);
    FiloAssets *none;
    expect_mistake("set jobs", filo_assets_create(&none, &(FiloAssetsDesc){ 0 }));
    assert_null(none);
    expect_fault("pass the name", filo_assets_load(f.assets, NULL));
    expect_fault("no assets of type \"wood\"", filo_assets_load_as(f.assets, "wood", "a.png"));
    FiloAsset red = filo_assets_load(f.assets, "red.png");
    expect_fault("\"red.png\" is an asset of type \"image\" already",
                 assert_int_equal(filo_assets_load_as(f.assets, "text", "red.png").id, 0));
    assert_int_equal(filo_asset_reference_count(f.assets, red), 1);
    filo_assets_unload(f.assets, red);
    expect_fault("not more often", filo_assets_unload(f.assets, red));
    filo_assets_wait_all(f.assets);
    filo_assets_update(f.assets, 0);
    expect_fault("not more often", filo_assets_unload(f.assets, red));
    expect_fault("has gone", assert_int_equal(filo_asset_retain(f.assets, red).id, 0));
    filo_assets_unload(f.assets, (FiloAsset){ 0 });
    expect_fault("for decoders", filo_assets_depend(f.assets, red, "red.png"));
    expect_fault("the data", filo_assets_add(f.assets, "image", "x", NULL));
    expect_fault("pass the pixels", filo_assets_add_pixels(f.assets, "x", &(FiloPixels){ 0 }));
    expect_fault("pass a group", filo_assets_group_load(f.assets, (FiloAssetGroup){ 7 }, "red.png"));
    FiloJob job;
    filo_job_init(&job, update_elsewhere, &f.assets, sizeof(FiloAssets *));
    filo_job_set_worker(&job, 1);
    expect_fault("on the main thread", (filo_jobs_run(f.jobs, &job), filo_jobs_wait(f.jobs, &job)));
    close_fixture(&f);
}

FILO_TEST(an_asset_can_be_loaded_as_another_type_than_its_extension_says) {
    write_text("data.png", "hello");
    Fixture f = open_fixture(2, false);
    FiloAsset text = filo_assets_load_as(f.assets, "text", "data.png");
    assert_ok(filo_assets_wait(f.assets, text));
    const FiloJsonAsset *data = filo_asset_data(f.assets, text);
    assert_string_equal(data->text, "hello");
    assert_string_equal(filo_asset_type(f.assets, text), "text");
    close_fixture(&f);
}

FILO_TEST(the_folder_is_absolute) {
    Fixture f = open_fixture(1, false);
    assert_string_equal(filo_assets_folder(f.assets), filo_test_folder());
    assert_ptr_equal(filo_assets_jobs(f.assets), f.jobs);
    FiloAssets *other;
    assert_ok(filo_assets_create(&other, &(FiloAssetsDesc){ .jobs = f.jobs }));
    assert_int_equal(filo_assets_folder(other)[0], '/');
    assert_string_equal(filo_path_name(filo_assets_folder(other)), "assets");
    FiloAsset none = filo_assets_load(other, "none.png");
    assert_error(filo_assets_wait(other, none), FILO_ERROR_NOT_FOUND, filo_assets_folder(other));
    assert_contains(filo_asset_error(other, none)->message, "no folder \"assets\" beside the program");
    filo_assets_destroy(other);
    filo_assets_destroy(NULL);
    close_fixture(&f);
}
