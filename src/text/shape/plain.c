// The table of plain characters, and the words that they form.

#include "text/shape/plain.h"

#include "text/shape/unicode.h"
#include "text/shape/work.h"

#include <pthread.h>

uint16_t text_plain_table[TEXT_PLAIN_END];

static bool is_letter(uint32_t c) {
    hb_unicode_general_category_t kind = hb_unicode_general_category(hb_unicode_funcs_get_default(), c);
    return kind >= HB_UNICODE_GENERAL_CATEGORY_LOWERCASE_LETTER &&
           kind <= HB_UNICODE_GENERAL_CATEGORY_UPPERCASE_LETTER;
}

static TextWordClass word_class(uint32_t c) {
    switch (c) {
    case '_': return TEXT_WORD_LOW_LINE;
    case ':':
    case 0xB7:
    case 0x387: return TEXT_WORD_MID_LETTER;
    case ',':
    case ';':
    case 0x37E: return TEXT_WORD_MID_DIGIT;
    case '.':
    case '\'': return TEXT_WORD_MID_EITHER;
    default: break;
    }
    if (c >= '0' && c <= '9') return TEXT_WORD_DIGIT;
    return is_letter(c) ? TEXT_WORD_LETTER : TEXT_WORD_OTHER;
}

static uint32_t plain_script(uint32_t c) {
    switch (hb_unicode_script(hb_unicode_funcs_get_default(), c)) {
    case HB_SCRIPT_COMMON: return 0;
    case HB_SCRIPT_LATIN: return TEXT_PLAIN_LATIN;
    case HB_SCRIPT_GREEK: return TEXT_PLAIN_GREEK;
    case HB_SCRIPT_CYRILLIC: return TEXT_PLAIN_CYRILLIC;
    default: return TEXT_NOT_PLAIN; // combining marks, code points that are not used
    }
}

static uint32_t properties(uint32_t c) {
    if (text_is_newline(c)) return TEXT_AT_LETTER | TEXT_IS_NEWLINE;
    if (c == '\t') return TEXT_AT_LETTER | TEXT_IS_SPACE | TEXT_PLAIN_TAB;
    if (text_is_ignorable(c) || text_cluster_class(c) != TEXT_CLUSTER_OTHER) return TEXT_NOT_PLAIN;
    uint32_t found = TEXT_AT_LETTER | plain_script(c) | (uint32_t)word_class(c) << TEXT_PLAIN_WORD_SHIFT;
    if (text_is_space(c)) found |= TEXT_IS_SPACE;
    if (text_in_word(c)) found |= TEXT_IN_WORD;
    return (found & TEXT_NOT_PLAIN) != 0 ? (uint32_t)TEXT_NOT_PLAIN : found;
}

static void fill_table(void) {
    for (uint32_t c = 0; c < TEXT_PLAIN_END; c++) text_plain_table[c] = (uint16_t)properties(c);
}

void text_plain_init(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, fill_table);
}

// ---- Words ----------------------------------------------------------------------------------------------

#define BIT(word) (1u << (word))
#define WORDS     (BIT(TEXT_WORD_LETTER) | BIT(TEXT_WORD_DIGIT) | BIT(TEXT_WORD_LOW_LINE))

// What a character of each class may be joined to, if it follows: rules WB5, WB8 to WB10, WB13a and WB13b.
static const uint8_t joined[TEXT_WORD_CLASS_COUNT] = {
    [TEXT_WORD_LETTER] = WORDS, [TEXT_WORD_DIGIT] = WORDS, [TEXT_WORD_LOW_LINE] = WORDS
};

static uint32_t class_at(uint32_t character) {
    return text_plain_table[character] >> TEXT_PLAIN_WORD_SHIFT & 7u;
}

// Whether a sign of this class is part of a word between two characters of that one: rules WB6, WB7, WB11 and WB12.
static bool is_inside(uint32_t sign, uint32_t around) {
    if (around == TEXT_WORD_LETTER) return sign == TEXT_WORD_MID_LETTER || sign == TEXT_WORD_MID_EITHER;
    return around == TEXT_WORD_DIGIT && (sign == TEXT_WORD_MID_DIGIT || sign == TEXT_WORD_MID_EITHER);
}

void text_plain_words(const uint32_t *characters, size_t count, uint8_t *marks) {
    uint32_t before = TEXT_WORD_OTHER, last = TEXT_WORD_OTHER; // last: that of the character before the sign
    for (size_t i = 0; i < count; i++) {
        uint32_t now = class_at(characters[i]);
        if ((joined[before] >> now & 1u) == 0) marks[i] |= TEXT_AT_WORD;
        if (now == last && is_inside(before, now)) {
            marks[i - 1] &= (uint8_t)~TEXT_AT_WORD;
            marks[i] &= (uint8_t)~TEXT_AT_WORD;
        }
        last = before;
        before = now;
    }
}
