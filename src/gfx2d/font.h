// The built-in font: rows of bits, written by tools/font.py.

#ifndef FILO_GFX2D_FONT_H
#define FILO_GFX2D_FONT_H

#include <filo/types.h>

#define FILO_FONT_WIDTH   8
#define FILO_FONT_HEIGHT  16
#define FILO_FONT_FIRST   32u  // the first letter, a space
#define FILO_FONT_LETTERS 224u // up to 255
#define FILO_FONT_BOX     127u // stands for what the font does not have
#define FILO_FONT_COLUMNS 16u  // letters in a row of the image

extern const uint8_t filo_font_rows[FILO_FONT_LETTERS][FILO_FONT_HEIGHT];

// The number of the letter that shows a character, counted from FILO_FONT_FIRST.
static inline unsigned filo_font_letter(uint32_t character) {
    bool is_there = (character >= 32 && character < 127) || (character >= 160 && character < 256);
    return (is_there ? character : FILO_FONT_BOX) - FILO_FONT_FIRST;
}

#endif
