// The input of several ticks as one: each press is seen by exactly one look.

#include <filo/input.h>

#include "support/test.h"

static FiloInputCollector collector;
static FiloInputSummary summary;

static void begin(void) {
    collector = (FiloInputCollector){ 0 };
    summary = (FiloInputSummary){ 0 };
}

static void collect(FiloInputChange change) { assert_true(filo_input_collect(&collector, &change)); }

static void key(FiloKey key, bool down) {
    collect((FiloInputChange){ .kind = FILO_INPUT_KEY, .key = (int32_t)key, .down = down });
}

static void type(const char *text) {
    FiloInputChange change = { .kind = FILO_INPUT_TYPED };
    filo_string_copy(filo_string(text), change.text, sizeof change.text);
    collect(change);
}

static void tick_with(const FiloActions *actions) {
    FiloInput input;
    filo_input_take(&collector, actions, &input);
    filo_input_summary_add(&summary, &input);
}

static void tick(void) { tick_with(NULL); }

static const FiloInput *look(void) { return filo_input_summary_look(&summary); }

static void assert_key(const FiloInput *input, FiloKey which, bool down, bool pressed, bool released) {
    assert_int_equal(filo_input_down(input, which), down);
    assert_int_equal(filo_input_pressed(input, which), pressed);
    assert_int_equal(filo_input_released(input, which), released);
}

FILO_TEST(a_press_is_seen_by_one_look_however_many_ticks_there_are) {
    begin();
    key(FILO_KEY_SPACE, true);
    for (int i = 0; i < 3; i++) tick(); // only the first of them sees it
    assert_key(look(), FILO_KEY_SPACE, true, true, false);
    tick();
    assert_key(look(), FILO_KEY_SPACE, true, false, false);
}

FILO_TEST(a_look_without_a_tick_before_it_shows_the_state_and_nothing_new) {
    begin();
    key(FILO_KEY_SPACE, true);
    collect((FiloInputChange){ .kind = FILO_INPUT_MOUSE, .position = { 7, 8 }, .move = { 1, 2 } });
    tick();
    assert_key(look(), FILO_KEY_SPACE, true, true, false);
    for (int i = 0; i < 2; i++) {
        const FiloInput *input = look();
        assert_key(input, FILO_KEY_SPACE, true, false, false);
        assert_true(input->mouse.x == 7 && input->mouse_move.x == 0);
    }
}

FILO_TEST(what_a_look_has_seen_is_shown_until_the_next_tick) {
    begin();
    key(FILO_KEY_SPACE, true);
    tick();
    assert_key(look(), FILO_KEY_SPACE, true, true, false);
    assert_key(&summary.input, FILO_KEY_SPACE, true, true, false);
    tick();
    assert_key(&summary.input, FILO_KEY_SPACE, true, false, false);
}

FILO_TEST(a_look_before_the_first_tick_is_all_zero) {
    begin();
    static const FiloInput nothing;
    assert_memory_equal(look(), &nothing, sizeof nothing);
}

FILO_TEST(a_key_that_goes_down_in_one_tick_and_up_in_the_next_has_both_edges) {
    begin();
    key(FILO_KEY_A, true);
    tick();
    key(FILO_KEY_A, false);
    tick();
    assert_key(look(), FILO_KEY_A, false, true, true);
}

FILO_TEST(movement_wheel_and_the_wish_to_quit_add_up) {
    begin();
    collect((FiloInputChange){ .kind = FILO_INPUT_MOUSE, .position = { 1, 1 }, .move = { 1, 2 } });
    collect((FiloInputChange){ .kind = FILO_INPUT_WHEEL, .move = { 0, 1 } });
    collect((FiloInputChange){ .kind = FILO_INPUT_QUIT });
    tick();
    collect((FiloInputChange){ .kind = FILO_INPUT_MOUSE, .position = { 4, 5 }, .move = { 3, 4 } });
    collect((FiloInputChange){ .kind = FILO_INPUT_WHEEL, .move = { 2, 1 } });
    tick();
    const FiloInput *input = look();
    assert_true(input->mouse.x == 4 && input->mouse.y == 5); // the last position
    assert_true(input->mouse_move.x == 4 && input->mouse_move.y == 6);
    assert_true(input->wheel.x == 2 && input->wheel.y == 2);
    assert_true(input->quit);
    assert_false(look()->quit);
}

