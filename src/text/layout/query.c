// What is in a layout. A layout of NULL is an empty text.

#include "text/layout/layout.h"

#include <filo/check.h>

FiloRect filo_text_bounds(const FiloTextLayout *layout) {
    return layout != NULL ? layout->bounds : (FiloRect){ 0 };
}

bool filo_text_is_cut(const FiloTextLayout *layout) { return layout != NULL && layout->cut; }

static bool give_count(size_t *count, size_t value) {
    if (!FILO_CHECK(count != NULL, "pass a place for the count")) return false;
    *count = value;
    return value > 0;
}

const FiloTextLine *filo_text_lines(const FiloTextLayout *layout, size_t *count) {
    return give_count(count, layout != NULL ? layout->line_count : 0) ? layout->lines : NULL;
}

const FiloTextGlyph *filo_text_glyphs(const FiloTextLayout *layout, size_t *count) {
    return give_count(count, layout != NULL ? layout->glyph_count : 0) ? layout->glyphs : NULL;
}

const FiloTextIcon *filo_text_icons(const FiloTextLayout *layout, size_t *count) {
    return give_count(count, layout != NULL ? layout->icon_count : 0) ? layout->icons : NULL;
}

const FiloTextBar *filo_text_bars(const FiloTextLayout *layout, size_t *count) {
    return give_count(count, layout != NULL ? layout->bar_count : 0) ? layout->bars : NULL;
}

uint32_t filo_text_letter_count(const FiloTextLayout *layout) {
    return layout != NULL ? layout->letter_count : 0;
}

uint32_t filo_text_letters_shown(const FiloTextLayout *layout, float hidden) {
    uint32_t count = filo_text_letter_count(layout);
    if (!(hidden > 0.0f)) return count; // NaN, too
    if (hidden >= 1.0f) return 0;
    double shown = (double)count * (1.0 - (double)hidden);
    return FILO_MIN((uint32_t)(shown + 0.5), count);
}

FiloString filo_text_link_at(const FiloTextLayout *layout, FiloVec2 point) {
    FiloString none = { 0 };
    if (layout == NULL || layout->link_count == 0) return none;
    for (size_t line = 0; line < layout->line_count; line++) {
        const FiloTextLine *l = &layout->lines[line];
        if (!(point.y >= l->y - l->ascent && point.y < l->y + l->descent)) continue;
        for (uint32_t i = layout->line_letters[line]; i < layout->line_letters[line + 1]; i++) {
            const TextLetter *letter = &layout->letters[i];
            if (letter->line != line || !(point.x >= letter->left && point.x < letter->right)) continue;
            for (size_t k = 0; k < layout->link_count; k++)
                if (i >= layout->links[k].first && i < layout->links[k].end)
                    return filo_string_from(layout->text + layout->links[k].target,
                                            layout->links[k].target_length);
        }
    }
    return none;
}

size_t filo_text_link_rects(const FiloTextLayout *layout, size_t n, FiloString *target, FiloRect *rects,
                            size_t capacity) {
    if (target != NULL) *target = (FiloString){ 0 };
    if (layout == NULL || n >= layout->link_count) return 0;
    const TextLink *link = &layout->links[n];
    if (target != NULL) *target = filo_string_from(layout->text + link->target, link->target_length);
    return filo_text_selection(layout, layout->letters[link->first].byte, layout->letters[link->end].byte,
                               rects, capacity);
}
