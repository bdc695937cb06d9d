// Colours: contacts of one colour share no body that they move, so they can be solved in any order, eight at a time and on
// any thread. Each contact gets the first colour that is free at both bodies, in the order of contacts.
//
// Contacts with bodies that constraints do not move (static and kinematic) have colours of their own, which come last:
// what is solved last is most exact, and nothing should sink into the ground.

#include "physics2d/physics2d.h"

// ---- Order ------------------------------------------------------------------------------------------------

// Contacts follow the order of their bodies, roughly: contacts that are solved one after the other then have bodies that are
// near each other in memory, and each thread has bodies of its own for the most part.
bool physics2d_sort_contacts(Physics2dWorld *phys) {
    Physics2dContact *contacts = phys->saved.contacts.items;
    size_t count = phys->saved.contacts.count;
    if (!physics2d_at_least(&phys->sort_keys, count) || !physics2d_at_least(&phys->sort_other, count) ||
        !physics2d_at_least(&phys->sort_items, count) || !physics2d_at_least(&phys->sort_spare, count))
        return false;
    uint32_t *order = phys->sort_items.items;
    for (uint32_t i = 0; i < count; i++) {
        bool moves_a = phys->masks.items[contacts[i].body_a] != UINT64_MAX,
             moves_b = phys->masks.items[contacts[i].body_b] != UINT64_MAX;
        uint32_t a = moves_a ? contacts[i].body_a : UINT32_MAX, b = moves_b ? contacts[i].body_b : UINT32_MAX;
        phys->sort_keys.items[i] = FILO_MIN(a, b) & ((1u << 30) - 1);
        order[i] = i;
    }
    physics2d_sort_by_keys(phys->sort_keys.items, order, phys->sort_other.items, phys->sort_spare.items,
                           count);
    for (uint32_t i = 0; i < count; i++) { // each cycle of the permutation
        if (order[i] == i) continue;
        Physics2dContact first = contacts[i];
        uint32_t to = i;
        while (order[to] != i) {
            uint32_t from = order[to];
            contacts[to] = contacts[from];
            order[to] = to;
            to = from;
        }
        contacts[to] = first;
        order[to] = to;
    }
    return true;
}

// ---- Colours ----------------------------------------------------------------------------------------------

static uint8_t choose_colour(Physics2dWorld *phys, const Physics2dColoured *touch) {
    uint64_t *a = &phys->masks.items[touch->a], *b = &phys->masks.items[touch->b];
    const uint64_t usable = (UINT64_C(1) << PHYSICS2D_DYNAMIC_COLOURS) - 1;
    if (*a != UINT64_MAX && *b != UINT64_MAX) {
        uint64_t free = ~(*a | *b) & usable;
        if (free == 0) return PHYSICS2D_REST_COLOUR;
        uint64_t bit = free & (~free + 1);
        *a |= bit;
        *b |= bit;
        return (uint8_t)__builtin_ctzll(bit);
    }
    uint32_t moving = *a != UINT64_MAX ? touch->a : touch->b;
    uint8_t number = phys->static_counts.items[moving];
    if (number >= PHYSICS2D_STATIC_COLOURS) return PHYSICS2D_REST_COLOUR;
    phys->static_counts.items[moving]++;
    return (uint8_t)(PHYSICS2D_DYNAMIC_COLOURS + number);
}

static bool reserve_blocks(Physics2dWorld *phys, size_t size) {
    if (size <= phys->block_size) return true;
    size_t wanted = size + size / 2;
    uint8_t *memory = filo_alloc(phys->allocator, wanted, FILO_CACHE_LINE);
    if (memory == NULL) return false;
    filo_free(phys->allocator, phys->block_memory, phys->block_size, FILO_CACHE_LINE);
    phys->block_memory = memory;
    phys->block_size = wanted;
    return true;
}

bool physics2d_reserve_blocks(Physics2dWorld *phys, size_t contacts) {
    return reserve_blocks(phys, (contacts / PHYSICS2D_LANES + 64) * PHYSICS2D_BLOCK_SIZE(1));
}

