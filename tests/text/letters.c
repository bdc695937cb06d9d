// Grapheme clusters: the cases of the Unicode Character Database, and some that can be read.

#include "text/shape/unicode.h"

#include "support/test.h"

#include <filo/files.h>

#include <stdlib.h>

// The beginnings of clusters, as a mark for each character: "|" or ".".
static const char *clusters(const uint32_t *characters, size_t count) {
    static char marks[64];
    TextClusterState state = { 0 };
    for (size_t i = 0; i < count; i++) marks[i] = text_cluster_begins(&state, characters[i]) ? '|' : '.';
    marks[count] = '\0';
    return marks;
}

#define CLUSTERS(...)                                                                                        \
    clusters((const uint32_t[]){ __VA_ARGS__ }, sizeof((const uint32_t[]){ __VA_ARGS__ }) / 4)

FILO_TEST(letters_are_what_a_reader_calls_letters) {
    assert_string_equal(CLUSTERS('a', 'b'), "||");
    assert_string_equal(CLUSTERS('e', 0x301, 0x323, 'x'), "|..|");                      // accents
    assert_string_equal(CLUSTERS('\r', '\n', 'x'), "|.|");                              // one line break
    assert_string_equal(CLUSTERS(0x1100, 0x1161, 0x11A8, 0xAC00, 0x11A8), "|..|.");     // syllables of Hangul
    assert_string_equal(CLUSTERS(0x1F1E9, 0x1F1EA, 0x1F1EB, 0x1F1F7), "|.|.");          // two flags
    assert_string_equal(CLUSTERS(0x1F469, 0x200D, 0x1F467, 0x1F44D, 0x1F3FD), "|..|."); // a family, a thumb
    assert_string_equal(CLUSTERS('a', 0x200D, 0x1F467), "|.|");                         // joined to no emoji
    assert_string_equal(CLUSTERS(0x0928, 0x093F), "|.");                                // a vowel sign
    assert_string_equal(CLUSTERS(0x0600, '1'), "|."); // a sign before a number
}

// A line is "÷ 0020 × 0308 ÷ 0020 ÷	# …": × where nothing begins.
static void check_line(const char *line, int number) {
    uint32_t characters[32];
    char wanted[64] = "";
    size_t count = 0;
    while (*line != '\0' && *line != '#') {
        if (strncmp(line, "÷", 2) == 0 || strncmp(line, "×", 2) == 0) {
            wanted[count] = line[1] == "÷"[1] ? '|' : '.';
            line += 2;
        } else if (*line == ' ' || *line == '\t') {
            line++;
        } else {
            char *end;
            characters[count++] = (uint32_t)strtoul(line, &end, 16);
            assert_true(end > line && count < FILO_COUNT_OF(characters));
            line = end;
        }
    }
    wanted[count] = '\0'; // the end of the text
    if (strcmp(clusters(characters, count), wanted) != 0)
        fail_msg("line %d: %s instead of %s", number, clusters(characters, count), wanted);
}

FILO_TEST(all_cases_of_the_unicode_database_hold) {
    FiloFileData file;
    if (filo_file_read(&file, "/usr/share/unicode/auxiliary/GraphemeBreakTest.txt", NULL).code != FILO_OK)
        skip_because("the package unicode-data is not installed");
    int number = 0, cases = 0;
    for (char *line = file.text; line != NULL && *line != '\0';) {
        char *end = strchr(line, '\n');
        if (end != NULL) *end = '\0';
        number++;
        if (*line != '#' && *line != '\0') {
            check_line(line, number);
            cases++;
        }
        line = end != NULL ? end + 1 : NULL;
    }
    assert_in_range(cases, 500, 2000);
    filo_file_free(&file);
}

FILO_TEST(emoji_are_told_from_signs) {
    assert_true(text_is_emoji(0x1F600));
    assert_true(text_is_emoji(0x231A));
    assert_false(text_is_emoji(0x2764)); // a heart is one only with U+FE0F
    assert_false(text_is_emoji('1'));
    assert_false(text_is_emoji(0x10FFFF));
}
