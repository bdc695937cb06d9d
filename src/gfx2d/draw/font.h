// The built-in font: rows of bits, written by tools/font.py.

#ifndef FILO_GFX2D_FONT_H
#define FILO_GFX2D_FONT_H

#include <filo/types.h>

#define GFX2D_FONT_WIDTH   8
#define GFX2D_FONT_HEIGHT  16
#define GFX2D_FONT_FIRST   32u  // the first letter, a space
#define GFX2D_FONT_LETTERS 224u // up to 255
#define GFX2D_FONT_BOX     127u // shown for characters that the font does not have
#define GFX2D_FONT_COLUMNS 16u  // letters in a row of the image

extern const uint8_t gfx2d_font_rows[GFX2D_FONT_LETTERS][GFX2D_FONT_HEIGHT];

// The number of the letter that shows a character, counted from GFX2D_FONT_FIRST.
static inline unsigned gfx2d_font_letter(uint32_t character) {
    bool exists = (character >= 32 && character < 127) || (character >= 160 && character < 256);
    return (exists ? character : GFX2D_FONT_BOX) - GFX2D_FONT_FIRST;
}

#endif
