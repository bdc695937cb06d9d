// Contacts: pairs of shapes that are near each other, with their manifolds and impulses.

#include "physics2d/physics2d.h"

bool physics2d_shapes_collide(const Physics2dShape *a, const Physics2dShape *b) {
    if (a->used != PHYSICS2D_USED || b->used != PHYSICS2D_USED) return false;
    if ((a->flags & b->flags & FILO_SHAPE_SENSOR) != 0) return false;
    if (a->group != 0 && a->group == b->group) return a->group > 0;
    return (a->layers & b->mask) != 0 && (b->layers & a->mask) != 0;
}

static float mix(float a, float b, uint32_t rule) {
    switch (rule) {
    case FILO_MIX_AVERAGE: return 0.5f * (a + b);
    case FILO_MIX_GEOMETRIC: return filo_sqrt(a * b);
    case FILO_MIX_MINIMUM: return filo_min(a, b);
    case FILO_MIX_MULTIPLY: return a * b;
    default: return filo_max(a, b);
    }
}

void physics2d_contact_mix(Physics2dContact *contact, const Physics2dShape *a, const Physics2dShape *b) {
    uint32_t friction = FILO_MAX(a->friction_mix, b->friction_mix),
             restitution = FILO_MAX(a->restitution_mix, b->restitution_mix);
    float of_friction =
        mix(a->friction, b->friction, friction != FILO_MIX_DEFAULT ? friction : FILO_MIX_GEOMETRIC);
    // Products and sums of finite numbers may be infinite.
    contact->friction = filo_min(of_friction, FLT_MAX);
    contact->restitution = mix(a->restitution, b->restitution, restitution);
    contact->rolling = filo_min(filo_max(a->rolling * a->radius, b->rolling * b->radius), FLT_MAX);
    contact->surface = filo_clamp(a->surface + b->surface, -FLT_MAX, FLT_MAX);
}

FiloVec2 physics2d_contact_point(const Physics2dWorld *phys, const Physics2dContact *contact, uint32_t i) {
    const Physics2dBody *body = &phys->saved.bodies.items[contact->body_a];
    return filo_vec2(body->cx + contact->points[i].ax, body->cy + contact->points[i].ay);
}

static FiloVec2 velocity_at(const Physics2dWorld *phys, uint32_t body, float x, float y) {
    const Physics2dState *state = &phys->states.items[body];
    return filo_vec2(state->vx - state->w * y, state->vy + state->w * x);
}

float physics2d_approach(const Physics2dWorld *phys, const Physics2dContact *contact, uint32_t i) {
    const Physics2dPoint *point = &contact->points[i];
    FiloVec2 a = velocity_at(phys, contact->body_a, point->ax, point->ay),
             b = velocity_at(phys, contact->body_b, point->bx, point->by);
    return filo_vec2_dot(filo_vec2_sub(a, b), filo_vec2(contact->nx, contact->ny));
}

// ---- Manifolds --------------------------------------------------------------------------------------------

static bool overlap(const Physics2dBox *a, const Physics2dBox *b) {
    return a->x0 <= b->x1 && a->x1 >= b->x0 && a->y0 <= b->y1 && a->y1 >= b->y0;
}

// Points with the same features keep their impulses.
static void take_points(Physics2dContact *contact, const Physics2dManifold *m, const Physics2dBody *a,
                        const Physics2dBody *b) {
    Physics2dPoint old[2] = { contact->points[0], contact->points[1] };
    uint32_t olds = contact->count;
    contact->count = (uint8_t)m->count;
    memset(contact->points, 0, sizeof contact->points);
    contact->nx = a->c * m->normal.x - a->s * m->normal.y;
    contact->ny = a->s * m->normal.x + a->c * m->normal.y;
    float dx = a->cx - b->cx, dy = a->cy - b->cy;
    for (uint32_t i = 0; i < m->count; i++) {
        Physics2dPoint *point = &contact->points[i];
        float x = m->points[i].point.x - a->lx, y = m->points[i].point.y - a->ly;
        point->ax = a->c * x - a->s * y;
        point->ay = a->s * x + a->c * y;
        point->bx = point->ax + dx;
        point->by = point->ay + dy;
        point->separation = m->points[i].separation;
        point->id = m->points[i].id;
        for (uint32_t k = 0; k < olds; k++)
            if (old[k].id == point->id) {
                point->impulse = old[k].impulse;
                point->friction_impulse = old[k].friction_impulse;
            }
    }
    if (m->count == 0) contact->nx = contact->ny = contact->rolling_impulse = 0;
}

static uint8_t status_of(const Physics2dContact *contact) {
    bool asked = (contact->asks & (FILO_SHAPE_HITS | FILO_SHAPE_IMPULSES)) != 0;
    return (uint8_t)(contact->flags | (asked ? PHYSICS2D_ASKED : 0));
}

