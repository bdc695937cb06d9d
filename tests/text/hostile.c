// Texts and styles out of the ordinary: the result is defined, and takes time in proportion to the text. (A text that
// took quadratic time would not end before the tests are stopped.)

#include "support/warnings.h"
#include "text/fixture.h"

#include <math.h>
#include <stdlib.h>

static char *repeated(const char *part, size_t times) {
    size_t length = strlen(part);
    char *text = malloc(length * times + 1);
    assert_non_null(text);
    for (size_t i = 0; i < times; i++) memcpy(text + i * length, part, length);
    text[length * times] = '\0';
    return text;
}

// Lays a repeated text out in some ways; every layout covers all of it.
static void lay_out_repeated(FiloTypesetter *setter, const char *part, size_t times) {
    char *text = repeated(part, times);
    size_t length = strlen(text);
    const FiloTextStyle styles[] = { { .width = 0 }, { .width = 300 }, { .width = 300, .max_lines = 2 } };
    for (size_t i = 0; i < FILO_COUNT_OF(styles); i++) {
        const FiloTextLayout *layout = lay_out(setter, styles[i], text);
        size_t count;
        const FiloTextLine *lines = filo_text_lines(layout, &count);
        assert_int_equal(lines[0].first_byte, 0);
        assert_int_equal(filo_text_move(layout, 0, FILO_TEXT_EDGE, 1), length);
        if (styles[i].max_lines == 0) assert_int_equal(lines[count - 1].end_byte, length);
        FiloTextCaret caret = filo_text_caret(layout, length / 2);
        assert_true(isfinite(caret.top.x) && isfinite(caret.top.y));
        filo_text_hit(layout, filo_vec2(100, 1000), NULL);
        filo_typesetter_update(setter);
        filo_typesetter_update(setter);
        filo_typesetter_update(setter);
    }
    free(text);
}

FILO_TEST(a_megabyte_without_a_space) {
    FiloTypesetter *setter = open_setter();
    lay_out_repeated(setter, "a", FILO_MIB(1));
    filo_typesetter_destroy(setter);
}

FILO_TEST(half_a_megabyte_of_ligatures_without_a_space) {
    FiloTypesetter *setter = open_setter_with(DEJAVU);
    lay_out_repeated(setter, "ffi", FILO_KIB(170));
    filo_typesetter_destroy(setter);
}

FILO_TEST(a_word_of_arabic_that_never_ends) {
    FiloTypesetter *setter = open_setter_with(ARABIC);
    lay_out_repeated(setter, "بسم", FILO_KIB(32));
    filo_typesetter_destroy(setter);
}

FILO_TEST(thai_that_never_ends) {
    FiloTypesetter *setter = open_setter_with(THAI);
    lay_out_repeated(setter, "การ", FILO_KIB(8));
    filo_typesetter_destroy(setter);
}

FILO_TEST(ten_thousand_marks_on_one_letter) {
    FiloTypesetter *setter = open_setter_with(DEJAVU);
    char *marks = repeated("\xCC\x81", 10000);
    char *text = malloc(strlen(marks) + 2);
    assert_non_null(text);
    sprintf(text, "e%s", marks);
    const FiloTextLayout *layout = lay_out(setter, PLAIN(.width = 100), text);
    assert_int_equal(filo_text_letter_count(layout), 1);
    assert_int_equal(filo_text_move(layout, 0, FILO_TEXT_LETTER, 1), strlen(text));
    free(text);
    free(marks);
    filo_typesetter_destroy(setter);
}

FILO_TEST(deep_embeddings_and_many_brackets) {
    FiloTypesetter *setter = open_setter();
    lay_out_repeated(setter,
                     "\xE2\x80\xAB"
                     "a(",
                     10000); // embedded from right to left, again and again
    lay_out_repeated(setter,
                     "\xD7\x90"
                     "a",
                     10000); // a change of direction at each letter
    lay_out_repeated(setter, "(", 50000);
    filo_typesetter_destroy(setter);
}

FILO_TEST(many_lines_and_many_flags) {
    FiloTypesetter *setter = open_setter();
    lay_out_repeated(setter, "\n", 100000);
    lay_out_repeated(setter, "\xF0\x9F\x87\xA9", 30000);             // regional indicators, without an end
    lay_out_repeated(setter, "\xF0\x9F\x91\xA9\xE2\x80\x8D", 20000); // emoji, joined without an end
    lay_out_repeated(setter, "\xC2\xAD", 30000);
    filo_typesetter_destroy(setter);
}

FILO_TEST(invalid_utf8_is_shown_as_replacement_characters) {
    FiloTypesetter *setter = open_setter();
    const struct {
        const char *text;
        uint32_t letters;
    } cases[] = {
        { "a\xFFz", 3 },       { "\xC0\x80", 2 },         { "\xE2\x82", 1 }, { "\xF0\x90\x80z", 2 },
        { "\xED\xA0\x80", 3 }, { "\xF5\x80\x80\x80", 4 }, { "\x80\x81", 2 },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        const FiloTextLayout *layout = lay_out(setter, PLAIN(0), cases[i].text);
        assert_int_equal(filo_text_letter_count(layout), cases[i].letters);
    }
    filo_typesetter_destroy(setter);
}

