// Editing text: moves, selection, clipboard, undo.

#include "ui/widgets/edit.h"

#include <string.h>

#define STEPS         512
#define HISTORY       FILO_MIB(1)
#define SHOWN_ALIGNED 2048

void ui_edit_free(FiloUi *ui) {
    UiEdit *edit = ui->edit;
    if (edit == NULL) return;
    filo_array_deinit(&edit->history);
    filo_array_deinit(&edit->steps);
    filo_free(ui->allocator, edit, sizeof *edit, 0);
    ui->edit = NULL;
}

static void leave(UiEdit *edit) {
    if (edit->id == 0) return;
    edit->left_id = edit->id;
    memcpy(edit->left_text, edit->text, sizeof edit->left_text);
    edit->id = 0;
}

bool ui_edit_was_left(FiloUi *ui, uint64_t id, char *text, size_t size) {
    UiEdit *edit = ui->edit;
    if (edit == NULL) return false;
    if (edit->id == id && ui->input.focus != id) leave(edit);
    if (edit->left_id != id) return false;
    edit->left_id = 0;
    if (text != NULL) filo_string_copy(filo_string(edit->left_text), text, size);
    return true;
}

UiEdit *ui_edit_begin(FiloUi *ui, uint64_t id, FiloString text) {
    UiEdit *edit = ui->edit;
    if (edit == NULL) {
        edit = ui->edit = filo_alloc_zero(ui->allocator, sizeof *edit, 0);
        if (edit == NULL) return NULL;
        filo_array_init(&edit->history, ui->allocator);
        filo_array_init(&edit->steps, ui->allocator);
    }
    if (edit->id != id) {
        leave(edit);
        edit->id = id;
        edit->caret = edit->anchor = text.length;
        edit->scroll = 0;
        edit->at_end = false;
        edit->wanted_x = -1;
        edit->done = 0;
        edit->is_inline = false;
        filo_array_clear(&edit->history);
        filo_array_clear(&edit->steps);
        edit->active_time = ui->time;
        edit->show_caret = true;
        if (ui->input.focus_by_keys) edit->anchor = 0; // reached by Tab: everything is selected
    }
    edit->seen = ui->frame;
    edit->caret = FILO_MIN(edit->caret, text.length); // the program may have changed the text
    edit->anchor = FILO_MIN(edit->anchor, text.length);
    return edit;
}

void ui_edit_end_frame(FiloUi *ui) {
    if (ui->edit != NULL && ui->edit->seen < ui->frame) ui->edit->id = 0;
}

// ---- Positions -----------------------------------------------------------------------------------------------------

static size_t next_character(FiloString text, size_t byte) {
    uint32_t c;
    if (byte >= text.length) return text.length;
    return byte + filo_utf8_decode(filo_string_slice(text, byte, text.length), &c);
}

static size_t previous_character(FiloString text, size_t byte) {
    size_t start = byte;
    for (int i = 0; i < 4 && start > 0; i++) {
        start--;
        if (((unsigned char)text.data[start] & 0xC0) != 0x80) break;
    }
    // Bytes that are not UTF-8 are characters of their own.
    while (start < byte && next_character(text, start) < byte) start = next_character(text, start);
    return start;
}

// From a byte to the next or previous letter or word, across ends of lines. Words of a password are not revealed.
static size_t step(FiloUi *ui, const UiEditOptions *o, FiloString text, size_t byte, bool word,
                   int direction) {
    size_t start = 0, offset;
    if (o->password && word) return direction > 0 ? text.length : 0;
    if (o->password) return direction > 0 ? next_character(text, byte) : previous_character(text, byte);
    FiloString line = o->lines ? ui_edit_line(text, byte, &start) : text;
    if (direction < 0 && byte == start) return byte - (byte > 0);
    if (direction > 0 && byte == start + line.length) return FILO_MIN(byte + 1, text.length);
    FiloString shown = ui_edit_shown(ui, line, byte - start, false, &offset);
    size_t next = start + offset + ui_text_step(ui, o->style, shown, byte - start - offset, word, direction);
    if (next != byte) return next;
    // At the edge of what is shown of a very long line.
    return direction > 0 ? next_character(text, byte) : previous_character(text, byte);
}

// Whether the text at the caret reads from right to left: then the left arrow goes forwards.
static bool reads_left(FiloUi *ui, const UiEditOptions *o, FiloString text, size_t byte) {
    size_t start = 0, offset;
    if (o->password) return false;
    FiloString line = o->lines ? ui_edit_line(text, byte, &start) : text;
    FiloString shown = ui_edit_shown(ui, line, byte - start, false, &offset);
    return ui_text_is_rtl(ui, o->style, shown, byte - start - offset);
}

