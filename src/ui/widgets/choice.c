// Drop-downs, list boxes, segments.

#include "ui/ui.h"

typedef struct OpenerData {
    UiWidget widget;
    UiOpener opener;
    FiloString text;
    UiTextStyle style;
    bool open;
} OpenerData;

static FiloVec2 measure_opener(FiloUi *ui, const UiNode *node, float width) {
    FILO_UNUSED(width);
    const OpenerData *data = node->data;
    float text = ui_text_measure(ui, &data->style, data->text, 0).x;
    return filo_vec2(filo_max(text + ui_px(ui, 40), ui_px(ui, 80)), ui_px(ui, node->theme->control_height));
}

// A chequered background shows what is translucent.
static void paint_swatch(FiloUi *ui, FiloRect rect, FiloColor color) {
    float cell = ui_px(ui, 5);
    FiloRect old = ui_push_clip(ui, rect);
    if (color.a < 255) {
        ui_paint_box(ui, rect, filo_color(200, 200, 200, 255));
        for (int y = 0; rect.min.y + (float)y * cell < rect.max.y && y < 64; y++)
            for (int x = y % 2; rect.min.x + (float)x * cell < rect.max.x && x < 512; x += 2)
                ui_paint_box(
                    ui,
                    filo_rect_from_size(filo_vec2(rect.min.x + (float)x * cell, rect.min.y + (float)y * cell),
                                        filo_vec2(cell, cell)),
                    filo_color(150, 150, 150, 255));
    }
    ui_paint_box(ui, rect, color);
    ui->clip = old;
}

static void paint_opener(FiloUi *ui, const UiNode *node) {
    const OpenerData *data = node->data;
    const FiloUiTheme *theme = node->theme;
    UiTextStyle style = data->style;
    FiloColor color = data->open ? theme->control_active : ui_control_color(theme, &data->widget);
    ui_paint_control(ui, node, &data->widget, color);
    FiloRect box = filo_rect(filo_vec2(node->rect.min.x + ui_px(ui, 10), node->rect.min.y),
                             filo_vec2(node->rect.max.x - ui_px(ui, 26), node->rect.max.y));
    FiloRect arrow = filo_rect(filo_vec2(node->rect.max.x - ui_px(ui, 24), node->rect.min.y),
                               filo_vec2(node->rect.max.x - ui_px(ui, 4), node->rect.max.y));
    if (data->opener.has_swatch) {
        float inset = ui_px(ui, 4);
        FiloRect swatch = filo_rect(filo_vec2(node->rect.min.x + inset, node->rect.min.y + inset),
                                    filo_vec2(box.min.x + ui_px(ui, 22), node->rect.max.y - inset));
        paint_swatch(ui, swatch, data->opener.swatch);
        ui_paint_outline(ui, swatch, 0, filo_max(ui_px(ui, theme->border_width), 1), theme->border);
        box.min.x = swatch.max.x + ui_px(ui, 8);
    }
    ui_text_paint(ui, &style, ui_line_box(ui, &style, box), UI_TEXT_LEFT, false, data->text);
    ui_paint_icon(ui, FILO_UI_ICON_DOWN, arrow,
                  data->widget.touch.disabled ? theme->text_disabled : theme->text_muted);
}

bool ui_add_opener(FiloUi *ui, UiOpener *opener, FiloString text, uint32_t flags) {
    UiWidget widget;
    OpenerData *data = ui_new(ui, OpenerData);
    if (data == NULL || !ui_widget_of(ui, opener->id, flags | UI_FOCUSABLE, &widget)) return false;
    opener->popup = filo_hash_combine(opener->id, 300);
    *data = (OpenerData){ .widget = widget,
                          .opener = *opener,
                          .text = filo_string_from(ui_copy(ui, text), text.length),
                          .style = ui_text_style(ui),
                          .open = ui_popup_is_open(ui, opener->popup) };
    ui->opener = widget.node;
    UiNode *node = ui_node(ui, widget.node);
    node->data = data;
    node->measure = measure_opener;
    node->paint = paint_opener;
    ui_field_control(ui, node);
    if (widget.touch.clicked)
        ui_popup_open(ui, opener->popup, opener->id, ui_state(ui, opener->id)->rect, false,
                      widget.touch.by_keys);
    return widget.touch.clicked;
}

// ---- Drop-downs --------------------------------------------------------------------------------------------------------

#define LIST_HEIGHT 320.0f

bool filo_ui_begin_choice(FiloUi *ui, const char *label, const char *shown) {
    if (!ui_usable(ui)) return false;
    bool clash;
    UiOpener opener = { .id = ui_claim(ui, label, &clash) };
    ui->opener = UI_NONE;
    ui_field_begin(ui, label);
    ui_add_opener(ui, &opener, filo_string(shown), clash ? UI_CLASH : 0);
    ui_field_end(ui);
    opener.popup = filo_hash_combine(opener.id, 300);
    if (!ui_popup_is_open(ui, opener.popup) || ui_is_hidden(ui)) {
        ui_begin_hidden(ui, "filo_ui_begin_choice", label);
        return false;
    }
    UiNode *node = ui_begin_popup_root(ui, "filo_ui_begin_choice", opener.popup);
    if (node == NULL) return false;
    node->max[1] = ui_px(ui, LIST_HEIGHT);
    return true;
}

