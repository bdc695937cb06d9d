// The text field that has the focus: caret, selection, undo. The text itself is in the buffer of the caller.

#ifndef FILO_UI_EDIT_H
#define FILO_UI_EDIT_H

#include "ui/ui.h"

#define UI_EDIT_INLINE 64

// A replaced part: `removed` bytes at `at` became `inserted` bytes. Both texts are in UiEdit.history.
typedef struct UiEditStep {
    size_t at, removed, inserted, bytes; // `bytes`: where its texts begin
    size_t caret, anchor;                // before
    bool typed;                          // further letters join it
} UiEditStep;

struct UiEdit {
    uint64_t id;
    size_t caret, anchor; // bytes; the selection is between them
    FiloVec2 scroll;
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
    size_t rows; // of a page
} UiEditOptions;

typedef struct UiEditResult {
    bool changed, entered, cancelled, left;
} UiEditResult;

// The edit of this id; begins a new one if another field had the focus. NULL without memory.
UiEdit *ui_edit_begin(FiloUi *ui, uint64_t id, FiloString text);
// Applies what was typed and clicked.
UiEditResult ui_edit_apply(FiloUi *ui, UiEdit *edit, char *text, size_t size, const UiEditOptions *options);
// The line that a byte is in: from the end of the line before to the end of this one.
FiloString ui_edit_line(FiloString text, size_t byte, size_t *start, size_t *number);
// Starts the line `number`; `start` is its offset.
FiloString ui_edit_line_at(FiloString text, size_t number, size_t *start);
// What is shown of a line: a part around `byte` if it is very long, stars for a password. `offset` is that of its first
// byte.
FiloString ui_edit_shown(FiloUi *ui, FiloString line, size_t byte, bool password, size_t *offset);
// Between bytes of a line and of what is shown of it.
size_t ui_edit_to_shown(FiloString line, size_t offset, FiloString shown, size_t byte, bool password);
size_t ui_edit_from_shown(FiloString line, size_t offset, size_t byte, bool password);

#endif