// ---- What is shown -----------------------------------------------------------------------------------------------------

FiloString ui_edit_shown(FiloUi *ui, FiloString line, size_t byte, bool password, size_t *offset) {
    *offset = 0;
    if (password) {
        size_t count = FILO_MIN(filo_utf8_count(line), UI_EDIT_SHOWN);
        char *stars = filo_arena_alloc(&ui->arena, count + 1, 1);
        if (stars == NULL) return (FiloString){ 0 };
        memset(stars, '*', count);
        return filo_string_from(stars, count);
    }
    if (line.length <= UI_EDIT_SHOWN) return line;
    size_t start = byte / SHOWN_ALIGNED * SHOWN_ALIGNED;
    start = start > SHOWN_ALIGNED / 2 ? start - SHOWN_ALIGNED / 2 : 0;
    while (start > 0 && start < line.length && ((unsigned char)line.data[start] & 0xC0) == 0x80) start--;
    *offset = start;
    return filo_utf8_cut(filo_string_slice(line, start, line.length), UI_EDIT_SHOWN);
}

size_t ui_edit_to_shown(FiloString line, size_t offset, FiloString shown, size_t byte, bool password) {
    size_t at = password        ? filo_utf8_count(filo_string_slice(line, 0, byte))
                : byte > offset ? byte - offset
                                : 0;
    return FILO_MIN(at, shown.length);
}

size_t ui_edit_from_shown(FiloString line, size_t offset, size_t byte, bool password) {
    if (!password) return FILO_MIN(offset + byte, line.length);
    size_t at = 0;
    for (size_t i = 0; i < byte; i++) at = next_character(line, at);
    return at;
}

// ---- Changes -----------------------------------------------------------------------------------------------------------

static void move_bytes(char *text, size_t length, size_t at, size_t removed, FiloString inserted) {
    memmove(text + at + inserted.length, text + at + removed, length - at - removed + 1);
    if (inserted.length > 0) memcpy(text + at, inserted.data, inserted.length);
}

static void forget(UiEdit *edit) {
    filo_array_clear(&edit->steps);
    filo_array_clear(&edit->history);
    edit->done = 0;
}

static void remember(UiEdit *edit, const char *text, size_t at, size_t removed, FiloString inserted,
                     bool typed) {
    if (edit->done < edit->steps.count) {
        edit->history.count = edit->steps.items[edit->done].bytes;
        edit->steps.count = edit->done;
    }
    UiEditStep *last = edit->steps.count > 0 ? &edit->steps.items[edit->steps.count - 1] : NULL;
    if (edit->steps.count >= STEPS || edit->history.count + removed + inserted.length > HISTORY) {
        forget(edit);
        last = NULL;
    }
    if (removed + inserted.length > HISTORY) return;
    bool joins = typed && last != NULL && last->typed && removed == 0 && last->at + last->inserted == at;
    if (joins) {
        if (filo_array_push_many(&edit->history, inserted.data, inserted.length))
            last->inserted += inserted.length;
        return;
    }
    UiEditStep step = { .at = at,
                        .removed = removed,
                        .inserted = inserted.length,
                        .bytes = edit->history.count,
                        .caret = edit->caret,
                        .anchor = edit->anchor,
                        .typed = typed };
    if (!filo_array_push_many(&edit->history, text + at, removed) ||
        !filo_array_push_many(&edit->history, inserted.data, inserted.length) ||
        !filo_array_push(&edit->steps, step)) {
        forget(edit);
        return;
    }
    edit->done = edit->steps.count;
}

// Replaces a part of the text. What does not fit is cut between characters. False if nothing changed.
static bool replace(UiEdit *edit, char *text, size_t size, size_t from, size_t to, FiloString with,
                    bool typed) {
    size_t length = strlen(text), room = size - 1 - (length - (to - from));
    with = filo_utf8_cut(with, room);
    if (with.length == 0 && from == to) return false;
    remember(edit, text, from, to - from, with, typed);
    move_bytes(text, length, from, to - from, with);
    edit->caret = edit->anchor = from + with.length;
    edit->at_end = false;
    edit->show_caret = true;
    return true;
}

