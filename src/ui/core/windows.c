// Windows and anchored panels. A window is a root with a title bar, an optional menu bar, and a scroll area for its
// content. What the player does to it changes its UiWindow, which is remembered by the hash of its title.

#include "ui/ui.h"

#define DOCK_DISTANCE   28.0f // points from an edge within which a dragged window docks
#define UNDOCK_DISTANCE 12.0f
#define LEAST_WIDTH     120.0f
#define LEAST_HEIGHT    40.0f
#define WINDOWS         512

UiWindow *ui_window_find(const FiloUi *ui, uint64_t id) {
    filo_array_each (&ui->windows, window)
        if (window->id == id) return window;
    return NULL;
}

static uint64_t window_id(const char *title) { return filo_hash_combine(2, filo_hash_text(title)); }

// The id is that of the title, or of what follows "###", whatever ids are pushed.
static uint64_t id_of_title(const char *title) {
    FiloString text = filo_string(title);
    size_t hashes = filo_string_find(text, FILO_STRING("###"));
    return window_id(hashes != FILO_STRING_NOT_FOUND ? title + hashes : title);
}

static UiWindow *create_window(FiloUi *ui, uint64_t id, const char *title) {
    if (!FILO_CHECK(ui->windows.count < WINDOWS, "more than %d windows: \"%s\" is one too many", WINDOWS,
                    title))
        return NULL;
    UiWindow window = { .id = id, .z = ++ui->window_z, .since = ui->frame };
    filo_string_copy(filo_string(title), window.name, sizeof window.name);
    if (!filo_array_push(&ui->windows, window)) return NULL;
    return &ui->windows.items[ui->windows.count - 1];
}

static FiloVec2 finite(FiloVec2 v) {
    return filo_vec2(v.x > -1e6f && v.x < 1e6f ? v.x : 0, v.y > -1e6f && v.y < 1e6f ? v.y : 0);
}

static void place_first(FiloUi *ui, UiWindow *window, const FiloUiWindow *desc) {
    window->placed = true;
    window->position = finite(desc->position);
    window->size = finite(desc->size);
    window->dock = desc->dock <= FILO_UI_BOTTOM ? desc->dock : FILO_UI_FLOATING;
    window->collapsed = desc->collapsed;
    if (window->position.x != 0 || window->position.y != 0) return;
    float step = (float)((ui->windows.count - 1) % 10) * 28;
    window->position = filo_vec2(24 + step, 40 + step);
}

void ui_windows_touch(FiloUi *ui, uint64_t root) {
    UiWindow *window = ui_window_find(ui, root);
    if (window != NULL) window->z = ++ui->window_z;
}

// ---- Moving and resizing -------------------------------------------------------------------------------------------

static FiloUiDock dock_at(const FiloUi *ui, FiloVec2 mouse) {
    float near = DOCK_DISTANCE * ui->scale;
    if (mouse.x < near) return FILO_UI_LEFT;
    if (mouse.x > ui->width - near) return FILO_UI_RIGHT;
    if (mouse.y < near * 0.6f) return FILO_UI_TOP;
    return mouse.y > ui->height - near ? FILO_UI_BOTTOM : FILO_UI_FLOATING;
}

static void undock(const FiloUi *ui, UiWindow *window, FiloVec2 mouse) {
    float width = filo_min(filo_rect_size(window->rect).x / ui->scale, 320);
    window->dock = FILO_UI_FLOATING;
    if (window->size.x > 0) window->size.x = filo_max(width, LEAST_WIDTH);
    window->size.y = 0;
    window->position = filo_vec2(mouse.x / ui->scale - width / 2, mouse.y / ui->scale - 10);
    window->grabbed = filo_vec2_sub(
        window->position, filo_vec2_scale(filo_vec2_sub(mouse, ui->input.pressed_at), 1 / ui->scale));
}

