// Keys and gamepads: moving the focus, pressing what has it, menus of games.

#include "stage.h"

static int pressed[4], menu_pressed[3], cancelled;
static bool menu_open, on;
static float value = 5;
static char text[32];
static int choice;

static void show_form(void) {
    filo_ui_begin_window(ui, "Form", &(FiloUiWindow){ .position = { 50, 50 }, .size = { 300, 0 } });
    pressed[0] += filo_ui_button(ui, "First");
    mark(0);
    filo_ui_begin_row(ui);
    pressed[1] += filo_ui_button(ui, "Left");
    mark(1);
    pressed[2] += filo_ui_button(ui, "Right");
    mark(2);
    filo_ui_end(ui);
    filo_ui_slider(ui, "Value", &value, 0, 10);
    mark(3);
    filo_ui_text_field(ui, "Text", text, sizeof text, NULL);
    mark(4);
    filo_ui_check(ui, "On", &on);
    mark(5);
    filo_ui_choice(ui, "Choice", &choice, (const char *const[]){ "one", "two", "three" }, 3);
    mark(6);
    filo_ui_end(ui);
}

FILO_TEST(tab_goes_through_all_widgets_and_around) {
    begin(show_form);
    click(0);
    assert_int_equal(pressed[0], 1);
    key(FILO_KEY_TAB);
    key(FILO_KEY_ENTER);
    assert_int_equal(pressed[1], 1);
    key(FILO_KEY_TAB);
    key(FILO_KEY_SPACE);
    assert_int_equal(pressed[2], 1);
    key_with(FILO_KEY_LEFT_SHIFT, FILO_KEY_TAB);
    key(FILO_KEY_ENTER);
    assert_int_equal(pressed[1], 2);
    key(FILO_KEY_TAB);
    key(FILO_KEY_TAB); // the slider
    key(FILO_KEY_RIGHT);
    assert_true(value > 5);
    key(FILO_KEY_LEFT);
    key(FILO_KEY_LEFT);
    assert_true(value < 5);
    key(FILO_KEY_TAB); // the field
    type("typed");
    assert_string_equal(text, "typed");
    key(FILO_KEY_TAB);
    key(FILO_KEY_SPACE);
    assert_true(on);
    key(FILO_KEY_TAB); // the choice; then the buttons of the title
    bool reached = false;
    for (int i = 0; i < 6 && !reached; i++) {
        key(FILO_KEY_TAB);
        int before = pressed[0];
        if (filo_ui_wants_keys(ui)) key(FILO_KEY_ENTER);
        reached = pressed[0] > before;
    }
    assert_true(reached);
    key(FILO_KEY_ESCAPE);
    assert_false(filo_ui_wants_keys(ui));
    end();
}

FILO_TEST(arrows_move_to_the_nearest_widget) {
    begin(show_form);
    click(0);
    key(FILO_KEY_TAB); // left
    key(FILO_KEY_RIGHT);
    key(FILO_KEY_ENTER);
    assert_int_equal(pressed[2], 1);
    key(FILO_KEY_LEFT);
    key(FILO_KEY_ENTER);
    assert_int_equal(pressed[1], 1);
    key(FILO_KEY_UP);
    key(FILO_KEY_ENTER);
    assert_int_equal(pressed[0], 2);
    end();
}

FILO_TEST(a_drop_down_is_used_by_keys) {
    begin(show_form);
    click(5);
    key(FILO_KEY_TAB);
    key(FILO_KEY_ENTER); // opens it
    frame();
    key(FILO_KEY_DOWN);
    key(FILO_KEY_ENTER);
    assert_int_equal(choice, 1);
    key(FILO_KEY_ENTER); // the drop-down has the focus again
    frame();
    key(FILO_KEY_DOWN);
    key(FILO_KEY_DOWN);
    key(FILO_KEY_ESCAPE); // closes it without a choice
    assert_int_equal(choice, 1);
    end();
}

static void show_menu(void) {
    if (menu_open) {
        if (filo_ui_begin_panel(ui, "menu",
                                &(FiloUiPanel){ .anchor = { 0.5f, 0.5f }, .flags = FILO_UI_MENU })) {
            menu_pressed[0] += filo_ui_button(ui, "Continue");
            menu_pressed[1] += filo_ui_button(ui, "Settings");
            filo_ui_push_disabled(ui, true);
            filo_ui_button(ui, "Not now");
            filo_ui_pop_disabled(ui);
            menu_pressed[2] += filo_ui_button(ui, "Leave");
            if (filo_ui_cancelled(ui)) cancelled++, menu_open = false;
        }
        filo_ui_end(ui);
    }
}

