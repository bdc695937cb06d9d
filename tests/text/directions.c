// Text of both directions: in which order letters are seen, where carets stand, what selections cover. Hebrew letters
// are written א (alef, 2 bytes) to ג; the built-in font shows each as a box of 8 pixels.

#include "text/fixture.h"

#include <fribidi/fribidi.h>
#include <stdlib.h>

#define ALEF  "\xD7\x90"
#define BET   "\xD7\x91"
#define GIMEL "\xD7\x92"

FILO_TEST(words_from_right_to_left_are_reversed) {
    FiloTypesetter *setter = open_setter();
    assert_string_equal(seen_order(lay_out(setter, PLAIN(0), ALEF BET GIMEL)), "4 2 0");
    // In a paragraph that reads from left to right, only the word itself.
    assert_string_equal(seen_order(lay_out(setter, PLAIN(0), "ab " ALEF BET " cd")), "0 1 2 5 3 7 8 9");
    // The first letter decides on the direction of the paragraph.
    assert_string_equal(seen_order(lay_out(setter, PLAIN(0), ALEF " ab")), "3 4 2 0");
    assert_string_equal(seen_order(lay_out(setter, PLAIN(.direction = FILO_TEXT_LTR), ALEF " ab")),
                        "0 2 3 4");
    assert_string_equal(seen_order(lay_out(setter, PLAIN(.direction = FILO_TEXT_RTL), "ab c")), "0 1 2 3");
    assert_string_equal(seen_order(lay_out(setter, PLAIN(.direction = FILO_TEXT_RTL), "ab.")), "2 0 1");
    filo_typesetter_destroy(setter);
}

FILO_TEST(numbers_in_text_from_right_to_left_are_not_reversed) {
    FiloTypesetter *setter = open_setter();
    assert_string_equal(seen_order(lay_out(setter, PLAIN(0), ALEF " 12 " BET)), "6 5 3 4 2 0");
    filo_typesetter_destroy(setter);
}

FILO_TEST(brackets_are_mirrored) {
    FiloTypesetter *setter = open_setter();
    size_t count;
    const FiloTextGlyph *glyphs = filo_text_glyphs(lay_out(setter, PLAIN(0), ALEF "(" BET ")"), &count);
    assert_int_equal(count, 4);
    assert_int_equal(glyphs[0].glyph, '('); // the closing one, which is seen first
    assert_int_equal(glyphs[0].byte, 5);
    assert_int_equal(glyphs[2].glyph, ')');
    filo_typesetter_destroy(setter);
}

FILO_TEST(each_line_is_ordered_by_itself) {
    FiloTypesetter *setter = open_setter();
    // Three words from right to left, two lines: the first line shows the first two words.
    const FiloTextLayout *layout = lay_out(setter, PLAIN(.width = 24), ALEF " " BET " " GIMEL);
    assert_string_equal(line_starts(layout), "0 6");
    assert_string_equal(seen_order(layout), "5 3 2 0 6");
    size_t count;
    const FiloTextLine *lines = filo_text_lines(layout, &count);
    assert_true(lines[0].rtl && lines[1].rtl);
    // The space at the end of the first line hangs out of it, to the left.
    const FiloTextGlyph *glyphs = filo_text_glyphs(layout, &count);
    assert_float_equal(glyphs[0].x, -8, 0);
    assert_float_equal(glyphs[1].x, 0, 0);
    assert_float_equal(lines[0].width, 24, 0);
    filo_typesetter_destroy(setter);
}

FILO_TEST(each_paragraph_has_its_own_direction) {
    FiloTypesetter *setter = open_setter();
    size_t count;
    const FiloTextLine *lines = filo_text_lines(
        lay_out(setter, PLAIN(.align = FILO_TEXT_START, .width = 80), "ab\n" ALEF BET "\ncd"), &count);
    assert_int_equal(count, 3);
    assert_false(lines[0].rtl);
    assert_true(lines[1].rtl);
    assert_float_equal(lines[0].x, 0, 0);
    assert_float_equal(lines[1].x, 64, 0);
    filo_typesetter_destroy(setter);
}

// ---- Carets ---------------------------------------------------------------------------------------------

static float caret_x(const FiloTextLayout *layout, size_t byte) {
    return filo_text_caret(layout, byte).top.x;
}

