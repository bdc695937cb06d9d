// Groups, trees, sections, tabs.

#include "ui/ui.h"

// ---- Groups ------------------------------------------------------------------------------------------------------------

static void paint_group(FiloUi *ui, const UiNode *node) {
    float radius = ui_px(ui, node->theme->radius);
    ui_paint_round(ui, node->rect, radius, filo_color_fade(node->theme->panel, 0.7f));
    ui_paint_outline(ui, node->rect, radius, filo_max(ui_px(ui, node->theme->border_width), 1),
                     node->theme->separator);
}

void filo_ui_begin_group(FiloUi *ui, const char *title) {
    if (!ui_usable(ui)) return;
    uint64_t id = ui_id(ui, title);
    UiNode *node = ui_begin(ui, "filo_ui_begin_group", title);
    if (node == NULL) return;
    node->paint = paint_group;
    for (int i = 0; i < 4; i++) node->padding[i] = ui_px(ui, ui_theme(ui)->padding * 0.85f);
    ui_top(ui)->id = id;
    ui_push_raw_id(ui, id);
    FiloString text = ui_label_text(title);
    if (text.length == 0) return;
    UiTextStyle style = ui_style_of(ui, FILO_UI_TEXT_SMALL);
    style.bold = true;
    ui_add_text(ui, text, &style, UI_TEXT_LEFT, false);
}

// ---- Trees -------------------------------------------------------------------------------------------------------------

typedef struct TreeData {
    UiWidget widget;
    FiloUiTree look;
    FiloString text, detail;
    UiTextStyle style;
    bool open;
} TreeData;

static FiloVec2 measure_tree(FiloUi *ui, const UiNode *node, float width) {
    FILO_UNUSED(width);
    const TreeData *data = node->data;
    float x = ui_px(ui, 24) + ui_text_measure(ui, &data->style, data->text, 0).x + ui_px(ui, 8);
    if (data->look.icon != FILO_UI_ICON_NONE) x += ui_px(ui, 20);
    if (data->detail.length > 0) x += ui_text_measure(ui, &data->style, data->detail, 0).x + ui_px(ui, 16);
    return filo_vec2(x, ui_px(ui, node->theme->control_height - (data->look.framed ? 0 : 2)));
}

static void paint_tree(FiloUi *ui, const UiNode *node) {
    const TreeData *data = node->data;
    const FiloUiTheme *theme = node->theme;
    float radius = ui_px(ui, theme->radius);
    if (data->look.framed)
        ui_paint_round(ui, node->rect, radius,
                       filo_color_lerp(theme->title, theme->control_hover, data->widget.hover * 0.5f));
    else if (data->look.selected)
        ui_paint_round(ui, node->rect, radius, theme->selection);
    else
        ui_paint_round(ui, node->rect, radius, filo_color_fade(theme->hover, data->widget.hover));
    if (data->widget.touch.ring) ui_paint_focus(ui, filo_rect_expand(node->rect, -ui_px(ui, 2)), radius);
    FiloRect r = node->rect, icon = filo_rect(filo_vec2(r.min.x + ui_px(ui, 3), r.min.y),
                                              filo_vec2(r.min.x + ui_px(ui, 21), r.max.y));
    if (!data->look.leaf)
        ui_paint_icon(ui, data->open ? FILO_UI_ICON_DOWN : FILO_UI_ICON_RIGHT, icon, theme->text_muted);
    float x = icon.max.x + ui_px(ui, 3);
    if (data->look.icon != FILO_UI_ICON_NONE) {
        FiloRect second = filo_rect(filo_vec2(x, r.min.y), filo_vec2(x + ui_px(ui, 16), r.max.y));
        ui_paint_icon(ui, data->look.icon, second, data->style.color);
        x = second.max.x + ui_px(ui, 5);
    }
    float right = r.max.x - ui_px(ui, 6);
    if (data->detail.length > 0) {
        UiTextStyle muted = data->style;
        muted.color = theme->text_muted;
        muted.bold = false;
        float width = filo_min(ui_text_measure(ui, &muted, data->detail, 0).x, (right - x) * 0.6f);
        ui_text_paint(
            ui, &muted,
            ui_line_box(ui, &muted, filo_rect(filo_vec2(right - width, r.min.y), filo_vec2(right, r.max.y))),
            UI_TEXT_RIGHT, false, data->detail);
        right -= width + ui_px(ui, 8);
    }
    ui_text_paint(ui, &data->style,
                  ui_line_box(ui, &data->style, filo_rect(filo_vec2(x, r.min.y), filo_vec2(right, r.max.y))),
                  UI_TEXT_LEFT, false, data->text);
}