FILO_TEST(a_menu_has_the_focus_at_once_and_is_used_by_a_gamepad) {
    begin(show_menu);
    assert_false(pad(FILO_PAD_A));
    assert_false(key(FILO_KEY_ENTER));
    menu_open = true;
    frame();
    assert_true(filo_ui_wants_keys(ui));
    assert_true(pad(FILO_PAD_A));
    assert_int_equal(menu_pressed[0], 1);
    assert_true(pad(FILO_PAD_DOWN));
    pad(FILO_PAD_A);
    assert_int_equal(menu_pressed[1], 1);
    pad(FILO_PAD_DOWN); // over what is disabled
    pad(FILO_PAD_A);
    assert_int_equal(menu_pressed[2], 1);
    pad(FILO_PAD_DOWN); // around
    pad(FILO_PAD_A);
    assert_int_equal(menu_pressed[0], 2);
    assert_true(pad(FILO_PAD_X)); // the game gets nothing of it
    assert_true(key(FILO_KEY_W));
    pad(FILO_PAD_B);
    assert_int_equal(cancelled, 1);
    frame();
    assert_false(pad(FILO_PAD_A));
    assert_false(key(FILO_KEY_ESCAPE));
    end();
}

static bool stick(float x, float y) {
    bool consumed = filo_ui_input(
        ui, &(FiloInputChange){ .kind = FILO_INPUT_PAD_AXIS, .axis = FILO_AXIS_LEFT_Y, .value = y });
    filo_ui_input(ui,
                  &(FiloInputChange){ .kind = FILO_INPUT_PAD_AXIS, .axis = FILO_AXIS_LEFT_X, .value = x });
    frame();
    return consumed;
}

FILO_TEST(a_stick_moves_the_focus_and_its_return_reaches_the_game) {
    begin(show_menu);
    assert_false(stick(0, -0.9f));
    assert_false(stick(0, 0));
    menu_open = true;
    frame();
    assert_true(stick(0, -0.9f));
    assert_false(stick(0, 0.05f)); // so that the game does not see it held for ever
    pad(FILO_PAD_A);
    assert_int_equal(menu_pressed[1], 1);
    stick(0, 0.9f);
    stick(0, 0);
    pad(FILO_PAD_A);
    assert_int_equal(menu_pressed[0], 1);
    stick(0, -0.9f); // held: it repeats
    for (int i = 0; i < 40; i++) frame_of(0.05f);
    stick(0, 0);
    pad(FILO_PAD_A);
    assert_int_equal(menu_pressed[0] + menu_pressed[1] + menu_pressed[2], 3);
    end();
}

FILO_TEST(escape_is_reported_by_the_keyboard_too) {
    begin(show_menu);
    menu_open = true;
    frame();
    assert_true(key(FILO_KEY_ESCAPE));
    assert_int_equal(cancelled, 1);
    end();
}

static int rows_clicked;
static void show_long(void) {
    filo_ui_begin_window(ui, "Long", &(FiloUiWindow){ .position = { 50, 50 }, .size = { 200, 150 } });
    for (int i = 0; i < 40; i++) {
        filo_ui_push_id(ui, (uint64_t)i);
        if (filo_ui_button(ui, "Row")) rows_clicked = i;
        if (i < 4) mark(i);
        if (i == 30) mark(4);
        filo_ui_pop_id(ui);
    }
    filo_ui_end(ui);
}

FILO_TEST(moving_the_focus_scrolls_to_it) {
    begin(show_long);
    assert_true(marks[4].min.y > 200);
    click(0);
    for (int i = 0; i < 30; i++) key(FILO_KEY_TAB);
    frame();
    assert_true(marks[4].max.y <= 200 && marks[4].min.y >= 50);
    key(FILO_KEY_ENTER);
    assert_int_equal(rows_clicked, 30);
    end();
}

static bool ask;
static void show_focus_next(void) {
    filo_ui_begin_window(ui, "Form", &(FiloUiWindow){ .position = { 50, 50 } });
    filo_ui_button(ui, "Other");
    if (ask) filo_ui_focus_next(ui);
    ask = false;
    filo_ui_text_field(ui, "Text", text, sizeof text, NULL);
    filo_ui_end(ui);
}

