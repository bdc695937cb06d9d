// Input: which change the UI takes, and which widget it is for.
//
// A change is resolved when it arrives, against the hits of the last frame: the rectangles of widgets in the order in
// which they were painted. It becomes an event for a widget, which reads its events when it is called in the next frame
// (touch.c). A press captures the mouse for its widget until the release.
//
// The release of what was consumed is consumed too, and that of what was not is not: the game never sees half of a
// press. A stick that the UI takes is passed on when it returns to the centre.

#include "ui/ui.h"

#include <string.h>

#define DOUBLE_CLICK_SECONDS 0.4
#define DOUBLE_CLICK_PIXELS  6.0f
#define REPEAT_DELAY         0.4f
#define REPEAT_INTERVAL      0.035f
#define STICK_ON             0.55f
#define STICK_OFF            0.35f
#define STICK_INTERVAL       0.16f

// ---- Hits -----------------------------------------------------------------------------------------------------

const UiHit *ui_hit_at(const FiloUi *ui, FiloVec2 point, uint64_t *root) {
    *root = 0;
    for (size_t i = ui->hits.count; i-- > 0;) {
        const UiHit *hit = &ui->hits.items[i];
        if (!filo_rect_contains(hit->visible, point)) continue;
        if ((hit->flags & (UI_HIT | UI_BLOCKS)) == 0) continue;
        *root = hit->root;
        return (hit->flags & UI_HIT) != 0 ? hit : NULL;
    }
    return NULL;
}

const UiHit *ui_hit_of(const FiloUi *ui, uint64_t id) {
    if (id != 0)
        for (size_t i = ui->hits.count; i-- > 0;)
            if (ui->hits.items[i].id == id) return &ui->hits.items[i];
    return NULL;
}

// Whether a modal is between the player and this root.
static bool is_behind_modal(const FiloUi *ui, uint64_t root) {
    return ui->modal != 0 && root != ui->modal && !ui_popup_root(ui, root);
}

static const UiHit *usable_hit(const FiloUi *ui, FiloVec2 point, uint64_t *root) {
    const UiHit *hit = ui_hit_at(ui, point, root);
    return hit != NULL && is_behind_modal(ui, hit->root) ? NULL : hit;
}

void ui_update_hot(FiloUi *ui) {
    UiInput *in = &ui->input;
    uint64_t root = 0, before = in->hot;
    const UiHit *hit = in->mouse_known ? usable_hit(ui, in->mouse, &root) : NULL;
    in->hot = hit != NULL ? hit->id : 0;
    in->hot_root = root;
    if (in->hot != before) in->hover_time = 0;
}

// ---- Events ----------------------------------------------------------------------------------------------------

uint8_t ui_modifiers(const FiloUi *ui) {
    const FiloKeySet *down = &ui->input.down;
    uint8_t modifiers = 0;
    if (filo_key_set_has(down, FILO_KEY_LEFT_SHIFT) || filo_key_set_has(down, FILO_KEY_RIGHT_SHIFT))
        modifiers |= UI_SHIFT;
    if (filo_key_set_has(down, FILO_KEY_LEFT_CONTROL) || filo_key_set_has(down, FILO_KEY_RIGHT_CONTROL))
        modifiers |= UI_CONTROL;
    if (filo_key_set_has(down, FILO_KEY_LEFT_ALT)) modifiers |= UI_ALT;
    return modifiers;
}

UiEvent *ui_send(FiloUi *ui, uint64_t id, UiEventKind kind) {
    static UiEvent lost; // what is written there is never read
    if (ui->event_count == UI_EVENTS) return &lost;
    UiEvent *event = &ui->events[ui->event_count++];
    *event = (UiEvent){ .id = id, .kind = kind, .position = ui->input.mouse, .modifiers = ui_modifiers(ui) };
    return event;
}

static void set_key(FiloKeySet *set, int key, bool on) {
    uint64_t bit = UINT64_C(1) << ((unsigned)key % 64);
    uint64_t *word = &set->bits[(unsigned)key / 64];
    *word = on ? *word | bit : *word & ~bit;
}

// ---- Mouse -----------------------------------------------------------------------------------------------------

