// The tree of a frame: nodes, and the stack of open containers.

#include "ui/ui.h"

#include <string.h>

UiOpen *ui_top(FiloUi *ui) { return ui->open.count > 0 ? &ui->open.items[ui->open.count - 1] : NULL; }

bool ui_is_hidden(const FiloUi *ui) {
    return ui->open_lost > 0 || (ui->open.count > 0 && ui->open.items[ui->open.count - 1].hidden);
}

static float size_or_zero(const FiloUi *ui, float points) { return ui_px(ui, points); }

void ui_apply_size(FiloUi *ui, UiNode *node) {
    if (!ui->has_next_size) return;
    const FiloUiSize *s = &ui->next_size;
    ui->has_next_size = false;
    if (s->width > 0) node->fixed[0] = size_or_zero(ui, s->width);
    if (s->height > 0) node->fixed[1] = size_or_zero(ui, s->height);
    if (s->min_width > 0) node->min[0] = size_or_zero(ui, s->min_width);
    if (s->min_height > 0) node->min[1] = size_or_zero(ui, s->min_height);
    if (s->max_width > 0) node->max[0] = size_or_zero(ui, s->max_width);
    if (s->max_height > 0) node->max[1] = size_or_zero(ui, s->max_height);
    if (s->grow > 0) node->grow = filo_min(s->grow, 1e6f);
    if (s->align != FILO_UI_ALIGN_DEFAULT) node->align = (uint8_t)s->align;
}

static void link_child(FiloUi *ui, uint32_t parent, uint32_t child) {
    UiNode *p = ui_node(ui, parent);
    if (p->last == UI_NONE)
        p->first = child;
    else
        ui_node(ui, p->last)->next = child;
    p->last = child;
}

static UiNode *append(FiloUi *ui, uint32_t parent, uint32_t root) {
    UiNode node = { .parent = parent,
                    .first = UI_NONE,
                    .last = UI_NONE,
                    .next = UI_NONE,
                    .root = root,
                    .theme = ui_theme(ui) };
    if (!filo_array_push(&ui->nodes, node)) {
        ui->out_of_memory = true;
        return NULL;
    }
    uint32_t index = (uint32_t)ui->nodes.count - 1;
    if (parent != UI_NONE) link_child(ui, parent, index);
    return ui_node(ui, index);
}

UiNode *ui_add(FiloUi *ui) {
    if (ui->out_of_memory) return NULL;
    UiOpen *top = ui_top(ui);
    if (top == NULL) { // outside of windows: an invisible panel at the upper left corner
        (void)filo_ui_begin_panel(ui, "##screen", &(FiloUiPanel){ .flags = FILO_UI_NO_BACKGROUND });
        top = ui_top(ui);
        if (top == NULL) return NULL;
    }
    const UiNode *parent = ui_node(ui, top->node);
    uint32_t hidden = parent->flags & UI_HIDDEN;
    if (ui_is_hidden(ui)) hidden = UI_HIDDEN;
    float indent = top->indent;
    bool column = parent->axis == UI_COLUMN;
    UiNode *node = append(ui, top->node, parent->root);
    if (node == NULL) return NULL;
    node->flags = hidden | (ui->disabled > 0 ? UI_DISABLED : 0);
    node->indent = column ? indent : 0;
    return node;
}

UiNode *ui_add_widget(FiloUi *ui, uint64_t id) {
    UiNode *node = ui_add(ui);
    ui->last_id = id;
    ui->last_committed = false;
    if (node == NULL) {
        ui->last = UI_NONE;
        return NULL;
    }
    node->id = id;
    ui->last = ui_index(ui, node);
    ui_apply_size(ui, node);
    ui->stats.widgets++;
    return node;
}

// ---- Containers -------------------------------------------------------------------------------------------------

