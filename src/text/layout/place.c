// Positions: of lines in the box, of glyphs, letters, icons and bars in lines.

#include "text/typesetter.h"

#include <math.h>

typedef struct Place {
    FiloTypesetter *setter;
    TextWork *work;
    TextPlaced *placed;
    const FiloTextStyle *style;
    const TextRange *line;
    uint32_t line_index;
    float x, y;    // pen
    float stretch; // added to each space, or after each ideograph
    bool ideographs;
    uint32_t missing; // letters that have no place yet
    bool failed;
} Place;

#define ICON_BELOW 0.15f // part of an icon that is below the baseline

// ---- Lines in the box -----------------------------------------------------------------------------------

static bool is_snapped(FiloTextAlign align) {
    return align == FILO_TEXT_LEFT_SNAPPED || align == FILO_TEXT_CENTRE_SNAPPED ||
           align == FILO_TEXT_RIGHT_SNAPPED;
}

// The x of the left end of a line, in a box of this width.
static float line_x(const FiloTextStyle *style, const TextRange *line, float box, bool rtl) {
    float x = 0.0f, right = box - line->width;
    switch (style->align) {
    case FILO_TEXT_CENTRE:
    case FILO_TEXT_CENTRE_SNAPPED: x = -0.5f * line->width; break;
    case FILO_TEXT_RIGHT:
    case FILO_TEXT_RIGHT_SNAPPED: x = -line->width; break;
    case FILO_TEXT_JUSTIFY:
    case FILO_TEXT_START: x = rtl ? right : 0.0f; break;
    case FILO_TEXT_END: x = rtl ? 0.0f : right; break;
    default: break;
    }
    return is_snapped(style->align) ? floorf(x + 0.5f) : x;
}

static bool is_ideograph(uint32_t script) {
    return script == HB_SCRIPT_HAN || script == HB_SCRIPT_HIRAGANA || script == HB_SCRIPT_KATAKANA;
}

// How much is added at each place where a line is stretched to the width of the box: after spaces, or, in a line that has
// none, after ideographs.
static void find_stretch(Place *place) {
    const TextRange *line = place->line;
    const TextWork *work = place->work;
    place->stretch = 0.0f;
    place->ideographs = false;
    float missing = place->style->width - line->width;
    if (place->style->align != FILO_TEXT_JUSTIFY || line->last || !(missing > 0.0f)) return;
    uint32_t spaces = 0, ideographs = 0;
    for (uint32_t i = line->start; i + 1 < line->trimmed; i++) {
        uint32_t c = work->starts.items[i];
        if (work->characters.items[c] == ' ' || work->characters.items[c] == 0xA0) spaces++;
        if (is_ideograph(work->scripts.items[c])) ideographs++;
    }
    place->ideographs = spaces == 0;
    uint32_t places = spaces > 0 ? spaces : ideographs;
    if (places > 0) place->stretch = missing / (float)places;
}

static float stretch_after(const Place *place, uint32_t character) {
    if (place->stretch == 0.0f) return 0.0f;
    uint32_t c = place->work->characters.items[character], letter = place->work->letters.items[character];
    if (letter + 1 >= place->line->trimmed) return 0.0f;
    bool here =
        place->ideographs ? is_ideograph(place->work->scripts.items[character]) : c == ' ' || c == 0xA0;
    return here ? place->stretch : 0.0f;
}

// ---- Letters --------------------------------------------------------------------------------------------

// Letters of a line are written by their index, as they are seen; `base` is the first one of the line.
static void set_letter(Place *place, uint32_t letter, float left, float right, bool rtl) {
    TextLetter *to = &place->placed->letters.items[letter];
    if ((to->flags & TEXT_LETTER_NEWLINE) != 0) return;
    if (to->line != place->line_index) { // the first part of it
        if (to->line == TEXT_NO_LINE) place->missing--;
        to->line = place->line_index & TEXT_NO_LINE;
        to->left = left;
        to->right = right;
        if (rtl) to->flags |= TEXT_LETTER_RTL;
    } else {
        to->left = FILO_MIN(to->left, left);
        to->right = FILO_MAX(to->right, right);
    }
}

