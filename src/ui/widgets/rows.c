// Rows of a text: what is shown beside each other. A line of the text is one row, or several where it wraps.
//
// Nothing is kept for a text: a row is found from any byte in it, by the layout of its line, which the typesetter caches.
// So a text of a megabyte costs what its visible rows cost. A line of more than UI_EDIT_SHOWN bytes is laid out in
// pieces, and a row ends at the end of a piece.

#include "ui/widgets/edit.h"

#include <string.h>

#define PIECE        2048
#define PIECE_SEARCH 256 // bytes in which a piece looks for a space to end at

FiloString ui_edit_line(FiloString text, size_t byte, size_t *start) {
    byte = FILO_MIN(byte, text.length);
    const char *before = byte > 0 ? memrchr(text.data, '\n', byte) : NULL;
    const size_t first = before != NULL ? (size_t)(before - text.data) + 1 : 0;
    const char *end = byte < text.length ? memchr(text.data + byte, '\n', text.length - byte) : NULL;
    *start = first;
    return filo_string_slice(text, first, (end != NULL ? (size_t)(end - text.data) : text.length) - first);
}

// Where the n-th piece of a long line begins: after a space, or else between two characters.
static size_t piece_start(FiloString line, size_t n) {
    size_t at = n * PIECE;
    if (n == 0 || at >= line.length) return FILO_MIN(at, line.length);
    for (size_t i = at; i > at - PIECE_SEARCH; i--)
        if (line.data[i - 1] == ' ') return i;
    for (int i = 0; i < 3 && ((unsigned char)line.data[at] & 0xC0) == 0x80; i++) at--;
    return at;
}

static void find_piece(FiloString line, size_t byte, size_t *start, size_t *end) {
    *start = 0;
    *end = line.length;
    if (line.length <= UI_EDIT_SHOWN) return;
    size_t n = FILO_MIN(byte, line.length - 1) / PIECE;
    if (piece_start(line, n + 1) <= byte && piece_start(line, n + 1) < line.length) n++;
    *start = piece_start(line, n);
    *end = piece_start(line, n + 1);
}

UiEditRow ui_edit_row(FiloUi *ui, const UiEditOptions *o, FiloString text, size_t byte, bool at_end) {
    size_t start = 0, first, last, from, to;
    UiEditRow row = { .end = text.length };
    if (!o->lines) return row;
    FiloString line = ui_edit_line(text, byte, &start);
    row = (UiEditRow){ .start = start, .end = start + line.length };
    if (!(o->wrap > 0) || line.length == 0) return row;
    size_t at = FILO_MIN(byte, text.length) - start;
    for (int again = 0; again < 2; again++) {
        find_piece(line, at, &first, &last);
        ui_text_row(ui, o->style, filo_string_slice(line, first, last - first), o->wrap, at - first, &from,
                    &to, &row.rtl);
        row.start = start + first + from;
        row.end = start + first + to;
        if (!at_end || at == 0 || row.start != start + at) break;
        at--; // the row before ends there
        at_end = false;
    }
    row.wraps = row.end < start + line.length;
    return row;
}

bool ui_edit_next_row(FiloUi *ui, const UiEditOptions *o, FiloString text, UiEditRow *row) {
    if (!row->wraps && row->end >= text.length) return false;
    *row = ui_edit_row(ui, o, text, row->wraps ? row->end : row->end + 1, false);
    return true;
}

bool ui_edit_previous_row(FiloUi *ui, const UiEditOptions *o, FiloString text, UiEditRow *row) {
    if (row->start == 0) return false;
    *row = ui_edit_row(ui, o, text, row->start - 1, false);
    return true;
}

UiTextStyle ui_edit_row_style(const UiEditOptions *o, const UiEditRow *row) {
    UiTextStyle style = *o->style;
    // A row reads in the direction of its line, whatever it begins with.
    if (o->wrap > 0) style.direction = row->rtl ? FILO_TEXT_RTL : FILO_TEXT_LTR;
    return style;
}

float ui_edit_caret_x(FiloUi *ui, const UiEditOptions *o, FiloString text, const UiEditRow *row,
                      size_t caret) {
    size_t offset;
    FiloString line = filo_string_slice(text, row->start, row->end - row->start);
    FiloString shown = ui_edit_shown(ui, line, caret - row->start, o->password, &offset);
    UiTextStyle style = ui_edit_row_style(o, row);
    return ui_text_caret(ui, &style, shown,
                         ui_edit_to_shown(line, offset, shown, caret - row->start, o->password));
}

size_t ui_edit_hit(FiloUi *ui, const UiEditOptions *o, FiloString text, const UiEditRow *row, size_t near,
                   float x) {
    size_t offset;
    FiloString line = filo_string_slice(text, row->start, row->end - row->start);
    near = near >= row->start && near <= row->end ? near - row->start : 0;
    FiloString shown = ui_edit_shown(ui, line, near, o->password, &offset);
    UiTextStyle style = ui_edit_row_style(o, row);
    return row->start + ui_edit_from_shown(line, offset, ui_text_hit(ui, &style, shown, x), o->password);
}

// ---- Scrolling -------------------------------------------------------------------------------------------------------

size_t ui_edit_scroll(FiloUi *ui, const UiEditOptions *o, FiloString text, size_t top, int64_t by) {
    UiEditRow row = ui_edit_row(ui, o, text, top, false);
    for (; by < 0 && ui_edit_previous_row(ui, o, text, &row); by++) {}
    for (; by > 0; by--) {
        UiEditRow last = row;
        size_t below = 0;
        while (below < o->rows && ui_edit_next_row(ui, o, text, &last)) below++;
        if (below < o->rows) break; // the end is visible
        (void)ui_edit_next_row(ui, o, text, &row);
    }
    return row.start;
}

size_t ui_edit_show(FiloUi *ui, const UiEditOptions *o, FiloString text, size_t top, const UiEditRow *shown) {
    UiEditRow row = ui_edit_row(ui, o, text, top, false);
    if (shown->start < row.start) return shown->start;
    for (size_t i = 0; i < o->rows; i++) {
        if (row.start == shown->start) return ui_edit_row(ui, o, text, top, false).start;
        if (!ui_edit_next_row(ui, o, text, &row)) break;
    }
    row = *shown;
    for (size_t i = 1; i < o->rows && ui_edit_previous_row(ui, o, text, &row); i++) {}
    return row.start;
}

size_t ui_edit_row_index(FiloUi *ui, const UiEditOptions *o, FiloString text, const UiEditRow *shown) {
    UiEditRow row = ui_edit_row(ui, o, text, o->top, false);
    for (size_t i = 0; i <= o->rows; i++) {
        if (row.start == shown->start) return i;
        if (!ui_edit_next_row(ui, o, text, &row)) break;
    }
    return 0;
}
