// Trees over the boxes of shapes.
//
// A tree has eight branches at each node, and no pointers: leaves are sorted by their position along a Morton curve, and
// node i of a level covers the nodes 8 i to 8 i + 7 of the level below. So it is built by a sort and one pass for each
// level. Larger shapes come after smaller ones, by powers of four, so that a few of them do not make the boxes of many
// nodes large.
//
// The shape of a tree does not show: what is found in it is sorted. While the shapes stay the same and only move, a tree is
// not sorted in every step: its boxes are computed again.

#include "physics2d/physics2d.h"

void physics2d_tree_deinit(Physics2dTree *tree) {
    filo_array_deinit(&tree->nodes);
    filo_array_deinit(&tree->shapes);
}

// Every second bit of a number of 13 bits.
static uint32_t spread_bits(uint32_t x) {
    x = (x | x << 8) & 0x00FF00FFu;
    x = (x | x << 4) & 0x0F0F0F0Fu;
    x = (x | x << 2) & 0x33333333u;
    return (x | x << 1) & 0x55555555u;
}

static uint32_t size_class(float size) {
    int32_t exponent = (int32_t)(filo_float_to_bits(size) >> 23) - 127 + 16;
    return (uint32_t)(exponent < 0 ? 0 : exponent > 31 ? 31 : exponent) / 2;
}

static void make_keys(const Physics2dWorld *phys, const Physics2dTree *tree, uint32_t *keys) {
    const Physics2dBox *boxes = phys->saved.boxes.items;
    const uint32_t *shapes = tree->shapes.items;
    size_t count = tree->shapes.count;
    float x0 = FLT_MAX, y0 = FLT_MAX, x1 = -FLT_MAX, y1 = -FLT_MAX;
    for (size_t i = 0; i < count; i++) {
        const Physics2dBox *box = &boxes[shapes[i]];
        float x = 0.5f * (box->x0 + box->x1), y = 0.5f * (box->y0 + box->y1);
        x0 = filo_min(x0, x);
        y0 = filo_min(y0, y);
        x1 = filo_max(x1, x);
        y1 = filo_max(y1, y);
    }
    float scale = 8191.0f / filo_max(filo_max(x1 - x0, y1 - y0), 1e-3f);
    for (size_t i = 0; i < count; i++) {
        const Physics2dBox *box = &boxes[shapes[i]];
        float x = filo_clamp((0.5f * (box->x0 + box->x1) - x0) * scale, 0, 8191.0f);
        float y = filo_clamp((0.5f * (box->y0 + box->y1) - y0) * scale, 0, 8191.0f);
        uint32_t size = size_class(filo_max(box->x1 - box->x0, box->y1 - box->y0));
        keys[i] = size << 26 | spread_bits((uint32_t)y) << 1 | spread_bits((uint32_t)x);
    }
}

void physics2d_sort_by_keys(uint32_t *keys, uint32_t *items, uint32_t *other_keys, uint32_t *other_items,
                            size_t count) {
    enum { BITS = 10, SIZE = 1 << BITS, PASSES = 3 };
    uint32_t counts[PASSES][SIZE];
    memset(counts, 0, sizeof counts);
    for (size_t i = 0; i < count; i++)
        for (int pass = 0; pass < PASSES; pass++) counts[pass][keys[i] >> (pass * BITS) & (SIZE - 1)]++;
    uint32_t *from_keys = keys, *from_items = items, *to_keys = other_keys, *to_items = other_items;
    for (int pass = 0; pass < PASSES; pass++) {
        uint32_t begin = 0;
        for (uint32_t i = 0; i < SIZE; i++) {
            uint32_t size = counts[pass][i];
            counts[pass][i] = begin;
            begin += size;
        }
        for (size_t i = 0; i < count; i++) {
            uint32_t to = counts[pass][from_keys[i] >> (pass * BITS) & (SIZE - 1)]++;
            to_keys[to] = from_keys[i];
            to_items[to] = from_items[i];
        }
        uint32_t *swap = from_keys;
        from_keys = to_keys;
        to_keys = swap;
        swap = from_items;
        from_items = to_items;
        to_items = swap;
    }
    if (count > 0 && from_items != items) memcpy(items, from_items, count * sizeof *items);
}

static void set_lane(Physics2dNode *node, uint32_t lane, const Physics2dBox *box) {
    node->x0[lane] = box->x0;
    node->y0[lane] = box->y0;
    node->x1[lane] = box->x1;
    node->y1[lane] = box->y1;
}

static Physics2dBox node_box(const Physics2dNode *node) {
    Physics2dBox box = { node->x0[0], node->y0[0], node->x1[0], node->y1[0] };
    for (uint32_t i = 1; i < PHYSICS2D_LANES; i++) {
        box.x0 = filo_min(box.x0, node->x0[i]);
        box.y0 = filo_min(box.y0, node->y0[i]);
        box.x1 = filo_max(box.x1, node->x1[i]);
        box.y1 = filo_max(box.y1, node->y1[i]);
    }
    return box;
}

static const Physics2dBox nothing = { FLT_MAX, FLT_MAX, -FLT_MAX, -FLT_MAX };

static void fill_level(const Physics2dWorld *phys, Physics2dTree *tree, uint32_t level, uint32_t children) {
    Physics2dNode *nodes = tree->nodes.items + tree->first[level];
    for (uint32_t i = 0; i < FILO_ALIGN_UP(children, (uint32_t)PHYSICS2D_LANES); i++) {
        Physics2dBox box = nothing;
        if (i < children)
            box = level == 0 ? phys->saved.boxes.items[tree->shapes.items[i]]
                             : node_box(&tree->nodes.items[tree->first[level - 1] + i]);
        set_lane(&nodes[i / PHYSICS2D_LANES], i % PHYSICS2D_LANES, &box);
    }
}

void physics2d_tree_refit(const Physics2dWorld *phys, Physics2dTree *tree) {
    uint32_t children = (uint32_t)tree->shapes.count;
    for (uint32_t level = 0; level < tree->levels; level++) {
        fill_level(phys, tree, level, children);
        children = (children + PHYSICS2D_LANES - 1) / PHYSICS2D_LANES;
    }
}

bool physics2d_tree_build(Physics2dWorld *phys, Physics2dTree *tree) {
    size_t count = tree->shapes.count;
    tree->levels = 0;
    if (count == 0) return true;
    if (!physics2d_at_least(&phys->sort_keys, count) || !physics2d_at_least(&phys->sort_other, count) ||
        !physics2d_at_least(&phys->sort_spare, count) ||
        !physics2d_at_least(&tree->nodes, count / 7 + PHYSICS2D_LEVELS))
        return false;
    make_keys(phys, tree, phys->sort_keys.items);
    physics2d_sort_by_keys(phys->sort_keys.items, tree->shapes.items, phys->sort_other.items,
                           phys->sort_spare.items, count);
    uint32_t children = (uint32_t)count, next = 0;
    do {
        tree->first[tree->levels] = next;
        next += (children + PHYSICS2D_LANES - 1) / PHYSICS2D_LANES;
        tree->nodes.count = next;
        children = (children + PHYSICS2D_LANES - 1) / PHYSICS2D_LANES;
        tree->levels++;
    } while (children > 1);
    physics2d_tree_refit(phys, tree);
    return true;
}
