// The built-in font as an image: white letters on nothing, sixteen in a row.

#include "gfx2d/font.h"
#include "gfx2d/draw.h"

bool filo_font_pixels(FiloPixels *pixels, const FiloAllocator *allocator) {
    const int columns = (int)FILO_FONT_COLUMNS, rows = (int)(FILO_FONT_LETTERS / FILO_FONT_COLUMNS);
    if (!filo_pixels_create(pixels, columns * FILO_FONT_WIDTH, rows * FILO_FONT_HEIGHT, allocator))
        return false;
    for (int letter = 0; letter < (int)FILO_FONT_LETTERS; letter++) {
        int left = letter % columns * FILO_FONT_WIDTH, top = letter / columns * FILO_FONT_HEIGHT;
        for (int y = 0; y < FILO_FONT_HEIGHT; y++)
            for (int x = 0; x < FILO_FONT_WIDTH; x++)
                if ((filo_font_rows[letter][y] & 0x80 >> x) != 0)
                    *filo_pixels_at(pixels, left + x, top + y) = FILO_COLOR_WHITE;
    }
    return true;
}