static void move_window(FiloUi *ui, UiWindow *window, const UiTouch *touch, unsigned flags) {
    if (touch->pressed) window->grabbed = window->position;
    if (touch->held || touch->released) {
        FiloVec2 by = filo_vec2_scale(filo_vec2_sub(touch->position, touch->pressed_at), 1 / ui->scale);
        bool far = filo_vec2_length(by) > UNDOCK_DISTANCE;
        if (window->dock != FILO_UI_FLOATING && far && (flags & FILO_UI_NO_DOCK) == 0)
            undock(ui, window, touch->position);
        else if (window->dock == FILO_UI_FLOATING && filo_vec2_length(by) > 0)
            window->position = filo_vec2_add(window->grabbed, by);
        FiloUiDock dock =
            far && (flags & FILO_UI_NO_DOCK) == 0 ? dock_at(ui, touch->position) : FILO_UI_FLOATING;
        ui->dock_preview = touch->held ? dock : FILO_UI_FLOATING;
        if (touch->released && dock != FILO_UI_FLOATING) {
            window->dock = dock;
            window->size.y = 0;
        }
    }
}

// Handles: bit 0 right, 1 bottom, 2 left, 3 top.
static void resize_window(FiloUi *ui, UiWindow *window, const FiloUiWindow *desc) {
    FiloVec2 least = filo_vec2(desc->min_size.x > 0 ? desc->min_size.x : LEAST_WIDTH,
                               desc->min_size.y > 0 ? desc->min_size.y : LEAST_HEIGHT);
    for (uint64_t handle = 1; handle < 16; handle++) {
        UiTouch touch = ui_touch(ui, filo_hash_combine(window->id, handle));
        if (!touch.pressed && !touch.held && !touch.released) continue;
        FiloVec2 size = filo_vec2_scale(filo_rect_size(window->rect), 1 / ui->scale);
        if (touch.pressed) window->grabbed = window->position, window->grabbed_size = size;
        FiloVec2 by = filo_vec2_scale(filo_vec2_sub(touch.position, touch.pressed_at), 1 / ui->scale);
        FiloVec2 start = window->grabbed_size;
        if ((handle & 1) != 0) window->size.x = filo_max(start.x + by.x, least.x);
        if ((handle & 2) != 0) window->size.y = filo_max(start.y + by.y, least.y);
        if ((handle & 4) != 0) {
            window->size.x = filo_max(start.x - by.x, least.x);
            window->position.x = window->grabbed.x + start.x - window->size.x;
        }
        if ((handle & 8) != 0) {
            window->size.y = filo_max(start.y - by.y, least.y);
            window->position.y = window->grabbed.y + start.y - window->size.y;
        }
    }
}

// ---- Look -----------------------------------------------------------------------------------------------------------

typedef struct WindowLook {
    bool docked, collapsed, front;
    float title_height;
} WindowLook;

static void paint_window(FiloUi *ui, const UiNode *node) {
    const WindowLook *look = node->data;
    const FiloUiTheme *theme = node->theme;
    float radius = look->docked ? 0 : ui_px(ui, theme->radius * 1.5f);
    if (!look->docked)
        ui_paint_shadow(ui, node->rect, theme->window,
                        ui_px(ui, theme->shadow_size * (look->front ? 1.3f : 1)), theme->shadow);
    ui_paint_round(ui, node->rect, radius, theme->window);
    if (look->title_height > 0) {
        FiloRect bar = node->rect;
        bar.max.y = filo_min(bar.min.y + look->title_height, bar.max.y);
        if (look->collapsed) {
            ui_paint_round(ui, bar, radius, theme->title);
        } else { // only its upper corners are round
            FiloRect old = ui_push_clip(ui, bar);
            bar.max.y += radius * 2;
            ui_paint_round(ui, bar, radius, theme->title);
            ui->clip = old;
            bar.max.y -= radius * 2;
            ui_paint_box(ui,
                         filo_rect(filo_vec2(bar.min.x, bar.max.y - ui_px(ui, theme->border_width)), bar.max),
                         theme->separator);
        }
    }
}

static void paint_window_edge(FiloUi *ui, const UiNode *node) {
    const WindowLook *look = node->data;
    const FiloUiTheme *theme = node->theme;
    float radius = look->docked ? 0 : ui_px(ui, theme->radius * 1.5f);
    ui_paint_outline(ui, node->rect, radius, ui_px(ui, theme->border_width), theme->border);
}

