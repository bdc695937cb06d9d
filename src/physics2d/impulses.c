// Hits and impulses of contacts whose shapes ask for them.
//
// The solver has the impulses of one sub-step. Those of contacts that ask are added up in a stage of their own after each
// sub-step, so others cost nothing.

#include "physics2d/physics2d.h"

static bool list_colour(Physics2dWorld *phys, uint32_t c, unsigned points) {
    const Physics2dColour *colour = &phys->colours[c];
    uint32_t each = c == PHYSICS2D_REST_COLOUR ? 1 : PHYSICS2D_LANES;
    const uint32_t *order = phys->order.items + colour->first[points - 1];
    for (uint32_t i = 0; i < colour->contacts[points - 1]; i++) {
        if ((phys->status.items[order[i]] & PHYSICS2D_ASKED) == 0) continue;
        const Physics2dContact *contact = &phys->saved.contacts.items[order[i]];
        Physics2dAsked asked = { .block =
                                     colour->blocks[points - 1] + i / each * PHYSICS2D_BLOCK_SIZE(points),
                                 .lane = i % each,
                                 .points = points };
        for (uint32_t k = 0; k < points; k++) {
            float speed = physics2d_approach(phys, contact, k);
            if (k > 0 && speed <= asked.speed) continue;
            asked.speed = speed;
            asked.fastest = k;
        }
        phys->asked_of.items[order[i]] = (uint32_t)phys->asked.count;
        if (!filo_array_push(&phys->asked, asked)) return false;
    }
    return true;
}

bool physics2d_impulses_begin(Physics2dWorld *phys) {
    filo_array_clear(&phys->asked);
    if (!phys->has_hit_events && !phys->has_impulse_events) return true;
    if (!physics2d_at_least(&phys->asked_of, phys->saved.contacts.count)) return false;
    for (uint32_t i = 0; i < phys->used_count; i++)
        if (!list_colour(phys, phys->used[i], 1) || !list_colour(phys, phys->used[i], 2)) return false;
    return true;
}

// After a sub-step.
void physics2d_impulses_add(Physics2dWorld *phys, const Physics2dStage *stage, size_t begin, size_t end) {
    FILO_UNUSED(stage);
    for (size_t i = begin; i < end; i++) {
        Physics2dAsked *asked = &phys->asked.items[i];
        const Physics2dBlock *block = (const Physics2dBlock *)(const void *)asked->block;
        for (uint32_t k = 0; k < asked->points; k++) {
            asked->impulse[k] +=
                block->points[k].impulse[asked->lane] + block->points[k].bounced[asked->lane];
            asked->friction += block->points[k].friction_impulse[asked->lane];
        }
    }
}

static const Physics2dAsked *asked_of(const Physics2dWorld *phys, size_t i) {
    if ((phys->status.items[i] & (PHYSICS2D_ASKED | PHYSICS2D_TOUCHING)) !=
        (PHYSICS2D_ASKED | PHYSICS2D_TOUCHING))
        return NULL;
    return &phys->asked.items[phys->asked_of.items[i]];
}

void physics2d_impulses_report(Physics2dWorld *phys) {
    if (phys->asked.count == 0) return;
    const Physics2dContacts *contacts = &phys->saved.contacts;
    for (size_t i = 0; i < contacts->count && phys->has_hit_events; i++) {
        const Physics2dAsked *asked = asked_of(phys, i);
        if (asked == NULL || (contacts->items[i].asks & FILO_SHAPE_HITS) == 0) continue;
        if (asked->speed > phys->settings.hit_speed && asked->impulse[asked->fastest] > 0)
            physics2d_event_hit(phys, &contacts->items[i], asked);
    }
    for (size_t i = 0; i < contacts->count && phys->has_impulse_events; i++) {
        const Physics2dAsked *asked = asked_of(phys, i);
        if (asked == NULL || (contacts->items[i].asks & FILO_SHAPE_IMPULSES) == 0) continue;
        if (asked->impulse[0] + asked->impulse[1] > 0)
            physics2d_event_impulse(phys, &contacts->items[i], asked);
    }
}
