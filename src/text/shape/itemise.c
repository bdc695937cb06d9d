// Divides the text into pieces of one direction, script, style and font. A letter is never divided: it is shown by the
// first font of the chain that has all its characters, or else by the first that has its first one. A space between two
// letters of one font is in that font, and another one in the first of the chain that has it.

#include "text/shape/unicode.h"
#include "text/typesetter.h"

static bool has_character(const FiloTypesetter *setter, uint16_t index, uint32_t character) {
    const TextFont *font = setter->fonts.fonts.items[index];
    if (character < TEXT_PLAIN_END) return font->plain[character] != 0;
    hb_codepoint_t glyph;
    return hb_font_get_nominal_glyph(font->hb, character, &glyph);
}

// Whether a font can show the characters of a letter: each by itself, or combined with those before it.
static bool has_letter(const FiloTypesetter *setter, uint16_t font, const uint32_t *characters,
                       size_t count) {
    hb_codepoint_t combined = characters[0];
    bool shown = false;
    if (count == 1) return has_character(setter, font, combined);
    for (size_t i = 0; i < count; i++) {
        uint32_t c = characters[i];
        if (text_is_ignorable(c) || has_character(setter, font, c)) {
            shown = shown || i == 0;
            if (i == 0) continue;
            hb_codepoint_t next;
            if (hb_unicode_compose(hb_unicode_funcs_get_default(), combined, c, &next)) combined = next;
            continue;
        }
        if (i == 0) continue; // perhaps it is there in combination with what follows
        if (!hb_unicode_compose(hb_unicode_funcs_get_default(), combined, c, &combined)) return false;
        if (!has_character(setter, font, combined)) return false;
        shown = true;
    }
    return shown;
}

static bool wants_color(const uint32_t *characters, size_t count) {
    bool color = text_is_emoji(characters[0]);
    for (size_t i = 1; i < count && i < 16; i++) {
        if (characters[i] == 0xFE0F) return true;
        if (characters[i] == 0xFE0E) return false;
    }
    return color;
}

static uint16_t find_font(const FiloTypesetter *setter, const TextChain *chain, const uint32_t *characters,
                          size_t count) {
    if (chain->has_color && wants_color(characters, count))
        for (size_t i = 0; i < chain->count; i++)
            if (setter->fonts.fonts.items[chain->fonts[i]]->file->has_color &&
                has_letter(setter, chain->fonts[i], characters, count))
                return chain->fonts[i];
    for (size_t i = 0; i < chain->count; i++)
        if (has_letter(setter, chain->fonts[i], characters, count)) return chain->fonts[i];
    if (count > 1)
        for (size_t i = 0; i < chain->count; i++)
            if (has_character(setter, chain->fonts[i], characters[0])) return chain->fonts[i];
    return TEXT_NO_SOURCE;
}

uint16_t text_font_of_character(FiloTypesetter *setter, const TextSpan *span, uint32_t character) {
    const TextChain *chain = text_fonts_chain(setter, span->font, span->bold, span->italic, span->axes);
    return find_font(setter, chain, &character, 1);
}

// What is known while a text is divided.
typedef struct Itemiser {
    FiloTypesetter *setter;
    const TextSpan *span;
    size_t span_index;
    uint32_t span_end; // character
    const TextChain *chain;
    uint16_t previous;    // the font of the letter before; TEXT_NO_SOURCE: of none
    uint16_t spaces_font; // of the spaces before `spaces_end`
    uint32_t spaces_end;
} Itemiser;

static void use_span(Itemiser *itemiser, size_t index) {
    const TextWork *work = &itemiser->setter->work;
    const TextSpan *span = &work->spans.items[index];
    bool last = index + 1 == work->spans.count;
    itemiser->span = span;
    itemiser->span_index = index;
    itemiser->span_end = last ? (uint32_t)work->characters.count : work->spans.items[index + 1].start;
    itemiser->chain = text_fonts_chain(itemiser->setter, span->font, span->bold, span->italic, span->axes);
    itemiser->previous = TEXT_NO_SOURCE;
    itemiser->spaces_end = 0;
}

static uint16_t shown_font(const Itemiser *itemiser, uint32_t start, uint32_t end) {
    const uint32_t *characters = itemiser->setter->work.characters.items + start;
    uint16_t font = find_font(itemiser->setter, itemiser->chain, characters, end - start);
    if (font != TEXT_NO_SOURCE) return font;
    text_fonts_report_missing(itemiser->setter, itemiser->span->font, characters[0]);
    return itemiser->chain->fonts[0];
}

// Whether spaces at a letter stay in the font of the letter before, so that a sentence is not cut into words: if what
// follows them is in that font, too, or nothing does. Those of fonts with colour are as wide as a picture.
static bool keeps_font(Itemiser *itemiser, uint32_t letter) {
    const FiloTypesetter *setter = itemiser->setter;
    const TextWork *work = &setter->work;
    uint16_t previous = itemiser->previous;
    if (setter->fonts.fonts.items[previous]->file->has_color || !has_character(setter, previous, ' '))
        return false;
    for (; letter < work->letter_count; letter++) {
        uint32_t start = work->starts.items[letter], end = work->starts.items[letter + 1];
        if (start >= itemiser->span_end || (work->marks.items[start] & TEXT_IS_NEWLINE) != 0) break;
        uint32_t c = work->characters.items[start];
        if (c != ' ' && !text_is_ignorable(c)) return shown_font(itemiser, start, end) == previous;
    }
    return true;
}

