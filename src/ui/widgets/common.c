// What widgets share: ids, states, labels beside controls.

#include "ui/ui.h"

#include <string.h>

bool ui_widget_of(FiloUi *ui, uint64_t id, uint32_t flags, UiWidget *widget) {
    *widget = (UiWidget){ .id = id, .node = UI_NONE };
    UiNode *node = ui_add_widget(ui, id);
    if (node == NULL) return false;
    widget->node = ui_index(ui, node);
    node->flags |= UI_HIT | flags;
    if (ui->focus_next && (node->flags & (UI_DISABLED | UI_HIDDEN)) == 0) {
        ui->focus_next = false;
        ui_set_focus(ui, id, true);
        ui->input.focus_flags = flags | UI_HIT;
    }
    widget->touch = ui->last_touch = ui_touch(ui, id);
    UiState *state = ui_state(ui, id);
    state->seen = ui->frame;
    widget->hover = state->hover =
        ui_animate(ui, state->hover, widget->touch.hovered || widget->touch.held ? 1.0f : 0.0f);
    widget->press = state->press = ui_animate(ui, state->press, widget->touch.held ? 1.0f : 0.0f);
    return true;
}

bool ui_widget(FiloUi *ui, const char *label, uint32_t flags, UiWidget *widget) {
    bool clash;
    uint64_t id = ui_claim(ui, label, &clash);
    return ui_widget_of(ui, id, flags | (clash ? UI_CLASH : 0), widget);
}

UiNode *ui_add_option(FiloUi *ui, const char *label, bool on, UiWidget *widget) {
    UiOptionData *data = ui_new(ui, UiOptionData);
    if (data == NULL || !ui_widget(ui, label, UI_FOCUSABLE, widget)) return NULL;
    UiState *state = ui_state(ui, widget->id);
    const float target = on ? 1.0f : 0.0f;
    state->open_amount = state->known ? ui_animate(ui, state->open_amount, target) : target;
    FiloString text = ui_label_text(label);
    *data = (UiOptionData){ .widget = *widget,
                            .text = filo_string_from(ui_copy(ui, text), text.length),
                            .style = ui_text_style(ui),
                            .on = state->open_amount };
    UiNode *node = ui_node(ui, widget->node);
    node->data = data;
    node->flags |= UI_SHRINK;
    return node;
}

FiloColor ui_control_color(const FiloUiTheme *theme, const UiWidget *widget) {
    if (widget->touch.disabled) return filo_color_lerp(theme->control, theme->window, 0.5f);
    FiloColor color = filo_color_lerp(theme->control, theme->control_hover, widget->hover);
    return filo_color_lerp(color, theme->control_active, widget->press);
}

FiloColor ui_accent_color(const FiloUiTheme *theme, const UiWidget *widget) {
    if (widget->touch.disabled) return filo_color_lerp(theme->accent, theme->window, 0.6f);
    FiloColor color = filo_color_lerp(theme->accent, theme->accent_hover, widget->hover);
    return filo_color_lerp(color, theme->accent_active, widget->press);
}

void ui_paint_control(FiloUi *ui, const UiNode *node, const UiWidget *widget, FiloColor background) {
    float radius = ui_px(ui, node->theme->radius);
    ui_paint_round(ui, node->rect, radius, background);
    if (widget->touch.ring) ui_paint_focus(ui, node->rect, radius);
}

FiloRect ui_line_box(FiloUi *ui, const UiTextStyle *style, FiloRect rect) {
    float height = ui_text_line(ui, style), room = rect.max.y - rect.min.y;
    float top = filo_floor(rect.min.y + (room - height) / 2);
    return filo_rect(filo_vec2(rect.min.x, top), filo_vec2(rect.max.x, top + height));
}

// ---- The last widget ---------------------------------------------------------------------------------------------

#define CHECK_UI(ui) FILO_CHECK((ui) != NULL, "pass the UI")

bool filo_ui_hovered(const FiloUi *ui) {
    return CHECK_UI(ui) && ui->last_id != 0 && ui->input.hot == ui->last_id &&
           (ui->input.active == 0 || ui->input.active == ui->last_id);
}
bool filo_ui_focused(const FiloUi *ui) {
    return CHECK_UI(ui) && ui->last_id != 0 && ui->input.focus == ui->last_id;
}
bool filo_ui_active(const FiloUi *ui) {
    if (!CHECK_UI(ui) || ui->last_id == 0) return false;
    bool typing = ui->input.focus == ui->last_id && (ui->input.focus_flags & UI_KEYS_TEXT) != 0;
    return ui->input.active == ui->last_id || typing;
}
bool filo_ui_clicked(const FiloUi *ui) { return CHECK_UI(ui) && ui->last_id != 0 && ui->last_touch.clicked; }
bool filo_ui_committed(const FiloUi *ui) { return CHECK_UI(ui) && ui->last_committed; }

