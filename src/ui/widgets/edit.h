// The text field that has the focus: caret, selection, undo. The text itself is in the buffer of the caller.

#ifndef FILO_UI_EDIT_H
#define FILO_UI_EDIT_H

#include "ui/ui.h"

#define UI_EDIT_INLINE 64
#define UI_EDIT_SHOWN  4096 // bytes of a line that are laid out at once

// A replaced part: `removed` bytes at `at` became `inserted` bytes. Both texts are in UiEdit.history.
typedef struct UiEditStep {
    size_t at, removed, inserted, bytes; // `bytes`: where its texts begin
    size_t caret, anchor;                // before
    bool typed;                          // further letters join it
} UiEditStep;

struct UiEdit {
    uint64_t id;
    size_t caret, anchor; // bytes; the selection is between them
    bool
        at_end; // where a line wraps, the caret is at the end of the row and not at the beginning of the next
    float scroll;   // to the side
    float wanted_x; // of up and down; below 0: that of the caret
    FiloArray(char) history;
    FiloArray(UiEditStep) steps;
    size_t done;        // steps that are not undone
    double active_time; // of the last change, for the caret
    uint64_t seen;
    bool show_caret;           // scroll until it is visible
    char text[UI_EDIT_INLINE]; // of number fields
    bool is_inline;
    uint64_t left_id; // the field that had the focus before, until it notices
    char left_text[UI_EDIT_INLINE];
};

typedef struct UiEditOptions {
    bool lines; // several
    bool password, read_only;
    const UiTextStyle *style;
    FiloVec2 origin; // of the text on the screen, in the last frame
    float line_height;
    float wrap;  // width at which lines wrap; 0: they do not
    size_t rows; // of a page
    size_t top;  // byte at which the first visible row begins
} UiEditOptions;

// What is shown beside each other: a line, or a part of one that wraps.
typedef struct UiEditRow {
    size_t start, end; // bytes, without the end of the line
    bool wraps;        // the next row continues the line
    bool rtl;          // its line reads from right to left
} UiEditRow;

typedef struct UiEditResult {
    bool changed, entered, cancelled, left;
} UiEditResult;

// The edit of this id; begins a new one if another field had the focus. NULL without memory.
UiEdit *ui_edit_begin(FiloUi *ui, uint64_t id, FiloString text);
// Applies what was typed and clicked.
UiEditResult ui_edit_apply(FiloUi *ui, UiEdit *edit, char *text, size_t size, const UiEditOptions *options);
// What is shown of a line: a part around `byte` if it is very long, stars for a password. `offset` is that of its first
// byte.
FiloString ui_edit_shown(FiloUi *ui, FiloString line, size_t byte, bool password, size_t *offset);
// Between bytes of a line and of what is shown of it.
size_t ui_edit_to_shown(FiloString line, size_t offset, FiloString shown, size_t byte, bool password);
size_t ui_edit_from_shown(FiloString line, size_t offset, size_t byte, bool password);

// ---- rows.c ------------------------------------------------------------------------------------------------------------

// The line of the text that a byte is in. `start` is its offset.
FiloString ui_edit_line(FiloString text, size_t byte, size_t *start);
// The row of a caret before a byte. Where a line wraps, that is the row that begins there, or with `at_end` the one before.
UiEditRow ui_edit_row(FiloUi *ui, const UiEditOptions *o, FiloString text, size_t byte, bool at_end);
// The rows around one; false, and no change, if there is none.
bool ui_edit_next_row(FiloUi *ui, const UiEditOptions *o, FiloString text, UiEditRow *row);
bool ui_edit_previous_row(FiloUi *ui, const UiEditOptions *o, FiloString text, UiEditRow *row);
UiTextStyle ui_edit_row_style(const UiEditOptions *o, const UiEditRow *row);
// x of a caret in a row, and the byte of the caret that is nearest to an x. `near` is a byte that is shown of a very long
// line.
float ui_edit_caret_x(FiloUi *ui, const UiEditOptions *o, FiloString text, const UiEditRow *row,
                      size_t caret);
size_t ui_edit_hit(FiloUi *ui, const UiEditOptions *o, FiloString text, const UiEditRow *row, size_t near,
                   float x);
// The byte of the first visible row, `by` rows below `top`, but not so far that there is room after the last row.
size_t ui_edit_scroll(FiloUi *ui, const UiEditOptions *o, FiloString text, size_t top, int64_t by);
// The same, so that a row is visible.
size_t ui_edit_show(FiloUi *ui, const UiEditOptions *o, FiloString text, size_t top, const UiEditRow *shown);
// How many rows below the first visible one it is; 0 if it is not visible.
size_t ui_edit_row_index(FiloUi *ui, const UiEditOptions *o, FiloString text, const UiEditRow *shown);

#endif
