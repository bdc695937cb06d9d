// What a click, a drag and a key do, and what the UI leaves to the game.

#include "stage.h"

static int clicks;
static float value;
static bool on, closed;
static char text[32];

static void show_panel(void) {
    if (filo_ui_begin_window(ui, "Panel", &(FiloUiWindow){ .position = { 100, 100 }, .size = { 300, 0 } })) {
        clicks += filo_ui_button(ui, "Press");
        mark(0);
        filo_ui_slider(ui, "Value", &value, 0, 10);
        mark(1);
        filo_ui_check(ui, "On", &on);
        mark(2);
        filo_ui_text_field(ui, "Text", text, sizeof text, NULL);
        mark(3);
        filo_ui_label(ui, "A label");
        mark(4);
    }
    filo_ui_end(ui);
}

#define OUTSIDE filo_vec2(700, 500)

FILO_TEST(a_click_is_a_press_and_a_release_on_the_same_widget) {
    begin(show_panel);
    click(0);
    assert_int_equal(clicks, 1);
    frame();
    assert_int_equal(clicks, 1);
    button(centre(0), FILO_MOUSE_LEFT, true);
    frame();
    assert_int_equal(clicks, 1);
    button(OUTSIDE, FILO_MOUSE_LEFT, false); // released elsewhere: no click
    frame();
    assert_int_equal(clicks, 1);
    click(2);
    assert_true(on);
    end();
}

FILO_TEST(clicks_on_two_widgets_between_two_frames_both_count) {
    begin(show_panel);
    button(centre(0), FILO_MOUSE_LEFT, true);
    button(centre(0), FILO_MOUSE_LEFT, false);
    button(centre(2), FILO_MOUSE_LEFT, true);
    button(centre(2), FILO_MOUSE_LEFT, false);
    frame();
    assert_int_equal(clicks, 1);
    assert_true(on);
    end();
}

FILO_TEST(a_slider_follows_the_mouse_also_outside_of_its_panel) {
    begin(show_panel);
    FiloRect slider = marks[1];
    button(centre(1), FILO_MOUSE_LEFT, true);
    frame();
    assert_true(value > 2 && value < 9);
    assert_true(move(filo_vec2(790, 20)));
    frame();
    assert_float_equal(value, 10, 0);
    assert_true(move(filo_vec2(slider.min.x - 500, 300)));
    frame();
    assert_float_equal(value, 0, 0);
    assert_true(button(OUTSIDE, FILO_MOUSE_LEFT, false)); // consumed: its press was
    frame();
    end();
}

FILO_TEST(the_mouse_over_a_panel_is_consumed_and_elsewhere_is_not) {
    begin(show_panel);
    assert_true(move(centre(4)));
    assert_true(filo_ui_wants_mouse(ui));
    assert_true(wheel(centre(4), 1));
    assert_true(button(centre(4), FILO_MOUSE_RIGHT, true));
    assert_true(button(OUTSIDE, FILO_MOUSE_RIGHT, false));
    assert_false(move(OUTSIDE));
    assert_false(filo_ui_wants_mouse(ui));
    assert_false(wheel(OUTSIDE, 1));
    assert_false(button(OUTSIDE, FILO_MOUSE_LEFT, true));
    assert_false(move(centre(4))); // the game drags something over the panel
    assert_false(button(centre(4), FILO_MOUSE_LEFT, false));
    end();
}

FILO_TEST(keys_belong_to_the_game_until_a_text_field_has_the_focus) {
    begin(show_panel);
    assert_false(key(FILO_KEY_W));
    assert_false(key(FILO_KEY_TAB));
    assert_false(type("w"));
    click(0); // a button that was clicked takes no keys but Tab
    assert_false(key(FILO_KEY_SPACE));
    assert_false(key(FILO_KEY_UP));
    assert_false(filo_ui_wants_keys(ui));
    click(3);
    assert_true(filo_ui_wants_keys(ui));
    assert_true(key(FILO_KEY_W));
    assert_true(type("w"));
    assert_string_equal(text, "w");
    assert_false(key(FILO_KEY_F3)); // function keys are for tools
    assert_true(key(FILO_KEY_ESCAPE));
    assert_false(filo_ui_wants_keys(ui));
    assert_false(key(FILO_KEY_ESCAPE));
    end();
}

