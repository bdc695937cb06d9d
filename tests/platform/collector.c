#include <filo/input.h>

#include "support/test.h"

static FiloInputCollector collector;

static void begin(void) { collector = (FiloInputCollector){ 0 }; }

static void key(FiloKey key, bool down) {
    filo_input_collect(&collector,
                       &(FiloInputChange){ .kind = FILO_INPUT_KEY, .key = (int32_t)key, .down = down });
}

static void pad(int number, bool connected) {
    filo_input_collect(&collector,
                       &(FiloInputChange){ .kind = FILO_INPUT_PAD, .pad = number, .down = connected });
}

static void pad_key(int number, FiloKey button, bool down) {
    filo_input_collect(&collector,
                       &(FiloInputChange){
                           .kind = FILO_INPUT_PAD_KEY, .pad = number, .key = (int32_t)button, .down = down });
}

static void pad_axis(int number, FiloPadAxis axis, float value) {
    filo_input_collect(
        &collector, &(FiloInputChange){
                        .kind = FILO_INPUT_PAD_AXIS, .pad = number, .axis = (int32_t)axis, .value = value });
}

static void typed(const char *text) {
    FiloInputChange change = { .kind = FILO_INPUT_TYPED };
    memcpy(change.text, text, FILO_MIN(strlen(text) + 1, sizeof change.text));
    filo_input_collect(&collector, &change);
}

static void collect_kind(FiloInputChangeKind kind, bool down) {
    filo_input_collect(&collector, &(FiloInputChange){ .kind = kind, .down = down });
}

static FiloInput take(void) {
    FiloInput input;
    memset(&input, 0xAA, sizeof input); // filo_input_take must fill all of it
    filo_input_take(&collector, NULL, &input);
    return input;
}

static void assert_key(const FiloInput *input, FiloKey which, bool down, bool pressed, bool released) {
    assert_int_equal(filo_input_down(input, which), down);
    assert_int_equal(filo_input_pressed(input, which), pressed);
    assert_int_equal(filo_input_released(input, which), released);
}

FILO_TEST(an_edge_is_seen_by_exactly_one_take) {
    begin();
    key(FILO_KEY_SPACE, true);
    FiloInput input = take();
    assert_key(&input, FILO_KEY_SPACE, true, true, false);
    input = take();
    assert_key(&input, FILO_KEY_SPACE, true, false, false);
    key(FILO_KEY_SPACE, false);
    input = take();
    assert_key(&input, FILO_KEY_SPACE, false, false, true);
    input = take();
    assert_key(&input, FILO_KEY_SPACE, false, false, false);
}

FILO_TEST(a_key_tapped_between_two_takes_is_pressed_and_released_and_not_down) {
    begin();
    key(FILO_MOUSE_LEFT, true);
    key(FILO_MOUSE_LEFT, false);
    FiloInput input = take();
    assert_key(&input, FILO_MOUSE_LEFT, false, true, true);
    input = take();
    assert_key(&input, FILO_MOUSE_LEFT, false, false, false);
}

FILO_TEST(a_key_released_and_pressed_between_two_takes_has_both_edges_and_is_down) {
    begin();
    key(FILO_KEY_A, true);
    take();
    key(FILO_KEY_A, false);
    key(FILO_KEY_A, true);
    FiloInput input = take();
    assert_key(&input, FILO_KEY_A, true, true, true);
}

FILO_TEST(a_repeated_press_and_a_release_of_what_is_up_are_no_edges) {
    begin();
    key(FILO_KEY_A, true);
    take();
    key(FILO_KEY_A, true);
    key(FILO_KEY_B, false);
    FiloInput input = take();
    assert_key(&input, FILO_KEY_A, true, false, false);
    assert_key(&input, FILO_KEY_B, false, false, false);
}