static void count_clicks(FiloUi *ui, uint64_t id) {
    UiInput *in = &ui->input;
    bool again = id != 0 && id == in->last_press_id &&
                 ui->time - in->last_press_time < DOUBLE_CLICK_SECONDS &&
                 filo_vec2_distance(in->mouse, in->last_press_at) < DOUBLE_CLICK_PIXELS * ui->scale;
    in->press_count = again ? (uint8_t)FILO_MIN(in->press_count + 1, 3) : 1;
    in->last_press_id = id;
    in->last_press_time = ui->time;
    in->last_press_at = in->mouse;
}

// A press outside of the open menus closes them. True if any were open; `owner` is that of the first.
static bool press_beside_popups(FiloUi *ui, uint64_t root, uint64_t *owner) {
    if (ui->popup_count == 0) return false;
    *owner = ui->popups[0].owner;
    for (size_t i = ui->popup_count; i-- > 0;)
        if (ui->popups[i].id == root) return false;
    ui_popups_close(ui, 0);
    return true;
}

static bool press_mouse(FiloUi *ui, FiloKey key) {
    UiInput *in = &ui->input;
    uint64_t root, owner = 0;
    const UiHit *hit = usable_hit(ui, in->mouse, &root);
    bool closed = press_beside_popups(ui, root, &owner);
    bool consumed = root != 0 || ui->modal != 0 || closed;
    if (!consumed) {
        if (in->game_buttons++ == 0 && ui->menu_root == 0) ui_set_focus(ui, 0, false);
        return false;
    }
    if (root != 0 && !is_behind_modal(ui, root)) ui_windows_touch(ui, root);
    in->focus_by_keys = false;
    if (hit == NULL || (closed && hit->id == owner)) {
        if (hit == NULL && key == FILO_MOUSE_LEFT) ui_set_focus(ui, 0, false);
        return true;
    }
    if (in->active != 0) return true; // another button is held
    in->active = hit->id;
    in->active_button = key;
    in->pressed_at = in->mouse;
    count_clicks(ui, hit->id);
    if (key == FILO_MOUSE_LEFT) ui_set_focus(ui, (hit->flags & UI_FOCUSABLE) != 0 ? hit->id : 0, false);
    UiEvent *event = ui_send(ui, hit->id, UI_PRESSED);
    event->key = (int32_t)key;
    event->clicks = in->press_count;
    return true;
}

static void release_mouse(FiloUi *ui, FiloKey key) {
    UiInput *in = &ui->input;
    if (in->active == 0 || in->active_button != key) return;
    uint64_t root, id = in->active;
    const UiHit *hit = usable_hit(ui, in->mouse, &root);
    in->active = 0;
    UiEvent *event = ui_send(ui, id, UI_RELEASED);
    event->key = (int32_t)key;
    if (ui->drag.active && ui->drag.source == id) {
        ui->drag.dropped = true;
        ui->drag.at = in->mouse;
    } else if (hit != NULL && hit->id == id) {
        event = ui_send(ui, id, UI_CLICKED);
        event->key = (int32_t)key;
        event->clicks = in->press_count;
    }
}

static bool button_change(FiloUi *ui, const FiloInputChange *change) {
    UiInput *in = &ui->input;
    in->mouse = change->position;
    in->mouse_known = true;
    ui_update_hot(ui);
    if (change->down) {
        const bool waits = ui_waits_for_key(ui);
        if (waits) ui_wait_press(ui, (FiloKey)change->key);
        bool consumed = waits || press_mouse(ui, (FiloKey)change->key);
        set_key(&in->consumed, change->key, consumed);
        return consumed;
    }
    bool consumed = filo_key_set_has(&in->consumed, (FiloKey)change->key);
    set_key(&in->consumed, change->key, false);
    if (consumed)
        release_mouse(ui, (FiloKey)change->key);
    else
        in->game_buttons = FILO_MAX(in->game_buttons - 1, 0);
    return consumed;
}

static bool move_mouse(FiloUi *ui, const FiloInputChange *change) {
    UiInput *in = &ui->input;
    in->mouse = change->position;
    in->mouse_known = true;
    ui_update_hot(ui);
    if (in->active != 0) {
        UiEvent *last = ui->event_count > 0 ? &ui->events[ui->event_count - 1] : NULL;
        bool same = last != NULL && last->kind == UI_DRAGGED && last->id == in->active;
        UiEvent *event = same ? last : ui_send(ui, in->active, UI_DRAGGED);
        event->position = in->mouse;
        event->move = filo_vec2_add(event->move, change->move);
        event->modifiers = ui_modifiers(ui);
        event->key = (int32_t)in->active_button;
        return true;
    }
    return in->game_buttons == 0 && (in->hot_root != 0 || ui->modal != 0 || ui_waits_for_key(ui));
}

