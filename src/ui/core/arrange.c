// Sizes and positions of roots: windows, docked windows, panels, popups, tooltips.
//
// Docked windows share the screen below the bar. Those on the left and on the right take its whole height, and divide
// it; those at the top and at the bottom divide what remains between them.

#include "ui/ui.h"

#define DOCK_SHARE 0.6f // of the screen, at most

typedef struct Dock {
    float thickness[5]; // by FiloUiDock
    int count[5], next[5];
} Dock;

static FiloUiDock dock_of(const FiloUi *ui, const UiRoot *root) {
    if (root->window == SIZE_MAX) return FILO_UI_FLOATING;
    return ui->windows.items[root->window].dock;
}

static bool is_visible(FiloUi *ui, const UiRoot *root) {
    return (ui_node(ui, root->node)->flags & UI_HIDDEN) == 0;
}

static bool is_side(FiloUiDock dock) { return dock == FILO_UI_LEFT || dock == FILO_UI_RIGHT; }

static float area_top(const FiloUi *ui) { return ui->bar_height; }

// The widths of the strips on both sides.
static void measure_sides(FiloUi *ui, Dock *docks) {
    filo_array_each (&ui->roots, root) {
        FiloUiDock dock = dock_of(ui, root);
        if (dock == FILO_UI_FLOATING || !is_visible(ui, root)) continue;
        docks->count[dock]++;
        if (!is_side(dock)) continue;
        const UiWindow *window = &ui->windows.items[root->window];
        float width = window->size.x > 0 ? ui_px(ui, window->size.x) : ui_node(ui, root->node)->fit[0];
        width = filo_min(width, filo_floor(ui->width * DOCK_SHARE));
        docks->thickness[dock] = filo_max(docks->thickness[dock], width);
    }
}

static float part_of(float whole, int index, int count) {
    float from = filo_round(whole * (float)index / (float)count),
          to = filo_round(whole * (float)(index + 1) / (float)count);
    return to - from;
}

static void set_width(FiloUi *ui, const UiRoot *root, Dock *docks) {
    UiNode *node = ui_node(ui, root->node);
    FiloUiDock dock = dock_of(ui, root);
    float width = node->fit[0];
    if (is_side(dock)) {
        width = docks->thickness[dock];
    } else if (dock != FILO_UI_FLOATING) {
        float whole = ui->width - docks->thickness[FILO_UI_LEFT] - docks->thickness[FILO_UI_RIGHT];
        width = part_of(filo_max(whole, 1), docks->next[dock]++, FILO_MAX(docks->count[dock], 1));
    } else if (root->window != SIZE_MAX) {
        const UiWindow *window = &ui->windows.items[root->window];
        if (window->size.x > 0) width = filo_max(ui_px(ui, window->size.x), node->min[0]);
        if (node->max[0] > 0) width = filo_min(width, node->max[0]);
        width = filo_min(width, ui->width);
    } else if (root->kind == UI_ROOT_BAR) {
        width = ui->width;
    } else {
        width = filo_min(filo_max(width, root->kind == UI_ROOT_POPUP ? filo_rect_size(root->beside).x : 0),
                         ui->width);
    }
    node->size[0] = filo_max(width, 1);
}

void ui_arrange_widths(FiloUi *ui) {
    Dock docks = { 0 };
    measure_sides(ui, &docks);
    filo_array_each (&ui->roots, root)
        if (is_visible(ui, root)) set_width(ui, root, &docks);
    ui->free_area = filo_rect(filo_vec2(docks.thickness[FILO_UI_LEFT], area_top(ui)),
                              filo_vec2(ui->width - docks.thickness[FILO_UI_RIGHT], ui->height));
}

// ---- Heights -----------------------------------------------------------------------------------------------------

static float strip_height(FiloUi *ui, const UiRoot *root) {
    const UiWindow *window = &ui->windows.items[root->window];
    if (window->collapsed) return window->title_height;
    float height = window->size.y > 0 ? ui_px(ui, window->size.y) : ui_node(ui, root->node)->fit[1];
    return filo_min(height, filo_floor((ui->height - area_top(ui)) * DOCK_SHARE));
}