FILO_TEST(carets_stand_at_the_side_where_a_letter_begins) {
    FiloTypesetter *setter = open_setter();
    const FiloTextLayout *layout = lay_out(setter, PLAIN(0), "ab" ALEF BET "c");
    assert_float_equal(caret_x(layout, 0), 0, 0);
    assert_float_equal(caret_x(layout, 1), 8, 0);
    assert_float_equal(caret_x(layout, 2), 32, 0); // alef is seen right of bet
    assert_float_equal(caret_x(layout, 4), 24, 0);
    assert_float_equal(caret_x(layout, 6), 32, 0);
    assert_float_equal(caret_x(layout, 7), 40, 0);
    assert_true(filo_text_caret(layout, 2).rtl);
    assert_false(filo_text_caret(layout, 6).rtl);
    // A byte inside of a letter counts as its beginning, one beyond the text as its end.
    assert_float_equal(caret_x(layout, 3), 32, 0);
    assert_float_equal(caret_x(layout, 1000), 40, 0);
    FiloTextCaret caret = filo_text_caret(layout, 0);
    assert_float_equal(caret.top.y, 0, 0);
    assert_float_equal(caret.bottom.y, 16, 0);
    filo_typesetter_destroy(setter);
}

FILO_TEST(the_end_of_text_from_right_to_left_is_at_its_left) {
    FiloTypesetter *setter = open_setter();
    const FiloTextLayout *layout = lay_out(setter, PLAIN(0), ALEF BET);
    assert_float_equal(caret_x(layout, 0), 16, 0);
    assert_float_equal(caret_x(layout, 4), 0, 0);
    layout = lay_out(setter, PLAIN(0), ALEF BET "\n" ALEF);
    assert_float_equal(caret_x(layout, 4), 0, 0); // before the newline
    assert_float_equal(caret_x(layout, 5), 8, 0);
    filo_typesetter_destroy(setter);
}

FILO_TEST(carets_of_empty_lines_are_at_their_beginning) {
    FiloTypesetter *setter = open_setter();
    const FiloTextLayout *layout = lay_out(setter, PLAIN(.align = FILO_TEXT_CENTRE), "\nab\n");
    assert_float_equal(caret_x(layout, 0), 0, 0);
    assert_int_equal(filo_text_caret(layout, 0).line, 0);
    assert_float_equal(caret_x(layout, 1), -8, 0);
    assert_float_equal(caret_x(layout, 3), 8, 0); // at the newline
    assert_int_equal(filo_text_caret(layout, 3).line, 1);
    assert_int_equal(filo_text_caret(layout, 4).line, 2);
    assert_float_equal(filo_text_caret(layout, 4).top.y, 32, 0);
    filo_typesetter_destroy(setter);
}

FILO_TEST(carets_stand_inside_of_ligatures) {
    FiloTypesetter *setter = open_setter_with(DEJAVU);
    const FiloTextLayout *layout = lay_out(setter, PLAIN(0), "ffi");
    size_t count;
    filo_text_glyphs(layout, &count);
    if (count != 1) skip_because("this font has no ligature for ffi");
    float width = filo_rect_size(filo_text_bounds(layout)).x;
    assert_float_equal(caret_x(layout, 1), width / 3, 0.001);
    assert_float_equal(caret_x(layout, 2), width * 2 / 3, 0.001);
    filo_typesetter_destroy(setter);
}

FILO_TEST(carets_do_not_stand_inside_of_letters) {
    FiloTypesetter *setter = open_setter_with(DEJAVU);
    const char *text = "e\xCC\x81x"; // an accent
    const FiloTextLayout *layout = lay_out(setter, PLAIN(0), text);
    assert_int_equal(filo_text_move(layout, 0, FILO_TEXT_LETTER, 1), 3);
    assert_int_equal(filo_text_move(layout, 3, FILO_TEXT_LETTER, -1), 0);
    assert_float_equal(caret_x(layout, 1), 0, 0);
    assert_int_equal(filo_text_letter_count(layout), 2);
    filo_typesetter_destroy(setter);
}

// ---- Hits -----------------------------------------------------------------------------------------------