// The letters of a cluster from one character to another share its width evenly.
static void set_cluster(Place *place, uint32_t start, uint32_t end, float left, float right, bool rtl) {
    const TextWork *work = place->work;
    uint32_t first = work->letters.items[start], last = work->letters.items[end - 1];
    if (first == last) {
        set_letter(place, first, left, right, rtl);
        return;
    }
    if ((work->marks.items[start] & TEXT_AT_LETTER) == 0 && first < last) first++;
    float count = (float)(last - first + 1), width = right - left;
    for (uint32_t letter = first; letter <= last; letter++) {
        float from = (float)(letter - first) / count, to = (float)(letter - first + 1) / count;
        if (rtl)
            set_letter(place, letter, right - width * to, right - width * from, true);
        else
            set_letter(place, letter, left + width * from, left + width * to, false);
    }
}

// ---- Fragments ------------------------------------------------------------------------------------------

// What is the same for all glyphs of a fragment, and the arrays of the text. Pointers to arrays, so that they are read
// once: what is written may be part of any structure.
typedef struct Glyphs {
    const TextShapedGlyph *from, *end;
    const uint32_t *bytes, *letters;
    FiloTextGlyph *to;
    FiloTextGlyph same;
    float y;
} Glyphs;

// Places a glyph, and returns where the next one is.
static inline float place_glyph(Glyphs *glyphs, float x) {
    const TextShapedGlyph *from = glyphs->from++;
    FiloTextGlyph *to = glyphs->to++;
    to->glyph = from->glyph;
    to->font = glyphs->same.font;
    to->flags = 0;
    to->x = x + from->x;
    to->y = glyphs->y - from->y;
    to->size = glyphs->same.size;
    to->color = glyphs->same.color;
    to->byte = glyphs->bytes[from->character];
    to->order = glyphs->letters[from->character];
    return x + from->advance;
}

static void place_glyphs(Place *place, const TextFragment *fragment) {
    const TextWork *work = place->work;
    TextPiece piece = fragment->piece;
    const TextSpan *span = &work->spans.items[piece.span];
    const TextShapedGlyph *first = work->glyphs.items + piece.first_glyph;
    Glyphs glyphs = { .from = first,
                      .end = first + piece.glyph_count,
                      .bytes = work->bytes.items,
                      .letters = work->letters.items,
                      .to = place->placed->glyphs.items + place->placed->glyphs.count,
                      .same = { .font = piece.font, .size = span->size, .color = span->color },
                      .y = place->y };
    place->placed->glyphs.count += piece.glyph_count;
    bool rtl = piece.level % 2 == 1, stretched = place->stretch != 0.0f && !fragment->hanging;
    uint32_t end = piece.end; // of the cluster, from right to left
    float x = place->x;
    while (glyphs.from < glyphs.end) {
        uint32_t character = glyphs.from->character;
        float left = x;
        do x = place_glyph(&glyphs, x);
        while (glyphs.from < glyphs.end && glyphs.from->character == character);
        if (fragment->extra) continue;
        if (stretched) x += stretch_after(place, character);
        uint32_t next = rtl ? end : (glyphs.from < glyphs.end ? glyphs.from->character : piece.end);
        if (next == character + 1)
            set_letter(place, glyphs.letters[character], left, x, rtl);
        else if (next > character)
            set_cluster(place, character, next, left, x, rtl);
        end = character;
    }
    place->x = x;
}

static void place_icon(Place *place, const TextFragment *fragment) {
    const TextWork *work = place->work;
    const TextSpan *span = &work->spans.items[fragment->piece.span];
    uint32_t letter = work->letters.items[fragment->piece.start];
    FiloVec2 min = filo_vec2(place->x, place->y - (1.0f - ICON_BELOW) * span->size);
    FiloTextIcon icon = { .rect = filo_rect_from_size(min, filo_vec2(span->size, span->size)),
                          .byte = work->bytes.items[fragment->piece.start],
                          .order = letter };
    if (!filo_array_push(&place->placed->icons, icon) ||
        !filo_array_push(&place->placed->icon_spans, fragment->piece.span))
        place->failed = true;
}

