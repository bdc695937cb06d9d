// Popups: menus, drop-downs, context menus. The open ones are a stack: each was opened from the one before.
//
// A popup that is not begun in a frame is closed at its end, with those that were opened from it.

#include "ui/ui.h"

void ui_popup_open(FiloUi *ui, uint64_t id, uint64_t owner, FiloRect beside, bool to_the_side, bool by_keys) {
    ui_popups_close(ui, ui->popup_level);
    if (!FILO_CHECK(ui->popup_count < UI_POPUPS, "more than %d menus are open inside of each other",
                    UI_POPUPS))
        return;
    ui->popups[ui->popup_count++] = (UiPopup){ .id = id,
                                               .owner = owner,
                                               .beside = beside,
                                               .to_the_side = to_the_side,
                                               .by_keys = by_keys,
                                               .seen = ui->frame,
                                               .opened = ui->frame,
                                               .focus_before = ui->input.focus };
}

bool ui_popup_is_open(const FiloUi *ui, uint64_t id) {
    return ui->popup_level < ui->popup_count && ui->popups[ui->popup_level].id == id;
}

bool ui_popup_root(const FiloUi *ui, uint64_t root) {
    for (size_t i = 0; i < ui->popup_count; i++)
        if (ui->popups[i].id == root) return true;
    return false;
}

void ui_popups_close(FiloUi *ui, size_t count) { ui->popup_count = FILO_MIN(ui->popup_count, count); }

void ui_popups_end(FiloUi *ui) {
    for (size_t i = 0; i < ui->popup_count; i++)
        if (ui->popups[i].seen < ui->frame) ui_popups_close(ui, i);
}

static void paint_popup(FiloUi *ui, const UiNode *node) {
    const FiloUiTheme *theme = node->theme;
    float radius = ui_px(ui, theme->radius);
    ui_paint_shadow(ui, node->rect, theme->popup, ui_px(ui, theme->shadow_size), theme->shadow);
    ui_paint_round(ui, node->rect, radius, theme->popup);
    ui_paint_outline(ui, node->rect, radius, ui_px(ui, theme->border_width), theme->border);
}

UiNode *ui_begin_popup_root(FiloUi *ui, const char *function, uint64_t id) {
    UiPopup *popup = &ui->popups[ui->popup_level];
    popup->seen = ui->frame;
    UiNode *node = ui_begin_root(ui, function, "popup", UI_ROOT_POPUP, id);
    if (node == NULL) return NULL;
    UiRoot *root = &ui->roots.items[node->root];
    root->beside = popup->beside;
    root->to_the_side = popup->to_the_side;
    UiOpen *top = ui_top(ui);
    top->kind = UI_OPEN_POPUP;
    top->id = id;
    node->paint = paint_popup;
    node->flags |= UI_BLOCKS | UI_SCROLL_Y;
    UiState *state = ui_state(ui, id);
    state->seen = ui->frame;
    node->scroll = state->scroll;
    for (int i = 0; i < 4; i++) node->padding[i] = ui_px(ui, 4);
    node->gap = ui_px(ui, 1);
    node->min[0] = ui_px(ui, 120);
    ui->popup_level++;
    ui_push_raw_id(ui, id);
    ui_scroll_bars(ui, id);
    return ui_node(ui, ui_top(ui)->node);
}

// ---- By the program ----------------------------------------------------------------------------------------------

void filo_ui_open_popup(FiloUi *ui, const char *name) {
    if (!ui_usable(ui) || !FILO_CHECK(name != NULL, "pass the name of a popup")) return;
    uint64_t id = ui_id(ui, name);
    const UiHit *focused = ui->input.focus_by_keys ? ui_hit_of(ui, ui->input.focus) : NULL;
    FiloRect at = focused != NULL ? focused->rect : filo_rect(ui->input.mouse, ui->input.mouse);
    ui_popup_open(ui, id, ui->last_id, at, false, focused != NULL);
}

bool filo_ui_begin_popup(FiloUi *ui, const char *name) {
    if (!ui_usable(ui)) return false;
    uint64_t id = ui_id(ui, name);
    if (!ui_popup_is_open(ui, id) || ui_is_hidden(ui)) {
        ui_begin_hidden(ui, "filo_ui_begin_popup", name);
        return false;
    }
    return ui_begin_popup_root(ui, "filo_ui_begin_popup", id) != NULL;
}

bool filo_ui_begin_context_menu(FiloUi *ui, const char *name) {
    if (!ui_usable(ui)) return false;
    uint64_t id = ui_id(ui, name);
    const UiOpen *top = ui_top(ui);
    uint64_t target = ui->last_id != 0 ? ui->last_id : top != NULL ? top->root_id : 0;
    if (ui_touch(ui, target).right_clicked)
        ui_popup_open(ui, id, 0, filo_rect(ui->input.mouse, ui->input.mouse), false, false);
    return filo_ui_begin_popup(ui, name);
}

void filo_ui_close_popup(FiloUi *ui) {
    if (!ui_usable(ui)) return;
    // All of them: choosing an item of a submenu closes its parents too.
    uint64_t before = ui->popup_count > 0 ? ui->popups[0].focus_before : 0;
    bool by_keys = ui->input.focus_by_keys;
    ui_popups_close(ui, 0);
    ui_set_focus(ui, before, by_keys);
}

// ---- Tooltips ----------------------------------------------------------------------------------------------------

#define TOOLTIP_SECONDS 0.45

