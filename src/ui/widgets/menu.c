// Menu bars, menus, modals.

#include "ui/ui.h"

// ---- Bars ------------------------------------------------------------------------------------------------------------------

static void paint_bar(FiloUi *ui, const UiNode *node) {
    const FiloUiTheme *theme = node->theme;
    ui_paint_box(ui, node->rect, theme->title);
    float width = filo_max(ui_px(ui, theme->border_width), 1);
    ui_paint_box(ui, filo_rect(filo_vec2(node->rect.min.x, node->rect.max.y - width), node->rect.max),
                 theme->separator);
}

static void make_bar(FiloUi *ui, UiNode *node) {
    node->axis = UI_ROW;
    node->gap = ui_px(ui, 2);
    node->padding[0] = node->padding[2] = ui_px(ui, 6);
    node->fixed[1] = ui_px(ui, ui_theme(ui)->control_height + 4);
    node->paint = paint_bar;
}

// Moves the last child of a window to the front of its content, below the title.
static void move_below_title(FiloUi *ui, uint32_t bar) {
    uint32_t content = ui->open_window, root = ui_node(ui, content)->parent;
    UiNode *old_parent = ui_node(ui, ui_node(ui, bar)->parent);
    // It was appended last: unlink it there.
    uint32_t previous = UI_NONE;
    for (uint32_t i = old_parent->first; i != bar; i = ui_node(ui, i)->next) previous = i;
    if (previous == UI_NONE)
        old_parent->first = UI_NONE;
    else
        ui_node(ui, previous)->next = UI_NONE;
    old_parent->last = previous;
    uint32_t before = UI_NONE;
    for (uint32_t i = ui_node(ui, root)->first; i != content; i = ui_node(ui, i)->next) before = i;
    ui_node(ui, bar)->next = content;
    ui_node(ui, bar)->parent = root;
    if (before == UI_NONE)
        ui_node(ui, root)->first = bar;
    else
        ui_node(ui, before)->next = bar;
}

bool filo_ui_begin_menu_bar(FiloUi *ui) {
    if (!ui_usable(ui)) return false;
    uint64_t id = ui_id(ui, "##menu bar");
    const UiOpen *top = ui_top(ui);
    bool in_window = top != NULL && ui->open_window != UI_NONE && top->node == ui->open_window;
    UiNode *node;
    if (in_window || top != NULL) {
        node = ui_begin(ui, "filo_ui_begin_menu_bar", "menu bar");
        if (node == NULL) return false;
        make_bar(ui, node);
        if (in_window) move_below_title(ui, ui_index(ui, node));
    } else {
        node = ui_begin_root(ui, "filo_ui_begin_menu_bar", "menu bar", UI_ROOT_BAR, id);
        if (node == NULL) return false;
        make_bar(ui, node);
        node->flags |= UI_BLOCKS;
        ui->next_bar_height = node->fixed[1];
    }
    ui_top(ui)->kind = UI_OPEN_BAR;
    ui_top(ui)->id = id;
    ui_push_raw_id(ui, id);
    return true;
}

// ---- Menus -----------------------------------------------------------------------------------------------------------------

// Whether another menu of the same bar or menu is open now, so that hovering opens this one.
static bool sibling_is_open(const FiloUi *ui) { return ui->popup_level < ui->popup_count; }

static bool submenu_item(FiloUi *ui, const char *label, bool open) {
    FiloUiButton look = { .plain = true, .start = true, .selected = open };
    bool clicked = filo_ui_button_with(ui, label, &look);
    if (ui->last != UI_NONE) ui_node(ui, ui->last)->flags |= UI_KEYS_X;
    return clicked;
}

static void paint_arrow(FiloUi *ui, const UiNode *node) {
    FiloRect r = node->rect;
    r.min.x = r.max.x - ui_px(ui, 20);
    ui_paint_icon(ui, FILO_UI_ICON_RIGHT, r, node->theme->text_muted);
}

static bool pressed_right(const FiloUi *ui, uint64_t id) {
    for (size_t i = 0; i < ui->event_count; i++)
        if (ui->events[i].id == id && ui->events[i].kind == UI_KEY && ui->events[i].key == FILO_KEY_RIGHT)
            return true;
    return false;
}