void ui_arrange_heights(FiloUi *ui) {
    float top = 0, bottom = 0;
    int sides[2] = { 0, 0 }, next[2] = { 0, 0 };
    filo_array_each (&ui->roots, root) {
        FiloUiDock dock = dock_of(ui, root);
        if (!is_visible(ui, root) || dock == FILO_UI_FLOATING) continue;
        if (dock == FILO_UI_TOP) top = filo_max(top, strip_height(ui, root));
        if (dock == FILO_UI_BOTTOM) bottom = filo_max(bottom, strip_height(ui, root));
        if (is_side(dock)) sides[dock == FILO_UI_RIGHT]++;
    }
    ui->free_area.min.y = area_top(ui) + top;
    ui->free_area.max.y = ui->height - bottom;
    float whole = ui->height - area_top(ui);
    filo_array_each (&ui->roots, root) {
        UiNode *node = ui_node(ui, root->node);
        FiloUiDock dock = dock_of(ui, root);
        float height = node->fit[1];
        if (is_side(dock)) {
            int side = dock == FILO_UI_RIGHT;
            if (is_visible(ui, root)) height = part_of(whole, next[side]++, FILO_MAX(sides[side], 1));
        } else if (dock == FILO_UI_TOP || dock == FILO_UI_BOTTOM) {
            height = dock == FILO_UI_TOP ? top : bottom;
        } else if (root->window != SIZE_MAX) {
            const UiWindow *window = &ui->windows.items[root->window];
            bool chosen = window->size.y > 0 && !window->collapsed;
            if (chosen) height = ui_px(ui, window->size.y);
            // One that follows its content ends above the lower edge of the screen, if it begins high enough.
            float below = ui->height - filo_max(window->position.y * ui->scale, area_top(ui)) - ui_px(ui, 8);
            if (!chosen) height = filo_min(height, filo_max(filo_floor(below), ui_px(ui, 160)));
            height = filo_min(height, filo_max(whole, 1));
        } else {
            height = filo_min(height, ui->height);
        }
        node->size[1] = height;
    }
}

// ---- Positions -----------------------------------------------------------------------------------------------------

static FiloVec2 docked_position(FiloUi *ui, const UiRoot *root, float used[5]) {
    const UiNode *node = ui_node(ui, root->node);
    FiloUiDock dock = dock_of(ui, root);
    float at = used[dock];
    used[dock] += is_side(dock) ? node->size[1] : node->size[0];
    switch (dock) {
    case FILO_UI_LEFT: return filo_vec2(0, area_top(ui) + at);
    case FILO_UI_RIGHT: return filo_vec2(ui->width - node->size[0], area_top(ui) + at);
    case FILO_UI_TOP: return filo_vec2(ui->free_area.min.x + at, area_top(ui));
    default: return filo_vec2(ui->free_area.min.x + at, ui->height - node->size[1]);
    }
}

// A window stays within reach: a part of its title is always on the screen.
static FiloVec2 window_position(FiloUi *ui, UiWindow *window, const UiNode *node) {
    float seen = ui_px(ui, 48), bar = ui_px(ui, 24);
    FiloVec2 at =
        filo_vec2(filo_round(window->position.x * ui->scale), filo_round(window->position.y * ui->scale));
    at.x = filo_clamp(at.x, seen - node->size[0], filo_max(ui->width - seen, 0));
    at.y = filo_clamp(at.y, area_top(ui), filo_max(ui->height - bar, area_top(ui)));
    return at;
}

static FiloVec2 panel_position(const FiloUi *ui, const UiRoot *root, const UiNode *node) {
    FiloVec2 room = filo_vec2(ui->width - node->size[0], ui->height - area_top(ui) - node->size[1]);
    return filo_vec2(filo_round(room.x * root->anchor.x + root->offset.x * ui->scale),
                     filo_round(area_top(ui) + room.y * root->anchor.y + root->offset.y * ui->scale));
}

