// Plain characters: those of Latin, Greek and Cyrillic, and the signs between them, most of what is shown in these
// alphabets. Each of them is a letter of its own, is read from left to right, and shows something. What the rules of
// Unicode say about one of them is a number in a table; only texts with other characters need the libraries.

#ifndef TEXT_PLAIN_H
#define TEXT_PLAIN_H

#include <filo/types.h>

#define TEXT_PLAIN_END 0x528u // code points from here on are in no table

// The lower bits are those of TextMark.
typedef enum TextPlain {
    TEXT_PLAIN_LATIN = 0x40,
    TEXT_PLAIN_GREEK = 0x80,
    TEXT_PLAIN_CYRILLIC = 0x100,
    TEXT_PLAIN_SCRIPTS = 0x1C0, // of a sign: none of them
    TEXT_PLAIN_TAB = 0x200,
    TEXT_PLAIN_WORD_SHIFT = 10, // TextWordClass, 3 bits
    TEXT_NOT_PLAIN = 0x8000,    // needs the libraries
} TextPlain;

typedef enum TextWordClass {
    TEXT_WORD_OTHER,
    TEXT_WORD_LETTER,
    TEXT_WORD_DIGIT,
    TEXT_WORD_LOW_LINE,   // joins letters and digits
    TEXT_WORD_MID_LETTER, // does not end a word between two letters
    TEXT_WORD_MID_DIGIT,  // does not end a number between two digits
    TEXT_WORD_MID_EITHER, // both
    TEXT_WORD_CLASS_COUNT
} TextWordClass;

extern uint16_t text_plain_table[TEXT_PLAIN_END];

// Fills the table. Once, before anything else here is used.
void text_plain_init(void);

// TextPlain and TextMark of a character; those that are not plain are newlines or TEXT_NOT_PLAIN.
static inline uint32_t text_plain(uint32_t character) {
    return character < TEXT_PLAIN_END ? text_plain_table[character] : (uint32_t)TEXT_NOT_PLAIN;
}

// Marks where words begin (TEXT_AT_WORD) in plain characters, by the rules of UAX #29.
void text_plain_words(const uint32_t *characters, size_t count, uint8_t *marks);

#endif