bool filo_ui_begin_menu(FiloUi *ui, const char *label) {
    if (!ui_usable(ui)) return false;
    const UiOpen *top = ui_top(ui);
    bool nested = top != NULL && top->kind != UI_OPEN_BAR && ui->popup_level > 0;
    uint64_t popup = filo_hash_combine(ui_id(ui, label), 301);
    bool open = ui_popup_is_open(ui, popup);
    bool clicked = nested
                       ? submenu_item(ui, label, open)
                       : filo_ui_button_with(ui, label, &(FiloUiButton){ .plain = true, .selected = open });
    if (nested && ui->last != UI_NONE) {
        UiNode *node = ui_node(ui, ui->last);
        node->paint_over = paint_arrow;
        node->min[0] = ui_px(ui, 140);
    }
    uint64_t item = ui->last_id;
    bool hovered = ui->last_touch.hovered && (nested || sibling_is_open(ui));
    bool by_keys = (clicked && ui->last_touch.by_keys) || (nested && pressed_right(ui, item));
    if (clicked && open && !nested)
        ui_popups_close(ui, ui->popup_level);
    else if ((clicked || hovered || by_keys) && !open)
        ui_popup_open(ui, popup, item, ui_state(ui, item)->rect, nested, by_keys);
    if (!ui_popup_is_open(ui, popup) || ui_is_hidden(ui)) {
        ui_begin_hidden(ui, "filo_ui_begin_menu", label);
        return false;
    }
    return ui_begin_popup_root(ui, "filo_ui_begin_menu", popup) != NULL;
}

static bool menu_button(FiloUi *ui, const char *label, const char *shortcut, FiloUiIcon icon) {
    bool clicked = filo_ui_button_with(
        ui, label, &(FiloUiButton){ .plain = true, .start = true, .shortcut = shortcut, .icon = icon });
    // Hovering another item closes the submenu beside it.
    if (ui->last_touch.hovered && ui->popup_level > 0 && ui->popup_level < ui->popup_count)
        ui_popups_close(ui, ui->popup_level);
    if (clicked) filo_ui_close_popup(ui);
    return clicked;
}

bool filo_ui_menu_item(FiloUi *ui, const char *label, const char *shortcut) {
    return ui_usable(ui) && menu_button(ui, label, shortcut, FILO_UI_ICON_NONE);
}

bool filo_ui_menu_check(FiloUi *ui, const char *label, bool *value) {
    if (!ui_usable(ui) || !FILO_CHECK(value != NULL, "pass a value to filo_ui_menu_check")) return false;
    bool clicked = filo_ui_check(ui, label, value);
    if (ui->last != UI_NONE) {
        UiNode *node = ui_node(ui, ui->last);
        node->align = FILO_UI_ALIGN_STRETCH;
        node->indent = ui_px(ui, 6);
    }
    return clicked;
}

// ---- Modals ------------------------------------------------------------------------------------------------------------------

static void paint_modal(FiloUi *ui, const UiNode *node) {
    const FiloUiTheme *theme = node->theme;
    float radius = ui_px(ui, theme->radius * 1.5f);
    ui_paint_shadow(ui, node->rect, theme->window, ui_px(ui, theme->shadow_size * 1.6f), theme->shadow);
    ui_paint_round(ui, node->rect, radius, theme->window);
    ui_paint_outline(ui, node->rect, radius, filo_max(ui_px(ui, theme->border_width), 1), theme->border);
}

static void add_modal_title(FiloUi *ui, const char *title, bool *open) {
    UiNode *row = ui_begin(ui, NULL, "title");
    if (row == NULL) return;
    row->axis = UI_ROW;
    UiTextStyle style = ui_style_of(ui, FILO_UI_TEXT_HEADING);
    UiNode *text = ui_add_text(ui, ui_label_text(title), &style, UI_TEXT_LEFT, false);
    if (text != NULL) text->grow = 1;
    if (open != NULL) {
        bool clicked = filo_ui_icon_button(ui, FILO_UI_ICON_CLOSE, "##close");
        if (ui->last != UI_NONE)
            ui_node(ui, ui->last)->flags &= ~(uint32_t)UI_FOCUSABLE; // Escape does the same
        if (clicked) *open = false;
    }
    ui->open.count--;
}

bool filo_ui_begin_modal(FiloUi *ui, const char *title, bool *open) {
    if (!ui_usable(ui)) return false;
    if ((open != NULL && !*open) || ui_is_hidden(ui)) {
        ui_begin_hidden(ui, "filo_ui_begin_modal", title);
        return false;
    }
    uint64_t id = filo_hash_combine(4, filo_hash_text(title));
    UiNode *node = ui_begin_root(ui, "filo_ui_begin_modal", title, UI_ROOT_MODAL, id);
    if (node == NULL) return false;
    UiRoot *root = &ui->roots.items[node->root];
    root->anchor = filo_vec2(0.5f, 0.45f);
    node->paint = paint_modal;
    node->flags |= UI_BLOCKS;
    for (int i = 0; i < 4; i++) node->padding[i] = ui_px(ui, ui_theme(ui)->padding + 6);
    node->min[0] = ui_px(ui, 300);
    node->max[0] = filo_min(ui_px(ui, 640), ui->width);
    node->max[1] = ui->height;
    ui_top(ui)->id = id;
    ui_push_raw_id(ui, id);
    ui->next_modal = id;
    FiloString text = ui_label_text(title);
    if (text.length > 0 || open != NULL) add_modal_title(ui, title, open);
    if (open != NULL && filo_ui_cancelled(ui)) *open = false;
    ui->last_id = 0;
    ui->last = UI_NONE;
    return open == NULL || *open;
}
