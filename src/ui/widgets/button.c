// Buttons, icons, check boxes, radio buttons, switches, rows that can be selected.

#include "ui/ui.h"

typedef struct ButtonData {
    UiWidget widget;
    FiloUiButton look;
    FiloString text, shortcut;
    UiTextStyle style;
    bool link, row, accent_text;
    float padding;
} ButtonData;

static float icon_width(const FiloUi *ui) { return ui_px(ui, 16); }

static FiloVec2 measure_button(FiloUi *ui, const UiNode *node, float width) {
    FILO_UNUSED(width);
    const ButtonData *data = node->data;
    float height = data->link ? ui_text_line(ui, &data->style) : ui_px(ui, node->theme->control_height);
    float x = data->padding * 2;
    if (data->text.length > 0) x += ui_text_measure(ui, &data->style, data->text, 0).x;
    if (data->look.icon != FILO_UI_ICON_NONE)
        x += icon_width(ui) + (data->text.length > 0 ? ui_px(ui, 6) : 0);
    if (data->shortcut.length > 0)
        x += ui_text_measure(ui, &data->style, data->shortcut, 0).x + ui_px(ui, 32);
    return filo_vec2(filo_max(x, data->link ? 0 : height), height);
}

static FiloColor button_color(const UiNode *node, const ButtonData *data) {
    const FiloUiTheme *theme = node->theme;
    const UiWidget *widget = &data->widget;
    if (data->look.selected && !data->look.plain) return ui_accent_color(theme, widget);
    if (data->look.selected) return theme->selection;
    if (data->look.primary) return ui_accent_color(theme, widget);
    if (data->look.danger) {
        FiloUiTheme red = *theme;
        red.accent = filo_color_lerp(theme->error, theme->window, 0.25f);
        red.accent_hover = theme->error;
        red.accent_active = filo_color_lerp(theme->error, FILO_COLOR_BLACK, 0.25f);
        return ui_accent_color(&red, widget);
    }
    if (data->look.plain) {
        FiloColor color =
            filo_color_fade(theme->hover, filo_max(widget->hover, widget->touch.ring ? 1.0f : 0.0f));
        return filo_color_lerp(color, theme->control_active, widget->press);
    }
    return ui_control_color(theme, widget);
}

static FiloColor button_text_color(const UiNode *node, const ButtonData *data) {
    const FiloUiTheme *theme = node->theme;
    if (data->widget.touch.disabled) return theme->text_disabled;
    bool filled = data->look.primary || data->look.danger || (data->look.selected && !data->look.plain);
    return filled ? theme->on_accent : data->style.color;
}

static void paint_button(FiloUi *ui, const UiNode *node) {
    const ButtonData *data = node->data;
    ui_paint_control(ui, node, &data->widget, button_color(node, data));
    UiTextStyle style = data->style;
    style.color = button_text_color(node, data);
    FiloRect inner = node->rect;
    inner.min.x += data->padding;
    inner.max.x -= data->padding;
    bool icon = data->look.icon != FILO_UI_ICON_NONE;
    float text = data->text.length > 0 ? ui_text_measure(ui, &style, data->text, 0).x : 0;
    float side = icon ? icon_width(ui) + (text > 0 ? ui_px(ui, 6) : 0) : 0;
    float room = inner.max.x - inner.min.x;
    float start =
        data->look.start ? inner.min.x : filo_floor(inner.min.x + filo_max((room - text - side) / 2, 0));
    if (icon)
        ui_paint_icon(
            ui, data->look.icon,
            filo_rect(filo_vec2(start, inner.min.y), filo_vec2(start + icon_width(ui), inner.max.y)),
            style.color);
    FiloRect box = inner;
    box.min.x = start + side;
    ui_text_paint(ui, &style, ui_line_box(ui, &style, box), UI_TEXT_LEFT, false, data->text);
    if (data->shortcut.length == 0) return;
    style.color = node->theme->text_muted;
    ui_text_paint(ui, &style, ui_line_box(ui, &style, inner), UI_TEXT_RIGHT, false, data->shortcut);
}

