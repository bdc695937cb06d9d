// Fonts of a typesetter.
//
// A TextFontFile is what an asset of type "font" was decoded to: the bytes of a TrueType or OpenType file, or the
// tables of a bitmap font. It does not change any more, and is freed with its last reference. So a worker that makes
// glyphs retains it, opens a face of FreeType on its bytes, and releases it afterwards, whatever happens to the font
// in the meantime.
//
// A TextFont is a file in one style: as it is, emboldened, slanted, or both, at one place on its axes. It has a number
// for the life of the typesetter. When the file is reloaded, `file` changes and `version` grows: glyphs that were made of an earlier version
// are stale. Glyph numbers of different versions mean different glyphs.

#ifndef TEXT_FONT_H
#define TEXT_FONT_H

#include "text/font/axes.h"
#include "text/shape/plain.h"

#include <filo/assets.h>
#include <filo/text.h>

#include <harfbuzz/hb.h>

typedef enum TextFontKind {
    TEXT_FONT_BUILT_IN, // 8 × 16 pixels; glyph numbers are code points (32–126, 160–255), 0 is the box
    TEXT_FONT_BITMAP, // BMFont: glyph numbers are indices into TextBitmapFont.glyphs; 0 is the box or an empty one
    TEXT_FONT_OUTLINE, // FreeType: outlines or colour bitmaps; glyph numbers are those of the file
} TextFontKind;

// A glyph of a bitmap font, in pixels of the page.
typedef struct TextBitmapGlyph {
    uint32_t code_point;
    uint16_t x, y, width, height; // on its page
    int16_t left, top; // from the pen and from the top of the line (y down) to its upper left corner
    int16_t advance;
    uint8_t page;
} TextBitmapGlyph;

typedef struct TextKerning {
    uint32_t first, second; // indices of glyphs
    int32_t amount;
} TextKerning;

#define TEXT_BITMAP_PAGES 16

typedef struct TextBitmapFont {
    TextBitmapGlyph *glyphs; // [glyph_count], [0] for missing characters, the rest by code point
    uint32_t glyph_count;
    TextKerning *kernings; // by first and second
    uint32_t kerning_count;
    int32_t size, line_height,
        base; // pixels: of the em, from line to line, from the top of a line to its baseline
    FiloName pages[TEXT_BITMAP_PAGES]; // image assets
    FiloAsset page_assets[TEXT_BITMAP_PAGES];
    uint32_t page_count;
    bool smooth; // to be scaled with linear filtering
} TextBitmapFont;

typedef struct TextFontFile {
    uint32_t references; // atomic
    TextFontKind kind;
    const FiloAllocator *allocator;
    uint8_t *bytes; // TEXT_FONT_OUTLINE: the whole file
    size_t size;
    hb_face_t *face;        // immutable, may be used on any thread
    hb_face_t *tables;      // of an outline font: what `face` gets its tables from
    TextBitmapFont *bitmap; // TEXT_FONT_BITMAP
    bool has_color;         // bitmaps, or layers of some outlines
    bool has_outlines;
    // In units of the font; y up, all distances positive but underline_y, the top of the underline, which is below 0.
    float units_per_em, ascent, descent, line_gap;
    float underline_y, underline_width, strike_y, strike_width;
} TextFontFile;

typedef struct TextFont {
    uint16_t index;     // FiloTextGlyph.font
    uint16_t source;    // of TextFonts.sources; TEXT_NO_SOURCE: the built-in one
    bool bold, slanted; // synthesised from `file`
    TextAxes axes;      // of a variable font
    FiloName name;
    TextFontFile *file;             // retained; never NULL for a font in a layout
    uint32_t version;               // grows when `file` changes
    hb_font_t *hb;                  // of `file`, scaled to its units
    uint32_t plain[TEXT_PLAIN_END]; // glyphs of plain characters; 0: it has none
} TextFont;

// How far synthesised styles go: outlines are widened by this many em in all, which the advances grow by, too, and
// sheared by this much x for each y.
#define TEXT_BOLD_WIDTH (1.0f / 28)
#define TEXT_SLANT      0.2f

// The font of a glyph; NULL for a number that no font has. Main thread; valid as long as the typesetter.
const TextFont *text_font_at(const FiloTypesetter *setter, uint16_t index);
// Any thread.
TextFontFile *text_font_file_retain(TextFontFile *file);
void text_font_file_release(TextFontFile *file); // NULL is allowed

#endif