static bool tooltip_due(const FiloUi *ui) {
    const UiInput *in = &ui->input;
    bool hovered = ui->last_id != 0 && in->hot == ui->last_id && in->active == 0;
    return hovered && (ui->still || in->hover_time >= TOOLTIP_SECONDS);
}

static void paint_tooltip(FiloUi *ui, const UiNode *node) {
    const FiloUiTheme *theme = node->theme;
    float radius = ui_px(ui, theme->radius * 0.75f);
    ui_paint_shadow(ui, node->rect, theme->popup, ui_px(ui, theme->shadow_size * 0.6f), theme->shadow);
    ui_paint_round(ui, node->rect, radius, theme->popup);
    ui_paint_outline(ui, node->rect, radius, ui_px(ui, theme->border_width), theme->border);
}

static void begin_floating(FiloUi *ui, const char *function, UiRootKind kind, FiloVec2 at) {
    UiNode *node = ui_begin_root(ui, function, "tooltip", kind, filo_hash_combine(ui->last_id, kind));
    if (node == NULL) return;
    ui->roots.items[node->root].beside = filo_rect(at, filo_vec2_add(at, filo_vec2(1, ui_px(ui, 18))));
    node->paint = paint_tooltip;
    node->padding[0] = node->padding[2] = ui_px(ui, 8);
    node->padding[1] = node->padding[3] = ui_px(ui, 5);
    node->max[0] = ui_px(ui, 360);
}

bool filo_ui_begin_tooltip(FiloUi *ui) {
    if (!ui_usable(ui)) return false;
    if (!tooltip_due(ui) || ui_is_hidden(ui)) {
        ui_begin_hidden(ui, "filo_ui_begin_tooltip", "tooltip");
        return false;
    }
    begin_floating(ui, "filo_ui_begin_tooltip", UI_ROOT_TOOLTIP, ui->input.mouse);
    return true;
}

void filo_ui_tooltip(FiloUi *ui, const char *text) {
    if (!ui_usable(ui) || text == NULL || text[0] == '\0' || !tooltip_due(ui) || ui_is_hidden(ui)) return;
    const uint32_t last = ui->last;
    const uint64_t last_id = ui->last_id;
    begin_floating(ui, "filo_ui_tooltip", UI_ROOT_TOOLTIP, ui->input.mouse);
    filo_ui_label(ui, text);
    filo_ui_end(ui);
    ui->last = last;
    ui->last_id = last_id;
}

// ---- Drag and drop -------------------------------------------------------------------------------------------------

#define DRAG_DISTANCE 5.0f

bool filo_ui_begin_drag(FiloUi *ui, const char *type, const void *data, size_t size) {
    if (!ui_usable(ui)) return false;
    bool valid =
        FILO_CHECK(type != NULL && (data != NULL || size == 0), "pass a type and data to be dragged") &&
        FILO_CHECK(size <= UI_DRAG_BYTES, "what is dragged has at most %d bytes, not %zu: drag an id",
                   UI_DRAG_BYTES, size);
    const UiInput *in = &ui->input;
    bool held =
        valid && ui->last_id != 0 && in->active == ui->last_id && in->active_button == FILO_MOUSE_LEFT;
    if (held && !ui->drag.active && filo_vec2_distance(in->mouse, in->pressed_at) > DRAG_DISTANCE * ui->scale)
        ui->drag.active = true, ui->drag.source = ui->last_id;
    bool dragged = valid && ui->drag.active && ui->drag.source == ui->last_id && ui->last_id != 0;
    if (!dragged || ui_is_hidden(ui)) {
        ui_begin_hidden(ui, "filo_ui_begin_drag", type);
        return false;
    }
    filo_string_copy(filo_string(type), ui->drag.type, sizeof ui->drag.type);
    ui->drag.size = size;
    if (size > 0) __builtin_memcpy(ui->drag.data, data, size);
    begin_floating(ui, "filo_ui_begin_drag", UI_ROOT_DRAG, in->mouse);
    return true;
}

bool filo_ui_dragging(const FiloUi *ui, const char *type) {
    return FILO_CHECK(ui != NULL, "pass the UI") && ui->drag.active &&
           (type == NULL || filo_string_equal(filo_string(type), filo_string(ui->drag.type)));
}

bool filo_ui_drop(FiloUi *ui, const char *type, void *data, size_t size) {
    if (!ui_usable(ui) ||
        !FILO_CHECK(type != NULL && (data != NULL || size == 0), "pass a type, and where it goes"))
        return false;
    if (!filo_ui_dragging(ui, type) || ui->last == UI_NONE || ui->drag.source == ui->last_id) return false;
    const UiState *state = ui_state_find(ui, ui->last_id);
    FiloVec2 at = ui->drag.dropped ? ui->drag.at : ui->input.mouse;
    uint64_t root;
    const UiHit *hit = ui_hit_at(ui, at, &root);
    bool over =
        state != NULL && filo_rect_contains(state->visible, at) && hit != NULL && hit->id == ui->last_id;
    if (over) ui_node(ui, ui->last)->flags |= UI_DROP_TARGET;
    if (!over || !ui->drag.dropped) return false;
    if (!FILO_CHECK(size == ui->drag.size, "\"%s\" is dragged with %zu bytes, not %zu", type, ui->drag.size,
                    size))
        return false;
    if (size > 0) __builtin_memcpy(data, ui->drag.data, size);
    ui->drag.active = false;
    return true;
}
