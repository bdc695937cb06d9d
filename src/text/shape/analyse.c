// What the rules of Unicode say about each character: where letters, words and lines may begin, which direction and
// which script it has.
//
//   grapheme clusters   unicode.c: libunibreak 1.1 has none
//   lines, words        libunibreak; in Thai, libthai's dictionary; in Lao and Burmese, syllables.c
//   levels              FriBidi, skipped where all is from left to right
//   scripts             HarfBuzz; a character of no script of its own has that of the one before, a bracket that of its
//                       partner
//
// Paragraphs of plain characters (plain.h) need none of these, except for the ends of lines.

#include "text/shape/plain.h"
#include "text/shape/syllables.h"
#include "text/shape/unicode.h"
#include "text/shape/work.h"

#include <filo/check.h>
#include <filo/log.h>

#include <fribidi/fribidi.h>
#include <linebreak.h>
#include <pthread.h>
#include <thai/thwbrk.h>
#include <wordbreak.h>

// ---- Letters and paragraphs -----------------------------------------------------------------------------

static bool resize_all(TextWork *work, size_t count) {
    return text_array_set_count(&work->marks, count + 1) && text_array_set_count(&work->levels, count + 1) &&
           text_array_set_count(&work->scripts, count + 1) &&
           text_array_set_count(&work->letters, count + 1) && text_array_set_count(&work->starts, count + 1);
}

// What is found out about letters, from character to character.
typedef struct Letters {
    TextClusterState state;
    uint32_t count;
    uint32_t start; // of the paragraph
    uint32_t seen;  // TextPlain of all characters of the paragraph
} Letters;

// A character that is not plain, or ends a paragraph.
static bool find_letter(TextWork *work, Letters *letters, uint32_t i) {
    size_t count = work->characters.count;
    uint32_t c = work->characters.items[i];
    uint8_t marks = text_in_word(c) ? TEXT_IN_WORD : 0;
    if (text_cluster_begins(&letters->state, c)) marks |= TEXT_AT_LETTER;
    if (text_is_space(c)) marks |= TEXT_IS_SPACE;
    if (text_is_newline(c)) marks |= TEXT_IS_NEWLINE;
    if ((marks & TEXT_AT_LETTER) != 0)
        work->starts.items[letters->count++] = i;
    else if (!text_is_ignorable(c)) // a space with a mark on it is seen at the end of a line
        work->marks.items[work->starts.items[letters->count - 1]] &= (uint8_t)~TEXT_IS_SPACE;
    work->marks.items[i] = marks;
    work->letters.items[i] = letters->count - 1;
    if ((marks & TEXT_IS_NEWLINE) == 0) letters->seen |= text_plain(c);
    // CR and LF are one letter, and end one paragraph.
    bool ends = (marks & TEXT_IS_NEWLINE) != 0 &&
                !(c == '\r' && i + 1 < count && work->characters.items[i + 1] == '\n');
    if (!ends) return true;
    uint32_t end = (marks & TEXT_AT_LETTER) == 0 ? i - 1 : i;
    TextParagraph paragraph = { .start = letters->start, .end = end, .next = i + 1, .seen = letters->seen };
    letters->start = i + 1;
    letters->seen = 0;
    return filo_array_push(&work->paragraphs, paragraph);
}

// Marks plain characters from `i` on, and the words that they form; returns where they end.
static uint32_t find_plain_letters(TextWork *work, Letters *letters, uint32_t i) {
    const uint32_t *characters = work->characters.items;
    uint32_t *starts = work->starts.items, *letter_of = work->letters.items;
    uint8_t *marks = work->marks.items;
    uint32_t count = (uint32_t)work->characters.count, letter = letters->count, seen = 0;
    uint32_t before = i > letters->start ? text_plain(characters[i - 1]) : 0;
    for (; i < count; i++) {
        uint32_t now = text_plain(characters[i]);
        if ((now & (TEXT_NOT_PLAIN | TEXT_IS_NEWLINE)) != 0) break;
        seen |= now;
        if ((now & (TEXT_PLAIN_IN_LETTERS | TEXT_PLAIN_IN_DIGITS)) != 0 && i + 1 < count &&
            text_plain_inside(before, now, text_plain(characters[i + 1])))
            now |= TEXT_PLAIN_JOINED;
        uint32_t both = before & now;
        bool spaces = (both & TEXT_IS_SPACE) != 0 && ((before | now) & TEXT_PLAIN_TAB) == 0; // WB3d
        uint32_t begins = spaces || (both & TEXT_PLAIN_JOINED) != 0 ? 0u : TEXT_AT_WORD;
        marks[i] = (uint8_t)((now & TEXT_MARKS) | begins);
        starts[letter] = i;
        letter_of[i] = letter++;
        before = now;
    }
    letters->count = letter;
    letters->seen |= seen;
    return i;
}