static void paint_link(FiloUi *ui, const UiNode *node) {
    const ButtonData *data = node->data;
    UiTextStyle style = data->style;
    style.color = data->widget.touch.disabled
                      ? node->theme->text_disabled
                      : filo_color_lerp(node->theme->plot, node->theme->text, data->widget.hover * 0.4f);
    FiloRect box = ui_line_box(ui, &style, node->rect);
    ui_text_paint(ui, &style, box, UI_TEXT_LEFT, false, data->text);
    float width = ui_text_measure(ui, &style, data->text, 0).x, thick = filo_max(ui_px(ui, 1), 1);
    if (data->widget.hover > 0.5f)
        ui_paint_box(
            ui, filo_rect(filo_vec2(box.min.x, box.max.y - thick), filo_vec2(box.min.x + width, box.max.y)),
            style.color);
    if (data->widget.touch.ring) ui_paint_focus(ui, node->rect, ui_px(ui, 3));
}

static ButtonData *add_button(FiloUi *ui, const char *label, const FiloUiButton *look, UiWidget *widget) {
    ButtonData *data = ui_new(ui, ButtonData);
    if (data == NULL || !ui_widget(ui, label, UI_FOCUSABLE, widget)) return NULL;
    FiloString text = ui_label_text(label), shortcut = filo_string(look->shortcut);
    data->widget = *widget;
    data->look = *look;
    data->text = filo_string_from(ui_copy(ui, text), text.length);
    data->shortcut = filo_string_from(ui_copy(ui, shortcut), shortcut.length);
    data->style = ui_text_style(ui);
    data->padding = ui_px(ui, text.length > 0 ? (look->plain || look->start ? 8.0f : 14.0f) : 4.0f);
    UiNode *node = ui_node(ui, widget->node);
    node->data = data;
    node->measure = measure_button;
    node->paint = paint_button;
    node->flags |= UI_SHRINK;
    return data;
}

bool filo_ui_button_with(FiloUi *ui, const char *label, const FiloUiButton *button) {
    if (!ui_usable(ui)) return false;
    const FiloUiButton empty = { 0 };
    UiWidget widget;
    return add_button(ui, label, button != NULL ? button : &empty, &widget) != NULL && widget.touch.clicked;
}

bool filo_ui_button(FiloUi *ui, const char *label) { return filo_ui_button_with(ui, label, NULL); }

bool filo_ui_primary_button(FiloUi *ui, const char *label) {
    return filo_ui_button_with(ui, label, &(FiloUiButton){ .primary = true });
}

bool filo_ui_icon_button(FiloUi *ui, FiloUiIcon icon, const char *name) {
    if (!ui_usable(ui)) return false;
    UiWidget widget;
    ButtonData *data = add_button(ui, name, &(FiloUiButton){ .icon = icon, .plain = true }, &widget);
    if (data == NULL) return false;
    FiloString text = data->text;
    data->text = (FiloString){ 0 };
    data->padding = ui_px(ui, 4);
    UiNode *node = ui_node(ui, widget.node);
    node->align = node->align == FILO_UI_ALIGN_DEFAULT ? FILO_UI_ALIGN_START : node->align;
    if (node->parent != UI_NONE && ui_node(ui, node->parent)->axis == UI_ROW)
        node->align = FILO_UI_ALIGN_CENTRE;
    if (text.length > 0) filo_ui_tooltip(ui, ui_copy(ui, text));
    return widget.touch.clicked;
}

bool filo_ui_link(FiloUi *ui, const char *label) {
    if (!ui_usable(ui)) return false;
    UiWidget widget;
    ButtonData *data = add_button(ui, label, &(FiloUiButton){ 0 }, &widget);
    if (data == NULL) return false;
    data->link = true;
    data->padding = 0;
    UiNode *node = ui_node(ui, widget.node);
    node->paint = paint_link;
    node->flags |= UI_CURSOR_HAND;
    if (node->align == FILO_UI_ALIGN_DEFAULT) node->align = FILO_UI_ALIGN_START;
    return widget.touch.clicked;
}

bool filo_ui_selectable(FiloUi *ui, const char *label, bool selected) {
    if (!ui_usable(ui)) return false;
    UiWidget widget;
    FiloUiButton look = { .plain = true, .start = true, .selected = selected };
    if (add_button(ui, label, &look, &widget) == NULL) return false;
    if (widget.touch.clicked && ui->popup_level > 0) filo_ui_close_popup(ui);
    return widget.touch.clicked;
}

static FiloVec2 measure_icon(FiloUi *ui, const UiNode *node, float width) {
    FILO_UNUSED(node), FILO_UNUSED(width);
    return filo_vec2(icon_width(ui), icon_width(ui));
}

typedef struct IconData {
    FiloUiIcon icon;
    FiloColor color;
} IconData;