static bool undo(UiEdit *edit, char *text, size_t size) {
    if (edit->done == 0) return false;
    const UiEditStep *step = &edit->steps.items[edit->done - 1];
    size_t length = strlen(text);
    // The program may have changed the text meanwhile: then the history is of no use.
    if (step->at + step->inserted > length || length - step->inserted + step->removed >= size) {
        forget(edit);
        return false;
    }
    edit->done--;
    const char *bytes = edit->history.items + step->bytes;
    move_bytes(text, length, step->at, step->inserted, filo_string_from(bytes, step->removed));
    length = strlen(text);
    edit->caret = FILO_MIN(step->caret, length);
    edit->anchor = FILO_MIN(step->anchor, length);
    edit->at_end = false;
    edit->show_caret = true;
    return true;
}

static bool redo(UiEdit *edit, char *text, size_t size) {
    if (edit->done == edit->steps.count) return false;
    const UiEditStep *step = &edit->steps.items[edit->done];
    size_t length = strlen(text);
    if (step->at + step->removed > length || length - step->removed + step->inserted >= size) {
        forget(edit);
        return false;
    }
    edit->done++;
    const char *bytes = edit->history.items + step->bytes + step->removed;
    move_bytes(text, length, step->at, step->removed, filo_string_from(bytes, step->inserted));
    edit->caret = edit->anchor = step->at + step->inserted;
    edit->at_end = false;
    edit->show_caret = true;
    return true;
}

// A text without what a field cannot have: invalid bytes, control characters, and ends of lines where there is one line.
static FiloString clean(FiloUi *ui, FiloString text, bool lines) {
    char *out = filo_arena_alloc(&ui->arena, text.length * 3 + 1, 1);
    if (out == NULL) return (FiloString){ 0 };
    size_t length = 0;
    for (uint32_t c; filo_utf8_next(&text, &c);) {
        if (c == '\r') continue;
        if (c == '\n' && !lines) c = ' ';
        if ((c < 32 && c != '\n' && c != '\t') || c == 127) continue;
        length += filo_utf8_encode(c, out + length);
    }
    return filo_string_from(out, length);
}

// ---- Clipboard -----------------------------------------------------------------------------------------------------------

static void copy_selection(FiloUi *ui, const UiEdit *edit, const char *text) {
    size_t from = FILO_MIN(edit->caret, edit->anchor), to = FILO_MAX(edit->caret, edit->anchor);
    if (from == to) return;
    const char *part = ui_copy(ui, filo_string_from(text + from, to - from));
    if (ui->window != NULL) {
        filo_clipboard_set_text(ui->window, part);
    } else {
        filo_array_clear(&ui->clipboard);
        (void)filo_array_push_many(&ui->clipboard, part, to - from + 1);
    }
}

static FiloString clipboard(const FiloUi *ui) {
    if (ui->window != NULL) return filo_string(filo_clipboard_text(ui->window));
    return filo_string(ui->clipboard.count > 0 ? ui->clipboard.items : "");
}

// ---- Keys ------------------------------------------------------------------------------------------------------------------

// Where the caret gets by going up or down. `at_end` is set if that is the end of a row that wraps.
static size_t move_rows(FiloUi *ui, UiEdit *edit, FiloString text, const UiEditOptions *o, int64_t by,
                        bool *at_end) {
    UiEditRow row = ui_edit_row(ui, o, text, edit->caret, edit->at_end);
    const size_t from = row.start;
    if (edit->wanted_x < 0) edit->wanted_x = ui_edit_caret_x(ui, o, text, &row, edit->caret);
    for (int64_t i = 0; i < by && ui_edit_next_row(ui, o, text, &row); i++) {}
    for (int64_t i = 0; i < -by && ui_edit_previous_row(ui, o, text, &row); i++) {}
    if (row.start == from) return by < 0 ? 0 : text.length;
    size_t to = ui_edit_hit(ui, o, text, &row, 0, edit->wanted_x);
    *at_end = row.wraps && to == row.end;
    return to;
}

static size_t row_edge(FiloUi *ui, const UiEdit *edit, FiloString text, const UiEditOptions *o, bool end,
                       bool whole, bool *at_end) {
    if (whole) return end ? text.length : 0;
    UiEditRow row = ui_edit_row(ui, o, text, edit->caret, edit->at_end);
    *at_end = end && row.wraps;
    return end ? row.end : row.start;
}

