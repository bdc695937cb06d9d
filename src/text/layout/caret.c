// Carets, hits, steps and selections. All of them work on the letters of a layout, in the order of the text.

#include "text/layout/layout.h"

#include <filo/check.h>

#include <math.h>

// The letter at a byte, or the end.
static uint32_t letter_at(const FiloTextLayout *layout, size_t byte) {
    size_t low = 0, high = layout->shown_count + 1;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (layout->letters[middle].byte <= byte)
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)low;
}

static bool is_rtl(const TextLetter *letter) { return (letter->flags & TEXT_LETTER_RTL) != 0; }
static float caret_x(const TextLetter *letter) { return is_rtl(letter) ? letter->right : letter->left; }

FiloTextCaret filo_text_caret(const FiloTextLayout *layout, size_t byte) {
    if (layout == NULL) return (FiloTextCaret){ 0 };
    const TextLetter *letter = &layout->letters[letter_at(layout, byte)];
    const FiloTextLine *line = &layout->lines[letter->line];
    float x = caret_x(letter);
    return (FiloTextCaret){ .top = filo_vec2(x, line->y - line->ascent),
                            .bottom = filo_vec2(x, line->y + line->descent),
                            .rtl = is_rtl(letter),
                            .line = letter->line };
}

// ---- Hits -----------------------------------------------------------------------------------------------

// The line that is nearest to a y.
static size_t line_at(const FiloTextLayout *layout, float y) {
    size_t line = 0;
    while (line + 1 < layout->line_count) {
        const FiloTextLine *this = &layout->lines[line], *next = this + 1;
        if (!(y > 0.5f * (this->y + this->descent + next->y - next->ascent))) break; // NaN is the first line
        line++;
    }
    return line;
}

static float distance(float x, float left, float right) {
    return x < left ? left - x : x > right ? x - right : 0.0f;
}

// The letter of a line whose caret is nearest to an x. The side behind the last letter of a line belongs to the next
// line if it was wrapped, so it is not offered there, except at the end of the text.
static uint32_t nearest_caret(const FiloTextLayout *layout, size_t line, float x, bool *inside) {
    uint32_t first = layout->line_letters[line], end = layout->line_letters[line + 1], best = first;
    float best_distance = INFINITY;
    *inside = false;
    for (uint32_t i = first; i < end; i++) {
        const TextLetter *letter = &layout->letters[i];
        float d = distance(x, letter->left, letter->right);
        if (!(d < best_distance)) continue;
        best_distance = d;
        bool is_end = i == layout->shown_count || (letter->flags & TEXT_LETTER_NEWLINE) != 0;
        *inside = d == 0.0f && letter->right > letter->left;
        bool behind = (x > 0.5f * (letter->left + letter->right)) != is_rtl(letter);
        best = behind && !is_end && i + 1 < end ? i + 1 : i;
    }
    return best;
}

size_t filo_text_hit(const FiloTextLayout *layout, FiloVec2 point, bool *inside) {
    bool hit = false;
    size_t byte = 0;
    if (layout != NULL) {
        size_t line = line_at(layout, point.y);
        const FiloTextLine *l = &layout->lines[line];
        byte = layout->letters[nearest_caret(layout, line, point.x, &hit)].byte;
        hit = hit && point.y >= l->y - l->ascent && point.y < l->y + l->descent;
    }
    if (inside != NULL) *inside = hit;
    return byte;
}

// ---- Steps ----------------------------------------------------------------------------------------------

static bool in_word(const FiloTextLayout *layout, uint32_t letter) {
    return (layout->letters[letter].flags & TEXT_LETTER_IN_WORD) != 0;
}
static bool at_word(const FiloTextLayout *layout, uint32_t letter) {
    const uint32_t edges = TEXT_LETTER_AT_WORD | TEXT_LETTER_NEWLINE;
    return letter == layout->shown_count || (layout->letters[letter].flags & edges) != 0;
}

static uint32_t next_word_end(const FiloTextLayout *layout, uint32_t letter) {
    uint32_t count = (uint32_t)layout->shown_count;
    while (letter < count && !in_word(layout, letter)) letter++;
    if (letter < count) letter++;
    while (letter < count && !at_word(layout, letter)) letter++;
    return letter;
}

static uint32_t previous_word_start(const FiloTextLayout *layout, uint32_t letter) {
    while (letter > 0 && !in_word(layout, letter - 1)) letter--;
    if (letter > 0) letter--;
    while (letter > 0 && !at_word(layout, letter)) letter--;
    return letter;
}

// The caret at the end of a line: before its newline, before the space at which it was wrapped, or, if it was wrapped
// between two letters, before the last one.
static uint32_t line_edge(const FiloTextLayout *layout, size_t line, int direction) {
    uint32_t first = layout->line_letters[line], end = layout->line_letters[line + 1];
    if (direction < 0) return first;
    return end > first ? end - 1 : first;
}

size_t filo_text_move_line(const FiloTextLayout *layout, size_t byte, int direction, float x) {
    if (layout == NULL) return 0;
    uint32_t letter = letter_at(layout, byte);
    size_t line = layout->letters[letter].line;
    if (direction == 0) return layout->letters[letter].byte;
    if (direction < 0 && line == 0) return layout->letters[0].byte;
    if (direction > 0 && line + 1 == layout->line_count) return layout->letters[layout->shown_count].byte;
    bool inside;
    return layout->letters[nearest_caret(layout, direction < 0 ? line - 1 : line + 1, x, &inside)].byte;
}

