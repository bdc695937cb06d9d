// Text fields of one line and of several.

#include "ui/widgets/edit.h"

#include <string.h>

typedef struct FieldData {
    UiWidget widget;
    UiTextStyle style;
    FiloString text; // of the frame, also after it: a copy of what is visible
    FiloString placeholder;
    FiloUiIcon icon;
    bool editing, lines, wraps, password, read_only, caret_on;
    size_t caret, anchor;
    bool caret_at_end; // as UiEdit.at_end
    float scroll;      // to the side
    size_t top;        // byte of the first visible row
    FiloString composition;
} FieldData;

#define PADDING_X 8.0f
#define PADDING_Y 5.0f
#define AREA_ROWS 6

static float text_left(const FiloUi *ui, FiloUiIcon icon) {
    return ui_px(ui, PADDING_X) + (icon != FILO_UI_ICON_NONE ? ui_px(ui, 20) : 0);
}

// The part of a field in which its text is, and how it is shown.
static UiEditOptions options_of(FiloUi *ui, const FieldData *data, FiloRect rect, FiloVec2 *room) {
    float height = ui_text_line(ui, &data->style),
          left = data->lines ? ui_px(ui, PADDING_X) : text_left(ui, data->icon);
    FiloVec2 extent = filo_rect_size(rect);
    float top = data->lines ? ui_px(ui, PADDING_Y) : filo_floor((extent.y - height) / 2);
    *room = filo_vec2(filo_max(extent.x - left - ui_px(ui, 6), 8),
                      data->lines ? filo_max(extent.y - 2 * top, height) : extent.y);
    return (UiEditOptions){ .lines = data->lines,
                            .password = data->password,
                            .read_only = data->read_only,
                            .style = &data->style,
                            .origin = filo_vec2(rect.min.x + left, rect.min.y + top),
                            .line_height = height,
                            .wrap = data->wraps && extent.x > 0 ? room->x : 0,
                            .rows = (size_t)FILO_MAX(room->y / height, 1),
                            .top = data->top };
}

// ---- Painting --------------------------------------------------------------------------------------------------------

#define SELECTION_RECTS 16

static void paint_selection(FiloUi *ui, const UiNode *node, const UiTextStyle *style, FiloString shown,
                            size_t from, size_t to, FiloVec2 at, float height) {
    FiloRect rects[SELECTION_RECTS];
    size_t count = ui_text_selection(ui, style, shown, from, to, rects, SELECTION_RECTS);
    for (size_t i = 0; i < count; i++)
        ui_paint_box(ui,
                     filo_rect(filo_vec2(filo_floor(at.x + rects[i].min.x), at.y),
                               filo_vec2(filo_ceil(at.x + rects[i].max.x), at.y + height)),
                     node->theme->selection);
}

// Text that an input method is composing, over the line at the caret.
static float paint_composition(FiloUi *ui, const UiNode *node, const FieldData *data, float x, float top,
                               float height) {
    if (data->composition.length == 0) return x;
    float width = ui_text_measure(ui, &data->style, data->composition, 0).x;
    ui_paint_box(ui, filo_rect(filo_vec2(x, top), filo_vec2(x + width, top + height)), node->theme->field);
    ui_text_paint_line(ui, &data->style, filo_vec2(x, top), data->composition);
    ui_paint_box(ui, filo_rect(filo_vec2(x, top + height - 1), filo_vec2(x + width, top + height)),
                 node->theme->text);
    return x + width;
}

// Paints a row, with its part of the selection and the caret.
static void paint_row(FiloUi *ui, const UiNode *node, const UiEditOptions *o, const UiEditRow *row,
                      FiloVec2 at) {
    const FieldData *data = node->data;
    FiloString line = filo_string_slice(data->text, row->start, row->end - row->start);
    UiTextStyle style = ui_edit_row_style(o, row);
    float height = o->line_height;
    size_t low = FILO_MIN(data->caret, data->anchor), high = FILO_MAX(data->caret, data->anchor),
           start = row->start, end = row->end;
    size_t near = data->caret >= start && data->caret <= end ? data->caret - start : 0, offset;
    FiloString shown = ui_edit_shown(ui, line, near, data->password, &offset);
    if (data->editing && low < high && low <= end && high >= start) {
        size_t a = ui_edit_to_shown(line, offset, shown, low > start ? low - start : 0, data->password);
        size_t b = ui_edit_to_shown(line, offset, shown, FILO_MIN(high, end) - start, data->password);
        paint_selection(ui, node, &style, shown, a, b, at, height);
        if (high > end && !row->wraps) { // the end of the line is selected too
            float x = at.x + ui_text_caret(ui, &style, shown, b);
            ui_paint_box(ui,
                         filo_rect(filo_vec2(filo_floor(x), at.y),
                                   filo_vec2(filo_ceil(x) + ui_px(ui, 5), at.y + height)),
                         node->theme->selection);
        }
    }
    ui_text_paint_line(ui, &style, at, shown);
    if (!data->editing || data->caret < start || data->caret > end) return;
    // Where a line wraps, one byte is the end of a row and the start of the next.
    bool continues = start > 0 && data->text.data[start - 1] != '\n';
    if (data->caret_at_end ? data->caret == start && continues : data->caret == end && row->wraps) return;
    float x =
        at.x + ui_text_caret(ui, &style, shown, ui_edit_to_shown(line, offset, shown, near, data->password));
    x = filo_round(paint_composition(ui, node, data, x, at.y, height));
    // Behind the last letter of a row that wraps there may be a space, which is not in the row's room.
    if (o->wrap > 0) x = filo_min(x, filo_round(at.x + o->wrap));
    if (data->caret_on)
        ui_paint_box(
            ui, filo_rect(filo_vec2(x, at.y), filo_vec2(x + filo_max(ui_px(ui, 1.5f), 1), at.y + height)),
            node->theme->text);
}

