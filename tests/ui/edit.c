// Typing, selecting, the clipboard, undo, numbers that are typed.

#include "stage.h"

#include <stdlib.h>

static char text[64], small[8], notes[256], secret[32];
static bool changed, entered;
static double number = 5;
static int64_t integer = INT64_MAX - 1;
static float dragged = 1;

static void show_fields(void) {
    filo_ui_begin_window(ui, "Fields", &(FiloUiWindow){ .position = { 50, 50 }, .size = { 400, 500 } });
    changed = filo_ui_text_field(ui, "Text", text, sizeof text, NULL);
    mark(0);
    filo_ui_text_field(ui, "Small", small, sizeof small, NULL);
    mark(1);
    entered = filo_ui_text_field(ui, "Enter", secret, sizeof secret,
                                 &(FiloUiTextOptions){ .password = true, .on_enter = true });
    mark(2);
    filo_ui_text_area(ui, "##notes", notes, sizeof notes, 120, NULL);
    mark(3);
    filo_ui_number(ui, "Number", &number, &(FiloUiNumber){ .min = 0, .max = 100, .step = 0.5 });
    mark(4);
    filo_ui_integer(ui, "Integer", &integer, 0, 0);
    mark(5);
    filo_ui_drag(ui, "Dragged", &dragged, 0.1f, 0, 0);
    mark(6);
    filo_ui_end(ui);
}

static void start_text(const char *content) {
    begin(show_fields);
    filo_string_copy(filo_string(content), text, sizeof text);
    frame();
    click(0);
    key(FILO_KEY_END);
}

FILO_TEST(letters_are_typed_at_the_caret) {
    start_text("");
    type("hello");
    assert_true(changed);
    key(FILO_KEY_LEFT);
    key(FILO_KEY_LEFT);
    assert_false(changed);
    type("\xC3\xA4"); // ä
    assert_string_equal(text, "hel\xC3\xA4lo");
    key(FILO_KEY_BACKSPACE);
    key(FILO_KEY_DELETE);
    assert_string_equal(text, "helo");
    key(FILO_KEY_HOME);
    type(">");
    key(FILO_KEY_END);
    type("<");
    assert_string_equal(text, ">helo<");
    end();
}

FILO_TEST(ctrl_moves_and_deletes_by_words) {
    start_text("one two  three");
    key_with(FILO_KEY_LEFT_CONTROL, FILO_KEY_LEFT);
    type("|");
    assert_string_equal(text, "one two  |three");
    key_with(FILO_KEY_LEFT_CONTROL, FILO_KEY_BACKSPACE);
    key_with(FILO_KEY_LEFT_CONTROL, FILO_KEY_LEFT);
    key_with(FILO_KEY_RIGHT_CONTROL, FILO_KEY_DELETE);
    assert_null(strstr(text, "two"));
    end();
}

FILO_TEST(shift_selects_and_typing_replaces_the_selection) {
    start_text("abcdef");
    for (int i = 0; i < 3; i++) key_with(FILO_KEY_LEFT_SHIFT, FILO_KEY_LEFT);
    type("X");
    assert_string_equal(text, "abcX");
    key_with(FILO_KEY_LEFT_SHIFT, FILO_KEY_HOME);
    key(FILO_KEY_DELETE);
    assert_string_equal(text, "");
    end();
}

FILO_TEST(the_mouse_selects_letters_words_and_everything) {
    start_text("alpha beta gamma");
    FiloRect field = marks[0];
    float y = filo_rect_centre(field).y;
    FiloVec2 left = filo_vec2(field.min.x + 1, y), right = filo_vec2(field.max.x - 2, y);
    drag(left, right);
    type("x");
    assert_string_equal(text, "x");
    filo_string_copy(FILO_STRING("alpha beta"), text, sizeof text);
    frame_of(1);
    FiloVec2 word = filo_vec2(field.min.x + 20, y);
    for (int i = 0; i < 2; i++) { // a double click
        button(word, FILO_MOUSE_LEFT, true);
        button(word, FILO_MOUSE_LEFT, false);
    }
    frame();
    type("Z");
    assert_string_equal(text, "Z beta");
    for (int i = 0; i < 3; i++) {
        button(word, FILO_MOUSE_LEFT, true);
        button(word, FILO_MOUSE_LEFT, false);
    }
    frame();
    type("all");
    assert_string_equal(text, "all");
    end();
}

