#include <filo/strings.h>

#include "support/test.h"

#include <stdlib.h>

#define S(literal) FILO_STRING(literal)

static void assert_string(FiloString string, FiloString expected) {
    if (filo_string_equal(string, expected)) return;
    fail_msg("expected \"" FILO_STRING_FORMAT "\", got \"" FILO_STRING_FORMAT "\"",
             FILO_STRING_PRINT(expected), FILO_STRING_PRINT(string));
}

static const FiloString nothing;

FILO_TEST(a_string_is_made_of_a_text_a_literal_or_bytes) {
    assert_int_equal(filo_string("four").length, 4);
    assert_int_equal(filo_string(NULL).length, 0);
    assert_int_equal(S("a\0b").length, 3);
    assert_string(filo_string_from("hello", 4), S("hell"));
}

FILO_TEST(a_slice_never_leaves_the_string) {
    assert_string(filo_string_slice(S("hello"), 1, 3), S("ell"));
    assert_string(filo_string_slice(S("hello"), 3, SIZE_MAX), S("lo"));
    assert_string(filo_string_slice(S("hello"), 5, 1), nothing);
    assert_string(filo_string_slice(S("hello"), SIZE_MAX, SIZE_MAX), nothing);
    assert_string(filo_string_slice(nothing, 0, 5), nothing);
}

FILO_TEST(strings_are_printed_without_a_zero_at_their_end) {
    char text[32];
    snprintf(text, sizeof text, "[" FILO_STRING_FORMAT "|" FILO_STRING_FORMAT "]",
             FILO_STRING_PRINT(filo_string_slice(S("hello"), 0, 2)), FILO_STRING_PRINT(nothing));
    assert_string_equal(text, "[he|]");
}

FILO_TEST(equality_compares_every_byte) {
    assert_true(filo_string_equal(nothing, S("")));
    assert_true(filo_string_equal(S("a\0b"), S("a\0b")));
    assert_false(filo_string_equal(S("a\0b"), S("a\0c")));
    assert_false(filo_string_equal(S("a"), S("a\0")));
    assert_int_equal(filo_string_hash(S("a\0b")), filo_hash("a\0b", 3));
}

FILO_TEST(order_is_by_unsigned_bytes_and_then_by_length) {
    static const struct {
        FiloString a, b;
    } less[] = {
        { { NULL, 0 }, { "a", 1 } },   { { "a", 1 }, { "b", 1 } },           { { "a", 1 }, { "aa", 2 } },
        { { "az", 2 }, { "b", 1 } },   { { "a\0b", 3 }, { "a\0c", 3 } },     { { "a", 1 }, { "a\0", 2 } },
        { { "z", 1 }, { "\x80", 1 } }, { { "\xC3\xA9", 2 }, { "\xE2", 1 } }, { { "Z", 1 }, { "a", 1 } },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(less); i++) {
        assert_int_equal(filo_string_compare(less[i].a, less[i].b), -1);
        assert_int_equal(filo_string_compare(less[i].b, less[i].a), 1);
        assert_int_equal(filo_string_compare(less[i].a, less[i].a), 0);
    }
    assert_int_equal(filo_string_compare(nothing, S("")), 0);
}

FILO_TEST(case_is_ignored_for_ascii_letters_only) {
    assert_true(filo_string_equal_ignoring_case(S("Content-TYPE"), S("content-type")));
    assert_true(filo_string_equal_ignoring_case(S("AZaz"), S("azAZ")));
    assert_false(filo_string_equal_ignoring_case(S("@"), S("`"))); // the neighbours of A and Z
    assert_false(filo_string_equal_ignoring_case(S("["), S("{")));
    assert_false(filo_string_equal_ignoring_case(S("\xC3\x89"), S("\xC3\xA9"))); // É, é
    assert_false(filo_string_equal_ignoring_case(S("ab"), S("abc")));
}

FILO_TEST(beginnings_and_ends_are_recognised) {
    assert_true(filo_string_starts_with(S("crate.png"), S("crate")));
    assert_true(filo_string_starts_with(S("crate.png"), nothing));
    assert_true(filo_string_starts_with(nothing, nothing));
    assert_false(filo_string_starts_with(S("crate"), S("crate.png")));
    assert_false(filo_string_starts_with(S("crate"), S("rate")));
    assert_true(filo_string_ends_with(S("crate.png"), S(".png")));
    assert_true(filo_string_ends_with(S("crate.png"), nothing));
    assert_false(filo_string_ends_with(S("png"), S(".png")));
    assert_false(filo_string_ends_with(S("crate.png"), S("crate")));
}