// Marks letters, spaces and newlines, and cuts the text into paragraphs.
static bool find_letters(TextWork *work) {
    uint32_t count = (uint32_t)work->characters.count;
    Letters letters = { 0 };
    bool plain = true; // the character before, or it ended a paragraph
    filo_array_clear(&work->paragraphs);
    for (uint32_t i = 0;; i++) {
        if (plain) i = find_plain_letters(work, &letters, i);
        if (i >= count) break;
        // Plain characters leave the same state, whichever they are; a newline may be told twice.
        if (plain && i > 0) (void)text_cluster_begins(&letters.state, work->characters.items[i - 1]);
        if (!find_letter(work, &letters, i)) return false;
        plain = (work->marks.items[i] & TEXT_IS_NEWLINE) != 0 ||
                (text_plain(work->characters.items[i]) & TEXT_NOT_PLAIN) == 0;
    }
    work->marks.items[count] = TEXT_AT_LETTER | TEXT_AT_WORD;
    work->letters.items[count] = letters.count;
    work->starts.items[letters.count] = count;
    work->letter_count = letters.count;
    TextParagraph last = { .start = letters.start, .end = count, .next = count, .seen = letters.seen };
    return filo_array_push(&work->paragraphs, last) &&
           text_array_set_count(&work->widths, (size_t)letters.count + 1);
}

// ---- Breaks ---------------------------------------------------------------------------------------------

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void init_libraries(void) {
    init_linebreak();
    init_wordbreak();
    text_plain_init();
}

#define THAI_FIRST 0x0E01u
#define THAI_LAST  0x0E5Bu
#define THAI_PART                                                                                            \
    4096u // characters; longer texts without a space are cut, so that time and memory stay in proportion

static bool is_thai(uint32_t c) { return c >= THAI_FIRST && c <= THAI_LAST; }

static void break_thai_part(TextWork *work, size_t start, size_t end) {
    size_t count = end - start;
    if (!filo_array_resize(&work->thai, count + 1) || !filo_array_resize(&work->thai_breaks, count)) return;
    for (size_t i = 0; i < count; i++) work->thai.items[i] = (wchar_t)work->characters.items[start + i];
    work->thai.items[count] = 0;
    int found =
        th_brk_wc_find_breaks(work->thai_dictionary, work->thai.items, work->thai_breaks.items, count);
    for (int i = 0; i < found; i++) {
        size_t at = start + (size_t)work->thai_breaks.items[i];
        if (at > start && at < end) work->marks.items[at] |= TEXT_AT_BREAK | TEXT_AT_WORD;
    }
}

static void break_thai(TextWork *work, size_t start, size_t end) {
    if (!work->thai_tried) {
        work->thai_tried = true;
        work->thai_dictionary = th_brk_new(NULL);
        if (work->thai_dictionary == NULL)
            filo_log_warn("text", "the dictionary of libthai cannot be read: Thai is wrapped at spaces only");
    }
    if (work->thai_dictionary == NULL) return;
    for (size_t i = start; i < end;) {
        size_t stop = i;
        while (stop < end && is_thai(work->characters.items[stop])) stop++;
        for (; i < stop; i += THAI_PART) break_thai_part(work, i, FILO_MIN(stop, i + THAI_PART));
        i = stop + 1;
    }
}

void text_thai_free(void *dictionary) {
    if (dictionary != NULL) th_brk_delete(dictionary);
}

// libunibreak 1.1 is older than most emoji, and stops the program at regional indicators and at U+FFFF. Emoji are
// given to it as ideographs, around which a line may end as well.
static uint32_t known_character(uint32_t c) {
    if (c < 0x2000) return c;
    if (c == 0xFFFF) return 0xFFFD;
    TextClusterClass kind = c >= 0x1F000 ? text_cluster_class(c) : TEXT_CLUSTER_OTHER;
    return kind == TEXT_CLUSTER_REGIONAL || kind == TEXT_CLUSTER_PICTURE || text_is_emoji(c) ? 0x4E00 : c;
}

