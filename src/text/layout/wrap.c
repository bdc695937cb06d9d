// Where lines end. Lines are filled greedily, letter by letter: a line takes as much as fits, and ends at the last place
// where it may. Spaces at its end do not count.

#include "text/shape/unicode.h"
#include "text/typesetter.h"

#include <math.h>

#define SOFT_HYPHEN 0xADu

static uint8_t mark_at(const TextWork *work, uint32_t letter) {
    return work->marks.items[work->starts.items[letter]];
}
static uint32_t character_at(const TextWork *work, uint32_t letter) {
    return work->characters.items[work->starts.items[letter]];
}

float text_tab_width(const FiloTextStyle *style, double x) {
    double stop = (double)style->tab * (double)style->size;
    if (!(stop > 0.0)) return 0.0f;
    return (float)((floor(x / stop + 1e-4) + 1.0) * stop - x);
}

size_t text_piece_of_letter(const TextWork *work, uint32_t letter) {
    uint32_t character = work->starts.items[letter];
    size_t low = 0, high = work->pieces.count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (work->pieces.items[middle].start <= character)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// Sums are rounded: a text must fit into the width that was measured for it.
static double tolerance(const FiloTextStyle *style, double limit) {
    return (double)style->size * 1e-4 + limit * 1e-5;
}

static double letter_width(TextWork *work, const FiloTextStyle *style, uint32_t letter, double x) {
    if (character_at(work, letter) == '\t') work->widths.items[letter] = text_tab_width(style, x);
    return (double)work->widths.items[letter];
}

static void trim(const TextWork *work, TextRange *line) {
    line->trimmed = line->end;
    while (line->trimmed > line->start && (mark_at(work, line->trimmed - 1) & TEXT_IS_SPACE) != 0)
        line->trimmed--;
}

// ---- One line -------------------------------------------------------------------------------------------

typedef struct Wrap {
    FiloTypesetter *setter;
    const FiloTextStyle *style;
    double limit;        // INFINITY: none
    double hyphen_width; // at the last soft hyphen that was asked about
    uint32_t hyphen_piece;
    bool failed;
} Wrap;

static double hyphen_width(Wrap *wrap, uint32_t letter) {
    uint32_t piece = (uint32_t)text_piece_of_letter(&wrap->setter->work, letter);
    if (piece == wrap->hyphen_piece) return wrap->hyphen_width;
    TextFragment fragment;
    if (!text_extra_fragment(wrap->setter, &fragment, letter, 0, true)) wrap->failed = true;
    wrap->setter->work.glyphs.count -= fragment.piece.glyph_count;
    wrap->hyphen_piece = piece;
    return wrap->hyphen_width = (double)fragment.width;
}

// Whether a line may end before `letter`, when it is `x` wide up to there.
static bool may_end(Wrap *wrap, uint32_t letter, double x) {
    const TextWork *work = &wrap->setter->work;
    if (wrap->style->wrap == FILO_TEXT_WRAP_LETTERS) return (mark_at(work, letter) & TEXT_INSIDE) == 0;
    if ((mark_at(work, letter) & TEXT_AT_BREAK) == 0) return false;
    if (character_at(work, letter - 1) != SOFT_HYPHEN) return true;
    return x + hyphen_width(wrap, letter - 1) <= wrap->limit;
}

static double width_of(const TextWork *work, uint32_t start, uint32_t end) {
    double width = 0.0;
    for (uint32_t i = start; i < end; i++) width += (double)work->widths.items[i];
    return width;
}

// A line that ends at a soft hyphen shows it, if there is room: a word that is longer than a line may end there without.
static bool shows_hyphen(Wrap *wrap, const TextRange *line) {
    const TextWork *work = &wrap->setter->work;
    if (line->last || line->end == line->start || character_at(work, line->end - 1) != SOFT_HYPHEN)
        return false;
    double width = hyphen_width(wrap, line->end - 1);
    return width_of(work, line->start, line->end) + width <= wrap->limit;
}

// Where a text is cut that may end nowhere from `start` to `end`: before `end`, but not inside of a syllable unless all of
// it is one.
static uint32_t cut_before(const TextWork *work, uint32_t start, uint32_t end) {
    for (uint32_t i = end; i > start; i--)
        if ((mark_at(work, i) & TEXT_INSIDE) == 0) return i;
    return end;
}

// The end of the line that begins at `start`, in a paragraph that ends at `end`.
static uint32_t line_end(Wrap *wrap, uint32_t start, uint32_t end) {
    TextWork *work = &wrap->setter->work;
    double x = 0.0;
    uint32_t last = start;
    if (!work->measures) return end;
    for (uint32_t i = start; i < end; i++) {
        bool space = (mark_at(work, i) & TEXT_IS_SPACE) != 0;
        if (i > start && !space && may_end(wrap, i, x)) last = i;
        double width = letter_width(work, wrap->style, i, x);
        if (!space && x + width > wrap->limit && i > start)
            return last > start ? last : cut_before(work, start, i);
        x += width;
    }
    return end;
}

// ---- An ellipsis ----------------------------------------------------------------------------------------

// Lets a line end in an ellipsis: in it is what fits of its paragraph.
static bool add_ellipsis(Wrap *wrap, TextRange *line, uint32_t end) {
    TextWork *work = &wrap->setter->work;
    TextFragment ellipsis;
    uint32_t letter = line->start < work->letter_count ? line->start : work->letter_count - 1;
    if (!text_extra_fragment(wrap->setter, &ellipsis, letter, 0, false)) return false;
    work->glyphs.count -= ellipsis.piece.glyph_count;
    double room = wrap->limit - (double)ellipsis.width, x = 0.0;
    uint32_t i = work->measures ? line->start : end;
    for (; i < end; i++) {
        double width = letter_width(work, wrap->style, i, x);
        if (x + width > room) break;
        x += width;
    }
    line->end = i < end ? cut_before(work, line->start, i) : i;
    trim(work, line);
    line->end = line->trimmed;
    line->hyphen = false;
    line->ellipsis = line->last = true;
    work->cut = true;
    return true;
}

// ---- Heights --------------------------------------------------------------------------------------------

static void include_font(const FiloTypesetter *setter, TextRange *line, uint16_t index, float size) {
    const TextFontFile *file = setter->fonts.fonts.items[index]->file;
    float scale = size / file->units_per_em;
    line->ascent = FILO_MAX(line->ascent, file->ascent * scale);
    line->descent = FILO_MAX(line->descent, file->descent * scale);
    line->gap = FILO_MAX(line->gap, file->line_gap * scale);
}

// Finds how high a line is: as the highest font in it, or that of the newline which ends an empty one.
static void measure_height(FiloTypesetter *setter, TextRange *line) {
    TextWork *work = &setter->work;
    line->ascent = line->descent = line->gap = 0.0f;
    if (line->start == work->letter_count) {
        const TextSpan *span = &work->spans.items[work->spans.count - 1];
        const TextChain *chain = text_fonts_chain(setter, span->font, span->bold, span->italic, span->axes);
        include_font(setter, line, chain->fonts[0], span->size);
        return;
    }
    uint32_t end = work->starts.items[line->end > line->start ? line->end : line->start + 1];
    for (size_t i = text_piece_of_letter(work, line->start); i < work->pieces.count; i++) {
        const TextPiece *piece = &work->pieces.items[i];
        if (piece->start >= end) break;
        include_font(setter, line, piece->font, work->spans.items[piece->span].size);
    }
}

// ---- All lines ------------------------------------------------------------------------------------------

// Adds a line, or lets the one before end in an ellipsis if there is no room for it. `room` tells which.
static bool add_line(Wrap *wrap, TextRange line, double *bottom, bool *room) {
    TextWork *work = &wrap->setter->work;
    const FiloTextStyle *style = wrap->style;
    measure_height(wrap->setter, &line);
    double next = (double)line.ascent + (double)line.descent;
    if (work->lines.count > 0) {
        const TextRange *before = &work->lines.items[work->lines.count - 1];
        // `bottom` is the end of the line before; its baseline is a descent above.
        next = *bottom - (double)before->descent +
               (double)(before->descent + before->gap + line.ascent) * (double)style->line_spacing +
               (double)line.descent;
    }
    bool too_many = style->max_lines > 0 && work->lines.count >= (size_t)style->max_lines;
    bool too_low =
        style->height > 0.0f && next > (double)style->height + tolerance(style, (double)style->height);
    *room = work->lines.count == 0 || (!too_many && !too_low);
    if (!*room) {
        TextRange *last = &work->lines.items[work->lines.count - 1];
        const TextParagraph *paragraph = &work->paragraphs.items[last->paragraph];
        return add_ellipsis(wrap, last, work->letters.items[paragraph->end]);
    }
    *bottom = next;
    return filo_array_push(&work->lines, line);
}

static bool wrap_paragraph(Wrap *wrap, uint32_t index, double *bottom, bool *room) {
    TextWork *work = &wrap->setter->work;
    const TextParagraph *paragraph = &work->paragraphs.items[index];
    uint32_t start = work->letters.items[paragraph->start], end = work->letters.items[paragraph->end];
    bool never = wrap->style->wrap == FILO_TEXT_WRAP_NEVER;
    double limit = wrap->limit;
    do {
        wrap->limit = never ? (double)INFINITY : limit;
        TextRange line = { .start = start, .end = line_end(wrap, start, end), .paragraph = index };
        wrap->limit = limit;
        line.last = line.end == end;
        line.hyphen = shows_hyphen(wrap, &line);
        trim(work, &line);
        start = line.end;
        if (wrap->failed || !add_line(wrap, line, bottom, room)) return false;
        if (!*room) return true;
        if (never && wrap->style->max_lines > 0 && work->measures) {
            if (width_of(work, line.start, line.trimmed) > limit &&
                !add_ellipsis(wrap, &work->lines.items[work->lines.count - 1], end))
                return false;
        }
    } while (start < end);
    return true;
}

bool text_wrap(FiloTypesetter *setter, const FiloTextStyle *style) {
    TextWork *work = &setter->work;
    Wrap wrap = { .setter = setter, .style = style, .limit = (double)INFINITY, .hyphen_piece = UINT32_MAX };
    if (style->width > 0.0f) wrap.limit = (double)style->width + tolerance(style, (double)style->width);
    filo_array_clear(&work->lines);
    work->cut = false;
    double bottom = 0.0;
    bool room = true;
    for (uint32_t i = 0; i < work->paragraphs.count && room; i++)
        if (!wrap_paragraph(&wrap, i, &bottom, &room)) return false;
    return true;
}
