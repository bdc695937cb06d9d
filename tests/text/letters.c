// Grapheme clusters: the cases of the Unicode Character Database, and some that can be read. Words of plain characters:
// those that libunibreak finds. Ends of lines: the cases of the same database.

#include "text/shape/plain.h"
#include "text/shape/unicode.h"
#include "text/shape/work.h"

#include "support/test.h"

#include <filo/files.h>

#include <stdlib.h>
#include <wordbreak.h>

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
    print_message("%d of %d cases\n", cases, cases);
    filo_file_free(&file);
}

FILO_TEST(emoji_are_told_from_signs) {
    assert_true(text_is_emoji(0x1F600));
    assert_true(text_is_emoji(0x231A));
    assert_false(text_is_emoji(0x2764)); // a heart is one only with U+FE0F
    assert_false(text_is_emoji('1'));
    assert_false(text_is_emoji(0x10FFFF));
}

// ---- Words and ends of lines ----------------------------------------------------------------------------

// The characters of a case of LineBreakTest.txt or WordBreakTest.txt, and for each whether a line or word may begin there.
// False: there is no case.
static bool read_case(const char *line, uint32_t *characters, bool *begins, size_t *count) {
    *count = 0;
    while (*line != '\0' && *line != '#') {
        if (strncmp(line, "\xC3\xB7", 2) == 0) begins[*count] = true;
        if (strncmp(line, "\xC3\x97", 2) == 0) begins[*count] = false;
        char *end;
        unsigned long c = strtoul(line, &end, 16);
        if (end > line && *line != ' ') characters[(*count)++] = (uint32_t)c;
        line = end > line && *line != ' ' ? end : line + 1;
    }
    return *count > 0;
}

// Whether a line or a word, by `mark`, begins at a character. A newline ends a word, and is in the line that it ends.
static bool begins_at(const TextWork *work, size_t i, TextMark mark) {
    const uint32_t *characters = work->characters.items;
    const uint8_t *marks = work->marks.items;
    if (characters[i - 1] == '\r' && characters[i] == '\n') return false;
    uint8_t newlines = mark == TEXT_AT_WORD ? marks[i - 1] | marks[i] : marks[i - 1];
    return (newlines & TEXT_IS_NEWLINE) != 0 || (marks[i] & mark) != 0;
}