// Whether it is open after what the player did. A click on the arrow opens; elsewhere only if it is not a selectable row.
static bool toggle_tree(FiloUi *ui, const UiWidget *widget, const FiloUiTree *tree) {
    UiState *state = ui_state(ui, widget->id);
    state->keep = true;
    if (!state->known && !state->open && state->number == 0) state->open = tree->open;
    state->number = 1; // opened or closed at least once
    bool on_arrow = widget->touch.position.x < state->rect.min.x + ui_px(ui, 24);
    bool selectable = tree->selected || tree->icon != FILO_UI_ICON_NONE;
    if (widget->touch.clicked && !tree->leaf &&
        (widget->touch.by_keys || on_arrow || !selectable || widget->touch.double_clicked))
        state->open = !state->open;
    for (size_t i = 0; i < ui->event_count; i++) {
        if (ui->events[i].id != widget->id || ui->events[i].kind != UI_KEY) continue;
        if (ui->events[i].key == FILO_KEY_RIGHT) state->open = true;
        if (ui->events[i].key == FILO_KEY_LEFT) state->open = false;
    }
    return state->open && !tree->leaf;
}

static bool begin_tree(FiloUi *ui, const char *function, const char *label, const FiloUiTree *tree) {
    UiWidget widget;
    TreeData *data = ui_new(ui, TreeData);
    bool clash;
    uint64_t id = ui_claim(ui, label, &clash);
    if (data == NULL || !ui_widget_of(ui, id, UI_FOCUSABLE | UI_KEYS_X | (clash ? UI_CLASH : 0), &widget)) {
        ui_begin_hidden(ui, function, label);
        return false;
    }
    FiloString text = ui_label_text(label), detail = filo_string(tree->detail);
    *data = (TreeData){ .widget = widget,
                        .look = *tree,
                        .text = filo_string_from(ui_copy(ui, text), text.length),
                        .detail = filo_string_from(ui_copy(ui, detail), detail.length),
                        .style = ui_text_style(ui),
                        .open = toggle_tree(ui, &widget, tree) };
    data->style.bold = tree->framed;
    UiNode *node = ui_node(ui, widget.node);
    node->data = data;
    node->measure = measure_tree;
    node->paint = paint_tree;
    node->flags |= UI_SHRINK;
    uint32_t last = ui->last;
    if (!data->open || ui_is_hidden(ui)) {
        ui_begin_hidden(ui, function, label);
        ui->last = last;
        return false;
    }
    node = ui_begin(ui, function, label);
    if (node == NULL) return false;
    ui_top(ui)->id = id;
    node->padding[0] = tree->framed ? ui_px(ui, 4) : ui_px(ui, ui_theme(ui)->indent);
    if (!tree->framed) {
        node->gap = ui_px(ui, filo_min(ui_theme(ui)->gap, 2));
        node->padding[1] = node->gap;
        node->no_gap_before = true;
    }
    if (tree->framed) node->padding[3] = ui_px(ui, 4);
    ui_push_raw_id(ui, id);
    return true;
}

bool filo_ui_begin_tree(FiloUi *ui, const char *label, const FiloUiTree *tree) {
    if (!ui_usable(ui)) return false;
    const FiloUiTree empty = { 0 };
    return begin_tree(ui, "filo_ui_begin_tree", label, tree != NULL ? tree : &empty);
}

bool filo_ui_begin_section(FiloUi *ui, const char *label) {
    return ui_usable(ui) &&
           begin_tree(ui, "filo_ui_begin_section", label, &(FiloUiTree){ .open = true, .framed = true });
}

void filo_ui_open_tree(FiloUi *ui, const char *label, bool open) {
    if (!ui_usable(ui)) return;
    UiState *state = ui_state(ui, ui_id(ui, label));
    state->open = open;
    state->number = 1;
    state->keep = true;
}

// ---- Tabs --------------------------------------------------------------------------------------------------------------

typedef struct Tabs {
    uint64_t id;
    uint32_t strip;
    int selected, next;
} Tabs;

static FiloVec2 measure_tab(FiloUi *ui, const UiNode *node, float width) {
    FILO_UNUSED(width);
    const UiOptionData *data = node->data;
    return filo_vec2(ui_text_measure(ui, &data->style, data->text, 0).x + ui_px(ui, 24),
                     ui_px(ui, node->theme->control_height + 4));
}