static void paint_frame(FiloUi *ui, const UiNode *node, const FieldData *data) {
    const FiloUiTheme *theme = node->theme;
    float radius = ui_px(ui, theme->radius), border = filo_max(ui_px(ui, theme->border_width), 1);
    FiloColor fill =
        data->widget.touch.disabled ? filo_color_lerp(theme->field, theme->window, 0.6f) : theme->field;
    FiloColor edge = filo_color_lerp(theme->border, theme->text_muted, data->widget.hover * 0.4f);
    ui_paint_round(ui, node->rect, radius, fill);
    ui_paint_outline(ui, node->rect, radius, border, data->editing ? theme->accent : edge);
    if (data->editing)
        ui_paint_outline(ui, filo_rect_expand(node->rect, border), radius + border, border,
                         filo_color_fade(theme->accent, 0.5f));
}

static void paint_field(FiloUi *ui, const UiNode *node) {
    const FieldData *data = node->data;
    paint_frame(ui, node, data);
    FiloRect r = node->rect;
    float left = text_left(ui, data->icon), edge = ui_px(ui, 3);
    FiloVec2 room;
    UiEditOptions o = options_of(ui, data, r, &room);
    if (data->icon != FILO_UI_ICON_NONE)
        ui_paint_icon(ui, data->icon,
                      filo_rect(filo_vec2(r.min.x + ui_px(ui, 5), r.min.y),
                                filo_vec2(r.min.x + ui_px(ui, 25), r.max.y)),
                      node->theme->text_muted);
    FiloRect old =
        ui_push_clip(ui, filo_rect(filo_vec2(r.min.x + filo_min(left, left - ui_px(ui, 2)), r.min.y + 1),
                                   filo_vec2(r.max.x - edge, r.max.y - 1)));
    if (data->text.length == 0 && data->placeholder.length > 0) {
        UiTextStyle style = data->style;
        style.color = node->theme->text_disabled;
        ui_text_paint_line(ui, &style, o.origin, data->placeholder);
    }
    paint_row(ui, node, &o, &(UiEditRow){ .end = data->text.length },
              filo_vec2(o.origin.x - data->scroll, o.origin.y));
    ui->clip = old;
}

static void paint_area(FiloUi *ui, const UiNode *node) {
    const FieldData *data = node->data;
    paint_frame(ui, node, data);
    FiloRect r = node->rect;
    FiloVec2 room;
    UiEditOptions o = options_of(ui, data, r, &room);
    FiloRect old = ui_push_clip(ui, filo_rect_expand(r, -filo_max(ui_px(ui, 1), 1)));
    if (data->text.length == 0 && data->placeholder.length > 0) {
        UiTextStyle style = data->style;
        style.color = node->theme->text_disabled;
        ui_text_paint(ui, &style, filo_rect_from_size(o.origin, room), UI_TEXT_LEFT, true, data->placeholder);
    }
    UiEditRow row = ui_edit_row(ui, &o, data->text, data->top, false);
    float top = o.origin.y;
    do {
        paint_row(ui, node, &o, &row, filo_vec2(o.origin.x - data->scroll, filo_round(top)));
        top += o.line_height;
    } while (top < r.max.y && ui_edit_next_row(ui, &o, data->text, &row));
    ui->clip = old;
}

static FiloVec2 measure_field(FiloUi *ui, const UiNode *node, float width) {
    FILO_UNUSED(width);
    const FieldData *data = node->data;
    if (!data->lines) return filo_vec2(ui_px(ui, 140), ui_px(ui, node->theme->control_height));
    return filo_vec2(ui_px(ui, 200), ui_text_line(ui, &data->style) * AREA_ROWS + 2 * ui_px(ui, PADDING_Y));
}