FiloRect filo_ui_rect(const FiloUi *ui) {
    if (!CHECK_UI(ui) || ui->last_id == 0) return (FiloRect){ 0 };
    const UiState *state = ui_state_find((FiloUi *)ui, ui->last_id);
    return state != NULL && state->known ? state->rect : (FiloRect){ 0 };
}

void filo_ui_focus_next(FiloUi *ui) {
    if (ui_usable(ui)) ui->focus_next = true;
}

bool filo_ui_cancelled(const FiloUi *ui) {
    if (!ui_usable(ui) || ui->open.count == 0) return false;
    uint64_t root = ui->open.items[ui->open.count - 1].root_id;
    for (size_t i = 0; i < ui->event_count; i++)
        if (ui->events[i].id == root && ui->events[i].kind == UI_KEY && ui->events[i].key == FILO_KEY_ESCAPE)
            return true;
    return false;
}

// ---- Text ----------------------------------------------------------------------------------------------------------

#define WIDEST_TEXT 460.0f

typedef struct TextData {
    FiloString text;
    UiTextStyle style;
    UiTextAlign align;
    bool wrap;
} TextData;

static FiloVec2 measure_text(FiloUi *ui, const UiNode *node, float width) {
    const TextData *data = node->data;
    // A long text does not make its window as wide as the screen.
    if (data->wrap && width < 0) width = ui_px(ui, WIDEST_TEXT);
    return ui_text_measure(ui, &data->style, data->text, data->wrap ? width : 0);
}

static void paint_text(FiloUi *ui, const UiNode *node) {
    const TextData *data = node->data;
    FiloRect box = node->rect;
    if (!data->wrap) box = ui_line_box(ui, &data->style, box);
    ui_text_paint(ui, &data->style, box, data->align, data->wrap, data->text);
}

UiNode *ui_add_text(FiloUi *ui, FiloString text, const UiTextStyle *style, UiTextAlign align, bool wrap) {
    TextData *data = ui_new(ui, TextData);
    if (data == NULL) return NULL;
    const char *copy = ui_copy(ui, text);
    *data = (TextData){
        .text = filo_string_from(copy, text.length), .style = *style, .align = align, .wrap = wrap
    };
    UiNode *node = ui_add(ui);
    if (node == NULL) return NULL;
    node->data = data;
    node->measure = measure_text;
    node->paint = paint_text;
    node->flags |= UI_SHRINK;
    return node;
}

UiTextStyle ui_style_of(const FiloUi *ui, FiloUiTextKind kind) {
    const FiloUiTheme *theme = ui_theme(ui);
    UiTextStyle style = ui_text_style(ui);
    switch (kind) {
    case FILO_UI_TEXT_MUTED: style.color = theme->text_muted; break;
    case FILO_UI_TEXT_SMALL:
        style.color = theme->text_muted;
        style.size = theme->small_size * ui->scale;
        break;
    case FILO_UI_TEXT_HEADING:
        style.size = theme->heading_size * ui->scale;
        style.font = theme->heading_font;
        style.bold = true;
        break;
    case FILO_UI_TEXT_MONO: style.font = theme->mono_font; break;
    case FILO_UI_TEXT_GOOD: style.color = theme->good; break;
    case FILO_UI_TEXT_WARNING: style.color = theme->warning; break;
    case FILO_UI_TEXT_ERROR: style.color = theme->error; break;
    default: break;
    }
    if (ui->disabled > 0) style.color = theme->text_disabled;
    return style;
}

// Labels can be hovered (tooltips, context menus, drops), but have no id of their own: theirs is the number of the
// widget in its container.
static uint64_t label_id(const FiloUi *ui) {
    const UiOpen *top = ui->open.count > 0 ? &ui->open.items[ui->open.count - 1] : NULL;
    uint64_t seed = ui->id_count > 0 ? ui->ids[ui->id_count - 1] : 1;
    uint32_t previous = top != NULL && top->node != UI_NONE ? ui->nodes.items[top->node].last : 0;
    uint32_t parent = top != NULL ? top->node : 0;
    return filo_hash_combine(seed, filo_hash_combine(0x1ABE1, previous - parent));
}

static bool in_row(FiloUi *ui) {
    const UiOpen *top = ui_top(ui);
    return top != NULL && top->node != UI_NONE && ui_node(ui, top->node)->axis == UI_ROW;
}