static void paint_icon(FiloUi *ui, const UiNode *node) {
    const IconData *data = node->data;
    ui_paint_icon(ui, data->icon, node->rect, data->color);
}

void filo_ui_icon(FiloUi *ui, FiloUiIcon icon) {
    if (!ui_usable(ui)) return;
    IconData *data = ui_new(ui, IconData);
    UiNode *node = ui_add_widget(ui, 0);
    if (data == NULL || node == NULL) return;
    *data = (IconData){ icon, ui_text_style(ui).color };
    node->data = data;
    node->measure = measure_icon;
    node->paint = paint_icon;
    if (node->align == FILO_UI_ALIGN_DEFAULT) node->align = FILO_UI_ALIGN_START;
    if (node->parent != UI_NONE && ui_node(ui, node->parent)->axis == UI_ROW)
        node->align = FILO_UI_ALIGN_CENTRE;
}

// ---- Check boxes and the like ----------------------------------------------------------------------------------------

typedef enum ToggleKind { TOGGLE_CHECK, TOGGLE_RADIO, TOGGLE_SWITCH } ToggleKind;

typedef struct ToggleData {
    UiWidget widget;
    ToggleKind kind;
    float on; // 0 to 1
    FiloString text;
    UiTextStyle style;
} ToggleData;

static float toggle_box(const FiloUi *ui) { return ui_px(ui, 18); }
static float switch_width(const FiloUi *ui) { return ui_px(ui, 34); }

static FiloVec2 measure_toggle(FiloUi *ui, const UiNode *node, float width) {
    FILO_UNUSED(width);
    const ToggleData *data = node->data;
    float x = data->kind == TOGGLE_SWITCH ? switch_width(ui) : toggle_box(ui);
    if (data->text.length > 0) x += ui_px(ui, 8) + ui_text_measure(ui, &data->style, data->text, 0).x;
    return filo_vec2(x, ui_px(ui, node->theme->control_height));
}

static void paint_switch(FiloUi *ui, const UiNode *node, const ToggleData *data) {
    const FiloUiTheme *theme = node->theme;
    float width = switch_width(ui), height = toggle_box(ui), inset = ui_px(ui, 3);
    float top = filo_floor(node->rect.min.y + (filo_rect_size(node->rect).y - height) / 2);
    float left = data->text.length > 0 ? node->rect.max.x - width : node->rect.min.x;
    FiloRect track = filo_rect_from_size(filo_vec2(left, top), filo_vec2(width, height));
    FiloColor off = ui_control_color(theme, &data->widget), on = ui_accent_color(theme, &data->widget);
    ui_paint_round(ui, track, height / 2, filo_color_lerp(off, on, data->on));
    float knob = height - 2 * inset, x = left + inset + filo_round((width - height) * data->on);
    FiloColor color = data->widget.touch.disabled
                          ? theme->text_disabled
                          : filo_color_lerp(theme->text_muted, theme->on_accent, data->on);
    ui_paint_round(ui, filo_rect_from_size(filo_vec2(x, top + inset), filo_vec2(knob, knob)), knob / 2,
                   color);
    if (data->widget.touch.ring) ui_paint_focus(ui, track, height / 2);
    FiloRect box = node->rect;
    box.max.x = left - ui_px(ui, 8);
    ui_text_paint(ui, &data->style, ui_line_box(ui, &data->style, box), UI_TEXT_LEFT, false, data->text);
}

static void paint_box_of_toggle(FiloUi *ui, const UiNode *node, const ToggleData *data, FiloRect box) {
    const FiloUiTheme *theme = node->theme;
    float size = filo_rect_size(box).x;
    bool round = data->kind == TOGGLE_RADIO;
    float radius = round ? filo_floor(size / 2) : ui_px(ui, filo_min(theme->radius, 4));
    FiloColor off = filo_color_lerp(theme->field, theme->control_hover, data->widget.hover * 0.35f);
    if (data->widget.touch.disabled) off = filo_color_lerp(theme->field, theme->window, 0.5f);
    ui_paint_round(ui, box, radius, filo_color_lerp(off, ui_accent_color(theme, &data->widget), data->on));
    if (data->on < 1)
        ui_paint_outline(ui, box, radius, filo_max(ui_px(ui, theme->border_width), 1),
                         filo_color_fade(filo_color_lerp(theme->border, theme->text_muted,
                                                         0.35f + 0.4f * data->widget.hover),
                                         1 - data->on));
    FiloColor mark = data->widget.touch.disabled ? theme->text_muted : theme->on_accent;
    if (data->on > 0 && round) {
        float dot = filo_round(size * 0.4f / 2) * 2;
        FiloVec2 at =
            filo_vec2(filo_floor(box.min.x + (size - dot) / 2), filo_floor(box.min.y + (size - dot) / 2));
        ui_paint_round(ui, filo_rect_from_size(at, filo_vec2(dot, dot)), dot / 2,
                       filo_color_fade(mark, data->on));
    } else if (data->on > 0) {
        ui_paint_icon(ui, FILO_UI_ICON_CHECK, box, filo_color_fade(mark, data->on));
    }
    if (data->widget.touch.ring) ui_paint_focus(ui, box, radius);
}

