// A layout, and how it is made of pieces:
//
//   wrap.c      where lines end
//   lines.c     what each line shows, in the order in which it is seen
//   place.c     positions of glyphs, letters, icons and bars
//   layout.c    all steps; one block of memory for the result
//   cache.c     layouts that are kept
//   query.c     what is in a layout
//   caret.c     carets, hits, steps, selections

#ifndef TEXT_LAYOUT_H
#define TEXT_LAYOUT_H

#include "text/shape/work.h"

// What decides on a layout besides its text. No padding: it is compared and hashed as bytes.
typedef struct TextLayoutKey {
    uint32_t font, generation; // id of the name; of TextFonts
    float size, width, height, line_spacing, letter_spacing, tab;
    int32_t max_lines;
    uint8_t bold, italic, underline, strike, markup, align, vertical, direction, wrap, zero;
    uint16_t axes; // text_fonts_axes
    hb_language_t language;
} TextLayoutKey;

typedef enum TextLetterFlags {
    TEXT_LETTER_RTL = 1,
    // As TextMark has them:
    TEXT_LETTER_AT_WORD = TEXT_AT_WORD,
    TEXT_LETTER_IN_WORD = TEXT_IN_WORD,
    TEXT_LETTER_NEWLINE = TEXT_IS_NEWLINE,
    TEXT_LETTER_MARKS = TEXT_AT_WORD | TEXT_IN_WORD | TEXT_IS_NEWLINE,
} TextLetterFlags;

// A letter, or the end of the text: the place of a caret.
typedef struct TextLetter {
    uint32_t byte;
    float left, right;
    uint32_t line : 26, flags : 6; // TextLetterFlags
} TextLetter;

#define TEXT_NO_LINE ((1u << 26) - 1)
_Static_assert(FILO_TEXT_BYTES_MAX < TEXT_NO_LINE, "a line has at least a byte");

typedef struct TextLink {
    uint32_t first, end;            // letters
    uint32_t target, target_length; // bytes of the text
} TextLink;

#define TEXT_EVICTED UINT64_MAX

struct FiloTextLayout {
    TextLayoutKey key;
    uint64_t hash;
    size_t block_size;
    uint64_t last_used;                   // frame; TEXT_EVICTED: it must not be used any more
    struct FiloTextLayout *newer, *older; // in the order of use
    struct FiloTextLayout *same;          // another layout with this hash
    FiloRect bounds;
    bool cut;
    uint32_t letter_count; // of the whole text, for `hidden`
    size_t line_count, glyph_count, icon_count, bar_count, shown_count, link_count, text_length;
    FiloTextLine *lines;
    uint32_t *line_letters; // [line_count + 1]: the first letter of each line
    FiloTextGlyph *glyphs;
    FiloTextIcon *icons; // their names are retained
    FiloTextBar *bars;
    TextLetter *letters; // [shown_count + 1], in the order of the text; the last one is the end
    TextLink *links;
    char *text; // ends in a zero
};

// What place.c has made, before it is packed into a layout.
typedef struct TextPlaced {
    FiloArray(FiloTextLine) lines;
    TextWordArray line_letters;
    FiloArray(FiloTextGlyph) glyphs;
    FiloArray(FiloTextIcon) icons; // without names
    TextWordArray icon_spans;
    FiloArray(FiloTextBar) bars;
    FiloArray(TextLetter) letters;
    FiloArray(TextLink) links;
    FiloRect bounds;
} TextPlaced;

// A style with all defaults replaced and all numbers made usable.
FiloTextStyle text_style_normalise(const FiloTextStyle *style);

// Each is false without memory.
bool text_wrap(FiloTypesetter *setter, const FiloTextStyle *style);
bool text_line_arrange(FiloTypesetter *setter, TextRange *line);
bool text_place(FiloTypesetter *setter, const FiloTextStyle *style);

// The piece that a letter is in.
size_t text_piece_of_letter(const TextWork *work, uint32_t letter);
// Width of a tab that begins at x.
float text_tab_width(const FiloTextStyle *style, double x);
// An ellipsis or hyphen in the font of a letter.
bool text_extra_fragment(FiloTypesetter *setter, TextFragment *fragment, uint32_t letter, uint8_t level,
                         bool hyphen);

void text_placed_init(TextPlaced *placed, const FiloAllocator *allocator);
void text_placed_deinit(TextPlaced *placed);

#endif