FILO_TEST(keys_do_not_affect_their_neighbours) {
    begin();
    for (int i = FILO_KEY_A; i < FILO_KEY_COUNT; i++) {
        key((FiloKey)i, true);
        FiloInput input = take();
        for (int j = 0; j < FILO_KEY_COUNT; j++) assert_key(&input, (FiloKey)j, i == j, i == j, false);
        key((FiloKey)i, false);
        take();
    }
}

FILO_TEST(losing_the_focus_releases_everything) {
    begin();
    collect_kind(FILO_INPUT_FOCUS, true);
    key(FILO_KEY_W, true);
    pad(1, true);
    pad_key(1, FILO_PAD_X, true);
    pad_axis(1, FILO_AXIS_LEFT_X, 1);
    assert_true(take().focused);
    collect_kind(FILO_INPUT_FOCUS, false);
    FiloInput input = take();
    assert_false(input.focused);
    assert_key(&input, FILO_KEY_W, false, false, true);
    assert_key(&input, FILO_PAD_X, false, false, true);
    assert_int_equal(input.pads[1].down, 0);
    assert_int_equal(input.pads[1].released, 1u << (FILO_PAD_X - FILO_PAD_A));
    assert_true(input.pads[1].connected);
    assert_true(filo_gamepad_axis(&input, 1, FILO_AXIS_LEFT_X) == 0);
}

FILO_TEST(movement_wheel_and_text_add_up_until_they_are_taken) {
    begin();
    for (int i = 0; i < 3; i++) {
        filo_input_collect(&collector, &(FiloInputChange){ .kind = FILO_INPUT_MOUSE,
                                                           .position = { 10.0f * (float)i, 5 },
                                                           .move = { 2, -1 } });
        filo_input_collect(&collector, &(FiloInputChange){ .kind = FILO_INPUT_WHEEL, .move = { 0.5f, 1 } });
    }
    typed("pö"), typed("lz");
    FiloInput input = take();
    assert_true(input.mouse.x == 20 && input.mouse.y == 5);
    assert_true(input.mouse_move.x == 6 && input.mouse_move.y == -3);
    assert_true(input.wheel.x == 1.5f && input.wheel.y == 3);
    assert_string_equal(input.text, "pölz");
    input = take();
    assert_true(input.mouse.x == 20); // the position stays
    assert_true(input.mouse_move.x == 0 && input.wheel.y == 0);
    assert_string_equal(input.text, "");
}

FILO_TEST(text_is_cut_between_characters) {
    begin();
    for (int i = 0; i < 40; i++) typed("ü");
    FiloInput input = take();
    assert_int_equal(strlen(input.text), 62);
    assert_true(filo_utf8_valid(filo_string(input.text)));
    for (int i = 0; i < 100; i++) typed("a");
    assert_int_equal(strlen(take().text), 63);
}

FILO_TEST(text_without_an_end_is_read_no_farther_than_it_is_long) {
    begin();
    FiloInputChange change = { .kind = FILO_INPUT_TYPED };
    memset(change.text, 'x', sizeof change.text);
    filo_input_collect(&collector, &change);
    assert_int_equal(strlen(take().text), 63);
}

FILO_TEST(view_capture_and_focus_stay_and_quit_is_seen_once) {
    begin();
    filo_input_collect(&collector, &(FiloInputChange){ .kind = FILO_INPUT_VIEW, .position = { 640, 480 } });
    collect_kind(FILO_INPUT_CAPTURE, true);
    collect_kind(FILO_INPUT_FOCUS, true);
    collect_kind(FILO_INPUT_QUIT, false);
    assert_true(collector.now.quit);
    FiloInput input = take();
    assert_true(input.quit && input.mouse_captured && input.focused);
    input = take();
    assert_false(input.quit);
    assert_true(input.mouse_captured && input.focused);
    assert_true(input.view.x == 640 && input.view.y == 480);
    collect_kind(FILO_INPUT_CAPTURE, false);
    assert_false(take().mouse_captured);
}

