// Tables. Only the visible rows are nodes; blank nodes above and below them have the height of the others.
//
// Which rows are visible follows from the scroll offset and the height of the last frame. In the first frame as many
// rows as would fill the screen are built.

#include "ui/ui.h"

#define COLUMNS     32
#define LEAST_WIDTH 24.0f
#define LEAST_ROWS  4
#define MOST_PIXELS 8000000.0f // of the content: beyond that, floats do not name single pixels

typedef struct Table {
    uint64_t id, body;
    FiloUiColumn columns[COLUMNS];
    float widths[COLUMNS], weights[COLUMNS]; // in pixels; 0: a share
    int column_count;
    size_t row_count, first, next, end; // visible rows
    size_t *selected;
    float row_height;
    bool stripes, row_open;
    uint32_t row_node, body_node, blank_node; // the last: above the first visible row
} Table;

typedef struct RowData {
    bool selected, stripe, focused;
    float hover;
} RowData;

static uint64_t column_id(const Table *table, int column) {
    return filo_hash_combine(table->id, 400 + (uint64_t)column);
}

// ---- Look ----------------------------------------------------------------------------------------------------------------

static void paint_frame(FiloUi *ui, const UiNode *node) {
    ui_paint_round(ui, node->rect, ui_px(ui, node->theme->radius), node->theme->panel);
}

static void paint_edge(FiloUi *ui, const UiNode *node) {
    ui_paint_outline(ui, node->rect, ui_px(ui, node->theme->radius),
                     filo_max(ui_px(ui, node->theme->border_width), 1), node->theme->separator);
}

static void paint_row(FiloUi *ui, const UiNode *node) {
    const RowData *data = node->data;
    const FiloUiTheme *theme = node->theme;
    if (data->selected)
        ui_paint_box(ui, node->rect,
                     data->focused ? theme->selection
                                   : filo_color_lerp(theme->panel, theme->selection, 0.7f));
    else if (data->hover > 0)
        ui_paint_box(ui, node->rect, filo_color_fade(theme->hover, data->hover));
    else if (data->stripe)
        ui_paint_box(ui, node->rect, filo_color_fade(theme->hover, 0.35f));
}

typedef struct HeaderData {
    UiWidget widget;
    FiloString title;
    UiTextStyle style;
    uint64_t handle;
    bool right, resizable, sortable;
    int sorted; // 1 ascending, −1 descending
} HeaderData;

static FiloVec2 measure_header(FiloUi *ui, const UiNode *node, float width) {
    FILO_UNUSED(width);
    return filo_vec2(ui_px(ui, LEAST_WIDTH), ui_px(ui, node->theme->control_height));
}

static void paint_header(FiloUi *ui, const UiNode *node) {
    const HeaderData *data = node->data;
    const FiloUiTheme *theme = node->theme;
    FiloRect box = node->rect, r = node->rect;
    UiTextStyle style = data->style;
    if (data->sortable)
        style.color = filo_color_lerp(theme->text_muted, theme->text,
                                      filo_max(data->widget.hover, data->sorted != 0 ? 1.0f : 0.0f));
    if (data->sorted != 0) {
        FiloRect icon = filo_rect(filo_vec2(r.max.x - ui_px(ui, 16), r.min.y), r.max);
        box.max.x = icon.min.x - ui_px(ui, 2);
        ui_paint_icon(ui, data->sorted > 0 ? FILO_UI_ICON_UP : FILO_UI_ICON_DOWN, icon, theme->text_muted);
    }
    ui_text_paint(ui, &style, ui_line_box(ui, &style, box), data->right ? UI_TEXT_RIGHT : UI_TEXT_LEFT, false,
                  data->title);
    if (data->widget.touch.ring) ui_paint_focus(ui, filo_rect_expand(r, -ui_px(ui, 2)), 0);
    if (!data->resizable) return;
    float x = r.max.x + ui_px(ui, 6), inset = ui_px(ui, 6);
    ui_paint_box(
        ui,
        filo_rect(filo_vec2(x, r.min.y + inset), filo_vec2(x + filo_max(ui_px(ui, 1), 1), r.max.y - inset)),
        theme->separator);
    FiloRect handle = filo_rect(filo_vec2(x - ui_px(ui, 4), r.min.y), filo_vec2(x + ui_px(ui, 4), r.max.y));
    UiHit hit = { .id = data->handle,
                  .root = ui->roots.items[node->root].id,
                  .rect = handle,
                  .visible = filo_rect_intersection(handle, node->clip),
                  .flags = UI_HIT | UI_DRAGS | UI_CURSOR_X };
    if (!filo_rect_is_empty(hit.visible)) (void)filo_array_push(&ui->hits, hit);
    ui_state(ui, data->handle)->values[1] = filo_rect_size(r).x; // the width, for the beginning of a drag
}

