// The table of plain characters.

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

static uint32_t word_properties(uint32_t c) {
    switch (c) {
    case '_': return TEXT_PLAIN_JOINED;
    case ':':
    case 0xB7:
    case 0x387: return TEXT_PLAIN_IN_LETTERS;
    case ',':
    case ';':
    case 0x37E: return TEXT_PLAIN_IN_DIGITS;
    case '.':
    case '\'': return TEXT_PLAIN_IN_LETTERS | TEXT_PLAIN_IN_DIGITS;
    default: break;
    }
    if (c >= '0' && c <= '9') return TEXT_PLAIN_DIGIT | TEXT_PLAIN_JOINED;
    return is_letter(c) ? TEXT_PLAIN_LETTER | TEXT_PLAIN_JOINED : 0u;
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
    if (c == 0x37F) return TEXT_NOT_PLAIN; // libunibreak does not know it yet
    uint32_t found = TEXT_AT_LETTER | plain_script(c) | word_properties(c);
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
