// Where fast bullets meet each other within a step.
//
// All of them move at once, so none can be swept before the others. Each path is known up to here: the bullet flies, and
// what is no fast bullet stops it. The times at which two bullets touch are found for all pairs whose paths come near each
// other, and are gone through in order: both bullets stop there, and the next step finds their contact. Bullets that still
// move are then swept from that time on against the place at which these are.

#include "physics2d/physics2d.h"

// ---- Order ------------------------------------------------------------------------------------------------

// Shell sort, since qsort may allocate.
static void sort_from_left(Physics2dPath *paths, size_t count) {
    size_t gap = 1;
    while (gap < count / 3) gap = gap * 3 + 1;
    for (; gap > 0; gap /= 3)
        for (size_t i = gap; i < count; i++) {
            Physics2dPath path = paths[i];
            size_t at = i;
            for (; at >= gap && paths[at - gap].box.x0 > path.box.x0; at -= gap) paths[at] = paths[at - gap];
            paths[at] = path;
        }
}

// Times that are equal: by slots, which do not depend on the order of rows.
static bool is_before(const Physics2dMeeting *x, const Physics2dMeeting *y) {
    if (x->t != y->t) return x->t < y->t;
    return x->a != y->a ? x->a < y->a : x->b < y->b;
}

// Meetings are a heap: the next one is the first.
static bool add_meeting(Physics2dWorld *phys, Physics2dMeeting meeting) {
    if (!filo_array_push(&phys->meetings, meeting)) return false;
    Physics2dMeeting *items = phys->meetings.items;
    size_t at = phys->meetings.count - 1;
    for (; at > 0 && is_before(&meeting, &items[(at - 1) / 2]); at = (at - 1) / 2)
        items[at] = items[(at - 1) / 2];
    items[at] = meeting;
    return true;
}

static Physics2dMeeting take_meeting(Physics2dWorld *phys) {
    Physics2dMeeting *items = phys->meetings.items, next = items[0];
    size_t count = --phys->meetings.count, at = 0;
    Physics2dMeeting last = items[count];
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && is_before(&items[child + 1], &items[child])) child++;
        if (!is_before(&items[child], &last)) break;
        items[at] = items[child];
    }
    items[at] = last;
    return next;
}

// ---- Paths ------------------------------------------------------------------------------------------------

static bool list_paths(Physics2dWorld *phys) {
    filo_array_clear(&phys->paths);
    float touch = 0.01f * phys->settings.unit;
    for (size_t i = 0; i < phys->awake.count; i++) {
        if (phys->fast.items[i] != PHYSICS2D_FAST_BULLET) continue;
        uint32_t slot = phys->awake.items[i].body;
        const Physics2dBody *body = &phys->saved.bodies.items[slot];
        const Physics2dState *state = &phys->states.items[slot];
        float reach = body->extent + touch;
        Physics2dPath path = {
            .slot = slot,
            .box = { body->cx - filo_max(state->dx, 0) - reach, body->cy - filo_max(state->dy, 0) - reach,
                     body->cx - filo_min(state->dx, 0) + reach, body->cy - filo_min(state->dy, 0) + reach },
            .reach = reach
        };
        if (!filo_array_push(&phys->paths, path)) return false;
    }
    sort_from_left(phys->paths.items, phys->paths.count);
    return true;
}

// Whether circles around two bodies touch while both move.
static bool come_near(const Physics2dWorld *phys, const Physics2dPath *x, const Physics2dPath *y) {
    if (x->box.y0 > y->box.y1 || y->box.y0 > x->box.y1) return false;
    const Physics2dBody *a = &phys->saved.bodies.items[x->slot], *b = &phys->saved.bodies.items[y->slot];
    const Physics2dState *move_a = &phys->states.items[x->slot], *move_b = &phys->states.items[y->slot];
    FiloVec2 move = { move_b->dx - move_a->dx, move_b->dy - move_a->dy };
    FiloVec2 end = { b->cx - a->cx, b->cy - a->cy };
    float square = filo_vec2_dot(move, move), reach = x->reach + y->reach;
    float back = square > 0 ? filo_clamp(filo_vec2_dot(end, move) / square, 0, 1) : 0;
    FiloVec2 nearest = filo_vec2_add_scaled(end, move, -back);
    return filo_vec2_dot(nearest, nearest) <= reach * reach;
}

static bool find_meetings(Physics2dWorld *phys) {
    filo_array_clear(&phys->meetings);
    const Physics2dPath *paths = phys->paths.items;
    for (size_t i = 0; i < phys->paths.count; i++)
        for (size_t k = i + 1; k < phys->paths.count && paths[k].box.x0 <= paths[i].box.x1; k++) {
            if (!come_near(phys, &paths[i], &paths[k])) continue;
            Physics2dMeeting meeting = { .a = FILO_MIN(paths[i].slot, paths[k].slot),
                                         .b = FILO_MAX(paths[i].slot, paths[k].slot) };
            meeting.t = physics2d_meeting_time(phys, meeting.a, meeting.b, 0, false);
            if (meeting.t < 1 && !add_meeting(phys, meeting)) return false;
        }
    return true;
}

// ---- Meetings ---------------------------------------------------------------------------------------------

static uint8_t *class_of(const Physics2dWorld *phys, uint32_t slot) {
    return &phys->fast.items[phys->awake_of.items[slot]];
}

// Stops a bullet. Those that still move may meet it where it is now.
static bool stop(Physics2dWorld *phys, uint32_t slot, float t) {
    physics2d_stop_at(phys, slot, t);
    *class_of(phys, slot) = PHYSICS2D_MET;
    const Physics2dBody *body = &phys->saved.bodies.items[slot];
    float reach = body->extent + 0.01f * phys->settings.unit;
    bool enough = true;
    for (size_t i = 0; i < phys->paths.count && phys->paths.items[i].box.x0 <= body->cx + reach; i++) {
        const Physics2dPath *path = &phys->paths.items[i];
        bool near = path->box.x1 >= body->cx - reach && path->box.y0 <= body->cy + reach &&
                    path->box.y1 >= body->cy - reach;
        if (!near || *class_of(phys, path->slot) == PHYSICS2D_MET) continue;
        Physics2dMeeting meeting = { physics2d_meeting_time(phys, path->slot, slot, t, true), path->slot,
                                     slot, true };
        if (meeting.t < 1) enough = enough && add_meeting(phys, meeting);
    }
    return enough;
}

bool physics2d_meetings(Physics2dWorld *phys) {
    if (!list_paths(phys) || !find_meetings(phys)) return false;
    while (phys->meetings.count > 0) {
        Physics2dMeeting meeting = take_meeting(phys);
        bool met_a = *class_of(phys, meeting.a) == PHYSICS2D_MET,
             met_b = *class_of(phys, meeting.b) == PHYSICS2D_MET;
        if (met_a || met_b != meeting.rests) continue; // one of them does not get there
        // The second one does not find the first: they touch.
        *class_of(phys, meeting.a) = PHYSICS2D_MET;
        if (!met_b && !stop(phys, meeting.b, meeting.t)) return false;
        if (!stop(phys, meeting.a, meeting.t)) return false;
    }
    return true;
}