static bool lay_out(Physics2dWorld *phys) {
    size_t bytes = 0, first = 0;
    phys->used_count = 0;
    for (uint32_t c = 0; c <= PHYSICS2D_COLOURS; c++) {
        Physics2dColour *colour = &phys->colours[c];
        uint32_t each = c == PHYSICS2D_REST_COLOUR ? 1 : PHYSICS2D_LANES;
        for (unsigned p = 0; p < 2; p++) {
            colour->first[p] = (uint32_t)first;
            first += colour->contacts[p];
            colour->block_count[p] = (colour->contacts[p] + each - 1) / each;
            bytes += colour->block_count[p] * PHYSICS2D_BLOCK_SIZE(p + 1);
        }
        if (colour->contacts[0] + colour->contacts[1] > 0) phys->used[phys->used_count++] = c;
    }
    phys->touching = first;
    if (!reserve_blocks(phys, bytes) || !physics2d_at_least(&phys->order, first)) return false;
    uint8_t *next = phys->block_memory;
    for (uint32_t c = 0; c <= PHYSICS2D_COLOURS; c++)
        for (unsigned p = 0; p < 2; p++) {
            phys->colours[c].blocks[p] = next;
            next += phys->colours[c].block_count[p] * PHYSICS2D_BLOCK_SIZE(p + 1);
        }
    return true;
}

#define PART 1024 // contacts that are listed, and put in order, at a time

static size_t part_count(size_t contacts) { return (contacts + PART - 1) / PART; }

bool physics2d_colour_reserve(Physics2dWorld *phys, size_t contacts) {
    return physics2d_at_least(&phys->touches, part_count(contacts) * PART) &&
           physics2d_at_least(&phys->colour_parts, part_count(contacts));
}

// Lists the contacts that touch, without a branch: whether the next one touches cannot be predicted.
static void list_touching(size_t begin, size_t end, void *user) {
    Physics2dWorld *phys = user;
    for (size_t part = begin; part < end; part++) {
        Physics2dColoured *touches = phys->touches.items + part * PART;
        size_t last = FILO_MIN((part + 1) * PART, phys->saved.contacts.count), count = 0;
        bool bounces = false;
        for (size_t i = part * PART; i < last; i++) {
            const Physics2dContact *contact = &phys->saved.contacts.items[i];
            touches[count] = (Physics2dColoured){ contact->body_a, contact->body_b, (uint32_t)i,
                                                  (uint8_t)(contact->count - 1), 0 };
            bool touching = (phys->status.items[i] & PHYSICS2D_TOUCHING) != 0;
            bounces |= touching & (contact->restitution > 0);
            count += touching;
        }
        if (bounces) base_store_relaxed(&phys->any_bounce, true);
        phys->colour_parts.items[part].touching = (uint32_t)count;
    }
}

// In the order of contacts, so on one thread.
static void choose_colours(Physics2dWorld *phys, size_t parts) {
    uint32_t counts[PHYSICS2D_COLOURS + 1][2] = { 0 };
    for (size_t k = 0; k < parts; k++) {
        Physics2dColourPart *part = &phys->colour_parts.items[k];
        Physics2dColoured *touches = phys->touches.items + k * PART;
        memcpy(part->before, counts, sizeof counts);
        for (uint32_t i = 0; i < part->touching; i++) {
            touches[i].colour = choose_colour(phys, &touches[i]);
            counts[touches[i].colour][touches[i].points]++;
        }
    }
    memset(phys->colours, 0, sizeof phys->colours);
    for (uint32_t c = 0; c <= PHYSICS2D_COLOURS; c++)
        memcpy(phys->colours[c].contacts, counts[c], sizeof counts[c]);
}

static void order_parts(size_t begin, size_t end, void *user) {
    Physics2dWorld *phys = user;
    for (size_t k = begin; k < end; k++) {
        Physics2dColourPart *part = &phys->colour_parts.items[k];
        const Physics2dColoured *touches = phys->touches.items + k * PART;
        for (uint32_t i = 0; i < part->touching; i++) {
            const Physics2dColoured *touch = &touches[i];
            uint32_t at = phys->colours[touch->colour].first[touch->points] +
                          part->before[touch->colour][touch->points]++;
            phys->order.items[at] = touch->contact;
        }
    }
}

bool physics2d_colour(Physics2dWorld *phys) {
    size_t count = phys->saved.contacts.count, parts = part_count(count);
    if (!physics2d_colour_reserve(phys, count)) return false;
    base_store_relaxed(&phys->any_bounce, false);
    physics2d_for(phys, parts, 2, list_touching, phys);
    choose_colours(phys, parts);
    if (!lay_out(phys)) return false;
    physics2d_for(phys, parts, 2, order_parts, phys);
    return true;
}

