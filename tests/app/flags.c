// A game's own flags as text, for recordings.

#include "stage.h"

static const char *map;
static bool fast;
static const FiloFlag flags[] = { { "map", NULL, .string = &map }, { "fast", NULL, .on = &fast } };
static const FiloAppDesc game = { .name = "test", .flags = flags, .flag_count = FILO_COUNT_OF(flags) };

FILO_TEST(flags_are_printed_as_words_of_a_command_line_if_they_are_not_as_before) {
    char text[FILO_INPUT_FLAGS];
    AppFlags before;
    map = "sea", fast = false;
    assert_ok(app_flags_collect(&before, &game, NULL));
    assert_ok(app_flags_print(&before, text));
    assert_string_equal(text, "");
    fast = true;
    assert_ok(app_flags_print(&before, text));
    assert_string_equal(text, "--fast\n");
    map = "moon";
    assert_ok(app_flags_print(&before, text));
    assert_string_equal(text, "--map=moon\n--fast\n");
    map = "sea";
    assert_ok(app_flags_collect(&before, &game, NULL));
    fast = false;
    assert_ok(app_flags_print(&before, text));
    assert_string_equal(text, "--no-fast\n");
}

FILO_TEST(flags_that_cannot_be_recorded_are_refused) {
    char text[FILO_INPUT_FLAGS], name[2 * FILO_INPUT_FLAGS];
    AppFlags before;
    map = "sea", fast = false;
    assert_ok(app_flags_collect(&before, &game, NULL));
    map = "two\nlines";
    assert_error(app_flags_print(&before, text), FILO_ERROR_LIMIT, "--map: this cannot be recorded");
    for (size_t length = FILO_INPUT_FLAGS - 30; length < sizeof name; length++) {
        memset(name, 'x', length);
        name[length] = '\0';
        map = name, fast = true;
        bool fits = strlen("--map=\n--fast\n") + length < FILO_INPUT_FLAGS;
        assert_int_equal(app_flags_print(&before, text).code, fits ? FILO_OK : FILO_ERROR_LIMIT);
    }
}

FILO_TEST(a_recording_of_another_game_is_still_named_as_such) {
    hush();
    FiloInputRecorder *recorder;
    const FiloInputLogHead head = { .game = "chess", .tick_seconds = 1, .flags = "--queens=2\n" };
    assert_ok(filo_input_recorder_create(&recorder, filo_test_path("input"), &head));
    assert_ok(filo_input_recorder_finish(recorder, 0));
    filo_input_recorder_destroy(recorder);
    AppFlags before;
    assert_ok(app_flags_collect(&before, &game, NULL));
    assert_ok(app_flags_apply_recording(&before, "test", filo_test_path("input")));
    assert_error(app_flags_apply_recording(&before, "chess", filo_test_path("input")), FILO_ERROR_DATA,
                 "played with flags that this game does not have");
}