FILO_TEST(a_button_of_any_gamepad_is_down_while_one_has_it_down) {
    begin();
    pad(0, true), pad(2, true);
    pad_key(0, FILO_PAD_A, true);
    FiloInput input = take();
    assert_key(&input, FILO_PAD_A, true, true, false);
    assert_true(filo_gamepad_down(&input, 0, FILO_PAD_A) && filo_gamepad_pressed(&input, 0, FILO_PAD_A));
    assert_false(filo_gamepad_down(&input, 2, FILO_PAD_A));
    pad_key(2, FILO_PAD_A, true);
    pad_key(0, FILO_PAD_A, false);
    input = take();
    assert_key(&input, FILO_PAD_A, true, false, false);
    assert_true(filo_gamepad_pressed(&input, 2, FILO_PAD_A));
    assert_int_equal(input.pads[0].released, 1);
    pad_key(2, FILO_PAD_A, false);
    input = take();
    assert_key(&input, FILO_PAD_A, false, false, true);
}

FILO_TEST(a_gamepad_that_is_disconnected_releases_its_buttons) {
    begin();
    pad(3, true);
    pad_key(3, FILO_PAD_RIGHT, true);
    pad_axis(3, FILO_AXIS_RIGHT_TRIGGER, 1);
    take();
    pad(3, false);
    FiloInput input = take();
    assert_false(input.pads[3].connected);
    assert_key(&input, FILO_PAD_RIGHT, false, false, true);
    assert_true(filo_gamepad_axis(&input, 3, FILO_AXIS_RIGHT_TRIGGER) == 0);
}

FILO_TEST(small_axis_values_are_cut_off_and_the_rest_reaches_from_0_to_1) {
    begin();
    const struct {
        float raw, seen;
    } cases[] = { { 0, 0 },    { 0.15f, 0 },     { -0.15f, 0 },      { 1, 1 },   { -1, -1 },
                  { 1.5f, 1 }, { 0.575f, 0.5f }, { -0.575f, -0.5f }, { -9, -1 }, { __builtin_nanf(""), 0 } };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        pad_axis(0, FILO_AXIS_LEFT_Y, cases[i].raw);
        FiloInput input = take();
        assert_float_equal(filo_gamepad_axis(&input, 0, FILO_AXIS_LEFT_Y), cases[i].seen, 1e-6f);
    }
    pad_axis(0, FILO_AXIS_LEFT_TRIGGER, -1);
    FiloInput input = take();
    assert_true(filo_gamepad_axis(&input, 0, FILO_AXIS_LEFT_TRIGGER) == 0);
}

FILO_TEST(move_joins_keys_pads_and_sticks_and_is_never_longer_than_1) {
    begin();
    FiloInput input = take();
    assert_true(filo_input_move(&input).x == 0 && filo_input_move(&input).y == 0);
    key(FILO_KEY_W, true);
    input = take();
    assert_true(filo_input_move(&input).y == 1);
    key(FILO_KEY_RIGHT, true), key(FILO_KEY_D, true);
    input = take();
    FiloVec2 move = filo_input_move(&input);
    assert_float_equal(move.x, 0.70710678f, 1e-6f);
    assert_float_equal(move.y, 0.70710678f, 1e-6f);
    key(FILO_KEY_W, false), key(FILO_KEY_D, false), key(FILO_KEY_RIGHT, false);
    pad_key(1, FILO_PAD_DOWN, true);
    input = take();
    assert_true(filo_input_move(&input).y == -1);
    pad_key(1, FILO_PAD_DOWN, false);
    pad_axis(2, FILO_AXIS_LEFT_X, -0.575f);
    input = take();
    assert_float_equal(filo_input_move(&input).x, -0.5f, 1e-6f);
}