static void add_label(FiloUi *ui, FiloUiTextKind kind, FiloString text) {
    UiTextStyle style = ui_style_of(ui, kind);
    uint64_t id = label_id(ui);
    UiTextAlign align = UI_TEXT_LEFT;
    const UiOpen *top = ui_top(ui);
    if (top != NULL && top->kind == UI_OPEN_TABLE && top->data != NULL) align = ui_table_align(ui, top);
    bool in_table = top != NULL && top->kind == UI_OPEN_TABLE;
    bool wrap = !in_row(ui) && !in_table;
    bool sized = ui->has_next_size;
    FiloUiSize size = ui->next_size;
    ui->has_next_size = false;
    UiNode *node = ui_add_text(ui, text, &style, align, wrap);
    ui->last_touch = (UiTouch){ 0 };
    ui->last_committed = false;
    if (node == NULL) return;
    if (sized) {
        ui->has_next_size = true;
        ui->next_size = size;
        ui_apply_size(ui, node);
        if (size.align == FILO_UI_ALIGN_CENTRE || size.align == FILO_UI_ALIGN_END)
            ((TextData *)node->data)->align =
                size.align == FILO_UI_ALIGN_CENTRE ? UI_TEXT_CENTRE : UI_TEXT_RIGHT;
    }
    if (in_table) { // what is under the mouse is the row
        ui->last_touch = ui_touch(ui, ui->last_id);
        return;
    }
    node->id = id;
    node->flags |= UI_HIT;
    ui->last = ui_index(ui, node);
    ui->last_id = id;
    ui->last_touch = ui_touch(ui, id);
}

void filo_ui_label(FiloUi *ui, const char *text) {
    if (ui_usable(ui)) add_label(ui, FILO_UI_TEXT_NORMAL, filo_string(text));
}

void filo_ui_text(FiloUi *ui, FiloUiTextKind kind, const char *text) {
    if (ui_usable(ui)) add_label(ui, kind, filo_string(text));
}

static FiloString format_list(FiloUi *ui, const char *format, va_list arguments) {
    return filo_string_format_list(&ui->arena, format, arguments);
}

void filo_ui_format(FiloUi *ui, const char *format, ...) {
    if (!ui_usable(ui) || !FILO_CHECK(format != NULL, "pass a format")) return;
    va_list arguments;
    va_start(arguments, format);
    FiloString text = format_list(ui, format, arguments);
    va_end(arguments);
    add_label(ui, FILO_UI_TEXT_NORMAL, text);
}

void filo_ui_value(FiloUi *ui, const char *label, const char *format, ...) {
    if (!ui_usable(ui) || !FILO_CHECK(format != NULL, "pass a format")) return;
    va_list arguments;
    va_start(arguments, format);
    FiloString text = format_list(ui, format, arguments);
    va_end(arguments);
    ui_field_begin(ui, label);
    UiTextStyle style = ui_text_style(ui);
    UiNode *node = ui_add_text(ui, text, &style, UI_TEXT_LEFT, false);
    if (node != NULL) ui_field_control(ui, node);
    ui_field_end(ui);
}

// ---- Fields: a label, and a control beside it --------------------------------------------------------------------------

// A field without a label is the control alone.
void ui_field_begin(FiloUi *ui, const char *label) {
    FiloString text = ui_label_text(label);
    ui->field_labelled = text.length > 0;
    if (text.length == 0) return;
    UiNode *row = ui_begin(ui, NULL, "field");
    ui->field_labelled = row != NULL;
    if (row == NULL) return;
    row->axis = UI_ROW;
    UiTextStyle style = ui_text_style(ui);
    if (ui->disabled == 0) style.color = ui_theme(ui)->text_muted;
    UiNode *node = ui_add_text(ui, text, &style, UI_TEXT_LEFT, false);
    if (node == NULL) return;
    node->grow = ui_theme(ui)->label_share;
    node->flags |= UI_NO_BASIS;
}

void ui_field_control(FiloUi *ui, UiNode *node) {
    if (ui->field_labelled) {
        node->grow = 1 - ui_theme(ui)->label_share;
        node->flags |= UI_NO_BASIS | UI_SHRINK;
        return;
    }
    const UiNode *parent = node->parent != UI_NONE ? ui_node(ui, node->parent) : NULL;
    node->flags |= UI_SHRINK;
    if (parent != NULL && parent->axis == UI_ROW && node->fixed[0] <= 0 && !(node->grow > 0)) node->grow = 1;
}

void ui_field_end(FiloUi *ui) {
    if (ui->field_labelled) ui->open.count--;
}