// ---- Columns -------------------------------------------------------------------------------------------------------------

static void resize_column(FiloUi *ui, const Table *table, int column) {
    uint64_t handle = filo_hash_combine(column_id(table, column), 1);
    UiTouch touch = ui_touch(ui, handle);
    if (!touch.pressed && !touch.held && !touch.released) return;
    UiState *state = ui_state(ui, handle);
    state->seen = ui->frame;
    if (touch.pressed) state->values[0] = state->values[1];
    float start = state->values[0];
    UiState *width = ui_state(ui, column_id(table, column));
    width->values[0] = filo_max((start + touch.position.x - touch.pressed_at.x) / ui->scale, LEAST_WIDTH);
    width->keep = true;
}

static void find_widths(FiloUi *ui, Table *table) {
    bool any = false;
    for (int i = 0; i < table->column_count; i++) {
        if (!table->columns[i].fixed) resize_column(ui, table, i);
        const UiState *state = ui_state(ui, column_id(table, i));
        float width = state->values[0] > 0 ? state->values[0] : table->columns[i].width;
        table->widths[i] = ui_px(ui, width);
        table->weights[i] = table->widths[i] > 0 ? 0 : 1;
        any = any || table->weights[i] > 0;
    }
    if (!any) table->weights[table->column_count - 1] = 1; // the last one takes what remains
}

static void make_row(FiloUi *ui, UiNode *node, const Table *table, float height) {
    node->axis = UI_GRID;
    node->columns = (uint8_t)table->column_count;
    node->weights = (float *)table->weights;
    node->track_sizes = (float *)table->widths;
    node->fixed[1] = height;
    node->gap = ui_px(ui, 14);
    node->padding[0] = ui_px(ui, 10);
    node->padding[2] = ui_px(ui, 10) + ui_px(ui, ui_theme(ui)->scroll_width * 0.5f);
    node->flags |= UI_CONTAINER | UI_CLIP;
}

static void add_header(FiloUi *ui, Table *table, int *sort) {
    UiNode *row = ui_begin(ui, NULL, "header");
    if (row == NULL) return;
    make_row(ui, row, table, ui_px(ui, ui_theme(ui)->control_height));
    for (int i = 0; i < table->column_count; i++) {
        HeaderData *data = ui_new(ui, HeaderData);
        UiWidget widget;
        uint64_t id = column_id(table, i);
        if (data == NULL || !ui_widget_of(ui, id, sort != NULL ? UI_FOCUSABLE : 0, &widget)) break;
        if (sort != NULL && widget.touch.clicked) *sort = *sort == i ? -1 - i : i;
        FiloString title = filo_string(table->columns[i].title);
        *data = (HeaderData){ .widget = widget,
                              .title = filo_string_from(ui_copy(ui, title), title.length),
                              .style = ui_style_of(ui, FILO_UI_TEXT_SMALL),
                              .handle = filo_hash_combine(id, 1),
                              .right = table->columns[i].right,
                              .resizable = !table->columns[i].fixed && i + 1 < table->column_count,
                              .sortable = sort != NULL,
                              .sorted = sort == NULL      ? 0
                                        : *sort == i      ? 1
                                        : *sort == -1 - i ? -1
                                                          : 0 };
        data->style.bold = true;
        UiNode *node = ui_node(ui, widget.node);
        node->data = data;
        node->measure = measure_header;
        node->paint = paint_header;
    }
    ui->open.count--;
    filo_ui_separator(ui);
    UiNode *line = ui->nodes.count > 0 ? &ui->nodes.items[ui->nodes.count - 1] : NULL;
    if (line != NULL) line->fixed[1] = filo_max(ui_px(ui, 1), 1);
}

// ---- Rows ------------------------------------------------------------------------------------------------------------------

static void scroll_to(FiloUi *ui, const Table *table, size_t row) {
    UiState *state = ui_state(ui, table->body);
    float top = (float)row * table->row_height,
          view = state->known ? filo_rect_size(state->rect).y : ui->height;
    if (top + table->row_height > state->scroll.y + view) state->scroll.y = top + table->row_height - view;
    if (top < state->scroll.y) state->scroll.y = top;
}

