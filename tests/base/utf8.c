#include <filo/strings.h>

#include "support/failing_allocator.h"
#include "support/test.h"

#define S(literal) FILO_STRING(literal)
#define BAD        FILO_UTF8_REPLACEMENT

FILO_TEST(every_character_survives_encoding_and_decoding) {
    size_t total = 0;
    for (uint32_t c = 0; c <= 0x10FFFF; c++) {
        char bytes[4];
        size_t length = filo_utf8_encode(c, bytes);
        if (c >= 0xD800 && c <= 0xDFFF) {
            assert_int_equal(length, 0);
            continue;
        }
        assert_int_equal(length, c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4);
        uint32_t back = 0;
        assert_int_equal(filo_utf8_decode(filo_string_from(bytes, length), &back), length);
        assert_int_equal(back, c);
        assert_true(filo_utf8_valid(filo_string_from(bytes, length)));
        total += length;
    }
    assert_int_equal(total, 128 + 1920 * 2 + (63488 - 2048) * 3 + 1048576 * 4);
}

FILO_TEST(what_is_no_character_is_not_encoded) {
    static const uint32_t bad[] = { 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x110000, UINT32_MAX };
    for (size_t i = 0; i < FILO_COUNT_OF(bad); i++) {
        char bytes[4] = { 'x', 'x', 'x', 'x' };
        assert_int_equal(filo_utf8_encode(bad[i], bytes), 0);
        assert_memory_equal(bytes, "xxxx", 4);
    }
}

static void assert_decodes(FiloString string, const uint32_t *expected, size_t count) {
    FiloString rest = string;
    size_t i = 0;
    for (uint32_t c; filo_utf8_next(&rest, &c); i++) {
        assert_true(i < count);
        assert_int_equal(c, expected[i]);
    }
    assert_int_equal(i, count);
    assert_int_equal(filo_utf8_count(string), count);
}
#define assert_decoded(string, ...)                                                                          \
    assert_decodes((string), (const uint32_t[]){ __VA_ARGS__ },                                              \
                   FILO_COUNT_OF(((const uint32_t[]){ __VA_ARGS__ })))

FILO_TEST(bad_bytes_are_replaced_as_the_unicode_standard_recommends) {
    assert_decoded(S("aé€🎲"), 'a', 0xE9, 0x20AC, 0x1F3B2);
    // Tables 3-8 to 3-11 of the standard: overlong, surrogates, too large, cut short.
    assert_decoded(S("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41"), BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, 0x41);
    assert_decoded(S("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41"), BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, 0x41);
    assert_decoded(S("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42"), BAD, BAD, BAD, BAD, BAD, 0x41, BAD, BAD, 0x42);
    assert_decoded(S("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41"), BAD, BAD, BAD, BAD, 0x41);
    assert_decoded(S("\0\x80\0"), 0, BAD, 0);
    assert_decoded(S("\xFE\xFF"), BAD, BAD);
    // U+FFFD itself is a valid character
    assert_true(filo_utf8_valid(S("\xEF\xBF\xBD")));
}

FILO_TEST(the_empty_string_has_no_character) {
    uint32_t c = 7;
    FiloString rest = { 0 };
    assert_int_equal(filo_utf8_decode(rest, &c), 0);
    assert_false(filo_utf8_next(&rest, &c));
    assert_int_equal(c, 7);
    assert_true(filo_utf8_valid(rest));
    assert_int_equal(filo_utf8_count(rest), 0);
}

FILO_TEST(the_valid_prefix_is_measured_wherever_it_ends) {
    char text[64];
    for (size_t valid = 0; valid < 40; valid++) {
        memset(text, 'a', sizeof text);
        text[valid] = '\xFF';
        assert_int_equal(filo_utf8_valid_length(filo_string_from(text, sizeof text)), valid);
        assert_false(filo_utf8_valid(filo_string_from(text, sizeof text)));
        assert_true(filo_utf8_valid(filo_string_from(text, valid)));
    }
}

// In memory of exactly their size, so that a sanitizer sees a read past the end.
FILO_TEST(characters_cut_short_are_not_read_past_their_end) {
    static const char *const characters[] = { "é", "€", "🎲", "\xF4\x8F\xBF\xBF" };
    for (size_t i = 0; i < FILO_COUNT_OF(characters); i++) {
        for (size_t length = 1; length < strlen(characters[i]); length++) {
            char *cut = malloc(length);
            memcpy(cut, characters[i], length);
            uint32_t c = 0;
            assert_int_equal(filo_utf8_decode(filo_string_from(cut, length), &c), length);
            assert_int_equal(c, BAD);
            assert_int_equal(filo_utf8_valid_length(filo_string_from(cut, length)), 0);
            free(cut);
        }
    }
}

FILO_TEST(any_bytes_can_be_decoded) {
    uint64_t random = 9;
    for (int round = 0; round < 20000; round++) {
        // Bytes that occur in UTF-8 more often than chance would have them.
        static const unsigned char likely[] = { 0x80, 0xBF, 0xC2, 0xE0, 0xED, 0xEF,
                                                0xF0, 0xF4, 0x9F, 0xA0, 'a' };
        char bytes[24];
        size_t size = test_random(&random) % sizeof bytes;
        for (size_t i = 0; i < size; i++)
            bytes[i] = (char)(test_random(&random) % 4 != 0 ? likely[test_random(&random) % sizeof likely]
                                                            : test_random(&random));
        FiloString rest = filo_string_from(bytes, size);
        size_t valid = filo_utf8_valid_length(rest), at = 0;
        bool still_valid = true;
        for (uint32_t c; rest.length > 0;) {
            size_t length = filo_utf8_decode(rest, &c);
            char again[4];
            assert_in_range(length, 1, FILO_MIN(rest.length, 4));
            // A character is valid if encoding it gives the same bytes.
            still_valid =
                still_valid && filo_utf8_encode(c, again) == length && memcmp(again, rest.data, length) == 0;
            rest = filo_string_slice(rest, length, SIZE_MAX);
            at += length;
            assert_int_equal(at <= valid, still_valid);
        }
        assert_int_equal(at, size);
    }
}

FILO_TEST(cutting_never_divides_a_valid_character) {
    FiloString text = S("aé€🎲z");
    static const size_t expected[] = { 0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11 };
    for (size_t max = 0; max < FILO_COUNT_OF(expected); max++) {
        FiloString cut = filo_utf8_cut(text, max);
        assert_int_equal(cut.length, expected[max]);
        assert_true(filo_utf8_valid(cut));
    }
}

FILO_TEST(cutting_invalid_text_takes_at_most_the_limit_and_little_less) {
    uint64_t random = 10;
    for (int round = 0; round < 20000; round++) {
        char bytes[16];
        for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (char)(0x80 + test_random(&random) % 0x80);
        size_t max = test_random(&random) % 16;
        FiloString cut = filo_utf8_cut(filo_string_from(bytes, sizeof bytes), max);
        assert_true(cut.length <= max && cut.length + 3 >= max);
    }
}