FILO_TEST(the_program_gives_and_takes_the_focus) {
    begin(show_focus_next);
    ask = true;
    frame();
    type("x");
    assert_string_equal(text, "x");
    filo_ui_unfocus(ui);
    assert_false(type("y"));
    assert_string_equal(text, "x");
    end();
}

// ---- Waiting for a key -------------------------------------------------------------------------------------------------

static bool waiting;
static unsigned wait_kinds;
static FiloUiKeyWait wait_result;
static FiloKey waited_key;
static int wait_clicks;
static void show_waiting(void) {
    filo_ui_begin_panel(ui, "page", &(FiloUiPanel){ .anchor = { 0.5f, 0.5f }, .flags = FILO_UI_MENU });
    wait_clicks += filo_ui_button(ui, "Jump");
    mark(0);
    filo_ui_end(ui);
    if (!waiting) return;
    wait_result = filo_ui_wait_key(ui, wait_kinds, &waited_key);
    waiting = wait_result == FILO_UI_WAITING;
}

static void wait_for(unsigned kinds) {
    wait_kinds = kinds;
    waiting = true;
    frame();
    assert_int_equal(wait_result, FILO_UI_WAITING);
    assert_int_equal(waited_key, FILO_KEY_NONE);
}

FILO_TEST(the_next_key_or_button_is_chosen_and_no_widget_gets_it) {
    begin(show_waiting);
    wait_for(0);
    assert_true(key(FILO_KEY_ENTER)); // would click the button
    assert_int_equal(wait_result, FILO_UI_CHOSEN);
    assert_int_equal(waited_key, FILO_KEY_ENTER);
    wait_for(FILO_UI_MOUSE);
    assert_true(key(FILO_KEY_ENTER)); // not of the kind that is waited for
    assert_true(waiting);
    click(0);
    assert_int_equal(waited_key, FILO_MOUSE_LEFT);
    wait_for(0);
    assert_true(button(filo_vec2(2, 2), FILO_MOUSE_RIGHT, true)); // beside all panels
    frame();
    assert_true(button(filo_vec2(2, 2), FILO_MOUSE_RIGHT, false));
    assert_int_equal(waited_key, FILO_MOUSE_RIGHT);
    wait_for(FILO_UI_GAMEPAD);
    assert_true(pad(FILO_PAD_B)); // can be chosen
    assert_int_equal(waited_key, FILO_PAD_B);
    wait_for(FILO_UI_KEYBOARD);
    assert_true(key(FILO_KEY_F3)); // function keys too
    assert_int_equal(waited_key, FILO_KEY_F3);
    assert_int_equal(wait_clicks, 0);
    click(0); // nothing is waited for any more
    assert_int_equal(wait_clicks, 1);
    end();
}

FILO_TEST(escape_cancels_waiting_and_so_does_b_where_no_gamepad_is_asked_for) {
    begin(show_waiting);
    wait_for(0);
    assert_true(key(FILO_KEY_ESCAPE));
    assert_int_equal(wait_result, FILO_UI_CANCELLED);
    assert_int_equal(waited_key, FILO_KEY_NONE);
    wait_for(FILO_UI_KEYBOARD);
    assert_true(pad(FILO_PAD_X)); // neither chooses nor cancels
    assert_true(waiting);
    assert_true(pad(FILO_PAD_B));
    assert_int_equal(wait_result, FILO_UI_CANCELLED);
    end();
}

FILO_TEST(waiting_ends_with_the_page_that_asks) {
    show = NULL;
    assert_ok(filo_ui_create(&ui, NULL));
    FiloKey chosen;
    filo_ui_begin_frame(ui, &(FiloUiFrame){ .width = WIDTH, .height = HEIGHT });
    assert_int_equal(filo_ui_wait_key(ui, 0, &chosen), FILO_UI_WAITING);
    expect_fault("pass where the key is to be stored", filo_ui_wait_key(ui, 0, NULL));
    filo_ui_end_frame(ui);
    assert_true(filo_ui_wants_keys(ui) && filo_ui_wants_mouse(ui));
    assert_true(key(FILO_KEY_J));
    frame();
    assert_false(filo_ui_wants_keys(ui) || filo_ui_wants_mouse(ui));
    assert_false(key(FILO_KEY_J)); // the game's
    filo_ui_begin_frame(ui, &(FiloUiFrame){ .width = WIDTH, .height = HEIGHT });
    assert_int_equal(filo_ui_wait_key(ui, 0, &chosen), FILO_UI_WAITING); // an old key is none
    filo_ui_end_frame(ui);
    end();
}
