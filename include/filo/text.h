// filo/text.h: text in any script: fonts, shaping, layout, drawing.
//
//     static void draw(FiloApp *app, FiloDraw *draw) {
//         FiloTypesetter *setter = filo_app_typesetter(app);
//         filo_text_draw(setter, draw, filo_vec2(40, 40),
//                        &(FiloTextStyle){ .font = filo_name("serif.ttf"), .size = 32 },
//                        "Ταξίδι · سفر · यात्रा · 旅");
//     }
//     …
//     filo_create(world, FILO_SET(FiloTransform2, .position = { 3, 5 }),
//                 FILO_SET(FiloText, .text = "Tavern", .size = 0.5f, .align = FILO_TEXT_CENTRE));
//
// How a text becomes glyphs. Mark-up, if there is any, is parsed into runs of one style. The text is divided into
// paragraphs, and each paragraph into pieces of one direction (the Unicode bidirectional algorithm), one script, one
// style and one font: for each grapheme cluster (what a reader calls a letter, with its accents) the first font of the
// chain that has it. HarfBuzz shapes every piece: kerning, ligatures, joined and reordered letters. Lines are broken
// where the rules of Unicode allow it, Thai between words of a dictionary, Lao and Burmese between syllables, and the pieces of each line are put into
// the order in which they are seen. The result is a layout: positions of glyphs, carets and links.
//
// Layouts are cached by text and style. The same text in the next frame costs a hash and a comparison, and a frame
// in which no text changes allocates nothing. Colours, effects and `hidden` are not part of a layout: fading or
// revealing a text does not lay it out again.
//
// Fonts are assets, loaded in the background and reloaded when their files change. The last font of every chain is
// the built-in one of 8 × 16 pixels (ASCII and Latin-1), which needs no file. So there is always something to see: a
// font that is missing or not loaded yet is replaced by the next one of the chain, and a character that no font has
// by the sign for missing characters of its font, usually a box. Both are logged once.
//
// Positions are computed from the units of the font without hinting, so they scale with the size, and are the same on
// every machine. Any bytes are a text: each longest invalid sequence of UTF-8 is shown as U+FFFD.
//
// One thread at a time uses a typesetter: the main thread, in an app. Functions that take only a layout may be called
// by any number of threads at once.

#ifndef FILO_TEXT_H
#define FILO_TEXT_H

#include <filo/assets.h>
#include <filo/color.h>
#include <filo/draw.h>
#include <filo/gfx2d.h>
#include <filo/modules.h>
#include <filo/reflect.h>
#include <filo/strings.h>
#include <filo/vector.h>

FILO_BEGIN_DECLS

typedef struct FiloTypesetter FiloTypesetter;
typedef struct FiloTextLayout FiloTextLayout;

typedef struct FiloTypesetterDesc {
    FiloAssets *assets; // fonts and translations come from here; NULL: only what the program adds
    size_t cache_size;  // bytes of layouts that are kept; 0: 16 MiB. What two frames use is kept in any case
    const FiloAllocator *allocator; // NULL: filo_heap()
} FiloTypesetterDesc;

// Registers the asset types "font" (ttf, otf, ttc, otc, woff, woff2, fnt) and "translations" (no extension: load them with
// filo_text_use_translations). Assets serve one typesetter at a time: FILO_ERROR_EXISTS otherwise.
FiloResult filo_typesetter_create(FiloTypesetter **setter, const FiloTypesetterDesc *desc);
void filo_typesetter_destroy(FiloTypesetter *setter); // before its assets. NULL is allowed
// Once a frame, after the assets were updated: notices fonts and tables that were loaded or have changed, and evicts
// layouts that were not used lately. The module does it in an app.
void filo_typesetter_update(FiloTypesetter *setter);