FILO_TEST(zeroes_and_control_characters_show_nothing) {
    FiloTypesetter *setter = open_setter();
    const FiloTextLayout *layout =
        filo_text_layout(setter, NULL, filo_string_from("a\0\x01\x1B\x7F\xC2\x80z", 8));
    assert_non_null(layout);
    assert_float_equal(filo_rect_size(filo_text_bounds(layout)).x, 16, 0);
    assert_int_equal(filo_text_move(layout, 0, FILO_TEXT_EDGE, 1), 8);
    filo_typesetter_destroy(setter);
}

FILO_TEST(random_bytes_are_texts) {
    FiloTypesetter *setter = open_setter_with(DEJAVU);
    uint64_t random = 1;
    for (int i = 0; i < 300; i++) {
        char bytes[200];
        for (size_t k = 0; k < sizeof bytes; k++) {
            random = filo_hash_u64(random);
            // Mostly letters of two and three bytes, and brackets.
            bytes[k] = (char)(random % 4 == 0 ? "[/]=bi \n"[random / 8 % 8] : (char)(random >> 40));
        }
        FiloTextStyle style = { .markup = i % 2 == 0, .width = (float)(i % 7) * 30, .max_lines = i % 5 };
        const FiloTextLayout *layout =
            filo_text_layout(setter, &style, filo_string_from(bytes, sizeof bytes));
        assert_non_null(layout);
        for (size_t byte = 0; byte < sizeof bytes;) {
            size_t next = filo_text_move(layout, byte, FILO_TEXT_LETTER, 1);
            assert_true(next >= byte);
            if (next == byte) break;
            byte = next;
        }
        filo_typesetter_update(setter);
    }
    filo_typesetter_destroy(setter);
}

FILO_TEST(numbers_that_make_no_sense_are_replaced) {
    FiloTypesetter *setter = open_setter();
    const float numbers[] = { NAN, INFINITY, -INFINITY, -1, 0, 1e30f, 1e-30f };
    for (size_t i = 0; i < FILO_COUNT_OF(numbers); i++) {
        float n = numbers[i];
        const FiloTextStyle styles[] = {
            { .size = n },
            { .width = n },
            { .height = n },
            { .line_spacing = n },
            { .letter_spacing = n },
            { .tab = n },
            { .hidden = n },
            { .align = (FiloTextAlign)99, .wrap = (FiloTextWrap)-1 },
            { .max_lines = -7, .vertical = (FiloTextVertical)77, .direction = (FiloTextDirection)88 },
        };
        for (size_t k = 0; k < FILO_COUNT_OF(styles); k++) {
            FiloRect bounds = filo_text_bounds(lay_out(setter, styles[k], "one\ttwo three\nfour"));
            assert_true(isfinite(bounds.min.x) && isfinite(bounds.min.y) && isfinite(bounds.max.x) &&
                        isfinite(bounds.max.y));
        }
        const FiloTextLayout *layout = lay_out(setter, PLAIN(0), "abc");
        filo_text_hit(layout, filo_vec2(n, n), NULL);
        assert_in_range(filo_text_letters_shown(layout, n), 0, 3);
    }
    assert_float_equal(filo_text_size(setter, &PLAIN(.size = NAN), "a").x, 8, 0);
    assert_float_equal(filo_text_size(setter, &PLAIN(.size = 1e30f), "a").x, FILO_TEXT_SIZE_MAX / 2, 0);
    filo_typesetter_destroy(setter);
}

FILO_TEST(numbers_that_make_no_sense_are_reported_once) {
    FiloTypesetter *setter = open_setter();
    expect_no_warning(
        lay_out(setter, PLAIN(.size = 1e30f, .line_spacing = -1, .letter_spacing = -0.1f), "a"));
    expect_warning(
        "a text of size nan, width 0, height -1, line spacing 0, letter spacing 0, tab 0: sizes below 0 "
        "and what is not a number count as 0",
        {
            lay_out(setter, PLAIN(.size = NAN, .height = -1), "a");
            lay_out(setter, PLAIN(.width = -INFINITY), "b");
        });
    filo_typesetter_destroy(setter);
}

FILO_TEST(a_text_of_more_than_4_mib_is_cut) {
    FiloTypesetter *setter = open_setter();
    char *text = repeated("\n", FILO_TEXT_BYTES_MAX + 100);
    const FiloTextLayout *layout = lay_out(setter, PLAIN(.max_lines = 1), text);
    assert_int_equal(filo_text_move(layout, 0, FILO_TEXT_EDGE, 1), FILO_TEXT_BYTES_MAX);
    free(text);
    filo_typesetter_destroy(setter);
}