static void paint_toggle(FiloUi *ui, const UiNode *node) {
    const ToggleData *data = node->data;
    if (data->kind == TOGGLE_SWITCH) {
        paint_switch(ui, node, data);
        return;
    }
    float size = toggle_box(ui);
    float top = filo_floor(node->rect.min.y + (filo_rect_size(node->rect).y - size) / 2);
    FiloRect box = filo_rect_from_size(filo_vec2(node->rect.min.x, top), filo_vec2(size, size));
    paint_box_of_toggle(ui, node, data, box);
    FiloRect text = node->rect;
    text.min.x = box.max.x + ui_px(ui, 8);
    ui_text_paint(ui, &data->style, ui_line_box(ui, &data->style, text), UI_TEXT_LEFT, false, data->text);
}

// True if it was clicked.
static bool toggle(FiloUi *ui, const char *label, bool on, ToggleKind kind) {
    UiWidget widget;
    ToggleData *data = ui_new(ui, ToggleData);
    if (data == NULL || !ui_widget(ui, label, UI_FOCUSABLE, &widget)) return false;
    UiState *state = ui_state(ui, widget.id);
    bool shown = widget.touch.clicked ? !on || kind == TOGGLE_RADIO : on;
    state->open_amount = state->known ? ui_animate(ui, state->open_amount, shown ? 1.0f : 0.0f)
                         : shown      ? 1.0f
                                      : 0.0f;
    FiloString text = ui_label_text(label);
    *data = (ToggleData){ .widget = widget,
                          .kind = kind,
                          .on = state->open_amount,
                          .text = filo_string_from(ui_copy(ui, text), text.length),
                          .style = ui_text_style(ui) };
    UiNode *node = ui_node(ui, widget.node);
    node->data = data;
    node->measure = measure_toggle;
    node->paint = paint_toggle;
    node->flags |= UI_SHRINK;
    if (kind != TOGGLE_SWITCH && node->align == FILO_UI_ALIGN_DEFAULT && node->parent != UI_NONE &&
        ui_node(ui, node->parent)->axis == UI_COLUMN)
        node->align = FILO_UI_ALIGN_START;
    ui->last_committed = widget.touch.clicked;
    return widget.touch.clicked;
}

bool filo_ui_check(FiloUi *ui, const char *label, bool *value) {
    if (!ui_usable(ui) || !FILO_CHECK(value != NULL, "pass a value to filo_ui_check")) return false;
    bool clicked = toggle(ui, label, *value, TOGGLE_CHECK);
    if (clicked) *value = !*value;
    return clicked;
}

bool filo_ui_switch(FiloUi *ui, const char *label, bool *value) {
    if (!ui_usable(ui) || !FILO_CHECK(value != NULL, "pass a value to filo_ui_switch")) return false;
    bool clicked = toggle(ui, label, *value, TOGGLE_SWITCH);
    if (clicked) *value = !*value;
    return clicked;
}

bool filo_ui_check_flags(FiloUi *ui, const char *label, uint64_t *flags, uint64_t flag) {
    if (!ui_usable(ui) || !FILO_CHECK(flags != NULL, "pass flags to filo_ui_check_flags")) return false;
    bool on = flag != 0 && (*flags & flag) == flag;
    if (!toggle(ui, label, on, TOGGLE_CHECK)) return false;
    *flags = on ? *flags & ~flag : *flags | flag;
    return true;
}

bool filo_ui_radio(FiloUi *ui, const char *label, int *value, int choice) {
    if (!ui_usable(ui) || !FILO_CHECK(value != NULL, "pass a value to filo_ui_radio")) return false;
    if (!toggle(ui, label, *value == choice, TOGGLE_RADIO) || *value == choice) return false;
    *value = choice;
    return true;
}
