// Syllables of Lao, Burmese and Khmer. See syllables.h.
//
// Burmese spells out where syllables end: a consonant without a vowel carries an asat, or has the next one below it. Lao
// does not: eight consonants may end a syllable, and a consonant that may do so begins one only if a vowel or a tone
// follows. Where that is ambiguous, two syllables stay together. In Khmer a consonant without a sign may begin or
// end a syllable, so its syllables are no places for lines to end, except in a word that is longer than a line.

#include "text/shape/syllables.h"

#include "text/shape/work.h"

static bool in(uint32_t c, uint32_t first, uint32_t last) { return c - first <= last - first; }

// ---- Burmese --------------------------------------------------------------------------------------------

#define MYANMAR_DOT    0x1037u
#define MYANMAR_VIRAMA 0x1039u // puts the next consonant below
#define MYANMAR_ASAT   0x103Au // ends a syllable

static bool is_myanmar(uint32_t c) { return in(c, 0x1000, 0x103F) || in(c, 0x104C, 0x108F); }

// Whether a syllable begins at `i`, of which the character before is of the same script.
static bool myanmar_begins(const uint32_t *c, size_t i, size_t count) {
    bool letter = in(c[i], 0x1000, 0x1021) || in(c[i], 0x1023, 0x102A) || c[i] == 0x104E ||
                  in(c[i], 0x1075, 0x1081); // the last ones are those of Shan
    if (!letter || c[i - 1] == MYANMAR_VIRAMA) return false;
    size_t next = i + 1 < count && c[i + 1] == MYANMAR_DOT ? i + 2 : i + 1;
    return next >= count || (c[next] != MYANMAR_ASAT && c[next] != MYANMAR_VIRAMA);
}

// ---- Lao ------------------------------------------------------------------------------------------------

enum { LAO_KO = 0x0E81, LAO_NGO = 0x0E87, LAO_WO = 0x0EA7, LAO_HO = 0x0EAB, LAO_O = 0x0EAD, LAO_A = 0x0EB0 };

static bool is_lao(uint32_t c) { return in(c, 0x0E81, 0x0ECE) || in(c, 0x0EDC, 0x0EDF); }
static bool is_lao_consonant(uint32_t c) { return in(c, 0x0E81, 0x0EAE) || in(c, 0x0EDC, 0x0EDF); }
static bool is_lao_before(uint32_t c) { return in(c, 0x0EC0, 0x0EC4); } // written before its consonant
static bool is_lao_sign(uint32_t c) { return in(c, 0x0EB0, 0x0EBD) || in(c, 0x0EC8, 0x0ECE); }

// Consonants that may end a syllable.
static bool is_lao_final(uint32_t c) {
    return c == LAO_KO || c == LAO_NGO || c == 0x0E8D || c == 0x0E94 || c == 0x0E99 || c == 0x0E9A ||
           c == 0x0EA1 || c == LAO_WO;
}
// Consonants that a HO before them raises the tone of.
static bool is_lao_after_ho(uint32_t c) {
    return c == LAO_NGO || c == 0x0E8D || c == 0x0E99 || c == 0x0EA1 || c == 0x0EA3 || c == 0x0EA5 ||
           c == LAO_WO;
}

// Whether the consonant at `i` may belong to that before it.
static bool lao_joins(const uint32_t *c, size_t i) {
    uint32_t before = c[i - 1];
    if (!is_lao_consonant(before)) return is_lao_before(before);
    if (before == LAO_HO && is_lao_after_ho(c[i])) return true;
    if (c[i] == LAO_WO && (!is_lao_final(before) || before == LAO_KO || before == LAO_NGO)) return true;
    // One that cannot end a syllable still waits for its vowel, unless that was written before it.
    bool has_vowel = i >= 2 && is_lao_before(c[i - 2]);
    return !is_lao_final(before) && !has_vowel;
}

static bool lao_begins(const uint32_t *c, size_t i, size_t count) {
    if (is_lao_before(c[i])) return !is_lao_before(c[i - 1]);
    if (!is_lao_consonant(c[i]) || lao_joins(c, i)) return false;
    uint32_t next = i + 1 < count ? c[i + 1] : 0, second = i + 2 < count ? c[i + 2] : 0;
    bool sign = is_lao_sign(next);
    // O and WO are also parts of vowels.
    if ((c[i] == LAO_O || c[i] == LAO_WO) && next == LAO_A && is_lao_sign(c[i - 1])) return false;
    if (c[i] == LAO_O) return sign;
    if (!is_lao_final(c[i])) return true;
    return sign || (next == LAO_O && is_lao_consonant(second) && second != LAO_O);
}

// ---- Khmer ----------------------------------------------------------------------------------------------

#define KHMER_COENG 0x17D2u // puts the next consonant below

static bool is_khmer(uint32_t c) { return in(c, 0x1780, 0x17D3) || c == 0x17D7 || c == 0x17DD; }

// A consonant without any sign is taken for the end of a syllable.
static bool khmer_begins(const uint32_t *c, size_t i, size_t count) {
    if (!in(c[i], 0x1780, 0x17B3) || c[i - 1] == KHMER_COENG) return false;
    uint32_t next = i + 1 < count ? c[i + 1] : 0;
    if (next == 0x17CB || next == 0x17CD) return false; // a short vowel before it; it is silent
    bool sign = in(next, 0x17B4, 0x17D3) || next == 0x17DD;
    return sign || !in(c[i], 0x1780, 0x17A2);
}

// ---- All ------------------------------------------------------------------------------------------------

// Viramas after which the next consonant changes its form.
static bool joins_consonants(uint32_t c) {
    switch (c) {
    case 0x094D: // Devanagari
    case 0x09CD: // Bengali
    case 0x0A4D: // Gurmukhi
    case 0x0ACD: // Gujarati
    case 0x0B4D: // Oriya
    case 0x0C4D: // Telugu
    case 0x0CCD: // Kannada
    case 0x0D4D: // Malayalam
    case MYANMAR_VIRAMA:
    case KHMER_COENG: return true;
    default: return false;
    }
}

static bool is_thai_before(uint32_t c) { return in(c, 0x0E40, 0x0E44); }

void text_mark_syllables(const uint32_t *characters, uint8_t *marks, size_t count) {
    bool words_marked = false;
    for (size_t i = 0; i < count && !words_marked; i++) words_marked = characters[i] == 0x200B;
    for (size_t i = 1; i < count; i++) {
        uint32_t c = characters[i], before = characters[i - 1];
        if (!in(before, 0x0900, 0x17FF) || (marks[i] & (TEXT_AT_LETTER | TEXT_IS_SPACE)) != TEXT_AT_LETTER)
            continue;
        bool inside = joins_consonants(before) || is_thai_before(before), begins = false;
        if (is_myanmar(c) && is_myanmar(before))
            inside = !(begins = myanmar_begins(characters, i, count));
        else if (is_lao(c) && is_lao(before))
            inside = !(begins = lao_begins(characters, i, count));
        else if (is_khmer(c) && is_khmer(before))
            inside = !khmer_begins(characters, i, count);
        if (inside) marks[i] |= TEXT_INSIDE;
        if (begins && !words_marked) marks[i] |= TEXT_AT_BREAK;
    }
}