FILO_TEST(texts_follow_each_other_and_are_cut_at_a_character) {
    begin();
    type("Grü");
    tick();
    type("ße");
    tick();
    assert_string_equal(look()->text, "Grüße");
    char longest[FILO_INPUT_TEXT];
    memset(longest, 'x', sizeof longest - 2); // one byte is left
    longest[sizeof longest - 2] = '\0';
    tick();
    (void)look();
    type(longest);
    tick();
    type("é");
    tick();
    type("y");
    tick();
    const FiloInput *input = look();
    assert_int_equal(strlen(input->text), sizeof longest - 1);
    assert_memory_equal(input->text, longest, sizeof longest - 2);
    assert_int_equal(input->text[sizeof longest - 2], 'y');
}

FILO_TEST(gamepads_sum_up_edges_and_have_the_last_values_of_axes) {
    begin();
    collect((FiloInputChange){ .kind = FILO_INPUT_PAD, .pad = 1, .down = true });
    collect((FiloInputChange){ .kind = FILO_INPUT_PAD_KEY, .pad = 1, .key = FILO_PAD_A, .down = true });
    collect((FiloInputChange){ .kind = FILO_INPUT_PAD_AXIS, .pad = 1, .axis = FILO_AXIS_LEFT_X, .value = 1 });
    tick();
    collect((FiloInputChange){ .kind = FILO_INPUT_PAD_KEY, .pad = 1, .key = FILO_PAD_A });
    collect(
        (FiloInputChange){ .kind = FILO_INPUT_PAD_AXIS, .pad = 1, .axis = FILO_AXIS_LEFT_X, .value = -1 });
    tick();
    const FiloInput *input = look();
    assert_true(filo_gamepad_pressed(input, 1, FILO_PAD_A));
    assert_false(filo_gamepad_down(input, 1, FILO_PAD_A));
    assert_true(filo_gamepad_axis(input, 1, FILO_AXIS_LEFT_X) == -1);
    assert_int_equal(input->pads[1].released, 1);
    assert_key(input, FILO_PAD_A, false, true, true);
    input = look();
    assert_int_equal(input->pads[1].pressed | input->pads[1].released, 0);
}

FILO_TEST(actions_sum_up_edges_and_have_the_last_value) {
    begin();
    FiloActions *actions;
    assert_ok(filo_actions_create(&actions, NULL));
    assert_ok(filo_actions_add(
        actions, &(FiloActionDesc){ .name = "fire", .bindings = { FILO_BIND(FILO_KEY_SPACE) } }));
    FiloName fire = filo_name("fire");
    key(FILO_KEY_SPACE, true);
    tick_with(actions);
    key(FILO_KEY_SPACE, false);
    tick_with(actions);
    FiloActionState action = filo_action(look(), fire);
    assert_true(action.pressed && action.released && !action.down && action.value == 0);
    action = filo_action(look(), fire);
    assert_false(action.pressed || action.released);
    // Actions that were added in between do not get the edges of others.
    key(FILO_KEY_SPACE, true);
    tick_with(actions);
    FiloInput other = summary.input;
    other.actions[0] = (FiloActionState){ .name = filo_name("jump") };
    filo_input_summary_add(&summary, &other);
    assert_false(filo_action(look(), filo_name("jump")).pressed);
    filo_actions_destroy(actions);
}

FILO_TEST(misuse_of_a_summary_is_reported) {
    begin();
    expect_fault("pass a summary and the input of a tick", filo_input_summary_add(&summary, NULL));
    expect_fault("pass a summary and the input of a tick", filo_input_summary_add(NULL, &summary.input));
    static const FiloInput nothing;
    expect_fault("pass a summary to look at",
                 assert_memory_equal(filo_input_summary_look(NULL), &nothing, sizeof nothing));
    assert_false(summary.seen);
}