static bool can_scroll(const UiHit *hit, FiloVec2 wheel) {
    if ((hit->flags & UI_WHEEL) != 0) return true;
    if ((hit->flags & UI_SCROLL_Y) != 0 && wheel.y > 0 && hit->scroll_room[0].y > 0) return true;
    if ((hit->flags & UI_SCROLL_Y) != 0 && wheel.y < 0 && hit->scroll_room[1].y > 0) return true;
    float x = wheel.x != 0 ? wheel.x : (hit->flags & UI_SCROLL_Y) == 0 ? -wheel.y : 0;
    return (hit->flags & UI_SCROLL_X) != 0 &&
           ((x < 0 && hit->scroll_room[0].x > 0) || (x > 0 && hit->scroll_room[1].x > 0));
}

static bool turn_wheel(FiloUi *ui, const FiloInputChange *change) {
    UiInput *in = &ui->input;
    in->mouse = change->position;
    in->mouse_known = true;
    ui_update_hot(ui);
    if (ui_waits_for_key(ui)) return true;
    if (in->hot_root == 0) return ui->modal != 0;
    if (is_behind_modal(ui, in->hot_root)) return true;
    for (size_t i = ui->hits.count; i-- > 0;) {
        const UiHit *hit = &ui->hits.items[i];
        if (hit->root != in->hot_root || !filo_rect_contains(hit->visible, in->mouse)) continue;
        if (!can_scroll(hit, change->move)) continue;
        ui_send(ui, hit->id, UI_WHEELED)->move = change->move;
        break;
    }
    return true;
}

// ---- Keys ------------------------------------------------------------------------------------------------------

static bool repeats(FiloKey key) {
    switch (key) {
    case FILO_KEY_LEFT:
    case FILO_KEY_RIGHT:
    case FILO_KEY_UP:
    case FILO_KEY_DOWN:
    case FILO_KEY_BACKSPACE:
    case FILO_KEY_DELETE:
    case FILO_KEY_PAGE_UP:
    case FILO_KEY_PAGE_DOWN:
    case FILO_KEY_TAB:
    case FILO_KEY_ENTER: return true;
    default: return false;
    }
}

static bool key_change(FiloUi *ui, const FiloInputChange *change) {
    UiInput *in = &ui->input;
    FiloKey key = (FiloKey)change->key;
    set_key(&in->down, change->key, change->down);
    if (!change->down) {
        bool consumed = filo_key_set_has(&in->consumed, key);
        set_key(&in->consumed, change->key, false);
        if (in->repeat_key == key) in->repeat_key = FILO_KEY_NONE;
        return consumed;
    }
    const bool waits = ui_waits_for_key(ui);
    if (waits) ui_wait_press(ui, key);
    bool consumed = waits || ui_focus_key(ui, key, ui_modifiers(ui));
    set_key(&in->consumed, change->key, consumed);
    if (waits) return true;
    if (consumed && repeats(key)) {
        in->repeat_key = key;
        in->repeat_left = REPEAT_DELAY;
    }
    return consumed;
}

static bool type_text(FiloUi *ui, const FiloInputChange *change) {
    UiInput *in = &ui->input;
    if (ui_waits_for_key(ui)) return true;
    if (in->focus == 0 || (in->focus_flags & UI_KEYS_TEXT) == 0) return ui_focus_owns_keys(ui);
    UiEvent *event = ui_send(ui, in->focus, UI_TYPED);
    memcpy(event->text, change->text, sizeof event->text);
    event->text[sizeof event->text - 1] = '\0';
    return true;
}

// ---- Gamepads --------------------------------------------------------------------------------------------------

static FiloKey key_of_button(FiloKey button) {
    switch (button) {
    case FILO_PAD_A: return FILO_KEY_ENTER;
    case FILO_PAD_B: return FILO_KEY_ESCAPE;
    case FILO_PAD_UP: return FILO_KEY_UP;
    case FILO_PAD_DOWN: return FILO_KEY_DOWN;
    case FILO_PAD_LEFT: return FILO_KEY_LEFT;
    case FILO_PAD_RIGHT: return FILO_KEY_RIGHT;
    case FILO_PAD_LEFT_SHOULDER: return FILO_KEY_PAGE_UP;
    case FILO_PAD_RIGHT_SHOULDER: return FILO_KEY_PAGE_DOWN;
    default: return FILO_KEY_NONE;
    }
}

