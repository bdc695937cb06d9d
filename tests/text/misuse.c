// Mistakes of callers: each has a sentence that says what to do, and does no harm.

#include "support/warnings.h"
#include "text/fixture.h"

FILO_TEST(a_typesetter_is_needed) {
    const char *message = "pass the typesetter that filo_typesetter_create returned";
    expect_mistake("pass a place for the typesetter",
                   filo_typesetter_create(NULL, &(FiloTypesetterDesc){ 0 }));
    FiloTypesetter *setter = (FiloTypesetter *)1;
    expect_mistake("pass a description of the typesetter", filo_typesetter_create(&setter, NULL));
    assert_null(setter);
    expect_fault(message, filo_typesetter_update(NULL));
    expect_fault(message, assert_null(filo_text_layout(NULL, NULL, FILO_STRING("a"))));
    expect_fault(message, assert_float_equal(filo_text_size(NULL, NULL, "a").x, 0, 0));
    expect_fault(message, filo_font_metrics(NULL, (FiloName){ 0 }, 1));
    expect_fault(message, filo_font_state(NULL, (FiloName){ 0 }));
    expect_fault(message, filo_text_set_default_font(NULL, (FiloName){ 0 }));
    expect_fault(message, filo_text_clear_translations(NULL));
    expect_fault(message, assert_string_equal(filo_text_translate(NULL, "key"), "key"));
    expect_mistake(message, filo_text_add_font(NULL, "a", "b", 1));
    expect_mistake(message, filo_text_add_family(NULL, NULL));
    expect_mistake(message, filo_text_set_fallback(NULL, NULL, 0));
    expect_mistake(message, filo_text_use_translations(NULL, "a"));
    expect_mistake(message, filo_text_add_translations(NULL, "a", FILO_STRING("")));
    filo_typesetter_destroy(NULL);
}

FILO_TEST(descriptions_of_fonts_must_be_complete) {
    FiloTypesetter *setter = open_setter();
    expect_mistake("give the font a name", filo_text_add_font(setter, "", "b", 1));
    expect_mistake("pass the bytes of the font", filo_text_add_font(setter, "a", NULL, 1));
    expect_mistake("pass the path of the font", filo_text_load_font(setter, "a", NULL));
    expect_mistake("give the family a name",
                   filo_text_add_family(setter, &(FiloFontFamily){ .regular = "a" }));
    expect_mistake("the family body needs a regular font",
                   filo_text_add_family(setter, &(FiloFontFamily){ .name = "body", .bold = "a" }));
    expect_mistake("pass up to 32 fallback fonts", filo_text_set_fallback(setter, NULL, 1));
    const char *names[33] = { "a", NULL };
    expect_mistake("pass up to 32 fallback fonts", filo_text_set_fallback(setter, names, 33));
    expect_mistake("fallback font 1 has no name", filo_text_set_fallback(setter, names, 2));
    expect_mistake("pass memory for the path", filo_font_find(NULL, 0, "a"));
    char path[8];
    expect_mistake("pass the name of a font file", filo_font_find(path, sizeof path, NULL));
    filo_typesetter_destroy(setter);
}

FILO_TEST(two_threads_at_once_are_reported) {
    FiloTypesetter *setter = open_setter();
    setter->user = 7; // as if another thread were inside
    const char *message =
        "another thread is using this typesetter: use it on the main thread, not in systems and jobs";
    expect_fault(message, assert_null(filo_text_layout(setter, NULL, FILO_STRING("a"))));
    expect_fault(message, filo_typesetter_update(setter));
    setter->user = 0;
    assert_non_null(filo_text_layout(setter, NULL, FILO_STRING("a")));
    assert_int_equal(setter->user, 0);
    filo_typesetter_destroy(setter);
}

