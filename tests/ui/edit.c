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

// ---- Enter ---------------------------------------------------------------------------------------------------------------

static int enters, commits;
static char line[32];
static void show_enter(void) {
    filo_ui_begin_window(ui, "Chat", &(FiloUiWindow){ .position = { 50, 50 }, .size = { 400, 300 } });
    enters += filo_ui_text_field(ui, "Say", line, sizeof line, &(FiloUiTextOptions){ .on_enter = true });
    commits += filo_ui_committed(ui);
    mark(0);
    filo_ui_button(ui, "Other");
    mark(1);
    filo_ui_end(ui);
}

FILO_TEST(enter_is_reported_once_and_leaving_is_no_enter) {
    begin(show_enter);
    click(0);
    type("hello");
    key(FILO_KEY_ENTER);
    for (int i = 0; i < 5; i++) frame();
    assert_int_equal(enters, 1);
    assert_int_equal(commits, 1);
    click(0);
    key(FILO_KEY_END);
    type("!");
    key(FILO_KEY_ESCAPE); // neither entered nor committed
    for (int i = 0; i < 5; i++) frame();
    assert_int_equal(enters, 1);
    assert_int_equal(commits, 1);
    click(0);
    key(FILO_KEY_END);
    type("?");
    click(1); // commits, but does not enter
    for (int i = 0; i < 5; i++) frame();
    assert_int_equal(enters, 1);
    assert_int_equal(commits, 2);
    assert_string_equal(line, "hello!?");
    end();
}

// ---- Lines that wrap -------------------------------------------------------------------------------------------------------
//
// The built-in letters are 8 pixels wide and rows 16 high. The text of the area begins 8 pixels from its left and 5 from its
// upper edge, and has 14 pixels less than its width.

#define LETTERS 20
static char wrapped[512];
static FiloUiTextOptions area_options;
static void show_wrapped(void) {
    filo_ui_begin_panel(ui, "area", &(FiloUiPanel){ .size = { LETTERS * 8 + 14 + 24, 0 } });
    filo_ui_size(ui, &(FiloUiSize){ .width = LETTERS * 8 + 14 });
    filo_ui_text_area(ui, "##area", wrapped, sizeof wrapped, 4 * 16 + 10, &area_options);
    mark(0);
    filo_ui_button(ui, "Other");
    mark(1);
    filo_ui_end(ui);
}

static FiloVec2 letter(int row, float column) {
    return filo_vec2(marks[0].min.x + 8 + column * 8, marks[0].min.y + 5 + (float)row * 16 + 8);
}

static void click_letter(int row, float column) {
    frame_of(0.5f); // not a double click
    click_at(letter(row, column));
}

static void begin_wrapped(const char *content) {
    filo_string_copy(filo_string(content), wrapped, sizeof wrapped);
    begin(show_wrapped);
    assert_int_equal((int)(marks[0].max.x - marks[0].min.x), LETTERS * 8 + 14);
}

// "one two three four |five six seven |" in rows of at most 20 letters.
FILO_TEST(up_and_down_home_and_end_go_by_rows_where_lines_wrap) {
    begin_wrapped("one two three four five six seven");
    click_letter(0, 2);
    type("A");
    assert_string_equal(wrapped, "onAe two three four five six seven");
    wrapped[2] = 'x';   // the same length
    key(FILO_KEY_DOWN); // from column 3 of the first row: row two begins at "five"
    type("B");
    assert_string_equal(wrapped, "onxe two three four fivBe six seven");
    key(FILO_KEY_HOME);
    type("C");
    assert_string_equal(wrapped, "onxe two three four CfivBe six seven");
    key(FILO_KEY_UP);
    key(FILO_KEY_END);
    type("D"); // behind the last letter of the first row, after its space
    assert_string_equal(wrapped, "onxe two three four DCfivBe six seven");
    key_with(FILO_KEY_LEFT_CONTROL, FILO_KEY_HOME);
    key(FILO_KEY_UP); // above the first row: the start
    type("E");
    assert_int_equal(wrapped[0], 'E');
    end();
}

