// Commands to a running game: they act at once, and a recording has them.

#include "drifter.h"

static float mass_of(const FiloApp *app) {
    return filo_get(filo_app_world(app), first_of(app), Drifter)->mass;
}

FILO_TEST(a_command_acts_at_once_in_a_pause_too) {
    FiloApp *app = start_drifters(&headless);
    frames(app, 3);
    filo_app_pause(app, true);
    frames(app, 2);
    FiloCommand command = set_mass(app, "7.5");
    assert_ok(filo_app_command(app, &command, NULL));
    assert_true(mass_of(app) == 7.5f);
    command = set_mass(app, "heavy");
    assert_error(filo_app_command(app, &command, NULL), FILO_ERROR_DATA, "Drifter.mass: ");
    assert_true(mass_of(app) == 7.5f);
    FiloEntity made;
    assert_ok(filo_app_command(
        app, &(FiloCommand){ .kind = FILO_COMMAND_CREATE, .component = filo_name("Drifter") }, &made));
    assert_true(filo_has(filo_app_world(app), made, Drifter));
    filo_app_destroy(app);
}

// Edits a running game in every way, while it runs and in a pause.
static void edit(FiloApp *app, bool also_at_the_end) {
    frames(app, 5);
    FiloCommand command = set_mass(app, "3.25");
    assert_ok(filo_app_command(app, &command, NULL));
    frames(app, 7);
    filo_app_pause(app, true);
    frames(app, 3);
    FiloEntity made;
    FiloCommand create = { .kind = FILO_COMMAND_CREATE,
                           .component = filo_name("Drifter"),
                           .other = first_of(app),
                           .value = "new \"one\"" };
    assert_ok(filo_app_command(app, &create, &made));
    frames(app, 1);
    assert_ok(filo_app_command(app,
                               &(FiloCommand){ .kind = FILO_COMMAND_SET,
                                               .entity = made,
                                               .component = filo_name("Drifter"),
                                               .path = filo_name("velocity"),
                                               .value = "{\"x\": 2, \"y\": 3}" },
                               NULL));
    filo_app_step(app);
    frames(app, 2);
    filo_app_pause(app, false);
    assert_ok(filo_app_command(
        app, &(FiloCommand){ .kind = FILO_COMMAND_SYSTEM, .path = filo_name("bear"), .value = "false" },
        NULL));
    frames(app, 30);
    if (!also_at_the_end) return;
    command = set_mass(app, "9");
    assert_ok(filo_app_command(app, &command, NULL));
}

static void record_and_replay(const char *path, bool also_at_the_end) {
    FiloCommonArgs args = headless;
    args.record = path;
    FiloApp *app = start_drifters(&args);
    edit(app, also_at_the_end);
    uint64_t hash = hash_of(app);
    size_t entities = filo_world_stats(filo_app_world(app)).entities;
    assert_ok(filo_app_finish(app));
    filo_app_destroy(app);
    for (int threads = 1; threads <= 4; threads *= 2) {
        args = (FiloCommonArgs){
            .headless = true, .backend = FILO_BACKEND_NULL, .threads = threads, .replay = path
        };
        app = start_drifters(&args);
        while (filo_app_frame(app)) {}
        assert_int_equal(filo_world_stats(filo_app_world(app)).entities, entities);
        if (!also_at_the_end) assert_int_equal(hash_of(app), hash);
        assert_ok(filo_app_finish(app)); // which compares the hash of the recording
        filo_app_destroy(app);
    }
}

FILO_TEST(an_edited_game_replays_to_the_same_hash) {
    record_and_replay(filo_test_path("edited.input"), false);
}

FILO_TEST(a_command_after_the_last_tick_is_in_no_recording) {
    record_and_replay(filo_test_path("late.input"), true);
}

FILO_TEST(a_replay_cannot_be_changed) {
    const char *path = filo_test_path("fixed.input");
    FiloCommonArgs args = headless;
    args.record = path;
    FiloApp *app = start_drifters(&args);
    frames(app, 20);
    assert_ok(filo_app_finish(app));
    filo_app_destroy(app);
    args.record = NULL, args.replay = path;
    app = start_drifters(&args);
    frames(app, 4);
    FiloCommand command = set_mass(app, "4");
    assert_error(filo_app_command(app, &command, NULL), FILO_ERROR_BUSY,
                 "a replay cannot be changed: it repeats what was recorded");
    while (filo_app_frame(app)) {}
    assert_ok(filo_app_finish(app));
    filo_app_destroy(app);
}

static void record_command(const char *path, const char *text) {
    FiloInputRecorder *recorder;
    assert_ok(filo_input_recorder_create(&recorder, path,
                                         &(FiloInputLogHead){ .game = "drifters", .tick_seconds = tick }));
    assert_ok(filo_input_recorder_message(
        recorder, &(FiloInputMessage){ filo_name(FILO_EVENT_COMMAND), filo_string(text) }));
    assert_ok(filo_input_recorder_add(recorder, (float)tick, &(FiloInput){ 0 }, NULL, 0));
    assert_ok(filo_input_recorder_finish(recorder, 0));
    filo_input_recorder_destroy(recorder);
}

FILO_TEST(a_recorded_command_that_does_not_fit_ends_the_replay_with_an_error) {
    hush();
    const char *const texts[] = {
        "",
        "{",
        "{\"kind\": \"fly\"}",
        "{\"kind\": \"set\", \"component\": \"Nothing\", \"path\": \"\", \"entity\": 0, \"other\": 0, "
        "\"value\": \"\"}",
        "{\"kind\": \"destroy\", \"component\": \"\", \"path\": \"\", \"entity\": 77, \"other\": 0, "
        "\"value\": \"\"}",
    };
    const char *path = filo_test_path("foreign.input");
    for (size_t i = 0; i < FILO_COUNT_OF(texts); i++) {
        record_command(path, texts[i]);
        FiloCommonArgs args = headless;
        args.replay = path;
        FiloApp *app = start_drifters(&args);
        while (filo_app_frame(app)) {}
        assert_contains(app->failure.message, "a command of the recording does not fit the game: ");
        filo_app_destroy(app);
    }
    assert_int_equal(filo_name_find(FILO_STRING("Nothing")).id, 0);
}

FILO_TEST(misuse_of_commands_is_reported) {
    FiloApp *app = start_drifters(&headless);
    FiloCommand command = set_mass(app, "1");
    expect_mistake("pass an app and a command", filo_app_command(NULL, &command, NULL));
    expect_mistake("pass an app and a command", filo_app_command(app, NULL, NULL));
    expect_fault("use filo_app_command",
                 assert_false(filo_app_send(app, filo_name(FILO_EVENT_COMMAND), NULL, NULL)));
    app->drawing = true;
    expect_mistake("between ticks", filo_app_command(app, &command, NULL));
    app->drawing = false;
    filo_app_destroy(app);
}