// ---- Fonts ----------------------------------------------------------------------------------------------
//
// A font is an asset of type "font": a TrueType or OpenType file (the first font of a collection), also with colour
// (emoji: bitmaps of CBDT or sbix, layers of COLR version 0), or a bitmap font: a .fnt in the text format of BMFont, with kerning, beside its images.
// FiloTextStyle.font names the asset ("fonts/serif.ttf"), or a family, which has several files:
//
//     filo_text_add_family(setter, &(FiloFontFamily){ .name = "body", .regular = "serif.ttf", .bold = "serif-bold.ttf",
//                                                     .fallback = (const char *[]){ "arabic.ttf" }, .fallback_count = 1 });
//
// The chain of a font: the font itself, the fallback of its family, that of the typesetter, the default font, the
// built-in one. Emoji are first looked for in the fonts of the chain that have colour, unless U+FE0E follows.

// Variable fonts have axes: "wght" (weight, 100 to 900), "wdth" (width, in percent), and others of their own. `axes` of a
// family, of a style, or of mark-up sets some: "wght 650, wdth 80, GRAD 20". The later of these three wins; values beyond
// an axis are its end, and axes that a font lacks change nothing. Bold is a weight of at least 700; where there is no such
// axis, weights from 600 are bold. The height of lines and the place of bars are those of the font without axes.

// Fonts of a typesetter. Each synthesised style counts as one, and each set of axes.
#define FILO_TEXT_FONTS_MAX 1024

typedef struct FiloFontFamily {
    const char *name; // "body"
    // Assets. A missing style is synthesised from the nearest one: emboldened, slanted. `regular` is required.
    const char *regular, *bold, *italic, *bold_italic;
    const char *const *fallback; // families or assets that are asked for characters that these files lack
    size_t fallback_count;       // at most 32
    const char *axes;            // of its variable fonts; NULL: their defaults
} FiloFontFamily;

// Copies the description, and starts to load its files. Replaces the family of that name.
FiloResult filo_text_add_family(FiloTypesetter *setter, const FiloFontFamily *family);
// The families or assets that are asked after a font's own fallback; at most 32. Replaces the previous ones.
FiloResult filo_text_set_fallback(FiloTypesetter *setter, const char *const *fonts, size_t count);
// The font of styles that name none; {0}: the built-in one, as in the beginning. That of a file starts to load.
void filo_text_set_default_font(FiloTypesetter *setter, FiloName font);
// Adds the bytes of a font file, which are copied, under a name; it is ready at once. Replaces the font of that name.
// Bytes that are not a font: FILO_ERROR_DATA, and the font that has the name, if any, stays.
FiloResult filo_text_add_font(FiloTypesetter *setter, const char *name, const void *bytes, size_t size);
// The same for a file anywhere on this machine, such as one of filo_font_find. It is read at once, on this thread.
FiloResult filo_text_load_font(FiloTypesetter *setter, const char *name, const char *path);
// Finds the file of an installed font by its name ("DejaVuSans.ttf"), in the folders "fonts" of XDG_DATA_HOME and
// XDG_DATA_DIRS and in all folders below. Writes its path. FILO_ERROR_NOT_FOUND if there is none; FILO_ERROR_LIMIT if
// the path does not fit. It reads folders: for the start of a program. Any thread.
FiloResult filo_font_find(char *path, size_t size, const char *file);

typedef enum FiloFontState {
    FILO_FONT_UNKNOWN, // neither a family nor a font that was used
    FILO_FONT_LOADING,
    FILO_FONT_READY,
    FILO_FONT_FAILED,
} FiloFontState;
// Of a family (of its regular font) or a font. {0}: of the default font.
FiloFontState filo_font_state(const FiloTypesetter *setter, FiloName font);

// Of a font at a size, in the same unit as the size; all are positive.
typedef struct FiloFontMetrics {
    float ascent, descent; // above and below the baseline
    float line_height;     // from baseline to baseline, at a line spacing of 1
} FiloFontMetrics;
FiloFontMetrics filo_font_metrics(FiloTypesetter *setter, FiloName font, float size);

// ---- Style ----------------------------------------------------------------------------------------------