static void paint_tab(FiloUi *ui, const UiNode *node) {
    const UiOptionData *data = node->data;
    const FiloUiTheme *theme = node->theme;
    UiTextStyle style = data->style;
    if (!data->widget.touch.disabled)
        style.color =
            filo_color_lerp(theme->text_muted, theme->text, filo_max(data->on, data->widget.hover * 0.7f));
    FiloRect inside = node->rect;
    inside.max.y -= ui_px(ui, 3);
    ui_paint_round(ui, inside, ui_px(ui, theme->radius),
                   filo_color_fade(theme->hover, data->widget.hover * 0.6f));
    ui_text_paint(
        ui, &style,
        ui_line_box(ui, &style,
                    filo_rect(filo_vec2(node->rect.min.x + ui_px(ui, 4), node->rect.min.y),
                              filo_vec2(node->rect.max.x - ui_px(ui, 4), node->rect.max.y - ui_px(ui, 2)))),
        UI_TEXT_CENTRE, false, data->text);
    float line = ui_px(ui, 2),
          inset = filo_round((1 - data->on) * filo_rect_size(node->rect).x / 2) + ui_px(ui, 6);
    if (data->on > 0)
        ui_paint_round(ui,
                       filo_rect(filo_vec2(node->rect.min.x + inset, node->rect.max.y - line),
                                 filo_vec2(node->rect.max.x - inset, node->rect.max.y)),
                       line / 2, theme->accent);
    if (data->widget.touch.ring)
        ui_paint_focus(ui, filo_rect_expand(inside, -ui_px(ui, 2)), ui_px(ui, theme->radius));
}

static void paint_strip(FiloUi *ui, const UiNode *node) {
    float width = filo_max(ui_px(ui, node->theme->border_width), 1);
    ui_paint_box(ui, filo_rect(filo_vec2(node->rect.min.x, node->rect.max.y - width), node->rect.max),
                 node->theme->separator);
}

void filo_ui_begin_tabs(FiloUi *ui, const char *name, int *selected) {
    if (!ui_usable(ui)) return;
    bool clash;
    uint64_t id = ui_claim(ui, name, &clash);
    UiState *state = ui_state(ui, id);
    state->keep = true;
    // A click of the last frame counts from this one on, so that there is always exactly one tab.
    if (selected != NULL && state->open) *selected = state->number;
    if (selected != NULL) state->number = *selected;
    state->open = false;
    Tabs *tabs = ui_new(ui, Tabs);
    UiNode *node = ui_begin(ui, "filo_ui_begin_tabs", name);
    if (tabs == NULL || node == NULL) return;
    if (node->grow <= 0 && node->parent != UI_NONE && ui_node(ui, node->parent)->axis == UI_COLUMN)
        node->grow = 1;
    tabs->id = id;
    tabs->selected = ui_state(ui, id)->number;
    UiOpen *top = ui_top(ui);
    top->kind = UI_OPEN_TABS;
    top->id = id;
    top->data = tabs;
    ui_push_raw_id(ui, id);
    UiNode *strip = ui_add(ui);
    if (strip == NULL) return;
    strip->axis = UI_ROW;
    strip->gap = ui_px(ui, 2);
    strip->paint = paint_strip;
    strip->flags |= UI_CONTAINER | UI_CLIP;
    tabs->strip = ui_index(ui, strip);
}

// Adds the button of a tab to the strip. True if it was clicked.
static bool add_tab(FiloUi *ui, const Tabs *tabs, const char *label, bool on) {
    if (!filo_array_push(
            &ui->open, (UiOpen){ .node = tabs->strip, .id_depth = ui->id_count, .hidden = ui_is_hidden(ui) }))
        return false;
    UiWidget widget;
    UiNode *node = ui_add_option(ui, label, on, &widget);
    if (node != NULL) {
        node->measure = measure_tab;
        node->paint = paint_tab;
    }
    ui->open.count--;
    return node != NULL && widget.touch.clicked;
}

bool filo_ui_begin_tab(FiloUi *ui, const char *label) {
    if (!ui_usable(ui)) return false;
    const UiOpen *top = ui_top(ui);
    bool inside = FILO_CHECK(
        ui->open_lost > 0 || (top != NULL && top->kind == UI_OPEN_TABS && top->data != NULL),
        "\"%s\": call filo_ui_begin_tab directly inside of filo_ui_begin_tabs", label != NULL ? label : "");
    if (!inside || ui->open_lost > 0) {
        ui_begin_hidden(ui, "filo_ui_begin_tab", label);
        return false;
    }
    Tabs *tabs = top->data;
    int index = tabs->next++;
    bool on = index == tabs->selected;
    if (add_tab(ui, tabs, label, on)) {
        UiState *state = ui_state(ui, tabs->id);
        state->number = index;
        state->open = true; // there is a choice to be passed on
    }
    if (!on || ui_is_hidden(ui)) {
        ui_begin_hidden(ui, "filo_ui_begin_tab", label);
        return false;
    }
    uint64_t id = ui_id(ui, label);
    UiNode *node = ui_begin(ui, "filo_ui_begin_tab", label);
    if (node == NULL) return false;
    node->grow = 1;
    node->padding[1] = ui_px(ui, 4);
    ui_top(ui)->kind = UI_OPEN_TAB;
    ui_top(ui)->id = id;
    ui_push_raw_id(ui, filo_hash_combine(id, 1));
    return true;
}
