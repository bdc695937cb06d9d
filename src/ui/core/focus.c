// The focus: which widget has the keyboard and the gamepad, and how it moves.
//
// Keys belong to the UI while a text field has the focus, while the focus is shown (after Tab, or in a menu), and while
// a menu, popup or modal is open. A widget that was merely clicked has the focus too, so that Tab goes on from there,
// but leaves all other keys to the game; except that a list goes on with those that move through it.

#include "ui/ui.h"

#define CROSS_WEIGHT 2.5f // how much a distance across the direction counts

static bool is_function_key(FiloKey key) { return key >= FILO_KEY_F1 && key <= FILO_KEY_F12; }

static uint64_t key_root(const FiloUi *ui) {
    if (ui->popup_count > 0) return ui->popups[ui->popup_count - 1].id;
    if (ui->modal != 0) return ui->modal;
    if (ui->menu_root != 0) return ui->menu_root;
    return ui->input.focus_root;
}

bool ui_focus_owns_keys(const FiloUi *ui) {
    const UiInput *in = &ui->input;
    if (ui->popup_count > 0 || ui->modal != 0 || ui->menu_root != 0) return true;
    return in->focus != 0 && (in->focus_by_keys || (in->focus_flags & UI_KEYS_TEXT) != 0);
}

void ui_set_focus(FiloUi *ui, uint64_t id, bool by_keys) {
    UiInput *in = &ui->input;
    const UiHit *hit = ui_hit_of(ui, id);
    in->focus = id;
    in->focus_by_keys = by_keys && id != 0;
    in->focus_flags = hit != NULL ? hit->flags : 0;
    if (hit != NULL) in->focus_root = hit->root;
    if (by_keys) ui->show_focus = true;
}

// ---- Moving ------------------------------------------------------------------------------------------------------

static bool can_focus(const UiHit *hit, uint64_t root) {
    return hit->root == root && (hit->flags & UI_FOCUSABLE) != 0 && (hit->flags & UI_DISABLED) == 0;
}

static const UiHit *first_in(const FiloUi *ui, uint64_t root, bool last) {
    for (size_t n = 0; n < ui->hits.count; n++) {
        const UiHit *hit = &ui->hits.items[last ? ui->hits.count - 1 - n : n];
        if (can_focus(hit, root)) return hit;
    }
    return NULL;
}

static bool move_in_order(FiloUi *ui, bool back) {
    uint64_t root = key_root(ui);
    const UiHit *from = ui_hit_of(ui, ui->input.focus);
    const UiHit *found = NULL;
    if (from != NULL && from->root == root) {
        size_t start = (size_t)(from - ui->hits.items), count = ui->hits.count;
        for (size_t n = 1; n <= count && found == NULL; n++) {
            const UiHit *hit = &ui->hits.items[(start + (back ? count - n : n)) % count];
            if (can_focus(hit, root)) found = hit;
        }
    } else {
        found = first_in(ui, root, back);
    }
    if (found == NULL) return false;
    ui_set_focus(ui, found->id, true);
    return true;
}

// How far `to` is from `from` in this direction; infinite if it is not there.
static float distance_in(FiloRect from, FiloRect to, FiloVec2 direction) {
    FiloVec2 a = filo_rect_centre(from), b = filo_rect_centre(to);
    FiloVec2 offset = filo_vec2_sub(b, a);
    float along = filo_vec2_dot(offset, direction);
    float gap = direction.x != 0 ? (direction.x > 0 ? to.min.x - from.max.x : from.min.x - to.max.x)
                                 : (direction.y > 0 ? to.min.y - from.max.y : from.min.y - to.max.y);
    if (along <= 0 ||
        gap < -filo_abs(direction.x != 0 ? from.max.x - from.min.x : from.max.y - from.min.y) / 2)
        return 1e30f;
    float across;
    if (direction.x != 0)
        across = filo_max(filo_max(to.min.y - from.max.y, from.min.y - to.max.y), 0);
    else
        across = filo_max(filo_max(to.min.x - from.max.x, from.min.x - to.max.x), 0);
    float centre = filo_abs(direction.x != 0 ? offset.y : offset.x);
    return filo_max(gap, 0) + across * CROSS_WEIGHT * 2 + centre * 0.01f;
}