static void select_by_keys(FiloUi *ui, const Table *table) {
    if (table->selected == NULL || table->row_count == 0) return;
    const UiState *state = ui_state(ui, table->body);
    size_t page = (size_t)filo_max(filo_rect_size(state->rect).y / table->row_height - 1, 1),
           last = table->row_count - 1;
    for (size_t i = 0; i < ui->event_count; i++) {
        const UiEvent *event = &ui->events[i];
        if (event->id != table->body || event->kind != UI_KEY) continue;
        size_t row = *table->selected;
        bool none = row > last;
        switch (event->key) {
        case FILO_KEY_DOWN: row = none ? 0 : FILO_MIN(row + 1, last); break;
        case FILO_KEY_UP: row = none ? last : row - (row > 0); break;
        case FILO_KEY_PAGE_DOWN: row = none ? 0 : FILO_MIN(row + page, last); break;
        case FILO_KEY_PAGE_UP: row = none ? 0 : row - FILO_MIN(page, row); break;
        case FILO_KEY_HOME: row = 0; break;
        case FILO_KEY_END: row = last; break;
        default: continue;
        }
        *table->selected = row;
        scroll_to(ui, table, row);
    }
}

static FiloVec2 measure_blank(FiloUi *ui, const UiNode *node, float width) {
    FILO_UNUSED(ui), FILO_UNUSED(node), FILO_UNUSED(width);
    return filo_vec2(0, 0);
}

static uint32_t add_blank(FiloUi *ui, size_t rows, float height) {
    UiNode *node = ui_add(ui);
    if (node == NULL) return UI_NONE;
    node->measure = measure_blank;
    node->fixed[1] = filo_min((float)rows * height, MOST_PIXELS);
    return ui_index(ui, node);
}

static void find_visible(FiloUi *ui, Table *table) {
    const UiState *state = ui_state(ui, table->body);
    float view = state->known ? filo_rect_size(state->rect).y : ui->height;
    view = filo_min(view, ui->height);
    size_t first = (size_t)filo_max(state->scroll.y / table->row_height, 0);
    table->first = FILO_MIN(first, table->row_count);
    table->end = FILO_MIN(first + (size_t)(view / table->row_height) + 2, table->row_count);
    // The list may have become shorter than what was scrolled to.
    if (table->first == table->end && table->row_count > 0) {
        size_t rows = (size_t)(view / table->row_height) + 2;
        table->first = table->row_count - FILO_MIN(rows, table->row_count);
        table->end = table->row_count;
    }
    table->next = table->first;
}

static bool begin_body(FiloUi *ui, Table *table) {
    UiNode *body = ui_begin(ui, NULL, "rows");
    if (body == NULL) return false;
    body->id = table->body;
    body->grow = 1;
    body->gap = 0;
    body->flags |= UI_SCROLL_Y | (table->selected != NULL ? UI_FOCUSABLE | UI_KEYS_Y : 0);
    select_by_keys(ui, table);
    ui_scroll_bars(ui, table->body);
    UiOpen *top = ui_top(ui);
    top->kind = UI_OPEN_TABLE;
    top->data = NULL;
    table->body_node = top->node;
    find_visible(ui, table);
    table->blank_node = add_blank(ui, table->first, table->row_height);
    return true;
}

bool filo_ui_begin_table(FiloUi *ui, const char *name, const FiloUiTable *desc) {
    if (!ui_usable(ui)) return false;
    bool valid = FILO_CHECK(desc != NULL && desc->columns != NULL && desc->column_count >= 1 &&
                                desc->column_count <= COLUMNS,
                            "\"%s\": a table has 1 to %d columns", name != NULL ? name : "", COLUMNS);
    valid = valid && FILO_CHECK(desc->row_count <= PTRDIFF_MAX, "\"%s\": a table cannot have %td rows",
                                name != NULL ? name : "", (ptrdiff_t)desc->row_count);
    Table *table = ui_new(ui, Table);
    bool clash;
    uint64_t id = ui_claim(ui, name, &clash);
    if (!valid || table == NULL || ui_is_hidden(ui)) {
        ui_begin_hidden(ui, "filo_ui_begin_table", name);
        return false;
    }
    *table = (Table){ .id = id,
                      .body = filo_hash_combine(id, 399),
                      .column_count = desc->column_count,
                      .row_count = desc->row_count,
                      .selected = desc->selected,
                      .stripes = desc->stripes };
    for (int i = 0; i < desc->column_count; i++) table->columns[i] = desc->columns[i];
    table->row_height =
        filo_max(ui_px(ui, desc->row_height > 0 ? desc->row_height : ui_theme(ui)->control_height - 2), 4);
    UiNode *node = ui_begin(ui, "filo_ui_begin_table", name);
    if (node == NULL) return false;
    node->gap = 0;
    node->paint = paint_frame;
    node->paint_over = paint_edge;
    node->flags |= UI_CLIP | (clash ? UI_CLASH : 0);
    for (int i = 0; i < 4; i++) node->padding[i] = filo_max(ui_px(ui, 1), 1);
    float header = desc->no_header ? 0 : ui_px(ui, ui_theme(ui)->control_height);
    if (desc->height > 0) {
        node->fixed[1] = ui_px(ui, desc->height);
    } else if (node->fixed[1] <= 0) {
        node->grow = filo_max(node->grow, 1);
        node->min[1] = header + LEAST_ROWS * table->row_height;
        node->fit_limit = header + (LEAST_ROWS + 4) * table->row_height;
    }
    UiOpen *top = ui_top(ui);
    top->id = id;
    top->data = table;
    ui_push_raw_id(ui, id);
    find_widths(ui, table);
    if (!desc->no_header) add_header(ui, table, desc->sort);
    if (!begin_body(ui, table)) return false;
    return true;
}