// Where the lines are, relative to the position that a text is drawn at. With a `width`, lines are aligned in a box of
// that width, which begins at the position (left), is centred there, or ends there (right). The snapped ones round the
// origin of each line to whole pixels, for pixel fonts and sharp small letters.
typedef enum FiloTextAlign {
    FILO_TEXT_LEFT,
    FILO_TEXT_CENTRE,
    FILO_TEXT_RIGHT,
    FILO_TEXT_LEFT_SNAPPED,
    FILO_TEXT_CENTRE_SNAPPED,
    FILO_TEXT_RIGHT_SNAPPED,
    FILO_TEXT_JUSTIFY, // the spaces of all lines but the last of a paragraph are widened to fill the box
    FILO_TEXT_START, // left in paragraphs that read from left to right, right in others; the box begins at the position
    FILO_TEXT_END, // the opposite
    FILO_TEXT_ALIGN_COUNT
} FiloTextAlign;
FILO_REFLECT_DECLARE(FiloTextAlign);

// What is at the y of the position: the top of the first line, the middle of the text, the bottom of the last line, or
// the first baseline.
typedef enum FiloTextVertical {
    FILO_TEXT_TOP,
    FILO_TEXT_MIDDLE,
    FILO_TEXT_BOTTOM,
    FILO_TEXT_BASELINE,
    FILO_TEXT_VERTICAL_COUNT
} FiloTextVertical;
FILO_REFLECT_DECLARE(FiloTextVertical);

// The direction of paragraphs: that of the first letter that has one (otherwise left to right), or always the same.
typedef enum FiloTextDirection {
    FILO_TEXT_AUTO,
    FILO_TEXT_LTR,
    FILO_TEXT_RTL,
    FILO_TEXT_DIRECTION_COUNT
} FiloTextDirection;
FILO_REFLECT_DECLARE(FiloTextDirection);

// Where lines may end, if there is a `width`. Words that are longer than a line are broken between letters, or syllables
// where consonants are stacked. A soft hyphen (U+00AD) is such a place inside of a word, and shows a hyphen if the line ends there.
typedef enum FiloTextWrap {
    FILO_TEXT_WRAP_WORDS,
    FILO_TEXT_WRAP_LETTERS,
    FILO_TEXT_WRAP_NEVER, // only where the text says so; with `max_lines`, longer lines end in an ellipsis
    FILO_TEXT_WRAP_COUNT
} FiloTextWrap;
FILO_REFLECT_DECLARE(FiloTextWrap);

// All zero: the default font, 16 pixels, white. Sizes that are not finite or not above 0 count as 0, which is logged once,
// and those above FILO_TEXT_SIZE_MAX as that.
#define FILO_TEXT_SIZE_MAX 65536.0f
typedef struct FiloTextStyle {
    FiloName font;    // a family or an asset; {0}: the default font
    float size;       // of the em, in pixels of the screen or units of the world; 0: 16
    FiloColor color;  // all zero: white
    const char *axes; // of variable fonts; NULL: those of the family. Unreadable ones are logged once
    bool bold, italic, underline, strike;
    bool markup; // the text has mark-up: see below
    FiloTextAlign align;
    FiloTextVertical vertical;
    FiloTextDirection direction;
    FiloTextWrap wrap;
    float width;          // of the box; 0: no limit
    float height;         // lines that are not whole inside are left out, except the first; 0: no limit
    int max_lines;        // 0: no limit. A text that is cut here, or by `height`, ends in an ellipsis
    float line_spacing;   // times that of the font; 0: 1
    float letter_spacing; // em, after each letter; not in scripts whose letters are joined. Ligatures are off
    float tab;            // distance of the tab stops, em; 0: 4
    // Part of the text, from its end, that is not shown yet: 0 all is shown, 1 nothing. It does not move the rest.
    float hidden;
    const char *language; // "ja", "sr": chooses forms of letters that differ by language; NULL: none
    // Effects, made of the distance fields of the letters. Widths are in em; an outline and a blur or glow together reach
    // 0.14 em, which is the size of the field. Bitmap fonts have shadows that are not blurred, outlines of whole texels,
    // and no glow; coloured glyphs have none.
    float outline;
    FiloColor outline_color; // all zero: black
    FiloVec2 shadow;         // offset, em, y down
    float shadow_blur;
    FiloColor shadow_color; // all zero: none
    float glow;
    FiloColor glow_color; // all zero: none
    bool pixelated;       // scaled without blur: for pixel fonts
} FiloTextStyle;

