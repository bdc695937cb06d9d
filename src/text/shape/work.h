// What a layout is made of, step by step. All arrays are kept for the next text.
//
//   parse.c      mark-up and UTF-8        characters, spans of one style, links, icons
//   analyse.c    rules of Unicode         for each character: letters, breaks, levels, scripts
//   itemise.c    fonts of letters         pieces: of one direction, script, style and font
//   shape.c      HarfBuzz                 glyphs of each piece
//   ../layout/   lines                    see layout.h
//
// Characters are code points, counted from 0; `bytes` says where each of them is in the text that was passed.

#ifndef TEXT_WORK_H
#define TEXT_WORK_H

#include "text/font/fonts.h"

#include <harfbuzz/hb.h>

typedef enum TextMark {
    TEXT_AT_LETTER = 1, // a grapheme cluster begins here
    TEXT_AT_BREAK = 2,  // a line may begin here
    TEXT_AT_WORD = 4,   // a word, or what is between two, begins here
    TEXT_IS_SPACE = 8,  // not shown at the end of a line
    TEXT_IS_NEWLINE = 16,
    TEXT_IN_WORD = 32, // a letter, digit or mark, of which words consist
    TEXT_INSIDE = 64,  // no line begins here, not even in a word that is longer than a line
    TEXT_MARKS = 63,   // of plain characters
} TextMark;

typedef struct TextSpan {
    uint32_t start; // character; up to the start of the next one
    FiloName font;
    float size;
    FiloColor color; // all zero: that of the style
    uint32_t link;   // 1 + index of a link; 0: none
    uint32_t icon;   // 1 + index of an icon, whose character is U+FFFC; 0: none
    uint16_t axes;   // text_fonts_axes
    bool bold, italic, underline, strike;
} TextSpan;

// The target of a link or the name of an icon: bytes of the text.
typedef struct TextReference {
    uint32_t start, length;
} TextReference;

typedef enum TextPieceKind {
    TEXT_PIECE_LETTERS,
    TEXT_PIECE_TAB,
    TEXT_PIECE_ICON,
    TEXT_PIECE_NEWLINE
} TextPieceKind;

typedef struct TextPiece {
    uint32_t start, end; // characters
    uint32_t span;
    TextPieceKind kind;
    uint16_t font;
    uint8_t level; // odd: from right to left
    hb_script_t script;
    uint32_t first_glyph, glyph_count; // of TextWork.glyphs
} TextPiece;

// A glyph as HarfBuzz returns it, in the unit of the size. Those of a piece are in the order in which they are seen.
typedef struct TextShapedGlyph {
    uint32_t glyph;
    uint32_t character;  // the first one that it shows
    float advance, x, y; // y up
    bool unsafe;         // a line that begins here must be shaped again
} TextShapedGlyph;

typedef struct TextParagraph {
    uint32_t start, end; // characters, without the newline
    uint32_t next;       // the start of the next one
    uint32_t seen;       // TextPlain of all its characters
    uint8_t level;       // of the paragraph
} TextParagraph;

// A line, in letters.
typedef struct TextRange {
    uint32_t start, end; // without a newline
    uint32_t trimmed;    // its end without spaces
    uint32_t paragraph;
    bool last;     // of its paragraph
    bool hyphen;   // ends at a soft hyphen, which is shown
    bool ellipsis; // ends in an ellipsis
    uint32_t first_fragment, fragment_count;
    float width;   // without spaces at its end
    float hanging; // width of these
    float ascent, descent, gap;
} TextRange;

// A part of a line: a piece, or what a line shows of it. Those of a line are in the order in which they are seen.
typedef struct TextFragment {
    TextPiece piece;
    float width;
    bool hanging; // spaces at the end of a line
    bool extra;   // a hyphen or an ellipsis, which is not part of the text
} TextFragment;

typedef FiloArray(uint8_t) TextByteArray;
typedef FiloArray(uint32_t) TextWordArray;

typedef struct TextWork {
    // Of each character, and one more for the end:
    TextWordArray characters, bytes;
    TextByteArray marks;   // TextMark
    TextByteArray levels;  // of the bidirectional algorithm
    TextWordArray scripts; // hb_script_t
    TextWordArray letters; // index of its grapheme cluster
    // Of each grapheme cluster, and one more for the end:
    TextWordArray starts;    // its first character
    FiloArray(float) widths; // of letters only if `measures`; always of tabs and icons
    FiloArray(TextSpan) spans;
    FiloArray(TextReference) links, icons;
    FiloArray(TextParagraph) paragraphs;
    FiloArray(TextPiece) pieces;
    FiloArray(TextShapedGlyph) glyphs;
    FiloArray(TextRange) lines;
    FiloArray(TextFragment) fragments;
    uint32_t letter_count;
    uint32_t seen;            // TextPlain of all characters
    bool cut;                 // an ellipsis is shown
    FiloArray(char) breaks;   // of libunibreak
    TextWordArray known;      // characters as libunibreak gets them
    TextWordArray bidi_types; // of FriBidi
    TextWordArray bidi_brackets;
    FiloArray(wchar_t) thai;
    FiloArray(int) thai_breaks;
    void *thai_dictionary; // NULL: not loaded
    bool thai_tried;
    hb_buffer_t *buffer;
    // Of the style:
    float letter_spacing; // em
    uint16_t axes;        // text_fonts_axes
    hb_language_t language;
    const char *language_text;
    bool wraps;    // between words; otherwise it is not found out where lines may end
    bool measures; // widths of letters are needed: lines have a limit, or tabs
} TextWork;

// Changes the count of an array whose items are all written afterwards. False without memory.
#define text_array_set_count(array, count_)                                                                  \
    (((count_) <= (array)->capacity ||                                                                       \
      filo_array_reserve((array), FILO_MAX((size_t)(count_), 2 * (array)->capacity))) &&                     \
     text_array_count_is(&(array)->count, (count_)))
static inline bool text_array_count_is(size_t *count, size_t value) {
    *count = value;
    return true;
}

bool text_work_init(TextWork *work, const FiloAllocator *allocator); // false without memory
void text_work_deinit(TextWork *work);

// Frees the memory of a long text.
void text_work_trim(TextWork *work);
void text_thai_free(void *dictionary);

// Each is false without memory.
bool text_parse(FiloTypesetter *setter, const FiloTextStyle *style, FiloString text);
bool text_analyse(TextWork *work, FiloTextDirection direction);
bool text_itemise(FiloTypesetter *setter);
bool text_shape_all(FiloTypesetter *setter);
// Shapes a piece, or a part of one. Appends its glyphs to `work->glyphs`.
bool text_shape(FiloTypesetter *setter, TextPiece *piece);
// Shapes a text that is not part of the one in work: an ellipsis, a hyphen. `piece` has span, font, level and script.
bool text_shape_extra(FiloTypesetter *setter, TextPiece *piece, const uint32_t *characters, size_t count);

// The font that shows a character: the first of the chain that has it; TEXT_NO_SOURCE if none has.
uint16_t text_font_of_character(FiloTypesetter *setter, const TextSpan *span, uint32_t character);

static inline bool text_color_is_zero(FiloColor c) { return c.r == 0 && c.g == 0 && c.b == 0 && c.a == 0; }

#endif