// Below the rectangle that it belongs to, or above, or beside it: where there is room.
static FiloVec2 popup_position(FiloUi *ui, const UiRoot *root, const UiNode *node) {
    FiloRect beside = root->beside;
    float width = node->size[0], height = node->size[1], gap = ui_px(ui, 3);
    FiloVec2 at;
    if (root->to_the_side) {
        at = filo_vec2(beside.max.x + gap, beside.min.y - ui_px(ui, 4));
        if (at.x + width > ui->width && beside.min.x - gap - width >= 0) at.x = beside.min.x - gap - width;
    } else {
        at = filo_vec2(beside.min.x, beside.max.y + gap);
        if (at.y + height > ui->height && beside.min.y - gap - height >= 0)
            at.y = beside.min.y - gap - height;
    }
    at.x = filo_max(filo_min(at.x, ui->width - width), 0);
    at.y = filo_max(filo_min(at.y, ui->height - height), 0);
    return filo_vec2(filo_round(at.x), filo_round(at.y));
}

void ui_arrange_positions(FiloUi *ui) {
    float used[5] = { 0 };
    const FiloRect screen = filo_rect(filo_vec2(0, 0), filo_vec2(ui->width, ui->height));
    filo_array_each (&ui->roots, root) {
        UiNode *node = ui_node(ui, root->node);
        if (!is_visible(ui, root)) continue;
        FiloVec2 at = filo_vec2(0, 0);
        switch (root->kind) {
        case UI_ROOT_PANEL:
        case UI_ROOT_MODAL: at = panel_position(ui, root, node); break;
        case UI_ROOT_WINDOW:
            at = dock_of(ui, root) != FILO_UI_FLOATING
                     ? docked_position(ui, root, used)
                     : window_position(ui, &ui->windows.items[root->window], node);
            break;
        case UI_ROOT_BAR: break;
        default: at = popup_position(ui, root, node); break;
        }
        node->rect = filo_rect_from_size(at, filo_vec2(node->size[0], node->size[1]));
        node->clip = screen;
        if (root->window != SIZE_MAX) ui->windows.items[root->window].rect = node->rect;
    }
}

// ---- Order -----------------------------------------------------------------------------------------------------------

static uint64_t order_of(const FiloUi *ui, const UiRoot *root) {
    static const uint64_t classes[] = {
        [UI_ROOT_PANEL] = 0, [UI_ROOT_WINDOW] = 2,  [UI_ROOT_BAR] = 3, [UI_ROOT_MODAL] = 4,
        [UI_ROOT_POPUP] = 5, [UI_ROOT_TOOLTIP] = 6, [UI_ROOT_DRAG] = 7
    };
    uint64_t order = classes[root->kind], within = (uint64_t)(root - ui->roots.items);
    if (root->kind == UI_ROOT_PANEL && root->menu) order = 3; // the menu of a game is above tools
    if (root->window != SIZE_MAX) {
        within = ui->windows.items[root->window].z;
        if (ui->windows.items[root->window].dock != FILO_UI_FLOATING) order = 1;
    }
    return order << 48 | (within & 0xFFFFFFFFFFFF);
}

// Insertion sort: there are few roots, and their order seldom changes.
uint32_t *ui_sort_roots(FiloUi *ui) {
    UiRoot *roots = ui->roots.items;
    uint32_t *order = ui_alloc(ui, (ui->roots.count + 1) * sizeof *order);
    if (order == NULL) return NULL;
    for (size_t i = 0; i < ui->roots.count; i++) roots[i].order = order_of(ui, &roots[i]);
    for (size_t i = 0; i < ui->roots.count; i++) {
        size_t j = i;
        for (; j > 0 && roots[order[j - 1]].order > roots[i].order; j--) order[j] = order[j - 1];
        order[j] = (uint32_t)i;
    }
    return order;
}