static void add_bar(Place *place, const TextFragment *fragment, float left, float top, float width) {
    const TextWork *work = place->work;
    const TextPiece *piece = &fragment->piece;
    FiloTextBar bar = { .rect = filo_rect(filo_vec2(left, top), filo_vec2(place->x, top + width)),
                        .color = work->spans.items[piece->span].color,
                        .order = work->letters.items[piece->start],
                        .end_order = work->letters.items[piece->start] + 1,
                        .rtl = piece->level % 2 == 1 };
    if (!fragment->extra) bar.end_order = work->letters.items[piece->end - 1] + 1;
    if (!filo_array_push(&place->placed->bars, bar)) place->failed = true;
}

// Bars have the place that the first font of the chain gives them, so that they are straight through other fonts.
static void place_bars(Place *place, const TextFragment *fragment, float left) {
    const TextSpan *span = &place->work->spans.items[fragment->piece.span];
    if ((!span->underline && !span->strike) || fragment->hanging || !(place->x > left)) return;
    const TextChain *chain =
        text_fonts_chain(place->setter, span->font, span->bold, span->italic, span->axes);
    const TextFontFile *file = place->setter->fonts.fonts.items[chain->fonts[0]]->file;
    float scale = span->size / file->units_per_em;
    if (span->underline)
        add_bar(place, fragment, left, place->y - file->underline_y * scale, file->underline_width * scale);
    if (span->strike)
        add_bar(place, fragment, left, place->y - file->strike_y * scale, file->strike_width * scale);
}

static void place_fragment(Place *place, const TextFragment *fragment) {
    const TextPiece *piece = &fragment->piece;
    float left = place->x;
    if (piece->kind == TEXT_PIECE_LETTERS) {
        place_glyphs(place, fragment);
    } else {
        if (piece->kind == TEXT_PIECE_ICON) place_icon(place, fragment);
        place->x += fragment->width;
        set_cluster(place, piece->start, piece->end, left, place->x, piece->level % 2 == 1);
    }
    place_bars(place, fragment, left);
}

// ---- Places that no glyph has ---------------------------------------------------------------------------

// The newline of a line, and the end of the text, are where the last letter of the line ends.
static float line_end_x(const Place *place, const FiloTextLine *line) {
    const TextRange *range = place->line;
    bool rtl = line->rtl;
    if (range->end == range->start) return rtl ? line->x + line->width : line->x;
    const TextLetter *last = &place->placed->letters.items[range->end - 1];
    return (last->flags & TEXT_LETTER_RTL) != 0 ? last->left : last->right;
}

static void place_end(Place *place, const FiloTextLine *line) {
    uint32_t letter = place->line->end;
    TextLetter *to = &place->placed->letters.items[letter];
    bool newline = (to->flags & TEXT_LETTER_NEWLINE) != 0;
    if (letter < place->work->letter_count && !newline) return; // it is in the next line
    to->left = to->right = line_end_x(place, line);
    if (to->line == TEXT_NO_LINE) place->missing--;
    to->line = place->line_index & TEXT_NO_LINE;
    if (line->rtl) to->flags |= TEXT_LETTER_RTL;
}

// ---- All ------------------------------------------------------------------------------------------------