bool filo_ui_choice(FiloUi *ui, const char *label, int *value, const char *const *items, int count) {
    if (!ui_usable(ui) || !FILO_CHECK(value != NULL && (items != NULL || count <= 0),
                                      "pass a value and the items to choose from"))
        return false;
    const char *shown = *value >= 0 && *value < count ? items[*value] : "";
    int before = *value, next = before;
    bool open = filo_ui_begin_choice(ui, label, shown);
    uint32_t last = ui->opener;
    for (int i = 0; open && i < count; i++) {
        filo_ui_push_id(ui, (uint64_t)i);
        if (filo_ui_selectable(ui, items[i], i == before)) next = i;
        filo_ui_pop_id(ui);
    }
    filo_ui_end(ui);
    *value = next;
    ui->last = last;
    ui->last_id = last != UI_NONE ? ui_node(ui, last)->id : 0;
    ui->last_committed = next != before;
    return next != before;
}

// ---- Lists ---------------------------------------------------------------------------------------------------------------

bool filo_ui_list(FiloUi *ui, const char *label, int *value, const char *const *items, int count,
                  float height) {
    if (!ui_usable(ui) ||
        !FILO_CHECK(value != NULL && (items != NULL || count <= 0), "pass a value and the items of the list"))
        return false;
    static const FiloUiColumn column = { .title = "" };
    size_t selected = *value >= 0 ? (size_t)*value : SIZE_MAX;
    float row = ui_theme(ui)->control_height;
    FiloUiTable table = { .columns = &column,
                          .column_count = 1,
                          .row_count = (size_t)FILO_MAX(count, 0),
                          .height = height > 0 ? height : row * (float)FILO_CLAMP(count, 1, 8) + 8,
                          .selected = &selected,
                          .no_header = true };
    FiloString text = ui_label_text(label);
    if (text.length > 0) filo_ui_text(ui, FILO_UI_TEXT_MUTED, ui_copy(ui, text));
    if (filo_ui_begin_table(ui, label, &table))
        for (size_t i; filo_ui_table_row(ui, &i);) filo_ui_label(ui, items[i]);
    filo_ui_end(ui);
    bool changed = selected != SIZE_MAX && (int)selected != *value;
    if (changed) *value = (int)selected;
    ui->last_committed = changed;
    return changed;
}

// ---- Segments --------------------------------------------------------------------------------------------------------------

static FiloVec2 measure_segment(FiloUi *ui, const UiNode *node, float width) {
    FILO_UNUSED(width);
    const UiOptionData *data = node->data;
    return filo_vec2(ui_text_measure(ui, &data->style, data->text, 0).x + ui_px(ui, 20),
                     ui_px(ui, node->theme->control_height) - ui_px(ui, 4));
}

static void paint_segment(FiloUi *ui, const UiNode *node) {
    const UiOptionData *data = node->data;
    const FiloUiTheme *theme = node->theme;
    float radius = ui_px(ui, filo_max(theme->radius - 2, 0));
    FiloColor off = filo_color_fade(theme->hover, data->widget.hover * 0.7f);
    ui_paint_round(ui, node->rect, radius,
                   filo_color_lerp(off, ui_accent_color(theme, &data->widget), data->on));
    if (data->widget.touch.ring) ui_paint_focus(ui, node->rect, radius);
    UiTextStyle style = data->style;
    if (!data->widget.touch.disabled)
        style.color = filo_color_lerp(theme->text_muted, theme->on_accent, data->on);
    ui_text_paint(ui, &style, ui_line_box(ui, &style, filo_rect_expand(node->rect, 0)), UI_TEXT_CENTRE, false,
                  data->text);
}

static void paint_segments(FiloUi *ui, const UiNode *node) {
    float radius = ui_px(ui, node->theme->radius);
    ui_paint_round(ui, node->rect, radius, node->theme->field);
    ui_paint_outline(ui, node->rect, radius, filo_max(ui_px(ui, node->theme->border_width), 1),
                     node->theme->separator);
}

static bool add_segment(FiloUi *ui, const char *label, bool on) {
    UiWidget widget;
    UiNode *node = ui_add_option(ui, label, on, &widget);
    if (node == NULL) return false;
    node->measure = measure_segment;
    node->paint = paint_segment;
    node->grow = 1;
    return widget.touch.clicked;
}

bool filo_ui_segments(FiloUi *ui, const char *label, int *value, const char *const *items, int count) {
    if (!ui_usable(ui) || !FILO_CHECK(value != NULL && (items != NULL || count <= 0),
                                      "pass a value and the items to choose from"))
        return false;
    uint64_t id = ui_id(ui, label);
    int before = *value;
    ui_field_begin(ui, label);
    bool labelled = ui->field_labelled;
    UiNode *row = ui_begin(ui, NULL, "segments");
    if (row != NULL) {
        row->axis = UI_ROW;
        row->gap = ui_px(ui, 2);
        row->paint = paint_segments;
        for (int i = 0; i < 4; i++) row->padding[i] = ui_px(ui, 2);
        ui_field_control(ui, row);
        ui_push_raw_id(ui, id);
        for (int i = 0; i < count; i++) {
            filo_ui_push_id(ui, (uint64_t)i);
            if (add_segment(ui, items[i], i == before)) *value = i;
            filo_ui_pop_id(ui);
        }
        if (ui->id_count > 0) ui->id_count--;
        ui->open.count--;
    }
    ui->field_labelled = labelled;
    ui_field_end(ui);
    ui->last_committed = *value != before;
    return *value != before;
}
