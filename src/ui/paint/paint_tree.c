// Paints the tree of a frame, root by root, and stores where its widgets are.

#include "ui/ui.h"

#define HANDLE_INSIDE  3.0f // points: how far the edges by which a window is resized reach
#define HANDLE_OUTSIDE 4.0f
#define HANDLE_CORNER  12.0f

static void add_hit(FiloUi *ui, const UiHit *hit) {
    if (!filo_rect_is_empty(hit->visible)) (void)filo_array_push(&ui->hits, *hit);
}

// What the next frame reads about this node.
static void store(FiloUi *ui, const UiNode *node) {
    UiState *state = ui_state(ui, node->id);
    state->rect = node->rect;
    state->visible = filo_rect_intersection(node->rect, node->clip);
    state->known = true;
    state->seen = ui->frame;
    // What follows the mouse takes no input: it goes to what is behind.
    const UiRootKind kind = ui->roots.items[node->root].kind;
    if (kind == UI_ROOT_TOOLTIP || kind == UI_ROOT_DRAG) return;
    UiHit hit = { .id = node->id,
                  .root = ui->roots.items[node->root].id,
                  .rect = node->rect,
                  .visible = state->visible,
                  .flags = node->flags };
    if ((node->flags & (UI_SCROLL_X | UI_SCROLL_Y)) != 0) {
        float x = node->content[0] - (node->size[0] - node->padding[0] - node->padding[2]);
        float y = node->content[1] - (node->size[1] - node->padding[1] - node->padding[3]);
        state->scroll = node->scroll;
        state->values[0] = (node->flags & UI_SCROLL_X) != 0 ? filo_max(x, 0) : 0;
        state->values[1] = (node->flags & UI_SCROLL_Y) != 0 ? filo_max(y, 0) : 0;
        hit.scroll_room[0] = node->scroll;
        hit.scroll_room[1] = filo_vec2(state->values[0] - node->scroll.x, state->values[1] - node->scroll.y);
    }
    if ((node->flags & UI_DISABLED) != 0) hit.flags &= ~(uint32_t)(UI_FOCUSABLE | UI_HIT);
    // A focusable widget that is scrolled out of sight can still be reached by keys.
    if ((node->flags & UI_FOCUSABLE) != 0 && filo_rect_is_empty(hit.visible) &&
        (hit.flags & UI_DISABLED) == 0) {
        hit.flags &= ~(uint32_t)UI_HIT;
        (void)filo_array_push(&ui->hits, hit);
        return;
    }
    if ((hit.flags & (UI_HIT | UI_BLOCKS | UI_FOCUSABLE | UI_WHEEL | UI_SCROLL_X | UI_SCROLL_Y)) != 0)
        add_hit(ui, &hit);
}

static bool has_label(const UiNode *node) { return (node->flags & UI_CLASH) != 0; }

static void paint_node(FiloUi *ui, const UiNode *node) {
    ui->clip = node->clip;
    if (node->paint != NULL && filo_rect_overlaps(filo_rect_expand(node->rect, 64), node->clip))
        node->paint(ui, node);
    if (node->id != 0) store(ui, node);
    float width = ui_px(ui, 2);
    if ((node->flags & UI_DROP_TARGET) != 0)
        ui_paint_outline(ui, node->rect, ui_px(ui, node->theme->radius), width, node->theme->focus);
#ifndef NDEBUG
    if (has_label(node)) ui_paint_outline(ui, node->rect, 0, width, FILO_COLOR_MAGENTA);
#else
    FILO_UNUSED(has_label);
#endif
}

// Nodes whose `paint_over` is set among the children of a node without one, such as scroll bars, are painted after all
// of their siblings.
static void end_node(FiloUi *ui, const UiNode *node) {
    for (uint32_t i = node->first; i != UI_NONE; i = ui_node(ui, i)->next) {
        const UiNode *child = ui_node(ui, i);
        if ((child->flags & UI_OUTSIDE) == 0 || child->paint_over == NULL || (child->flags & UI_HIDDEN) != 0)
            continue;
        ui->clip = node->clip;
        child->paint_over(ui, child);
    }
    if (node->paint_over == NULL || (node->flags & UI_OUTSIDE) != 0) return;
    ui->clip = node->clip;
    node->paint_over(ui, node);
}

// From a node to the next in preorder, ending those that are left behind. UI_NONE after `root`.
static uint32_t next_node(FiloUi *ui, uint32_t index, uint32_t root, bool skip) {
    if (!skip && ui_node(ui, index)->first != UI_NONE) return ui_node(ui, index)->first;
    while (true) {
        if (!skip) end_node(ui, ui_node(ui, index));
        skip = false;
        if (index == root) return UI_NONE;
        if (ui_node(ui, index)->next != UI_NONE) return ui_node(ui, index)->next;
        index = ui_node(ui, index)->parent;
    }
}

static void paint_subtree(FiloUi *ui, uint32_t root) {
    for (uint32_t index = root; index != UI_NONE;) {
        const UiNode *node = ui_node(ui, index);
        bool hidden = (node->flags & UI_HIDDEN) != 0;
        if (!hidden) paint_node(ui, node);
        index = next_node(ui, index, root, hidden);
    }
}

// ---- Windows -------------------------------------------------------------------------------------------------------

static void add_handle(FiloUi *ui, const UiWindow *window, uint64_t handle, FiloRect rect) {
    bool x = (handle & 5) != 0;
    add_hit(ui, &(UiHit){ .id = filo_hash_combine(window->id, handle),
                          .root = window->id,
                          .rect = rect,
                          .visible = rect,
                          .flags = UI_HIT | UI_DRAGS | (x ? UI_CURSOR_X : 0) |
                                   ((handle & 10) != 0 ? UI_CURSOR_Y : 0) });
}