FILO_TEST(parts_are_found_first_and_last) {
    assert_int_equal(filo_string_find(S("a/b/c"), S("/")), 1);
    assert_int_equal(filo_string_find_last(S("a/b/c"), S("/")), 3);
    assert_int_equal(filo_string_find(S("aaab"), S("aab")), 1);
    assert_int_equal(filo_string_find_last(S("abab"), S("ab")), 2);
    assert_int_equal(filo_string_find(S("x\0y"), S("\0y")), 1);
    assert_int_equal(filo_string_find(S("abc"), S("abcd")), FILO_STRING_NOT_FOUND);
    assert_int_equal(filo_string_find_last(S("abc"), S("abcd")), FILO_STRING_NOT_FOUND);
    assert_int_equal(filo_string_find(S("abc"), S("d")), FILO_STRING_NOT_FOUND);
    assert_int_equal(filo_string_find_last(S("abc"), S("d")), FILO_STRING_NOT_FOUND);
    assert_int_equal(filo_string_find(S("abc"), nothing), 0);
    assert_int_equal(filo_string_find_last(S("abc"), nothing), 3);
    assert_int_equal(filo_string_find(nothing, S("a")), FILO_STRING_NOT_FOUND);
    assert_int_equal(filo_string_find(nothing, nothing), 0);
}

FILO_TEST(trim_removes_white_space_at_both_ends) {
    assert_string(filo_string_trim(S(" \t\r\n\v\f a b \n")), S("a b"));
    assert_string(filo_string_trim(S("a")), S("a"));
    assert_string(filo_string_trim(S("   ")), nothing);
    assert_string(filo_string_trim(nothing), nothing);
    assert_string(filo_string_trim(S("\0 a\x85")), S("\0 a\x85"));
}

FILO_TEST(cut_divides_at_the_first_separator) {
    FiloString line = S("key=value=more"), before, after;
    assert_true(filo_string_cut(line, S("="), &before, &after));
    assert_string(before, S("key"));
    assert_string(after, S("value=more"));
    assert_true(filo_string_cut(S("="), S("="), &before, &after));
    assert_int_equal(before.length + after.length, 0);
    assert_false(filo_string_cut(line, S("::"), &before, &after));
    assert_string(before, line);
    assert_int_equal(after.length, 0);
    assert_true(filo_string_cut(line, S("="), NULL, &line));
    assert_string(line, S("value=more"));
    assert_true(filo_string_cut(line, S("="), &line, NULL));
    assert_string(line, S("value"));
}

static void assert_split(FiloString string, FiloString separator, const char *expected) {
    char parts[128];
    size_t length = 0;
    FiloSplit split = filo_string_split(string, separator);
    for (FiloString part; filo_split_next(&split, &part);)
        length += (size_t)snprintf(parts + length, sizeof parts - length, "[" FILO_STRING_FORMAT "]",
                                   FILO_STRING_PRINT(part));
    FiloString part;
    assert_false(filo_split_next(&split, &part)); // and stays false
    assert_string_equal(parts, expected);
}

FILO_TEST(split_gives_every_part_even_empty_ones) {
    assert_split(S("a,b,c"), S(","), "[a][b][c]");
    assert_split(S("a,,b"), S(","), "[a][][b]");
    assert_split(S(",a,"), S(","), "[][a][]");
    assert_split(S(""), S(","), "[]");
    assert_split(nothing, S(","), "[]");
    assert_split(S(","), S(","), "[][]");
    assert_split(S("abc"), S(","), "[abc]");
    assert_split(S("a--b---c"), S("--"), "[a][b][-c]");
}

FILO_TEST(split_without_a_separator_is_reported) {
    expect_fault("a separator of at least one byte", assert_split(S("abc"), nothing, "[abc]"));
}

FILO_TEST(a_copy_ends_in_a_zero_and_is_cut_between_characters) {
    char buffer[8];
    assert_int_equal(filo_string_copy(S("hello"), buffer, sizeof buffer), 5);
    assert_string_equal(buffer, "hello");
    assert_int_equal(filo_string_copy(S("hello"), buffer, 6), 5);
    assert_int_equal(filo_string_copy(S("hello"), buffer, 5), 4);
    assert_string_equal(buffer, "hell");
    assert_int_equal(filo_string_copy(nothing, buffer, sizeof buffer), 0);
    assert_string_equal(buffer, "");
    // é is two bytes, € three, 🎲 four
    assert_int_equal(filo_string_copy(S("aé"), buffer, 3), 1);
    assert_string_equal(buffer, "a");
    assert_int_equal(filo_string_copy(S("aé"), buffer, 4), 3);
    assert_int_equal(filo_string_copy(S("€€"), buffer, 3), 0);
    assert_int_equal(filo_string_copy(S("€€"), buffer, 6), 3);
    assert_int_equal(filo_string_copy(S("a🎲"), buffer, 5), 1);
    assert_int_equal(filo_string_copy(S("a🎲"), buffer, 6), 5);
    assert_string_equal(buffer, "a🎲");
    assert_int_equal(filo_string_copy(S("a"), buffer, 1), 0);
    assert_string_equal(buffer, "");
    buffer[0] = 'x';
    assert_int_equal(filo_string_copy(S("hello"), buffer, 0), 0);
    assert_int_equal(buffer[0], 'x');
}