// ---- Drawing --------------------------------------------------------------------------------------------
//
// Letters up to 128 pixels, upright and not scaled on the screen, are drawn from pictures of their exact size, at quarters of
// a pixel. Everything else (rotated, scaled, in the world, larger, with effects) is drawn from signed distance fields, one
// for each glyph, whose edges are sharp at any zoom. Coloured glyphs and bitmap fonts are pictures.
//
// The pictures of glyphs are made on workers and lie on the atlas pages of the renderer, together with the images of
// sprites, so texts and sprites share draw calls. Those that were not used lately make room for others.

typedef struct FiloTextDrawDesc {
    FiloGfx2d *gfx;
    FiloWorld *world; // whose FiloText are drawn; NULL: only immediate drawing
    FiloJobs *jobs;   // for glyphs, without a world; NULL: the calling thread makes them, a few in each frame
    size_t
        glyph_memory; // bytes of glyphs on the pages; 0: 16 MiB. What the last frames show may take twice as much
} FiloTextDrawDesc;
// Lets a typesetter draw with a renderer, and lets filo_draw_text use its fonts. Calls filo_text_register. The module
// does it in an app. Main thread.
FiloResult filo_text_attach(FiloTypesetter *setter, const FiloTextDrawDesc *desc);
void filo_text_detach(
    FiloTypesetter *setter); // before the renderer is destroyed. Does nothing if it has none
// Registers FiloText and FiloTextEffects. False without memory.
bool filo_text_register(FiloWorld *world);
// Waits for all glyphs that were requested. True if there were any: what was drawn before lacks them. Between frames.
bool filo_text_wait(FiloTypesetter *setter);

// Draws on the screen or in the world, as `draw` does (filo/draw.h). `at` is the anchor, by `align` and `vertical`. In
// the world y goes up, and sizes are in units; lines still follow each other downwards. `style` NULL: all zero. Glyphs
// that were never shown at this size are made on workers and appear one or two frames later, unless headless. Main
// thread.
void filo_text_draw(FiloTypesetter *setter, FiloDraw *draw, FiloVec2 at, const FiloTextStyle *style,
                    const char *text);
// Formats as printf does, up to 4095 bytes.
void filo_text_draw_format(FiloTypesetter *setter, FiloDraw *draw, FiloVec2 at, const FiloTextStyle *style,
                           const char *format, ...) FILO_PRINTF(5, 6);
// Draws a layout with the colour, effects and `hidden` of a style; the rest of the style is ignored.
void filo_text_draw_layout(FiloTypesetter *setter, FiloDraw *draw, FiloVec2 at, const FiloTextStyle *style,
                           const FiloTextLayout *layout);

// ---- Layout ---------------------------------------------------------------------------------------------
//
//     const FiloTextLayout *layout = filo_text_layout(setter, &style, filo_string(text));
//     FiloVec2 size = filo_rect_size(filo_text_bounds(layout));
//
// Coordinates of a layout are relative to the position that it is drawn at, in the unit of the size. y goes down. Bytes
// are offsets into the text that was passed, mark-up included. All functions here accept a layout of NULL, which is
// an empty text.

// Texts are cut after this many bytes, which is logged once.
#define FILO_TEXT_BYTES_MAX FILO_MIB(4)

// The layout of a text. The same text and style give the same pointer while it is cached. Valid until the second
// filo_typesetter_update from now: the layout of a frame can be used in the next one. If a font changes meanwhile, it
// stays valid, and the next call gives a new one. NULL without memory. `style` NULL: all zero.
const FiloTextLayout *filo_text_layout(FiloTypesetter *setter, const FiloTextStyle *style, FiloString text);
// Width and height of the lines. An empty text has the height of a line.
FiloVec2 filo_text_size(FiloTypesetter *setter, const FiloTextStyle *style, const char *text);

