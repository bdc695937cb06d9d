// Links: the joints of a step in colours, and plain hinges in blocks.
//
// Links of one colour share no body that they move, so they can be solved in any order and on any thread. A plain hinge, which
// has neither limits nor a motor nor a spring, is by far the most frequent joint: eight of one colour are solved at once in
// the lanes of a vector. The colours are kept while the links stay the same.

#include "physics2d/physics2d.h"

// ---- Colours ----------------------------------------------------------------------------------------------

static void choose_colours(Physics2dWorld *phys) {
    uint64_t *masks = phys->link_masks.items;
    filo_array_each (&phys->links, link) masks[link->a] = masks[link->b] = 0;
    for (size_t i = 0; i < phys->links.count; i++) {
        const Physics2dLink *link = &phys->links.items[i];
        uint64_t *a = &masks[link->a], *b = &masks[link->b];
        uint64_t taken = (link->moves_a ? *a : 0) | (link->moves_b ? *b : 0);
        uint64_t free = ~taken & ((UINT64_C(1) << PHYSICS2D_COLOURS) - 1), bit = free & (~free + 1);
        *a |= bit;
        *b |= bit;
        uint8_t colour = bit != 0 ? (uint8_t)__builtin_ctzll(bit) : PHYSICS2D_REST_COLOUR;
        phys->link_colour_of.items[i] = colour;
        phys->link_colours[colour].hinges += link->hinge;
        phys->link_colours[colour].rigs += !link->hinge;
    }
}

// Links by colour; in each colour hinges first.
static void sort_links(Physics2dWorld *phys) {
    uint32_t first = 0, block = 0, rig = 0, next[PHYSICS2D_COLOURS + 1][2];
    for (uint32_t c = 0; c <= PHYSICS2D_COLOURS; c++) {
        Physics2dLinkColour *colour = &phys->link_colours[c];
        uint32_t each = c == PHYSICS2D_REST_COLOUR ? 1 : PHYSICS2D_LANES;
        colour->first = first;
        colour->first_block = block;
        colour->first_rig = rig;
        colour->blocks = (colour->hinges + each - 1) / each;
        next[c][1] = first;
        next[c][0] = first + colour->hinges;
        first += colour->hinges + colour->rigs;
        block += colour->blocks;
        rig += colour->rigs;
    }
    for (uint32_t i = 0; i < phys->links.count; i++)
        phys->link_order.items[next[phys->link_colour_of.items[i]][phys->links.items[i].hinge]++] = i;
    phys->hinge_blocks.count = block;
    phys->rigs.count = rig;
}

bool physics2d_colour_links(Physics2dWorld *phys) {
    size_t count = phys->links.count, bodies = phys->saved.bodies.count;
    if (!phys->links_changed) return true;
    if (!physics2d_at_least(&phys->link_colour_of, count) || !physics2d_at_least(&phys->link_order, count) ||
        !physics2d_at_least(&phys->link_masks, bodies))
        return false;
    memset(phys->link_colours, 0, sizeof phys->link_colours);
    choose_colours(phys);
    size_t blocks =
        PHYSICS2D_COLOURS + phys->link_colours[PHYSICS2D_REST_COLOUR].hinges + count / PHYSICS2D_LANES;
    if (!physics2d_at_least(&phys->hinge_blocks, blocks) || !physics2d_at_least(&phys->rigs, count))
        return false;
    sort_links(phys);
    phys->links_changed = false;
    return true;
}

// ---- Blocks -----------------------------------------------------------------------------------------------

static Physics2dHinges *blocks_of(const Physics2dWorld *phys, const Physics2dStage *stage) {
    return phys->hinge_blocks.items + phys->link_colours[stage->colour].first_block;
}

static void fill_lane(const Physics2dWorld *phys, Physics2dHinges *block, uint32_t lane,
                      const Physics2dLink *link) {
    const Physics2dJoint *joint = &phys->saved.joints.items[link->joint];
    Physics2dAnchors at = physics2d_anchors(&phys->saved.bodies.items[link->a],
                                            &phys->saved.bodies.items[link->b], &joint->settings);
    block->a[lane] = link->a;
    block->b[lane] = link->b;
    block->joint[lane] = link->joint;
    block->ax[lane] = at.ax;
    block->ay[lane] = at.ay;
    block->bx[lane] = at.bx;
    block->by[lane] = at.by;
    block->dx[lane] = at.dx;
    block->dy[lane] = at.dy;
    block->px[lane] = joint->px;
    block->py[lane] = joint->py;
    block->moves_a |= (uint32_t)link->moves_a << lane;
    block->moves_b |= (uint32_t)link->moves_b << lane;
}

void physics2d_prepare_hinges(Physics2dWorld *phys, const Physics2dStage *stage, size_t begin, size_t end) {
    const Physics2dLinkColour *colour = &phys->link_colours[stage->colour];
    const uint32_t *order = phys->link_order.items + colour->first;
    uint32_t each = stage->colour == PHYSICS2D_REST_COLOUR ? 1 : PHYSICS2D_LANES;
    Physics2dHinges *blocks = blocks_of(phys, stage);
    for (size_t i = begin; i < end; i++) {
        Physics2dHinges *block = &blocks[i];
        uint32_t first = (uint32_t)i * each;
        memset(block, 0, sizeof *block); // lanes that are not in use
        block->lanes = FILO_MIN(each, colour->hinges - first);
        for (uint32_t lane = 0; lane < block->lanes; lane++)
            fill_lane(phys, block, lane, &phys->links.items[order[first + lane]]);
    }
}

void physics2d_warm_hinges(Physics2dWorld *phys, const Physics2dStage *stage, size_t begin, size_t end) {
    Physics2dPass pass = { .states = phys->states.items, .constants = &phys->constants };
    phys->kernels->warm_hinges(&pass, blocks_of(phys, stage) + begin, end - begin);
}

void physics2d_solve_hinges(Physics2dWorld *phys, const Physics2dStage *stage, size_t begin, size_t end) {
    Physics2dPass pass = { .states = phys->states.items, .constants = &phys->constants };
    pass.use_bias = stage->use_bias;
    pass.soft = stage->use_bias ? phys->constants.joint : (Physics2dSoftness){ 0, 1, 0 };
    phys->kernels->solve_hinges(&pass, blocks_of(phys, stage) + begin, end - begin);
}

void physics2d_store_hinges(Physics2dWorld *phys, const Physics2dStage *stage, size_t begin, size_t end) {
    const Physics2dHinges *blocks = blocks_of(phys, stage);
    float rate = phys->constants.inv_h;
    for (size_t i = begin; i < end; i++)
        for (uint32_t lane = 0; lane < blocks[i].lanes; lane++) {
            Physics2dJoint *joint = &phys->saved.joints.items[blocks[i].joint[lane]];
            memset(joint->impulses, 0, sizeof joint->impulses);
            joint->px = physics2d_number(blocks[i].px[lane]);
            joint->py = physics2d_number(blocks[i].py[lane]);
            joint->fx = physics2d_number(joint->px * rate);
            joint->fy = physics2d_number(joint->py * rate);
            joint->torque = 0;
        }
}
