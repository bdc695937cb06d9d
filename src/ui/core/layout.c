// Layout of the tree, in five loops over the nodes:
//
//   1. upwards    the width that each node wants, and the least that it can do with
//   2. downwards  the width that it gets: free space is shared by weight, missing space is taken from what can shrink
//   3. upwards    the height that it wants at this width: text wraps
//   4. downwards  the height that it gets
//   5. downwards  positions, scroll offsets and clips
//
// Widths and heights are treated alike by functions with an axis, 0 or 1. Roots get their sizes and positions from
// arrange.c. All results are whole pixels: of a division, the last one gets the rest.

#include "ui/ui.h"

#include <string.h>

#define ROUNDS 4 // of sharing, when some have reached their limit

static float clamp_size(const UiNode *node, int axis, float size) {
    if (node->fixed[axis] > 0) size = node->fixed[axis];
    if (node->max[axis] > 0) size = filo_min(size, node->max[axis]);
    return filo_max(size, node->min[axis]);
}

static float padding_of(const UiNode *node, int axis) {
    return node->padding[axis] + node->padding[axis + 2];
}

static bool in_flow(const UiNode *node) { return (node->flags & (UI_OUTSIDE | UI_HIDDEN)) == 0; }

#define EACH_CHILD(ui, parent, child)                                                                        \
    for (uint32_t child##_index = (parent)->first; child##_index != UI_NONE;                                 \
         child##_index = ui_node(ui, child##_index)->next)                                                   \
        for (UiNode *child = ui_node(ui, child##_index), *child##_once = child; child##_once != NULL;        \
             child##_once = NULL)                                                                            \
            if (in_flow(child))

static int main_axis(const UiNode *node) { return node->axis == UI_ROW ? 0 : 1; }

// The gap before a child that is not the first.
static float gap_before(const UiNode *parent, const UiNode *child) {
    return child->no_gap_before ? 0 : parent->gap;
}

static bool no_basis(const UiNode *parent, const UiNode *child, int axis) {
    return axis == 0 && parent->axis == UI_ROW && (child->flags & UI_NO_BASIS) != 0;
}

// ---- Grids --------------------------------------------------------------------------------------------------------

static size_t grid_rows(FiloUi *ui, const UiNode *grid) {
    size_t count = 0;
    EACH_CHILD(ui, grid, child) count++;
    return (count + grid->columns - 1) / grid->columns;
}

// Fills the tracks of one axis with the sizes of the largest children.
static void fill_tracks(FiloUi *ui, UiNode *grid, int axis) {
    size_t rows = grid_rows(ui, grid), columns = grid->columns;
    if (grid->tracks == NULL) {
        grid->tracks = ui_alloc(ui, (columns + rows) * sizeof *grid->tracks);
        if (grid->tracks == NULL) return;
    }
    float *tracks = grid->tracks + (axis == 0 ? 0 : columns);
    memset(tracks, 0, (axis == 0 ? columns : rows) * sizeof *tracks);
    if (grid->track_sizes != NULL) { // a row of a table
        for (size_t i = 0; i < (axis == 0 ? columns : rows); i++)
            tracks[i] = axis == 0 ? grid->track_sizes[i] : grid->fixed[1] - padding_of(grid, 1);
        return;
    }
    size_t i = 0;
    EACH_CHILD(ui, grid, child) {
        float *track = &tracks[axis == 0 ? i % columns : i / columns];
        *track = filo_max(*track, child->fit[axis]);
        i++;
    }
}

static float grid_fit(FiloUi *ui, UiNode *grid, int axis) {
    fill_tracks(ui, grid, axis);
    size_t count = axis == 0 ? grid->columns : grid_rows(ui, grid);
    if (grid->tracks == NULL || count == 0) return 0;
    const float *tracks = grid->tracks + (axis == 0 ? 0 : grid->columns);
    float sum = (float)(count - 1) * grid->gap;
    for (size_t i = 0; i < count; i++) sum += tracks[i];
    return sum;
}

static void share_columns(const UiNode *grid, float inner) {
    float *tracks = grid->tracks, sum = (float)(grid->columns - 1) * grid->gap, weights = 0;
    for (int i = 0; i < grid->columns; i++) {
        sum += tracks[i];
        weights += grid->weights != NULL ? grid->weights[i] : 0;
    }
    float free = inner - sum;
    if (!(weights > 0)) return;
    int last = -1;
    float given = 0;
    for (int i = 0; i < grid->columns; i++) {
        if (!(grid->weights[i] > 0)) continue;
        float share = filo_trunc(free * grid->weights[i] / weights);
        share = filo_max(share, -tracks[i]);
        tracks[i] += share;
        given += share;
        last = i;
    }
    if (last >= 0) tracks[last] = filo_max(tracks[last] + free - given, 0);
}

static void size_grid_children(FiloUi *ui, UiNode *grid, int axis, float inner) {
    if (grid->tracks == NULL) return;
    if (axis == 0) share_columns(grid, inner);
    const float *tracks = grid->tracks + (axis == 0 ? 0 : grid->columns);
    size_t i = 0;
    EACH_CHILD(ui, grid, child) {
        float track = tracks[axis == 0 ? i % grid->columns : i / grid->columns];
        bool stretch = axis == 0
                           ? child->align <= FILO_UI_ALIGN_DEFAULT || child->align == FILO_UI_ALIGN_STRETCH
                           : child->align == FILO_UI_ALIGN_STRETCH;
        child->size[axis] = clamp_size(child, axis, stretch ? track : filo_min(child->fit[axis], track));
        i++;
    }
}

// ---- Wanted sizes ---------------------------------------------------------------------------------------------------

static float sum_along(FiloUi *ui, const UiNode *node, int axis, bool least) {
    float sum = 0;
    bool first = true;
    EACH_CHILD(ui, node, child) {
        if (!first) sum += gap_before(node, child);
        sum += least ? child->least : child->fit[axis];
        first = false;
    }
    return sum;
}

static float greatest_across(FiloUi *ui, const UiNode *node, int axis, bool least) {
    float greatest = 0;
    EACH_CHILD(ui, node, child) {
        float indent = axis == 0 ? child->indent : 0;
        greatest = filo_max(greatest, (least ? child->least : child->fit[axis]) + indent);
    }
    return greatest;
}

// Rows and columns in which the parts have shares want as much as the one with the greatest need.
static float sum_with_shares(FiloUi *ui, const UiNode *node) {
    float fixed = 0, need = 0, weights = 0;
    bool first = true;
    EACH_CHILD(ui, node, child) {
        if (!first) fixed += gap_before(node, child);
        first = false;
        if (no_basis(node, child, 0) && child->grow > 0)
            weights += child->grow;
        else
            fixed += child->fit[0];
    }
    if (weights > 0) EACH_CHILD(ui, node, child)
    if (no_basis(node, child, 0) && child->grow > 0)
        need = filo_max(need, filo_ceil(child->fit[0] * weights / child->grow));
    return fixed + need;
}

static float content_fit(FiloUi *ui, UiNode *node, int axis) {
    switch (node->axis) {
    case UI_GRID: return grid_fit(ui, node, axis);
    case UI_STACK: return greatest_across(ui, node, axis, false);
    default: break;
    }
    if (main_axis(node) != axis) return greatest_across(ui, node, axis, false);
    return axis == 0 ? sum_with_shares(ui, node) : sum_along(ui, node, axis, false);
}

static bool scrolls(const UiNode *node, int axis) {
    return (node->flags & (axis == 0 ? UI_SCROLL_X : UI_SCROLL_Y)) != 0;
}

static void fit(FiloUi *ui, UiNode *node, int axis) {
    if ((node->flags & UI_HIDDEN) != 0) {
        node->fit[axis] = node->size[axis] = node->least = 0;
        return;
    }
    float wanted, least;
    if (node->measure != NULL) {
        FiloVec2 size = node->measure(ui, node, axis == 0 ? -1 : node->size[0]);
        wanted = axis == 0 ? filo_ceil(size.x) : filo_ceil(size.y);
        least = (node->flags & UI_SHRINK) != 0 ? filo_min(wanted, ui_px(ui, 24)) : wanted;
    } else {
        node->content[axis] = content_fit(ui, node, axis);
        wanted = node->content[axis] + padding_of(node, axis);
        least = wanted;
        if (axis == 0) {
            least = node->axis == UI_ROW ? sum_along(ui, node, 0, true) : greatest_across(ui, node, 0, true);
            if (node->axis == UI_GRID) least = filo_min(wanted, ui_px(ui, 24));
            // What is inside of an area that scrolls sideways shrinks before it is scrolled.
            if (scrolls(node, 0)) node->content[0] = least;
            least += padding_of(node, 0);
        }
    }
    if (!(wanted >= 0)) wanted = 0; // NaN
    if (axis == 1 && node->fit_limit > 0) wanted = filo_min(wanted, node->fit_limit);
    node->fit[axis] = clamp_size(node, axis, wanted);
    if (scrolls(node, axis)) least = filo_min(least, ui_px(ui, 24));
    if (axis == 0)
        node->least =
            node->fixed[0] > 0 ? node->fit[0] : filo_max(filo_min(least, node->fit[0]), node->min[0]);
}

// ---- Sharing --------------------------------------------------------------------------------------------------------

static float basis(const UiNode *parent, const UiNode *child, int axis) {
    if (no_basis(parent, child, axis) && child->grow > 0) return child->min[0];
    return child->fit[axis];
}

static float least_size(FiloUi *ui, const UiNode *child, int axis) {
    if (axis == 0) return child->least;
    if (child->fit_limit > 0) return child->min[1];
    if (scrolls(child, 1) && child->fixed[1] <= 0)
        return filo_max(child->min[1], filo_min(child->fit[1], ui_px(ui, 24)));
    return child->fit[1];
}

static void grow_children(FiloUi *ui, const UiNode *node, int axis, float free) {
    for (int round = 0; round < ROUNDS && free >= 1; round++) {
        float weights = 0;
        EACH_CHILD(ui, node, child)
        if (child->grow > 0 && child->size[axis] < clamp_size(child, axis, 1e9f)) weights += child->grow;
        if (!(weights > 0)) return;
        float given = 0, pool = free;
        UiNode *last = NULL;
        EACH_CHILD(ui, node, child) {
            float most = clamp_size(child, axis, 1e9f);
            if (!(child->grow > 0) || child->size[axis] >= most) continue;
            float share = filo_min(filo_floor(pool * child->grow / weights), most - child->size[axis]);
            child->size[axis] += share;
            given += share;
            if (child->size[axis] < most) last = child;
        }
        free -= given;
        if (last != NULL && free < (float)node->columns + 16 && round == 0) { // what rounding left
            float rest = filo_min(free, clamp_size(last, axis, 1e9f) - last->size[axis]);
            last->size[axis] += filo_max(rest, 0);
            free -= rest;
        }
    }
}

static void shrink_children(FiloUi *ui, const UiNode *node, int axis, float missing) {
    float room = 0;
    EACH_CHILD(ui, node, child) room += filo_max(child->size[axis] - least_size(ui, child, axis), 0);
    if (!(room > 0)) return;
    float part = filo_min(missing / room, 1);
    EACH_CHILD(ui, node, child) {
        float spare = filo_max(child->size[axis] - least_size(ui, child, axis), 0);
        child->size[axis] -= filo_min(filo_ceil(spare * part), spare);
    }
}

static void share(FiloUi *ui, UiNode *node, int axis, float inner) {
    float used = 0;
    bool first = true;
    EACH_CHILD(ui, node, child) {
        child->size[axis] = basis(node, child, axis);
        used += child->size[axis] + (first ? 0 : gap_before(node, child));
        first = false;
    }
    if (used < inner) grow_children(ui, node, axis, inner - used);
    if (used > inner) shrink_children(ui, node, axis, used - inner);
}

static uint8_t cross_align(const UiNode *parent, const UiNode *child) {
    if (child->align != FILO_UI_ALIGN_DEFAULT) return child->align;
    if (parent->cross != FILO_UI_ALIGN_DEFAULT) return parent->cross;
    return parent->axis == UI_ROW ? FILO_UI_ALIGN_CENTRE : FILO_UI_ALIGN_STRETCH;
}

static void size_across(FiloUi *ui, const UiNode *node, int axis, float inner) {
    EACH_CHILD(ui, node, child) {
        float room = inner - (axis == 0 ? child->indent : 0);
        bool stretch = cross_align(node, child) == FILO_UI_ALIGN_STRETCH;
        float size = stretch ? room : axis == 0 ? filo_min(child->fit[0], room) : child->fit[1];
        child->size[axis] = clamp_size(child, axis, filo_max(size, 0));
    }
}

static void size_children(FiloUi *ui, UiNode *node, int axis) {
    if (node->first == UI_NONE || (node->flags & UI_HIDDEN) != 0) return;
    float inner = filo_max(node->size[axis] - padding_of(node, axis), 0);
    if (scrolls(node, axis)) inner = filo_max(inner, node->content[axis]);
    if (node->axis == UI_GRID)
        size_grid_children(ui, node, axis, inner);
    else if (node->axis != UI_STACK && main_axis(node) == axis)
        share(ui, node, axis, inner);
    else
        size_across(ui, node, axis, inner);
}

// ---- Positions --------------------------------------------------------------------------------------------------------

static float align_offset(uint8_t align, float room) {
    if (align == FILO_UI_ALIGN_CENTRE) return filo_floor(filo_max(room, 0) / 2);
    return align == FILO_UI_ALIGN_END ? filo_max(room, 0) : 0;
}

static void set_rect(UiNode *child, float x, float y) {
    child->rect = filo_rect_from_size(filo_vec2(x, y), filo_vec2(child->size[0], child->size[1]));
}

static void place_in_grid(FiloUi *ui, const UiNode *node, FiloVec2 start) {
    if (node->tracks == NULL) return;
    const float *columns = node->tracks, *rows = node->tracks + node->columns;
    float x = start.x, y = start.y;
    size_t i = 0;
    EACH_CHILD(ui, node, child) {
        size_t column = i % node->columns, row = i / node->columns;
        float down = align_offset(child->align == FILO_UI_ALIGN_DEFAULT ? FILO_UI_ALIGN_CENTRE : child->align,
                                  rows[row] - child->size[1]);
        float right = align_offset(child->align, columns[column] - child->size[0]);
        set_rect(child, x + right, y + down);
        x += columns[column] + node->gap;
        i++;
        if (i % node->columns == 0) x = start.x, y += rows[row] + node->gap;
    }
}

static float used_along(FiloUi *ui, const UiNode *node, int axis) {
    float used = 0;
    bool first = true;
    EACH_CHILD(ui, node, child) {
        used += child->size[axis] + (first ? 0 : gap_before(node, child));
        first = false;
    }
    return used;
}

static void place_along(FiloUi *ui, const UiNode *node, FiloVec2 start, FiloVec2 inner) {
    bool row = node->axis == UI_ROW;
    float position = row ? start.x : start.y;
    if (node->main > FILO_UI_ALIGN_START)
        position += align_offset(node->main, (row ? inner.x : inner.y) - used_along(ui, node, row ? 0 : 1));
    bool first = true;
    EACH_CHILD(ui, node, child) {
        if (!first) position += gap_before(node, child);
        first = false;
        uint8_t align = cross_align(node, child);
        if (row)
            set_rect(child, position, start.y + align_offset(align, inner.y - child->size[1]));
        else
            set_rect(child,
                     start.x + child->indent + align_offset(align, inner.x - child->size[0] - child->indent),
                     position);
        position += child->size[row ? 0 : 1];
    }
}

static void place_stacked(FiloUi *ui, const UiNode *node, FiloVec2 start) {
    EACH_CHILD(ui, node, child) set_rect(child, start.x, start.y);
}

static void place_children(FiloUi *ui, UiNode *node) {
    FiloVec2 inner = filo_vec2(filo_max(node->size[0] - padding_of(node, 0), 0),
                               filo_max(node->size[1] - padding_of(node, 1), 0));
    float most[2] = { filo_max(node->content[0] - inner.x, 0), filo_max(node->content[1] - inner.y, 0) };
    node->scroll.x = scrolls(node, 0) ? filo_round(filo_clamp(node->scroll.x, 0, most[0])) : 0;
    node->scroll.y = scrolls(node, 1) ? filo_round(filo_clamp(node->scroll.y, 0, most[1])) : 0;
    if (scrolls(node, 0)) inner.x = filo_max(inner.x, node->content[0]);
    if (scrolls(node, 1)) inner.y = filo_max(inner.y, node->content[1]);
    FiloVec2 start = filo_vec2_sub(
        filo_vec2_add(node->rect.min, filo_vec2(node->padding[0], node->padding[1])), node->scroll);
    if (node->axis == UI_GRID)
        place_in_grid(ui, node, start);
    else if (node->axis == UI_STACK)
        place_stacked(ui, node, start);
    else
        place_along(ui, node, start, inner);
    FiloRect clip = node->clip;
    if ((node->flags & (UI_CLIP | UI_SCROLL_X | UI_SCROLL_Y)) != 0)
        clip = filo_rect_intersection(clip, node->rect);
    for (uint32_t i = node->first; i != UI_NONE; i = ui_node(ui, i)->next) {
        UiNode *child = ui_node(ui, i);
        child->clip = clip;
        if ((child->flags & UI_OUTSIDE) != 0) child->rect = node->rect;
    }
}

void ui_layout_positions(FiloUi *ui) {
    for (size_t i = 0; i < ui->nodes.count; i++) {
        UiNode *node = &ui->nodes.items[i];
        if ((node->flags & UI_HIDDEN) == 0 && node->first != UI_NONE) place_children(ui, node);
    }
}

void ui_layout(FiloUi *ui) {
    UiNode *nodes = ui->nodes.items;
    const size_t count = ui->nodes.count;
    if (ui->out_of_memory) return;
    for (size_t i = count; i-- > 0;) fit(ui, &nodes[i], 0);
    ui_arrange_widths(ui);
    for (size_t i = 0; i < count; i++) size_children(ui, &nodes[i], 0);
    for (size_t i = count; i-- > 0;) fit(ui, &nodes[i], 1);
    ui_arrange_heights(ui);
    for (size_t i = 0; i < count; i++) size_children(ui, &nodes[i], 1);
    ui_arrange_positions(ui);
    ui_layout_positions(ui);
}