// Small kana and the like, before which no line ends, as libunibreak 1.1 does not know yet.
static bool is_starter(uint32_t c) {
    static const uint16_t small[] = { 0x3041, 0x3043, 0x3045, 0x3047, 0x3049, 0x3063,
                                      0x3083, 0x3085, 0x3087, 0x308E, 0x3095, 0x3096 };
    if (c < 0x3041 || c > 0xFF70) return c >= 0x1B132 && c <= 0x1B167;
    if (c == 0x30FC || (c >= 0x31F0 && c <= 0x31FF) || c >= 0xFF67) return true;
    for (size_t i = 0; i < FILO_COUNT_OF(small); i++)
        if (c == small[i] || c == small[i] + 0x60u) return true;
    return false;
}

// What libunibreak 1.1 allows, and Unicode 15 does not: rules LB7, LB22 and LB24.
static bool keeps_together(uint32_t before, uint32_t c) {
    if (c == ' ') return true;
    if (c >= 0x2024 && c <= 0x2026) return !text_is_space(before);
    bool sign = c == '$' || c == '%' || c == '\\' || (c >= 0xA2 && c <= 0xA5) || c == 0xB0 || c == 0xB1 ||
                (c >= 0x2030 && c <= 0x2037) || (c >= 0x20A0 && c <= 0x20CF);
    return sign && before < 0x1100 && text_in_word(before);
}

static void find_line_breaks(TextWork *work, const uint32_t *characters, size_t count, uint8_t *marks) {
    char *breaks = work->breaks.items;
    set_linebreaks_utf32(characters, count, work->language_text, breaks);
    for (size_t i = 0; i + 1 < count; i++)
        if (breaks[i] == LINEBREAK_ALLOWBREAK && !keeps_together(characters[i], characters[i + 1]))
            marks[i + 1] |= TEXT_AT_BREAK;
}

// Lines end between letters, so libunibreak gets the first character of each, and instead of small kana a sign before which no
// line ends. A space with a mark is seen, and is like a letter.
static void find_any_line_breaks(TextWork *work, uint32_t *characters, size_t start, size_t count) {
    char *breaks = work->breaks.items;
    uint8_t *marks = work->marks.items + start;
    const uint32_t *all = work->characters.items + start;
    size_t letters = 0;
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && (marks[i] & TEXT_AT_LETTER) == 0) continue;
        bool marked_space = all[i] == ' ' && (marks[i] & TEXT_IS_SPACE) == 0;
        characters[letters++] = marked_space ? 'a' : is_starter(all[i]) ? 0x3005 : known_character(all[i]);
    }
    set_linebreaks_utf32(characters, letters, work->language_text, breaks);
    for (size_t i = 1, letter = 0; i < count; i++) {
        if ((marks[i] & TEXT_AT_LETTER) == 0) continue;
        uint32_t before = characters[letter];
        if (breaks[letter++] == LINEBREAK_ALLOWBREAK && all[i - 1] != 0x200D &&
            !keeps_together(before, all[i]))
            marks[i] |= TEXT_AT_BREAK;
    }
    for (size_t i = 0; i < count; i++) characters[i] = known_character(all[i]);
}

static bool is_hebrew_letter(uint32_t c) {
    return (c >= 0x5D0 && c <= 0x5EA) || (c >= 0x5EF && c <= 0x5F2) || c == 0xFB1D ||
           (c >= 0xFB1F && c <= 0xFB28) || (c >= 0xFB2A && c <= 0xFB4F);
}

// What libunibreak 1.1 does not know: runs of spaces (rule WB3d), and quotes in Hebrew words (WB7a to WB7c).
static void join_words(const uint32_t *characters, size_t count, uint8_t *marks) {
    uint32_t before[2] = { 0 }; // the last two characters that are no marks
    for (size_t i = 0; i < count; i++) {
        uint32_t c = characters[i];
        bool space = i > 0 && text_is_space(c) && c != '\t' && c != 0x200B;
        if (space && text_is_space(characters[i - 1]) && characters[i - 1] != '\t' &&
            characters[i - 1] != 0x200B)
            marks[i] &= (uint8_t)~TEXT_AT_WORD;
        if (i > 0 && (marks[i] & TEXT_AT_LETTER) == 0) continue;
        bool next_is_letter = i + 1 < count && is_hebrew_letter(characters[i + 1]);
        bool after_letter = is_hebrew_letter(before[1]);
        bool in_quotes = before[1] == '"' && is_hebrew_letter(before[0]) && is_hebrew_letter(c);
        if ((after_letter && (c == '\'' || (c == '"' && next_is_letter))) || in_quotes)
            marks[i] &= (uint8_t)~TEXT_AT_WORD;
        before[0] = before[1];
        before[1] = c;
    }
}

