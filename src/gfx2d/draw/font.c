// The built-in font as an image: white letters on transparent, sixteen in a row.

#include "gfx2d/draw/font.h"
#include "gfx2d/draw/draw.h"

bool gfx2d_font_pixels(FiloPixels *pixels, const FiloAllocator *allocator) {
    const int columns = (int)GFX2D_FONT_COLUMNS, rows = (int)(GFX2D_FONT_LETTERS / GFX2D_FONT_COLUMNS);
    if (!filo_pixels_create(pixels, columns * GFX2D_FONT_WIDTH, rows * GFX2D_FONT_HEIGHT, allocator))
        return false;
    for (int letter = 0; letter < (int)GFX2D_FONT_LETTERS; letter++) {
        int left = letter % columns * GFX2D_FONT_WIDTH, top = letter / columns * GFX2D_FONT_HEIGHT;
        for (int y = 0; y < GFX2D_FONT_HEIGHT; y++)
            for (int x = 0; x < GFX2D_FONT_WIDTH; x++)
                if ((gfx2d_font_rows[letter][y] & 0x80 >> x) != 0)
                    *filo_pixels_at(pixels, left + x, top + y) = FILO_COLOR_WHITE;
    }
    return true;
}