FILO_TEST(clicks_and_selections_work_in_rows_that_wrap) {
    begin_wrapped("one two three four five six seven");
    click_letter(1, 5); // "five |six"
    type("!");
    assert_string_equal(wrapped, "one two three four five !six seven");
    click_letter(0, 20); // right of the first row: its end, and not the start of the next
    key(FILO_KEY_HOME);
    type("<");
    assert_int_equal(wrapped[0], '<');
    click_letter(3, 0); // below the last row: in it
    key(FILO_KEY_END);
    type(">");
    assert_string_equal(wrapped, "<one two three four five !six seven>");
    drag(letter(0, 5), letter(1, 4)); // from one row to the next
    key_with(FILO_KEY_LEFT_CONTROL, FILO_KEY_X);
    assert_string_equal(wrapped, "<one  !six seven>");
    key_with(FILO_KEY_LEFT_CONTROL, FILO_KEY_Z);
    assert_string_equal(wrapped, "<one two three four five !six seven>");
    key_with(FILO_KEY_LEFT_CONTROL, FILO_KEY_HOME);
    for (int i = 0; i < 21; i++) key(FILO_KEY_RIGHT); // across the end of the row, letter by letter
    type("|");
    assert_int_equal(wrapped[21], '|');
    end();
}

FILO_TEST(a_word_without_a_space_is_divided_and_a_caret_can_be_at_either_side) {
    memset(wrapped, 0, sizeof wrapped);
    memset(wrapped, 'w', 50);
    char before[64];
    memcpy(before, wrapped, sizeof before);
    begin(show_wrapped);
    click_letter(0, 3);
    key(FILO_KEY_END);
    key_with(FILO_KEY_LEFT_SHIFT, FILO_KEY_HOME); // from the end of the first row to its start
    key(FILO_KEY_BACKSPACE);
    assert_int_equal(strlen(wrapped), 50 - LETTERS);
    key_with(FILO_KEY_LEFT_CONTROL, FILO_KEY_Z);
    assert_string_equal(wrapped, before);
    end();
}

FILO_TEST(an_area_scrolls_by_rows_with_and_without_the_focus) {
    begin_wrapped("aaaa bbbb cccc dddd eeee ffff gggg hhhh iiii jjjj kkkk llll mmmm nnnn oooo pppp qqqq rrrr "
                  "ssss tttt uuuu vvvv wwww xxxx"); // four words a row: six rows, of which four are visible
    wheel(centre(0), -1);                           // without the focus: at most to the end
    click_letter(0, 0);
    type("!");
    assert_non_null(strstr(wrapped, "!iiii"));
    key(FILO_KEY_BACKSPACE);
    wheel(centre(0), 1);
    click_letter(0, 0);
    type("?");
    assert_int_equal(wrapped[0], '?');
    key(FILO_KEY_BACKSPACE);
    key_with(FILO_KEY_LEFT_CONTROL, FILO_KEY_END); // follows the caret
    click_letter(3, 0);
    type("#");
    assert_non_null(strstr(wrapped, "#uuuu"));
    key(FILO_KEY_BACKSPACE);
    key(FILO_KEY_PAGE_UP);
    key(FILO_KEY_HOME);
    type("@");
    assert_non_null(strstr(wrapped, "@eeee"));
    key(FILO_KEY_BACKSPACE);
    click(1); // it is shown where it was after the focus is lost
    wheel(filo_vec2(790, 590), 1);
    click_letter(0, 0);
    type("+");
    assert_non_null(strstr(wrapped, "+eeee"));
    end();
}

FILO_TEST(lines_do_not_wrap_where_the_program_says_so) {
    area_options.no_wrap = true;
    begin_wrapped("one two three four five six seven\nsecond");
    click_letter(1, 0);
    type("2");
    assert_non_null(strstr(wrapped, "\n2second"));
    key(FILO_KEY_UP);
    key(FILO_KEY_END);
    type("!");
    assert_non_null(strstr(wrapped, "seven!\n"));
    area_options.no_wrap = false;
    end();
}

FILO_TEST(a_megabyte_without_a_space_wraps) {
    huge = calloc(1, HUGE_SIZE);
    memset(huge, 'x', FILO_MIB(1));
    begin(show_huge);
    click(1);
    key_with(FILO_KEY_LEFT_CONTROL, FILO_KEY_END);
    type("!");
    assert_int_equal(huge[FILO_MIB(1)], '!');
    for (int i = 0; i < 100; i++) key(FILO_KEY_PAGE_UP);
    key(FILO_KEY_END);
    type("?");
    assert_non_null(strchr(huge, '?'));
    wheel(centre(1), 3);
    wheel(centre(1), -30);
    key_with(FILO_KEY_LEFT_CONTROL, FILO_KEY_HOME);
    type("#");
    assert_int_equal(huge[0], '#');
    end();
    free(huge);
}
