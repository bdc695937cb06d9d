// Lines: where they end, how wide and high they are, where they stand. Mostly in the built-in font, whose letters are 8
// wide and whose lines are 16 high.

#include "text/fixture.h"

FILO_TEST(a_text_has_the_size_of_its_letters) {
    FiloTypesetter *setter = open_setter();
    FiloVec2 size = filo_text_size(setter, NULL, "Hello");
    assert_float_equal(size.x, 40, 0);
    assert_float_equal(size.y, 16, 0);
    size = filo_text_size(setter, &PLAIN(.size = 32), "Hello\nyou");
    assert_float_equal(size.x, 80, 0);
    assert_float_equal(size.y, 64, 0);
    size = filo_text_size(setter, NULL, "");
    assert_float_equal(size.x, 0, 0);
    assert_float_equal(size.y, 16, 0);
    filo_typesetter_destroy(setter);
}

FILO_TEST(lines_end_between_words) {
    FiloTypesetter *setter = open_setter();
    const FiloTextLayout *layout = lay_out(setter, PLAIN(.width = 48), "one two three four");
    assert_string_equal(line_starts(layout), "0 4 8 14");
    // As many as fit: "one two" is 56 wide.
    assert_string_equal(line_starts(lay_out(setter, PLAIN(.width = 56), "one two three four")), "0 8 14");
    assert_string_equal(line_starts(lay_out(setter, PLAIN(.width = 55), "one two three four")), "0 4 8 14");
    // Spaces at the end of a line take no room.
    size_t count;
    const FiloTextLine *lines = filo_text_lines(layout, &count);
    assert_float_equal(lines[0].width, 24, 0);
    assert_int_equal(lines[0].end_byte, 4);
    filo_typesetter_destroy(setter);
}

FILO_TEST(long_words_are_broken_between_letters) {
    FiloTypesetter *setter = open_setter();
    assert_string_equal(line_starts(lay_out(setter, PLAIN(.width = 40), "abcdefghijkl")), "0 5 10");
    assert_string_equal(line_starts(lay_out(setter, PLAIN(.width = 40), "ab cdefghijkl")), "0 3 8");
    // Narrower than a letter: one a line.
    assert_string_equal(line_starts(lay_out(setter, PLAIN(.width = 3), "abc")), "0 1 2");
    assert_string_equal(
        line_starts(lay_out(setter, PLAIN(.width = 40, .wrap = FILO_TEXT_WRAP_LETTERS), "abc def")), "0 5");
    assert_string_equal(
        line_starts(lay_out(setter, PLAIN(.width = 40, .wrap = FILO_TEXT_WRAP_NEVER), "abc def")), "0");
    filo_typesetter_destroy(setter);
}

FILO_TEST(all_line_ends_begin_a_line) {
    FiloTypesetter *setter = open_setter();
    assert_string_equal(line_starts(lay_out(setter, PLAIN(0), "a\nb\r\nc\rd\n")), "0 2 5 7 9");
    assert_string_equal(line_starts(lay_out(setter, PLAIN(0),
                                            "a\xE2\x80\xA8"
                                            "b\xE2\x80\xA9"
                                            "c\xC2\x85"
                                            "d")),
                        "0 4 8 11");
    assert_string_equal(line_starts(lay_out(setter, PLAIN(0), "\n\n")), "0 1 2");
    filo_typesetter_destroy(setter);
}

FILO_TEST(lines_do_not_end_where_unicode_forbids_it) {
    FiloTypesetter *setter = open_setter();
    // Not before a comma or a closing bracket, not after an opening one, not at a fixed space.
    assert_string_equal(line_starts(lay_out(setter, PLAIN(.width = 48), "aaa (b), ccc")), "0 4 9");
    assert_string_equal(line_starts(lay_out(setter, PLAIN(.width = 48),
                                            "aaa b\xC2\xA0"
                                            "c ddd")),
                        "0 4 9");
    // After a hyphen, but not inside of a number.
    assert_string_equal(line_starts(lay_out(setter, PLAIN(.width = 48), "well-known")), "0 5");
    filo_typesetter_destroy(setter);
}