FILO_TEST(an_axis_of_two_keys_is_minus_one_zero_or_one) {
    begin();
    key(FILO_KEY_A, true);
    FiloInput input = take();
    assert_true(filo_input_axis(&input, FILO_KEY_A, FILO_KEY_D) == -1);
    key(FILO_KEY_D, true);
    input = take();
    assert_true(filo_input_axis(&input, FILO_KEY_A, FILO_KEY_D) == 0);
}

FILO_TEST(every_key_with_a_name_is_found_by_it) {
    begin();
    int named = 0;
    for (int i = -1; i <= FILO_KEY_COUNT; i++) {
        const char *name = filo_key_name((FiloKey)i);
        if (strcmp(name, "None") == 0) continue;
        named++;
        assert_int_equal(filo_key_named(name), i);
    }
    assert_int_equal(named, 97 + 8 + 5 + 15); // usages, modifiers, mouse, gamepad
    assert_int_equal(filo_key_named("SPACE"), FILO_KEY_SPACE);
    assert_int_equal(filo_key_named("left mouse"), FILO_MOUSE_LEFT);
    assert_int_equal(filo_key_named("None"), FILO_KEY_NONE);
    assert_int_equal(filo_key_named(""), FILO_KEY_NONE);
    assert_int_equal(filo_key_named(NULL), FILO_KEY_NONE);
    for (int i = 0; i < FILO_AXIS_COUNT; i++)
        assert_int_equal(filo_pad_axis_named(filo_pad_axis_name((FiloPadAxis)i)), i);
    assert_int_equal(filo_pad_axis_named("Sideways"), FILO_AXIS_COUNT);
    assert_string_equal(filo_pad_axis_name(FILO_AXIS_COUNT), "None");
}

FILO_TEST(mistakes_are_named_and_change_nothing) {
    only_in_debug_builds();
    begin();
    FiloInputCollector before = collector;
    expect_fault("a change of input: pass a FiloKey; 288 is none", key(FILO_KEY_COUNT, true));
    expect_fault("pass a FiloKey; 0 is none", key(FILO_KEY_NONE, true));
    expect_fault("pass the number of a gamepad, 0 to 3; it was 4", pad(4, true));
    expect_fault("it was -1", pad_key(-1, FILO_PAD_A, true));
    expect_fault("pass a button of a gamepad", pad_key(0, FILO_KEY_A, true));
    expect_fault("pass a FiloPadAxis", pad_axis(0, FILO_AXIS_COUNT, 1));
    expect_fault("pass a FiloInputChangeKind", collect_kind((FiloInputChangeKind)77, true));
    expect_fault("pass a collector", assert_false(filo_input_collect(NULL, NULL)));
    // Also numbers that its kind does not use: they would reach handlers and recordings.
    FiloInputChange wheel = { .kind = FILO_INPUT_WHEEL, .move = { 0, 1 }, .pad = 9 };
    expect_fault("it was 9", assert_false(filo_input_collect(&collector, &wheel)));
    wheel = (FiloInputChange){ .kind = FILO_INPUT_WHEEL, .axis = FILO_AXIS_COUNT };
    expect_fault("pass a FiloPadAxis; 6 is none", assert_false(filo_input_collect(&collector, &wheel)));
    wheel = (FiloInputChange){ .kind = FILO_INPUT_WHEEL, .key = -1 };
    expect_fault("pass a FiloKey; -1 is none", assert_false(filo_input_collect(&collector, &wheel)));
    expect_fault("pass a collector, and an input", filo_input_take(&collector, NULL, NULL));
    assert_memory_equal(&before, &collector, sizeof before);

    FiloInput input = take();
    expect_fault("pass the number of a gamepad", assert_false(filo_gamepad_down(&input, 4, FILO_PAD_A)));
    expect_fault("pass a button of a gamepad", assert_false(filo_gamepad_pressed(&input, 0, FILO_KEY_A)));
    expect_fault("pass a FiloPadAxis", assert_true(filo_gamepad_axis(&input, 0, (FiloPadAxis)9) == 0));
}