static void find_any_breaks(TextWork *work, size_t start, size_t end) {
    size_t count = end - start;
    uint32_t *characters = work->known.items;
    for (size_t i = 0; i < count; i++) characters[i] = known_character(work->characters.items[start + i]);
    char *breaks = work->breaks.items;
    uint8_t *marks = work->marks.items + start;
    if (work->wraps) find_any_line_breaks(work, characters, start, count);
    set_wordbreaks_utf32(characters, count, work->language_text, breaks);
    for (size_t i = 0; i < count; i++) marks[i] &= (uint8_t)~TEXT_AT_WORD;
    for (size_t i = 0; i + 1 < count; i++)
        if (breaks[i] == WORDBREAK_BREAK) marks[i + 1] |= TEXT_AT_WORD;
    join_words(characters, count, marks);
    marks[0] |= TEXT_AT_WORD;
    bool thai = false;
    for (size_t i = 0; i < count && !thai; i++) thai = is_thai(characters[i]);
    if (thai) break_thai(work, start, end);
    text_mark_syllables(characters, marks, count);
    // The tables of libunibreak are older than most emoji: nothing ends inside of a letter, and emoji are like ideographs.
    for (size_t i = 1; i < count; i++) {
        if ((marks[i] & TEXT_AT_LETTER) == 0) {
            marks[i] &= (uint8_t) ~(TEXT_AT_BREAK | TEXT_AT_WORD);
        } else if (text_is_emoji(characters[i]) && (marks[i - 1] & TEXT_IN_WORD) != 0) {
            marks[i] |= TEXT_AT_BREAK | TEXT_AT_WORD;
        }
    }
}

// Words of plain characters are marked already.
static bool find_breaks(TextWork *work, const TextParagraph *paragraph) {
    size_t start = paragraph->start, count = paragraph->end - start;
    bool plain = (paragraph->seen & TEXT_NOT_PLAIN) == 0;
    if (count == 0 || (plain && !work->wraps)) return true;
    if (!text_array_set_count(&work->breaks, count)) return false;
    if (plain) {
        find_line_breaks(work, work->characters.items + start, count, work->marks.items + start);
        return true;
    }
    if (!text_array_set_count(&work->known, count)) return false;
    find_any_breaks(work, start, paragraph->end);
    return true;
}

// ---- Directions -----------------------------------------------------------------------------------------

// Whether a character may be part of text from right to left, or controls directions.
static bool may_be_rtl(uint32_t c) {
    return c >= 0x590 && (c < 0x900 || (c >= 0x200F && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) ||
                          (c >= 0xFB1D && c < 0xFE00) || (c >= 0xFE70 && c < 0xFF00) ||
                          (c >= 0x10800 && c < 0x11000) || (c >= 0x1E800 && c < 0x1F000));
}

static bool find_levels(TextWork *work, TextParagraph *paragraph, FiloTextDirection direction) {
    size_t start = paragraph->start, count = paragraph->end - start;
    uint8_t base = direction == FILO_TEXT_RTL ? 1 : 0;
    bool rtl = base == 1, plain = (paragraph->seen & TEXT_NOT_PLAIN) == 0;
    for (size_t i = 0; i < count && !rtl && !plain; i++) rtl = may_be_rtl(work->characters.items[start + i]);
    paragraph->level = base;
    // What ends the paragraph has its level.
    memset(work->levels.items + start, base, paragraph->next - start);
    if (!rtl || count == 0) return true;
    if (!filo_array_resize(&work->bidi_types, count) || !filo_array_resize(&work->bidi_brackets, count))
        return false;
    const FriBidiChar *characters = work->characters.items + start;
    fribidi_get_bidi_types(characters, (FriBidiStrIndex)count, work->bidi_types.items);
    fribidi_get_bracket_types(characters, (FriBidiStrIndex)count, work->bidi_types.items,
                              work->bidi_brackets.items);
    FriBidiParType type = direction == FILO_TEXT_AUTO ? FRIBIDI_PAR_ON
                          : base == 1                 ? FRIBIDI_PAR_RTL
                                                      : FRIBIDI_PAR_LTR;
    FriBidiLevel highest = fribidi_get_par_embedding_levels_ex(
        work->bidi_types.items, work->bidi_brackets.items, (FriBidiStrIndex)count, &type,
        (FriBidiLevel *)work->levels.items + start);
    if (highest == 0) {
        filo_out_of_memory("text", 0, "FriBidi has no memory to order a text");
        return false;
    }
    paragraph->level = FRIBIDI_IS_RTL(type) ? 1 : 0;
    memset(work->levels.items + paragraph->end, paragraph->level, paragraph->next - paragraph->end);
    return true;
}