static bool title_button(FiloUi *ui, FiloUiIcon icon, const char *name) {
    filo_ui_size(ui, &(FiloUiSize){ .width = 22, .height = 22 });
    return filo_ui_button_with(ui, name, &(FiloUiButton){ .icon = icon, .plain = true });
}

static FiloVec2 measure_nothing(FiloUi *ui, const UiNode *node, float width) {
    FILO_UNUSED(ui), FILO_UNUSED(node), FILO_UNUSED(width);
    return filo_vec2(0, 0);
}

// The bar with its buttons; it moves the window.
static void add_title(FiloUi *ui, size_t index, const char *title, const FiloUiWindow *desc) {
    UiWindow *window = &ui->windows.items[index];
    UiNode *bar = ui_begin(ui, NULL, "title");
    if (bar == NULL) return;
    float height = ui_px(ui, ui_theme(ui)->control_height + 4);
    window->title_height = height;
    bar->axis = UI_ROW;
    bar->fixed[1] = height;
    bar->gap = ui_px(ui, 4);
    bool collapses = (desc->flags & FILO_UI_NO_COLLAPSE) == 0;
    bar->padding[0] = ui_px(ui, collapses ? 6 : 12);
    bar->padding[2] = ui_px(ui, 6);
    uint64_t id = filo_hash_combine(window->id, 100);
    UiTouch touch = ui_touch(ui, id);
    UiNode *handle = ui_add(ui);
    if (handle != NULL) {
        handle->id = id;
        handle->measure = measure_nothing;
        handle->flags |= UI_OUTSIDE | UI_HIT | UI_DRAGS;
    }
    if ((desc->flags & FILO_UI_NO_MOVE) == 0) move_window(ui, window, &touch, desc->flags);
    if (collapses && touch.double_clicked) window->collapsed = !window->collapsed;
    if (collapses &&
        title_button(ui, window->collapsed ? FILO_UI_ICON_RIGHT : FILO_UI_ICON_DOWN, "##collapse"))
        ui->windows.items[index].collapsed = !ui->windows.items[index].collapsed;
    UiTextStyle style = ui_text_style(ui);
    style.bold = true;
    UiNode *text = ui_add_text(ui, ui_label_text(title), &style, UI_TEXT_LEFT, false);
    if (text != NULL) text->grow = 1;
    if (desc->open != NULL && title_button(ui, FILO_UI_ICON_CLOSE, "##close")) *desc->open = false;
    ui->open.count--; // the bar has no ids of its own
}

// ---- Scroll areas ----------------------------------------------------------------------------------------------------

typedef struct ScrollBars {
    uint64_t id;
    float hover[2];
    bool held[2];
} ScrollBars;

static FiloVec2 scroll_most(const UiNode *node) {
    return filo_vec2(filo_max(node->content[0] - (node->size[0] - node->padding[0] - node->padding[2]), 0),
                     filo_max(node->content[1] - (node->size[1] - node->padding[1] - node->padding[3]), 0));
}

// The rectangles of the bar and of its thumb. False if there is nothing to scroll.
static bool bar_rects(const FiloUi *ui, const UiNode *node, int axis, FiloRect *track, FiloRect *thumb) {
    FiloVec2 most = scroll_most(node);
    float room = axis == 0 ? most.x : most.y;
    bool on = (node->flags & (axis == 0 ? UI_SCROLL_X : UI_SCROLL_Y)) != 0;
    if (!on || room < 1) return false;
    float width = ui_px(ui, node->theme->scroll_width), margin = ui_px(ui, 2);
    FiloRect r = node->rect;
    if (axis == 1)
        *track = filo_rect(filo_vec2(r.max.x - width - margin, r.min.y + margin),
                           filo_vec2(r.max.x - margin, r.max.y - margin));
    else
        *track = filo_rect(filo_vec2(r.min.x + margin, r.max.y - width - margin),
                           filo_vec2(r.max.x - margin - width, r.max.y - margin));
    float length = axis == 0 ? track->max.x - track->min.x : track->max.y - track->min.y;
    float view = axis == 0 ? node->size[0] : node->size[1];
    float size = filo_round(filo_clamp(length * view / (view + room), ui_px(ui, 20), length));
    float start = filo_round((length - size) * (axis == 0 ? node->scroll.x : node->scroll.y) / room);
    *thumb = *track;
    if (axis == 0)
        thumb->min.x += start, thumb->max.x = thumb->min.x + size;
    else
        thumb->min.y += start, thumb->max.y = thumb->min.y + size;
    return true;
}