FILO_TEST(copy_cut_and_paste_go_through_the_clipboard) {
    start_text("copy me");
    key_with(FILO_KEY_LEFT_CONTROL, FILO_KEY_A);
    key_with(FILO_KEY_LEFT_CONTROL, FILO_KEY_C);
    key(FILO_KEY_END);
    key_with(FILO_KEY_LEFT_CONTROL, FILO_KEY_V);
    assert_string_equal(text, "copy mecopy me");
    key_with(FILO_KEY_LEFT_CONTROL, FILO_KEY_A);
    key_with(FILO_KEY_LEFT_CONTROL, FILO_KEY_X);
    assert_string_equal(text, "");
    click(1);
    key_with(FILO_KEY_LEFT_CONTROL, FILO_KEY_V); // what does not fit is cut
    assert_string_equal(small, "copy me");
    click(3);
    key_with(FILO_KEY_LEFT_CONTROL, FILO_KEY_V);
    assert_string_equal(notes, "copy mecopy me");
    end();
}

FILO_TEST(a_password_is_not_copied_and_enter_returns_it) {
    begin(show_fields);
    click(2);
    type("s3cret");
    key_with(FILO_KEY_LEFT_CONTROL, FILO_KEY_A);
    key_with(FILO_KEY_LEFT_CONTROL, FILO_KEY_C);
    key_with(FILO_KEY_LEFT_CONTROL, FILO_KEY_X);
    assert_string_equal(secret, "s3cret");
    assert_false(entered);
    key_change(FILO_KEY_ENTER, true);
    frame();
    assert_true(entered);
    key_change(FILO_KEY_ENTER, false);
    click(0);
    key_with(FILO_KEY_LEFT_CONTROL, FILO_KEY_V);
    assert_string_equal(text, "");
    end();
}

FILO_TEST(undo_and_redo_go_step_by_step) {
    start_text("");
    type("a");
    type("b"); // letters that follow each other are one step
    key(FILO_KEY_HOME);
    type("c");
    key(FILO_KEY_DELETE);
    assert_string_equal(text, "cb");
    key_with(FILO_KEY_LEFT_CONTROL, FILO_KEY_Z);
    assert_string_equal(text, "cab");
    key_with(FILO_KEY_LEFT_CONTROL, FILO_KEY_Z);
    assert_string_equal(text, "ab");
    key_with(FILO_KEY_LEFT_CONTROL, FILO_KEY_Z);
    assert_string_equal(text, "");
    key_with(FILO_KEY_LEFT_CONTROL, FILO_KEY_Z);
    key_with(FILO_KEY_LEFT_CONTROL, FILO_KEY_Y);
    key_with(FILO_KEY_LEFT_CONTROL, FILO_KEY_Y);
    assert_string_equal(text, "cab");
    type("!"); // a new step: nothing to redo
    key_with(FILO_KEY_LEFT_CONTROL, FILO_KEY_Y);
    assert_string_equal(text, "c!ab");
    text[0] = '\0'; // the program changes the text: the history does no harm
    frame();
    for (int i = 0; i < 5; i++) key_with(FILO_KEY_LEFT_CONTROL, FILO_KEY_Z);
    end();
}

FILO_TEST(many_steps_are_undone_as_far_as_they_are_remembered) {
    start_text("");
    for (int i = 0; i < 2000; i++) {
        type("x");
        key(FILO_KEY_BACKSPACE);
    }
    for (int i = 0; i < 10; i++) key_with(FILO_KEY_LEFT_CONTROL, FILO_KEY_Z);
    assert_true(strlen(text) <= 1);
    end();
}

FILO_TEST(lines_are_edited_with_up_and_down) {
    begin(show_fields);
    click(3);
    type("first");
    key(FILO_KEY_ENTER);
    type("2");
    key(FILO_KEY_ENTER);
    type("third");
    assert_string_equal(notes, "first\n2\nthird");
    key(FILO_KEY_UP);
    key(FILO_KEY_UP); // through the short line, back to the column
    type("!");
    assert_string_equal(notes, "first!\n2\nthird");
    key(FILO_KEY_HOME);
    key(FILO_KEY_DOWN);
    key_with(FILO_KEY_LEFT_SHIFT, FILO_KEY_END);
    type("zwei");
    assert_string_equal(notes, "first!\nzwei\nthird");
    key_with(FILO_KEY_LEFT_CONTROL, FILO_KEY_END);
    key(FILO_KEY_TAB); // a tab belongs to the text
    assert_string_equal(notes, "first!\nzwei\nthird\t");
    end();
}