size_t filo_text_move(const FiloTextLayout *layout, size_t byte, FiloTextStep step, int direction) {
    if (layout == NULL) return 0;
    uint32_t letter = letter_at(layout, byte), count = (uint32_t)layout->shown_count;
    const TextLetter *letters = layout->letters;
    if (direction == 0) return letters[letter].byte;
    bool forwards = direction > 0;
    switch (step) {
    case FILO_TEXT_LETTER:
        if (forwards ? letter < count : letter > 0) letter = forwards ? letter + 1 : letter - 1;
        break;
    case FILO_TEXT_WORD:
        letter = forwards ? next_word_end(layout, letter) : previous_word_start(layout, letter);
        break;
    case FILO_TEXT_LINE_EDGE: letter = line_edge(layout, letters[letter].line, direction); break;
    case FILO_TEXT_LINE: return filo_text_move_line(layout, byte, direction, caret_x(&letters[letter]));
    case FILO_TEXT_EDGE: letter = forwards ? count : 0; break;
    default: (void)FILO_CHECK(step < FILO_TEXT_STEP_COUNT, "pass a step of FiloTextStep, not %d", (int)step);
    }
    return letters[letter].byte;
}

void filo_text_word_at(const FiloTextLayout *layout, size_t byte, size_t *from, size_t *to) {
    if (!FILO_CHECK(from != NULL && to != NULL, "pass places for both ends of the word")) return;
    *from = *to = 0;
    if (layout == NULL) return;
    uint32_t letter = letter_at(layout, byte), count = (uint32_t)layout->shown_count;
    if (letter == count && letter > 0) letter--;
    uint32_t first = letter, end = letter < count ? letter + 1 : letter;
    while (first > 0 && !at_word(layout, first)) first--;
    while (end < count && !at_word(layout, end)) end++;
    *from = layout->letters[first].byte;
    *to = layout->letters[end].byte;
}

// ---- Selections -----------------------------------------------------------------------------------------

#define SPANS_MAX 64 // of a line that are joined; a line with more of them gets more rectangles

typedef struct Selection {
    const FiloTextLayout *layout;
    FiloRect *rects;
    size_t count, capacity;
    struct Span {
        float left, right;
    } spans[SPANS_MAX]; // of one line
    size_t span_count;
} Selection;

static bool touch(struct Span a, struct Span b, float ascent) {
    float gap = 1e-3f * ascent; // positions are rounded
    return a.left <= b.right + gap && b.left <= a.right + gap;
}

static struct Span join(struct Span a, struct Span b) {
    return (struct Span){ FILO_MIN(a.left, b.left), FILO_MAX(a.right, b.right) };
}

// Writes the spans of a line, from left to right, joined where they touch.
static void finish_line(Selection *selection, uint32_t line_index) {
    struct Span *spans = selection->spans;
    size_t count = selection->span_count;
    if (count == 0) return;
    const FiloTextLine *line = &selection->layout->lines[line_index];
    for (size_t i = 1; i < count; i++) {
        struct Span span = spans[i];
        size_t at = i;
        for (; at > 0 && spans[at - 1].left > span.left; at--) spans[at] = spans[at - 1];
        spans[at] = span;
    }
    for (size_t i = 0; i < count;) {
        struct Span span = spans[i++];
        while (i < count && touch(span, spans[i], line->ascent)) span = join(span, spans[i++]);
        if (selection->count++ < selection->capacity)
            selection->rects[selection->count - 1] = filo_rect(
                filo_vec2(span.left, line->y - line->ascent), filo_vec2(span.right, line->y + line->descent));
    }
    selection->span_count = 0;
}

static void select_letter(Selection *selection, const TextLetter *letter) {
    struct Span span = { letter->left, letter->right };
    if (!(span.right > span.left)) return;
    float ascent = selection->layout->lines[letter->line].ascent;
    struct Span *last = selection->span_count > 0 ? &selection->spans[selection->span_count - 1] : NULL;
    if (last != NULL && touch(*last, span, ascent)) {
        *last = join(*last, span);
        return;
    }
    if (selection->span_count == SPANS_MAX) finish_line(selection, letter->line);
    selection->spans[selection->span_count++] = span;
}

size_t filo_text_selection(const FiloTextLayout *layout, size_t from, size_t to, FiloRect *rects,
                           size_t capacity) {
    if (layout == NULL || !FILO_CHECK(rects != NULL || capacity == 0, "pass memory for the rectangles"))
        return 0;
    uint32_t first = letter_at(layout, FILO_MIN(from, to)), end = letter_at(layout, FILO_MAX(from, to));
    Selection selection = { .layout = layout, .rects = rects, .capacity = capacity };
    for (uint32_t i = first; i < end; i++) {
        select_letter(&selection, &layout->letters[i]);
        if (i + 1 == end || layout->letters[i + 1].line != layout->letters[i].line)
            finish_line(&selection, layout->letters[i].line);
    }
    return selection.count;
}