static void update_range(size_t begin, size_t end, void *user) {
    Physics2dWorld *phys = user;
    const Physics2dSaved *saved = &phys->saved;
    float margin = 0.02f * phys->settings.unit;
    for (size_t i = begin; i < end; i++) {
        Physics2dContact *contact = &saved->contacts.items[i];
        bool was = contact->flags != 0;
        if (!overlap(&saved->boxes.items[contact->a], &saved->boxes.items[contact->b])) {
            phys->status.items[i] = (uint8_t)(PHYSICS2D_APART | (was ? PHYSICS2D_ENDED : 0));
            continue;
        }
        const Physics2dShape *a = &saved->shapes.items[contact->a], *b = &saved->shapes.items[contact->b];
        const Physics2dBody *body_a = &saved->bodies.items[contact->body_a],
                            *body_b = &saved->bodies.items[contact->body_b];
        bool sensor = ((a->flags | b->flags) & FILO_SHAPE_SENSOR) != 0;
        Physics2dManifold manifold;
        physics2d_collide(a, &saved->polygons.items[a->polygon], body_a, b,
                          &saved->polygons.items[b->polygon], body_b, sensor ? 0 : margin, &manifold);
        bool is = manifold.count > 0;
        if (sensor) manifold.count = 0; // not solved
        take_points(contact, &manifold, body_a, body_b);
        if (!is) contact->passing = 0;
        if (manifold.count > 0 && (contact->asks & (FILO_SHAPE_BEFORE_SOLVE | FILO_SHAPE_ONE_WAY)) != 0 &&
            !physics2d_may_touch(phys, contact, was)) {
            is = false;
            manifold.count = 0;
            take_points(contact, &manifold, body_a, body_b);
        }
        contact->flags = !is ? 0 : sensor ? PHYSICS2D_SENSING : PHYSICS2D_TOUCHING;
        phys->status.items[i] = (uint8_t)(status_of(contact) | (is && !was ? PHYSICS2D_BEGUN : 0) |
                                          (was && !is ? PHYSICS2D_ENDED : 0));
    }
}

// ---- Begin and end ----------------------------------------------------------------------------------------

static void remove_contact(Physics2dWorld *phys, size_t i) {
    Physics2dContacts *contacts = &phys->saved.contacts;
    physics2d_pair_remove(phys, contacts->items[i].a, contacts->items[i].b);
    filo_array_remove_swap(contacts, i);
    if (contacts->count < phys->status.count) {
        phys->status.items[i] = phys->status.items[contacts->count];
        phys->status.count = contacts->count;
    }
}

bool physics2d_contacts_extend(Physics2dWorld *phys) {
    const Physics2dContacts *contacts = &phys->saved.contacts;
    if (!physics2d_at_least(&phys->status, contacts->count)) return false;
    for (; phys->status.count < contacts->count; phys->status.count++)
        phys->status.items[phys->status.count] = status_of(&contacts->items[phys->status.count]);
    return true;
}

// The contacts that began, ended or are apart, in `list`; their number. They are few, so eight are looked at at a time.
static size_t list_changed(const Physics2dWorld *phys, uint32_t *list) {
    const uint8_t *status = phys->status.items, flags = PHYSICS2D_BEGUN | PHYSICS2D_ENDED | PHYSICS2D_APART;
    size_t count = phys->status.count, listed = 0;
    for (size_t i = 0; i < count;) {
        uint64_t word = 0;
        size_t last = FILO_MIN(i + sizeof word, count);
        memcpy(&word, status + i, last - i);
        if ((word & flags * UINT64_C(0x0101010101010101)) == 0) {
            i = last;
            continue;
        }
        for (; i < last; i++)
            if ((status[i] & flags) != 0) list[listed++] = (uint32_t)i;
    }
    return listed;
}

bool physics2d_contacts_update(Physics2dWorld *phys) {
    Physics2dContacts *contacts = &phys->saved.contacts;
    if (!physics2d_at_least(&phys->status, contacts->count) ||
        !physics2d_at_least(&phys->order, contacts->count))
        return false;
    phys->status.count = contacts->count;
    physics2d_for(phys, contacts->count, 256, update_range, phys);
    uint32_t *changed = phys->order.items; // not used before contacts get their colours
    size_t count = list_changed(phys, changed);
    // New contacts wake what is asleep. This appends contacts, which touch and were not updated.
    for (size_t i = 0; i < count; i++) {
        uint8_t status = phys->status.items[changed[i]];
        const Physics2dContact *contact = &contacts->items[changed[i]];
        if ((status & (PHYSICS2D_BEGUN | PHYSICS2D_ENDED)) == 0) continue;
        physics2d_event_contact(phys, contact, (status & PHYSICS2D_BEGUN) != 0);
        if ((status & PHYSICS2D_BEGUN) == 0 || (status & PHYSICS2D_SENSING) != 0) continue;
        uint32_t a = contact->body_a, b = contact->body_b; // contacts may move in memory
        physics2d_wake(phys, a);
        physics2d_wake(phys, b);
    }
    if (!physics2d_contacts_extend(phys)) return false;
    for (size_t i = count; i-- > 0;)
        if ((phys->status.items[changed[i]] & PHYSICS2D_APART) != 0) remove_contact(phys, changed[i]);
    return true;
}

void physics2d_contacts_purge(Physics2dWorld *phys) {
    Physics2dContacts *contacts = &phys->saved.contacts;
    const Physics2dShape *shapes = phys->saved.shapes.items;
    phys->status.count = 0;
    for (size_t i = contacts->count; i-- > 0;) {
        const Physics2dContact *contact = &contacts->items[i];
        if (shapes[contact->a].used != PHYSICS2D_DEAD && shapes[contact->b].used != PHYSICS2D_DEAD &&
            !physics2d_set_has(&phys->joined_set, contact->body_a, contact->body_b))
            continue;
        if (contact->flags != 0) physics2d_event_contact(phys, contact, false);
        remove_contact(phys, i);
    }
}