// The rectangle of all lines: from the left end of the leftmost one, from the ascent of the first to the descent of
// the last. Letters may reach out of it a little.
FiloRect filo_text_bounds(const FiloTextLayout *layout);
// Whether an ellipsis replaced a part of the text.
bool filo_text_is_cut(const FiloTextLayout *layout);

// A glyph at its place. Those of a line come in the order in which they are seen, from left to right.
typedef struct FiloTextGlyph {
    uint32_t glyph;  // number in its font; 0: the sign for a missing character
    uint16_t font;   // number in the typesetter
    uint16_t flags;  // 0 so far
    float x, y;      // of its origin, on the baseline
    float size;      // of the em
    FiloColor color; // by mark-up; all zero: that of the style
    uint32_t byte;   // of the first character that it shows
    uint32_t order;  // which letter of the text it belongs to, counted from 0: for `hidden`
} FiloTextGlyph;

typedef struct FiloTextLine {
    float x, y;            // left end of its baseline
    float width;           // without spaces at its end
    float ascent, descent; // of the highest fonts in it, both positive
    uint32_t first_glyph, glyph_count;
    uint32_t first_byte, end_byte; // of the text, without the line break that ends it
    bool rtl;                      // its paragraph reads from right to left
    bool last;                     // of its paragraph
} FiloTextLine;

// An image in the text: [icon=…]. Its rectangle is a square of the size of the text there.
typedef struct FiloTextIcon {
    FiloName image; // an image or sheet asset
    FiloRect rect;
    uint32_t byte, order; // as of a glyph
} FiloTextIcon;

// A line under or through letters: filled rectangles, to be drawn with the glyphs.
typedef struct FiloTextBar {
    FiloRect rect;
    FiloColor color;           // all zero: that of the style
    uint32_t order, end_order; // of the letters that it belongs to: the first, and the one behind the last
    bool rtl;                  // its first letter is at its right end
} FiloTextBar;

// Each returns an array that lives as long as the layout, and its length.
const FiloTextLine *filo_text_lines(const FiloTextLayout *layout, size_t *count);
const FiloTextGlyph *filo_text_glyphs(const FiloTextLayout *layout, size_t *count);
const FiloTextIcon *filo_text_icons(const FiloTextLayout *layout, size_t *count);
const FiloTextBar *filo_text_bars(const FiloTextLayout *layout, size_t *count);
// The number of letters (grapheme clusters) of the text, and how many of them are shown with this `hidden`: what has an
// `order` below that is shown.
uint32_t filo_text_letter_count(const FiloTextLayout *layout);
uint32_t filo_text_letters_shown(const FiloTextLayout *layout, float hidden);

// ---- Carets, selections, links --------------------------------------------------------------------------
//
// A caret stands before the letter at a byte. In text that reads from right to left that is the right side of the
// letter. Where a line was wrapped, the caret is at the beginning of the next line; at the end of the text, behind its
// last letter. A byte inside of a letter counts as its beginning; one beyond the text, as its end.

typedef struct FiloTextCaret {
    FiloVec2 top, bottom;
    bool rtl;    // of the letter that it stands before
    size_t line; // index of its line
} FiloTextCaret;
FiloTextCaret filo_text_caret(const FiloTextLayout *layout, size_t byte);
// The byte of the caret that is nearest to a point, in the line that is nearest. `inside`, if not NULL, is set to
// whether a letter is at that point.
size_t filo_text_hit(const FiloTextLayout *layout, FiloVec2 point, bool *inside);