static void place_line(Place *place, float x, float y) {
    const TextRange *range = place->line;
    const TextWork *work = place->work;
    bool rtl = work->paragraphs.items[range->paragraph].level == 1;
    FiloTextLine line = { .x = x,
                          .y = y,
                          .width = range->width,
                          .ascent = range->ascent,
                          .descent = range->descent,
                          .first_glyph = (uint32_t)place->placed->glyphs.count,
                          .first_byte = work->bytes.items[work->starts.items[range->start]],
                          .end_byte = work->bytes.items[work->starts.items[range->end]],
                          .rtl = rtl,
                          .last = range->last };
    find_stretch(place);
    place->x = rtl ? x - range->hanging : x; // spaces at the end of such a line are left of it
    place->y = y;
    for (uint32_t i = 0; i < range->fragment_count; i++)
        place_fragment(place, &work->fragments.items[range->first_fragment + i]);
    if (place->stretch != 0.0f) line.width = place->style->width;
    line.glyph_count = (uint32_t)place->placed->glyphs.count - line.first_glyph;
    place_end(place, &line);
    if (!filo_array_push(&place->placed->lines, line) ||
        !filo_array_push(&place->placed->line_letters, range->start))
        place->failed = true;
}

// Letters as they are before they have a place. What an ellipsis replaces gets none.
static bool prepare_letters(Place *place) {
    const TextWork *work = place->work;
    TextPlaced *placed = place->placed;
    uint32_t count = work->letter_count + 1;
    if (!text_array_set_count(&placed->letters, (size_t)count)) return false;
    const uint32_t *starts = work->starts.items, *bytes = work->bytes.items;
    TextLetter *letters = placed->letters.items;
    place->missing = count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t character = starts[i];
        uint8_t marks = work->marks.items[character];
        letters[i] = (TextLetter){ .byte = bytes[character],
                                   .line = TEXT_NO_LINE,
                                   .flags = marks & (uint32_t)TEXT_LETTER_MARKS };
    }
    return true;
}

static bool reserve_glyphs(Place *place) {
    size_t count = 0;
    for (size_t i = 0; i < place->work->fragments.count; i++)
        count += place->work->fragments.items[i].piece.glyph_count;
    bool reserved = text_array_set_count(&place->placed->glyphs, count);
    filo_array_clear(&place->placed->glyphs);
    return reserved;
}

// Letters that have no place, because a font gave no glyphs, or an ellipsis replaced them, are where the one before ends.
static void complete_letters(Place *place) {
    TextLetter *letters = place->placed->letters.items;
    uint32_t count = place->work->letter_count + 1;
    if (place->missing == 0) return;
    for (uint32_t i = 0; i < count; i++) {
        if (letters[i].line != TEXT_NO_LINE) continue;
        letters[i].line = i > 0 ? letters[i - 1].line : 0;
        float x = 0.0f;
        if (i > 0)
            x = (letters[i - 1].flags & TEXT_LETTER_RTL) != 0 ? letters[i - 1].left : letters[i - 1].right;
        if (i > 0) letters[i].flags |= letters[i - 1].flags & TEXT_LETTER_RTL;
        letters[i].left = letters[i].right = x;
    }
}

static float box_width(const TextWork *work, const FiloTextStyle *style) {
    if (style->width > 0.0f) return style->width;
    float width = 0.0f;
    for (size_t i = 0; i < work->lines.count; i++) width = FILO_MAX(width, work->lines.items[i].width);
    return width;
}

// The distance from the baseline of a line to that of the next.
static float baseline_step(const TextRange *line, const TextRange *next, float spacing) {
    return (line->descent + line->gap + next->ascent) * spacing;
}

static float first_baseline(const TextWork *work, const FiloTextStyle *style) {
    const TextRange *lines = work->lines.items;
    float height = lines[0].ascent + lines[work->lines.count - 1].descent;
    for (size_t i = 1; i < work->lines.count; i++)
        height += baseline_step(&lines[i - 1], &lines[i], style->line_spacing);
    switch (style->vertical) {
    case FILO_TEXT_MIDDLE: return lines[0].ascent - 0.5f * height;
    case FILO_TEXT_BOTTOM: return lines[0].ascent - height;
    case FILO_TEXT_BASELINE: return 0.0f;
    default: return lines[0].ascent;
    }
}