void ui_paint_scroll_bars(FiloUi *ui, const UiNode *node) {
    const ScrollBars *bars = node->data;
    const UiNode *area = ui_node(ui, node->parent);
    for (int axis = 0; axis < 2; axis++) {
        FiloRect track, thumb;
        if (!bar_rects(ui, area, axis, &track, &thumb)) continue;
        uint64_t id = filo_hash_combine(bars->id, 200 + (uint64_t)axis);
        UiHit hit = { .id = id, .root = ui->roots.items[node->root].id, .flags = UI_HIT | UI_DRAGS };
        hit.rect = track;
        hit.visible = filo_rect_intersection(track, area->clip);
        if (!filo_rect_is_empty(hit.visible)) (void)filo_array_push(&ui->hits, hit);
        UiState *state = ui_state(ui, id);
        state->rect = track;
        state->visible = thumb;
        state->seen = ui->frame;
        float width = axis == 0 ? thumb.max.y - thumb.min.y : thumb.max.x - thumb.min.x;
        float strength = 0.35f + 0.35f * bars->hover[axis];
        ui_paint_round(ui, thumb, width / 2, filo_color_fade(area->theme->text_muted, strength));
    }
}

// How far the content can be moved, from the last frame.
static void drag_bar(FiloUi *ui, UiState *area_state, uint64_t bar_id, int axis, const UiTouch *touch) {
    UiState *bar = ui_state(ui, bar_id);
    area_state = ui_state(ui, area_state->id); // the table may have moved
    float room = area_state->values[axis];
    FiloVec2 track = filo_rect_size(bar->rect), thumb = filo_rect_size(bar->visible);
    float length = axis == 0 ? track.x - thumb.x : track.y - thumb.y;
    float *scroll = axis == 0 ? &area_state->scroll.x : &area_state->scroll.y;
    if (touch->pressed) {
        if (!filo_rect_contains(bar->visible, touch->pressed_at)) { // beside the thumb: jump there
            float at = axis == 0 ? touch->pressed_at.x - bar->rect.min.x - thumb.x / 2
                                 : touch->pressed_at.y - bar->rect.min.y - thumb.y / 2;
            if (length > 0) *scroll = filo_clamp(at / length, 0, 1) * room;
        }
        bar->values[0] = *scroll;
    }
    if (!touch->held && !touch->released) return;
    float by = axis == 0 ? touch->position.x - touch->pressed_at.x : touch->position.y - touch->pressed_at.y;
    if (length > 0) *scroll = filo_clamp(bar->values[0] + by / length * room, 0, room);
}

static void scroll_by_events(FiloUi *ui, UiState *state) {
    float line = ui_px(ui, ui_theme(ui)->control_height), page = filo_rect_size(state->rect).y * 0.9f;
    for (size_t i = 0; i < ui->event_count; i++) {
        const UiEvent *event = &ui->events[i];
        if (event->id != state->id) continue;
        if (event->kind == UI_WHEELED) {
            bool only_x = !(state->values[1] > 0);
            state->scroll.y -= only_x ? 0 : event->move.y * line * 2;
            state->scroll.x += (only_x ? -event->move.y : 0) * line * 2 + event->move.x * line * 2;
        } else if (event->kind == UI_KEY) {
            if (event->key == FILO_KEY_PAGE_DOWN) state->scroll.y += page;
            if (event->key == FILO_KEY_PAGE_UP) state->scroll.y -= page;
            if (event->key == FILO_KEY_HOME) state->scroll.y = 0;
            if (event->key == FILO_KEY_END) state->scroll.y = state->values[1];
        }
    }
    state->scroll.x = filo_clamp(state->scroll.x, 0, filo_max(state->values[0], 0));
    state->scroll.y = filo_clamp(state->scroll.y, 0, filo_max(state->values[1], 0));
}