static bool push_open(FiloUi *ui, const UiNode *node, const char *function, const char *name) {
    UiOpen open = { .node = node != NULL ? ui_index(ui, node) : UI_NONE,
                    .function = function,
                    .id_depth = ui->id_count,
                    .style_depth = ui->style_count,
                    .last_widget = UI_NONE };
    const UiOpen *top = ui_top(ui);
    open.hidden = top != NULL && top->hidden;
    open.root_id = top != NULL ? top->root_id : 0;
    filo_string_copy(filo_string(name), open.name, sizeof open.name);
    return filo_array_push(&ui->open, open);
}

// Counts a begin that cannot be opened, so that its end closes nothing else. What a widget opens for itself is not counted:
// it is not ended then.
static UiNode *lose(FiloUi *ui, const char *function) {
    if (function != NULL) ui->open_lost++;
    return NULL;
}

static bool can_open(FiloUi *ui, const char *name) {
    if (ui->open_lost > 0 || ui->out_of_memory) return false;
    return FILO_CHECK(ui->open.count < FILO_UI_DEPTH,
                      "\"%s\": more than %d containers inside of each other: is a filo_ui_end missing?",
                      name != NULL ? name : "", FILO_UI_DEPTH);
}

UiNode *ui_begin(FiloUi *ui, const char *function, const char *name) {
    if (!can_open(ui, name)) return lose(ui, function);
    UiNode *node = ui_add(ui);
    if (node == NULL) return lose(ui, function);
    uint32_t index = ui_index(ui, node);
    if (!push_open(ui, node, function, name)) return lose(ui, function);
    node = ui_node(ui, index);
    node->flags |= UI_CONTAINER;
    node->gap = ui_px(ui, ui_theme(ui)->gap);
    ui_apply_size(ui, node);
    ui->stats.containers++;
    return node;
}

UiNode *ui_begin_root(FiloUi *ui, const char *function, const char *name, UiRootKind kind, uint64_t id) {
    if (!can_open(ui, name)) return lose(ui, function);
    uint32_t hidden = ui_is_hidden(ui) ? UI_HIDDEN : 0;
    UiNode *node = append(ui, UI_NONE, (uint32_t)ui->roots.count);
    if (node == NULL || !filo_array_push(&ui->roots, (UiRoot){ .kind = kind, .id = id, .window = SIZE_MAX }))
        return lose(ui, function);
    uint32_t index = ui_index(ui, node);
    ui->roots.items[ui->roots.count - 1].node = index;
    if (!push_open(ui, node, function, name)) return lose(ui, function);
    ui_top(ui)->kind = UI_OPEN_ROOT;
    ui_top(ui)->root_id = id;
    node->id = id;
    node->flags = hidden | UI_CONTAINER | UI_CLIP;
    node->gap = ui_px(ui, ui_theme(ui)->gap);
    ui->has_next_size = false;
    ui->last = UI_NONE;
    ui->last_id = 0;
    ui->stats.containers++;
    return node;
}

void ui_begin_hidden(FiloUi *ui, const char *function, const char *name) {
    UiNode *node = ui->open.count > 0 ? ui_begin(ui, function, name)
                                      : ui_begin_root(ui, function, name, UI_ROOT_PANEL, 0);
    if (node == NULL) return;
    node->flags |= UI_HIDDEN;
    ui_top(ui)->hidden = true;
}

static void close_popup_level(FiloUi *ui, const UiOpen *open) {
    if (open->kind == UI_OPEN_POPUP && ui->popup_level > 0) ui->popup_level--;
}

static void close_top(FiloUi *ui) {
    const UiOpen *top = ui_top(ui);
    (void)FILO_CHECK(ui->id_count <= top->id_depth || top->id != 0,
                     "filo_ui_pop_id is missing before the end of \"%s\"", top->name);
    close_popup_level(ui, top);
    ui->id_count = FILO_MIN(ui->id_count, top->id_depth);
    ui->open.count--;
}

