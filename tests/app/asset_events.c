// Events of assets, whose time depends on the disk, and the state of the world.

#include "stage.h"
#include "support/asset_files.h"

static int heard;

static void hear(const FiloEvent *event, void *user) {
    (void)user;
    if (((const FiloAssetEvent *)event->payload)->name.id == filo_name("late.png").id) heard++;
}

static FiloResult create(FiloApp *app) {
    filo_create(filo_app_world(app), FILO_SET(FiloTransform2, .position = { 3, 4 }));
    filo_events_subscribe(filo_app_events(app),
                          &(FiloHandlerDesc){ .event = filo_name(FILO_EVENT_ASSET_READY),
                                              .type = FILO_TYPE(FiloAssetEvent),
                                              .function = hear });
    return filo_ok();
}

static FiloApp *start_with_file(void) {
    heard = 0;
    write_png("late.png", 2, 2, FILO_COLOR_RED);
    return start(&(FiloAppDesc){ .name = "late", .asset_folder = filo_test_folder(), .create = create },
                 &headless);
}

static void read_file(FiloApp *app) {
    FiloAssets *assets = filo_app_assets(app);
    assert_ok(filo_assets_wait(assets, filo_assets_load(assets, "late.png")));
}

// The hash after 3 ticks. The file is read before the tick `when`, or after all of them.
static uint64_t hash_after_ticks(int when) {
    FiloApp *app = start_with_file();
    for (int i = 0; i < 3; i++) {
        if (i == when) read_file(app);
        assert_true(filo_app_frame(app));
    }
    if (when == 3) read_file(app);
    uint64_t hash = filo_world_hash(filo_app_world(app));
    assert_int_equal(heard, when < 3);
    assert_true(filo_app_frame(app));
    assert_int_equal(heard, 1);
    assert_ok(filo_app_finish(app));
    filo_app_destroy(app);
    return hash;
}

FILO_TEST(the_hash_of_a_tick_does_not_depend_on_when_a_file_was_read) {
    uint64_t hash = hash_after_ticks(0);
    for (int when = 1; when <= 3; when++) assert_true(hash_after_ticks(when) == hash);
}

FILO_TEST(restoring_a_state_keeps_what_was_read_since) {
    FiloApp *app = start_with_file();
    FiloWorld *world = filo_app_world(app);
    FiloSnapshot *before = filo_snapshot_create(NULL), *after = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(before, world));
    read_file(app);
    assert_ok(filo_snapshot_take(after, world));
    assert_ok(filo_snapshot_restore(before, world));
    assert_true(filo_app_frame(app));
    assert_int_equal(heard, 1);
    assert_ok(filo_snapshot_restore(after, world)); // the file is not read again
    assert_true(filo_app_frame(app));
    assert_int_equal(heard, 1);
    filo_snapshot_destroy(before);
    filo_snapshot_destroy(after);
    assert_ok(filo_app_finish(app));
    filo_app_destroy(app);
}
