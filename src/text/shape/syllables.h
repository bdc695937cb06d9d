// Syllables of scripts without spaces between words, and letters that are stacked: where lines end if no rule of Unicode
// and no dictionary says it.

#ifndef TEXT_SYLLABLES_H
#define TEXT_SYLLABLES_H

#include <filo/types.h>

// Adds marks (TextMark) to a paragraph, after its letters were marked.
//   TEXT_AT_BREAK    at the syllables of Lao and Burmese, unless the text has zero-width spaces
//   TEXT_INSIDE      where a line must not begin even if a word is longer than a line: inside of a syllable of Lao, Burmese
//                    and Khmer, after a virama that joins consonants, after a vowel that is written before its consonant
void text_mark_syllables(const uint32_t *characters, uint8_t *marks, size_t count);

#endif