FILO_TEST(a_key_that_is_held_repeats) {
    start_text("abcdefgh");
    key_change(FILO_KEY_BACKSPACE, true);
    frame();
    assert_string_equal(text, "abcdefg");
    frame_of(0.3f);
    assert_string_equal(text, "abcdefg");
    for (int i = 0; i < 30; i++) frame_of(0.02f);
    key_change(FILO_KEY_BACKSPACE, false);
    size_t length = strlen(text);
    assert_true(length < 5);
    frame_of(1);
    assert_int_equal(strlen(text), length);
    end();
}

FILO_TEST(numbers_are_typed_stepped_and_clamped) {
    begin(show_fields);
    click(4);
    key_with(FILO_KEY_LEFT_CONTROL, FILO_KEY_A);
    type("42.5");
    assert_true(number == 5); // not before Enter
    key(FILO_KEY_ENTER);
    assert_true(number == 42.5);
    click(4);
    frame();
    type("1e9");
    key(FILO_KEY_ENTER);
    assert_true(number == 100);
    click(4);
    frame();
    type("none");
    key(FILO_KEY_ENTER);
    assert_true(number == 100);
    click(4);
    frame();
    type("7");
    key(FILO_KEY_ESCAPE);
    assert_true(number == 100);
    click(5);
    frame();
    type("9223372036854775807");
    key(FILO_KEY_ENTER);
    assert_true(integer == INT64_MAX);
    end();
}

FILO_TEST(a_number_is_dragged_and_typed_after_a_double_click) {
    begin(show_fields);
    FiloVec2 at = centre(6);
    drag(at, filo_vec2(at.x + 20, at.y));
    assert_true(dragged > 2.5f && dragged < 3.5f);
    frame_of(1);
    for (int i = 0; i < 2; i++) {
        button(at, FILO_MOUSE_LEFT, true);
        button(at, FILO_MOUSE_LEFT, false);
    }
    frame();
    frame();
    type("-8");
    click(0); // leaving the field enters the number
    frame();
    assert_float_equal(dragged, -8, 0);
    end();
}

FILO_TEST(invalid_utf8_is_edited_byte_by_byte) {
    start_text("a\xFF\xC3z\xE2\x82");
    for (int i = 0; i < 12; i++) key(FILO_KEY_LEFT);
    for (int i = 0; i < 12; i++) key(FILO_KEY_DELETE);
    assert_string_equal(text, "");
    type("\xFF\xFEok");
    assert_non_null(strstr(text, "ok"));
    assert_true(filo_utf8_valid(filo_string(text)));
    end();
}

static char *huge;
#define HUGE_SIZE FILO_MIB(2)
static void show_huge(void) {
    filo_ui_begin_window(ui, "Huge", &(FiloUiWindow){ .position = { 50, 50 }, .size = { 400, 500 } });
    filo_ui_text_field(ui, "##line", huge, HUGE_SIZE, NULL);
    mark(0);
    filo_ui_text_area(ui, "##lines", huge, HUGE_SIZE, 200, NULL);
    mark(1);
    filo_ui_end(ui);
}

FILO_TEST(a_megabyte_in_a_field_is_shown_and_edited) {
    huge = calloc(1, HUGE_SIZE);
    memset(huge, 'x', FILO_MIB(1));
    begin(show_huge);
    click(0);
    key(FILO_KEY_END);
    type("!");
    assert_int_equal(huge[FILO_MIB(1)], '!');
    for (int i = 0; i < 5; i++) key(FILO_KEY_LEFT);
    key(FILO_KEY_HOME);
    type("?");
    assert_int_equal(huge[0], '?');
    for (size_t i = 50; i < FILO_MIB(1); i += 50) huge[i] = '\n';
    click(1);
    key_with(FILO_KEY_LEFT_CONTROL, FILO_KEY_END);
    key(FILO_KEY_PAGE_UP);
    key(FILO_KEY_UP);
    type("#");
    assert_int_equal(strlen(huge), FILO_MIB(1) + 3);
    end();
    free(huge);
}

FILO_TEST(a_buffer_without_an_end_is_ended) {
    memset(small, 'y', sizeof small);
    begin(show_fields);
    assert_int_equal(strlen(small), sizeof small - 1);
    expect_fault("pass a buffer for the text", {
        filo_ui_begin_frame(ui, &(FiloUiFrame){ .width = WIDTH, .height = HEIGHT });
        filo_ui_text_field(ui, "Text", NULL, 0, NULL);
        filo_ui_end_frame(ui);
    });
    end();
}