// ---- Editing ---------------------------------------------------------------------------------------------------------

// Scrolls so that the caret is visible.
static void follow_caret(FiloUi *ui, UiEdit *edit, FiloString text, UiEditOptions *o, FiloVec2 room) {
    UiEditRow row = ui_edit_row(ui, o, text, edit->caret, edit->at_end);
    float x = ui_edit_caret_x(ui, o, text, &row, edit->caret);
    float margin = filo_min(ui_px(ui, 8), room.x / 4);
    if (x - edit->scroll > room.x - margin) edit->scroll = x - room.x + margin;
    if (x - edit->scroll < margin) edit->scroll = filo_max(x - margin, 0);
    edit->scroll = o->wrap > 0 ? 0 : filo_round(edit->scroll);
    if (o->lines) o->top = ui_edit_show(ui, o, text, o->top, &row);
    edit->show_caret = false;
}

#define WHEEL_ROWS 3.0f

// Scrolls an area by the wheel, with or without the focus.
static void scroll_area(FiloUi *ui, uint64_t id, FiloString text, UiEditOptions *o) {
    float by = 0;
    UiState *state = ui_state(ui, id);
    for (size_t i = 0; i < ui->event_count; i++)
        if (ui->events[i].id == id && ui->events[i].kind == UI_WHEELED)
            by -= ui->events[i].move.y * WHEEL_ROWS;
    if (by == 0) return;
    by += state->values[0]; // of a wheel that turns by less than a row
    const float whole = filo_clamp(filo_round(by), -1000, 1000);
    state->values[0] = filo_clamp(by - whole, -1, 1);
    o->top = ui_edit_scroll(ui, o, text, o->top, (int64_t)whole);
}

static bool caret_is_on(const FiloUi *ui, const UiEdit *edit) {
    double phase = (ui->time - edit->active_time) / 1.06;
    return ui->still || phase - (double)(int64_t)phase < 0.5;
}

// Where the input method shows its candidates.
static void place_input_method(FiloUi *ui, const UiEdit *edit, const UiEditOptions *o, FiloString text) {
    if (ui->window == NULL) return;
    UiEditRow row = ui_edit_row(ui, o, text, edit->caret, edit->at_end);
    float x = ui_edit_caret_x(ui, o, text, &row, edit->caret) - edit->scroll,
          y = o->lines ? (float)ui_edit_row_index(ui, o, text, &row) * o->line_height : 0;
    filo_window_set_text_area(ui->window, filo_rect_from_size(filo_vec2_add(o->origin, filo_vec2(x, y)),
                                                              filo_vec2(2, o->line_height)));
}

static UiEditResult edit_field(FiloUi *ui, FieldData *data, char *text, size_t size, FiloRect rect) {
    UiEdit *edit = ui_edit_begin(ui, data->widget.id, filo_string(text));
    if (edit == NULL) return (UiEditResult){ 0 };
    FiloVec2 room;
    UiEditOptions o = options_of(ui, data, rect, &room);
    UiEditResult result = ui_edit_apply(ui, edit, text, size, &o);
    o.top = FILO_MIN(o.top, strlen(text));
    if (edit->show_caret && !filo_rect_is_empty(rect)) follow_caret(ui, edit, filo_string(text), &o, room);
    data->top = o.top;
    data->editing = !result.left;
    data->caret = edit->caret;
    data->anchor = edit->anchor;
    data->caret_at_end = edit->at_end;
    data->scroll = edit->scroll;
    data->caret_on = caret_is_on(ui, edit);
    place_input_method(ui, edit, &o, filo_string(text));
    if (ui->window != NULL)
        data->composition = filo_string(ui_copy(ui, filo_string(filo_window_composition(ui->window))));
    if (result.left) edit->id = 0; // it has reported that already
    return result;
}

// Which row of an area is the first, after the wheel. It is remembered also while the area does not have the focus.
static void update_top(FiloUi *ui, FieldData *data, const char *text, FiloRect rect) {
    FiloVec2 room;
    UiEditOptions o = options_of(ui, data, rect, &room);
    FiloString string = filo_string(text);
    size_t top = FILO_MIN((size_t)FILO_MAX(ui_state(ui, data->widget.id)->number, 0), string.length);
    o.top = top > 0 ? ui_edit_row(ui, &o, string, top, false).start : 0;
    scroll_area(ui, data->widget.id, string, &o);
    data->top = o.top;
}