// The table around the open container.
static Table *open_table(FiloUi *ui) {
    for (size_t i = ui->open.count; i-- > 0 && i + 3 >= ui->open.count;)
        if (ui->open.items[i].function != NULL && ui->open.items[i].data != NULL &&
            ui->open.items[i].kind != UI_OPEN_TABS)
            return ui->open.items[i].data;
    return NULL;
}

static void close_row(FiloUi *ui, Table *table) {
    if (!table->row_open) return;
    table->row_open = false;
    if (ui->id_count > 0) ui->id_count--;
    ui->open.count--;
}

static void touch_row(FiloUi *ui, const Table *table, size_t row, const UiTouch *touch) {
    if (table->selected == NULL || !(touch->pressed || touch->clicked)) return;
    *table->selected = row;
    ui_set_focus(ui, table->body, false);
}

static bool open_row(FiloUi *ui, Table *table, size_t row) {
    uint64_t id = filo_hash_combine(table->body, row + 1);
    RowData *data = ui_new(ui, RowData);
    UiNode *node = data != NULL ? ui_begin(ui, NULL, "row") : NULL;
    if (node == NULL) return false;
    UiTouch touch = ui_touch(ui, id);
    touch_row(ui, table, row, &touch);
    make_row(ui, node, table, table->row_height);
    *data = (RowData){ .selected = table->selected != NULL && *table->selected == row,
                       .stripe = table->stripes && row % 2 == 1,
                       .focused = ui->input.focus == table->body,
                       .hover = touch.hovered ? 1.0f : 0.0f };
    node->id = id;
    node->flags |= UI_HIT;
    node->data = data;
    node->paint = paint_row;
    table->row_node = ui_index(ui, node);
    UiOpen *top = ui_top(ui);
    top->kind = UI_OPEN_TABLE;
    top->data = table;
    top->id = id;
    ui_push_raw_id(ui, id);
    table->row_open = true;
    ui->last_id = id;
    ui->last = table->row_node;
    ui->last_touch = touch;
    return true;
}

bool filo_ui_table_row(FiloUi *ui, size_t *row) {
    if (!ui_usable(ui) || !FILO_CHECK(row != NULL, "pass where the number of the row goes")) return false;
    Table *table = open_table(ui);
    if (!FILO_CHECK(table != NULL, "call filo_ui_table_row between filo_ui_begin_table and filo_ui_end"))
        return false;
    close_row(ui, table);
    if (table->next < table->end && !ui->out_of_memory && open_row(ui, table, table->next)) {
        *row = table->next++;
        return true;
    }
    add_blank(ui, table->row_count - table->next, table->row_height);
    table->end = table->next = table->row_count; // a further call adds nothing
    return false;
}

void filo_ui_table_show(FiloUi *ui, size_t row) {
    if (!ui_usable(ui)) return;
    Table *table = open_table(ui);
    if (!FILO_CHECK(table != NULL, "call filo_ui_table_show between filo_ui_begin_table and filo_ui_end"))
        return;
    if (row >= table->row_count) return;
    scroll_to(ui, table, row);
    ui_node(ui, table->body_node)->scroll = ui_state(ui, table->body)->scroll;
    if (table->row_open || table->next != table->first || table->blank_node == UI_NONE)
        return; // from the next frame on
    find_visible(ui, table);
    ui_node(ui, table->blank_node)->fixed[1] = filo_min((float)table->first * table->row_height, MOST_PIXELS);
}

UiTextAlign ui_table_align(FiloUi *ui, const UiOpen *row) {
    const Table *table = row->data;
    int column = 0;
    // What is hidden, such as the content of a drag that is not going on, is in no column.
    for (uint32_t i = ui_node(ui, table->row_node)->first; i != UI_NONE; i = ui_node(ui, i)->next)
        column += (ui_node(ui, i)->flags & UI_HIDDEN) == 0;
    return column < table->column_count && table->columns[column].right ? UI_TEXT_RIGHT : UI_TEXT_LEFT;
}