static bool move_towards(FiloUi *ui, FiloVec2 direction) {
    uint64_t root = key_root(ui);
    const UiHit *from = ui_hit_of(ui, ui->input.focus);
    if (from == NULL || from->root != root) {
        const UiHit *first = first_in(ui, root, false);
        if (first == NULL) return false;
        ui_set_focus(ui, first->id, true);
        return true;
    }
    const UiHit *best = NULL;
    float least = 1e29f;
    filo_array_each (&ui->hits, hit) {
        if (hit == from || !can_focus(hit, root)) continue;
        float distance = distance_in(from->rect, hit->rect, direction);
        if (distance < least) least = distance, best = hit;
    }
    // Menus wrap: from the last item down to the first.
    if (best == NULL && direction.y != 0 && (root == ui->menu_root || ui->popup_count > 0))
        best = first_in(ui, root, direction.y < 0);
    if (best != NULL)
        ui_set_focus(ui, best->id, true);
    else
        ui->input.focus_by_keys = true;
    return true;
}

// ---- Keys --------------------------------------------------------------------------------------------------------

static void send_key(FiloUi *ui, uint64_t id, FiloKey key, uint8_t modifiers) {
    UiEvent *event = ui_send(ui, id, UI_KEY);
    event->key = (int32_t)key;
    event->modifiers = modifiers;
}

static void press_focused(FiloUi *ui) {
    UiInput *in = &ui->input;
    in->focus_by_keys = true;
    ui_send(ui, in->focus, UI_CLICKED)->by_keys = true;
}

static void cancel(FiloUi *ui) {
    UiInput *in = &ui->input;
    if (ui->popup_count > 0) {
        uint64_t before = ui->popups[ui->popup_count - 1].focus_before;
        ui_popups_close(ui, ui->popup_count - 1);
        ui_set_focus(ui, before, before != 0);
    } else if (ui->modal != 0 || ui->menu_root != 0) {
        send_key(ui, ui->modal != 0 ? ui->modal : ui->menu_root, FILO_KEY_ESCAPE, 0);
    } else {
        ui_set_focus(ui, 0, false);
        in->focus_by_keys = false;
    }
}

static bool key_in_text(FiloUi *ui, FiloKey key, uint8_t modifiers) {
    if (is_function_key(key)) return false;
    if (key == FILO_KEY_TAB && (modifiers & UI_CONTROL) == 0 && (ui->input.focus_flags & UI_LIST) == 0) {
        if (!move_in_order(ui, (modifiers & UI_SHIFT) != 0)) ui_set_focus(ui, 0, false);
        return true;
    }
    send_key(ui, ui->input.focus, key, modifiers);
    return true;
}

// The scroll area around the focused widget gets keys that the widget does not use.
static bool key_to_scroll_area(FiloUi *ui, FiloKey key, uint8_t modifiers) {
    const UiHit *from = ui_hit_of(ui, ui->input.focus);
    for (size_t i = ui->hits.count; from != NULL && i-- > 0;) {
        const UiHit *hit = &ui->hits.items[i];
        if (hit->root != from->root || (hit->flags & UI_SCROLL_Y) == 0 || hit > from) continue;
        if (!filo_rect_overlaps(hit->visible, from->rect)) continue;
        send_key(ui, hit->id, key, modifiers);
        return true;
    }
    return true;
}

static bool direction_key(FiloUi *ui, FiloKey key, uint8_t modifiers) {
    const UiInput *in = &ui->input;
    bool x = key == FILO_KEY_LEFT || key == FILO_KEY_RIGHT;
    if (in->focus != 0 && (in->focus_flags & (x ? UI_KEYS_X : UI_KEYS_Y)) != 0) {
        ui->input.focus_by_keys = true;
        send_key(ui, in->focus, key, modifiers);
        return true;
    }
    FiloVec2 direction = x ? filo_vec2(key == FILO_KEY_RIGHT ? 1.0f : -1.0f, 0)
                           : filo_vec2(0, key == FILO_KEY_DOWN ? 1.0f : -1.0f);
    return move_towards(ui, direction);
}

static bool is_list_key(FiloKey key) {
    return key == FILO_KEY_UP || key == FILO_KEY_DOWN || key == FILO_KEY_PAGE_UP ||
           key == FILO_KEY_PAGE_DOWN || key == FILO_KEY_HOME || key == FILO_KEY_END;
}