// True if the key moves the caret.
static bool move_by_key(FiloUi *ui, UiEdit *edit, FiloString text, const UiEditOptions *o,
                        const UiEvent *event) {
    bool control = (event->modifiers & UI_CONTROL) != 0, shift = (event->modifiers & UI_SHIFT) != 0;
    bool selected = edit->caret != edit->anchor, vertical = false, at_end = false;
    size_t low = FILO_MIN(edit->caret, edit->anchor), high = FILO_MAX(edit->caret, edit->anchor);
    size_t to = edit->caret;
    switch (event->key) {
    case FILO_KEY_LEFT:
    case FILO_KEY_RIGHT: {
        bool forwards = (event->key == FILO_KEY_RIGHT) != reads_left(ui, o, text, edit->caret);
        if (selected && !shift && !control)
            to = forwards ? high : low;
        else
            to = step(ui, o, text, edit->caret, control, forwards ? 1 : -1);
        break;
    }
    case FILO_KEY_HOME: to = row_edge(ui, edit, text, o, false, control, &at_end); break;
    case FILO_KEY_END: to = row_edge(ui, edit, text, o, true, control, &at_end); break;
    case FILO_KEY_UP:
    case FILO_KEY_DOWN:
    case FILO_KEY_PAGE_UP:
    case FILO_KEY_PAGE_DOWN: {
        if (!o->lines) return false;
        vertical = true;
        bool up = event->key == FILO_KEY_UP || event->key == FILO_KEY_PAGE_UP;
        bool page = event->key == FILO_KEY_PAGE_UP || event->key == FILO_KEY_PAGE_DOWN;
        int64_t by = page ? (int64_t)FILO_MAX(o->rows, 1) : 1;
        to = move_rows(ui, edit, text, o, up ? -by : by, &at_end);
        break;
    }
    default: return false;
    }
    edit->caret = to;
    edit->at_end = at_end;
    if (!shift) edit->anchor = to;
    if (!vertical) edit->wanted_x = -1;
    edit->show_caret = true;
    if (edit->steps.count > 0)
        edit->steps.items[edit->steps.count - 1].typed = false; // what follows is a step of its own
    return true;
}

static bool delete_by_key(FiloUi *ui, UiEdit *edit, char *text, size_t size, const UiEditOptions *o,
                          const UiEvent *event) {
    FiloString string = filo_string(text);
    size_t from = FILO_MIN(edit->caret, edit->anchor), to = FILO_MAX(edit->caret, edit->anchor);
    bool control = (event->modifiers & UI_CONTROL) != 0;
    if (from == to && event->key == FILO_KEY_BACKSPACE) from = step(ui, o, string, to, control, -1);
    if (from == to && event->key == FILO_KEY_DELETE) to = step(ui, o, string, from, control, 1);
    return replace(edit, text, size, from, to, (FiloString){ 0 }, false);
}

static bool insert_text(FiloUi *ui, UiEdit *edit, char *text, size_t size, FiloString inserted, bool lines,
                        bool typed) {
    size_t from = FILO_MIN(edit->caret, edit->anchor), to = FILO_MAX(edit->caret, edit->anchor);
    inserted = clean(ui, inserted, lines);
    if (inserted.length == 0) return false;
    return replace(edit, text, size, from, to, inserted, typed && from == to);
}

// Keys with Ctrl. True if the text changed.
static bool shortcut(FiloUi *ui, UiEdit *edit, char *text, size_t size, const UiEditOptions *o,
                     const UiEvent *event) {
    bool shift = (event->modifiers & UI_SHIFT) != 0;
    switch (event->key) {
    case FILO_KEY_A:
        edit->anchor = 0;
        edit->caret = strlen(text);
        return false;
    case FILO_KEY_C:
        if (!o->password) copy_selection(ui, edit, text);
        return false;
    case FILO_KEY_X:
        if (o->password || o->read_only || edit->caret == edit->anchor) return false;
        copy_selection(ui, edit, text);
        return delete_by_key(ui, edit, text, size, o, &(UiEvent){ .key = FILO_KEY_DELETE });
    case FILO_KEY_V:
        return !o->read_only && insert_text(ui, edit, text, size, clipboard(ui), o->lines, false);
    case FILO_KEY_Z: return !o->read_only && (shift ? redo(edit, text, size) : undo(edit, text, size));
    case FILO_KEY_Y: return !o->read_only && redo(edit, text, size);
    default: return false;
    }
}