static void set_look(FiloUi *ui, FieldData *data, const FiloUiTextOptions *options) {
    FiloString placeholder = filo_string(options->placeholder);
    data->style = ui_text_style(ui);
    data->placeholder = filo_string_from(ui_copy(ui, placeholder), placeholder.length);
    data->icon = options->icon;
    data->password = options->password;
    data->read_only = options->read_only;
    data->wraps = data->lines && !options->no_wrap;
}

// The caller may change the text before it is painted.
static void copy_text(FiloUi *ui, FieldData *data, const char *text) {
    FiloString string = filo_string(text);
    data->text = filo_string_from(ui_copy(ui, string), string.length);
}

static UiEditResult add_field(FiloUi *ui, uint64_t id, char *text, size_t size, bool lines, uint32_t flags,
                              const FiloUiTextOptions *options) {
    UiEditResult result = { 0 };
    UiWidget widget;
    FieldData *data = ui_new(ui, FieldData);
    flags |= UI_FOCUSABLE | UI_KEYS_TEXT | UI_CURSOR_TEXT | UI_DRAGS | (lines ? UI_LIST | UI_WHEEL : 0);
    FiloRect rect = ui_state(ui, id)->rect;
    if (data == NULL || !ui_widget_of(ui, id, flags, &widget)) return result;
    data->widget = widget;
    data->lines = lines;
    set_look(ui, data, options);
    if (lines) update_top(ui, data, text, rect);
    if (widget.touch.focused && !widget.touch.disabled) {
        result = edit_field(ui, data, text, size, rect);
        if (result.left) ui_set_focus(ui, 0, false);
    } else if (ui_edit_was_left(ui, id, NULL, 0)) {
        result.left = true;
    }
    if (lines) ui_state(ui, id)->number = (int32_t)FILO_MIN(data->top, (size_t)INT32_MAX);
    copy_text(ui, data, text);
    UiNode *node = ui_node(ui, widget.node);
    node->data = data;
    node->measure = measure_field;
    node->paint = lines ? paint_area : paint_field;
    ui_field_control(ui, node);
    // Escape leaves what was typed, unless the program waits for Enter.
    ui->last_committed = result.entered || (result.left && !(result.cancelled && options->on_enter));
    return result;
}

// ---- The widgets -------------------------------------------------------------------------------------------------------

static bool valid_buffer(char *text, size_t size) {
    if (!FILO_CHECK(text != NULL && size > 0, "pass a buffer for the text, and its size")) return false;
    if (memchr(text, 0, size) == NULL) text[size - 1] = '\0';
    return true;
}

static bool text_widget(FiloUi *ui, const char *label, char *text, size_t size, bool lines, float height,
                        const FiloUiTextOptions *options) {
    if (!ui_usable(ui) || !valid_buffer(text, size)) return false;
    const FiloUiTextOptions empty = { 0 };
    if (options == NULL) options = &empty;
    bool clash;
    uint64_t id = ui_claim(ui, label, &clash);
    ui_field_begin(ui, label);
    UiEditResult result = add_field(ui, id, text, size, lines, clash ? UI_CLASH : 0, options);
    if (lines && ui->last != UI_NONE) {
        UiNode *node = ui_node(ui, ui->last);
        if (height > 0)
            node->fixed[1] = ui_px(ui, height);
        else if (!ui->field_labelled)
            node->grow = filo_max(node->grow, 1);
    }
    ui_field_end(ui);
    return options->on_enter ? result.entered : result.changed;
}

bool filo_ui_text_field(FiloUi *ui, const char *label, char *text, size_t size,
                        const FiloUiTextOptions *options) {
    return text_widget(ui, label, text, size, false, 0, options);
}

bool filo_ui_text_area(FiloUi *ui, const char *label, char *text, size_t size, float height,
                       const FiloUiTextOptions *options) {
    return text_widget(ui, label, text, size, true, height, options);
}

bool ui_edit_inline(FiloUi *ui, uint64_t id, char *text, size_t size, bool *cancelled) {
    UiEdit *edit = ui_edit_begin(ui, id, filo_string(text));
    *cancelled = true;
    if (edit == NULL) return true;
    if (!edit->is_inline) { // it begins: everything is selected
        edit->is_inline = true;
        filo_string_copy(filo_string(text), edit->text, sizeof edit->text);
        edit->anchor = 0;
        edit->caret = strlen(edit->text);
    }
    UiEditResult result =
        add_field(ui, id, edit->text, sizeof edit->text, false, 0, &(FiloUiTextOptions){ 0 });
    *cancelled = result.cancelled;
    if (result.left) {
        filo_string_copy(filo_string(edit->text), text, size);
        ui_state(ui, id)->number = 0;
        edit->id = 0;
        ui_set_focus(ui, id, false); // the number keeps the focus
    }
    return result.left;
}