// ---- Scripts --------------------------------------------------------------------------------------------

#define BRACKETS_MAX 32

typedef struct Bracket {
    uint32_t closing;
    uint32_t script;
} Bracket;

static uint32_t script_of(uint32_t c) {
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return HB_SCRIPT_LATIN;
    return c < 0x80 ? (uint32_t)HB_SCRIPT_COMMON
                    : (uint32_t)hb_unicode_script(hb_unicode_funcs_get_default(), c);
}

static bool has_no_script(uint32_t script) {
    return script == HB_SCRIPT_COMMON || script == HB_SCRIPT_INHERITED || script == HB_SCRIPT_UNKNOWN;
}

static void find_any_scripts(TextWork *work, const TextParagraph *paragraph) {
    Bracket open[BRACKETS_MAX];
    size_t open_count = 0;
    uint32_t current = HB_SCRIPT_COMMON;
    size_t first_known = paragraph->start;
    for (size_t i = paragraph->start; i < paragraph->end; i++) {
        uint32_t c = work->characters.items[i], script = script_of(c);
        if (has_no_script(script)) {
            script = current;
            FriBidiChar partner;
            bool bracket = (c < 0x80 ? c == '(' || c == ')' || c == '[' || c == ']' || c == '{' || c == '}'
                                     : c > 0xA0) &&
                           fribidi_get_mirror_char(c, &partner);
            if (bracket && open_count > 0 && open[open_count - 1].closing == c)
                script = open[--open_count].script;
            else if (bracket && partner > c && open_count < BRACKETS_MAX)
                open[open_count++] = (Bracket){ partner, current };
        } else if (current == HB_SCRIPT_COMMON) {
            for (; first_known < i; first_known++) work->scripts.items[first_known] = script;
            for (size_t k = 0; k < open_count; k++) open[k].script = script;
        }
        current = script;
        work->scripts.items[i] = script;
    }
    for (size_t i = paragraph->end; i < paragraph->next; i++) work->scripts.items[i] = current;
}

static void find_scripts(TextWork *work, const TextParagraph *paragraph) {
    uint32_t script;
    switch (paragraph->seen & (TEXT_NOT_PLAIN | TEXT_PLAIN_SCRIPTS)) {
    case 0: script = HB_SCRIPT_COMMON; break;
    case TEXT_PLAIN_LATIN: script = HB_SCRIPT_LATIN; break;
    case TEXT_PLAIN_GREEK: script = HB_SCRIPT_GREEK; break;
    case TEXT_PLAIN_CYRILLIC: script = HB_SCRIPT_CYRILLIC; break;
    default: find_any_scripts(work, paragraph); return;
    }
    for (size_t i = paragraph->start; i < paragraph->next; i++) work->scripts.items[i] = script;
}

// ---- All ------------------------------------------------------------------------------------------------

bool text_analyse(TextWork *work, FiloTextDirection direction) {
    size_t count = work->characters.count;
    pthread_once(&once, init_libraries);
    if (!resize_all(work, count) || !find_letters(work)) return false;
    work->seen = 0;
    for (size_t i = 0; i < work->paragraphs.count; i++) {
        TextParagraph *paragraph = &work->paragraphs.items[i];
        if (!find_breaks(work, paragraph) || !find_levels(work, paragraph, direction)) return false;
        find_scripts(work, paragraph);
        work->seen |= paragraph->seen;
    }
    work->levels.items[count] = 0;
    work->scripts.items[count] = HB_SCRIPT_COMMON;
    return true;
}