FILO_TEST(soft_hyphens_are_shown_only_at_the_end_of_a_line) {
    FiloTypesetter *setter = open_setter();
    const char *text = "foot\xC2\xAD"
                       "ball"; // soft hyphen
    size_t count;
    const FiloTextLayout *layout = lay_out(setter, PLAIN(0), text);
    assert_float_equal(filo_rect_size(filo_text_bounds(layout)).x, 64, 0);
    layout = lay_out(setter, PLAIN(.width = 40), text);
    assert_string_equal(line_starts(layout), "0 6");
    const FiloTextLine *lines = filo_text_lines(layout, &count);
    assert_float_equal(lines[0].width, 40, 0);
    const FiloTextGlyph *glyphs = filo_text_glyphs(layout, &count);
    assert_int_equal(glyphs[lines[0].first_glyph + lines[0].glyph_count - 1].glyph, '-');
    // Where there is no room for it, the word is broken without.
    layout = lay_out(setter, PLAIN(.width = 39), text);
    assert_string_equal(line_starts(layout), "0 6");
    assert_float_equal(filo_text_lines(layout, &count)[0].width, 32, 0);
    // With a shorter word before, it is not broken there.
    assert_string_equal(line_starts(lay_out(setter, PLAIN(.width = 79),
                                            "go to foot\xC2\xAD"
                                            "ball")),
                        "0 6");
    filo_typesetter_destroy(setter);
}

FILO_TEST(tabs_go_to_the_next_stop) {
    FiloTypesetter *setter = open_setter();
    size_t count;
    const FiloTextGlyph *glyphs = filo_text_glyphs(lay_out(setter, PLAIN(0), "a\tb\tc"), &count);
    assert_int_equal(count, 3);
    assert_float_equal(glyphs[1].x, 64, 0);
    assert_float_equal(glyphs[2].x, 128, 0);
    glyphs = filo_text_glyphs(lay_out(setter, PLAIN(.tab = 1), "aa\tb"),
                              &count); // a stop is reached: the next one
    assert_float_equal(glyphs[2].x, 32, 0);
    filo_typesetter_destroy(setter);
}

// ---- Alignment ------------------------------------------------------------------------------------------

static float first_x(FiloTypesetter *setter, FiloTextStyle style, const char *text) {
    size_t count;
    return filo_text_lines(lay_out(setter, style, text), &count)[0].x;
}

FILO_TEST(lines_are_aligned_at_the_position) {
    FiloTypesetter *setter = open_setter();
    assert_float_equal(first_x(setter, PLAIN(.align = FILO_TEXT_LEFT), "abc"), 0, 0);
    assert_float_equal(first_x(setter, PLAIN(.align = FILO_TEXT_CENTRE), "abc"), -12, 0);
    assert_float_equal(first_x(setter, PLAIN(.align = FILO_TEXT_RIGHT), "abc"), -24, 0);
    assert_float_equal(first_x(setter, PLAIN(.align = FILO_TEXT_CENTRE, .size = 17), "abc"), -12.75f, 0);
    assert_float_equal(first_x(setter, PLAIN(.align = FILO_TEXT_CENTRE_SNAPPED, .size = 17), "abc"), -13, 0);
    assert_float_equal(first_x(setter, PLAIN(.align = FILO_TEXT_RIGHT_SNAPPED, .size = 17), "abc"), -25, 0);
    assert_float_equal(first_x(setter, PLAIN(.align = FILO_TEXT_END, .width = 100), "abc"), 76, 0);
    assert_float_equal(
        first_x(setter, PLAIN(.align = FILO_TEXT_START, .width = 100, .direction = FILO_TEXT_RTL), "abc"), 76,
        0);
    assert_float_equal(
        first_x(setter, PLAIN(.align = FILO_TEXT_END, .width = 100, .direction = FILO_TEXT_RTL), "abc"), 0,
        0);
    filo_typesetter_destroy(setter);
}

FILO_TEST(vertical_alignment_chooses_what_is_at_the_position) {
    FiloTypesetter *setter = open_setter();
    const struct {
        FiloTextVertical vertical;
        float y;
    } cases[] = {
        { FILO_TEXT_TOP, 12 }, { FILO_TEXT_MIDDLE, -4 }, { FILO_TEXT_BOTTOM, -20 }, { FILO_TEXT_BASELINE, 0 }
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        size_t count;
        const FiloTextLine *lines =
            filo_text_lines(lay_out(setter, PLAIN(.vertical = cases[i].vertical), "a\nb"), &count);
        assert_float_equal(lines[0].y, cases[i].y, 0);
        assert_float_equal(lines[1].y, cases[i].y + 16, 0);
    }
    filo_typesetter_destroy(setter);
}

