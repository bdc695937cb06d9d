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
    // Words, by the rules of UAX #29:
    TEXT_PLAIN_LETTER = 0x400,
    TEXT_PLAIN_DIGIT = 0x800,
    TEXT_PLAIN_IN_LETTERS = 0x1000, // a sign that does not end a word between two letters
    TEXT_PLAIN_IN_DIGITS = 0x2000,  // a sign that does not end a number between two digits
    TEXT_PLAIN_JOINED = 0x4000,     // letters, digits and '_', which are joined to each other
    TEXT_NOT_PLAIN = 0x8000,        // needs the libraries
} TextPlain;

extern uint16_t text_plain_table[TEXT_PLAIN_END];

// Fills the table. Once, before anything else here is used.
void text_plain_init(void);

// TextPlain and TextMark of a character; those that are not plain are newlines or TEXT_NOT_PLAIN.
static inline uint32_t text_plain(uint32_t character) {
    return character < TEXT_PLAIN_END ? text_plain_table[character] : (uint32_t)TEXT_NOT_PLAIN;
}

// Whether a sign is part of the word or number around it: rules WB6, WB7, WB11 and WB12.
static inline bool text_plain_inside(uint32_t before, uint32_t sign, uint32_t after) {
    uint32_t around = before & after;
    return ((around & TEXT_PLAIN_LETTER) != 0 && (sign & TEXT_PLAIN_IN_LETTERS) != 0) ||
           ((around & TEXT_PLAIN_DIGIT) != 0 && (sign & TEXT_PLAIN_IN_DIGITS) != 0);
}

#endif