static bool pad_button(FiloUi *ui, const FiloInputChange *change) {
    UiInput *in = &ui->input;
    int pad = FILO_CLAMP(change->pad, 0, FILO_INPUT_PADS - 1);
    uint32_t bit = UINT32_C(1) << FILO_CLAMP(change->key - FILO_PAD_A, 0, 31);
    if (!change->down) {
        bool consumed = (in->pad_consumed[pad] & bit) != 0;
        in->pad_consumed[pad] &= ~bit;
        return consumed;
    }
    if (ui_waits_for_key(ui)) {
        ui_wait_press(ui, (FiloKey)change->key);
        in->pad_consumed[pad] |= bit;
        return true;
    }
    if (!ui_focus_owns_keys(ui)) return false;
    FiloKey key = key_of_button((FiloKey)change->key);
    // While a menu has the focus, buttons without a meaning in it do not reach the game either.
    if (key != FILO_KEY_NONE) (void)ui_focus_key(ui, key, 0);
    in->pad_consumed[pad] |= bit;
    return true;
}

static int axis_sign(float value) { return value > STICK_ON ? 1 : value < -STICK_ON ? -1 : 0; }

static void send_stick(FiloUi *ui) {
    FiloIVec2 stick = ui->input.stick;
    if (stick.x != 0) (void)ui_focus_key(ui, stick.x > 0 ? FILO_KEY_RIGHT : FILO_KEY_LEFT, 0);
    if (stick.y != 0) (void)ui_focus_key(ui, stick.y > 0 ? FILO_KEY_UP : FILO_KEY_DOWN, 0);
}

static bool pad_axis(FiloUi *ui, const FiloInputChange *change) {
    UiInput *in = &ui->input;
    bool centred = filo_abs(change->value) < STICK_OFF;
    if (ui_waits_for_key(ui)) {
        in->stick = (FiloIVec2){ 0, 0 };
        return !centred;
    }
    if (change->axis == FILO_AXIS_LEFT_X || change->axis == FILO_AXIS_LEFT_Y) {
        int32_t *held = change->axis == FILO_AXIS_LEFT_X ? &in->stick.x : &in->stick.y;
        if (!ui_focus_owns_keys(ui)) {
            *held = 0;
            return false;
        }
        int sign = axis_sign(change->value);
        if (centred) *held = 0;
        if (sign != 0 && sign != *held) {
            in->stick = (FiloIVec2){ 0, 0 };
            *held = sign;
            in->stick_left = REPEAT_DELAY;
            send_stick(ui);
        }
    }
    return ui_focus_owns_keys(ui) && !centred;
}

// ---- Changes ---------------------------------------------------------------------------------------------------

static void lose_everything(FiloUi *ui) {
    UiInput *in = &ui->input;
    if (in->active != 0) ui_send(ui, in->active, UI_RELEASED);
    in->active = 0;
    in->down = in->consumed = (FiloKeySet){ 0 };
    memset(in->pad_consumed, 0, sizeof in->pad_consumed);
    in->game_buttons = 0;
    in->repeat_key = FILO_KEY_NONE;
    in->stick = (FiloIVec2){ 0, 0 };
    ui->drag.active = false;
}

bool filo_ui_input(FiloUi *ui, const FiloInputChange *change) {
    if (!FILO_CHECK(ui != NULL && change != NULL, "pass the UI and a change of input")) return false;
    const bool key_valid = change->key >= 0 && change->key < FILO_KEY_COUNT;
    switch (change->kind) {
    case FILO_INPUT_KEY:
        if (!key_valid) return false;
        return change->key >= FILO_MOUSE_LEFT && change->key <= FILO_MOUSE_5 ? button_change(ui, change)
                                                                             : key_change(ui, change);
    case FILO_INPUT_MOUSE: return move_mouse(ui, change);
    case FILO_INPUT_WHEEL: return turn_wheel(ui, change);
    case FILO_INPUT_TYPED: return type_text(ui, change);
    case FILO_INPUT_PAD_KEY: return key_valid && pad_button(ui, change);
    case FILO_INPUT_PAD_AXIS: return pad_axis(ui, change);
    case FILO_INPUT_FOCUS:
        if (!change->down) lose_everything(ui);
        return false;
    case FILO_INPUT_CAPTURE:
        if (change->down) ui->input.mouse_known = false;
        return false;
    default: return false;
    }
}