FILO_TEST(a_key_that_was_down_before_the_ui_took_keys_is_released_to_the_game) {
    begin(show_panel);
    assert_false(key_change(FILO_KEY_W, true));
    click(3);
    assert_false(key_change(FILO_KEY_W, false));
    assert_true(key_change(FILO_KEY_A, true));
    click_at(OUTSIDE);
    assert_true(key_change(FILO_KEY_A, false));
    assert_false(key(FILO_KEY_A));
    end();
}

FILO_TEST(losing_the_window_s_focus_releases_a_drag) {
    begin(show_panel);
    button(centre(1), FILO_MOUSE_LEFT, true);
    frame();
    assert_false(filo_ui_input(ui, &(FiloInputChange){ .kind = FILO_INPUT_FOCUS }));
    float before = value;
    assert_false(move(filo_vec2(799, 300)));
    frame();
    assert_float_equal(value, before, 0);
    end();
}

static void show_disabled(void) {
    filo_ui_begin_window(ui, "Panel", &(FiloUiWindow){ .position = { 100, 100 } });
    filo_ui_push_disabled(ui, !closed);
    clicks += filo_ui_button(ui, "Press");
    mark(0);
    filo_ui_pop_disabled(ui);
    filo_ui_end(ui);
}

FILO_TEST(a_disabled_widget_cannot_be_used) {
    begin(show_disabled);
    click(0);
    assert_int_equal(clicks, 0);
    closed = true;
    frame();
    click(0);
    assert_int_equal(clicks, 1);
    end();
}

static int upper, lower;
static void show_overlap(void) {
    filo_ui_begin_window(ui, "A", &(FiloUiWindow){ .position = { 100, 100 }, .size = { 200, 100 } });
    lower += filo_ui_button(ui, "Press");
    mark(0);
    filo_ui_end(ui);
    filo_ui_begin_window(ui, "B", &(FiloUiWindow){ .position = { 160, 130 }, .size = { 200, 100 } });
    upper += filo_ui_button(ui, "Press");
    mark(1);
    filo_ui_end(ui);
}

FILO_TEST(a_window_in_front_hides_what_is_behind_and_a_press_brings_it_to_the_front) {
    begin(show_overlap);
    FiloVec2 shared = filo_vec2(250, 150); // on the title of B, over the button of A
    assert_true(filo_rect_contains(marks[0], shared));
    click_at(shared);
    assert_int_equal(lower, 0);
    click_at(filo_vec2(110, 190)); // a corner of A that is not covered
    frame();
    click_at(shared);
    assert_int_equal(lower, 1);
    assert_true(filo_ui_raise_window(ui, "B"));
    frame();
    click_at(shared);
    assert_int_equal(lower, 1);
    assert_false(filo_ui_raise_window(ui, "C"));
    end();
}

FILO_TEST(more_events_than_a_frame_can_hold_are_dropped) {
    begin(show_panel);
    click(3);
    for (int i = 0; i < 5000; i++) {
        key_change(FILO_KEY_LEFT, true);
        key_change(FILO_KEY_LEFT, false);
    }
    frame();
    type("x");
    assert_string_equal(text, "x");
    end();
}

FILO_TEST(invalid_keys_and_numbers_are_ignored) {
    begin(show_panel);
    assert_false(filo_ui_input(ui, &(FiloInputChange){ .kind = FILO_INPUT_KEY, .key = -5, .down = true }));
    assert_false(
        filo_ui_input(ui, &(FiloInputChange){ .kind = FILO_INPUT_KEY, .key = 100000, .down = true }));
    filo_ui_input(ui, &(FiloInputChange){ .kind = FILO_INPUT_PAD_KEY, .key = 3, .pad = 99, .down = true });
    float nan = filo_float_from_bits(0x7FC00000);
    move(filo_vec2(nan, nan));
    wheel(filo_vec2(nan, 0), nan);
    button(filo_vec2(nan, nan), FILO_MOUSE_LEFT, true);
    button(filo_vec2(nan, nan), FILO_MOUSE_LEFT, false);
    frame();
    click(0);
    assert_int_equal(clicks, 1);
    end();
}