static void add_handles(FiloUi *ui, const UiWindow *window) {
    FiloRect r = window->rect;
    float in = ui_px(ui, HANDLE_INSIDE), out = ui_px(ui, HANDLE_OUTSIDE), corner = ui_px(ui, HANDLE_CORNER);
    bool floating = window->dock == FILO_UI_FLOATING;
    FiloRect outer = filo_rect_expand(r, out);
    bool wide = floating || window->dock == FILO_UI_LEFT;
    if (wide)
        add_handle(ui, window, 1,
                   filo_rect(filo_vec2(r.max.x - in, r.min.y), filo_vec2(outer.max.x, r.max.y)));
    if (floating || window->dock == FILO_UI_RIGHT)
        add_handle(ui, window, 4,
                   filo_rect(filo_vec2(outer.min.x, r.min.y), filo_vec2(r.min.x + in, r.max.y)));
    if (window->collapsed) return;
    if (floating || window->dock == FILO_UI_TOP)
        add_handle(ui, window, 2,
                   filo_rect(filo_vec2(r.min.x, r.max.y - in), filo_vec2(r.max.x, outer.max.y)));
    if (floating || window->dock == FILO_UI_BOTTOM)
        add_handle(ui, window, 8,
                   filo_rect(filo_vec2(r.min.x, outer.min.y), filo_vec2(r.max.x, r.min.y + in)));
    if (!floating) return;
    add_handle(ui, window, 3, filo_rect(filo_vec2(r.max.x - corner, r.max.y - corner), outer.max));
    add_handle(ui, window, 6,
               filo_rect(filo_vec2(outer.min.x, r.max.y - in), filo_vec2(r.min.x + corner, outer.max.y)));
}

static void paint_grip(FiloUi *ui, const UiWindow *window, const FiloUiTheme *theme) {
    if (window->dock != FILO_UI_FLOATING || window->collapsed) return;
    FiloVec2 corner = window->rect.max;
    for (int i = 1; i <= 2; i++) {
        float d = ui_px(ui, 3.5f * (float)i + 1), m = ui_px(ui, 3);
        ui_paint_line(ui, filo_vec2(corner.x - d - m + ui_px(ui, 1), corner.y - m),
                      filo_vec2(corner.x - m, corner.y - d - m + ui_px(ui, 1)), filo_max(ui->scale, 1),
                      filo_color_fade(theme->text_muted, 0.6f));
    }
}

static void paint_dock_preview(FiloUi *ui) {
    FiloUiDock dock = ui->dock_preview;
    ui->dock_preview = FILO_UI_FLOATING;
    if (dock == FILO_UI_FLOATING) return;
    FiloRect r = filo_rect(filo_vec2(0, ui->bar_height), filo_vec2(ui->width, ui->height));
    float side = filo_round(ui->width * 0.22f), strip = filo_round(ui->height * 0.28f);
    if (dock == FILO_UI_LEFT) r.max.x = side;
    if (dock == FILO_UI_RIGHT) r.min.x = r.max.x - side;
    if (dock == FILO_UI_TOP) r.max.y = r.min.y + strip;
    if (dock == FILO_UI_BOTTOM) r.min.y = r.max.y - strip;
    ui->clip = r;
    ui_paint_box(ui, r, filo_color_fade(ui->theme.accent, 0.25f));
    ui_paint_outline(ui, r, 0, ui_px(ui, 2), ui->theme.accent);
}

static void dim_behind(FiloUi *ui, const UiRoot *root) {
    if (root->kind != UI_ROOT_MODAL) return;
    ui->clip = filo_rect(filo_vec2(0, 0), filo_vec2(ui->width, ui->height));
    ui_paint_box(ui, ui->clip, filo_color_fade(ui->theme.dim, ui_state(ui, root->id)->open_amount));
}

void ui_paint_tree(FiloUi *ui) {
    filo_array_clear(&ui->hits);
    if (ui->out_of_memory || ui->roots.count == 0) return;
    ui_atlas_update(ui); // not before: a game without panels needs no image
    ui->stats.widgets = ui->stats.containers = 0;
    const uint32_t *order = ui_sort_roots(ui);
    for (size_t n = 0; order != NULL && n < ui->roots.count; n++) {
        const UiRoot *root = &ui->roots.items[order[n]];
        UiNode *node = ui_node(ui, root->node);
        if ((node->flags & UI_HIDDEN) != 0) continue;
        UiState *state = ui_state(ui, root->id);
        if (state->seen + 1 < ui->frame) state->open_amount = 0; // it was closed meanwhile
        state->open_amount = ui_animate(ui, state->open_amount, 1);
        ui->fade = state->open_amount;
        dim_behind(ui, root);
        paint_subtree(ui, root->node);
        const UiWindow *window = root->window != SIZE_MAX ? &ui->windows.items[root->window] : NULL;
        if (window != NULL && node->columns == 0) {
            add_handles(ui, window);
            ui->clip = node->clip;
            if (node->paint != NULL) paint_grip(ui, window, node->theme);
        }
        ui->fade = 1;
    }
    ui->fade = 1;
    for (size_t i = 0; i < ui->nodes.count; i++) {
        bool container = (ui->nodes.items[i].flags & UI_CONTAINER) != 0;
        *(container ? &ui->stats.containers : &ui->stats.widgets) += 1;
    }
    paint_dock_preview(ui);
}
