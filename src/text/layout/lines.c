// What a line shows: the pieces in it, cut at its ends, and put into the order in which they are seen (rules L1 and L2
// of the Unicode bidirectional algorithm).
//
// A piece is cut between two glyphs where HarfBuzz says that this does not change them; otherwise what the line shows of
// it is shaped again, in the context of its paragraph.

#include "text/typesetter.h"

// ---- Cutting --------------------------------------------------------------------------------------------

// The first glyph of a piece, in the order in which they are seen, that shows `character` or something behind it in the
// direction of the piece.
static uint32_t find_glyph(const TextShapedGlyph *glyphs, uint32_t count, uint32_t character, bool rtl) {
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        bool before = rtl ? glyphs[middle].character >= character : glyphs[middle].character < character;
        if (before)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Whether a piece can be cut before a character without shaping it again.
static bool is_safe(const TextShapedGlyph *glyphs, uint32_t count, uint32_t character, bool rtl) {
    uint32_t at = find_glyph(glyphs, count, character, rtl);
    if (rtl) { // the glyph before that one is the last that is not behind the cut
        if (at == 0) return false;
        at--;
    }
    return at < count && glyphs[at].character == character && !glyphs[at].unsafe;
}

// The part of a piece from one character to another.
static bool cut_piece(FiloTypesetter *setter, const TextPiece *piece, uint32_t start, uint32_t end,
                      TextPiece *part) {
    TextWork *work = &setter->work;
    *part = *piece;
    part->start = start;
    part->end = end;
    if ((start == piece->start && end == piece->end) || piece->kind != TEXT_PIECE_LETTERS) return true;
    const TextShapedGlyph *glyphs = work->glyphs.items + piece->first_glyph;
    bool rtl = piece->level % 2 == 1;
    if ((start > piece->start && !is_safe(glyphs, piece->glyph_count, start, rtl)) ||
        (end < piece->end && !is_safe(glyphs, piece->glyph_count, end, rtl)))
        return text_shape(setter, part);
    uint32_t at_start = start > piece->start ? find_glyph(glyphs, piece->glyph_count, start, rtl)
                                             : (rtl ? piece->glyph_count : 0);
    uint32_t at_end =
        end < piece->end ? find_glyph(glyphs, piece->glyph_count, end, rtl) : (rtl ? 0 : piece->glyph_count);
    uint32_t first = rtl ? at_end : at_start, last = rtl ? at_start : at_end;
    part->first_glyph = piece->first_glyph + first;
    part->glyph_count = last - first;
    return true;
}

static float glyphs_width(const TextWork *work, const TextPiece *piece) {
    float width = 0.0f;
    for (uint32_t i = 0; i < piece->glyph_count; i++)
        width += work->glyphs.items[piece->first_glyph + i].advance;
    return width;
}

// ---- Ellipsis and hyphen --------------------------------------------------------------------------------

bool text_extra_fragment(FiloTypesetter *setter, TextFragment *fragment, uint32_t letter, uint8_t level,
                         bool hyphen) {
    TextWork *work = &setter->work;
    const TextPiece *piece = &work->pieces.items[text_piece_of_letter(work, letter)];
    const TextSpan *span = &work->spans.items[piece->span];
    static const uint32_t dots[] = { '.', '.', '.' };
    const uint32_t single = hyphen ? 0x2010 : 0x2026;
    const uint32_t *characters = &single;
    size_t count = 1;
    uint16_t font = text_font_of_character(setter, span, single);
    if (font == TEXT_NO_SOURCE ||
        (hyphen && setter->fonts.fonts.items[piece->font]->file->kind != TEXT_FONT_OUTLINE)) {
        characters = hyphen ? &(const uint32_t){ '-' } : dots;
        count = hyphen ? 1 : FILO_COUNT_OF(dots);
        font = text_font_of_character(setter, span, characters[0]);
        if (font == TEXT_NO_SOURCE) font = piece->font;
    }
    *fragment = (TextFragment){ .extra = true };
    fragment->piece = (TextPiece){ .start = work->starts.items[letter],
                                   .end = work->starts.items[letter],
                                   .span = piece->span,
                                   .font = font,
                                   .level = level,
                                   .script = piece->script };
    if (!text_shape_extra(setter, &fragment->piece, characters, count)) {
        fragment->piece.glyph_count = 0;
        return false;
    }
    for (uint32_t i = 0; i < fragment->piece.glyph_count; i++)
        work->glyphs.items[fragment->piece.first_glyph + i].character = fragment->piece.start;
    fragment->width = glyphs_width(work, &fragment->piece);
    return true;
}

// ---- Order ----------------------------------------------------------------------------------------------

// Reverses, from the highest level down to 1, each sequence of fragments that have at least this level.
static void order_fragments(TextFragment *fragments, size_t count) {
    uint8_t highest = 0;
    for (size_t i = 0; i < count; i++) highest = FILO_MAX(highest, fragments[i].piece.level);
    for (uint8_t level = highest; level > 0; level--)
        for (size_t i = 0; i < count;) {
            size_t end = i;
            while (end < count && fragments[end].piece.level >= level) end++;
            for (size_t a = i, b = end; a + 1 < b; a++) {
                TextFragment swapped = fragments[a];
                fragments[a] = fragments[--b];
                fragments[b] = swapped;
            }
            i = end > i ? end : i + 1;
        }
}

// ---- A line ---------------------------------------------------------------------------------------------

static bool add_part(FiloTypesetter *setter, const TextPiece *piece, uint32_t start, uint32_t end,
                     bool hanging, uint8_t level) {
    TextWork *work = &setter->work;
    TextFragment fragment = { .hanging = hanging };
    if (!cut_piece(setter, piece, start, end, &fragment.piece)) return false;
    if (hanging || piece->kind == TEXT_PIECE_TAB) fragment.piece.level = level;
    fragment.width = piece->kind == TEXT_PIECE_LETTERS ? glyphs_width(work, &fragment.piece)
                                                       : work->widths.items[work->letters.items[start]];
    return filo_array_push(&work->fragments, fragment);
}

static bool add_parts(FiloTypesetter *setter, const TextRange *line, uint8_t level) {
    TextWork *work = &setter->work;
    uint32_t start = work->starts.items[line->start], trimmed = work->starts.items[line->trimmed],
             end = work->starts.items[line->end];
    size_t index = start < end ? text_piece_of_letter(work, line->start) : work->pieces.count;
    for (; index < work->pieces.count; index++) {
        TextPiece piece = work->pieces.items[index];
        if (piece.start >= end) break;
        uint32_t from = FILO_MAX(piece.start, start), to = FILO_MIN(piece.end, end);
        uint32_t middle = FILO_CLAMP(trimmed, from, to);
        if (from < middle && !add_part(setter, &piece, from, middle, false, level)) return false;
        if (middle < to && !add_part(setter, &piece, middle, to, true, level)) return false;
    }
    return true;
}

bool text_line_arrange(FiloTypesetter *setter, TextRange *line) {
    TextWork *work = &setter->work;
    uint8_t level = work->paragraphs.items[line->paragraph].level;
    line->first_fragment = (uint32_t)work->fragments.count;
    if (!add_parts(setter, line, level)) return false;
    if ((line->hyphen || line->ellipsis) && work->letter_count > 0) {
        TextFragment extra;
        uint32_t letter =
            line->end > line->start ? line->end - 1 : FILO_MIN(line->start, work->letter_count - 1);
        uint8_t extra_level = line->hyphen ? work->levels.items[work->starts.items[letter]] : level;
        if (!text_extra_fragment(setter, &extra, letter, extra_level, line->hyphen) ||
            !filo_array_push(&work->fragments, extra))
            return false;
    }
    line->fragment_count = (uint32_t)work->fragments.count - line->first_fragment;
    line->width = line->hanging = 0.0f;
    if (line->fragment_count == 0) return true; // there may be no array yet
    TextFragment *fragments = work->fragments.items + line->first_fragment;
    for (uint32_t i = 0; i < line->fragment_count; i++) {
        float *sum = fragments[i].hanging ? &line->hanging : &line->width;
        *sum += fragments[i].width;
    }
    order_fragments(fragments, line->fragment_count);
    return true;
}