static void find_bounds(TextPlaced *placed) {
    const FiloTextLine *first = &placed->lines.items[0],
                       *last = &placed->lines.items[placed->lines.count - 1];
    FiloRect bounds = { { first->x, first->y - first->ascent }, { first->x, last->y + last->descent } };
    for (size_t i = 0; i < placed->lines.count; i++) {
        const FiloTextLine *line = &placed->lines.items[i];
        bounds.min.x = FILO_MIN(bounds.min.x, line->x);
        bounds.max.x = FILO_MAX(bounds.max.x, line->x + line->width);
    }
    placed->bounds = bounds;
}

// The letters of each link, which may be in several spans.
static bool find_links(const TextWork *work, TextPlaced *placed) {
    filo_array_clear(&placed->links);
    for (size_t i = 0; i < work->spans.count; i++) {
        const TextSpan *span = &work->spans.items[i];
        if (span->link == 0) continue;
        uint32_t end =
            i + 1 < work->spans.count ? work->spans.items[i + 1].start : (uint32_t)work->characters.count;
        TextReference target = work->links.items[span->link - 1];
        TextLink link = { work->letters.items[span->start], work->letters.items[end], target.start,
                          target.length };
        TextLink *last = placed->links.count > 0 ? &placed->links.items[placed->links.count - 1] : NULL;
        if (last != NULL && last->end == link.first && last->target == link.target)
            last->end = link.end;
        else if (link.first < link.end && !filo_array_push(&placed->links, link))
            return false;
    }
    return true;
}

bool text_place(FiloTypesetter *setter, const FiloTextStyle *style) {
    TextWork *work = &setter->work;
    TextPlaced *placed = &setter->cache.placed;
    Place place = { .setter = setter, .work = work, .placed = placed, .style = style };
    filo_array_clear(&work->fragments);
    filo_array_clear(&placed->lines);
    filo_array_clear(&placed->line_letters);
    filo_array_clear(&placed->glyphs);
    filo_array_clear(&placed->icons);
    filo_array_clear(&placed->icon_spans);
    filo_array_clear(&placed->bars);
    for (size_t i = 0; i < work->lines.count; i++)
        if (!text_line_arrange(setter, &work->lines.items[i])) return false;
    if (!prepare_letters(&place) || !reserve_glyphs(&place)) return false;
    float box = box_width(work, style), y = first_baseline(work, style);
    for (size_t i = 0; i < work->lines.count; i++) {
        place.line = &work->lines.items[i];
        place.line_index = (uint32_t)i;
        if (i > 0) y += baseline_step(place.line - 1, place.line, style->line_spacing);
        bool rtl = work->paragraphs.items[place.line->paragraph].level == 1;
        place_line(&place, line_x(style, place.line, box, rtl),
                   is_snapped(style->align) ? floorf(y + 0.5f) : y);
    }
    if (place.failed) return false; // some line may be missing
    complete_letters(&place);
    find_bounds(placed);
    return !place.failed && filo_array_push(&placed->line_letters, work->letter_count + 1) &&
           find_links(work, placed);
}

void text_placed_init(TextPlaced *placed, const FiloAllocator *allocator) {
    filo_array_init(&placed->lines, allocator);
    filo_array_init(&placed->line_letters, allocator);
    filo_array_init(&placed->glyphs, allocator);
    filo_array_init(&placed->icons, allocator);
    filo_array_init(&placed->icon_spans, allocator);
    filo_array_init(&placed->bars, allocator);
    filo_array_init(&placed->letters, allocator);
    filo_array_init(&placed->links, allocator);
}

void text_placed_deinit(TextPlaced *placed) {
    filo_array_deinit(&placed->lines);
    filo_array_deinit(&placed->line_letters);
    filo_array_deinit(&placed->glyphs);
    filo_array_deinit(&placed->icons);
    filo_array_deinit(&placed->icon_spans);
    filo_array_deinit(&placed->bars);
    filo_array_deinit(&placed->letters);
    filo_array_deinit(&placed->links);
}