FILO_TEST(line_spacing_multiplies_the_distance_of_baselines) {
    FiloTypesetter *setter = open_setter();
    size_t count;
    const FiloTextLine *lines = filo_text_lines(lay_out(setter, PLAIN(.line_spacing = 1.5f), "a\nb"), &count);
    assert_float_equal(lines[0].y, 12, 0);
    assert_float_equal(lines[1].y, 36, 0);
    filo_typesetter_destroy(setter);
}

FILO_TEST(letter_spacing_follows_each_letter) {
    FiloTypesetter *setter = open_setter();
    assert_float_equal(filo_text_size(setter, &PLAIN(.letter_spacing = 0.25f), "abc").x, 36, 0);
    filo_typesetter_destroy(setter);
}

FILO_TEST(letter_spacing_takes_ligatures_apart) {
    FiloTypesetter *setter = open_setter_with(DEJAVU);
    size_t joined, apart;
    filo_text_glyphs(lay_out(setter, PLAIN(0), "office"), &joined);
    filo_text_glyphs(lay_out(setter, PLAIN(.letter_spacing = 0.1f), "office"), &apart);
    assert_in_range(joined, 1, 5);
    assert_int_equal(apart, 6);
    filo_typesetter_destroy(setter);
}

FILO_TEST(justified_lines_fill_the_box) {
    FiloTypesetter *setter = open_setter();
    size_t count;
    const FiloTextLayout *layout =
        lay_out(setter, PLAIN(.width = 72, .align = FILO_TEXT_JUSTIFY), "a bc d efghij k");
    assert_string_equal(line_starts(layout), "0 7");
    const FiloTextLine *lines = filo_text_lines(layout, &count);
    assert_float_equal(lines[0].width, 72, 0);
    assert_float_equal(lines[1].width, 64, 0); // the last one is not stretched
    const FiloTextGlyph *glyphs = filo_text_glyphs(layout, &count);
    assert_float_equal(glyphs[2].x, 28, 0); // each of two spaces got 12 more
    assert_float_equal(glyphs[5].x, 64, 0);
    filo_typesetter_destroy(setter);
}

// ---- Ellipsis -------------------------------------------------------------------------------------------

FILO_TEST(text_that_does_not_fit_ends_in_an_ellipsis) {
    FiloTypesetter *setter = open_setter();
    size_t count;
    const FiloTextLayout *layout = lay_out(setter, PLAIN(.width = 64, .max_lines = 1), "one two three");
    assert_true(filo_text_is_cut(layout));
    const FiloTextLine *lines = filo_text_lines(layout, &count);
    assert_int_equal(count, 1);
    assert_float_equal(lines[0].width, 64, 0); // "one t..."
    assert_int_equal(lines[0].end_byte, 5);
    const FiloTextGlyph *glyphs = filo_text_glyphs(layout, &count);
    assert_int_equal(count, 8);
    assert_int_equal(glyphs[7].glyph, '.');
    // What fits is not cut.
    assert_false(filo_text_is_cut(lay_out(setter, PLAIN(.width = 64, .max_lines = 1), "one two")));
    assert_false(filo_text_is_cut(lay_out(setter, PLAIN(.width = 64, .max_lines = 2), "one two three")));
    // Spaces are not left before the ellipsis.
    lines = filo_text_lines(lay_out(setter, PLAIN(.width = 56, .max_lines = 1), "one two three"), &count);
    assert_int_equal(lines[0].end_byte, 3);
    filo_typesetter_destroy(setter);
}

FILO_TEST(height_limits_lines_as_max_lines_does) {
    FiloTypesetter *setter = open_setter();
    size_t count;
    const FiloTextLayout *layout = lay_out(setter, PLAIN(.height = 40), "a\nb\nc");
    filo_text_lines(layout, &count);
    assert_int_equal(count, 2);
    assert_true(filo_text_is_cut(layout));
    layout = lay_out(setter, PLAIN(.height = 48), "a\nb\nc");
    filo_text_lines(layout, &count);
    assert_int_equal(count, 3);
    assert_false(filo_text_is_cut(layout));
    layout = lay_out(setter, PLAIN(.height = 1), "a\nb\nc"); // the first line is always there
    filo_text_lines(layout, &count);
    assert_int_equal(count, 1);
    filo_typesetter_destroy(setter);
}