void ui_scroll_bars(FiloUi *ui, uint64_t id) {
    uint32_t area = ui_top(ui)->node;
    ScrollBars *bars = ui_new(ui, ScrollBars);
    UiNode *node = ui_add(ui);
    if (bars == NULL || node == NULL) return;
    bars->id = id;
    node->flags |= UI_OUTSIDE;
    node->measure = measure_nothing;
    node->data = bars;
    node->paint_over = ui_paint_scroll_bars; // painted after its siblings: see paint_tree.c
    UiState *state = ui_state(ui, id);
    state->seen = ui->frame;
    scroll_by_events(ui, state);
    for (int axis = 0; axis < 2; axis++) {
        uint64_t bar_id = filo_hash_combine(id, 200 + (uint64_t)axis);
        UiTouch touch = ui_touch(ui, bar_id);
        if (touch.pressed || touch.held || touch.released)
            drag_bar(ui, ui_state(ui, id), bar_id, axis, &touch);
        UiState *bar = ui_state(ui, bar_id);
        bars->hover[axis] = bar->hover =
            ui_animate(ui, bar->hover, touch.hovered || touch.held ? 1.0f : 0.0f);
        bars->held[axis] = touch.held;
    }
    ui_node(ui, area)->scroll = ui_state(ui, id)->scroll;
}

static void paint_area(FiloUi *ui, const UiNode *node) {
    const FiloUiTheme *theme = node->theme;
    float radius = ui_px(ui, theme->radius);
    ui_paint_round(ui, node->rect, radius, theme->panel);
    ui_paint_outline(ui, node->rect, radius, ui_px(ui, theme->border_width), theme->separator);
}

bool filo_ui_begin_scroll(FiloUi *ui, const char *name, const FiloUiScroll *scroll) {
    if (!ui_usable(ui)) return false;
    const FiloUiScroll empty = { 0 };
    if (scroll == NULL) scroll = &empty;
    bool clash;
    uint64_t id = ui_claim(ui, name, &clash);
    UiNode *node = ui_begin(ui, "filo_ui_begin_scroll", name);
    if (node == NULL) return false;
    node->id = id;
    node->flags |= UI_SCROLL_Y | (scroll->horizontal ? UI_SCROLL_X : 0);
    if (scroll->height > 0) node->fixed[1] = ui_px(ui, scroll->height);
    if (scroll->max_height > 0) node->max[1] = ui_px(ui, scroll->max_height);
    if (scroll->height <= 0 && scroll->max_height <= 0 && node->fixed[1] <= 0)
        node->grow = filo_max(node->grow, 1);
    if (!scroll->plain) {
        node->paint = paint_area;
        for (int i = 0; i < 4; i++) node->padding[i] = ui_px(ui, 8);
    }
    node->padding[2] += ui_px(ui, ui_theme(ui)->scroll_width * 0.5f + 2);
    ui_top(ui)->id = id;
    ui_push_raw_id(ui, id);
    UiState *state = ui_state(ui, id);
    if (scroll->to_end && (!state->known || state->scroll.y >= state->values[1] - 1)) state->number = 1;
    ui_scroll_bars(ui, id);
    if (scroll->to_end && ui_state(ui, id)->number == 1) {
        ui_state(ui, id)->number = 0;
        ui_node(ui, ui_top(ui)->node)->scroll.y = 1e9f; // clamped by the layout
    }
    return true;
}

// ---- Windows -----------------------------------------------------------------------------------------------------------