// How many cases of a file of Unicode differ.
static size_t count_differences(const char *path, TextMark mark, size_t *cases) {
    FiloFileData file;
    if (filo_file_read(&file, path, NULL).code != FILO_OK)
        skip_because("the package unicode-data is not installed");
    TextWork work = { 0 };
    assert_true(text_work_init(&work, filo_heap()));
    work.wraps = true;
    size_t differences = 0;
    *cases = 0;
    for (char *line = strtok(file.text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        uint32_t characters[64];
        bool begins[65], differs = false;
        size_t count;
        if (!read_case(line, characters, begins, &count)) continue;
        assert_true(filo_array_resize(&work.characters, count));
        memcpy(work.characters.items, characters, count * sizeof *characters);
        assert_true(text_analyse(&work, FILO_TEXT_AUTO));
        for (size_t i = 1; i < count; i++) differs = differs || begins_at(&work, i, mark) != begins[i];
        ++*cases;
        differences += differs;
    }
    text_work_deinit(&work);
    filo_file_free(&file);
    print_message("%zu of %zu cases\n", *cases - differences, *cases);
    return differences;
}

// Letters stay whole, which these cases do not know; libunibreak 1.1 is older. docs/text.md lists what differs.
FILO_TEST(lines_end_as_the_cases_of_unicode_say_but_for_those_that_are_listed) {
    size_t cases;
    assert_in_range(
        count_differences("/usr/share/unicode/auxiliary/LineBreakTest.txt", TEXT_AT_BREAK, &cases), 1, 587);
    assert_in_range(cases, 7000, 20000);
}

FILO_TEST(words_are_those_of_the_cases_of_unicode_but_for_a_few) {
    size_t cases;
    assert_in_range(count_differences("/usr/share/unicode/auxiliary/WordBreakTest.txt", TEXT_AT_WORD, &cases),
                    1, 8);
    assert_in_range(cases, 1000, 5000);
}

// ---- Plain characters -----------------------------------------------------------------------------------

// The beginnings of words, as a mark for each character: "|" or ".".
static const char *words(TextWork *work, const uint32_t *characters, size_t count) {
    static char text[16];
    assert_true(filo_array_resize(&work->characters, count));
    memcpy(work->characters.items, characters, count * sizeof *characters);
    assert_true(text_analyse(work, FILO_TEXT_AUTO));
    assert_int_equal(work->seen & TEXT_NOT_PLAIN, 0);
    for (size_t i = 0; i < count; i++) text[i] = (work->marks.items[i] & TEXT_AT_WORD) != 0 ? '|' : '.';
    text[count] = '\0';
    return text;
}

static const char *words_by_libunibreak(const uint32_t *characters, size_t count) {
    static char text[16];
    char breaks[15];
    set_wordbreaks_utf32(characters, count, NULL, breaks);
    for (size_t i = 0; i < count; i++) {
        bool spaces = i > 0 && characters[i - 1] == ' ' &&
                      characters[i] == ' '; // rule WB3d is younger than libunibreak 1.1
        text[i] = i == 0 || (breaks[i - 1] == WORDBREAK_BREAK && !spaces) ? '|' : '.';
    }
    text[count] = '\0';
    return text;
}

static void compare_words(TextWork *work, const uint32_t *characters, size_t count) {
    const char *ours = words(work, characters, count), *theirs = words_by_libunibreak(characters, count);
    if (strcmp(ours, theirs) == 0) return;
    char list[128] = "";
    for (size_t i = 0, length = 0; i < count; i++)
        length += (size_t)snprintf(list + length, sizeof list - length, " U+%04X", (unsigned)characters[i]);
    fail_msg("%s: %s instead of %s", list, ours, theirs);
}

FILO_TEST(words_of_plain_characters_are_those_of_libunibreak) {
    TextWork work = { 0 };
    assert_true(text_work_init(&work, filo_heap()));
    init_wordbreak();
    text_plain_init();
    // All texts of six characters, one of each class.
    static const uint32_t classes[] = { ' ', 'a', '1', '_', ':', ',', '.' };
    const uint32_t kinds = FILO_COUNT_OF(classes);
    for (uint32_t text = 0; text < kinds * kinds * kinds * kinds * kinds * kinds; text++) {
        uint32_t characters[6], rest = text;
        for (size_t i = 0; i < 6; i++, rest /= kinds) characters[i] = classes[rest % kinds];
        compare_words(&work, characters, 6);
    }
    // Every plain character next to one of each class, between two, and before two.
    int plain = 0;
    for (uint32_t c = 0; c < TEXT_PLAIN_END; c++) {
        if ((text_plain(c) & (TEXT_NOT_PLAIN | TEXT_IS_NEWLINE)) != 0) continue;
        plain++;
        for (uint32_t i = 0; i < kinds; i++)
            for (uint32_t k = 0; k < kinds; k++)
                compare_words(&work, (const uint32_t[]){ classes[i], c, classes[k], classes[i] }, 4);
    }
    assert_in_range(plain, 1000, TEXT_PLAIN_END);
    text_work_deinit(&work);
}

FILO_TEST(plain_characters_are_letters_of_their_own) {
    text_plain_init();
    for (uint32_t c = 0; c < TEXT_PLAIN_END; c++) {
        if ((text_plain(c) & TEXT_NOT_PLAIN) != 0) continue;
        assert_int_equal((text_plain(c) & TEXT_IS_NEWLINE) != 0, text_is_newline(c));
        assert_int_equal((text_plain(c) & TEXT_IS_SPACE) != 0, text_is_space(c));
        if (!text_is_newline(c)) assert_string_equal(CLUSTERS(c, 'a', c), "|||");
    }
    assert_int_equal(text_plain(0x301), TEXT_NOT_PLAIN);
    assert_int_equal(text_plain(0xAD), TEXT_NOT_PLAIN);
    assert_int_equal(text_plain(0x5D0), TEXT_NOT_PLAIN);
    assert_int_equal(text_plain('x') & TEXT_PLAIN_SCRIPTS, TEXT_PLAIN_LATIN);
    assert_int_equal(text_plain(0x3B1) & TEXT_PLAIN_SCRIPTS, TEXT_PLAIN_GREEK);
    assert_int_equal(text_plain(0x431) & TEXT_PLAIN_SCRIPTS, TEXT_PLAIN_CYRILLIC);
    assert_int_equal(text_plain('1') & TEXT_PLAIN_SCRIPTS, 0);
}
