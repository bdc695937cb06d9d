// The flags of a game and its modules, as text for recordings.

#include "stage.h"

static const char *map;
static bool fast;
static const FiloFlag flags[] = { { "map", NULL, .string = &map }, { "fast", NULL, .on = &fast } };
static const FiloAppDesc game = { .name = "test", .flags = flags, .flag_count = FILO_COUNT_OF(flags) };

FILO_TEST(flags_that_differ_from_their_defaults_are_printed_as_a_command_line) {
    char text[FILO_INPUT_FLAGS];
    AppFlags collected;
    map = "sea", fast = false;
    assert_ok(app_flags_collect(&collected, &game, NULL));
    assert_ok(app_flags_print(&collected, text));
    assert_string_equal(text, "");
    fast = true;
    assert_ok(app_flags_print(&collected, text));
    assert_string_equal(text, "--fast\n");
    map = "moon";
    assert_ok(app_flags_print(&collected, text));
    assert_string_equal(text, "--map=moon\n--fast\n");
    map = "sea";
    assert_ok(app_flags_collect(&collected, &game, NULL));
    fast = false;
    assert_ok(app_flags_print(&collected, text));
    assert_string_equal(text, "--no-fast\n");
}

FILO_TEST(flags_that_cannot_be_recorded_are_refused) {
    char text[FILO_INPUT_FLAGS], name[2 * FILO_INPUT_FLAGS];
    AppFlags collected;
    map = "sea", fast = false;
    assert_ok(app_flags_collect(&collected, &game, NULL));
    map = "two\nlines";
    assert_error(app_flags_print(&collected, text), FILO_ERROR_LIMIT, "--map: this cannot be recorded");
    for (size_t length = FILO_INPUT_FLAGS - 30; length < sizeof name; length++) {
        memset(name, 'x', length);
        name[length] = '\0';
        map = name, fast = true;
        bool fits = strlen("--map=\n--fast\n") + length < FILO_INPUT_FLAGS;
        assert_int_equal(app_flags_print(&collected, text).code, fits ? FILO_OK : FILO_ERROR_LIMIT);
    }
}

FILO_TEST(the_flags_of_a_recording_of_another_game_are_ignored) {
    hush();
    FiloInputRecorder *recorder;
    const FiloInputLogHead head = { .game = "chess", .tick_seconds = 1, .flags = "--queens=2\n" };
    assert_ok(filo_input_recorder_create(&recorder, filo_test_path("input"), &head));
    assert_ok(filo_input_recorder_finish(recorder, 0));
    filo_input_recorder_destroy(recorder);
    AppFlags collected;
    assert_ok(app_flags_collect(&collected, &game, NULL));
    assert_ok(app_flags_apply_recording(&collected, "test", filo_test_path("input")));
    assert_error(app_flags_apply_recording(&collected, "chess", filo_test_path("input")), FILO_ERROR_DATA,
                 "played with flags that this game does not record");
}

// A recording of "test" with these flags, as anyone could write it.
static const char *forged(const char *words) {
    FiloInputRecorder *recorder;
    FiloInputLogHead head = { .game = "test", .tick_seconds = 1 };
    filo_string_copy(filo_string(words), head.flags, sizeof head.flags);
    const char *path = filo_test_path("forged");
    assert_ok(filo_input_recorder_create(&recorder, path, &head));
    assert_ok(filo_input_recorder_finish(recorder, 0));
    filo_input_recorder_destroy(recorder);
    return path;
}

FILO_TEST(a_recording_sets_no_flag_that_is_not_recorded) {
    hush();
    const char *sound = NULL, *level = NULL;
    const FiloFlag own[] = { { "level", NULL, .string = &level },
                             { "sound", NULL, .path = &sound, .unrecorded = true } };
    AppFlags collected;
    assert_ok(app_flags_collect(&collected, &(FiloAppDesc){ .flags = own, .flag_count = 2 }, NULL));
    assert_error(app_flags_apply_recording(&collected, "test", forged("--level=moon\n--sound=x.wav\n")),
                 FILO_ERROR_DATA, "played with flags that this game does not record: unknown flag --sound");
    assert_null(sound);
    assert_null(level);
}

FILO_TEST(a_recording_chooses_no_file_and_a_replay_says_which_flag_to_give_again) {
    hush();
    const char *save = NULL;
    int level = 1;
    const FiloFlag own[] = { { "level", NULL, .integer = &level }, { "save", NULL, .path = &save } };
    const FiloAppDesc desc = { .flags = own, .flag_count = 2 };
    char text[FILO_INPUT_FLAGS];
    AppFlags collected;
    assert_ok(app_flags_collect(&collected, &desc, NULL));
    level = 2, save = "old.sav";
    assert_ok(app_flags_print(&collected, text));
    assert_string_equal(text, "--level=2\n--save=old.sav\n");
    level = 1, save = NULL; // a replay without the flag
    assert_error(app_flags_apply_recording(&collected, "test", forged(text)), FILO_ERROR_DATA,
                 "was played with --save, which names a file, and no recording chooses a file: give --save "
                 "again");
    assert_null(save);
    save = "mine.sav"; // with it
    assert_ok(app_flags_apply_recording(&collected, "test", forged(text)));
    assert_string_equal(save, "mine.sav");
    assert_int_equal(level, 2);
}

FILO_TEST(unrecorded_flags_are_not_printed) {
    int level = 1;
    const char *file = NULL;
    const FiloFlag own_flags[] = { { "level", NULL, .integer = &level },
                                   { "sound", NULL, .string = &file, .unrecorded = true } };
    AppFlags collected;
    char text[FILO_INPUT_FLAGS];
    assert_ok(app_flags_collect(&collected, &(FiloAppDesc){ .flags = own_flags, .flag_count = 2 }, NULL));
    level = 2, file = "x.wav";
    assert_ok(app_flags_print(&collected, text));
    assert_string_equal(text, "--level=2\n");
}

FILO_TEST(more_flags_than_fit_are_refused) {
    bool on = false;
    FiloFlag many[FILO_ARGS_MAX_FLAGS];
    char names[FILO_ARGS_MAX_FLAGS][16];
    for (int i = 0; i < FILO_ARGS_MAX_FLAGS; i++) {
        snprintf(names[i], sizeof names[i], "f%d", i);
        many[i] = (FiloFlag){ names[i], NULL, .on = &on };
    }
    FiloModules *modules;
    assert_ok(filo_modules_create(&modules, NULL));
    const FiloFlag more[] = { { "more", NULL, .on = &on } };
    assert_ok(
        filo_modules_register(modules, &(FiloModuleDesc){ .name = "m", .flags = more, .flag_count = 1 }));
    AppFlags collected;
    const FiloAppDesc desc = { .flags = many, .flag_count = FILO_ARGS_MAX_FLAGS };
    assert_ok(app_flags_collect(&collected, &desc, NULL));
    assert_error(app_flags_collect(&collected, &desc, modules), FILO_ERROR_LIMIT,
                 "the game and its modules have 129 flags; 128 are possible");
    filo_modules_destroy(modules);
}