static UiNode *begin_window_root(FiloUi *ui, size_t index, const char *title, const FiloUiWindow *desc) {
    uint64_t id = ui->windows.items[index].id;
    WindowLook *look = ui_new(ui, WindowLook);
    UiNode *node = ui_begin_root(ui, "filo_ui_begin_window", title, UI_ROOT_WINDOW, id);
    if (node == NULL || look == NULL) return node;
    const UiWindow *window = &ui->windows.items[index];
    UiRoot *root = &ui->roots.items[node->root];
    root->window = index;
    root->menu = (desc->flags & FILO_UI_MENU) != 0;
    look->docked = window->dock != FILO_UI_FLOATING;
    look->front = window->z == ui->window_z;
    node->gap = 0;
    node->data = look;
    if ((desc->flags & FILO_UI_NO_BACKGROUND) == 0) {
        node->paint = paint_window;
        node->paint_over = paint_window_edge;
        node->flags |= UI_BLOCKS;
    }
    FiloVec2 least = finite(desc->min_size), most = finite(desc->max_size);
    node->min[0] = ui_px(ui, least.x > 0 ? least.x : LEAST_WIDTH);
    node->max[0] = most.x > 0 ? ui_px(ui, most.x) : ui->width;
    node->max[1] = most.y > 0 ? ui_px(ui, most.y) : ui->height;
    node->columns = (desc->flags & FILO_UI_NO_RESIZE) != 0; // read by paint_tree.c: no handles
    ui_top(ui)->id = id;
    ui_push_raw_id(ui, id);
    return node;
}

bool filo_ui_begin_window(FiloUi *ui, const char *title, const FiloUiWindow *desc) {
    if (!ui_usable(ui)) return false;
    const FiloUiWindow empty = { 0 };
    if (desc == NULL) desc = &empty;
    if (title == NULL) title = "";
    uint64_t id = id_of_title(title);
    UiWindow *window = ui_window_find(ui, id);
    if (window == NULL && (desc->open == NULL || *desc->open)) window = create_window(ui, id, title);
    bool twice = window != NULL && window->seen == ui->frame;
    if (twice && window->since != 0) {
        filo_log_warn("ui", "two windows \"%.64s\": give each a title of its own, or add \"##\"", title);
        window->since = 0; // reported
    }
    if (window == NULL || twice || (desc->open != NULL && !*desc->open)) {
        ui_begin_hidden(ui, "filo_ui_begin_window", title);
        return false;
    }
    if (!window->placed) place_first(ui, window, desc);
    window->seen = ui->frame;
    size_t index = (size_t)(window - ui->windows.items);
    if ((desc->flags & FILO_UI_NO_RESIZE) == 0) resize_window(ui, window, desc);
    UiNode *root = begin_window_root(ui, index, title, desc);
    if (root == NULL) return false;
    if (root->data == NULL) return false;
    WindowLook *look = root->data;
    if ((desc->flags & FILO_UI_MENU) != 0) ui->next_menu_root = id;
    if ((desc->flags & FILO_UI_NO_TITLE) == 0) {
        add_title(ui, index, title, desc);
        look->title_height = ui->windows.items[index].title_height;
    }
    window = &ui->windows.items[index];
    look->collapsed = window->collapsed && (desc->flags & FILO_UI_NO_TITLE) == 0;
    bool visible = !look->collapsed && (desc->open == NULL || *desc->open);
    UiOpen *open = ui_top(ui);
    open->kind = UI_OPEN_ROOT;
    ui->last_id = 0;
    ui->last = UI_NONE;
    if (!visible) {
        open->hidden = true;
        return false;
    }
    // The content. It is closed together with the window: see filo_ui_end.
    UiNode *content = ui_begin(ui, NULL, title);
    if (content == NULL) return true;
    content->id = filo_hash_combine(id, 101);
    content->grow = 1;
    bool scrolls = (desc->flags & FILO_UI_NO_SCROLL) == 0;
    content->flags |= scrolls ? UI_SCROLL_Y | UI_SCROLL_X : UI_CLIP;
    for (int i = 0; i < 4; i++) content->padding[i] = ui_px(ui, ui_theme(ui)->padding);
    ui->open_window = ui_index(ui, content);
    if (scrolls) ui_scroll_bars(ui, content->id);
    return true;
}

// ---- Panels ------------------------------------------------------------------------------------------------------------