bool ui_focus_key(FiloUi *ui, FiloKey key, uint8_t modifiers) {
    const UiInput *in = &ui->input;
    if (in->focus != 0 && (in->focus_flags & UI_KEYS_TEXT) != 0) return key_in_text(ui, key, modifiers);
    bool owns = ui_focus_owns_keys(ui);
    if (key == FILO_KEY_TAB && (owns || in->focus != 0)) {
        move_in_order(ui, (modifiers & UI_SHIFT) != 0);
        return true;
    }
    if (!owns && (in->focus_flags & UI_KEYS_Y) != 0 && in->focus != 0 && is_list_key(key)) {
        send_key(ui, in->focus, key, modifiers);
        return true;
    }
    if (!owns || is_function_key(key)) return false;
    switch (key) {
    case FILO_KEY_LEFT:
    case FILO_KEY_RIGHT:
    case FILO_KEY_UP:
    case FILO_KEY_DOWN: return direction_key(ui, key, modifiers) || true;
    case FILO_KEY_ENTER:
    case FILO_KEY_PAD_ENTER:
    case FILO_KEY_SPACE:
        if (in->focus != 0) press_focused(ui);
        return true;
    case FILO_KEY_ESCAPE: cancel(ui); return true;
    case FILO_KEY_HOME:
    case FILO_KEY_END:
    case FILO_KEY_PAGE_UP:
    case FILO_KEY_PAGE_DOWN:
        if (in->focus != 0 && (in->focus_flags & UI_KEYS_Y) != 0)
            send_key(ui, in->focus, key, modifiers);
        else
            key_to_scroll_area(ui, key, modifiers);
        return true;
    default:
        if (in->focus != 0) send_key(ui, in->focus, key, modifiers);
        // Nothing behind a modal or a menu of a game gets keys.
        return ui->modal != 0 || ui->menu_root != 0 || in->focus_by_keys;
    }
}

// ---- After the layout ----------------------------------------------------------------------------------------------

void ui_focus_frame(FiloUi *ui) {
    UiInput *in = &ui->input;
    const UiHit *hit = ui_hit_of(ui, in->focus);
    if (hit != NULL) {
        in->focus_flags = hit->flags;
        in->focus_root = hit->root;
    } else if (in->focus != 0) {
        in->focus = 0;
        in->focus_flags = 0;
    }
    // A menu, a modal and a popup that was opened by keys have the focus as soon as they are there.
    uint64_t root = ui->popup_count > 0 ? (ui->popups[ui->popup_count - 1].by_keys ? key_root(ui) : 0)
                                        : (ui->modal != 0 ? ui->modal : ui->menu_root);
    if (root != 0 && (in->focus == 0 || in->focus_root != root) && in->active == 0) {
        const UiHit *first = first_in(ui, root, false);
        bool shown = in->focus_by_keys || ui->menu_focused != root;
        if (first != NULL) ui_set_focus(ui, first->id, shown);
        ui->menu_focused = root;
    }
    if (in->focus == 0) in->focus_by_keys = false;
}

// Scrolls all areas around the focused node so that it is visible, and computes positions again.
void ui_scroll_to_focus(FiloUi *ui) {
    ui->show_focus = false;
    uint32_t index = UI_NONE;
    for (size_t i = 0; i < ui->nodes.count && index == UI_NONE; i++)
        if (ui->nodes.items[i].id == ui->input.focus && ui->input.focus != 0) index = (uint32_t)i;
    if (index == UI_NONE) return;
    bool moved = false;
    FiloRect rect = filo_rect_expand(ui_node(ui, index)->rect, ui_px(ui, 4));
    for (uint32_t i = ui_node(ui, index)->parent; i != UI_NONE; i = ui_node(ui, i)->parent) {
        UiNode *area = ui_node(ui, i);
        if ((area->flags & (UI_SCROLL_X | UI_SCROLL_Y)) == 0) continue;
        FiloVec2 by = { 0, 0 };
        if (rect.max.y > area->rect.max.y) by.y = rect.max.y - area->rect.max.y;
        if (rect.min.y < area->rect.min.y + by.y) by.y = rect.min.y - area->rect.min.y;
        if (rect.max.x > area->rect.max.x) by.x = rect.max.x - area->rect.max.x;
        if (rect.min.x < area->rect.min.x + by.x) by.x = rect.min.x - area->rect.min.x;
        area->scroll = filo_vec2_add(area->scroll, by);
        moved = moved || by.x != 0 || by.y != 0;
    }
    if (moved) ui_layout_positions(ui);
}
