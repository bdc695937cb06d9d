// Text fields of one line and of several.

#include "ui/widgets/edit.h"

#include <string.h>

typedef struct FieldData {
    UiWidget widget;
    UiTextStyle style;
    FiloString text; // of the frame, also after it: a copy of what is visible
    FiloString placeholder;
    FiloUiIcon icon;
    bool editing, lines, password, read_only, caret_on;
    size_t caret, anchor;
    FiloVec2 scroll;
    FiloString composition;
} FieldData;

#define PADDING_X 8.0f
#define PADDING_Y 5.0f
#define AREA_ROWS 6

static float text_left(const FiloUi *ui, FiloUiIcon icon) {
    return ui_px(ui, PADDING_X) + (icon != FILO_UI_ICON_NONE ? ui_px(ui, 20) : 0);
}

// ---- Painting --------------------------------------------------------------------------------------------------------

#define SELECTION_RECTS 16

static void paint_selection(FiloUi *ui, const UiNode *node, FiloString shown, size_t from, size_t to,
                            FiloVec2 at, float height) {
    const FieldData *data = node->data;
    FiloRect rects[SELECTION_RECTS];
    size_t count = ui_text_selection(ui, &data->style, shown, from, to, rects, SELECTION_RECTS);
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

// Paints a line that begins at `start` in the text, with its part of the selection and the caret.
static void paint_line(FiloUi *ui, const UiNode *node, FiloString line, size_t start, FiloVec2 at,
                       float height) {
    const FieldData *data = node->data;
    size_t low = FILO_MIN(data->caret, data->anchor), high = FILO_MAX(data->caret, data->anchor),
           end = start + line.length;
    size_t near = data->caret >= start && data->caret <= end ? data->caret - start : 0, offset;
    FiloString shown = ui_edit_shown(ui, line, near, data->password, &offset);
    if (data->editing && low < high && low <= end && high >= start) {
        size_t a = ui_edit_to_shown(line, offset, shown, low > start ? low - start : 0, data->password);
        size_t b = ui_edit_to_shown(line, offset, shown, FILO_MIN(high, end) - start, data->password);
        paint_selection(ui, node, shown, a, b, at, height);
        if (high > end) { // the end of the line is selected too
            float x = at.x + ui_text_caret(ui, &data->style, shown, b);
            ui_paint_box(ui,
                         filo_rect(filo_vec2(filo_floor(x), at.y),
                                   filo_vec2(filo_ceil(x) + ui_px(ui, 5), at.y + height)),
                         node->theme->selection);
        }
    }
    ui_text_paint_line(ui, &data->style, at, shown);
    if (!data->editing || data->caret < start || data->caret > end) return;
    float x = at.x + ui_text_caret(ui, &data->style, shown,
                                   ui_edit_to_shown(line, offset, shown, near, data->password));
    x = filo_round(paint_composition(ui, node, data, x, at.y, height));
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
    if (data->icon != FILO_UI_ICON_NONE)
        ui_paint_icon(ui, data->icon,
                      filo_rect(filo_vec2(r.min.x + ui_px(ui, 5), r.min.y),
                                filo_vec2(r.min.x + ui_px(ui, 25), r.max.y)),
                      node->theme->text_muted);
    FiloRect old =
        ui_push_clip(ui, filo_rect(filo_vec2(r.min.x + filo_min(left, left - ui_px(ui, 2)), r.min.y + 1),
                                   filo_vec2(r.max.x - edge, r.max.y - 1)));
    float height = ui_text_line(ui, &data->style),
          top = filo_floor(r.min.y + (r.max.y - r.min.y - height) / 2);
    if (data->text.length == 0 && data->placeholder.length > 0) {
        UiTextStyle style = data->style;
        style.color = node->theme->text_disabled;
        ui_text_paint_line(ui, &style, filo_vec2(r.min.x + left, top), data->placeholder);
    }
    paint_line(ui, node, data->text, 0, filo_vec2(r.min.x + left - data->scroll.x, top), height);
    ui->clip = old;
}

static void paint_area(FiloUi *ui, const UiNode *node) {
    const FieldData *data = node->data;
    paint_frame(ui, node, data);
    FiloRect r = node->rect;
    float x = ui_px(ui, PADDING_X), y = ui_px(ui, PADDING_Y), height = ui_text_line(ui, &data->style);
    FiloRect old = ui_push_clip(ui, filo_rect_expand(r, -filo_max(ui_px(ui, 1), 1)));
    size_t first = (size_t)(data->scroll.y / height), start;
    if (data->text.length == 0 && data->placeholder.length > 0) {
        UiTextStyle style = data->style;
        style.color = node->theme->text_disabled;
        ui_text_paint_line(ui, &style, filo_vec2(r.min.x + x, r.min.y + y), data->placeholder);
    }
    FiloString line = ui_edit_line_at(data->text, first, &start);
    float top = r.min.y + y + (float)first * height - data->scroll.y;
    while (top < r.max.y) {
        paint_line(ui, node, line, start, filo_vec2(r.min.x + x - data->scroll.x, filo_round(top)), height);
        start += line.length + 1;
        if (start > data->text.length) break;
        filo_string_cut(filo_string_slice(data->text, start, data->text.length), FILO_STRING("\n"), &line,
                        NULL);
        if (start == data->text.length) line = filo_string_from(data->text.data + start, 0);
        top += height;
    }
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
static void follow_caret(FiloUi *ui, UiEdit *edit, FiloString text, const UiEditOptions *o, FiloVec2 room) {
    size_t start = 0, number = 0, offset;
    FiloString line = text;
    if (o->lines) line = ui_edit_line(text, edit->caret, &start, &number);
    FiloString shown = ui_edit_shown(ui, line, edit->caret - start, o->password, &offset);
    float x = ui_text_caret(ui, o->style, shown,
                            ui_edit_to_shown(line, offset, shown, edit->caret - start, o->password));
    float margin = filo_min(ui_px(ui, 8), room.x / 4);
    if (x - edit->scroll.x > room.x - margin) edit->scroll.x = x - room.x + margin;
    if (x - edit->scroll.x < margin) edit->scroll.x = filo_max(x - margin, 0);
    float y = (float)number * o->line_height;
    if (y + o->line_height - edit->scroll.y > room.y) edit->scroll.y = y + o->line_height - room.y;
    if (y < edit->scroll.y) edit->scroll.y = y;
    edit->scroll = filo_vec2(filo_round(edit->scroll.x), filo_round(edit->scroll.y));
    edit->show_caret = false;
}

static void scroll_area(FiloUi *ui, UiEdit *edit, uint64_t id, FiloString text, float line_height,
                        float room) {
    size_t lines = 1;
    bool wheeled = false;
    for (size_t i = 0; i < ui->event_count; i++)
        if (ui->events[i].id == id && ui->events[i].kind == UI_WHEELED) {
            edit->scroll.y -= ui->events[i].move.y * line_height * 3;
            wheeled = true;
        }
    if (!wheeled) return;
    for (size_t i = 0; i < text.length; i++) lines += text.data[i] == '\n';
    edit->scroll.y =
        filo_round(filo_clamp(edit->scroll.y, 0, filo_max((float)lines * line_height - room, 0)));
}

static bool caret_is_on(const FiloUi *ui, const UiEdit *edit) {
    double phase = (ui->time - edit->active_time) / 1.06;
    return ui->still || phase - (double)(int64_t)phase < 0.5;
}

// Where the input method shows its candidates.
static void place_input_method(FiloUi *ui, const UiEdit *edit, const UiEditOptions *o, FiloString text) {
    if (ui->window == NULL) return;
    size_t start = 0, number = 0, offset;
    FiloString line = o->lines ? ui_edit_line(text, edit->caret, &start, &number) : text;
    FiloString shown = ui_edit_shown(ui, line, edit->caret - start, o->password, &offset);
    float x = ui_text_caret(ui, o->style, shown,
                            ui_edit_to_shown(line, offset, shown, edit->caret - start, o->password));
    FiloVec2 at =
        filo_vec2_add(filo_vec2_sub(o->origin, edit->scroll), filo_vec2(x, (float)number * o->line_height));
    filo_window_set_text_area(ui->window, filo_rect_from_size(at, filo_vec2(2, o->line_height)));
}

static UiEditResult edit_field(FiloUi *ui, FieldData *data, char *text, size_t size, FiloRect rect) {
    UiEdit *edit = ui_edit_begin(ui, data->widget.id, filo_string(text));
    if (edit == NULL) return (UiEditResult){ 0 };
    float height = ui_text_line(ui, &data->style),
          left = data->lines ? ui_px(ui, PADDING_X) : text_left(ui, data->icon);
    FiloVec2 extent = filo_rect_size(rect),
             room = filo_vec2(filo_max(extent.x - left - ui_px(ui, 6), 8), extent.y);
    float top = data->lines ? ui_px(ui, PADDING_Y) : filo_floor((extent.y - height) / 2);
    if (data->lines) room.y = filo_max(extent.y - 2 * top, height);
    UiEditOptions o = { .lines = data->lines,
                        .password = data->password,
                        .read_only = data->read_only,
                        .style = &data->style,
                        .origin = filo_vec2(rect.min.x + left, rect.min.y + top),
                        .line_height = height,
                        .rows = (size_t)(room.y / height) };
    UiEditResult result = ui_edit_apply(ui, edit, text, size, &o);
    if (data->lines) scroll_area(ui, edit, data->widget.id, filo_string(text), height, room.y);
    if (edit->show_caret && extent.x > 0) follow_caret(ui, edit, filo_string(text), &o, room);
    data->editing = !result.left;
    data->caret = edit->caret;
    data->anchor = edit->anchor;
    data->scroll = edit->scroll;
    data->caret_on = caret_is_on(ui, edit);
    place_input_method(ui, edit, &o, filo_string(text));
    if (ui->window != NULL)
        data->composition = filo_string(ui_copy(ui, filo_string(filo_window_composition(ui->window))));
    return result;
}

static void set_look(FiloUi *ui, FieldData *data, const FiloUiTextOptions *options) {
    FiloString placeholder = filo_string(options->placeholder);
    data->style = ui_text_style(ui);
    data->placeholder = filo_string_from(ui_copy(ui, placeholder), placeholder.length);
    data->icon = options->icon;
    data->password = options->password;
    data->read_only = options->read_only;
}

// Only what is near the visible part of a long text is copied.
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
    if (widget.touch.focused && !widget.touch.disabled) {
        result = edit_field(ui, data, text, size, rect);
        if (result.left) ui_set_focus(ui, 0, false);
    } else if (ui_edit_was_left(ui, id, NULL, 0)) {
        result.entered = true;
    }
    copy_text(ui, data, text);
    UiNode *node = ui_node(ui, widget.node);
    node->data = data;
    node->measure = measure_field;
    node->paint = lines ? paint_area : paint_field;
    ui_field_control(ui, node);
    ui->last_committed = result.entered;
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
    return options->on_enter ? result.entered && !result.cancelled : result.changed;
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
    bool left = result.left || result.entered;
    if (left) {
        filo_string_copy(filo_string(edit->text), text, size);
        ui_state(ui, id)->number = 0;
        edit->id = 0;
        ui_set_focus(ui, id, false); // the number keeps the focus
    }
    return left;
}