static void paint_panel(FiloUi *ui, const UiNode *node) {
    const FiloUiTheme *theme = node->theme;
    float radius = ui_px(ui, theme->radius * 1.5f);
    ui_paint_shadow(ui, node->rect, theme->window, ui_px(ui, theme->shadow_size), theme->shadow);
    ui_paint_round(ui, node->rect, radius, theme->window);
    ui_paint_outline(ui, node->rect, radius, ui_px(ui, theme->border_width), theme->border);
}

static bool is_panel_begun(const FiloUi *ui, uint64_t id) {
    filo_array_each (&ui->roots, root)
        if (root->id == id) return true;
    return false;
}

// The id of a panel. A second one of the same name is reported once, and gets another id.
static uint64_t claim_panel(FiloUi *ui, const char *name) {
    const uint64_t id = filo_hash_combine(3, filo_hash_text(name));
    if (!is_panel_begun(ui, id)) return id;
    UiState *state = ui_state(ui, id);
    if (!state->clash_reported)
        filo_log_warn("ui", "two panels \"%.64s\": give each a name of its own", name != NULL ? name : "");
    state->clash_reported = true;
    uint64_t other = id;
    for (uint64_t n = 1; is_panel_begun(ui, other); n++) other = filo_hash_combine(id, n);
    return other;
}

bool filo_ui_begin_panel(FiloUi *ui, const char *name, const FiloUiPanel *desc) {
    if (!ui_usable(ui)) return false;
    const FiloUiPanel empty = { 0 };
    if (desc == NULL) desc = &empty;
    uint64_t id = claim_panel(ui, name);
    UiNode *node = ui_begin_root(ui, "filo_ui_begin_panel", name, UI_ROOT_PANEL, id);
    if (node == NULL) return false;
    UiRoot *root = &ui->roots.items[node->root];
    root->anchor = finite(desc->anchor);
    root->offset = finite(desc->offset);
    root->menu = (desc->flags & FILO_UI_MENU) != 0;
    if (root->menu) ui->next_menu_root = id;
    FiloVec2 size = finite(desc->size), most = finite(desc->max_size);
    node->fixed[0] = ui_px(ui, size.x);
    node->fixed[1] = ui_px(ui, size.y);
    node->max[0] = most.x > 0 ? filo_min(ui_px(ui, most.x), ui->width) : ui->width;
    node->max[1] = most.y > 0 ? filo_min(ui_px(ui, most.y), ui->height) : ui->height;
    if ((desc->flags & FILO_UI_NO_BACKGROUND) == 0) {
        node->paint = paint_panel;
        node->flags |= UI_BLOCKS;
        for (int i = 0; i < 4; i++) node->padding[i] = ui_px(ui, ui_theme(ui)->padding);
    }
    ui_top(ui)->id = id;
    ui_push_raw_id(ui, id);
    if ((desc->flags & FILO_UI_NO_SCROLL) == 0) {
        node->flags |= UI_SCROLL_Y;
        ui_scroll_bars(ui, id);
    }
    return true;
}

// ---- By the program ------------------------------------------------------------------------------------------------------

static UiWindow *known_window(FiloUi *ui, const char *title) {
    if (!FILO_CHECK(ui != NULL && title != NULL, "pass the UI and the title of a window")) return NULL;
    return ui_window_find(ui, id_of_title(title));
}

bool filo_ui_place_window(FiloUi *ui, const char *title, FiloVec2 position, FiloVec2 size, FiloUiDock dock) {
    UiWindow *window = known_window(ui, title);
    if (window == NULL) return false;
    window->position = finite(position);
    window->size = finite(size);
    window->dock = dock <= FILO_UI_BOTTOM ? dock : FILO_UI_FLOATING;
    window->placed = true;
    return true;
}

bool filo_ui_collapse_window(FiloUi *ui, const char *title, bool collapsed) {
    UiWindow *window = known_window(ui, title);
    if (window != NULL) window->collapsed = collapsed;
    return window != NULL;
}

bool filo_ui_raise_window(FiloUi *ui, const char *title) {
    UiWindow *window = known_window(ui, title);
    if (window != NULL) window->z = ++ui->window_z;
    return window != NULL;
}