// ---- Frames ----------------------------------------------------------------------------------------------------

void ui_input_frame(FiloUi *ui) {
    UiInput *in = &ui->input;
    ui_update_hot(ui);
    in->hover_time += (double)ui->seconds;
    if (in->repeat_key != FILO_KEY_NONE) {
        in->repeat_left -= ui->seconds;
        for (int i = 0; i < 8 && in->repeat_left <= 0; i++, in->repeat_left += REPEAT_INTERVAL)
            if (!ui_focus_key(ui, in->repeat_key, ui_modifiers(ui))) in->repeat_key = FILO_KEY_NONE;
    }
    if (in->stick.x != 0 || in->stick.y != 0) {
        in->stick_left -= ui->seconds;
        if (in->stick_left <= 0) {
            in->stick_left = STICK_INTERVAL;
            send_stick(ui);
        }
    }
}

static void set_text_input(FiloUi *ui) {
    bool wanted = ui->input.focus != 0 && (ui->input.focus_flags & UI_KEYS_TEXT) != 0;
    if (ui->window == NULL || ui->text_input == wanted) return;
    ui->text_input = wanted;
    filo_window_text_input(ui->window, wanted);
}

static FiloCursor cursor_of(const FiloUi *ui) {
    const UiHit *hit = ui_hit_of(ui, ui->input.active != 0 ? ui->input.active : ui->input.hot);
    uint32_t flags = hit != NULL ? hit->flags : 0;
    if ((flags & UI_CURSOR_TEXT) != 0) return FILO_CURSOR_TEXT;
    if ((flags & UI_CURSOR_HAND) != 0) return FILO_CURSOR_HAND;
    if ((flags & UI_CURSOR_X) != 0 && (flags & UI_CURSOR_Y) != 0) return FILO_CURSOR_RESIZE_BOTH;
    if ((flags & UI_CURSOR_X) != 0) return FILO_CURSOR_RESIZE_X;
    return (flags & UI_CURSOR_Y) != 0 ? FILO_CURSOR_RESIZE_Y : FILO_CURSOR_ARROW;
}

// The shape of the pointer is left to the game while it is over none of the panels.
static void set_cursor(FiloUi *ui) {
    bool mine = ui->input.active != 0 || ui->input.hot_root != 0;
    if (ui->window == NULL || (!mine && !ui->cursor_set)) return;
    ui->cursor_set = mine;
    filo_window_set_cursor(ui->window, mine ? cursor_of(ui) : FILO_CURSOR_ARROW);
}

void ui_input_end(FiloUi *ui) {
    UiInput *in = &ui->input;
    ui->event_count = 0;
    if (in->active != 0 && ui_hit_of(ui, in->active) == NULL) in->active = 0; // the widget is gone
    if (ui->drag.dropped || (ui->drag.active && in->active != ui->drag.source))
        ui->drag.active = ui->drag.dropped = false;
    ui_update_hot(ui);
    set_text_input(ui);
    set_cursor(ui);
}

// ---- What the player did to a widget -----------------------------------------------------------------------------

UiTouch ui_touch(FiloUi *ui, uint64_t id) {
    const UiInput *in = &ui->input;
    UiTouch touch = { .position = in->mouse, .pressed_at = in->pressed_at };
    touch.disabled = ui->disabled > 0 || ui_is_hidden(ui);
    if (touch.disabled || id == 0) return touch;
    touch.hovered = in->hot == id && (in->active == 0 || in->active == id);
    touch.held = in->active == id && in->active_button == FILO_MOUSE_LEFT;
    touch.focused = in->focus == id;
    touch.ring = touch.focused && in->focus_by_keys;
    for (size_t i = 0; i < ui->event_count; i++) {
        const UiEvent *event = &ui->events[i];
        if (event->id != id) continue;
        bool left = event->key == FILO_MOUSE_LEFT || event->by_keys;
        switch (event->kind) {
        case UI_PRESSED: touch.pressed |= left; break;
        case UI_RELEASED: touch.released |= left; break;
        case UI_CLICKED:
            touch.clicked |= left;
            touch.double_clicked |= left && event->clicks >= 2;
            touch.right_clicked |= event->key == FILO_MOUSE_RIGHT;
            touch.by_keys |= event->by_keys;
            break;
        default: break;
        }
    }
    return touch;
}