FILO_TEST(lines_that_are_never_wrapped_are_cut_one_by_one) {
    FiloTypesetter *setter = open_setter();
    const FiloTextLayout *layout = lay_out(
        setter, PLAIN(.width = 40, .max_lines = 9, .wrap = FILO_TEXT_WRAP_NEVER), "abcdefgh\nabc\nabcdefgh");
    size_t count;
    const FiloTextLine *lines = filo_text_lines(layout, &count);
    assert_int_equal(count, 3);
    assert_int_equal(lines[0].end_byte, 2);
    assert_int_equal(lines[1].end_byte, 12);
    assert_int_equal(lines[2].end_byte, 15);
    filo_typesetter_destroy(setter);
}

FILO_TEST(an_ellipsis_may_be_all_that_fits) {
    FiloTypesetter *setter = open_setter();
    size_t count;
    const FiloTextGlyph *glyphs =
        filo_text_glyphs(lay_out(setter, PLAIN(.width = 5, .max_lines = 1), "abc def"), &count);
    assert_int_equal(count, 3);
    assert_int_equal(glyphs[0].glyph, '.');
    filo_typesetter_destroy(setter);
}

// ---- Scripts --------------------------------------------------------------------------------------------

FILO_TEST(thai_is_wrapped_between_words_of_a_dictionary) {
    FiloTypesetter *setter = open_setter_with(THAI);
    // "travel" "that" "great": none of them is divided.
    const char *text = "การเดินทางที่ยิ่งใหญ่";
    const FiloTextLayout *layout = lay_out(setter, PLAIN(.width = 75), text);
    size_t count;
    const FiloTextLine *lines = filo_text_lines(layout, &count);
    assert_in_range(count, 2, 4);
    for (size_t i = 1; i < count; i++) {
        size_t at = lines[i].first_byte;
        // Words begin at "เดินทาง" (9), "ที่" (30) and "ยิ่งใหญ่" (39); libthai may join the first two.
        assert_true(at == 9 || at == 30 || at == 39);
    }
    filo_typesetter_destroy(setter);
}

FILO_TEST(japanese_is_wrapped_between_ideographs_but_not_before_small_signs) {
    FiloTypesetter *setter = open_setter_with(JAPANESE);
    // Each is 16 wide. The full stop must not begin a line.
    assert_string_equal(line_starts(lay_out(setter, PLAIN(.width = 65), "旅行は楽。しい")), "0 9");
    assert_string_equal(line_starts(lay_out(setter, PLAIN(.width = 65), "旅行は楽し。い")), "0 12");
    filo_typesetter_destroy(setter);
}

FILO_TEST(a_line_that_ends_inside_of_a_ligature_is_shaped_again) {
    FiloTypesetter *setter = open_setter_with(DEJAVU);
    // "ffi" is one glyph; broken between its letters, each line shows its own.
    float width = filo_text_size(setter, NULL, "of").x;
    size_t count;
    const FiloTextLayout *layout = lay_out(setter, PLAIN(.width = width + 1), "offi");
    assert_string_equal(line_starts(layout), "0 2");
    const FiloTextLine *lines = filo_text_lines(layout, &count);
    assert_float_equal(lines[0].width, width, 0.001);
    filo_typesetter_destroy(setter);
}

FILO_TEST(a_text_fits_into_the_width_that_was_measured) {
    FiloTypesetter *setter = open_setter_with(DEJAVU);
    static const char *const texts[] = { "Voyage to Ithaca", "office AVAToday",
                                         "a b c d e f g h i j k l m n o p" };
    for (size_t i = 0; i < FILO_COUNT_OF(texts); i++)
        for (float size = 7; size < 40; size += 0.7f) {
            float width = filo_text_size(setter, &PLAIN(.size = size), texts[i]).x;
            assert_string_equal(line_starts(lay_out(setter, PLAIN(.size = size, .width = width), texts[i])),
                                "0");
        }
    filo_typesetter_destroy(setter);
}

FILO_TEST(positions_scale_with_the_size) {
    FiloTypesetter *setter = open_setter_with(DEJAVU);
    float small = filo_text_size(setter, &PLAIN(.size = 1), "AVAToday office").x;
    assert_float_equal(filo_text_size(setter, &PLAIN(.size = 1024), "AVAToday office").x, small * 1024, 0.1);
    filo_typesetter_destroy(setter);
}