// ---- Blocks -----------------------------------------------------------------------------------------------

// The contacts of a block; their number.
static uint32_t block_contacts(const Physics2dWorld *phys, size_t c, unsigned points, size_t block,
                               const uint32_t **contacts) {
    const Physics2dColour *colour = &phys->colours[c];
    uint32_t each = c == PHYSICS2D_REST_COLOUR ? 1 : PHYSICS2D_LANES, first = (uint32_t)block * each;
    *contacts = phys->order.items + colour->first[points - 1] + first;
    return FILO_MIN(each, colour->contacts[points - 1] - first);
}

static Physics2dBlock *block_at(const Physics2dWorld *phys, size_t c, unsigned points, size_t block) {
    return (Physics2dBlock *)(void *)(phys->colours[c].blocks[points - 1] +
                                      block * PHYSICS2D_BLOCK_SIZE(points));
}

static void fill_lane(Physics2dWorld *phys, Physics2dBlock *block, uint32_t lane, uint32_t index,
                      unsigned points) {
    const Physics2dContact *contact = &phys->saved.contacts.items[index];
    // The first body is one that constraints move.
    bool swap = phys->masks.items[contact->body_a] == UINT64_MAX;
    float sign = swap ? -1.0f : 1.0f, nx = sign * contact->nx, ny = sign * contact->ny;
    block->a[lane] = swap ? contact->body_b : contact->body_a;
    block->b[lane] = swap ? contact->body_a : contact->body_b;
    block->contact[lane] = index;
    block->nx[lane] = nx;
    block->ny[lane] = ny;
    block->friction[lane] = contact->friction;
    block->restitution[lane] = contact->restitution;
    block->surface[lane] = contact->surface;
    block->rolling[lane] = contact->rolling;
    block->rolling_impulse[lane] = swap ? -contact->rolling_impulse : contact->rolling_impulse;
    block->bounces |= contact->restitution > 0;
    block->rolls |= contact->rolling > 0;
    for (unsigned i = 0; i < points; i++) {
        const Physics2dPoint *from = &contact->points[i];
        Physics2dPointLanes *to = &block->points[i];
        float ax = swap ? from->bx : from->ax, ay = swap ? from->by : from->ay;
        float bx = swap ? from->ax : from->bx, by = swap ? from->ay : from->by;
        to->separation[lane] = from->separation;
        to->an[lane] = ax * ny - ay * nx;
        to->bn[lane] = bx * ny - by * nx;
        to->at[lane] = -(ax * nx + ay * ny);
        to->bt[lane] = -(bx * nx + by * ny);
        to->impulse[lane] = from->impulse;
        to->friction_impulse[lane] = from->friction_impulse;
    }
}

void physics2d_fill_blocks(Physics2dWorld *phys, size_t colour, unsigned points, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) {
        const uint32_t *contacts;
        uint32_t lanes = block_contacts(phys, colour, points, i, &contacts);
        Physics2dBlock *block = block_at(phys, colour, points, i);
        if (lanes < PHYSICS2D_LANES)
            memset(block, 0, PHYSICS2D_BLOCK_SIZE(points)); // lanes that are not in use
        block->lanes = lanes;
        block->bounces = block->rolls = 0;
        for (uint32_t lane = 0; lane < lanes; lane++) fill_lane(phys, block, lane, contacts[lane], points);
    }
}

void physics2d_store_blocks(Physics2dWorld *phys, size_t colour, unsigned points, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) {
        const Physics2dBlock *block = block_at(phys, colour, points, i);
        for (uint32_t lane = 0; lane < block->lanes; lane++) {
            Physics2dContact *contact = &phys->saved.contacts.items[block->contact[lane]];
            for (unsigned k = 0; k < points; k++) {
                contact->points[k].impulse = physics2d_number(block->points[k].impulse[lane]);
                contact->points[k].friction_impulse =
                    physics2d_number(block->points[k].friction_impulse[lane]);
            }
            bool swap = block->a[lane] != contact->body_a;
            float rolling = physics2d_number(block->rolling_impulse[lane]);
            contact->rolling_impulse = swap ? -rolling : rolling;
        }
    }
}