typedef enum FiloTextStep {
    FILO_TEXT_LETTER,    // a grapheme cluster
    FILO_TEXT_WORD,      // to the beginning of a word, and forwards to the end of one
    FILO_TEXT_LINE_EDGE, // to the beginning or end of the line
    FILO_TEXT_LINE,      // to the line above or below, at the same x
    FILO_TEXT_EDGE,      // to the beginning or end of the text
    FILO_TEXT_STEP_COUNT
} FiloTextStep;
// Where a caret gets by a step: forwards in the order of reading if `direction` is positive, backwards if negative, not
// at all if 0. Steps beyond the text stay at its edge.
size_t filo_text_move(const FiloTextLayout *layout, size_t byte, FiloTextStep step, int direction);
// As FILO_TEXT_LINE, but at this x instead of that of the caret: so that going through short lines keeps the column.
size_t filo_text_move_line(const FiloTextLayout *layout, size_t byte, int direction, float x);
// The word (or the spaces, or the sign) around a byte, for a double click.
void filo_text_word_at(const FiloTextLayout *layout, size_t byte, size_t *from, size_t *to);
// Fills `rects` with up to `capacity` rectangles that cover the letters from one byte to another (in either order), and
// returns how many there are: one a line, more where directions are mixed.
size_t filo_text_selection(const FiloTextLayout *layout, size_t from, size_t to, FiloRect *rects,
                           size_t capacity);

// The target of the [link=…] at a point; empty if there is none. It lives as long as the layout.
FiloString filo_text_link_at(const FiloTextLayout *layout, FiloVec2 point);
// The rectangles of the n-th link and its target, as filo_text_selection; 0 past the last one.
size_t filo_text_link_rects(const FiloTextLayout *layout, size_t n, FiloString *target, FiloRect *rects,
                            size_t capacity);

// ---- Mark-up --------------------------------------------------------------------------------------------
//
// With FiloTextStyle.markup, tags in brackets change the style of what follows, up to their end tag, or to the end of
// the text:
//
//     [b]bold[/b]  [i]italic[/i]  [u]underlined[/u]  [s]struck through[/s]
//     [color=#ff8000]…[/color]    also #f80, #ff8000c0 (straight alpha), and names: red, gold, sky …
//     [size=24]…[/size]           [size=150%] of the size around it
//     [font=body]…[/font]         a family, or an asset that the program has named
//     [axes=wght 650, wdth 80]…[/axes]  of variable fonts
//     [link=door:3]…[/link]       underlined, and found by filo_text_link_at
//     [icon=coin.png]             an image, as high as the text
//     [[                          a bracket
//
// It is forgiving: a tag that is unknown, has a value that cannot be read, or ends what was not begun, is shown as it
// is. Tags may overlap: [b]x[i]y[/b]z[/i]. More than 64 tags that are open at once are shown as they are.

// Writes a text in which all brackets are doubled, so that names of players are no mark-up. Cut between characters if
// it does not fit. Returns the length of the whole. Any thread.
size_t filo_text_escape(char *escaped, size_t size, FiloString text);
// The colour of a name or of "#rgb", "#rgba", "#rrggbb", "#rrggbbaa" (straight); false if it is none. Any thread.
bool filo_text_parse_color(FiloString string, FiloColor *color);

// ---- Translations ---------------------------------------------------------------------------------------
//
// A table of translations is a JSON file:
//
//     { "language": "de",
//       "texts": { "greeting": "Hallo, {name}!",
//                  "coins": { "one": "{count} Münze", "other": "{count} Münzen" } } }
//
// A text with plural forms has "other" and, by the rules of its language, "zero", "one", "two", "few", "many". The
// argument that decides is the one named by "plural" in the same object; without it, the first number. A key that is there
// twice is an error.

// Uses a table, an asset, before all tables that were used earlier: load the language of the game first, and that of the
// player last; what is missing in one is looked up in the others. It is loaded in the background, and again when the
// file changes. FILO_ERROR_LIMIT beyond 16 tables.
FiloResult filo_text_use_translations(FiloTypesetter *setter, const char *asset);
// The same for a table in memory, ready at once. `name` is used in messages, and replaces the table of that name.
FiloResult filo_text_add_translations(FiloTypesetter *setter, const char *name, FiloString json);
void filo_text_clear_translations(FiloTypesetter *setter);
// Incremented when a text of the tables may have changed.
uint32_t filo_text_translations_version(const FiloTypesetter *setter);