FILO_TEST(a_misspelt_font_is_reported_with_what_was_meant) {
    FiloTypesetter *setter = open_setter_with(DEJAVU);
    assert_ok(filo_text_add_family(setter, &(FiloFontFamily){ .name = "serif", .regular = DEJAVU }));
    expect_warning("there is no font serrif: did you mean \"serif\"?",
                   lay_out(setter, PLAIN(.font = filo_name("serrif")), "a"));
    expect_no_warning(lay_out(setter, PLAIN(.font = filo_name("serrif")), "b"));
    expect_warning("there is no font xyz: add it with filo_text_add_font",
                   lay_out(setter, PLAIN(.font = filo_name("xyz")), "a"));
    filo_typesetter_destroy(setter);
}

FILO_TEST(results_need_a_place) {
    FiloTypesetter *setter = open_setter();
    const FiloTextLayout *layout = lay_out(setter, PLAIN(0), "abc");
    expect_fault("pass a place for the count", assert_null(filo_text_glyphs(layout, NULL)));
    expect_fault("pass a place for the count", assert_null(filo_text_lines(layout, NULL)));
    expect_fault("pass memory for the rectangles", filo_text_selection(layout, 0, 3, NULL, 2));
    size_t from;
    expect_fault("pass places for both ends of the word", filo_text_word_at(layout, 0, &from, NULL));
    expect_fault("pass a step of FiloTextStep, not 99",
                 assert_int_equal(filo_text_move(layout, 1, (FiloTextStep)99, 1), 1));
    expect_fault("pass a place for the colour", filo_text_parse_color(FILO_STRING("red"), NULL));
    expect_fault("pass memory for the text", filo_text_escape(NULL, 3, FILO_STRING("a")));
    expect_fault("pass memory for the text", filo_text_translate_format(setter, NULL, 3, "a", NULL, 0));
    expect_fault("pass the arguments", filo_text_translate_format(setter, NULL, 0, "a", NULL, 2));
    expect_mistake("name the asset with the translations", filo_text_use_translations(setter, NULL));
    expect_mistake("give the typesetter assets, or use filo_text_add_translations",
                   filo_text_use_translations(setter, "a"));
    expect_mistake("give the table of translations a name",
                   filo_text_add_translations(setter, NULL, FILO_STRING("")));
    filo_typesetter_destroy(setter);
}

FILO_TEST(a_layout_of_null_is_an_empty_text) {
    size_t count = 9, from = 9, to = 9;
    bool inside = true;
    assert_null(filo_text_lines(NULL, &count));
    assert_int_equal(count, 0);
    assert_null(filo_text_glyphs(NULL, &count));
    assert_null(filo_text_icons(NULL, &count));
    assert_null(filo_text_bars(NULL, &count));
    assert_true(filo_rect_is_empty(filo_text_bounds(NULL)));
    assert_false(filo_text_is_cut(NULL));
    assert_int_equal(filo_text_letter_count(NULL), 0);
    assert_int_equal(filo_text_letters_shown(NULL, 0), 0);
    assert_int_equal(filo_text_hit(NULL, filo_vec2(1, 1), &inside), 0);
    assert_false(inside);
    assert_int_equal(filo_text_caret(NULL, 3).line, 0);
    assert_int_equal(filo_text_move(NULL, 3, FILO_TEXT_WORD, 1), 0);
    assert_int_equal(filo_text_move_line(NULL, 3, 1, 0), 0);
    filo_text_word_at(NULL, 3, &from, &to);
    assert_int_equal(to, 0);
    assert_int_equal(filo_text_selection(NULL, 0, 9, NULL, 0), 0);
    assert_int_equal(filo_text_link_at(NULL, filo_vec2(0, 0)).length, 0);
    assert_int_equal(filo_text_link_rects(NULL, 0, NULL, NULL, 0), 0);
}

FILO_TEST(a_text_of_null_is_empty) {
    FiloTypesetter *setter = open_setter();
    const FiloTextLayout *layout = filo_text_layout(setter, NULL, (FiloString){ 0 });
    assert_non_null(layout);
    assert_int_equal(filo_text_letter_count(layout), 0);
    assert_float_equal(filo_text_size(setter, NULL, NULL).y, 16, 0);
    assert_float_equal(filo_text_caret(layout, 0).bottom.y, 16, 0);
    assert_string_equal(filo_text_translate(setter, NULL), "");
    filo_typesetter_destroy(setter);
}