void filo_ui_end(FiloUi *ui) {
    if (!ui_usable(ui)) return;
    ui->has_next_size = false;
    if (ui->open_lost > 0) {
        ui->open_lost--;
        return;
    }
    // An invisible panel, opened for widgets outside of windows, is none of the caller's.
    UiOpen *top = ui_top(ui);
    if (!FILO_CHECK(top != NULL && strcmp(top->name, "##screen") != 0,
                    "filo_ui_end without a container: every filo_ui_begin_… has one filo_ui_end"))
        return;
    do {
        top = ui_top(ui);
        bool inner =
            top->function == NULL; // opened by a widget for its own structure: closes with the next one
        close_top(ui);
        if (!inner) break;
    } while (ui->open.count > 0);
}

void ui_close_all(FiloUi *ui) {
    ui->open_lost = 0;
    while (ui->open.count > 0) {
        const UiOpen top = *ui_top(ui);
        bool expected = top.function == NULL || strcmp(top.name, "##screen") == 0;
        (void)FILO_CHECK(expected, "%s \"%s\" has no filo_ui_end", top.function, top.name);
        ui->id_count = FILO_MIN(ui->id_count, top.id_depth);
        ui->open.count--;
    }
    (void)FILO_CHECK(ui->style_count <= 1, "filo_ui_pop_style is missing: %zu styles are still pushed",
                     ui->style_count - 1);
    (void)FILO_CHECK(ui->disabled_pushes == 0, "filo_ui_pop_disabled is missing: %zu are still pushed",
                     ui->disabled_pushes);
    (void)FILO_CHECK(ui->id_count == 0, "filo_ui_pop_id is missing: %zu ids are still pushed", ui->id_count);
}

// ---- Layout containers ------------------------------------------------------------------------------------------

void filo_ui_size(FiloUi *ui, const FiloUiSize *size) {
    if (!ui_usable(ui) || !FILO_CHECK(size != NULL, "pass a size")) return;
    ui->next_size = *size;
    ui->has_next_size = true;
}

void filo_ui_width(FiloUi *ui, float width) {
    if (!ui_usable(ui)) return;
    if (!ui->has_next_size) ui->next_size = (FiloUiSize){ 0 };
    ui->next_size.width = width;
    ui->has_next_size = true;
}

void filo_ui_grow(FiloUi *ui) {
    if (!ui_usable(ui)) return;
    if (!ui->has_next_size) ui->next_size = (FiloUiSize){ 0 };
    ui->next_size.grow = 1;
    ui->has_next_size = true;
}

static void paint_background(FiloUi *ui, const UiNode *node) {
    const FiloUiBox *box = node->data;
    const FiloUiTheme *theme = node->theme;
    float radius = ui_px(ui, theme->radius);
    if (ui_color_set(box->background)) ui_paint_round(ui, node->rect, radius, box->background);
    if (box->border) ui_paint_outline(ui, node->rect, radius, ui_px(ui, theme->border_width), theme->border);
}

void filo_ui_begin_box(FiloUi *ui, const FiloUiBox *box) {
    if (!ui_usable(ui)) return;
    const FiloUiBox empty = { 0 };
    if (box == NULL) box = &empty;
    UiNode *node = ui_begin(ui, "filo_ui_begin_box", "box");
    if (node == NULL) return;
    uint32_t index = ui_index(ui, node);
    node->axis = box->row ? UI_ROW : UI_COLUMN;
    node->main = (uint8_t)box->main;
    node->cross = (uint8_t)box->cross;
    if (box->gap != 0) node->gap = ui_px(ui, box->gap);
    float padding = ui_px(ui, box->padding);
    for (int i = 0; i < 4; i++) node->padding[i] = padding;
    if (!ui_color_set(box->background) && !box->border) return;
    FiloUiBox *data = ui_new(ui, FiloUiBox);
    if (data == NULL) return;
    *data = *box;
    node = ui_node(ui, index);
    node->data = data;
    node->paint = paint_background;
}