// The text of a key, without replacing anything ("other" of plural forms); the key itself if no table has it, which is
// logged once. Valid until the tables change.
const char *filo_text_translate(FiloTypesetter *setter, const char *key);

typedef struct FiloTextArgument {
    const char *name; // NULL: only its position
    const char *text; // NULL: the number
    double number;
} FiloTextArgument;
static inline FiloTextArgument filo_text_number(const char *name, double number) {
    FiloTextArgument argument = { name, NULL, number };
    return argument;
}
static inline FiloTextArgument filo_text_string(const char *name, const char *text) {
    FiloTextArgument argument = { name, text, 0.0 };
    return argument;
}
// The text of a key with its {arguments} replaced, by name or by position: {0}. Whole numbers are written without a
// point, others with up to six digits. "{{" is a brace; a name that no argument has is left as it is. Cut between
// characters if it does not fit. Returns the length of the whole.
size_t filo_text_translate_format(FiloTypesetter *setter, char *text, size_t size, const char *key,
                                  const FiloTextArgument *arguments, size_t count);

// ---- Component ------------------------------------------------------------------------------------------

#define FILO_TEXT_LENGTH 96

// Text in the world: at the transform of its entity, rotated and scaled with it, and sorted with the sprites.
typedef struct FiloText {
    char text[FILO_TEXT_LENGTH]; // ends in a zero
    FiloName key; // the text of this key in the tables of translations is shown instead; {0}: `text`
    FiloName font;
    float size;      // units; 0: 1
    FiloColor color; // all zero: white
    float width;     // units; 0: no limit
    float hidden;    // as in FiloTextStyle
    int16_t order;   // inside the layer, as FiloSprite.order
    uint8_t layer;
    uint8_t align;    // FiloTextAlign
    uint8_t vertical; // FiloTextVertical
    bool markup, bold, italic, pixelated;
} FiloText;
FILO_REFLECT_DECLARE(FiloText);

// Effects of the text of an entity, as in FiloTextStyle.
typedef struct FiloTextEffects {
    float outline;
    FiloColor outline_color;
    FiloVec2 shadow;
    float shadow_blur;
    FiloColor shadow_color;
    float glow;
    FiloColor glow_color;
} FiloTextEffects;
FILO_REFLECT_DECLARE(FiloTextEffects);

// ---- Statistics -----------------------------------------------------------------------------------------

typedef struct FiloTextStats {
    size_t fonts;      // that were used, including synthesised styles
    size_t layouts;    // cached
    size_t memory;     // bytes of them
    uint64_t laid_out; // layouts made so far: does not grow while texts are unchanged
} FiloTextStats;
FiloTextStats filo_text_stats(const FiloTypesetter *setter);

// About the pictures of glyphs; all zero without a renderer.
typedef struct FiloGlyphStats {
    size_t glyphs;    // that have a picture
    size_t memory;    // bytes of these
    uint64_t made;    // pictures so far
    uint64_t missed;  // glyphs that were drawn before they were there
    uint64_t evicted; // that made room for others
    size_t rebuilt;   // texts of the world that were painted again in the last extraction
} FiloGlyphStats;
FiloGlyphStats filo_text_glyph_stats(const FiloTypesetter *setter);

// ---- As a module ------------------------------------------------------------------------------------------

// The module "text" (filo/modules.h), which every app has. It provides the object FiloTypesetter, and uses FiloAssets,
// FiloWorld and FiloGfx2d if they are there.
typedef struct FiloTextModule {
    FiloTypesetterDesc desc; // `assets` and `allocator` are set by the module
    size_t glyph_memory;     // as in FiloTextDrawDesc
    FiloHeap heap;           // private, like the rest
    FiloTypesetter *setter;
} FiloTextModule;
// For filo_modules_register. `module` must not move as long as it is registered.
FiloModuleDesc filo_text_module(FiloTextModule *module);

FILO_END_DECLS

#endif