FILO_TEST(hits_find_the_nearest_caret) {
    FiloTypesetter *setter = open_setter();
    const FiloTextLayout *layout = lay_out(setter, PLAIN(0), "ab\n" ALEF BET);
    bool inside;
    assert_int_equal(filo_text_hit(layout, filo_vec2(3, 5), &inside), 0);
    assert_true(inside);
    assert_int_equal(filo_text_hit(layout, filo_vec2(5, 5), &inside), 1);
    assert_int_equal(filo_text_hit(layout, filo_vec2(100, 5), &inside), 2);
    assert_false(inside);
    assert_int_equal(filo_text_hit(layout, filo_vec2(-100, -100), NULL), 0);
    assert_int_equal(filo_text_hit(layout, filo_vec2(15, 20), NULL), 3); // the right side of alef
    assert_int_equal(filo_text_hit(layout, filo_vec2(9, 20), NULL), 5);
    assert_int_equal(filo_text_hit(layout, filo_vec2(1, 20), NULL), 7);
    assert_int_equal(filo_text_hit(layout, filo_vec2(-50, 200), NULL), 7);
    filo_typesetter_destroy(setter);
}

FILO_TEST(every_caret_is_hit_at_its_place) {
    FiloTypesetter *setter = open_setter_with(DEJAVU);
    use_font(setter, ARABIC);
    assert_ok(filo_text_set_fallback(setter, (const char *[]){ ARABIC }, 1));
    const char *text = "Office: الكتاب 12, then more\nand another line سفر.";
    const FiloTextLayout *layout = lay_out(setter, PLAIN(0), text);
    for (size_t byte = 0; byte < strlen(text); byte = filo_text_move(layout, byte, FILO_TEXT_LETTER, 1)) {
        FiloTextCaret caret = filo_text_caret(layout, byte);
        float x = caret.rtl ? caret.top.x - 0.01f : caret.top.x + 0.01f;
        size_t hit = filo_text_hit(layout, filo_vec2(x, 0.5f * (caret.top.y + caret.bottom.y)), NULL);
        if (hit != byte) assert_float_equal(caret_x(layout, hit), caret.top.x, 0.02);
    }
    filo_typesetter_destroy(setter);
}

// ---- Steps ----------------------------------------------------------------------------------------------

FILO_TEST(steps_by_words_go_to_their_edges) {
    FiloTypesetter *setter = open_setter();
    const FiloTextLayout *layout = lay_out(setter, PLAIN(0), "one, two-three it's 4.5 \nend");
    size_t forwards[] = { 0, 3, 8, 14, 19, 23, 28, 28 };
    for (size_t i = 0; i + 1 < FILO_COUNT_OF(forwards); i++)
        assert_int_equal(filo_text_move(layout, forwards[i], FILO_TEXT_WORD, 1), forwards[i + 1]);
    size_t backwards[] = { 28, 25, 20, 15, 9, 5, 0, 0 };
    for (size_t i = 0; i + 1 < FILO_COUNT_OF(backwards); i++)
        assert_int_equal(filo_text_move(layout, backwards[i], FILO_TEXT_WORD, -1), backwards[i + 1]);
    filo_typesetter_destroy(setter);
}

FILO_TEST(words_begin_after_newlines_of_all_kinds) {
    FiloTypesetter *setter = open_setter();
    static const char *const newlines[] = { "\n", "\r\n", "\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9" };
    for (size_t i = 0; i < FILO_COUNT_OF(newlines); i++) {
        char text[16];
        snprintf(text, sizeof text, "ab%scd", newlines[i]);
        const FiloTextLayout *layout = lay_out(setter, PLAIN(0), text);
        size_t second = 2 + strlen(newlines[i]), from, to;
        filo_text_word_at(layout, second + 1, &from, &to);
        assert_int_equal(from, second);
        assert_int_equal(to, second + 2);
        assert_int_equal(filo_text_move(layout, second + 2, FILO_TEXT_WORD, -1), second);
    }
    filo_typesetter_destroy(setter);
}

FILO_TEST(a_word_is_found_around_a_byte) {
    FiloTypesetter *setter = open_setter();
    const FiloTextLayout *layout = lay_out(setter, PLAIN(0), "one  two.");
    size_t from, to;
    filo_text_word_at(layout, 6, &from, &to);
    assert_int_equal(from, 5);
    assert_int_equal(to, 8);
    filo_text_word_at(layout, 9, &from, &to); // at the end: what is before
    assert_int_equal(from, 8);
    assert_int_equal(to, 9);
    filo_text_word_at(lay_out(setter, PLAIN(0), ""), 0, &from, &to);
    assert_int_equal(to, 0);
    filo_typesetter_destroy(setter);
}