FILO_TEST(a_copy_of_bad_text_is_cut_anywhere_but_has_its_zero) {
    char buffer[6];
    assert_int_equal(filo_string_copy(S("\x80\x80\x80\x80\x80\x80\x80\x80"), buffer, 5), 4);
    assert_int_equal(buffer[4], 0);
    assert_int_equal(filo_string_copy(S("a\xC3"), buffer, 3), 2);
    assert_int_equal(filo_string_copy(S("a\xC3xyz"), buffer, 3), 2);
    assert_int_equal(filo_string_copy(S("a\0bcdefg"), buffer, 6), 5);
    assert_memory_equal(buffer, "a\0bcd", 6);
}

// ---- In arenas ----------------------------------------------------------------------------------------

static FiloArena make_arena(size_t reserve) {
    FiloArena arena;
    assert_ok(filo_arena_init(&arena, &(FiloArenaDesc){ .name = "strings", .reserve = reserve }));
    return arena;
}

FILO_TEST(the_distance_of_words_is_how_many_typing_errors_lie_between_them) {
    static const struct {
        const char *a, *b;
        size_t distance;
    } pairs[] = { { "", "", 0 },
                  { "a", "", 1 },
                  { "playing", "playing", 0 },
                  { "playng", "playing", 1 },
                  { "playyng", "playing", 1 },
                  { "palying", "playing", 1 },
                  { "pplaying", "playing", 1 },
                  { "kitten", "sitting", 3 },
                  { "abc", "xyz", 3 },
                  { "Playing", "playing", 1 } };
    for (size_t i = 0; i < FILO_COUNT_OF(pairs); i++) {
        FiloString a = filo_string(pairs[i].a), b = filo_string(pairs[i].b);
        assert_int_equal(filo_string_distance(a, b), pairs[i].distance);
        assert_int_equal(filo_string_distance(b, a), pairs[i].distance);
    }
    assert_int_equal(filo_string_distance(nothing, S("abc")), 3);
    char x[100], y[100];
    memset(x, 'x', sizeof x);
    memset(y, 'y', sizeof y);
    assert_int_equal(filo_string_distance(filo_string_from(x, 100), filo_string_from(y, 100)),
                     FILO_STRING_DISTANCE_LENGTH);
    assert_int_equal(filo_string_distance(filo_string_from(x, 100), filo_string_from(x, 90)), 0);
}

FILO_TEST(clones_and_formatted_strings_live_in_the_arena) {
    FiloArena arena = make_arena(FILO_MIB(1));
    char text[] = "hello";
    FiloString copy = filo_string_clone(&arena, filo_string(text));
    FiloString empty = filo_string_clone(&arena, nothing);
    FiloString formatted = filo_string_format(&arena, "%s is %d", "answer", 42);
    text[0] = 'J';
    assert_string(copy, S("hello"));
    assert_int_equal(copy.data[5], 0);
    assert_non_null(empty.data);
    assert_int_equal(empty.data[0], 0);
    assert_string_equal(formatted.data, "answer is 42");
    assert_int_equal(formatted.length, 12);
    assert_string(filo_string_clone(&arena, S("a\0b")), S("a\0b"));
    filo_arena_deinit(&arena);
}

FILO_TEST(formatted_strings_can_have_any_length) {
    FiloArena arena = make_arena(FILO_MIB(4));
    for (int length = 250; length < 260; length++) {
        FiloString string = filo_string_format(&arena, "%0*d", length, 7);
        assert_int_equal(string.length, length);
        assert_int_equal(strlen(string.data), length);
        assert_int_equal(string.data[length - 1], '7');
    }
    FiloString large = filo_string_format(&arena, "%0*d", 1000000, 7);
    assert_int_equal(large.length, 1000000);
    assert_int_equal(large.data[999999], '7');
    filo_arena_deinit(&arena);
}

FILO_TEST(a_full_arena_gives_no_string) {
    char memory[300];
    FiloArena arena;
    assert_ok(filo_arena_init(&arena, &(FiloArenaDesc){ .memory = memory, .size = sizeof memory }));
    expect_fault("full", assert_null(filo_string_format(&arena, "%0400d", 7).data));
    assert_non_null(filo_string_format(&arena, "%0250d", 7).data);
    expect_fault("full", assert_null(filo_string_format(&arena, "%0100d", 7).data));
    expect_fault("full", assert_null(filo_string_clone(&arena, filo_string_from(memory, 200)).data));
    filo_arena_deinit(&arena);
}

FILO_TEST(very_long_strings_are_no_problem) {
    size_t size = FILO_MIB(16);
    char *data = malloc(size);
    memset(data, 'a', size);
    data[size - 1] = 'b';
    FiloString string = filo_string_from(data, size);
    assert_int_equal(filo_string_find(string, S("ab")), size - 2);
    assert_int_equal(filo_string_find_last(string, S("aa")), size - 3);
    assert_int_equal(filo_string_compare(string, filo_string_slice(string, 0, size - 1)), 1);
    FiloSplit split = filo_string_split(string, S("b"));
    FiloString part;
    assert_true(filo_split_next(&split, &part));
    assert_int_equal(part.length, size - 1);
    assert_true(filo_utf8_valid(string));
    free(data);
}
