// Decoding of fonts: font_file.c for TrueType and OpenType, bitmap_font.c for BMFont, built_in.c for the one of Filo.

#ifndef TEXT_FONT_FILE_H
#define TEXT_FONT_FILE_H

#include "text/font/font.h"

#define TEXT_FONT_BYTES_MAX FILO_MIB(256)

// An empty file with one reference; NULL without memory.
TextFontFile *text_font_file_create(TextFontKind kind, const FiloAllocator *allocator);
// Decodes the bytes of a file of either format. Any thread.
FiloResult text_font_file_read(TextFontFile **file, const FiloAssetBytes *bytes);
FiloAssetType text_font_type(void);

// Fills a file with the tables of a bitmap font, and declares its images as dependencies of the asset.
FiloResult text_bitmap_read(TextFontFile *file, const FiloAssetBytes *bytes);
void text_bitmap_free(TextBitmapFont *font, const FiloAllocator *allocator); // NULL is allowed
// The glyph of a code point; 0 if there is none.
uint32_t text_bitmap_glyph(const TextBitmapFont *font, uint32_t code_point);

// The built-in font. NULL without memory.
TextFontFile *text_built_in_create(const FiloAllocator *allocator);

// The font of HarfBuzz for a file, in units of the file, slanted and at the axes of `style`. Writes the glyphs
// of plain characters to `plain`, which must live as long. NULL without memory; `plain` is then unchanged.
hb_font_t *text_shaper_font_create(const TextFontFile *file, const TextFont *style, uint32_t *plain);

#endif