static void expect_word(FiloTypesetter *setter, const char *text, size_t byte, size_t from, size_t to) {
    size_t found[2];
    filo_text_word_at(lay_out(setter, PLAIN(0), text), byte, &found[0], &found[1]);
    if (found[0] != from || found[1] != to)
        fail_msg("\"%s\": the word at byte %zu is %zu to %zu, not %zu to %zu", text, byte, found[0], found[1],
                 from, to);
}

FILO_TEST(a_run_of_spaces_and_a_hebrew_word_with_quotes_are_one_word) {
    FiloTypesetter *setter = open_setter();
    expect_word(setter, "one   two", 4, 3, 6);
    expect_word(setter, "one \t two", 3, 3, 4);
    expect_word(setter, ALEF "   " BET, 3, 2, 5);
    expect_word(setter, ALEF " \xE3\x80\x80 " BET, 2, 2, 7); // an ideographic space
    expect_word(setter, ALEF "' a", 0, 0, 3);
    expect_word(setter, ALEF BET "\"" GIMEL " a", 4, 0, 7);
    expect_word(setter, ALEF BET "\" a", 0, 0, 4);
    filo_typesetter_destroy(setter);
}

// In an embedding from right to left, and a paragraph from left to right, a space at the end goes to the right. One with
// a mark is seen, and stays in the embedding.
FILO_TEST(a_mark_on_a_space_at_the_end_of_a_line_stands_where_its_text_is_read) {
    FiloTypesetter *setter = open_setter();
    const FiloTextLayout *layout =
        lay_out(setter, PLAIN(.direction = FILO_TEXT_LTR), "a\xE2\x80\xAB" ALEF " \xCC\x80");
    size_t count, space = 0, alef = 0;
    const FiloTextGlyph *glyphs = filo_text_glyphs(layout, &count);
    for (size_t i = 0; i < count; i++) {
        if (glyphs[i].byte == 6) space = i;
        if (glyphs[i].byte == 4) alef = i;
    }
    assert_true(glyphs[space].x < glyphs[alef].x);
    filo_typesetter_destroy(setter);
}

FILO_TEST(steps_by_lines_keep_the_column) {
    FiloTypesetter *setter = open_setter();
    const FiloTextLayout *layout = lay_out(setter, PLAIN(0), "abcd\nx\nefgh");
    assert_int_equal(filo_text_move(layout, 1, FILO_TEXT_LINE, 1), 6);
    assert_int_equal(filo_text_move(layout, 3, FILO_TEXT_LINE, 1), 6); // the line is shorter
    assert_int_equal(filo_text_move_line(layout, 6, 1, 24), 10);
    assert_int_equal(filo_text_move(layout, 10, FILO_TEXT_LINE, -1), 6);
    assert_int_equal(filo_text_move(layout, 2, FILO_TEXT_LINE, -1), 0); // there is none above
    assert_int_equal(filo_text_move(layout, 8, FILO_TEXT_LINE, 1), 11);
    assert_int_equal(filo_text_move(layout, 6, FILO_TEXT_LINE_EDGE, -1), 5);
    assert_int_equal(filo_text_move(layout, 1, FILO_TEXT_LINE_EDGE, 1), 4);
    assert_int_equal(filo_text_move(layout, 8, FILO_TEXT_LINE_EDGE, 1), 11);
    assert_int_equal(filo_text_move(layout, 8, FILO_TEXT_EDGE, -1), 0);
    assert_int_equal(filo_text_move(layout, 1, FILO_TEXT_EDGE, 1), 11);
    assert_int_equal(filo_text_move(layout, 3, FILO_TEXT_WORD, 0), 3);
    filo_typesetter_destroy(setter);
}

FILO_TEST(the_caret_after_a_wrapped_line_is_in_the_next) {
    FiloTypesetter *setter = open_setter();
    const FiloTextLayout *layout = lay_out(setter, PLAIN(.width = 30), "abc def");
    assert_string_equal(line_starts(layout), "0 4");
    assert_int_equal(filo_text_caret(layout, 4).line, 1);
    assert_float_equal(caret_x(layout, 4), 0, 0);
    assert_float_equal(caret_x(layout, 3), 24, 0); // before the space, at the end of the first line
    assert_int_equal(filo_text_move(layout, 0, FILO_TEXT_LINE_EDGE, 1), 3);
    filo_typesetter_destroy(setter);
}