void filo_ui_begin_row(FiloUi *ui) {
    if (!ui_usable(ui)) return;
    UiNode *node = ui_begin(ui, "filo_ui_begin_row", "row");
    if (node != NULL) node->axis = UI_ROW;
}

void filo_ui_begin_column(FiloUi *ui) {
    if (!ui_usable(ui)) return;
    (void)ui_begin(ui, "filo_ui_begin_column", "column");
}

#define GRID_COLUMNS 16

void filo_ui_begin_grid(FiloUi *ui, int columns, const float *weights) {
    if (!ui_usable(ui)) return;
    (void)FILO_CHECK(columns >= 1 && columns <= GRID_COLUMNS, "a grid has 1 to %d columns, not %d",
                     GRID_COLUMNS, columns);
    columns = FILO_CLAMP(columns, 1, GRID_COLUMNS);
    float *copy = ui_alloc(ui, (size_t)columns * sizeof *copy);
    UiNode *node = ui_begin(ui, "filo_ui_begin_grid", "grid");
    if (node == NULL) return;
    node->axis = UI_GRID;
    node->columns = (uint8_t)columns;
    node->weights = copy;
    if (copy == NULL) return;
    for (int i = 0; i < columns; i++) {
        float weight = weights != NULL ? weights[i] : i == columns - 1 ? 1.0f : 0.0f;
        copy[i] = weight > 0 && weight < 1e6f ? weight : 0;
    }
}

void filo_ui_indent(FiloUi *ui, int steps) {
    if (!ui_usable(ui)) return;
    UiOpen *top = ui_top(ui);
    if (top == NULL) return;
    float step = ui_px(ui, ui_theme(ui)->indent);
    top->indent = filo_max(top->indent + step * (float)FILO_CLAMP(steps, -1000, 1000), 0);
}

static FiloVec2 measure_spacer(FiloUi *ui, const UiNode *node, float width) {
    FILO_UNUSED(ui), FILO_UNUSED(node), FILO_UNUSED(width);
    return filo_vec2(0, 0);
}

void filo_ui_spacer(FiloUi *ui, float size) {
    if (!ui_usable(ui)) return;
    const UiOpen *top = ui_top(ui);
    bool row = top != NULL && top->node != UI_NONE && ui_node(ui, top->node)->axis == UI_ROW;
    UiNode *node = ui_add(ui);
    if (node == NULL) return;
    node->measure = measure_spacer;
    node->no_gap_before = size > 0;
    float pixels = ui_px(ui, size);
    if (pixels > 0)
        node->fixed[row ? 0 : 1] = pixels;
    else
        node->grow = 1;
}

static void paint_separator(FiloUi *ui, const UiNode *node) {
    FiloRect r = node->rect;
    float width = filo_max(ui_px(ui, node->theme->border_width), 1);
    FiloVec2 size = filo_rect_size(r);
    if (node->data != NULL) // in a row
        r = filo_rect_from_size(filo_vec2(filo_floor(r.min.x + (size.x - width) / 2), r.min.y),
                                filo_vec2(width, size.y));
    else
        r = filo_rect_from_size(filo_vec2(r.min.x, filo_floor(r.min.y + (size.y - width) / 2)),
                                filo_vec2(size.x, width));
    ui_paint_box(ui, r, node->theme->separator);
}

void filo_ui_separator(FiloUi *ui) {
    if (!ui_usable(ui)) return;
    const UiOpen *top = ui_top(ui);
    bool row = top != NULL && top->node != UI_NONE && ui_node(ui, top->node)->axis == UI_ROW;
    UiNode *node = ui_add(ui);
    if (node == NULL) return;
    node->measure = measure_spacer;
    node->paint = paint_separator;
    node->data = row ? node : NULL; // only whether it is NULL counts
    node->fixed[row ? 0 : 1] = ui_px(ui, 5);
    node->align = FILO_UI_ALIGN_STRETCH;
}