static void apply_key(FiloUi *ui, UiEdit *edit, char *text, size_t size, const UiEditOptions *o,
                      const UiEvent *event, UiEditResult *result) {
    bool enter = event->key == FILO_KEY_ENTER || event->key == FILO_KEY_PAD_ENTER;
    if (move_by_key(ui, edit, filo_string(text), o, event)) return;
    if (event->key == FILO_KEY_ESCAPE) {
        result->cancelled = result->left = true;
    } else if (enter && (!o->lines || (event->modifiers & UI_CONTROL) != 0)) {
        result->entered = true;
        result->left = !o->lines;
    } else if (enter && !o->read_only) {
        result->changed |= insert_text(ui, edit, text, size, FILO_STRING("\n"), true, true);
    } else if (event->key == FILO_KEY_TAB && o->lines && !o->read_only) {
        result->changed |= insert_text(ui, edit, text, size, FILO_STRING("\t"), true, true);
    } else if ((event->key == FILO_KEY_BACKSPACE || event->key == FILO_KEY_DELETE) && !o->read_only) {
        result->changed |= delete_by_key(ui, edit, text, size, o, event);
    } else if ((event->modifiers & UI_CONTROL) != 0) {
        result->changed |= shortcut(ui, edit, text, size, o, event);
    }
}

// ---- Mouse -----------------------------------------------------------------------------------------------------------------

// The caret that is nearest to a point.
static size_t byte_at(FiloUi *ui, const UiEdit *edit, FiloString text, const UiEditOptions *o, FiloVec2 point,
                      bool *at_end) {
    FiloVec2 at = filo_vec2_add(filo_vec2_sub(point, o->origin), filo_vec2(edit->scroll, 0));
    UiEditRow row = ui_edit_row(ui, o, text, o->lines ? o->top : 0, false);
    if (o->lines && at.y < 0) (void)ui_edit_previous_row(ui, o, text, &row);
    // Outside, the caret goes one row further, and the area scrolls.
    const int64_t down = (int64_t)filo_clamp(at.y / o->line_height, 0, (float)o->rows);
    for (int64_t i = 0; o->lines && i < down && ui_edit_next_row(ui, o, text, &row); i++) {}
    size_t byte = ui_edit_hit(ui, o, text, &row, edit->caret, at.x);
    *at_end = row.wraps && byte == row.end;
    return byte;
}

static void select_word(FiloUi *ui, UiEdit *edit, FiloString text, size_t at, const UiEditOptions *o) {
    size_t start = 0, offset, from, to;
    edit->anchor = 0;
    edit->caret = text.length;
    if (o->password) return;
    FiloString line = o->lines ? ui_edit_line(text, at, &start) : text;
    FiloString shown = ui_edit_shown(ui, line, at - start, false, &offset);
    ui_text_word(ui, o->style, shown, at - start - offset, &from, &to);
    edit->anchor = start + offset + from;
    edit->caret = start + offset + to;
}

static void apply_press(FiloUi *ui, UiEdit *edit, FiloString text, const UiEditOptions *o,
                        const UiEvent *event) {
    if (event->key != FILO_MOUSE_LEFT) return;
    bool at_end;
    size_t at = byte_at(ui, edit, text, o, event->position, &at_end);
    edit->wanted_x = -1;
    edit->at_end = at_end && event->clicks < 2;
    if (event->clicks == 2) {
        select_word(ui, edit, text, at, o);
    } else if (event->clicks >= 3) {
        size_t start;
        FiloString line = ui_edit_line(text, at, &start);
        edit->anchor = o->lines ? start : 0;
        edit->caret = o->lines ? start + line.length : text.length;
    } else {
        edit->caret = at;
        if ((event->modifiers & UI_SHIFT) == 0) edit->anchor = at;
    }
}

UiEditResult ui_edit_apply(FiloUi *ui, UiEdit *edit, char *text, size_t size, const UiEditOptions *o) {
    UiEditResult result = { 0 };
    for (size_t i = 0; i < ui->event_count && !result.left; i++) {
        const UiEvent *event = &ui->events[i];
        if (event->id != edit->id) continue;
        switch (event->kind) {
        case UI_PRESSED: apply_press(ui, edit, filo_string(text), o, event); break;
        case UI_DRAGGED:
            if (event->key == FILO_MOUSE_LEFT && ui->input.press_count <= 1) {
                edit->caret = byte_at(ui, edit, filo_string(text), o, event->position, &edit->at_end);
                edit->show_caret = true;
            }
            break;
        case UI_KEY: apply_key(ui, edit, text, size, o, event, &result); break;
        case UI_TYPED:
            if (!o->read_only)
                result.changed |= insert_text(ui, edit, text, size, filo_string(event->text), o->lines, true);
            break;
        default: continue;
        }
        edit->active_time = ui->time;
    }
    return result;
}