// ---- Selections -----------------------------------------------------------------------------------------

FILO_TEST(a_selection_is_divided_where_directions_mix) {
    FiloTypesetter *setter = open_setter();
    const FiloTextLayout *layout = lay_out(setter, PLAIN(0), "ab" ALEF BET "c");
    FiloRect rects[4];
    assert_int_equal(filo_text_selection(layout, 0, 7, rects, 4), 1); // all of it
    assert_float_equal(rects[0].min.x, 0, 0);
    assert_float_equal(rects[0].max.x, 40, 0);
    assert_float_equal(rects[0].max.y, 16, 0);
    assert_int_equal(filo_text_selection(layout, 4, 1, rects, 4), 2); // "b", alef
    assert_float_equal(rects[0].min.x, 8, 0);
    assert_float_equal(rects[0].max.x, 16, 0);
    assert_float_equal(rects[1].min.x, 24, 0);
    assert_float_equal(rects[1].max.x, 32, 0);
    assert_int_equal(filo_text_selection(layout, 3, 3, rects, 4), 0);
    assert_int_equal(filo_text_selection(layout, 4, 1, NULL, 0), 2);
    filo_typesetter_destroy(setter);
}

FILO_TEST(a_selection_covers_each_line) {
    FiloTypesetter *setter = open_setter();
    FiloRect rects[4];
    const FiloTextLayout *layout = lay_out(setter, PLAIN(0), "abc\ndef\nghi");
    assert_int_equal(filo_text_selection(layout, 1, 9, rects, 4), 3);
    assert_float_equal(rects[0].min.x, 8, 0);
    assert_float_equal(rects[1].max.x, 24, 0);
    assert_float_equal(rects[2].max.x, 8, 0);
    assert_float_equal(rects[2].min.y, 32, 0);
    filo_typesetter_destroy(setter);
}

// ---- Cases of Unicode -----------------------------------------------------------------------------------

// Separators and the spaces before them have the level of the paragraph: a layout does that with tabs, and with the end of
// each line.
static void level_spaces(TextWork *work) {
    const TextParagraph *paragraph = &work->paragraphs.items[0];
    bool ends = true;
    for (size_t i = paragraph->end; i-- > 0;) {
        FriBidiCharType type = fribidi_get_bidi_type(work->characters.items[i]);
        bool separates = FRIBIDI_IS_SEPARATOR(type);
        ends = separates || (ends && (FRIBIDI_IS_EXPLICIT_OR_BN_OR_WS(type) || FRIBIDI_IS_ISOLATE(type)));
        if (ends) work->levels.items[i] = paragraph->level;
    }
}

// A line is "05D0 0028;2;1;1 x": characters, direction (2: of the text), level of the paragraph, and of each character; x: any.
static bool has_levels(TextWork *work, char *line) {
    filo_array_clear(&work->characters);
    while (*line != ';') assert_true(filo_array_push(&work->characters, (uint32_t)strtoul(line, &line, 16)));
    static const FiloTextDirection directions[] = { FILO_TEXT_LTR, FILO_TEXT_RTL, FILO_TEXT_AUTO };
    assert_true(text_analyse(work, directions[strtoul(line + 1, &line, 10)]));
    level_spaces(work);
    bool right = work->paragraphs.items[0].level == strtoul(line + 1, &line, 10);
    line++;
    for (size_t i = 0; i < work->characters.count; i++) {
        line += *line == ' ';
        if (*line == 'x')
            line++;
        else
            right = strtoul(line, &line, 10) == work->levels.items[i] && right;
    }
    return right;
}

FILO_TEST(levels_are_those_of_all_cases_of_unicode) {
    FiloFileData file;
    if (filo_file_read(&file, "/usr/share/unicode/BidiCharacterTest.txt", NULL).code != FILO_OK)
        skip_because("the package unicode-data is not installed");
    TextWork work = { 0 };
    assert_true(text_work_init(&work, filo_heap()));
    size_t cases = 0, right = 0;
    for (char *line = strtok(file.text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        if (*line == '#') continue;
        cases++;
        right += has_levels(&work, line);
    }
    print_message("%zu of %zu cases\n", right, cases);
    assert_in_range(cases, 50000, 200000);
    assert_int_equal(right, cases);
    text_work_deinit(&work);
    filo_file_free(&file);
}