// The font of a space: that of the letter before, or else the first of the chain that has it. It is decided once for all
// spaces that follow each other.
static uint16_t space_font(Itemiser *itemiser, uint32_t letter) {
    const TextWork *work = &itemiser->setter->work;
    uint32_t start = work->starts.items[letter], end = start;
    if (start < itemiser->spaces_end) return itemiser->spaces_font;
    while (end < itemiser->span_end && work->characters.items[end] == ' ') end++;
    uint16_t font = shown_font(itemiser, start, start + 1);
    if (font != itemiser->previous && itemiser->previous != TEXT_NO_SOURCE && keeps_font(itemiser, letter))
        font = itemiser->previous;
    itemiser->spaces_end = end;
    itemiser->spaces_font = font;
    return font;
}

// The font of a letter. What shows nothing stays in that of the letter before, so that it does not cut pieces.
static uint16_t letter_font(Itemiser *itemiser, uint32_t letter) {
    const TextWork *work = &itemiser->setter->work;
    uint32_t start = work->starts.items[letter], end = work->starts.items[letter + 1];
    uint32_t c = work->characters.items[start];
    if (c == ' ' && end - start == 1) return space_font(itemiser, letter);
    if (text_is_ignorable(c)) {
        if (itemiser->previous != TEXT_NO_SOURCE) return itemiser->previous;
        if (end - start == 1) return itemiser->chain->fonts[0];
    }
    return shown_font(itemiser, start, end);
}

static TextPieceKind kind_of(const TextWork *work, size_t character, const TextSpan *span) {
    if ((work->marks.items[character] & TEXT_IS_NEWLINE) != 0) return TEXT_PIECE_NEWLINE;
    if (work->characters.items[character] == '\t') return TEXT_PIECE_TAB;
    return span->icon != 0 ? TEXT_PIECE_ICON : TEXT_PIECE_LETTERS;
}

// Whether the letter at `start` can be added to a piece.
static bool continues(const TextPiece *piece, const TextPiece *next) {
    if (piece == NULL || piece->kind != TEXT_PIECE_LETTERS || next->kind != TEXT_PIECE_LETTERS) return false;
    return piece->span == next->span && piece->font == next->font && piece->level == next->level &&
           piece->script == next->script;
}

// Adds the plain characters that follow to a piece in the first font of the chain, up to `end`. That font shows all
// plain characters that it has. Returns the first letter that was not added.
static uint32_t add_plain(const FiloTypesetter *setter, TextPiece *piece, uint32_t letter, uint32_t end) {
    const TextWork *work = &setter->work;
    const TextFont *font = setter->fonts.fonts.items[piece->font];
    uint32_t at = piece->end;
    for (; at < end; at++, letter++) {
        uint32_t c = work->characters.items[at];
        if ((text_plain(c) & (TEXT_NOT_PLAIN | TEXT_IS_NEWLINE | TEXT_PLAIN_TAB)) != 0 ||
            work->starts.items[letter + 1] != at + 1 || work->scripts.items[at] != piece->script ||
            work->levels.items[at] != piece->level || font->plain[c] == 0)
            break;
    }
    piece->end = at;
    return letter;
}

bool text_itemise(FiloTypesetter *setter) {
    TextWork *work = &setter->work;
    Itemiser itemiser = { .setter = setter };
    filo_array_clear(&work->pieces);
    use_span(&itemiser, 0);
    for (uint32_t letter = 0; letter < work->letter_count;) {
        uint32_t start = work->starts.items[letter];
        while (itemiser.span_end <= start) use_span(&itemiser, itemiser.span_index + 1);
        TextPiece next = { .start = start,
                           .end = work->starts.items[letter + 1],
                           .span = (uint32_t)itemiser.span_index,
                           .kind = kind_of(work, start, itemiser.span),
                           .level = work->levels.items[start],
                           .script = (hb_script_t)work->scripts.items[start] };
        bool letters = next.kind == TEXT_PIECE_LETTERS;
        next.font = letters ? letter_font(&itemiser, letter) : itemiser.chain->fonts[0];
        itemiser.previous = letters ? next.font : TEXT_NO_SOURCE;
        TextPiece *last = work->pieces.count > 0 ? &work->pieces.items[work->pieces.count - 1] : NULL;
        letter++;
        if (continues(last, &next))
            last->end = next.end;
        else if (filo_array_push(&work->pieces, next))
            last = &work->pieces.items[work->pieces.count - 1];
        else
            return false;
        if (letters && next.font == itemiser.chain->fonts[0])
            letter = add_plain(setter, last, letter, itemiser.span_end);
    }
    return true;
}

bool text_shape_all(FiloTypesetter *setter) {
    TextWork *work = &setter->work;
    filo_array_clear(&work->glyphs);
    for (size_t i = 0; i < work->pieces.count; i++) {
        TextPiece *piece = &work->pieces.items[i];
        uint32_t letter = work->letters.items[piece->start];
        if (piece->kind == TEXT_PIECE_LETTERS) {
            if (!text_shape(setter, piece)) return false;
        } else {
            // An icon is as wide as high; tabs get their width when their place is known.
            work->widths.items[letter] =
                piece->kind == TEXT_PIECE_ICON ? work->spans.items[piece->span].size : 0.0f;
        }
    }
    return true;
}
